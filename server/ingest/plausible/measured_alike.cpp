// Of the catalogue's 1,279 measurements, each beside the others, the medians come to 0.26 to 2.5 times, single points to an eighth;
// of static batches of TensorRT-LLM 0.6 and 0.9 to eight times.
#include "server/ingest/plausible/measured_alike.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>

#include "server/ingest/prices/every_document.hpp"
#include "server/ingest/prices/other_sellers.hpp"
#include "server/ingest/prices/price_history.hpp"

namespace costcurve::ingest {

namespace {

using model::MeasurementKind;

constexpr double kBeyondAlike = 4.0;
constexpr double kBeyondAlikePoint = 12.0;
constexpr double kBeyondAlikeBatch = 9.0;
constexpr double kBeyondAnyDevice = 6.0;
constexpr double kNearLoad = 2.001;

double column_at(const std::vector<double>& values, std::size_t i) { return i < values.size() ? values[i] : 0.0; }

// Disaggregated serving is compared with serving.
int group_of(MeasurementKind kind) {
    return static_cast<int>(kind == MeasurementKind::disaggregated ? MeasurementKind::serving : kind);
}

// Of prompts alone by their time.
double rate_at(const model::Measurement& measured, std::size_t i) {
    const model::MeasuredPoints& points = measured.points;
    if (measured.kind == MeasurementKind::training) {
        return column_at(points.tokens_per_s, i);
    }
    const double first = column_at(points.ttft_s, i);
    return measured.kind != MeasurementKind::prefill ? column_at(points.output_per_s, i) : first > 0.0 ? 1.0 / first : 0.0;
}

double median_limit(MeasurementKind kind) { return kind == MeasurementKind::static_batch ? kBeyondAlikeBatch : kBeyondAlike; }

} // namespace

void MeasuredAlike::add_points(const model::Measurement& measured, FoundByWork& found) {
    const model::MeasuredPoints& points = measured.points;
    const double devices = std::max(1, measured.devices);
    const bool is_training = measured.kind == MeasurementKind::training;
    const std::size_t count = std::max({points.output_per_s.size(), points.tokens_per_s.size(), points.ttft_s.size()});
    for (std::size_t i = 0; i < count; ++i) {
        const double rate = rate_at(measured, i);
        if (rate <= 0.0) {
            continue;
        }
        const double concurrency = column_at(points.concurrency, i);
        found[{group_of(measured.kind), measured.model, measured.precision, column_at(points.input, i),
               column_at(points.cached_input, i), column_at(points.output, i), column_at(points.sequence, i)}]
            .push_back({measured.id, measured.device,
                        is_training         ? devices
                        : concurrency > 0.0 ? concurrency / devices
                                            : 1.0,
                        rate / devices});
    }
}

const MeasuredAlike::FoundByWork& MeasuredAlike::stored() {
    if (!stored_) {
        stored_.emplace();
        for_each_document<model::Measurement>(snapshot_, storage::Kind::measurement, [&](const model::Measurement& measured) {
            if (measured.doubt.empty()) {
                add_points(measured, *stored_);
            }
        });
    }
    return *stored_;
}

MeasuredAlike::Beside MeasuredAlike::beside(const Found& point, const std::vector<Found>& others, const std::string& id,
                                            bool grows_with_load) {
    Beside found;
    for (const Found& other : others) {
        if (other.id == id) {
            continue;
        }
        const double more = point.load / other.load;
        const bool is_same = other.device == point.device;
        found.is_known = found.is_known || is_same;
        found.most = std::max(found.most, other.rate);
        if (is_same && more < kNearLoad && more > 1.0 / kNearLoad) {
            found.alike.push_back(other.rate * (grows_with_load ? std::sqrt(more) : 1.0)); // as rates do, about
        }
    }
    return found;
}

std::string MeasuredAlike::reason(const model::Measurement& measured) {
    FoundByWork own;
    add_points(measured, own);
    const bool grows = measured.kind != MeasurementKind::training;
    std::vector<double> ratios;
    std::size_t others = 0;
    double of_any = 0.0; // its rate by the most of other devices
    for (const auto& [work, points] : own) {
        const auto found = stored().find(work);
        for (const Found& point : points) {
            Beside near = found == stored().end() ? Beside() : beside(point, found->second, measured.id, grows);
            others = std::max(others, near.alike.size());
            if (!near.alike.empty()) {
                ratios.push_back(point.rate / median_of(std::move(near.alike)));
            }
            of_any = near.is_known || near.most <= 0.0 ? of_any : std::max(of_any, point.rate / near.most);
        }
    }
    if (ratios.empty()) {
        return of_any < kBeyondAnyDevice
                   ? ""
                   : fmt::format("its rate by the device is {:.3g} times the most that others have measured of {} on any device",
                                 of_any, measured.model);
    }
    const auto furthest = std::ranges::max_element(ratios, {}, [](double it) { return std::abs(std::log(it)); });
    const double of_point = *furthest;
    const double ratio = median_of(std::move(ratios));
    if (!is_beyond(ratio, median_limit(measured.kind)) && !is_beyond(of_point, kBeyondAlikePoint)) {
        return "";
    }
    return fmt::format("its rates are {:.3g} times, at one point {:.3g} times, what {} stored of the same {}, device, precision "
                       "and requests",
                       ratio, of_point,
                       others == 1 ? "one point has that is" : fmt::format("up to {} points have that are", others),
                       measured.model);
}

} // namespace costcurve::ingest
