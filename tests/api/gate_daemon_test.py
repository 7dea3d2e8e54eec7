"""The gate against a daemon's address: the base is what the daemon computes of the scenario that it has; the key comes from the
environment and goes nowhere else; what is not this daemon's answer is refused by name.

usage: gate_daemon_test.py COSTCURVE
"""

import copy
import http.server
import json
import os
import sys
import unittest

from command_line_case import COST, CommandLineCase, changed
from daemon import Daemon
from local_server import LocalServer

KEY = "cck_hunter2hunter2"
RULE = {"figure": "cost_increase_fraction", "max": 0.4}


def dearer(factor):
    scenario = copy.deepcopy(changed(id="plain"))
    scenario["pools"][0]["offer"]["hourly_price"] *= factor
    return scenario


class DaemonCase(CommandLineCase):
    def gate(self, against, *scenarios, env=None):
        rules = self.write("rules.json", {"rules": [RULE]})
        files = [self.write(f"{i}.json", scenario) for i, scenario in enumerate(scenarios or (dearer(1.5),))]
        status, out, err = self.run_costcurve("gate", *files, "--rules", rules, "--against", against, "--format", "json",
                                              env=env)
        self.assertNotIn(KEY, out + err)
        return status, json.loads(out) if out else None, err

    def refused(self, against, said, env=None):
        status, report, err = self.gate(against, env=env)
        self.assertEqual((status, report), (2, None), err)
        self.assertIn("--against  not_allowed: ", err)
        self.assertIn(said, err)


class RunningTest(DaemonCase):
    def test_the_base_is_what_the_daemon_computes(self):
        with Daemon(self.costcurve, self.directory) as daemon:
            address = f"http://127.0.0.1:{daemon.port}"
            stored = [daemon.ask("PUT", "/v1/scenarios/plain", dearer(factor))[2]["recorded_at"] for factor in (1, 2)]
            for against, change in ((address, -0.25), (address + "/", -0.25), (f"{address}?as_of={stored[0]}", 0.5),
                                    (f"http://localhost:{daemon.port}", -0.25)):
                with self.subTest(against=against):
                    status, report, err = self.gate(against)
                    row, = report["changes"]
                    self.assertAlmostEqual(row["change_fraction"], change, msg=err)
                    self.assertAlmostEqual(row["base_cost_per_month"], COST * 1.5 / (1 + change))
                    self.assertEqual(status, 1 if change > 0.4 else 0)
            status, report, _ = self.gate(address, {**dearer(1), "id": "other"}, changed())
            self.assertEqual(status, 2)
            self.assertEqual([row["why"] for row in report["not_read"]],
                             ["the daemon has no scenario of its id", "it has no id to look up"])
            self.refused(address + "?as_of=@99", "99")

    def test_a_key_is_of_the_environment(self):
        _, key, _ = self.run_costcurve("keys", "add", "ci", "--role", "viewer", "--database", self.database)
        with Daemon(self.costcurve, self.directory, "--require-keys") as daemon:
            address = f"http://127.0.0.1:{daemon.port}"
            self.refused(address, "answered 401", env={"COSTCURVE_KEY": ""})
            status, report, _ = self.gate(address, env={"COSTCURVE_KEY": key.strip().splitlines()[-1].split()[-1]})
            self.assertEqual((status, report["not_read"][0]["why"]), (2, "the daemon has no scenario of its id"))
            self.refused(address, "it takes a key with the role of a viewer: set COSTCURVE_KEY", env={"COSTCURVE_KEY": KEY})


def handler_of(status, body="", seen=None, **headers):
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            if seen is not None:
                seen.append((self.path, self.headers.get("Authorization"), json.loads(self.rfile.read(
                    int(self.headers["Content-Length"])))))
            data = body.encode()
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST

        def log_message(self, *_):
            pass
    return Handler


