// Curves: kinds, axes, points; each wrong one said at its place.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/api/samples.hpp"

namespace costcurve::tests {
namespace {

using Words = std::vector<std::string>;

const std::string kPrice = "/pools/0/offer/hourly_price";                   // reads a price curve, over dates
const std::string kRate = "/workloads/0/runs_on/0/performance/units_per_s"; // a throughput curve, over batch or devices
const std::string kShape = "/workloads/0/demand/shape";                     // a demand curve, over hours or dates
const std::string kPower = "/pools/0/offer/device/power";                   // a power curve, over utilization

json dated() { return json::parse(R"({"kind": "price", "axis": "date", "points": [["2026-01-01", 1], ["2026-02-01", 2]]})"); }
json batched() { return json::parse(R"({"kind": "throughput", "axis": "batch", "points": [[1, 10], [8, 60], [64, 200]]})"); }
json daily() { return json::parse(R"({"kind": "demand", "axis": "hour_of_day", "points": [[0, 0.5], [12, 1.5]]})"); }
json powered() { return json::parse(R"({"kind": "power", "axis": "utilization", "points": [[0, 100], [1, 500]]})"); }

Words says(const std::string& at, json curve) { return issues_of_json(with(smallest(), at, std::move(curve))); }

TEST(DecodeCurves, TakeGoodOnes) {
    EXPECT_EQ(says(kPrice, dated()), Words{});
    EXPECT_EQ(says(kRate, batched()), Words{});
    EXPECT_EQ(says(kShape, daily()), Words{});
    EXPECT_EQ(says(kPower, powered()), Words{});
    EXPECT_EQ(says(kPrice, with(dated(), "/points", json::parse(R"([["2026-01-01", 1]])"))), Words{})
        << "one point is a flat curve";
    json all = batched();
    all.update({{"interpolation", "log"}, {"outside", "error"}, {"id", "a.curve"}, {"source", "row 7"}, {"note", "n"}});
    EXPECT_EQ(says(kRate, all), Words{});
}

TEST(DecodeCurves, SayWhatIsMissingUnknownOrOfAWrongType) {
    const struct {
        json curve;
        Words issues;
    } rows[] = {
        {without(batched(), "/kind"), {"missing " + kRate + "/kind"}},
        {without(batched(), "/axis"), {"missing " + kRate + "/axis"}},
        {without(batched(), "/points"), {"missing " + kRate + "/points"}},
        {json::object(), {"missing " + kRate + "/axis", "missing " + kRate + "/kind", "missing " + kRate + "/points"}},
        {with(batched(), "/y_unit", "W"), {"unknown_field " + kRate + "/y_unit"}},
        {with(batched(), "/kind", "rate"), {"unknown_value " + kRate + "/kind"}},
        {with(batched(), "/axis", "hours"), {"unknown_value " + kRate + "/axis"}},
        {with(batched(), "/interpolation", "cubic"), {"unknown_value " + kRate + "/interpolation"}},
        {with(batched(), "/outside", "wrap"), {"unknown_value " + kRate + "/outside"}},
        {with(batched(), "/kind", 1), {"wrong_type " + kRate + "/kind"}},
        {with(batched(), "/id", "An Id"), {"bad_format " + kRate + "/id"}},
        {with(batched(), "/points", json::array()), {"out_of_range " + kRate + "/points"}},
        {with(batched(), "/points", "1,10"), {"wrong_type " + kRate + "/points"}},
        {with(batched(), "/points", {{"1", 10}}), {"wrong_type " + kRate + "/points"}},
        {with(batched(), "/points/1", 8), {"wrong_type " + kRate + "/points/1"}},
        {with(batched(), "/points/1", json::array({8})), {"wrong_type " + kRate + "/points/1"}},
        {with(batched(), "/points/1", json::array({8, 60, 1})), {"wrong_type " + kRate + "/points/1"}},
        {with(batched(), "/points/1/0", "8"), {"wrong_type " + kRate + "/points/1/0"}},
        {with(batched(), "/points/1/1", nullptr), {"wrong_type " + kRate + "/points/1/1"}},
        {json::array({1, 2}), {"wrong_type " + kRate}},
        {json(true), {"wrong_type " + kRate}},
    };
    for (const auto& row : rows) {
        EXPECT_EQ(says(kRate, row.curve), row.issues) << row.curve;
    }
}

TEST(DecodeCurves, MustBeOfTheKindThatTheFieldReads) {
    EXPECT_EQ(says(kPrice, batched()), Words{"unknown_value " + kPrice + "/kind"});
    EXPECT_EQ(says(kRate, dated()), Words{"unknown_value " + kRate + "/kind"});
    EXPECT_EQ(says(kPower, daily()), Words{"unknown_value " + kPower + "/kind"});
    EXPECT_EQ(says("/workloads/0/runs_on/0/performance/scaling", batched()),
              Words{"unknown_value /workloads/0/runs_on/0/performance/scaling/kind"});
}

TEST(DecodeCurves, MustHaveAnAxisOfTheirKind) { // model.md, section 3
    const struct {
        const char* kind;
        std::vector<const char*> axes;
        double y;
    } kinds[] = {
        {"price", {"date"}, 1},
        {"power", {"utilization"}, 1},
        {"pue", {"load", "hour_of_week", "hour_of_day", "hour_of_year"}, 1},
        {"tariff", {"hour_of_week", "hour_of_day", "hour_of_year", "date"}, 1},
        {"carbon", {"hour_of_week", "hour_of_day", "hour_of_year", "date"}, 1},
        {"utilization", {"hour_of_week", "hour_of_day", "hour_of_year", "date"}, 1},
        {"demand", {"hour_of_week", "hour_of_day", "hour_of_year", "date"}, 1},
        {"throughput", {"batch", "devices"}, 1},
        {"scaling", {"devices"}, 1},
        {"residual", {"age_months"}, 1},
    };
    for (const auto& row : kinds) {
        for (const char* axis :
             {"utilization", "load", "hour_of_day", "hour_of_week", "hour_of_year", "date", "batch", "devices", "age_months"}) {
            const json x = std::string(axis) == "date" ? json("2026-01-01") : json(1);
            const json curve = {{"kind", row.kind}, {"axis", axis}, {"points", json::array({json::array({x, row.y})})}};
            const bool allowed = std::find(row.axes.begin(), row.axes.end(), std::string(axis)) != row.axes.end();
            EXPECT_EQ(words(check_document("curve", curve)), allowed ? Words{} : Words{"unknown_value /axis"})
                << row.kind << " over " << axis;
        }
    }
}

TEST(DecodeCurves, OfEpochsAreReadOverDatesOnly) {
    json document = mixed();
    const std::string at = "/workloads/1/epochs_per_month";
    document["workloads"][1]["epochs_per_month"] = daily();
    EXPECT_EQ(issues_of_json(document), Words{"unknown_value " + at + "/axis"});
    document["workloads"][1]["epochs_per_month"] =
        json::parse(R"({"kind": "demand", "axis": "date", "points": [["2026-01-01", 2]]})");
    EXPECT_EQ(issues_of_json(document), Words{});
}

TEST(DecodeCurves, InterpolateByLogOnlyOverPlainPositiveNumbers) {
    EXPECT_EQ(says(kRate, with(batched(), "/interpolation", "log")), Words{});
    EXPECT_EQ(says(kPrice, with(dated(), "/interpolation", "log")), Words{"not_allowed " + kPrice + "/interpolation"});
    EXPECT_EQ(says(kShape, with(daily(), "/interpolation", "log")), Words{"not_allowed " + kShape + "/interpolation"});
    json zero = with(batched(), "/interpolation", "log");
    EXPECT_EQ(says(kRate, with(zero, "/points/0/1", 0)), Words{"out_of_range " + kRate + "/points/0/1"});
    EXPECT_EQ(says(kPower, with(powered(), "/interpolation", "log")), Words{"out_of_range " + kPower + "/points/0/0"}) << "x = 0";
}

TEST(DecodeCurves, AscendStrictly) {
    for (const double x : {1.0, 0.5, -1.0}) {
        const Words found =
            says(kPower, json::parse(fmt::format(R"({{"kind": "power", "axis": "utilization", "points": [[1, 5], [{}, 6]]}})", x)));
        const std::string code = x < 0 ? "out_of_range " : "not_ascending ";
        EXPECT_NE(std::find(found.begin(), found.end(), code + kPower + "/points/1/0"), found.end()) << x;
    }
    EXPECT_EQ(says(kPrice, with(dated(), "/points/1/0", "2026-01-01")), Words{"not_ascending " + kPrice + "/points/1/0"});
    EXPECT_EQ(says(kPrice, with(dated(), "/points/1/0", "2025-12-31")), Words{"not_ascending " + kPrice + "/points/1/0"});
}

TEST(DecodeCurves, NameEveryPointThatDoesNotAscend) {
    const json points = json::parse("[[1, 1], [1, 2], [3, 3], [2, 4]]");
    EXPECT_EQ(says(kRate, with(batched(), "/points", points)),
              (Words{"not_ascending " + kRate + "/points/1/0", "not_ascending " + kRate + "/points/3/0"}));
}

TEST(DecodeCurves, NameWrongPointsBesideOtherWrongFields) {
    json curve = with(with(batched(), "/points/1/1", -1), "/colour", "red");
    EXPECT_EQ(says(kRate, curve), (Words{"out_of_range " + kRate + "/points/1/1", "unknown_field " + kRate + "/colour"}));
}

TEST(DecodeCurves, HaveTheirXOnTheAxis) {
    const struct {
        const char* kind;
        const char* axis;
        double x;
        bool good;
    } rows[] = {
        {"power", "utilization", -0.001, false}, {"power", "utilization", 0, true},       {"power", "utilization", 1, true},
        {"power", "utilization", 1.001, false},  {"pue", "load", 1.001, false},           {"pue", "load", 0, true},
        {"demand", "hour_of_day", 0, true},      {"demand", "hour_of_day", 23.5, true},   {"demand", "hour_of_day", 24, false},
        {"demand", "hour_of_day", -1, false},    {"demand", "hour_of_week", 167, true},   {"demand", "hour_of_week", 168, false},
        {"demand", "hour_of_year", 8759, true},  {"demand", "hour_of_year", 8760, false}, {"throughput", "batch", 1, true},
        {"throughput", "batch", -1, false},      {"throughput", "devices", -1, false},    {"residual", "age_months", 0, true},
        {"residual", "age_months", -1, false},
    };
    for (const auto& row : rows) {
        const json curve = {{"kind", row.kind}, {"axis", row.axis}, {"points", json::array({json::array({row.x, 1})})}};
        EXPECT_EQ(words(check_document("curve", curve)), row.good ? Words{} : Words{"out_of_range /points/0/0"})
            << row.axis << " " << row.x;
    }
}

TEST(DecodeCurves, HaveTheirYInTheRangeOfTheKind) {
    const struct {
        const char* kind;
        const char* axis;
        double y;
        bool good;
    } rows[] = {
        {"pue", "load", 0.99, false},
        {"pue", "load", 1, true},
        {"utilization", "hour_of_day", 1.01, false},
        {"utilization", "hour_of_day", -0.01, false},
        {"scaling", "devices", 1.01, false},
        {"residual", "age_months", 1.01, false},
        {"power", "utilization", -1, false},
        {"tariff", "hour_of_day", -0.05, true},
        {"carbon", "hour_of_day", -1, false},
        {"demand", "hour_of_day", -1, false},
        {"throughput", "batch", -1, false},
        {"demand", "hour_of_day", 1e16, false},
    };
    for (const auto& row : rows) {
        const json curve = {{"kind", row.kind}, {"axis", row.axis}, {"points", json::array({json::array({1, row.y})})}};
        EXPECT_EQ(words(check_document("curve", curve)), row.good ? Words{} : Words{"out_of_range /points/0/1"})
            << row.kind << " " << row.y;
    }
}

TEST(DecodeCurves, HaveDatesThatExist) {
    for (const json& x : {json("2026-02-29"), json("2026-1-1"), json(""), json("never"), json(20454)}) {
        const Words found = says(kPrice, with(dated(), "/points/0/0", x));
        EXPECT_EQ(found, Words{"bad_format " + kPrice + "/points/0/0"}) << x;
    }
    EXPECT_EQ(says(kRate, with(batched(), "/points/0/0", "2026-01-01")), Words{"wrong_type " + kRate + "/points/0/0"});
}

TEST(DecodeCurves, HaveAtMostAHundredThousandPoints) {
    json points = json::array();
    for (int i = 1; i <= 100000; ++i) {
        points.push_back({i, 1});
    }
    EXPECT_EQ(says(kRate, with(batched(), "/points", points)), Words{});
    points.push_back({100001, 1});
    EXPECT_EQ(says(kRate, with(batched(), "/points", points)), Words{"out_of_range " + kRate + "/points"});
}

TEST(DecodeCurves, SayManyWrongPointsOnceAndAgainNotForever) {
    json points = json::array();
    for (int i = 0; i < 100000; ++i) {
        points.push_back("wrong");
    }
    const Words found = says(kRate, with(batched(), "/points", points));
    EXPECT_GE(found.size(), 10U);
    EXPECT_LE(found.size(), 1000U);
}

} // namespace
} // namespace costcurve::tests
