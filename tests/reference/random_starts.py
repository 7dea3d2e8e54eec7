"""What is finer than an hour in documents that are drawn: how instances start for bursts, workloads that may wait for it, and
prices by the quarter."""
from __future__ import annotations

import json
import random


def draw_offer(pool: dict, rng: random.Random) -> None:
    """Mostly on demand. Now and then one of what is needed is missing, or holding costs no more."""
    offer = pool["offer"]
    if offer["purchase"] not in ("on_demand", "spot") and pool.get("from_month", 0) >= 0 and rng.random() < 0.8:
        offer["purchase"] = "on_demand"
        offer.pop("upfront", None), offer.pop("term_months", None)
        pool["min_instances"] = rng.randint(0, pool["max_instances"])
    if offer["purchase"] not in ("on_demand", "spot") or rng.random() < 0.1:
        return
    drawn = {"boot_s": rng.choice([0, 2.5, 30, 120, 600]), "idle_timeout_s": rng.choice([0, 45, 300, 900]),
             "billing_step_s": rng.choice([1, 1, 60, 600, 3600]), "minimum_seconds": rng.choice([0, 60, 900])}
    for field in rng.sample(list(drawn), 4 if rng.random() < 0.85 else 3):
        offer[field] = drawn[field]


def with_starts(document: dict, rng: random.Random) -> dict:
    """In most scenarios whose demand bursts within the hour, and in a fifth of the others, which burst then."""
    inference = [w for w in document["workloads"] if w["kind"] == "inference"]
    bursts = any("burst" in w["demand"] for w in inference)
    if not inference or rng.random() > (0.6 if bursts else 0.2):
        return document
    for workload in inference:
        if not bursts:
            seconds, per_day = rng.choice([20, 60, 300]), rng.choice([8, 24, 48])
            workload["demand"]["burst"] = {"factor": rng.choice([1.5, 3, 5]), "seconds": seconds, "per_day": per_day}
    pools = {pool["id"]: pool for pool in document["pools"]}
    for pool in pools.values():
        if pool["kind"] == "cloud":
            draw_offer(pool, rng)
    for workload in inference:
        tiers = any("tier" in json.dumps(pools[e["pool"]]) for e in workload["runs_on"] if pools[e["pool"]]["kind"] == "api")
        if rng.random() < 0.1 or "slo" not in workload and tiers:
            continue
        if rng.random() < 0.6:
            workload["slo"] = {"percentile": 0}
        slo = workload.setdefault("slo", {"percentile": 0})
        states_first = any("ttft_s" in entry.get("performance", {}) for entry in workload["runs_on"])
        least = slo.get("ttft_s", 900 if states_first else 0)
        slo["ttft_s"] = max(least, rng.choice([3, 300, 900, 900]))
        if "e2e_s" in slo:
            slo["e2e_s"] = max(slo["e2e_s"], 1000)
        for entry in workload["runs_on"]:
            if "performance" in entry and rng.random() < 0.9:
                drawn = rng.choice([0.1, 1, 2.9])
                if "e2e_s" not in slo:  # else its steps, which were held to nothing, could take longer than the whole may
                    entry["performance"].setdefault("ttft_s", drawn)
    return document


def with_batch_starts(document: dict, rng: random.Random) -> dict:
    """Half of the batch work loads something each time it starts."""
    for workload in document["workloads"]:
        if workload["kind"] == "batch" and rng.random() < 0.5:
            workload["checkpoint"] = {"restart_s": rng.choice([60, 900, 900, 3000])}
    return document


def with_quarters(document: dict, rng: random.Random) -> dict:
    """Some curves of energy prices and carbon change within the hour."""
    for pool in document["pools"]:
        site = pool.get("site") or pool.get("offer", {}).get("site") or {}
        for name in ("energy_price", "carbon_g_per_kwh"):
            curve = site.get(name)
            if isinstance(curve, dict) and curve["axis"].startswith("hour_of") and rng.random() < 0.15:
                part = rng.choice([0.25, 0.5, 0.75])
                site[name] = curve | {"points": [[x + part if rng.random() < 0.5 and x == int(x) else x, y]
                                                 for x, y in curve["points"]]}
    return document
