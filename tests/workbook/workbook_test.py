"""A result as an Excel workbook: every formula, computed again from its inputs, has the answer's figures, and moves as the model.

usage: python3 tests/workbook/workbook_test.py COSTCURVE [--seed N] [unittest options]
Where LibreOffice is installed it computes the workbooks too.
"""

import copy
import io
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

import workbook

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "reference"))
import random_work  # noqa: E402

COSTCURVE = ""
SEED = 1
EXAMPLES = sorted((HERE.parents[1] / "examples").glob("*/*.json"))
SAME = 1e-9
FACTORS = (0.0, 0.01, 0.5, 0.8, 0.93, 1.07, 1.25, 2.0, 4.0, 10.0)
TOTALS = ("cost", "cash", "npv", "npv_after_tax", "equivalent_annual_cost", "npv_before_financing", "energy_kwh", "carbon_kg")


def evaluate(scenario, form="json", **environment):
    """The answer of the command line; None where the scenario breaks a rule."""
    run = subprocess.run([COSTCURVE, "evaluate", "--format", form, "-"], input=json.dumps(scenario).encode(), capture_output=True,
                         check=False, env=os.environ | environment)
    if run.returncode == 2:
        return None
    if run.returncode:
        raise RuntimeError(run.stderr.decode())
    return json.loads(run.stdout) if form == "json" else run.stdout


def opened(scenario):
    with tempfile.NamedTemporaryFile(suffix=".xlsx") as file:
        file.write(evaluate(scenario, "xlsx"))
        file.flush()
        return workbook.Workbook(file.name)


def size_of(result):
    """The money that is added, without signs: what rounding is measured by."""
    pools = result["by_pool"].values()
    return sum(abs(part["cost"]) + abs(part["cash"]) for pool in pools for part in pool["by_category"].values()) + \
        sum(abs(part["cost"]) for part in result["by_category"].values())


def move(value, by):
    """A number, or each of a curve's, times a factor."""
    if isinstance(value, dict):
        moved = copy.deepcopy(value)
        points = [("points", point) for point in moved.get("points", [])]
        for _, point in points:
            point[1] *= by
        return moved if points else None
    return value * by if isinstance(value, (int, float)) else None


def changed(scenario, pointer, by):
    """The scenario with the number or curve at a pointer times a factor; None where something else stands there."""
    moved = copy.deepcopy(scenario)
    at, names = moved, pointer.split("/")[1:]
    for name in names[:-1]:
        at = at[int(name)] if isinstance(at, list) and int(name) < len(at) else at.get(name) if isinstance(at, dict) else None
        if at is None:
            return None
    if not isinstance(at, dict) or names[-1] not in at:
        return None
    at[names[-1]] = move(at[names[-1]], by)
    return moved if at[names[-1]] is not None else None


