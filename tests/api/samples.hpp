// Complete scenarios as JSON texts, and the few calls that tests of documents repeat. No tests here.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "server/answers/evaluate.hpp"
#include "server/documents/decode.hpp"
#include "server/documents/encode.hpp"
#include "server/documents/json/parsed_json.hpp"

namespace costcurve::tests {

using nlohmann::json;

/// The smallest complete scenario: 1 request/s on on-demand instances at 3.6 USD/h, January 2026.
inline constexpr std::string_view kSmallest = R"({
  "start": "2026-01", "months": 1,
  "workloads": [{"id": "work", "kind": "inference", "demand": {"mean_per_s": 1},
                 "runs_on": [{"pool": "pool", "performance": {"units_per_s": 1}}]}],
  "pools": [{"id": "pool", "kind": "cloud", "max_instances": 10,
             "offer": {"provider": "p", "device": {"kind": "gpu", "tdp_w": 500}, "devices": 1,
                       "purchase": "on_demand", "hourly_price": 3.6}}]
})";

/// Every kind of pool and workload, curves of every place but the date axis (kDated has it), two currencies.
inline constexpr std::string_view kMixed = R"({
  "id": "mixed", "name": "mixed, \"quoted\"", "source": "by hand", "start": "2026-01", "months": 3,
  "time_zone": "Europe/Berlin", "currency": "EUR", "exchange_rates": {"USD": 0.9},
  "finance": {"discount_rate": 0.08, "capital": "annuity", "tax_rate": 0.25, "tax_depreciation": "declining_balance",
              "tax_depreciation_rate": 0.4, "carbon_price_per_tonne": 80, "engineer_week_cost": 4000},
  "workloads": [
    {"id": "chat", "kind": "inference", "unit": "token", "units_per_request": {"input": 100, "output": 50},
     "output_cost_ratio": 3, "routing": "cheapest", "framework": "vllm", "precision": "bf16", "memory_gib": 40,
     "demand": {"mean_per_s": 4, "growth_per_month": 0.1, "time_zone": "America/New_York",
                "shape": {"kind": "demand", "axis": "hour_of_day", "interpolation": "step", "points": [[0, 0.5], [8, 1.5]]}},
     "peak_utilization": 0.8, "slo": {"itl_s": 2, "percentile": 0}, "unserved_cost_per_unit": 0.001, "egress_gb_per_unit": 0.000001,
     "runs_on": [
       {"pool": "rack", "porting": {"engineer_weeks": 2},
        "performance": {"device": "gpu-a", "devices": 2, "precision": "bf16", "framework": "vllm",
          "units_per_s": {"kind": "throughput", "axis": "batch", "interpolation": "log", "points": [[1, 50], [64, 900]]},
          "itl_s": {"kind": "latency", "axis": "batch", "points": [[1, 0.5], [64, 3]]}, "basis": "measured"}},
       {"pool": "burst", "performance": {"device": {"id": "gpu-a", "kind": "gpu", "tdp_w": 700}, "devices": 2, "units_per_s": 300}},
       {"pool": "hosted"}]},
    {"id": "train", "kind": "training", "unit": "sample", "units_per_epoch": 1000000, "epochs_per_month": 2,
     "checkpoint": {"write_s": 30, "restart_s": 300, "interval_s": 1800},
     "runs_on": [{"pool": "rack", "performance": {"devices": 4, "units_per_s": 100, "input_units_per_s": 90,
                  "scaling": {"kind": "scaling", "axis": "devices", "points": [[1, 1], [8, 0.8]]}}}]}],
  "pools": [
    {"id": "rack", "kind": "owned", "refresh": true, "ramp_months": 0, "load_balancing": "pack",
     "server": {"id": "box", "device": {"id": "gpu-a", "kind": "gpu", "vendor": "v", "memory_gib": 80, "idle_w": 60, "tdp_w": 700,
        "memory_bandwidth_gb_per_s": 3000, "peak_flops": {"bf16": 9e14}, "frameworks": ["vllm", "pytorch"],
        "precisions": ["bf16"], "ownable": true, "released": "2022-09-20",
        "power": {"kind": "power", "axis": "utilization", "points": [[0, 60], [0.5, 500], [1, 690]]}},
       "devices": 8, "price": 250000, "network_price": 10000, "storage_price": 5000, "price_change_rate": -0.1, "life_months": 48,
       "residual_fraction": {"kind": "residual", "axis": "age_months", "points": [[0, 1], [60, 0.1]]},
       "host_idle_w": 400, "host_max_w": 1500, "rack_units": 8, "maintenance_rate": 0.02, "software_per_device_year": 100,
       "failures_per_hour": 0.0001, "embodied_kg": 2500, "currency": "USD", "source": "by hand, row 7"},
     "site": {"time_zone": "Europe/Berlin", "energy_price": {"kind": "tariff", "axis": "hour_of_week", "interpolation": "step",
          "points": [[0, 0.1], [8, 0.2], [120, 0.05]]},
        "energy_price_growth_rate": 0.03, "demand_charge_per_kw_month": 5,
        "pue": {"kind": "pue", "axis": "load", "points": [[0, 2], [1, 1.2]]},
        "carbon_g_per_kwh": 350, "space_per_rack_month": 900, "facility_price_per_w": 2, "facility_life_months": 180,
        "rack_kw": 20, "fte": 0.1, "fte_per_server": 0.01, "salary_per_year": 90000,
        "network_per_month": 300, "storage_per_month": 200},
     "purchases": [{"month": -12, "servers": 1, "price": 200000}, {"month": 1, "servers": 1}]},
    {"id": "burst", "kind": "cloud", "min_instances": 0, "max_instances": 4, "ramp_months": 1,
     "offer": {"id": "p.big", "provider": "p, \"q\"", "region": "eu\nwest", "sku": "big", "devices": 8,
        "purchase": "spot", "device": {"id": "gpu-a", "kind": "gpu", "tdp_w": 700, "memory_gib": 80},
        "hourly_price": 30, "price_growth_rate": -0.05,
        "interruptions_per_hour": 0.01, "egress_per_gb": 0.05, "currency": "USD",
        "site": {"energy_price": 0, "carbon_g_per_kwh": 200}}},
    {"id": "hosted", "kind": "api", "provider": "h", "model": "m", "max_units_per_s": 1000,
     "price_per_million_units": {"input": 1, "output": 3}}]
})";

