#!/usr/bin/env python3
"""Cases worked by hand for the batch of a performance, the estimates of decoding and the evidence (② of section 4 of
docs/model.md). test_work.py has what is done with them.
"""
from __future__ import annotations

import unittest

from estimates import GIB
from performance import Performance, units_per_s_of
from test_evaluate import DEVICE, ReferenceCase, cloud, inference, run
from test_work import api, batch, sized

# 1 TB/s, 1 PFLOP/s, 80 GiB; 1e9 parameters of 2 bytes, 1e7 bytes of cache a sequence
CHIP = DEVICE | {"memory_gib": 80, "memory_bandwidth_gb_per_s": 1000, "peak_flops": {"bf16": 1e15, "fp8": 2e15}}
STEP = {"method": "decode_step", "active_parameters": 1e9, "weight_bytes": 2e9, "kv_bytes_per_sequence": 1e7, "layers": 10}
ROOFLINE = {"method": "decode_roofline", "mfu": 0.4, "mbu": 0.5, "active_parameters": 1e9, "weight_bytes": 2e9,
            "kv_bytes_per_sequence": 1e7}
EXACT = STEP | {"alpha": 1, "beta": 0.5, "gamma_s": 1.44e-4}  # t = 3.44 ms + batch × 14 µs


def curve(*points, kind: str = "latency", axis: str = "batch", **changes) -> dict:
    return {"kind": kind, "axis": axis, "points": [list(p) for p in points]} | changes


def throughput(*points, **changes) -> dict:
    return curve(*points, kind="throughput", **changes)


def slo(**objectives) -> dict:
    """Of a workload: objectives of no percentile in particular."""
    return {"slo": objectives | {"percentile": 0}}


class Choice(ReferenceCase):
    """Of the batch: on the throughput 10 · batch up to batch 100."""

    def batch(self, workload: dict, **performance) -> float:
        doc = {"units_per_s": throughput([1, 10], [100, 1000])} | performance
        chosen = Performance(doc, workload, CHIP, 8)
        self.close(chosen.units_per_s, 10 * chosen.batch)
        return chosen.batch

    def test_both_objectives_are_kept(self):
        latency, ttft = curve([1, 0.1], [101, 1.1]), curve([1, 0.2], [101, 2.2])  # 0.09 + batch/100; 0.18 + batch/50
        for objectives, chosen in ((slo(itl_s=0.555), 46), (slo(ttft_s=0.555), 18),
                                   (slo(itl_s=0.305, ttft_s=1), 21),
                                   (slo(itl_s=0.9, ttft_s=1.005), 41),
                                   (slo(itl_s=9), 100)):
            self.assertEqual(self.batch(objectives, itl_s=latency, ttft_s=ttft), chosen)

    def test_without_an_objective_that_is_known_the_curves_last_point_is_read(self):
        self.assertEqual(self.batch({}, itl_s=curve([1, 9])), 100)
        self.assertEqual(self.batch(slo(ttft_s=1), itl_s=curve([1, 9])), 100)

    def test_the_time_of_a_request_is_that_to_the_first_token_and_between_the_others(self):
        """1 + (0.09 + batch/100) · 20 ≤ 12 s: batch 46, of 21 units out with reasoning; of one there is but the first."""
        times = {"itl_s": curve([1, 0.1], [101, 1.1]), "ttft_s": 1}
        work = slo(e2e_s=12) | {"units_per_request": {"input": 9, "output": 16, "reasoning": 5}}
        self.assertEqual(self.batch(work, **times, class_weights={"input": 1}), 46)
        self.assertEqual(Performance({"units_per_s": 5} | times, work, CHIP, 8).evidence(), "interpolated")
        one = slo(e2e_s=12) | {"units_per_request": {"output": 1}}
        self.assertEqual(self.batch(one, **times), 100)
        for unknown in ({"ttft_s": 1}, {"itl_s": 0.1}):
            self.assertEqual(Performance({"units_per_s": 5} | unknown, work, CHIP, 8).evidence(), "assumed")
        self.assertEqual(Performance({"units_per_s": 5} | times, slo(e2e_s=12), CHIP, 8).evidence(), "assumed")

    def test_a_stated_batch_stands(self):
        self.assertEqual(self.batch(slo(itl_s=0.5), itl_s=0.1, batch=7), 7)

    def test_the_search_begins_at_the_next_curves_end_and_stops_where_a_curve_begins(self):
        limits = slo(itl_s=1)
        for figures, chosen in (({"itl_s": curve([1, 0.1], [50, 0.5])}, 50), ({"itl_s": 0.5}, None),
                                ({"itl_s": 0.5, "ttft_s": curve([1, 1], [9, 1])}, 9)):
            self.assertEqual(Performance({"units_per_s": 5} | figures, limits, CHIP, 8).batch, chosen)
        bounded = {"units_per_s": throughput([8, 80], [64, 640], outside="error"), "itl_s": curve([1, 0.1], [101, 1.1])}
        self.assertEqual(Performance(bounded, slo(itl_s=0.175), CHIP, 8).batch, 8)
        for objective in (0.165, 0.05):  # batch 7, and none
            with self.assertRaises(ValueError):
                Performance(bounded, slo(itl_s=objective), CHIP, 8)


