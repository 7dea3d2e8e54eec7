"""Section 5 of docs/model.md, "Extra costs": lines of a pool, a site or the scenario. It shares nothing out."""
from __future__ import annotations

from typing import Iterator

from ledger import Finance


class ExtraCost:
    """One of `extra_costs`; read month by month, in order."""

    def __init__(self, doc: dict, exchange: float = 1.0, places: int = 1):
        self.doc, self.exchange, self.places = doc, exchange, places
        self.category = doc.get("category", "other")
        self.first = doc.get("from_month", 0)
        self.is_paid = False  # `once`

    def growth(self, finance: Finance, m: int) -> float:
        own = self.doc.get("growth_rate")
        return finance.growth(self.category, m) if own is None else (1 + own) ** (m / 12)

    def amounts(self, finance: Finance, m: int, units: float = 0.0, bill: float = 0.0,
                price: float = 0.0, later_rate: float = 1.0) -> Iterator[tuple[str, float]]:
        """(when, amount) of a month in which they are borne: `units` in service, the pool's `bill`, P in service."""
        if m < self.first or m >= self.first + self.doc.get("months", float("inf")):
            return
        growth, amount = self.growth(finance, m), lambda field: self.doc.get(field, 0) * self.exchange * later_rate
        monthly = amount("per_month") * self.places + amount("per_unit_month") * units
        monthly = (monthly + self.doc.get("per_year_of_price", 0) / 12 * price) * growth
        yield "end", monthly + self.doc.get("fraction_of_bill", 0) * bill  # a part of a bill does not grow
        if not self.is_paid and "once" in self.doc:
            self.is_paid = True
            yield "start", amount("once") * self.places * growth
