// Published bills of tokens by class, each a scenario: published_2.json names the sources.
#include "tests/golden/published_2.hpp"

namespace costcurve::golden {
namespace {

// A million requests of these units at these prices a million, in January: what one of them costs is what a million cost / 10^6.
json bill(const json& units, const json& price, const json& more = json::object()) {
    json work = {{"id", "w"},
                 {"kind", "batch"},
                 {"unit", "token"},
                 {"units_per_request", units},
                 {"requests_per_month", 1e6},
                 {"runs_on", {{{"pool", "api"}}}}};
    json pool = {{"id", "api"}, {"kind", "api"}, {"price_per_million_units", price}};
    pool.update(more);
    return {{"start", "2027-01"},        {"months", 1},         {"currency", "USD"},
            {"finance", json::object()}, {"workloads", {work}}, {"pools", {pool}}};
}

// Three days of a coding agent: nine tenths of its tokens come from the cache.
TEST(Published2, TokensOfAgentDays) {
    const json& stored = published_case("tokens-agent-days");
    const json& listed = stored.at("/inputs/prices_per_million"_json_pointer);
    const json price = {{"input", listed.at("input")},
                        {"cached_input", listed.at("cache_read")},
                        {"cache_write", listed.at("cache_write_5m")},
                        {"output", listed.at("output")}};
    for (const json& day : stored.at("/inputs/days"_json_pointer)) {
        const json units = {{"input", day.at("input")},
                            {"cached_input", day.at("cache_read")},
                            {"cache_write", day.at("cache_write")},
                            {"output", day.at("output")}};
        const tests::Answer answer = answer_to(bill(units, price));
        const std::string date = day.at("date");
        EXPECT_TRUE(is_published(date, *answer.summary.workloads[0].cost_per_quantity, stored.at("published").at("cost").at(date),
                                 relative(1e-9)));
    }
}

// Cached input is a part of the prompt and reasoning one of the completion; reasoning has the price of output.
TEST(Published2, TokensOfAReasoningCall) {
    const json& given = published_case("tokens-reasoning-call").at("inputs");
    const double cached = given.at("cached_tokens");
    const double reasoning = given.at("reasoning_tokens");
    const json units = {{"input", given.at("prompt_tokens").get<double>() - cached},
                        {"cached_input", cached},
                        {"output", given.at("completion_tokens").get<double>() - reasoning},
                        {"reasoning", reasoning}};
    const tests::Answer answer = answer_to(bill(units, given.at("prices_per_million")));
    EXPECT_TRUE(
        is_published("a call", *answer.summary.workloads[0].cost_per_quantity, 0.0012 + 0.0172875 + 0.1521, relative(1e-12)));
}

TEST(Published2, TokensOfABatchAreHalfThePrice) {
    const json& stored = published_case("tokens-batch-half");
    const json& given = stored.at("inputs");
    const json price = {{"input", given.at("input")}, {"output", given.at("output")}};
    const tests::Answer answer =
        answer_to(bill({{"input", 1}, {"output", 1}}, price, {{"batch_price_fraction", given.at("batch_discount")}}));
    const model::WorkloadSummary& workload = answer.summary.workloads[0];
    const auto per_million = [&](model::UnitClass unit_class) {
        const model::ClassCost& part = tests::class_cost(workload, unit_class);
        return part.cost / part.units * 1e6;
    };
    EXPECT_TRUE(is_published("input", per_million(model::UnitClass::input), stored.at("/published/batch_input"_json_pointer),
                             relative(1e-12)));
    EXPECT_TRUE(is_published("output", per_million(model::UnitClass::output), stored.at("/published/batch_output"_json_pointer),
                             relative(1e-12)));
}

} // namespace
} // namespace costcurve::golden
