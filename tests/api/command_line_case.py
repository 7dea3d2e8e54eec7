"""What tests of the command line share: the smallest scenario, files in a place of their own, and a run of costcurve."""

import copy
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

PATIENCE_S = 60  # a process that takes longer hangs

SMALLEST = {
    "name": "one hour at a time",
    "start": "2026-01",
    "months": 1,
    "workloads": [{"id": "work", "kind": "inference", "demand": {"mean_per_s": 1},
                   "runs_on": [{"pool": "pool", "performance": {"units_per_s": 1}}]}],
    "pools": [{"id": "pool", "kind": "cloud", "max_instances": 10,
               "offer": {"provider": "p", "device": {"kind": "gpu", "tdp_w": 500}, "devices": 1,
                         "purchase": "on_demand", "hourly_price": 3.6}}],
}
COST = 744 * 3.6  # hours of January at the price of one instance


def changed(**members):
    scenario = copy.deepcopy(SMALLEST)
    scenario.update(members)
    return scenario


def environment():
    """The caller's, without settings of costcurve's own."""
    return {name: value for name, value in os.environ.items() if not name.startswith("COSTCURVE_")}


class CommandLineCase(unittest.TestCase):
    costcurve = ""  # path of the binary under test

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.directory = pathlib.Path(place.name)

    def write(self, name, content):
        path = self.directory / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return str(path)

    def run_costcurve(self, *arguments, stdin=b"", env=None):
        """Ends by an exit status of its own: a signal (a crash) fails the test."""
        done = subprocess.run([self.costcurve, *arguments], input=stdin, capture_output=True, timeout=PATIENCE_S,
                              env={**environment(), **(env or {})}, cwd=self.directory)
        said = done.stderr.decode(errors="replace")
        self.assertGreaterEqual(done.returncode, 0, f"killed by signal {-done.returncode}: {said}")
        return done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8")
