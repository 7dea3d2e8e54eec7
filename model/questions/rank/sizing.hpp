// How many units of a way the work needs, and what the whole scenario then comes to.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/evaluate.hpp"
#include "model/questions/rank/options.hpp"

namespace costcurve::model {

/// Of servers that are bought as demand grows.
inline constexpr int kStageMonths = 12;

/// A way with its size: a whole scenario that was evaluated. Where it can't do the work, why.
struct SizedPlan {
    ScenarioDocument scenario;
    Summary summary;
    int units = 0;                   ///< servers or instances at most; 0 of an API
    std::string reason = {};         ///< a word, or the code of the first rule that it breaks; "" where it is eligible
    int spares = 0;                  ///< replicas of inference beside those that the peak needs
    bool latency_is_known = true;    ///< of all that serves, where the work states objectives
    bool hosts_are_known = true;     ///< what hosts take is in its energy
    std::optional<RunTime> run = {}; ///< of training
};

/// The scenario of one or two options, compiled once: a size sets its own numbers in it. Refers to the options; is made again for
/// others, or the same with other numbers, out of the hours that it has.
struct Trial {
    std::vector<const Option*> options;
    std::optional<Scenario> scenario; ///< nothing where it breaks a rule
    Compiled compiled;
    std::string reason; ///< why it is not evaluated at any size; "" where it is
    bool latency_is_known = true;
    bool hosts_are_known = true;
    std::map<int, int> keeps_from; ///< by spares: units with which it keeps the availability, where that was looked for
};

/// Evaluates whole scenarios one after another. One thread at a time.
class Sizing {
public:
    /// What is kept of a plan: all, or no scenario where its size is all that is new, and of its summary what figures need.
    enum class Keep { plans, figures };
    Sizing(const RankQuestion& question, Keep keep) : question_(question), keep_(keep) {}

    /// The options in the trial, in place of those that are there.
    void make(std::vector<const Option*> options, Trial& trial);

    /// A run on spot that falls back to the same devices on demand as late as it may: the gang for which both together cost the
    /// least.
    [[nodiscard]] SizedPlan size_fall_back(const Option& spot, const Option& on_demand);

    /// The least units of a trial's only option that do the work; of a staged one at each stage. Feasible where demand has a stated
    /// peak; else by bisection over evaluations. With the question's spares, or the least above them that keep what outages may
    /// lose.
    [[nodiscard]] SizedPlan size(Trial& trial);
    /// So many units of a trial's first option, the rest on the second, of which there are up to `burst_units`.
    [[nodiscard]] SizedPlan combine(Trial& both, int base_units, int burst_units, int spares);

    /// Whether it may serve beside another alone, which keeps the availability without it.
    [[nodiscard]] bool may_only_burst(const Option& option) const;
    /// The least units of a trial's only option, up to `most`, with which it keeps the availability; `most` + 1 where none does.
    [[nodiscard]] int keeps_from(Trial& alone, int most, int spares);

    /// A trial's options at the size of a scenario that was made of them, whatever they need.
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
    /// At so many units of the first option, and of the second where there are two.
    [[nodiscard]] SizedPlan with_units(Trial& trial, int units, int spares, int burst_units = 0);
    [[nodiscard]] SizedPlan with_room(Trial& trial, int units);
    /// The plan, or what sized(spares) gives with the least spares above its own that keep what outages may lose, if any do.
    template <class Sized> [[nodiscard]] SizedPlan with_least_spares(SizedPlan best, const Sized& sized);
    [[nodiscard]] SizedPlan finished(SizedPlan plan, const Option& option) const;
    [[nodiscard]] SizedPlan size_run(const Option& option);
    void take_gangs_of(const std::vector<const Option*>& options, const ScenarioDocument& sized, ScenarioDocument& scenario) const;
    [[nodiscard]] double first_price(const Option& option) const;
    [[nodiscard]] SizedPlan staged(const Option& option, const Compiled& compiled, int spares);

    const RankQuestion& question_;
    Keep keep_;
    std::optional<HourTable> hours_; ///< of the last scenario that was no trial
    std::optional<Workspace> workspace_;
};

/// Whether work found no room.
[[nodiscard]] bool lacks_room(const SizedPlan& plan);

/// The largest share of a workload's demand that outages take.
[[nodiscard]] double lost_to_outages(const Summary& summary);

} // namespace costcurve::model
