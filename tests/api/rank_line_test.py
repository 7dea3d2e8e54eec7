"""Rankings on the command line and over HTTP: plans that evaluate to the same elsewhere, limits, rates of exchange, probabilities.

usage: rank_line_test.py COSTCURVE
"""

import json
import os
import pathlib
import sys
import unittest

from command_line_case import CommandLineCase, database_of
from daemon import Daemon

ROOT = pathlib.Path(__file__).parents[2]
DEVICE = {"id": "d", "kind": "gpu", "tdp_w": 500,  # facts that bound no rate here
          "memory_gib": 1000, "memory_bandwidth_gb_per_s": 1e6, "peak_flops": {"bf16": 1e18}}


def offer(name, price, **more):
    return {"id": name, "provider": name, "region": "here", "sku": name, "device": "d", "devices": 1, "purchase": "on_demand",
            "hourly_price": price, "currency": "USD", **more}


def endpoint(name, price, **more):
    return {"id": name, "provider": name, "model": "m", "price_per_million_units": price, "currency": "USD", **more}


CATALOGUE = {
    "devices": [DEVICE],
    "performances": [{"id": "rate", "device": "d", "model": "m", "units_per_s": 1000, "basis": "measured"}],
    "offers": [offer("rented", 1), offer("european", 0.5, currency="EUR"),
               offer("spot", 0.9, purchase="spot", interruptions_per_hour=0.01),
               offer("committed", 0.8, purchase="committed", term_months=12)],
    "endpoints": [endpoint("host", 2), endpoint("dear", 9, region="there")],
}
WORK = {"id": "chat", "kind": "inference", "unit": "token", "model": "m", "units_per_request": {"input": 300, "output": 100},
        "demand": {"mean_per_s": 1}}
REQUEST = {"start": "2026-01", "months": 12, "workloads": [WORK]}
LINE = ["m", "--rps", "1", "--input", "300", "--output", "100", "--start", "2026-01", "--months", "12", "--format", "json"]


