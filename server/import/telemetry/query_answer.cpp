// Samples from an answer of the query API of Prometheus, read in one pass over its text.
#include "server/import/telemetry/query_answer.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>

#include "server/import/text/json.hpp"

namespace costcurve::imports {

namespace {

std::string label_value(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '\\' || c == '"') {
            escaped += '\\';
        }
        if (c == '\n') {
            escaped += "\\n";
        } else {
            escaped += c;
        }
    }
    return escaped;
}

// A name of a metric or a label, which may be any text: where it is none of the exposition format's, as Prometheus itself escapes
// it
// ("values"): U__, a low line doubled, and other bytes by their hexadecimal digits between low lines.
std::string escaped_name(std::string_view name) {
    const auto is_plain = [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == ':'; };
    if (!name.empty() && std::isdigit(static_cast<unsigned char>(name.front())) == 0 && std::ranges::all_of(name, is_plain)) {
        return std::string(name);
    }
    std::string escaped = "U__";
    for (const char c : name) {
        const auto byte = static_cast<unsigned char>(c);
        escaped += c == '_' ? "__" : is_plain(byte) ? std::string(1, c) : fmt::format("_{:x}_", byte);
    }
    return escaped;
}

// name{label="value",…}; "" where it has no name.
std::string series_of(const Json& metric) {
    const std::string_view name = text_of(metric, "__name__");
    const auto labels = object_of(metric);
    if (name.empty() || !labels) {
        return "";
    }
    std::string series = escaped_name(name);
    char between = '{';
    for (const auto& [key, value] : *labels) {
        std::string_view text;
        if (key != "__name__" && value.get_string().get(text) == simdjson::SUCCESS) {
            series += fmt::format("{}{}=\"{}\"", between, escaped_name(key), label_value(text));
            between = ',';
        }
    }
    return between == ',' ? series + '}' : series;
}

// A pair [seconds, "value"].
bool add_point(const std::string& series, const Json& pair, std::string& lines) {
    const auto both = list_of(pair);
    double seconds = 0.0;
    std::string_view text;
    if (!both || both->size() != 2 || both->at(0).get_double().get(seconds) != simdjson::SUCCESS ||
        both->at(1).get_string().get(text) != simdjson::SUCCESS) {
        return false;
    }
    constexpr double kPerSecond = 1000.0;
    if (const Number value = parse_number(text); value) {
        lines += fmt::format("{} {} {}\n", series, text, std::llround(seconds * kPerSecond));
    }
    return true;
}

bool add_series(const Json& entry, std::string& lines, std::string& problem) {
    const std::optional<Json> metric = member(entry, "metric");
    const std::string series = metric ? series_of(*metric) : "";
    if (series.empty()) {
        problem =
            "a series has no metric's name: ask for a metric such as DCGM_FI_DEV_POWER_USAGE itself, with selectors in braces "
            "where needed, not for an expression";
        return false;
    }
    const std::optional<Json> value = member(entry, "value");
    const auto points = value ? std::nullopt : list_of(entry, "values");
    bool is_good = value ? add_point(series, *value, lines) : points.has_value();
    if (points) {
        for (const Json point : *points) {
            is_good = is_good && add_point(series, point, lines);
        }
    }
    problem = is_good ? "" : "the answer has a point that is no pair of a time and a value";
    return is_good;
}

} // namespace

tl::expected<std::string, std::string> exporter_lines(std::string_view answer) {
    const JsonFile file(answer);
    if (!file.root()) {
        return tl::unexpected("the answer is no JSON of Prometheus: " + file.error()->message);
    }
    if (text_of(*file.root(), "status") != "success") {
        const std::string_view error = text_of(*file.root(), "error");
        return tl::unexpected(fmt::format("Prometheus refuses it: {}", error.empty() ? "it gives no reason" : error));
    }
    const std::optional<Json> data = member(*file.root(), "data");
    const std::string_view type = data ? text_of(*data, "resultType") : "";
    const auto series = data ? list_of(*data, "result") : std::nullopt;
    if (!series || (type != "matrix" && type != "vector")) {
        return tl::unexpected(
            fmt::format("the answer is a {}; ask for a metric's series", type.empty() ? "text without data" : type));
    }
    std::string lines;
    std::string problem;
    for (const Json entry : *series) {
        if (!add_series(entry, lines, problem)) {
            return tl::unexpected(std::move(problem));
        }
    }
    return lines;
}

} // namespace costcurve::imports
