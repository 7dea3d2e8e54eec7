"""Of which day what a pool pays is, and who states it: docs/api.md, The result. No figure depends on it."""
from __future__ import annotations

from typing import Any, Iterator

NO_DAY = "1970-01-01"  # where an import puts a price that was a number


def of_units(prices: dict) -> Iterator[Any]:
    """The prices of units of a hosted model, or of one of its tiers."""
    for stated in (prices, *prices.get("above", [])):
        price = stated.get("price_per_million_units")
        by_class = isinstance(price, dict) and "points" not in price
        yield from price.values() if by_class else [] if price is None else [price]


def prices_of(pool: dict) -> list[Any]:
    """Numbers and curves that what the pool pays is read from."""
    if pool["kind"] != "api":
        return [pool["offer"]["hourly_price"]] if pool["kind"] == "cloud" else []
    hosted = pool.get("endpoint") or pool
    fees = [*hosted.get("fees", {}).values()]
    if "provisioned_units" in pool:  # a term's price is a number
        return [hosted["provisioned"].get("price_per_unit_hour") if "provisioned_term_months" not in pool else 0, *fees]
    tiers = [price for tier in hosted.get("service_tiers", {}).values() for price in of_units(tier)]
    return [*of_units(hosted), *fees, *tiers]


def day_in_force(price: Any, start: str) -> str | None:
    """The day of the last point by the start, or of the first; a number has none."""
    if not isinstance(price, dict) or price["axis"] != "date":
        return None
    days = [day for day, _ in price["points"]]
    day = max((day for day in days if day <= start), default=days[0])
    return None if day == NO_DAY else day


def price_origin(pool: dict, month: str) -> dict:
    prices = prices_of(pool)
    days = [day_in_force(price, f"{month}-01") for price in prices]
    holder = pool.get("offer" if pool["kind"] == "cloud" else "endpoint") or (pool if pool["kind"] == "api" else {})
    sources = [holder.get("source"), *(p.get("source") for p in prices if isinstance(p, dict))]
    return {"price_day": None if None in days else min(days, default=None),
            "price_source": next((source for source in sources if source), None)}
