// Power, energy, demand charge and carbon of pools under load (model.md, section 7).
#include "model/power.hpp"

#include "tests/model/close.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using tests::Answer;
using tests::curve;
using tests::evaluate_document;
using tests::flat;
using tests::is_close;
using tests::owned_scenario;

double power_cost(const Answer& answer, Category category, std::size_t month = 0) {
    return answer.ledger.cost(month, 0, static_cast<std::size_t>(category));
}

Curve power_curve(std::vector<double> x, std::vector<double> y, Interpolation rule = Interpolation::linear) {
    return *curve(CurveKind::power, Axis::utilization, std::move(x), std::move(y), rule).curve;
}

std::vector<double> read_line(const PiecewiseLinear& line, std::vector<double> x) {
    const std::size_t size = x.size();
    x.resize((size + kernels::kLanes - 1) / kernels::kLanes * kernels::kLanes, 0.0);
    std::vector<double> y(x.size(), -1.0);
    read_all(line, x.size(), x.data(), y.data());
    y.resize(size);
    return y;
}

TEST(Power, PiecewiseLinearIsTheCurve) {
    const std::vector<double> x = {0, 0.1, 0.25, 0.3, 0.5, 0.75, 0.999, 1};
    for (const Curve& points :
         {power_curve({0, 0.25, 0.5, 1}, {100, 300, 320, 500}), power_curve({0.2, 0.8}, {150, 400}), power_curve({0.5}, {250}),
          power_curve({0, 1}, {0, 0}), power_curve({0, 0.5, 1}, {400, 100, 400}),
          power_curve({0.1, 1}, {10, 100}, Interpolation::log), power_curve({0, 0.5}, {90, 400}, Interpolation::step)}) {
        const PiecewiseLinear line = piecewise_linear(points);
        const std::vector<double> y = read_line(line, x);
        for (std::size_t i = 0; i < x.size(); ++i) {
            EXPECT_NEAR(y[i], read(points, x[i]), 1e-10) << x[i];
        }
        EXPECT_EQ(line.at_zero, read(points, 0));
        EXPECT_EQ(line.at_one, read(points, 1));
    }
}

TEST(Power, DeviceWithoutACurveDrawsAStraightLineFromIdleToTdp) {
    Device device;
    device.idle_w = 100;
    device.tdp_w = 500;
    EXPECT_EQ(read_line(device_power(device), {0, 0.25, 0.5, 1}), (std::vector<double>{100, 200, 300, 500}));
    device.power = power_curve({0, 1}, {80, 450});
    EXPECT_EQ(device_power(device).at_zero, 80.0) << "a curve goes before idle_w and tdp_w";
    EXPECT_EQ(device_power(device).at_one, 450.0);
}

TEST(Energy, IsHostAndDevicesAtTheirUtilization) {
    struct Row {
        double demand, watts;
        const char* arithmetic;
    };
    const std::vector<Row> rows = {
        {0, 150, "50 + 100"}, {0.25, 262.5, "50 + 50/4 + 100 + 400/4"}, {0.5, 375, "75 + 300"}, {1, 600, "100 + 500"},
        {7, 600, "full"},
    };
    for (const Row& row : rows) {
        ScenarioDocument document = owned_scenario();
        document.workloads[0].demand.mean_per_s = row.demand;
        const Answer answer = evaluate_document(document);
        EXPECT_TRUE(is_close(answer.ledger.energy_kwh(0, 0), 744 * row.watts / 1000)) << row.arithmetic;
        EXPECT_TRUE(is_close(power_cost(answer, Category::energy), 744 * row.watts / 1000 * 0.1)) << row.arithmetic;
        EXPECT_TRUE(is_close(answer.ledger.peak_kw(0, 0), row.watts / 1000)) << row.arithmetic;
    }
}

// Two servers of one device at a demand of one device; a power curve that bends: 100, 400, 500 W.
ScenarioDocument two_servers(LoadBalancing balancing) {
    ScenarioDocument document = owned_scenario();
    document.pools[0].purchases[0].servers = 2;
    document.pools[0].load_balancing = balancing;
    document.pools[0].server->device.power = power_curve({0, 0.5, 1}, {100, 400, 500});
    return document;
}

