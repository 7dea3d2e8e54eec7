#!/usr/bin/env python3
"""The simulation of simulate_bench as NumPy does it: vectorised over samples, a loop over months and pools.

usage: simulate_numpy.py SIMULATE_BENCH flat|usual [SAMPLES]
Prints the time, and the mean, 5th and 95th percentile of /total/cost. Every sample has what a sample of the model has: a ledger of
cost and cash by month, pool and category, energy, carbon, work, present values and unit costs. It knows what the bench's scenarios
need and no more: inference in order, one owned pool and cloud pools, week curves, straight-line capital; hours that read the same
values are grouped, as the model groups them. With 1 sample nothing is drawn, and all figures are printed: those of
`costcurve evaluate`. Not part of a test.
"""
import datetime
import json
import math
import subprocess
import sys
import time
import zoneinfo

import numpy as np


def curve_values(rate, axis_hours=168):
    """A number or a periodic curve as a value each hour of the week."""
    if not isinstance(rate, dict):
        return np.full(axis_hours, float(rate))
    values = np.array([y for _, y in rate["points"]], dtype=float)
    return np.tile(values, axis_hours // len(values))


def month_of(start, m):
    year, month = map(int, start.split("-"))
    month += m
    return year + (month - 1) // 12, (month - 1) % 12 + 1


def hours_of_week(instants, zone):
    local = [t.astimezone(zone) for t in instants]
    return np.array([24 * t.weekday() + t.hour for t in local])


def grouped_hours(start, m, zone_name, shapes):
    """Different hours of a month with how many there are of each: [(values of each shape), weight]."""
    zone = zoneinfo.ZoneInfo(zone_name)
    ends = [datetime.datetime(*month_of(start, k), 1, tzinfo=zone).astimezone(datetime.timezone.utc) for k in (m, m + 1)]
    count = round((ends[1] - ends[0]).total_seconds() / 3600)
    instants = [ends[0] + datetime.timedelta(hours=h) for h in range(count)]
    rows = np.stack([values[hours_of_week(instants, zoneinfo.ZoneInfo(name))] for values, name in shapes])
    different, weights = np.unique(rows, axis=1, return_counts=True)
    return different, weights.astype(float)


def power_of(device, u):
    x, y = zip(*device["power"]["points"])
    return np.interp(u, x, y)


def goodput(work, pool, devices):
    per_unit = (pool.get("offer") or pool["server"])["devices"]
    rate = pool["offer"].get("interruptions_per_hour", 0) if pool["kind"] == "cloud" else pool["server"].get("failures_per_hour", 0)
    return 1 - min(1.0, rate * math.ceil(devices / per_unit) * work.get("checkpoint", {}).get("restart_s", 0) / 3600)


def straight_line(scenario, price, ledger):
    """Purchases: cost by month, cash at month start and horizon's end, their present value, and that of depreciation."""
    months, server = scenario["months"], scenario["pools"][0]["server"]
    life = server["life_months"]
    capital, credit = 0.0, 0.0
    for purchase in scenario["pools"][0]["purchases"]:
        paid, first = purchase["servers"] * price, purchase["month"]
        book = paid * (1 - (months - first) / life)
        ledger.cash["hardware"][first, 0] += paid
        ledger.cash["hardware"][-1, 0] -= book
        capital = capital + paid * ledger.discount[first] - book * ledger.discount[months]
        for m in range(first, months):
            ledger.cost["hardware"][m, 0] += paid / life
            ledger.bear("maintenance", m, 0, paid * server["maintenance_rate"] / 12)
            credit = credit + paid / life * ledger.discount[m + 1]
    return capital, credit


class Ledger:
    """Cost and cash by [category][month, pool, sample], and the work behind them."""

    CATEGORIES = ("compute", "hardware", "facility", "energy", "demand_charge", "maintenance", "staff")

    def __init__(self, scenario, n):
        months, pools, works = scenario["months"], len(scenario["pools"]), len(scenario["workloads"])
        self.cost = {name: np.zeros((months, pools, n)) for name in self.CATEGORIES}
        self.cash = {name: np.zeros((months, pools, n)) for name in self.CATEGORIES}
        self.discount = (1 + scenario["finance"]["discount_rate"]) ** (-np.arange(months + 1) / 12)
        self.reserved = np.zeros((months, pools, works, n))
        self.demanded, self.served = np.zeros((months, works, n)), np.zeros((months, works, n))
        self.busy, self.available = np.zeros((months, pools, n)), np.zeros((months, pools, n))
        self.kwh, self.carbon_kg, self.peak_kw = (np.zeros((months, pools, n)) for _ in range(3))

    def bear(self, category, m, p, amount):
        self.cost[category][m, p] += amount
        self.cash[category][m, p] += amount


def figures(scenario, ledger, capital, credit):
    """What a summary holds: totals by category and pool, present values, and what a million units of each workload cost."""
    months = scenario["months"]
    cost, cash = sum(ledger.cost.values()), sum(ledger.cash.values())
    result = {"total/cost": cost.sum(axis=(0, 1)), "total/cash": cash.sum(axis=(0, 1))}
    for name in ledger.CATEGORIES:
        result["by_category/" + name] = ledger.cost[name].sum(axis=(0, 1))
    at_end = cash - ledger.cash["hardware"]
    npv = capital + np.einsum("mpn,m->n", at_end, ledger.discount[1:])
    tax = scenario["finance"]["tax_rate"]
    result |= {"total/npv": npv, "total/npv_after_tax": (npv - capital) * (1 - tax) + capital - tax * credit}
    result |= {"total/energy_kwh": ledger.kwh.sum(axis=(0, 1)), "total/carbon_kg": ledger.carbon_kg.sum(axis=(0, 1))}
    used = ledger.reserved.sum(axis=2)
    for p, pool in enumerate(scenario["pools"]):
        available, busy = ledger.available[:, p].sum(axis=0), ledger.busy[:, p].sum(axis=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            result[f"by_pool/{pool['id']}/utilization_fraction"] = busy / available
            result[f"by_pool/{pool['id']}/cost_per_reserved_device_hour"] = cost[:, p].sum(axis=0) / used[:, p].sum(axis=0)
    with np.errstate(divide="ignore", invalid="ignore"):
        shares = np.where(used[:, :, None] > 0, ledger.reserved / used[:, :, None], 0.0)
    for w, work in enumerate(scenario["workloads"]):
        served = ledger.served[:, w].sum(axis=0)
        of_work = np.einsum("mpn,mpn->n", cost, shares[:, :, w])
        result[f"by_workload/{work['id']}/cost"] = of_work
        result[f"by_workload/{work['id']}/cost_per_million_units"] = of_work / served * 1e6
        result[f"by_workload/{work['id']}/units_unserved"] = np.maximum(0, ledger.demanded[:, w] - ledger.served[:, w]).sum(axis=0)
        result[f"by_workload/{work['id']}/carbon_kg"] = np.einsum("mpn,mpn->n", ledger.carbon_kg, shares[:, :, w])
    result["by_month/cash"] = np.cumsum(cash.sum(axis=1), axis=0)
    assert len(result["by_month/cash"]) == months
    return result


def simulate(scenario, draws):
    """Figures by sample."""
    n = len(draws["price"])
    months = scenario["months"]
    pools = scenario["pools"]
    works = scenario["workloads"]
    site = pools[0]["site"]
    server = pools[0]["server"]
    zone = scenario["time_zone"]
    shapes = [(curve_values(w["demand"].get("shape", 1)), w["demand"].get("time_zone", "UTC")) for w in works]
    shapes += [(curve_values(site["energy_price"]), site["time_zone"]), (curve_values(site["pue"]), site["time_zone"])]
    ledger = Ledger(scenario, n)
    column = (slice(None), None)
    nameplate = server["host_max_w"] + server["devices"] * server["device"]["tdp_w"]
    numbers = {pool["id"]: p for p, pool in enumerate(pools)}
    for m in range(months):
        hours, weights = grouped_hours(scenario["start"], m, zone, shapes)
        real_hours = weights.sum()
        servers = sum(p["servers"] for p in pools[0]["purchases"] if p["month"] <= m)
        free = {p["id"]: np.full((n, hours.shape[1]), float(servers * server["devices"] if p["kind"] == "owned"
                                                            else p["max_instances"] * p["offer"]["devices"])) for p in pools}
        busy = {p["id"]: np.zeros((n, hours.shape[1])) for p in pools}
        for w, work in enumerate(works):
            units = work.get("units_per_request", 1)
            units = units["input"] + units["output"] if isinstance(units, dict) else units
            mean = draws["demand"] if w == 0 else np.full(n, work["demand"]["mean_per_s"])
            growth = (1 + work["demand"].get("growth_per_month", 0)) ** m
            left = (mean * units * growth)[column] * hours[w]
            ledger.demanded[m, w] = left @ weights * 3600
            for entry in work["runs_on"]:
                pool = next(p for p in pools if p["id"] == entry["pool"])
                devices = entry["performance"]["devices"]
                rate = entry["performance"]["units_per_s"] * goodput(work, pool, devices)
                usable = rate * work.get("peak_utilization", 1)
                fit = np.floor(free[entry["pool"]] / devices + 1e-9)
                replicas = np.minimum(np.ceil(left / usable - 1e-9), fit)
                served = np.minimum(left, replicas * usable)
                left = left - served
                free[entry["pool"]] -= replicas * devices
                busy[entry["pool"]] += served / rate * devices
                ledger.served[m, w] += served @ weights * 3600
                ledger.reserved[m, numbers[entry["pool"]], w] += replicas @ weights * devices
        for p, pool in enumerate(pools):
            ledger.busy[m, p] = busy[pool["id"]] @ weights
            if pool["kind"] == "cloud":
                offer = pool["offer"]
                if offer["purchase"] in ("on_demand", "spot"):
                    used = pool["max_instances"] * offer["devices"] - free[pool["id"]]
                    instances = np.maximum(pool["min_instances"], np.ceil(used / offer["devices"] - 1e-9)) @ weights
                else:
                    instances = pool["min_instances"] * real_hours
                ledger.available[m, p] = instances * offer["devices"]
                ledger.bear("compute", m, p, instances * offer["hourly_price"])
                continue
            available = servers * server["devices"]
            ledger.available[m, p] = available * real_hours
            u = busy[pool["id"]] / available
            watts = servers * (server["host_idle_w"] + (server["host_max_w"] - server["host_idle_w"]) * u)
            watts += available * power_of(server["device"], u)
            kw = watts / 1000 * (hours[len(works) + 1][None, :] * draws["pue"][column])
            ledger.kwh[m, p] = kw @ weights
            ledger.carbon_kg[m, p] = (kw * (site["carbon_g_per_kwh"] / 1000)) @ weights
            ledger.peak_kw[m, p] = kw.max(axis=1)
            ledger.bear("energy", m, p, (kw * (hours[len(works)][None, :] * draws["energy"][column])) @ weights)
            ledger.bear("demand_charge", m, p, ledger.peak_kw[m, p] * site["demand_charge_per_kw_month"])
            ledger.bear("facility", m, p, site["space_per_kw_month"] * servers * nameplate / 1000)
            ledger.bear("staff", m, p, site["fte"] * site["salary_per_year"] / 12)
    return figures(scenario, ledger, *straight_line(scenario, draws["price"], ledger))


def main():
    bench, name = sys.argv[1:3]
    n = int(sys.argv[3]) if len(sys.argv) > 3 else 10_000
    scenario = json.loads(subprocess.run([bench, "--print", name], capture_output=True, text=True, check=True).stdout)
    random = np.random.default_rng(0)
    started = time.perf_counter()

    def draw(low, high):
        return random.uniform(low, high, n) if n > 1 else np.ones(1)
    draws = {"price": scenario["pools"][0]["server"]["price"] * draw(0.8, 1.2), "energy": draw(0.5, 2.0),
             "demand": scenario["workloads"][0]["demand"]["mean_per_s"] * draw(0.5, 1.5), "pue": draw(1.0, 1.2)}
    result = simulate(scenario, draws)
    took = time.perf_counter() - started
    cost = result["total/cost"]
    print(f"NumPy {name}, {n} samples: {took:.2f} s; mean {cost.mean():.6g}, p5 {np.quantile(cost, 0.05):.6g}, "
          f"p95 {np.quantile(cost, 0.95):.6g}")
    for figure, values in result.items() if n == 1 else ():
        print(f"{figure} {values[-1] if values.ndim == 1 else values[-1][0]:.12g}")


if __name__ == "__main__":
    main()