class Case(unittest.TestCase):
    followed: set = set()  # figures that were formulas when inputs were changed

    def check_figures(self, book, result, what):
        """Each formula has its stored value, and the figures of the answer stand where they belong."""
        size = max(size_of(result), 1e-9)
        for sheet in book.order:
            for at in book.formulas[sheet]:
                stored, computed = book.values[sheet][at], book.get(sheet, at)
                scale = size if sheet in ("Result", "Ledger", "Months") and at[1] > 1 else abs(stored)
                if sheet == "Months" and at[1] < 4:
                    scale = 1.0
                self.assertLessEqual(abs(stored - computed), SAME * max(abs(stored), scale * 1e-3),
                                     f"{what} {sheet} {at}: ={book.formulas[sheet][at]}")
        rows = book.rows("Result")
        named = {row[0]: row for row in rows if 0 in row}
        for name in TOTALS:
            if result["total"].get(name) is not None:
                self.assertAlmostEqual(named[name][1], result["total"][name], delta=SAME * size, msg=f"{what} {name}")
        heads = [i for i, row in enumerate(rows) if row.get(0) in ("category", "pool", "workload")]
        for name, amounts in result["by_category"].items():
            found = [row for row in rows[heads[0]:heads[1]] if row.get(0) == name]
            if amounts["cost"] or amounts["cash"]:
                self.assertAlmostEqual(found[0][1], amounts["cost"], delta=SAME * size, msg=f"{what} {name}")
                self.assertAlmostEqual(found[0][2], amounts["cash"], delta=SAME * size, msg=f"{what} {name}")
        for name, pool in result["by_pool"].items():
            found = [row for row in rows[heads[1]:heads[2]] if row.get(0) == name]
            self.assertAlmostEqual(found[0][1], pool["cost"], delta=SAME * size, msg=f"{what} {name}")
        for row, month in zip(book.rows("Months")[1:], result["by_month"], strict=True):
            self.assertAlmostEqual(row[3], month["cost"], delta=SAME * size)
            self.assertAlmostEqual(row[4], month["cash"], delta=SAME * size)

    def check_moves(self, book, scenario, result, what, by):
        """Each live input, changed on the sheet, gives what the model answers to that scenario. Returns those that were changed."""
        size, done = size_of(result), []
        for row in book.rows("Inputs")[1:]:
            moved = changed(scenario, row[4], by) if row[3] == "yes" else None
            answer = evaluate(moved) if moved else None
            if answer is None:
                continue
            base = book.values["Inputs"][book.named(row[0])[1]]
            book.set(row[0], base * by)
            for name in ("cost", "cash", "npv"):
                computed = book.get("Result", (book.find("Result", name), 2))
                self.assertAlmostEqual(computed, answer["total"][name], delta=SAME * size, msg=f"{what} {row[4]} {name}")
            self.followed |= self.check_followers(book, answer, f"{what} {row[4]}", size)
            book.set(row[0], base)
            done.append(row[4])
        return done


    def check_followers(self, book, answer, what, size):
        """What follows from cost and npv, where it is a formula. Returns the names of these."""
        places = {"npv_after_tax": ((book.find("Result", "npv_after_tax"), 2), answer["total"]["npv_after_tax"])}
        head = book.find("Result", "workload")
        for number, workload in enumerate(answer["by_workload"].values(), head + 1):
            places[f"cost of {number - head}"] = (number, 4), workload["cost"]
            places[f"cost per million units of {number - head}"] = (number, 5), workload["cost_per_million_units"]
        formulas = {name for name, (at, _) in places.items() if at in book.formulas["Result"]}
        for name in formulas:
            at, wanted = places[name]
            self.assertAlmostEqual(book.get("Result", at), wanted, delta=SAME * max(size, wanted), msg=f"{what} {name}")
        return formulas


