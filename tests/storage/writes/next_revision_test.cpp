// What a save writes behind the current revision, and when it is refused.
#include "server/storage/writes/next_revision.hpp"

#include <utility>

#include <gtest/gtest.h>

namespace costcurve::storage::test {
namespace {

Revision stored_offer() {
    Revision revision;
    revision.record = {{Kind::offer, "a"},
                       "A",
                       "{}",
                       {{"/p", {1, 2}, {10, 20}}},
                       {{Kind::device, "x"}, {Kind::device, "y"}},
                       OfferFacts{"cloud", "eu", "x", "spot", 2.5}};
    revision.revision = 3;
    return revision;
}

TEST(NextRevision, IsNoneOfTheSameContentInAnyOrder) {
    Revision current = stored_offer();
    current.record.series.insert(current.record.series.begin(), {"/o", {1}, {1}});
    Record record = current.record;
    std::swap(record.series[0], record.series[1]);
    record.references = {{Kind::device, "y"}, {Kind::device, "x"}, {Kind::device, "y"}};
    EXPECT_EQ(next_revision(current, record).what, Saved::What::unchanged);
}

TEST(NextRevision, KeepsTheBodyWhereOnlySomethingBesideItDiffers) {
    const struct {
        const char* what;
        void (*change)(Record& record);
        bool keeps_body;
        std::vector<CurveRows> curves;
    } rows[] = {
        {"title", [](Record& record) { record.title = "B"; }, true, {}},
        {"body", [](Record& record) { record.body = "{ }"; }, false, {}},
        {"encoding", [](Record& record) { record.encoding = 2; }, false, {}},
        {"point", [](Record& record) { record.series[0].y[1] = 21; }, true, {{"/p", {{2, 21}}}}},
        {"reference", [](Record& record) { record.references.pop_back(); }, true, {}},
        {"facts", [](Record& record) { record.offer->hourly_price = 3; }, true, {}},
    };
    for (const auto& row : rows) {
        const Revision current = stored_offer();
        Record record = current.record;
        row.change(record);
        const NextRevision next = next_revision(current, record);
        EXPECT_EQ(next.what, Saved::What::changed) << row.what;
        EXPECT_EQ(next.keeps_body, row.keeps_body) << row.what;
        EXPECT_EQ(next.curves, row.curves) << row.what;
    }
}

TEST(NextRevision, OfADeletedDocumentIsNewThoughItsContentIsTheSame) {
    Revision current = stored_offer();
    current.deleted = true;
    const NextRevision next = next_revision(current, current.record);
    EXPECT_EQ(next.what, Saved::What::added);
    EXPECT_FALSE(next.keeps_body);
}

TEST(Condition, HoldsOfTheCurrentRevisionOnly) {
    using Kind = Condition::Kind;
    Revision deleted = stored_offer();
    deleted.deleted = true;
    const Revision current = stored_offer();
    const struct {
        Condition condition;
        const Revision* revision;
        std::optional<std::int64_t> fails; ///< with this number
    } rows[] = {
        {{Kind::none}, nullptr, {}},        {{Kind::none}, &current, {}},       {{Kind::absent}, nullptr, {}},
        {{Kind::absent}, &deleted, {}},     {{Kind::absent}, &current, 3},      {{Kind::present}, nullptr, 0},
        {{Kind::present}, &deleted, 0},     {{Kind::present}, &current, {}},    {{Kind::revision, 3}, &current, {}},
        {{Kind::revision, 2}, &current, 3}, {{Kind::revision, 3}, &deleted, 0}, {{Kind::revision, 0}, nullptr, 0},
    };
    for (std::size_t i = 0; i < std::size(rows); ++i) {
        const auto failed = failing(rows[i].condition, rows[i].revision);
        EXPECT_EQ(failed ? std::optional(failed->current) : std::nullopt, rows[i].fails) << i;
    }
}

TEST(ReferenceDifference, IsWhatEndsAndWhatBegins) {
    const ReferenceDifference difference = reference_difference({1, 2, 3}, {2, 4, 5});
    EXPECT_EQ(difference.ended, (std::vector<std::int64_t>{1, 3}));
    EXPECT_EQ(difference.added, (std::vector<std::int64_t>{4, 5}));
}

} // namespace
} // namespace costcurve::storage::test
