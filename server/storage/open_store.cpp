// A path is that of an SQLite file, unless it is an address of PostgreSQL.
#include "server/storage/open_store.hpp"

#include <string_view>
#include <utility>

#ifdef COSTCURVE_POSTGRES
#include "server/storage/postgres/store.hpp"
#endif
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

bool is_address(std::string_view path) { return path.starts_with("postgres://") || path.starts_with("postgresql://"); }

std::unique_ptr<Store> open_store(StoreSettings settings) {
    if (!is_address(settings.path)) {
        return std::make_unique<sqlite::SqliteStore>(std::move(settings));
    }
#ifdef COSTCURVE_POSTGRES
    return std::make_unique<postgres::PostgresStore>(std::move(settings));
#else
    throw StoreError(StoreError::Cause::unavailable,
                     "this binary was built without PostgreSQL (COSTCURVE_POSTGRES=OFF): give a file, or use another build");
#endif
}

std::unique_ptr<StoreLock> lock_store(const std::string& path) {
    return is_address(path) ? std::make_unique<StoreLock>() : std::make_unique<FileLock>(path); // any number of daemons share one
}

CheckReport check_store(const std::string& path, const CheckOptions& options) { return sqlite::check(path, options); }

std::string restore_store(const std::string& backup, const std::string& path) { return sqlite::restore(backup, path); }

} // namespace costcurve::storage
