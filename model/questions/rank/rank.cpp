// Single ways first, then hybrids of the best bases with the best bursts. What is kept of each is its figure; the first plans are
// evaluated again, whole.
#include "model/questions/rank/rank.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/figures.hpp"
#include "model/finance.hpp"
#include "model/hosted/hosted_prices.hpp"
#include "model/questions/drivers.hpp"
#include "model/questions/rank/probabilities.hpp"
#include "model/questions/variant.hpp"

namespace costcurve::model {

namespace {

constexpr std::size_t kHybridSide = 5; // bases, and bursts, of each purchase, and of hosts

bool comes_before(const Entry& a, const Entry& b) {
    if (a.figure != b.figure) {
        return a.figure < b.figure;
    }
    return a.way() != b.way() ? a.way() < b.way() : a.name() < b.name();
}

constexpr double kNormalP90 = 1.2815515655446004;

// The least of all its rates; of hosted models alone measured, as their prices are what they cost.
Evidence evidence_of(const Entry& entry) {
    Evidence least = Evidence::measured;
    for (const Option* const option : {entry.option, entry.burst}) {
        for (std::size_t w = 0; option != nullptr && w < option->performances.size(); ++w) {
            least = std::max(least, option->performances[w].basis);
        }
    }
    return least;
}

// What a price depends on is not known of one of its pools.
bool has_unknown_price(const Entry& entry, const RankQuestion& question) {
    const auto is_doubtful = [&](const Option* option) {
        return option != nullptr && option->pool.kind == PoolKind::api &&
               std::ranges::any_of(question.work.workloads, [&](const Workload& workload) {
                   const HostedModel& model = hosted(option->pool);
                   return !price_doubts(model, workload, tier_of(workload, {}, model)).empty();
               });
    };
    return is_doubtful(entry.option) || is_doubtful(entry.burst);
}

// A way whose price is not known is not the first where there is another.
void put_known_prices_first(std::vector<Entry>& entries, const RankQuestion& question) {
    const auto known = std::ranges::find_if_not(entries, [&](const Entry& entry) { return has_unknown_price(entry, question); });
    if (known != entries.end()) {
        std::rotate(entries.begin(), known, std::next(known));
    }
}

// A way whose rate is assumed is not the first where one that is known better costs no more than the assumption may be off by.
void put_known_first(std::vector<Entry>& entries) {
    if (entries.empty() || evidence_of(entries.front()) != Evidence::assumed) {
        return;
    }
    const double within = std::exp(kNormalP90 * kRateSigmas[static_cast<std::size_t>(Evidence::assumed)]);
    const double limit = entries.front().figure * within;
    const auto known = std::ranges::find_if(
        entries, [&](const Entry& entry) { return evidence_of(entry) != Evidence::assumed && entry.figure <= limit; });
    if (known != entries.end()) {
        std::rotate(entries.begin(), known, std::next(known));
    }
}

// 2,614 as 2,600: it is of samples.
double two_digits(double value) {
    const double unit = std::pow(10.0, std::floor(std::log10(value)) - 1);
    return std::round(value / unit) * unit;
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
        const bool is_money = ranking.decide_by != Objective::energy_kwh && ranking.decide_by != Objective::carbon_kg;
        text += fmt::format("; measuring {} would decide most, worth {:.6g} {} in the mean", rate.measurement,
                            two_digits(rate.value), is_money ? currency : std::string(name_of(ranking.decide_by)));
    } else {
        text += "; no single rate would tell them apart";
    }
    return text;
}

class Ranker {
public:
    Ranker(const RankQuestion& question, const Catalog& catalog, Fitting& fitting, const Assumed& assumed, const Runner& runner)
        : question_(question), fitting_(fitting), runner_(runner), assumed_(assumed), objective_(decide_by(question.work.finance)),
          options_(options_of(question, catalog, fitting, excluded_, assumed_)) {
        ranking_.decide_by = objective_;
        ranking_.considered = options_.size() + excluded_.total();
        for (std::size_t w = 0; w < std::max<std::size_t>(1, runner.workers); ++w) {
            sizings_.emplace_back(question);
        }
    }

    Ranking rank() {
        std::vector<Entry> entries(options_.size());
        const bool ran = runner_.run(
            options_.size(), [&](std::size_t worker, std::size_t i) { entries[i] = size_alone(sizings_[worker], options_[i]); });
        if (ran) {
            const std::vector<Entry> bursts = drop_excluded(entries);
            std::sort(entries.begin(), entries.end(), comes_before);
            add_hybrids(entries, bursts);
            keep_included(entries);
            std::sort(entries.begin(), entries.end(), comes_before);
            put_known_first(entries);
            put_known_prices_first(entries, question_);
            make_plans(entries);
            if (question_.samples && !entries.empty()) {
                find_probabilities(entries);
            }
        }
        for (const Sizing& sizing : sizings_) {
            ranking_.evaluated += sizing.evaluated;
        }
        ranking_.excluded = excluded_.take();
        assumed_.engineer_week = assumed_.engineer_week && assumed_.porting;
        ranking_.assumptions = lines_of(assumed_);
        if (ranking_.plans.empty()) {
            ranking_.nearest = fitting_.nearest();
        }
        return std::move(ranking_);
    }

private:
    // Gives those that may burst, best first.
    std::vector<Entry> drop_excluded(std::vector<Entry>& entries) {
        std::vector<Entry> bursts;
        for (const Entry& entry : entries) {
            if (!entry.reason.empty()) {
                excluded_.add(entry.reason, entry.name());
            }
            if (entry.may_burst() && !entry.option->is_fixed) {
                bursts.push_back(entry);
            }
        }
        std::erase_if(entries, [](const Entry& entry) { return !entry.reason.empty(); });
        std::sort(bursts.begin(), bursts.end(), comes_before);
        return bursts;
    }

