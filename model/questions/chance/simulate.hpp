// Monte Carlo: draws inputs from distributions, evaluates every scenario with the same draws, and summarizes their figures.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/questions/chance/spread.hpp"
#include "model/questions/chance/uncertain_inputs.hpp"
#include "model/questions/runner.hpp"

namespace costcurve::model {

/// When scenario `a` becomes the cheaper by cumulative cash, in exact time (break_even.hpp).
struct BreakEvenPair {
    std::size_t a;
    std::size_t b;
};

/// How often a figure stays at or below an amount.
struct Budget {
    std::string output;                  ///< one of the question's; "": the first
    std::optional<std::size_t> scenario; ///< empty: every one
    double amount = 0.0;
};

struct SimulateQuestion : Uncertainty {
    std::vector<std::string> outputs; ///< pointers into the result; the first says which scenario is the cheapest
    bool by_month = false;
    std::optional<BreakEvenPair> break_even;
    std::vector<Budget> budgets;
    std::size_t baseline = 0; ///< the scenario from which differences are taken
    bool ignore_unserved = false;
};

struct SimulatedOutput {
    std::string unit;
    std::optional<Spread> spread;                        ///< empty where no sample has the figure
    std::vector<std::optional<double>> explained_shares; ///< by input: see explained_share; empty where the scenario lacks it
};

/// Quantiles of the cumulative cash at a month's end.
struct CashBand {
    double p5;
    double p50;
    double p95;
};

/// How often a budget is met among the samples that do not fail. A sample without the figure, or whose work can't be done, misses
/// it.
struct BudgetMet {
    std::size_t budget;
    double probability;
};

struct SimulatedScenario {
    std::vector<SimulatedOutput> outputs;
    std::optional<double> probability_feasible; ///< that it can do its work; none where every sample failed, as the next
    std::optional<double>
        probability_cheapest; ///< that it is eligible, all do the same work, and it has the least first output; ties share
    std::vector<BudgetMet> probability_below; ///< of budgets that hold for it; none where every sample failed
    std::optional<Spread> difference; ///< of the first output, less the baseline's; over samples in which both do the same work
    std::vector<CashBand> by_month;   ///< where asked, of months that every sample has
};

struct Simulation {
    std::size_t failed = 0;                 ///< samples whose values break rules together; they count in nothing else
    std::optional<Issue> first_failure;     ///< of the first of them
    std::optional<double> probability_none; ///< that none is the cheapest: none that is eligible has the first output, or not
                                            ///< all do the same work
    std::size_t not_comparable = 0;         ///< samples in which not all do the same work
    std::vector<SimulatedScenario> scenarios;
    std::vector<ScenarioDifference> differences; ///< from the baseline in the first sample, where none is comparable
    /// [m]: the share of samples in which `a` has become the cheaper by the end of month m. In a sample in which one of the two is
    /// not eligible, or they do not do the same work, it never does.
    std::vector<double> break_even;
};

/// Limit of the numbers that one simulation keeps: samples x numbers_of_sample.
inline constexpr std::size_t kMaxKept = 50'000'000;

/// Numbers that a simulation keeps of each sample: inputs, outputs of each scenario (one if none is named yet), and months of cash
/// if those are requested.
[[nodiscard]] std::size_t numbers_of_sample(const std::vector<Placed>& scenarios, const SimulateQuestion& question);

/// A sample depends on the seed and its number alone, so that any number of workers gives the same bits. Issues: unknown pointers,
/// impossible distributions and correlations, numbers of scenarios, budgets of no output, values that leave an input's range, more
/// than 1 % of samples that break rules, and too much to keep. An empty failure: the runner was told to stop.
[[nodiscard]] Result<Simulation> simulate(const std::vector<Placed>& scenarios, const SimulateQuestion& question,
                                          const Runner& runner);

} // namespace costcurve::model
