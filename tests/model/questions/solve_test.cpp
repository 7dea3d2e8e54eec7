// Inverse questions whose answer is known: linear costs, steps of whole instances, targets out of reach.
#include "model/questions/solve.hpp"

#include <gtest/gtest.h>

#include "tests/support/scenarios.hpp"

namespace costcurve::tests {
namespace {

using model::Alternatives;

constexpr double kMonth = 744 * 3.6; // of an instance

model::Result<model::Solved> solved(const char* input, double low, double high, const char* output, double target) {
    Alternatives scenario({{cloud_scenario(), "/scenario"}});
    return model::solve(scenario, {input, "/input", low, high, output, "/output", target, "/target"});
}

TEST(Solve, ThePriceThatGivesACostIsTheCostOverTheHours) {
    const auto answer = solved("/pools/0/offer/hourly_price", 0.0, 100.0, "/total/cost", 1000.0).value();
    ASSERT_EQ(answer.solutions.size(), 1U);
    EXPECT_NEAR(answer.solutions[0].value, 1000.0 / 744, 1e-12);
    EXPECT_NEAR(answer.solutions[0].output, 1000.0, 1e-9);
    EXPECT_TRUE(answer.solutions[0].is_exact);
    EXPECT_EQ(answer.unit, "USD/instance-hour");
    EXPECT_EQ(answer.output_unit, "USD");
}

TEST(Solve, ACostBetweenOneInstanceAndTwoIsAJump) {
    const auto answer = solved("/workloads/0/demand/mean_per_s", 0.5, 1.9, "/total/cost", 1.5 * kMonth).value();
    ASSERT_EQ(answer.solutions.size(), 1U);
    EXPECT_NEAR(answer.solutions[0].value, 1.0, 1e-8);
    EXPECT_FALSE(answer.solutions[0].is_exact);
}

TEST(Solve, WholeInputsAreAnsweredInWholeNumbers) {
    model::ScenarioDocument document = cloud_scenario();
    document.pools[0].max_instances = 100;
    Alternatives scenario({{document, "/scenario"}});
    const auto wide =
        model::solve(scenario, {"/pools/0/min_instances", "/input", 0, 100, "/total/cost", "/output", 6.5 * kMonth, "/target"})
            .value();
    ASSERT_EQ(wide.solutions.size(), 1U);
    EXPECT_EQ(wide.solutions[0].value, 7.0);
    EXPECT_DOUBLE_EQ(wide.solutions[0].output, 7 * kMonth);
}

TEST(Solve, OfAStretchThatGivesTheOutputBothEndsAreAnswers) {
    model::ScenarioDocument document = cloud_scenario();
    document.workloads[0].demand.mean_per_s = 10.0;
    document.workloads[0].peak_utilization = 1.0;
    document.pools[0].max_instances = 10;
    const auto ends = [&](const char* input, double low, double high) {
        Alternatives scenario({{document, "/scenario"}});
        const auto answer =
            model::solve(scenario, {input, "/input", low, high, "/by_workload/chat/units_unserved", "/output", 0.0, "/target"});
        return std::pair(answer->solutions.front().value, answer->solutions.back().value);
    };
    EXPECT_EQ(ends("/pools/0/max_instances", 0, 100), std::pair(10.0, 100.0));
    EXPECT_EQ(ends("/pools/0/max_instances", 0, 57), std::pair(10.0, 57.0));
    EXPECT_EQ(ends("/workloads/0/demand/mean_per_s", 1, 20).first, 1.0);
    EXPECT_NEAR(ends("/workloads/0/demand/mean_per_s", 1, 20).second, 10.0, 1e-7);
}

TEST(Solve, AnswersOnlyValuesThatKeepTheRules) {
    model::ScenarioDocument document = cloud_scenario();
    document.pools[0].offer->purchase = model::Purchase::committed;
    document.pools[0].offer->term_months = 1;
    document.pools[0].min_instances = document.pools[0].max_instances = 12; // of a commitment both are the same
    Alternatives scenario({{document, "/scenario"}});
    const double cost = scenario.evaluate(0).value()->summary.total.cost;
    const auto answer =
        model::solve(scenario, {"/pools/0/min_instances", "/input", 0, 30, "/total/cost", "/output", cost, "/target"}).value();
    ASSERT_EQ(answer.solutions.size(), 1U);
    EXPECT_EQ(answer.solutions[0].value, 12.0);
}

TEST(Solve, ATargetOutOfReachSaysHowFarTheOutputGoes) {
    const auto answer = solved("/pools/0/offer/hourly_price", 1.0, 2.0, "/total/cost", 5000.0);
    ASSERT_FALSE(answer);
    ASSERT_EQ(answer.error().size(), 1U);
    EXPECT_EQ(answer.error()[0].pointer, "/target");
    EXPECT_NE(answer.error()[0].message.find("from 744 to 1488 USD"), std::string::npos) << answer.error()[0].message;
}

TEST(Solve, OfWholeInputsTheEndsAreWhole) {
    const auto answer = solved("/pools/0/max_instances", 0.5, 10.0, "/total/cost", 5000.0);
    ASSERT_FALSE(answer);
    ASSERT_EQ(answer.error().size(), 1U);
    EXPECT_EQ(answer.error()[0].message, "/pools/0/max_instances takes whole numbers; 0.5 is not a whole number");
}

TEST(Solve, AllThatIsWrongIsSaidAtOnce) {
    const auto answer = solved("/nowhere", 1.0, 2.0, "/total/coin", 5000.0);
    ASSERT_FALSE(answer);
    ASSERT_EQ(answer.error().size(), 2U);
    EXPECT_EQ(answer.error()[0].pointer, "/input");
    EXPECT_EQ(answer.error()[1].pointer, "/output");
}

// A replica is up in 1/1.1 of its time: alone it loses 0.0909 of what is asked; at 1 unit/s a second one comes, and 0.0083 is left.
TEST(Solve, OutagesThatMakeTheOutputRiseAndFallAreSaid) {
    model::ScenarioDocument document = cloud_scenario();
    const auto ask = [&](double high) {
        Alternatives scenario({{document, "/scenario"}});
        return model::solve(scenario, {"/workloads/0/demand/mean_per_s", "/input", 0.2, high,
                                       "/by_workload/chat/units_lost_to_outages", "/output", 0.05 * 744 * 3600, "/target"});
    };
    EXPECT_FALSE(ask(1.9)) << "nothing is lost";
    document.pools[0].offer->interruptions_per_hour = 0.1;
    document.workloads[0].checkpoint.restart_s = 3600;
    const auto rising = ask(0.9).value();
    EXPECT_FALSE(rising.turns_at) << "one replica all the way";
    const auto turning = ask(1.9).value();
    ASSERT_TRUE(turning.turns_at);
    EXPECT_NEAR(*turning.turns_at, 1.0, 1e-6);
    EXPECT_GT(turning.solutions.size(), 1U);
    EXPECT_NEAR(turning.solutions[0].value, 0.55, 1e-6) << "0.05 x 1.1 / 0.1";
}

} // namespace
} // namespace costcurve::tests
