"""Section 8 of docs/model.md, from Allocation on: who bears a pool's month, and the result document. No new amounts."""
from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING

from batch_work import is_run
from classes import cost_weights
from commitments import buys_units, price_of_unit
from dispatch import UNITS_PER_MILLION, Workload
from ledger import tax_of_losses
from performance import weakest
from pools import Pool
from price_days import price_origin

if TYPE_CHECKING:
    from evaluate import Evaluation

DIRECT = {"usage", "egress", "engineering", "unserved"}  # borne by the workload that causes them
METERS = ("energy_kwh", "carbon_kg", "water_l")
NOTHING = 1e-12  # a share that rounding leaves is none

Shares = dict[str | None, float]  # by workload; None is nobody: idle, or nobody used it


class Allocation:
    """Section 8, "Allocation": the scenario's rule on the device-hours of a month, or of the whole horizon."""

    def __init__(self, doc: dict):
        self.basis, self.fixed = doc.get("basis", "reserved"), doc.get("shares", {})
        self.apart = doc.get("idle", "spread") == "apart"

    def shares(self, by_workload: dict[str, float], available: float | None) -> Shares:
        """`available` is None where nothing is idle: of an API pool."""
        if self.basis == "fixed":
            return {w: part for w, part in self.fixed.items() if part}
        total = sum(by_workload.values())
        if total <= 0:
            return {None: 1.0}
        whole = available if self.apart and available is not None else total
        parts: Shares = {w: v / whole for w, v in by_workload.items() if v}
        idle = 1 - sum(parts.values())
        return parts | {None: idle} if idle > NOTHING else parts


def ratio(part: float | None, whole: float | None) -> float | None:
    """Nothing served, or nothing known: null, never 0 or infinity."""
    return part / whole if part is not None and whole is not None and whole > 0 else None


def add(values) -> float | None:
    """A sum; null where something in it is not known."""
    values = list(values)
    return None if None in values else math.fsum(values)


def money(rows: dict) -> dict:
    return {"cost": math.fsum(v[0] for v in rows.values()), "cash": math.fsum(v[1] for v in rows.values())}


def by_category(rows: dict) -> dict:
    """Categories without a cent in them are left out."""
    names = sorted({k[3] for k, v in rows.items() if v != [0.0, 0.0]})
    return {name: money({k: v for k, v in rows.items() if k[3] == name}) for name in names}


def lost_to_outages(workload: Workload) -> float:
    """Units that would have been served had nothing failed; of training and batch work none is told apart."""
    if workload.kind != "inference":
        return 0.0
    return math.fsum(workload.unserved[m] - workload.no_room[m] for m in workload.unserved)


