"""What tests of the command line share: the smallest scenario, files in a place of their own, and a run of costcurve. Stores are
files there, or, where tests/support/postgres.py runs the test, databases of its server."""

import contextlib
import copy
import functools
import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

import postgres  # noqa: E402
import skips  # noqa: E402

SERVER = os.environ.get("COSTCURVE_TEST_POSTGRES")
PATIENCE_S = 60  # a process that takes longer hangs

SMALLEST = {
    "name": "one hour at a time",
    "start": "2026-01",
    "months": 1,
    "workloads": [{"id": "work", "kind": "inference", "demand": {"mean_per_s": 1},
                   "runs_on": [{"pool": "pool", "performance": {"units_per_s": 1}}]}],
    "pools": [{"id": "pool", "kind": "cloud", "max_instances": 10,
               "offer": {"provider": "p", "device": {"kind": "gpu", "tdp_w": 500}, "devices": 1,
                         "purchase": "on_demand", "hourly_price": 3.6}}],
}
COST = 744 * 3.6  # hours of January at the price of one instance


def changed(**members):
    scenario = copy.deepcopy(SMALLEST)
    scenario.update(members)
    return scenario


def environment():
    """The caller's, without settings of costcurve's own."""
    return {name: value for name, value in os.environ.items() if not name.startswith("COSTCURVE_")}


@functools.cache
def database_of(directory):
    """Of the test that has this directory, as --database takes it."""
    if not SERVER:
        return str(directory / "store.db")
    return urllib.parse.urlsplit(SERVER)._replace(path=f"/{postgres.make_database(SERVER)}").geturl()


def rows_of(database, sql):
    """What a store answers, in rows; nothing is changed. Of a server's, an empty text is None too."""
    if not SERVER:
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as side:
            return side.execute(sql).fetchall()
    cells = (line.split("|") for line in postgres.sql(database, sql).splitlines())
    return [tuple(int(cell) if cell.isdigit() else cell or None for cell in row) for row in cells]


def record_earlier(database, minutes):
    """Everything that a store holds was recorded so long before it was. No daemon may have it open."""
    change = f"UPDATE change SET recorded_at = recorded_at - {minutes * 60_000_000}"
    if SERVER:
        postgres.sql(database, f"ALTER TABLE change DISABLE TRIGGER USER; {change}; ALTER TABLE change ENABLE TRIGGER USER")
        return
    with contextlib.closing(sqlite3.connect(database)) as side, side:
        trigger, = side.execute("SELECT sql FROM sqlite_master WHERE name = 'change_stays'").fetchone()
        side.execute("DROP TRIGGER change_stays")
        side.execute(change)
        side.execute(trigger)


class CommandLineCase(unittest.TestCase):
    costcurve = ""  # path of the binary under test

    @property
    def database(self):
        return database_of(self.directory)

    def setUp(self):
        place = tempfile.TemporaryDirectory()
        self.addCleanup(place.cleanup)
        self.directory = pathlib.Path(place.name)

    def write(self, name, content):
        path = self.directory / name
        if isinstance(content, bytes):
            path.write_bytes(content)
        else:
            path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
        return str(path)

    def run_costcurve(self, *arguments, stdin=b"", env=None):
        """Ends by an exit status of its own: a signal (a crash) fails the test."""
        done = subprocess.run([self.costcurve, *arguments], input=stdin, capture_output=True, timeout=PATIENCE_S,
                              env={**environment(), **(env or {})}, cwd=self.directory)
        said = done.stderr.decode(errors="replace")
        self.assertNotIn("\033[K", said, "progress is for a terminal")
        self.assertGreaterEqual(done.returncode, 0, f"killed by signal {-done.returncode}: {said}")
        return done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8")


def offer_of(pool):
    """The id of a pool's offer, which a scenario has by itself of a spot machine."""
    return pool["offer"] if isinstance(pool["offer"], str) else pool["offer"]["id"]
