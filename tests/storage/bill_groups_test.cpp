// Lines of bills by resource and tags: a later copy of a bill replaces whole groups.
#include <cmath>
#include <tuple>

#include "tests/storage/sample_store.hpp"

namespace costcurve::storage::test {
namespace {

BillLine billed(const std::string& sku, double cost, std::int64_t day = 20000) {
    BillLine made;
    made.day = day;
    made.provider = "cloud";
    made.region = "eu";
    made.sku = sku;
    made.currency = "USD";
    made.billed_cost = cost;
    made.effective_cost = cost;
    return made;
}

TEST(Bills, KeepTheirResourcesAndTags) {
    SampleStore sample;
    const auto of = [](const std::string& resource, const std::string& tags, double cost, std::int64_t day = 20000) {
        BillLine made = billed("a", cost, day);
        made.account = "1";
        made.resource = resource;
        made.tags = tags;
        made.consumed_unit = "1K tokens";
        made.consumed_quantity = 2;
        made.tokens = 2000;
        return made;
    };
    const std::string blue = R"({"team":"blue"})";
    const std::vector<BillLine> lines{of("r1", blue, 1), of("r2", blue, 2), of("r1", blue, 4, 20001), of("r1", blue, 8)};
    EXPECT_EQ(sample.store.save_bill(kAlice, lines).added, 3U);
    EXPECT_EQ(sample.store.save_bill(kAlice, lines).unchanged, 3U);
    std::vector<std::string> seen;
    sample.store.visit_bill(20000, 20002, [&](const BillSum& sum) {
        const BillLine& line = sum.line;
        seen.push_back(line.resource + " " + line.tags + " " + line.consumed_unit + " " +
                       std::to_string(std::llround(line.billed_cost)) + " " + std::to_string(std::llround(line.tokens)) + " " +
                       std::to_string(sum.lines) + " " + std::to_string(sum.last_day - line.day));
    });
    EXPECT_EQ(seen, (std::vector<std::string>{"r1 " + blue + " 1K tokens 13 6000 2 1", "r2 " + blue + " 1K tokens 2 2000 1 0"}));
    sample.store.visit_bill(20002, 30000, [&](const BillSum&) { ADD_FAILURE() << "no line is of those days"; });
}

TEST(Bills, TakeNamesThatAreLongerThanAnIndexHasRoomFor) {
    SampleStore sample;
    BillLine line = billed("a", 1);
    line.region = line.resource = line.tags = incompressible(8000);
    EXPECT_EQ(sample.store.save_bill(kAlice, std::vector{line}).added, 1U);
    EXPECT_EQ(sample.store.save_bill(kAlice, std::vector{line}).unchanged, 1U);
}

TEST(Bills, RefuseNamesWithTheCharacterZero) {
    SampleStore sample;
    const std::string zero("a\0b", 3);
    for (const auto name : {&BillLine::provider, &BillLine::account, &BillLine::resource, &BillLine::tags}) {
        BillLine line = billed("a", 1);
        line.*name = zero;
        EXPECT_THROW(static_cast<void>(sample.store.save_bill(kAlice, std::vector{billed("b", 1), line})), std::invalid_argument);
    }
    EXPECT_EQ(sample.store.sequence(), 0);
}

// A bill that names its charges otherwise now (other tags, or resources where there were none) does not count twice.
TEST(Bills, ReplaceTheGroupsOfTheirLines) {
    SampleStore sample;
    BillLine plain = billed("a", 10);
    static_cast<void>(sample.store.save_bill(kAlice, std::vector{plain, billed("b", 7)}));
    std::vector<BillLine> tagged(2, billed("a", 5));
    tagged[0].tags = R"({"team":"blue"})";
    tagged[1].tags = R"({"team":"red"})";
    tagged[0].account = tagged[1].account = "1";
    BillOutcome outcome = sample.store.save_bill(kAlice, tagged);
    EXPECT_EQ(std::tuple(outcome.added, outcome.changed, outcome.unchanged), std::tuple(1U, 1U, 0U));
    EXPECT_EQ(sample.store.bill({.from_day = 0, .to_day = 30000}).at(0).billed_cost, 17);
    tagged.pop_back();
    outcome = sample.store.save_bill(kAlice, tagged);
    EXPECT_EQ(std::tuple(outcome.added, outcome.changed, outcome.unchanged), std::tuple(0U, 1U, 1U)) << "one line went";
    EXPECT_EQ(sample.store.bill({.from_day = 0, .to_day = 30000}).at(0).billed_cost, 12);
}

TEST(Bills, SumUpUsageAlone) {
    SampleStore sample;
    std::vector<BillLine> lines(3, billed("a", 10));
    lines[1].category = "tax";
    lines[2].category = "allocation";
    static_cast<void>(sample.store.save_bill(kAlice, lines));
    EXPECT_EQ(sample.store.bill({.from_day = 0, .to_day = 30000}).at(0).billed_cost, 10);
}

} // namespace
} // namespace costcurve::storage::test
