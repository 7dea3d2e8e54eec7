// Maps whose boundary is known: two prices, the lower of which wins.
#include "model/questions/map.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "tests/model/close.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::tests {
namespace {

using model::MapQuestion;

constexpr double kMapHours = 744; // of the month

// One instance of the first pool at price x, or one of the second at price y: the first pool of that one is idle.
std::vector<model::Placed> two_offers() {
    model::ScenarioDocument second = cloud_scenario();
    second.pools.push_back(second.pools.front());
    second.pools[0].id = "idle";
    return {{cloud_scenario(), "/scenarios/0"}, {second, "/scenarios/1"}};
}

MapQuestion map_question() {
    return {{"/pools/0/offer/hourly_price", "/x", {1, 3, 9}}, {"/pools/1/offer/hourly_price", "/y", {2, 4}}, "/total/cost"};
}

model::Result<model::CheapestMap> mapped(const MapQuestion& asked, const model::Runner& runner = model::one_by_one()) {
    return model::map_cheapest(two_offers(), asked, runner);
}

TEST(Map, TheLowerOfTwoPricesIsTheCheapest) {
    const auto map = mapped(map_question()).value();
    using Row = std::vector<std::optional<std::size_t>>;
    EXPECT_EQ(map.cheapest, (std::vector<Row>{Row{0, 1, 1}, Row{0, 0, 1}}));
    for (std::size_t y = 0; y < 2; ++y) {
        for (std::size_t x = 0; x < 3; ++x) {
            EXPECT_TRUE(is_close(*map.values[0][y][x], kMapHours * map_question().x.values[x]));
            EXPECT_TRUE(is_close(*map.values[1][y][x], kMapHours * map_question().y.values[y]));
        }
    }
    EXPECT_EQ(map.x_unit, "USD/instance-hour");
    EXPECT_EQ(map.output_unit, "USD");
    EXPECT_EQ(map.failed, 0U);
}

// A price by date takes a factor, a stated price takes USD: the same value would mean another thing in each.
TEST(Map, ANumberHereAndACurveThereAreRefused) {
    std::vector<model::Placed> mixed = two_offers();
    mixed[1].document.pools[0].offer->hourly_price = curve(model::CurveKind::price, model::Axis::date, {10000, 30000}, {2, 2});
    const auto map = model::map_cheapest(mixed, map_question(), model::one_by_one());
    ASSERT_FALSE(map);
    EXPECT_EQ(map.error().front().pointer, "/x/pointer");
    EXPECT_EQ(map.error().front().code, model::Code::inconsistent);
    MapQuestion by_factor = map_question();
    by_factor.x.pointer = "/pools/*/offer/hourly_price";
    EXPECT_EQ(model::map_cheapest(mixed, by_factor, model::one_by_one()).value().x_unit, "factor");
}

TEST(Map, TheBoundaryIsWhereThePricesAreEqual) {
    const auto map = mapped(map_question()).value();
    ASSERT_EQ(map.boundary.size(), 3U); // between columns of each row, and between rows at x = 3
    const std::size_t cheaper_before[] = {0, 1, 0};
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_TRUE(is_close(map.boundary[i].x, 2.0 + static_cast<double>(i)));
        EXPECT_TRUE(is_close(map.boundary[i].y, map.boundary[i].x));
        EXPECT_EQ(map.boundary[i].between[0], cheaper_before[i]);
        EXPECT_EQ(map.boundary[i].between[1], 1 - cheaper_before[i]);
    }
}

TEST(Map, OfScenariosThatTieTheFirstIsTheCheapest) {
    MapQuestion asked = map_question();
    asked.x.values = {2};
    EXPECT_EQ(mapped(asked).value().cheapest[0][0], 0U);
}

TEST(Map, RoundingMakesNoCheaperOneAndNoBoundary) {
    MapQuestion asked = map_question();
    asked.x.values = {2.0, 2.0 * (1 + 1e-14), 2.0 * (1 - 1e-14)};
    asked.y.values = {2.0};
    const auto map = mapped(asked).value();
    using Row = std::vector<std::optional<std::size_t>>;
    EXPECT_EQ(map.cheapest, (std::vector<Row>{Row{0, 0, 0}}));
    EXPECT_TRUE(map.boundary.empty());
}

using CheapestRow = std::vector<std::optional<std::size_t>>;
MapQuestion over_demand() {
    return {{"/workloads/0/demand/mean_per_s", "/x", {1, 2, 3}}, {"/pools/0/offer/hourly_price", "/y", {2}}, "/total/cost"};
}

