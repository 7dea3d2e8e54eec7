"""Section 6 of docs/model.md, "The cheapest": inference of each hour is routed in three ways, and of the ways that leave the least
work undone the one with the lowest bill is taken. Until then pools are as if nothing ran in the hour."""
from __future__ import annotations

import math

from bursts import factors_of
from curves import ceil_forgiving, floor_forgiving
from outages import NOTHING
from parts import Routed, Share, by_share, has_shares, in_order, in_parts

EQUAL = 1e-9
WAYS = ("list", "marginal", "chunks")
SAVED = ("reserved", "busy", "taken", "standby", "stands_in", "started", "absent")


def is_cheaper(a: float, b: float) -> bool:
    return b - a > EQUAL * max(abs(a), abs(b))


def has_choice(workload) -> bool:
    return workload.kind == "inference" and workload.doc.get("routing") == "cheapest" and len(workload.entries) > 1


class Plan:
    """Chunks of a workload's hour: units by entry."""

    def __init__(self, shares: list[Share], base: list[float], h: int):
        self.shares, self.base = shares, base
        self.units, self.replicas = [0.0] * len(shares), [0] * len(shares)
        pools = {id(s.pool): s.pool for s in shares}
        self.free = {key: pool.bound - pool.taken[h] if pool.kind == "api" else pool.devices_at(h) - pool.reserved[h]
                     for key, pool in pools.items()}

    def chunk(self, k: int, left: float, nothing: float) -> tuple[float, float] | None:
        """Units of entry k's next chunk, and what one costs."""
        share, base = self.shares[k], self.base[k]
        pool, free = share.pool, self.free[id(share.pool)]
        if pool.kind == "api":
            return (min(left, free), base) if free > nothing else None
        held = share.entry.held
        fits = lambda devices: max(0, floor_forgiving(devices / held))
        rest = max(0.0, self.replicas[k] * share.capacity - self.units[k])
        if not pool.follows_demand:
            room = rest + fits(free) * share.capacity
            return (min(left, room), base) if room > nothing else None
        taken = pool.free_devices - free
        running = max(pool.always_on, ceil_forgiving(taken / pool.per_holder))
        idle = min(free, running * pool.per_holder - taken)
        room = rest + fits(idle) * share.capacity
        if room > nothing:
            return min(left, room), base
        further = 1
        while fits(idle + further * pool.per_holder) < 1:
            further += 1
        if running + further > pool.instances:
            return None
        units = min(left, fits(idle + further * pool.per_holder) * share.capacity)
        return units, base + further * pool.price / (units * 3600)

    def take(self, k: int, units: float) -> None:
        share = self.shares[k]
        self.units[k] += units
        if share.pool.kind == "api":
            self.free[id(share.pool)] -= units
            return
        replicas = max(self.replicas[k], ceil_forgiving(self.units[k] / share.capacity))
        self.free[id(share.pool)] -= (replicas - self.replicas[k]) * share.entry.held
        self.replicas[k] = replicas

    def make(self, demand: float) -> float:
        """Chunk after chunk; what has no room is returned."""
        left, nothing = demand, NOTHING * demand
        while left > nothing:
            chunks = {k: c for k in range(len(self.shares)) if (c := self.chunk(k, left, nothing))}
            if not chunks:
                return left
            least = min(price for _, price in chunks.values())
            k = next(k for k, (_, price) in chunks.items() if not is_cheaper(least, price))
            self.take(k, chunks[k][0])
            left -= chunks[k][0]
        return 0.0


