// Cache for admission: keys, failed attempts and the store's state. One thread reads the store, all others read the cache.
#include "server/api/gate.hpp"

#include <algorithm>
#include <exception>

#include "server/api/service.hpp"
#include "server/jobs/job_runner.hpp"

namespace costcurve::api {

double steady_seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double FailedTries::wait_s(const std::string& address, double now_s) const {
    const std::lock_guard lock(mutex_);
    const auto found = tries_.find(address);
    if (found == tries_.end() || found->second.count < kMaxTries) {
        return 0.0;
    }
    return std::max(0.0, found->second.since_s + kWindowS - now_s);
}

void FailedTries::add(const std::string& address, bool is_wrong_key, double now_s) {
    const std::lock_guard lock(mutex_);
    if (tries_.size() >= kMaxAddresses && !tries_.contains(address)) {
        tries_.erase(std::min_element(tries_.begin(), tries_.end(),
                                      [](const auto& a, const auto& b) { return a.second.last_s < b.second.last_s; }));
    }
    Tries& tries = tries_[address];
    if (now_s - tries.since_s >= kWindowS) {
        tries.since_s = now_s;
        tries.count = 0;
    }
    tries.count += is_wrong_key ? 1 : 0;
    tries.last_s = now_s;
    ++tries.unrecorded;
}

std::vector<FailedTries::Refused> FailedTries::take_unrecorded(double now_s) {
    constexpr std::size_t kMaxRows = 100;
    std::vector<Refused> refused;
    const std::lock_guard lock(mutex_);
    for (auto tries = tries_.begin(); tries != tries_.end();) {
        if (tries->second.unrecorded > 0 && now_s - tries->second.recorded_s >= kWindowS && refused.size() < kMaxRows) {
            refused.push_back({tries->first, std::exchange(tries->second.unrecorded, 0)});
            tries->second.recorded_s = now_s;
        }
        const bool is_over = tries->second.unrecorded == 0 && now_s - tries->second.last_s >= 2 * kWindowS;
        tries = is_over ? tries_.erase(tries) : std::next(tries);
    }
    return refused;
}

void Gate::start(Service& service) {
    failure::Guard guard(service.log_error);
    static_cast<void>(guard.run("admission", [&] { renew(service); }));
    thread_ = std::thread([this, &service, guard]() mutable {
        std::unique_lock lock(mutex_);
        while (!stop_.wait_for(lock, std::chrono::seconds(1), [this] { return stopping_; })) {
            lock.unlock();
            static_cast<void>(guard.run("admission", [&] { renew(service); }));
            lock.lock();
        }
    });
}

void Gate::stop() {
    {
        const std::lock_guard lock(mutex_);
        stopping_ = true;
    }
    stop_.notify_all();
    if (thread_.joinable()) {
        thread_.join();
    }
}

void Gate::renew(Service& service) {
    std::string problem;
    const auto look = [&] {
        service.store.check_writable();
        static_cast<void>(service.store.snapshot()); // checks that a small read gets a connection
    };
    if (const auto thrown = failure::guarded(look)) {
        problem = readable_cause(*thrown);
    }
    std::set<std::string> hashes;
    {
        const std::lock_guard lock(mutex_);
        hashes = std::exchange(sought_, {});
        not_ready_ = problem;
        renewed_ = std::chrono::steady_clock::now();
        for (const auto& [hash, key] : keys_) {
            hashes.insert(hash);
        }
    }
    for (const std::string& hash : hashes) { // if this fails, workers check the keys anyway
        const std::optional<storage::ApiKey> key = service.store.find_key(hash);
        key ? remember_key(hash, *key) : forget_key(hash);
    }
    if (service.job_runner != nullptr) {
        service.job_runner->leave_cancelled();
    }
    for (const FailedTries::Refused& refused : failed.take_unrecorded(steady_seconds())) {
        if (service.record_refused) {
            service.record_refused(refused.address, refused.count);
        }
    }
}

std::optional<storage::ApiKey> Gate::key(std::string_view hash) const {
    const std::lock_guard lock(mutex_);
    const auto found = keys_.find(hash);
    return found == keys_.end() ? std::nullopt : std::optional(found->second);
}

void Gate::remember_key(const std::string& hash, const storage::ApiKey& key) {
    const std::lock_guard lock(mutex_);
    keys_.insert_or_assign(hash, key);
}

void Gate::forget_key(const std::string& hash) {
    const std::lock_guard lock(mutex_);
    keys_.erase(hash);
}

void Gate::look_up_later(const std::string& hash) {
    constexpr std::size_t kMaxSought = 1000;
    const std::lock_guard lock(mutex_);
    if (sought_.size() < kMaxSought) {
        sought_.insert(hash);
    }
}

void Gate::note_refused(std::string_view why) {
    const std::lock_guard lock(mutex_);
    not_ready_ = why;
}

bool Gate::is_renewed() const {
    const std::lock_guard lock(mutex_);
    return renewed_.has_value();
}

std::optional<std::string> Gate::not_ready() const {
    constexpr std::chrono::seconds kMaxAge{15}; // the store waits 5 s for a lock
    const std::lock_guard lock(mutex_);
    if (!renewed_ || std::chrono::steady_clock::now() - *renewed_ > kMaxAge) {
        return "the store has not answered for 15 s";
    }
    return not_ready_.empty() ? std::nullopt : std::optional(not_ready_);
}

Service::Service(storage::Store& the_store, AccessSettings the_access, QuestionLimits the_questions)
    : store(the_store), access(std::move(the_access)), questions(the_questions), limiter(access.requests_per_s),
      gate(std::make_unique<Gate>()), seats(questions.max_concurrent) {}

Service::~Service() = default;

} // namespace costcurve::api
