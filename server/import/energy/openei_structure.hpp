// Structures of OpenEI's rates: lists of periods of tiers, and schedules that name a period.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/documents/documents.hpp"
#include "server/import/energy/openei_site.hpp"
#include "server/import/text/json.hpp"

namespace costcurve::imports {

/// A tier of a period: its price (rate + adj) and its upper limit.
struct Tier {
    double price = 0.0;
    std::optional<double> most;
    std::string unit;
};
using Tiers = std::vector<Tier>;

/// Tiers by period; empty if the item has no such structure.
[[nodiscard]] std::vector<Tiers> structure_of(const Json& item, const char* name);
/// The period that a schedule names at a position.
[[nodiscard]] std::optional<std::size_t> period_at(const simdjson::dom::array& periods, std::size_t place);
/// A month's hours in a schedule of 12 months by 24 hours; nothing if the member is no such schedule.
[[nodiscard]] std::optional<simdjson::dom::array> hours_of_month(const Json& item, const char* name, std::size_t month);

/// Adds demand charges with tiers (flat, by hour, at the grid's peak), their ratchet, and reactive power. What a site can't
/// represent is added to `lacks`.
void add_demand(const Json& item, model::Site& site, Lacks& lacks);

} // namespace costcurve::imports
