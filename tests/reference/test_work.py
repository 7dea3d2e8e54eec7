#!/usr/bin/env python3
"""Small cases worked by hand for the work of version 2 (② of section 4, and `ramp`) of docs/model.md: classes of units,
carry-over, batch inference, learning curves, placement and fractions of a device. test_estimates.py has the estimates.

January 2026 has 744 hours, February 672, March 744; a replica or gang does 10 units/s, 36 000 an hour.
"""
from __future__ import annotations

import unittest

from test_evaluate import ReferenceCase, category, cloud, inference, line, owned, run, training

HOUR = 36000  # units of a replica or gang
JANUARY, FEBRUARY, MARCH = 744, 672, 744


def batch(pool: str, requests: float, **changes) -> dict:
    """Gangs of 10 units/s on a pool, or work on a hosted model."""
    runs_on = [{"pool": pool} | ({} if pool == "api" else {"performance": {"units_per_s": 10}})]
    return {"id": "batch", "kind": "batch", "runs_on": runs_on, "requests_per_month": requests} | changes


def api(price=1, **changes) -> dict:
    return {"id": "api", "kind": "api", "price_per_million_units": price} | changes


def sized(work: dict, **performance) -> dict:
    """The work, with another performance on its first pool."""
    entry = work["runs_on"][0]
    return work | {"runs_on": [entry | {"performance": entry["performance"] | performance}, *work["runs_on"][1:]]}


def by_date(*values, kind: str = "demand") -> dict:
    """A value for each month from January 2026 on."""
    points = [[f"2026-{m:02d}-01", value] for m, value in enumerate(values, 1)]
    return {"kind": kind, "axis": "date", "interpolation": "step", "points": points}


class Classes(ReferenceCase):
    def served_hours(self, request: dict, per_s: float, **performance) -> float:
        """Device-hours that are busy with so many requests a second."""
        work = sized(inference("rent", per_s, units_per_request=request), **performance)
        return run([work], [cloud({"devices": 1}, max_instances=9)])["by_pool"]["rent"]["busy_device_hours"]

    def test_a_class_takes_of_the_device_what_its_weight_says(self):
        """T/W units for each that units_per_s counts: 4 a request; W = 4, then 0.5 · 3 + 1 = 2.5, then 3 + 2 = 5."""
        request = {"input": 3, "output": 1}
        for weights, busy in (({}, 4), ({"input": 0.5}, 2.5), ({"output": 2}, 5), ({"input": 0, "output": 1}, 1)):
            self.close(self.served_hours(request, 10, class_weights=weights), busy * JANUARY)

    def test_cached_input_and_cache_writes_take_nothing(self):
        request = {"input": 1, "cached_input": 6, "cache_write": 2, "output": 0.5, "reasoning": 0.5}
        self.close(self.served_hours(request, 5), 5 * 2 / 10 * JANUARY)
        self.close(self.served_hours(request, 5, class_weights={"cached_input": 0.5}), 5 * 5 / 10 * JANUARY)

    def test_the_input_cap_counts_as_units_per_s_does(self):
        """min(10, 4) × T/W, T = 2, W = 1: 8 units of all classes a second."""
        busy = self.served_hours({"input": 1, "cached_input": 1}, 8, input_units_per_s=4)
        self.close(busy, 2 * JANUARY)  # 16 units/s

    def test_a_request_that_takes_nothing_is_an_error(self):
        with self.assertRaises(ValueError):
            self.served_hours({"cached_input": 5}, 1)

    def test_a_number_has_no_classes(self):
        self.close(self.served_hours(5, 2, class_weights={"input": 7}), JANUARY)

    def test_cost_and_units_by_class(self):
        """10 of 15 requests/s rented (2 units each that are computed, 10 that are not): 2 × 744 at 1, by 1 : 4. The API's
        5 requests/s as billed: 1 · 2 + 10 · 0.2 + 1 · 6 = 10 a million requests."""
        request = {"input": 1, "cached_input": 10, "output": 1, "reasoning": 0}
        work = inference("rent", 15, units_per_request=request)
        work["runs_on"].append({"pool": "api"})
        pools = [cloud({"devices": 1, "hourly_price": 1}, max_instances=2), api({"input": 2, "cached_input": 0.2, "output": 6})]
        by_class = run([work], pools)["by_workload"]["serve"]["cost_by_class"]
        second, rent = 3600 * JANUARY, 2 * JANUARY
        self.assertEqual(set(by_class), {"input", "cached_input", "output"})
        for name, units, cost in (("input", 1, rent / 5 + 5 * second * 2e-6), ("cached_input", 10, 5 * second * 2e-6),
                                  ("output", 1, rent * 4 / 5 + 5 * second * 6e-6)):
            self.close(by_class[name]["units"], 15 * second * units)
            self.close(by_class[name]["cost"], cost)
            self.close(by_class[name]["cost_per_million"], cost / (15 * second * units) * 1e6)

    def test_cheapest_knows_the_rate_of_all_classes(self):
        """20 units/s of all classes at 1 an hour: 1 / 0.072 a million; the API's mean is (2 · 1 + 0) / 2."""
        for price, chosen in ((1 / 0.072 * 2 + 0.01, 744), (1 / 0.072 * 2 - 0.01, 0)):
            work = inference("rent", 10, units_per_request={"output": 1, "cached_input": 1}, routing="cheapest")
            work["runs_on"].insert(0, {"pool": "api"})
            result = run([work], [api({"output": price, "input": 0}), cloud({"devices": 1, "hourly_price": 1})])
            self.close(result["by_pool"]["rent"]["reserved_device_hours"], chosen)


