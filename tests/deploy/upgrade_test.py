"""A service of version 2.0 behind nginx is upgraded on its store, as docs/operations.md has it, while clients ask: killed in the
middle of the migration, killed at work, and restarted by the next upgrade. Requests fail only while no daemon is ready, and
nothing is lost.

usage: upgrade_test.py COSTCURVE REPOSITORY [--seed N] [unittest options]
The program of 2.0 is not there: the test begins where it has been stopped. The store is one that it wrote.
"""

import contextlib
import gzip
import hashlib
import json
import pathlib
import random
import shutil
import sqlite3
import subprocess
import sys
import time

ROOT = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else ".").resolve()
sys.path.insert(0, str(ROOT / "tests/api"))

# pylint: disable=wrong-import-position
from command_line_case import PATIENCE_S, CommandLineCase, environment, skips  # noqa: E402
from load import Asker, Client, Poster, Putter, Reader  # noqa: E402
from proxy import NAME, Proxy, editors_key, free_ports  # noqa: E402

STORE = "tests/stores/store-5837f5b.db.gz"  # of 2.0.0, schema 10
SCHEMA = 10
RATE = 10_000  # requests/s that nginx lets one client send
KILLS = 12
BETWEEN_DAEMONS = {502, 503, 504}  # what nginx answers where no daemon listens, or one stops; docs/operations.md, Upgrade


def schema_of(path):
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        return database.execute("PRAGMA user_version").fetchone()[0]


def content_of(path):
    """A hash of all rows and of the schema."""
    with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        if database.execute("PRAGMA integrity_check").fetchone()[0] != "ok":
            raise AssertionError(f"{path} is damaged")
        return hashlib.sha256("\n".join(database.iterdump()).encode()).hexdigest()


class ReaderOfTheStore(Reader):
    """Reads a document that 2.0 stored."""

    target = "/v1/devices/amd.mi300x"


class UpgradeCase(CommandLineCase):
    seed = 1

    def setUp(self):
        super().setUp()
        self.store = self.directory / "store.db"
        self.old = self.directory / "of 2.0.db"
        self.old.write_bytes(gzip.decompress((ROOT / STORE).read_bytes()))
        self.lay_out()

    def lay_out(self):
        """The store of 2.0 and nothing beside it."""
        for path in self.directory.glob("store.db*"):
            path.unlink()
        shutil.copy(self.old, self.store)
        self.store.chmod(0o600)

    def start(self, port):
        command = [self.costcurve, "serve", "--database", str(self.store), "--port", str(port), "--log-level", "off",
                   "--allowed-host", NAME]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment(), text=True)

        def end():
            if process.poll() is None:
                process.kill()
            process.wait()
            process.stdout.close()
        self.addCleanup(end)
        return process

    def verb(self, *arguments):
        status, out, err = self.run_costcurve(*arguments)
        self.assertEqual(status, 0, err)
        return out

    def exported(self):
        """All documents by kind, without the time at which the upgrade changed some."""
        documents = json.loads(self.verb("export", "--database", str(self.store)))
        for document in (each for listed in documents.values() for each in listed):
            if document.get("recorded_by") == "upgrade":
                del document["recorded_at"]
        return documents

    def seconds_to_migrate(self):
        """From the start of a daemon on the store of 2.0 until it listens."""
        begun = time.monotonic()
        process = self.start(0)
        self.assertIn("listens", process.stdout.readline())
        took = time.monotonic() - begun
        process.terminate()
        self.assertEqual(process.wait(PATIENCE_S), 0)
        return took


class KilledMigration(UpgradeCase):
    def test_killed_at_random_points_it_goes_on_and_the_copy_of_2_0_stays_whole(self):
        drawn = random.Random(self.seed)
        before = content_of(self.old)
        took = self.seconds_to_migrate()
        wanted, newest = self.exported(), schema_of(self.store)
        schemas = []
        for _ in range(KILLS):
            self.lay_out()
            for part in (drawn.random(), drawn.random()):  # the second goes on from where the first was killed
                process = self.start(0)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    process.wait(part * took)
                process.kill()
                process.wait()
                schemas.append(schema_of(self.store))
                copy = self.store.with_name(f"store.db.before-{SCHEMA + 1}")
                if schemas[-1] > SCHEMA:
                    self.assertEqual(content_of(copy), before)
            self.seconds_to_migrate()
            self.assertEqual(schema_of(self.store), newest)
            self.assertEqual(self.exported(), wanted)
            self.assertEqual(content_of(copy), before, "the way back to 2.0")
        print(f"killed at schemas {sorted(set(schemas))} of {SCHEMA} to {newest}; a whole migration took {took:.2f} s")
        self.assertIn("is whole", self.verb("check", "--database", str(self.store)))

    def test_the_way_back_is_the_store_of_2_0_as_it_was(self):
        self.seconds_to_migrate()
        copy = self.store.with_name(f"store.db.before-{SCHEMA + 1}")
        self.verb("restore", str(copy), "--database", str(self.store))
        self.assertEqual((schema_of(self.store), content_of(self.store)), (SCHEMA, content_of(self.old)))


