// A default resale curve by age, and a median of recent spot prices.
#include "model/questions/rank/usual_prices.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

namespace costcurve::model {

Rate default_resale() {
    Curve curve;
    curve.kind = CurveKind::residual;
    curve.axis = Axis::age_months;
    curve.outside = Outside::hold;
    curve.x = {0, 12, 24, 36, 48, 60, 84};
    curve.y = {1, 0.65, 0.42, 0.27, 0.18, 0.1, 0};
    return {0.0, std::move(curve)};
}

Rate usual_price(const Rate& price) {
    constexpr double kDays = 90.0;
    if (!price.curve || price.curve->axis != Axis::date) {
        return price;
    }
    Rate usual = price;
    Curve& curve = *usual.curve;
    const auto first = std::upper_bound(curve.x.begin(), curve.x.end(), curve.x.back() - kDays) - curve.x.begin();
    std::vector<double> last(curve.y.begin() + first, curve.y.end());
    std::sort(last.begin(), last.end());
    const std::size_t middle = last.size() / 2;
    curve.y.back() = last.size() % 2 == 1 ? last[middle] : std::midpoint(last[middle - 1], last[middle]);
    return usual;
}

} // namespace costcurve::model
