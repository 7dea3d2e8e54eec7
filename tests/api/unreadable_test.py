"""A stored document that can't be read costs itself alone: lists, export, schedules, comparisons and runs go on without it.

usage: unreadable_test.py COSTCURVE [unittest options]
"""

import copy
import json
import os
import sqlite3
import sys
import time
import unittest

from command_line_case import COST, SMALLEST, CommandLineCase, record_earlier
from daemon import Daemon

PATIENCE_S = 60
DEVICE = {"kind": "gpu", "tdp_w": 700}
EVERY_MINUTE = {"cron": "* * * * *", "scenarios": "all"}
SECRET = "0123456789abcdef"


def with_device(device):
    scenario = copy.deepcopy(SMALLEST)
    scenario["pools"][0]["offer"]["device"] = device
    return scenario


class UnreadableTest(CommandLineCase):
    def setUp(self):
        super().setUp()
        self.path = self.directory / "store.db"

    def daemon(self, *options, log_level="off"):
        return Daemon(self.costcurve, self.directory, *options, log_level=log_level)

    def put(self, daemon, path, document):
        status, _, answer = daemon.ask("PUT", path, document)
        self.assertIn(status, (200, 201), answer)

    def forge(self, kind, name, change):
        """Rewrites the body of a stored document as no program of ours would; `change` is of the text."""
        database = sqlite3.connect(self.path)
        with database:
            triggers = database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'body'")
            triggers = triggers.fetchall()
            for trigger, _ in triggers:
                database.execute(f"DROP TRIGGER {trigger}")
            row = database.execute("SELECT body FROM revision WHERE kind = ? AND id = ? AND until = 9223372036854775807",
                                   (kind, name)).fetchone()
            text = database.execute("SELECT text FROM body WHERE body = ?", row).fetchone()[0]
            forged = change(text)
            self.assertNotEqual(forged, text)
            database.execute("UPDATE body SET text = ? WHERE body = ?", (forged, *row))
            for _, sql in triggers:
                database.execute(sql)
        database.close()

    def wait_for(self, what, look):
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            found = look()
            if found:
                return found
            time.sleep(0.02)
        self.fail(what)

    def wait_for_run(self, daemon, location):
        return self.wait_for(f"{location} is not done", lambda: (lambda run: run if run["state"] == "done" else None)(
            daemon.ask("GET", location)[2]))

    def items(self, daemon, path):
        status, _, answer = daemon.ask("GET", path)
        self.assertEqual(status, 200, answer)
        return {item["id"]: item for item in answer["items"]}

    def test_a_schedule_whose_cron_does_not_parse_lets_the_daemon_start_and_the_others_run(self):
        with self.daemon() as daemon:
            self.put(daemon, "/v1/scenarios/s", SMALLEST)
            self.put(daemon, "/v1/schedules/broken", {**EVERY_MINUTE, "time_zone": "Europe/Berlin"})
            self.put(daemon, "/v1/schedules/good", EVERY_MINUTE)
        self.forge("schedule", "broken", lambda text: text.replace("* * * * *", "61 * * * *"))
        record_earlier(self.path, 5)
        with self.daemon() as daemon:
            runs = self.wait_for("the good schedule did not run", lambda: daemon.ask("GET", "/v1/recalculations")[2]["items"])
            self.assertEqual({run["schedule"] for run in runs}, {"good"})
            found = self.items(daemon, "/v1/schedules")
            self.assertEqual(len(found["good"]["next_runs"]), 5)
            self.assertIn("cron", found["broken"]["problem"]["detail"])
            self.assertEqual(daemon.ask("GET", "/readyz")[0], 200)
            self.put(daemon, "/v1/schedules/broken", EVERY_MINUTE)
            self.assertEqual(daemon.ask("GET", "/v1/schedules/broken")[0], 200)

    def test_the_log_has_one_line_of_an_unreadable_schedule(self):
        with self.daemon() as daemon:
            self.put(daemon, "/v1/schedules/broken", EVERY_MINUTE)
        self.forge("schedule", "broken", lambda text: text.replace("* * * * *", "61 * * * *"))
        daemon = self.daemon(log_level="")
        logged = daemon.logged or [daemon.process.stdout.readline()]
        for i in range(3):  # the schedules are read again when the store has changed
            self.put(daemon, f"/v1/devices/d{i}", DEVICE)
        daemon.process.terminate()
        logged += daemon.process.stdout.readlines()
        self.assertEqual(sum("id=schedule/broken" in line for line in logged), 1, logged)
        self.assertEqual(daemon.close(), 0)

    def test_a_list_names_an_unreadable_document_with_its_problem_and_has_the_others(self):
        with self.daemon() as daemon:
            for name in ("a", "b", "c"):
                self.put(daemon, f"/v1/devices/{name}", DEVICE)
        self.forge("device", "b", lambda text: text.replace("700", '"hot"'))
        with self.daemon() as daemon:
            found = self.items(daemon, "/v1/devices")
            self.assertEqual([item.get("tdp_w") for item in found.values()], [700, None, 700])
            self.assertEqual(set(found["b"]), {"id", "revision", "recorded_at", "recorded_by", "problem"})
            self.assertEqual(found["b"]["problem"]["status"], 500)
            self.assertIn("device b revision 1 can't be read: /tdp_w", found["b"]["problem"]["detail"])
            self.assertEqual(len(self.items(daemon, "/v1/devices?limit=2")), 2)
            self.assertEqual(list(self.items(daemon, "/v1/devices?q=b")), ["b"])
            status, headers, problem = daemon.ask("GET", "/v1/devices/b")
            self.assertEqual((status, problem["detail"]), (500, found["b"]["problem"]["detail"]))
            self.assertEqual(problem["instance"], "/requests/" + headers["X-Request-Id"])
            self.assertEqual(daemon.ask("GET", "/v1/devices/b/revisions")[0], 200)
            self.put(daemon, "/v1/devices/b", DEVICE)
            self.assertEqual(daemon.ask("GET", "/v1/devices/b")[0], 200)
            self.assertEqual(daemon.ask("DELETE", "/v1/devices/b")[0], 204)

    def test_a_field_that_another_version_stored_is_kept_and_reported(self):
        with self.daemon() as daemon:
            self.put(daemon, "/v1/devices/a", DEVICE)
            self.put(daemon, "/v1/devices/b", DEVICE)
        self.forge("device", "b", lambda text: text.replace('"tdp_w"', '"thermal_design_power_w":700,"tdp_w"'))
        with self.daemon() as daemon:
            status, _, found = daemon.ask("GET", "/v1/devices/b")
            self.assertEqual((status, found["tdp_w"], found["unknown_fields"]), (200, 700, ["/thermal_design_power_w"]))
            self.assertNotIn("unknown_fields", self.items(daemon, "/v1/devices")["a"])
            self.assertEqual(daemon.ask("PUT", "/v1/devices/c", {**found, "id": "c"})[0], 201)
            sent = {**DEVICE, "thermal_design_power_w": 700}
            status, _, problem = daemon.ask("PUT", "/v1/devices/b", sent)
            self.assertEqual((status, problem["errors"][0]["code"]), (422, "unknown_field"), "strict, of what is sent")

    def test_a_body_of_a_newer_format_is_not_guessed_at(self):
        with self.daemon() as daemon:
            self.put(daemon, "/v1/devices/a", DEVICE)
            self.put(daemon, "/v1/devices/b", DEVICE)
        with sqlite3.connect(self.path) as database:
            database.execute("DROP TRIGGER body_stays")
            database.execute("UPDATE body SET encoding = 99 WHERE body = 2")
        with self.daemon() as daemon:
            self.assertEqual(daemon.ask("GET", "/v1/devices/a")[0], 200)
            status, _, problem = daemon.ask("GET", "/v1/devices/b")
            self.assertEqual(status, 500)
            self.assertIn("a newer version of costcurve wrote it", problem["detail"])

    def test_an_export_has_the_others_names_it_and_is_1(self):
        with self.daemon() as daemon:
            for name in ("a", "b", "c"):
                self.put(daemon, f"/v1/devices/{name}", DEVICE)
        for change in (lambda text: text.replace("700", '"hot"'), lambda text: text[1:]):
            self.forge("device", "b", change)
            status, out, said = self.run_costcurve("export", "--database", str(self.path))
            self.assertEqual(status, 1, said)
            self.assertEqual([device["id"] for device in json.loads(out)["devices"]], ["a", "c"])
            self.assertIn("device b revision 1 can't be read", said)

    def test_a_scenario_that_refers_to_it_fails_alone(self):
        with self.daemon() as daemon:
            for name in ("good", "bad"):
                self.put(daemon, f"/v1/devices/{name}", {**DEVICE, "note": name})
                offer = {**SMALLEST["pools"][0]["offer"], "device": name}
                self.put(daemon, f"/v1/offers/{name}", offer)
                scenario = copy.deepcopy(SMALLEST)
                scenario["pools"][0]["offer"] = name
                self.put(daemon, f"/v1/scenarios/{name}", scenario)
            self.put(daemon, "/v1/scenarios/unreadable", {**SMALLEST, "months": 2})
            self.put(daemon, "/v1/comparisons/first", {"scenarios": ["good", "bad"], "note": "broken"})
            self.put(daemon, "/v1/comparisons/second", {"scenarios": ["good", "bad"]})
        self.forge("device", "bad", lambda text: text.replace("700", '"hot"'))
        self.forge("scenario", "unreadable", lambda text: text.replace('"months":2', '"months":"two"'))
        self.forge("comparison", "first", lambda text: text.replace('"scenarios"', '"objective":"weight","scenarios"'))
        with self.daemon() as daemon:
            status, _, problem = daemon.ask("POST", "/v1/evaluate", {"scenario": "bad"})
            self.assertEqual((status, problem["errors"][0]["code"]), (422, "unreadable_document"), problem)
            self.assertIn("device bad revision 1", problem["errors"][0]["message"])
            status, _, problem = daemon.ask("POST", "/v1/evaluate", {"scenario": "unreadable"})
            self.assertEqual((status, problem["errors"][0]["code"]), (422, "unreadable_document"), problem)
            status, _, result = daemon.ask("POST", "/v1/evaluate", {"scenario": "good"})
            self.assertEqual(status, 200, result)
            self.assertAlmostEqual(result["total"]["cost"], COST)
            run = self.wait_for_run(daemon, daemon.ask("POST", "/v1/recalculations", {"scenarios": "all"})[1]["Location"])
            self.assertEqual((run["evaluated"], run["failed"]), (1, 2))
            self.assertEqual({failure["errors"][0]["code"] for failure in run["failures"]}, {"unreadable_document"})
            self.assertEqual(daemon.ask("GET", "/v1/comparisons/first/standings")[2]["items"], [])
            self.assertEqual(len(daemon.ask("GET", "/v1/comparisons/second/standings")[2]["items"]), 1)
            connection = daemon.connect()
            connection.request("GET", "/metrics")
            text = connection.getresponse().read().decode()
            connection.close()
            self.assertIn("costcurve_scenarios_failing 2", text)
            self.assertEqual(daemon.ask("GET", "/readyz")[0], 200)

    def test_an_import_leaves_it_out_and_lands_the_rest(self):
        index = "observation_date,PCU1\n2000-12-01,100.000\n2001-02-01,125\n"
        more = index + "2001-03-01,150\n"
        for name in ("bad", "good"):
            path = self.write(f"{name}.csv", index)
            status, _, said = self.run_costcurve("import", "price_index", "--database", str(self.path), "--date", "2001-02-20",
                                                 "--id", name, path)
            self.assertEqual(status, 0, said)
        self.forge("curve", "bad", lambda text: text[1:])
        for name, expected in (("bad", 2), ("good", 0)):
            status, _, said = self.run_costcurve("import", "price_index", "--database", str(self.path), "--date", "2001-02-20",
                                                 "--id", name, self.write(f"{name}.csv", more))
            self.assertEqual(status, expected, said)
        status, out, said = self.run_costcurve("export", "--database", str(self.path))
        self.assertEqual([(curve["id"], len(curve["points"])) for curve in json.loads(out)["curves"]], [("good", 3)])

    def test_a_webhook_that_cannot_be_read_stands_in_its_list_and_the_others_are_told(self):
        with self.daemon() as daemon:
            for name in ("a", "b"):
                self.put(daemon, f"/v1/webhooks/{name}", {"url": f"https://example.org/{name}", "secret": SECRET})
        self.forge("webhook", "a", lambda text: text.replace('"url"', '"enabled":"perhaps","url"'))
        with self.daemon() as daemon:
            found = self.items(daemon, "/v1/webhooks")
            self.assertIn("problem", found["a"])
            self.assertIn("url", found["b"])
            self.assertEqual(daemon.ask("POST", "/v1/webhooks/a/test")[0], 500)
            self.assertEqual(daemon.ask("POST", "/v1/webhooks/b/test")[0], 202)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    CommandLineCase.costcurve = os.path.abspath(sys.argv.pop(1))
    unittest.main()
