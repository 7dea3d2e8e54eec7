// Runs of feeds and of imports: accepted, rejected, undone.
#include "server/api/handlers/run_reviews.hpp"

#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "model/documents/text.hpp"
#include "model/version.hpp"
#include "server/answers/store/feed_review.hpp"
#include "server/answers/store/feed_undo.hpp"
#include "server/answers/store/import_run.hpp"
#include "server/api/handlers/handlers.hpp"
#include "server/api/problem.hpp"
#include "server/api/request.hpp"
#include "server/api/service.hpp"
#include "server/documents/json/json_text.hpp"
#include "server/jobs/recalculate.hpp"

namespace costcurve::api {

namespace {

// Decides the run, and answers it as it is then.
template <class Answer> Attempt<http::Response> reviewed(Service& service, const Call& call, answers::Verdict verdict) {
    constexpr bool kIsImport = std::is_same_v<Answer, answers::ImportRunAnswer>;
    const Attempt<storage::FeedRun> run = run_in_path(service, call, kIsImport ? std::string_view() : call.arguments.front());
    if (!run) {
        return tl::unexpected(run.error());
    }
    const auto memory = service.memory ? service.memory() : nullptr; // held until all is stored
    std::string no_room;
    answers::Reviewed decided;
    try {
        decided = answers::review_run(service.store, author_of(call), *run, verdict, std::string(model::kModelVersion), memory);
    } catch (const answers::NoRoom& thrown) { no_room = thrown.what(); }
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
    return reviewed<answers::FeedRunAnswer>(service, call, answers::Verdict::accept);
}
Attempt<http::Response> post_feed_reject(Service& service, const Call& call) {
    return reviewed<answers::FeedRunAnswer>(service, call, answers::Verdict::reject);
}
Attempt<http::Response> post_feed_undo(Service& service, const Call& call) {
    return reviewed<answers::FeedRunAnswer>(service, call, answers::Verdict::undo);
}
Attempt<http::Response> post_import_accept(Service& service, const Call& call) {
    return reviewed<answers::ImportRunAnswer>(service, call, answers::Verdict::accept);
}
Attempt<http::Response> post_import_reject(Service& service, const Call& call) {
    return reviewed<answers::ImportRunAnswer>(service, call, answers::Verdict::reject);
}
Attempt<http::Response> post_import_undo(Service& service, const Call& call) {
    return reviewed<answers::ImportRunAnswer>(service, call, answers::Verdict::undo);
}

} // namespace costcurve::api
