// Events and deliveries as rows. A webhook's pending deliveries are one range of an index.
#include "server/storage/sqlite/outbox.hpp"

#include "server/storage/rows.hpp"
#include "server/storage/sqlite/change.hpp"
#include "server/storage/sqlite/content.hpp"
#include "server/storage/stored_names.hpp"

namespace costcurve::storage::sqlite {

namespace {

constexpr const char* kSaveWebhook = R"(
    INSERT INTO webhook (webhook, url, secret, events, enabled) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (webhook) DO UPDATE SET url = excluded.url, secret = coalesce(excluded.secret, secret), events = excluded.events,
                                        enabled = excluded.enabled
    WHERE (url, events, enabled) <> (excluded.url, excluded.events, excluded.enabled)
          OR coalesce(excluded.secret, secret) IS NOT secret)";
constexpr const char* kRemoveWebhook = "DELETE FROM webhook WHERE webhook = ?";
constexpr const char* kGiveUp =
    "UPDATE delivery SET state = 'dead', last_error = 'the webhook was deleted' WHERE webhook = ? AND state = 'pending'";
constexpr const char* kHasSecret = R"(
    SELECT 1 FROM named_document d JOIN webhook w ON w.webhook = d.document
    WHERE d.kind = 'webhook' AND d.id = ? AND w.secret IS NOT NULL)";

constexpr const char* kAddEvent = "INSERT INTO event (recorded_at, kind, subject, body) VALUES (?, ?, ?, ?)";
constexpr const char* kAddDeliveries = R"(
    INSERT INTO delivery (id, event, webhook, next_try_at)
    SELECT lower(hex(randomblob(16))), ?1, w.webhook, ?2 FROM webhook w JOIN document d ON d.document = w.webhook
    WHERE w.enabled
          AND (d.id = ?3 OR (NOT ?4 AND (w.events = '' OR instr(w.events, ' ' || ?5 || ' ') > 0)))
    ORDER BY w.webhook)";
constexpr const char* kDue = R"(
    SELECT v.delivery, v.id, d.id, w.url, w.secret, v.attempts, e.event, e.recorded_at, e.kind, e.subject, e.body
    FROM webhook w JOIN document d ON d.document = w.webhook
         JOIN delivery v ON v.delivery = (SELECT p.delivery FROM delivery p
                                          WHERE p.webhook = w.webhook AND p.state = 'pending' AND p.next_try_at <= ?1
                                          ORDER BY p.next_try_at LIMIT 1)
         JOIN event e ON e.event = v.event
    WHERE w.enabled ORDER BY v.next_try_at, v.delivery LIMIT ?2)";
// By the index delivery_written. The clock may jitter.
constexpr const char* kHasFuture =
    "SELECT 1 FROM delivery WHERE state = 'pending' AND coalesce(last_try_at, next_try_at) > ? LIMIT 1";
constexpr const char* kForgetFuture = R"(
    UPDATE delivery SET next_try_at = ?1, last_try_at = min(last_try_at, ?1)
    WHERE state = 'pending' AND coalesce(last_try_at, next_try_at) > ?1)";
constexpr const char* kNextDue = R"(
    SELECT min((SELECT min(p.next_try_at) FROM delivery p WHERE p.webhook = w.webhook AND p.state = 'pending'))
    FROM webhook w WHERE w.enabled)";
constexpr const char* kSaveAttempt = R"(
    UPDATE delivery SET state = ?2, attempts = attempts + 1, next_try_at = ?3, last_try_at = ?4, last_status = ?5, last_error = ?6
    WHERE delivery = ?1 AND state = 'pending')";
constexpr const char* kFindDelivery = R"(
    SELECT v.delivery, v.event, v.state, coalesce(w.enabled, 0)
    FROM delivery v LEFT JOIN webhook w ON w.webhook = v.webhook WHERE v.id = ?)";
constexpr const char* kRetry = "UPDATE delivery SET state = 'pending', attempts = 0, next_try_at = ? WHERE delivery = ?";

constexpr const char* kEvents = R"(
    SELECT event, recorded_at, kind, subject, body FROM event
    WHERE event < ?1 AND (?2 = '' OR kind = ?2) AND (?3 = '' OR subject = ?3) ORDER BY event DESC LIMIT ?4)";
const std::string kDeliveries = std::string("SELECT ") + kDeliveryColumns + R"(
    FROM delivery v JOIN event e ON e.event = v.event JOIN document d ON d.document = v.webhook
    WHERE v.delivery < ?1 AND (?2 = '' OR v.state = ?2) AND (?3 = '' OR d.id = ?3) AND (?4 = 0 OR v.event = ?4)
    ORDER BY v.delivery DESC LIMIT ?5)";

constexpr const char* kTicked = R"(
    SELECT t.until FROM named_document d JOIN schedule_tick t ON t.schedule = d.document
    WHERE d.kind = ? AND d.id = ?)";
