// Reads hourly carbon intensity of a grid (Electricity Maps' CSV). Each whole year gives a curve over the hour of the year; less
// than a year gives the mean by hour of the day. Direct and life-cycle emissions become separate curves, since they must not be
// mixed.
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <vector>

#include <cctz/time_zone.h>
#include <fmt/format.h>

#include "model/documents/calendar.hpp"
#include "server/import/curves.hpp"
#include "server/import/energy/price_years.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/numbers.hpp"
#include "server/import/text/read_rows.hpp"

namespace costcurve::imports {

namespace {

constexpr double kMaxHourlyIntensity = 1e5; // g/kWh, as carbon curves allow
constexpr int kHoursOfMeanDay = 24;

// A kind of emissions, recognized by its column's name.
struct CarbonKind {
    std::string_view word; // part of the column's name, in lower case
    std::string_view name; // suffix of the curve's id
};
constexpr auto kCarbonKinds = std::to_array<CarbonKind>({{"direct", "direct"}, {"life", "life-cycle"}, {"lca", "life-cycle"}});

class HourlyCarbonReader {
public:
    HourlyCarbonReader(Table& table, const Options& options, Report& report)
        : table_(table), options_(options), report_(report), time_(table.column_that_begins("Datetime (UTC")),
          zone_(table.column({"Zone id", "Zone key", "zone"})), estimated_(table.column("Data estimated")) {
        for (std::size_t i = 0; i < table.header().size(); ++i) {
            const std::string name = lower(table.header()[i]);
            if (name.find("carbon intensity") == std::string::npos || name.find("/kwh") == std::string::npos) {
                continue;
            }
            for (const CarbonKind& kind : kCarbonKinds) {
                if (name.find(kind.word) != std::string::npos && !series_.contains(kind.name)) {
                    series_.emplace(kind.name, Series{{static_cast<int>(i)}, PriceYears(options.time_zone), {}});
                    break;
                }
            }
        }
        cctz::load_time_zone(options.time_zone, &local_);
    }

    [[nodiscard]] bool has_columns() const { return time_ && !series_.empty(); }

    std::string read_row() {
        const std::string zone(table_.text(zone_));
        if (!options_.region.empty() && zone_ && lower(zone) != lower(options_.region)) {
            ++report_.skipped;
            return "";
        }
        zones_.insert(zone);
        if (zones_.size() > 1) {
            table_.fail(model::Code::inconsistent, table_.row(),
                        fmt::format("the file has figures of {} and of {}; name one as region", *zones_.begin(), *zones_.rbegin()));
            return "";
        }
        const std::optional<Moment> moment = parse_moment(table_.text(time_));
        if (!moment) {
            return fmt::format("time is \"{}\"; give it as YYYY-MM-DD HH:MM", table_.text(time_));
        }
        estimates_ += lower(table_.text(estimated_)) == "true" ? 1U : 0U;
        std::string problem;
        for (auto& [name, series] : series_) {
            const Number value = table_.number(series.column);
            if (!value || value.value < 0.0 || value.value > kMaxHourlyIntensity) {
                problem =
                    fmt::format("the carbon intensity ({}) is {}; allowed 0 to {} g/kWh", name,
                                value.state == Number::State::blank ? "blank" : table_.text(series.column), kMaxHourlyIntensity);
                continue;
            }
            problem = problem.empty() ? add(series, static_cast<std::int64_t>(moment->seconds), value.value) : problem;
        }
        return problem;
    }

    HardError finish() {
        if (estimates_ > 0) {
            report_.warnings.add(0, fmt::format("{} of {} hours are estimated by the publisher", estimates_, report_.rows));
        }
        bool any = false;
        for (auto& [name, series] : series_) {
            any = give(name, series) || any;
        }
        return any ? HardError() : HardError(hard_error(model::Code::missing, 0, "no row has a time and a carbon intensity"));
    }

private:
    struct Series {
        Column column;
        PriceYears years;
        std::map<int, std::vector<double>> by_hour; // by hour of the local day
    };

    std::string add(Series& series, std::int64_t when, double grams) {
        switch (series.years.add(when, grams)) {
        case PriceYears::Added::yes:
            break;
        case PriceYears::Added::again:
            return "";
        case PriceYears::Added::other_price:
            return fmt::format("{} has another figure in a row above", table_.text(time_));
        case PriceYears::Added::no_quarter:
            return fmt::format("time is \"{}\"; figures are those of hours", table_.text(time_));
        case PriceYears::Added::too_many_years:
            return "there are more than 100 years in the file";
        }
        const auto civil = cctz::convert(cctz::time_point<cctz::seconds>(cctz::seconds(when)), local_);
        series.by_hour[civil.hour()].push_back(grams);
        return "";
    }

    // Adds a curve for each whole year, else the mean day over all rows.
    bool give(std::string_view name, const Series& series) {
        const TariffText text{options_.id, source_of(options_, zones_.empty() ? "" : *zones_.begin()), options_.time_zone, ""};
        const std::string what = fmt::format("Carbon intensity of the grid{}, {} emissions, in g/kWh",
                                             zones_.empty() || zones_.begin()->empty() ? "" : " of " + *zones_.begin(),
                                             name == "direct" ? "direct" : "life-cycle");
        bool any = false;
        std::string lacks;
        series.years.each(
            [&](const PriceYear& year) {
                model::Curve curve = series.years.year_tariff(year, text);
                curve.kind = model::CurveKind::carbon;
                curve.id = make_id({fmt::format("{}-{}", options_.id, year.number), name});
                curve.note = fmt::format("{}: local hours of {} in {}.{}", what, options_.time_zone, year.number, year.filled);
                if (!year.filled.empty()) {
                    report_.warnings.add(0, fmt::format("{}:{}", year.number, year.filled));
                }
                report_.add(std::move(curve));
                any = true;
            },
            [&](std::string why) { lacks = lacks.empty() ? std::move(why) : lacks; });
        if (any || series.by_hour.size() < kHoursOfMeanDay) {
            return any;
        }
        report_.warnings.add(0, fmt::format("{}; the mean of each hour of the day is given instead", lacks));
        model::Curve curve =
            empty_curve(model::CurveKind::carbon, model::Axis::hour_of_day, make_id({options_.id, "hour-of-day", name}),
                        text.source, fmt::format("{}: the mean of each local hour ({}).", what, options_.time_zone));
        curve.interpolation = model::Interpolation::step;
        for (const auto& [hour, grams] : series.by_hour) {
            double sum = 0.0;
            for (const double one : grams) {
                sum += one;
            }
            append_point(curve, hour, sum / static_cast<double>(grams.size()));
        }
        report_.add(std::move(curve));
        return true;
    }

    Table& table_;
    const Options& options_;
    Report& report_;
    Column time_, zone_, estimated_;
    std::map<std::string_view, Series> series_; // by the kind's name
    std::set<std::string> zones_;
    std::size_t estimates_ = 0;
    cctz::time_zone local_;
};

} // namespace

HardError read_hourly_carbon(Bytes& bytes, const Options& options, Report& report) {
    Table table(bytes);
    HourlyCarbonReader reader(table, options, report);
    if (table.error()) {
        return table.error();
    }
    if (!reader.has_columns()) {
        return hard_error(model::Code::missing, 1,
                          "columns \"Datetime (UTC)\" and \"Carbon intensity … /kWh (direct)\" or \"(Life cycle)\" are needed");
    }
    return read_rows(table, report, reader, "hours");
}

} // namespace costcurve::imports
