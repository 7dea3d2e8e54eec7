// Price indices as FRED publishes them: a date and the index. The curve is of kind `price`: the price by date of what costs 1 on
// the option's date, so that it can be read wherever a price of a date can.
#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "server/import/curves.hpp"
#include "server/import/prices/prices.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/read_rows.hpp"

namespace costcurve::imports {

namespace {

using model::Code;

// The index at a day: of the last date at or before it.
double value_at(const model::Curve& curve, double day) {
    double value = 0.0;
    for (std::size_t i = 0; i < curve.x.size() && curve.x[i] <= day; ++i) {
        value = curve.y[i];
    }
    return value;
}

} // namespace

HardError read_price_index(Bytes& bytes, const Options& options, Report& report) {
    Table table(bytes);
    table.set_currency(options.currency);
    const Column date = table.column({"observation_date", "DATE"});
    if (!table.error() && (!date || table.header().size() != 2)) {
        table.fail(Code::missing, 1, "two columns are needed: observation_date, and the index under the name of its series");
    }
    const Column index{date.index == 0 ? 1 : 0};
    model::Curve curve = price_curve(); // an index holds for its month
    const auto read_row = [&]() -> std::string {
        const std::optional<Moment> moment = parse_moment(table.text(date));
        const Number value = table.text(index) == "." ? Number{} : table.amount(index); // FRED's blank
        if (moment && value.state == Number::State::blank) {
            ++report.skipped;
        } else if (!moment || value.value <= 0) {
            return fmt::format("\"{}\", \"{}\": a date and an index above 0 are needed", table.text(date), table.shown(index));
        } else if (!curve.x.empty() && day_of(*moment) <= curve.x.back()) {
            return fmt::format("{} is not after the date before it", table.text(date));
        } else {
            append_point(curve, day_of(*moment), value.value);
        }
        return "";
    };
    if (HardError error = each_row(table, report, read_row)) {
        return error;
    }
    double day = 0.0;
    const double base = model::parse_date(options.date, day) ? value_at(curve, day) : 0.0;
    if (base <= 0) {
        return hard_error(Code::outside_curve, 0, fmt::format("date is {}; the index has no value at or before it", options.date));
    }
    for (double& value : curve.y) {
        value /= base;
    }
    const std::string& series = table.header()[static_cast<std::size_t>(index.index)];
    curve.currency = options.currency;
    curve.id = options.id.empty() ? make_id({"price-index", series, "base-" + options.date}) : options.id;
    curve.source = source_of(options, series);
    curve.note = fmt::format("The price by date of what costs 1 on {}: index / {}, the index then. Each holds until the next.",
                             options.date, base);
    report.add(std::move(curve));
    return std::nullopt;
}

} // namespace costcurve::imports
