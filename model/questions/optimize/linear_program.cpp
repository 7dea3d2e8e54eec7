// Wraps CLP in a small interface: rows are collected first and loaded at the first solve.
#include "model/questions/optimize/linear_program.hpp"

#include <algorithm>
#include <cmath>

#include <coin/ClpEventHandler.hpp>
#include <coin/ClpSimplex.hpp>
#include <coin/CoinPackedMatrix.hpp>

#include "model/stop.hpp"

namespace costcurve::model {

namespace {

// Ends the simplex once the caller no longer waits for it. CLP copies this handler, and no exception may pass through CLP.
class StopHandler final : public ClpEventHandler {
public:
    int event(Event what) override {
        constexpr int kGoOn = -1;
        constexpr int kStop = 5;
        return (what == endOfIteration || what == endOfFactorization) && !goes_on() ? kStop : kGoOn;
    }
    [[nodiscard]] ClpEventHandler* clone() const override { return new StopHandler(*this); }
};

} // namespace

struct LinearProgram::Solver {
    struct Bounds {
        double low, high;
    };
    std::vector<double> costs;
    std::vector<Bounds> columns, rows;
    std::vector<int> row_of, column_of; ///< row and column of each coefficient
    std::vector<double> factors;
    ClpSimplex simplex;
    bool loaded = false;

    void load() {
        const CoinPackedMatrix matrix(false, row_of.data(), column_of.data(), factors.data(), static_cast<int>(factors.size()));
        const auto split = [](const std::vector<Bounds>& bounds, auto Bounds::*side) {
            std::vector<double> values(bounds.size());
            std::transform(bounds.begin(), bounds.end(), values.begin(), [side](const Bounds& b) { return b.*side; });
            return values;
        };
        simplex.setLogLevel(0);
        CoinPackedMatrix whole = matrix;
        whole.setDimensions(static_cast<int>(rows.size()), static_cast<int>(columns.size()));
        simplex.loadProblem(whole, split(columns, &Bounds::low).data(), split(columns, &Bounds::high).data(), costs.data(),
                            split(rows, &Bounds::low).data(), split(rows, &Bounds::high).data());
        simplex.scaling(3);
        const StopHandler handler;
        simplex.passInEventHandler(&handler);
        loaded = true;
    }
};

LinearProgram::LinearProgram() : solver_(std::make_unique<Solver>()) {}
LinearProgram::~LinearProgram() = default;

std::size_t LinearProgram::add_column(double cost, double low, double high) {
    solver_->costs.push_back(cost);
    solver_->columns.push_back({low, high});
    return solver_->columns.size() - 1;
}

std::size_t LinearProgram::add_row(double low, double high, std::span<const LinearTerm> terms) {
    const auto row = static_cast<int>(solver_->rows.size());
    std::vector<LinearTerm> sorted(terms.begin(), terms.end());
    std::stable_sort(sorted.begin(), sorted.end(), [](const LinearTerm& a, const LinearTerm& b) { return a.column < b.column; });
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        if (i > 0 && sorted[i].column == sorted[i - 1].column) {
            solver_->factors.back() += sorted[i].factor;
            continue;
        }
        solver_->row_of.push_back(row);
        solver_->column_of.push_back(static_cast<int>(sorted[i].column));
        solver_->factors.push_back(sorted[i].factor);
    }
    solver_->rows.push_back({low, high});
    return static_cast<std::size_t>(row);
}

void LinearProgram::set_column(std::size_t column, double low, double high) {
    solver_->columns[column] = {low, high};
    if (solver_->loaded) {
        solver_->simplex.setColumnBounds(static_cast<int>(column), low, high);
    }
}

void LinearProgram::set_row(std::size_t row, double low, double high) {
    solver_->rows[row] = {low, high};
    if (solver_->loaded) {
        solver_->simplex.setRowBounds(static_cast<int>(row), low, high);
    }
}

LinearProgram::Solution LinearProgram::solve() {
    ClpSimplex& simplex = solver_->simplex;
    if (!solver_->loaded) {
        solver_->load();
        simplex.initialDualSolve();
    } else {
        simplex.dual();
    }
    stop_where_unwanted();
    if (simplex.isProvenPrimalInfeasible()) {
        return {Status::infeasible, 0.0, {}};
    }
    if (!simplex.isProvenOptimal()) {
        return {};
    }
    const double* const values = simplex.primalColumnSolution();
    return {Status::solved, simplex.objectiveValue(), {values, values + solver_->columns.size()}};
}

} // namespace costcurve::model
