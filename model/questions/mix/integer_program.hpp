// A mixed-integer linear programme: columns with bounds and costs, some of them integer, rows with bounds; the least cost with a
// bound.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "model/questions/optimize/linear_program.hpp"

namespace costcurve::model {

struct IntegerProgram {
    struct Column {
        double cost = 0.0;
        double low = 0.0;
        double high = 0.0;
        bool is_integer = false;
    };
    struct Row {
        double low = 0.0;
        double high = 0.0;
        std::vector<LinearTerm> terms; ///< of different columns
    };
    std::vector<Column> columns;
    std::vector<Row> rows;
};

/// How far the search goes: until cost - bound <= gap x cost, or so many nodes of the tree. No clock ends it, so that the same
/// programme has the same answer.
struct IntegerSearch {
    double gap = 0.0;
    int max_nodes = 2000;
};

struct IntegerSolution {
    double cost = 0.0;
    double bound = 0.0;         ///< no solution costs less
    std::vector<double> values; ///< by column
};

/// Of the programme without its integers: the least cost, and what a unit more of each row's bounds would add to it.
struct Relaxation {
    double cost = 0.0;
    std::vector<double> values;     ///< by column
    std::vector<double> row_prices; ///< by row
};
/// Nothing where there is no solution.
[[nodiscard]] std::optional<Relaxation> relax(const IntegerProgram& program);

/// The best solution that branch and cut finds (CBC, COIN-OR); nothing where there is none. Throws Stopped where nobody waits.
[[nodiscard]] std::optional<IntegerSolution> solve(const IntegerProgram& program, const IntegerSearch& search);

} // namespace costcurve::model
