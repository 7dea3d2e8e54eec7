// A scenario whose inputs are set again and again: pointers bound once to numbers of its documents, no JSON in the loop.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/documents/field.hpp"
#include "model/evaluate.hpp"
#include "model/wanted.hpp"

namespace costcurve::model {

/// A number of a scenario, named by a JSON Pointer into it; or a factor of several: all that a pointer with * names.
struct Input {
    /// A curve, in place of the number that its field may be too; it is set to multiples of itself.
    struct Scaled {
        Curve* curve;
        std::vector<double> base; ///< y
    };
    using Place = std::variant<double*, int*, std::optional<double>*, std::optional<int>*, Scaled>;
    /// One of several numbers that are set to multiples of what they are.
    struct Multiple {
        Place place;
        double base; ///< 1 for a curve
        bool is_whole;
    };

    std::string pointer;
    FieldSpec spec;             ///< its range; of a curve that of the factor
    std::string unit;           ///< in the currency of the document that states it; `factor` of a curve
    std::optional<double> base; ///< what the scenario states; 1 for a curve; empty where it states nothing
    Place place;
    std::vector<Place> others;       ///< where the same is said again: one site stands in every pool that is there
    std::vector<Multiple> multiples; ///< in place of `place`: all that the factor multiplies

    [[nodiscard]] bool is_whole() const {
        const bool is_integer = std::holds_alternative<int*>(place) || std::holds_alternative<std::optional<int>*>(place);
        return multiples.empty() && (is_integer || (spec.is_count && base.value_or(0.0) >= 1.0));
    }
};

/// What one evaluation gives. Overwritten by the next.
struct Evaluation {
    Scenario scenario;
    Compiled compiled;
    Workspace workspace;
    Summary summary; ///< its wanted parts
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
    /// is set to a factor. Where the pointer has * for an index of a list or a name of a map, the input is a factor of all numbers
    /// and curves that it names; its range keeps each in its own.
    [[nodiscard]] Result<std::size_t> bind(std::string_view pointer, const std::string& at);
    /// The same of any pointer: a factor of what it names.
    [[nodiscard]] Result<std::size_t> bind_factor(std::string_view pointer, const std::string& at);
    /// Narrows the range of a factor to that of another.
    void narrow(std::size_t index, const FieldSpec& range);

    [[nodiscard]] const Input& input(std::size_t index) const { return inputs_[index]; }
    [[nodiscard]] const ScenarioDocument& document() const { return document_; }
    [[nodiscard]] ScenarioDocument take_document() && { return std::move(document_); }

    /// An issue at `at` where the value is out of the field's range; the input then stays as it was.
    [[nodiscard]] std::optional<Issue> set(std::size_t index, double value, const std::string& at);
    /// Back to what the scenario states.
    void reset(std::size_t index);

    /// The parts of summaries that are read from now on: everything, until it is said.
    void want(const Wanted& wanted) {
        wanted_ = wanted;
        is_changed_ = true;
    }

    /// Makes, compiles and evaluates the scenario as it is set; where no number of it has changed, that was done. Issues: rules
    /// that the values break together, and figures of the parts that are wanted which no double holds.
    [[nodiscard]] Result<const Evaluation*> evaluate();

private:
    ScenarioDocument document_;
    std::vector<Input> inputs_;
    Wanted wanted_ = kEverything;
    bool is_changed_ = true; ///< since the last evaluation that succeeded
    std::optional<Evaluation> evaluation_;
};

/// Whether the names of a pointer lead into a workload's request (units_per_request, token_mix, prefix) that the rates of its
/// entries are of: they would stay where it moves. No input of a variant.
[[nodiscard]] bool moves_rates(const ScenarioDocument& document, const std::vector<std::string>& names);

/// JSON Pointers to every number that the scenario states and is not 0; a curve is one of them. Without what moves_rates.
[[nodiscard]] std::vector<std::string> number_pointers(const ScenarioDocument& scenario);

/// The range in words: "above 0, at most 1".
[[nodiscard]] std::string range_text(const FieldSpec& spec);

} // namespace costcurve::model
