"""What a PostgreSQL may have around it: poolers and standbys, which are refused, full disks, clocks that are apart, and
writers that want the same rows in opposite order. What needs a program or a right that is missing here is skipped.

usage: failure_modes_test.py COSTCURVE [unittest options]
"""

import concurrent.futures
import contextlib
import glob
import http.client
import json
import os
import pathlib
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import unittest

TESTS = pathlib.Path(__file__).resolve().parents[2]
for folder in ("api", "support"):
    sys.path.insert(0, str(TESTS / folder))

import daemons_test  # noqa: E402
import postgres  # noqa: E402
import skips  # noqa: E402
from receiver import Receiver  # noqa: E402

PGBOUNCER = shutil.which("pgbouncer") or shutil.which("pgbouncer", path="/usr/sbin")
FAKETIME = glob.glob("/usr/lib/*/faketime/libfaketimeMT.so.1")
SECRET = "correct horse battery staple"
MIB = 1 << 20
LAST = {"kind": "gpu", "tdp_w": 1, "note": "value 20003"}  # what is written once there is space


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


class Pooler:
    """PgBouncer before a cluster, on a port of 127.0.0.1."""

    def __init__(self, cluster, mode, settings=""):
        self.port = free_port()
        self.folder = pathlib.Path(cluster.folder)
        (self.folder / "users").write_text(f'"{postgres.ROLE}" ""\n', encoding="utf-8")
        configuration = self.folder / "pgbouncer.ini"
        configuration.write_text(
            f"[databases]\n* = host={cluster.folder} port=5432\n"
            f"[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {self.port}\n"
            f"unix_socket_dir =\nauth_type = trust\nauth_file = {self.folder}/users\npool_mode = {mode}\n{settings}\n",
            encoding="utf-8")
        self.log = open(self.folder / "pgbouncer.log", "w+", encoding="utf-8")
        self.process = subprocess.Popen([PGBOUNCER, "-q", configuration], stdout=self.log, stderr=self.log, cwd="/",
                                        preexec_fn=cluster.as_server)

    def __enter__(self):
        end = time.monotonic() + daemons_test.PATIENCE_S
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port)):
                return self
            if time.monotonic() > end or self.process.poll() is not None:
                self.log.seek(0)
                raise RuntimeError(f"PgBouncer did not start: {self.log.read()}")
            time.sleep(0.02)

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.log.close()

    def url(self, database):
        return f"postgres://{postgres.ROLE}@127.0.0.1:{self.port}/{database}"


@unittest.skipUnless(PGBOUNCER, skips.why("pgbouncer"))
class Poolers(daemons_test.OnPostgres):
    """A pooler that drops a connection's options drops its timeouts; one that changes sessions, its locks."""

    def test_none_is_taken_whatever_its_mode(self):
        tables = "SELECT count(*) FROM information_schema.tables WHERE table_schema = 'public'"
        for mode in ("session", "transaction", "statement"):
            for settings, words in (("", "takes no options"), ("ignore_startup_parameters = options", "don't arrive")):
                for verb in (["migrate"], ["serve", "--port", "0"]):
                    with self.subTest(mode=mode, settings=settings, verb=verb[0]), \
                            Pooler(self.cluster, mode, settings) as pooler:
                        refused = daemons_test.run(pooler.url(self.database), *verb)
                        self.assertEqual(refused.returncode, 1, refused.stdout)
                        self.assertIn("pooler", refused.stderr)
                        self.assertIn("give the server's own address", refused.stderr)
                        if mode == "session":
                            self.assertIn(words, refused.stderr)
                        self.assertEqual(self.cluster.sql(tables, self.database), "0", "something was written")


class Standby(daemons_test.OnPostgres):
    def test_it_is_refused_and_named(self):
        self.assertEqual(daemons_test.run(self.url, "migrate").returncode, 0)
        with postgres.Cluster(primary=self.cluster) as standby:
            for verb in (["migrate"], ["serve", "--port", "0"]):
                refused = daemons_test.run(standby.url(self.database), *verb)
                self.assertEqual(refused.returncode, 1, refused.stdout)
                self.assertIn("this is a standby", refused.stderr)
                self.assertIn("give the primary's address", refused.stderr)

    def test_a_promoted_one_has_all_that_it_received_and_takes_writes(self):
        daemon = self.daemon()
        self.assertEqual(daemons_test.put_device(daemon, "a", 1)[0], 201)
        with postgres.Cluster(primary=self.cluster) as standby:
            end = time.monotonic() + daemons_test.PATIENCE_S
            daemons_test.put_device(daemon, "a", 2)
            while standby.sql("SELECT count(*) FROM change", self.database) != "2":
                self.assertLess(time.monotonic(), end, "the standby receives nothing")
                time.sleep(0.05)
            standby.sql("SELECT pg_promote()")
            promoted = self.daemon(url=standby.url(self.database))
            self.assertEqual(promoted.ask("GET", "/v1/devices/a")[1]["note"], "value 2")
            self.assertEqual(daemons_test.put_device(promoted, "a", 3)[0], 200)
            self.assertEqual(daemons_test.run(standby.url(self.database), "check").returncode, 0)
            promoted.process.kill()
            promoted.process.wait()


