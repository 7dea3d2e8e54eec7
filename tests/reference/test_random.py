#!/usr/bin/env python3
"""Invariants of section 8 of docs/model.md on random scenarios of version 2, in the second evaluator.

usage: test_random.py [--count 60] [--seed 20261122] [--first 0] [unittest options]      prints the seed
"""
from __future__ import annotations

import argparse
import copy
import json
import math
import os
import random
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import check_documents  # noqa: E402
import random_scenarios  # noqa: E402
import random_version_2  # noqa: E402
import random_work  # noqa: E402
from eligible import make_eligible  # noqa: E402
from evaluate import evaluate  # noqa: E402
from performance import Performance  # noqa: E402
from random_work import money_curves  # noqa: E402

ARGUMENTS = argparse.Namespace(count=60, seed=20261122, first=0)
VIEWS = ("cost", "cash")


def drawn():
    for index in range(ARGUMENTS.first, ARGUMENTS.first + ARGUMENTS.count):
        kind = random_work if index % 2 else random_version_2
        document = kind.Scenario(ARGUMENTS.seed, index, all_classes=True).document
        yield index, random_work.with_currencies(document, random.Random(f"currencies {ARGUMENTS.seed} {index}"))


class Documents(unittest.TestCase):
    def test_drawn_scenarios_are_valid_documents(self):
        eligible = lambda count, seed: map(make_eligible, random_scenarios.scenarios(count, seed))
        for draw, places in ((random_work.scenarios, True), (random_version_2.version_2, False), (eligible, True)):
            check_documents.problems.clear()
            for index, scenario in enumerate(draw(ARGUMENTS.count, ARGUMENTS.seed)):
                check_documents.check_numbers(scenario, str(index))
                check_documents.Checker({}, inline=True, places=places).check("scenario", scenario, str(index))
            self.assertEqual(check_documents.problems, [])

    def test_drawn_work_is_eligible_and_of_every_form(self):
        found: set = set()
        for scenario in random_work.scenarios(max(ARGUMENTS.count, 120), ARGUMENTS.seed):
            pools = {pool["id"]: pool for pool in scenario["pools"]}
            found |= {name for pool in pools.values() for name in pool}
            for workload in scenario["workloads"]:
                found |= {workload["kind"], *workload}
                for entry in workload["runs_on"]:
                    pool = pools[entry["pool"]]
                    if pool["kind"] == "api":
                        found |= {f"{workload['kind']} on a hosted model", entry.get("service_tier"), *pool.get("fees", {})}
                        continue
                    holder, doc = random_work.Scenario.holder(pool), entry["performance"]
                    asked = {**workload, "slo": {}} if "phase" in entry else workload  # of halves of a pair they are others
                    performance = Performance(doc, asked, holder["device"], holder["devices"])
                    self.assertTrue(performance.is_eligible(), (scenario["name"], workload["id"], doc))
                    found |= {doc.get("estimate", {}).get("method"), *doc, "replica that spans hosts" if performance.spans else ""}
                    found.add("fraction" if performance.devices < 1 else "")
                    found.add("batch of an estimate" if "estimate" in doc and performance.batch and "batch" not in doc else "")
        for feature in (
                "batch", "batch on a hosted model", "batch of an estimate", "batch_price_fraction", "carry_over", "class_weights",
                "cost_weights", "decode_roofline", "decode_step", "fraction", "latency_percentile",
                "max_units_per_s", "mix", "ramp", "replica that spans hosts",
                "prompt_token_s", "requires", "slice", "spans_hosts", "slo", "ttft_s",
                "service_tiers", "flex", "priority", "search", "searches_per_request"):
            self.assertIn(feature, found)

    def test_scenarios_of_version_1_can_be_made_eligible(self):
        changed = 0
        for scenario in random_scenarios.scenarios(max(ARGUMENTS.count, 60), ARGUMENTS.seed):
            before = json.dumps(scenario)
            make_eligible(scenario)
            changed += before != json.dumps(scenario)
            pools = {pool["id"]: random_work.Scenario.holder(pool) for pool in scenario["pools"] if pool["kind"] != "api"}
            for workload in scenario["workloads"]:
                for entry in workload["runs_on"]:
                    if holder := pools.get(entry["pool"]):
                        performance = Performance(entry["performance"], workload, holder["device"], holder["devices"])
                        self.assertTrue(performance.is_eligible(), (scenario["name"], entry))
        self.assertGreater(changed, 0)

    def test_what_is_not_valid_is_found(self):
        """One wrong field at a time, in a workload of each kind."""
        api = {"id": "api", "kind": "api", "price_per_million_units": {"input": 1}}
        offer = {"provider": "p", "device": {"kind": "gpu", "tdp_w": 1}, "devices": 2, "purchase": "spot", "hourly_price": 1}
        rent = {"id": "rent", "kind": "cloud", "offer": offer, "max_instances": 1}
        serve = {"id": "w", "kind": "inference", "demand": {"mean_per_s": 1}}
        batch = {"id": "w", "kind": "batch", "requests_per_month": 1}
        train = {"id": "w", "kind": "training", "epochs_per_month": 1, "units_per_epoch": 1}
        on = lambda pool, **performance: {"runs_on": [{"pool": pool} | ({"performance": performance} if performance else {})]}
        points = {"kind": "ramp", "axis": "months", "points": [[0, 1.5]]}
        for workload, place, pool, found in (
                (serve, on("api"), {}, 0), (batch, on("api"), {}, 0), (train, on("rent", units_per_s=1), {}, 0),
                (train, on("api"), {}, 1), (batch | {"slo": {}}, on("api"), {}, 1),
                (serve | {"carry_over": True}, on("api"), {}, 1), (batch | {"units_per_request": {"output": 1}}, on("api"), {}, 1),
                (serve, on("rent", units_per_s=1, devices=1.5), {}, 1),
                (serve, on("rent", units_per_s=1, devices=3), {}, 1), (batch, on("rent", units_per_s=1, devices=3), {}, 0),
                (serve, on("rent", units_per_s=1, slice="1g"), {}, 1), (serve, on("rent", units_per_s=1), {"ramp": points}, 1),
                (serve, on("rent", estimate={"method": "decode_step", "active_parameters": 1}), {}, 3),
                (serve | {"units_per_request": {"cached_input": 1}}, on("rent", units_per_s=1), {}, 1)):
            scenario = {"start": "2027-01", "months": 1, "pools": [api, rent | pool], "workloads": [workload | place]}
            check_documents.problems.clear()
            check_documents.Checker({}, inline=True, places=True).check("scenario", scenario, "")
            self.assertEqual(len(check_documents.problems), found, (workload, place, pool, check_documents.problems))


