// Finds the route of a path and method.
#include <algorithm>

#include "server/api/routes.hpp"

namespace costcurve::api {

namespace {

// Whether the path matches the route's pattern; the values of {…} go into `arguments`.
bool matches(std::string_view pattern, std::string_view path, std::vector<std::string>& arguments) {
    arguments.clear();
    while (true) {
        const std::size_t end = std::min(pattern.find('/', 1), pattern.size());
        const std::size_t path_end = std::min(path.find('/', 1), path.size());
        const std::string_view segment = pattern.substr(0, end);
        const std::string_view given = path.substr(0, path_end);
        if (segment.starts_with("/{")) {
            if (given.size() < 2) {
                return false;
            }
            arguments.emplace_back(given.substr(1));
        } else if (segment != given) {
            return false;
        }
        pattern.remove_prefix(end);
        path.remove_prefix(path_end);
        if (pattern.empty() || path.empty()) {
            return pattern.empty() && path.empty();
        }
    }
}

} // namespace

FoundRoute find_route(const http::Request& request) {
    const std::string_view method = request.method == "HEAD" ? "GET" : std::string_view(request.method);
    FoundRoute found;
    std::vector<std::string> arguments;
    for (const Route& row : routes()) {
        if (!matches(row.path, request.path, arguments)) {
            continue;
        }
        if (row.method == method) {
            return {&row, std::move(arguments), ""};
        }
        found.allowed += (found.allowed.empty() ? "" : ", ") + std::string(row.method) + (row.method == "GET" ? ", HEAD" : "");
    }
    return found;
}

std::size_t max_body_bytes(const Route& route) {
    constexpr std::size_t kMaxJsonBody = 8U << 20U;
    constexpr std::size_t kMaxFileBody = 64U << 20U;
    constexpr std::size_t kMaxEmptyBody = 1024; // {}
    return route.body.empty()                      ? (route.method == "POST" ? kMaxEmptyBody : 0)
           : route.body_type == "application/json" ? kMaxJsonBody
                                                   : kMaxFileBody;
}

} // namespace costcurve::api
