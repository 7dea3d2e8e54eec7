"""Section 6 of docs/model.md, "Shares": an hour of inference by shares, where each entry serves its own and then what the others
could not; and by order, where the first entry serves what it can of all, the next what it leaves."""
from __future__ import annotations

import math

from curves import ceil_forgiving, floor_forgiving
from outages import NOTHING, chance_short, expected, waited_for


def has_shares(workload) -> bool:
    return "share" in workload.doc["runs_on"][0]


class Share:
    """What one entry is asked for in an hour, and does."""

    def __init__(self, entry, m: int, h: int):
        self.entry, self.m, self.h, self.pool = entry, m, h, entry.pool
        self.asked = self.served = self.room = self.left = self.mean = self.short = 0.0
        self.replicas = 0
        if self.pool.kind != "api":
            self.capacity = entry.rate_in(m) * entry.usable

    def serve(self, asked: float, most: float | None = None, part: float = 1.0) -> None:
        """All that it is asked for together: steps 1 and 2. `most` is asked in the hour's highest phase, where it has several. It
        is asked in `part` of the moment, and otherwise as it was before."""
        pool, h = self.pool, self.h
        self.asked = asked
        if pool.kind == "api":
            pool.taken[h] -= self.room
            self.room = min(asked, pool.bound - pool.taken[h])
            pool.taken[h] += self.room
            self.served = pool.there * self.room
            return
        entry, rest = self.entry, 1 - part
        served_before, room_before, held_before = self.served / pool.there, self.room, self.replicas
        pool.reserved[h] -= held_before * entry.held
        fit = max(0, floor_forgiving((pool.devices_at(h) - pool.reserved[h]) / entry.held))
        wanted = ceil_forgiving((asked if most is None else most) / self.capacity)
        self.replicas = min(wanted + entry.workload.spares, fit) if wanted > 0 else 0
        needed = self.replicas
        if entry.starts and part == 1:
            here = ceil_forgiving(asked / self.capacity)
            needed = min(self.replicas, here + entry.workload.spares) if here > 0 else 0
            pool.start_for_bursts(h, (self.replicas - needed) * entry.held)
        running = needed if pool.follows_demand or wanted <= 0 else fit
        served = rest * served_before + part * expected(asked, self.capacity, running, entry.kept_in(self.m)[1], entry.on_a_host)
        self.room, self.served = rest * room_before + part * min(asked, running * self.capacity), pool.there * served
        pool.reserved[h] += self.replicas * entry.held
        if part < 1:
            pool.stand_by(h, (self.replicas - held_before) * entry.held, part)
        pool.busy[h] += (served - served_before) / entry.rate_in(self.m) * entry.devices
        self.mean = rest * held_before + part * (needed + pool.between * (self.replicas - needed))
        short = chance_short(asked, self.capacity, running, entry.kept_in(self.m)[1], entry.on_a_host)
        self.short = 1 - pool.there + pool.there * short


class Routed:
    """A phase of one workload's hour by one routing."""

    def __init__(self, workload, m: int, h: int, demand: float):
        self.workload, self.m, self.demand, self.left = workload, m, demand, demand
        self.shares = [Share(entry, m, h) for entry in workload.entries]

    def none_or(self, left: float) -> float:
        return left if left > NOTHING * self.demand else 0.0

    def book(self, lasts: float) -> None:
        """What the pools were asked for is booked as served."""
        workload, m, seconds = self.workload, self.m, 3600 * lasts
        workload.demanded[m] += self.demand * seconds
        workload.unserved[m] += self.left * seconds
        room = math.fsum(share.room for share in self.shares)
        workload.no_room[m] += min(self.left, max(0.0, self.demand - room)) * seconds
        for share in self.shares:
            pool, entry = share.pool, share.entry
            entry.units[m] += share.served * seconds
            if pool.kind == "api":
                pool.units[workload.id] += share.served * seconds
                continue
            pool.hours_reserved[workload.id] += pool.there * share.mean * entry.held * lasts
            pool.hours_busy[workload.id] += share.served / entry.rate_in(m) * entry.devices * lasts


def in_order(phases: list[Routed], order) -> None:
    """One workload's phases of an hour: each entry holds what the highest needs."""
    chances = [1.0] * len(phases)  # that anything is left
    for k in order:
        is_api = phases[0].shares[k].pool.kind == "api"
        part = 1.0 if is_api else max((chance for chance, routed in zip(chances, phases) if routed.left > 0), default=1.0)
        most = max(routed.left for routed in phases) / part
        for i, routed in enumerate(phases):
            share, asked = routed.shares[k], routed.left / part
            share.serve(asked, most, part)
            routed.left = routed.none_or(routed.left - share.served)
            if not is_api and routed.left > 0:
                chances[i] = waited_for(max(part * share.short, routed.left / asked))


def in_parts(phases: list[Routed], planned: list[list[float]], unplanned: float = 0.0) -> None:
    """`planned` by entry and phase. What nobody was asked for, of an hour without phases, comes after the others' rests."""
    entries, n = range(len(planned)), range(len(phases))
    part_of = lambda k, i: phases[i].shares[k]
    fails = lambda share: share.pool.there < 1 or share.pool.kind != "api" and share.entry.up < 1
    can_fail = phases[0].workload.spares > 0 or any(map(fails, phases[0].shares))
    for k in entries:
        units = [routed.none_or(asked) for routed, asked in zip(phases, planned[k])]
        for i in n:
            share = part_of(k, i)
            if max(units) > 0:
                share.serve(units[i], max(units))
            share.left = phases[i].none_or(units[i] - share.served)
            part = waited_for(max(share.short, share.left / units[i])) if share.left > 0 and can_fail else 1.0
            share.chance = 1.0 if share.pool.kind == "api" else part
    for k in entries:
        others = [other for other in entries if other != k]
        more = [phases[i].none_or(unplanned + math.fsum(part_of(other, i).left for other in others)) for i in n]
        if max(more) == 0:
            continue
        chances = [part_of(other, i).chance for other in others for i in n if part_of(other, i).left > 0]
        part = 1.0 if phases[0].none_or(unplanned) > 0 or part_of(k, 0).pool.kind == "api" else max(chances)
        most = max(part_of(k, i).asked + more[i] / part for i in n)
        for i in n:
            share, routed = part_of(k, i), phases[i]
            before, asked = share.served, share.asked
            share.serve(asked + more[i] / part, most, part)
            share.asked = asked + more[i]
            beyond = max(0.0, share.served - before)
            for other in others:
                taken = min(beyond, part_of(other, i).left)
                part_of(other, i).left, beyond = routed.none_or(part_of(other, i).left - taken), beyond - taken
            taken = min(beyond, unplanned)
            unplanned, beyond = routed.none_or(unplanned - taken), beyond - taken
            share.left = routed.none_or(share.left - min(beyond, share.left))
    for i, routed in enumerate(phases):
        routed.left = routed.none_or(unplanned + math.fsum(share.left for share in routed.shares))


def parts_of(workload, amount: float) -> list[float]:
    """Of an amount, each entry's share; the last has the rest."""
    parts = [entry["share"] * amount for entry in workload.doc["runs_on"][:-1]]
    return [*parts, max(0.0, amount - math.fsum(parts))]


def by_share(phases: list[Routed]) -> None:
    in_parts(phases, list(map(list, zip(*(parts_of(routed.workload, routed.demand) for routed in phases)))))
