// Parses labels of Prometheus; quotes in values may be escaped.
#include "server/import/telemetry/prometheus_labels.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "server/import/text/utf8.hpp"

namespace costcurve::imports {

namespace {

bool is_blank_char(char c) { return c == ' ' || c == '\t'; }

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

} // namespace

void trim_left(std::string_view& text) {
    while (!text.empty() && is_blank_char(text.front())) {
        text.remove_prefix(1);
    }
}
bool is_metric_name(std::string_view text) {
    const auto fits = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == ':';
    };
    return !text.empty() && (text.front() < '0' || text.front() > '9') && std::all_of(text.begin(), text.end(), fits);
}

std::string read_labels(std::string_view text, Labels& labels) {
    text = text.substr(1, text.size() - 2);
    for (trim_left(text); !text.empty(); trim_left(text)) {
        const std::size_t equals = text.find('=');
        std::string_view name = text.substr(0, equals);
        while (!name.empty() && is_blank_char(name.back())) {
            name.remove_suffix(1);
        }
        if (equals == std::string_view::npos || !is_metric_name(name)) {
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

} // namespace costcurve::imports
