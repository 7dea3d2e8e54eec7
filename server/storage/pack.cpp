// Texts deflated by zlib.
#include <stdexcept>

#include <zlib.h>

#include "server/storage/error.hpp"
#include "server/storage/run.hpp"

namespace costcurve::storage {

std::string pack(std::string_view text) {
    uLongf size = compressBound(static_cast<uLong>(text.size()));
    std::string packed(sizeof(std::uint64_t) + size, '\0');
    for (std::size_t i = 0; i < sizeof(std::uint64_t); ++i) {
        packed[i] = static_cast<char>((text.size() >> (8 * i)) & 0xFFU);
    }
    if (compress2(reinterpret_cast<Bytef*>(packed.data() + sizeof(std::uint64_t)), &size,
                  reinterpret_cast<const Bytef*>(text.data()), static_cast<uLong>(text.size()), Z_BEST_SPEED) != Z_OK) {
        throw std::bad_alloc();
    }
    packed.resize(sizeof(std::uint64_t) + size);
    return packed;
}

std::string unpack(std::string_view packed) {
    std::uint64_t length = 0;
    for (std::size_t i = 0; i < sizeof(length) && i < packed.size(); ++i) {
        length |= static_cast<std::uint64_t>(static_cast<unsigned char>(packed[i])) << (8 * i);
    }
    constexpr std::uint64_t kMaxTextBytes = 1ULL << 30U;
    std::string text(length <= kMaxTextBytes ? length : 0, '\0');
    uLongf size = text.size();
    if (packed.size() < sizeof(length) || length > kMaxTextBytes ||
        uncompress(reinterpret_cast<Bytef*>(text.data()), &size, reinterpret_cast<const Bytef*>(packed.data() + sizeof(length)),
                   static_cast<uLong>(packed.size() - sizeof(length))) != Z_OK ||
        size != length) {
        throw StoreError(StoreError::Cause::corrupt, "a stored result is damaged; restore a backup");
    }
    return text;
}

} // namespace costcurve::storage
