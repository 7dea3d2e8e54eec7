"""Runs of feeds that are undone: what they landed is taken back, what was known stays, what has changed since is kept and named.

usage: feed_undo_test.py COSTCURVE ROOT [unittest options]
"""

import argparse
import json
import pathlib
import sys

import feeds_test
from command_line_case import SMALLEST, skips
from feeds_test import Server, file
from price_list_case import FIRST, LAST, LIST, PriceListCase, rows


class FeedUndo(PriceListCase):
    def land(self, daemon, server, body, day):
        server.answer = file(body, day)
        run = self.run_feed(daemon)
        if run["state"] == "held":
            run = self.review(daemon, run, "accept")
        self.assertEqual(run["state"], "landed", run)
        return run

    def test_what_a_run_landed_is_gone_as_of_shows_it_and_flips_say_undone(self):
        with Server(file(rows())) as server, self.daemon() as daemon:
            self.feed(daemon, server.url())
            self.land(daemon, server, rows(), 0)
            self.compare(daemon)
            half = rows(lambda _, usual: usual / 2)
            run = self.land(daemon, server, half, 1)
            self.until(lambda: len(self.events(daemon, "comparison_flipped")) == 1, "it flips")
            known = daemon.ask("GET", f"/v1/offers/{LAST}")[2]["recorded_at"]
            undone = self.review(daemon, run, "undo")
            self.assertEqual((undone["state"], undone["summary"]["kept"]), ("undone", []))
            self.assertEqual(undone["problem"], f"undone by local: {len(LIST)} documents are as before, 0 deleted")
            self.assertEqual(self.points(daemon), [31.92])
            self.assertEqual(self.points(daemon, as_of=f"?as_of={known}"), [31.92, 15.96])
            self.until(lambda: len(self.events(daemon, "comparison_flipped")) == 2, "it flips back")
            newest, first = (event["data"] for event in self.events(daemon, "comparison_flipped"))
            self.assertEqual(newest["undone"], [{"feed": "daily", "run": run["run"]}])
            self.assertEqual(newest["now"]["cheapest"], "still")
            self.assertNotIn("undone", first)
            self.assertEqual(self.events(daemon, "feed_undone")[0]["data"]["run"], run["run"])
            self.assertIn("only what has landed", self.review(daemon, run, "undo", 409)["detail"])
            self.assertIn("which was undone", self.run_feed(daemon)["problem"])
            self.land(daemon, server, rows(lambda _, usual: round(usual * 0.9, 2)), 2)
            self.assertEqual(self.points(daemon), [31.92, 28.73])
            self.assertIn("undo_feed", [entry["action"] for entry in daemon.ask("GET", "/v1/audit")[2]["items"]])
        status, out, said = self.run_costcurve("check", "--database", self.database)
        self.assertEqual(status, 0, out + said)

    def test_what_has_changed_since_is_kept_and_named_without_the_points_of_the_run(self):
        with Server(file(rows())) as server, self.daemon() as daemon:
            self.feed(daemon, server.url())
            self.land(daemon, server, rows(), 0)
            run = self.land(daemon, server, rows(lambda _, usual: usual / 2), 1)
            for offer, change in ((LAST, {"note": "ours"}), (FIRST, {"hourly_price": 1.0})):
                document = daemon.ask("GET", f"/v1/offers/{offer}")[2]
                self.put(daemon, f"/v1/offers/{offer}", {**document, **change})
            self.land(daemon, server, rows(lambda sku, usual: round(usual * 0.9, 2) if sku == "gpu_1x_gh200" else usual), 2)
            undone = self.review(daemon, run, "undo")
            self.assertIn(f"offer/{LAST}", undone["summary"]["kept"])
            self.assertEqual(self.points(daemon), [31.92, 31.92], "its point is gone, the later one stays")
            self.assertEqual(daemon.ask("GET", f"/v1/offers/{LAST}")[2]["note"], "ours")
            self.assertEqual(self.points(daemon, "lambda.gpu_1x_gh200.us-east-1.on-demand"), [2.29, 2.06])

    def test_what_a_first_run_added_is_deleted_unless_it_is_referred_to(self):
        with Server(file(rows())) as server, self.daemon() as daemon:
            self.feed(daemon, server.url())
            run = self.land(daemon, server, rows(), 0)
            scenario = json.loads(json.dumps(SMALLEST))
            scenario["pools"][0]["offer"] = LAST
            self.put(daemon, "/v1/scenarios/ours", scenario)
            undone = self.review(daemon, run, "undo")
            self.assertEqual(undone["summary"]["kept"], [f"offer/{LAST}"])
            self.assertEqual([offer["id"] for offer in daemon.ask("GET", "/v1/offers")[2]["items"]], [LAST])
            self.land(daemon, server, rows(lambda _, usual: round(usual * 0.9, 2)), 1)
            self.assertEqual(self.points(daemon), [31.92, 28.73])
        self.assertEqual(self.run_costcurve("check", "--database", self.database)[0], 0)

    def test_a_part_that_was_accepted_is_undone_with_its_run(self):
        with Server(file(rows())) as server, self.daemon() as daemon:
            self.feed(daemon, server.url())
            self.land(daemon, server, rows(), 0)
            server.answer = file(rows(lambda sku, usual: 80 if sku == "gpu_8x_h100_sxm5" else usual * 1.1), 1)
            run = self.run_feed(daemon)
            self.assertEqual(run["held"], 1, run)
            self.review(daemon, run, "accept")
            self.assertEqual(self.points(daemon), [31.92, 80])
            self.review(daemon, run, "undo")
            self.assertEqual(self.points(daemon), [31.92])
            self.assertEqual(self.points(daemon, FIRST), [1.29])

    def test_from_the_command_line(self):
        self.stored_feed()
        database = ("--database", self.database)
        self.assertEqual(self.run_costcurve("feed", "run", *database, "--feed-directory", str(self.files), "daily")[0], 0)
        status, out, said = self.run_costcurve("feed", "undo", *database, "2")
        self.assertEqual(status, 0, said)
        self.assertEqual(out, f"feed daily, run 2: undone: undone by cli: 0 documents are as before, {len(LIST)} deleted\n")
        self.assertEqual(self.run_costcurve("feed", "undo", *database, "2")[0], 2)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("costcurve")
    parser.add_argument("root")
    arguments, rest = parser.parse_known_args()
    FeedUndo.costcurve = str(pathlib.Path(arguments.costcurve).resolve())
    feeds_test.ROOT = pathlib.Path(arguments.root).resolve()
    skips.main(argv=[sys.argv[0], *rest])
