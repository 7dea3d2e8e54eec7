// Judges stated rates of serving. A rate without a mix counts as output tokens.
#include "server/ingest/prices/stated_rates.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>
#include <utility>

#include "model/documents/enum_names.hpp"
#include "server/ingest/prices/measured_times.hpp"

namespace costcurve::ingest {

namespace {

constexpr double kStatedLooser = 2.0; // loads are settings that aren't always filled

std::optional<model::Curve> curve_of_rate(const std::optional<model::Rate>& rate, const FindCurve& find) {
    if (!rate || !rate->curve) {
        return std::nullopt;
    }
    const bool is_named = rate->curve->y.empty() && !rate->curve->id.empty();
    std::optional<model::Curve> curve = is_named ? find(rate->curve->id) : rate->curve;
    return curve && !curve->y.empty() && curve->axis == model::Axis::batch ? curve : std::nullopt;
}

// By load; of a number the same at each.
class StatedFigure {
public:
    StatedFigure(const std::optional<model::Rate>& rate, const FindCurve& find)
        : number_(rate && !rate->curve ? rate->number : 0.0), curve_(curve_of_rate(rate, find)) {}
    [[nodiscard]] double at(double load) const { return curve_ ? model::read(*curve_, load) : number_; }

private:
    double number_;
    std::optional<model::Curve> curve_;
};

std::vector<std::pair<double, double>> loads_and_rates(const model::Performance& performance, const FindCurve& find) {
    std::vector<std::pair<double, double>> points;
    if (const auto curve = curve_of_rate(performance.units_per_s, find)) {
        for (std::size_t i = 0; i < curve->x.size(); ++i) {
            points.emplace_back(curve->x[i], curve->y[i]);
        }
        return points;
    }
    const double batch = performance.batch ? *performance.batch : 0.0;
    const double load = performance.concurrency.value_or(batch);
    if (load > 0.0 && performance.units_per_s && !performance.units_per_s->curve) {
        points.emplace_back(load, performance.units_per_s->number);
    }
    return points;
}

// Units out of all that count, by the weights of those in.
double share_of_output(const model::RequestMix& mix, double of_input, double of_cached) {
    const double in = std::max(0.0, mix.input - mix.cached_input) * of_input + mix.cached_input * of_cached;
    return mix.output / (mix.output + in);
}

} // namespace

std::vector<model::Measurement> points_of_performance(const model::Performance& performance, const FindCurve& find) {
    model::Measurement measured;
    measured.id = performance.id;
    measured.model = performance.model;
    measured.device = performance.device.id;
    measured.devices = std::max(1, static_cast<int>(std::lround(performance.devices)));
    measured.precision = model::value_of<model::NumberFormat>(performance.precision).value_or(measured.precision);
    measured.framework = performance.framework;
    const model::RequestMix mix = performance.mix.value_or(model::RequestMix{0.0, 1.0, 0.0});
    const StatedFigure first(performance.ttft_s, find);
    const StatedFigure between(performance.itl_s, find);
    for (const auto& [load, rate] : loads_and_rates(performance, find)) {
        measured.points.input.push_back(mix.input);
        measured.points.output.push_back(mix.output);
        measured.points.concurrency.push_back(load);
        measured.points.output_per_s.push_back(rate);
        measured.points.ttft_s.push_back(performance.mix ? first.at(load) : 0.0);
        measured.points.itl_s.push_back(performance.mix ? between.at(load) : 0.0);
        measured.points.e2e_s.push_back(performance.mix ? 0.0 : between.at(load));
    }
    if (measured.points.output.empty()) {
        return {};
    }
    measured.percentiles = {performance.latency_percentile, performance.latency_percentile,
                            performance.mix ? std::nullopt : performance.latency_percentile};
    std::vector<model::Measurement> readings = {measured};
    const std::optional<double>& of_input = performance.class_weights.input;
    const double share = share_of_output(mix, of_input.value_or(1.0), performance.class_weights.cached_input.value_or(0.0));
    if (share < 1.0) {
        for (double& rate : measured.points.output_per_s) {
            rate *= share;
        }
        readings.push_back(std::move(measured));
    }
    if (of_input && readings.size() > 1) {
        readings.erase(readings.begin());
    }
    return readings;
}

std::string reason_of_stated_times(const std::vector<model::Measurement>& readings) {
    std::string reason;
    for (const model::Measurement& reading : readings) {
        std::string of_reading = reason_of_little(reading, kStatedLooser);
        if (of_reading.empty()) {
            return "";
        }
        reason = reason.empty() ? std::move(of_reading) : reason;
    }
    return reason;
}

} // namespace costcurve::ingest