class DecodeStep(ReferenceCase):
    def test_a_step(self):
        """Batch 40: (2e9 + 4e8) / 8e11 = 3 ms, 8e10 / 3e14 = 0.26667 ms, 10 · 70 µs."""
        perf = {"precision": "bf16", "batch": 40, "estimate": STEP}
        value, evidence = units_per_s_of(perf, {}, CHIP)
        self.close(value, 40 / (3e-3 + 8e10 / 3e14 + 7e-4))
        self.assertEqual(evidence, "estimated")
        self.close(units_per_s_of(perf | {"estimate": EXACT}, {}, CHIP)[0], 10000)  # 4 ms
        # two devices halve all but the layers; fp8 the arithmetic: 1.2 + 0.04 + 1.44
        two = perf | {"estimate": EXACT, "devices": 2, "precision": "fp8"}
        self.close(units_per_s_of(two, {}, CHIP)[0], 40 / 2.68e-3)

    def test_its_weights_of_classes(self):
        """Batch 40, 10 000 output tokens/s: an input token is 10 000 · 2e9 / (1e15 / 2) = 0.04 of one."""
        perf = {"precision": "bf16", "batch": 40, "estimate": EXACT}
        request = {"input": 1000, "cached_input": 500, "cache_write": 250, "output": 80, "reasoning": 20}
        for stated, weighed in (({}, 40 + 10 + 100), ({"input": 0.1}, 100 + 10 + 100), ({"cached_input": 0.02, "output": 2}, 240)):
            work = {"units_per_request": request}
            self.close(units_per_s_of(perf | {"class_weights": stated}, work, CHIP)[0], 10000 * 1850 / weighed)
        # scaling and the cap are before the classes, and no matter of the weights
        capped = perf | {"scaling": 0.9, "input_units_per_s": 6000}
        self.close(units_per_s_of(capped, {"units_per_request": request}, CHIP)[0], 6000 * 1850 / 150)
        self.close(units_per_s_of(perf, {"units_per_request": 7}, CHIP)[0], 10000)

    def test_the_roofline_weighs_prompts_as_answers(self):
        perf = {"precision": "bf16", "batch": 100, "estimate": ROOFLINE}  # 100 · 5e11 / 3e9 = 16 667 < 200 000
        for request, factor in (({"input": 3, "output": 1}, 1), ({"input": 3, "cached_input": 6, "output": 1}, 2.5)):
            self.close(units_per_s_of(perf, {"units_per_request": request}, CHIP)[0], 5e4 / 3 * factor)