TEST(Energy, SpreadSharesTheLoadAndPackFillsFewDevices) {
    // Spread: 2 x (75 + power(0.5) = 400) = 950 W. Pack: hosts 2 x 75, one device 500, one 100: 750 W.
    EXPECT_TRUE(is_close(evaluate_document(two_servers(LoadBalancing::spread)).ledger.peak_kw(0, 0), 0.95));
    EXPECT_TRUE(is_close(evaluate_document(two_servers(LoadBalancing::pack)).ledger.peak_kw(0, 0), 0.75));
}

TEST(Energy, PackCountsAPartOfABusyDevice) {
    ScenarioDocument document = two_servers(LoadBalancing::pack);
    document.workloads[0].demand.mean_per_s = 0.5; // u = 0.25
    // Hosts 2 x 62.5; devices 0.5 x 500 + 1.5 x 100.
    EXPECT_TRUE(is_close(evaluate_document(document).ledger.peak_kw(0, 0), 0.525));
}

TEST(Energy, SpreadAndPackAgreeWhereTheyMust) {
    for (const double demand : {0.0, 2.0}) { // none, and all
        ScenarioDocument spread = two_servers(LoadBalancing::spread);
        ScenarioDocument pack = two_servers(LoadBalancing::pack);
        spread.workloads[0].demand.mean_per_s = pack.workloads[0].demand.mean_per_s = demand;
        EXPECT_TRUE(is_close(evaluate_document(spread).ledger.energy_kwh(0, 0), evaluate_document(pack).ledger.energy_kwh(0, 0)));
    }
}

TEST(Energy, RampingServersDrawIdlePowerAndShareNoLoad) {
    for (const LoadBalancing balancing : {LoadBalancing::spread, LoadBalancing::pack}) {
        ScenarioDocument document = two_servers(balancing);
        document.pools[0].purchases = {{-3, 1, std::nullopt}, {0, 1, std::nullopt}};
        document.pools[0].ramp_months = 1;
        document.months = 2;
        document.workloads[0].demand.mean_per_s = 2;
        const Answer answer = evaluate_document(document);
        EXPECT_TRUE(is_close(answer.ledger.peak_kw(0, 0), 0.75)) << "600 W busy, 50 + 100 W ramping";
        EXPECT_TRUE(is_close(answer.ledger.peak_kw(1, 0), 1.2)) << "both busy";
        EXPECT_EQ(answer.ledger.available_hours(0, 0), 2 * 744) << "both paid";
        EXPECT_TRUE(is_close(answer.ledger.busy_hours(0, 0), 744));
    }
}

TEST(Energy, PueMultiplies) {
    ScenarioDocument document = owned_scenario();
    document.pools[0].site->pue = flat(1.5);
    EXPECT_TRUE(is_close(evaluate_document(document).ledger.energy_kwh(0, 0), 744 * 0.9));
}

TEST(Energy, LoadPueIsReadAtItPowerOverNameplate) {
    struct Row {
        double demand, kw;
        const char* arithmetic;
    };
    // PUE 2 at no load to 1.2 at nameplate, 600 W a server.
    for (const Row& row :
         {Row{1, 0.72, "600 W x 1.2"}, Row{0.5, 0.5625, "375 W, load 0.625, PUE 1.5"}, Row{0, 0.27, "150 W, load 0.25, PUE 1.8"}}) {
        ScenarioDocument document = owned_scenario();
        document.workloads[0].demand.mean_per_s = row.demand;
        document.pools[0].site->pue = curve(CurveKind::pue, Axis::load, {0, 1}, {2, 1.2});
        EXPECT_TRUE(is_close(evaluate_document(document).ledger.peak_kw(0, 0), row.kw)) << row.arithmetic;
    }
}

