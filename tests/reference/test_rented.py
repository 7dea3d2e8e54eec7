#!/usr/bin/env python3
"""Days, tiers, storage and support, worked by hand."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from evaluate import evaluate  # noqa: E402
from rented import in_tiers  # noqa: E402

DEVICE = {"kind": "gpu", "tdp_w": 500}


def rented(offer: dict, **pool) -> dict:
    """January 2026 at 1 unit/s on one instance with one device."""
    offer = {"provider": "example", "device": DEVICE, "devices": 1, **offer}
    return {"start": "2026-01", "months": 1,
            "workloads": [{"id": "w", "kind": "inference", "demand": {"mean_per_s": 1},
                           "runs_on": [{"pool": "p", "performance": {"units_per_s": 1}}]}],
            "pools": [{"id": "p", "kind": "cloud", "offer": offer, "min_instances": 1, "max_instances": 1, **pool}]}


class Rented(unittest.TestCase):
    def test_a_block_serves_in_its_days_and_is_paid_ahead(self):
        block = {"purchase": "block", "term_days": 14, "hourly_price": 0, "upfront": 100}
        result = evaluate(rented(block, from_day=10))
        self.assertAlmostEqual(result["by_workload"]["w"]["units_served"], 14 * 86400)
        self.assertAlmostEqual(result["total"]["cost"], 100)
        self.assertAlmostEqual(evaluate(rented(block, from_day=25))["total"]["cost"], 100)

    def test_a_block_begins_at_its_hour(self):
        block = {"purchase": "block", "term_days": 1, "hourly_price": 0, "upfront": 100, "begins_at_utc_hour": 11.5}
        result = evaluate(rented(block, from_day=31))
        self.assertAlmostEqual(result["by_workload"]["w"]["units_served"], 12 * 3600)
        self.assertAlmostEqual(result["total"]["cost"], 100)

    def test_what_is_left_of_a_term_is_sold_up_to_a_limit(self):
        """Azure's example: 3 years at 100 a month, refunded after 12 months; and 450 for 3 months of which 1 is used."""
        offer = {"purchase": "reserved", "term_months": 36, "hourly_price": 0, "upfront": 3600, "resale": {"price_fraction": 1}}
        for more, sold in (({}, 2400), ({"fee_fraction": 0.12}, 2112), ({"sales_limit": 600}, 600)):
            scenario = rented({**offer, "resale": {"price_fraction": 1, **more}})
            scenario["months"] = 12
            total = evaluate(scenario)["total"]
            self.assertAlmostEqual(total["terminal"]["commitments_sold"], sold)
            self.assertAlmostEqual(total["cost"], 3600 - sold)
        offer |= {"term_months": 3, "hourly_price": 2, "upfront": 450, "resale": {"price_fraction": 1, "sales_limit": 1566}}
        total = evaluate(rented(offer))["total"]  # 300 of price and 2832 of payments left, half of both
        self.assertAlmostEqual(total["terminal"]["obligations"], 1416)
        self.assertAlmostEqual(total["cost"], 450 + 2 * 744 - 150 + 1416)

    def test_weeks_follow_each_other_and_the_last_is_owed(self):
        result = evaluate(rented({"purchase": "reserved", "term_days": 7, "hourly_price": 2}))
        self.assertAlmostEqual(result["total"]["cost"], 2 * 24 * 35)

    def test_tiers_are_marginal(self):
        for volume, cost in ((0, 0), (50, 0), (100, 0), (5120, 5020 * 0.09)):
            self.assertAlmostEqual(in_tiers(volume, [(0, 0), (100, 0.09)], 0.09), cost)
        self.assertAlmostEqual(in_tiers(1500, [(1000, 0.5)], 1.0), 1250)

    def test_hours_owed_are_in_tiers(self):
        """February's 672 and March's 744, of which 500 each are at the list price."""
        offer = {"purchase": "reserved", "term_months": 3, "hourly_price": 1, "volume_tiers": [{"above": 500, "price_factor": 0.5}]}
        self.assertAlmostEqual(evaluate(rented(offer))["total"]["terminal"]["obligations"], 1000 + 0.5 * (172 + 244))

    def test_an_upfront_has_the_rate_of_its_month(self):
        """Two terms of a year in 18 months, and half of the second comes back."""
        offer = {"purchase": "reserved", "term_months": 12, "hourly_price": 0, "upfront": 100, "currency": "EUR"}
        rates = {"kind": "index", "axis": "date", "points": [["2026-01-01", 1.1], ["2027-01-01", 1.2]]}
        scenario = rented(offer) | {"months": 18, "finance": {"at_end": "continue"}}
        scenario["exchange_forwards"] = [{"currency": "EUR", "rates": rates}]
        self.assertAlmostEqual(evaluate(scenario)["total"]["cash"], 110 + 120 - 60)

    def test_support_is_of_the_bill(self):
        scenario = rented({"purchase": "on_demand", "hourly_price": 85000 / 744})
        brackets = [{"above": 0, "fraction": 0.1}, {"above": 10000, "fraction": 0.07}, {"above": 80000, "fraction": 0.05}]
        scenario["support_plans"] = [{"name": "business", "minimum_per_month": 100, "brackets": brackets}]
        self.assertAlmostEqual(evaluate(scenario)["total"]["cost"], 85000 + 6150)


if __name__ == "__main__":
    unittest.main()
