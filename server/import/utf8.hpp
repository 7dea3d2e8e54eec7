// Whether bytes are UTF-8.
#pragma once

#include <string_view>

namespace costcurve::imports {

/// RFC 3629: no surrogates, nothing longer than needed, nothing above U+10FFFF.
[[nodiscard]] bool is_utf8(std::string_view text);

} // namespace costcurve::imports
