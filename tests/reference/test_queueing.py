#!/usr/bin/env python3
"""Waiting for a replica: the closed form of the program beside the second evaluator's (1e-9), and both beside a simulator that
has none (tests/reference/replica_simulator.py), on random replicas and requests.

usage: test_queueing.py REPLICA_QUEUE [--seed N] [--count N]
"""
import argparse
import json
import math
import random
import subprocess
import sys
from statistics import NormalDist, mean, median

from queueing import Replica
from replica_simulator import percentile, simulate

TIMES = ("ttft_s", "itl_s", "e2e_s")
WITHIN = {"ttft_s": 0.2, "itl_s": 0.2, "e2e_s": 0.1}
LEAST = 0.9  # share of the cases that is within
FEWER = 0.8  # the same of fewer than 100
QUANTILES = 16
REQUESTS = 20_000


def lengths(draw, prompt_s, steps):
    """Requests all alike, of two to six kinds, or of lengths that vary as lognormals, each apart."""
    kind = draw.choice(["alike", "kinds", "lognormal"])
    if kind == "alike":
        return [(1.0, prompt_s, steps)]
    if kind == "kinds":
        weights = [draw.random() for _ in range(draw.randint(2, 6))]
        return [(weight / sum(weights), prompt_s * 10 ** draw.uniform(-0.7, 0.7),
                 max(1, int(steps * 10 ** draw.uniform(-0.7, 0.7)))) for weight in weights]
    spread = draw.uniform(0.3, 1)
    z = [NormalDist().inv_cdf((i + 0.5) / QUANTILES) for i in range(QUANTILES)]
    of_steps = draw.sample(z, QUANTILES)
    return [(1 / QUANTILES, prompt_s * math.exp(spread * a - spread ** 2 / 2),
             max(1, int(steps * math.exp(spread * b - spread ** 2 / 2)))) for a, b in zip(z, of_steps)]


def random_replica(draw):
    """4 to 256 slots, steps of 5 to 40 ms that grow with the load, 20 to 1,000 tokens out, prompts that take 2 to 70 % of a busy
    replica's time; used to 30 to 90 %."""
    slots = int(2 ** draw.uniform(2, 8))
    alone = 10 ** draw.uniform(-2.3, -1.4)
    each = alone * 10 ** draw.uniform(-3.5, -1.5)
    step_s = [alone + each * n for n in range(1, slots + 1)]
    prompts, steps = draw.uniform(0.02, 0.7), int(10 ** draw.uniform(1.3, 3))
    requests = lengths(draw, prompts / (1 - prompts) * steps * step_s[-1] / slots, steps)
    return {"step_s": step_s, "requests": requests, "used": draw.uniform(0.3, 0.9)}


def run(program, requests):
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    out = subprocess.run([program], input=lines, capture_output=True, text=True, check=True).stdout.splitlines()
    return [json.loads(line) for line in out]


def close(a, b, tolerance=1e-9):
    return abs(a - b) <= tolerance * max(abs(a), abs(b), 1e-12)


def by_hand(program):
    """One slot and no prompt is M/D/1: P(wait > t) = u e^(-2 (μ - λ) t / (1 + 0)); u 0.5, μ 1: at 95 % e^-t = 0.1, t = 2.302585.
    Prompts alone are M/G/1 with its wait exponential: the same with v of them. Nothing waits where nobody comes. With one slot no
    other prompt comes between a request's tokens, however long prompts are; with two at most one of the same length a request."""
    hand = [
        ({"step_s": [0.01], "requests": [(1.0, 0.0, 100.0)], "per_s": 0.5}, "ttft_s", math.log(10)),
        ({"step_s": [0.0], "requests": [(1.0, 1.0, 0.0)], "per_s": 0.5}, "ttft_s", 1 + math.log(10)),
        ({"step_s": [0.01], "requests": [(1.0, 0.25, 100.0)], "per_s": 1e-9, "first_s": 0.5}, "ttft_s", 0.75),
        ({"step_s": [0.01, 0.01], "requests": [(1.0, 0.25, 100.0)], "per_s": 1e-9, "first_s": 0.5}, "e2e_s", 1.75),
        ({"step_s": [0.01], "requests": [(1.0, 0.25, 20.0)], "per_s": 2.0}, "itl_s", 0.01),
        ({"step_s": [0.01, 0.01], "requests": [(1.0, 0.25, 25.0)], "per_s": 2.6}, "itl_s", 0.02),
    ]
    for (request, name, expected), found in zip(hand, run(program, [of for of, _, _ in hand])):
        if not close(found[name], expected, 0.003):  # the rest of the step in which a request comes
            sys.exit(f"by hand: {name} is {found[name]}, not {expected}")