class SmallDisk:
    """A file system of its own for a folder. What fills it is one file."""

    def __init__(self, test, size):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="costcurve_disk_"))
        test.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", self.folder], capture_output=True,
                                 text=True, check=False)
        if mounted.returncode != 0:
            test.skipTest(f"no file system can be mounted here: {mounted.stderr.strip()}")
        test.addCleanup(subprocess.run, ["umount", "-l", self.folder], check=False)
        self.folder.chmod(0o755)
        owner = postgres.account()
        self.place = self.folder / "place"
        self.place.mkdir(mode=0o700)
        if owner:
            os.chown(self.place, owner.pw_uid, owner.pw_gid)
        self.ballast = self.folder / "ballast"

    def fill(self):
        with contextlib.suppress(OSError), open(self.ballast, "wb", buffering=0) as file:
            while True:
                file.write(bytes(4096))

    def clear(self):
        self.ballast.unlink()


def put_large(daemon, name, value):
    """A device of some 10 KB that no compression makes small."""
    noise = random.Random(value).randbytes(4500).hex()
    return daemon.ask("PUT", f"/v1/devices/{name}", {"kind": "gpu", "tdp_w": 100, "note": f"value {value} {noise}"})


class FullDisk(unittest.TestCase):
    def setUp(self):
        self.stack = contextlib.ExitStack()
        self.addCleanup(self.stack.close)

    def start(self, **options):
        self.cluster = self.stack.enter_context(postgres.Cluster(**options))

    def write_until_refused(self, daemon):
        """The values that were acknowledged."""
        acknowledged = []
        for value in range(1, 20_000):
            status, _ = put_large(daemon, "a", value)
            if status == 503:
                return acknowledged
            self.assertIn(status, (200, 201))
            acknowledged.append(value)
        self.fail("the disk never becomes full")

    def check_stored(self, database, daemon, acknowledged):
        contents = "SELECT text FROM revision JOIN body USING (body) WHERE id = 'a' ORDER BY since"
        rows = self.cluster.sql(contents, database)
        stored = [int(json.loads(row)["note"].split()[1]) for row in rows.splitlines()]
        kept = [value for value in stored if value in set(acknowledged)]
        self.assertEqual(kept, acknowledged, "acknowledged writes are lost")
        self.assertEqual(stored, sorted(set(stored)), "something is doubled")
        self.assertEqual(self.cluster.sql("SELECT count(*) = max(sequence) FROM change", database), "t")
        newest = daemon.settled("GET", "/v1/devices/a")[1]["note"]
        self.assertEqual(int(newest.split()[1]), stored[-1])
        checked = daemons_test.run(self.cluster.url(database), "check")
        self.assertEqual(checked.returncode, 0, checked.stdout + checked.stderr)

    def test_of_tables_refuses_writes_until_there_is_space(self):
        self.start(settings=postgres.WITHOUT_FLUSHES)
        disk = SmallDisk(self, 32 * MIB)
        self.cluster.sql(f"CREATE TABLESPACE small LOCATION '{disk.place}'")
        self.cluster.sql("CREATE DATABASE small TABLESPACE small")
        daemon = self.stack.enter_context(daemons_test.Daemon(self.cluster.url("small")))
        acknowledged = [0]
        self.assertEqual(put_large(daemon, "a", 0)[0], 201)
        disk.fill()
        acknowledged += self.write_until_refused(daemon)
        for value in (20_001, 20_002):
            self.assertEqual(put_large(daemon, "a", value)[0], 503)
        self.assertEqual(daemon.ask("GET", "/v1/devices/a")[0], 200, "reads go on")
        self.assertEqual(daemon.ask("GET", "/healthz")[0], 200)
        disk.clear()
        self.assertEqual(daemon.settled("PUT", "/v1/devices/a", LAST)[0], 200)
        self.check_stored("small", daemon, [*acknowledged, 20_003])

    def test_of_the_log_stops_the_server_and_loses_nothing(self):
        disk = SmallDisk(self, 24 * MIB)
        self.start(settings=("min_wal_size = 2MB", "max_wal_size = 4MB"),
                   options=("--wal-segsize", "1", "--waldir", str(disk.place / "log")))
        database = self.cluster.make_database()
        daemon = self.stack.enter_context(daemons_test.Daemon(self.cluster.url(database)))
        acknowledged = [0]
        self.assertEqual(put_large(daemon, "a", 0)[0], 201)
        disk.fill()
        acknowledged += self.write_until_refused(daemon)
        self.assertEqual(put_large(daemon, "a", 20_001)[0], 503)
        self.assertEqual(daemon.ask("GET", "/healthz")[0], 200)
        with open(self.cluster.log, encoding="utf-8") as log:
            self.assertIn("No space left on device", log.read())
        self.cluster.stop("immediate")
        disk.clear()
        self.cluster.start()
        self.assertEqual(daemon.settled("PUT", "/v1/devices/a", LAST)[0], 200)
        self.check_stored(database, daemon, [*acknowledged, 20_003])


