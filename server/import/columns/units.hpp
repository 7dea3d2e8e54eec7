// Units that people's tables have, in those of the fields. Knows no table.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace costcurve::imports {

/// What numbers in one unit are times in another.
struct UnitFactor {
    double factor = 1.0;
    bool by_devices = false; ///< times the number of devices too: a price of one device of an instance
};

/// From a table's unit to a field's; nothing where it isn't known.
[[nodiscard]] std::optional<UnitFactor> unit_factor(std::string_view from, std::string_view to);
/// The units that numbers of a field may be in, besides its own, with commas between.
[[nodiscard]] std::string units_for(std::string_view to);

} // namespace costcurve::imports