class Examples(Case):
    categories: set = set()

    def test_every_formula_has_the_figures_of_the_answer(self):
        with_money = set()
        for path in EXAMPLES:
            scenario = json.loads(path.read_text(encoding="utf-8"))
            result = evaluate(scenario)
            book = opened(scenario)
            self.assertEqual(book.order, ["Result", "Inputs", "Ledger", "Months", "Terms", "Sources"])
            self.check_figures(book, result, path.name)
            with_money |= {name for name, part in result["by_category"].items() if part["cost"]}
        self.assertLessEqual({"compute", "usage", "commitment", "hardware", "facility", "energy", "maintenance", "staff", "network",
                              "engineering", "disposal"}, with_money)

    def test_a_changed_input_moves_the_totals_as_the_model_does(self):
        moved = []
        for path in EXAMPLES:
            scenario = json.loads(path.read_text(encoding="utf-8"))
            moved += self.check_moves(opened(scenario), scenario, evaluate(scenario), path.name, 1.01)
        fields = {pointer.rpartition("/")[2] for pointer in moved}
        self.assertLessEqual({"discount_rate", "hourly_price", "input", "output", "energy_price", "space_per_kw_month", "price",
                              "maintenance_rate", "salary_per_year", "network_per_month", "engineer_weeks", "upfront"}, fields)

    def test_a_price_doubled_in_the_sheet_is_the_scenario_at_twice_the_price(self):
        path = HERE.parents[1] / "examples/serving_70b/cloud_on_demand.json"
        scenario = json.loads(path.read_text(encoding="utf-8"))
        moved = self.check_moves(opened(scenario), scenario, evaluate(scenario), path.name, 2.0)
        self.assertIn("/pools/0/offer/hourly_price", moved)
        self.assertLessEqual({"npv_after_tax", "cost of 1", "cost per million units of 1"}, self.followed)

    def test_a_tax_on_rented_machines_is_a_formula(self):
        path = HERE.parents[1] / "examples/serving_70b/cloud_on_demand.json"
        scenario = json.loads(path.read_text(encoding="utf-8"))
        scenario["finance"] = scenario.get("finance", {}) | {"tax_rate": 0.25}
        result, book = evaluate(scenario), opened(scenario)
        self.check_figures(book, result, path.name)
        self.assertLess(result["total"]["npv_after_tax"], 0.8 * result["total"]["npv"])
        self.assertIn((book.find("Result", "npv_after_tax"), 2), book.formulas["Result"])
        self.assertIn("/pools/0/offer/hourly_price", self.check_moves(book, scenario, result, path.name, 1.5))


class Random(Case):
    def test_random_scenarios_have_their_figures_and_move_as_the_model_does(self):
        with_money = set()
        for number in range(12):
            scenario = json.loads(json.dumps(random_work.scenario(SEED, number)))  # what pools share is said by each
            result = evaluate(scenario)
            if result is None:
                continue
            book = opened(scenario)
            self.check_figures(book, result, f"seed {SEED}, number {number}")
            for by in FACTORS:
                self.check_moves(book, scenario, result, f"seed {SEED}, number {number}, times {by}", by)
            with_money |= {name for name, part in result["by_category"].items() if part["cost"]}
        self.assertGreater(len(with_money), 8)


RENTED = {"start": "2027-01", "months": 12, "currency": "USD",
          "workloads": [{"id": "r", "kind": "inference", "unit": "request", "units_per_request": 1, "demand": {"mean_per_s": 60},
                         "runs_on": [{"pool": "p", "performance": {"devices": 8, "units_per_s": 100}}]}],
          "pools": [{"id": "p", "kind": "cloud", "min_instances": 2, "max_instances": 2,
                     "offer": {"provider": "aws", "device": {"id": "d", "kind": "gpu", "tdp_w": 700}, "devices": 8,
                               "purchase": "on_demand", "hourly_price": 40}}]}
PRICE = "/pools/0/offer/hourly_price"


