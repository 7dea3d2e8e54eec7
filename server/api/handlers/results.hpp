// Look-up of stored results.
#pragma once

#include <string>
#include <string_view>

#include "server/api/route.hpp"
#include "server/storage/run.hpp"

namespace costcurve::api {

/// A result by its number or "latest"; 404 if there is none.
[[nodiscard]] Attempt<storage::StoredResult> find_result(const Service& service, const std::string& scenario,
                                                         std::string_view number);

} // namespace costcurve::api
