// What-if: a set into a resolved scenario gives the scenario that one would have written with those values.
#include "server/documents/patch.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "model/documents/walk.hpp"
#include "tests/api/samples.hpp"

namespace costcurve::documents {
namespace {

using nlohmann::json;
using tests::complete_scenario;
using tests::mixed;
using tests::words;

// A resolved scenario with every default, as JSON: what pointers point into.
json full(const json& document) { return json::parse(encode_scenario(*complete_scenario(document))); }

model::Result<model::ScenarioDocument> set_in(const model::ScenarioDocument& scenario, const json& set,
                                              const std::string& pointer) {
    Source nowhere;
    return patched(scenario, *ParsedJson(set), pointer, "/set", nowhere);
}

model::Result<model::ScenarioDocument> patch(const json& document, const json& set) {
    return set_in(*complete_scenario(document), set, "/scenario");
}

using Words = std::vector<std::string>;

TEST(Patch, IsTheScenarioWithThoseValues) {
    const std::pair<const char*, json> rows[] = {
        {"/months", 7},
        {"/note", "n"},
        {"/start", "2027-05"},
        {"/exchange_rates", {{"USD", 2}, {"GBP", 1.1}}},
        {"/exchange_rates/USD", 0.5},
        {"/exchange_rates/GBP", 1.5},
        {"/finance", {{"tax_rate", 0.5}}},
        {"/finance/capital", "straight_line"},
        {"/workloads/0/units_per_request", 3},
        {"/workloads/0/units_per_request/input", 3},
        {"/workloads/0/demand/shape/points/1/1", 2.5},
        {"/workloads/0/demand/shape", 1.5},
        {"/workloads/0/runs_on/0/performance/units_per_s", 70},
        {"/workloads/0/runs_on/1/performance/device", "gpu-b"},
        {"/workloads/0/runs_on", json::parse(R"([{"pool":"hosted"}])")},
        {"/pools/0/purchases/1", {{"month", 2}, {"servers", 3}}},
        {"/pools/0/purchases/1/servers", 4},
        {"/pools/0/server/device/peak_flops/fp8", 1e15},
        {"/pools/0/server/device/kind", "asic"},
        {"/pools/0/server/device/frameworks/0", "sglang"},
        {"/pools/0/server/residual_fraction", 0.2},
        {"/pools/0/site/energy_price", {{"kind", "tariff"}, {"axis", "hour_of_day"}, {"points", {{0, 0.1}, {12, 0.3}}}}},
        {"/pools/1", mixed()["pools"][2]},
        {"/pools/1/offer/term_months", 12},
        {"/pools/2/price_per_million_units", 4},
        {"/pools/2/price_per_million_units/output", json::parse(R"({"kind":"price","axis":"date","points":[["2026-01-01",1]]})")},
    };
    for (const auto& [pointer, value] : rows) {
        const auto found = patch(mixed(), {{pointer, value}});
        ASSERT_TRUE(found) << pointer << " " << testing::PrintToString(words(found.error()));
        const auto wanted = complete_scenario(tests::with(full(mixed()), pointer, value));
        ASSERT_TRUE(wanted) << pointer << " " << testing::PrintToString(words(wanted.error()));
        EXPECT_EQ(encode_scenario(*found), encode_scenario(*wanted)) << pointer;
    }
}

TEST(Patch, PutsSeveralValuesParentsFirst) {
    const auto found = patch(mixed(), {{"/finance", {{"tax_rate", 0.5}, {"discount_rate", 0.1}}}, {"/finance/tax_rate", 0.25}});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->finance.tax_rate, 0.25);
    EXPECT_EQ(found->finance.discount_rate, 0.1);
    EXPECT_EQ(found->finance.capital, model::Capital::straight_line) << "the object is another one";
}

TEST(Patch, NamesWhatIsWrong) {
    const std::pair<json, Words> rows[] = {
        {{{"/months", 0}}, {"out_of_range /scenario/months"}},
        {{{"/months", "x"}}, {"wrong_type /scenario/months"}},
        {{{"/currency", "eur"}, {"/finance/tax_rate", 2}},
         {"bad_format /scenario/currency", "out_of_range /scenario/finance/tax_rate"}},
        {{{"/nothing", 1}}, {"unknown_field /scenario/nothing"}},
        {{{"/nothing/below", 1}, {"/months", 0}}, {"unknown_reference /set/~1nothing~1below"}},
        {{{"months", 1}}, {"unknown_reference /set/months"}},
        {{{"/pools/9", json::object()}}, {"unknown_reference /set/~1pools~19"}},
        {{{"/pools/-", json::object()}}, {"unknown_reference /set/~1pools~1-"}},
        {{{"/pools/0/offer", "x"}}, {"not_allowed /scenario/pools/0/offer"}},
        {{{"/pools/1/offer", "x"}}, {"unknown_reference /scenario/pools/1/offer"}},
        {{{"/pools/1/site/pue", 1.1}}, {"unknown_reference /set/~1pools~11~1site~1pue"}},
        {{{"/exchange_rates/USD", -1}}, {"out_of_range /scenario/exchange_rates/USD"}},
        {{{"/exchange_rates/usd", 1}}, {"bad_format /scenario/exchange_rates/usd"}},
        {{{"/pools/0/purchases/0/servers", 1.5}}, {"wrong_type /scenario/pools/0/purchases/0/servers"}},
        {{{"/workloads/0/demand/shape/points/1/1", -1}}, {"out_of_range /scenario/workloads/0/demand/shape/points/1/1"}},
        {{{"", 1}}, {"wrong_type /scenario"}},
    };
    for (const auto& [set, wanted] : rows) {
        const auto found = patch(mixed(), set);
        ASSERT_FALSE(found) << set;
        EXPECT_EQ(words(found.error()), wanted) << set;
    }
}

// A scenario of stored documents, each of revision 3.
model::ScenarioDocument stored_scenario() {
    model::ScenarioDocument scenario = *complete_scenario(mixed());
    std::string at;
    model::walk(scenario, at, {}, [](auto& document, const std::string& /*where*/, const model::FieldSpec& /*spec*/) {
        if constexpr (requires { document.stored; }) {
            document.stored = {false, 3, "2026-11-22T12:00:00.000000Z", 5};
        }
    });
    return scenario;
}

TEST(Patch, LeavesStoredDocumentsThatItDoesNotChange) {
    const model::ScenarioDocument scenario = stored_scenario();
    const auto changed = set_in(scenario, {{"/pools/0/server/device/tdp_w", 800}}, "");
    ASSERT_TRUE(changed);
    EXPECT_EQ(changed->stored.revision, 0) << "around the change";
    EXPECT_EQ(changed->pools[0].server->stored.revision, 0);
    EXPECT_EQ(changed->pools[0].server->device.stored, model::Stored{});
    EXPECT_EQ(changed->pools[0].site->stored.revision, 3);
    EXPECT_EQ(changed->pools[1].offer->stored, scenario.pools[1].offer->stored);
    EXPECT_EQ(changed->pools[0].server->device.power->stored.revision, 3);
    const auto same = set_in(scenario, {{"/pools/0/server/device/tdp_w", 700}, {"/months", 3}}, "");
    ASSERT_TRUE(same);
    EXPECT_EQ(*same, scenario) << "what it was before";
}

TEST(Patch, BelievesARevisionOnlyOfWhatIsTheStoredDocument) {
    const model::ScenarioDocument scenario = stored_scenario();
    json site = json::parse(encode_scenario(scenario))["pools"][0]["site"];
    ASSERT_EQ(site["revision"], 3);
    const auto same = set_in(scenario, {{"/pools/0/site", site}}, "");
    ASSERT_TRUE(same);
    EXPECT_EQ(same->pools[0].site->stored, scenario.pools[0].site->stored);
    site["fte"] = 5;
    const auto claimed = set_in(scenario, {{"/pools/0/site", site}}, "");
    ASSERT_TRUE(claimed);
    EXPECT_EQ(claimed->pools[0].site->stored.revision, 0);
    EXPECT_EQ(claimed->pools[0].site->energy_price.curve->stored.revision, 3);
}

} // namespace
} // namespace costcurve::documents
