// Content types by file extension, and security headers of pages.
#include "server/api/pages.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

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
        {".woff2", "font/woff2"},
        {".json", kJsonType},
        {".md", "text/markdown; charset=utf-8"},
        {".txt", "text/plain; charset=utf-8"},
        {"/LICENSE", "text/plain; charset=utf-8"},
        {"/NOTICE", "text/plain; charset=utf-8"},
    });
    const auto found = std::find_if(kTypes.begin(), kTypes.end(), [&](const auto& row) { return path.ends_with(row.first); });
    return found == kTypes.end() ? "application/octet-stream" : found->second;
}

constexpr std::string_view kDocs = "/static/docs.html";

// The file behind a path; the path itself unless it is an alias.
std::string_view file_of(std::string_view path) { return path == "/" ? "/static/index.html" : path == "/docs" ? kDocs : path; }

} // namespace

std::optional<http::Response> find_page(std::string_view path) {
    const std::string_view file = file_of(path);
    for (const Asset& asset : assets()) {
        if (asset.path == file) {
            http::Response response;
            response.content_type = content_type_of(file);
            response.body = asset.bytes;
            response.gzip = asset.gzip;
            return response;
        }
    }
    return std::nullopt;
}

void add_security_headers(std::string_view path, http::Response& response) {
    // The API viewer needs inline styles; it shows only our own description.
    const std::string_view inline_styles = file_of(path) == kDocs ? " 'unsafe-inline'" : "";
    response.headers.push_back(
        {"Content-Security-Policy", fmt::format("default-src 'none'; script-src 'self'; style-src 'self'{}; img-src 'self' data:; "
                                                "font-src 'self'; connect-src 'self'; "
                                                "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
                                                inline_styles)});
    response.headers.push_back({"X-Content-Type-Options", "nosniff"});
    response.headers.push_back({"Referrer-Policy", "no-referrer"});
    // A file named by its hash never changes.
    const bool is_kept = path.starts_with("/static/packages/kept/");
    response.headers.push_back({"Cache-Control", is_kept ? "public, max-age=31536000, immutable" : "no-store"});
}

} // namespace costcurve::api
