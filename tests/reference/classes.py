"""Section 4 of docs/model.md, "Unit classes": what a unit of each class takes of a device, is billed at, and weighs in cost."""
from __future__ import annotations

import math
from statistics import NormalDist
from typing import Any

from curves import Rate, rate_of

CLASSES = ("input", "cached_input", "cache_write", "output", "reasoning")
KIN = {"cached_input": "input", "cache_write": "input", "reasoning": "output"}
# A prefix found in the cache is not computed again; writing it costs an API's price only.
DEVICE_WEIGHTS = {"input": 1.0, "cached_input": 0.0, "cache_write": 0.0, "output": 1.0, "reasoning": 1.0}
OUTPUT_COST_RATIO = 4


def token_mix(workload: dict) -> list[dict]:
    """Buckets as stated, or what a mean and a 95th percentile by class stand for: lognormal, all classes growing together."""
    stated = workload.get("token_mix") or []
    if isinstance(stated, list):
        return stated
    normal, z = NormalDist(), NormalDist().inv_cdf(0.95)
    spreads = {}
    for c, mean in stated["mean"].items():
        p95 = stated["p95"].get(c, 0)
        spreads[c] = (mean, z - math.sqrt(z * z - 2 * math.log(p95 / mean)) if p95 and mean else 0.0)
    if not any(spread for _, spread in spreads.values()):
        return [{**{c: mean for c, (mean, _) in spreads.items()}, "share": 1.0}]
    at = [i / 20 for i in range(19)] + [0.9 + i / 100 for i in range(1, 10)] + [1.0]

    def below(p: float, spread: float) -> float:
        return p if p in (0, 1) else normal.cdf(normal.inv_cdf(p) - spread)
    return [{**{c: mean * (below(b, spread) - below(a, spread)) / (b - a) if spread else mean
                for c, (mean, spread) in spreads.items()}, "share": b - a} for a, b in zip(at, at[1:])]


def classes_of(workload: dict) -> dict[str, float] | None:
    """Units of the mean request by class; None where units_per_request is a number, or is none (training)."""
    if workload.get("token_mix"):
        mix = token_mix(workload)
        stated = [c for c in CLASSES if any(c in bucket for bucket in mix)]
        return {c: sum(bucket["share"] * bucket.get(c, 0) for bucket in mix) for c in stated}
    per_request = workload.get("units_per_request", 1)
    return {c: per_request[c] for c in CLASSES if c in per_request} if isinstance(per_request, dict) else None


def units_of_request(workload: dict) -> float:
    """T: units of a request over all classes."""
    classes = classes_of(workload)
    return sum(classes.values()) if classes else workload.get("units_per_request", 1)


def requests_of(workload: dict) -> list[tuple[float, dict[str, float] | None]]:
    """What hosts bill each by itself: (share of the requests, units by class)."""
    if not workload.get("token_mix"):
        return [(1.0, classes_of(workload))]
    return [(bucket["share"], {c: bucket[c] for c in CLASSES if c in bucket}) for bucket in token_mix(workload)]


def prefix_price(prefix: dict, cache: dict, prices: dict[str, float]) -> float:
    """Of a unit of a prefix that requests share, of the prices of its kinds: the cheapest of what is known and asked for.
    A request finds the prefix where the one before came within the lifetime: the waits of a Poisson process are exponential."""
    ways = []
    lifetimes = cache.get("write_lifetimes", [])
    wanted = prefix.get("lifetime_s")
    if not lifetimes and "hit_fraction" in cache and wanted is None:
        ways.append((cache["hit_fraction"], prices["cache_write"]))
    for lifetime in lifetimes:
        hits = cache.get("hit_fraction")
        if hits is None and "requests_per_hour" in prefix:
            hits = 1 - math.exp(-prefix["requests_per_hour"] / 3600 * lifetime["seconds"])
        if hits is not None and wanted in (None, lifetime["seconds"]):
            factor = lifetime.get("price_factor")
            ways.append((hits, prices["cache_write"] if factor is None else factor * prices["input"]))
    if prefix["tokens"] < cache.get("min_tokens", 0):
        ways = []
    costs = [hits * prices["cached_input"] + (1 - hits) * write for hits, write in ways]
    return min(costs if costs and wanted is not None else [*costs, prices["input"]])


def class_prices(price: Any, classes: dict[str, float] | None) -> dict[str, Rate]:
    """The price of each class of a request, or that of its kin; {"": price} where the request has no classes."""
    by_class = isinstance(price, dict) and "points" not in price
    if classes is None:
        return {"": rate_of(price["input"] if by_class else price)}
    if not by_class:
        return {c: rate_of(price) for c in classes}
    return {c: rate_of(price[c] if c in price else price[KIN[c]]) for c in classes}


