// The cheapest of several scenarios over a grid of two inputs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/questions/alternatives.hpp"
#include "model/questions/runner.hpp"

namespace costcurve::model {

struct MapAxis {
    std::string pointer;
    std::string at; ///< where it stands in the question
    std::vector<double> values;
};

struct MapQuestion {
    MapAxis x;
    MapAxis y;
    std::string output; ///< a pointer into the result; the least is the cheapest
    bool ignore_unserved = false;
};

/// A point between two neighbours of the grid where the cheapest changes: where their outputs, as straight lines, are equal.
struct BoundaryPoint {
    double x;
    double y;
    std::size_t between[2]; ///< the scenario that is cheaper at the lower x or y, and the other one
};

/// Where a scenario's output first turns back along an axis, of a scenario with outages.
struct MapTurn {
    std::size_t scenario = 0;
    bool is_along_x = true;
    double x = 0.0;
    double y = 0.0;
};

struct CheapestMap {
    std::string x_unit;
    std::string y_unit;
    std::string output_unit;
    std::vector<std::vector<std::optional<std::size_t>>> cheapest; ///< [y][x]; none where none is eligible, or not all do the same
    std::vector<std::vector<std::vector<std::optional<double>>>> values; ///< [scenario][y][x]
    std::vector<std::vector<std::vector<char>>> feasible;                ///< [scenario][y][x]: it can do its work there
    std::vector<std::vector<std::vector<char>>> eligible;                ///< [scenario][y][x]: it may be the cheapest there
    std::vector<std::vector<char>> same_work;                            ///< [y][x]: all do the same work there
    std::vector<BoundaryPoint> boundary;                                 ///< between cells in which both are eligible
    std::vector<ScenarioDifference> differences;                         ///< of the first cell, where in none all do the same work
    std::size_t failed = 0;                                              ///< evaluations whose values break rules
    std::optional<Issue> first_failure;                                  ///< of them, by row, column and scenario
    std::vector<MapTurn> turns;                                          ///< at most one a scenario and axis
};

/// Scenarios that tie: the first is the cheapest. The same bits with any number of workers. Issues: unknown pointers, values
/// outside the ranges, nothing that could be evaluated. An empty failure: the runner was told to stop.
[[nodiscard]] Result<CheapestMap> map_cheapest(const std::vector<Placed>& scenarios, const MapQuestion& question,
                                               const Runner& runner);

} // namespace costcurve::model
