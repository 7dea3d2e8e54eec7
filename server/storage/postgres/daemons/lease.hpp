// Leases by the database's clock: the holder of a task, and the time until which no other daemon may take it. Clocks of daemons are
// never compared.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "server/storage/postgres/engine/connection.hpp"

namespace costcurve::storage::postgres {

/// The database's clock in microseconds since 1970, in SQL.
inline constexpr const char* kDatabaseClock = "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint";

/// Lease of a job, a feed run or an Idempotency-Key: how long it stays with a daemon that has stopped responding.
inline constexpr std::chrono::seconds kLease{15};
/// Interval between renewals of a daemon's leases; two renewals in a row may fail.
inline constexpr std::chrono::seconds kRenewal{4};

[[nodiscard]] constexpr std::int64_t microseconds(std::chrono::microseconds time) { return time.count(); }

/// A random name that identifies this store object among all that have the database open.
[[nodiscard]] std::string make_holder();

/// Leases row `row` of `table` to a holder; column `key` has the row's number.
void lease_row(Connection& connection, std::string_view table, std::string_view key, std::int64_t row, std::string_view holder);

/// Lets one transaction at a time queue jobs.
void lock_jobs(Connection& connection);

/// Renews all leases of a holder; false if it holds none.
bool renew_leases(Connection& connection, const std::string& holder);

/// Ends a stopping holder's leases of jobs, feed runs and deliveries, and wakes other daemons so that they continue at once.
void return_leases(Connection& connection, const std::string& holder);

} // namespace costcurve::storage::postgres
