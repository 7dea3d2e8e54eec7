// Published costs, energy and carbon of training runs, found by evaluating scenarios.
#include "model/finance.hpp"
#include "model/performance/goodput.hpp"
#include "server/answers/evaluate.hpp"
#include "tests/golden/published.hpp"
#include "tests/golden/published_rows.hpp"

namespace costcurve::golden {
namespace {

using namespace model;
using tests::flat;

// Chips that Epoch's method amortises: a price that loses 0.14 orders of magnitude a year from the release on, and from the
// training's start a constant share of its value, 0.14 ln 10 a year. Here: servers of one chip with a life of 12 months that
// keep 1 - 0.14 ln 10 of their price, bought again each year at the same price. Four years with a leap day have
// 4 x 8766 hours, the year of Epoch. The chips are always busy; one epoch is one training run of `chip_hours`.
// Nominal dollars are the currency XTS (ISO 4217: for tests); dollars of December 2024 are USD.
ScenarioDocument epoch_run(const EpochRow& row, double dollars_for_nominal) {
    ScenarioDocument scenario = tests::owned_scenario();
    scenario.start = {row.start_year, row.start_month};
    scenario.months = 48;
    scenario.exchange_rates["XTS"] = dollars_for_nominal;
    Pool& pool = scenario.pools[0];
    pool.refresh = true;
    pool.purchases[0].servers = 8;
    Server& server = *pool.server;
    server.currency = "XTS";
    server.price = row.server_price_per_chip * growth_factor(std::pow(10, -kEpochOomsPerYear) - 1, 12 * row.days_between / 365.25);
    server.network_price = server.price * kEpochInterconnectFraction / (1 - kEpochInterconnectFraction);
    server.life_months = 12;
    server.residual_fraction = flat(1 - kEpochOomsPerYear * std::log(10.0));
    server.device.ownable = true; // a TPU is its maker's
    server.device.tdp_w = row.chip_tdp_w;
    server.device.power =
        tests::curve(CurveKind::power, Axis::utilization, {0, 1}, {0, row.chip_tdp_w * row.average_power_fraction}).curve;
    server.device.idle_w = 0;
    server.host_idle_w = 0;
    server.host_max_w = row.chip_tdp_w * (row.chip_to_server_power - 1) * row.average_power_fraction;
    pool.site->currency = "XTS";
    pool.site->energy_price = flat(row.energy_price);
    pool.site->pue = flat(row.pue);
    Workload& work = scenario.workloads[0];
    work.kind = WorkloadKind::training;
    work.unit = "chip-hour";
    work.units_per_epoch = row.chip_hours;
    work.epochs_per_month = flat(1); // far more than 8 chips do
    work.runs_on[0].performance->units_per_s = flat(1.0 / 3600);
    return scenario;
}

TEST(Published, EpochCapexAndEnergyOfTrainingRuns) {
    for (const EpochRow& row : kEpochRows) {
        const std::string name = row.model;
        const Summary deflated = summary_of(epoch_run(row, kEpochPriceIndexTarget / row.price_index_publication_month));
        const WorkloadSummary& work = deflated.workloads[0];
        ASSERT_NEAR(deflated.pools[0].available_device_hours, 8 * 4 * 8766.0, 1e-6);
        ASSERT_NEAR(*deflated.pools[0].utilization_fraction, 1, 1e-12);
        EXPECT_TRUE(is_published(name + ", USD of 2024-12", *work.cost_per_quantity, row.published, relative(1e-9)));

        // The case's own intermediate columns, in nominal dollars and to the cent.
        const Summary nominal = summary_of(epoch_run(row, 1));
        const double runs = nominal.workloads[0].quantity;
        EXPECT_TRUE(is_published(name + ", hardware", nominal.by_category[at(Category::hardware)].cost / runs,
                                 row.out_amortized_hardware + row.out_interconnect, {0, 0.01}));
        EXPECT_TRUE(is_published(name + ", kWh", nominal.meters.energy_kwh.at_least / runs, row.out_energy_kwh, printed(1)));
        EXPECT_TRUE(
            is_published(name + ", energy", nominal.by_category[at(Category::energy)].cost / runs, row.out_energy, printed(2)));
        EXPECT_TRUE(is_published(name + ", nominal", *nominal.workloads[0].cost_per_quantity, row.out_total_nominal, printed(2)));
    }
}

TEST(Published, DawnbenchCostPerEpoch) {
    for (const DawnbenchTrainRow& row : kDawnbenchTrainRows) {
        ScenarioDocument scenario = tests::training_scenario();
        Offer& offer = *scenario.pools[0].offer;
        offer.devices = row.devices;
        offer.hourly_price = flat(row.hourly_price);
        Workload& work = scenario.workloads[0];
        work.units_per_epoch = 1e6;
        work.epochs_per_month = flat(row.epochs);
        work.runs_on[0].performance->devices = row.devices;
        work.runs_on[0].performance->units_per_s = flat(1e6 * row.epochs / (row.hours * 3600));
        const Summary summary = summary_of(scenario);
        const std::string name = row.entry;
        EXPECT_EQ(summary.workloads[0].units_unserved, 0);
        EXPECT_TRUE(is_published(name + ", $", summary.total.cost, row.published, printed(2)));
        EXPECT_TRUE(is_published(name + ", $/epoch", *summary.workloads[0].cost_per_quantity, row.per_epoch, printed(5)));
        EXPECT_TRUE(is_published(name + ", h", *summary.workloads[0].hours_per_epoch[0] * row.epochs, row.hours, relative(1e-12)));
    }
}

// github deepseek-ai/DeepSeek-V3 INTRO.rst; technical report, table 1, arXiv:2412.19437. 256 instances of 8 H800 at 2 USD a
// GPU-hour, one stage after the other: two months of pre-training, which counts tokens, then the stages that count GPU-hours.
// (In one month the stages would shut each other out: a stage that fills its month's hours in proportion leaves no whole gang.)
constexpr const char* kDeepseek = R"({"start": "2024-09", "months": 4,
  "workloads": [
    {"id": "pretrain", "kind": "training", "unit": "token", "units_per_epoch": 14.8e12,
     "epochs_per_month": {"kind": "demand", "axis": "date", "interpolation": "step",
                          "points": [["2024-09-01", 0.5], ["2024-11-01", 0]]},
     "runs_on": [{"pool": "h800", "performance": {"devices": 2048, "units_per_s": 3160493.827160494}}]},
    {"id": "context", "kind": "training", "unit": "gpu-hour", "units_per_epoch": 119000,
     "epochs_per_month": {"kind": "demand", "axis": "date", "interpolation": "step",
                          "points": [["2024-09-01", 0], ["2024-11-01", 1], ["2024-12-01", 0]]},
     "runs_on": [{"pool": "h800", "performance": {"devices": 2048, "units_per_s": 0.5688888888888889}}]},
    {"id": "post", "kind": "training", "unit": "gpu-hour", "units_per_epoch": 5000,
     "epochs_per_month": {"kind": "demand", "axis": "date", "interpolation": "step",
                          "points": [["2024-09-01", 0], ["2024-12-01", 1]]},
     "runs_on": [{"pool": "h800", "performance": {"devices": 2048, "units_per_s": 0.5688888888888889}}]}],
  "pools": [{"id": "h800", "kind": "cloud", "max_instances": 256, "offer": {
     "provider": "rental", "device": {"kind": "gpu", "tdp_w": 700}, "devices": 8, "purchase": "on_demand", "hourly_price": 16}}]})";

