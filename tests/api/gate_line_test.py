"""The gate on the command line: each figure kept, warned of, broken and not known; its exit status; its reports; bad input by name.

usage: gate_line_test.py COSTCURVE ROOT
"""

import copy
import json
import os
import pathlib
import sys
import unittest
import xml.etree.ElementTree

import sarif_schema
from command_line_case import COST, SMALLEST, CommandLineCase, changed

ROOT = pathlib.Path()
DAY = ["--today", "2026-01-15"]
PRICE = "/pools/0/offer/hourly_price"


def edited(edit, **members):
    scenario = copy.deepcopy(changed(**members))
    edit(scenario)
    return scenario


def offer(scenario):
    return scenario["pools"][0]["offer"]


def with_site(scenario):
    """0.5 kW in all of January's 744 hours at 400 g/kWh: 148.8 kg."""
    offer(scenario)["device"]["power"] = {"kind": "power", "axis": "throughput_share", "points": [[0, 500], [1, 500]]}
    offer(scenario).update(host_idle_w=0, host_max_w=0, site={"energy_price": 0.1, "carbon_g_per_kwh": 400})


def with_dated_price(scenario):
    """Ten days before the gate's day."""
    offer(scenario)["hourly_price"] = {"kind": "price", "axis": "date", "interpolation": "step", "points": [["2026-01-05", 3.6]]}


def with_half_the_work(scenario):
    scenario["workloads"][0]["runs_on"][0]["performance"]["units_per_s"] = 2


def too_small(scenario):
    """Nine instances for ten of work: a tenth finds no room."""
    scenario["workloads"][0]["demand"]["mean_per_s"] = 10
    scenario["pools"][0]["max_instances"] = 9


def by_an_estimate(scenario):
    scenario["workloads"][0]["runs_on"][0]["performance"]["basis"] = "estimated"


def in_training(scenario):
    """100,000 units an epoch at 1 a second: 27.8 hours at 3.6, 100 an epoch."""
    scenario["workloads"] = [{"id": "train", "kind": "training", "units_per_epoch": 100000, "epochs_per_month": 20,
                              "runs_on": [{"pool": "pool", "performance": {"units_per_s": 1}}]}]


def hosted(scenario):
    scenario["pools"] = [{"id": "pool", "kind": "api", "price_per_million_units": 1}]
    scenario["workloads"][0]["runs_on"] = [{"pool": "pool"}]


def without_work(scenario):
    scenario["workloads"][0]["demand"]["mean_per_s"] = 0


PLAIN = edited(lambda scenario: None, id="plain")
TO_DEAR = {"inputs": [{"pointer": PRICE, "distribution": {"kind": "uniform", "low": 3, "high": 4}}], "samples": 2000}
A_MILLION = 3.6 / 3600 * 1e6

