#!/usr/bin/env python3
"""The simulation of simulate_bench as NumPy does it: vectorised over samples, a loop over months and pools.

usage: simulate_numpy.py SIMULATE_BENCH flat|usual [SAMPLES]
Prints the time, and the mean, 5th and 95th percentile of /total/cost. It knows what the bench's scenarios need and no more:
inference in order, one owned pool and cloud pools, week curves, straight-line capital; hours that read the same values are
grouped, as the model groups them. Not part of a test.
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


def simulate(scenario, draws):
    """Total cost by sample."""
    n = len(draws["price"])
    months = scenario["months"]
    pools = scenario["pools"]
    works = scenario["workloads"]
    site = pools[0]["site"]
    server = pools[0]["server"]
    zone = scenario["time_zone"]
    shapes = [(curve_values(w["demand"].get("shape", 1)), w["demand"].get("time_zone", "UTC")) for w in works]
    shapes += [(curve_values(site["energy_price"]), site["time_zone"]), (curve_values(site["pue"]), site["time_zone"])]
    total = np.zeros(n)
    column = (slice(None), None)
    nameplate = server["host_max_w"] + server["devices"] * server["device"]["tdp_w"]
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
        for pool in pools:
            if pool["kind"] == "cloud":
                offer = pool["offer"]
                if offer["purchase"] in ("on_demand", "spot"):
                    used = pool["max_instances"] * offer["devices"] - free[pool["id"]]
                    instances = np.maximum(pool["min_instances"], np.ceil(used / offer["devices"] - 1e-9)) @ weights
                else:
                    instances = pool["min_instances"] * real_hours
                total += instances * offer["hourly_price"]
                continue
            available = servers * server["devices"]
            u = busy[pool["id"]] / available
            watts = servers * (server["host_idle_w"] + (server["host_max_w"] - server["host_idle_w"]) * u)
            watts += available * power_of(server["device"], u)
            kw = watts / 1000 * (hours[len(works) + 1][None, :] * draws["pue"][column])
            total += (kw * (hours[len(works)][None, :] * draws["energy"][column])) @ weights
            total += kw.max(axis=1) * site["demand_charge_per_kw_month"]
            for purchase in pool["purchases"]:
                if purchase["month"] <= m:
                    paid = purchase["servers"] * draws["price"]
                    total += paid / server["life_months"] + paid * server["maintenance_rate"] / 12
            total += site["space_per_kw_month"] * servers * nameplate / 1000 + site["fte"] * site["salary_per_year"] / 12
    return total


def main():
    bench, name = sys.argv[1:3]
    n = int(sys.argv[3]) if len(sys.argv) > 3 else 10_000
    scenario = json.loads(subprocess.run([bench, "--print", name], capture_output=True, text=True, check=True).stdout)
    random = np.random.default_rng(0)
    started = time.perf_counter()
    draws = {"price": scenario["pools"][0]["server"]["price"] * random.uniform(0.8, 1.2, n),
             "energy": random.uniform(0.5, 2.0, n),
             "demand": scenario["workloads"][0]["demand"]["mean_per_s"] * random.uniform(0.5, 1.5, n),
             "pue": random.uniform(1.0, 1.2, n)}
    cost = simulate(scenario, draws)
    took = time.perf_counter() - started
    print(f"NumPy {name}, {n} samples: {took:.2f} s; mean {cost.mean():.6g}, p5 {np.quantile(cost, 0.05):.6g}, "
          f"p95 {np.quantile(cost, 0.95):.6g}")


if __name__ == "__main__":
    main()