TEST(Published, DeepseekV3Training) {
    // The rates above: 2048 GPUs x 1e12 tokens / (180,000 GPU-hours x 3600 s), and 2048 GPU-hours an hour.
    documents::Source nowhere;
    const Result<answers::Evaluated> evaluated = answers::evaluate_text(kDeepseek, nowhere);
    ASSERT_TRUE(evaluated) << evaluated.error().front().pointer << ' ' << evaluated.error().front().message;
    const Summary& summary = evaluated->summary;
    ASSERT_EQ(summary.warnings.size(), 1U) << summary.warnings.back().message;
    EXPECT_EQ(summary.warnings[0].code, Code::undated_price);
    EXPECT_TRUE(is_published("pretrain USD", summary.workloads[0].cost, 5328000, relative(1e-9)));
    EXPECT_TRUE(is_published("context extension USD", summary.workloads[1].cost, 238000, relative(1e-9)));
    EXPECT_TRUE(is_published("post-train USD", summary.workloads[2].cost, 10000, relative(1e-9)));
    EXPECT_TRUE(is_published("total USD", summary.total.cost, 5576000, relative(1e-9)));
    EXPECT_TRUE(is_published("GPU-hours", summary.pools[0].reserved_device_hours, 2788000, relative(1e-9)));
    EXPECT_TRUE(is_published("USD per 1e6 tokens", *summary.workloads[0].cost_per_million_units, 0.36, relative(1e-9)));
    const double days_per_trillion = *summary.workloads[0].hours_per_epoch[0] / 24 / 14.8;
    EXPECT_TRUE(is_published("days per 1e12 tokens", days_per_trillion, 3.7, printed(1)));
}

