// Curves as JSON Schema, from the tables of kinds and axes. A field refers to the schema of its kind of curve. That schema is
// small, since viewers repeat it at each of a scenario's many curves. JSON Schema cannot express that x ascends: decode.cpp
// checks it.
#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/documents/curve.hpp"
#include "model/documents/field_check.hpp"
#include "server/api/openapi/schemas.hpp"

namespace costcurve::api {

namespace {

using namespace costcurve::model;

Schema range_schema(double low, double high) {
    return {{"type", "number"}, {"minimum", number_of(low)}, {"maximum", number_of(high)}};
}

Schema of_numbers() { return {{"type", "number"}}; }

// Schema of x on an axis.
Schema x_schema(Axis axis) {
    if (axis == Axis::date) {
        return {{"type", "string"}, {"format", "date"}};
    }
    const AxisRange range = range_of(axis);
    return range_schema(range.low, range.high);
}

// `items` repeats `prefixItems` for viewers that don't know the latter.
Schema points_of(Schema x, const Schema& y) {
    Schema pair = {{"type", "array"}, {"prefixItems", {std::move(x), y}}, {"items", y}, {"minItems", 2}, {"maxItems", 2}};
    return {{"type", "array"}, {"items", std::move(pair)}};
}

std::vector<std::string_view> names_of(std::span<const Axis> axes) {
    std::vector<std::string_view> names;
    std::transform(axes.begin(), axes.end(), std::back_inserter(names), [](Axis axis) { return name_of(axis); });
    return names;
}

// Schema of the points of a kind of curve.
Schema points_of(const CurveKindRow& row) {
    const Schema x = row.axes.size() == 1 ? x_schema(row.axes.front()) : Schema::object();
    return points_of(x, range_schema(row.y_min, row.y_max));
}

// Schema of a curve on an axis: x, and the rule that logarithms need plain numbers above 0, neither dates nor hours.
Schema on_axis(Axis axis) {
    Schema then = {{"properties", {{"points", points_of(x_schema(axis), of_numbers())}}}};
    const std::string_view log = name_of(Interpolation::log);
    if (axis == Axis::date || period_of(axis) != 0) {
        std::vector<std::string_view> others(enum_names<Interpolation>.begin(), enum_names<Interpolation>.end());
        std::erase(others, log);
        then["properties"]["interpolation"] = {{"enum", others}};
    } else {
        const Schema above_zero = {{"type", "number"}, {"exclusiveMinimum", 0}};
        add_case(then, "interpolation", log, {{"properties", {{"points", points_of(above_zero, above_zero)}}}});
    }
    return then;
}

} // namespace

void add_curve_schemas(Schema& schemas) {
    Schema any = std::move(schemas["curve"]);
    Schema points = points_of(one_of({of_numbers(), x_schema(Axis::date)}), of_numbers());
    points["minItems"] = 1;
    points["maxItems"] = model::kMaxCurvePoints;
    points["description"] = "[[x, y], …], x ascending; on the date axis x is a date";
    any["properties"]["points"] = std::move(points);
    any["required"].push_back("points");
    for (const CurveKindRow& row : curve_kinds()) {
        Schema& curve = schemas["curve_" + std::string(name_of(row.kind))] = any;
        curve["description"] = fmt::format("{} [{}]", row.help, row.y_unit);
        Schema& properties = curve["properties"];
        properties["kind"]["enum"] = {name_of(row.kind)};
        if (row.kind == CurveKind::latency) { // may come as a throughput curve too, see model/documents/curve_use.cpp
            properties["kind"]["enum"].push_back(name_of(CurveKind::throughput));
        }
        properties["axis"]["enum"] = names_of(row.axes);
        properties["points"].update(points_of(row));
    }
    for (const CurveKindRow& row : curve_kinds()) {
        Schema then = {{"properties", {{"axis", {{"enum", names_of(row.axes)}}}, {"points", points_of(row)}}}};
        for (const Axis axis : row.axes) {
            add_case(then, "axis", name_of(axis), on_axis(axis));
        }
        add_case(any, "kind", name_of(row.kind), std::move(then));
    }
    schemas["curve"] = std::move(any);
}

} // namespace costcurve::api
