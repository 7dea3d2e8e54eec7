// Power, energy, demand charge and carbon of pools under load (model.md, section 7).
#include "model/power.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "tests/model/close.hpp"
#include "tests/support/scenarios.hpp"
#include "tests/support/source_folder.hpp"

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

// One H100 SXM (limit 700 W) that serves Llama 3.1 8B in bf16, 256 tokens in and out, at ten loads and none: the card's energy
// counter over 6 to 9 s of each. ../shared/data/measured-h100/serve-results.json, 2026-11-26; the measurement is read whole below,
// where it is there.
struct MeasuredLoad {
    double output_per_s, watts;
};
const std::vector<MeasuredLoad> kH100Serving = {
    {0, 121.26},       {259.49, 373.76},  {349.69, 445.07},  {826.73, 484.55},  {1632.77, 517.74}, {2628.36, 555.48},
    {3750.93, 596.63}, {5233.67, 664.69}, {5101.02, 663.14}, {6748.26, 689.19}, {7552.24, 680.68},
};
constexpr double kH100LargestRate = 7552.24;

double draw_at(const Device& device, double share) {
    const double drawn = read_line(serving_power(device), {share})[0];
    EXPECT_NEAR(serving_watts(device, share), drawn, 1e-9) << share;
    return drawn;
}

TEST(Power, AnH100WithoutACurveIsWithin15PercentOfWhatWasMeasuredAtEachLoad) {
    Device h100;
    h100.idle_w = 74;
    h100.tdp_w = 700;
    for (const MeasuredLoad& load : kH100Serving) {
        EXPECT_NEAR(draw_at(h100, load.output_per_s / kH100LargestRate) / load.watts, 1.0, 0.15) << load.output_per_s;
    }
}

TEST(Power, TheMeasuredLoadsAreThoseOfTheFileWhereItIsThere) {
    const auto path = tests::source_folder().parent_path() / "shared/data/measured-h100/serve-results.json";
    if (!std::filesystem::exists(path)) {
        GTEST_SKIP() << "../shared/data/measured-h100 is not here: the fixture stands alone";
    }
    std::ifstream file(path);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    for (const MeasuredLoad& load : kH100Serving) {
        EXPECT_NE(text.find(fmt::format("\"watts\": {:.1f}", std::floor(load.watts * 10) / 10)), std::string::npos) << load.watts;
    }
}

TEST(Power, ADeviceWithoutACurveServesByTheDefaultShapeOfItsTdp) {
    Device device;
    device.idle_w = 60;
    device.tdp_w = 500;
    for (const auto& [share, part] : std::vector<std::pair<double, double>>{
             {0, 0.18}, {0.03, 0.55}, {0.05, 0.65}, {0.11, 0.71}, {0.22, 0.76}, {0.285, 0.79}, {0.5, 0.88}, {0.7, 0.97}, {1, 1}}) {
        EXPECT_NEAR(draw_at(device, share), part * 500, 1e-9) << share;
        EXPECT_NEAR(default_power_share(share), part, 1e-12) << share;
    }
    device.loaded_idle_w = 110;
    EXPECT_NEAR(draw_at(device, 0), 110, 1e-9);
    EXPECT_NEAR(draw_at(device, 0.015), (110 + 0.55 * 500) / 2, 1e-9) << "the line from loaded_idle_w to the shape";
    EXPECT_NEAR(draw_at(device, 0.03), 0.55 * 500, 1e-9);
    device.power = power_curve({0, 1}, {80, 450});
    EXPECT_EQ(serving_power(device).at_zero, 80.0) << "a curve goes before tdp_w and loaded_idle_w";
    EXPECT_EQ(serving_power(device).at_one, 450.0);
}

TEST(Power, AModelInMemorySavesNoWatts) {
    Device device;
    device.tdp_w = 500;
    device.idle_w = 310;
    EXPECT_EQ(draw_at(device, 0), 310) << "not 0.18 of 500 W";
    EXPECT_NEAR(draw_at(device, 0.02), 310, 1e-9) << "the shape has less till 0.03";
    EXPECT_NEAR(draw_at(device, 0.04), (310 + 0.65 * 500) / 2, 1e-9);
    EXPECT_NEAR(draw_at(device, 0.5), 0.88 * 500, 1e-9);
    device.loaded_idle_w = 120;
    EXPECT_EQ(draw_at(device, 0), 120) << "what is stated";
}

