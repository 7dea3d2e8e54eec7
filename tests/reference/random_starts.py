"""What is finer than an hour in documents that are drawn: how instances start for bursts, workloads that may wait for it, and
prices by the quarter."""
from __future__ import annotations

import random


def draw_offer(offer: dict, rng: random.Random) -> None:
    """Now and then one of what is needed is missing, or holding costs no more."""
    if offer["purchase"] not in ("on_demand", "spot") or rng.random() < 0.2:
        return
    drawn = {"boot_s": rng.choice([0, 2.5, 30, 120, 600]), "idle_timeout_s": rng.choice([0, 45, 300, 900]),
             "billing_step_s": rng.choice([1, 1, 60, 600, 3600]), "minimum_seconds": rng.choice([0, 60, 900])}
    for field in rng.sample(list(drawn), 4 if rng.random() < 0.85 else 3):
        offer[field] = drawn[field]


def with_starts(document: dict, rng: random.Random) -> dict:
    """Of scenarios whose demand bursts within the hour, most."""
    bursting = [w for w in document["workloads"] if "burst" in w.get("demand", {})]
    if not bursting or rng.random() < 0.15:
        return document
    kinds = {pool["id"]: pool["kind"] for pool in document["pools"]}
    for pool in document["pools"]:
        if pool["kind"] == "cloud":
            draw_offer(pool["offer"], rng)
    for workload in bursting:
        if rng.random() < 0.2 or "slo" not in workload and any(kinds[e["pool"]] == "api" for e in workload["runs_on"]):
            continue
        slo = workload.setdefault("slo", {"percentile": 0})
        slo["ttft_s"] = max(slo.get("ttft_s", 0), rng.choice([3, 40, 300, 900]))
        if "e2e_s" in slo:
            slo["e2e_s"] = max(slo["e2e_s"], 1000)
        for entry in workload["runs_on"]:
            if "performance" in entry and rng.random() < 0.9:
                entry["performance"].setdefault("ttft_s", rng.choice([0.1, 1, 2.9]))
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
