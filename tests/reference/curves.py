"""Sections 2 and 3 of docs/model.md: rounding, curves, and the real hours of the horizon's months. No pools or money."""
from __future__ import annotations

import math
from bisect import bisect_right
from datetime import date, datetime
from typing import Any
from zoneinfo import ZoneInfo

PERIODS = {"hour_of_day": 24, "hour_of_week": 168, "hour_of_year": 8760}
DAYS_BEFORE = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]  # of each month, in a year of 365 days
FORGIVEN = 1e-9


def ceil_forgiving(x: float) -> int:
    """Section 6: rounding up forgives 1e-9 (absolute)."""
    return math.ceil(x - FORGIVEN)


def floor_forgiving(x: float) -> int:
    """Section 6: rounding down forgives 1e-9 (absolute)."""
    return math.floor(x + FORGIVEN)


class Curve:
    """Section 3: points on one axis, read at x."""

    def __init__(self, doc: dict):
        self.axis = doc["axis"]
        self.interpolation = doc.get("interpolation", "linear")
        self.period = PERIODS.get(self.axis)
        self.is_bounded = doc.get("outside", "hold") == "error"
        to_x = (lambda x: date.fromisoformat(x).toordinal()) if self.axis == "date" else (lambda x: x)
        self.xs = [to_x(point[0]) for point in doc["points"]]
        self.ys = [point[1] for point in doc["points"]]
        self._table: list[float] | None = None

    def at(self, x: float) -> float:
        xs, ys = self.xs, self.ys
        if x < xs[0] or x >= xs[-1]:
            if not self.period:  # outside = hold; `error` never happens in a valid scenario
                return ys[0] if x < xs[0] else ys[-1]
            if self.interpolation == "step":
                return ys[-1]
            x0, x1 = xs[-1], xs[0] + self.period
            x = x + self.period if x < xs[0] else x
            return ys[-1] + (ys[0] - ys[-1]) * (x - x0) / (x1 - x0)
        i = bisect_right(xs, x) - 1
        x0, x1, y0, y1 = xs[i], xs[i + 1], ys[i], ys[i + 1]
        if self.interpolation == "step" or x == x0:
            return y0
        if self.interpolation == "log":
            part = (math.log(x) - math.log(x0)) / (math.log(x1) - math.log(x0))
            return math.exp(math.log(y0) + (math.log(y1) - math.log(y0)) * part)
        return y0 + (y1 - y0) * (x - x0) / (x1 - x0)

    def table(self) -> list[float]:
        """A periodic curve at each of its whole hours, of one with points inside its mean."""
        if self._table is None:
            self._table = [self.of_hour(hour) for hour in range(self.period)]
        return self._table

    def of_hour(self, hour: int) -> float:
        inside = [x for x in self.xs if hour < x < hour + 1]
        if not inside:
            return self.at(hour)
        marks = [hour, *inside, hour + 1]
        return math.fsum((end - begin) * self.at((begin + end) / 2) for begin, end in zip(marks, marks[1:]))

    def evidence_at(self, x: float) -> str:
        """Section 3: between points interpolated, beyond the ends extrapolated; a step curve too."""
        if self.axis in ("date", "utilization", "throughput_share", "busy_time") or self.period or x in self.xs:
            return "measured"
        return "interpolated" if self.xs[0] < x < self.xs[-1] else "extrapolated"


Rate = Any  # a number or a Curve


def rate_of(value: Any) -> Rate:
    """Section 1: wherever a document takes a rate, it takes a number or a curve."""
    return Curve(value) if isinstance(value, dict) else value


def rate_at(rate: Rate, x: float) -> float:
    return rate.at(x) if isinstance(rate, Curve) else rate


class Calendar:
    """Section 2: the horizon's months, the real hours of each, and their local names in any zone. Where demands burst (section 4)
    a moment is a phase of an hour and lasts that part of it; else it is the hour."""

    def __init__(self, start: str, months: int, zone: str, phases: list[float] | None = None):
        self.months, self.zone, self.phases = months, zone, phases or [1.0]
        self.first = int(start[:4]) * 12 + int(start[5:7]) - 1  # months since year 0
        self.hours = [[start for start in self.hours_of(m) for _ in self.phases] for m in range(months)]  # moment by moment
        firsts = [self.first_day(m) for m in range(months)]
        self.days = [d.toordinal() for d in firsts]
        self.labels = [f"{d.year:04d}-{d.month:02d}" for d in firsts]
        self._local: dict[tuple[str, int], dict[str, list[int]]] = {}

    def first_day(self, m: int) -> date:
        return date((self.first + m) // 12, (self.first + m) % 12 + 1, 1)

    def month_of_year(self, m: int) -> int:
        """1 to 12, in the scenario's calendar."""
        return (self.first + m) % 12 + 1

    def hours_of(self, m: int) -> range:
        """Starts of the hours of month m, which may lie after the horizon.
        The first local midnight; where a shift skips it, fold = 0 gives the moment of the shift."""
        days = [self.first_day(m), self.first_day(m + 1)]
        edges = [int(datetime(d.year, d.month, 1, tzinfo=ZoneInfo(self.zone)).timestamp()) for d in days]
        return range(edges[0], edges[1], 3600)

    def lasts(self, moment: int) -> float:
        """Of an hour."""
        return self.phases[moment % len(self.phases)]

    def sum(self, values) -> float:
        """Over the moments of a month, of what is so much an hour."""
        return sum(self.lasts(h) * value for h, value in enumerate(values))

    def local(self, zone: str, m: int) -> dict[str, list[int]]:
        """For each hour of month m the local hour of the day, week and year in which it starts."""
        if (zone, m) not in self._local:
            tz, names = ZoneInfo(zone), {axis: [] for axis in PERIODS}
            for start in self.hours[m]:
                t = datetime.fromtimestamp(start, tz)
                day = 28 if (t.month, t.day) == (2, 29) else t.day  # 29 February reads as the 28th
                names["hour_of_day"].append(t.hour)
                names["hour_of_week"].append(t.weekday() * 24 + t.hour)
                names["hour_of_year"].append((DAYS_BEFORE[t.month - 1] + day - 1) * 24 + t.hour)
            self._local[zone, m] = names
        return self._local[zone, m]

    def at_month(self, rate: Rate, m: int) -> float:
        """A number or a date curve, read at the month's first day in the scenario's calendar."""
        return rate_at(rate, self.days[m])

    def hourly(self, rate: Rate, m: int, zone: str) -> list[float]:
        """A number, a periodic curve (local time of `zone`) or a date curve, for each hour of month m."""
        if isinstance(rate, Curve) and rate.period:
            table = rate.table()
            return [table[x] for x in self.local(zone, m)[rate.axis]]
        return [self.at_month(rate, m)] * len(self.hours[m])
