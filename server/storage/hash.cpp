// SHA-256 by OpenSSL. A look-up of the algorithm costs as much as hashing 5 KB, so it is done once.
#include "server/storage/hash.hpp"

#include <algorithm>
#include <bit>
#include <stdexcept>

#include <openssl/evp.h>

#include "server/storage/sha256.hpp"

namespace costcurve::storage {

Hash hash_of(std::string_view bytes) {
    static EVP_MD* const kind = EVP_MD_fetch(nullptr, "SHA256", nullptr);
    Hash hash{};
    unsigned size = 0;
    if (EVP_Digest(bytes.data(), bytes.size(), reinterpret_cast<unsigned char*>(hash.data()), &size, kind, nullptr) != 1 ||
        size != hash.size()) {
        throw std::runtime_error("SHA-256 is not available");
    }
    return hash;
}

std::optional<Hash> as_hash(std::string_view bytes) {
    Hash hash{};
    if (bytes.size() != hash.size()) {
        return std::nullopt;
    }
    std::ranges::copy(bytes, hash.begin());
    return hash;
}

HashInput& HashInput::add(std::int64_t number) {
    static_assert(std::endian::native == std::endian::little);
    bytes_.append(reinterpret_cast<const char*>(&number), sizeof number);
    return *this;
}

HashInput& HashInput::add(double number) { return add(std::bit_cast<std::int64_t>(number == 0.0 ? 0.0 : number)); }

HashInput& HashInput::add(std::string_view text) {
    add(static_cast<std::int64_t>(text.size()));
    bytes_ += text;
    return *this;
}

Hash HashInput::take() {
    const Hash hash = hash_of(bytes_);
    bytes_.clear();
    return hash;
}

std::string hex_of(std::string_view bytes) {
    std::string hex;
    for (const char byte : bytes) {
        const auto bits = static_cast<unsigned char>(byte);
        hex += "0123456789abcdef"[bits >> 4U];
        hex += "0123456789abcdef"[bits & 15U];
    }
    return hex;
}

std::string sha256(std::string_view text) { return hex_of(text_of(hash_of(text))); }

} // namespace costcurve::storage
