"""Random valid scenarios of version 2 of the model: those of random_scenarios.py with the new fields drawn into them.

Used through `random_scenarios.py --version2` and `compare.py --version2`. Only valid documents: terms within lives, shares
that add up to 1, tiers ascending, one content a site id, whole terms.
"""
from __future__ import annotations

import copy
import math
import random
from typing import Any

import random_scenarios
from random_bills import draw_bill

EXTRA_CATEGORIES = ["facility", "maintenance", "software", "staff", "network", "storage", "other"]
GROWING = [*EXTRA_CATEGORIES, "demand_charge", "usage", "egress"]
FIGURES = ["cost", "cash", "npv", "npv_after_tax", "energy_kwh", "carbon_kg"]
INPUTS, OUTPUTS = ("input", "cached_input", "cache_write"), ("output", "reasoning")


class Scenario(random_scenarios.Scenario):
    """Draws one scenario of version 2; `all_classes` adds the classes of units beside input and output, and cost weights."""

    LENGTHS = [50, 42, 8]

    def __init__(self, seed: int, index: int, all_classes: bool = False):
        super().__init__(seed, index)
        self.rng = random.Random(f"version 2:{seed}:{index}")
        self.all_classes = all_classes
        document = self.document
        self.twin(document)
        for site in self.sites(document):
            self.draw_site(site, document)
        for pool in document["pools"]:
            {"cloud": self.draw_cloud, "owned": self.draw_owned, "api": self.draw_api}[pool["kind"]](pool)
            self.optional(pool, 0.2, tags=lambda: self.tags())
            self.optional(pool, 0.3, extra_costs=lambda: self.extra_costs(pool["kind"]))
        for workload in document["workloads"]:
            self.draw_workload(workload, document)
        document["finance"] = self.draw_finance(document.get("finance", {}))
        self.optional(document, 0.5, allocation=lambda: self.allocation(document))
        self.optional(document, 0.25, extra_costs=lambda: self.extra_costs("scenario"), tags=lambda: self.tags())
        document["pools"], document["workloads"] = copy.deepcopy(document["pools"]), copy.deepcopy(document["workloads"])

    @staticmethod
    def sites(document: dict) -> list[dict]:
        """The sites of owned pools, each object once."""
        found = {id(pool["site"]): pool["site"] for pool in document["pools"] if pool["kind"] == "owned"}
        return list(found.values())

    def twin(self, document: dict) -> None:
        """Sometimes a second owned pool stands at the first one's site, sometimes with the same server."""
        owned = [pool for pool in document["pools"] if pool["kind"] == "owned"]
        for pool in owned[1:]:
            fits = pool["server"].get("rack_units") is not None or "space_per_rack_month" not in owned[0]["site"]
            if self.flip(0.5) and fits:
                pool["site"] = owned[0]["site"]
            same_device = pool["server"]["device"] is owned[0]["server"]["device"]
            if self.flip(0.4) and same_device and pool["server"]["devices"] == owned[0]["server"]["devices"]:
                pool["server"] = owned[0]["server"]
                if "ramp_months" in pool:
                    pool["ramp_months"] = min(pool["ramp_months"], max(1, pool["server"]["life_months"] - 1))
        for site in self.sites(document):
            plates = [s.get("host_max_w", 0) + s["devices"] * s["device"]["tdp_w"] for s in
                      (pool["server"] for pool in owned if pool["site"] is site)]
            if site.get("rack_kw", math.inf) * 1000 < max(plates):
                site["rack_kw"] = float(f"{max(plates) / 1000 * self.num(1.01, 5):.5g}")

    # ---- sites

    def index(self) -> dict:
        return self.dated("index", 0.3, 2)

    def window(self) -> dict:
        """0 or 1 at every whole hour of the week."""
        xs = sorted(self.rng.sample(range(168), self.rng.choice([1, 2, 2, 4, 10])))
        first = self.rng.choice([0, 1, 1])
        return {"kind": "demand", "axis": "hour_of_week", "interpolation": "step",
                "points": [[x, (i + first) % 2] for i, x in enumerate(xs)]}

    def months_of_year(self) -> list[int]:
        return sorted(self.rng.sample(range(1, 13), self.rng.choice([3, 6, 9, 11])))

    def demand_charge(self) -> dict:
        charge: dict = {"per_kw_month": self.num(1, 25)}
        self.optional(charge, 0.5, hours=self.window, ratchet_fraction=lambda: self.num(0.2, 1))
        self.optional(charge, 0.3, months=self.months_of_year)
        if "ratchet_fraction" in charge:
            self.optional(charge, 0.5, ratchet_months=lambda: self.rng.choice([1, 2, 3, 11, 12]),
                          ratchet_peak_months=self.months_of_year)
        return charge

    def draw_site(self, site: dict, document: dict) -> None:
        pools = [pool for pool in document["pools"] if pool.get("site") is site]
        if self.flip(0.7):
            site["id"] = f"site-{pools[0]['id']}"
        if self.flip(0.5):
            site.pop("demand_charge_per_kw_month", None)
            site["demand_charges"] = [self.demand_charge() for _ in range(self.rng.randint(1, 3))]
        kw = sum(purchase["servers"] for pool in pools for purchase in pool["purchases"]) * 2 + 1
        if self.flip(0.35):
            above = sorted({self.num(0, 730 * kw) for _ in range(self.rng.randint(1, 3))})
            counted = self.rng.choice([("above_kwh_month", 1), ("above_kwh_day", 1 / 30), ("above_kwh_per_kw", 1 / kw)])
            site["energy_tiers"] = [{counted[0]: x * counted[1], "add_per_kwh": self.num(-0.03, 0.1)} for x in above]
        draw_bill(self, site, self.months)
        self.optional(site, 0.3, energy_price_index=self.index, water_l_per_kwh=lambda: self.num(0, 2.5))
        if "carbon_g_per_kwh" in site:
            self.optional(site, 0.3, carbon_index=self.index)
        self.optional(site, 0.3, max_kw=lambda: self.num(0.1 * kw, 3 * kw), places=lambda: self.rng.choice([1, 2, 5, 40]),
                      extra_costs=lambda: self.extra_costs("site"))

    # ---- extra costs, tags

    def extra_costs(self, of: str) -> list[dict]:
        return [self.extra_cost(of) for _ in range(self.rng.randint(1, 3))]

    def extra_cost(self, of: str) -> dict:
        """Only what a holder of this kind may be charged on."""
        sign = self.rng.choice([1, 1, 1, -1])
        amounts = {"per_month": sign * self.num(10, 3000), "once": sign * self.num(100, 20000),
                   "per_unit_month": sign * self.num(1, 200), "fraction_of_bill": self.num(-0.05, 0.1),
                   "per_year_of_price": self.num(0.001, 0.03)}
        known = ["per_month", "once"]
        known += {"cloud": ["per_unit_month", "fraction_of_bill"], "api": ["fraction_of_bill"], "scenario": [],
                  "owned": ["per_unit_month", "per_year_of_price"], "site": ["per_unit_month"]}[of]
        chosen = self.rng.sample(known, self.rng.randint(1, len(known)))
        extra: dict = {"name": "drawn", **{name: amounts[name] for name in chosen}}
        self.optional(extra, 0.7, category=self.rng.choice(EXTRA_CATEGORIES))
        self.optional(extra, 0.35, from_month=self.rng.randint(0, self.months), months=self.rng.randint(1, 6),
                      growth_rate=self.num(-0.1, 0.15))
        return extra

    def tags(self) -> dict:
        tags: dict = {}
        self.optional(tags, 0.6, team=self.rng.choice(["red", "blue"]), stage=self.rng.choice(["prod", "test"]))
        return tags or {"team": "red"}

    # ---- pools

    def draw_cloud(self, pool: dict) -> None:
        offer = pool["offer"]
        purchase, term = offer["purchase"], offer.get("term_months")
        if purchase == "committed" and "upfront" not in offer and self.flip(0.3):
            del offer["term_months"]  # committed without a term
            term = None
        self.optional(pool, 0.3, discount_fraction=self.num(0.01, 0.5))
        if purchase in ("on_demand", "spot") and self.flip(0.05):
            pool |= {"min_instances": 0, "max_instances": 0}
        if self.flip(0.3):
            offer["host_max_w"] = self.num(300, 1500)
            self.optional(offer, 0.7, host_idle_w=self.num(50, 300))
        if "site" in offer:
            self.optional(offer["site"], 0.4, water_l_per_kwh=self.num(0, 2.5), energy_price_index=self.index)
        lowest = 0
        if purchase in ("reserved", "committed", "dedicated"):
            term = 1 if purchase == "dedicated" else term
            lowest = -term if term else 0
        if self.flip(0.5):
            pool["from_month"] = self.rng.randint(lowest, self.months - 1)
        first = pool.get("from_month", 0)
        if self.flip(0.4) and (term or purchase in ("on_demand", "spot")):
            step = 1 if purchase in ("on_demand", "spot") else term
            least = -first // step + 1 if first < 0 else 1  # it exists in some month of the horizon
            pool["months"] = step * self.rng.randint(least, least + 2)

    def draw_api(self, pool: dict) -> None:
        self.optional(pool, 0.4, discount_fraction=self.num(0.01, 0.5), energy_wh_per_unit=self.log_num(1e-4, 1),
                      carbon_g_per_unit=self.log_num(1e-5, 0.1))

    def loan(self, life: int) -> dict:
        loan: dict = {"fraction": self.rng.choice([1, 0.5, self.num(0.1, 1)]), "term_months": self.rng.randint(1, life),
                      "rate": self.rng.choice([0, self.num(0.01, 0.2), self.num(0.01, 0.2)]),
                      "kind": self.rng.choice(["annuity", "linear", "bullet"])}
        return loan

    def lease(self, life: int, price: float) -> dict:
        lease: dict = {"payment_per_server_month": float(f"{price * self.num(0.01, 0.05):.5g}"),
                       "term_months": self.rng.choice([life, self.rng.randint(1, life), self.rng.randint(1, life)])}
        self.optional(lease, 0.5, in_advance=self.flip(), upfront_per_server=float(f"{price * self.num(0.01, 0.2):.5g}"),
                      at_end=self.rng.choice(["return", "renew", "renew"]))
        if lease["term_months"] < life and self.flip(0.5):
            lease |= {"at_end": "buy", "buyout_per_server": float(f"{price * self.num(0, 0.4):.5g}")}
        return lease

    def draw_owned(self, pool: dict) -> None:
        life = pool["server"]["life_months"]
        debt = self.rng.choice(["none", "none", "loans", "leases", "pool", "both"])
        self.optional(pool["server"], 0.2, spares_fraction=self.num(0, 0.3))
        if "failures_per_hour" in pool["server"] and self.flip(0.7):
            self.draw_ages(pool["server"], life)
        if debt == "pool":
            pool["loan"] = self.loan(life)
        for purchase in pool["purchases"]:
            if self.flip(0.05):
                purchase["servers"] = 0
            if debt in ("leases", "both") and self.flip(0.7):
                purchase.pop("price", None)
                purchase["lease"] = self.lease(life, pool["server"]["price"])
                if purchase["month"] < -life:  # else it would mostly have left long ago
                    purchase["month"] = -self.rng.randint(0, life)
            elif debt in ("loans", "both", "pool") and self.flip(0.5):
                purchase["loan"] = self.loan(life)
            if "lease" not in purchase:
                self.optional(purchase, 0.25, lead_months=self.rng.randint(0, 8), paid_at_order_fraction=self.num(0, 1))

    def draw_ages(self, server: dict, life: int) -> None:
        """Failures by age, once a server."""
        if {"failure_shape", "failure_factor"} & server.keys():
            return
        if self.flip():
            server["failure_shape"] = self.num(0.3, 4)
        else:
            ages = sorted(self.rng.sample(range(life + 12), min(life, self.rng.randint(1, 5))))
            server["failure_factor"] = self.points("index", "age_months", ages, [self.num(0, 3) for _ in ages], ["linear", "step"])

    # ---- workloads, finance, allocation

    def draw_workload(self, workload: dict, document: dict) -> None:
        self.optional(workload, 0.4, tags=self.tags, max_unserved_fraction=self.num(0, 1))
        if isinstance(workload.get("units_per_request"), dict):
            self.draw_classes(workload, document)

    def draw_classes(self, workload: dict, document: dict) -> None:
        """More classes: reasoning anywhere; cached input and cache writes where no device computes them (all weights are 1)."""
        units = workload["units_per_request"]
        used = {entry["pool"] for entry in workload["runs_on"]}
        pools = [pool for pool in document["pools"] if pool["id"] in used]
        if self.all_classes:
            self.optional(units, 0.4, reasoning=self.num(1, 1000))
            if all(pool["kind"] == "api" for pool in pools):
                self.optional(units, 0.6, cached_input=self.num(1, 3000), cache_write=self.num(1, 300))
            if self.flip(0.2):
                workload["cost_weights"] = {c: self.num(0, 5) for c in units if self.flip(0.7)}
        for pool in pools if self.all_classes else ():
            price = pool.get("price_per_million_units")
            if isinstance(price, dict) and "input" in price:
                for name in (*INPUTS, *OUTPUTS):
                    if name not in price and self.flip(0.4):
                        price[name] = self.monthly("price", 0.01, 20)

    def draw_finance(self, finance: dict) -> dict:
        self.optional(finance, 0.4, at_end=self.rng.choice(["exit", "continue", "continue"]),
                      inflation_rate=self.num(-0.02, 0.08))
        self.optional(finance, 0.3, decide_by=self.rng.choice(FIGURES), bonus_depreciation_fraction=self.num(0, 1),
                      growth_rates=lambda: {c: self.num(-0.05, 0.1) for c in self.rng.sample(GROWING, 3)})
        if self.flip(0.4):
            method = self.rng.choice(["macrs_3", "macrs_7", "table"])
            finance.pop("tax_depreciation_rate", None)
            finance["tax_depreciation"] = method
            if method == "table":
                finance["tax_depreciation_table"] = self.parts(self.rng.randint(1, 5))
        if finance.get("tax_rate", 0) > 0:
            self.optional(finance, 0.3, investment_credit_fraction=self.num(0, 0.4))
            self.optional(finance, 0.4, taxable_income_per_year=self.log_num(1, 1e6))
            if "taxable_income_per_year" in finance:
                self.optional(finance, 0.5, loss_offset_fraction=self.rng.choice([0, 0.8, self.num(0, 1)]))
        return finance

    def parts(self, count: int) -> list[float]:
        """Fractions that add up to 1: the last one is the rest."""
        cuts = sorted(round(self.rng.random(), 4) for _ in range(count - 1))
        parts = [round(b - a, 6) for a, b in zip([0, *cuts], cuts)]
        return [*parts, round(1 - math.fsum(parts), 6)]

    def allocation(self, document: dict) -> dict:
        rule: dict = {"basis": self.rng.choice(["reserved", "used", "used", "fixed"])}
        if rule["basis"] == "fixed":
            workloads = [workload["id"] for workload in document["workloads"]]
            named = self.rng.sample(workloads, self.rng.randint(1, len(workloads)))
            rule["shares"] = dict(zip(named, self.parts(len(named))))
        else:
            self.optional(rule, 0.7, idle=self.rng.choice(["apart", "apart", "spread"]))
            if rule["basis"] == "reserved" and self.flip(0.3):
                del rule["basis"]
        return rule


def version_2(count: int, seed: int, all_classes: bool = False) -> Any:
    for index in range(count):
        yield Scenario(seed, index, all_classes).document
