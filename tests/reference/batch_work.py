"""Sections 4 and 6 of docs/model.md: training and batch inference, which fill the month and carry over what is left."""
from __future__ import annotations

import copy
import math
from collections import defaultdict
from typing import TYPE_CHECKING, Any

from curves import Calendar, ceil_forgiving, floor_forgiving
from ledger import Finance
from parts import has_shares, parts_of
from rented import edges, edges_of, is_by_days

if TYPE_CHECKING:
    from dispatch import Entry, Workload

CHANGED = ("taken", "units", "gang_devices", "gang_instances", "gang_busy", "busy", "hours_reserved", "hours_busy")  # of a pool
ROUNDING = 1e-12  # a part of the work that rounding leaves is done


def is_run(workload: Workload) -> bool:
    return "epochs" in workload.doc


def share_of_month(workload: Workload, cal: Calendar, m: int) -> float:
    """The part of a month that is left when a run begins: all but of the first."""
    days = (cal.first_day(1) - cal.first_day(0)).days
    return (days + 1 - workload.doc.get("start_day", 1)) / days if m == 0 else 1.0


def share_of_day(workload: Workload) -> float:
    """In which the requests of a day are done: of its hours, whichever they are."""
    return min(1.0, workload.doc.get("deadline_hours", 24) / 24)


def start_hours(entry: Entry) -> float:
    """That a gang of batch work takes each time it starts on an instance that is rented for it."""
    pool, batch = entry.pool, entry.workload.kind == "batch"
    rents = pool.kind == "cloud" and not pool.committed
    return entry.workload.doc.get("checkpoint", {}).get("restart_s", 0) / 3600 if batch and rents else 0.0


def usable_share(entry: Entry) -> float:
    """The part of a day in which gangs work: less one start, where they stop between."""
    share, start = share_of_day(entry.workload), start_hours(entry)
    return max(0.0, share - start / 24) if share < 1 else share


def held_hours(entry: Entry, worked: float, month_hours: float) -> float:
    """Section 6, Starts of batch work: gang-hours that are held for those that work."""
    count = month_hours / 24 if "deadline_hours" in entry.workload.doc else 1.0
    length = month_hours / count
    opened = share_of_day(entry.workload) * length
    rented = max(1.0, entry.gang_instances)  # at once
    each = worked / count * entry.gang_instances / rented
    rest = each - min(each, floor_forgiving(entry.pool.always_on / rented) * opened)
    through = floor_forgiving(rest / length) if opened >= length else 0
    left, start = rest - through * length, start_hours(entry)
    starting = max(0, ceil_forgiving(left / (opened - start))) * start if opened > start else 0.0
    if opened >= length and left > 1e-9 * length and (opened <= start or starting > length - left):
        starting = length - left  # one more runs through instead
    return count * (each + starting) * rented / entry.gang_instances


def windows(workload: Workload, cal: Calendar, m: int) -> list[tuple[list[Entry], float, float]]:
    """Section 6: the windows of a run in a month: its entries, the part of the month in which it may use them, and the part before
    that. `fall_back_after_days` after its start the run moves to its last entry."""
    open_part, entries = share_of_month(workload, cal, m), workload.entries
    if "fall_back_after_days" not in workload.doc:
        return [(workload.route_of_month, open_part, 0.0)]
    gone = (cal.first_day(m) - cal.first_day(0)).days - (workload.doc.get("start_day", 1) - 1 if m else 0)
    days = (cal.first_day(m + 1) - cal.first_day(m)).days
    turn = min(max(workload.doc["fall_back_after_days"] - gone, 0) / days, open_part)
    return [(entries[:-1], turn, 0.0), (entries[-1:], open_part - turn, turn)]


def go_on(workload: Workload, cal: Calendar, m: int, work: float) -> float:
    """Section 6: a run is one gang, at each moment on the first of its entries that is to be had, each by itself. Gives what is
    left of its work."""
    hours, month_hours, left = range(len(cal.hours[m])), sum(map(cal.lasts, range(len(cal.hours[m])))), work
    went_on = 0.0
    for entries, most, before in windows(workload, cal, m):
        if any(is_in_hours(entry.pool) for entry in entries):
            left, ended = by_the_hour(workload, cal, m, left, entries, most, before)
            went_on = went_on if ended is None else ended
            left = 0.0 if left <= ROUNDING * work else left
            continue
        free = [[free_gangs(entry, h) for h in hours] for entry in entries]
        alone = [entry.pool.there * cal.sum(gangs) / month_hours for entry, gangs in zip(entries, free)]
        parts = [math.prod(1 - part for part in alone[:i]) for i in range(len(entries))]
        speeds = [p * a * entry.rate_in(m) * 3600 * month_hours for p, a, entry in zip(parts, alone, entries)]
        if sum(speeds) <= 0 or left <= 0 or most <= ROUNDING:
            continue
        lasts = min(most, left / sum(speeds))
        for entry, part, gangs, speed in zip(entries, parts, free, speeds):
            for h in hours:
                run_gangs(entry, cal, h, lasts * part * gangs[h])
            entry.units[m] += lasts * speed
        left -= lasts * sum(speeds)
        left = 0.0 if left <= ROUNDING * work else left
        went_on = before + lasts
    workload.run_days[m] = (share_of_month(workload, cal, m) if left > 0 else went_on) * month_hours / 24
    return left


