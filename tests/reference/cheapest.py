"""Section 6 of docs/model.md, "The cheapest": three routings of all inference in each hour, and the least bill of those that
leave the least undone. Pools are left as if nothing ran, until the hour's routing is known."""
from __future__ import annotations

import math

from curves import ceil_forgiving, floor_forgiving
from outages import NOTHING, expected

EQUAL = 1e-9
WAYS = ("list", "marginal", "chunks")
SAVED = ("reserved", "busy", "taken")


def is_cheaper(a: float, b: float) -> bool:
    return b - a > EQUAL * max(abs(a), abs(b))


def has_choice(workload) -> bool:
    return workload.kind == "inference" and workload.doc.get("routing") == "cheapest" and len(workload.entries) > 1


class Share:
    """What one entry is asked for in an hour, and does."""

    def __init__(self, entry, m: int, h: int):
        self.entry, self.m, self.h, self.pool = entry, m, h, entry.pool
        self.asked = self.served = self.room = self.left = 0.0
        self.replicas = 0
        if self.pool.kind != "api":
            self.capacity = entry.rate_in(m) * entry.usable

    def serve(self, asked: float) -> None:
        """All that it is asked for together: steps 1 and 2."""
        pool, h = self.pool, self.h
        self.asked = asked
        if pool.kind == "api":
            pool.taken[h] -= self.room
            self.room = min(asked, pool.bound - pool.taken[h])
            pool.taken[h] += self.room
            self.served = pool.there * self.room
            return
        entry = self.entry
        pool.reserved[h] -= self.replicas * entry.held
        pool.busy[h] -= self.served / pool.there / entry.rate_in(self.m) * entry.devices
        fit = max(0, floor_forgiving((pool.free_devices - pool.reserved[h]) / entry.held))
        wanted = ceil_forgiving(asked / self.capacity)
        self.replicas = min(wanted + entry.workload.spares, fit) if wanted > 0 else 0
        running = self.replicas if pool.follows_demand or wanted <= 0 else fit
        served = expected(asked, self.capacity, running, entry.up)
        self.room, self.served = min(asked, running * self.capacity), pool.there * served
        pool.reserved[h] += self.replicas * entry.held
        pool.busy[h] += served / entry.rate_in(self.m) * entry.devices