TEST(Map, WhereAnInputMovesTheWorkOfOneAloneACellHasNoCheapest) {
    model::ScenarioDocument first = cloud_scenario();
    first.workloads[0].demand.mean_per_s = 2;
    first.workloads.push_back(first.workloads[0]);
    first.workloads[1].id = "other";
    model::ScenarioDocument second = first; // its workloads are in another order: each axis value moves another one
    std::swap(second.workloads[0], second.workloads[1]);
    const auto map = map_cheapest({{first, "/scenarios/0"}, {second, "/scenarios/1"}}, over_demand(), model::one_by_one()).value();
    EXPECT_EQ(map.cheapest[0], (CheapestRow{std::nullopt, 0, std::nullopt}));
    EXPECT_EQ(map.same_work[0], (std::vector<char>{0, 1, 0}));
    EXPECT_TRUE(map.differences.empty());
    MapQuestion nowhere = over_demand();
    nowhere.x.values = {1, 3};
    const auto none = map_cheapest({{first, "/scenarios/0"}, {second, "/scenarios/1"}}, nowhere, model::one_by_one()).value();
    ASSERT_EQ(none.differences.size(), 2U);
    EXPECT_EQ(none.differences[0].what, "workload chat: units demanded");
    EXPECT_EQ(none.differences[0].scenario, 1U);
}

TEST(Map, AnAxisThatGivesAllTheSameWorkMakesThemComparable) {
    model::ScenarioDocument other = cloud_scenario();
    other.workloads[0].demand.mean_per_s = 2;
    const auto map =
        map_cheapest({{cloud_scenario(), "/scenarios/0"}, {other, "/scenarios/1"}}, over_demand(), model::one_by_one()).value();
    EXPECT_EQ(map.cheapest[0], (CheapestRow{0, 0, 0}));
    EXPECT_TRUE(map.differences.empty());
}

TEST(Map, WhatLeavesWorkUndoneOrIsNotKnownIsNeverTheCheapest) {
    model::ScenarioDocument small = cloud_scenario(); // the cheaper by the number from 2 requests/s on
    small.pools[0].max_instances = 1;
    model::ScenarioDocument large = cloud_scenario();
    large.pools[0].max_instances = 2;
    auto map = map_cheapest({{large, "/scenarios/0"}, {small, "/scenarios/1"}}, over_demand(), model::one_by_one()).value();
    EXPECT_EQ(map.cheapest[0], (CheapestRow{0, 0, std::nullopt}));
    EXPECT_LT(map.values[1][0][1], map.values[0][0][1]);
    EXPECT_EQ(map.feasible[1][0], (std::vector<char>{1, 0, 0}));
    EXPECT_TRUE(map.boundary.empty());
    small.pools[0].max_instances = 10;
    model::ScenarioDocument known = owned_scenario();
    known.pools[0].site->carbon_g_per_kwh = flat(400);
    MapQuestion carbon = over_demand();
    carbon.x.values = {0.5};
    carbon.output = "/total/carbon_kg";
    map = map_cheapest({{small, "/scenarios/0"}, {known, "/scenarios/1"}}, carbon, model::one_by_one()).value();
    EXPECT_EQ(map.cheapest[0][0], 1U);
}

TEST(Map, WhatLeavesWorkUndoneIsTheCheapestWhereThatIsIgnored) {
    model::ScenarioDocument small = cloud_scenario(); // at a quarter more, and of one instance: as dear at 1.25 requests/s
    small.pools[0].max_instances = 1;
    small.pools[0].offer->hourly_price = flat(4.5);
    model::ScenarioDocument over = owned_scenario(); // nearly for nothing, and beyond its site's power
    over.pools[0].server->price = 0.01;
    over.pools[0].site->max_kw = 0.1;
    MapQuestion asked = over_demand();
    asked.y = {"/finance/tax_rate", "/y", {0}};
    asked.x.values = {1, 3};
    asked.ignore_unserved = true;
    const std::vector<model::Placed> scenarios = {{cloud_scenario(), "/scenarios/0"}, {small, "/scenarios/1"}};
    auto map = map_cheapest(scenarios, asked, model::one_by_one()).value();
    EXPECT_EQ(map.cheapest[0], (CheapestRow{0, 1}));
    EXPECT_EQ(map.feasible[1][0], (std::vector<char>{1, 0})) << "as it is";
    ASSERT_EQ(map.boundary.size(), 1U);
    EXPECT_NEAR(map.boundary[0].x, 1.25, 1e-9);
    map = map_cheapest({scenarios[0], {over, "/scenarios/1"}}, asked, model::one_by_one()).value();
    EXPECT_LT(map.values[1][0][1], map.values[0][0][1]);
    EXPECT_EQ(map.cheapest[0], (CheapestRow{0, 0})) << "power is no choice";
}

