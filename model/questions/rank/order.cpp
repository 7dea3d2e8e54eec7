// Orders entries by figure. An entry with unknowns or assumptions may lead only within the limits below.
#include "model/questions/rank/order.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/documents/prices.hpp"
#include "model/figures.hpp"
#include "model/finance.hpp"
#include "model/hosted/hosted_prices.hpp"
#include "model/performance/device_facts.hpp"
#include "model/performance/doubts.hpp"
#include "model/questions/mix/mix.hpp"
#include "model/questions/rank/probabilities.hpp"
#include "model/questions/rank/training_runs.hpp"
#include "model/questions/variant.hpp"
#include "model/scenario.hpp"

namespace costcurve::model {

namespace {

constexpr std::string_view kHostsUnknown = "what its hosts take is not known";
constexpr double kHostKw = 0.575; // upper bound per device: DGX H100 user guide, (10.2 kW - 8 x 700 W) / 8; the catalogue's largest
constexpr double kCloudPue = 1.2; // the large clouds publish values up to 1.185
// p90 factor by which an assumed rate or price may be wrong.
const double kAssumedWithin = std::exp(kNormalP90 * kRateSigmas[static_cast<std::size_t>(Evidence::assumed)]);

// An option of an entry, with the workloads that it runs.
struct WorkingOption {
    const Option* option;
    const std::vector<Workload>* workloads;
};
std::vector<WorkingOption> working_options(const Entry& entry, const RankQuestion& question) {
    std::vector<WorkingOption> options;
    if (entry.mix != nullptr) {
        for (const MixGroup& group : entry.mix->groups) {
            options.push_back({&group.option, &group.question.work.workloads});
            if (group.burst) {
                options.push_back({&*group.burst, &group.question.work.workloads});
            }
        }
        return options;
    }
    options.push_back({entry.option, &question.work.workloads});
    if (entry.burst != nullptr) {
        options.push_back({entry.burst, &question.work.workloads});
    }
    return options;
}

// The weakest evidence of the entry's rates. Hosted models alone count as measured, as their price is their cost.
Evidence evidence_of(const Entry& entry, const RankQuestion& question) {
    if (entry.way() == Way::pair) { // no measurement is close to a pair's rates (decision 80)
        return Evidence::assumed;
    }
    Evidence least = Evidence::measured;
    for (const auto& [option, workloads] : working_options(entry, question)) {
        for (std::size_t w = 0; w < option->performances.size(); ++w) {
            const Performance& performance = option->performances[w];
            const bool is_doubtful =
                !doubts_of(performance, *device_of(option->pool), (*workloads)[w], devices_per_unit(option->pool)).empty();
            least = std::max(least, is_doubtful ? Evidence::assumed : performance.basis);
        }
    }
    return least;
}

bool has_assumed_price(const Entry& entry, const RankQuestion& question) {
    return std::ranges::any_of(working_options(entry, question),
                               [](const WorkingOption& working) { return working.option->price_is_assumed; });
}

bool is_assumed(const Entry& entry, const RankQuestion& question) {
    return evidence_of(entry, question) == Evidence::assumed || has_assumed_price(entry, question);
}

// An upper bound of what all rented hosts add to the figure, in the figure's unit.
double hosts_at_most(const SizedPlan& plan, double figure, Objective objective) {
    double kwh = 0.0;
    for (const PoolSummary& pool : plan.summary.pools) {
        kwh += pool.available_device_hours * kHostKw * kCloudPue;
    }
    const double energy = figure_of(plan.summary, Objective::energy_kwh).value_or(0.0);
    return objective == Objective::energy_kwh ? kwh
           : energy > 0.0                     ? figure * kwh / energy
                                              : std::numeric_limits<double>::infinity();
}

// The figure if each assumed price, each assumed rate and the energy of hosts are at their p90.
double worst_figure(const Entry& entry, const RankQuestion& question, const WholePlan& whole) {
    const Objective objective = decide_by(question.work.finance);
    double figure = entry.figure;
    const bool has_price = has_assumed_price(entry, question);
    if (has_price || !entry.hosts_are_known) {
        SizedPlan plan = whole(entry);
        figure += entry.hosts_are_known ? 0.0 : hosts_at_most(plan, figure, objective);
        for (const auto& [option, workloads] : working_options(entry, question)) {
            for (Pool& pool : plan.scenario.pools) {
                if (option->price_is_assumed && pool.server && pool.server->id == option->pool.server->id) {
                    pool.server->price *= kAssumedWithin;
                }
            }
        }
        Variant variant(std::move(plan.scenario));
        const auto evaluated = has_price ? variant.evaluate() : Result<const Evaluation*>(nullptr);
        const std::optional<double> dearer =
            evaluated && *evaluated != nullptr ? figure_of((*evaluated)->summary, objective) : std::nullopt;
        figure += dearer.value_or(entry.figure) - entry.figure;
    }
    return evidence_of(entry, question) == Evidence::assumed ? figure * kAssumedWithin : figure;
}

// Whether a hosted model's price depends on a fact that is unknown.
bool has_unknown_price(const Entry& entry, const RankQuestion& question) {
    return std::ranges::any_of(working_options(entry, question), [](const WorkingOption& working) {
        return working.option->pool.kind == PoolKind::api && std::ranges::any_of(*working.workloads, [&](const Workload& workload) {
                   const HostedModel& model = hosted(working.option->pool);
                   return !price_doubts(model, workload, tier_of(workload, {}, model)).empty();
               });
    });
}

// Whether some device has no known peak or bandwidth, so that a stated rate can't be checked against a ceiling.
bool has_no_ceiling(const Entry& entry, const RankQuestion& question) {
    return std::ranges::any_of(working_options(entry, question), [](const WorkingOption& working) {
        const Device* const device = device_of(working.option->pool);
        return device != nullptr && !step_device(*device, {}, WeightPrecision::bf16);
    });
}

// Rounds to two significant digits, as the value comes from samples: 2,614 gives 2,600.
double two_digits(double value) {
    const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1);
    return std::round(value / unit) * unit;
}

} // namespace

