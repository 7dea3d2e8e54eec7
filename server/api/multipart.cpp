// Splits a body at its boundary lines; reads only the names in a part's head.
#include "server/api/multipart.hpp"

#include <algorithm>

#include "model/documents/text.hpp"

namespace costcurve::api {

namespace {

constexpr std::string_view kType = "multipart/form-data";
constexpr std::string_view kLineEnd = "\r\n";
constexpr std::string_view kHeadEnd = "\r\n\r\n";
constexpr std::size_t kMaxParts = 1000;
constexpr std::size_t kMaxBoundary = 70; // RFC 2046

// The value of name="…" or name=… ; "" where it is absent.
std::string value_of(std::string_view text, std::string_view name) {
    for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
        const bool whole_name = at == 0 || text[at - 1] == ' ' || text[at - 1] == ';';
        std::string_view rest = text.substr(at + name.size());
        if (!whole_name || !rest.starts_with('=')) {
            continue;
        }
        rest.remove_prefix(1);
        if (rest.starts_with('"')) {
            rest.remove_prefix(1);
            return std::string(rest.substr(0, rest.find('"')));
        }
        return std::string(rest.substr(0, rest.find_first_of("; \t\r\n")));
    }
    return "";
}

std::string without_folders(const std::string& name) {
    const std::size_t slash = name.find_last_of("/\\");
    return slash == std::string::npos ? name : name.substr(slash + 1);
}

} // namespace

std::optional<std::string> boundary_of(std::string_view content_type) {
    return model::lower(content_type.substr(0, kType.size())) == kType ? std::optional(value_of(content_type, "boundary"))
                                                                       : std::nullopt;
}

tl::expected<std::vector<Part>, std::string> read_parts(std::string_view body, std::string_view boundary) {
    if (boundary.empty() || boundary.size() > kMaxBoundary) {
        return tl::unexpected(std::string("multipart/form-data needs a boundary of 1 to 70 characters"));
    }
    const std::string delimiter = "--" + std::string(boundary);
    const std::string between = std::string(kLineEnd) + delimiter;
    std::vector<Part> parts;
    std::size_t at = body.starts_with(delimiter) ? delimiter.size() : body.find(between);
    if (at != delimiter.size() && at != std::string_view::npos) {
        at += between.size();
    }
    while (at != std::string_view::npos && body.substr(at).starts_with(kLineEnd) && parts.size() < kMaxParts) {
        const std::size_t head = at + kLineEnd.size();
        const std::size_t head_end = body.find(kHeadEnd, at);
        const std::size_t end = head_end == std::string_view::npos ? head_end : body.find(between, head_end + kLineEnd.size());
        if (end == std::string_view::npos) {
            break;
        }
        const std::string_view names = body.substr(head, std::max(head_end, head) - head);
        const std::string file = without_folders(value_of(names, "filename"));
        const std::size_t content = std::min(head_end + kHeadEnd.size(), end);
        parts.push_back({file.empty() ? without_folders(value_of(names, "name")) : file, body.substr(content, end - content)});
        at = end + between.size();
    }
    if (parts.empty() || at == std::string_view::npos || !body.substr(at).starts_with("--")) {
        return tl::unexpected(std::string("the multipart body is cut off or has no parts; at most 1000 are taken"));
    }
    return parts;
}

} // namespace costcurve::api
