// Signs webhooks' bodies with HMAC, by the functions of OpenSSL, written in hexadecimal digits.
#include "server/outgoing/sign.hpp"

#include <array>
#include <stdexcept>

#include <fmt/format.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>

namespace costcurve::outgoing {

std::string hmac_sha256(std::string_view key, std::string_view text) {
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    if (HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), reinterpret_cast<const unsigned char*>(text.data()),
             text.size(), digest.data(), &size) == nullptr) {
        throw std::runtime_error("OpenSSL has no HMAC-SHA256");
    }
    std::string hex;
    for (unsigned i = 0; i < size; ++i) {
        hex += fmt::format("{:02x}", digest.at(i));
    }
    return hex;
}

std::string signature_of(std::string_view secret, std::int64_t timestamp, std::string_view body) {
    return "sha256=" + hmac_sha256(secret, fmt::format("{}.{}", timestamp, body));
}

} // namespace costcurve::outgoing
