// Throughput as a share of its peak, from differences of counters over time.
#include "server/actuals/throughput_share.hpp"

#include <algorithm>

namespace costcurve::actuals {

namespace {

constexpr double kMsPerSecond = 1000.0;
constexpr std::int64_t kLongestMs = 600'000;

// What one counter gains a second.
std::vector<Reading> gains(const std::vector<Reading>& counter) {
    std::vector<Reading> rates;
    for (std::size_t i = 1; i < counter.size(); ++i) {
        const Reading& before = counter[i - 1];
        const Reading& now = counter[i];
        const std::int64_t ms = now.time_ms - before.time_ms;
        if (ms > 0 && ms <= kLongestMs) {
            const double gain = now.value < before.value ? now.value : now.value - before.value;
            rates.push_back({before.time_ms + ms / 2, gain / (static_cast<double>(ms) / kMsPerSecond)});
        }
    }
    return rates;
}

} // namespace

std::vector<Reading> counted_rates(const SourceReadings& readings) {
    const std::vector<Reading> input = gains(readings.input_tokens);
    std::vector<Reading> sums;
    std::size_t at = 0;
    for (Reading sum : gains(readings.output_tokens)) { // both are of one scrape
        while (at < input.size() && input[at].time_ms < sum.time_ms) {
            ++at;
        }
        if (at < input.size() && input[at].time_ms == sum.time_ms) {
            sum.value += input[at].value;
            sums.push_back(sum);
        }
    }
    return sums;
}

std::vector<Reading> rates_of(const SourceReadings& readings) {
    return readings.units_per_s.empty() ? counted_rates(readings) : readings.units_per_s;
}

double share_of(double value, const FullLoad& full) {
    const double share = value / full.batch.value_or(full.units_per_s.value_or(1.0));
    return share > 1.0 && share <= kLargestShare && full.is_stated() ? 1.0 : share;
}

std::vector<Reading> throughput_shares(const SourceReadings& readings, const FullLoad& full) {
    std::vector<Reading> shares = full.batch ? readings.batch : rates_of(readings);
    for (Reading& reading : shares) {
        reading.value = share_of(reading.value, full);
    }
    return shares;
}

} // namespace costcurve::actuals
