// Reads reports of inference-perf, one JSON per load stage. The rate is the achieved one, not the requested one. Mean concurrency
// follows from Little's law.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "server/import/benchmarks/load_tests.hpp"
#include "server/import/identity/spellings.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/json.hpp"
#include "server/import/text/yaml.hpp"

namespace costcurve::imports {

namespace {

constexpr double kMedianStage = 50.0;
constexpr double kCountTolerance = 0.05;

// The JSON value at a path of members; nothing if a member is missing.
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

// The mean number of tokens per request. Newer reports name the member prompt_tokens or output_tokens.
double stage_tokens(const std::optional<Json>& successes, std::string_view name, std::string_view newer) {
    const double tokens = successes ? stage_number(member(*successes, name), "mean") : 0.0;
    return tokens > 0.0 || !successes ? tokens : stage_number(member(*successes, newer), "mean");
}

// The server's own token count per request; 0 if the report has none. It is preferred to the client's count, which may be of chunks
// of the stream (inference-perf issue 564).
double server_tokens(const std::optional<Json>& successes, std::string_view name) {
    const double count = stage_number(successes, "count");
    return successes && count > 0.0 ? stage_number(member(*successes, name), "total") / count : 0.0;
}

// Replaces the client's token count by the server's, with a warning if they differ.
void take_server_count(double& tokens, double counted, std::string_view what, const LoadPoint& point, Report& report) {
    if (counted <= 0.0) {
        return;
    }
    if (tokens > 0.0 && std::fabs(counted - tokens) > kCountTolerance * counted) {
        report.warnings.add(point.row, fmt::format("{}: the client counted {:.6g} tokens {} a request, the server {:.6g}, which is "
                                                   "used",
                                                   point.file, tokens, what, counted));
    }
    tokens = counted;
}

RequestTimes stage_times(const Json& root, std::string_view statistic) {
    const auto time = [&](std::string_view name) {
        return stage_number(stage_part(root, {"successes", "latency", name}), statistic);
    };
    return {time("request_latency"), time("time_to_first_token"), time("time_per_output_token")};
}

// Whether a file is another kind of report: the summary over all stages, Prometheus metrics (of another time window), or
// per-request records.
bool is_other_report(std::string_view name) {
    return !name.ends_with(".json") || name.starts_with("summary_") || name.starts_with("per_request_") ||
           name.find("prometheus") != std::string_view::npos || name.find("session") != std::string_view::npos;
}

// Reads server.model_name and server.type from the run's config.yaml, if the file is present.
HardError read_run_config(const NamedText& file, ServedModel& served) {
    Bytes bytes{std::string_view(file.text)};
    return read_yaml(bytes, [&](const YAML::Node& root) -> HardError {
        const YAML::Node server = yaml_member(root, "server");
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
    take_server_count(point.input_tokens, server_tokens(successes, "prompt_tokens"), "in", point, report);
    if (const double counted = server_tokens(successes, "output_tokens"); counted > 0.0) {
        take_server_count(point.output_tokens, counted, "out", point, report);
        point.output_per_s = point.requests_per_s * counted;
    }
    point.means = stage_times(root, "mean");
    point.medians = stage_times(root, "median");
    point.requests = requests_at_a_time(point.requests_per_s, point.means.latency);
    point.token_s = point.medians.token;
    point.ttft_s = point.medians.ttft;
    point.percentile = kMedianStage;
    point.answered = stage_number(successes, "count");
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
