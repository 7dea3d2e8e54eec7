// Checks and applies migrations. A database of costcurve has the tables store and migration, which the first script's transaction
// makes.
#include "server/storage/postgres/migrations.hpp"

#include <string>

#include <fmt/format.h>

#include "server/storage/postgres/engine/transaction.hpp"
#include "server/storage/sha256.hpp"

namespace costcurve::storage::postgres {

namespace {

using Cause = StoreError::Cause;

constexpr const char* kMigrationTable = R"(
    CREATE TABLE IF NOT EXISTS migration (
        version bigint PRIMARY KEY, name text COLLATE "C" NOT NULL, sha256 text COLLATE "C" NOT NULL, applied_at bigint NOT NULL))";
// Tables of the schema in which new tables are created, whether or not this role may read them.
constexpr const char* kTables = R"(
    SELECT count(*), count(*) FILTER (WHERE relname IN ('migration', 'store', 'change')) FROM pg_class
    WHERE relkind IN ('r', 'p') AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()))";
constexpr const char* kLastVersion = "SELECT coalesce(max(version), 0) FROM migration";
constexpr const char* kAppliedMigrations = "SELECT version, name, sha256 FROM migration ORDER BY version";
constexpr const char* kAddMigration = "INSERT INTO migration (version, name, sha256, applied_at) VALUES ($1, $2, $3, $4)";
// Lock for one migration at a time per database: the store's own lock key isn't known before the store exists.
constexpr std::int64_t kMigrationLock = 0x636f7374637572; // "costcur"

// Whether costcurve's tables exist; throws if there are foreign tables.
bool has_store(Connection& connection) {
    if (connection.number("SELECT (current_schema() IS NULL)::int") == 1) {
        throw StoreError(Cause::foreign_file,
                         fmt::format("{}: the search_path names no schema that is there; create it, or give another with "
                                     "?options=-csearch_path%3Dname",
                                     connection.target()));
    }
    Rows rows(connection, kTables);
    static_cast<void>(rows.next());
    if (rows.integer(0) != 0 && rows.integer(1) != 3) {
        throw StoreError(Cause::foreign_file,
                         fmt::format("{}: the schema has {} tables of another program; give a database or a search_path of "
                                     "costcurve's own, nothing was changed",
                                     connection.target(), rows.integer(0)));
    }
    return rows.integer(0) != 0;
}

void check_applied(Connection& connection, std::span<const Migration> known, std::int64_t version) {
    std::int64_t expected = 0;
    Rows rows(connection, kAppliedMigrations);
    while (rows.next()) {
        const std::int64_t first = known.front().version;
        const std::int64_t applied = rows.integer(0);
        if (applied < first || applied > version || (expected != 0 && applied != expected)) {
            throw StoreError(Cause::corrupt,
                             fmt::format("{}: the record of migrations has gaps; restore a backup", connection.target()));
        }
        expected = applied + 1;
        if (applied > known.back().version) {
            continue; // migration of a newer program
        }
        const Migration& migration = known[static_cast<std::size_t>(applied - first)];
        if (rows.text(1) != migration.name || rows.text(2) != sha256(migration.script)) {
            throw StoreError(Cause::changed_migration,
                             fmt::format("{}: migration {} was applied as '{}' with another text than this program's '{}'; use the "
                                         "program that wrote the database, or a later release",
                                         connection.target(), applied, rows.text(1), migration.name));
        }
    }
}

// Another program may have migrated first, so the next step is chosen under the lock.
bool apply_next(Connection& connection, std::span<const Migration> known, std::int64_t recorded_at) {
    Transaction transaction(connection, Transaction::Kind::write);
    connection.run("SELECT pg_advisory_xact_lock($1)", kMigrationLock);
    const std::int64_t version = verified_version(connection, known);
    if (version >= known.back().version) {
        return false;
    }
    const Migration& migration =
        version == 0 ? known.front() : known[static_cast<std::size_t>(version + 1 - known.front().version)];
    try {
        connection.execute(kMigrationTable);
        connection.execute(std::string(migration.script));
        connection.run(kAddMigration, migration.version, migration.name, sha256(migration.script), recorded_at);
        transaction.commit();
    } catch (const StoreError& error) {
        throw StoreError(error.cause(), fmt::format("migration {} ({}) failed and is undone: {}", migration.version, migration.name,
                                                    error.what()));
    }
    return true;
}

} // namespace

std::int64_t verified_version(Connection& connection, std::span<const Migration> known, std::int64_t max_newer) {
    if (!has_store(connection)) {
        return 0;
    }
    const std::int64_t version = connection.number(kLastVersion);
    if (version > known.back().version + max_newer) {
        throw StoreError(Cause::newer_version,
                         fmt::format("{}: written by a newer program (schema {}, this one knows {}); use that program",
                                     connection.target(), version, known.back().version));
    }
    check_applied(connection, known, version);
    return version;
}

void migrate(Connection& connection, std::span<const Migration> known, std::int64_t recorded_at,
             const std::function<void(std::string_view)>& log) {
    while (apply_next(connection, known, recorded_at)) {
        if (log) {
            log(fmt::format("{}: schema {}", connection.target(), connection.number(kLastVersion)));
        }
    }
}

} // namespace costcurve::storage::postgres
