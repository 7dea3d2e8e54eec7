// Samples from Prometheus' text format. The labels of a device are parsed once and looked up afterwards.
#include "server/import/telemetry/prometheus.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/documents/text.hpp"
#include "server/import/telemetry/prometheus_fields.hpp"
#include "server/import/telemetry/prometheus_labels.hpp"
#include "server/import/telemetry/telemetry_metrics.hpp"
#include "server/import/text/lines.hpp"
#include "server/import/text/numbers.hpp"
#include "server/import/text/string_pool.hpp"
#include "server/import/text/utf8.hpp"

namespace costcurve::imports {

namespace {

// DCGM's "no reading" as a number (dcgm_structs.h: DCGM_FP64_BLANK and DCGM_INT64_BLANK, and the 15 above each: not found, not
// supported, not permitted). That of 32 bits, 2147483632, is out of every range but energy's, which has 64.
constexpr double kBlankFp64 = 140737488355328.0;
constexpr double kBlankInt64 = 9223372036854775792.0;
constexpr double kBlanks = 16.0;
constexpr std::size_t kMaxIdentities = 16384;
constexpr std::size_t kMaxWaiting = 200'000; // readings that wait for the end of the text, as a better field may come
constexpr std::size_t kMaxOthers = 8;        // names of metrics of other exporters, in a complaint
// How exporters' metrics of GPUs begin that are not read.
constexpr auto kOtherExporters =
    std::to_array<std::string_view>({"nvidia_smi_", "nvidia_gpu_", "habanalabs_", "xpum_", "amd_smi_", "rocm_", "amdsmi_"});

// A device, and the sample that its lines fill.
struct Identity {
    std::string problem;   // why its labels name none
    bool is_other = false; // of a TPU's metric: it is something else's of that name
    std::string board;
    std::string instance; // the board, or its MIG instance
    std::string device;
    std::map<std::string_view, const FieldRow*> fields; // by metric: the field that it is read of
};

std::string joined(std::string_view host, std::string_view rest) {
    return host.empty() || rest.empty() ? fmt::format("{}{}", host, rest) : fmt::format("{}/{}", host, rest);
}

// A server is the pod that runs it, else what was scraped, else what it serves; the exporter's own labels come before those that
// Prometheus gives to what it scrapes.
std::string server_of(const Labels& labels) {
    const bool has_own = !labels.own_pod.empty();
    const std::string pod = joined(has_own ? labels.own_name_space : labels.name_space, has_own ? labels.own_pod : labels.pod);
    const bool has_pod = has_own || !labels.pod.empty();
    return joined(has_pod ? pod : labels.scraped.empty() ? labels.model_name : labels.scraped, labels.engine);
}

void name_server(const Labels& labels, Identity& identity) {
    identity.board = identity.instance = server_of(labels);
    if (identity.board.empty()) {
        identity.problem = "it has no label pod, instance, id or model_name: which server is it of?";
    }
}

void name_board(const Labels& labels, Identity& identity) {
    const std::string& uuid = labels.uuid.empty() ? labels.gpu_uuid : labels.uuid;
    const std::string& number = uuid.empty() ? labels.gpu : uuid;
    identity.board = joined(labels.hostname, number);
    const bool is_partition = !labels.partition.empty() && labels.partition != "0" && labels.partition != "NA";
    identity.instance = joined(identity.board, is_partition ? labels.partition : labels.instance);
    if (number.empty()) {
        identity.problem = "it has no label UUID, gpu, serial_number or gpu_id: which device is it of?";
    }
}

// The number of a chip begins with its node's.
void name_chip(const Labels& labels, Identity& identity) {
    identity.is_other = labels.make != "cloud-tpu";
    identity.board = identity.instance = labels.chip_id;
    if (!identity.is_other && labels.chip_id.empty()) {
        identity.problem = "it has no label accelerator_id: which chip is it of?";
    }
}

Identity identity_of(std::string_view text, FieldOwner owner, DeviceNames& names, std::size_t row, Report& report) {
    Identity identity;
    Labels labels;
    identity.problem = text.empty() ? "" : read_labels(text, labels);
    if (!identity.problem.empty()) {
        return identity;
    }
    const bool of_chip = owner == FieldOwner::chip;
    const auto name = owner == FieldOwner::server ? name_server : of_chip ? name_chip : name_board;
    name(labels, identity);
    if (identity.problem.empty() && identity.instance.size() > kMaxSource) {
        identity.problem = fmt::format("the names of its device are longer than {} bytes", kMaxSource);
    } else if (identity.problem.empty() && !identity.is_other && owner != FieldOwner::server) {
        identity.device = names.id_of(of_chip ? labels.chip_model : labels.model, false, row, report);
    }
    return identity;
}

// Parses a number in Go's syntax; false if it is invalid.
bool read_value(std::string_view text, double& value) {
    if (text.starts_with('+')) {
        text.remove_prefix(1);
    }
    const auto number = model::read_number<double>(text);
    value = number.value_or(value);
    return number.has_value();
}

bool is_blank(double value) {
    return std::isnan(value) || (value >= kBlankFp64 && value < kBlankFp64 + kBlanks) || value >= kBlankInt64;
}

// The next word of a line; "" at its end.
std::string_view word_of(std::string_view& text) {
    trim_left(text);
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end);
    return word;
}

class PrometheusReader {
public:
    PrometheusReader(std::int64_t now_ms, Report& report) : now_ms_(now_ms), report_(report) {}

