"""Databases that earlier versions wrote are opened, read, evaluated, exported, recalculated and checked by this one.

usage: stores_test.py COSTCURVE ROOT [unittest options]
"""

import contextlib
import gzip
import json
import os
import pathlib
import re
import sqlite3
import sys
import time
import unittest

from command_line_case import PATIENCE_S, CommandLineCase
from daemon import Daemon

STORES = []
KINDS = ("curves", "devices", "offers", "servers", "sites", "performances", "scenarios", "schedules", "webhooks", "comparisons",
         "models", "endpoints", "aliases", "feeds", "decisions")


def cost_without_power(result):
    """What 2.4.0, which reads other watts of devices without a curve, leaves as it was."""
    moved = ("energy", "demand_charge", "carbon")
    return result["total"]["cost"] - sum(result["by_category"].get(category, {}).get("cost", 0) for category in moved)


def may_lose(daemon, documents):
    """Whether 2.6.0 moves a scenario's figures: hosts fail in it, spot is not to be had at all times, or the bill routes it."""
    texts = [json.dumps(daemon.ask("GET", f"/v1/{document['kind']}s/{document['id']}")[2]) for document in documents
             if document["kind"] in ("scenario", "offer", "server")]
    moved = r'"spot"|"(interruptions|failures)_per_hour": (?!0[,}]|null)|"routing": "cheapest"'
    return any(re.search(moved, text) for text in texts)


