// Events and deliveries. A webhook's pending deliveries are one range of an index. The engine selects the next delivery.
#include "server/storage/sql/outbox.hpp"

#include <limits>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "server/storage/rows.hpp"
#include "server/storage/sql/engine.hpp"
#include "server/storage/sql/seals.hpp"
#include "server/storage/sql/store.hpp"
#include "server/storage/stored_names.hpp"

namespace costcurve::storage::sql {

namespace {

constexpr const char* kSaveWebhook = R"(
    INSERT INTO webhook AS w (webhook, url, secret, events, enabled) VALUES ($1, $2, $3, $4, $5)
    ON CONFLICT (webhook) DO UPDATE SET url = excluded.url, secret = coalesce(excluded.secret, w.secret), events = excluded.events,
                                        enabled = excluded.enabled
    WHERE (w.url, w.events, w.enabled) <> (excluded.url, excluded.events, excluded.enabled)
          OR coalesce(excluded.secret, w.secret) IS DISTINCT FROM w.secret)";
constexpr const char* kGiveUp =
    "UPDATE delivery SET state = 'dead', last_error = 'the webhook was deleted' WHERE webhook = $1 AND state = 'pending'";
constexpr const char* kHasSecret = R"(
    SELECT 1 FROM named_document d JOIN webhook w ON w.webhook = d.document
    WHERE d.kind = 'webhook' AND d.id = $1 AND w.secret IS NOT NULL)";
constexpr const char* kAddEvent = "INSERT INTO event (recorded_at, kind, subject, body) VALUES ($1, $2, $3, $4) RETURNING event{}";
constexpr const char* kAddDeliveries = R"(
    INSERT INTO delivery (id, event, webhook, next_try_at)
    SELECT {}, $1, w.webhook, $2 FROM webhook w JOIN document d ON d.document = w.webhook
    WHERE w.enabled = 1 AND (d.id = $3 OR ($4 = 0 AND (w.events = '' OR replace(w.events, ' ' || $5 || ' ', '') <> w.events)))
    ORDER BY w.webhook)";
// Uses the index delivery_written. Allows for clock jitter.
constexpr const char* kHasFuture =
    "SELECT 1 FROM delivery WHERE state = 'pending' AND coalesce(last_try_at, next_try_at) > $1 LIMIT 1";
constexpr const char* kForgetFuture = R"(
    UPDATE delivery SET next_try_at = $1, last_try_at = CASE WHEN last_try_at > $1 THEN $1 ELSE last_try_at END
    WHERE state = 'pending' AND coalesce(last_try_at, next_try_at) > $1)";
constexpr const char* kSaveAttempt = R"(
    UPDATE delivery SET state = $1, attempts = attempts + 1, next_try_at = $2, last_try_at = $3, last_status = $4, last_error = $5{}
    WHERE delivery = $6 AND state = 'pending')";
constexpr const char* kFindDelivery = R"(
    SELECT v.delivery, v.event, v.state, coalesce(w.enabled, 0)
    FROM delivery v LEFT JOIN webhook w ON w.webhook = v.webhook WHERE v.id = $1)";
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
    INSERT INTO schedule_tick (schedule, until) SELECT document, $1 FROM named_document WHERE kind = $2 AND id = $3
    ON CONFLICT (schedule) DO UPDATE SET until = excluded.until)";
constexpr const char* kDoTick = R"(
    INSERT INTO schedule_tick AS t (schedule, until) SELECT document, $1 FROM named_document WHERE kind = $2 AND id = $3
    ON CONFLICT (schedule) DO UPDATE SET until = excluded.until WHERE t.until NOT BETWEEN $4 AND $5)";

constexpr std::int64_t below(std::int64_t before) { return before == 0 ? std::numeric_limits<std::int64_t>::max() : before; }

bool has_secret(Connection& connection, std::string_view webhook) { return connection.has_row(kHasSecret, webhook); }

// Whether a delivery was last or will be first tried later than `now`: its times come from a clock that was ahead.
bool has_future_tries(Connection& connection, std::int64_t now) { return connection.has_row(kHasFuture, now + kClockJitter); }

// Makes deliveries with future times due.
void forget_future_tries(Connection& connection, std::int64_t now) { connection.post(kForgetFuture, now); }

// Stores an attempt and ends the delivery's lease. Does nothing if the delivery has ended meanwhile.
void save_attempt(Connection& connection, const DeliveryAttempt& attempt, std::int64_t now) {
    const std::string statement = fmt::format(kSaveAttempt, connection.engine().dialect().end_lease);
    connection.post(statement, name_of(attempt.state), attempt.next_try_at, now, attempt.status, attempt.error, attempt.row);
}

// Makes a delivery due now as if it had never been tried, if it may be delivered. Returns the delivery as it was before.
std::optional<RetriedDelivery> retry_delivery(Connection& connection, std::string_view id, std::int64_t now) {
    std::int64_t row = 0;
    RetriedDelivery found;
    {
        Rows rows(connection, kFindDelivery + locking(connection.engine().dialect().lock, "v"), id);
        if (!rows.next()) {
            return std::nullopt;
        }
        row = rows->integer(0);
        found = {rows->integer(1), value_named<DeliveryState>(delivery_state_names, rows->text(2), "a delivery of state"),
                 rows->integer(3) != 0};
    }
    if (found.is_due()) {
        connection.post(kRetry, now, row);
    }
    return found;
}

