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
    std::string at; ///< JSON Pointer of the axis in the request
    std::vector<double> values;
};

struct MapQuestion {
    MapAxis x;
    MapAxis y;
    std::string output; ///< a pointer into the result; the scenario with the lowest value is the cheapest
    bool ignore_unserved = false;
};

/// A point between two neighbouring cells with different cheapest scenarios, at which their linearly interpolated outputs are
/// equal.
struct BoundaryPoint {
    double x;
    double y;
    std::size_t between[2]; ///< the scenario that is cheaper at the lower x or y, then the scenario that is cheaper at the higher
};

/// The point along an axis where the output of a scenario with outages first changes direction.
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
    std::vector<std::vector<std::optional<std::size_t>>> cheapest;       ///< [y][x]; empty if none is eligible or the work differs
    std::vector<std::vector<std::vector<std::optional<double>>>> values; ///< [scenario][y][x]
    std::vector<std::vector<std::vector<char>>> feasible;                ///< [scenario][y][x]: it can do its work there
    std::vector<std::vector<std::vector<char>>> eligible;                ///< [scenario][y][x]: it may be the cheapest there
    std::vector<std::vector<char>> same_work;                            ///< [y][x]: all do the same work there
    std::vector<BoundaryPoint> boundary;         ///< only between cells in which both scenarios are eligible
    std::vector<ScenarioDifference> differences; ///< in the first cell, if in no cell all do the same work
    std::size_t failed = 0;                      ///< evaluations whose values break rules
    std::optional<Issue> first_failure;          ///< the first such failure by row, column and scenario
    std::vector<MapTurn> turns;                  ///< at most one per scenario and axis
};

/// The cheapest scenario in each cell; among equals the first. The same bits with any number of workers. Issues: unknown pointers,
/// values outside the ranges, or no cell that could be evaluated. An empty failure means that the runner was stopped.
[[nodiscard]] Result<CheapestMap> map_cheapest(const std::vector<Placed>& scenarios, const MapQuestion& question,
                                               const Runner& runner);

} // namespace costcurve::model
