"""The command line as people call it: `costcurve evaluate` and `costcurve serve`, by their output and exit status.

usage: python3 tests/api/command_line_test.py PATH_TO_COSTCURVE [unittest options]
"""

import contextlib
import copy
import csv
import http.client
import io
import json
import os
import pathlib
import re
import resource
import select
import signal
import socket
import subprocess
import sys
import unittest

from command_line_case import COST, PATIENCE_S, SMALLEST, CommandLineCase, changed, environment


class EvaluateTest(CommandLineCase):
    def test_json_is_a_line_a_scenario(self):
        one = self.write("one.json", SMALLEST)
        two = self.write("two.json", changed(name="two", months=2))
        status, out, err = self.run_costcurve("evaluate", "--format", "json", one, two)
        self.assertEqual((status, err), (0, ""))
        lines = out.splitlines()
        self.assertEqual(len(lines), 2)
        first, second = (json.loads(line) for line in lines)
        self.assertAlmostEqual(first["total"]["cost"], COST, places=6)
        self.assertEqual((first["months"], second["months"]), (1, 2))
        self.assertNotIn("ledger", first)

    def test_json_takes_the_ledger_on_request(self):
        status, out, _ = self.run_costcurve("evaluate", "--format", "json", "--ledger", self.write("one.json", SMALLEST))
        self.assertEqual(status, 0)
        self.assertAlmostEqual(sum(row["cost"] for row in json.loads(out)["ledger"]), COST, places=6)

    def test_csv_has_one_header_for_all_files(self):
        one = self.write("one.json", SMALLEST)
        two = self.write("two.json", changed(name='two, "quoted"\nname', months=2))
        status, out, err = self.run_costcurve("evaluate", "--format", "csv", one, two)
        self.assertEqual((status, err), (0, ""))
        rows = list(csv.DictReader(io.StringIO(out, newline="")))
        self.assertEqual(len(rows), 3)  # one month and two, one category
        self.assertEqual({row["x_Scenario"] for row in rows}, {SMALLEST["name"], 'two, "quoted"\nname'})
        self.assertTrue(all(None not in row and None not in row.values() for row in rows))
        february = 28 * 24 * 3.6
        self.assertAlmostEqual(sum(float(row["EffectiveCost"]) for row in rows), COST + COST + february, places=6)
        self.assertEqual(out.count("BillingPeriodStart"), 1)
        self.assertTrue(out.endswith("\r\n"))

    def test_months_are_one_table_of_all_files(self):
        one = self.write("one.json", SMALLEST)
        two = self.write("two.json", changed(name="=two", months=2))
        status, out, err = self.run_costcurve("evaluate", "--format", "months", one, two)
        self.assertEqual((status, err), (0, ""))
        rows = list(csv.DictReader(io.StringIO(out, newline="")))
        self.assertEqual([(row["name"], row["currency"], row["month"]) for row in rows],
                         [(SMALLEST["name"], "USD", "2026-01"), ("'=two", "USD", "2026-01"), ("'=two", "USD", "2026-02")])
        self.assertAlmostEqual(float(rows[0]["cost"]), COST, places=6)
        self.assertAlmostEqual(float(rows[0]["by_category.compute.cost"]), COST, places=6)
        self.assertTrue(all(None not in row and None not in row.values() for row in rows))
        status, out, _ = self.run_costcurve("evaluate", "--format", "months", self.write("broken.json", {}))
        self.assertEqual((status, out), (2, ""))

    def test_table_is_the_default_and_names_scenarios_cost_and_currency(self):
        one = self.write("one.json", SMALLEST)
        status, out, err = self.run_costcurve("evaluate", one)
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(out, self.run_costcurve("evaluate", "--format", "table", one)[1])
        self.assertIn(SMALLEST["name"], out)
        self.assertIn("2,678", out)
        self.assertIn("USD", out)
        for word in ("nan", "inf", "\t"):
            self.assertNotIn(word, out.replace("inference", ""))

    def test_table_sets_several_scenarios_side_by_side(self):
        cheap = changed(name="cheap")
        dear = changed(name="dear")
        dear["pools"][0]["offer"]["hourly_price"] = 7.2
        status, out, _ = self.run_costcurve("evaluate", self.write("a.json", cheap), self.write("b.json", dear))
        self.assertEqual(status, 0)
        self.assertIn("cheapest", out)
        self.assertIn("+100.0 %", out)
        self.assertLess(out.index("cheap"), out.index("dear"))
        for block in out.split("\n\n"):
            lines = block.splitlines()
            if len(lines) > 1 and "─" in lines[1]:
                self.assertEqual(len(lines[1]), max(map(len, lines[:1] + lines[2:])), f"the rule is as wide as its table:\n{block}")

    def test_missing_is_a_dash_never_0(self):
        nothing = copy.deepcopy(SMALLEST)
        nothing["pools"][0]["max_instances"] = 0
        status, out, _ = self.run_costcurve("evaluate", self.write("nothing.json", nothing))
        self.assertEqual(status, 0)
        self.assertIn("—", out)

    def test_format_may_come_from_the_environment_and_a_flag_wins(self):
        one = self.write("one.json", SMALLEST)
        as_json = self.run_costcurve("evaluate", one, env={"COSTCURVE_FORMAT": "json"})
        self.assertEqual(as_json[0], 0)
        self.assertIn("total", json.loads(as_json[1]))
        flagged = self.run_costcurve("evaluate", one, "--format", "csv", env={"COSTCURVE_FORMAT": "json"})
        self.assertTrue(flagged[1].startswith("AvailabilityZone,"))
        csv = self.run_costcurve("evaluate", one, env={"COSTCURVE_FORMAT": "csv"})
        self.assertTrue(csv[1].startswith("AvailabilityZone,"), "what other verbs can't do is no fault of this one")
        table = self.run_costcurve("compare", one, "--format", "table", env={"COSTCURVE_FORMAT": "json"})
        self.assertFalse(table[1].startswith("{"))

    def test_a_database_is_named_by_a_flag_before_the_environment(self):
        wanted, other = (str(self.directory / name) for name in ("wanted.db", "other.db"))
        for verb in (["migrate"], ["import", "json", self.write("none.json", [])], ["keys", "list"], ["export"]):
            self.run_costcurve(*verb, "--database", wanted, env={"COSTCURVE_DATABASE": other})
            self.assertFalse(os.path.exists(other), verb)
        self.assertTrue(os.path.exists(wanted))
        self.run_costcurve("migrate", env={"COSTCURVE_DATABASE": other})
        self.assertTrue(os.path.exists(other))

    def test_same_scenario_gives_the_same_bytes_twice(self):
        one = self.write("one.json", SMALLEST)
        for form in ("table", "json", "csv"):
            first = self.run_costcurve("evaluate", "--format", form, one)
            self.assertEqual(self.run_costcurve("evaluate", "--format", form, one), first)

    def test_a_dash_is_standard_input(self):
        status, out, err = self.run_costcurve("evaluate", "--format", "json", "-", stdin=json.dumps(SMALLEST).encode())
        self.assertEqual((status, err), (0, ""))
        self.assertEqual(out, self.run_costcurve("evaluate", "--format", "json", self.write("one.json", SMALLEST))[1])

    def test_a_wrong_document_on_standard_input_is_2(self):
        status, out, err = self.run_costcurve("evaluate", "-", stdin=b"{}")
        self.assertEqual((status, out), (2, ""))
        self.assertIn("/start", err)

    def test_a_missing_file_is_1_and_named(self):
        missing = str(self.directory / "nowhere.json")
        status, out, err = self.run_costcurve("evaluate", missing)
        self.assertEqual((status, out), (1, ""))
        self.assertIn("nowhere.json", err)

    def test_a_directory_or_a_forbidden_file_is_1(self):
        status, out, err = self.run_costcurve("evaluate", str(self.directory))
        self.assertEqual((status, out), (1, ""), err)
        if os.geteuid() != 0:
            closed = self.write("closed.json", SMALLEST)
            os.chmod(closed, 0)
            self.assertEqual(self.run_costcurve("evaluate", closed)[0], 1)

    def test_a_missing_file_does_not_keep_others_from_their_answer(self):
        good = self.write("good.json", SMALLEST)
        status, out, err = self.run_costcurve("evaluate", "--format", "json", "nowhere.json", good)
        self.assertEqual(status, 1)
        self.assertEqual(len(out.splitlines()), 1)
        self.assertIn("nowhere.json", err)

    def test_a_wrong_document_says_each_issue_with_pointer_code_value_and_range(self):
        wrong = copy.deepcopy(SMALLEST)
        wrong["months"] = 999
        wrong["colour"] = "red"
        wrong["pools"][0]["offer"]["device"]["tdp_w"] = 0
        wrong["pools"][0]["offer"]["purchase"] = "stolen"
        status, out, err = self.run_costcurve("evaluate", self.write("wrong.json", wrong))
        self.assertEqual((status, out), (2, ""))
        lines = err.splitlines()
        for words in (["/months", "out_of_range", "999", "1", "240", "months"],
                      ["/colour", "unknown_field"],
                      ["/pools/0/offer/device/tdp_w", "out_of_range", "0 W", "allowed 1 to 20000 W"],
                      ["/pools/0/offer/purchase", "unknown_value", "stolen", "on_demand", "spot", "reserved", "committed",
                       "dedicated"]):
            self.assertTrue(any(all(word in line for word in words) for line in lines), f"no line has {words} in\n{err}")
        self.assertIn("wrong.json", err)
        self.assertIn("4 issues", err)

    def test_a_wrong_document_does_not_keep_others_from_their_answer(self):
        good = self.write("good.json", SMALLEST)
        wrong = self.write("wrong.json", changed(months=0))
        for form, count in (("json", 2), ("csv", 3)):
            status, out, err = self.run_costcurve("evaluate", "--format", form, good, wrong, good)
            self.assertEqual(status, 2)
            self.assertEqual(len(out.splitlines()), count)
            self.assertIn("/months", err)
        status, out, _ = self.run_costcurve("evaluate", wrong, good)
        self.assertEqual(status, 2)
        self.assertIn("2,678", out)

    def test_csv_has_its_header_where_the_first_file_is_wrong(self):
        wrong, good = self.write("wrong.json", {}), self.write("good.json", SMALLEST)
        _, out, _ = self.run_costcurve("evaluate", "--format", "csv", wrong, good)
        self.assertTrue(out.startswith("AvailabilityZone,"))

    def test_wrong_input_outranks_a_missing_file(self):
        wrong = self.write("wrong.json", changed(months=0))
        self.assertEqual(self.run_costcurve("evaluate", "nowhere.json", wrong)[0], 2)
        self.assertEqual(self.run_costcurve("evaluate", wrong, "nowhere.json")[0], 2)

    def test_rules_across_fields_are_2(self):
        wrong = copy.deepcopy(SMALLEST)
        wrong["workloads"][0]["runs_on"][0]["pool"] = "other"
        status, _, err = self.run_costcurve("evaluate", self.write("wrong.json", wrong))
        self.assertEqual(status, 2)
        self.assertIn("/workloads/0/runs_on/0/pool", err)
        self.assertIn("unknown_reference", err)

    def test_hostile_files_are_2_and_said_in_a_few_lines(self):
        hostile = {
            "empty": b"",
            "space": b" \n",
            "nul": b"\0" * 1000,
            "text": b"hello",
            "brackets": b"[" * 1000000,
            "deep": b'{"a":' * 100000,
            "latin-1": b'{"name": "caf\xe9"}',
            "utf-16": json.dumps(SMALLEST).encode("utf-16"),
            "doubled key": b'{"start": "2026-01", "start": "2026-02"}',
            "overflow": b'{"months": 1e999}',
            "nan": b'{"months": NaN}',
            "surrogate": b'{"name": "\\ud800"}',
            "two documents": b"{}{}",
            "after a nul": json.dumps(SMALLEST).encode() + b"\0{}",
            "binary": bytes(range(256)) * 400,
            "array": b"[]",
            "null": b"null",
            "zip": b"PK\x03\x04" + b"\0" * 100,
            "long string": b'"' + b"x" * 5000000 + b'"',
            "unclosed": json.dumps(SMALLEST).encode()[:-1],
        }
        for name, content in hostile.items():
            with self.subTest(name):
                status, out, err = self.run_costcurve("evaluate", self.write("hostile.json", content))
                self.assertEqual((status, out), (2, ""), err[:500])
                self.assertIn("hostile.json", err)
                self.assertLess(len(err), 3000)
                for word in ("nlohmann", "terminate", "what()", "json.exception"):
                    self.assertNotIn(word, err)

    def test_limits_of_every_field_together_end_in_an_answer_or_in_issues(self):
        extreme = changed(months=240)
        extreme["workloads"][0].update({"units_per_request": 1e15, "unserved_cost_per_unit": 1e15,
                                        "demand": {"mean_per_s": 1e15, "growth_per_month": 10, "shape": 1e15}})
        tiny = copy.deepcopy(SMALLEST)
        tiny["workloads"][0]["runs_on"][0]["performance"]["units_per_s"] = 5e-324
        for name, scenario in (("extreme", extreme), ("tiny", tiny)):
            with self.subTest(name):
                status, out, _ = self.run_costcurve("evaluate", "--format", "json", self.write("extreme.json", scenario))
                self.assertIn(status, (0, 2))
                if status == 0:
                    total = json.loads(out)["total"]
                    self.assertTrue(all(isinstance(value, (int, float)) for value in total.values()), total)

    def test_a_name_can_not_write_to_the_terminal(self):
        named = changed(name="\x1b[31mred\x1b]0;title\x07")
        _, out, _ = self.run_costcurve("evaluate", self.write("named.json", named))
        self.assertNotIn("\x1b", out)
        _, _, err = self.run_costcurve("evaluate", self.write("named.json", {"\x1b[31mred": 1}))
        self.assertNotIn("\x1b", err)