# figure, what a rule says beside it, a scenario, the verdict, the value, and, of what is not known, what is said of it
ROWS = [
    ("cost_per_month", {"max": COST + 1, "unit": "USD/month"}, PLAIN, "kept", COST, ""),
    ("cost_per_month", {"max": COST - 1, "unit": "USD/month"}, PLAIN, "broken", COST, ""),
    ("cost_per_month", {"max": COST, "unit": "EUR/month"}, PLAIN, "unknown", None, "the scenario is in USD"),
    ("highest_month_cost", {"max": COST + 1, "unit": "USD/month"}, PLAIN, "kept", COST, ""),
    ("highest_month_cost", {"max": 1, "unit": "USD/month"}, PLAIN, "broken", COST, ""),
    ("highest_month_cash", {"max": COST + 1, "unit": "USD/month"}, PLAIN, "kept", COST, ""),
    ("highest_month_cash", {"max": 1, "unit": "USD/month"}, PLAIN, "broken", COST, ""),
    ("cost_per_million_units", {"max": A_MILLION + 1, "unit": "USD/million units"}, PLAIN, "kept", A_MILLION, ""),
    ("cost_per_million_units", {"max": A_MILLION - 1, "unit": "USD/million units"}, PLAIN, "broken", A_MILLION, ""),
    ("cost_per_million_units", {"max": 1, "unit": "USD/million units"}, edited(without_work), "unknown", None, "nothing is served"),
    ("cost_per_million_units", {"max": 1, "unit": "USD/million units"}, edited(in_training), "unknown", None, "no workload"),
    ("cost_per_million_units", {"max": 1, "unit": "USD/million units", "workload": "other"}, PLAIN, "unknown", None,
     "no workload other has"),
    ("cost_per_epoch", {"max": 101, "unit": "USD/epoch"}, edited(in_training), "kept", 100, ""),
    ("cost_per_epoch", {"max": 99, "unit": "USD/epoch"}, edited(in_training), "broken", 100, ""),
    ("cost_per_epoch", {"max": 99, "unit": "USD/epoch"}, PLAIN, "unknown", None, "no workload"),
    ("probability_within_budget", {"budget": 744 * 3.5, "min": 0.45, "unit": "USD/month"}, PLAIN, "kept", 0.5, ""),
    ("probability_within_budget", {"budget": 744 * 3.5, "min": 0.55, "unit": "USD/month"}, PLAIN, "broken", 0.5, ""),
    ("probability_within_budget", {"budget": 1e9, "min": 0.5, "unit": "USD/month"}, edited(hosted), "unknown", None, PRICE),
    ("carbon_kg_per_month", {"max": 149}, edited(with_site), "kept", 148.8, ""),
    ("carbon_kg_per_month", {"max": 148}, edited(with_site), "broken", 148.8, ""),
    ("carbon_kg_per_month", {"max": 1e6}, PLAIN, "unknown", 0, "is not known"),
    ("peak_utilization", {"max": 0.99}, PLAIN, "broken", 1, ""),
    ("peak_utilization", {"min": 0.9, "max": 1}, PLAIN, "kept", 1, ""),
    ("peak_utilization", {"min": 0.9, "pool": "pool"}, edited(with_half_the_work), "broken", 0.5, ""),
    ("peak_utilization", {"min": 0.9, "pool": "other"}, PLAIN, "unknown", None, "no pool other"),
    ("evidence", {"weakest": "estimated"}, edited(by_an_estimate), "kept", None, ""),
    ("evidence", {"weakest": "extrapolated"}, edited(by_an_estimate), "broken", None, ""),
    ("evidence", {"weakest": "assumed"}, edited(without_work), "unknown", None, "nothing is served"),
    ("price_age_days", {"max": 10}, edited(with_dated_price), "kept", 10, ""),
    ("price_age_days", {"max": 9}, edited(with_dated_price), "broken", 10, ""),
    ("price_age_days", {"max": 1e6}, PLAIN, "unknown", None, "its price states no day"),
    ("cost_increase", {"max": 1, "unit": "USD/month"}, PLAIN, "unknown", None, "--against"),
    ("cost_increase_fraction", {"max": 1}, PLAIN, "unknown", None, "--against"),
    ("does_its_work", {}, PLAIN, "kept", 1, ""),
    ("does_its_work", {}, edited(too_small), "broken", 0, ""),
    ("read_whole", {}, PLAIN, "kept", 1, ""),
]
STATUS = {("kept", "fail"): 0, ("kept", "warn"): 0, ("broken", "fail"): 1, ("broken", "warn"): 0, ("unknown", "fail"): 2,
          ("unknown", "warn"): 0}


class GateCase(CommandLineCase):
    def gate(self, rules, *files, options=()):
        """The status, what it prints, what it complains of."""
        path = self.write("rules.json", rules if isinstance(rules, (str, bytes)) else {"rules": rules})
        return self.run_costcurve("gate", *files, "--rules", path, *DAY, *options)

    def report(self, rules, *files, options=()):
        status, out, err = self.gate(rules, *files, options=("--format", "json", *options))
        self.assertEqual(err, "")
        return status, json.loads(out)