class CarryOver(ReferenceCase):
    RENT = cloud({"devices": 1, "hourly_price": 1})

    def test_what_a_month_does_not_finish_is_done_in_the_next(self):
        """1000 gang-hours a month on one instance: 256 are left in January, 584 in February, 840 at the end."""
        for kind, work in (("train", training("rent", 1000)), ("batch", batch("rent", 1000 * HOUR))):
            result = run([work | {"unserved_cost_per_unit": 1e-3}], [self.RENT], months=3)
            mine = result["by_workload"][kind]
            self.close(mine["backlog"], [256 * HOUR, 584 * HOUR, 0])
            self.close((mine["units_demanded"], mine["units_unserved"]), (3000 * HOUR, 840 * HOUR))
            unserved = [m["by_category"].get("unserved", {"cost": 0})["cost"] for m in result["by_month"]]
            self.close(unserved, [0, 0, 840 * 36])
            self.close(category(result, "compute")[0], 2160)

    def test_without_carry_over_each_month_stands_alone(self):
        result = run([training("rent", 1000, carry_over=False, unserved_cost_per_unit=1e-3)], [self.RENT], months=3)
        self.close(result["by_workload"]["train"]["backlog"], [0, 0, 0])
        unserved = [m["by_category"]["unserved"]["cost"] for m in result["by_month"]]
        self.close(unserved, [256 * 36, 328 * 36, 256 * 36])

    def test_backlog_and_own_work_are_one_amount_in_document_order(self):
        """Two instances: January's 1488 h are the first's, and one of them in February; there the second does its 200."""
        first = training("rent", 1, epochs_per_month=by_date(1488 + 672, 0))
        second = training("rent", 100, id="second", carry_over=True)
        result = run([first, second], [self.RENT | {"max_instances": 2}], months=2)
        self.close([m["cost"] for m in result["by_month"]], [1488, 672 + 200])
        self.close(result["by_workload"]["train"]["backlog"], [672 * HOUR, 0])
        self.close(result["by_workload"]["second"]["backlog"], [100 * HOUR, 0])
        self.close(result["by_workload"]["second"]["cost"], 200)

    def test_a_backlog_at_the_end_makes_a_scenario_infeasible(self):
        self.assertTrue(run([training("rent", 744)], [self.RENT])["feasible"])
        result = run([training("rent", 0, epochs_per_month=by_date(0, 1), units_per_epoch=840 * HOUR)], [self.RENT], months=2)
        self.close(result["infeasible_because"][0]["value"], 168 / 840)

    def test_a_run_falls_back_to_its_last_entry(self):
        """Spot for half of the hours: by day 40 480 h at 1, then 220 at 2."""
        spot = self.RENT | {"id": "spot"}
        spot["offer"] = spot["offer"] | {"availability_fraction": 0.5}
        rent = cloud({"devices": 1, "hourly_price": 2})
        for after, days, cost in ((40, 40 + 220 / 24, 480 + 2 * 220), (0, 700 / 24, 1400), (90, 31 + 28 * 328 / 336, 700)):
            work = training("spot", 700, epochs=1, fall_back_after_days=after)
            work.pop("epochs_per_month")
            work["runs_on"].append(work["runs_on"][0] | {"pool": "rent"})
            result = run([work], [spot, rent], months=3)
            self.close((result["by_workload"]["train"]["days"], result["by_category"]["compute"]["cost"]), (days, cost))

    def test_inference_has_no_backlog(self):
        self.assertIsNone(run([inference("rent", 20)], [self.RENT])["by_workload"]["serve"]["backlog"])


