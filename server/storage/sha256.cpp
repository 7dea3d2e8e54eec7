// SHA-256 by OpenSSL, in hexadecimal.
#include "server/storage/sha256.hpp"

#include <array>
#include <stdexcept>

#include <openssl/evp.h>

namespace costcurve::storage {

std::string sha256(std::string_view text) {
    static const EVP_MD* const kind = EVP_MD_fetch(nullptr, "SHA256", nullptr); // once: a look-up costs more than 5 KB of it
    std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
    unsigned size = 0;
    if (EVP_Digest(text.data(), text.size(), digest.data(), &size, kind, nullptr) != 1) {
        throw std::runtime_error("SHA-256 is not available");
    }
    std::string hex;
    for (unsigned i = 0; i < size; ++i) {
        hex += "0123456789abcdef"[digest.at(i) >> 4U];
        hex += "0123456789abcdef"[digest.at(i) & 15U];
    }
    return hex;
}

} // namespace costcurve::storage
