"""Section 8 of docs/model.md: assets, loans, leases and committed terms in the ledger, settled at the horizon's end."""
from __future__ import annotations

from collections import defaultdict

from assets import Asset, Holdings, Lease, Loan
from commitments import Spend, buys_units, months_left, price_of_unit
from curves import Calendar
from ledger import Finance, Ledger
from pools import Pool
from rented import device_hour_factors, is_by_days, terms_by_days


class Books:
    """What the horizon's capital, debt and terms come to; totals for the result beside the ledger's rows."""

    def __init__(self, ledger: Ledger, finance: Finance, cal: Calendar):
        self.ledger, self.finance, self.cal, self.months = ledger, finance, cal, cal.months
        self.terminal = {"sale": 0.0, "book": 0.0, "obligations": 0.0, "commitments_sold": 0.0, "loan_balance": 0.0,
                         "tax_loss": 0.0}
        self.sold: dict[str, tuple[float, float]] = {}  # by pool what the months left bring, and what of their payments stays owed
        self.in_tiers: dict[tuple[str, int], float] = {}  # by pool and month after the horizon: the mean price factor of its hours
        self.obligation: dict[str, float] = defaultdict(float)  # undiscounted, by pool
        self.lease_liability: dict[str, float] = defaultdict(float)
        self.has_loan = False  # one that is not paid off before the start

    def write(self, pool: Pool, holdings: Holdings | None) -> None:
        if pool.kind == "cloud":
            self.commit(pool)
        if pool.kind == "api" and buys_units(pool.doc):
            for m in range(self.months, self.months + months_left(self.months, pool.doc.get("provisioned_term_months"))):
                price = pool.doc["provisioned_units"] * price_of_unit(pool, self.cal, self.finance, m)
                self.owe(pool.id, "commitment", price, m - self.months + 1)
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
        ahead = asset.at_order * basis if asset.start >= 0 else 0.0
        if ahead:
            self.ledger.pay(max(0, first - asset.lead), "start", pool, category, ahead, whole=True, capital=True)
        self.ledger.pay(first, "start", pool, category, basis - ahead, whole=True, capital=True)
        self.ledger.pay(last - 1, "end", pool, category, -sale, whole=True, capital=True)
        self.ledger.cost(last - 1, pool, "disposal", book - sale, whole=True)
        tau, credit = self.finance.tax_rate, asset.investment_credit(self.finance)
        back = asset.given_back(self.finance, self.months)
        tax_book = basis - credit / 2
        self.ledger.tax_credits.append((first, credit))
        for m in range(first, last):
            self.ledger.cost(m, pool, category, asset.monthly_cost(self.finance))
        for m, depreciation in enumerate(asset.tax_depreciation(self.finance, self.months), first):
            tax_book -= depreciation
            self.ledger.tax_credits.append((m, tau * depreciation))
        self.ledger.tax_credits.append((last - 1, tau * (tax_book + back / 2 - sale) - back))

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
        for m in range(max(lease.start, 0), min(lease.paid_until, self.months)):
            payment = lease.payment * lease.pool.later_rate(m)
            self.ledger.cost(m, pool, "lease", payment)
            self.ledger.pay(m, when, pool, "lease", payment)
            self.lease_liability[pool] += payment * self.finance.discount(m + (not lease.in_advance))
        self.spread_upfront(pool, "lease", lease.upfront, lease.start, lease.term)
        late = 0 if lease.in_advance else 1
        for m in range(self.months, lease.start + lease.term):  # payments left of the running term
            self.owe(pool, "lease", lease.payment * lease.pool.later_rate(m), m - self.months + late)

    def commit(self, pool: Pool) -> None:
        """Category commitment: terms one after another from from_month on, while the pool exists."""
        if is_by_days(pool.stated):
            self.commit_days(pool)
            return
        if not pool.committed or not pool.term or pool.doc["max_instances"] == 0:
            return
        upfront = pool.holder.get("upfront", 0) * pool.exchange * pool.keeps * pool.doc["max_instances"]
        for start in range(pool.first, min(pool.until, self.months), pool.term):
            end = start + pool.term
            if end <= 0:
                continue
            self.spread_upfront(pool.id, "commitment", upfront * pool.later_rate(start), start, pool.term)
            price = pool.instance_price(self.cal, self.months - 1) * pool.doc["max_instances"]
            income, owed = self.sold.get(pool.id, (0.0, 1.0))
            for m in range(self.months, end):  # of that calendar month, due at its end
                price_then = price * self.in_tiers.get((pool.id, m), 1.0)
                self.owe(pool.id, "commitment", len(self.cal.hours_of(m)) * price_then, m - self.months + 1, owed)
            if end > self.months and income:
                self.terminal["commitments_sold"] += income
                self.ledger.cost(self.months - 1, pool.id, "commitment", -income, whole=True)
                self.ledger.pay(self.months - 1, "end", pool.id, "commitment", -income, whole=True)

    def commit_days(self, pool: Pool) -> None:
        """The same of terms in days: an upfront is borne by the hours of its term."""
        many, last = pool.doc["max_instances"], self.months - 1
        stated = pool.holder.get("upfront", 0) * pool.exchange * pool.keeps * many
        for month, hours, within, after in terms_by_days(pool.stated, self.cal):
            upfront = stated * pool.later_rate(month)
            if upfront:
                self.ledger.pay(month, "start", pool.id, "commitment", upfront, whole=True)
                for m, part in enumerate(within):
                    self.ledger.cost(m, pool.id, "commitment", upfront * part / hours)
                unspent = upfront * sum(after) / hours
                if self.finance.exits:
                    self.ledger.cost(last, pool.id, "commitment", unspent, whole=True)
                else:
                    self.ledger.pay(last, "end", pool.id, "commitment", -unspent, whole=True)
            price = pool.instance_price(self.cal, last) * many
            for k, part in enumerate(after, 1):
                price_then = price * self.in_tiers.get((pool.id, self.months + k - 1), 1.0)
                self.owe(pool.id, "commitment", part * price_then, k)

    def owe_spend(self, plan: Spend) -> None:
        """What commitments to spend that begin in the horizon owe beyond it; borne by no pool."""
        if plan.first >= self.months or not self.finance.exits:
            return
        for m in range(self.months, plan.until):
            worth = plan.doc["hourly_spend"] * len(self.cal.hours_of(m)) * self.finance.discount(m - self.months + 1)
            self.terminal["obligations"] += worth
            self.ledger.cost(self.months - 1, None, "commitment", worth, whole=True)
            self.ledger.pay(self.months - 1, "end", None, "commitment", worth, whole=True)

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

    def hours_owed(self, pool: Pool) -> dict[int, float]:
        """Of each instance, by month after the horizon."""
        if pool.kind != "cloud" or not pool.committed or pool.doc["max_instances"] == 0:
            return {}
        owed: dict[int, float] = defaultdict(float)
        if is_by_days(pool.stated):
            for _, _, _, after in terms_by_days(pool.stated, self.cal):
                for m, part in enumerate(after, self.months):
                    owed[m] += part
        elif pool.term:
            starts = range(pool.first, min(pool.until, self.months), pool.term)
            for m in range(self.months, starts[-1] + pool.term if starts else self.months):
                owed[m] = len(self.cal.hours_of(m))
        return owed

    def tier_owed_hours(self, pools: list[Pool]) -> None:
        """Section 8, "Tiers": hours owed count together with those that other pools of the offer owe in the month."""
        owed = {pool.id: self.hours_owed(pool) for pool in pools}
        many = {pool.id: pool.doc["max_instances"] * pool.per_holder for pool in pools if pool.kind == "cloud"}
        for m in {m for hours in owed.values() for m in hours}:
            volumes = {p: owed[p].get(m, 0.0) * many[p] for p in many}
            self.in_tiers |= {(p, m): factor for p, factor in device_hour_factors(pools, volumes).items()}

    def sell_terms(self, pools: list[Pool]) -> None:
        """Resale: of each term that the end cuts the price of its months left, up to the seller's limit of prices and payments."""
        left: dict[str, tuple[float, float]] = {}
        for pool in pools:
            if pool.kind != "cloud" or "resale" not in pool.holder or not self.finance.exits or not pool.committed:
                continue
            starts = range(pool.first, min(pool.until, self.months), pool.term)
            months = range(self.months, starts[-1] + pool.term if starts else self.months)
            many = pool.doc["max_instances"]
            upfront = pool.holder.get("upfront", 0) * pool.exchange * pool.keeps * many * len(months) / pool.term
            upfront *= pool.later_rate(self.months - 1)
            hours = sum(len(self.cal.hours_of(m)) * self.in_tiers.get((pool.id, m), 1.0) for m in months)
            left[pool.id] = upfront * pool.holder["resale"]["price_fraction"], \
                hours * pool.instance_price(self.cal, self.months - 1) * many
        for pool in pools:
            if pool.id not in left:
                continue
            resale = pool.holder["resale"]
            of_seller = sum(sum(left[p.id]) for p in pools if p.id in left and p.holder["provider"] == pool.holder["provider"])
            rate = pool.exchange * pool.later_rate(self.months - 1)
            limit = resale["sales_limit"] * rate if "sales_limit" in resale else float("inf")
            part = min(1.0, limit / of_seller) if of_seller > 0 else 1.0
            self.sold[pool.id] = (part * left[pool.id][0] * (1 - resale.get("fee_fraction", 0)),
                                  1 - part * (1 - resale.get("payments_owed_fraction", 0)))

    def owe(self, pool: str, category: str, payment: float, months_from_end: int, owed: float = 1.0) -> None:
        """An obligation: its payment, and under `exit` its present value at the end, paid and borne in the last month; less what a
        buyer takes over."""
        self.obligation[pool] += payment
        if not self.finance.exits:
            return
        worth, last = payment * owed * self.finance.discount(months_from_end), self.months - 1
        self.terminal["obligations"] += worth
        self.ledger.cost(last, pool, category, worth, whole=True)
        self.ledger.pay(last, "end", pool, category, worth, whole=True)
