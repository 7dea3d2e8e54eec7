// Stored records of documents: points of curves are split from the body, and joined again when it is read.
#include "server/documents/records.hpp"

#include <algorithm>
#include <functional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/documents/walk.hpp"
#include "model/performance/classes.hpp"
#include "server/documents/decode.hpp"
#include "server/documents/encode.hpp"
#include "server/documents/json/json_text.hpp"
#include "server/documents/json/parsed_json.hpp"
#include "server/documents/rules.hpp"
#include "server/documents/stored_rates.hpp"
#include "server/documents/upgrades.hpp"
#include "server/storage/store.hpp"

namespace costcurve::documents {

namespace {

// Calls visit(curve, pointer) for the curves that stand in the document itself. A scenario keeps its own in its body.
void for_each_own_curve(AnyDocument& document, const std::function<void(model::Curve&, const std::string&)>& visit) {
    if (std::holds_alternative<model::ScenarioDocument>(document)) {
        return;
    }
    std::string pointer;
    model::walk(document, pointer, {}, [&]<class P>(P& part, const std::string& where, const model::FieldSpec& /*spec*/) {
        if constexpr (std::is_same_v<P, model::Curve>) {
            if (!part.stored.is_reference) {
                visit(part, where);
            }
        }
    });
}

// In one walk: takes the points of the document's own curves, notes what it refers to, and forgets the revisions of its parts,
// which a client sends back of our answers; the store counts.
void take_parts(AnyDocument& document, storage::Record& record) {
    std::string pointer;
    model::walk(document, pointer, {}, [&]<class P>(P& part, const std::string& where, const model::FieldSpec& /*spec*/) {
        if constexpr (std::is_same_v<P, model::Identity>) { // in a scenario it is only compared
            if (record.key.kind == storage::Kind::performance && !part.id.empty()) {
                record.references.push_back({storage::Kind::device, part.id});
            }
        } else {
            if (part.stored.is_reference) {
                record.references.push_back({kind_of<P>, part.id});
            } else if constexpr (std::is_same_v<P, model::Curve>) {
                if (record.key.kind != storage::Kind::scenario) { // which keeps them in its body
                    record.series.push_back({where, std::move(part.x), std::move(part.y)});
                    part.x.clear();
                    part.y.clear();
                }
            }
            part.stored.revision = 0;
        }
    });
}

// Forgets the revisions of a document's parts, as take_parts does.
void forget_revisions(AnyDocument& document) {
    std::string pointer;
    model::walk(document, pointer, {}, [&]<class P>(P& part, const std::string& /*where*/, const model::FieldSpec& /*spec*/) {
        if constexpr (!std::is_same_v<P, model::Identity>) {
            part.stored.revision = 0;
        }
    });
}

// Those that stand as texts in a document of ours.
template <class T> void add_named_references(const T& document, std::vector<storage::DocumentKey>& found) {
    if constexpr (std::is_same_v<T, model::Alias>) {
        found.push_back({storage::Kind::device, document.device});
    }
    if constexpr (std::is_same_v<T, model::Measurement>) {
        found.push_back({storage::Kind::model, document.model});
        found.push_back({storage::Kind::device, document.device});
    }
    if constexpr (std::is_same_v<T, model::ScenarioDocument>) {
        for (const model::Workload& workload : document.workloads) {
            if (std::ranges::any_of(workload.runs_on, [&](const auto& entry) {
                    return takes_rate(document, workload, entry) ||
                           (entry.performance && !workload.model.empty() && model::has_other_mix(*entry.performance, workload));
                })) {
                found.push_back({storage::Kind::model, workload.model});
            }
        }
    }
    if constexpr (std::is_same_v<T, model::Comparison> || std::is_same_v<T, model::DecisionDocument>) {
        for (const std::string& id : document.scenarios) {
            found.push_back({storage::Kind::scenario, id});
        }
    }
    if constexpr (std::is_same_v<T, model::Schedule>) {
        for (const std::string& id : document.scenarios.ids) {
            found.push_back({storage::Kind::scenario, id});
        }
        if (!document.webhook.empty()) {
            found.push_back({storage::Kind::webhook, document.webhook});
        }
    }
}

storage::OfferFacts facts_of(const model::Offer& offer) {
    const std::optional<model::Curve>& curve = offer.hourly_price.curve;
    std::optional<double> price = offer.hourly_price.number;
    if (curve) {
        price = curve->y.empty() ? std::nullopt : std::optional(curve->y.back());
    }
    return {offer.provider, offer.region, offer.device.id, std::string(model::name_of(offer.purchase)), price};
}

storage::WebhookFacts facts_of(const model::Webhook& webhook) {
    storage::WebhookFacts facts{webhook.url, webhook.secret.text, {}, webhook.enabled};
    for (const model::EventKind kind : webhook.events) {
        facts.events.emplace_back(model::name_of(kind));
    }
    return facts;
}

// What people search for beside the id.
template <class T> std::string title_of(const T& document) {
    std::string title;
    const auto add = [&](const std::string& text) { title += (title.empty() || text.empty() ? "" : " ") + text; };
    if constexpr (requires { document.name; }) {
        add(document.name);
    }
    if constexpr (requires { document.vendor; }) {
        add(document.vendor);
    }
    if constexpr (requires { document.provider; }) {
        add(document.provider);
    }
    if constexpr (requires { document.sku; }) {
        add(document.sku);
    }
    if constexpr (requires { document.names; }) {
        for (const std::string& name : document.names) {
            add(name);
        }
    }
    if constexpr (requires { document.aliases; }) {
        for (const std::string& name : document.aliases) {
            add(name);
        }
    }
    add(document.note);
    return title;
}

// One object of the document and what the store knows of its revision.
std::string with_record(std::string text, const storage::Revision& revision, const std::vector<std::string>& unknown_fields) {
    JsonWriter more;
    more.begin_object().member("recorded_at", revision.recorded_at).member("recorded_by", revision.recorded_by);
    if (!unknown_fields.empty()) {
        more.key("unknown_fields").begin_array();
        for (const std::string& pointer : unknown_fields) {
            more.value(pointer);
        }
        more.end_array();
    }
    more.end_object();
    text.back() = ',';
    return text.append(more.text(), 1);
}

// Whether a decision's objectives alone differ, which were placed when it was read (place_objectives): in its body they are those
// between tokens.
bool is_placed(const std::string& before, const storage::Record& record) {
    if (record.key.kind != storage::Kind::decision) {
        return false;
    }
    std::string body = record.body;
    constexpr std::string_view kPlaced = "/slo/e2e_s";
    for (std::size_t at = body.find(kPlaced); at != std::string::npos; at = body.find(kPlaced, at)) {
        body.replace(at, kPlaced.size(), "/slo/itl_s");
    }
    return body == before;
}

// Whether the stored record would be this one, had today's program written it.
bool equals_older_body(const storage::Record& stored, const storage::Record& record) {
    try {
        storage::Revision revision;
        revision.record = stored;
        StoredDocument read = decode_stored(revision);
        const storage::Record again = encode_record(std::move(read.document), record.key.id);
        return read.unknown_fields.empty() && again.series == record.series &&
               (again.body == record.body || is_placed(again.body, record));
    } catch (const storage::StoreError& error) {
        if (error.cause() != storage::StoreError::Cause::unreadable) {
            throw;
        }
        return false;
    }
}

} // namespace

storage::Record encode_record(AnyDocument document, const std::string& id) {
    storage::Record record;
    std::visit(
        [&]<class T>(T& alternative) {
            alternative.id = id;
            record.key = {kind_of<T>, id};
            record.title = title_of(alternative);
            if constexpr (std::is_same_v<T, model::Offer>) {
                record.offer = facts_of(alternative);
            }
            if constexpr (std::is_same_v<T, model::Webhook>) {
                record.webhook = facts_of(alternative);
            }
            if constexpr (std::is_same_v<T, model::Feed>) {
                record.feed = storage::FeedFacts{alternative.header ? alternative.header->secret.text : ""};
            }
            add_named_references(alternative, record.references);
        },
        document);
    take_parts(document, record);
    std::sort(record.references.begin(), record.references.end());
    record.references.erase(std::unique(record.references.begin(), record.references.end()), record.references.end());
    record.body = encode_canonical(document);
    record.encoding = kEncoding;
    record.equals_older_body = equals_older_body;
    return record;
}

StoredDocument decode_stored(const storage::Revision& revision) {
    const storage::Record& record = revision.record;
    const auto unreadable = [&](const std::string& why) {
        return storage::StoreError(storage::StoreError::Cause::unreadable,
                                   fmt::format("{} {} revision {} can't be read: {}", storage::name_of(record.key.kind),
                                               record.key.id, revision.revision, why));
    };
    if (!revision.unreadable.empty()) {
        throw unreadable(revision.unreadable);
    }
    if (record.encoding > kEncoding) {
        throw unreadable("a newer version of costcurve wrote it; run that version");
    }
    auto body = parse(record.body);
    if (!body) {
        throw unreadable(body.error().message);
    }
    if (record.encoding < kEncoding) {
        nlohmann::json old = (*body)->tree();
        upgrade(old, record.key.kind, record.encoding);
        body = ParsedJson(old);
    }
    Decoded<AnyDocument> decoded = decode_document(record.key.kind, **body, "", Reading::stored);
    if (decoded.issues.empty() && (record.key.kind == storage::Kind::schedule || record.key.kind == storage::Kind::feed)) {
        decoded.issues = check_rules(decoded.document); // an invalid cron would stop whoever reads it
    }
    if (!decoded.issues.empty()) {
        throw unreadable(decoded.issues.front().pointer + " " + decoded.issues.front().message);
    }
    for_each_own_curve(decoded.document, [&](model::Curve& curve, const std::string& where) {
        const auto found = std::find_if(record.series.begin(), record.series.end(), [&](const storage::Series& series) {
            return upgraded_pointer(series.pointer, record.key.kind, record.encoding) == where;
        });
        if (found == record.series.end()) {
            throw unreadable("no points at " + where);
        }
        curve.x = found->x;
        curve.y = found->y;
    });
    std::visit([&](auto& document) { document.stored.revision = revision.revision; }, decoded.document);
    return {std::move(decoded.document), std::move(decoded.unknown_fields)};
}

StoredDocument as_stored(AnyDocument document, const std::string& id, std::int64_t revision) {
    forget_revisions(document);
    std::visit(
        [&](auto& one) {
            one.id = id;
            one.stored.revision = revision;
        },
        document);
    return {std::move(document), {}};
}

std::optional<AnyDocument> decode_readable(const storage::Revision& revision) {
    try {
        return revision.unreadable.empty() ? std::optional(decode_revision(revision)) : std::nullopt;
    } catch (const storage::StoreError& error) {
        if (error.cause() != storage::StoreError::Cause::unreadable) {
            throw;
        }
        return std::nullopt;
    }
}

AnyDocument decode_revision(const storage::Revision& revision) { return decode_stored(revision).document; }

AnyDocument document_of(const storage::Record& record) {
    storage::Revision revision;
    revision.record = record;
    return decode_revision(revision);
}

std::string encode_stored(const storage::Revision& revision) { return encode_stored(decode_stored(revision), revision); }

std::string encode_stored(const StoredDocument& stored, const storage::Revision& revision) {
    return with_record(encode_document(stored.document), revision, stored.unknown_fields);
}

} // namespace costcurve::documents
