// The schema's versions: which are known, which are applied, and how to get from one to the next. Forward only.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string_view>

#include "server/storage/sqlite/engine/database.hpp"

namespace costcurve::storage::sqlite {

/// One schema migration: an SQL script. At its line "-- program: hashes", copy_with_hashes runs.
struct Migration {
    std::int64_t version; ///< from 1, without gaps
    std::string_view name;
    std::string_view script;
};

/// The migrations in migrations/, in order; compiled in.
[[nodiscard]] std::span<const Migration> migrations();

/// The schema version of a database, 0 if empty. Throws StoreError if another program wrote the database (foreign_file), if it is
/// newer than `known`, or if an applied migration differs from the known one (changed_migration). Writes nothing.
[[nodiscard]] std::int64_t verified_version(Database& database, std::span<const Migration> known);

/// Applies the missing migrations of `known`, each in a transaction with its version and hash. A database with content is first
/// copied to `<path>.before-<version>`. Throws StoreError: the database then stays as before the failed migration.
void migrate(Database& database, std::span<const Migration> known, std::int64_t recorded_at,
             const std::function<void(std::string_view)>& log = {});

/// Like migrate, without the copy; for a database that is itself a copy.
void upgrade(Database& database, std::span<const Migration> known, std::int64_t recorded_at,
             const std::function<void(std::string_view)>& log = {});

/// Path of the copy made before a database is migrated to this version.
[[nodiscard]] std::filesystem::path copy_before(const std::filesystem::path& path, std::int64_t version);

/// The part of migration 0008 that SQL can't do. Copies change, body, revision and result into linked_change, hashed_body,
/// hashed_revision and hashed_result, with their hashes and the chain of all changes so far. Inside of the migration's transaction.
/// Logs its progress every few seconds; `log` may be empty.
void copy_with_hashes(Database& database, const std::function<void(std::string_view)>& log);

} // namespace costcurve::storage::sqlite
