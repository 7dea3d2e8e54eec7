// Units, prices and weights by class.
#include "model/performance/classes.hpp"

#include <numeric>

namespace costcurve::model {

namespace {

// The class whose price a class has that states none; its own where there is none.
constexpr auto kKin =
    std::to_array<UnitClass>({UnitClass::input, UnitClass::input, UnitClass::input, UnitClass::output, UnitClass::output});
static_assert(kKin.size() == kUnitClasses);

} // namespace

ClassValues units_by_class(const UnitsPerRequest& units) {
    if (!units.split) {
        return {units.total};
    }
    return {units.input, units.cached_input, units.cache_write, units.output, units.reasoning};
}

double units_of_request(const UnitsPerRequest& units) {
    const ClassValues values = units_by_class(units);
    return std::accumulate(values.begin(), values.end(), 0.0);
}

const Rate* price_of(const UnitPrice& price, UnitClass unit_class) {
    if (!price.split) {
        return &price.total;
    }
    for (const UnitClass from : {unit_class, kKin[static_cast<std::size_t>(unit_class)]}) {
        if (const std::optional<Rate>& found = price[from]) {
            return &*found;
        }
    }
    return nullptr;
}

ClassValues cost_weights_of(const Workload& workload) {
    const double out = workload.output_cost_ratio;
    return weights_of(workload.cost_weights, {1.0, 0.0, 0.0, out, out});
}

ClassValues weights_of(const ClassWeights& stated, ClassValues defaults) {
    for (std::size_t c = 0; c < kUnitClasses; ++c) {
        defaults[c] = stated[static_cast<UnitClass>(c)].value_or(defaults[c]);
    }
    return defaults;
}

double weighted(const ClassValues& units, const ClassValues& weights) {
    return std::inner_product(units.begin(), units.end(), weights.begin(), 0.0);
}

} // namespace costcurve::model
