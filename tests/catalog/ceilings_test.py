"""Holds the plans that `rank` finds over the shipped catalogue to what their devices can do, reckoned here from the catalogue's
facts: arithmetic of prompts and answers within 0.75 of the peak, weights read once a step within 0.95 of the bandwidth.

usage: ceilings_test.py ROOT COSTCURVE    (the repository's root, the built binary)
"""
import itertools
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT, COSTCURVE = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(2))
CATALOG = ROOT / "deploy" / "catalog"

MODELS = ["llama-3.1-8b", "llama-3.1-70b", "llama-3.1-405b", "qwen3-32b", "qwen3-235b-a22b", "qwen2.5-72b", "mixtral-8x7b",
          "deepseek-r1", "gpt-oss-120b", "gpt-oss-20b", "gemma-3-27b", "qwen3-8b"]
MIXES = [(100, 100), (500, 300), (1000, 1000), (8000, 300), (200, 2000)]  # tokens in and out
LOADS = [0.5, 10, 200]  # requests a second
PEAK, BANDWIDTH = 0.75, 0.95
FLOPS_PER_PARAMETER = 2
BYTES_PER_GB = 1e9
SIXTEEN_BIT = ("bf16", "fp16")


def load(name):
    return {one["id"]: one for one in json.loads((CATALOG / f"{name}.json").read_text(encoding="utf-8"))}


def read_at(curve, x):
    """A curve's value at one of its points."""
    return dict(map(tuple, curve["points"]))[x]


class Ceilings(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        cls.addClassCleanup(cls.folder.cleanup)
        cls.database = pathlib.Path(cls.folder.name) / "catalog.db"
        files = sorted(CATALOG.glob("*.json"))
        subprocess.run([COSTCURVE, "import", "json", *files, "--database", cls.database], check=True, capture_output=True)
        cls.models, cls.devices = load("models"), load("devices")

    def plans(self, model, tokens, load_per_s):
        line = [COSTCURVE, "rank", model, "--rps", str(load_per_s), "--input", str(tokens[0]), "--output", str(tokens[1]),
                "--start", "2026-12", "--months", "12", "--top", "3", "--samples", "0", "--format", "json",
                "--database", self.database]
        return json.loads(subprocess.run(line, check=True, capture_output=True).stdout)["plans"]

    def peak(self, device, precision):
        peaks = device["peak_flops"]
        wide = max((peaks.get(name, 0) for name in SIXTEEN_BIT), default=0) or max(peaks.get("fp8", 0), peaks.get("int8", 0)) / 2
        return peaks.get(precision) or wide

    def check(self, model, tokens, performance, batch):
        device, facts, count = self.devices[performance["device"]], self.models[model], performance["devices"]
        units_per_s = read_at(performance["units_per_s"], batch)
        out_per_s = units_per_s / (1 + performance["class_weights"]["input"] * tokens[0] / tokens[1])
        work = out_per_s * (1 + tokens[0] / tokens[1]) * FLOPS_PER_PARAMETER * facts["active_parameters"]
        self.assertLessEqual(work, PEAK * count * self.peak(device, performance["precision"]), performance)
        if facts["active_parameters"] == facts["parameters"]:  # of a mixture a step reads the experts that it hits
            read = out_per_s / batch * facts["weight_bytes"][performance["precision"]]
            limit = BANDWIDTH * count * device["memory_bandwidth_gb_per_s"] * BYTES_PER_GB
            self.assertLessEqual(read, limit * 1.02, performance)  # an embedding is not read whole

    def test_no_plan_is_faster_than_its_devices(self):
        seen = 0
        for model, tokens, load_per_s in itertools.product(MODELS, MIXES, LOADS):
            for plan in self.plans(model, tokens, load_per_s):
                [workload] = plan["scenario"]["workloads"]
                for entry in workload["runs_on"]:
                    performance = entry.get("performance")
                    if performance:
                        points = performance["units_per_s"]["points"]
                        self.check(model, tokens, performance, points[-1][0])
                        seen += 1
        self.assertGreater(seen, 150)

    def test_longer_prompts_cost_more(self):
        first = [self.plans("llama-3.1-70b", (prompt, 300), 50)[0]["decisive"] for prompt in (100, 500, 1000)]
        self.assertLess(first[0], first[1])
        self.assertLess(first[1], first[2])


if __name__ == "__main__":
    unittest.main()
