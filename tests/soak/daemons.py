"""Three daemons on one PostgreSQL under load, behind nginx where it is installed, while daemons and the server are killed: each
tick once, each result once, deliveries doubled at most once a kill, no acknowledged write lost. Exits with 1 where any of it fails.

usage: python3 tests/soak/daemons.py COSTCURVE [--minutes 30] [--seed N] [--scenarios 10000]
"""

import argparse
import collections
import contextlib
import http.client
import json
import os
import pathlib
import random
import shutil
import sys
import threading
import time

TESTS = pathlib.Path(__file__).resolve().parents[1]
for folder in ("api", "support", "storage/postgres", "soak", "deploy"):
    sys.path.insert(0, str(TESTS / folder))

import clients  # noqa: E402
import daemons_test  # noqa: E402
import postgres  # noqa: E402
from proxy import NAME, Proxy, editors_key  # noqa: E402
from receiver import Receiver  # noqa: E402

SECRET = "correct horse battery staple"
DAEMONS = 3
SETTLE_S = 300
RATE = 10_000  # requests/s that nginx lets one client send
HAS_NGINX = bool(shutil.which("nginx") and shutil.which("openssl"))


class Fleet:
    """The daemons, and the way to them: nginx with deploy/nginx.conf, or one after the other without it."""

    def __init__(self, url):
        self.url = url
        self.daemons = [self.start() for _ in range(DAEMONS)]
        self.kills = 0
        self.proxy = Proxy(TESTS.parent, *(daemon.port for daemon in self.daemons), rate=RATE,
                           key=editors_key(daemons_test.BINARY, url)) if HAS_NGINX else None

    def start(self, port=0):
        return daemons_test.Daemon(self.url, "--allow-private-webhooks", "--webhook-retry-s", "0.05", "--allowed-host", NAME,
                                   port=port)

    def kill(self, chance):
        at = chance.randrange(len(self.daemons))
        victim = self.daemons[at]
        victim.process.kill()
        victim.process.wait()
        self.kills += 1
        self.daemons[at] = self.start(victim.port)

    def ask(self, method, target, body=None):
        """Status and body; OSError or HTTPException where a connection broke."""
        if self.proxy is None:
            return random.choice(self.daemons).ask(method, target, body)
        connection = self.proxy.connect()
        try:
            connection.request(method, target, json.dumps(body) if body is not None else None,
                               {"Content-Type": "application/json"} if body is not None else {})
            answer = connection.getresponse()
            text = answer.read()
            return answer.status, json.loads(text) if text and "json" in (answer.headers["Content-Type"] or "") else None
        finally:
            connection.close()

    def settled(self, method, target, body=None):
        end = time.monotonic() + 120
        while True:
            with contextlib.suppress(OSError, http.client.HTTPException):
                status, answer = self.ask(method, target, body)
                if status not in (429, 502, 503, 504):
                    return status, answer
            if time.monotonic() > end:
                raise AssertionError(f"{method} {target} has no answer in two minutes")
            time.sleep(0.1)

    def close(self):
        for daemon in self.daemons:
            daemon.process.kill()
            daemon.process.wait()
        if self.proxy:
            self.proxy.__exit__()


class Writer(threading.Thread):
    """Saves a device of its own; knows what was acknowledged."""

    def __init__(self, fleet, name):
        super().__init__(name=name, daemon=True)
        self.fleet = fleet
        self.acknowledged = []
        self.stopping = threading.Event()

    def run(self):
        value = 0
        while not self.stopping.is_set():
            value += 1
            with contextlib.suppress(OSError, http.client.HTTPException):
                document = {"kind": "gpu", "tdp_w": 100, "note": f"value {value}"}
                status, _ = self.fleet.ask("PUT", f"/v1/devices/{self.name}", document)
                if status in (200, 201):
                    self.acknowledged.append(value)


def set_up(fleet, receiver, scenarios):
    def put(path, document):
        status, answer = fleet.settled("PUT", path, document)
        assert status in (200, 201), answer

    put("/v1/offers/moving", clients.offer(clients.PRICES[0]))
    for i in range(scenarios):
        put(f"/v1/scenarios/s{i}", {**clients.scenario("moving"), "name": f"scenario {i}"})
    put("/v1/webhooks/hook", {"url": receiver.url(), "secret": SECRET})
    put("/v1/schedules/often", {"cron": "* * * * *", "webhook": "hook", "scenarios": "all"})


