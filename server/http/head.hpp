// The head of a request: found, bounded, checked and read. Knows no bodies beyond how they are framed.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "server/http/message.hpp"

namespace costcurve::http {

inline constexpr std::size_t kMaxHeadBytes = 16384;
inline constexpr std::size_t kMaxLineBytes = 8192;
inline constexpr std::size_t kMaxHeaders = 64;

/// A request's head, or why it is refused.
struct Head {
    int refused = 0;       ///< an HTTP status; 0 where the head is good
    std::string detail;    ///< for the caller, where refused
    std::size_t bytes = 0; ///< of the head, the empty line included; 0 where it is not complete yet
    std::size_t content_length = 0;
    bool is_chunked = false;
    bool is_http11 = false;
    bool keep_alive = true;
    bool expects_continue = false;
    bool accepts_gzip = false;
    std::string method; ///< also of a head that is refused after its first line
    std::string path;   ///< escapes decoded
    std::string query;  ///< as sent, without the question mark
    std::vector<Header> headers;
    std::string
        client_id; ///< the client's X-Request-Id, where it is a good one; of a refused head, where it stood before the mistake

    [[nodiscard]] bool has_body() const { return is_chunked || content_length > 0; }
    [[nodiscard]] bool answer_has_body() const { return method != "HEAD"; }
};

/// Reads the head at the beginning of `received` (RFC 9112). Refuses: more bytes, lines or header fields than allowed, control
/// characters, white space before a colon, folded lines, Content-Length that is no number or stands twice or with
/// Transfer-Encoding, HTTP/1.1 without Host, two of it, transfer codings other than chunked (501), Content-Encoding (415), other
/// expectations (417), other versions (505), escapes in the target that decode to control characters. The authority of an
/// absolute target takes the place of Host.
[[nodiscard]] Head read_head(std::string_view received);

/// The parameters of a query out of a good head, in their order: escapes decoded, + as a space, as forms write them.
[[nodiscard]] std::vector<Header> read_parameters(std::string_view query);

/// True of text with characters that no header value may have.
[[nodiscard]] bool has_control(std::string_view text);

} // namespace costcurve::http