class RankTest(CommandLineCase):
    def stored(self, *files):
        status, _, err = self.run_costcurve("import", "json", *files, "--database", self.database)
        self.assertEqual(status, 0, err)
        return self.database

    def small(self):
        return self.stored(self.write("catalogue.json", CATALOGUE))

    def rank(self, database, *arguments):
        status, out, err = self.run_costcurve("rank", *arguments, "--database", database)
        self.assertEqual(status, 0, err)
        return json.loads(out)

    def answer_to(self, database, **changes):
        return self.rank(database, self.write("request.json", {**REQUEST, **changes}), "--format", "json")

    def names(self, answer):
        return [plan["scenario"]["pools"][0]["id"] for plan in answer["plans"]]

    def test_each_plan_evaluates_to_the_same_figures_elsewhere(self):
        database = self.stored(*map(str, sorted((ROOT / "deploy" / "catalog").glob("*.json"))))
        ways, evidence = set(), set()
        for model, rate in (("llama-3.1-70b", "40"), ("gpt-oss-120b", "0.1")):
            answer = self.rank(database, model, "--rps", rate, "--growth", "0.03", "--start", "2026-12", "--top", "40",
                               "--format", "json")
            for plan in answer["plans"]:
                pools = plan["scenario"]["pools"]
                ways.add("hybrid" if len(pools) == 2 else pools[0]["kind"])
                evidence.add(plan["evidence"])
            self.reevaluate(answer)
        self.assertEqual(ways, {"hybrid", "cloud", "owned", "api"})
        self.assertLessEqual({"estimated", "extrapolated", None}, evidence)

    def test_requests_are_divided_by_size_where_that_costs_less(self):
        database = self.stored(*map(str, sorted((ROOT / "deploy" / "catalog").glob("*.json"))))
        request = json.loads((ROOT / "docs" / "mix.json").read_text()) | {"top": 40, "samples": 20}
        answer = self.rank(database, self.write("mix.json", request), "--format", "json")
        first, others = answer["plans"][0], answer["plans"][1:]
        self.assertTrue(first["name"].startswith("by request size: "), first["name"])
        self.assertEqual(answer["mix"]["outcome"], "listed")
        self.assertIsNone(answer["mix"]["gap_fraction"], "the plan costs less than the programme knows of")
        self.assertLess(first["decisive"], answer["mix"]["on_one_device"])
        self.assertLess(first["decisive"], min(plan["decisive"] for plan in others))
        groups, (stated,) = first["scenario"]["workloads"], request["workloads"]
        self.assertEqual([group["id"] for group in groups], ["assist-1", "assist-2"])
        self.assertEqual({group["runs_on"][0]["pool"] for group in groups}, {pool["id"] for pool in first["scenario"]["pools"]})
        self.assertAlmostEqual(sum(group["demand"]["mean_per_s"] for group in groups), stated["demand"]["mean_per_s"])
        for bucket in stated["token_mix"]:  # each goes somewhere, whole
            rates = [group["demand"]["mean_per_s"] * part["share"] for group in groups for part in group["token_mix"]
                     if (part["input"], part["output"]) == (bucket["input"], bucket["output"])]
            self.assertAlmostEqual(sum(rates), stated["demand"]["mean_per_s"] * bucket["share"])
        self.assertEqual([row["workload"] for row in first["workloads"]], ["assist-1", "assist-2"])
        self.assertGreater(first["row"]["cost_per_million_output"], 0)
        self.assertGreater(first["probability_best"], 0)
        self.assertIn("sizes", [line["what"] for line in answer["assumptions"]])
        self.reevaluate(answer)
        without = self.rank(database, self.write("cloud.json", request | {"include": ["cloud"]}), "--format", "json")
        self.assertNotIn("mix", without)
        self.assertFalse([plan for plan in without["plans"] if "by request size" in plan["name"]])

    def test_a_fleet_costs_no_more_than_its_workloads_apart(self):
        database = self.stored(*map(str, sorted((ROOT / "deploy" / "catalog").glob("*.json"))))

        def chat(name, model, rate, tokens):
            return {"id": name, "kind": "inference", "unit": "token", "model": model, "demand": {"mean_per_s": rate},
                    "units_per_request": dict(zip(("input", "output"), tokens))}
        fleets = {"one_pool_each": [chat("a", "llama-3.1-70b", 10, (1000, 600)), chat("b", "qwen3-235b-a22b", 10, (200, 150))],
                  "base_and_burst": [chat("a", "gpt-oss-120b", 1, (500, 150)), chat("b", "qwen3-235b-a22b", 0.5, (500, 300))],
                  "two_bases": [chat("a", "llama-3.1-405b", 0.5, (3000, 600)), chat("b", "qwen3-32b", 1, (1000, 600))]}
        bursts = 0
        for name, workloads in fleets.items():
            for include in ([], ["cloud", "mix"]):
                answer = self.rank(database, self.write("fleet.json", {"start": "2026-12", "months": 12, "workloads": workloads,
                                                                       "samples": 40, "include": include}), "--format", "json")
                first = answer["plans"][0]
                self.assertLessEqual(first["decisive"], sum(row["decisive"] for row in answer["apart"]) * (1 + 1e-6), name)
                self.assertTrue(0 <= first["probability_best"] <= 1)
                bursts += max(len(workload["runs_on"]) for workload in first["scenario"]["workloads"]) > 1
                self.reevaluate(answer)
        self.assertGreaterEqual(bursts, 2)

    def test_what_a_workload_adds_does_not_depend_on_the_order(self):
        """Two orders of the documented fleet cost the same; without its chat, summaries before the run cost more than after it."""
        database = self.stored(*map(str, sorted((ROOT / "deploy" / "catalog").glob("*.json"))))
        fleet = json.loads((ROOT / "docs/fleet.json").read_text(encoding="utf-8"))
        fleet |= {"samples": 0, "top": 1, "limits": {"providers": ["runpod"]}, "include": ["cloud", "hybrid"]}
        adds = []
        for places in ((0, 1, 2), (0, 2, 1)):
            request = fleet | {"workloads": [fleet["workloads"][place] for place in places]}
            plan = self.rank(database, self.write("fleet.json", request), "--format", "json")["plans"][0]
            adds.append({row["workload"]: round(row["adds"], 6) for row in plan["workloads"]})
        self.assertEqual(adds[0], adds[1])

    def test_a_bucket_that_no_device_serves_is_named(self):
        database = self.stored(*map(str, sorted((ROOT / "deploy" / "catalog").glob("*.json"))))
        request = json.loads((ROOT / "docs" / "mix.json").read_text()) | {"samples": 0}
        request["workloads"][0]["token_mix"] = [{"input": 100, "output": 200, "share": 0.99},
                                                {"input": 120000, "output": 200, "share": 0.01}]
        path = self.write("long.json", request)
        answer = self.rank(database, path, "--format", "json")
        self.assertEqual(answer["mix"]["outcome"], "no_way")
        self.assertIsNone(answer["mix"]["gap_fraction"])
        self.assertEqual([bucket["ways"] > 0 for bucket in answer["mix"]["buckets"]], [True, False])
        status, out, _ = self.run_costcurve("rank", path, "--database", database)
        self.assertEqual(status, 0)
        self.assertIn("no mix by request size, as nothing serves bucket 1 of assist (1.0 % of its requests): "
                      "ineligible_latency", out)

    def test_flags_that_were_renamed_name_the_new_ones(self):
        for flag, now in (("--latency-s", "--itl-s or --e2e-s"), ("--latency-percentile", "--percentile")):
            for given in ([flag, "0.1"], [f"{flag}=0.1"]):
                status, _, err = self.run_costcurve("rank", *LINE, *given, "--database", self.database)
                self.assertEqual((status, f"{flag} is now {now}" in err), (2, True), (given, err))
        self.assertNotIn("--latency-s", self.run_costcurve("rank", "--help")[1])

    def test_a_percentile_without_an_objective_is_refused(self):
        status, _, err = self.run_costcurve("rank", *LINE, "--percentile", "99.9", "--database", self.small())
        self.assertEqual((status, "add ttft_s, itl_s or e2e_s (--ttft-s, --itl-s, --e2e-s)" in err), (2, True), err)

    def test_objectives_on_the_line_are_those_of_the_request(self):
        database = self.small()
        line = self.rank(database, *LINE, "--ttft-s", "2", "--itl-s", "0.5", "--e2e-s", "90", "--percentile", "50")
        slo = {"ttft_s": 2, "itl_s": 0.5, "e2e_s": 90, "percentile": 50}
        answer = self.answer_to(database, workloads=[{**WORK, "slo": slo}])
        self.assertEqual(line["excluded"], answer["excluded"])
        self.assertIn("latency_unknown", json.dumps(line["excluded"]))
        error = self.run_costcurve("rank", self.write("old.json", {**REQUEST, "workloads": [{**WORK, "latency_objective_s": 1}]}),
                                   "--database", database)
        self.assertEqual(error[0], 2, error)
        self.assertIn("latency_objective_s is now slo.itl_s or slo.e2e_s", error[2])

    def reevaluate(self, answer):
        plans = answer["plans"]
        files = [self.write(f"plan{i}.json", plan["scenario"]) for i, plan in enumerate(plans)]
        status, out, err = self.run_costcurve("evaluate", *files, "--format", "json")
        self.assertEqual(status, 0, err)
        for plan, result in zip(plans, map(json.loads, out.splitlines()), strict=True):
            self.assertEqual(plan["decisive"], result["total"][answer["decide_by"]], plan["name"])
            figures = {name: value for name, value in plan["summary"].items() if " of " not in name}
            self.assertEqual(figures, {name: result["total"][name] for name in figures}, plan["name"])
            self.assertEqual(plan["oldest_price"], result["provenance"]["oldest_price"], plan["name"])
            for workload in plan["scenario"]["workloads"]:  # so that no store's measurements are needed
                for performance in (entry["performance"] for entry in workload["runs_on"] if "performance" in entry):
                    self.assertEqual("mix" in performance, performance["id"].startswith("rate."), performance)
        self.assertEqual([plan["rank"] for plan in plans], list(range(1, 1 + len(plans))))
        decisive = [plan["decisive"] for plan in plans]
        self.assertEqual(decisive[1:], sorted(decisive[1:]))
        for plan in plans[1:]:  # what costs less than the first rests on what is not known
            self.assertTrue(plan["decisive"] >= decisive[0] or plan["why"].startswith("behind, as "), plan["name"])
            self.assertEqual("its latency is not known" in plan["why"], plan["decisive"] < decisive[0] and
                             "latency_unknown" in plan["row"]["warnings"], plan["name"])
        counts = [reason["count"] for reason in answer["excluded"]]
        self.assertEqual(counts, sorted(counts, reverse=True))

    def test_the_command_line_is_what_http_answers(self):
        database = self.small()
        with Daemon(self.costcurve, self.directory) as daemon:
            connection = daemon.connect()
            body = {**REQUEST, "workloads": [{**WORK, "id": "serve", "demand": {"mean_per_s": 1, "growth_per_month": 0},
                                              "peak_utilization": 1}],
                    "exchange_rates": {"EUR": 1.1}, "discounts": {"host": 0.1}, "samples": 30, "seed": 4,
                    "limits": {"max_price_age_days": 100, "kinds": ["gpu"]}}
            connection.request("POST", "/v1/rank", json.dumps(body), {"Content-Type": "application/json"})
            answer = connection.getresponse().read().decode()
            connection.close()
        status, out, err = self.run_costcurve("rank", *LINE, "--rate", "EUR=1.1", "--discount", "host=0.1", "--samples", "30",
                                              "--seed", "4", "--max-price-age-days", "100", "--kind", "gpu", "--database", database)
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(out, answer + "\n")

    def test_a_rate_of_exchange_brings_in_what_is_priced_in_it(self):
        database = self.small()
        without = self.rank(database, *LINE)
        self.assertIn({"reason": "missing_exchange_rate", "count": 1, "examples": ["european european in here, on demand"]},
                      without["excluded"])
        self.assertNotIn("european", self.names(without))
        twice = self.rank(database, *LINE, "--rate", "EUR=2", "--rate", "GBP=1.3", "--include", "cloud")
        by_name = dict(zip(self.names(twice), twice["plans"], strict=True))
        self.assertEqual(by_name["european"]["decisive"], by_name["rented"]["decisive"])  # 0.5 EUR at 2 is 1 USD
        self.assertEqual(by_name["european"]["scenario"]["exchange_rates"], {"EUR": 2, "GBP": 1.3})

    def test_wrong_rates_of_exchange_are_refused(self):
        database = self.small()
        for value, word in (("EUR", "NAME=NUMBER"), ("=1", "NAME=NUMBER"), ("EUR=much", "NAME=NUMBER"),
                            ("EUR=-1", "/exchange_rates/EUR"), ("euro=1", "/exchange_rates")):
            status, _, err = self.run_costcurve("rank", *LINE, "--rate", value, "--database", database)
            self.assertEqual(status, 2, value)
            self.assertIn(word, err)
        status, _, err = self.run_costcurve("rank", *LINE, "--rate", "EUR=1", "--rate", "EUR=2", "--database", database)
        self.assertEqual(status, 2)
        self.assertIn("stated twice", err)

    def test_limits_and_discounts(self):
        database = self.small()
        self.assertIn("committed", self.names(self.answer_to(database, include=["cloud"])))
        for limits, reason in (({"purchases": ["committed"]}, "purchase"), ({"regions": ["there"]}, "region"),
                               ({"providers": ["committed"]}, "provider")):
            answer = self.answer_to(database, limits=limits, include=["cloud"])
            self.assertEqual(self.names(answer), [] if reason == "region" else ["committed"])
            count = next(row["count"] for row in answer["excluded"] if row["reason"] == reason)
            self.assertEqual(count, 4 if reason == "region" else 3)
        hosted, discounted = (self.answer_to(database, include=["api"], discounts=discounts) for discounts in ({}, {"host": 0.25}))
        full, off = ({plan["name"]: plan["decisive"] for plan in answer["plans"]} for answer in (hosted, discounted))
        self.assertAlmostEqual(off["m of host"], 0.75 * full["m of host"], delta=1e-9 * full["m of host"])
        self.assertEqual(off["m of dear in there"], full["m of dear in there"])

    def test_what_nothing_is_known_of_is_refused_and_nothing_feasible_is_no_plan(self):
        database = self.small()
        request = self.write("unknown.json", {**REQUEST, "workloads": [{**WORK, "model": "m-2"}]})
        status, _, err = self.run_costcurve("rank", request, "--database", database)
        self.assertEqual(status, 2)
        self.assertIn("/v1/models", err)
        with Daemon(self.costcurve, self.directory) as daemon:
            status, _, answer = daemon.ask("POST", "/v1/rank", {**REQUEST, "workloads": [{**WORK, "model": "m-2"}]})
            self.assertEqual((status, answer["errors"][0]["pointer"]), (422, "/workloads/0/model"))
            self.assertIn("/v1/models", answer["errors"][0]["message"])
            status, _, answer = daemon.ask("POST", "/v1/rank", {**REQUEST, "include": ["cloud"], "limits": {"providers": ["dear"]}})
            self.assertEqual((status, answer["plans"]), (200, []))
            counts = [reason["count"] for reason in answer["excluded"]]
            self.assertEqual(counts, sorted(counts, reverse=True))
            self.assertGreater(counts[0], 0)
        answer = self.answer_to(database, include=["cloud"], limits={"evidence": "measured", "providers": ["dear"]}, samples=9)
        self.assertEqual(answer["plans"], [])
        self.assertNotIn("uncertainty", answer)
        self.assertEqual(answer["excluded"][0]["reason"], "provider")
        status, out, err = self.run_costcurve("rank", *LINE[:-2], "--include", "cloud", "--provider", "dear",
                                              "--database", database)
        self.assertEqual((status, err, out.splitlines()[0]),
                         (0, "", "nothing in the catalogue can do this work: 4 ways are left out as provider"))
        (self.directory / "empty").mkdir()
        status, _, err = self.run_costcurve("rank", *LINE, "--database", database_of(self.directory / "empty"))
        self.assertNotEqual(status, 0)
        self.assertIn("costcurve import json deploy/catalog/*.json", err)

    def test_names_that_nothing_in_the_catalogue_has_are_refused_with_near_ones(self):
        database = self.small()
        for option, name, near in (("--region", "her", "here"), ("--region", "atlantis", "eu, uk, us"),
                                   ("--region", "DE", "ISO 3166"), ("--provider", "rentd", "rented"),
                                   ("--device", "dd", ""), ("--site", "hall", "")):
            with self.subTest(option, name=name):
                status, _, err = self.run_costcurve("rank", *LINE, option, name, "--database", database)
                self.assertEqual(status, 2, err)
                self.assertIn(f"/limits/{option[2:]}s/0  unknown_value", err)
                self.assertIn(near, err)
        status, _, err = self.run_costcurve("rank", *LINE, "--discount", "Rented=0.3", "--database", database)
        self.assertEqual(status, 2, err)
        self.assertIn("/discounts/Rented  unknown_value", err)
        self.assertIn("rented", err)
        status, _, err = self.run_costcurve("rank", *LINE, "--discount-rate", "8", "--database", database)
        self.assertEqual(status, 2, err)
        self.assertIn("/finance/discount_rate  out_of_range: it is 8, 800 % a year: 8 % is 0.08", err)
        bound = {**WORK, "regions": ["atlantis"]}
        request = self.write("bound.json", {**REQUEST, "workloads": [bound]})
        status, _, err = self.run_costcurve("rank", request, "--database", database)
        self.assertEqual(status, 2, err)
        self.assertIn("/workloads/0/regions/0  unknown_value", err)
        here = self.answer_to(database, shape="flat", workloads=[{**WORK, "regions": ["here"]}])
        self.assertEqual(self.names(here)[0], "committed")

    def test_samples_say_how_likely_each_plan_is_the_best(self):
        database = self.small()
        answer = self.answer_to(database, samples=100, seed=5)
        uncertainty = answer["uncertainty"]
        total = sum(plan["probability_best"] for plan in answer["plans"]) + uncertainty["probability_others"]
        self.assertAlmostEqual(total + uncertainty["probability_none"], 1)
        self.assertEqual((uncertainty["samples"], uncertainty["seed"]), (100, 5))
        self.assertEqual(len(uncertainty["factors"]), 8)
        self.assertIn("demand", uncertainty["assumption"])
        spot = next(row for row in uncertainty["factors"] if row["factor"] == "spot_prices")
        self.assertEqual((spot["kind"], spot["median"], spot["sigma"]), ("lognormal", 1, 0.3))
        self.assertAlmostEqual(spot["p95"], 1.638, delta=0.001)  # exp(0.3 x 1.6449)
        self.assertEqual(answer, self.answer_to(database, samples=100, seed=5))
        for plan in answer["plans"]:
            self.assertLess(plan["row"]["low"], plan["row"]["high"])
        self.assertFalse(answer["plans"][0]["tied"])
        self.assertEqual(self.answer_to(database)["uncertainty"]["samples"], 400)  # where nothing is said
        without = self.answer_to(database, samples=0)
        self.assertNotIn("uncertainty", without)
        self.assertNotIn("probability_best", without["plans"][0])
        for plan, bare in zip(answer["plans"], without["plans"], strict=True):
            del plan["probability_best"], plan["tied"]
            plan["row"].update(low=None, high=None, probability_feasible=None)
            self.assertEqual(plan, bare)  # the ranking is that of what is stated

    def test_a_ranking_and_the_decision_made_of_it_give_one_chance(self):
        other = {"devices": [DEVICE, {**DEVICE, "id": "e"}],
                 "performances": [*CATALOGUE["performances"], {**CATALOGUE["performances"][0], "id": "guess", "device": "e",
                                                               "basis": "estimated"}],
                 "offers": [*CATALOGUE["offers"], offer("estimated", 0.85, device="e")]}
        work = {**WORK, "demand": {"mean_per_s": 40}}
        self.stored(self.write("catalogue.json", {**CATALOGUE, **other}))
        with Daemon(self.costcurve, self.directory) as daemon:
            def ask(path, body, method="POST"):
                status, _, answer = daemon.ask(method, path, body)
                self.assertIn(status, (200, 201), answer)
                return answer

            ranking = ask("/v1/rank", {**REQUEST, "workloads": [work], "samples": 400, "seed": 1, "top": 100})
            kept = [f"plan-{plan['rank']}" for plan in ranking["plans"]]
            for name, plan in zip(kept, ranking["plans"]):
                ask(f"/v1/scenarios/{name}", {**plan["scenario"], "id": name}, "PUT")
            demand = {"pointer": "/workloads/*/demand/mean_per_s",
                      "distribution": {"kind": "triangular", "low": 0.8, "mode": 1, "high": 1.25, "relative": True}}
            question = {"scenarios": kept, "inputs": [demand], "samples": 400, "seed": 1, "sized_anew": True}
            decision = ask("/v1/simulate", question)
            chances = [plan["probability_best"] for plan in ranking["plans"]]
            self.assertGreater(sum(0.02 < chance < 0.98 for chance in chances), 2)  # else nothing is contested
            self.assertEqual([one["probability_best"] for one in decision["scenarios"]], chances)
            self.assertEqual(decision["uncertainty"], ranking["uncertainty"])
            self.assertEqual(ranking["uncertainty"]["in_running"], len(kept))
            other_seed = ask("/v1/simulate", {**question, "seed": 2})
            for one, chance in zip(other_seed["scenarios"], chances):
                self.assertAlmostEqual(one["probability_best"], chance, delta=0.14)  # four standard errors of a difference
            self.assertNotIn("uncertainty", ask("/v1/simulate", {**question, "sized_anew": False}))

    def test_plans_have_spares_and_the_answer_states_what_it_assumes(self):
        database = self.small()
        usual = self.answer_to(database)
        self.assertNotIn("spot", self.names(usual))
        rented = next(plan for plan in usual["plans"] if plan["name"].startswith("rented"))
        self.assertEqual([replica["spares"] for replica in rented["replicas"]], [1])
        self.assertEqual(rented["scenario"]["workloads"][0]["availability"], 0.999)
        self.assertEqual(rented["scenario"]["pools"][0]["offer"]["interruptions_per_hour"], 1.6e-4)
        stated = {line["what"]: line["value"] for line in usual["assumptions"]}
        self.assertEqual(stated, {"shape": "office", "slo": "2 s to the first token, 0.1 s between tokens, 95th percentile",
                                  "spares": "1", "availability": "0.999", "spot": "burst", "failures": "0.00016",
                                  "hosts": "always up", "replacement": "3600", "restart": "900", "spot_hours": "0.9"})
        own = self.answer_to(database, spares=0, availability=0.5, spot="all")
        self.assertIn("spot", self.names(own))
        bare = next(plan for plan in own["plans"] if plan["name"].startswith("rented"))
        self.assertLess(bare["decisive"], rented["decisive"])
        self.assertEqual({line["what"] for line in own["assumptions"]},
                         {"failures", "hosts", "replacement", "restart", "shape", "slo", "spot_hours"})
        line = self.rank(database, *LINE, "--spares", "0", "--availability", "0.5", "--spot", "all")
        self.assertEqual([plan["decisive"] for plan in line["plans"]], [plan["decisive"] for plan in own["plans"]])
        status, out, err = self.run_costcurve("rank", *LINE[:-2], "--database", database)
        self.assertEqual((status, err), (0, ""))
        self.assertIn(", 1 spare", out)
        self.assertIn("  failures 0.00016 1/host-hour: 419 unexpected interruptions", out)

    def test_what_the_line_states_of_demand_is_what_the_request_states(self):
        database = self.small()
        on_line = self.rank(database, *LINE, "--cached", "100", "--reasoning", "50", "--input-p95", "700", "--shape", "flat",
                            "--burst", "4", "60", "24", "--samples", "0")
        work = {**WORK, "demand": {"mean_per_s": 1, "burst": {"factor": 4, "seconds": 60, "per_day": 24}},
                "token_mix": {"mean": {"input": 200, "output": 100, "cached_input": 100, "reasoning": 50},
                                      "p95": {"input": 700}}}
        del work["units_per_request"]
        answer = self.answer_to(database, workloads=[work], shape="flat", samples=0)
        self.assertEqual([plan["decisive"] for plan in on_line["plans"]], [plan["decisive"] for plan in answer["plans"]])
        self.assertNotIn("shape", {line["what"] for line in answer["assumptions"]})
        demand = [plan["scenario"]["workloads"][0]["demand"] for plan in self.answer_to(database)["plans"]]
        self.assertTrue(all(one["shape"]["axis"] == "hour_of_week" for one in demand), demand)
        for given, message in ((["--shape", "night"], "no curve has the id night"),
                               (["--shape", "night"], "office, consumer, flat are words"),
                               (["--input-p95", "200"], "at least the mean"), (["--input", "-5"], "-5 is no number of 0 or more"),
                               (["--rps", "nan"], "nan is no number above 0"), (["--precision", "fp9"], "not in {"),
                               (["--provider", "acme"], "there are committed, dear, european, host, rented, spot")):
            status, _, err = self.run_costcurve("rank", *LINE, *given, "--database", database)
            self.assertEqual((status, message in err), (2, True), err)

    def test_what_is_not_known_to_be_fast_is_listed_and_not_first(self):
        stated = {"basis": "measured", "model": "m", "device": "d", "itl_s": 0.02, "ttft_s": 0.4, "latency_percentile": 95}
        quick = {**CATALOGUE, "performances": [{"id": "rate", "units_per_s": 1000, **stated}]}
        database = self.stored(self.write("quick.json", quick))
        cheap = endpoint("cheap", 0.01)
        self.stored(self.write("cheap.json", {"endpoints": [cheap]}))
        answer = self.answer_to(database)
        first, second = self.names(answer)[:2]
        self.assertEqual((first, second), ("committed", "cheap"))  # with what is rented while the committed is down
        self.assertIn("behind, as its latency is not known", answer["plans"][1]["why"])
        self.assertIn("latency_unknown", answer["plans"][1]["row"]["warnings"])
        known = {**cheap, "ttft_s": 0.5, "itl_s": 0.02, "latency_percentile": 95}
        self.stored(self.write("known.json", {"endpoints": [known]}))
        self.assertEqual(self.names(self.answer_to(database))[0], "cheap")
        slow = {**known, "itl_s": 0.2}
        self.stored(self.write("slow.json", {"endpoints": [slow]}))
        self.assertNotIn("cheap", self.names(self.answer_to(database)))
        stated_by_asker = self.answer_to(database, workloads=[{**WORK, "slo": {"ttft_s": 2}}])
        self.assertNotIn("host", self.names(stated_by_asker), "an objective that is asked for is kept or not known")

    def test_every_way_of_the_catalogue_is_ranked_or_counted(self):
        """Version 2.0 evaluated 129 ways of the README's question: at least three in five of them are still in the ranking."""
        folder = ROOT / "deploy" / "catalog"
        database = self.stored(*map(str, sorted(folder.glob("*.json"))))
        has = {name: json.loads((folder / f"{name}.json").read_text()) for name in ("offers", "servers", "sites", "endpoints")}
        open_sites = [site for site in has["sites"] if any(site.get(name, 0) > 0 for name in
                                                           ("space_per_kw_month", "space_per_rack_month", "facility_price_per_w"))]
        markets = sum(offer["provider"] == "market" for offer in has["offers"])
        owned = len(has["servers"]) * len(open_sites) + len(has["sites"]) - len(open_sites)
        single = {"cloud": len(has["offers"]) - markets, "owned": owned, "api": len(has["endpoints"])}
        line = ("llama-3.1-70b", "--rps", "5", "--input", "500", "--output", "300", "--months", "36", "--start", "2026-12",
                "--samples", "0", "--top", "100", "--format", "json")
        ranked = 0
        for way, count in single.items():
            answer = self.rank(database, *line, "--include", way)
            self.assertEqual(answer["considered"], count, way)
            self.assertEqual(answer["ranked"] + sum(row["count"] for row in answer["excluded"]), count, way)
            self.assertEqual(len(answer["plans"]), min(100, answer["ranked"]), way)
            self.assertEqual(len({plan["name"] for plan in answer["plans"]}), len(answer["plans"]), way)
            ranked += answer["ranked"]
        self.assertGreaterEqual(ranked, 0.6 * 129)
        whole = self.rank(database, *line)
        self.assertEqual(whole["ranked"] + sum(row["count"] for row in whole["excluded"]), whole["considered"])
        self.assertGreater(whole["considered"], sum(single.values()) + markets)  # hybrids too
        self.assertGreater(whole["ranked"], ranked)

    def test_a_model_goes_by_any_of_its_names(self):
        database = self.stored(*map(str, sorted((ROOT / "deploy" / "catalog").glob("*.json"))))
        names = ("llama-3.1-8b", "Llama 3.1 8B", "meta-llama/Llama-3.1-8B-Instruct", "llama3.1-8b")
        answers = [self.rank(database, name, "--start", "2026-12", "--samples", "0", "--format", "json") for name in names]
        self.assertTrue(all(answer == answers[0] for answer in answers))

    def test_training_takes_the_gang_that_ends_in_time(self):
        device = {"id": "quick", "kind": "gpu", "tdp_w": 700, "memory_gib": 80, "peak_flops": {"bf16": 1e15},
                  "links": {"intra_gb_per_s": 450, "kind": "nvlink"}}
        facts = {"id": "eight", "parameters": 8e9, "active_parameters": 8e9, "weight_bytes": {"bf16": 16e9},
                 "kv_bytes_per_token": 131072, "layers": 32, "hidden": 4096, "context_tokens": 8192}
        rented = [offer("host", 16, device="quick", devices=8), offer("card", 1, device="quick")]
        database = self.stored(self.write("training.json", {"models": [facts], "devices": [device], "offers": rented}))
        line = ["eight", "--train", "--tokens", "1e11", "--start", "2026-01", "--format", "json"]
        hosts = []
        for days in (40, 8):
            answer = self.rank(database, *line, "--within-days", str(days))
            plan = answer["plans"][0]
            self.assertEqual([one["scenario"]["pools"][0]["id"] for one in answer["plans"]], ["host"])
            hosts.append(plan["scenario"]["pools"][0]["max_instances"])
            row = plan["row"]
            self.assertGreaterEqual(row["probability_in_time"], 0.9)
            self.assertLess(row["days"], row["days_p90"])
            self.assertLessEqual(row["days_p90"], days)
            self.assertAlmostEqual(row["cost_per_run"], plan["decisive"])
            self.assertIsNone(plan["replicas"][0]["at_peak"])
            status, out, err = self.run_costcurve("evaluate", self.write("plan.json", plan["scenario"]), "--format", "json")
            self.assertEqual(status, 0, err)
            result = json.loads(out)
            self.assertEqual(result["total"]["cost"], plan["decisive"])
            self.assertAlmostEqual(result["by_workload"]["train"]["days"], row["days"])
        self.assertGreater(hosts[1], hosts[0])
        halves = self.rank(database, "eight", "--train", "--tokens-per-epoch", "5e10", "--epochs", "2", *line[4:],
                           "--within-days", "8")
        self.assertEqual(halves["plans"][0]["decisive"], answer["plans"][0]["decisive"], "the same tokens in two epochs")
        late = self.rank(database, *line, "--within-days", "0.01")
        self.assertEqual(late["plans"], [])
        self.assertLess(late["nearest_run"]["probability_in_time"], 0.9)
        self.assertEqual({one["reason"] for one in late["excluded"]}, {"deadline", "no_network"})
        with Daemon(self.costcurve, self.directory) as daemon:
            work = {"id": "train", "kind": "training", "unit": "token", "model": "eight", "units_per_epoch": 1e11, "epochs": 1,
                    "within_days": 8}
            status, _, body = daemon.ask("POST", "/v1/rank", {"start": "2026-01", "months": 12, "workloads": [work]})
            self.assertEqual((status, body["plans"]), (200, answer["plans"]))
            served = {**WORK, "model": "eight"}
            status, _, body = daemon.ask("POST", "/v1/rank", {"start": "2026-01", "months": 12, "workloads": [work, served]})
            self.assertEqual(status, 200, body)
            for plan in body["plans"]:
                self.assertEqual([share["workload"] for share in plan["workloads"]], ["train", "chat"])

    def test_training_that_says_too_little_is_refused(self):
        for arguments, said in ((["--train"], "--tokens"), (["--train", "--tokens", "1e9", "--rps", "5"], "--rps"),
                                (["--tokens", "1e9"], "--train"), (["--train", "--tokens", "-1"], "--tokens"),
                                (["--train", "--tokens", "1e9", "--method", "some"], "--method")):
            status, _, err = self.run_costcurve("rank", "m", *arguments, "--database", self.small())
            self.assertEqual(status, 2, arguments)
            self.assertIn(said, err)

    def test_an_availability_that_nothing_keeps_is_refused(self):
        database = self.small()
        for changes, at in (({"availability": 1}, "/availability"), ({"availability": 1.5}, "/availability"),
                            ({"spares": -1}, "/spares"), ({"spares": 0.5}, "/spares"), ({"spot": "now"}, "/spot")):
            request = self.write("request.json", {**REQUEST, **changes})
            status, _, err = self.run_costcurve("rank", request, "--database", database)
            self.assertEqual(status, 2, changes)
            self.assertIn(at, err)

    def test_a_run_that_writes_no_checkpoint_within_the_horizon_is_refused(self):
        days = 365
        run = {"id": "run", "kind": "training", "unit": "token", "model": "m", "units_per_epoch": 1e9, "epochs": 1}
        for interval_s, is_refused in ((86400 * days, False), (86400 * days + 1, True), (1e9, True)):
            request = {**REQUEST, "workloads": [{**run, "checkpoint": {"interval_s": interval_s}}]}
            status, _, err = self.run_costcurve("rank", self.write("run.json", request), "--database", self.small())
            self.assertEqual((status, "/workloads/0/checkpoint/interval_s" in err), (2 if is_refused else 0, is_refused), err)

    def test_the_table_has_the_probabilities(self):
        database = self.small()
        request = self.write("request.json", REQUEST)
        status, out, err = self.run_costcurve("rank", request, "--samples", "50", "--seed", "3", "--database", database)
        self.assertEqual(status, 0, err)
        self.assertIn("p10 to p90", out.splitlines()[0])
        self.assertIn("of 50 samples (seed 3) of demand, rates and prices, sized anew in each, of ", out)
        status, out, err = self.run_costcurve("rank", request, "--database", database)
        self.assertEqual((status, err), (0, ""))
        self.assertIn("of 400 samples (seed 0)", out)
        status, out, err = self.run_costcurve("rank", request, "--samples", "0", "--database", database)
        self.assertNotIn("samples", out)
        for wrong in ("-1", "2001"):
            status, _, err = self.run_costcurve("rank", request, "--samples", wrong, "--database", database)
            self.assertEqual(status, 2, wrong)

    def test_options_of_work_beside_a_file_are_refused(self):
        status, _, err = self.run_costcurve("rank", self.write("request.json", REQUEST), "--rps", "7", "--database", self.small())
        self.assertEqual(status, 2)
        self.assertIn("a file states the work itself", err)


if __name__ == "__main__":
    CommandLineCase.costcurve = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
