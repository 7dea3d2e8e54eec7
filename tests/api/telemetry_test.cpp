// Telemetry in, its hours out, curves fitted to it, and a plan held against it and against a bill.
#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/api/samples.hpp"
#include "tests/api/test_service.hpp"

namespace costcurve::tests {
namespace {

constexpr std::int64_t kNowS = 1'768'910'400; // 2026-01-20T12:00:00Z
constexpr std::int64_t kNowMs = kNowS * 1000;
constexpr std::int64_t kHourMs = 3'600'000;

class Telemetry : public ::testing::Test {
protected:
    TestService service{{}, [] { return kNowS * 1'000'000; }};

    http::Response post(const std::string& path, const json& body) { return service.ask("POST", path, body.dump()); }
    json ok(const http::Response& response) {
        EXPECT_EQ(response.status, 200) << response.body;
        return response.status == 200 ? json::parse(response.body) : json::object();
    }
    json send(const std::string& text, const std::string& type = "application/x-ndjson") {
        return ok(service.ask("POST", "/v1/telemetry", text, {{"content-type", type}}));
    }
    json get(const std::string& target) { return ok(service.ask("GET", target)); }
    // What is wrong with a request, as "code pointer".
    std::vector<std::string> issues(const http::Response& response) {
        EXPECT_EQ(response.status, 422) << response.body;
        std::vector<std::string> found;
        const json problem = json::parse(response.body);
        for (const json& issue : problem["errors"]) {
            found.push_back(issue["code"].get<std::string>() + " " + issue["pointer"].get<std::string>());
        }
        std::sort(found.begin(), found.end());
        return found;
    }
    void add(const std::string& source, const std::string& metric, const std::vector<std::pair<std::int64_t, double>>& readings,
             const std::string& device = "h100-sxm") {
        storage::SampleBatch batch{{{source, device, metric}}, {}};
        for (const auto& [time_ms, value] : readings) {
            batch.samples.push_back({0, time_ms, value});
        }
        ASSERT_TRUE(service.store.add_samples({"alice", "", ""}, batch).outside.empty());
    }
};

TEST_F(Telemetry, TakesWhatNvidiaSmiPrintsByTheZoneOfItsHost) {
    const std::string text = "timestamp, power.draw [W], utilization.gpu [%]\n2026/01/20 12:30:00.000, 300 W, 50 %\n"
                             "2026/01/20 12:40:00.000, 100.5 W, 10 %\n";
    const auto send_to = [&](const std::string& query, const std::string& type) {
        return service.ask("POST", "/v1/telemetry" + query, text, {{"content-type", type}});
    };
    EXPECT_EQ(issues(send_to("", "text/csv")), std::vector<std::string>{"missing "}) << "no zone";
    EXPECT_EQ(ok(send_to("?time_zone=Europe/Berlin&source=box&device=H100", "text/csv"))["accepted"], 4);
    EXPECT_EQ(ok(send_to("?time_zone=Europe/Berlin&source=box&device=H100", "text/plain"))["duplicates"], 4);
    const json hours = get("/v1/telemetry?source=box/0&metric=power_w")["items"];
    ASSERT_EQ(hours.size(), 1U) << hours;
    EXPECT_EQ(hours[0]["mean"], (300 + 100.5) / 2);
    EXPECT_EQ(hours[0]["hour"], "2026-01-20T11:00:00.000000Z");
    EXPECT_EQ(hours[0]["device"], "nvidia.h100-sxm5-80gb");
}

TEST_F(Telemetry, TakesPrometheusTextOnce) {
    const std::string text = R"(# HELP DCGM_FI_DEV_POWER_USAGE Power draw (in W).
# TYPE DCGM_FI_DEV_POWER_USAGE gauge
DCGM_FI_DEV_POWER_USAGE{gpu="0",UUID="GPU-1",modelName="NVIDIA H100 80GB HBM3",Hostname="n1"} 300.5
DCGM_FI_DEV_GPU_UTIL{gpu="0",UUID="GPU-1",modelName="NVIDIA H100 80GB HBM3",Hostname="n1"} 50
)";
    json answer = send(text, "text/plain; version=0.0.4");
    EXPECT_EQ(answer["samples"], 2);
    EXPECT_EQ(answer["accepted"], 2);
    EXPECT_EQ(answer["rejected"]["count"], 0);
    answer = send(text, "text/plain");
    EXPECT_EQ(answer["accepted"], 0);
    EXPECT_EQ(answer["duplicates"], 2) << "the clock stands still";
    const json page = get("/v1/telemetry?metric=utilization");
    ASSERT_EQ(page["items"].size(), 1U);
    const json& hour = page["items"][0];
    EXPECT_EQ(hour["hour"], "2026-01-20T12:00:00.000000Z");
    EXPECT_EQ(hour["mean"], 0.5);
    EXPECT_EQ(hour["count"], 1);
    EXPECT_TRUE(hour["sd"].is_null());
    EXPECT_TRUE(hour["increase"].is_null());
    EXPECT_NE(hour["device"].get<std::string>().find("h100"), std::string::npos);
}

TEST_F(Telemetry, TakesTextThatIsGzipd) {
    // gzip of the power line above.
    static constexpr unsigned char kGzip[] = {
        0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x73, 0x71, 0x76, 0xf7, 0x8d, 0x77, 0xf3, 0x8c, 0x77, 0x71,
        0x0d, 0x8b, 0x0f, 0xf0, 0x0f, 0x77, 0x0d, 0x8a, 0x0f, 0x0d, 0x76, 0x74, 0x77, 0xad, 0x4e, 0x2f, 0x28, 0xb5, 0x55, 0x32,
        0x50, 0xd2, 0x09, 0x0d, 0xf5, 0x74, 0xb1, 0x55, 0x72, 0x0f, 0x08, 0xd5, 0x35, 0x54, 0xd2, 0xc9, 0xcd, 0x4f, 0x49, 0xcd,
        0xf1, 0x4b, 0xcc, 0x4d, 0xb5, 0x55, 0xf2, 0x0b, 0xf3, 0x74, 0xf1, 0x74, 0x54, 0xf0, 0x30, 0x34, 0x30, 0x50, 0xb0, 0x30,
        0x70, 0x77, 0x52, 0xf0, 0x70, 0xf2, 0x35, 0x56, 0xd2, 0xf1, 0xc8, 0x2f, 0x2e, 0xc9, 0x03, 0x2b, 0xc8, 0x33, 0x54, 0xaa,
        0x55, 0x30, 0x36, 0x30, 0xd0, 0x33, 0xe5, 0x02, 0x00, 0x08, 0xc7, 0x17, 0x51, 0x64, 0x00, 0x00, 0x00};
    const std::string gzip(reinterpret_cast<const char*>(kGzip), sizeof kGzip);
    EXPECT_EQ(send(gzip, "text/plain")["accepted"], 1);
    EXPECT_EQ(issues(service.ask("POST", "/v1/telemetry", gzip.substr(0, 80), {{"content-type", "text/plain"}})),
              std::vector<std::string>{"bad_format "});
}

TEST_F(Telemetry, SaysWhichLinesItDoesNotTake) {
    const json answer = send(R"({"time": "2026-01-20T11:00:00Z", "source": "a", "power_w": 300}
{"time": "2026-01-10T11:00:00Z", "source": "a", "power_w": 300, "utilization": 0.5}
{"time": "2026-01-20T14:00:00Z", "source": "a", "power_w": 300}
{"time": "2026-01-20T11:00:00Z", "source": "a", "power_w": -3}
)");
    EXPECT_EQ(answer["accepted"], 1);
    const json& rejected = answer["rejected"];
    EXPECT_EQ(rejected["count"], 4) << "two readings too old, one to come, one that can't be";
    std::vector<int> rows;
    for (const json& complaint : rejected["first"]) {
        rows.push_back(complaint["row"].get<int>());
    }
    std::sort(rows.begin(), rows.end());
    EXPECT_EQ(rows, (std::vector<int>{2, 2, 3, 4}));
    EXPECT_NE(rejected.dump().find("samples from 2026-01-13T12:00:00.000000Z to 2026-01-20T13:00:00.000000Z are taken"),
              std::string::npos);
}

TEST_F(Telemetry, RejectsTheCharacterZeroAndTakesTheOtherLines) {
    const json answer = send(R"({"time": "2026-01-20T11:00:00Z", "source": "a\u0000b", "power_w": 300}
{"time": "2026-01-20T11:00:00Z", "source": "a", "power_w": 300}
)");
    EXPECT_EQ(answer["accepted"], 1);
    EXPECT_EQ(answer["rejected"]["count"], 1);
    EXPECT_NE(answer["rejected"]["first"][0]["reason"].get<std::string>().find("U+0000"), std::string::npos);
    EXPECT_EQ(get("/v1/telemetry")["items"].size(), 1U);
}

TEST_F(Telemetry, RefusesWhatIsNoTelemetry) {
    const auto ask = [&](const std::string& body, const std::string& type) {
        return service.ask("POST", "/v1/telemetry", body, {{"content-type", type}});
    };
    EXPECT_EQ(ask("{}", "application/json").status, 415);
    EXPECT_EQ(ask("", "text/plain").status, 400);
    EXPECT_EQ(ask("what is this\n", "text/plain").status, 422);
    EXPECT_EQ(ask(std::string("\0\1", 2), "text/plain").status, 422);
    EXPECT_EQ(ask("[1]\n", "application/x-ndjson").status, 422);
    EXPECT_TRUE(get("/v1/telemetry")["items"].empty());
}

TEST_F(Telemetry, GivesHoursPageByPage) {
    for (const char* const source : {"a", "b", "c"}) {
        add(source, "power_w", {{kNowMs - kHourMs, 100}, {kNowMs - kHourMs + 1, 200}, {kNowMs, 300}});
    }
    add("a", "energy_j", {{kNowMs - kHourMs, 0}, {kNowMs - 1, 3600}});
    std::size_t seen = 0;
    std::string next;
    do {
        const json page = get("/v1/telemetry?limit=2" + (next.empty() ? "" : "&after=" + next));
        seen += page["items"].size();
        next = page["next"].is_null() ? "" : page["next"].get<std::string>();
    } while (!next.empty());
    EXPECT_EQ(seen, 7U);
    const json one = get("/v1/telemetry?source=b&to=2026-01-20T12:00:00Z")["items"];
    ASSERT_EQ(one.size(), 1U);
    EXPECT_EQ(one[0]["mean"], 150);
    EXPECT_NEAR(one[0]["sd"].get<double>(), std::sqrt(5000.0), 1e-9);
    EXPECT_EQ(one[0]["minimum"], 100);
    EXPECT_EQ(get("/v1/telemetry?source=b&from=2026-01-20T11:00:01Z")["items"].size(), 1U) << "the hour that starts later";
    EXPECT_EQ(get("/v1/telemetry?device=other")["items"].size(), 0U);
    const json energy = get("/v1/telemetry?metric=energy_j")["items"][0];
    EXPECT_TRUE(energy["sum"].is_null());
    EXPECT_NEAR(energy["increase"].get<double>(), 3600, 1e-9);
}

TEST_F(Telemetry, RefusesBadFilters) {
    for (const auto& [query, pointer] :
         {std::pair{"metric=watts", "unknown_value /metric"}, std::pair{"from=noon", "bad_format /from"},
          std::pair{"to=2026-01-20", "bad_format /to"}, std::pair{"after=x", "bad_format /after"},
          std::pair{"after=1~-2", "bad_format /after"}, std::pair{"limit=0", "out_of_range /limit"}}) {
        EXPECT_EQ(issues(service.ask("GET", std::string("/v1/telemetry?") + query)), std::vector<std::string>{pointer}) << query;
    }
}

// ---- calibrations ----

/// Two devices, every 10 s for two days: 100 W idle, 500 W full, 400 u + 100 between.
void fill(TestService& service) {
    std::mt19937 random(20261121);
    std::normal_distribution<double> noise(0, 5);
    storage::SampleBatch batch;
    for (const char* const source : {"n1/0", "n1/1"}) {
        const auto first = static_cast<std::uint32_t>(batch.series.size());
        batch.series.push_back({source, "h100-sxm", "utilization"});
        batch.series.push_back({source, "h100-sxm", "power_w"});
        for (std::int64_t i = 0; i < 48 * 60; ++i) {
            const std::int64_t time_ms = kNowMs - 48 * kHourMs + i * 60'000;
            const double u = static_cast<double>(i % 11) / 10.0;
            batch.samples.push_back({first, time_ms, u});
            batch.samples.push_back({first + 1, time_ms + 500, 100 + 400 * u + noise(random)});
        }
    }
    ASSERT_EQ(service.store.add_samples({"alice", "", ""}, batch).duplicates, 0U);
}

json calibration() {
    return {{"device", "h100-sxm"},
            {"from", "2026-01-18T12:00:00Z"},
            {"to", "2026-01-20T12:00:00Z"},
            {"curves", {"power", "utilization"}}};
}

// Power in kilowatts as watts would make a device a thousand times as thrifty.
TEST_F(Telemetry, InAnotherUnitBecomesNoCurve) {
    fill(service);
    const auto is_refused = [&] {
        return issues(post("/v1/calibrations", with(calibration(), "/curves", {"power"}))) ==
               std::vector<std::string>{"out_of_range /curves/0"};
    };
    ASSERT_EQ(service.ask("PUT", "/v1/curves/h100-sxm.power", R"({"kind":"power","axis":"utilization","points":[[0,0.1],[1,0.5]]})")
                  .status,
              201);
    EXPECT_TRUE(is_refused()) << "five times the stored one";
    ASSERT_EQ(service.ask("DELETE", "/v1/curves/h100-sxm.power").status, 204);
    for (const double tdp : {200.0, 6000.0}) {
        ASSERT_LT(service.ask("PUT", "/v1/devices/h100-sxm", json{{"kind", "gpu"}, {"tdp_w", tdp}}.dump()).status, 300);
        EXPECT_TRUE(is_refused()) << tdp;
    }
    ASSERT_EQ(service.ask("PUT", "/v1/devices/h100-sxm", R"({"kind":"gpu","tdp_w":700})").status, 200);
    EXPECT_EQ(ok(post("/v1/calibrations", calibration()))["curves"][0]["what"], "added");
}

TEST_F(Telemetry, OfNoDeviceInKilowattsBecomesNoCurve) {
    for (int i = 0; i < 200; ++i) {
        const std::int64_t time = kNowMs - kHourMs - i * std::int64_t{60'000};
        add("n9/0", "power_w", {{time, 0.1 + 0.003 * i}}, "");
        add("n9/0", "utilization", {{time, i / 200.0}}, "");
    }
    json body = without(calibration(), "/device");
    body["sources"] = {"n9/0"};
    body["id_prefix"] = "lab";
    body["curves"] = {"power"};
    EXPECT_EQ(issues(post("/v1/calibrations", body)), std::vector<std::string>{"out_of_range /curves/0"});
}

TEST_F(Telemetry, BecomesCurvesThatAreStored) {
    fill(service);
    const json dry = ok(post("/v1/calibrations", with(calibration(), "/dry_run", true)));
    EXPECT_EQ(dry["curves"][0]["what"], "added");
    EXPECT_TRUE(dry["curves"][0]["revision"].is_null());
    EXPECT_EQ(service.ask("GET", "/v1/curves/h100-sxm.power").status, 404) << "a dry run stores nothing";

    const json answer = ok(post("/v1/calibrations", calibration()));
    ASSERT_EQ(answer["curves"].size(), 2U);
    const json& power = answer["curves"][0];
    EXPECT_EQ(power["id"], "h100-sxm.power");
    EXPECT_EQ(power["revision"], 1);
    EXPECT_GT(power["fit"]["r_squared"].get<double>(), 0.99);
    EXPECT_NEAR(power["fit"]["residual_sd"].get<double>(), 5.0, 0.5);
    EXPECT_GT(power["fit"]["samples_used"].get<int>(), 5700);
    const json stored = get("/v1/curves/h100-sxm.power");
    EXPECT_EQ(stored["points"], power["curve"]["points"]);
    EXPECT_EQ(stored["points"].size(), 11U);
    EXPECT_NEAR(stored["points"][0][1].get<double>(), 100, 2);
    EXPECT_NEAR(stored["points"][10][1].get<double>(), 500, 2);
    const auto note = stored["note"].get<std::string>();
    for (const char* const part : {"2026-01-18T12:00:00", "samples used", "R2 0.99", "residual sd"}) {
        EXPECT_NE(note.find(part), std::string::npos) << note;
    }
    EXPECT_EQ(stored["source"], "telemetry of device h100-sxm");
    EXPECT_EQ(answer["curves"][1]["curve"]["axis"], "hour_of_day") << "two days";
    EXPECT_EQ(answer["curves"][1]["spread"].size(), 24U);

    const json again = ok(post("/v1/calibrations", calibration()));
    EXPECT_EQ(again["curves"][0]["what"], "unchanged");
    EXPECT_EQ(again["curves"][0]["revision"], 1);
    add("n1/0", "power_w", {{kNowMs - kHourMs + 777, 460}});
    EXPECT_EQ(ok(post("/v1/calibrations", calibration()))["curves"][0]["revision"], 2) << "one more sample, another note";
}

TEST_F(Telemetry, OfOneSourceBecomesCurvesUnderAPrefix) {
    fill(service);
    json body = without(calibration(), "/device");
    body["sources"] = {"n1/1"};
    EXPECT_EQ(issues(post("/v1/calibrations", body)), std::vector<std::string>{"missing /id_prefix"});
    body["id_prefix"] = "lab";
    body["curves"] = {"power"};
    EXPECT_EQ(ok(post("/v1/calibrations", body))["curves"][0]["id"], "lab.power");
    add("n1/1", "power_w", {{kNowMs - kHourMs, 460}}, "a100");
    EXPECT_EQ(issues(post("/v1/calibrations", body)), std::vector<std::string>{"inconsistent "}) << "of two devices";
}

TEST_F(Telemetry, ThatIsThinBecomesNothing) {
    json body = calibration();
    body["curves"] = {"power", "utilization", "throughput"};
    EXPECT_EQ(issues(post("/v1/calibrations", body)),
              (std::vector<std::string>{"too_few /curves/0", "too_few /curves/1", "too_few /curves/2"}));
    fill(service);
    EXPECT_EQ(issues(post("/v1/calibrations", body)), std::vector<std::string>{"too_few /curves/2"});
    EXPECT_EQ(service.ask("GET", "/v1/curves/h100-sxm.power").status, 404) << "all, or nothing";
}

TEST_F(Telemetry, IsCalibratedOnlyByAGoodRequest) {
    struct Case {
        json body;
        std::vector<std::string> wanted;
    };
    const std::vector<Case> cases{
        {json::object(), {"missing /curves", "missing /device", "missing /from", "missing /id_prefix", "missing /to"}},
        {json::array(), {"wrong_type "}},
        {with(calibration(), "/curve", 1), {"unknown_field /curve"}},
        {with(calibration(), "/curves", {"pue"}), {"unknown_value /curves/0"}},
        {with(calibration(), "/curves", {"power", "power"}), {"duplicate /curves/1"}},
        {with(calibration(), "/curves", json::array()), {"out_of_range /curves"}},
        {with(calibration(), "/to", "2026-01-18T12:00:00Z"), {"out_of_range /to"}},
        {with(calibration(), "/from", "2026-01-01T00:00:00Z"), {"out_of_range /from"}},
        {with(calibration(), "/from", 3), {"wrong_type /from"}},
        {with(calibration(), "/time_zone", "Mars"), {"unknown_value /time_zone"}},
        {with(calibration(), "/tolerance_s", -1), {"out_of_range /tolerance_s"}},
        {with(calibration(), "/id_prefix", "No Slug"), {"bad_format /id_prefix"}},
        {with(calibration(), "/id_prefix", std::string(120, 'a')), {"bad_format /id_prefix"}},
        {with(calibration(), "/sources", {1}), {"wrong_type /sources/0"}},
    };
    for (const Case& row : cases) {
        EXPECT_EQ(issues(post("/v1/calibrations", row.body)), row.wanted) << row.body;
    }
}

// ---- variances ----

BillLine line(double cost, double device_hours, const std::string& currency = "USD") {
    BillLine made;
    made.day = 20'454 + 30; // 2026-01-31
    made.provider = "p";
    made.sku = "big";
    made.currency = currency;
    made.effective_cost = cost;
    made.billed_cost = 1e6;
    made.device_hours = device_hours;
    return made;
}

json variance() {
    return {{"scenario", smallest()}, {"pool", "pool"}, {"from", "2026-01"}, {"to", "2026-01"}, {"actual", json::object()}};
}

// The plan: 1 unit/s on 1 device at 3.6 an hour: 744 h, 2,678,400 units, 2678.40.
TEST_F(Telemetry, AndBillsExplainWhyACostDiffers) {
    BillLine february = line(1e5, 1e5);
    february.day += 1;
    static_cast<void>(service.store.save_bill({"test", ""}, std::vector{line(3200, 800), february}));
    json body = variance();
    body["actual"] = {{"bill", {{"provider", "p"}}}, {"units", 2400000}};
    const json answer = ok(post("/v1/variances", body));
    EXPECT_NEAR(answer["predicted"]["cost"].get<double>(), 2678.4, 1e-9);
    EXPECT_EQ(answer["predicted"]["device_hours"], 744);
    EXPECT_NEAR(answer["predicted"]["units"].get<double>(), 2678400, 1e-6);
    EXPECT_NEAR(answer["predicted"]["price_per_device_hour"].get<double>(), 3.6, 1e-12);
    EXPECT_EQ(answer["measured"]["cost"], 3200);
    EXPECT_EQ(answer["measured"]["basis"], (json{{"cost", "bill"}, {"device_hours", "bill"}, {"units", "given"}}));
    const json& parts = answer["cost_variance"];
    EXPECT_NEAR(parts["total"].get<double>(), 521.6, 1e-9);
    EXPECT_NEAR(parts["price"].get<double>(), 3200 - 3.6 * 800, 1e-9);
    EXPECT_NEAR(parts["efficiency"].get<double>(), (800 - 2400000 / 3600.0) * 3.6, 1e-9);
    EXPECT_NEAR(parts["volume"].get<double>(), (2400000 - 2678400) / 3600.0 * 3.6, 1e-9);
    EXPECT_TRUE(answer["measured"]["energy_kwh"].is_null());
    EXPECT_NEAR(answer["difference"]["cost"].get<double>(), 521.6, 1e-9);
    EXPECT_TRUE(answer["notes"].empty());
}

TEST_F(Telemetry, IsHeldAgainstAPlan) {
    const std::int64_t start = kNowMs - 4 * kHourMs;
    add("a", "power_w", {{start, 240}, {start + kHourMs, 250}, {start + kHourMs + 1, 350}});
    add("a", "energy_j", {{start, 1000}, {start + kHourMs - 1, 901000}});
    add("b", "power_w", {{start, 400}});
    add("b", "energy_j", {{start, 1000}});
    add("a", "utilization", {{start, 0.4}, {start + kHourMs, 0.8}, {start + kHourMs + 1, 0.8}});
    add("a", "units_per_s", {{start, 0.1}, {start + kHourMs, 0.2}});
    json body = variance();
    body["scenario"]["pools"][0]["offer"]["site"] = {{"energy_price", 0}, {"pue", 2}};
    body["actual"] = {{"telemetry", {{"device", "h100-sxm"}}}};
    const json answer = ok(post("/v1/variances", body));
    const json& measured = answer["measured"];
    EXPECT_NEAR(measured["device_energy_kwh"].get<double>(), 0.25 + 0.3 + 0.4, 1e-9) << "of b, read once, the mean power";
    EXPECT_NEAR(measured["busy_time_fraction"].get<double>(), 0.6, 1e-12) << "by hours";
    EXPECT_NEAR(measured["utilization_fraction"].get<double>(), 0.1, 1e-12) << "0.3 unit-hours of 1 a device-hour, in three";
    EXPECT_NEAR(measured["units"].get<double>(), 0.3 * 3600, 1e-6);
    EXPECT_EQ(measured["telemetry_device_hours"], 3);
    EXPECT_EQ(measured["device_hours"], 3);
    EXPECT_TRUE(measured["energy_kwh"].is_null()) << "sensors of devices see no hosts and no cooling";
    EXPECT_NEAR(answer["predicted"]["energy_kwh"].get<double>(), 744, 1e-9) << "0.5 kW x 2";
    EXPECT_NEAR(answer["predicted"]["device_energy_kwh"].get<double>(), 372, 1e-9);
    EXPECT_EQ(answer["predicted"]["utilization_fraction"], 1);
    EXPECT_TRUE(answer["cost_variance"]["total"].is_null());
    EXPECT_NE(answer["notes"].dump().find("actual cost"), std::string::npos);
    EXPECT_NEAR(
        ok(post("/v1/variances", with(body, "/set", {{"/pools/0/offer/site/pue", 3}})))["predicted"]["energy_kwh"].get<double>(),
        1116, 1e-9);
}

// A card that does a tenth of its work reports to be busy all the time.
TEST_F(Telemetry, ThatIsBusyTimeIsNoUtilizationOfWhatServes) {
    add("a", "utilization", {{kNowMs - kHourMs, 0.99}});
    json body = variance();
    body["actual"] = {{"telemetry", {{"device", "h100-sxm"}}}};
    const json serving = ok(post("/v1/variances", body));
    EXPECT_TRUE(serving["measured"]["utilization_fraction"].is_null());
    EXPECT_EQ(serving["measured"]["busy_time_fraction"], 0.99);
    EXPECT_NE(serving["notes"].dump().find("not the share of their rate"), std::string::npos);
    body["scenario"]["workloads"][0]["kind"] = "batch";
    body["scenario"]["workloads"][0].erase("demand");
    body["scenario"]["workloads"][0]["requests_per_month"] = 1e6;
    EXPECT_EQ(ok(post("/v1/variances", body))["measured"]["utilization_fraction"], 0.99);
}

// 827 of 7,552 tokens/s at 99 % busy: demand by the busy time was ninefold.
TEST_F(Telemetry, OfAServerBecomesCurvesOverTheShareOfItsRate) {
    std::vector<std::pair<std::int64_t, double>> power, busy, input, output;
    double tokens = 0.0;
    for (int i = 0; i < 48 * 60; ++i) {
        const std::int64_t time = kNowMs - 48 * kHourMs + i * std::int64_t{60'000};
        const double share = i % 10 / 10.0 + 0.1;
        power.emplace_back(time, 100 + 400 * share);
        busy.emplace_back(time, 0.99);
        input.emplace_back(time - 30'000, tokens * 0.75);
        output.emplace_back(time - 30'000, tokens * 0.25);
        tokens += share * 7552 * 60;
    }
    add("n1/0", "power_w", power);
    add("n1/0", "utilization", busy);
    add("n1/vllm", "input_tokens", input, "");
    add("n1/vllm", "output_tokens", output, "");
    json body = with(calibration(), "/sources", {"n1/0"});
    body["full_units_per_s"] = 7552;
    body["served_by"] = "n1/vllm";
    const json curves = ok(post("/v1/calibrations", body))["curves"];
    EXPECT_EQ(curves[0]["curve"]["axis"], "throughput_share");
    for (const json& point : curves[0]["curve"]["points"]) {
        EXPECT_NEAR(point[1].get<double>(), 100 + 400 * point[0].get<double>(), 1e-6) << point;
    }
    EXPECT_EQ(curves[1]["curve"]["utilization_of"], "throughput_share");
    EXPECT_NEAR(curves[1]["curve"]["points"][5][1].get<double>(), 0.55, 0.01);
    body.erase("full_units_per_s");
    EXPECT_EQ(issues(post("/v1/calibrations", body)), std::vector<std::string>{"missing /served_by"});
    body["full_units_per_s"] = 7552;
    body["full_batch"] = 32;
    EXPECT_EQ(issues(post("/v1/calibrations", body)), std::vector<std::string>{"not_allowed /full_batch"});

    json scenario = smallest();
    json& demand = scenario["workloads"][0]["demand"];
    demand = {{"utilization", curves[1]["curve"]}, {"reference_devices", 1}, {"units_per_s_per_device", 1}};
    demand["utilization"].erase("id");
    EXPECT_EQ(service.ask("POST", "/v1/evaluate", json{{"scenario", scenario}}.dump()).status, 200);
    demand["utilization"]["utilization_of"] = "busy_time";
    EXPECT_EQ(issues(service.ask("POST", "/v1/evaluate", json{{"scenario", scenario}}.dump())),
              std::vector<std::string>{"inconsistent /scenario/workloads/0/demand/utilization/utilization_of"});
}

// The server starts again within the hour: its counter falls to 100 and goes on.
TEST_F(Telemetry, CountsTokensThroughAReset) {
    const std::int64_t start = kNowMs - 2 * kHourMs;
    const std::int64_t minute = kHourMs / 60;
    add("a/p", "input_tokens", {{start, 1000}, {start + minute, 5000}, {start + 2 * minute, 100}, {start + 3 * minute, 600}}, "");
    add("a/p", "output_tokens", {{start, 50}, {start + minute, 450}}, "");
    add("a/p", "units_per_s", {{start, 7}}, "");
    const json hours = get("/v1/telemetry?metric=input_tokens")["items"];
    ASSERT_EQ(hours.size(), 1U);
    EXPECT_DOUBLE_EQ(hours[0]["increase"].get<double>(), 4000 + 100 + 500);
    EXPECT_TRUE(hours[0]["mean"].is_null());
    json body = variance();
    body["actual"] = {{"telemetry", {{"sources", {"a/p"}}}}};
    EXPECT_NEAR(ok(post("/v1/variances", body))["measured"]["units"].get<double>(), 7 * 3600, 1e-6) << "its work is not in tokens";
    body["scenario"]["workloads"][0]["unit"] = "token";
    EXPECT_NEAR(ok(post("/v1/variances", body))["measured"]["units"].get<double>(), 4600 + 400, 1e-6);
}

TEST_F(Telemetry, OfAPlanWhoseEnergyNobodyStatesIsNoZero) {
    json body = variance();
    body["actual"] = {{"energy_kwh", 5}};
    const json answer = ok(post("/v1/variances", body));
    EXPECT_TRUE(answer["predicted"]["energy_kwh"].is_null()) << "its offer has no site";
    EXPECT_TRUE(answer["predicted"]["device_energy_kwh"].is_null());
    EXPECT_TRUE(answer["difference"]["energy_kwh"].is_null());
    EXPECT_NE(answer["notes"].dump().find("predicted energy is not known"), std::string::npos);
}

TEST_F(Telemetry, OfAPlanThatIsRoutedByPriceHasNoShareOfDevices) {
    json body = variance();
    body["scenario"]["workloads"][0]["routing"] = "cheapest";
    body["actual"] = {{"cost", 1}};
    const json answer = ok(post("/v1/variances", body));
    EXPECT_TRUE(answer["predicted"]["device_energy_kwh"].is_null());
    EXPECT_NE(answer["notes"].dump().find("routed by price"), std::string::npos);
    EXPECT_TRUE(answer["cost_variance"]["price"].is_null());
    EXPECT_NE(answer["notes"].dump().find("device-hours are not known"), std::string::npos);
}

TEST_F(Telemetry, AndBillsInAnotherCurrencyAreConverted) {
    static_cast<void>(service.store.save_bill({"test", ""}, std::vector{line(1000, 100, "EUR")}));
    json body = variance();
    body["actual"] = {{"bill", json::object()}};
    EXPECT_EQ(issues(post("/v1/variances", body)), std::vector<std::string>{"missing_exchange_rate /actual/bill"});
    body["scenario"]["exchange_rates"] = {{"EUR", 1.1}};
    EXPECT_NEAR(ok(post("/v1/variances", body))["measured"]["cost"].get<double>(), 1100, 1e-9);
    body["actual"] = {{"bill", {{"sku", "other"}}}};
    EXPECT_NE(ok(post("/v1/variances", body))["notes"].dump().find("no line of a bill"), std::string::npos);
}

TEST_F(Telemetry, IsAskedForByAnyNameOfItsDevice) {
    add("a", "power_w", {{kNowMs - kHourMs, 240}}, "nvidia.h100-sxm5-80gb");
    const json answer = ok(post("/v1/variances", with(variance(), "/actual/telemetry", {{"device", "H100"}})));
    EXPECT_EQ(answer["measured"]["device_energy_kwh"], 0.24);
}

TEST_F(Telemetry, IsHeldAgainstAPlanOnlyByAGoodRequest) {
    const json good = with(variance(), "/actual/cost", 5);
    struct Case {
        json body;
        std::vector<std::string> wanted;
    };
    const std::vector<Case> cases{
        {json::object(), {"missing /actual", "missing /from", "missing /pool", "missing /scenario", "missing /to"}},
        {variance(), {"missing /actual"}},
        {with(good, "/pool", "no"), {"unknown_reference /pool"}},
        {with(good, "/scenario", "no-such"), {"unknown_reference /scenario"}},
        {with(good, "/scenario", 3), {"wrong_type /scenario"}},
        {with(good, "/from", "2025-12"), {"out_of_range /from"}},
        {with(good, "/to", "2026-02"), {"out_of_range /to"}},
        {with(good, "/to", "2025-12"), {"out_of_range /to"}},
        {with(good, "/from", "2026-13"), {"bad_format /from"}},
        {with(good, "/from", "2026-1-1"), {"bad_format /from"}},
        {with(good, "/actual/utilization_fraction", 1.5), {"out_of_range /actual/utilization_fraction"}},
        {with(good, "/actual/telemetry", json::object()), {"missing /actual/telemetry/device"}},
        {with(good, "/actual/telemetry", {{"device", "No Board"}}), {"bad_format /actual/telemetry/device"}},
        {with(good, "/actual/bill", 3), {"wrong_type /actual/bill"}},
        {with(good, "/actual/watt", 3), {"unknown_field /actual/watt"}},
        {with(good, "/as_of", "2999-01-01T00:00:00Z"), {"out_of_range /as_of"}},
        {with(good, "/scenario/months", 0), {"out_of_range /scenario/months"}},
    };
    EXPECT_EQ(post("/v1/variances", good).status, 200);
    for (const Case& row : cases) {
        EXPECT_EQ(issues(post("/v1/variances", row.body)), row.wanted) << row.body;
    }
}

} // namespace
} // namespace costcurve::tests
