// Ranges by the IANA registries of special-purpose addresses (IPv4 and IPv6, as of 2025-10), multicast, and the one public address
// at which a cloud answers about its machines.
#include "server/documents/public_address.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include <arpa/inet.h>

namespace costcurve::documents {

namespace {

using Bytes = std::array<unsigned char, 16>;

struct Range {
    const char* first;
    unsigned bits;
    std::string_view what;
};
constexpr auto kRanges = std::to_array<Range>({
    {"0.0.0.0", 8, "this network's"},
    {"10.0.0.0", 8, "a private"},
    {"100.64.0.0", 10, "a carrier's private"},
    {"127.0.0.0", 8, "a loopback"},
    {"168.63.129.16", 32, "a cloud's metadata"},
    {"169.254.0.0", 16, "a link-local"},
    {"172.16.0.0", 12, "a private"},
    {"192.0.0.0", 24, "a reserved"},
    {"192.0.2.0", 24, "a documentation"},
    {"192.88.99.0", 24, "a relay's"},
    {"192.168.0.0", 16, "a private"},
    {"198.18.0.0", 15, "a benchmarking"},
    {"198.51.100.0", 24, "a documentation"},
    {"203.0.113.0", 24, "a documentation"},
    {"224.0.0.0", 4, "a multicast"},
    {"240.0.0.0", 4, "a reserved"},
    {"::1", 128, "a loopback"},
    {"64:ff9b:1::", 48, "a translator's private"},
    {"2001::", 23, "a reserved"},
    {"2001:db8::", 32, "a documentation"},
    {"2002::", 16, "a relay's"},
    {"3fff::", 20, "a documentation"},
    {"fc00::", 7, "a private"},
    {"fe80::", 10, "a link-local"},
    {"fec0::", 10, "a private"},
    {"ff00::", 8, "a multicast"},
});
constexpr std::string_view kReserved = "a reserved"; // IPv6 outside of 2000::/3, which is all that has been given out

constexpr unsigned kBits = 128;
constexpr unsigned kBitsBeforeIpv4 = 96;

Bytes bytes_of(const char* text) {
    Bytes bytes{};
    if (std::string_view(text).find(':') != std::string_view::npos) {
        if (inet_pton(AF_INET6, text, bytes.data()) == 1) {
            return bytes;
        }
    } else {
        bytes[10] = bytes[11] = 0xff; // ::ffff:0:0/96, where IPv4 is mapped
        if (inet_pton(AF_INET, text, bytes.data() + 12) == 1) {
            return bytes;
        }
    }
    throw std::logic_error(std::string("no address: ") + text);
}

bool begins_with(const Bytes& address, const Bytes& first, unsigned bits) {
    const unsigned whole = bits / 8;
    const unsigned rest = bits % 8;
    const auto mask = static_cast<unsigned char>(0xff00U >> rest);
    return std::equal(first.begin(), first.begin() + whole, address.begin()) &&
           (rest == 0 || ((address.at(whole) ^ first.at(whole)) & mask) == 0);
}

// An IPv4 address in its mapped form, also where it stands behind NAT64 (RFC 6052).
Bytes normal(std::span<const unsigned char> address) {
    static const Bytes mapped = bytes_of("0.0.0.0");
    static const Bytes translated = bytes_of("64:ff9b::");
    Bytes bytes{};
    std::copy(address.begin(), address.end(), bytes.end() - static_cast<std::ptrdiff_t>(address.size()));
    if (address.size() == 4 || begins_with(bytes, translated, kBitsBeforeIpv4)) {
        std::copy(mapped.begin(), mapped.begin() + 12, bytes.begin());
    }
    return bytes;
}

} // namespace

std::string_view not_public(std::span<const unsigned char> address) {
    struct Parsed {
        Bytes first;
        unsigned bits;
        std::string_view what;
    };
    static const std::vector<Parsed> ranges = [] {
        std::vector<Parsed> parsed;
        parsed.reserve(kRanges.size());
        for (const Range& range : kRanges) {
            const bool is_v6 = std::string_view(range.first).find(':') != std::string_view::npos;
            parsed.push_back({bytes_of(range.first), range.bits + (is_v6 ? 0 : kBitsBeforeIpv4), range.what});
        }
        return parsed;
    }();
    if (address.size() != 4 && address.size() != kBits / 8) {
        return kReserved;
    }
    const Bytes bytes = normal(address);
    const auto found = std::find_if(ranges.begin(), ranges.end(),
                                    [&](const Parsed& range) { return begins_with(bytes, range.first, range.bits); });
    if (found != ranges.end()) {
        return found->what;
    }
    static const Bytes given_out = bytes_of("2000::");
    static const Bytes mapped = bytes_of("0.0.0.0");
    return begins_with(bytes, given_out, 3) || begins_with(bytes, mapped, kBitsBeforeIpv4) ? "" : kReserved;
}

} // namespace costcurve::documents
