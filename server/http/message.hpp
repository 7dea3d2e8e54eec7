// Requests and answers as handlers see them. No sockets here.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace costcurve::http {

struct Header {
    std::string name; ///< lower case on requests
    std::string value;
};

struct Request {
    std::string method;
    std::string path;  ///< decoded once; no control characters
    std::string query; ///< as sent, without the question mark
    std::string body;
    std::vector<Header> headers;
    std::string remote_address;
    std::string request_id; ///< the client's X-Request-Id, or one of ours
};

struct Response {
    int status = 200;
    std::string content_type;
    std::string body;
    std::vector<Header> headers;
};

/// The first value of a header, by its lower-case name; empty where it is absent.
[[nodiscard]] std::string_view header(const Request& request, std::string_view name);

/// Answers a request; called from several threads at once. What it throws becomes a 500 that says nothing of it.
using Handler = std::function<Response(const Request&)>;

/// Makes the body of an error that the transport finds: status, a sentence for the caller, the request's id.
using ErrorBody = std::function<Response(int status, std::string_view detail, std::string_view request_id)>;

} // namespace costcurve::http