class Steps(Case):
    """Prices that terms which are no formula depend on, beyond some value of them."""

    def answer_in(self, scenario, pointer):
        return next(row[3] for row in opened(scenario).rows("Inputs")[1:] if row[4] == pointer)

    def test_a_price_without_steps_is_live(self):
        self.assertEqual(self.answer_in(RENTED, PRICE), "yes")

    def test_a_price_that_a_savings_plan_takes_over_is_fixed(self):
        discounts = [{"provider": "aws", "fraction": 0.3}]
        scenario = RENTED | {"spend_commitments": [{"name": "sp", "hourly_spend": 50, "discounts": discounts}]}
        self.assertEqual(self.answer_in(scenario, PRICE), "no: holds from 37.2 to 400 alone; ask again")

    def test_a_price_that_leaves_the_minimum_of_support_is_fixed(self):
        brackets = [{"fraction": 0.1}, {"above": 50000, "fraction": 0.05}]
        scenario = RENTED | {"support_plans": [{"name": "s", "minimum_per_month": 10000, "brackets": brackets}]}
        self.assertRegex(self.answer_in(scenario, PRICE), r"^no: holds from 0 to [0-9.]+ alone; ask again$")

    def test_what_is_not_live_is_locked_and_what_was_not_tried_is_warned_of(self):
        with zipfile.ZipFile(io.BytesIO(evaluate(RENTED, "xlsx"))) as archive:
            inputs = archive.read("xl/worksheets/sheet2.xml").decode()
        self.assertIn("<sheetProtection", inputs)
        ranges = re.findall(r"<formula1>(.*?)</formula1><formula2>(.*?)</formula2>", inputs)
        self.assertEqual(len(ranges), sum(row[3] == "yes" for row in opened(RENTED).rows("Inputs")[1:]))
        self.assertIn(("0", "400"), ranges)

    def test_costs_at_a_month_s_start_and_end_are_moved_apart(self):
        extra = [{"name": name, "category": "network", name: amount} for name, amount in (("once", 100000), ("per_month", 5000))]
        scenario = RENTED | {"finance": {"discount_rate": 0.1}}
        scenario["pools"] = [scenario["pools"][0] | {"extra_costs": extra}]
        result, book = evaluate(scenario), opened(scenario)
        self.check_figures(book, result, "extra costs")
        for by in FACTORS:
            moved = self.check_moves(book, scenario, result, f"times {by}", by)
            self.assertLessEqual({f"/pools/0/extra_costs/{i}" for i in ("0/once", "1/per_month")}, set(moved))


class Files(Case):
    scenario = json.loads((HERE.parents[1] / "examples/serving_70b/hosted_api.json").read_text(encoding="utf-8"))

    def test_the_same_answer_has_the_same_bytes_at_any_time_of_any_zone(self):
        first = evaluate(self.scenario, "xlsx", TZ="UTC")
        self.assertEqual(first, evaluate(self.scenario, "xlsx", TZ="Pacific/Auckland", LC_ALL="C"))
        self.assertEqual(first[:4], b"PK\x03\x04")

    def test_no_text_is_a_formula(self):
        for name in ("=cmd|' /C calc'!A0", "+1+1", "@SUM(1)", "-2", "{=1}", "_x003D_1", "<&>\"'", "a\tb", "\u202e\U0001F4A9"):
            book = opened(self.scenario | {"name": name})
            self.assertEqual(book.values["Result"][1, 1], name.replace("\t", "\ufffd"))
            self.assertNotIn((1, 1), book.formulas["Result"])
            self.check_figures(book, evaluate(self.scenario), name)

    def test_money_of_another_currency_names_what_its_field_states(self):
        offer = {"provider": "p", "purchase": "on_demand", "device": {"id": "d", "kind": "gpu", "tdp_w": 500}, "devices": 1,
                 "hourly_price": 2, "currency": "USD", "storage_per_gb_month": 0.1}
        scenario = {"start": "2026-12", "months": 2, "currency": "EUR", "exchange_rates": {"USD": 0.9}, "workloads": [
            {"id": "w", "kind": "inference", "unit": "token", "demand": {"mean_per_s": 1}, "units_per_request": {"output": 10},
             "runs_on": [{"pool": "c", "performance": {"units_per_s": 1000}}]}],
            "pools": [{"id": "c", "kind": "cloud", "offer": offer, "min_instances": 1, "max_instances": 1}]}
        book = opened(scenario)
        rows = {row[4]: row for row in book.rows("Inputs")}
        price = rows["/pools/0/offer/hourly_price"]
        self.assertEqual((price[1], price[2]), (1.8, "EUR/instance-hour"))
        self.assertAlmostEqual(price[8], 2.0)
        self.assertEqual(price[9], "USD/instance-hour")
        self.assertEqual([row[4] for row in rows.values() if 9 in row and row[9] != "unit there"], ["/pools/0/offer/hourly_price"])

    def test_names_are_those_that_spreadsheets_take(self):
        for path in EXAMPLES[::5]:
            for name in opened(json.loads(path.read_text(encoding="utf-8"))).names:
                self.assertRegex(name, r"^[a-z_][a-z0-9_]{3,254}$")
                self.assertNotRegex(name, r"^([a-z]{1,3}[0-9]+|r[0-9]*c[0-9]*)$")

    def test_a_file_that_can_not_be_written_is_named(self):
        path = str(EXAMPLES[0])
        run = subprocess.run([COSTCURVE, "evaluate", "--output", "/nowhere/a.xlsx", path], capture_output=True, check=False)
        self.assertEqual((run.returncode, run.stdout), (2, b""))
        run = subprocess.run([COSTCURVE, "evaluate", "--format", "xlsx", "--output", "/nowhere/a.xlsx", path], capture_output=True,
                             check=False)
        self.assertEqual(run.returncode, 1)
        self.assertIn(b"/nowhere/a.xlsx: can't be written", run.stderr)

    @unittest.skipUnless(shutil.which("soffice"), "LibreOffice is not installed")
    def test_libreoffice_computes_the_same(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "a.xlsx")
            file.write_bytes(evaluate(self.scenario, "xlsx"))
            subprocess.run(["soffice", "--headless", "--convert-to", "xlsx:Calc MS Excel 2007 XML", "--outdir", f"{folder}/out",
                            str(file)], check=True, capture_output=True, timeout=300)
            ours, theirs = workbook.Workbook(file), workbook.Workbook(f"{folder}/out/a.xlsx")
            for sheet in ours.order:
                for at in ours.formulas[sheet]:
                    self.assertAlmostEqual(theirs.values[sheet][at], ours.values[sheet][at],
                                           delta=SAME * max(1.0, abs(ours.values[sheet][at])))


