// Makes a question of each half and sizes its ways like any other. A pair combines a way of each half.
#include "model/questions/mix/pair_ways.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "model/pairs/pair_work.hpp"
#include "model/performance/classes.hpp"
#include "model/questions/mix/mix_ways.hpp"
#include "model/scenario.hpp"

namespace costcurve::model {

namespace {

constexpr std::size_t kHalfOffers = 2; // per region and purchase
constexpr std::size_t kMaxPairs = 3;
constexpr double kBelow = 1 - 1e-9;

struct HalfWay {
    Option option;
    std::string place;
    double rent = 0.0; ///< per hour for the peak, up to a factor common to all ways
    Entry entry{};
};
struct Half {
    RankQuestion question;
    std::vector<HalfWay> ways;
};

// The workload with a prefill and a decode phase, not yet assigned to pools.
Workload in_phases(const Workload& workload, double bytes_per_token) {
    Workload pair = workload;
    pair.runs_on.assign(2, {});
    pair.runs_on[0].phase = Phase::prefill;
    pair.runs_on[0].cache_bytes_per_token = bytes_per_token;
    pair.runs_on[1].phase = Phase::decode;
    return pair;
}

Workload half_of(const Workload& pair, std::size_t place) {
    Workload half = work_of_entry(pair, place, {});
    if (place == 0 && half.slo.ttft_s) { // less the transfer over the link that is assumed if devices state none
        const double gb = *pair.runs_on[0].cache_bytes_per_token * prompt_of(mean_request(pair)) / 1e9;
        half.slo.ttft_s = *half.slo.ttft_s - gb / kAssumedLinkGb;
    }
    half.runs_on.clear();
    return half;
}

// Rent per hour and unit of work per second, at the last known price; infinite if the way does not keep the objectives.
double rent_of(const HalfWay& way, const Workload& half) {
    const double usable = usable_units_per_s(way.option.performances.front(), half, way.option.pool);
    const Offer& offer = *way.option.pool.offer;
    constexpr double kHoursOfMonth = 730.5;
    const double hourly = offer.hourly_price.curve ? offer.hourly_price.curve->y.back() : offer.hourly_price.number;
    const double term_hours = offer.term_days ? *offer.term_days * 24.0 : offer.term_months.value_or(1) * kHoursOfMonth;
    const double upfront = offer.upfront / term_hours;
    return usable > 0.0 ? (hourly + upfront) / usable : std::numeric_limits<double>::infinity();
}

bool may_be_half(const Option& option) {
    return option.way == Way::cloud && option.performances.size() == 1 && option.performances.front().id.starts_with("rate.") &&
           !option.pool.offer->region.empty();
}

// Finds the ways of a half with the lowest rent for each region and purchase.
void find_ways(const RankQuestion& question, const Catalog& catalog, Half& half) {
    half.question.include = {Way::cloud};
    half.question.in_each_region = true;
    Fitting fitting(catalog, question.limits.precision);
    Exclusions excluded;
    Assumed assumed;
    std::map<std::string, std::vector<HalfWay>> by_place;
    for (Option& option : options_of(half.question, catalog, fitting, excluded, assumed)) {
        if (may_be_half(option)) {
            Evidence& basis = option.performances.front().basis;
            basis = std::max(basis, Evidence::estimated); // no such replica was measured
            const Offer& offer = *option.pool.offer;
            HalfWay way{std::move(option), fmt::format("{}\n{}", offer.provider, offer.region)};
            way.rent = rent_of(way, half.question.work.workloads.front());
            by_place[fmt::format("{}\n{}", way.place, name_of(way.option.pool.offer->purchase))].push_back(std::move(way));
        }
    }
    for (auto& [place, ways] : by_place) {
        std::ranges::stable_sort(ways, {}, &HalfWay::rent);
        for (std::size_t i = 0; i < std::min(kHalfOffers, ways.size()); ++i) {
            half.ways.push_back(std::move(ways[i]));
        }
    }
}

bool size_ways(std::vector<Half>& halves, const Runner& runner, std::size_t& evaluated) {
    const std::size_t first = halves[0].ways.size();
    const std::size_t count = first + halves[1].ways.size();
    std::vector<std::size_t> counts(std::max<std::size_t>(1, runner.workers), 0);
    std::vector<Trial> trials(counts.size());
    const bool ran = runner.run(count, [&](std::size_t worker, std::size_t i) {
        Half& half = i < first ? halves[0] : halves[1];
        HalfWay& way = half.ways[i < first ? i : i - first];
        Sizing sizing(half.question, Sizing::Keep::figures);
        sizing.make({&way.option}, trials[worker]);
        way.entry = size_alone(sizing, trials[worker]);
        counts[worker] += sizing.evaluated;
    });
    evaluated += std::accumulate(counts.begin(), counts.end(), std::size_t{0});
    return ran;
}

const std::string& device_name(const HalfWay& way) { return device_of(way.option.pool)->id; }

// The lowest figure of a single pool of either device; infinite if there is none.
double best_of_devices(const std::vector<Entry>& entries, const HalfWay& a, const HalfWay& b) {
    double least = std::numeric_limits<double>::infinity();
    for (const Entry& entry : entries) {
        const Device* const device = entry.mix == nullptr && entry.burst == nullptr ? device_of(entry.option->pool) : nullptr;
        if (device != nullptr && (device->id == device_name(a) || device->id == device_name(b))) {
            least = std::min(least, entry.figure);
        }
    }
    return least;
}

std::unique_ptr<Mix> pair_of(const std::vector<Half>& halves, const HalfWay& prompts, const HalfWay& answers,
                             const Workload& in_both) {
    auto pair = std::make_unique<Mix>();
    pair->divided = in_both;
    pair->name = fmt::format("prompts: {} + answers: {}", prompts.option.name, answers.option.name);
    for (std::size_t h = 0; h < 2; ++h) {
        const HalfWay& way = h == 0 ? prompts : answers;
        pair->groups.push_back({halves[h].question, way.option, {}, way.entry.figure});
        pair->latency_is_known = pair->latency_is_known && way.entry.latency_is_known;
        pair->hosts_are_known = pair->hosts_are_known && way.entry.hosts_are_known;
    }
    return pair;
}

struct PairCandidate {
    double figure;
    const HalfWay* prompts;
    const HalfWay* answers;
};
std::vector<PairCandidate> pairs_of_ways(const std::vector<Half>& halves, const std::vector<Entry>& entries) {
    std::vector<PairCandidate> candidates;
    for (const HalfWay& prompts : halves[0].ways) {
        for (const HalfWay& answers : halves[1].ways) {
            const double figure = prompts.entry.figure + answers.entry.figure;
            if (prompts.place == answers.place && prompts.entry.reason.empty() && answers.entry.reason.empty() &&
                figure < best_of_devices(entries, prompts, answers) * kBelow) {
                candidates.push_back({figure, &prompts, &answers});
            }
        }
    }
    std::ranges::stable_sort(candidates, {}, &PairCandidate::figure);
    return candidates;
}

} // namespace

bool may_pair(const RankQuestion& question) {
    const std::vector<Workload>& workloads = question.work.workloads;
    if (workloads.size() != 1 || workloads.front().kind != WorkloadKind::inference ||
        !(question.include.empty() || std::ranges::find(question.include, Way::pair) != question.include.end())) {
        return false;
    }
    const UnitsPerRequest mean = mean_request(workloads.front());
    const Slo& slo = workloads.front().slo;
    return mean.split && prompt_of(mean) > 0.0 && mean.output + mean.reasoning > 1.0 &&
           (!slo.e2e_s || (slo.ttft_s && *slo.ttft_s < *slo.e2e_s));
}

PairsFound find_pairs(const RankQuestion& question, const Catalog& catalog, const std::vector<Entry>& entries,
                      const Runner& runner) {
    PairsFound found;
    const Workload& workload = question.work.workloads.front();
    const auto model = std::ranges::find(catalog.models, workload.model, &Model::id);
    if (model == catalog.models.end()) {
        return found;
    }
    const Workload in_both = in_phases(workload, cache_bytes_per_token(*model, workload, {}));
    std::vector<Half> halves(2, {question, {}});
    for (std::size_t h = 0; h < halves.size(); ++h) {
        halves[h].question.work.workloads = {half_of(in_both, h)};
        const Slo& slo = halves[h].question.work.workloads.front().slo;
        if (slo.ttft_s && *slo.ttft_s <= 0.0) {
            return found;
        }
    }
    const bool ran =
        runner.run(halves.size(), [&](std::size_t /*worker*/, std::size_t h) { find_ways(question, catalog, halves[h]); });
    if (!ran || !size_ways(halves, runner, found.evaluated)) {
        return found;
    }
    std::set<std::pair<std::string, std::string>> devices;
    for (const PairCandidate& candidate : pairs_of_ways(halves, entries)) {
        const auto of = std::pair(device_name(*candidate.prompts), device_name(*candidate.answers));
        if (found.pairs.size() == kMaxPairs || devices.contains(of)) {
            continue;
        }
        std::unique_ptr<Mix> pair = pair_of(halves, *candidate.prompts, *candidate.answers, in_both);
        ++found.evaluated;
        if (holds_whole(*pair, question) &&
            pair->figure < best_of_devices(entries, *candidate.prompts, *candidate.answers) * kBelow) {
            devices.insert(of);
            found.pairs.push_back(std::move(pair));
        }
    }
    return found;
}

} // namespace costcurve::model
