// Sums of samples by hour. The difference of a counter is divided over the hours between its two readings.
#include "server/storage/telemetry.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "server/storage/text.hpp"

namespace costcurve::storage {

namespace {

bool is_inside(const TelemetryWindow& window, const SampleBatch::Sample& sample) {
    return sample.time_ms >= window.oldest_ms && sample.time_ms <= window.newest_ms;
}

// Adds (`sign` 1) or subtracts (`sign` -1) the increase of a counter between two readings, spread evenly over the time between
// them.
void spread(SumsByHour& hours, std::int64_t series, const Reading& from, const Reading& to, double sign) {
    const double increase = sign * increase_between(from.time_ms, from.value, to.time_ms, to.value);
    if (increase == 0.0) {
        return;
    }
    const auto length = static_cast<double>(to.time_ms - from.time_ms);
    for (std::int64_t at = from.time_ms; at < to.time_ms;) {
        const std::int64_t hour = at / kMillisecondsPerHour;
        const std::int64_t end = std::min(to.time_ms, (hour + 1) * kMillisecondsPerHour);
        hours[{hour, series}].increase += increase * (static_cast<double>(end - at) / length);
        at = end;
    }
}

} // namespace

TelemetryWindow window_at(std::int64_t now, std::int64_t days) {
    constexpr std::int64_t kHoursPerDay = 24;
    const std::int64_t now_ms = now / kMicrosecondsPerMillisecond;
    const std::int64_t hour = now_ms / kMillisecondsPerHour - days * kHoursPerDay;
    return {hour * kMillisecondsPerHour, now_ms + kMillisecondsPerHour, now_ms};
}

void check_texts(const SampleBatch& batch) {
    for (const SeriesKey& key : batch.series) {
        if (has_zero(key.source) || has_zero(key.device) || has_zero(key.metric)) {
            throw std::invalid_argument("samples: a text has the character U+0000");
        }
    }
}

std::vector<std::size_t> outside_of(const TelemetryWindow& window, const SampleBatch& batch) {
    std::vector<std::size_t> outside;
    for (std::size_t i = 0; i < batch.samples.size(); ++i) {
        if (!is_inside(window, batch.samples[i])) {
            outside.push_back(i);
        }
    }
    return outside;
}

std::vector<PlacedSample> place_samples(const SampleBatch& batch, const std::vector<std::int64_t>& series, bool counters,
                                        const TelemetryWindow& window) {
    std::vector<bool> is_of_counter;
    for (const SeriesKey& key : batch.series) {
        is_of_counter.push_back(is_counter(key.metric));
    }
    std::vector<PlacedSample> rows;
    for (std::size_t i = 0; i < batch.samples.size(); ++i) {
        const SampleBatch::Sample& sample = batch.samples[i];
        if (is_of_counter[sample.series] == counters && is_inside(window, sample)) {
            const std::int64_t minute = sample.time_ms / kMillisecondsPerMinute;
            rows.push_back({minute, series[sample.series], sample.time_ms % kMillisecondsPerMinute, sample.value, i});
        }
    }
    std::sort(rows.begin(), rows.end(), [](const PlacedSample& a, const PlacedSample& b) {
        return std::tie(a.minute, a.series, a.millisecond, a.index) < std::tie(b.minute, b.series, b.millisecond, b.index);
    });
    return rows;
}

void HourSums::add(double value) {
    minimum = count == 0 ? value : std::min(minimum, value);
    maximum = count == 0 ? value : std::max(maximum, value);
    ++count;
    sum += value;
    squares += value * value;
}

double increase_between(std::int64_t from_ms, double from, std::int64_t to_ms, double to) {
    if (to_ms - from_ms > kMaxCounterGapMs) {
        return 0.0;
    }
    return to >= from ? to - from : to;
}

void add_reading(SumsByHour& hours, std::int64_t series, const Reading& reading, const std::optional<Reading>& before,
                 const std::optional<Reading>& behind) {
    if (before && behind) {
        spread(hours, series, *before, *behind, -1.0);
    }
    if (before) {
        spread(hours, series, *before, reading, 1.0);
    }
    if (behind) {
        spread(hours, series, reading, *behind, 1.0);
    }
}

std::size_t max_deleted_samples(std::size_t batch_size) {
    constexpr std::size_t kMinDeletedSamples = 20'000;
    constexpr std::size_t kDeletedPerSample = 4;
    return std::max(kMinDeletedSamples, kDeletedPerSample * batch_size);
}

bool NotedSources::is_first_of_hour(const Author& author, std::int64_t now) {
    constexpr std::int64_t kHour = kMicrosecondsPerMillisecond * kMillisecondsPerHour;
    constexpr std::size_t kMaxSources = 10'000; // maximum remembered sources; beyond it, audit rows may repeat
    if (hours_.size() >= kMaxSources) {
        hours_.clear();
    }
    const auto [source, is_new] = hours_.try_emplace({author.name, author.address}, 0);
    const bool is_first = is_new || source->second != now / kHour;
    source->second = now / kHour;
    return is_first;
}

} // namespace costcurve::storage
