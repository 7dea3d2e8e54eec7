// Drift of what a store has: telemetry of days, a planted change, odd hours, the bill's price, and the event of a schedule.
#include <cmath>
#include <random>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "server/actuals/runs/drift_answer.hpp"
#include "tests/api/samples.hpp"
#include "tests/api/test_service.hpp"

namespace costcurve::tests {
namespace {

constexpr std::int64_t kHourMs = 3'600'000;
constexpr std::int64_t kFirstHour = 495'504; // 2026-07-12
constexpr int kDays = 30;

json one_pool() {
    return json::parse(R"({"start": "2026-07", "months": 3,
        "workloads": [{"id": "chat", "kind": "inference", "unit": "token", "demand": {"mean_per_s": 500},
                       "runs_on": [{"pool": "gpu", "performance": {"units_per_s": 1000}}]}],
        "pools": [{"id": "gpu", "kind": "cloud", "max_instances": 10,
                   "offer": {"provider": "p", "sku": "big", "region": "eu", "device": {"kind": "gpu", "tdp_w": 500}, "devices": 1,
                             "purchase": "on_demand", "hourly_price": 3.6}}]})");
}

class Drifts : public ::testing::Test {
protected:
    std::int64_t now_us = (kFirstHour + kDays * 24) * kHourMs * 1000;
    TestService service{{}, [this] { return now_us; }};
    std::int64_t next_hour = kFirstHour;
    double joules = 1e9;
    double tokens = 1e9;
    double generated = 1e9;

    struct Hour {
        double power = 1.0; // factors
        double rate = 1.0;
        int samples = 12;
        bool restarts = false;
    };

    // Samples of hours, each with a load of its own, of one device and the server on it.
    void add(int hours, const Hour& hour) {
        storage::SampleBatch batch;
        for (const char* metric : {"energy_j", "input_tokens", "output_tokens", "batch"}) {
            batch.series.push_back(
                {std::string(metric) == "energy_j" ? "h/gpu" : "pod", std::string(metric) == "energy_j" ? "d" : "", metric});
        }
        std::mt19937 random(static_cast<unsigned>(next_hour));
        for (int i = 0; i < hours; ++i, ++next_hour) {
            const double load = 20 + 15 * std::sin(2 * M_PI * static_cast<double>(next_hour % 24) / 24) +
                                std::uniform_real_distribution<double>(-5, 5)(random);
            const double per_sample = 3600.0 / hour.samples;
            for (int s = 0; s < hour.samples; ++s) {
                if (hour.restarts && s == hour.samples / 2) {
                    joules = tokens = generated = 0;
                }
                const std::int64_t time = next_hour * kHourMs + s * (kHourMs / hour.samples);
                joules += per_sample * (120 + 10 * load) * hour.power;
                tokens += per_sample * 60 * load * hour.rate;
                generated += per_sample * 20 * load * hour.rate;
                for (std::uint32_t series = 0; series < 4; ++series) {
                    const std::array<double, 4> values{joules, tokens, generated, load};
                    batch.samples.push_back({series, time, values.at(series)});
                }
            }
        }
        static_cast<void>(service.store.add_samples({"test", ""}, batch));
    }
    void bill(int days, double price) {
        std::vector<BillLine> lines;
        for (int day = 0; day < days; ++day) {
            BillLine& line = lines.emplace_back();
            line.day = kFirstHour / 24 + day_of_bill++;
            line.provider = "p";
            line.sku = "big";
            line.currency = "USD";
            line.device_hours = 24;
            line.effective_cost = line.billed_cost = 24 * price;
        }
        static_cast<void>(service.store.save_bill({"test", ""}, lines));
    }
    int day_of_bill = 0;

