// Files compiled into the binary: the dashboard and its examples.
#pragma once

#include <span>
#include <string_view>

namespace costcurve::api {

struct Asset {
    std::string_view path; ///< path from the project's root, such as /static/index.html
    std::string_view bytes;
    std::string_view gzip; ///< compressed bytes, if the file is large
};
[[nodiscard]] std::span<const Asset> assets();

} // namespace costcurve::api
