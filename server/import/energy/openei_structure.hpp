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

/// A tier of a period: its price, rate and adj together, and where it ends.
struct Tier {
    double price = 0.0;
    std::optional<double> most;
    std::string unit;
};
using Tiers = std::vector<Tier>;

/// Tiers by period; none where the item has no such structure.
[[nodiscard]] std::vector<Tiers> structure_of(const Json& item, const char* name);
/// The period that a schedule names at a place.
[[nodiscard]] std::optional<std::size_t> period_at(const simdjson::dom::array& periods, std::size_t place);
/// A month's hours in a schedule of 12 months of 24 hours; nothing where it is none.
[[nodiscard]] std::optional<simdjson::dom::array> hours_of_month(const Json& item, const char* name, std::size_t month);

/// Demand charges with tiers, flat, by the hour and at the grid's peak; their ratchet; reactive power. What can't be held is in
/// `lacks`.
void add_demand(const Json& item, model::Site& site, Lacks& lacks);

} // namespace costcurve::imports
