// Conversions from table units to field units.
#include "server/import/columns/units.hpp"

#include <algorithm>
#include <array>

#include "model/documents/units.hpp"
#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

namespace {

using model::kHoursPerDay;
using model::kSecondsPerHour;
constexpr double kHoursOfMonth = 730.0; // 8,760 h a year / 12
constexpr double kSecondsOfMinute = 60.0;
constexpr double kYearMonths = 12.0;
constexpr double kThousand = 1e3;
constexpr double kMillion = 1e6;

struct UnitRow {
    std::string_view from;
    std::string_view to;
    UnitFactor factor;
};
constexpr auto kUnits = std::to_array<UnitRow>({
    {"currency/device-hour", "currency/instance-hour", {1.0, true}},
    {"currency/day", "currency/instance-hour", {1.0 / kHoursPerDay}},
    {"currency/month", "currency/instance-hour", {1.0 / kHoursOfMonth}},
    {"currency/million tokens", "currency/million units", {}},
    {"currency/thousand tokens", "currency/million units", {kThousand}},
    {"currency/token", "currency/million units", {kMillion}},
    {"currency/MWh", "currency/kWh", {1.0 / kKwhPerMwh}},
    {"percent", "fraction", {kFractionPerPercent}},
    {"percent", "1/year", {kFractionPerPercent}},
    {"ms", "s", {1.0 / kMsPerSecond}},
    {"min", "s", {kSecondsOfMinute}},
    {"h", "s", {kSecondsPerHour}},
    {"days", "h", {kHoursPerDay}},
    {"years", "months", {kYearMonths}},
    {"kW", "W", {kThousand}},
    {"W", "kW", {1.0 / kThousand}},
    {"kW", "W/instance", {kThousand}},
    {"GB", "GiB", {kBytesPerGb / kBytesPerGib}},
    {"TB/s", "GB/s", {kThousand}},
    {"kg/kWh", "g/kWh", {kThousand}},
    {"billion parameters", "parameters", {kThousand * kMillion}},
});

} // namespace

std::optional<UnitFactor> unit_factor(std::string_view from, std::string_view to) {
    if (from.empty() || from == to) {
        return UnitFactor{};
    }
    const auto found = std::ranges::find_if(kUnits, [&](const UnitRow& row) { return row.from == from && row.to == to; });
    return found == kUnits.end() ? std::nullopt : std::optional(found->factor);
}

std::string units_for(std::string_view to) {
    std::string list;
    for (const UnitRow& row : kUnits) {
        if (row.to == to) {
            list.append(list.empty() ? "" : ", ").append(row.from);
        }
    }
    return list;
}

} // namespace costcurve::imports
