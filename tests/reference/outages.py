"""Section 6 of docs/model.md, "Outages": how much of what they are asked for replicas serve that fail and come back. No pools."""
from __future__ import annotations

import math

MAX_IN_TERMS = 64  # beyond so many replicas a normal distribution stands for the binomial one
NOTHING = 1e-12  # a part of an hour's demand that rounding leaves


def up_fraction(per_hour: float, hosts: float, down_hours: float) -> float:
    """The part of its time in which a replica on so many hosts is up."""
    return 1 / (1 + per_hour * hosts * down_hours)


def down_hours(restart_s: float, replacement_s: float, repair_hours: float) -> float:
    return (restart_s + replacement_s) / 3600 + repair_hours


def expected(asked: float, capacity: float, replicas: int, up: float) -> float:
    """What `replicas` of that capacity each serve of the demand, in expectation; they fail independently."""
    if up == 1:
        return min(asked, replicas * capacity)
    if replicas <= MAX_IN_TERMS:
        return math.fsum(math.comb(replicas, k) * up ** k * (1 - up) ** (replicas - k) * min(asked, k * capacity)
                         for k in range(replicas + 1))
    mean = replicas * up * capacity
    deviation = capacity * math.sqrt(replicas * up * (1 - up))
    z = (asked - mean) / deviation
    below = 0.5 * math.erfc(-z / math.sqrt(2))
    density = math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
    served = asked - (asked - mean) * below - deviation * density
    return max(0.0, min(served, asked, replicas * capacity))
