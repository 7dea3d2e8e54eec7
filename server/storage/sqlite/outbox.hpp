// Due deliveries. One daemon delivers from a file, so there are no leases.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "server/storage/event.hpp"
#include "server/storage/sqlite/engine/database.hpp"

namespace costcurve::storage::sqlite {

/// Due deliveries of enabled webhooks: for each webhook the one that has waited longest. Cost: one look-up per webhook.
[[nodiscard]] std::vector<DueDelivery> find_due(Database& database, std::int64_t now, std::size_t limit);
/// When the next delivery of an enabled webhook is due, in microseconds; nothing if none is pending.
[[nodiscard]] std::optional<std::int64_t> next_due(Database& database);

} // namespace costcurve::storage::sqlite
