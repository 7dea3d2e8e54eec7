// Converts one request to the bytes of its response: calls the handler and encodes the result.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "server/http/head.hpp"
#include "server/http/message.hpp"

namespace costcurve::http {

/// Bytes to send, followed by the stream's if it is set.
struct Answer {
    std::string bytes;
    Producer stream; ///< not framed; what it throws goes to the error body's maker, and is rethrown
};

/// A fresh request id: 16 hexadecimal digits.
[[nodiscard]] std::string make_request_id();

class Exchange {
public:
    Exchange(Handler handler, ErrorBody error_body, std::size_t compress_above_bytes)
        : handler_(std::move(handler)), error_body_(std::move(error_body)), compress_above_bytes_(compress_above_bytes) {}

    /// The whole response, status line to last byte of a body that is not streamed. Throws std::bad_alloc only. Thread-safe.
    [[nodiscard]] Answer answer(const Head& head, const Request& request) const;

    /// A response that is there already, without a stream, as it is sent. Thread-safe.
    [[nodiscard]] std::string write(const Head& head, std::string_view request_id, Response response, bool close) const;

    /// The response to a refused request, from what is known of it, with `Connection: close`. Thread-safe.
    [[nodiscard]] std::string refuse(int status, std::string_view detail, const Head& head, std::string_view request_id) const;

private:
    [[nodiscard]] Response respond(const Request& request) const;
    [[nodiscard]] Response error(int status, std::string_view detail, std::string_view request_id) const;
    [[nodiscard]] Producer told(Producer produce, std::string request_id) const;
    void compress(const Head& head, Response& response) const;

    Handler handler_;
    ErrorBody error_body_;
    std::size_t compress_above_bytes_;
};

} // namespace costcurve::http