TEST(Energy, LoadPueCountsRampingServersInTheNameplate) {
    ScenarioDocument document = owned_scenario();
    document.pools[0].purchases = {{-3, 1, std::nullopt}, {0, 1, std::nullopt}};
    document.pools[0].ramp_months = 1;
    document.pools[0].site->pue = curve(CurveKind::pue, Axis::load, {0, 1}, {2, 1.2});
    // 600 + 150 W of 1200: load 0.625, PUE 1.5.
    EXPECT_TRUE(is_close(evaluate_document(document).ledger.peak_kw(0, 0), 1.125));
}

TEST(Energy, HourlyPueFollowsTheSitesClock) {
    ScenarioDocument document = owned_scenario();
    document.pools[0].site->time_zone = "Asia/Kolkata";
    document.pools[0].site->pue = curve(CurveKind::pue, Axis::hour_of_day, {0, 12}, {1, 2}, Interpolation::step);
    EXPECT_TRUE(is_close(evaluate_document(document).ledger.energy_kwh(0, 0), 744 * 0.6 * 1.5));
    EXPECT_TRUE(is_close(evaluate_document(document).ledger.peak_kw(0, 0), 1.2));
}

TEST(Energy, DemandChargeIsOnTheMonthsLargestFacilityPower) {
    ScenarioDocument document = owned_scenario();
    document.months = 2;
    document.pools[0].site->demand_charge_per_kw_month = 10;
    document.pools[0].site->pue = flat(1.5);
    // One hour a day at full load, the rest without: 0.9 kW sets the charge. In the second month demand halves.
    document.workloads[0].demand.shape = curve(CurveKind::demand, Axis::hour_of_day, {0, 1}, {1, 0}, Interpolation::step);
    document.workloads[0].demand.growth_per_month = -0.5;
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(power_cost(answer, Category::demand_charge, 0), 9));
    EXPECT_TRUE(is_close(power_cost(answer, Category::demand_charge, 1), 10 * 0.375 * 1.5));
}

TEST(Energy, NegativeTariffEarns) {
    ScenarioDocument document = owned_scenario();
    document.pools[0].site->energy_price = curve(CurveKind::tariff, Axis::hour_of_day, {0, 6}, {-0.08, 0.04}, Interpolation::step);
    // 31 x (6 h x -0.08 + 18 h x 0.04) x 0.6 kW
    EXPECT_TRUE(is_close(power_cost(evaluate_document(document), Category::energy), 31 * 0.24 * 0.6));
    document.pools[0].site->energy_price = flat(-0.05);
    EXPECT_TRUE(is_close(power_cost(evaluate_document(document), Category::energy), -22.32)) << "446.4 kWh";
}

TEST(Energy, TariffAndLoadMeetHourByHour) {
    ScenarioDocument document = owned_scenario();
    document.workloads[0].demand.shape = curve(CurveKind::demand, Axis::hour_of_day, {0, 12}, {0, 1}, Interpolation::step);
    document.pools[0].site->energy_price = curve(CurveKind::tariff, Axis::hour_of_day, {0, 18}, {0.1, 0.3}, Interpolation::step);
    // 12 h at 150 W and 0.1, 6 h at 600 W and 0.1, 6 h at 600 W and 0.3; 31 days.
    EXPECT_TRUE(is_close(power_cost(evaluate_document(document), Category::energy),
                         31 * (12 * 0.15 * 0.1 + 6 * 0.6 * 0.1 + 6 * 0.6 * 0.3)));
}

TEST(Energy, PriceGrowsByYearCompoundingMonthly) {
    ScenarioDocument document = owned_scenario();
    document.months = 13;
    document.pools[0].site->energy_price_growth_rate = 0.21;
    document.pools[0].site->demand_charge_per_kw_month = 10;
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(power_cost(answer, Category::energy, 6), 744 * 0.06 * 1.1)) << "July";
    EXPECT_TRUE(is_close(power_cost(answer, Category::energy, 12), 744 * 0.06 * 1.21));
    EXPECT_TRUE(is_close(power_cost(answer, Category::demand_charge, 12), 6)) << "does not grow";
}

