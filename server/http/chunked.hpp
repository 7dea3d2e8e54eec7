// A chunked request body (RFC 9112 section 7.1), decoded as it arrives. Knows no sockets.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace costcurve::http {

/// Decodes one body incrementally, as its bytes arrive.
class ChunkedBody {
public:
    enum class State { incomplete, complete, malformed, too_large };

    /// Moves what it can decode from the front of `in` to the end of `body`, which grows to at most `max_bytes`; what follows a
    /// complete body stays in `in`. Extensions and trailers are bounded and ignored.
    [[nodiscard]] State read(std::string& in, std::string& body, std::size_t max_bytes);

    /// Error message about a malformed body, for the caller.
    [[nodiscard]] const char* problem() const { return problem_; }

private:
    enum class Part { size, data, data_end, trailer, end };
    State malformed(const char* problem) {
        problem_ = problem;
        return State::malformed;
    }
    State read_size(std::string_view line, std::size_t room);

    Part part_ = Part::size;
    std::size_t left_ = 0; ///< bytes left of the chunk's data
    std::size_t trailer_bytes_ = 0;
    const char* problem_ = "";
};

} // namespace costcurve::http
