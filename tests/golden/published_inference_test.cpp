// Published costs of requests and tokens, found by evaluating scenarios.
#include "model/figures.hpp"
#include "server/answers/evaluate.hpp"
#include "tests/golden/published.hpp"
#include "tests/golden/published_rows.hpp"

namespace costcurve::golden {
namespace {

using namespace model;
using tests::flat;

TEST(Published, DawnbenchCostPerRequest) {
    // One instance on demand that answers one request after the other, always busy.
    for (const DawnbenchInferRow& row : kDawnbenchInferRows) {
        ScenarioDocument scenario = tests::cloud_scenario();
        scenario.pools[0].offer->hourly_price = flat(row.hourly_price);
        scenario.workloads[0].demand.mean_per_s = 1000 / row.latency_ms;
        scenario.workloads[0].runs_on[0].performance->units_per_s = flat(1000 / row.latency_ms);
        const Summary summary = summary_of(scenario);
        EXPECT_NEAR(*summary.pools[0].utilization_fraction, 1, 1e-12);
        EXPECT_TRUE(is_published(row.entry, *summary.workloads[0].cost_per_quantity, row.published, relative(1e-9)));
    }
}

TEST(Published, InferencexCostPerMillionTokens) {
    // As text, the way a client asks.
    for (const InferencexRow& row : kInferencexRows) {
        const std::string text = fmt::format(
            R"({{"start": "2026-02", "months": 1,
               "workloads": [{{"id": "chat", "kind": "inference", "unit": "token", "demand": {{"mean_per_s": {1}}},
                 "runs_on": [{{"pool": "gpu", "performance": {{"units_per_s": {1}}}}}]}}],
               "pools": [{{"id": "gpu", "kind": "cloud", "max_instances": 1, "offer": {{"provider": "rental", "devices": 1,
                 "device": {{"kind": "gpu", "tdp_w": 700}}, "purchase": "on_demand", "hourly_price": {0}}}}}]}})",
            row.gpu_hour, row.tokens_per_s);
        documents::Source nowhere;
        const Result<answers::Evaluated> evaluated = answers::evaluate_text(text, nowhere);
        ASSERT_TRUE(evaluated) << evaluated.error().front().pointer << ' ' << evaluated.error().front().message;
        EXPECT_TRUE(is_published(fmt::format("{} $/h, {} tok/s", row.gpu_hour, row.tokens_per_s),
                                 *evaluated->summary.workloads[0].cost_per_million_units, row.published, relative(1e-9)));
    }
}

TEST(Published, InferencexMargin) {
    // content/blog/inferencex-v2-*.mdx: tokens sold at `price` and made at `cost` a million. The buyer's bill is an API pool's
    // at the price, the maker's one at the cost; the margin is the difference of the two totals.
    struct Row {
        double price, cost, published_percent;
    };
    for (const Row& row : {Row{1.35, 0.226, 83}, Row{5.4, 2.955, 45}}) {
        const auto bill = [](double price_per_million) {
            ScenarioDocument scenario = tests::cloud_scenario();
            scenario.pools[0] = Pool{};
            scenario.pools[0].id = "pool";
            scenario.pools[0].kind = PoolKind::api;
            scenario.pools[0].price_per_million_units = tests::one_price(flat(price_per_million));
            scenario.workloads[0].runs_on[0].performance.reset();
            scenario.workloads[0].demand.mean_per_s = 1000;
            return summary_of(scenario).total.cost;
        };
        EXPECT_TRUE(is_published(fmt::format("margin % at {}", row.price),
                                 100 * (bill(row.price) - bill(row.cost)) / bill(row.price), row.published_percent, printed(0)));
    }
}

// A worked example on the inputs and formulas of the NVIDIA developer blog "LLM Inference Benchmarking: How Much Does Your LLM
// Inference Cost?". One server of 8 GPUs, 2 an instance of 2.5 requests/s; 120,000 requests a day, a fifth of them in the
// peak hour; 4 requests an agent run.
constexpr double kRequestsPerDay = 120000;
constexpr double kRunsPerDay = 30000;
constexpr double kPeakHourShare = 0.2;
constexpr double kRequestsPerSecondPerInstance = 2.5;
constexpr double kDaysPerYear = 365;