TEST(Published, SagemakerSpotSavings) {
    // AWS SDK, DescribeTrainingJob: BillableTimeInSeconds 100, TrainingTimeInSeconds 500: savings 80 %. Billed time is
    // billable seconds x instances in distributed training: the percentage is the same.
    for (const int instances : {1, 4}) {
        const auto job = [&](double seconds) {
            ScenarioDocument scenario = rented_run(3.06, seconds / 3600);
            scenario.workloads[0].runs_on[0].performance->devices = instances;
            return summary_of(scenario);
        };
        const Summary billed = job(100);
        const Summary trained = job(500);
        EXPECT_TRUE(is_published(fmt::format("billed instance-seconds, {}", instances),
                                 billed.pools[0].available_device_hours * 3600, 100.0 * instances, relative(1e-12)));
        EXPECT_TRUE(is_published(fmt::format("savings %, {}", instances),
                                 100 * (trained.total.cost - billed.total.cost) / trained.total.cost, 80, relative(1e-12)));
    }
}

// 500 h of work on one instance that is interrupted every `mtbf_min`; wall-clock hours.
double wall_hours(const DalyRow& row, std::optional<double> interval_min) {
    ScenarioDocument scenario = rented_run(1, row.solve_hours);
    scenario.pools[0].offer->purchase = Purchase::spot;
    scenario.pools[0].offer->interruptions_per_hour = 60 / row.mtbf_min;
    scenario.workloads[0].checkpoint = {row.checkpoint_min * 60, row.restart_min * 60, std::nullopt, std::nullopt};
    if (interval_min) {
        scenario.workloads[0].checkpoint.interval_s = *interval_min * 60;
    }
    return *summary_of(scenario).workloads[0].hours_per_epoch[0];
}

TEST(Published, DalyCheckpointInterval) {
    for (const DalyRow& row : kDalyRows) {
        const double optimum = 60 * optimum_checkpoint_interval(Hours{row.checkpoint_min / 60}, Hours{row.mtbf_min / 60}).value;
        EXPECT_TRUE(is_published(fmt::format("MTBF {} min", row.mtbf_min), optimum, row.published_min, printed(row.decimals)));
        // The scenario takes that interval by itself: it is where the wall-clock time, figures 3 to 5 of the paper, is least.
        const double least = wall_hours(row, std::nullopt);
        EXPECT_GT(least, row.solve_hours);
        EXPECT_LE(least, wall_hours(row, row.published_min) * (1 + 1e-3)) << row.mtbf_min;
        EXPECT_GE(least, wall_hours(row, row.published_min) * (1 - 1e-3)) << row.mtbf_min;
        EXPECT_LT(least, wall_hours(row, row.young_min)) << row.mtbf_min;
        EXPECT_LT(least, wall_hours(row, row.published_min * 0.7)) << row.mtbf_min;
        EXPECT_LT(least, wall_hours(row, row.published_min * 1.4)) << row.mtbf_min;
    }
}