TEST(Energy, DateTariffIsReadAtTheMonthsFirstDay) {
    ScenarioDocument document = owned_scenario();
    document.months = 2;
    // 2026-01-02 is day 20455: January reads what holds before it, February what holds after.
    document.pools[0].site->energy_price = curve(CurveKind::tariff, Axis::date, {20000, 20455}, {0.1, 0.2}, Interpolation::step);
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(power_cost(answer, Category::energy, 0), 44.64));
    EXPECT_TRUE(is_close(power_cost(answer, Category::energy, 1), 672 * 0.6 * 0.2));
}

TEST(Energy, FollowsTheHoursOfTheCalendar) {
    struct Row {
        const char* zone;
        YearMonth start;
        double hours;
    };
    for (const Row& row : {Row{"Europe/Berlin", {2026, 3}, 743}, Row{"Europe/Berlin", {2026, 10}, 745}, Row{"UTC", {2028, 2}, 696},
                           Row{"UTC", {2027, 2}, 672}, Row{"Europe/Berlin", {2040, 10}, 745}}) {
        ScenarioDocument document = owned_scenario();
        document.start = row.start;
        document.time_zone = row.zone;
        document.pools[0].site->carbon_g_per_kwh = curve(CurveKind::carbon, Axis::hour_of_week, {0, 84}, {100, 100});
        EXPECT_TRUE(is_close(evaluate_document(document).ledger.energy_kwh(0, 0), row.hours * 0.6));
    }
}

TEST(Carbon, IsEnergyTimesIntensityPlusWhatIsEmbodied) {
    ScenarioDocument document = owned_scenario();
    document.pools[0].site->carbon_g_per_kwh =
        curve(CurveKind::carbon, Axis::hour_of_day, {0, 12}, {200, 600}, Interpolation::step);
    document.pools[0].server->embodied_kg = 960; // 20 kg a month
    document.finance.carbon_price_per_tonne = 50;
    const Answer answer = evaluate_document(document);
    EXPECT_TRUE(is_close(answer.ledger.carbon_kg(0, 0), 446.4 * 0.4 + 20));
    EXPECT_TRUE(is_close(power_cost(answer, Category::carbon), (446.4 * 0.4 + 20) * 0.05));
}

TEST(Carbon, CloudWithASiteReportsItsDevicesEnergyAndPaysForTheirCarbonOnly) {
    ScenarioDocument document = tests::cloud_scenario();
    document.finance.carbon_price_per_tonne = 50;
    document.workloads[0].demand.mean_per_s = 1.5;
    Site site;
    site.energy_price = flat(0.2);
    site.demand_charge_per_kw_month = 10;
    site.network_per_month = 99;
    site.carbon_g_per_kwh = flat(500);
    site.pue = curve(CurveKind::pue, Axis::load, {0, 1}, {2, 1});
    document.pools[0].offer->site = site;
    const Answer answer = evaluate_document(document);
    // 2 instances run, 1.5 busy: u = 0.75; 2 x (100 + 400 x 0.75) = 800 W; PUE at load 0.75 is 1.25: 1 kW.
    EXPECT_TRUE(is_close(answer.ledger.energy_kwh(0, 0), 744));
    EXPECT_TRUE(is_close(answer.ledger.carbon_kg(0, 0), 372));
    EXPECT_TRUE(is_close(power_cost(answer, Category::carbon), 18.6));
    EXPECT_EQ(power_cost(answer, Category::energy), 0.0);
    EXPECT_EQ(power_cost(answer, Category::demand_charge), 0.0);
    EXPECT_EQ(power_cost(answer, Category::network), 0.0);
}

TEST(Carbon, CloudWithoutASiteReportsNone) {
    const Answer answer = evaluate_document(tests::cloud_scenario());
    EXPECT_EQ(answer.ledger.energy_kwh(0, 0), 0.0);
    EXPECT_EQ(answer.ledger.carbon_kg(0, 0), 0.0);
}

TEST(Energy, RisesWithTheLoad) {
    double last = 0;
    for (double demand = 0; demand <= 2; demand += 0.125) {
        ScenarioDocument document = two_servers(LoadBalancing::spread);
        document.workloads[0].demand.mean_per_s = demand;
        const double energy = evaluate_document(document).ledger.energy_kwh(0, 0);
        EXPECT_GT(energy, last);
        last = energy;
    }
}

} // namespace
} // namespace costcurve::model
