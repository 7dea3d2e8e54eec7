"""Sections 5 and 8 of docs/model.md: units of provisioned throughput, and commitments to spend an amount an hour."""
from __future__ import annotations

import math
from typing import Any

from classes import KIN, classes_of, units_of_request
from curves import rate_of


def buys_units(pool_doc: dict) -> bool:
    """Whether an api pool, with what its endpoint states, buys provisioned units."""
    return "provisioned_units" in pool_doc


def served_by_unit(pool_doc: dict, workload: dict) -> float:
    """Units a second: a unit serves classes one after the other, each at its tokens a minute."""
    stated = pool_doc["provisioned"]
    rates = stated["tokens_per_minute"]
    minutes = 0.0
    for c, units in classes_of(workload).items():
        if units > 0 and not (c == "cached_input" and not stated.get("counts_cached_input", True)):
            minutes += units / rates.get(c, rates.get(KIN.get(c, c)))
    return units_of_request(workload) / minutes / 60


def without_tokens(pool_doc: dict) -> dict:
    """What is billed beside units: fees."""
    of_tokens = ("above", "cache", "service_tiers", "batch_price_fraction")
    left = {name: value for name, value in pool_doc.items() if name not in of_tokens}
    return left | {"price_per_million_units": 0}


def term_of(pool_doc: dict) -> dict | None:
    months = pool_doc.get("provisioned_term_months")
    return next((t for t in pool_doc["provisioned"].get("terms", []) if t["months"] == months), None)


def price_of_unit(pool: Any, cal: Any, finance: Any, m: int) -> float:
    """In month m, which may lie after the horizon for a term. Reading: what is bought by the hour grows as usage does, a term's
    price does not."""
    level = pool.keeps * pool.exchange * pool.later_rate(m)
    hours = len(cal.hours_of(m))
    if term := term_of(pool.doc):
        is_hourly = "price_per_unit_hour" in term
        return level * hours * term["price_per_unit_hour"] if is_hourly else level * term["price_per_unit_month"]
    return level * hours * cal.at_month(rate_of(pool.doc["provisioned"]["price_per_unit_hour"]), m) * finance.growth("usage", m)


def months_left(months: int, term: int | None) -> int:
    """Of the last of the terms that begin in a horizon, one after the other from its start."""
    return math.ceil(months / term) * term - months if term else 0


class Spend:
    """Section 8, "Spend commitments": what one pays for, and how much of an hour is left."""

    def __init__(self, doc: dict, months: int):
        self.doc, term = doc, doc.get("term_months", 12)
        self.first = doc.get("from_month", 0)
        self.until = self.first + doc.get("months", max(0, math.ceil((months - self.first) / term)) * term)

    def is_there(self, m: int) -> bool:
        return self.first <= m < self.until

    def discount(self, offer: dict) -> float | None:
        """Of the first that means an offer."""
        return next((d["fraction"] for d in self.doc["discounts"] if means(d, offer)), None)

    def pays_for(self, pools: list) -> list[tuple[float, Any]]:
        """The largest discount first; of equal ones in the order of the pools."""
        found = [(self.discount(p.holder), p) for p in pools if p.kind == "cloud" and p.holder["purchase"] == "on_demand"]
        return sorted([pair for pair in found if pair[0] is not None], key=lambda pair: -pair[0])


def means(discount: dict, offer: dict) -> bool:
    family, sku = discount.get("family"), offer.get("sku", "")
    of_family = not family or sku == family or any(sku.startswith(family + end) for end in ".-_")
    return (of_family and discount.get("provider", offer["provider"]) == offer["provider"]
            and discount.get("device", offer["device"].get("id")) == offer["device"].get("id")
            and discount.get("region", offer.get("region")) == offer.get("region"))


def bill_spend(plans: list[Spend], pools: list, instances: dict[str, list[float]], cal: Any, m: int) -> tuple[dict, float]:
    """Of month m, hour by hour: what commitments take off each pool's bill (by pool id), and what is lost of them.
    Reading: an hour with phases is billed by its mean."""
    off: dict[str, float] = {p.id: 0.0 for p in pools}
    lost, n = 0.0, len(cal.phases)
    for first in range(0, len(cal.hours[m]), n):
        moments = range(first, first + n)
        on_demand = {p.id: sum(cal.lasts(h) * instances[p.id][h] for h in moments) * p.price for p in pools if p.kind == "cloud"}
        for plan in plans:
            if not plan.is_there(m) or plan.doc["hourly_spend"] <= 0:
                continue
            left = plan.doc["hourly_spend"]
            for discount, pool in plan.pays_for(pools):
                paid = min(left, on_demand[pool.id] * (1 - discount))
                covered = paid / (1 - discount) if discount < 1 else on_demand[pool.id]
                left, on_demand[pool.id] = left - paid, on_demand[pool.id] - covered
                off[pool.id] += covered - paid
            lost += left
    return off, lost
