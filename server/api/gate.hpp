// In-memory cache for admission: keys that were valid a second ago, failed attempts by address, and whether the store is readable
// and writable. A thread refreshes it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "server/storage/store.hpp"

namespace costcurve::api {

struct Service;

/// Attempts with a wrong key in the last minute, by address. Bounded: the address that was quiet longest is forgotten.
class FailedTries {
public:
    static constexpr std::size_t kMaxTries = 10;        ///< attempts per minute
    static constexpr std::size_t kMaxAddresses = 10000; ///< remembered addresses
    static constexpr double kWindowS = 60;

    /// Seconds until an address may try again; 0 if it may now.
    [[nodiscard]] double wait_s(const std::string& address, double now_s) const;
    /// Counts a refused attempt. `is_wrong_key` means that it counts against the address's limit.
    void add(const std::string& address, bool is_wrong_key, double now_s);

    struct Refused {
        std::string address;
        std::size_t count = 0;
    };
    /// Takes addresses with unrecorded refused attempts and their counts; each address at most once a minute, at most 100 per call.
    [[nodiscard]] std::vector<Refused> take_unrecorded(double now_s);

private:
    struct Tries {
        double since_s = 0.0;
        std::size_t count = 0;
        double recorded_s = -kWindowS;
        std::size_t unrecorded = 0;
        double last_s = 0.0;
    };
    mutable std::mutex mutex_; ///< guards what follows
    std::map<std::string, Tries> tries_;
};

/// Thread-safe.
class Gate {
public:
    Gate() = default;
    ~Gate() { stop(); }
    Gate(const Gate&) = delete;
    Gate& operator=(const Gate&) = delete;

    /// Starts a thread that refreshes the cache each second until stopped.
    void start(Service& service);
    void stop();
    /// Refreshes the cache now and ends running jobs whose author's key was revoked. An unwritable store is recorded; other
    /// failures are thrown.
    void renew(Service& service);

    /// The key with this hash, if it was valid at the last refresh.
    [[nodiscard]] std::optional<storage::ApiKey> key(std::string_view hash) const;
    void remember_key(const std::string& hash, const storage::ApiKey& key);
    void forget_key(const std::string& hash);
    /// Queues a key for look-up by the thread within a second; the queue is bounded.
    void look_up_later(const std::string& hash);

    /// Nothing if the store was readable and writable when last checked; otherwise the reason for the client. Also not ready before
    /// the first refresh, and if the last one is so old that the store seems to hang.
    [[nodiscard]] std::optional<std::string> not_ready() const;

    /// Records a refused write whose cause affects other writes, too: not ready until the store is checked again.
    void note_refused(std::string_view why);

    /// Whether the cache was ever refreshed.
    [[nodiscard]] bool is_renewed() const;

    FailedTries failed;

private:
    mutable std::mutex mutex_; ///< guards what follows
    std::map<std::string, storage::ApiKey, std::less<>> keys_;
    std::set<std::string> sought_; ///< hashes queued for look-up
    std::string not_ready_;
    std::optional<std::chrono::steady_clock::time_point> renewed_;
    bool stopping_ = false;
    std::condition_variable stop_;
    std::thread thread_;
};

/// Time of a steady clock, in seconds.
[[nodiscard]] double steady_seconds();

} // namespace costcurve::api
