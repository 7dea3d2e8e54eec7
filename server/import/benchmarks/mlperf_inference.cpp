// Reads MLPerf inference summaries (summary_results.json of later rounds, summary.csv of earlier ones): one performance per entry,
// and a power curve if power was measured.
#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "server/import/curves.hpp"
#include "server/import/identity/spellings.hpp"
#include "server/import/readers.hpp"
#include "server/import/text/json.hpp"
#include "server/import/text/numbers.hpp"
#include "server/import/text/table.hpp"

namespace costcurve::imports {

namespace {

using model::Code;

// MLPerf inference rules: a MultiStream query has 8 samples (since v2.0), a SingleStream query one.
constexpr int kSamplesOfMultiStream = 8;

struct InferenceEntry {
    std::size_t row = 0;
    std::string id, submitter, availability, division, suite, platform, used_model, model, scenario;
    std::string accelerator, processor, software, version, weights, units, power_units;
    Number result, nodes, accelerators, processors, power, inferred;
    bool has_power = false;
};

// One field per row: the field's names in summary_results.json and in summary.csv.
using InferenceNames = std::array<std::string_view, 3>;
struct TextField {
    std::string InferenceEntry::*member;
    InferenceNames names;
};
struct NumberField {
    Number InferenceEntry::*member;
    InferenceNames names;
};

constexpr auto kTexts = std::to_array<TextField>({
    {&InferenceEntry::id, {"ID"}},
    {&InferenceEntry::submitter, {"Submitter", "Organization"}},
    {&InferenceEntry::availability, {"Availability"}},
    {&InferenceEntry::division, {"Category", "Division"}},
    {&InferenceEntry::suite, {"Suite", "SystemType"}},
    {&InferenceEntry::platform, {"Platform"}},
    {&InferenceEntry::used_model, {"UsedModel"}},
    {&InferenceEntry::scenario, {"Scenario"}},
    {&InferenceEntry::accelerator, {"Accelerator", "accelerator_model_name"}},
    {&InferenceEntry::processor, {"Processor", "host_processor_model_name"}},
    {&InferenceEntry::software, {"Software", "framework"}},
    {&InferenceEntry::version, {"version"}},
    {&InferenceEntry::weights, {"weight_data_types"}},
    {&InferenceEntry::units, {"Performance_Units", "Result_Units", "Units"}},
    {&InferenceEntry::power_units, {"Power_Units"}},
});
constexpr auto kNumbers = std::to_array<NumberField>({
    {&InferenceEntry::result, {"Performance_Result", "Result"}},
    {&InferenceEntry::nodes, {"Nodes", "number_of_nodes"}},
    {&InferenceEntry::accelerators, {"a#", "accelerators_per_node"}},
    {&InferenceEntry::processors, {"host_processors_per_node", "p#"}},
    {&InferenceEntry::power, {"Power_Result"}},
    {&InferenceEntry::inferred, {"inferred"}},
});

bool is_true(std::string_view text) { return lower(text) == "true" || text == "1"; }

InferenceEntry entry_of(const Json& json, std::size_t row) {
    InferenceEntry entry;
    entry.row = row;
    for (const TextField& field : kTexts) {
        for (auto name = field.names.begin(); name != field.names.end() && (entry.*field.member).empty(); ++name) {
            entry.*field.member = text_of(json, *name);
        }
    }
    for (const NumberField& field : kNumbers) {
        for (auto name = field.names.begin(); name != field.names.end() && !(entry.*field.member); ++name) {
            entry.*field.member = number_of(json, *name);
        }
    }
    entry.model = text_of(json, "Model");
    bool has_power = false;
    const std::optional<Json> power = member(json, "has_power");
    entry.has_power = power && power->get(has_power) == simdjson::SUCCESS ? has_power : is_true(text_of(json, "has_power"));
    return entry;
}

HardError read_json(std::string_view text, std::vector<InferenceEntry>& entries, Report& report) {
    const JsonFile file(text);
    if (file.error()) {
        return file.error();
    }
    const auto list = list_of(*file.root());
    if (!list) {
        return hard_error(Code::bad_format, 0, "a list of results is needed, as summary_results.json has it");
    }
    std::size_t known = 0;
    for (const Json& json : *list) {
        ++report.rows;
        entries.push_back(entry_of(json, report.rows));
        known += entries.back().model.empty() || entries.back().scenario.empty() ? 0U : 1U;
    }
    if (known == 0) {
        return hard_error(Code::bad_format, 0,
                          "no element has a Model and a Scenario: this is no summary of MLPerf inference results");
    }
    return std::nullopt;
}

Column column_of(Table& table, const InferenceNames& names) {
    Column column;
    for (auto name = names.begin(); name != names.end() && !column && !name->empty(); ++name) {
        column = table.column(*name);
    }
    return column;
}

HardError read_csv(std::string_view text, std::vector<InferenceEntry>& entries, Report& report) {
    Bytes bytes{text};
    Table table(bytes);
    if (!table.require({"Platform", "Scenario", "Result"})) {
        return table.error();
    }
    // "Model" is the model that was run; in the open division it may differ from the benchmark's model.
    const Column model = table.column({"MlperfModel", "Model"});
    const Column used_model = table.column("Model");
    const Column has_power = table.column("has_power");
    std::vector<Column> texts; // in the order of the tables above
    std::vector<Column> numbers;
    texts.reserve(kTexts.size());
    numbers.reserve(kNumbers.size());
    for (const TextField& field : kTexts) {
        texts.push_back(column_of(table, field.names));
    }
    for (const NumberField& field : kNumbers) {
        numbers.push_back(column_of(table, field.names));
    }
    while (table.next()) {
        ++report.rows;
        InferenceEntry entry;
        entry.row = table.row();
        for (std::size_t i = 0; i < texts.size(); ++i) {
            entry.*kTexts[i].member = table.text(texts[i]);
        }
        for (std::size_t i = 0; i < numbers.size(); ++i) {
            entry.*kNumbers[i].member = table.number(numbers[i]);
        }
        entry.model = table.text(model);
        entry.used_model = table.text(used_model);
        entry.has_power = is_true(table.text(has_power));
        entries.push_back(std::move(entry));
    }
    return table.error();
}

bool is_power(std::string_view units) { return lower(units) == "watts" || lower(units).starts_with("millijoules"); }

std::string key_of(const InferenceEntry& entry) {
    return fmt::format("{}|{}|{}|{}|{}|{}|{}|{}", entry.version, entry.suite, entry.division, entry.submitter, entry.platform,
                       entry.used_model, entry.model, entry.scenario);
}

// Joins power to results. In summary.csv power has a row of its own, in watts or millijoules, beside the row of the same result.
void join_power(std::vector<InferenceEntry>& entries, Report& report) {
    std::map<std::string, InferenceEntry*> results;
    for (InferenceEntry& entry : entries) {
        if (!is_power(entry.units)) {
            results.emplace(key_of(entry), &entry);
        }
    }
    for (const InferenceEntry& entry : entries) {
        if (!is_power(entry.units)) {
            continue;
        }
        const auto found = results.find(key_of(entry));
        if (found == results.end()) {
            report.rejected.add(entry.row, fmt::format("Units are {}: power of a result that is not in the file", entry.units));
            continue;
        }
        found->second->power = entry.result;
        found->second->power_units = entry.units;
        found->second->has_power = true;
    }
    std::erase_if(entries, [](const InferenceEntry& entry) { return is_power(entry.units); });
}

struct InferenceGang {
    std::string device;
    int devices = 0;
};

bool names_nothing(std::string_view text) { return text.empty() || lower(text) == "n/a" || lower(text) == "none" || text == "-"; }

// The accelerators of all nodes, or the processors if there are no accelerators. If unknown, `why` gets the reason.
std::optional<InferenceGang> gang_of(const InferenceEntry& entry, std::string& why) {
    const bool cpu = names_nothing(entry.accelerator);
    const Number& per_node = cpu ? entry.processors : entry.accelerators;
    const std::string& name = cpu ? entry.processor : entry.accelerator;
    const std::optional<std::string> device = device_in(name);
    if (!device) {
        why = fmt::format("{} is \"{}\": no device of that name is known",
                          cpu ? "there is no accelerator, and the processor" : "Accelerator", name);
        return std::nullopt;
    }
    const std::optional<int> devices = entry.nodes && per_node ? count_of(entry.nodes.value * per_node.value) : std::nullopt;
    if (!devices) {
        why = fmt::format("the number of {} is not known: Nodes and {} must be whole numbers", name,
                          cpu ? "host_processors_per_node" : "a#");
        return std::nullopt;
    }
    return InferenceGang{*device, *devices};
}

std::string_view round_of(const InferenceEntry& entry) {
    return std::string_view(entry.version).substr(entry.version.starts_with('v') ? 1 : 0);
}

// Whether the unit is tokens: large language models count tokens since v4.0, even if summary.csv names another unit.
bool counts_tokens(const InferenceEntry& entry) {
    constexpr auto kLanguageModels = std::to_array<std::string_view>({"llama", "gptj", "mixtral", "deepseek"});
    const std::string name = lower(entry.model);
    return std::any_of(kLanguageModels.begin(), kLanguageModels.end(),
                       [&](std::string_view word) { return name.starts_with(word); });
}

// Fills in the rate. Gives the reason if it can't, else "".
std::string fill_rate(const InferenceEntry& entry, model::Performance& performance) {
    const std::string units = lower(entry.units);
    if (!entry.result || entry.result.value <= 0) {
        return "the result is blank, zero or no number";
    }
    if (units == "tokens/s" || units == "samples/s" || units == "queries/s") {
        performance.units_per_s = model::Rate{entry.result.value, std::nullopt};
        performance.note = fmt::format("{} {} of the whole system, {} devices together ({}, {} division).", entry.result.value,
                                       entry.units, performance.devices, entry.submitter, entry.division);
        return "";
    }
    if (units != "latency (ms)") {
        return fmt::format("units are \"{}\"; Tokens/s, Samples/s, Queries/s and Latency (ms) are known", entry.units);
    }
    const bool multi = lower(entry.scenario) == "multistream";
    if (!multi && lower(entry.scenario) != "singlestream") {
        return fmt::format("scenario {} has no latency as its result", entry.scenario);
    }
    const int samples = multi ? kSamplesOfMultiStream : 1;
    const double latency_s = entry.result.value / kMsPerSecond;
    performance.batch = samples;
    performance.itl_s = model::Rate{latency_s, std::nullopt};
    performance.latency_percentile = multi ? 99.0 : 90.0;
    performance.units_per_s = model::Rate{samples / latency_s, std::nullopt};
    performance.note = fmt::format(
        "{} ms a query of {} ({} of the queries take no longer), lower is better; units_per_s is {} / latency of the whole "
        "system, {} devices together ({}, {} division).",
        entry.result.value, multi ? "8 samples" : "one sample", fmt::format("{} %", *performance.latency_percentile), samples,
        performance.devices, entry.submitter, entry.division);
    return "";
}

// Load pattern of a scenario (MLPerf inference rules, "Scenarios").
struct ScenarioRow {
    std::string_view scenario;
    std::string_view note;
};
constexpr auto kScenarios = std::to_array<ScenarioRow>({
    {"offline", " Offline: all samples at hand, no latency bound."},
    {"server", " Server: arrivals at random, a latency bound kept at the 99th percentile."},
    {"interactive", " Interactive: the tight latency bound."},
});

void add_notes(const InferenceEntry& entry, model::Performance& performance, Report& report) {
    const bool said = lower(entry.units) == "tokens/s";
    const bool tokens = said || (counts_tokens(entry) && !performance.itl_s && parse_number(round_of(entry)).value >= 4.0);
    if (tokens && !said) {
        performance.note +=
            " MLPerf counts tokens of language models since v4.0; the file's own words for the unit are of the scenario.";
        report.warnings.add(entry.row, fmt::format("Units are {}, and {} is counted in tokens since v4.0: taken as tokens/s",
                                                   entry.units, entry.model));
    }
    if (tokens) {
        performance.note += " Counts output tokens only: where a workload counts tokens in and out, scale it by (I + O) / O of the "
                            "benchmark's data set.";
    }
    for (const ScenarioRow& row : kScenarios) {
        performance.note += lower(entry.scenario) == row.scenario ? row.note : "";
    }
    if (!entry.weights.empty() && performance.precision.empty()) {
        performance.note += fmt::format(" Weights: {}.", entry.weights);
    }
    if (!entry.availability.empty() && lower(entry.availability) != "available") {
        performance.note += fmt::format(" Availability: {}.", entry.availability);
    }
    if (entry.inferred.value > 0) {
        performance.basis = model::Evidence::estimated;
        performance.note += " Inferred by the submitter from another scenario's result, not measured.";
    }
}

// Adds the power of the whole system. Watts become a curve of one point, per device. Energy per stream becomes a note.
void add_power(const InferenceEntry& entry, model::Performance& performance, Report& report) {
    if (!entry.has_power) {
        return;
    }
    if (!entry.power || entry.power.value <= 0) {
        report.warnings.add(entry.row, "has_power is true, and Power_Result is blank or zero: no power was taken");
        return;
    }
    if (lower(entry.power_units).starts_with("millijoules")) {
        performance.note += fmt::format(" {} mJ a stream, of the whole system.", entry.power.value);
        return;
    }
    if (lower(entry.power_units) != "watts") {
        report.warnings.add(entry.row, fmt::format("Power_Units are \"{}\"; Watts and millijoules are known", entry.power_units));
        return;
    }
    performance.note += fmt::format(" The system drew {:.1f} W.", entry.power.value);
    model::Curve curve = empty_curve(
        model::CurveKind::power, model::Axis::throughput_share, make_id({"power", performance.id}), performance.source,
        fmt::format("System power per device: {:.1f} W of the whole system at full load / {} devices. It holds host, fans and "
                    "power supplies: give the server no host_idle_w and host_max_w beside it. Nothing was measured below full "
                    "load, where the one point holds too.",
                    entry.power.value, performance.devices));
    append_point(curve, 1.0, entry.power.value / performance.devices);
    report.add(std::move(curve));
}

void add_entry(const InferenceEntry& entry, const Options& options, std::map<std::string, std::pair<double, std::size_t>>& seen,
               Report& report) {
    std::string why;
    const std::optional<InferenceGang> gang = gang_of(entry, why);
    model::Performance performance;
    if (gang) {
        performance.device.id = gang->device;
        performance.devices = gang->devices;
        why = fill_rate(entry, performance);
    }
    if (!why.empty()) {
        report.rejected.add(entry.row, why);
        return;
    }
    const std::string_view edge = lower(entry.suite) == "datacenter" ? "" : std::string_view(entry.suite);
    const std::string_view division = lower(entry.division) == "closed" ? "" : std::string_view(entry.division);
    // In the open division one system may run several models of its own for the same benchmark.
    const std::string_view used = division.empty() ? "" : std::string_view(entry.used_model);
    performance.id = make_id({fmt::format("mlperf-inference-{}", round_of(entry)), entry.model, entry.scenario,
                              gang_name(gang->devices, gang->device), entry.submitter, entry.platform, edge, division, used,
                              division.empty() ? "" : entry.id});
    const auto [first, is_new] = seen.try_emplace(performance.id, entry.result.value, entry.row);
    if (!is_new) {
        if (first->second.first == entry.result.value) {
            ++report.skipped;
        } else {
            report.rejected.add(entry.row, fmt::format("it says {}, and row {} of the same system, model and scenario says {}",
                                                       entry.result.value, first->second.second, first->second.first));
        }
        return;
    }
    performance.precision = precision_of(entry.weights);
    performance.framework = framework_in(entry.software);
    performance.source = source_of(options, fmt::format("{}{} {}, {}", entry.id.empty() ? "" : "ID " + entry.id + ", ", entry.model,
                                                        entry.scenario, entry.platform));
    add_notes(entry, performance, report);
    add_power(entry, performance, report);
    report.add(std::move(performance));
}

} // namespace

HardError read_mlperf_inference(Bytes& bytes, const Options& options, Report& report) {
    const std::optional<std::string> text = bytes.whole();
    if (!text) {
        return bytes.error();
    }
    std::vector<InferenceEntry> entries;
    const std::size_t begin = text->find_first_not_of(" \t\r\n");
    const bool json = begin != std::string::npos && ((*text)[begin] == '[' || (*text)[begin] == '{');
    if (HardError error = json ? read_json(*text, entries, report) : read_csv(*text, entries, report)) {
        return error;
    }
    join_power(entries, report);
    std::map<std::string, std::pair<double, std::size_t>> seen;
    for (const InferenceEntry& entry : entries) {
        add_entry(entry, options, seen, report);
    }
    return std::nullopt;
}

} // namespace costcurve::imports
