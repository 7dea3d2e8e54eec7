// Requests and answers as handlers see them. No sockets here.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace costcurve::http {

class Booking;

struct Header {
    std::string name; ///< lower case on requests
    std::string value;
};

struct Request {
    std::string method;
    std::string path;               ///< decoded once; no control characters
    std::string query;              ///< as sent, without the question mark
    std::vector<Header> parameters; ///< of the query, decoded as forms are, in their order, names in the letters sent
    std::string body;
    bool has_body = false;       ///< true also where it has not been read yet
    std::vector<Header> headers; ///< values as they were sent, nothing decoded
    std::string remote_address;
    std::string request_id; ///< ours, of this request alone: what the log and the audit name
    std::string client_id;  ///< the client's X-Request-Id, where it is a good one; any request may carry it again
    /// The memory that the handler, and after it the stream that it answers with, hold because of this request; null in
    /// tests. Given back when the answer has been made, of a stream at its end.
    Booking* memory = nullptr;
    /// True once nobody waits for the answer: the client has closed or sends no more, or the server's time to stop is up. For
    /// handlers that take long, while they run; may be empty.
    std::function<bool()> client_gone;
};

/// Appends its next piece, and says whether more follow. A piece may be empty; its size is the memory that it takes.
using Producer = std::function<bool(std::string& out)>;

struct Response {
    int status = 200;
    std::string content_type;
    std::string body;
    std::string_view gzip; ///< the body compressed, where that is at hand; it outlives the answer
    std::vector<Header> headers;
    std::string author; ///< the name of the key that was shown, for the log; not sent
    /// Where set, the body, of any length: chunked, or until close for HTTP/1.0, and never compressed. It is asked for more
    /// once the client has taken what came before, by one thread at a time, not always the same; take milliseconds for a
    /// piece. Destroyed at its end, and where the client closes or says that it sends no more. What it throws ends the
    /// connection, so that the client sees an answer cut short, and nothing of what was thrown.
    Producer stream;
};

/// The first value of a header, by its lower-case name; empty where it is absent.
[[nodiscard]] std::string_view header(const Request& request, std::string_view name);
/// True also of an empty one.
[[nodiscard]] bool has_header(const Request& request, std::string_view name);

/// Answers a request; called from several threads at once. What it throws becomes a 500 that says nothing of it.
using Handler = std::function<Response(const Request&)>;

/// What is decided at the end of a request's head, before its body is read.
struct Admission {
    std::optional<Response> answer; ///< sent at once, without a stream; the body is not read
    std::size_t max_body_bytes = 0; ///< a larger body is refused with 413; with 0, any with 400
    std::string client;             ///< whose share of the memory the request counts for
    bool is_heavy = false;          ///< answered by the workers for large requests, however small its body
};
/// Decides on a head; called on the thread of the loop, so it must neither wait nor compute for long. What it throws becomes a
/// 500.
using Admit = std::function<Admission(const Request& head)>;

/// Makes the body of an error that the transport finds: status, a sentence for the caller, the request's id.
using ErrorBody = std::function<Response(int status, std::string_view detail, std::string_view request_id)>;

} // namespace costcurve::http
