// The daemon's counters and their Prometheus text. Knows no sockets.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace costcurve::api {

/// Upper bounds of the histograms' buckets, in seconds.
inline constexpr auto kSecondsBuckets = std::to_array({0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0});

/// Counts durations by bucket. Thread-safe.
class Histogram {
public:
    void observe(double seconds);
    /// Writes the histogram's lines under `name`, with `labels` (such as `route="GET /healthz"`, or none).
    void write(std::string& out, std::string_view name, const std::string& labels) const;

private:
    std::array<std::atomic<std::uint64_t>, kSecondsBuckets.size() + 1> counts_{};
    std::atomic<std::uint64_t> nanoseconds_ = 0;
};

struct Gauge {
    std::string name;
    std::string help;
    double value = 0.0;
    bool counts_up = false; ///< a counter
    std::string labels = "";
};
/// Writes gauges; gauges of one name must be adjacent.
void write_gauges(std::string& out, const std::vector<Gauge>& gauges);

/// A label's value between quotes.
[[nodiscard]] std::string label(std::string_view name, std::string_view value);

/// Requests by route and status, and evaluations. Thread-safe.
class Metrics {
public:
    /// Counts a request. Method and path are those of its route; "" for pages and unknown paths.
    void observe_request(std::string_view method, std::string_view path, int status, double seconds);
    Histogram evaluations;
    [[nodiscard]] std::string text() const;

private:
    struct Requests {
        Histogram seconds;
        std::map<int, std::uint64_t> statuses;
    };
    mutable std::mutex mutex_; ///< guards what follows
    std::map<std::string, Requests, std::less<>> requests_;
};

/// Cached gauges of the store's content, as of a change.
struct HeadlineCosts {
    std::mutex mutex; ///< guards what follows
    bool is_computing = false;
    std::int64_t sequence = -1;
    std::int64_t day = -1; ///< since 1970
    std::vector<Gauge> gauges;
};

} // namespace costcurve::api
