// Turns load tests into curves over batch, with points in order of concurrency. Nothing is interpolated, and rates may fall.
#include "server/import/benchmarks/load_tests.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "server/import/benchmarks/served_measurement.hpp"
#include "server/import/curves.hpp"
#include "server/import/identity/model_name.hpp"
#include "server/import/identity/spellings.hpp"
#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

namespace {

constexpr double kLengthTolerance = 0.2;
constexpr double kMedianPercentile = 50.0;

bool is_near(double a, double b) { return std::fabs(a - b) <= kLengthTolerance * std::max(a, b); }

// The precision at the end of a model's name, such as "GLM-5-FP8".
std::string precision_in_name(std::string_view name) { return precision_of(name.substr(name.rfind('-') + 1)); }

// Tokens/s, output plus input; input tokens count only if their number is known.
double units_per_s(const LoadPoint& point) { return point.output_per_s + point.requests_per_s * point.input_tokens; }

constexpr double kMaxFailed = 0.05;     // of a run's requests; a run with a larger share of failures is no measurement
constexpr double kTimeTolerance = 1.25; // means of ratios differ from ratios of means by up to a tenth in published runs

// The time per output token that follows from latency and time to first token; 0 if one of them is unknown.
double token_time_of(const RequestTimes& times, double output_tokens) {
    constexpr double kMinTokens = 1.5; // with fewer output tokens there is no time between tokens
    const bool is_known = times.latency > times.ttft && times.ttft > 0.0 && output_tokens >= kMinTokens;
    return is_known ? (times.latency - times.ttft) / (output_tokens - 1.0) : 0.0;
}

std::string percentile_words(double percentile) {
    return percentile <= 0.0 ? "mean" : percentile == kMedianPercentile ? "median" : fmt::format("{:.4g}th percentile", percentile);
}

} // namespace

double latency_of(const LoadPoint& point) {
    for (const RequestTimes& times : {point.means, point.medians}) {
        if (times.latency > 0.0) {
            return times.latency;
        }
    }
    for (const RequestTimes& times : {point.means, point.medians}) {
        if (times.ttft > 0.0 && times.token > 0.0 && point.output_tokens >= 1.0) {
            return times.ttft + times.token * (point.output_tokens - 1.0);
        }
    }
    return 0.0;
}

std::string agree_times(LoadPoint& point) {
    // All times in one statistic, else the first one known for each time: some files have mean latencies beside medians of the
    // other two.
    RequestTimes mixed{point.means.latency > 0.0 ? point.means.latency : point.medians.latency,
                       point.ttft_s > 0.0 ? point.ttft_s : point.means.ttft, point.token_s};
    RequestTimes checked = mixed;
    for (const RequestTimes& times : {point.medians, point.means}) {
        checked = token_time_of(times, point.output_tokens) > 0.0 && times.token > 0.0 ? times : checked;
    }
    const double token = token_time_of(checked, point.output_tokens);
    if (token <= 0.0 || checked.token <= 0.0 || point.token_s <= 0.0 ||
        (token <= kTimeTolerance * checked.token && checked.token <= kTimeTolerance * token)) {
        return "";
    }
    // Prefer the statistic of the value to replace, if the other times are known in that statistic.
    const RequestTimes& same = point.percentile == kMedianPercentile ? point.medians : point.means;
    const double of_same = token_time_of(same, point.output_tokens);
    const bool is_tail = point.percentile > 0.0 &&
                         point.percentile != kMedianPercentile; // no other figure gives the time per token at this percentile
    const double stated = std::exchange(point.token_s, is_tail ? 0.0 : of_same > 0.0 ? of_same : token);
    return fmt::format(
        "the time per output token is {:.4g} s, but a request of {:.4g} tokens out takes {:.4g} s, of which {:.4g} s to "
        "the first, which is {:.4g} s a token: {}",
        stated, point.output_tokens, checked.latency, checked.ttft, token,
        is_tail ? "it is left out" : fmt::format("{:.4g} s is used", point.token_s));
}

LoadTests::LoadTests(std::string_view tool, const Options& options, Report& report)
    : tool_(tool), options_(options), report_(report), device_(device_option(options).value_or("")),
      devices_(devices_option(options).value_or(1)) {}

LoadTests::Test* LoadTests::test_of(const ServedModel& served, const LoadPoint& point) {
    const std::string model = options_.model.empty() ? model_id_of(served.name) : options_.model;
    if (model.empty()) {
        report_.rejected.add(point.row, fmt::format("{}: the model is not in the file: give the option model", point.file));
        return nullptr;
    }
    const auto found = std::find_if(tests_.begin(), tests_.end(), [&](const Test& test) {
        const LoadPoint& first = test.points.begin()->second;
        return test.model == model && test.served.precision == served.precision && test.served.framework == served.framework &&
               first.percentile == point.percentile && is_near(first.input_tokens, point.input_tokens) &&
               is_near(first.output_tokens, point.output_tokens);
    });
    return found == tests_.end() ? &tests_.emplace_back(Test{served, model, {}}) : &*found;
}

