#!/usr/bin/env python3
"""The second, independent evaluator: a scenario document in, its result document out.

Written from docs/model.md (sections 1 to 8, version 2) and docs/api.md alone, never from the C++, hour by hour and
without weights, so that a disagreement of the two means that one of them misreads the contract. It does not validate:
the scenario must be valid and complete (every reference inline). "Reading:" marks a place where the contract leaves
room and says how this script takes it; README.md lists them.

usage: evaluate.py [--ledger] [FILE...]
       files: one scenario each; without files: NDJSON on stdin. One result a line on stdout.
"""
from __future__ import annotations

import json
import os
import sys
from collections import defaultdict

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from assets import Holdings  # noqa: E402
from bursts import phases_of  # noqa: E402
from commitments import Spend, bill_spend, buys_units, price_of_unit  # noqa: E402
from cheapest import route_by_bill  # noqa: E402
from currencies import with_converted_curves  # noqa: E402
from curves import Calendar  # noqa: E402
from dispatch import Entry, Workload  # noqa: E402
from extra_costs import ExtraCost  # noqa: E402
from finance import Books  # noqa: E402
from ledger import Finance, Ledger  # noqa: E402
from pools import Pool  # noqa: E402
from rented import (device_hour_factors, egress_tiers, factors, part_there, support_cost, unit_factors,  # noqa: E402
                    SUPPORTED)
from results import METERS, Result  # noqa: E402
from sites import Site, same_place  # noqa: E402
from starts import open_starts  # noqa: E402

BILL = ("compute", "usage", "commitment")