class Invariants(unittest.TestCase):
    def near(self, a: float, b: float, size: float, what: str, tolerance: float = 1e-9) -> None:
        self.assertLessEqual(abs(a - b), tolerance * max(size, abs(a), abs(b)) + 1e-12, (what, a, b))

    def add_up(self, result: dict, what: str) -> None:
        """Parts sum to the whole: rows, months, pools, categories, sites, tags, workloads and the rest."""
        rows, total = result["ledger"], result["total"]
        pools, borne = result["by_pool"].values(), list(result["by_workload"].values())
        for view in VIEWS:
            size = sum(abs(row[view]) for row in rows)
            nobody = sum(row[view] for row in rows if row["workload"] is None)
            no_pool = sum(row[view] for row in rows if row["pool"] is None)
            for name, parts, rest in (
                    ("rows", rows, 0), ("months", result["by_month"], 0), ("categories", result["by_category"].values(), 0),
                    ("pools", pools, no_pool), ("workloads", borne, nobody),
                    *((f"tag {key}", values.values(), 0) for key, values in result["by_tag"].items())):
                self.near(sum(part[view] for part in parts) + rest, total[view], size, f"{what} {view} by {name}")
        idle = sum(pool["idle_cost"] for pool in pools)
        alone = sum(row["cost"] for row in rows if row["pool"] is None and row["workload"] is None)
        size = sum(abs(row["cost"]) for row in rows)
        self.near(idle + alone, result["unallocated_cost"], size, f"{what} unallocated")
        for meter in ("energy_kwh", "carbon_kg"):
            parts = [part[meter] for part in pools]
            self.assertEqual(None in parts, total[meter] is None, what)
            self.assertEqual(None in [month[meter] for month in result["by_month"]], total[meter] is None, what)
            for values in result["by_tag"].values():
                self.assertEqual(None in [part[meter] for part in values.values()], total[meter] is None, what)
            known = math.fsum(part for part in parts if part is not None)
            self.assertLessEqual(known, total[f"{meter}_at_least"] * (1 + 1e-9) + 1e-12, what)
            if total[meter] is not None:
                self.near(known, total[meter], known, f"{what} {meter}")
                self.near(total[meter], total[f"{meter}_at_least"], known, f"{what} {meter} at least")

    def test_parts_sum_to_the_whole(self):
        for index, scenario in drawn():
            with self.subTest(seed=ARGUMENTS.seed, index=index):
                result = evaluate(scenario, ledger=True)
                self.add_up(result, "scenario")
                for workload in result["by_workload"].values():
                    self.near(workload["units_served"] + workload["units_unserved"], workload["units_demanded"], 0, "units")
                    if workload["kind"] == "inference":
                        self.assertIsNone(workload["backlog"])
                    else:
                        self.assertEqual((len(workload["backlog"]), workload["backlog"][-1]), (scenario["months"], 0))
                    classes = workload["cost_by_class"]
                    if classes:
                        self.near(sum(c["cost"] for c in classes.values()), workload["cost"],
                                  sum(abs(c["cost"]) for c in classes.values()), "cost by class")
                        self.near(sum(c["units"] for c in classes.values()), workload["units_served"], 0, "units by class")
                for pool in result["by_pool"].values():
                    self.assertLessEqual(pool["reserved_device_hours"], pool["available_device_hours"] * (1 + 1e-9) + 1e-6)
                    self.assertLessEqual(pool["busy_device_hours"], pool["reserved_device_hours"] * (1 + 1e-9) + 1e-6)
                finance = scenario["finance"]
                if not finance.get("tax_rate"):
                    self.near(result["total"]["npv"], result["total"]["npv_after_tax"], result["total"]["cost"], "no tax")

    def test_cost_is_cash_over_the_horizon(self):
        for index, scenario in drawn():
            finance = scenario["finance"]
            for name, capital, d in (("straight line", "straight_line", finance.get("discount_rate", 0)), ("d = 0", "annuity", 0)):
                with self.subTest(seed=ARGUMENTS.seed, index=index, case=name):
                    changed = copy.deepcopy(scenario)
                    changed["finance"] |= {"capital": capital, "discount_rate": d}
                    result = evaluate(changed, ledger=True)
                    size = sum(abs(row[view]) for row in result["ledger"] for view in VIEWS)
                    self.near(result["total"]["cost"], result["total"]["cash"], size, "cost and cash")

    def test_an_empty_pool_adds_nothing(self):
        """Also at a site of its own, and at one where others stand."""
        for index, scenario in drawn():
            owned = [pool for pool in scenario["pools"] if pool["kind"] == "owned"]
            if not owned:
                continue
            with self.subTest(seed=ARGUMENTS.seed, index=index):
                changed = copy.deepcopy(scenario)
                empty = copy.deepcopy(owned[0]) | {"id": "empty", "purchases": [{"month": 0, "servers": 0}]}
                alone = copy.deepcopy(empty) | {"id": "alone"}
                alone["site"]["id"] = "nobody-is-here"
                changed["pools"] += [empty, alone]
                first, second = evaluate(scenario), evaluate(changed)
                for pool in ("empty", "alone"):
                    self.assertEqual([second["by_pool"][pool][view] for view in VIEWS], [0, 0])
                self.assertEqual(first["total"], second["total"])
                self.assertEqual(first["by_workload"], second["by_workload"])

    def test_two_pools_of_half_the_servers_cost_what_one_does(self):
        """At one site, with what stands there besides; without work, so that packing and routing can't differ."""
        tried = 0
        for index, scenario in drawn():
            for pool in scenario["pools"]:
                if pool["kind"] == "owned" and "id" in pool["site"]:
                    tried += self.split(scenario, pool, index)
        self.assertGreater(tried, ARGUMENTS.count // 20)

    def split(self, scenario: dict, pool: dict, index: int) -> bool:
        changed = copy.deepcopy(scenario)
        for other in changed["pools"]:
            other.pop("extra_costs", None)
        for workload in changed["workloads"]:
            if workload["kind"] == "inference":
                workload["demand"] = {"mean_per_s": 0}
            elif workload["kind"] == "batch":
                workload["requests_per_month"] = 0
            else:
                workload["epochs_per_month"] = 0
        changed.pop("allocation", None)
        whole = next(p for p in changed["pools"] if p["id"] == pool["id"])
        for purchase in whole["purchases"]:
            purchase["servers"] *= 2
        halves = copy.deepcopy(changed)
        first = next(p for p in halves["pools"] if p["id"] == pool["id"])
        for purchase in first["purchases"]:
            purchase["servers"] //= 2
        halves["pools"].append(copy.deepcopy(first) | {"id": "second-half"})
        for workload in halves["workloads"]:  # both wait for the same work: a model is loaded for inference
            entries = [e for e in workload["runs_on"] if e["pool"] == pool["id"]]
            workload["runs_on"] += [{k: v for k, v in e.items() if k != "porting"} | {"pool": "second-half"} for e in entries]
        with self.subTest(seed=ARGUMENTS.seed, index=index, pool=pool["id"]):
            one, two = evaluate(changed, ledger=True), evaluate(halves, ledger=True)
            size = sum(abs(row[view]) for row in one["ledger"] for view in VIEWS)
            for name in ("cost", "cash", "npv", "npv_after_tax"):
                self.near(one["total"][name], two["total"][name], size, name)
        return True

    def test_what_says_nothing_changes_nothing(self):
        """Requests of one class, weights of 1, the whole device as a slice, a learning curve at 1."""
        for index in range(ARGUMENTS.first, ARGUMENTS.first + ARGUMENTS.count):
            scenario = random_version_2.Scenario(ARGUMENTS.seed, index).document
            for workload in scenario["workloads"]:  # of one token there is nothing between tokens
                if workload["kind"] == "inference" and not isinstance(workload.get("units_per_request"), dict):
                    workload["units_per_request"] = max(2, workload.get("units_per_request", 1))
            with self.subTest(seed=ARGUMENTS.seed, index=index):
                said = copy.deepcopy(scenario)
                for pool in said["pools"]:
                    if pool["kind"] != "api":
                        pool["ramp"] = {"kind": "ramp", "axis": "months", "points": [[0, 1]]}
                        device = pool["offer" if pool["kind"] == "cloud" else "server"]["device"]
                        device["slices"] = {"whole": {"fraction": 1, "memory_gib": device.get("memory_gib", 1e6)}}
                for workload in said["workloads"]:
                    if workload["kind"] == "inference" and not isinstance(workload.get("units_per_request"), dict):
                        workload["units_per_request"] = {"output": workload["units_per_request"]}
                    for performance in (entry["performance"] for entry in workload["runs_on"] if "performance" in entry):
                        performance["class_weights"] = {"output": 1}
                        if performance.get("devices", 1) == 1:
                            performance.pop("devices", None)
                            performance["slice"] = "whole"
                one, two = evaluate(scenario, ledger=True), evaluate(said, ledger=True)
                size = sum(abs(row[view]) for row in one["ledger"] for view in VIEWS)
                for name in ("cost", "cash", "npv", "npv_after_tax"):
                    self.near(one["total"][name], two["total"][name], size, name)
                for name, workload in one["by_workload"].items():
                    self.near(workload["units_served"], two["by_workload"][name]["units_served"], 0, "units")
                    self.assertEqual(workload["evidence"], two["by_workload"][name]["evidence"])

    def test_doubling_every_exchange_rate_doubles_every_cost(self):
        """All prices of documents in other currencies and of the scenario's own."""
        for index, scenario in drawn():
            with self.subTest(seed=ARGUMENTS.seed, index=index):
                doubled = json.loads(json.dumps(scenario))
                for place in self.documents(doubled):
                    place.setdefault("currency", "XXX")
                curves = [curve for curve in money_curves(doubled["pools"]) if "currency" in curve]
                doubled["exchange_rates"] = {c: r * 2 for c, r in doubled["exchange_rates"].items()}
                doubled["exchange_rates"] |= {"XXX": 2.0, doubled.get("currency", "USD"): 2.0}
                for place in [*self.documents(doubled), *curves]:
                    if place["currency"] == doubled.get("currency", "USD"):
                        place["currency"] = "XXX"
                self.double_own(doubled)
                one, two = evaluate(scenario, ledger=True), evaluate(doubled, ledger=True)
                size = 2 * sum(abs(row[view]) for row in one["ledger"] for view in VIEWS)
                for name in ("cost", "cash", "npv", "npv_after_tax"):
                    self.near(2 * one["total"][name], two["total"][name], size, name)

    def test_a_curve_in_another_currency_is_its_converted_values(self):
        for index, scenario in drawn():
            with self.subTest(seed=ARGUMENTS.seed, index=index):
                own = scenario.get("currency", "USD")
                converted = json.loads(json.dumps(scenario))
                for curve in money_curves(converted["pools"]):
                    if curve.get("currency", own) != own:
                        rate = scenario["exchange_rates"][curve["currency"]]
                        curve |= {"currency": own, "points": [[x, y * rate] for x, y in curve["points"]]}
                one, two = evaluate(scenario, ledger=True), evaluate(converted, ledger=True)
                size = sum(abs(row[view]) for row in one["ledger"] for view in VIEWS)
                for name in ("cost", "cash", "npv", "npv_after_tax"):
                    self.near(one["total"][name], two["total"][name], size, name)

    @staticmethod
    def documents(scenario: dict) -> list[dict]:
        """Those that may have a currency."""
        found = []
        for pool in scenario["pools"]:
            found += [pool[name] for name in ("offer", "server", "site") if name in pool]
            found += [pool["offer"]["site"]] if "site" in pool.get("offer", {}) else []
        return found

    @staticmethod
    def double_own(scenario: dict) -> None:
        """What is in the scenario's currency."""
        def double(holder: dict, name: str) -> None:
            value = holder.get(name)
            if value is not None and not (isinstance(value, dict) and "currency" in value):
                holder[name] = ({**value, "points": [[x, 2 * y] for x, y in value["points"]]}
                                if isinstance(value, dict) else 2 * value)
        for name in ("carbon_price_per_tonne", "engineer_week_cost", "taxable_income_per_year"):
            double(scenario["finance"], name)
        for workload in scenario["workloads"]:
            double(workload, "unserved_cost_per_unit")
        for pool in scenario["pools"]:
            tiers = list(pool.get("service_tiers", {}).values())
            for priced in [pool, *tiers, *(above for one in [pool, *tiers] for above in one.get("above", []))]:
                price = priced.get("price_per_million_units")
                if isinstance(price, dict) and "points" not in price:
                    for name in list(price):
                        double(price, name)
                else:
                    double(priced, "price_per_million_units")
            for fee in list(pool.get("fees", {})):
                double(pool["fees"], fee)
        for holder in [scenario, *scenario["pools"]]:
            for extra in holder.get("extra_costs", []):
                for name in ("per_month", "per_unit_month", "once"):
                    double(extra, name)

    def test_the_same_seed_gives_the_same_scenarios(self):
        for draw in (random_version_2.version_2, random_work.scenarios):
            first, again = ([json.dumps(s) for s in draw(5, 3)] for _ in range(2))
            self.assertEqual(first, again)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name, default in vars(ARGUMENTS).items():
        parser.add_argument(f"--{name}", type=int, default=default)
    ARGUMENTS, rest = parser.parse_known_args()
    print(f"seed {ARGUMENTS.seed}, scenarios {ARGUMENTS.first} to {ARGUMENTS.first + ARGUMENTS.count - 1}", file=sys.stderr)
    unittest.main(argv=[sys.argv[0], *rest])
