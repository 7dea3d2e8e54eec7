// Validates UTF-8 with simdjson.
#include "server/import/text/utf8.hpp"

#include <algorithm>

#include <simdjson.h>

namespace costcurve::imports {

bool is_utf8(std::string_view text) { return text.empty() || simdjson::validate_utf8(text.data(), text.size()); }

std::string_view clipped(std::string_view text, std::size_t most) {
    std::size_t end = std::min(text.size(), most);
    while (end > 0 && end < text.size() && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
        --end;
    }
    return text.substr(0, end);
}

} // namespace costcurve::imports
