#!/usr/bin/env python3
"""Runs the costcurve program and the second evaluator on the same random scenarios and compares every figure.

usage: compare.py --costcurve PATH [--count 500] [--seed 1] [--first 0] [--keep DIR] [--cheapest] [--without …]
       exit status 0 where all agree, 1 where some figure does not, 2 where the program could not be run

Two figures agree where they differ by at most 1e-9 of the larger one, or of the scenario's magnitude in that
unit (money: the sum of |cost| and |cash| over pools and categories), which forgives cancellation. A category
without a row is one with zeros. `warnings` and `provenance` are not compared. `--keep` leaves each scenario
that disagrees there, with both results. `--without` leaves some features of
random_work.py out.
"""
from __future__ import annotations

import argparse
import json
import math
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from typing import Any, Iterator

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import evaluate  # noqa: E402
import random_work  # noqa: E402

TOLERANCE = 1e-9
BATCH = 50  # scenarios a run of the program
# Words and copies of inputs beside the figures are not the second evaluator's.
NOT_COMPARED = {"warnings", "provenance", "batch", "name", "start", "months", "unit", "kind"}
UNITS = ("units_served", "units_unserved", "units_lost_to_outages")
MONEY = {"cost", "cash", "npv", "npv_after_tax", "unallocated_cost", "npv_before_financing", "equivalent_annual_cost",
         "sale", "book", "obligations", "commitments_sold", "loan_balance", "idle_cost", "obligation", "lease_liability"}
HOURS = ("reserved_device_hours", "busy_device_hours")
OPTIONAL = {"npv_before_financing"}  # absent is null
NOTHING = {"cost": 0.0, "cash": 0.0}  # a category without rows

Difference = tuple[float, str, Any, Any]  # how many times the tolerance, pointer, theirs, ours


def magnitudes(result: dict) -> dict[str, float]:
    """The scenario's size in each unit, by the name of the figure."""
    pools = list(result["by_pool"].values())
    views = [sum(abs(c[view]) for p in pools for c in p["by_category"].values()) for view in ("cost", "cash")]
    views.append(abs(result["by_category"].get("unserved", NOTHING)["cost"]))
    sizes = {name: sum(views) for name in MONEY}
    for name in ("energy_kwh", "carbon_kg"):
        sizes[name] = sum(abs(p[name] or 0.0) for p in pools)
    sizes |= dict.fromkeys(HOURS, sum(p["available_device_hours"] or 0.0 for p in pools))
    decisive = result.get("decide_by")
    return sizes | ({"decisive": sizes[decisive]} if decisive else {})


def differences(theirs: Any, ours: Any, sizes: dict[str, float], pointer: str = "") -> Iterator[Difference]:
    """Every disagreement under one JSON pointer."""
    key = pointer.rsplit("/", 1)[-1]
    if isinstance(ours, dict) and isinstance(theirs, dict):
        if "units_demanded" in ours:  # a workload: what is left of its demand, and costs by its units
            sizes = sizes | dict.fromkeys(UNITS, ours["units_demanded"])
            backlog = {str(m): ours["units_demanded"] for m in range(len(ours.get("backlog") or ()))}
            larger = max(ours, theirs, key=lambda workload: abs(workload["cost"]))
            part = sizes["cost"] / abs(larger["cost"]) if larger["cost"] else 1.0
            sizes = sizes | {k: abs(v) * part for k, v in larger.items() if "cost_per" in k and v is not None}
        if ours.get("reserved_device_hours"):  # of a pool: hours that are nearly none, and costs by them
            per_hour = abs(ours["cost_per_reserved_device_hour"] or 0.0)
            sizes = sizes | {"cost_per_reserved_device_hour": per_hour * sizes[HOURS[0]] / ours["reserved_device_hours"]}
        if ours.get("units") and "cost_per_million" in ours:  # of a class
            sizes = sizes | {"cost_per_million": sizes["cost"] / ours["units"] * 1e6}
        for name in [*ours, *(k for k in theirs if k not in ours)]:
            if name not in NOT_COMPARED:
                none = NOTHING if key == "by_category" else None if name in OPTIONAL else "(missing)"
                a, b = theirs.get(name, none), ours.get(name, none)
                yield from differences(a, b, sizes | backlog if name == "backlog" else sizes, f"{pointer}/{name}")
    elif isinstance(ours, list) and isinstance(theirs, list):
        if len(ours) != len(theirs):
            yield math.inf, pointer + "/length", len(theirs), len(ours)
        for i, (a, b) in enumerate(zip(theirs, ours)):
            yield from differences(a, b, sizes, f"{pointer}/{i}")
    elif key == "cost_per_reserved_device_hour" and None in (ours, theirs):  # of hours that are nearly none, or none
        pass
    elif all(isinstance(x, (int, float)) and not isinstance(x, bool) for x in (ours, theirs)):
        allowed = TOLERANCE * max(abs(ours), abs(theirs), sizes.get(key, 0.0))
        if not abs(ours - theirs) <= allowed:
            yield abs(ours - theirs) / allowed if allowed else math.inf, pointer, theirs, ours
    elif ours != theirs:
        yield math.inf, pointer, theirs, ours


