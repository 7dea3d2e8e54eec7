// Folds time series onto the hours of the local week, for demand and utilization curves. Memory is constant.
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
/// Longest plausible time window (s). A longer one contains a wrong timestamp.
inline constexpr double kLongestWindow = 10 * 366 * kSecondsPerDay;

/// What a file's times are relative to.
enum class TimeSort {
    civil,    ///< local time somewhere, as it is written
    instant,  ///< Unix time, or with its zone
    relative, ///< since the file's beginning
};

/// Reads the times of one file. All times must be of the same sort as the first one. Not thread-safe.
class FileClock {
public:
    /// `unit_s`: seconds of one unit of relative times. Options: time_zone, date.
    FileClock(const Options& options, double unit_s);
    /// Seconds since 1970 of a civil time, an instant, or a relative time added to `date`. Nothing if it is no time or of another
    /// sort than the first; `problem` then has the reason.
    [[nodiscard]] std::optional<double> read(std::string_view text, std::string& problem);
    /// The time that a number means: Unix milliseconds from 1e11, Unix seconds from 1e9, otherwise relative. Its sort must be that
    /// of the first time.
    [[nodiscard]] std::optional<double> read(double number, std::string& problem);
    /// The local time whose hours the curves use, in seconds since 1970. Fast for ascending times.
    [[nodiscard]] double local(double seconds);
    /// True where the hours of the day and the days of the week are known.
    [[nodiscard]] bool is_anchored() const { return sort_ != TimeSort::relative || !date_.empty(); }
    /// A time for notes: "2023-11-16 18:17:03".
    [[nodiscard]] std::string text(double seconds);
    /// Describes the hours' time zone, for notes.
    [[nodiscard]] std::string describe() const;

private:
    std::optional<double> take(TimeSort sort, double seconds, std::string& problem);
    std::optional<TimeSort> sort_;
    double unit_s_;
    std::string zone_;
    std::string date_;
    double origin_ = 0.0;
    double first_ = 0.0;
    double offset_s_ = 0.0; // valid from `offset_from_` until `offset_until_`
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
    /// An error if the window is longer than ten years.
    [[nodiscard]] HardError error() const;
};

using WeekHours = std::array<double, kHoursPerWeek>;
/// The hour of the week of a civil time; Monday 00:00 is 0.
[[nodiscard]] int week_hour(double local_seconds);
/// Seconds of the window in each hour of the local week.
[[nodiscard]] WeekHours covered_seconds(const Window& window, FileClock& clock);

/// A mean by hour of the week, by hour of the day, or overall.
struct HourShape {
    model::Axis axis = model::Axis::hour_of_day;
    std::vector<double> y;  ///< one an hour; one alone where the window is too short for a shape
    double mean = 0.0;      ///< of y
    std::vector<int> empty; ///< hours without a figure of their own: on the line between their neighbours
};

/// Divides sums by weights, hour by hour. If `anchored` (the clock time of the hours is known): by hour of the week if the
/// window has two weeks and every hour's weight is at least `least`, otherwise by hour of the day if 20 hours or more have that
/// weight; hours below it are interpolated. Otherwise one overall mean.
[[nodiscard]] HourShape shape_of(const WeekHours& sums, const WeekHours& weights, double least, double window_s, bool anchored);

/// Default for `least` if weights are sample counts of about equal size: a tenth of the mean over the nonempty hours.
[[nodiscard]] double least_samples(const WeekHours& weights);

/// A step curve of the shape at x = 0, 1, 2 …, with y × factor.
[[nodiscard]] model::Curve curve_of(const HourShape& shape, model::CurveKind kind, double factor, std::string id,
                                    const Options& options, std::string note);
/// Text for a note: the hours covered and interpolated, or that only an overall mean is known.
[[nodiscard]] std::string describe(const HourShape& shape, const FileClock& clock);

} // namespace costcurve::imports
