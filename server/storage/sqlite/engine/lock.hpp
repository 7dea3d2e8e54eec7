// One daemon a store: a lock that goes with the process, however that ends.
#pragma once

#include <filesystem>
#include <string>

namespace costcurve::storage::sqlite {

/// Locks FILE.lock beside the database (beside the target if `path` is a symbolic link) and the database's inode, so that a hard
/// link counts as the same store. Take it before opening the store, and keep it until the store is closed. Uses an open file
/// description lock (F_OFD_SETLK), which ends with the process. Not for command line verbs that may run beside a daemon.
class DaemonLock {
public:
    /// Creates the database as an empty file if there is none. Throws StoreError (busy) with the holder's process id.
    explicit DaemonLock(const std::string& path);

private:
    class Descriptor {
    public:
        explicit Descriptor(int number) : number_(number) {}
        ~Descriptor();
        Descriptor(const Descriptor&) = delete;
        Descriptor& operator=(const Descriptor&) = delete;
        [[nodiscard]] int number() const { return number_; }

    private:
        int number_;
    };
    Descriptor lock_;
    Descriptor database_;
};

/// The path of a database's lock file.
[[nodiscard]] std::filesystem::path lock_of(const std::filesystem::path& path);

} // namespace costcurve::storage::sqlite
