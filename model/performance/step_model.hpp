// One step of a server of a language model: what it reads, computes, sends and waits for, and from that tokens/s and latency.
// Pure arithmetic on facts of a model, a device and a request; knows no documents and no measurements (rate_correction.hpp).
#pragma once

namespace costcurve::model {

/// Facts of a model's architecture, from its configuration.
struct ModelShape {
    double parameters = 0.0;            ///< all
    double active_parameters = 0.0;     ///< that a token goes through
    double expert_parameters = 0.0;     ///< in routed experts; 0: a dense model
    double embedding_parameters = 0.0;  ///< of the input embedding, of which a token reads one row
    double layers = 0.0;                ///<
    double hidden = 0.0;                ///< width
    double kv_heads = 1.0;              ///< 1: latent attention, whose cache every rank holds
    double kv_values_per_token = 0.0;   ///< values cached for a token by layers that see the whole context
    double kv_values_in_window = 0.0;   ///< the same, by layers that see a window alone
    double window_tokens = 0.0;         ///< of these layers; 0: none
    double state_values = 0.0;          ///< of a sequence, in layers whose state does not grow
    double attention_flop_decode = 0.0; ///< FLOP a token generated and token of its context
    double attention_flop_prompt = 0.0; ///< FLOP a prompt token and token before it
    double experts = 0.0;               ///< routed experts a layer; 0: a dense model
    double experts_per_token = 0.0;     ///< of them
    bool has_latent_or_linear_attention = false;
};

/// What one device does, from its maker's datasheet.
struct StepDevice {
    double bandwidth = 0.0;     ///< byte/s of memory
    double memory_bytes = 0.0;  ///<
    double peak_flops = 0.0;    ///< FLOP/s, dense, at the precision that products are computed in
    double peak_flops_16 = 0.0; ///< the same at 16 bit, in which attention is computed
    double link = 0.0;          ///< byte/s to the other devices of a replica, one way
    bool is_pcie = false;       ///< that link is PCIe
};

/// How a server's software is tuned: that of today, or older (vLLM before 0.13 and of no stated version: fit of
/// docs/decisions/0051).
enum class Software { tuned, plain };

/// How the weights are stored and computed with.
enum class WeightPrecision { bf16, fp8, fp4 };

/// What is served, and on how many devices.
struct StepRequest {
    double input_tokens = 0.0;        ///< of a request, the mean; 0 or more
    double cached_input_tokens = 0.0; ///< of these, whose cache is there already
    double output_tokens = 1.0;       ///< of a request, the mean; above 0
    double concurrency = 1.0;         ///< requests held at a time, of the whole replica; above 0
    double devices = 1.0;             ///< of the replica; 1 or more
    double attention_groups = 1.0;    ///< groups of devices that each hold attention whole (data-parallel attention)
    WeightPrecision precision = WeightPrecision::bf16;
    double kv_bytes_per_value = 2.0; ///< of the cache: 2 at 16 bit, 1 at 8 bit
    Software software = Software::tuned;
    bool is_tensorrt = false;  ///< TensorRT-LLM, whose host takes less time a sequence
    bool is_sglang = false;    ///< SGLang, whose first tokens are later
    bool static_batch = false; ///< one batch: all prompts, then all outputs
};

/// The numbers of the step model; the fitted ones are kStepParameters (step_parameters.hpp).
struct StepParameters {
    double bandwidth_share;    ///< alpha: of the memory bandwidth that reading reaches on one device
    double shard_loss;         ///< delta: that share falls as devices^-delta
    double peak_share;         ///< beta: of the 16-bit peak that products and attention reach
    double peak_share_fp8;     ///< of beta, at 8 bit
    double peak_share_experts; ///< of beta, in products of experts
    double expert_padding;     ///< m: tokens that a product of an expert takes more than it has
    double layer_s;            ///< gamma: seconds a layer and step
    double expert_layer_s;     ///< gamma_E: the same besides, of mixtures of experts
    double hard_layer_s;       ///< gamma_H: the same besides, of latent or linear attention
    double step_s;             ///< gamma_s: seconds a step
    double sequence_s;         ///< gamma_b: seconds a sequence and step: scheduler, sampler, host
    double reduce_s;           ///< tau: seconds an all-reduce, over PCIe four times that
    double link_share;         ///< lambda: of the link
    double tensorrt_sequence;  ///< of gamma_b, TensorRT-LLM
    double plain_layer;        ///< times gamma, gamma_E, gamma_H and gamma_s, plain software
    double plain_sequence;     ///< times gamma_b, plain software
    double plain_experts_fp8;  ///< times the time of experts, plain software at 8 bit
    double first_prompt;       ///< times the prompt's own arithmetic, until the first token
    double first_steps;        ///< steps until the first token
    double first_s;            ///< seconds until the first token
    double first_queue;        ///< of the prompts of the others that run, those that are computed before
    double first_sglang;       ///< times all of these, SGLang
};

/// What takes most of a step.
enum class StepBound { reading, arithmetic, prompts, communication, overhead };

/// Shares above which no rate goes, of any evidence: a real H100 sustained 0.905 of its bandwidth copying and 0.69 of its 16-bit
/// peak in large products (measured 2026-11-26); published prompts reach 0.66.
inline constexpr double kBandwidthCeiling = 0.95;
inline constexpr double kPeakCeiling = 0.75;
enum class Ceiling { bandwidth, peak };

struct StepRate {
    double output_per_s = 0.0;   ///< tokens/s of the replica
    double requests_per_s = 0.0; ///<
    double ttft_s = 0.0;         ///< to the first token, the mean
    double itl_s = 0.0;          ///< between tokens, the mean
    double e2e_s = 0.0;        ///< of a request: by Little's law concurrency / requests_per_s, at least ttft_s and its other tokens
    double running = 0.0;      ///< requests that run at a time: the concurrency, or what the caches' memory lets run
    double step_s = 0.0;       ///< of one step
    double reading_s = 0.0;    ///< its parts, which add up to step_s unless a ceiling binds
    double arithmetic_s = 0.0; ///<
    double prompts_s = 0.0;    ///<
    double communication_s = 0.0; ///<
    double overhead_s = 0.0;      ///<
    double bandwidth_share = 0.0; ///< of the bandwidth that the step uses; at most kBandwidthCeiling
    double peak_share = 0.0;      ///< of the peak; at most kPeakCeiling
    StepBound bound = StepBound::reading;
    bool weights_fit = true; ///< weights and one request's cache fit in the memory that a server takes
};

/// Bytes of a parameter outside and inside routed experts. 4-bit checkpoints of mixtures keep what is outside at 16 bit
/// (gpt-oss, NVIDIA's of DeepSeek); 4 bit is 0.5625 with a scale for 16 values (NVFP4).
[[nodiscard]] double dense_weight_bytes(WeightPrecision precision, bool is_mixture);
[[nodiscard]] double expert_weight_bytes(WeightPrecision precision);
/// Bytes of all weights of a model.
[[nodiscard]] double weights_bytes(const ModelShape& shape, WeightPrecision precision);
/// Bytes of the cache of a sequence of so many tokens, once, without copies over tensor-parallel ranks.
[[nodiscard]] double cache_bytes(const ModelShape& shape, double tokens, double bytes_per_value);

/// The rate of a request on a replica. With n devices of B byte/s and F FLOP/s, b requests running, I prompt tokens not cached and
/// O output tokens, c the mean context, K bytes of its cache, W_o and W_e bytes of weights outside and in experts, phi the share of
/// the experts that b tokens hit, N_o and N_e active parameters outside and in experts, L layers of width h, t = n devices:
///
///     reading        (W_o groups + W_e phi + b K) / (n B alpha n^-delta)
///     arithmetic     b (2 N_o / beta_o + 2 N_e (1 + m E phi / (b k)) / beta_e) / (n F) + b a c / (n F_16 beta)
///     prompts        b I/O (2 N_o / beta_o + 2 N_e / beta_e) / (n F) + b I/O a_p (cached + I/2) / (n F_16 beta)
///     communication  2 L (tau + 2 (n-1)/n (b + b I/O) 2 h / (lambda link)), n > 1 (ring all-reduce of 16-bit activations)
///     overhead       L (gamma + gamma_E + gamma_H) + gamma_s + gamma_b b
///
/// added up: a step of a server overlaps little of them (with a norm of reading and arithmetic its exponent was fitted to 0.95).
/// Sources: roofline of Pope et al. 2022 (arXiv:2211.05102, section 3); phi as of independent routing; the rest fitted,
/// decision 51. Assumes a server that is never idle, prompts computed between steps, tensor parallelism inside each group. No
/// allocation; about 0.2 us. The inputs must be finite and in their ranges.
[[nodiscard]] StepRate step_rate(const ModelShape& shape, const StepDevice& device, const StepRequest& request,
                                 const StepParameters& parameters);

} // namespace costcurve::model