class FiguresTest(GateCase):
    def test_a_limit_that_is_met_but_for_rounding_is_kept(self):
        path = self.write("scenario.json", PLAIN)
        rule = {"figure": "cost_per_month", "unit": "USD/month", "max": 1}
        value = self.report([rule], path)[1]["findings"][-1]["value"]
        for below, verdict in ((1e-12, "kept"), (1e-6, "broken")):
            self.assertEqual(self.report([{**rule, "max": value * (1 - below)}], path)[1]["findings"][-1]["verdict"], verdict)

    def test_each_figure_is_kept_broken_or_unknown_and_warns_where_it_only_warns(self):
        for figure, members, scenario, verdict, value, why in ROWS:
            for level in ("fail", "warn"):
                with self.subTest(figure=figure, members=members, verdict=verdict, level=level):
                    rules = {"rules": [{"figure": figure, "level": level, **members}]}
                    if figure == "probability_within_budget":
                        rules["uncertainty"] = TO_DEAR
                    if figure != "does_its_work":
                        rules["rules"].append({"figure": "does_its_work", "level": "warn"})
                    status, report = self.report(json.dumps(rules), self.write("scenario.json", scenario))
                    finding, = [row for row in report["findings"] if row["figure"] == figure]
                    self.assertEqual((finding["verdict"], finding["level"]), (verdict, level))
                    self.assertEqual(status, STATUS[verdict, level])
                    if value is not None:
                        delta = 0.03 if figure.startswith("prob") else 1e-6 * max(value, 1)
                        self.assertAlmostEqual(finding["value"], value, delta=delta)
                    self.assertIn(why, finding["why"] or "")
                    self.assertTrue(finding["message"])

    def test_every_figure_has_a_row_of_each_verdict_that_it_can_have(self):
        rows = {(row[0], row[3]) for row in ROWS}
        never = {("does_its_work", "unknown"), ("read_whole", "broken"), ("read_whole", "unknown"),
                 *((figure, verdict) for figure in ("cost_increase", "cost_increase_fraction") for verdict in ("kept", "broken")),
                 ("highest_month_cost", "unknown"), ("highest_month_cash", "unknown")}
        figures = {row[0] for row in ROWS}
        self.assertEqual(len(figures), 14)
        self.assertEqual(rows | never, {(figure, verdict) for figure in figures for verdict in ("kept", "broken", "unknown")})

    def test_work_that_is_left_undone_breaks_the_gate_without_a_rule(self):
        status, report = self.report([{"figure": "cost_per_month", "max": 1e9, "unit": "USD/month"}],
                                     self.write("scenario.json", edited(too_small)))
        self.assertEqual((status, report["outcome"]), (1, "fail"))
        broken, = [row for row in report["findings"] if row["verdict"] == "broken"]
        self.assertIn("10.0 % of the demand finds no room", broken["why"])

    def test_what_outages_take_out_of_every_ranking_breaks_the_gate(self):
        status, report = self.report([{"figure": "cost_per_month", "max": 1e9, "unit": "USD/month"}],
                                     str(ROOT / "examples/serving_70b/cloud_spot.json"))
        broken, = [row for row in report["findings"] if row["verdict"] == "broken"]
        self.assertEqual((status, broken["figure"]), (1, "does_its_work"))
        self.assertIn("chat: outages lose 46.0 % of the demand", broken["why"])

    def test_a_rule_is_on_the_scenarios_that_have_its_part(self):
        rules = [{"figure": "cost_per_million_units", "max": 1e9, "unit": "USD/million units", "workload": "work"},
                 {"figure": "cost_per_epoch", "max": 1e9, "unit": "USD/epoch"}]
        one, two = self.write("one.json", PLAIN), self.write("two.json", edited(in_training))
        self.assertEqual(self.report(rules, one, two)[0], 0)
        self.assertEqual(self.report(rules, one)[0], 2)

    def test_a_broken_rule_comes_before_one_that_can_not_be_judged(self):
        rules = [{"figure": "cost_per_month", "max": 1, "unit": "USD/month"}, {"figure": "price_age_days", "max": 1}]
        self.assertEqual(self.report(rules, self.write("scenario.json", PLAIN))[0], 1)

    def test_carbon_that_is_at_least_too_much_is_too_much(self):
        def half_known(scenario):
            with_site(scenario)
            other = copy.deepcopy(scenario["pools"][0])
            del other["offer"]["site"]
            scenario["pools"].append({**other, "id": "other", "min_instances": 1})
            scenario["workloads"][0]["runs_on"].append({"pool": "other", "performance": {"units_per_s": 1}})
        path = self.write("scenario.json", edited(half_known))
        _, report = self.report([{"figure": "carbon_kg_per_month", "max": 100}], path)
        finding, = [row for row in report["findings"] if row["figure"] == "carbon_kg_per_month"]
        self.assertEqual((finding["verdict"], finding["is_at_least"]), ("broken", True))
        self.assertEqual(self.report([{"figure": "carbon_kg_per_month", "max": 200}], path)[0], 2)


