"""Sections 4 and 6 of docs/model.md: workloads, their demand by hour, and which pool serves it. No ledger."""
from __future__ import annotations

import math
from collections import defaultdict

from batch_work import do_work
from classes import (billed_prices, classes_of, fees_of_request, in_tier, is_price_doubtful, prefix_price, requests_of, tier_of,
                     units_of_request)
from bursts import factors_of
from commitments import buys_units, served_by_unit, without_tokens
from curves import Calendar, ceil_forgiving, floor_forgiving, rate_of
from ledger import Finance
from outages import NOTHING, chance_short, down_hours, expected, up_fraction, waited_for
from pairs import half_of, infer_pair, is_pair, transfer, units_of
from parts import Routed, by_share, has_shares
from performance import Performance, training_goodput, weakest
from placement import instances_of_gang, replicas_of_host, with_spare_hosts
from pools import Pool
from rented import egress_price, is_storage_unknown, stored_gb

UNITS_PER_MILLION = 1e6
EQUAL = 1e-9  # marginal costs a unit are equal within this part of the larger


class Entry:
    """One runs_on entry: a workload on a pool, with what a replica or gang of it does there."""

    def __init__(self, doc: dict, workload: Workload, place: int, pools: list[Pool]):
        pool = pools[place]
        self.pool, self.workload = pool, workload
        pool.serves = pool.serves or workload.kind == "inference"
        self.engineer_weeks = doc.get("porting", {}).get("engineer_weeks", 0)
        self.units: dict[int, float] = defaultdict(float)  # served, by month
        self.evidence: str | None = None  # an API pool has no performance
        self.batch: float | None = None
        self.starts = False  # replicas for bursts, which otherwise are held all the hour
        if pool.kind == "api":
            bought = buys_units(pool.doc)
            tier = "standard" if bought else tier_of(workload.doc, doc, pool.doc)
            priced, self.price_factor = (without_tokens(pool.doc), 1.0) if bought else in_tier(pool.doc, tier)
            self.billed = priced
            if bought:
                pool.unit_serves = served_by_unit(pool.doc, workload.doc)
            self.requests = self.requests_billed(priced)
            self.listed = self.requests_billed(pool.doc)  # by the token, where units are bought
            self.evidence = "assumed" if is_price_doubtful(pool.doc, workload.doc, tier) else None
            return
        asked = half_of(workload.doc, place, pools) if is_pair(workload.doc) else workload.doc
        self.performance = performance = Performance(doc["performance"], asked, pool.device.doc, pool.per_holder)
        self.devices, self.units_per_s, self.evidence = performance.devices, performance.units_per_s, performance.evidence()
        self.egress_gb = workload.doc.get("egress_gb_per_unit", 0)
        if is_pair(workload.doc):
            self.units_per_s *= units_of(workload.doc) / units_of(asked)
            if place == 0:
                gb, seconds, is_charged = transfer(workload.doc, pools)
                self.egress_gb = gb / units_of(workload.doc) if is_charged else 0.0
                self.units_per_s = min(self.units_per_s, units_of(workload.doc) / seconds if seconds > 0 else math.inf)
        self.batch = performance.batch
        self.usable = min(workload.doc.get("peak_utilization", 1), performance.share)
        if pool.unknown_interruptions:  # section 4: counts as 0, with a warning; Reading: of batch work too
            self.evidence = weakest([self.evidence, "assumed"])
        self.stored_gb = stored_gb(workload.doc, doc)
        if pool.kind == "cloud" and is_storage_unknown(workload.doc, doc, pool.holder):
            self.evidence = weakest([self.evidence, "assumed"])
        self.goodput, self.up = self.goodput_of(workload, pool, pool.interruptions)
        self.rate = self.units_per_s * self.goodput  # before `ramp`
        self.kept_by_month: dict[int, tuple[float, float]] = {}
        spares = workload.doc.get("spare_hosts", 0)
        self.held = with_spare_hosts(self.devices, pool.per_holder, spares)
        self.gang_instances = self.held / pool.per_holder if spares else instances_of_gang(self.devices, pool.per_holder)
        self.on_a_host = replicas_of_host(self.devices, pool.per_holder)

    def requests_billed(self, priced: dict) -> list[tuple]:
        prompts = {"cached_input": 0, "cache_write": 0} if "prefix" in self.workload.doc else {}  # priced, of whatever units
        return [(share, units, billed_prices(priced, units and prompts | units)) for share, units in requests_of(self.workload.doc)]

    def listed_price(self, cal: Calendar, finance: Finance, m: int) -> float:
        """What tokens of a unit would cost by the token, in the standard tier; fees are paid either way."""
        fees = self.unit_price(cal, finance, m)
        saved, self.requests, self.billed = (self.requests, self.billed), self.listed, self.pool.doc
        price = self.unit_price(cal, finance, m)
        self.requests, self.billed = saved
        return price - fees

    def goodput_of(self, workload: Workload, pool: Pool, failures: float) -> tuple[float, float]:
        """Section 4: the part of its throughput that interruptions leave to a gang; section 6: the part of its time in which a
        replica is up. A batch gang loads its model again, and waits for a host where that is paid meanwhile."""
        check = workload.doc.get("checkpoint", {})
        hosts = ceil_forgiving(self.devices / pool.per_holder)
        restart_s = check.get("restart_s", 0)
        down = down_hours(restart_s, pool.holder.get("replacement_s", 0), pool.holder.get("repair_hours", 0))
        if spares := workload.doc.get("spare_hosts", 0):  # those in repair are Poisson (Palm); one that fails finds them so
            repair = down - restart_s / 3600
            in_repair = failures * (hosts + spares) * repair
            free = math.fsum(math.exp(-in_repair) * in_repair ** k / math.factorial(k) for k in range(spares))
            down = restart_s / 3600 + repair * (1 - free)
        up = up_fraction(failures, hosts, down)
        if workload.kind == "inference":
            return 1.0, up
        if workload.kind == "batch":
            is_unpaid = pool.kind == "cloud" and not pool.committed and hosts <= 1
            return (up_fraction(failures, hosts, restart_s / 3600) if is_unpaid else up), 1.0
        interval = check["interval_s"] / 3600 if "interval_s" in check else None
        return training_goodput(failures * hosts, check.get("write_s", 0) / 3600, down, interval), 1.0

    def rate_in(self, m: int) -> float:
        """units/s of a replica or gang in month m, goodput and the pool's learning curve included."""
        return self.units_per_s * self.kept_in(m)[0] * self.pool.learned(m)

    def kept_in(self, m: int) -> tuple[float, float]:
        """What failures leave at the ages of the month's servers: of a gang's rate, and of a replica's time."""
        if m not in self.kept_by_month:
            self.kept_by_month[m] = self.goodput_of(self.workload, self.pool, self.pool.failures_in(m))
        return self.kept_by_month[m]

    def class_price(self, cal: Calendar, finance: Finance, m: int) -> dict[str, float]:
        """Section 5, API: the price of one unit of each class in month m, the mean over all requests."""
        level = self.pool.keeps * finance.growth("usage", m) / UNITS_PER_MILLION
        level *= self.price_factor * self.pool.exchange * self.pool.later_rate(m)
        total: dict[str, float] = defaultdict(float)
        mean = self.workload.classes
        for share, units, parts in self.requests:
            each: dict[str, float] = defaultdict(float)
            for of_class, prices in parts:
                for c, price in prices.items():
                    each[c] += of_class * cal.at_month(price, m) * level
            if units is None:
                return each
            if "prefix" in self.workload.doc:
                prefix = self.workload.doc["prefix"]
                cached = prefix["tokens"] / units["input"]
                each["input"] += cached * (prefix_price(prefix, self.billed.get("cache", {}), each) - each["input"])
            for c in units:
                total[c] += share * each[c] * (units[c] / mean[c] if mean[c] else 1)
        return total

    def fee(self, cal: Calendar, finance: Finance, m: int) -> float:
        """Of a unit: what a request is charged beside units, the same in every tier."""
        fees = sum(cal.at_month(fee, m) * times for fee, times in fees_of_request(self.pool.doc, self.workload.doc))
        level = self.pool.keeps * finance.growth("usage", m) * self.pool.exchange * self.pool.later_rate(m)
        return fees * level / units_of_request(self.workload.doc)

    def unit_price(self, cal: Calendar, finance: Finance, m: int) -> float:
        """Of a unit of a mean request."""
        tokens = sum(price * self.workload.part(c) for c, price in self.class_price(cal, finance, m).items())
        return tokens + self.fee(cal, finance, m)

    def egress_price(self, finance: Finance, m: int) -> float:
        """Of the egress of one unit."""
        if self.pool.kind != "cloud":
            return 0.0
        per_gb = egress_price(self.pool.holder, self.workload.doc.get("egress_destination", ""))
        return per_gb * self.pool.exchange * finance.growth("egress", m) * self.egress_gb

    def marginal_costs(self, cal: Calendar, finance: Finance, m: int, rent: float = 1.0) -> list[float]:
        """Section 6, "cheapest": marginal cost per unit in each hour of month m, egress and carbon included; with `rent`
        times the hourly price of what follows demand."""
        pool, n, per_g = self.pool, len(cal.hours[m]), finance.carbon_price / 1e6
        if pool.kind == "api":
            return [self.unit_price(cal, finance, m) + pool.doc.get("carbon_g_per_unit", 0) * per_g] * n
        work = self.rate_in(m) * 3600  # units of a replica in an hour
        full = pool.device.serving(1) if self.workload.kind == "inference" else pool.device.full
        watts = self.devices * (full - pool.idle_watts())
        if pool.kind == "owned":
            watts += self.devices / pool.per_holder * (pool.host_max - pool.host_idle)
        kwh = [watts / 1000 * pool.site.marginal_pue(h) / work if pool.site else 0.0 for h in range(n)]  # of a unit
        known = pool.site is not None and pool.site.carbon_is_known
        carbon = [kwh[h] * pool.site.intensity[h] * per_g if known else 0.0 for h in range(n)]
        if pool.kind == "owned":
            return [kwh[h] * pool.site.tariff[h] + carbon[h] for h in range(n)]
        hourly = pool.price * self.held / pool.per_holder / work * rent if pool.follows_demand else 0.0
        return [hourly + self.egress_price(finance, m) + carbon[h] for h in range(n)]


