// Parses headers, query parameters and bodies, and reports their issues.
#include "server/api/request.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "model/documents/renamed_fields.hpp"
#include "model/documents/text.hpp"
#include "server/answers/request.hpp"
#include "server/api/problem.hpp"
#include "server/documents/json/json_text.hpp"
#include "server/documents/json/parsed_json.hpp"
#include "server/documents/near_names.hpp"
#include "server/http/address.hpp"

namespace costcurve::api {

namespace {

using model::Code;

std::optional<double> parse_number(std::string_view text) {
    const auto number = model::read_number<double>(text);
    return number && std::isfinite(*number) ? number : std::nullopt;
}

// The problem of an unknown query parameter.
std::string unknown_parameter(std::string_view name, std::span<const Parameter> rows) {
    std::string names;
    for (const Parameter& known : rows) {
        names += known.in == "query" ? (names.empty() ? "" : ", ") + std::string(known.name) : "";
        std::string renamed = known.in == "query" ? model::renamed_text("query", name) : "";
        if (renamed.ends_with(" " + std::string(known.name))) {
            return renamed;
        }
    }
    return names.empty() ? "this path takes no query parameters" : "query parameters here: " + names;
}

void check_parameter(const Parameter& row, const http::Header& given, model::Failure& issues) {
    const std::string at = join_pointer("", row.name);
    if (row.type == "string") {
        constexpr std::size_t kMaxText = 256;
        if (given.value.size() > kMaxText) {
            issues.push_back({at, Code::out_of_range, fmt::format("{} has more than {} bytes", row.name, kMaxText)});
        } else if (given.value.find('\0') != std::string::npos) {
            issues.push_back({at, Code::bad_format, fmt::format("{} has the character U+0000 (%00); leave it out", row.name)});
        } else if (!row.words.empty() && std::ranges::find(row.words, given.value) == row.words.end()) {
            issues.push_back({at, Code::unknown_value,
                              fmt::format("{} is \"{}\"; allowed: {}{}", row.name, shortened(given.value, 40),
                                          fmt::join(row.words, ", "), documents::near_names(given.value, row.words))});
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

// The revision in an entity tag such as "3"; nothing for a foreign tag.
std::optional<std::int64_t> revision_of(std::string_view tag) {
    if (tag.size() < 3 || tag.front() != '"' || tag.back() != '"') {
        return std::nullopt;
    }
    const auto revision = model::read_number<std::int64_t>(tag.substr(1, tag.size() - 2));
    return revision && entity_tag(*revision) == tag ? revision : std::nullopt; // tags are compared as text: "04" is not "4"
}

// True of [W/]"characters" (RFC 9110 section 8.8.3).
bool is_entity_tag(std::string_view tag) {
    tag.remove_prefix(tag.starts_with("W/") ? 2 : 0);
    return tag.size() >= 2 && tag.front() == '"' && tag.find('"', 1) == tag.size() - 1;
}

// The revision required by If-Match; the newest of a list, because revisions only grow. A foreign or weak tag gives -1, which
// matches no revision. Nothing if the header isn't a list of tags.
std::optional<std::int64_t> revision_to_match(std::string_view if_match) {
    constexpr std::int64_t kNone = -1;
    std::int64_t newest = kNone;
    while (!if_match.empty()) {
        std::string_view tag = if_match.substr(0, if_match.find(','));
        if_match.remove_prefix(std::min(tag.size() + 1, if_match.size()));
        tag.remove_prefix(std::min(tag.find_first_not_of(" \t"), tag.size()));
        tag = tag.substr(0, tag.find_last_not_of(" \t") + 1);
        if (!is_entity_tag(tag)) {
            return std::nullopt;
        }
        const std::int64_t revision = revision_of(tag).value_or(kNone);
        newest = revision > 0 ? std::max(newest, revision) : newest;
    }
    return newest;
}

} // namespace

std::string media_type(const http::Request& request) {
    const std::string_view text = http::header(request, "content-type");
    std::string type = model::lower(text.substr(0, text.find(';')));
    type.resize(type.find_last_not_of(" \t") + 1);
    return type;
}

http::Response json_answer(std::string body, int status) {
    http::Response response;
    response.status = status;
    response.content_type = kJsonType;
    response.body = std::move(body);
    return response;
}

Attempt<ParsedJson> read_body(const http::Request& request) {
    if (media_type(request) != "application/json") {
        return tl::unexpected(Refusal{415, "send Content-Type: application/json"});
    }
    auto body = parse(request.body);
    if (!body) {
        return tl::unexpected(Refusal{400, body.error().message});
    }
    return std::move(*body);
}

std::size_t json_bytes(std::string_view text) {
    // Memory of parsed JSON: an entry needs 16 bytes in its container and 16 on a stack, a member twice as much. Texts need their
    // length in the parser's growing buffer and in the result. A text of up to 256 KiB needs up to 4 MiB more while it is parsed.
    static_assert(sizeof(JsonMember) == 2 * sizeof(JsonValue));
    constexpr std::size_t kBytes = 2 * sizeof(JsonValue); // the second half of a member is counted at its colon
    constexpr std::size_t kTextMultiple = 4;
    constexpr auto kCounts = [] {
        std::array<bool, 256> counts{};
        for (const unsigned char c : {',', ':', '{', '['}) {
            counts[c] = true;
        }
        return counts;
    }();
    const auto begun = std::count_if(text.begin(), text.end(), [&](char c) { return kCounts[static_cast<unsigned char>(c)]; });
    return kTextMultiple * text.size() + kBytes * static_cast<std::size_t>(begun);
}

model::Failure check_parameters(const Route& route, std::span<const Parameter> of_tables, const http::Request& request) {
    model::Failure issues;
    std::vector<Parameter> rows(route.parameters.begin(), route.parameters.end());
    rows.insert(rows.end(), of_tables.begin(), of_tables.end());
    for (std::size_t i = 0; i < request.parameters.size(); ++i) {
        const http::Header& given = request.parameters[i];
        const auto is_it = [&](const Parameter& row) { return row.in == "query" && row.name == given.name; };
        const auto row = std::find_if(rows.begin(), rows.end(), is_it);
        const auto first = std::find_if(request.parameters.begin(), request.parameters.end(),
                                        [&](const http::Header& other) { return other.name == given.name; });
        if (row == rows.end()) {
            issues.push_back({join_pointer("", given.name), Code::unknown_field, unknown_parameter(given.name, rows)});
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
    const std::string_view after = parameter(call, "after");
    const std::int64_t before = model::read_number<std::int64_t>(after).value_or(0);
    if (!after.empty() && before < 1) {
        return tl::unexpected(
            Refusal{422, "", {{"/after", Code::bad_format, "after is no cursor; take it from `next` of the page before"}}});
    }
    return before;
}

bool prefers_async(const http::Request& request) {
    return std::any_of(request.headers.begin(), request.headers.end(), [](const http::Header& header) {
        std::string words = header.name == "prefer" ? model::lower(header.value) : "";
        std::replace_if(
            words.begin(), words.end(), [](char c) { return c == ' ' || c == '\t' || c == ';'; }, ',');
        return fmt::format(",{},", words).find(",respond-async,") != std::string::npos;
    });
}

std::string_view idempotency_key(const Call& call) {
    const bool takes_one =
        std::ranges::any_of(call.route.parameters, [](const Parameter& it) { return it.name == kIdempotencyKey; });
    const bool writes = call.route.role != storage::Role::viewer || (!call.route.later.empty() && prefers_async(call.request));
    return takes_one && writes ? http::header(call.request, "idempotency-key") : "";
}

storage::Author author_of(const Call& call) {
    const std::string& address = call.request.remote_address;
    storage::Author author{call.author, call.request.request_id, address, std::string(idempotency_key(call))};
    if (call.author == kNoKey && !address.empty() &&
        !http::is_loopback(address)) { // otherwise one caller could use the limit of all
        author.answers_of = fmt::format("{} {}", kNoKey, http::network_of(address));
    }
    return author;
}

Attempt<std::optional<std::string>> read_as_of(std::string_view text, const std::string& pointer) {
    model::Result<std::string> as_of = answers::read_as_of(text, pointer);
    if (!as_of) {
        return refused(std::move(as_of.error()));
    }
    return std::optional(std::move(*as_of));
}

Attempt<std::optional<std::string>> as_of_parameter(const Call& call) {
    const std::string_view text = parameter(call, "as_of");
    return text.empty() ? Attempt<std::optional<std::string>>() : read_as_of(text, "/as_of");
}

tl::unexpected<Refusal> refused(model::Failure issues) { return tl::unexpected(Refusal{kUnprocessable, "", std::move(issues)}); }

Attempt<storage::Condition> read_condition(const http::Request& request) {
    using Kind = storage::Condition::Kind;
    const std::string_view match = http::header(request, "if-match");
    const std::string_view none_match = http::header(request, "if-none-match");
    const bool has_match = http::has_header(request, "if-match");
    const bool has_none_match = http::has_header(request, "if-none-match");
    if (has_match && has_none_match) {
        return tl::unexpected(Refusal{400, "give If-Match or If-None-Match, not both"});
    }
    if (none_match == "*") {
        return storage::Condition{Kind::absent, 0};
    }
    if (has_none_match) {
        return tl::unexpected(Refusal{400, "If-None-Match of a write must be *"});
    }
    if (!has_match) {
        return storage::Condition{};
    }
    if (match == "*") {
        return storage::Condition{Kind::present, 0};
    }
    const std::optional<std::int64_t> revision = revision_to_match(match);
    if (match.empty() || !revision) {
        return tl::unexpected(Refusal{400, "If-Match must be an entity tag as ETag gave it, such as \"3\", or *"});
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