class OptionsTest(CommandLineCase):
    def test_wrong_options_are_2_and_named(self):
        one = self.write("one.json", SMALLEST)
        for arguments in ([], ["guess"], ["--nothing"], ["evaluate"], ["evaluate", "--form", "json", one],
                          ["evaluate", "--format", "xml", one], ["evaluate", "--format"], ["serve", "--port", "65536"],
                          ["serve", "--port", "-1"], ["serve", "--port", "http"], ["serve", "--log-level", "loud"],
                          ["serve", "extra"]):
            with self.subTest(arguments):
                status, out, err = self.run_costcurve(*arguments)
                self.assertEqual((status, out), (2, ""))
                self.assertNotEqual(err.strip(), "")

    def test_version_and_help_are_0(self):
        status, out, err = self.run_costcurve("--version")
        self.assertEqual((status, err), (0, ""))
        self.assertRegex(out, r"^costcurve\b.*\d")
        for arguments in (["--help"], ["evaluate", "--help"], ["serve", "--help"]):
            status, out, err = self.run_costcurve(*arguments)
            self.assertEqual((status, err), (0, ""))
            self.assertIn("--", out)
        self.assertIn("evaluate", self.run_costcurve("--help")[1])
        self.assertIn("serve", self.run_costcurve("--help")[1])


