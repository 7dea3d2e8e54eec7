// The schema's versions in PostgreSQL: which are known, which are applied, and how to get from one to the next. Forward only.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "server/storage/postgres/engine/connection.hpp"

namespace costcurve::storage::postgres {

/// One step of the schema: a script of SQL. The first makes it as of its version.
struct Migration {
    std::int64_t version; ///< without gaps; the same as SQLite's of the same meaning
    std::string_view name;
    std::string_view script;
};

/// Those of migrations/postgres/, in order; compiled in.
[[nodiscard]] std::span<const Migration> migrations();

/// The schema version of a database. Throws StoreError where another program wrote it (foreign_file), it is newer than `known`, or
/// it has a migration that isn't the known one (changed_migration). Writes nothing. 0 for an empty one. `max_newer` versions more
/// than the known ones are taken as well: a release that is rolled out runs beside the one before.
[[nodiscard]] std::int64_t verified_version(Connection& connection, std::span<const Migration> known, std::int64_t max_newer = 0);

/// Applies what is missing of `known`, each in a transaction with its version and hash; one program at a time. Throws StoreError:
/// then the database is as before the migration that failed.
void migrate(Connection& connection, std::span<const Migration> known, std::int64_t recorded_at,
             const std::function<void(std::string_view)>& log = {});

} // namespace costcurve::storage::postgres
