// InferenceX (InferenceMAX) runs: rates per GPU of a served model at a number of requests at a time. Runs that differ in that
// number alone are points of one curve.
#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "server/import/json.hpp"
#include "server/import/readers.hpp"
#include "server/import/spellings.hpp"

namespace costcurve::imports {

namespace {

using model::Code;

struct Run {
    std::string file;
    int requests = 0; // at a time: conc
    double per_gpu = 0.0;
    double output_per_gpu = 0.0; // 0 where it is not given
    double token_s = 0.0;        // median time per output token; 0 where it is not given
};

struct Group {
    std::string hardware, model, prefix, framework, precision, speculation, device, parallel;
    double input_tokens = 0.0;
    double output_tokens = 0.0;
    int devices = 0;
    std::vector<Run> runs;
};

bool is_true(const Json& json, std::string_view name) {
    const std::optional<Json> found = member(json, name);
    bool flag = false;
    return found && (found->get(flag) == simdjson::SUCCESS ? flag : lower(text_of(json, name)) == "true"); // dp_attention is a text
}

// GPUs of the replica: those of tensor parallelism, or of both parts where prefill and decode run apart.
std::optional<int> devices_of(const Json& json) {
    if (!is_true(json, "disagg")) {
        const Number tensor = number_of(json, "tp");
        return tensor ? count_of(tensor.value) : std::nullopt;
    }
    const Number prefill = number_of(json, "num_prefill_gpu");
    const Number decode = number_of(json, "num_decode_gpu");
    return prefill && decode ? count_of(prefill.value + decode.value) : std::nullopt;
}

// What the run is of; says why it can't be used.
std::string identify(const Json& json, Group& group) {
    group.hardware = text_of(json, "hw");
    group.model = text_of(json, "model");
    group.prefix = text_of(json, "infmax_model_prefix");
    group.framework = text_of(json, "framework");
    group.precision = text_of(json, "precision");
    const std::string_view speculation = text_of(json, "spec_decoding");
    group.speculation = lower(speculation) == "none" ? "" : speculation;
    group.input_tokens = number_of(json, "isl").value;
    group.output_tokens = number_of(json, "osl").value;
    const std::optional<std::string> device = device_in(group.hardware);
    if (!device) {
        return fmt::format("hw is \"{}\": no device of that name is known", group.hardware);
    }
    group.device = *device;
    const std::optional<int> devices = devices_of(json);
    if (!devices) {
        return "how many GPUs it ran on is not known: tp, or num_prefill_gpu and num_decode_gpu of a disagg run, must be whole "
               "numbers";
    }
    group.devices = *devices;
    if (group.model.empty() || group.input_tokens <= 0 || group.output_tokens <= 0) {
        return "model, isl and osl are needed";
    }
    const Number experts = number_of(json, "ep");
    group.parallel = experts && experts.value > 1 ? fmt::format("ep{:.0f}", experts.value) : "";
    group.parallel += is_true(json, "dp_attention") ? "-dpa" : "";
    group.parallel += is_true(json, "disagg") ? "-disagg" : "";
    return "";
}

// The run's point; says why it can't be used.
std::string measure(const Json& json, Run& run) {
    const Number requests = number_of(json, "conc");
    const std::optional<int> whole = requests ? count_of(requests.value) : std::nullopt;
    const Number rate = number_of(json, "tput_per_gpu");
    if (!whole) {
        return "conc is not a whole number of requests";
    }
    if (!rate || rate.value <= 0) {
        return "tput_per_gpu is not a number above 0";
    }
    run.requests = *whole;
    run.per_gpu = rate.value;
    run.output_per_gpu = std::max(number_of(json, "output_tput_per_gpu").value, 0.0);
    run.token_s = std::max(number_of(json, "median_tpot").value, 0.0);
    return "";
}

std::string id_of(const Group& group) {
    const std::string_view name = std::string_view(group.model).substr(group.model.rfind('/') + 1);
    return make_id({"inferencex", group.prefix.empty() ? name : std::string_view(group.prefix),
                    fmt::format("{:.0f}-{:.0f}", group.input_tokens, group.output_tokens), gang_name(group.devices, group.device),
                    group.precision, group.framework, group.speculation, group.parallel});
}

using Groups = std::map<std::string, Group>;

void add_run(const Json& json, std::string_view file, std::size_t row, Groups& groups, Report& report) {
    ++report.rows;
    Group group;
    Run run;
    run.file = file;
    std::string why = identify(json, group);
    why = why.empty() ? measure(json, run) : why;
    if (!why.empty()) {
        report.rejected.add(row, fmt::format("{}: {}", file, why));
        return;
    }
    const std::string id = id_of(group);
    std::vector<Run>& runs = groups.try_emplace(id, group).first->second.runs;
    const auto same = std::find_if(runs.begin(), runs.end(), [&](const Run& one) { return one.requests == run.requests; });
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

model::Curve curve_of(model::CurveKind kind, const std::string& id, const std::string& source, std::string note) {
    model::Curve curve;
    curve.kind = kind;
    curve.axis = model::Axis::batch;
    curve.id = id;
    curve.source = source;
    curve.note = std::move(note);
    return curve;
}

constexpr std::string_view kUnit = "Tokens in and out together of all GPUs (tput_per_gpu x GPUs)";
constexpr std::string_view kLatency = "latency_s is median_tpot, the time per output token.";

void fill_with_curves(const std::string& id, const Group& group, model::Performance& performance, Report& report) {
    model::Curve rates = curve_of(model::CurveKind::throughput, make_id({"throughput", id}), performance.source,
                                  fmt::format("{}; batch is conc, the requests at a time.", kUnit));
    model::Curve latencies =
        curve_of(model::CurveKind::latency, make_id({"latency", id, "median-tpot"}), performance.source, std::string(kLatency));
    for (const Run& run : group.runs) {
        rates.x.push_back(run.requests);
        rates.y.push_back(run.per_gpu * group.devices);
        if (run.token_s > 0) {
            latencies.x.push_back(run.requests);
            latencies.y.push_back(run.token_s);
        }
    }
    performance.units_per_s = rate_of_curve(rates.id);
    report.add(std::move(rates));
    if (!latencies.x.empty()) {
        performance.latency_s = rate_of_curve(latencies.id);
        report.add(std::move(latencies));
    }
}

void add_group(const std::string& id, Group& group, const Options& options, Report& report) {
    std::sort(group.runs.begin(), group.runs.end(), [](const Run& a, const Run& b) { return a.requests < b.requests; });
    const Run& first = group.runs.front();
    const bool one = group.runs.size() == 1;
    model::Performance performance;
    performance.id = id;
    performance.device.id = group.device;
    performance.devices = group.devices;
    performance.framework = framework_in(group.framework);
    performance.precision = precision_of(group.precision);
    performance.source = source_of(
        options, fmt::format("InferenceX {}{}", first.file, one ? "" : fmt::format(" and {} more", group.runs.size() - 1)));
    performance.note = fmt::format(
        "{}, {:.0f} tokens in and {:.0f} out at most{}. {}{}. {}", group.model, group.input_tokens, group.output_tokens,
        group.speculation.empty() ? "" : ", speculative decoding: " + group.speculation, kUnit,
        one && first.output_per_gpu > 0 ? fmt::format(", of which out {:.6g}", first.output_per_gpu * group.devices) : "",
        kLatency);
    if (one) {
        performance.batch = first.requests;
        performance.units_per_s = model::Rate{first.per_gpu * group.devices, std::nullopt};
        if (first.token_s > 0) {
            performance.latency_s = model::Rate{first.token_s, std::nullopt};
        }
    } else {
        performance.note += " State a batch, or a latency objective that picks it.";
        fill_with_curves(id, group, performance, report);
    }
    report.add(std::move(performance));
}

} // namespace

HardError read_inferencex(std::span<const NamedText> files, const Options& options, Report& report) {
    Groups groups;
    for (std::size_t i = 0; i < files.size(); ++i) {
        const JsonFile json{std::string_view(files[i].text)};
        if (json.error()) {
            return hard_error(json.error()->code, 0, fmt::format("{}: {}", files[i].name, json.error()->message));
        }
        simdjson::dom::array list;
        if (json.root()->get(list) != simdjson::SUCCESS) {
            add_run(*json.root(), files[i].name, i + 1, groups, report);
            continue;
        }
        std::size_t row = 0;
        for (const Json& run : list) {
            add_run(run, files[i].name, ++row, groups, report);
        }
    }
    if (groups.empty() && (report.rejected.count == 0 || files.size() == 1)) {
        return hard_error(Code::bad_format, 0,
                          report.rejected.count == 0 ? "there is no run in it" : report.rejected.first[0].reason);
    }
    for (auto& [id, group] : groups) {
        add_group(id, group, options, report);
    }
    return std::nullopt;
}

} // namespace costcurve::imports