def check(cluster, database, fleet, writers, receiver, problems):
    def number(sql):
        return int(cluster.sql(sql, database) or 0)

    for writer in writers:
        rows = cluster.sql(f"SELECT text FROM revision JOIN body USING (body) WHERE kind = 'device' AND id = '{writer.name}' "
                           "ORDER BY since", database).splitlines()
        stored = [int(json.loads(row)["note"].split()[1]) for row in rows]
        lost = set(writer.acknowledged) - set(stored)
        if lost:
            problems.append(f"{writer.name}: {len(lost)} acknowledged writes are lost: {sorted(lost)[:5]}")
        if stored != sorted(set(stored)):
            problems.append(f"{writer.name}: a write is doubled or out of order")
    if number("SELECT count(*) FROM change") != number("SELECT max(sequence) FROM change"):
        problems.append("numbers of changes have a hole")
    ticks = number("SELECT count(*) FROM run WHERE schedule = 'often'")
    minutes = number("SELECT count(DISTINCT created_at / 60000000) FROM run WHERE schedule = 'often'")
    if ticks != minutes:
        problems.append(f"{ticks} runs of {minutes} ticks")
    doubled = number("SELECT count(*) FROM (SELECT 1 FROM result GROUP BY run, scenario HAVING count(*) > 1) AS doubled")
    if doubled:
        problems.append(f"{doubled} results are doubled")
    open_items = number("SELECT count(*) FROM run_item JOIN run USING (run) WHERE run_item.state = 0 AND run.state = 'done'")
    if open_items:
        problems.append(f"{open_items} scenarios of ended runs were never done")
    received = collections.Counter(call["headers"]["X-Costcurve-Delivery"] for call in receiver.calls)
    doubles = sum(count - 1 for count in received.values())
    if doubles > fleet.kills:
        problems.append(f"{doubles} deliveries were doubled by {fleet.kills} kills")
    print(f"{sum(len(writer.acknowledged) for writer in writers)} acknowledged writes, {ticks} ticks, "
          f"{number('SELECT count(*) FROM result')} results, {sum(received.values())} deliveries ({doubles} doubled), "
          f"{fleet.kills} kills", flush=True)


def soak(arguments):
    problems = []
    chance = random.Random(arguments.seed)
    with postgres.Cluster() as cluster, Receiver(SECRET) as receiver:
        database = cluster.make_database()
        fleet = Fleet(cluster.url(database))
        try:
            set_up(fleet, receiver, arguments.scenarios)
            writers = [Writer(fleet, f"w{i}") for i in range(4)]
            for writer in writers:
                writer.start()
            end = time.monotonic() + 60 * arguments.minutes
            while time.monotonic() < end:
                time.sleep(chance.uniform(4, 10))
                if chance.random() < 0.75:
                    fleet.kill(chance)
                else:
                    cluster.stop("immediate")
                    cluster.start()
                    fleet.kills += 1  # what was sent and not noted is sent again
                fleet.settled("GET", "/readyz")
            for writer in writers:
                writer.stopping.set()
                writer.join(120)
            fleet.settled("PUT", "/v1/schedules/often", {"cron": "* * * * *", "enabled": False, "webhook": "hook"})
            settle(fleet, problems)
            check(cluster, database, fleet, writers, receiver, problems)
            checked = daemons_test.run(cluster.url(database), "check")
            if checked.returncode != 0:
                problems.append(f"costcurve check: {checked.stdout}{checked.stderr}"[:500])
        finally:
            fleet.close()
    return problems


def settle(fleet, problems):
    """Until what was begun has ended."""
    end = time.monotonic() + SETTLE_S
    while time.monotonic() < end:
        runs = fleet.settled("GET", "/v1/recalculations?limit=1000")[1]["items"]
        pending = fleet.settled("GET", "/v1/deliveries?state=pending")[1]["items"]
        if not pending and all(run["state"] == "done" for run in runs):
            return
        time.sleep(0.2)
    problems.append(f"not over after {SETTLE_S} s")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("costcurve")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().getrandbits(32))
    parser.add_argument("--scenarios", type=int, default=10_000)
    arguments = parser.parse_args()
    postgres.needed()
    daemons_test.BINARY = os.path.abspath(arguments.costcurve)
    print(f"seed {arguments.seed}, {arguments.minutes:g} minutes, {'nginx' if HAS_NGINX else 'no nginx'}", flush=True)
    problems = soak(arguments)
    for problem in problems:
        print(f"! {problem}")
    print(f"NOT clean; again: --seed {arguments.seed}" if problems else "clean")
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
