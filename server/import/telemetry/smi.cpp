// Samples of nvidia-smi and rocm-smi, both tables with a header, by a table of columns and metrics.
#include "server/import/telemetry/smi.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <vector>

#include <cctz/civil_time.h>
#include <cctz/time_zone.h>
#include <fmt/format.h>

#include "model/documents/text.hpp"
#include "server/import/telemetry/telemetry_metrics.hpp"
#include "server/import/text/lines.hpp"
#include "server/import/text/numbers.hpp"
#include "server/import/text/utf8.hpp"

namespace costcurve::imports {

namespace {

struct ColumnRow {
    std::string_view column;
    std::string_view unit; ///< as the header or the second line has it
    std::string_view metric;
    double factor; ///< from the unit to the metric's
};
// Of several of one metric the first.
constexpr auto kCsvColumns = std::to_array<ColumnRow>({
    {"power.draw.instant", "W", "power_w", 1.0},
    {"power.draw", "W", "power_w", 1.0},
    {"power.draw.average", "W", "power_w", 1.0},
    {"utilization.gpu", "%", "utilization", kFractionPerPercent},
    {"temperature.gpu", "", "temperature_c", 1.0},
    {"memory.used", "MiB", "memory_used_gib", 1.0 / 1024.0},
});
// amd-smi prints no units: W, percent, degrees Celsius, MiB. Of `monitor`, and of `metric`.
constexpr auto kAmdColumns = std::to_array<ColumnRow>({
    {"power_usage", "", "power_w", 1.0},
    {"socket_power", "", "power_w", 1.0},
    {"gfx", "", "utilization", kFractionPerPercent},
    {"gfx_activity", "", "utilization", kFractionPerPercent},
    {"hotspot_temperature", "", "temperature_c", 1.0},
    {"hotspot", "", "temperature_c", 1.0},
    {"vram_used", "", "memory_used_gib", 1.0 / 1024.0},
    {"used_vram", "", "memory_used_gib", 1.0 / 1024.0},
});
constexpr auto kDmonColumns = std::to_array<ColumnRow>({
    {"pwr", "W", "power_w", 1.0},
    {"sm", "%", "utilization", kFractionPerPercent},
    {"gtemp", "C", "temperature_c", 1.0},
    {"fb", "MB", "memory_used_gib", 1.0 / 1024.0},
});
constexpr auto kCardColumns =
    std::to_array<std::string_view>({"uuid", "gpu_uuid", "pci.bus_id", "gpu_bus_id", "serial", "gpu_serial", "index", "gpu"});
constexpr auto kNameColumns = std::to_array<std::string_view>({"name", "gpu_name"});

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    return first == std::string_view::npos ? std::string_view() : text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

void split_commas(std::string_view line, std::vector<std::string_view>& cells) {
    cells.clear();
    for (std::size_t begin = 0; begin <= line.size();) {
        const std::size_t end = std::min(line.find(',', begin), line.size());
        cells.push_back(trimmed(line.substr(begin, end - begin)));
        begin = end + 1;
    }
}

void split_spaces(std::string_view line, std::vector<std::string_view>& cells) {
    cells.clear();
    for (std::size_t begin = line.find_first_not_of(" \t"); begin != std::string_view::npos;) {
        const std::size_t end = std::min(line.find_first_of(" \t", begin), line.size());
        cells.push_back(line.substr(begin, end - begin));
        begin = line.find_first_not_of(" \t", end);
    }
}

// Parses "72.28 W", or "72.28" of a column in W. Blank without a reading, bad with another unit.
Number reading_of(std::string_view cell, std::string_view unit) {
    if (cell.starts_with('[') || cell == "N/A" || cell == "-") {
        return {};
    }
    const std::size_t space = cell.find(' ');
    if (space != std::string_view::npos && trimmed(cell.substr(space)) != unit) {
        return {Number::State::bad, 0.0};
    }
    return parse_number(cell.substr(0, space));
}

// Where a card's readings stand in a row.
struct Layout {
    struct Reading {
        std::size_t cell;
        const ColumnRow* row;
    };
    std::vector<Reading> readings;
    std::size_t time = std::string::npos; ///< of dmon the cell of the date; the time is behind it
    std::size_t card = std::string::npos;
    std::size_t name = std::string::npos;
    std::size_t partition = std::string::npos; ///< xcp of amd-smi; the first has the card's power
    std::size_t cells = 0;
};

constexpr std::size_t kMaxPauses = 10'000;

class SmiReader {
public:
    SmiReader(const SmiOptions& options, Report& report)
        : options_(options), host_(options.source.empty() ? "nvidia-smi" : options.source), report_(report),
          has_zone_(!options.time_zone.empty() && cctz::load_time_zone(options.time_zone, &zone_)) {}

