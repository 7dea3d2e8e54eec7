// A webhook's pending deliveries are one range of an index; a lease is two columns of the delivery.
#include "server/storage/postgres/daemons/outbox.hpp"

#include <limits>
#include <string>

#include <fmt/format.h>

#include "server/storage/change_number.hpp"
#include "server/storage/postgres/daemons/lease.hpp"
#include "server/storage/rows.hpp"
#include "server/storage/stored_names.hpp"

namespace costcurve::storage::postgres {

namespace {

constexpr const char* kSaveWebhook = R"(
    INSERT INTO webhook AS w (webhook, url, secret, events, enabled) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (webhook) DO UPDATE SET url = excluded.url, secret = coalesce(excluded.secret, w.secret), events = excluded.events,
                                        enabled = excluded.enabled
    WHERE (w.url, w.events, w.enabled) <> (excluded.url, excluded.events, excluded.enabled)
          OR coalesce(excluded.secret, w.secret) IS DISTINCT FROM w.secret)";
constexpr const char* kRemoveWebhook = "DELETE FROM webhook WHERE webhook = $1";
constexpr const char* kGiveUp =
    "UPDATE delivery SET state = 'dead', last_error = 'the webhook was deleted' WHERE webhook = $1 AND state = 'pending'";
constexpr const char* kHasSecret = R"(
    SELECT 1 FROM named_document d JOIN webhook w ON w.webhook = d.document
    WHERE d.kind = 'webhook' AND d.id = $1 AND w.secret IS NOT NULL)";

constexpr const char* kAddEvent = R"(
    INSERT INTO event (recorded_at, kind, subject, body) VALUES ($1, $2, $3, $4) RETURNING event, pg_notify('costcurve', ''))";
constexpr const char* kAddDeliveries = R"(
    INSERT INTO delivery (id, event, webhook, next_try_at)
    SELECT replace(gen_random_uuid()::text, '-', ''), $1, w.webhook, $2
    FROM webhook w JOIN document d ON d.document = w.webhook
    WHERE w.enabled = 1 AND (d.id = $3 OR ($4 = 0 AND (w.events = '' OR strpos(w.events, ' ' || $5 || ' ') > 0)))
    ORDER BY w.webhook)";
// $1 is the holder, $2 the time: the oldest delivery of each webhook that nobody else has a lease of. Whoever is second to lock a
// row looks at it again, as the first one left it.
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
// By the index delivery_written. The clock may jitter.
constexpr const char* kHasFuture =
    "SELECT 1 FROM delivery WHERE state = 'pending' AND coalesce(last_try_at, next_try_at) > $1 LIMIT 1";
constexpr const char* kForgetFuture = R"(
    UPDATE delivery SET next_try_at = $1, last_try_at = least(last_try_at, $1)
    WHERE state = 'pending' AND coalesce(last_try_at, next_try_at) > $1)";
// What another holder has a lease of is due at its end: that is so long from now, whatever the two clocks say.
constexpr const char* kNextDue = R"(
    SELECT min(greatest(p.next_try_at, p.free_at)) FROM webhook w CROSS JOIN LATERAL (
        SELECT min(v.next_try_at) AS next_try_at,
               max(CASE WHEN v.holder <> $1 AND v.lease_until > {0} THEN $2 + v.lease_until - {0} END) AS free_at
        FROM delivery v WHERE v.webhook = w.webhook AND v.state = 'pending') p
    WHERE w.enabled = 1)";
constexpr const char* kSaveAttempt = R"(
    UPDATE delivery SET state = $2, attempts = attempts + 1, next_try_at = $3, last_try_at = $4, last_status = $5, last_error = $6,
                        holder = NULL, lease_until = NULL
    WHERE delivery = $1 AND state = 'pending')";
constexpr const char* kFindDelivery = R"(
    SELECT v.delivery, v.event, v.state, coalesce(w.enabled, 0)
    FROM delivery v LEFT JOIN webhook w ON w.webhook = v.webhook WHERE v.id = $1 FOR UPDATE OF v)";
constexpr const char* kRetry = "UPDATE delivery SET state = 'pending', attempts = 0, next_try_at = $1 WHERE delivery = $2";

constexpr const char* kEvents = R"(
    SELECT event, recorded_at, kind, subject, body FROM event
    WHERE event < $1 AND ($2 = '' OR kind = $2) AND ($3 = '' OR subject = $3) ORDER BY event DESC LIMIT $4)";
const std::string kDeliveries = std::string("SELECT ") + kDeliveryColumns + R"(
    FROM delivery v JOIN event e ON e.event = v.event JOIN document d ON d.document = v.webhook
    WHERE v.delivery < $1 AND ($2 = '' OR v.state = $2) AND ($3 = '' OR d.id = $3) AND ($4 = 0 OR v.event = $4)
    ORDER BY v.delivery DESC LIMIT $5)";

constexpr const char* kTicked = R"(
    SELECT t.until FROM named_document d JOIN schedule_tick t ON t.schedule = d.document
    WHERE d.kind = $1 AND d.id = $2)";
