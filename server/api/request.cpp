// Headers, query parameters and bodies as values, with the issues of those that can't be read.
#include "server/api/request.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <chrono>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "server/api/json_text.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::api {

namespace {

using model::Code;

std::optional<double> parse_number(std::string_view text) {
    double number = 0.0;
    const std::from_chars_result end = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = end.ec == std::errc() && end.ptr == text.data() + text.size();
    return whole && std::isfinite(number) ? std::optional(number) : std::nullopt;
}

void check_parameter(const Parameter& row, const http::Header& given, model::Failure& issues) {
    const std::string at = join_pointer("", row.name);
    if (row.type == "string") {
        constexpr std::size_t kMostText = 256;
        if (given.value.size() > kMostText) {
            issues.push_back({at, Code::out_of_range, fmt::format("{} has more than {} bytes", row.name, kMostText)});
        }
        return;
    }
    if (row.type == "boolean") {
        if (given.value != "true" && given.value != "false") {
            issues.push_back(
                {at, Code::wrong_type, fmt::format("{} is \"{}\"; give true or false", row.name, shortened(given.value, 40))});
        }
        return;
    }
    const std::optional<double> number = parse_number(given.value);
    if (!number || (row.type == "integer" && *number != std::floor(*number))) {
        issues.push_back({at, Code::wrong_type,
                          fmt::format("{} is \"{}\"; give {} {}", row.name, shortened(given.value, 40),
                                      row.type == "integer" ? "an" : "a", row.type)});
    } else if (*number < row.min || *number > row.max) {
        issues.push_back({at, Code::out_of_range, fmt::format("{} is {}; allowed {} to {}", row.name, *number, row.min, row.max)});
    }
}

// The revision of an entity tag, "3"; nothing where it is no tag of ours.
std::optional<std::int64_t> revision_of(std::string_view tag) {
    if (tag.size() < 3 || tag.front() != '"' || tag.back() != '"') {
        return std::nullopt;
    }
    std::int64_t revision = 0;
    const std::from_chars_result end = std::from_chars(tag.data() + 1, tag.data() + tag.size() - 1, revision);
    return end.ec == std::errc() && end.ptr == tag.data() + tag.size() - 1 ? std::optional(revision) : std::nullopt;
}

} // namespace

