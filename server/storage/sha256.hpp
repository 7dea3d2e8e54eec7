// SHA-256: of migrations, secrets, requests and inputs.
#pragma once

#include <string>
#include <string_view>

namespace costcurve::storage {

/// SHA-256 in lower-case hexadecimal. Thread-safe.
[[nodiscard]] std::string sha256(std::string_view text);

} // namespace costcurve::storage