class Hours:
    """A month of all inference."""

    def __init__(self, evaluation, m: int):
        self.evaluation, self.m, self.cal = evaluation, m, evaluation.cal
        cal, finance = evaluation.cal, evaluation.finance
        self.workloads = [w for w in evaluation.workloads if w.kind == "inference"]
        self.demand = [w.hourly_demand(cal, m) for w in self.workloads]
        self.marginal = [list(zip(*(e.marginal_costs(cal, finance, m) for e in w.entries))) for w in self.workloads]
        self.base = [list(zip(*(e.marginal_costs(cal, finance, m, rent=0.0) for e in w.entries))) for w in self.workloads]
        self.at_burst = [list(zip(*(e.marginal_costs(cal, finance, m, max(factors_of(w.demand, cal.phases))) for e in w.entries)))
                         for w in self.workloads]
        entries = {id(e): e for w in self.workloads for e in w.entries}
        self.unit_prices = {key: 3600 * (e.unit_price(cal, finance, m) if e.pool.kind == "api" else e.egress_price(finance, m))
                            for key, e in entries.items()}

    def state(self, hour: range) -> list:
        return [[getattr(pool, name)[h] for name in SAVED for h in hour] for pool in self.evaluation.pools.values()]

    def restore(self, hour: range, state: list) -> None:
        for pool, values in zip(self.evaluation.pools.values(), state):
            for (name, h), value in zip(((name, h) for name in SAVED for h in hour), values):
                getattr(pool, name)[h] = value

    def route(self, way: str, hour: range) -> list[list[Routed]]:
        """By workload and phase."""
        from dispatch import cheapest_first
        done = []
        for workload, demand, marginal, base, at_burst in zip(self.workloads, self.demand, self.marginal, self.base,
                                                              self.at_burst):
            phases = [Routed(workload, self.m, h, demand[h]) for h in hour]
            if has_shares(workload):
                by_share(phases)
            elif way == "list" or not has_choice(workload):
                in_order(phases, range(len(workload.entries)))
            elif way == "marginal":
                in_order(phases, cheapest_first(marginal[hour[0]]))
            elif len(hour) > 1:
                in_order(phases, cheapest_first(at_burst[hour[0]]))
            else:
                plan = Plan(phases[0].shares, base[hour[0]], hour[0])
                unplanned = plan.make(phases[0].demand)
                in_parts(phases, [[units] for units in plan.units], unplanned)
            done.append(phases)
        return done

    def undone(self, phases: list[Routed], hour: range) -> float:
        demand, left = (math.fsum(self.cal.lasts(h) * getattr(routed, what) for h, routed in zip(hour, phases))
                        for what in ("demand", "left"))
        return left / demand if demand > 0 else 0.0

    def bill(self, routed: list[Routed], h: int) -> float:
        """Instances, usage, egress, energy of owned sites without tiers and demand charges, carbon of what is known."""
        evaluation, per_g, bill = self.evaluation, self.evaluation.finance.carbon_price / 1e6, 0.0
        for work in routed:
            for share in work.shares:
                bill += share.served * self.unit_prices[id(share.entry)]
                if share.pool.kind == "api":
                    bill += share.served * 3600 * share.pool.doc.get("carbon_g_per_unit", 0) * per_g
        for site in evaluation.places:
            if any(pool.serves for pool in site.pools):
                watts = sum(pool.it_watts(h)[2] for pool in site.pools)
                nameplate_w = sum(pool.nameplate_kw for pool in site.pools) * 1000
                load = watts / nameplate_w if nameplate_w else 0.0
                kwh = watts / 1000 * (site.pue.at(load) if site.pue_by_load else site.hourly_pue[h])
                bill += kwh * (site.tariff[h] + (site.intensity[h] * per_g if site.carbon_is_known else 0.0))
        for pool in evaluation.pools.values():
            if pool.kind == "cloud" and pool.serves:
                bill += pool.there * pool.running_instances(h) * pool.price
                if pool.site and pool.site.carbon_is_known:
                    _, u, watts = pool.it_watts(h)
                    pue = pool.site.pue.at(u) if pool.site.pue_by_load else pool.site.hourly_pue[h]
                    bill += watts / 1000 * pue * pool.site.intensity[h] * per_g
        return bill

    def choose(self, hour: range) -> list[list[Routed]]:
        """Leaves the pools as the routing that is kept has them. In the place of chunks, where the hour has phases: marginal costs
        at the use that bursts have of instances."""
        before, found = self.state(hour), []
        for way in WAYS:
            routed = self.route(way, hour)
            bill = math.fsum(self.cal.lasts(h) * self.bill([phases[k] for phases in routed], h) for k, h in enumerate(hour))
            found.append((math.fsum(self.undone(phases, hour) for phases in routed), bill, routed, self.state(hour)))
            self.restore(hour, before)
        least_undone = min(undone for undone, *_ in found)
        kept = [way for way in found if way[0] <= least_undone + EQUAL]
        least = min(bill for _, bill, *_ in kept)
        _, _, routed, state = next(way for way in kept if not is_cheaper(least, way[1]))
        self.restore(hour, state)
        return routed

    def run(self) -> None:
        moments, phases = len(self.cal.hours[self.m]), len(self.cal.phases)
        for first in range(0, moments, phases):
            hour = range(first, first + phases)
            for routed in self.choose(hour):
                for h, work in zip(hour, routed):
                    work.book(self.cal.lasts(h))


def route_by_bill(evaluation, m: int) -> bool:
    """Routes all inference of month m by the bill where a workload has a choice; whether it did."""
    if not any(has_choice(workload) for workload in evaluation.workloads):
        return False
    Hours(evaluation, m).run()
    return True