def cheapest_first(costs: list[float]) -> list[int]:
    """Indices in order of cost; costs equal within 1e-9 of the larger keep the list's order.
    Reading: the least cost that is left decides, and of those equal to it the first in the list comes next."""
    left, order = list(range(len(costs))), []
    while left:
        least = min(costs[k] for k in left)
        equal = [k for k in left if costs[k] - least <= EQUAL * max(abs(costs[k]), abs(least))]
        order.append(equal[0])
        left.remove(equal[0])
    return order


class Workload:
    """A workload, and what became of its demand."""

    def __init__(self, doc: dict, pools: dict[str, Pool]):
        self.doc, self.id, self.kind = doc, doc["id"], doc["kind"]
        self.classes, self.units_per_request = classes_of(doc), units_of_request(doc)
        on = [pools[e["pool"]] for e in doc["runs_on"]]
        self.entries = [Entry(e, self, place, on) for place, e in enumerate(doc["runs_on"])]
        self.answering = self.entries[1:] if is_pair(doc) else self.entries
        self.demanded: dict[int, float] = defaultdict(float)  # units, by month
        self.unserved: dict[int, float] = defaultdict(float)
        self.no_room: dict[int, float] = defaultdict(float)  # of it, what was not lost to outages
        self.spares = doc.get("spare_replicas", 0)
        self.backlog: dict[int, float] = {}  # of training and batch work, at the month's end
        self.billed: dict[tuple[str, str], float] = defaultdict(float)  # usage by (pool, class) over the horizon
        if self.kind == "inference":
            self.demand = doc["demand"]
            self.zone = self.demand.get("time_zone", "UTC")
            self.shape = rate_of(self.demand.get("utilization", self.demand.get("shape", 1)))
        else:
            self.monthly = rate_of(doc.get("epochs_per_month" if self.kind == "training" else "requests_per_month", 0))
        self.run_days: dict[int, float] = {}  # of a run, by month
        self.hours_until_done = 0.0  # of what a day brings, at most
        self.route_of_month: list[Entry] = []  # of training and batch work

    def part(self, of_class: str) -> float:
        """The class's share of a request."""
        return self.classes[of_class] / self.units_per_request if self.classes else 1.0

    def hourly_demand(self, cal: Calendar, m: int) -> list[float]:
        """Section 4: inference demand in units/s."""
        demand = self.demand
        if "utilization" in demand:
            scale = demand["reference_devices"] * demand["units_per_s_per_device"]
        else:
            scale = demand["mean_per_s"] * self.units_per_request
        scale *= (1 + demand.get("growth_per_month", 0)) ** m
        factors = factors_of(demand, cal.phases)
        return [scale * y * factors[h % len(factors)] for h, y in enumerate(cal.hourly(self.shape, m, self.zone))]

    def route(self, cal: Calendar, finance: Finance, m: int) -> None:
        """Section 6: one month of this workload; all inference must have been routed before the others."""
        if self.kind == "inference" and has_shares(self):
            self.infer_by_share(cal, m)
        elif self.kind == "inference" and is_pair(self.doc):
            infer_pair(self, cal, m, serve_hour)
        elif self.kind == "inference":
            self.infer(cal, m)
        else:
            do_work(self, cal, finance, m)

    def order_of_month(self, cal: Calendar, finance: Finance, m: int) -> list[Entry]:
        """Section 6: entries in their order, or the cheapest by the mean over the month's hours first."""
        if self.doc.get("routing", "in_order") != "cheapest":
            return self.entries
        n = len(cal.hours_of(m))
        means = [cal.sum(entry.marginal_costs(cal, finance, m)) / n for entry in self.entries]
        return [self.entries[k] for k in cheapest_first(means)]

    def infer_by_share(self, cal: Calendar, m: int) -> None:
        """Inference in every hour of month m, each entry its share."""
        demand, n = self.hourly_demand(cal, m), len(cal.phases)
        for first in range(0, len(demand), n):
            phases = [Routed(self, m, h, demand[h]) for h in range(first, first + n)]
            by_share(phases)
            for h, routed in zip(range(first, first + n), phases):
                routed.book(cal.lasts(h))

    def infer(self, cal: Calendar, m: int) -> None:
        """Inference in every hour of month m, entries in their order."""
        demand, phases = self.hourly_demand(cal, m), len(cal.phases)
        for first in range(0, len(demand), phases):
            moments = range(first, first + phases)
            left, room = {h: demand[h] for h in moments}, dict.fromkeys(moments, 0.0)
            chance = dict.fromkeys(moments, 1.0)  # that anything is left
            for entry in self.entries:
                part = max((chance[h] for h in moments if left[h] > 0), default=1.0) if entry.pool.kind != "api" else 1.0
                most = max(left.values()) / part
                for h in moments:
                    asked = left[h] / part
                    served, found, short = serve_hour(entry, cal, m, h, asked, most, part)
                    room[h] += found
                    left[h] = left[h] - served if left[h] - served > NOTHING * demand[h] else 0.0
                    if entry.pool.kind != "api" and left[h] > 0:
                        chance[h] = waited_for(max(part * short, left[h] / asked))
            for h in moments:
                seconds = 3600 * cal.lasts(h)
                self.demanded[m] += demand[h] * seconds
                self.unserved[m] += left[h] * seconds
                self.no_room[m] += min(left[h], max(0.0, demand[h] - room[h])) * seconds