TEST(Published, GraphlabCheckpointInterval) {
    // blog.acolyer.org/2015/06/10: 64 machines that fail once a year each, checkpoints of 2 minutes: every "3 hrs".
    constexpr double kHoursPerYear = 8760;
    const double optimum = optimum_checkpoint_interval(Hours{2.0 / 60}, Hours{kHoursPerYear / 64}).value;
    EXPECT_TRUE(is_published("hours", optimum, 3, relative(0.01)));
    // The same interval, stated, does as well for a gang on 64 such machines; a third and three times of it do worse.
    const auto hours = [&](std::optional<double> interval_hours) {
        ScenarioDocument scenario = rented_run(1, 100);
        scenario.pools[0].max_instances = 64;
        scenario.pools[0].offer->interruptions_per_hour = 1 / kHoursPerYear;
        scenario.workloads[0].runs_on[0].performance->devices = 64;
        scenario.workloads[0].checkpoint = {120, 0, std::nullopt, std::nullopt};
        if (interval_hours) {
            scenario.workloads[0].checkpoint.interval_s = *interval_hours * 3600;
        }
        return *summary_of(scenario).workloads[0].hours_per_epoch[0];
    };
    EXPECT_NEAR(hours(std::nullopt), hours(3.0), 1e-5 * hours(3.0));
    EXPECT_LT(hours(std::nullopt), hours(1.0));
    EXPECT_LT(hours(std::nullopt), hours(9.0));
}

// Chips of a cloud pool that names its site: energy and carbon of the chips while the gang runs.
Summary patterson_run(const PattersonRow& row, double kg_per_kwh) {
    constexpr int kChipsPerInstance = 8;
    ScenarioDocument scenario = rented_run(1, row.days * 24);
    Pool& pool = scenario.pools[0];
    pool.max_instances = static_cast<int>(row.chips) / kChipsPerInstance;
    pool.offer->devices = kChipsPerInstance;
    tests::draw_in_a_line(pool.offer->device, 0, row.chip_w);
    pool.offer->site.emplace();
    pool.offer->site->pue = flat(row.pue);
    pool.offer->site->carbon_g_per_kwh = flat(kg_per_kwh * 1000);
    scenario.workloads[0].runs_on[0].performance->devices = static_cast<int>(row.chips);
    return summary_of(scenario);
}

TEST(Published, PattersonEnergyAndCarbon) {
    // Chips, days, watts and the results are rounded in the table: half a percent, for a result of two digits (3.2 t) 1.2 %.
    for (const PattersonRow& row : kPattersonRows) {
        const Summary gross = patterson_run(row, row.gross_kg_per_kwh);
        const Summary net = patterson_run(row, row.net_kg_per_kwh);
        const std::string name = row.model;
        const Tolerance tonnes = relative(row.gross_t < 10 ? 0.012 : 0.005);
        EXPECT_TRUE(is_published(name + ", MWh", gross.meters.energy_kwh.at_least / 1000, row.mwh, relative(0.005)));
        EXPECT_TRUE(is_published(name + ", t gross", gross.meters.carbon_kg.at_least / 1000, row.gross_t, tonnes));
        EXPECT_TRUE(is_published(name + ", t net", net.workloads[0].meters.carbon_kg.at_least / 1000, row.net_t, tonnes));
        EXPECT_EQ(gross.by_category[at(Category::energy)].cost, 0) << "cloud energy is in the price";
    }
}

} // namespace
} // namespace costcurve::golden
