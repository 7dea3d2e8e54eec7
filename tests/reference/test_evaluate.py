#!/usr/bin/env python3
"""Checks of the second evaluator against figures worked by hand, so that it can be trusted by itself."""
from __future__ import annotations

import copy
import json
import math
import os
import sys
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import curves  # noqa: E402
import evaluate as reference  # noqa: E402
import outages  # noqa: E402
import performance  # noqa: E402
import random_scenarios  # noqa: E402


def line(idle_w: float, tdp_w: float) -> dict:
    """What a device draws in a line, for sums by hand."""
    points = [[0, idle_w], [1, tdp_w]]
    return {"idle_w": idle_w, "tdp_w": tdp_w, "power": {"kind": "power", "axis": "throughput_share", "points": points}}


DEVICE = {"kind": "gpu"} | line(100, 700)
SERVER = {"device": DEVICE, "devices": 8, "price": 0, "life_months": 12,
          "host_idle_w": 200, "host_max_w": 400}
SITE = {"energy_price": 0.1, "pue": 1.25, "demand_charge_per_kw_month": 10}


def owned(**changes) -> dict:
    """A pool of one server of eight devices; `server` and `site` add to those above."""
    pool = {"id": "own", "kind": "owned", "server": SERVER | changes.pop("server", {}),
            "site": SITE | changes.pop("site", {}), "purchases": [{"month": 0, "servers": 1}]}
    return pool | changes


def cloud(offer: dict, **changes) -> dict:
    base = {"provider": "example", "device": DEVICE, "devices": 8, "purchase": "on_demand", "hourly_price": 0}
    return {"id": "rent", "kind": "cloud", "offer": base | offer, "max_instances": 1} | changes


def inference(pool: str, per_s: float, **changes) -> dict:
    """Replicas of one device, 10 units/s each."""
    runs_on = [{"pool": pool, "performance": {"units_per_s": 10}}]
    return {"id": "serve", "kind": "inference", "runs_on": runs_on, "demand": {"mean_per_s": per_s}} | changes


def training(pool: str, gang_hours: float, devices: int = 1, **changes) -> dict:
    """Gangs of 10 units/s; `gang_hours` of work a month."""
    runs_on = [{"pool": pool, "performance": {"devices": devices, "units_per_s": 10}}]
    return {"id": "train", "kind": "training", "runs_on": runs_on, "epochs_per_month": 1,
            "units_per_epoch": gang_hours * 36000} | changes


def run(workloads: list, pools: list, months: int = 1, start: str = "2026-01", **changes) -> dict:
    scenario = {"start": start, "months": months, "workloads": workloads, "pools": pools} | changes
    return reference.evaluate(copy.deepcopy(scenario), ledger=True)


def category(result: dict, name: str) -> tuple:
    amounts = result["by_category"].get(name, {"cost": 0, "cash": 0})
    return amounts["cost"], amounts["cash"]


def cash_by_month(result: dict, name: str) -> list:
    return [month["by_category"].get(name, {"cash": 0})["cash"] for month in result["by_month"]]


class ReferenceCase(unittest.TestCase):
    def close(self, actual, expected, tolerance: float = 1e-9) -> None:
        if isinstance(expected, (list, tuple)):
            self.assertEqual(len(actual), len(expected))
            for a, e in zip(actual, expected):
                self.close(a, e, tolerance)
        else:
            near = math.isclose(actual, expected, rel_tol=tolerance, abs_tol=1e-9)
            self.assertTrue(near, (actual, expected))


