// Judges a measurement's latencies with its rates: by the median over its points and the furthest of them.
#include "server/ingest/prices/measured_times.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "model/performance/rate_table.hpp"
#include "model/performance/rates.hpp"
#include "model/performance/step_model.hpp"
#include "model/queueing/percentiles.hpp"
#include "server/ingest/prices/other_sellers.hpp"
#include "server/ingest/prices/price_history.hpp"

namespace costcurve::ingest {

namespace {

constexpr double kApart = 2.0;             // of Little's law, the median
constexpr double kPointApart = 5.0;        // of one point
constexpr double kApartByPercentile = 2.0; // times these, where times are no medians
constexpr double kLongAnswer = 32.0;       // tokens, of which the first takes little
constexpr double kPromptToOut = 10.0;
constexpr double kShortFirst = 1.0 / 4.0;
constexpr double kShortToken = 1.0 / 3.0;
constexpr double kLongToken = 5.0;

double time_at(const std::vector<double>& values, std::size_t i) { return i < values.size() ? values[i] : 0.0; }

bool is_central(const std::optional<double>& percentile) { return !percentile || *percentile == 50.0; }

// What the median is about; 0 of the longest of all, which says nothing of it.
double central_of(double seconds, const std::optional<double>& percentile, double spread) {
    return percentile.value_or(0.0) > model::kMaxPercentile
               ? 0.0
               : seconds * model::percentile_ratio(spread, percentile.value_or(0.0), 0.0);
}

// Seconds of a point's request; `is_whole`: nothing of it is missing, or a first token that takes little of it.
struct Seconds {
    double least = 0.0;
    bool is_whole = false;
};
Seconds seconds_of(const model::Measurement& measured, std::size_t i) {
    const model::MeasuredPoints& points = measured.points;
    const double first = central_of(time_at(points.ttft_s, i), measured.percentiles.ttft_s, model::kLatencySpread.ttft);
    const double between = central_of(time_at(points.itl_s, i), measured.percentiles.itl_s, model::kLatencySpread.itl);
    const double whole = central_of(time_at(points.e2e_s, i), measured.percentiles.e2e_s, model::kLatencySpread.e2e);
    const double tokens = std::max(0.0, time_at(points.output, i) - 1.0);
    const bool is_nearly_whole = between > 0.0 && tokens >= kLongAnswer && time_at(points.input, i) <= kPromptToOut * tokens;
    return {std::max(whole, first + tokens * between),
            whole > 0.0 || is_nearly_whole || (first > 0.0 && (between > 0.0 || tokens == 0.0))};
}

double median_or_one(std::vector<double> ratios) { return ratios.empty() ? 1.0 : median_of(std::move(ratios)); }

} // namespace

std::string reason_of_little(const model::Measurement& measured, double looser) {
    const model::MeasuredPoints& points = measured.points;
    const model::MeasuredPercentiles& of = measured.percentiles;
    const bool is_of_medians = is_central(of.ttft_s) && is_central(of.itl_s) && is_central(of.e2e_s);
    const double times = looser * (is_of_medians ? 1.0 : kApartByPercentile);
    std::vector<double> ratios;
    for (std::size_t i = 0; i < points.output.size(); ++i) {
        const Seconds seconds = seconds_of(measured, i);
        const double by_rate = time_at(points.concurrency, i) * points.output[i]; // tokens/s times seconds
        const double ratio = by_rate > 0.0 ? seconds.least * time_at(points.output_per_s, i) / by_rate : 0.0;
        if (ratio > 0.0 && (seconds.is_whole || ratio > 1.0)) {
            ratios.push_back(ratio);
        }
    }
    if (ratios.empty()) {
        return "";
    }
    constexpr const char* kFormat =
        "by its rates and times {:.3g} times as many requests run at a time as it says{} (Little's law)";
    const double furthest = *std::ranges::max_element(ratios, {}, [](double it) { return std::abs(std::log(it)); });
    const double median = median_of(std::move(ratios));
    return is_beyond(median, kApart * times)          ? fmt::format(kFormat, median, "")
           : is_beyond(furthest, kPointApart * times) ? fmt::format(kFormat, furthest, ", at one of its points")
                                                      : "";
}

std::string reason_of_times(std::span<const model::RateRow> rows, const model::Device& device) {
    std::vector<double> first, between;
    for (const model::RateRow& row : rows) {
        const model::StepRate made = model::step_rate(row.shape, row.on, row.request, model::kStepParameters);
        if (row.ttft_s > 0.0 && made.ttft_s > 0.0) {
            first.push_back(row.ttft_s / made.ttft_s);
        }
        if (row.itl_s > 0.0 && made.itl_s > 0.0) {
            between.push_back(row.itl_s / made.itl_s);
        }
    }
    const double of_first = median_or_one(std::move(first));
    const double of_between = median_or_one(std::move(between));
    constexpr const char* kFormat = "its {} is {:.3g} times what {} takes by the model that all other measurements are fitted by";
    return of_first <= kShortFirst ? fmt::format(kFormat, "time to the first token", of_first, device.id)
           : of_between <= kShortToken || of_between >= kLongToken
               ? fmt::format(kFormat, "time between tokens", of_between, device.id)
               : "";
}

std::string reason_of_power(const model::Measurement& measured, const model::Device& device) {
    constexpr double kIdle = 0.1; // of the TDP
    constexpr double kAbove = 1.2;
    constexpr double kAboveOfPoint = 1.5;
    const double tdp = device.tdp_w * measured.devices;
    if (measured.points.watts.empty() || tdp <= 0.0) {
        return "";
    }
    const double median = median_of(measured.points.watts) / tdp;
    const double most = std::ranges::max(measured.points.watts) / tdp;
    const double share = median > kIdle && most > kAboveOfPoint ? most : median;
    return share <= kIdle || share > kAbove
               ? fmt::format("its power is {:.3g} times the TDP of {} {}", share, measured.devices, device.id)
               : "";
}

} // namespace costcurve::ingest
