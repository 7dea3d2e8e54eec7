// Reads exports of GenAI-Perf and its successor AIPerf: JSON and CSV of a run, analysis CSV with one run per row, and AIPerf's
// request records. Printed tables are refused, since their figures are rounded.
#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "server/import/benchmarks/aiperf_records.hpp"
#include "server/import/benchmarks/perf_metrics.hpp"
#include "server/import/identity/spellings.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/json.hpp"
#include "server/import/text/table.hpp"

namespace costcurve::imports {

namespace {

using model::Code;

// Collects the numbers under a key anywhere in the input's configuration; its structure differs between versions.
void find_numbers(const Json& json, std::string_view name, std::set<double>& found) {
    if (const auto object = object_of(json)) {
        for (const auto& [key, value] : *object) {
            double number = 0.0;
            if (key == name && value.get(number) == simdjson::SUCCESS) {
                found.insert(number);
            } else {
                find_numbers(value, name, found);
            }
        }
    } else if (const auto list = list_of(json)) {
        for (const Json& item : *list) {
            find_numbers(item, name, found);
        }
    }
}

// The model under "model", "model_names" or "models" (a text or a list of texts) anywhere in the configuration.
std::string find_model(const Json& json) {
    const auto object = object_of(json);
    if (!object) {
        return "";
    }
    for (const auto& [key, value] : *object) {
        const bool is_model = key == "model" || key == "model_names" || key == "models";
        const auto list = list_of(value);
        std::string_view text;
        const Json first = is_model && list && list->size() > 0 ? list->at(0).value() : value;
        if (is_model && first.get(text) == simdjson::SUCCESS) {
            return std::string(text);
        }
        if (std::string inner = find_model(value); !inner.empty()) {
            return inner;
        }
    }
    return "";
}

class PerfExports {
public:
    PerfExports(std::string_view tool, const Options& options, Report& report) : tests_(tool, options, report), report_(report) {}

    HardError read(const NamedText& file, std::size_t row) {
        const std::size_t begin = file.text.find_first_not_of(" \t\r\n");
        const char first = begin == std::string::npos ? '\0' : file.text[begin];
        if (is_records_file(file.text)) {
            records_.read(file, row, report_);
            return std::nullopt;
        }
        HardError error = first == '{' || first == '[' ? read_json(file, row) : read_tables(file, row);
        return error ? hard_error(error->code, 0, fmt::format("{}: {}", file.name, error->message)) : error;
    }

    HardError finish() {
        for (const LoadPoint& point : records_.points(report_)) {
            tests_.add({}, point);
        }
        return tests_.finish();
    }

private:
    void add(const PerfMetrics& metrics, std::string_view file, std::size_t row) {
        std::string reason;
        LoadPoint point = perf_point(metrics, reason);
        if (!reason.empty()) {
            report_.rejected.add(row, fmt::format("{}: {}", file, reason));
            return;
        }
        point.row = row;
        point.file = file;
        tests_.add({metrics.model, "", ""}, point);
    }

    HardError read_json(const NamedText& file, std::size_t row) {
        const JsonFile json{std::string_view(file.text)};
        if (json.error()) {
            return json.error();
        }
        ++report_.rows;
        const auto root = object_of(*json.root());
        if (!root || !member(*json.root(), "request_throughput")) {
            report_.rejected.add(row, fmt::format("{}: it has no request_throughput: an export of a profile is needed", file.name));
            return std::nullopt;
        }
        PerfMetrics metrics;
        for (const auto& [key, value] : *root) {
            const auto statistics = object_of(value);
            if (!statistics || !member(value, "unit")) {
                continue;
            }
            PerfMetric& metric = metrics.by_name[std::string(key)];
            metric.unit = text_of(value, "unit");
            for (const auto& [statistic, number] : *statistics) {
                double of = 0.0;
                if (number.get(of) == simdjson::SUCCESS) {
                    metric.statistics[std::string(statistic)] = of;
                }
            }
        }
        bool flag = false;
        const std::optional<Json> cancelled = member(*json.root(), "was_cancelled");
        metrics.was_cancelled = cancelled && cancelled->get(flag) == simdjson::SUCCESS && flag;
        if (const std::optional<Json> config = member(*json.root(), "input_config")) {
            std::set<double> concurrencies;
            find_numbers(*config, "concurrency", concurrencies);
            metrics.concurrency = concurrencies.size() == 1 ? std::optional(*concurrencies.begin()) : std::nullopt;
            metrics.model = find_model(*config);
        }
        add(metrics, file.name, row);
        return std::nullopt;
    }

