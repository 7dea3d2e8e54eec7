// Curves: points on one axis, an interpolation rule, and what happens beyond the ends (model.md, section 3).
// Reads values; knows nothing of calendars, documents or where a curve came from.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/documents/enum_names.hpp"

namespace costcurve::model {

enum class CurveKind {
    price,
    power,
    pue,
    tariff,
    carbon,
    utilization,
    demand,
    throughput,
    latency,
    scaling,
    residual,
    index,
    ramp,
    availability
};
/// `throughput_share` and `utilization`, the older word for it, are of a curve over the share of the largest rate; `busy_time` is
/// of one over the share of time in which a device computes, at whatever rate.
enum class Axis {
    utilization,
    load,
    hour_of_day,
    hour_of_week,
    hour_of_year,
    date,
    batch,
    devices,
    age_months,
    months,
    throughput_share,
    busy_time
};
/// Which utilization a curve of that kind is: of the largest rate, which demand is reckoned by, or of the time in which a device
/// reports to be busy, at whatever rate.
enum class UtilizationOf { throughput_share, busy_time };
enum class Interpolation { linear, step, log };
enum class Outside { hold, error };

template <>
inline constexpr auto enum_names<CurveKind> = std::to_array<std::string_view>({"price", "power", "pue", "tariff", "carbon",
                                                                               "utilization", "demand", "throughput", "latency",
                                                                               "scaling", "residual", "index", "ramp",
                                                                               "availability"});
template <>
inline constexpr auto enum_names<Axis> = std::to_array<std::string_view>({"utilization", "load", "hour_of_day", "hour_of_week",
                                                                          "hour_of_year", "date", "batch", "devices", "age_months",
                                                                          "months", "throughput_share", "busy_time"});
template <> inline constexpr auto enum_names<UtilizationOf> = std::to_array<std::string_view>({"throughput_share", "busy_time"});
template <> inline constexpr auto enum_names<Interpolation> = std::to_array<std::string_view>({"linear", "step", "log"});
template <> inline constexpr auto enum_names<Outside> = std::to_array<std::string_view>({"hold", "error"});

/// How well a figure is known, best first; the weakest of the inputs is the answer's.
enum class Evidence { measured, interpolated, extrapolated, estimated, assumed };
template <>
inline constexpr auto enum_names<Evidence> = std::to_array<std::string_view>({"measured", "interpolated", "extrapolated",
                                                                              "estimated", "assumed"});

/// What ties a document to the store.
struct Stored {
    bool is_reference = false;       ///< only the id is known: the stored document is to be put in this place
    std::int64_t revision = 0;       ///< of the stored document that this is; 0 where it is none
    std::string recorded_at;         ///< when that revision was recorded
    std::int64_t sequence = 0;       ///< of the change that recorded it
    std::string exchanged_from = {}; ///< the currency that its money was converted from in a scenario; "" where it was not
    std::vector<double> exchange_index =
        {}; ///< [m] of a scenario: that currency's rate over the first month's; none where one holds
    friend bool operator==(const Stored&, const Stored&) = default;
};

/// Points [x, y] with x strictly ascending. On the date axis x is in days since 1970-01-01.
struct Curve {
    CurveKind kind = CurveKind::price;
    Axis axis = Axis::date;
    Interpolation interpolation = Interpolation::linear;
    Outside outside = Outside::hold;
    std::string currency; ///< of y, where that is money; "": that of the document it stands in
    std::optional<UtilizationOf> utilization_of = std::nullopt; ///< of kind utilization; not stated in many
    std::vector<double> x;
    std::vector<double> y;
    std::string id;
    std::string source;
    std::string note;
    Stored stored;
    friend bool operator==(const Curve&, const Curve&) = default;
};

/// What a kind of curve may look like: its axes and the range of y. One row a kind; the one table of this fact.
struct CurveKindRow {
    CurveKind kind;
    std::span<const Axis> axes;
    std::string_view y_unit;
    double y_min;
    double y_max;
    std::string_view help;
};
[[nodiscard]] const CurveKindRow& curve_kind_row(CurveKind kind);
[[nodiscard]] std::span<const CurveKindRow> curve_kinds();
/// Whether y is an amount of money.
[[nodiscard]] bool is_money(CurveKind kind);

/// 24, 168 or 8760 for a periodic axis, 0 for the others.
[[nodiscard]] int period_of(Axis axis);

/// The values that x may take on an axis, inclusive.
struct AxisRange {
    double low;
    double high;
};
[[nodiscard]] AxisRange range_of(Axis axis);

/// The curve's value at x. A periodic axis wraps; elsewhere the end values hold beyond the ends
/// (a curve whose `outside` is error is checked when the scenario is made). O(log points).
[[nodiscard]] double read(const Curve& curve, double x);

/// True where x is beyond the ends of an axis that has ends.
[[nodiscard]] bool is_outside(const Curve& curve, double x);

/// `measured` at a point, `interpolated` between points, `extrapolated` beyond the ends;
/// always `measured` on a periodic, date or utilization axis (model.md, section 3).
[[nodiscard]] Evidence evidence_at(const Curve& curve, double x);

/// The first point of a periodic curve that stands inside of an hour; nothing where all stand at whole hours.
[[nodiscard]] std::optional<std::size_t> point_inside_hour(const Curve& curve);

/// The values of a periodic curve in its hours 0, 1, 2 … period-1: at their beginning, or where points stand inside of an hour its
/// mean, so that what is by the quarter counts in full.
[[nodiscard]] std::vector<double> sample_period(const Curve& curve);

} // namespace costcurve::model
