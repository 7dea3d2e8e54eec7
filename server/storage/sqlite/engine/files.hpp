// Whole files around a database: copies that are complete or not there, folders flushed, free space. Knows no tables.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string_view>

#include "server/storage/sqlite/engine/database.hpp"

namespace costcurve::storage::sqlite {

/// Copies a snapshot of a database over a file: flushed, without a log beside it. Throws StoreError; the file is then unchanged.
void copy_to(Database& database, const std::filesystem::path& path);

/// Flushes a folder's entries to disk. Throws StoreError.
void flush_folder(const std::filesystem::path& folder);

/// Renames within a file system, and flushes the folder. Throws StoreError.
void rename_file(const std::filesystem::path& from, const std::filesystem::path& to);

/// Throws StoreError if the file system is read-only or has less free space than a write may need.
void check_space(const std::filesystem::path& path);

/// Pages that a write of a usual document and its indices may need.
inline constexpr std::int64_t kMinFreePages = 32;

/// Throws StoreError (full) if the process's file size limit (ulimit -f) leaves less than a write may need.
void check_file_limit(Database& database);

/// Throws StoreError (corrupt) if the file ends within a page and no log has the rest: SQLite would read zeros.
void check_whole(Database& database);

/// Removes the permissions of others on the database, the files beside it and copies before upgrades; logs
/// each.
void make_private(const std::filesystem::path& path, const std::function<void(std::string_view)>& log);

/// The log and the shared memory that SQLite keeps beside a database in use.
[[nodiscard]] std::filesystem::path log_of(const std::filesystem::path& path);
[[nodiscard]] std::filesystem::path shared_memory_of(const std::filesystem::path& path);

} // namespace costcurve::storage::sqlite
