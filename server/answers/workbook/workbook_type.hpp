// Media type of Excel workbooks.
#pragma once

#include <string_view>

namespace costcurve::answers {

/// Its media type (IANA, Office Open XML).
inline constexpr std::string_view kWorkbookType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

} // namespace costcurve::answers