class Plan:
    """Chunks of a workload's hour: units by entry."""

    def __init__(self, shares: list[Share], base: list[float], h: int):
        self.shares, self.base = shares, base
        self.units, self.replicas = [0.0] * len(shares), [0] * len(shares)
        pools = {id(s.pool): s.pool for s in shares}
        self.free = {key: pool.bound - pool.taken[h] if pool.kind == "api" else pool.free_devices - pool.reserved[h]
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


class Routed:
    """One workload's hour by one routing."""

    def __init__(self, workload, m: int, h: int, demand: float):
        self.workload, self.demand, self.left = workload, demand, demand
        self.shares = [Share(entry, m, h) for entry in workload.entries]

    def in_order(self, order) -> None:
        for k in order:
            share = self.shares[k]
            share.serve(self.left)
            self.left = self.none_or(self.left - share.served)

    def none_or(self, left: float) -> float:
        return left if left > NOTHING * self.demand else 0.0

    def by_plan(self, base: list[float], h: int) -> None:
        """Each entry is asked for its part, and what is left goes to the others."""
        plan = Plan(self.shares, base, h)
        unplanned = plan.make(self.demand)
        for share, units in zip(self.shares, plan.units):
            if units > NOTHING * self.demand:
                share.serve(units)
            share.left = self.none_or(units - share.served)
        for share in self.shares:
            others = [other for other in self.shares if other is not share]
            second = unplanned + math.fsum(other.left for other in others)
            if second <= NOTHING * self.demand:
                continue
            before = share.served
            share.serve(share.asked + second)
            more = max(0.0, share.served - before)
            for other in others:
                taken = min(more, other.left)
                other.left, more = self.none_or(other.left - taken), more - taken
            taken = min(more, unplanned)
            unplanned, more = self.none_or(unplanned - taken), more - taken
            share.left = self.none_or(share.left - min(more, share.left))
        self.left = self.none_or(unplanned + math.fsum(share.left for share in self.shares))

    @property
    def undone(self) -> float:
        return self.left / self.demand if self.demand > 0 else 0.0


class Hours:
    """A month of all inference."""

    def __init__(self, evaluation, m: int):
        self.evaluation, self.m = evaluation, m
        cal, finance = evaluation.cal, evaluation.finance
        self.workloads = [w for w in evaluation.workloads if w.kind == "inference"]
        self.demand = [w.hourly_demand(cal, m) for w in self.workloads]
        self.marginal = [list(zip(*(e.marginal_costs(cal, finance, m) for e in w.entries))) for w in self.workloads]
        self.base = [list(zip(*(e.marginal_costs(cal, finance, m, rent=False) for e in w.entries))) for w in self.workloads]
        entries = {id(e): e for w in self.workloads for e in w.entries}
        self.unit_prices = {key: 3600 * (e.unit_price(cal, finance, m) if e.pool.kind == "api" else e.egress_price(finance, m))
                            for key, e in entries.items()}

    def state(self, h: int) -> list:
        return [[getattr(pool, name)[h] for name in SAVED] for pool in self.evaluation.pools.values()]

    def restore(self, h: int, state: list) -> None:
        for pool, values in zip(self.evaluation.pools.values(), state):
            for name, value in zip(SAVED, values):
                getattr(pool, name)[h] = value

    def route(self, way: str, h: int) -> list[Routed]:
        from dispatch import cheapest_first
        done = []
        for workload, demand, marginal, base in zip(self.workloads, self.demand, self.marginal, self.base):
            routed = Routed(workload, self.m, h, demand[h])
            if way == "list" or not has_choice(workload):
                routed.in_order(range(len(workload.entries)))
            elif way == "marginal":
                routed.in_order(cheapest_first(marginal[h]))
            else:
                routed.by_plan(base[h], h)
            done.append(routed)
        return done

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

    def choose(self, h: int) -> list[Routed]:
        """Leaves the pools as the routing that is kept has them."""
        before, found = self.state(h), []
        for way in WAYS:
            routed = self.route(way, h)
            found.append((math.fsum(work.undone for work in routed), self.bill(routed, h), routed, self.state(h)))
            self.restore(h, before)
        least_undone = min(undone for undone, *_ in found)
        kept = [way for way in found if way[0] <= least_undone + EQUAL]
        least = min(bill for _, bill, *_ in kept)
        _, _, routed, state = next(way for way in kept if not is_cheaper(least, way[1]))
        self.restore(h, state)
        return routed

    def run(self) -> None:
        for h in range(len(self.evaluation.cal.hours[self.m])):
            for work in self.choose(h):
                self.book(work)

    def book(self, work: Routed) -> None:
        workload, m = work.workload, self.m
        workload.demanded[m] += work.demand * 3600
        workload.unserved[m] += work.left * 3600
        room = math.fsum(share.room for share in work.shares)
        workload.no_room[m] += min(work.left, max(0.0, work.demand - room)) * 3600
        for share in work.shares:
            pool, entry = share.pool, share.entry
            entry.units[m] += share.served * 3600
            if pool.kind == "api":
                pool.units[workload.id] += share.served * 3600
                continue
            pool.hours_reserved[workload.id] += pool.there * share.replicas * entry.held
            pool.hours_busy[workload.id] += share.served / entry.rate_in(m) * entry.devices


def route_by_bill(evaluation, m: int) -> bool:
    """Routes all inference of month m by the bill where a workload has a choice; whether it did."""
    if not any(has_choice(workload) for workload in evaluation.workloads):
        return False
    Hours(evaluation, m).run()
    return True