void LoadTests::add(const ServedModel& served, LoadPoint point) {
    const auto reject = [&](std::string_view why) { report_.rejected.add(point.row, fmt::format("{}: {}", point.file, why)); };
    if (!std::isfinite(units_per_s(point)) || point.output_per_s <= 0.0) {
        return reject("it has no rate of output tokens above 0");
    }
    if (point.requests <= 0.0) {
        return reject(
            "how many requests ran at a time is not known: neither a concurrency, nor a rate of requests and their latency");
    }
    const std::optional<int> requests = count_of(std::round(point.requests));
    if (point.requests < 1.0 || !requests) {
        return reject(
            fmt::format("{:.3g} requests ran at a time: the machine was idle part of the time, so that its rate is that of "
                        "the demand",
                        point.requests));
    }
    if (point.was_cancelled) {
        return reject("the run was cancelled before its end");
    }
    if (point.answered > 0.0 && point.failed > kMaxFailed * (point.failed + point.answered)) {
        return reject(fmt::format("{:.0f} of {:.0f} requests failed: the rate is of a broken run", point.failed,
                                  point.failed + point.answered));
    }
    const std::string disagreement = agree_times(point);
    ServedModel of = served;
    of.precision = of.precision.empty() ? precision_in_name(of.name) : of.precision;
    Test* const test = test_of(of, point);
    if (test == nullptr) {
        return;
    }
    if (!disagreement.empty()) {
        report_.warnings.add(point.row, fmt::format("{}: {}", point.file, disagreement));
    }
    if (point.failed > 0.0) {
        report_.warnings.add(point.row, fmt::format("{}: {:.0f} requests failed and are not counted", point.file, point.failed));
    }
    const auto [place, is_new] = test->points.try_emplace(*requests, point);
    LoadPoint& kept = place->second;
    if (is_new) {
        return;
    }
    if (units_per_s(kept) == units_per_s(point)) {
        ++report_.skipped;
        return;
    }
    report_.warnings.add(point.row,
                         fmt::format("{}: two runs with {} requests at a time, {:.6g} and {:.6g} tokens/s; the faster was taken",
                                     point.file, *requests, units_per_s(kept), units_per_s(point)));
    kept = units_per_s(point) > units_per_s(kept) ? point : kept;
}

model::Performance LoadTests::document_of(const Test& test) const {
    const LoadPoint& first = test.points.begin()->second;
    const bool one = test.points.size() == 1;
    const bool has_input = first.input_tokens > 0.0;
    const auto length = [](double tokens) { return tokens > 0.0 ? fmt::format("{:.0f}", tokens) : std::string("unknown"); };
    model::Performance performance;
    performance.id = make_id({options_.id.empty() ? std::string_view(tool_) : std::string_view(options_.id), test.model,
                              fmt::format("{}-{}", length(first.input_tokens), length(first.output_tokens)),
                              gang_name(devices_, device_), test.served.precision, test.served.framework});
    performance.device.id = device_;
    performance.devices = devices_;
    performance.model = test.model;
    performance.precision = test.served.precision;
    performance.framework = test.served.framework;
    performance.source = source_of(
        options_, fmt::format("{} {}{}", tool_, first.file, one ? "" : fmt::format(" and {} more", test.points.size() - 1)));
    performance.batch = one ? std::optional(test.points.begin()->first) : std::nullopt;
    performance.units_per_s = rate_over_batch(model::CurveKind::throughput, test.points, units_per_s);
    std::string out;
    bool has_token = true;
    bool has_ttft = true;
    for (const auto& [requests, point] : test.points) {
        out += fmt::format("{}{:.6g} at {}", out.empty() ? "" : ", ", point.output_per_s, requests);
        has_token = has_token && point.token_s > 0.0;
        has_ttft = has_ttft && point.ttft_s > 0.0;
    }
    if (has_token) {
        performance.itl_s =
            rate_over_batch(model::CurveKind::latency, test.points, [](const LoadPoint& point) { return point.token_s; });
    }
    if (has_ttft) {
        performance.ttft_s =
            rate_over_batch(model::CurveKind::latency, test.points, [](const LoadPoint& point) { return point.ttft_s; });
    }
    if ((has_token || has_ttft) && first.percentile > 0.0) {
        performance.latency_percentile = first.percentile;
    }
    if (!has_input) {
        performance.class_weights.input = 0.0;
    } else if (first.output_tokens > 0.0) {
        performance.mix = {first.input_tokens, first.output_tokens};
    }
    performance.note = fmt::format(
        "{}{} of all devices, {} tokens in and {} out of a request; batch is the requests at a time; output tokens a second alone: "
        "{}.{}{}",
        options_.model.empty() ? test.served.name + ". " : "", has_input ? "Tokens in and out together" : "Output tokens",
        length(first.input_tokens), length(first.output_tokens), out,
        has_token ? fmt::format(" itl_s is the {} time per output token.", percentile_words(first.percentile)) : "",
        one ? "" : " State a batch, or a latency objective that picks it.");
    return performance;
}

HardError LoadTests::finish() {
    bool any = false;
    for (const Test& test : tests_) {
        any = true;
        model::Performance performance = document_of(test);
        std::vector<ServedPoint> points;
        for (const auto& [requests, point] : test.points) {
            points.push_back({point.input_tokens, point.output_tokens, static_cast<double>(requests), point.output_per_s,
                              point.ttft_s, point.token_s});
        }
        std::optional<model::Measurement> measurement = measurement_beside(performance, points);
        report_.add(std::move(performance));
        if (measurement) {
            report_.add(std::move(*measurement));
        }
    }
    if (!any && report_.rejected.count == 0) {
        return hard_error(model::Code::bad_format, 0, "there is no run in it");
    }
    return any ? std::nullopt : HardError(hard_error(model::Code::bad_format, 0, report_.rejected.first[0].reason));
}

} // namespace costcurve::imports
