// Checks and applies migrations. A database of costcurve has its application id, which the first migration's transaction sets.
#include "server/storage/sqlite/migrations.hpp"

#include <string>

#include <fmt/format.h>

#include "server/storage/sha256.hpp"
#include "server/storage/sqlite/engine/files.hpp"

namespace costcurve::storage::sqlite {

namespace {

using Cause = StoreError::Cause;

constexpr std::int64_t kApplicationId = 0x43435256; // "CCRV"

std::int64_t user_version(Database& database) { return database.number("PRAGMA user_version"); }

// Throws unless the database is empty or costcurve's.
void check_ours(Database& database) {
    const std::int64_t id = database.number("PRAGMA application_id");
    const bool empty = database.number("SELECT count(*) FROM sqlite_schema") == 0 && user_version(database) == 0;
    if (id != kApplicationId && (id != 0 || !empty)) {
        throw StoreError(Cause::foreign_file,
                         fmt::format("{}: a database of another program (application id {:#x}); give another path, nothing was "
                                     "changed",
                                     database.path(), id));
    }
}

void check_applied(Database& database, std::span<const Migration> known, std::int64_t version) {
    std::int64_t applied = 0;
    Rows rows(database, "SELECT name, sha256 FROM migration ORDER BY version");
    for (; applied < version && rows.next(); ++applied) {
        const Migration& migration = known[static_cast<std::size_t>(applied)];
        if (rows.text(0) != migration.name || rows.text(1) != sha256(migration.script)) {
            throw StoreError(Cause::changed_migration,
                             fmt::format("{}: migration {} was applied as '{}' with another text than this program's '{}'; use "
                                         "the program that wrote the database, or a later release",
                                         database.path(), migration.version, rows.text(0), migration.name));
        }
    }
    if (applied != version) {
        throw StoreError(Cause::corrupt,
                         fmt::format("{}: {} of {} migrations are on record; restore a backup", database.path(), applied, version));
    }
}

constexpr const char* kMigrationTable = R"(
    CREATE TABLE IF NOT EXISTS migration (
        version INTEGER PRIMARY KEY, name TEXT NOT NULL, sha256 TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT)";

using Log = std::function<void(std::string_view)>;

void run_script(Database& database, std::string_view script, const Log& log) {
    constexpr std::string_view kProgram = "\n-- program: hashes";
    const std::size_t program = script.find(kProgram);
    database.execute(std::string(script.substr(0, program)));
    if (program != std::string_view::npos) {
        copy_with_hashes(database, log);
        database.execute(std::string(script.substr(program)));
    }
}

void apply(Database& database, const Migration& migration, std::int64_t recorded_at, const Log& log) {
    database.execute(kMigrationTable);
    run_script(database, migration.script, log);
    database.run("INSERT INTO migration (version, name, sha256, applied_at) VALUES (?, ?, ?, ?)", migration.version, migration.name,
                 sha256(migration.script), recorded_at);
    database.execute(fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {}", kApplicationId, migration.version));
    if (Rows(database, "PRAGMA foreign_key_check").next()) {
        throw StoreError(Cause::unavailable, "references to rows that aren't there");
    }
}

// Another process may have migrated first, so the next step is chosen under the lock.
bool apply_next(Database& database, std::span<const Migration> known, std::int64_t recorded_at, const Log& log) {
    Transaction transaction(database, Transaction::Kind::write);
    const std::int64_t version = user_version(database);
    if (version >= std::ssize(known)) {
        return false;
    }
    const Migration& migration = known[static_cast<std::size_t>(version)];
    try {
        apply(database, migration, recorded_at, log);
        transaction.commit();
    } catch (const StoreError& error) {
        throw StoreError(error.cause(), fmt::format("migration {} ({}) failed and is undone: {}", migration.version, migration.name,
                                                    error.what()));
    }
    return true;
}

} // namespace

std::int64_t verified_version(Database& database, std::span<const Migration> known) {
    check_ours(database);
    const std::int64_t version = user_version(database);
    if (version > std::ssize(known)) {
        throw StoreError(Cause::newer_version,
                         fmt::format("{}: written by a newer program (schema {}, this one knows {}); use that program, or restore "
                                     "a backup from before",
                                     database.path(), version, known.size()));
    }
    if (version > 0) {
        check_applied(database, known, version);
    }
    return version;
}

std::filesystem::path copy_before(const std::filesystem::path& path, std::int64_t version) {
    return {fmt::format("{}.before-{}", path.string(), version)};
}

void migrate(Database& database, std::span<const Migration> known, std::int64_t recorded_at, const Log& log) {
    const std::int64_t version = verified_version(database, known);
    if (version == std::ssize(known)) {
        return;
    }
    if (version > 0) {
        copy_to(database, copy_before(database.path(), version + 1)); // replaces the copy of a failed attempt
    }
    upgrade(database, known, recorded_at, log);
}

void upgrade(Database& database, std::span<const Migration> known, std::int64_t recorded_at, const Log& log) {
    database.execute("PRAGMA foreign_keys = OFF"); // tables may be rebuilt; apply() checks all references
    while (apply_next(database, known, recorded_at, log)) {}
}

} // namespace costcurve::storage::sqlite
