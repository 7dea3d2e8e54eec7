// Rules of bills, and words of enums as the database has them.
#include "server/storage/bill.hpp"

#include <tuple>

#include <gtest/gtest.h>

#include "server/storage/run.hpp"
#include "server/storage/stored_names.hpp"

namespace costcurve::storage::test {
namespace {

BillLine line_of(const std::string& sku, const std::string& account, double hours, double cost) {
    return {20000, "aws", account, "eu", sku, "spot", "h100", "USD", hours, 8 * hours, cost, cost, 2 * cost};
}

TEST(BillLines, OfTheSameNamesAreAddedUpInTheOrderOfTheirFirst) {
    const BillLine lines[] = {line_of("b", "1", 1, 10), line_of("a", "1", 2, 20), line_of("b", "1", 3, 30),
                              line_of("b", "2", 4, 40)};
    const std::vector<BillLine> sums = added_up(lines);
    ASSERT_EQ(sums.size(), 3U);
    EXPECT_TRUE(same_figures(sums[0], line_of("b", "1", 4, 40)));
    EXPECT_EQ(sums[1].sku, "a");
    EXPECT_EQ(sums[2].account, "2");
    EXPECT_TRUE(all_name_accounts(lines));
    EXPECT_FALSE(all_name_accounts(std::vector{lines[0], line_of("a", "", 1, 1)}));
}

// A line that differs from others of its group by its resource.
BillLine resource_of(const std::string& resource, double hours) {
    BillLine line = line_of("a", "1", hours, 10 * hours);
    line.resource = resource;
    return line;
}

TEST(BillLines, AreWrittenWhereTheyDifferFromWhatIsStored) {
    BillOutcome outcome;
    const BillLine lines[] = {resource_of("same", 1), resource_of("dearer", 2), resource_of("nameless", 3), resource_of("new", 4)};
    BillLine cheaper = lines[1];
    cheaper.list_cost -= 1;
    EXPECT_FALSE(same_figures(lines[1], cheaper)) << "the last figure counts too";
    const GroupDifference difference =
        group_difference(lines, {{lines[0], {10, 1}}, {cheaper, {11, 1}}}, {{lines[2], {12, 1}}}, outcome);
    EXPECT_EQ(difference.lines, (std::vector<const BillLine*>{&lines[1], &lines[2], &lines[3]}));
    EXPECT_EQ(difference.stale, std::vector<std::int64_t>{12});
    ASSERT_EQ(difference.alike.size(), 1U);
    EXPECT_EQ(difference.alike[0].number, 10);
    EXPECT_EQ(difference.added_alone, 1U);
    EXPECT_EQ(std::tuple(outcome.added, outcome.unchanged, outcome.changed), std::tuple(1U, 2U, 1U));
}

TEST(BillLines, TakeThePlaceOfStoredOnesThatTheBillNamesOtherwiseNow) {
    BillOutcome outcome;
    const BillLine lines[] = {resource_of("renamed", 1), resource_of("new", 2)};
    const GroupDifference difference = group_difference(lines, {{resource_of("old", 1), {10, 1}}}, {}, outcome);
    EXPECT_EQ(difference.lines.size(), 2U);
    EXPECT_EQ(difference.stale, std::vector<std::int64_t>{10});
    EXPECT_EQ(difference.added_alone, 0U);
    EXPECT_EQ(std::tuple(outcome.added, outcome.unchanged, outcome.changed), std::tuple(1U, 0U, 1U));
}

TEST(StoredNames, AreReadBackOrTheDatabaseIsDamaged) {
    for (std::size_t kind = 0; kind < kind_names.size(); ++kind) {
        EXPECT_EQ(kind_of(kind_names.at(kind)), static_cast<Kind>(kind));
    }
    EXPECT_EQ((value_named<RunState>(run_state_names, "done", "a run of state")), RunState::done);
    try {
        static_cast<void>(kind_of("planet"));
        FAIL();
    } catch (const StoreError& error) {
        EXPECT_EQ(error.cause(), StoreError::Cause::corrupt);
        EXPECT_STREQ(error.what(), "the database has a document of kind 'planet'; restore a backup");
    }
}

TEST(RunItems, AreCountedByWhatWasFound) {
    EXPECT_EQ(item_state_of({1, std::nullopt, ""}), ItemState::unchanged);
    EXPECT_EQ(item_state_of({1, std::nullopt, "[]"}), ItemState::failed);
    EXPECT_EQ(item_state_of({1, NewResult{}, ""}), ItemState::evaluated);
}

} // namespace
} // namespace costcurve::storage::test
