// Hourly prices of a year, one number a line (NREL SAM's time series): a tariff over the hour of the year.
#include <fmt/format.h>

#include "server/import/curves.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/lines.hpp"
#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

namespace {

constexpr std::size_t kHoursOfYear = 8760;
constexpr std::size_t kLeapHours = kHoursOfYear + 24;

} // namespace

HardError read_hourly_prices(Bytes& bytes, const Options& options, Report& report) {
    model::Curve curve = empty_curve(model::CurveKind::tariff, model::Axis::hour_of_year, options.id, source_of(options));
    curve.interpolation = model::Interpolation::step;
    curve.currency = options.currency;
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
        if (curve.x.size() < kHoursOfYear) {
            append_point(curve, static_cast<double>(curve.x.size()), price.value / kKwhPerMwh);
        }
    }
    if (lines.error()) {
        return lines.error();
    }
    if (report.rows != kHoursOfYear) {
        return hard_error(model::Code::bad_format, 0,
                          fmt::format("the file has {} prices; a year has {} hours{}", report.rows, kHoursOfYear,
                                      report.rows == kLeapHours ? ": leave out the 24 of 29 February" : ""));
    }
    report.add(std::move(curve));
    return std::nullopt;
}

} // namespace costcurve::imports
