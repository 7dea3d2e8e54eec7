"""Section 8 of docs/model.md, "Currencies": curves of money that state a currency, before anything else is read."""
from __future__ import annotations

from typing import Any

DOCUMENTS = ("offer", "server", "site", "endpoint")  # that may state a currency, and are in the scenario's where they don't
MONEY = ("price", "tariff")


def with_converted_curves(scenario: dict) -> dict:
    """The scenario with each of those curves in the currency of the document that it stands in."""
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
