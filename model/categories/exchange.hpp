// One currency: what each document of a scenario states becomes the scenario's, at one rate or at each month's.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/rules.hpp"

namespace costcurve::model {

/// Converts all money of pools' documents at exchange_rates, or at the rate that exchange_forwards have in the first month, and
/// keeps in `stored.exchange_index` what later months' rates are over it. Says which rates lack, and what of a document keeps the
/// first.
void exchange_all(ScenarioDocument& scenario, Rules& rules);

/// Units of the scenario's currency for one of `currency`, in its first month; nothing where it states none. 1 of its own, and of
/// "".
[[nodiscard]] std::optional<double> exchange_rate(const std::string& currency, const ScenarioDocument& scenario);

/// The rate of a month over the first's: 1 where one holds. Months before the start are at the first's, as those are past.
[[nodiscard]] double at_rate_of(const std::vector<double>& exchange_index, int month);

/// Of a document's currency.
template <class T> [[nodiscard]] double later_rate(const T& document, std::size_t month) {
    return at_rate_of(document.stored.exchange_index, static_cast<int>(month));
}

/// That of a hosted model's prices.
[[nodiscard]] inline std::vector<double> exchange_index_of(const Pool& pool) {
    return pool.endpoint ? pool.endpoint->stored.exchange_index : std::vector<double>();
}

/// Amounts by month of the horizon, each at its rate.
void exchange_by_month(const std::vector<double>& exchange_index, std::vector<double>& amounts);

} // namespace costcurve::model