class Time(ReferenceCase):
    def hours(self, zone: str, start: str) -> int:
        return len(curves.Calendar(start, 1, zone).hours[0])

    def test_months_have_their_real_hours(self):
        for zone, start, hours in (
                ("UTC", "2028-02", 696), ("UTC", "2100-02", 672), ("Europe/Berlin", "2026-02", 672),
                ("Europe/Berlin", "2026-03", 743), ("Europe/Berlin", "2026-10", 745),
                ("Europe/Berlin", "2040-03", 743), ("Europe/Berlin", "2040-10", 745),
                ("Asia/Kolkata", "2026-03", 744), ("Pacific/Apia", "2011-12", 720),
                # 720.5 and 743.5 hours: the last one starts in the month
                ("Australia/Lord_Howe", "2026-04", 721), ("Australia/Lord_Howe", "2026-10", 744),
                # two midnights on the first of November: the first counts
                ("America/Havana", "2026-10", 744), ("America/Havana", "2026-11", 721)):
            self.assertEqual(self.hours(zone, start), hours, (zone, start))

    def test_local_hours_are_whole_and_the_29th_reads_as_the_28th(self):
        names = curves.Calendar("2028-02", 1, "UTC").local("Asia/Kolkata", 0)
        self.assertEqual(names["hour_of_day"][:2], [5, 6])  # 05:30 reads 5
        self.assertEqual(names["hour_of_week"][0], 24 + 5)  # 1 February 2028 is a Tuesday
        utc = curves.Calendar("2028-02", 2, "UTC")
        self.assertEqual(utc.local("UTC", 0)["hour_of_year"][27 * 24], (31 + 27) * 24)
        self.assertEqual(utc.local("UTC", 0)["hour_of_year"][28 * 24], (31 + 27) * 24)
        self.assertEqual(utc.local("UTC", 1)["hour_of_year"][0], (31 + 28) * 24)

    def test_a_repeated_local_hour_is_read_twice(self):
        names = curves.Calendar("2026-10", 1, "UTC").local("Europe/Berlin", 0)["hour_of_day"]
        day = [h for h in names[24 * 24 - 2:25 * 24 - 1]]  # Sunday the 25th, 00:00 local and on
        self.assertEqual(day[:5], [0, 1, 2, 2, 3])


class Curves(ReferenceCase):
    def curve(self, axis: str, points: list, interpolation: str = "linear") -> curves.Curve:
        return curves.Curve({"axis": axis, "points": points, "interpolation": interpolation})

    def test_reading(self):
        batches, day = [[1, 10], [4, 40]], [[6, 1], [18, 3]]
        for axis, points, interpolation, x, y in (
                ("batch", batches, "linear", 2, 20), ("batch", batches, "step", 3.9, 10),
                ("batch", batches, "log", 2, 20), ("batch", [[1, 2], [4, 8]], "log", 2, 4),
                ("batch", [[1, 3], [4, 12 * 4]], "log", 2, 12),  # y = 3 x²
                ("batch", batches, "linear", 9, 40), ("batch", batches, "step", 0, 10),
                ("hour_of_day", day, "step", 5, 3), ("hour_of_day", day, "step", 20, 3),
                # from 3 at 18:00 to 1 at 06:00 in twelve hours
                ("hour_of_day", day, "linear", 21, 2.5), ("hour_of_day", day, "linear", 3, 1.5),
                ("hour_of_day", [[6, 7]], "linear", 3, 7)):
            self.close(self.curve(axis, points, interpolation).at(x), y)

    def test_dates_are_read_at_each_months_first_day(self):
        points = [["2026-01-01", 1], ["2026-02-15", 2], ["2026-03-01", 3]]
        offer = {"hourly_price": {"kind": "price", "axis": "date", "interpolation": "step", "points": points},
                 "purchase": "reserved"}
        result = run([], [cloud(offer, min_instances=1)], months=3)
        self.close([m["cost"] for m in result["by_month"]], [744, 672, 3 * 744])

    def test_evidence(self):
        curve = self.curve("batch", [[1, 10], [3, 30]])
        read = [curve.evidence_at(x) for x in (1, 2, 4)]
        self.assertEqual(read, ["measured", "interpolated", "extrapolated"])
        self.assertEqual(self.curve("hour_of_day", [[1, 1]]).evidence_at(5), "measured")


