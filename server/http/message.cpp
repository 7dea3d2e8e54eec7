// Header fields of requests by name.
#include "server/http/message.hpp"

#include <algorithm>

namespace costcurve::http {

std::string_view header(const Request& request, std::string_view name) {
    const auto found = std::ranges::find(request.headers, name, &Header::name);
    return found == request.headers.end() ? std::string_view() : std::string_view(found->value);
}

bool has_header(const Request& request, std::string_view name) {
    return std::ranges::find(request.headers, name, &Header::name) != request.headers.end();
}

} // namespace costcurve::http
