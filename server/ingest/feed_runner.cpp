// A run that throws for a fault of ours ends as failed; one that throws for the store's is tried again.
#include "server/ingest/feed_runner.hpp"

#include <csignal>
#include <utility>

#include <fmt/format.h>

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

} // namespace

FeedRunner::FeedRunner(storage::Store& store, FeedSettings settings, std::function<void()> ended, const failure::LogFailure& log)
    : store_(store), settings_(std::move(settings)), ended_(std::move(ended)) {
    constexpr std::size_t kFetches = 4; // beside each other: a slow publisher holds up nobody
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
    std::optional<storage::FeedRun> run = store_.start_feed(0, under_way_);
    if (run) {
        under_way_.push_back(run->id);
    }
    return run;
}

// A run that no other loop takes as long as this lives.
class FeedRunner::UnderWay {
public:
    UnderWay(FeedRunner& runner, std::int64_t run) : runner_(runner), run_(run) {}
    ~UnderWay() {
        const std::lock_guard lock(runner_.under_way_mutex_);
        std::erase(runner_.under_way_, run_);
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
