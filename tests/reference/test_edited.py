#!/usr/bin/env python3
"""The program answers or refuses every edit of a scenario: random members taken out, curves made numbers, numbers made extreme.

usage: test_edited.py COSTCURVE [--count 800] [--seed 4]      prints the seed and what was answered; a crash fails, with its file
"""
from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from typing import Any

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import random_work  # noqa: E402

DIFFERENT = 200  # scenarios; each is edited several times
BATCH = 40  # documents a run of the program
KEPT = {"id", "pool", "pools", "device", "offer", "unit", "workloads", "runs_on"}  # without them nothing but a refusal is seen
EXTREMES = (0, 1, -1, 1e300, 1e-300, 0.5, 2, 100)


def members(value: Any) -> Iterator[tuple[dict, str]]:
    """All members of all objects, with the object that each stands in."""
    if isinstance(value, dict):
        for name in list(value):
            yield value, name
            yield from members(value[name])
    elif isinstance(value, list):
        for element in value:
            yield from members(element)


def edit(document: dict, draw: random.Random) -> None:
    part = document["workloads"] if draw.random() < 0.7 else document
    holder, name = draw.choice([at for at in members(part) if at[1] not in KEPT])
    value = holder[name]
    if isinstance(value, dict) and "points" in value and draw.random() < 0.5:
        holder[name] = value["points"][0][-1]
    elif isinstance(value, (int, float)) and not isinstance(value, bool) and draw.random() < 0.5:
        holder[name] = draw.choice((*EXTREMES, value * 2, value / 2))
    else:
        del holder[name]


def run(program: str, paths: list[str]) -> subprocess.CompletedProcess:
    return subprocess.run([program, "evaluate", "--format", "json", *paths], capture_output=True, text=True)


def answered(program: str, paths: list[str]) -> int:
    """How many are not refused. Raises RuntimeError with the first document that ends the program."""
    done = run(program, paths)
    for path in paths if done.returncode < 0 else []:
        alone = run(program, [path])
        if alone.returncode < 0:
            with open(path, encoding="utf-8") as file:
                raise RuntimeError(f"signal {-alone.returncode}: {alone.stderr[-300:]}\n{file.read()}")
    return done.stdout.count("\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("costcurve")
    parser.add_argument("--count", type=int, default=800)
    parser.add_argument("--seed", type=int, default=4)
    arguments = parser.parse_args()
    draw = random.Random(arguments.seed)
    scenarios = [json.dumps(random_work.Scenario(arguments.seed, i).document) for i in range(min(DIFFERENT, arguments.count))]
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for i in range(arguments.count):
            document = json.loads(scenarios[i % len(scenarios)])
            for _ in range(draw.randint(1, 4)):
                edit(document, draw)
            paths.append(os.path.join(folder, f"{i}.json"))
            with open(paths[-1], "w", encoding="utf-8") as file:
                json.dump(document, file)
        count = sum(answered(arguments.costcurve, paths[at:at + BATCH]) for at in range(0, len(paths), BATCH))
    print(f"seed {arguments.seed}: {arguments.count} edited scenarios, {count} answered, the others refused")
    return 0 if count > arguments.count / 10 else 1


if __name__ == "__main__":
    sys.exit(main())
