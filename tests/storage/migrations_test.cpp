// Migrations: each once, in a transaction, known by its hash; what isn't ours or is newer is left alone.
#include "server/storage/migrations.hpp"
#include "server/storage/save.hpp"
#include "tests/storage/sample_store.hpp"

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
    bring_to({kFirst, kSecond}); // the mended program goes on where it stood
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
    const std::string file = std::string(COSTCURVE_SOURCE_DIR) + "/migrations/0001_documents.sql";
    EXPECT_TRUE(migrations()[0].script == content_of(file));
    EXPECT_EQ(migrations()[0].name, "documents");
}

TEST(EmbeddedMigrations, MakeStrictTablesOnly) {
    SampleStore sample;
    Database side = sample.side();
    EXPECT_EQ(side.number("SELECT count(*) FROM pragma_table_list WHERE type = 'table' AND strict = 0 AND name NOT LIKE 'sqlite%'"),
              0);
    EXPECT_GT(side.number("SELECT count(*) FROM pragma_table_list WHERE type = 'table' AND strict = 1"), 8);
}

TEST(EmbeddedMigrations, KeepEveryPageOfAnOlderStore) {
    const Folder folder;
    StoreSettings settings;
    settings.path = folder.file("a.db");
    {
        Database database(settings.path, Database::Access::create);
        migrate(database, migrations().first(2), kNoon);
        Transaction transaction(database, Transaction::Kind::write);
        Change change(database, kAlice, "save_all", "2 documents", kNoon);
        const Record records[] = {device("h100"), offer("a", "h100")};
        ASSERT_EQ(save_records(database, change, records).index(), 0U);
        transaction.commit();
    }
    const Store store(settings);
    EXPECT_TRUE(std::filesystem::exists(copy_before(settings.path, 3)));
    for (const auto& [provider, region, found] : {std::tuple{"cloud", "", 1U}, {"", "eu", 1U}, {"north", "", 0U}, {"", "us", 0U}}) {
        ListQuery query = every(Kind::offer);
        query.provider = provider;
        query.region = region;
        const Page page = store.snapshot().list(query);
        ASSERT_EQ(page.items.size(), found) << provider << region;
        EXPECT_TRUE(found == 0 || page.items.front().record.series == offer("a", "h100").series);
    }
}

TEST(EmbeddedMigrations, AreCheckedByTheStore) {
    for (const auto& [sql, cause] : {std::pair{"UPDATE migration SET sha256 = 'other'", Cause::changed_migration},
                                     std::pair{"PRAGMA user_version = 99", Cause::newer_version},
                                     std::pair{"PRAGMA application_id = 1", Cause::foreign_file}}) {
        const Folder folder;
        StoreSettings settings;
        settings.path = folder.file("a.db");
        { const Store store(settings); }
        Database(settings.path, Database::Access::write).execute(sql);
        EXPECT_EQ(cause_of([&] { const Store store(settings); }), cause) << sql;
    }
}

} // namespace
} // namespace costcurve::storage::test
