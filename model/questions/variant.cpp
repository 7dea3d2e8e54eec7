// Finds the number that a pointer names by means of the field tables, and sets it.
#include "model/questions/variant.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "model/documents/currencies.hpp"
#include "model/documents/field_check.hpp"
#include "model/documents/pointer.hpp"
#include "model/documents/renamed_fields.hpp"
#include "model/documents/text.hpp"
#include "model/questions/wildcard.hpp"
#include "model/stop.hpp"

namespace costcurve::model {

namespace {

using Names = std::span<const std::string>;

constexpr double kMaxFactor = 1e6; ///< limit of a factor for a curve or for several numbers

// The place that a pointer leads to, or the names that are valid where it goes wrong.
struct PointerSearch {
    std::optional<Input> found;
    std::string instead;
};

std::string listed(const std::vector<std::string>& names) { return fmt::format("there is {}", fmt::join(names, ", ")); }

PointerSearch number_at(Input::Place place, const FieldSpec& spec, std::optional<double> base, const Currencies& currencies) {
    return {Input{"", spec, unit_in(spec.unit, currencies), base, std::move(place), {}, {}}, ""};
}

template <class M> PointerSearch find(M& member, Names names, const FieldSpec& spec, const Currencies& currencies);

Currencies of_scenario(const ScenarioDocument& scenario) { return {scenario.currency, scenario.currency, scenario.currency}; }

// Currencies of the amounts in `value`: a document that names a currency uses it, otherwise the scenario's applies.
template <class V> Currencies currencies_in(const V& value, Currencies currencies) {
    const auto named = [&](const auto& document) -> std::string_view {
        return document.currency.empty() ? currencies.scenario : std::string_view(document.currency);
    };
    if constexpr (requires { value.currency; }) {
        currencies.document = named(value);
    }
    if constexpr (requires { value.server->currency; }) {
        currencies.server = value.server ? named(*value.server) : currencies.scenario;
    }
    return currencies;
}

// The range of factors that keep every value of a curve in the range of its kind.
FieldSpec factor_of(const Curve& curve, const FieldSpec& spec) {
    const CurveKindRow& row = curve_kind_row(curve.kind);
    const auto [least, most] = std::minmax_element(curve.y.begin(), curve.y.end());
    return {.unit = "factor",
            .min = row.y_min > 0.0 ? row.y_min / *least : 0.0,
            .max = *most > 0.0 ? std::min(kMaxFactor, row.y_max / *most) : kMaxFactor,
            .above_min = spec.above_min};
}

// Searches in a curve. Prices by date have the unit of the field that the curve stands in; other curves' units depend on their
// kind.
PointerSearch find_in_curve(Curve& curve, Names names, const FieldSpec& spec, const Currencies& around) {
    const std::string_view own = curve.currency;
    const Currencies currencies = own.empty() ? around : Currencies{own, own, own};
    if (names.empty()) {
        return number_at(Input::Scaled{&curve, curve.y}, factor_of(curve, spec), 1.0, currencies);
    }
    const auto point = names.size() == 3 && names[0] == "points" ? index_of(names[1], curve.y.size()) : std::nullopt;
    if (!point || names[2] != "1") {
        return {std::nullopt,
                fmt::format("there is a curve of {} points: /points/{{index}}/1 is the value of one", curve.y.size())};
    }
    const CurveKindRow& row = curve_kind_row(curve.kind);
    return number_at(&curve.y[*point],
                     {.unit = row.kind == CurveKind::price ? spec.unit : row.y_unit, .min = row.y_min, .max = row.y_max},
                     curve.y[*point], currencies);
}

template <class V> PointerSearch find_in_parts(V& value, Names names, const FieldSpec& spec, const Currencies& currencies) {
    PointerSearch search;
    Currencies inside = currencies_in(value, currencies);
    if constexpr (std::is_same_v<V, std::map<std::string, double>>) { // the names in exchange rates are currencies
        inside.document = names.empty() ? inside.document : std::string_view(names.front());
    }
    if (!names.empty() && visit_part(value, names.front(), spec, [&](auto& part, const FieldSpec& part_spec) {
            search = find(part, names.subspan(1), part_spec, inside);
        })) {
        return search;
    }
    if constexpr (is_list_of_fields<V>) {
        return {std::nullopt, fmt::format("there is a list of {}", value.size())};
    } else {
        std::vector<std::string> there;
        for_each_part(value, spec,
                      [&](std::string_view name, const auto& /*part*/, const FieldSpec& /*spec*/) { there.emplace_back(name); });
        return {std::nullopt, listed(there)};
    }
}

template <class M> PointerSearch find(M& member, Names names, const FieldSpec& spec, const Currencies& currencies) {
    if constexpr (std::is_same_v<M, std::optional<double>> || std::is_same_v<M, std::optional<int>>) {
        const auto base = member ? std::optional(static_cast<double>(*member)) : std::nullopt;
        return names.empty() ? number_at(&member, spec, base, currencies) : PointerSearch{std::nullopt, "there is a number"};
    } else {
        PointerSearch search{std::nullopt, "the scenario states nothing there"};
        unwrap(member, [&]<class V>(V& value) {
            if constexpr (std::is_same_v<V, double> || std::is_same_v<V, int>) {
                search = names.empty() ? number_at(&value, spec, static_cast<double>(value), currencies)
                                       : PointerSearch{std::nullopt, "there is a number"};
            } else if constexpr (std::is_same_v<V, Curve>) {
                search = find_in_curve(value, names, spec, currencies);
            } else if constexpr (has_parts<V>) {
                search = find_in_parts(value, names, spec, currencies);
            } else {
                search.instead = "it is no number";
            }
        });
        return search;
    }
}

bool same_bits(double a, double b) { return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b); }
bool same_bits(int a, int b) { return a == b; }
template <class T> bool same_bits(const std::optional<T>& a, const std::optional<T>& b) {
    return a.has_value() == b.has_value() && (!a || same_bits(*a, *b));
}

// Writes a value to its place; an empty value removes a number that the scenario did not state. Returns whether the place changed.
struct Put {
    std::optional<double> value;
    bool operator()(double* place) const { return replace(*place, *value); }
    bool operator()(int* place) const { return replace(*place, static_cast<int>(*value)); }
    bool operator()(std::optional<double>* place) const { return replace(*place, value); }
    bool operator()(std::optional<int>* place) const {
        return replace(*place, value ? std::optional(static_cast<int>(*value)) : std::nullopt);
    }
    bool operator()(const Input::Scaled& scaled) const {
        bool is_new = false;
        for (std::size_t i = 0; i < scaled.base.size(); ++i) {
            is_new = replace(scaled.curve->y[i], scaled.base[i] * *value) || is_new;
        }
        return is_new;
    }

private:
    template <class T> static bool replace(T& place, T value) { return !same_bits(std::exchange(place, value), value); }
};

bool put(std::optional<double> value, const Input& input) {
    bool is_new = false;
    for (const Input::Multiple& multiple : input.multiples) {
        const double number = multiple.base * *value;
        is_new = std::visit(Put{multiple.is_whole ? std::round(number) : number}, multiple.place) || is_new;
    }
    if (!input.multiples.empty()) {
        return is_new;
    }
    is_new = std::visit(Put{value}, input.place);
    for (const Input::Place& other : input.others) {
        is_new = std::visit(Put{value}, other) || is_new;
    }
    return is_new;
}

// The range of factors that keep a number in its range.
FieldSpec factors_of(const Input& number) {
    FieldSpec factor{.unit = "factor", .min = 0.0, .max = kMaxFactor};
    const FieldSpec& spec = number.spec;
    const double base = *number.base;
    if (base > 0.0) {
        factor.min = std::max(0.0, spec.min / base);
        factor.max = std::min(kMaxFactor, spec.max / base);
        factor.above_min = spec.above_min && spec.min >= 0.0;
    } else if (base < 0.0) {
        factor.min = std::max(0.0, spec.max / base);
        factor.max = std::min(kMaxFactor, spec.min / base);
    }
    return factor;
}

FieldSpec within_both(FieldSpec range, const FieldSpec& other) {
    if (other.min >= range.min) {
        range.above_min = other.above_min || (range.above_min && other.min == range.min);
        range.min = other.min;
    }
    range.max = std::min(range.max, other.max);
    return range;
}

// Adds a number or a curve to those that the factor multiplies.
void add_multiple(Input number, Input& factor) {
    const bool is_curve = std::holds_alternative<Input::Scaled>(number.place);
    factor.spec = within_both(factor.spec, is_curve ? number.spec : factors_of(number));
    factor.multiples.push_back({std::move(number.place), *number.base, number.is_whole()});
}

} // namespace

