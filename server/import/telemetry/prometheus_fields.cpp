// The table of exporters' fields.
#include "server/import/telemetry/prometheus_fields.hpp"

#include <algorithm>
#include <array>

#include "server/import/text/numbers.hpp"

namespace costcurve::imports {

namespace {

constexpr double kJoulesPerMillijoule = 1e-3;
constexpr double kJoulesPerMicrojoule = 1e-6;
constexpr double kGibPerMib = 1.0 / 1024.0;
constexpr double kGibPerByte = 1.0 / (1024.0 * 1024.0 * 1024.0);

// Sources: NVIDIA DCGM API reference, field identifiers; AMD Device Metrics Exporter, list of available metrics, whose names newer
// versions print in lower case; production metrics of vLLM, SGLang, TGI and Dynamo's frontend (sums of histograms of tokens), whose
// throughput is of output tokens; JetStream's observability, whose "percentage" is a fraction of the decode slots; GKE's TPU device
// plugin (1.35.7), which prints chips that no pod has under names with _node alone, and GKE's system metrics as Cloud Monitoring
// names them in PromQL. GPU_UTIL is the time with a kernel on the device, GR_ENGINE_ACTIVE the share of it in which the engines
// worked.
constexpr auto kFields = std::to_array<FieldRow>({
    {"DCGM_FI_DEV_POWER_USAGE", "power_w", 1.0, FieldOwner::board},
    {"DCGM_FI_DEV_GPU_UTIL", "utilization", kFractionPerPercent, FieldOwner::instance},
    {"DCGM_FI_PROF_GR_ENGINE_ACTIVE", "utilization", 1.0, FieldOwner::instance, 1, "engine_utilization"},
    {"DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", "energy_j", kJoulesPerMillijoule, FieldOwner::board},
    {"DCGM_FI_DEV_GPU_TEMP", "temperature_c", 1.0, FieldOwner::board},
    {"DCGM_FI_DEV_FB_USED", "memory_used_gib", kGibPerMib, FieldOwner::instance},
    {"GPU_PACKAGE_POWER", "power_w", 1.0, FieldOwner::board},
    {"GPU_AVERAGE_PACKAGE_POWER", "power_w", 1.0, FieldOwner::board, 1},
    {"GPU_POWER_USAGE", "power_w", 1.0, FieldOwner::board, 2},
    {"GPU_GFX_ACTIVITY", "utilization", kFractionPerPercent, FieldOwner::instance},
    {"GPU_ENERGY_CONSUMED", "energy_j", kJoulesPerMicrojoule, FieldOwner::board},
    {"GPU_JUNCTION_TEMPERATURE", "temperature_c", 1.0, FieldOwner::board},
    {"GPU_EDGE_TEMPERATURE", "temperature_c", 1.0, FieldOwner::board, 1},
    {"GPU_USED_VRAM", "memory_used_gib", kGibPerMib, FieldOwner::instance},
    {"GPU_USAGE", "utilization", kFractionPerPercent, FieldOwner::instance, 1},
    {"vllm:num_requests_running", "batch", 1.0, FieldOwner::server},
    {"vllm:avg_generation_throughput_toks_per_s", "units_per_s", 1.0, FieldOwner::server},
    {"sglang:num_running_reqs", "batch", 1.0, FieldOwner::server},
    {"sglang:gen_throughput", "units_per_s", 1.0, FieldOwner::server},
    {"jetstream_slots_used_percentage", "utilization", 1.0, FieldOwner::server},
    {"vllm:prompt_tokens_total", "input_tokens", 1.0, FieldOwner::server},
    {"vllm:generation_tokens_total", "output_tokens", 1.0, FieldOwner::server},
    {"sglang:prompt_tokens_total", "input_tokens", 1.0, FieldOwner::server},
    {"sglang:generation_tokens_total", "output_tokens", 1.0, FieldOwner::server},
    {"tgi_batch_current_size", "batch", 1.0, FieldOwner::server},
    {"tgi_request_input_length_sum", "input_tokens", 1.0, FieldOwner::server},
    {"tgi_request_generated_tokens_sum", "output_tokens", 1.0, FieldOwner::server},
    {"dynamo_frontend_inflight_requests", "batch", 1.0, FieldOwner::server},
    {"dynamo_frontend_input_sequence_tokens_sum", "input_tokens", 1.0, FieldOwner::server},
    {"dynamo_frontend_output_sequence_tokens_sum", "output_tokens", 1.0, FieldOwner::server},
    {"duty_cycle", "utilization", kFractionPerPercent, FieldOwner::chip},
    {"duty_cycle_node", "utilization", kFractionPerPercent, FieldOwner::chip},
    {"tensorcore_utilization", "tensorcore_utilization", kFractionPerPercent, FieldOwner::chip},
    {"tensorcore_utilization_node", "tensorcore_utilization", kFractionPerPercent, FieldOwner::chip},
    {"memory_used", "memory_used_gib", kGibPerByte, FieldOwner::chip},
    {"memory_used_node", "memory_used_gib", kGibPerByte, FieldOwner::chip},
    {"kubernetes_io:container_accelerator_duty_cycle", "utilization", kFractionPerPercent, FieldOwner::chip},
    {"kubernetes_io:node_accelerator_duty_cycle", "utilization", kFractionPerPercent, FieldOwner::chip},
    {"kubernetes_io:container_accelerator_tensorcore_utilization", "tensorcore_utilization", kFractionPerPercent, FieldOwner::chip},
    {"kubernetes_io:node_accelerator_tensorcore_utilization", "tensorcore_utilization", kFractionPerPercent, FieldOwner::chip},
    {"kubernetes_io:container_accelerator_memory_used", "memory_used_gib", kGibPerByte, FieldOwner::chip},
    {"kubernetes_io:node_accelerator_memory_used", "memory_used_gib", kGibPerByte, FieldOwner::chip},
});

// A collector may write an underscore where the server has a colon.
bool is_same_name(std::string_view field, std::string_view name) {
    return std::equal(field.begin(), field.end(), name.begin(), name.end(), [](char a, char b) {
        return a == b || (a >= 'A' && a <= 'Z' && b == a - 'A' + 'a') || (a == ':' && b == '_');
    });
}

} // namespace

const FieldRow* find_field(std::string_view name) {
    constexpr std::string_view kAmdPrefix = "amd_"; // of Device Metrics Exporter's setting ServicePrefix, before gpu_ alone
    const bool is_prefixed = name.starts_with(kAmdPrefix) && lower(name.substr(kAmdPrefix.size(), 4)) == "gpu_";
    name.remove_prefix(is_prefixed ? kAmdPrefix.size() : 0);
    const auto* const found =
        std::find_if(kFields.begin(), kFields.end(), [&](const FieldRow& one) { return is_same_name(one.field, name); });
    return found == kFields.end() ? nullptr : &*found;
}

} // namespace costcurve::imports
