// SHA-256 over a sequence of values, encoded so that different sequences never give the same bytes.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace costcurve::storage {

/// The 32 bytes of a SHA-256.
using Hash = std::array<char, 32>;

[[nodiscard]] inline std::string_view text_of(const Hash& hash) { return {hash.data(), hash.size()}; }

/// Converts 32 bytes to a Hash; empty for any other length.
[[nodiscard]] std::optional<Hash> as_hash(std::string_view bytes);

/// In hexadecimal, lower case.
[[nodiscard]] std::string hex_of(std::string_view bytes);

/// SHA-256 of `bytes`. Cost: about 0.2 us plus 0.5 ns a byte on processors with SHA instructions. Thread-safe.
[[nodiscard]] Hash hash_of(std::string_view bytes);

/// Encodes numbers as 8 bytes, little-endian, and texts after their length. Reuses its memory for the next hash.
class HashInput {
public:
    HashInput& add(std::int64_t number);
    HashInput& add(double number); ///< hashes the bits; -0 counts as 0, because an engine may not distinguish them
    HashInput& add(std::string_view text);
    template <class T> HashInput& add(const std::optional<T>& value) {
        add(static_cast<std::int64_t>(value ? 1 : 0));
        return value ? add(*value) : *this;
    }
    [[nodiscard]] bool is_empty() const { return bytes_.empty(); }
    /// The hash of all added values; then starts empty again.
    [[nodiscard]] Hash take();

private:
    std::string bytes_;
};

} // namespace costcurve::storage
