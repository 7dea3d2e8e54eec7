"""Every POST route that evaluates, small, large and as wide as it is allowed: each is answered, refused or ended at its deadline,
and small requests of others are answered meanwhile.

usage: every_question_test.py COSTCURVE REPOSITORY [unittest options]
"""

import copy
import json
import os
import pathlib
import select
import sys
import time
import unittest

from command_line_case import PATIENCE_S, SMALLEST, CommandLineCase
from daemon import Daemon

REPOSITORY = pathlib.Path()
DEADLINE_S = 2  # of a question
STREAMED = "/v1/evaluate/batch"
TOGETHER = 4  # of one client, at once: more than it has seats

# POST routes that evaluate no scenario: they read, send or mark.
OTHERS = {"/v1/telemetry", "/v1/calibrations", "/v1/imports", "/v1/deliveries/{id}/retry", "/v1/webhooks/{id}/test",
          "/v1/feeds/{id}/run", "/v1/feeds/{id}/runs/{run}/accept", "/v1/feeds/{id}/runs/{run}/reject",
          "/v1/feeds/{id}/runs/{run}/undo", "/v1/imports/{run}/accept", "/v1/imports/{run}/reject", "/v1/imports/{run}/undo"}


def scenario_of(pools, months, by_hour):
    """Demand that is spread over so many pools, each with an offer of its own; `by_hour`: every hour of the year differs."""
    pool, run = SMALLEST["pools"][0], SMALLEST["workloads"][0]["runs_on"][0]
    work = copy.deepcopy(SMALLEST["workloads"][0])
    work["runs_on"] = [{**run, "pool": f"pool{i}"} for i in range(pools)]
    work["demand"] = {"mean_per_s": pools / 2}
    if by_hour:
        work["demand"]["shape"] = {"kind": "demand", "axis": "hour_of_year", "interpolation": "step",
                                   "points": [[hour, 1 + hour % 7 / 10] for hour in range(8760)]}
    offers = [{**pool["offer"], "hourly_price": 3 + i / 100} for i in range(pools)]
    return {**SMALLEST, "months": months, "workloads": [work],
            "pools": [{**pool, "id": f"pool{i}", "offer": offer} for i, offer in enumerate(offers)]}


# By name: the least, one whose evaluation takes hundredths of a second, and the most pools, months and hours that a scenario has.
SCENARIOS = {"small": scenario_of(1, 1, False), "large": scenario_of(40, 120, False), "widest": scenario_of(64, 240, True)}
PRICE, OTHER = "/pools/0/offer/hourly_price", "/pools/0/max_instances"
DRAWN = {"pointer": PRICE, "distribution": {"kind": "uniform", "low": 1, "high": 9}}


CATALOGUE = {
    "devices": [{"id": "d", "kind": "gpu", "tdp_w": 500, "memory_gib": 80, "memory_bandwidth_gb_per_s": 3350,
                 "peak_flops": {"bf16": 989e12}}],
    "models": [{"id": "rated", "parameters": 8e9, "active_parameters": 8e9, "weight_bytes": {"bf16": 16e9},
                "kv_bytes_per_token": 131072, "layers": 32, "context_tokens": 131072}],
    "performances": [{"id": "rate", "device": "d", "model": "m", "units_per_s": 1000, "basis": "measured"}],
    "offers": [{"id": f"offer{i}", "provider": f"p{i}", "region": "here", "sku": "one", "device": "d", "devices": 1,
                "currency": "USD", "purchase": "on_demand", "hourly_price": 1 + i / 100} for i in range(100)],
    "endpoints": [{"id": "host", "provider": "host", "model": "m", "price_per_million_units": 2, "currency": "USD"}],
}


