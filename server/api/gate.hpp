// What admission knows without asking the store: keys that were good a second ago, failed tries by address, and whether the store
// can be written and read. Kept in memory, renewed by a thread.
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

/// Tries with a wrong key in the last minute, by address. Bounded: the address that was quiet for longest is forgotten.
class FailedTries {
public:
    static constexpr std::size_t kMaxTries = 10;        ///< a minute
    static constexpr std::size_t kMaxAddresses = 10000; ///< remembered
    static constexpr double kWindowS = 60;

    /// Seconds until an address may try again; 0 where it may now.
    [[nodiscard]] double wait_s(const std::string& address, double now_s) const;
    /// Counts a refused try; `is_wrong_key`: one that counts against the address.
    void add(const std::string& address, bool is_wrong_key, double now_s);

    struct Refused {
        std::string address;
        std::size_t count = 0;
    };
    /// Addresses whose refused tries have not been recorded, with their number; of each at most once a minute, at most 100 a
    /// call.
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

    /// Renews everything each second, on a thread, until it is stopped.
    void start(Service& service);
    void stop();
    /// Renews everything now; jobs at hand whose author's key was revoked end. A store that can't be written is noted; what else
    /// fails is thrown.
    void renew(Service& service);

    /// A key by its hash, if it is among those that were good when they were last looked at.
    [[nodiscard]] std::optional<storage::ApiKey> key(std::string_view hash) const;
    void remember_key(const std::string& hash, const storage::ApiKey& key);
    void forget_key(const std::string& hash);
    /// Has the thread look for a key within a second; of very many at once, not for all.
    void look_up_later(const std::string& hash);

    /// Nothing where the store could be written and read when it was last tried; else why not, as the client reads it. Before the
    /// first renewal, and where the last is so old that the store seems to hang, it is not ready either.
    [[nodiscard]] std::optional<std::string> not_ready() const;

    /// A write was refused, for a reason that holds for others too: not ready from then on, until the store is looked at again.
    void note_refused(std::string_view why);

    /// Whether it has looked at all.
    [[nodiscard]] bool is_renewed() const;

    FailedTries failed;

private:
    mutable std::mutex mutex_; ///< guards what follows
    std::map<std::string, storage::ApiKey, std::less<>> keys_;
    std::set<std::string> sought_; ///< hashes that the thread looks for
    std::string not_ready_;
    std::optional<std::chrono::steady_clock::time_point> renewed_;
    bool stopping_ = false;
    std::condition_variable stop_;
    std::thread thread_;
};

/// Seconds of a steady clock.
[[nodiscard]] double steady_seconds();

} // namespace costcurve::api
