// Where a workload may run at all, what its performance must state, and what is warned of (model.md, sections 4 and 6).
#include "model/scenario.hpp"

#include "tests/model/close.hpp"
#include "tests/model/performance/pool_rows.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using tests::at_entry;
using tests::cloud_scenario;
using tests::curve;
using tests::device;
using tests::expect_pool_issues;
using tests::flat;
using tests::issues_of;
using tests::performance;
using PoolIssues = std::vector<std::string>;

TEST(Eligibility, FrameworkIsOneThatTheDeviceRuns) {
    expect_pool_issues({
        {"the workload's is not",
         [](auto& d) {
             device(d).frameworks = {"jax"};
             d.workloads[0].framework = "pytorch";
         },
         {at_entry("ineligible_framework", "/pool")}},
        {"the performance's is not",
         [](auto& d) {
             device(d).frameworks = {"jax"};
             performance(d).framework = "pytorch";
         },
         {at_entry("ineligible_framework", "/performance/framework")}},
        {"it is",
         [](auto& d) {
             device(d).frameworks = {"jax", "pytorch"};
             d.workloads[0].framework = "pytorch";
         },
         {}},
        {"unknown is not checked", [](auto& d) { d.workloads[0].framework = "pytorch"; }, {}},
        {"unstated is not checked", [](auto& d) { device(d).frameworks = {"jax"}; }, {}},
    });
}

TEST(Eligibility, PrecisionIsOneThatTheDeviceHas) {
    expect_pool_issues({
        {"the workload's is not",
         [](auto& d) {
             device(d).precisions = {"bf16"};
             d.workloads[0].precision = "fp8";
         },
         {at_entry("ineligible_precision", "/pool")}},
        {"the performance's is not",
         [](auto& d) {
             device(d).precisions = {"bf16"};
             performance(d).precision = "fp8";
         },
         {at_entry("ineligible_precision", "/performance/precision")}},
        {"it is",
         [](auto& d) {
             device(d).precisions = {"bf16", "fp8"};
             d.workloads[0].precision = "fp8";
         },
         {}},
        {"unknown is not checked", [](auto& d) { d.workloads[0].precision = "fp8"; }, {}},
    });
}

TEST(Eligibility, MemoryFitsTheDevicesOfAReplica) {
    expect_pool_issues({
        // 80 GiB a device
        {"too much", [](auto& d) { d.workloads[0].memory_gib = 80.1; }, {at_entry("ineligible_memory", "/performance/devices")}},
        {"just enough", [](auto& d) { d.workloads[0].memory_gib = 80; }, {}},
        {"two devices",
         [](auto& d) {
             d.workloads[0].memory_gib = 160;
             performance(d).devices = 2;
             performance(d).spans_hosts = true;
         },
         {}},
        {"unknown is not checked",
         [](auto& d) {
             d.workloads[0].memory_gib = 1e6;
             device(d).memory_gib.reset();
         },
         {}},
    });
}

TEST(Eligibility, PerformanceIsOfThePoolsDevice) {
    expect_pool_issues({
        {"another", [](auto& d) { performance(d).device.id = "other"; }, {at_entry("ineligible_device", "/performance/device")}},
        {"the same", [](auto& d) { performance(d).device.id = "device"; }, {}},
        {"a device without a name",
         [](auto& d) {
             performance(d).device.id = "other";
             device(d).id = "";
         },
         {}},
    });
}

TEST(Eligibility, LatencyObjectiveIsKeptBySomeBatch) {
    ScenarioDocument from = cloud_scenario();
    performance(from).units_per_s = curve(CurveKind::throughput, Axis::batch, {1, 8}, {10, 45});
    performance(from).itl_s = curve(CurveKind::latency, Axis::batch, {1, 8}, {0.1, 0.8});
    expect_pool_issues(
        {
            {"by batch 5", [](auto& d) { d.workloads[0].slo.itl_s = 0.5; }, {}},
            {"by none", [](auto& d) { d.workloads[0].slo.itl_s = 0.09; }, {at_entry("ineligible_latency", "/performance/itl_s")}},
            {"not by the one stated",
             [](auto& d) {
                 d.workloads[0].slo.itl_s = 0.5;
                 performance(d).batch = 8;
             },
             {at_entry("ineligible_latency", "/performance/batch")}},
            {"by the one stated",
             [](auto& d) {
                 d.workloads[0].slo.itl_s = 0.5;
                 performance(d).batch = 5;
             },
             {}},
            {"no objective and no batch: the curve's last", [](auto&) {}, {}},
            {"an objective without a latency is warned of",
             [](auto& d) {
                 d.workloads[0].slo.itl_s = 0.5;
                 performance(d).itl_s.reset();
             },
             {}},
        },
        from);
    expect_pool_issues({
        {"a number that misses",
         [](auto& d) {
             d.workloads[0].slo.itl_s = 0.5;
             performance(d).itl_s = flat(0.6);
         },
         {at_entry("ineligible_latency", "/performance/itl_s")}},
        {"a number that keeps",
         [](auto& d) {
             d.workloads[0].slo.itl_s = 0.5;
             performance(d).itl_s = flat(0.5);
         },
         {}},
    });
}

