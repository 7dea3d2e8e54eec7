// Hosted models: an api pool's own figures, or those of the endpoint that it names (api.md, endpoint).
#include <algorithm>
#include <cmath>

#include "model/documents/prices.hpp"
#include "tests/model/close.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::model {
namespace {

using tests::api_scenario;
using tests::evaluate_document;
using tests::flat;
using tests::issues_of;

Endpoint endpoint_of(double input, double output) {
    Endpoint endpoint;
    endpoint.id = "host.model";
    endpoint.source = "price list";
    endpoint.provider = "host";
    endpoint.model = "model";
    endpoint.price_per_million_units = tests::in_and_out(flat(input), flat(output));
    return endpoint;
}

ScenarioDocument by_endpoint(Endpoint endpoint) {
    ScenarioDocument document = api_scenario();
    document.workloads[0].units_per_request = tests::in_and_out(300, 100);
    document.pools[0].price_per_million_units.reset();
    document.pools[0].endpoint = std::move(endpoint);
    return document;
}

TEST(Endpoints, ServeAsAPoolWithTheirFiguresDoes) {
    ScenarioDocument own = by_endpoint({});
    own.pools[0].endpoint.reset();
    own.pools[0].price_per_million_units = tests::in_and_out(flat(1), flat(4));
    own.pools[0].max_units_per_s = 200;
    own.workloads[0].max_unserved_fraction = 1;
    Endpoint endpoint = endpoint_of(1, 4);
    endpoint.max_units_per_s = 200;
    ScenarioDocument named = by_endpoint(endpoint);
    named.workloads[0].max_unserved_fraction = 1;
    const auto a = evaluate_document(own).summary;
    const auto b = evaluate_document(named).summary;
    EXPECT_GT(a.workloads[0].units_unserved, 0.0) << "the bound of the endpoint holds";
    EXPECT_EQ(a.workloads[0].units_unserved, b.workloads[0].units_unserved);
    EXPECT_EQ(a.total.cost, b.total.cost);
}

// Of the first token, 0.544 s.
ScenarioDocument by_a_host_with_a_median() {
    Endpoint endpoint = endpoint_of(1, 4);
    endpoint.ttft_s = 0.544;
    endpoint.latency_percentile = 50;
    return by_endpoint(endpoint);
}

// A median of 0.544 s is 0.544 exp(0.385 x 2.3263) = 1.332 s at the 99th percentile.
TEST(Endpoints, AMedianIsNotTheLatencyOfAHigherPercentile) {
    ScenarioDocument document = by_a_host_with_a_median();
    Slo& slo = document.workloads[0].slo;
    slo.ttft_s = 0.6;
    slo.percentile = 50;
    EXPECT_TRUE(issues_of(document).empty());
    slo.percentile = 99;
    EXPECT_EQ(issues_of(document), std::vector<std::string>{"ineligible_latency /workloads/0/runs_on/0/pool"});
    slo.ttft_s = 1.331;
    EXPECT_FALSE(issues_of(document).empty());
    slo.ttft_s = 1.333;
    EXPECT_TRUE(issues_of(document).empty());
    document.pools[0].endpoint->latency_percentile = 99;
    slo.ttft_s = 0.544;
    EXPECT_TRUE(issues_of(document).empty());
}

// Of all requests: taken as the 99.99th percentile, 0.544 exp(0.385 x 3.7190) = 2.277 s. The longest of all is no less than any.
TEST(Endpoints, AnObjectiveOfAllRequestsIsHeldAndTheLongestOfAllIsTakenAsItIs) {
    ScenarioDocument document = by_a_host_with_a_median();
    Slo& slo = document.workloads[0].slo;
    slo.percentile = 100;
    slo.ttft_s = 2.276;
    EXPECT_EQ(issues_of(document), std::vector<std::string>{"ineligible_latency /workloads/0/runs_on/0/pool"});
    slo.ttft_s = 2.279;
    EXPECT_TRUE(issues_of(document).empty());
    document.pools[0].endpoint->latency_percentile = 100;
    for (const double percentile : {50.0, 95.0, 100.0}) {
        slo.percentile = percentile;
        slo.ttft_s = 0.543;
        EXPECT_FALSE(issues_of(document).empty()) << percentile;
        slo.ttft_s = 0.545;
        EXPECT_TRUE(issues_of(document).empty()) << percentile;
    }
}

TEST(Endpoints, HaveACurrencyOfTheirOwn) {
    Endpoint endpoint = endpoint_of(1, 4);
    const double in_dollars = evaluate_document(by_endpoint(endpoint)).summary.total.cost;
    endpoint.currency = "EUR";
    ScenarioDocument document = by_endpoint(endpoint);
    EXPECT_EQ(issues_of(document), std::vector<std::string>{"missing_exchange_rate /pools/0/endpoint/currency"});
    document.exchange_rates["EUR"] = 1.25;
    EXPECT_TRUE(tests::is_close(evaluate_document(document).summary.total.cost, 1.25 * in_dollars));
}

TEST(Endpoints, StandInPlaceOfThePoolsOwnFigures) {
    ScenarioDocument document = by_endpoint(endpoint_of(1, 4));
    document.pools[0].e2e_s = 1;
    EXPECT_EQ(issues_of(document), std::vector<std::string>{"not_allowed /pools/0/endpoint"});
    document.pools[0].e2e_s.reset();
    document.pools[0].endpoint.reset();
    EXPECT_EQ(issues_of(document), std::vector<std::string>{"missing /pools/0/price_per_million_units"});
}

TEST(Endpoints, ArePricesThatAreRead) {
    EXPECT_EQ(prices_read(by_endpoint(endpoint_of(1, 4))).front().pointer, "/pools/0/endpoint/price_per_million_units/input");
}

TEST(Endpoints, OfAnotherModelAreWarnedOf) {
    ScenarioDocument document = by_endpoint(endpoint_of(1, 4));
    document.workloads[0].model = "llama-3.1-8b";
    const Result<Scenario> scenario = make_scenario(document);
    ASSERT_TRUE(scenario);
    EXPECT_TRUE(std::any_of(scenario->warnings().begin(), scenario->warnings().end(),
                            [](const Issue& warning) { return warning.code == Code::model_differs; }));
}

// ---- tiers of service, fees, and what is not known of a price ----

// 1 and 4 USD a million, 300 in and 100 out: 0.0007 USD a request.
double cost_of_a_request(const ScenarioDocument& document) {
    const auto answer = evaluate_document(document);
    return answer.summary.total.cost / (answer.summary.workloads[0].units_served / 400);
}
TierPrices factor(double price_factor) {
    TierPrices tier;
    tier.price_factor = price_factor;
    return tier;
}
TierPrices prices(double input, double output) {
    TierPrices tier;
    tier.price_per_million_units = tests::in_and_out(flat(input), flat(output));
    return tier;
}
ScenarioDocument in_tier(ServiceTier asked, ServiceTiers tiers) {
    Endpoint endpoint = endpoint_of(1, 4);
    endpoint.service_tiers = std::move(tiers);
    ScenarioDocument document = by_endpoint(std::move(endpoint));
    document.workloads[0].runs_on[0].service_tier = asked;
    return document;
}
std::size_t doubts_of_price(const ScenarioDocument& document) {
    const Result<Scenario> scenario = make_scenario(document);
    EXPECT_TRUE(scenario);
    return static_cast<std::size_t>(std::count_if(scenario->warnings().begin(), scenario->warnings().end(),
                                                  [](const Issue& issue) { return issue.code == Code::price_condition_unknown; }));
}

TEST(ServiceTiers, AreBilledAtTheirFactorOrPrices) {
    const ServiceTiers tiers{std::nullopt, factor(0.5), prices(2, 6)};
    EXPECT_NEAR(cost_of_a_request(in_tier(ServiceTier::standard, tiers)), 0.0007, 1e-15);
    EXPECT_NEAR(cost_of_a_request(in_tier(ServiceTier::flex, tiers)), 0.00035, 1e-15);
    EXPECT_NEAR(cost_of_a_request(in_tier(ServiceTier::priority, tiers)), 0.0012, 1e-15) << "300 x 2 + 100 x 6";
}

TEST(ServiceTiers, ThatAreNotStatedAreRefused) {
    const std::vector<std::string> expected = {"missing /workloads/0/runs_on/0/service_tier"};
    EXPECT_EQ(issues_of(in_tier(ServiceTier::flex, {std::nullopt, std::nullopt, factor(2)})), expected);
    EXPECT_EQ(issues_of(in_tier(ServiceTier::batch, {})), expected);
    ScenarioDocument fraction = in_tier(ServiceTier::batch, {});
    fraction.pools[0].endpoint->batch_price_fraction = 0.5;
    EXPECT_NEAR(cost_of_a_request(fraction), 0.00035, 1e-15);
    ScenarioDocument rented = tests::cloud_scenario();
    rented.workloads[0].runs_on[0].service_tier = ServiceTier::standard;
    EXPECT_EQ(issues_of(rented), std::vector<std::string>{"not_allowed /workloads/0/runs_on/0/service_tier"});
}

ScenarioDocument batch_in_tier(ServiceTier asked, double requests_per_month) {
    ScenarioDocument document = in_tier(asked, {factor(0.5), std::nullopt, std::nullopt});
    Workload& work = document.workloads[0];
    work.kind = WorkloadKind::batch;
    work.demand = {};
    work.requests_per_month = flat(requests_per_month);
    return document;
}

TEST(ServiceTiers, OfBatchWorkAreBatchWhereItIsStated) {
    ScenarioDocument document = batch_in_tier(ServiceTier::batch, 1000);
    Workload& work = document.workloads[0];
    work.runs_on[0].service_tier.reset();
    EXPECT_NEAR(cost_of_a_request(document), 0.00035, 1e-15);
    work.runs_on[0].service_tier = ServiceTier::standard;
    EXPECT_NEAR(cost_of_a_request(document), 0.0007, 1e-15);
    document.pools[0].endpoint->batch_price_fraction = 0.5;
    EXPECT_EQ(issues_of(document), std::vector<std::string>{"not_allowed /pools/0/endpoint/batch_price_fraction"});
}

TEST(ServiceTiers, OfBatchWorkKeepItsDeadlineOrAreStandard) {
    ScenarioDocument document = batch_in_tier(ServiceTier::batch, 1000);
    Workload& work = document.workloads[0];
    work.runs_on[0].service_tier.reset();
    work.deadline_hours = 12;
    EXPECT_NEAR(cost_of_a_request(document), 0.0007, 1e-15) << "nobody says when the tier answers";
    std::optional<double>& answered = document.pools[0].endpoint->service_tiers->batch->deadline_hours;
    answered = 12;
    EXPECT_NEAR(cost_of_a_request(document), 0.00035, 1e-15);
    answered = 24;
    EXPECT_NEAR(cost_of_a_request(document), 0.0007, 1e-15);
    work.runs_on[0].service_tier = ServiceTier::batch;
    EXPECT_EQ(issues_of(document), std::vector<std::string>{"ineligible_latency /workloads/0/runs_on/0/service_tier"});
}

// Of a request by itself: 100,000 tokens at 20 a second take 1.4 hours.
TEST(ServiceTiers, StandardAnswersALongRequestWithinTheDeadlineOrIsNotKnownTo) {
    ScenarioDocument document = batch_in_tier(ServiceTier::standard, 10);
    Workload& work = document.workloads[0];
    work.deadline_hours = 1;
    const auto is_warned = [&] {
        const std::vector<Issue> warnings = evaluate_document(document).summary.warnings;
        return std::ranges::any_of(warnings, [](const Issue& issue) { return issue.code == Code::latency_unknown; });
    };
    work.units_per_request = tests::units(100, 0, 50'000);
    EXPECT_FALSE(is_warned());
    work.units_per_request = tests::units(100, 0, 100'000);
    EXPECT_TRUE(is_warned());
    document.pools[0].endpoint->itl_s = 0.01;
    EXPECT_FALSE(is_warned());
    document.pools[0].endpoint->itl_s = 0.04;
    EXPECT_EQ(issues_of(document), std::vector<std::string>{"ineligible_latency /workloads/0/runs_on/0/pool"});
}

TEST(ServiceTiers, StateOneOfFactorAndPrices) {
    TierPrices both = prices(1, 2);
    both.price_factor = 0.5;
    TierPrices lengths = factor(0.5);
    lengths.above.push_back({1000, tests::in_and_out(flat(1), flat(1)), PriceScope::request});
    const std::string at = "/pools/0/endpoint/service_tiers/flex";
    const auto issues = [](TierPrices flex) {
        return issues_of(in_tier(ServiceTier::standard, {std::nullopt, flex, std::nullopt}));
    };
    EXPECT_EQ(issues(both), std::vector<std::string>{"not_allowed " + at + "/price_factor"});
    EXPECT_EQ(issues({}), std::vector<std::string>{"missing " + at + "/price_factor"});
    EXPECT_EQ(issues(lengths), std::vector<std::string>{"not_allowed " + at + "/above"});
    lengths = prices(1, 2);
    lengths.above = {{2000, tests::in_and_out(flat(1), flat(1)), PriceScope::request},
                     {1000, tests::in_and_out(flat(1), flat(1)), PriceScope::request}};
    EXPECT_EQ(issues(lengths), std::vector<std::string>{"not_ascending " + at + "/above/1/input_tokens"});
}

TEST(ServiceTiers, WithoutThresholdsOfTheirOwnTakeTheStandardPriceAndAreDoubted) {
    ScenarioDocument document = in_tier(ServiceTier::flex, {std::nullopt, prices(0.5, 2), std::nullopt});
    document.pools[0].endpoint->above.push_back({300, tests::in_and_out(flat(2), flat(6)), PriceScope::request});
    EXPECT_NEAR(cost_of_a_request(document), 0.00035, 1e-15);
    EXPECT_EQ(doubts_of_price(document), 0U) << "300 tokens are not above 300";
    document.pools[0].endpoint->above[0].input_tokens = 299;
    EXPECT_NEAR(cost_of_a_request(document), 0.0012, 1e-15);
    EXPECT_EQ(doubts_of_price(document), 1U);
    document.pools[0].endpoint->service_tiers->flex->above.push_back(
        {299, tests::in_and_out(flat(1), flat(3)), PriceScope::request});
    EXPECT_NEAR(cost_of_a_request(document), 0.0006, 1e-15);
    EXPECT_EQ(doubts_of_price(document), 0U);
}

TEST(ServiceTiers, AndFeesAreInTheEndpointsCurrency) {
    ScenarioDocument document = in_tier(ServiceTier::flex, {std::nullopt, prices(0.5, 2), std::nullopt});
    Endpoint& endpoint = *document.pools[0].endpoint;
    endpoint.currency = "EUR";
    document.exchange_rates["EUR"] = 1.25;
    endpoint.service_tiers->flex->above.push_back({299, tests::in_and_out(flat(1), flat(3)), PriceScope::request});
    endpoint.fees = HostedFees{flat(0.001), flat(0.01), std::nullopt, std::nullopt};
    document.workloads[0].searches_per_request = 2;
    EXPECT_NEAR(cost_of_a_request(document), 1.25 * (0.0006 + 0.001 + 0.02), 1e-15);
}

TEST(ServiceTiers, ThatAreSlowerHaveNoLatencyButTheirDeadline) {
    ScenarioDocument document = in_tier(ServiceTier::flex, {std::nullopt, factor(0.5), std::nullopt});
    document.pools[0].endpoint->e2e_s = 1; // of the standard tier
    document.workloads[0].slo.e2e_s = 7200;
    const auto warns = [&] {
        const Result<Scenario> scenario = make_scenario(document);
        return scenario &&
               std::ranges::any_of(scenario->warnings(), [](const Issue& issue) { return issue.code == Code::latency_unknown; });
    };
    EXPECT_TRUE(warns());
    document.pools[0].endpoint->service_tiers->flex->deadline_hours = 2;
    EXPECT_FALSE(warns());
    document.pools[0].endpoint->service_tiers->flex->deadline_hours = 2.5;
    EXPECT_EQ(issues_of(document), std::vector<std::string>{"ineligible_latency /workloads/0/runs_on/0/pool"});
}

TEST(Fees, AreForWhatTheWorkloadHasInARequest) {
    ScenarioDocument document = in_tier(ServiceTier::flex, {std::nullopt, factor(0.5), std::nullopt});
    document.pools[0].endpoint->fees = HostedFees{flat(0.001), flat(0.01), flat(0.002), flat(0.0025)};
    EXPECT_NEAR(cost_of_a_request(document), 0.00035 + 0.001, 1e-15) << "nothing is searched";
    document.workloads[0].searches_per_request = 0.5;
    document.workloads[0].images_per_request = 3;
    document.workloads[0].tool_calls_per_request = 2;
    EXPECT_NEAR(cost_of_a_request(document), 0.00035 + 0.001 + 0.005 + 0.006 + 0.005, 1e-15);
    EXPECT_EQ(doubts_of_price(document), 0U);
    EXPECT_FALSE(evaluate_document(document).summary.workloads[0].evidence) << "a price is no measurement";
}

TEST(Conditions, OfAPriceThatAreNotKnownAreAssumed) {
    ScenarioDocument searches = by_endpoint(endpoint_of(1, 4));
    searches.workloads[0].searches_per_request = 1;
    ScenarioDocument hours = by_endpoint(endpoint_of(1, 4));
    hours.pools[0].endpoint->unknown_conditions = {"the time of day"};
    for (const ScenarioDocument& document : {searches, hours}) {
        EXPECT_EQ(doubts_of_price(document), 1U);
        EXPECT_EQ(evaluate_document(document).summary.workloads[0].evidence, Evidence::assumed);
    }
}

// Sonnet's page: 3 in, 15 out; above 200,000 tokens 6 and 22.5, of the whole request.
Endpoint tiered() {
    Endpoint endpoint = endpoint_of(3, 15);
    endpoint.above.push_back({200000, tests::in_and_out(flat(6), flat(22.5)), PriceScope::request});
    return endpoint;
}

ScenarioDocument of_lengths(Endpoint endpoint, std::vector<TokenBucket> mix) {
    ScenarioDocument document = by_endpoint(std::move(endpoint));
    document.workloads[0].units_per_request = {};
    document.workloads[0].token_mix = std::move(mix);
    return document;
}

TokenBucket bucket(double share, double input, double output) { return {tests::in_and_out(input, output), share}; }

TEST(TokenMix, IsBilledLengthByLength) {
    // Nine of ten requests have 10,000 in and 500 out: 0.03 + 0.0075 = 0.0375 USD. The tenth has 300,000 in and 1,000 out, beyond
    // the threshold: 1.8 + 0.0225 = 1.8225. The mean of 39,000 and 550 would pass none: 0.12525.
    const ScenarioDocument document = of_lengths(tiered(), {bucket(0.9, 10000, 500), bucket(0.1, 300000, 1000)});
    const Summary summary = evaluate_document(document).summary;
    EXPECT_TRUE(tests::is_close(*summary.workloads[0].cost_per_quantity, 0.9 * 0.0375 + 0.1 * 1.8225)) << "0.216 USD";
    EXPECT_TRUE(tests::is_close(summary.workloads[0].quantity, 744 * 3600.0)) << "demand is in requests";
    EXPECT_TRUE(tests::is_close(summary.workloads[0].units_served, 744 * 3600.0 * 39550)) << "of the mean length";
    // By class: input 0.9 x 0.03 + 0.1 x 1.8 = 0.207 a request of 39,000.
    EXPECT_TRUE(tests::is_close(tests::class_cost(summary.workloads[0], UnitClass::input).cost, 744 * 3600.0 * 0.207));
    EXPECT_TRUE(tests::is_close(tests::class_cost(summary.workloads[0], UnitClass::input).units, 744 * 3600.0 * 39000));
}

TEST(Above, OfScopeBeyondBillsEachShareOfThePromptAtItsThreshold) {
    // By hand: no page that we know of bills so, those of Google, OpenAI, xAI and Anthropic bill the whole request. Of a prompt of
    // 250,000 (100,000 new, 150,000 read) 128,000 are at the base, 72,000 above 128,000, 50,000 above 200,000.
    // New: 0.1 x (0.512 x 3 + 0.288 x 4 + 0.2 x 6) = 0.3888 USD. Read: 0.15 x (0.512 x 0.3 + 0.288 x 0.4 + 0.2 x 0.3) = 0.04932:
    // the last threshold does not name it. Out: 0.002 x 15 = 0.03, whatever thresholds say.
    Endpoint endpoint = endpoint_of(3, 15);
    endpoint.price_per_million_units->cached_input = flat(0.3);
    endpoint.above.push_back({128000, tests::in_and_out(flat(4), flat(20)), PriceScope::beyond});
    endpoint.above[0].price_per_million_units->cached_input = flat(0.4);
    endpoint.above.push_back({200000, tests::in_and_out(flat(6), flat(30)), PriceScope::beyond});
    ScenarioDocument document = by_endpoint(std::move(endpoint));
    document.workloads[0].units_per_request = tests::units(100000, 150000, 2000);
    const auto cost = [&] { return *evaluate_document(document).summary.workloads[0].cost_per_quantity; };
    EXPECT_TRUE(tests::is_close(cost(), 0.3888 + 0.04932 + 0.03)) << cost();
    document.workloads[0].units_per_request = tests::units(28000, 100000, 2000);
    EXPECT_TRUE(tests::is_close(cost(), 0.084 + 0.03 + 0.03)) << "a prompt of the threshold is not above it";
}

TEST(TokenMix, HasSharesOfAllRequestsAndTheirMeanBesideIt) {
    ScenarioDocument document = of_lengths(tiered(), {bucket(0.9, 10000, 500), bucket(0.1, 300000, 1000)});
    document.workloads[0].units_per_request = tests::in_and_out(39000, 550);
    EXPECT_TRUE(issues_of(document).empty());
    document.workloads[0].units_per_request = tests::in_and_out(39000, 500);
    EXPECT_EQ(issues_of(document), std::vector<std::string>{"inconsistent /workloads/0/units_per_request"});
    document.workloads[0].units_per_request = {{}, false, 39550};
    EXPECT_TRUE(issues_of(document).empty()) << "as a number";
    document.workloads[0].units_per_request = {};
    document.workloads[0].token_mix[0].share = 0.8;
    EXPECT_EQ(issues_of(document), std::vector<std::string>{"inconsistent /workloads/0/token_mix"});
    document.workloads[0].token_mix = {bucket(0.5, 10, 1), bucket(0.5, 0, 0)};
    EXPECT_EQ(issues_of(document), std::vector<std::string>{"out_of_range /workloads/0/token_mix/1"});
}

// Haiku's page: 1 in, 1.25 to write for 5 minutes, 2 for an hour, 0.1 to read, 5 out.
ScenarioDocument with_prefix(std::optional<double> requests_per_hour) {
    Endpoint endpoint = endpoint_of(1, 5);
    endpoint.price_per_million_units->cached_input = flat(0.1);
    endpoint.price_per_million_units->cache_write = flat(1.25);
    endpoint.cache = HostedCache{{{300, std::nullopt}, {3600, 2.0}}, std::nullopt, 1024};
    ScenarioDocument document = by_endpoint(endpoint);
    document.workloads[0].units_per_request = tests::in_and_out(12000, 400);
    document.workloads[0].prefix = Prefix{10000, requests_per_hour, std::nullopt};
    return document;
}

double cost_of_request(const ScenarioDocument& document) {
    return *evaluate_document(document).summary.workloads[0].cost_per_quantity;
}

TEST(Prefixes, AreReadOrWrittenByArrivalsAndLifetime) {
    const double rest = 2000e-6 + 400 * 5e-6; // 0.004 USD: what is not the prefix, and what comes out
    // 20 an hour. Kept for 5 minutes, 1 - e^(-5/3) = 0.8111244 of requests read the 10,000 tokens: 0.8111244 x 0.001 + 0.1888756
    // x 0.0125 = 0.0031721 USD. Kept for an hour, 1 - e^-20 do: 0.001 + 2.06e-9 x (0.02 - 0.001), which is cheaper.
    EXPECT_TRUE(tests::is_close(cost_of_request(with_prefix(20)), rest + 0.001 + std::exp(-20.0) * (0.02 - 0.001)));
    // One request an hour. Kept for 5 minutes, 1 - e^(-1/12) = 0.0799556 of requests read the prefix: 0.0115805 USD. Kept for
    // an hour, 1 - 1/e do: 0.0079897 USD, the cheapest. Without a cache it is input: 0.01 USD.
    EXPECT_TRUE(tests::is_close(cost_of_request(with_prefix(1)), rest + 0.63212055882855768 * 0.001 + 0.36787944117144232 * 0.02));
    // 0.1 requests an hour. Kept for an hour it would cost 0.0952 x 0.001 + 0.9048 x 0.02 = 0.0182 USD, so that it is input.
    EXPECT_TRUE(tests::is_close(cost_of_request(with_prefix(0.1)), rest + 0.01));
    ScenarioDocument wanted = with_prefix(1);
    wanted.workloads[0].prefix->lifetime_s = 300;
    EXPECT_TRUE(tests::is_close(cost_of_request(wanted), rest + 0.0799555853706767 * 0.001 + 0.9200444146293233 * 0.0125))
        << "as it asks";
    ScenarioDocument stated = with_prefix(1);
    stated.pools[0].endpoint->cache->hit_fraction = 0.75;
    EXPECT_TRUE(tests::is_close(cost_of_request(stated), rest + 0.75 * 0.001 + 0.25 * 0.0125)) << "whatever the arrivals are";
}

TEST(Prefixes, ThatNoCacheIsKnownToHaveAreInput) {
    const double as_input = 12000e-6 + 400 * 5e-6;
    const auto warns = [](const ScenarioDocument& document) {
        const Result<Scenario> scenario = make_scenario(document);
        return std::any_of(scenario->warnings().begin(), scenario->warnings().end(),
                           [](const Issue& warning) { return warning.code == Code::cache_unknown; });
    };
    ScenarioDocument unknown = with_prefix(std::nullopt);
    EXPECT_TRUE(tests::is_close(cost_of_request(unknown), as_input));
    EXPECT_TRUE(warns(unknown));
    unknown = with_prefix(20);
    unknown.pools[0].endpoint->cache.reset();
    EXPECT_TRUE(tests::is_close(cost_of_request(unknown), as_input));
    EXPECT_TRUE(warns(unknown));
    unknown = with_prefix(20);
    unknown.workloads[0].prefix->lifetime_s = 7200;
    EXPECT_TRUE(tests::is_close(cost_of_request(unknown), as_input));
    EXPECT_TRUE(warns(unknown));
    ScenarioDocument small = with_prefix(20);
    small.workloads[0].prefix->tokens = 1000;
    EXPECT_TRUE(tests::is_close(cost_of_request(small), as_input)) << "hosts keep 1,024 and more";
    EXPECT_FALSE(warns(small));
    small.workloads[0].prefix->tokens = 12001;
    EXPECT_EQ(issues_of(small), std::vector<std::string>{"inconsistent /workloads/0/prefix/tokens"});
    ScenarioDocument twice = with_prefix(20);
    twice.pools[0].endpoint->cache->write_lifetimes[1].seconds = 300;
    EXPECT_EQ(issues_of(twice), std::vector<std::string>{"not_ascending /pools/0/endpoint/cache/write_lifetimes/1/seconds"});
}

// Lengths, thresholds, a prefix, a tier, fees and a currency, none of which may lose another.
TEST(HostedBills, HaveAllOfTheirPartsTogether) {
    ScenarioDocument document = with_prefix(20);
    Endpoint& endpoint = *document.pools[0].endpoint;
    UnitPrice dearer = tests::in_and_out(flat(2), flat(7.5));
    dearer.cached_input = flat(0.2);
    dearer.cache_write = flat(2.5);
    endpoint.above.push_back({200000, dearer, PriceScope::request});
    endpoint.service_tiers = ServiceTiers{std::nullopt, factor(0.5), std::nullopt};
    endpoint.fees = HostedFees{flat(0.001), flat(0.01), std::nullopt, std::nullopt};
    endpoint.currency = "GBP";
    document.exchange_rates["GBP"] = 1.25;
    Workload& work = document.workloads[0];
    work.units_per_request = {};
    work.token_mix = {bucket(0.75, 12000, 400), bucket(0.25, 300000, 1000)};
    work.searches_per_request = 2;
    work.runs_on[0].service_tier = ServiceTier::flex;
    // Kept for an hour, e^-20 of requests write the 10,000 tokens at twice the price of input; the others read them.
    const double written = std::exp(-20.0);
    const double in_short = 2000e-6 + 400 * 5e-6 + 0.001 + written * (0.02 - 0.001);
    const double in_long = 290000 * 2e-6 + 1000 * 7.5e-6 + 0.002 + written * (0.04 - 0.002);
    const double expected = 1.25 * (0.5 * (0.75 * in_short + 0.25 * in_long) + 0.001 + 2 * 0.01);
    EXPECT_TRUE(tests::is_close(cost_of_request(document), expected));
}

TEST(Prefixes, AreInEachLength) {
    ScenarioDocument document = with_prefix(1);
    document.workloads[0].units_per_request = {};
    document.workloads[0].token_mix = {bucket(0.25, 12000, 400), bucket(0.75, 20000, 100)};
    const double prefix = 0.63212055882855768 * 0.001 + 0.36787944117144232 * 0.02;
    const double expected = 0.25 * (2000e-6 + 400 * 5e-6) + 0.75 * (10000e-6 + 100 * 5e-6) + prefix;
    EXPECT_TRUE(tests::is_close(cost_of_request(document), expected));
    document.workloads[0].token_mix[1].input = 9999;
    EXPECT_EQ(issues_of(document), std::vector<std::string>{"inconsistent /workloads/0/prefix/tokens"});
}

} // namespace
} // namespace costcurve::model