class Performance(ReferenceCase):
    def test_goodput(self):
        # M = 100 h, C = 0.1 h, R = 0.2 h: τ = √20·(1 + √0.0005/3 + 0.0005/9) − 0.1 = 4.4057177403 h
        self.close(performance.daly_interval(0.1, 100), 4.40571774033041)
        self.close(performance.daly_interval(3, 1.5), 1.5)  # C ≥ 2M
        # both worked with bc: τ / (100 · e^0.002 · (e^(0.01·(τ + 0.1)) − 1))
        self.close(performance.training_goodput(0.01, 0.1, 0.2, None), 0.95403283273712974)
        self.close(performance.training_goodput(0.01, 0.1, 0.2, 2), 0.94053300379543534)
        self.close(performance.training_goodput(0, 0.5, 0.2, 2), 0.8)
        self.close(performance.training_goodput(0, 0.5, 0.2, None), 1)
        self.close(performance.training_goodput(0.01, 0, 0.2, None), math.exp(-0.002))
        # as τ → 0 with C = 0 the formula goes to that limit
        self.close(performance.training_goodput(0.01, 0, 0.2, 1e-6), math.exp(-0.002), 1e-7)

    def test_interruptions_hit_every_instance_of_a_gang(self):
        work = training("rent", 1, devices=12, checkpoint={"restart_s": 3600})
        pool = cloud({"interruptions_per_hour": 0.1}, max_instances=2)
        result = run([work], [pool])  # q = 2: goodput e^(−0.2)
        self.close(result["by_workload"]["train"]["hours_per_epoch"]["rent"], math.exp(0.2))

    def test_a_replica_serves_while_it_is_up(self):
        work = inference("rent", 7.9, checkpoint={"restart_s": 3600})
        result = run([work], [cloud({"interruptions_per_hour": 0.25})])  # up in 1 / 1.25 of its time, 10 units/s then
        self.close(result["by_pool"]["rent"]["reserved_device_hours"], 744)
        self.close(result["by_pool"]["rent"]["busy_device_hours"], 744 * 0.79 * 0.8)
        self.close(result["by_workload"]["serve"]["units_lost_to_outages"], 744 * 3600 * 7.9 * 0.2)

    def test_a_host_takes_all_of_its_replicas_with_it(self):
        # eight replicas of a card on one server that is down 48.25 h every 100 h on average: 32.5 % of all is lost
        work = inference("own", 7 * 10, checkpoint={"restart_s": 900})
        pool = owned(server={"failures_per_hour": 0.01, "repair_hours": 48})
        result = run([work], [pool])
        lost = 1 - 1 / (1 + 0.01 * 48.25)
        self.close(result["by_workload"]["serve"]["units_lost_to_outages"], 744 * 3600 * 70 * lost)
        self.close(result["by_pool"]["own"]["busy_device_hours"], 744 * 7 * (1 - lost))

    def test_replicas_of_hosts_that_are_up(self):
        # 5 replicas at 10 on hosts of 3, up in 0.8: 3 on one, 2 on the other; 40 asked: 0.64 · 40 + 0.16 · 30 + 0.16 · 20
        self.close(outages.expected(40, 10, 5, 0.8, 3), 0.64 * 40 + 0.16 * 30 + 0.16 * 20)
        self.close(outages.expected(40, 10, 5, 0.8), sum(math.comb(5, k) * 0.8 ** k * 0.2 ** (5 - k) * min(40, 10 * k)
                                                         for k in range(6)))

    def test_what_an_outage_seldom_leaves_is_asked_while_it_lasts(self):
        # two servers of one card at 10, up in 0.99, are asked for 12: 0.0408 is left, in 0.0199 of the time; an instance holds it
        work = inference("own", 12, checkpoint={"restart_s": 3600})
        work["runs_on"].append({"pool": "rent", "performance": {"units_per_s": 8}})
        for failures, held, left in ((1 / 99, 0.0199, 0.0408), (0.25, 1, 1.12)):
            pool = owned(server={"devices": 1, "failures_per_hour": failures}, purchases=[{"month": 0, "servers": 2}])
            result = run([work], [pool, cloud({"devices": 1, "hourly_price": 20})])
            self.close(result["by_pool"]["rent"]["reserved_device_hours"], held * 744)
            self.close(result["by_pool"]["rent"]["available_device_hours"], held * 744)
            self.close(result["by_pool"]["rent"]["busy_device_hours"], left / 8 * 744)
            self.close(category(result, "compute")[0], held * 20 * 744)

    def test_batch_by_latency_scaling_and_cap(self):
        throughput = {"kind": "throughput", "axis": "batch", "points": [[1, 10], [101, 110]]}
        latency = {"kind": "throughput", "axis": "batch", "points": [[1, 0.1], [101, 1.1]]}
        perf = {"units_per_s": throughput, "itl_s": latency, "scaling": 0.5}
        value, evidence = performance.units_per_s_of(perf, {"slo": {"itl_s": 0.555, "percentile": 0}}, DEVICE)
        self.close(value, 0.5 * 55)  # latency 0.1 + 0.01·(batch − 1): batch 46 at 0.55
        self.assertEqual(evidence, "interpolated")
        perf["input_units_per_s"] = 20
        self.close(performance.units_per_s_of(perf, {"slo": {"itl_s": 0.555, "percentile": 0}}, DEVICE)[0], 20)

    def test_estimates(self):
        device = DEVICE | {"peak_flops": {"bf16": 1e15}, "memory_bandwidth_gb_per_s": 3000}
        estimate = {"method": "training_flops", "mfu": 0.42, "active_parameters": 7e9}
        perf = {"devices": 8, "precision": "bf16", "estimate": estimate}
        self.close(performance.units_per_s_of(perf, {}, device)[0], 80000)  # 0.42·8·1e15 / 42e9
        estimate = {"method": "decode_roofline", "mfu": 0.4, "mbu": 0.5, "active_parameters": 1e10,
                    "weight_bytes": 2e10, "kv_bytes_per_sequence": 1e9}
        perf = {"devices": 2, "batch": 10, "precision": "bf16", "estimate": estimate}
        # bandwidth 10·2·3e12·0.5 / 3e10 = 1000; compute 0.4·2e15 / 2e10 = 40 000
        self.assertEqual(performance.units_per_s_of(perf, {}, device), (1000, "estimated"))


