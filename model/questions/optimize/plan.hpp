// What an optimizer decides, what it minimises and what it must keep: the words of the question, bound to a scenario.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "model/questions/variant.hpp"

namespace costcurve::model {

/// A whole number of the scenario that is free between two others.
struct Decide {
    std::string pointer;
    int min = 0;
    int max = 0;
    std::string at = ""; ///< where it stands in the question; empty: /decide/{i}
};

/// What a decision moves. Instances: both bounds of a committed pool at once, which must be equal.
enum class Lever { servers, month, min_instances, max_instances, instances, provisioned_units };

struct Decision {
    std::string pointer;
    Lever lever = Lever::servers;
    std::size_t pool = 0;
    std::size_t purchase = 0;
    int min = 0;
    int max = 0;
};

/// The numbers of the scenario that it sets: one, but of a committed pool min_instances and max_instances.
[[nodiscard]] std::vector<std::string> pointers_of(const Decision& decision);

/// A value for each decision, in their order.
using Plan = std::vector<int>;

/// The unit of what is minimised; `currency` is the scenario's.
[[nodiscard]] std::string_view unit_of(Objective objective);

struct Limits {
    std::optional<double> max_unserved_fraction = 0.0; ///< of each workload's demand
    std::optional<double> max_carbon_kg;
    std::optional<double> max_capital; ///< paid at months' starts: servers, own-build facility, upfront payments; undiscounted
    std::optional<double> max_rack_kw; ///< nameplate of the servers in service at once, all owned pools together
};

/// One limit: its name in a request, and how much of it an evaluated plan takes.
struct LimitRow {
    std::string_view name;
    std::string_view what;
    std::string_view unit; ///< `currency` is the scenario's
    std::optional<double> Limits::*limit;
    double (*taken)(const Evaluation& evaluation);
};
[[nodiscard]] const std::array<LimitRow, 4>& limit_rows();
/// More than this share of a limit is above it: replicas are whole but for 1e-9 of one (model.md, section 6).
inline constexpr double kLimitTolerance = 1e-9;

/// Decisions of a scenario, or every issue: a pointer that names no decision, an empty or impossible range, the same decision
/// twice. Pointers of issues are /decide/{i} and below.
[[nodiscard]] Result<std::vector<Decision>> bind_decisions(const ScenarioDocument& scenario, const std::vector<Decide>& decide);

/// A scenario whose plan is set again and again. As a Variant: one thread at a time, and it stays where it is.
class PlannedVariant {
public:
    PlannedVariant(const ScenarioDocument& scenario, const std::vector<Decision>& decisions);
    /// Issues: rules that the plan breaks. What it points to is overwritten by the next.
    [[nodiscard]] Result<const Evaluation*> evaluate(const Plan& plan);
    [[nodiscard]] Variant& variant() { return variant_; }
    /// Writes the plan into the scenario; an issue where a field does not allow it.
    [[nodiscard]] std::optional<Issue> set(const Plan& plan);

private:
    struct Place {
        std::size_t decision;
        std::size_t input;
    };
    Variant variant_;
    std::vector<Place> places_;
};

/// The scenario with a plan in it.
[[nodiscard]] ScenarioDocument with_plan(const ScenarioDocument& scenario, const std::vector<Decision>& decisions,
                                         const Plan& plan);

/// What one plan comes to.
struct Outcome {
    bool possible = false;         ///< false: rules forbid it, such as more instances at least than at most
    double objective = 0.0;        ///< infinite where it is not known
    std::array<double, 4> taken{}; ///< of each limit
    double excess = 0.0;           ///< by how much limits are broken, as sum of shares of each; 0: it keeps them
};
/// Sum of what is taken beyond each limit, as a share of it.
[[nodiscard]] double excess_of(const std::array<double, 4>& taken, const Limits& limits);
[[nodiscard]] Outcome outcome_of(const Evaluation& evaluation, Objective objective, const Limits& limits);

} // namespace costcurve::model
