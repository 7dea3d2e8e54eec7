// Effect of the user's own measurements: rates and costs with them, with published measurements, and with estimates alone.
#pragma once

#include <string_view>
#include <vector>

#include "model/documents/measurement.hpp"
#include "server/answers/evaluate.hpp"
#include "server/answers/rates/rates.hpp"

namespace costcurve::answers {

/// Rates from a subset of the measurements.
struct RatesBy {
    std::string_view name;
    documents::Source source; ///< the store, with those rates
};

/// Three sets of rates. "measured": published and the user's measurements; "catalogue": published ones; "estimate": none.
[[nodiscard]] std::vector<RatesBy> rates_by_evidence(const storage::DocumentStore& store,
                                                     const std::vector<model::Measurement>& own);

/// The conditions of a point of the measurement, of serving or training.
[[nodiscard]] RatesRequest request_of(const model::Measurement& measurement, std::size_t point);

/// Evaluates a JSON text of a scenario. Rates that a ranking wrote into it ("rate.…") are replaced by the source's.
[[nodiscard]] model::Result<Evaluated> evaluate_by_rates(std::string_view text, documents::Source& source);

} // namespace costcurve::answers
