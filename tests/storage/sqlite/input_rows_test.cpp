// Values in memory as rows of SQL, and writes of many documents that rest on them.
#include "server/storage/sqlite/open.hpp"
#include "tests/storage/sqlite/sqlite_store.hpp"

namespace costcurve::storage::test {
namespace {

TEST(InputRows, IsWhatTheTableHasWhileAStatementRuns) {
    const Folder folder;
    Database database(folder.file("a.db"), Database::Access::create);
    database.execute("CREATE TABLE t (a INTEGER, b REAL, c TEXT) STRICT");
    constexpr std::string_view kAdd = "INSERT INTO t SELECT c0, c1, c2 FROM input_rows";
    InputRows input;
    input.add({1, 0.5, "x"});
    input.add({Cell(), Cell(), ""});
    input.add({std::int64_t{1} << 40, -1.0, std::string_view("\0y", 2)});
    database.run(kAdd, input);
    EXPECT_EQ(count(database, "t"), 3);
    EXPECT_EQ(database.number("SELECT count(*) FROM t WHERE a = 1 AND b = 0.5 AND c = 'x'"), 1);
    EXPECT_EQ(database.number("SELECT count(*) FROM t WHERE a IS NULL AND b IS NULL AND c = ''"), 1);
    EXPECT_EQ(database.number("SELECT count(*) FROM t WHERE a = 1099511627776 AND c = char(0) || 'y'"), 1);
    database.run(kAdd, InputRows());
    EXPECT_EQ(count(database, "t"), 3);
    InputRows more;
    more.add({2, 1.0, "z"});
    database.run(kAdd, more);
    EXPECT_EQ(count(database, "t"), 4);
}

TEST(UncheckedKeys, AreCheckedAgainAfterwards) {
    const Folder folder;
    Database database(folder.file("a.db"), Database::Access::create);
    database.execute("PRAGMA foreign_keys = ON; CREATE TABLE a (x INTEGER PRIMARY KEY); CREATE TABLE b (x REFERENCES a)");
    {
        const UncheckedKeys unchecked(database);
        database.execute("INSERT INTO b VALUES (1)");
    }
    EXPECT_THROW(database.execute("INSERT INTO b VALUES (2)"), StoreError);
}

using Content = std::tuple<DocumentKey, std::int64_t, std::string, std::string, std::vector<Series>, std::vector<DocumentKey>>;
std::vector<Content> contents(const Store& store) {
    std::vector<Content> found;
    store.snapshot()->for_each([&](const Revision& revision) {
        const Record& record = revision.record;
        found.emplace_back(record.key, revision.revision, record.title, record.body, record.series, record.references);
    });
    return found;
}

// More than are written at a time, known and unknown ones mixed, of every shape.
TEST(SaveAll, WritesWhatManySavesWrite) {
    constexpr int kMany = 2500;
    SampleStore together;
    SampleStore apart;
    std::vector<Record> records = {device("h100")};
    for (int i = 0; i < kMany; ++i) {
        const auto id = std::to_string(i);
        records.push_back(i % 3 == 0   ? device("d" + id, "{" + id + "}")
                          : i % 3 == 1 ? offer("o" + id, "h100", {"/hourly_price", {0, 1.0 * i}, {2.5, 0.5}})
                                       : curve("c" + id, {1, 2, 3}, {1.0 * i, 0, -1}));
    }
    records[5].offer->hourly_price.reset();
    saved(together.store, device("d9", "old"));
    saved(apart.store, device("d9", "old"));
    const auto outcome = together.store.save_all(kAlice, records);
    const auto& all = std::get<std::vector<Saved>>(outcome);
    for (std::size_t i = 0; i < records.size(); ++i) {
        const Saved one = saved(apart.store, records[i]);
        EXPECT_EQ(all[i].revision, one.revision);
        EXPECT_EQ(all[i].what, one.what);
    }
    EXPECT_EQ(contents(together.store).size(), records.size());
    EXPECT_TRUE(contents(together.store) == contents(apart.store));
    EXPECT_EQ(together.store.snapshot()->load({Kind::offer, "o4"})->record.offer, records[5].offer);
    Database side = side_of(together);
    EXPECT_EQ(side.number("SELECT count(*) FROM pragma_foreign_key_check"), 0);
    EXPECT_EQ(side.number("SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'"), 0);
}

// The same of what is stored: offers that stay, or have another body, point, reference or facts, that lose a point, that were
// deleted; and new ones between them.
TEST(SaveAll, WritesTheNextRevisionsThatManySavesWrite) {
    constexpr int kMany = 1100;
    SampleStore together;
    SampleStore apart;
    std::vector<Record> first = {device("a100"), device("h100")};
    std::vector<Record> next;
    for (int i = 0; i < kMany; ++i) {
        Record before = offer(std::to_string(i), "h100", {"/hourly_price", {0, 10}, {2.5, 1.0 + i}});
        Record after = before;
        switch (i % 7) {
        case 1:
            after.body = "{}";
            break;
        case 2:
            after.series.front() = {"/hourly_price", {0, 10, 20}, {2.5, 1.0 + i, 7}};
            break;
        case 3:
            after = offer(std::to_string(i), "a100", {"/hourly_price", {0, 10}, {2.5, 1.0 + i}});
            break;
        case 4:
            after.offer->hourly_price.reset();
            break;
        case 5:
            after.series.front() = {"/hourly_price", {10}, {1.0 + i}};
            break;
        default: // 0 stays as it is; 6 is deleted in between, or new
            break;
        }
        if (i % 7 != 6 || i % 2 == 0) {
            first.push_back(before);
        }
        next.push_back(after);
    }
    for (SampleStore* const sample : {&together, &apart}) {
        ASSERT_EQ(sample->store.save_all(kAlice, first).index(), 0U);
        for (int i = 6; i < kMany; i += 14) {
            ASSERT_EQ(sample->store.remove(kAlice, {Kind::offer, std::to_string(i)}).index(), 0U);
        }
    }
    const auto outcome = together.store.save_all(kAlice, next);
    const auto& all = std::get<std::vector<Saved>>(outcome);
    ASSERT_EQ(all.size(), next.size());
    for (std::size_t i = 0; i < next.size(); ++i) {
        const Saved one = saved(apart.store, next[i]);
        EXPECT_EQ(all[i].revision, one.revision) << i;
        EXPECT_EQ(all[i].what, one.what) << i;
        EXPECT_EQ(all[i].what == Saved::What::unchanged, i % 7 == 0) << i;
    }
    EXPECT_EQ(contents(together.store).size(), static_cast<std::size_t>(kMany) + 2);
    EXPECT_TRUE(contents(together.store) == contents(apart.store));
    EXPECT_EQ(check(together.settings.path, {}).problems, std::vector<std::string>()) << "hashes, and all that the rows say";
}

} // namespace
} // namespace costcurve::storage::test