std::string range_text(const FieldSpec& spec) {
    const std::string low = std::isfinite(spec.min) ? fmt::format("{} {}", spec.above_min ? "above" : "at least", spec.min) : "";
    const std::string high = std::isfinite(spec.max) ? fmt::format("at most {}", spec.max) : "";
    return low.empty() || high.empty() ? low + high : low + ", " + high;
}

bool moves_rates(const ScenarioDocument& document, const std::vector<std::string>& names) {
    constexpr auto kOfRequest = std::to_array<std::string_view>({"units_per_request", "token_mix", "prefix"});
    constexpr std::size_t kField = 2; // position of the field's name, after "workloads" and the index
    if (names.size() <= kField || names[0] != "workloads" || std::ranges::find(kOfRequest, names[kField]) == kOfRequest.end()) {
        return false;
    }
    const auto place = read_number<std::size_t>(names[1]);
    return place && *place < document.workloads.size() &&
           std::ranges::any_of(document.workloads[*place].runs_on, [](const RunsOn& entry) {
               return entry.performance && (entry.performance->mix || !entry.performance->rated_by.empty());
           });
}

namespace {

Failure rates_would_stay(std::string_view pointer, const std::string& at) {
    return {{at, Code::not_allowed,
             fmt::format("the rates of its entries are of the request that '{}' is part of, and would not follow it; evaluate with "
                         "`set` asks for the rates of each value",
                         pointer.substr(0, 200))}};
}

} // namespace

