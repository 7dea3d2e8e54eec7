// From workloads to plans: every way that a catalogue offers, sized, evaluated as a whole scenario and ranked (model.md, section
// 9).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/performance/rated_fit.hpp"
#include "model/performance/rates.hpp"
#include "model/questions/rank/assumptions.hpp"
#include "model/questions/rank/demand_shapes.hpp"
#include "model/questions/rank/training_runs.hpp"
#include "model/questions/runner.hpp"
#include "model/summary.hpp"

namespace costcurve::model {

/// What may be rented, bought and called, and what is known of the work on it: whole documents, without references.
struct Catalog {
    std::vector<Offer> offers;
    std::vector<Server> servers;
    std::vector<Site> sites;
    std::vector<Performance> performances;
    std::vector<Model> models;
    std::vector<Endpoint> endpoints;
    std::shared_ptr<const Rates> rates;                  ///< null: of the models alone, by no measurement
    std::shared_ptr<const TrainingRates> training_rates; ///< null: nothing trains
};

/// The ways that plans may take. A hybrid has a base that is always paid for, and a burst that is paid for as it is used. A level
/// of the market, at which nobody sells, is looked at where it is asked for alone. A mix divides requests by their size over
/// devices that are rented and owned, a pair reads prompts on one and writes answers on another.
enum class Way { cloud, owned, api, hybrid, market, mix, pair };
template <>
inline constexpr auto enum_names<Way> = std::to_array<std::string_view>({"cloud", "owned", "api", "hybrid", "market", "mix",
                                                                         "pair"});

/// What of the catalogue is looked at; an empty list is no limit.
struct RankLimits {
    std::vector<std::string> providers;
    std::vector<std::string> regions;
    std::vector<Purchase> purchases;
    std::vector<DeviceKind> kinds;
    std::vector<std::string> devices;      ///< ids
    std::vector<std::string> sites;        ///< ids, to own at; empty: those that state what room costs
    Evidence evidence = Evidence::assumed; ///< the least
    std::optional<NumberFormat> precision; ///< the least of the weights; nothing: as the model was published
    double max_price_age_days = 730;       ///< of the last dated price before the start
};

/// What plans keep in hand for outages of their hosts.
struct RankOutages {
    int spares = 0;                     ///< replicas beside those of the peak; more where availability needs them
    std::optional<double> availability; ///< of workloads that state none
    SpotUse spot = SpotUse::all;
    bool assumes = false; ///< what of failures is not stated is as assumptions.hpp has it; else nothing fails
};

/// Demand and objectives of latency where workloads of inference state none.
struct RankService {
    std::optional<ServiceShape> shape; ///< of the demand; nothing: as many at every hour
    bool assumes_objectives = false;   ///< as assumptions.hpp has them; else none
};

/// What it costs to bring work to devices.
struct RankPorting {
    bool assumes = false;           ///< weeks as assumptions.hpp has them; else none
    std::vector<DeviceKind> ported; ///< kinds that the work runs on already
};

struct RankQuestion {
    /// All but its pools: horizon, currency, finance, and workloads that run nowhere yet.
    ScenarioDocument work;
    std::map<std::string, double> discounts; ///< fraction off the list prices, by provider
    RankLimits limits;
    std::vector<Way> include; ///< empty: all but market
    std::size_t top = 10;
    std::optional<std::size_t> samples; ///< to say how likely each plan is the best; nothing: it is not looked for
    std::uint64_t seed = 0;
    bool ignore_unserved = false;
    RankOutages outages;
    RankPorting porting;
    RankService service;
    bool admits_unknown_latency = false; ///< beside objectives: such a way is not the first where another is known to keep them
    Assumed assumed;                     ///< in reading it
    std::optional<double> stored_copies; ///< of its model's weights with the seller, of each workload that states no stored_gb
    bool in_each_region = false;         ///< offers that differ from cheaper ones in region alone are looked at, too
};

/// Ways that were left out for one reason.
struct Exclusion {
    std::string reason; ///< a word of api.md, or the code of the rule that they break
    std::size_t count = 0;
    std::vector<std::string> examples;    ///< the first ones
    std::optional<std::string> note = {}; ///< in words: what they were held to
};

/// What each workload of a plan for several costs.
struct WorkloadShare {
    std::string workload;       ///< id
    double cost = 0.0;          ///< its part of the bill, by what it holds
    std::optional<double> adds; ///< to the deciding figure: the plan's less that of the same ways, sized anew, without it
    std::optional<double> days; ///< of a run of training
};

/// What would make a plan that is not the first equal to the first.
struct WinsAt {
    std::string pointer; ///< into the plan's scenario
    double value = 0.0;
    std::string currency = {}; ///< of the price, which may be another than the answer's; "" of a discount
};

/// What samples of uncertain demand, rates and prices make of a plan, sized anew in each; of samples in which it can do the work.
struct PlanChances {
    double best = 0.0;          ///< the share of the samples in which it is the best; ties share one
    double feasible = 0.0;      ///< in which its own size does all the work
    std::optional<double> low;  ///< p10 of the figure that decides; nothing where no size does the work in any sample
    std::optional<double> high; ///< p90
    bool tied = false;          ///< with the first: 0 is within p10 and p90 of its difference to it
};

struct ScenarioPlan {
    ScenarioDocument scenario; ///< complete, without references
    Summary summary;
    double decisive = 0.0; ///< the figure by which plans are ranked
    std::string why;       ///< against the first; of the first, against the next
    std::optional<WinsAt> wins_at;
    std::optional<PlanChances> chances;                    ///< where samples are drawn
    std::vector<std::optional<RateFacts>> rate_facts = {}; ///< by pool, then workload, as far as they are known
    std::optional<RunTime> run = {};                       ///< of training
    std::vector<WorkloadShare> shares = {};                ///< of several workloads
    bool context_is_unknown = false;                       ///< requests are long, and nobody states what a hosted model reads
    bool is_by_size = false;                               ///< its workloads are one's, by size
};

/// A rate whose measurement would help to choose between plans that are level.
struct WorthMeasuring {
    std::string measurement; ///< "llama-3.1-70b on mi300x"
    double value = 0.0;      ///< of the figure that decides: what choosing by the true rate saves in the mean of the samples
};

/// What the probabilities of plans rest on.
struct RankUncertainty {
    std::size_t in_running = 0;      ///< plans that are compared in every sample
    double probability_others = 0.0; ///< that one of them is the best which is not listed
    double probability_none = 0.0;   ///< that none of them can do the work
};

/// Where no replica keeps a workload's objectives: the device that comes nearest, and what requests take on it.
struct NearestDevice : NearMiss {
    std::string workload; ///< ids
    std::string device;
};

/// Where no gang ends a run in time often enough: the way that comes nearest.
struct NearestRun {
    std::string name; ///< of the way
    std::string device;
    double devices = 0.0;
    double days = 0.0;
    double days_p90 = 0.0;
    double probability_in_time = 0.0;
};

/// A workload's first plan where it is ranked without the others.
struct PlanApart {
    std::string workload; ///< its id
    std::string name;     ///< of the plan
    double decisive = 0.0;
};

/// Another model of the architecture of a workload's, which nobody hosts itself: hosts sell it beside no plan of this ranking.
struct OtherCheckpoint {
    std::string workload; ///< ids
    std::string model;
    std::size_t hosts = 0; ///< endpoints
};

/// What became of the division of requests by size.
enum class MixOutcome { listed, no_cheaper, no_way };
template <> inline constexpr auto enum_names<MixOutcome> = std::to_array<std::string_view>({"listed", "no_cheaper", "no_way"});

/// A bucket of a workload's token_mix, or all its requests, and on how many of the catalogue's offers, servers and hosted models
/// it keeps its objectives by itself.
struct MixBucket {
    std::string workload;   ///< id
    std::size_t bucket = 0; ///< its place in token_mix; 0 without one
    double share = 0.0;     ///< of the workload's requests
    std::size_t ways = 0;
    std::string reason; ///< where there is none: what keeps the nearest from it; "" else
};

/// The division of requests by workload and size: a plan that costs less than any single way of devices, or why there is none.
struct MixReport {
    MixOutcome outcome = MixOutcome::no_way;
    std::optional<double>
        gap_fraction; ///< between the programme's cost and its bound; nothing where it has no solution, or a plan costs less
    /// Of a division that costs less than any single way: what the same groups cost all on one of its devices, the best of them. A
    /// mix costs less than that too; the rest of what it saves comes of sorting requests by size alone.
    std::optional<double> on_one_device;
    std::vector<MixBucket> buckets;
};

struct Ranking {
    std::size_t considered = 0;      ///< ways to do the work: ranked and excluded ones
    std::size_t ranked = 0;          ///< plans, of which `plans` are the first
    std::size_t evaluated = 0;       ///< whole scenarios that were evaluated
    std::vector<Exclusion> excluded; ///< by count, descending
    std::vector<ScenarioPlan> plans; ///< the first `top`
    std::vector<Assumption> assumptions;
    Objective decide_by = Objective::cost;
    std::optional<RankUncertainty> uncertainty; ///< where there are samples and plans
    std::vector<WorthMeasuring> would_decide;   ///< between plans that are level, by value, descending
    std::string level; ///< in words: what costs less and is not known, what can't be told apart, and which benchmark would tell;
                       ///< "" where the first leads
    std::vector<PlanApart> apart; ///< of several workloads, where each has a plan by itself: pools of their own may cost less
    std::optional<NearestRun> nearest_run;
    std::vector<OtherCheckpoint> other_checkpoints; ///< of each workload the nearest names first
    std::optional<NearestDevice> nearest;           ///< where no plan is known to keep the objectives of latency, as no device does
    std::optional<MixReport> mix;                   ///< of several workloads, or one of inference with several buckets
};

/// Plans in ascending order of the figure that decides; only those that are eligible, whose figure is known and that are known to
/// keep what objectives the work states. Equal ones stay in the order cloud, owned, api, hybrid, and by name. What is not known to
/// cost what it says, or to keep objectives that were assumed, is not the first where another is; where the rate of the first is
/// assumed, the first of those whose rates are known better comes before it if it is within the p90 of the assumption. Failure: a
/// workload that nothing can be found for, because it names no model or one that the catalogue has neither rates nor facts of.
[[nodiscard]] Result<Ranking> rank(const RankQuestion& question, const Catalog& catalog, const Runner& runner);

} // namespace costcurve::model
