// What load tests of served models share, whatever the tool: points at several concurrencies become one performance. Knows no file
// format.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/import/importer.hpp"

namespace costcurve::imports {

/// The served model as far as the file states it; the options fill in the rest.
struct ServedModel {
    std::string name; ///< as the file spells it, perhaps with its precision at the end; "" if not stated
    std::string framework, precision;
};

/// Times of a request in seconds, all in the same statistic; 0: unknown.
struct RequestTimes {
    double latency = 0.0; ///< of the whole request
    double ttft = 0.0;    ///< to its first token
    double token = 0.0;   ///< per output token behind the first
};

/// One run of a tool at one load. Figures cover successful requests only; 0: unknown.
struct LoadPoint {
    std::size_t row = 0;
    std::string file;
    double requests = 0.0;     ///< at a time: as the tool limits them, or by Little's law the mean
    double requests_per_s = 0; ///< answered
    double input_tokens = 0.0; ///< of a request, the mean
    double output_tokens = 0.0;
    double output_per_s = 0.0; ///< tokens of all devices
    double token_s = 0.0;      ///< time per output token
    double ttft_s = 0.0;
    double percentile = 0.0; ///< that the two times are of; 0: a mean
    double failed = 0.0;     ///< requests
    double answered = 0.0;   ///< requests; where it is known, a run in which more than 5 % failed is refused
    bool was_cancelled = false;
    RequestTimes means = {};   ///< that the time per output token is checked by
    RequestTimes medians = {}; ///< the same, where the tool has no means
};

/// The mean latency of a request: as the tool states it, else from time to first token and time per output token. Means are
/// preferred to medians. 0 if unknown.
[[nodiscard]] double latency_of(const LoadPoint& point);

/// Checks latency = ttft + token x (output tokens - 1). If the times differ by more than a quarter, replaces the time per output
/// token by the one that the other two give; returns a note on it, or "". Catches tools that count stream chunks as tokens.
[[nodiscard]] std::string agree_times(LoadPoint& point);

/// Little's law: the mean number of requests in the system; 0 if an input is unknown (0).
[[nodiscard]] inline double requests_at_a_time(double requests_per_s, double latency_s) { return requests_per_s * latency_s; }

/// The load tests of one import. Runs of one model whose tokens per request differ by less than 20 % form one curve.
class LoadTests {
public:
    /// Options `device` and `devices` must have been checked. `tool` is the prefix of ids unless the option `id` is set.
    LoadTests(std::string_view tool, const Options& options, Report& report);
    /// Adds a point, or reports why it can't be used. A contradictory time per output token is reported too. Of two points with the
    /// same concurrency the faster one is kept, with a warning.
    void add(const ServedModel& served, LoadPoint point);
    /// Gives a performance per model and request length, each with the measurement of its points (measurement_beside). An error if
    /// no point could be used.
    [[nodiscard]] HardError finish();

private:
    struct Test {
        ServedModel served;
        std::string model;
        std::map<int, LoadPoint> points; // by concurrency
    };
    Test* test_of(const ServedModel& served, const LoadPoint& point);
    [[nodiscard]] model::Performance document_of(const Test& test) const;

    std::string tool_;
    const Options& options_;
    Report& report_;
    std::string device_;
    int devices_ = 1;
    std::vector<Test> tests_;
};

} // namespace costcurve::imports
