// A linear programme that minimises cost: columns with bounds and costs, rows with bounds. Knows no servers and no hours.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace costcurve::model {

/// A coefficient of a row.
struct LinearTerm {
    std::size_t column;
    double factor;
};

/// Minimises the sum of cost x value over its columns. A solve after changed bounds starts from the previous solution. One thread
/// at a time. The solver is CLP (COIN-OR), dual simplex.
class LinearProgram {
public:
    LinearProgram();
    ~LinearProgram();
    LinearProgram(const LinearProgram&) = delete;
    LinearProgram& operator=(const LinearProgram&) = delete;

    /// Adds a column with low <= value <= high and returns its number. Either bound may be infinite.
    std::size_t add_column(double cost, double low, double high);
    /// Adds a row with low <= sum of factor x value <= high and returns its number. Terms of the same column are added up.
    std::size_t add_row(double low, double high, std::span<const LinearTerm> terms);
    void set_column(std::size_t column, double low, double high);
    void set_row(std::size_t row, double low, double high);

    enum class Status { solved, infeasible, gave_up };
    struct Solution {
        Status status = Status::gave_up;
        double cost = 0.0;
        std::vector<double> values; ///< by column
    };
    [[nodiscard]] Solution solve();

private:
    struct Solver;
    std::unique_ptr<Solver> solver_;
};

} // namespace costcurve::model
