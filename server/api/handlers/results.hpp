// Where a kept result is.
#pragma once

#include <string>
#include <string_view>

#include "server/api/route.hpp"
#include "server/storage/run.hpp"

namespace costcurve::api {

/// By its number, or "latest"; a 404 where there is none.
[[nodiscard]] Attempt<storage::StoredResult> find_result(const Service& service, const std::string& scenario,
                                                         std::string_view number);

} // namespace costcurve::api
