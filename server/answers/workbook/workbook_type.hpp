// What an Excel workbook is called by those who send and take it.
#pragma once

#include <string_view>

namespace costcurve::answers {

/// Its media type (IANA, Office Open XML).
inline constexpr std::string_view kWorkbookType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

} // namespace costcurve::answers
