// One daemon a store: a lock that goes with the process, however that ends.
#pragma once

#include <filesystem>
#include <string>

namespace costcurve::storage::sqlite {

/// Holds FILE.lock, beside the database itself where `path` is a symbolic link, and the database's own inode: another name of the
/// same file (a hard link) is the same store. Take it before the Store is opened, and keep it until that is closed. By open file
/// description (F_OFD_SETLK): it goes when the process ends. Not for command line verbs, which may work beside a daemon.
class DaemonLock {
public:
    /// Creates the database as an empty file where there is none. Throws StoreError (busy) with the process id of its holder.
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
