// Reads the carbon intensity of the grids of cloud regions: one curve per region.
#include <array>
#include <set>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "server/import/curves.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/numbers.hpp"
#include "server/import/text/read_rows.hpp"

namespace costcurve::imports {

namespace {

using model::Code;

constexpr double kMaxIntensity = 1e5; // g/kWh, as carbon curves allow

// Units as column names spell them, without spaces, and their value in g/kWh.
struct GridCarbonUnitRow {
    std::string_view spelling;
    double g_per_kwh;
};
constexpr auto kCarbonUnits = std::to_array<GridCarbonUnitRow>({
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

// The first column whose name has a known unit. Some tables have market-based and location-based figures side by side.
struct Factor {
    Column column;
    double g_per_kwh = 0.0;
};
Factor factor_of(Table& table) {
    for (std::size_t i = 0; i < table.header().size(); ++i) {
        const std::string name = without_spaces(table.header()[i]);
        for (const GridCarbonUnitRow& unit : kCarbonUnits) {
            if (name.find(unit.spelling) != std::string::npos) {
                return {{static_cast<int>(i)}, unit.g_per_kwh};
            }
        }
    }
    return {};
}

struct CarbonColumns {
    Column region;
    Column provider;
    Column origin;
    Factor factor;
};

// Checks that the file and the options give all that is needed to read rows. `day`: date from which the figures apply.
HardError check_carbon_columns(const Table& table, const CarbonColumns& columns, const Options& options, double& day) {
    if (table.error()) {
        return table.error();
    }
    if (!columns.region || !columns.factor.column) {
        return hard_error(
            Code::missing, 1,
            fmt::format("a column {} is needed",
                        !columns.region ? "Region" : "of carbon intensity with its unit, such as CO2e (metric ton/kWh)"));
    }
    if (!columns.provider && options.provider.empty()) {
        return hard_error(Code::missing, 1, "no column names the provider; give the option provider");
    }
    if (!model::parse_date(options.date, day)) {
        return hard_error(Code::missing, 0, "give the option date: since when these figures hold");
    }
    return {};
}

// Why the row has no usable figure, or "".
std::string carbon_problem(std::string_view name, std::string_view provider, const Number& value, std::string_view cell,
                           double g_per_kwh) {
    if (name.empty() || provider.empty()) {
        return name.empty() ? "Region is blank" : "Provider is blank";
    }
    if (value.state == Number::State::blank) {
        return fmt::format("the carbon intensity of {} is blank", name);
    }
    if (!value || value.value < 0.0 || value.value * g_per_kwh > kMaxIntensity) {
        return fmt::format("the carbon intensity of {} is {}; allowed 0 to {} g/kWh", name, cell, kMaxIntensity);
    }
    return "";
}

} // namespace

HardError read_grid_carbon(Bytes& bytes, const Options& options, Report& report) {
    Table table(bytes);
    const CarbonColumns columns{table.column({"Region", "Google Cloud Region", "Cloud region"}),
                                table.column({"Provider", "Cloud provider"}), table.column("Source"), factor_of(table)};
    double day = 0.0;
    if (HardError error = check_carbon_columns(table, columns, options, day)) {
        return error;
    }
    std::set<std::string> ids;
    const HardError error = each_row(table, report, [&]() -> std::string {
        const std::string_view name = table.text(columns.region);
        const std::string_view stated = table.text(columns.provider);
        const std::string_view provider = stated.empty() ? std::string_view(options.provider) : stated;
        const Number value = table.number(columns.factor.column);
        if (std::string problem =
                carbon_problem(name, provider, value, table.text(columns.factor.column), columns.factor.g_per_kwh);
            !problem.empty()) {
            return problem;
        }
        if (value.value == 0.0) {
            report.warnings.add(table.row(), fmt::format("the carbon intensity of {} is 0: is it unknown?", name));
        }
        const std::string_view origin = table.text(columns.origin);
        model::Curve curve = empty_curve(model::CurveKind::carbon, model::Axis::date, make_id({"carbon", provider, name}),
                                         source_of(options, fmt::format("row {}", name)),
                                         fmt::format("Carbon intensity of the grid of region {}{}.", name,
                                                     origin.empty() ? "" : fmt::format(", from {}", origin)));
        curve.interpolation = model::Interpolation::step;
        append_point(curve, day, value.value * columns.factor.g_per_kwh);
        if (!ids.insert(curve.id).second) {
            return fmt::format("region {} is there twice; the first row is read", name);
        }
        report.add(std::move(curve));
        return "";
    });
    return !error && ids.empty() ? hard_error(Code::missing, 0, "no row has a region and its carbon intensity") : error;
}

} // namespace costcurve::imports
