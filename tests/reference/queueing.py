"""Section 4 of docs/model.md, waiting: what requests that come at random wait for a replica, and how many of them it keeps
within its objectives. The closed form, of this evaluator; replica_simulator.py has none."""
from __future__ import annotations

import math
from statistics import NormalDist

from classes import DEVICE_WEIGHTS, requests_of
from curves import Curve, rate_at

OBJECTIVES = ("ttft_s", "itl_s", "e2e_s")
FIRST_SPREAD = 0.385  # decision 57
MAX_PERCENTILE = 99.99
LEAST_STEP, LEAST_SHARE, LARGEST_SHARE = 1e-9, 1e-6, 0.9
PEAKED = 0.8  # set by replica_simulator.py
SEEN = 2 / 3  # of the variance of a Poisson count at an instant: that of its mean over a request's time


def log_cdf(x: float) -> float:
    """ln of the normal distribution, far into its tail too."""
    if x > -30:
        return math.log(max(0.5 * math.erfc(-x / math.sqrt(2)), 1e-300))
    return -x * x / 2 - math.log(-x * math.sqrt(2 * math.pi))


class Replica:
    """`step_s` by running requests less one; `requests` (share, seconds of the prompt, tokens behind the first)."""

    def __init__(self, step_s: list[float], requests: list[tuple[float, float, float]], first_s: float = 0.0):
        self.step_s, self.requests, self.first_s = step_s, requests, first_s
        self.prompt = sum(share * prompt for share, prompt, _ in requests)
        self.prompt_2 = sum(share * prompt ** 2 for share, prompt, _ in requests)
        self.steps = sum(share * steps for share, _, steps in requests)
        work = [(share, prompt + steps * step_s[-1] / len(step_s)) for share, prompt, steps in requests]
        self.scv = sum(share * of ** 2 for share, of in work) * self.largest() ** 2 - 1

    def largest(self) -> float:
        """Requests a second of a replica that is never idle."""
        return 1 / (self.prompt + self.steps * self.step_s[-1] / len(self.step_s))

    def at(self, per_s: float) -> Load:
        return Load(self, per_s)

    def keeps(self, per_s: float, limits: dict[str, float], percentile: float) -> bool:
        load = self.at(per_s)
        late = 1 - percentile / 100
        return all(load.late(name, limit) <= late for name, limit in limits.items())

    def highest(self, limits: dict[str, float], percentile: float) -> float:
        low, high = 0.0, self.largest()
        for _ in range(40):
            middle = (low + high) / 2
            if self.keeps(middle, limits, percentile):
                low = middle
            else:
                high = middle
        return low


class Load:
    def __init__(self, replica: Replica, per_s: float):
        self.replica = replica
        slots, step_s = len(replica.step_s), replica.step_s
        self.prompts = per_s * replica.prompt
        free = 1 - self.prompts
        peaked = ((1 + per_s ** 2 * (replica.prompt_2 - replica.prompt ** 2)) / free ** 2) ** PEAKED
        logs = [0.0]
        weights = [1.0]
        self.full = 0.0
        if replica.steps > 0:
            for n in range(1, slots + 1):
                rate = n * free / (replica.steps * step_s[n - 1])  # of requests that end
                logs.append(logs[-1] + math.log(per_s / rate) / peaked)
            top = max(logs)
            weights = [math.exp(log - top) for log in logs]
            weights[-1] /= 1 - math.exp(logs[-1] - logs[-2])  # and all that wait
            self.full = weights[-1] / sum(weights)
        total = sum(weights)
        used = per_s / replica.largest()
        together = 1 + max(0.0, 1 - replica.scv) * (1 - used) * (slots - 1) * (math.sqrt(4 + 5 * slots) - 2) / (16 * used * slots)
        self.full_rate = (replica.largest() - per_s) * 2 / (1 + replica.scv) / together
        running = [n * weight for n, weight in enumerate(weights)]
        self.running = sum(running) / total
        self.step = square = 0.0
        if self.running > 0:
            self.step = sum(w * s for w, s in zip(running[1:], step_s)) / sum(running)
            square = max(0.0, sum(w * s * s for w, s in zip(running[1:], step_s)) / sum(running) - self.step ** 2)
        self.busy = 1 - weights[0] / total
        self.token = self.step / free
        self.token_var = SEEN * square / free ** 2
        self.stall = per_s * replica.prompt_2 * self.step / free ** 3  # variance of prompts computed, a token
        self.prompt_rate = 2 * free * replica.prompt / replica.prompt_2 if replica.prompt_2 > 0 else math.inf

    def waits(self) -> list[tuple[float, float]]:
        """P(wait > t) = Σ weight × e^(−rate t): for a slot, then for prompts before it."""
        a, alpha, b, beta = self.full, self.full_rate, self.prompts, self.prompt_rate
        if b <= 0:
            return [(a, alpha)] if a > 0 else []
        if a <= 1e-12 or math.isinf(alpha):
            return [(b, beta)]
        if abs(alpha - beta) < 1e-6 * beta:
            beta *= 1 + 1e-6
        return [(a * (1 - b) + a * b * beta / (beta - alpha), alpha), (b * (1 - a) - a * b * alpha / (beta - alpha), beta)]

    def own(self, name: str, request, is_full: bool) -> tuple[float, float]:
        """Mean and variance of what is not waited for in line; `is_full`: of a replica whose slots are never free, in which
        each other begins one prompt in the time of a request."""
        _, prompt, steps = request
        residual, residual_var = self.busy * self.step / 2, self.step ** 2 * (self.busy / 3 - self.busy ** 2 / 4)
        if name == "ttft_s":
            return self.replica.first_s + prompt + residual, residual_var
        token, token_var, stall = self.token, self.token_var, self.stall
        if is_full:
            others = len(self.replica.step_s) - 1
            token = self.replica.step_s[-1] + others * self.replica.prompt / self.replica.steps
            token_var, stall = 0.0, others * (self.replica.prompt_2 - self.replica.prompt ** 2) / self.replica.steps
        if name == "itl_s":
            return token, token_var + stall / steps
        var = steps ** 2 * token_var + steps * stall
        return self.replica.first_s + prompt + residual + steps * token, residual_var + var

    def late(self, name: str, limit: float) -> float:
        """The share of requests that take longer."""
        late = whole = 0.0
        waits = [] if name == "itl_s" else self.waits()
        for request in self.replica.requests:
            if name == "itl_s" and request[2] <= 0:
                continue
            each = []
            for is_full in (False, True) if request[2] > 0 and name != "ttft_s" else (False,):
                mean, var = self.own(name, request, is_full)
                each.append(self.late_by(limit - mean, math.sqrt(max(0.0, var)), waits))
            whole += request[0]
            late += request[0] * min(each)
        return late / whole if whole else 0.0

    @staticmethod
    def late_by(slack: float, sd: float, waits) -> float:
        if sd <= 0:
            return 1.0 if slack < 0 else sum(weight * math.exp(-rate * slack) for weight, rate in waits)
        z = slack / sd
        late = math.exp(log_cdf(-z))
        for weight, rate in waits:
            late += weight * math.exp(min(0.0, rate * rate * sd * sd / 2 - rate * slack + log_cdf(z - rate * sd)))
        return min(1.0, late)

    def time(self, name: str, percentile: float) -> float:
        low, high = 0.0, 1.0
        while self.late(name, high) > 1 - percentile / 100:
            high *= 2
        for _ in range(60):
            middle = (low + high) / 2
            if self.late(name, middle) > 1 - percentile / 100:
                low = middle
            else:
                high = middle
        return high


