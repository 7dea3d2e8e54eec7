"""The second evaluator against tests/golden/utility_bills.json; ownership by hand: pay at order, spares, investment credit."""
from __future__ import annotations

import json
import pathlib
import unittest

from test_evaluate import line, run
from test_published import QUIET, steps

BILLS = pathlib.Path(__file__).parents[1] / "golden/utility_bills.json"
DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)  # 2027


def bill_of(case: dict) -> float:
    """As utility_bills_test.cpp has it: the largest kW in the month's first hour, the rest level."""
    month, kw = case["month"] - 1, case["kw"]
    first, hours = 24 * sum(DAYS[:month]), 24 * DAYS[month]
    base = (case["kwh"] - kw) / (hours - 1) if "kwh" in case else kw
    points = [[0, case.get("kw_before", 0)]] if month else []
    points += [[first, kw], [first + 1, base]]
    device = {"kind": "gpu"} | line(0, 10000)
    pool = {"id": "own", "kind": "owned", "server": {"device": device, "devices": 1, "price": 0, "life_months": 60},
            "site": QUIET | case["site"] | {"id": "here"}, "purchases": [{"month": 0, "servers": 2000}]}
    work = {"id": "load", "kind": "inference", "runs_on": [{"pool": "own", "performance": {"units_per_s": 1}}],
            "demand": {"mean_per_s": 0.1, "shape": steps("hour_of_year", points)}}
    before = 1 if "kw_before" in case else 0
    result = run([work], [pool], months=1 + before, start=f"2027-{month + 1 - before:02d}")
    return result["by_site"]["here"]["bill_by_month"][-1]


class Bills(unittest.TestCase):
    def test_published_bills_to_the_cent(self):
        for case in json.loads(BILLS.read_text(encoding="utf-8"))["cases"]:
            with self.subTest(case["id"]):
                self.assertAlmostEqual(bill_of(case), case["bill"], delta=0.00501)


class Ownership(unittest.TestCase):
    def bought(self, finance: dict | None = None, server: dict | None = None, **purchase) -> dict:
        """Two servers of 1,000, written off in 60 months, in a year's horizon."""
        server = {"device": {"kind": "gpu", "tdp_w": 1000}, "devices": 1, "price": 1000, "life_months": 60} | (server or {})
        pool = {"id": "own", "kind": "owned", "server": server, "site": QUIET, "purchases": [{"servers": 2, **purchase}]}
        work = {"id": "w", "kind": "inference", "demand": {"mean_per_s": 0},
                "runs_on": [{"pool": "own", "performance": {"units_per_s": 1}}]}
        return run([work], [pool], months=12, finance={"at_end": "exit"} | (finance or {}))

    def test_a_part_is_paid_at_the_order(self):
        months = self.bought(month=6, lead_months=4, paid_at_order_fraction=0.3)["by_month"]
        self.assertEqual([m for m, row in enumerate(months) if row["cash"] > 0], [2, 6])
        self.assertAlmostEqual(months[2]["cash"], 600)
        self.assertAlmostEqual(months[6]["cash"], 1400)

    def test_an_order_before_the_start_is_paid_at_it(self):
        months = self.bought(month=3, lead_months=9, paid_at_order_fraction=1)["by_month"]
        self.assertAlmostEqual(months[0]["cash"], 2000)

    def test_spares_are_bought_with_the_servers(self):
        self.assertAlmostEqual(self.bought(month=0, server={"spares_fraction": 0.1})["by_month"][0]["cash"], 2200)

    def test_the_credit_takes_half_of_itself_off_the_basis(self):
        """Tax a fifth, credit 30 % of 2,000 = 600; sold after a year at 1,600: four fifths, 480, are given back, with 240 in the
        basis. Written off: 1,700 × 12/60 = 340, and 1,360 + 240 − 1,600 at the sale. So tax is 0.2 × 340 + 600 − 480 less."""
        finance = {"tax_rate": 0.2, "tax_depreciation": "straight_line"}
        without = self.bought(finance, month=0)["total"]["npv_after_tax"]
        result = self.bought(finance | {"investment_credit_fraction": 0.3}, month=0)["total"]["npv_after_tax"]
        self.assertAlmostEqual(without, 400 - 0.2 * 400)
        self.assertAlmostEqual(result, 400 - 0.2 * 340 - 120)


if __name__ == "__main__":
    unittest.main()