    HardError read(Lines& lines) {
        while (lines.next()) {
            const std::string_view line = trimmed(lines.text());
            if (line.empty() || line.starts_with("'CTRL'")) { // to end amd-smi's watching
                continue;
            }
            row_ = lines.row();
            if (!has_header_ || line.starts_with('#')) {
                if (HardError error = read_header(line)) {
                    return error;
                }
                continue;
            }
            is_dmon_ ? split_spaces(line, cells_) : split_commas(line, cells_);
            read_row();
        }
        if (!lines.error() && report_.rows == 0) {
            return hard_error(model::Code::missing, 0,
                              has_header_ ? "it has no rows below its header (lines end with LF, or CR and LF)"
                                          : "it is empty: the rows of nvidia-smi are needed");
        }
        if (!lines.error() && has_rows_of_several_cards()) {
            return hard_error(model::Code::inconsistent, 0,
                              "its rows come several at a time, and no column tells their cards apart: add uuid to --query-gpu");
        }
        return lines.error();
    }

private:
    // dmon prints its two header lines again and again; the second has the units.
    HardError read_header(std::string_view line) {
        if (line.starts_with('#')) {
            split_spaces(line.substr(1), cells_);
            if (!is_dmon_ || cells_.front() == "Date" || cells_.front() == "gpu") {
                is_dmon_ = true;
                names_.assign(cells_.begin(), cells_.end());
                return std::nullopt;
            }
            std::vector<std::string> units(cells_.begin(), cells_.end());
            return lay_out(kDmonColumns, units);
        }
        if (is_dmon_) {
            return hard_error(model::Code::bad_format, row_, "the line of units that dmon prints below its names is missing");
        }
        split_commas(line, cells_);
        std::vector<std::string> units;
        names_.clear();
        for (const std::string_view cell : cells_) {
            const std::size_t bracket = cell.find('[');
            const std::size_t end = cell.find(']');
            const bool has_unit = bracket != std::string_view::npos && end != std::string_view::npos && end > bracket;
            names_.emplace_back(trimmed(cell.substr(0, bracket)));
            units.emplace_back(has_unit ? cell.substr(bracket + 1, end - bracket - 1) : "");
        }
        const bool is_amd =
            std::ranges::any_of(kAmdColumns, [&](const ColumnRow& row) { return place_of(row.column) != std::string::npos; });
        if (is_amd && options_.source.empty()) {
            host_ = "amd-smi";
        }
        is_by_epoch_ = is_amd;
        return is_amd ? lay_out(kAmdColumns, units) : lay_out(kCsvColumns, units);
    }

    HardError lay_out(std::span<const ColumnRow> columns, const std::vector<std::string>& units) {
        layout_ = {};
        layout_.cells = names_.size();
        layout_.time = place_of(is_dmon_ ? std::string_view("Date") : "timestamp");
        if (layout_.time == std::string::npos) {
            return hard_error(model::Code::missing, row_,
                              is_dmon_
                                  ? "its rows have no date; print them with nvidia-smi dmon -o DT"
                                  : "it has no column timestamp; add it to --query-gpu, and leave out noheader; amd-smi monitor "
                                    "--csv -w 1 has it, rocm-smi does not");
        }
        if (!is_by_epoch_ && !has_zone_) {
            return hard_error(model::Code::missing, 0,
                              fmt::format("{}; nvidia-smi prints local times: give the zone of its host as time_zone, such as "
                                          "Europe/Berlin or UTC",
                                          options_.time_zone.empty()
                                              ? "its times have no zone"
                                              : fmt::format("{} is no time zone", clipped(options_.time_zone))));
        }
        layout_.partition = place_of("xcp");
        for (const std::string_view name : kCardColumns) {
            layout_.card = std::min(layout_.card, layout_.card == std::string::npos ? place_of(name) : layout_.card);
        }
        for (const std::string_view name : kNameColumns) {
            layout_.name = std::min(layout_.name, place_of(name));
        }
        for (const ColumnRow& row : columns) {
            const std::size_t cell = place_of(row.column);
            const bool is_read = std::ranges::any_of(layout_.readings,
                                                     [&](const Layout::Reading& other) { return other.row->metric == row.metric; });
            if (cell == std::string::npos || is_read) {
                continue;
            }
            if (cell < units.size() && units[cell] != row.unit) {
                return hard_error(model::Code::bad_format, row_,
                                  fmt::format("{} is in {}; {} is read", row.column, clipped(units[cell]), row.unit));
            }
            layout_.readings.push_back({cell, &row});
        }
        if (layout_.readings.empty()) {
            return hard_error(model::Code::missing, row_,
                              "none of its columns is read; query power.draw, utilization.gpu, temperature.gpu or memory.used");
        }
        has_header_ = true;
        return std::nullopt;
    }