def run_program(program: str, scenarios: list[dict], folder: str) -> list[dict]:
    """One result a scenario; an error of the program ends the comparison."""
    names = []
    for i, scenario in enumerate(scenarios):
        names.append(os.path.join(folder, f"{i}.json"))
        with open(names[-1], "w", encoding="utf-8") as file:
            json.dump(scenario, file)
    done = subprocess.run([program, "evaluate", "--format", "json", *names], capture_output=True, text=True)
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.strip()]
    wrong = [(i, line) for i, line in enumerate(lines) if "total" not in line]
    if done.returncode != 0 or len(lines) != len(scenarios) or wrong:
        print(f"status {done.returncode}, {len(lines)} results for {len(scenarios)}", file=sys.stderr)
        print(done.stderr[:4000], *wrong[:3], sep="\n", file=sys.stderr)
        raise SystemExit(2)
    return lines


def keep(folder: str, index: int, scenario: dict, theirs: dict, ours: dict) -> None:
    os.makedirs(folder, exist_ok=True)
    for name, document in (("scenario", scenario), ("theirs", theirs), ("ours", ours)):
        with open(os.path.join(folder, f"{index}.{name}.json"), "w", encoding="utf-8") as file:
            json.dump(document, file, indent=1)


def pattern(pointer: str) -> str:
    """A pointer without the ids and numbers in it, to count alike disagreements."""
    return re.sub(r"/(\d+|(cloud|owned|api|work)-\d+)(?=/|$)", "/*", pointer)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--costcurve", required=True, help="the program")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="index of the first scenario")
    parser.add_argument("--keep", help="folder for the scenarios that disagree")
    parser.add_argument("--cheapest", action="store_true", help="all workloads are routed to the cheapest")
    parser.add_argument("--without", nargs="*", default=[], help="features to leave out (FEATURES of random_work.py)")
    arguments = parser.parse_args()
    arguments.without += ["fall_back", "shares", "pairs"] if arguments.cheapest else []
    print(f"seed {arguments.seed}, scenarios {arguments.first} to {arguments.first + arguments.count - 1}")
    worst: tuple | None = None
    figures, wrong = Counter(), 0
    with ProcessPoolExecutor(2) as workers, tempfile.TemporaryDirectory() as folder:
        for first in range(arguments.first, arguments.first + arguments.count, BATCH):
            indices = range(first, min(first + BATCH, arguments.first + arguments.count))
            scenarios = [random_work.scenario(arguments.seed, i, arguments.without) for i in indices]
            for workload in (w for scenario in scenarios for w in scenario["workloads"] if arguments.cheapest):
                workload["routing"] = "cheapest"
            results = workers.map(evaluate.evaluate, scenarios, chunksize=5)
            programs = run_program(arguments.costcurve, scenarios, folder)
            for index, scenario, theirs, ours in zip(indices, scenarios, programs, results):
                found = list(differences(theirs, ours, magnitudes(ours)))
                if not found:
                    continue
                wrong += 1
                figures.update({pattern(f[1]) for f in found})
                largest = max(found, key=lambda f: f[0])
                if worst is None or largest[0] > worst[1][0]:
                    worst = (index, largest)
                if wrong <= 10:
                    print(f"scenario {index}: {len(found)} figures; {largest[1]} theirs {largest[2]!r}, "
                          f"ours {largest[3]!r}")
                if arguments.keep:
                    keep(arguments.keep, index, scenario, theirs, ours)
    print(f"{arguments.count} scenarios, {wrong} disagree")
    if worst is None:
        return 0
    index, (times, pointer, theirs, ours) = worst
    print(f"worst: scenario {index} {pointer}: theirs {theirs!r}, ours {ours!r}, {times:.3g} tolerances")
    for name, count in figures.most_common(25):
        print(f"  {count:5} scenarios  {name}")
    return 1


if __name__ == "__main__":
    sys.exit(main())