def serve_hour(entry: Entry, cal: Calendar, m: int, h: int, asked: float, most: float, part: float) -> tuple[float, float, float]:
    """Section 6, steps 1 and 2: units/s of `asked` that this entry serves in moment h of month m, in expectation, and those for
    which it has room where nothing fails, and the chance that it serves less than asked. `most` is what the hour's highest phase
    asks: replicas for it are held in all of it. It is asked in `part` of the moment: an outage asks, and more at a time then."""
    pool, there, lasts = entry.pool, entry.pool.there, cal.lasts(h)
    if pool.kind == "api":
        room = min(asked, pool.bound - pool.taken[h])
        pool.taken[h] += room
        pool.units[entry.workload.id] += there * room * 3600 * lasts
        entry.units[m] += there * room * 3600 * lasts
        return there * room, room, 1.0
    rate = entry.rate_in(m)
    at_peak = rate * entry.usable
    wanted = ceil_forgiving(most / at_peak)
    fit = floor_forgiving((pool.devices_at(h) - pool.reserved[h]) / entry.held)
    replicas = min(wanted + entry.workload.spares, fit) if wanted > 0 else 0
    needed = replicas
    if entry.starts and part == 1:
        here = ceil_forgiving(asked / at_peak)
        needed = min(replicas, here + entry.workload.spares) if here > 0 else 0
        pool.start_for_bursts(h, (replicas - needed) * entry.held)
    running = needed if pool.follows_demand or wanted <= 0 else fit
    served = expected(asked, at_peak, running, entry.kept_in(m)[1], entry.on_a_host)
    held, busy = replicas * entry.held, served / rate * entry.devices
    pool.reserved[h] += held  # as in the part of the hour in which the pool is there
    if part < 1:
        pool.stand_by(h, held, part)
    pool.busy[h] += part * busy
    in_mean = held - (replicas - needed) * (1 - pool.between) * entry.held
    pool.hours_reserved[entry.workload.id] += there * part * in_mean * lasts
    pool.hours_busy[entry.workload.id] += there * part * busy * lasts
    entry.units[m] += there * part * served * 3600 * lasts
    short = 1 - there + there * chance_short(asked, at_peak, running, entry.kept_in(m)[1], entry.on_a_host)
    return there * part * served, part * min(asked, running * at_peak), short