class Dispatch(ReferenceCase):
    def test_replicas_headroom_and_unserved(self):
        work = inference("own", 70, peak_utilization=0.8, unserved_cost_per_unit=0.001)
        result = run([work], [owned()])  # nine wanted, eight there: 64 of 70 units/s
        self.close(result["by_workload"]["serve"]["units_served"], 64 * 3600 * 744)
        self.close(category(result, "unserved")[0], 6 * 3600 * 744 * 0.001)
        self.close(result["by_pool"]["own"]["utilization_fraction"], 0.8)

    def test_rounding_never_buys_a_replica(self):
        result = run([inference("rent", 30.000000001)], [cloud({"devices": 1}, max_instances=9)])
        self.close(result["by_pool"]["rent"]["available_device_hours"], 3 * 744)

    def test_overflow_to_an_api(self):
        work = inference("own", 100, units_per_request={"input": 0.75, "output": 0.25})
        work["runs_on"].append({"pool": "api"})
        api = {"id": "api", "kind": "api", "price_per_million_units": {"input": 1, "output": 5},
               "max_units_per_s": 15}
        result = run([work], [owned(), api])
        self.close(category(result, "usage")[0], 15 * 3600 * 744 * 2e-6)
        self.close(result["by_workload"]["serve"]["units_unserved"], 5 * 3600 * 744)
        # the API's as billed, 0.75 to 1.25; own energy and demand charge 0.75 to 4 × 0.25
        serve, second = result["by_workload"]["serve"], 3600 * 744
        usage, own = 15 * second * 2e-6, serve["cost"] - 15 * second * 2e-6
        into, out = usage * 0.75 / 2 + own * 0.75 / 1.75, usage * 1.25 / 2 + own / 1.75
        self.close(serve["cost_per_million_input_units"], into / (0.75 * 95 * second) * 1e6)
        self.close(serve["cost_per_million_output_units"], out / (0.25 * 95 * second) * 1e6)

    def test_cheapest_first(self):
        work = inference("rent", 80, routing="cheapest")  # a whole instance
        work["runs_on"].append({"pool": "own", "performance": {"units_per_s": 10}})
        # own: (600 + 200/8) W × 1.25 × 0.1 = 0.078125 an hour; rent: price / 8
        for price, pool in ((0.62, "rent"), (0.63, "own")):
            result = run([work], [cloud({"hourly_price": price}), owned()])
            self.close(result["by_pool"][pool]["reserved_device_hours"], 8 * 744)

    def test_training_fills_the_cheapest_hours(self):
        tariff = {"kind": "tariff", "axis": "hour_of_day", "interpolation": "step",
                  "points": [[0, 0.1], [6, 0.3]]}
        device = DEVICE | line(0, 700)
        pool = owned(server={"devices": 1, "device": device, "host_idle_w": 0, "host_max_w": 0},
                     site={"energy_price": tariff, "pue": 1})
        # 186 hours a month at 0.1; 93 of them run, in equal proportion: 0.35 kW in each
        result = run([training("own", 93)], [pool])
        self.close(category(result, "energy")[0], 93 * 0.7 * 0.1)
        self.close(category(result, "demand_charge")[0], 3.5)
        result = run([training("own", 200)], [pool])
        self.close(category(result, "energy")[0], 186 * 0.7 * 0.1 + 14 * 0.7 * 0.3)

    def test_gangs_and_instances(self):
        for devices, instance_hours in ((2, 2.5), (3, 5), (5, 10), (8, 10), (12, 20)):
            pool = cloud({"hourly_price": 7}, max_instances=2)
            result = run([training("rent", 10, devices)], [pool])
            self.close(category(result, "compute")[0], 7 * instance_hours)
            self.close(result["by_pool"]["rent"]["busy_device_hours"], 10 * devices)

    def test_training_takes_what_inference_leaves(self):
        pool = cloud({"hourly_price": 1}, max_instances=2)
        work = [training("rent", 5000, 4), inference("rent", 15)]  # inference: two devices, so one instance
        result = run(work, [pool])
        self.close(result["by_workload"]["train"]["units_served"], 2 * 744 * 36000)
        self.close(category(result, "compute")[0], 2 * 744)


