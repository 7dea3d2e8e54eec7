// Reads the ML.ENERGY leaderboard: model configurations measured at several batch sizes, as throughput, latency and power curves.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "server/import/benchmarks/served_measurement.hpp"
#include "server/import/curves.hpp"
#include "server/import/identity/model_name.hpp"
#include "server/import/identity/spellings.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/json.hpp"
#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

namespace {

using model::Code;

// The unit that a task counts, with its rate and latency fields. The first rate field that a row has is used.
struct Measure {
    std::string_view rate;
    std::string_view latency;
    double latency_per_s; // latency units per second
    std::string_view latency_name;
    std::string_view energy; // field of the energy per unit
    std::string_view note;   // note for the performance, about the rate
    std::string_view latency_note;
    std::optional<double> latency_percentile;
};
constexpr auto kMeasures = std::to_array<Measure>({
    {"output_throughput_tokens_per_sec", "p95_itl_ms", kMsPerSecond, "p95-itl", "energy_per_token_joules",
     "Output tokens/s of one replica, as published.", "Seconds between two output tokens of a request, 95th percentile.", 95.0},
    {"throughput_images_per_sec", "batch_latency_s", 1.0, "batch-latency", "energy_per_image_joules",
     "Images/s of one replica, as published.", "Seconds of a batch of images.", std::nullopt},
    {"throughput_videos_per_sec", "batch_latency_s", 1.0, "batch-latency", "energy_per_video_joules",
     "Videos/s of one replica, as published.", "Seconds of a batch of videos.", std::nullopt},
});

// Mean prompt tokens by task. The files don't state them: these values are assumptions. Tasks without an entry have no prompt
// length.
struct TaskPrompts {
    std::string_view task;
    double tokens;
};
constexpr auto kPrompts = std::to_array<TaskPrompts>({{"lm-arena-chat", 200.0}, {"gpqa", 250.0}});

struct MlEnergyPoint {
    int batch = 0;
    double rate = 0.0;
    double watts = 0.0; // all devices together; 0: unknown
    double latency_s = 0.0;
    double mean_batch = 0.0;
    double output_tokens = 0.0; // mean per request; 0: unknown
    double median_itl_s = 0.0;  // 0: unknown
};

// Rows that differ only in batch size.
struct MlEnergyGroup {
    std::string task, model, gpu, precision, parallel, file;
    const Measure* measure = nullptr;
    int devices = 0;
    std::string device;
    model::Parallel degrees;
    std::vector<MlEnergyPoint> points;
};

struct MlEnergyRow {
    const Json& json;
    const Json& file; // a model's file states model and precision once, at the top
    std::string_view file_name;
    std::size_t row;
};

std::string_view text_either(const MlEnergyRow& row, std::string_view name) {
    const std::string_view own = text_of(row.json, name);
    return own.empty() ? text_of(row.file, name) : own;
}

// A degree of parallelism, from the row or from its member `parallelization`.
double degree_of(const Json& json, std::string_view name) {
    const std::optional<Json> inner = member(json, "parallelization");
    const Number own = number_of(json, name);
    const Number nested = inner ? number_of(*inner, name) : Number{};
    return own ? own.value : (nested ? nested.value : 1.0);
}

// All degrees of parallelism of a language model; a degree is 1 if the row has no valid count.
model::Parallel degrees_of(const Json& json) {
    const auto degree = [&](std::string_view name) { return count_of(degree_of(json, name)).value_or(1); };
    return {.tp = degree("tensor_parallel"), .ep = degree("expert_parallel"), .dp = degree("data_parallel")};
}

// The parallelism as one word for ids; "" for the usual case, tensor parallelism alone.
std::string parallel_of(const Json& json, int devices) {
    const auto degree = [&](std::string_view name) { return degree_of(json, name); };
    std::string text;
    const double tensor = degree("tensor_parallel");
    for (const auto& [name, sign] : {std::pair<std::string_view, std::string_view>("expert_parallel", "ep"),
                                     {"data_parallel", "dp"},
                                     {"ring_degree", "ring"},
                                     {"ulysses_degree", "ulysses"}}) {
        const double value = degree(name);
        text += value > 1 ? fmt::format("{}{}{:.0f}", text.empty() ? "" : "-", sign, value) : "";
    }
    const bool usual = text.empty() && (tensor == 1.0 || tensor == devices);
    return usual || tensor == 1.0 ? text : fmt::format("tp{:.0f}{}{}", tensor, text.empty() ? "" : "-", text);
}

const Measure* measure_of(const Json& json) {
    const auto found =
        std::find_if(kMeasures.begin(), kMeasures.end(), [&](const Measure& one) { return bool(number_of(json, one.rate)); });
    return found == kMeasures.end() ? nullptr : &*found;
}

// Identifies the row's group: task, model, GPU, precision, parallelism. Gives the reason if the row can't be used, else "".
std::string identify(const MlEnergyRow& row, MlEnergyGroup& group) {
    group.task = text_either(row, "task");
    group.model = text_either(row, "model_id");
    group.gpu = text_of(row.json, "gpu_model");
    group.precision = text_either(row, "weight_precision");
    group.file = row.file_name;
    group.measure = measure_of(row.json);
    if (group.model.empty()) {
        return "model_id is missing";
    }
    if (group.measure == nullptr) {
        return "none of output_throughput_tokens_per_sec, throughput_images_per_sec, throughput_videos_per_sec is a number";
    }
    const std::optional<std::string> device = device_in(group.gpu);
    if (!device) {
        return fmt::format("gpu_model is \"{}\": no device of that name is known", group.gpu);
    }
    group.device = *device;
    const Number devices = number_of(row.json, "num_gpus");
    const std::optional<int> count = devices ? count_of(devices.value) : std::nullopt;
    if (!count) {
        return "num_gpus is not a whole number of devices";
    }
    group.devices = *count;
    group.parallel = parallel_of(row.json, group.devices);
    group.degrees = degrees_of(row.json);
    return "";
}

// Reads the row's point. Gives the reason if it can't be used, else "".
std::string measure(const MlEnergyRow& row, const MlEnergyGroup& group, MlEnergyPoint& point) {
    // The configured batch is max_num_seqs. avg_batch_size is a measured mean, not an integer.
    Number setting = number_of(row.json, "max_num_seqs");
    setting = setting ? setting : number_of(row.json, "batch_size");
    const std::optional<int> batch = setting ? count_of(setting.value) : std::nullopt;
    if (!batch) {
        return "max_num_seqs (of images and videos, batch_size) is not a whole number from 1 to 1000000";
    }
    const Number rate = number_of(row.json, group.measure->rate);
    if (rate.value <= 0) {
        return fmt::format("{} is {}; it must be more than 0", group.measure->rate, rate.value);
    }
    const Number latency = number_of(row.json, group.measure->latency);
    const Number watts = number_of(row.json, "avg_power_watts");
    point = {*batch,
             rate.value,
             watts ? watts.value : 0.0,
             latency ? latency.value / group.measure->latency_per_s : 0.0,
             number_of(row.json, "avg_batch_size").value,
             number_of(row.json, "avg_output_len").value,
             number_of(row.json, "median_itl_ms").value / kMsPerSecond};
    return "";
}

// Checks energy per unit = power / rate. If the row contradicts this, its power is of another number of devices, or one of the
// three figures is wrong, and the row doesn't show which. Gives the reason if the row can't be used, else "".
std::string check_energy(const MlEnergyRow& row, const MlEnergyGroup& group, const MlEnergyPoint& point, Report& report) {
    constexpr double kTolerance = 0.05;
    constexpr double kApart = 1.5;
    const Number energy = number_of(row.json, group.measure->energy);
    const double computed = point.watts / point.rate;
    if (!energy || computed <= 0 || std::abs(computed - energy.value) <= kTolerance * computed) {
        return "";
    }
    std::string text =
        fmt::format("avg_power_watts / throughput is {:.4g} J a unit, and the row says {:.4g} J: is the power of all GPUs?",
                    computed, energy.value);
    if (energy.value > kApart * computed || energy.value < computed / kApart) {
        return text;
    }
    report.warnings.add(row.row, fmt::format("{}: {}", row.file_name, text));
    return "";
}

using MlEnergyGroups = std::map<std::string, MlEnergyGroup>;

void add_row(const MlEnergyRow& row, MlEnergyGroups& groups, Report& report) {
    MlEnergyGroup group;
    MlEnergyPoint point;
    std::string why = identify(row, group);
    why = why.empty() ? measure(row, group, point) : why;
    why = why.empty() ? check_energy(row, group, point, report) : why;
    if (!why.empty()) {
        report.rejected.add(row.row, fmt::format("{}: {}", row.file_name, why));
        return;
    }
    const std::string id =
        make_id({"ml-energy", group.task, group.model, gang_name(group.devices, group.device), group.precision, group.parallel});
    std::vector<MlEnergyPoint>& points = groups.try_emplace(id, group).first->second.points;
    const auto same = std::ranges::find(points, point.batch, &MlEnergyPoint::batch);
    if (same == points.end()) {
        points.push_back(point);
        return;
    }
    if (same->rate == point.rate && same->watts == point.watts && same->latency_s == point.latency_s) {
        ++report.skipped; // a model's file repeats rows of its task's file
        return;
    }
    report.warnings.add(row.row, fmt::format("{}: {} has two rows of batch {}, {:.6g} and {:.6g} units/s; the faster was taken",
                                             row.file_name, id, point.batch, same->rate, point.rate));
    if (point.rate > same->rate) {
        *same = point;
    }
}

HardError read_file_of_set(const NamedText& file, MlEnergyGroups& groups, std::size_t& lists, Report& report) {
    const JsonFile json{std::string_view(file.text)};
    if (json.error()) {
        return hard_error(json.error()->code, 0, fmt::format("{}: {}", file.name, json.error()->message));
    }
    const auto rows = list_of(*json.root(), "configurations");
    if (!rows) {
        if (member(*json.root(), "models") && member(*json.root(), "architectures")) {
            ++report.skipped; // index.json names models and tasks and has no measurements
        } else {
            report.rejected.add(0, fmt::format("{}: it has no list of configurations", file.name));
        }
        return std::nullopt;
    }
    ++lists;
    std::size_t number = 0;
    for (const Json& row : *rows) {
        ++report.rows;
        add_row({row, *json.root(), file.name, ++number}, groups, report);
    }
    return std::nullopt;
}

// Power of a device (W) by share of the largest measured throughput. Of two batches with equal throughput the one with less power
// is used.
std::optional<model::Curve> power_curve(const std::string& id, const MlEnergyGroup& group, const std::string& source) {
    double most = 0.0;
    for (const MlEnergyPoint& point : group.points) {
        most = point.watts > 0 ? std::max(most, point.rate) : most;
    }
    std::map<double, double> watts;
    for (const MlEnergyPoint& point : group.points) {
        if (point.watts > 0) {
            const double device_w = point.watts / group.devices;
            const auto [at, is_new] = watts.emplace(point.rate / most, device_w);
            at->second = is_new ? device_w : std::min(at->second, device_w);
        }
    }
    if (watts.empty()) {
        return std::nullopt;
    }
    model::Curve curve = empty_curve(
        model::CurveKind::power, model::Axis::throughput_share, make_id({"power", id}), source,
        fmt::format("avg_power_watts / {} devices. The axis is throughput over the largest one measured, {:.6g} units/s of {} "
                    "devices. Idle power was not measured: below the first point that one holds.",
                    group.devices, most, group.devices));
    for (const auto& [utilization, device_w] : watts) {
        append_point(curve, utilization, device_w);
    }
    return curve;
}

// The measurement with the same points and their conditions, for language models with a known prompt length. The performance gets
// the mean request length.
std::optional<model::Measurement> measured_beside(model::Performance& performance, const MlEnergyGroup& group) {
    const auto prompts = std::ranges::find(kPrompts, group.task, &TaskPrompts::task);
    if (prompts == kPrompts.end() || group.measure != kMeasures.data()) {
        return std::nullopt;
    }
    std::vector<ServedPoint> points;
    double output_tokens = 0.0;
    for (const MlEnergyPoint& point : group.points) {
        points.push_back({.input_tokens = prompts->tokens,
                          .output_tokens = point.output_tokens,
                          .requests = point.mean_batch > 0.0 ? point.mean_batch : point.batch,
                          .output_per_s = point.rate,
                          .itl_s = point.median_itl_s,
                          .watts = point.watts});
        output_tokens += point.output_tokens / static_cast<double>(group.points.size());
    }
    std::optional<model::Measurement> measurement = measurement_beside(performance, points);
    if (measurement) {
        measurement->parallel = group.degrees;
        if (measurement->percentiles.itl_s) {
            measurement->percentiles.itl_s = 50.0;
        }
        measurement->note = fmt::format("Prompts of {:.0f} tokens are assumed: the file states none.", prompts->tokens);
        performance.mix = model::RequestMix{prompts->tokens, output_tokens};
    }
    return measurement;
}

void add_ml_energy_group(const std::string& id, MlEnergyGroup& group, const Options& options, Report& report) {
    std::sort(group.points.begin(), group.points.end(),
              [](const MlEnergyPoint& a, const MlEnergyPoint& b) { return a.batch < b.batch; });
    const std::string file = group.file == options.name ? "" : group.file + ", "; // a source names the file itself
    const std::string source = source_of(
        options, fmt::format("{}{}, {}, {} x {}{}{}, {}: {} against batch", file, group.task, group.model, group.devices, group.gpu,
                             group.parallel.empty() ? "" : " ", group.parallel, group.precision, group.measure->rate));
    const bool tokens = group.measure == kMeasures.data();
    model::Curve throughput = empty_curve(model::CurveKind::throughput, model::Axis::batch, make_id({"throughput", id}), source,
                                          std::string(group.measure->note));
    model::Curve latency =
        empty_curve(model::CurveKind::latency, model::Axis::batch, make_id({"latency", id, group.measure->latency_name}), source,
                    std::string(group.measure->latency_note));
    std::string unfilled;
    for (const MlEnergyPoint& point : group.points) {
        append_point(throughput, point.batch, point.rate);
        if (point.latency_s > 0) {
            append_point(latency, point.batch, point.latency_s);
        }
        if (point.mean_batch > 0 && point.mean_batch < 0.9 * point.batch) {
            unfilled += fmt::format("{}{} ({:.0f})", unfilled.empty() ? "" : ", ", point.batch, point.mean_batch);
        }
    }
    throughput.note += tokens ? " Batch is max_num_seqs." : " Batch is batch_size.";
    throughput.note += unfilled.empty() ? "" : fmt::format(" These were not filled, mean in brackets: {}.", unfilled);
    model::Performance performance;
    performance.id = id;
    performance.device.id = group.device;
    performance.devices = group.devices;
    performance.precision = precision_of(group.precision);
    if (tokens) {
        performance.model = model_id_of(group.model);
        performance.framework = "vllm"; // the leaderboard serves all language models with vLLM
    }
    performance.units_per_s = rate_of_curve(throughput.id);
    performance.source = source;
    performance.note =
        fmt::format("{} State a batch, or a latency objective that picks it.{}",
                    tokens ? "Counts output tokens only: where a workload counts tokens in and out, scale it by (I + O) / O."
                           : std::string(group.measure->note),
                    latency.x.empty() ? "" : " itl_s: " + std::string(group.measure->latency_note));
    report.add(std::move(throughput));
    if (!latency.x.empty()) {
        performance.itl_s = rate_of_curve(latency.id);
        performance.latency_percentile = group.measure->latency_percentile;
        report.add(std::move(latency));
    }
    if (std::optional<model::Curve> power = power_curve(id, group, source)) {
        report.add(std::move(*power));
    }
    std::optional<model::Measurement> measurement = measured_beside(performance, group);
    report.add(std::move(performance));
    if (measurement) {
        report.add(std::move(*measurement));
    }
}

} // namespace

HardError read_ml_energy(std::span<const NamedText> files, const Options& options, Report& report) {
    MlEnergyGroups groups;
    std::size_t lists = 0;
    for (const NamedText& file : files) {
        if (HardError error = read_file_of_set(file, groups, lists, report)) {
            return error;
        }
    }
    if (lists == 0) {
        return hard_error(Code::bad_format, 0,
                          "no file has a list of configurations: give files of models or tasks; index.json has none");
    }
    for (auto& [id, group] : groups) {
        add_ml_energy_group(id, group, options, report);
    }
    return std::nullopt;
}

} // namespace costcurve::imports
