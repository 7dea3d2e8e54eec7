// Finds the number that a pointer names, by the field tables, and sets it.
#include "model/questions/variant.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "model/field_check.hpp"
#include "model/questions/pointer.hpp"

namespace costcurve::model {

namespace {

using Names = std::span<const std::string>;

// The place that a pointer leads to, or what was there instead.
struct Search {
    std::optional<Input> found;
    std::string instead;
};

std::string listed(const std::vector<std::string>& names) { return fmt::format("there is {}", fmt::join(names, ", ")); }

Search number_at(Input::Place place, const FieldSpec& spec, std::optional<double> base) {
    return {Input{"", spec, std::string(spec.unit), base, std::move(place)}, ""};
}

template <class M> Search find(M& member, Names names, const FieldSpec& spec);

// The factors that keep every value of a curve in the range of its kind.
FieldSpec factor_of(const Curve& curve, const FieldSpec& spec) {
    const CurveKindRow& row = curve_kind_row(curve.kind);
    const auto [least, most] = std::minmax_element(curve.y.begin(), curve.y.end());
    return {.unit = "factor",
            .min = row.y_min > 0.0 ? row.y_min / *least : 0.0,
            .max = *most > 0.0 ? std::min(1e6, row.y_max / *most) : 1e6,
            .above_min = spec.above_min};
}

Search find_in_curve(Curve& curve, Names names, const FieldSpec& spec) {
    if (names.empty()) {
        return number_at(Input::Scaled{&curve, curve.y}, factor_of(curve, spec), 1.0);
    }
    const auto point = names.size() == 3 && names[0] == "points" ? index_of(names[1], curve.y.size()) : std::nullopt;
    if (!point || names[2] != "1") {
        return {std::nullopt,
                fmt::format("there is a curve of {} points: /points/{{index}}/1 is the value of one", curve.y.size())};
    }
    const CurveKindRow& row = curve_kind_row(curve.kind);
    return number_at(&curve.y[*point], {.unit = row.y_unit, .min = row.y_min, .max = row.y_max}, curve.y[*point]);
}

template <class T> Search find_field(T& document, Names names) {
    std::vector<std::string> there;
    Search search;
    bool followed = false;
    for_each_field<T>([&](const auto& field) {
        if constexpr (requires { document.kind; }) {
            if (!field.spec.only_for.empty() && field.spec.only_for != name_of(document.kind)) {
                return;
            }
        }
        there.emplace_back(field.name);
        if (!names.empty() && field.name == names.front()) {
            search = find(document.*field.member, names.subspan(1), field.spec);
            followed = true;
        }
    });
    return followed ? std::move(search) : Search{std::nullopt, listed(there)};
}

template <class T> Search find_entry(std::vector<T>& list, Names names) {
    const auto index = names.empty() ? std::nullopt : index_of(names.front(), list.size());
    if (!index) {
        return {std::nullopt, fmt::format("there is a list of {}", list.size())};
    }
    return find(list[*index], names.subspan(1), {});
}

Search find_key(std::map<std::string, double>& numbers, Names names, const FieldSpec& spec) {
    std::vector<std::string> there;
    there.reserve(numbers.size());
    for (auto& [key, number] : numbers) {
        if (names.size() == 1 && names.front() == key) {
            return number_at(&number, spec, number);
        }
        there.push_back(key);
    }
    return {std::nullopt, listed(there)};
}

// Input and output units apart, or one number or rate for both.
template <class T> Search find_split(T& parts, Names names, const FieldSpec& spec) {
    if (!parts.split) {
        return find(parts.total, names, spec);
    }
    if (!names.empty() && (names.front() == "input" || names.front() == "output")) {
        return find(names.front() == "input" ? parts.input : parts.output, names.subspan(1), spec);
    }
    return {std::nullopt, "there is input, output"};
}

template <class M> Search find(M& member, Names names, const FieldSpec& spec) {
    if constexpr (std::is_same_v<M, double> || std::is_same_v<M, int>) {
        return names.empty() ? number_at(&member, spec, static_cast<double>(member)) : Search{std::nullopt, "there is a number"};
    } else if constexpr (std::is_same_v<M, std::optional<double>> || std::is_same_v<M, std::optional<int>>) {
        const auto base = member ? std::optional(static_cast<double>(*member)) : std::nullopt;
        return names.empty() ? number_at(&member, spec, base) : Search{std::nullopt, "there is a number"};
    } else if constexpr (is_optional<M>) {
        return member ? find(*member, names, spec) : Search{std::nullopt, "the scenario states nothing there"};
    } else if constexpr (std::is_same_v<M, Rate>) {
        return member.curve ? find_in_curve(*member.curve, names, spec) : find(member.number, names, spec);
    } else if constexpr (std::is_same_v<M, Curve>) {
        return find_in_curve(member, names, spec);
    } else if constexpr (std::is_same_v<M, UnitPrice> || std::is_same_v<M, UnitsPerRequest>) {
        return find_split(member, names, spec);
    } else if constexpr (std::is_same_v<M, std::map<std::string, double>>) {
        return find_key(member, names, spec);
    } else if constexpr (is_list_of_fields<M>) {
        return find_entry(member, names);
    } else if constexpr (has_fields<M>) {
        return find_field(member, names);
    } else {
        return {std::nullopt, "it is no number"};
    }
}

// Puts a value in its place; empty takes away what the scenario did not state.
struct Put {
    std::optional<double> value;
    void operator()(double* place) const { *place = *value; }
    void operator()(int* place) const { *place = static_cast<int>(*value); }
    void operator()(std::optional<double>* place) const { *place = value; }
    void operator()(std::optional<int>* place) const { *place = value ? std::optional(static_cast<int>(*value)) : std::nullopt; }
    void operator()(const Input::Scaled& scaled) const {
        for (std::size_t i = 0; i < scaled.base.size(); ++i) {
            scaled.curve->y[i] = scaled.base[i] * *value;
        }
    }
};

} // namespace

std::string range_text(const FieldSpec& spec) {
    const std::string low = std::isfinite(spec.min) ? fmt::format("{} {}", spec.above_min ? "above" : "at least", spec.min) : "";
    const std::string high = std::isfinite(spec.max) ? fmt::format("at most {}", spec.max) : "";
    return low.empty() || high.empty() ? low + high : low + ", " + high;
}

Result<std::size_t> Variant::bind(std::string_view pointer, const std::string& at) {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        if (inputs_[i].pointer == pointer) {
            return i;
        }
    }
    const auto names = split_pointer(pointer);
    Search search = names ? find(document_, *names, {}) : Search{std::nullopt, "it does not begin with /"};
    if (!search.found) {
        return tl::unexpected(Failure{
            {at, Code::unknown_reference,
             fmt::format("'{}' is no JSON Pointer to a number of the scenario: {}", pointer.substr(0, 200), search.instead)}});
    }
    search.found->pointer = pointer;
    inputs_.push_back(std::move(*search.found));
    return inputs_.size() - 1;
}

