// The parts of a step, their sum, and what follows from it.
#include "model/performance/step_model.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace costcurve::model {

namespace {

constexpr double kFlopPerParameter = 2.0; // multiply and add (Kaplan et al. 2020, arXiv:2001.08361)
constexpr double kServerMemory = 0.9;     // of a device's that weights and caches take: vLLM's default gpu_memory_utilization
constexpr double kMeanHeld = 0.7; // of its output tokens that a request holds in the cache when room is planned (fit: 0.5 to 0.8)
constexpr double kActivationBytes = 2.0; // 16 bit
constexpr double kPcieReduce = 4.0;      // times tau: no direct path between cards (NCCL over PCIe against NVLink)
constexpr double kReducesPerLayer = 2.0; // behind attention and behind the feed-forward part (Megatron-LM, arXiv:1909.08053)

struct PeakShares {
    double products, experts, attention; // of the peak that they reach
};

PeakShares shares_of(const StepRequest& request, const StepParameters& parameters, double expert_time) {
    const double products = parameters.peak_share * (request.precision == WeightPrecision::fp8 ? parameters.peak_share_fp8 : 1.0);
    return {products, products * parameters.peak_share_experts / expert_time, parameters.peak_share};
}

// The first token: its prompt between the steps of the others, behind some of their prompts. Requests of a closed loop come in
// bunches: what waits before one grows with the square of how many run (fit of decision 48: exponent 2.05).
double first_token_s(const StepRate& rate, double own_prompt_s, const StepParameters& parameters) {
    const double share = rate.prompts_s / rate.step_s;
    return parameters.first_s + parameters.first_prompt * own_prompt_s + parameters.first_steps * rate.step_s +
           parameters.first_queue * rate.running * rate.running * share * own_prompt_s;
}

void add_latency(StepRate& rate, const StepRequest& request, double own_prompt_s, const StepParameters& parameters) {
    rate.e2e_s = request.concurrency / rate.requests_per_s;
    const double waiting = std::max(0.0, request.concurrency - rate.running) / rate.requests_per_s; // for room in the cache
    const double later = std::max(0.0, request.output_tokens - 1.0);                                // tokens behind the first
    const double first =
        request.static_batch ? rate.running * own_prompt_s + rate.step_s : first_token_s(rate, own_prompt_s, parameters);
    // The other requests' prompts are spread over its steps: a first token can't wait for more than all of them.
    const double ttft = std::min(first, rate.step_s + later * rate.prompts_s);
    rate.ttft_s = waiting + ttft;
    const double running_s = rate.running / rate.requests_per_s; // of a request, once it runs
    rate.itl_s = later > 0.0 ? (running_s - ttft) / later : 0.0;
}

StepBound step_bound_of(const StepRate& rate) {
    const std::array parts{rate.reading_s, rate.arithmetic_s, rate.prompts_s, rate.communication_s, rate.overhead_s};
    return static_cast<StepBound>(std::ranges::max_element(parts) - parts.begin());
}

} // namespace

double dense_weight_bytes(WeightPrecision precision, bool is_mixture) {
    constexpr double kBytes16 = 2.0;
    switch (precision) {
    case WeightPrecision::bf16:
        return kBytes16;
    case WeightPrecision::fp8:
        return 1.0;
    case WeightPrecision::fp4:
        break;
    }
    return is_mixture ? kBytes16 : expert_weight_bytes(precision);
}

double expert_weight_bytes(WeightPrecision precision) {
    constexpr double kBytes16 = 2.0;
    constexpr double kBytes4 = 0.5 + 1.0 / 16; // an 8-bit scale for 16 values
    switch (precision) {
    case WeightPrecision::bf16:
        return kBytes16;
    case WeightPrecision::fp8:
        return 1.0;
    case WeightPrecision::fp4:
        break;
    }
    return kBytes4;
}

double weights_bytes(const ModelShape& shape, WeightPrecision precision) {
    const bool is_mixture = shape.experts > 0.0;
    const double outside = shape.parameters - shape.expert_parameters - shape.embedding_parameters;
    return outside * dense_weight_bytes(precision, is_mixture) + shape.expert_parameters * expert_weight_bytes(precision) +
           shape.embedding_parameters * kActivationBytes;
}

double cache_bytes(const ModelShape& shape, double tokens, double bytes_per_value) {
    return shape.kv_values_per_token * tokens * bytes_per_value +
           shape.kv_values_in_window * std::min(tokens, shape.window_tokens) * bytes_per_value +
           shape.state_values * kActivationBytes;
}

