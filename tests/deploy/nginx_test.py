"""deploy/nginx.conf with the real nginx before the real daemon: TLS, bodies of 64 MiB, streams as they come, cuts that look cut.

usage: nginx_test.py COSTCURVE REPOSITORY [unittest options]
"""

import http.client
import json
import pathlib
import sys
import time

ROOT = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else ".").resolve()
sys.path.insert(0, str(ROOT / "tests/api"))

# pylint: disable=wrong-import-position
from command_line_case import COST, PATIENCE_S, SMALLEST, CommandLineCase, skips  # noqa: E402
from daemon import Daemon, ask  # noqa: E402
from proxy import NAME, Proxy, editors_key  # noqa: E402

MAX_BODY = 64 << 20  # bytes: the most that an imported file has
ITEMS = 20000  # of a batch; their answers are far more than sockets hold


@skips.without("nginx", "openssl")  # which makes a certificate
class Nginx(CommandLineCase):
    def setUp(self):
        super().setUp()
        self.daemon = self.enterContext(Daemon(self.costcurve, self.directory, "--allowed-host", NAME))
        key = editors_key(self.costcurve, self.database)
        self.proxy = self.enterContext(Proxy(ROOT, self.daemon.port, key=key))

    def enterContext(self, manager):  # of Python 3.11
        value = manager.__enter__()
        self.addCleanup(manager.__exit__, None, None, None)
        return value

    def connect(self):
        connection = self.proxy.connect()
        self.addCleanup(connection.close)
        return connection

    def metric(self, name):
        connection = self.daemon.connect()
        connection.request("GET", "/metrics")
        text = connection.getresponse().read().decode()
        connection.close()
        return next(float(line.split()[-1]) for line in text.splitlines() if line.startswith(name + " "))

    def settled(self, name):
        """A metric once it stands still for a while."""
        end = time.monotonic() + PATIENCE_S
        before, same = None, 0
        while same < 20 and time.monotonic() < end:
            now = self.metric(name)
            same = same + 1 if now == before else 0
            before = now
            time.sleep(0.02)
        return before

    def batch(self, connection, items=ITEMS):
        sets = [{"/pools/0/offer/hourly_price": 1 + i % 1000} for i in range(items)]
        connection.request("POST", "/v1/evaluate/batch", json.dumps({"scenario": SMALLEST, "sets": sets}),
                           {"Content-Type": "application/json"})
        answer = connection.getresponse()
        self.assertEqual(answer.status, 200)
        return answer

    def test_nginx_has_nothing_to_warn_of(self):
        self.assertEqual(self.proxy.warnings, [])

    def test_requests_pass_over_tls_on_connections_that_are_kept(self):
        connection = self.connect()
        for i in range(30):
            status, headers, answer = ask(connection, "GET", "/readyz")
            self.assertEqual((status, answer), (200, {"status": "ready"}))
            self.assertRegex(headers["X-Request-Id"], "^[0-9a-f]{32}$")  # nginx's, so that both logs can be joined
            self.assertIn("max-age", headers["Strict-Transport-Security"])
        status, _, saved = ask(connection, "PUT", "/v1/scenarios/one", SMALLEST, {"Origin": f"https://{NAME}"})
        self.assertEqual(status, 201, saved)
        status, _, result = ask(connection, "POST", "/v1/evaluate", {"scenario": "one"}, {"Origin": f"https://{NAME}"})
        self.assertEqual(status, 200, result)
        self.assertAlmostEqual(result["total"]["cost"], COST)
        self.assertLessEqual(self.metric("costcurve_connections"), 4, "nginx keeps its connections")

    def test_plain_http_is_sent_to_tls(self):
        connection = http.client.HTTPConnection("127.0.0.1", self.proxy.plain_port, timeout=PATIENCE_S)
        connection.request("GET", "/v1/devices?limit=1", headers={"Host": NAME})
        answer = connection.getresponse()
        self.assertEqual((answer.status, answer.headers["Location"]), (301, f"https://{NAME}/v1/devices?limit=1"))
        connection.close()

    def test_a_file_of_64_mib_is_imported_and_a_larger_one_refused(self):
        head = b"TIMESTAMP,ContextTokens,GeneratedTokens\n"
        row = b"2023-11-16 18:17:03.9799600,4808,10\n"
        file = head + row * ((MAX_BODY - len(head)) // len(row) - 1) + row.replace(b"16 18", b"17 18")
        file = file[:-1] + b" " * (MAX_BODY - len(file)) + b"\n"
        self.assertEqual(len(file), MAX_BODY)
        target = "/v1/imports?format=llm_trace&id=trace&time_zone=UTC"
        kind = {"Content-Type": "application/octet-stream"}
        status, _, answer = ask(self.connect(), "POST", target, file, kind)
        self.assertEqual(status, 200, answer)
        connection = self.connect()
        connection.putrequest("POST", target)
        connection.putheader("Content-Length", str(MAX_BODY + 1))
        connection.endheaders()
        self.assertEqual(connection.getresponse().status, 413)

    def test_a_streamed_batch_comes_as_it_is_made(self):
        answer = self.batch(self.connect())
        self.assertEqual(answer.headers["Transfer-Encoding"], "chunked")
        lines = iter(answer)
        self.assertAlmostEqual(json.loads(next(lines))["total"]["cost"], COST / 3.6)
        # Its client does not go on reading: neither does nginx, and the daemon stops making more.
        self.assertLess(self.settled("costcurve_evaluation_seconds_count"), ITEMS, "nginx took in what nobody reads")
        self.assertEqual(self.metric("costcurve_streams"), 1)
        self.assertEqual(1 + sum(1 for _ in lines), ITEMS)

    def test_progress_arrives_before_the_result(self):
        connection = self.connect()
        question = {"scenarios": [SMALLEST], "samples": 200000, "seed": 1, "inputs": [
            {"pointer": "/pools/0/offer/hourly_price", "distribution": {"kind": "triangular", "low": 1, "mode": 2, "high": 3}}]}
        connection.request("POST", "/v1/simulate", json.dumps(question),
                           {"Content-Type": "application/json", "Accept": "text/event-stream"})
        answer = connection.getresponse()
        self.assertEqual((answer.status, answer.headers["Content-Type"]), (200, "text/event-stream"))
        kinds = []
        for line in answer:
            if line.startswith(b"event: "):
                kinds.append(line.split()[1].decode())
                if len(kinds) == 1:
                    self.assertEqual(self.metric("costcurve_streams"), 1, "the first event came with the last")
        self.assertEqual((kinds[0], kinds[-1]), ("progress", "result"))

    def test_a_stream_that_is_cut_short_looks_cut_short(self):
        answer = self.batch(self.connect())
        answer.readline()
        self.daemon.kill()
        with self.assertRaises((http.client.IncompleteRead, ConnectionError)):
            while answer.read(1 << 16):
                pass
            answer.read()

    def test_a_client_that_goes_ends_its_stream(self):
        connection = self.connect()
        answer = self.batch(connection)
        answer.readline()
        answer.close()
        connection.close()
        end = time.monotonic() + PATIENCE_S
        while self.metric("costcurve_streams") > 0:
            self.assertLess(time.monotonic(), end, "the daemon still streams to nobody")
        self.assertLess(self.metric("costcurve_evaluation_seconds_count"), ITEMS)

    def test_every_route_that_streams_is_passed_on_without_a_buffer(self):
        """A route that is added to the daemon is added here, and to deploy/nginx.conf."""
        paths = self.daemon.ask("GET", "/openapi.json")[2]["paths"]
        streams = {path for path, methods in paths.items() for operation in methods.values()
                   for answer in operation["responses"].values()
                   if {"text/event-stream", "application/x-ndjson"} & set(answer.get("content", {}))}
        self.assertEqual(streams, {"/v1/evaluate/batch", "/v1/recalculations/{run}/events"})


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    CommandLineCase.costcurve = str(pathlib.Path(sys.argv[1]).resolve())
    skips.main(argv=sys.argv[:1] + sys.argv[3:])