constexpr const char* kSaveTicked = R"(
    INSERT INTO schedule_tick (schedule, until) SELECT document, ?3 FROM named_document WHERE kind = ?1 AND id = ?2
    ON CONFLICT (schedule) DO UPDATE SET until = excluded.until)";
constexpr const char* kDoTick = R"(
    INSERT INTO schedule_tick (schedule, until) SELECT document, ?3 FROM named_document WHERE kind = ?1 AND id = ?2
    ON CONFLICT (schedule) DO UPDATE SET until = excluded.until WHERE until NOT BETWEEN ?4 AND ?5)";

std::int64_t below(std::int64_t before) { return before == 0 ? kCurrent : before; }

} // namespace

void save_webhook(Database& database, Change& change, std::int64_t document, const WebhookFacts& facts) {
    std::string events;
    for (const std::string& kind : facts.events) {
        events += (events.empty() ? " " : "") + kind + " ";
    }
    const auto secret = facts.secret.empty() ? std::nullopt : std::optional<std::string_view>(facts.secret);
    Rows(database, kSaveWebhook, document, facts.url, secret, events, facts.enabled ? 1 : 0).run();
    if (database.changed() > 0) {
        static_cast<void>(change.sequence());
    }
}

void remove_webhook(Database& database, std::int64_t document) {
    Rows(database, kRemoveWebhook, document).run();
    Rows(database, kGiveUp, document).run();
}

bool has_secret(Database& database, std::string_view webhook) { return Rows(database, kHasSecret, webhook).next(); }

std::int64_t record_event(Database& database, const NewEvent& event, std::int64_t now) {
    Rows(database, kAddEvent, now, event.kind, event.subject, event.body).run();
    const std::int64_t id = database.last_row();
    Rows(database, kAddDeliveries, id, now, event.webhook, event.only_this ? 1 : 0, event.kind).run();
    return id;
}

std::vector<DueDelivery> find_due(Database& database, std::int64_t now, std::size_t limit) {
    std::vector<DueDelivery> due;
    Rows rows(database, kDue, now, limit);
    while (rows.next()) {
        due.push_back(read_due_delivery(rows));
    }
    return due;
}

bool has_future_tries(Database& database, std::int64_t now) { return Rows(database, kHasFuture, now + kClockJitter).next(); }

void forget_future_tries(Database& database, std::int64_t now) { Rows(database, kForgetFuture, now).run(); }

std::optional<std::int64_t> next_due(Database& database) {
    Rows rows(database, kNextDue);
    return rows.next() && !rows.is_null(0) ? std::optional(rows.integer(0)) : std::nullopt;
}

void save_attempt(Database& database, const DeliveryAttempt& attempt, std::int64_t now) {
    Rows(database, kSaveAttempt, attempt.row, name_of(attempt.state), attempt.next_try_at, now, attempt.status, attempt.error)
        .run();
}

std::optional<RetriedDelivery> retry_delivery(Database& database, std::string_view id, std::int64_t now) {
    std::int64_t row = 0;
    RetriedDelivery found;
    {
        Rows rows(database, kFindDelivery, id);
        if (!rows.next()) {
            return std::nullopt;
        }
        row = rows.integer(0);
        found = {rows.integer(1), value_named<DeliveryState>(delivery_state_names, rows.text(2), "a delivery of state"),
                 rows.integer(3) != 0};
    }
    if (found.is_due()) {
        Rows(database, kRetry, now, row).run();
    }
    return found;
}

std::vector<Event> find_events(Database& database, const EventQuery& query) {
    std::vector<Event> events;
    Rows rows(database, kEvents, below(query.before), query.kind, query.subject, query.limit);
    while (rows.next()) {
        events.push_back(read_event(rows));
    }
    return events;
}

std::vector<Delivery> find_deliveries(Database& database, const DeliveryQuery& query) {
    std::vector<Delivery> deliveries;
    Rows rows(database, kDeliveries, below(query.before), query.state ? name_of(*query.state) : "", query.webhook, query.event,
              query.limit);
    while (rows.next()) {
        deliveries.push_back(read_delivery(rows));
    }
    return deliveries;
}

std::optional<std::int64_t> find_ticked(Database& database, const DocumentKey& key) {
    Rows rows(database, kTicked, name_of(key.kind), key.id);
    return rows.next() ? std::optional(rows.integer(0)) : std::nullopt;
}

void save_ticked(Database& database, const DocumentKey& key, std::int64_t until) {
    Rows(database, kSaveTicked, name_of(key.kind), key.id, until).run();
}

bool do_tick(Database& database, const DocumentKey& key, std::int64_t tick, std::int64_t now) {
    Rows(database, kDoTick, name_of(key.kind), key.id, now, tick, now + kMaxClockAhead).run();
    return database.changed() > 0;
}

} // namespace costcurve::storage::sqlite