std::optional<Issue> Variant::set(std::size_t index, double value, const std::string& at) {
    const Input& input = inputs_[index];
    if (input.is_whole()) {
        value = std::round(value);
    }
    if (!is_good(value, input.spec)) {
        return Issue{at, Code::out_of_range,
                     fmt::format("{} would be {} {}; it must be {}", input.pointer, value, input.unit, range_text(input.spec))};
    }
    std::visit(Put{value}, input.place);
    return std::nullopt;
}

void Variant::reset(std::size_t index) { std::visit(Put{inputs_[index].base}, inputs_[index].place); }

Result<const Evaluation*> Variant::evaluate() {
    ScenarioDocument document = evaluation_ ? std::move(evaluation_->scenario).document() : ScenarioDocument();
    document = document_; // into the memory of the one before
    Result<Scenario> scenario = make_scenario(std::move(document));
    if (!scenario) {
        return tl::unexpected(std::move(scenario.error()));
    }
    Compiled compiled = evaluation_ ? compile(*scenario, std::move(evaluation_->compiled.hours)) : compile(*scenario);
    if (!evaluation_) {
        Workspace workspace(compiled);
        evaluation_.emplace(Evaluation{std::move(*scenario), std::move(compiled), std::move(workspace), {}});
    } else {
        if (evaluation_->workspace.left.size() < compiled.hours.largest) {
            evaluation_->workspace = Workspace(compiled);
        }
        evaluation_->scenario = std::move(*scenario);
        evaluation_->compiled = std::move(compiled);
    }
    Evaluation& made = *evaluation_;
    made.summary = summarize(made.scenario, made.compiled, model::evaluate(made.compiled, made.workspace));
    if (!is_finite(made.summary)) {
        return tl::unexpected(Failure{{"", Code::too_large, "a figure grows beyond what a double holds (1.8e308)"}});
    }
    return &made;
}

} // namespace costcurve::model
