// Any bytes as the head of a request: it is incomplete, refused with a status and a sentence, or good, and then what the parser
// gets of it has no control characters, no second head and no field that must not reach it.
#include <algorithm>

#include "server/http/head.hpp"
#include "tests/fuzz/expect.hpp"

namespace costcurve::http {
namespace {

using fuzz::expect;

constexpr std::string_view kEnd = "\r\n\r\n";

bool is_control(char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F; }

bool has_control(std::string_view text) { return std::any_of(text.begin(), text.end(), is_control); }

void check_refusal(const Head& head) {
    expect(head.refused >= 400 && head.refused < 600, "a refusal has no status of an error");
    expect(!head.detail.empty() && head.detail.size() < 500 && !has_control(head.detail), "a refusal has no sentence");
    expect(head.bytes == 0, "a refused head has a length");
}

// What is read of a good head has nothing that could be taken for another line, or for two hosts.
void check_fields(const Head& head) {
    expect(head.path.starts_with('/') && !has_control(head.path), "a path has control characters, or is none");
    expect(!(head.is_chunked && head.content_length > 0), "a body has two lengths");
    std::size_t hosts = 0;
    for (const Header& field : head.headers) {
        expect(!has_control(field.name) && !has_control(field.value), "a field has control characters");
        expect(std::none_of(field.name.begin(), field.name.end(), [](char c) { return c >= 'A' && c <= 'Z'; }),
               "a field's name is not in lower case");
        hosts += field.name == "host" ? 1 : 0;
    }
    expect(hosts == 1 || (hosts == 0 && !head.is_http11), "a request names no host, or two");
}

std::string escaped(std::string_view text) {
    constexpr std::string_view kDigits = "0123456789ABCDEF";
    std::string result;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        (result += '%') += kDigits[byte / 16];
        result += kDigits[byte % 16];
    }
    return result;
}

void check_parameters(std::string_view query) {
    const std::vector<Header> parameters = read_parameters(query);
    std::string again;
    for (const Header& parameter : parameters) {
        expect(!has_control(parameter.name) && !has_control(parameter.value), "a parameter has control characters");
        again += (again.empty() ? "" : "&") + escaped(parameter.name) + "=" + escaped(parameter.value);
    }
    const std::vector<Header> same = read_parameters(again);
    expect(same.size() == parameters.size() &&
               std::equal(same.begin(), same.end(), parameters.begin(),
                          [](const Header& a, const Header& b) { return a.name == b.name && a.value == b.value; }),
           "parameters do not come back as they were");
}

void check_good(const Head& head, std::string_view received) {
    expect(head.bytes <= received.size() && received.substr(0, head.bytes).ends_with(kEnd),
           "the head does not end at its empty line");
    expect(received.find(kEnd) == head.bytes - kEnd.size(), "the head goes on behind its empty line");
    expect(head.client_id.size() <= 64 && !has_control(head.client_id), "a request's id is not a good one");
    expect(!has_control(head.method) && !head.method.empty(), "a method is no token");
    check_fields(head);
    check_parameters(head.query);
    // It was incomplete before its last byte, and what follows it changes nothing.
    for (const std::size_t part : {head.bytes - 1, head.bytes / 2, head.bytes / 7}) {
        const Head before = read_head(received.substr(0, part));
        expect(before.bytes == 0 && before.refused == 0, "a good head is refused, or taken, before it is there");
    }
    const Head alone = read_head(received.substr(0, head.bytes));
    expect(alone.bytes == head.bytes && alone.path == head.path && alone.headers.size() == head.headers.size() &&
               alone.content_length == head.content_length && alone.keep_alive == head.keep_alive && alone.query == head.query,
           "what follows a head changes it");
}

} // namespace
} // namespace costcurve::http

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { // NOLINT: libFuzzer's name
    using namespace costcurve::http;
    const std::string_view received = costcurve::fuzz::text_of(data, size);
    const Head head = read_head(received);
    if (head.refused != 0) {
        check_refusal(head);
        costcurve::fuzz::expect(read_head(std::string(received) + "\r\n\r\n").refused != 0, "more bytes make a refused head good");
    } else if (head.bytes == 0) {
        costcurve::fuzz::expect(received.find(kEnd) == std::string_view::npos, "a head that has ended is not seen");
    } else {
        check_good(head, received);
    }
    return 0;
}
