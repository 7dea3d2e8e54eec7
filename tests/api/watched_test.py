"""Recalculations by a schedule and by hand, a comparison that is watched and a webhook that is notified, by a daemon that is
killed at random points: no event is lost or recorded twice, each is delivered, and each result is stored once.

usage: watched_test.py COSTCURVE [--kills N] [unittest options]
"""

import argparse
import collections
import copy
import os
import random
import sys
import time
import unittest

from command_line_case import SMALLEST, CommandLineCase, record_earlier, rows_of
from daemon import Daemon
from receiver import Receiver

SCENARIOS = 100
KILLS = 50
SECRET = "correct horse battery staple"
PATIENCE_S = 90
PRICES = (1.0, 9.0)  # below and above that of the scenario whose price stays: each change flips the comparison


class Watched(CommandLineCase):
    def daemon(self):
        return Daemon(self.costcurve, self.directory, "--allow-private-webhooks", "--webhook-retry-s", "0.01")

    def put(self, daemon, path, document):
        status, _, answer = daemon.ask("PUT", path, document)
        self.assertIn(status, (200, 201), answer)

    def price(self, daemon, price):
        self.put(daemon, "/v1/offers/offer", {**SMALLEST["pools"][0]["offer"], "hourly_price": price})

    def set_up(self, daemon, receiver):
        self.price(daemon, PRICES[0])
        moving = copy.deepcopy(SMALLEST)
        moving["pools"][0]["offer"] = "offer"
        for i in range(SCENARIOS):
            self.put(daemon, f"/v1/scenarios/s{i}", moving)
        self.put(daemon, "/v1/scenarios/still", SMALLEST)
        self.put(daemon, "/v1/comparisons/rent", {"scenarios": ["still", "s0"]})
        self.put(daemon, "/v1/webhooks/hook", {"url": receiver.url(), "secret": SECRET})
        self.put(daemon, "/v1/schedules/often", {"cron": "* * * * *", "webhook": "hook"})

    def until(self, holds, what):
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            if found := holds():
                return found
            time.sleep(0.02)
        return self.fail(f"not within {PATIENCE_S} s: {what}")

    def rows(self, sql):
        return rows_of(self.database, sql)

    def test_killed_at_random_points_it_tells_of_all_that_happened_and_does_it_once(self):
        chance = random.Random(20261121)
        with Receiver(SECRET) as receiver:
            daemon = self.daemon()
            try:
                self.set_up(daemon, receiver)
                for kill in range(KILLS):
                    self.price(daemon, PRICES[kill % 2])
                    status, headers, _ = daemon.ask("POST", "/v1/recalculations", {})
                    self.assertEqual(status, 202)
                    time.sleep(chance.uniform(0, 0.12))
                    daemon.kill()
                    daemon.close()
                    if kill == 0:
                        record_earlier(self.database, 2)  # the schedule has missed a minute: it runs with the first start
                    daemon = self.daemon()
                    self.until(lambda: daemon.ask("GET", headers["Location"])[2]["state"] == "done", headers["Location"])
                self.until(lambda: self.rows("SELECT 1 FROM run WHERE schedule = 'often'"), "a run by the schedule")
                self.until(lambda: not self.rows("SELECT 1 FROM run WHERE state <> 'done'"), "all runs done")
                self.until(lambda: not daemon.ask("GET", "/v1/deliveries?state=pending")[2]["items"], "all is delivered")
            finally:
                daemon.close()
        self.check_runs()
        self.check_comparison()
        self.check_deliveries(receiver)

    def check_runs(self):
        runs = {f"recalculation/{run}" for run, in self.rows("SELECT run FROM run")}
        told = collections.Counter(row[0] for row in self.rows("SELECT subject FROM event WHERE kind = 'recalculation_done'"))
        self.assertEqual(told, collections.Counter(runs), "each run causes one event")
        results = self.rows("SELECT d.id, count(*) FROM result r JOIN document d ON d.document = r.scenario GROUP BY d.id")
        expected = {**{f"s{i}": KILLS for i in range(SCENARIOS)}, "still": 1}
        self.assertEqual(dict(results), expected, "one result a price")
        minutes = [row[0] // 60_000_000 for row in self.rows("SELECT created_at FROM run WHERE schedule = 'often'")]
        self.assertEqual(len(minutes), len(set(minutes)), "a tick is one run")

    def check_comparison(self):
        standings = self.rows("SELECT cheapest, event FROM standing ORDER BY standing")
        self.assertEqual(len(standings), len(self.rows("SELECT 1 FROM run")), "each run leaves one")
        flipped = [now[0] != before[0] for before, now in zip(standings, standings[1:])]
        self.assertEqual(sum(flipped), KILLS - 1)
        self.assertEqual([event is not None for _, event in standings], [False] + flipped, "each flip has its event")
        events = [row[0] for row in self.rows("SELECT event FROM event WHERE kind = 'comparison_flipped' ORDER BY event")]
        self.assertEqual([event for _, event in standings if event is not None], events)

    def check_deliveries(self, receiver):
        deliveries = self.rows("SELECT event, id, state FROM delivery ORDER BY event")
        events = [row[0] for row in self.rows("SELECT event FROM event ORDER BY event")]
        self.assertEqual([event for event, _, _ in deliveries], events, "one delivery of each event")
        self.assertEqual({state for _, _, state in deliveries}, {"delivered"})
        received = collections.defaultdict(set)
        for call in receiver.calls:
            self.assertTrue(call["signed"])
            received[call["body"]["event"]].add(call["headers"]["X-Costcurve-Delivery"])
        self.assertEqual(received, {event: {delivery} for event, delivery, _ in deliveries}, "doubles have the same id")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("costcurve")
    parser.add_argument("--kills", type=int, default=KILLS)
    arguments, rest = parser.parse_known_args()
    CommandLineCase.costcurve = os.path.abspath(arguments.costcurve)
    KILLS = arguments.kills
    unittest.main(argv=[sys.argv[0], *rest], verbosity=2)
