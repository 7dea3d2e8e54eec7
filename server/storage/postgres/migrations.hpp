// The schema's versions in PostgreSQL: which are known, which are applied, and how to get from one to the next. Forward only.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "server/storage/postgres/engine/connection.hpp"

namespace costcurve::storage::postgres {

/// One schema migration: an SQL script. The first creates the whole schema of its version.
struct Migration {
    std::int64_t version; ///< without gaps; equal to the SQLite version with the same meaning
    std::string_view name;
    std::string_view script;
};

/// The migrations in migrations/postgres/, in order; compiled in.
[[nodiscard]] std::span<const Migration> migrations();

/// The schema version of a database, 0 if empty. Up to `max_newer` versions beyond `known` are accepted, so that a release can be
/// rolled out beside the previous one. Throws StoreError if another program wrote the database (foreign_file), if it is newer, or
/// if an applied migration differs from the known one (changed_migration). Writes nothing.
[[nodiscard]] std::int64_t verified_version(Connection& connection, std::span<const Migration> known, std::int64_t max_newer = 0);

/// Applies the missing migrations of `known`, each in a transaction with its version and hash; one program at a time. Throws
/// StoreError: the database then stays as before the failed migration.
void migrate(Connection& connection, std::span<const Migration> known, std::int64_t recorded_at,
             const std::function<void(std::string_view)>& log = {});

} // namespace costcurve::storage::postgres