class DecodeBatch(ReferenceCase):
    def batch(self, estimate: dict, workload: dict | None = None, device: dict = CHIP, **performance) -> float:
        doc = {"precision": "bf16", "estimate": estimate} | performance
        return Performance(doc, workload or {}, device, 8).batch

    def test_a_step_of_every_sequence_keeps_the_objective(self):
        """3.44 ms + batch · 14 µs ≤ 4.005 ms: 40.4; of the roofline (2e9 + batch · 1e7) / 5e11 ≤ 4.41 ms: 20.5."""
        self.assertEqual(self.batch(EXACT, slo(itl_s=4.005e-3)), 40)
        self.assertEqual(self.batch(ROOFLINE, slo(itl_s=4.41e-3)), 20)
        self.assertEqual(self.batch(EXACT, slo(itl_s=4.005e-3), scaling=0.1, input_units_per_s=1), 40)
        self.assertEqual(self.batch(EXACT, slo(itl_s=4.005e-3), itl_s=curve([1, 1e-3], [90, 2e-3])), 90)
        with self.assertRaises(ValueError):
            self.batch(EXACT, slo(itl_s=3.45e-3))

    def test_the_memory_bounds_it(self):
        """Of 10 GiB 0.9 are 9 GiB: 100.5 sequences beside the weights; two devices have twice that."""
        small = CHIP | {"memory_gib": 10}
        estimate = STEP | {"kv_bytes_per_sequence": (9 * GIB - 2e9) / 100.5}
        self.assertEqual(self.batch(estimate, device=small), 100)
        self.assertEqual(self.batch(estimate, device=small, devices=2), int((18 * GIB - 2e9) / estimate["kv_bytes_per_sequence"]))
        self.assertEqual(self.batch(estimate | {"memory_use_fraction": 0.45}, device=small),
                         int((4.5 * GIB - 2e9) / estimate["kv_bytes_per_sequence"]))
        with self.assertRaises(ValueError):
            self.batch(estimate | {"weight_bytes": 9 * GIB}, device=small)

    def test_at_most_1024_and_the_end_of_its_latency_curve(self):
        self.assertEqual(self.batch(STEP), 1024)
        self.assertEqual(self.batch(STEP, itl_s=curve([1, 1], [300, 9])), 300)
        unknown = {name: value for name, value in CHIP.items() if name != "memory_gib"}
        self.assertEqual(self.batch(STEP | {"weight_bytes": 1e15}, device=unknown), 1024)  # not known, not checked

    def test_fractions_and_slices_have_their_part_of_the_memory(self):
        """Half a device: 40 GiB, half the peak and the bandwidth. The slice: a quarter of them, and 10 GiB."""
        sliced = CHIP | {"slices": {"1g": {"fraction": 0.25, "memory_gib": 10}}}
        estimate = EXACT | {"kv_bytes_per_sequence": (9 * GIB - 2e9) / 100.5}
        cache = estimate["kv_bytes_per_sequence"]
        self.assertEqual(self.batch(estimate, device=sliced, slice="1g"), 100)
        self.assertEqual(self.batch(estimate, device=sliced, devices=0.5), int((36 * GIB - 2e9) / cache))
        perf = {"precision": "bf16", "estimate": estimate, "slice": "1g"}
        step = (2e9 + 100 * cache) / 2.5e11 + 2e11 / 1.25e14 + 1.44e-3
        self.close(Performance(perf, {}, sliced, 8).units_per_s, 100 / step)

    def test_in_a_scenario(self):
        """100 requests/s of 100 output and 1000 input tokens, by the weights above 140 a request of 10 000/s: 1.4 devices."""
        work = sized(inference("rent", 100, units_per_request={"input": 1000, "output": 100}), precision="bf16", estimate=EXACT)
        work |= slo(itl_s=4.005e-3)
        del work["runs_on"][0]["performance"]["units_per_s"]
        result = run([work], [cloud({"device": CHIP, "hourly_price": 1})])
        self.close(result["by_pool"]["rent"]["busy_device_hours"], 1.4 * 744)
        self.assertEqual(result["by_workload"]["serve"]["evidence"], "assumed")  # alpha of 1
        self.assertEqual(result["by_workload"]["serve"]["batch"], {"rent": 40})


