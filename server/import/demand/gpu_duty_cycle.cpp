// Reads samples of GPU utilization in percent as a utilization curve over the hours of the day or the week, with its spread.
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "server/import/demand/week_hours.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/numbers.hpp"
#include "server/import/text/read_rows.hpp"
#include "server/import/text/string_pool.hpp"

namespace costcurve::imports {

namespace {

constexpr std::size_t kMaxSources = 100'000;

// The current hour of one container, pod or GPU.
struct Source {
    double previous = -1.0;
    double previous_value = 0.0;
    double hour = 0.0; // since 1970, local
    double sum = 0.0;
    double samples = 0.0;
};

class Duty {
public:
    Duty(const Options& options, Report& report) : clock(options, 1.0), options_(options), report_(report) {}
    FileClock clock;

    // Adds a sample. Gives the reason if it can't be used, else "".
    std::string add(std::string_view name, double seconds, double fraction, std::size_t row) {
        auto found = sources_.find(name);
        if (found == sources_.end()) {
            if (sources_.size() == kMaxSources) {
                return fmt::format("it is of more than {} sources", kMaxSources);
            }
            found = sources_.emplace(name, Source{}).first;
        }
        Source& source = found->second;
        if (seconds == source.previous) {
            if (fraction != source.previous_value) {
                return "there is another value of the same moment and source above";
            }
            ++report_.skipped;
            return "";
        }
        if (seconds < source.previous) {
            return "its time is before that of a row above; sort the file by time";
        }
        const double local = clock.local(seconds);
        const double hour = std::floor(local / kSecondsPerHour);
        if (hour != source.hour) {
            end_hour(source);
            source.hour = hour;
        }
        source.previous = seconds;
        source.previous_value = fraction;
        source.sum += fraction;
        source.samples += 1.0;
        const auto place = static_cast<std::size_t>(week_hour(local));
        sums_[place] += fraction;
        samples_[place] += 1.0;
        largest_ = std::max(largest_, fraction);
        window_.add(seconds, row);
        ++count_;
        return "";
    }

    HardError end() {
        if (count_ == 0) {
            return hard_error(model::Code::missing, 0, fmt::format("none of its {} rows can be used", report_.rows));
        }
        if (HardError error = window_.error()) {
            return error;
        }
        for (auto& [name, source] : sources_) {
            end_hour(source);
        }
        if (largest_ > 0.0 && largest_ <= kFractionPerPercent) {
            report_.warnings.add(0, "no value is above 1: they are read as percent; are they fractions?");
        }
        const HourShape shape = shape_of(sums_, samples_, least_samples(samples_), window_.seconds(), clock.is_anchored());
        if (shape.y.size() == 1) {
            report_.warnings.add(
                0, "fewer than 20 hours of the day are in it: no shape over the day is known from it, the curve is flat");
        }
        report_.add(curve_of(
            shape, model::CurveKind::utilization, 1.0, options_.id, options_,
            fmt::format("{} samples of {} sources from {} to {} ({:.2f} h, {}): mean {:.4g}, of the hours {:.4g}, {}. {}", count_,
                        sources_.size(), clock.text(window_.first), clock.text(window_.last), window_.seconds() / kSecondsPerHour,
                        clock.describe(), mean_of_samples(), shape.mean, spread(shape), describe(shape, clock))));
        return std::nullopt;
    }

private:
    // Ends a source's current hour and adds its mean to the hour of the week.
    void end_hour(Source& source) {
        if (source.samples > 0.0) {
            const double mean = source.sum / source.samples;
            const auto place = static_cast<std::size_t>(week_hour(source.hour * kSecondsPerHour));
            means_[place] += mean;
            squares_[place] += mean * mean;
            hours_[place] += 1.0;
        }
        source.sum = 0.0;
        source.samples = 0.0;
    }

    [[nodiscard]] double mean_of_samples() const {
        return std::accumulate(sums_.begin(), sums_.end(), 0.0) / std::accumulate(samples_.begin(), samples_.end(), 0.0);
    }

    // Standard deviation around the mean of the hour, over sources and days, as text.
    [[nodiscard]] std::string spread(const HourShape& shape) const {
        const std::size_t period = shape.axis == model::Axis::hour_of_week ? kHoursPerWeek : 24;
        double inside = 0.0; // sums of squares within the hours, and their degrees of freedom
        double freedom = 0.0;
        for (std::size_t hour = 0; hour < period; ++hour) {
            double sum = 0.0;
            double square = 0.0;
            double count = 0.0;
            for (std::size_t at = hour; at < hours_.size(); at += period) {
                sum += means_[at];
                square += squares_[at];
                count += hours_[at];
            }
            if (count > 0.0) {
                inside += std::max(square - sum * sum / count, 0.0);
                freedom += count - 1.0;
            }
        }
        return freedom > 0.0
                   ? fmt::format("standard deviation {:.4g} between the sources and days of an hour", std::sqrt(inside / freedom))
                   : "its spread is unknown: one source, and no hour twice";
    }

    const Options& options_;
    Report& report_;
    TextMap<Source> sources_;
    Window window_;
    WeekHours sums_{}; // over samples
    WeekHours samples_{};
    WeekHours means_{}; // over hourly means of the sources
    WeekHours squares_{};
    WeekHours hours_{};
    double largest_ = 0.0;
    std::size_t count_ = 0;
};

} // namespace

HardError read_gpu_duty_cycle(Bytes& bytes, const Options& options, Report& report) {
    Table table(bytes);
    const Column time = table.column({"timestamp", "timestamp_anon", "time"});
    const Column value = table.column({"value", "duty_cycle", "gpu_duty_cycle", "gpu_util"});
    const Column source = table.column({"container_ip", "container", "pod", "gpu", "instance"});
    if ((!time && !table.require({"timestamp"})) || (!value && !table.require({"value"})) ||
        (!source && !table.require({"container_ip"}))) {
        return table.error();
    }
    if (!table.column("timestamp") && table.column("timestamp_anon")) {
        report.warnings.add(1, "its times are anonymised: the hours of the day may be shifted from those it happened in");
    }
    Duty duty(options, report);
    const HardError error = each_row(table, report, [&]() -> std::string {
        const Number percent = table.number(value);
        std::string problem;
        const std::optional<double> seconds = duty.clock.read(table.text(time), problem);
        if (!seconds) {
            return fmt::format("its time {}", problem);
        }
        if (percent.state == Number::State::blank) {
            return "value is blank: it is unknown, not 0";
        }
        if (!percent || percent.value < 0.0 || percent.value > 100.0) {
            return "value is no number from 0 to 100 percent";
        }
        return table.text(source).empty()
                   ? "it has no container: whose value is it?"
                   : duty.add(table.text(source), *seconds, percent.value * kFractionPerPercent, table.row());
    });
    return error ? error : duty.end();
}

} // namespace costcurve::imports
