// What is not known goes by each entry's own doubts; among known ones an assumed rate gives way within its p90.
#include "model/questions/rank/order.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <iterator>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/hosted/hosted_prices.hpp"
#include "model/performance/device_facts.hpp"
#include "model/performance/doubts.hpp"
#include "model/questions/mix/mix.hpp"
#include "model/questions/rank/probabilities.hpp"
#include "model/scenario.hpp"

namespace costcurve::model {

namespace {

constexpr std::string_view kHostsUnknown = "what its hosts take is not known";
constexpr double kWithHosts = 5.0; // no host takes four times what its devices do: a judgement

// An option of an entry with the work that it does.
struct WorkingOption {
    const Option* option;
    const std::vector<Workload>* workloads;
};
std::vector<WorkingOption> working_options(const Entry& entry, const RankQuestion& question) {
    std::vector<WorkingOption> options;
    if (entry.mix != nullptr) {
        for (const MixGroup& group : entry.mix->groups) {
            options.push_back({&group.option, &group.question.work.workloads});
        }
        return options;
    }
    options.push_back({entry.option, &question.work.workloads});
    if (entry.burst != nullptr) {
        options.push_back({entry.burst, &question.work.workloads});
    }
    return options;
}

// The least of all its rates; of hosted models alone measured, as their prices are what they cost. A server whose price is of no
// day is assumed.
Evidence evidence_of(const Entry& entry, const RankQuestion& question) {
    Evidence least = Evidence::measured;
    for (const auto& [option, workloads] : working_options(entry, question)) {
        for (std::size_t w = 0; w < option->performances.size(); ++w) {
            const Performance& performance = option->performances[w];
            const bool is_doubtful =
                !doubts_of(performance, *device_of(option->pool), (*workloads)[w], devices_per_unit(option->pool)).empty();
            least = std::max(least, is_doubtful ? Evidence::assumed : performance.basis);
        }
        if (option->pool.server && option->pool.server->price_date.text.empty()) {
            least = Evidence::assumed;
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

// Nothing bounds a rate that is stated of a device without a peak or a bandwidth.
bool has_no_ceiling(const Entry& entry, const RankQuestion& question) {
    return std::ranges::any_of(working_options(entry, question), [](const WorkingOption& working) {
        const Device* const device = device_of(working.option->pool);
        return device != nullptr && !step_device(*device, {}, WeightPrecision::bf16);
    });
}

// 2,614 as 2,600: it is of samples.
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

void put_known_first(std::vector<Entry>& entries, const RankQuestion& question) {
    const auto is_known = [&](const Entry& entry) { return unknown_of(entry, question).empty(); };
    auto first = std::ranges::find_if(entries, is_known);
    if (first == entries.end()) {
        first = entries.begin();
    }
    if (first != entries.end() && evidence_of(*first, question) == Evidence::assumed) {
        const double within = std::exp(kNormalP90 * kRateSigmas[static_cast<std::size_t>(Evidence::assumed)]);
        const double limit = first->figure * within;
        const bool knows = is_known(*first);
        const auto better = std::find_if(first, entries.end(), [&](const Entry& entry) {
            return evidence_of(entry, question) != Evidence::assumed && entry.figure <= limit && is_known(entry) == knows;
        });
        first = better != entries.end() ? better : first;
    }
    const auto cleaner = std::find_if(entries.begin(), first, [&](const Entry& entry) {
        return unknown_of(entry, question) == kHostsUnknown && entry.figure * kWithHosts <= first->figure;
    });
    first = cleaner != first ? cleaner : first;
    if (first != entries.end()) {
        std::rotate(entries.begin(), first, std::next(first));
    }
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

} // namespace costcurve::model
