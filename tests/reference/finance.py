"""Section 8 of docs/model.md: assets, loans, leases and committed terms in the ledger, settled at the horizon's end."""
from __future__ import annotations

from collections import defaultdict

from assets import Asset, Holdings, Lease, Loan
from curves import Calendar
from ledger import Finance, Ledger
from pools import Pool


class Books:
    """What the horizon's capital, debt and terms come to; totals for the result beside the ledger's rows."""

    def __init__(self, ledger: Ledger, finance: Finance, cal: Calendar):
        self.ledger, self.finance, self.cal, self.months = ledger, finance, cal, cal.months
        self.terminal = {"sale": 0.0, "book": 0.0, "obligations": 0.0, "loan_balance": 0.0}
        self.obligation: dict[str, float] = defaultdict(float)  # undiscounted, by pool
        self.lease_liability: dict[str, float] = defaultdict(float)
        self.has_loan = False  # one that is not paid off before the start

    def write(self, pool: Pool, holdings: Holdings | None) -> None:
        if pool.kind == "cloud":
            self.commit(pool)
        if holdings:
            for asset in holdings.assets:
                self.capitalise(asset)
            for loan in holdings.loans:
                self.borrow(loan)
            for lease in holdings.leases:
                self.rent_servers(lease)

    # -- assets

    def capitalise(self, asset: Asset) -> None:
        """Categories hardware and facility (own build), disposal, and the tax that goes with them."""
        pool, category = asset.pool.id, asset.category
        first, last = max(asset.start, 0), min(asset.end, self.months)
        basis, book = asset.book_value(first), asset.book_value(last)
        sale = book
        if asset.end > self.months:  # in service at the horizon's end
            sale = asset.market_value(last) if self.finance.exits else book
            self.terminal["sale"] += sale
            self.terminal["book"] += book
        self.ledger.pay(first, "start", pool, category, basis, whole=True, capital=True)
        self.ledger.pay(last - 1, "end", pool, category, -sale, whole=True, capital=True)
        self.ledger.cost(last - 1, pool, "disposal", book - sale, whole=True)
        tau, tax_book = self.finance.tax_rate, basis
        for m in range(first, last):
            self.ledger.cost(m, pool, category, asset.monthly_cost(self.finance))
        for m, depreciation in enumerate(asset.tax_depreciation(self.finance, self.months), first):
            tax_book -= depreciation
            self.ledger.tax_credits.append((m, tau * depreciation))
        self.ledger.tax_credits.append((last - 1, tau * (tax_book - sale)))

    # -- debt

    def borrow(self, loan: Loan) -> None:
        """Category financing: principal is neither income nor expense, interest is both views' cost."""
        pool, first = loan.pool.id, max(loan.start, 0)
        inflow = loan.balance(first)
        if inflow == 0:  # paid off before the start, or nothing borrowed
            return
        self.has_loan = True
        pay = self.ledger.pay
        pay(first, "start", pool, "financing", -inflow, whole=True, capital=True)
        for m, (interest, principal, _) in enumerate(loan.payments, loan.start):
            if 0 <= m < self.months:
                self.ledger.bear(m, pool, "financing", interest)
                pay(m, "end", pool, "financing", principal, whole=True, capital=True)
        balance = loan.balance(self.months)  # repaid at the end, under `continue` too
        self.terminal["loan_balance"] += balance
        pay(self.months - 1, "end", pool, "financing", balance, whole=True, capital=True)

    # -- leases and committed terms

    def rent_servers(self, lease: Lease) -> None:
        """Category lease: evenly; the obligation and the unspent upfront of a term that the horizon cuts."""
        pool, when = lease.pool.id, "start" if lease.in_advance else "end"
        for m in range(max(lease.start, 0), min(lease.end, self.months)):
            self.ledger.cost(m, pool, "lease", lease.payment)
            self.ledger.pay(m, when, pool, "lease", lease.payment)
            self.lease_liability[pool] += lease.payment * self.finance.discount(m + (not lease.in_advance))
        self.spread_upfront(pool, "lease", lease.upfront, lease.start, lease.term)
        late = 0 if lease.in_advance else 1
        for m in range(self.months, lease.start + lease.term):  # payments left of the running term
            self.owe(pool, "lease", lease.payment, m - self.months + late)

    def commit(self, pool: Pool) -> None:
        """Category commitment: terms one after another from from_month on, while the pool exists."""
        if not pool.committed or not pool.term or pool.doc["max_instances"] == 0:
            return
        upfront = pool.holder.get("upfront", 0) * pool.exchange * pool.keeps * pool.doc["max_instances"]
        for start in range(pool.first, min(pool.until, self.months), pool.term):
            end = start + pool.term
            if end <= 0:
                continue
            self.spread_upfront(pool.id, "commitment", upfront, start, pool.term)
            price = pool.instance_price(self.cal, self.months - 1) * pool.doc["max_instances"]
            for m in range(self.months, end):  # of that calendar month, due at its end
                self.owe(pool.id, "commitment", len(self.cal.hours_of(m)) * price, m - self.months + 1)

    def spread_upfront(self, pool: str, category: str, upfront: float, start: int, term: int) -> None:
        """Paid at the term's start, borne over it; what the end leaves unspent is lost (exit) or comes back (continue).
        One of before the horizon is past: neither cash nor cost."""
        if start < 0 or upfront == 0:
            return
        last = self.months - 1
        self.ledger.pay(start, "start", pool, category, upfront, whole=True)
        for m in range(start, min(start + term, self.months)):
            self.ledger.cost(m, pool, category, upfront / term)
        unspent = upfront * max(0, start + term - self.months) / term
        if self.finance.exits:
            self.ledger.cost(last, pool, category, unspent, whole=True)
        else:
            self.ledger.pay(last, "end", pool, category, -unspent, whole=True)

    def owe(self, pool: str, category: str, payment: float, months_from_end: int) -> None:
        """An obligation: its payment, and under `exit` its present value at the end, paid and borne in the last month."""
        self.obligation[pool] += payment
        if not self.finance.exits:
            return
        worth, last = payment * self.finance.discount(months_from_end), self.months - 1
        self.terminal["obligations"] += worth
        self.ledger.cost(last, pool, category, worth, whole=True)
        self.ledger.pay(last, "end", pool, category, worth, whole=True)