    [[nodiscard]] bool includes(Way way) const {
        return question_.include.empty() ||
               std::find(question_.include.begin(), question_.include.end(), way) != question_.include.end();
    }

    // The best ways with `is_side` of each purchase and of hosts, one of a device and purchase, or of a host: what may not serve
    // alone, such as spot, takes no place of what may.
    template <class IsSide> static std::vector<const Entry*> best_of(const std::vector<Entry>& entries, const IsSide& is_side) {
        std::vector<const Entry*> best;
        std::set<std::string> seen;
        std::map<std::string_view, std::size_t> of_kind;
        for (const Entry& entry : entries) {
            const Pool& pool = entry.option->pool;
            const std::string like =
                pool.offer ? fmt::format("{} {}", pool.offer->device.id, name_of(pool.offer->purchase)) : entry.option->pool.id;
            std::size_t& count = of_kind[pool.offer ? name_of(pool.offer->purchase) : name_of(pool.kind)];
            if (count < kHybridSide && is_side(*entry.option) && seen.insert(like).second) {
                best.push_back(&entry);
                ++count;
            }
        }
        return best;
    }

    void add_hybrids(std::vector<Entry>& entries, const std::vector<Entry>& single_bursts) {
        if (!includes(Way::hybrid)) {
            return;
        }
        const auto bases = best_of(entries, [](const Option& option) { return option.is_fixed && !option.is_staged; });
        const auto bursts = best_of(single_bursts, [](const Option& option) { return !option.is_fixed; });
        std::vector<Entry> hybrids(bases.size() * bursts.size());
        const bool ran = runner_.run(hybrids.size(), [&](std::size_t worker, std::size_t i) {
            hybrids[i] = size_hybrid(sizings_[worker], *bases[i / bursts.size()], *bursts[i % bursts.size()]);
        });
        if (!ran) {
            return;
        }
        ranking_.considered += hybrids.size();
        for (Entry& hybrid : hybrids) {
            if (hybrid.reason.empty()) {
                entries.push_back(std::move(hybrid));
            } else {
                excluded_.add(hybrid.reason, hybrid.name());
            }
        }
    }

    // Hybrids may be asked for without the ways that they are made of.
    void keep_included(std::vector<Entry>& entries) const {
        std::erase_if(entries, [&](const Entry& entry) { return !includes(entry.way()); });
    }

    SizedPlan whole(const Entry& entry) {
        return entry.burst != nullptr
                   ? sizings_.front().combine(*entry.option, entry.units, *entry.burst, entry.burst_units, entry.spares)
                   : sizings_.front().size(*entry.option);
    }

    void make_plans(const std::vector<Entry>& entries) {
        const std::size_t count = std::min(question_.top, entries.size());
        std::vector<Drivers> drivers;
        for (std::size_t i = 0; i < std::min(entries.size(), std::max<std::size_t>(2, count)); ++i) {
            SizedPlan plan = whole(entries[i]);
            Variant variant(plan.scenario);
            if (const Result<const Evaluation*> evaluated = variant.evaluate()) {
                drivers.push_back(drivers_of(**evaluated, objective_));
            }
            if (i < count) {
                plan.scenario.name = entries[i].name();
                ranking_.plans.push_back({std::move(plan.scenario), std::move(plan.summary), entries[i].figure, "", {}, {}});
            }
        }
        for (std::size_t i = 0; i < count; ++i) {
            ScenarioPlan& plan = ranking_.plans[i];
            const std::size_t other = i == 0 ? 1 : 0;
            if (other < drivers.size()) {
                plan.why = bridge(drivers[other], drivers[i], question_.work.currency).why;
            }
            if (i > 0 && plan.decisive < ranking_.plans.front().decisive) {
                plan.why = "behind, as its rate is assumed; " + plan.why;
            }
            if (i > 0) {
                plan.wins_at = wins_at(plan, entries.front().figure);
            }
        }
    }

