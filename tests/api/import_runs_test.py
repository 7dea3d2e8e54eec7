"""Imports as runs: each has a number, holds back what is not plausible as a feed's run does, and is accepted, rejected and undone.

usage: import_runs_test.py COSTCURVE ROOT [unittest options]
"""

import argparse
import datetime
import itertools
import json
import pathlib
import random
import sys

import feeds_test
from command_line_case import SMALLEST, rows_of, skips
from feeds_test import HEADER
from price_list_case import FIRST, LAST, LIST, USUAL, PriceListCase, distortions, honest, one, rows

SEED = 1
DAYS = [str(datetime.date(2025, 1, 6) + datetime.timedelta(weeks=week)) for week in range(30)]
MODELS = {f"model-{i}": (0.1 * 1.5 ** i, 0.37 * 1.5 ** i) for i in range(8)}


def hosted(prices=MODELS, host="acme"):
    """A host's list of prices of models, per million tokens in and out."""
    return ("model_name,provider,price_per_1m_input_tokens,price_per_1m_output_tokens\n"
            + "".join(f"{model},{host},{price[0]:.9f},{price[1]:.9f}\n" for model, price in prices.items())).encode()


BILL_HEAD = ("ChargePeriodStart,ChargePeriodEnd,BillingCurrency,ProviderName,EffectiveCost,BilledCost,ChargeCategory,"
             "ServiceName,BillingAccountId,BillingPeriodStart,BillingPeriodEnd,ListCost,ContractedCost,SkuId,RegionId,"
             "ConsumedQuantity,ConsumedUnit,SkuPriceDetails\n")
BILL_LINE = ('2025-04-01T00:00:00Z,2025-04-02T00:00:00Z,USD,AWS,{0},{0},Usage,EC2,1,2025-04-01T00:00:00Z,'
             '2025-05-01T00:00:00Z,{0},{0},p5.48xlarge,us-east-1,24,Hours,"{{""InstanceType"": ""p5.48xlarge""}}"\n')


