// The document routes, the same for every kind: list, get, put, delete, history.
#include <chrono>
#include <span>

#include <fmt/format.h>

#include "model/rules.hpp"
#include "model/scenario.hpp"
#include "server/actuals/runs/drift_answer.hpp"
#include "server/answers/evaluate.hpp"
#include "server/api/access.hpp"
#include "server/api/document_answers.hpp"
#include "server/api/handlers/handlers.hpp"
#include "server/api/handlers/measurement_filter.hpp"
#include "server/api/page_answer.hpp"
#include "server/api/problem.hpp"
#include "server/api/request.hpp"
#include "server/api/service.hpp"
#include "server/documents/decode.hpp"
#include "server/documents/decoder.hpp"
#include "server/documents/json/json_text.hpp"
#include "server/documents/json/parsed_json.hpp"
#include "server/documents/records.hpp"
#include "server/documents/renamed.hpp"
#include "server/documents/rules.hpp"
#include "server/documents/store_entries.hpp"
#include "server/documents/webhook_url.hpp"
#include "server/ingest/feed_landing.hpp"
#include "server/ingest/stored_names.hpp"
#include "server/outgoing/courier.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::api {

namespace {

using model::Code;
using model::Failure;

Refusal not_found(const storage::DocumentKey& key, std::string_view as_of = "") {
    return {404, fmt::format("no {} has the id {}{}{}", storage::name_of(key.kind), shortened(key.id, 130),
                             as_of.empty() ? "" : " as of ", as_of)};
}

std::string path_of(const storage::DocumentKey& key) {
    return fmt::format("/v1/{}/{}", storage::plural_of(storage::name_of(key.kind)), key.id);
}

storage::DocumentKey key_of(const Call& call) { return {*call.route.kind, call.arguments.front()}; }

// A snapshot of the store as of the query's `as_of`.
Attempt<std::unique_ptr<storage::Snapshot>> snapshot_of(const Service& service, const Call& call) {
    return as_of_parameter(call).map([&](const std::optional<std::string>& as_of) { return service.store.snapshot(as_of); });
}

// A cursor is the last change visible to the first page and the last id of the previous page, so that concurrent writes don't shift
// pages.
constexpr char kBetween = '~';

struct Cursor {
    std::string as_of; ///< "" if the store is empty
    std::string id;
};
Attempt<Cursor> read_cursor(std::string_view text) {
    if (text.empty()) {
        return Cursor{};
    }
    const std::size_t between = text.find(kBetween);
    const std::string_view id = between == std::string_view::npos ? "" : text.substr(between + 1);
    if (!documents::is_slug(id)) {
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

FilteredPage whole_page(storage::Page page) {
    std::string last = page.items.empty() ? "" : page.items.back().record.key.id;
    return {std::move(page), std::move(last)};
}

// ---- what a document must keep before it is stored ----

// Rules that a document and the documents it refers to break together as of now, so that every stored scenario can be evaluated.
Failure broken_rules(const Service& service, documents::AnyDocument document) {
    documents::Source source(service.store, std::nullopt);
    model::Failure unresolved = documents::resolve(document, "", source);
    if (!unresolved.empty()) {
        return unresolved;
    }
    auto* const scenario = std::get_if<model::ScenarioDocument>(&document);
    if (scenario == nullptr) {
        return documents::check_rules(document);
    }
    const model::Result<model::Scenario> made = model::make_scenario(std::move(*scenario));
    return made ? Failure{} : made.error();
}

// The stored document under a key; nothing if it can't be read.
template <class T> std::optional<T> stored_document(const Service& service, const storage::DocumentKey& key) {
    const std::optional<storage::Revision> revision = service.store.snapshot()->load(key);
    if (!revision) {
        return std::nullopt;
    }
    try {
        return std::get<T>(documents::decode_revision(*revision));
    } catch (const storage::StoreError& error) {
        if (error.cause() != storage::StoreError::Cause::unreadable) {
            throw;
        }
        return std::nullopt;
    }
}

// Checks that a URL's address is public. `allowed_by` names the switch that allows others; "" if it is set.
void check_address(const char* pointer, const std::string& url, std::string_view allowed_by, Failure& issues) {
    const std::string_view host = allowed_by.empty() || url.empty() ? "" : documents::private_host(url);
    if (!host.empty()) {
        issues.push_back(
            {pointer, Code::not_allowed,
             fmt::format("url leads to {} address, which is not called; give a public one, or start the service with {}", host,
                         allowed_by)});
    }
}

// Checks of a feed that depend on this service.
void check_feed(const Service& service, const storage::DocumentKey& key, const model::Feed& feed, Failure& issues) {
    const char* const allowed_by = service.allow_private_feeds ? "" : "--allow-private-feeds";
    check_address("/from/url", feed.from.url, allowed_by, issues);
    check_address("/from/prometheus", feed.from.prometheus, allowed_by, issues);
    const imports::AddedNames names = ingest::stored_names(service.store);
    issues.add_all(ingest::feed_issues(feed, &names));
    if (!feed.header || !feed.header->secret.text.empty()) {
        return;
    }
    const auto stored = stored_document<model::Feed>(service, key);
    if (service.store.feed_secret(key.id).empty()) {
        issues.push_back({"/header/secret", Code::missing, "secret is required: the header's value, 16 to 256 bytes"});
    } else if (!stored || stored->from.url != feed.from.url || stored->from.prometheus != feed.from.prometheus ||
               stored->header->name != feed.header->name) { // otherwise an editor could redirect the stored secret
        issues.push_back({"/header/secret", Code::missing, "a new URL or header needs the secret again, 16 to 256 bytes"});
    }
}

// Checks of a webhook that depend on this service.
void check_webhook(const Service& service, const storage::DocumentKey& key, const model::Webhook& webhook, Failure& issues) {
    check_address("/url", webhook.url, service.allow_private_webhooks ? "" : "--allow-private-webhooks", issues);
    if (!webhook.secret.text.empty()) {
        return;
    }
    if (!service.store.has_secret(key.id)) {
        issues.push_back({"/secret", Code::missing, "secret is required: the key of its signatures, 16 to 256 bytes"});
    } else if (const auto stored = stored_document<model::Webhook>(service, key);
               !stored || stored->url != webhook.url) { // otherwise an editor could use the stored secret elsewhere
        issues.push_back({"/secret", Code::missing, "a new URL needs a new secret: 16 to 256 bytes, which its receiver knows too"});
    }
}

Attempt<documents::AnyDocument> read_document(const Service& service, const storage::DocumentKey& key, const JsonValue& body) {
    documents::Decoded<documents::AnyDocument> decoded = documents::decode_document(key.kind, body);
    const std::string id = std::visit([](const auto& document) { return document.id; }, decoded.document);
    if (!id.empty() && id != key.id) {
        decoded.issues.push_back({"/id", Code::inconsistent, fmt::format("id is {}; the path says {}", id, key.id)});
    }
    if (decoded.issues.empty()) {
        decoded.issues = broken_rules(service, decoded.document);
        if (const auto* const webhook = std::get_if<model::Webhook>(&decoded.document)) {
            check_webhook(service, key, *webhook, decoded.issues);
        }
        if (const auto* const feed = std::get_if<model::Feed>(&decoded.document)) {
            check_feed(service, key, *feed, decoded.issues);
        }
        if (const auto* const schedule = std::get_if<model::Schedule>(&decoded.document); schedule && schedule->enabled) {
            decoded.issues.add_all(actuals::watch_issues(service.store, *schedule));
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

bool is_hiding_urls(const Service& service, const Call& call) {
    return call.route.kind == storage::Kind::webhook && !has_role(service, call.request, storage::Role::editor);
}

// Warnings about the revision that a write replaced; none if that revision can't be read now.
std::vector<std::string> warnings_of(const Service& service, const storage::Record& record, const storage::Saved& saved) {
    const bool has_dates = record.key.kind == storage::Kind::offer || record.key.kind == storage::Kind::endpoint ||
                           record.key.kind == storage::Kind::curve;
    if (!has_dates || saved.what != storage::Saved::What::changed) {
        return {};
    }
    try {
        const auto history = service.store.snapshot()->history(record.key, saved.revision, 1);
        const auto before = history.empty()
                                ? std::nullopt
                                : service.store.snapshot(storage::format_sequence(history.front().sequence))->load(record.key);
        return before && before->unreadable.empty() ? lost_history(*before, record) : std::vector<std::string>();
    } catch (const storage::StoreError&) { return {}; }
}

// Answers a write from the written data, so that a completed write is confirmed even if the store can't be read.
http::Response saved_answer(documents::AnyDocument document, const storage::DocumentKey& key, const storage::Saved& saved,
                            std::span<const std::string> warnings, std::int64_t now) {
    const bool added = saved.what == storage::Saved::What::added;
    const storage::Revision revision{{}, saved.revision, saved.recorded_at, saved.recorded_by, false};
    std::string text = encode_answer(documents::as_stored(std::move(document), key.id, saved.revision), revision, now);
    http::Response response = json_answer(with_warnings(std::move(text), warnings), added ? 201 : 200);
    response.headers.push_back({"ETag", entity_tag(saved.revision)});
    if (added) {
        response.headers.push_back({"Location", path_of(key)});
    }
    return response;
}

} // namespace

Attempt<http::Response> list_documents(Service& service, const Call& call) {
    Attempt<Cursor> cursor = read_cursor(parameter(call, "after"));
    if (!cursor) {
        return tl::unexpected(std::move(cursor.error()));
    }
    Attempt<std::unique_ptr<storage::Snapshot>> snapshot =
        cursor->as_of.empty() ? snapshot_of(service, call)
                              : Attempt<std::unique_ptr<storage::Snapshot>>(service.store.snapshot(cursor->as_of));
    if (!snapshot) {
        return tl::unexpected(std::move(snapshot.error()));
    }
    const Attempt<std::optional<MeasurementFilter>> filter = measurement_filter(call);
    if (!filter) {
        return tl::unexpected(filter.error());
    }
    storage::ListQuery query = query_of(call);
    query.after = cursor->id;
    const auto [page, last] = *filter ? list_measurements(**snapshot, query, **filter) : whole_page((*snapshot)->list(query));
    const bool hides_urls = is_hiding_urls(service, call);
    answers::Page<answers::RawJson> answer;
    for (const storage::Revision& revision : page.items) {
        try {
            answer.items.push_back({encode_answer(revision, service.store.now(), hides_urls, snapshot->get())});
        } catch (const storage::StoreError& error) {
            if (error.cause() != storage::StoreError::Cause::unreadable) {
                throw;
            }
            answer.items.push_back({encode_unreadable(revision, error, call.request.request_id)}); // only this item fails
        }
    }
    if (page.more) {
        answer.next = (*snapshot)->reference() + kBetween + last;
    }
    return json_answer(answers::encode_answer(answer));
}

// Documents that an enabled schedule watches but that don't exist now.
std::vector<std::string> unwatched(const Service& service, const storage::Revision& revision) {
    if (revision.record.key.kind != storage::Kind::schedule) {
        return {};
    }
    const auto schedule = std::get<model::Schedule>(documents::decode_revision(revision));
    return schedule.enabled ? actuals::watch_warnings(service.store, schedule) : std::vector<std::string>();
}

Attempt<http::Response> get_document(Service& service, const Call& call) {
    const Attempt<std::unique_ptr<storage::Snapshot>> snapshot = snapshot_of(service, call);
    if (!snapshot) {
        return tl::unexpected(snapshot.error());
    }
    const auto load = [&](const storage::DocumentKey& key) { return (*snapshot)->load(key); };
    const std::optional<storage::Revision> revision = documents::load_by_any_id(load, key_of(call));
    if (!revision) {
        return tl::unexpected(not_found(key_of(call), parameter(call, "as_of")));
    }
    const std::string tag = entity_tag(revision->revision);
    http::Response response;
    if (lists_tag(http::header(call.request, "if-none-match"), tag)) {
        response.status = 304;
    } else {
        std::string text = encode_answer(*revision, service.store.now(), is_hiding_urls(service, call), snapshot->get());
        response = json_answer(with_warnings(std::move(text), unwatched(service, *revision)));
    }
    response.headers.push_back({"ETag", tag});
    if (revision->record.key != key_of(call)) { // the document was renamed
        response.headers.push_back({"Content-Location", path_of(revision->record.key)});
    }
    return response;
}

Attempt<http::Response> put_document(Service& service, const Call& call) {
    const storage::DocumentKey key = key_of(call);
    if (!documents::is_slug(key.id)) {
        return tl::unexpected(invalid("/id", Code::bad_format, "an id in the path is a slug: [a-z0-9][a-z0-9._-]{0,127}"));
    }
    const Attempt<storage::Condition> condition = read_condition(call.request);
    if (!condition) {
        return tl::unexpected(condition.error());
    }
    Attempt<ParsedJson> body = read_body(call.request);
    if (!body) {
        return tl::unexpected(std::move(body.error()));
    }
    Attempt<documents::AnyDocument> document = read_document(service, key, **body);
    if (!document) {
        return tl::unexpected(std::move(document.error()));
    }
    const storage::Author author = author_of(call);
    storage::Record record = documents::encode_record(*document, key.id);
    documents::rename_references(record.references, service.store);
    const storage::SaveOutcome outcome = service.store.save(author, record, *condition);
    if (const auto* const failed = std::get_if<storage::ConditionFailed>(&outcome)) {
        return tl::unexpected(condition_failed(*failed));
    }
    if (const auto* const missing = std::get_if<storage::MissingReferences>(&outcome)) {
        return tl::unexpected(
            invalid("", Code::unknown_reference, "these are not stored, store them first: " + named(missing->missing)));
    }
    const auto& saved = std::get<storage::Saved>(outcome);
    const std::vector<std::string> warnings = warnings_of(service, record, saved);
    return saved_answer(std::move(*document), key, saved, warnings, service.store.now());
}

Attempt<http::Response> delete_document(Service& service, const Call& call) {
    const Attempt<storage::Condition> condition = read_condition(call.request);
    if (!condition) {
        return tl::unexpected(condition.error());
    }
    const storage::Author author = author_of(call);
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
    const Attempt<std::unique_ptr<storage::Snapshot>> snapshot = snapshot_of(service, call);
    if (!snapshot) {
        return tl::unexpected(snapshot.error());
    }
    const std::size_t limit = page_limit(call);
    std::vector<storage::Revision> history = (*snapshot)->history(key_of(call), *before, limit + 1);
    if (const auto renamed = documents::new_key(key_of(call)); renamed && !(*snapshot)->load(key_of(call))) {
        history = (*snapshot)->history(*renamed, *before, limit + 1);
    }
    if (history.empty() && *before == 0) {
        return tl::unexpected(not_found(key_of(call), parameter(call, "as_of")));
    }
    return page_answer<storage::Revision>(std::move(history), limit,
                                          [](const storage::Revision& revision) { return revision.revision; });
}

} // namespace costcurve::api
