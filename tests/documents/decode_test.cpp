// What decoding says of wrong documents: every code with its exact pointer, and everything at once.
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/api/samples.hpp"

namespace costcurve::tests {
namespace {

using Words = std::vector<std::string>;

TEST(Decode, TakesTheSamples) {
    EXPECT_EQ(issues_of_json(smallest()), Words{});
    EXPECT_EQ(issues_of_json(mixed()), Words{});
}

TEST(Decode, SaysEveryCodeWithItsExactPointer) {
    const std::string offer = "/pools/0/offer";
    const json curve = json::parse(R"({"kind": "price", "axis": "date", "points": [["2026-01-01", 1], ["2026-02-01", 2]]})");
    const struct {
        json document;
        Words issues;
    } rows[] = {
        {without(smallest(), "/start"), {"missing /start"}},
        {without(smallest(), "/workloads"), {"missing /workloads"}},
        {without(smallest(), "/pools/0/kind"), {"missing /pools/0/kind"}},
        {without(smallest(), offer + "/device/tdp_w"), {"missing /pools/0/offer/device/tdp_w"}},
        {with(smallest(), offer + "/provider", ""), {"missing /pools/0/offer/provider"}},
        {without(smallest(), "/workloads/0/runs_on/0/pool"), {"missing /workloads/0/runs_on/0/pool"}},
        {with(smallest(), "/starts", 1), {"unknown_field /starts"}},
        {with(smallest(), offer + "/device/watts", 1), {"unknown_field /pools/0/offer/device/watts"}},
        {with(smallest(), "/finance", {{"rate", 1}}), {"unknown_field /finance/rate"}},
        {with(smallest(), "/months", "12"), {"wrong_type /months"}},
        {with(smallest(), "/months", 1.5), {"wrong_type /months"}},
        {with(smallest(), "/pools", json::object()), {"wrong_type /pools"}},
        {with(smallest(), "/workloads/0", 3), {"wrong_type /workloads/0"}},
        {with(smallest(), "/start", 202601), {"wrong_type /start"}},
        {with(smallest(), offer + "/device/released", 20220920), {"wrong_type /pools/0/offer/device/released"}},
        {with(smallest(), "/months", 0), {"out_of_range /months"}},
        {with(smallest(), offer + "/device/tdp_w", 0), {"out_of_range /pools/0/offer/device/tdp_w"}},
        {with(smallest(), "/workloads", json::array()), {"out_of_range /workloads"}},
        {with(smallest(), "/pools/0/kind", "leased"), {"unknown_value /pools/0/kind"}},
        {with(smallest(), offer + "/purchase", "On_Demand"), {"unknown_value /pools/0/offer/purchase"}},
        {with(smallest(), "/start", "2026-13"), {"bad_format /start"}},
        {with(smallest(), "/currency", "usd"), {"bad_format /currency"}},
        {with(smallest(), "/pools/0/id", "Pool"), {"bad_format /pools/0/id"}},
        {with(smallest(), offer + "/device/released", "2022-02-30"), {"bad_format /pools/0/offer/device/released"}},
        {with(smallest(), "/pools/0/refresh", true), {"not_allowed /pools/0/refresh"}},
        {with(smallest(), offer, "lambda.a100"), {"unknown_reference /pools/0/offer"}},
        {with(smallest(), offer + "/hourly_price", with(curve, "/points/1/0", "2026-01-01")),
         {"not_ascending /pools/0/offer/hourly_price/points/1/0"}},
    };
    for (const auto& row : rows) {
        EXPECT_EQ(issues_of_json(row.document), row.issues);
    }
}

TEST(Decode, OldNamesOfLatencySayTheNewOnes) {
    const std::string entry = "/workloads/0/runs_on/0/performance";
    const struct {
        std::string pointer;
        std::string says;
    } rows[] = {
        {entry + "/latency_s", "latency_s is now itl_s"},
        {"/pools/0/latency_s", "latency_s is now e2e_s"},
        {"/workloads/0/latency_objective_s", "latency_objective_s is now slo.itl_s or slo.e2e_s"},
        {"/workloads/0/ttft_objective_s", "ttft_objective_s is now slo.ttft_s"},
        {"/workloads/0/latency_percentile", "latency_percentile is now slo.percentile"},
    };
    for (const auto& row : rows) {
        const model::Failure issues = failure_of(with(smallest(), row.pointer, 1));
        ASSERT_EQ(issues.size(), 1U) << row.pointer;
        EXPECT_EQ(issues.front().pointer, row.pointer);
        EXPECT_EQ(issues.front().message, row.says);
    }
    EXPECT_EQ(issues_of_json(with(smallest(), entry + "/latency_percentile", 50)), Words{}) << "the figures' own stays";
}

TEST(Decode, NamesEveryIssueAtOnce) {
    json document = smallest();
    document["months"] = -3;
    document["colour"] = "red";
    document["currency"] = "euro";
    document.erase("start");
    document["workloads"][0]["demand"]["mean_per_s"] = "many";
    document["workloads"][0]["runs_on"][0]["performance"]["units_per_s"] = 0;
    document["pools"][0]["offer"].erase("provider");
    document["pools"][0]["offer"]["purchase"] = "stolen";
    document["pools"][0]["offer"]["device"]["tdp_w"] = 1e9;
    document["pools"][0]["max_instances"] = nullptr;
    EXPECT_EQ(issues_of_json(document),
              (Words{"bad_format /currency", "missing /pools/0/offer/provider", "missing /start", "out_of_range /months",
                     "out_of_range /pools/0/offer/device/tdp_w", "out_of_range /workloads/0/runs_on/0/performance/units_per_s",
                     "unknown_field /colour", "unknown_value /pools/0/offer/purchase", "wrong_type /pools/0/max_instances",
                     "wrong_type /workloads/0/demand/mean_per_s"}));
}

TEST(Decode, RefusesWhatIsNoObject) {
    for (const char* text : {"null", "[]", "1", "true"}) {
        EXPECT_EQ(issues_of_json(json::parse(text)), Words{"wrong_type "}) << text;
    }
    EXPECT_EQ(issues_of_json(json::object()), (Words{"missing /months", "missing /pools", "missing /start", "missing /workloads"}));
}

TEST(Decode, PrefixesPointersWithThePlaceOfTheDocument) {
    json document = with(smallest(), "/months", 0);
    document["x/y~z"] = 1;
    const auto decoded = complete_scenario(document, "/scenario");
    ASSERT_FALSE(decoded);
    EXPECT_EQ(words(decoded.error()), (Words{"out_of_range /scenario/months", "unknown_field /scenario/x~1y~0z"}));
}

TEST(Decode, EscapesTildeAndSlashInPointers) {
    const json document = json::parse(R"({"a/b": 1, "m~n": 1, "~1": 1, "": 1})");
    const Words found = issues_of_json(document);
    for (const std::string word : {"unknown_field /a~1b", "unknown_field /m~0n", "unknown_field /~01", "unknown_field /"}) {
        EXPECT_NE(std::find(found.begin(), found.end(), word), found.end()) << word;
    }
    const json flops = with(smallest(), "/pools/0/offer/device/peak_flops", {{"a/b", -1}});
    EXPECT_EQ(issues_of_json(flops), Words{"out_of_range /pools/0/offer/device/peak_flops/a~1b"});
}

TEST(Decode, NeverReplacesAWrongTypeByADefault) {
    // Every member of the samples, each replaced by a value of each other type: an issue there or inside, or the same type.
    const json wrong[] = {nullptr, true, "text", json::array({json::array({json::array()})}), json::object({{"zzz", 1}}), -0.5};
    int tried = 0;
    for (const json& sample : {smallest(), mixed()}) {
        const json places = sample.flatten();
        for (const auto& [pointer, leaf] : places.items()) {
            for (const json& value : wrong) {
                if (value.type() == leaf.type() || (value.is_number() && leaf.is_number())) {
                    continue;
                }
                if (value.is_string() && leaf.is_string()) {
                    continue;
                }
                ++tried;
                const model::Failure failure = failure_of(with(sample, pointer, value));
                EXPECT_TRUE(std::any_of(failure.begin(), failure.end(),
                                        [&, &at = pointer](const model::Issue& issue) { return issue.pointer.starts_with(at); }))
                    << pointer << " = " << value << " was taken";
            }
        }
    }
    EXPECT_GT(tried, 500);
}

TEST(Decode, TakesNullForNothing) { // null is a wrong type, not an absent field
    for (const std::string pointer : {"/name", "/finance", "/currency", "/exchange_rates", "/time_zone"}) {
        EXPECT_EQ(issues_of_json(with(smallest(), pointer, nullptr)), Words{"wrong_type " + pointer});
    }
}

TEST(Decode, NamesFieldsOfOtherKinds) {
    const json owned = mixed()["pools"][0];
    const json api_pool = mixed()["pools"][2];
    const struct {
        json document;
        Words issues;
    } rows[] = {
        {with(smallest(), "/pools/0/server", owned["server"]), {"not_allowed /pools/0/server"}},
        {with(smallest(), "/pools/0/site", owned["site"]), {"not_allowed /pools/0/site"}},
        {with(smallest(), "/pools/0/purchases", owned["purchases"]), {"not_allowed /pools/0/purchases"}},
        {with(smallest(), "/pools/0/load_balancing", "pack"), {"not_allowed /pools/0/load_balancing"}},
        {with(smallest(), "/pools/0/price_per_million_units", 1), {"not_allowed /pools/0/price_per_million_units"}},
        {with(smallest(), "/pools/0/max_units_per_s", 1), {"not_allowed /pools/0/max_units_per_s"}},
        {with(smallest(), "/pools/0/model", "m"), {"not_allowed /pools/0/model"}},
        {with(smallest(), "/workloads/0/units_per_epoch", 1), {"not_allowed /workloads/0/units_per_epoch"}},
        {with(smallest(), "/workloads/0/epochs_per_month", 1), {"not_allowed /workloads/0/epochs_per_month"}},
        {with(mixed(), "/workloads/1/demand", {{"mean_per_s", 1}}), {"not_allowed /workloads/1/demand"}},
        {with(mixed(), "/workloads/1/slo", 1), {"not_allowed /workloads/1/slo"}},
        {with(mixed(), "/workloads/1/peak_utilization", 1), {"not_allowed /workloads/1/peak_utilization"}},
        {with(mixed(), "/workloads/1/output_cost_ratio", 4), {"not_allowed /workloads/1/output_cost_ratio"}},
        {with(mixed(), "/workloads/1/units_per_request", 4), {"not_allowed /workloads/1/units_per_request"}},
        {with(mixed(), "/pools/2/offer", smallest()["pools"][0]["offer"]), {"not_allowed /pools/2/offer"}},
        {with(mixed(), "/pools/2/min_instances", 0), {"not_allowed /pools/2/min_instances"}},
        {with(mixed(), "/pools/0/max_instances", 1), {"not_allowed /pools/0/max_instances"}},
    };
    for (const auto& row : rows) {
        EXPECT_EQ(issues_of_json(row.document), row.issues);
    }
}

TEST(Decode, SaysOnlyThatAKindIsUnknownAndGuessesNone) {
    EXPECT_EQ(issues_of_json(with(mixed(), "/pools/0/kind", "own")), Words{"unknown_value /pools/0/kind"});
    EXPECT_EQ(issues_of_json(with(mixed(), "/workloads/1/kind", "train")), Words{"unknown_value /workloads/1/kind"});
    EXPECT_EQ(issues_of_json(without(mixed(), "/pools/0/kind")), Words{"missing /pools/0/kind"});
}

TEST(Decode, ChecksIds) {
    const std::string longest(128, 'a');
    for (const std::string& id : {std::string("a"), std::string("0"), std::string("a.b_c-9"), longest}) {
        json document = with(smallest(), "/workloads/0/id", id);
        EXPECT_EQ(issues_of_json(document), Words{}) << id;
    }
    for (const std::string& id :
         {std::string(), std::string("A"), std::string("-a"), std::string(".a"), std::string("_a"), std::string("a b"),
          std::string("a/b"), std::string("é"), std::string("a\n"), std::string("a\0", 2), longest + "a"}) {
        EXPECT_EQ(issues_of_json(with(smallest(), "/workloads/0/id", id)), Words{"bad_format /workloads/0/id"}) << id;
        EXPECT_EQ(issues_of_json(with(smallest(), "/id", id)), Words{"bad_format /id"}) << id;
        EXPECT_EQ(issues_of_json(with(smallest(), "/workloads/0/runs_on/0/pool", id)),
                  Words{"bad_format /workloads/0/runs_on/0/pool"})
            << id;
    }
}

TEST(Decode, RefusesReferencesByIdAndSaysWhy) {
    const std::pair<const char*, const char*> rows[] = {
        {"/pools/0/server", "server"},
        {"/pools/0/server/device", "device"},
        {"/pools/0/site", "site"},
        {"/pools/1/offer", "offer"},
        {"/pools/1/offer/site", "site"},
        {"/pools/0/site/energy_price", "curve"},
        {"/pools/0/server/device/power", "curve"},
        {"/workloads/0/runs_on/0/performance", "performance"},
        {"/workloads/0/demand/shape", "curve"},
    };
    for (const auto& [pointer, document] : rows) {
        const model::Failure failure = failure_of(with(mixed(), pointer, "some.stored-id"));
        ASSERT_EQ(failure.size(), 1U) << pointer;
        EXPECT_EQ(failure.front().code, model::Code::unknown_reference) << pointer;
        EXPECT_EQ(failure.front().pointer, pointer);
        EXPECT_NE(failure.front().message.find("some.stored-id"), std::string::npos) << failure.front().message;
        EXPECT_NE(failure.front().message.find(document), std::string::npos) << failure.front().message;
    }
}

TEST(Decode, TakesTheDeviceOfAPerformanceByIdOrInline) {
    const std::string at = "/workloads/0/runs_on/0/performance/device";
    EXPECT_EQ(issues_of_json(with(smallest(), at, "gpu-a")), Words{});
    EXPECT_EQ(issues_of_json(with(smallest(), at, {{"kind", "gpu"}, {"tdp_w", 1}})), Words{});
    EXPECT_EQ(issues_of_json(with(smallest(), at, {{"kind", "gpu"}, {"tdp_w", 0}})), Words{"out_of_range " + at + "/tdp_w"});
    EXPECT_EQ(issues_of_json(with(smallest(), at, "GPU A")), Words{"bad_format " + at});
    EXPECT_EQ(issues_of_json(with(smallest(), at, 7)), Words{"wrong_type " + at});
}

TEST(Decode, RefusesATextWithTheCharacterZero) {
    EXPECT_EQ(issues_of_json(with(smallest(), "/note", std::string("a\0b", 3))), Words{"bad_format /note"});
}

TEST(Decode, WritesMessagesThatAreShortUtf8WhateverWasSent) {
    std::string accents;
    for (int i = 0; i < 3000; ++i) {
        accents += "é";
    }
    const std::string texts[] = {std::string(200000, 'x'), accents, "x" + accents, std::string(500, '\n'), std::string(500, '\0')};
    for (const std::string& text : texts) {
        json document = smallest();
        document["months"] = text;
        document["currency"] = text;
        document["start"] = text;
        document["pools"][0]["kind"] = text;
        document["pools"][0]["id"] = text;
        document["workloads"][0]["demand"] = text;
        document["pools"][0]["offer"] = text;
        for (const model::Issue& issue : failure_of(document)) {
            EXPECT_LT(issue.message.size(), 600U);
            EXPECT_NO_THROW((void)json(issue.message).dump()) << "not UTF-8 at " << issue.pointer;
        }
    }
    json document = smallest();
    document[accents] = 1;
    document["x" + accents] = 1;
    for (const model::Issue& issue : failure_of(document)) {
        EXPECT_NO_THROW((void)json(issue.message).dump()) << "a cut name";
    }
}

TEST(Decode, BoundsTextsAndLists) {
    EXPECT_EQ(issues_of_json(with(smallest(), "/note", std::string(10000, 'n'))), Words{});
    EXPECT_EQ(issues_of_json(with(smallest(), "/note", std::string(10001, 'n'))), Words{"out_of_range /note"});
    json names = json::array();
    for (int i = 0; i < 100000; ++i) {
        names.push_back("n");
    }
    const Words many = issues_of_json(with(smallest(), "/pools/0/offer/device/frameworks", names));
    EXPECT_EQ(many, Words{"out_of_range /pools/0/offer/device/frameworks"}) << "too many is a range, not a type";
    EXPECT_EQ(issues_of_json(with(smallest(), "/pools/0/offer/device/frameworks", {"a", 1, nullptr})),
              (Words{"wrong_type /pools/0/offer/device/frameworks/1", "wrong_type /pools/0/offer/device/frameworks/2"}));
}

// Time is not measured here: the test's own limit in CTest ends a run that is not linear.
TEST(Decode, AnswersAMillionIssuesInBoundedTimeAndSpace) {
    json document = smallest();
    json& offer = document["pools"][0]["offer"];
    json points = json::array();
    for (int i = 0; i < 100000; ++i) {
        points.push_back({"never", -1});
    }
    offer["hourly_price"] = {{"kind", "price"}, {"axis", "date"}, {"points", points}};
    for (int i = 0; i < 500000; ++i) {
        document["x" + std::to_string(i)] = i;
    }
    for (int i = 0; i < 500000; ++i) {
        document["workloads"][0]["checkpoint"]["y" + std::to_string(i)] = i;
    }
    const model::Failure failure = failure_of(document);
    EXPECT_GT(failure.size(), 100U);
    EXPECT_TRUE(std::all_of(failure.begin(), failure.end(), [](const model::Issue& issue) { return is_pointer(issue.pointer); }));
}

TEST(Decode, TakesLengthsOfRequestsAsAMeanAndA95thPercentile) {
    const auto with_mix = [](const json& mix) { return with(smallest(), "/workloads/0/token_mix", mix); };
    const json spread = json::parse(R"({"mean": {"input": 10000, "output": 500}, "p95": {"input": 30000}})");
    const auto decoded = complete_scenario(with_mix(spread));
    ASSERT_TRUE(decoded);
    const std::vector<model::TokenBucket>& buckets = decoded->workloads[0].token_mix;
    ASSERT_EQ(buckets.size(), 28U);
    // By a table of the normal distribution: sigma = 1.64485 - sqrt(1.64485^2 - 2 ln 3) = 0.93189. The shortest twentieth has
    // 10,000 x F(-1.64485 - 0.93189) / 0.05 = 997.36, the longest hundredth 10,000 x F(0.93189 - 2.32635) / 0.01 = 81,589.5, the
    // longest twentieth F(0.93189 - 1.64485) = 23.793 % of all.
    EXPECT_NEAR(buckets.front().input, 997.36, 0.01);
    EXPECT_NEAR(buckets.back().input, 81'589.5, 0.1);
    EXPECT_EQ(buckets.back().output, 500.0);
    double mean = 0.0;
    double shares = 0.0;
    double above_p95 = 0.0;
    for (const model::TokenBucket& bucket : buckets) {
        above_p95 += shares > 0.9499 ? bucket.share * bucket.input : 0.0;
        mean += bucket.share * bucket.input;
        shares += bucket.share;
    }
    EXPECT_NEAR(mean, 10'000, 1e-6);
    EXPECT_NEAR(shares, 1.0, 1e-12);
    EXPECT_NEAR(above_p95, 2'379.3, 0.1);
    EXPECT_EQ(complete_scenario(with_mix(with(spread, "/p95/input", 10000)))->workloads[0].token_mix.size(), 1U);
    const std::string at = "/workloads/0/token_mix";
    EXPECT_EQ(issues_of_json(with_mix(with(spread, "/p95/input", 9999))), Words{"out_of_range " + at + "/p95/input"});
    EXPECT_EQ(issues_of_json(with_mix(with(spread, "/p95/input", 38'700))), Words{"out_of_range " + at + "/p95/input"});
    EXPECT_EQ(issues_of_json(with_mix(with(spread, "/p95/reasoning", 1))), Words{"out_of_range " + at + "/p95/reasoning"});
    EXPECT_EQ(issues_of_json(with_mix(with(spread, "/mean", 10000))), Words{"wrong_type " + at + "/mean"});
    EXPECT_EQ(issues_of_json(with_mix(without(spread, "/p95"))), Words{"missing " + at + "/p95"});
    EXPECT_EQ(issues_of_json(with_mix(with(spread, "/p50", 1))), Words{"unknown_field " + at + "/p50"});
    EXPECT_EQ(issues_of_json(with_mix(3)), Words{"wrong_type " + at});
}

TEST(CheckDocument, TakesIdsWhereAStoreWouldHaveThem) {
    json offer = smallest()["pools"][0]["offer"];
    EXPECT_EQ(words(check_document("offer", offer)), Words{});
    EXPECT_EQ(words(check_document("offer", with(offer, "/device", "gpu-a"))), Words{});
    EXPECT_EQ(words(check_document("offer", with(offer, "/device", "GPU A"))), Words{"unknown_reference /device"});
    EXPECT_EQ(words(check_document("offer", with(offer, "/devices", 0))), Words{"out_of_range /devices"});
    const json rack = mixed()["pools"][0];
    EXPECT_EQ(words(check_document("server", rack["server"])), Words{});
    EXPECT_EQ(words(check_document("device", rack["server"]["device"])), Words{});
    EXPECT_EQ(words(check_document("site", rack["site"])), Words{});
    EXPECT_EQ(words(check_document("performance", mixed()["workloads"][0]["runs_on"][0]["performance"])), Words{});
    EXPECT_EQ(words(check_document("curve", rack["site"]["energy_price"])), Words{});
    for (const char* kind : {"device", "offer", "server", "site", "curve", "performance"}) {
        EXPECT_EQ(words(check_document(kind, json::array())), Words{"wrong_type "}) << kind;
        const bool needs_none = std::string(kind) == "performance"; // one of two fields: a rule across fields, not decoding's
        EXPECT_EQ(check_document(kind, json::object()).empty(), needs_none) << kind;
    }
}

} // namespace
} // namespace costcurve::tests