// Newest first.
std::vector<Event> find_events(Connection& connection, const EventQuery& query) {
    return read_all(Rows(connection, kEvents, below(query.before), query.kind, query.subject, query.limit),
                    [](const Row& row) { return read_event(row); });
}

// Newest first.
std::vector<Delivery> find_deliveries(Connection& connection, const DeliveryQuery& query) {
    return read_all(Rows(connection, kDeliveries, below(query.before), query.state ? name_of(*query.state) : "", query.webhook,
                         query.event, query.limit),
                    read_delivery);
}

// Time up to which the ticks of a schedule are done, in microseconds; nothing if none was done.
std::optional<std::int64_t> find_ticked(Connection& connection, const DocumentKey& key) {
    Rows rows(connection, kTicked, name_of(key.kind), key.id);
    return rows.next() ? std::optional(rows->integer(0)) : std::nullopt;
}

} // namespace

void save_webhook(Connection& connection, Change& change, std::int64_t document, const WebhookFacts& facts) {
    std::string events;
    for (const std::string& kind : facts.events) {
        events += (events.empty() ? " " : "") + kind + " ";
    }
    const auto secret = facts.secret.empty() ? std::nullopt : std::optional<std::string_view>(facts.secret);
    if (connection.run(kSaveWebhook, document, facts.url, secret, events, facts.enabled ? 1 : 0) > 0) {
        add_seals(connection, change, webhook_states(connection, document));
    }
}

void remove_webhook(Connection& connection, std::int64_t document) {
    connection.post("DELETE FROM webhook WHERE webhook = $1", document);
    connection.post(kGiveUp, document);
}

std::int64_t record_event(Connection& connection, const NewEvent& event, std::int64_t now) {
    const std::string add_event = fmt::format(kAddEvent, connection.engine().dialect().notice);
    const std::string add_deliveries = fmt::format(kAddDeliveries, connection.engine().dialect().random_id);
    const std::int64_t id = connection.number(add_event, now, event.kind, event.subject, event.body);
    connection.post(add_deliveries, id, now, event.webhook, event.only_this ? 1 : 0, event.kind);
    return id;
}

void save_ticked(Connection& connection, const DocumentKey& key, std::int64_t until) {
    connection.post(kSaveTicked, until, name_of(key.kind), key.id);
}

bool do_tick(Connection& connection, const DocumentKey& key, std::int64_t tick, std::int64_t now) {
    return connection.run(kDoTick, now, name_of(key.kind), key.id, tick, now + kMaxClockAhead) > 0;
}

void SqlStore::forget_future_tries(std::int64_t now) {
    if (read(Reading::once, [&](Connection& connection) { return has_future_tries(connection, now); })) {
        write([&](Connection& connection) { sql::forget_future_tries(connection, now); });
    }
}

std::int64_t SqlStore::record_event(const Author& author, std::string_view action, const NewEvent& event) {
    return write_marked([&](Connection& connection, ChangeMark& mark) {
        connection.engine().lock_changes(connection);
        mark = sql::record_action(connection, author, action, event.subject, now());
        return Outcome<std::int64_t>{sql::record_event(connection, event, now())};
    });
}

std::vector<Event> SqlStore::events(const EventQuery& query) const {
    return read(Reading::many, [&](Connection& connection) { return find_events(connection, query); });
}

std::vector<Delivery> SqlStore::deliveries(const DeliveryQuery& query) const {
    return read(Reading::many, [&](Connection& connection) { return find_deliveries(connection, query); });
}

bool SqlStore::has_secret(std::string_view webhook) const {
    return read(Reading::once, [&](Connection& connection) { return sql::has_secret(connection, webhook); });
}

std::optional<std::int64_t> SqlStore::next_delivery() const {
    return read(Reading::once, [&](Connection& connection) { return connection.engine().next_due(connection, holder(), now()); });
}

void SqlStore::save_attempt(const DeliveryAttempt& attempt) {
    write([&](Connection& connection) { sql::save_attempt(connection, attempt, now()); });
}

std::optional<RetriedDelivery> SqlStore::retry_delivery(const Author& author, std::string_view id) {
    return write_marked([&](Connection& connection, ChangeMark& mark) {
        connection.engine().lock_changes(connection);
        const std::optional<RetriedDelivery> found = sql::retry_delivery(connection, id, now());
        const bool is_due = found && found->is_due();
        if (is_due) {
            mark = sql::record_action(connection, author, "retry_delivery", fmt::format("delivery/{}", id), now());
        }
        return Outcome<std::optional<RetriedDelivery>>{found, is_due};
    });
}

std::optional<std::int64_t> SqlStore::ticked(const DocumentKey& key) const {
    return read(Reading::once, [&](Connection& connection) { return find_ticked(connection, key); });
}

} // namespace costcurve::storage::sql
