// One request as bytes to one response as bytes, through httplib's parser and writer.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "server/http/head.hpp"
#include "server/http/message.hpp"

namespace costcurve::http {

/// What to send: bytes, and after them what the stream gives, where it is set.
struct Answer {
    std::string bytes;
    Producer stream; ///< not framed; what it throws is told to the error body's maker, and thrown on
};

/// A fresh request id: 16 hexadecimal digits.
[[nodiscard]] std::string make_request_id();

class Exchange {
public:
    Exchange(Handler handler, ErrorBody error_body, std::size_t compress_above_bytes);
    ~Exchange();
    Exchange(const Exchange&) = delete;
    Exchange& operator=(const Exchange&) = delete;

    /// The whole response, status line to last byte of a body that is not streamed. Never throws. Thread-safe.
    [[nodiscard]] Answer answer(const Head& head, std::string body, const std::string& remote_address,
                                std::function<bool()> client_gone) const;

    /// The response to a request that was refused, from what is known of it; says `Connection: close`. Never throws.
    /// Thread-safe.
    [[nodiscard]] std::string refuse(int status, const std::string& detail, const Head& head) const;

private:
    class Parser;
    std::unique_ptr<Parser> parser_;
};

} // namespace costcurve::http
