// Converts the units of users' tables to those of document fields. Knows no table.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace costcurve::imports {

/// Factor by which a number in one unit is multiplied to get another unit.
struct UnitFactor {
    double factor = 1.0;
    bool by_devices = false; ///< times the number of devices too: a price of one device of an instance
};

/// The factor from a table's unit to a field's unit; nothing if the pair is unknown.
[[nodiscard]] std::optional<UnitFactor> unit_factor(std::string_view from, std::string_view to);
/// The units that can be converted to a field's unit, separated by commas.
[[nodiscard]] std::string units_for(std::string_view to);

} // namespace costcurve::imports
