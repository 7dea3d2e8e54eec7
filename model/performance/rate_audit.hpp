// How well the step model and its correction meet measured rates that were left out of both. Knows no files.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/performance/rate_correction.hpp"
#include "model/performance/rate_fit.hpp"
#include "model/performance/training_fit.hpp"

namespace costcurve::model {

/// The group of rows that is left out of parameters, corrections and widths together.
enum class LeaveOut { row, model, device, model_on_device, source };

/// A left-out row, predicted.
struct AuditedRow {
    const RateRow* row = nullptr;
    double predicted = 0.0; ///< output tokens/s
    double low = 0.0;       ///< p10
    double high = 0.0;      ///< p90
    double ttft_s = 0.0;    ///< predicted
    double itl_s = 0.0;     ///< predicted
    Evidence evidence = Evidence::estimated;
};

struct AuditClass {
    std::string name;
    std::size_t count = 0;
    double within = 0.0;       ///< share of predicted / measured in 0.8 to 1.3
    double median_error = 0.0; ///< of |predicted / measured - 1|
    double bias = 0.0;         ///< median of predicted / measured - 1
    double coverage = 0.0;     ///< share of measured rates in low to high
    double width = 0.0;        ///< median of high / low
};

/// A row that is far off, with the likeliest reason, the first that applies: the model was measured nowhere else, no
/// measurement of the device's maker, none of its family, a mixture of experts, long prompts, few or many requests.
struct AuditMiss {
    AuditedRow row{};
    std::string_view reason;
};
/// Limit of rows in Audit::worst.
inline constexpr std::size_t kWorstRows = 20;

struct Audit {
    std::vector<AuditedRow> rows;
    std::vector<AuditMiss> worst; ///< by |ln(predicted / measured)|, the worst first; at most kWorstRows
    std::vector<AuditClass> classes;
    std::size_t above_ceiling = 0; ///< rows left out as faster than the device
    int folds = 0;
};

/// Each audited row predicted without its group: parameters refitted, corrections and widths from the other folds, rows that are
/// known besides among them. Groups are dealt to folds in an order that the seed makes; at most 30, so that models, devices and
/// sources have one each. Deterministic.
[[nodiscard]] Audit audit_rates(std::span<const RateRow> rows, LeaveOut leave_out, std::uint64_t seed);

/// audit_rates() for training runs; rates are tokens trained/s.
[[nodiscard]] Audit audit_training(std::span<const TrainingRow> rows, LeaveOut leave_out, std::uint64_t seed);

/// The key of a row's group; rows with the same key are left out together.
[[nodiscard]] std::string left_out_key(const RateRow& row, LeaveOut leave_out, std::size_t index);

/// The rows below the ceilings as measurements that correct the step model with these parameters.
[[nodiscard]] RateMeasurements measurements_of(std::span<const RateRow* const> rows, const StepParameters& parameters);

/// How well predictions meet the measured rates of these rows.
[[nodiscard]] AuditClass audit_class_of(std::string name, const std::vector<const AuditedRow*>& rows);

/// p10 and p90 of ln(measured / predicted) by evidence and kind of model, over audited rows; classes of fewer than 20 rows keep
/// those of `otherwise`.
[[nodiscard]] RateIntervals intervals_of(std::span<const AuditedRow> rows, const RateIntervals& otherwise);

} // namespace costcurve::model
