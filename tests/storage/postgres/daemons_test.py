"""Daemons on one PostgreSQL, and what breaks beside them: processes and the server that are killed, stopped or cut off, and
databases that are not theirs. No acknowledged write is lost, none is doubled, and nothing needs a restart of a daemon.

usage: daemons_test.py COSTCURVE [--kills N] [unittest options]
"""

import concurrent.futures
import contextlib
import http.client
import json
import os
import pathlib
import random
import re
import signal
import socket
import subprocess
import sys
import threading
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "support"))

import postgres  # noqa: E402

BINARY = ""
KILLS = 10
SEED = 20261124
PATIENCE_S = 60
LATER_MIGRATION = ("INSERT INTO migration (version, name, sha256, applied_at) "
                   "SELECT max(version) + 1, 'later', 'x', 1 FROM migration")


class Daemon:
    """`costcurve serve` on a port of 127.0.0.1."""

    def __init__(self, url, *options, port=0, variables=()):
        environment = {name: value for name, value in os.environ.items() if not name.startswith("COSTCURVE_")}
        environment.update(variables)
        self.process = subprocess.Popen([BINARY, "serve", "--port", str(port), "--log-level", "error", *options],
                                        env={**environment, "COSTCURVE_DATABASE": url}, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, text=True)
        before = ""  # what it tells of the store comes first
        address = r"costcurve listens on http://127\.0\.0\.1:(\d+)\n"
        while not (found := re.fullmatch(address, line := self.process.stdout.readline())):
            before += line
            if not line:
                raise AssertionError(f"the daemon does not start: {before}")
        self.port = int(found[1])
        threading.Thread(target=self.process.stdout.read, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()

    def text(self, method, target):
        """The body as it is."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)
        connection.request(method, target)
        text = connection.getresponse().read().decode()
        connection.close()
        return text

    def ask(self, method, target, body=None, timeout_s=PATIENCE_S):
        """Status and decoded body; OSError or HTTPException where the connection broke."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout_s)
        try:
            connection.request(method, target, json.dumps(body) if body is not None else None,
                               {"Content-Type": "application/json"} if body is not None else {})
            answer = connection.getresponse()
            text = answer.read()
            return answer.status, json.loads(text) if text else None
        finally:
            connection.close()

    def settled(self, method, target, body=None):
        """The same, once it is no 503."""
        end = time.monotonic() + PATIENCE_S
        while True:
            status, answer = self.ask(method, target, body)
            if status != 503 or time.monotonic() > end:
                return status, answer
            time.sleep(0.05)


def run(url, *arguments):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("COSTCURVE_")}
    return subprocess.run([BINARY, *arguments], env={**environment, "COSTCURVE_DATABASE": url}, capture_output=True, text=True,
                          timeout=300, check=False)


def put_device(daemon, name, value):
    return daemon.ask("PUT", f"/v1/devices/{name}", {"kind": "gpu", "tdp_w": 100 + value % 1000, "note": f"value {value}"})


class Writer(threading.Thread):
    """Saves a document of its own again and again; knows what was acknowledged."""

    def __init__(self, daemons, name):
        super().__init__(name=name, daemon=True)
        self.daemons = daemons  # a function: those that serve now
        self.acknowledged = []
        self.stopping = threading.Event()
        self.chance = random.Random(f"{SEED}/{name}")

    def run(self):
        value = 0
        while not self.stopping.is_set():
            value += 1
            with contextlib.suppress(OSError, http.client.HTTPException, IndexError):
                status, answer = put_device(self.chance.choice(self.daemons()), self.name, value)
                if status in (200, 201):
                    self.acknowledged.append((value, answer))

    def wait_for(self, count):
        end = time.monotonic() + PATIENCE_S
        while len(self.acknowledged) < count:
            if time.monotonic() > end:
                raise AssertionError(f"{self.name}: {len(self.acknowledged)} of {count} writes in {PATIENCE_S} s")
            time.sleep(0.01)


