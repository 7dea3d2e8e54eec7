// What a rate of OpenEI's utility rate database bills beside the price of energy by the hour: a site with its tiers, demand
// charges, reactive power, riders and minimum.
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

/// Parts of a tariff that a site has no field for, in words.
using Lacks = std::vector<std::string>;

/// The site of a tariff, named as its curve: energy at the curve, with the tiers of the periods that its schedules name, by month.
/// Nothing where those of one month are unlike or counted by what a site doesn't know: no price of all energy can be told then;
/// `lacks` says why.
[[nodiscard]] std::optional<model::Site> site_of_rate(const Json& item, const model::Curve& tariff, Lacks& lacks);

} // namespace costcurve::imports