    json request(bool with_bill = false) {
        json body{{"scenario", one_pool()}, {"pool", "gpu"}, {"telemetry", {{"sources", {"h/gpu", "pod"}}}}};
        if (with_bill) {
            body["bill"] = json::object();
        }
        return body;
    }
    json ask(const json& body) {
        const http::Response response = service.ask("POST", "/v1/drift", body.dump());
        EXPECT_EQ(response.status, 200) << response.body;
        return response.status == 200 ? json::parse(response.body) : json::object();
    }
    static json measure(const json& answer, const std::string& name) {
        for (const json& found : answer["measures"]) {
            if (found["measure"] == name) {
                return found;
            }
        }
        return {};
    }
};

TEST_F(Drifts, AreNoneOfDaysAlike) {
    add(kDays * 24, {});
    const json answer = ask(request());
    EXPECT_FALSE(answer["drifted"].get<bool>()) << answer.dump(1);
    EXPECT_EQ(answer["cause"], "none");
    const json energy = measure(answer, "tokens_per_joule");
    EXPECT_EQ(energy["hours"], 24);
    EXPECT_NEAR(energy["change_fraction"].get<double>(), 0, 0.03);
    EXPECT_NEAR(energy["measured"].get<double>(), energy["expected"].get<double>() * (1 + energy["change_fraction"].get<double>()),
                1e-12);
    EXPECT_NEAR(measure(answer, "output_tokens_per_s")["measured"].get<double>(), 400, 40);
    EXPECT_NEAR(measure(answer, "cost_per_million_tokens")["planned"].get<double>(), 3.6 / (500 * 3600) * 1e6, 0.01);
}

TEST_F(Drifts, OfFifteenPercentMoreEnergyAreFoundAfterADay) {
    add((kDays - 1) * 24, {});
    add(24, {.power = 1.15});
    const json answer = ask(request());
    EXPECT_EQ(answer["cause"], "energy") << answer.dump(1);
    json both = request(); // the device, and the server on it
    both["telemetry"] = {{"device", "d"}, {"sources", {"pod"}}};
    EXPECT_EQ(ask(both)["measures"], answer["measures"]);
    both["telemetry"]["sources"] = {"pod", "h/gpu"};
    EXPECT_EQ(ask(both)["measures"], answer["measures"]) << "each source once";
    EXPECT_NEAR(measure(answer, "tokens_per_joule")["change_fraction"].get<double>(), 1 / 1.15 - 1, 0.03);
    EXPECT_FALSE(measure(answer, "output_tokens_per_s")["drifted"].get<bool>());
}

TEST_F(Drifts, OfFifteenPercentLessRateAreFoundAfterADay) {
    add((kDays - 1) * 24, {});
    add(24, {.rate = 0.85});
    const json answer = ask(request());
    EXPECT_EQ(answer["cause"], "rate") << answer.dump(1);
    EXPECT_NEAR(measure(answer, "output_tokens_per_s")["change_fraction"].get<double>(), -0.15, 0.03);
    EXPECT_NEAR(measure(answer, "cost_per_million_tokens")["change_fraction"].get<double>(), 1 / 0.85 - 1, 0.04);
}

// A day whose half is missing, hours cut short, a clock that jumps, and servers that restart every hour.
TEST_F(Drifts, AreNoneOfGapsHalfDaysJumpsAndRestarts) {
    add((kDays - 2) * 24, {});
    add(6, {.restarts = true});
    add(6, {.samples = 3});
    next_hour += 12;
    add(12, {});
    add(2, {.samples = 60});
    add(10, {.restarts = true});
    const json answer = ask(request());
    EXPECT_FALSE(answer["drifted"].get<bool>()) << answer.dump(1);
    EXPECT_GE(measure(answer, "tokens_per_joule")["hours"].get<int>(), 12);
}

// A collector that stopped a day ago, and one that scrapes a third as often: what is compared is of the day before.
TEST_F(Drifts, SayUntilWhenTheyAreMeasured) {
    add((kDays - 1) * 24, {});
    json answer = ask(request());
    EXPECT_EQ(measure(answer, "output_tokens_per_s")["first_hour"], "2026-08-09T00:00:00.000000Z") << answer.dump(1);
    EXPECT_EQ(measure(answer, "output_tokens_per_s")["last_hour"], "2026-08-09T23:00:00.000000Z");
    EXPECT_EQ(measure(answer, "cost_per_million_tokens")["last_hour"], "2026-08-09T23:00:00.000000Z");
    EXPECT_NE(answer["notes"].dump().find("none of the 24 hours before 2026-08-11T00:00:00"), std::string::npos) << answer["notes"];
    add(24, {.rate = 0.8, .samples = 4});
    answer = ask(request());
    EXPECT_EQ(measure(answer, "tokens_per_joule")["last_hour"], "2026-08-09T23:00:00.000000Z");
    EXPECT_NE(answer["notes"].dump().find("none of the 24 hours before 2026-08-11T00:00:00"), std::string::npos) << answer["notes"];
}

TEST_F(Drifts, OfTheLastDayAsUsualHaveNoNote) {
    add(kDays * 24, {});
    EXPECT_EQ(ask(request())["notes"].size(), 0U);
}

// Of a rate a little below the threshold, whose inverse is above it: there is no price to blame.
TEST_F(Drifts, OfCostWithoutAPriceAreTheRates) {
    add((kDays - 1) * 24, {});
    add(24, {.rate = 0.907});
    const json answer = ask(request());
    ASSERT_FALSE(measure(answer, "output_tokens_per_s")["drifted"].get<bool>()) << answer.dump(1);
    ASSERT_TRUE(measure(answer, "cost_per_million_tokens")["drifted"].get<bool>()) << answer.dump(1);
    EXPECT_EQ(answer["cause"], "rate");
}

TEST_F(Drifts, OfThePriceAreOfTheBill) {
    bill(kDays - 1, 3.6);
    bill(1, 3.6 * 1.15);
    json body = request(true);
    body.erase("telemetry");
    const json answer = ask(body);
    EXPECT_EQ(answer["cause"], "price") << answer.dump(1);
    EXPECT_NEAR(measure(answer, "price_per_device_hour")["change_fraction"].get<double>(), 0.15, 1e-9);
    EXPECT_NEAR(measure(answer, "price_per_device_hour")["off_plan_fraction"].get<double>(), 0.15, 1e-9);
    EXPECT_TRUE(measure(answer, "tokens_per_joule")["change_fraction"].is_null());
}

TEST_F(Drifts, OfThePriceByLittleStepsAreThatWhichCrossesThePlan) {
    for (int day = 0; day < kDays; ++day) {
        bill(1, 3.6 * (1 + 0.003 * day + (day == kDays - 1 ? 0.02 : 0)));
    }
    json body = request(true);
    body["reference_days"] = 7;
    const json answer = ask(body);
    EXPECT_LT(measure(answer, "price_per_device_hour")["change_fraction"].get<double>(), 0.1);
    EXPECT_EQ(answer["cause"], "price") << answer.dump(1);
}

TEST_F(Drifts, AreUnknownWithoutData) {
    const json answer = ask(request(true));
    EXPECT_FALSE(answer["drifted"].get<bool>());
    EXPECT_EQ(answer["notes"].size(), 3U) << answer.dump(1);
    json body = request();
    body.erase("telemetry");
    EXPECT_EQ(service.ask("POST", "/v1/drift", body.dump()).status, 422);
    body = request();
    body["until"] = "soon";
    EXPECT_EQ(service.ask("POST", "/v1/drift", body.dump()).status, 422);
    body = request();
    body["pool"] = "none";
    EXPECT_EQ(service.ask("POST", "/v1/drift", body.dump()).status, 422);
}

TEST_F(Drifts, AreAnEventOnceAndForEachCause) {
    ASSERT_EQ(service.ask("PUT", "/v1/scenarios/serving", one_pool().dump()).status, 201);
    const json schedule = json::parse(R"({"cron": "@daily", "drift": [
        {"scenario": "serving", "pool": "gpu", "telemetry": {"sources": ["h/gpu", "pod"]}},
        {"scenario": "serving", "pool": "gpu", "bill": {}}]})");
    add((kDays - 1) * 24, {});
    add(24, {.power = 1.15});
    ASSERT_EQ(service.ask("PUT", "/v1/schedules/nightly", schedule.dump()).status, 201);
    model::Schedule watched;
    watched.id = "nightly";
    watched.drift.resize(1);
    watched.drift[0].scenario = "serving";
    watched.drift[0].pool = "gpu";
    watched.drift[0].telemetry = model::DriftTelemetry{"", {"h/gpu", "pod"}};
    EXPECT_TRUE(actuals::watch_drift(service.store, watched).empty());
    now_us += kHourMs * 1000;
    EXPECT_TRUE(actuals::watch_drift(service.store, watched).empty());
    const json events = json::parse(service.ask("GET", "/v1/events?kind=drift_found").body)["items"];
    ASSERT_EQ(events.size(), 1U) << events.dump(1);
    EXPECT_EQ(events[0]["subject"], "scenario/serving");
    EXPECT_EQ(events[0]["data"]["cause"], "energy");
    EXPECT_EQ(events[0]["data"]["schedule"], "nightly");
    watched.drift[0].scenario = "gone";
    EXPECT_EQ(actuals::watch_drift(service.store, watched).size(), 1U);
    json unwatched = schedule;
    unwatched["drift"][1].erase("bill");
    EXPECT_EQ(service.ask("PUT", "/v1/schedules/other", unwatched.dump()).status, 422);
}

