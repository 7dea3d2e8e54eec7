// What the handlers share: the store, the settings of access, what is counted. Made once by `serve`.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "server/answers/kept_hours.hpp"
#include "server/api/long_question.hpp"
#include "server/api/metrics.hpp"
#include "server/api/route.hpp"
#include "server/failure/guard.hpp"
#include "server/storage/store.hpp"

namespace costcurve::jobs {
class JobRunner;
} // namespace costcurve::jobs
namespace costcurve::recalculation {
class Recalculator;
} // namespace costcurve::recalculation

namespace costcurve::api {

/// Who may ask, and how often.
struct AccessSettings {
    bool keys_required = false;                       ///< else who comes without a key may do everything
    double requests_per_s = 0.0;                      ///< of one key, or of all without one; 0 is no limit
    std::vector<std::string> cors_origins = {};       ///< whose pages may call us from a browser; none by default
    std::vector<std::string> allowed_hosts = {};      ///< names in Host beside the loopback ones, where no key is required
    storage::Role without_key = storage::Role::admin; ///< where no key is required, the role of who comes without one
};

/// A bucket of requests a key, filled at a steady rate up to two seconds' worth. Thread-safe.
class RateLimiter {
public:
    explicit RateLimiter(double requests_per_s) : per_s_(requests_per_s) {}
    /// Seconds to wait; 0 where the request may go on. `now_s` is a steady clock's time.
    [[nodiscard]] double take(const std::string& name, double now_s);
    /// The same, without taking anything.
    [[nodiscard]] double wait_s(const std::string& name, double now_s) const;
    /// Counts so many more requests of a name; those to come wait until the rate has made up for them.
    void charge(const std::string& name, double requests);

private:
    struct Bucket {
        double requests = 0.0;
        double filled_s = 0.0;
    };
    double per_s_;
    mutable std::mutex mutex_; ///< guards what follows
    std::map<std::string, Bucket> buckets_;
};

class Gate;

struct Service {
    Service(storage::Store& the_store, AccessSettings the_access, QuestionLimits the_questions = {});
    ~Service();
    Service(const Service&) = delete;
    Service& operator=(const Service&) = delete;

    storage::Store& store;
    AccessSettings access;
    QuestionLimits questions;
    RateLimiter limiter;
    std::unique_ptr<Gate> gate;                          ///< what admission knows without asking the store
    Seats seats;                                         ///< of long questions
    recalculation::Recalculator* recalculator = nullptr; ///< the daemon's; without one, runs stay queued
    jobs::JobRunner* job_runner = nullptr;               ///< the daemon's; without one, jobs stay queued
    bool allow_private_webhooks = false;                 ///< whose addresses are not public too
    bool allow_private_feeds = false;                    ///< likewise
    answers::KeptHours hours;                            ///< of the evaluations
    Metrics metrics;
    HeadlineCosts headlines;
    std::function<void()> wake_dispatcher; ///< there is an event; may be empty
    /// Memory beside that of requests, by the daemon's budget, held while the result lives: whether there are so many bytes.
    /// Everything is granted where it is empty.
    std::function<std::function<bool(std::size_t bytes)>()> memory;
    std::function<void()> wake_feeds;                     ///< a run was begun; may be empty
    std::function<std::vector<Gauge>()> transport_gauges; ///< of sockets and queues; may be empty
    std::function<double()> waited_s; ///< how long the small request that has waited for longest has; may be empty
    failure::LogFailure log_error;    ///< may be empty
    std::function<void(const std::string& address, std::size_t count)> record_refused; ///< tries of an address; may be empty
};

/// What the client can do about a store that fails, nothing internal.
[[nodiscard]] std::string_view readable_cause(const failure::Thrown& thrown);

/// Logs what a request threw, and gives the client's answer: what it can do, nothing internal.
[[nodiscard]] Refusal refusal_of(const Service& service, const failure::Thrown& thrown, std::string_view request_id);

} // namespace costcurve::api