class AnswersTest(DaemonCase):
    RESULT = {"currency": "USD", "months": 12, "total": {"cost": 12 * COST}, "provenance": {"model_version": "0.0.1"}}

    def test_one_request_with_the_key_and_the_moment(self):
        seen = []
        with LocalServer(handler_of(200, json.dumps(self.RESULT), seen)) as server:
            self.gate(f"http://127.0.0.1:{server.port}/costs/?as_of=@7", env={"COSTCURVE_KEY": KEY})
        self.assertEqual(seen, [("/costs/v1/evaluate", f"Bearer {KEY}", {"scenario": "plain", "as_of": "@7"})])

    def test_a_daemon_of_another_version_is_no_base(self):
        with LocalServer(handler_of(200, json.dumps(self.RESULT))) as server:
            status, report, _ = self.gate(f"http://127.0.0.1:{server.port}")
        self.assertEqual(status, 2)
        self.assertIn("the base is of model version 0.0.1, this is", report["findings"][-1]["why"])
        self.assertIsNone(report["changes"][0]["base_cost_per_month"])

    def test_redirects_are_not_followed(self):
        seen = []
        with LocalServer(handler_of(200, json.dumps(self.RESULT), seen)) as other:
            for status in (301, 302, 307, 308):
                with LocalServer(handler_of(status, Location=f"http://127.0.0.1:{other.port}/")) as server:
                    self.refused(f"http://127.0.0.1:{server.port}", f"answered {status}; redirects are not followed",
                                 env={"COSTCURVE_KEY": KEY})
        self.assertEqual(seen, [], "the key went nowhere else")

    def test_what_is_no_result_is_refused(self):
        for status, body, said in ((200, "{}", "is it a costcurve daemon?"), (200, "<html>", "answered 200"),
                                   (200, json.dumps({**self.RESULT, "months": 0}), "is it a costcurve daemon?"),
                                   (500, '{"detail": "it\\u0007 broke"}', "answered 500: it"), (404, "", "answered 404"),
                                   (422, '{"errors": [{"pointer": "/as_of", "code": "bad_format"}]}', "answered 422")):
            with self.subTest(status=status, body=body), LocalServer(handler_of(status, body)) as server:
                self.refused(f"http://127.0.0.1:{server.port}", said)

    def test_an_answer_without_end_is_refused(self):
        with LocalServer(handler_of(200, " " * (17 << 20))) as server:
            self.refused(f"http://127.0.0.1:{server.port}", "its answer is larger than")


class AddressTest(DaemonCase):
    def test_addresses_are_refused_by_name(self):
        for against, said in (("http://costs.example.com", "http is not called with a key: give https://"),
                              ("http://127.0.0.1.example.com", "http is not called with a key"),
                              ("http://10.0.0.1", "http is not called with a key"),
                              ("ftp://localhost/x", "ftp is not called with a key"),
                              ("file:///etc/passwd", "file is not called with a key"),
                              ("https://user:secret@costs.example.com", "an address with a password"),
                              ("http://:secret@localhost", "an address with a password"),
                              ("https://costs.example.com?key=secret", "its query may be as_of=MOMENT"),
                              ("https://costs.example.com?as_of=soon", "its query may be as_of=MOMENT"),
                              ("https://", "it is no address")):
            with self.subTest(against=against):
                self.refused(against, said)
                self.assertNotIn("secret", self.gate(against)[2])

    def test_a_key_of_two_lines_is_refused(self):
        self.refused("http://127.0.0.1:1", "COSTCURVE_KEY has a line break", env={"COSTCURVE_KEY": "a\nHost: b"})

    def test_nobody_there_is_two(self):
        with LocalServer(handler_of(200)) as server:
            port = server.port
        self.refused(f"http://127.0.0.1:{port}", f"http://127.0.0.1:{port}: ")

    def test_https_to_plain_http_is_refused(self):
        with LocalServer(handler_of(200, json.dumps(AnswersTest.RESULT))) as server:
            self.refused(f"https://127.0.0.1:{server.port}", f"https://127.0.0.1:{server.port}: ")


if __name__ == "__main__":
    CommandLineCase.costcurve = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
