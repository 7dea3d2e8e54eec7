// A PostgreSQL before it is used, and one that fails while it is: what is refused, in which words, and what goes on.
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>

#include "server/storage/postgres/engine/copy_in.hpp"
#include "server/storage/postgres/engine/transaction.hpp"
#include "tests/storage/sample_store.hpp"

namespace costcurve::storage::test {
namespace {

using Cause = StoreError::Cause;

std::string with_options(const std::string& url, const std::string& options) {
    return url + (url.find('?') == std::string::npos ? "?" : "&") + "options=" + options;
}

TEST(PostgresOpen, RefusesTablesOfAnotherProgramAndWritesNothing) {
    StorePlace place;
    place.side()->execute("CREATE TABLE invoices (id bigint)");
    std::string text;
    EXPECT_EQ(cause_of([&] { static_cast<void>(open_store({.path = place.path()})); }, &text), Cause::foreign_file);
    EXPECT_NE(text.find("another program"), std::string::npos) << text;
    EXPECT_EQ(place.side()->number("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"), 1);
}

TEST(PostgresOpen, TakesASchemaThatIsNewerByOneAndRefusesOneByTwo) {
    SampleStore sample;
    const auto side = sample.side();
    side->execute("INSERT INTO migration SELECT max(version) + 1, 'later', 'x', 0 FROM migration");
    EXPECT_NE(open_store(sample.settings), nullptr);
    side->execute("INSERT INTO migration SELECT max(version) + 1, 'later', 'x', 0 FROM migration");
    EXPECT_EQ(cause_of([&] { static_cast<void>(open_store(sample.settings)); }), Cause::newer_version);
}

TEST(PostgresOpen, RefusesAMigrationThatWasAppliedWithAnotherText) {
    SampleStore sample;
    sample.side()->execute("UPDATE migration SET sha256 = 'x' WHERE version = 14");
    EXPECT_EQ(cause_of([&] { static_cast<void>(open_store(sample.settings)); }), Cause::changed_migration);
}

TEST(PostgresOpen, NamesTheRightsThatTheRoleLacks) {
    SampleStore sample;
    sample.side()->execute(
        "DROP ROLE IF EXISTS costcurve_visitor; CREATE ROLE costcurve_visitor; "
        "GRANT costcurve_visitor TO CURRENT_USER; GRANT SELECT ON ALL TABLES IN SCHEMA public TO costcurve_visitor");
    StoreSettings settings = sample.settings;
    settings.path = with_options(settings.path, "-c%20role%3Dcostcurve_visitor");
    std::string text;
    EXPECT_EQ(cause_of([&] { static_cast<void>(open_store(settings)); }, &text), Cause::read_only);
    EXPECT_NE(text.find("change (SELECT, INSERT)"), std::string::npos) << text;
    sample.side()->execute("DROP OWNED BY costcurve_visitor; DROP ROLE costcurve_visitor");
}

TEST(PostgresOpen, NeverShowsAPassword) {
    for (const std::string url : {"postgres://ann:hushhush@127.0.0.1:1/plans", "postgres://ann:hush%hush@[/plans?x=hushhush"}) {
        std::string text;
        EXPECT_EQ(cause_of([&] { static_cast<void>(open_store({.path = url})); }, &text), Cause::unavailable);
        EXPECT_EQ(text.find("hush"), std::string::npos) << text;
    }
}

TEST(PostgresStore, ReadsOnWhereNothingMayBeWritten) {
    SampleStore sample;
    static_cast<void>(saved(sample.store, device("a")));
    sample.side()->execute("DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', "
                           "current_database()); END $$");
    sample.side()->execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                           "WHERE datname = current_database() AND pid <> pg_backend_pid()");
    EXPECT_EQ(cause_of([&] { static_cast<void>(sample.store.save(kAlice, device("b"))); }), Cause::read_only);
    EXPECT_EQ(cause_of([&] { sample.store.check_writable(); }), Cause::read_only);
    EXPECT_TRUE(sample.store.snapshot()->load({Kind::device, "a"}).has_value());
}

TEST(PostgresStore, GoesOnWhereItsConnectionsWereEnded) {
    SampleStore sample;
    const auto side = sample.side();
    for (int i = 1; i <= 3; ++i) {
        EXPECT_EQ(saved(sample.store, device("a", std::to_string(i))).revision, i);
        EXPECT_EQ(sample.store.snapshot()->load({Kind::device, "a"})->revision, i);
        side->execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                      "WHERE datname = current_database() AND pid <> pg_backend_pid()");
    }
}

