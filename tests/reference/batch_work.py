"""Sections 4 and 6 of docs/model.md: training and batch inference, which fill the month and carry over what is left."""
from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from curves import Calendar, ceil_forgiving, floor_forgiving
from ledger import Finance

if TYPE_CHECKING:
    from dispatch import Entry, Workload

ROUNDING = 1e-12  # a part of the work that rounding leaves is done


def work_of(workload: Workload, cal: Calendar, m: int) -> float:
    """Units of the month's own work."""
    if workload.kind == "training":
        return cal.at_month(workload.monthly, m) * workload.doc["units_per_epoch"]
    return cal.at_month(workload.monthly, m) * workload.units_per_request


def do_work(workload: Workload, cal: Calendar, finance: Finance, m: int) -> None:
    """Month m's own work and the backlog, one amount, into the hours that inference and earlier workloads left."""
    own = work_of(workload, cal, m)
    workload.demanded[m] += own
    work = left = own + workload.backlog.get(m - 1, 0.0)
    for entry in workload.order_of_month(cal, finance, m):
        done = take(entry, cal, m, left) if entry.pool.kind == "api" else fill(entry, cal, m, left)
        left -= done
        if left <= ROUNDING * work:
            done, left = done + left, 0.0
        entry.units[m] += done
    carried = workload.doc.get("carry_over", True) and m < cal.months - 1
    workload.backlog[m] = left if carried else 0.0
    workload.unserved[m] += 0.0 if carried else left


def take(entry: Entry, cal: Calendar, m: int, work: float) -> float:
    """Batch work on an API pool: all hours in equal proportion, of what inference and earlier batch work left."""
    pool, hours = entry.pool, range(len(cal.hours[m]))
    left = [pool.bound - pool.taken[h] for h in hours]
    capacity = pool.there * sum(left) * 3600
    part = min(1.0, work / capacity) if capacity > 0 else 0.0
    for h in hours if pool.bound < float("inf") else ():
        pool.taken[h] += part * left[h]
    done = min(work, capacity)
    pool.units[entry.workload.id] += done
    return done


def fill(entry: Entry, cal: Calendar, m: int, work: float) -> float:
    """Section 6: work fills the cheapest hours first, hours of equal price in equal proportion."""
    pool, left, done = entry.pool, work, 0.0  # summed apart: work − left says little of a small part of it
    classes: dict[float, list[int]] = defaultdict(list)
    for h in range(len(cal.hours[m])):
        price = round(pool.site.tariff[h], 9) if pool.kind == "owned" else 0.0  # a cloud pool has one price
        classes[price].append(h)
    for price in sorted(classes):
        gangs = [(h, free_gangs(entry, h)) for h in classes[price]] if left > ROUNDING * work else []
        capacity = pool.there * sum(g for _, g in gangs) * entry.rate_in(m) * 3600
        if capacity <= 0:
            continue
        part = min(1.0, left / capacity)
        for h, free in gangs:
            run_gangs(entry, h, part * free)
        done += min(left, capacity)
        left = left - capacity if part == 1.0 else 0.0
    return done


def run_gangs(entry: Entry, h: int, running: float) -> None:
    """Gangs of an hour, or parts of them: what they hold, and what of it is busy."""
    pool, held, busy = entry.pool, running * entry.held, running * entry.devices
    pool.gang_devices[h] += held
    pool.gang_instances[h] += running * entry.gang_instances
    pool.gang_busy[h] += busy
    pool.busy[h] += busy  # Reading: a gang starved of input is busy too
    pool.hours_reserved[entry.workload.id] += pool.there * held
    pool.hours_busy[entry.workload.id] += pool.there * busy


def free_gangs(entry: Entry, h: int) -> int:
    pool = entry.pool
    if pool.kind == "cloud":
        free = pool.instances - ceil_forgiving(pool.reserved[h] / pool.per_holder) - pool.gang_instances[h]
        return max(0, floor_forgiving(free / entry.gang_instances))
    free = pool.free_devices - pool.reserved[h] - pool.gang_devices[h]
    return max(0, floor_forgiving(free / entry.held))
