// Leases by the database's clock: who works on something, and until when nobody else does. No daemon's clock is compared with
// another.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "server/storage/postgres/engine/connection.hpp"

namespace costcurve::storage::postgres {

/// The database's clock in microseconds since 1970, in SQL.
inline constexpr const char* kDatabaseClock = "(extract(epoch FROM clock_timestamp()) * 1000000)::bigint";

/// How long a job, a run of a feed or an Idempotency-Key stays with a daemon that is not heard of any more.
inline constexpr std::chrono::seconds kLease{15};
/// How often a daemon renews what it holds: two renewals may fail.
inline constexpr std::chrono::seconds kRenewal{4};

[[nodiscard]] constexpr std::int64_t microseconds(std::chrono::microseconds time) { return time.count(); }

/// What a store is known by among those that have the database open; random.
[[nodiscard]] std::string make_holder();

/// Gives a holder a lease of a row of `table`, whose number is in `key`.
void lease_row(Connection& connection, std::string_view table, std::string_view key, std::int64_t row, std::string_view holder);

/// Lets one transaction at a time queue jobs.
void lock_jobs(Connection& connection);

/// Renews all leases of a holder; false if it holds none.
bool renew_leases(Connection& connection, const std::string& holder);

/// Ends the leases of a holder that stops, of jobs, runs of feeds and deliveries, and wakes other daemons, which may go on at once.
void return_leases(Connection& connection, const std::string& holder);

} // namespace costcurve::storage::postgres
