// Table rows of answers that hold parallel lists of numbers: a map's cells, a simulation's outputs, break-even crossings, site
// bills. Built from the answer's JSON; computes nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "server/answers/break_even.hpp"
#include "server/answers/simulate.hpp"

namespace costcurve::answers {

/// A scenario at a point of a map.
struct MapRow {
    std::string output;
    std::string unit;
    double x = 0.0;
    double y = 0.0;
    std::size_t scenario = 0;
    std::string name;
    std::optional<double> value;
    bool feasible = false;
    bool same_work = false;
    bool is_cheapest = false;
};
/// An output of a simulated scenario.
struct SimulationRow {
    std::size_t scenario = 0;
    std::string name;
    std::optional<double> probability_feasible;
    std::optional<double> probability_cheapest;
    std::string output;
    std::string figure; ///< JSON

    [[nodiscard]] Kept<SimulatedFigure> kept() const { return {figure}; }
};
/// A month's bill of a site.
struct BillRow {
    std::size_t scenario = 0;
    std::string site;
    std::string month;
    std::string currency;
    double bill = 0.0;
};
enum class BreakEvenRowKind { crossing, stretch };
/// A crossing by cost or cash, or an interval without a cheaper scenario.
struct BreakEvenRow {
    std::string over;
    std::string unit;
    BreakEvenRowKind kind{};
    std::string figure; ///< "" for an interval
    double from = 0.0;
    std::optional<double> to;
    std::optional<std::string> cheaper_after;
    std::optional<bool> jump;
    std::string because;
};

/// {"rows": […]} of a map, ordered by scenario, y and x; of a simulation, by scenario; of a break-even, crossings before stretches.
[[nodiscard]] std::string map_rows(std::string_view answer);
[[nodiscard]] std::string simulation_rows(std::string_view answer);
[[nodiscard]] std::string break_even_rows(std::string_view answer);
/// {"rows": […]} of the site bills of a result or comparison, by scenario, site and month.
[[nodiscard]] std::string bill_rows(std::string_view answer);

} // namespace costcurve::answers

namespace costcurve::model {

template <> inline constexpr auto enum_names<answers::BreakEvenRowKind> = std::to_array<std::string_view>({"crossing", "stretch"});
template <> inline constexpr std::string_view document_name<answers::MapRow> = "map_row";
template <>
inline constexpr auto fields<answers::MapRow> = Rows{
    Field{"output", &answers::MapRow::output, {}},
    Field{"unit", &answers::MapRow::unit, {.help = "of the value"}},
    Field{"x", &answers::MapRow::x, {}},
    Field{"y", &answers::MapRow::y, {}},
    Field{"scenario", &answers::MapRow::scenario, {.min = 0, .help = "its number, from 0"}},
    Field{"name", &answers::MapRow::name, {}},
    Field{"value", &answers::MapRow::value, {.help = "of the output there"}},
    Field{"feasible", &answers::MapRow::feasible, {.help = "whether it can do its work there"}},
    Field{"same_work", &answers::MapRow::same_work, {.help = "whether all scenarios do the same work there"}},
    Field{"cheapest", &answers::MapRow::is_cheapest, {.help = "whether it is the cheapest there"}},
};
template <> inline constexpr std::string_view document_name<answers::BillRow> = "bill_row";
template <>
inline constexpr auto fields<answers::BillRow> = Rows{
    Field{"scenario", &answers::BillRow::scenario, {.min = 0, .help = "its number, from 0"}},
    Field{"site", &answers::BillRow::site, {}},
    Field{"month", &answers::BillRow::month, {}},
    Field{"currency", &answers::BillRow::currency, {}},
    Field{"bill", &answers::BillRow::bill, {.help = "energy and demand charges"}},
};
template <> inline constexpr std::string_view document_name<answers::SimulationRow> = "simulation_row";
template <>
inline constexpr auto fields<answers::SimulationRow> = Rows{
    Field{"scenario", &answers::SimulationRow::scenario, {.min = 0, .help = "its number, from 0"}},
    Field{"name", &answers::SimulationRow::name, {}},
    Field{"probability_feasible", &answers::SimulationRow::probability_feasible, {}},
    Field{"probability_cheapest", &answers::SimulationRow::probability_cheapest, {.help = "by the first output"}},
    Field{"output", &answers::SimulationRow::output, {}},
    Field{"figure", &answers::SimulationRow::kept, {}},
};
template <> inline constexpr std::string_view document_name<answers::BreakEvenRow> = "break_even_row";
template <>
inline constexpr auto fields<answers::BreakEvenRow> = Rows{
    Field{"over", &answers::BreakEvenRow::over, {.help = "horizon, or the input's pointer"}},
    Field{"unit", &answers::BreakEvenRow::unit, {.help = "of from and to"}},
    Field{"kind", &answers::BreakEvenRow::kind, {.help = "a crossing; or a stretch in which neither is the cheaper"}},
    Field{"figure", &answers::BreakEvenRow::figure, {.help = "of a crossing: cost or cash", .null_if_empty = true}},
    Field{"from", &answers::BreakEvenRow::from, {.help = "where the crossing is, or the stretch begins"}},
    Field{"to", &answers::BreakEvenRow::to, {.help = "where the stretch ends"}},
    Field{"cheaper_after", &answers::BreakEvenRow::cheaper_after, {.help = "of a crossing: a or b"}},
    Field{"jump", &answers::BreakEvenRow::jump, {.help = "of a crossing: whether the difference jumps over zero there"}},
    Field{"because", &answers::BreakEvenRow::because, {.help = "of a stretch", .null_if_empty = true}},
};

} // namespace costcurve::model