class Power(ReferenceCase):
    def test_energy_of_a_tiny_case(self):
        result = run([inference("own", 40)], [owned()])
        # half busy: 8 × 400 W + 300 W = 3.5 kW, × 1.25 = 4.375 kW
        self.close(result["total"]["energy_kwh"], 744 * 4.375)
        self.close(category(result, "energy"), (325.5, 325.5))
        self.close(category(result, "demand_charge"), (43.75, 43.75))

    def test_default_shape_serves_and_gangs_are_linear(self):
        """No curve: at half the rate 0.88 of 8 x 700 W; a gang that runs half of the month 8 x 700 W or 8 x 100 W."""
        device = {"kind": "gpu", "idle_w": 100, "tdp_w": 700}
        host = {"host_idle_w": 0, "host_max_w": 0, "device": device}
        result = run([inference("own", 40)], [owned(server=host)])
        self.close(result["total"]["energy_kwh"], 744 * 8 * 0.88 * 0.7 * 1.25)
        loaded = owned(server=host | {"device": device | {"loaded_idle_w": 130}})
        self.close(run([inference("own", 0)], [loaded])["total"]["energy_kwh"], 744 * 8 * 0.13 * 1.25)
        for power in ({}, {"power": {"kind": "power", "axis": "throughput_share", "points": [[0, 130], [0.1, 500], [1, 700]]}}):
            pool = owned(server=host | {"device": device | power})
            result = run([training("own", 372, 8)], [pool])
            self.close(result["total"]["energy_kwh"], 744 * 8 * 0.4 * 1.25)
            mixed = run([inference("own", 20), training("own", 744, 4)], [pool])
            each = 500 + 0.4 / 0.9 * 200 if power else 700 * 0.88
            self.close(mixed["total"]["energy_kwh"], 744 * (4 * 0.7 + 4 * each / 1000) * 1.25)

    def test_packing_and_ramp_and_load_pue(self):
        power = {"kind": "power", "axis": "utilization", "points": [[0, 100], [0.5, 600], [1, 700]]}
        server = {"device": DEVICE | {"power": power}}
        for balancing, watts in (("spread", 8 * 600 + 300), ("pack", 4 * 700 + 4 * 100 + 300)):
            result = run([inference("own", 40)], [owned(server=server, load_balancing=balancing)])
            self.close(result["total"]["energy_kwh"], 744 * watts * 1.25 / 1000)
        pue = {"kind": "pue", "axis": "load", "points": [[0, 2], [1, 1]]}
        result = run([inference("own", 40)], [owned(ramp_months=1, site={"pue": pue})])  # 1000 W of 6000 W
        self.close(result["total"]["energy_kwh"], 744 * (2 - 1 / 6))
        self.assertIsNone(result["by_workload"]["serve"]["cost_per_million_units"])

    def test_carbon_of_a_rented_device_bears_its_price(self):
        site = {"energy_price": 9, "pue": 2, "carbon_g_per_kwh": 500}
        finance = {"carbon_price_per_tonne": 100}
        result = run([inference("rent", 40)], [cloud({"site": site})], finance=finance)
        kwh = 744 * 8 * 0.4 * 2
        self.close((result["total"]["energy_kwh"], result["total"]["carbon_kg"]), (kwh, kwh / 2))
        self.close(result["total"]["cost"], kwh / 2 / 10)


