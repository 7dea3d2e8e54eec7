"""The whole way by itself: from an empty store and the catalogue, a feed fetches three days of a price list, a nightly schedule
recalculates, the cheapest flips, and the webhook is told why. The lists are SkyPilot's of GCP, whole where ../shared/data is there.

usage: nightly_test.py COSTCURVE ROOT [--wait] [unittest options]
       --wait: the night comes while the daemon runs, a minute later; else while it is down, which takes no time
"""

import argparse
import contextlib
import datetime
import email.utils
import json
import pathlib
import subprocess
import sys
import time
import unittest

from command_line_case import PATIENCE_S, SMALLEST, CommandLineCase, environment, record_earlier
from daemon import Daemon
from feeds_test import Server, send
from receiver import Receiver

ROOT = pathlib.Path()
WAITS = False
SECRET = "correct horse battery staple"
NIGHT_S = 120  # at most a minute to the tick, and the work after it
HEADER = "InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,GpuInfo,Region,AvailabilityZone,Price,SpotPrice\n"
DAYS = ["2026-04-02", "2026-04-17", "2026-05-05"]
EUROPE, US = "gcp.tpu-v6e-8.europe-west4-a.spot", "gcp.tpu-v6e-8.us-east5-a.spot"
SPOT = {EUROPE: [9.58628, 10.06559, 10.56887], US: [9.72, 9.72, 9.72]}  # of the three lists


def rows_of(day):
    """The list's rows of the two."""
    return HEADER + "".join(f",,,tpu-v6e-8,1,tpu-v6e-8,{zone[:-2]},{zone},{price},{SPOT[offer][day]}\n" for offer, zone, price in
                            [(EUROPE, "europe-west4-a", 23.76), (US, "us-east5-a", 21.6)])


