// What the tests of importers ask of complaints.
#pragma once

#include <algorithm>
#include <string_view>

#include "server/import/report.hpp"

namespace costcurve::imports {

/// True where one of the first complaints is about this row and has these words.
[[nodiscard]] inline bool says(const Complaints& complaints, std::size_t row, std::string_view words) {
    return std::any_of(complaints.first.begin(), complaints.first.end(),
                       [&](const Complaint& one) { return one.row == row && one.reason.find(words) != std::string::npos; });
}

} // namespace costcurve::imports