class ImportRuns(PriceListCase):
    def imported(self, daemon, body, day=0, status=200, query="", form="skypilot&provider=lambda"):
        found, _, answer = daemon.ask("POST", f"/v1/imports?format={form}&date={DAYS[day]}{query}", body)
        self.assertEqual(found, status, answer)
        return answer

    def hosted(self, daemon, prices, day=0, query="", host="acme"):
        return self.imported(daemon, hosted(prices, host), day, query=query, form="api_prices")

    def run_of(self, daemon, answer):
        status, _, run = daemon.ask("GET", f"/v1/imports/{answer['run']}")
        self.assertEqual(status, 200, run)
        return run

    def test_each_import_has_a_number_by_which_it_is_looked_up(self):
        with self.daemon() as daemon:
            (catalogue,) = daemon.ask("GET", "/v1/imports")[2]["items"]
            self.assertEqual((catalogue["format"], catalogue["files"]), ("json", "devices.json, curves.json"))
            self.assertNotIn("run", self.imported(daemon, rows(), query="&dry_run=true"), "a dry run stores nothing")
            first = self.imported(daemon, rows(), query="&name=vms.csv")
            again = self.imported(daemon, rows())
            self.hosted(daemon, MODELS)
            run = self.run_of(daemon, first)
            self.assertEqual((run["state"], run["format"], run["files"], run["recorded_by"], run["held"], run["problem"]),
                             ("landed", "skypilot", "vms.csv", "local", 0, None))
            self.assertEqual(run["summary"]["documents"], {"added": len(LIST), "changed": 0, "unchanged": 0})
            self.assertEqual(self.run_of(daemon, again)["state"], "unchanged")
            page = daemon.ask("GET", "/v1/imports?limit=2")[2]
            self.assertEqual([run["format"] for run in page["items"]], ["api_prices", "skypilot"])
            rest = daemon.ask("GET", f"/v1/imports?limit=2&after={page['next']}")[2]
            self.assertEqual(([run["run"] for run in rest["items"]], rest["next"]), ([first["run"], catalogue["run"]], None))
            self.assertEqual(daemon.ask("GET", "/v1/imports/99")[0], 404)
            self.assertEqual(daemon.ask("GET", "/v1/imports?after=x")[0], 422)

    def test_runs_of_feeds_and_imports_are_no_others(self):
        with self.daemon() as daemon:
            self.feed(daemon, "http://127.0.0.1:9/vms.csv")
            of_feed = self.run_feed(daemon)
            of_import = self.imported(daemon, rows())
            self.assertEqual(daemon.ask("GET", f"/v1/imports/{of_feed['run']}")[0], 404)
            for verb in ("accept", "reject", "undo"):
                self.assertEqual(daemon.ask("POST", f"/v1/imports/{of_feed['run']}/{verb}")[0], 404)
                self.assertEqual(daemon.ask("POST", f"/v1/feeds/daily/runs/{of_import['run']}/{verb}")[0], 404)

    def test_what_an_import_landed_is_gone_as_of_shows_it_and_flips_say_undone(self):
        with self.daemon() as daemon:
            self.imported(daemon, rows(), 0)
            standings = self.compare(daemon)
            run = self.review(daemon, self.run_of(daemon, self.imported(daemon, rows(lambda _, usual: usual / 2), 1)), "accept")
            daemon.ask("POST", "/v1/recalculations", {})
            self.until(lambda: len(self.events(daemon, "comparison_flipped")) == 1, "it flips")
            known = daemon.ask("GET", f"/v1/offers/{LAST}")[2]["recorded_at"]
            undone = self.review(daemon, run, "undo")
            self.assertEqual((undone["state"], undone["summary"]["kept"]), ("undone", []))
            self.assertEqual(undone["problem"], f"undone by local: {len(LIST)} documents are as before, 0 deleted")
            self.assertEqual(self.points(daemon), [31.92])
            self.assertEqual(self.points(daemon, as_of=f"?as_of={known}"), [31.92, 15.96])
            self.until(lambda: len(self.events(daemon, "comparison_flipped")) == 2, "it flips back")
            newest, first = (event["data"] for event in self.events(daemon, "comparison_flipped"))
            self.assertEqual(newest["undone"], [{"run": run["run"]}])
            self.assertNotIn("undone", first)
            self.assertEqual(standings()[0]["cheapest"], "still")
            self.assertIn("only what has landed", self.review(daemon, run, "undo", 409)["detail"])
            landed = self.imported(daemon, rows(lambda _, usual: round(usual * 0.9, 2)), 1)
            self.assertEqual((landed["held"], self.points(daemon)), (0, [31.92, 28.73]), "the honest list lands afterwards")
            self.assertIn("undo_import", [entry["action"] for entry in daemon.ask("GET", "/v1/audit")[2]["items"]])
        status, out, said = self.run_costcurve("check", "--database", self.database)
        self.assertEqual(status, 0, out + said)

    def test_what_has_changed_since_is_kept_and_named(self):
        with self.daemon() as daemon:
            self.imported(daemon, rows(), 0)
            run = self.run_of(daemon, self.imported(daemon, rows(lambda _, usual: round(usual * 0.8, 2)), 1))
            document = daemon.ask("GET", f"/v1/offers/{LAST}")[2]
            self.put(daemon, f"/v1/offers/{LAST}", {**document, "note": "ours"})
            undone = self.review(daemon, run, "undo")
            self.assertEqual(undone["summary"]["kept"], [f"offer/{LAST}"])
            self.assertEqual((self.points(daemon), daemon.ask("GET", f"/v1/offers/{LAST}")[2]["note"]), ([31.92], "ours"))
            self.assertEqual(self.points(daemon, FIRST), [1.29])

    def test_what_a_standing_run_restated_stays_and_goes_with_the_last_that_stated_it(self):
        config = {"architectures": ["LlamaForCausalLM"], "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
                  "vocab_size": 128256, "num_attention_heads": 32, "num_key_value_heads": 8, "torch_dtype": "bfloat16",
                  "model_type": "llama", "max_position_embeddings": 131072}

        def states(daemon, layers):
            body = json.dumps({**config, "num_hidden_layers": layers}).encode()
            status, _, answer = daemon.ask("POST", "/v1/imports?format=model_config&id=own-8b", body)
            self.assertEqual((status, answer["held"]), (200, 0), answer)
            return self.run_of(daemon, answer)
        layers = lambda daemon: daemon.ask("GET", "/v1/models/own-8b")[2].get("layers")
        with self.daemon() as daemon:
            states(daemon, 32)
            first, second = states(daemon, 30), states(daemon, 30)
            self.assertEqual((first["state"], second["state"]), ("landed", "unchanged"))
            undone = self.review(daemon, first, "undo")
            self.assertEqual((layers(daemon), undone["summary"]["kept"]), (30, ["model/own-8b"]), "the second states it")
            self.assertEqual(self.review(daemon, second, "undo")["state"], "undone")
            self.assertEqual(layers(daemon), 32)
            first, second, third = states(daemon, 28), states(daemon, 28), states(daemon, 28)
            for run, left in ((second, 28), (first, 28), (third, 32)):
                self.review(daemon, run, "undo")
                self.assertEqual(layers(daemon), left)
            first, second, third = states(daemon, 28), states(daemon, 34), states(daemon, 28)
            for run, left in ((second, 28), (third, 28), (first, 32)):
                self.review(daemon, run, "undo")
                self.assertEqual(layers(daemon), left)
        status, out, said = self.run_costcurve("check", "--database", self.database)
        self.assertEqual(status, 0, out + said)

    def test_prices_and_offers_that_a_standing_list_restates_stay(self):
        with self.daemon() as daemon:
            first, second = (self.run_of(daemon, self.imported(daemon, rows(skus=LIST[:5 - i]), 0)) for i in range(2))
            self.assertEqual(second["state"], "unchanged")
            self.review(daemon, first, "undo")
            listed = lambda: len(daemon.ask("GET", "/v1/offers")[2]["items"])
            self.assertEqual((listed(), self.points(daemon, FIRST)), (4, [1.29]))
            self.review(daemon, second, "undo")
            self.assertEqual(listed(), 0)

    def test_an_offer_that_has_no_price_but_the_undone_runs_is_deleted_and_named(self):
        with self.daemon() as daemon:
            run = self.run_of(daemon, self.imported(daemon, rows(), 0))
            ours = "lambda.gpu_1x_gh200.us-east-1.on-demand"
            scenario = json.loads(json.dumps(SMALLEST))
            scenario["pools"][0]["offer"] = "lambda.gpu_1x_a10.us-east-1.on-demand"
            self.put(daemon, "/v1/scenarios/ours", scenario)
            for offer, change in ((LAST, {"note": "ours"}), (FIRST, {"note": "used"}), (ours, {"note": "ours", "hourly_price": 2})):
                document = daemon.ask("GET", f"/v1/offers/{offer}")[2]
                self.put(daemon, f"/v1/offers/{offer}", {**document, **change})
            undone = self.review(daemon, run, "undo")
            self.assertEqual(undone["summary"]["kept"], [f"offer/{FIRST}", f"offer/{ours}"])
            self.assertIn(f"of them 1 changed since that had no price but the run's, and whose revisions stay: offer/{LAST}",
                          undone["problem"])
            left = {offer["id"]: offer for offer in daemon.ask("GET", "/v1/offers")[2]["items"]}
            self.assertEqual(sorted(left), [FIRST, ours])
            self.assertEqual(left[ours]["hourly_price"], 2, "what was written by hand stays")
            self.assertEqual([it["deleted"] for it in daemon.ask("GET", f"/v1/offers/{LAST}/revisions")[2]["items"]],
                             [True, False, False])

    def test_no_price_of_an_undone_run_comes_back_when_a_later_run_is_undone(self):
        factors = (0.9, 0.8, 0.7)
        with self.daemon() as daemon:
            self.imported(daemon, rows(), 0)
            for day, order in enumerate(itertools.permutations(range(3)), 1):
                runs = [self.run_of(daemon, self.imported(daemon, rows(lambda _, usual, by=by: round(usual * by, 2)), day))
                        for by in factors]
                self.assertEqual(self.points(daemon), [31.92, 22.34])
                for number, first in enumerate(order):
                    self.review(daemon, runs[first], "undo")
                    left = [round(31.92 * factors[i], 2) for i in range(3) if i not in order[:number + 1]]
                    self.assertEqual(self.points(daemon), [31.92, *left[-1:]], (order, number))

    def test_what_is_changed_between_two_runs_that_are_undone_stays(self):
        with self.daemon() as daemon:
            self.imported(daemon, rows(), 0)
            first = self.run_of(daemon, self.imported(daemon, rows(lambda _, usual: round(usual * 0.6, 3)), 1))
            document = daemon.ask("GET", f"/v1/offers/{LAST}")[2]
            points = document["hourly_price"]["points"] + [[DAYS[2], 30]]
            self.put(daemon, f"/v1/offers/{LAST}", {**document, "note": "ours",
                "hourly_price": {**document["hourly_price"], "points": points}})
            second = self.run_of(daemon, self.imported(daemon, rows(lambda _, usual: round(usual * 0.9, 2)), 1))
            kept = self.review(daemon, first, "undo")["summary"]["kept"]
            self.assertEqual(len(kept), len(LIST), "all have been changed since")
            self.assertEqual(self.review(daemon, second, "undo")["summary"]["kept"], [])
            self.assertEqual((self.points(daemon), daemon.ask("GET", f"/v1/offers/{LAST}")[2]["note"]), ([31.92, 30], "ours"))
            self.assertEqual(self.points(daemon, FIRST), [1.29])

    def test_a_tariff_and_its_site_are_deleted_together(self):
        flat = [[0] * 24] * 12
        rate = {"label": "abc", "utility": "U", "name": "N", "sector": "Commercial", "energyratestructure": [[{"rate": 0.1}]],
                "energyweekdayschedule": flat, "energyweekendschedule": flat, "demandunits": "kW",
                "flatdemandstructure": [[{"rate": 12}]], "flatdemandmonths": [0] * 12}
        with self.daemon() as daemon:
            run = self.run_of(daemon, self.imported(daemon, json.dumps({"items": [rate]}).encode(), form="openei&currency=USD"))
            count = {kind: len(daemon.ask("GET", f"/v1/{kind}")[2]["items"]) for kind in ("curves", "sites")}
            self.assertEqual(run["summary"]["documents"]["added"], 2, run)
            self.assertEqual(self.review(daemon, run, "undo")["summary"]["kept"], [])
            after = {kind: len(daemon.ask("GET", f"/v1/{kind}")[2]["items"]) for kind in count}
            self.assertEqual(after, {kind: number - 1 for kind, number in count.items()})

    def test_what_two_undone_runs_added_is_deleted(self):
        for order in ((0, 1), (1, 0)):
            for day in (0, 1):
                with self.subTest(order=order, day=day), self.daemon() as daemon:
                    runs = [self.run_of(daemon, self.imported(daemon, rows(), 0)),
                            self.run_of(daemon, self.imported(daemon, rows(lambda _, usual: round(usual * 0.9, 2)), day))]
                    for i in order:
                        self.review(daemon, runs[i], "undo")
                    self.assertEqual(daemon.ask("GET", "/v1/offers")[2]["items"], [])

    def test_what_batches_cost_of_a_price_is_judged_as_prices_are(self):
        def listed(daemon, day, fractions):
            entries = {}
            for i, (name, part) in enumerate(fractions.items()):
                prices = {"input_cost_per_token": 1e-6 * (i + 1), "output_cost_per_token": 3e-6 * (i + 1)}
                batches = {f"{field}_batches": price * part for field, price in prices.items()}
                entries[name] = {"litellm_provider": "acme", "mode": "chat", **prices, **batches}
            return self.imported(daemon, json.dumps(entries).encode(), day, form="litellm_prices")

        with self.daemon() as daemon:
            first = listed(daemon, 0, {"a": 0.5, "b": 0.5, "c": 0.25, "d": 0.0005})
            (held,) = first["held_documents"]
            self.assertTrue(held["id"].endswith("d"), held)
            self.assertIn("batch work costs 0.0005 of its price", held["reason"])
            second = listed(daemon, 1, {"a": 0.4, "b": 0.25, "c": 0.6, "e": 0.5})
            self.assertEqual([it["id"][-1] for it in second["held_documents"]], ["b", "c"], second)
            self.assertIn("and did 0.5", second["held_documents"][0]["reason"])
            third = listed(daemon, 2, {"f": 3})
            self.assertIn("f: a batch costs 3 times the price", third["warnings"]["first"][0]["reason"])

    def test_prices_of_tiers_thresholds_fees_and_lifetimes_are_judged_by_what_they_were(self):
        usual = {"input_cost_per_token": 2e-6, "output_cost_per_token": 8e-6, "input_cost_per_token_above_200k_tokens": 4e-6,
                 "output_cost_per_token_above_200k_tokens": 12e-6, "input_cost_per_token_flex": 1e-6,
                 "output_cost_per_token_flex": 4e-6, "input_cost_per_token_priority": 3.5e-6,
                 "output_cost_per_token_priority": 14e-6,
                 "input_cost_per_token_batches": 1e-6, "output_cost_per_token_batches": 4e-6, "input_cost_per_request": 0.01,
                 "cache_creation_input_token_cost": 2.5e-6, "cache_creation_input_token_cost_above_1hr": 4e-6}
        reasons = {"input_cost_per_token": "input at", "output_cost_per_token": "output at",
                   "input_cost_per_token_above_200k_tokens": "input above 200000 tokens at",
                   "output_cost_per_token_above_200k_tokens": "output above 200000 tokens at",
                   "input_cost_per_token_flex": "input in tier flex at",
                   "output_cost_per_token_priority": "output in tier priority at",
                   "input_cost_per_request": "fees.request at", "cache_creation_input_token_cost": "cache_write at",
                   "cache_creation_input_token_cost_above_1hr": "price_factor of a cache of 3600 s at"}
        with self.daemon() as daemon:
            def listed(day, **prices):
                entries = {"acme/m": {**usual, **prices}, "acme/other": usual, "acme/third": usual}
                entries = {name: {"litellm_provider": "acme", "mode": "chat", **entry} for name, entry in entries.items()}
                return self.imported(daemon, json.dumps(entries).encode(), day, form="litellm_prices")
            listed(0)
            for field, reason in reasons.items():
                for factor in (0.1, 0.5, 2, 10):
                    with self.subTest(field, factor=factor):
                        (held,) = listed(1, **{field: usual[field] * factor})["held_documents"]
                        self.assertIn(reason, held["reason"])
                        self.assertIn(f"is {factor:.3g} times its last price", held["reason"])
            cut = {field: price * 0.7 for field, price in usual.items()}
            self.assertEqual(listed(2, **cut)["held"], 0)

    def measured(self, daemon, factor, model="minimax-m2.5"):
        head = ("source,ref,measured,device,devices,tp,pp,ep,dp,model,weights,kv,framework,version,kind,input,output,concurrency,"
                "out_tok_s,ttft_ms,tpot_ms,power_w,note,doubt\n")
        points = ((8, 665.95), (64, 1980.22))
        body = head + "".join(f"lab,c{load},2026-04-22,nvidia.b200-sxm-180gb,2,2,1,1,1,{model},fp8,,vllm,0.19.0,serving,8192,"
                              f"1024,{load},{rate * factor},,,,,\n" for load, rate in points)
        status, _, answer = daemon.ask("POST", "/v1/imports?format=measured_rates", body.encode())
        self.assertEqual(status, 200, answer)
        return answer

    def test_what_an_undone_run_measured_holds_no_honest_rates(self):
        models = feeds_test.ROOT / "deploy/catalog/models.json"
        self.assertEqual(self.run_costcurve("import", "json", "--database", self.database, str(models))[0], 0)
        with self.daemon() as daemon:
            wrong = self.measured(daemon, 4)
            self.assertEqual(wrong["held"], 0)
            self.review(daemon, self.run_of(daemon, wrong), "undo")
            self.assertEqual(self.measured(daemon, 1)["held_documents"], [])

    def test_measured_rates_far_from_what_is_stored_or_from_the_step_model_are_held(self):
        models = feeds_test.ROOT / "deploy/catalog/models.json"
        self.assertEqual(self.run_costcurve("import", "json", "--database", self.database, str(models))[0], 0)
        with self.daemon() as daemon:
            for factor in (0.02, 30):
                (held,) = self.measured(daemon, factor)["held_documents"]
                self.assertEqual(held["kind"], "measurement")
                self.assertIn("by the model that all others are fitted by", held["reason"])
            self.assertEqual(self.measured(daemon, 1)["held"], 0)
            for factor in (0.5, 2):
                (held,) = self.measured(daemon, factor)["held_documents"]
                self.assertIn(f"its rates are {factor:.3g} times what is stored of the same 2 points", held["reason"])
            self.assertEqual(self.measured(daemon, 1.3)["held"], 0)
            (held,) = self.measured(daemon, 2.08)["held_documents"]
            self.assertIn("its rates are 2.08 times", held["reason"], "by what it was first")
            self.assertIn("by records of a month ago", held["reason"])
            self.assertEqual(self.measured(daemon, 1.7)["held"], 0)

    def test_undo_takes_back_what_a_run_stated_where_later_lists_changed_the_document_otherwise(self):
        usual = {"input_cost_per_token": 2e-6, "output_cost_per_token": 8e-6}
        wrong = {"fee": {"input_cost_per_request": 0.009},
                 "flex": {"input_cost_per_token_flex": 1e-6, "output_cost_per_token_flex": 4e-6},
                 "batch": {"input_cost_per_token_batches": 1e-6, "output_cost_per_token_batches": 4e-6},
                 "context": {"max_input_tokens": 10_000}}

        with self.daemon() as daemon:
            def listed(name, day, *added):
                entry = {"litellm_provider": "acme", "mode": "chat", **usual}
                for kind in added:
                    entry.update(wrong[kind])
                body = json.dumps({f"acme/{name}": entry}).encode()
                run = self.run_of(daemon, self.imported(daemon, body, day, form="litellm_prices"))
                self.assertEqual((run["state"], run["held"]), ("landed", 0), run)
                return run

            def stored(name):
                document = daemon.ask("GET", f"/v1/endpoints/acme.{name}")[2]
                return {field: value for field, value in document.items()
                        if field not in ("id", "model", "note", "revision", "recorded_at", "source")}

            for number, (kind, later) in enumerate(itertools.product(wrong, (None, *wrong))):
                with self.subTest(wrong=kind, later=later):
                    name, other, added = f"a{number}", f"b{number}", [later] if later not in (None, kind) else []
                    listed(name, 0)
                    poisoned = listed(name, 1, kind)
                    honest_run = listed(name, 2, *added)
                    listed(other, 0)
                    first = stored(other)
                    listed(other, 2, *added)
                    self.review(daemon, poisoned, "undo")
                    self.assertEqual(stored(name), stored(other))
                    self.review(daemon, honest_run, "undo")
                    self.assertEqual(stored(name), first)

    def billed(self, daemon, costs, day=1):
        """Imports a bill of one day: what each SKU cost."""
        head = "ChargePeriodStart,ProviderName,SkuId,ServiceName,BilledCost,EffectiveCost,BillingCurrency,ChargeCategory\n"
        body = head + "".join(f"2025-04-{day:02d},AWS,{sku},EC2,{cost},{cost},USD,Usage\n" for sku, cost in costs.items())
        status, _, answer = daemon.ask("POST", "/v1/imports?format=focus", body.encode())
        self.assertEqual(status, 200, answer)
        return answer

    def costs(self):
        """Billed cost by SKU and day, from the store's own lines."""
        return {(sku, day): float(cost) for sku, day, cost in rows_of(
            self.database, "SELECT sku, day, billed_cost FROM bill_line JOIN bill_item USING (item)")}

    def test_lines_of_bills_are_as_before_in_whatever_order_their_imports_are_undone(self):
        day = (datetime.date(2025, 4, 1) - datetime.date(1970, 1, 1)).days
        bills = [{"a": 1, "b": 2, "c": 3}, {"a": 10, "d": 4}, {"a": 100, "c": 5}]
        first = {("a", day): 1.0, ("b", day): 2.0, ("c", day): 3.0}
        for order in itertools.permutations(range(3)):
            with self.subTest(order=order), self.daemon() as daemon:
                self.billed(daemon, {"other": 7}, 2)
                runs = [self.run_of(daemon, self.billed(daemon, bill)) for bill in bills]
                for n, i in enumerate(order):
                    undone = self.review(daemon, runs[i], "undo")
                    self.assertIn("lines of bills are taken back", undone["problem"])
                    left = {}
                    for sku_costs in (bills[j] for j in range(3) if j not in order[:n + 1]):
                        left.update({(sku, day): float(cost) for sku, cost in sku_costs.items()})
                    self.assertEqual(self.costs(), {**left, ("other", day + 1): 7.0})
                self.assertEqual(self.review(daemon, runs[0], "undo", 409)["status"], 409)
                again = self.billed(daemon, bills[0])
                self.assertEqual(again["bill"]["added"], 3)
                self.assertEqual(self.costs(), {**first, ("other", day + 1): 7.0})
                self.review(daemon, self.run_of(daemon, again), "undo")

    def test_a_line_that_several_bills_state_alike_stands_as_long_as_one_of_them_does(self):
        day = (datetime.date(2025, 4, 1) - datetime.date(1970, 1, 1)).days
        sets = [[{"a": 1, "b": 2}, {"b": 2, "c": 3}, {"a": 1, "b": 2, "c": 4}],
                [{"a": 1, "b": 2}, {"a": 1}, {"b": 2}]]  # the later ones bring nothing new
        for bills, order in itertools.product(sets, itertools.permutations(range(3))):
            with self.subTest(bills=bills, order=order), self.daemon() as daemon:
                runs = [self.run_of(daemon, self.billed(daemon, bill)) for bill in bills]
                for n, i in enumerate(order):
                    self.review(daemon, runs[i], "undo")
                    left = {}
                    for sku_costs in (bills[j] for j in range(3) if j not in order[:n + 1]):
                        left.update({(sku, day): float(cost) for sku, cost in sku_costs.items()})
                    self.assertEqual(self.costs(), left)

    def test_of_many_bills_that_state_a_line_alike_the_first_ones_and_the_last_are_kept(self):
        with self.daemon() as daemon:
            runs = [self.run_of(daemon, self.billed(daemon, {"a": 1, f"own{n}": 1})) for n in range(7)]
            self.assertEqual(rows_of(self.database, "SELECT count(*) FROM replaced_bill_line"), [(3,)])
            for run in [*runs[3:], runs[1]]:
                self.review(daemon, run, "undo")
                self.assertIn("a", [sku for sku, _ in self.costs()])
            self.review(daemon, runs[0], "undo")
            self.review(daemon, runs[2], "undo")
            self.assertEqual(self.costs(), {})

    def test_a_bill_that_was_there_is_not_taken_back(self):
        with self.daemon() as daemon:
            self.billed(daemon, {"a": 1})
            again = self.run_of(daemon, self.billed(daemon, {"a": 1}))
            self.assertIn("were stored before", self.review(daemon, again, "undo", 409)["detail"])

    def test_lines_of_a_bill_that_is_held_land_when_it_is_accepted(self):
        def bill(day, cost):  # of a seller whose name is that of bills: its prices are judged
            text = BILL_HEAD + BILL_LINE.replace("AWS", "Paid").format(cost)
            text = text.replace("04-01T00:00:00Z,2025-04-02", f"04-{day:02d}T00:00:00Z,2025-04-{day + 1:02d}")
            return daemon.ask("POST", "/v1/imports?format=focus", text.encode())[2]

        with self.daemon() as daemon:
            self.assertEqual(bill(1, 240)["documents"]["added"], 1)
            before = rows_of(self.database, "SELECT * FROM bill_line JOIN bill_item USING (item)")
            answer = bill(2, 24_000_000)
            self.assertIn("moved by about the same factor", answer["problem"])
            self.assertEqual(rows_of(self.database, "SELECT * FROM bill_line JOIN bill_item USING (item)"), before)
            run = self.run_of(daemon, answer)
            self.assertEqual(self.review(daemon, run, "accept")["state"], "landed")
            day = (datetime.date(2025, 4, 2) - datetime.date(1970, 1, 1)).days
            self.assertEqual(rows_of(self.database, "SELECT hours, billed_cost, effective_cost, list_cost, provider, region, sku, "
                                     f"account, category FROM bill_line JOIN bill_item USING (item) WHERE day = {day}"),
                             rows_of(self.database, "SELECT hours, billed_cost * 100000, effective_cost * 100000, "
                                     "list_cost * 100000, provider, region, sku, account, category "
                                     f"FROM bill_line JOIN bill_item USING (item) WHERE day = {day - 1}"))
            self.assertEqual(len(self.costs()), 2)
            self.assertIn("1 lines of bills are taken back", self.review(daemon, run, "undo")["problem"])
            self.assertEqual(rows_of(self.database, "SELECT * FROM bill_line JOIN bill_item USING (item)"), before)

    def test_the_price_and_the_lines_that_a_bill_brought_are_undone(self):
        with self.daemon() as daemon:
            answer = daemon.ask("POST", "/v1/imports?format=focus", (BILL_HEAD + BILL_LINE.format(0.24)).encode())[2]
            self.assertEqual((answer["bill_lines"], answer["documents"]["added"]), (1, 1), answer)
            (paid,) = daemon.ask("GET", "/v1/offers?q=paid")[2]["items"]
            undone = self.review(daemon, self.run_of(daemon, answer), "undo")
            self.assertIn("1 deleted; 1 lines of bills are taken back, 0 are as before, and 0", undone["problem"])
            self.assertEqual(daemon.ask("GET", f"/v1/offers/{paid['id']}")[0], 404)
            again = daemon.ask("POST", "/v1/imports?format=focus", (BILL_HEAD + BILL_LINE.format(240)).encode())[2]
            self.assertEqual((again["bill"]["added"], again["documents"]["added"]), (1, 1), again)

    def test_single_offers_are_held_and_the_rest_lands(self):
        with self.daemon() as daemon:
            self.imported(daemon, rows(), 0)
            answer = self.imported(daemon, one("gpu_8x_h100_sxm5", 9999).replace(b",1.29,", b",1.19,"), 1)
            self.assertEqual((answer["held"], answer["problem"], answer["documents"]["changed"]), (1, None, len(LIST) - 1))
            (held,) = answer["held_offers"]
            self.assertEqual((held["offer"], held["hourly_price"]), (LAST, 9999))
            self.assertIn("times its last price, 31.92", held["reason"])
            self.assertEqual((self.points(daemon), self.points(daemon, FIRST)), ([31.92], [1.29, 1.19]))
            run = self.run_of(daemon, answer)
            self.assertEqual((run["state"], run["held"]), ("landed", 1))
            self.assertEqual(self.review(daemon, run, "accept")["held"], 0)
            self.assertEqual(self.points(daemon), [31.92, 9999])
            self.review(daemon, run, "undo")
            self.assertEqual((self.points(daemon), self.points(daemon, FIRST)), ([31.92], [1.29]), "with what was accepted")

    def test_a_list_that_is_wrong_as_a_whole_is_held_and_dropped(self):
        with self.daemon() as daemon:
            self.imported(daemon, rows(), 0)
            offers = daemon.ask("GET", "/v1/offers")[2]
            for number, price in enumerate((lambda _, usual: usual / 2, lambda _, usual: 700.0, lambda _, usual: usual * 100)):
                answer = self.imported(daemon, rows(price), 1)
                self.assertEqual((answer["held"], answer["documents"]["changed"]), (len(LIST), 0), (number, answer))
                run = self.run_of(daemon, answer)
                self.assertEqual((run["state"], run["problem"]), ("held", answer["problem"]))
                self.assertEqual(daemon.ask("GET", "/v1/offers")[2], offers, "nothing was stored")
                rejected = self.review(daemon, run, "reject")
                self.assertEqual((rejected["state"], rejected["held"]), ("failed", 0))
                self.assertIn("holds nothing back", self.review(daemon, run, "accept", 409)["detail"])

    def test_the_least_of_a_list_is_held_for_an_offer_without_a_region(self):
        with self.daemon() as daemon:
            offer = "lambda.gpu_8x_h100_sxm5.on-demand"
            self.put(daemon, f"/v1/offers/{offer}", {"provider": "lambda", "sku": "gpu_8x_h100_sxm5", "devices": 8,
                                                     "device": "nvidia.h100-sxm5-80gb", "purchase": "on_demand",
                                                     "currency": "USD", "hourly_price": 31.92})
            answer = self.imported(daemon, rows(lambda _, usual: usual / 2), 0)
            self.assertEqual(([held["offer"] for held in answer["held_offers"]], answer["held"]), ([offer], 1), answer)
            self.assertEqual(daemon.ask("GET", f"/v1/offers/{offer}")[2]["hourly_price"], 31.92)
            self.review(daemon, self.run_of(daemon, answer), "accept")
            self.assertEqual(self.points(daemon, offer)[-1], 15.96)

    def test_prices_of_a_day_to_come_are_held(self):
        with self.daemon() as daemon:
            for form, body in (("skypilot&provider=lambda", rows()), ("api_prices", hosted())):
                status, _, answer = daemon.ask("POST", f"/v1/imports?format={form}&date=2099-01-01", body)
                self.assertEqual((status, self.run_of(daemon, answer)["state"]), (200, "held"), answer)
                self.assertIn("2099-01-01, a day to come", answer["problem"])

    def test_prices_of_hosted_models_are_held_against_their_own_history(self):
        with self.daemon() as daemon:
            self.hosted(daemon, MODELS, 0)
            answer = self.hosted(daemon, {**MODELS, "model-0": (0.1, 37.0)}, 1)
            (held,) = answer["held_documents"]
            self.assertEqual((answer["held"], held["kind"], held["id"]), (1, "endpoint", "acme.model-0"))
            self.assertIn("output at 37 USD is 100 times its last price, 0.37", held["reason"])
            self.assertNotIn("input", held["reason"])
            whole = self.hosted(daemon, {model: (a / 1000, b / 1000) for model, (a, b) in MODELS.items()}, 2)
            self.assertEqual(whole["held"], len(MODELS))
            self.assertIn("moved by about the same factor, 0.001", whole["problem"])

    def test_prices_of_hosted_models_are_held_against_other_hosts_of_the_same_model(self):
        with self.daemon() as daemon:
            self.hosted(daemon, MODELS, 0, host="one")
            one_other = self.hosted(daemon, {"model-3": (0.01, 0.02)}, 0, "&dry_run=true", "acme")
            self.assertIn("times that of the only other seller, 0.3375", one_other["held_documents"][0]["reason"])
            self.assertEqual(self.hosted(daemon, {"model-3": (0.04, 0.14)}, 0, "&dry_run=true", "acme")["held"], 0)
            self.hosted(daemon, MODELS, 0, host="two")
            answer = self.hosted(daemon, {**MODELS, "model-3": (0.001, 1.2)}, 0)
            (held,) = answer["held_documents"]
            self.assertEqual((answer["held"], held["id"]), (1, "acme.model-3"))
            self.assertIn("times the median of 2 other sellers, 0.3375", held["reason"])

    def test_a_price_that_rounds_to_nothing_is_refused_by_itself(self):
        usual = {"litellm_provider": "acme", "mode": "chat", "input_cost_per_token": 1e-7, "output_cost_per_token": 3e-7}
        for way, (bad, body) in enumerate((
                ("litellm_prices", {"acme/bad": {**usual, "input_cost_per_token": 1e-20, "output_cost_per_token": 1e-20}}),
                ("litellm_prices", {"acme/bad": {**usual, "input_cost_per_token": 1e-20}}),
                ("litellm_prices", {"acme/bad": {**usual, "output_cost_per_token": 5e-324}}),
                ("openrouter", {"data": [{"id": "acme/bad", "pricing": {"prompt": "1e-20", "completion": "1e-300"}},
                                         {"id": "acme/good", "pricing": {"prompt": "1e-7", "completion": "1e-7"}}]}))):
            with self.subTest(way), self.daemon() as daemon:
                body = body if "data" in body else {**body, "acme/good": usual}
                answer = self.imported(daemon, json.dumps(body).encode(), form=bad)
                self.assertEqual((answer["documents"]["added"], answer["rejected"]["count"]), (1, 1), answer)
                self.assertIn("0 per million", answer["rejected"]["first"][0]["reason"])
                status, _, listed = daemon.ask("GET", "/v1/endpoints")
                self.assertEqual((status, len(listed["items"])), (200, 1), listed)
                daemon.ask("DELETE", f"/v1/endpoints/{listed['items'][0]['id']}")

    def test_a_put_that_drops_a_dated_history_names_how_many_days_go(self):
        path = f"/v1/offers/{LAST}"
        with self.daemon() as daemon:
            self.imported(daemon, rows(), 0)
            self.imported(daemon, rows(lambda _, usual: round(usual * 0.9, 2)), 1)
            document = daemon.ask("GET", path)[2]
            joined = self.put(daemon, path, {**document, "note": "all days are there"})
            self.assertNotIn("warnings", joined)
            answer = self.put(daemon, path, {**document, "hourly_price": 30})
            self.assertEqual(answer["warnings"], [f"/hourly_price had 2 dated values, of which 2 are in it no longer, {DAYS[0]} to "
                                                  f"{DAYS[1]}; as_of={joined['recorded_at']} has them"])
            self.assertEqual(self.points(daemon, as_of=f"?as_of={joined['recorded_at']}"), [31.92, 28.73])
            self.assertNotIn("warnings", daemon.ask("GET", path)[2])
            sent_back = self.put(daemon, path, {**document, "warnings": answer["warnings"]})
            self.assertNotIn("warnings", sent_back)
            one_day = {**document["hourly_price"], "points": document["hourly_price"]["points"][1:]}
            self.assertIn(f"2 dated values, of which 1 is in it no longer, {DAYS[0]} to {DAYS[0]}",
                          self.put(daemon, path, {**document, "hourly_price": one_day})["warnings"][0])

    def test_what_is_accepted_takes_the_place_of_no_price_that_was_stated_since(self):
        with self.daemon() as daemon:
            self.imported(daemon, rows(), 0)
            held = self.run_of(daemon, self.imported(daemon, one("gpu_8x_h100_sxm5", 9999), 1))
            self.imported(daemon, rows(lambda _, usual: round(usual * 0.9, 2)), 1)
            self.assertEqual(self.points(daemon), [31.92, 28.73])
            self.assertIn(f"of the same days: offer/{LAST}; reject it", self.review(daemon, held, "accept", 409)["detail"])
            self.assertEqual((self.points(daemon), self.run_of(daemon, held)["held"]), ([31.92, 28.73], 1))
            self.review(daemon, held, "reject")
            two = self.run_of(daemon, self.imported(daemon, rows(lambda sku, usual: usual * (100 if "h100" in sku else 1)), 2))
            self.imported(daemon, one("gpu_8x_h100_sxm5", 27).replace(b"gpu_1x_h100", b"gpu_1x_other"), 2)
            self.assertEqual(self.review(daemon, two, "accept")["summary"]["kept"], [f"offer/{LAST}"])
            self.assertEqual(self.points(daemon), [31.92, 28.73, 27])
            self.assertEqual(self.points(daemon, LAST.replace("8x", "1x"))[-1], 429)

    def test_an_older_price_that_is_accepted_stays_older(self):
        with self.daemon() as daemon:
            self.imported(daemon, rows(), 0)
            held = self.run_of(daemon, self.imported(daemon, one("gpu_8x_h100_sxm5", 9999), 1))
            self.imported(daemon, rows(lambda _, usual: round(usual * 0.9, 2)), 2)
            self.review(daemon, held, "accept")
            self.assertEqual(self.points(daemon), [31.92, 9999, 28.73])

    def test_a_new_class_of_a_known_model_is_judged_by_its_other_classes(self):
        usual = {"litellm_provider": "acme", "mode": "chat", "input_cost_per_token": 1e-7, "output_cost_per_token": 3e-7}
        fields = {"cached_input": ("cache_read_input_token_cost", 1e-8, (1e-10, 3e-7)),
                  "cache_write": ("cache_creation_input_token_cost", 1.25e-7, (1e-8, 1e-6)),
                  "reasoning": ("output_cost_per_reasoning_token", 3e-7, (1e-9, 1e-5))}
        with self.daemon() as daemon:
            def listed(day, **classes):
                body = json.dumps({"acme/known": {**usual, **classes}, "acme/other": usual}).encode()
                return self.imported(daemon, body, day, form="litellm_prices")
            listed(0)
            for day, (name, (field, good, bad)) in enumerate(fields.items(), 1):
                for price in bad:
                    answer = listed(day, **{field: price})
                    (held,) = answer["held_documents"]
                    self.assertIn(f"{name} at {price * 1e6:.4g} USD is new, and ", held["reason"])
                self.assertEqual(listed(day, **{field: good})["held"], 0, name)

    def test_points_before_the_last_one_are_judged_and_bear_out_nothing_until_they_are_accepted(self):
        def listed(day, *points):
            """A model's history of prices: the week of each, and how many times its usual ones they are."""
            history = [{"input": 2 * factor, "output": 8 * factor, "input_cached": None, "from_date": DAYS[week],
                        "to_date": DAYS[points[i + 1][0]] if i + 1 < len(points) else None}
                       for i, (week, factor) in enumerate(points)]
            body = json.dumps({"vendor": "acme", "models": [{"id": "m", "name": "M", "price_history": history}]}).encode()
            return self.imported(daemon, body, day, form="llm_prices")

        with self.daemon() as daemon:
            self.assertEqual(listed(0, (0, 1))["held"], 0)
            for factor in (0.05, 20):
                between = listed(4, (0, 1), (2, factor), (4, 1))
                self.assertEqual(between["held"], 1, between)
                self.assertIn(f"times what it was on {DAYS[2]}", between["held_documents"][0]["reason"])
                after = listed(5, (5, factor))
                self.assertEqual(after["held"], 1, after)
            honest = listed(4, (0, 1), (2, 0.7), (4, 0.9))
            self.assertEqual((honest["held"], honest["documents"]["changed"]), (0, 1), honest)
            again = listed(6, (0, 1), (2, 0.7), (4, 0.9), (6, 0.5))
            self.assertEqual((again["held"], again["documents"]["changed"]), (0, 1), again)

    def test_tariffs_and_carbon_are_held_against_what_they_were(self):
        def tariff(daemon, price):
            body = f"{price * 1000}\n".encode() * 8760
            status, _, answer = daemon.ask("POST", "/v1/imports?format=hourly_prices&id=tariff.ours", body)
            self.assertEqual(status, 200, answer)
            return answer

        def carbon(daemon, tons):
            body = f"Region,CO2e (metric ton/kWh)\nus-east,{tons}\n".encode()
            return self.imported(daemon, body, form="grid_carbon&provider=aws")

        with self.daemon() as daemon:
            for importer, usual, cheaper, wrong in ((tariff, 0.05, 0.03, (0.005, 5, 0.00001, -0.05)),
                                                    (carbon, 4e-4, 2e-4, (4e-6, 4e-3, 0.04))):
                unknown = importer(daemon, wrong[-1])
                self.assertEqual(unknown["held"], 1, unknown)
                self.review(daemon, self.run_of(daemon, unknown), "reject")
                self.assertEqual(importer(daemon, usual)["held"], 0)
                for price in wrong:
                    answer = importer(daemon, price)
                    self.assertEqual((answer["held"], answer["documents"]["changed"]), (1, 0), answer)
                self.assertEqual(importer(daemon, cheaper)["held"], 0)

    def test_a_tariff_whose_hours_spread_further_or_beyond_all_markets_is_held(self):
        def tariff(daemon, prices):
            body = "".join(f"{price * 1000:.3f}\n" for price in prices * (8760 // len(prices))).encode()
            status, _, answer = daemon.ask("POST", "/v1/imports?format=hourly_prices&id=tariff.ours&currency=USD", body)
            self.assertEqual(status, 200, answer)
            return [document["reason"] for document in answer["held_documents"]]

        with self.daemon() as daemon:
            self.put(daemon, "/v1/curves/tariff.ours", {"axis": "hour_of_day", "kind": "tariff", "currency": "USD",
                                                        "points": [[hour, 0.03 + 0.002 * hour] for hour in range(24)]})
            for prices, words in (([-50, 50.106], "lowest value of -50 a kWh is below -1 USD"),
                                  ([0.02] * 8758 + [13, 13], "highest value of 13 a kWh is above 12 USD"),
                                  ([-0.9, 1.006], "the mean of its cheapest quarter of hours, -0.9, is far"),
                                  ([0.03] * 3 + [0.9], "the mean of its dearest quarter of hours, 0.9, is far")):
                (reason,) = tariff(daemon, prices)
                self.assertIn(words, reason)
            self.assertEqual(tariff(daemon, [-0.01, 0.01, 0.05, 0.08, 0.1, 0.12]), [], "as markets are")

    def test_the_same_numbers_in_another_currency_are_held(self):
        with self.daemon() as daemon:
            self.imported(daemon, rows(), 0)
            answer = self.imported(daemon, rows(), 1, query="&currency=JPY")
            self.assertEqual((answer["held"], answer["documents"]["added"]), (len(LIST), 0), answer)
            self.assertIn("currency_changed: 31.92 JPY is in JPY, and it was in USD", json.dumps(answer["held_offers"]))
            elsewhere = self.imported(daemon, rows().replace(b"us-east-1", b"us-west-3"), 1, query="&currency=JPY")
            self.assertIn("its seller's others are in USD", elsewhere["held_offers"][0]["reason"])
            self.assertEqual((elsewhere["held"], elsewhere["documents"]["added"]), (len(LIST), 0))
            self.hosted(daemon, MODELS, 1)
            status, _, offer = daemon.ask("GET", f"/v1/offers/{LAST}")
            self.put(daemon, f"/v1/offers/{LAST}", {**offer, "hourly_price": 31.92})
            self.assertEqual(self.imported(daemon, one("gpu_8x_h100_sxm5", 31.92), 2, query="&currency=EUR")["held"], len(LIST))
            self.assertEqual(daemon.ask("GET", f"/v1/offers/{LAST}")[2]["currency"], "USD")

    def test_documents_of_json_are_a_run_that_is_listed_and_undone(self):
        with self.daemon() as daemon:
            self.imported(daemon, rows(), 0)
            document = {key: value for key, value in daemon.ask("GET", f"/v1/offers/{LAST}")[2].items()
                        if key not in ("revision", "recorded_at", "recorded_by")}
        file = self.write("offers.json", [{**document, "hourly_price": 1}, {**document, "id": "new.one"}])
        status, out, said = self.run_costcurve("import", "json", "--database", self.database, file)
        self.assertEqual((status, out), (0, "2 documents: 1 added, 1 changed, 0 unchanged; run 3\n"), said)
        with self.daemon() as daemon:
            run = daemon.ask("GET", "/v1/imports/3")[2]
            self.assertEqual((run["state"], run["format"], run["files"], run["summary"]["documents"]),
                             ("landed", "json", "offers.json", {"added": 1, "changed": 1, "unchanged": 0}))
            self.assertEqual(self.review(daemon, run, "undo")["state"], "undone")
            self.assertEqual((self.points(daemon), daemon.ask("GET", "/v1/offers/new.one")[0]), ([31.92], 404))

    def test_documents_of_json_stand_by_what_they_restate(self):
        device = {"id": "own", "kind": "gpu", "tdp_w": 500}
        watts = lambda: json.loads(self.run_costcurve("export", "--database", self.database)[1])["devices"][0]["tdp_w"]

        def states(tdp_w, said):
            file = self.write("devices.json", [{**device, "tdp_w": tdp_w}])
            status, out, err = self.run_costcurve("import", "json", "--database", self.database, file)
            self.assertEqual((status, out.split("; ")[0]), (0, f"1 documents: {said}"), err)
            return out.split()[-1]

        def undo(run):
            status, out, err = self.run_costcurve("import", "undo", "--database", self.database, run)
            self.assertEqual(status, 0, out + err)
        states(500, "1 added, 0 changed, 0 unchanged")
        first = states(600, "0 added, 1 changed, 0 unchanged")
        second = states(600, "0 added, 0 changed, 1 unchanged")
        undo(first)
        self.assertEqual(watts(), 600, "the second states it")
        undo(second)
        self.assertEqual(watts(), 500)

    def test_what_is_accepted_stands_by_what_it_restates(self):
        with self.daemon() as daemon:
            self.imported(daemon, rows(), 0)
            held = self.run_of(daemon, self.imported(daemon, one("gpu_8x_h100_sxm5", 80), 1))
            again = self.run_of(daemon, self.imported(daemon, one("gpu_8x_h100_sxm5", 80), 1))
            self.assertEqual((held["held"], again["held"]), (1, 1))
            self.assertEqual(self.review(daemon, held, "accept")["state"], "landed")
            accepted = self.review(daemon, again, "accept")
            self.assertEqual(accepted["held"], 0, accepted)
            self.assertEqual(self.points(daemon), [31.92, 80])
            self.review(daemon, held, "undo")
            self.assertEqual(self.points(daemon), [31.92, 80], "the second was accepted too")
            self.review(daemon, again, "undo")
            self.assertEqual(self.points(daemon), [31.92])

    def test_what_takes_more_memory_to_store_than_there_is_is_refused_as_it_is_read(self):
        offers = HEADER + "".join(f"m{i},H100,1.0,,,3,us-east-1,,\n" for i in range(90_000))
        lines = "ChargePeriodStart,ProviderName,SkuId,BilledCost,EffectiveCost,BillingCurrency,ChargeCategory\n" + "".join(
            f"2026-01-{1 + i % 28:02d},AWS,s{i}{'x' * 180},1,1,USD,Usage\n" for i in range(249_000))
        tree = '{"a":[' + '{"b":1,"c":"x"},' * 3_700_000 + "{}]}"
        refused = "give a part at a time, or use costcurve import on its machine"
        list_query = f"format=skypilot&provider=acme&date={DAYS[0]}"
        with self.daemon() as daemon:
            for query, text in ((list_query, offers), ("format=focus", lines), (f"format=litellm_prices&date={DAYS[0]}", tree)):
                with self.subTest(query=query):
                    status, _, answer = daemon.ask("POST", f"/v1/imports?{query}", text.encode())
                    self.assertEqual(status, 503, answer)
                    self.assertIn(refused, answer["detail"])
            connection = daemon.connect()
            connection.request("POST", f"/v1/imports?{list_query}", offers.encode(), {"Accept": "text/event-stream"})
            self.assertIn(refused, connection.getresponse().read().decode())
            connection.close()
            self.assertEqual(daemon.ask("GET", "/v1/offers")[2]["items"], [])
            self.assertEqual(self.imported(daemon, rows())["documents"]["added"], len(LIST), "what was booked is given back")

    def test_a_price_that_was_almost_nothing_does_not_stop_what_is_accepted(self):
        with self.daemon() as daemon:
            self.imported(daemon, rows(), 0)
            document = daemon.ask("GET", f"/v1/offers/{LAST}")[2]
            self.put(daemon, f"/v1/offers/{LAST}", {**document,
                "hourly_price": {**document["hourly_price"], "points": [[DAYS[0], 5e-324]]}})
            answer = self.imported(daemon, rows(lambda _, usual: round(usual * 0.9, 2)), 1)
            self.assertEqual((answer["held"], len(answer["moved"])), (1, 7), answer)
            self.review(daemon, self.run_of(daemon, answer), "accept")
            self.assertEqual(self.points(daemon), [5e-324, 28.73])

    def test_no_wrong_price_of_a_hundred_distorted_imports_lands(self):
        chance = random.Random(SEED)
        with self.daemon() as daemon:
            self.imported(daemon, rows(), 0)
            for number, prices in enumerate(distortions(chance, USUAL)):
                wrong = {sku for sku in USUAL if not 0.5 < prices[sku] / USUAL[sku] < 2}
                answer = self.imported(daemon, rows(lambda sku, _, prices=prices: f"{prices[sku]:.9f}"), 1, query="&dry_run=true")
                held = {offer["offer"].split(".")[1] for offer in answer["held_offers"]}
                self.assertTrue(answer["held"] == len(LIST) or (wrong <= held and answer["held"] == len(held)),
                                (SEED, number, prices, answer))

    def test_a_price_that_rounds_to_nothing_is_refused_by_itself(self):
        usual = {"litellm_provider": "acme", "mode": "chat", "input_cost_per_token": 1e-7, "output_cost_per_token": 3e-7}
        for way, (bad, body) in enumerate((
                ("litellm_prices", {"acme/bad": {**usual, "input_cost_per_token": 1e-20, "output_cost_per_token": 1e-20}}),
                ("litellm_prices", {"acme/bad": {**usual, "input_cost_per_token": 1e-20}}),
                ("litellm_prices", {"acme/bad": {**usual, "output_cost_per_token": 5e-324}}),
                ("openrouter", {"data": [{"id": "acme/bad", "pricing": {"prompt": "1e-20", "completion": "1e-300"}},
                                         {"id": "acme/good", "pricing": {"prompt": "1e-7", "completion": "1e-7"}}]}))):
            with self.subTest(way), self.daemon() as daemon:
                body = body if "data" in body else {**body, "acme/good": usual}
                answer = self.imported(daemon, json.dumps(body).encode(), form=bad)
                self.assertEqual((answer["documents"]["added"], answer["rejected"]["count"]), (1, 1), answer)
                self.assertIn("0 per million", answer["rejected"]["first"][0]["reason"])
                status, _, listed = daemon.ask("GET", "/v1/endpoints")
                self.assertEqual((status, len(listed["items"])), (200, 1), listed)
                daemon.ask("DELETE", f"/v1/endpoints/{listed['items'][0]['id']}")

    def test_a_price_that_was_almost_nothing_does_not_stop_what_is_accepted(self):
        with self.daemon() as daemon:
            self.imported(daemon, rows(), 0)
            document = daemon.ask("GET", f"/v1/offers/{LAST}")[2]
            self.put(daemon, f"/v1/offers/{LAST}", {**document,
                "hourly_price": {**document["hourly_price"], "points": [[DAYS[0], 5e-324]]}})
            answer = self.imported(daemon, rows(lambda _, usual: round(usual * 0.9, 2)), 1)
            self.assertEqual((answer["held"], len(answer["moved"])), (1, 7), answer)
            self.review(daemon, self.run_of(daemon, answer), "accept")
            self.assertEqual(self.points(daemon), [5e-324, 28.73])

    def test_no_wrong_price_of_a_hundred_distorted_lists_of_hosted_models_lands(self):
        chance = random.Random(SEED)
        usual = {(model, i): price for model, prices in MODELS.items() for i, price in enumerate(prices)}
        with self.daemon() as daemon:
            self.hosted(daemon, MODELS, 0)
            for number, prices in enumerate(distortions(chance, usual)):
                wrong = {model for model, i in usual if not 0.5 < prices[model, i] / usual[model, i] < 2}
                answer = self.hosted(daemon, {model: (prices[model, 0], prices[model, 1]) for model in MODELS}, 1, "&dry_run=true")
                held = {document["id"].removeprefix("acme.") for document in answer["held_documents"]}
                self.assertTrue(answer["held"] == len(MODELS) or (wrong <= held and answer["held"] == len(held)),
                                (SEED, number, prices, answer))

    def test_twenty_honest_imports_of_real_cuts_land_as_a_whole(self):
        chance = random.Random(SEED)
        of_hosts = {(model, i): price for model, prices in MODELS.items() for i, price in enumerate(prices)}
        with self.daemon() as daemon:
            self.imported(daemon, rows(), 0)
            self.hosted(daemon, MODELS, 0)
            for day, prices in enumerate(honest(chance, USUAL), 1):
                answer = self.imported(daemon, rows(lambda sku, _, prices=prices: f"{prices[sku]:.9f}"), day)
                self.assertEqual((answer["held"], answer["documents"]["changed"]), (0, len(LIST)), (SEED, day, answer))
            for day, prices in enumerate(honest(chance, of_hosts), 1):
                answer = self.hosted(daemon, {model: (prices[model, 0], prices[model, 1]) for model in MODELS}, day)
                crept = {f"acme.{model}" for model, i in of_hosts if prices[model, i] < of_hosts[model, i] * 0.101}
                held = {document["id"] for document in answer["held_documents"] or []}
                self.assertIsNone(answer["problem"], (SEED, day, answer))
                self.assertLessEqual(held, crept, (SEED, day, answer))
                self.assertEqual(len(held) + answer["documents"]["changed"], len(MODELS), (SEED, day, answer))

    def test_from_the_command_line(self):
        self.store_catalogue()
        database = ("--database", self.database)

        def imported(body, day):
            (self.files / "a.csv").write_bytes(body)
            return self.run_costcurve("import", "skypilot", *database, "--provider", "lambda", "--date", DAYS[day],
                                      str(self.files / "a.csv"))
        status, out, said = imported(rows(), 0)
        self.assertEqual(status, 0, said)
        self.assertIn("0 warnings; run 2\n", out)
        status, _, said = imported(rows(lambda _, usual: usual / 2), 1)
        self.assertEqual(status, 2)
        self.assertIn("held, and nothing is stored: 9 of 9 prices moved by about the same factor, 0.5", said)
        self.assertIn("costcurve import accept 3 lands what is held, import reject 3 drops it", said)
        status, out, said = self.run_costcurve("import", "accept", *database, "3")
        self.assertEqual((status, out), (0, "import run 3: landed\n"), said)
        status, out, said = self.run_costcurve("import", "undo", *database, "3")
        self.assertEqual((status, out),
                         (0, f"import run 3: undone: undone by cli: {len(LIST)} documents are as before, 0 deleted\n"))
        self.assertEqual(self.run_costcurve("import", "undo", *database, "3")[0], 2)
        status, _, said = self.run_costcurve("feed", "undo", *database, "1")
        self.assertEqual((status, said), (2, "no feed has a run 1\n"))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("costcurve")
    parser.add_argument("root")
    arguments, rest = parser.parse_known_args()
    ImportRuns.costcurve = str(pathlib.Path(arguments.costcurve).resolve())
    feeds_test.ROOT = pathlib.Path(arguments.root).resolve()
    skips.main(argv=[sys.argv[0], *rest])