class BaseTest(GateCase):
    def setUp(self):
        super().setUp()
        self.now = self.write("now.json", edited(lambda scenario: offer(scenario).update(hourly_price=3.96), id="one"))
        self.base = self.write("base.json", edited(lambda scenario: None, id="one"))

    def finding(self, rules, *options):
        status, report = self.report(rules, self.now, options=options)
        return status, report["findings"][-1], report

    def test_an_increase_is_held_to_its_base(self):
        for figure, unit, limit, value in (("cost_increase", {"unit": "USD/month"}, 267, COST * 0.1),
                                           ("cost_increase_fraction", {}, 0.09, 0.1)):
            for factor, verdict, status in ((0.9, "broken", 1), (1.2, "kept", 0)):
                with self.subTest(figure=figure, verdict=verdict):
                    found = self.finding([{"figure": figure, "max": limit * factor, **unit}], "--against", self.base)
                    self.assertEqual((found[0], found[1]["verdict"]), (status, verdict))
                    self.assertAlmostEqual(found[1]["value"], value, places=6)

    def test_work_that_differs_from_the_bases_is_named(self):
        base = self.write("longer.json", edited(lambda scenario: scenario.update(months=36), id="one"))
        _, _, report = self.finding([{"figure": "cost_increase_fraction", "max": 1}], "--against", base)
        self.assertEqual(len(report["changes"][0]["differs"]), 2, "months, and units in them")
        self.assertRegex(report["changes"][0]["differs"][0], "^months: 36 in the base, [0-9]+ now$")
        for name in ("text", "markdown"):
            rules = json.dumps({"rules": [{"figure": "cost_increase_fraction", "max": 1}]})
            _, out, _ = self.gate(rules, self.now, options=("--against", base, "--format", name))
            self.assertIn("36 in the base", out)
        _, _, report = self.finding([{"figure": "cost_increase_fraction", "max": 1}], "--against", self.base)
        self.assertEqual(report["changes"][0]["differs"], [])

    def test_a_base_in_another_currency_is_none(self):
        base = self.write("euro.json", edited(lambda scenario: offer(scenario).update(currency="EUR"), id="one", currency="EUR"))
        status, finding, report = self.finding([{"figure": "cost_increase_fraction", "max": 1}], "--against", base)
        self.assertEqual((status, finding["why"], report["changes"][0]["change"]), (2, "the base is in EUR", None))

    def test_small_changes_are_silent_where_every_rule_is_kept(self):
        kept = {"figure": "cost_per_month", "max": 1e6, "unit": "USD/month"}
        for below, silent in (({"amount": 300}, True), ({"amount": 200}, False), ({"fraction": 0.11}, True),
                              ({"fraction": 0.11, "amount": 200}, False)):
            for name in ("text", "markdown"):
                with self.subTest(below=below, format=name):
                    rules = json.dumps({"rules": [kept], "silent_below": below})
                    status, out, _ = self.gate(rules, self.now, options=("--against", self.base, "--format", name))
                    self.assertEqual((status, out == ""), (0, silent))
        rules = json.dumps({"rules": [{**kept, "max": 1}], "silent_below": {"amount": 1e6}})
        status, out, _ = self.gate(rules, self.now, options=("--against", self.base))
        self.assertEqual((status, out != ""), (1, True), "a broken rule is never silent")
        rules = json.dumps({"rules": [kept], "silent_below": {"amount": 1e6}})
        self.assertNotEqual(self.gate(rules, self.now)[1], "", "without a base nothing is known to be small")

    def test_scenarios_meet_the_bases_of_their_ids(self):
        other = self.write("other.json", edited(lambda scenario: None, id="two"))
        _, report = self.report([{"figure": "cost_increase", "max": 1e6, "unit": "USD/month"}], other, self.now,
                                options=("--against", self.base, self.write("gone.json", edited(lambda scenario: None, id="gone"))))
        verdicts = {row["scenario"]: row["verdict"] for row in report["findings"] if row["figure"] == "cost_increase"}
        changes = [row["change"] for row in report["changes"]]
        self.assertIsNone(changes[0])
        self.assertAlmostEqual(changes[1], COST * 0.1)
        self.assertEqual(len(report["not_read"]), 1)
        self.assertTrue(verdicts)

    def test_a_moment_of_a_database_is_a_base(self):
        documents = {"offers": [{**SMALLEST["pools"][0]["offer"], "id": "o", "device": "d"}],
                     "devices": [{"id": "d", "kind": "gpu", "tdp_w": 500}]}
        self.run_costcurve("import", "json", self.write("first.json", documents), "--database", self.database)
        documents["offers"][0]["hourly_price"] = 7.2
        self.run_costcurve("import", "json", self.write("second.json", documents), "--database", self.database)
        by_id = edited(lambda scenario: scenario["pools"][0].update(offer="o"), id="one")
        path = self.write("by_id.json", by_id)
        rule = [{"figure": "cost_increase", "max": 1, "unit": "USD/month"}]
        status, report = self.report(rule, path, options=("--database", self.database, "--against", "@1"))
        self.assertEqual(status, 1)
        self.assertAlmostEqual(report["changes"][0]["change"], COST)
        for against, said in (("@99", "99"), ("yesterday", "neither a file nor a moment")):
            with self.subTest(against=against):
                status, _, err = self.gate(rule, path, options=("--database", self.database, "--against", against))
                self.assertEqual(status, 2)
                self.assertIn(said, err)