class Evidence(ReferenceCase):
    def evidence(self, performance: dict, workload: dict | None = None, per_host: int = 8) -> str:
        return Performance({"units_per_s": 5} | performance, workload or {}, CHIP, per_host).evidence()

    def test_an_objective_whose_figure_is_not_known(self):
        for objective in ("itl_s", "ttft_s"):
            self.assertEqual(self.evidence({}, slo(**{objective: 1})), "assumed")
            self.assertEqual(self.evidence({objective: 0.5}, slo(**{objective: 1})), "measured")
        decode = {"estimate": STEP, "precision": "bf16"}
        self.assertEqual(self.evidence(decode, slo(itl_s=1)), "estimated")
        self.assertEqual(self.evidence(decode, slo(ttft_s=1)), "assumed")

    def test_objectives_are_of_percentile_95_unless_they_name_another_or_none(self):
        for stated, of, basis in (({}, 95, "measured"), ({}, 50, "assumed"), ({"percentile": 50}, 50, "measured"),
                                  ({"percentile": 0}, 50, "measured")):
            figures = {"itl_s": 0.5, "latency_percentile": of}
            self.assertEqual(self.evidence(figures, {"slo": {"itl_s": 1} | stated}), basis)

    def test_a_curve_that_chose_the_batch(self):
        """itl_s and ttft_s of 0.09 + batch/100 on 100 points of the throughput, read at what they choose."""
        slow, fast = curve([1, 0.1], [101, 1.1]), throughput([1, 10], [101, 1010])
        for performance, workload, basis in (({}, slo(itl_s=0.555), "interpolated"), ({}, {}, "measured"),
                                             ({}, slo(itl_s=2), "measured"),  # batch 101, the end of both
                                             ({"units_per_s": 5}, slo(ttft_s=0.555), "interpolated"),
                                             ({"units_per_s": 5, "batch": 7}, slo(ttft_s=0.555), "measured")):
            performance = {"units_per_s": fast, "itl_s": slow, "ttft_s": slow} | performance
            self.assertEqual(self.evidence(performance, workload), basis)

    def test_scaling_that_is_not_known(self):
        flops = {"estimate": {"method": "training_flops", "mfu": 0.4, "active_parameters": 1e9}, "precision": "bf16"}
        devices = throughput([1, 5], [8, 40], axis="devices")
        falling = curve([1, 1], [8, 0.9], kind="scaling", axis="devices")
        for performance, basis in ((flops | {"devices": 8}, "estimated"), (flops | {"devices": 16}, "assumed"),
                                   (flops | {"devices": 16, "scaling": 0.9}, "estimated"), ({"devices": 16}, "measured"),
                                   ({"devices": 4, "units_per_s": devices}, "interpolated"),
                                   ({"devices": 9, "units_per_s": devices}, "assumed"),
                                   ({"devices": 9, "scaling": falling}, "assumed"),
                                   ({"devices": 0.5, "scaling": falling}, "extrapolated")):
            self.assertEqual(self.evidence(performance), basis)

    def test_precisions_that_differ(self):
        for ours, theirs, basis in (("bf16", "fp8", "assumed"), ("fp8", "fp8", "measured"), (None, "fp8", "measured")):
            performance = {"precision": ours} if ours else {}
            self.assertEqual(self.evidence(performance, {"precision": theirs}), basis)

    def test_a_hosted_model_has_none(self):
        work = inference("api", 5) | {"runs_on": [{"pool": "api"}]}
        self.assertIsNone(run([work], [api()])["by_workload"]["serve"]["evidence"])
        both = inference("rent", 20)
        both["runs_on"].append({"pool": "api"})
        result = run([both], [cloud({"devices": 1}), api()])
        self.assertEqual(result["by_workload"]["serve"]["evidence"], "measured")

    def test_an_unknown_rate_of_interruptions(self):
        spot = {"purchase": "spot"}
        for offer, basis in ((spot, "assumed"), (spot | {"interruptions_per_hour": 0}, "measured"), ({}, "measured")):
            for work in (inference("rent", 5), batch("rent", 36000)):
                self.assertEqual(run([work], [cloud(offer)])["by_workload"][work["id"]]["evidence"], basis)

    def test_a_learning_curve_lowers_none(self):
        ramp = {"kind": "ramp", "axis": "months", "points": [[3, 0.5], [9, 1]]}
        result = run([inference("rent", 5)], [cloud({}, ramp=ramp)], months=2)
        self.assertEqual(result["by_workload"]["serve"]["evidence"], "measured")


if __name__ == "__main__":
    unittest.main()