bool is_money(Objective objective) { return objective != Objective::energy_kwh && objective != Objective::carbon_kg; }

bool comes_before(const Entry& a, const Entry& b) {
    if (a.figure != b.figure) {
        return a.figure < b.figure;
    }
    return a.way() != b.way() ? a.way() < b.way() : a.name() < b.name();
}

std::string_view unknown_of(const Entry& entry, const RankQuestion& question) {
    return has_unknown_price(entry, question) ? "its price depends on what is not known"
           : has_no_ceiling(entry, question) ? "the peak or the bandwidth of its device is not known, and so not how fast it can be"
           : !entry.latency_is_known         ? "its latency is not known"
           : !entry.hosts_are_known          ? kHostsUnknown
                                             : "";
}

std::string_view doubt_of(const Entry& entry, const RankQuestion& question) {
    const std::string_view unknown = unknown_of(entry, question);
    return !unknown.empty()                                    ? unknown
           : evidence_of(entry, question) == Evidence::assumed ? "its rate is assumed"
           : has_assumed_price(entry, question)                ? "its server's price is of no day, or of an old one"
                                                               : "";
}

void put_known_first(std::vector<Entry>& entries, const RankQuestion& question, const WholePlan& whole) {
    const auto is_known = [&](const Entry& entry) { return unknown_of(entry, question).empty(); };
    auto first = std::ranges::find_if(entries, [&](const Entry& entry) { return is_known(entry) && !is_assumed(entry, question); });
    first = first != entries.end() ? first : std::ranges::find_if(entries, is_known);
    const auto has_price = [&](const Entry& entry) { return !has_unknown_price(entry, question); };
    first = first != entries.end() ? first : std::ranges::find_if(entries, has_price); // if no latency is known
    first = first != entries.end() ? first : entries.begin();
    if (first == entries.end()) {
        return;
    }
    const auto leads = [&](const Entry& entry) {
        const std::string_view unknown = unknown_of(entry, question);
        return (unknown.empty() || unknown == kHostsUnknown) && worst_figure(entry, question, whole) < first->figure;
    };
    first = std::find_if(entries.begin(), first, leads);
    std::rotate(entries.begin(), first, std::next(first));
}