TEST(PostgresStore, WritesOnceWhereTheConnectionEndsDuringTheCommit) {
    SampleStore sample;
    const auto side = sample.side();
    side->execute("CREATE SEQUENCE commits; "
                  "CREATE FUNCTION end_first() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
                  "IF nextval('commits') = 1 THEN PERFORM pg_terminate_backend(pg_backend_pid()); PERFORM count(*) FROM "
                  "generate_series(1, 100000); END IF; "
                  "RETURN NULL; END $$; "
                  "CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON revision DEFERRABLE INITIALLY DEFERRED "
                  "FOR EACH ROW EXECUTE FUNCTION end_first()");
    EXPECT_EQ(saved(sample.store, device("a")).revision, 1);
    EXPECT_EQ(count(*side, "revision"), 1);
    EXPECT_EQ(count(*side, "change"), 1);
    EXPECT_EQ(side->number("SELECT last_value FROM commits"), 2) << "the first commit was cut";
}

// The other waits for the lock of changes, and takes the number that the lost commit had.
TEST(PostgresStore, WritesAgainWhereTheCommitIsLostAndAnotherTakesItsNumber) {
    SampleStore sample;
    const auto other = open_store(sample.settings);
    const auto side = sample.side();
    side->execute("CREATE SEQUENCE commits; "
                  "CREATE FUNCTION sleep_first() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
                  "IF nextval('commits') = 1 THEN PERFORM pg_sleep(60); END IF; RETURN NULL; END $$; "
                  "CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON revision DEFERRABLE INITIALLY DEFERRED "
                  "FOR EACH ROW EXECUTE FUNCTION sleep_first()");
    const std::string ours = " FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND ";
    const auto wait_for = [&](const std::string& condition) {
        const auto begun = std::chrono::steady_clock::now();
        while (side->number("SELECT count(*)" + ours + condition) == 0) {
            ASSERT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(30)) << condition;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
    };
    std::thread first([&] { static_cast<void>(saved(sample.store, device("a"))); });
    wait_for("wait_event = 'PgSleep'");
    std::thread second([&] { static_cast<void>(saved(*other, device("b"))); });
    wait_for("wait_event_type = 'Lock'");
    side->execute("SELECT pg_terminate_backend(pid)" + ours + "wait_event = 'PgSleep'");
    first.join();
    second.join();
    EXPECT_TRUE(sample.store.snapshot()->load({Kind::device, "b"}));
    EXPECT_TRUE(sample.store.snapshot()->load({Kind::device, "a"})) << "it was said to be saved";
    EXPECT_EQ(count(*side, "revision"), 2);
    EXPECT_EQ(count(*side, "change"), 2);
}

TEST(PostgresStore, MergesAnewWhatAnotherDaemonChangedMeanwhile) {
    SampleStore sample;
    const auto other = open_store(sample.settings);
    static_cast<void>(saved(sample.store, device("a", "old")));
    int merges = 0;
    int restarts = 0;
    SaveOptions options;
    options.restart = [&] {
        merges = 0;
        ++restarts;
    };
    options.merge = [&](const Record& stored, const Record& given) {
        if (restarts == 1 && merges == 0 && stored.body == "old") {
            static_cast<void>(saved(*other, device("a", "newer")));
        }
        ++merges;
        Record merged = given;
        merged.body = stored.body + "+";
        return merged;
    };
    const std::vector<Record> records = {device("a", "given")};
    ASSERT_TRUE(std::holds_alternative<std::vector<Saved>>(sample.store.save_all(kAlice, records, options)));
    EXPECT_EQ(sample.store.snapshot()->load({Kind::device, "a"})->record.body, "newer+");
    EXPECT_EQ(restarts, 2) << "at the beginning, and once more";
    EXPECT_EQ(merges, 1);
}

