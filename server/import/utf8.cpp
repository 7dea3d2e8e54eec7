// Asks simdjson, which has the fastest check there is.
#include "server/import/utf8.hpp"

#include <simdjson.h>

namespace costcurve::imports {

bool is_utf8(std::string_view text) { return text.empty() || simdjson::validate_utf8(text.data(), text.size()); }

} // namespace costcurve::imports
