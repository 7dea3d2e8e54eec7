// Leases of deliveries, in two columns. A webhook's pending deliveries are one range of an index.
#include "server/storage/postgres/daemons/outbox.hpp"

#include <string>

#include <fmt/format.h>

#include "server/storage/postgres/daemons/lease.hpp"
#include "server/storage/rows.hpp"

namespace costcurve::storage::postgres {

namespace {

// $1 is the holder, $2 the time. Selects the oldest delivery of each webhook that no other holder has leased. A transaction that
// waited for a row lock rechecks the row after the other transaction's write.
constexpr const char* kCandidates = R"(
    FROM webhook w JOIN document d ON d.document = w.webhook
         JOIN delivery v ON v.delivery = (SELECT p.delivery FROM delivery p
                                          WHERE p.webhook = w.webhook AND p.state = 'pending' AND p.next_try_at <= $2
                                          ORDER BY p.next_try_at, p.delivery LIMIT 1)
         JOIN event e ON e.event = v.event
    WHERE w.enabled = 1 AND v.state = 'pending' AND v.next_try_at <= $2
          AND (v.holder IS NULL OR v.holder = $1 OR v.lease_until <= {0})
          AND NOT EXISTS (SELECT 1 FROM delivery o WHERE o.webhook = w.webhook AND o.state = 'pending' AND o.holder <> $1
                                                         AND o.lease_until > {0}))";
constexpr const char* kTake = R"(
    SELECT v.delivery, v.id, d.id, w.url, w.secret, v.attempts, v.event, e.recorded_at, e.kind, e.subject, e.body,
           (v.holder = $1 AND v.lease_until > {} + $4 / 2) IS TRUE
    {} ORDER BY v.next_try_at, v.delivery LIMIT $3 FOR UPDATE OF v SKIP LOCKED)";
constexpr const char* kLeaseDeliveries = "UPDATE delivery SET holder = $1, lease_until = {} + $2 WHERE delivery = ANY($3)";
// A delivery leased by another holder is due at the lease's end. The end is converted to a delay from now, because clocks may
// differ.
constexpr const char* kNextDue = R"(
    SELECT min(greatest(p.next_try_at, p.free_at)) FROM webhook w CROSS JOIN LATERAL (
        SELECT min(v.next_try_at) AS next_try_at,
               max(CASE WHEN v.holder <> $1 AND v.lease_until > {0} THEN $2 + v.lease_until - {0} END) AS free_at
        FROM delivery v WHERE v.webhook = w.webhook AND v.state = 'pending') p
    WHERE w.enabled = 1)";

std::string candidates() { return fmt::format(kCandidates, kDatabaseClock); }

} // namespace

bool has_due(Connection& connection, std::string_view holder, std::int64_t now) {
    return Rows(connection, "SELECT 1" + candidates() + " LIMIT 1", holder, now).next();
}

TakenDeliveries take_due(Connection& connection, std::string_view holder, std::int64_t now, std::size_t limit,
                         std::chrono::seconds lease) {
    std::vector<DueDelivery> due;
    std::vector<std::int64_t> to_lease;
    Rows rows(connection, fmt::format(kTake, kDatabaseClock, candidates()), holder, now, limit, microseconds(lease));
    while (rows.next()) {
        due.push_back(read_due_delivery(rows));
        if (rows.integer(11) == 0) {
            to_lease.push_back(due.back().row);
        }
    }
    if (!to_lease.empty()) {
        connection.run(fmt::format(kLeaseDeliveries, kDatabaseClock), holder, microseconds(lease), to_lease);
    }
    return {std::move(due), !to_lease.empty()};
}

std::optional<std::int64_t> next_due(Connection& connection, std::string_view holder, std::int64_t now) {
    Rows rows(connection, fmt::format(kNextDue, kDatabaseClock), holder, now);
    return rows.next() && !rows.is_null(0) ? std::optional(rows.integer(0)) : std::nullopt;
}

} // namespace costcurve::storage::postgres
