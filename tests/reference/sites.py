"""Section 7 of docs/model.md: a site is one place. Power, peaks, tiers and the lines that it bears once, shared by its pools."""
from __future__ import annotations

from collections import defaultdict
from typing import Iterator

from curves import Calendar, Curve, ceil_forgiving, rate_of
from ledger import Finance, Ledger
from pools import Pool

EQUAL = 1e-9  # two figures of kW are equal within this part of the larger


class Site:
    """A place, with the pools that stand there; an offer's site is the provider's and has that pool alone."""

    def __init__(self, doc: dict, exchange: float):
        self.doc, self.exchange, self.id = doc, exchange, doc.get("id")
        self.zone = doc.get("time_zone", "UTC")
        self.energy_price = rate_of(doc["energy_price"])
        self.energy_price_index = rate_of(doc.get("energy_price_index", 1))
        self.pue = rate_of(doc.get("pue", 1))
        self.pue_by_load = isinstance(self.pue, Curve) and self.pue.axis == "load"
        self.carbon_is_known = "carbon_g_per_kwh" in doc
        self.carbon = rate_of(doc.get("carbon_g_per_kwh", 0))
        self.carbon_index = rate_of(doc.get("carbon_index", 1))
        self.pools: list[Pool] = []
        self.places = doc.get("places", 1)
        self.peak_kw = 0.0  # of the horizon so far
        self.charges = list(doc.get("demand_charges", []))
        if "demand_charge_per_kw_month" in doc:  # one charge without window or ratchet
            self.charges.append({"per_kw_month": doc["demand_charge_per_kw_month"]})
        self.measured: list[dict[int, float]] = [{} for _ in self.charges]  # kW by month, of each charge

    def price(self, field: str) -> float:
        return self.doc.get(field, 0) * self.exchange

    def open_month(self, cal: Calendar, m: int) -> None:
        """Rates of month m by hour: shape × level × growth."""
        level = (1 + self.doc.get("energy_price_growth_rate", 0)) ** (m / 12) * self.exchange
        level *= cal.at_month(self.energy_price_index, m)
        self.tariff = [p * level for p in cal.hourly(self.energy_price, m, self.zone)]
        level = cal.at_month(self.carbon_index, m)
        self.intensity = [g * level for g in cal.hourly(self.carbon, m, self.zone)]
        self.hourly_pue = None if self.pue_by_load else cal.hourly(self.pue, m, self.zone)
        self.servers = sum(pool.in_service for pool in self.pools if pool.kind == "owned")

    def marginal_pue(self, h: int) -> float:
        """Section 6, cheapest: a load curve at 1."""
        return self.pue.at(1) if self.pue_by_load else self.hourly_pue[h]

    def meter(self, n: int) -> None:
        """Facility kW of the site and of each of its pools in every hour of the month (owned pools)."""
        self.kw = [0.0] * n
        nameplate_w = sum(pool.nameplate_kw for pool in self.pools) * 1000
        for pool in self.pools:
            pool.kw, pool.it_kw, pool.paid_devices = [0.0] * n, [0.0] * n, [0.0] * n
        for h in range(n) if self.servers else ():
            watts = []
            for pool in self.pools:
                pool.paid_devices[h], _, w = pool.it_watts(h)
                watts.append(w)
            pue = self.pue.at(sum(watts) / nameplate_w) if self.pue_by_load else self.hourly_pue[h]
            for pool, w in zip(self.pools, watts):
                pool.it_kw[h], pool.kw[h] = w / 1000, w / 1000 * pue
            self.kw[h] = sum(watts) / 1000 * pue
        self.peak_kw = max(self.peak_kw, max(self.kw))

    def by_nameplate(self) -> list[tuple[Pool, float]]:
        """Shares by nameplate kW in service."""
        whole = sum(pool.nameplate_kw for pool in self.pools)
        return [(pool, pool.nameplate_kw / whole) for pool in self.pools if pool.in_service]

    # -- demand charges and tiers

    def window(self, charge: dict, cal: Calendar, m: int) -> list[int]:
        """The hours of the month in which a charge measures."""
        if "hours" not in charge:
            return list(range(len(self.kw)))
        return [h for h, on in enumerate(cal.hourly(Curve(charge["hours"]), m, self.zone)) if on == 1]

    def demand_charges(self, cal: Calendar, m: int) -> Iterator[tuple[float, list[tuple[Pool, float]]]]:
        """Section 7, "Demand charges": each charge's amount in the month, and who shares it."""
        every = range(1, 13)
        for charge, measured in zip(self.charges, self.measured):
            hours = self.window(charge, cal, m)
            peak = measured[m] = max((self.kw[h] for h in hours), default=0.0)
            if not self.servers or cal.month_of_year(m) not in charge.get("months", every):
                continue
            before = range(max(0, m - charge.get("ratchet_months", 11)), m)  # months before the horizon count 0
            counted = [measured[j] for j in before if cal.month_of_year(j) in charge.get("ratchet_peak_months", every)]
            billed = max(peak, charge.get("ratchet_fraction", 0) * max(counted, default=0.0))
            shares = self.by_nameplate()
            if peak > 0:
                h = next(h for h in hours if self.kw[h] >= peak * (1 - EQUAL))
                shares = [(pool, pool.kw[h] / self.kw[h]) for pool in self.pools]
            yield billed * charge["per_kw_month"] * self.exchange, shares

    def tiers(self, cal: Calendar) -> list[tuple[Pool, float]]:
        """Section 7, "Tiers": what they add to each pool's energy cost of the month."""
        kwh = cal.sum(self.kw)
        added = sum(t["add_per_kwh"] * max(0.0, kwh - t["above_kwh_month"]) for t in self.doc.get("energy_tiers", []))
        return [(pool, added * self.exchange * cal.sum(pool.kw) / kwh) for pool in self.pools] if kwh > 0 else []

    # -- what stands there, whether it works or not

    def racks(self) -> dict[str, float]:
        """Racks of each pool: those of the same server rounded up together, shared by servers.
        Reading: the same server is one with the same document."""
        groups: list[list[Pool]] = []
        for pool in self.pools:
            group = next((g for g in groups if g[0].holder == pool.holder), None)
            if group is None:
                groups.append(group := [])
            group.append(pool)
        racks = {}
        for group in groups:
            in_rack, servers = group[0].servers_in_rack(self.doc), sum(pool.in_service for pool in group)
            if in_rack is not None:
                whole = ceil_forgiving(servers / in_rack)
                racks.update({p.id: whole * p.in_service / servers if servers else 0.0 for p in group})
        return racks

    def bear_fixed(self, ledger: Ledger, finance: Finance, m: int) -> None:
        """Section 8: people, network and storage of the place, once; `places` multiplies them."""
        if not self.servers:
            return
        salary = self.price("salary_per_year") / 12
        lines = {"staff": self.doc.get("fte", 0) * salary, "network": self.price("network_per_month"),
                 "storage": self.price("storage_per_month")}
        for category, amount in lines.items():
            for pool, part in self.by_nameplate():
                ledger.bear(m, pool.id, category, amount * self.places * finance.growth(category, m) * part)
        for pool in self.pools:
            people = self.doc.get("fte_per_server", 0) * pool.in_service
            ledger.bear(m, pool.id, "staff", people * salary * finance.growth("staff", m))


def same_place(docs: list[tuple[str, dict]]) -> list[list[str]]:
    """Section 7: pools (id, site document) grouped by place; a site without an id stands alone."""
    groups: dict[object, list[str]] = defaultdict(list)
    for pool, site in docs:
        groups[("id", site["id"]) if "id" in site else ("alone", pool)].append(pool)
    return list(groups.values())
