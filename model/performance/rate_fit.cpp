// Levenberg-Marquardt over few parameters.
#include "model/performance/rate_fit.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

#include "model/performance/rate_table.hpp"
#include "model/performance/symmetric.hpp"

namespace costcurve::model {

namespace {

constexpr double kLossScale = 0.13;  // of ln(predicted / measured): noise of one configuration measured twice
constexpr double kFirstScale = 0.35; // the same of times to the first token

struct Fitted {
    double StepParameters::*member;
    double prior_sd; // of the logarithm
};
constexpr auto kFittedToRates = std::to_array<Fitted>({
    {&StepParameters::bandwidth_share, 0.3},
    {&StepParameters::shard_loss, 0.7},
    {&StepParameters::peak_share, 0.4},
    {&StepParameters::peak_share_fp8, 0.3},
    {&StepParameters::peak_share_experts, 0.3},
    {&StepParameters::expert_padding, 0.7},
    {&StepParameters::layer_s, 0.4},
    {&StepParameters::expert_layer_s, 0.4},
    {&StepParameters::hard_layer_s, 0.4},
    {&StepParameters::step_s, 0.4},
    {&StepParameters::sequence_s, 0.4},
    {&StepParameters::reduce_s, 0.4},
    {&StepParameters::link_share, 0.4},
    {&StepParameters::tensorrt_sequence, 0.3},
    {&StepParameters::plain_layer, 0.3},
    {&StepParameters::plain_sequence, 0.5},
    {&StepParameters::plain_experts_fp8, 0.3},
});
constexpr auto kFittedToFirstTokens = std::to_array<Fitted>({
    {&StepParameters::first_prompt, 0.5},
    {&StepParameters::first_steps, 0.5},
    {&StepParameters::first_s, 0.5},
    {&StepParameters::first_queue, 1.0},
    {&StepParameters::first_sglang, 1.0},
});

/// Rows with their weights, and what is predicted of them: the logarithm of predicted / measured.
struct Problem {
    std::span<const Fitted> parameters;
    std::vector<const RateRow*> rows;
    std::vector<double> weights;
    double scale;
    double (*error)(const RateRow& row, const StepParameters& parameters);
    StepParameters start;
};

double log_of(const StepParameters& parameters, const Fitted& fitted) { return std::log(parameters.*fitted.member); }

double loss_of(const Problem& problem, const StepParameters& at, std::vector<double>& errors) {
    double loss = 0.0;
    for (std::size_t i = 0; i < problem.rows.size(); ++i) {
        errors[i] = problem.error(*problem.rows[i], at);
        const double x = errors[i] / problem.scale;
        loss += problem.weights[i] * problem.weights[i] * 2.0 * (std::sqrt(1.0 + x * x) - 1.0);
    }
    for (const Fitted& fitted : problem.parameters) {
        const double off = (log_of(at, fitted) - log_of(problem.start, fitted)) / fitted.prior_sd;
        loss += off * off;
    }
    return loss;
}

// The normal equations of the loss, reweighted at these errors.
void normal_equations(const Problem& problem, const StepParameters& at, const std::vector<double>& errors, std::vector<double>& a,
                      std::vector<double>& b) {
    constexpr double kStep = 1e-5;
    const std::size_t n = problem.parameters.size();
    std::ranges::fill(a, 0.0);
    std::ranges::fill(b, 0.0);
    std::vector<StepParameters> nudged(n, at);
    for (std::size_t j = 0; j < n; ++j) {
        nudged[j].*problem.parameters[j].member *= std::exp(kStep);
    }
    std::vector<double> gradient(n);
    for (std::size_t i = 0; i < problem.rows.size(); ++i) {
        const double x = errors[i] / problem.scale;
        const double weight = problem.weights[i] * problem.weights[i] / (problem.scale * problem.scale * std::sqrt(1.0 + x * x));
        for (std::size_t j = 0; j < n; ++j) {
            gradient[j] = (problem.error(*problem.rows[i], nudged[j]) - errors[i]) / kStep;
            b[j] -= weight * gradient[j] * errors[i];
            for (std::size_t k = 0; k <= j; ++k) {
                a[j * n + k] += weight * gradient[j] * gradient[k];
            }
        }
    }
    for (std::size_t j = 0; j < n; ++j) {
        const Fitted& fitted = problem.parameters[j];
        const double prior = 1.0 / (fitted.prior_sd * fitted.prior_sd);
        a[j * n + j] += prior;
        b[j] -= prior * (log_of(at, fitted) - log_of(problem.start, fitted));
    }
}

// Where a damped move along the normal equations leads; nothing where they can't be solved.
std::optional<StepParameters> moved(const Problem& problem, const StepParameters& at, std::vector<double> matrix,
                                    std::vector<double> move, double damping) {
    constexpr double kMaxMove = 0.7; // of a logarithm at a time
    const std::size_t n = problem.parameters.size();
    for (std::size_t j = 0; j < n; ++j) {
        matrix[j * n + j] *= 1.0 + damping;
    }
    if (!solve_symmetric(matrix, move, n)) {
        return std::nullopt;
    }
    StepParameters tried = at;
    for (std::size_t j = 0; j < n; ++j) {
        tried.*problem.parameters[j].member *= std::exp(std::clamp(move[j], -kMaxMove, kMaxMove));
    }
    return tried;
}

StepParameters minimized(const Problem& problem, StepParameters at, int iterations) {
    constexpr double kFirstDamping = 1e-3;
    constexpr double kMaxDamping = 1e6;
    constexpr double kEnough = 1e-10;
    const std::size_t n = problem.parameters.size();
    std::vector<double> errors(problem.rows.size());
    std::vector<double> tried_errors(problem.rows.size());
    std::vector<double> a(n * n);
    std::vector<double> b(n);
    double loss = loss_of(problem, at, errors);
    double damping = kFirstDamping;
    normal_equations(problem, at, errors, a, b);
    for (int i = 0; i < iterations && damping < kMaxDamping;) {
        const std::optional<StepParameters> tried = moved(problem, at, a, b, damping);
        const double tried_loss = tried ? loss_of(problem, *tried, tried_errors) : HUGE_VAL;
        if (tried_loss >= loss) {
            damping *= 6.0;
            continue;
        }
        const bool is_enough = loss - tried_loss < kEnough * loss;
        at = *tried;
        loss = tried_loss;
        errors.swap(tried_errors);
        damping /= 4.0;
        if (is_enough) {
            break;
        }
        normal_equations(problem, at, errors, a, b);
        ++i;
    }
    return at;
}

double first_token_error(const RateRow& row, const StepParameters& parameters) {
    return std::log(step_rate(row.shape, row.on, row.request, parameters).ttft_s / row.ttft_s);
}

std::vector<double> row_weights_of(const std::vector<const RateRow*>& rows) {
    constexpr double kUsualCount = 10.0;
    std::map<std::string, double> counts;
    for (const RateRow* row : rows) {
        counts[rate_group(*row)] += 1.0;
    }
    std::vector<double> weights;
    weights.reserve(rows.size());
    for (const RateRow* row : rows) {
        weights.push_back(std::min(1.5, std::pow(counts[rate_group(*row)] / kUsualCount, -0.25)));
    }
    return weights;
}

// Levels of the priors: the fit of an earlier trial (12 numbers for all devices), and 1 where it has none.
constexpr StepParameters kTrial = {.bandwidth_share = 0.8,
                                   .shard_loss = 0.11,
                                   .peak_share = 0.6,
                                   .peak_share_fp8 = 1.0,
                                   .peak_share_experts = 0.8,
                                   .expert_padding = 13.0,
                                   .layer_s = 49e-6,
                                   .expert_layer_s = 22e-6,
                                   .hard_layer_s = 35e-6,
                                   .step_s = 513e-6,
                                   .sequence_s = 37e-6,
                                   .reduce_s = 4.9e-6,
                                   .link_share = 0.51,
                                   .tensorrt_sequence = 1.0,
                                   .plain_layer = 1.0,
                                   .plain_sequence = 1.0,
                                   .plain_experts_fp8 = 1.0,
                                   .first_prompt = 2.0,
                                   .first_steps = 8.0,
                                   .first_s = 0.015,
                                   .first_queue = 0.1,
                                   .first_sglang = 1.0};

} // namespace

double rate_error(const RateRow& row, const StepParameters& parameters) {
    return std::log(step_rate(row.shape, row.on, row.request, parameters).output_per_s / row.output_per_s);
}

std::string rate_group(const RateRow& row) { return std::to_string(row.at.architecture) + "|" + row.device; }

bool is_above_ceiling(const RateRow& row) {
    StepParameters nothing_else = kStepParameters; // a step at its ceilings: all overheads 0, all shares 1
    nothing_else.bandwidth_share = nothing_else.peak_share = nothing_else.link_share = 1e6;
    nothing_else.shard_loss = 0.0;
    nothing_else.layer_s = nothing_else.expert_layer_s = nothing_else.hard_layer_s = 0.0;
    nothing_else.step_s = nothing_else.sequence_s = nothing_else.reduce_s = 0.0;
    return row.output_per_s > step_rate(row.shape, row.on, row.request, nothing_else).output_per_s;
}

StepParameters fit_step_parameters(std::span<const RateRow* const> rows, const StepParameters& start, int iterations) {
    Problem rates{kFittedToRates, {}, {}, kLossScale, rate_error, kTrial};
    for (const RateRow* row : rows) {
        if (!is_above_ceiling(*row)) {
            rates.rows.push_back(row);
        }
    }
    rates.weights = row_weights_of(rates.rows);
    StepParameters fitted = minimized(rates, start, iterations);
    Problem first{kFittedToFirstTokens, {}, {}, kFirstScale, first_token_error, kTrial};
    for (const RateRow* row : rates.rows) {
        if (row->ttft_s > 0.0) {
            first.rows.push_back(row);
        }
    }
    first.weights = row_weights_of(first.rows);
    return first.rows.empty() ? fitted : minimized(first, fitted, iterations);
}

} // namespace costcurve::model
