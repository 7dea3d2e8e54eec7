"""Rates on the command line and over HTTP: the same answer, and objectives.

usage: rate_line_test.py COSTCURVE
"""

import json
import os
import re
import sys
import unittest

from command_line_case import CommandLineCase
from daemon import Daemon

CATALOGUE = {
    "devices": [{"id": "d", "kind": "gpu", "tdp_w": 700, "memory_gib": 80, "memory_bandwidth_gb_per_s": 3350,
                 "peak_flops": {"bf16": 989e12}}],
    "models": [{"id": "acme-70b", "name": "Acme 70B", "parameters": 70e9, "active_parameters": 70e9, "layers": 80,
                "weight_bytes": {"bf16": 140e9}, "kv_bytes_per_token": 327680, "context_tokens": 131072}],
}
WORK = ["acme-70b", "--device", "d", "--input", "1000", "--output", "300"]


class RateCase(CommandLineCase):
    def refused(self, *arguments):
        status, out, err = self.run_costcurve("rate", *arguments)
        self.assertEqual((status, out), (2, ""), err)
        return err


class RateTest(RateCase):
    def rate(self, *arguments):
        status, out, err = self.run_costcurve("rate", *arguments, "--database", self.database)
        self.assertEqual(status, 0, err)
        return out

    def store(self):
        status, _, err = self.run_costcurve("import", "json", self.write("catalogue.json", CATALOGUE), "--database", self.database)
        self.assertEqual(status, 0, err)

    def test_answers_what_http_answers(self):
        self.store()
        line = self.rate(*WORK, "--cached", "100", "--concurrency", "8", "--concurrencies", "1,64", "--precision", "bf16",
                         "--kv-precision", "fp8", "--framework", "vllm", "--format", "json")
        with Daemon(self.costcurve, self.directory) as daemon:
            for kind, documents in CATALOGUE.items():
                for document in documents:
                    daemon.ask("PUT", f"/v1/{kind}/{document['id']}", document)
            status, _, answer = daemon.ask("POST", "/v1/rates", {
                "model": "acme-70b", "device": "d", "input": 1000, "output": 300, "cached_input": 100, "concurrency": 8,
                "concurrencies": [1, 64], "precision": "bf16", "kv_precision": "fp8", "framework": "vllm"})
        self.assertEqual(status, 200, answer)
        self.assertEqual(json.loads(line), answer if isinstance(answer, dict) else json.loads(answer))

    def test_prints_figures_with_their_units_and_a_row_a_load(self):
        self.store()
        text = self.rate(*WORK, "--concurrency", "8", "--concurrencies", "1,64")
        self.assertIn("acme-70b at bf16 on 2 d: 1000 tokens in, 0 of them cached, 300 out", text)
        self.assertRegex(text, r"output +[\d.]+ tokens/s, p10 [\d.]+, p90 [\d.]+")
        self.assertRegex(text, r"between tokens +[\d.]+ ms")
        self.assertEqual(re.findall(r"^  (\d+) .*assumed$", text, flags=re.M), ["1", "8", "64"])
        self.assertNotIn("requests at a time", self.rate(*WORK), "one load needs no table")

    def test_keeps_objectives(self):
        self.store()
        found = json.loads(self.rate(*WORK, "--itl-s", "0.1", "--ttft-s", "60", "--e2e-s", "60", "--format", "json"))
        self.assertGreater(found["concurrency"], 1)
        self.assertLessEqual(found["itl_s"], 0.1)

    def test_refuses_in_words(self):
        self.store()
        database = ["--database", self.database]
        self.assertIn("near is acme-70b", self.refused("acme-7b", *WORK[1:], *database))
        self.assertIn("with one request; allowed 0.001 s", self.refused(*WORK, "--itl-s", "0.001", *database))
        self.assertIn("--concurrency", self.refused(*WORK, "--itl-s", "1", "--concurrency", "8"))
        self.assertIn("output is 0", self.refused(*WORK[:-1], "0", *database))
        for missing in range(1, 7, 2):
            self.assertIn(f"{WORK[missing]} is required", self.refused(*WORK[:missing], *WORK[missing + 2:]))
        self.assertIn("MODEL is required", self.refused(*WORK[1:]))


if __name__ == "__main__":
    CommandLineCase.costcurve = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
