"""Holds the fits of decode_step to their measured rates: files, bounds, the optimizer, the shares that docs/estimates.md publishes.

usage: estimates_test.py ROOT    (the repository's root)
"""
import dataclasses
import json
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else ".").resolve()
CATALOG = ROOT / "deploy" / "catalog"
sys.path.insert(0, str(CATALOG))
sys.dont_write_bytecode = True

import estimate_fit  # noqa: E402
import estimate_points  # noqa: E402
import fit_estimates  # noqa: E402

ROW = re.compile(r'^    \{DecodeFit::(\w+), "([^"]*)",\s+\{([^"]+), "([^"]+)"\}\},$', re.MULTILINE)
SCOPES = {"device": "device", "vendor": "maker", "pcie": "pcie", "all": "all"}


class Estimates(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.fits, cls.misses, cls.prompt_misses, cls.left_out = fit_estimates.compute()
        cls.page = (ROOT / "docs/estimates.md").read_text(encoding="utf-8")
        table = (ROOT / "model/performance/decode_factors_table.hpp").read_text(encoding="utf-8")
        cls.rows = [(SCOPES[scope], of, [float(number) for number in numbers.split(",")], words)
                    for scope, of, numbers, words in ROW.findall(table)]

    def test_files_are_what_the_catalogue_makes(self):
        subprocess.run([sys.executable, CATALOG / "fit_estimates.py", "--check"], check=True)

    def test_factors_are_in_their_bounds(self):
        self.assertGreaterEqual(len(self.rows), 5)
        for _, of, (alpha, beta, gamma, low, high), _ in self.rows:
            self.assertTrue(0 < alpha <= 1 and 0 < beta <= 1 and 0 <= gamma < 0.1, of)
            self.assertTrue(0 < low <= high, of)

    def test_compiled_table_is_the_fit(self):
        self.assertEqual([(row[0],) + ((row[1],) if row[1] else ()) for row in self.rows], [fit.scope for fit in self.fits])
        for (_, of, numbers, words), fit in zip(self.rows, self.fits):
            percentiles = [estimate_fit.percentile(fit.ratios, share) for share in (0.05, 0.95)]
            for written, computed in zip(numbers, [*fit.factors, *percentiles]):
                self.assertAlmostEqual(written / computed, 1, delta=0.006, msg=of)
            self.assertIn(f"{len(fit.ratios)} points", words)
        self.assertEqual(self.rows[-1][0], "all")  # what decode_factors() falls back to

    def test_published_shares_are_the_computed_ones(self):
        checked = 0
        for name, holds in (("all", lambda point: True), ("GPUs", lambda point: point.kind == "gpu"),
                            ("TPUs", lambda point: point.kind == "tpu"), ("Intel", lambda point: point.vendor == "Intel")):
            ratios = [miss.ratio for miss in self.misses if holds(miss.point)]
            share = 100 * sum(0.8 <= ratio <= 1.3 for ratio in ratios) / len(ratios)
            row = re.search(rf"^\| {name} \| (\d+) \| \d+ \| (\d+) % \|", self.page, re.MULTILINE)
            self.assertEqual((int(row[1]), int(row[2])), (len(ratios), round(share)), name)
            checked += 1
        self.assertEqual(checked, 4)

    def test_every_measured_rate_of_a_model_is_predicted_or_named(self):
        performances = json.loads((CATALOG / "performances.json").read_text(encoding="utf-8"))
        measured = {one["id"] for one in performances if one.get("basis") == "measured" and "model" in one}
        predicted = {miss.point.id for miss in self.misses + self.prompt_misses}
        named = {name for name, _ in self.left_out}
        self.assertFalse(predicted & named)
        self.assertEqual(predicted | named, measured)
        for name in named:
            self.assertIn(f"`{name}`", self.page)
        for miss in self.misses + self.prompt_misses:
            self.assertIn(f"| `{miss.point.device}` | `{miss.point.model}` |", self.page)

    def test_plot_has_every_point_within_its_frame(self):
        plot = (ROOT / "docs/estimates.svg").read_text(encoding="utf-8")
        self.assertLess(len(plot), 60000)
        circles = [(float(x), float(y)) for x, y in re.findall(r'<circle cx="([\d.]+)" cy="([\d.-]+)" r="3.5"', plot)]
        self.assertEqual(len(circles), len(self.misses) + len(self.prompt_misses))
        for x, y in circles:
            self.assertTrue(84 <= x <= 524 and 20 <= y <= 460, (x, y))

    def test_a_group_left_out_does_not_help_to_predict_itself(self):
        points = [miss.point for miss in self.misses if not miss.point.pcie][:60]
        group = points[0].group
        doubled = [dataclasses.replace(point, measured=point.measured * (2 if point.group == group else 1)) for point in points]
        before, after = (estimate_fit.Fits(some).miss(some[0]).ratio for some in (points, doubled))
        self.assertAlmostEqual(after * 2, before, places=12)

    def test_known_factors_are_found_again(self):
        known = (0.7, 0.45, 120e-6)
        points = [dataclasses.replace(miss.point, measured=estimate_points.predict(miss.point, known)) for miss in self.misses]
        found = estimate_fit.fit_factors(points, estimate_fit.START, hold=0)
        for factor, expected in zip(found, known):
            self.assertAlmostEqual(factor / expected, 1, delta=1e-3)

    def test_a_step_worked_by_hand(self):
        # Weights read in 8 ms, cache of a sequence in 10 us, arithmetic of a token 20 us, 80 layers, no prompts; batch 100:
        # 8/0.8 + 100 x 0.01/0.8 + 100 x 0.02/0.4 + 80 x 0.05 ms = 10 + 1.25 + 5 + 4 = 20.25 ms.
        point = dataclasses.replace(self.misses[0].point, weights_s=8e-3, cache_s=1e-5, work_s=2e-5, prompt_s=0.0, layers=80,
                                    batch=100.0, counted=1.0)
        factors = (0.8, 0.4, 5e-5)
        self.assertAlmostEqual(estimate_points.predict(point, factors), 100 / 20.25e-3, places=6)
        # The largest batch within 14 + b x 0.0625 ms <= 24 ms is 160; memory for 40 bounds it before that.
        bound = dataclasses.replace(point, batch=None, max_batch=1000.0, step_limit_s=24e-3)
        self.assertAlmostEqual(estimate_points.predict(bound, factors), 160 / 24e-3, places=6)
        small = dataclasses.replace(bound, max_batch=40.0)
        self.assertAlmostEqual(estimate_points.predict(small, factors), 40 / 16.5e-3, places=6)


unittest.main()
