"""The measuring program against servers of known times, and against servers that do something wrong.

usage: python3 tests/measure/measure_test.py REPOSITORY [unittest options]
"""
import asyncio
import contextlib
import importlib.util
import io
import json
import pathlib
import random
import sys
import tempfile
import unittest

import streaming_server

ROOT = pathlib.Path(sys.argv[1])
SEED = random.SystemRandom().randrange(10 ** 6)


def load():
    spec = importlib.util.spec_from_file_location("measure", ROOT / "deploy/measure/measure.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


measure = load()


def drawn_rates(draw):
    return {"ttft_s": draw.uniform(0.1, 0.4), "ttft_per_token_s": draw.uniform(0.0002, 0.001), "itl_s": draw.uniform(0.03, 0.06),
            "itl_per_request_s": draw.uniform(0.001, 0.004), "idle_w": draw.uniform(60, 130),
            "watts_per_request": draw.uniform(20, 60), "power": draw.uniform(0.4, 0.9)}


class Measured:
    """A run of the program: its status, what it said, its file, and the windows of its phases."""

    def __init__(self, server, words=(), wall=None):
        self.windows, said = [], io.StringIO()
        figures = measure.Phase.figures

        def noted(phase, begin, end, meter):
            row = figures(phase, begin, end, meter)
            self.windows += [(begin, end)] if row else []
            return row

        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(said):
            out = pathlib.Path(folder) / "measured.json"
            loop = streaming_server.ScriptedLoop()
            measure.open_connection, measure.Phase.figures = server.connect, noted
            measure.wall_clock = lambda: loop.time() if wall is None else wall(loop.time())
            policy_run, asyncio.run = asyncio.run, loop.run_until_complete
            try:
                cards = ["--precision", "bf16", "--metrics", "http://127.0.0.1:9400/metrics"]
                self.status = measure.main(["--endpoint", "http://127.0.0.1:8000/v1", "--out", str(out), *words,
                                            *([] if "--hosted" in words else cards)])
            finally:
                asyncio.run, measure.Phase.figures = policy_run, figures
                left = asyncio.all_tasks(loop)
                for task in left:
                    task.cancel()
                if left:
                    loop.run_until_complete(asyncio.wait(left))
                loop.close()
            self.files = sorted(path.name for path in pathlib.Path(folder).iterdir())
            self.facts = json.loads(out.read_text()) if out.exists() else None
        self.said = said.getvalue()


class Known(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        print(f"seed {SEED}")
        cls.server = streaming_server.Server(drawn_rates(random.Random(SEED)))
        cls.run_ = Measured(cls.server, ["--input", "200", "--output", "24", "--budget", "6m", "--max-concurrency", "16"])

    def close(self, wanted, found, what):
        self.assertLess(abs(found / wanted - 1.0), 0.02, f"{what}: {found} where the server gave {wanted}; seed {SEED}")

    def test_rates_and_latencies_are_the_servers_at_ten_loads(self):
        self.assertEqual(0, self.run_.status, self.run_.said)
        rows = self.run_.facts["phases"]
        self.assertGreaterEqual(len({(row["loop"], row["load"]) for row in rows}), 10)
        for row, (begin, end) in zip(rows, self.run_.windows):
            what = f"{row['loop']} {row['load']} {row['mix']}"
            whole = [request for request in self.server.requests if request[0] >= begin and request[2] <= end + 1e-9]
            self.close(sum(begin < time <= end for time in self.server.tokens) / (end - begin), row["output_per_s"], what + " rate")
            self.close(sum(first - start for start, first, _, _ in whole) / len(whole), row["ttft_s"], what + " ttft")
            self.close(sum(itl for _, _, _, itl in whole) / len(whole), row["itl_s"], what + " itl")
            joules = sum(max(0.0, min(end, b) - max(begin, a)) * watts for a, b, watts in self.server.spans)
            self.close(joules, row["joules"], what + " joules")

    def test_the_closed_loop_is_what_the_rates_come_to(self):
        rates = self.server.rates
        for row in self.run_.facts["phases"]:
            if row["loop"] == "closed" and row["mix"] == "main":
                load = row["load"]
                ttft, itl = rates["ttft_s"] + rates["ttft_per_token_s"] * 200, rates["itl_s"] + rates["itl_per_request_s"] * load
                self.close(ttft, row["ttft_s"], f"{load}: ttft")
                self.close(itl, row["itl_s"], f"{load}: itl")
                self.close(load * 24 / (ttft + 23 * itl), row["output_per_s"], f"{load}: rate")
                self.close(rates["idle_w"] + rates["watts_per_request"] * load ** rates["power"], row["watts"], f"{load}: watts")
                self.close(200, row["input"], f"{load}: tokens in")

    def test_the_file_names_what_was_measured(self):
        facts = self.run_.facts
        self.assertEqual(("vllm", "0.11.0", "m/llama-3.1-8b", "NVIDIA H100 80GB HBM3", 1, 0),
                         tuple(facts[name] for name in ("framework", "version", "model", "device", "devices", "failed")))
        self.close(self.server.rates["idle_w"], facts["loaded_idle_w"], "watts at no load")
        self.assertEqual(["measured.json"], self.run_.files)


class Hosted(unittest.TestCase):
    WORDS = ["--hosted", "acme.llama-3.1-8b", "--input", "200", "--output", "24"]

    def hosted(self, fault=""):
        rates = drawn_rates(random.Random(SEED))
        run = Measured(streaming_server.Server(rates, fault), self.WORDS)
        return run, rates

    def test_latencies_are_the_hosts_at_four_at_a_time(self):
        run, rates = self.hosted()
        self.assertEqual(0, run.status, run.said)
        row, = run.facts["phases"]
        self.assertEqual(4, row["load"])
        self.assertEqual(("hosted", "acme.llama-3.1-8b", 95, 2500.0),
                         tuple(run.facts[name] for name in ("kind", "endpoint", "latency_percentile", "max_units_per_s")))
        self.assertAlmostEqual(1, row["ttft_s"] / (rates["ttft_s"] + 200 * rates["ttft_per_token_s"]), delta=0.02)
        self.assertAlmostEqual(1, row["itl_s"] / (rates["itl_s"] + 4 * rates["itl_per_request_s"]), delta=0.02)
        self.assertIn("about 17920 tokens, which its host bills", run.said)  # 80 x (200 + 24), said before the first is sent

    def test_what_is_refused_is_a_limit(self):
        run, rates = self.hosted("busy")
        self.assertEqual(0, run.status, run.said)
        self.assertEqual(1, run.facts["phases"][0]["load"])
        self.assertIn("4 at a time are refused (429)", run.facts["notes"][0])
        self.assertAlmostEqual(1, run.facts["phases"][0]["itl_s"] / (rates["itl_s"] + rates["itl_per_request_s"]), delta=0.02)

    def test_faults_end_it(self):
        for fault, sentence in (("429", "answers 429"), ("closes", "ends early"), ("whole", "streams nothing"),
                                ("more", "were requested")):
            with self.subTest(fault):
                run, _ = self.hosted(fault)
                self.assertIn(sentence, run.said)
                self.assertEqual((2, []), (run.status, run.files))


class Wrong(unittest.TestCase):
    def test_each_fault_ends_with_a_sentence_and_no_file(self):
        faults = {"stalls": "stalls", "silent": "stalls", "whole": "streams nothing",
                  "more": "at most 16 were requested", "fewer": "pieces of text came",
                  "prompt": "tokens in", "uncounted": "doesn't state its token counts",
                  "429": "answers 429", "500": "answers 500",
                  "closes": "ends early", "page": "larger than 8 MB"}
        for fault, sentence in faults.items():
            with self.subTest(fault):
                run = Measured(streaming_server.Server(drawn_rates(random.Random(SEED)), fault),
                               ["--input", "64", "--output", "8", "--budget", "3m", "--max-concurrency", "4", "--timeout", "20"])
                self.assertIn(sentence, run.said)
                self.assertRegex(run.said.splitlines()[-1], r"^no measurement: ")
                self.assertEqual((2, []), (run.status, run.files))

    def test_a_clock_that_jumps(self):
        run = Measured(streaming_server.Server(drawn_rates(random.Random(SEED))),
                       ["--input", "64", "--output", "8", "--budget", "3m", "--max-concurrency", "4"],
                       wall=lambda time: time + (3600 if time > 1040 else 0))
        self.assertIn("the clock jumped by +3600.0 s", run.said)
        self.assertEqual((2, []), (run.status, run.files))


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