class ServeTest(CommandLineCase):
    @contextlib.contextmanager
    def serving(self, *options):
        """A daemon on a free port: (process, port). Killed where the test leaves it running."""
        log = open(self.directory / "serve.log", "wb")
        process = subprocess.Popen([self.costcurve, "serve", "--port", "0", *options], stdout=subprocess.PIPE, stderr=log,
                                   env=environment())
        try:
            ready, _, _ = select.select([process.stdout], [], [], PATIENCE_S)
            line = process.stdout.readline().decode() if ready else ""
            found = re.fullmatch(r"costcurve listens on http://127\.0\.0\.1:(\d+)\n", line)
            if not found:
                self.fail(f"it did not say where it listens, but: {line!r} {(self.directory / 'serve.log').read_text()}")
            yield process, int(found[1])
        finally:
            if process.poll() is None:
                process.kill()
            process.wait()
            process.stdout.close()
            log.close()

    def ask(self, port, method, path, body=None, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        try:
            connection.request(method, path, body=body, headers=headers or {})
            answer = connection.getresponse()
            return answer, answer.read()
        finally:
            connection.close()

    def post(self, port, question):
        body = question if isinstance(question, bytes) else json.dumps(question).encode()
        return self.ask(port, "POST", "/v1/evaluate", body, {"Content-Type": "application/json"})

    def test_it_is_alive_and_shows_its_page(self):
        with self.serving() as (_, port):
            answer, body = self.ask(port, "GET", "/healthz")
            self.assertEqual(answer.status, 200)
            json.loads(body)
            answer, body = self.ask(port, "GET", "/")
            self.assertEqual(answer.status, 200)
            self.assertIn("text/html", answer.getheader("Content-Type"))
            self.assertTrue(answer.getheader("X-Request-Id"))

    def test_evaluate_answers_the_bytes_of_the_command_line(self):
        printed = self.run_costcurve("evaluate", "--format", "json", self.write("one.json", SMALLEST))[1]
        with_ledger = self.run_costcurve("evaluate", "--format", "json", "--ledger", self.write("one.json", SMALLEST))[1]
        with self.serving() as (_, port):
            answer, body = self.post(port, {"scenario": SMALLEST})
            self.assertEqual(answer.status, 200)
            self.assertIn("application/json", answer.getheader("Content-Type"))
            self.assertEqual(body + b"\n", printed.encode())
            self.assertEqual(self.post(port, {"scenario": SMALLEST, "ledger": True})[1] + b"\n", with_ledger.encode())

    def test_wrong_input_is_a_problem_document(self):
        with self.serving() as (_, port):
            for question, status in ((b"{", 400), ({}, 422), ({"scenario": changed(months=0)}, 422)):
                answer, body = self.post(port, question)
                self.assertEqual(answer.status, status)
                self.assertTrue(answer.getheader("Content-Type").startswith("application/problem+json"))
                problem = json.loads(body)
                self.assertEqual(problem["status"], status)
                for member in ("type", "title", "detail", "instance", "errors"):
                    self.assertIn(member, problem)
                self.assertIn(answer.getheader("X-Request-Id"), problem["instance"])
            self.assertEqual([error["pointer"] for error in problem["errors"]], ["/scenario/months"])
            for method in ("GET", "BREW"):
                answer, _ = self.ask(port, method, "/v1/evaluate")
                self.assertEqual((answer.status, answer.getheader("Allow")), (405, "POST"))
            self.assertEqual(self.ask(port, "GET", "/nothing")[0].status, 404)

    def test_it_answers_after_a_document_at_its_limits(self):
        tiny = copy.deepcopy(SMALLEST)
        tiny["workloads"][0]["runs_on"][0]["performance"]["units_per_s"] = 5e-324
        with self.serving() as (process, port):
            answer, _ = self.post(port, {"scenario": tiny})
            self.assertIn(answer.status, (200, 422))
            self.assertEqual(self.ask(port, "GET", "/healthz")[0].status, 200)
            self.assertIsNone(process.poll())

    def test_sigterm_and_sigint_end_it_with_0(self):
        for stop in (signal.SIGTERM, signal.SIGINT):
            with self.subTest(stop.name), self.serving() as (process, port):
                self.assertEqual(self.ask(port, "GET", "/healthz")[0].status, 200)
                process.send_signal(stop)
                self.assertEqual(process.wait(timeout=5), 0)
                with self.assertRaises(OSError):
                    socket.create_connection(("127.0.0.1", port), timeout=5).close()

    def test_sigterm_does_not_wait_for_an_idle_connection(self):
        with self.serving() as (process, port), socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S):
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(timeout=5), 0)

    def test_it_takes_as_many_descriptors_as_it_may(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(soft, 64), hard))
        with self.serving() as (process, _):
            self.assertEqual(resource.prlimit(process.pid, resource.RLIMIT_NOFILE), (hard, hard))

    def test_it_refuses_addresses_that_others_reach(self):
        for host in ("0.0.0.0", "::", "192.0.2.1", "example.org", "127.0.0.1.example.org", ""):
            with self.subTest(host):
                status, out, err = self.run_costcurve("serve", "--host", host, "--port", "0")
                self.assertEqual((status, out), (2, ""), err)
                self.assertIn("--host", err)

    def test_a_busy_port_is_1_and_said(self):
        with socket.create_server(("127.0.0.1", 0)) as busy:
            port = busy.getsockname()[1]
            status, out, err = self.run_costcurve("serve", "--port", str(port))
        self.assertEqual((status, out), (1, ""))
        self.assertIn(str(port), err)
        self.assertIn("use", err.lower())  # "Address already in use"
        self.assertNotIn("terminate", err)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    CommandLineCase.costcurve = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
