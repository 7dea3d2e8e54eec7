// Samples in answers: what became of them, and means and deviations by hour, from sums.
#include "server/actuals/samples.hpp"

#include <algorithm>
#include <cmath>

namespace costcurve::actuals {

HourAnswer hour_answer(const storage::HourRow& row) {
    HourAnswer hour{.source = row.key.source,
                    .device = row.key.device,
                    .metric = row.key.metric,
                    .hour = storage::format_time(row.hour * kMicrosecondsPerHour),
                    .count = row.count,
                    .mean = {},
                    .sd = {},
                    .minimum = row.minimum,
                    .maximum = row.maximum,
                    .sum = row.sum,
                    .increase = row.increase};
    const auto n = static_cast<double>(row.count);
    if (row.sum && row.count > 0) {
        hour.mean = *row.sum / n;
        if (row.squares && row.count > 1) { // rounding can leave a little below 0
            hour.sd = std::sqrt(std::max(0.0, (*row.squares - *row.sum * *hour.mean) / (n - 1)));
        }
    }
    return hour;
}

} // namespace costcurve::actuals
