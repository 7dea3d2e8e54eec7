// Files in a request's body, as browsers and `curl -F` send them (RFC 7578): names and contents, nothing else.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

namespace costcurve::api {

/// One file of the body, which it is a view of.
struct Part {
    std::string name; ///< of the file without folders, or of the field if the file has no name
    std::string_view content;
};

/// The boundary that a Content-Type of multipart/form-data names; nothing where it is another type.
[[nodiscard]] std::optional<std::string> boundary_of(std::string_view content_type);

/// The parts, in their order; else what is wrong, as a sentence. At most 1000.
[[nodiscard]] tl::expected<std::vector<Part>, std::string> read_parts(std::string_view body, std::string_view boundary);

} // namespace costcurve::api
