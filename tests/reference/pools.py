"""Sections 5 and 7 of docs/model.md: what a pool is, what of it exists in a month, what it draws. No money but prices."""
from __future__ import annotations

import math
from collections import defaultdict
from typing import Any, Iterator

from curves import Calendar, Curve, ceil_forgiving, floor_forgiving, rate_at, rate_of
from rented import edges, edges_of, hours_within, is_by_days, month_of_start

COMMITTED = ("reserved", "committed", "dedicated", "block")


# Share of the watts at full load by share of the largest rate, of a device without a curve that serves.
DEFAULT_SHAPE = [[0, 0.18], [0.03, 0.55], [0.05, 0.65], [0.11, 0.71], [0.22, 0.76], [0.35, 0.82], [0.5, 0.88], [0.7, 0.97], [1, 1]]


class Device:
    """Section 7: what a device draws: in a gang, without a process, serving at a share u of its largest rate."""

    def __init__(self, doc: dict):
        self.doc, self.tdp = doc, doc["tdp_w"]
        curve = Curve(doc["power"]) if "power" in doc else None
        self.full = curve.at(1) if curve else self.tdp
        self.idle = doc.get("idle_w", 0) or (curve.at(0) if curve else 0)
        if curve and curve.axis != "busy_time":
            self.serving = curve.at
            return
        at_zero = doc.get("loaded_idle_w", max(doc.get("idle_w", 0), DEFAULT_SHAPE[0][1] * self.tdp))
        points = [[0, at_zero]] + [[x, max(at_zero, share * self.tdp)] for x, share in DEFAULT_SHAPE[1:]]
        self.serving = Curve({"kind": "power", "axis": "throughput_share", "points": points}).at


class Lot:
    """One purchase, bought or leased, with what follows it: section 5, Owned and Leased servers."""

    def __init__(self, doc: dict, life: int, refresh: bool, loan: dict | None):
        self.doc, self.first, self.servers = doc, doc["month"], doc["servers"]
        self.lease = doc.get("lease")
        self.loan = None if self.lease else doc.get("loan", loan)
        returned = self.lease and self.lease.get("at_end", "return") == "return"
        self.period = self.lease["term_months"] if returned else life  # how long a generation serves
        self.leaves = math.inf if refresh else self.first + self.period

    def serves(self, m: int) -> bool:
        return self.first <= m < self.leaves

    def generations(self, months: int) -> Iterator[tuple[int, int]]:
        return chain(self.first, self.period, self.leaves, months)


def chain(first: int, life: int, until: float, months: int) -> Iterator[tuple[int, int]]:
    """What begins at first, first + life, … (until `until`), where it is there in the horizon: (start, end)."""
    for start in range(first, months, life):
        end = min(start + life, until)
        if start < until and end > 0:
            yield start, end


