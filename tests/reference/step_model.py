"""The step model of rates, a second time: from the formulas of docs/decisions/0051-the-step-model.md and 0056, not from the C++.

usage: from step_model import step_rate; step_rate(request, parameters)
       request and parameters are dicts whose keys are the members of model/performance/step_model.hpp.
"""
from __future__ import annotations


def weight_bytes(request):
    """Bytes a parameter outside and inside experts: 4-bit mixtures keep what is outside at 16 bit."""
    inside = {"bf16": 2.0, "fp8": 1.0, "fp4": 0.5625}[request["precision"]]
    outside = 2.0 if request["precision"] == "fp4" and request["experts"] > 0 else inside
    return outside, inside


def cache(request, tokens, copies):
    values = request["kv_values_per_token"] * tokens * copies
    values += request["kv_values_in_window"] * min(tokens, request["window_tokens"])
    return values * request["kv_bytes_per_value"] + 2 * request["state_values"]


def step_rate(r, p):
    n, i, o = r["devices"], r["input_tokens"], r["output_tokens"]
    new = max(0.0, i - r["cached_input_tokens"])
    moe, plain = r["experts"] > 0, r["is_plain"]
    outside, inside = weight_bytes(r)
    w_o = (r["parameters"] - r["expert_parameters"] - r["embedding_parameters"]) * outside
    w_e = r["expert_parameters"] * inside
    copies = max(1.0, n / r["attention_groups"] / r["kv_heads"])
    room = 0.9 * n * r["memory_bytes"] - (w_o + 2 * r["embedding_parameters"]) * r["attention_groups"] - w_e
    full = cache(r, i + 0.7 * o, copies)
    b = min(r["concurrency"], max(1.0, room / full)) if full > 0 else r["concurrency"]
    c = i + o / 2

    slow = p["plain_experts_fp8"] if moe and plain and r["precision"] == "fp8" else 1.0
    hit = 1 - (1 - r["experts_per_token"] / r["experts"]) ** b if moe else 0.0
    n_e = r["expert_parameters"] * r["experts_per_token"] / r["experts"] if moe else 0.0
    n_o = r["active_parameters"] - n_e
    padded = 1 + p["expert_padding"] * r["experts"] * hit / (b * r["experts_per_token"]) if moe else 1.0

    read = w_o * r["attention_groups"] + w_e * hit + b * cache(r, c, copies)
    t_read = (read + w_e * hit * (slow - 1)) / (n * r["bandwidth"] * p["bandwidth_share"] / n ** p["shard_loss"])
    share = p["peak_share"] * (p["peak_share_fp8"] if r["precision"] == "fp8" else 1.0)
    flops, flops_16 = n * r["peak_flops"], n * r["peak_flops_16"]
    dense = 2 * n_o / share / flops
    expert = 2 * n_e * slow / (share * p["peak_share_experts"]) / flops
    attention = 1 / (p["peak_share"] * flops_16)
    before = r["cached_input_tokens"] + new / 2
    prompt_token = dense + expert + r["attention_flop_prompt"] * before * attention
    t_arithmetic = b * (dense + expert * padded + r["attention_flop_decode"] * c * attention)
    q = b * new / o
    t_prompts = q * prompt_token
    send = 2 * r["layers"] * 2 * (n - 1) / n * r["hidden"] * 2 / (r["link"] * p["link_share"]) if n > 1 else 0.0
    t_send = (2 * r["layers"] * p["reduce_s"] * (4 if r["is_pcie"] else 1) if n > 1 else 0.0) + send * (b + q)
    layer = p["layer_s"] + (p["expert_layer_s"] * slow if moe else 0)
    layer += p["hard_layer_s"] if r["has_latent_or_linear_attention"] else 0
    sequence = p["sequence_s"] * (p["tensorrt_sequence"] if r["is_tensorrt"] else 1) * (p["plain_sequence"] if plain else 1)
    t_wait = (r["layers"] * layer + p["step_s"]) * (p["plain_layer"] if plain else 1) + sequence * b
    parts = [t_read, t_arithmetic, t_prompts, t_send, t_wait]

    all_read = read / (n * r["bandwidth"])
    all_flop = 2 * r["active_parameters"] * (b + q) / flops
    all_flop += (b * r["attention_flop_decode"] * c + q * r["attention_flop_prompt"] * before) / flops_16
    t = max(sum(parts), all_read / 0.95, all_flop / 0.75)
    x = b / t / o

    own = new * (prompt_token + send)
    if r["static_batch"]:
        first = b * own + t
    else:
        others = max(0.0, b - 1)  # no more of their prompts are before the first token than there are others
        decode = sum(parts) - t_prompts - send * q
        before = min(p["first_steps"] * (t - decode) * others / max(1.0, b) + p["first_queue"] * others * own, others * own)
        first = p["first_s"] + p["first_steps"] * decode + p["first_prompt"] * own + before
        first *= p["first_sglang"] if r["is_sglang"] else 1
    waiting = max(0.0, r["concurrency"] - b) / x
    later = max(0.0, o - 1)
    runs = b / x
    between = max((runs - first) / later, t - t_prompts) if later else 0.0
    e2e = max(r["concurrency"] / x, waiting + first + later * between)
    return {"output_per_s": b / t, "requests_per_s": x, "ttft_s": waiting + first, "e2e_s": e2e, "running": b,
            "itl_s": between, "bandwidth_share": all_read / t, "peak_share": all_flop / t,
            "bound": parts.index(max(parts))}