class BatchWork(ReferenceCase):
    def test_it_is_reported_as_inference_is(self):
        """500 requests of 360 units: 5 gang-hours at 8 an hour."""
        result = run([batch("rent", 500, units_per_request=360)], [cloud({"devices": 1, "hourly_price": 8})])
        mine = result["by_workload"]["batch"]
        self.close((mine["requests_served"], mine["cost_per_inference"]), (500, 40 / 500))
        self.close(mine["cost_per_million_units"], 40 / 0.18)
        self.assertIsNone(mine["cost_by_class"])
        self.assertEqual((mine["kind"], "hours_per_epoch" in mine), ("batch", False))

    def test_gangs_fill_the_month_and_may_span_hosts(self):
        """Of 12 devices, on two instances; neither headroom nor interruptions lower its rate."""
        work = sized(batch("rent", 10 * HOUR, peak_utilization=0.5), devices=12)
        result = run([work], [cloud({"hourly_price": 7, "interruptions_per_hour": 1}, max_instances=3)])
        self.close(category(result, "compute")[0], 7 * 20)
        self.close(result["by_pool"]["rent"]["busy_device_hours"], 120)

    def test_a_hosted_model_does_it_in_equal_proportion(self):
        """Bound 100/s; inference takes 60 by day and 20 by night: 40 and 80 are left, 31 · 12 · 120 · 3600 units. Of two
        batch workloads of 3/4 of that, the first does all of it, the second a third."""
        left = 31 * 12 * 120 * 3600
        shape = {"kind": "demand", "axis": "hour_of_day", "interpolation": "step", "points": [[0, 60], [12, 20]]}
        serve = inference("api", 1, demand={"mean_per_s": 1, "shape": shape}) | {"runs_on": [{"pool": "api"}]}
        work = [batch("api", 0.75 * left), batch("api", 0.75 * left, id="later"), serve]
        result = run(work, [api(2, max_units_per_s=100, batch_price_fraction=0.5, discount_fraction=0.1)])
        served = {name: w["units_served"] for name, w in result["by_workload"].items()}
        self.close([served["batch"], served["later"], served["serve"]], [0.75 * left, 0.25 * left, 31 * 12 * 80 * 3600])
        for name, price in (("batch", 0.9), ("later", 0.9), ("serve", 1.8)):
            self.close(result["by_workload"][name]["cost_per_million_units"], price)

    def test_without_a_bound_all_of_it_is_served(self):
        result = run([batch("api", 1e15, units_per_request={"input": 2, "output": 1})], [api({"input": 1, "output": 4})])
        mine = result["by_workload"]["batch"]
        self.close((mine["units_served"], mine["cost"]), (3e15, 6e9))
        self.close(mine["cost_by_class"]["output"]["cost_per_million"], 4)
        self.assertIsNone(mine["evidence"])

    def test_lengths_are_billed_each_by_itself(self):
        """Of ten requests nine cost 10 x 3 + 0.5 x 15 = 37.5, the tenth, above 200, 300 x 6 + 22.5 = 1822.5 a million."""
        mix = [{"input": 10, "output": 0.5, "share": 0.9}, {"input": 300, "output": 1, "share": 0.1}]
        long = [{"input_tokens": 200, "price_per_million_units": {"input": 6, "output": 22.5}}]
        mine = run([batch("api", 1000, token_mix=mix)], [api({"input": 3, "output": 15}, above=long)])["by_workload"]["batch"]
        self.close((mine["units_served"], mine["cost"]), (1000 * 39.55, (900 * 37.5 + 100 * 1822.5) / 1e6))

    def test_a_prefix_is_read_where_the_one_before_left_it(self):
        """One request an hour: of an hour's lifetime 1 - 1/e find it; e^(-1/12) miss it after five minutes."""
        price = {"input": 1, "cached_input": 0.1, "cache_write": 1.25, "output": 5}
        cache = {"write_lifetimes": [{"seconds": 300}, {"seconds": 3600, "price_factor": 2}]}
        for arrivals, wanted, expected in ((1, {}, 0.6321205588285577 * 0.1 + 0.3678794411714423 * 2), (0.1, {}, 1),
                                           (1, {"lifetime_s": 300}, 0.0799555853706767 * 0.1 + 0.9200444146293233 * 1.25)):
            work = batch("api", 1000, units_per_request={"input": 12, "output": 1},
                         prefix={"tokens": 10, "requests_per_hour": arrivals} | wanted)
            mine = run([work], [api(price, cache=cache)])["by_workload"]["batch"]
            self.close(mine["cost"], (2 + 5 + 10 * expected) * 1000 / 1e6)

    def test_cheapest_knows_the_price_of_batch_work(self):
        """A device-hour at 1 is 1 / 0.036 = 27.8 a million units; the API asks 40, and half of it of batch work."""
        rent = {"pool": "rent", "performance": {"units_per_s": 10}}
        work = [w | {"runs_on": [rent, {"pool": "api"}], "routing": "cheapest"} for w in (inference("rent", 10), batch("api", 10))]
        result = run(work, [cloud({"devices": 1, "hourly_price": 1}, max_instances=2), api(40, batch_price_fraction=0.5)])
        self.close(category(result, "usage")[0], 10 * 20 / 1e6)
        self.close(category(result, "compute")[0], 744)

    def test_it_carries_over_on_a_hosted_model(self):
        result = run([batch("api", 3600 * 700)], [api(1, max_units_per_s=1)], months=2)
        self.close(result["by_workload"]["batch"]["backlog"], [0, 0])
        self.close(result["by_workload"]["batch"]["units_unserved"], 3600 * 28)
        result = run([batch("api", by_date(3600 * 800, 0))], [api(1, max_units_per_s=1)], months=2)
        self.close(result["by_workload"]["batch"]["backlog"], [3600 * 56, 0])
        self.close([m["cost"] for m in result["by_month"]], [0.0036 * 744, 0.0036 * 56])


