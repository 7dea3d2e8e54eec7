#!/usr/bin/env python3
"""Random requests: the first plan of `rank` that has replicas, run. Its replicas keep the objectives of latency at the peak when
the spares are down, by replica_simulator.py; and hosts that fail whole lose no more of its demand than the availability allows,
by host_simulator.py. Neither has the formulas by which plans are sized.

usage: test_plans.py COSTCURVE ROOT [--seed N] [--count N] [--first N]
"""
import argparse
import json
import math
import pathlib
import random
import subprocess
import sys
import tempfile

from bursts import factors_of, share_of
from classes import units_of_request
from curves import Curve, rate_at, rate_of
from host_simulator import HOURS_OF_MONTH, Entry, lost_of_horizon, undone
from performance import Performance
from placement import devices_held
from queueing import Replica, queue_of
from replica_simulator import percentile, simulate

OVER = {"ttft_s": 1.2, "itl_s": 1.2, "e2e_s": 1.1}  # times the objective: what docs/model.md says of the closed form
# Where all slots are taken the first token's time doubles within a few percent of load: a capacity may be so much too high.
CAPACITY_ERROR = 0.05
REQUESTS = 20_000
STEPS = 400_000  # of a simulation: fewer requests where they are long
LEAST_REQUESTS = 5_000
HORIZONS = 20
STANDARD_ERRORS = 3
MODELS = ["llama-3.1-8b", "llama-3.1-70b", "llama-3.3-70b", "qwen3-32b", "qwen3-235b-a22b", "deepseek-v3.1", "gpt-oss-120b",
          "mixtral-8x7b", "gemma-3-27b"]
NO_PLAN = 4  # requests in a row that nothing can do: another is drawn


def random_request(draw: random.Random, models: list[str]) -> dict:
    tokens = {"input": int(10 ** draw.uniform(2, 3.9)), "output": int(10 ** draw.uniform(1.5, 3))}
    if draw.random() < 0.3:
        tokens["cached_input"] = int(tokens["input"] * draw.uniform(0.3, 3))
    work = {"id": "serve", "kind": "inference", "unit": "token", "model": draw.choice(models),
            "demand": {"mean_per_s": round(10 ** draw.uniform(-0.5, 1.8), 3), "growth_per_month": draw.choice([0, 0, 0.01, 0.02])}}
    if draw.random() < 0.3:
        p95 = {name: round(tokens[name] * draw.uniform(1.3, 3)) for name in ("input", "output")}
        work["token_mix"] = {"mean": tokens, "p95": p95}
    else:
        work["units_per_request"] = tokens
    if draw.random() < 0.3:
        factor, seconds = draw.uniform(1.3, 4), draw.choice([30, 120, 600])
        per_day = draw.uniform(0.1, 1) * min(96, 0.8 * 86400 / seconds / factor)
        work["demand"]["burst"] = {"factor": round(factor, 2), "seconds": seconds, "per_day": round(per_day, 1)}
    if draw.random() < 0.5:
        slo = {"ttft_s": round(draw.uniform(0.7, 5), 2), "itl_s": round(draw.uniform(0.03, 0.2), 3)}
        if draw.random() < 0.3:
            slo["e2e_s"] = round(slo["ttft_s"] + tokens["output"] * slo["itl_s"] * draw.uniform(0.5, 1), 2)
        work["slo"] = slo | {"percentile": draw.choice([90, 95, 99])}
    request = {"start": "2026-12", "months": draw.choice([12, 36]), "workloads": [work], "samples": 0, "top": 40}
    if draw.random() < 0.5:
        request["shape"] = draw.choice(["office", "consumer", "flat"])
    if draw.random() < 0.4:
        request["limits"] = {"regions": [draw.choice(["us", "eu"])]}
    if draw.random() < 0.4:
        request["availability"] = draw.choice([0.99, 0.9995, 0.9999])
    if draw.random() < 0.3:
        request["spares"] = draw.choice([0, 1, 2])
    if draw.random() < 0.3:  # long prompts with short answers beside short ones with long answers: mixes by request size
        work.pop("units_per_request", None)
        work.get("slo", {}).pop("e2e_s", None)
        share = round(draw.uniform(0.2, 0.8), 2)
        work["token_mix"] = [{"input": round(10 ** draw.uniform(3, 4)), "output": draw.randint(5, 50), "share": share},
                             {"input": draw.randint(30, 300), "output": draw.randint(200, 900), "share": round(1 - share, 2)}]
        request["include"] = ["cloud", "owned", "mix"]
    return request


