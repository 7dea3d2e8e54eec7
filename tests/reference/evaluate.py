#!/usr/bin/env python3
"""The second, independent evaluator: a scenario document in, its result document out.

Written from docs/model.md (sections 1-8) and docs/api.md (section 1) alone, never from the C++, hour by hour
and without weights, so that a disagreement of the two means that one of them misreads the contract. It does
not validate: the scenario must be valid and complete (every reference inline). "Reading:" marks a place where
the contract leaves room and says how this script takes it.

usage: evaluate.py [--ledger] [FILE...]
       files: one scenario each; without files: NDJSON on stdin. One result a line on stdout.
"""
from __future__ import annotations

import json
import math
import sys
from bisect import bisect_right
from collections import defaultdict
from datetime import date, datetime
from typing import Any, Iterator
from zoneinfo import ZoneInfo

PERIODS = {"hour_of_day": 24, "hour_of_week": 168, "hour_of_year": 8760}
EVIDENCE = ["measured", "interpolated", "extrapolated", "estimated", "assumed"]  # strongest first
DIRECT = {"usage", "egress", "engineering", "unserved"}  # borne by the workload that causes them (section 8)
MACRS_5 = [0.20, 0.32, 0.192, 0.1152, 0.1152, 0.0576]
DAYS_BEFORE = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334]  # of each month, in a year of 365 days
FORGIVEN = 1e-9
UNITS_PER_MILLION = 1e6


def ceil_forgiving(x: float) -> int:
    """Section 6: rounding up forgives 1e-9 (absolute)."""
    return math.ceil(x - FORGIVEN)


def floor_forgiving(x: float) -> int:
    """Section 6: rounding down forgives 1e-9 (absolute)."""
    return math.floor(x + FORGIVEN)


# ---- sections 2 and 3: time and curves --------------------------------------------------------


class Curve:
    """Section 3: points on one axis, read at x."""

    def __init__(self, doc: dict):
        self.axis = doc["axis"]
        self.interpolation = doc.get("interpolation", "linear")
        self.period = PERIODS.get(self.axis)
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
        """A periodic curve at each of its whole hours."""
        if self._table is None:
            self._table = [self.at(x) for x in range(self.period)]
        return self._table

    def evidence_at(self, x: float) -> str:
        """Section 3: between points interpolated, beyond the ends extrapolated; a step curve too."""
        if self.axis in ("date", "utilization") or self.period or x in self.xs:
            return "measured"
        return "interpolated" if self.xs[0] < x < self.xs[-1] else "extrapolated"


Rate = Any  # a number or a Curve


def rate_of(value: Any) -> Rate:
    """Section 1: wherever a document takes a rate, it takes a number or a curve."""
    return Curve(value) if isinstance(value, dict) else value


def rate_at(rate: Rate, x: float) -> float:
    return rate.at(x) if isinstance(rate, Curve) else rate


