// One walk takes the points out of a document, another puts them back.
#include "server/api/records.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/walk.hpp"
#include "server/api/decode.hpp"
#include "server/api/encode.hpp"
#include "server/api/json_text.hpp"
#include "server/work/standing.hpp"

namespace costcurve::api {

namespace {

// Calls visit(curve, pointer) for the curves that stand in the document itself. A scenario keeps its own in its body.
template <class T, class F> void for_each_own_curve(T& document, const F& visit) {
    if constexpr (!std::is_same_v<T, model::ScenarioDocument>) {
        std::string pointer;
        model::walk(document, pointer, {}, [&](auto& part, const std::string& where, const model::FieldSpec& /*spec*/) {
            if constexpr (std::is_same_v<std::decay_t<decltype(part)>, model::Curve>) {
                if (!part.stored.is_reference) {
                    visit(part, where);
                }
            }
        });
    }
}

template <class T> std::vector<storage::DocumentKey> references_of(T& document) {
    std::vector<storage::DocumentKey> found;
    std::string pointer;
    model::walk(document, pointer, {}, [&]<class P>(P& part, const std::string& /*where*/, const model::FieldSpec& /*spec*/) {
        if constexpr (std::is_same_v<P, model::Identity>) { // in a scenario it is only compared
            if (std::is_same_v<std::remove_const_t<T>, model::Performance> && !part.id.empty()) {
                found.push_back({storage::Kind::device, part.id});
            }
        } else {
            if (part.stored.is_reference) {
                found.push_back({work::kind_of<P>, part.id});
            }
        }
    });
    if constexpr (std::is_same_v<std::remove_const_t<T>, model::Comparison>) {
        for (const std::string& id : document.scenarios) {
            found.push_back({storage::Kind::scenario, id});
        }
    }
    if constexpr (std::is_same_v<std::remove_const_t<T>, model::Schedule>) {
        for (const std::string& id : document.scenarios.ids) {
            found.push_back({storage::Kind::scenario, id});
        }
        if (!document.webhook.empty()) {
            found.push_back({storage::Kind::webhook, document.webhook});
        }
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
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
    add(document.note);
    return title;
}

} // namespace

storage::Record encode_record(work::AnyDocument document, const std::string& id) {
    storage::Record record;
    std::visit(
        [&]<class T>(T& alternative) {
            alternative.id = id;
            record.key = {work::kind_of<T>, id};
            record.title = title_of(alternative);
            record.references = references_of(alternative);
            if constexpr (std::is_same_v<T, model::Offer>) {
                record.offer = facts_of(alternative);
            }
            if constexpr (std::is_same_v<T, model::Webhook>) {
                record.webhook = facts_of(alternative);
            }
            for_each_own_curve(alternative, [&](model::Curve& curve, const std::string& where) {
                record.series.push_back({where, std::move(curve.x), std::move(curve.y)});
                curve.x.clear();
                curve.y.clear();
            });
            std::string pointer;
            model::walk(alternative, pointer, {}, [](auto& part, const std::string& /*where*/, const model::FieldSpec& /*spec*/) {
                if constexpr (model::is_stored<std::decay_t<decltype(part)>>) {
                    part.stored.revision = 0; // what a client sends back of our answers; the store counts
                }
            });
        },
        document);
    record.body = encode_document(document);
    return record;
}

work::AnyDocument decode_revision(const storage::Revision& revision) {
    const storage::Record& record = revision.record;
    const auto corrupt = [&](const std::string& why) {
        return storage::StoreError(storage::StoreError::Cause::corrupt,
                                   fmt::format("{} {} revision {} can't be read: {}", storage::name_of(record.key.kind),
                                               record.key.id, revision.revision, why));
    };
    const auto json = parse_json(record.body);
    if (!json) {
        throw corrupt(json.error().message);
    }
    Decoded<work::AnyDocument> decoded = decode_document(record.key.kind, *json, "", true);
    if (!decoded.issues.empty()) {
        throw corrupt(decoded.issues.front().pointer + " " + decoded.issues.front().message);
    }
    std::visit(
        [&](auto& document) {
            for_each_own_curve(document, [&](model::Curve& curve, const std::string& where) {
                const auto found = std::find_if(record.series.begin(), record.series.end(),
                                                [&](const storage::Series& series) { return series.pointer == where; });
                if (found == record.series.end()) {
                    throw corrupt("no points at " + where);
                }
                curve.x = found->x;
                curve.y = found->y;
            });
            document.stored.revision = revision.revision;
        },
        decoded.document);
    return std::move(decoded.document);
}

std::string encode_stored(const storage::Revision& revision) {
    std::string text = encode_document(decode_revision(revision));
    JsonWriter more;
    more.begin_object().member("recorded_at", revision.recorded_at).member("recorded_by", revision.recorded_by).end_object();
    text.back() = ','; // one object of the two
    return text.append(more.text(), 1);
}

std::string encode_answer(const storage::Revision& revision, std::int64_t now) {
    std::string text = encode_stored(revision);
    if (revision.record.key.kind != storage::Kind::schedule) {
        return text;
    }
    constexpr std::int64_t kPerSecond = 1000000;
    constexpr std::size_t kRuns = 5;
    JsonWriter more;
    more.begin_object().key("next_runs").begin_array();
    for (const std::string& run : work::next_runs(std::get<model::Schedule>(decode_revision(revision)), now / kPerSecond, kRuns)) {
        more.value(run);
    }
    more.end_array().end_object();
    text.back() = ',';
    return text.append(more.text(), 1);
}

} // namespace costcurve::api
