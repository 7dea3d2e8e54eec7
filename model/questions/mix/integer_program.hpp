// Minimizes a mixed-integer linear programme: columns with bounds and costs, some of them integer, and rows with bounds. Gives a
// lower bound as well.
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

/// Limits of the search: until cost - bound <= gap x cost, or a number of nodes of the tree. Time is no limit, so that equal
/// programmes have equal solutions.
struct IntegerSearch {
    double gap = 0.0;
    int max_nodes = 2000;
};

struct IntegerSolution {
    double cost = 0.0;
    double bound = 0.0;         ///< lower bound: no solution costs less
    std::vector<double> values; ///< by column
};

/// Solution of the programme without integrality: the least cost, and by how much a unit more of each row's bounds would raise it.
struct Relaxation {
    double cost = 0.0;
    std::vector<double> values;     ///< by column
    std::vector<double> row_prices; ///< by row
};
/// Solves the programme without integrality. Nothing if it has no solution.
[[nodiscard]] std::optional<Relaxation> relax(const IntegerProgram& program);

/// The best solution that branch and cut finds (CBC, COIN-OR); nothing if there is none. Throws Stopped if the request was
/// cancelled.
[[nodiscard]] std::optional<IntegerSolution> solve(const IntegerProgram& program, const IntegerSearch& search);

} // namespace costcurve::model
