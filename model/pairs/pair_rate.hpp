// Prompts on some replicas and answers on others, the cache of each prompt sent between: what both kinds do together. Pure
// arithmetic on rates of replicas; knows no documents and no measurements.
#pragma once

#include <functional>

#include "model/performance/step_model.hpp"

namespace costcurve::model {

/// The request of a replica that reads prompts and writes the first token alone.
[[nodiscard]] StepRequest prefill_request(StepRequest request);
/// The request of a replica that writes answers to prompts whose cache comes from elsewhere.
[[nodiscard]] StepRequest decode_request(StepRequest request);

/// Replicas that read prompts.
struct PrefillReplicas {
    double requests_per_s = 0.0; ///< of all, never idle
    double reading_s = 0.0;      ///< of a prompt that waits for no other
    double transfer_s = 0.0;     ///< that its cache takes over the link
};

/// Replicas that write answers.
struct DecodeReplicas {
    double count = 1.0;                             ///< 1 or more
    double output_tokens = 1.0;                     ///< of an answer
    std::function<StepRate(double answers)> rate{}; ///< of one that writes so many answers at a time, above 0
};

struct PairRate {
    double output_per_s = 0.0;   ///< tokens/s of all replicas that write answers
    double requests_per_s = 0.0; ///<
    double ttft_s = 0.0;         ///< to the first token, the mean: waiting, reading the prompt, sending its cache
    double itl_s = 0.0;          ///< between tokens, the mean
    double running = 0.0;        ///< answers that a replica writes at a time
    double prefill_share = 0.0;  ///< busy share of the replicas that read prompts, 0 to 1
};

/// A closed loop of `concurrency` requests, above 0. Prompts take S seconds to read, at most C a second; the cache takes T; D
/// replicas write b answers of O tokens each, t(b) seconds a token. Requests/s are the largest X <= C that those held allow:
///
///     X = D b / (O t(b)),  X (S + T) + D b <= concurrency
///
/// (Little's law at each stage; the stages are those of Splitwise, Patel et al. 2024, arXiv:2311.18677, and DistServe, Zhong et
/// al. 2024, arXiv:2401.09670.) What is left of the requests held waits for its prompt to be read. Assumes that requests are spread
/// evenly over replicas and time. Forty rates of a replica.
[[nodiscard]] PairRate pair_rate(const PrefillReplicas& prefill, const DecodeReplicas& decode, double concurrency);

} // namespace costcurve::model
