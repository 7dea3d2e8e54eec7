// The dashboard's files, compiled in.
#pragma once

#include <optional>
#include <string_view>

#include "server/http/message.hpp"

namespace costcurve::api {

/// The file of a path; nothing where there is none.
[[nodiscard]] std::optional<http::Response> find_page(std::string_view path);

/// Nothing is loaded from elsewhere, framed, or guessed.
void add_security_headers(http::Response& response);

} // namespace costcurve::api
