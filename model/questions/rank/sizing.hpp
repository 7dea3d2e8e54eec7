// Finds how many units of an option the work needs, and evaluates the whole scenario at that size.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/evaluate.hpp"
#include "model/questions/rank/options.hpp"

namespace costcurve::model {

/// Months between stages in which servers are bought as demand grows.
inline constexpr int kStageMonths = 12;

/// An option at a size: an evaluated scenario, or the reason why it can't do the work.
struct SizedPlan {
    ScenarioDocument scenario;
    Summary summary;
    int units = 0;                   ///< largest number of servers or instances; 0 for an API
    std::string reason = {};         ///< a code, or the code of the first rule that is broken; "" if it is eligible
    int spares = 0;                  ///< replicas of inference beyond those that the peak needs
    bool latency_is_known = true;    ///< for all inference, if the work states objectives
    bool hosts_are_known = true;     ///< energy includes the hosts' share
    std::optional<RunTime> run = {}; ///< of a training run
};

/// The scenario of one or two options, compiled once; each size sets only its own numbers in it. Refers to the options. Rebuilding
/// it for other options or numbers reuses its table of hours.
struct Trial {
    std::vector<const Option*> options;
    std::optional<Scenario> scenario; ///< nothing if it breaks a rule
    Compiled compiled;
    std::string reason; ///< why no size can be evaluated; "" if sizes can
    bool latency_is_known = true;
    bool hosts_are_known = true;
    std::map<int, int> keeps_from; ///< by spares: cached units that keep the availability
};

/// Evaluates whole scenarios one after another. Not thread-safe.
class Sizing {
public:
    /// What to keep of a plan. plans: everything. figures: no scenario if only its size is new, and only the figures of its
    /// summary.
    enum class Keep { plans, figures };
    Sizing(const RankQuestion& question, Keep keep) : question_(question), keep_(keep) {}

    /// Rebuilds the trial for these options.
    void make(std::vector<const Option*> options, Trial& trial);

    /// A training run on spot that falls back to the same devices on demand as late as possible, with the gang that minimizes the
    /// total cost.
    [[nodiscard]] SizedPlan size_fall_back(const Option& spot, const Option& on_demand);

    /// The fewest units of the trial's only option that do the work; for a staged option, at each stage. Uses a closed form if
    /// demand states its peak, else bisection over evaluations. Has the question's spares, or the fewest above them that limit
    /// losses from outages.
    [[nodiscard]] SizedPlan size(Trial& trial);
    /// A plan with `base_units` of the trial's first option; up to `burst_units` of the second take the rest.
    [[nodiscard]] SizedPlan combine(Trial& both, int base_units, int burst_units, int spares);

    /// Whether the option may serve only as a burst, beside a base that keeps the availability without it.
    [[nodiscard]] bool may_only_burst(const Option& option) const;
    /// The fewest units, up to `most`, of the trial's only option that keep the availability; `most` + 1 if none do.
    [[nodiscard]] int keeps_from(Trial& alone, int most, int spares);

    /// The trial's options at the size in `sized`, which was made of these options, whatever size the work would need.
    [[nodiscard]] SizedPlan at_size(Trial& trial, const ScenarioDocument& sized);

    [[nodiscard]] const RankQuestion& question() const { return question_; }

    std::size_t evaluated = 0;

private:
    [[nodiscard]] ScenarioDocument scenario_of(const std::vector<const Option*>& options, int spares) const;
    [[nodiscard]] bool has_inference() const;
    [[nodiscard]] bool keeps_availability(const Summary& summary) const;
    void sum_up(const Scenario& scenario, const Compiled& compiled, SizedPlan& plan);
    void evaluate(SizedPlan& plan);
    [[nodiscard]] SizedPlan judged(SizedPlan plan) const;
    [[nodiscard]] SizedPlan hosted(Trial& trial);
    void hold_runs(const Trial& trial, SizedPlan& plan) const;
    /// Evaluates the trial at `units` of the first option and, if there are two, `burst_units` of the second.
    [[nodiscard]] SizedPlan with_units(Trial& trial, int units, int spares, int burst_units = 0);
    [[nodiscard]] SizedPlan with_room(Trial& trial, int units);
    /// `best`, or, if outages lose too much of it, the plan sized(spares) with the fewest additional spares that keep the limit, if
    /// any do.
    template <class Sized> [[nodiscard]] SizedPlan with_least_spares(SizedPlan best, const Sized& sized);
    [[nodiscard]] SizedPlan finished(SizedPlan plan, const Option& option) const;
    [[nodiscard]] SizedPlan size_run(const Option& option);
    void take_gangs_of(const std::vector<const Option*>& options, const ScenarioDocument& sized, ScenarioDocument& scenario) const;
    [[nodiscard]] double first_price(const Option& option) const;
    [[nodiscard]] SizedPlan staged(const Option& option, const Compiled& compiled, int spares);

    const RankQuestion& question_;
    Keep keep_;
    std::optional<HourTable> hours_; ///< of the last scenario that was evaluated without a trial
    std::optional<Workspace> workspace_;
};

/// Whether the plan was rejected because some work found no room or missed its deadline.
[[nodiscard]] bool lacks_room(const SizedPlan& plan);

/// The largest share of any workload's demand that outages lose.
[[nodiscard]] double lost_to_outages(const Summary& summary);

} // namespace costcurve::model