TEST(Eligibility, EntryHasAPerformanceOfOneSort) {
    expect_pool_issues({
        {"none", [](auto& d) { d.workloads[0].runs_on[0].performance.reset(); }, {at_entry("missing", "/performance")}},
        {"neither rate nor estimate",
         [](auto& d) { performance(d).units_per_s.reset(); },
         {at_entry("missing", "/performance/units_per_s")}},
        {"both", [](auto& d) { performance(d).estimate.emplace(); }, {at_entry("not_allowed", "/performance/units_per_s")}},
    });
}

TEST(Eligibility, EstimateHasWhatItsFormulaNeeds) {
    expect_pool_issues(
        {
            {"all", [](auto&) {}, {}},
            {"no such precision",
             [](auto& d) { performance(d).precision = "fp8"; },
             {at_entry("missing", "/performance/precision")}},
            {"no precision", [](auto& d) { performance(d).precision = ""; }, {at_entry("missing", "/performance/precision")}},
            {"that of the workload",
             [](auto& d) {
                 performance(d).precision = "";
                 d.workloads[0].precision = "bf16";
             },
             {}},
            {"no mbu", [](auto& d) { performance(d).estimate->mbu.reset(); }, {at_entry("missing", "/performance/estimate/mbu")}},
            {"no weights",
             [](auto& d) { performance(d).estimate->weight_bytes.reset(); },
             {at_entry("missing", "/performance/estimate/weight_bytes")}},
            {"no bandwidth",
             [](auto& d) { device(d).memory_bandwidth_gb_per_s.reset(); },
             {at_entry("missing", "/performance/device")}},
            {"no batch: the largest that fits", [](auto& d) { performance(d).batch.reset(); }, {}},
            {"more than fits", [](auto& d) { device(d).memory_gib = 14; }, {at_entry("exceeds_memory", "/performance/batch")}},
            {"not even one sequence",
             [](auto& d) {
                 device(d).memory_gib = 10;
                 performance(d).batch.reset();
             },
             {at_entry("exceeds_memory", "/performance/estimate/weight_bytes")}},
            {"a step needs layers",
             [](auto& d) { performance(d).estimate->method = EstimateMethod::decode_step; },
             {at_entry("missing", "/performance/estimate/layers")}},
            {"and neither mfu nor mbu",
             [](auto& d) {
                 performance(d).estimate->method = EstimateMethod::decode_step;
                 performance(d).estimate->layers = 32;
                 performance(d).estimate->mfu.reset();
                 performance(d).estimate->mbu.reset();
             },
             {}},
            {"training needs none of these",
             [](auto& d) {
                 performance(d).estimate->method = EstimateMethod::training_flops;
                 performance(d).estimate->mbu.reset();
                 performance(d).estimate->weight_bytes.reset();
                 performance(d).batch.reset();
                 device(d).memory_bandwidth_gb_per_s.reset();
             },
             {}},
        },
        tests::decode_scenario());
}

TEST(Eligibility, CurveThatMustNotBeReadOutsideCoversTheBatchAndTheGang) {
    const auto strict = [](CurveKind kind, Axis axis, std::vector<double> x) {
        Rate rate = curve(kind, axis, x, std::vector<double>(x.size(), 1.0));
        rate.curve->outside = Outside::error;
        return rate;
    };
    expect_pool_issues({
        {"a batch beyond the last",
         [&](auto& d) {
             performance(d).units_per_s = strict(CurveKind::throughput, Axis::batch, {1, 8});
             performance(d).batch = 9;
         },
         {at_entry("outside_curve", "/performance/units_per_s")}},
        {"the last batch",
         [&](auto& d) {
             performance(d).units_per_s = strict(CurveKind::throughput, Axis::batch, {1, 8});
             performance(d).batch = 8;
         },
         {}},
        {"a gang before the first",
         [&](auto& d) {
             performance(d).units_per_s = strict(CurveKind::throughput, Axis::devices, {2, 8});
         },
         {at_entry("outside_curve", "/performance/units_per_s")}},
        {"scaling",
         [&](auto& d) {
             performance(d).scaling = strict(CurveKind::scaling, Axis::devices, {2, 8});
         },
         {at_entry("outside_curve", "/performance/scaling")}},
        {"latency",
         [&](auto& d) {
             performance(d).units_per_s = strict(CurveKind::throughput, Axis::batch, {1, 8});
             performance(d).itl_s = strict(CurveKind::latency, Axis::batch, {1, 4});
             performance(d).batch = 8;
             d.workloads[0].slo.itl_s = 2;
         },
         {at_entry("outside_curve", "/performance/itl_s")}},
    });
}

