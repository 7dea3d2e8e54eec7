// Numbers at each limit and just beyond it, and what the message says of them.
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/api/samples.hpp"

namespace costcurve::tests {
namespace {

using Words = std::vector<std::string>;

constexpr double kFar = 1e15; // the largest price, count or rate

struct Range {
    const char* pointer; // into the mixed sample
    double low;
    double high;
    const char* unit; // as messages name it
    bool above_low = false;
    bool whole = false;
};

const Range kRanges[] = {
    {"/months", 1, 240, "months", false, true},
    {"/exchange_rates/USD", 0, 1e9, "currency", true},
    {"/finance/discount_rate", 0, 10, "1/year"},
    {"/finance/tax_rate", 0, 1, "fraction"},
    {"/finance/tax_depreciation_rate", 0, 12, "1/year", true},
    {"/finance/carbon_price_per_tonne", 0, kFar, "currency"},
    {"/finance/engineer_week_cost", 0, kFar, "currency"},
    {"/workloads/0/units_per_request/input", 0, kFar, "units/request"},
    {"/workloads/0/output_cost_ratio", 0, 1e6, "ratio", true},
    {"/workloads/0/demand/mean_per_s", 0, kFar, "requests/s"},
    {"/workloads/0/demand/growth_per_month", -1, 10, "1/month"},
    {"/workloads/0/peak_utilization", 0, 1, "fraction", true},
    {"/workloads/0/slo/itl_s", 0, 1e6, "s", true},
    {"/workloads/0/unserved_cost_per_unit", 0, kFar, "currency"},
    {"/workloads/0/memory_gib", 0, 1e9, "GiB"},
    {"/workloads/0/runs_on/0/porting/engineer_weeks", 0, 1e5, "weeks"},
    {"/workloads/0/runs_on/0/performance/devices", 1, 1e6, "devices", false, true},
    {"/workloads/0/runs_on/1/performance/units_per_s", 0, kFar, "units/s", true},
    {"/workloads/1/units_per_epoch", 0, 1e18, "units/epoch", true},
    {"/workloads/1/epochs_per_month", 0, kFar, "epochs/month"},
    {"/workloads/1/checkpoint/write_s", 0, 1e6, "s"},
    {"/workloads/1/checkpoint/interval_s", 0, 1e9, "s", true},
    {"/pools/0/server/device/tdp_w", 1, 20000, "W"},
    {"/pools/0/server/device/idle_w", 0, 20000, "W"},
    {"/pools/0/server/device/memory_gib", 0, 1e5, "GiB", true},
    {"/pools/0/server/device/peak_flops/bf16", 0, 1e18, "FLOP/s", true},
    {"/pools/0/server/devices", 1, 1e4, "devices/server", false, true},
    {"/pools/0/server/price", 0, kFar, "currency/server"},
    {"/pools/0/server/price_change_rate", -0.99, 10, "1/year"},
    {"/pools/0/server/life_months", 1, 600, "months", false, true},
    {"/pools/0/server/host_max_w", 0, 1e5, "W"},
    {"/pools/0/server/rack_units", 0, 100, "U", true},
    {"/pools/0/server/failures_per_hour", 0, 3600, "1/server-hour"},
    {"/pools/0/server/embodied_kg", 0, 1e7, "kg"},
    {"/pools/0/site/carbon_g_per_kwh", 0, 1e5, "g/kWh"},
    {"/pools/0/site/facility_life_months", 1, 1200, "months", false, true},
    {"/pools/0/site/rack_kw", 0, 1e4, "kW", true},
    {"/pools/0/site/fte", 0, 1e5, "people"},
    {"/pools/0/purchases/0/month", -1200, 239, "months", false, true},
    {"/pools/0/purchases/0/servers", 0, 1e6, "servers", false, true},
    {"/pools/0/ramp_months", 0, 240, "months", false, true},
    {"/pools/1/max_instances", 0, 1e6, "instances", false, true},
    {"/pools/1/offer/hourly_price", 0, kFar, "currency/instance-hour"},
    {"/pools/1/offer/price_growth_rate", -0.99, 10, "1/year"},
    {"/pools/1/offer/interruptions_per_hour", 0, 3600, "1/instance-hour"},
    {"/pools/1/offer/site/energy_price", -1e6, 1e6, "currency/kWh"},
    {"/pools/2/max_units_per_s", 0, kFar, "units/s"},
    {"/pools/2/price_per_million_units/output", 0, kFar, "currency/million units"},
};

json number(double value, bool whole) { return whole ? json(static_cast<std::int64_t>(value)) : json(value); }

TEST(DecodeRanges, TakeEachLimitAndRefuseTheNextNumberBeyondIt) {
    for (const Range& range : kRanges) {
        const std::string pointer = range.pointer;
        const auto says = [&](double value) { return issues_of_json(with(mixed(), pointer, number(value, range.whole))); };
        const Words refused = {"out_of_range " + pointer};
        const double below = range.whole ? range.low - 1 : std::nextafter(range.low, -INFINITY);
        const double above = range.whole ? range.high + 1 : std::nextafter(range.high, INFINITY);
        EXPECT_EQ(says(range.low), range.above_low ? refused : Words{}) << pointer << " = " << range.low;
        if (range.above_low) {
            EXPECT_EQ(says(std::nextafter(range.low, INFINITY)), Words{}) << pointer;
        }
        EXPECT_EQ(says(below), refused) << pointer << " = " << below;
        EXPECT_EQ(says(range.high), Words{}) << pointer << " = " << range.high;
        EXPECT_EQ(says(above), refused) << pointer << " = " << above;
        EXPECT_EQ(says(1e300), refused) << pointer;
        EXPECT_EQ(says(-1e300), refused) << pointer;
    }
}

TEST(DecodeRanges, MessagesNameFieldValueUnitAndLimits) {
    for (const Range& range : kRanges) {
        const model::Failure failure = failure_of(with(mixed(), range.pointer, 5e18));
        ASSERT_EQ(failure.size(), 1U) << range.pointer;
        const std::string& message = failure.front().message;
        const std::string field = json::json_pointer(range.pointer).back();
        EXPECT_TRUE(message.starts_with(field + " is 5e+18")) << message;
        EXPECT_NE(message.find(range.unit), std::string::npos) << message;
        EXPECT_NE(message.find("allowed"), std::string::npos) << message;
        EXPECT_NE(message.find(fmt::format("{}", range.low)), std::string::npos) << message;
        EXPECT_NE(message.find(fmt::format("{}", range.high)), std::string::npos) << message;
    }
    const model::Failure tdp = failure_of(with(smallest(), "/pools/0/offer/device/tdp_w", 0));
    ASSERT_EQ(tdp.size(), 1U);
    EXPECT_EQ(tdp.front().message, "tdp_w is 0 W; allowed 1 to 20000 W"); // conventions.md, Errors
}

TEST(DecodeRanges, WholeNumbersMayBeWrittenAsFractionsOfZero) {
    EXPECT_EQ(issues_of_json(with(smallest(), "/months", json::parse("12.0"))), Words{});
    EXPECT_EQ(issues_of_json(with(smallest(), "/months", json::parse("1.2e1"))), Words{});
    EXPECT_EQ(issues_of_json(with(smallest(), "/months", json::parse("12.5"))), Words{"wrong_type /months"});
    EXPECT_EQ(issues_of_json(with(smallest(), "/months", json::parse("18446744073709551617"))), Words{"out_of_range /months"});
    EXPECT_EQ(issues_of_json(with(smallest(), "/months", json::parse("-9223372036854775808"))), Words{"out_of_range /months"});
}

TEST(DecodeRanges, BoundWorkloadsPoolsEntriesAndPurchases) {
    const json document = mixed();
    const struct {
        const char* pointer;
        std::size_t most;
    } rows[] = {{"/workloads", 64}, {"/pools", 64}, {"/workloads/0/runs_on", 64}, {"/pools/0/purchases", 1000}};
    for (const auto& row : rows) {
        const json entry = document.at(json::json_pointer(std::string(row.pointer) + "/0"));
        const auto says = [&](std::size_t count) { return issues_of_json(with(document, row.pointer, json(count, entry))); };
        const Words refused = {std::string("out_of_range ") + row.pointer};
        EXPECT_EQ(says(0), refused);
        EXPECT_EQ(says(1), Words{});
        EXPECT_EQ(says(row.most), Words{});
        EXPECT_EQ(says(row.most + 1), refused);
    }
}

TEST(DecodeRanges, MonthsAreCalendarMonthsFrom1970To2199) {
    for (const char* start : {"1970-01", "1999-12", "2026-02", "2199-12"}) {
        EXPECT_EQ(issues_of_json(with(smallest(), "/start", start)), Words{}) << start;
    }
    for (const char* start : {"",        "2026",    "2026-0",  "2026-00",    "2026-13", "2026-1",   "26-01",
                              "1969-12", "2200-01", "9999-01", "2026-01-01", "2026/01", " 2026-01", "2026-01 ",
                              "+026-01", "-026-01", "2026-+1", "2026-1a",    "20a6-01", "٢٠٢٦-01",  "2026-01T"}) {
        EXPECT_EQ(issues_of_json(with(smallest(), "/start", start)), Words{"bad_format /start"}) << start;
    }
}

TEST(DecodeRanges, DatesAreCalendarDays) {
    const std::string at = "/pools/0/offer/device/released";
    for (const char* day : {"2024-02-29", "1999-12-31", "2022-09-20"}) {
        EXPECT_EQ(issues_of_json(with(smallest(), at, day)), Words{}) << day;
    }
    for (const char* day :
         {"", "2023-02-29", "2022-04-31", "2022-9-20", "2022-09", "20220920", "2022-09-20T00:00:00Z", "2022-09-2x"}) {
        EXPECT_EQ(issues_of_json(with(smallest(), at, day)), Words{"bad_format " + at}) << day;
    }
}

TEST(DecodeRanges, CurrenciesAreThreeCapitals) {
    for (const std::string at : {"/currency", "/pools/0/offer/currency"}) {
        EXPECT_EQ(issues_of_json(with(smallest(), at, "EUR")), Words{});
        for (const char* code : {"", "eur", "EURO", "EU", "E1R", "€€€", "ÉUR"}) {
            EXPECT_EQ(issues_of_json(with(smallest(), at, code)), Words{"bad_format " + at}) << code;
        }
    }
}

TEST(DecodeRanges, ExchangeRatesAreKeyedByCurrencies) {
    EXPECT_EQ(issues_of_json(with(smallest(), "/exchange_rates", {{"EUR", 1.1}})), Words{});
    EXPECT_EQ(issues_of_json(with(smallest(), "/exchange_rates", {{"euro", 1.1}})), Words{"bad_format /exchange_rates/euro"});
}

TEST(DecodeRanges, TagsAreTextsByKeyEachOf1To256Bytes) {
    for (const std::string at : {"/tags", "/workloads/0/tags", "/pools/0/tags"}) {
        EXPECT_EQ(issues_of_json(with(smallest(), at, {{"team", "red"}, {"cost center", "4711"}})), Words{});
        EXPECT_EQ(issues_of_json(with(smallest(), at, json::array({"red"}))), Words{"wrong_type " + at});
        EXPECT_EQ(issues_of_json(with(smallest(), at, {{"team", 7}})), Words{"wrong_type " + at + "/team"});
        EXPECT_EQ(issues_of_json(with(smallest(), at, {{"team", ""}})), Words{"out_of_range " + at + "/team"});
        EXPECT_EQ(issues_of_json(with(smallest(), at, {{"team", std::string(257, 'x')}})), Words{"out_of_range " + at + "/team"});
        EXPECT_EQ(issues_of_json(with(smallest(), at, {{"", "red"}})), Words{"out_of_range " + at + "/"});
    }
}

TEST(DecodeRanges, SharesOfAnAllocationAreFractions) {
    const json fixed = {{"basis", "fixed"}, {"shares", {{"work", 1}}}};
    EXPECT_EQ(issues_of_json(with(smallest(), "/allocation", fixed)), Words{});
    EXPECT_EQ(issues_of_json(with(smallest(), "/allocation", {{"shares", {{"work", 1.5}}}})),
              Words{"out_of_range /allocation/shares/work"});
    EXPECT_EQ(issues_of_json(with(smallest(), "/allocation", {{"basis", "equal"}})), Words{"unknown_value /allocation/basis"});
}

} // namespace
} // namespace costcurve::tests
