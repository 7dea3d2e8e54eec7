// Any query, cursor and condition: refused with a status and issues that make a problem document, or read within their limits.
//
// Three lines: the query, If-Match, If-None-Match.
#include <algorithm>
#include <array>

#include <nlohmann/json.hpp>

#include "server/api/request.hpp"
#include "server/documents/json/json_text.hpp"
#include "server/http/head.hpp"
#include "server/import/text/utf8.hpp"
#include "server/storage/timestamp.hpp"
#include "tests/fuzz/expect.hpp"

namespace costcurve::api {
namespace {

using fuzz::expect;

// One of each type.
constexpr auto kParameters = std::to_array<Parameter>({
    {"after", "query", "string", "a cursor"},
    {"as_of", "query", "string", "a moment"},
    {"limit", "query", "integer", "items of a page", 1, 1000},
    {"max_hourly_price", "query", "number", "a price", 0, 1e15},
    {"ledger", "query", "boolean", "with the ledger"},
});

void check_issues(const model::Failure& issues) {
    for (const model::Issue& issue : issues) {
        expect(issue.pointer.starts_with('/') && !issue.message.empty() && issue.message.size() < 2000, "an issue is none");
        expect(imports::is_utf8(issue.pointer) && imports::is_utf8(issue.message), "an issue is not UTF-8");
    }
}

void check_refusal(const Refusal& refusal) {
    expect(refusal.status >= 400 && refusal.status < 500, "a refusal has no status");
    expect(!refusal.detail.empty() || !refusal.issues.empty(), "a refusal gives no reason");
    check_issues(refusal.issues);
}

void check_query(const Call& call) {
    const std::size_t limit = page_limit(call);
    expect(limit >= 1 && limit <= 1000, "a page has no limit");
    if (const auto cursor = number_cursor(call)) {
        expect(*cursor >= 0, "a cursor is below 0");
        expect(*cursor == 0 || parameter(call, "after") == std::to_string(*cursor) || parameter(call, "after").starts_with('0'),
               "a cursor is not the number that was sent");
    } else {
        check_refusal(cursor.error());
    }
    if (const std::string_view text = parameter(call, "as_of"); !text.empty()) {
        const auto as_of = read_as_of(text, "/as_of");
        if (!as_of) {
            return check_refusal(as_of.error());
        }
        const auto again = read_as_of(as_of->value_or(""), "/as_of");
        expect(!*as_of || (again && *again == *as_of), "a moment does not come back as it was");
    }
}

void check_conditions(const http::Request& request) {
    const auto condition = read_condition(request);
    if (!condition) {
        return check_refusal(condition.error());
    }
    if (condition->kind == storage::Condition::Kind::revision) {
        expect(condition->revision == -1 || lists_tag(http::header(request, "if-match"), entity_tag(condition->revision)),
               "a tag is not the one that was sent"); // -1 matches nothing
    }
    const std::string tag = entity_tag(42);
    expect(lists_tag(tag, tag) && lists_tag("W/" + tag, tag) && lists_tag("\"1\", " + tag, tag), "a tag is not found");
    const std::string_view none_match = http::header(request, "if-none-match");
    expect(none_match.find('*') != std::string_view::npos || !lists_tag(none_match, "\"two\nlines\""),
           "a tag is found that is not there");
}

void run(std::string_view query, std::string_view match, std::string_view none_match) {
    http::Request request;
    request.parameters = http::read_parameters(query);
    request.headers = {{"if-match", std::string(match)}, {"if-none-match", std::string(none_match)}};
    const auto is_text = [](const http::Header& field) { return imports::is_utf8(field.name) && imports::is_utf8(field.value); };
    if (!std::all_of(request.parameters.begin(), request.parameters.end(), is_text)) { // dispatch refuses them
        return;
    }
    Route route;
    route.parameters = kParameters;
    const model::Failure issues = check_parameters(route, {}, request);
    check_issues(issues);
    if (issues.empty()) {
        check_query({request, route, {}, "local"});
    }
    check_conditions(request);
}

} // namespace
} // namespace costcurve::api

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { // NOLINT: libFuzzer's name
    std::string_view rest = costcurve::fuzz::text_of(data, size);
    const std::string_view query = costcurve::fuzz::take_line(rest);
    const std::string_view match = costcurve::fuzz::take_line(rest);
    const std::string_view none_match = costcurve::fuzz::take_line(rest);
    costcurve::api::run(query, match, none_match);
    return 0;
}
