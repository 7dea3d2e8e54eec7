// Addresses as text: the network of an address, and whether a host is this machine. Resolves no names.
#pragma once

#include <string>
#include <string_view>

namespace costcurve::http {

/// The network by which limits count clients: an IPv4 address itself, or an IPv6 /64 ("2001:db8::/64").
[[nodiscard]] std::string network_of(const std::string& address);

/// True for a name or address of this machine itself, without a port: localhost, ::1 or 127.0.0.0/8.
[[nodiscard]] bool is_loopback(std::string_view host);

} // namespace costcurve::http
