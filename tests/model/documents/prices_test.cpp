// Of which day prices are, and who states them.
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "model/documents/calendar.hpp"
#include "model/documents/prices.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using tests::flat;

Rate dated(std::vector<double> days) {
    std::vector<double> prices(days.size(), 1.0);
    return tests::curve(CurveKind::price, Axis::date, std::move(days), std::move(prices), Interpolation::step);
}
double day(int year, int month, int of_month) { return days_since_epoch(year, month, of_month); }

constexpr YearMonth kMarch{2026, 3};

TEST(PriceOrigin, IsTheOldestDayInForceAtTheStart) {
    Pool pool = tests::api_scenario().pools[0];
    pool.price_per_million_units.reset();
    Endpoint& endpoint = pool.endpoint.emplace();
    endpoint.source = "a price list";
    endpoint.price_per_million_units =
        tests::in_and_out(dated({day(2025, 12, 1), day(2026, 2, 10), day(2026, 6, 1)}), dated({day(2026, 1, 5), day(2026, 4, 1)}));
    EXPECT_EQ(price_origin(pool, kMarch).day, "2026-01-05") << "of output; that of input is of February";
    EXPECT_EQ(price_origin(pool, kMarch).source, "a price list");
    EXPECT_EQ(price_origin(pool, {2027, 1}).day, "2026-04-01");
    EXPECT_EQ(price_origin(pool, {2025, 1}).day, "2025-12-01") << "before the first, of that";
    endpoint.service_tiers.emplace().flex.emplace().price_per_million_units = tests::one_price(dated({day(2025, 11, 1)}));
    EXPECT_EQ(price_origin(pool, kMarch).day, "2025-11-01") << "of a tier";
    endpoint.fees.emplace().request = flat(0.01);
    EXPECT_EQ(price_origin(pool, kMarch).day, std::nullopt) << "a number has no day";
}

TEST(PriceOrigin, IsUnknownWhereNothingIsStated) {
    Pool pool = tests::api_scenario().pools[0];
    pool.price_per_million_units = tests::one_price(dated({0.0, day(2026, 6, 1)}));
    EXPECT_EQ(price_origin(pool, kMarch).day, std::nullopt) << "a number that was there before dated prices";
    EXPECT_EQ(price_origin(pool, {2026, 7}).day, "2026-06-01");
    EXPECT_EQ(price_origin(pool, kMarch).source, "");
    pool.source = "by hand";
    EXPECT_EQ(price_origin(pool, kMarch).source, "by hand");
    Pool rented = tests::cloud_scenario().pools[0];
    rented.offer->source = "";
    rented.offer->hourly_price = dated({day(2026, 2, 1)});
    rented.offer->hourly_price.curve->source = "a stored curve";
    EXPECT_EQ(price_origin(rented, kMarch).day, "2026-02-01");
    EXPECT_EQ(price_origin(rented, kMarch).source, "a stored curve");
    Pool owned = tests::owned_scenario().pools[0];
    owned.server->source = "a quote";
    EXPECT_EQ(price_origin(owned, kMarch).day, std::nullopt);
    EXPECT_EQ(price_origin(owned, kMarch).source, "a quote");
}

TEST(PriceOrigin, OfAServerIsTheDayThatItStates) {
    ScenarioDocument document = tests::owned_scenario();
    document.start = kMarch;
    const auto codes = [&] {
        std::vector<Code> found;
        for (const Issue& warning : price_warnings(document)) {
            found.push_back(warning.code);
        }
        return found;
    };
    EXPECT_EQ(codes(), std::vector{Code::undated_price});
    EXPECT_EQ(oldest_price(document), std::nullopt);
    document.pools[0].server->price_date.text = "2025-09-30";
    EXPECT_EQ(codes(), std::vector<Code>{});
    EXPECT_EQ(oldest_price(document), "2025-09-30");
    EXPECT_EQ(price_origin(document.pools[0], kMarch).day, "2025-09-30");
    document.pools[0].server->price_date.text = "2025-02-28";
    EXPECT_EQ(codes(), std::vector{Code::stale_price}) << "366 days";
    for (ServerPurchase& purchase : document.pools[0].purchases) {
        purchase.price = 1000;
    }
    EXPECT_EQ(codes(), std::vector<Code>{}) << "what is bought at its own price reads none of the server's";
}

} // namespace
} // namespace costcurve::model
