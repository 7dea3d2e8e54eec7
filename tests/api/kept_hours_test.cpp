// Hours kept from one evaluation to the next: never another answer, never more than was said.
#include "server/answers/kept_hours.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/api/samples.hpp"
#include "tests/api/test_service.hpp"

namespace costcurve::tests {
namespace {

model::HourTable of_months(int months) { return model::group_hours({{2026, 1}, months, "UTC", {}}); }

TEST(KeptHours, GivesTheLastFirstAndEmptyOnesWhereNoneAreLeft) {
    answers::KeptHours kept;
    EXPECT_TRUE(kept.take().months.empty());
    kept.give(of_months(1));
    kept.give(of_months(2));
    EXPECT_EQ(kept.take().months.size(), 2U);
    EXPECT_EQ(kept.take().months.size(), 1U);
    EXPECT_TRUE(kept.take().months.empty());
}

TEST(KeptHours, ForgetsLargeOnesAndWhatIsMoreThanEnough) {
    answers::KeptHours kept;
    model::HourTable large = of_months(1);
    large.values.resize(100'000);
    kept.give(std::move(large));
    EXPECT_TRUE(kept.take().months.empty());
    for (int i = 0; i < 100; ++i) {
        kept.give(of_months(1));
    }
    int taken = 0;
    while (!kept.take().months.empty()) {
        ++taken;
    }
    EXPECT_EQ(taken, 16);
}

// Other curves, another zone, other months and none of them, in turn: each answer is that of a service which has none kept.
TEST(KeptHours, ChangeNoAnswer) {
    const json mixed = json::parse(kMixed);
    std::vector<json> scenarios = {json::parse(kSmallest), mixed, mixed, mixed, json::parse(kSmallest)};
    scenarios[2]["time_zone"] = "America/New_York";
    scenarios[3]["start"] = "2028-02";
    std::vector<std::string> alone;
    for (const json& scenario : scenarios) {
        TestService service;
        alone.push_back(service.ask("POST", "/v1/evaluate", json{{"scenario", scenario}}.dump()).body);
    }
    TestService service;
    for (int round = 0; round < 2; ++round) {
        for (std::size_t i = 0; i < scenarios.size(); ++i) {
            const http::Response answer = service.ask("POST", "/v1/evaluate", json{{"scenario", scenarios[i]}}.dump());
            EXPECT_EQ(answer.status, 200) << answer.body;
            EXPECT_EQ(answer.body, alone[i]) << i;
        }
    }
    const http::Response batch = service.ask("POST", "/v1/evaluate/batch", json{{"scenarios", scenarios}}.dump());
    std::string lines;
    while (batch.stream(lines)) {}
    std::string expected;
    for (const std::string& answer : alone) {
        expected += answer + '\n';
    }
    EXPECT_EQ(lines, expected);
}

} // namespace
} // namespace costcurve::tests
