#!/usr/bin/env python3
"""Rates corrected by measurements and their watts, by two evaluators: random questions agree to 1e-12.

usage: test_rate_correction.py RATE_AUDIT [--seed N] [--count N]
"""
import argparse
import json
import math
import random
import subprocess
import sys

from rate_correction import corrected
from step_model import step_rate
from test_step_model import random_request, run


def conditions(draw):
    return {"architecture": draw.randint(1, 2), "device": draw.randint(1, 3), "family": draw.randint(1, 2),
            "framework": draw.randint(1, 2), "year": draw.choice([0, draw.uniform(2023, 2027)])}


def power_of_a_device(draw):
    """Its watts with and without a curve, on each axis, idle ones stated or not."""
    tdp = draw.uniform(50, 1500)
    device = {"tdp_w": tdp, "idle_w": draw.choice([0, tdp * draw.uniform(0, 0.9)])}
    if draw.random() < 0.3:
        device["loaded_idle_w"] = max(device["idle_w"], tdp * draw.uniform(0, 1))
    if draw.random() < 0.4:
        shares = sorted({0, *(draw.random() for _ in range(draw.randint(0, 4))), draw.choice([0.9, 1])})
        points = [[share, tdp * min(1, 0.1 + share)] for share in shares]
        device["power"] = {"kind": "power", "axis": draw.choice(["throughput_share", "utilization", "busy_time"]), "points": points}
    return device


def measurement(draw, question, parameters):
    """Of the question's model on its device, or of others: near it in some of its conditions."""
    other = random_request(draw)
    like = question if draw.random() < 0.8 else other
    one = {name: value for name, value in like.items() if name != "drawn_by"}
    one.update({name: other[name] for name in ("devices", "precision", "is_plain", "is_sglang") if draw.random() < 0.2})
    one["attention_groups"] = draw.choice([1, one["devices"]])
    one["at"] = {name: question["at"][name] if draw.random() < 0.8 else value for name, value in conditions(draw).items()}
    for name in ("input_tokens", "output_tokens", "concurrency"):
        if draw.random() < 0.7:
            one[name] = question[name] * draw.choice([1, 1.2, draw.uniform(0.2, 5)])
    one["output_tokens"] = max(1, one["output_tokens"])
    one["cached_input_tokens"] = min(one["cached_input_tokens"], one["input_tokens"])
    there = step_rate(one, parameters)
    off = [math.exp(draw.gauss(0, 0.6)) for _ in range(3)]
    is_guessed = draw.random() < 0.2
    has_watts = not (is_guessed or one["static_batch"]) and draw.random() < 0.5  # of a load alone
    return {**one, "output_per_s": there["output_per_s"] * off[0], "ttft_s": draw.choice([0, there["ttft_s"] * off[1]]),
            "itl_s": draw.choice([0, there["itl_s"] * off[2]]), "is_own": draw.random() < 0.2, "is_guessed": is_guessed,
            "watts": one["devices"] * draw.uniform(50, 1500) if has_watts else 0}


def main():
    options = argparse.ArgumentParser()
    options.add_argument("program")
    options.add_argument("--seed", type=int, default=20261127)
    options.add_argument("--count", type=int, default=2000)
    options = options.parse_args()
    draw = random.Random(options.seed)
    parameters, _ = run(options.program, [random_request(draw)])
    questions = []
    for _ in range(options.count):
        question = {**random_request(draw), "at": conditions(draw), "drawn_by": power_of_a_device(draw)}
        question["measured"] = [measurement(draw, question, parameters) for _ in range(draw.choice([0, 1, 3, 8]))]
        questions.append(question)
    lines = "".join(json.dumps(question) + "\n" for question in questions)
    out = subprocess.run([options.program, "--correct"], input=lines, capture_output=True, text=True, check=True).stdout
    tables, *rates = map(json.loads, out.splitlines())
    assert len(rates) == len(questions), len(rates)
    met, met_of_watts = set(), set()
    for question, rate in zip(questions, rates):
        own = corrected(question, tables)
        met.add(own["evidence"])
        met_of_watts.add(own["watts_evidence"])
        for name, value in own.items():
            if not math.isclose(value, rate[name], rel_tol=1e-12, abs_tol=1e-15):
                sys.exit(f"{name}: {value} by the second evaluator, {rate[name]} by the first, of {json.dumps(question)}; "
                         f"seed {options.seed}")
    assert options.count < 500 or met == set(range(5)), f"evidence met: {met}"
    assert options.count < 500 or met_of_watts == set(range(5)), f"evidence of watts met: {met_of_watts}"
    print(f"{options.count} corrected rates agree; seed {options.seed}")


if __name__ == "__main__":
    main()
