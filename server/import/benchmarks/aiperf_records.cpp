// Reads AIPerf's request records. Timestamps are nanoseconds since 1970, more than a double can represent exactly, so they are
// subtracted as integers.
#include "server/import/benchmarks/aiperf_records.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include <fmt/format.h>

#include "server/import/text/json.hpp"
#include "server/import/text/lines.hpp"

namespace costcurve::imports {

namespace {

constexpr double kSecondsPerNs = 1e-9;
constexpr double kMedianRecord = 50.0;

// A figure of a record; 0 if the figure is absent, not a number, or present twice with different values.
double record_figure(const Json& metrics, std::string_view name, std::string_view unit) {
    const auto object = object_of(metrics);
    std::optional<double> found;
    if (!object) {
        return 0.0;
    }
    for (const auto& [key, value] : *object) {
        if (key != name) {
            continue;
        }
        const Number number = text_of(value, "unit") == unit ? number_of(value, "value") : Number{};
        if (!number || (found && *found != number.value)) {
            return 0.0;
        }
        found = number.value;
    }
    return std::max(found.value_or(0.0), 0.0);
}

double record_mean(const std::vector<double>& values) {
    return values.empty() ? 0.0 : std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double median_of(std::vector<double> values) {
    if (values.empty()) {
        return 0.0;
    }
    std::sort(values.begin(), values.end());
    const std::size_t middle = values.size() / 2;
    return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2.0;
}

} // namespace

bool is_records_file(std::string_view text) {
    constexpr std::size_t kBegin = 2000;
    const std::string_view begin = text.substr(0, kBegin);
    const std::size_t first = begin.find_first_not_of(" \t\r\n");
    return first != std::string_view::npos && begin[first] == '{' && begin.find("\"metadata\"") != std::string_view::npos &&
           begin.find("\"request_start_ns\"") != std::string_view::npos;
}

void AiperfRecords::read(const NamedText& file, std::size_t row, Report& report) {
    Bytes bytes{std::string_view(file.text)};
    simdjson::dom::parser parser;
    Json whole;
    if (parser.parse(file.text.data(), file.text.size()).get(whole) ==
        simdjson::SUCCESS) { // a single record, possibly over several lines
        single_.file = single_.file.empty() ? file.name : single_.file;
        single_.row = single_.row == 0 ? row : single_.row;
        read_record(file.text, file.name, row, single_, report);
        return;
    }
    Run& run = runs_.emplace_back();
    run.file = file.name;
    run.row = row;
    Lines lines(bytes);
    while (lines.next()) {
        if (!lines.text().empty()) {
            read_record(lines.text(), file.name, lines.row(), run, report);
        }
    }
    if (lines.error()) {
        report.rejected.add(lines.row(), fmt::format("{}: {}", file.name, lines.error()->message));
    }
}

void AiperfRecords::read_record(std::string_view text, std::string_view file, std::size_t row, Run& run, Report& report) {
    ++report.rows;
    simdjson::dom::parser parser;
    Json root;
    const simdjson::error_code error = parser.parse(text.data(), text.size()).get(root);
    const std::optional<Json> metadata = error == simdjson::SUCCESS ? member(root, "metadata") : std::nullopt;
    const std::optional<Json> metrics = error == simdjson::SUCCESS ? member(root, "metrics") : std::nullopt;
    std::int64_t start = 0;
    std::int64_t end = 0;
    if (!metadata || (*metadata)["request_start_ns"].get(start) != simdjson::SUCCESS ||
        (*metadata)["request_end_ns"].get(end) != simdjson::SUCCESS || end < start) {
        report.rejected.add(row, fmt::format("{}: {}", file,
                                             error == simdjson::SUCCESS
                                                 ? "it is no record: metadata with request_start_ns and request_end_ns is needed"
                                                 : "it is no JSON"));
        return;
    }
    bool flag = false;
    const bool was_cancelled = (*metadata)["was_cancelled"].get(flag) == simdjson::SUCCESS && flag;
    if (text_of(*metadata, "benchmark_phase") == "warmup") {
        ++report.skipped;
        return;
    }
    if (was_cancelled || member(root, "error") || !metrics) {
        ++run.failed;
        ++report.skipped;
        return;
    }
    run.origin_ns = run.origin_ns == 0 ? start : run.origin_ns;
    Record record;
    record.start_s = static_cast<double>(start - run.origin_ns) * kSecondsPerNs;
    record.end_s = static_cast<double>(end - run.origin_ns) * kSecondsPerNs;
    record.input_tokens = record_figure(*metrics, "input_sequence_length", "tokens");
    record.output_tokens = record_figure(*metrics, "output_sequence_length", "tokens");
    record.ttft_s = record_figure(*metrics, "time_to_first_token", "ms") / kMsPerSecond;
    record.token_s = record_figure(*metrics, "inter_token_latency", "ms") / kMsPerSecond;
    if (record.output_tokens <= 0.0) {
        report.rejected.add(row, fmt::format("{}: output_sequence_length is no number of tokens above 0", file));
        return;
    }
    run.records.push_back(record);
}

std::vector<LoadPoint> AiperfRecords::points(Report& report) const {
    std::vector<LoadPoint> points;
    std::vector<const Run*> runs;
    for (const Run& run : runs_) {
        runs.push_back(&run);
    }
    if (single_.row != 0) {
        runs.push_back(&single_);
    }
    for (const Run* const run : runs) {
        if (run->records.empty()) {
            report.rejected.add(run->row, fmt::format("{}: no request of it was answered", run->file));
            continue;
        }
        LoadPoint point;
        point.row = run->row;
        point.file = run->file;
        point.failed = run->failed;
        point.percentile = kMedianRecord;
        double first = run->records.front().start_s;
        double last = first;
        double busy = 0.0; // seconds of requests
        std::vector<double> ttft;
        std::vector<double> token;
        std::vector<double> latency;
        for (const Record& record : run->records) {
            first = std::min(first, record.start_s);
            last = std::max(last, record.end_s);
            busy += record.end_s - record.start_s;
            latency.push_back(record.end_s - record.start_s);
            point.input_tokens += record.input_tokens;
            point.output_tokens += record.output_tokens;
            if (record.ttft_s > 0.0) {
                ttft.push_back(record.ttft_s);
            }
            if (record.token_s > 0.0) {
                token.push_back(record.token_s);
            }
        }
        const auto count = static_cast<double>(run->records.size());
        const double seconds = last - first;
        if (seconds > 0.0) {
            point.requests_per_s = count / seconds;
            point.output_per_s = point.output_tokens / seconds;
            point.requests = busy / seconds;
        }
        point.input_tokens /= count;
        point.output_tokens /= count;
        point.answered = count;
        point.means = {busy / count, record_mean(ttft), record_mean(token)};
        point.medians = {median_of(std::move(latency)), median_of(std::move(ttft)), median_of(std::move(token))};
        point.ttft_s = point.medians.ttft;
        point.token_s = point.medians.token;
        points.push_back(std::move(point));
    }
    return points;
}

} // namespace costcurve::imports
