// Signatures of events sent to webhooks, by which receivers know that they are from us, unchanged and fresh.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace costcurve::outgoing {

/// HMAC-SHA256 (RFC 2104, FIPS 180-4) in hexadecimal.
[[nodiscard]] std::string hmac_sha256(std::string_view key, std::string_view text);

/// The header X-Costcurve-Signature: `sha256=` and the HMAC of "<timestamp>.<body>", the time in Unix seconds.
[[nodiscard]] std::string signature_of(std::string_view secret, std::int64_t timestamp, std::string_view body);

} // namespace costcurve::outgoing
