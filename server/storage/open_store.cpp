// A path is that of an SQLite file.
#include "server/storage/open_store.hpp"

#include <utility>

#include "server/storage/sqlite/engine/lock.hpp"
#include "server/storage/sqlite/open.hpp"
#include "server/storage/sqlite/store.hpp"

namespace costcurve::storage {

namespace {

struct FileLock : StoreLock {
    explicit FileLock(const std::string& path) : lock(path) {}
    sqlite::DaemonLock lock;
};

} // namespace

std::unique_ptr<Store> open_store(StoreSettings settings) { return std::make_unique<sqlite::SqliteStore>(std::move(settings)); }

std::unique_ptr<StoreLock> lock_store(const std::string& path) { return std::make_unique<FileLock>(path); }

CheckReport check_store(const std::string& path, const CheckOptions& options) { return sqlite::check(path, options); }

std::string restore_store(const std::string& backup, const std::string& path) { return sqlite::restore(backup, path); }

} // namespace costcurve::storage
