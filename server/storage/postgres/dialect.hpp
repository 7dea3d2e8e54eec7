// What PostgreSQL is to the statements that engines share.
#pragma once

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "server/storage/postgres/daemons/lease.hpp"
#include "server/storage/postgres/engine/connection.hpp"
#include "server/storage/sql/change.hpp"
#include "server/storage/sql/dialect.hpp"

namespace costcurve::storage::sql {

template <> struct Dialect<postgres::Connection> {
    using Rows = postgres::Rows;
    static constexpr const char* kNotice = ", pg_notify('costcurve', '')";
    static constexpr const char* kReturnNotice = " RETURNING pg_notify('costcurve', '')";
    static inline const std::string kIsOver = fmt::format("coalesce(lease_until, 0) <= {}", postgres::kDatabaseClock);
    static inline const std::string kIsFree = fmt::format("(holder IS NULL OR holder = $1 OR {})", kIsOver);
    static constexpr const char* kEndLease = ", holder = NULL, lease_until = NULL";
    static constexpr const char* kNumbered = "$";
    static constexpr const char* kPosition = "strpos";
    static constexpr const char* kDiffers = "IS DISTINCT FROM";
    static constexpr const char* kRandomId = "replace(gen_random_uuid()::text, '-', '')";
    static constexpr const char* kUrlOfBody = "b.text::json ->> 'url'";
    static constexpr const char* kDatabaseBytes = R"(
        SELECT coalesce(sum(pg_total_relation_size(oid)), 0)::bigint FROM pg_class
        WHERE relkind = 'r' AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()))";
    static std::string lock(std::string_view table) { return fmt::format(" FOR NO KEY UPDATE OF {}", table); }
    static std::string skip_locked(std::string_view table) { return fmt::format(" FOR UPDATE OF {} SKIP LOCKED", table); }
};

} // namespace costcurve::storage::sql

namespace costcurve::storage::postgres {

using Change = sql::Change<Connection>;

} // namespace costcurve::storage::postgres
