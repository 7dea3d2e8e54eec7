"""Three daemons on one PostgreSQL behind nginx with deploy/nginx.conf, under load: one of them is killed, and each is replaced
in turn. What was acknowledged is there once, reads never fail, and writes fail only where a daemon was killed under them.

usage: behind_nginx_test.py COSTCURVE REPOSITORY [unittest options]
"""

import os
import pathlib
import signal
import sys
import time

TESTS = pathlib.Path(__file__).resolve().parents[2]
for folder in ("support", "deploy"):
    sys.path.insert(0, str(TESTS / folder))

import daemons_test  # noqa: E402
import postgres  # noqa: E402
import skips  # noqa: E402
from load import ALWAYS, Asker, Client, Poster, Putter, Reader  # noqa: E402
from proxy import NAME, Proxy, editors_key, free_ports  # noqa: E402

ROOT = TESTS.parent
PATIENCE_S = daemons_test.PATIENCE_S
DAEMONS = 3
RATE = 10_000  # requests/s that nginx lets one client send


@skips.without("nginx", "openssl")  # which makes a certificate
class BehindNginx(daemons_test.OnPostgres):
    def setUp(self):
        super().setUp()
        self.daemons = {port: self.start_at(port) for port in free_ports(DAEMONS)}
        self.proxy = self.stack.enter_context(Proxy(ROOT, *self.daemons, rate=RATE,
                                                    key=editors_key(daemons_test.BINARY, self.url)))
        self.assertEqual(daemons_test.put_device(next(iter(self.daemons.values())), ALWAYS, 1)[0], 201)
        self.clients = [kind(self.proxy, f"{kind.__name__.lower()}{i}") for kind in (Reader, Putter, Poster, Asker) for i in (1, 2)]
        self.addCleanup(self.stop_clients)
        for client in self.clients:
            client.start()

    def start_at(self, port):
        return self.daemon("--allowed-host", NAME, port=port)

    def stop_clients(self):
        for client in self.clients:
            client.stopping.set()
        for client in self.clients:
            client.join(PATIENCE_S)

    def go_on(self, kinds=Client, count=10):
        """Until each client of these kinds has had so many answers more."""
        end = time.monotonic() + PATIENCE_S
        wanted = {client: len(client.done) + count for client in self.clients if isinstance(client, kinds)}
        while any(len(client.done) < number for client, number in wanted.items()):
            for client in wanted:
                self.assertIsNone(client.error, client.name)
            self.assertLess(time.monotonic(), end, f"answers fail to come: {[(c.name, len(c.done)) for c in self.clients]}")
            time.sleep(0.02)

    def wait_until_used(self, daemon):
        """Until nginx sends requests to a daemon that was just started."""
        end = time.monotonic() + PATIENCE_S
        while 'route="GET /v1/devices/{id}",status="200"' not in daemon.text("GET", "/metrics"):
            self.assertLess(time.monotonic(), end, "nginx does not use it")
            time.sleep(0.02)

    def check_all(self):
        """What was acknowledged is there, once, and so says each daemon."""
        self.stop_clients()
        self.assertEqual([client.error for client in self.clients if client.error], [])
        put = {name for client in self.clients if isinstance(client, Putter) for name in client.done}
        rows = self.cluster.sql("SELECT id, count(*) FROM revision WHERE kind = 'device' GROUP BY id", self.database)
        revisions = dict(row.split("|") for row in rows.splitlines())
        self.assertEqual(revisions, dict.fromkeys([ALWAYS, *put], "1"), "a document is lost, or stored twice")
        posters = [client for client in self.clients if isinstance(client, Poster)]
        runs = {answer["id"] for client in posters for answer in client.done.values()}
        self.assertEqual(len(runs), sum(len(client.done) for client in posters), "two keys have one run")
        stored = set(self.cluster.sql("SELECT run FROM run", self.database).split())
        self.assertLessEqual(runs, stored, "a run is lost")
        self.assertEqual(len(stored) - len(runs), sum(client.unanswered for client in posters), "a run was begun twice")
        for poster in posters:
            for name, first in list(poster.done.items())[-5:]:
                status, again = poster.send(*poster.request(), **{"Idempotency-Key": name})
                self.assertEqual((status, again["id"]), (202, first["id"]), "another answer under the same key")
        self.assertEqual(self.cluster.sql("SELECT count(*) = max(sequence) FROM change", self.database), "t")
        for daemon in self.daemons.values():
            self.assertEqual(daemon.settled("GET", f"/v1/devices/{max(put)}")[1]["note"], max(put))
        self.assertEqual(daemons_test.run(self.url, "check").returncode, 0)

    def failures(self):
        return [failure for client in self.clients for failure in client.failures]

    def test_a_killed_daemon_fails_no_read_and_what_it_cut_off_can_be_repeated(self):
        self.go_on()
        for port in list(self.daemons):
            self.daemons[port].process.kill()
            self.daemons[port].process.wait()
            self.go_on((Reader, Putter, Asker))  # a key may be held for as long as a lease
            self.daemons[port] = self.start_at(port)
            self.go_on()
            self.wait_until_used(self.daemons[port])
        self.check_all()
        failures = self.failures()
        self.assertEqual([failure for failure in failures if failure.method != "POST"], [], "nginx asks another daemon")
        self.assertLessEqual({failure.status for failure in failures}, {409, 502, 504})

    def test_daemons_that_are_replaced_in_turn_fail_no_request(self):
        self.go_on()
        for i, port in enumerate(list(self.daemons)):
            self.proxy.reload(*(other for other in self.daemons if other != port))
            self.daemons[port].process.send_signal(signal.SIGTERM)
            self.assertEqual(self.daemons[port].process.wait(PATIENCE_S), 0)
            self.go_on()
            if i == 0:  # a newer release migrates, while daemons of this one serve, and start
                self.cluster.sql(daemons_test.LATER_MIGRATION, self.database)
                self.go_on()
            self.daemons[port] = self.start_at(port)
            self.assertEqual(self.daemons[port].settled("GET", "/readyz")[0], 200)
            self.proxy.reload(*self.daemons)
            self.wait_until_used(self.daemons[port])
        # A schema that is newer `costcurve check` leaves to the program that knows it.
        self.cluster.sql("DELETE FROM migration WHERE name = 'later'", self.database)
        self.check_all()
        self.assertEqual(self.failures(), [])


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    postgres.needed()
    daemons_test.BINARY = os.path.abspath(sys.argv.pop(1))
    ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
    skips.main()
