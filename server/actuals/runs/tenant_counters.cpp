// Tokens by tenant from counters of gateways and servers, by a table of their names; series differ by their text.
#include "server/actuals/runs/tenant_counters.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/documents/text.hpp"

namespace costcurve::actuals {

namespace {

using model::Code;

// The first that a text has is read.
enum class CountedBy { litellm, dynamo, vllm, sglang };
struct CounterRow {
    std::string_view name; // without _total
    CountedBy by;
    double TenantUsage::*figure;
};
// docs.litellm.ai/docs/proxy/prometheus; docs.nvidia.com/dynamo, Metrics; docs.vllm.ai, Production Metrics;
// docs.sglang.ai, Production Metrics. 2026-11-29.
constexpr auto kCounters = std::to_array<CounterRow>({
    {"litellm_input_tokens_metric", CountedBy::litellm, &TenantUsage::input_tokens},
    {"litellm_output_tokens_metric", CountedBy::litellm, &TenantUsage::output_tokens},
    {"dynamo_frontend_input_sequence_tokens_sum", CountedBy::dynamo, &TenantUsage::input_tokens},
    {"dynamo_frontend_output_sequence_tokens_sum", CountedBy::dynamo, &TenantUsage::output_tokens},
    {"vllm:prompt_tokens", CountedBy::vllm, &TenantUsage::input_tokens},
    {"vllm:generation_tokens", CountedBy::vllm, &TenantUsage::output_tokens},
    {"vllm:prefix_cache_hits", CountedBy::vllm, &TenantUsage::cached_input_tokens},
    {"vllm:request_prefill_time_seconds_sum", CountedBy::vllm, &TenantUsage::prefill_s},
    {"vllm:request_decode_time_seconds_sum", CountedBy::vllm, &TenantUsage::decode_s},
    {"sglang:prompt_tokens", CountedBy::sglang, &TenantUsage::input_tokens},
    {"sglang:generation_tokens", CountedBy::sglang, &TenantUsage::output_tokens},
});

constexpr auto kTeamLabels = std::to_array<std::string_view>({"team", "team_alias", "namespace"});
constexpr auto kUserLabels = std::to_array<std::string_view>({"user", "end_user"});
constexpr auto kModelLabels = std::to_array<std::string_view>({"model_name", "model", "llm_d_ai_model", "llm-d.ai/model"});

struct CounterSeries {
    const CounterRow* row = nullptr;
    double value = 0.0;
    std::size_t line = 0;
    std::size_t again = 0; // the line where it stands once more; 0 where it doesn't
};
using CounterText = std::map<std::string, CounterSeries, std::less<>>; // by name and labels as they stand

std::string_view without_blanks(std::string_view text) {
    const std::size_t begin = std::min(text.find_first_not_of(" \t\r"), text.size());
    const std::size_t end = text.find_last_not_of(" \t\r");
    return end == std::string_view::npos ? "" : text.substr(begin, end + 1 - begin);
}

const CounterRow* counter_of(std::string_view name) {
    if (name.ends_with("_total")) {
        name.remove_suffix(std::string_view("_total").size());
    }
    const auto* const row = std::ranges::find(kCounters, name, &CounterRow::name);
    return row != kCounters.end() ? row : nullptr;
}

// Where a series' name and labels end: behind the brace that closes them, whatever their values have.
std::size_t end_of_series(std::string_view line) {
    const std::size_t brace = line.find('{');
    const std::size_t blank = line.find_first_of(" \t");
    if (brace == std::string_view::npos || blank < brace) {
        return blank;
    }
    bool is_quoted = false;
    for (std::size_t i = brace; i < line.size(); ++i) {
        if (is_quoted && line[i] == '\\') {
            ++i;
        } else if (line[i] == '"') {
            is_quoted = !is_quoted;
        } else if (!is_quoted && line[i] == '}') {
            return i + 1;
        }
    }
    return std::string_view::npos;
}

// The labels of a series; a text that is in no format gives those before.
std::vector<LabelValue> labels_of(std::string_view series) {
    std::vector<LabelValue> labels;
    std::size_t at = series.find('{');
    while (at != std::string_view::npos && ++at < series.size()) {
        const std::size_t equals = series.find('=', at);
        if (equals == std::string_view::npos || equals + 1 >= series.size() || series[equals + 1] != '"') {
            break;
        }
        LabelValue& label = labels.emplace_back();
        label.name = without_blanks(series.substr(at, equals - at));
        for (at = equals + 2; at < series.size() && series[at] != '"'; ++at) {
            const bool is_escaped = series[at] == '\\' && at + 1 < series.size();
            at += is_escaped ? 1 : 0;
            label.value += is_escaped && series[at] == 'n' ? '\n' : series[at];
        }
        at = series.find(',', at);
    }
    return labels;
}

model::Result<CounterText> read_counters(std::string_view text, const char* pointer) {
    CounterText counters;
    std::size_t number = 0;
    while (!text.empty()) {
        ++number;
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = without_blanks(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty() || line.front() == '#') {
            continue;
        }
        const std::size_t behind = end_of_series(line);
        const std::string_view series = behind == std::string_view::npos ? "" : line.substr(0, behind);
        const std::string_view rest = behind == std::string_view::npos ? "" : without_blanks(line.substr(behind));
        const auto value = model::read_number<double>(rest.substr(0, rest.find_first_of(" \t")));
        const CounterRow* const row = counter_of(series.substr(0, series.find('{')));
        if (series.empty() || (row != nullptr && (!value || *value < 0.0))) {
            return tl::unexpected(
                model::Failure{{pointer, Code::bad_format,
                                fmt::format("line {} is not in Prometheus' text format: name{{label=\"…\"}} number", number)}});
        }
        if (row != nullptr && !std::isfinite(*value)) {
            return tl::unexpected(model::Failure{
                {pointer, Code::bad_format,
                 fmt::format("line {} has {}; a counter of tokens or seconds is a number: leave the line out, or scrape again",
                             number, rest)}});
        }
        if (row != nullptr) {
            const auto [found, is_new] = counters.try_emplace(std::string(series), CounterSeries{row, *value, number, 0});
            found->second.again = is_new ? 0 : number;
        }
    }
    return counters;
}

std::string label_of(const std::vector<LabelValue>& labels, const std::string& wanted, std::span<const std::string_view> usual) {
    const auto value = [&](std::string_view name) {
        const auto found = std::ranges::find(labels, name, &LabelValue::name);
        return found != labels.end() ? found->value : std::string();
    };
    if (!wanted.empty()) {
        return value(wanted);
    }
    for (const std::string_view name : usual) {
        if (std::string found = value(name); !found.empty()) {
            return found;
        }
    }
    return "";
}

// Which of two servers a number is of, nothing tells.
std::optional<model::Failure> standing_twice(const CounterText& counters, CountedBy by, const char* pointer) {
    for (const auto& [series, counter] : counters) {
        if (counter.row->by == by && counter.again > 0) {
            return model::Failure{
                {pointer, Code::inconsistent,
                 fmt::format("lines {} and {} are of one series, {}: of two servers, or of two times? Give each server's lines a "
                             "label of its own, such as instance, as Prometheus does, and one scrape of each",
                             counter.line, counter.again, series)}};
        }
    }
    return std::nullopt;
}

// Of counters in both, those that fell and those that rose.
std::optional<model::Failure> seems_swapped(const CounterText& begin, const CounterText& end, CountedBy by) {
    std::size_t fell = 0;
    std::size_t rose = 0;
    for (const auto& [series, counter] : end) {
        const auto before = counter.row->by == by ? begin.find(series) : begin.end();
        if (before != begin.end()) {
            fell += counter.value < before->second.value ? 1 : 0;
            rose += counter.value > before->second.value ? 1 : 0;
        }
    }
    if (fell <= rose) {
        return std::nullopt;
    }
    return model::Failure{
        {"/metrics/begin", Code::inconsistent,
         fmt::format("{} counters are lower at the end than at the beginning, and {} higher: are the two swapped? "
                     "Leave the lines of servers that restarted out of begin: they count from 0",
                     fell, rose)}};
}

// Counters of which a part is missing: whose they are, and their figures.
class PartlyCounted {
public:
    void add(const TenantUsage& tenant, const CounterRow& row, double figure) {
        ++count_;
        figures_.*row.figure += figure;
        constexpr auto kKeys = std::to_array<std::pair<std::string_view, std::string TenantUsage::*>>(
            {{"team", &TenantUsage::team}, {"user", &TenantUsage::user}, {"model", &TenantUsage::model}});
        const auto named = std::ranges::find_if(kKeys, [&](const auto& key) { return !(tenant.*key.second).empty(); });
        tenants_.insert(named != kKeys.end() ? fmt::format("{} {}", named->first, tenant.*named->second) : "nobody who is named");
    }
    [[nodiscard]] bool is_empty() const { return count_ == 0; }
    // "2 counters (team a)"
    [[nodiscard]] std::string text() const {
        constexpr std::size_t kShown = 3;
        const std::vector<std::string> all(tenants_.begin(), tenants_.end());
        const std::size_t shown = std::min(kShown, all.size());
        return fmt::format("{} counter{} ({}{})", count_, count_ == 1 ? "" : "s",
                           fmt::join(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                           shown < all.size() ? fmt::format(" and {} more", all.size() - shown) : "");
    }
    // "1000 input tokens, 20 output tokens"
    [[nodiscard]] std::string figures() const {
        constexpr auto kFigures = std::to_array<std::pair<std::string_view, double TenantUsage::*>>(
            {{"input tokens", &TenantUsage::input_tokens},
             {"output tokens", &TenantUsage::output_tokens},
             {"tokens that a cache had", &TenantUsage::cached_input_tokens},
             {"s of prefill", &TenantUsage::prefill_s},
             {"s of decode", &TenantUsage::decode_s}});
        std::vector<std::string> parts;
        for (const auto& [name, figure] : kFigures) {
            if (figures_.*figure > 0.0) {
                parts.push_back(fmt::format("{:.0f} {}", figures_.*figure, name));
            }
        }
        return parts.empty() ? "0" : fmt::format("{}", fmt::join(parts, ", "));
    }

private:
    std::size_t count_ = 0;
    TenantUsage figures_;
    std::set<std::string> tenants_;
};

} // namespace

TenantUsage tenant_of(const std::vector<LabelValue>& labels, const TenantLabels& wanted) {
    TenantUsage usage;
    usage.team = label_of(labels, wanted.team, kTeamLabels);
    usage.user = label_of(labels, wanted.user, kUserLabels);
    usage.model = label_of(labels, wanted.model, kModelLabels);
    return usage;
}

namespace {

void add_notes(const PartlyCounted& restarted, const PartlyCounted& gone, std::vector<std::string>& notes) {
    if (!restarted.is_empty()) {
        notes.push_back(fmt::format("{} fell, as where a server restarts: counted from 0, {}. What was used from the first scrape "
                                    "to the restart is not counted, and not known",
                                    restarted.text(), restarted.figures()));
    }
    if (!gone.is_empty()) {
        notes.push_back(fmt::format("gone at the last scrape, as where a pod is replaced, and not counted: {}, at {} at the first; "
                                    "that was used before it, and what was used since is not known",
                                    gone.text(), gone.figures()));
    }
}

} // namespace

model::Result<std::vector<TenantUsage>> tenant_usage(const TenantMetrics& metrics, std::vector<std::string>& notes) {
    const auto begin = read_counters(metrics.begin, "/metrics/begin");
    const auto end = read_counters(metrics.end, "/metrics/end");
    if (!begin || !end) {
        return tl::unexpected(begin ? end.error() : begin.error());
    }
    std::optional<CountedBy> by;
    for (const auto& [series, counter] : *end) {
        by = by ? std::min(*by, counter.row->by) : counter.row->by;
    }
    if (!by) {
        return tl::unexpected(model::Failure{
            {"/metrics/end", Code::missing,
             "no counter of tokens is in it: give the text of /metrics of LiteLLM, Dynamo's frontend, vLLM or SGLang"}});
    }
    for (auto wrong : {standing_twice(*begin, *by, "/metrics/begin"), standing_twice(*end, *by, "/metrics/end"),
                       seems_swapped(*begin, *end, *by)}) {
        if (wrong) {
            return tl::unexpected(std::move(*wrong));
        }
    }
    std::map<std::array<std::string, 3>, TenantUsage> tenants;
    PartlyCounted restarted;
    for (const auto& [series, counter] : *end) {
        if (counter.row->by != *by) {
            continue;
        }
        const auto before = begin->find(series);
        const bool has_fallen = before != begin->end() && before->second.value > counter.value;
        const double from = before != begin->end() && !has_fallen ? before->second.value : 0.0;
        const TenantUsage names = tenant_of(labels_of(series), metrics.labels);
        TenantUsage& usage = tenants.try_emplace({names.team, names.user, names.model}, names).first->second;
        usage.*counter.row->figure += counter.value - from;
        if (has_fallen) {
            restarted.add(names, *counter.row, counter.value);
        }
    }
    PartlyCounted gone;
    for (const auto& [series, counter] : *begin) {
        if (counter.row->by == *by && !end->contains(series)) {
            gone.add(tenant_of(labels_of(series), metrics.labels), *counter.row, counter.value);
        }
    }
    add_notes(restarted, gone, notes);
    std::vector<TenantUsage> all;
    all.reserve(tenants.size());
    for (const auto& [names, usage] : tenants) {
        all.push_back(usage);
        all.back().cached_input_tokens = std::min(usage.cached_input_tokens, usage.input_tokens); // a prompt begun twice hits twice
    }
    return all;
}

} // namespace costcurve::actuals
