// Deliveries that are due. One daemon delivers what stands in a file: nothing is to be leased.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "server/storage/event.hpp"
#include "server/storage/sqlite/engine/database.hpp"

namespace costcurve::storage::sqlite {

/// Those that are due, of enabled webhooks: one a webhook, the one that has waited longest. Cost: a look-up a webhook.
[[nodiscard]] std::vector<DueDelivery> find_due(Database& database, std::int64_t now, std::size_t limit);
/// When the next one of an enabled webhook is due, in microseconds; nothing where none is pending.
[[nodiscard]] std::optional<std::int64_t> next_due(Database& database);

} // namespace costcurve::storage::sqlite
