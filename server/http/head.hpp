// The head of a request: found, bounded and checked before any parser or handler sees it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace costcurve::http {

inline constexpr std::size_t kMostHeadBytes = 16384;
inline constexpr std::size_t kMostLineBytes = 8192;
inline constexpr std::size_t kMostHeaders = 64;

/// What the transport needs of a head, or why it is refused.
struct Head {
    int refused = 0;       ///< an HTTP status; 0 where the head is good
    std::string detail;    ///< for the caller, where refused
    std::size_t bytes = 0; ///< of the head, the empty line included; 0 where it is not complete yet
    std::size_t content_length = 0;
    bool keep_alive = true;
    bool expects_continue = false;
    bool is_head_method = false; ///< its answer has no body; also known where the head is refused after its first line
    bool accepts_gzip = false;
    std::string request_id; ///< the client's, where it is a good one; of a refused head, where it stood before the mistake
    std::string text;       ///< the head for the parser: without what must not reach it
};

/// Reads the head at the beginning of `received`. Refuses (RFC 9112 and what the packaged parser gets wrong): more bytes,
/// lines or header fields than allowed, control characters, white space before a colon, folded lines, Content-Length that
/// is no number or stands twice or with Transfer-Encoding, chunked bodies (411), Content-Encoding (415), other
/// expectations (417), other versions (505), escapes in the path or a header value that decode to control characters.
/// Leaves out of `text`: Range, Expect, Accept-Encoding, and the names under which the parser keeps addresses.
[[nodiscard]] Head read_head(std::string_view received);

} // namespace costcurve::http
