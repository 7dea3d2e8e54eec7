// Decodes chunked bodies (RFC 9112 section 7.1). Lines end in CR LF; anything else is refused, as another parser might split it
// differently.
#include "server/http/chunked.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "server/http/head.hpp"

namespace costcurve::http {

namespace {

constexpr std::size_t kMaxChunkLineBytes = 1024; // of a chunk's size with its extensions, or a trailer
constexpr std::size_t kMaxTrailerBytes = 8192;   // of all trailers

} // namespace

// `room`: how many bytes the body may still grow by.
ChunkedBody::State ChunkedBody::read_size(std::string_view line, std::size_t room) {
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), left_, 16);
    if (error == std::errc::result_out_of_range) {
        return State::too_large;
    }
    const std::string_view rest = line.substr(static_cast<std::size_t>(end - line.data()));
    const std::size_t extension = rest.find_first_not_of(" \t");
    const bool is_plain = rest.empty() || (extension != std::string_view::npos && rest[extension] == ';');
    if (error != std::errc() || !is_plain || has_control(line)) {
        return malformed("a chunk must begin with its size in hexadecimal digits");
    }
    if (left_ > room) {
        return State::too_large;
    }
    part_ = left_ == 0 ? Part::trailer : Part::data;
    return State::incomplete;
}

ChunkedBody::State ChunkedBody::read(std::string& in, std::string& body, std::size_t max_bytes) {
    std::string_view rest = in;
    State state = State::incomplete;
    while (state == State::incomplete && part_ != Part::end) {
        if (part_ == Part::data) {
            const std::size_t n = std::min(left_, rest.size());
            body.append(rest.substr(0, n));
            rest.remove_prefix(n);
            left_ -= n;
            if (left_ > 0) {
                break;
            }
            part_ = Part::data_end;
        }
        const std::size_t end = rest.substr(0, kMaxChunkLineBytes + 2).find('\n');
        if (end == std::string_view::npos) {
            state = rest.size() > kMaxChunkLineBytes + 1 ? malformed("a line of the chunked body is longer than 1 KiB") : state;
            break;
        }
        if (end == 0 || rest[end - 1] != '\r') {
            state = malformed("lines of the chunked body end in CR LF");
            break;
        }
        const std::string_view line = rest.substr(0, end - 1);
        rest.remove_prefix(end + 1);
        if (part_ == Part::size) {
            state = read_size(line, max_bytes - std::min(max_bytes, body.size()));
        } else if (part_ == Part::data_end) {
            state = line.empty() ? state : malformed("a chunk is longer than its size says");
            part_ = Part::size;
        } else if (line.empty()) {
            part_ = Part::end;
        } else if ((trailer_bytes_ += line.size() + 2) > kMaxTrailerBytes || has_control(line)) {
            state = malformed("the trailers of the chunked body are longer than 8 KiB, or have control characters");
        }
    }
    in.erase(0, in.size() - rest.size());
    return part_ == Part::end ? State::complete : state;
}

} // namespace costcurve::http
