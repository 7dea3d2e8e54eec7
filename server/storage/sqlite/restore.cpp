// Replaces a database by a backup: verifies, locks and moves the old file aside. A complete file is in place at every moment.
#include "server/storage/sqlite/open.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "server/storage/error.hpp"
#include "server/storage/sqlite/engine/files.hpp"
#include "server/storage/sqlite/migrations.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::storage::sqlite {

namespace {

using Cause = StoreError::Cause;
namespace fs = std::filesystem;

void refuse_damaged(const std::string& backup, const CheckReport& report, const std::string& hint = "") {
    if (!report.is_good()) {
        throw StoreError(Cause::corrupt,
                         fmt::format("{}: the backup is damaged ({}{}); give another{}", backup, report.problems.front(),
                                     report.problem_count > 1 ? fmt::format(", and {} more", report.problem_count - 1) : "", hint));
    }
}

void remove_database(const fs::path& path) {
    std::error_code ignored;
    for (const fs::path& file : {path, log_of(path), shared_memory_of(path), fs::path(path.string() + "-journal")}) {
        fs::remove(file, ignored);
    }
}

// Verifies a migrated copy of a backup with an older schema, because the next start migrates it. The backup itself is restored
// unmigrated.
void verify_upgraded(Database& backup, const fs::path& copy) {
    remove_database(copy);
    try {
        copy_to(backup, copy);
        Database upgraded(copy, Database::Access::write);
        upgrade(upgraded, migrations(), system_microseconds());
        refuse_damaged(backup.path(), check(upgraded));
    } catch (...) {
        remove_database(copy);
        throw;
    }
    remove_database(copy);
}

void verify(Database& backup, const fs::path& copy) {
    const std::int64_t version = verified_version(backup, migrations());
    if (version == 0) {
        throw StoreError(Cause::foreign_file, backup.path() + ": an empty database; give a backup");
    }
    if (version == std::ssize(migrations())) {
        refuse_damaged(backup.path(), check(backup), fmt::format(". costcurve check --database {} says all", backup.path()));
        return;
    }
    check_whole(backup);
    {
        Rows rows(backup, "PRAGMA integrity_check(1)");
        if (!rows.next() || rows.text(0) != "ok") {
            throw StoreError(Cause::corrupt,
                             fmt::format("{}: the backup is damaged ({}); give another", backup.path(), rows.text(0)));
        }
    }
    if (Rows(backup, "PRAGMA foreign_key_check").next()) {
        throw StoreError(Cause::corrupt, backup.path() + ": the backup refers to rows that aren't there; give another");
    }
    verify_upgraded(backup, copy);
}

[[noreturn]] void refuse_held(const std::string& path) {
    throw StoreError(Cause::busy, path + ": another process holds the database: stop it first");
}

// SQLite can't open a damaged file to lock it; asks the system whether a process holds one of SQLite's lock bytes.
void check_not_held(const fs::path& path) {
    constexpr off_t kLockBytes = 0x40000000;
    constexpr off_t kLockBytesSize = 512;
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (descriptor < 0) {
        throw StoreError(Cause::read_only, fmt::format("{}: can't open the file to lock it", path.string()));
    }
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = kLockBytes;
    lock.l_len = kLockBytesSize;
    const bool held = fcntl(descriptor, F_GETLK, &lock) != 0 || lock.l_type != F_UNLCK;
    ::close(descriptor);
    if (held) {
        refuse_held(path.string());
    }
}

// Locks the database exclusively and merges its log; nothing if it is too damaged.
std::unique_ptr<Database> lock_old(const fs::path& path) {
    auto old = std::make_unique<Database>(path, Database::Access::write);
    try {
        old->execute("PRAGMA locking_mode = EXCLUSIVE"); // keeps every lock from the first read on
        static_cast<void>(verified_version(*old, migrations()));
        old->execute("PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE");
        return old;
    } catch (const StoreError& error) {
        if (error.cause() == Cause::busy) {
            refuse_held(path.string());
        }
        if (error.cause() == Cause::newer_version || error.cause() == Cause::changed_migration) {
            old->execute("PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE"); // readable, although perhaps not by this program
            return old;
        }
        if (error.cause() != Cause::corrupt) {
            throw;
        }
    }
    old.reset();
    check_not_held(path);
    return nullptr;
}

// Adds a second name (hard link) to the old file. It keeps its first name until the new file replaces it, so that one of them is
// always in place.
void keep_as(const fs::path& old, const fs::path& aside) {
    std::error_code error;
    fs::create_hard_link(old, aside, error);
    if (error) {
        rename_file(old, aside); // fallback for file systems without hard links
    }
}

std::string name_aside(const fs::path& path) {
    std::string time = format_time(system_microseconds());
    std::erase_if(time, [](char c) { return c == ':' || c == '-'; });
    return fmt::format("{}.replaced-{}", path.string(), time);
}

// Renames the new file to the path of the old one, which may be gone. The old file's log must not be read as the new file's.
void put_in_place(const fs::path& partial, const fs::path& path, const fs::path& aside) {
    if (fs::exists(log_of(path))) {
        rename_file(log_of(path), log_of(aside));
    }
    std::error_code ignored;
    fs::remove(shared_memory_of(path), ignored);
    rename_file(partial, path);
}

} // namespace

std::string restore(const std::string& backup, const std::string& path) {
    const fs::path partial = path + ".restoring";
    {
        Database source(backup, Database::Access::read);
        verify(source, path + ".checking");
        copy_to(source, partial);
    }
    std::string aside = name_aside(path);
    if (!fs::exists(path)) {
        put_in_place(partial, path, aside);
        return "";
    }
    try {
        const auto old = lock_old(path);
        keep_as(path, aside);
        put_in_place(partial, path, aside);
    } catch (...) {
        std::error_code ignored;
        fs::remove(partial, ignored);
        throw;
    }
    return aside;
}

} // namespace costcurve::storage::sqlite
