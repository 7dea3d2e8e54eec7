// The labels of a device stand in each of its lines: their text is read once and looked up afterwards.
#include "server/import/telemetry/prometheus.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>
#include <unordered_map>

#include <fmt/format.h>

#include "model/documents/text.hpp"
#include "server/import/telemetry/telemetry_metrics.hpp"
#include "server/import/text/lines.hpp"
#include "server/import/text/numbers.hpp"
#include "server/import/text/utf8.hpp"

namespace costcurve::imports {

namespace {

constexpr double kJoulesPerMillijoule = 1e-3;
constexpr double kJoulesPerMicrojoule = 1e-6;
constexpr double kGibPerMib = 1.0 / 1024.0;
// DCGM's "no reading" as a number (dcgm_structs.h: DCGM_FP64_BLANK and DCGM_INT64_BLANK, and the 15 above each: not found, not
// supported, not permitted). That of 32 bits, 2147483632, is out of every range but energy's, which has 64.
constexpr double kBlankFp64 = 140737488355328.0;
constexpr double kBlankInt64 = 9223372036854775792.0;
constexpr double kBlanks = 16.0;
constexpr std::size_t kMaxIdentities = 16384;

// Sources: NVIDIA DCGM API reference, field identifiers; AMD Device Metrics Exporter, list of available metrics, whose names newer
// versions print in lower case. Of several that a device has of one metric the first is read.
struct FieldRow {
    std::string_view field;
    std::string_view metric;
    double factor;
    bool of_instance; // of a MIG instance where there is one; the others are of the whole board
};
constexpr auto kFields = std::to_array<FieldRow>({
    {"DCGM_FI_DEV_POWER_USAGE", "power_w", 1.0, false},
    {"DCGM_FI_DEV_GPU_UTIL", "utilization", kFractionPerPercent, true},
    {"DCGM_FI_PROF_GR_ENGINE_ACTIVE", "utilization", 1.0, true},
    {"DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", "energy_j", kJoulesPerMillijoule, false},
    {"DCGM_FI_DEV_GPU_TEMP", "temperature_c", 1.0, false},
    {"DCGM_FI_DEV_FB_USED", "memory_used_gib", kGibPerMib, true},
    {"GPU_PACKAGE_POWER", "power_w", 1.0, false},
    {"GPU_AVERAGE_PACKAGE_POWER", "power_w", 1.0, false},
    {"GPU_POWER_USAGE", "power_w", 1.0, false},
    {"GPU_GFX_ACTIVITY", "utilization", kFractionPerPercent, true},
    {"GPU_ENERGY_CONSUMED", "energy_j", kJoulesPerMicrojoule, false},
    {"GPU_JUNCTION_TEMPERATURE", "temperature_c", 1.0, false},
    {"GPU_EDGE_TEMPERATURE", "temperature_c", 1.0, false},
    {"GPU_USED_VRAM", "memory_used_gib", kGibPerMib, true},
});

bool is_same_name(std::string_view field, std::string_view name) { // in capitals or not
    return std::equal(field.begin(), field.end(), name.begin(), name.end(),
                      [](char a, char b) { return a == b || (a >= 'A' && a <= 'Z' && b == a - 'A' + 'a'); });
}

bool is_space(char c) { return c == ' ' || c == '\t'; }
void trim_left(std::string_view& text) {
    while (!text.empty() && is_space(text.front())) {
        text.remove_prefix(1);
    }
}
bool is_name(std::string_view text) {
    const auto fits = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == ':';
    };
    return !text.empty() && (text.front() < '0' || text.front() > '9') && std::all_of(text.begin(), text.end(), fits);
}

// Where a label's value ends that begins at `from`: the first quote that is not escaped.
std::size_t quote_end(std::string_view text, std::size_t from) {
    for (std::size_t at = text.find('"', from); at != std::string_view::npos; at = text.find('"', at + 1)) {
        std::size_t escapes = 0;
        while (at - escapes > from && text[at - escapes - 1] == '\\') {
            ++escapes;
        }
        if (escapes % 2 == 0) {
            return at;
        }
    }
    return std::string_view::npos;
}

std::string unescaped(std::string_view value) {
    std::string text;
    for (std::size_t i = 0; i < value.size(); ++i) {
        if (value[i] == '\\' && i + 1 < value.size()) {
            ++i;
            text += value[i] == 'n' ? '\n' : value[i];
        } else {
            text += value[i];
        }
    }
    return text;
}

// The labels that name a device.
struct Labels {
    std::string hostname, uuid, gpu, model, instance;
    std::string partition; // of AMD's boards, from 0
};

// Reads {name="value",…}; a comma may stand at the end. Why it can't, or "".
std::string read_labels(std::string_view text, Labels& labels) {
    struct LabelRow {
        std::string_view name;
        std::string Labels::*member;
    };
    static constexpr auto kLabels = std::to_array<LabelRow>({{"Hostname", &Labels::hostname},
                                                             {"UUID", &Labels::uuid},
                                                             {"gpu", &Labels::gpu},
                                                             {"modelName", &Labels::model},
                                                             {"GPU_I_ID", &Labels::instance},
                                                             {"hostname", &Labels::hostname},
                                                             {"serial_number", &Labels::uuid},
                                                             {"gpu_id", &Labels::gpu},
                                                             {"card_series", &Labels::model},
                                                             {"gpu_partition_id", &Labels::partition}});
    text = text.substr(1, text.size() - 2);
    for (trim_left(text); !text.empty(); trim_left(text)) {
        const std::size_t equals = text.find('=');
        std::string_view name = text.substr(0, equals);
        while (!name.empty() && is_space(name.back())) {
            name.remove_suffix(1);
        }
        if (equals == std::string_view::npos || !is_name(name)) {
            return fmt::format("a label is needed at {}", clipped(text));
        }
        text.remove_prefix(equals + 1);
        trim_left(text);
        const std::size_t end = text.starts_with('"') ? quote_end(text, 1) : std::string_view::npos;
        if (end == std::string_view::npos) {
            return fmt::format("the value of label {} has no quotes", clipped(name));
        }
        for (const LabelRow& row : kLabels) {
            if (row.name == name) {
                labels.*row.member = unescaped(text.substr(1, end - 1));
            }
        }
        text.remove_prefix(end + 1);
        trim_left(text);
        if (!text.empty() && text.front() != ',') {
            return fmt::format("a comma is needed after label {}", clipped(name));
        }
        text.remove_prefix(text.empty() ? 0 : 1);
    }
    return "";
}

// A device, and the sample that its lines fill.
struct Identity {
    std::string problem; // why its labels name none
    std::string board;
    std::string instance; // the board, or its MIG instance
    std::string device;
    std::map<std::string_view, const FieldRow*> fields; // by metric: the field that gave it first
};

std::string joined(std::string_view host, std::string_view rest) {
    return host.empty() || rest.empty() ? fmt::format("{}{}", host, rest) : fmt::format("{}/{}", host, rest);
}

Identity identity_of(std::string_view text, DeviceNames& names, std::size_t row, Report& report) {
    Identity identity;
    Labels labels;
    identity.problem = text.empty() ? "" : read_labels(text, labels);
    if (!identity.problem.empty()) {
        return identity;
    }
    const std::string& number = labels.uuid.empty() ? labels.gpu : labels.uuid;
    identity.board = joined(labels.hostname, number);
    const bool is_partition = !labels.partition.empty() && labels.partition != "0" && labels.partition != "NA";
    identity.instance = joined(identity.board, is_partition ? labels.partition : labels.instance);
    if (number.empty()) {
        identity.problem = "it has no label UUID, gpu, serial_number or gpu_id: which device is it of?";
    } else if (identity.instance.size() > kMaxSource) {
        identity.problem = fmt::format("the names of its device are longer than {} bytes", kMaxSource);
    } else {
        identity.device = names.id_of(labels.model, false, row, report);
    }
    return identity;
}

// A number as Go reads it; false where it is none.
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
        const auto* const field =
            std::find_if(kFields.begin(), kFields.end(), [&](const FieldRow& one) { return is_same_name(one.field, name); });
        const bool ours = field != kFields.end();
        trim_left(line);
        std::string_view labels;
        std::string problem;
        if (!is_name(name)) {
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
        } else if (!ours) {
            ++report_.skipped;
        } else {
            ++of_devices_;
            take(*field, labels, value, time, row);
        }
    }

    [[nodiscard]] HardError end() const {
        if (malformed_ > 0 && malformed_ == report_.rows) {
            return hard_error(model::Code::bad_format, first_malformed_, "it is not Prometheus text, and no other line is");
        }
        if (of_devices_ == 0) {
            return hard_error(model::Code::missing, 0,
                              "there is no metric of DCGM or AMD's exporter in it: DCGM_FI_DEV_POWER_USAGE, gpu_package_power or "
                              "another is needed");
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
            const auto number = model::read_number<std::remove_reference_t<decltype(time)>>(stamp);
            if (!number) {
                return fmt::format("its time is {}", clipped(stamp));
            }
            time = *number;
        }
        return "";
    }

    Identity& identity(std::string_view labels, std::size_t row) {
        const auto found = identities_.find(labels);
        if (found != identities_.end()) {
            return found->second;
        }
        if (identities_.size() >= kMaxIdentities) {
            identities_.clear();
        }
        return identities_.emplace(labels, identity_of(labels, names_, row, report_)).first->second;
    }

    void take(const FieldRow& field, std::string_view labels, double value, std::int64_t time, std::size_t row) {
        Identity& of = identity(labels, row);
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
        } else if (of.fields.try_emplace(field.metric, &field).first->second != &field) {
            ++report_.skipped;
        } else {
            sample_.source = field.of_instance ? of.instance : of.board;
            sample_.device = of.device;
            sample_.metric = metric.name;
            sample_.time_ms = time;
            sample_.value = converted;
            sample_.row = row;
            if (report_.on_sample) {
                report_.on_sample(sample_);
            }
        }
    }

    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
    };

    std::int64_t now_ms_;
    Report& report_;
    DeviceNames names_;
    std::unordered_map<std::string, Identity, Hash, std::equal_to<>> identities_; // by the text of their labels
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
