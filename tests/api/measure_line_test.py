"""costcurve measure on the command line, against the tests' own server and the real clock: what is stored, shown and refused.

usage: measure_line_test.py COSTCURVE REPOSITORY
"""

import contextlib
import json
import pathlib
import subprocess
import sys
import unittest

from command_line_case import CommandLineCase, rows_of

ROOT = pathlib.Path()
ID = "own.llama-3.1-8b.nvidia.h100-sxm5-80gb.1x.bf16."
SHORT = ["--precision", "bf16", "--input", "64", "--output", "16", "--budget", "24s", "--max-concurrency", "8"]


class MeasureCase(CommandLineCase):
    def setUp(self):
        super().setUp()
        catalogue = map(str, sorted((ROOT / "deploy" / "catalog").glob("*.json")))
        status, _, err = self.run_costcurve("import", "json", *catalogue, "--database", self.database)
        self.assertEqual(status, 0, err)

    @contextlib.contextmanager
    def server(self, *words):
        """Its port."""
        server = subprocess.Popen([sys.executable, ROOT / "tests/measure/streaming_server.py", "--quick", *words],
                                  stdout=subprocess.PIPE, text=True)
        try:
            yield server.stdout.readline().strip()
        finally:
            server.kill()
            server.wait()
            server.stdout.close()

    def costcurve_in(self, *words):
        return self.run_costcurve(*words, env={"COSTCURVE_DATABASE": self.database})

    def measure(self, *words):
        return self.costcurve_in("measure", "--out", str(self.directory / "measured.json"), *words)

    def stored(self, kind):
        return {row[0] for row in rows_of(self.database, "SELECT id FROM document") if row[0].startswith(kind)}

    def plan(self, *words):
        status, out, err = self.costcurve_in("rank", *words, "--start", "2026-12", "--device", "nvidia.h100-sxm5-80gb", "--top",
                                             "1", "--samples", "0", "--format", "json")
        self.assertEqual(status, 0, err)
        return self.write("plan.json", json.loads(out)["plans"][0]["scenario"])


class Saved(MeasureCase):
    def test_a_measurement_is_stored_shown_and_taken(self):
        plan = self.plan("llama-3.1-8b", "--rps", "200", "--input", "64", "--output", "16", "--months", "12", "--include", "cloud")
        with self.server() as port:
            status, out, err = self.measure("--endpoint", f"http://127.0.0.1:{port}/v1", "--metrics",
                                            f"http://127.0.0.1:{port}/metrics", "--save", "--scenario", plan, *SHORT)
        self.assertEqual(status, 0, err)
        facts = json.loads((self.directory / "measured.json").read_text())
        closed = [row for row in facts["phases"] if row["loop"] == "closed"]
        self.assertGreaterEqual(len(closed), 3, err)
        stored = {ID + facts["date"], ID + facts["date"] + ".power"}
        self.assertLessEqual({ID + facts["date"]}, self.stored("own."))
        self.assertLessEqual(self.stored("own."), stored)
        self.assertIn("tokens/s measured  catalogue  estimate", out)
        for evidence in ("measured", "catalogue", "estimate"):
            self.assertRegex(out, rf"(?m)^  .*plan\.json +{evidence} +[\d,.]+ +\d+\.\d %")
        # Its conditions have its rate now; a plan on it costs as the scenario said.
        best = max(closed, key=lambda row: row["output_per_s"])
        status, out, err = self.costcurve_in("rate", "llama-3.1-8b", "--device", "nvidia.h100-sxm5-80gb", "--devices", "1",
                                             "--precision", "bf16", "--input", str(best["input"]), "--output", str(best["output"]),
                                             "--concurrency", str(best["concurrency"]), "--format", "json")
        self.assertEqual(status, 0, err)
        rate = json.loads(out)
        self.assertLess(abs(rate["output_per_s"] / best["output_per_s"] - 1), 0.03)
        self.assertEqual("measured", rate["evidence"])
        self.assertTrue(all(source["measurement"].startswith("own.") for source in rate["from"]), rate["from"])

    def test_without_save_nothing_is_stored_and_a_file_can_be_imported(self):
        log = self.write("log", "".join(f"iter {step}: loss 3.0, time {9000 if step == 0 else 500}.00ms, mfu 40.00%\n"
                                        for step in range(0, 201, 10)))
        train = ["--log", log, "--precision", "bf16", "--model", "llama-3.1-8b", "--device", "H100", "--devices", "8", "--sequence",
                 "4096", "--tokens-per-step", "32768", "--date", "2026-11-20"]
        plan = self.plan("--train", "llama-3.1-8b", "--tokens", "2e9", "--within-days", "20", "--include", "cloud")
        status, out, err = self.measure(*train, "--scenario", plan)
        self.assertEqual((status, self.stored("own.")), (0, set()), err)
        self.assertIn("65536", out)
        self.assertRegex(out, r"plan\.json +measured")
        measured = str(self.directory / "measured.json")
        status, again, err = self.costcurve_in("import", "measured", measured, "--scenario", plan)
        self.assertEqual(status, 0, err)
        self.assertEqual(out.split("\n\n", 1)[1], again.split("\n\n", 1)[1])
        self.assertEqual({ID.replace("1x", "8x") + "2026-11-20.training-4096"}, self.stored("own."))
        status, out, err = self.costcurve_in("rate", "llama-3.1-8b", "--device", "nvidia.h100-sxm5-80gb", "--train", "--devices",
                                             "8", "--sequence", "4096", "--tokens-per-step", "32768", "--format", "json")
        self.assertEqual(status, 0, err)
        self.assertLess(abs(json.loads(out)["tokens_per_s"] / 65536 - 1), 0.01)

    def test_a_hosted_models_latencies_are_its_endpoints(self):
        row = {"load": 4, "requests": 43, "failed": 0, "ttft_s": 0.245, "itl_s": 0.0285}
        facts = {"format": "costcurve measured", "format_version": 1, "kind": "hosted", "endpoint": "cerebras.llama-3.1-8b",
                 "latency_percentile": 95, "max_units_per_s": 2500, "phases": [row], "complete": True}

        def endpoint():
            status, out, _ = self.costcurve_in("export")
            return next(one for one in json.loads(out)["endpoints"] if one["id"] == "cerebras.llama-3.1-8b")

        before = endpoint()
        status, out, err = self.costcurve_in("import", "measured", self.write("hosted.json", facts))
        self.assertEqual(status, 0, err)
        after = endpoint()
        figures = ("ttft_s", "itl_s", "latency_percentile", "max_units_per_s")
        self.assertEqual((0.245, 0.0285, 95, 2500), tuple(after[name] for name in figures))
        self.assertEqual(before["price_per_million_units"], after["price_per_million_units"])
        self.assertEqual(before["source"], after["source"])
        self.assertNotIn("ttft_s", before)
        status, _, err = self.costcurve_in("import", "measured", self.write("other.json", {**facts, "endpoint": "nobody.x"}))
        self.assertEqual(status, 2)
        self.assertIn("no endpoint nobody.x is stored", err)
        with self.server() as port:  # ten times as quick as any host
            status, _, err = self.measure("--endpoint", f"http://127.0.0.1:{port}/v1", "--hosted", "cerebras.llama-3.1-8b",
                                          "--save", "--input", "64", "--output", "16", "--key-env", "NO_SUCH_KEY")
        self.assertIn("held, cerebras.llama-3.1-8b: its ttft_s", err)
        self.assertEqual(after, endpoint())

    def test_the_program_that_is_printed_is_the_one_that_runs(self):
        status, out, _ = self.run_costcurve("measure", "--script")
        self.assertEqual((status, out), (0, (ROOT / "deploy/measure/measure.py").read_text()))


