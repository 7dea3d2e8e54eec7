// The document routes, the same for every kind: list, get, put, delete, history.
#include <chrono>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/rules.hpp"
#include "model/scenario.hpp"
#include "server/api/decode.hpp"
#include "server/api/decode_value.hpp"
#include "server/api/evaluate_scenario.hpp"
#include "server/api/handlers.hpp"
#include "server/api/json_text.hpp"
#include "server/api/problem.hpp"
#include "server/api/records.hpp"
#include "server/api/request.hpp"
#include "server/api/service.hpp"

namespace costcurve::api {

namespace {

using model::Code;
using model::Failure;
using nlohmann::json;

Refusal not_found(const storage::DocumentKey& key, std::string_view as_of = "") {
    return {404, fmt::format("no {} has the id {}{}{}", storage::name_of(key.kind), shortened(key.id, 130),
                             as_of.empty() ? "" : " as of ", as_of)};
}

Refusal invalid(const std::string& pointer, Code code, std::string message) {
    return {kUnprocessable, "", {{pointer, code, std::move(message)}}};
}

storage::DocumentKey key_of(const Call& call) { return {*call.route.kind, call.arguments.front()}; }

// The store at the `as_of` of the query.
Attempt<storage::Snapshot> snapshot_of(const Service& service, const Call& call) {
    const std::string_view text = parameter(call, "as_of");
    if (text.empty()) {
        return service.store.snapshot();
    }
    return read_as_of(text, "/as_of").map([&](const std::optional<std::string>& as_of) { return service.store.snapshot(as_of); });
}

// A cursor is the moment of the first page and the id that the page before ended with: pages don't shift while others write.
constexpr char kBetween = '~';

struct Cursor {
    std::string as_of; ///< "" of a store without content
    std::string id;
};
Attempt<Cursor> read_cursor(std::string_view text) {
    if (text.empty()) {
        return Cursor{};
    }
    const std::size_t between = text.find(kBetween);
    const std::string_view id = between == std::string_view::npos ? "" : text.substr(between + 1);
    if (!is_slug(id)) {
        return tl::unexpected(invalid("/after", Code::bad_format, "after is no cursor; take it from `next` of the page before"));
    }
    auto as_of = read_as_of(text.substr(0, between), "/after");
    if (!as_of) {
        return tl::unexpected(std::move(as_of.error()));
    }
    return Cursor{as_of->value_or(""), std::string(id)};
}

storage::ListQuery query_of(const Call& call) {
    storage::ListQuery query;
    query.kind = *call.route.kind;
    query.limit = page_limit(call);
    query.text = parameter(call, "q");
    query.provider = parameter(call, "provider");
    query.region = parameter(call, "region");
    query.device = parameter(call, "device");
    query.purchase = parameter(call, "purchase");
    query.max_hourly_price = number_parameter(call, "max_hourly_price");
    return query;
}

// ---- what a document must keep before it is stored ----

// A stored document keeps its rules with the documents that it refers to as they are now: a stored scenario can be evaluated.
Failure broken_rules(const Service& service, work::AnyDocument document) {
    work::Source source(service.store, std::nullopt);
    model::Failure unresolved = work::resolve(document, "", source, decode_revision);
    if (!unresolved.empty()) {
        return unresolved;
    }
    auto* const scenario = std::get_if<model::ScenarioDocument>(&document);
    if (scenario == nullptr) {
        return check_rules(document);
    }
    const model::Result<model::Scenario> made = model::make_scenario(std::move(*scenario));
    return made ? Failure{} : made.error();
}

Attempt<work::AnyDocument> read_document(const Service& service, const storage::DocumentKey& key, const json& body) {
    Decoded<work::AnyDocument> decoded = decode_document(key.kind, body);
    const std::string id = std::visit([](const auto& document) { return document.id; }, decoded.document);
    if (!id.empty() && id != key.id) {
        decoded.issues.push_back({"/id", Code::inconsistent, fmt::format("id is {}; the path says {}", id, key.id)});
    }
    if (decoded.issues.empty()) {
        decoded.issues = broken_rules(service, decoded.document);
        const auto* const webhook = std::get_if<model::Webhook>(&decoded.document);
        if (webhook != nullptr && webhook->secret.text.empty() && !service.store.has_secret(key.id)) {
            decoded.issues.push_back({"/secret", Code::missing, "secret is required: the key of its signatures, 16 to 256 bytes"});
        }
    }
    if (!decoded.issues.empty()) {
        return tl::unexpected(Refusal{kUnprocessable, "", std::move(decoded.issues)});
    }
    return std::move(decoded.document);
}

Refusal condition_failed(const storage::ConditionFailed& failed) {
    return {412, failed.current == 0 ? "there is no such document"
                                     : fmt::format("the document is at revision {}; read it again", failed.current)};
}

std::string named(const std::vector<storage::DocumentKey>& keys) {
    std::string text;
    for (const storage::DocumentKey& key : keys) {
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", storage::name_of(key.kind), key.id);
    }
    return text;
}

// Made of what was written: a write that is done is answered so, whether or not the store can be read just now.
http::Response saved_answer(storage::Record record, const storage::Saved& saved, std::int64_t now) {
    const storage::DocumentKey key = record.key;
    const bool added = saved.what == storage::Saved::What::added;
    http::Response response = json_answer(
        encode_answer({std::move(record), saved.revision, saved.recorded_at, saved.recorded_by, false}, now), added ? 201 : 200);
    response.headers.push_back({"ETag", entity_tag(saved.revision)});
    if (added) {
        response.headers.push_back({"Location", fmt::format("/v1/{}s/{}", storage::name_of(key.kind), key.id)});
    }
    return response;
}

} // namespace

Attempt<http::Response> list_documents(Service& service, const Call& call) {
    Attempt<Cursor> cursor = read_cursor(parameter(call, "after"));
    if (!cursor) {
        return tl::unexpected(std::move(cursor.error()));
    }
    Attempt<storage::Snapshot> snapshot =
        cursor->as_of.empty() ? snapshot_of(service, call) : Attempt<storage::Snapshot>(service.store.snapshot(cursor->as_of));
    if (!snapshot) {
        return tl::unexpected(std::move(snapshot.error()));
    }
    storage::ListQuery query = query_of(call);
    query.after = cursor->id;
    const storage::Page page = snapshot->list(query);
    JsonWriter out;
    out.begin_object().key("items").begin_array();
    for (const storage::Revision& revision : page.items) {
        out.raw(encode_answer(revision, service.store.now()));
    }
    out.end_array().key("next");
    if (page.more) {
        out.value(snapshot->as_of() + kBetween + page.items.back().record.key.id);
    } else {
        out.null();
    }
    out.end_object();
    return json_answer(out.take());
}

Attempt<http::Response> get_document(Service& service, const Call& call) {
    const Attempt<storage::Snapshot> snapshot = snapshot_of(service, call);
    if (!snapshot) {
        return tl::unexpected(snapshot.error());
    }
    const std::optional<storage::Revision> revision = snapshot->load(key_of(call));
    if (!revision) {
        return tl::unexpected(not_found(key_of(call), parameter(call, "as_of")));
    }
    const std::string tag = entity_tag(revision->revision);
    http::Response response;
    if (lists_tag(http::header(call.request, "if-none-match"), tag)) {
        response.status = 304;
    } else {
        response = json_answer(encode_answer(*revision, service.store.now()));
    }
    response.headers.push_back({"ETag", tag});
    return response;
}

Attempt<http::Response> put_document(Service& service, const Call& call) {
    const storage::DocumentKey key = key_of(call);
    if (!is_slug(key.id)) {
        return tl::unexpected(invalid("/id", Code::bad_format, "an id in the path is a slug: [a-z0-9][a-z0-9._-]{0,127}"));
    }
    const Attempt<storage::Condition> condition = read_condition(call.request);
    if (!condition) {
        return tl::unexpected(condition.error());
    }
    Attempt<json> body = read_body(call.request);
    if (!body) {
        return tl::unexpected(std::move(body.error()));
    }
    Attempt<work::AnyDocument> document = read_document(service, key, *body);
    if (!document) {
        return tl::unexpected(std::move(document.error()));
    }
    const storage::Author author{call.author, call.request.request_id};
    storage::Record record = encode_record(std::move(*document), key.id);
    const storage::SaveOutcome outcome = service.store.save(author, record, *condition);
    if (const auto* const failed = std::get_if<storage::ConditionFailed>(&outcome)) {
        return tl::unexpected(condition_failed(*failed));
    }
    if (const auto* const missing = std::get_if<storage::MissingReferences>(&outcome)) {
        return tl::unexpected(
            invalid("", Code::unknown_reference, "these are not stored, store them first: " + named(missing->missing)));
    }
    return saved_answer(std::move(record), std::get<storage::Saved>(outcome), service.store.now());
}

Attempt<http::Response> delete_document(Service& service, const Call& call) {
    const Attempt<storage::Condition> condition = read_condition(call.request);
    if (!condition) {
        return tl::unexpected(condition.error());
    }
    const storage::Author author{call.author, call.request.request_id};
    const storage::RemoveOutcome outcome = service.store.remove(author, key_of(call), *condition);
    if (std::holds_alternative<storage::NotFound>(outcome)) {
        return tl::unexpected(not_found(key_of(call)));
    }
    if (const auto* const failed = std::get_if<storage::ConditionFailed>(&outcome)) {
        return tl::unexpected(condition_failed(*failed));
    }
    if (const auto* const used = std::get_if<storage::InUse>(&outcome)) {
        return tl::unexpected(
            Refusal{409, fmt::format("{} document{} refer{} to it: {}{}; change or delete them first", used->count,
                                     used->count == 1 ? "" : "s", used->count == 1 ? "s" : "", named(used->users),
                                     used->count > static_cast<std::int64_t>(used->users.size()) ? ", …" : "")});
    }
    http::Response response;
    response.status = 204;
    return response;
}

Attempt<http::Response> get_revisions(Service& service, const Call& call) {
    const Attempt<std::int64_t> before = number_cursor(call);
    if (!before) {
        return tl::unexpected(before.error());
    }
    const Attempt<storage::Snapshot> snapshot = snapshot_of(service, call);
    if (!snapshot) {
        return tl::unexpected(snapshot.error());
    }
    const std::size_t limit = page_limit(call);
    std::vector<storage::Revision> history = snapshot->history(key_of(call), *before, limit + 1);
    if (history.empty() && *before == 0) {
        return tl::unexpected(not_found(key_of(call), parameter(call, "as_of")));
    }
    const bool more = history.size() > limit;
    history.resize(std::min(history.size(), limit));
    JsonWriter out;
    out.begin_object().key("items").begin_array();
    for (const storage::Revision& revision : history) {
        out.begin_object().member("revision", static_cast<double>(revision.revision)).member("recorded_at", revision.recorded_at);
        out.member("recorded_by", revision.recorded_by).member("deleted", revision.deleted).end_object();
    }
    out.end_array().key("next");
    if (more) {
        out.value(std::to_string(history.back().revision));
    } else {
        out.null();
    }
    out.end_object();
    return json_answer(out.take());
}

} // namespace costcurve::api
