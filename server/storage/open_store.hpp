// Opens stores and runs whole-store operations. The only place that knows which engine keeps a store.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "server/storage/check.hpp"
#include "server/storage/copy.hpp"
#include "server/storage/store.hpp"
#include "server/storage/store_settings.hpp"

namespace costcurve::storage {

/// Whether a path is the address of a PostgreSQL server: "postgres://…" or "postgresql://…".
[[nodiscard]] bool is_address(std::string_view path);
/// A path for messages. An address is shown without user, password and parameters.
[[nodiscard]] std::string shown_path(std::string_view path);

/// Whether a store file exists at the path, or the path is an address.
[[nodiscard]] bool may_be_there(const std::string& path);

/// Opens or creates a store. An SQLite file is migrated to this version's schema, after a copy if it has content. In PostgreSQL
/// only an empty schema is migrated, because other daemons may have the store open. Throws StoreError if the store is foreign,
/// damaged, newer or has a changed migration, and for failures of locks, disk or server.
[[nodiscard]] std::unique_ptr<Store> open_store(StoreSettings settings);

/// Brings a store to this version's schema, whatever its engine. Throws StoreError.
void migrate_store(const StoreSettings& settings);

/// Lock held by the only daemon of a store, from before opening until after closing the store. The lock ends with the process.
class StoreLock {
public:
    virtual ~StoreLock() = default;
};
/// Takes the lock. Throws StoreError (busy) with the holder's process id. Not for command line verbs that may run beside a daemon.
[[nodiscard]] std::unique_ptr<StoreLock> lock_store(const std::string& path);

/// Verifies every page, reference, hash and chain link of one snapshot of a store. Throws StoreError if the store can't be opened,
/// is foreign or has another schema version. Cost: reads the whole store, about 100 MB/s.
[[nodiscard]] CheckReport check_store(const std::string& path, const CheckOptions& options = {});

/// Replaces a store that no daemon has open by a backup. The old store is kept beside it; returns its name, "" if there was none.
/// First verifies the backup: a costcurve store of a known version with every hash correct. Throws StoreError.
std::string restore_store(const std::string& backup, const std::string& path);

/// Copies a whole store with its history to a new file or an empty database, of either engine. Numbers, times and hashes are
/// preserved. Writes nothing unless the whole copy reads back identical. No daemon may have the target open. Throws StoreError.
CopyReport copy_store(const std::string& from, const std::string& to, const CopyProgress& progress = {});

} // namespace costcurve::storage
