// A scenario whose inputs are set again and again: pointers bound once to numbers of its documents, no JSON in the loop.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/documents/field.hpp"
#include "model/evaluate.hpp"
#include "model/summary.hpp"

namespace costcurve::model {

/// A number of a scenario, named by a JSON Pointer into it.
struct Input {
    /// A curve, in place of the number that its field may be too; it is set to multiples of itself.
    struct Scaled {
        Curve* curve;
        std::vector<double> base; ///< y
    };
    using Place = std::variant<double*, int*, std::optional<double>*, std::optional<int>*, Scaled>;

    std::string pointer;
    FieldSpec spec;             ///< its range; of a curve that of the factor
    std::string unit;           ///< `factor` of a curve
    std::optional<double> base; ///< what the scenario states; 1 for a curve; empty where it states nothing
    Place place;
    std::vector<Place> others; ///< where the same is said again: one site stands in every pool that is there

    [[nodiscard]] bool is_whole() const {
        return std::holds_alternative<int*>(place) || std::holds_alternative<std::optional<int>*>(place) ||
               (spec.is_count && base.value_or(0.0) >= 1.0);
    }
};

/// What one evaluation gives. Overwritten by the next.
struct Evaluation {
    Scenario scenario;
    Compiled compiled;
    Workspace workspace;
    Summary summary;
};

/// A copy of a resolved scenario, to be varied. One thread at a time; each thread of a question has its own and binds the same
/// pointers. Stays where it is: bound inputs point into it.
class Variant {
public:
    explicit Variant(ScenarioDocument document) : document_(std::move(document)) {}
    Variant(const Variant&) = delete;
    Variant& operator=(const Variant&) = delete;

    /// The input's number among those bound; the same for the same pointer. A pointer that names no number of the scenario is an
    /// issue at `at`, which says what is there. Whole numbers (servers, instances, months) are rounded when they are set; a curve
    /// is set to a factor.
    [[nodiscard]] Result<std::size_t> bind(std::string_view pointer, const std::string& at);

    [[nodiscard]] const Input& input(std::size_t index) const { return inputs_[index]; }
    [[nodiscard]] const ScenarioDocument& document() const { return document_; }

    /// An issue at `at` where the value is out of the field's range; the input then stays as it was.
    [[nodiscard]] std::optional<Issue> set(std::size_t index, double value, const std::string& at);
    /// Back to what the scenario states.
    void reset(std::size_t index);

    /// Makes, compiles and evaluates the scenario as it is set. Issues: rules that the values break together.
    [[nodiscard]] Result<const Evaluation*> evaluate();

private:
    ScenarioDocument document_;
    std::vector<Input> inputs_;
    std::optional<Evaluation> evaluation_;
};

/// JSON Pointers to every number that the scenario states and is not 0; a curve is one of them.
[[nodiscard]] std::vector<std::string> number_pointers(const ScenarioDocument& scenario);

/// The range in words: "above 0, at most 1".
[[nodiscard]] std::string range_text(const FieldSpec& spec);

} // namespace costcurve::model