class Money(ReferenceCase):
    def test_upfront_and_terms(self):
        offer = {"purchase": "reserved", "upfront": 1200, "term_months": 12}
        for at_end, lost, back in (("continue", 0, -1200), ("exit", 1200, 0)):
            result = run([], [cloud(offer, min_instances=2, max_instances=2)], months=18, finance={"at_end": at_end})
            self.close([m["cost"] for m in result["by_month"]], [200] * 17 + [200 + lost])
            self.close(cash_by_month(result, "commitment"), [2400] + [0] * 11 + [2400] + [0] * 4 + [back])

    def test_annuity(self):
        finance = {"discount_rate": 1.01 ** 12 - 1, "capital": "annuity"}
        result = run([], [owned(server={"price": 1000})], months=12, finance=finance)
        self.close(category(result, "hardware")[0] / 12, 88.8488, 1e-6)  # a loan of 1000 at 1 % a month
        capital_cash = cash_by_month(result, "hardware")
        self.close(sum(c / 1.01 ** (i + (i > 0)) for i, c in enumerate(capital_cash)), 1000)

    def test_refresh_and_book_value(self):
        server = {"price": 300, "life_months": 3, "price_change_rate": -0.5, "residual_fraction": 0.1,
                  "maintenance_rate": 0.12}
        result = run([], [owned(server=server, refresh=True)], months=7)
        prices = [300, 252.2689245761, 212.1320343560]
        costs = [0.3 * p for p in prices for _ in range(3)][:7]
        self.close([m["by_category"]["hardware"]["cost"] for m in result["by_month"]], costs)
        cash = [prices[0], 0, -30, prices[1], 0, -25.22689245761, 0.3 * prices[2]]  # 0.7 P is left at the end
        self.close(cash_by_month(result, "hardware"), cash)
        self.close(sum(cash), sum(costs))
        maintenance = [m["by_category"]["maintenance"]["cost"] for m in result["by_month"]]
        self.close(maintenance, [c / 30 for c in costs])

    def test_owned_already_and_own_price(self):
        purchases = [{"month": -2, "servers": 2, "price": 200}, {"month": -12, "servers": 5}]
        pool = owned(server={"price": 1e6, "life_months": 4}, purchases=purchases)
        pool["server"]["price_change_rate"] = 0.3
        result = run([], [pool], months=3)  # of 400 half is left; the other five retired long ago
        self.close(cash_by_month(result, "hardware"), [200, 0, 0])
        self.close(category(result, "hardware")[0], 200)

    def test_own_build_facility(self):
        site = {"facility_price_per_w": 2, "facility_life_months": 4}  # 6000 W: 12 000
        result = run([], [owned(server={"life_months": 6}, site=site)], months=8)
        self.close(cash_by_month(result, "facility"), [12000, 0, 0, 0, 12000, -6000, 0, 0])
        self.close([m["by_category"].get("facility", {"cost": 0})["cost"] for m in result["by_month"]],
                   [3000] * 6 + [0] * 2)

    def test_colo_and_racks(self):
        purchases = [{"month": 0, "servers": 7}]
        site = {"space_per_kw_month": 100, "space_per_rack_month": 50, "rack_kw": 20}
        result = run([], [owned(site=site, purchases=purchases)])  # three of 6 kW in a rack
        self.assertEqual(result["by_pool"]["own"]["racks"], 3)
        self.close(category(result, "facility")[0], 7 * 6 * 100 + 3 * 50)
        del site["rack_kw"]
        pool = owned(server={"rack_units": 8}, site=site, purchases=purchases)  # five of 8 U in 42 U
        result = run([], [pool])
        self.assertEqual(result["by_pool"]["own"]["racks"], 2)

    def test_tax(self):
        server, d = {"price": 1200}, 0.21
        v = lambda months: 1.21 ** (-months / 12)
        plain = {"discount_rate": d, "tax_rate": 0}
        pool = owned(server=server, site={"network_per_month": 10})
        total = run([], [pool], months=6, finance=plain)["total"]
        self.close(total["npv"], total["npv_after_tax"])
        # half a year: 100 a month straight, 20 a month by MACRS, and the horizon's sale at 600
        for method, monthly in (("straight_line", 100), ("macrs_5", 20)):
            finance = {"discount_rate": d, "tax_rate": 0.25, "tax_depreciation": method}
            pool = owned(server=server, site={"energy_price": 0, "network_per_month": 10,
                                              "demand_charge_per_kw_month": 0})
            total = run([], [pool], months=6, finance=finance)["total"]
            within = sum(v(m) for m in range(1, 7))
            capital = 1200 - 600 * v(6) - 0.25 * (monthly * within + (1200 - 6 * monthly - 600) * v(6))
            self.close(total["npv_after_tax"], capital + 7.5 * within)

    def test_currencies_and_porting(self):
        work = inference("rent", 10)
        work["runs_on"][0]["porting"] = {"engineer_weeks": 3}
        offer = {"hourly_price": 2, "currency": "EUR"}
        result = run([work], [cloud(offer)], months=2, exchange_rates={"EUR": 1.1},
                     finance={"engineer_week_cost": 100})
        self.close(category(result, "compute")[0], (744 + 672) * 2 * 1.1)
        self.close([m["by_category"]["engineering"]["cost"] for m in result["by_month"]], [150, 150])
        self.close(cash_by_month(result, "engineering"), [300, 0])

    def test_a_curve_in_a_currency_of_its_own(self):
        price = {"kind": "price", "axis": "date", "currency": "GBP", "points": [["2026-01-01", 2]]}
        rates = {"EUR": 1.1, "GBP": 1.27}
        for currency in ({}, {"currency": "EUR"}, {"currency": "GBP"}):
            result = run([inference("rent", 10)], [cloud({"hourly_price": price, **currency})], exchange_rates=rates)
            self.close(result["total"]["cost"], 744 * 2 * 1.27)

    def test_bursts_are_held_for_the_hour_and_overflow_alone(self):
        """49 units/s in the mean: 400 for six minutes of each hour, else 10."""
        burst = {"demand": {"mean_per_s": 49, "burst": {"factor": 400 / 49, "seconds": 360, "per_day": 24}}}
        rent = run([inference("rent", 49, **burst)], [cloud({"devices": 1, "hourly_price": 2}, max_instances=50)])
        self.close(rent["total"]["cost"], 40 * 2 * 744)
        self.close(rent["by_pool"]["rent"]["reserved_device_hours"], 40 * 744)
        self.close(rent["by_pool"]["rent"]["busy_device_hours"], 4.9 * 744)
        both = inference("rent", 49, **burst)
        both["runs_on"].append({"pool": "hosted"})
        base = cloud({"devices": 1, "hourly_price": 2, "purchase": "reserved"}, max_instances=1, min_instances=1)
        hosted = {"id": "hosted", "kind": "api", "price_per_million_units": 1}
        result = run([both], [base, hosted])
        self.close(category(result, "usage")[0], 39 * 744 * 3600 / 1e6)  # 390 of 400 for a tenth of the time

    def test_allocation_and_levelized(self):
        work = [inference("rent", 10), inference("rent", 30, id="other")]
        finance = {"discount_rate": 0.1}
        result = run(work, [cloud({"hourly_price": 4})], months=2, finance=finance)
        self.close([w["cost"] for w in result["by_workload"].values()], [1416, 3 * 1416])
        # a constant price per unit is its own levelized cost
        serve = result["by_workload"]["serve"]
        self.close(serve["cost_per_million_units"], 1 / 36000 * 1e6)
        self.close(serve["levelized_cost_per_million_units"], serve["cost_per_million_units"])
        idle = run([], [cloud({"hourly_price": 4}, min_instances=1)])
        self.close(idle["unallocated_cost"], 4 * 744)


