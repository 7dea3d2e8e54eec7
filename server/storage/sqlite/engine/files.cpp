// Files by POSIX calls, where the standard library can't flush or doesn't report the cause of a failure.
#include "server/storage/sqlite/engine/files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <unistd.h>

namespace costcurve::storage::sqlite {

namespace {

using Cause = StoreError::Cause;
namespace fs = std::filesystem;

constexpr std::uint64_t kMinFreeBytes = 16U << 20U; // room for a write of the largest document and its log

[[noreturn]] void fail(const fs::path& path, const char* doing, int error) {
    const Cause cause = error == ENOSPC || error == EDQUOT || error == EFBIG  ? Cause::full
                        : error == EROFS || error == EACCES || error == EPERM ? Cause::read_only
                                                                              : Cause::unavailable;
    throw StoreError(cause,
                     fmt::format("{}: can't {}: {}", path.string(), doing, std::strerror(error))); // NOLINT(concurrency-mt-unsafe)
}

void remove_all_of(const fs::path& path) {
    std::error_code ignored;
    for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
        fs::remove(path.string() + suffix, ignored);
    }
}

} // namespace

fs::path log_of(const fs::path& path) { return path.string() + "-wal"; }
fs::path shared_memory_of(const fs::path& path) { return path.string() + "-shm"; }

void check_whole(Database& database) {
    std::error_code none;
    const std::uintmax_t log = fs::file_size(log_of(database.path()), none);
    const std::uintmax_t size = fs::file_size(database.path());
    const auto page = std::max<std::uintmax_t>(1, static_cast<std::uintmax_t>(database.number("PRAGMA page_size")));
    if ((none || log == 0) && size % page != 0) {
        throw StoreError(Cause::corrupt, fmt::format("{}: the file is cut off after {} bytes, within a page; restore a backup",
                                                     database.path(), size));
    }
}

void make_private(const fs::path& path, const std::function<void(std::string_view)>& log) {
    constexpr auto kOthers = fs::perms::group_all | fs::perms::others_all;
    const fs::path whole = fs::absolute(path);
    const std::string name = whole.filename().string();
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(whole.parent_path(), ignored)) {
        const std::string other = entry.path().filename().string();
        const bool is_ours = other == name || other == name + "-wal" || other == name + "-shm" ||
                             other.starts_with(name + ".before-") || other.starts_with(name + ".replaced-");
        std::error_code error;
        const fs::file_status status = is_ours ? entry.status(error) : fs::file_status();
        if (!is_ours || error || !fs::is_regular_file(status) || (status.permissions() & kOthers) == fs::perms::none) {
            continue;
        }
        fs::permissions(entry.path(), kOthers, fs::perm_options::remove, error);
        if (log && !other.ends_with("-wal") && !other.ends_with("-shm")) {
            log(error ? fmt::format("{}: other users may read this file, which has secrets, and that can't be changed: {}",
                                    entry.path().string(), error.message())
                      : fmt::format("{}: other users could read this file, which has secrets; now its owner only",
                                    entry.path().string()));
        }
    }
}

void flush_folder(const fs::path& folder) {
    const fs::path place = folder.empty() ? "." : folder;
    const int descriptor = ::open(place.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) {
        fail(place, "open the folder", errno);
    }
    const int code = fsync(descriptor);
    const int error = errno;
    ::close(descriptor);
    if (code != 0) {
        fail(place, "flush the folder", error);
    }
}

void rename_file(const fs::path& from, const fs::path& to) {
    if (std::rename(from.c_str(), to.c_str()) != 0) {
        fail(from, "rename the file", errno);
    }
    flush_folder(to.parent_path());
}

void copy_to(Database& database, const fs::path& path) {
    const fs::path partial = path.string() + ".partial";
    remove_all_of(partial);
    try {
        Database copy(partial, Database::Access::create);
        database.copy_into(copy);                     // flushed by SQLite, as any commit
        copy.execute("PRAGMA journal_mode = DELETE"); // the copied header has WAL
    } catch (...) {
        remove_all_of(partial);
        throw;
    }
    rename_file(partial, path);
}

void check_space(const fs::path& path) {
    struct statvfs state {};
    if (statvfs(path.c_str(), &state) != 0) {
        fail(path, "ask for free space", errno);
    }
    if ((state.f_flag & ST_RDONLY) != 0) {
        throw StoreError(Cause::read_only, fmt::format("{}: the file system is mounted for reading only", path.string()));
    }
    const std::uint64_t free_bytes = static_cast<std::uint64_t>(state.f_bavail) * state.f_frsize;
    if (free_bytes < kMinFreeBytes) {
        throw StoreError(Cause::full, fmt::format("{}: {} KB are left on the disk, {} KB are needed; free some space",
                                                  path.string(), free_bytes / 1024, kMinFreeBytes / 1024));
    }
}

void check_file_limit(Database& database) {
    struct rlimit limit {};
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) {
        return;
    }
    const auto page = static_cast<std::uint64_t>(database.number("PRAGMA page_size"));
    const std::uint64_t needed = kMinFreePages * page;
    const std::uint64_t free = static_cast<std::uint64_t>(database.number("PRAGMA freelist_count")) * page;
    const std::uint64_t size = static_cast<std::uint64_t>(database.number("PRAGMA page_count")) * page;
    std::error_code none;
    const std::uintmax_t log = fs::file_size(log_of(database.path()), none);
    if (size + needed > limit.rlim_cur + std::min(free, needed) || (!none && log + needed > limit.rlim_cur)) {
        throw StoreError(Cause::full,
                         fmt::format("{}: a file of this process may have {} KB, and it or its log is nearly as large; "
                                     "raise the limit (ulimit -f, LimitFSIZE)",
                                     database.path(), limit.rlim_cur / 1024));
    }
}

} // namespace costcurve::storage::sqlite
