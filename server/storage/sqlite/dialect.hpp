// What SQLite is to the statements that engines share, and the locks that it does without: it has one writer, and one daemon.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "server/storage/sql/change.hpp"
#include "server/storage/sql/dialect.hpp"
#include "server/storage/sqlite/engine/database.hpp"

namespace costcurve::storage::sql {

template <> struct Dialect<sqlite::Database> {
    using Rows = sqlite::Rows;
    static constexpr const char* kNotice = "";
    static constexpr const char* kReturnNotice = "";
    static constexpr const char* kIsFree = "$1 = ''";
    static constexpr const char* kIsOver = "1 = 1";
    static constexpr const char* kEndLease = "";
    static constexpr const char* kNumbered = "?";
    static constexpr const char* kPosition = "instr";
    static constexpr const char* kDiffers = "IS NOT";
    static constexpr const char* kRandomId = "lower(hex(randomblob(16)))";
    static constexpr const char* kUrlOfBody = "b.text ->> '$.url'";
    static constexpr const char* kDatabaseBytes = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size";
    static std::string lock(std::string_view /*table*/) { return ""; }
    static std::string skip_locked(std::string_view /*table*/) { return ""; }
};

} // namespace costcurve::storage::sql

namespace costcurve::storage::sqlite {

using Change = sql::Change<Database>;

inline void lock_changes(Database& /*database*/) {}
inline void lock_jobs(Database& /*database*/) {}
inline void lease_row(Database& /*database*/, std::string_view /*table*/, std::string_view /*key*/, std::int64_t /*row*/,
                      std::string_view /*holder*/) {}
inline void remove_attempts(Database& /*database*/, std::int64_t /*run*/) {}

} // namespace costcurve::storage::sqlite
