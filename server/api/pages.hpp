// The pages' files, compiled in: the dashboard, and the viewer of the API's description.
#pragma once

#include <optional>
#include <string_view>

#include "server/http/message.hpp"

namespace costcurve::api {

/// The page of a path; nullopt if there is none.
[[nodiscard]] std::optional<http::Response> find_page(std::string_view path);

/// Adds headers that forbid foreign content, framing and content sniffing. `path` is the requested one.
void add_security_headers(std::string_view path, http::Response& response);

} // namespace costcurve::api