    [[nodiscard]] std::size_t place_of(std::string_view name) const {
        const auto found = std::ranges::find(names_, name);
        return found == names_.end() ? std::string::npos : static_cast<std::size_t>(found - names_.begin());
    }

    void read_row() {
        ++report_.rows;
        const bool is_cut = cells_.size() < layout_.cells;
        if (is_cut || (!is_dmon_ && cells_.size() > layout_.cells)) {
            report_.rejected.add(row_, fmt::format("it has {} cells of {}; {}", cells_.size(), layout_.cells,
                                                   is_cut ? "it is cut off" : "decimal commas aren't read"));
            return;
        }
        if (layout_.partition != std::string::npos && cells_[layout_.partition] != "0") {
            ++report_.skipped;
            return;
        }
        const std::string card(layout_.card == std::string::npos ? "0" : cells_[layout_.card]);
        const std::optional<std::int64_t> time = time_of_row(card);
        if (!time) {
            return;
        }
        const std::string_view name = layout_.name == std::string::npos ? std::string_view(options_.device) : cells_[layout_.name];
        Sample sample;
        sample.source = fmt::format("{}/{}", host_, card);
        sample.device = devices_.id_of(name, layout_.name == std::string::npos, row_, report_);
        sample.time_ms = *time;
        sample.row = row_;
        bool has_reading = false;
        for (const Layout::Reading& reading : layout_.readings) {
            const MetricRow& metric = *find_metric(reading.row->metric);
            const Number number = reading_of(cells_[reading.cell], reading.row->unit);
            const double value = number.value * reading.row->factor;
            has_reading |= static_cast<bool>(number);
            if (number.state == Number::State::bad || (number && (value < metric.low || value > metric.high))) {
                report_.rejected.add(row_, fmt::format("{} is {}; a number of {} to {} {} is needed", reading.row->column,
                                                       clipped(cells_[reading.cell]), metric.low / reading.row->factor,
                                                       metric.high / reading.row->factor, reading.row->unit));
            } else if (number && report_.on_sample) {
                sample.metric = metric.name;
                sample.value = value;
                report_.on_sample(sample);
            }
        }
        report_.skipped += has_reading ? 0U : 1U;
    }

    // Unix milliseconds; nothing, and a complaint, where the row has no time of its own.
    std::optional<std::int64_t> time_of_row(const std::string& card) {
        const std::string text = is_dmon_ ? dmon_time() : std::string(cells_[layout_.time]);
        const std::optional<Moment> moment = is_by_epoch_ ? moment_of_epoch(text) : parse_moment(text);
        if (!moment) {
            report_.rejected.add(row_, fmt::format("its time is {}; YYYY/MM/DD HH:MM:SS is read", clipped(text)));
            return std::nullopt;
        }
        const std::optional<std::int64_t> time =
            moment->has_zone ? std::llround(moment->seconds * kMsPerSecond) : in_zone(*moment, card);
        if (!time || *time < kOldestSample || *time > kNewestSample) {
            report_.rejected.add(
                row_, time ? "its time is not between 1974 and 2199"
                           : fmt::format("its time {} is none of {}: the clock leaps over it", clipped(text), options_.time_zone));
            return std::nullopt;
        }
        const auto [last, is_new] = last_.try_emplace(card, *time);
        if (!is_new && *time == last->second) {
            report_.rejected.add(row_, layout_.card == std::string::npos
                                           ? "another row has its time; of several cards, add uuid to --query-gpu"
                                           : "another row of its card has its time");
            return std::nullopt;
        }
        if (layout_.card == std::string::npos && pauses_.size() < kMaxPauses && !is_new) {
            pauses_.push_back(std::abs(*time - last->second));
        }
        last->second = *time;
        return time;
    }

