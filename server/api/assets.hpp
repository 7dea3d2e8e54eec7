// The files that are compiled into the binary: the dashboard and the examples it shows.
#pragma once

#include <span>
#include <string_view>

namespace costcurve::api {

struct Asset {
    std::string_view path; ///< from the project's root, such as /static/index.html
    std::string_view bytes;
    std::string_view gzip; ///< the bytes compressed, where they are many
};
[[nodiscard]] std::span<const Asset> assets();

} // namespace costcurve::api
