#!/usr/bin/env python3
"""The step model of rates by two evaluators: random requests agree to 1e-12, and a case by hand.

usage: test_step_model.py RATE_AUDIT [--seed N] [--count N]
"""
import argparse
import json
import math
import random
import subprocess
import sys

from step_model import step_rate


def random_request(draw):
    """A model, a device and a request of the sizes that are served."""
    moe = draw.random() < 0.5
    parameters = 10 ** draw.uniform(9, 12)
    experts = draw.choice([8, 64, 128, 256, 512]) if moe else 0
    used = draw.choice([1, 2, 4, 8]) if moe else 0
    inside = parameters * draw.uniform(0.8, 0.97) if moe else 0.0
    active = parameters - inside + (inside * used / experts if moe else 0)
    layers, heads = draw.randint(16, 126), draw.choice([1, 2, 4, 8, 64])
    devices = draw.choice([1, 2, 4, 8, 16])
    output = draw.choice([1, draw.uniform(2, 10), draw.uniform(10, 8192)])
    prompt = draw.choice([0, draw.uniform(1, 32768)])
    peak_16 = 10 ** draw.uniform(13.5, 15.5)
    return {
        "parameters": parameters, "active_parameters": active, "expert_parameters": inside,
        "embedding_parameters": parameters * draw.uniform(0, 0.02), "layers": layers,
        "hidden": draw.choice([2048, 4096, 8192, 16384]),
        "kv_heads": heads, "kv_values_per_token": layers * draw.choice([576, 1024, 2048]),
        "kv_values_in_window": draw.choice([0, layers * 512]), "window_tokens": draw.choice([0, 128, 1024]),
        "state_values": draw.choice([0, 7e7]), "attention_flop_decode": layers * draw.uniform(1e4, 3e5),
        "attention_flop_prompt": layers * draw.uniform(1e4, 1e5), "experts": experts, "experts_per_token": used,
        "has_latent_or_linear_attention": draw.random() < 0.3,
        "bandwidth": 10 ** draw.uniform(11.5, 13), "memory_bytes": 10 ** draw.uniform(10.2, 11.5),
        "peak_flops": peak_16 * draw.choice([1, 2, 4]), "peak_flops_16": peak_16, "link": 10 ** draw.uniform(10, 12),
        "is_pcie": draw.random() < 0.3, "input_tokens": prompt,
        "cached_input_tokens": prompt * draw.choice([0, draw.random(), 1]), "output_tokens": output,
        "concurrency": 10 ** draw.uniform(0, 3.5), "devices": devices, "attention_groups": draw.choice([1, devices]),
        "precision": draw.choice(["bf16", "fp8", "fp4"]), "kv_bytes_per_value": draw.choice([1, 2]),
        "is_plain": draw.random() < 0.5, "is_tensorrt": draw.random() < 0.5, "is_sglang": draw.random() < 0.5,
        "static_batch": draw.random() < 0.2}


def run(program, requests):
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    out = subprocess.run([program, "--evaluate"], input=lines, capture_output=True, text=True, check=True).stdout.splitlines()
    return json.loads(out[0]), [json.loads(line) for line in out[1:]]


def by_hand():
    """One dense model of 1e9 parameters on one device, every share 1 and every overhead 0: what the formula says on paper."""
    ones = ["bandwidth_share", "peak_share", "peak_share_fp8", "peak_share_experts", "link_share", "tensorrt_sequence",
            "plain_layer", "plain_sequence", "plain_experts_fp8"]
    zeros = ["shard_loss", "expert_padding", "layer_s", "expert_layer_s", "hard_layer_s", "step_s", "sequence_s",
             "reduce_s", "first_prompt", "first_steps", "first_s", "first_queue"]
    parameters = {**dict.fromkeys(ones, 1.0), **dict.fromkeys(zeros, 0.0)}
    request = {**random_request(random.Random(1)), "parameters": 1e9, "active_parameters": 1e9, "expert_parameters": 0.0,
               "embedding_parameters": 0.0, "layers": 10, "experts": 0, "experts_per_token": 0, "kv_heads": 8,
               "kv_values_per_token": 1000, "kv_values_in_window": 0, "window_tokens": 0, "state_values": 0,
               "attention_flop_decode": 0, "attention_flop_prompt": 0, "bandwidth": 1e12, "memory_bytes": 1e11, "peak_flops": 1e14,
               "peak_flops_16": 1e14, "devices": 1, "attention_groups": 1, "precision": "bf16", "kv_bytes_per_value": 2,
               "is_plain": False, "is_tensorrt": False, "is_sglang": False, "static_batch": False,
               "input_tokens": 100, "cached_input_tokens": 0, "output_tokens": 200, "concurrency": 10}
    # Reading 2e9 + 10 x 200 x 1000 x 2 B at 1e12 B/s: 2.004 ms; arithmetic 10 x 2e9 FLOP at 1e14: 0.2 ms; prompts half of
    # it: 0.1 ms.
    rate = step_rate(request, parameters)
    assert math.isclose(rate["output_per_s"], 10 / 2.304e-3, rel_tol=1e-12), rate
    assert math.isclose(rate["e2e_s"], 200 * 2.304e-3, rel_tol=1e-12), rate


def main():
    options = argparse.ArgumentParser()
    options.add_argument("program")
    options.add_argument("--seed", type=int, default=20261126)
    options.add_argument("--count", type=int, default=2000)
    options = options.parse_args()
    by_hand()
    draw = random.Random(options.seed)
    requests = [random_request(draw) for _ in range(options.count)]
    parameters, rates = run(options.program, requests)
    assert len(rates) == len(requests), len(rates)
    for request, rate in zip(requests, rates):
        own = step_rate(request, parameters)
        for name, value in own.items():
            if not math.isclose(value, rate[name], rel_tol=1e-12, abs_tol=1e-15):
                sys.exit(f"{name}: {value} by the second evaluator, {rate[name]} by the first, of {json.dumps(request)}; "
                         f"seed {options.seed}")
    print(f"{options.count} requests agree; seed {options.seed}")


if __name__ == "__main__":
    main()
