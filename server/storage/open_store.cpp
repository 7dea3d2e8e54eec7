// Opens a store: a path names an SQLite file unless it is the address of a PostgreSQL server.
#include "server/storage/open_store.hpp"

#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#ifdef COSTCURVE_POSTGRES
#include "server/storage/postgres/engine/copy_end.hpp"
#include "server/storage/postgres/open.hpp"
#include "server/storage/postgres/store.hpp"
#endif
#include "server/storage/sqlite/engine/copy_end.hpp"
#include "server/storage/sqlite/engine/lock.hpp"
#include "server/storage/sqlite/open.hpp"
#include "server/storage/sqlite/store.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::storage {

namespace {

struct FileLock : StoreLock {
    explicit FileLock(const std::string& path) : lock(path) {}
    sqlite::DaemonLock lock;
};

[[maybe_unused]] [[noreturn]] void refuse_address() {
    throw StoreError(StoreError::Cause::unavailable,
                     "this binary was built without PostgreSQL (COSTCURVE_POSTGRES=OFF): give a file, or use another build");
}

std::unique_ptr<CopyEnd> copy_end(const std::string& path, bool writes) {
#ifdef COSTCURVE_POSTGRES
    if (is_address(path)) {
        return postgres::copy_end(path, writes);
    }
#endif
    return sqlite::copy_end(path, writes);
}

} // namespace

bool is_address(std::string_view path) { return path.starts_with("postgres://") || path.starts_with("postgresql://"); }

std::string shown_path(std::string_view path) {
    if (!is_address(path)) {
        return std::string(path);
    }
    const std::string_view all = path.substr(path.find("//") + 2);
    const std::string_view place = all.substr(0, all.find('?'));
    const std::size_t user = place.rfind('@');
    return "postgres://" + std::string(user == std::string_view::npos ? place : place.substr(user + 1));
}

std::unique_ptr<Store> open_store(StoreSettings settings) {
    if (!is_address(settings.path)) {
        return std::make_unique<sqlite::SqliteStore>(std::move(settings));
    }
#ifdef COSTCURVE_POSTGRES
    return std::make_unique<postgres::PostgresStore>(std::move(settings));
#else
    refuse_address();
#endif
}

void migrate_store(const StoreSettings& settings) {
    if (!is_address(settings.path)) {
        static_cast<void>(open_store(settings));
        return;
    }
#ifdef COSTCURVE_POSTGRES
    postgres::migrate_checked(settings, settings.clock ? settings.clock() : system_microseconds());
#else
    refuse_address();
#endif
}

bool may_be_there(const std::string& path) {
    std::error_code ignored;
    return is_address(path) || std::filesystem::exists(path, ignored);
}

std::unique_ptr<StoreLock> lock_store(const std::string& path) {
    return is_address(path) ? std::make_unique<StoreLock>() : std::make_unique<FileLock>(path); // any number of daemons share one
}

CheckReport check_store(const std::string& path, const CheckOptions& options) {
    if (!is_address(path)) {
        return sqlite::check(path, options);
    }
#ifdef COSTCURVE_POSTGRES
    StoreSettings settings;
    settings.path = path;
    return postgres::check(settings, options);
#else
    refuse_address();
#endif
}

std::string restore_store(const std::string& backup, const std::string& path) {
    if (is_address(path)) {
        throw StoreError(
            StoreError::Cause::unavailable,
            "a store in PostgreSQL is restored by PostgreSQL (pg_restore, or point-in-time recovery); see docs/scaling.md");
    }
    return sqlite::restore(backup, path);
}

CopyReport copy_store(const std::string& from, const std::string& to, const CopyProgress& progress) {
    std::error_code ignored;
    if (!is_address(from) && !std::filesystem::exists(from, ignored)) {
        throw StoreError(StoreError::Cause::unavailable, "there is no database at " + from);
    }
    const bool is_new_file = !is_address(to);
    if (is_new_file && std::filesystem::exists(to, ignored)) {
        throw StoreError(StoreError::Cause::unavailable, to + " exists; copy to a new file");
    }
    static_cast<void>(open_store({.path = from})); // both are of this program's schema then
    try {
        static_cast<void>(open_store({.path = to}));
        const auto source = copy_end(from, false);
        const auto target = copy_end(to, true);
        return copy_all(*source, *target, progress);
    } catch (const StoreError&) {
        for (const char* suffix : {"", "-wal", "-shm"}) {
            if (is_new_file) {
                std::filesystem::remove(to + suffix, ignored);
            }
        }
        throw;
    }
}

} // namespace costcurve::storage