TEST(Power, ACurveOverBusyTimeIsNotReadAtTheShareOfTheRate) {
    Device device;
    device.tdp_w = 500;
    device.power = power_curve({0, 1}, {80, 450});
    device.power->axis = Axis::busy_time;
    EXPECT_NEAR(draw_at(device, 0.11), 0.71 * 500, 1e-9) << "a card decodes all the time at 11 % of its rate";
    EXPECT_EQ(full_power(device), 450.0);
    EXPECT_EQ(idle_power(device), 80.0);
    device.idle_w = 60;
    EXPECT_EQ(idle_power(device), 60.0) << "as stated, not what a loaded device draws";
    device.power->axis = Axis::utilization;
    EXPECT_NEAR(draw_at(device, 0.11), 80 + 0.11 * 370, 1e-9) << "the older word for throughput_share";
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

// Eight devices of 100 to 500 W with a bent curve in one server, that training keeps busy for half of the month.
ScenarioDocument half_a_month_of_training(LoadBalancing balancing) {
    ScenarioDocument document = owned_scenario();
    Workload& work = document.workloads[0];
    work = Workload{};
    work.id = "train";
    work.kind = WorkloadKind::training;
    work.units_per_epoch = 372 * 3600;
    work.epochs_per_month = flat(1);
    work.runs_on = owned_scenario().workloads[0].runs_on;
    work.runs_on[0].performance->devices = 8;
    document.pools[0].server->devices = 8;
    document.pools[0].load_balancing = balancing;
    document.pools[0].server->device.power = power_curve({0, 0.1, 1}, {130, 400, 500});
    return document;
}

TEST(Energy, AGangIsPackedWhateverThePoolSays) {
    for (const LoadBalancing balancing : {LoadBalancing::spread, LoadBalancing::pack}) {
        // Half of the hours 8 x 500 + 100 W, half 8 x 100 + 50: idle_w, no process is on them.
        const Answer answer = evaluate_document(half_a_month_of_training(balancing));
        EXPECT_TRUE(is_close(answer.ledger.energy_kwh(0, 0), 372 * 4.1 + 372 * 0.85)) << name_of(balancing);
    }
}

TEST(Energy, GangsDrawAllAndServingIsSpreadOverTheOtherDevices) {
    struct Row {
        LoadBalancing balancing;
        double watts;
    };
    // Four devices of eight train all month, two of the other four serve: host 50 + 50 x 6/8.
    for (const Row& row :
         {Row{LoadBalancing::spread, 4 * 500 + 4 * 400 + 87.5}, Row{LoadBalancing::pack, 4 * 500 + 2 * 500 + 2 * 130 + 87.5}}) {
        ScenarioDocument document = half_a_month_of_training(row.balancing);
        document.pools[0].server->device.power = power_curve({0, 0.5, 1}, {130, 400, 500});
        document.workloads[0].runs_on[0].performance->devices = 4;
        document.workloads[0].units_per_epoch = 744 * 3600;
        document.workloads.push_back(owned_scenario().workloads[0]);
        document.workloads[1].demand.mean_per_s = 2;
        EXPECT_TRUE(is_close(evaluate_document(document).ledger.energy_kwh(0, 0), 744 * row.watts / 1000))
            << name_of(row.balancing);
    }
}

TEST(Energy, GangsOfACloudPoolAreNotSpreadOverItsInstances) {
    ScenarioDocument document = tests::cloud_scenario();
    Site site;
    site.energy_price = flat(0.2);
    document.pools[0].offer->site = site;
    document.pools[0].offer->devices = 8;
    document.pools[0].offer->device.power.reset();
    document.workloads[0].demand.mean_per_s = 1;
    document.workloads.push_back(half_a_month_of_training(LoadBalancing::spread).workloads[0]);
    document.workloads[1].units_per_epoch = 744 * 3600;
    document.workloads[1].runs_on[0].performance->devices = 4;
    document.pools[0].max_instances = 2; // serving holds one, the gang half of another
    const Answer answer = evaluate_document(document);
    const double running = answer.ledger.available_hours(0, 0) / 744 / 8;
    const double others = running * 8 - 4;
    const double watts = 4 * 500 + others * 500 * default_power_share(1 / others);
    EXPECT_TRUE(is_close(answer.ledger.energy_kwh(0, 0), 744 * watts / 1000)) << running;
}

TEST(Energy, ServersInTheirRampAndGangsThatWaitHaveNoModelLoaded) {
    ScenarioDocument document = owned_scenario();
    document.pools[0].server->device.power.reset();
    document.pools[0].server->device.loaded_idle_w = 120;
    document.workloads[0].demand.mean_per_s = 0;
    EXPECT_TRUE(is_close(evaluate_document(document).ledger.energy_kwh(0, 0), 744 * 0.17)) << "host 50 W, loaded_idle_w 120 W";
    document.pools[0].ramp_months = 1;
    EXPECT_TRUE(is_close(evaluate_document(document).ledger.energy_kwh(0, 0), 744 * 0.15)) << "host 50 W, idle_w 100 W";
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
