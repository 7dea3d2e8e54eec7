// A document, what the store knows of its revision, and what only an answer has.
#include "server/api/document_answers.hpp"

#include "server/answers/store/records.hpp"
#include "server/api/problem.hpp"
#include "server/documents/automation_rules.hpp"
#include "server/documents/json/json_text.hpp"
#include "server/documents/records.hpp"
#include "server/documents/webhook_url.hpp"

namespace costcurve::api {

std::string encode_unreadable(const storage::Revision& revision, const storage::StoreError& error, std::string_view request_id) {
    return answers::encode_answer(answers::UnreadableDocument{revision.record.key.id, revision.revision, revision.recorded_at,
                                                              revision.recorded_by,
                                                              problem(unreadable(error.what()), request_id).body});
}

std::string encode_answer(const storage::Revision& revision, std::int64_t now, bool hides_urls) {
    documents::StoredDocument stored = documents::decode_stored(revision);
    if (auto* const webhook = std::get_if<model::Webhook>(&stored.document); webhook != nullptr && hides_urls) {
        webhook->url = documents::hidden_url(webhook->url);
    }
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
