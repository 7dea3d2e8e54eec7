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

// The first token: the host's part, its prompt between the steps of the others, and those of the others that came before it, first
// come first served. Requests of a closed loop come in bunches: a fixed share of the others is before it (fit of decision 56). No
// more of their prompts are computed meanwhile than there are others.
double first_token_s(const StepRate& rate, const StepRequest& request, double own_prompt_s, double decode_s,
                     const StepParameters& parameters) {
    if (request.static_batch) {
        return rate.running * own_prompt_s + rate.step_s;
    }
    const double others = std::max(0.0, rate.running - 1.0);
    const double between = parameters.first_steps * (rate.step_s - decode_s) * others / std::max(1.0, rate.running);
    const double before = std::min(between + parameters.first_queue * others * own_prompt_s, others * own_prompt_s);
    return (parameters.first_s + parameters.first_steps * decode_s + parameters.first_prompt * own_prompt_s + before) *
           (request.is_sglang ? parameters.first_sglang : 1.0);
}

void add_latency(StepRate& rate, const StepRequest& request, double own_prompt_s, double decode_s,
                 const StepParameters& parameters) {
    const double waiting = std::max(0.0, request.concurrency - rate.running) / rate.requests_per_s; // for room in the cache
    const double later = std::max(0.0, request.output_tokens - 1.0);                                // tokens behind the first
    const double first = first_token_s(rate, request, own_prompt_s, decode_s, parameters);
    const double running_s = rate.running / rate.requests_per_s; // of a request, once it runs
    rate.ttft_s = waiting + first;
    // What is left of a request for its other tokens: a step without prompts at least.
    rate.itl_s = later > 0.0 ? std::max((running_s - first) / later, rate.step_s - rate.prompts_s) : 0.0;
    rate.e2e_s = std::max(request.concurrency / rate.requests_per_s, rate.ttft_s + later * rate.itl_s);
}

StepBound step_bound_of(const StepRate& rate) {
    const std::array parts{rate.reading_s, rate.arithmetic_s, rate.prompts_s, rate.communication_s, rate.overhead_s};
    return static_cast<StepBound>(std::ranges::max_element(parts) - parts.begin());
}

// Bytes of weights, of a sequence's cache as it is read and as room is planned for it, and the room that caches have. Each group
// holds all but routed experts whole; these are cut over all devices, by expert or within experts.
struct StepMemory {
    double outside_weights, expert_weights, read_cache, held_cache, room;
};

StepMemory step_memory(const ModelShape& shape, const StepDevice& device, const StepRequest& request) {
    const bool is_mixture = shape.experts > 0.0;
    // Caches are copied over the ranks of a group that outnumber the heads.
    const double copies = std::max(1.0, request.devices / request.attention_groups / shape.kv_heads);
    const auto cache_of = [&](double tokens) {
        return shape.kv_values_per_token * tokens * request.kv_bytes_per_value * copies +
               shape.kv_values_in_window * std::min(tokens, shape.window_tokens) * request.kv_bytes_per_value +
               shape.state_values * kActivationBytes;
    };
    StepMemory memory{};
    memory.outside_weights = (shape.parameters - shape.expert_parameters - shape.embedding_parameters) *
                             dense_weight_bytes(request.precision, is_mixture);
    memory.expert_weights = shape.expert_parameters * expert_weight_bytes(request.precision);
    memory.read_cache = cache_of(request.input_tokens + request.output_tokens / 2);
    memory.held_cache = cache_of(request.input_tokens + kMeanHeld * request.output_tokens);
    const double held_by_each = memory.outside_weights + shape.embedding_parameters * kActivationBytes;
    memory.room =
        kServerMemory * device.memory_bytes * request.devices - held_by_each * request.attention_groups - memory.expert_weights;
    return memory;
}

// Of routed experts: the share that a batch hits, parameters active of a token, what padding and plain software multiply.
struct StepExperts {
    double hit = 0.0, active = 0.0, padding = 1.0, time = 1.0;
};

StepExperts step_experts(const ModelShape& shape, const StepRequest& request, const StepParameters& parameters, double b) {
    StepExperts experts;
    if (shape.experts > 0.0) {
        experts.hit = 1.0 - std::pow(1.0 - shape.experts_per_token / shape.experts, b);
        experts.active = shape.expert_parameters * shape.experts_per_token / shape.experts;
        experts.padding = 1.0 + parameters.expert_padding * shape.experts * experts.hit / (b * shape.experts_per_token);
        if (request.software == Software::plain && request.precision == WeightPrecision::fp8) {
            experts.time = parameters.plain_experts_fp8;
        }
    }
    return experts;
}