TEST(Map, WhereOneCanNoLongerDoItsWorkIsNoPlaceOfEqualCost) {
    model::ScenarioDocument small = cloud_scenario(); // at half the price, as far as it goes
    small.pools[0].max_instances = 1;
    small.pools[0].offer->hourly_price = flat(1.8);
    MapQuestion asked = over_demand();
    asked.y = {"/finance/tax_rate", "/y", {0}};
    const auto map =
        map_cheapest({{small, "/scenarios/0"}, {cloud_scenario(), "/scenarios/1"}}, asked, model::one_by_one()).value();
    EXPECT_EQ(map.cheapest[0], (CheapestRow{0, 1, 1}));
    EXPECT_TRUE(map.boundary.empty());
}

TEST(Map, IsTheSameOnAnyNumberOfWorkers) {
    MapQuestion asked = map_question();
    for (int i = 0; i < 40; ++i) {
        asked.x.values.push_back(i * 0.1);
    }
    const auto one = mapped(asked).value();
    const model::Runner backwards{3, [](std::size_t count, const model::Task& task) {
                                      for (std::size_t i = count; i-- > 0;) {
                                          task(i % 3, i);
                                      }
                                      return true;
                                  }};
    const auto other = mapped(asked, backwards).value();
    EXPECT_EQ(one.cheapest, other.cheapest);
    EXPECT_EQ(one.values, other.values);
}

TEST(Map, ACellInWhichNothingCanBeEvaluatedIsEmpty) {
    MapQuestion asked = map_question();
    asked.y = {"/pools/0/min_instances", "/y", {0, 20}}; // more than max_instances, in both
    const auto map = mapped(asked).value();
    EXPECT_TRUE(map.cheapest[0][0]);
    EXPECT_FALSE(map.cheapest[1][0]);
    EXPECT_FALSE(map.values[0][1][0]);
    EXPECT_EQ(map.failed, 6U);
    EXPECT_EQ(map.first_failure->code, model::Code::inconsistent);
    EXPECT_EQ(map.first_failure->pointer, "/scenarios/0/pools/0/min_instances");
    asked.y.values = {20};
    EXPECT_FALSE(mapped(asked));
}

TEST(Map, WhatIsWrongIsSaidAtOnce) {
    MapQuestion asked = map_question();
    asked.y.pointer = "/nothing";
    asked.output = "/total/costs";
    const auto unknown = mapped(asked);
    ASSERT_FALSE(unknown);
    ASSERT_EQ(unknown.error().size(), 2U);
    EXPECT_EQ(unknown.error()[0].pointer, "/y/pointer");
    EXPECT_EQ(unknown.error()[1].pointer, "/output");
    asked = map_question();
    asked.x.values = {1, -1, -2};
    asked.y = {asked.x.pointer, "/y", {1}};
    const auto outside = mapped(asked);
    ASSERT_FALSE(outside);
    ASSERT_EQ(outside.error().size(), 3U);
    EXPECT_EQ(outside.error()[0].pointer, "/x/values/1");
    EXPECT_EQ(outside.error()[1].code, model::Code::out_of_range);
    EXPECT_EQ(outside.error()[2].code, model::Code::duplicate);
}

TEST(Map, ARunnerThatIsToldToStopLeavesNoAnswerAndNoIssue) {
    const auto answer = mapped(map_question(), {1, [](std::size_t /*count*/, const model::Task& /*task*/) { return false; }});
    ASSERT_FALSE(answer);
    EXPECT_TRUE(answer.error().empty());
}

TEST(Map, OutagesThatMakeAnOutputRiseAndFallAreSaid) {
    model::ScenarioDocument failing = cloud_scenario();
    failing.pools[0].offer->interruptions_per_hour = 0.1;
    failing.workloads[0].checkpoint.restart_s = 3600;
    const MapQuestion question{{"/workloads/0/demand/mean_per_s", "/x", {0.5, 1.0, 1.2}},
                               {"/pools/0/offer/hourly_price", "/y", {1, 2}},
                               "/by_workload/chat/units_lost_to_outages"};
    const auto map =
        model::map_cheapest({{failing, "/scenarios/0"}, {cloud_scenario(), "/scenarios/1"}}, question, model::one_by_one()).value();
    ASSERT_EQ(map.turns.size(), 1U) << "one scenario fails, along x alone";
    EXPECT_EQ(map.turns[0].scenario, 0U);
    EXPECT_TRUE(map.turns[0].is_along_x);
    EXPECT_EQ(map.turns[0].x, 1.0);
    EXPECT_EQ(map.turns[0].y, 1.0);
}

} // namespace
} // namespace costcurve::tests
