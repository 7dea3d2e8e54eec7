"""What sellers bill by days and volume, in documents that are drawn."""
from __future__ import annotations

import random


def by_days(pool: dict, months: int, rng: random.Random) -> None:
    """A commitment in days, one term after the other, or a block of days."""
    offer = pool["offer"]
    offer.pop("term_months", None), pool.pop("months", None)
    offer["purchase"] = rng.choice(["reserved", "committed", "block", "block"])
    offer["term_days"] = rng.choice([1, 7, 14, 30, 91, 182])
    if offer["purchase"] == "block":
        offer |= {"hourly_price": 0, "upfront": rng.uniform(10, 20000)}
        offer.pop("price_growth_rate", None)
    elif rng.random() < 0.5:
        offer["upfront"] = rng.uniform(0, 2000)
    if rng.random() < 0.4:
        offer["begins_at_utc_hour"] = rng.choice([0, 9, 11.5, 11.5, 17.25, 23])
    pool["min_instances"] = pool["max_instances"]
    pool["from_month"] = rng.choice([0, 0, rng.randrange(months)])
    if rng.random() < 0.7 or "begins_at_utc_hour" in offer:
        pool["from_day"] = rng.randint(2, 28)
    if rng.random() < 0.4:
        pool["days"] = offer["term_days"] * rng.randint(1, 3)


def tiers(rng: random.Random, scale: float) -> list[dict]:
    above = sorted(rng.sample([0, 0.1 * scale, scale, 3 * scale, 10 * scale], rng.randint(1, 3)))
    return [{"above": a, "price_factor": rng.choice([0, 0.5, 0.8, 0.9, 1.1])} for a in above]


def egress(rng: random.Random, destinations: list[str]) -> list[dict]:
    found = []
    for destination in destinations:
        above = sorted(rng.sample([1, 100, 10240, 51200], rng.randint(0, 2)))
        for gb in ([0] if destination or rng.random() < 0.5 or not above else []) + above:
            found.append({"above_gb": gb, "price_per_gb": rng.choice([0, 0.02, 0.05, 0.09])})
            if destination:
                found[-1]["destination"] = destination
    return found


def resale(rng: random.Random) -> dict:
    """What the rest of a term brings, in part up to a limit."""
    found = {"price_fraction": rng.choice([0, 0.5, 0.9, 1])}
    if rng.random() < 0.6:
        found["fee_fraction"] = rng.choice([0.12, 0.3])
    if rng.random() < 0.4:
        found["payments_owed_fraction"] = rng.choice([0.12, 1])
    if rng.random() < 0.5:
        found["sales_limit"] = rng.choice([0, 1000, 50000, 50000])
    return found


def with_rented(document: dict, rng: random.Random) -> dict:
    """In about half of the scenarios some of it."""
    if rng.random() > 0.6:
        return document
    clouds = [p for p in document["pools"] if p["kind"] == "cloud"]
    apis = [p for p in document["pools"] if p["kind"] == "api" and "endpoint" not in p]
    committed = [p for p in clouds if p["offer"]["purchase"] in ("reserved", "committed")]
    hours = 24 * 31 * document["months"] * (len(document["pools"]) + sum(len(w["runs_on"]) for w in document["workloads"]))
    if committed and hours < 400000 and rng.random() < 0.6:
        by_days(rng.choice(committed), document["months"], rng)
    for pool in clouds:
        meant = "spend_commitments" in document and pool["offer"]["purchase"] == "on_demand"
        if rng.random() < 0.3 and not meant:
            pool["offer"]["volume_tiers"] = tiers(rng, 2000)
        if pool in committed and "term_months" in pool["offer"] and rng.random() < 0.8:
            pool["offer"]["resale"] = resale(rng)
            if pool.get("from_month", 0) >= 0 and rng.random() < 0.7:  # a term that the horizon cuts
                pool.pop("months", None)
                pool["offer"]["term_months"] = rng.choice([7, 12, 36])
                pool["offer"].setdefault("upfront", rng.uniform(100, 40000))
            if rng.random() < 0.5:
                document.get("finance", {}).pop("at_end", None)
        if rng.random() < 0.4:
            pool["offer"]["storage_per_gb_month"] = rng.uniform(0.01, 0.2)
        if rng.random() < 0.4:
            pool["offer"]["egress_tiers"] = egress(rng, ["", "peer"])
    for pool in apis:
        if rng.random() < 0.4:
            pool["volume_tiers"] = tiers(rng, 1e7)
    peers = clouds and all(any(t.get("destination") for t in p["offer"].get("egress_tiers", [])) for p in clouds)
    for workload in document["workloads"]:
        if peers and rng.random() < 0.5:
            workload["egress_destination"] = "peer"
        if rng.random() < 0.5:
            workload["stored_gb"] = rng.uniform(1, 2000)
        if rng.random() < 0.3:
            workload.setdefault("checkpoint", {}).update({"size_gb": rng.uniform(1, 500), "kept": rng.randint(0, 4)})
    if rng.random() < 0.5:
        plan = {"name": "support", "minimum_per_month": rng.choice([0, 100, 5000]),
                "brackets": [{"above": above, "fraction": fraction}
                             for above, fraction in [(0, 0.1), (10000, 0.07), (80000, 0.05), (250000, 0.03)][:rng.randint(1, 4)]]}
        if clouds and rng.random() < 0.4:
            plan["provider"] = clouds[0]["offer"]["provider"]
        document["support_plans"] = [plan]
    return document