class Refused(MeasureCase):
    def refused(self, sentence, *words):
        status, out, err = self.measure(*words, "--save")
        self.assertIn(sentence, err)
        self.assertNotEqual(status, 0)
        self.assertEqual((out, self.stored("own."), list(self.directory.glob("measured*"))), ("", set(), []))

    def test_a_certificate_that_fails(self):
        key, certificate = self.directory / "key.pem", self.directory / "certificate.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days",
                        "2", "-subj", "/CN=measured", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out",
                        certificate], check=True, capture_output=True)
        both = self.write("both.pem", key.read_bytes() + certificate.read_bytes())
        card = ["--device", "H100", *SHORT]
        with self.server("--certificate", both, "--fault", "uncounted") as port:
            address = ["--endpoint", f"https://127.0.0.1:{port}/v1"]
            self.refused("the certificate of https://127.0.0.1:" + port + " is refused: self", *address, *card)
            self.refused("doesn't state its token counts", *address, "--ca-file", str(certificate), *card)  # it is taken
            other_name = f"https://localhost:{port}/v1"
            self.refused("is refused", "--endpoint", other_name, "--ca-file", str(certificate), *card)
            self.refused("no certificates can be read", *address, "--ca-file", str(self.directory / "none.pem"), *card)
            self.refused("names no model", "--endpoint", f"http://127.0.0.1:{port}/v1", *card)

    def test_a_server_that_goes_wrong(self):
        """In each way that needs no scripted clock; tests/measure has all."""
        for fault, sentence in (("silent", "no whole answer within 3 s"), ("429", "answers 429"), ("closes", "ends early"),
                                ("page", "larger than 8 MB")):
            with self.subTest(fault), self.server("--fault", fault) as port:
                self.refused(sentence, "--endpoint", f"http://127.0.0.1:{port}/v1", "--metrics", f"http://127.0.0.1:{port}/metrics",
                             "--device", "H100", "--timeout", "3", *SHORT)

    def test_options_that_contradict(self):
        for words in (["--precision", "bf16"], ["--log", "x", "--precision", "bf16"],
                      ["--log", "--model", "m", "--precision", "bf16"], ["--log", "x", "--endpoint", "http://x", "--model", "m",
                                                                         "--precision", "bf16"],
                      ["--log", "x", "--model", "m", "--precision", "bf16", "--", "train"],
                      ["--endpoint", "http://x", "--precision", "bf16", "--", "train"]):
            status, out, err = self.measure(*words)
            self.assertEqual((status, out), (2, ""), words)
            self.assertRegex(err, "--(endpoint|model|log|COMMAND)", words)

    def test_a_file_that_is_cut_off(self):
        (self.directory / "cut.json").write_text('{"format": "costcurve measured", "format_version": 1, "phases": [{"loop": "clo')
        status, _, err = self.costcurve_in("import", "measured", str(self.directory / "cut.json"))
        self.assertEqual((status, self.stored("own.")), (2, set()))
        self.assertIn("is the file cut off?", err)


if __name__ == "__main__":
    CommandLineCase.costcurve = str(pathlib.Path(sys.argv.pop(1)).resolve())
    ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main(verbosity=2)
