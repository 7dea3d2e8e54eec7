"""Sections 5 and 8 of docs/model.md: what is bought, leased or borrowed, and what its schedules say. It writes no ledger."""
from __future__ import annotations

from typing import Iterator, NamedTuple

from curves import Curve, rate_at, rate_of
from ledger import Finance
from pools import Lot, Pool, chain

MACRS = {"macrs_3": [0.3333, 0.4445, 0.1481, 0.0741],
         "macrs_5": [0.20, 0.32, 0.192, 0.1152, 0.1152, 0.0576],
         "macrs_7": [0.1429, 0.2449, 0.1749, 0.1249, 0.0893, 0.0892, 0.0893, 0.0446]}


class Asset:
    """One purchase of hardware, or of an own-build facility, from `start` to `end` (months; end excluded)."""

    def __init__(self, pool: Pool, category: str, span: tuple[int, int], price: float, life: int, residual=0.0):
        self.pool, self.category, (self.start, self.end) = pool, category, span
        self.price, self.life = price, life
        self.resale = residual if isinstance(residual, Curve) else None
        self.residual = price * rate_at(residual, life)  # R: a curve gives it too, at the end of life
        self.lead, self.at_order = 0, 0.0  # months before start; of the price, paid then
        self.used_for, self.list_price = 0, price  # months of a lease before; P when it was new

    def serves(self, m: int) -> bool:
        return self.start <= m < self.end

    def book_value(self, month: int) -> float:
        """Straight line between P and R at its age, under the annuity rule too."""
        return self.price - (self.price - self.residual) * (month - self.start) / self.life

    def market_value(self, month: int) -> float:
        """Section 8, "The horizon's end": by the curve, where there is one."""
        if self.resale is None:
            return self.book_value(month)
        return self.list_price * self.resale.at(self.used_for + month - self.start)

    def monthly_cost(self, finance: Finance) -> float:
        """Section 8, hardware: straight line, or annuity with r = (1+d)^(1/12) − 1."""
        if finance.doc.get("capital", "straight_line") == "straight_line" or finance.d == 0:
            return (self.price - self.residual) / self.life
        r = (1 + finance.d) ** (1 / 12) - 1
        left = (1 + r) ** -self.life
        return (self.price - self.residual * left) * r / (1 - left)

    def investment_credit(self, finance: Finance) -> float:
        """Section 8, "Tax": of hardware bought in the horizon; half of it is off the basis."""
        bought = self.category == "hardware" and self.start >= 0 and not self.used_for
        return self.price * finance.doc.get("investment_credit_fraction", 0) if bought else 0.0

    def given_back(self, finance: Finance, months: int) -> float:
        """Of the credit, a fifth for each full year that lacks to five when it is sold."""
        if self.end > months and not finance.exits:
            return 0.0
        return self.investment_credit(finance) * max(0, 5 - (min(self.end, months) - self.start) // 12) / 5

    def tax_depreciation(self, finance: Finance, months: int) -> Iterator[float]:
        """Of each month in service in the horizon. An asset owned already is as bought at the start, for its book value.
        Reading: the straight line of such an asset is its book value then / L a month, L its whole life."""
        first, last = max(self.start, 0), min(self.end, months)
        basis = book = self.book_value(first) - self.investment_credit(finance) / 2
        method = finance.doc.get("tax_depreciation", "straight_line") if self.category == "hardware" else "straight_line"
        fractions = finance.doc.get("tax_depreciation_table") if method == "table" else MACRS.get(method)
        for age in range(last - first):
            bonus = 0.0
            if age == 0 and self.start >= 0 and self.category == "hardware":
                bonus = basis * finance.bonus  # at the end of the month of purchase, with the rest's first month
                basis, book = basis - bonus, book - bonus
            if fractions is not None:
                monthly = basis * fractions[age // 12] / 12 if age // 12 < len(fractions) else 0.0
            elif method == "declining_balance":
                monthly = book * finance.doc["tax_depreciation_rate"] / 12
            else:
                monthly = min(book, basis / self.life)
            book -= monthly
            yield bonus + monthly


class Loan(NamedTuple):
    """Section 5, "Loans": B, and its payments as (interest, principal, balance after it), the first in month `start`."""
    pool: Pool
    start: int
    amount: float
    payments: list[tuple[float, float, float]]

    def balance(self, month: int) -> float:
        """After the payments of the months before this one."""
        paid = min(month - self.start, len(self.payments))
        return self.payments[paid - 1][2] if paid > 0 else self.amount


def loan_payments(amount: float, rate: float, term: int, kind: str) -> list[tuple[float, float, float]]:
    i, balance, payments = rate / 12, amount, []
    level = amount / term if i == 0 else amount * i / (1 - (1 + i) ** -term)
    for k in range(1, term + 1):
        interest = i * balance
        principal = {"annuity": level - interest, "linear": amount / term, "bullet": 0.0}[kind]
        if k == term:
            principal = balance  # what rounding leaves; a bullet's all
        balance -= principal
        payments.append((interest, principal, balance))
    return payments


class Lease(NamedTuple):
    """Section 5, "Leased servers": one lease (a generation), amounts of all its servers in the scenario's currency."""
    pool: Pool
    start: int
    end: int  # when the servers leave
    paid_until: int
    term: int
    payment: float  # at the first month's exchange rate
    upfront: float
    in_advance: bool
    list_price: float  # P at list price in the month it began, for maintenance

    def serves(self, m: int) -> bool:
        return self.start <= m < self.end


def list_price(pool: Pool, lot: Lot, month: int) -> float:
    """Section 5, Owned: server, network and storage of the lot, bought in this month."""
    server = pool.holder
    change = 1 + server.get("price_change_rate", 0)
    extras = server.get("network_price", 0) + server.get("storage_price", 0)
    with_spares = 1 + server.get("spares_fraction", 0)
    price = server["price"] * change ** (month / 12)
    if "price" in lot.doc:  # Reading: the server's price alone, per server, in the server's currency
        price = lot.doc["price"] * change ** ((month - lot.first) / 12)
    return lot.servers * (price * with_spares + extras * change ** (month / 12)) * pool.exchange * pool.later_rate(month)


class Holdings:
    """What an owned pool has in the horizon: assets, loans and leases of every generation of every lot."""

    def __init__(self, pool: Pool, months: int):
        self.assets: list[Asset] = []
        self.loans: list[Loan] = []
        self.leases: list[Lease] = []
        residual = rate_of(pool.holder.get("residual_fraction", 0))
        for lot in pool.lots:
            for start, end in lot.generations(months):
                if lot.lease:
                    lease = self.lease(pool, lot, start, end)
                    self.leases.append(lease)
                    if lease.paid_until < min(end, months):
                        self.assets.append(self.bought_out(lease, lot, residual))
                    continue
                asset = Asset(pool, "hardware", (start, end), list_price(pool, lot, start), pool.life, residual)
                asset.lead, asset.at_order = lot.doc.get("lead_months", 0), lot.doc.get("paid_at_order_fraction", 0)
                self.assets.append(asset)
                if lot.loan:
                    amount = lot.loan["fraction"] * asset.price
                    terms = lot.loan["rate"], lot.loan["term_months"], lot.loan.get("kind", "annuity")
                    self.loans.append(Loan(pool, start, amount, loan_payments(amount, *terms)))
            built = pool.site.doc.get("facility_price_per_w", 0) * lot.servers * pool.nameplate_w
            if built:
                life = pool.site.doc["facility_life_months"]
                for span in chain(lot.first, life, lot.leaves, months):
                    self.assets.append(Asset(pool, "facility", span, built * pool.site.exchange_in(span[0]), life))

    @staticmethod
    def lease(pool: Pool, lot: Lot, start: int, end: int) -> Lease:
        money, doc = lot.servers * pool.exchange, lot.lease
        paid_until = start + doc["term_months"] if doc.get("at_end") == "buy" else end
        upfront = doc.get("upfront_per_server", 0) * money * pool.later_rate(start)
        return Lease(pool, start, end, paid_until, doc["term_months"], doc["payment_per_server_month"] * money, upfront,
                     doc.get("in_advance", True), list_price(pool, lot, start))

    @staticmethod
    def bought_out(lease: Lease, lot: Lot, residual) -> Asset:
        """Section 5, "Leased servers": from the term's end on an asset, whose residual value is no more than what it cost."""
        pool, start = lease.pool, lease.paid_until
        price = lot.servers * lot.lease["buyout_per_server"] * pool.exchange * pool.later_rate(start)
        asset = Asset(pool, "hardware", (start, lease.end), price, lease.end - start, residual)
        asset.used_for, asset.list_price = start - lease.start, lease.list_price
        asset.residual = min(price, lease.list_price * rate_at(residual, pool.life))
        return asset

    def price_in_service(self, m: int) -> float:
        """P of the generations in service; a leased server has P = 0."""
        return sum(a.price for a in self.assets if a.category == "hardware" and a.serves(m))

    def maintained(self, m: int) -> float:
        """What maintenance is charged on: P, and of leased servers what P would be, each at the month's rate of exchange."""
        bought = [(a.pool, a.price, a.start) for a in self.assets if a.category == "hardware" and a.serves(m) and not a.used_for]
        leased = [(lease.pool, lease.list_price, lease.start) for lease in self.leases if lease.serves(m)]
        return sum(price * pool.later_rate(m) / pool.later_rate(start) for pool, price, start in bought + leased)
