// Scenarios that a question compares and whose inputs are set together.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/questions/comparable.hpp"
#include "model/questions/figure.hpp"
#include "model/questions/variant.hpp"

namespace costcurve::model {

/// A resolved scenario and its JSON Pointer in the request ("/scenarios/1"), which is the prefix of its issues' pointers.
struct Placed {
    ScenarioDocument document;
    std::string at;
};

/// Not thread-safe, like Variant.
class Alternatives {
public:
    explicit Alternatives(const std::vector<Placed>& scenarios, bool ignore_unserved = false);

    [[nodiscard]] std::size_t size() const { return variants_.size(); }
    [[nodiscard]] const ScenarioDocument& document(std::size_t scenario) const { return variants_[scenario]->document(); }
    [[nodiscard]] const std::string& at(std::size_t scenario) const { return at_[scenario]; }

    /// Binds the pointer in every scenario that has a number there, or in scenario `only`. Issues: the first scenario's if no
    /// scenario has the number; mixed_units if it is a number in one scenario and a curve in another.
    [[nodiscard]] Result<std::size_t> bind(std::string_view pointer, const std::string& at,
                                           std::optional<std::size_t> only = std::nullopt);
    /// Binds the pointer as a factor by which each scenario's own value is multiplied.
    [[nodiscard]] Result<std::size_t> bind_factor(std::string_view pointer, const std::string& at);
    /// The input as the first scenario that has it states it.
    [[nodiscard]] const Input& input(std::size_t index) const;
    [[nodiscard]] std::optional<Issue> set(std::size_t index, double value, const std::string& at);
    void reset(std::size_t index);

    /// Limits later summaries to these parts.
    void want(const Wanted& wanted);
    [[nodiscard]] Result<const Evaluation*> evaluate(std::size_t scenario);
    /// Whether the scenario with this summary is eligible for the ranking (is_eligible).
    [[nodiscard]] bool may_rank(const Summary& summary) const;
    [[nodiscard]] bool ignores_unserved() const { return ignore_unserved_; }

    /// Ranks by this output from now on. The first scenario's decide_by determines which conditions must be equal, whatever the
    /// output is; a discounted output such as /total/npv also requires equal conditions of discounting.
    void rank_by(std::string_view output);
    [[nodiscard]] Objective ranked_by(const Summary& first) const;
    /// The differences between the work of scenario `from` (default: the first) and that of each other scenario, at the inputs'
    /// present values. Scenarios whose work differs have no cheapest. Evaluates all scenarios; a scenario that breaks a rule yields
    /// no differences.
    [[nodiscard]] std::vector<ScenarioDifference> differences(std::size_t from = 0);
    /// Whether all scenarios do the same work; `summaries` is by scenario, with null for a scenario that breaks a rule.
    [[nodiscard]] bool do_same_work(const std::vector<const Summary*>& summaries) const;

    /// Binds the same figure in every scenario, by scenario. A monthly figure bound in the scenario with the most months doesn't
    /// exist in a shorter one.
    [[nodiscard]] Result<std::vector<BoundFigure>> bind_output(std::string_view pointer, const std::string& at) const;

private:
    struct Bound {
        std::size_t scenario;
        std::size_t input;
    };
    Result<std::size_t> bind_where(Result<std::size_t> (Variant::*bind_one)(std::string_view, const std::string&),
                                   std::string_view pointer, const std::string& at, std::optional<std::size_t> only);

    bool ignore_unserved_;
    std::optional<Objective> ranked_by_;
    std::vector<std::unique_ptr<Variant>> variants_;
    std::vector<std::string> at_;
    std::vector<std::vector<Bound>> inputs_; ///< by input: its places
};

/// An issue if an input is a number in one scenario and a curve's factor in another, because no value means the same in both.
[[nodiscard]] std::optional<Issue> mixed_units(const std::vector<const Input*>& inputs, const std::string& at);

/// An issue for each scenario whose currency is not the first one's: amounts of different currencies can't be compared.
[[nodiscard]] Failure check_currencies(const std::vector<Placed>& scenarios);

} // namespace costcurve::model
