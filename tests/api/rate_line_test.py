"""Rates on the command line and over HTTP: the same answer, objectives, and the audit of files of measured rates.

usage: rate_line_test.py COSTCURVE
"""

import json
import math
import os
import pathlib
import re
import sys
import unittest

from command_line_case import CommandLineCase
from daemon import Daemon

CATALOGUE = {
    "devices": [{"id": "d", "kind": "gpu", "tdp_w": 700, "memory_gib": 80, "memory_bandwidth_gb_per_s": 3350,
                 "peak_flops": {"bf16": 989e12}}],
    "models": [{"id": "acme-70b", "name": "Acme 70B", "parameters": 70e9, "active_parameters": 70e9, "layers": 80,
                "weight_bytes": {"bf16": 140e9}, "kv_bytes_per_token": 327680, "context_tokens": 131072}],
}
WORK = ["acme-70b", "--device", "d", "--input", "1000", "--output", "300"]


class RateCase(CommandLineCase):
    def refused(self, *arguments):
        status, out, err = self.run_costcurve("rate", *arguments)
        self.assertEqual((status, out), (2, ""), err)
        return err


class RateTest(RateCase):
    def rate(self, *arguments):
        status, out, err = self.run_costcurve("rate", *arguments, "--database", self.database)
        self.assertEqual(status, 0, err)
        return out

    def store(self):
        status, _, err = self.run_costcurve("import", "json", self.write("catalogue.json", CATALOGUE), "--database", self.database)
        self.assertEqual(status, 0, err)

    def test_answers_what_http_answers(self):
        self.store()
        line = self.rate(*WORK, "--cached", "100", "--concurrency", "8", "--concurrencies", "1,64", "--precision", "bf16",
                         "--kv-precision", "fp8", "--framework", "vllm", "--format", "json")
        with Daemon(self.costcurve, self.directory) as daemon:
            for kind, documents in CATALOGUE.items():
                for document in documents:
                    daemon.ask("PUT", f"/v1/{kind}/{document['id']}", document)
            status, _, answer = daemon.ask("POST", "/v1/rates", {
                "model": "acme-70b", "device": "d", "input": 1000, "output": 300, "cached_input": 100, "concurrency": 8,
                "concurrencies": [1, 64], "precision": "bf16", "kv_precision": "fp8", "framework": "vllm"})
        self.assertEqual(status, 200, answer)
        self.assertEqual(json.loads(line), answer if isinstance(answer, dict) else json.loads(answer))

    def test_the_pages_rates_are_what_is_printed(self):
        root = pathlib.Path(__file__).parents[2]
        catalogue = map(str, sorted((root / "deploy" / "catalog").glob("*.json")))
        status, _, err = self.run_costcurve("import", "json", *catalogue, "--database", self.database)
        self.assertEqual(status, 0, err)
        page = (root / "docs" / "questions.md").read_text(encoding="utf-8")
        examples = re.findall(r"^```sh\ncostcurve rate (llama.*?)^```\n\n```text\n(.*?)^```$", page, flags=re.S | re.M)
        self.assertEqual(len(examples), 2)
        for arguments, printed in examples:
            self.assertEqual(self.rate(*arguments.replace("\\\n", " ").split()).rstrip(), printed.rstrip())

    def test_prints_figures_with_their_units_and_a_row_a_load(self):
        self.store()
        text = self.rate(*WORK, "--concurrency", "8", "--concurrencies", "1,64")
        self.assertIn("acme-70b at bf16 on 2 d: 1000 tokens in, 0 of them cached, 300 out", text)
        self.assertRegex(text, r"output +[\d.]+ tokens/s, p10 [\d.]+, p90 [\d.]+")
        self.assertRegex(text, r"between tokens +[\d.]+ ms")
        self.assertEqual(re.findall(r"^  (\d+) .*assumed$", text, flags=re.M), ["1", "8", "64"])
        self.assertNotIn("requests at a time", self.rate(*WORK), "one load needs no table")

    def test_keeps_objectives(self):
        self.store()
        found = json.loads(self.rate(*WORK, "--itl-s", "0.1", "--ttft-s", "60", "--e2e-s", "60", "--format", "json"))
        self.assertGreater(found["concurrency"], 1)
        self.assertLessEqual(found["itl_s"], 0.1)

    def test_refuses_in_words(self):
        self.store()
        database = ["--database", self.database]
        self.assertIn("near is acme-70b", self.refused("acme-7b", *WORK[1:], *database))
        self.assertIn("with one request; allowed 0.001 s", self.refused(*WORK, "--itl-s", "0.001", *database))
        self.assertIn("--concurrency", self.refused(*WORK, "--itl-s", "1", "--concurrency", "8"))
        self.assertIn("--output: Value 0 not in range 1", self.refused(*WORK[:-1], "0", *database))
        for missing in range(1, 7, 2):
            self.assertIn(f"{WORK[missing]} is required", self.refused(*WORK[:missing], *WORK[missing + 2:]))
        self.assertIn("MODEL is required", self.refused(*WORK[1:]))


