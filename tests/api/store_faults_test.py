"""What becomes of the store when the world breaks: killed daemons, full disks, locks, files of others.

usage: store_faults_test.py COSTCURVE [unittest options]
"""

import contextlib
import http.client
import os
import pathlib
import random
import re
import resource
import sqlite3
import struct
import sys
import threading
import time
import unittest

from command_line_case import SMALLEST, CommandLineCase
from daemon import Daemon, ask

SEED = 20261121
DEVICE = {"kind": "gpu", "tdp_w": 700}


def commits_in_log(database):
    """Transactions in SQLite's write-ahead log since it began anew: frames whose second number, the size after a commit, isn't 0
    (sqlite.org/fileformat2.html, 4.1), of the log's own salt."""
    log = pathlib.Path(f"{database}-wal").read_bytes()
    page, salt = struct.unpack(">I", log[8:12])[0], log[16:24]
    frames = [log[at:at + 24] for at in range(32, len(log) - 23, 24 + page)]
    return sum(struct.unpack(">I", frame[4:8])[0] > 0 for frame in frames if frame[8:16] == salt)


class StoreFaults(CommandLineCase):
    def daemon(self, *options):
        return Daemon(self.costcurve, self.directory, *options)

    def write_until_killed(self, daemon, acknowledged, after):
        """Saves documents one after another; kills the daemon once `after` more are acknowledged, while it writes on."""
        reached = threading.Event()

        def killer():
            reached.wait()
            daemon.kill()

        thread = threading.Thread(target=killer)
        thread.start()
        connection = daemon.connect()
        count = 0
        try:
            while True:
                name, watts = f"gpu-{count % 7}", 100 + len(acknowledged)
                status, headers, document = ask(connection, "PUT", f"/v1/devices/{name}", {**DEVICE, "tdp_w": watts})
                self.assertIn(status, (200, 201))
                self.assertEqual(headers["ETag"], f'"{document["revision"]}"')
                acknowledged.append((name, document["revision"], document["recorded_at"], watts))
                count += 1
                if count == after:
                    reached.set()
        except (OSError, http.client.HTTPException):
            pass  # the connection broke: what was on its way is not acknowledged
        finally:
            reached.set()
            connection.close()
            thread.join()
            daemon.process.wait()
            daemon.process.stdout.close()

    def test_a_kill_loses_no_acknowledged_revision(self):
        chance = random.Random(SEED)
        acknowledged = []
        for _ in range(10):
            self.write_until_killed(self.daemon(), acknowledged, chance.randint(1, 200))
        with self.daemon() as daemon:
            self.assertGreater(len(acknowledged), 100)
            for name, revision, recorded_at, watts in acknowledged:
                status, _, document = daemon.ask("GET", f"/v1/devices/{name}?as_of={recorded_at}")
                self.assertEqual((status, document["revision"], document["tdp_w"]), (200, revision, watts), name)
        with sqlite3.connect(self.directory / "store.db") as database:
            self.assertEqual(database.execute("PRAGMA integrity_check").fetchone(), ("ok",))

    def test_a_full_disk_refuses_writes_keeps_reading_and_recovers(self):
        curve = {"kind": "price", "axis": "date", "points": [[f"{1970 + i // 336}-{1 + i % 336 // 28:02}-{1 + i % 28:02}", i]
                                                             for i in range(5000)]}
        saved = []
        with self.daemon("--max-database-mb", "1") as daemon:
            for i in range(100):
                status, headers, answer = daemon.ask("PUT", f"/v1/curves/c{i}", curve)
                if status != 201:
                    break
                saved.append(answer)
            self.assertEqual(status, 503, answer)
            self.assertIn("full", answer["detail"])
            self.assertTrue(headers["Retry-After"])
            for i in range(1000):  # what is smaller may have room
                if daemon.ask("PUT", f"/v1/devices/d{i}", {**DEVICE, "note": "n" * 8000})[0] != 201:
                    break
            ready, _, why = daemon.ask("GET", "/readyz")  # at once, not only when it is looked at again
            self.assertEqual((ready, why["detail"]), (503, answer["detail"]))
            self.assertNotIn(str(self.directory), str(answer))
            self.assertGreater(len(saved), 0)
            self.assertEqual(daemon.ask("GET", f"/v1/curves/{saved[-1]['id']}")[2], saved[-1], "reading goes on")
            self.assertEqual(daemon.ask("GET", f"/v1/curves/c{len(saved)}")[0], 404, "nothing of the refused write is there")
            self.assertEqual(daemon.ask("POST", "/v1/evaluate", {"scenario": SMALLEST})[0], 200)
        with self.daemon() as daemon:
            self.assertEqual(daemon.ask("PUT", f"/v1/curves/c{len(saved)}", curve)[0], 201)

    def test_a_document_larger_than_what_is_left_makes_nothing_unready(self):
        large = {"kind": "price", "axis": "date",
                 "points": [[f"{1970 + i // 336}-{1 + i % 336 // 28:02}-{1 + i % 28:02}", 1 + i / 7] for i in range(60000)]}
        with self.daemon("--max-database-mb", "1") as daemon:
            status, _, answer = daemon.ask("PUT", "/v1/curves/large", large)
            self.assertEqual(status, 503, answer)
            self.assertEqual(daemon.ask("GET", "/readyz")[0], 200, "others have room")
            self.assertEqual(daemon.ask("PUT", "/v1/devices/a", DEVICE)[0], 201)

    def test_a_limit_of_files_is_called_a_full_disk_and_not_ready(self):
        offer = {"provider": "p", "purchase": "on_demand", "devices": 1, "hourly_price": 1, "currency": "USD", "note": "n" * 8000,
                 "device": DEVICE}
        limit = resource.getrlimit(resource.RLIMIT_FSIZE)
        with self.daemon() as daemon:
            resource.prlimit(daemon.process.pid, resource.RLIMIT_FSIZE, (2 << 20, limit[1]))
            for i in range(1000):
                status, _, answer = daemon.ask("PUT", f"/v1/offers/o{i}", offer)
                if status != 201:
                    break
            self.assertEqual(status, 503, answer)
            self.assertIn("disk is full", answer["detail"])
            self.assertIn("disk is full", daemon.ask("GET", "/readyz")[2]["detail"])
            self.assertEqual(daemon.ask("GET", "/v1/offers/o0")[0], 200)
            resource.prlimit(daemon.process.pid, resource.RLIMIT_FSIZE, limit)
            self.wait_ready(daemon, 200)

    def wait_ready(self, daemon, status):
        """Whether the store can be written is looked at each second, and may wait 5 s for its lock."""
        for _ in range(200):
            if daemon.ask("GET", "/readyz")[0] == status:
                return
            time.sleep(0.1)
        self.fail(f"/readyz has not become {status}")

    def test_a_locked_database_is_a_503_for_writes_and_reads_go_on(self):
        with self.daemon() as daemon:
            self.assertEqual(daemon.ask("PUT", "/v1/devices/a", DEVICE)[0], 201)
            lock = sqlite3.connect(self.directory / "store.db", isolation_level=None)
            lock.execute("BEGIN IMMEDIATE")
            status, headers, answer = daemon.ask("PUT", "/v1/devices/b", DEVICE)
            self.assertEqual(status, 503, answer)
            self.assertTrue(headers["Retry-After"])
            self.wait_ready(daemon, 503)
            self.assertEqual(daemon.ask("GET", "/v1/devices/a")[0], 200)
            lock.execute("ROLLBACK")
            lock.close()
            self.assertEqual(daemon.ask("PUT", "/v1/devices/b", DEVICE)[0], 201)
            self.wait_ready(daemon, 200)

    def test_plain_puts_that_wait_for_a_write_share_its_transaction(self):
        with self.daemon("--threads", "6") as daemon, sqlite3.connect(self.directory / "store.db", isolation_level=None) as other:
            def busy_workers():  # that which answers this is one
                with contextlib.closing(daemon.connect()) as connection:
                    connection.request("GET", "/metrics")
                    text = connection.getresponse().read()
                return int(re.search(rb"^costcurve_busy_workers (\d+)$", text, re.MULTILINE).group(1))

            self.assertEqual(daemon.ask("PUT", "/v1/devices/before", DEVICE)[0], 201)
            before = commits_in_log(self.directory / "store.db")
            other.execute("BEGIN IMMEDIATE")
            statuses = []
            puts = [threading.Thread(target=lambda name=name: statuses.append(daemon.ask("PUT", f"/v1/devices/{name}", DEVICE)[0]))
                    for name in ("first", "a", "b")]
            for count, put in enumerate(puts, start=1):
                put.start()
                while busy_workers() < 1 + count:
                    pass
            other.execute("ROLLBACK")
            for put in puts:
                put.join()
            self.assertEqual(statuses, [201] * len(puts))
            # The first one's, and one of those that came meanwhile; or one of all, where a probe had the writer before them.
            self.assertIn(commits_in_log(self.directory / "store.db") - before, (1, 2))

    def test_files_that_are_no_store_are_1_and_left_as_they_are(self):
        foreign = self.directory / "foreign.db"
        with sqlite3.connect(foreign) as database:
            database.execute("CREATE TABLE theirs (x)")
        self.run_costcurve("migrate", "--database", "whole.db")
        whole = (self.directory / "whole.db").read_bytes()
        truncated = self.write("truncated.db", whole[:len(whole) // 2 + 100])
        text = self.write("text.db", "this is no database, but a text that is long enough to have a header of its own" * 20)
        directory = self.directory / "directory.db"
        directory.mkdir()
        for path in (str(foreign), truncated, text, str(directory), str(self.directory / "no" / "such.db")):
            before = pathlib.Path(path).read_bytes() if os.path.isfile(path) else None
            for verb in (["migrate"], ["serve", "--port", "0"], ["keys", "add", "a"]):
                status, out, err = self.run_costcurve(*verb, "--database", path)
                self.assertEqual(status, 1, (verb, path, out, err))
                self.assertEqual(out, "")
                self.assertGreater(len(err), 20, (verb, path))
            if before is not None:
                self.assertEqual(pathlib.Path(path).read_bytes(), before, path)

    def test_a_newer_store_and_a_changed_migration_are_refused(self):
        for name, change in (("newer", "INSERT INTO migration SELECT 999, 'x', sha256, applied_at FROM migration LIMIT 1"),
                             ("changed", "UPDATE migration SET sha256 = replace(hex(zeroblob(32)), '00', 'ab') WHERE version = 1")):
            path = str(self.directory / f"{name}.db")
            self.assertEqual(self.run_costcurve("migrate", "--database", path)[0], 0)
            with sqlite3.connect(path) as database:
                database.execute(change)
                if name == "newer":
                    database.execute("PRAGMA user_version = 999")
            database.close()
            status, _, err = self.run_costcurve("migrate", "--database", path)
            self.assertEqual(status, 1, name)
            self.assertGreater(len(err), 20, name)

    def test_a_backup_is_taken_under_load_and_restored(self):
        with self.daemon() as daemon:
            for i in range(20):
                daemon.ask("PUT", f"/v1/devices/d{i}", DEVICE)
            status, _, err = self.run_costcurve("backup", "copy.db", "--database", "store.db")
            self.assertEqual(status, 0, err)
            self.assertEqual(self.run_costcurve("backup", "copy.db", "--database", "store.db")[0], 1, "it exists already")
            daemon.ask("DELETE", "/v1/devices/d3")
            self.assertEqual(self.run_costcurve("restore", "copy.db", "--database", "store.db")[0], 1, "the daemon has it open")
        status, out, err = self.run_costcurve("restore", "copy.db", "--database", "store.db")
        self.assertEqual(status, 0, err)
        with self.daemon() as daemon:
            self.assertEqual(daemon.ask("GET", "/v1/devices/d3")[0], 200)
        damaged = self.write("damaged.db", (self.directory / "copy.db").read_bytes()[:-5000])
        self.assertEqual(self.run_costcurve("restore", damaged, "--database", "store.db")[0], 1)
        with self.daemon() as daemon:
            self.assertEqual(daemon.ask("GET", "/v1/devices/d3")[0], 200, "what was there is still there")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    StoreFaults.costcurve = os.path.abspath(sys.argv[1])
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
