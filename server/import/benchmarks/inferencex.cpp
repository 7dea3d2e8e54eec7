// Reads InferenceX (InferenceMAX) runs: rates per GPU of a served model at a concurrency. Runs that differ only in concurrency are
// points of one curve.
#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "server/import/benchmarks/inferencex_fields.hpp"
#include "server/import/benchmarks/load_tests.hpp"
#include "server/import/benchmarks/served_measurement.hpp"
#include "server/import/curves.hpp"
#include "server/import/identity/model_name.hpp"
#include "server/import/identity/spellings.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/json.hpp"

namespace costcurve::imports {

namespace {

using model::Code;

struct InferenceXRun {
    std::string file;
    int requests = 0; // concurrency: conc
    double per_gpu = 0.0;
    double output_per_gpu = 0.0; // 0: not stated
    int output_gpus = 0;         // GPUs that output_per_gpu is divided by
    double token_s = 0.0;        // median time per output token; 0: not stated
    double ttft_s = 0.0;
};

struct InferenceXGroup {
    std::string hardware, model, prefix, framework, precision, speculation, device, parallel;
    double input_tokens = 0.0;
    double output_tokens = 0.0;
    int devices = 0;
    bool has_attention_apart = false;
    bool is_disaggregated = false;
    int copies = 1; // replicas of the model side by side on the chips of a TPU
    std::vector<InferenceXRun> runs;
};

// Facts from the options, for what files don't state.
struct GivenFacts {
    std::optional<std::string> device;
    std::optional<int> devices;
    std::string model;
};

// In TPU runs tp counts cores. An Ironwood chip has two cores.
constexpr std::string_view kTwoCoreChip = "google.tpu-v7";
constexpr double kCoresOfChip = 2.0;
constexpr double kMedian = 50.0;

// Counts chips and replicas of a TPU run. Gives the reason if they are unknown, else "". A model that fills half a chip runs as
// several replicas.
std::string count_chips(const Json& json, std::optional<int> given, InferenceXGroup& group) {
    const Number cores = number_of(json, "tp");
    if (!cores || !count_of(cores.value) || is_true(json, "disagg")) {
        return "of a run on TPUs that is not disagg, tp must be a whole number of cores";
    }
    const double chips = cores.value / kCoresOfChip; // of one replica
    const std::optional<int> devices = given ? given : count_of(chips);
    const std::optional<int> copies = devices ? count_of(*devices / chips) : std::nullopt;
    if (!copies) {
        return fmt::format("tp is {:.0f} and counts cores, two a chip: {}", cores.value,
                           devices ? "devices is no whole number of copies of that"
                                   : "give devices, the chips that its copies ran on together");
    }
    group.devices = *devices;
    group.copies = *copies;
    return "";
}

// Identifies the device of a run. Gives the reason if it is unknown, else "".
std::string identify_device(const Json& json, const GivenFacts& given, InferenceXGroup& group) {
    group.hardware = text_of(json, "hw");
    const std::optional<std::string> device = device_in(group.hardware);
    for (const std::string_view part : {"prefill_hw", "decode_hw"}) {
        const std::string_view hardware = text_of(json, part);
        if (!hardware.empty() && hardware != group.hardware && (!device || device_in(hardware) != device)) {
            return fmt::format("{} is \"{}\", hw \"{}\": a performance is of one kind of device", part, hardware, group.hardware);
        }
    }
    if (device && given.device && device != given.device) {
        return fmt::format("hw is \"{}\", the option device {}; leave out the option", group.hardware, *given.device);
    }
    if (!device && !given.device) {
        return fmt::format("hw is \"{}\": no device of that name is known; give the option device", group.hardware);
    }
    group.device = device ? *device : *given.device;
    if (group.device == kTwoCoreChip) {
        const Number chips = number_of(json, "chips");
        return count_chips(json, chips ? count_of(chips.value) : given.devices, group);
    }
    const std::optional<int> devices = gang_devices(json);
    if (!devices) {
        return "how many GPUs it ran on is not known: tp (times pp, pcp_size, dp and replicas, where they are there), or "
               "num_prefill_gpu and num_decode_gpu of a disagg run, must be whole numbers";
    }
    group.devices = *devices;
    return "";
}

// Reads what sets a run's group apart: model, device, precision, lengths. Gives the reason if the run can't be used, else "".
std::string identify(const Json& json, const GivenFacts& given, InferenceXGroup& group) {
    group.model = text_of(json, "model");
    group.prefix = text_of(json, "infmax_model_prefix");
    group.framework = text_of(json, "framework");
    group.precision = text_of(json, "precision");
    const std::string_view speculation = text_of(json, "spec_decoding");
    group.speculation = lower(speculation) == "none" ? "" : speculation;
    group.input_tokens = number_of(json, "isl").value;
    group.output_tokens = number_of(json, "osl").value;
    if (std::string why = identify_device(json, given, group); !why.empty()) {
        return why;
    }
    const bool is_snapshot = member(json, "metrics") && group.input_tokens <= 0 && group.output_tokens <= 0;
    group.model = group.model.empty() ? given.model : group.model;
    if (group.model.empty() || (!is_snapshot && (group.input_tokens <= 0 || group.output_tokens <= 0))) {
        return is_snapshot ? "the model is not in the file: give the option model" : "model, isl and osl are needed";
    }
    const Number experts = number_of(json, "ep");
    group.parallel = experts && experts.value > 1 ? fmt::format("ep{:.0f}", experts.value) : "";
    group.has_attention_apart = is_true(json, "dp_attention");
    group.is_disaggregated = is_true(json, "disagg");
    group.parallel += group.has_attention_apart ? "-dpa" : "";
    group.parallel += group.is_disaggregated ? "-disagg" : "";
    group.parallel += group.copies > 1 ? fmt::format("-dp{}", group.copies) : "";
    return "";
}

// Tokens of a request, input and output; at most isl + osl. A snapshot states neither: output tokens follow from the time behind
// the first token, input tokens from the ratio of the rates.
double tokens_of_request(const Json& json, const InferenceXGroup& group) {
    if (group.input_tokens > 0) {
        return group.input_tokens + group.output_tokens;
    }
    const double token_s = figure_of(json, "mean_tpot").value;
    const double output_rate = figure_of(json, "output_tput_per_gpu").value;
    if (token_s <= 0 || output_rate <= 0) {
        return 0.0;
    }
    const double output = (figure_of(json, "mean_e2el").value - figure_of(json, "mean_ttft").value) / token_s + 1.0;
    return output * figure_of(json, "tput_per_gpu").value / output_rate;
}

// Converts the rate to one per chip. With several replicas, some files divide the total by all chips, others by the chips of one
// replica (tp / 2). The run itself shows which: by Little's law concurrency over latency gives requests/s, each of about isl + osl
// tokens.
std::string divide_by_chips(const Json& json, const InferenceXGroup& group, InferenceXRun& run) {
    constexpr double kMinShare = 0.6; // of isl + osl, a request's maximum; below 2 x kMinShare only one of the two divisors fits
    constexpr double kMaxShare = 1.15;
    const Number seconds = figure_of(json, "mean_e2el");
    const double demand = seconds && seconds.value > 0
                              ? run.requests / seconds.value * tokens_of_request(json, group) / group.devices
                              : 0.0; // tokens/s per chip
    for (const double divided : {1.0, static_cast<double>(group.copies)}) {
        const double per_chip = run.per_gpu / divided;
        if (per_chip > kMinShare * demand && per_chip < kMaxShare * demand) {
            run.per_gpu = per_chip;
            run.output_per_gpu /= divided;
            return "";
        }
    }
    return fmt::format("{} copies ran on {} chips, and conc / mean_e2el does not tell by what tput_per_gpu was divided",
                       group.copies, group.devices);
}

// The number of GPUs by which a file divided the output rate of a disaggregated run: decode GPUs since InferenceX issue 131, all
// GPUs before. The total token rate and the share of output tokens show which.
int output_gpus(const Json& json, const InferenceXGroup& group, const InferenceXRun& run) {
    const Number decode = number_of(json, "num_decode_gpu");
    const std::optional<int> part = is_true(json, "disagg") && decode ? count_of(decode.value) : std::nullopt;
    const double tokens = group.input_tokens + group.output_tokens;
    if (!part || tokens <= 0.0 || run.output_per_gpu <= 0.0) {
        return group.devices;
    }
    const double output = run.per_gpu * group.devices * group.output_tokens / tokens;
    const auto miss = [&](int gpus) { return std::fabs(run.output_per_gpu * gpus - output); };
    return miss(*part) < miss(group.devices) ? *part : group.devices;
}

// Reads the run's point. Gives the reason if it can't be used, else "".
std::string measure(const Json& json, const InferenceXGroup& group, InferenceXRun& run) {
    const Number requests = number_of(json, "conc");
    const std::optional<int> whole = requests ? count_of(requests.value) : std::nullopt;
    const Number rate = figure_of(json, "tput_per_gpu");
    if (!whole) {
        return "conc is not a whole number of requests";
    }
    if (!rate || rate.value <= 0) {
        return "tput_per_gpu is not a number above 0";
    }
    run.requests = *whole;
    run.per_gpu = rate.value;
    run.output_per_gpu = std::max(figure_of(json, "output_tput_per_gpu").value, 0.0);
    run.output_gpus = output_gpus(json, group, run);
    run.token_s = std::max(figure_of(json, "median_tpot").value, 0.0);
    run.ttft_s = std::max(figure_of(json, "median_ttft").value, 0.0);
    return group.copies > 1 ? divide_by_chips(json, group, run) : "";
}

// Makes the time per output token consistent with the run's other times, for requests of osl tokens. Gives a note on the change, or
// "".
std::string agree_run_times(const Json& json, const InferenceXGroup& group, InferenceXRun& run) {
    const auto times = [&](std::string_view statistic) {
        const auto time = [&](std::string_view name) {
            return std::max(figure_of(json, fmt::format("{}_{}", statistic, name)).value, 0.0);
        };
        return RequestTimes{time("e2el"), time("ttft"), time("tpot")};
    };
    LoadPoint point;
    point.output_tokens = group.output_tokens;
    point.percentile = kMedian;
    point.means = times("mean");
    point.medians = times("median");
    point.ttft_s = point.medians.ttft;
    point.token_s = run.token_s;
    std::string words = agree_times(point);
    run.token_s = point.token_s;
    return words;
}

std::string id_of(const InferenceXGroup& group) {
    const std::string_view name = std::string_view(group.model).substr(group.model.rfind('/') + 1);
    return make_id({"inferencex", group.prefix.empty() ? name : std::string_view(group.prefix),
                    group.input_tokens > 0 ? fmt::format("{:.0f}-{:.0f}", group.input_tokens, group.output_tokens) : "",
                    gang_name(group.devices, group.device), group.precision, group.framework, group.speculation, group.parallel});
}

using InferenceXGroups = std::map<std::string, InferenceXGroup>;

void add_run(const Json& json, std::string_view file, std::size_t row, const GivenFacts& given, InferenceXGroups& groups,
             Report& report) {
    ++report.rows;
    InferenceXGroup group;
    InferenceXRun run;
    run.file = file;
    std::string why = identify(json, given, group);
    why = why.empty() ? measure(json, group, run) : why;
    if (!why.empty()) {
        report.rejected.add(row, fmt::format("{}: {}", file, why));
        return;
    }
    const std::string id = id_of(group);
    if (const std::string words = agree_run_times(json, group, run); !words.empty()) {
        report.warnings.add(row, fmt::format("{}: {}", file, words));
    }
    std::vector<InferenceXRun>& runs = groups.try_emplace(id, group).first->second.runs;
    const auto same = std::ranges::find(runs, run.requests, &InferenceXRun::requests);
    if (same == runs.end()) {
        runs.push_back(std::move(run));
    } else if (same->per_gpu == run.per_gpu) {
        ++report.skipped;
    } else {
        report.warnings.add(row,
                            fmt::format("{}: {} has two runs of conc {}, {:.6g} and {:.6g} tokens/s a GPU; the faster was taken",
                                        file, id, run.requests, same->per_gpu, run.per_gpu));
        if (run.per_gpu > same->per_gpu) {
            *same = std::move(run);
        }
    }
}

constexpr std::string_view kUnit = "Tokens in and out together of all GPUs (tput_per_gpu x GPUs)";
constexpr std::string_view kLatency = "itl_s is median_tpot, the time per output token.";

void fill_with_curves(const std::string& id, const InferenceXGroup& group, model::Performance& performance, Report& report) {
    model::Curve rates = empty_curve(model::CurveKind::throughput, model::Axis::batch, make_id({"throughput", id}),
                                     performance.source, fmt::format("{}; batch is conc, the requests at a time.", kUnit));
    model::Curve latencies = empty_curve(model::CurveKind::latency, model::Axis::batch, make_id({"latency", id, "median-tpot"}),
                                         performance.source, std::string(kLatency));
    for (const InferenceXRun& run : group.runs) {
        append_point(rates, run.requests, run.per_gpu * group.devices);
        if (run.token_s > 0) {
            append_point(latencies, run.requests, run.token_s);
        }
    }
    performance.units_per_s = rate_of_curve(rates.id);
    report.add(std::move(rates));
    if (!latencies.x.empty()) {
        performance.itl_s = rate_of_curve(latencies.id);
        performance.latency_percentile = kMedian;
        report.add(std::move(latencies));
    }
}

// The measurement of the runs' points; nothing if request lengths are unknown. Speculative decoding gives a doubt.
std::optional<model::Measurement> measurement_of(const InferenceXGroup& group, model::Performance& performance) {
    if (group.input_tokens <= 0.0 || group.output_tokens <= 0.0) {
        return std::nullopt;
    }
    performance.mix = {group.input_tokens, group.output_tokens};
    std::vector<ServedPoint> points;
    for (const InferenceXRun& run : group.runs) {
        const double by_lengths = run.per_gpu * group.devices * group.output_tokens / (group.input_tokens + group.output_tokens);
        const double output_per_s = run.output_per_gpu > 0.0 ? run.output_per_gpu * run.output_gpus : by_lengths;
        points.push_back({group.input_tokens, group.output_tokens, run.requests * 1.0, output_per_s, run.ttft_s, run.token_s});
    }
    std::optional<model::Measurement> measurement = measurement_beside(performance, points);
    if (measurement) {
        const int of_a_copy = group.devices / group.copies;
        measurement->kind = group.is_disaggregated ? model::MeasurementKind::disaggregated : model::MeasurementKind::serving;
        measurement->doubt = !group.speculation.empty() ? "speculative decoding: " + group.speculation
                             : of_a_copy == 0           ? "several copies of the model share a device"
                                                        : "";
        if (!group.is_disaggregated && of_a_copy > 0 && (group.copies > 1 || group.has_attention_apart)) {
            measurement->parallel = {.tp = of_a_copy, .dp = group.copies * (group.has_attention_apart ? of_a_copy : 1)};
        }
    }
    return measurement;
}

void add_inferencex_group(const std::string& id, InferenceXGroup& group, const Options& options, Report& report) {
    std::sort(group.runs.begin(), group.runs.end(),
              [](const InferenceXRun& a, const InferenceXRun& b) { return a.requests < b.requests; });
    const InferenceXRun& first = group.runs.front();
    const bool one = group.runs.size() == 1;
    model::Performance performance;
    performance.id = id;
    performance.device.id = group.device;
    performance.devices = group.devices;
    performance.framework = framework_in(group.framework);
    performance.precision = precision_of(group.precision);
    performance.source = source_of(
        options, fmt::format("InferenceX {}{}", first.file, one ? "" : fmt::format(" and {} more", group.runs.size() - 1)));
    performance.model = model_id_of(group.model);
    performance.note = fmt::format(
        "{}, {}{}. {}{}. {}", group.model,
        group.input_tokens > 0 ? fmt::format("{:.0f} tokens in and {:.0f} out at most", group.input_tokens, group.output_tokens)
                               : "tokens of a request not stated",
        group.speculation.empty() ? "" : ", speculative decoding: " + group.speculation, kUnit,
        one && first.output_per_gpu > 0 ? fmt::format(", of which out {:.6g}", first.output_per_gpu * first.output_gpus) : "",
        kLatency);
    if (group.device == kTwoCoreChip) {
        performance.note += fmt::format(" {} chip{}: tp counts cores, two a chip{}.", group.devices, group.devices == 1 ? "" : "s",
                                        group.copies > 1 ? fmt::format("; {} copies side by side", group.copies) : "");
    }
    if (one) {
        performance.batch = first.requests;
        performance.units_per_s = model::Rate{first.per_gpu * group.devices, std::nullopt};
        if (first.token_s > 0) {
            performance.itl_s = model::Rate{first.token_s, std::nullopt};
            performance.latency_percentile = kMedian;
        }
    } else {
        performance.note += " State a batch, or a latency objective that picks it.";
        fill_with_curves(id, group, performance, report);
    }
    std::optional<model::Measurement> measurement = measurement_of(group, performance);
    report.add(std::move(performance));
    if (measurement) {
        report.add(std::move(*measurement));
    }
}

} // namespace

HardError read_inferencex(std::span<const NamedText> files, const Options& options, Report& report) {
    const GivenFacts given{device_option(options), devices_option(options), options.model};
    InferenceXGroups groups;
    for (std::size_t i = 0; i < files.size(); ++i) {
        const JsonFile json{std::string_view(files[i].text)};
        if (json.error()) {
            return hard_error(json.error()->code, 0, fmt::format("{}: {}", files[i].name, json.error()->message));
        }
        const auto list = list_of(member(*json.root(), "benchmarks").value_or(*json.root()));
        if (!list) {
            add_run(*json.root(), files[i].name, i + 1, given, groups, report);
            continue;
        }
        std::size_t row = 0;
        for (const Json& run : *list) {
            add_run(run, files[i].name, ++row, given, groups, report);
        }
    }
    if (groups.empty() && (report.rejected.count == 0 || files.size() == 1)) {
        return hard_error(Code::bad_format, 0,
                          report.rejected.count == 0 ? "there is no run in it" : report.rejected.first[0].reason);
    }
    for (auto& [id, group] : groups) {
        add_inferencex_group(id, group, options, report);
    }
    return std::nullopt;
}

} // namespace costcurve::imports
