// Columns as CodeCarbon 2 writes them (output/file.py, emissions.csv).
#include "server/import/telemetry/code_carbon.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <cctz/civil_time.h>
#include <cctz/time_zone.h>
#include <fmt/format.h>

#include "server/import/telemetry/telemetry_metrics.hpp"
#include "server/import/text/numbers.hpp"
#include "server/import/text/read_rows.hpp"
#include "server/import/text/table.hpp"
#include "server/import/text/utf8.hpp"

namespace costcurve::imports {

namespace {

constexpr double kJoulesPerKwh = 3.6e6;
constexpr double kReadingSeconds = 3600.0; // between readings: a long silence of a counter is of no hour
constexpr std::size_t kMaxRuns = 100'000;
constexpr double kMaxCards = 1024.0;
constexpr double kMaxDuration = 366.0 * 86400.0; // s

struct CodeCarbonRun {
    double end = 0.0; ///< Unix seconds
    double duration = 0.0;
    double joules = 0.0; ///< of all cards
    int cards = 0;
    std::string model;
    std::size_t row = 0;
};

// "1 x NVIDIA A100-SXM4-40GB": how many, and which; "" of several kinds.
std::string_view card_of(std::string_view text, double& count) {
    constexpr std::string_view kTimes = " x ";
    const std::size_t times = text.find(kTimes);
    const Number number = parse_number(text.substr(0, times));
    if (times == std::string_view::npos || !number || text.find(kTimes, times + 1) != std::string_view::npos) {
        return "";
    }
    count = number.value;
    return text.substr(times + kTimes.size());
}

class CodeCarbonReader {
public:
    CodeCarbonReader(Table& table, const SmiOptions& options, Report& report)
        : table_(table), options_(options), report_(report), run_(table.column("run_id")), timestamp_(table.column("timestamp")),
          duration_(table.column("duration")), energy_(table.column("gpu_energy")), count_(table.column("gpu_count")),
          model_(table.column("gpu_model")),
          has_zone_(!options.time_zone.empty() && cctz::load_time_zone(options.time_zone, &zone_)) {}

    [[nodiscard]] bool has_zone() const { return has_zone_; }

    std::string read_row() {
        CodeCarbonRun run;
        run.row = table_.row();
        if (std::string reason = read_run(run); !reason.empty() || run.joules == 0.0) {
            report_.skipped += reason.empty() ? 1U : 0U;
            return reason;
        }
        if (runs_.size() >= kMaxRuns) {
            table_.fail(model::Code::too_large, table_.row(), "it has 100000 runs or more; send them in parts");
            return "";
        }
        CodeCarbonRun& known = runs_[std::string(table_.text(run_))];
        known = run.duration > known.duration ? run : known;
        return "";
    }

    HardError finish() {
        for (const auto& [name, run] : runs_) {
            give(name, run);
        }
        return runs_.empty() ? hard_error(model::Code::missing, 0, "none of its runs has the energy of GPUs (gpu_energy above 0)")
                             : HardError();
    }

private:
    // Why the row can't be used; "" where it can, or has no energy of GPUs.
    std::string read_run(CodeCarbonRun& run) const {
        const Number energy = table_.number(energy_);
        if (energy.state == Number::State::blank || (energy && energy.value == 0.0)) {
            return "";
        }
        const Number duration = table_.number(duration_);
        if (!energy || energy.value < 0.0 || !duration || duration.value <= 0.0 || duration.value > kMaxDuration) {
            return "gpu_energy (kWh) and duration (s) have to be numbers above 0";
        }
        const Number count = table_.number(count_);
        double cards = 0.0;
        run.model = card_of(table_.text(model_), cards);
        if (run.model.empty() || !count || count.value != cards || cards < 1.0 || cards > kMaxCards || cards != std::floor(cards)) {
            return fmt::format("its cards are {}, {} of them: the energy of one kind of cards is read",
                               clipped(table_.text(model_)), clipped(table_.text(count_)));
        }
        run.duration = duration.value;
        run.joules = energy.value * kJoulesPerKwh;
        run.cards = static_cast<int>(cards);
        const double watts = run.joules / run.duration / run.cards;
        if (const MetricRow& power = *find_metric("power_w"); watts > power.high) {
            return fmt::format("a card would draw {:.0f} W on the mean; up to {:.0f} are read", watts, power.high);
        }
        const std::optional<Moment> end = parse_moment(table_.text(timestamp_));
        if (!end) {
            return "its timestamp is no date and time";
        }
        run.end = end->has_zone ? end->seconds : utc_of(end->seconds);
        const bool is_kept = (run.end - run.duration) * kMsPerSecond > kOldestSample && run.end * kMsPerSecond < kNewestSample;
        return is_kept ? "" : "its time is not between 1974 and 2199";
    }

    [[nodiscard]] double utc_of(double local) const {
        const double whole = std::floor(local);
        const cctz::civil_second civil = cctz::civil_second(1970, 1, 1) + static_cast<std::int64_t>(whole);
        return static_cast<double>(zone_.lookup(civil).pre.time_since_epoch().count()) + (local - whole);
    }

    void give(const std::string& name, const CodeCarbonRun& run) {
        const std::string host = options_.source.empty() ? "codecarbon" : options_.source;
        const auto readings = static_cast<std::size_t>(std::ceil(run.duration / kReadingSeconds));
        Sample sample;
        sample.device = devices_.id_of(run.model, false, run.row, report_);
        sample.metric = "energy_j";
        sample.row = run.row;
        for (int card = 0; card < run.cards && report_.on_sample; ++card) {
            sample.source = fmt::format("{}/{}/{}", host, name, card);
            for (std::size_t i = 0; i <= readings; ++i) {
                const double part = static_cast<double>(i) / static_cast<double>(readings);
                sample.time_ms = std::llround((run.end - run.duration * (1.0 - part)) * kMsPerSecond);
                sample.value = run.joules / run.cards * part;
                report_.on_sample(sample);
            }
        }
    }

    Table& table_;
    const SmiOptions& options_;
    Report& report_;
    cctz::time_zone zone_;
    Column run_, timestamp_, duration_, energy_, count_, model_;
    bool has_zone_ = false;
    DeviceNames devices_;
    std::map<std::string, CodeCarbonRun> runs_; ///< by run_id
};

} // namespace

HardError read_code_carbon(Bytes& bytes, const SmiOptions& options, Report& report) {
    Table table(bytes);
    if (!table.require({"timestamp", "run_id", "duration", "gpu_energy", "gpu_count", "gpu_model"})) {
        return table.error();
    }
    CodeCarbonReader reader(table, options, report);
    if (!reader.has_zone()) {
        return hard_error(model::Code::missing, 0,
                          "CodeCarbon's times have no zone: give that of its host as time_zone, such as Europe/Berlin or UTC");
    }
    return read_rows(table, report, reader, "CodeCarbon's emissions.csv");
}

bool is_code_carbon(std::string_view beginning) {
    const std::string_view header = beginning.substr(0, beginning.find('\n'));
    return header.find("run_id") != std::string_view::npos && header.find("codecarbon_version") != std::string_view::npos;
}

} // namespace costcurve::imports
