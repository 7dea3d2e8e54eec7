// Runs of feeds, and starting a run now.
#include <fmt/format.h>

#include "server/api/handlers/handlers.hpp"
#include "server/api/page_answer.hpp"
#include "server/api/problem.hpp"
#include "server/api/request.hpp"
#include "server/api/service.hpp"
#include "server/documents/json/json_text.hpp"
#include "server/ingest/feed_landing.hpp"

namespace costcurve::api {

Attempt<http::Response> list_feed_runs(Service& service, const Call& call) {
    const Attempt<std::int64_t> before = number_cursor(call);
    if (!before) {
        return tl::unexpected(before.error());
    }
    const std::size_t limit = page_limit(call);
    auto runs = service.store.feed_runs(call.arguments.front(), *before, limit + 1);
    if (!runs) {
        return tl::unexpected(Refusal{404, "there never was such a feed"});
    }
    return page_answer<ingest::FeedRunAnswer>(std::move(*runs), limit, [](const ingest::FeedRunAnswer& run) { return run.id; });
}

Attempt<http::Response> post_feed_run(Service& service, const Call& call) {
    const std::string& id = call.arguments.front();
    const bool dry_run = parameter(call, "dry_run") == "true";
    const bool even_if_odd = parameter(call, "even_if_odd") == "true";
    const std::optional<storage::FeedBegun> begun = service.store.begin_feed(author_of(call), {id, dry_run, even_if_odd, 0});
    if (!begun) {
        return tl::unexpected(Refusal{404, fmt::format("no feed has the id {}", shortened(id, 130))});
    }
    if (!begun->is_new) {
        return tl::unexpected(
            Refusal{409, fmt::format("its run {} goes on; GET /v1/feeds/{}/runs says how far it is", begun->run, id)});
    }
    if (service.wake_feeds) {
        service.wake_feeds();
    }
    http::Response response = json_answer(answers::encode_answer(ingest::FeedRunBegun{begun->run}), 202);
    response.headers.push_back({"Location", fmt::format("/v1/feeds/{}/runs", id)});
    return response;
}

} // namespace costcurve::api
