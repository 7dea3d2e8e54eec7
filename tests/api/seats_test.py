"""Long questions of two callers who ask without end, and of a third, who waits for a seat and is answered; small reads meanwhile.

usage: seats_test.py COSTCURVE
"""

import os
import pathlib
import sys
import threading
import time
import unittest

from command_line_case import SMALLEST, CommandLineCase
from daemon import Daemon

PRICE = {"pointer": "/pools/0/offer/hourly_price", "distribution": {"kind": "uniform", "low": 1, "high": 9}}
LONG_S = 1.0  # of a question of the two
ASKED = 20
CATALOGUE = sorted((pathlib.Path(__file__).parents[2] / "deploy" / "catalog").glob("*.json"))
CHAT = {"kind": "inference", "unit": "token", "model": "llama-3.1-70b", "units_per_request": {"input": 500, "output": 300}}
RANKED_S = 9.0  # a read that finds no reader is refused after five


class Seats(CommandLineCase):
    def headers_of(self, name):
        status, secret, said = self.run_costcurve("keys", "add", name, "--role", "viewer", "--database", self.database)
        self.assertEqual(status, 0, said)
        return {"Authorization": f"Bearer {secret.strip()}"}

    def test_a_third_caller_is_answered_beside_two_with_eight_connections_each(self):
        keys = [self.headers_of(name) for name in ("ann", "bob", "eve")]
        endless = {"scenarios": [{**SMALLEST, "months": 24}], "inputs": [PRICE], "samples": 900_000, "deadline_s": LONG_S}
        counts, over = {}, threading.Event()
        with Daemon(self.costcurve, self.directory, "--require-keys") as daemon:
            def ask_on(headers):
                while not over.is_set():
                    status = daemon.ask("POST", "/v1/simulate", endless, headers)[0]
                    counts[status] = counts.get(status, 0) + 1
                    time.sleep(0.02 if status == 503 else 0)
            others = [threading.Thread(target=ask_on, args=(headers,)) for headers in keys[:2] for _ in range(8)]
            for one in others:
                one.start()
            try:
                time.sleep(0.5)
                small = {"scenarios": [SMALLEST], "inputs": [PRICE], "samples": 100}
                began = time.monotonic()
                found = [daemon.ask("POST", "/v1/simulate", small, keys[2])[0] for _ in range(ASKED)]
                waited = time.monotonic() - began
            finally:
                over.set()
                for one in others:
                    one.join()
        self.assertEqual(found, [200] * ASKED, counts)
        self.assertLess(waited, 20, "a seat is kept for who has none once both have theirs")
        self.assertGreater(counts.get(503, 0), 0, "the two had more than their seats")

    def test_small_reads_go_on_beside_rankings_one_of_which_waits(self):
        status, _, said = self.run_costcurve("import", "json", *map(str, CATALOGUE), "--database", self.database)
        self.assertEqual(status, 0, said)
        keys = [self.headers_of(name) for name in ("ann", "bob", "dan", "eve", "fay")]
        work = [{**CHAT, "id": f"w{i}", "demand": {"mean_per_s": 5 + i}} for i in range(64)]
        ranking = {"workloads": work, "start": "2026-12", "months": 240, "deadline_s": RANKED_S, "samples": 2000, "top": 100}
        ends, reads = [], []
        with Daemon(self.costcurve, self.directory, "--require-keys") as daemon:
            def rank(headers):
                ends.append((daemon.ask("POST", "/v1/rank", ranking, headers)[0], time.monotonic()))
            others = [threading.Thread(target=rank, args=(headers,)) for headers in keys[:4]]
            began = time.monotonic()
            for one in others:
                one.start()
            while time.monotonic() - began < RANKED_S - 1 and not ends:
                reads += [daemon.ask("GET", path, headers=keys[4])[0] for path in ("/v1/offers?limit=5", "/readyz")]
                time.sleep(0.2)
            for one in others:
                one.join()
        self.assertGreater(min(end for _, end in ends) - began, 6, f"they took longer than a read waits: {ends}")
        self.assertEqual(set(reads), {200}, reads)
        self.assertGreater(len(reads), 4)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    CommandLineCase.costcurve = os.path.abspath(sys.argv.pop(1))
    unittest.main()