TEST_F(Drifts, AreWatchedOfWhatIsThere) {
    ASSERT_EQ(service.ask("PUT", "/v1/scenarios/serving", one_pool().dump()).status, 201);
    add(kDays * 24, {});
    const json schedule = json::parse(R"({"cron": "@daily", "drift": [
        {"scenario": "serving", "pool": "gpu", "telemetry": {"sources": ["h/gpu", "pod"]}}]})");
    const auto answer_of = [&](const char* pointer, const json& value) {
        json wrong = schedule;
        wrong["drift"][0][json::json_pointer(pointer)] = value;
        const http::Response response = service.ask("PUT", "/v1/schedules/wrong", wrong.dump());
        EXPECT_EQ(response.status, 422) << response.body;
        const json issue = json::parse(response.body)["errors"][0];
        return issue["pointer"].get<std::string>() + " " + issue["message"].get<std::string>();
    };
    EXPECT_EQ(answer_of("/scenario", "servign"), "/drift/0/scenario no scenario has the id servign; near is serving");
    EXPECT_EQ(answer_of("/pool", "gpus"), "/drift/0/pool the scenario has no pool gpus; near is gpu");
    EXPECT_EQ(answer_of("/telemetry/sources/1", "pods"),
              "/drift/0/telemetry/sources/1 no telemetry is of source pods; near is pod; "
              "send samples of it first: POST /v1/telemetry");
    EXPECT_EQ(answer_of("/telemetry/device", "h100").find("/drift/0/telemetry/device no telemetry is of device"), 0U);
    json off = schedule;
    off["enabled"] = false;
    off["drift"][0]["pool"] = "gone";
    EXPECT_EQ(service.ask("PUT", "/v1/schedules/off", off.dump()).status, 201) << "it watches nothing";

    ASSERT_EQ(service.ask("PUT", "/v1/schedules/nightly", schedule.dump()).status, 201);
    const auto read = [&] { return json::parse(service.ask("GET", "/v1/schedules/nightly").body); };
    EXPECT_FALSE(read().contains("warnings")) << read();
    now_us += 80 * 24 * kHourMs * 1000;
    EXPECT_EQ(read()["warnings"][1], "/drift/0/telemetry/sources/1: no telemetry is of source pod in the last 48 hours; nothing is "
                                     "watched there");
    now_us -= 80 * 24 * kHourMs * 1000;
    ASSERT_EQ(service.ask("DELETE", "/v1/scenarios/serving").status, 204);
    const json gone = read();
    ASSERT_EQ(gone["warnings"].size(), 1U) << gone;
    EXPECT_EQ(gone["warnings"][0], "/drift/0/scenario: no scenario has the id serving; nothing is watched there");
    EXPECT_EQ(service.ask("PUT", "/v1/schedules/nightly", gone.dump()).status, 422);
}

