#!/usr/bin/env python3
"""The model of MFU by two evaluators: random runs agree to 1e-12.

usage: test_training_model.py RATE_AUDIT [--seed N] [--count N]
"""
import argparse
import json
import random
import subprocess
import sys

from training_model import training_rate

DEVICES = ["nvidia.a100-sxm4-80gb", "nvidia.h100-sxm5-80gb", "nvidia.b200-sxm-180gb", "nvidia.gb300", "amd.mi300x", "amd.mi355x",
           "google.tpu-v5p", "intel.gaudi2", "acme.one"]


def random_run(draw):
    peak_16 = 10 ** draw.uniform(13.5, 15.5)
    moe = draw.random() < 0.4
    return {"active_parameters": 10 ** draw.uniform(8, 12), "layers": draw.randint(12, 126),
            "hidden": draw.choice([768, 4096, 16384]), "attention_flop": draw.choice([0, 10 ** draw.uniform(4, 8)]),
            "is_mixture": moe,
            "expert_parameters": draw.choice([0, 10 ** draw.uniform(6, 9)]) if moe else 0,
            "peak_flops": peak_16 * draw.choice([1, 2, 4]), "peak_flops_16": peak_16, "device": draw.choice(DEVICES),
            "framework": draw.choice(["", "megatron-bridge", "nemo", "maxtext", "llm-foundry", "torchtitan", "own"]),
            "publisher": draw.choice(["", "mlperf training v5.1", "lab"]), "precision": draw.choice(["bf16", "fp8", "fp4"]),
            "is_lora": draw.random() < 0.3, "devices": draw.choice([1, 8, 64, 1000, 16384]),
            "sequence": draw.choice([512, 4096, 8192, 131072]), "tokens_per_step": draw.choice([0, 10 ** draw.uniform(4, 8)]),
            "year": draw.choice([0, 2019.5, 2024.25, 2026.6, 2031])}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=2000)
    options = parser.parse_args()
    draw = random.Random(options.seed)
    runs = [random_run(draw) for _ in range(options.count)]
    lines = "".join(json.dumps(run) + "\n" for run in runs)
    out = subprocess.run([options.program, "--evaluate-training"], input=lines, capture_output=True, text=True,
                         check=True).stdout.splitlines()
    coefficients, answers = json.loads(out[0]), [json.loads(line) for line in out[1:]]
    if len(answers) != len(runs):
        sys.exit(f"seed {options.seed}: {len(answers)} answers to {len(runs)} runs")
    for run, answer in zip(runs, answers):
        for name, value in training_rate(run, coefficients).items():
            if abs(answer[name] / value - 1) > 1e-12:
                sys.exit(f"seed {options.seed}: {name} is {answer[name]} and {value} of {run}")
    print(f"{len(runs)} runs agree, seed {options.seed}")


if __name__ == "__main__":
    main()
