// Stored documents, schemas and the glossary as resources. A document's URI follows its route: costcurve://offers/ID is GET
// /v1/offers/ID.
#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/documents/field_check.hpp"
#include "server/api/mcp/methods.hpp"
#include "server/api/pages.hpp"
#include "server/api/request.hpp"
#include "server/documents/json/json_text.hpp"

namespace costcurve::api::mcp {

namespace {

constexpr std::string_view kResourceScheme = "costcurve://";
constexpr std::string_view kGlossary = "glossary";
constexpr std::string_view kSchemas = "schemas";
constexpr std::string_view kJsonMime = "application/json";
constexpr std::size_t kResourcesOfPage = 100;
constexpr std::size_t kMaxDescription = 200; // bytes

// The listed kinds, decisions first.
constexpr auto kListedKinds = std::to_array<std::string_view>(
    {"decision", "scenario", "model", "device", "offer", "endpoint", "server", "site", "performance", "measurement", "curve"});

// "offers" of offer.
std::string plural_of(std::string_view kind) {
    constexpr std::string_view kVersion = "/v1/";
    return list_path_of(kind).value_or(std::string(kVersion)).substr(kVersion.size());
}

// The kind with this plural; "" if none.
std::string_view kind_of_plural(std::string_view plural) {
    const auto found = std::find_if(storage::kind_names.begin(), storage::kind_names.end(),
                                    [&](std::string_view kind) { return plural_of(kind) == plural; });
    return found == storage::kind_names.end() ? std::string_view() : *found;
}

tl::unexpected<RpcFailure> no_resource(std::string_view uri) {
    JsonWriter data;
    data.begin_object().member("uri", uri).end_object();
    return tl::unexpected(RpcFailure{RpcCode::no_resource, "there is no such resource; resources/list names them", data.take()});
}

tl::unexpected<RpcFailure> refused_by(const http::Response& response) {
    const auto problem = parse(response.body);
    const std::string_view detail = problem ? text_of(**problem, "detail") : std::string_view();
    return tl::unexpected(RpcFailure{RpcCode::refused, detail.empty() ? "the service can't answer now" : std::string(detail),
                                     problem ? response.body : ""});
}

// Next term or definition of the glossary script: a quoted text, or a bare word before a colon. Advances past it; "" at the end.
std::string next_word(std::string_view& script) {
    const std::size_t start = script.find_first_not_of(" \t\r\n,:");
    if (start == std::string_view::npos || script[start] == '}') {
        return "";
    }
    const bool is_quoted = script[start] == '"';
    const std::size_t begin = start + (is_quoted ? 1 : 0);
    const std::size_t end = script.find(is_quoted ? '"' : ':', begin);
    std::string word(script.substr(begin, end - begin));
    script.remove_prefix(end == std::string_view::npos ? script.size() : end + 1);
    return word;
}

// The dashboard's glossary as a list, read from its script.
std::string glossary_text() {
    constexpr std::string_view kBegin = "glossary = {";
    const std::optional<http::Response> page = find_page("/static/terms.js");
    std::string_view script = page ? std::string_view(page->body) : std::string_view();
    const std::size_t begin = script.find(kBegin);
    script = begin == std::string_view::npos ? std::string_view() : script.substr(begin + kBegin.size());
    std::string text = "# What costcurve's words mean\n\n";
    for (std::string word = next_word(script); !word.empty(); word = next_word(script)) {
        text += fmt::format("- **{}**: {}\n", word, next_word(script));
    }
    return text;
}

void write_resource(std::string_view uri, std::string_view name, std::string_view title, std::string_view mime_type,
                    JsonWriter& writer) {
    writer.begin_object().member("uri", uri).member("name", name);
    if (!title.empty()) {
        writer.member("title", title);
    }
    writer.member("mimeType", mime_type);
}

void write_own_resources(JsonWriter& writer) {
    write_resource(fmt::format("{}{}", kResourceScheme, kGlossary), kGlossary, "What the words mean", "text/markdown", writer);
    writer.end_object();
    for (const std::string_view kind : kListedKinds) {
        write_resource(fmt::format("{}{}/{}", kResourceScheme, kSchemas, kind), fmt::format("schema of {}", kind),
                       fmt::format("The JSON Schema of a {}", kind), "application/schema+json", writer);
        writer.end_object();
    }
}

void write_document(std::string_view plural, const JsonValue& document, JsonWriter& writer) {
    const std::string_view id = text_of(document, "id");
    write_resource(fmt::format("{}{}/{}", kResourceScheme, plural, id), id, text_of(document, "name"), kJsonMime, writer);
    for (const std::string_view member : {"question", "source", "note"}) {
        if (const std::string_view about = text_of(document, member); !about.empty()) {
            writer.member("description", shortened(about, kMaxDescription));
            break;
        }
    }
    writer.key("annotations").begin_object().member("lastModified", text_of(document, "recorded_at")).end_object().end_object();
}

tl::unexpected<RpcFailure> wrong_cursor() { return invalid_params("cursor is the nextCursor of the page before"); }

// Start of a page of resources: the index of a kind, and the cursor in its list.
struct ResourceCursor {
    std::size_t kind = 0;
    std::string after;
};

tl::expected<ResourceCursor, RpcFailure> read_cursor(const JsonValue& parameters) {
    const JsonValue* const given = parameters.find("cursor");
    if (given == nullptr) {
        return ResourceCursor{};
    }
    const std::string_view text = given->text();
    const std::size_t slash = std::min(text.find('/'), text.size());
    const std::string_view kind = kind_of_plural(text.substr(0, slash));
    const std::string_view after = text.substr(std::min(slash + 1, text.size()));
    const auto found = std::find(kListedKinds.begin(), kListedKinds.end(), kind);
    if (found == kListedKinds.end()) {
        return wrong_cursor();
    }
    return ResourceCursor{static_cast<std::size_t>(found - kListedKinds.begin()), std::string(after)};
}

std::vector<http::Header> page_query(std::size_t limit, std::string_view after) {
    std::vector<http::Header> query = {{"limit", fmt::format("{}", limit)}};
    if (!after.empty()) {
        query.push_back({"after", std::string(after)});
    }
    return query;
}

} // namespace

tl::unexpected<RpcFailure> invalid_params(std::string message) {
    return tl::unexpected(RpcFailure{RpcCode::invalid_params, std::move(message)});
}

tl::expected<ResourceContent, RpcFailure> content_of(Service& service, const Call& call, std::string_view uri) {
    if (!uri.starts_with(kResourceScheme)) {
        return no_resource(uri);
    }
    const std::string_view path = uri.substr(kResourceScheme.size());
    if (path == kGlossary) {
        return ResourceContent{"text/markdown", glossary_text()};
    }
    const std::size_t slash = std::min(path.find('/'), path.size());
    const std::string_view id = path.substr(std::min(slash + 1, path.size()));
    if (path.substr(0, slash) == kSchemas) {
        const Schema schema = kind_schema(id);
        return schema.is_null() ? tl::expected<ResourceContent, RpcFailure>(no_resource(uri))
                                : ResourceContent{"application/schema+json", schema.dump()};
    }
    const std::string_view kind = kind_of_plural(path.substr(0, slash));
    if (kind.empty() || !model::is_slug(id)) {
        return no_resource(uri);
    }
    http::Response response = ask_route(service, call, {"GET", fmt::format("/v1/{}", path), {}, ""});
    if (response.status == 404) {
        return no_resource(uri);
    }
    if (response.status >= 400) {
        return refused_by(response);
    }
    return ResourceContent{std::string(kJsonMime), std::move(response.body)};
}

void write_content(std::string_view uri, const ResourceContent& content, JsonWriter& writer) {
    writer.member("uri", uri).member("mimeType", content.mime_type).member("text", content.text);
}

RpcResult list_resources(Service& service, const Call& call, const JsonValue& parameters) {
    const auto begin = read_cursor(parameters);
    if (!begin) {
        return tl::unexpected(begin.error());
    }
    JsonWriter writer;
    writer.begin_object().key("resources").begin_array();
    if (!parameters.contains("cursor")) {
        write_own_resources(writer);
    }
    std::size_t kind = begin->kind;
    std::string after = begin->after;
    std::size_t room = kResourcesOfPage;
    while (kind < kListedKinds.size() && room > 0) {
        const std::string plural = plural_of(kListedKinds[kind]);
        const http::Response response = ask_route(service, call, {"GET", "/v1/" + plural, page_query(room, after), ""});
        if (response.status >= 400) {
            const bool is_wrong_cursor = !after.empty() && (response.status == 400 || response.status == 422);
            return is_wrong_cursor ? wrong_cursor() : refused_by(response);
        }
        const auto page = parse(response.body);
        const JsonValue* const items = page ? (*page)->find("items") : nullptr;
        for (const JsonValue& document : items == nullptr ? std::span<const JsonValue>() : items->entries()) {
            write_document(plural, document, writer);
            --room;
        }
        after = page ? std::string(text_of(**page, "next")) : "";
        kind += after.empty() ? 1 : 0;
    }
    writer.end_array();
    if (kind < kListedKinds.size()) {
        writer.member("nextCursor", fmt::format("{}/{}", plural_of(kListedKinds[kind]), after));
    }
    writer.end_object();
    return writer.take();
}

RpcResult list_resource_templates(Service& /*service*/, const Call& /*call*/, const JsonValue& /*parameters*/) {
    JsonWriter writer;
    writer.begin_object().key("resourceTemplates").begin_array();
    const auto add = [&](const std::string& uri, std::string_view name, const std::string& help, std::string_view mime_type) {
        writer.begin_object().member("uriTemplate", uri).member("name", name).member("description", help);
        writer.member("mimeType", mime_type).end_object();
    };
    for (const std::string_view kind : kListedKinds) {
        add(fmt::format("{}{}/{{id}}", kResourceScheme, plural_of(kind)), kind,
            fmt::format("a stored {} with its revision and source", kind), kJsonMime);
    }
    add(fmt::format("{}{}/{{kind}}", kResourceScheme, kSchemas), "schema", "the JSON Schema of a kind of document",
        "application/schema+json");
    writer.end_array().end_object();
    return writer.take();
}

std::string_view kind_of_template(std::string_view uri) {
    const auto found = std::find_if(kListedKinds.begin(), kListedKinds.end(), [&](std::string_view kind) {
        return uri == fmt::format("{}{}/{{id}}", kResourceScheme, plural_of(kind));
    });
    return found == kListedKinds.end() ? std::string_view() : *found;
}

RpcResult read_resource(Service& service, const Call& call, const JsonValue& parameters) {
    const std::string_view uri = text_of(parameters, "uri");
    if (uri.empty()) {
        return invalid_params("resources/read needs uri, the address of a resource");
    }
    const auto content = content_of(service, call, uri);
    if (!content) {
        return tl::unexpected(content.error());
    }
    JsonWriter writer;
    writer.begin_object().key("contents").begin_array().begin_object();
    write_content(uri, *content, writer);
    writer.end_object().end_array().end_object();
    return writer.take();
}

FoundIds find_ids(Service& service, const Call& call, std::string_view kind, std::string_view text) {
    const std::optional<std::string> path = list_path_of(kind);
    std::vector<http::Header> query = page_query(kResourcesOfPage, "");
    if (!text.empty()) {
        query.push_back({"q", std::string(text)});
    }
    FoundIds found;
    const http::Response response = path ? ask_route(service, call, {"GET", *path, std::move(query), ""}) : http::Response();
    const auto page = response.status < 400 ? parse(response.body) : tl::unexpected(JsonError{});
    const JsonValue* const items = page ? (*page)->find("items") : nullptr;
    for (const JsonValue& document : items == nullptr ? std::span<const JsonValue>() : items->entries()) {
        found.ids.emplace_back(text_of(document, "id"));
    }
    found.has_more = page && !text_of(**page, "next").empty();
    return found;
}

} // namespace costcurve::api::mcp
