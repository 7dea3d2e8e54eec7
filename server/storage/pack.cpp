// Packed texts: the length, then the text deflated by libdeflate. zlib reads this format and its output is read here.
#include <memory>
#include <new>

#include <libdeflate.h>

#include "server/storage/error.hpp"
#include "server/storage/run.hpp"

namespace costcurve::storage {

namespace {

constexpr int kFastest = 1;

struct Free {
    void operator()(libdeflate_compressor* compressor) const { libdeflate_free_compressor(compressor); }
    void operator()(libdeflate_decompressor* decompressor) const { libdeflate_free_decompressor(decompressor); }
};

template <class T> std::unique_ptr<T, Free> made(T* made_one) {
    if (made_one == nullptr) {
        throw std::bad_alloc();
    }
    return std::unique_ptr<T, Free>(made_one);
}

} // namespace

std::string pack(std::string_view text) {
    const auto compressor = made(libdeflate_alloc_compressor(kFastest));
    const std::size_t most = libdeflate_zlib_compress_bound(compressor.get(), text.size());
    std::string packed(sizeof(std::uint64_t) + most, '\0');
    for (std::size_t i = 0; i < sizeof(std::uint64_t); ++i) {
        packed[i] = static_cast<char>((text.size() >> (8 * i)) & 0xFFU);
    }
    const std::size_t size =
        libdeflate_zlib_compress(compressor.get(), text.data(), text.size(), packed.data() + sizeof(std::uint64_t), most);
    return packed.substr(0, sizeof(std::uint64_t) +
                                size); // copy without the spare capacity, because it stays in memory until it is stored
}

std::string unpack(std::string_view packed) {
    std::uint64_t length = 0;
    for (std::size_t i = 0; i < sizeof(length) && i < packed.size(); ++i) {
        length |= static_cast<std::uint64_t>(static_cast<unsigned char>(packed[i])) << (8 * i);
    }
    constexpr std::uint64_t kMaxTextBytes = 1ULL << 30U;
    std::string text(length <= kMaxTextBytes ? length : 0, '\0');
    if (packed.size() < sizeof(length) || length > kMaxTextBytes ||
        libdeflate_zlib_decompress(made(libdeflate_alloc_decompressor()).get(), packed.data() + sizeof(length),
                                   packed.size() - sizeof(length), text.data(), text.size(), nullptr) != LIBDEFLATE_SUCCESS) {
        throw StoreError(StoreError::Cause::corrupt, "a stored result is damaged; restore a backup");
    }
    return text;
}

} // namespace costcurve::storage
