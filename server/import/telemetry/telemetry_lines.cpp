// Samples as JSON lines, each parsed by itself with one parser that reuses its buffers.
#include "server/import/telemetry/telemetry_lines.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "server/import/telemetry/telemetry_metrics.hpp"
#include "server/import/text/json.hpp"
#include "server/import/text/lines.hpp"
#include "server/import/text/numbers.hpp"
#include "server/import/text/utf8.hpp"

namespace costcurve::imports {

namespace {

constexpr double kSecondsEnd = 1e11; // Unix times below it are seconds (until the year 5138), above it milliseconds (since 1973)
constexpr std::size_t kMaxStrangers = 20;
constexpr std::size_t kMaxMetrics = 16;
constexpr std::size_t kMaxProblems = 1000;

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t") == std::string_view::npos; }

class LinesReader {
public:
    explicit LinesReader(Report& report) : report_(report) {
        for (const MetricRow& row : telemetry_metrics()) {
            samples_.emplace_back().metric = row.name;
        }
    }

    void read(std::string_view line, std::size_t row) {
        ++report_.rows;
        row_ = row;
        problems_.clear();
        readings_ = 0;
        seen_ = 0;
        time_ms_ = 0;
        simdjson::dom::object object;
        const simdjson::error_code error = parser_.parse(line.data(), line.size()).get(object);
        if (error != simdjson::SUCCESS) {
            ++malformed_;
            first_malformed_ = first_malformed_ == 0 ? row : first_malformed_;
            report_.rejected.add(row, fmt::format("it is no JSON object: {}", simdjson::error_message(error)));
            return;
        }
        std::string_view source;
        std::string_view device;
        for (const auto field : object) {
            take(field.key, field.value, source, device);
        }
        check(source);
        if (!problems_.empty()) {
            report_.rejected.add(row, problems_);
        } else if (readings_ == 0) {
            ++report_.skipped; // every metric is null
        } else {
            give(source, device);
        }
    }

    [[nodiscard]] HardError end() const {
        if (report_.rows == 0) {
            return hard_error(model::Code::missing, 0, "it is empty: one JSON object a line is needed");
        }
        if (malformed_ == report_.rows) {
            return hard_error(model::Code::bad_format, first_malformed_,
                              "it is no JSON object, and no other line is: one a line is needed");
        }
        return std::nullopt;
    }

private:
    void wrong(std::string_view problem) {
        if (problems_.size() < kMaxProblems) {
            problems_ += problems_.empty() ? "" : "; ";
            problems_ += problem;
        }
    }

    // One member of the object. The bit of each name says that it was there.
    void take(std::string_view name, const Json& value, std::string_view& source, std::string_view& device) {
        static constexpr auto kNames = std::to_array<std::string_view>({"time", "source", "device"});
        const std::span<const MetricRow> metrics = telemetry_metrics();
        const MetricRow* const metric = find_metric(name);
        const auto place = static_cast<std::size_t>(std::find(kNames.begin(), kNames.end(), name) - kNames.begin());
        if (metric == nullptr && place == kNames.size()) {
            warn_of(name);
            return;
        }
        const std::size_t bit = metric == nullptr ? place : kNames.size() + static_cast<std::size_t>(metric - metrics.data());
        if ((seen_ >> bit & 1U) != 0) {
            wrong(fmt::format("{} is there twice", name));
            return;
        }
        seen_ |= 1U << bit;
        if (metric != nullptr) {
            take_reading(*metric, static_cast<std::size_t>(metric - metrics.data()), value);
        } else if (name == "time") {
            take_time(value);
        } else if (!value.is_null() && value.get(name == "source" ? source : device) != simdjson::SUCCESS) {
            wrong(fmt::format("{} must be a text", name));
        }
    }

    void take_reading(const MetricRow& metric, std::size_t place, const Json& value) {
        double number = 0.0;
        if (value.is_null()) {
            return;
        }
        if (value.get(number) != simdjson::SUCCESS) {
            wrong(fmt::format("{} must be a number or null", metric.name));
        } else if (number < metric.low || number > metric.high) {
            wrong(fmt::format("{} is {}; allowed {} to {} {}", metric.name, number, metric.low, metric.high, metric.unit));
        } else {
            samples_[place].value = number;
            read_[readings_++] = place;
        }
    }

    void take_time(const Json& value) {
        double number = 0.0;
        std::string_view text;
        if (value.get(number) == simdjson::SUCCESS) {
            time_ms_ = to_ms(number < kSecondsEnd ? number * kMsPerSecond : number);
        } else if (value.get(text) == simdjson::SUCCESS) {
            const std::optional<Moment> moment = parse_moment(text);
            if (!moment) {
                wrong(fmt::format("time is {}; RFC 3339 such as 2026-11-20T12:00:00Z is needed", clipped(text)));
                return;
            }
            if (!moment->has_zone) {
                wrong(fmt::format("time is {}, without its zone; end it with Z or +02:00", text));
                return;
            }
            time_ms_ = to_ms(moment->seconds * kMsPerSecond);
        } else {
            wrong("time must be RFC 3339 or Unix seconds or milliseconds");
            return;
        }
        if (time_ms_ < kOldestSample || time_ms_ > kNewestSample) {
            wrong("time is not between 1974 and 2199");
        }
    }
    // What is out of range becomes 0, which is before every sample.
    static std::int64_t to_ms(double ms) {
        return ms >= static_cast<double>(kOldestSample) && ms <= static_cast<double>(kNewestSample) ? std::llround(ms) : 0;
    }

    void check(std::string_view source) {
        if ((seen_ & 1U) == 0) {
            wrong("time is missing");
        }
        if (source.empty()) {
            wrong("source is missing: which device is it of?");
        } else if (source.size() > kMaxSource) {
            wrong(fmt::format("source is longer than {} bytes", kMaxSource));
        } else if (source.find('\0') != std::string_view::npos) {
            wrong("source has the character U+0000, which not every store can keep; leave it out");
        }
        if (seen_ < 8U) {
            wrong("it has no metric: power_w, utilization or another is needed");
        }
    }

    void warn_of(std::string_view name) {
        if (strangers_.size() < kMaxStrangers && strangers_.insert(std::string(name)).second) {
            report_.warnings.add(row_, fmt::format("{} is no metric that is known; left out wherever it stands", clipped(name)));
        }
    }

    void give(std::string_view source, std::string_view device) {
        const std::string& id = names_.id_of(device, true, row_, report_);
        for (std::size_t i = 0; i < readings_ && report_.on_sample; ++i) {
            Sample& sample = samples_[read_[i]];
            sample.source = source;
            sample.device = id;
            sample.time_ms = time_ms_;
            sample.row = row_;
            report_.on_sample(sample);
        }
    }

    Report& report_;
    simdjson::dom::parser parser_;
    DeviceNames names_;
    std::set<std::string> strangers_;
    std::vector<Sample> samples_; // one a metric, in the table's order
    std::array<std::size_t, kMaxMetrics> read_{};
    std::size_t readings_ = 0; // of this line
    std::uint32_t seen_ = 0;
    std::int64_t time_ms_ = 0;
    std::string problems_;
    std::size_t row_ = 0;
    std::size_t malformed_ = 0;
    std::size_t first_malformed_ = 0;
};

} // namespace

HardError read_telemetry_lines(Bytes& bytes, Report& report) {
    Lines lines(bytes);
    LinesReader reader(report);
    while (lines.next()) {
        if (!is_blank(lines.text())) {
            reader.read(lines.text(), lines.row());
        }
    }
    return lines.error() ? lines.error() : reader.end();
}

} // namespace costcurve::imports
