// Folds time series onto hours of the week in local time. The zone's offset is cached until its next transition.
#include "server/import/demand/week_hours.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/documents/calendar.hpp"
#include "server/import/curves.hpp"
#include "server/import/text/utf8.hpp"

namespace costcurve::imports {

namespace {

constexpr double kUnixMs = 1e11;       // numbers from here on are Unix milliseconds (1973), smaller ones seconds (until 5138)
constexpr double kUnixSeconds = 1e9;   // 2001-09-09 as Unix seconds; smaller numbers are relative, as no trace is that long
constexpr double kLatest = 7.26e9;     // 2200
constexpr double kQuarterHour = 900.0; // every zone's offset is a multiple of it
constexpr int kDayHours = 24;
constexpr int kMinDayHours = 20;
constexpr double kTwoWeeks = 14 * kSecondsPerDay;
constexpr int kThursday = 3; // weekday of 1970-01-01, with Monday = 0

// Fills hours without a value by linear interpolation between the nearest known hours, cyclically.
void interpolate(std::vector<double>& y, const std::vector<bool>& known) {
    const int size = static_cast<int>(y.size());
    const auto at = [&](int hour) { return static_cast<std::size_t>((hour % size + size) % size); };
    const std::vector<double> read = y;
    for (int hour = 0; hour < size; ++hour) {
        if (known[at(hour)]) {
            continue;
        }
        int before = 1;
        int after = 1;
        while (!known[at(hour - before)]) {
            ++before;
        }
        while (!known[at(hour + after)]) {
            ++after;
        }
        const double part = static_cast<double>(before) / (before + after);
        y[at(hour)] = read[at(hour - before)] * (1.0 - part) + read[at(hour + after)] * part;
    }
}

} // namespace

FileClock::FileClock(const Options& options, double unit_s) : unit_s_(unit_s), zone_(options.time_zone), date_(options.date) {
    double days = 0.0;
    if (!date_.empty() && model::parse_date(date_, days)) {
        origin_ = days * kSecondsPerDay;
    }
}

std::optional<double> FileClock::take(TimeSort sort, double seconds, std::string& problem) {
    if (seconds < 0.0 || seconds > kLatest) {
        problem = "is not between 1970 and 2200";
    } else if (sort_.value_or(sort) != sort) {
        problem = "is of another form than the first row's: all are local, all with a zone or Unix, or all since the beginning";
    } else if (sort_ && std::abs(seconds - first_) > kLongestWindow) {
        problem = "is more than ten years from the first row's";
    } else {
        first_ = sort_ ? first_ : seconds;
        sort_ = sort;
        return seconds;
    }
    return std::nullopt;
}

std::optional<double> FileClock::read(std::string_view text, std::string& problem) {
    const Number number = parse_number(text);
    if (number) {
        return read(number.value, problem);
    }
    const std::optional<Moment> moment = parse_moment(text);
    if (!moment) {
        problem =
            number.state == Number::State::blank ? "is blank" : fmt::format("is {}; a date and time are needed", clipped(text));
        return std::nullopt;
    }
    return take(moment->has_zone ? TimeSort::instant : TimeSort::civil, moment->seconds, problem);
}

std::optional<double> FileClock::read(double number, std::string& problem) {
    if (sort_ == TimeSort::relative || (!sort_ && number < kUnixSeconds)) {
        if (number < 0.0) {
            problem = fmt::format("is {}; it counts from the beginning, from 0 up", number);
            return std::nullopt;
        }
        return take(TimeSort::relative, origin_ + number * unit_s_, problem);
    }
    const TimeSort sort = number < kUnixSeconds ? TimeSort::relative : TimeSort::instant;
    return take(sort, number < kUnixMs ? number : number * 1e-3, problem);
}

double FileClock::local(double seconds) {
    if (sort_ != TimeSort::instant || zone_.empty()) {
        return seconds;
    }
    if (seconds < offset_from_ || seconds >= offset_until_) {
        const auto whole = static_cast<std::int64_t>(std::floor(seconds));
        const model::ZoneOffset offset = model::offset_at(zone_, whole);
        offset_s_ = static_cast<double>(offset.seconds);
        offset_from_ = static_cast<double>(whole);
        offset_until_ = static_cast<double>(offset.until);
    }
    return seconds + offset_s_;
}

std::string FileClock::text(double seconds) {
    if (!is_anchored()) {
        return fmt::format("{:.0f} s", seconds);
    }
    const double there = local(seconds);
    const double day = std::floor(there / kSecondsPerDay);
    const int second = static_cast<int>(there - day * kSecondsPerDay);
    return fmt::format("{} {:02}:{:02}:{:02}", model::date_text(day), second / 3600, second / 60 % 60, second % 60);
}

std::string FileClock::describe() const {
    if (sort_ == TimeSort::relative) {
        return date_.empty() ? "since the file's beginning" : fmt::format("counted from {} 00:00, as given", date_);
    }
    if (!zone_.empty()) {
        return zone_;
    }
    return sort_ == TimeSort::instant ? "UTC" : "the file's own clock, whose zone it does not say";
}

void Window::add(double seconds, std::size_t row) {
    if (first_row == 0 || seconds < first) {
        first = seconds;
        first_row = row;
    }
    if (last_row == 0 || seconds > last) {
        last = seconds;
        last_row = row;
    }
}

HardError Window::error() const {
    if (seconds() <= kLongestWindow) {
        return std::nullopt;
    }
    return hard_error(model::Code::out_of_range, 0,
                      fmt::format("the times of rows {} and {} are {:.1f} years apart, and ten are the most: is one of them wrong?",
                                  first_row, last_row, seconds() / (365.25 * kSecondsPerDay)));
}

int week_hour(double local_seconds) {
    const double hours = std::floor(local_seconds / kSecondsPerHour) + kThursday * kDayHours;
    return static_cast<int>(hours - std::floor(hours / kHoursPerWeek) * kHoursPerWeek);
}

WeekHours covered_seconds(const Window& window, FileClock& clock) {
    WeekHours seconds{};
    for (double from = window.first; from < window.last;) {
        const double until = std::min((std::floor(from / kQuarterHour) + 1.0) * kQuarterHour, window.last);
        seconds[static_cast<std::size_t>(week_hour(clock.local(from)))] += until - from;
        from = until;
    }
    return seconds;
}

HourShape shape_of(const WeekHours& sums, const WeekHours& weights, double least, double window_s, bool anchored) {
    HourShape shape;
    const bool whole = std::all_of(weights.begin(), weights.end(), [&](double weight) { return weight >= least; });
    std::vector<double> day_sums(kDayHours);
    std::vector<double> day_weights(kDayHours);
    for (std::size_t hour = 0; hour < sums.size(); ++hour) {
        day_sums[hour % kDayHours] += sums[hour];
        day_weights[hour % kDayHours] += weights[hour];
    }
    const bool by_week = anchored && whole && window_s >= kTwoWeeks;
    shape.axis = by_week ? model::Axis::hour_of_week : model::Axis::hour_of_day;
    const auto take = [&](const auto& all_sums, const auto& all_weights) {
        std::vector<bool> known;
        for (std::size_t hour = 0; hour < all_sums.size(); ++hour) {
            known.push_back(all_weights[hour] >= least);
            shape.y.push_back(known.back() ? all_sums[hour] / all_weights[hour] : 0.0);
            if (!known.back()) {
                shape.empty.push_back(static_cast<int>(hour));
            }
        }
        return known;
    };
    const std::vector<bool> known = by_week ? take(sums, weights) : take(day_sums, day_weights);
    if (!anchored || static_cast<int>(shape.empty.size()) > kDayHours - kMinDayHours) {
        const double weight = std::accumulate(weights.begin(), weights.end(), 0.0);
        shape.y.assign(1, weight > 0.0 ? std::accumulate(sums.begin(), sums.end(), 0.0) / weight : 0.0);
        shape.empty.clear();
    } else if (!shape.empty.empty()) {
        interpolate(shape.y, known);
    }
    shape.mean = std::accumulate(shape.y.begin(), shape.y.end(), 0.0) / static_cast<double>(shape.y.size());
    return shape;
}

double least_samples(const WeekHours& weights) {
    const auto hours = std::count_if(weights.begin(), weights.end(), [](double weight) { return weight > 0.0; });
    const double all = std::accumulate(weights.begin(), weights.end(), 0.0);
    return std::max(1.0, 0.1 * all / static_cast<double>(std::max<std::ptrdiff_t>(hours, 1)));
}

model::Curve curve_of(const HourShape& shape, model::CurveKind kind, double factor, std::string id, const Options& options,
                      std::string note) {
    model::Curve curve = empty_curve(kind, shape.axis, std::move(id), source_of(options), std::move(note));
    curve.interpolation = model::Interpolation::step;
    for (const double y : shape.y) {
        append_point(curve, static_cast<double>(curve.x.size()), y * factor);
    }
    return curve;
}

std::string describe(const HourShape& shape, const FileClock& clock) {
    if (shape.y.size() == 1) {
        return clock.is_anchored()
                   ? fmt::format("Fewer than {} hours of the day are in it: it says nothing of a shape, so the curve is flat.",
                                 kMinDayHours)
                   : "Its times count from an unknown moment: it says nothing of a shape, so the curve is flat.";
    }
    const std::string hours =
        fmt::format("Mean by hour of the {} ({}).", shape.axis == model::Axis::hour_of_week ? "week" : "day", clock.describe());
    return shape.empty.empty()
               ? hours
               : fmt::format("{} Hours that are not in it are interpolated: {}.", hours, fmt::join(shape.empty, ", "));
}

} // namespace costcurve::imports
