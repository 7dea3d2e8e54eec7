// Normal equations of a ridge regression, reweighted.
#include "model/performance/training_fit.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include "model/performance/symmetric.hpp"

namespace costcurve::model {

const std::array<TrainingTermRow, kTrainingTermCount> kTrainingTerms = {{
    {TrainingTerm::level, "level", 5.0},
    {TrainingTerm::size, "size", 0.3},
    {TrainingTerm::small_size, "small_size", 0.1},
    {TrainingTerm::devices, "devices", 0.2},
    {TrainingTerm::small_steps, "small_steps", 0.3},
    {TrainingTerm::sequence, "sequence", 0.5},
    {TrainingTerm::year, "year", 0.1},
    {TrainingTerm::bf16, "bf16", 0.3},
    {TrainingTerm::fp8, "fp8", 0.3},
    {TrainingTerm::fp4, "fp4", 0.3},
    {TrainingTerm::mixture, "mixture", 0.7},
    {TrainingTerm::expert_size, "expert_size", 0.5},
    {TrainingTerm::mixture_devices, "mixture_devices", 0.3},
    {TrainingTerm::ampere, "ampere", 0.15},
    {TrainingTerm::hopper, "hopper", 0.15},
    {TrainingTerm::blackwell, "blackwell", 0.15},
    {TrainingTerm::grace_blackwell, "grace_blackwell", 0.15},
    {TrainingTerm::ada, "ada", 0.15},
    {TrainingTerm::cdna3, "cdna3", 0.15},
    {TrainingTerm::cdna4, "cdna4", 0.15},
    {TrainingTerm::tpu, "tpu", 0.15},
    {TrainingTerm::gaudi, "gaudi", 0.15},
    {TrainingTerm::megatron, "megatron", 0.15},
    {TrainingTerm::mlperf, "mlperf", 0.15},
    {TrainingTerm::maxtext, "maxtext", 0.15},
    {TrainingTerm::llm_foundry, "llm_foundry", 0.15},
    {TrainingTerm::torchtitan, "torchtitan", 0.15},
}};

namespace {

constexpr double kMfuLossScale = 0.13;
constexpr double kLevelPrior = -1.0;
constexpr int kMfuReweightings = 8;

double mfu_sum(const TrainingNumbers& a, const TrainingNumbers& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        sum += a[i] * b[i];
    }
    return sum;
}

struct MfuRow {
    TrainingNumbers features;
    double log_mfu;
    double weight;
};

std::vector<MfuRow> mfu_rows_of(std::span<const TrainingRow* const> rows) {
    constexpr double kUsualCount = 10.0;
    constexpr double kMaxWeight = 1.5;
    std::vector<const TrainingRow*> used;
    std::map<std::string, double> counts;
    for (const TrainingRow* row : rows) {
        if (row->run.method == TrainingMethod::full && measured_mfu(*row) <= kPeakCeiling) {
            used.push_back(row);
            counts[rate_group(*row)] += 1.0;
        }
    }
    std::vector<MfuRow> found;
    found.reserve(used.size());
    for (const TrainingRow* row : used) {
        const double weight = std::min(kMaxWeight, std::pow(counts[rate_group(*row)] / kUsualCount, -0.25));
        found.push_back({training_features(row->run), std::log(measured_mfu(*row)), weight * weight});
    }
    return found;
}

} // namespace

RateConditions training_conditions(const TrainingRun& run, std::uint32_t architecture, std::uint32_t device, std::uint32_t family) {
    RateConditions at;
    at.architecture = architecture;
    at.device = device;
    at.family = family;
    at.precision = run.precision;
    at.is_mixture = run.is_mixture;
    at.devices = run.devices;
    at.input_tokens = run.sequence;
    at.output_tokens = run.tokens_per_step > 0.0 ? run.tokens_per_step / run.devices : kUsualStepTokens;
    at.year = run.year > 0.0 ? run.year : kTrainingYear;
    return at;
}

RateMeasurement training_measurement(const TrainingRun& run, const RateConditions& at, double tokens_per_s,
                                     const TrainingNumbers& coefficients, std::uint32_t id, bool is_own) {
    const double mfu = tokens_per_s / run.devices * training_token_s(run);
    return {at, std::log(mfu / training_mfu(run, coefficients)), id, is_own};
}

CorrectedRate corrected_training_rate(const TrainingRun& run, const RateConditions& at, const TrainingNumbers& coefficients,
                                      const RateMeasurements& measurements, const RateIntervals& intervals) {
    StepRate predicted{};
    predicted.peak_share = training_mfu(run, coefficients);
    predicted.output_per_s = predicted.peak_share / training_token_s(run) * run.devices;
    predicted.bandwidth_share = 1e-9; // no bound of training
    return corrected_rate(predicted, at, measurements, intervals);
}

double measured_mfu(const TrainingRow& row) { return row.output_per_s / row.run.devices * training_token_s(row.run); }

TrainingNumbers fit_training(std::span<const TrainingRow* const> rows) {
    constexpr std::size_t n = kTrainingTermCount;
    const std::vector<MfuRow> fitted = mfu_rows_of(rows);
    TrainingNumbers coefficients{};
    coefficients[static_cast<std::size_t>(TrainingTerm::level)] = kLevelPrior;
    const TrainingNumbers prior = coefficients;
    std::vector<double> a(n * n);
    std::vector<double> b(n);
    for (int i = 0; i < kMfuReweightings; ++i) {
        std::ranges::fill(a, 0.0);
        std::ranges::fill(b, 0.0);
        for (std::size_t j = 0; j < n; ++j) {
            const double precision = 1.0 / (kTrainingTerms[j].prior_sd * kTrainingTerms[j].prior_sd);
            a[j * n + j] = precision;
            b[j] = precision * prior[j];
        }
        for (const MfuRow& row : fitted) {
            const double x = (mfu_sum(row.features, coefficients) - row.log_mfu) / kMfuLossScale;
            const double robust = i == 0 ? 1.0 : 1.0 / std::sqrt(1.0 + x * x);
            const double weight = row.weight * robust / (kMfuLossScale * kMfuLossScale);
            for (std::size_t j = 0; j < n; ++j) {
                b[j] += weight * row.features[j] * row.log_mfu;
                for (std::size_t k = 0; k <= j; ++k) {
                    a[j * n + k] += weight * row.features[j] * row.features[k];
                }
            }
        }
        if (!solve_symmetric(a, b, n)) {
            break; // never: the priors make it positive
        }
        std::ranges::copy(b, coefficients.begin());
    }
    return coefficients;
}

} // namespace costcurve::model