class Nightly(CommandLineCase):
    def setUp(self):
        super().setUp()
        self.stack = contextlib.ExitStack()  # holds the daemon

    def start(self):
        self.daemon = self.stack.enter_context(Daemon(self.costcurve, self.directory, "--allow-private-feeds",
                                                      "--allow-private-webhooks"))

    def lists(self):
        published = ROOT.parent / "shared/data/skypilot-catalog"
        if published.is_dir():
            return [(published / f"gcp_vms_{day}.csv").read_bytes() for day in DAYS]
        print("../shared/data is not here: two rows of each list stand for it", file=sys.stderr)
        return [rows_of(day).encode() for day in range(3)]

    def put(self, path, document):
        status, _, answer = self.daemon.ask("PUT", path, document)
        self.assertIn(status, (200, 201), answer)

    def get(self, path):
        status, _, answer = self.daemon.ask("GET", path)
        self.assertEqual(status, 200, answer)
        return answer

    def until(self, holds, what, seconds=PATIENCE_S):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            if found := holds():
                return found
            time.sleep(0.05)
        return self.fail(f"not within {seconds} s: {what}")

    def publish(self, server, body, day):
        modified = datetime.datetime.fromisoformat(day).replace(hour=6, tzinfo=datetime.timezone.utc)
        server.answer = lambda handler: send(handler, body, Last_Modified=email.utils.format_datetime(modified, usegmt=True))
        status, _, begun = self.daemon.ask("POST", "/v1/feeds/gcp/run")
        self.assertEqual(status, 202, begun)

        def ended():
            run = self.get("/v1/feeds/gcp/runs")["items"][0]
            return run if run["run"] == begun["run"] and run["state"] != "running" else None
        run = self.until(ended, f"the list of {day}")
        self.assertEqual(run["state"], "landed", run)

    def watch(self, receiver):
        for name, offer in (("europe", EUROPE), ("us", US)):
            scenario = json.loads(json.dumps(SMALLEST))
            scenario["start"] = "2026-06"
            scenario["pools"][0]["offer"] = offer
            self.put(f"/v1/scenarios/{name}", scenario)
        self.put("/v1/comparisons/tpus", {"scenarios": ["europe", "us"], "objective": "cost"})
        self.put("/v1/webhooks/hook", {"url": receiver.url(), "secret": SECRET, "events": ["comparison_flipped"]})

    def standings(self):
        return self.get("/v1/comparisons/tpus/standings")["items"]

    def sleep_over_a_night(self):
        """A schedule of once a day, at the next minute that is not upon us, or at one that the daemon has missed."""
        at = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=65 if WAITS else -120)
        self.put("/v1/schedules/nightly", {"cron": f"{at.minute} {at.hour} * * *"})
        if not WAITS:
            self.stack.close()
            record_earlier(self.database, 10)
            self.start()
        self.until(lambda: len(self.standings()) == 2, "the nightly recalculation", NIGHT_S)
        self.assertIn("nightly", [run.get("schedule") for run in self.get("/v1/recalculations")["items"]])

    def test_a_list_of_three_days_flips_the_cheapest_at_night(self):
        done = subprocess.run([ROOT / "deploy/catalog/store", self.costcurve, "--database", self.database],
                              capture_output=True, text=True, timeout=PATIENCE_S, env=environment())
        self.assertEqual(done.returncode, 0, done.stderr)
        lists = self.lists()
        with Receiver(SECRET) as receiver, Server(lambda handler: send(handler, b"", 404)) as server, self.stack:
            self.start()
            self.put("/v1/feeds/gcp", {"format": "skypilot", "provider": "gcp", "from": {"url": server.url("/vms.csv")},
                                       "recalculate": False})
            self.publish(server, lists[0], DAYS[0])
            self.watch(receiver)
            self.assertEqual(self.daemon.ask("POST", "/v1/recalculations", {})[0], 202)
            self.until(self.standings, "the first standing")
            self.assertEqual(self.standings()[0]["cheapest"], "europe")
            for body, day in zip(lists[1:], DAYS[1:]):
                self.publish(server, body, day)
            self.assertEqual(len(self.standings()), 1, "nothing is recalculated by day")
            self.sleep_over_a_night()
            self.until(lambda: receiver.calls, "the webhook is told")
            self.check_told(receiver.calls)
            self.check_history()

    def check_told(self, calls):
        call, = calls
        self.assertTrue(call["signed"])
        told = call["body"]["data"]
        self.assertEqual((told["before"]["cheapest"], told["now"]["cheapest"]), ("europe", "us"))
        self.assertEqual([because["why"] for because in told["because"]],
                         ["the price of a device-hour of europe rose from 1.198 to 1.321 USD"])

    def check_history(self):
        offer = self.get(f"/v1/offers/{EUROPE}")
        self.assertEqual(offer["hourly_price"]["points"][-3:], [list(point) for point in zip(DAYS, SPOT[EUROPE])])
        self.assertEqual((offer["region"], offer["zone"]), ("europe-west4", "europe-west4-a"))
        for day, price in zip(DAYS, SPOT[EUROPE]):
            found = self.get(f"/v1/offers/{EUROPE}/price?date={day}")
            self.assertEqual((found["hourly_price"], found["priced_on"]), (price, day))

    def test_a_flip_by_energy_or_carbon_says_what_moved_the_figure_that_decides(self):
        """A grid that doubles its carbon, then a device that takes twice as much; beside it one of 300 g and 500 W that stays."""
        def scenario(carbon, watts):
            offer = {**SMALLEST["pools"][0]["offer"], "device": {"kind": "gpu", "tdp_w": watts},
                     "site": {"energy_price": 0.1, "carbon_g_per_kwh": carbon}}
            return {**SMALLEST, "pools": [{**SMALLEST["pools"][0], "offer": offer}]}

        for objective, after, why in (
                ("carbon_kg", (400, 400), "the carbon of a device-hour of moving rose from 0.08 to 0.16 kg CO2e"),
                ("energy_kwh", (200, 800), "the energy of a device-hour of moving rose from 0.4 to 0.8 kWh")):
            with self.subTest(objective), Daemon(self.costcurve, self.directory, "--allow-private-webhooks") as self.daemon:
                self.put("/v1/scenarios/moving", scenario(200, 400))
                self.put("/v1/scenarios/still", scenario(300, 500))
                self.put(f"/v1/comparisons/{objective}", {"scenarios": ["moving", "still"], "objective": objective})
                standings = lambda: self.get(f"/v1/comparisons/{objective}/standings")["items"]
                self.daemon.ask("POST", "/v1/recalculations", {})
                self.until(standings, "the first standing")
                self.put("/v1/scenarios/moving", scenario(*after))
                self.daemon.ask("POST", "/v1/recalculations", {})
                self.until(lambda: len(standings()) == 2, "the next one")
                events = self.get("/v1/events?kind=comparison_flipped")["items"]
                told = [event["data"] for event in events if event["data"]["comparison"] == objective]
                self.assertEqual(len(told), 1, events)
                self.assertEqual([because["why"] for because in told[0]["because"]], [why])


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("costcurve")
    parser.add_argument("root")
    parser.add_argument("--wait", action="store_true")
    arguments, rest = parser.parse_known_args()
    Nightly.costcurve = str(pathlib.Path(arguments.costcurve).resolve())
    ROOT = pathlib.Path(arguments.root).resolve()
    WAITS = arguments.wait
    unittest.main(argv=[sys.argv[0], *rest])
