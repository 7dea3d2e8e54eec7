// Turns points of a measurement into columns; a column is kept if every point states it.
#include "server/import/benchmarks/served_measurement.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace costcurve::imports {

namespace {

struct ServedColumn {
    double ServedPoint::*figure;
    std::vector<double> model::MeasuredPoints::*column;
};
constexpr auto kColumns = std::to_array<ServedColumn>({
    {&ServedPoint::input_tokens, &model::MeasuredPoints::input},
    {&ServedPoint::output_tokens, &model::MeasuredPoints::output},
    {&ServedPoint::requests, &model::MeasuredPoints::concurrency},
    {&ServedPoint::output_per_s, &model::MeasuredPoints::output_per_s},
    {&ServedPoint::ttft_s, &model::MeasuredPoints::ttft_s},
    {&ServedPoint::itl_s, &model::MeasuredPoints::itl_s},
    {&ServedPoint::watts, &model::MeasuredPoints::watts},
});

} // namespace

std::optional<model::Measurement> measurement_beside(model::Performance& performance, const std::vector<ServedPoint>& points) {
    const auto precision = model::value_of<model::NumberFormat>(performance.precision);
    const auto state = [&](double ServedPoint::*figure) {
        return std::ranges::all_of(points, [&](const ServedPoint& point) { return point.*figure > 0.0; });
    };
    if (!precision || performance.model.empty() || points.empty() || performance.devices != std::floor(performance.devices) ||
        !state(&ServedPoint::output_tokens) || !state(&ServedPoint::output_per_s)) {
        return std::nullopt;
    }
    model::Measurement measurement;
    measurement.id = performance.id;
    measurement.source = performance.source;
    measurement.model = performance.model;
    measurement.device = performance.device.id;
    measurement.devices = static_cast<int>(performance.devices);
    measurement.precision = *precision;
    measurement.framework = performance.framework;
    measurement.basis = performance.basis;
    for (const ServedColumn& row : kColumns) {
        if (state(row.figure)) {
            for (const ServedPoint& point : points) {
                (measurement.points.*row.column).push_back(point.*row.figure);
            }
        }
    }
    if (!measurement.points.ttft_s.empty()) {
        measurement.percentiles.ttft_s = performance.latency_percentile;
    }
    if (!measurement.points.itl_s.empty()) {
        measurement.percentiles.itl_s = performance.latency_percentile;
    }
    performance.measurement = measurement.id;
    return measurement;
}

} // namespace costcurve::imports
