"""Sections 5 and 8 of docs/model.md: terms in days and blocks of days, tiers by the month's volume, storage and support."""
from __future__ import annotations

from collections import defaultdict
from datetime import date, datetime, timedelta
from typing import Any, Iterator
from zoneinfo import ZoneInfo

from curves import Calendar


def midnight(day: date, zone: str) -> float:
    return datetime(day.year, day.month, day.day, tzinfo=ZoneInfo(zone)).timestamp()


def instant(day: date, pool_doc: dict, cal: Calendar) -> float:
    """At which days of a pool begin: midnight, or an hour of the day in UTC."""
    hour = pool_doc["offer"].get("begins_at_utc_hour")
    return midnight(day, cal.zone) if hour is None else midnight(day, "UTC") + hour * 3600


def is_by_days(pool_doc: dict) -> bool:
    return pool_doc["kind"] == "cloud" and "term_days" in pool_doc["offer"]


def first_day(pool_doc: dict, cal: Calendar) -> date:
    return cal.first_day(pool_doc.get("from_month", 0)) + timedelta(pool_doc.get("from_day", 1) - 1)


def end_day(pool_doc: dict, cal: Calendar) -> date:
    """The first on which it is gone: after `days`, a block's one term, or the horizon."""
    offer = pool_doc["offer"]
    days = pool_doc.get("days", offer["term_days"] if offer["purchase"] == "block" else None)
    begins = first_day(pool_doc, cal)
    return begins + timedelta(days) if days is not None else max(begins, cal.first_day(cal.months))


def edges_of(pool_doc: dict, cal: Calendar) -> tuple[float, float]:
    """From when and to when it is there: to the horizon's end where no days are stated."""
    begins = instant(first_day(pool_doc, cal), pool_doc, cal)
    if "days" not in pool_doc and pool_doc["offer"]["purchase"] != "block":
        return begins, max(begins, midnight(cal.first_day(cal.months), cal.zone))
    return begins, instant(end_day(pool_doc, cal), pool_doc, cal)


def month_of_start(pool_doc: dict, cal: Calendar) -> int:
    """In which its first day begins: another than from_month where its hour in UTC lies in another one here."""
    begins, month = edges_of(pool_doc, cal)[0], pool_doc.get("from_month", 0)
    while begins < edges(cal, month).start:
        month -= 1
    while begins >= edges(cal, month).stop:
        month += 1
    return month


def hours_within(pool_doc: dict, cal: Calendar, m: int) -> list[bool]:
    """Of each moment of a month whether the pool is there."""
    if not is_by_days(pool_doc):
        return [True] * len(cal.hours[m])
    begins, ends = edges_of(pool_doc, cal)
    return [begins <= start < ends for start in cal.hours[m]]


def shared(begin: float, end: float, hours: range) -> float:
    """Hours of a month that lie in [begin, end)."""
    return max(0.0, min(end, hours.stop) - max(begin, hours.start)) / 3600


def terms_by_days(pool_doc: dict, cal: Calendar) -> Iterator[tuple[int, float, list[float], list[float]]]:
    """Of each that begins in the horizon: its month, hours, and those by month of the horizon and after it."""
    day, length = first_day(pool_doc, cal), timedelta(pool_doc["offer"]["term_days"])
    until, horizon = edges_of(pool_doc, cal)[1], midnight(cal.first_day(cal.months), cal.zone)
    while instant(day, pool_doc, cal) < min(until, horizon):
        begin, end = instant(day, pool_doc, cal), instant(day + length, pool_doc, cal)
        month = next(m for m in range(cal.months) if begin < midnight(cal.first_day(m + 1), cal.zone))
        last = cal.months
        while midnight(cal.first_day(last), cal.zone) < end:
            last += 1
        within = [shared(begin, end, edges(cal, m)) for m in range(last)]
        yield month, (end - begin) / 3600, within[:cal.months], within[cal.months:]
        day += length


def edges(cal: Calendar, m: int) -> range:
    return range(int(midnight(cal.first_day(m), cal.zone)), int(midnight(cal.first_day(m + 1), cal.zone)))


def part_there(pool: Any, cal: Calendar, m: int) -> float:
    """The part of a month in which a rented pool is there."""
    if not is_by_days(pool.stated):
        return float(pool.exists(m))
    month = edges(cal, m)
    begins, ends = edges_of(pool.stated, cal)
    return shared(begins, ends, month) / ((month.stop - month.start) / 3600)


