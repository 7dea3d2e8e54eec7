// Columns of a CSV table, from the API description and independent of its rows.
#pragma once

#include <string>
#include <vector>

#include "server/api/route.hpp"

namespace costcurve::api {

/// Members of a row that aren't objects, in the order of the description. Thus all pages of a list begin with the same columns, and
/// an empty page has a header. Computed once.
[[nodiscard]] const std::vector<std::string>& table_columns(const Route& route, const answers::TableRows& table);

} // namespace costcurve::api
