// Clocks of time zones, along a walk through the hours of a horizon.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/documents/calendar.hpp"
#include "model/hours/hours.hpp"

namespace costcurve::model {

inline constexpr int kWeek = 168; ///< hours

/// 0..167 from Monday 0:00, of seconds on a zone's clock since 1970.
[[nodiscard]] int hour_of_week(std::int64_t local_seconds);
/// 0..8759; 29 February reads as the 28th.
[[nodiscard]] int hour_of_year(std::int64_t local_seconds);
/// Hours that start before the 29th of February of the year, where one is to come: that day repeats the hours of the 28th.
[[nodiscard]] std::int64_t hours_to_leap_day(std::int64_t local_seconds);

/// One zone's offset along a walk through time; looks up the zone only at its transitions.
class ZoneClock {
public:
    explicit ZoneClock(std::string name) : name_(std::move(name)) {}

    /// Local seconds at t, which may not go back.
    std::int64_t local(std::int64_t t) {
        if (t >= offset_.until) {
            offset_ = offset_at(name_, t);
        }
        return t + offset_.seconds;
    }
    /// The first instant at which the offset may differ; valid after local(t).
    [[nodiscard]] std::int64_t until() const { return offset_.until; }

private:
    std::string name_;
    ZoneOffset offset_{0, INT64_MIN};
};

/// For each curve the zone it is read in, as an index into the distinct zones.
struct Zones {
    std::vector<ZoneClock> clocks;
    std::vector<std::size_t> of_curve;
};

[[nodiscard]] Zones distinct_zones(const std::vector<HourlyCurve>& curves);

} // namespace costcurve::model
