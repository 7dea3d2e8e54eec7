// What an OpenEI rate bills besides the hourly energy price, as a site: tiers, demand charges, reactive power, riders and minimum.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/documents/documents.hpp"
#include "server/import/text/json.hpp"

namespace costcurve::imports {

inline constexpr std::size_t kMonths = 12;
inline constexpr std::size_t kHoursOfDay = 24;

/// Parts of a tariff that a site can't represent, in words.
using Lacks = std::vector<std::string>;

/// The site of a tariff, with the id of its curve: the energy price is the curve, and tiers are by month. Nothing if the periods of
/// one month have different tiers or tiers in a unit that a site doesn't support, because then the price of all energy is unknown;
/// `lacks` has the reason.
[[nodiscard]] std::optional<model::Site> site_of_rate(const Json& item, const model::Curve& tariff, Lacks& lacks);

} // namespace costcurve::imports
