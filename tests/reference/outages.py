"""Section 6 of docs/model.md, "Outages": how much of what they are asked for replicas serve that fail and come back. No pools."""
from __future__ import annotations

import functools
import math

MAX_IN_TERMS = 64  # beyond so many hosts a normal distribution stands for the binomial one
FORGIVEN = 1e-9
NOTHING = 1e-12  # a part of an hour's demand that rounding leaves


def up_fraction(per_hour: float, hosts: float, down_hours: float) -> float:
    """The part of its time in which a replica on so many hosts is up."""
    return 1 / (1 + per_hour * hosts * down_hours)


def down_hours(restart_s: float, replacement_s: float, repair_hours: float) -> float:
    return (restart_s + replacement_s) / 3600 + repair_hours


@functools.lru_cache(maxsize=4096)
def replicas_up(hosts: tuple[int, ...], up: float) -> list[tuple[int, float]]:
    """Numbers of replicas that may be up, and the chance of each: host after host, each with its replicas or without."""
    chances = {0: 1.0}
    for of_host in hosts:
        more: dict[int, float] = {}
        for replicas, chance in chances.items():
            more[replicas] = more.get(replicas, 0.0) + chance * (1 - up)
            more[replicas + of_host] = more.get(replicas + of_host, 0.0) + chance * up
        chances = more
    return list(chances.items())


def waited_for(chance: float) -> float:
    """The part of an hour for which an instance is held: all of it, unless it is asked in a twentieth of the time or less."""
    return 1.0 if chance > 0.05 else chance


def chance_short(asked: float, capacity: float, replicas: int, up: float, on_a_host: int = 1) -> float:
    """The part of their time in which they serve less than they are asked for."""
    full, rest = divmod(replicas, on_a_host)
    hosts = (on_a_host,) * full + ((rest,) if rest else ())
    if replicas == 0 or asked > replicas * capacity * (1 + FORGIVEN):
        return 1.0
    if up == 1:
        return 0.0
    if len(hosts) <= MAX_IN_TERMS:
        return math.fsum(chance for k, chance in replicas_up(hosts, up) if k < asked / capacity - FORGIVEN * on_a_host)
    deviation = math.sqrt(sum(of_host * of_host for of_host in hosts) * up * (1 - up))
    return 0.5 * math.erfc(-(asked / capacity - replicas * up) / deviation / math.sqrt(2))


def expected(asked: float, capacity: float, replicas: int, up: float, on_a_host: int = 1) -> float:
    """What `replicas` of that capacity each serve of the demand, in expectation. Hosts fail independently, each with its replicas;
    all but the last are full. Where they hold several, more hosts than 64 serve no less than 64."""
    if up == 1:
        return min(asked, replicas * capacity)
    full, rest = divmod(replicas, on_a_host)
    hosts = (on_a_host,) * full + ((rest,) if rest else ())
    if len(hosts) <= MAX_IN_TERMS:
        return math.fsum(chance * min(asked, k * capacity) for k, chance in replicas_up(hosts, up))
    mean = replicas * up * capacity
    deviation = capacity * math.sqrt(sum(of_host * of_host for of_host in hosts) * up * (1 - up))
    z = (asked - mean) / deviation
    below = 0.5 * math.erfc(-z / math.sqrt(2))
    density = math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
    served = asked - (asked - mean) * below - deviation * density
    least = expected(asked, capacity, MAX_IN_TERMS * on_a_host, up, on_a_host) if on_a_host > 1 else 0.0
    return max(least, min(served, asked, replicas * capacity))
