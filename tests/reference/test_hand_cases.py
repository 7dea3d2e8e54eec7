#!/usr/bin/env python3
"""The second evaluator against ../shared/cases/hand-2.json and hand-3.json, worked by hand; skips where they are not there.

usage: test_hand_cases.py [--list] [unittest options]      --list prints every case and figure
"""
from __future__ import annotations

import copy
import json
import math
import os
import pathlib
import sys
import unittest

for folder in (".", "../support"):
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), folder))

import skips  # noqa: E402
from evaluate import evaluate  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]


def cases_folder() -> pathlib.Path | None:
    """shared/ lies beside the repository; of a worktree, beside one of the folders that it is in."""
    return next((p for parent in ROOT.parents if (p := parent / "shared/cases").is_dir()), None)


def cases_of_files() -> list[dict]:
    """All that are built, in their order."""
    folder = cases_folder()
    files = sorted(folder.glob("hand-*.json")) if folder else []
    return [case | {"draws_in_lines": path.name == "hand-2.json"} for path in files
            for case in json.loads(path.read_text(encoding="utf-8"))]


def figure(result: dict, pointer: str):
    value = result
    for key in pointer.split("/")[1:]:
        value = value[int(key)] if isinstance(value, list) else value[key]
    return value


def agrees(actual, expected) -> bool:
    number = lambda x: isinstance(x, (int, float)) and not isinstance(x, bool)
    if number(actual) and number(expected):
        return math.isclose(actual, expected, rel_tol=1e-9, abs_tol=1e-9)
    return type(actual) is type(expected) and actual == expected


def draw_in_lines(document) -> None:
    """The sums by hand take a device without a curve as a line from idle_w to tdp_w, as the model was until version 2.4.0."""
    for part in document.values() if isinstance(document, dict) else document if isinstance(document, list) else ():
        draw_in_lines(part)
    if isinstance(document, dict) and "tdp_w" in document and "power" not in document:
        points = [[0, document.get("idle_w", 0)], [1, document["tdp_w"]]]
        document["power"] = {"kind": "power", "axis": "throughput_share", "points": points}


def disagreements(case: dict) -> list[str]:
    scenario = copy.deepcopy(case["scenario"])
    if case["draws_in_lines"]:
        draw_in_lines(scenario)
    result = evaluate(scenario)
    found = [(pointer, figure(result, pointer), expected) for pointer, expected in case["expected"].items()]
    return [f"{pointer}: {ours!r}, by hand {expected!r}" for pointer, ours, expected in found if not agrees(ours, expected)]


class HandCases(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cases = cases_of_files()
        if not cls.cases:
            raise unittest.SkipTest("../shared/cases is not here: the cases worked by hand are not tried")

    def test_every_case_agrees(self):
        for case in self.cases:
            with self.subTest(case["id"]):
                self.assertEqual(disagreements(case), [])


def print_all() -> None:
    for case in cases_of_files():
        print(case["id"])
        result = evaluate(case["scenario"])
        for pointer, expected in case["expected"].items():
            ours = figure(result, pointer)
            print(f"  {'agrees' if agrees(ours, expected) else 'DIFFERS'}  {pointer}: {ours!r}, by hand {expected!r}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--list"]:
        print_all()
    else:
        skips.main()