class RandomScenarios(ReferenceCase):
    def test_invariants(self):
        """Parts sum to the whole; served and unserved to the demand; τ = 0 and d = 0 mean what they say."""
        for index, scenario in enumerate(random_scenarios.scenarios(25, seed=20261121)):
            result = reference.evaluate(scenario, ledger=True)
            rows, total = result["ledger"], result["total"]
            for view in ("cost", "cash"):
                size = sum(abs(row[view]) for row in rows) + 1
                for parts in (result["by_month"], result["by_category"].values(), rows):
                    self.assertLess(abs(sum(part[view] for part in parts) - total[view]), 1e-9 * size, index)
            borne = sum(w["cost"] for w in result["by_workload"].values()) + result["unallocated_cost"]
            self.close(borne, total["cost"])
            for w in result["by_workload"].values():
                self.close(w["units_served"] + w["units_unserved"], w["units_demanded"], 1e-9)
            if not scenario.get("finance", {}).get("tax_rate"):
                self.close(total["npv"], total["npv_after_tax"])

    def test_the_same_seed_gives_the_same_scenarios(self):
        first, again = ([json.dumps(s) for s in random_scenarios.scenarios(5, 3)] for _ in range(2))
        self.assertEqual(first, again)


if __name__ == "__main__":
    unittest.main()
