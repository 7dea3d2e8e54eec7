"""What guards the store: one daemon a file, files of their owner's, a check of every byte, keys that end, an audit of every write.

usage: store_guard_test.py COSTCURVE [unittest options]
"""

import gzip
import os
import pathlib
import sqlite3
import subprocess
import sys

from command_line_case import PATIENCE_S, SMALLEST, CommandLineCase, environment, skips
from daemon import Daemon

STORES = pathlib.Path(__file__).resolve().parents[2].parent / "shared" / "stores"  # written by older programs
DEVICE = {"kind": "gpu", "tdp_w": 700}


class StoreGuard(CommandLineCase):
    def daemon(self, *options):
        return Daemon(self.costcurve, self.directory, *options)

    def verb(self, *arguments, status=0):
        code, out, said = self.run_costcurve(*arguments, "--database", str(self.directory / "store.db"))
        self.assertEqual(code, status, out + said)
        return out, said

    def test_a_second_daemon_on_one_file_is_refused_with_the_process_of_the_first(self):
        with self.daemon() as first:
            os.symlink(self.directory / "store.db", self.directory / "symbolic.db")
            os.link(self.directory / "store.db", self.directory / "hard.db")
            for name in ("store.db", "symbolic.db", "hard.db"):
                second = subprocess.run([self.costcurve, "serve", "--port", "0", "--database", str(self.directory / name)],
                                        capture_output=True, text=True, timeout=PATIENCE_S, env=environment(), check=False)
                self.assertEqual(second.returncode, 1, second.stderr)
                self.assertIn(f"(process {first.process.pid})", second.stderr)
            self.verb("keys", "list")  # verbs work beside it
            self.assertEqual(first.ask("PUT", "/v1/devices/a", DEVICE)[0], 201)
        with self.daemon() as again:  # the lock went with the first
            self.assertEqual(again.ask("GET", "/v1/devices/a")[0], 200)

    def test_a_file_deleted_underneath_takes_no_write(self):
        with self.daemon() as daemon:
            self.assertEqual(daemon.ask("PUT", "/v1/devices/a", DEVICE)[0], 201)
            os.unlink(self.directory / "store.db")
            status, _, problem = daemon.ask("PUT", "/v1/devices/b", DEVICE)
            self.assertEqual(status, 503)
            self.assertIn("was moved, replaced or deleted", problem["detail"])

    def test_files_are_their_owners_only(self):
        before = os.umask(0)
        try:
            with self.daemon():
                self.verb("backup", "backup.db")
                modes = {path.name: oct(path.stat().st_mode & 0o777) for path in self.directory.glob("*.db*")}
        finally:
            os.umask(before)
        self.assertEqual(modes, dict.fromkeys(["store.db", "store.db-wal", "store.db-shm", "store.db.lock", "backup.db"], "0o600"))

    def test_a_check_finds_a_price_that_was_changed(self):
        with self.daemon() as daemon:
            self.assertEqual(daemon.ask("PUT", "/v1/devices/a", DEVICE)[0], 201)
            self.assertEqual(daemon.ask("PUT", "/v1/curves/c", {"kind": "price", "axis": "date",
                                                                "points": [["2026-01-01", 4.56]]})[0], 201)
            out, _ = self.verb("check")
            self.assertRegex(out, r"is whole: 2 changes, 2 revisions, 0 results; @2 [0-9a-f]{64}\n$")
            self.assertIn("is whole", self.verb("check", "--quick")[0])
        with sqlite3.connect(self.directory / "store.db") as database:
            database.execute("DROP TRIGGER point_stays")
            database.execute("UPDATE point SET y = 9.56")
        database.close()
        out, _ = self.verb("check", status=1)
        self.assertIn("curve c, revision 1 (change 2): it is not what was stored", out)
        self.assertIn("is DAMAGED: 2 problems", out)
        self.verb("backup", "bad.db")
        code, _, said = self.run_costcurve("restore", "bad.db", "--database", "other.db")
        self.assertEqual(code, 1)
        self.assertIn("the backup is damaged", said)

    def test_stores_of_older_programs_get_their_hashes_and_keep_what_they_say(self):
        stores = sorted(STORES.glob("*.db.gz"))
        if not stores:
            self.skipTest(f"no stores of older programs in {STORES}")
        for store in stores:
            path = self.directory / "store.db"
            path.write_bytes(gzip.decompress(store.read_bytes()))
            with sqlite3.connect(path) as old:
                revisions = old.execute("SELECT document, revision, kind, id, title, hourly_price FROM revision "
                                        "ORDER BY document, since").fetchall()
                bodies = old.execute("SELECT body, text FROM body ORDER BY body").fetchall()
            old.close()
            self.verb("migrate")
            with sqlite3.connect(path) as new:
                now = new.execute("SELECT document, revision, kind, id, title, hourly_price FROM revision "
                                  "ORDER BY document, since").fetchall()
                texts = new.execute("SELECT body, text FROM body ORDER BY body").fetchall()
            new.close()
            self.assertEqual([row for row in now if row in revisions], revisions)
            added = [row for row in now if row not in revisions]  # of curves that take their currency, a revision each
            self.assertEqual([(kind, revision > 1) for _, revision, kind, *_ in added], [("curve", True)] * len(added))
            self.assertEqual([row for row in texts if row in bodies], bodies)
            self.assertRegex(self.verb("check")[0], rf"is whole: \d+ changes, {len(now)} revisions")
            for file in self.directory.glob("store.db*"):
                file.unlink()

    def test_keys_expire_and_are_rotated(self):
        first = self.verb("keys", "add", "ops", "--role", "admin", "--days", "30")[0].strip()
        with self.daemon("--require-keys") as daemon:
            def status(secret):
                return daemon.ask("GET", "/v1/audit", headers={"Authorization": f"Bearer {secret}"})
            self.assertEqual(status(first)[0], 200)
            out, said = self.verb("keys", "rotate", "ops", "--overlap-hours", "1")
            second = out.strip()
            self.assertIn("the one before is good until", said)
            self.assertEqual([status(first)[0], status(second)[0]], [200, 200])
            third = self.verb("keys", "rotate", "ops", "--overlap-hours", "0")[0].strip()
            code, _, problem = status(first)
            self.assertEqual(code, 401)
            self.assertIn("expired", problem["detail"])
            self.assertEqual([status(second)[0], status(third)[0]], [401, 200])
            self.assertIn("ops", self.verb("keys", "list")[0])
        self.verb("keys", "rotate", "nobody", status=2)

    def test_the_audit_has_every_write_and_where_it_came_from(self):
        with self.daemon() as daemon:
            self.assertEqual(daemon.ask("PUT", "/v1/scenarios/s", SMALLEST)[0], 201)
            self.assertEqual(daemon.ask("PUT", "/v1/webhooks/w",
                                        {"url": "https://example.org/", "secret": "sixteen bytes it is"})[0],
                             201)
            self.assertEqual(daemon.ask("POST", "/v1/webhooks/w/test")[0], 202)
            self.assertEqual(daemon.ask("POST", "/v1/recalculations", {"scenarios": "changed"})[0], 202)
            self.verb("keys", "add", "k")
            entries = daemon.ask("GET", "/v1/audit")[2]["items"]
            rows = {(entry["author"], entry["address"], entry["action"], entry["subject"]) for entry in entries}
            self.assertEqual(rows, {("local", "127.0.0.1", "save", "scenario/s"), ("local", "127.0.0.1", "save", "webhook/w"),
                                    ("local", "127.0.0.1", "test_webhook", "webhook/w"),
                                    ("local", "127.0.0.1", "begin_recalculation", "recalculation/1"), ("cli", "", "add_key", "k")})

    def test_as_of_takes_the_number_of_a_change(self):
        with self.daemon() as daemon:
            for watts in (100, 200):
                daemon.ask("PUT", "/v1/devices/a", {**DEVICE, "tdp_w": watts})
            self.assertEqual(daemon.ask("GET", "/v1/devices/a?as_of=@1")[2]["tdp_w"], 100)
            self.assertEqual(daemon.ask("GET", "/v1/devices/a?as_of=@2")[2]["tdp_w"], 200)
            self.assertEqual(daemon.ask("GET", "/v1/devices/a?as_of=@0")[0], 404)
            status, _, problem = daemon.ask("GET", "/v1/devices/a?as_of=@3")
            self.assertEqual([status, problem["errors"][0]["code"]], [422, "out_of_range"])
            self.assertEqual(daemon.ask("POST", "/v1/evaluate", {"scenario": SMALLEST, "as_of": "@1"})[0], 200)
        self.assertIn('"tdp_w":100', self.verb("export", "--as-of", "@1")[0].replace(" ", ""))


if __name__ == "__main__":
    StoreGuard.costcurve = os.path.abspath(sys.argv.pop(1))
    skips.main()