def is_in_hours(pool: Any) -> bool:
    """Whether a rented pool is there for days that are not all of its months."""
    if pool.kind != "cloud" or not is_by_days(pool.stated):
        return False
    begins, ends = edges_of(pool.stated, pool.cal)
    starts = [edges(pool.cal, m).start for m in range(pool.cal.months + 1)]
    return begins not in starts or (ends < starts[-1] and ends not in starts)


def by_the_hour(workload: Workload, cal: Calendar, m: int, left: float, entries: list[Entry], most: float,
                before: float) -> tuple[float, float | None]:
    """The same where a pool is rented for days: the run goes on from hour to hour. Gives what is left, and the part of the month
    in which it went on."""
    month_hours = sum(map(cal.lasts, range(len(cal.hours[m]))))
    opens = 1 - share_of_month(workload, cal, m)
    begins = (opens + before) * month_hours
    ends, at, ended, work = begins + most * month_hours, 0.0, None, left
    for h in range(len(cal.hours[m])):
        open_hours = min(at + cal.lasts(h), ends) - max(at, begins)
        absent, parts = 1.0, []
        for entry in entries:
            there = entry.pool.there * free_gangs(entry, h)
            parts.append(absent * there)
            absent *= 1 - there
        speeds = [part * entry.rate_in(m) * 3600 for part, entry in zip(parts, entries)]
        if open_hours > 0 and left > ROUNDING * work and sum(speeds) > 0:
            lasts = min(open_hours, left / sum(speeds))
            for entry, part, speed in zip(entries, parts, speeds):
                if part > 0:
                    run_gangs(entry, cal, h, lasts / cal.lasts(h) * part / entry.pool.there)
                entry.units[m] += lasts * speed
            left -= lasts * sum(speeds)
            ended = (max(at, begins) + lasts) / month_hours - opens
        at += cal.lasts(h)
    return left, ended


def work_of(workload: Workload, cal: Calendar, m: int) -> float:
    """Units of the month's own work."""
    if is_run(workload):
        return workload.doc["epochs"] * workload.doc["units_per_epoch"] if m == 0 else 0.0
    if workload.kind == "training":
        return cal.at_month(workload.monthly, m) * workload.doc["units_per_epoch"]
    return cal.at_month(workload.monthly, m) * workload.units_per_request


def do_work(workload: Workload, cal: Calendar, finance: Finance, m: int) -> None:
    """Month m's own work and the backlog, one amount, into the hours that inference and earlier workloads left."""
    own = work_of(workload, cal, m)
    workload.demanded[m] += own
    work = left = own + workload.backlog.get(m - 1, 0.0)
    parts = asked_together(workload, cal, m, work) if has_shares(workload) else {}
    workload.route_of_month = workload.order_of_month(cal, finance, m)
    if is_run(workload):
        left = go_on(workload, cal, m, work)
    for entry in [] if is_run(workload) else workload.route_of_month:
        done = do(entry, cal, m, parts.get(id(entry), left))
        left -= done
        if left <= ROUNDING * work:
            done, left = done + left, 0.0
        entry.units[m] += done
    deadline = workload.doc.get("deadline_hours")
    if deadline is not None and left > 1e-9 * work:
        done, hours = work - left, cal.sum([1] * len(cal.hours[m]))
        late = math.inf if done == 0 else deadline * work / done if deadline < 24 else hours * left / done
        workload.hours_until_done = max(workload.hours_until_done, late)
    carried = workload.doc.get("carry_over", True) and m < cal.months - 1
    workload.backlog[m] = left if carried else 0.0
    workload.unserved[m] += 0.0 if carried else left


def do(entry: Entry, cal: Calendar, m: int, work: float) -> float:
    return take(entry, cal, m, work) if entry.pool.kind == "api" else fill(entry, cal, m, work)


