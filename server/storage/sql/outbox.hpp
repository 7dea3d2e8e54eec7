// Events and deliveries as rows, and how far the ticks of schedules are done.
#pragma once

#include <cstdint>

#include "server/storage/event.hpp"
#include "server/storage/record.hpp"
#include "server/storage/sql/change.hpp"
#include "server/storage/sql/connection.hpp"

namespace costcurve::storage::sql {

/// Stores a webhook's URL, secret and events for its deliveries. Without a secret the stored one stays. A change counts as the
/// document's.
void save_webhook(Connection& connection, Change& change, std::int64_t document, const WebhookFacts& facts);

/// Forgets it, its secret too; what was to be delivered to it is dead.
void remove_webhook(Connection& connection, std::int64_t document);

/// Records an event and its deliveries, due at once, and wakes other daemons once it is committed. The event's id. `now` is in
/// microseconds since 1970.
std::int64_t record_event(Connection& connection, const NewEvent& event, std::int64_t now);

void save_ticked(Connection& connection, const DocumentKey& key, std::int64_t until);

/// The same unless a tick is done already: false then. Of several that do a tick at once, one does it.
[[nodiscard]] bool do_tick(Connection& connection, const DocumentKey& key, std::int64_t tick, std::int64_t now);

} // namespace costcurve::storage::sql
