// Bounds of curves' points by kind; a kind without a row isn't judged point by point.
#include "server/ingest/prices/price_history.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"

namespace costcurve::ingest {

namespace {

constexpr double kAnyFactor = 1e300;
constexpr double kDaysOfDoubledPrice = 365.0;
constexpr double kMaxHostWatts = 20000.0; // of a device, or a host with all it holds

struct PointRule {
    model::CurveKind kind;
    double of_stored;    // factors from which on a point is held
    double below_before; // against the point before
    double above_before;
    bool grows; // with the axis
};
constexpr auto kPointRules = std::to_array<PointRule>({
    {model::CurveKind::price, 4.0, 4.0, 4.0, false},
    {model::CurveKind::throughput, kJump, 4.0, 4.0, true},
    {model::CurveKind::latency, 3.0, 4.0, 10.0, true},
    {model::CurveKind::scaling, kJump, 4.0, kJump, false},
    {model::CurveKind::power, kJump, kAnyFactor, 20.0, false},
    {model::CurveKind::pue, kJump, kJump, kJump, false},
    {model::CurveKind::residual, kJump, kAnyFactor, kJump, false},
});

// What is stored at that place; 0 beyond its ends.
double stored_at(const model::Curve* stored, double x) {
    const bool reaches = stored != nullptr && !stored->x.empty() && x >= stored->x.front() && x <= stored->x.back();
    return reaches ? model::read(*stored, x) : 0.0;
}

// Place and value of the point before it: its own curve's or, beyond the stored end, the last stored one; 0 without one.
std::pair<double, double> point_before(const model::Curve& curve, std::size_t i, const model::Curve* stored) {
    const bool follows = stored != nullptr && !stored->x.empty() && stored->x.back() < curve.x[i];
    if (follows && (i == 0 || curve.x[i - 1] < stored->x.back())) {
        return {stored->x.back(), stored->y.back()};
    }
    return i == 0 ? std::pair(curve.x[0], 0.0) : std::pair(curve.x[i - 1], curve.y[i - 1]);
}

} // namespace

std::string reason_of_curve_points(const model::Curve& curve, const model::Curve* stored) {
    const auto* const rule = std::ranges::find(kPointRules, curve.kind, &PointRule::kind);
    if (rule == kPointRules.end()) {
        return "";
    }
    const auto place = [&](std::size_t i) {
        return curve.axis == model::Axis::date ? model::date_text(curve.x[i]) : fmt::format("{:g}", curve.x[i]);
    };
    for (std::size_t i = 0; i < curve.y.size(); ++i) {
        if (const double was = stored_at(stored, curve.x[i]);
            was > 0.0 && curve.y[i] > 0.0 && is_beyond(curve.y[i] / was, rule->of_stored)) {
            return fmt::format("its {:.4g} at {} is {:.3g} times what is stored there, {:.4g}", curve.y[i], place(i),
                               curve.y[i] / was, was);
        }
        const auto [place_before, before] = point_before(curve, i, stored);
        const bool is_dated = curve.axis == model::Axis::date;
        const double more = rule->grows && place_before > 0.0 ? curve.x[i] / place_before : 1.0;
        const double later = is_dated ? std::exp2((curve.x[i] - place_before) / kDaysOfDoubledPrice) : 1.0;
        const double ratio = before > 0.0 && curve.y[i] > 0.0 ? curve.y[i] / before : 1.0;
        if (ratio >= rule->above_before * more * later || ratio * later <= 1.0 / rule->below_before) {
            return fmt::format("its {:.4g} at {} is {:.3g} times the point before, {:.4g}", curve.y[i], place(i), ratio, before);
        }
    }
    const bool is_power = curve.kind == model::CurveKind::power && !curve.y.empty();
    return is_power && std::ranges::max(curve.y) > kMaxHostWatts
               ? fmt::format("its {:.4g} W are more than any host draws", std::ranges::max(curve.y))
               : "";
}

} // namespace costcurve::ingest