def ranked(program: str, database: str, folder: pathlib.Path, request: dict) -> list[dict]:
    path = folder / "request.json"
    path.write_text(json.dumps(request), encoding="utf-8")
    done = subprocess.run([program, "rank", str(path), "--format", "json", "--database", database], capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"rank ended with {done.returncode}: {done.stderr[-500:]}: {json.dumps(request)}")
    return json.loads(done.stdout)["plans"]


class Runs:
    """A workload's entry in a plan: what its replicas do, and the hosts that they stand on."""

    def __init__(self, workload: dict, of_entry: dict, pool: dict):
        self.replica, self.hosts = None, Entry()
        if pool["kind"] == "api":
            return
        holder = pool["offer"] if pool["kind"] == "cloud" else pool["server"]
        doc, per_host = of_entry["performance"], holder["devices"]
        performance = Performance(doc, workload, holder["device"], per_host)
        held = devices_held(performance.devices, per_host)
        units = pool["max_instances"] if pool["kind"] == "cloud" else sum(p["servers"] for p in pool["purchases"])
        spot = pool["kind"] == "cloud" and holder["purchase"] == "spot"
        on_a_host = math.floor(per_host / held + 1e-9) if held <= per_host else per_host / held
        restart = workload.get("checkpoint", {}).get("restart_s", 0) + holder.get("replacement_s", 0)
        self.hosts = Entry(capacity=performance.units_per_s * min(workload.get("peak_utilization", 1), performance.share),
                           on_a_host=on_a_host, room=math.floor(units * on_a_host + 1e-9),
                           follows=pool["kind"] == "cloud" and pool["min_instances"] < pool["max_instances"],
                           spares=workload.get("spare_replicas", 0),
                           per_hour=holder.get("interruptions_per_hour" if pool["kind"] == "cloud" else "failures_per_hour", 0),
                           down_hours=restart / 3600 + holder.get("repair_hours", 0),
                           there=holder.get("availability_fraction", 0.9 if spot else 1), hosts=units)
        curve = rate_of(doc["units_per_s"])
        if "prompt_token_s" in doc:
            first = rate_of(doc["ttft_s"]) if "ttft_s" in doc else None
            self.replica = queue_of(doc, workload, curve, first, max(1, int(performance.batch or curve.xs[-1])))[0]


def week_of(demand: dict) -> list[float]:
    """Times the mean, by the hour of the week."""
    shape = rate_of(demand.get("shape", 1))
    return [rate_at(shape, h % shape.period if isinstance(shape, Curve) else h) for h in range(168)]


def late_by(replica: Replica, workload: dict, per_s: float, seed: int) -> list[str]:
    """Objectives that a replica misses which is asked for so many requests a second."""
    slo = workload.get("slo", {})
    of_a_step = max(1.0, len(replica.step_s) * per_s / replica.largest())
    count = int(max(LEAST_REQUESTS, min(REQUESTS, STEPS * of_a_step / max(1.0, replica.steps))))
    requests = [(share, prompt, round(steps)) for share, prompt, steps in replica.requests]
    times = simulate(replica.step_s, requests, per_s, count, seed)
    complaints = []
    for name, values in (("ttft_s", times.ttft), ("itl_s", times.itl), ("e2e_s", times.e2e)):
        if name in slo and values:
            found = percentile(values, slo.get("percentile", 95)) + (0.0 if name == "itl_s" else replica.first_s)
            if found > OVER[name] * slo[name]:
                complaints.append(f"{name} {found:.3g} s at {per_s / replica.largest():.0%} of a replica, objective {slo[name]} s")
    return complaints