class StoresTest(CommandLineCase):
    def each(self):
        """Unpacks one store after the other."""
        self.assertTrue(STORES)
        for store in STORES:
            for file in self.directory.glob("store.db*"):
                file.unlink()
            print(store.name, file=sys.stderr)
            (self.directory / "store.db").write_bytes(gzip.decompress(store.read_bytes()))
            yield

    def daemon(self):
        return Daemon(self.costcurve, self.directory)

    @staticmethod
    def version(path):
        with contextlib.closing(sqlite3.connect(path)) as database:
            return database.execute("PRAGMA user_version").fetchone()[0]

    def bodies(self):
        with sqlite3.connect(self.directory / "store.db") as database:
            return database.execute("SELECT body, text FROM body ORDER BY body").fetchall()

    def verb(self, *arguments):
        status, out, said = self.run_costcurve(*arguments, "--database", "store.db")
        self.assertEqual(status, 0, said)
        return out

    def recalculate_all(self, daemon):
        """Once it has ended."""
        status, _, run = daemon.ask("POST", "/v1/recalculations", {"scenarios": "all"}, {"Idempotency-Key": "once"})
        self.assertEqual(status, 202, run)
        begun = time.monotonic()
        while run["state"] not in ("done", "failed", "cancelled"):
            self.assertLess(time.monotonic() - begun, PATIENCE_S)
            time.sleep(0.05)
            run = daemon.ask("GET", f"/v1/recalculations/{run['id']}")[2]
        return run

    def test_every_document_is_listed_and_exported_and_no_body_is_written_again(self):
        for _ in self.each():
            before = self.bodies()
            self.assertGreater(len(before), 400)
            exported = json.loads(self.verb("export"))
            with self.daemon() as daemon:
                for kind in KINDS:
                    status, _, page = daemon.ask("GET", f"/v1/{kind}?limit=1000")
                    self.assertEqual(status, 200, page)
                    self.assertEqual([item for item in page["items"] if "problem" in item or "unknown_fields" in item], [])
                    self.assertEqual(len(page["items"]), len(exported.get(kind, [])), kind)
            after = self.bodies()
            self.assertEqual(after[:len(before)], before)
            added = [json.loads(text) for _, text in after[len(before):]]  # by the upgrade of schema 19
            self.assertLessEqual({curve.get("kind") for curve in added}, {"tariff"})
            self.assertIn("is whole", self.verb("check"))

    def test_a_document_that_is_written_again_as_it_is_stays_unchanged(self):
        for _ in self.each():
            exported = json.loads(self.verb("export"))
            before = self.bodies()
            total = sum(len(documents) for documents in exported.values())
            self.write("all.json", exported)
            said = self.run_costcurve("import", "json", "--database", "store.db", "all.json")
            self.assertEqual(said[0], 0, said[2])
            self.assertRegex(said[1], rf"^{total} documents: 0 added, 0 changed, {total} unchanged; run \d+\n$")
            with self.daemon() as daemon:
                for kind in KINDS:
                    for document in exported.get(kind, [])[:10]:
                        status, headers, answer = daemon.ask("PUT", f"/v1/{kind}/{document['id']}", document)
                        self.assertEqual((status, answer["revision"]), (200, document["revision"]), answer)
                site = {**exported["sites"][0], "note": "changed"}
                self.assertEqual(daemon.ask("PUT", f"/v1/sites/{site['id']}", site)[0], 200)
                self.assertEqual(daemon.ask("GET", f"/v1/sites/{site['id']}")[2]["note"], "changed")
            after = self.bodies()
            self.assertEqual(after[:len(before)], before)
            self.assertEqual(len(after), len(before) + 1, "a document that is changed has a body of its own, no other")
            self.assertIn("is whole", self.verb("check"))

    def test_a_backup_of_an_older_schema_is_restored_as_it_is_and_refused_where_check_would_find_something(self):
        changes = [
            ("UPDATE webhook SET url = 'https://evil.example/'", "is called at another address than its document has"),
            ("DELETE FROM result WHERE number = (SELECT max(number) FROM result)", "results: "),
            ("UPDATE point SET y = y + 1 WHERE y = (SELECT max(y) FROM point)", "a point of its curves"),
        ]
        for _ in self.each():
            backup, altered = self.directory / "backup.db", self.directory / "altered.db"
            (self.directory / "store.db").rename(backup)
            before = self.version(backup)
            self.verb("restore", "backup.db")
            self.assertEqual(self.version(self.directory / "store.db"), before, "it is upgraded at the next start")
            (self.directory / "store.db").unlink()
            for change, said in changes if before >= 8 else []:  # hashes are made of what an older one has
                altered.write_bytes(backup.read_bytes())
                with contextlib.closing(sqlite3.connect(altered)) as database, database:
                    triggers = database.execute("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").fetchall()
                    for name, _sql in triggers:
                        database.execute(f"DROP TRIGGER {name}")
                    self.assertGreater(database.execute(change).rowcount, 0, change)
                    for _name, sql in triggers:
                        database.execute(sql)
                status, _, told = self.run_costcurve("restore", "altered.db", "--database", "store.db")
                self.assertEqual(status, 1, change)
                self.assertIn(said, told, change)
                self.assertEqual(list(self.directory.glob("store.db*")), [], change)

    def test_every_scenario_is_evaluated_and_gives_what_it_gave(self):
        for _ in self.each():
            with self.daemon() as daemon:
                scenarios = [item["id"] for item in daemon.ask("GET", "/v1/scenarios?limit=1000")[2]["items"]]
                compared = 0
                for scenario in scenarios:
                    status, _, result = daemon.ask("POST", "/v1/evaluate", {"scenario": scenario})
                    self.assertEqual(status, 200, result)
                    status, _, old = daemon.ask("GET", f"/v1/scenarios/{scenario}/results/latest")
                    if status == 200 and old["provenance"]["documents"] == result["provenance"]["documents"]:
                        compared += 1
                        version = [answer["provenance"]["model_version"].split(".")[0] for answer in (old, result)]
                        old_cost, cost = cost_without_power(old), cost_without_power(result)
                        if version[0] == version[1]:  # another version of the model gives other figures, and is named in the result
                            self.assertTrue(abs(cost - old_cost) <= 1e-10 * old_cost or
                                            may_lose(daemon, result["provenance"]["documents"]), scenario)
                self.assertGreater(compared, 0)

    def test_a_recalculation_of_all_ends_well(self):
        for _ in self.each():
            with self.daemon() as daemon:
                run = self.recalculate_all(daemon)
                self.assertEqual((run["state"], run["failed"]), ("done", 0), run)

    def test_an_upgrade_of_the_model_is_told_apart_from_prices(self):
        for _ in self.each():
            with self.daemon() as daemon:
                events = lambda: {event["event"]: event for event in daemon.ask("GET", "/v1/events?limit=1000")[2]["items"]}
                before = events()
                self.recalculate_all(daemon)
                for number, event in events().items():
                    if number in before or not event["subject"].startswith("comparison/"):
                        continue
                    self.assertEqual(event["data"].get("cause"), "model_version", event)  # no document has changed
                    deliveries = daemon.ask("GET", f"/v1/deliveries?event={number}")[2]["items"]
                    self.assertEqual(deliveries, [], event)
            report = json.loads(self.verb("upgrade", "report", "--json"))
            self.assertGreater(report["compared"], 0)
            for moved in report["moved"]:
                self.assertTrue(moved["reasons"], moved)
                self.assertNotEqual(moved["from_model_version"], report["model_version"])
            fractions = {moved["scenario"]: abs(moved["change_fraction"]) for moved in report["moved"] if moved["change_fraction"]}
            if small := {scenario: fraction for scenario, fraction in fractions.items() if fraction < 0.9}:
                most = max(small, key=small.get)
                for percent, is_over in ((99.9 * small[most], True), (100.1 * small[most], False)):
                    over = json.loads(self.verb("upgrade", "report", "--json", "--over-percent", str(percent)))["moved"]
                    self.assertEqual(most in [moved["scenario"] for moved in over], is_over, percent)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    CommandLineCase.costcurve = os.path.abspath(sys.argv.pop(1))
    STORES = sorted(pathlib.Path(sys.argv.pop(1), "tests/stores").glob("*.db.gz"))
    unittest.main()