std::optional<NearestRun> nearest_run(const std::vector<Entry>& entries, const RankQuestion& question) {
    std::optional<NearestRun> nearest;
    for (const Entry& entry : entries) {
        if (!entry.run || entry.reason != name_of(InfeasibleCode::deadline) || !std::isfinite(entry.run->days)) {
            continue;
        }
        const double chance =
            entry.run->chance_within(days_allowed(question.work.workloads.front(), entry.option->pool, question.work));
        if (!nearest || chance > nearest->probability_in_time ||
            (chance == nearest->probability_in_time && entry.run->days < nearest->days)) {
            nearest = {entry.name(), device_of(entry.option->pool)->id, entry.run->devices, entry.run->days, entry.run->p90(),
                       chance};
        }
    }
    return nearest;
}

std::string level_text(const Ranking& ranking, const std::string& currency) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < ranking.plans.size(); ++i) {
        if (const std::optional<PlanChances>& chances = ranking.plans[i].chances; chances && (i == 0 || chances->tied)) {
            places.push_back(i + 1);
        }
    }
    if (places.size() < 2) {
        return "";
    }
    std::string text = fmt::format("plans {} are level within what is known", fmt::join(places, ", "));
    if (!ranking.would_decide.empty()) {
        const WorthMeasuring& rate = ranking.would_decide.front();
        text +=
            fmt::format("; measuring {} would decide most, worth {:.6g} {} in the mean", rate.measurement, two_digits(rate.value),
                        is_money(ranking.decide_by) ? currency : std::string(name_of(ranking.decide_by)));
    } else {
        text += "; no single rate would tell them apart";
    }
    return text;
}

std::optional<WinsAt> wins_at(const ScenarioPlan& plan, double least, Objective objective) {
    const Pool& pool = plan.scenario.pools.front();
    const std::string pointer = pool.kind == PoolKind::cloud   ? "/pools/0/offer/hourly_price"
                                : pool.kind == PoolKind::owned ? "/pools/0/server/price"
                                                               : "/pools/0/discount_fraction";
    Variant variant(plan.scenario);
    const Result<std::size_t> input = variant.bind(pointer, "");
    const double base = input ? variant.input(*input).base.value_or(0.0) : 0.0;
    const double moved = pool.kind == PoolKind::api ? 1.0 : base / 2; // a discount of 100 %, or half of the price
    if (!input || variant.set(*input, moved, "")) {
        return std::nullopt;
    }
    const auto evaluated = variant.evaluate();
    const std::optional<double> figure = evaluated ? figure_of((*evaluated)->summary, objective) : std::nullopt;
    if (!figure || *figure == plan.decisive) {
        return std::nullopt;
    }
    const double value = base + (moved - base) * (plan.decisive - least) / (plan.decisive - *figure);
    const bool is_possible = pool.kind == PoolKind::api ? value <= 1.0 : value >= 0.0;
    const bool is_curve = variant.input(*input).unit == "factor";
    const double scale = is_curve && pool.offer ? pool.offer->hourly_price.curve->y.back() : 1.0;
    const std::string& of_document = pool.server  ? pool.server->currency
                                     : pool.offer ? currency_of(pool.offer->hourly_price, pool.offer->currency)
                                                  : pool.id;
    const std::string& currency = of_document.empty() ? plan.scenario.currency : of_document;
    return is_possible ? std::optional(WinsAt{pointer, value * scale, pool.kind == PoolKind::api ? "" : currency}) : std::nullopt;
}

} // namespace costcurve::model
