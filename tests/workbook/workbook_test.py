"""A result as an Excel workbook: every formula, computed again from its inputs, has the answer's figures, and moves as the model.

usage: python3 tests/workbook/workbook_test.py COSTCURVE [--seed N] [unittest options]
Where LibreOffice is installed it computes the workbooks too.
"""

import copy
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

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
            book.set(row[0], base)
            done.append(row[4])
        return done


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

    def test_names_are_those_that_spreadsheets_take(self):
        for path in EXAMPLES[::5]:
            for name in opened(json.loads(path.read_text(encoding="utf-8"))).names:
                self.assertRegex(name, r"^[a-z_][a-z0-9_]{3,254}$")
                self.assertNotRegex(name, r"^([a-z]{1,3}[0-9]+|r[0-9]*c[0-9]*)$")

    def test_a_sheet_is_of_one_scenario(self):
        path = str(EXAMPLES[0])
        run = subprocess.run([COSTCURVE, "evaluate", "--format", "xlsx", path, path], capture_output=True, check=False)
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


if __name__ == "__main__":
    arguments = sys.argv[1:]
    if "--seed" in arguments:
        at = arguments.index("--seed")
        SEED = int(arguments[at + 1])
        del arguments[at:at + 2]
    COSTCURVE = os.path.abspath(arguments.pop(0))
    unittest.main(argv=[sys.argv[0], *arguments])
