// The outbox: events, and a delivery of each to every webhook that wants it, in the transaction that records the event. Deliveries
// are leased by the database's clock to one daemon, one a webhook. Writes work inside a transaction of the caller. Sends nothing.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "server/storage/event.hpp"
#include "server/storage/postgres/change.hpp"
#include "server/storage/postgres/engine/connection.hpp"
#include "server/storage/record.hpp"

namespace costcurve::storage::postgres {

/// Keeps what deliveries need of a webhook's document; a secret stays where none is given. A change counts as one of the document.
void save_webhook(Connection& connection, Change& change, std::int64_t document, const WebhookFacts& facts);
/// Forgets it, its secret too; what was to be delivered to it is dead.
void remove_webhook(Connection& connection, std::int64_t document);
[[nodiscard]] bool has_secret(Connection& connection, std::string_view webhook);

/// Records an event and its deliveries, due at once, and wakes other daemons once it is committed. The event's id. `now` is in
/// microseconds since 1970.
std::int64_t record_event(Connection& connection, const NewEvent& event, std::int64_t now);

/// Whether one is due that a holder may take: no other one has a lease of its webhook's.
[[nodiscard]] bool has_due(Connection& connection, std::string_view holder, std::int64_t now);
struct TakenDeliveries {
    std::vector<DueDelivery> deliveries;
    bool has_new_lease = false; ///< else nothing was written
};
/// Takes those that are due, of enabled webhooks, for so long: one a webhook, the one that has waited longest; what the holder has
/// already comes again. Two that take at once get different ones.
[[nodiscard]] TakenDeliveries take_due(Connection& connection, std::string_view holder, std::int64_t now, std::size_t limit,
                                       std::chrono::seconds lease);
/// When the next one is due that the holder may take, in microseconds; nothing where none is pending.
[[nodiscard]] std::optional<std::int64_t> next_due(Connection& connection, std::string_view holder, std::int64_t now);
/// Ends its lease. Nothing happens to one that has ended meanwhile.
void save_attempt(Connection& connection, const DeliveryAttempt& attempt, std::int64_t now);

/// Makes one due now, as if it had never been tried, where it is to be delivered; what it was before.
[[nodiscard]] std::optional<RetriedDelivery> retry_delivery(Connection& connection, std::string_view id, std::int64_t now);

/// Newest first.
[[nodiscard]] std::vector<Event> find_events(Connection& connection, const EventQuery& query);
[[nodiscard]] std::vector<Delivery> find_deliveries(Connection& connection, const DeliveryQuery& query);

/// Up to when the ticks of a schedule are done, in microseconds; nothing where none was yet.
[[nodiscard]] std::optional<std::int64_t> find_ticked(Connection& connection, const DocumentKey& key);
void save_ticked(Connection& connection, const DocumentKey& key, std::int64_t until);
/// The same unless a tick is done already: false then. Of several that do a tick at once, one does it.
[[nodiscard]] bool do_tick(Connection& connection, const DocumentKey& key, std::int64_t tick, std::int64_t now);

/// Whether a delivery was tried, or is to be tried first, later than `now`: its times are of a clock that was ahead.
[[nodiscard]] bool has_future_tries(Connection& connection, std::int64_t now);
/// Makes them due.
void forget_future_tries(Connection& connection, std::int64_t now);

} // namespace costcurve::storage::postgres
