// Deliveries that are due, with leases: each is delivered by one daemon at a time.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "server/storage/event.hpp"
#include "server/storage/postgres/engine/connection.hpp"

namespace costcurve::storage::postgres {

/// Whether the holder may take a due delivery: no other holder has leased a delivery of its webhook.
[[nodiscard]] bool has_due(Connection& connection, std::string_view holder, std::int64_t now);
struct TakenDeliveries {
    std::vector<DueDelivery> deliveries;
    bool has_new_lease = false; ///< if false, nothing was written
};
/// Leases due deliveries of enabled webhooks: for each webhook the one that has waited longest. Deliveries that the holder has
/// already leased are returned again. Concurrent callers get different deliveries.
[[nodiscard]] TakenDeliveries take_due(Connection& connection, std::string_view holder, std::int64_t now, std::size_t limit,
                                       std::chrono::seconds lease);
/// When the next delivery that the holder may take is due, in microseconds; nothing if none is pending.
[[nodiscard]] std::optional<std::int64_t> next_due(Connection& connection, std::string_view holder, std::int64_t now);

} // namespace costcurve::storage::postgres
