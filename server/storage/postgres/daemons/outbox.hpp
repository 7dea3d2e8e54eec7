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

} // namespace costcurve::storage::postgres
