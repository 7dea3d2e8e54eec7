// Cron expressions of five fields: parsing, and next ticks in a time zone. Pure: knows no clock.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/documents/failure.hpp"

namespace costcurve::documents {

/// Each field as its set of matching values.
struct Cron {
    std::bitset<60> minutes;
    std::bitset<24> hours;
    std::bitset<32> days;    ///< of the month, from 1
    std::bitset<13> months;  ///< from 1
    std::bitset<7> weekdays; ///< from sunday, 0
    bool either_day = false; ///< day-of-month and day-of-week are both restricted: one of them is enough
    [[nodiscard]] bool is_hourly() const { return hours.all(); }
};

/// Reads `minute hour day-of-month month day-of-week`: `*`, numbers, lists `1,15`, ranges `1-5`, steps `*/15` and `8-18/2`, names
/// `jan` to `dec` and `sun` to `sat` in any case, 7 for sunday; or @hourly, @daily, @midnight, @weekly, @monthly, @yearly,
/// @annually. As in Vixie cron a day field that begins with * does not count as restricted. Every field that is wrong is an issue
/// at `pointer`, and so is a day that no month has (30 February).
[[nodiscard]] model::Result<Cron> parse_cron(std::string_view text, const std::string& pointer = "/cron");

/// The first tick after `after`, both in Unix seconds; ticks are at whole minutes of local time. When clocks change, an expression
/// that matches every hour follows elapsed time: it runs at each existing matching minute, twice in a repeated hour and not at all
/// for a skipped hour. An expression of certain hours follows local time: a skipped time runs once right after the change (several
/// such times together once), and a repeated time runs the first time only. Nothing if no tick comes within 40 years. `zone` is a
/// time zone by model::is_time_zone. Cost: some steps for each month without a tick.
[[nodiscard]] std::optional<std::int64_t> next_tick(const Cron& cron, const std::string& zone, std::int64_t after);

/// The ticks after `after` up to and including `until`; at most the first `most`.
[[nodiscard]] std::vector<std::int64_t> ticks_between(const Cron& cron, const std::string& zone, std::int64_t after,
                                                      std::int64_t until, std::size_t most);

/// RFC 3339 in the zone's own time: 2026-03-29T03:00:00+02:00.
[[nodiscard]] std::string local_time(const std::string& zone, std::int64_t unix_seconds);

} // namespace costcurve::documents
