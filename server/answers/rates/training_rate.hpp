// The rate of a training run, as POST /v1/rates answers it.
#pragma once

#include "server/answers/rates/rates.hpp"

namespace costcurve::answers {

/// Training rate of a request with `sequence`; all issues at once.
[[nodiscard]] model::Result<RatesAnswer> training_rate_of(const RatesRequest& request, documents::Source& source);

} // namespace costcurve::answers
