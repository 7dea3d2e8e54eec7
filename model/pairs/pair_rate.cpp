// The load at which both kinds of replica agree.
#include "model/pairs/pair_rate.hpp"

#include <algorithm>

namespace costcurve::model {

StepRequest prefill_request(StepRequest request) {
    request.output_tokens = 1.0;
    return request;
}

StepRequest decode_request(StepRequest request) {
    request.cached_input_tokens = request.input_tokens;
    return request;
}

PairRate pair_rate(const PrefillReplicas& prefill, const DecodeReplicas& decode, double concurrency) {
    constexpr int kHalvings = 40;
    const double before_s = prefill.reading_s + prefill.transfer_s;
    const auto requests_per_s = [&](const StepRate& rate) { return decode.count * rate.output_per_s / decode.output_tokens; };
    double low = 0.0;
    double high = concurrency / decode.count;
    for (int i = 0; i < kHalvings; ++i) {
        const double answers = (low + high) / 2;
        const double per_s = requests_per_s(decode.rate(answers));
        const bool is_held = per_s <= prefill.requests_per_s && per_s * before_s + decode.count * answers <= concurrency;
        (is_held ? low : high) = answers;
    }
    const StepRate rate = decode.rate(high);
    PairRate pair;
    pair.requests_per_s = std::min(prefill.requests_per_s, requests_per_s(rate));
    pair.output_per_s = pair.requests_per_s * decode.output_tokens;
    pair.running = rate.running;
    pair.itl_s = rate.running / rate.output_per_s;
    pair.ttft_s = std::max(before_s, concurrency / pair.requests_per_s - decode.output_tokens * pair.itl_s);
    pair.prefill_share = pair.requests_per_s / prefill.requests_per_s;
    return pair;
}

} // namespace costcurve::model