class Pool:
    """A pool of any kind; of each month it keeps what is taken, hour by hour."""

    def __init__(self, doc: dict, exchange_of, months: int):
        self.stated, self.doc, self.id, self.kind, self.months = doc, doc, doc["id"], doc["kind"], months
        self.ramp_months = doc.get("ramp_months", 0)
        self.serves = False  # set by the workloads: whether inference lists it
        self.learning = rate_of(doc.get("ramp", 1))
        self.learned_by_month: dict[int, float] = {}
        self.cal: Any = None  # set by the evaluation
        self.between = 1.0  # the part of the time between bursts in which instances run that only they need
        self.site: Any = None  # set by the evaluation; None where it is unknown
        self.keeps = 1 - doc.get("discount_fraction", 0)  # section 5: the private price of a public list
        if self.kind == "api":
            endpoint = doc.get("endpoint", {})
            self.doc, self.exchange = {**endpoint, **doc}, exchange_of(endpoint) if endpoint else 1.0
            self.later_rates = endpoint.get("later_rates", [])
            self.there, self.follows_demand = self.doc.get("availability_fraction", 1), True
            self.unit_serves = 0.0  # of provisioned units: set by the workload that they are bought for
            return
        self.holder = doc["offer"] if self.kind == "cloud" else doc["server"]  # what holds the devices
        self.device = Device(self.holder["device"])
        self.per_holder = self.holder["devices"]
        self.exchange = exchange_of(self.holder)
        self.later_rates = self.holder.get("later_rates", [])  # currencies.py
        self.host_idle = self.holder.get("host_idle_w", 0)
        self.host_max = self.holder.get("host_max_w", 0)
        if self.kind == "cloud":
            self.open_cloud()
        else:
            self.open_owned()

    def live_by(self, cal: Any) -> None:
        self.cal = cal
        if is_by_days(self.stated):
            self.first = month_of_start(self.stated, cal)

    def open_cloud(self) -> None:
        """Section 5, "From when, for how long"."""
        self.interruptions = self.holder.get("interruptions_per_hour", 0)
        self.unknown_interruptions = self.holder["purchase"] == "spot" and "interruptions_per_hour" not in self.holder
        self.committed = self.holder["purchase"] in COMMITTED
        self.follows_demand = not self.committed
        self.there = self.holder.get("availability_fraction", 0.9 if self.holder["purchase"] == "spot" else 1)
        self.hourly_price = rate_of(self.holder["hourly_price"])
        self.first = self.doc.get("from_month", 0)
        self.until = self.first + self.doc["months"] if "months" in self.doc else self.months
        self.term = 1 if self.holder["purchase"] == "dedicated" else self.holder.get("term_months")

    def open_owned(self) -> None:
        self.interruptions, self.unknown_interruptions = self.holder.get("failures_per_hour", 0), False
        self.shape, self.factor = self.holder.get("failure_shape"), rate_of(self.holder.get("failure_factor", 1))
        self.there, self.follows_demand = 1, False
        self.nameplate_w = self.host_max + self.per_holder * self.device.tdp  # of one server
        self.life = self.holder["life_months"]
        refresh = self.doc.get("refresh", False)
        lots = [Lot(p, self.life, refresh, self.doc.get("loan")) for p in self.doc["purchases"]]
        self.lots = [lot for lot in lots if lot.leaves > 0]  # one whose life is over is ignored

    def exists(self, m: int) -> bool:
        """Of a cloud or API pool: whether it is there in month m, with something in it."""
        if self.kind == "cloud" and is_by_days(self.stated):
            (begins, ends), month = edges_of(self.stated, self.cal), edges(self.cal, m)
            return begins < min(ends, month.stop) and month.start < ends and self.doc["max_instances"] > 0
        return self.kind == "api" or self.first <= m < self.until and self.doc["max_instances"] > 0

    def servers(self, m: int) -> tuple[int, int]:
        """Servers of an owned pool in service in month m, and those of them in their ramp."""
        serving = [lot for lot in self.lots if lot.serves(m)]
        # Reading: the ramp is the lot's first ramp_months, however short its life or lease.
        in_ramp = sum(lot.servers for lot in serving if m < lot.first + self.ramp_months)
        return sum(lot.servers for lot in serving), in_ramp

    def failures_at(self, age: int) -> float:
        """Section 4, "Failures by age": of a server an hour, in the month that begins at this age."""
        if self.shape is None:
            return self.interruptions * rate_at(self.factor, age)
        weibull = lambda months: (months / self.life) ** self.shape * self.life  # its cumulated hazard, life at the end of life
        return self.interruptions * (weibull(age + 1) - weibull(age))

    def failures_in(self, m: int) -> float:
        """The mean over the servers in service; of a cloud pool its interruptions in every month."""
        if self.kind != "owned" or not {"failure_shape", "failure_factor"} & self.holder.keys():
            return self.interruptions
        ages = [(lot.servers, (m - lot.first) % lot.period) for lot in self.lots if lot.serves(m) and lot.servers]
        servers = sum(count for count, _ in ages)
        return sum(count * self.failures_at(age) for count, age in ages) / servers if servers else self.interruptions

    def later_rate(self, month: int) -> float:
        """Section 8, "Currencies": the exchange rate of a month over the first one's, which `exchange` is."""
        return self.later_rates[min(max(month, 0), len(self.later_rates) - 1)] if self.later_rates else 1.0

    def first_serving_month(self) -> float:
        """Section 5, `ramp`: f, the first month with a server past its ramp_months; it may be negative."""
        if self.kind == "cloud":
            return self.first + self.ramp_months
        # Reading: a lot without servers, or that leaves within its ramp_months, does not count.
        lots = [lot.first for lot in self.lots if lot.servers and lot.first + self.ramp_months < lot.leaves]
        return min(lots, default=0) + self.ramp_months

    def learned(self, m: int) -> float:
        """Section 5, `ramp`: the part of its throughput that a cloud or owned pool has in month m."""
        if m not in self.learned_by_month:
            self.learned_by_month[m] = rate_at(self.learning, m - self.first_serving_month())
        return self.learned_by_month[m]

    def has_capacity(self) -> bool:
        """Section 8, engineering: in some month there are devices past their ramp, instances, or a bound above 0.
        Reading: a cloud pool's ramp is no matter here; it exists, and that is enough."""
        if self.kind == "api":
            return self.doc.get("provisioned_units", self.doc.get("max_units_per_s", math.inf)) > 0
        if self.kind == "cloud":
            return any(self.exists(m) for m in range(self.months))
        return any(self.servers(m)[0] > self.servers(m)[1] for m in range(self.months))

    def instance_price(self, cal: Calendar, m: int) -> float:
        """The hourly price of an instance in month m, in the scenario's currency, discounted and grown."""
        growth = (1 + self.holder.get("price_growth_rate", 0)) ** (m / 12)
        return cal.at_month(self.hourly_price, m) * growth * self.exchange * self.later_rate(m) * self.keeps

    def open_month(self, cal: Calendar, m: int) -> None:
        """Prices and empty books of month m."""
        n = len(cal.hours[m])
        self.reserved, self.busy, self.taken = [0.0] * n, [0.0] * n, [0.0] * n
        self.standby, self.stands_in = [0.0] * n, [0.0] * n  # devices that only an outage asks for, and the part of the hour
        self.started = [0.0] * n  # devices that only bursts need, between them
        self.absent = [0.0] * n  # of the reserved, in the mean over the hour
        self.gang_devices, self.gang_instances, self.gang_busy = [0.0] * n, [0.0] * n, [0.0] * n
        self.hours_reserved: dict[str, float] = defaultdict(float)  # device-hours by workload
        self.hours_busy: dict[str, float] = defaultdict(float)
        self.units: dict[str, float] = defaultdict(float)  # of an API pool, by workload
        if self.kind == "api":
            self.bound = self.doc.get("max_units_per_s", math.inf)
            if "provisioned_units" in self.doc:
                self.bound = self.doc["provisioned_units"] * self.unit_serves
        elif self.kind == "cloud":
            self.price = self.instance_price(cal, m)
            there, ramping = self.exists(m), m < self.first + self.ramp_months
            self.instances = self.doc["max_instances"] if there and not ramping else 0  # that can serve
            self.always_on = self.doc.get("min_instances", 0) if there else 0
            self.free_devices = self.instances * self.per_holder
            self.within = hours_within(self.stated, cal, m)
        else:
            self.in_service, self.in_ramp = self.servers(m)
            self.free_devices = (self.in_service - self.in_ramp) * self.per_holder
            self.nameplate_kw = self.in_service * self.nameplate_w / 1000

    def devices_at(self, h: int) -> float:
        """That can serve in an hour."""
        return self.free_devices if self.kind != "cloud" or self.within[h] else 0

    def running_instances(self, h: int) -> float:
        """Section 6: instances of a cloud pool running in an hour."""
        if self.started[h] > 0:
            return self.running_for_bursts(h)
        held = ceil_forgiving(self.reserved[h] / self.per_holder)
        if self.standby[h] > 0 and self.follows_demand:
            sure = ceil_forgiving((self.reserved[h] - self.standby[h]) / self.per_holder)
            held = sure + self.stands_in[h] * (held - sure)
        used = held + self.gang_instances[h]
        return max(self.always_on, used) if self.within[h] else 0

    def running_for_bursts(self, h: int) -> float:
        """Devices that are needed in a larger part of the hour, too, where others are: the mean over these parts."""
        parts = [(1.0, self.reserved[h] - self.standby[h] - self.started[h]), (self.stands_in[h], self.standby[h]),
                 (self.between, self.started[h])]
        ends = sorted({part for part, _ in parts} | {0.0})
        running = lambda t: max(self.always_on, ceil_forgiving(sum(held for part, held in parts if part > t) / self.per_holder))
        return math.fsum((end - begin) * running((begin + end) / 2) for begin, end in zip(ends, ends[1:]))

    def start_for_bursts(self, h: int, devices: float) -> None:
        """Devices that are reserved for bursts alone, between them."""
        self.started[h] += devices
        self.absent[h] += (1 - self.between) * devices

    def stand_by(self, h: int, devices: float, part: float) -> None:
        """Devices that are reserved for what outages leave, and asked in a part of the hour."""
        if devices > 0:
            self.standby[h] += devices
            self.stands_in[h] = max(self.stands_in[h], part)
            self.absent[h] += (1 - part) * devices

    def idle_watts(self) -> float:
        """Section 7: of a device past its ramp that waits for work."""
        return self.device.serving(0) if self.serves else self.device.idle

    def device_watts(self, h: int, devices: float) -> float:
        """Section 7: of devices past their ramp: gangs draw all, the others what they serve among themselves."""
        gangs = self.gang_busy[h]
        others, serving = max(0.0, devices - gangs), max(0.0, self.busy[h] - gangs)
        u = min(1.0, serving / others) if others > 1e-9 else 0.0
        if not self.serves:
            each = self.device.idle
        elif self.kind == "owned" and self.doc.get("load_balancing", "spread") == "pack":
            each = u * self.device.serving(1) + (1 - u) * self.device.serving(0)
        else:
            each = self.device.serving(u)
        return gangs * self.device.full + others * each

    def it_watts(self, h: int) -> tuple[float, float, float]:
        """Section 7: paid devices, utilization u and IT power (W) in hour h."""
        if self.kind == "cloud":
            instances = self.running_instances(h)
            devices = instances * self.per_holder
            u = self.busy[h] / devices if devices else 0.0
            hosts = instances * (self.host_idle + (self.host_max - self.host_idle) * u)
            return self.there * devices, u, self.there * (self.device_watts(h, devices) + hosts)
        if not self.in_service:
            return 0.0, 0.0, 0.0
        servers = self.in_service - self.in_ramp
        active, ramping, busy = self.free_devices, self.in_ramp * self.per_holder, self.busy[h]
        u = busy / active if active else 0.0
        watts = self.device_watts(h, active)
        watts += servers * (self.host_idle + (self.host_max - self.host_idle) * u)
        watts += ramping * self.device.idle + self.in_ramp * self.host_idle
        return self.in_service * self.per_holder, u, watts

    def servers_in_rack(self, site: dict) -> int | None:
        """Section 8, facility: by power where rack_kw is given, else by height; None if neither is known."""
        height = self.holder.get("rack_units")
        if "rack_kw" in site:
            return floor_forgiving(site["rack_kw"] * 1000 / self.nameplate_w)
        return floor_forgiving(site.get("rack_units_per_rack", 42) / height) if height else None
