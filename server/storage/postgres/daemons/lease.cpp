// Leases of jobs, runs of feeds and Idempotency-Keys. Deliveries have leases of their own length.
#include "server/storage/postgres/daemons/lease.hpp"

#include <array>
#include <random>

#include <fmt/format.h>

namespace costcurve::storage::postgres {

namespace {

// Each statement reads only a few rows, through an index of open rows.
constexpr auto kRenewals = std::to_array<const char*>({
    "UPDATE job SET lease_until = {} + $2 WHERE holder = $1 AND state IN ('queued', 'running')",
    "UPDATE feed_run SET lease_until = {} + $2 WHERE holder = $1 AND state = 'running'",
    "UPDATE answer SET lease_until = {} + $2 WHERE holder = $1 AND status = 0",
});

// Leases of Idempotency-Keys aren't returned: an interrupted handler may or may not have written something.
constexpr auto kReturns = std::to_array<const char*>({
    "UPDATE delivery SET holder = NULL, lease_until = NULL WHERE holder = $1 AND state = 'pending'",
    "UPDATE job SET holder = NULL, lease_until = NULL WHERE holder = $1 AND state IN ('queued', 'running')",
    "UPDATE feed_run SET holder = NULL, lease_until = NULL WHERE holder = $1 AND state = 'running'",
});

} // namespace

std::string make_holder() {
    std::random_device random;
    return fmt::format("{:08x}{:08x}{:08x}", random(), random(), random());
}

void lease_row(Connection& connection, std::string_view table, std::string_view key, std::int64_t row, std::string_view holder) {
    connection.post(fmt::format("UPDATE {} SET holder = $1, lease_until = {} + $2 WHERE {} = $3", table, kDatabaseClock, key),
                    holder, microseconds(kLease), row);
}

void lock_jobs(Connection& connection) { connection.post("SELECT pg_advisory_xact_lock(1785684595, 0)"); } // "jobs"

bool renew_leases(Connection& connection, const std::string& holder) {
    std::int64_t renewed = 0;
    for (const char* const sql : kRenewals) {
        renewed += connection.run(fmt::format(fmt::runtime(sql), kDatabaseClock), holder, microseconds(kLease));
    }
    return renewed > 0;
}

void return_leases(Connection& connection, const std::string& holder) {
    connection.execute("SET statement_timeout = 2000"); // a stopping daemon doesn't wait for an unresponsive server
    for (const char* const sql : kReturns) {
        connection.run(sql, holder);
    }
    connection.execute("NOTIFY costcurve");
}

} // namespace costcurve::storage::postgres
