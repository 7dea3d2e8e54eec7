// Migrations: each once, in a transaction, known by its hash; a foreign or newer database is not changed.
#include "server/storage/sqlite/migrations.hpp"
#include "server/storage/sqlite/save.hpp"
#include "tests/storage/sqlite/sqlite_store.hpp"
#include "tests/support/source_folder.hpp"

namespace costcurve::storage::test {
namespace {

using Cause = StoreError::Cause;

constexpr Migration kFirst{1, "first", "CREATE TABLE a (x INTEGER PRIMARY KEY) STRICT; INSERT INTO a VALUES (1), (2);"};
constexpr Migration kSecond{2, "second", "CREATE TABLE b (x INTEGER NOT NULL REFERENCES a) STRICT; INSERT INTO b VALUES (2);"};

class Migrations : public testing::Test {
protected:
    void bring_to(std::vector<Migration> known) {
        Database database(path_, Database::Access::create);
        migrate(database, known, kNoon);
    }
    std::int64_t ask(const std::string& sql) { return Database(path_, Database::Access::write).number(sql); }
    void change(const std::string& sql) { Database(path_, Database::Access::write).execute(sql); }

    Folder folder_;
    std::string path_ = folder_.file("a.db");
};

TEST_F(Migrations, AreAppliedInOrderAndOnce) {
    bring_to({kFirst, kSecond});
    bring_to({kFirst, kSecond});
    EXPECT_EQ(ask("PRAGMA user_version"), 2);
    EXPECT_EQ(ask("PRAGMA application_id"), 0x43435256);
    EXPECT_EQ(ask("SELECT count(*) FROM a"), 2);
    EXPECT_EQ(ask("SELECT count(*) FROM migration WHERE length(sha256) = 64 AND applied_at = " + std::to_string(kNoon)), 2);
    EXPECT_EQ(ask("SELECT version FROM migration WHERE name = 'second'"), 2);
    EXPECT_FALSE(std::filesystem::exists(copy_before(path_, 1))); // there was nothing to copy
}

TEST_F(Migrations, CopyADatabaseBeforeTheyChangeIt) {
    bring_to({kFirst});
    change("INSERT INTO a VALUES (3)");
    bring_to({kFirst, kSecond});
    Database copy(copy_before(path_, 2), Database::Access::write);
    EXPECT_EQ(copy.number("PRAGMA user_version"), 1);
    EXPECT_EQ(count(copy, "a"), 3);
    EXPECT_EQ(copy.number("SELECT count(*) FROM sqlite_schema WHERE name = 'b'"), 0);
    EXPECT_FALSE(std::filesystem::exists(copy_before(path_, 2).string() + "-wal"));
}

TEST_F(Migrations, ThatFailHalfwayLeaveNothingBehind) {
    bring_to({kFirst});
    const Migration half{2, "half", "CREATE TABLE b (x INTEGER) STRICT; DELETE FROM a; INSERT INTO b VALUES ('no number');"};
    std::string text;
    EXPECT_EQ(cause_of([&] { bring_to({kFirst, half}); }, &text), Cause::unavailable);
    EXPECT_NE(text.find("migration 2 (half) failed and is undone"), std::string::npos) << text;
    EXPECT_EQ(ask("PRAGMA user_version"), 1);
    EXPECT_EQ(ask("SELECT count(*) FROM a"), 2);
    EXPECT_EQ(ask("SELECT count(*) FROM sqlite_schema WHERE name = 'b'"), 0);
    EXPECT_EQ(ask("SELECT count(*) FROM migration"), 1);
    bring_to({kFirst, kSecond}); // the fixed program continues after the last good one
    EXPECT_EQ(ask("PRAGMA user_version"), 2);
}

TEST_F(Migrations, KeepThoseBeforeTheOneThatFails) {
    const Migration wrong{3, "wrong", "no sql"};
    EXPECT_EQ(cause_of([&] { bring_to({kFirst, kSecond, wrong}); }), Cause::unavailable);
    EXPECT_EQ(ask("PRAGMA user_version"), 2);
}

TEST_F(Migrations, ThatBreakReferencesAreUndone) {
    bring_to({kFirst, kSecond});
    const Migration breaking{3, "breaking", "DELETE FROM a WHERE x = 2"};
    EXPECT_EQ(cause_of([&] { bring_to({kFirst, kSecond, breaking}); }), Cause::unavailable);
    EXPECT_EQ(ask("SELECT count(*) FROM a"), 2);
}

TEST_F(Migrations, ThatWereChangedAfterwardsAreRefused) {
    bring_to({kFirst, kSecond});
    const Migration other_text{1, "first", "CREATE TABLE a (x INTEGER PRIMARY KEY) STRICT; INSERT INTO a VALUES (1);"};
    const Migration other_name{2, "zweite", kSecond.script};
    std::string text;
    EXPECT_EQ(cause_of([&] { bring_to({other_text, kSecond}); }, &text), Cause::changed_migration);
    EXPECT_NE(text.find("migration 1 "), std::string::npos) << text;
    EXPECT_EQ(cause_of([&] { bring_to({kFirst, other_name}); }), Cause::changed_migration);
    EXPECT_EQ(cause_of([&] { bring_to({other_text, kSecond, {3, "third", "CREATE TABLE c (x)"}}); }), Cause::changed_migration);
    EXPECT_EQ(ask("PRAGMA user_version"), 2);
}

TEST_F(Migrations, OfANewerProgramAreRefused) {
    bring_to({kFirst, kSecond});
    std::string text;
    EXPECT_EQ(cause_of([&] { bring_to({kFirst}); }, &text), Cause::newer_version);
    EXPECT_NE(text.find("schema 2, this one knows 1"), std::string::npos) << text;
}

TEST_F(Migrations, MissingFromTheirRecordAreDamage) {
    bring_to({kFirst, kSecond});
    change("DELETE FROM migration WHERE version = 2");
    EXPECT_EQ(cause_of([&] { bring_to({kFirst, kSecond}); }), Cause::corrupt);
}

TEST(EmbeddedMigrations, CountFromOne) {
    ASSERT_FALSE(migrations().empty());
    for (std::size_t i = 0; i < migrations().size(); ++i) {
        EXPECT_EQ(migrations()[i].version, static_cast<std::int64_t>(i) + 1);
    }
    const std::filesystem::path file = tests::source_folder() / "migrations/0001_documents.sql";
    EXPECT_TRUE(migrations()[0].script == content_of(file));
    EXPECT_EQ(migrations()[0].name, "documents");
}

TEST(EmbeddedMigrations, MakeStrictTablesOnly) {
    SampleStore sample;
    Database side = side_of(sample);
    EXPECT_EQ(side.number("SELECT count(*) FROM pragma_table_list WHERE type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite%'"),
              0);
    EXPECT_GT(side.number("SELECT count(*) FROM pragma_table_list WHERE type = 'table' AND strict = 1"), 8);
}

// What a store of the fifth schema had: a device, an offer that moved and whose prices changed, and one that was deleted.
constexpr const char* kFifth = R"(
    INSERT INTO change VALUES (1, 1795262400000001, 'alice', '', 'save_all', '2 documents'),
        (2, 1795262400000002, 'alice', '', 'save', 'offer/gone'), (3, 1795262400000003, 'alice', '', 'save', 'offer/a'),
        (4, 1795262400000004, 'alice', '', 'remove', 'offer/gone');
    INSERT INTO document VALUES (1, 'device', 'h100'), (2, 'offer', 'a'), (3, 'offer', 'gone');
    INSERT INTO body VALUES (1, 'device'), (2, 'in eu'), (3, 'in us'), (4, 'gone');
    INSERT INTO revision (document, revision, since, until, deleted, kind, id, title, search, provider, region, device, purchase,
            hourly_price, body) VALUES
        (1, 1, 1, 9223372036854775807, 0, 'device', 'h100', 'H100', 'h100' || char(10) || 'h100', NULL, NULL, NULL, NULL, NULL, 1),
        (2, 1, 1, 3, 0, 'offer', 'a', 'A', 'a' || char(10) || 'a', 'cloud', 'eu', 'h100', 'spot', 3.0, 2),
        (3, 1, 2, 4, 0, 'offer', 'gone', 'G', 'gone' || char(10) || 'g', 'cloud', 'eu', 'h100', 'spot', NULL, 4),
        (2, 2, 3, 9223372036854775807, 0, 'offer', 'a', 'A', 'a' || char(10) || 'a', 'cloud', 'us', 'h100', 'spot', 2.5, 3),
        (3, 2, 4, 9223372036854775807, 1, 'offer', 'gone', 'G', 'gone' || char(10) || 'g', NULL, NULL, NULL, NULL, NULL, NULL);
    INSERT INTO curve VALUES (1, 2, '/hourly_price'), (2, 1, '/other');
    INSERT INTO point VALUES (1, 20000, 1, 2.0), (1, 20000, 3, 2.5), (1, 20001, 1, 3.0), (1, 20001, 3, NULL), (2, 0, 1, 1.0);
    INSERT INTO reference VALUES (2, 1, 1, 9223372036854775807), (3, 1, 2, 4);
)";

TEST(EmbeddedMigrations, KeepTheContentOfAnOlderStore) {
    const Folder folder;
    StoreSettings settings;
    settings.path = folder.file("a.db");
    {
        Database database(settings.path, Database::Access::create);
        migrate(database, migrations().first(5), kNoon);
        database.execute(kFifth);
    }
    const auto opened = open_store(settings);
    Store& store = *opened;
    EXPECT_TRUE(std::filesystem::exists(copy_before(settings.path, 6)));
    EXPECT_EQ(check_store(settings.path).problems, std::vector<std::string>()) << "each revision's hash is of its own points";
    const auto before = [&] { return store.snapshot("2026-11-21T12:00:00.000002Z"); };
    const auto ids = [](const Snapshot& snapshot, std::string_view provider, std::string_view region) {
        ListQuery query = every(Kind::offer);
        query.provider = provider;
        query.region = region;
        std::string found;
        for (const Revision& revision : snapshot.list(query).items) {
            found += revision.record.key.id + " ";
        }
        return found;
    };
    EXPECT_EQ(ids(*store.snapshot(), "cloud", ""), "a ");
    EXPECT_EQ(ids(*store.snapshot(), "", "us"), "a ");
    EXPECT_EQ(ids(*store.snapshot(), "", "eu"), "");
    EXPECT_EQ(ids(*before(), "cloud", ""), "a gone ");
    EXPECT_EQ(ids(*before(), "", "eu"), "a gone ");
    EXPECT_EQ(ids(*before(), "", "us"), "");

    const DocumentKey a{Kind::offer, "a"};
    const Revision now = store.snapshot()->load(a).value();
    EXPECT_EQ(std::tuple(now.revision, now.record.body), std::tuple(2, "in us"));
    EXPECT_EQ(now.record.series, (std::vector<Series>{{"/hourly_price", {20000}, {2.5}}}));
    EXPECT_EQ(now.record.references, (std::vector<DocumentKey>{{Kind::device, "h100"}}));
    const Revision then = before()->load(a).value();
    EXPECT_EQ(std::tuple(then.revision, then.record.body), std::tuple(1, "in eu"));
    EXPECT_EQ(then.record.series, (std::vector<Series>{{"/hourly_price", {20000, 20001}, {2.0, 3.0}}}));
    EXPECT_EQ(before()->value_at(a, "/hourly_price", 20005), 3.0);
    EXPECT_EQ(store.snapshot()->value_at(a, "/hourly_price", 20005), 2.5);
    EXPECT_EQ(store.snapshot()->history(a, 0, 10).size(), 2U);
    EXPECT_EQ(store.snapshot()->load({Kind::device, "h100"})->record.series.front().pointer, "/other");

    ListQuery by_text = every(Kind::offer);
    by_text.text = "A";
    EXPECT_EQ(store.snapshot()->list(by_text).items.size(), 1U);
    by_text.text = "\n";
    EXPECT_EQ(store.snapshot()->list(by_text).items.size(), 0U);
    const SaveOutcome again = store.save(kAlice, offer("gone", "h100"));
    EXPECT_EQ(std::get<Saved>(again).revision, 3);
    EXPECT_EQ(std::get<InUse>(store.remove(kAlice, {Kind::device, "h100"})).count, 2);
    EXPECT_THROW(Database(settings.path, Database::Access::write).execute("UPDATE revision SET title = 'B'"), StoreError);
}

TEST(EmbeddedMigrations, AreCheckedByTheStore) {
    for (const auto& [sql, cause] : {std::pair{"UPDATE migration SET sha256 = 'other'", Cause::changed_migration},
                                     std::pair{"PRAGMA user_version = 99", Cause::newer_version},
                                     std::pair{"PRAGMA application_id = 1", Cause::foreign_file}}) {
        const Folder folder;
        StoreSettings settings;
        settings.path = folder.file("a.db");
        { const auto store = open_store(settings); }
        Database(settings.path, Database::Access::write).execute(sql);
        EXPECT_EQ(cause_of([&] { static_cast<void>(open_store(settings)); }), cause) << sql;
    }
}

} // namespace
} // namespace costcurve::storage::test