class Evaluation:
    """One scenario: routes every hour, fills the ledger, divides it by the work done."""

    def __init__(self, scenario: dict):
        scenario = with_converted_curves(scenario)
        self.scenario, self.months = scenario, scenario["months"]
        self.currency = scenario.get("currency", "USD")
        self.finance = Finance(scenario.get("finance", {}))
        self.cal = Calendar(scenario["start"], self.months, scenario.get("time_zone", "UTC"),
                            phases_of(scenario["workloads"]))
        self.pools = {doc["id"]: Pool(doc, self.exchange_of, self.months) for doc in scenario["pools"]}
        self.places: list[Site] = []  # of owned pools
        self.offer_sites: list[Site] = []
        for pool in self.pools.values():
            pool.live_by(self.cal)
        self.place_pools()
        self.holdings = {p: Holdings(pool, self.months) for p, pool in self.pools.items() if pool.kind == "owned"}
        self.workloads = [Workload(doc, self.pools) for doc in scenario["workloads"]]
        open_starts(self.workloads)
        self.spend = [Spend(doc, self.months) for doc in scenario.get("spend_commitments", [])]
        self.running: dict[str, list[float]] = {}  # instances of cloud pools by hour, of the month at hand
        self.ledger = Ledger()
        self.books = Books(self.ledger, self.finance, self.cal)
        self.of_scenario = self.extra_costs(scenario)
        self.of_pool = {p: self.extra_costs(pool.doc) for p, pool in self.pools.items()}
        self.of_site = {id(s): self.extra_costs(s.doc, s.exchange, s.places) for s in self.places}
        zero = lambda: defaultdict(float)
        # By (month, pool): meters with None where not known, and what is known of them.
        self.meters: dict[str, dict] = {meter: {} for meter in METERS}
        self.known: dict[str, dict] = {meter: {} for meter in METERS}
        self.available, self.reserved, self.busy = zero(), zero(), zero()  # device-hours
        self.hours_reserved, self.hours_busy = defaultdict(dict), defaultdict(dict)  # by workload
        self.units: dict[tuple, dict[str, float]] = defaultdict(dict)  # of API pools, by workload
        self.peak_kw: dict[str, float] = {}
        self.most_racks: dict[str, float] = {}

    @staticmethod
    def extra_costs(doc: dict, exchange: float = 1.0, places: int = 1) -> list[ExtraCost]:
        return [ExtraCost(extra, exchange, places) for extra in doc.get("extra_costs", [])]

    def exchange_of(self, doc: dict) -> float:
        """Section 8. Reading: a document without a currency is in the scenario's."""
        code = doc.get("currency", self.currency)
        return 1.0 if code == self.currency else self.scenario["exchange_rates"][code]

    def place_pools(self) -> None:
        """Section 7, "A site is one place": owned pools by their site's id; an offer's site never joins."""
        owned = [(p, pool.doc["site"]) for p, pool in self.pools.items() if pool.kind == "owned"]
        for group in same_place(owned):
            doc = self.pools[group[0]].doc["site"]
            site = Site(doc, self.exchange_of(doc))
            site.pools = [self.pools[p] for p in group]
            self.places.append(site)
        for pool in self.pools.values():
            if pool.kind == "cloud" and "site" in pool.holder:
                site = Site(pool.holder["site"], self.exchange_of(pool.holder["site"]))
                site.pools = [pool]
                self.offer_sites.append(site)
        for site in self.places + self.offer_sites:
            for pool in site.pools:
                pool.site = site

    def run(self) -> None:
        for m in range(self.months):
            self.open_month(m)
            routed = route_by_bill(self, m)
            for workload in sorted(self.workloads, key=lambda w: w.kind != "inference"):  # inference first
                if workload.kind != "inference" or not routed:
                    workload.route(self.cal, self.finance, m)
            for site in self.places:
                self.close_place(site, m)
            for pool in self.pools.values():
                if pool.kind == "cloud":
                    self.close_cloud(pool, m)
                elif pool.kind == "api":
                    self.close_api(pool, m)
                self.hours_reserved[m, pool.id] = dict(pool.hours_reserved)
                self.hours_busy[m, pool.id] = dict(pool.hours_busy)
                self.units[m, pool.id] = dict(pool.units)
            self.close_spend(m)
            self.close_tiers(m)
            for workload in self.workloads:
                self.pay_for_work(workload, m)
        self.books.tier_owed_hours(list(self.pools.values()))
        self.books.sell_terms(list(self.pools.values()))
        for pool in self.pools.values():
            self.books.write(pool, self.holdings.get(pool.id))
        for plan in self.spend:
            self.books.owe_spend(plan)
        for workload in self.workloads:
            for entry in workload.entries:
                self.port(entry)
        for m in range(self.months):  # after the bills of which they may be fractions
            self.bear_extra_costs(m)
        for m in range(self.months):  # of which some are storage
            self.bear_support(m)

    def open_month(self, m: int) -> None:
        for pool in self.pools.values():
            pool.open_month(self.cal, m)
        for site in self.places + self.offer_sites:
            site.open_month(self.cal, m)

    # -- meters

    def meter(self, m: int, pool: Pool, energy: float | None, carbon: float | None, water: float | None,
              embodied: float = 0.0) -> None:
        """Section 7, "Known or not": a pool's month; None is not known. Embodied carbon is known."""
        key = (m, pool.id)
        self.meters["energy_kwh"][key], self.known["energy_kwh"][key] = energy, energy or 0.0
        self.meters["carbon_kg"][key] = None if carbon is None else carbon + embodied
        self.known["carbon_kg"][key] = (carbon or 0.0) + embodied
        self.meters["water_l"][key] = water
        price = self.known["carbon_kg"][key] / 1000 * self.finance.carbon_price
        self.ledger.bear(m, pool.id, "carbon", price)

    def use(self, m: int, pool: Pool, paid: list[float]) -> None:
        """Device-hours of the month."""
        key = (m, pool.id)
        self.available[key] = self.cal.sum(paid)
        held = self.cal.sum(pool.reserved) - self.cal.sum(pool.absent) + self.cal.sum(pool.gang_devices)
        self.reserved[key] = pool.there * held
        self.busy[key] = pool.there * self.cal.sum(pool.busy)

    def close_place(self, site: Site, m: int) -> None:
        """What an owned pools' site draws, and what standing there costs in month m."""
        site.meter(len(self.cal.hours[m]))
        site.bear_fixed(self.ledger, self.finance, m)
        racks, billed, grown = site.racks(), defaultdict(float), self.finance.growth("demand_charge", m)

        def bear(m: int, pool: str, category: str, amount: float) -> None:
            billed[pool, category] += amount
            self.ledger.bear(m, pool, category, amount)
        for amount, shares in site.demand_charges(self.cal, m):
            for pool, part in shares:
                bear(m, pool.id, "demand_charge", amount * grown * part)
        for pool, amount in site.tiers(self.cal, m):
            bear(m, pool.id, "energy", amount)
        for pool in site.pools:
            self.use(m, pool, pool.paid_devices)
            self.peak_kw[pool.id] = max(self.peak_kw.get(pool.id, 0.0), max(pool.kw))
            bear(m, pool.id, "energy", self.cal.sum(kw * price for kw, price in zip(pool.kw, site.tariff)))
        for pool, category, amount in list(site.rest_of_bill(self.cal, m, grown, billed)):
            bear(m, pool.id, category, amount)
        site.bills.append(sum(billed.values()))
        for pool in site.pools:
            self.run_servers(pool, site, m, racks.get(pool.id))
            grams = self.cal.sum(kw * g for kw, g in zip(pool.kw, site.intensity))
            wue = site.doc.get("water_l_per_kwh")
            known_water, idle = wue is not None, not pool.in_service  # Reading: without a server all are 0, and known
            self.meter(m, pool, self.cal.sum(pool.kw), grams / 1000 if site.carbon_is_known or idle else None,
                       self.cal.sum(pool.it_kw) * (wue or 0.0) if known_water or idle else None,
                       pool.in_service * pool.holder.get("embodied_kg", 0) / pool.life)

    def run_servers(self, pool: Pool, site: Site, m: int, racks: float | None) -> None:
        """Section 8: space, software and maintenance of an owned pool's month."""
        grown = lambda category, amount: self.ledger.bear(m, pool.id, category, amount * self.finance.growth(category, m))
        if racks is not None:  # Reading: the result's `racks` are the pool's share in its largest month
            self.most_racks[pool.id] = max(self.most_racks.get(pool.id, 0.0), racks)
        space = site.price("space_per_kw_month") * pool.nameplate_kw
        grown("facility", space + site.price("space_per_rack_month") * (racks or 0.0))
        software = pool.holder.get("software_per_device_year", 0) * pool.exchange * pool.later_rate(m) / 12
        grown("software", pool.in_service * pool.per_holder * software)
        maintained = self.holdings[pool.id].maintained(m)
        grown("maintenance", maintained * pool.holder.get("maintenance_rate", 0) / 12)

    def close_cloud(self, pool: Pool, m: int) -> None:
        """Section 7, cloud energy: in the price; metered where the offer names a site."""
        n, site = len(self.cal.hours[m]), pool.site
        paid, kwh, it_kwh, grams = [0.0] * n, 0.0, 0.0, 0.0
        if site:
            self.peak_kw.setdefault(pool.id, 0.0)
        for h in range(n):
            paid[h], u, watts = pool.it_watts(h)
            if site and paid[h]:
                kw = watts / 1000 * (site.pue.at(u) if site.pue_by_load else site.hourly_pue[h])
                part = self.cal.lasts(h)
                kwh, it_kwh, grams = kwh + part * kw, it_kwh + part * watts / 1000, grams + part * kw * site.intensity[h]
                self.peak_kw[pool.id] = max(self.peak_kw[pool.id], kw)
        self.use(m, pool, paid)
        self.running[pool.id] = [devices / pool.per_holder for devices in paid]
        self.ledger.bear(m, pool.id, "compute", self.cal.sum(paid) / pool.per_holder * pool.price)
        ran, wue = self.cal.sum(paid) > 0, site.doc.get("water_l_per_kwh") if site else None
        self.meter(m, pool, kwh if site or not ran else None,
                   grams / 1000 if site and site.carbon_is_known or not ran else None,
                   it_kwh * (wue or 0.0) if wue is not None or not ran else None)

    def close_spend(self, m: int) -> None:
        """Section 8, "Spend commitments"."""
        if self.spend:
            off, lost = bill_spend(self.spend, list(self.pools.values()), self.running, self.cal, m)
            for pool, amount in off.items():
                self.ledger.bear(m, pool, "compute", -amount)
            self.ledger.bear(m, None, "commitment", lost)

    def close_tiers(self, m: int) -> None:
        """Section 8, "Tiers, storage and support": what the month's volumes make of list prices, and what pools store."""
        pools, grown = list(self.pools.values()), self.finance.growth("storage", m)
        for pool, factor in device_hour_factors(pools, {p.id: self.available[m, p.id] for p in pools}).items():
            listed = self.available[m, pool] / self.pools[pool].per_holder * self.pools[pool].price
            self.ledger.bear(m, pool, "compute", (factor - 1) * listed)
        self.unit_factors = unit_factors(pools, buys_units)
        sent, tiers = defaultdict(list), {}
        for workload in self.workloads:
            destination = workload.doc.get("egress_destination", "")
            for entry in workload.entries:
                pool = entry.pool
                if pool.kind == "cloud" and pool.exists(m) and pool.holder.get("storage_per_gb_month") and entry.stored_gb:
                    price = pool.holder["storage_per_gb_month"] * pool.exchange * pool.later_rate(m)
                    self.ledger.bear(m, pool.id, "storage", part_there(pool, self.cal, m) * entry.stored_gb * price * grown)
                if pool.kind == "cloud" and pool.holder.get("egress_tiers"):
                    rates = [(above, rate * pool.exchange) for above, rate in egress_tiers(pool.holder, destination)]
                    base = 0 if destination else pool.holder.get("egress_per_gb", 0) * pool.exchange
                    rates = rates if rates and rates[0][0] == 0 else [(0, base), *rates]
                    key = (pool.holder["provider"], destination, str(rates))
                    sent[key].append((id(entry), entry.units[m] * entry.egress_gb))
                    tiers[key] = rates
        self.egress_of_gb = factors(sent, tiers)

    def close_api(self, pool: Pool, m: int) -> None:
        """Section 5, API: energy and carbon are known where the pool states them, or served nothing."""
        if buys_units(pool.doc):
            price = price_of_unit(pool, self.cal, self.finance, m)
            self.ledger.bear(m, pool.id, "compute", pool.doc["provisioned_units"] * price)
        units = sum(pool.units.values())
        wh, grams = pool.doc.get("energy_wh_per_unit"), pool.doc.get("carbon_g_per_unit")
        known = lambda per_unit: units / 1000 * (per_unit or 0.0) if per_unit is not None or units == 0 else None
        self.meter(m, pool, known(wh), known(grams), 0.0 if units == 0 else None)

    # -- the ledger

    def pay_for_work(self, workload: Workload, m: int) -> None:
        """Section 8: usage, egress and unserved."""
        for entry in workload.entries:
            pool, units = entry.pool, entry.units[m]
            if pool.kind == "api":
                factor = self.unit_factors.get(pool.id, 1.0)
                for c, price in entry.class_price(self.cal, self.finance, m).items():
                    amount = units * workload.part(c) * price
                    workload.billed[pool.id, c] += amount  # Reading: at list prices
                    self.ledger.bear(m, pool.id, "usage", factor * amount, workload.id)
                self.ledger.bear(m, pool.id, "usage", factor * units * entry.fee(self.cal, self.finance, m), workload.id)
            elif pool.kind == "cloud" and id(entry) in self.egress_of_gb:
                price = self.egress_of_gb[id(entry)] * self.finance.growth("egress", m)
                self.ledger.bear(m, pool.id, "egress", units * entry.egress_gb * price, workload.id)
            elif pool.kind == "cloud":
                self.ledger.bear(m, pool.id, "egress", units * entry.egress_price(self.finance, m), workload.id)
        price = workload.doc.get("unserved_cost_per_unit", 0)
        self.ledger.bear(m, None, "unserved", workload.unserved[m] * price, workload.id)

    def port(self, entry: Entry) -> None:
        """Section 8, engineering: per entry whose pool has capacity in some month, used or not."""
        if not entry.pool.has_capacity():
            return
        cost, pool, workload = entry.engineer_weeks * self.finance.engineer_week_cost, entry.pool.id, entry.workload.id
        for m in range(self.months):
            self.ledger.cost(m, pool, "engineering", cost / self.months, workload)
        self.ledger.pay(0, "start", pool, "engineering", cost, workload=workload)

    def bear_extra(self, m: int, pool: str | None, extra: ExtraCost, when: str, amount: float) -> None:
        self.ledger.cost(m, pool, extra.category, amount)
        self.ledger.pay(m, when, pool, extra.category, amount)

    def bear_extra_costs(self, m: int) -> None:
        """Section 5, "Extra costs": in months in which the pool or site has servers, or the pool exists."""
        for extra in self.of_scenario:
            for when, amount in extra.amounts(self.finance, m):
                self.bear_extra(m, None, extra, when, amount)
        for p, pool in self.pools.items():
            owned = pool.kind == "owned"
            if not (pool.servers(m)[0] if owned else pool.exists(m)):
                continue
            for extra in self.of_pool[p]:
                for when, amount in extra.amounts(self.finance, m, **self.measures(m, pool)):
                    self.bear_extra(m, p, extra, when, amount)
        for site in self.places:
            servers = {pool: pool.servers(m)[0] for pool in site.pools}
            nameplate = {pool: n * pool.nameplate_w for pool, n in servers.items() if n}
            for extra in self.of_site[id(site)] if nameplate else ():
                for when, amount in extra.amounts(self.finance, m, units=sum(servers.values()),
                                                   later_rate=site.exchange_in(m) / site.first_exchange):
                    for pool, watts in nameplate.items():
                        self.bear_extra(m, pool.id, extra, when, amount * watts / sum(nameplate.values()))

    def bear_support(self, m: int) -> None:
        """Read off the month's bill, without what the horizon's end settles; borne by no pool."""
        for plan in self.scenario.get("support_plans", []):
            self.ledger.bear(m, None, "other", support_cost(plan, self.supported[m], list(self.pools.values())))

    @property
    def supported(self) -> dict[int, dict]:
        if not hasattr(self, "_supported"):
            self._supported = defaultdict(lambda: defaultdict(float))
            for (m, p, category, _, whole), cost in self.ledger.costs.items():
                if category in SUPPORTED and not whole:
                    self._supported[m][p] += cost
        return self._supported

    def measures(self, m: int, pool: Pool) -> dict[str, float]:
        """What a pool's extra cost may be charged on."""
        if pool.kind == "owned":
            return {"units": pool.servers(m)[0], "price": self.holdings[pool.id].price_in_service(m)}
        bill = self.bills[m, pool.id]
        if pool.kind == "api":
            return {"bill": bill}
        return {"units": self.available[m, pool.id] / pool.per_holder / len(self.cal.hours_of(m)), "bill": bill}

    @property
    def bills(self) -> dict[tuple, float]:
        """By (month, pool): compute + usage + commitment cost, without settlements."""
        if not hasattr(self, "_bills"):
            self._bills: dict[tuple, float] = defaultdict(float)
            for (m, p, category, _, whole), cost in self.ledger.costs.items():
                if category in BILL and not whole:
                    self._bills[m, p] += cost
        return self._bills


def evaluate(scenario: dict, ledger: bool = False) -> dict:
    """The result of one scenario document."""
    evaluation = Evaluation(scenario)
    evaluation.run()
    return Result(evaluation).document(ledger)


def main(arguments: list[str]) -> None:
    ledger = "--ledger" in arguments
    files = [a for a in arguments if not a.startswith("--")]
    texts = (open(name, encoding="utf-8").read() for name in files) if files else sys.stdin
    for text in texts:
        if text.strip():
            print(json.dumps(evaluate(json.loads(text), ledger)))


if __name__ == "__main__":
    main(sys.argv[1:])