    void read(std::string_view line, std::size_t row) {
        trim_left(line);
        if (line.empty() || line.front() == '#') {
            return;
        }
        ++report_.rows;
        const std::size_t end = std::min(line.find_first_of("{ \t"), line.size());
        const std::string_view name = line.substr(0, end);
        line.remove_prefix(end);
        const FieldRow* const field = find_field(name);
        trim_left(line);
        std::string_view labels;
        std::string problem;
        if (!is_metric_name(name)) {
            problem = "a metric's name is needed";
        } else if (line.starts_with('{')) {
            const std::size_t close = line.rfind('}'); // neither a value nor a time has one
            labels = line.substr(0, close == std::string_view::npos ? close : close + 1);
            problem = close == std::string_view::npos ? "its labels are never closed" : "";
            line.remove_prefix(labels.size());
        }
        double value = 0.0;
        std::int64_t time = now_ms_;
        if (problem.empty()) {
            problem = read_numbers(line, value, time);
        }
        if (!problem.empty()) {
            ++malformed_;
            first_malformed_ = first_malformed_ == 0 ? row : first_malformed_;
            report_.rejected.add(row, problem + "; NAME{label=\"value\",…} value [Unix ms] is needed");
        } else if (field == nullptr) {
            ++report_.skipped;
            note_other(name);
        } else {
            take(*field, labels, value, time, row);
        }
    }

    [[nodiscard]] HardError end() {
        give_waiting();
        if (!others_.empty() && of_devices_ > 0) {
            report_.warnings.add(
                0, fmt::format("{} lines of metrics of another exporter are not read: {}", other_lines_, fmt::join(others_, ", ")));
        }
        if (malformed_ > 0 && malformed_ == report_.rows) {
            return hard_error(model::Code::bad_format, first_malformed_, "it is not Prometheus text, and no other line is");
        }
        if (of_devices_ == 0) {
            return hard_error(model::Code::missing, 0,
                              "there is no metric of DCGM, of AMD's exporter, of a TPU or of a server in it: "
                              "DCGM_FI_DEV_POWER_USAGE, gpu_package_power, duty_cycle, vllm:num_requests_running or another is "
                              "needed" +
                                  (others_.empty() ? std::string() : fmt::format("; {} is not read", fmt::join(others_, ", "))));
        }
        return std::nullopt;
    }

private:
    // The value and the time behind the labels. Why it can't, or "".
    static std::string read_numbers(std::string_view text, double& value, std::int64_t& time) {
        const std::string_view number = word_of(text);
        const std::string_view stamp = word_of(text);
        trim_left(text);
        if (!read_value(number, value)) {
            return fmt::format("its value is {}", number.empty() ? "missing" : clipped(number));
        }
        if (!text.empty()) {
            return fmt::format("there is more after its time: {}", clipped(text));
        }
        if (!stamp.empty()) {
            const auto moment = model::read_number<std::remove_reference_t<decltype(time)>>(stamp);
            if (!moment) {
                return fmt::format("its time is {}", clipped(stamp));
            }
            time = *moment;
        }
        return "";
    }

