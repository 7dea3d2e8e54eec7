"""Questions on the command line: the same bytes as over HTTP, tables that name units, and errors that say what to do.

usage: questions_line_test.py COSTCURVE
"""

import json
import os
import pathlib
import re
import sys
import unittest

from command_line_case import COST, SMALLEST, CommandLineCase, changed
from daemon import Daemon

PRICE = "/pools/0/offer/hourly_price"


def dearer():
    scenario = changed(name="dearer")
    scenario["pools"] = [{**SMALLEST["pools"][0], "offer": {**SMALLEST["pools"][0]["offer"], "hourly_price": 7.2}}]
    return scenario


class QuestionsTest(CommandLineCase):
    def setUp(self):
        super().setUp()
        self.one = self.write("one.json", SMALLEST)
        self.two = self.write("two.json", dearer())

    def answer(self, *arguments):
        status, out, err = self.run_costcurve(*arguments)
        self.assertEqual(status, 0, err)
        return out

    def test_the_pages_actuals_match_lines_as_the_request_says(self):
        page = (pathlib.Path(__file__).parents[2] / "docs" / "questions.md").read_text(encoding="utf-8")
        section = page[page.index("## Plan against actual"):page.index("## Rank")]
        for name, content in re.findall(r"^cat > (\S+) <<'END'\n(.*?)^END$", section, flags=re.S | re.M):
            self.write(name, content)
        self.answer("import", "focus", "october.csv")
        request = {"scenario": json.loads((self.directory / "search.json").read_text(encoding="utf-8")), "from": "2026-10",
                   "to": "2026-10", "pools": [{"pool": "p5", "tags": {"team": "ads"}}]}
        answer = json.loads(self.answer("actuals", self.write("request.json", request), "--format", "json"))
        self.assertEqual(answer["pools"][0]["billed"]["cost"], 3120)
        self.assertEqual(answer["unmatched"]["billed"]["cost"], 41000.5 + 880)
        status, _, err = self.run_costcurve("actuals", "search.json", "--from", "October")
        self.assertEqual(status, 2)
        self.assertIn("--from  bad_format: give a month as YYYY-MM", err)

    def test_json_is_what_http_answers(self):
        swing = {"pointer": PRICE, "low": 1, "high": 2}
        rows = [
            (["compare", self.one, self.two], "compare", {"scenarios": [SMALLEST, dearer()]}),
            (["break-even", self.one, self.two], "break-even", {"a": SMALLEST, "b": dearer()}),
            (["break-even", self.one, self.two, "--input", "/months", "--low", "1", "--high", "9"], "break-even",
             {"a": SMALLEST, "b": dearer(), "input": "/months", "low": 1, "high": 9}),
            (["solve", self.one, "--input", PRICE, "--low", "0", "--high", "9", "--target", "1000"], "solve",
             {"scenario": SMALLEST, "input": PRICE, "low": 0, "high": 9, "output": "/total/cost", "target": 1000}),
            (["sensitivity", self.one, self.two, "--input", PRICE + "=1:2"], "sensitivity",
             {"scenario": SMALLEST, "against": [dearer()], "inputs": [swing]}),
            (["sensitivity", self.one], "sensitivity", {"scenario": SMALLEST}),
        ]
        with Daemon(self.costcurve, self.directory) as daemon:
            for arguments, question, body in rows:
                connection = daemon.connect()
                connection.request("POST", f"/v1/{question}", json.dumps(body), {"Content-Type": "application/json"})
                answer = connection.getresponse().read().decode()
                connection.close()
                self.assertEqual(self.answer(*arguments, "--format", "json"), answer + "\n", arguments)

    def test_compare_says_why_the_cost_differs(self):
        out = self.answer("compare", self.one, self.two)
        self.assertIn("why 2 costs other than 1, USD", out)
        self.assertRegex(out, r"prices +\+2,678")

    def test_break_even_names_the_cheaper_one(self):
        out = self.answer("break-even", self.one, self.two)
        self.assertIn("cost: one hour at a time is always cheaper", out)
        same = self.write("same.json", changed(name="the same", finance={"engineer_week_cost": 1000}))
        out = self.answer("break-even", self.one, same, "--input", "/workloads/0/demand/mean_per_s", "--low", "0.1", "--high", "9")
        self.assertIn("equal", out)
        self.assertIn("searched: 0.1 to 9 requests/s", out)
        longer = self.write("longer.json", changed(name="longer", months=2))
        out = self.answer("break-even", self.one, longer)
        self.assertIn("not ranked: they do not do the same work: months 1 against 2", out)
        self.assertNotIn("cheaper", out)

    def test_what_leaves_work_undone_is_ranked_only_where_that_is_ignored(self):
        two = {**SMALLEST["workloads"][0], "demand": {"mean_per_s": 2}}
        able = self.write("able.json", changed(name="able", workloads=[two]))
        small = self.write("small.json", changed(name="small", workloads=[two],
                                                 pools=[{**SMALLEST["pools"][0], "max_instances": 1}]))
        inputs = self.write("none.json", {"samples": 2, "inputs": [
            {"pointer": PRICE, "distribution": {"kind": "uniform", "low": 1, "high": 1, "relative": True}}]})
        rows = [
            (["evaluate", able, small], r"2 small .* infeasible", r"2 small .* cheapest", "unserved work ignored"),
            (["compare", able, small], r"2 small .* infeasible", r"2 small .* cheapest", "unserved work ignored"),
            (["break-even", able, small], "not ranked: small is infeasible", "small is always cheaper", "unserved work is ignored"),
            (["sensitivity", able, small, "--input", PRICE + "~0.5"], PRICE, PRICE,
             "unserved work is ignored"),
            (["simulate", able, small, "--inputs", inputs], r"1 able .* 100.0 %\n", r"2 small .* 0.0 % +100.0 %\n",
             "unserved work is ignored"),
            (["map", able, small, "--x", "/months=1:2:2", "--y", "/finance/tax_rate=0:0.1:2"], r"(?m)^ +0 +1 1$", r"(?m)^ +0 +2 2$",
             "unserved work is ignored"),
        ]
        for arguments, without, ignored, repeated in rows:
            out = self.answer(*arguments)
            self.assertRegex(out, without)
            self.assertNotIn(repeated, out)
            out = self.answer(*arguments, "--ignore-unserved")
            self.assertRegex(out, ignored)
            self.assertIn(repeated, out)

    def test_solve_gives_the_value_with_its_unit(self):
        out = self.answer("solve", self.one, "--input", PRICE, "--low", "0", "--high", "9", "--target", str(COST * 2))
        self.assertIn(f"{PRICE} = 7.2 USD/instance-hour gives /total/cost = 5356.8 USD", out)

    def test_sensitivity_ranks_the_inputs_and_says_where_the_cheapest_changes(self):
        out = self.answer("sensitivity", self.one, self.two, "--input", PRICE + "~0.5", "--input", "/months=1:3")
        self.assertLess(out.index("/months"), out.index(PRICE))
        self.assertIn("USD/instance-hour", out)

    def test_simulate_shows_the_spread_and_what_it_comes_from(self):
        inputs = self.write("inputs.json", {"inputs": [{"pointer": PRICE, "scenario": 0, "distribution":
                                                        {"kind": "uniform", "low": 0.5, "high": 1.5, "relative": True}}]})
        out = self.answer("simulate", self.one, self.two, "--inputs", inputs, "--samples", "500", "--seed", "3")
        self.assertRegex(out, r"/total/cost, USD +mean .* cheapest")
        self.assertRegex(out, PRICE + r" +(9\d\.\d|100\.0) % +—")
        answer = json.loads(self.answer("simulate", self.one, "--inputs", inputs, "--samples", "500", "--format", "json"))
        self.assertEqual((answer["samples"], answer["seed"]), (500, 0))
        self.assertAlmostEqual(answer["scenarios"][0]["outputs"]["/total/cost"]["mean"] / COST, 1, delta=0.1)

    def test_map_draws_the_cheapest(self):
        out = self.answer("map", self.one, self.two, "--x", PRICE + "=1:100:3:log", "--y", "/months=1:2:2")
        self.assertIn("upward /months, months", out)
        self.assertRegex(out, r"(?m)^ +2 +1 1 1$")

    def test_the_optimized_mix_costs_less_than_each_pure_fleet(self):
        fleet = pathlib.Path(__file__).resolve().parents[2] / "examples" / "mixed_fleet"
        pure = [json.loads(self.answer("evaluate", "--format", "json", str(fleet / f"{name}.json")))
                for name in ("gpu_cloud", "gpu_owned", "tpu")]
        undone = [work["units_unserved"] - work["units_lost_to_outages"] for one in pure for work in one["by_workload"].values()]
        self.assertLess(max(undone), 1)
        mix = json.loads(self.answer("optimize", str(fleet / "cheapest.json"), "--decide", "/pools/0/purchases/0/servers=0:12",
                                     "--decide", "/pools/1/min_instances=0:8", "--format", "json"))
        self.assertEqual(mix["proof"], "exhaustive")
        self.assertLess(mix["objective"], min(one["total"]["cost"] for one in pure))

    def test_optimize_chooses_among_values(self):
        answer = json.loads(self.answer("optimize", self.one, "--decide", PRICE + "=[3, 2]", "--format", "json"))
        self.assertEqual(answer["choices"], {PRICE: 2})
        self.assertEqual(answer["combinations"]["examined"], 2)
        self.assertIn("2 combinations: 2 examined", self.answer("optimize", self.one, "--decide", PRICE + "=[3, 2]"))

    def test_what_is_wrong_is_2_and_says_what_to_do(self):
        wrong = self.write("wrong.json", {"inputs": [{"pointer": PRICE, "distribution": {"kind": "normal", "mean": 1}}]})
        rows = [
            (["solve", self.one, "--input", "/pools/0/price", "--low", "0", "--high", "9", "--target", "1"], "there is id, source"),
            (["solve", self.one, "--input", PRICE, "--low", "0", "--high", "9", "--target", "1e9"], "widen the range"),
            (["solve", self.one, "--input", PRICE, "--low", "9", "--high", "0", "--target", "1"], "low must be below high"),
            (["sensitivity", self.one, "--input", PRICE], "give POINTER=low:high"),
            (["sensitivity", self.one, "--input", PRICE + "=a:b"], "give POINTER=low:high"),
            (["sensitivity", self.one, "--output", "/total/coin"], "npv_after_tax"),
            (["optimize", self.one, "--decide", PRICE + "=3,2"], "POINTER=[values]"),
            (["optimize", self.one, "--decide", PRICE + "=[3, -2]"], "/decide/0/values/1"),
            (["compare", self.one, "--baseline", "2"], "allowed: 1 to 1"),
            (["break-even", self.one], "FILE"),
            (["simulate", self.one, "--inputs", wrong], "/inputs/0/distribution/sd"),
            (["map", self.one, "--x", PRICE + "=1:2", "--y", "/months=1:2:2"], "give POINTER=from:to:steps"),
            (["compare", self.one, self.write("euro.json", changed(currency="EUR"))], "give all in one"),
        ]
        for arguments, said in rows:
            status, out, err = self.run_costcurve(*arguments)
            self.assertEqual((status, out), (2, ""), arguments)
            self.assertIn(said, err)
        self.assertEqual(self.run_costcurve("compare", str(self.directory / "none.json"))[0], 1)


if __name__ == "__main__":
    CommandLineCase.costcurve = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
