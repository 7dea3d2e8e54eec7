// Addresses are read by the system's own parser.
#include "server/http/address.hpp"

#include <algorithm>
#include <array>

#include <arpa/inet.h>
#include <netinet/in.h>

namespace costcurve::http {

std::string network_of(const std::string& address) {
    std::array<unsigned char, 16> bytes{};
    if (inet_pton(AF_INET6, address.c_str(), bytes.data()) != 1) {
        return address;
    }
    std::fill(bytes.begin() + 8, bytes.end(), static_cast<unsigned char>(0));
    std::array<char, INET6_ADDRSTRLEN> text{};
    return inet_ntop(AF_INET6, bytes.data(), text.data(), text.size()) + std::string("/64");
}

bool is_loopback(std::string_view host) {
    in_addr address{};
    const bool is_v4 = inet_pton(AF_INET, std::string(host).c_str(), &address) == 1;
    return (is_v4 && (ntohl(address.s_addr) >> 24U) == 127) || host == "localhost" || host == "::1" || host == "[::1]";
}

} // namespace costcurve::http
