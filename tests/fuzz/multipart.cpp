// Any bytes as multipart/form-data: refused with a sentence, or parts that hold no boundary and come back when they are sent again.
//
// The first line is the Content-Type.
#include "server/api/multipart.hpp"
#include "tests/fuzz/expect.hpp"

namespace costcurve::api {
namespace {

using fuzz::expect;

void check_again(const std::vector<Part>& parts, std::string_view boundary) {
    std::string body;
    for (const Part& part : parts) {
        body.append("--").append(boundary).append("\r\nContent-Disposition: form-data; name=\"x\"\r\n\r\n");
        body.append(part.content).append("\r\n");
    }
    body.append("--").append(boundary).append("--\r\n");
    const auto again = read_parts(body, boundary);
    expect(again.has_value() && again->size() == parts.size(), "parts that are sent again are not there");
    for (std::size_t i = 0; i < parts.size(); ++i) {
        expect((*again)[i].content == parts[i].content, "a part does not come back as it was");
        expect((*again)[i].name == "x", "a part's name is not read");
    }
}

void run(std::string_view type, std::string_view body) {
    const std::optional<std::string> boundary = boundary_of(type);
    if (!boundary) {
        return;
    }
    const auto parts = read_parts(body, *boundary);
    if (!parts) {
        expect(!parts.error().empty() && parts.error().size() < 500, "what is refused has no sentence");
        return;
    }
    expect(!parts->empty() && parts->size() <= 1000, "a body has no parts, or too many");
    const std::string between = "\r\n--" + *boundary;
    const char* last = body.data();
    for (const Part& part : *parts) {
        expect(part.content.data() >= last && part.content.data() + part.content.size() <= body.data() + body.size(),
               "parts are not in their order, or not in the body");
        expect(part.content.find(between) == std::string_view::npos, "a part holds its boundary");
        expect(part.name.find_first_of("/\\") == std::string::npos, "a part's name has folders");
        last = part.content.data() + part.content.size();
    }
    check_again(*parts, *boundary);
}

} // namespace
} // namespace costcurve::api

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { // NOLINT: libFuzzer's name
    std::string_view body = costcurve::fuzz::text_of(data, size);
    const std::string_view type = costcurve::fuzz::take_line(body);
    costcurve::api::run(type, body);
    return 0;
}
