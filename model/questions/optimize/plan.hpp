// Decisions, objective and limits of an optimization, bound to a scenario.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "model/questions/variant.hpp"

namespace costcurve::model {

/// A whole number in the scenario that may vary between two limits.
struct Decide {
    std::string pointer;
    int min = 0;
    int max = 0;
    std::string at = ""; ///< pointer to the decision in the question; if empty, /decide/{i}
};

/// The field that a decision sets. `instances` sets both bounds of a committed pool, which must be equal.
enum class Lever { servers, month, min_instances, max_instances, instances, provisioned_units };

struct Decision {
    std::string pointer;
    Lever lever = Lever::servers;
    std::size_t pool = 0;
    std::size_t purchase = 0;
    int min = 0;
    int max = 0;
};

/// Pointers to the fields that a decision sets: one field, or min_instances and max_instances of a committed pool.
[[nodiscard]] std::vector<std::string> pointers_of(const Decision& decision);

/// A value for each decision, in their order.
using Plan = std::vector<int>;

/// Unit of an objective. The word `currency` stands for the scenario's currency.
[[nodiscard]] std::string_view unit_of(Objective objective);

struct Limits {
    std::optional<double> max_unserved_fraction = 0.0; ///< fraction of each workload's demand
    std::optional<double> max_carbon_kg;
    std::optional<double> max_capital; ///< paid at months' starts, undiscounted: servers, own-build facility, upfront payments
    std::optional<double> max_rack_kw; ///< nameplate kW of all servers in service at once, over all owned pools
};

/// A limit: its name in a request, and how much of it an evaluated plan uses.
struct LimitRow {
    std::string_view name;
    std::string_view what;
    std::string_view unit; ///< `currency` stands for the scenario's currency
    std::optional<double> Limits::*limit;
    double (*taken)(const Evaluation& evaluation);
};
[[nodiscard]] const std::array<LimitRow, 4>& limit_rows();
/// Tolerance of a limit, as a share of it. Replicas are whole only to 1e-9 of a replica (model.md, section 6).
inline constexpr double kLimitTolerance = 1e-9;

/// Binds decisions to a scenario, or returns every issue: a pointer to no decision, an empty or impossible range, a decision stated
/// twice. Issues point to /decide/{i} and below.
[[nodiscard]] Result<std::vector<Decision>> bind_decisions(const ScenarioDocument& scenario, const std::vector<Decide>& decide);

/// A scenario whose plan is replaced again and again. Like a Variant, it is for one thread at a time and can't be moved.
class PlannedVariant {
public:
    PlannedVariant(const ScenarioDocument& scenario, const std::vector<Decision>& decisions);
    /// Evaluates a plan. Issues: rules that the plan breaks. The result is overwritten by the next call.
    [[nodiscard]] Result<const Evaluation*> evaluate(const Plan& plan);
    [[nodiscard]] Variant& variant() { return variant_; }
    /// Writes the plan into the scenario. Returns an issue if a field does not allow its value.
    [[nodiscard]] std::optional<Issue> set(const Plan& plan);

private:
    struct Place {
        std::size_t decision;
        std::size_t input;
    };
    Variant variant_;
    std::vector<Place> places_;
};

/// A copy of the scenario with the plan in it.
[[nodiscard]] ScenarioDocument with_plan(const ScenarioDocument& scenario, const std::vector<Decision>& decisions,
                                         const Plan& plan);

/// Result of one plan.
struct Outcome {
    bool possible = false;         ///< false if rules forbid the plan, such as a minimum of instances above the maximum
    double objective = 0.0;        ///< infinite if unknown
    std::array<double, 4> taken{}; ///< amount used of each limit
    double excess = 0.0;           ///< sum of the relative excess over each limit; 0 if the plan keeps all limits
};
/// Sum over the limits of the amount above the limit, as a share of the limit.
[[nodiscard]] double excess_of(const std::array<double, 4>& taken, const Limits& limits);
[[nodiscard]] Outcome outcome_of(const Evaluation& evaluation, Objective objective, const Limits& limits);

} // namespace costcurve::model