    // One card's rows are an interval apart; those of several are milliseconds apart, and then an interval. Files of several
    // recordings have few longer pauses.
    [[nodiscard]] bool has_rows_of_several_cards() {
        constexpr std::size_t kFewest = 4;
        constexpr std::int64_t kLonger = 10;
        if (pauses_.size() < kFewest) {
            return false;
        }
        std::ranges::sort(pauses_);
        return pauses_[pauses_.size() * 19 / 20] > kLonger * pauses_[pauses_.size() / 4];
    }

    static std::optional<Moment> moment_of_epoch(std::string_view text) {
        const Number seconds = parse_number(text);
        return seconds ? std::optional(Moment{seconds.value, true}) : std::nullopt;
    }

    [[nodiscard]] std::string dmon_time() const { // "20261126 11:05:34"
        constexpr std::size_t kDate = 8;
        const std::string_view date = cells_[layout_.time];
        return date.size() != kDate
                   ? std::string(date)
                   : fmt::format("{}-{}-{} {}", date.substr(0, 4), date.substr(4, 2), date.substr(6), cells_[layout_.time + 1]);
    }

    std::optional<std::int64_t> in_zone(const Moment& moment, const std::string& card) const {
        const double whole = std::floor(moment.seconds);
        const cctz::civil_second civil = cctz::civil_second(1970, 1, 1) + static_cast<std::int64_t>(whole);
        const cctz::time_zone::civil_lookup found = zone_.lookup(civil);
        if (found.kind == cctz::time_zone::civil_lookup::SKIPPED) {
            return std::nullopt;
        }
        const auto ms = [&](const cctz::time_point<cctz::seconds>& at) {
            return std::llround((static_cast<double>(at.time_since_epoch().count()) + (moment.seconds - whole)) * kMsPerSecond);
        };
        const auto last = last_.find(card);
        const bool went_back = last != last_.end() && ms(found.pre) < last->second;
        return ms(found.kind == cctz::time_zone::civil_lookup::REPEATED && went_back ? found.post : found.pre);
    }

    const SmiOptions& options_;
    std::string host_;
    Report& report_;
    cctz::time_zone zone_;
    DeviceNames devices_;
    Layout layout_;
    std::vector<std::string> names_;
    std::vector<std::string_view> cells_;
    std::map<std::string, std::int64_t, std::less<>> last_; ///< the time of the row before, by card
    std::vector<std::int64_t> pauses_;                      ///< ms between rows, where no column names the card
    bool has_zone_ = false;
    bool is_dmon_ = false;
    bool is_by_epoch_ = false; ///< times are Unix seconds, as amd-smi's
    bool has_header_ = false;
    std::size_t row_ = 0;
};

} // namespace

HardError read_smi(Bytes& bytes, const SmiOptions& options, Report& report) {
    Lines lines(bytes);
    return SmiReader(options, report).read(lines);
}

bool is_smi(std::string_view beginning) {
    constexpr std::string_view kBlank = " \t\r\n";
    const std::size_t first = beginning.find_first_not_of(kBlank);
    if (first == std::string_view::npos) {
        return false;
    }
    const std::string_view line = beginning.substr(first, beginning.find('\n', first) - first);
    const auto has = [&](std::string_view word) { return line.find(word) != std::string_view::npos; };
    constexpr std::size_t kYear = 4; // "2026/11/26 11:05:34.768, 72.28 W" of rows without a header
    const bool is_row = line.size() > kYear && line[kYear] == '/' && has(",");
    const bool is_header = has("timestamp,") || has("power.draw") || has("utilization.gpu") || has("temperature.gpu");
    return line.starts_with("# HELP") || line.starts_with("# TYPE") ? false
           : line.starts_with('#') ? has(" gpu ") || line.starts_with("#gpu") || line.starts_with("# gpu")
                                   : !line.starts_with('{') && (is_row || is_header);
}

} // namespace costcurve::imports
