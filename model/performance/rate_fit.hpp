// Fits the step model's parameters to measured rates. Knows no files; rate_audit.hpp says how well rates are met that were left
// out.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "model/performance/rate_correction.hpp"
#include "model/performance/step_model.hpp"

namespace costcurve::model {

/// A measured rate with all that the step model takes.
struct RateRow {
    std::string model, device, source; ///< names that audits group by; models of one architecture share their group
    RateConditions at{};
    ModelShape shape{};
    StepDevice on{};
    StepRequest request{};
    double output_per_s = 0.0; ///< measured, of the replica
    double ttft_s = 0.0;       ///< measured; 0: not known
    double itl_s = 0.0;        ///< measured; 0: not known
    bool is_audited = true;    ///< false: known besides, for the fit and the corrections alone
};

/// Levenberg-Marquardt over the logarithms of the parameters, a pseudo-Huber loss of ln(predicted / measured) with scale 0.13, and
/// weights that keep groups of many rows (a model on a device) from deciding alone: (count / 10)^-0.25, at most 1.5. Each
/// parameter is held near its start by a prior. Times to the first token are fitted after it, to the rows that have one.
/// Rows above the ceilings are left out. About 20 ms a thousand rows and iteration; deterministic.
[[nodiscard]] StepParameters fit_step_parameters(std::span<const RateRow* const> rows, const StepParameters& start,
                                                 int iterations = 30);

/// ln(predicted by the step model / measured) of a row.
[[nodiscard]] double rate_error(const RateRow& row, const StepParameters& parameters);

/// The architecture and device of a row, as one word.
[[nodiscard]] std::string rate_group(const RateRow& row);

/// A published rate above the ceilings of its stated precision: faster than the card.
[[nodiscard]] bool is_above_ceiling(const RateRow& row);

} // namespace costcurve::model
