// Texts that every engine can store.
#pragma once

#include <string_view>

namespace costcurve::storage {

/// Whether a text has U+0000, which PostgreSQL can't store.
[[nodiscard]] inline bool has_zero(std::string_view text) { return text.find('\0') != std::string_view::npos; }

} // namespace costcurve::storage
