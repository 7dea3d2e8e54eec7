"""The Python client of clients/python against the real daemon: it is what generate.py makes, and it answers, raises, waits, pages.

usage: python_client_test.py COSTCURVE [unittest options]
"""

import csv
import http.server
import io
import json
import os
import pathlib
import subprocess
import sys
import threading
import typing
import unittest

from command_line_case import COST, SMALLEST, CommandLineCase
from daemon import Daemon

CLIENT = pathlib.Path(__file__).resolve().parents[2] / "clients" / "python"
sys.path.insert(0, str(CLIENT))
from costcurve import Client, Problem, client  # noqa: E402


class Busy:
    """A service that answers with these statuses, one after another, then with an empty page; use with `with`."""

    def __init__(self, *answers):
        self.answers = list(answers)  # status, Retry-After or None, body
        self.seen = []
        busy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                busy.seen.append((self.path, dict(self.headers)))
                status, after, body = busy.answers.pop(0) if busy.answers else (200, None, b'{"items": [], "next": null}')
                self.send_response(status)
                if after is not None:
                    self.send_header("Retry-After", after)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.05,))
        self.thread.start()
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()


class Generated(unittest.TestCase):
    def test_the_client_is_what_the_description_makes(self):
        done = subprocess.run([sys.executable, CLIENT / "generate.py", "--check"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_every_type_and_method_can_be_resolved(self):
        classes = [value for value in vars(client).values() if typing.is_typeddict(value)]
        self.assertGreater(len(classes), 100)
        for value in classes:
            typing.get_type_hints(value)
        for method in [value for value in vars(Client).values() if callable(value)]:
            self.assertIn("return", typing.get_type_hints(method, vars(client)))

    def test_every_operation_of_the_description_has_a_method(self):
        paths = json.loads((CLIENT.parents[1] / "docs" / "openapi.json").read_text(encoding="utf-8"))["paths"]
        names = {row["operationId"] for item in paths.values() for row in item.values()}
        self.assertEqual(set(), names - set(dir(Client)))


class Answers(CommandLineCase):
    def service(self, **settings):
        daemon = Daemon(self.costcurve, self.directory)
        self.addCleanup(daemon.close)
        return Client(f"http://127.0.0.1:{daemon.port}", **settings)

    def test_it_evaluates_inline_and_stored_scenarios(self):
        service = self.service()
        self.assertAlmostEqual(service.post_evaluate({"scenario": SMALLEST})["total"]["cost"], COST, places=6)
        self.assertEqual(service.put_scenarios_id("stored", SMALLEST)["revision"], 1)
        half = service.post_evaluate({"scenario": "stored", "set": {"/pools/0/offer/hourly_price": 1.8}})
        self.assertAlmostEqual(half["total"]["cost"], COST / 2, places=6)
        lines = service.post_evaluate_batch({"scenarios": ["stored", "none"]})
        self.assertEqual([("total" in line, line.get("status")) for line in lines], [(True, None), (False, 422)])
        self.assertIsNone(service.delete_scenarios_id("stored"))

    def test_tables_are_text(self):
        service = self.service()
        rows = list(csv.DictReader(io.StringIO(service.post_evaluate_csv({"scenario": SMALLEST}, table="months"), newline="")))
        self.assertEqual([row["month"] for row in rows], ["2026-01"])
        ledger = service.post_evaluate_csv({"scenario": SMALLEST}, table="ledger")
        self.assertTrue(ledger.startswith("AvailabilityZone,"))
        self.assertTrue(service.get_devices_csv().startswith("id,"))

    def test_the_ledger_of_a_kept_result_is_that_of_its_documents_then(self):
        service = self.service()
        service.put_scenarios_id("stored", SMALLEST)
        run = service.post_recalculations({"scenarios": "all"})["id"]
        self.assertIn("done", service.get_recalculations_run_events(run))
        service.put_scenarios_id("stored", {**SMALLEST, "months": 2})
        now = service.post_evaluate_csv({"scenario": "stored"}, table="ledger")
        then = service.get_scenarios_id_results_number_csv("stored", "latest", table="ledger")
        self.assertEqual((now.count("\r\n"), then.count("\r\n")), (3, 2))
        self.assertEqual(then.splitlines(), now.splitlines()[:2])
        self.assertEqual(service.get_scenarios_id_results_number_csv("stored", "1").count("\r\n"), 2)

    def test_pages_are_one_iterator(self):
        service = self.service()
        for number in range(5):
            service.put_devices_id(f"gpu-{number}", {"kind": "gpu", "tdp_w": 500})
        self.assertEqual([device["id"] for device in service.each_devices(limit=2)], [f"gpu-{number}" for number in range(5)])
        self.assertEqual(len(service.get_devices(limit=2)["items"]), 2)
        self.assertEqual(len(list(service.each_audit(limit=2))), 5)
        self.assertEqual(list(service.each_recalculations(limit=2)), [])

    def test_errors_are_exceptions_with_every_issue(self):
        service = self.service()
        with self.assertRaises(Problem) as caught:
            service.post_evaluate({"scenario": {**SMALLEST, "months": 0, "nothing": 1}})
        problem = caught.exception
        self.assertEqual((problem.status, problem.type), (422, "/problems/invalid"))
        self.assertEqual({(error["pointer"], error["code"]) for error in problem.errors},
                         {("/scenario/months", "out_of_range"), ("/scenario/nothing", "unknown_field")})
        self.assertIn("/scenario/months: months is 0 months", str(problem))
        with self.assertRaises(Problem) as caught:
            service.get_devices_id("a/b ?")
        self.assertEqual(caught.exception.status, 404)
        service.put_devices_id("gpu", {"kind": "gpu", "tdp_w": 500})
        with self.assertRaises(Problem) as caught:
            service.put_devices_id("gpu", {"kind": "gpu", "tdp_w": 501}, if_none_match="*")
        self.assertEqual(caught.exception.status, 412)


class Retries(unittest.TestCase):
    PROBLEM = b'{"type": "/problems/too-many-requests", "title": "Too many", "status": 429, "detail": "d", "errors": []}'

    def test_429_and_503_are_sent_again_after_the_stated_seconds(self):
        waits = []
        with Busy((429, "2", self.PROBLEM), (503, "900", b"<html>busy</html>")) as busy:
            service = Client(busy.url, "cc_secret", sleep=waits.append, max_wait_s=30)
            self.assertEqual(service.get_devices(q="a&b"), {"items": [], "next": None})
        self.assertEqual(waits, [2, 30])
        self.assertEqual([path for path, _ in busy.seen], ["/v1/devices?q=a%26b"] * 3)
        self.assertEqual({headers["Authorization"] for _, headers in busy.seen}, {"Bearer cc_secret"})

    def test_the_last_refusal_is_raised_and_others_at_once(self):
        waits = []
        with Busy(*[(429, "1", self.PROBLEM)] * 5) as busy, self.assertRaises(Problem) as caught:
            Client(busy.url, retries=2, sleep=waits.append).get_devices()
        self.assertEqual((caught.exception.status, caught.exception.retry_after_s, waits), (429, 1, [1, 1]))
        with Busy((500, "1", self.PROBLEM), (503, None, b"")) as busy:
            service = Client(busy.url, sleep=waits.append)
            for status in (500, 503):
                with self.assertRaises(Problem) as caught:
                    service.get_devices()
                self.assertEqual(caught.exception.status, status)
        self.assertEqual(waits, [1, 1])


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    Answers.costcurve = os.path.abspath(sys.argv.pop(1))
    unittest.main()
