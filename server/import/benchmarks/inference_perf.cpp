// Reports of inference-perf: a JSON a stage of load. What was asked for is no rate: that of what was answered is taken, and the
// mean of requests at a time by Little's law.
#include <algorithm>

#include <fmt/format.h>

#include "server/import/benchmarks/load_tests.hpp"
#include "server/import/identity/spellings.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/json.hpp"
#include "server/import/text/yaml.hpp"

namespace costcurve::imports {

namespace {

constexpr double kMedianStage = 50.0;

// The members of a path; nothing where one is missing.
std::optional<Json> stage_part(const Json& root, std::initializer_list<std::string_view> path) {
    std::optional<Json> part = root;
    for (const std::string_view name : path) {
        part = part ? member(*part, name) : std::nullopt;
    }
    return part;
}

double stage_number(const std::optional<Json>& part, std::string_view name) {
    return part ? std::max(number_of(*part, name).value, 0.0) : 0.0;
}

// The mean tokens of a request: newer reports have them as prompt_tokens and output_tokens.
double stage_tokens(const std::optional<Json>& successes, std::string_view name, std::string_view newer) {
    const double tokens = successes ? stage_number(member(*successes, name), "mean") : 0.0;
    return tokens > 0.0 || !successes ? tokens : stage_number(member(*successes, newer), "mean");
}

// The summary is of all stages together, Prometheus's view of other moments, single requests of no load.
bool is_other_report(std::string_view name) {
    return !name.ends_with(".json") || name.starts_with("summary_") || name.starts_with("per_request_") ||
           name.find("prometheus") != std::string_view::npos || name.find("session") != std::string_view::npos;
}

// config.yaml of the run, where it is among the files: server.model_name and server.type.
HardError read_run_config(const NamedText& file, ServedModel& served) {
    Bytes bytes{std::string_view(file.text)};
    return read_yaml(bytes, [&](const YAML::Node& root) -> HardError {
        const YAML::Node server = root.IsMap() ? root["server"] : YAML::Node();
        if (server && server.IsMap()) {
            served.name = yaml_text(server, "model_name");
            served.framework = framework_in(yaml_text(server, "type"));
        }
        return std::nullopt;
    });
}

void add_stage(const Json& root, const NamedText& file, std::size_t row, const ServedModel& served, LoadTests& tests,
               Report& report) {
    const std::optional<Json> successes = member(root, "successes");
    const std::optional<Json> throughput = stage_part(root, {"successes", "throughput"});
    if (!throughput) {
        report.rejected.add(row, fmt::format("{}: it is no report of a stage: successes.throughput is needed", file.name));
        return;
    }
    LoadPoint point;
    point.row = row;
    point.file = file.name;
    point.requests_per_s = stage_number(throughput, "requests_per_sec");
    point.output_per_s = stage_number(throughput, "output_tokens_per_sec");
    point.input_tokens = stage_tokens(successes, "prompt_len", "prompt_tokens");
    point.output_tokens = stage_tokens(successes, "output_len", "output_tokens");
    point.requests = requests_at_a_time(point.requests_per_s,
                                        stage_number(stage_part(root, {"successes", "latency", "request_latency"}), "mean"));
    point.token_s = stage_number(stage_part(root, {"successes", "latency", "time_per_output_token"}), "median");
    point.ttft_s = stage_number(stage_part(root, {"successes", "latency", "time_to_first_token"}), "median");
    point.percentile = kMedianStage;
    point.failed = stage_number(member(root, "failures"), "count");
    tests.add(served, point);
}

} // namespace

HardError read_inference_perf(std::span<const NamedText> files, const Options& options, Report& report) {
    ServedModel served;
    for (const NamedText& file : files) {
        if (file.name == "config.yaml" || file.name == "config.yml") {
            if (HardError error = read_run_config(file, served)) {
                return hard_error(error->code, 0, fmt::format("{}: {}", file.name, error->message));
            }
        }
    }
    LoadTests tests("inference-perf", options, report);
    for (std::size_t i = 0; i < files.size(); ++i) {
        ++report.rows;
        if (!files[i].name.empty() && is_other_report(files[i].name)) {
            ++report.skipped;
            continue;
        }
        const JsonFile json{std::string_view(files[i].text)};
        if (json.error()) {
            return hard_error(json.error()->code, 0, fmt::format("{}: {}", files[i].name, json.error()->message));
        }
        add_stage(*json.root(), files[i], i + 1, served, tests, report);
    }
    return tests.finish();
}

} // namespace costcurve::imports
