// Reads a year of prices per hour, half hour or quarter hour, one number per line (NREL SAM's time series), as a tariff over the
// hour of the year.
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "server/import/curves.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/lines.hpp"
#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

namespace {

constexpr std::size_t kHoursOfYear = 8760;
constexpr std::size_t kLeapHours = kHoursOfYear + 24;
constexpr std::size_t kPricesOfHour = 4; // maximum

bool is_part(std::size_t prices) { return prices == 1 || prices == 2 || prices == kPricesOfHour; }

} // namespace

HardError read_hourly_prices(Bytes& bytes, const Options& options, Report& report) {
    model::Curve curve = empty_curve(model::CurveKind::tariff, model::Axis::hour_of_year, options.id, source_of(options));
    curve.interpolation = model::Interpolation::step;
    curve.currency = options.currency;
    std::vector<double> prices;
    Lines lines(bytes);
    while (lines.next()) {
        const Number price = parse_number(lines.text(), DecimalMark::unsaid);
        if (price.state == Number::State::blank) {
            continue;
        }
        if (!price) {
            lines.fail(model::Code::bad_format,
                       "it is not a number: one price a line is needed, per MWh, with a point as decimal mark");
            break;
        }
        ++report.rows;
        if (report.rows <= kPricesOfHour * kHoursOfYear) {
            prices.push_back(price.value / kKwhPerMwh);
        }
    }
    if (lines.error()) {
        return lines.error();
    }
    const std::size_t of_an_hour = report.rows % kLeapHours == 0 ? report.rows / kLeapHours : report.rows / kHoursOfYear;
    if (report.rows % kHoursOfYear != 0 || !is_part(of_an_hour)) {
        const bool is_leap = report.rows % kLeapHours == 0 && is_part(of_an_hour);
        return hard_error(model::Code::bad_format, 0,
                          fmt::format("the file has {} prices; a year has {} hours{}", report.rows, kHoursOfYear,
                                      is_leap ? fmt::format(": leave out the {} of 29 February", 24 * of_an_hour)
                                              : ", of which each may have one, two or four"));
    }
    for (std::size_t hour = 0; hour < kHoursOfYear; ++hour) {
        const auto first = prices.begin() + static_cast<std::ptrdiff_t>(hour * of_an_hour);
        const double sum = std::accumulate(first, first + static_cast<std::ptrdiff_t>(of_an_hour), 0.0);
        append_point(curve, static_cast<double>(hour), sum / static_cast<double>(of_an_hour));
    }
    if (of_an_hour > 1) {
        curve.note = fmt::format("Means of {} prices an hour.", of_an_hour);
    }
    report.add(std::move(curve));
    return std::nullopt;
}

} // namespace costcurve::imports