// Ring all-reduces of a token's 16-bit activations, and what each takes by itself.
double send_token_s(const ModelShape& shape, const StepDevice& device, double n, const StepParameters& parameters) {
    return n > 1.0 ? kReducesPerLayer * shape.layers * 2.0 * (n - 1.0) / n * shape.hidden * kActivationBytes /
                         (device.link * parameters.link_share)
                   : 0.0;
}
double reduces_s(const ModelShape& shape, const StepDevice& device, double n, const StepParameters& parameters) {
    return n > 1.0 ? kReducesPerLayer * shape.layers * parameters.reduce_s * (device.is_pcie ? kPcieReduce : 1.0) : 0.0;
}

double overhead_of(const ModelShape& shape, const StepRequest& request, const StepParameters& parameters, double expert_time,
                   double b) {
    const bool is_plain = request.software == Software::plain;
    const double layer_s = parameters.layer_s + (shape.experts > 0.0 ? parameters.expert_layer_s * expert_time : 0.0) +
                           (shape.has_latent_or_linear_attention ? parameters.hard_layer_s : 0.0);
    const double sequence_s = parameters.sequence_s * (request.is_tensorrt ? parameters.tensorrt_sequence : 1.0) *
                              (is_plain ? parameters.plain_sequence : 1.0);
    return (shape.layers * layer_s + parameters.step_s) * (is_plain ? parameters.plain_layer : 1.0) + sequence_s * b;
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
    const double n = request.devices;
    const double prompt = std::max(0.0, request.input_tokens - request.cached_input_tokens);
    const double per_output = prompt / request.output_tokens;
    const double context = request.input_tokens + request.output_tokens / 2;
    const double seen = request.cached_input_tokens + prompt / 2; // tokens before a prompt token, the mean
    const StepMemory memory = step_memory(shape, device, request);

    StepRate rate;
    rate.weights_fit = memory.room >= memory.held_cache * request.attention_groups; // each group holds a request
    rate.running = memory.held_cache > 0.0 ? std::min(request.concurrency, std::max(1.0, memory.room / memory.held_cache))
                                           : request.concurrency;
    const double b = rate.running;
    const StepExperts experts = step_experts(shape, request, parameters, b);

    const double shard = std::pow(n, -parameters.shard_loss);
    const double expert_bytes = memory.expert_weights * experts.hit;
    const double bytes = memory.outside_weights * request.attention_groups + expert_bytes + b * memory.read_cache;
    rate.reading_s = (bytes + expert_bytes * (experts.time - 1.0)) / (n * device.bandwidth * parameters.bandwidth_share * shard);

    const PeakShares share = shares_of(request, parameters, experts.time);
    const double products_s =
        kFlopPerParameter * (shape.active_parameters - experts.active) / share.products / (n * device.peak_flops);
    const double experts_s = kFlopPerParameter * experts.active / share.experts / (n * device.peak_flops);
    const double attention_s = 1.0 / (n * device.peak_flops_16 * share.attention);
    const double prompt_token_s = products_s + experts_s + shape.attention_flop_prompt * seen * attention_s;
    rate.arithmetic_s = b * (products_s + experts_s * experts.padding + shape.attention_flop_decode * context * attention_s);
    rate.prompts_s = b * per_output * prompt_token_s;

    const double send_s = send_token_s(shape, device, n, parameters);
    rate.communication_s = reduces_s(shape, device, n, parameters) + send_s * b * (1.0 + per_output);
    rate.overhead_s = overhead_of(shape, request, parameters, experts.time, b);

    // No faster than the ceilings.
    const double all_bandwidth_s = bytes / (n * device.bandwidth);
    const double flop_16 = b * (shape.attention_flop_decode * context + per_output * shape.attention_flop_prompt * seen);
    const double all_peak_s = kFlopPerParameter * shape.active_parameters * b * (1.0 + per_output) / (n * device.peak_flops) +
                              flop_16 / (n * device.peak_flops_16);
    const double parts_s = rate.reading_s + rate.arithmetic_s + rate.prompts_s + rate.communication_s + rate.overhead_s;
    rate.step_s = std::max({parts_s, all_bandwidth_s / kBandwidthCeiling, all_peak_s / kPeakCeiling});
    rate.bandwidth_share = all_bandwidth_s / rate.step_s;
    rate.peak_share = all_peak_s / rate.step_s;
    rate.bound = step_bound_of(rate);
    rate.output_per_s = b / rate.step_s;
    rate.requests_per_s = rate.output_per_s / request.output_tokens;
    const double decode_s = parts_s - rate.prompts_s - send_s * b * per_output; // a step without prompts
    add_latency(rate, request, prompt * (prompt_token_s + send_s), decode_s, parameters);
    return rate;
}

} // namespace costcurve::model
