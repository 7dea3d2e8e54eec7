// A scenario whose inputs are set repeatedly: pointers are bound once to numbers of its documents, without JSON in the loop.
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

/// A number of a scenario, named by a JSON Pointer, or a common factor of all numbers that a pointer with * names.
struct Input {
    /// A curve in place of a number; setting the input multiplies all its values.
    struct Scaled {
        Curve* curve;
        std::vector<double> base; ///< the curve's original y values
    };
    using Place = std::variant<double*, int*, std::optional<double>*, std::optional<int>*, Scaled>;
    /// One of several numbers that a common factor multiplies.
    struct Multiple {
        Place place;
        double base; ///< the original value; 1 for a curve
        bool is_whole;
    };

    std::string pointer;
    FieldSpec spec;             ///< the number's range; for a curve the factor's range
    std::string unit;           ///< in the currency of the document that states it; "factor" for a curve
    std::optional<double> base; ///< the scenario's own value; 1 for a curve; empty if not stated
    Place place;
    std::vector<Place> others;       ///< copies of the same number: a site is stored in every pool at that site
    std::vector<Multiple> multiples; ///< everything that the factor multiplies; `place` is then unused

    [[nodiscard]] bool is_whole() const {
        const bool is_integer = std::holds_alternative<int*>(place) || std::holds_alternative<std::optional<int>*>(place);
        return multiples.empty() && (is_integer || (spec.is_count && base.value_or(0.0) >= 1.0));
    }
};

/// The result of one evaluation, overwritten by the next.
struct Evaluation {
    Scenario scenario;
    Compiled compiled;
    Workspace workspace;
    Summary summary; ///< only its wanted parts are filled
};

/// A copy of a resolved scenario whose inputs can be varied. Not thread-safe: each thread of a question has its own and binds the
/// same pointers. Neither copied nor moved, because bound inputs point into it.
class Variant {
public:
    explicit Variant(ScenarioDocument document) : document_(std::move(document)) {}
    Variant(const Variant&) = delete;
    Variant& operator=(const Variant&) = delete;

    /// Binds a pointer and returns the input's index; the same pointer gives the same index. A pointer that names no number is an
    /// issue at `at` that lists the valid names. Whole numbers (servers, instances, months) are rounded when set; a curve is set by
    /// a factor. If the pointer has * for a list index or a map's name, the input is a factor of all numbers and curves that match,
    /// and the factor's range keeps each of them in its own range.
    [[nodiscard]] Result<std::size_t> bind(std::string_view pointer, const std::string& at);
    /// Binds any pointer as a factor of the numbers that it names.
    [[nodiscard]] Result<std::size_t> bind_factor(std::string_view pointer, const std::string& at);
    /// Narrows a factor's range to its overlap with `range`.
    void narrow(std::size_t index, const FieldSpec& range);

    [[nodiscard]] const Input& input(std::size_t index) const { return inputs_[index]; }
    [[nodiscard]] const ScenarioDocument& document() const { return document_; }
    [[nodiscard]] ScenarioDocument take_document() && { return std::move(document_); }

    /// Sets the input. If the value is outside the field's range, returns an issue at `at` and keeps the old value.
    [[nodiscard]] std::optional<Issue> set(std::size_t index, double value, const std::string& at);
    /// Restores the scenario's own value.
    void reset(std::size_t index);

    /// Limits later summaries to these parts; by default all parts are computed.
    void want(const Wanted& wanted) {
        wanted_ = wanted;
        is_changed_ = true;
    }

    /// Builds, compiles and evaluates the scenario with the present inputs; returns the previous evaluation if neither a
    /// number nor the wanted parts have changed. Issues: rules that the values break together, and wanted figures that overflow a
    /// double.
    [[nodiscard]] Result<const Evaluation*> evaluate();

private:
    ScenarioDocument document_;
    std::vector<Input> inputs_;
    Wanted wanted_ = kEverything;
    bool is_changed_ = true; ///< whether an input changed since the last successful evaluation
    std::optional<Evaluation> evaluation_;
};

/// Whether the pointer leads into the request of a workload (units_per_request, token_mix, prefix) with rates that were measured or
/// computed for that request. Such a number can't be an input, because the rates would not change with it.
[[nodiscard]] bool moves_rates(const ScenarioDocument& document, const std::vector<std::string>& names);

/// JSON Pointers to every nonzero number that the scenario states, where a curve counts as one; without those for which moves_rates
/// holds.
[[nodiscard]] std::vector<std::string> number_pointers(const ScenarioDocument& scenario);

/// The range as text: "above 0, at most 1".
[[nodiscard]] std::string range_text(const FieldSpec& spec);

} // namespace costcurve::model