@skips.without("nginx", "openssl")  # which makes a certificate
class BehindNginx(UpgradeCase):
    def setUp(self):
        super().setUp()
        self.windows = []  # [from, to]: no daemon was ready
        self.clients = []
        (self.port,) = free_ports(1)
        self.proxy = Proxy(ROOT, self.port, rate=RATE)
        self.addCleanup(self.proxy.__exit__)
        self.addCleanup(self.stop_clients)
        self.daemon = None

    def begin(self, *kinds):
        for kind in kinds:
            self.clients.append(kind(self.proxy, kind.__name__.lower()))
            self.clients[-1].start()

    def stop_clients(self):
        for client in self.clients:
            client.stopping.set()
        for client in self.clients:
            client.join(PATIENCE_S)

    def away(self, begun=None):
        """From now on, or then, no daemon is there."""
        self.windows.append([begun or time.monotonic(), None])

    def back(self):
        """Starts a daemon; returns once nginx has a 200 of its /readyz."""
        self.daemon = self.start(self.port)
        end = time.monotonic() + PATIENCE_S
        asker = Client(self.proxy, "asker")
        while asker.send("GET", "/readyz")[0] != 200:
            self.assertIsNone(self.daemon.poll(), "the daemon ended")
            self.assertLess(time.monotonic(), end)
            time.sleep(0.01)
        self.windows[-1][1] = time.monotonic()

    def kill(self):
        self.away()
        self.daemon.kill()
        self.daemon.wait()

    def restart(self):
        """As the new package's postinst has it done: systemctl restart."""
        self.away()
        self.daemon.terminate()
        self.assertEqual(self.daemon.wait(PATIENCE_S), 0)
        self.back()

    def go_on(self, count=20):
        """Until each client has had so many answers more."""
        end = time.monotonic() + PATIENCE_S
        wanted = {client: len(client.done) + count for client in self.clients}
        while any(len(client.done) < number for client, number in wanted.items()):
            for client in wanted:
                self.assertIsNone(client.error, client.name)
            self.assertLess(time.monotonic(), end, f"answers fail to come: {[(c.name, len(c.done)) for c in self.clients]}")
            time.sleep(0.02)

    def check_failures(self):
        failures = [failure for client in self.clients for failure in client.failures]
        outside = [failure for failure in failures
                   if not any(failure.begun <= end and begun <= failure.ended for begun, end in self.windows)]
        # A key is held until a request that was cut off is known to be over; it is repeated, and then answered.
        self.assertEqual([failure for failure in outside if failure.status != 409], [])
        self.assertLessEqual({failure.status for failure in failures}, BETWEEN_DAEMONS | {409})
        return len(failures)

    def check_nothing_is_lost(self, revisions_before):
        put = {name for client in self.clients if isinstance(client, Putter) for name in client.done}
        self.assertGreater(len(put), 40)
        exported = self.exported()
        devices = {document["id"]: document for document in exported["devices"]}
        for name in put:
            self.assertEqual((devices[name]["note"], devices[name]["revision"]), (name, 1))
        for kind, revisions in revisions_before.items():
            found = {document["id"]: document["revision"] for document in exported[kind] if document["id"] in revisions}
            self.assertEqual({name: revision for name, revision in found.items() if kind != "curves"},
                             revisions if kind != "curves" else {}, kind)
            self.assertEqual(set(found), set(revisions))
        poster = next(client for client in self.clients if isinstance(client, Poster))
        runs = [answer["id"] for answer in poster.done.values()]
        self.assertEqual(len(runs), len(set(runs)), "two keys have one run")
        for name, first in list(poster.done.items())[-5:]:
            status, again = poster.send(*poster.request(), **{"Idempotency-Key": name})
            self.assertEqual((status, again["id"]), (202, first["id"]), "another answer under the same key")

    def test_requests_fail_only_while_no_daemon_is_ready_and_nothing_is_lost(self):
        took = self.seconds_to_migrate()
        revisions = {kind: {document["id"]: document["revision"] for document in documents}
                     for kind, documents in self.exported().items() if documents and "revision" in documents[0]}
        self.lay_out()
        self.away()
        self.begin(ReaderOfTheStore, Asker)
        self.daemon = self.start(self.port)  # the upgrade, killed in the middle of its migration
        time.sleep(took / 2)
        self.daemon.kill()
        self.daemon.wait()
        self.back()
        self.go_on()
        self.assertEqual(content_of(self.store.with_name(f"store.db.before-{SCHEMA + 1}")), content_of(self.old))

        self.proxy.key = editors_key(self.costcurve, str(self.store))
        self.proxy.reload(self.port)
        self.begin(Putter, Poster)
        self.go_on()
        for end in (self.restart, self.kill, self.restart):
            end()
            if end == self.kill:
                self.back()
            self.go_on()
        self.stop_clients()
        self.assertEqual([client.error for client in self.clients if client.error], [])
        failed = self.check_failures()
        self.check_nothing_is_lost(revisions)
        self.away()
        self.daemon.terminate()
        self.assertEqual(self.daemon.wait(PATIENCE_S), 0)
        self.assertIn("is whole", self.verb("check", "--database", str(self.store)))
        answered = sum(len(client.done) for client in self.clients)
        lengths = ", ".join(f"{end - begun:.2f}" for begun, end in self.windows if end)
        print(f"{answered} answered, {failed} failed, all while no daemon was there: {lengths} s")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    CommandLineCase.costcurve = str(pathlib.Path(sys.argv[1]).resolve())
    rest = sys.argv[3:]
    if rest[:1] == ["--seed"]:
        UpgradeCase.seed = int(rest[1])
        rest = rest[2:]
    skips.main(argv=sys.argv[:1] + rest)