@unittest.skipUnless(FAKETIME, skips.why("libfaketime"))
class ClocksApart(daemons_test.OnPostgres):
    """One daemon's clock is an hour behind, another's an hour ahead. Time that passes is the same for all."""

    def setUp(self):
        super().setUp()
        options = ("--allow-private-webhooks", "--webhook-retry-s", "0.05")
        self.daemons = [self.daemon(*options, variables=variables) for variables in
                        ({}, *({"LD_PRELOAD": FAKETIME[0], "FAKETIME": shift, "FAKETIME_DONT_FAKE_MONOTONIC": "1",
                                "DONT_FAKE_MONOTONIC": "1"} for shift in ("-1h", "+1h")))]

    def test_they_are_apart(self):
        times = [self.recorded_by(daemon, f"d{i}") for i, daemon in enumerate(self.daemons)]
        hours = [round((time - times[0]) / 3.6e9) for time in times]
        self.assertEqual(hours, [0, -1, 1], "a clock that isn't shifted proves nothing")

    def recorded_by(self, daemon, name):
        self.assertEqual(daemons_test.put_device(daemon, name, 1)[0], 201)
        return int(self.cluster.sql(f"SELECT recorded_at FROM change WHERE subject = 'device/{name}'", self.database))

    def test_changes_are_numbered_without_a_hole_and_their_times_ascend(self):
        writers = [daemons_test.Writer(lambda: self.daemons, f"w{i}") for i in range(4)]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.wait_for(20)
        for writer in writers:
            writer.stopping.set()
            writer.join(daemons_test.PATIENCE_S)
        self.check_history(self.daemons[0], writers)
        self.assertEqual(daemons_test.run(self.url, "check").returncode, 0)

    def test_a_delivery_under_way_is_no_other_daemons(self):
        for daemon in self.daemons:  # whoever it is told to
            with self.subTest(port=daemon.port), Receiver(SECRET, hangs=True) as receiver:
                hook = {"url": receiver.url(), "secret": SECRET}
                self.assertIn(daemon.ask("PUT", "/v1/webhooks/hook", hook)[0], (200, 201))
                self.assertLess(daemon.ask("POST", "/v1/webhooks/hook/test")[0], 300)
                self.assertTrue(receiver.wait(lambda calls: calls, daemons_test.PATIENCE_S), "it is never sent")
                self.assertFalse(receiver.wait(lambda calls: len(calls) > 1, 3), "another daemon sends it too")
                receiver.released.set()
                self.wait_for("SELECT count(*) FROM delivery WHERE state <> 'delivered'", "0")
                self.assertEqual(len(receiver.calls), 1)

    def wait_for(self, sql, wanted):
        end = time.monotonic() + daemons_test.PATIENCE_S
        while (found := self.cluster.sql(sql, self.database)) != wanted:
            self.assertLess(time.monotonic(), end, f"{sql}: {found}")
            time.sleep(0.05)


class OppositeOrders(daemons_test.OnPostgres):
    def test_of_the_same_series_give_the_right_sums(self):
        daemons = [self.daemon() for _ in range(2)]
        now = int(time.time())
        series, rounds = 200, 6

        def send(which):
            for turn in range(rounds):
                names = [f"host/{i}" for i in range(series)]
                if which % 2 == 1:
                    names.reverse()
                reading = {"time": now - 60 * turn - which, "power_w": 100, "energy_j": 1000 - turn}
                lines = "".join(json.dumps({**reading, "source": name}) + "\n" for name in names)
                status, answer = send_lines(daemons[which % 2], lines)
                self.assertEqual(status, 200, answer)
                self.assertEqual(answer["rejected"]["count"], 0, answer)
                self.assertEqual(answer["accepted"], 2 * series)

        with concurrent.futures.ThreadPoolExecutor() as pool:
            for sent in [pool.submit(send, which) for which in range(4)]:
                sent.result()
        for table in ("telemetry_sample", "telemetry_counter"):
            self.assertEqual(self.cluster.sql(f"SELECT count(*) FROM {table}", self.database), str(4 * series * rounds), table)
        count = 4 * series * rounds
        for metric, wanted in (("power_w", f"{count}|{100 * count}"), ("energy_j", f"{count}|0")):
            sums = self.cluster.sql("SELECT sum(count), coalesce(sum(sum), 0) FROM telemetry_hour "
                                    f"JOIN telemetry_series USING (series) WHERE metric = '{metric}'", self.database)
            self.assertEqual(sums, wanted, metric)
        deadlocks = self.cluster.sql(f"SELECT deadlocks FROM pg_stat_database WHERE datname = '{self.database}'")
        self.assertEqual(deadlocks, "0", "rows are not taken in the order of their keys")


def send_lines(daemon, lines):
    connection = http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=daemons_test.PATIENCE_S)
    try:
        connection.request("POST", "/v1/telemetry", lines, {"Content-Type": "application/x-ndjson"})
        answer = connection.getresponse()
        return answer.status, json.loads(answer.read())
    finally:
        connection.close()


if __name__ == "__main__":
    postgres.needed()
    daemons_test.BINARY = os.path.abspath(sys.argv.pop(1))
    skips.main()
