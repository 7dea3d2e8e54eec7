// Upgrades of stored bodies from each encoding to the next.
#include "server/documents/upgrades.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "model/documents/pointer.hpp"
#include "server/documents/records.hpp"

namespace costcurve::documents {

namespace {

// Version 1 wrote every default out: 0 of a grid's carbon, and of a spot offer's interruptions_per_hour, was not stated.
void leave_out_zero(nlohmann::json& document, const char* field) {
    const auto found = document.find(field);
    if (found != document.end() && *found == 0.0) {
        document.erase(found);
    }
}
void leave_out_of_site(nlohmann::json& site) {
    if (site.is_object()) {
        leave_out_zero(site, "carbon_g_per_kwh");
    }
}
void leave_out_of_offer(nlohmann::json& offer) {
    if (!offer.is_object()) {
        return;
    }
    if (offer.value("purchase", "") == "spot") {
        leave_out_zero(offer, "interruptions_per_hour");
    }
    if (offer.contains("site")) {
        leave_out_of_site(offer["site"]);
    }
}
void leave_out_of_pools(nlohmann::json& scenario) {
    for (nlohmann::json& pool : scenario["pools"]) {
        if (pool.contains("offer")) {
            leave_out_of_offer(pool["offer"]);
        }
        if (pool.contains("site")) {
            leave_out_of_site(pool["site"]);
        }
    }
}

// Until version 2 a comparison that said nothing was of cost.
void compare_cost(nlohmann::json& comparison) {
    if (!comparison.contains("objective")) {
        comparison["objective"] = "cost";
    }
}

bool has_tpus(const nlohmann::json& pool) {
    for (const char* const holder : {"offer", "server"}) {
        const auto found = pool.find(holder);
        if (found != pool.end() && found->is_object() && found->contains("device") && found->at("device").is_object()) {
            return found->at("device").value("kind", "") == "tpu";
        }
    }
    return false;
}

// Until version 3 a replica could take devices of several hosts without a word. Slices of TPUs are one fabric over their hosts and
// go on so; others must say `spans_hosts` where they were measured that way.
void span_tpu_slices(nlohmann::json& scenario) {
    for (nlohmann::json& workload : scenario["workloads"]) {
        for (nlohmann::json& entry : workload["runs_on"]) {
            const auto performance = entry.find("performance");
            if (performance == entry.end() || !performance->is_object() || performance->value("devices", 1.0) <= 1.0) {
                continue;
            }
            for (const nlohmann::json& pool : scenario["pools"]) {
                if (pool.value("id", "") == entry.value("pool", "") && has_tpus(pool)) {
                    (*performance)["spans_hosts"] = true;
                }
            }
        }
    }
}

void rename(nlohmann::json& part, const char* before, const char* now) {
    if (const auto found = part.is_object() ? part.find(before) : part.end(); found != part.end()) {
        part[now] = std::move(*found);
        part.erase(before);
    }
}
void rename_of_performance(nlohmann::json& performance) { rename(performance, "latency_s", "itl_s"); }
void rename_of_endpoint(nlohmann::json& endpoint) { rename(endpoint, "latency_s", "e2e_s"); }

bool runs_on_apis(const nlohmann::json& workload, const nlohmann::json& pools) {
    const auto is_api = [&](const nlohmann::json& entry) {
        const auto pool = std::ranges::find_if(
            pools, [&](const nlohmann::json& candidate) { return candidate.value("id", "") == entry.value("pool", ""); });
        return pool != pools.end() && pool->value("kind", "") == "api";
    };
    return workload.contains("runs_on") && std::ranges::all_of(workload["runs_on"], is_api);
}

// An objective that named no percentile goes on naming none.
void state_slo(nlohmann::json& workload, const nlohmann::json& pools) {
    nlohmann::json slo = nlohmann::json::object();
    const auto move_to = [&](const char* before, const char* now) {
        if (const auto found = workload.find(before); found != workload.end()) {
            slo[now] = std::move(*found);
            workload.erase(found);
        }
    };
    move_to("latency_objective_s", runs_on_apis(workload, pools) ? "e2e_s" : "itl_s");
    move_to("ttft_objective_s", "ttft_s");
    if (!slo.empty() && !workload.contains("latency_percentile")) {
        slo["percentile"] = 0;
    }
    move_to("latency_percentile", "percentile");
    if (!slo.empty()) {
        workload["slo"] = std::move(slo);
    }
}

void split_latency(nlohmann::json& scenario) {
    for (nlohmann::json& workload : scenario["workloads"]) {
        state_slo(workload, scenario["pools"]);
        for (nlohmann::json& entry : workload["runs_on"]) {
            if (entry.contains("performance")) {
                rename_of_performance(entry["performance"]);
            }
        }
    }
    for (nlohmann::json& pool : scenario["pools"]) {
        rename_of_endpoint(pool);
        if (pool.contains("endpoint")) {
            rename_of_endpoint(pool["endpoint"]);
        }
    }
}

void follow_latency(nlohmann::json& decision) {
    const auto follow = [](const std::string& pointer) { return upgraded_scenario_pointer(pointer, kOneLatencyEncoding); };
    if (decision.contains("ranges")) {
        for (nlohmann::json& range : decision["ranges"]) {
            range["pointer"] = follow(range["pointer"].get<std::string>());
        }
    }
    if (!decision.contains("branches")) {
        return;
    }
    for (nlohmann::json& branch : decision["branches"]) {
        for (const char* const member : {"set", "scale"}) {
            if (branch.contains(member)) {
                nlohmann::json followed = nlohmann::json::object();
                for (const auto& [pointer, number] : branch[member].items()) {
                    followed[follow(pointer)] = number;
                }
                branch[member] = std::move(followed);
            }
        }
    }
}

constexpr std::string_view kItl = "/slo/itl_s";

bool is_api_only(const model::ScenarioDocument& scenario, const model::Workload& workload) {
    return std::ranges::all_of(workload.runs_on, [&](const model::RunsOn& entry) {
        const auto pool = std::ranges::find(scenario.pools, entry.pool, &model::Pool::id);
        return pool != scenario.pools.end() && pool->kind == model::PoolKind::api;
    });
}

bool names_itl(const model::DecisionDocument& decision) {
    const auto is_itl = [](const auto& entry) { return entry.first.ends_with(kItl); };
    return std::ranges::any_of(decision.ranges, [](const model::DecisionRange& range) { return range.pointer.ends_with(kItl); }) ||
           std::ranges::any_of(decision.branches, [&](const model::DecisionBranch& branch) {
               return std::ranges::any_of(branch.set, is_itl) || std::ranges::any_of(branch.scale, is_itl);
           });
}

constexpr auto kUpgrades = std::to_array<Upgrade>({
    {1, storage::Kind::site, leave_out_of_site},
    {1, storage::Kind::offer, leave_out_of_offer},
    {1, storage::Kind::scenario, leave_out_of_pools},
    {2, storage::Kind::comparison, compare_cost},
    {3, storage::Kind::scenario, span_tpu_slices},
    {kOneLatencyEncoding, storage::Kind::performance, rename_of_performance},
    {kOneLatencyEncoding, storage::Kind::endpoint, rename_of_endpoint},
    {kOneLatencyEncoding, storage::Kind::scenario, split_latency},
    {kOneLatencyEncoding, storage::Kind::decision, follow_latency},
});

} // namespace

std::string upgraded_pointer(std::string_view pointer, storage::Kind kind, int encoding) {
    const bool is_renamed =
        encoding <= kOneLatencyEncoding && kind == storage::Kind::performance && pointer.starts_with("/latency_s");
    return is_renamed ? "/itl_s" + std::string(pointer.substr(std::string_view("/latency_s").size())) : std::string(pointer);
}

std::string upgraded_scenario_pointer(std::string_view pointer, int encoding) {
    if (encoding > kOneLatencyEncoding || !pointer.starts_with('/')) {
        return std::string(pointer);
    }
    std::string upgraded;
    std::string_view parent;
    const bool is_of_workload = pointer.starts_with("/workloads/");
    for (std::size_t depth = 0; !pointer.empty(); ++depth) {
        pointer.remove_prefix(1);
        const std::string_view name = pointer.substr(0, pointer.find('/'));
        pointer.remove_prefix(name.size());
        std::string_view now = name;
        if (name == "latency_s") {
            now = parent == "performance" ? "itl_s" : "e2e_s";
        } else if (is_of_workload && depth == 2) {
            now = name == "latency_objective_s"  ? "slo/itl_s"
                  : name == "ttft_objective_s"   ? "slo/ttft_s"
                  : name == "latency_percentile" ? "slo/percentile"
                                                 : name;
        }
        upgraded.append("/").append(now);
        parent = name;
    }
    return upgraded;
}

void upgrade(nlohmann::json& body, storage::Kind kind, int encoding) { upgrade(body, kind, encoding, kEncoding, kUpgrades); }

void upgrade(nlohmann::json& body, storage::Kind kind, int encoding, int to, std::span<const Upgrade> upgrades) {
    for (int from = encoding; from < to; ++from) {
        for (const Upgrade& row : upgrades) {
            if (row.from == from && row.kind == kind) {
                row.apply(body);
            }
        }
    }
}

std::string placed_objective(const std::string& pointer, std::span<const model::ScenarioDocument> scenarios) {
    const auto names = model::split_pointer(pointer);
    if (!pointer.ends_with(kItl) || !names || names->size() != 4 || names->front() != "workloads") {
        return pointer;
    }
    bool is_found = false;
    for (const model::ScenarioDocument& scenario : scenarios) {
        for (std::size_t w = 0; w < scenario.workloads.size(); ++w) {
            if ((*names)[1] != "*" && (*names)[1] != std::to_string(w)) {
                continue;
            }
            if (!is_api_only(scenario, scenario.workloads[w])) {
                return pointer;
            }
            is_found = true;
        }
    }
    return is_found ? pointer.substr(0, pointer.size() - kItl.size()) + "/slo/e2e_s" : pointer;
}

void place_objectives(model::DecisionDocument& decision, int encoding, const LoadDocument& load) {
    if (encoding > kOneLatencyEncoding || !names_itl(decision)) {
        return;
    }
    std::vector<model::ScenarioDocument> scenarios;
    for (const std::string& id : decision.scenarios) {
        const auto revision = load({storage::Kind::scenario, id});
        if (auto document = revision ? decode_readable(*revision) : std::nullopt) {
            scenarios.push_back(std::get<model::ScenarioDocument>(std::move(*document)));
        }
    }
    const auto placed = [&](const std::map<std::string, double>& numbers) {
        std::map<std::string, double> moved;
        for (const auto& [pointer, number] : numbers) {
            moved.emplace(placed_objective(pointer, scenarios), number);
        }
        return moved;
    };
    for (model::DecisionRange& range : decision.ranges) {
        range.pointer = placed_objective(range.pointer, scenarios);
    }
    for (model::DecisionBranch& branch : decision.branches) {
        branch.set = placed(branch.set);
        branch.scale = placed(branch.scale);
    }
}

} // namespace costcurve::documents