StepRate step_rate(const ModelShape& shape, const StepDevice& device, const StepRequest& request,
                   const StepParameters& parameters) {
    const bool is_mixture = shape.experts > 0.0;
    const bool is_plain = request.software == Software::plain;
    const double n = request.devices;
    const double prompt = std::max(0.0, request.input_tokens - request.cached_input_tokens);
    const double per_output = prompt / request.output_tokens;
    const double context = request.input_tokens + request.output_tokens / 2;

    // Weights and caches. Caches are copied over the ranks of a group that outnumber the heads.
    const double copies = std::max(1.0, n / request.attention_groups / shape.kv_heads);
    const double read_cache = shape.kv_values_per_token * context * request.kv_bytes_per_value * copies +
                              shape.kv_values_in_window * std::min(context, shape.window_tokens) * request.kv_bytes_per_value +
                              shape.state_values * kActivationBytes;
    const double held = request.input_tokens + kMeanHeld * request.output_tokens;
    const double held_cache = shape.kv_values_per_token * held * request.kv_bytes_per_value * copies +
                              shape.kv_values_in_window * std::min(held, shape.window_tokens) * request.kv_bytes_per_value +
                              shape.state_values * kActivationBytes;
    const double outside_bytes = (shape.parameters - shape.expert_parameters - shape.embedding_parameters) *
                                 dense_weight_bytes(request.precision, is_mixture);
    const double expert_bytes = shape.expert_parameters * expert_weight_bytes(request.precision);
    const double room =
        kServerMemory * device.memory_bytes * n - outside_bytes - expert_bytes - shape.embedding_parameters * kActivationBytes;

    StepRate rate;
    rate.weights_fit = room >= held_cache;
    rate.running = held_cache > 0.0 ? std::min(request.concurrency, std::max(1.0, room / held_cache)) : request.concurrency;
    const double b = rate.running;

    // Experts.
    const double expert_time =
        is_mixture && is_plain && request.precision == WeightPrecision::fp8 ? parameters.plain_experts_fp8 : 1.0;
    const double hit = is_mixture ? 1.0 - std::pow(1.0 - shape.experts_per_token / shape.experts, b) : 0.0;
    const double active_experts = is_mixture ? shape.expert_parameters * shape.experts_per_token / shape.experts : 0.0;
    const double active_outside = shape.active_parameters - active_experts;
    const double padding = is_mixture ? 1.0 + parameters.expert_padding * shape.experts * hit / (b * shape.experts_per_token) : 1.0;

    // Reading.
    const double shard = std::pow(n, -parameters.shard_loss);
    const double bytes = outside_bytes * request.attention_groups + expert_bytes * hit + b * read_cache;
    rate.reading_s =
        (bytes + expert_bytes * hit * (expert_time - 1.0)) / (n * device.bandwidth * parameters.bandwidth_share * shard);

    // Arithmetic of the outputs and of the prompts.
    const PeakShares share = shares_of(request, parameters, expert_time);
    const double products_s = kFlopPerParameter * active_outside / share.products / (n * device.peak_flops);
    const double experts_s = kFlopPerParameter * active_experts / share.experts / (n * device.peak_flops);
    const double attention_s = 1.0 / (n * device.peak_flops_16 * share.attention);
    const double seen = request.cached_input_tokens + prompt / 2; // tokens before a prompt token, the mean
    const double prompt_token_s = products_s + experts_s + shape.attention_flop_prompt * seen * attention_s;
    rate.arithmetic_s = b * (products_s + experts_s * padding + shape.attention_flop_decode * context * attention_s);
    rate.prompts_s = b * per_output * prompt_token_s;

    // Communication.
    const double plain = is_plain ? parameters.plain_layer : 1.0;
    const double reduces = kReducesPerLayer * shape.layers;
    const double token_s =
        n > 1.0 ? reduces * 2.0 * (n - 1.0) / n * shape.hidden * kActivationBytes / (device.link * parameters.link_share) : 0.0;
    const double reduce_s = n > 1.0 ? reduces * parameters.reduce_s * (device.is_pcie ? kPcieReduce : 1.0) : 0.0;
    rate.communication_s = reduce_s + token_s * b * (1.0 + per_output);

    // Overhead.
    const double layer_s = parameters.layer_s + (is_mixture ? parameters.expert_layer_s * expert_time : 0.0) +
                           (shape.has_latent_or_linear_attention ? parameters.hard_layer_s : 0.0);
    const double sequence_s = parameters.sequence_s * (request.is_tensorrt ? parameters.tensorrt_sequence : 1.0) *
                              (is_plain ? parameters.plain_sequence : 1.0);
    rate.overhead_s = (shape.layers * layer_s + parameters.step_s) * plain + sequence_s * b;

    // The step, no faster than the ceilings.
    const double step_s = rate.reading_s + rate.arithmetic_s + rate.prompts_s + rate.communication_s + rate.overhead_s;
    const double all_bandwidth_s = bytes / (n * device.bandwidth);
    const double flop_16 = b * (shape.attention_flop_decode * context + per_output * shape.attention_flop_prompt * seen);
    const double all_peak_s = kFlopPerParameter * shape.active_parameters * b * (1.0 + per_output) / (n * device.peak_flops) +
                              flop_16 / (n * device.peak_flops_16);
    rate.step_s = std::max({step_s, all_bandwidth_s / kBandwidthCeiling, all_peak_s / kPeakCeiling});
    rate.bandwidth_share = all_bandwidth_s / rate.step_s;
    rate.peak_share = all_peak_s / rate.step_s;
    rate.bound = step_bound_of(rate);
    rate.output_per_s = b / rate.step_s;
    rate.requests_per_s = rate.output_per_s / request.output_tokens;
    add_latency(rate, request, prompt * (prompt_token_s + token_s), parameters);
    return rate;
}

} // namespace costcurve::model
