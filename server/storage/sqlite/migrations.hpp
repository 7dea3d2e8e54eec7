// The schema's versions: which are known, which are applied, and how to get from one to the next. Forward only.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string_view>

#include "server/storage/sqlite/engine/database.hpp"

namespace costcurve::storage::sqlite {

/// One step of the schema: a script of SQL. At its line "-- program: hashes", copy_with_hashes runs.
struct Migration {
    std::int64_t version; ///< from 1, without gaps
    std::string_view name;
    std::string_view script;
};

/// Those of migrations/, in order; compiled in.
[[nodiscard]] std::span<const Migration> migrations();

/// The schema version of a database. Throws StoreError where another program wrote it (foreign_file), is newer than `known`, or has
/// a migration that isn't the known one (changed_migration). Writes nothing. 0 for an empty one.
[[nodiscard]] std::int64_t verified_version(Database& database, std::span<const Migration> known);

/// Applies what is missing of `known`, each in a transaction with its version and hash; before that copies a database that has
/// content to `<path>.before-<version>`. Throws StoreError: then the database is as before the migration that failed.
void migrate(Database& database, std::span<const Migration> known, std::int64_t recorded_at,
             const std::function<void(std::string_view)>& log = {});

/// The same without that copy, of a database that is one.
void upgrade(Database& database, std::span<const Migration> known, std::int64_t recorded_at,
             const std::function<void(std::string_view)>& log = {});

/// The copy that is made before a database gets to this version.
[[nodiscard]] std::filesystem::path copy_before(const std::filesystem::path& path, std::int64_t version);

/// The part of migration 0008 that SQL can't do. Copies change, body, revision and result into linked_change, hashed_body,
/// hashed_revision and hashed_result, with their hashes and the chain of all changes so far. Inside of the migration's transaction.
/// Logs its progress every few seconds; `log` may be empty.
void copy_with_hashes(Database& database, const std::function<void(std::string_view)>& log);

} // namespace costcurve::storage::sqlite