class Proxy:
    """Between a daemon and the server: passes bytes on, and cuts, or stops reading, where it is told to."""

    def __init__(self, target):
        self.target = target
        self.cut_after_commit = False
        self.is_stopped = threading.Event()
        self.cuts = 0
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        with contextlib.suppress(OSError):
            while True:
                client, _ = self.listener.accept()
                server = socket.socket(socket.AF_UNIX)
                try:
                    server.connect(self.target)
                except OSError:
                    client.close()
                    continue
                for source, sink, is_request in ((client, server, True), (server, client, False)):
                    threading.Thread(target=self.pump, args=(source, sink, is_request), daemon=True).start()

    def pump(self, source, sink, is_request):
        commit = None  # what this connection runs it by: it is prepared once
        with contextlib.suppress(OSError):
            while data := source.recv(65536):
                while self.is_stopped.is_set():
                    time.sleep(0.02)
                sink.sendall(data)
                if prepared := re.search(rb"([\w]+)\0COMMIT\0", data) if is_request else None:
                    commit = b"\0" + prepared[1] + b"\0"
                if self.cut_after_commit and commit and commit in data:
                    self.cut_after_commit = False
                    self.cuts += 1
                    source.shutdown(socket.SHUT_RDWR)  # the server has it; nobody hears its answer
                    break
        for end in (source, sink):
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_WR if is_request else socket.SHUT_RDWR)

    def close(self):
        self.is_stopped.clear()
        self.listener.close()