class Ramp(ReferenceCase):
    CURVE = {"kind": "ramp", "axis": "months", "points": [[0, 0.25], [2, 1]]}  # 0.25, 0.625, 1

    def busy(self, pool: dict, months: int) -> float:
        """Hours of a device that are busy with 2.5 units/s."""
        result = run([inference(pool["id"], 2.5)], [pool], months=months)
        return result["by_pool"][pool["id"]]["busy_device_hours"]

    def test_of_a_cloud_pool_it_begins_after_ramp_months(self):
        """Nothing in January, 0.25 in February, 0.625 in March: busy 1 and 0.4."""
        pool = cloud({"devices": 1}, ramp=self.CURVE, ramp_months=1)
        self.close(self.busy(pool, 3), FEBRUARY + 0.4 * MARCH)
        pool = cloud({"devices": 1}, ramp=self.CURVE, from_month=-1)
        self.close(self.busy(pool, 2), 0.4 * JANUARY + 0.25 * FEBRUARY)

    def test_of_an_owned_pool_it_begins_with_its_first_server_past_its_ramp(self):
        for purchases, changes, busy in (
                ([{"month": -1, "servers": 1}], {}, 0.4 * JANUARY + 0.25 * FEBRUARY),
                # one of before whose life was over at the start does not count, nor one of no servers
                ([{"month": -9, "servers": 1}, {"month": -1, "servers": 0}, {"month": 1, "servers": 1}],
                 {"server": {"life_months": 9}}, FEBRUARY),
                ([{"month": -1, "servers": 1}], {"ramp_months": 1}, JANUARY + 0.4 * FEBRUARY)):
            self.close(self.busy(owned(purchases=purchases, ramp=self.CURVE, **changes), 2), busy)

    def test_a_gap_does_not_set_it_back(self):
        purchases = [{"month": 0, "servers": 1}, {"month": 2, "servers": 1}]
        pool = owned(server={"life_months": 1}, purchases=purchases, ramp=self.CURVE)
        self.close(self.busy(pool, 3), JANUARY + 0.25 * MARCH)

    def test_training_learns_too_and_an_epochs_hours_do_not(self):
        result = run([training("rent", 100)], [cloud({"devices": 1}, ramp=self.CURVE)])
        self.close(result["by_pool"]["rent"]["busy_device_hours"], 400)
        self.close(result["by_workload"]["train"]["hours_per_epoch"]["rent"], 100)

    def test_an_early_unit_costs_more_in_cheapest(self):
        """1 an hour is 27.8 a million when learned, 111 in January and 44.4 in February."""
        work = inference("rent", 6.25, routing="cheapest")
        work["runs_on"].append({"pool": "api"})
        result = run([work], [cloud({"devices": 1, "hourly_price": 1}, ramp=self.CURVE), api(50)], months=2)
        self.close(result["by_pool"]["rent"]["reserved_device_hours"], FEBRUARY)


