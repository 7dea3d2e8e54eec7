// From workloads to plans: sizes every way that a catalogue offers, evaluates it as a whole scenario and ranks it (model.md,
// section 9).
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

/// What can be rented, bought or called, and what is known of performance there: complete documents, without references.
struct Catalog {
    std::vector<Offer> offers;
    std::vector<Server> servers;
    std::vector<Site> sites;
    std::vector<Performance> performances;
    std::vector<Model> models;
    std::vector<Endpoint> endpoints;
    std::shared_ptr<const Rates> rates;                  ///< null: estimates from the models alone, without measurements
    std::shared_ptr<const TrainingRates> training_rates; ///< null: no option can train
};

/// The ways that plans may take. A hybrid has a base that is always paid for, and a burst that is paid for as it is used. A market
/// level is a price at which nobody sells; it is considered only if the request includes it. A mix divides requests by size over
/// rented and owned devices. A pair reads prompts on one device and writes answers on another.
/// devices that are rented and owned, a pair reads prompts on one and writes answers on another.
enum class Way { cloud, owned, api, hybrid, market, mix, pair };
template <>
inline constexpr auto enum_names<Way> = std::to_array<std::string_view>({"cloud", "owned", "api", "hybrid", "market", "mix",
                                                                         "pair"});

/// Limits on which part of the catalogue is considered. An empty list is no limit.
struct RankLimits {
    std::vector<std::string> providers;
    std::vector<std::string> regions;
    std::vector<Purchase> purchases;
    std::vector<DeviceKind> kinds;
    std::vector<std::string> devices;      ///< ids
    std::vector<std::string> sites;        ///< ids of sites to own servers at; empty: those that state the cost of space
    Evidence evidence = Evidence::assumed; ///< the weakest evidence that is accepted
    std::optional<NumberFormat> precision; ///< the lowest precision of the weights; nothing: as the model was published
    double max_price_age_days = 730;       ///< days from the last dated price to the start
};

/// Reserve of plans against outages of their hosts.
struct RankOutages {
    int spares = 0;                     ///< replicas beyond those of the peak; more if availability needs them
    std::optional<double> availability; ///< for workloads that state none
    SpotUse spot = SpotUse::all;
    bool assumes = false; ///< fills in unstated failures with the defaults of assumptions.hpp; else nothing fails
};

/// Demand shape and latency objectives for inference workloads that state none.
struct RankService {
    std::optional<ServiceShape> shape; ///< of demand; nothing: constant
    bool assumes_objectives = false;   ///< with the defaults of assumptions.hpp; else no objectives
};

/// Cost of porting work to devices.
struct RankPorting {
    bool assumes = false;           ///< engineer-weeks with the defaults of assumptions.hpp; else zero
    std::vector<DeviceKind> ported; ///< kinds of device on which the work runs already
};

struct RankQuestion {
    /// A scenario without pools: horizon, currency, finance, and workloads without assignments.
    ScenarioDocument work;
    std::map<std::string, double> discounts; ///< fraction off the list prices, by provider
    RankLimits limits;
    std::vector<Way> include; ///< empty: all but market
    std::size_t top = 10;
    std::optional<std::size_t> samples; ///< to estimate how likely each plan is the best; nothing: no sampling
    std::uint64_t seed = 0;
    bool ignore_unserved = false;
    RankOutages outages;
    RankPorting porting;
    RankService service;
    bool admits_unknown_latency = false; ///< ranks such ways too, but not first if another is known to keep the objectives
    Assumed assumed;                     ///< defaults used while the request was read
    std::optional<double> stored_copies; ///< of the model's weights at the seller, per workload without stored_gb
    bool in_each_region = false;         ///< also considers offers that differ from cheaper ones in region alone
};

/// The ways that were left out for one reason.
struct Exclusion {
    std::string reason; ///< a code of api.md, or the code of the rule that is broken
    std::size_t count = 0;
    std::vector<std::string> examples;    ///< the first ones
    std::optional<std::string> note = {}; ///< in words: the limit that was exceeded
};

/// The cost of each workload in a plan for several.
struct WorkloadShare {
    std::string workload;       ///< id
    double cost = 0.0;          ///< its part of the bill, by the devices that it holds
    std::optional<double> adds; ///< to the deciding figure: the plan's, less that of its ways sized again without this workload
    std::optional<double> days; ///< of a training run
};

/// The value of an input at which a plan would equal the first plan.
struct WinsAt {
    std::string pointer; ///< into the plan's scenario
    double value = 0.0;
    std::string currency = {}; ///< of the price; may differ from the answer's; "" for a discount
};

/// Results of a plan over samples of uncertain demand, rates and prices, sized again in each. Figures count only samples in which
/// the plan can do the work.
struct PlanChances {
    double best = 0.0;          ///< share of samples in which it is the best; equal plans share a sample
    double feasible = 0.0;      ///< share of samples in which its own size does all the work
    std::optional<double> low;  ///< p10 of the deciding figure; nothing if no size does the work in any sample
    std::optional<double> high; ///< p90
    bool tied = false;          ///< with the first: the p10 to p90 interval of their difference includes 0
};

