// Converts all amounts of a scenario's documents to the scenario's currency, at one exchange rate or at each month's.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/rules.hpp"

namespace costcurve::model {

/// Converts all amounts of the pools' documents at exchange_rates, or at the first month's rate of exchange_forwards. Later rates
/// relative to the first are kept in `stored.exchange_index`. Reports missing rates, and warns about amounts that stay at the first
/// rate.
void exchange_all(ScenarioDocument& scenario, Rules& rules);

/// Units of the scenario's currency for one unit of `currency`, in the first month; empty if the scenario states no rate. 1 for the
/// scenario's own currency and for "".
[[nodiscard]] std::optional<double> exchange_rate(const std::string& currency, const ScenarioDocument& scenario);

/// The rate of a month / the first month's rate; 1 without forwards, and for months before the horizon.
[[nodiscard]] double at_rate_of(const std::vector<double>& exchange_index, int month);

/// at_rate_of for a document's currency.
template <class T> [[nodiscard]] double later_rate(const T& document, std::size_t month) {
    return at_rate_of(document.stored.exchange_index, static_cast<int>(month));
}

/// The exchange index of a hosted model's prices; empty for prices that the pool states itself.
[[nodiscard]] inline std::vector<double> exchange_index_of(const Pool& pool) {
    return pool.endpoint ? pool.endpoint->stored.exchange_index : std::vector<double>();
}

/// Multiplies `amounts`, by month of the horizon, by each month's relative rate.
void exchange_by_month(const std::vector<double>& exchange_index, std::vector<double>& amounts);

} // namespace costcurve::model
