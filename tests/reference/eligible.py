"""Makes random scenarios of version 1 valid in version 2 (②) of section 4 of docs/model.md, which refuses some of them.

Replicas larger than their host say that they span hosts; decode estimates fit the memory; what misses an objective by its
estimate states a latency that keeps it. Used through `random_scenarios.py --eligible`.
"""
from __future__ import annotations

from estimates import GIB, MEMORY_USE_FRACTION
from performance import Performance, limits_of

SPARE = 0.9  # of the memory that an estimate may take


def make_eligible(scenario: dict) -> dict:
    """The scenario itself, changed where an entry is not eligible."""
    pools = {pool["id"]: pool for pool in scenario["pools"]}
    for workload in scenario["workloads"]:
        for entry in workload["runs_on"]:
            pool = pools[entry["pool"]]
            if pool["kind"] != "api":
                holder = pool["offer"] if pool["kind"] == "cloud" else pool["server"]
                place(entry["performance"], workload, holder)
    return scenario


def place(performance: dict, workload: dict, holder: dict) -> None:
    if workload["kind"] == "inference" and performance.get("devices", 1) > holder["devices"]:
        performance["spans_hosts"] = True
    fit(performance, holder["device"])
    if not Performance(performance, workload, holder["device"], holder["devices"]).is_eligible():
        limits = limits_of(workload)
        performance |= {figure: limit / 2 for figure, limit in limits.items()}


def fit(performance: dict, device: dict) -> None:
    """Weights and cache of a decode estimate in proportion, so that they fill at most a part of the memory."""
    estimate = performance.get("estimate", {})
    if estimate.get("method") != "decode_roofline" or "memory_gib" not in device:
        return
    room = SPARE * MEMORY_USE_FRACTION * performance.get("devices", 1) * device["memory_gib"] * GIB
    taken = estimate["weight_bytes"] + performance["batch"] * estimate["kv_bytes_per_sequence"]
    for name in ("weight_bytes", "kv_bytes_per_sequence"):
        estimate[name] = float(f"{estimate[name] * min(1.0, room / taken):.5g}")
