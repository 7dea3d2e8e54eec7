"""What must not stop or end the daemon: logs that nobody reads, signals, memory that is out, requests with a million mistakes.

usage: faults_test.py COSTCURVE [unittest options]
"""

import functools
import http.client
import json
import os
import pathlib
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
import unittest

from command_line_case import COST, PATIENCE_S, SMALLEST, CommandLineCase, environment
from daemon import Daemon

MEMBERS = 300_000


@functools.cache
def many_mistakes():
    scenario = json.dumps(SMALLEST)[:-1]
    members = "".join(f',"{i}":0' for i in range(MEMBERS))
    return f'{{"scenario":{scenario}{members}}}}}'.encode()


def is_healthy(daemon, times):
    """Whether it says so as often as it is asked, a hundred times at once."""
    ask_once, together = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", 100
    with socket.create_connection(("127.0.0.1", daemon.port), timeout=PATIENCE_S) as connection:
        for _ in range(times // together):
            connection.sendall(ask_once * together)
            answers = b""
            while answers.count(b'{"status":"alive"}') < together:
                more = connection.recv(1 << 16)
                if not more:
                    return False
                answers += more
            if answers.count(b"HTTP/1.1 200 ") != together:
                return False
    return True


def processor_seconds(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class FaultsTest(CommandLineCase):
    def daemon(self, *options, **settings):
        return Daemon(self.costcurve, self.directory, *options, **settings)

    def test_more_than_a_thousand_issues_are_counted_and_not_listed(self):
        body = many_mistakes()
        with self.daemon() as daemon:
            status, _, problem = daemon.ask("POST", "/v1/evaluate", body)
            self.assertEqual((status, problem["detail"]), (422, "300,000 issues; the first 1,000 are listed; see errors"))
            self.assertEqual(len(problem["errors"]), 1000)
        path = self.write("scenario.json", json.dumps(json.loads(body)["scenario"]))
        status, _, said = self.run_costcurve("evaluate", path)
        self.assertEqual(status, 2)
        self.assertIn("300,000 issues; the first 1,000 are listed", said)
        self.assertLess(said.count("\n"), 1010)

    def test_questions_whose_clients_leave_end_and_others_are_answered(self):
        pools = [{**SMALLEST["pools"][0], "id": f"pool{i}"} for i in range(20)]
        runs = [{**SMALLEST["workloads"][0]["runs_on"][0], "pool": pool["id"]} for pool in pools]
        large = {**SMALLEST, "months": 240, "pools": pools, "workloads": [{**SMALLEST["workloads"][0], "runs_on": runs}]}
        hours = json.dumps({"scenario": "large", "against": ["large"] * 100, "decisions": True}).encode()  # of evaluations
        with self.daemon() as daemon:
            self.assertEqual(daemon.ask("PUT", "/v1/scenarios/large", large)[0], 201)
            left = [daemon.connect() for _ in range(8)]
            for connection in left:
                connection.request("POST", "/v1/sensitivity", hours, {"Content-Type": "application/json"})
            self.assertEqual(daemon.ask("GET", "/v1/scenarios/large")[0], 200)
            for connection in left:
                connection.close()
            while daemon.metric("costcurve_busy_workers") > 1:  # this one
                pass
            self.assertLess(processor_seconds(daemon.process.pid), 20)
            waiting = daemon.connect()
            waiting.request("POST", "/v1/sensitivity", hours, {"Content-Type": "application/json"})
            while daemon.metric("costcurve_busy_workers") < 2:
                pass
            daemon.process.terminate()
            self.assertEqual(daemon.process.wait(timeout=PATIENCE_S), 0, "it stops though a question runs")
            waiting.close()

    def test_a_log_that_nobody_reads_stops_neither_requests_nor_the_end(self):
        with self.daemon(log_level="info") as daemon:
            self.assertTrue(is_healthy(daemon, 12_000))  # a pipe takes 64 KiB, the queue 10,000 lines
            self.assertGreater(daemon.metric("costcurve_log_dropped_total"), 0)
            daemon.process.terminate()
            self.assertEqual(daemon.process.wait(timeout=PATIENCE_S), 0)

    def test_the_log_says_how_many_lines_were_dropped(self):
        with self.daemon(log_level="info") as daemon:
            self.assertTrue(is_healthy(daemon, 12_000))
            connection = daemon.connect()
            said = []
            reader = threading.Thread(target=lambda: said.extend(daemon.process.stdout))
            reader.start()
            connection.request("GET", "/readyz")
            connection.getresponse().read()
            connection.close()
            daemon.process.terminate()
            daemon.process.wait(timeout=PATIENCE_S)
            reader.join()
        self.assertTrue(any("lines of the log: nobody read them in time" in line for line in said), said[-3:])

    def test_the_end_waits_a_moment_for_who_reads_the_log(self):
        with self.daemon(log_level="info") as daemon:
            self.assertTrue(is_healthy(daemon, 2_000))  # more than a pipe takes
            daemon.ask("GET", "/v1/offers/the-last-that-was-asked-for")
            daemon.process.terminate()
            time.sleep(0.2)
            said = daemon.process.stdout.read()
            self.assertEqual(daemon.process.wait(timeout=PATIENCE_S), 0)
        self.assertIn("the-last-that-was-asked-for", said)

    def test_the_log_names_the_key_the_address_and_the_request(self):
        status, secret, said = self.run_costcurve("keys", "add", "nightly", "--role", "viewer", "--database", self.database)
        self.assertEqual(status, 0, said)
        for form in ("text", "json"):
            with self.daemon("--require-keys", "--log-format", form, log_level="info") as daemon:
                daemon.ask("GET", "/v1/devices", None, {"Authorization": f"Bearer {secret.strip()}", "X-Request-Id": "mine"})
                daemon.ask("GET", "/v1/devices", None, {"Authorization": "Bearer cc_wrong"})
                daemon.process.terminate()
                log = daemon.process.stdout.read().splitlines()
            good = next(line for line in log if "/v1/devices" in line and " 200 " in line.replace('"status":200', " 200 "))
            bad = next(line for line in log if "/v1/devices" in line and " 401 " in line.replace('"status":401', " 401 "))
            if form == "json":
                self.assertEqual([json.loads(good)[name] for name in ("key", "address")], ["nightly", "127.0.0.1"])
                self.assertEqual([json.loads(bad)[name] for name in ("key", "address")], ["", "127.0.0.1"])
            else:
                self.assertIn("key=nightly address=127.0.0.1 id=", good)
                self.assertIn("key=- address=127.0.0.1 id=", bad)
            self.assertNotIn(secret.strip(), "".join(log))

    def test_signals_that_mean_nothing_to_it_do_not_end_it(self):
        with self.daemon() as daemon:
            for number in (signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM, signal.SIGPIPE, signal.SIGXFSZ, signal.SIGHUP):
                daemon.process.send_signal(number)
                self.assertEqual(daemon.ask("GET", "/healthz")[0], 200, number)
            self.assertEqual(daemon.close(), 0)

    def test_memory_that_is_out_fails_requests_and_not_the_daemon(self):
        def send(daemon, path, body, seen):
            connection = http.client.HTTPConnection("127.0.0.1", daemon.port, timeout=PATIENCE_S)
            try:
                connection.request("POST", path, body, {"Content-Type": "application/json"})
                answer = connection.getresponse()
                answer.read()
                seen.append(answer.status)
            except (OSError, http.client.HTTPException):
                seen.append(0)  # cut off: a stream that can't go on, or an answer for which there is no memory
            finally:
                connection.close()

        def send_all(daemon, bodies):
            seen = []
            threads = [threading.Thread(target=send, args=(daemon, *body, seen)) for body in bodies]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            return seen

        @functools.cache
        def batch(count):
            return "/v1/evaluate/batch", json.dumps({"scenarios": [SMALLEST] * count}).encode()

        def is_out(seen):
            return {0, 500, 503} & set(seen)

        for spare in (5 << 20, 20 << 20):
            with self.subTest(spare=spare), self.daemon() as daemon:
                small = ("/v1/evaluate", json.dumps({"scenario": SMALLEST}).encode())
                send_all(daemon, [batch(1000), small] * 6)  # each thread has its heap
                status = pathlib.Path(f"/proc/{daemon.process.pid}/statm").read_text(encoding="ascii")
                size = int(status.split()[0]) * resource.getpagesize()
                if size > 1 << 40:
                    self.skipTest("the sanitizer's shadow takes more than any limit, and its allocator never throws")
                resource.prlimit(daemon.process.pid, resource.RLIMIT_AS, (size + spare, size + spare))
                seen = []
                for together in (3, 3, 6, 12, 24):  # what the allocator kept differs from run to run: more, until it is out
                    if together > 3 and is_out(seen):
                        break
                    seen += send_all(daemon, [batch(8000), ("/v1/evaluate", many_mistakes())] * together)
                    self.assertIsNone(daemon.process.poll(), seen)
                    self.assertEqual(daemon.ask("GET", "/healthz")[0], 200, seen)
                self.assertTrue(is_out(seen), f"memory was never out: {seen}")
                self.assertTrue(set(seen) <= {0, 200, 422, 500, 503}, seen)
                status, _, answer = daemon.ask("POST", "/v1/evaluate", {"scenario": SMALLEST})
                self.assertEqual(status, 200, answer)
                self.assertAlmostEqual(answer["total"]["cost"], COST)

    def test_an_import_reads_a_pipe(self):
        index = b"observation_date,PCU1\n2000-12-01,100.000\n2001-02-01,125\n"
        for number, path in enumerate(("-", "/dev/stdin")):
            arguments = ("import", "price_index", "--database", f"{number}.db", "--date", "2001-02-20", "--id", "index.a", path)
            status, out, said = self.run_costcurve(*arguments, stdin=index)
            self.assertEqual((status, said), (0, ""), out)
            self.assertIn("1 documents added", out)
        read, write = os.pipe()
        os.write(write, index)
        os.close(write)
        done = subprocess.run([self.costcurve, "import", "price_index", "--database", "pipe.db", "--date", "2001-02-20", "--id",
                               "index.a", f"/dev/fd/{read}"], pass_fds=(read,), capture_output=True, timeout=PATIENCE_S,
                              env=environment(), cwd=self.directory)
        os.close(read)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_name_with_control_characters_stays_in_its_row(self):
        path = self.write("scenario.json", {**SMALLEST, "name": "one\ntwo\r\x1b[31mthree\u0085four\x01five"})
        status, out, said = self.run_costcurve("evaluate", path)
        self.assertEqual(status, 0, said)
        row = next(line for line in out.split("\n") if "one" in line and "five" in line)
        self.assertIn("1 one\ufffdtwo\ufffd[31mthree\ufffdfour\ufffdfive", row)
        self.assertIn("2,678", row, "its cost stands in the same row")
        for character in "\x1b\r\x85\x01":
            self.assertNotIn(character, out)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    CommandLineCase.costcurve = os.path.abspath(sys.argv.pop(1))
    unittest.main()
