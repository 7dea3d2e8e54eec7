// Carbon intensity of the grids of cloud regions: a curve a region.
#include <array>
#include <set>

#include <fmt/format.h>

#include "model/calendar.hpp"
#include "server/import/numbers.hpp"
#include "server/import/readers.hpp"
#include "server/import/table.hpp"

namespace costcurve::imports {

namespace {

using model::Code;

constexpr double kMost = 1e5; // g/kWh, as carbon curves allow

// Units as column names spell them, without spaces, and what one of them is in g/kWh.
struct UnitRow {
    std::string_view spelling;
    double g_per_kwh;
};
constexpr auto kUnits = std::to_array<UnitRow>({
    {"metricton/kwh", 1e6},
    {"metrictons/kwh", 1e6},
    {"tonne/kwh", 1e6},
    {"metricton/mwh", 1e3},
    {"tco2e/mwh", 1e3},
    {"tco2/mwh", 1e3},
    {"lb/mwh", 0.45359237}, // 453.59237 g a pound
    {"lbs/mwh", 0.45359237},
    {"kgco2eq/mwh", 1.0},
    {"kgco2e/mwh", 1.0},
    {"kg/mwh", 1.0},
    {"kgco2eq/kwh", 1e3},
    {"kgco2e/kwh", 1e3},
    {"kg/kwh", 1e3},
    {"gco2eq/kwh", 1.0},
    {"gco2e/kwh", 1.0},
    {"gco2/kwh", 1.0},
    {"(g/kwh", 1.0},
});

std::string without_spaces(std::string_view text) {
    std::string all = lower(text);
    std::erase(all, ' ');
    return all;
}

// The first column whose name has a unit of the table: market-based and location-based figures stand side by side in some.
struct Factor {
    Column column;
    double g_per_kwh = 0.0;
};
Factor factor_of(Table& table) {
    for (std::size_t i = 0; i < table.header().size(); ++i) {
        const std::string name = without_spaces(table.header()[i]);
        for (const UnitRow& unit : kUnits) {
            if (name.find(unit.spelling) != std::string::npos) {
                return {{static_cast<int>(i)}, unit.g_per_kwh};
            }
        }
    }
    return {};
}

} // namespace

HardError read_grid_carbon(Bytes& bytes, const Options& options, Report& report) {
    Table table(bytes);
    const Column region = table.column({"Region", "Google Cloud Region", "Cloud region"});
    const Column provider = table.column({"Provider", "Cloud provider"});
    const Column origin = table.column("Source");
    const Factor factor = factor_of(table);
    if (table.error()) {
        return table.error();
    }
    if (!region || !factor.column) {
        return hard_error(Code::missing, 1,
                          fmt::format("a column {} is needed",
                                      !region ? "Region" : "of carbon intensity with its unit, such as CO2e (metric ton/kWh)"));
    }
    if (!provider && options.provider.empty()) {
        return hard_error(Code::missing, 1, "no column names the provider; give the option provider");
    }
    double day = 0.0;
    if (!model::parse_date(options.date, day)) {
        return hard_error(Code::missing, 0, "give the option date: since when these figures hold");
    }
    std::set<std::string> ids;
    while (table.next()) {
        ++report.rows;
        const std::string_view name = table.text(region);
        const std::string_view whose = table.text(provider).empty() ? std::string_view(options.provider) : table.text(provider);
        const Number value = table.number(factor.column);
        if (name.empty() || whose.empty()) {
            report.rejected.add(table.row(), name.empty() ? "Region is blank" : "Provider is blank");
            continue;
        }
        if (!value || value.value < 0.0 || value.value * factor.g_per_kwh > kMost) {
            report.rejected.add(table.row(), value.state == Number::State::blank
                                                 ? fmt::format("the carbon intensity of {} is blank", name)
                                                 : fmt::format("the carbon intensity of {} is {}; allowed 0 to {} g/kWh", name,
                                                               table.text(factor.column), kMost));
            continue;
        }
        if (value.value == 0.0) {
            report.warnings.add(table.row(), fmt::format("the carbon intensity of {} is 0: is it unknown?", name));
        }
        model::Curve curve;
        curve.kind = model::CurveKind::carbon;
        curve.axis = model::Axis::date;
        curve.interpolation = model::Interpolation::step;
        curve.x = {day};
        curve.y = {value.value * factor.g_per_kwh};
        curve.id = make_id({"carbon", whose, name});
        curve.source = source_of(options, fmt::format("row {}", name));
        curve.note = fmt::format("Carbon intensity of the grid of region {}{}.", name,
                                 table.text(origin).empty() ? "" : fmt::format(", from {}", table.text(origin)));
        if (!ids.insert(curve.id).second) {
            report.rejected.add(table.row(), fmt::format("region {} is there twice; the first row is read", name));
            continue;
        }
        report.add(std::move(curve));
    }
    if (!table.error() && ids.empty()) {
        return hard_error(Code::missing, 0, "no row has a region and its carbon intensity");
    }
    return table.error();
}

} // namespace costcurve::imports
