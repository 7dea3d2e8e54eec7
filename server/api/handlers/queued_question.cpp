// Upgrades questions that an earlier version queued: scenarios first, then pointers into them.
#include "server/api/handlers/queued_question.hpp"

#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "model/documents/pointer.hpp"
#include "server/documents/decode.hpp"
#include "server/documents/records.hpp"

namespace costcurve::api {

namespace {

using nlohmann::json;
using storage::Kind;
using Scenarios = std::vector<model::ScenarioDocument>;

constexpr int kBefore = documents::kOneLatencyEncoding;

bool is_scenario(const json& value) { return value.is_object() && value.contains("workloads") && value.contains("pools"); }

// The workload's pools aren't known here, so its latency objective is taken as the one between tokens.
void upgrade_workload(json& workload) {
    const bool has_entries = workload.contains("runs_on"); // a ranking's workload has none
    json scenario{{"workloads", json::array({std::move(workload)})}, {"pools", json::array()}};
    documents::upgrade(scenario, Kind::scenario, kBefore);
    workload = std::move(scenario["workloads"][0]);
    if (!has_entries) {
        workload.erase("runs_on");
    }
}

void upgrade_scenario(json& value, const documents::LoadDocument& load, Scenarios& scenarios) {
    std::optional<documents::AnyDocument> document;
    if (is_scenario(value)) {
        documents::upgrade(value, Kind::scenario, kBefore);
        document = documents::decode_document(Kind::scenario, value).document;
    } else if (value.is_string()) {
        const auto revision = load({Kind::scenario, value.get<std::string>()});
        document = revision ? documents::decode_readable(*revision) : std::nullopt;
    }
    if (document) {
        scenarios.push_back(std::get<model::ScenarioDocument>(std::move(*document)));
    }
}

// Upgrades the value that a pointer sets.
void upgrade_part(std::string_view pointer, json& part) {
    const auto names = model::split_pointer(pointer);
    if (!part.is_object() || !names || names->empty()) {
        return;
    }
    const std::string& last = names->back();
    const bool is_entry = names->size() == 2;
    if (is_entry && names->front() == "workloads") {
        upgrade_workload(part);
    } else if (last == "performance") {
        documents::upgrade(part, Kind::performance, kBefore);
    } else if (last == "endpoint" || (is_entry && names->front() == "pools")) {
        documents::upgrade(part, Kind::endpoint, kBefore);
    }
}

// Upgrades pointers: values and member names that begin with a slash.
void upgrade_pointers(json& value, const Scenarios& scenarios) {
    const auto upgraded = [&](const std::string& text) {
        return text.starts_with('/') ? documents::placed_objective(documents::upgraded_scenario_pointer(text, kBefore), scenarios)
                                     : text;
    };
    if (value.is_string()) {
        value = upgraded(value.get<std::string>());
    } else if (value.is_array()) {
        for (json& entry : value) {
            upgrade_pointers(entry, scenarios);
        }
    } else if (value.is_object()) {
        json renamed = json::object();
        for (auto& [name, member] : value.items()) {
            if (name.starts_with('/')) {
                upgrade_part(name, member);
            } else {
                upgrade_pointers(member, scenarios);
            }
            renamed[upgraded(name)] = std::move(member);
        }
        value = std::move(renamed);
    }
}

std::string upgraded(json question, const documents::LoadDocument& load) {
    Scenarios scenarios;
    for (auto& [name, member] : question.items()) {
        if (name == "scenario" || name == "a" || name == "b") {
            upgrade_scenario(member, load, scenarios);
        } else if (name == "scenarios") {
            for (json& scenario : member) {
                upgrade_scenario(scenario, load, scenarios);
            }
        } else if (name == "workloads") { // of a ranking
            for (json& workload : member) {
                upgrade_workload(workload);
            }
        }
    }
    for (auto& [name, member] : question.items()) {
        if (name != "scenarios" && name != "workloads" && !is_scenario(member)) {
            upgrade_pointers(member, scenarios);
        }
    }
    return question.dump();
}

} // namespace

std::string upgraded_question(std::string_view body, const documents::LoadDocument& load) {
    const auto has = [&](std::string_view name) { return body.find(name) != std::string_view::npos; };
    if (!has("latency_s") && !has("_objective_s") && !has("latency_percentile")) {
        return std::string(body);
    }
    try {
        json question = json::parse(body);
        return question.is_object() ? upgraded(std::move(question), load) : std::string(body);
    } catch (const json::exception&) { // not a queued question: answering it reports the error
        return std::string(body);
    }
}

} // namespace costcurve::api