constexpr const char* kSaveTicked = R"(
    INSERT INTO schedule_tick (schedule, until) SELECT document, $3 FROM named_document WHERE kind = $1 AND id = $2
    ON CONFLICT (schedule) DO UPDATE SET until = excluded.until)";
constexpr const char* kDoTick = R"(
    INSERT INTO schedule_tick AS t (schedule, until) SELECT document, $3 FROM named_document WHERE kind = $1 AND id = $2
    ON CONFLICT (schedule) DO UPDATE SET until = excluded.until WHERE t.until NOT BETWEEN $4 AND $5)";

std::string candidates() { return fmt::format(kCandidates, kDatabaseClock); }

std::int64_t below(std::int64_t before) { return before == 0 ? std::numeric_limits<std::int64_t>::max() : before; }

} // namespace

void save_webhook(Connection& connection, Change& change, std::int64_t document, const WebhookFacts& facts) {
    std::string events;
    for (const std::string& kind : facts.events) {
        events += (events.empty() ? " " : "") + kind + " ";
    }
    const auto secret = facts.secret.empty() ? std::nullopt : std::optional<std::string_view>(facts.secret);
    if (Rows(connection, kSaveWebhook, document, facts.url, secret, events, facts.enabled ? 1 : 0).affected() > 0) {
        static_cast<void>(change.sequence());
    }
}

void remove_webhook(Connection& connection, std::int64_t document) {
    Rows(connection, kRemoveWebhook, document).run();
    Rows(connection, kGiveUp, document).run();
}

bool has_secret(Connection& connection, std::string_view webhook) { return Rows(connection, kHasSecret, webhook).next(); }

std::int64_t record_event(Connection& connection, const NewEvent& event, std::int64_t now) {
    const std::int64_t id = connection.number(kAddEvent, now, event.kind, event.subject, event.body);
    Rows(connection, kAddDeliveries, id, now, event.webhook, event.only_this ? 1 : 0, event.kind).run();
    return id;
}

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
        Rows(connection, fmt::format(kLeaseDeliveries, kDatabaseClock), holder, microseconds(lease), to_lease).run();
    }
    return {std::move(due), !to_lease.empty()};
}

bool has_future_tries(Connection& connection, std::int64_t now) { return Rows(connection, kHasFuture, now + kClockJitter).next(); }

void forget_future_tries(Connection& connection, std::int64_t now) { Rows(connection, kForgetFuture, now).run(); }

std::optional<std::int64_t> next_due(Connection& connection, std::string_view holder, std::int64_t now) {
    Rows rows(connection, fmt::format(kNextDue, kDatabaseClock), holder, now);
    return rows.next() && !rows.is_null(0) ? std::optional(rows.integer(0)) : std::nullopt;
}

void save_attempt(Connection& connection, const DeliveryAttempt& attempt, std::int64_t now) {
    Rows(connection, kSaveAttempt, attempt.row, name_of(attempt.state), attempt.next_try_at, now, attempt.status, attempt.error)
        .run();
}

std::optional<RetriedDelivery> retry_delivery(Connection& connection, std::string_view id, std::int64_t now) {
    Rows rows(connection, kFindDelivery, id);
    if (!rows.next()) {
        return std::nullopt;
    }
    const RetriedDelivery found{rows.integer(1),
                                value_named<DeliveryState>(delivery_state_names, rows.text(2), "a delivery of state"),
                                rows.integer(3) != 0};
    if (found.is_due()) {
        Rows(connection, kRetry, now, rows.integer(0)).run();
    }
    return found;
}

std::vector<Event> find_events(Connection& connection, const EventQuery& query) {
    std::vector<Event> events;
    Rows rows(connection, kEvents, below(query.before), query.kind, query.subject, query.limit);
    while (rows.next()) {
        events.push_back(read_event(rows));
    }
    return events;
}

std::vector<Delivery> find_deliveries(Connection& connection, const DeliveryQuery& query) {
    std::vector<Delivery> deliveries;
    Rows rows(connection, kDeliveries, below(query.before), query.state ? name_of(*query.state) : "", query.webhook, query.event,
              query.limit);
    while (rows.next()) {
        deliveries.push_back(read_delivery(rows));
    }
    return deliveries;
}

std::optional<std::int64_t> find_ticked(Connection& connection, const DocumentKey& key) {
    Rows rows(connection, kTicked, name_of(key.kind), key.id);
    return rows.next() ? std::optional(rows.integer(0)) : std::nullopt;
}

void save_ticked(Connection& connection, const DocumentKey& key, std::int64_t until) {
    Rows(connection, kSaveTicked, name_of(key.kind), key.id, until).run();
}

bool do_tick(Connection& connection, const DocumentKey& key, std::int64_t tick, std::int64_t now) {
    return Rows(connection, kDoTick, name_of(key.kind), key.id, now, tick, now + kMaxClockAhead).affected() > 0;
}

} // namespace costcurve::storage::postgres
