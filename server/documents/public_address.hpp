// Which addresses of the internet a server may be made to call. Resolves nothing.
#pragma once

#include <span>
#include <string_view>

namespace costcurve::documents {

/// What an address is that is not public: "private", "loopback" …; "" of a public one. 4 or 16 bytes, in network order; an IPv4
/// address within an IPv6 one (mapped, or behind NAT64) is judged as what it is. Anything of another length is not public.
[[nodiscard]] std::string_view not_public(std::span<const unsigned char> address);

} // namespace costcurve::documents