def bodies_of(name):
    """By route: bodies about a stored scenario, each wider than the one before."""
    all_inputs = [{"pointer": PRICE, "low": 1 + i / 2000, "high": 9} for i in range(1000)]
    grid = {"pointer": PRICE, "from": 1, "to": 9}, {"pointer": OTHER, "from": 1, "to": 100}
    work = [{**SMALLEST["workloads"][0], "id": f"work{i}", "model": "m", "unit": "token"} for i in range(20)]
    for one in work:
        del one["runs_on"]
    return {
        "/v1/evaluate": [{"scenario": name}, {"scenario": name, "ledger": True}, {"scenario": SCENARIOS[name]}],
        "/v1/evaluate/batch": [{"scenarios": [name]}, {"scenarios": [name] * 100}, {"scenarios": [name] * 10_000}],
        "/v1/compare": [{"scenarios": [name] * count} for count in (1, 10, 100)],
        "/v1/break-even": [{"a": name, "b": name, "over": "horizon"},
                           {"a": name, "b": name, "input": PRICE, "low": 1, "high": 9},
                           {"a": name, "b": name, "input": "/months", "low": 1, "high": 240}],
        "/v1/solve": [{"scenario": name, "input": PRICE, "low": 1, "high": high, "output": "/total/cost", "target": target}
                      for high, target in ((9, 1), (9, 1e5), (1e6, 1e9))],
        "/v1/sensitivity": [{"scenario": name, "inputs": all_inputs[:1]},
                            {"scenario": name, "against": [name] * 20, "decisions": True},
                            {"scenario": name, "against": [name] * 100, "inputs": all_inputs}],
        "/v1/recalculations": [{"scenarios": [name]}, {"scenarios": list(SCENARIOS)}, {"scenarios": "all"}],
        "/v1/explain": [{"scenario": name, "figure": figure} for figure in ("/total/cost", "/total/npv", "/total/cash")],
        "/v1/profile": [{"scenario": name}, {"scenario": name, "month": "2026-01"},
                        {"scenario": name, "month": "2026-01", "scale": {PRICE: 2}}],
        "/v1/simulate": [{"scenarios": [name] * count, "inputs": [DRAWN], "samples": samples}
                         for count, samples in ((1, 2), (2, 10_000), (100, 1_000_000))],
        "/v1/map": [{"scenarios": [name] * count, "x": {**grid[0], "steps": steps}, "y": {**grid[1], "steps": steps}}
                    for count, steps in ((1, 2), (2, 50), (25, 100))],
        "/v1/optimize": [{"scenario": name, "decide": [{"pointer": OTHER, "min": 0, "max": most}], "evaluations": evaluations}
                         for most, evaluations in ((1, 2), (50, 1000), (100_000, 100_000))],
        "/v1/rank": [{"workloads": work[:count], "start": "2026-01", "months": months, "samples": samples}
                     for count, months, samples in ((1, 1, 2), (4, 36, 100), (20, 240, 10_000))],
        "/v1/rates": [{"model": "rated", "device": "d", "input": 1000, "output": 300, **more}
                      for more in ({}, {"slo": {"itl_s": 0.05}}, {"concurrencies": [load + 1 for load in range(1000)]})],
        "/v1/variances": [{"scenario": name, "pool": "pool0", "from": "2026-01", "to": "2026-01", "actual": actual}
                          for actual in ({"cost": 1}, {"cost": 1, "device_hours": 1}, {"telemetry": {"device": "H100"}})],
        "/v1/actuals": [{"scenario": name, "from": "2026-01", "to": "2026-01", **more}
                        for more in ({}, {"bill": {}}, {"match": [{"pool": "pool0", "tags": {"a": "b"}}]})],
        "/v1/forecast": [{"scenario": name, "month": "2026-01", **more}
                         for more in ({}, {"history_days": 366}, {"pools": [{"pool": "pool0", "sku": "b"}], "interval": 0.95})],
        "/v1/drift": [{"scenario": name, "pool": "pool0", **more}
                      for more in ({"bill": {}}, {"telemetry": {"device": "H100"}},
                                   {"telemetry": {"device": "H100"}, "bill": {}, "reference_days": 366})],
        "/v1/tenant-costs": [{"scenario": name, "from": "2026-01", "to": "2026-01", "cost": 1,
                              "usage": [{"team": f"t{i}", "user": f"u{i}", "input_tokens": i} for i in range(count)]}
                             for count in (1, 100, 10_000)],
        "/mcp": [{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
                 for tool, arguments in (("evaluate", {"scenario": name}), ("compare", {"scenarios": [name] * 100}),
                                         ("sensitivity", {"scenario": name, "against": [name] * 100, "inputs": all_inputs}))],
    }


class EveryQuestion(CommandLineCase):
    def test_the_generator_knows_every_post_route(self):
        described = json.loads((REPOSITORY / "docs/openapi.json").read_text(encoding="utf-8"))["paths"]
        posts = {path for path, methods in described.items() if "post" in methods}
        self.assertEqual(posts, set(bodies_of("small")) | OTHERS, "a new route needs bodies of three sizes here")

    def cases(self):
        every = [(route, name, width, body) for name in SCENARIOS for route, bodies in bodies_of(name).items()
                 for width, body in enumerate(bodies)]
        self.assertGreaterEqual(len(every), 100)
        return every

    def test_each_ends_and_small_requests_are_answered_meanwhile(self):
        with Daemon(self.costcurve, self.directory, "--question-seconds", str(DEADLINE_S)) as daemon:
            for kind, documents in CATALOGUE.items():
                for document in documents:
                    status, _, answer = daemon.ask("PUT", f"/v1/{kind}/{document['id']}", document)
                    self.assertEqual(status, 201, answer)
            for name, scenario in SCENARIOS.items():
                status, _, answer = daemon.ask("PUT", f"/v1/scenarios/{name}", scenario)
                self.assertEqual(status, 201, answer)
            seen = {}
            for route, name, width, body in self.cases():
                with self.subTest(route=route, scenario=name, width=width):
                    statuses = self.answers_of(daemon, route, json.dumps(body).encode())
                    seen.setdefault(route, set()).update(statuses)
        self.assertTrue(all(statuses & {200, 202} for statuses in seen.values()), seen)
        for route, statuses in sorted(seen.items()):
            print(route, sorted(statuses), file=sys.stderr)

    def answers_of(self, daemon, route, body):
        """The statuses of so many at once."""
        connections = [daemon.connect() for _ in range(TOGETHER)]
        try:
            for connection in connections:
                connection.request("POST", route, body, {"Content-Type": "application/json"})
            begun = self.processor_seconds(daemon)
            status, _, found = daemon.ask("GET", "/v1/scenarios/small")
            self.assertEqual(status, 200, found)
            done = select.select([connection.sock for connection in connections], [], [], 0)[0]
            self.assertFalse(len(done) == TOGETHER and self.processor_seconds(daemon) - begun > DEADLINE_S,
                             "a small request waited until all of them were done")
            statuses = set()
            for connection in connections:
                answer = connection.getresponse()
                statuses.add(answer.status)
                if route == STREAMED and answer.status == 200:  # it has no deadline: it ends where its client leaves
                    self.assertTrue(answer.readline())
                    answer.close()
                    continue
                text = answer.read()
                self.assertIn(answer.status, (200, 202, 409, 413, 422, 503), text[:300])
            spent = self.processor_seconds(daemon) - begun
            self.assertLess(spent, TOGETHER * os.cpu_count() * (DEADLINE_S + 3), "it went on after its deadline")
        finally:
            for connection in connections:
                connection.close()
        self.assertIsNone(daemon.process.poll())
        left = time.monotonic()
        while daemon.metric("costcurve_streams") > 0:
            self.assertLess(time.monotonic() - left, PATIENCE_S, "a stream goes on without its client")
            time.sleep(0.05)
        return statuses

    @staticmethod
    def processor_seconds(daemon):
        fields = pathlib.Path(f"/proc/{daemon.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    CommandLineCase.costcurve = os.path.abspath(sys.argv.pop(1))
    REPOSITORY = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
