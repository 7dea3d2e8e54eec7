"""Hosts that fail whole and come back, event by event, so that what outages are said to take has something to be held to: no
binomial distribution, and a host that is down takes all its replicas with it."""
from __future__ import annotations

import math
import random
from dataclasses import dataclass

HOURS_OF_MONTH = 730


@dataclass
class Entry:
    """What a workload runs on: an API (no hosts) takes all that is asked."""
    capacity: float = math.inf  # units/s that a replica may be asked for
    on_a_host: float = 1  # replicas; below 1: the part of a replica that a host has
    room: int = 0  # replicas
    follows: bool = False  # runs as many as the demand needs and the spares, else all
    spares: int = 0
    per_hour: float = 0.0  # failures of a host
    down_hours: float = 0.0
    there: float = 1.0  # the share of the time in which it is to be had
    hosts: int = 0

    def lost_with(self, down: set[int], running: int) -> int:
        """Replicas of the first `running` that are on hosts that are down."""
        if self.on_a_host >= 1:
            each = int(self.on_a_host)
            return sum(min(each, max(0, running - host * each)) for host in down)
        return len({replica for host in down if (replica := int(host * self.on_a_host)) < running})


def serve(entry: Entry, asked: float, down: set[int]) -> float:
    if math.isinf(entry.capacity):
        return asked
    needed = math.ceil(asked / entry.capacity - 1e-9)
    running = entry.room if not entry.follows else min(entry.room, needed + entry.spares) if needed else 0
    return min(asked, max(0, running - entry.lost_with(down, running)) * entry.capacity)


def undone(entries: list[Entry], asked: float, down: list[set[int]]) -> float:
    """In expectation of what is not to be had, each entry apart; what one leaves is asked of the next."""
    ways = [(1.0, asked)]
    for entry, of_entry in zip(entries, down):
        after = []
        for share, left in ways:
            if left <= 1e-9 * asked:
                after.append((share, 0.0))
                continue
            rest = max(0.0, left - serve(entry, left, of_entry))
            after.append((share * entry.there, rest))
            if entry.there < 1:
                after.append((share * (1 - entry.there), left))
        ways = after
    return sum(share * left for share, left in ways)


def outages_of(entries: list[Entry], hours: float, rng: random.Random) -> list[tuple[float, int, int, int]]:
    """(hour, entry, host, 1 where it falls and -1 where it is back), by the hour."""
    events = []
    for e, entry in enumerate(entries):
        for host in range(entry.hosts if entry.per_hour > 0 else 0):
            at = rng.expovariate(entry.per_hour)
            while at < hours:
                back = at + entry.down_hours
                events += [(at, e, host, 1), (back, e, host, -1)]
                at = back + rng.expovariate(entry.per_hour)
    return sorted(events)


def lost_of_horizon(entries: list[Entry], phases: list[tuple[float, float]], by_hour, months: int, rng: random.Random) -> float:
    """Units lost because hosts are down, over one horizon, beside what is undone with all of them up. `by_hour(hour)` is the mean
    demand of an hour in units/s; `phases` are (share of the hour, factor)."""
    hours = months * HOURS_OF_MONTH
    down: list[set[int]] = [set() for _ in entries]
    up = [set() for _ in entries]
    lost, known, before = 0.0, {}, 0.0
    for at, e, host, change in outages_of(entries, hours, rng):
        now = before
        while any(down) and now < min(at, hours):  # hour by hour, as the demand goes
            hour = int(now)
            until = min(hour + 1, at, hours)
            key = (hour, tuple(map(frozenset, down)))
            if key not in known:
                asked = [(share, by_hour(hour) * factor) for share, factor in phases]
                known[key] = sum(share * (undone(entries, of, down) - undone(entries, of, up)) for share, of in asked)
            lost += known[key] * 3600 * (until - now)
            now = until
        before = at
        (down[e].add if change > 0 else down[e].discard)(host)
    return lost