class PricesTest(GateCase):
    def test_ids_are_looked_up_in_files_as_in_a_database(self):
        catalogue = sorted(str(path) for path in (ROOT / "deploy/catalog").glob("*.json"))
        scenario = {"id": "s", "start": "2026-12", "months": 12, "currency": "USD",
                    "workloads": [{"id": "chat", "kind": "inference", "unit": "token", "model": "llama-3.1-70b",
                                   "units_per_request": {"input": 1000, "output": 300}, "demand": {"mean_per_s": 1},
                                   "runs_on": [{"pool": "p"}]}],
                    "pools": [{"id": "p", "kind": "cloud", "offer": "aws.p5.48xlarge.us-east-1.on-demand", "max_instances": 9}]}
        path = self.write("s.json", scenario)
        rule = [{"figure": "cost_per_month", "max": 1e9, "unit": "USD/month"}]
        status, given = self.report(rule, path, options=("--prices", *catalogue))
        self.assertEqual(status, 0)
        self.run_costcurve("import", "json", *catalogue, "--database", self.database)
        _, stored = self.report(rule, path, options=("--database", self.database))
        self.assertEqual(given, stored)
        _, exported, _ = self.run_costcurve("export", "prices", "--database", self.database)
        self.assertNotIn('"scenarios"', exported)
        self.assertEqual(given, self.report(rule, path, options=("--prices", self.write("prices.json", exported)))[1])
        status, _, err = self.gate(rule, path)
        self.assertEqual(status, 2)
        self.assertIn("aws.p5.48xlarge.us-east-1.on-demand is the id of a stored offer", err)


class SharesTest(CommandLineCase):
    def test_a_share_above_one_is_meant_in_per_cent_and_refused(self):
        for figure, limit in (("peak_utilization", 90), ("cost_increase_fraction", 5)):
            rules = self.write("rules.json", {"rules": [{"figure": figure, "max": limit}]})
            status, _, err = self.run_costcurve("gate", self.write("a.json", SMALLEST), "--rules", rules)
            self.assertEqual(status, 2)
            self.assertIn(f"max is {limit}; {figure} is a fraction up to 1: 0.05 is 5 %", err)