    // Reads CSV tables divided by blank lines. All tables headed "Metric" belong to one run; a table headed "Config Name" has one
    // run per row.
    HardError read_tables(const NamedText& file, std::size_t row) {
        PerfMetrics metrics;
        std::size_t line = 0;
        std::string_view text = file.text;
        while (!text.empty()) {
            std::string_view block;
            const std::size_t at = line;
            while (!text.empty()) {
                const std::size_t end = std::min(text.find('\n'), text.size());
                const bool is_blank = text.substr(0, end).find_first_not_of(" \t\r") == std::string_view::npos;
                block = is_blank ? block : std::string_view(block.empty() ? text.data() : block.data(), text.data() + end);
                text.remove_prefix(std::min(end + 1, text.size()));
                ++line;
                if (is_blank) {
                    break;
                }
            }
            if (block.empty()) {
                continue;
            }
            if (HardError error = read_table(block, at, file.name, metrics)) {
                return error;
            }
        }
        if (!metrics.by_name.empty()) {
            ++report_.rows;
            add(metrics, file.name, row);
        } else if (!has_runs_) {
            return hard_error(Code::bad_format, 0,
                              "it has no table whose first column is Metric or Config Name: the JSON or CSV of an "
                              "export is needed, not what is printed");
        }
        return std::nullopt;
    }

    HardError read_table(std::string_view block, std::size_t before, std::string_view file, PerfMetrics& metrics) {
        Bytes bytes{block};
        Table table(bytes);
        const Column metric = table.column("Metric");
        const Column config = table.column("Config Name");
        if (table.error() || (!metric && !config)) {
            return table.error();
        }
        while (table.next()) {
            if (metric) {
                read_metric(table, metric, metrics);
            } else {
                read_config(table, file, before + table.row());
            }
        }
        return table.error();
    }

    static void read_metric(Table& table, Column metric, PerfMetrics& metrics) {
        std::string unit;
        PerfMetric& of = metrics.by_name[perf_name(table.text(metric), unit)];
        of.unit = unit;
        for (const std::string& header : table.header()) {
            const Number number = table.number(table.column(header));
            if (number && lower(header) != "metric") {
                of.statistics[lower(header) == "value" ? "avg" : lower(header)] = number.value;
            }
        }
    }

    // Reads a row of an analysis: "p99 Time To First Token (ms)", "Avg. Output Token Throughput (tokens/sec)", "Concurrency",
    // "ISL". The GPU telemetry table, one row per GPU, has no throughput and is skipped.
    void read_config(Table& table, std::string_view file, std::size_t row) {
        ++report_.rows;
        if (table.column("GPU")) {
            ++report_.skipped;
            return;
        }
        has_runs_ = true;
        PerfMetrics metrics;
        for (const std::string& header : table.header()) {
            const Number number = table.number(table.column(header));
            if (!number) {
                continue;
            }
            std::string_view label = header;
            std::string statistic = "avg";
            for (const std::string_view begin : {"p99 ", "p50 ", "Avg. ", "avg "}) {
                if (label.starts_with(begin)) {
                    label.remove_prefix(begin.size());
                    statistic = begin.starts_with('p') ? std::string(begin.substr(0, begin.size() - 1)) : statistic;
                }
            }
            std::string unit;
            PerfMetric& of = metrics.by_name[perf_name(label, unit)];
            of.unit = unit;
            of.statistics[statistic] = number.value;
        }
        if (const auto isl = metrics.by_name.find("isl"); isl != metrics.by_name.end()) {
            metrics.by_name["input_sequence_length"] = isl->second;
        }
        if (const auto concurrency = metrics.by_name.find("concurrency"); concurrency != metrics.by_name.end()) {
            metrics.concurrency = concurrency->second.statistics["avg"];
        }
        add(metrics, file, row);
    }

    LoadTests tests_;
    AiperfRecords records_;
    Report& report_;
    bool has_runs_ = false;
};

HardError read_exports(std::string_view tool, std::span<const NamedText> files, const Options& options, Report& report) {
    PerfExports exports(tool, options, report);
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (HardError error = exports.read(files[i], i + 1)) {
            return error;
        }
    }
    return exports.finish();
}

} // namespace

HardError read_genai_perf(std::span<const NamedText> files, const Options& options, Report& report) {
    return read_exports("genai-perf", files, options, report);
}

HardError read_aiperf(std::span<const NamedText> files, const Options& options, Report& report) {
    return read_exports("aiperf", files, options, report);
}

} // namespace costcurve::imports