class Result:
    """Divides the ledger and the meters by who bears them, and writes the document."""

    def __init__(self, evaluation: Evaluation):
        self.e, self.finance = evaluation, evaluation.finance
        rule, e = Allocation(evaluation.scenario.get("allocation", {})), evaluation
        hours = e.hours_busy if rule.basis == "used" else e.hours_reserved
        self.shares: dict[tuple, Shares] = {}  # by (m, pool), and by (None, pool) over the horizon
        for p, pool in e.pools.items():
            use, paid = defaultdict(float), 0.0
            for m in range(e.months):
                month = e.units[m, p] if pool.kind == "api" else hours[m, p]
                self.shares[m, p] = rule.shares(month, None if pool.kind == "api" else e.available[m, p])
                paid += e.available[m, p]
                for w, v in month.items():
                    use[w] += v
            self.shares[None, p] = rule.shares(use, None if pool.kind == "api" else paid)
        self.rows: dict[tuple, list[float]] = defaultdict(lambda: [0.0, 0.0])  # (m, pool, workload, category)
        self.npv_of: dict[str | None, float] = defaultdict(float)  # of the cash that a workload bears
        self.divide()

    def bearers(self, m: int, pool: str | None, category: str, workload: str | None, whole: bool) -> Shares:
        if category in DIRECT or pool is None:
            return {workload: 1.0}
        return self.shares[None if whole else m, pool]

    def divide(self) -> None:
        for (m, p, category, workload, whole), cost in self.e.ledger.costs.items():
            for w, part in self.bearers(m, p, category, workload, whole).items():
                self.rows[m, p, w, category][0] += cost * part
        for payment in self.e.ledger.payments:
            m, p, category = payment.month, payment.pool, payment.category
            present = payment.amount * self.finance.discount(payment.time())
            for w, part in self.bearers(m, p, category, payment.workload, payment.whole).items():
                self.rows[m, p, w, category][1] += payment.amount * part
                self.npv_of[w] += present * part

    def metered(self, meter: str, pool: str | None = None, month: int | None = None) -> float | None:
        """Energy, carbon or water of a pool, of a month, or of all."""
        return add(v for (m, p), v in self.e.meters[meter].items()
                   if (pool is None or p == pool) and (month is None or m == month))

    def metered_for(self, meter: str, workload: str | None) -> float | None:
        """What a workload (or nobody) bears of it: null where it bears part of a null."""
        parts = ((v, self.shares[key].get(workload, 0.0)) for key, v in self.e.meters[meter].items())
        return add(None if v is None else v * part for v, part in parts if part)

    def document(self, ledger: bool = False) -> dict:
        e, rows = self.e, self.rows
        result = {
            "currency": e.currency, "total": self.total(), "by_category": by_category(rows),
            "by_pool": {p: self.pool(pool) for p, pool in e.pools.items()},
            "by_site": self.by_site(),
            "by_workload": {w.id: self.workload(w) for w in e.workloads},
            "by_month": [self.month(m) for m in range(e.months)],
            "by_tag": self.by_tag(),
            "unallocated_cost": math.fsum(v[0] for k, v in rows.items() if k[2] is None),
            "warnings": [],
        }
        result["infeasible_because"] = self.infeasible_because()
        result["feasible"] = not result["infeasible_because"]
        result["decide_by"] = self.finance.decide_by()
        result["decisive"] = result["total"][result["decide_by"]]
        if ledger:
            result["ledger"] = [dict(month=e.cal.labels[m], pool=p, workload=w, category=c, cost=v[0], cash=v[1])
                                for (m, p, w, c), v in rows.items() if any(v)]
        return result

    def total(self) -> dict:
        """Section 8: NPV, tax, the equivalent annual cost and what the horizon's end is worth."""
        payments, tau = self.e.ledger.payments, self.finance.tax_rate
        worth = [(p, p.amount * self.finance.discount(p.time())) for p in payments]
        npv = math.fsum(present for _, present in worth)
        credits = math.fsum(credit * self.finance.discount(m + 1) for m, credit in self.e.ledger.tax_credits)
        moved, left = tax_of_losses(self.finance, self.e.ledger, self.e.months)
        self.e.books.terminal["tax_loss"] = left
        total = money(self.rows) | {
            "npv": npv, "equivalent_annual_cost": self.finance.equivalent_annual_cost(npv, self.e.months),
            "npv_after_tax": math.fsum(v if p.capital else v * (1 - tau) for p, v in worth) - credits + moved,
            "terminal": dict(self.e.books.terminal)}
        if self.e.books.has_loan:
            total["npv_before_financing"] = math.fsum(v for p, v in worth if p.category != "financing")
        total |= {meter: self.metered(meter) for meter in METERS}
        return total | {f"{meter}_at_least": math.fsum(self.e.known[meter].values()) for meter in METERS[:2]}

    def pool(self, pool: Pool) -> dict:
        e, mine = self.e, {k: v for k, v in self.rows.items() if k[1] == pool.id}
        hours = lambda by: math.fsum(v for (_, p), v in by.items() if p == pool.id)
        available, reserved, busy = hours(e.available), hours(e.reserved), hours(e.busy)
        result = money(mine) | {meter: self.metered(meter, pool=pool.id) for meter in METERS[:2]} | {
            "available_device_hours": available, "reserved_device_hours": reserved, "busy_device_hours": busy,
            "utilization_fraction": ratio(busy, available),
            "cost_per_reserved_device_hour": ratio(money(mine)["cost"], reserved),
            "idle_cost": math.fsum(v[0] for k, v in mine.items() if k[2] is None),
            "obligation": e.books.obligation[pool.id], "lease_liability": e.books.lease_liability[pool.id],
            "peak_kw": e.peak_kw.get(pool.id), "by_category": by_category(mine)} | price_origin(pool.stated, e.cal.labels[0])
        if pool.kind == "api" and buys_units(pool.doc):
            result |= self.units_bought(pool)
        if pool.kind == "owned":
            result["racks"] = e.most_racks.get(pool.id)
        return result

    def units_bought(self, pool: Pool) -> dict:
        """Section 5, "Provisioned throughput": what is used of the units, and from which use on they cost less than tokens."""
        e = self.e
        hours = {m: len(e.cal.hours_of(m)) * 3600 for m in range(e.months)}
        most = {m: pool.doc["provisioned_units"] * pool.unit_serves * hours[m] for m in hours}
        served = math.fsum(sum(e.units[m, pool.id].values()) for m in hours)
        paid = math.fsum(pool.doc["provisioned_units"] * price_of_unit(pool, e.cal, e.finance, m) for m in hours)
        tokens = [entry for w in e.workloads for entry in w.entries if entry.pool is pool]
        listed = math.fsum(most[m] * tokens[0].listed_price(e.cal, e.finance, m) for m in hours) if tokens else 0.0
        return {"unit_utilization": ratio(served, math.fsum(most.values())), "break_even_utilization": ratio(paid, listed)}

    def by_site(self) -> dict:
        """Of owned pools' sites that have an id. Reading: cost and carbon are all of the pools there, embodied included."""
        result = {}
        for site in self.e.places:
            if site.id is not None:
                pools = [pool.id for pool in site.pools]
                result[site.id] = {"cost": money({k: v for k, v in self.rows.items() if k[1] in pools})["cost"],
                                   "peak_kw": site.peak_kw, "bill_by_month": site.bills}
                result[site.id] |= {meter: add(self.metered(meter, pool=p) for p in pools) for meter in METERS}
        return result

    def month(self, m: int) -> dict:
        mine = {k: v for k, v in self.rows.items() if k[0] == m}
        return {"month": self.e.cal.labels[m]} | money(mine) | {
            meter: self.metered(meter, month=m) for meter in METERS[:2]} | {
            "by_category": by_category(mine),
            "by_pool": {p: money({k: v for k, v in mine.items() if k[1] == p}) for p in self.e.pools}}

    def borne(self, workload: str | None) -> dict:
        """What a workload, or nobody, bears."""
        mine = money({k: v for k, v in self.rows.items() if k[2] == workload})
        return mine | {meter: self.metered_for(meter, workload) for meter in METERS[:2]}

    def by_tag(self) -> dict:
        """Section 8: workloads summed by the value of each key; the values of a key add up to the total."""
        tags = {w.id: w.doc.get("tags", {}) for w in self.e.workloads}
        borne, result = {w: self.borne(w) for w in [*tags, None]}, {}
        for key in sorted({key for of in tags.values() for key in of}):
            members: dict[str, list] = {}
            for w, of in tags.items():
                members.setdefault(of.get(key, "(untagged)"), []).append(w)
            members["(idle)"] = [None]
            result[key] = {value: {name: add(borne[w][name] for w in of) for name in borne[None]}
                           for value, of in members.items()}
        return result

    def workload(self, workload: Workload) -> dict:
        """Section 8, unit costs: each null where nothing was served, the counts too."""
        borne = self.borne(workload.id)
        cost, npv = borne["cost"], self.npv_of[workload.id]
        by_month = {m: sum(e.units[m] for e in workload.answering) for m in range(self.e.months)}
        served = math.fsum(by_month.values())
        worth = math.fsum(units * self.finance.discount(m + 1) for m, units in by_month.items())
        used = [e for e in workload.entries if sum(e.units.values()) > 0]
        has_served = any(e in workload.answering for e in used)
        bases = [e.evidence for e in used if e.evidence is not None]
        energy, carbon = borne["energy_kwh"], borne["carbon_kg"]
        water = self.metered_for("water_l", workload.id)
        result = {
            "kind": workload.kind, "cost": cost, "cash": borne["cash"], "npv": npv,
            "units_demanded": math.fsum(workload.demanded.values()), "units_served": served,
            "units_unserved": math.fsum(workload.unserved.values()),
            "units_lost_to_outages": lost_to_outages(workload),
            "energy_kwh": energy, "carbon_kg": carbon,
            "units_per_kwh": ratio(served if has_served else None, energy),
            "carbon_g_per_unit": ratio(None if carbon is None else carbon * 1000, served),
            "water_l_per_million_units": ratio(None if water is None else water * UNITS_PER_MILLION, served),
            "cost_per_million_units": ratio(cost * UNITS_PER_MILLION, served),
            "levelized_cost_per_million_units": ratio(npv * UNITS_PER_MILLION, worth),
            "cost_by_class": self.by_class(workload, served),
            "batch": {e.pool.id: e.batch for e in workload.entries if e.batch is not None},
            "backlog": [workload.backlog[m] for m in range(self.e.months)] if workload.backlog else None,
            "evidence": weakest(bases) if bases else None}
        if workload.classes:  # for a version more, read from cost_by_class
            for name in ("input", "output"):
                of_class = result["cost_by_class"].get(name, {})
                result[f"cost_per_million_{name}_units"] = of_class.get("cost_per_million")
        if workload.kind != "training":
            result["requests_served"] = served / workload.units_per_request if has_served else None
            result["cost_per_inference"] = ratio(cost * workload.units_per_request, served)
        else:
            epoch = workload.doc["units_per_epoch"]
            result["epochs_done"] = served / epoch if used else None
            result["cost_per_epoch"] = ratio(cost * epoch, served)
            if is_run(workload):
                ended = math.fsum(workload.unserved.values()) <= 1e-9 * result["units_demanded"]
                result["days"] = math.fsum(workload.run_days.values()) if ended else None
            result["hours_per_epoch"] = {e.pool.id: epoch / (e.rate * 3600) for e in used} or None
        return result

    def by_class(self, workload: Workload, served: float) -> dict | None:
        """Section 4, "Unit classes": an API pool's as its usage was billed, all else by units × cost_weights.
        Reading: where nothing was served every class has 0 units and is absent, whatever the workload bears."""
        if not workload.classes:
            return None
        units = {c: served * workload.part(c) for c in workload.classes}
        weights = cost_weights(workload.doc)
        weighed = {c: u * weights.get(c, 0) for c, u in units.items()}
        cost: dict[str, float] = defaultdict(float)
        for p in [*self.e.pools, None]:
            mine = math.fsum(v[0] for k, v in self.rows.items() if k[1] == p and k[2] == workload.id)
            is_api = p is not None and self.e.pools[p].kind == "api"
            split = {c: workload.billed[p, c] for c in units} if is_api else weighed
            split = split if sum(split.values()) > 0 else units
            whole = sum(split.values())
            for c, part in split.items() if whole > 0 else ():
                cost[c] += mine * part / whole
        return {c: {"cost": cost[c], "units": u, "cost_per_million": ratio(cost[c] * UNITS_PER_MILLION, u)}
                for c, u in units.items() if u > 0}

    def infeasible_because(self) -> list[dict]:
        """Section 6, "Feasible": one entry each, the largest value."""
        found = []
        for w in self.e.workloads:
            limit, demanded = w.doc.get("max_unserved_fraction", 0), math.fsum(w.demanded.values())
            lost = lost_to_outages(w)
            undone = (math.fsum(w.unserved.values()) - lost) / demanded if demanded > 0 else 0.0
            if undone > limit + 1e-9 and not w.doc.get("unserved_cost_per_unit", 0) > 0:
                found.append({"workload": w.id, "code": "unserved", "value": undone, "limit": limit})
            days, within = math.fsum(w.run_days.values()), w.doc.get("within_days", math.inf)
            if days > within * (1 + 1e-9):
                found.append({"workload": w.id, "code": "deadline", "value": days, "limit": within})
            horizon = sum(self.e.cal.sum([1] * len(self.e.cal.hours[m])) for m in range(self.e.cal.months))
            late, limit = min(w.hours_until_done, horizon), w.doc.get("deadline_hours", math.inf)
            if late > limit:
                found.append({"workload": w.id, "code": "deadline", "value": late, "limit": limit})
            part, allowed = lost / demanded if demanded > 0 else 0.0, 1 - w.doc.get("availability", 0)
            if part > allowed + 1e-9:
                found.append({"workload": w.id, "code": "availability", "value": part, "limit": allowed})
        for site in self.e.places:
            limit = site.doc.get("max_kw", math.inf)
            if site.peak_kw > limit * (1 + 1e-9):
                found.append({"site": site.id, "code": "over_power", "value": site.peak_kw, "limit": limit})
        return found
