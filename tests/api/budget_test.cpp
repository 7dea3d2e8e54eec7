// Watched comparisons with a budget, and of one scenario: which events come of recalculations. Without sockets.
#include <gtest/gtest.h>

#include "model/version.hpp"
#include "server/recalculation/recalculate.hpp"
#include "server/recalculation/recalculation.hpp"
#include "server/recalculation/standings.hpp"
#include "tests/api/samples.hpp"
#include "tests/api/test_service.hpp"

namespace costcurve::tests {
namespace {

constexpr double kHoursWatched = 744; // of the month

class Budgets : public testing::Test {
protected:
    void put(const std::string& path, const json& document) {
        const http::Response response = service.ask("PUT", path, document.dump());
        ASSERT_LT(response.status, 300) << response.body;
    }
    json items(const std::string& target) { return json::parse(service.ask("GET", target).body).at("items"); }
    // A scenario whose one instance costs this an hour, and a run of all.
    void priced(const std::string& id, double price, const std::string& currency = "USD") {
        json scenario = json::parse(kSmallest);
        scenario["currency"] = currency;
        scenario["pools"][0]["offer"]["currency"] = currency;
        scenario["pools"][0]["offer"]["hourly_price"] = price;
        put("/v1/scenarios/" + id, scenario);
        run();
    }
    void run() {
        const auto id = std::get<std::int64_t>(service.store.begin_run(
            {"local", ""}, {.scenarios = {}, .schedule = "", .model_version = std::string(model::kModelVersion)}));
        recalculation::execute_run(service.store, id,
                                   {.model_version = std::string(model::kModelVersion),
                                    .recalculate = recalculation::recalculate,
                                    .threads = 1,
                                    .at_end = recalculation::record_end,
                                    .ended = [] {}});
    }
    // What events of a kind say, the oldest first.
    json said(const std::string& kind) {
        json found = json::array();
        for (const json& event : items("/v1/events?kind=" + kind)) {
            found.insert(found.begin(), event.at("data"));
        }
        return found;
    }
    std::size_t exceeded() { return said("budget_exceeded").size(); }

