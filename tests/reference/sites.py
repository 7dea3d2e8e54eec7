"""Section 7 of docs/model.md: a site is one place. Power, peaks, tiers and the lines that it bears once, shared by its pools."""
from __future__ import annotations

import math
from collections import defaultdict
from typing import Iterator

from curves import Calendar, Curve, ceil_forgiving, rate_of
from ledger import Finance, Ledger
from pools import Pool

EVERY_MONTH = range(1, 13)
ASSUMED_POWER_FACTOR = 0.9  # where a reactive charge needs one and none is stated
EQUAL = 1e-9  # two figures of kW are equal within this part of the larger


class Site:
    """A place, with the pools that stand there; an offer's site is the provider's and has that pool alone."""

    def __init__(self, doc: dict, exchange: float):
        self.doc, self.first_exchange, self.id = doc, exchange, doc.get("id")
        self.exchange = exchange  # of the month at hand
        self.later_rates = doc.get("later_rates", [])  # currencies.py
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
        self.bills: list[float] = []  # of the utility, by month
        self.billed: list[float] = []
        self.charges = list(doc.get("demand_charges", []))
        if "demand_charge_per_kw_month" in doc:  # one charge without window or ratchet
            self.charges.append({"per_kw_month": doc["demand_charge_per_kw_month"]})
        self.measured: list[dict[int, float]] = [{} for _ in self.charges]  # kW by month, of each charge

    def exchange_in(self, month: int) -> float:
        """The rate of the month in which something is paid; of those before the start the first's."""
        return self.first_exchange * (self.later_rates[max(month, 0)] if self.later_rates else 1)

    def price(self, field: str) -> float:
        """At the rate of the month at hand."""
        return self.doc.get(field, 0) * self.exchange

    def open_month(self, cal: Calendar, m: int) -> None:
        """Rates of month m by hour: shape × level × growth."""
        self.exchange = self.exchange_in(m)
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
        self.billed = []  # kW of each charge
        for charge, measured in zip(self.charges, self.measured):
            hours = self.window(charge, cal, m)
            largest = max((self.kw[h] for h in hours), default=0.0)
            kw = self.at_grids_peak(self.kw, hours, cal) if charge.get("coincident") else largest
            measured[m] = kw
            before = range(max(0, m - charge.get("ratchet_months", 11)), m)  # months before the horizon count 0
            counted = [measured[j] for j in before if cal.month_of_year(j) in charge.get("ratchet_peak_months", EVERY_MONTH)]
            most = max(kw, charge.get("ratchet_fraction", 0) * max(counted, default=0.0))
            billed = max(most * self.adjustment(), charge.get("min_kw", 0))
            self.billed.append(billed)
            months = charge.get("months", EVERY_MONTH)
            if not self.servers or cal.month_of_year(m) not in months:
                continue
            shares = self.by_nameplate()
            if kw > 0 and charge.get("coincident"):
                shares = [(pool, self.at_grids_peak(pool.kw, hours, cal) / kw) for pool in self.pools]
            elif kw > 0:
                h = next(h for h in hours if self.kw[h] >= kw * (1 - EQUAL))
                shares = [(pool, pool.kw[h] / self.kw[h]) for pool in self.pools]
            amount = billed * (charge["per_kw_month"] + charge.get("per_kw_year", 0) / len(months))
            amount += sum(max(0.0, billed - t["above_kw"]) * t["add_per_kw_month"] for t in charge.get("tiers", []))
            yield amount * self.exchange, shares

    @staticmethod
    def at_grids_peak(kw: list[float], hours: list[int], cal: Calendar) -> float:
        """The grid's peak is in any of these hours with the same chance."""
        lasts = sum(cal.lasts(h) for h in hours)
        return sum(kw[h] * cal.lasts(h) for h in hours) / lasts if lasts > 0 else 0.0

    def kw_of(self, doc: dict) -> float:
        return self.billed[doc["kw_of_charge"]] if "kw_of_charge" in doc else max(self.kw)

    def tiers(self, cal: Calendar, m: int) -> list[tuple[Pool, float]]:
        """Section 7, "Tiers": what they and riders by the kWh add to each pool's energy cost of the month."""
        kwh, days = cal.sum(self.kw), cal.sum([1.0] * len(self.kw)) / 24

        def above(tier: dict) -> float:
            return (tier.get("above_kwh_month", 0) + tier.get("above_kwh_day", 0) * days
                    + tier.get("above_kwh_per_kw", 0) * self.kw_of(tier))

        added = sum(t["add_per_kwh"] * max(0.0, kwh - above(t)) for t in self.doc.get("energy_tiers", [])
                    if cal.month_of_year(m) in t.get("months", EVERY_MONTH))
        added += sum(rider.get("per_kwh", 0) * kwh for rider in self.riders(cal, m))
        return [(pool, added * self.exchange * cal.sum(pool.kw) / kwh) for pool in self.pools] if kwh > 0 else []

    # -- the rest of the bill

    def riders(self, cal: Calendar, m: int) -> list[dict]:
        return [r for r in self.doc.get("riders", []) if r.get("from_month", 0) <= m <= r.get("to_month", m)
                and cal.month_of_year(m) in r.get("months", EVERY_MONTH)]

    def power_factors(self) -> tuple[float, float]:
        """The facility's and the target."""
        return self.doc.get("power_factor", ASSUMED_POWER_FACTOR), self.doc["reactive"].get("target_power_factor", 1)

    def adjustment(self) -> float:
        if not self.doc.get("reactive", {}).get("adjusts_demand"):
            return 1.0
        has, target = self.power_factors()
        return max(1.0, target / has)

    def rest_of_bill(self, cal: Calendar, m: int, grown: float, billed: dict) -> Iterator[tuple[Pool, str, float]]:
        """Section 7, "The bill": reactive power, riders, the minimum, fractions. `billed`: by pool and category so far."""
        if not self.servers:
            return
        kw, kwh, riders = max(self.kw), cal.sum(self.kw), self.riders(cal, m)
        amount = sum(r.get("per_kw", 0) * kw + r.get("per_month", 0) * self.places for r in riders) * grown
        if "reactive" in self.doc:
            rule, (has, target) = self.doc["reactive"], self.power_factors()
            kvar = max(0.0, math.tan(math.acos(has)) - math.tan(math.acos(target)))
            amount += kvar * (kw * rule.get("per_kvar_month", 0) * grown + kwh * rule.get("per_kvarh", 0))
        minimum = self.doc.get("minimum_bill", {"per_month": -math.inf})  # without one a bill may be negative
        least = minimum.get("per_month", 0) * self.places + minimum.get("per_kw_month", 0) * self.kw_of(minimum)
        so_far = sum(billed.values()) + amount * self.exchange
        amount = amount * self.exchange + max(0.0, least * grown * self.exchange - so_far)
        fraction = sum(r.get("fraction_of_bill", 0) for r in riders)
        parts = {pool.id: part for pool, part in self.by_nameplate()}
        for pool in self.pools:
            more = amount * parts.get(pool.id, 0.0)
            yield pool, "demand_charge", more + fraction * (billed[pool.id, "demand_charge"] + more)
            yield pool, "energy", fraction * billed[pool.id, "energy"]

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