ScenarioDocument selfhost() {
    ScenarioDocument scenario = owned_asset(320000, 48, 12);
    Pool& pool = scenario.pools[0];
    pool.server->devices = 8;
    pool.server->software_per_device_year = 4500.0 / 8;
    pool.server->rack_units = 10;
    pool.site->space_per_rack_month = 3000.0 / 12;
    Workload& work = scenario.workloads[0];
    work.demand.mean_per_s = kRequestsPerDay / 86400;
    std::vector<double> shape(24, (1 - kPeakHourShare) * 24 / 23);
    shape[14] = kPeakHourShare * 24;
    std::vector<double> hours;
    for (int hour = 0; hour < 24; ++hour) {
        hours.push_back(hour);
    }
    work.demand.shape = tests::curve(CurveKind::demand, Axis::hour_of_day, hours, shape, Interpolation::step);
    work.runs_on[0].performance->devices = 2;
    work.runs_on[0].performance->units_per_s = flat(kRequestsPerSecondPerInstance);
    return scenario;
}

TEST(Published, NvidiaSelfhostSizing) {
    const Summary served = summary_of(selfhost());
    EXPECT_EQ(served.workloads[0].units_unserved, 0) << "one server is enough";
    EXPECT_EQ(selfhost().pools[0].purchases[0].servers, 1);
    // Reserved a day: one instance in 23 hours, those of the peak in one.
    const double instance_hours_per_day = served.pools[0].reserved_device_hours / 2 / kDaysPerYear;
    EXPECT_TRUE(is_published("instances", instance_hours_per_day - 23, 3, relative(1e-12)));
    // With two instances the peak is 5 requests/s and what they leave.
    ScenarioDocument two = selfhost();
    two.pools[0].server->devices = 4;
    const double left_per_s = summary_of(two).workloads[0].units_unserved / (kDaysPerYear * 3600);
    EXPECT_GT(left_per_s, 0);
    EXPECT_TRUE(is_published("peak requests/s", 2 * kRequestsPerSecondPerInstance + left_per_s, 6.7, printed(1)));
}

TEST(Published, NvidiaSelfhostCosts) {
    struct Figure {
        const char* name;
        double actual, published;
        Tolerance tolerance;
        double by_hand;
        const char* arithmetic;
    };
    const Summary requests = summary_of(selfhost());
    ScenarioDocument scenario = selfhost();
    Workload& work = scenario.workloads[0];
    work.unit = "token";
    work.units_per_request = tests::in_and_out(12700, 1300);
    work.output_cost_ratio = 3;
    work.demand.mean_per_s = kRunsPerDay / 86400;
    work.runs_on[0].performance->units_per_s = flat(kRequestsPerSecondPerInstance / (kRequestsPerDay / kRunsPerDay) * 14000);
    const Summary tokens = summary_of(scenario);
    const WorkloadSummary& runs = tokens.workloads[0];
    EXPECT_EQ(runs.units_unserved, 0);
    for (const Figure& figure : {
             Figure{"USD a year", requests.total.cost, 87500, relative(1e-12), 87500, "320,000/4 + 3000 + 4500"},
             Figure{"USD per 1000 requests", 1000 * *requests.workloads[0].cost_per_quantity, 2.0, relative(0.005),
                    87500000.0 / 43800000, "87,500 x 1000 / (120,000 x 365)"},
             Figure{"USD per agent run", *runs.cost_per_quantity, 0.008, relative(0.005), 87500.0 / 10950000,
                    "87,500 / (30,000 x 365)"},
             Figure{"USD per 1e6 tokens", *runs.cost_per_million_units, 0.57, printed(2), 87500.0 / 153300, "14,000 tokens a run"},
             Figure{"USD per 1e6 input", *figures::cost_per_million_of<UnitClass::input>(runs), 0.48, printed(2), 87500.0 / 181770,
                    "12,700 + 3 x 1300 = 16,600"},
             Figure{"USD per 1e6 output", *figures::cost_per_million_of<UnitClass::output>(runs), 1.44, printed(2), 87500.0 / 60590,
                    "3 x an input token's"},
         }) {
        EXPECT_TRUE(is_published(figure.name, figure.actual, figure.published, figure.tolerance));
        EXPECT_TRUE(is_published(std::string(figure.name) + ", by hand", figure.actual, figure.by_hand, relative(1e-12)))
            << figure.arithmetic;
    }
}

} // namespace
} // namespace costcurve::golden
