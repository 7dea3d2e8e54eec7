// Opens connections. Checks that the file belongs to costcurve before it changes anything.
#include "server/storage/sqlite/open.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "server/storage/sqlite/engine/files.hpp"

namespace costcurve::storage::sqlite {

namespace {

constexpr std::int64_t kBytesPerMegabyte = 1 << 20;
// Page size of new files; existing files keep theirs. Twice SQLite's default: a large import takes a fifth less time, as each page
// costs a system call.
constexpr const char* kPageSize = "PRAGMA page_size = 8192";
// Cache size per connection in KB (negative in SQLite). The writer's cache avoids writing pages of a large import several times.
constexpr const char* kReaderCache = "PRAGMA cache_size = -16384";
constexpr const char* kWriterCache = "PRAGMA cache_size = -131072";

void limit_size(Database& database, std::int64_t max_mb) {
    if (max_mb > 0) {
        const std::int64_t pages = max_mb * kBytesPerMegabyte / std::max<std::int64_t>(database.number("PRAGMA page_size"), 1);
        database.execute(fmt::format("PRAGMA max_page_count = {}", pages));
    }
}

} // namespace

std::unique_ptr<Database> open_writer(const StoreSettings& settings, BusyTimeout busy_timeout, std::span<const Migration> known,
                                      std::int64_t recorded_at) {
    auto database = std::make_unique<Database>(settings.path, Database::Access::create, busy_timeout);
    if (database->is_read_only()) {
        throw StoreError(StoreError::Cause::read_only,
                         fmt::format("{}: the file can't be written; check its permissions and its file system", database->path()));
    }
    static_cast<void>(verified_version(*database, known));
    make_private(settings.path, settings.log);
    check_whole(*database);
    database->execute(kPageSize);
    database->execute("PRAGMA journal_mode = WAL");
    database->execute("PRAGMA synchronous = FULL"); // a commit is on disk before it is answered
    database->execute(kWriterCache);
    database->execute("PRAGMA journal_size_limit = 67108864"); // maximum log size in bytes kept after a large import
    limit_size(*database, settings.max_database_mb);
    migrate(*database, known, recorded_at, settings.log);
    database->execute("PRAGMA foreign_keys = ON");
    return database;
}

std::unique_ptr<Database> open_reader(const StoreSettings& settings, BusyTimeout busy_timeout) {
    auto database = std::make_unique<Database>(settings.path, Database::Access::read, busy_timeout);
    database->execute(kReaderCache);
    return database;
}

} // namespace costcurve::storage::sqlite
