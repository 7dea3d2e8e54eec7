// Rates that are less sure than their own evidence says, and what is warned of beside them (model.md, section 4).
#include "model/performance/doubts.hpp"

#include <algorithm>
#include <functional>

#include "tests/model/close.hpp"
#include "tests/model/performance/pool_rows.hpp"

namespace costcurve::model {
namespace {

using tests::cloud_scenario;
using tests::curve;
using tests::device;
using tests::evaluate_document;
using tests::issues_of;
using tests::performance;

std::vector<std::string> doubts_in(const ScenarioDocument& document) {
    const Result<Scenario> scenario = make_scenario(document);
    std::vector<std::string> codes;
    for (const Issue& warning : scenario ? scenario->warnings() : std::vector<Issue>{}) {
        if (warning.code != Code::undated_price) {
            codes.emplace_back(code_name(warning.code));
        }
    }
    return codes;
}

// What makes a rate less sure is warned of, and its evidence is assumed (model.md, section 4).
TEST(Doubts, DoubtfulRatesAreAssumed) {
    struct Row {
        const char* warning;
        std::function<void(ScenarioDocument&)> change;
        bool is_assumed = true;
    };
    const std::vector<Row> rows = {
        {"latency_unknown", [](auto& d) { d.workloads[0].slo.itl_s = 1; }},
        {"latency_unknown", [](auto& d) { d.workloads[0].slo.ttft_s = 1; }},
        {"percentile_differs",
         [](auto& d) {
             performance(d).itl_s = Rate{0.5, {}};
             d.workloads[0].slo.itl_s = 1;
             d.workloads[0].slo.percentile = 99;
         }},
        {"percentile_differs",
         [](auto& d) {
             performance(d).ttft_s = Rate{0.5, {}};
             performance(d).latency_percentile = 50;
             d.workloads[0].slo.ttft_s = 1;
             d.workloads[0].slo.percentile = 99;
         }},
        {"precision_differs",
         [](auto& d) {
             performance(d).precision = "bf16";
             d.workloads[0].precision = "fp8";
             device(d).precisions = {"bf16", "fp8"};
         }},
        {"model_differs",
         [](auto& d) {
             performance(d).model = "llama-3.1-8b";
             d.workloads[0].model = "llama-3.1-70b";
         }},
        {"scaling_unknown",
         [](auto& d) {
             performance(d).devices = 16;
             performance(d).spans_hosts = true;
             performance(d).units_per_s = curve(CurveKind::throughput, Axis::devices, {1, 8}, {1, 8});
         }},
        {"mix_unknown",
         [](auto& d) {
             d.workloads[0].unit = "token";
             d.workloads[0].units_per_request = UnitsPerRequest{{.input = 10, .output = 5}, true};
         }},
        {"mix_differs",
         [](auto& d) {
             d.workloads[0].unit = "token";
             d.workloads[0].units_per_request = UnitsPerRequest{{.input = 10, .output = 5}, true};
             performance(d).mix = RequestMix{20, 5};
         }},
        {"compatibility_unknown", [](auto& d) { d.workloads[0].framework = "jax"; }, false},
        {"one_unit_per_request", [](auto& d) { d.workloads[0].unit = "token"; }, false},
    };
    for (const Row& row : rows) {
        ScenarioDocument document = cloud_scenario();
        document.pools[0].max_instances = 100;
        row.change(document);
        const std::vector<std::string> warnings = doubts_in(document);
        EXPECT_TRUE(std::find(warnings.begin(), warnings.end(), row.warning) != warnings.end()) << row.warning;
        EXPECT_EQ(evaluate_document(document).summary.workloads[0].evidence == Evidence::assumed, row.is_assumed) << row.warning;
    }
}

// An estimate at all of the bandwidth halved a plan's cost without a word.
TEST(Doubts, AnEstimateAboveWhatDevicesReachIsAssumed) {
    struct Row {
        double mfu, mbu, parameters, weight_bytes;
        bool is_above;
    };
    for (const Row& row : {Row{0.75, 0.95, 7e9, 1.4e10, false}, Row{0.76, 0.6, 7e9, 1.4e10, true},
                           Row{0.5, 0.96, 7e9, 1.4e10, true}, Row{1, 1, 7e9, 1.4e10, true}, Row{0.5, 0.6, 7, 1.4e10, true},
                           Row{0.5, 0.6, 7e9, 14, true}, Row{0.5, 0.6, 7e9, 1.4e9, false}}) {
        ScenarioDocument document = tests::decode_scenario();
        performance(document).estimate = tests::decode_roofline(row.mfu, row.mbu, row.parameters, row.weight_bytes, 1e6);
        const std::vector<std::string> warnings = doubts_in(document);
        EXPECT_EQ(std::ranges::find(warnings, "above_ceiling") != warnings.end(), row.is_above)
            << row.mfu << " " << row.mbu << " " << row.parameters << " " << row.weight_bytes;
        EXPECT_EQ(evaluate_document(document).summary.workloads[0].evidence == Evidence::assumed, row.is_above);
    }
}

TEST(Doubts, PercentilesThatAreTheSameOrOfNoObjectiveAreNone) {
    ScenarioDocument document = cloud_scenario();
    document.workloads[0].slo.percentile = 95;
    EXPECT_EQ(doubts_in(document), std::vector<std::string>{});
    document.workloads[0].slo.itl_s = 1;
    performance(document).itl_s = Rate{0.5, {}};
    performance(document).latency_percentile = 95;
    EXPECT_EQ(doubts_in(document), std::vector<std::string>{});
}

TEST(Doubts, AnApiKeepsTheObjectiveThatItsHostStates) {
    ScenarioDocument document = tests::api_scenario();
    document.workloads[0].slo.e2e_s = 2;
    document.workloads[0].slo.percentile = 0;
    EXPECT_EQ(doubts_in(document), std::vector<std::string>{"latency_unknown"});
    document.pools[0].e2e_s = 1.5;
    EXPECT_EQ(doubts_in(document), std::vector<std::string>{});
    document.workloads[0].slo.percentile = 95;
    EXPECT_EQ(doubts_in(document), std::vector<std::string>{"percentile_differs"});
    document.pools[0].latency_percentile = 95;
    EXPECT_EQ(doubts_in(document), std::vector<std::string>{});
    document.pools[0].e2e_s = 2.5;
    EXPECT_EQ(issues_of(document), std::vector<std::string>{"ineligible_latency /workloads/0/runs_on/0/pool"});
}

// The time of a request was held against the objective between tokens: one word was both.
TEST(Doubts, AnApiWhoseTimeBetweenTokensNobodyStatesKeepsNoObjectiveOfIt) {
    ScenarioDocument document = tests::api_scenario();
    document.workloads[0].slo.itl_s = 2;
    document.pools[0].e2e_s = 1.5;
    EXPECT_EQ(doubts_in(document), std::vector<std::string>{"latency_unknown"});
    document.pools[0].e2e_s = 2.5;
    EXPECT_EQ(issues_of(document), std::vector<std::string>{});
}

TEST(Doubts, AnObjectiveThatNamesNoPercentileIsOf95) {
    ScenarioDocument document = cloud_scenario();
    document.workloads[0].slo.itl_s = 1;
    performance(document).itl_s = Rate{0.5, {}};
    performance(document).latency_percentile = 50;
    EXPECT_EQ(doubts_in(document), std::vector<std::string>{"percentile_differs"});
    document.workloads[0].slo.percentile = 0;
    EXPECT_EQ(doubts_in(document), std::vector<std::string>{}) << "0 is of none in particular";
}

TEST(Doubts, AnObjectiveBetweenTokensDoesNotReachTheApisBesideIt) {
    ScenarioDocument document = cloud_scenario();
    ScenarioDocument api = tests::api_scenario();
    document.pools.push_back(api.pools[0]);
    document.workloads[0].runs_on.push_back(api.workloads[0].runs_on[0]);
    document.pools[1].id = document.workloads[0].runs_on[1].pool = "api";
    document.pools[1].e2e_s = 1;
    document.workloads[0].slo.itl_s = 1;
    document.workloads[0].slo.percentile = 0;
    performance(document).itl_s = Rate{0.5, {}};
    performance(document).ttft_s = Rate{0.1, {}};
    document.workloads[0].units_per_request.split = true;
    document.workloads[0].units_per_request.output = 4;
    EXPECT_EQ(doubts_in(document), (std::vector<std::string>{"latency_unknown"}));
    document.workloads[0].slo.e2e_s = 2;
    EXPECT_EQ(doubts_in(document), std::vector<std::string>{"latency_unknown"}) << "of the api between tokens";
    document.pools[1].itl_s = 0.5;
    document.pools[1].latency_percentile = 95;
    EXPECT_EQ(doubts_in(document), std::vector<std::string>{});
    document.pools[1].itl_s = 1.5;
    EXPECT_EQ(issues_of(document), std::vector<std::string>{"ineligible_latency /workloads/0/runs_on/1/pool"});
    document.pools[1].itl_s.reset();
    document.workloads[0].slo.itl_s.reset();
    EXPECT_EQ(doubts_in(document), std::vector<std::string>{});
    EXPECT_EQ(issues_of(document), std::vector<std::string>{});
}

TEST(Doubts, AnAnswerOfOneTokenHasNothingBetweenTokens) {
    ScenarioDocument document = cloud_scenario();
    Workload& workload = document.workloads[0];
    performance(document).ttft_s = Rate{0.5, {}};
    workload.slo = {.ttft_s = 1, .itl_s = 0.1, .e2e_s = 1, .percentile = 0};
    workload.units_per_request.split = true;
    workload.units_per_request.output = 2;
    EXPECT_EQ(doubts_in(document), std::vector<std::string>{"latency_unknown"});
    workload.units_per_request.output = 1;
    EXPECT_EQ(doubts_in(document), std::vector<std::string>());
    workload.slo.e2e_s = 0.4;
    EXPECT_FALSE(issues_of(document).empty()) << "all of a request is its first token";
}

// It ended the program.
TEST(Doubts, ANumberBesideACurveOfTimesOverBatchIsReadWithoutABatch) {
    ScenarioDocument document = cloud_scenario();
    performance(document).itl_s = curve(CurveKind::latency, Axis::batch, {1, 8}, {0.01, 0.02});
    EXPECT_EQ(issues_of(document), std::vector<std::string>{});
}

} // namespace
} // namespace costcurve::model
