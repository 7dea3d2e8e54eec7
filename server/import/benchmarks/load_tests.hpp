// What load tests of a served model have in common, whatever their tool: points at numbers of requests at a time, which become one
// performance. Knows no file.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/import/importer.hpp"

namespace costcurve::imports {

/// What was served, as far as the file says; the options name the rest.
struct ServedModel {
    std::string name; ///< as the file spells it, which may end in its precision; "" where it does not say
    std::string framework, precision;
};

/// Times of a request in seconds, all of one statistic; 0 is not known.
struct RequestTimes {
    double latency = 0.0; ///< of the whole request
    double ttft = 0.0;    ///< to its first token
    double token = 0.0;   ///< per output token behind the first
};

/// One run of a tool at one load. Figures are of what was answered, failed requests left out; 0 is not known.
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

/// The mean latency of a request: as the tool states it, else of its time to the first token and per token behind it, means before
/// medians; 0 where none is known.
[[nodiscard]] double latency_of(const LoadPoint& point);

/// latency = ttft + token x (output tokens - 1): where the times of a run contradict that by more than a quarter, the time per
/// output token is made of the other two; "" or what was made of what. Tools that count chunks of a stream as tokens are found so.
[[nodiscard]] std::string agree_times(LoadPoint& point);

/// Little's law: the mean number of requests at a time; 0 where one of the two is not known.
[[nodiscard]] inline double requests_at_a_time(double requests_per_s, double latency_s) { return requests_per_s * latency_s; }

/// The load tests of one call: those of one model with tokens of a request within 20 % are one curve.
class LoadTests {
public:
    /// The options `device` and `devices` have been checked; `tool` begins ids where `id` is not given.
    LoadTests(std::string_view tool, const Options& options, Report& report);
    /// Why a point can't be used is reported, as is a time per output token that its other figures contradict; of two with the same
    /// number of requests the faster is kept, with a warning.
    void add(const ServedModel& served, LoadPoint point);
    /// Gives a performance of each model and length, and beside it the measurement of its points (measurement_beside). An error
    /// where no point could be used.
    [[nodiscard]] HardError finish();

private:
    struct Test {
        ServedModel served;
        std::string model;
        std::map<int, LoadPoint> points; // by requests at a time
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
