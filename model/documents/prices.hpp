// The prices that a scenario reads, and how old they are.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/documents/documents.hpp"
#include "model/documents/failure.hpp"

namespace costcurve::model {

/// The provider of offers that stand for a level of the market: many sellers' prices, at which none sells.
inline constexpr std::string_view kMarket = "market";

/// An offer's price by the hour, a hosted model's by the unit, of input and output apart where they are, or a server's.
struct PriceRead {
    std::string pointer;                      ///< in the scenario
    const Rate* price;                        ///< null of a server: a number
    std::string_view currency;                ///< of the document that it stands in; "" for the scenario's
    std::optional<double> day = std::nullopt; ///< since 1970, of a number that states it
    /// It is of some day: stated, or of a curve over date with points.
    [[nodiscard]] bool is_dated() const {
        return day || (price != nullptr && price->curve && price->curve->axis == Axis::date && !price->curve->x.empty());
    }
    [[nodiscard]] double first_day() const { return day ? *day : price->curve->x.front(); } ///< where is_dated
    [[nodiscard]] double last_day() const { return day ? *day : price->curve->x.back(); }
};
[[nodiscard]] std::vector<PriceRead> prices_read(const ScenarioDocument& scenario);
/// The prices of one pool, whose pointer is `at`; of an owned one its server's price where a purchase is made at that.
[[nodiscard]] std::vector<PriceRead> prices_read(const Pool& pool, const std::string& at);

/// The day of what a pool pays, and the source.
struct PriceOrigin {
    /// YYYY-MM-DD of the price in force when the horizon starts, or of the first price where all are later; of several prices
    /// the oldest. Nothing where one of them has no known day.
    std::optional<std::string> day;
    std::string
        source; ///< of the offer, the endpoint, the server or the pool, else of a stored curve of prices; "" where none is stated
};
[[nodiscard]] PriceOrigin price_origin(const Pool& pool, YearMonth start);
/// The day of the price origin, from some prices; nothing where there are none.
[[nodiscard]] std::optional<std::string> price_day(const std::vector<PriceRead>& prices, YearMonth start);

/// The currency of a price in a document of that currency: the curve's own, if it states one.
[[nodiscard]] const std::string& currency_of(const Rate& price, const std::string& of_document);

/// The day of the oldest last point of those that have a history, as YYYY-MM-DD; nothing where none has.
[[nodiscard]] std::optional<std::string> oldest_price(const ScenarioDocument& scenario);

/// Whether a rate of money is a stored curve that states no currency.
[[nodiscard]] bool lacks_currency(const Rate& rate);
/// Whether the pool is paid by a stored curve of money that states no currency: its figures are assumed.
[[nodiscard]] bool has_unknown_currency(const Pool& pool);
/// Stored curves of money that are named and state no currency: they are read in that of the document that names them.
[[nodiscard]] std::vector<Issue> currency_warnings(const ScenarioDocument& scenario);

/// Prices that are read more than 365 days after their last point, or before their first; and, once, that some have no date.
[[nodiscard]] std::vector<Issue> price_warnings(const ScenarioDocument& scenario);

} // namespace costcurve::model
