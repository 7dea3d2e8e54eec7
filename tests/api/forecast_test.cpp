// The bill of a month that goes on: by lines, by plan, and what is wrong with a request.
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/api/samples.hpp"
#include "tests/api/test_service.hpp"

namespace costcurve::tests {
namespace {

constexpr std::int64_t kForecastsBegin = 20'454;

// A device at 3.6 USD an hour, 86.40 a day, and one that is owned, which no bill names.
json rented_and_owned() {
    return json::parse(R"({"start": "2026-01", "months": 3, "exchange_rates": {"EUR": 2},
        "workloads": [
            {"id": "chat", "kind": "inference", "demand": {"mean_per_s": 1},
             "runs_on": [{"pool": "gpu", "performance": {"units_per_s": 1}}]},
            {"id": "work", "kind": "inference", "demand": {"mean_per_s": 1},
             "runs_on": [{"pool": "other", "performance": {"units_per_s": 1}}]}],
        "pools": [
            {"id": "gpu", "kind": "cloud", "max_instances": 10,
             "offer": {"provider": "p", "sku": "big", "region": "eu", "device": {"kind": "gpu", "tdp_w": 500}, "devices": 1,
                       "purchase": "on_demand", "hourly_price": 3.6}},
            {"id": "other", "kind": "cloud", "max_instances": 10,
             "offer": {"provider": "q", "sku": "small", "region": "eu", "device": {"kind": "gpu", "tdp_w": 500}, "devices": 1,
                       "purchase": "on_demand", "hourly_price": 1}}]})");
}

class Forecasts : public ::testing::Test {
protected:
    TestService service;