std::string media_type(const http::Request& request) {
    const std::string_view text = http::header(request, "content-type");
    std::string type(text.substr(0, text.find(';')));
    type.resize(type.find_last_not_of(" \t") + 1);
    std::transform(type.begin(), type.end(), type.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return type;
}

http::Response json_answer(std::string body, int status) {
    http::Response response;
    response.status = status;
    response.content_type = kJsonType;
    response.body = std::move(body);
    return response;
}

Attempt<nlohmann::json> read_body(const http::Request& request) {
    if (media_type(request) != "application/json") {
        return tl::unexpected(Refusal{415, "send Content-Type: application/json"});
    }
    auto body = parse_json(request.body);
    if (!body) {
        return tl::unexpected(Refusal{400, body.error().message});
    }
    return std::move(*body);
}

model::Failure check_parameters(const Route& route, const http::Request& request) {
    model::Failure issues;
    for (std::size_t i = 0; i < request.parameters.size(); ++i) {
        const http::Header& given = request.parameters[i];
        const auto is_it = [&](const Parameter& row) { return row.in == "query" && row.name == given.name; };
        const auto row = std::find_if(route.parameters.begin(), route.parameters.end(), is_it);
        const auto first = std::find_if(request.parameters.begin(), request.parameters.end(),
                                        [&](const http::Header& other) { return other.name == given.name; });
        if (row == route.parameters.end()) {
            std::string names;
            for (const Parameter& known : route.parameters) {
                names += known.in == "query" ? (names.empty() ? "" : ", ") + std::string(known.name) : "";
            }
            issues.push_back({join_pointer("", given.name), Code::unknown_field,
                              names.empty() ? "this path takes no query parameters" : "query parameters here: " + names});
        } else if (first != request.parameters.begin() + static_cast<std::ptrdiff_t>(i)) {
            issues.push_back({join_pointer("", given.name), Code::duplicate, "this query parameter stands twice"});
        } else {
            check_parameter(*row, given, issues);
        }
    }
    return issues;
}

std::string_view parameter(const Call& call, std::string_view name) {
    const auto& all = call.request.parameters;
    const auto found = std::find_if(all.begin(), all.end(), [&](const http::Header& given) { return given.name == name; });
    return found == all.end() ? std::string_view() : std::string_view(found->value);
}

std::optional<double> number_parameter(const Call& call, std::string_view name) { return parse_number(parameter(call, name)); }

std::size_t page_limit(const Call& call) {
    constexpr double kUsual = 100;
    return static_cast<std::size_t>(number_parameter(call, "limit").value_or(kUsual));
}

Attempt<std::int64_t> number_cursor(const Call& call) {
    std::int64_t before = 0;
    const std::string_view after = parameter(call, "after");
    const std::from_chars_result end = std::from_chars(after.data(), after.data() + after.size(), before);
    if (!after.empty() && (end.ec != std::errc() || end.ptr != after.data() + after.size() || before < 1)) {
        return tl::unexpected(
            Refusal{422, "", {{"/after", Code::bad_format, "after is no cursor; take it from `next` of the page before"}}});
    }
    return before;
}

Attempt<std::optional<std::string>> read_as_of(std::string_view text, const std::string& pointer) {
    const auto wrong = [&](Code code, std::string message) {
        return tl::unexpected(Refusal{422, "", {{pointer, code, std::move(message)}}});
    };
    const std::optional<std::int64_t> time = storage::parse_time(text);
    if (!time) {
        return wrong(Code::bad_format,
                     fmt::format("as_of is \"{}\"; give a time of RFC 3339, such as 2026-11-21T10:00:00Z", shortened(text, 60)));
    }
    const auto now = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::system_clock::now().time_since_epoch());
    if (*time > now.count()) {
        return wrong(Code::out_of_range, fmt::format("as_of is {}, which has yet to come: what will be known then is not known now",
                                                     storage::format_time(*time)));
    }
    return std::optional(storage::format_time(*time));
}

Attempt<storage::Condition> read_condition(const http::Request& request) {
    using Kind = storage::Condition::Kind;
    const std::string_view match = http::header(request, "if-match");
    const std::string_view none_match = http::header(request, "if-none-match");
    if (!match.empty() && !none_match.empty()) {
        return tl::unexpected(Refusal{400, "give If-Match or If-None-Match, not both"});
    }
    if (none_match == "*") {
        return storage::Condition{Kind::absent, 0};
    }
    if (!none_match.empty()) {
        return tl::unexpected(Refusal{400, "If-None-Match of a write must be *"});
    }
    if (match.empty()) {
        return storage::Condition{};
    }
    if (match == "*") {
        return storage::Condition{Kind::present, 0};
    }
    const std::optional<std::int64_t> revision = revision_of(match);
    if (!revision) {
        return tl::unexpected(Refusal{400, "If-Match must be one entity tag as ETag gave it, such as \"3\", or *"});
    }
    return storage::Condition{Kind::revision, *revision};
}

bool lists_tag(std::string_view if_none_match, std::string_view tag) {
    while (!if_none_match.empty()) {
        const std::size_t comma = std::min(if_none_match.find(','), if_none_match.size());
        std::string_view one = if_none_match.substr(0, comma);
        if_none_match.remove_prefix(std::min(comma + 1, if_none_match.size()));
        one.remove_prefix(std::min(one.find_first_not_of(" \t"), one.size()));
        one = one.substr(0, one.find_last_not_of(" \t") + 1);
        if (one.starts_with("W/")) { // weak comparison, RFC 9110 section 13.1.2
            one.remove_prefix(2);
        }
        if (one == tag || one == "*") {
            return true;
        }
    }
    return false;
}

std::string entity_tag(std::int64_t revision) { return fmt::format("\"{}\"", revision); }

} // namespace costcurve::api
