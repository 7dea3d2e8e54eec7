// A store's file as a whole: opened, brought to the schema of this program, verified, replaced by a backup.
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

/// The one connection that writes, on a file brought to the newest of `known`. Throws StoreError.
[[nodiscard]] std::unique_ptr<Database> open_writer(const StoreSettings& settings, BusyTimeout busy_timeout,
                                                    std::span<const Migration> known, std::int64_t recorded_at);

/// One that only reads what a writer has opened before. Throws StoreError.
[[nodiscard]] std::unique_ptr<Database> open_reader(const StoreSettings& settings, BusyTimeout busy_timeout);

/// `check_store` and `restore_store` of open_store.hpp.
[[nodiscard]] CheckReport check(Database& database, const CheckOptions& options = {});
[[nodiscard]] CheckReport check(const std::string& path, const CheckOptions& options = {});
std::string restore(const std::string& backup, const std::string& path);

} // namespace costcurve::storage::sqlite
