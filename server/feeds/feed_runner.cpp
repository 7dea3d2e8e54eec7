// A run that throws for a fault of ours ends as failed; one that throws for the store's is tried again.
#include "server/feeds/feed_runner.hpp"

#include <csignal>
#include <utility>

#include <fmt/format.h>

#include "server/answers/store/feed_landing.hpp"

namespace costcurve::feeds {

namespace {

// Of a server that hangs up: libcurl sees it as an error.
void block_sigpipe() {
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
}

} // namespace

FeedRunner::FeedRunner(storage::Store& store, FeedSettings settings, std::function<void()> ended, jobs::LogFailure log)
    : store_(store), settings_(std::move(settings)), ended_(std::move(ended)), loop_("feeds", std::move(log)) {
    settings_.is_unwanted = [this] { return loop_.is_stopping(); };
    settings_.wait = [this](std::chrono::milliseconds pause) { return loop_.pause(pause); };
    loop_.start([this] { return step(); });
}

bool FeedRunner::step() {
    block_sigpipe();
    const std::optional<storage::FeedRun> run = store_.start_feed();
    if (!run) {
        return false;
    }
    const auto failed = loop_.guard().run(fmt::format("feed/{}", run->feed), [&] { run_feed(store_, *run, settings_); });
    if (failed && failed->store && !failed->is_unreadable()) {
        throw storage::StoreError(*failed->store, failed->what);
    }
    if (failed) {
        answers::end_failed(store_, *run, {},
                            failed->is_unreadable() ? failed->what : "an error of the service; its log says which");
    }
    if (ended_) {
        ended_();
    }
    return true;
}

} // namespace costcurve::feeds
