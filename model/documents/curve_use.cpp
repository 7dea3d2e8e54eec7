// The rules that tie a curve to the field that reads it.
#include "model/documents/curve_use.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace costcurve::model {

Failure check_curve_use(const Curve& curve, const FieldSpec* spec, const std::string& pointer) {
    Failure issues;
    const CurveKindRow& row = curve_kind_row(curve.kind);
    const std::string_view field = std::string_view(pointer).substr(pointer.rfind('/') + 1);
    // itl_s and ttft_s may come as a throughput curve: the contract's table of kinds has none for latency.
    const bool latency = spec != nullptr && spec->curve == CurveKind::latency && curve.kind == CurveKind::throughput;
    if (spec != nullptr && curve.kind != spec->curve && !latency) {
        issues.push_back({pointer + "/kind", Code::unknown_value,
                          fmt::format("kind is {}; {} reads a {} curve", name_of(curve.kind), field, name_of(spec->curve))});
        return issues;
    }
    const bool listed = std::find(row.axes.begin(), row.axes.end(), curve.axis) != row.axes.end();
    if (latency && curve.axis != Axis::batch) {
        issues.push_back({pointer + "/axis", Code::unknown_value, fmt::format("{} is read over batch", field)});
        return issues;
    }
    const auto is_read = [&](Axis axis) { return spec == nullptr || !spec->axis || axis == *spec->axis; };
    if (!listed || !is_read(curve.axis)) {
        std::vector<std::string_view> names;
        for (const Axis axis : row.axes) {
            if (is_read(axis)) {
                names.push_back(name_of(axis));
            }
        }
        issues.push_back({pointer + "/axis", Code::unknown_value,
                          fmt::format("axis is {}; allowed here: {}", name_of(curve.axis), fmt::join(names, ", "))});
    }
    if (!curve.currency.empty() && !is_money(curve.kind)) {
        issues.push_back({pointer + "/currency", Code::not_allowed,
                          fmt::format("currency is {}; y of a {} curve is no money", curve.currency, name_of(curve.kind))});
    }
    const bool plain = period_of(curve.axis) == 0 && curve.axis != Axis::date;
    if (curve.interpolation == Interpolation::log && !plain) {
        issues.push_back({pointer + "/interpolation", Code::not_allowed,
                          fmt::format("log needs an axis of plain numbers, not {}", name_of(curve.axis))});
    }
    return issues;
}

} // namespace costcurve::model
