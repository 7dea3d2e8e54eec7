"""Section 8 of docs/model.md, "Currencies": curves of money that state a currency, before anything else is read."""
from __future__ import annotations

from datetime import date
from typing import Any

from curves import Curve

DOCUMENTS = ("offer", "server", "site", "endpoint")  # that may state a currency, and are in the scenario's where they don't
MONEY = ("price", "tariff")


def with_forwards_as_rates(scenario: dict) -> dict:
    """The first month's rate of each forward curve, and in the documents of its currency what later months' rates are over it."""
    forwards = {forward["currency"]: Curve(forward["rates"]) for forward in scenario.get("exchange_forwards", [])}
    if not forwards:
        return scenario
    year, month = map(int, scenario["start"].split("-"))
    days = [date(year + (month - 1 + m) // 12, (month - 1 + m) % 12 + 1, 1).toordinal() for m in range(scenario["months"])]
    rates = {code: [curve.at(day) for day in days] for code, curve in forwards.items()}

    def in_document(document: dict) -> dict:
        by_month = rates.get(document.get("currency", ""))
        return document | {"later_rates": [rate / by_month[0] for rate in by_month]} if by_month else document

    pools = [{name: in_document(part) if name in DOCUMENTS else part for name, part in pool.items()} for pool in scenario["pools"]]
    stated = scenario.get("exchange_rates", {}) | {code: by_month[0] for code, by_month in rates.items()}
    return {**scenario, "pools": pools, "exchange_rates": stated}


def with_converted_curves(scenario: dict) -> dict:
    """The scenario with each of those curves in the currency of the document that it stands in."""
    scenario = with_forwards_as_rates(scenario)
    own = scenario.get("currency", "USD")
    rates = {**scenario.get("exchange_rates", {}), own: 1.0}

    def convert(value: Any, currency: str) -> Any:
        if isinstance(value, list):
            return [convert(entry, currency) for entry in value]
        if not isinstance(value, dict):
            return value
        if value.get("kind") in MONEY and "points" in value:
            if "currency" not in value:
                return value
            factor = rates[value["currency"]] / rates[currency]
            curve = {**value, "points": [[x, y * factor] for x, y in value["points"]]}
            del curve["currency"]
            return curve
        return {name: convert(part, part.get("currency", own) if name in DOCUMENTS and isinstance(part, dict) else currency)
                for name, part in value.items()}

    return {**scenario, "pools": convert(scenario["pools"], own)}
