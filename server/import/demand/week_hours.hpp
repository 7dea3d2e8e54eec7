// Time series folded onto the hours of the local week: what demand and utilization curves are made of. Memory is constant.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/documents/curve.hpp"
#include "model/documents/units.hpp"
#include "server/import/importer.hpp"
#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

using model::kSecondsPerHour;

inline constexpr double kSecondsPerDay = 86400.0;
inline constexpr int kHoursPerWeek = 168;
/// A window that is longer has a time in it that is wrong.
inline constexpr double kLongestWindow = 10 * 366 * kSecondsPerDay;

/// What the times of a file count from.
enum class TimeSort {
    civil,    ///< local time somewhere, as it is written
    instant,  ///< Unix time, or with its zone
    relative, ///< since the file's beginning
};

/// Reads the times of one file: all must be of the first one's sort. Not thread-safe.
class FileClock {
public:
    /// `unit_s`: seconds of one unit of relative times. Options: time_zone, date.
    FileClock(const Options& options, double unit_s);
    /// Seconds since 1970 of the civil time, of the instant, or of the relative time behind `date`. Nothing where it is no time, or
    /// of another sort than the first: `problem` says why.
    [[nodiscard]] std::optional<double> read(std::string_view text, std::string& problem);
    /// The time that a number stands for: Unix milliseconds from 1e11 on, Unix seconds from 1e9 on, relative below, if the
    /// first one was.
    [[nodiscard]] std::optional<double> read(double number, std::string& problem);
    /// The civil time of the curves' hours, in seconds since 1970. Cheap for times that follow each other.
    [[nodiscard]] double local(double seconds);
    /// True where the hours of the day and the days of the week are known.
    [[nodiscard]] bool is_anchored() const { return sort_ != TimeSort::relative || !date_.empty(); }
    /// A time for notes: "2023-11-16 18:17:03".
    [[nodiscard]] std::string text(double seconds);
    /// What the hours are hours of, as notes say it.
    [[nodiscard]] std::string describe() const;

private:
    std::optional<double> take(TimeSort sort, double seconds, std::string& problem);
    std::optional<TimeSort> sort_;
    double unit_s_;
    std::string zone_;
    std::string date_;
    double origin_ = 0.0;
    double first_ = 0.0;
    double offset_s_ = 0.0; // from `offset_from_` until `offset_until_`
    double offset_from_ = 0.0;
    double offset_until_ = 0.0;
};

/// The first and the last time of a series, with their rows.
struct Window {
    double first = 0.0;
    double last = 0.0;
    std::size_t first_row = 0; ///< 0: nothing is in it
    std::size_t last_row = 0;
    void add(double seconds, std::size_t row);
    [[nodiscard]] double seconds() const { return last - first; }
    /// Why it can't be: it is longer than ten years.
    [[nodiscard]] HardError error() const;
};

using WeekHours = std::array<double, kHoursPerWeek>;
/// The hour of the week of a civil time; Monday 00:00 is 0.
[[nodiscard]] int week_hour(double local_seconds);
/// Seconds of the window in each hour of the local week.
[[nodiscard]] WeekHours covered_seconds(const Window& window, FileClock& clock);

/// A mean by hour of the week or of the day.
struct HourShape {
    model::Axis axis = model::Axis::hour_of_day;
    std::vector<double> y;  ///< one an hour; one alone where the window is too short for a shape
    double mean = 0.0;      ///< of y
    std::vector<int> empty; ///< hours without a figure of their own: on the line between their neighbours
};

/// Divides sums by weights, hour by hour: of the week where the window has two whole weeks and every hour weighs `least`; of the
/// day where it is long enough and at least 20 hours do; else one figure, the mean of all. `anchored`: hours mean something.
[[nodiscard]] HourShape shape_of(const WeekHours& sums, const WeekHours& weights, double least, double window_s, bool anchored);

/// `least` of samples, of which hours have about as many each: a tenth of the mean of the hours that have any.
[[nodiscard]] double least_samples(const WeekHours& weights);

/// A curve of it: y × factor, step, at x = 0, 1, 2 …
[[nodiscard]] model::Curve curve_of(const HourShape& shape, model::CurveKind kind, double factor, std::string id,
                                    const Options& options, std::string note);
/// Text for a note: the hours covered and interpolated, or that there is no shape.
[[nodiscard]] std::string describe(const HourShape& shape, const FileClock& clock);

} // namespace costcurve::imports
