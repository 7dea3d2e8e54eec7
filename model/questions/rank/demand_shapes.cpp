// Points of two curves of deploy/catalog, which has their sources. They are here as well, as a store need not have them.
#include "model/questions/rank/demand_shapes.hpp"

#include <numeric>

namespace costcurve::model {

namespace {

constexpr std::size_t kHoursOfDay = 24;
// Demand by hour of a working day and of a weekend day, in the same arbitrary unit.
constexpr auto kWorkday =
    std::to_array<double>({1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 3, 6, 12, 18, 20, 20, 17, 18, 20, 20, 18, 14, 10, 8, 6, 5, 3, 2});
constexpr auto kWeekend =
    std::to_array<double>({1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 1.5, 1.5, 1.5});
constexpr std::size_t kWorkdays = 5;
constexpr std::size_t kDays = 7;

// Demand by hour of the day, from 1 h on. The value at midnight is interpolated between the last and the first.
constexpr auto kConsumer =
    std::to_array<double>({0.3411, 1.6038, 2.1666, 1.955,  0.8342, 1.9271, 2.1224, 2.3664, 2.1103, 1.855,  1.039, 0.6879,
                           0.6526, 0.7559, 0.611,  0.3929, 0.3292, 0.4538, 0.2543, 0.233,  0.1149, 0.0894, 0.1043});

Curve curve_over(Axis axis, Interpolation interpolation) {
    Curve curve;
    curve.kind = CurveKind::demand;
    curve.axis = axis;
    curve.interpolation = interpolation;
    return curve;
}

Curve office() {
    Curve curve = curve_over(Axis::hour_of_week, Interpolation::step);
    for (std::size_t hour = 0; hour < kDays * kHoursOfDay; ++hour) {
        const auto& day = hour < kWorkdays * kHoursOfDay ? kWorkday : kWeekend;
        curve.x.push_back(static_cast<double>(hour));
        curve.y.push_back(day[hour % kHoursOfDay]);
    }
    const double mean = std::accumulate(curve.y.begin(), curve.y.end(), 0.0) / static_cast<double>(curve.y.size());
    for (double& part : curve.y) {
        part /= mean;
    }
    return curve;
}

Curve consumer() {
    Curve curve = curve_over(Axis::hour_of_day, Interpolation::linear);
    for (std::size_t i = 0; i < kConsumer.size(); ++i) {
        curve.x.push_back(static_cast<double>(i + 1));
        curve.y.push_back(kConsumer[i]);
    }
    return curve;
}

} // namespace

Rate demand_shape(ServiceShape shape) {
    if (shape == ServiceShape::flat) {
        return {1.0, std::nullopt};
    }
    return {0.0, shape == ServiceShape::office ? office() : consumer()};
}

} // namespace costcurve::model