class ReportsTest(GateCase):
    RULES = [{"figure": "cost_per_month", "max": 1, "unit": "USD/month"}, {"figure": "price_age_days", "max": 9, "level": "warn"},
             {"figure": "carbon_kg_per_month", "max": 9}]
    NAME = "a | b <script>&\"'\u0007`x`"

    def printed(self, name):
        path = self.write("odd name.json", edited(lambda scenario: None, name=self.NAME))
        status, out, err = self.gate(self.RULES, path, options=("--format", name))
        self.assertEqual((status, err), (1, ""))
        return out

    def test_sarif_has_what_its_schema_requires(self):
        log = json.loads(self.printed("sarif"))
        self.assertEqual(sarif_schema.wrong_with(log), [])
        self.assertEqual(log["version"], "2.1.0")
        self.assertTrue(log["$schema"].endswith("sarif-2.1.0.json"))
        run, = log["runs"]
        driver = run["tool"]["driver"]
        self.assertTrue(driver["name"])
        ids = [rule["id"] for rule in driver["rules"]]
        self.assertEqual(len(ids), len(set(ids)))
        self.assertEqual([(result["ruleId"], result["level"]) for result in run["results"]],
                         [("cost_per_month", "error"), ("price_age_days", "warning"), ("carbon_kg_per_month", "error")])
        for result in run["results"]:
            self.assertTrue(result["message"]["text"])
            self.assertEqual(ids[result["ruleIndex"]], result["ruleId"])
            place = result["locations"][0]["physicalLocation"]
            self.assertTrue(place["artifactLocation"]["uri"].endswith("odd%20name.json"))
            self.assertGreaterEqual(place["region"]["startLine"], 1)

    def test_the_checker_of_sarif_finds_what_the_schema_forbids(self):
        log = json.loads(self.printed("sarif"))
        result = log["runs"][0]["results"][0]
        region = result["locations"][0]["physicalLocation"]["region"]
        for edit, said in ((lambda: log.update(colour="red"), "may have no colour"),
                           (lambda: log.update(version="2.0.0"), "/version is"),
                           (lambda: log["runs"][0]["tool"].clear(), "/runs/0/tool has no driver"),
                           (lambda: result.update(level="fatal"), "/level is 'fatal'"),
                           (lambda: result.pop("message"), "has no message"),
                           (lambda: region.update(startLine=0), "startLine is 0, below 1"),
                           (lambda: result.update(ruleIndex="2"), "ruleIndex is '2', no int")):
            edit()
            self.assertIn(said, "\n".join(sarif_schema.wrong_with(log)))

    def test_junit_is_well_formed_and_counts(self):
        suites = xml.etree.ElementTree.fromstring(self.printed("junit"))
        suite, = suites.findall("testsuite")
        self.assertEqual((suite.get("tests"), suite.get("failures"), suite.get("errors")), ("5", "1", "1"))
        self.assertEqual([(case.get("name"), [part.tag for part in case]) for case in suite],
                         [("read whole", []), ("does its work", []), ("cost per month", ["failure"]),
                          ("pool: price age days", ["system-out"]), ("carbon kg per month", ["error"])])

    def test_markdown_takes_no_markup_from_documents(self):
        out = self.printed("markdown")
        self.assertIn("### Cost gate: a rule is broken", out)
        self.assertNotIn("<script>", out)
        self.assertNotIn("`x`", out)
        rows = [line for line in out.splitlines() if line.startswith("|")]
        self.assertTrue(all(row.count("|") in (3, 6) for row in rows), rows)

    def test_reports_are_written_beside_the_first(self):
        path = self.write("scenario.json", PLAIN)
        reports = [f"{name}={self.directory / name}" for name in ("sarif", "junit", "markdown", "json", "text")]
        options = [word for report in reports for word in ("--report", report)]
        status, out, _ = self.gate(self.RULES, path, options=options)
        self.assertEqual(status, 1)
        self.assertEqual((self.directory / "text").read_text(encoding="utf-8"), out)
        json.loads((self.directory / "sarif").read_text(encoding="utf-8"))
        status, _, err = self.gate(self.RULES, path, options=("--report", "sarif=/nowhere/at/all"))
        self.assertEqual(status, 2)
        self.assertIn("can't be written", err)

    def test_nothing_of_a_document_writes_to_the_terminal(self):
        self.assertNotIn("\u0007", self.printed("text"))