class OnPostgres(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = postgres.Cluster()

    @classmethod
    def tearDownClass(cls):
        cls.cluster.close()

    def setUp(self):
        self.database = self.cluster.make_database()
        self.url = self.cluster.url(self.database)
        self.stack = contextlib.ExitStack()
        self.addCleanup(self.stack.close)

    def daemon(self, *options, url=None, **settings):
        return self.stack.enter_context(Daemon(url or self.url, *options, **settings))

    def check_history(self, daemon, writers):
        """Each acknowledged write is there, in order, and none of any kind twice; sequence has no hole."""
        for writer in writers:
            revisions = self.history(daemon, writer.name)
            stored = [self.value_of(revision) for revision in revisions]
            self.assertEqual(len(stored), len(set(stored)), f"{writer.name}: something is doubled")
            # What its writer has given up on may land late.
            acknowledged = [value for value, _ in writer.acknowledged]
            self.assertEqual([value for value in stored if value in set(acknowledged)], acknowledged,
                             f"{writer.name}: acknowledged writes are lost or out of order")
        numbers = self.cluster.sql("SELECT count(*), max(sequence), min(sequence) FROM change", self.database).split("|")
        self.assertEqual(numbers[0], numbers[1], "numbers of changes have a hole")
        times = self.cluster.sql("SELECT count(*) FROM (SELECT recorded_at <= lag(recorded_at) OVER (PARTITION BY era ORDER BY "
                                 "sequence) AS falls FROM change) AS pairs WHERE falls", self.database)
        self.assertEqual(times, "0", "recorded_at does not ascend")

    def history(self, daemon, name):
        # By the table, as a history over HTTP has no contents; the daemon is asked for the newest.
        rows = self.cluster.sql(f"SELECT text FROM revision JOIN body USING (body) WHERE kind = 'device' AND id = '{name}' "
                                "ORDER BY since", self.database)
        status, newest = daemon.settled("GET", f"/v1/devices/{name}")
        texts = [json.loads(row) for row in rows.splitlines()]
        self.assertEqual(status, 200)
        self.assertEqual(newest["note"], texts[-1]["note"])
        return texts

    @staticmethod
    def value_of(body):
        return int(body["note"].split()[1])


class Daemons(OnPostgres):
    def test_a_write_through_one_is_read_through_the_other(self):
        left, right = self.daemon(), self.daemon()
        self.assertEqual(put_device(left, "a", 1)[0], 201)
        self.assertEqual(right.ask("GET", "/v1/devices/a")[1]["note"], "value 1")

    def test_writers_at_once_number_their_changes_without_a_hole(self):
        daemons = [self.daemon() for _ in range(3)]
        writers = [Writer(lambda: daemons, f"w{i}") for i in range(6)]
        for writer in writers:
            writer.start()
        for writer in writers:
            writer.wait_for(30)
        for writer in writers:
            writer.stopping.set()
            writer.join(PATIENCE_S)
        self.check_history(daemons[0], writers)

    def test_a_killed_daemon_loses_no_acknowledged_write(self):
        chance = random.Random(SEED)
        alive = [self.daemon() for _ in range(3)]
        writers = [Writer(lambda: list(alive), f"w{i}") for i in range(3)]
        for writer in writers:
            writer.start()
        for i in range(KILLS):
            for writer in writers:
                writer.wait_for(3 * (i + 1))
            victim = alive.pop(chance.randrange(len(alive)))
            victim.process.kill()
            victim.process.wait()
            alive.append(self.daemon())
        for writer in writers:
            writer.stopping.set()
            writer.join(PATIENCE_S)
        self.check_history(alive[0], writers)
        self.assertEqual(run(self.url, "check").returncode, 0)

    def test_a_server_that_crashes_loses_no_acknowledged_write_and_no_daemon(self):
        daemons = [self.daemon() for _ in range(2)]
        writers = [Writer(lambda: daemons, f"w{i}") for i in range(3)]
        for writer in writers:
            writer.start()
        for i in range(3):
            for writer in writers:
                writer.wait_for(5 * (i + 1))
            self.cluster.stop("immediate")
            self.assertEqual(daemons[0].ask("GET", "/healthz")[0], 200, "liveness asks no database")
            self.assertEqual(daemons[0].ask("PUT", "/v1/devices/x", {"kind": "gpu", "tdp_w": 1})[0], 503)
            self.cluster.start()
            self.assertEqual(daemons[0].settled("GET", "/readyz")[0], 200)
        for writer in writers:
            writer.wait_for(20)
            writer.stopping.set()
            writer.join(PATIENCE_S)
        self.assertEqual([daemon.process.poll() for daemon in daemons], [None, None])
        self.check_history(daemons[0], writers)

    def test_a_stopped_daemon_holds_the_others_up_no_longer_than_its_transaction(self):
        left, right = self.daemon(), self.daemon()
        writer = Writer(lambda: [left], "stopped")
        writer.start()
        writer.wait_for(5)
        left.process.send_signal(signal.SIGSTOP)
        try:
            self.assertIn(right.settled("PUT", "/v1/devices/other", {"kind": "gpu", "tdp_w": 1})[0], (200, 201))
        finally:
            left.process.send_signal(signal.SIGCONT)
        writer.wait_for(len(writer.acknowledged) + 2)
        writer.stopping.set()
        writer.join(PATIENCE_S)
        self.check_history(right, [writer])

    def test_a_connection_that_breaks_within_commit_gives_the_right_answer_and_no_second_revision(self):
        proxy = Proxy(os.path.join(self.cluster.folder, f".s.PGSQL.{self.cluster.port or 5432}"))
        self.addCleanup(proxy.close)
        daemon = self.daemon(url=f"postgres://{postgres.ROLE}@127.0.0.1:{proxy.port}/{self.database}")
        put_device(daemon, "a", 1)
        for value in range(2, 8):
            proxy.cut_after_commit = True
            status, _ = put_device(daemon, "a", value)
            stored = [self.value_of(body) for body in self.history(daemon, "a")]
            self.assertEqual(stored, sorted(set(stored)))
            if status in (200, 201):
                self.assertIn(value, stored)
            elif status != 503:
                self.fail(f"status {status}")
        self.assertGreater(proxy.cuts, 0, "the proxy never saw a COMMIT")

    def test_a_network_that_is_silent_stops_no_other_daemon(self):
        proxy = Proxy(os.path.join(self.cluster.folder, f".s.PGSQL.{self.cluster.port or 5432}"))
        self.addCleanup(proxy.close)
        cut_off = self.daemon(url=f"postgres://{postgres.ROLE}@127.0.0.1:{proxy.port}/{self.database}")
        other = self.daemon()
        put_device(cut_off, "a", 1)
        with concurrent.futures.ThreadPoolExecutor() as pool:
            proxy.is_stopped.set()
            silent = pool.submit(put_device, cut_off, "a", 2)
            self.assertIn(other.settled("PUT", "/v1/devices/b", {"kind": "gpu", "tdp_w": 1})[0], (200, 201))
            proxy.is_stopped.clear()
            self.assertIn(silent.result(PATIENCE_S)[0], (200, 503))
        self.assertEqual(cut_off.settled("GET", "/readyz")[0], 200)


class Refused(OnPostgres):
    """Databases that a daemon must not take: a sentence that says what to do, and nothing written."""

    def refusal(self, url, *wanted):
        refused = run(url, "migrate")
        self.assertEqual(refused.returncode, 1, refused.stdout + refused.stderr)
        for word in wanted:
            self.assertIn(word, refused.stderr)
        self.assertNotIn("hunter2", refused.stdout + refused.stderr, "a password is shown")
        return refused.stderr

    def test_a_server_that_is_not_there(self):
        self.refusal("postgres://costcurve:hunter2@127.0.0.1:1/costcurve", "127.0.0.1")

    def test_another_programs_schema(self):
        self.cluster.sql("CREATE TABLE store (x int); CREATE TABLE other (y int)", self.database)
        self.refusal(self.url, "")
        self.assertEqual(self.cluster.sql("SELECT count(*) FROM information_schema.tables WHERE table_schema = 'public'",
                                          self.database), "2")

    def test_a_newer_version(self):
        self.assertEqual(run(self.url, "migrate").returncode, 0)
        self.cluster.sql(LATER_MIGRATION, self.database)
        self.refusal(self.url, "newer")

    def test_a_role_without_rights(self):
        self.assertEqual(run(self.url, "migrate").returncode, 0)
        self.cluster.sql("CREATE ROLE nobody_here LOGIN")
        self.refusal(self.cluster.url(self.database, user="nobody_here"), "")

    def test_a_wrong_password(self):
        with open(os.path.join(self.cluster.data, "pg_hba.conf"), encoding="utf-8") as file:
            before = file.read()
        self.cluster.sql("CREATE ROLE guarded LOGIN PASSWORD 'right'")
        with open(os.path.join(self.cluster.data, "pg_hba.conf"), "w", encoding="utf-8") as file:
            file.write("local all guarded scram-sha-256\n" + before)
        self.cluster.sql("SELECT pg_reload_conf()")
        self.refusal(self.cluster.url(self.database, user="guarded", password="hunter2"), "password")

    def test_two_migrations_at_once_do_it_once(self):
        with concurrent.futures.ThreadPoolExecutor() as pool:
            both = [pool.submit(run, self.url, "migrate") for _ in range(4)]
            self.assertEqual([done.result().returncode for done in both], [0] * 4, [done.result().stderr for done in both])
        self.assertEqual(self.cluster.sql("SELECT count(*) = count(DISTINCT version) FROM migration", self.database), "t")

    def test_a_database_that_takes_no_writes_goes_on_reading(self):
        daemon = self.daemon()
        put_device(daemon, "a", 1)
        self.cluster.sql(f"ALTER DATABASE {self.database} SET default_transaction_read_only = on")
        self.cluster.sql(f"SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '{self.database}'")
        self.assertEqual(daemon.settled("GET", "/v1/devices/a")[0], 200)
        self.assertEqual(put_device(daemon, "a", 2)[0], 503)


if __name__ == "__main__":
    postgres.needed()
    BINARY = os.path.abspath(sys.argv.pop(1))
    if "--kills" in sys.argv:
        at = sys.argv.index("--kills")
        KILLS = int(sys.argv[at + 1])
        del sys.argv[at:at + 2]
    unittest.main()