def would_do(entry: Entry, cal: Calendar, m: int, work: float) -> float:
    """What the entry does of it, leaving all as it was."""
    pool = entry.pool
    before = {name: copy.copy(getattr(pool, name)) for name in CHANGED}
    done = do(entry, cal, m, work)
    for name, value in before.items():
        setattr(pool, name, value)
    return done


def asked_together(workload: Workload, cal: Calendar, m: int, work: float) -> dict[int, float]:
    """By entry: its share of the work, and what of the others' it could do when they had been asked for theirs."""
    entries = workload.entries
    some_or_none = lambda units: units if units > ROUNDING * work else 0.0
    asked = [some_or_none(units) for units in parts_of(workload, work)]
    left = [some_or_none(units - would_do(entry, cal, m, units)) for entry, units in zip(entries, asked)]
    for k, entry in enumerate(entries):
        others = [other for other in range(len(entries)) if other != k]
        second = math.fsum(left[other] for other in others)
        more = max(0.0, would_do(entry, cal, m, asked[k] + second) - (asked[k] - left[k]))
        asked[k] = asked[k] - left[k] + more
        for other in others:
            taken = min(more, left[other])
            left[other], more = some_or_none(left[other] - taken), more - taken
        left[k] = some_or_none(left[k] - more)
    return {id(entry): units for entry, units in zip(entries, asked)}


def take(entry: Entry, cal: Calendar, m: int, work: float) -> float:
    """Batch work on an API pool: all hours in equal proportion, of what inference and earlier batch work left."""
    pool, hours = entry.pool, range(len(cal.hours[m]))
    left = [pool.bound - pool.taken[h] for h in hours]
    capacity, most = pool.there * cal.sum(left) * 3600, share_of_day(entry.workload)
    part = min(most, work / capacity) if capacity > 0 else 0.0
    for h in hours if pool.bound < float("inf") else ():
        pool.taken[h] += part * left[h]
    done = min(work, most * capacity)
    pool.units[entry.workload.id] += done
    return done


def fill(entry: Entry, cal: Calendar, m: int, work: float) -> float:
    """Section 6: work fills the cheapest hours first, hours of equal price in equal proportion."""
    pool, left, done = entry.pool, work, 0.0  # summed apart: work − left says little of a small part of it
    most, is_urgent = usable_share(entry), entry.workload.doc.get("deadline_hours", math.inf) < 168
    classes: dict[float, list[int]] = defaultdict(list)
    for h in range(len(cal.hours[m])):
        waits = pool.kind == "owned" and not is_urgent  # a cloud has one price
        price = round(pool.site.tariff[h], 9) if waits else 0.0
        classes[price].append(h)
    for price in sorted(classes):
        gangs = [(h, free_gangs(entry, h)) for h in classes[price]] if left > ROUNDING * work else []
        room = pool.there * sum(cal.lasts(h) * g for h, g in gangs)
        capacity = room * entry.rate_in(m) * 3600
        if capacity * most <= 0:
            continue
        part = held = min(most, left / capacity)
        if start_hours(entry) > 0:
            held = min(1.0, held_hours(entry, part * room, sum(map(cal.lasts, range(len(cal.hours[m]))))) / room)
        for h, free in gangs:
            run_gangs(entry, cal, h, held * free, part / held if held > 0 else 1.0)
        done += min(left, most * capacity)
        left = left - most * capacity if part == most else 0.0
    return done


def run_gangs(entry: Entry, cal: Calendar, h: int, running: float, working: float = 1.0) -> None:
    """Gangs of an hour, or parts of them: what they hold, and what of it is busy, in the part of the time in which they work."""
    lasts = entry.pool.there * cal.lasts(h)
    pool, held, busy = entry.pool, running * entry.held, running * working * entry.devices
    pool.gang_devices[h] += held
    pool.gang_instances[h] += running * entry.gang_instances
    pool.gang_busy[h] += busy
    pool.busy[h] += busy  # Reading: a gang starved of input is busy too
    pool.hours_reserved[entry.workload.id] += lasts * held
    pool.hours_busy[entry.workload.id] += lasts * busy


def free_gangs(entry: Entry, h: int) -> int:
    pool, most = entry.pool, 1 if is_run(entry.workload) else math.inf  # a run is one gang
    if pool.kind == "cloud":
        free = pool.devices_at(h) / pool.per_holder - ceil_forgiving(pool.reserved[h] / pool.per_holder) - pool.gang_instances[h]
        return min(most, max(0, floor_forgiving(free / entry.gang_instances)))
    free = pool.devices_at(h) - pool.reserved[h] - pool.gang_devices[h]
    return min(most, max(0, floor_forgiving(free / entry.held)))
