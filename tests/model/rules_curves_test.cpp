// Curves that must not be read beyond their ends, `outside: error` (model.md, section 3), by the place that reads them.
#include "model/rules.hpp"

#include <functional>

#include "model/scenario.hpp"
#include "tests/model/close.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using tests::api_scenario;
using tests::cloud_scenario;
using tests::curve;
using tests::flat;
using tests::issues_of;
using tests::owned_scenario;
using tests::training_scenario;
using CurveIssues = std::vector<std::string>;
using CurveChange = std::function<void(ScenarioDocument&)>;

struct CurveRow {
    const char* what;
    ScenarioDocument from;
    CurveChange change;
    CurveIssues expected;
};

void expect_curve_issues(const std::vector<CurveRow>& rows) {
    for (const CurveRow& row : rows) {
        ScenarioDocument document = row.from;
        row.change(document);
        EXPECT_EQ(issues_of(document), row.expected) << row.what;
    }
}

Rate dated(CurveKind kind, double first_day, double last_day, Outside outside) {
    Rate rate = curve(kind, Axis::date, {first_day, last_day}, {0.5, 1});
    rate.curve->outside = outside;
    return rate;
}

TEST(CurveRules, CurveThatMustNotBeReadOutsideCoversTheHorizon) {
    // The scenario reads 2026-01-01, day 20454, and 2026-02-01, day 20485.
    struct Place {
        ScenarioDocument from;
        CurveKind kind;
        std::function<Rate&(ScenarioDocument&)> rate;
        const char* pointer;
    };
    const std::vector<Place> places = {
        {cloud_scenario(), CurveKind::price, [](auto& d) -> Rate& { return d.pools[0].offer->hourly_price; },
         "/pools/0/offer/hourly_price"},
        {owned_scenario(), CurveKind::tariff, [](auto& d) -> Rate& { return d.pools[0].site->energy_price; },
         "/pools/0/site/energy_price"},
        {owned_scenario(), CurveKind::carbon, [](auto& d) -> Rate& { return d.pools[0].site->carbon_g_per_kwh.emplace(); },
         "/pools/0/site/carbon_g_per_kwh"},
        {cloud_scenario(), CurveKind::demand, [](auto& d) -> Rate& { return d.workloads[0].demand.shape.emplace(); },
         "/workloads/0/demand/shape"},
        {training_scenario(), CurveKind::demand, [](auto& d) -> Rate& { return *d.workloads[0].epochs_per_month; },
         "/workloads/0/epochs_per_month"},
        {api_scenario(), CurveKind::price, [](auto& d) -> Rate& { return d.pools[0].price_per_million_units->total; },
         "/pools/0/price_per_million_units"},
    };
    for (const Place& place : places) {
        const auto found = [&](double first, double last, Outside outside) {
            ScenarioDocument document = place.from;
            document.months = 2;
            place.rate(document) = dated(place.kind, first, last, outside);
            return issues_of(document);
        };
        const CurveIssues outside = {std::string("outside_curve ") + place.pointer};
        EXPECT_EQ(found(20454, 20485, Outside::error), CurveIssues{}) << place.pointer;
        EXPECT_EQ(found(20455, 20485, Outside::error), outside) << place.pointer;
        EXPECT_EQ(found(20454, 20484, Outside::error), outside) << place.pointer;
        EXPECT_EQ(found(20470, 20471, Outside::hold), CurveIssues{}) << place.pointer;
    }
}

TEST(CurveRules, SplitApiPricesAreCheckedApart) {
    ScenarioDocument document = api_scenario();
    document.workloads[0].units_per_request = tests::in_and_out(3, 1);
    document.pools[0].price_per_million_units =
        tests::in_and_out(dated(CurveKind::price, 1, 2, Outside::error), dated(CurveKind::price, 1, 2, Outside::error));
    EXPECT_EQ(issues_of(document), (CurveIssues{"outside_curve /pools/0/price_per_million_units/input",
                                                "outside_curve /pools/0/price_per_million_units/output"}));
}

TEST(CurveRules, PowerLoadAndResidualCurvesCoverWhatIsRead) {
    const auto strict = [](CurveKind kind, Axis axis, double low, double high) {
        Rate rate = curve(kind, axis, {low, high}, {1, 1});
        rate.curve->outside = Outside::error;
        return rate;
    };
    expect_curve_issues({
        {"power",
         owned_scenario(),
         [&](auto& d) { d.pools[0].server->device.power = strict(CurveKind::power, Axis::utilization, 0.1, 1).curve; },
         {"outside_curve /pools/0/server/device/power"}},
        {"power, whole",
         owned_scenario(),
         [&](auto& d) { d.pools[0].server->device.power = strict(CurveKind::power, Axis::utilization, 0, 1).curve; },
         {}},
        {"PUE by load",
         owned_scenario(),
         [&](auto& d) { d.pools[0].site->pue = strict(CurveKind::pue, Axis::load, 0, 0.9); },
         {"outside_curve /pools/0/site/pue"}},
        {"PUE by hour has no outside",
         owned_scenario(),
         [&](auto& d) { d.pools[0].site->pue = strict(CurveKind::pue, Axis::hour_of_day, 5, 6); },
         {}},
        {"residual at the end of life",
         owned_scenario(),
         [&](auto& d) { d.pools[0].server->residual_fraction = strict(CurveKind::residual, Axis::age_months, 0, 47); },
         {"outside_curve /pools/0/server/residual_fraction"}},
        {"residual that reaches it",
         owned_scenario(),
         [&](auto& d) { d.pools[0].server->residual_fraction = strict(CurveKind::residual, Axis::age_months, 0, 48); },
         {}},
    });
}

} // namespace
} // namespace costcurve::model