[[nodiscard]] inline json smallest() { return json::parse(kSmallest); }
[[nodiscard]] inline json mixed() { return json::parse(kMixed); }

/// `document` with the value at `pointer` (made where it is missing) replaced.
[[nodiscard]] inline json with(json document, const std::string& pointer, json value) {
    document[json::json_pointer(pointer)] = std::move(value);
    return document;
}

/// `document` without the member at `pointer`.
[[nodiscard]] inline json without(json document, const std::string& pointer) {
    const json::json_pointer path(pointer);
    document.at(path.parent_pointer()).erase(path.back());
    return document;
}

/// Every issue of a failure as "code pointer", sorted.
[[nodiscard]] inline std::vector<std::string> words(const model::Failure& failure) {
    std::vector<std::string> found;
    for (const model::Issue& issue : failure) {
        found.push_back(fmt::format("{} {}", model::code_name(issue.code), issue.pointer));
    }
    std::sort(found.begin(), found.end());
    return found;
}

/// A scenario that is complete in itself, or what is wrong with it.
[[nodiscard]] inline model::Result<model::ScenarioDocument> complete_scenario(const json& document,
                                                                              const std::string& pointer = "") {
    documents::Source nowhere;
    return answers::resolve_scenario(*ParsedJson(document), pointer, nowhere);
}
[[nodiscard]] inline model::Result<answers::Evaluated> evaluate_text(std::string_view text) {
    documents::Source nowhere;
    return answers::evaluate_text(text, nowhere);
}

/// What decoding says of a document of a kind, by its name; its references are not looked up.
[[nodiscard]] inline model::Failure check_document(std::string_view kind, const json& document) {
    const auto found = std::find(storage::kind_names.begin(), storage::kind_names.end(), kind);
    return documents::decode_document(static_cast<storage::Kind>(found - storage::kind_names.begin()), document).issues;
}

/// What decoding says of a scenario; empty where it is good.
[[nodiscard]] inline model::Failure failure_of(const json& document) {
    const auto decoded = complete_scenario(document);
    return decoded ? model::Failure{} : decoded.error();
}
[[nodiscard]] inline std::vector<std::string> issues_of_json(const json& document) { return words(failure_of(document)); }

/// "" or a sequence of "/" and tokens in which ~ is ~0 or ~1 (RFC 6901).
[[nodiscard]] inline bool is_pointer(std::string_view text) {
    if (!text.empty() && text.front() != '/') {
        return false;
    }
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '~' && (i + 1 == text.size() || (text[i + 1] != '0' && text[i + 1] != '1'))) {
            return false;
        }
    }
    return true;
}

/// config.json of Llama 3.1 8B, which publishers put beside the weights.
[[nodiscard]] inline json llama_8b_config() {
    return {{"architectures", {"LlamaForCausalLM"}},
            {"hidden_size", 4096},
            {"intermediate_size", 14336},
            {"num_hidden_layers", 32},
            {"vocab_size", 128256},
            {"num_attention_heads", 32},
            {"num_key_value_heads", 8},
            {"torch_dtype", "bfloat16"},
            {"model_type", "llama"},
            {"max_position_embeddings", 131072}};
}

} // namespace costcurve::tests