HEADER = ("source,ref,measured,device,devices,dp,model,weights,kv,framework,version,kind,input,output,concurrency,out_tok_s,"
          "ttft_ms,tpot_ms,power_w,doubt")
# Tokens/s at 8, 32 and 128 requests, of the order that such servers have.
GROUPS = {("llama-3.1-8b", 1): (900, 2700, 6000), ("llama-3.1-70b", 8): (650, 2000, 5000), ("qwen3-32b", 4): (600, 1700, 4000)}


def table(groups=None, more=()):
    rows = [f"lab,r{i},2026-04-01,nvidia.h100-sxm5-80gb,{devices},1,{model},bf16,,vllm,0.19.0,serving,1000,1000,{load},{rate},,,,"
            for i, ((model, devices), rates) in enumerate((groups or GROUPS).items()) for load, rate in zip((8, 32, 128), rates)]
    return "\n".join([HEADER, *rows, *more]) + "\n"


class AuditTest(RateCase):
    def audit(self, text, *arguments):
        status, out, err = self.run_costcurve("rate", "--audit", self.write("rates.csv", text), *arguments, "--format", "json")
        self.assertEqual(status, 0, err)
        return json.loads(out)

    def test_audits_a_file_without_a_store(self):
        more = ["lab,x,2026-04-01,nvidia.h100-sxm5-80gb,8,1,no-such-model,bf16,,vllm,0.19.0,serving,1000,1000,8,650,,,,",
                "lab,y,2026-04-01,nvidia.h100-sxm5-80gb,8,1,llama-3.1-70b,bf16,,vllm,0.19.0,serving,1000,1000,16,650,,,,by hand",
                "lab,z,2026-04-01,nvidia.h100-sxm5-80gb,1,1,llama-3.1-8b,bf16,,vllm,0.19.0,serving,1000,1000,16,1e6,,,,"]
        answer = self.audit(table(more=more), "--seed", "3")
        self.assertEqual((answer["rows"], answer["used"], answer["folds"], answer["seed"]), (12, 9, 30, 3))
        self.assertEqual(answer["leave_out"], "model_on_device")
        self.assertEqual({row["reason"]: row["count"] for row in answer["left_out"]},
                         {"no such model: no-such-model": 1, "doubtful: by hand": 1, "above the ceilings": 1})
        classes = {row.pop("name"): row for row in answer["classes"]}
        self.assertEqual(set(classes["all"]), {"count", "within", "median_error", "bias", "coverage", "width"})
        self.assertEqual(classes["all"]["count"], 9)
        self.assertEqual(classes["dense"], classes["all"])
        self.assertEqual(classes["nvidia.h100-sxm5-80gb"], classes["all"])
        self.assertEqual(classes["concurrency from 8"]["count"], 3)
        self.assertNotIn("mixture", classes)
        self.assertFalse(list(self.directory.glob("*.db")))

    def test_audits_what_an_import_makes_measurements_of(self):
        row = {"gpu_model": "H100", "num_gpus": 1, "max_num_seqs": 8, "weight_precision": "bfloat16", "avg_batch_size": 8,
               "avg_output_len": 900, "median_itl_ms": 13, "avg_power_watts": 500, "tensor_parallel": 1}
        rows = [{**row, "model_id": model, "output_throughput_tokens_per_sec": rate}
                for model, rate in (("Qwen/Qwen3-8B", 800), ("meta-llama/Llama-3.1-8B-Instruct", 850), ("maker/unknown", 1))]
        answer = self.audit(json.dumps({"task": "gpqa", "configurations": rows}))
        self.assertEqual((answer["rows"], answer["used"]), (3, 2))
        self.assertEqual([row["reason"] for row in answer["left_out"]], ["no such model: unknown"])

    def test_the_worst_rows_stand_first_with_a_reason(self):
        worst = self.audit(table())["worst"]
        self.assertEqual(len(worst), 9)
        off = [abs(math.log(row["ratio"])) for row in worst]
        self.assertEqual(off, sorted(off, reverse=True))
        for row in worst:
            self.assertAlmostEqual(row["ratio"], row["predicted"] / row["measured"])
            self.assertTrue(row["reason"])

    def test_is_the_same_for_the_same_seed(self):
        self.assertEqual(self.audit(table(), "--seed", "7"), self.audit(table(), "--seed", "7"))

    def test_prints_a_row_a_class(self):
        status, out, err = self.run_costcurve("rate", "--audit", self.write("rates.csv", table()), "--leave-out", "row")
        self.assertEqual(status, 0, err)
        self.assertIn("left out by row: 9 rows, 9 used, 30 folds, seed 1", out)
        self.assertRegex(out, r"(?m)^  dense +9 ")

    def test_all_kinds_come_one_after_the_other(self):
        day = "2026-04-01,nvidia."
        text = table().replace(f"lab,r0,{day}h100-sxm5-80gb", f"other,r0,{day}h200-sxm-141gb")
        answers = self.audit(text, "--leave-out", "all")
        self.assertEqual([answer["leave_out"] for answer in answers], ["row", "model", "device", "model_on_device", "source"])

    def test_names_the_formats_that_are_read_where_a_file_is_of_none(self):
        for name, content in (("a.csv", "a,b\n1,2\n"), ("a.json", '{"a": 1}'), ("a.png", b"\x89PNG\r\n\x1a\n\0\0\0"),
                              ("empty.csv", "")):
            err = self.refused("--audit", self.write(name, content))
            self.assertIn(name, err)
            self.assertIn("silicon samples", err)
            self.assertIn("out_tok_s", err)
        status, _, err = self.run_costcurve("rate", "--audit", "nowhere.csv")
        self.assertEqual(status, 1)
        self.assertIn("nowhere.csv: can't be read", err)

    def test_one_model_is_predicted_from_what_the_catalogue_knows_of_others(self):
        one = table({("llama-3.1-8b", 1): (900, 2700, 6000)})
        answer = self.audit(one, "--leave-out", "model")
        self.assertEqual((answer["rows"], answer["used"]), (3, 3))
        self.assertGreater(answer["folds"], 20)
        self.assertEqual(sum(row["count"] for row in answer["classes"] if row["name"].startswith("source ")), 3)

    def test_refuses_what_can_not_be_predicted(self):
        self.assertIn("none of 0 rows can be predicted", self.refused("--audit", self.write("rates.csv", HEADER + "\n")))
        strange = table({("no-such", 1): (900, 2700, 6000)})
        self.assertIn("3 left out: no such model: no-such", self.refused("--audit", self.write("rates.csv", strange)))

    def test_takes_no_request_beside_it(self):
        self.refused("acme-70b", "--audit", self.write("rates.csv", table()))
        self.refused("--device", "d", "--audit", self.write("rates.csv", table()))
        self.refused(*WORK, "--leave-out", "row")


if __name__ == "__main__":
    CommandLineCase.costcurve = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