    TestService service;
};

TEST_F(Budgets, AScenarioThatGoesAboveIsAnEventOnceEachTime) {
    priced("a", 1);
    put("/v1/comparisons/rent", {{"scenarios", {"a"}}, {"budget", 2 * kHoursWatched}});
    run();
    priced("a", 2); // the budget itself
    EXPECT_EQ(exceeded(), 0U);
    priced("a", 2.5);
    ASSERT_EQ(exceeded(), 1U);
    const json first = said("budget_exceeded").at(0);
    EXPECT_EQ(first.at("comparison"), "rent");
    EXPECT_EQ(first.at("recalculation"), "4");
    EXPECT_EQ(first.at("scenario"), "a");
    EXPECT_EQ(first.at("objective"), "cost");
    EXPECT_EQ(first.at("currency"), "USD");
    EXPECT_EQ(first.at("budget"), 2 * kHoursWatched);
    EXPECT_NEAR(first.at("before").get<double>(), 2 * kHoursWatched, 1e-9);
    EXPECT_NEAR(first.at("figure").get<double>(), 2.5 * kHoursWatched, 1e-9);
    priced("a", 3);
    run();
    EXPECT_EQ(exceeded(), 1U) << "it was above it before";
    priced("a", 1.5);
    EXPECT_EQ(exceeded(), 1U);
    priced("a", 2.1);
    EXPECT_EQ(exceeded(), 2U);
    EXPECT_NEAR(said("budget_exceeded").at(1).at("before").get<double>(), 1.5 * kHoursWatched, 1e-9);
    const json standing = items("/v1/comparisons/rent/standings").at(0);
    EXPECT_EQ(standing.at("budget"), 2 * kHoursWatched);
    EXPECT_EQ(standing.at("scenarios").at(0).at("over_budget"), true);
    EXPECT_EQ(items("/v1/events?kind=budget_exceeded").at(0).at("subject"), "comparison/rent");
}

TEST_F(Budgets, AnotherBudgetOrCurrencyIsJudgedAfresh) {
    priced("a", 3);
    put("/v1/comparisons/rent", {{"scenarios", {"a"}}, {"budget", 2 * kHoursWatched}});
    run();
    ASSERT_EQ(exceeded(), 1U) << "from the first";
    EXPECT_EQ(said("budget_exceeded").at(0).at("before"), nullptr);
    put("/v1/comparisons/rent", {{"scenarios", {"a"}}, {"budget", 4 * kHoursWatched}});
    run();
    EXPECT_EQ(exceeded(), 1U);
    put("/v1/comparisons/rent", {{"scenarios", {"a"}}, {"budget", 2.5 * kHoursWatched}});
    run();
    ASSERT_EQ(exceeded(), 2U);
    EXPECT_NEAR(said("budget_exceeded").at(1).at("before").get<double>(), 3 * kHoursWatched, 1e-9);
    put("/v1/comparisons/rent", {{"scenarios", {"a"}}, {"budget", 2 * kHoursWatched}});
    run();
    EXPECT_EQ(exceeded(), 3U);
    priced("a", 3, "EUR");
    ASSERT_EQ(exceeded(), 4U);
    EXPECT_EQ(said("budget_exceeded").at(3).at("currency"), "EUR");
    EXPECT_EQ(said("budget_exceeded").at(3).at("before"), nullptr) << "it was in another";
    put("/v1/comparisons/rent", {{"scenarios", {"a"}}});
    run();
    EXPECT_EQ(exceeded(), 4U);
    EXPECT_FALSE(items("/v1/comparisons/rent/standings").at(0).contains("budget"));
}

TEST_F(Budgets, AFigureThatIsNotKnownIsInNone) {
    priced("a", 1);
    put("/v1/comparisons/rent", {{"scenarios", {"a"}}, {"objective", "energy_kwh"}, {"budget", 1}});
    run();
    EXPECT_EQ(exceeded(), 0U);
    EXPECT_FALSE(items("/v1/comparisons/rent/standings").at(0).at("scenarios").at(0).contains("over_budget"));
    json scenario = json::parse(kSmallest);
    scenario["pools"][0]["offer"]["site"] = {{"energy_price", 0.1}};
    put("/v1/scenarios/a", scenario);
    run();
    ASSERT_EQ(exceeded(), 1U);
    EXPECT_EQ(said("budget_exceeded").at(0).at("currency"), nullptr) << "energy has none";
    EXPECT_EQ(said("budget_exceeded").at(0).at("before"), nullptr);
}

// Of two months against one nothing is the cheapest, and each has its cost.
TEST_F(Budgets, AreOfEachScenarioComparableOrNot) {
    priced("a", 1);
    json longer = json::parse(kSmallest);
    longer["months"] = 2;
    put("/v1/scenarios/b", longer);
    put("/v1/comparisons/rent", {{"scenarios", {"a", "b"}}, {"budget", 2 * kHoursWatched}});
    run();
    EXPECT_EQ(items("/v1/comparisons/rent/standings").at(0).at("cheapest"), nullptr);
    ASSERT_EQ(exceeded(), 1U);
    EXPECT_EQ(said("budget_exceeded").at(0).at("scenario"), "b");
}

TEST_F(Budgets, OneScenarioHasThePriceChangesOfAComparison) {
    priced("a", 100);
    put("/v1/comparisons/rent", {{"scenarios", {"a"}}, {"threshold_fraction", 0.05}});
    for (const double price : {100.0, 104.0, 106.0, 110.0}) {
        priced("a", price);
    }
    const json changes = said("comparison_changed");
    ASSERT_EQ(changes.size(), 1U);
    EXPECT_NEAR(changes[0].at("before").at("figure").get<double>(), 100 * kHoursWatched, 1e-9);
    EXPECT_NEAR(changes[0].at("now").at("figure").get<double>(), 106 * kHoursWatched, 1e-9);
    EXPECT_TRUE(said("comparison_flipped").empty());
}

} // namespace
} // namespace costcurve::tests
