// Locks of open file descriptions. Linux keeps them apart from the POSIX locks that SQLite takes.
#include "server/storage/sqlite/engine/lock.hpp"

#include <cerrno>
#include <concepts>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "server/storage/error.hpp"

namespace costcurve::storage::sqlite {

namespace {

namespace fs = std::filesystem;
using Cause = StoreError::Cause;

constexpr off_t kOurByte = off_t{1} << 62U; // locked byte of the database, far from its content and SQLite's lock bytes
constexpr off_t kSqliteBytes = 0x40000000;  // first of SQLite's lock bytes, some of which an open database holds
constexpr off_t kSqliteBytesSize = 512;

[[noreturn]] void fail(const fs::path& path, const char* doing) {
    const int error = errno;
    const bool denied = error == EACCES || error == EROFS || error == EPERM;
    throw StoreError(denied ? Cause::read_only : Cause::unavailable,
                     fmt::format("{}: can't {}: {}", path.string(), doing, std::strerror(error))); // NOLINT(concurrency-mt-unsafe)
}

struct flock range(off_t start, off_t length) {
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = start;
    lock.l_len = length;
    return lock;
}

// Opens and locks the file. Calls `refused`, which throws, if another process holds the lock.
template <std::invocable<int> Refused> int open_locked(const fs::path& path, off_t start, const Refused& refused) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor < 0) {
        fail(path, "open the file");
    }
    struct flock lock = range(start, 1);
    if (fcntl(descriptor, F_OFD_SETLK, &lock) == 0) {
        return descriptor;
    }
    try {
        if (errno != EAGAIN && errno != EACCES) {
            fail(path, "lock the file");
        }
        refused(descriptor);
    } catch (...) {
        ::close(descriptor);
        throw;
    }
    return descriptor;
}

// The process id that the holder wrote into the lock file.
std::string holder_of(int lock) {
    std::string text(20, '\0');
    const ssize_t size = pread(lock, text.data(), text.size(), 0);
    text.resize(size > 0 ? static_cast<std::size_t>(size) : 0);
    text.resize(std::min(text.size(), text.find_first_not_of("0123456789")));
    return text;
}

// The process id of a process that has the database open, found by SQLite's own locks.
std::string user_of(int database) {
    struct flock lock = range(kSqliteBytes, kSqliteBytesSize);
    const bool is_held = fcntl(database, F_GETLK, &lock) == 0 && lock.l_type != F_UNLCK && lock.l_pid > 0;
    return is_held ? std::to_string(lock.l_pid) : "";
}

[[noreturn]] void refuse(const fs::path& path, const std::string& process) {
    throw StoreError(Cause::busy,
                     fmt::format("{}: another daemon{} serves this database; stop it first, or give another --database",
                                 path.string(), process.empty() ? "" : " (process " + process + ")"));
}

} // namespace

fs::path lock_of(const fs::path& path) {
    fs::path lock = fs::weakly_canonical(fs::absolute(path));
    lock += ".lock";
    return lock;
}

DaemonLock::Descriptor::~Descriptor() { ::close(number_); }

// Opens the database after locking the lock file, so that a refused daemon doesn't create the database.
DaemonLock::DaemonLock(const std::string& path)
    : lock_(open_locked(lock_of(path), 0, [&](int lock) { refuse(path, holder_of(lock)); })),
      database_(open_locked(path, kOurByte, [&](int database) { refuse(path, user_of(database)); })) {
    const std::string process = fmt::format("{}\n", getpid());
    if (ftruncate(lock_.number(), 0) != 0 ||
        pwrite(lock_.number(), process.data(), process.size(), 0) != static_cast<ssize_t>(process.size())) {
        fail(lock_of(path), "write the file");
    }
}

} // namespace costcurve::storage::sqlite
