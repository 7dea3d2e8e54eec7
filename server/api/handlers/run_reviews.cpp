// Runs of feeds and of imports: accepted, rejected, undone.
#include "server/api/handlers/run_reviews.hpp"

#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "model/documents/text.hpp"
#include "model/version.hpp"
#include "server/api/handlers/handlers.hpp"
#include "server/api/problem.hpp"
#include "server/api/request.hpp"
#include "server/api/service.hpp"
#include "server/documents/json/json_text.hpp"
#include "server/ingest/feed_review.hpp"
#include "server/ingest/feed_undo.hpp"
#include "server/ingest/import_run.hpp"
#include "server/recalculation/recalculate.hpp"

namespace costcurve::api {

namespace {

// Accepts, rejects or undoes the run, and answers its new state.
template <class Answer> Attempt<http::Response> reviewed(Service& service, const Call& call, ingest::Verdict verdict) {
    constexpr bool kIsImport = std::is_same_v<Answer, ingest::ImportRunAnswer>;
    const Attempt<storage::FeedRun> run = run_in_path(service, call, kIsImport ? std::string_view() : call.arguments.front());
    if (!run) {
        return tl::unexpected(run.error());
    }
    const auto memory = service.memory ? service.memory() : nullptr; // released after everything is stored
    std::string no_room;
    ingest::Reviewed decided;
    try {
        decided = ingest::review_run(service.store, author_of(call), *run, verdict, std::string(model::kModelVersion), memory);
    } catch (const ingest::NoRoom& thrown) { no_room = thrown.what(); }
    if (!no_room.empty()) {
        return tl::unexpected(Refusal{503, std::move(no_room), {}, no_memory().retry_after_s});
    }
    if (!decided) {
        return tl::unexpected(Refusal{409, std::move(decided.error())});
    }
    if (service.recalculator != nullptr) {
        service.recalculator->wake();
    }
    if (service.wake_dispatcher) {
        service.wake_dispatcher();
    }
    return json_answer(answers::encode_answer(Answer(std::move(*decided))));
}

} // namespace

Attempt<storage::FeedRun> run_in_path(const Service& service, const Call& call, std::string_view feed) {
    const std::string& number = call.arguments.back();
    std::optional<storage::FeedRun> run = service.store.feed_run(model::read_number<std::int64_t>(number).value_or(0));
    if (!run || run->feed != feed) {
        const std::string owner = feed.empty() ? "imports have" : fmt::format("feed {} has", shortened(feed, 130));
        return tl::unexpected(Refusal{404, fmt::format("{} no run {}", owner, shortened(number, 20))});
    }
    return std::move(*run);
}

Attempt<http::Response> post_feed_accept(Service& service, const Call& call) {
    return reviewed<ingest::FeedRunAnswer>(service, call, ingest::Verdict::accept);
}
Attempt<http::Response> post_feed_reject(Service& service, const Call& call) {
    return reviewed<ingest::FeedRunAnswer>(service, call, ingest::Verdict::reject);
}
Attempt<http::Response> post_feed_undo(Service& service, const Call& call) {
    return reviewed<ingest::FeedRunAnswer>(service, call, ingest::Verdict::undo);
}
Attempt<http::Response> post_import_accept(Service& service, const Call& call) {
    return reviewed<ingest::ImportRunAnswer>(service, call, ingest::Verdict::accept);
}
Attempt<http::Response> post_import_reject(Service& service, const Call& call) {
    return reviewed<ingest::ImportRunAnswer>(service, call, ingest::Verdict::reject);
}
Attempt<http::Response> post_import_undo(Service& service, const Call& call) {
    return reviewed<ingest::ImportRunAnswer>(service, call, ingest::Verdict::undo);
}

} // namespace costcurve::api