class Decisions(Case):
    """Several scenarios: a sheet that compares them, and one of each."""

    NAMES = ("owned", "cloud_on_demand", "hosted_api", "hybrid")
    PLANS = [HERE.parents[1] / "examples/serving_70b" / f"{name}.json" for name in NAMES]

    def compared(self, scenarios):
        with tempfile.TemporaryDirectory() as folder:
            files = [pathlib.Path(folder, f"{i}.json") for i in range(len(scenarios))]
            for file, scenario in zip(files, scenarios, strict=True):
                file.write_text(json.dumps(scenario), encoding="utf-8")
            run = subprocess.run([COSTCURVE, "evaluate", "--format", "xlsx", "--output", f"{folder}/a.xlsx", *map(str, files)],
                                 capture_output=True, check=False)
            self.assertEqual(run.returncode, 0, run.stderr)
            return workbook.Workbook(f"{folder}/a.xlsx")

    def check_decision(self, book, results):
        """Each formula has its stored value, and the figures of the answers and their differences stand where they belong."""
        sizes = [max(size_of(result), 1e-9) for result in results]
        for sheet in book.order:
            for at in book.formulas[sheet]:
                stored = book.values[sheet][at]
                self.assertLessEqual(abs(stored - book.get(sheet, at)), SAME * max(abs(stored), 1e-3 * max(sizes)), f"{sheet} {at}")
        self.check_totals(book, results, sizes)
        heads = {name: book.find("Comparison", name) for name in ("cost by category", "cost per million units", "about")}
        for number, result in enumerate(results):
            column = 3 + number
            for name, part in result["by_category"].items():
                if part["cost"]:
                    self.assertAlmostEqual(book.get("Comparison", (book.find("Comparison", name), column)), part["cost"],
                                           delta=SAME * sizes[number])
            for name, workload in result["by_workload"].items():
                row = next(row for row in range(heads["cost per million units"] + 1, heads["about"])
                           if book.values["Comparison"].get((row, 1)) == name)
                self.assertAlmostEqual(book.get("Comparison", (row, column)), workload["cost_per_million_units"], delta=1e-9)
            for row, month in zip(book.rows(f"Plan{number + 1}")[1:], result["by_month"], strict=True):
                self.assertAlmostEqual(row[3], month["cost"], delta=SAME * sizes[number])
                self.assertAlmostEqual(row[4], month["cash"], delta=SAME * sizes[number])

    def check_totals(self, book, results, sizes):
        for name in ("cost", "cash", "npv", "npv_after_tax", "equivalent_annual_cost"):
            row = book.find("Comparison", name)
            for number, result in enumerate(results):
                wanted, first = result["total"][name], results[0]["total"][name]
                self.assertAlmostEqual(book.get("Comparison", (row, 3 + number)), wanted, delta=SAME * sizes[number], msg=name)
                if number:
                    self.assertAlmostEqual(book.get("Comparison", (row, 3 + len(results) + number)), wanted - first,
                                           delta=SAME * (sizes[0] + sizes[number]), msg=name)

    def test_plans_beside_each_other_have_the_figures_of_their_answers(self):
        scenarios = [json.loads(path.read_text(encoding="utf-8")) for path in self.PLANS]
        for tax in (0.0, 0.3):
            taxed = [scenario | {"finance": scenario.get("finance", {}) | {"tax_rate": tax}} for scenario in scenarios]
            book = self.compared(taxed)
            self.assertEqual(book.order, ["Comparison", "Plan1", "Plan2", "Plan3", "Plan4"])
            self.check_decision(book, [evaluate(scenario) for scenario in taxed])

    def test_changed_rates_move_the_totals_as_the_model_does(self):
        scenarios = [json.loads(path.read_text(encoding="utf-8")) for path in self.PLANS]
        rates = {"discount_rate": 0.17, "tax_rate": 0.21}
        book = self.compared([scenario | {"finance": scenario.get("finance", {}) | {"tax_rate": 0.3}} for scenario in scenarios])
        for name, value in rates.items():
            for number in range(len(scenarios)):
                at = book.find("Comparison", name), 3 + number
                self.assertNotIn(at, book.formulas["Comparison"])
                book.values["Comparison"][at] = value
        book.done = {}
        results = [evaluate(scenario | {"finance": scenario.get("finance", {}) | rates}) for scenario in scenarios]
        self.check_totals(book, results, [size_of(result) for result in results])

    def test_an_amount_of_a_month_moves_what_is_summed_from_it(self):
        book = self.compared([json.loads(path.read_text(encoding="utf-8")) for path in self.PLANS[:2]])
        before = [book.get("Comparison", (book.find("Comparison", name), 3)) for name in ("cost", "energy")]
        column = next(at for at in range(1, 99) if book.values["Plan1"][1, at] == "cost: energy")
        book.values["Plan1"][2, column] += 1000.0
        book.done = {}
        after = [book.get("Comparison", (book.find("Comparison", name), 3)) for name in ("cost", "energy")]
        self.assertEqual([round(new - old, 6) for new, old in zip(after, before, strict=True)], [1000, 1000])

    def test_plans_of_several_currencies_are_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            files = [pathlib.Path(folder, f"{currency}.json") for currency in ("USD", "EUR")]
            for file in files:
                scenario = json.loads(self.PLANS[0].read_text(encoding="utf-8"))
                file.write_text(json.dumps(scenario | {"currency": file.stem, "exchange_rates": {"EUR": 1.1, "USD": 0.9}}),
                                encoding="utf-8")
            run = subprocess.run([COSTCURVE, "evaluate", "--format", "xlsx", *map(str, files)], capture_output=True, check=False)
            self.assertEqual(run.returncode, 2, run.stderr)


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if "--seed" in arguments:
        at = arguments.index("--seed")
        SEED = int(arguments[at + 1])
        del arguments[at:at + 2]
    COSTCURVE = os.path.abspath(arguments.pop(0))
    unittest.main(argv=[sys.argv[0], *arguments])
