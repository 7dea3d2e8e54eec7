// Encodes a document with its stored revision data and fields that exist only in answers.
#include "server/api/document_answers.hpp"

#include <algorithm>
#include <iterator>
#include <variant>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "server/api/problem.hpp"
#include "server/documents/automation_rules.hpp"
#include "server/documents/json/json_text.hpp"
#include "server/documents/store_entries.hpp"
#include "server/documents/upgrades.hpp"
#include "server/documents/webhook_url.hpp"

namespace costcurve::api {

std::string encode_unreadable(const storage::Revision& revision, const storage::StoreError& error, std::string_view request_id) {
    return answers::encode_answer(documents::UnreadableDocument{revision.record.key.id, revision.revision, revision.recorded_at,
                                                                revision.recorded_by,
                                                                problem(unreadable(error.what()), request_id).body});
}

namespace {

// Whether a record's curves run over dates: always for offers and endpoints; a curve states its axis.
bool is_over_date(const storage::Record& record) {
    if (record.key.kind != storage::Kind::curve) {
        return record.key.kind == storage::Kind::offer || record.key.kind == storage::Kind::endpoint;
    }
    const auto document = documents::document_of(record);
    return std::get<model::Curve>(document).axis == model::Axis::date;
}

} // namespace

std::vector<std::string> lost_history(const storage::Revision& before, const storage::Record& now) {
    std::vector<std::string> lost;
    if (before.record.series.empty() || !is_over_date(before.record)) {
        return lost;
    }
    for (const storage::Series& series : before.record.series) {
        const auto found = std::ranges::find(now.series, series.pointer, &storage::Series::pointer);
        const std::vector<double> kept = found == now.series.end() ? std::vector<double>() : found->x;
        std::vector<double> gone;
        std::ranges::set_difference(series.x, kept, std::back_inserter(gone));
        if (!gone.empty()) {
            lost.push_back(fmt::format("{} had {} dated values, of which {} {} in it no longer, {} to {}; as_of={} has them",
                                       series.pointer.empty() ? "it" : series.pointer, series.x.size(), gone.size(),
                                       gone.size() == 1 ? "is" : "are", model::date_text(gone.front()),
                                       model::date_text(gone.back()), before.recorded_at));
        }
    }
    return lost;
}

std::string with_warnings(std::string document, std::span<const std::string> warnings) {
    if (warnings.empty()) {
        return document;
    }
    JsonWriter more;
    more.begin_object().key("warnings").begin_array();
    for (const std::string& warning : warnings) {
        more.value(warning);
    }
    more.end_array().end_object();
    document.back() = ',';
    return document.append(more.text(), 1);
}

std::string encode_answer(const storage::Revision& revision, std::int64_t now, bool hides_urls, const storage::Snapshot* snapshot) {
    documents::StoredDocument stored = documents::decode_stored(revision);
    if (auto* const webhook = std::get_if<model::Webhook>(&stored.document); webhook != nullptr && hides_urls) {
        webhook->url = documents::hidden_url(webhook->url);
    }
    if (auto* const decision = std::get_if<model::DecisionDocument>(&stored.document); decision != nullptr && snapshot != nullptr) {
        documents::place_objectives(*decision, revision.record.encoding,
                                    [&](const storage::DocumentKey& key) { return snapshot->load(key); });
    }
    return encode_answer(stored, revision, now);
}

std::string encode_answer(const documents::StoredDocument& stored, const storage::Revision& revision, std::int64_t now) {
    std::string text = documents::encode_stored(stored, revision);
    const auto timing = std::visit(
        []<class T>(const T& document) -> std::optional<documents::Timing> {
            if constexpr (requires { documents::timing_of(document); }) {
                return documents::timing_of(document);
            } else {
                return std::nullopt;
            }
        },
        stored.document);
    if (!timing) {
        return text;
    }
    constexpr std::int64_t kPerSecond = 1000000;
    constexpr std::size_t kRuns = 5;
    JsonWriter more;
    more.begin_object().key("next_runs").begin_array();
    for (const std::string& run : documents::next_runs(*timing, now / kPerSecond, kRuns)) {
        more.value(run);
    }
    more.end_array().end_object();
    text.back() = ',';
    return text.append(more.text(), 1);
}

} // namespace costcurve::api
