"""Section 4 of docs/model.md, "Bursts": instances that start for a burst and stop after it."""
from __future__ import annotations

import math

from bursts import share_of
from performance import Performance

STATED = ("boot_s", "idle_timeout_s", "billing_step_s")


def between_bursts(offer: dict, demand: dict) -> float:
    """The part of the time between bursts in which an instance runs that only they need; 1: it is held."""
    if offer["purchase"] not in ("on_demand", "spot") or any(field not in offer for field in STATED):
        return 1.0
    burst, share = demand["burst"], share_of(demand)
    step = offer["billing_step_s"]
    seconds = math.ceil((offer["boot_s"] + burst["seconds"] + offer["idle_timeout_s"]) / step - 1e-9) * step
    paid = min(1.0, max(seconds, offer.get("minimum_seconds", 0)) * burst["per_day"] / 86400)  # of all time
    return max(0.0, (paid - share) / (1 - share))


def may_wait(performance: Performance, per_host: int, device: dict, boot_s: float, usable: float) -> bool:
    """Whether the objectives of ttft_s and e2e_s, of which there is one, hold with boot_s taken off at the same batch and load."""
    workload = performance.workload
    slo = workload.get("slo", {})
    less = {name: slo[name] - boot_s for name in ("ttft_s", "e2e_s") if name in slo}
    if not less or min(less.values()) <= 0 or any(performance.figure(name, 1) is None for name in performance.limits):
        return False
    at_batch = performance.doc if performance.batch is None else performance.doc | {"batch": performance.batch}
    try:
        waiting = Performance(at_batch, workload | {"slo": slo | less}, device, per_host)
    except ValueError:
        return False
    return waiting.is_eligible() and waiting.share >= usable


def open_starts(workloads: list) -> None:
    """Tells the pools and entries on which replicas start for bursts: not beside training or batch work, nor by share."""
    bursting = [w.doc["demand"] for w in workloads if w.kind == "inference" and share_of(w.doc["demand"]) > 0]
    deferring = {id(entry.pool) for w in workloads if w.kind != "inference" for entry in w.entries}
    for workload in workloads:
        for entry in workload.entries:
            pool = entry.pool
            if pool.kind != "cloud" or id(pool) in deferring or not bursting:
                continue
            pool.between = max(between_bursts(pool.holder, demand) for demand in bursting)
            entry.starts = (pool.between < 1 and workload.kind == "inference" and share_of(workload.doc["demand"]) > 0
                            and not {"share", "phase"} & set(workload.doc["runs_on"][0])
                            and may_wait(entry.performance, pool.per_holder, pool.device.doc, pool.holder["boot_s"],
                                         entry.usable))
