// The columns that a table has whatever its rows, from the description of the answer.
#pragma once

#include <string>
#include <vector>

#include "server/api/route.hpp"

namespace costcurve::api {

/// Members of a row that are no objects, in the order of the description; so that every page of a list begins with the same
/// columns, and an empty one has a header. Made once.
[[nodiscard]] const std::vector<std::string>& table_columns(const Route& route, const answers::TableRows& table);

} // namespace costcurve::api
