#!/usr/bin/env python3
"""Policies of runs on spot against published traces: the evaluation of a scenario that states a zone's availability and
interruptions is near the mean of runs that spot_simulator.py makes on the trace itself."""
from __future__ import annotations

import math
import unittest

from spot_simulator import Outcome, Policy, Work, figures, load, mean_outcome
from test_evaluate import ReferenceCase, cloud, run, training

STEP_H, TRACES = load()
WRITE_S, RESTART_S = 60, 900
SPOT, ON_DEMAND = 1, 3  # prices of an hour; p3.2xlarge was 3.06 on demand and about 0.92 as spot
STARTS = 24


def interval_h(per_hour: float) -> float:
    """Daly's optimum (FGCS 22, 2006, eq. 37)."""
    write, mean = WRITE_S / 3600, 1 / per_hour
    return math.sqrt(2 * write * mean) * (1 + math.sqrt(write / (2 * mean)) / 3 + write / (2 * mean) / 9) - write


def simulated(zones: list[str], hours: float, fall_back_h: float = math.inf, meanwhile: bool = False) -> Outcome:
    per_hour = figures(TRACES[zones[0]], STEP_H)["interruptions_per_hour"]
    work = Work(hours, WRITE_S / 3600, RESTART_S / 3600, interval_h(per_hour))
    return mean_outcome(Policy(zones, fall_back_h, meanwhile), work, TRACES, STEP_H, STARTS)


def evaluated(zones: list[str], hours: float, fall_back_h: float = math.inf, meanwhile: bool = False) -> Outcome:
    pools = [cloud({"devices": 1, "hourly_price": SPOT, "purchase": "spot"} | figures(TRACES[zone], STEP_H), id=zone)
             for zone in zones]
    if meanwhile or fall_back_h < math.inf:
        pools.append(cloud({"devices": 1, "hourly_price": ON_DEMAND}, id="on_demand"))
    work = training(zones[0], hours, epochs=1, checkpoint={"write_s": WRITE_S, "restart_s": RESTART_S})
    work.pop("epochs_per_month")
    work["runs_on"] = [work["runs_on"][0] | {"pool": pool["id"]} for pool in pools]
    if fall_back_h < math.inf:
        work["fall_back_after_days"] = fall_back_h / 24
    result = run([work], pools, months=3)
    held = {pool: mine["reserved_device_hours"] for pool, mine in result["by_pool"].items()}
    return Outcome(sum(held[zone] for zone in zones), held.get("on_demand", 0.0), result["by_workload"]["train"]["days"] * 24)


def cost(outcome: Outcome) -> float:
    return SPOT * outcome.spot_h + ON_DEMAND * outcome.on_demand_h


class Policies(ReferenceCase):
    def near(self, zones: list[str], hours: float, of_cost: float, of_days: float, **policy) -> None:
        drawn, mean = simulated(zones, hours, **policy), evaluated(zones, hours, **policy)
        with self.subTest(zones=zones, hours=hours, **policy):
            self.assertLess(abs(cost(mean) / cost(drawn) - 1), of_cost)
            self.assertLess(abs(mean.end_h / drawn.end_h - 1), of_days)

    def test_waiting_is_within_a_tenth(self):
        for zone in TRACES:
            self.near([zone], 120, of_cost=0.05, of_days=0.05)

    def test_falling_back_is_within_a_tenth(self):
        """Of 120 hours most are left after 60; of 48 on a good zone those of the unlucky alone, whom the mean leaves out."""
        for zone in TRACES:
            self.near([zone], 120, of_cost=0.1, of_days=0.1, fall_back_h=60)
            self.near([zone], 48, of_cost=0.1, of_days=0.1, fall_back_h=60)

    def test_on_demand_meanwhile_is_within_a_tenth(self):
        for zone in TRACES:
            self.near([zone], 120, of_cost=0.1, of_days=0.1, meanwhile=True)

    def test_two_zones_are_within_a_fifth(self):
        """They are gone together more often than by themselves: of all pairs tried these are the worst."""
        self.near(["us-east-1f", "us-east-1c"], 120, of_cost=0.05, of_days=0.2)
        self.near(["us-east-1f", "us-east-1c"], 120, of_cost=0.2, of_days=0.1, meanwhile=True)
        self.near(["us-west-2a", "us-west-2b"], 120, of_cost=0.05, of_days=0.05)


if __name__ == "__main__":
    unittest.main()
