// Judges curves by what is stored of them, or by their year before.
#include <algorithm>
#include <cstddef>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "model/documents/text.hpp"
#include "server/documents/records.hpp"
#include "server/ingest/prices/price_history.hpp"

namespace costcurve::ingest {

namespace {

constexpr double kCurveJump = 10.0;      // of a tariff or a grid's carbon from one year to the next, crises among them
constexpr double kTariffRevision = 2.0;  // of a tariff that is read again; published revisions are of tens of per cent
constexpr double kQuarterRevision = 3.0; // of the dearest or the cheapest quarter of its hours
constexpr double kMinTariff = 0.0005;    // a kWh, as a year's mean, of a currency that nothing is known of
constexpr double kCheapestPower = 0.004; // USD a kWh, as a year's mean: half of what Norway's north paid in 2020
constexpr double kDearestPower = 1.0;    // twice what households pay where it is dearest
constexpr double kCleanestGrid = 1.0;    // g/kWh: a third of what the cleanest region of a cloud states
constexpr double kMaxCarbon = 2500.0;    // twice what burning lignite gives

bool goes_by_date(const model::Curve& curve) { return curve.axis == model::Axis::date; }

// Whether it is a tariff of a year's hours that was read before, not another year's.
bool is_tariff_again(const model::Curve& curve, const model::Curve& before) {
    return curve.kind == model::CurveKind::tariff && curve.id == before.id && !goes_by_date(curve);
}

// From which factor on a curve is far from what it was.
double jump_of(const model::Curve& curve, const model::Curve& before) {
    using enum model::CurveKind;
    if (is_tariff_again(curve, before)) {
        return kTariffRevision;
    }
    const model::CurveKind kind = curve.kind;
    return kind == price || kind == tariff || kind == carbon || kind == index || kind == demand ? kCurveJump : kJump;
}

// Hours of several lengths and days tell of one thing; no other axes do.
bool is_over_time(model::Axis axis) {
    using enum model::Axis;
    return axis == hour_of_day || axis == hour_of_week || axis == hour_of_year || axis == date;
}
bool are_alike(model::Axis a, model::Axis b) {
    const auto is_share = [](model::Axis axis) {
        return axis == model::Axis::utilization || axis == model::Axis::throughput_share;
    };
    return a == b || (is_over_time(a) && is_over_time(b)) || (is_share(a) && is_share(b));
}

// Its last value over date, else the mean of its points.
double level_of(const model::Curve& curve) {
    return goes_by_date(curve) ? curve.y.back()
                               : std::accumulate(curve.y.begin(), curve.y.end(), 0.0) / static_cast<double>(curve.y.size());
}

// "tariff.be-2024.hour-of-week" of "tariff.be-2025.hour-of-week"; "" of an id without a year.
std::string id_of_year_before(const std::string& id) {
    constexpr std::size_t kDigits = 4;
    for (std::size_t at = id.rfind('-'); at != std::string::npos && at > 0; at = id.rfind('-', at - 1)) {
        const std::string digits = id.substr(at + 1, id.find('.', at) - at - 1);
        const auto year = model::read_number<int>(digits);
        if (digits.size() == kDigits && year && *year > 1000) {
            return fmt::format("{}-{}{}", id.substr(0, at), *year - 1, id.substr(at + 1 + kDigits));
        }
    }
    return "";
}

std::optional<model::Curve> stored_curve(const storage::Snapshot& snapshot, const std::string& id) {
    const auto revision = id.empty() ? std::nullopt : snapshot.load({storage::Kind::curve, id});
    const auto document = revision ? documents::decode_readable(*revision) : std::nullopt;
    return document ? std::optional(std::get<model::Curve>(*document)) : std::nullopt;
}

// What is stored of the curve, else of the year before; nothing where that is another kind of curve.
std::optional<model::Curve> stored_curve(const storage::Snapshot& snapshot, const model::Curve& curve) {
    std::optional<model::Curve> stored = stored_curve(snapshot, curve.id);
    if (!stored) {
        stored = stored_curve(snapshot, id_of_year_before(curve.id));
    }
    const bool is_alike =
        stored && stored->kind == curve.kind && goes_by_date(*stored) == goes_by_date(curve) && !stored->y.empty();
    return is_alike ? std::move(stored) : std::nullopt;
}

// Why the highest hour of a demand is far from what it was beside its mean, as plans are sized for it; "" where it isn't.
std::string reason_of_peak(const model::Curve& curve, const model::Curve& before) {
    const bool has_peak = curve.kind == model::CurveKind::demand || curve.kind == model::CurveKind::utilization;
    const auto peak_of = [](const model::Curve& of) {
        const double sum = std::accumulate(of.y.begin(), of.y.end(), 0.0);
        return sum > 0.0 ? std::ranges::max(of.y) / sum * static_cast<double>(of.y.size()) : 0.0;
    };
    const double peak = has_peak && !curve.y.empty() ? peak_of(curve) : 0.0;
    const double was = has_peak && !before.y.empty() ? peak_of(before) : 0.0;
    return peak > 0.0 && was > 0.0 && is_beyond(peak / was, kJump)
               ? fmt::format("its highest value is {:.3g} times its mean, and was {:.3g} times", peak, was)
               : "";
}

// The means of the lowest and of the highest quarter.
std::pair<double, double> quarters_of(std::vector<double> values) {
    std::ranges::sort(values);
    const auto quarter = static_cast<std::ptrdiff_t>((values.size() + 3) / 4);
    const auto mean = [&](auto first) { return std::accumulate(first, first + quarter, 0.0) / static_cast<double>(quarter); };
    return {mean(values.begin()), mean(values.end() - quarter)};
}

// Why the hours of a tariff spread further than before, as batch work goes to the cheapest; "" where they don't.
std::string reason_of_spread(const model::Curve& curve, const model::Curve& before) {
    constexpr double kBelow = 1.0; // of its mean
    if (curve.kind != model::CurveKind::tariff || curve.y.empty() || before.y.empty() || goes_by_date(before) ||
        goes_by_date(curve)) {
        return "";
    }
    const double mean = level_of(before);
    const auto [low, high] = quarters_of(curve.y);
    const auto [low_before, high_before] = quarters_of(before.y);
    if (mean <= 0.0) {
        return "";
    }
    constexpr double kPart = 0.25; // of its mean; cheap hours of a market may fetch next to nothing
    const bool is_again = is_tariff_again(curve, before) && curve.axis == before.axis;
    const bool is_low =
        low < low_before - kBelow * mean || (is_again && low < low_before / kQuarterRevision && low < low_before - kPart * mean);
    const bool is_high = high > high_before + kCurveJump * mean || (is_again && high > high_before * kQuarterRevision);
    return is_low || is_high ? fmt::format("the mean of its {} quarter of hours, {:.4g}, is far from what it was, {:.4g}",
                                           is_low ? "cheapest" : "dearest", is_low ? low : high, is_low ? low_before : high_before)
                             : "";
}

// Why single hours of a tariff are no prices, "" where they are: markets' bounds are -1 and 12 USD a kWh at most.
std::string reason_of_extremes(const model::Curve& curve) {
    constexpr double kLowest = -1.0;
    constexpr double kHighest = 12.0;
    const double dollars = dollars_of(curve.currency);
    if (curve.kind != model::CurveKind::tariff || curve.y.empty() || dollars <= 0.0) {
        return "";
    }
    const auto [low, high] = std::ranges::minmax(curve.y);
    return low * dollars < kLowest     ? fmt::format("its lowest value of {:.4g} a kWh is below {:g} USD", low, kLowest)
           : high * dollars > kHighest ? fmt::format("its highest value of {:.4g} a kWh is above {:g} USD", high, kHighest)
                                       : "";
}

// Why the mean or the last value of a tariff or of a grid's carbon, `said` in words, is of another unit; "" where it isn't.
std::string reason_of_unit(const model::Curve& curve, double level, const std::string& said) {
    const double dollars = level * dollars_of(curve.currency);
    if (curve.kind == model::CurveKind::tariff && level < kMinTariff) {
        return fmt::format("{} a kWh is below {:g}: no grid sells for that, in any currency", said, kMinTariff);
    }
    if (curve.kind == model::CurveKind::tariff && dollars > 0.0 && (dollars < kCheapestPower || dollars > kDearestPower)) {
        return fmt::format("{} {} a kWh is about {:.2g} USD, and power costs {:g} to {:g}: of what unit are its numbers?", said,
                           curve.currency, dollars, kCheapestPower, kDearestPower);
    }
    const bool is_dirty = level > kMaxCarbon;
    return curve.kind == model::CurveKind::carbon && (is_dirty || level < kCleanestGrid)
               ? fmt::format("{} g/kWh is {} {:g}, which no grid has: of what unit are its numbers?", said,
                             is_dirty ? "above" : "below", is_dirty ? kMaxCarbon : kCleanestGrid)
               : "";
}

} // namespace

std::string reason_of_curve(const storage::Snapshot& snapshot, const model::Curve& curve, double today) {
    if (curve.kind == model::CurveKind::price && goes_by_date(curve) && curve.x.back() > today + 1.0) {
        return fmt::format("its last price is of {}, a day to come", model::date_text(curve.x.back()));
    }
    if (const auto stored = stored_curve(snapshot, curve.id)) {
        if (stored->kind != curve.kind) {
            return fmt::format("the stored curve of that id is of kind {}, and would be of kind {}: is the id right?",
                               model::name_of(stored->kind), model::name_of(curve.kind));
        }
        if (!are_alike(stored->axis, curve.axis)) {
            return fmt::format("the stored curve of that id is over {}, and would be over {}: is the id right?",
                               model::name_of(stored->axis), model::name_of(curve.axis));
        }
    }
    const double level = level_of(curve);
    const std::string said = fmt::format("its {} of {:.4g}", goes_by_date(curve) ? "last value" : "mean", level);
    if (std::string extreme = reason_of_extremes(curve); !extreme.empty()) {
        return extreme;
    }
    if (std::string unit = reason_of_unit(curve, level, said); !unit.empty()) {
        return unit;
    }
    const std::optional<model::Curve> stored = stored_curve(snapshot, curve);
    if (stored && !stored->currency.empty() && !curve.currency.empty() && stored->currency != curve.currency) {
        return fmt::format("currency_changed: it is in {}, and {} in {}", curve.currency,
                           stored->id == curve.id ? "it was" : stored->id + " is", stored->currency);
    }
    std::string reason = stored ? reason_of_level(curve, *stored) : "";
    return reason.empty() ? reason_of_curve_points(curve, stored && stored->axis == curve.axis ? &*stored : nullptr) : reason;
}

std::string reason_of_level(const model::Curve& curve, const model::Curve& before) {
    const double level = level_of(curve);
    const double was = before.y.empty() || goes_by_date(before) != goes_by_date(curve) ? 0.0 : level_of(before);
    if (std::string spread = reason_of_spread(curve, before); !spread.empty()) {
        return spread;
    }
    if (std::string peak = reason_of_peak(curve, before); !peak.empty()) {
        return peak;
    }
    return was > 0.0 && is_beyond(level / was, jump_of(curve, before))
               ? fmt::format("its {} of {:.4g} is {:.3g} times what it was, {:.4g}", goes_by_date(curve) ? "last value" : "mean",
                             level, level / was, was)
               : "";
}

} // namespace costcurve::ingest
