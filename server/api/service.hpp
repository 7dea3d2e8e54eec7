// State shared by the handlers: store, access settings, counters. Created once by `serve`.
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

/// Access settings: required keys and request rates.
struct AccessSettings {
    bool keys_required = false;                  ///< if false, callers without a key have role `without_key`
    double requests_per_s = 0.0;                 ///< rate limit per key, and for all callers without a key together; 0 is no limit
    std::vector<std::string> cors_origins = {};  ///< origins whose pages may call this service from a browser; none by default
    std::vector<std::string> allowed_hosts = {}; ///< allowed names in Host besides loopback names, if no key is required
    storage::Role without_key = storage::Role::admin; ///< role of callers without a key, if no key is required
};

/// Token bucket per key, filled at a steady rate up to two seconds' worth. Thread-safe.
class RateLimiter {
public:
    explicit RateLimiter(double requests_per_s) : per_s_(requests_per_s) {}
    /// Takes a request from the bucket: 0 if it may proceed, otherwise seconds to wait. `now_s` is a steady clock's time.
    [[nodiscard]] double take(const std::string& name, double now_s);
    /// Like take, without taking a request.
    [[nodiscard]] double wait_s(const std::string& name, double now_s) const;
    /// Counts further requests of a name; its later requests wait until the rate has compensated.
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
    std::unique_ptr<Gate> gate;                          ///< cache for admission without store reads
    Seats seats;                                         ///< seats of long questions
    recalculation::Recalculator* recalculator = nullptr; ///< the daemon's; without one, runs stay queued
    jobs::JobRunner* job_runner = nullptr;               ///< the daemon's; without one, jobs stay queued
    bool allow_private_webhooks = false;                 ///< allows webhooks with addresses that aren't public
    bool allow_private_feeds = false;                    ///< allows feeds with addresses that aren't public
    answers::KeptHours hours;                            ///< cached hourly data of evaluations
    Metrics metrics;
    HeadlineCosts headlines;
    std::function<void()> wake_dispatcher; ///< called after a new event; may be empty
    /// Reserves memory from the daemon's budget in addition to requests' memory. The result reserves a number of bytes, false if
    /// unavailable; all are released when it is destroyed. If empty, everything is granted.
    std::function<std::function<bool(std::size_t bytes)>()> memory;
    std::function<void()> wake_feeds;                     ///< called after a feed run was queued; may be empty
    std::function<std::vector<Gauge>()> transport_gauges; ///< gauges of sockets and queues; may be empty
    std::function<double()> waited_s;                     ///< waiting time of the oldest waiting small request; may be empty
    failure::LogFailure log_error;                        ///< may be empty
    std::function<void(const std::string& address, std::size_t count)>
        record_refused; ///< records refused attempts of an address; may be empty
};

/// Advice for the client about a store failure, without internals.
[[nodiscard]] std::string_view readable_cause(const failure::Thrown& thrown);

/// Logs a request's exception and returns the refusal for the client, without internals.
[[nodiscard]] Refusal refusal_of(const Service& service, const failure::Thrown& thrown, std::string_view request_id);

} // namespace costcurve::api
