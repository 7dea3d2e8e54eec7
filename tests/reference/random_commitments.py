"""Commitments in documents that are drawn: provisioned units of api pools, and spend that is committed by the hour."""
from __future__ import annotations

import copy
import random

from classes import CLASSES, classes_of
from commitments import served_by_unit


def some_rates(rng: random.Random) -> dict:
    """Tokens a minute of every class, or of those whose kin has none."""
    rates = {c: rng.choice([600.0, 2500.0, 3000.0, 14900.0, 59400.0]) * rng.choice([1, 0.25]) for c in CLASSES}
    return {c: rate for c, rate in rates.items() if c in ("input", "output") or rng.random() < 0.5}


def draw_units(pool: dict, workload: dict, document: dict, rng: random.Random) -> None:
    """About as many as the mean demand, as many as a deployment may have; by the hour, or for one of two terms."""
    least, step = rng.choice([(1, 1), (15, 5), (50, 50)])
    terms = [{"months": months, rng.choice(["price_per_unit_hour", "price_per_unit_month"]): rng.uniform(0.2, 300)}
             for months in rng.sample([1, 2, 5, 12], rng.randint(0, 2))]
    pool["provisioned"] = {"minimum_units": least, "unit_step": step, "tokens_per_minute": some_rates(rng),
                           "counts_cached_input": rng.random() < 0.5, "terms": terms}
    if not terms or rng.random() < 0.6:
        price = {"kind": "price", "axis": "date", "interpolation": "step", "points": [["2020-01-01", 1.5], ["2026-06-01", 0.9]]}
        pool["provisioned"]["price_per_unit_hour"] = rng.choice([rng.uniform(0.2, 3), price])
    if terms and ("price_per_unit_hour" not in pool["provisioned"] or rng.random() < 0.5):
        pool["provisioned_term_months"] = rng.choice(terms)["months"]
    served = served_by_unit(pool, workload)
    demand = workload.get("demand", {})
    asked = demand.get("mean_per_s", 1) * sum(classes_of(workload).values())
    steps = round(max(0.0, asked * rng.choice([0.3, 1, 2]) / served - least) / step) if served else 0
    pool["provisioned_units"] = 0 if rng.random() < 0.1 else int(min(least + step * steps, 900000 // step * step + least))
    if pool["provisioned_units"] > 1000000:
        pool["provisioned_units"] = least


def with_provisioned(document: dict, rng: random.Random) -> dict:
    """In scenarios with an api pool of one workload by class, whose class rates may all be known: its first entry buys units, and
    the pool itself is what overflows now and then."""
    if rng.random() > 0.9:
        return document
    for workload in document["workloads"]:
        for place, entry in enumerate(workload["runs_on"]):
            pool = next(p for p in document["pools"] if p["id"] == entry["pool"])
            users = [w for w in document["workloads"] if any(e["pool"] == pool["id"] for e in w["runs_on"])]
            classes = classes_of(workload)
            if pool["kind"] != "api" or len(users) > 1 or not classes or sum(classes.values()) <= 0:
                continue
            if "provisioned" in pool or workload["kind"] == "training":
                continue
            counted = {c: n for c, n in classes.items() if c != "cached_input"}
            if sum(counted.values()) <= 0:
                continue
            other = copy.deepcopy(pool)
            draw_units(pool, workload, document, rng)
            entry.pop("service_tier", None)
            if rng.random() < 0.7 and len(document["pools"]) < 60:
                other["id"] = pool["id"] + "-by-token"
                document["pools"].append(other)
                spill = copy.deepcopy(entry)
                spill["pool"] = other["id"]
                if "share" in spill:
                    spill["share"] = 0
                spill.pop("porting", None)
                workload["runs_on"].insert(place + 1, spill)
            return document
    return document


def with_spend(document: dict, rng: random.Random) -> dict:
    """In scenarios that rent on demand: one to three commitments, for less and for more than what is rented."""
    rented = [p for p in document["pools"] if p["kind"] == "cloud" and p["offer"]["purchase"] == "on_demand"]
    if not rented or rng.random() > 0.5:
        return document
    document["spend_commitments"] = []
    for k in range(rng.choice([1, 1, 2, 3])):
        discounts = [{"fraction": rng.choice([0.1, 0.27, 0.45, 0.66])} for _ in range(rng.randint(1, 2))]
        for discount in discounts:
            offer = rng.choice(rented)["offer"]
            if rng.random() < 0.5:
                discount["provider"] = offer["provider"]
            if rng.random() < 0.3 and offer["device"].get("id"):
                discount["device"] = offer["device"]["id"]
            if rng.random() < 0.3 and offer.get("region"):
                discount["region"] = offer["region"]
            if rng.random() < 0.3 and offer.get("sku"):
                discount["family"] = offer["sku"].split(".")[0]
        term = rng.choice([1, 3, 12, 36])
        commitment = {"name": f"plan {k}", "hourly_spend": rng.choice([0.5, 5, 50]) * rng.random(), "term_months": term,
                      "discounts": discounts}
        if rng.random() < 0.4:
            commitment["from_month"] = rng.randint(1 - term, document["months"])
        if rng.random() < 0.3:
            commitment["months"] = term * rng.randint(1, 2)
        document["spend_commitments"].append(commitment)
    return document