Result<std::size_t> Variant::bind(std::string_view pointer, const std::string& at) {
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
        if (inputs_[i].pointer == pointer) {
            return i;
        }
    }
    const auto names = split_pointer(pointer);
    if (names && has_wildcard(*names)) {
        return bind_factor(pointer, at);
    }
    PointerSearch search =
        names ? find(document_, *names, {}, of_scenario(document_)) : PointerSearch{std::nullopt, "it does not begin with /"};
    if (!search.found) {
        if (const std::string renamed = renamed_in_pointer(pointer); !renamed.empty()) {
            return tl::unexpected(Failure{{at, Code::unknown_reference, renamed}});
        }
        return tl::unexpected(Failure{
            {at, Code::unknown_reference,
             fmt::format("'{}' is no JSON Pointer to a number of the scenario: {}", pointer.substr(0, 200), search.instead)}});
    }
    if (moves_rates(document_, *names)) {
        return tl::unexpected(rates_would_stay(pointer, at));
    }
    search.found->pointer = pointer;
    for (const std::vector<std::string>& other : same_site(document_, *names)) {
        search.found->others.push_back(std::move(find(document_, other, {}, of_scenario(document_)).found->place));
    }
    inputs_.push_back(std::move(*search.found));
    return inputs_.size() - 1;
}

Result<std::size_t> Variant::bind_factor(std::string_view pointer, const std::string& at) {
    const auto names = split_pointer(pointer);
    std::vector<std::vector<std::string>> places;
    if (names) {
        places = expand_wildcards(document_, *names);
    }
    if (places.empty()) {
        if (const std::string renamed = renamed_in_pointer(pointer); !renamed.empty()) {
            return tl::unexpected(Failure{{at, Code::unknown_reference, renamed}});
        }
        return tl::unexpected(Failure{{at, Code::unknown_reference,
                                       fmt::format("'{}' names no number or curve that the scenario states; * stands for an index "
                                                   "of a list or a name of a map",
                                                   pointer.substr(0, 200))}});
    }
    if (std::ranges::any_of(places, [&](const std::vector<std::string>& place) { return moves_rates(document_, place); })) {
        return tl::unexpected(rates_would_stay(pointer, at));
    }
    Input factor{std::string(pointer), {.unit = "factor", .min = 0.0, .max = kMaxFactor}, "factor", 1.0, {}, {}, {}};
    for (const std::vector<std::string>& place : places) {
        add_multiple(std::move(*find(document_, place, {}, of_scenario(document_)).found), factor);
    }
    inputs_.push_back(std::move(factor));
    return inputs_.size() - 1;
}

void Variant::narrow(std::size_t index, const FieldSpec& range) { inputs_[index].spec = within_both(inputs_[index].spec, range); }

std::optional<Issue> Variant::set(std::size_t index, double value, const std::string& at) {
    const Input& input = inputs_[index];
    if (input.is_whole()) {
        value = std::round(value);
    }
    if (!is_good(value, input.spec)) {
        return Issue{at, Code::out_of_range,
                     fmt::format("{} would be {} {}; it must be {}", input.pointer, value, input.unit, range_text(input.spec))};
    }
    is_changed_ = put(value, input) || is_changed_;
    return std::nullopt;
}

void Variant::reset(std::size_t index) { is_changed_ = put(inputs_[index].base, inputs_[index]) || is_changed_; }

Result<const Evaluation*> Variant::evaluate() {
    if (!is_changed_) {
        return &*evaluation_;
    }
    stop_where_unwanted();
    ScenarioDocument document = evaluation_ ? std::move(evaluation_->scenario).document() : ScenarioDocument();
    document = document_; // reuses the previous document's memory
    Result<Scenario> scenario = make_scenario(std::move(document));
    if (!scenario) {
        return tl::unexpected(std::move(scenario.error()));
    }
    Compiled compiled = evaluation_ ? compile(*scenario, std::move(evaluation_->compiled.hours)) : compile(*scenario);
    if (!evaluation_) {
        Workspace workspace(compiled);
        model::evaluate(compiled, workspace);
        evaluation_.emplace(Evaluation{std::move(*scenario), std::move(compiled), std::move(workspace), {}});
    } else {
        if (evaluation_->workspace.unserved.size() < compiled.hours.largest) {
            evaluation_->workspace = Workspace(compiled);
        }
        evaluate_after(evaluation_->compiled, compiled, evaluation_->workspace);
        evaluation_->scenario = std::move(*scenario);
        evaluation_->compiled = std::move(compiled);
    }
    Evaluation& made = *evaluation_;
    made.summary = summarize(made.scenario, made.compiled, made.workspace.ledger, wanted_);
    if (!is_finite(made.summary)) {
        return tl::unexpected(Failure{{"", Code::too_large, "a figure grows beyond what a double holds (1.8e308)"}});
    }
    is_changed_ = false;
    return &made;
}

} // namespace costcurve::model
