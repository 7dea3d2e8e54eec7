// Solves with CBC over CLP, with cuts for rounding and fixed charges, on one thread.
#include "model/questions/mix/integer_program.hpp"

#include <algorithm>
#include <cmath>

#include <coin/CbcEventHandler.hpp>
#include <coin/CbcHeuristic.hpp>
#include <coin/CbcHeuristicRINS.hpp>
#include <coin/CbcModel.hpp>
#include <coin/CglFlowCover.hpp>
#include <coin/CglGomory.hpp>
#include <coin/CglMixedIntegerRounding2.hpp>
#include <coin/CglProbing.hpp>
#include <coin/CoinPackedMatrix.hpp>
#include <coin/OsiClpSolverInterface.hpp>

#include "model/stop.hpp"

namespace costcurve::model {

namespace {

// Ends the search when the request is cancelled. CBC copies the handler, and no exception may pass through CBC.
class StopSearch final : public CbcEventHandler {
public:
    CbcAction event(CbcEvent /*what*/) override { return goes_on() ? noAction : stop; }
    [[nodiscard]] CbcEventHandler* clone() const override { return new StopSearch(*this); }
};

void load(const IntegerProgram& program, OsiClpSolverInterface& solver) {
    std::vector<int> row_of;
    std::vector<int> column_of;
    std::vector<double> factors;
    std::vector<double> row_low;
    std::vector<double> row_high;
    for (const IntegerProgram::Row& row : program.rows) {
        for (const LinearTerm& term : row.terms) {
            row_of.push_back(static_cast<int>(row_low.size()));
            column_of.push_back(static_cast<int>(term.column));
            factors.push_back(term.factor);
        }
        row_low.push_back(row.low);
        row_high.push_back(row.high);
    }
    std::vector<double> low;
    std::vector<double> high;
    std::vector<double> costs;
    for (const IntegerProgram::Column& column : program.columns) {
        low.push_back(column.low);
        high.push_back(column.high);
        costs.push_back(column.cost);
    }
    CoinPackedMatrix matrix(false, row_of.data(), column_of.data(), factors.data(), static_cast<int>(factors.size()));
    matrix.setDimensions(static_cast<int>(row_low.size()), static_cast<int>(low.size()));
    solver.messageHandler()->setLogLevel(0);
    solver.loadProblem(matrix, low.data(), high.data(), costs.data(), row_low.data(), row_high.data());
    for (std::size_t c = 0; c < program.columns.size(); ++c) {
        if (program.columns[c].is_integer) {
            solver.setInteger(static_cast<int>(c));
        }
    }
}

} // namespace

std::optional<Relaxation> relax(const IntegerProgram& program) {
    OsiClpSolverInterface solver;
    load(program, solver);
    solver.initialSolve();
    stop_where_unwanted();
    if (!solver.isProvenOptimal()) {
        return std::nullopt;
    }
    const double* const values = solver.getColSolution();
    const double* const prices = solver.getRowPrice();
    return Relaxation{solver.getObjValue(), {values, values + program.columns.size()}, {prices, prices + program.rows.size()}};
}

std::optional<IntegerSolution> solve(const IntegerProgram& program, const IntegerSearch& search) {
    constexpr double kTolerance = 1e-6; // tolerance of CBC's integers and CLP's rows
    OsiClpSolverInterface solver;
    load(program, solver);
    CbcModel model(solver);
    model.setLogLevel(0);
    model.messageHandler()->setLogLevel(0);
    CglProbing probing;
    CglGomory gomory;
    CglMixedIntegerRounding2 rounding;
    CglFlowCover flow;
    model.addCutGenerator(&probing, -1, "probing");
    model.addCutGenerator(&gomory, -1, "gomory");
    model.addCutGenerator(&rounding, -1, "rounding");
    model.addCutGenerator(&flow, -1, "flow");
    CbcRounding round_up(model);
    CbcHeuristicRINS neighbours(model);
    model.addHeuristic(&round_up);
    model.addHeuristic(&neighbours);
    model.setAllowableFractionGap(search.gap);
    model.setMaximumNodes(search.max_nodes);
    StopSearch stop;
    model.passInEventHandler(&stop);
    model.initialSolve();
    if (model.isInitialSolveProvenPrimalInfeasible()) {
        return std::nullopt;
    }
    model.branchAndBound();
    stop_where_unwanted();
    const double* const values = model.bestSolution();
    if (values == nullptr) {
        return std::nullopt;
    }
    IntegerSolution found{model.getObjValue(), model.getBestPossibleObjValue(), {values, values + program.columns.size()}};
    found.bound = std::min(found.bound - kTolerance * std::abs(found.bound), found.cost);
    for (std::size_t c = 0; c < program.columns.size(); ++c) {
        found.values[c] = program.columns[c].is_integer ? std::round(found.values[c]) : found.values[c];
    }
    return found;
}

} // namespace costcurve::model
