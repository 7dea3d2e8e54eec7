"""Section 8 of docs/model.md: the rules of `finance`, and the rows of costs and payments. It computes none of them."""
from __future__ import annotations

from collections import defaultdict
from typing import NamedTuple

GROWS_WITH_INFLATION = {"facility", "staff", "network", "storage", "software", "maintenance", "demand_charge", "other"}
GROWS_ONLY_AS_STATED = {"usage", "egress"}


class Finance:
    """The scenario's `finance` with version 2's defaults."""

    def __init__(self, doc: dict):
        self.doc = doc
        self.d = doc.get("discount_rate", 0)
        self.tax_rate = doc.get("tax_rate", 0)
        self.exits = doc.get("at_end", "exit") == "exit"
        self.carbon_price = doc.get("carbon_price_per_tonne", 0)
        self.engineer_week_cost = doc.get("engineer_week_cost", 0)
        self.bonus = doc.get("bonus_depreciation_fraction", 0)

    def growth_rate(self, category: str) -> float:
        """Section 8, "Prices that grow": g of a category, per year."""
        rates = self.doc.get("growth_rates", {})
        if category in GROWS_WITH_INFLATION:
            return rates.get(category, self.doc.get("inflation_rate", 0))
        return rates.get(category, 0) if category in GROWS_ONLY_AS_STATED else 0.0

    def growth(self, category: str, m: int) -> float:
        return (1 + self.growth_rate(category)) ** (m / 12)

    def discount(self, months: float) -> float:
        """What a payment after so many months is worth now."""
        return (1 + self.d) ** -(months / 12)

    def decide_by(self) -> str:
        """Section 8, "What decides"."""
        default = "npv_after_tax" if self.tax_rate > 0 else "npv" if self.d > 0 else "cost"
        return self.doc.get("decide_by", default)

    def equivalent_annual_cost(self, npv: float, months: int) -> float:
        if self.d == 0:
            return npv / (months / 12)
        return npv * self.d / (1 - self.discount(months))


def tax_of_losses(finance: Finance, ledger: Ledger, months: int) -> tuple[float, float]:
    """Section 8, "Tax losses": the present value of tax that is paid, instead of got back, in years that deduct more than the
    income beside the scenario, less what later years save by it; and the losses that no year of the horizon uses."""
    income, tau, loss, worth = finance.doc.get("taxable_income_per_year"), finance.tax_rate, 0.0, 0.0
    if income is None or tau == 0:
        return 0.0, 0.0
    for first in range(0, months, 12):
        last = min(first + 12, months)
        profit = income * (last - first) / 12
        profit -= sum(p.amount for p in ledger.payments if first <= p.month < last and not p.capital)
        profit -= sum(credit / tau for m, credit in ledger.tax_credits if first <= m < last)
        change = max(0.0, -profit) - min(loss, finance.doc.get("loss_offset_fraction", 1) * max(0.0, profit))
        loss += change
        worth += tau * change * finance.discount(last)
    return worth, loss


class Payment(NamedTuple):
    month: int
    when: str  # "start" or "end" of the month
    pool: str | None
    category: str
    workload: str | None  # who causes it; None where it is shared
    amount: float
    whole: bool = False  # shared by the whole horizon's device-hours, not the month's
    capital: bool = False  # hardware, own-build facility, principal: neither deductible nor taxed

    def time(self) -> int:
        """In months from the horizon's start."""
        return self.month + (self.when == "end")


class Ledger:
    """Costs by (month, pool, category, workload, whole), payments one by one, and credits of tax."""

    def __init__(self) -> None:
        self.costs: dict[tuple, float] = defaultdict(float)
        self.payments: list[Payment] = []
        self.tax_credits: list[tuple[int, float]] = []  # at month's end, already times the tax rate

    def cost(self, m: int, pool: str | None, category: str, amount: float, workload: str | None = None,
             whole: bool = False) -> None:
        self.costs[m, pool, category, workload, whole] += amount

    def pay(self, m: int, when: str, pool: str | None, category: str, amount: float, **how) -> None:
        self.payments.append(Payment(m, when, pool, category, how.pop("workload", None), amount, **how))

    def bear(self, m: int, pool: str | None, category: str, amount: float, workload: str | None = None) -> None:
        """A cost that is paid at the month's end."""
        self.cost(m, pool, category, amount, workload)
        self.pay(m, "end", pool, category, amount, workload=workload)
