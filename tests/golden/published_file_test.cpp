// The cases embedded in these tests against the shared file they come from, where that file is at hand.
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include <nlohmann/json.hpp>

#include "tests/golden/published.hpp"
#include "tests/golden/published_rows.hpp"
#include "tests/support/source_folder.hpp"

namespace costcurve::golden {
namespace {

using nlohmann::json;

const std::set<std::string> kCases = {
    "epoch-capex-energy",      "dawnbench-train-cost",
    "dawnbench-infer-cost",    "deepseek-v3-training",
    "numpy-financial-tvm",     "inferencex-cost-per-mtok",
    "sagemaker-spot-savings",  "cluster-buildout-50mw",
    "lenovo-lp2225-breakeven", "ri-breakeven",
    "daly-checkpoint",         "nvidia-selfhost-unit-cost",
    "hp-wsc-5yr-amortization", "patterson-2021-energy",
    "barroso-2013-per-watt",
};

// Figures that the tests state in their text, by their place in the file.
struct Stated {
    const char* id;
    const char* pointer;
    double value;
};
const std::vector<Stated> kStated = {
    {"epoch-capex-energy", "/inputs/constants/hours_per_year", 8766},
    {"epoch-capex-energy", "/inputs/constants/hw_progress_ooms_per_year", kEpochOomsPerYear},
    {"epoch-capex-energy", "/inputs/constants/interconnect_fraction_of_cluster", kEpochInterconnectFraction},
    {"deepseek-v3-training", "/inputs/usd_per_gpu_hour", 2},
    {"deepseek-v3-training", "/inputs/cluster_gpus", 2048},
    {"deepseek-v3-training", "/inputs/pretrain_tokens", 14.8e12},
    {"deepseek-v3-training", "/inputs/gpu_hours_per_1e12_tokens", 180000},
    {"deepseek-v3-training", "/inputs/gpu_hours/context_extension", 119000},
    {"deepseek-v3-training", "/inputs/gpu_hours/post_train", 5000},
    {"deepseek-v3-training", "/outputs/usd/pretrain", 5328000},
    {"deepseek-v3-training", "/outputs/usd/total", 5576000},
    {"deepseek-v3-training", "/outputs/total_gpu_hours", 2788000},
    {"deepseek-v3-training", "/outputs/days_per_1e12_tokens", 3.7},
    {"numpy-financial-tvm", "/outputs/pmt", -1854.0247200054619},
    {"numpy-financial-tvm", "/outputs/npv", 3065.22267},
    {"numpy-financial-tvm", "/outputs/irr/0", 0.28095},
    {"numpy-financial-tvm", "/outputs/irr/3", 0.06206},
    {"numpy-financial-tvm", "/outputs/irr/4", 0.0886},
    {"numpy-financial-tvm", "/outputs/nper", 64.07335},
    {"numpy-financial-tvm", "/outputs/fv", 15692.92889433575},
    {"numpy-financial-tvm", "/outputs/pv", -100.00067131625819},
    {"numpy-financial-tvm", "/outputs/total_interest", -112.98},
    {"numpy-financial-tvm", "/outputs/first_month/balance", 2299.42},
    {"inferencex-cost-per-mtok", "/outputs/margin_example/published_margin_pct/0", 83},
    {"inferencex-cost-per-mtok", "/outputs/margin_example/published_margin_pct/1", 45},
    {"sagemaker-spot-savings", "/inputs/billable_seconds", 100},
    {"sagemaker-spot-savings", "/inputs/training_seconds", 500},
    {"sagemaker-spot-savings", "/outputs/savings_pct", 80},
    {"cluster-buildout-50mw", "/outputs/gpus", 32051},
    {"cluster-buildout-50mw", "/outputs/it_mw", 41.7},
    {"cluster-buildout-50mw", "/outputs/power_5y_usd", 94340000},
    {"cluster-buildout-50mw", "/outputs/tco_usd", 1.38e9},
    {"lenovo-lp2225-breakeven", "/inputs/capex_usd", kLenovoCapex},
    {"lenovo-lp2225-breakeven", "/inputs/onprem_usd_per_hour", kLenovoHourly},
    {"lenovo-lp2225-breakeven", "/inputs/power_cooling_usd_per_kwh", kLenovoEnergyPrice},
    {"lenovo-lp2225-breakeven", "/outputs/months_at_100pct", 11.9},
    {"ri-breakeven", "/outputs/cloudability/od_year", 1103.76},
    {"ri-breakeven", "/outputs/cloudability/ri_year", 648.24},
    {"ri-breakeven", "/outputs/doppler/hours_per_month", 435},
    {"ri-breakeven", "/outputs/cloudcostkit/breakeven_hours", 6667},
    {"ri-breakeven", "/outputs/cloudcostkit/months", 9.14},
    {"ri-breakeven", "/outputs/calculator_city/hours", 2500},
    {"ri-breakeven", "/outputs/alexsci/breakeven_hours_per_day", 15},
    {"nvidia-selfhost-unit-cost", "/inputs/server_usd", 320000},
    {"nvidia-selfhost-unit-cost", "/inputs/rps_per_instance", 2.5},
    {"nvidia-selfhost-unit-cost", "/outputs/annual_usd", 87500},
    {"nvidia-selfhost-unit-cost", "/outputs/usd_per_1m_input", 0.48},
    {"nvidia-selfhost-unit-cost", "/outputs/usd_per_1m_output", 1.44},
    {"hp-wsc-5yr-amortization", "/outputs/monthly_usd/servers", 1260000},
    {"hp-wsc-5yr-amortization", "/outputs/monthly_usd/total_opex", 3422000},
    {"hp-wsc-5yr-amortization", "/outputs/usd_per_server_hour", 0.103},
    {"daly-checkpoint", "/outputs/graphlab_interval_hours", 3},
    {"barroso-2013-per-watt", "/outputs/dc_total", 0.13},
    {"barroso-2013-per-watt", "/outputs/server_interest", 0.02},
    {"barroso-2013-per-watt", "/outputs/grand_total/0", 0.37},
    {"barroso-2013-per-watt", "/outputs/grand_total/1", 0.43},
};

using Columns = std::vector<std::pair<const char*, double>>;

void expect_row(const json& row, const std::string& name, const Columns& columns) {
    for (const auto& [column, value] : columns) {
        ASSERT_TRUE(row.contains(column)) << name << ": " << column;
        EXPECT_DOUBLE_EQ(row.at(column).get<double>(), value) << name << ": " << column;
    }
}

void expect_training_rows(const std::map<std::string, json>& cases) {
    const json& epoch = cases.at("epoch-capex-energy").at("inputs").at("rows");
    const json& dawnbench = cases.at("dawnbench-train-cost").at("inputs").at("rows");
    const json& daly = cases.at("daly-checkpoint").at("inputs").at("rows");
    const json& patterson = cases.at("patterson-2021-energy").at("inputs").at("rows");
    ASSERT_EQ(epoch.size(), kEpochRows.size());
    ASSERT_EQ(dawnbench.size(), kDawnbenchTrainRows.size());
    ASSERT_EQ(daly.size(), kDalyRows.size());
    ASSERT_EQ(patterson.size(), kPattersonRows.size());
    for (std::size_t i = 0; i < kEpochRows.size(); ++i) {
        const EpochRow& row = kEpochRows[i];
        EXPECT_EQ(epoch[i].at("model"), row.model);
        EXPECT_EQ(epoch[i].at("training_start").get<std::string>().substr(0, 7),
                  fmt::format("{}-{:02}", row.start_year, row.start_month));
        expect_row(epoch[i], row.model,
                   {{"chip_hours", row.chip_hours},
                    {"server_price_per_chip_usd", row.server_price_per_chip},
                    {"days_between", row.days_between},
                    {"chip_tdp_w", row.chip_tdp_w},
                    {"chip_to_server_power", row.chip_to_server_power},
                    {"avg_power_fraction", row.average_power_fraction},
                    {"pue", row.pue},
                    {"electricity_usd_per_kwh", row.energy_price},
                    {"price_index_publication_month", row.price_index_publication_month},
                    {"price_index_target", kEpochPriceIndexTarget},
                    {"out_energy_kwh", row.out_energy_kwh},
                    {"out_amortized_hw_usd", row.out_amortized_hardware},
                    {"out_energy_usd", row.out_energy},
                    {"out_interconnect_usd", row.out_interconnect},
                    {"out_total_nominal_usd", row.out_total_nominal},
                    {"published_total_usd", row.published}});
    }
    for (std::size_t i = 0; i < kDawnbenchTrainRows.size(); ++i) {
        const DawnbenchTrainRow& row = kDawnbenchTrainRows[i];
        EXPECT_EQ(dawnbench[i].at("entry"), row.entry);
        expect_row(dawnbench[i], row.entry,
                   {{"cost_per_hour_usd", row.hourly_price},
                    {"epochs_to_threshold", row.epochs},
                    {"hours_to_threshold", row.hours},
                    {"published_usd", row.published},
                    {"derived_usd_per_epoch", row.per_epoch}});
    }
    for (std::size_t i = 0; i < kDalyRows.size(); ++i) {
        const DalyRow& row = kDalyRows[i];
        expect_row(daly[i], "daly",
                   {{"mtbf_min", row.mtbf_min},
                    {"checkpoint_min", row.checkpoint_min},
                    {"restart_min", row.restart_min},
                    {"solve_h", row.solve_hours},
                    {"published_tau_opt_min", row.published_min},
                    {"young_first_order_min", row.young_min}});
    }
    for (std::size_t i = 0; i < kPattersonRows.size(); ++i) {
        const PattersonRow& row = kPattersonRows[i];
        EXPECT_EQ(patterson[i].at("model"), row.model);
        expect_row(patterson[i], row.model,
                   {{"chips", row.chips},
                    {"days", row.days},
                    {"avg_system_w_per_chip", row.chip_w},
                    {"pue", row.pue},
                    {"published_mwh", row.mwh},
                    {"gross_kg_per_kwh", row.gross_kg_per_kwh},
                    {"published_gross_t", row.gross_t},
                    {"net_kg_per_kwh", row.net_kg_per_kwh},
                    {"published_net_t", row.net_t}});
    }
}

void expect_other_rows(const std::map<std::string, json>& cases) {
    const json& requests = cases.at("dawnbench-infer-cost").at("inputs").at("rows");
    const json& tokens = cases.at("inferencex-cost-per-mtok");
    const json& lenovo = cases.at("lenovo-lp2225-breakeven").at("inputs").at("rows");
    ASSERT_EQ(requests.size(), kDawnbenchInferRows.size());
    ASSERT_EQ(tokens.at("inputs").at("formula_tests").size(), kInferencexRows.size());
    ASSERT_EQ(lenovo.size(), kLenovoRows.size());
    for (std::size_t i = 0; i < kDawnbenchInferRows.size(); ++i) {
        const DawnbenchInferRow& row = kDawnbenchInferRows[i];
        EXPECT_EQ(requests[i].at("entry"), row.entry);
        expect_row(requests[i], row.entry,
                   {{"cost_per_hour_usd", row.hourly_price},
                    {"latency_ms", row.latency_ms},
                    {"published_usd_per_request", row.published}});
    }
    for (std::size_t i = 0; i < kInferencexRows.size(); ++i) {
        const InferencexRow& row = kInferencexRows[i];
        expect_row(tokens.at("inputs").at("formula_tests")[i], "inferencex",
                   {{"usd_per_gpu_h", row.gpu_hour}, {"tok_s_gpu", row.tokens_per_s}});
        EXPECT_DOUBLE_EQ(tokens.at("outputs").at("usd_per_1m")[i].get<double>(), row.published);
    }
    for (std::size_t i = 0; i < kLenovoRows.size(); ++i) {
        expect_row(
            lenovo[i], "lenovo",
            {{"cloud_usd_per_hour", kLenovoRows[i].hourly_price}, {"published_breakeven_h", kLenovoRows[i].published_hours}});
    }
}

TEST(Published, SharedFileStillSaysTheSame) {
    const std::filesystem::path path = tests::source_folder().parent_path() / "shared/cases/published.json";
    if (!std::filesystem::exists(path)) {
        GTEST_SKIP() << "the shared cases are not beside this repository";
    }
    std::ifstream file(path);
    std::map<std::string, json> cases;
    for (const json& published : json::parse(file)) {
        cases[published.at("id")] = published;
    }
    std::set<std::string> ids;
    for (const auto& [id, published] : cases) {
        ids.insert(id);
    }
    ASSERT_EQ(ids, kCases) << "a case came or went: cover it, and name it in tests/golden/README.md";
    for (const Stated& stated : kStated) {
        const json::json_pointer pointer(stated.pointer);
        ASSERT_TRUE(cases.at(stated.id).contains(pointer)) << stated.id << stated.pointer;
        EXPECT_DOUBLE_EQ(cases.at(stated.id).at(pointer).get<double>(), stated.value) << stated.id << stated.pointer;
    }
    expect_training_rows(cases);
    expect_other_rows(cases);
}

std::string readme() {
    std::ifstream file(tests::source_folder() / "tests/golden/README.md");
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Published, ReadmeNamesEveryCase) {
    const std::string text = readme();
    for (const std::string& id : kCases) {
        EXPECT_NE(text.find("`" + id + "`"), std::string::npos) << id;
    }
}

TEST(Published2, SharedFileStillSaysTheSameAndReadmeNamesEveryCase) {
    const std::filesystem::path path = tests::source_folder().parent_path() / "shared/cases/published-2.json";
    if (!std::filesystem::exists(path)) {
        GTEST_SKIP() << "the shared cases are not beside this repository";
    }
    std::ifstream file(path);
    std::ifstream embedded(tests::source_folder() / "tests/golden/published_2.json");
    const std::string text = readme();
    std::map<std::string, json> cases;
    for (const json& published : json::parse(file)) {
        const std::string id = published.at("id");
        cases[id] = published;
        EXPECT_NE(text.find("`" + id + "`"), std::string::npos) << id << ": cover it, or say why not";
    }
    for (const json& published : json::parse(embedded)) {
        for (const char* const part : {"source", "inputs", "published"}) {
            EXPECT_EQ(published.at(part), cases[published.at("id")].value(part, json())) << published.at("id") << part;
        }
    }
}

} // namespace
} // namespace costcurve::golden
