"""Holds figures of performances.json that must agree to each other: the catalogue's measured rates of language models.

A time per output token is not below the time in which the devices can read the weights, a rate is not above the arithmetic that
they can do, and where a performance says how long a request takes, or how many ran at a time, its times are of those.

usage: agreement_test.py ROOT    (the repository's root)
"""
import csv
import fnmatch
import json
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else ".")
CATALOG = ROOT / "deploy" / "catalog"
sys.path.insert(0, str(CATALOG))

from assemble import output_rates  # noqa: E402 pylint: disable=wrong-import-position
from models import BYTES_A_PARAMETER  # noqa: E402 pylint: disable=wrong-import-position

BYTES_PER_GB = 1e9
FLOPS_PER_PARAMETER = 2  # a token
DRAFT_TOKENS = 5  # a step of speculative decoding gives no more, in the sources' settings
REQUEST = re.compile(r"a request takes ([\d.]+) s on average")


def load(name):
    return {one["id"]: one for one in json.loads((CATALOG / f"{name}.json").read_text(encoding="utf-8"))}


def points_of(curves, rate):
    """(batch or None, value) of a number, a curve, or the id of one."""
    if isinstance(rate, str):
        rate = curves[rate]
    return [(None, rate)] if isinstance(rate, (int, float)) else [tuple(point) for point in rate["points"]]


def prompt_rows():
    with open(CATALOG / "sources" / "measured_prompts.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def peak_flops(device, precision):
    """Weights of int4 are computed with at 16 bit; fp16 and bf16 have one peak. None: the catalogue does not know it."""
    return device.get("peak_flops", {}).get({"int4": "bf16", "fp16": "bf16"}.get(precision, precision))


def weight_bytes(model, precision):
    name = {"fp16": "bf16"}.get(precision, precision)
    return model["weight_bytes"].get(name) or model["parameters"] * BYTES_A_PARAMETER[name]


class Agreement(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.devices, cls.models, cls.curves = load("devices"), load("models"), load("curves")
        cls.performances = {key: one for key, one in load("performances").items()
                            if one["basis"] == "measured" and one.get("model") in cls.models}
        cls.prompts = {id: row for row in prompt_rows() for id in cls.performances
                       if fnmatch.fnmatchcase(id, row["ids"])}

    def steps(self, performance):
        """Tokens that a step may give: more than one where a draft is verified."""
        said = performance["id"] + performance.get("note", "")
        return DRAFT_TOKENS if re.search(r"draft|specul|mtp|eagle", said, re.IGNORECASE) else 1

    def weights_s(self, performance):
        """Seconds in which the devices read the weights that one token takes."""
        model, device = self.models[performance["model"]], self.devices[performance["device"]]
        active = weight_bytes(model, performance["precision"]) * model["active_parameters"] / model["parameters"]
        return active / (device["memory_bandwidth_gb_per_s"] * BYTES_PER_GB * performance["devices"])

    def test_a_rate_and_the_measurement_that_it_names_say_the_same(self):
        named = 0
        measurements = load("measurements")
        for performance in load("performances").values():
            if "measurement" not in performance:
                continue
            named += 1
            measurement = measurements[performance["measurement"]]
            for name in ("model", "device", "devices"):
                self.assertEqual(measurement[name], performance[name], performance["id"])
            rates = output_rates(performance, self.curves)
            told = [rate for rate in rates if any(abs(rate / other - 1) < 0.005 for other in measurement["points"]["output_per_s"])]
            self.assertGreater(len(told), len(rates) / 2, performance["id"])
        self.assertGreaterEqual(named, 60)

    def test_every_measured_rate_of_a_model_states_its_request(self):
        for performance in self.performances.values():
            self.assertIn("mix", performance, performance["id"])

    def test_no_token_is_faster_than_the_memory(self):
        seen = 0
        for performance in self.performances.values():
            for batch, seconds in points_of(self.curves, performance.get("itl_s", {"points": []})):
                seen += 1
                self.assertGreaterEqual(seconds * self.steps(performance), self.weights_s(performance),
                                        f"{performance['id']} at batch {batch}: itl_s is below weights / bandwidth")
        self.assertGreater(seen, 80)

    def test_no_rate_is_above_the_arithmetic(self):
        for performance in self.performances.values():
            model, device = self.models[performance["model"]], self.devices[performance["device"]]
            peak = peak_flops(device, performance.get("precision"))
            if peak is None:
                continue  # the catalogue does not know it
            for batch, rate in points_of(self.curves, performance["units_per_s"]):
                done = FLOPS_PER_PARAMETER * model["active_parameters"] * rate
                self.assertLess(done, peak * performance["devices"], f"{performance['id']} at batch {batch}")

    def test_times_of_a_request_add_up(self):
        seen = 0
        for id, performance in self.performances.items():
            stated = REQUEST.search(performance.get("note", ""))
            if stated:
                seen += 1
                times = performance["ttft_s"] + performance["itl_s"] * (float(self.prompts[id]["output"]) - 1)
                self.assertAlmostEqual(times / float(stated[1]), 1, delta=0.02, msg=id)
        self.assertEqual(seen, 3)

    def test_requests_at_a_time_are_those_of_the_rate(self):
        """Little: output tokens/s x time per output token is how many decode at a time, at most those that ran."""
        seen = 0
        for id, performance in self.performances.items():
            row = self.prompts.get(id)
            if row is None or "itl_s" not in performance or not row["output"]:
                continue
            output = float(row["output"])
            share = 1.0 if row["counted"] == "output" else output / (output + float(row["input"]))
            rates = dict(points_of(self.curves, performance["units_per_s"]))
            ttft = dict(points_of(self.curves, performance.get("ttft_s", 0)))
            for batch, seconds in points_of(self.curves, performance["itl_s"]):
                at_a_time = batch or performance.get("batch") or float(row["batch"] or 0)
                if not at_a_time or batch not in rates:
                    continue
                seen += 1
                first = 0 if row["batch"] else ttft.get(batch, 0)
                ratio = rates[batch] * share / output * (first + seconds * (output - 1)) / at_a_time
                is_tail = performance.get("latency_percentile", 50) > 50  # above the mean that Little's law is of
                self.assertGreater(ratio, 0.65, f"{id} at {at_a_time}: its times are too short for so many at its rate")
                self.assertLess(ratio, 2.2 if is_tail else 1.25, f"{id} at {at_a_time}: its times are too long for its rate")
        self.assertGreater(seen, 120)


if __name__ == "__main__":
    unittest.main()
