// Reads results of vLLM's serving benchmark (`vllm bench serve --save-result`, JSON): one run at one concurrency. Older results
// have times in seconds, newer ones in milliseconds with "_ms" behind the name.
#include <fmt/format.h>

#include "server/import/benchmarks/load_tests.hpp"
#include "server/import/identity/spellings.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/json.hpp"
#include "server/import/text/lines.hpp"

namespace costcurve::imports {

namespace {

constexpr double kMedianRun = 50.0;

double seconds_of(const Json& run, std::string_view name) {
    const Number seconds = number_of(run, name);
    const double value = seconds ? seconds.value : number_of(run, fmt::format("{}_ms", name)).value / kMsPerSecond;
    return std::max(value, 0.0);
}

// Times of a run in one statistic. vLLM names a request's latency "e2el", SGLang "e2e_latency".
RequestTimes run_times(const Json& run, std::string_view statistic) {
    const auto time = [&](std::string_view name) { return seconds_of(run, fmt::format("{}_{}", statistic, name)); };
    return {std::max(time("e2el"), time("e2e_latency")), time("ttft"), time("tpot")};
}

void add_vllm_run(const Json& run, std::string_view file, std::size_t row, LoadTests& tests, Report& report) {
    ++report.rows;
    const Number answered = number_of(run, "completed");
    const Number output = number_of(run, "output_throughput");
    if (!answered || !output || !number_of(run, "request_throughput")) {
        report.rejected.add(row, fmt::format("{}: it is no result of a serving benchmark: completed, request_throughput and "
                                             "output_throughput are needed",
                                             file));
        return;
    }
    const Number prompts = number_of(run, "num_prompts");
    const Number concurrency = number_of(run, "max_concurrency");
    LoadPoint point;
    point.row = row;
    point.file = file;
    point.requests_per_s = number_of(run, "request_throughput").value;
    point.means = run_times(run, "mean");
    point.medians = run_times(run, "median");
    point.answered = answered.value;
    if (answered.value > 0.0) {
        point.input_tokens = number_of(run, "total_input_tokens").value / answered.value;
        point.output_tokens = number_of(run, "total_output_tokens").value / answered.value;
        point.failed = prompts ? prompts.value - answered.value : number_of(run, "failed").value;
    }
    point.output_per_s = output.value;
    point.token_s = point.medians.token;
    point.ttft_s = point.medians.ttft;
    point.requests = concurrency ? concurrency.value : requests_at_a_time(point.requests_per_s, latency_of(point));
    point.percentile = kMedianRun;
    ServedModel served;
    served.name = text_of(run, "model_id");
    for (const std::string_view text : {text_of(run, "backend"), text_of(run, "endpoint_type"), file}) {
        served.framework = served.framework.empty() ? framework_in(text) : served.framework;
    }
    tests.add(served, point);
}

} // namespace

// Reads JSON lines with one run each, as SGLang appends them.
HardError read_run_lines(const NamedText& file, LoadTests& tests, Report& report) {
    Bytes bytes{std::string_view(file.text)};
    Lines lines(bytes);
    while (lines.next()) {
        if (lines.text().find_first_not_of(" \t\r") == std::string_view::npos) {
            continue;
        }
        const JsonFile run{lines.text()};
        if (run.error()) {
            ++report.rows;
            report.rejected.add(lines.row(), fmt::format("{}: {}", file.name, run.error()->message));
        } else {
            add_vllm_run(*run.root(), file.name, lines.row(), tests, report);
        }
    }
    return lines.error();
}

// Whether a text's first line is an object and more text follows.
bool is_run_lines(std::string_view text) {
    const std::size_t end = text.find('\n', text.find_first_not_of(" \t\r\n"));
    return end != std::string_view::npos && text.find_first_not_of(" \t\r\n", end) != std::string_view::npos &&
           !JsonFile{text.substr(0, end)}.error();
}

HardError read_vllm_bench(std::span<const NamedText> files, const Options& options, Report& report) {
    LoadTests tests("vllm-bench", options, report);
    for (std::size_t i = 0; i < files.size(); ++i) {
        const JsonFile json{std::string_view(files[i].text)};
        if (json.error() && is_run_lines(files[i].text)) {
            if (HardError error = read_run_lines(files[i], tests, report)) {
                return error;
            }
            continue;
        }
        if (json.error()) {
            return hard_error(json.error()->code, 0, fmt::format("{}: {}", files[i].name, json.error()->message));
        }
        const auto list = list_of(*json.root());
        if (!list) {
            add_vllm_run(*json.root(), files[i].name, i + 1, tests, report);
            continue;
        }
        std::size_t row = 0;
        for (const Json& run : *list) {
            add_vllm_run(run, files[i].name, ++row, tests, report);
        }
    }
    return tests.finish();
}

} // namespace costcurve::imports
