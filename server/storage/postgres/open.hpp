// Checks of a PostgreSQL server before its use as a store: its locks and rights, and whether the store in it belongs to this
// program.
#pragma once

#include <cstdint>

#include "server/storage/check.hpp"
#include "server/storage/postgres/engine/connection.hpp"
#include "server/storage/store_settings.hpp"

namespace costcurve::storage::postgres {

/// Settings shared by all connections of a store.
[[nodiscard]] ConnectionSettings connection_settings(const StoreSettings& settings);

/// Creates a store in an empty schema, or checks an existing store: server, rights, version. Returns the key of the lock for
/// numbering changes. Throws StoreError with advice to the operator; nothing is then written.
[[nodiscard]] std::int64_t open_checked(const StoreSettings& settings, std::int64_t recorded_at);

/// Creates a store or migrates it to this program's schema. One program at a time.
void migrate_checked(const StoreSettings& settings, std::int64_t recorded_at);

/// `check_store` of open_store.hpp.
[[nodiscard]] CheckReport check(const StoreSettings& settings, const CheckOptions& options);

} // namespace costcurve::storage::postgres