def share_under_load(doc: dict, workload: dict, rates, first, batch: float | None) -> float:
    """The share of its rate that a replica serves of requests that come at random, so that the objectives hold; 1 where nothing
    that it is reckoned by is stated. `rates` and `first` are units_per_s and ttft_s as read."""
    slo = workload.get("slo", {})
    limits = {name: slo[name] for name in OBJECTIVES if name in slo}
    percentile = min(slo.get("percentile", 95), MAX_PERCENTILE)
    over_batch = isinstance(rates, Curve) and rates.axis == "batch"
    if "prompt_token_s" not in doc or workload["kind"] != "inference" or not over_batch or not limits or percentile == 0:
        return 1.0
    replica, largest = queue_of(doc, workload, rates, first, max(1, int(batch or rates.xs[-1])))
    share = replica.highest(limits, percentile) / largest
    return 0.0 if share < LEAST_SHARE else min(LARGEST_SHARE, share)


def queue_of(doc: dict, workload: dict, rates: Curve, first, slots: int) -> tuple[Replica, float]:
    requests, taken = [], 0.0
    for share, units in requests_of(workload):
        total = sum(units.values()) if units else workload.get("units_per_request", 1)
        units = units or {}
        prompt = doc["prompt_token_s"] * (units.get("input", 0) + units.get("cache_write", 0))
        out = units.get("output", 0) + units.get("reasoning", 0) if units else total
        requests.append((share, prompt, max(0.0, out - 1)))
        weighted = sum(n * doc.get("class_weights", {}).get(c, DEVICE_WEIGHTS[c]) for c, n in units.items()) if units else total
        taken += share * weighted
    prompt, steps = (sum(request[0] * request[k] for request in requests) for k in (1, 2))
    largest = rates.at(slots) / taken
    if steps <= 0:
        requests = [(share, of / prompt / largest if prompt > 0 else 1 / largest, 0.0) for share, of, _ in requests]
        prompt = 1 / largest
    step_s = [max(LEAST_STEP, n * (taken / rates.at(n) - prompt) / steps) if steps > 0 else 0.0 for n in range(1, slots + 1)]
    return Replica(step_s, requests, max(0.0, first_token(doc, first) - prompt)), largest


def first_token(doc: dict, first) -> float:
    """The mean of requests that run alone."""
    if first is None:
        return 0.0
    stated = doc.get("latency_percentile", 0)
    is_scaled = 0 < stated <= MAX_PERCENTILE  # the longest of all, 100, is taken as it is
    return rate_at(first, 1) / (math.exp(FIRST_SPREAD * NormalDist().inv_cdf(stated / 100)) if is_scaled else 1.0)
