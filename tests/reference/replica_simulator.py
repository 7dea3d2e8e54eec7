"""A server of a language model, request by request: no formula of waiting, so that the closed form has something to be held to.

Requests come as a Poisson process and wait in one line. Between two decode steps the server computes the prompts of those that
wait, one after another, as long as it has a slot for them; a prompt's end is the request's first token. Then all that run get a
token in one step, whose length depends on how many they are.
"""
from __future__ import annotations

import heapq
import random


class Times:
    """Seconds of each request that is counted."""

    def __init__(self):
        self.ttft: list[float] = []
        self.itl: list[float] = []
        self.e2e: list[float] = []


def percentile(values: list[float], p: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(p / 100 * len(ordered)))]


def simulate(step_s: list[float], requests: list[tuple[float, float, int]], per_s: float, count: int, seed: int) -> Times:
    """`step_s` by running requests less one, as many as there are slots; `requests` are (share, seconds of the prompt, tokens
    behind the first). The first tenth of the requests is not counted."""
    rng = random.Random(seed)
    shares = [share for share, _, _ in requests]
    kinds = rng.choices(requests, weights=shares, k=count)
    arrivals, now = [], 0.0
    for _ in range(count):
        now += rng.expovariate(per_s)
        arrivals.append(now)
    first = [0.0] * count
    times = Times()
    running: list[tuple[int, int]] = []  # (step after which it ends, request)
    now, step, come = 0.0, 0, 0

    def end(request: int) -> None:
        if request < count // 10:
            return
        tokens = kinds[request][2]
        times.ttft.append(first[request] - arrivals[request])
        times.e2e.append(now - arrivals[request])
        if tokens > 0:
            times.itl.append((now - first[request]) / tokens)

    while come < count or running:
        if not running and arrivals[come] > now:
            now = arrivals[come]
        while come < count and len(running) < len(step_s) and arrivals[come] <= now:
            _, prompt_s, tokens = kinds[come]
            now += prompt_s
            first[come] = now
            if tokens > 0:
                heapq.heappush(running, (step + tokens, come))
            else:
                end(come)
            come += 1
        if running:
            now += step_s[len(running) - 1]
            step += 1
            while running and running[0][0] <= step:
                end(heapq.heappop(running)[1])
    return times
