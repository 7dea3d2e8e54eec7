// The head of a request: found, bounded and checked before any parser or handler sees it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "server/http/message.hpp"

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
    bool is_http11 = false;
    bool keep_alive = true;
    bool expects_continue = false;
    std::string method; ///< also of a head that is refused after its first line
    bool accepts_gzip = false;
    std::string request_id; ///< the client's, where it is a good one; of a refused head, where it stood before the mistake
    std::string query;      ///< as sent, without the question mark
    std::string text;       ///< the head for the parser: without what must not reach it

    [[nodiscard]] bool answer_has_body() const { return method != "HEAD"; }
};

/// Reads the head at the beginning of `received`. Refuses (RFC 9112 and what the packaged parser gets wrong): more bytes,
/// lines or header fields than allowed, control characters, white space before a colon, folded lines, Content-Length that
/// is no number or stands twice or with Transfer-Encoding, HTTP/1.1 without Host, two of it, chunked bodies (411), Content-Encoding
/// (415), other expectations (417), other versions (505), escapes in the path or a header value that decode to control characters.
/// Leaves out of `text`: the query, Range, Expect, Accept-Encoding, and the names under which the parser keeps addresses; the
/// method becomes GET where it isn't HEAD, as the parser refuses those that it doesn't know.
[[nodiscard]] Head read_head(std::string_view received);

/// The parameters of a query out of a good head, in their order: escapes decoded, + as a space, as forms write them.
[[nodiscard]] std::vector<Header> read_parameters(std::string_view query);

} // namespace costcurve::http
