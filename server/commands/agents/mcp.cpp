// `costcurve mcp`: the Model Context Protocol over standard input and output, a message a line, for agents that start their
// servers.
#include <cstddef>
#include <cstdio>
#include <iostream>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "server/api/mcp/methods.hpp"
#include "server/commands/commands.hpp"
#include "server/commands/open_upgraded.hpp"
#include "server/documents/json/parsed_json.hpp"

namespace costcurve::commands {

namespace {

// A line without its end, cut behind a byte more than `max_bytes`; nothing at the end of the input.
std::optional<std::string> next_line(std::streambuf& input, std::size_t max_bytes) {
    using Traits = std::char_traits<char>;
    std::string line;
    Traits::int_type next = input.sbumpc();
    if (next == Traits::eof()) {
        return std::nullopt;
    }
    for (; next != Traits::eof() && next != '\n'; next = input.sbumpc()) {
        if (line.size() <= max_bytes) {
            line += Traits::to_char_type(next);
        }
    }
    return line;
}

} // namespace

int mcp(const McpOptions& options) {
    constexpr std::size_t kMaxLine = 8U << 20U; // bytes: that of a body over HTTP, beyond which the answer is a refusal
    const auto print_error = [](std::string_view what, std::string_view id) { fmt::print(stderr, "{}: {}\n", id, what); };
    const auto store =
        open_upgraded({.path = options.database.path, .log = [](std::string_view text) { fmt::print(stderr, "{}\n", text); }});
    const storage::Role role = options.role == kWritingAgent ? storage::Role::editor : storage::Role::viewer;
    api::Service service(*store, {.keys_required = false, .without_key = role}, options.questions);
    service.log_error = print_error;
    prepare_parser();
    keep_memory();
    while (const std::optional<std::string> line = next_line(*std::cin.rdbuf(), kMaxLine)) {
        if (line->find_first_not_of(" \t\r") == std::string::npos) {
            continue;
        }
        if (const std::string answer = api::mcp::answer_line(service, *line); !answer.empty()) {
            fmt::print("{}\n", answer);
            std::fflush(stdout);
        }
    }
    return kDone;
}

} // namespace costcurve::commands
