// A PostgreSQL before it is used as a store: whether it keeps what it promises, and whether the store in it is one of this program.
#pragma once

#include <cstdint>

#include "server/storage/check.hpp"
#include "server/storage/postgres/engine/connection.hpp"
#include "server/storage/store_settings.hpp"

namespace costcurve::storage::postgres {

/// What connections of a store have in common.
[[nodiscard]] ConnectionSettings connection_settings(const StoreSettings& settings);

/// Makes a store where the schema is empty, and checks one that is there: server, rights, version. The key of the lock under which
/// changes are numbered. Throws StoreError with a sentence that says what to do; then nothing is written.
[[nodiscard]] std::int64_t open_checked(const StoreSettings& settings, std::int64_t recorded_at);

/// Brings a store to this program's schema, or makes one. One program at a time.
void migrate_checked(const StoreSettings& settings, std::int64_t recorded_at);

/// `check_store` of open_store.hpp.
[[nodiscard]] CheckReport check(const StoreSettings& settings, const CheckOptions& options);

} // namespace costcurve::storage::postgres
