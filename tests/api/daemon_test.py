"""The daemon as operators and clients see it: keys, logs, signals, long batches.

usage: daemon_test.py COSTCURVE [--items N] [unittest options]
"""

import json
import os
import pathlib
import signal
import socket
import sys
import unittest

from command_line_case import COST, PATIENCE_S, SMALLEST, CommandLineCase
from daemon import Daemon

DEVICE = {"kind": "gpu", "tdp_w": 700}
ITEMS = 100000  # of the longest batch


class DaemonTest(CommandLineCase):
    def daemon(self, *options, **more):
        return Daemon(self.costcurve, self.directory, *options, **more)

    def add_key(self, name, role):
        status, out, err = self.run_costcurve("keys", "add", name, "--role", role, "--database", self.database)
        self.assertEqual(status, 0, err)
        return out.strip()

    def test_it_listens_beyond_this_machine_only_with_keys(self):
        status, out, err = self.run_costcurve("serve", "--host", "0.0.0.0", "--port", "0", "--database", self.database)
        self.assertEqual((status, out), (2, ""))
        self.assertIn("costcurve keys add", err)
        secret = self.add_key("ana", "viewer")
        with self.daemon("--host", "0.0.0.0", address=r"http://0\.0\.0\.0:(\d+)") as daemon:
            self.assertEqual(daemon.ask("GET", "/v1/devices")[0], 401)
            bearer = {"Authorization": "Bearer " + secret}
            self.assertEqual(daemon.ask("GET", "/v1/devices", headers=bearer)[0], 200)
            self.assertEqual(daemon.ask("PUT", "/v1/devices/a", DEVICE, bearer)[0], 403)
            self.assertEqual(self.run_costcurve("keys", "revoke", "ana", "--database", self.database)[0], 0)
            self.assertEqual(daemon.ask("GET", "/v1/devices", headers=bearer)[0], 401, "revoked at once")

    def test_an_allowed_host_without_keys_is_warned_of_and_writes_nothing(self):
        with self.daemon("--allowed-host", "costs.example", log_level="warn") as daemon:
            self.assertEqual(daemon.ask("GET", "/v1/devices", headers={"Host": "costs.example"})[0], 200)
            status, _, answer = daemon.ask("PUT", "/v1/devices/a", DEVICE, {"Host": "costs.example"})
            self.assertEqual((status, answer["type"]), (403, "/problems/forbidden_host"))
            daemon.process.terminate()
            log = "".join(daemon.logged) + daemon.process.stdout.read()
            self.assertRegex(log, r"--allowed-host without --require-keys: .* by costs\.example reads without a key")
        self.add_key("ana", "editor")
        with self.daemon("--allowed-host", "costs.example", "--require-keys", log_level="warn") as daemon:
            daemon.process.terminate()
            self.assertNotIn("--allowed-host", "".join(daemon.logged) + daemon.process.stdout.read())

    def test_keys_are_named_once_listed_and_never_shown_again(self):
        secret = self.add_key("ana", "editor")
        self.assertEqual(self.run_costcurve("keys", "add", "ana", "--database", self.database)[0], 2)
        _, out, _ = self.run_costcurve("keys", "list", "--database", self.database)
        self.assertIn("ana", out)
        self.assertIn("editor", out)
        self.assertNotIn(secret, out)
        self.assertEqual(self.run_costcurve("keys", "revoke", "bob", "--database", self.database)[0], 2)
        for file in self.directory.iterdir():
            self.assertNotIn(secret.encode(), file.read_bytes(), file.name)

    def test_no_log_has_a_secret_and_json_lines_are_json(self):
        secret = self.add_key("ana", "viewer")
        with self.daemon("--log-format", "json", log_level="trace") as daemon:
            bearer = {"Authorization": "Bearer " + secret, "X-Request-Id": "mine"}
            daemon.ask("GET", "/v1/devices", headers=bearer)
            daemon.ask("GET", "/v1/devices", headers={"Authorization": "Bearer cc_wrong"})
            daemon.ask("POST", "/v1/evaluate", b"{")
            daemon.process.terminate()
            said = daemon.process.stdout.read()
        self.assertNotIn(secret, said)
        self.assertNotIn("cc_wrong", said)
        lines = [json.loads(line) for line in said.splitlines()]
        requests = [line for line in lines if line.get("event") == "request"]
        self.assertEqual([(line["path"], line["status"]) for line in requests],
                         [("/v1/devices", 200), ("/v1/devices", 401), ("/v1/evaluate", 400)])
        self.assertEqual(requests[0]["client_id"], "mine")
        self.assertNotEqual(requests[0]["id"], "mine", "the id of the log and the audit is ours alone")
        for line in lines:
            self.assertTrue(line["time"] and line["level"])

    def test_sighup_reads_the_log_level_again(self):
        config = self.write("costcurve.ini", '[serve]\nlog-level="warn"\n')
        with self.daemon("--config", config, log_level=None) as daemon:
            daemon.ask("GET", "/healthz", headers={"X-Request-Id": "quiet"})
            self.write("costcurve.ini", '[serve]\nlog-level="info"\n')
            daemon.process.send_signal(signal.SIGHUP)
            self.assertIn("log level is info", daemon.process.stdout.readline())
            daemon.ask("GET", "/healthz", headers={"X-Request-Id": "loud"})
            self.assertIn("id=loud", daemon.process.stdout.readline())

    def test_the_rate_of_a_key_is_limited(self):
        secret = self.add_key("ana", "viewer")
        with self.daemon("--rate-limit", "0.001") as daemon:
            bearer = {"Authorization": "Bearer " + secret}
            self.assertEqual(daemon.ask("GET", "/v1/devices", headers=bearer)[0], 200)
            status, headers, _ = daemon.ask("GET", "/v1/devices", headers=bearer)
            self.assertEqual(status, 429)
            self.assertGreater(int(headers["Retry-After"]), 1)
            self.assertEqual(daemon.ask("GET", "/v1/devices")[0], 200, "who comes without a key has another bucket")

    def peak_mib(self, daemon):
        status = pathlib.Path(f"/proc/{daemon.process.pid}/status").read_text()
        return int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1]) / 1024

    def test_a_long_batch_is_streamed_in_bounded_memory(self):
        sets = [{"/pools/0/offer/hourly_price": 1 + i % 1000} for i in range(ITEMS)]
        with self.daemon() as daemon:
            connection = daemon.connect()
            connection.request("POST", "/v1/evaluate/batch", json.dumps({"scenario": SMALLEST, "sets": sets}),
                               {"Content-Type": "application/json"})
            answer = connection.getresponse()
            self.assertEqual(answer.status, 200)
            self.assertTrue(answer.headers["Content-Type"].startswith("application/x-ndjson"))
            received = 0
            for i, line in enumerate(answer):
                received += len(line)
                if i % 997 == 0:
                    self.assertAlmostEqual(json.loads(line)["total"]["cost"], COST / 3.6 * (1 + i % 1000), places=6)
            self.assertEqual(i + 1, ITEMS)
            connection.close()
            self.assertGreater(received, 1000 * ITEMS)
            if ITEMS == 100000:  # fewer: a sanitizer's build, which has memory of its own
                self.assertLess(self.peak_mib(daemon), 200, "the request, and not the answers")

    def test_a_batch_stops_when_its_client_goes(self):
        sets = [{} for _ in range(ITEMS)]
        body = json.dumps({"scenario": SMALLEST, "sets": sets}).encode()
        with self.daemon() as daemon:
            with socket.create_connection(("127.0.0.1", daemon.port), timeout=PATIENCE_S) as client:
                client.sendall(b"POST /v1/evaluate/batch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                               b"Content-Length: %d\r\n\r\n" % len(body) + body)
                self.assertTrue(client.recv(1000).startswith(b"HTTP/1.1 200"))
            while self.metric(daemon, "costcurve_streams") > 0:
                pass
            self.assertLess(self.metric(daemon, "costcurve_evaluation_seconds_count"), ITEMS)

    def metric(self, daemon, name):
        connection = daemon.connect()
        connection.request("GET", "/metrics")
        text = connection.getresponse().read().decode()
        connection.close()
        return next(float(line.split()[-1]) for line in text.splitlines() if line.startswith(name + " "))

    def test_an_inline_catalogue_scenario_evaluates_with_the_database_on_the_command_line(self):
        self.assertEqual(self.run_costcurve("import", "json", self.write("devices.json", [{"id": "gpu", **DEVICE}]),
                                            "--database", self.database)[0], 0)
        scenario = json.loads(json.dumps(SMALLEST))
        scenario["pools"][0]["offer"]["device"] = "gpu"
        path = self.write("scenario.json", scenario)
        status, out, err = self.run_costcurve("evaluate", path, "--format", "json", "--database", self.database)
        self.assertEqual(status, 0, err)
        self.assertAlmostEqual(json.loads(out)["total"]["cost"], COST)
        self.assertEqual(self.run_costcurve("evaluate", path)[0], 2, "without a database an id names nothing")

    def test_an_import_is_all_or_nothing_and_names_every_issue(self):
        good = self.write("devices.json", [{"id": "a", **DEVICE}])
        bad = self.write("offers.json", [{"id": "o", "provider": "p", "device": "none", "devices": 1, "purchase": "on_demand",
                                          "hourly_price": 1}, {"hourly_price": -1}])
        status, _, err = self.run_costcurve("import", "json", good, bad, "--database", self.database)
        self.assertEqual(status, 2)
        for pointer in ("/1/id", "/1/provider", "/1/device"):
            self.assertIn(pointer, err)
        loose = self.write("offers.json", [{"id": "o", "provider": "p", "device": "none", "devices": 1, "purchase": "on_demand",
                                            "hourly_price": 1}])
        status, _, err = self.run_costcurve("import", "json", good, loose, "--database", self.database)
        self.assertEqual(status, 2)
        self.assertIn("device none", err)
        with self.daemon() as daemon:
            self.assertEqual(daemon.ask("GET", "/v1/devices")[2]["items"], [])


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    DaemonTest.costcurve = os.path.abspath(sys.argv[1])
    rest = sys.argv[2:]
    if rest[:1] == ["--items"]:
        ITEMS = int(rest[1])
        rest = rest[2:]
    unittest.main(argv=sys.argv[:1] + rest)
