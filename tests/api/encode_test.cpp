// Documents back to JSON, their hash, and the result document against the list in api.md, section 1.
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "model/version.hpp"
#include "server/answers/encode_result.hpp"
#include "server/api/openapi/openapi.hpp"
#include "server/documents/encode.hpp"
#include "server/storage/sha256.hpp"
#include "tests/api/samples.hpp"

namespace costcurve::tests {
namespace {

using Names = std::set<std::string>;

std::string encoded(const json& document) {
    const auto decoded = complete_scenario(document);
    EXPECT_TRUE(decoded) << fmt::format("{}", fmt::join(issues_of_json(document), "; "));
    return decoded ? documents::encode_scenario(*decoded) : "";
}

answers::Evaluated evaluated(const json& document) {
    model::Result<answers::Evaluated> answer = evaluate_text(document.dump());
    if (!answer) {
        throw std::runtime_error(fmt::format("{}", fmt::join(words(answer.error()), "; ")));
    }
    return std::move(*answer);
}

json result_of(const json& document, bool with_ledger = false) {
    return json::parse(answers::encode_result(evaluated(document), with_ledger));
}

Names names(const json& object) {
    Names found;
    for (const auto& [name, ignored] : object.items()) {
        found.insert(name);
    }
    return found;
}

void expect_members(const json& object, const Names& wanted, const std::string& where) {
    for (const std::string& name : wanted) {
        EXPECT_TRUE(object.contains(name)) << where << " has no " << name;
    }
}

void expect_round_trip(const json& document) {
    const std::string once = encoded(document);
    const auto parsed = parse_json(once);
    ASSERT_TRUE(parsed) << parsed.error().message;
    const auto again = complete_scenario(*parsed);
    ASSERT_TRUE(again) << fmt::format("{}", fmt::join(words(again.error()), "; "));
    EXPECT_EQ(documents::encode_scenario(*again), once);
}

json with_dates(json document) {
    document["workloads"][1]["epochs_per_month"] =
        json::parse(R"({"kind": "demand", "axis": "date", "points": [["2026-01-01", 1], ["2026-02-15", 2]]})");
    document["pools"][1]["offer"]["hourly_price"] = json::parse(
        R"({"kind": "price", "axis": "date", "interpolation": "step", "points": [["2025-06-01", 40], ["2026-02-01", 30]]})");
    return document;
}

TEST(EncodeScenario, ReadsBackTheSame) {
    expect_round_trip(smallest());
    expect_round_trip(mixed());
}

TEST(EncodeScenario, WritesDatesOfCurvesAsTheyAreRead) { expect_round_trip(with_dates(mixed())); }

TEST(EncodeScenario, ReadsBackAnEmptyUnitTheSame) { expect_round_trip(with(smallest(), "/workloads/0/unit", "")); }

TEST(EncodeScenario, ReadsBackATextOfEveryCharacterButZero) {
    expect_round_trip(with(smallest(), "/note", "\"\\/\b\f\n\r\t\x01 é € 😀 \x7f"));
}

TEST(EncodeScenario, ReadsBackTagsAndAllocation) {
    json document = with(smallest(), "/allocation", {{"basis", "used"}, {"idle", "apart"}});
    document["tags"] = {{"unit", "research"}};
    document["workloads"][0]["tags"] = {{"team", "a/b"}, {"stage", "\"prod\""}};
    expect_round_trip(document);
}

TEST(EncodeScenario, FillsInEveryDefault) {
    const json full = json::parse(encoded(smallest()));
    EXPECT_EQ(full["time_zone"], "UTC");
    EXPECT_EQ(full["currency"], "USD");
    EXPECT_EQ(full["exchange_rates"], json::object());
    EXPECT_EQ(full["finance"]["capital"], "straight_line");
    EXPECT_EQ(full["finance"]["discount_rate"], 0);
    EXPECT_EQ(full["workloads"][0]["unit"], "unit");
    EXPECT_EQ(full["workloads"][0]["routing"], "in_order");
    EXPECT_EQ(full["workloads"][0]["units_per_request"], 1);
    EXPECT_EQ(full["workloads"][0]["output_cost_ratio"], 4);
    EXPECT_EQ(full["workloads"][0]["peak_utilization"], 1);
    EXPECT_EQ(full["workloads"][0]["runs_on"][0]["performance"]["devices"], 1);
    EXPECT_EQ(full["workloads"][0]["runs_on"][0]["performance"]["basis"], "measured");
    EXPECT_EQ(full["pools"][0]["min_instances"], 0);
    EXPECT_EQ(full["pools"][0]["offer"]["price_growth_rate"], 0);
}

TEST(InputsHash, IsSha256OfTheCanonicalScenarioAndTheModelsVersion) {
    // FIPS 180-2, appendix B.1 and the empty message.
    EXPECT_EQ(storage::sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(storage::sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(evaluated(mixed()).inputs_hash,
              storage::sha256(documents::encode_canonical(*complete_scenario(mixed())) + "\n" + std::string(model::kModelVersion)));
}

TEST(InputsHash, IsTheSameForEveryOrderOfKeysAndForDefaultsSpelledOut) {
    const std::string hash = evaluated(smallest()).inputs_hash;
    // Keys backwards at every level.
    const std::function<std::string(const json&)> backwards = [&](const json& value) -> std::string {
        if (!value.is_structured()) {
            return value.dump();
        }
        std::string text;
        for (auto it = value.begin(); it != value.end(); ++it) {
            const std::string member = (value.is_object() ? json(it.key()).dump() + ":" : "") + backwards(*it);
            text = text.empty() ? member : value.is_object() ? member + "," + text : text + "," + member;
        }
        return value.is_object() ? "{" + text + "}" : "[" + text + "]";
    };
    const auto reversed = evaluate_text(backwards(smallest()));
    ASSERT_TRUE(reversed);
    EXPECT_EQ(reversed->inputs_hash, hash);
    EXPECT_EQ(evaluated(json::parse(encoded(smallest()))).inputs_hash, hash);
    EXPECT_EQ(evaluated(with(smallest(), "/currency", "USD")).inputs_hash, hash);
    EXPECT_EQ(evaluated(with(smallest(), "/finance", {{"tax_rate", 0}, {"capital", "straight_line"}})).inputs_hash, hash);
    EXPECT_EQ(evaluated(with(smallest(), "/months", json::parse("1.0"))).inputs_hash, hash);
    EXPECT_EQ(evaluated(with(smallest(), "/workloads/0/checkpoint", {{"write_s", 0}})).inputs_hash, hash);
    EXPECT_EQ(evaluated(with(smallest(), "/workloads/0/runs_on/0/porting", json::object())).inputs_hash, hash);
}

TEST(InputsHash, ChangesWithEveryFigure) {
    Names hashes = {evaluated(smallest()).inputs_hash};
    const std::pair<const char*, json> changes[] = {
        {"/pools/0/offer/hourly_price", 3.6000000000000005},
        {"/start", "2026-02"},
        {"/currency", "EUR"},
        {"/pools/0/max_instances", 11},
        {"/finance/tax_rate", 0.1},
        {"/workloads/0/unit", "token"},
        {"/workloads/0/demand/shape", json::parse(R"({"kind": "demand", "axis": "hour_of_day", "points": [[0, 1]]})")},
        {"/workloads/0/demand/shape", json::parse(R"({"kind": "demand", "axis": "hour_of_week", "points": [[0, 1]]})")}};
    std::size_t count = 1;
    for (const auto& [pointer, value] : changes) {
        hashes.insert(evaluated(with(smallest(), pointer, value)).inputs_hash);
        EXPECT_EQ(hashes.size(), ++count) << pointer;
    }
}

TEST(Result, HasEveryFieldThatTheContractNames) {
    const json result = result_of(mixed(), true);
    expect_members(result,
                   {"total", "by_category", "by_pool", "by_workload", "by_month", "unallocated_cost", "warnings", "currency",
                    "provenance", "ledger"},
                   "result");
    expect_members(result["total"], {"cost", "cash", "npv", "npv_after_tax", "energy_kwh", "carbon_kg"}, "total");
    const auto& categories = model::enum_names<model::Category>;
    EXPECT_EQ(names(result["by_category"]), Names(categories.begin(), categories.end()));
    for (const json& amounts : result["by_category"]) {
        EXPECT_EQ(names(amounts), (Names{"cost", "cash"}));
    }
    EXPECT_EQ(names(result["by_pool"]), (Names{"rack", "burst", "hosted"}));
    for (const json& pool : result["by_pool"]) {
        expect_members(pool,
                       {"cost", "cash", "energy_kwh", "carbon_kg", "available_device_hours", "reserved_device_hours",
                        "busy_device_hours", "utilization_fraction", "cost_per_reserved_device_hour", "by_category"},
                       "pool");
    }
    EXPECT_TRUE(result["by_pool"]["rack"].contains("racks"));
    EXPECT_FALSE(result["by_pool"]["burst"].contains("racks"));
    const Names work = {"kind",
                        "cost",
                        "units_demanded",
                        "units_served",
                        "units_unserved",
                        "energy_kwh",
                        "carbon_kg",
                        "cost_per_million_units",
                        "levelized_cost_per_million_units",
                        "evidence"};
    for (const json& workload : result["by_workload"]) {
        expect_members(workload, work, "workload");
    }
    expect_members(result["by_workload"]["chat"],
                   {"cost_per_million_input_units", "cost_per_million_output_units", "requests_served", "cost_per_inference"},
                   "chat");
    expect_members(result["by_workload"]["train"], {"epochs_done", "cost_per_epoch", "hours_per_epoch"}, "train");
    EXPECT_EQ(names(result["by_workload"]["train"]["hours_per_epoch"]), Names{"rack"});
    EXPECT_FALSE(result["by_workload"]["chat"].contains("epochs_done"));
    EXPECT_FALSE(result["by_workload"]["train"].contains("requests_served"));
    EXPECT_FALSE(result_of(smallest())["by_workload"]["work"].contains("cost_per_million_input_units")) << "units are not split";
    ASSERT_EQ(result["by_month"].size(), 3U);
    const char* const months[] = {"2026-01", "2026-02", "2026-03"};
    for (std::size_t m = 0; m < 3; ++m) {
        const json& month = result["by_month"][m];
        EXPECT_EQ(month["month"], months[m]);
        expect_members(month, {"month", "cost", "cash", "energy_kwh", "carbon_kg", "by_category", "by_pool"}, "month");
    }
    EXPECT_EQ(result["currency"], "EUR");
    expect_members(result["provenance"], {"model_version", "inputs_hash", "as_of", "documents"}, "provenance");
    EXPECT_EQ(result["provenance"]["inputs_hash"].get<std::string>().size(), 64U);
    bool found = false;
    for (const json& document : result["provenance"]["documents"]) {
        EXPECT_EQ(names(document), (Names{"kind", "id", "revision", "source"}));
        found = found || (document["kind"] == "server" && document["id"] == "box" && document["source"] == "by hand, row 7");
    }
    EXPECT_TRUE(found);
    for (const json& warning : result["warnings"]) {
        EXPECT_EQ(names(warning), (Names{"pointer", "code", "message"}));
    }
    EXPECT_FALSE(result_of(mixed(), false).contains("ledger"));
}

TEST(Result, NamesTheCurvesThatCarryAnIdInItsProvenance) {
    json document = mixed();
    document["pools"][0]["site"]["energy_price"]["id"] = "tariff.de";
    document["pools"][0]["site"]["energy_price"]["source"] = "bill of May";
    const json result = result_of(document);
    for (const json& entry : result["provenance"]["documents"]) {
        if (entry["kind"] == "curve" && entry["id"] == "tariff.de") {
            EXPECT_EQ(entry["source"], "bill of May");
            return;
        }
    }
    FAIL() << "documents: [{kind, id, revision, source}] has no curve";
}

TEST(Result, WarnsWithPointerCodeAndMessage) {
    const json result = result_of(with(smallest(), "/pools/0/max_instances", 0));
    ASSERT_FALSE(result["warnings"].empty());
    for (const json& warning : result["warnings"]) {
        EXPECT_TRUE(is_pointer(warning["pointer"].get<std::string>()));
        EXPECT_FALSE(warning["message"].get<std::string>().empty());
    }
}

TEST(Result, IsNullWhereNothingWasServed) {
    const json inference = result_of(with(smallest(), "/pools/0/max_instances", 0))["by_workload"]["work"];
    for (const char* name :
         {"requests_served", "cost_per_inference", "cost_per_million_units", "levelized_cost_per_million_units", "evidence"}) {
        ASSERT_TRUE(inference.contains(name)) << name;
        EXPECT_TRUE(inference[name].is_null()) << name << " is " << inference[name];
    }
    json split = with(smallest(), "/pools/0/max_instances", 0);
    split["workloads"][0]["units_per_request"] = {{"input", 1}, {"output", 1}};
    const json tokens = result_of(split)["by_workload"]["work"];
    EXPECT_TRUE(tokens.at("cost_per_million_input_units").is_null());
    EXPECT_TRUE(tokens.at("cost_per_million_output_units").is_null());
    json idle = with(mixed(), "/workloads/1/epochs_per_month", 0);
    const json training = result_of(idle)["by_workload"]["train"];
    for (const char* name : {"epochs_done", "cost_per_epoch", "hours_per_epoch", "cost_per_million_units", "evidence"}) {
        ASSERT_TRUE(training.contains(name)) << name;
        EXPECT_TRUE(training[name].is_null()) << name << " is " << training[name];
    }
    const json pool = result_of(with(smallest(), "/workloads/0/demand/mean_per_s", 0))["by_pool"]["pool"];
    EXPECT_TRUE(pool["cost_per_reserved_device_hour"].is_null());
    EXPECT_TRUE(pool["utilization_fraction"].is_null());
}

TEST(Result, LedgerRowsSumToTheTotalByCategoryPoolAndMonth) {
    for (const json& document : {smallest(), mixed()}) {
        const json result = result_of(document, true);
        std::map<std::string, double> categories;
        std::map<std::string, double> months;
        std::map<std::string, double> pools;
        double cost = 0;
        double cash = 0;
        for (const json& row : result["ledger"]) {
            EXPECT_EQ(names(row), (Names{"month", "pool", "workload", "category", "cost", "cash"}));
            categories[row["category"]] += row["cost"].get<double>();
            months[row["month"]] += row["cost"].get<double>();
            if (!row["pool"].is_null()) {
                pools[row["pool"]] += row["cost"].get<double>();
            }
            cost += row["cost"].get<double>();
            cash += row["cash"].get<double>();
        }
        const double total = result["total"]["cost"];
        const double tolerance = 1e-9 * std::fabs(total);
        EXPECT_GT(total, 0);
        EXPECT_NEAR(cost, total, tolerance);
        EXPECT_NEAR(cash, result["total"]["cash"].get<double>(), 1e-6 * std::fabs(total));
        for (const auto& [name, amounts] : result["by_category"].items()) {
            EXPECT_NEAR(categories[name], amounts["cost"].get<double>(), tolerance) << name;
        }
        for (const auto& [name, pool] : result["by_pool"].items()) {
            EXPECT_NEAR(pools[name], pool["cost"].get<double>(), tolerance) << name;
        }
        for (const json& month : result["by_month"]) {
            EXPECT_NEAR(months[month["month"]], month["cost"].get<double>(), tolerance);
        }
    }
}

TEST(Result, IsTheSameBytesTwice) {
    EXPECT_EQ(answers::encode_result(evaluated(mixed()), true), answers::encode_result(evaluated(mixed()), true));
}

TEST(Fields, NameEveryDocumentAndRequestWithUnitsRangesAndHelp) {
    const json tables = json::parse(api::encode_field_tables());
    Names names;
    for (const json& table : tables) {
        names.insert(table.contains("document") ? table["document"] : table.at("request"));
        for (const json& field : table.at("fields")) {
            for (const char* name : {"name", "type", "required", "help"}) {
                EXPECT_TRUE(field.contains(name)) << field;
            }
            EXPECT_FALSE(field["help"].get<std::string>().empty()) << field;
        }
    }
    for (const char* name : {"device", "offer", "server", "site", "curve", "performance", "scenario", "finance", "workload", "pool",
                             "evaluate_request", "rank_request", "map_request", "recalculation_request"}) {
        EXPECT_TRUE(names.contains(name)) << name;
    }
}

} // namespace
} // namespace costcurve::tests