def late(runs: list[Runs], workload: dict, peak: float, seed: int) -> list[str]:
    """Objectives that are missed in the hour that asks for the most: by all replicas that then run, and by those that are needed
    alone, their spares down, at their capacity but for its error."""
    complaints, left = [], peak
    for run in runs:
        hosts = run.hosts
        if math.isinf(hosts.capacity):
            break
        needed = min(hosts.room, math.ceil(left / hosts.capacity - 1e-9))
        asked = min(left, needed * hosts.capacity) / units_of_request(workload)
        left -= asked * units_of_request(workload)
        if run.replica is not None and asked > 0:
            running = min(hosts.room, needed + hosts.spares) if hosts.follows else hosts.room
            at_peak = asked / running
            complaints += late_by(run.replica, workload, at_peak if running > needed else at_peak * (1 - CAPACITY_ERROR), seed)
            complaints += late_by(run.replica, workload, asked / needed * (1 - CAPACITY_ERROR), seed)
    return complaints


def lost_fraction(runs: list[Runs], workload: dict, months: int, seed: int) -> tuple[float, float]:
    """Of the demand, and its standard error."""
    demand = workload["demand"]
    growth = 1 + demand.get("growth_per_month", 0)
    week = [demand["mean_per_s"] * units_of_request(workload) * of_mean for of_mean in week_of(demand)]
    by_month = [growth ** m for m in range(months)]

    def by_hour(hour: int) -> float:
        return week[hour % 168] * by_month[min(months - 1, hour // HOURS_OF_MONTH)]

    part = share_of(demand)
    parts = [part, 1 - part] if part > 0 else [1.0]
    phases = list(zip(parts, factors_of(demand, parts)))
    entries = [of.hosts for of in runs]
    asked = sum(map(by_hour, range(months * HOURS_OF_MONTH))) * 3600
    up = [set() for _ in entries]
    always = sum(share * undone(entries, units * growth ** m * factor, up) * HOURS_OF_MONTH / 168 * 3600
                 for m in range(months) for units in week for share, factor in phases)
    rng = random.Random(seed)
    found = [(always + lost_of_horizon(entries, phases, by_hour, months, rng)) / asked for _ in range(HORIZONS)]
    mean = sum(found) / len(found)
    return mean, math.sqrt(sum((of - mean) ** 2 for of in found) / (len(found) - 1) / len(found))


def complaints_of(plan: dict, seed: int) -> tuple[list[str], str]:
    """Of each workload: a mix by request size has several, on pools of their own."""
    scenario = plan["scenario"]
    pools = {pool["id"]: pool for pool in scenario["pools"]}
    complaints, texts = [], []
    for workload in scenario["workloads"]:
        runs = [Runs(workload, of_entry, pools[of_entry["pool"]]) for of_entry in workload["runs_on"]]
        demand = workload["demand"]
        most = max(week_of(demand)) * (demand["burst"]["factor"] if share_of(demand) > 0 else 1)
        growth = (1 + demand.get("growth_per_month", 0)) ** (scenario["months"] - 1)
        complaints += late(runs, workload, demand["mean_per_s"] * units_of_request(workload) * most * growth, seed)
        lost, error = lost_fraction(runs, workload, scenario["months"], seed)
        allowed = 1 - workload["availability"]
        texts.append(f"loses {lost:.2e} ± {error:.1e} of the demand, {allowed:.1e} allowed, "
                     f"{plan['row']['lost_fraction']:.2e} stated")
        if lost - STANDARD_ERRORS * error > allowed:
            complaints.append(texts[-1])
    return complaints, "; ".join(texts)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=5)
    parser.add_argument("--first", type=int, default=0)
    options = parser.parse_args()
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        database = str(folder / "costcurve.db")
        catalogue = sorted(map(str, (options.root / "deploy" / "catalog").glob("*.json")))
        subprocess.run([options.program, "import", "json", *catalogue, "--database", database], check=True, capture_output=True)
        for i in range(options.first, options.first + options.count):
            draw = random.Random(f"{options.seed} {i}")
            plans = []
            for _ in range(NO_PLAN):
                request = random_request(draw, MODELS)
                plans = [plan for plan in ranked(options.program, database, folder, request) if plan["replicas"]]
                if plans:
                    break
            if not plans:
                print(f"{i}: nothing can do {NO_PLAN} requests")
                continue
            complaints, text = complaints_of(plans[0], options.seed + i)
            print(f"{i}: {plans[0]['name']}: {text}")
            for complaint in complaints:
                print(f"    {complaint}\n    {json.dumps(request)}")
            failed += bool(complaints)
    sys.exit(f"{failed} of {options.count} plans do not keep what was asked of them" if failed else 0)


if __name__ == "__main__":
    main()