def billed_prices(pool: dict, classes: dict[str, float] | None) -> list[tuple[float, dict[str, Rate]]]:
    """Prices of a hosted request: [(share, price by class)], each price for a share of every class of the request. Shares may be
    negative: beyond a threshold, the price before it is taken off and its own is added, so that shares of a class add up to 1.
    Reading: a class that a threshold does not name keeps the base price, whatever thresholds lie between."""
    base = pool["price_per_million_units"]
    parts = [(1.0, class_prices(base, classes))]
    if classes is None:
        return parts
    prompt = sum(units for c, units in classes.items() if KIN.get(c, c) == "input")
    passed = [above for above in pool.get("above", []) if prompt > above["input_tokens"]]
    if not passed:
        return parts
    if passed[-1].get("scope", "request") == "request":
        return [(1.0, class_prices(replaced(base, passed[-1]["price_per_million_units"]), classes))]
    prompts = {c: units for c, units in classes.items() if KIN.get(c, c) == "input"}
    before = class_prices(base, prompts)
    for above in passed:  # from each threshold on, the difference of two prices
        share = (prompt - above["input_tokens"]) / prompt
        price = class_prices(replaced(base, above["price_per_million_units"]), prompts)
        parts += [(share, price), (-share, before)]
        before = price
    return parts


def replaced(base: Any, above: Any) -> Any:
    """The base price with what a threshold names in its place."""
    if not isinstance(above, dict) or "points" in above:
        return above
    by_class = isinstance(base, dict) and "points" not in base
    return (base if by_class else {"input": base, "output": base}) | above


TIERS = ("batch", "flex", "priority")
# What a fee is charged for, and the field of the workload that counts it; one a request where there is none.
FEES = {"request": None, "search": "searches_per_request", "image": "images_per_request", "tool_call": "tool_calls_per_request"}


def tier_of(workload: dict, entry: dict, pool: dict) -> str:
    """The tier asked for; else batch of batch work, where the pool states a price of it."""
    tiers = pool.get("service_tiers", {})
    states_batch = "batch" in tiers or pool.get("batch_price_fraction", 1) != 1
    if "deadline_hours" in workload and tiers.get("batch", {}).get("deadline_hours", math.inf) > workload["deadline_hours"]:
        states_batch = False  # too late, or nobody knows
    return entry.get("service_tier", "batch" if workload["kind"] == "batch" and states_batch else "standard")


def in_tier(pool: dict, tier: str) -> tuple[dict, float]:
    """The pool at the prices of a tier, and what they are multiplied by."""
    prices = pool.get("service_tiers", {}).get(tier, {})
    if "price_per_million_units" in prices:
        price = replaced(pool["price_per_million_units"], prices["price_per_million_units"])
        return {**pool, "price_per_million_units": price, "above": prices.get("above") or pool.get("above", [])}, 1.0
    return pool, prices.get("price_factor", pool.get("batch_price_fraction", 1) if tier == "batch" else 1.0)


def fees_of_request(pool: dict, workload: dict) -> list[tuple[Rate, float]]:
    """[(fee, how often a request pays it)]."""
    return [(rate_of(fee), workload.get(FEES[name], 0) if FEES[name] else 1) for name, fee in pool.get("fees", {}).items()]


def is_price_doubtful(pool: dict, workload: dict, tier: str) -> bool:
    """Whether something that the price depends on is not stated."""
    prices = pool.get("service_tiers", {}).get(tier, {})
    prompts = [sum(units for c, units in (request or {}).items() if KIN.get(c, c) == "input")
               for _, request in requests_of(workload)]
    is_beyond = any(prompt > above["input_tokens"] for above in pool.get("above", []) for prompt in prompts)
    lacks_above = "price_per_million_units" in prices and not prices.get("above") and is_beyond
    lacks_fee = any(count and workload.get(count, 0) > 0 and name not in pool.get("fees", {}) for name, count in FEES.items())
    return bool(pool.get("unknown_conditions")) or lacks_above or lacks_fee


def units_for_work(classes: dict[str, float] | None, stated: dict[str, float], defaults: dict[str, float]) -> float:
    """T/W: units of all classes for each unit that `units_per_s` counts.
    Reading: a class that `class_weights` does not name has its default."""
    if not classes:
        return 1.0
    weighed = sum((defaults | stated)[c] * units for c, units in classes.items())
    if weighed <= 0:
        raise ValueError("class_weights: a request takes nothing of the device")
    return sum(classes.values()) / weighed


def cost_weights(workload: dict) -> dict[str, float]:
    """By which a workload's cost outside API pools is split."""
    out = workload.get("output_cost_ratio", OUTPUT_COST_RATIO)
    return {"input": 1, "output": out, "reasoning": out} | workload.get("cost_weights", {})
