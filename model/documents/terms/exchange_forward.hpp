// Exchange rates by month: forward curves in place of one rate for the whole horizon.
#pragma once

#include <string>

#include "model/documents/curve.hpp"

namespace costcurve::model {

/// Units of the scenario's currency for one of `currency` by date, read at the first day of each month; beyond the last point the
/// last holds.
struct ExchangeForward {
    std::string currency;
    Curve rates;
    friend bool operator==(const ExchangeForward&, const ExchangeForward&) = default;
};

} // namespace costcurve::model