TEST(PostgresSnapshot, ReadsManyAtOnceAsOneByOne) {
    SampleStore sample;
    for (const char* const id : {"d1", "d2"}) {
        static_cast<void>(saved(sample.store, device(id)));
    }
    for (int i = 0; i < 5; ++i) {
        static_cast<void>(saved(sample.store, offer("o" + std::to_string(i), i % 2 == 0 ? "d1" : "d2")));
    }
    static_cast<void>(sample.store.remove(kAlice, {Kind::offer, "o3"}));
    const auto snapshot = sample.store.snapshot();
    const std::vector<DocumentKey> keys = {{Kind::offer, "o4"}, {Kind::offer, "o3"},   {Kind::device, "d1"},
                                           {Kind::offer, "o0"}, {Kind::offer, "none"}, {Kind::offer, "o4"}};
    const auto together = snapshot->load_all(keys);
    std::vector<PointQuery> queries;
    for (const DocumentKey& key : keys) {
        queries.push_back({key, "/hourly_price", 5.0});
    }
    const auto values = snapshot->values_at(queries);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const auto alone = snapshot->load(keys[i]);
        ASSERT_EQ(alone.has_value(), together[i].has_value()) << keys[i].id;
        EXPECT_EQ(values[i], snapshot->value_at(keys[i], "/hourly_price", 5.0)) << keys[i].id;
        if (alone) {
            EXPECT_EQ(alone->record.series, together[i]->record.series) << keys[i].id;
            EXPECT_EQ(alone->record.references, together[i]->record.references) << keys[i].id;
            EXPECT_EQ(alone->record.body, together[i]->record.body) << keys[i].id;
        }
    }
    EXPECT_EQ(values[0], 2.5);
    EXPECT_EQ(values[1], std::nullopt) << "it is deleted";
}

TEST(PostgresTransaction, RefusesTheLockOfChangesWhereWhatItSeesIsFixed) {
    const StorePlace place;
    postgres::Connection connection(place.path());
    const postgres::Transaction transaction(connection, postgres::Transaction::Kind::read);
    EXPECT_THROW(postgres::lock_changes(connection), std::logic_error);
}

TEST(PostgresCopyIn, WritesWhatStatementsRead) {
    const StorePlace place;
    postgres::Connection connection(place.path());
    connection.execute("CREATE TABLE cells (i bigint, d double precision, t text, b bytea, n text)");
    {
        postgres::CopyIn copy(connection, "COPY cells (i, d, t, b, n) FROM STDIN (FORMAT binary)");
        for (int i = 0; i < 5000; ++i) {
            copy.row(i - 2500, 0.1 * i, "é" + std::to_string(i), Bytes{std::string_view("\0x\xff", 3)},
                     i % 2 == 0 ? std::optional<std::string>() : std::optional<std::string>("odd"));
        }
        copy.finish();
    }
    const std::vector<std::int64_t> numbers = {-2500, 2499};
    postgres::Rows rows(connection, "SELECT i, d, t, b, n FROM cells WHERE i = ANY($1) ORDER BY i", numbers);
    EXPECT_EQ(rows.affected(), 2);
    ASSERT_TRUE(rows.next());
    EXPECT_EQ(rows.integer(0), -2500);
    EXPECT_EQ(rows.text(2), "é0");
    EXPECT_EQ(rows.bytes(3), std::string_view("\0x\xff", 3));
    EXPECT_TRUE(rows.is_null(4));
    ASSERT_TRUE(rows.next());
    EXPECT_EQ(rows.real(1), 0.1 * 4999);
    EXPECT_EQ(rows.text(4), "odd");
    EXPECT_EQ(connection.number("SELECT count(*) FROM cells"), 5000);
}

} // namespace
} // namespace costcurve::storage::test