class Calendar:
    """Section 2: the horizon's months, the real hours of each, and their local names in any zone."""

    def __init__(self, start: str, months: int, zone: str):
        year, month = int(start[:4]), int(start[5:7])
        self.months = months
        ordinals = range(year * 12 + month - 1, year * 12 + month + months)  # months since year 0
        firsts = [date(i // 12, i % 12 + 1, 1) for i in ordinals]
        # The first local midnight; where a shift skips it, fold = 0 gives the moment of the shift.
        edges = [int(datetime(d.year, d.month, 1, tzinfo=ZoneInfo(zone)).timestamp()) for d in firsts]
        self.hours = [range(edges[i], edges[i + 1], 3600) for i in range(months)]
        self.days = [d.toordinal() for d in firsts]
        self.labels = [f"{d.year:04d}-{d.month:02d}" for d in firsts]
        self._local: dict[tuple[str, int], dict[str, list[int]]] = {}

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


# ---- section 4: performance and goodput -------------------------------------------------------


def daly_interval(checkpoint: float, mean_time: float) -> float:
    """Section 4: Daly's higher-order optimum of the time between checkpoints, all in hours."""
    if checkpoint >= 2 * mean_time:
        return mean_time
    half = checkpoint / (2 * mean_time)
    return math.sqrt(2 * checkpoint * mean_time) * (1 + math.sqrt(half) / 3 + half / 9) - checkpoint


def training_goodput(rate: float, write: float, restart: float, interval: float | None) -> float:
    """Section 4: the part of its throughput that a gang keeps; `rate` is Λ per hour, the rest in hours."""
    if rate == 0:
        return 1.0 if interval is None else interval / (interval + write)
    if interval is None:
        if write == 0:
            return math.exp(-rate * restart)
        interval = daly_interval(write, 1 / rate)
    return interval / (math.exp(rate * restart) * math.expm1(rate * (interval + write)) / rate)


def units_per_s_of(perf: dict, workload: dict, device: dict) -> tuple[float, str]:
    """Section 4: units/s of one replica or gang, before goodput, and the evidence for it."""
    devices, batch = perf.get("devices", 1), perf.get("batch")
    basis, read = perf.get("basis", "measured"), []
    units_per_s = rate_of(perf.get("units_per_s"))
    over_batch = isinstance(units_per_s, Curve) and units_per_s.axis == "batch"
    if over_batch and batch is None:
        latency = rate_of(perf["latency_s"])  # the largest whole batch that keeps the objective
        largest = floor_forgiving(units_per_s.xs[-1])
        objective = workload["latency_objective_s"]
        batch = next(b for b in range(largest, 0, -1) if rate_at(latency, b) <= objective)
        read.append((latency, batch))  # Reading: the latency curve is evidence where it chose the batch
    if "estimate" in perf:
        value = estimated_units_per_s(perf, workload, device, devices, batch)
        basis = max(basis, "estimated", key=EVIDENCE.index)
    else:
        x = batch if over_batch else devices
        value = rate_at(units_per_s, x)
        read.append((units_per_s, x))
    scaling = rate_of(perf.get("scaling", 1))  # Reading: scaling and the cap apply to an estimate too
    value *= rate_at(scaling, devices)
    read.append((scaling, devices))
    value = min(value, perf.get("input_units_per_s", math.inf))
    bases = [basis] + [curve.evidence_at(x) for curve, x in read if isinstance(curve, Curve)]
    return value, max(bases, key=EVIDENCE.index)


def estimated_units_per_s(perf: dict, workload: dict, device: dict, devices: int, batch: Any) -> float:
    """Section 4: the roofline estimates. Reading: the pool's device, the performance's own precision."""
    estimate = perf["estimate"]
    peak = device["peak_flops"][perf.get("precision", workload.get("precision"))] * devices
    if estimate["method"] == "training_flops":
        return estimate["mfu"] * peak / (6 * estimate["active_parameters"])
    compute = estimate["mfu"] * peak / (2 * estimate["active_parameters"])
    bandwidth = batch * devices * device["memory_bandwidth_gb_per_s"] * 1e9 * estimate["mbu"]
    return min(compute, bandwidth / (estimate["weight_bytes"] + batch * estimate["kv_bytes_per_sequence"]))


# ---- sections 5 and 7: pools and power --------------------------------------------------------


class Site:
    """A place with its rates; prices in the scenario's currency."""

    def __init__(self, doc: dict, exchange: float):
        self.doc, self.exchange = doc, exchange
        self.zone = doc.get("time_zone", "UTC")
        self.energy_price = rate_of(doc["energy_price"])
        self.pue = rate_of(doc.get("pue", 1))
        self.carbon = rate_of(doc.get("carbon_g_per_kwh", 0))

    def price(self, field: str) -> float:
        return self.doc.get(field, 0) * self.exchange

    def hourly_energy_price(self, cal: Calendar, m: int) -> list[float]:
        growth = (1 + self.doc.get("energy_price_growth_rate", 0)) ** (m / 12)
        return [p * self.exchange * growth for p in cal.hourly(self.energy_price, m, self.zone)]

    def hourly_pue(self, cal: Calendar, m: int) -> list[float] | None:
        """None where PUE depends on the load."""
        if isinstance(self.pue, Curve) and self.pue.axis == "load":
            return None
        return cal.hourly(self.pue, m, self.zone)


class Device:
    """Section 7: what a device draws at utilization u."""

    def __init__(self, doc: dict):
        self.doc, self.tdp = doc, doc["tdp_w"]
        self.idle = doc.get("idle_w", 0)
        self.curve = Curve(doc["power"]) if "power" in doc else None

    def power(self, u: float) -> float:
        return self.curve.at(u) if self.curve else self.idle + (self.tdp - self.idle) * u


class Pool:
    """What a pool is, and in each month how much of it is taken, hour by hour."""

    def __init__(self, doc: dict, exchange_of):
        self.doc, self.id, self.kind = doc, doc["id"], doc["kind"]
        self.ramp = doc.get("ramp_months", 0)
        self.site: Site | None = None
        if self.kind == "api":
            return
        self.holder = doc["offer"] if self.kind == "cloud" else doc["server"]  # what holds the devices
        self.device = Device(self.holder["device"])
        self.per_holder = self.holder["devices"]
        self.exchange = exchange_of(self.holder)
        site = doc["site"] if self.kind == "owned" else self.holder.get("site")
        self.site = Site(site, exchange_of(site)) if site else None
        if self.kind == "cloud":
            self.interruptions = self.holder.get("interruptions_per_hour", 0)
            self.follows_demand = self.holder["purchase"] in ("on_demand", "spot")
            self.hourly_price = rate_of(self.holder["hourly_price"])
        else:
            self.interruptions = self.holder.get("failures_per_hour", 0)
            self.host_idle = self.holder.get("host_idle_w", 0)
            self.host_max = self.holder.get("host_max_w", 0)
            self.nameplate_w = self.host_max + self.per_holder * self.device.tdp  # of one server
            self.life = self.holder["life_months"]
            # One whose life is over before the horizon is ignored.
            self.vintages = [v for v in doc["purchases"]
                             if doc.get("refresh", False) or v["month"] + self.life > 0]

    def end_of(self, vintage: dict) -> float:
        """The month in which a vintage's servers retire for good."""
        return math.inf if self.doc.get("refresh", False) else vintage["month"] + self.life

    def servers(self, m: int) -> tuple[int, int]:
        """Section 5: servers in service in month m, and those of them in their ramp."""
        serving = [v for v in self.vintages if v["month"] <= m < self.end_of(v)]
        # Reading: the ramp is the vintage's first ramp_months, however short its life.
        in_ramp = sum(v["servers"] for v in serving if m < v["month"] + self.ramp)
        return sum(v["servers"] for v in serving), in_ramp

    def open_month(self, cal: Calendar, m: int) -> None:
        """Prices and empty books of month m."""
        n = len(cal.hours[m])
        self.reserved, self.busy, self.taken = [0.0] * n, [0.0] * n, [0.0] * n
        self.training_devices, self.training_instances = [0.0] * n, [0.0] * n
        self.device_hours: dict[str, float] = defaultdict(float)  # reserved, by workload
        if self.site:
            self.tariff = self.site.hourly_energy_price(cal, m)
            self.pue = self.site.hourly_pue(cal, m)
            self.carbon = cal.hourly(self.site.carbon, m, self.site.zone)
        if self.kind == "cloud":
            growth = (1 + self.holder.get("price_growth_rate", 0)) ** (m / 12)
            self.price = cal.at_month(self.hourly_price, m) * growth * self.exchange  # of an instance-hour
            self.instances = 0 if m < self.ramp else self.doc["max_instances"]  # that can serve
            self.free_devices = self.instances * self.per_holder
        elif self.kind == "owned":
            self.in_service, self.in_ramp = self.servers(m)
            self.free_devices = (self.in_service - self.in_ramp) * self.per_holder
        else:
            self.bound = self.doc.get("max_units_per_s", math.inf)

    def running_instances(self, h: int) -> float:
        """Section 6: instances of a cloud pool running in an hour."""
        used = ceil_forgiving(self.reserved[h] / self.per_holder) + self.training_instances[h]
        return max(self.doc.get("min_instances", 0), used)

    def meter(self, h: int) -> tuple[float, float]:
        """Section 7: paid devices and facility power (W) in hour h."""
        if self.kind == "cloud":
            devices = self.running_instances(h) * self.per_holder
            u = self.busy[h] / devices if devices else 0.0
            if not self.site or not devices:
                return devices, 0.0
            pue = self.site.pue.at(u) if self.pue is None else self.pue[h]
            return devices, devices * self.device.power(u) * pue
        if not self.in_service:
            return 0.0, 0.0
        servers = self.in_service - self.in_ramp
        active, ramping, busy = self.free_devices, self.in_ramp * self.per_holder, self.busy[h]
        u = busy / active if active else 0.0
        power = self.device.power
        if self.doc.get("load_balancing", "spread") == "pack":
            watts = busy * power(1) + (active - busy) * power(0)
        else:
            watts = active * power(u)
        watts += servers * (self.host_idle + (self.host_max - self.host_idle) * u)
        watts += ramping * power(0) + self.in_ramp * self.host_idle
        load = watts / (self.in_service * self.nameplate_w)
        pue = self.site.pue.at(load) if self.pue is None else self.pue[h]
        return self.in_service * self.per_holder, watts * pue

    def racks(self, servers: int) -> int | None:
        """Section 8, facility: by power where rack_kw is given, else by height; None if neither is known."""
        site, height = self.site.doc, self.holder.get("rack_units")
        if "rack_kw" in site:
            in_rack = floor_forgiving(site["rack_kw"] * 1000 / self.nameplate_w)
        elif height:
            in_rack = floor_forgiving(site.get("rack_units_per_rack", 42) / height)
        else:
            return None
        return ceil_forgiving(servers / in_rack)


class Entry:
    """One runs_on entry: a workload on a pool, with what a replica or gang of it does there."""

    def __init__(self, doc: dict, workload: Workload, pool: Pool):
        self.pool, self.workload = pool, workload
        self.engineer_weeks = doc.get("porting", {}).get("engineer_weeks", 0)
        self.units: dict[int, float] = defaultdict(float)  # served, by month
        self.evidence = "measured"  # Reading: an API pool's, which has no performance
        if pool.kind == "api":
            price = pool.doc["price_per_million_units"]
            split = isinstance(price, dict) and "input" in price
            self.prices = [rate_of(price[k]) if split else rate_of(price) for k in ("input", "output")]
            return
        perf, check = doc["performance"], workload.doc.get("checkpoint", {})
        self.devices = perf.get("devices", 1)
        self.units_per_s, self.evidence = units_per_s_of(perf, workload.doc, pool.device.doc)
        interrupted = pool.interruptions * ceil_forgiving(self.devices / pool.per_holder)
        restart = check.get("restart_s", 0) / 3600
        if workload.kind == "training":
            interval = check["interval_s"] / 3600 if "interval_s" in check else None
            self.goodput = training_goodput(interrupted, check.get("write_s", 0) / 3600, restart, interval)
        else:
            self.goodput = 1 / (1 + interrupted * restart)
        self.rate = self.units_per_s * self.goodput
        fitting = floor_forgiving(pool.per_holder / self.devices)
        whole = ceil_forgiving(self.devices / pool.per_holder)
        self.gang_instances = 1 / fitting if fitting > 1 else whole

    def unit_price(self, cal: Calendar, m: int) -> float:
        """Section 5, API: the price of one unit in month m, inputs and outputs as the workload mixes them."""
        into, out = (cal.at_month(p, m) / UNITS_PER_MILLION for p in self.prices)
        return into * self.workload.input_part + out * (1 - self.workload.input_part)

    def marginal_costs(self, cal: Calendar, m: int) -> list[float]:
        """Section 6, "cheapest": marginal cost per unit in each hour of month m."""
        pool, n = self.pool, len(cal.hours[m])
        if pool.kind == "api":
            return [self.unit_price(cal, m)] * n
        if pool.kind == "cloud":
            cost = pool.price * self.devices / pool.per_holder if pool.follows_demand else 0.0
            return [cost / (self.rate * 3600)] * n
        watts = self.devices * (pool.device.power(1) - pool.device.power(0))
        watts += self.devices / pool.per_holder * (pool.host_max - pool.host_idle)
        pue = [pool.site.pue.at(1)] * n if pool.pue is None else pool.pue
        return [watts / 1000 * pue[h] * pool.tariff[h] / (self.rate * 3600) for h in range(n)]


def tie(cost: float) -> float:
    """Section 6. Reading: "prices are equal where they agree to 9 decimals" is for prices (of energy); costs
    per unit, often below 1e-7, are equal where they agree to 9 significant digits."""
    return float(f"{cost:.8e}")


class Workload:
    """A workload, and what became of its demand."""

    def __init__(self, doc: dict, pools: dict[str, Pool]):
        self.doc, self.id, self.kind = doc, doc["id"], doc["kind"]
        per_request = doc.get("units_per_request", 1)
        self.split = isinstance(per_request, dict)
        self.units_per_request = per_request["input"] + per_request["output"] if self.split else per_request
        self.input_part = per_request["input"] / self.units_per_request if self.split else 1.0
        self.entries = [Entry(e, self, pools[e["pool"]]) for e in doc["runs_on"]]
        self.peak = doc.get("peak_utilization", 1)
        self.demanded: dict[int, float] = defaultdict(float)  # units, by month
        self.unserved: dict[int, float] = defaultdict(float)
        if self.kind == "inference":
            self.demand = doc["demand"]
            self.zone = self.demand.get("time_zone", "UTC")
            self.shape = rate_of(self.demand.get("utilization", self.demand.get("shape", 1)))
        else:
            self.epochs = rate_of(doc["epochs_per_month"])

    def hourly_demand(self, cal: Calendar, m: int) -> list[float]:
        """Section 4: inference demand in units/s."""
        demand = self.demand
        if "utilization" in demand:
            scale = demand["reference_devices"] * demand["units_per_s_per_device"]
        else:
            scale = demand["mean_per_s"] * self.units_per_request
        scale *= (1 + demand.get("growth_per_month", 0)) ** m
        return [scale * y for y in cal.hourly(self.shape, m, self.zone)]


# ---- section 8: assets ------------------------------------------------------------------------


class Asset:
    """One purchase of hardware, or of an own-build facility, from `start` to `end` (months; end excluded)."""

    def __init__(self, pool: Pool, category: str, span: tuple, price: float, residual: float, life: int):
        self.pool, self.category, (self.start, self.end) = pool, category, span
        self.price, self.residual, self.life = price, residual, life

    def book_value(self, month: int) -> float:
        """Straight line between P and R at its age, under the annuity rule too."""
        return self.price - (self.price - self.residual) * (month - self.start) / self.life

    def monthly_cost(self, finance: dict) -> float:
        d = finance.get("discount_rate", 0)
        if finance.get("capital", "straight_line") == "straight_line" or d == 0:
            return (self.price - self.residual) / self.life
        r = (1 + d) ** (1 / 12) - 1
        left = (1 + r) ** -self.life
        return (self.price - self.residual * left) * r / (1 - left)

    def tax_depreciation(self, age: int, basis: float, book: float, finance: dict) -> float:
        """Tax depreciation of the month that begins at `age`; `book` is what is left of `basis`.
        Reading: an asset owned already is as bought at the start: P is its book value then, L is its life."""
        method = finance.get("tax_depreciation", "straight_line")
        if method == "macrs_5":
            return basis * MACRS_5[age // 12] / 12 if age < 72 else 0.0
        if method == "declining_balance":
            return book * finance["tax_depreciation_rate"] / 12
        return min(book, basis / self.life)


def chain(first: int, life: int, until: float, months: int) -> Iterator[tuple[int, float]]:
    """The purchases at first, first + life, … (until `until`) that are in service in the horizon."""
    for start in range(first, months, life):
        end = min(start + life, until)
        if start < until and end > 0:
            yield start, end


def assets_of(pool: Pool, months: int) -> Iterator[Asset]:
    """Sections 5 and 8: every generation of every vintage, and of the facility built for it."""
    server = pool.holder
    residual = rate_at(rate_of(server.get("residual_fraction", 0)), pool.life)
    change = 1 + server.get("price_change_rate", 0)
    extras = server.get("network_price", 0) + server.get("storage_price", 0)
    for vintage in pool.vintages:
        until = pool.end_of(vintage)
        for start, end in chain(vintage["month"], pool.life, until, months):
            price = server["price"] * change ** (start / 12)
            if "price" in vintage:  # Reading: the server's price alone, per server, in the server's currency
                price = vintage["price"] * change ** ((start - vintage["month"]) / 12)
            price = vintage["servers"] * (price + extras * change ** (start / 12)) * pool.exchange
            yield Asset(pool, "hardware", (start, end), price, price * residual, pool.life)
        built = pool.site.price("facility_price_per_w") * vintage["servers"] * pool.nameplate_w
        if built:
            life = pool.site.doc["facility_life_months"]
            for span in chain(vintage["month"], life, until, months):
                yield Asset(pool, "facility", span, built, 0.0, life)


# ---- the evaluation ---------------------------------------------------------------------------


class Evaluation:
    """One scenario: routes every hour, fills the ledger, divides it by the work done."""

    def __init__(self, scenario: dict):
        self.scenario = scenario
        self.currency = scenario.get("currency", "USD")
        self.finance = scenario.get("finance", {})
        self.months = scenario["months"]
        self.cal = Calendar(scenario["start"], self.months, scenario.get("time_zone", "UTC"))
        self.pools = {doc["id"]: Pool(doc, self.exchange_of) for doc in scenario["pools"]}
        self.workloads = [Workload(doc, self.pools) for doc in scenario["workloads"]]
        # Cost by (month, pool, category, workload); workload is "" where the pool's users bear it.
        self.costs: dict[tuple, float] = defaultdict(float)
        # Cash: (month, "start" or "end", pool, category, workload, amount, whether an asset's).
        self.cash: list[tuple] = []
        self.tax_credits: list[tuple[int, float]] = []  # at month end, already times the tax rate
        zero = lambda: defaultdict(float)
        self.energy, self.carbon = zero(), zero()  # by (month, pool)
        self.available, self.reserved, self.busy = zero(), zero(), zero()  # device-hours by (month, pool)
        self.shares = zero()  # reserved device-hours by (month, pool, workload)
        self.peak_racks: dict[str, int | None] = {}

    def exchange_of(self, doc: dict) -> float:
        """Section 8. Reading: a document without a currency is in the scenario's."""
        code = doc.get("currency", self.currency)
        return 1.0 if code == self.currency else self.scenario["exchange_rates"][code]

    def run(self) -> None:
        for m in range(self.months):
            for pool in self.pools.values():
                pool.open_month(self.cal, m)
            for kind, serve in (("inference", self.infer), ("training", self.train)):
                for workload in self.workloads:
                    if workload.kind == kind:
                        serve(workload, m)
            for pool in self.pools.values():
                self.close_month(pool, m)
            for workload in self.workloads:
                self.pay_for_work(workload, m)
        for pool in self.pools.values():
            if pool.kind == "owned":
                for asset in assets_of(pool, self.months):
                    self.capitalise(asset)
            elif pool.kind == "cloud":
                self.commit(pool)
        for workload in self.workloads:
            self.port(workload)

    # -- section 6: dispatch

    def infer(self, workload: Workload, m: int) -> None:
        """Inference in every hour of month m, entries in their order or the cheapest first."""
        entries, orders = workload.entries, None
        if workload.doc.get("routing", "in_order") == "cheapest":
            costs = [[tie(c) for c in e.marginal_costs(self.cal, m)] for e in entries]
            orders = [[entries[k] for k in sorted(range(len(entries)), key=lambda k: costs[k][h])]
                      for h in range(len(costs[0]))]
        for h, left in enumerate(workload.hourly_demand(self.cal, m)):
            workload.demanded[m] += left * 3600
            for entry in orders[h] if orders else entries:
                served = self.serve_hour(entry, h, left)
                entry.units[m] += served * 3600
                left -= served
            workload.unserved[m] += left * 3600

    def serve_hour(self, entry: Entry, h: int, left: float) -> float:
        """Section 6, steps 1 and 2: units/s of `left` that this entry serves in hour h."""
        pool = entry.pool
        if pool.kind == "api":
            served = min(left, pool.bound - pool.taken[h])
            pool.taken[h] += served
            return served
        rate = entry.rate * entry.workload.peak
        wanted = ceil_forgiving(left / rate)
        replicas = min(wanted, floor_forgiving((pool.free_devices - pool.reserved[h]) / entry.devices))
        served = min(left, replicas * rate)
        pool.reserved[h] += replicas * entry.devices
        pool.busy[h] += served / entry.rate * entry.devices
        pool.device_hours[entry.workload.id] += replicas * entry.devices
        return served

    def train(self, workload: Workload, m: int) -> None:
        """Training's work of month m into the hours that inference and earlier training left."""
        left = self.cal.at_month(workload.epochs, m) * workload.doc["units_per_epoch"]
        workload.demanded[m] += left
        entries = workload.entries
        if workload.doc.get("routing", "in_order") == "cheapest":
            n = len(self.cal.hours[m])
            entries = sorted(entries, key=lambda e: tie(math.fsum(e.marginal_costs(self.cal, m)) / n))
        for entry in entries:
            done = self.fill(entry, m, left)
            entry.units[m] += done
            left -= done
        workload.unserved[m] += left

    def fill(self, entry: Entry, m: int, work: float) -> float:
        """Section 6: work fills the cheapest hours first, hours of equal price in equal proportion."""
        pool, left = entry.pool, work
        classes: dict[float, list[int]] = defaultdict(list)
        for h in range(len(self.cal.hours[m])):
            price = round(pool.tariff[h], 9) if pool.kind == "owned" else 0.0  # a cloud pool has one price
            classes[price].append(h)
        for price in sorted(classes):
            gangs = [(h, self.free_gangs(entry, h)) for h in classes[price]] if left > 0 else []
            capacity = sum(g for _, g in gangs) * entry.rate * 3600
            if capacity <= 0:
                continue
            part = min(1.0, left / capacity)
            for h, free in gangs:
                running = part * free
                pool.training_devices[h] += running * entry.devices
                pool.training_instances[h] += running * entry.gang_instances
                pool.busy[h] += running * entry.devices  # Reading: a gang starved of input is busy too
                pool.device_hours[entry.workload.id] += running * entry.devices
            left = left - capacity if part == 1.0 else 0.0
        return work - left

    @staticmethod
    def free_gangs(entry: Entry, h: int) -> int:
        pool = entry.pool
        if pool.kind == "cloud":
            free = pool.instances - ceil_forgiving(pool.reserved[h] / pool.per_holder)
            free -= pool.training_instances[h]
            return max(0, floor_forgiving(free / entry.gang_instances))
        free = pool.free_devices - pool.reserved[h] - pool.training_devices[h]
        return max(0, floor_forgiving(free / entry.devices))

    # -- sections 7 and 8: the ledger

    def bear(self, m: int, pool: str | None, category: str, cost: float, workload: str = "") -> None:
        """A cost that is paid at the month's end."""
        self.costs[m, pool, category, workload] += cost
        self.cash.append((m, "end", pool, category, workload, cost, False))

    def close_month(self, pool: Pool, m: int) -> None:
        """Meters a pool's month and writes what it costs, capital apart."""
        key, n = (m, pool.id), len(self.cal.hours[m])
        if pool.kind == "api":
            return
        energy_cost = instance_hours = peak_kw = 0.0
        for h in range(n):
            devices, watts = pool.meter(h)
            instance_hours += devices / pool.per_holder
            self.available[key] += devices
            self.reserved[key] += pool.reserved[h] + pool.training_devices[h]
            self.busy[key] += pool.busy[h]
            if pool.site:
                self.energy[key] += watts / 1000
                self.carbon[key] += watts / 1000 * pool.carbon[h] / 1000
                energy_cost += watts / 1000 * pool.tariff[h]
                peak_kw = max(peak_kw, watts / 1000)
        for workload, hours in pool.device_hours.items():
            self.shares[m, pool.id, workload] += hours
        if pool.kind == "cloud":
            self.bear(m, pool.id, "compute", instance_hours * pool.price)
        else:
            self.bear(m, pool.id, "energy", energy_cost)
            self.bear(m, pool.id, "demand_charge", peak_kw * pool.site.price("demand_charge_per_kw_month"))
            self.carbon[key] += pool.in_service * pool.holder.get("embodied_kg", 0) / pool.life
            self.run_site(pool, m)
        per_tonne = self.finance.get("carbon_price_per_tonne", 0)
        self.bear(m, pool.id, "carbon", self.carbon[key] / 1000 * per_tonne)

    def run_site(self, pool: Pool, m: int) -> None:
        """Section 8: space, people, software, network and storage of an owned pool's month."""
        site, server, servers = pool.site, pool.holder, pool.in_service
        racks = pool.racks(servers)
        if racks is not None:  # Reading: the result's `racks` are those of its largest month
            self.peak_racks[pool.id] = max(self.peak_racks.get(pool.id, 0), racks)
        space = site.price("space_per_kw_month") * servers * pool.nameplate_w / 1000
        self.bear(m, pool.id, "facility", space + site.price("space_per_rack_month") * (racks or 0))
        software = server.get("software_per_device_year", 0) * pool.exchange / 12
        self.bear(m, pool.id, "software", servers * pool.per_holder * software)
        people = site.doc.get("fte", 0) + site.doc.get("fte_per_server", 0) * servers
        self.bear(m, pool.id, "staff", people * site.price("salary_per_year") / 12)
        self.bear(m, pool.id, "network", site.price("network_per_month"))
        self.bear(m, pool.id, "storage", site.price("storage_per_month"))

    def pay_for_work(self, workload: Workload, m: int) -> None:
        """Section 8: usage, egress and unserved."""
        for entry in workload.entries:
            pool, units = entry.pool, entry.units[m]
            if pool.kind == "api":
                self.bear(m, pool.id, "usage", units * entry.unit_price(self.cal, m), workload.id)
            if pool.kind == "cloud":
                per_gb = pool.holder.get("egress_per_gb", 0) * pool.exchange
                gb = units * workload.doc.get("egress_gb_per_unit", 0)
                self.bear(m, pool.id, "egress", gb * per_gb, workload.id)
        price = workload.doc.get("unserved_cost_per_unit", 0)
        self.bear(m, None, "unserved", workload.unserved[m] * price, workload.id)

    def commit(self, pool: Pool) -> None:
        """Sections 5 and 8: upfront at each term's start, borne over the term, unspent back at the end."""
        upfront = pool.holder.get("upfront", 0) * pool.exchange * pool.doc["max_instances"]
        if not upfront:
            return
        term = 1 if pool.holder["purchase"] == "dedicated" else pool.holder["term_months"]
        for m in range(self.months):
            self.costs[m, pool.id, "commitment", ""] += upfront / term
            if m % term == 0:
                self.cash.append((m, "start", pool.id, "commitment", "", upfront, False))
        unspent = upfront * (-self.months % term) / term
        self.cash.append((self.months - 1, "end", pool.id, "commitment", "", -unspent, False))

    def port(self, workload: Workload) -> None:
        """Section 8, engineering: per entry, used or not."""
        for entry in workload.entries:
            cost = entry.engineer_weeks * self.finance.get("engineer_week_cost", 0)
            for m in range(self.months):
                self.costs[m, entry.pool.id, "engineering", workload.id] += cost / self.months
            self.cash.append((0, "start", entry.pool.id, "engineering", workload.id, cost, False))

    def capitalise(self, asset: Asset) -> None:
        """Section 8: an asset's cost, cash, maintenance and tax depreciation."""
        first, last = max(asset.start, 0), min(asset.end, self.months)
        pool, tau = asset.pool.id, self.finance.get("tax_rate", 0)
        basis = book = asset.book_value(first)
        sale = asset.book_value(last)
        self.cash.append((first, "start", pool, asset.category, "", basis, True))
        for m in range(first, last):
            self.costs[m, pool, asset.category, ""] += asset.monthly_cost(self.finance)
            if asset.category == "hardware":
                rate = asset.pool.holder.get("maintenance_rate", 0)
                self.bear(m, pool, "maintenance", asset.price * rate / 12)
            depreciation = asset.tax_depreciation(m - first, basis, book, self.finance)
            book -= depreciation
            self.tax_credits.append((m, tau * depreciation))
        self.cash.append((last - 1, "end", pool, asset.category, "", -sale, True))
        self.tax_credits.append((last - 1, tau * (book - sale)))

    # -- section 8: totals, allocation, unit costs

    def discount(self, m: int, when: str) -> float:
        return (1 + self.finance.get("discount_rate", 0)) ** -((m + (when == "end")) / 12)

    def share(self, pool: str | None, m: int | None = None) -> dict[str | None, float]:
        """Who bears a pool's month (or its whole horizon): parts by workload, or all of it by None."""
        hours: dict[str, float] = defaultdict(float)
        for (month, p, workload), value in self.shares.items():
            if p == pool and (m is None or month == m):
                hours[workload] += value
        total = sum(hours.values())
        return {w: v / total for w, v in hours.items()} if total > 0 else {None: 1.0}

    def result(self, ledger: bool = False) -> dict:
        """The result document of api.md, section 1, without provenance."""
        costs, months = self.costs, range(self.months)
        shares = {(m, p): self.share(p, m) for m in months for p in self.pools}
        whole = {p: self.share(p) for p in self.pools}
        rows: dict[tuple, list[float]] = defaultdict(lambda: [0.0, 0.0])  # (m, pool, workload, category)
        borne_npv: dict[str | None, float] = defaultdict(float)
        for (m, p, category, workload), cost in costs.items():
            for w, part in ({workload: 1.0} if category in DIRECT else shares[m, p]).items():
                rows[m, p, w, category][0] += cost * part
        npv = after_tax = 0.0
        tau = self.finance.get("tax_rate", 0)
        for m, when, p, category, workload, amount, is_asset in self.cash:
            present = amount * self.discount(m, when)
            npv += present
            after_tax += present if is_asset else present * (1 - tau)
            for w, part in ({workload: 1.0} if category in DIRECT else whole[p]).items():
                rows[m, p, w, category][1] += amount * part
                borne_npv[w] += present * part
        after_tax -= sum(credit * self.discount(m, "end") for m, credit in self.tax_credits)
        energy, carbon = math.fsum(self.energy.values()), math.fsum(self.carbon.values())
        allocated = defaultdict(lambda: [0.0, 0.0])  # energy and carbon, by workload
        for (m, p), parts in shares.items():
            for w, part in parts.items():
                allocated[w][0] += self.energy[m, p] * part
                allocated[w][1] += self.carbon[m, p] * part
        physical = {"energy_kwh": energy, "carbon_kg": carbon}
        document = {
            "currency": self.currency,
            "total": money(rows) | {"npv": npv, "npv_after_tax": after_tax} | physical,
            "by_category": by_category(rows),
            "by_pool": {p: self.pool_result(pool, rows) for p, pool in self.pools.items()},
            "by_workload": {w.id: self.workload_result(w, rows, borne_npv[w.id], allocated[w.id])
                            for w in self.workloads},
            "by_month": [self.month_result(m, rows) for m in months],
            "unallocated_cost": math.fsum(v[0] for k, v in rows.items() if k[2] is None),
            "warnings": [],
        }
        if ledger:
            document["ledger"] = [
                dict(month=self.cal.labels[m], pool=p, workload=w, category=c, cost=v[0], cash=v[1])
                for (m, p, w, c), v in rows.items() if any(v)]
        return document

    def pool_result(self, pool: Pool, rows: dict) -> dict:
        mine = {k: v for k, v in rows.items() if k[1] == pool.id}
        total = lambda by: math.fsum(v for (_, p), v in by.items() if p == pool.id)
        available, reserved, busy = total(self.available), total(self.reserved), total(self.busy)
        result = money(mine) | {
            "energy_kwh": total(self.energy), "carbon_kg": total(self.carbon),
            "available_device_hours": available, "reserved_device_hours": reserved, "busy_device_hours": busy,
            "utilization_fraction": ratio(busy, available),
            "cost_per_reserved_device_hour": ratio(money(mine)["cost"], reserved),
            "by_category": by_category(mine)}
        if pool.kind == "owned":
            result["racks"] = self.peak_racks.get(pool.id)
        return result

    def month_result(self, m: int, rows: dict) -> dict:
        mine = {k: v for k, v in rows.items() if k[0] == m}
        total = lambda by: math.fsum(v for (month, _), v in by.items() if month == m)
        return {"month": self.cal.labels[m]} | money(mine) | {
            "energy_kwh": total(self.energy), "carbon_kg": total(self.carbon),
            "by_category": by_category(mine),
            "by_pool": {p: money({k: v for k, v in mine.items() if k[1] == p}) for p in self.pools}}

    def workload_result(self, workload: Workload, rows: dict, borne_npv: float, metered: list) -> dict:
        """Section 8, unit costs: each null where nothing was served, the counts too."""
        cost = math.fsum(v[0] for k, v in rows.items() if k[2] == workload.id)
        by_month = {m: sum(e.units[m] for e in workload.entries) for m in range(self.months)}
        served = math.fsum(by_month.values())
        worth = math.fsum(units * self.discount(m, "end") for m, units in by_month.items())
        used = [e for e in workload.entries if sum(e.units.values()) > 0]
        result = {
            "kind": workload.kind, "cost": cost,
            "units_demanded": math.fsum(workload.demanded.values()), "units_served": served,
            "units_unserved": math.fsum(workload.unserved.values()),
            "energy_kwh": metered[0], "carbon_kg": metered[1],
            "cost_per_million_units": ratio(cost * UNITS_PER_MILLION, served),
            "levelized_cost_per_million_units": ratio(borne_npv * UNITS_PER_MILLION, worth),
            "evidence": max((e.evidence for e in used), key=EVIDENCE.index) if used else None}
        if workload.split:
            rho, into = workload.doc.get("output_cost_ratio", 4), served * workload.input_part
            per_input = ratio(cost * UNITS_PER_MILLION, into + rho * (served - into))
            result["cost_per_million_input_units"] = per_input
            result["cost_per_million_output_units"] = None if per_input is None else rho * per_input
        if workload.kind == "inference":
            result["requests_served"] = served / workload.units_per_request if used else None
            result["cost_per_inference"] = ratio(cost * workload.units_per_request, served)
        else:
            epoch = workload.doc["units_per_epoch"]
            result["epochs_done"] = served / epoch if used else None
            result["cost_per_epoch"] = ratio(cost * epoch, served)
            result["hours_per_epoch"] = {e.pool.id: epoch / (e.rate * 3600) for e in used} or None
        return result


def ratio(part: float, whole: float) -> float | None:
    """Nothing served: null, never 0 or infinity."""
    return part / whole if whole > 0 else None


def money(rows: dict) -> dict:
    return {"cost": math.fsum(v[0] for v in rows.values()), "cash": math.fsum(v[1] for v in rows.values())}


def by_category(rows: dict) -> dict:
    """Categories without a cent in them are left out."""
    names = sorted({k[3] for k, v in rows.items() if v != [0.0, 0.0]})
    return {name: money({k: v for k, v in rows.items() if k[3] == name}) for name in names}


def evaluate(scenario: dict, ledger: bool = False) -> dict:
    """The result of one scenario document."""
    evaluation = Evaluation(scenario)
    evaluation.run()
    return evaluation.result(ledger)


def main(arguments: list[str]) -> None:
    ledger = "--ledger" in arguments
    files = [a for a in arguments if not a.startswith("--")]
    texts = (open(name, encoding="utf-8").read() for name in files) if files else sys.stdin
    for text in texts:
        if text.strip():
            print(json.dumps(evaluate(json.loads(text), ledger)))


if __name__ == "__main__":
    main(sys.argv[1:])
