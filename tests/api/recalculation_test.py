"""Recalculation and jobs by the real daemon, killed at random points: they go on, and no result is lost or stored twice.

usage: recalculation_test.py COSTCURVE [--kills N]
"""

import argparse
import copy
import os
import random
import sqlite3
import sys
import time
import unittest

from command_line_case import SERVER, SMALLEST, CommandLineCase, rows_of
from daemon import Daemon

SCENARIOS = 300
KILLS = 50
PATIENCE_S = 240  # the machine may be busy with other tests


def is_done(run):
    return run["state"] == "done"


def map_of(steps, **members):
    prices = {"pointer": "/pools/0/offer/hourly_price", "from": 1, "to": 9, "steps": steps}
    demands = {"pointer": "/workloads/0/demand/mean_per_s", "from": 0.1, "to": 1, "steps": steps}
    return {"scenarios": [{**SMALLEST, **members}], "x": prices, "y": demands}


class RecalculationTest(CommandLineCase):
    def store(self, daemon, count=SCENARIOS, months=0):
        offer = SMALLEST["pools"][0]["offer"]
        self.price = 1.0
        self.assertEqual(daemon.ask("PUT", "/v1/offers/offer", {**offer, "hourly_price": self.price})[0], 201)
        scenario = copy.deepcopy(SMALLEST)
        scenario["pools"][0]["offer"] = "offer"
        documents = {"scenarios": [{**scenario, "id": f"s{i}", "months": months or 1 + i % 12} for i in range(count)]}
        path = self.write("scenarios.json", documents)
        status, _, said = self.run_costcurve("import", "json", "--database", self.database, path)
        self.assertEqual(status, 0, said)

    def dearer(self, daemon):
        self.price += 0.5
        offer = {**SMALLEST["pools"][0]["offer"], "hourly_price": self.price}
        self.assertEqual(daemon.ask("PUT", "/v1/offers/offer", offer)[0], 200)

    def wait(self, daemon, path, is_so=is_done, headers=None):
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            status, _, run = daemon.ask("GET", path, headers=headers)
            self.assertEqual(status, 200)
            if is_so(run):
                return run
            time.sleep(0.01)
        self.fail(f"{path} is not so far: {run}")

    def count_results(self):
        return [row[0] for row in rows_of(self.database, "SELECT count(*) FROM result GROUP BY scenario")]

    def test_killed_at_random_points_it_goes_on_and_stores_each_result_once(self):
        chance = random.Random(20261121)
        daemon = Daemon(self.costcurve, self.directory)
        try:
            self.store(daemon)
            for kill in range(KILLS):
                if kill > 0:
                    self.dearer(daemon)
                status, headers, run = daemon.ask("POST", "/v1/recalculations", {})
                self.assertEqual((status, run["total"]), (202, SCENARIOS))
                time.sleep(chance.uniform(0, 0.08))
                daemon.kill()
                daemon.close()
                daemon = Daemon(self.costcurve, self.directory)
                ended = self.wait(daemon, f"/v1/recalculations/{run['id']}")
                self.assertEqual((ended["evaluated"], ended["failed"], ended["unchanged"]), (SCENARIOS, 0, 0))
                self.assertEqual(set(self.count_results()), {kill + 1})
            status, _, latest = daemon.ask("GET", "/v1/scenarios/s0/results/latest")
            self.assertAlmostEqual(latest["total"]["cost"], 744 * self.price, places=6)
        finally:
            daemon.close()

    def test_jobs_outlive_a_daemon_that_is_killed(self):
        question = map_of(400)
        daemon = Daemon(self.costcurve, self.directory)
        try:
            at_once = daemon.ask("POST", "/v1/map", question)
            self.assertEqual(at_once[0], 200)
            places = []
            for _ in range(3):
                status, headers, job = daemon.ask("POST", "/v1/map", question, {"Prefer": "respond-async"})
                self.assertEqual((status, headers["Preference-Applied"]), (202, "respond-async"))
                places.append(headers["Location"])
            for _ in range(2):
                while daemon.ask("GET", places[0])[2]["state"] == "queued":
                    time.sleep(0.001)
                daemon.kill()
                daemon.close()
                daemon = Daemon(self.costcurve, self.directory)
            for place in places:
                self.assertEqual(self.wait(daemon, place)["result"], at_once[2])
        finally:
            daemon.close()

    def key(self, name):
        """The header of an editor."""
        status, secret, said = self.run_costcurve("keys", "add", name, "--role", "editor", "--database", self.database)
        self.assertEqual(status, 0, said)
        return {"Authorization": f"Bearer {secret.strip()}"}

    def test_of_two_keys_the_short_run_and_the_short_job_do_not_wait_for_the_long_ones(self):
        count = 10_000
        with Daemon(self.costcurve, self.directory) as daemon:
            self.store(daemon, count, months=120)
        ann, bob = self.key("ann"), self.key("bob")
        daemon = Daemon(self.costcurve, self.directory, "--require-keys")
        try:
            long_run = daemon.ask("POST", "/v1/recalculations", {"scenarios": "all"}, ann)[1]["Location"]
            status, headers, _ = daemon.ask("POST", "/v1/map", map_of(400, months=120), {**ann, "Prefer": "respond-async"})
            self.assertEqual(status, 202)
            long_job = headers["Location"]
            self.wait(daemon, long_run, lambda run: run["done"] > 0, ann)
            self.wait(daemon, long_job, lambda job: job["progress"] and job["progress"]["done"] > 0, ann)
            begun = time.monotonic()
            dearer = {**SMALLEST["pools"][0]["offer"], "hourly_price": 2.0}
            self.assertEqual(daemon.ask("PUT", "/v1/offers/offer", dearer, bob)[0], 200)
            of_both = {"scenarios": ["s0", f"s{count - 1}"]}  # the one is done by now, the other is not
            run = daemon.ask("POST", "/v1/recalculations", of_both, bob)[1]["Location"]
            job = daemon.ask("POST", "/v1/compare", of_both, {**bob, "Prefer": "respond-async"})[1]["Location"]
            short = self.wait(daemon, run, is_done, bob)
            self.assertEqual((short["evaluated"], short["failed"]), (2, 0))
            self.wait(daemon, job, is_done, bob)
            self.assertLess(time.monotonic() - begun, 20)
            going = daemon.ask("GET", long_run, None, ann)[2]
            self.assertEqual(going["state"], "running", "else nothing was shown")
            self.assertEqual(daemon.ask("GET", long_job, None, ann)[2]["state"], "running")
            daemon.kill()
            daemon.close()
            daemon = Daemon(self.costcurve, self.directory, "--require-keys")
            self.wait(daemon, long_job, lambda job: job["state"] == "running", ann)
            self.assertEqual(daemon.ask("DELETE", long_job, None, ann)[0], 200)
            ended = self.wait(daemon, long_run, is_done, ann)
            self.assertEqual((ended["evaluated"], ended["unchanged"], ended["failed"]), (count - 1, 1, 0))
            self.assertEqual(sorted(self.count_results()), [1] * (count - 1) + [2])
            costs = [daemon.ask("GET", f"/v1/scenarios/s{i}/results/latest", None, bob)[2]["total"]["cost"]
                     for i in (0, 1, count - 1)]
            self.assertEqual((costs[0], costs[2]), (2 * costs[1], 2 * costs[1]), "no result of an earlier state is the newest")
        finally:
            daemon.close()

    def test_what_did_not_change_is_not_evaluated_and_the_difference_is_explained(self):
        with Daemon(self.costcurve, self.directory) as daemon:
            self.store(daemon)
            first = self.wait(daemon, daemon.ask("POST", "/v1/recalculations", {"scenarios": "all"})[1]["Location"])
            self.assertEqual(first["evaluated"], SCENARIOS)
            again = self.wait(daemon, daemon.ask("POST", "/v1/recalculations", {"scenarios": "all"})[1]["Location"])
            self.assertEqual((again["evaluated"], again["unchanged"]), (0, SCENARIOS))
            nothing = self.wait(daemon, daemon.ask("POST", "/v1/recalculations", {})[1]["Location"])
            self.assertEqual(nothing["total"], 0)
            self.dearer(daemon)
            some = self.wait(daemon, daemon.ask("POST", "/v1/recalculations", {"scenarios": ["s0", "s1"]})[1]["Location"])
            self.assertEqual((some["total"], some["evaluated"]), (2, 2))
            status, _, diff = daemon.ask("GET", "/v1/scenarios/s0/results/latest/diff")
            self.assertEqual(status, 200)
            self.assertAlmostEqual(diff["total"]["cost"], 744 * 0.5, places=6)
            self.assertEqual(diff["by_document"][0]["documents"], [{"kind": "offer", "id": "offer", "from": 1, "to": 2}])
            self.assertAlmostEqual(diff["by_document"][0]["amount"], 744 * 0.5, places=6)
            self.assertEqual(list(diff["by_category"]), ["compute"])

    def test_one_that_fails_is_reported_and_does_not_stop_the_rest(self):
        with Daemon(self.costcurve, self.directory) as daemon:
            self.store(daemon)
            # Fewer devices in the offer than a gang of the performance needs is found when the scenario is made.
            offer = copy.deepcopy(SMALLEST["pools"][0]["offer"])
            offer["device"]["frameworks"] = ["jax"]
            needs = copy.deepcopy(SMALLEST)
            needs["pools"][0]["offer"] = "offer"
            needs["workloads"][0]["framework"] = "pytorch"
            needs["workloads"][0]["runs_on"][0]["performance"]["framework"] = "pytorch"
            self.assertEqual(daemon.ask("PUT", "/v1/scenarios/needs", needs)[0], 201)
            self.assertEqual(daemon.ask("PUT", "/v1/offers/offer", offer)[0], 200)
            run = self.wait(daemon, daemon.ask("POST", "/v1/recalculations", {})[1]["Location"])
            self.assertEqual((run["evaluated"], run["failed"]), (SCENARIOS, 1))
            self.assertEqual(run["failures"][0]["scenario"], "needs")
            self.assertEqual(run["failures"][0]["errors"][0]["code"], "ineligible_framework")

    @unittest.skipIf(SERVER, "the limit is of a file")
    def test_a_full_disk_stops_it_where_it_is_and_it_goes_on_when_there_is_space(self):
        count, most_mb, left = 2000, 8, 1_000_000
        database = self.directory / "store.db"
        with Daemon(self.costcurve, self.directory) as daemon:
            self.store(daemon, count)
        with sqlite3.connect(database) as side:
            side.execute("CREATE TABLE filler (bytes BLOB)")
            side.execute("INSERT INTO filler VALUES (zeroblob(?))", (most_mb * 2**20 - database.stat().st_size - left,))
        side.close()
        with Daemon(self.costcurve, self.directory, "--max-database-mb", str(most_mb)) as daemon:
            location = daemon.ask("POST", "/v1/recalculations", {})[1]["Location"]
            end = time.monotonic() + PATIENCE_S
            while not (run := daemon.ask("GET", location)[2])["waits_for"]:
                self.assertLess(time.monotonic(), end, run)
                time.sleep(0.01)
            self.assertIn("disk is full", run["waits_for"])
            run = daemon.ask("GET", location)[2]
            self.assertEqual(run["done"], run["evaluated"], "what could not be stored is not done")
            self.assertEqual((run["state"], run["total"], run["failed"]), ("running", count, 0))
            self.assertGreater(run["evaluated"], 0)
            self.assertLess(run["evaluated"], count)
            self.assertEqual(sum(self.count_results()), run["evaluated"], "what is stored is counted")
            self.assertEqual(daemon.ask("GET", "/v1/events")[2]["items"], [])
            self.assertEqual(daemon.ask("POST", "/v1/evaluate", {"scenario": "s0"})[0], 200, "questions are answered meanwhile")
            with sqlite3.connect(database, timeout=PATIENCE_S) as side:
                side.execute("DROP TABLE filler")
            side.close()
            ended = self.wait(daemon, location)
            self.assertEqual((ended["evaluated"], ended["failed"], ended["waits_for"]), (count, 0, None))
            self.assertEqual(self.count_results(), [1] * count)
            self.assertEqual(len(daemon.ask("GET", "/v1/events?kind=recalculation_done")[2]["items"]), 1)

    def test_on_the_command_line_it_reports_and_its_status_says_whether_all_went_well(self):
        with Daemon(self.costcurve, self.directory) as daemon:
            self.store(daemon)
        status, out, _ = self.run_costcurve("recalculate", "--database", self.database)
        self.assertEqual(status, 0)
        report = rf"^recalculation 1 is done: {SCENARIOS} scenarios in .* {SCENARIOS} evaluated, 0 unchanged, 0 failed\n$"
        self.assertRegex(out, report)
        status, out, _ = self.run_costcurve("recalculate", "--changed", "--json", "--database", self.database)
        self.assertEqual(status, 0)
        self.assertIn('"total":0', out)
        self.assertEqual(self.run_costcurve("recalculate", "--scenario", "none", "--database", self.database)[0], 2)
        self.assertEqual(self.run_costcurve("recalculate", "--all", "--scenario", "s1", "--database", self.database)[0], 2)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("costcurve")
    parser.add_argument("--kills", type=int, default=KILLS)
    arguments, rest = parser.parse_known_args()
    CommandLineCase.costcurve = os.path.abspath(arguments.costcurve)
    KILLS = arguments.kills
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
