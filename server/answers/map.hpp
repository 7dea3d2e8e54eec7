// The cheapest of several scenarios over a grid of two inputs: POST /v1/map.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/questions/map.hpp"
#include "server/answers/answer.hpp"
#include "server/answers/comparable.hpp"
#include "server/answers/request.hpp"

namespace costcurve::answers {

enum class Spacing { linear, log };

/// An axis: a list of values, or steps between two values.
struct AxisRequest {
    std::string pointer;
    std::vector<double> values;
    std::optional<double> from;
    std::optional<double> to;
    std::optional<int> steps;
    std::optional<Spacing> spacing;
};
struct MapRequest {
    using Answer = struct MapAnswer;
    static constexpr QuestionNames names{"/v1/map", "the cheapest over a grid of two inputs", "map_request", "map"};
    static constexpr std::string_view stage = "cells";
    std::vector<ScenarioInput> scenarios;
    AxisRequest x;
    AxisRequest y;
    std::string output; ///< "" for the figure that decides
    bool ignore_unserved = false;
    std::optional<double> deadline_s;
    WhatIf set;
    Scaling scale;
    Moment as_of;
};
/// Fills in the axes' values; no more cells than the limits allow.
void check(MapRequest& request, const QuestionLimits& limits, model::Failure& issues);

/// `steps` values from `from` to `to` inclusive, evenly spaced or, if `is_log`, in equal ratios.
[[nodiscard]] std::vector<double> spaced(double from, double to, std::size_t steps, bool is_log);

/// An issue if x times y times the number of scenarios exceeds the limit.
[[nodiscard]] std::optional<model::Issue> check_cells(std::size_t x, std::size_t y, std::size_t scenarios,
                                                      const QuestionLimits& limits);

/// The map as JSON.
[[nodiscard]] std::string encode_map(const model::CheapestMap& map, const model::MapQuestion& question,
                                     const std::vector<model::Placed>& scenarios);
[[nodiscard]] model::Result<std::string> answer(const MapRequest& request, const std::vector<model::Placed>& scenarios,
                                                const model::Runner& runner);

struct AxisAnswer {
    std::string pointer;
    std::string unit;
    std::vector<double> values;
};
struct BoundaryAnswer {
    double x = 0.0;
    double y = 0.0;
    std::array<std::size_t, 2> between{};
};
struct MapAnswer : Comparable {
    std::string output;
    std::string unit;
    AxisAnswer x;
    AxisAnswer y;
    std::vector<std::string> scenarios;
    std::vector<std::vector<std::optional<std::size_t>>> cheapest;
    std::vector<std::vector<std::vector<std::optional<double>>>> values;
    std::vector<std::vector<std::vector<bool>>> feasible;
    std::vector<std::vector<bool>> same_work;
    std::vector<BoundaryAnswer> boundary;
    std::size_t failed = 0;
    std::optional<model::Issue> first_failure;
    std::vector<std::string> notes;
};

} // namespace costcurve::answers

namespace costcurve::model {

template <> inline constexpr auto enum_names<answers::Spacing> = std::to_array<std::string_view>({"linear", "log"});
template <>
inline constexpr auto fields<answers::AxisRequest> = Rows{
    Field{"pointer", &answers::AxisRequest::pointer,
          answers::pointer_to("a number of the scenarios, or a curve, whose factor it then is", true)},
    Field{"values", &answers::AxisRequest::values, {.min = 1, .max = 250'000, .help = "the values; or give from, to and steps"}},
    Field{"from", &answers::AxisRequest::from, answers::bounded("the first of steps", false)},
    Field{"to", &answers::AxisRequest::to, answers::bounded("the last of steps", false)},
    Field{"steps", &answers::AxisRequest::steps, {.min = 2, .max = 250'000, .help = "how many values"}},
    Field{"spacing", &answers::AxisRequest::spacing, {.help = "of steps; linear where absent"}}};
template <>
inline constexpr auto fields<answers::MapRequest> =
    join(Rows{Field{"scenarios",
                    &answers::MapRequest::scenarios,
                    {.min = 1, .max = answers::kMaxScenarios, .required = true, .help = "scenarios or ids, all in one currency"}},
              Field{"x", &answers::MapRequest::x, {.required = true, .help = "an object {pointer, values}"}},
              Field{"y", &answers::MapRequest::y, {.required = true, .help = "an object {pointer, values}"}},
              Field{"output", &answers::MapRequest::output,
                    answers::pointer_to("a figure of the result; the least is the cheapest; default the first scenario's decide_by",
                                        false)}},
         answers::ignore_unserved_field<answers::MapRequest>, answers::deadline_field<answers::MapRequest>,
         answers::what_if_fields<answers::MapRequest>);
template <>
inline constexpr auto fields<answers::AxisAnswer> =
    Rows{Field{"pointer", &answers::AxisAnswer::pointer, {}}, Field{"unit", &answers::AxisAnswer::unit, {}},
         Field{"values", &answers::AxisAnswer::values, {}}};
template <>
inline constexpr auto fields<answers::BoundaryAnswer> =
    Rows{Field{"x", &answers::BoundaryAnswer::x, {}}, Field{"y", &answers::BoundaryAnswer::y, {}},
         Field{"between", &answers::BoundaryAnswer::between, {}}};
template <>
inline constexpr auto fields<answers::MapAnswer> = join(
    Rows{Field{"output", &answers::MapAnswer::output, {}}, Field{"unit", &answers::MapAnswer::unit, {}},
         Field{"x", &answers::MapAnswer::x, {}}, Field{"y", &answers::MapAnswer::y, {}},
         Field{"scenarios", &answers::MapAnswer::scenarios, {.help = "their names"}},
         Field{"cheapest",
               &answers::MapAnswer::cheapest,
               {.help = "[row of y][column of x]: a scenario's number; null where none can do its work, or not all do the same"}},
         Field{"values", &answers::MapAnswer::values, {.help = "[scenario][row of y][column of x]"}},
         Field{"feasible",
               &answers::MapAnswer::feasible,
               {.help = "likewise: whether it can do its work there; what can't is never the cheapest"}},
         Field{"same_work",
               &answers::MapAnswer::same_work,
               {.help = "[row of y][column of x]: whether all do the same work there; else nothing is the cheapest"}},
         Field{"boundary",
               &answers::MapAnswer::boundary,
               {.help = "where two that can do their work cost the same, between neighbours of the grid"}},
         Field{"failed", &answers::MapAnswer::failed, {.min = 0, .help = "evaluations whose values break rules"}},
         Field{"first_failure", &answers::MapAnswer::first_failure, {}},
         Field{"notes",
               &answers::MapAnswer::notes,
               {.help = "where outages or spares make an output rise and fall along an axis; absent without", .omit = true}}},
    answers::comparable_fields<answers::MapAnswer>);

} // namespace costcurve::model
