// Worked examples of published price pages (price_pages.json), to the cent: what a request costs at the prices, thresholds, tiers
// and fees that the page states. Each condition of a price changes at least one of them.
#include <cmath>
#include <fstream>
#include <functional>
#include <map>
#include <set>

#include <nlohmann/json.hpp>

#include "server/documents/decode.hpp"
#include "tests/golden/published.hpp"
#include "tests/support/source_folder.hpp"

namespace costcurve::golden {
namespace {

using nlohmann::json;

constexpr double kHalfACent = 0.005;

json pages() {
    std::ifstream file(tests::source_folder() / "tests/golden/price_pages.json");
    return json::parse(file);
}

// A month of a request a second, or of one batch of them, on an api pool with the row's prices.
json scenario_of(const json& row) {
    json workload = row.at("workload");
    workload["id"] = "w";
    workload["unit"] = "token";
    workload["kind"] = row.value("kind", "inference");
    if (workload.at("kind") == "batch") {
        workload["requests_per_month"] = row.at("requests");
    } else {
        workload["demand"] = {{"mean_per_s", 1}};
    }
    json entry = {{"pool", "api"}};
    if (row.contains("tier")) {
        entry["service_tier"] = row.at("tier");
    }
    workload["runs_on"] = json::array({entry});
    json pool = row.at("pool");
    pool["id"] = "api";
    pool["kind"] = "api";
    return {{"start", "2027-02"}, {"months", 1}, {"workloads", json::array({workload})}, {"pools", json::array({pool})}};
}

double cost_of_requests(const json& row) {
    const auto document = documents::decode_scenario(scenario_of(row));
    EXPECT_TRUE(document.issues.empty()) << row.at("id") << document.issues.front().pointer << document.issues.front().message;
    const tests::Answer answer = tests::evaluate_document(document.document);
    double units = 0.0;
    for (const json& of_class : row.at("workload").at("units_per_request")) {
        units += of_class.get<double>();
    }
    const double requests = answer.summary.workloads.at(0).units_served / units;
    return answer.summary.total.cost / requests * row.at("requests").get<double>();
}

TEST(PricePages, AreMetToTheCent) {
    std::set<std::string> sources;
    std::set<std::string> rules;
    for (const json& row : pages()) {
        EXPECT_NEAR(cost_of_requests(row), row.at("usd").get<double>(), kHalfACent) << row.at("id") << ": " << row.at("worked");
        sources.insert(row.at("source"));
        EXPECT_TRUE(rules.insert(row.at("rule")).second) << row.at("id") << " is another rule or another page";
    }
    EXPECT_GE(rules.size(), 30U);
    EXPECT_GE(sources.size(), 10U);
}

// What becomes of a row without one of its conditions; the same where it has none of it.
using Mutation = std::function<void(json& row)>;

Mutation without(const std::string& pointer) {
    return [pointer](json& row) {
        const json::json_pointer at(pointer);
        if (row.contains(at)) {
            row.at(at.parent_pointer()).erase(at.back());
        }
    };
}
Mutation with_each_threshold(const std::function<void(json& above)>& change) {
    return [change](json& row) {
        for (const char* const at : {"/pool/above", "/pool/service_tiers/batch/above", "/pool/service_tiers/flex/above",
                                     "/pool/service_tiers/priority/above"}) {
            const json::json_pointer place(at);
            for (std::size_t i = 0; row.contains(place) && i < row.at(place).size(); ++i) {
                change(row.at(place)[i]);
            }
        }
    };
}
Mutation without_tier(const std::string& tier) {
    return [tier](json& row) {
        without("/pool/service_tiers/" + tier)(row);
        if (row.value("tier", "") == tier) {
            row.erase("tier");
        }
    };
}

std::map<std::string, Mutation> mutations() {
    std::map<std::string, Mutation> all;
    for (const std::string fee : {"request", "search", "image", "tool_call"}) {
        all["fee " + fee] = without("/pool/fees/" + fee);
    }
    for (const std::string of_class : {"cached_input", "cache_write", "reasoning"}) {
        all["price of " + of_class] = without("/pool/price_per_million_units/" + of_class);
        all["units of " + of_class] = without("/workload/units_per_request/" + of_class);
    }
    for (const std::string of_class : {"cached_input", "cache_write", "input", "output"}) {
        all["price above of " + of_class] =
            with_each_threshold([of_class](json& above) { above.at("price_per_million_units").erase(of_class); });
    }
    for (const std::string tier : {"batch", "flex", "priority"}) {
        all["tier " + tier] = without_tier(tier);
        all["thresholds of tier " + tier] = without("/pool/service_tiers/" + tier + "/above");
    }
    for (const std::string count : {"searches_per_request", "images_per_request", "tool_calls_per_request"}) {
        all[count] = without("/workload/" + count);
    }
    for (const std::string tier : {"flex", "priority"}) {
        all["tier " + tier + " of cached input"] = without("/pool/service_tiers/" + tier + "/price_per_million_units/cached_input");
    }
    all["the tier that is asked for"] = without("/tier");
    all["thresholds"] = without("/pool/above");
    all["the last threshold"] = [](json& row) {
        if (row.at("pool").contains("above")) {
            row["pool"]["above"].erase(row["pool"]["above"].size() - 1);
        }
    };
    all["the first threshold"] = [](json& row) {
        if (row.at("pool").contains("above")) {
            row["pool"]["above"].erase(0);
        }
    };
    all["scope"] = with_each_threshold([](json& above) { above["scope"] = "beyond"; });
    all["a threshold of a token less"] =
        with_each_threshold([](json& above) { above["input_tokens"] = above["input_tokens"].get<double>() - 1; });
    all["a threshold twice as high"] =
        with_each_threshold([](json& above) { above["input_tokens"] = above["input_tokens"].get<double>() * 2; });
    all["batch_price_fraction"] = without("/pool/batch_price_fraction");
    return all;
}

TEST(PricePages, NoticeEveryConditionThatIsLost) {
    const json rows = pages();
    for (const auto& [name, mutation] : mutations()) {
        std::size_t changed = 0;
        std::size_t missed = 0;
        for (const json& row : rows) {
            json mutated = row;
            mutation(mutated);
            changed += mutated != row ? 1 : 0;
            missed += mutated != row && std::abs(cost_of_requests(mutated) - row.at("usd").get<double>()) > kHalfACent ? 1 : 0;
        }
        EXPECT_GT(missed, 0U) << name << " changes " << changed << " rows and none of their figures";
    }
}

} // namespace
} // namespace costcurve::golden