def evaluators_agree(program, replicas):
    asked = []
    for replica in replicas:
        form = Replica(replica["step_s"], replica["requests"])
        own = {"step_s": replica["step_s"], "requests": replica["requests"]}
        asked.append(own | {"per_s": replica["used"] * form.largest()})
        limits = {name: form.at(asked[-1]["per_s"]).time(name, 90) for name in TIMES}
        asked.append(own | limits | {"percentile": 90})
    answers = run(program, asked)
    for request, found in zip(asked, answers):
        form = Replica(request["step_s"], request["requests"])
        if "per_s" in request:
            expected = {name: form.at(request["per_s"]).time(name, 95) for name in TIMES}
        else:
            expected = {"per_s": form.highest({name: request[name] for name in TIMES}, 90)}
        for name, value in expected.items():
            if not close(found[name], value, 1e-7):
                sys.exit(f"{name}: {found[name]} by the program, {value} by the second evaluator: {json.dumps(request)[:500]}")
    return [found["took_us"] for found in answers]


def against_simulator(program, replicas, seed, count=REQUESTS):
    """Relative errors of the 95th percentile by time."""
    per_s = [of["used"] * Replica(of["step_s"], of["requests"]).largest() for of in replicas]
    answers = run(program, [of | {"per_s": rate} for of, rate in zip(replicas, per_s)])
    errors = {name: [] for name in TIMES}
    for i, (replica, rate, found) in enumerate(zip(replicas, per_s, answers)):
        times = simulate(replica["step_s"], replica["requests"], rate, count, seed + i)
        for name, values in zip(TIMES, (times.ttft, times.itl, times.e2e)):
            errors[name].append(found[name] / percentile(values, 95) - 1)
    return errors


def with_few_slots(program, seed):
    """The 95th percentile of the time between tokens, prompts taking up to 95 % of the time: a replica of few slots is not held to
    more prompts between its tokens than can come."""
    draw = random.Random(seed)
    for slots in (1, 2, 3):
        replicas = []
        for _ in range(5):
            step_s = [0.01 * 10 ** draw.uniform(0, 1)] * slots
            prompts, steps = draw.uniform(0.3, 0.95), draw.randint(10, 100)
            requests = [(1.0, prompts / (1 - prompts) * steps * step_s[-1] / slots, steps)]
            replicas.append({"step_s": step_s, "requests": requests, "used": draw.uniform(0.5, 0.9)})
        off = against_simulator(program, replicas, seed, 4_000)["itl_s"]
        if max(off) > 0.15 or min(off) < -0.35:
            sys.exit(f"of {slots} slots the time between tokens is off by {', '.join(f'{error:+.0%}' for error in off)}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=20)
    options = parser.parse_args()
    draw = random.Random(options.seed)
    replicas = [random_replica(draw) for _ in range(options.count)]
    by_hand(options.program)
    with_few_slots(options.program, options.seed)
    took = evaluators_agree(options.program, replicas)
    print(f"closed form: median {median(took):.0f} us, longest {max(took):.0f} us")
    errors = against_simulator(options.program, replicas, options.seed)
    failed = False
    for name in TIMES:
        off = sorted(abs(error) for error in errors[name])
        within = sum(error <= WITHIN[name] for error in off) / len(off)
        print(f"{name} p95: {within:.0%} of {len(off)} within {WITHIN[name]:.0%}; median {median(off):.1%}, 90th percentile "
              f"{off[int(0.9 * len(off))]:.1%}, largest {off[-1]:.1%}, mean error {mean(errors[name]):+.1%}")
        failed |= within < (LEAST if options.count >= 100 else FEWER)
    sys.exit("more of them are off than may be" if failed else 0)


if __name__ == "__main__":
    main()
