// How many units of a way the work needs, and what the whole scenario then comes to.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/compile.hpp"
#include "model/questions/rank/options.hpp"

namespace costcurve::model {

/// Of servers that are bought as demand grows.
inline constexpr int kStageMonths = 12;

/// A way with its size: a whole scenario that was evaluated. Where it can't do the work, why.
struct SizedPlan {
    ScenarioDocument scenario;
    Summary summary;
    int units = 0;           ///< servers or instances at most; 0 of an API
    std::string reason = {}; ///< a word, or the code of the first rule that it breaks; "" where it is eligible
    int spares = 0;          ///< replicas of inference beside those that the peak needs
};

/// Evaluates whole scenarios one after another. One thread at a time.
class Sizing {
public:
    explicit Sizing(const RankQuestion& question) : question_(question) {}

    /// The least units that do the work; of a staged one at each stage. Feasible where demand has a stated peak; else by bisection
    /// over evaluations. With the question's spares, or the least above them that keep what outages may lose.
    [[nodiscard]] SizedPlan size(const Option& option);
    /// `base` units of one way, the rest on the other, of which there are up to `burst` units.
    [[nodiscard]] SizedPlan combine(const Option& base, int base_units, const Option& burst, int burst_units, int spares);

    /// The options at the size of a scenario that was made of them, whatever they need.
    [[nodiscard]] SizedPlan at_size(const std::vector<const Option*>& options, const ScenarioDocument& sized);

    [[nodiscard]] const RankQuestion& question() const { return question_; }

    std::size_t evaluated = 0;

private:
    [[nodiscard]] ScenarioDocument scenario_of(const std::vector<const Option*>& options, int spares) const;
    [[nodiscard]] bool has_inference() const;
    [[nodiscard]] bool may_only_burst(const Option& option) const;
    [[nodiscard]] bool keeps_availability(const Summary& summary) const;
    [[nodiscard]] Compiled compile_next(const Scenario& scenario);
    void evaluate(SizedPlan& plan);
    [[nodiscard]] SizedPlan judged(SizedPlan plan) const;
    [[nodiscard]] SizedPlan with_units(const Option& option, int units, int spares);
    [[nodiscard]] SizedPlan with_room(const Option& option, int units);
    /// The plan, or what sized(spares) gives with the least spares above its own that keep what outages may lose, if any do.
    template <class Sized> [[nodiscard]] SizedPlan with_least_spares(SizedPlan best, const Sized& sized);
    [[nodiscard]] SizedPlan finished(SizedPlan plan, const Option& option) const;
    [[nodiscard]] SizedPlan staged(const Option& option, const Compiled& compiled, int spares);

    const RankQuestion& question_;
    std::optional<HourTable> hours_; ///< of the last scenario
};

/// The largest share of a workload's demand that outages take.
[[nodiscard]] double lost_to_outages(const Summary& summary);

/// Units of work a second at a workload's highest hour of the months up to `month`.
[[nodiscard]] double peak_units_per_s(const Workload& workload, int month);

/// Sets how many units a pool has: servers bought at once, or instances, all of them paid for where it is fixed.
void set_units(Pool& pool, int units, bool is_fixed);

} // namespace costcurve::model
