// A streamed body on its way: pulled from its producer a piece at a time, and framed. Knows no sockets.
#pragma once

#include <atomic>
#include <cstddef>
#include <string>

#include "server/http/message.hpp"

namespace costcurve::http {

class Stream {
public:
    /// A chunk holds so many bytes, or one piece of the producer where that is larger.
    static constexpr std::size_t kPieceBytes = 64U << 10U;

    /// Counts itself in `open` while it lives.
    Stream(Producer produce, bool chunked, std::atomic<std::size_t>& open);
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;
    ~Stream();

    /// Appends what the producer gives until 64 KiB are there, 20 ms have passed or `unwanted` is set, as one chunk, and the
    /// last chunk where it has ended. False at its end. Throws what the producer throws, and has then appended nothing.
    [[nodiscard]] bool pull(std::string& out, const std::atomic<bool>& unwanted);

private:
    Producer produce_;
    bool chunked_;
    std::atomic<std::size_t>& open_;
};

} // namespace costcurve::http
