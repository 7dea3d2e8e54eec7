// What the tests of rates read of the catalogue: shapes of models, devices, links.
#pragma once

#include <string>

#include "server/answers/rates/rate_audit.hpp"

namespace costcurve::rates {

using answers::RateFacts;

/// Of deploy/catalog in the repository.
[[nodiscard]] RateFacts read_rate_facts();

/// A whole file; "" where it can't be read.
[[nodiscard]] std::string file_text(const std::string& path);

} // namespace costcurve::rates
