// Curves as JSON Schema, by the tables of kinds and axes. Fields refer to a curve of their kind, which is small: a viewer unfolds
// it at each of a scenario's many curves. That x ascends is beyond JSON Schema: decode.cpp checks it.
#include <algorithm>
#include <vector>

#include <nlohmann/json.hpp>

#include "model/curve.hpp"
#include "server/api/decode_value.hpp"
#include "server/api/openapi_schemas.hpp"

namespace costcurve::api {

namespace {

using namespace costcurve::model;

constexpr std::string_view kShape = "curve_shape";

Schema range_schema(double low, double high) {
    return {{"type", "number"}, {"minimum", number_of(low)}, {"maximum", number_of(high)}};
}

// What x may be on an axis.
Schema x_schema(Axis axis) {
    if (axis == Axis::date) {
        return {{"type", "string"}, {"format", "date"}};
    }
    const AxisRange range = range_of(axis);
    return range_schema(range.low, range.high);
}

Schema points_of(Schema x, Schema y) {
    Schema pair = {{"type", "array"}, {"prefixItems", {std::move(x), std::move(y)}}, {"minItems", 2}, {"maxItems", 2}};
    return {{"type", "array"}, {"items", std::move(pair)}};
}

std::vector<std::string_view> names_of(std::span<const Axis> axes) {
    std::vector<std::string_view> names;
    std::transform(axes.begin(), axes.end(), std::back_inserter(names), [](Axis axis) { return name_of(axis); });
    return names;
}

// The members that a curve of a kind narrows.
Schema narrowed(const CurveKindRow& row) {
    const Schema x = row.axes.size() == 1 ? x_schema(row.axes.front()) : Schema::object();
    return {{"axis", {{"enum", names_of(row.axes)}}}, {"points", points_of(x, range_schema(row.y_min, row.y_max))}};
}

// What holds of a curve whose kind is not known beforehand: by its kind, its axis and its interpolation.
Schema rules_of_curves() {
    Schema rules = Schema::array();
    for (const CurveKindRow& row : curve_kinds()) {
        rules.push_back(where("kind", name_of(row.kind), {{"properties", narrowed(row)}}));
    }
    std::vector<Axis> plain; // axes of plain numbers: neither dates nor hours that come again
    for (std::size_t i = 0; i < enum_names<Axis>.size(); ++i) {
        const auto axis = static_cast<Axis>(i);
        const Schema points = points_of(x_schema(axis), Schema::object());
        rules.push_back(where("axis", name_of(axis), {{"properties", {{"points", points}}}}));
        if (axis != Axis::date && period_of(axis) == 0) {
            plain.push_back(axis);
        }
    }
    const Schema above_zero = {{"type", "number"}, {"exclusiveMinimum", 0}};
    Schema logarithmic = {{"points", points_of(above_zero, above_zero)}, {"axis", {{"enum", names_of(plain)}}}};
    rules.push_back(where("interpolation", name_of(Interpolation::log), {{"properties", std::move(logarithmic)}}));
    return rules;
}

} // namespace

void add_curve_schemas(Schema& schemas) {
    Schema shape = std::move(schemas["curve"]);
    Schema points = points_of(one_of({{{"type", "number"}}, x_schema(Axis::date)}), {{"type", "number"}});
    points["minItems"] = 1;
    points["maxItems"] = kMostPoints;
    points["description"] = "[[x, y], …], x ascending; on the date axis x is a date";
    shape["properties"]["points"] = std::move(points);
    shape["required"].push_back("points");
    schemas[std::string(kShape)] = std::move(shape);
    schemas["curve"] = reference_to(kShape);
    schemas["curve"]["type"] = "object";
    schemas["curve"]["allOf"] = rules_of_curves();
    for (const CurveKindRow& row : curve_kinds()) {
        Schema curve = reference_to(kShape);
        curve["type"] = "object";
        curve["properties"] = narrowed(row);
        curve["properties"]["kind"] = {{"const", name_of(row.kind)}};
        if (row.kind == CurveKind::latency) { // may come as a throughput curve too, see model/curve_use.cpp
            curve["properties"]["kind"] = {{"enum", {name_of(row.kind), name_of(CurveKind::throughput)}}};
        }
        schemas["curve_" + std::string(name_of(row.kind))] = std::move(curve);
    }
}

} // namespace costcurve::api