class BadInputTest(GateCase):
    def refused(self, rules, said, *files):
        status, out, err = self.gate(rules, *(files or (self.write("scenario.json", PLAIN),)))
        self.assertEqual((status, out), (2, ""), err)
        self.assertIn(said, err)

    def test_rules_are_refused_by_name(self):
        cost = {"figure": "cost_per_month", "unit": "USD/month"}
        rows = [
            ([{"figure": "price_of_eggs", "max": 1}], "/rules/0/figure"),
            ([{**cost, "max": -1}], "max is -1"),
            ([{**cost, "max": 1, "unit": "usd/month"}], "cost_per_month is in a currency in capitals, such as USD/month"),
            ([{**cost, "max": 1, "unit": "USD/year"}], "unit is USD/year; cost_per_month is in a currency in capitals"),
            ([{**cost, "max": 1, "unit": "dollars"}], "cost_per_month is in a currency in capitals, such as USD/month"),
            ([{"figure": "cost_per_month", "max": 1}], "/rules/0/unit  missing"),
            ([cost], "/rules/0/max  missing"),
            ([{**cost, "min": 1}], "cost_per_month has no min"),
            ([{**cost, "max": 1, "pool": "p"}], "cost_per_month has no pool"),
            ([{**cost, "max": 1}, {**cost, "max": 2}], "/rules/1  duplicate"),
            ([{"figure": "carbon_kg_per_month", "max": 1, "unit": "t/month"}], "carbon_kg_per_month is in kg/month"),
            ([{"figure": "probability_within_budget", "min": 0.9, "budget": 1, "unit": "USD/month"}], "/uncertainty  missing"),
            ([{"figure": "evidence"}], "/rules/0/weakest  missing"),
            ([], "/rules"),
            ('{"rules": [{"figure": "does_its_work"}], "silent_below": {}}', "/silent_below  missing"),
            ('{"rules": [{"figure": "does_its_work"}], "colour": "red"}', "/colour  unknown_field"),
            ("rules:\n  - figure: evidence\n    weakest: [", "it is not YAML"),
            ("rules: 1\n---\nrules: 2\n", "2 documents"),
            ("", "0 documents"),
        ]
        for rules, said in rows:
            with self.subTest(rules=rules):
                self.refused(rules, said)

    def test_yaml_that_grows_is_refused(self):
        pairs = zip("abcdefgh", "bcdefghi")
        bomb = "a: &a [x, x]\n" + "".join(f"{name}: &{name} [*{before}, *{before}]\n" for before, name in pairs)
        self.refused(bomb, "anchor")
        self.refused(bomb + "# " + "x" * 10_000_000, "allowed up to 4194304")
        self.refused("rules: " + "[" * 40 + "]" * 40, "nested deeper than 32")
        self.refused(b"rules: \xff\xfe", "UTF-8")

    def test_yaml_and_json_say_the_same(self):
        yaml = "# budgets\nrules:\n  - figure: cost_per_month\n    max: 2.0e+3\n    unit: USD/month\n    level: warn\n"
        path = self.write("scenario.json", PLAIN)
        rules = [{"figure": "cost_per_month", "max": 2000, "unit": "USD/month", "level": "warn"}]
        self.assertEqual(self.report(yaml, path), self.report(rules, path))

    def test_files_that_are_not_there_or_no_scenario_are_two(self):
        rule = [{"figure": "does_its_work"}]
        self.refused(rule, "nowhere.json  missing: can't be read", "nowhere.json")
        self.refused(rule, "scenario.json#/months", self.write("scenario.json", {**PLAIN, "months": 0}))
        self.refused(rule, "it is empty", self.write("empty.json", ""))
        status, _, err = self.run_costcurve("gate", self.write("scenario.json", PLAIN), "--rules", "nowhere.yaml")
        self.assertEqual(status, 2)
        self.assertIn("nowhere.yaml", err)
        for options, said in ((["--database", "nowhere.db"], "no such file"), (["--today", "soon"], "--today"),
                              (["--report", "pdf=x"], "--report"), (["--format", "pdf"], "--format")):
            with self.subTest(options=options):
                status, _, err = self.gate(rule, self.write("scenario.json", PLAIN), options=options)
                self.assertEqual(status, 2)
                self.assertIn(said, err)


if __name__ == "__main__":
    CommandLineCase.costcurve = os.path.abspath(sys.argv.pop(1))
    ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main(verbosity=2)