def weights_gb(workload_doc: dict, entry_doc: dict) -> float | None:
    if "stored_gb" in workload_doc:
        return workload_doc["stored_gb"]
    size = entry_doc.get("performance", {}).get("estimate", {}).get("weight_bytes")
    return None if size is None else size / 1e9


def stored_gb(workload_doc: dict, entry_doc: dict) -> float | None:
    weights, check = weights_gb(workload_doc, entry_doc), workload_doc.get("checkpoint", {})
    return None if weights is None else weights + check.get("size_gb", 0) * check.get("kept", 1)


def is_storage_unknown(workload_doc: dict, entry_doc: dict, offer: dict) -> bool:
    """A size without a price, or a price without a size."""
    if "storage_per_gb_month" not in offer:
        check = workload_doc.get("checkpoint", {})
        return workload_doc.get("stored_gb", 0) > 0 or check.get("size_gb", 0) * check.get("kept", 1) > 0
    return offer["storage_per_gb_month"] > 0 and stored_gb(workload_doc, entry_doc) is None


def in_tiers(volume: float, tiers: list[tuple[float, float]], base: float) -> float:
    """Each part of a volume at the rate of its tier: [(above, rate)], below the first the base."""
    bounds = [(0.0, base), *tiers]
    ends = [above for above, _ in tiers] + [float("inf")]
    return sum(rate * max(0.0, min(volume, end) - above) for (above, rate), end in zip(bounds, ends))


def egress_tiers(offer: dict, destination: str) -> list[tuple[float, float]]:
    return [(t.get("above_gb", 0), t["price_per_gb"]) for t in offer.get("egress_tiers", [])
            if t.get("destination", "") == destination]


def egress_price(offer: dict, destination: str) -> float:
    """Of a GB, as dispatch sees it: the highest of any volume."""
    tiers = egress_tiers(offer, destination)
    base = offer.get("egress_per_gb", 0) if not destination else 0
    return max([rate for _, rate in tiers] + ([base] if not tiers or tiers[0][0] > 0 else []))


def volume_tiers(doc: dict) -> list[tuple[float, float]]:
    return [(t["above"], t["price_factor"]) for t in doc.get("volume_tiers", [])]


def factors(groups: dict[Any, list[tuple[Any, float]]], tiers_of: dict[Any, list[tuple[float, float]]]) -> dict[Any, float]:
    """By member the mean price factor of its group's volume."""
    found = {}
    for key, members in groups.items():
        volume = sum(v for _, v in members)
        factor = in_tiers(volume, tiers_of[key], 1.0) / volume if volume > 0 else 1.0
        found |= {member: factor for member, _ in members}
    return found


def device_hour_factors(pools: list, device_hours: dict[str, float]) -> dict[str, float]:
    groups, tiers = defaultdict(list), {}
    for pool in pools:
        if pool.kind == "cloud" and pool.holder.get("volume_tiers"):
            offer = pool.holder
            key = (offer["provider"], offer.get("sku", ""), offer.get("region", ""), offer["device"].get("id", ""),
                   offer["devices"], offer["purchase"], str(volume_tiers(offer)))
            groups[key].append((pool.id, device_hours[pool.id]))
            tiers[key] = volume_tiers(offer)
    return factors(groups, tiers)


def unit_factors(pools: list, buys_units) -> dict[str, float]:
    groups, tiers = defaultdict(list), {}
    for pool in pools:
        if pool.kind == "api" and pool.doc.get("volume_tiers") and not buys_units(pool.doc):
            key = (pool.doc.get("provider", ""), pool.doc.get("model", ""), str(volume_tiers(pool.doc)))
            groups[key].append((pool.id, sum(pool.units.values())))
            tiers[key] = volume_tiers(pool.doc)
    return factors(groups, tiers)


SUPPORTED = ("compute", "usage", "commitment", "egress", "storage")


def support_cost(plan: dict, bills: dict[str | None, float], pools: list) -> float:
    """Of a month: brackets of the bill of its pools, at least the minimum."""
    of = plan.get("provider")
    bill = sum(bills.get(p.id, 0.0) for p in pools if p.kind != "owned" and of in (None, "", provider_of(p)))
    bill += 0.0 if of else bills.get(None, 0.0)
    brackets = [(b.get("above", 0), b["fraction"]) for b in plan.get("brackets", [])]
    return max(plan.get("minimum_per_month", 0), in_tiers(bill, brackets, 0.0))


def provider_of(pool: Any) -> str:
    return pool.holder["provider"] if pool.kind == "cloud" else pool.doc.get("provider", "")