    Identity& identity(std::string_view labels, FieldOwner owner, std::size_t row) {
        auto& identities = identities_[static_cast<std::size_t>(owner)];
        const auto found = identities.find(labels);
        if (found != identities.end()) {
            return found->second;
        }
        if (identities.size() >= kMaxIdentities) {
            give_waiting();
            identities.clear();
        }
        return identities.emplace(labels, identity_of(labels, owner, names_, row, report_)).first->second;
    }

    void take(const FieldRow& field, std::string_view labels, double value, std::int64_t time, std::size_t row) {
        Identity& of = identity(labels, field.owner, row);
        if (of.is_other) {
            ++report_.skipped;
            return;
        }
        ++of_devices_;
        const MetricRow& metric = *find_metric(field.metric);
        const double converted = value * field.factor;
        if (!of.problem.empty()) {
            report_.rejected.add(row, of.problem);
        } else if (time < kOldestSample || time > kNewestSample) {
            report_.rejected.add(row, fmt::format("its time is {}; Unix milliseconds of a day from 1974 to 2199 are needed", time));
        } else if (is_blank(value)) {
            report_.rejected.add(row, fmt::format("{} is {}: the sensor gave no reading", field.field, value));
        } else if (!(converted >= metric.low && converted <= metric.high)) {
            report_.rejected.add(row, fmt::format("{} is {}; {} from {} to {} {} is allowed", field.field, value, metric.name,
                                                  metric.low, metric.high, metric.unit));
        } else {
            const FieldRow*& read = of.fields.try_emplace(field.metric, &field).first->second;
            read = field.place < read->place ? &field : read;
            const Reading reading{&of, &field, time, converted, row};
            if (field.place == 0) {
                give(reading);
            } else if (waiting_.push_back(reading); waiting_.size() >= kMaxWaiting) {
                give_waiting();
            }
        }
    }

    struct Reading {
        const Identity* of = nullptr;
        const FieldRow* field = nullptr;
        std::int64_t time_ms = 0;
        double value = 0.0;
        std::size_t row = 0;
    };

    void give(const Reading& reading) {
        const FieldRow& field = *reading.field;
        const bool is_read = reading.of->fields.find(field.metric)->second == &field;
        if (!is_read && field.apart.empty()) {
            ++report_.skipped;
            return;
        }
        sample_.source = field.owner == FieldOwner::board ? reading.of->board : reading.of->instance;
        sample_.device = reading.of->device;
        sample_.metric = is_read ? field.metric : field.apart;
        sample_.time_ms = reading.time_ms;
        sample_.value = reading.value;
        sample_.row = reading.row;
        if (report_.on_sample) {
            report_.on_sample(sample_);
        }
    }

    void give_waiting() {
        for (const Reading& reading : waiting_) {
            give(reading);
        }
        waiting_.clear();
    }

    void note_other(std::string_view name) {
        const bool is_other = std::any_of(kOtherExporters.begin(), kOtherExporters.end(),
                                          [&](std::string_view begin) { return name.starts_with(begin); });
        other_lines_ += is_other ? 1U : 0U;
        if (is_other && others_.size() < kMaxOthers) {
            others_.emplace(clipped(name));
        }
    }

    std::int64_t now_ms_;
    Report& report_;
    DeviceNames names_;
    // By owner, and by the text of their labels.
    std::array<TextMap<Identity>, kFieldOwners> identities_;
    std::vector<Reading> waiting_; // of fields that give way to others
    std::set<std::string> others_; // metrics of exporters that are not read
    std::size_t other_lines_ = 0;
    Sample sample_;
    std::size_t malformed_ = 0;
    std::size_t first_malformed_ = 0;
    std::size_t of_devices_ = 0;
};

} // namespace

HardError read_prometheus(Bytes& bytes, std::int64_t now_ms, Report& report) {
    Lines lines(bytes);
    PrometheusReader reader(now_ms, report);
    while (lines.next()) {
        reader.read(lines.text(), lines.row());
    }
    return lines.error() ? lines.error() : reader.end();
}

} // namespace costcurve::imports
