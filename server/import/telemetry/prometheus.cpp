// The labels of a device stand in each of its lines: their text is read once and looked up afterwards.
#include "server/import/telemetry/prometheus.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <string>

#include <fmt/format.h>

#include "model/documents/text.hpp"
#include "server/import/telemetry/prometheus_fields.hpp"
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

// The labels that name a device, or a server and where it runs.
struct Labels {
    std::string hostname, uuid, gpu, model, instance;
    std::string partition;                   // of AMD's boards, from 0
    std::string gpu_uuid;                    // of AMD's boards that state no serial number
    std::string name_space, pod;             // as the exporter states them, or Prometheus of what it scraped
    std::string own_name_space, own_pod;     // of the exposition where Prometheus has labels of that name too
    std::string scraped, engine, model_name; // host:port; a server's part; what it serves
    std::string make, chip_id, chip_model;   // of GKE's accelerators
};

struct LabelRow {
    std::string_view name;
    std::string Labels::*member;
};
constexpr auto kLabels = std::to_array<LabelRow>({{"Hostname", &Labels::hostname},
                                                  {"UUID", &Labels::uuid},
                                                  {"gpu", &Labels::gpu},
                                                  {"modelName", &Labels::model},
                                                  {"GPU_I_ID", &Labels::instance},
                                                  {"hostname", &Labels::hostname},
                                                  {"serial_number", &Labels::uuid},
                                                  {"SERIAL_NUMBER", &Labels::uuid},
                                                  {"gpu_uuid", &Labels::gpu_uuid},
                                                  {"GPU_UUID", &Labels::gpu_uuid},
                                                  {"gpu_id", &Labels::gpu},
                                                  {"GPU_ID", &Labels::gpu},
                                                  {"card_series", &Labels::model},
                                                  {"CARD_SERIES", &Labels::model},
                                                  {"gpu_partition_id", &Labels::partition},
                                                  {"namespace", &Labels::name_space},
                                                  {"pod", &Labels::pod},
                                                  {"exported_namespace", &Labels::own_name_space},
                                                  {"exported_pod", &Labels::own_pod},
                                                  {"instance", &Labels::scraped},
                                                  {"id", &Labels::scraped},
                                                  {"engine", &Labels::engine},
                                                  {"dp_rank", &Labels::engine},
                                                  {"idx", &Labels::engine},
                                                  {"model_name", &Labels::model_name},
                                                  {"make", &Labels::make},
                                                  {"accelerator_id", &Labels::chip_id},
                                                  {"model", &Labels::chip_model}});

// Reads {name="value",…}; a comma may stand at the end. Why it can't, or "".
std::string read_labels(std::string_view text, Labels& labels) {
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
    std::string problem;   // why its labels name none
    bool is_other = false; // of a TPU's metric: it is something else's of that name
    std::string board;
    std::string instance; // the board, or its MIG instance
    std::string device;
    std::map<std::string_view, const FieldRow*> fields; // by metric: the field that gave it first
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
        const FieldRow* const field = find_field(name);
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
        } else if (field == nullptr) {
            ++report_.skipped;
        } else {
            take(*field, labels, value, time, row);
        }
    }

    [[nodiscard]] HardError end() const {
        if (malformed_ > 0 && malformed_ == report_.rows) {
            return hard_error(model::Code::bad_format, first_malformed_, "it is not Prometheus text, and no other line is");
        }
        if (of_devices_ == 0) {
            return hard_error(model::Code::missing, 0,
                              "there is no metric of DCGM, of AMD's exporter, of a TPU or of a server in it: "
                              "DCGM_FI_DEV_POWER_USAGE, gpu_package_power, duty_cycle, vllm:num_requests_running or another is "
                              "needed");
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
        } else if (of.fields.try_emplace(field.metric, &field).first->second != &field) {
            ++report_.skipped;
        } else {
            sample_.source = field.owner == FieldOwner::board ? of.board : of.instance;
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

    std::int64_t now_ms_;
    Report& report_;
    DeviceNames names_;
    // By owner, and by the text of their labels.
    std::array<TextMap<Identity>, kFieldOwners> identities_;
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