TEST(Eligibility, BatchIsNotChosenBeforeAStrictCurvesFirstPoint) {
    ScenarioDocument document = cloud_scenario();
    performance(document).units_per_s = curve(CurveKind::throughput, Axis::batch, {4, 8}, {25, 45});
    performance(document).itl_s = curve(CurveKind::latency, Axis::batch, {1, 8}, {0.1, 0.8});
    document.workloads[0].slo.itl_s = 0.25;
    EXPECT_EQ(issues_of(document), PoolIssues{}) << "batch 2, where the first point's value holds";
    performance(document).units_per_s->curve->outside = Outside::error;
    EXPECT_EQ(issues_of(document), PoolIssues{at_entry("ineligible_latency", "/performance/itl_s")});
}

TEST(Eligibility, EveryEntryIsChecked) {
    ScenarioDocument document = cloud_scenario();
    document.workloads[0].memory_gib = 100;
    document.pools.push_back(document.pools[0]);
    document.pools[1].id = "second";
    document.workloads[0].runs_on.push_back(document.workloads[0].runs_on[0]);
    document.workloads[0].runs_on[1].pool = "second";
    EXPECT_EQ(issues_of(document), (PoolIssues{"ineligible_memory /workloads/0/runs_on/0/performance/devices",
                                               "ineligible_memory /workloads/0/runs_on/1/performance/devices"}));
}

// All but that prices of tests have no date.
PoolIssues warnings_of(const ScenarioDocument& document) {
    PoolIssues found;
    const Result<Scenario> scenario = make_scenario(document);
    if (!scenario) {
        return {"it breaks rules"};
    }
    for (const Issue& issue : scenario->warnings()) {
        if (issue.code != Code::undated_price) {
            found.push_back(std::string(code_name(issue.code)) + " " + issue.pointer);
        }
    }
    return found;
}

TEST(Warning, OfEstimatesCapsAndRatesOfNothing) {
    EXPECT_EQ(warnings_of(cloud_scenario()), PoolIssues{});
    EXPECT_EQ(warnings_of(tests::decode_scenario()), PoolIssues{at_entry("estimated_performance", "/performance/estimate")});

    ScenarioDocument capped = cloud_scenario();
    performance(capped).input_units_per_s = 0.5;
    EXPECT_EQ(warnings_of(capped), PoolIssues{at_entry("rate_capped", "/performance/input_units_per_s")});
    performance(capped).input_units_per_s = 1;
    EXPECT_EQ(warnings_of(capped), PoolIssues{}) << "as much as the devices do";

    ScenarioDocument nothing = cloud_scenario();
    performance(nothing).scaling = flat(0);
    EXPECT_EQ(warnings_of(nothing), PoolIssues{at_entry("zero_rate", "/performance")});
}

TEST(Warning, RateOfNothingServesNothing) {
    ScenarioDocument document = cloud_scenario();
    performance(document).scaling = flat(0);
    const tests::Answer answer = tests::evaluate_document(document);
    EXPECT_EQ(answer.summary.total.cost, 0.0);
    EXPECT_EQ(answer.summary.workloads[0].units_served, 0.0);
    EXPECT_EQ(answer.summary.workloads[0].units_unserved, answer.summary.workloads[0].units_demanded);
}

TEST(Codes, EveryOneHasAWordOfItsOwn) {
    std::vector<std::string_view> words;
    for (int code = 0; code < static_cast<int>(Code::count_); ++code) {
        const std::string_view word = code_name(static_cast<Code>(code));
        EXPECT_FALSE(word.empty());
        EXPECT_EQ(std::count(words.begin(), words.end(), word), 0) << word;
        words.push_back(word);
    }
    EXPECT_EQ(code_name(Code::missing), "missing");
    EXPECT_EQ(code_name(Code::outside_curve), "outside_curve");
    EXPECT_EQ(code_name(Code::rate_capped), "rate_capped");
}

TEST(Scenario, FindsItsPoolsAndTheirDevices) {
    const Result<Scenario> cloud = make_scenario(cloud_scenario());
    ASSERT_TRUE(cloud);
    EXPECT_EQ(cloud->pool_index("pool"), 0U);
    EXPECT_EQ(device_of(cloud->document().pools[0])->id, "device");
    Pool api;
    api.kind = PoolKind::api;
    EXPECT_EQ(device_of(api), nullptr);
    EXPECT_EQ(devices_per_unit(api), 0);
    EXPECT_EQ(devices_per_unit(tests::owned_scenario().pools[0]), 1);
}

} // namespace
} // namespace costcurve::model
