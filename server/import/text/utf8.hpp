// Whether bytes are UTF-8, and where it may be cut.
#pragma once

#include <string_view>

namespace costcurve::imports {

/// RFC 3629: no surrogates, nothing longer than needed, nothing above U+10FFFF.
[[nodiscard]] bool is_utf8(std::string_view text);

/// The beginning of a text, for messages: up to `most` bytes, never half a character.
[[nodiscard]] std::string_view clipped(std::string_view text, std::size_t most = 60);

} // namespace costcurve::imports