TEST_F(Drifts, AreAnsweredOfAStoredScenario) {
    ASSERT_EQ(service.ask("PUT", "/v1/scenarios/serving", one_pool().dump()).status, 201);
    add(kDays * 24, {});
    const http::Response drift = service.ask("GET", "/v1/drift?scenario=serving&pool=gpu&source=pod&bill=true&reference_days=7");
    ASSERT_EQ(drift.status, 200) << drift.body;
    EXPECT_EQ(json::parse(drift.body)["reference_days"], 7);
    EXPECT_EQ(service.ask("GET", "/v1/forecast?scenario=serving&month=2026-08&interval=0.9").status, 200);
    EXPECT_EQ(service.ask("GET", "/v1/tenant-costs?scenario=serving&from=2026-08&to=2026-08").status, 200);
    EXPECT_EQ(service.ask("GET", "/v1/forecast?scenario=none&month=2026-08").status, 422);
    EXPECT_EQ(service.ask("GET", "/v1/forecast?month=2026-08").status, 422);
    const http::Response csv = service.ask("GET", "/v1/drift?scenario=serving&pool=gpu&source=pod&format=csv");
    EXPECT_EQ(csv.body.substr(0, 10), "pool,until") << csv.body;
}

} // namespace
} // namespace costcurve::tests
