// Pages: filters, cursors that stay where they are while others write, and pages that end early.
#include <set>

#include "tests/storage/sample_store.hpp"

namespace costcurve::storage::test {
namespace {

using Ids = std::vector<std::string>;

Ids ids(const Page& page) {
    Ids found;
    for (const Revision& item : page.items) {
        found.push_back(item.record.key.id);
    }
    return found;
}

struct FilterRow {
    const char* name;
    void (*set)(ListQuery&);
    Ids found;
};

Record priced(const std::string& id, const OfferFacts& facts) {
    Record record = offer(id, facts.device);
    record.offer = facts;
    return record;
}

void fill(Store& store) {
    const Record records[] = {device("h100"),
                              device("b200"),
                              priced("a", {"north", "eu", "h100", "spot", 1.0}),
                              priced("b", {"north", "us", "h100", "on_demand", 3.0}),
                              priced("c", {"south", "eu", "b200", "spot", 2.0}),
                              priced("d", {"south", "us", "b200", "reserved", 2.5}),
                              priced("E", {"south", "EU", "b200", "spot", 9.0})};
    ASSERT_EQ(store.save_all(kAlice, records).index(), 0U);
}

const FilterRow kFilters[] = {
    {"none", [](ListQuery&) {}, {"E", "a", "b", "c", "d"}},
    {"provider", [](ListQuery& q) { q.provider = "north"; }, {"a", "b"}},
    {"region, case matters", [](ListQuery& q) { q.region = "eu"; }, {"a", "c"}},
    {"device", [](ListQuery& q) { q.device = "b200"; }, {"E", "c", "d"}},
    {"purchase", [](ListQuery& q) { q.purchase = "spot"; }, {"E", "a", "c"}},
    {"price, up to and with", [](ListQuery& q) { q.max_hourly_price = 2.5; }, {"a", "c", "d"}},
    {"price 0", [](ListQuery& q) { q.max_hourly_price = 0; }, {}},
    {"two", [](ListQuery& q) { q.provider = "south", q.purchase = "spot"; }, {"E", "c"}},
    {"all",
     [](ListQuery& q) {
         q.provider = "south", q.region = "eu", q.device = "b200", q.purchase = "spot", q.max_hourly_price = 2, q.text = "offer C";
     },
     {"c"}},
    {"nowhere", [](ListQuery& q) { q.provider = "east"; }, {}},
    {"text in the title, case ignored", [](ListQuery& q) { q.text = "FFER A"; }, {"a"}},
    {"text in the id, case ignored", [](ListQuery& q) { q.text = "e"; }, {"E", "a", "b", "c", "d"}},
    {"text is no pattern", [](ListQuery& q) { q.text = "%"; }, {}},
    {"after", [](ListQuery& q) { q.after = "a"; }, {"b", "c", "d"}},
    {"after and filter", [](ListQuery& q) { q.after = "a", q.provider = "south"; }, {"c", "d"}},
};

// In PostgreSQL they stand in one entry of an index, which has room for 2,704 bytes.
TEST(List, FindsOffersByTheLongestNamesThatDocumentsMayHave) {
    SampleStore sample;
    const std::string device_id(128, 'd');
    saved(sample.store, device(device_id));
    Record longest = offer(std::string(128, 'o'), device_id);
    longest.offer->provider = incompressible(256);
    longest.offer->region = incompressible(256, 2);
    saved(sample.store, longest);
    ListQuery query = every(Kind::offer);
    query.provider = longest.offer->provider;
    query.region = longest.offer->region;
    EXPECT_EQ(sample.store.snapshot()->list(query).items.size(), 1U);
    query.region.back() = ' ';
    EXPECT_TRUE(sample.store.snapshot()->list(query).items.empty());
}

TEST(List, FiltersOffers) {
    SampleStore sample;
    fill(sample.store);
    for (const FilterRow& row : kFilters) {
        ListQuery query = every(Kind::offer);
        row.set(query);
        EXPECT_EQ(ids(sample.store.snapshot()->list(query)), row.found) << row.name;
    }
}

TEST(List, FiltersOffersOfThePastAlike) {
    SampleStore sample;
    fill(sample.store);
    const std::string before = sample.store.snapshot()->as_of();
    for (const char* id : {"a", "b", "c", "d", "E"}) {
        ASSERT_EQ(sample.store.remove(kAlice, {Kind::offer, id}).index(), 0U);
    }
    const auto snapshot = sample.store.snapshot(before);
    for (const FilterRow& row : kFilters) {
        ListQuery query = every(Kind::offer);
        row.set(query);
        EXPECT_EQ(ids(snapshot->list(query)), row.found) << row.name;
        EXPECT_TRUE(sample.store.snapshot()->list(query).items.empty()) << row.name;
    }
}

TEST(List, HasDocumentsOfItsKindOnlyWithTheirContent) {
    SampleStore sample;
    fill(sample.store);
    EXPECT_EQ(ids(sample.store.snapshot()->list(every(Kind::device))), (Ids{"b200", "h100"}));
    const Page page = sample.store.snapshot()->list(every(Kind::offer));
    EXPECT_FALSE(page.more);
    for (const Revision& item : page.items) {
        EXPECT_EQ(item.record.series, offer("", "").series);
        EXPECT_EQ(item.record.references.size(), 1U);
        EXPECT_EQ(item.record.body, "{\"id\":\"" + item.record.key.id + "\"}");
    }
}

TEST(List, GoesThroughAllPages) {
    SampleStore sample;
    std::vector<Record> records;
    for (int i = 0; i < 25; ++i) {
        records.push_back(device("d" + std::to_string(100 + i)));
    }
    ASSERT_EQ(sample.store.save_all(kAlice, records).index(), 0U);
    for (const std::size_t limit : {1U, 5U, 7U, 25U, 100U}) {
        ListQuery query = every(Kind::device);
        query.limit = limit;
        Ids seen;
        Page page;
        do {
            page = sample.store.snapshot()->list(query);
            EXPECT_LE(page.items.size(), limit);
            for (const std::string& id : ids(page)) {
                seen.push_back(id);
            }
            query.after = seen.back();
        } while (page.more);
        EXPECT_EQ(seen.size(), 25U) << limit;
        EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
    }
}

TEST(List, GoesOnAtItsCursorWhileOthersWrite) {
    SampleStore sample;
    for (const char* id : {"b", "d", "f", "h"}) {
        saved(sample.store, device(id));
    }
    ListQuery query = every(Kind::device);
    query.limit = 2;
    const std::string as_of = sample.store.snapshot()->as_of();
    EXPECT_EQ(ids(sample.store.snapshot(as_of)->list(query)), (Ids{"b", "d"}));
    saved(sample.store, device("a"));                                        // before the cursor
    saved(sample.store, device("e"));                                        // behind it
    ASSERT_EQ(sample.store.remove(kAlice, {Kind::device, "d"}).index(), 0U); // the cursor's own document
    ASSERT_EQ(sample.store.remove(kAlice, {Kind::device, "f"}).index(), 0U);
    query.after = "d";
    EXPECT_EQ(ids(sample.store.snapshot(as_of)->list(query)), (Ids{"f", "h"})); // as of the first page: the same list
    EXPECT_EQ(ids(sample.store.snapshot()->list(query)), (Ids{"e", "h"}));      // now: none twice, none lost that stayed
}

TEST(List, EndsAPageThatGrowsTooLarge) {
    SampleStore sample;
    for (const char* id : {"a", "b", "c"}) {
        saved(sample.store, device(id, std::string(1000, 'x')));
    }
    ListQuery query = every(Kind::device);
    query.max_bytes = 2000;
    Page page = sample.store.snapshot()->list(query);
    EXPECT_EQ(ids(page), (Ids{"a", "b"}));
    EXPECT_TRUE(page.more);
    query.max_bytes = 10; // one document comes always
    query.after = "b";
    page = sample.store.snapshot()->list(query);
    EXPECT_EQ(ids(page), (Ids{"c"}));
    EXPECT_FALSE(page.more);
}

TEST(List, CountsWhatThereIs) {
    SampleStore sample;
    fill(sample.store);
    ASSERT_EQ(sample.store.remove(kAlice, {Kind::offer, "a"}).index(), 0U);
    const StoreCounts counts = sample.store.counts();
    ASSERT_EQ(counts.documents.size(), kind_names.size());
    EXPECT_EQ(counts.documents[static_cast<std::size_t>(Kind::device)], 2);
    EXPECT_EQ(counts.documents[static_cast<std::size_t>(Kind::offer)], 4);
    EXPECT_EQ(counts.documents[static_cast<std::size_t>(Kind::site)], 0);
    EXPECT_EQ(counts.revisions, 8);
    EXPECT_EQ(counts.points, 10);
    EXPECT_GT(counts.bytes, 100'000);
}

TEST(List, SearchesIdsAndTitlesEachAlone) {
    SampleStore sample;
    saved(sample.store, device("d"));
    Record one = offer("xyz-1", "d");
    one.title = "Other";
    saved(sample.store, one);
    const std::string before = sample.store.snapshot()->as_of();
    sample.time += kHour;
    one.title = "Newer";
    saved(sample.store, one);
    const auto found = [&](const std::string& text, const std::optional<std::string>& as_of = {}) {
        ListQuery query = every(Kind::offer);
        query.text = text;
        return sample.store.snapshot(as_of)->list(query).items.size();
    };
    EXPECT_EQ(found("YZ-"), 1U);
    EXPECT_EQ(found("NEW"), 1U);
    EXPECT_EQ(found("ther"), 0U);
    EXPECT_EQ(found("xyz-1\nnewer"), 0U);
    EXPECT_EQ(found("YZ-", before), 1U);
    EXPECT_EQ(found("ther", before), 1U);
    EXPECT_EQ(found("NEW", before), 0U);
}

} // namespace
} // namespace costcurve::storage::test
