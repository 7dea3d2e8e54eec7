// Opens stores and works on them as a whole: the one place that knows which engine keeps a store.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "server/storage/check.hpp"
#include "server/storage/copy.hpp"
#include "server/storage/store.hpp"
#include "server/storage/store_settings.hpp"

namespace costcurve::storage {

/// Whether what stands for a path is the address of a PostgreSQL: "postgres://…" or "postgresql://…".
[[nodiscard]] bool is_address(std::string_view path);
/// A path for messages: of an address, what comes behind its user and password, without its parameters.
[[nodiscard]] std::string shown_path(std::string_view path);

/// Whether there is a store, or at least an address of one.
[[nodiscard]] bool may_be_there(const std::string& path);

/// Opens or creates a store. A file is brought to this version's schema, after a copy of one that has content; of PostgreSQL only
/// an empty schema is, as other daemons may have the store open. Throws StoreError: a foreign or damaged store, a newer version, a
/// migration that is not the one that was applied, a lock, a disk, a server.
[[nodiscard]] std::unique_ptr<Store> open_store(StoreSettings settings);

/// Brings a store to this version's schema, whatever its engine. Throws StoreError.
void migrate_store(const StoreSettings& settings);

/// Held by the one daemon of a store, from before it is opened until after it is closed. Goes with the process, however that ends.
class StoreLock {
public:
    virtual ~StoreLock() = default;
};
/// Throws StoreError (busy) with the process id of the holder. Not for verbs of the command line, which may work beside a daemon.
[[nodiscard]] std::unique_ptr<StoreLock> lock_store(const std::string& path);

/// Verifies every page, reference, hash and link of one moment of a store. Throws StoreError where it can't be opened, is foreign
/// or has another schema than this program's. Cost: reads the whole store, about 100 MB/s.
[[nodiscard]] CheckReport check_store(const std::string& path, const CheckOptions& options = {});

/// Puts a backup in the place of a store that no daemon has open; what was there stays beside it, and its name is returned (""
/// where there was nothing). Verifies the backup first: a costcurve store, of a known version, undamaged, every hash. Throws
/// StoreError.
std::string restore_store(const std::string& backup, const std::string& path);

/// Copies a whole store, with its history, to a new file or to an empty database, of whatever engine: numbers, times and hashes
/// stay. Nothing is written unless all of it is and reads the same afterwards. No daemon may have the target open. Throws
/// StoreError.
CopyReport copy_store(const std::string& from, const std::string& to, const CopyProgress& progress = {});

} // namespace costcurve::storage
