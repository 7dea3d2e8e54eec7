// Operations on a whole store file: open, migrate, verify, restore a backup.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "server/storage/check.hpp"
#include "server/storage/sqlite/engine/database.hpp"
#include "server/storage/sqlite/migrations.hpp"
#include "server/storage/store_settings.hpp"

namespace costcurve::storage::sqlite {

/// Opens the only writing connection and migrates the file to the newest of `known`. Throws StoreError.
[[nodiscard]] std::unique_ptr<Database> open_writer(const StoreSettings& settings, BusyTimeout busy_timeout,
                                                    std::span<const Migration> known, std::int64_t recorded_at);

/// Opens a read-only connection to a file that a writer has opened before. Throws StoreError.
[[nodiscard]] std::unique_ptr<Database> open_reader(const StoreSettings& settings, BusyTimeout busy_timeout);

/// `check_store` and `restore_store` of open_store.hpp.
[[nodiscard]] CheckReport check(Database& database, const CheckOptions& options = {});
[[nodiscard]] CheckReport check(const std::string& path, const CheckOptions& options = {});
std::string restore(const std::string& backup, const std::string& path);

} // namespace costcurve::storage::sqlite
