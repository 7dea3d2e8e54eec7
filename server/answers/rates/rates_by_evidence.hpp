// What a measurement of one's own changes: rates and costs with it, by what is published, and by the models of rates alone.
#pragma once

#include <string_view>
#include <vector>

#include "model/documents/measurement.hpp"
#include "server/answers/evaluate.hpp"
#include "server/answers/rates/rates.hpp"

namespace costcurve::answers {

/// Rates by some of the measurements.
struct RatesBy {
    std::string_view name;
    documents::Source source; ///< the store, with those rates
};

/// "measured": published measurements and these of one's own; "catalogue": published ones; "estimate": none.
[[nodiscard]] std::vector<RatesBy> rates_by_evidence(const storage::DocumentStore& store,
                                                     const std::vector<model::Measurement>& own);

/// The conditions of a point of the measurement, of serving or training.
[[nodiscard]] RatesRequest request_of(const model::Measurement& measurement, std::size_t point);

/// Evaluates a JSON text that is a scenario. A rate that a ranking wrote into it ("rate.…") gives way to the source's.
[[nodiscard]] model::Result<Evaluated> evaluate_by_rates(std::string_view text, documents::Source& source);

} // namespace costcurve::answers
