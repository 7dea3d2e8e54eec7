// Cost variance by price, volume and efficiency, as far as both sides are known.
#include "server/actuals/variance.hpp"

namespace costcurve::actuals {

CostVariance cost_variance(const Performed& planned, const Performed& actual) {
    CostVariance variance;
    if (!planned.cost || !actual.cost) {
        variance.missing = planned.cost ? "the actual cost is not known" : "the planned cost is not known";
        return variance;
    }
    variance.total = *actual.cost - *planned.cost;
    if (!planned.device_hours || *planned.device_hours <= 0.0) {
        variance.missing = "no device-hours are planned, so there is no planned price of one";
        return variance;
    }
    if (!actual.device_hours) {
        variance.missing = "the actual device-hours are not known, so price and volume can't be told apart";
        return variance;
    }
    const double price = *planned.cost / *planned.device_hours;
    variance.price = *actual.cost - price * *actual.device_hours;
    if (!planned.units || *planned.units <= 0.0 || !actual.units) {
        variance.missing = actual.units ? "no work is planned, so efficiency is not known; volume is that of hours"
                                        : "the actual work is not known, so efficiency is not; volume is that of hours";
        variance.volume = (*actual.device_hours - *planned.device_hours) * price;
        return variance;
    }
    const double hours_per_unit = *planned.device_hours / *planned.units;
    variance.efficiency = (*actual.device_hours - hours_per_unit * *actual.units) * price;
    variance.volume = (*actual.units - *planned.units) * hours_per_unit * price;
    return variance;
}

} // namespace costcurve::actuals