struct ScenarioPlan {
    ScenarioDocument scenario; ///< complete, without references
    Summary summary;
    double decisive = 0.0; ///< the figure by which plans are ranked
    std::string why;       ///< compared with the first plan; for the first, with the next
    std::optional<WinsAt> wins_at;
    std::optional<PlanChances> chances;                    ///< if samples are drawn
    std::vector<std::optional<RateFacts>> rate_facts = {}; ///< by pool, then workload, as far as known
    std::optional<RunTime> run = {};                       ///< of a training run
    std::vector<WorkloadShare> shares = {};                ///< of several workloads
    bool context_is_unknown = false;                       ///< requests are long, and a hosted model's context is not stated
    bool is_by_size = false;                               ///< its workloads are parts of one workload, by request size
};

/// A rate whose measurement would help to choose between tied plans.
struct WorthMeasuring {
    std::string measurement; ///< "llama-3.1-70b on mi300x"
    double value = 0.0;      ///< in units of the deciding figure: mean saving over the samples from choosing by the true rate
};

/// Summary of the samples behind the plans' probabilities.
struct RankUncertainty {
    std::size_t in_running = 0;      ///< plans compared in every sample
    double probability_others = 0.0; ///< that the best plan is an unlisted one
    double probability_none = 0.0;   ///< that no plan can do the work
};

/// The device that comes nearest to a workload's latency objectives if no replica keeps them, and the latency there.
struct NearestDevice : NearMiss {
    std::string workload; ///< ids
    std::string device;
};

/// The way that comes nearest if no gang ends a training run in time often enough.
struct NearestRun {
    std::string name; ///< of the way
    std::string device;
    double devices = 0.0;
    double days = 0.0;
    double days_p90 = 0.0;
    double probability_in_time = 0.0;
};

/// A workload's first plan if it is ranked by itself.
struct PlanApart {
    std::string workload; ///< id
    std::string name;     ///< of the plan
    double decisive = 0.0;
};

/// A hosted model with the same architecture as a workload's model, which nobody hosts. It is not part of this ranking's plans.
struct OtherCheckpoint {
    std::string workload; ///< ids
    std::string model;
    std::size_t hosts = 0; ///< number of endpoints
};

/// Outcome of dividing requests by size: a mix is listed, none is cheaper, or some requests can't be served.
enum class MixOutcome { listed, no_cheaper, no_way };
template <> inline constexpr auto enum_names<MixOutcome> = std::to_array<std::string_view>({"listed", "no_cheaper", "no_way"});

/// A bucket of a workload's token_mix, or all its requests, with the number of offers, servers and hosted models of the catalogue
/// that keep the bucket's objectives by themselves.
struct MixBucket {
    std::string workload;   ///< id
    std::size_t bucket = 0; ///< index in token_mix; 0 without one
    double share = 0.0;     ///< of the workload's requests
    std::size_t ways = 0;
    std::string reason; ///< if there are none: why the nearest one fails; else ""
};

/// The division of requests by workload and size: a plan that costs less than any single way of devices, or why there is none.
struct MixReport {
    MixOutcome outcome = MixOutcome::no_way;
    std::optional<double> gap_fraction; ///< of the integer programme, relative; nothing without a solution, or if a plan costs less
    /// Cost of the same groups all on the best one of the division's devices, if the division costs less than any single way. The
    /// division costs less than that as well. The rest of its saving comes from sorting requests by size alone.
    std::optional<double> on_one_device;
    std::vector<MixBucket> buckets;
};

struct Ranking {
    std::size_t considered = 0;      ///< ways considered: ranked and excluded
    std::size_t ranked = 0;          ///< plans; `plans` holds the first of them
    std::size_t evaluated = 0;       ///< scenarios evaluated
    std::vector<Exclusion> excluded; ///< by descending count
    std::vector<ScenarioPlan> plans; ///< the first `top`
    std::vector<Assumption> assumptions;
    Objective decide_by = Objective::cost;
    std::optional<RankUncertainty> uncertainty; ///< if there are samples and plans
    std::vector<WorthMeasuring> would_decide;   ///< for tied plans, by descending value
    std::string level; ///< in words: cheaper plans with unknowns, tied plans, and the benchmark that would separate them;
                       ///< "" if the first plan leads clearly
    std::vector<PlanApart> apart; ///< of several workloads, if each has a plan by itself: separate pools may cost less
    std::optional<NearestRun> nearest_run;
    std::vector<OtherCheckpoint> other_checkpoints; ///< for each workload that `nearest` names first
    std::optional<NearestDevice> nearest;           ///< if no plan is known to keep the latency objectives because no device does
    std::optional<MixReport> mix;                   ///< for several workloads, or one inference workload with several buckets
};

/// Eligible plans with a known figure that are known to keep the stated latency objectives, ascending by that figure. Ties stay in
/// the order cloud, owned, api, hybrid, then by name. A plan with an uncertain price, or that may miss assumed objectives, isn't
/// first if another is known to. If the first plan's rate is assumed, the first plan with better known rates moves ahead if it lies
/// within the assumption's p90. Fails if a workload names no model, or a model for which the catalogue has neither rates nor facts.
[[nodiscard]] Result<Ranking> rank(const RankQuestion& question, const Catalog& catalog, const Runner& runner);

} // namespace costcurve::model
