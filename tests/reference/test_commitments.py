#!/usr/bin/env python3
"""Commitments in the second evaluator: AWS's page on savings plans to the cent, and units of throughput worked by hand."""
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from commitments import served_by_unit  # noqa: E402
from evaluate import evaluate  # noqa: E402

HOURS = 744  # of January 2026
DAY_AND_NIGHT = {"kind": "demand", "axis": "hour_of_day", "interpolation": "step", "points": [[0, 0.5], [12, 1.5]]}
# https://docs.aws.amazon.com/savingsplans/latest/userguide/sp-applying.html: what runs in an hour, at prices on demand.
USAGE = {"r5.4xlarge": (1.00, 4), "fargate-vcpu": (0.04, 400), "fargate-gb": (0.004, 1600), "m5.24xlarge": (10.00, 1),
         "lambda-duration": (22.50, 1), "lambda-requests": (0.20, 1)}
COMPUTE = [{"family": "r5", "fraction": 0.30}, {"family": "fargate", "fraction": 0.25}, {"family": "m5", "fraction": 0.18},
           {"family": "lambda-duration", "fraction": 0.15}, {"family": "lambda-requests", "fraction": 0}]


def an_hour(plans):
    """What such an hour costs."""
    pools = [{"id": sku.replace(".", "-"), "kind": "cloud", "min_instances": n, "max_instances": n,
              "offer": {"provider": "aws", "region": "us-east-1", "sku": sku, "device": {"kind": "cpu", "tdp_w": 1}, "devices": 1,
                        "purchase": "on_demand", "hourly_price": price}} for sku, (price, n) in USAGE.items()]
    work = {"id": "none", "kind": "inference", "demand": {"mean_per_s": 0},
            "runs_on": [{"pool": "r5-4xlarge", "performance": {"devices": 1, "units_per_s": 1}}]}
    return evaluate({"start": "2026-01", "months": 1, "workloads": [work], "pools": pools, "spend_commitments": [
        {"name": "plan", "term_months": 1, **plan} for plan in plans]})["total"]["cost"] / HOURS


class SavingsPlans(unittest.TestCase):
    def test_scenarios_of_the_page(self):
        rows = [([], 59.10), ([{"hourly_spend": 50, "discounts": COMPUTE}], 50.00),
                ([{"hourly_spend": 2, "discounts": COMPUTE}], 2 + 4 - 2 / 0.7 + 55.10),
                ([{"hourly_spend": 19.60, "discounts": COMPUTE}], 19.60 + 32.70),
                ([{"hourly_spend": 3, "discounts": [{"family": "r5", "region": "us-east-1", "fraction": 0.4}]},
                  {"hourly_spend": 16.80, "discounts": COMPUTE}], 3 + 16.80 + 32.70)]
        for plans, cost in rows:
            self.assertAlmostEqual(cost, an_hour(plans), places=6)


class Units(unittest.TestCase):
    """Requests of 1,000 in and 250 out at 4 input tokens an output token: 1.5 a minute of 3,000 input tokens."""
    endpoint = {"id": "azure.gpt-4.1", "provider": "azure", "model": "gpt-4.1",
                "price_per_million_units": {"input": 2, "output": 8},
                "provisioned": {"price_per_unit_hour": 1, "minimum_units": 15, "unit_step": 5,
                                "tokens_per_minute": {"input": 3000, "output": 750}}}

    def test_a_unit_serves_tokens_one_class_after_the_other(self):
        work = {"units_per_request": {"input": 1000, "output": 250}}
        self.assertAlmostEqual(1250 * 1.5 / 60, served_by_unit(self.endpoint, work))

    def test_what_overflows_by_day_is_paid_by_the_token(self):
        work = {"id": "chat", "kind": "inference", "unit": "token", "units_per_request": {"input": 1000, "output": 250},
                "demand": {"mean_per_s": 0.4, "shape": DAY_AND_NIGHT}, "runs_on": [{"pool": "units"}, {"pool": "tokens"}]}
        pools = [{"id": "units", "kind": "api", "endpoint": self.endpoint, "provisioned_units": 15},
                 {"id": "tokens", "kind": "api", "endpoint": self.endpoint}]
        result = evaluate({"start": "2026-01", "months": 1, "workloads": [work], "pools": pools})
        self.assertAlmostEqual(15 * HOURS, result["by_category"]["compute"]["cost"])
        self.assertAlmostEqual(372 * 3600 * (0.6 - 0.375) * 0.004, result["by_category"]["usage"]["cost"])


if __name__ == "__main__":
    unittest.main()
