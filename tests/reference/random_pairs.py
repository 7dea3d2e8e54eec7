"""Pairs in documents that are drawn: of two entries one reads the prompts and one writes the answers."""
from __future__ import annotations

import copy
import random

from classes import classes_of
from pairs import half_of, is_pair, prompt_of, transfer
from performance import Performance
from pools import Pool


def may_be_pair(workload: dict, pools: dict) -> bool:
    if workload["kind"] != "inference" or sum(pools[e["pool"]]["kind"] != "api" for e in workload["runs_on"]) < 2:
        return False
    classes = classes_of(workload)
    return not classes or prompt_of(workload) > 0 and classes.get("output", 0) + classes.get("reasoning", 0) > 1


def is_eligible(workload: dict, pools: list) -> bool:
    """Whether both halves keep the objectives at some load, and take something of their devices."""
    if "ttft_s" in workload.get("slo", {}) and transfer(workload, pools)[1] >= 0.99 * workload["slo"]["ttft_s"]:
        return False
    for place, entry in enumerate(workload["runs_on"]):
        try:
            half = half_of(workload, place, pools)
            performance = Performance(entry["performance"], half, pools[place].device.doc, pools[place].per_holder)
            keeps = performance.is_eligible()
        except (ValueError, TypeError, ZeroDivisionError):  # a figure by the batch where nothing chooses one
            return False
        if not keeps or not 0 < performance.units_per_s < float("inf"):
            return False
    return True


def drawn_pair(workload: dict, pools: dict, rng: random.Random) -> dict | None:
    pair = copy.deepcopy(workload)
    pair.pop("routing", None)
    pair["runs_on"] = rng.sample([e for e in pair["runs_on"] if pools[e["pool"]].kind != "api"], 2)
    if not classes_of(pair):
        pair["units_per_request"] = {"input": rng.choice([100, 4000.5, 20000]), "output": rng.choice([2, 300])}
    for entry in pair["runs_on"]:
        entry.pop("share", None)
    for entry, phase in zip(pair["runs_on"], ("prefill", "decode")):
        entry["phase"] = phase
    sender = pair["runs_on"][0]
    sender["cache_bytes_per_token"] = rng.choice([0, 70272, 131072, 327680, 2.5e6])
    slo = pair.get("slo", {})
    if "e2e_s" in slo and ("ttft_s" not in slo or slo["ttft_s"] >= slo["e2e_s"]):
        slo["ttft_s"] = rng.uniform(0.2, 0.8) * slo["e2e_s"]
    if rng.random() < 0.7:
        sender["link_gb_per_s"] = rng.choice([0.01, 1.25, 12.5, 50, 400])
    on = [pools[e["pool"]] for e in pair["runs_on"]]
    if "link_gb_per_s" not in sender and transfer(pair, on)[2]:
        sender["link_gb_per_s"] = 25.0  # in two places none is assumed
    return pair if is_eligible(pair, on) else None


def join_places(document: dict, rng: random.Random) -> None:
    """Rented pools of one seller and region, now and then."""
    for pool in document["pools"]:
        if pool["kind"] == "cloud" and rng.random() < 0.5:
            pool["offer"] |= {"provider": "seller", "region": "us-east"}


def with_pairs(document: dict, rng: random.Random) -> dict:
    """In most scenarios in which nothing is routed to the cheapest, most workloads that may be one."""
    plain = {pool["id"]: pool for pool in document["pools"]}
    able = [w for w in document["workloads"] if may_be_pair(w, plain)]
    if not able or rng.random() < 0.15:
        return document
    document = copy.deepcopy(document)
    if not any("regions" in w for w in document["workloads"]):
        join_places(document, rng)
    for workload in document["workloads"]:  # beside a pair nothing is
        workload.pop("routing", None)
    pools = {pool["id"]: Pool(pool, lambda doc: 1.0, document["months"]) for pool in document["pools"]}  # of their devices alone
    for i, workload in enumerate(document["workloads"]):
        for _ in range(4 if may_be_pair(workload, plain) else 0):
            if pair := drawn_pair(workload, pools, rng):
                document["workloads"][i] = pair
                break
    return document


def count(documents: list[dict]) -> int:
    return sum(any(is_pair(w) for w in document["workloads"]) for document in documents)
