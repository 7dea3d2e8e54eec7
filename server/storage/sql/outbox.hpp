// Rows of events and deliveries, and the last done tick of each schedule.
#pragma once

#include <cstdint>

#include "server/storage/event.hpp"
#include "server/storage/record.hpp"
#include "server/storage/sql/change.hpp"
#include "server/storage/sql/connection.hpp"

namespace costcurve::storage::sql {

/// Stores a webhook's URL, secret and events for its deliveries. An empty secret keeps the stored one. A change counts as the
/// document's.
void save_webhook(Connection& connection, Change& change, std::int64_t document, const WebhookFacts& facts);

/// Deletes a webhook and its secret; its pending deliveries become dead.
void remove_webhook(Connection& connection, std::int64_t document);

/// Records an event and its deliveries, due at once, and wakes other daemons after the commit. Returns the event's id. `now` is in
/// microseconds since 1970.
std::int64_t record_event(Connection& connection, const NewEvent& event, std::int64_t now);

void save_ticked(Connection& connection, const DocumentKey& key, std::int64_t until);

/// Marks the ticks up to `now` as done. False if `tick` is already done or the schedule doesn't exist. Stored times too far ahead
/// of `now` are ignored, as they come from a wrong clock. Of several concurrent callers one gets true.
[[nodiscard]] bool do_tick(Connection& connection, const DocumentKey& key, std::int64_t tick, std::int64_t now);

} // namespace costcurve::storage::sql
