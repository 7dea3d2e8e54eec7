// Delivers events to webhooks, in a loop: record finished requests, start due ones, wait. While the store fails, finished requests
// are kept and no new one is sent.
#include "server/outgoing/dispatcher.hpp"

#include <algorithm>
#include <chrono>
#include <csignal>

#include <fmt/format.h>

namespace costcurve::outgoing {

namespace {

using std::chrono::milliseconds;

constexpr std::size_t kMaxAtOnce = 16;
constexpr milliseconds kLookAgain{5000};     // for events of other processes
constexpr milliseconds kLookMeanwhile{200};  // while something is under way
constexpr std::chrono::seconds kLease{30};   // more than twice what a transfer may take
constexpr std::int64_t kMicroseconds = 1000; // of a millisecond
constexpr std::int64_t kPerSecond = 1000000;

} // namespace

Dispatcher::Dispatcher(storage::Outbox& outbox, const storage::DocumentStore& clock, DispatchSettings settings)
    : outbox_(outbox), clock_(clock), settings_(std::move(settings)), guard_(settings_.log), courier_(settings_.allow_private),
      thread_([this] { run(); }) {}

Dispatcher::~Dispatcher() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    stopped_.notify_all();
    courier_.wake();
    thread_.join();
}

void Dispatcher::run() {
    sigset_t pipe;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE); // of a receiver that hangs up: libcurl sees it as an error
    pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
    while (!stopping_) {
        constexpr std::string_view kLoop = "deliveries";
        milliseconds max_wait{0};
        const auto thrown = guard_.run(kLoop, [&] {
            note_what_ended();
            start_what_is_due();
            max_wait = pause();
        });
        max_wait = thrown ? milliseconds(guard_.pause(kLoop)) : max_wait;
        if (const auto lost = guard_.run("transfers", [&] { wait(max_wait); })) {
            std::unique_lock lock(mutex_); // it may not have waited at all
            stopped_.wait_for(lock, guard_.pause("transfers"), [this] { return stopping_.load(); });
        }
    }
}

void Dispatcher::wait(milliseconds max_wait) {
    for (const Sent& sent : courier_.wait(max_wait)) {
        const auto found = under_way_.find(sent.row);
        if (const auto thrown =
                failure::guarded([&] { end(found->second, sent); })) { // not noted: it is sent again, under the same id
            failure::log_failure(settings_.log, thrown->what, "delivery/" + found->second.id);
        }
        under_way_.erase(found);
    }
}

void Dispatcher::note_what_ended() {
    for (; !ended_.empty(); ended_.pop_front()) {
        outbox_.save_attempt(ended_.front());
    }
}

void Dispatcher::start_what_is_due() {
    for (storage::DueDelivery& due : outbox_.take_deliveries(kMaxAtOnce, kLease)) {
        const bool busy = std::any_of(under_way_.begin(), under_way_.end(),
                                      [&](const auto& other) { return other.second.webhook == due.webhook; });
        if (busy || under_way_.size() >= kMaxAtOnce) {
            continue;
        }
        if (due.secret.empty()) {
            end(due, {due.row, false, true, std::nullopt, "the webhook has no secret to sign with; PUT it again with one"});
            continue;
        }
        const auto thrown = failure::guarded([&] {
            const auto place = under_way_.emplace(due.row, due).first;
            try {
                courier_.start(
                    {due.row, due.id, due.event.kind, due.url, due.secret, clock_.now() / kPerSecond, settings_.encode(due)});
            } catch (...) {
                under_way_.erase(place);
                throw;
            }
        });
        if (thrown) { // it is tried again as if it had not arrived
            failure::log_failure(settings_.log, thrown->what, "delivery/" + due.id);
            end(due, {due.row, false, false, std::nullopt, "an error of the service; its log says which"});
        }
    }
    note_what_ended();
}

milliseconds Dispatcher::pause() const {
    if (!under_way_.empty()) {
        return kLookMeanwhile;
    }
    const std::optional<std::int64_t> next = outbox_.next_delivery();
    const std::int64_t left = next ? (*next - clock_.now()) / kMicroseconds + 1 : kLookAgain.count();
    return milliseconds(std::clamp<std::int64_t>(left, 0, kLookAgain.count()));
}

void Dispatcher::end(const storage::DueDelivery& delivery, const Sent& sent) {
    using storage::DeliveryState;
    storage::DeliveryAttempt attempt{delivery.row, DeliveryState::delivered, 0, sent.status, sent.error};
    if (!sent.delivered) {
        const auto pause_s =
            sent.refused ? std::nullopt
                         : pause_after(delivery.attempts + 1, static_cast<std::uint64_t>(delivery.row), settings_.first_retry_s);
        attempt.state = pause_s ? DeliveryState::pending : DeliveryState::dead;
        attempt.next_try_at = pause_s ? clock_.now() + static_cast<std::int64_t>(*pause_s * kPerSecond) : 0;
        if (!pause_s && settings_.log_dead) {
            settings_.log_dead(fmt::format("event {} is not delivered to webhook {} after {} tries: {}", delivery.event.id,
                                           delivery.webhook, delivery.attempts + 1, sent.error),
                               "delivery/" + delivery.id);
        }
    }
    ended_.push_back(std::move(attempt));
}

} // namespace costcurve::outgoing
