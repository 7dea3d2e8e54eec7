// Builds curves for readers: an empty curve, and points for it. Knows no format.
#pragma once

#include <string>
#include <utility>

#include "model/documents/curve.hpp"
#include "model/documents/documents.hpp"

namespace costcurve::imports {

/// A curve without points, with linear interpolation between the points that are added.
[[nodiscard]] inline model::Curve empty_curve(model::CurveKind kind, model::Axis axis, std::string id = {}, std::string source = {},
                                              std::string note = {}) {
    model::Curve curve;
    curve.kind = kind;
    curve.axis = axis;
    curve.id = std::move(id);
    curve.source = std::move(source);
    curve.note = std::move(note);
    return curve;
}

/// Appends a point at the end of the curve.
inline void append_point(model::Curve& curve, double x, double y) {
    curve.x.push_back(x);
    curve.y.push_back(y);
}

/// A figure of runs that are keyed by batch: a number for one run, else an inline curve over batch.
template <class Runs, class Figure>
[[nodiscard]] model::Rate rate_over_batch(model::CurveKind kind, const Runs& runs, const Figure& figure) {
    if (runs.size() == 1) {
        return {figure(runs.begin()->second), std::nullopt};
    }
    model::Curve curve = empty_curve(kind, model::Axis::batch);
    for (const auto& [batch, run] : runs) {
        append_point(curve, batch, figure(run));
    }
    return {0.0, std::move(curve)};
}

} // namespace costcurve::imports