    // A line of the rented device for each cost from a day of 2026 on.
    void bill(std::int64_t first, const std::vector<double>& costs, const std::string& currency = "USD",
              const std::string& sku = "big") {
        std::vector<BillLine> lines;
        for (const double cost : costs) {
            BillLine& line = lines.emplace_back();
            line.day = kForecastsBegin + first++;
            line.provider = "p";
            line.region = "eu";
            line.sku = sku;
            line.purchase = "on_demand";
            line.currency = currency;
            line.device_hours = 24;
            line.effective_cost = line.billed_cost = cost;
        }
        static_cast<void>(service.store.save_bill({"test", ""}, lines));
    }
    json request(const std::string& month = "2026-02") { return {{"scenario", rented_and_owned()}, {"month", month}}; }
    json ask(const json& body) {
        const http::Response response = service.ask("POST", "/v1/forecast", body.dump());
        EXPECT_EQ(response.status, 200) << response.body;
        return response.status == 200 ? json::parse(response.body) : json::object();
    }
    std::vector<std::string> issues(const json& body) {
        const http::Response response = service.ask("POST", "/v1/forecast", body.dump());
        EXPECT_EQ(response.status, 422) << response.body;
        std::vector<std::string> found;
        const json problem = json::parse(response.body);
        for (const json& issue : problem["errors"]) {
            found.push_back(issue["code"].get<std::string>() + " " + issue["pointer"].get<std::string>());
        }
        return found;
    }
};

// January: 31 days of 100; February: 11 days of 100, of which the 11th is the newest and may not be whole. A day costs 86.4 as
// planned in either month, so what is to come is 18 days of 100.
TEST_F(Forecasts, AreWhatIsBilledAndTheRestAsWhatRuns) {
    bill(0, std::vector<double>(42, 100.0));
    const json answer = ask(request());
    EXPECT_EQ(answer["through"], "2026-02-10");
    EXPECT_EQ(answer["days_to_come"], 18);
    EXPECT_EQ(answer["known_days"], 28);
    EXPECT_TRUE(answer["by_weekday"].get<bool>());
    const json& gpu = answer["pools"][0];
    EXPECT_EQ(gpu["basis"], "bill");
    EXPECT_NEAR(gpu["planned"].get<double>(), 86.4 * 28, 1e-9);
    EXPECT_NEAR(gpu["so_far"].get<double>(), 1000, 1e-9);
    EXPECT_NEAR(gpu["remainder"].get<double>(), 1800, 1e-9);
    EXPECT_NEAR(gpu["forecast"].get<double>(), 2800, 1e-9);
    EXPECT_NEAR(gpu["low"].get<double>(), 2800, 1e-6);
    const json& other = answer["pools"][1];
    EXPECT_EQ(other["basis"], "plan");
    EXPECT_TRUE(other["so_far"].is_null()) << "nothing is known of it";
    EXPECT_NEAR(other["forecast"].get<double>(), 24 * 28, 1e-9);
    EXPECT_TRUE(other["low"].is_null());
    EXPECT_NEAR(answer["total"]["forecast"].get<double>(), 2800 + 672, 1e-9);
    EXPECT_NEAR(answer["total"]["difference"].get<double>(), 2800 - 86.4 * 28, 1e-9);
    ASSERT_EQ(answer["days"].size(), 28U);
    EXPECT_EQ(answer["days"][9]["billed"], 100);
    EXPECT_TRUE(answer["days"][9]["forecast"].is_null());
    EXPECT_NEAR(answer["days"][10]["forecast"].get<double>(), 124, 1e-9);
    double sum = 0.0;
    for (const json& day : answer["days"]) {
        sum += day["billed"].is_null() ? day["forecast"].get<double>() : day["billed"].get<double>();
    }
    EXPECT_NEAR(sum, 2800 + 18 * 24, 1e-9) << "the other pool's days that are over are not known";
    EXPECT_NE(answer["notes"].dump().find("no line is of other"), std::string::npos);
}

// Demand doubles from month to month, and so does what a day of March costs.
TEST_F(Forecasts, CountDaysOfOtherMonthsByTheirPlan) {
    json body = request("2026-03");
    body["scenario"]["workloads"][0]["demand"]["growth_per_month"] = 1;
    bill(31, std::vector<double>(28, 100.0));
    const json planned = ask(body);
    const double ratio = planned["pools"][0]["planned"].get<double>() / 31;
    const http::Response february =
        service.ask("POST", "/v1/forecast", json{{"scenario", body["scenario"]}, {"month", "2026-02"}}.dump());
    const double before = json::parse(february.body)["pools"][0]["planned"].get<double>() / 28;
    EXPECT_GT(ratio, 1.5 * before);
    EXPECT_NEAR(planned["pools"][0]["forecast"].get<double>(), 31 * 100 * ratio / before, 1e-6);
}

TEST_F(Forecasts, HaveAnIntervalOfWhatDaysDiffer) {
    bill(31, {100, 120, 110, 90, 100, 120, 110, 130, 90, 130, 5});
    const json answer = ask(request());
    EXPECT_EQ(answer["known_days"], 10);
    EXPECT_NEAR(answer["pools"][0]["remainder"].get<double>(), 18 * 110.866, 0.05);
    EXPECT_NEAR(answer["total"]["high"].get<double>() - answer["total"]["forecast"].get<double>(),
                answer["total"]["forecast"].get<double>() - answer["total"]["low"].get<double>(), 1e-9);
    EXPECT_GT(answer["total"]["high"].get<double>(), answer["total"]["forecast"].get<double>() + 100);
    json wider = request();
    wider["interval"] = 0.95;
    EXPECT_GT(ask(wider)["total"]["high"].get<double>(), answer["total"]["high"].get<double>());
    json stated = request();
    stated["through"] = "2026-02-05";
    EXPECT_EQ(ask(stated)["days_to_come"], 23);
    EXPECT_TRUE(ask(stated)["total"]["low"].is_null());
    EXPECT_NE(ask(stated)["notes"].dump().find("5 days are known"), std::string::npos);
}

TEST_F(Forecasts, KnowAMonthThatIsOver) {
    bill(31, std::vector<double>(30, 10.0)); // into March
    const json answer = ask(request());
    EXPECT_EQ(answer["through"], "2026-02-28");
    EXPECT_EQ(answer["days_to_come"], 0);
    EXPECT_EQ(answer["pools"][0]["forecast"], 280);
    EXPECT_EQ(answer["pools"][0]["high"], 280);
}

TEST_F(Forecasts, TakeDaysWithoutALineForDaysToCome) {
    bill(31, std::vector<double>(5, 10.0));
    bill(38, std::vector<double>(5, 10.0));
    const json answer = ask(request());
    EXPECT_EQ(answer["through"], "2026-02-11");
    EXPECT_EQ(answer["pools"][0]["so_far"], 90);
    EXPECT_EQ(answer["days_to_come"], 19);
    EXPECT_NE(answer["notes"].dump().find("2 days up to 2026-02-11 have no line"), std::string::npos);
}

TEST_F(Forecasts, HaveLinesOfNoPoolApart) {
    bill(31, std::vector<double>(10, 10.0));
    bill(31, std::vector<double>(10, 7.0), "EUR", "database");
    const json answer = ask(request());
    EXPECT_NEAR(answer["unmatched"]["forecast"].get<double>(), 14 * 28, 1e-9);
    EXPECT_NEAR(answer["total"]["forecast"].get<double>(), (10 + 14 + 24) * 28, 1e-9);
}

TEST_F(Forecasts, AreThePlanWithoutALine) {
    const json answer = ask(request());
    EXPECT_TRUE(answer["through"].is_null());
    EXPECT_TRUE(answer["total"]["so_far"].is_null());
    EXPECT_TRUE(answer["total"]["low"].is_null());
    EXPECT_NEAR(answer["total"]["forecast"].get<double>(), answer["total"]["planned"].get<double>(), 1e-9);
    EXPECT_NE(answer["notes"].dump().find("there is no line of a bill"), std::string::npos);
}

TEST_F(Forecasts, RefuseWhatTheyCantBeOf) {
    EXPECT_EQ(issues(request("2027-01")), std::vector<std::string>{"out_of_range /month"});
    json body = request();
    body["through"] = "yesterday";
    EXPECT_EQ(issues(body), std::vector<std::string>{"bad_format /through"});
    body = request();
    body["interval"] = 1.5;
    EXPECT_EQ(issues(body), std::vector<std::string>{"out_of_range /interval"});
    body = request();
    body["pools"] = json::array({{{"pool", "none"}, {"sku", "x"}}});
    EXPECT_EQ(issues(body), std::vector<std::string>{"unknown_reference /pools/0/pool"});
    bill(31, {1.0}, "JPY");
    EXPECT_EQ(issues(request()), std::vector<std::string>{"missing_exchange_rate /scenario/exchange_rates"});
}

} // namespace
} // namespace costcurve::tests
