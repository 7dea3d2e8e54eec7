// Streams a body in chunks (RFC 9112 section 7.1), or plain up to the end of the connection.
#include "server/http/stream.hpp"

#include <array>
#include <chrono>
#include <cstdio>
#include <utility>

namespace costcurve::http {

Stream::Stream(Producer produce, bool chunked, std::atomic<std::size_t>& open)
    : produce_(std::move(produce)), chunked_(chunked), open_(open) {
    ++open_;
}

Stream::~Stream() { --open_; }

bool Stream::pull(std::string& out, const std::atomic<bool>& unwanted) {
    constexpr std::chrono::milliseconds kTurn{20};
    const auto end_of_turn = std::chrono::steady_clock::now() + kTurn;
    std::string piece;
    bool more = true;
    do {
        more = produce_(piece);
    } while (more && !unwanted && piece.size() < kPieceBytes && std::chrono::steady_clock::now() < end_of_turn);
    if (!chunked_) {
        out += piece;
        return more;
    }
    if (!piece.empty()) { // an empty chunk would be the last
        std::array<char, 24> size{};
        std::snprintf(size.data(), size.size(), "%zx\r\n", piece.size());
        out.append(size.data()).append(piece).append("\r\n");
    }
    if (!more) {
        out += "0\r\n\r\n";
    }
    return more;
}

} // namespace costcurve::http
