// The outbox: events, and a delivery of each to every webhook that wants it, in the transaction that records the event. Writes work
// inside a transaction of the caller. Sends nothing.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "server/storage/event.hpp"
#include "server/storage/record.hpp"
#include "server/storage/sqlite/change.hpp"
#include "server/storage/sqlite/engine/database.hpp"

namespace costcurve::storage::sqlite {

/// Keeps what deliveries need of a webhook's document; a secret stays where none is given. A change counts as one of the document.
void save_webhook(Database& database, Change& change, std::int64_t document, const WebhookFacts& facts);
/// Forgets it, its secret too; what was to be delivered to it is dead.
void remove_webhook(Database& database, std::int64_t document);
[[nodiscard]] bool has_secret(Database& database, std::string_view webhook);

/// Records an event and its deliveries, due at once. The event's id. `now` is in microseconds since 1970.
std::int64_t record_event(Database& database, const NewEvent& event, std::int64_t now);
/// Those that are due, of enabled webhooks: one a webhook, the one that has waited longest. Cost: a look-up a webhook.
[[nodiscard]] std::vector<DueDelivery> find_due(Database& database, std::int64_t now, std::size_t limit);
/// When the next one of an enabled webhook is due, in microseconds; nothing where none is pending.
[[nodiscard]] std::optional<std::int64_t> next_due(Database& database);
/// Nothing happens to one that has ended meanwhile.
void save_attempt(Database& database, const DeliveryAttempt& attempt, std::int64_t now);

/// Makes one due now, as if it had never been tried, where it is to be delivered; what it was before.
[[nodiscard]] std::optional<RetriedDelivery> retry_delivery(Database& database, std::string_view id, std::int64_t now);

/// Newest first.
[[nodiscard]] std::vector<Event> find_events(Database& database, const EventQuery& query);
[[nodiscard]] std::vector<Delivery> find_deliveries(Database& database, const DeliveryQuery& query);

/// Up to when the ticks of a schedule are done, in microseconds; nothing where none was yet.
[[nodiscard]] std::optional<std::int64_t> find_ticked(Database& database, const DocumentKey& key);
void save_ticked(Database& database, const DocumentKey& key, std::int64_t until);
/// The same unless a tick is done already: false then.
[[nodiscard]] bool do_tick(Database& database, const DocumentKey& key, std::int64_t tick, std::int64_t now);

/// Whether a delivery was tried, or is to be tried first, later than `now`: its times are of a clock that was ahead.
[[nodiscard]] bool has_future_tries(Database& database, std::int64_t now);
/// Makes them due.
void forget_future_tries(Database& database, std::int64_t now);

} // namespace costcurve::storage::sqlite