    void find_probabilities(const std::vector<Entry>& entries) {
        std::vector<const Entry*> running;
        for (const std::size_t e : entries_in_running(entries, question_.top)) {
            running.push_back(&entries[e]);
        }
        std::optional<SampledEntries> sampled = sample_entries(question_, running, ranking_.plans, runner_);
        if (!sampled) {
            return;
        }
        ranking_.evaluated += sampled->evaluated;
        RankUncertainty& uncertainty = ranking_.uncertainty.emplace();
        uncertainty.in_running = running.size();
        uncertainty.probability_none = sampled->none;
        ranking_.would_decide = std::move(sampled->worth_measuring);
        for (std::size_t r = 0; r < running.size(); ++r) { // the first ones are the plans, in their order
            if (r < ranking_.plans.size()) {
                ranking_.plans[r].chances = sampled->chances[r];
            } else {
                uncertainty.probability_others += sampled->chances[r].best;
            }
        }
        ranking_.level = level_text(ranking_, question_.work.currency);
    }

    // The price of its first pool at which it equals the first plan: what decides is linear in a price.
    [[nodiscard]] std::optional<WinsAt> wins_at(const ScenarioPlan& plan, double least) const {
        const Pool& pool = plan.scenario.pools.front();
        const std::string pointer = pool.kind == PoolKind::cloud   ? "/pools/0/offer/hourly_price"
                                    : pool.kind == PoolKind::owned ? "/pools/0/server/price"
                                                                   : "/pools/0/discount_fraction";
        Variant variant(plan.scenario);
        const Result<std::size_t> input = variant.bind(pointer, "");
        const double base = input ? variant.input(*input).base.value_or(0.0) : 0.0;
        const double moved = pool.kind == PoolKind::api ? 1.0 : base / 2; // all off, or half of it
        if (!input || variant.set(*input, moved, "")) {
            return std::nullopt;
        }
        const auto evaluated = variant.evaluate();
        const std::optional<double> figure = evaluated ? figure_of((*evaluated)->summary, objective_) : std::nullopt;
        if (!figure || *figure == plan.decisive) {
            return std::nullopt;
        }
        const double value = base + (moved - base) * (plan.decisive - least) / (plan.decisive - *figure);
        const bool is_possible = pool.kind == PoolKind::api ? value <= 1.0 : value >= 0.0;
        const bool is_curve = variant.input(*input).unit == "factor";
        const double scale = is_curve && pool.offer ? pool.offer->hourly_price.curve->y.back() : 1.0;
        return is_possible ? std::optional(WinsAt{pointer, value * scale}) : std::nullopt;
    }

    const RankQuestion& question_;
    const Fitting& fitting_;
    const Runner& runner_;
    Assumed assumed_;
    Objective objective_;
    Exclusions excluded_;
    std::vector<Option> options_;
    std::vector<Sizing> sizings_;
    Ranking ranking_;
};

// A workload must name a model that something is known of.
Failure unknown_models(const RankQuestion& question, const Fitting& fitting) {
    Failure issues;
    for (std::size_t w = 0; w < question.work.workloads.size(); ++w) {
        const std::string& model = question.work.workloads[w].model;
        const std::string at = fmt::format("/workloads/{}/model", w);
        if (model.empty()) {
            issues.push_back({at, Code::missing, "give the model that it runs, such as llama-3.1-70b"});
        } else if (!fitting.knows(model)) {
            const std::vector<std::string> near = fitting.near(model);
            issues.push_back({at, Code::unknown_reference,
                              fmt::format("nothing is known of {}{}; a document at /v1/models with its parameters, layers, "
                                          "weight_bytes and kv_bytes_per_token makes estimates possible, an endpoint or a "
                                          "performance that names it more",
                                          model, near.empty() ? "" : fmt::format("; near it are {}", fmt::join(near, ", ")))});
        }
    }
    return issues;
}

// In the currency of the work. Without a rate of the dollar what dollars buy is left out, and so is the week.
void assume_engineer_week(RankQuestion& question, Assumed& assumed) {
    Finance& finance = question.work.finance;
    if (!question.porting.assumes || finance.engineer_week_cost != 0.0) {
        return;
    }
    const auto rate = question.work.exchange_rates.find("USD");
    const bool is_dollars = question.work.currency == "USD";
    if (is_dollars || rate != question.work.exchange_rates.end()) {
        finance.engineer_week_cost = kEngineerWeekUsd * (is_dollars ? 1.0 : rate->second);
        assumed.engineer_week = true;
    }
}

} // namespace

Result<Ranking> rank(const RankQuestion& question, const Catalog& catalog, const Runner& runner) {
    Fitting fitting(catalog);
    if (Failure issues = unknown_models(question, fitting); !issues.empty()) {
        return tl::unexpected(std::move(issues));
    }
    RankQuestion filled = question;
    Assumed assumed = question.assumed;
    for (Workload& workload : filled.work.workloads) {
        if (workload.kind == WorkloadKind::inference && !workload.availability) {
            workload.availability = question.outages.availability;
        }
        filled.outages.spares = std::max(filled.outages.spares, workload.spare_replicas);
        if (question.outages.assumes) {
            assume_restart(workload, assumed);
        }
    }
    assume_engineer_week(filled, assumed);
    return Ranker(filled, catalog, fitting, assumed, runner).rank();
}

} // namespace costcurve::model
