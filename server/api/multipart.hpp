// Files in a request's body, as browsers and `curl -F` send them (RFC 7578): names and contents, nothing else.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

namespace costcurve::api {

/// One file of the body; a view into the body.
struct Part {
    std::string name; ///< name of the file without folders, or of the field if the file has no name
    std::string_view content;
};

/// The boundary in a multipart/form-data Content-Type; nothing for another type.
[[nodiscard]] std::optional<std::string> boundary_of(std::string_view content_type);

/// The parts in order, at most 1000; or the error as a sentence.
[[nodiscard]] tl::expected<std::vector<Part>, std::string> read_parts(std::string_view body, std::string_view boundary);

} // namespace costcurve::api
