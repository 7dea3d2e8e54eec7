// Content types by ending, and the headers that keep a page to itself.
#include "server/api/pages.hpp"

#include <algorithm>
#include <array>

#include "server/api/assets.hpp"
#include "server/api/request.hpp"

namespace costcurve::api {

namespace {

std::string_view content_type_of(std::string_view path) {
    static constexpr auto kTypes = std::to_array<std::pair<std::string_view, std::string_view>>({
        {".html", "text/html; charset=utf-8"},
        {".js", "text/javascript; charset=utf-8"},
        {".css", "text/css; charset=utf-8"},
        {".svg", "image/svg+xml"},
        {".json", kJsonType},
        {".md", "text/markdown; charset=utf-8"},
    });
    const auto found = std::find_if(kTypes.begin(), kTypes.end(), [&](const auto& row) { return path.ends_with(row.first); });
    return found == kTypes.end() ? "application/octet-stream" : found->second;
}

} // namespace

std::optional<http::Response> find_page(std::string_view path) {
    if (path == "/") {
        path = "/static/index.html";
    }
    for (const Asset& asset : assets()) {
        if (asset.path == path) {
            http::Response response;
            response.content_type = content_type_of(path);
            response.body = asset.bytes;
            return response;
        }
    }
    return std::nullopt;
}

void add_security_headers(http::Response& response) {
    response.headers.push_back(
        {"Content-Security-Policy",
         "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
         "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"});
    response.headers.push_back({"X-Content-Type-Options", "nosniff"});
    response.headers.push_back({"Referrer-Policy", "no-referrer"});
    response.headers.push_back({"Cache-Control", "no-store"});
}

} // namespace costcurve::api