class Placement(ReferenceCase):
    def test_a_rented_replica_holds_what_it_leaves_useless(self):
        """Of 3 devices: it holds 4 of 8, so three are on two instances."""
        work = sized(inference("rent", 25), devices=3)
        result = run([work], [cloud({"hourly_price": 1}, max_instances=5)])
        pool = result["by_pool"]["rent"]
        self.close((pool["reserved_device_hours"], pool["busy_device_hours"]), (12 * JANUARY, 7.5 * JANUARY))
        self.close(result["total"]["cost"], 2 * JANUARY)

    def test_gangs_hold_their_part_of_an_instance(self):
        """Two of 3 devices on an instance of 8, and on a server: 20 gang-hours are 10 of an instance's, 80 of devices."""
        work = sized(training("rent", 20), devices=3)
        result = run([work], [cloud({"hourly_price": 7})])
        self.close(category(result, "compute")[0], 70)
        self.close(result["by_pool"]["rent"]["reserved_device_hours"], 80)
        result = run([sized(training("own", 2000), devices=3)], [owned()])
        self.close(result["by_workload"]["train"]["units_served"], 2 * JANUARY * HOUR)
        self.close(result["by_pool"]["own"]["reserved_device_hours"], 8 * JANUARY)

    def test_what_spans_hosts_holds_its_devices(self):
        work = sized(inference("own", 25), devices=12, spans_hosts=True)
        result = run([work], [owned(purchases=[{"month": 0, "servers": 3}])])  # two of 12 on 24
        self.close(result["by_pool"]["own"]["reserved_device_hours"], 24 * JANUARY)

    def test_cheapest_prices_what_a_replica_holds(self):
        """8 an hour × 4/8 = 4 for 36 000 units; not 3."""
        for price, chosen in ((3.9, 0), (4.1, 8 * JANUARY)):
            work = sized(inference("rent", 20, routing="cheapest"), devices=3)
            work["runs_on"].insert(0, {"pool": "api"})
            result = run([work], [cloud({"hourly_price": 8}), api(price / 0.036)])
            self.close(result["by_pool"]["rent"]["reserved_device_hours"], chosen)


class Fractions(ReferenceCase):
    def test_a_fraction_holds_one_of_those_that_fit(self):
        """⌊1/f⌋ on a device: 2 of 3/7, 7 of 1/7, 1 of 0.9; busy is the fraction itself."""
        for fraction, replicas in ((3 / 7, 2), (1 / 7, 7), (0.9, 1), (0.3, 3)):
            work = sized(inference("rent", 1000), devices=fraction)
            result = run([work], [cloud({"devices": 2})])
            pool = result["by_pool"]["rent"]
            self.close(result["by_workload"]["serve"]["units_served"], 2 * replicas * HOUR * JANUARY)
            self.close((pool["reserved_device_hours"], pool["busy_device_hours"]),
                       (2 * JANUARY, 2 * replicas * fraction * JANUARY))

    def test_gangs_of_fractions(self):
        """Two of 3/7 on each of two devices of an instance: 10 gang-hours are 2.5 of an instance."""
        result = run([sized(batch("rent", 10 * HOUR), devices=3 / 7)], [cloud({"devices": 2, "hourly_price": 4})])
        self.close(category(result, "compute")[0], 10)
        self.close(result["by_pool"]["rent"]["busy_device_hours"], 30 / 7)

    def test_a_slice_says_what_it_takes(self):
        """MIG 3g: 3/7 of the device's compute."""
        device = {"kind": "gpu"} | line(0, 700) | {"slices": {"3g": {"fraction": 3 / 7, "memory_gib": 40}}}
        work = sized(inference("own", 20), slice="3g")
        server = {"device": device, "devices": 1, "host_idle_w": 0, "host_max_w": 0}
        result = run([work], [owned(server=server, site={"pue": 1})])
        self.close(result["by_pool"]["own"]["reserved_device_hours"], JANUARY)
        self.close(result["total"]["energy_kwh"], 0.6 * JANUARY)  # 6/7 of 700 W


if __name__ == "__main__":
    unittest.main()
