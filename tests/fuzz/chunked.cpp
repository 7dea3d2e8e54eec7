// Any bytes as a chunked body: in one piece or in many it comes to the same, within its limit; and what is complete comes back
// where it is sent again.
//
// The first byte is the size of the pieces.
#include <algorithm>
#include <string>

#include "server/http/chunked.hpp"
#include "tests/fuzz/expect.hpp"

namespace costcurve::http {
namespace {

using fuzz::expect;
using State = ChunkedBody::State;

constexpr std::size_t kMaxBytes = 4096;

struct Read {
    State state = State::incomplete;
    std::string body;
    std::string rest; ///< what is not part of the body
};

Read read(std::string_view text, std::size_t piece) {
    ChunkedBody chunked;
    Read result;
    while (!text.empty() && result.state == State::incomplete) {
        const std::string_view next = text.substr(0, piece);
        text.remove_prefix(next.size());
        result.rest.append(next);
        result.state = chunked.read(result.rest, result.body, kMaxBytes);
        expect(result.body.size() <= kMaxBytes, "a body is larger than its limit");
    }
    expect((result.state == State::malformed) == (*chunked.problem() != '\0'), "what is malformed has no sentence");
    result.rest.append(text);
    return result;
}

std::string chunks_of(std::string_view body) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (std::size_t size = 1; !body.empty(); size = size % 15 + 1) {
        const std::string_view chunk = body.substr(0, size);
        body.remove_prefix(chunk.size());
        ((text += kDigits[chunk.size()]) += "\r\n").append(chunk) += "\r\n";
    }
    return text + "0\r\n\r\n";
}

} // namespace
} // namespace costcurve::http

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { // NOLINT: libFuzzer's name
    using namespace costcurve::http;
    if (size == 0) {
        return 0;
    }
    const std::string_view text = costcurve::fuzz::text_of(data + 1, size - 1);
    const Read whole = read(text, std::max<std::size_t>(text.size(), 1));
    const Read pieces = read(text, std::size_t{1} + data[0]);
    expect(whole.state == pieces.state, "pieces make a difference to what becomes of a body");
    if (whole.state != State::complete) {
        return 0;
    }
    expect(whole.body == pieces.body && whole.rest == pieces.rest, "pieces make a difference to a body");
    const Read again = read(chunks_of(whole.body) + "GET /", 7);
    expect(again.state == State::complete && again.body == whole.body && again.rest == "GET /", "a body does not come back");
    return 0;
}
