// Runs due feeds. A run that throws ends as failed; where the store failed it is tried again.
#include "server/ingest/feed_runner.hpp"

#include <algorithm>
#include <csignal>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "model/documents/automation.hpp"
#include "model/documents/text.hpp"
#include "server/documents/records.hpp"
#include "server/ingest/feed_landing.hpp"

namespace costcurve::ingest {

namespace {

// Of a server that hangs up: libcurl sees it as an error.
void block_sigpipe() {
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
}

constexpr std::size_t kFetches = 16;    // beside each other: a slow publisher holds up nobody
constexpr std::size_t kOfPublisher = 3; // of them, so that one with many feeds takes no more

// Whom a feed asks, "prices.example.com:8443"; "" of a directory.
std::string publisher_of(const model::Feed& feed) {
    const std::string_view url = feed.from.url.empty() ? feed.from.prometheus : feed.from.url;
    const std::size_t scheme = url.find("://");
    if (scheme == std::string_view::npos) {
        return "";
    }
    std::string_view authority = url.substr(scheme + 3);
    authority = authority.substr(0, authority.find_first_of("/?#"));
    return model::lower(authority.substr(authority.rfind('@') + 1)); // whole where there is none: npos + 1 is 0
}

std::optional<model::Feed> stored_feed(const storage::Snapshot& snapshot, const std::string& id) {
    const auto revision = snapshot.load({storage::Kind::feed, id});
    const auto document = revision ? documents::decode_readable(*revision) : std::nullopt;
    return document ? std::optional(std::get<model::Feed>(*document)) : std::nullopt;
}

} // namespace

FeedRunner::FeedRunner(storage::Store& store, FeedSettings settings, std::function<void()> ended, const failure::LogFailure& log)
    : store_(store), settings_(std::move(settings)), ended_(std::move(ended)) {
    settings_.is_unwanted = [this] { return stopping_.load(); };
    settings_.landing = &landing_;
    for (std::size_t i = 0; i < kFetches; ++i) {
        loops_.emplace_back("feeds", log);
    }
    for (jobs::Loop& loop : loops_) {
        loop.start([this, &loop] { return step(loop); });
    }
}

FeedRunner::~FeedRunner() {
    stopping_ = true;
    for (jobs::Loop& loop : loops_) {
        loop.stop();
    }
}

void FeedRunner::wake() {
    for (jobs::Loop& loop : loops_) {
        loop.wake();
    }
}

std::optional<storage::FeedRun> FeedRunner::start() {
    const std::lock_guard lock(under_way_mutex_);
    std::vector<std::int64_t> under_way;
    under_way.reserve(under_way_.size());
    std::map<std::string, std::size_t> counts;
    for (const auto& [id, publisher] : under_way_) {
        under_way.push_back(id);
        counts[publisher] += publisher.empty() ? 0U : 1U;
    }
    const bool has_full = std::ranges::any_of(counts, [](const auto& count) { return count.second >= kOfPublisher; });
    const std::int64_t only = has_full ? next_run(counts) : 0; // 0: whichever comes next
    std::optional<storage::FeedRun> run = has_full && only == 0 ? std::nullopt : store_.start_feed(only, under_way);
    if (run) {
        const auto feed = stored_feed(*store_.snapshot(), run->feed);
        under_way_[run->id] = feed ? publisher_of(*feed) : "";
    }
    return run;
}

// The oldest run to begin whose host may take another request; 0 if none: the others begin when a run of their host ends.
std::int64_t FeedRunner::next_run(const std::map<std::string, std::size_t>& counts) const {
    const auto snapshot = store_.snapshot();
    storage::ListQuery query;
    query.kind = storage::Kind::feed;
    std::int64_t next = 0;
    for (bool more = true; more;) {
        const storage::Page page = snapshot->list(query);
        for (const storage::Revision& revision : page.items) {
            const std::string& id = revision.record.key.id;
            const auto feed = stored_feed(*snapshot, id);
            const auto count = feed ? counts.find(publisher_of(*feed)) : counts.end();
            const bool is_full = count != counts.end() && count->second >= kOfPublisher;
            const auto runs = is_full ? std::nullopt : store_.feed_runs(id, 0, 1);
            if (runs && !runs->empty() && runs->front().state == storage::FeedState::running &&
                !under_way_.contains(runs->front().id) && (next == 0 || runs->front().id < next)) {
                next = runs->front().id;
            }
        }
        more = page.more && !page.items.empty();
        query.after = more ? page.items.back().record.key.id : "";
    }
    return next;
}

// A run that no other loop takes as long as this lives.
class FeedRunner::UnderWay {
public:
    UnderWay(FeedRunner& runner, std::int64_t run) : runner_(runner), run_(run) {}
    ~UnderWay() {
        const std::lock_guard lock(runner_.under_way_mutex_);
        runner_.under_way_.erase(run_);
    }
    UnderWay(const UnderWay&) = delete;
    UnderWay& operator=(const UnderWay&) = delete;

private:
    FeedRunner& runner_;
    std::int64_t run_;
};

bool FeedRunner::step(jobs::Loop& loop) {
    block_sigpipe();
    const std::optional<storage::FeedRun> run = start();
    if (!run) {
        return false;
    }
    FeedSettings settings = settings_;
    settings.wait = [&loop](std::chrono::milliseconds pause) { return loop.pause(pause); };
    const UnderWay under_way(*this, run->id);
    const auto failed = loop.guard().run(fmt::format("feed/{}", run->feed), [&] { run_feed(store_, *run, settings); });
    if (failed && failed->store && !failed->is_unreadable()) {
        throw storage::StoreError(*failed->store, failed->what);
    }
    if (failed) {
        end_failed(store_, *run, {}, failed->is_unreadable() ? failed->what : "an error of the service; its log says which");
    }
    if (ended_) {
        ended_();
    }
    return true;
}

} // namespace costcurve::ingest
