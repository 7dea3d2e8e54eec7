"""Every real file of ../shared/data goes through `costcurve import` into a store with the catalogue, and changes nothing the second
time. Skips where those files are not there.

usage: python3 tests/import/published_files_test.py COSTCURVE REPOSITORY [unittest options]
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

import skips  # noqa: E402 pylint: disable=wrong-import-position

COSTCURVE = ""
ROOT = pathlib.Path()

# A format, its options, and the files: those of a set (marked so) are read together.
ONE, SET = "one", "set"
CALLS = [
    *[("skypilot", ["--provider", provider, "--date", date], ONE, [f"skypilot-catalog/{provider}_vms_{date}.csv"])
      for provider, date in [("gcp", "2026-04-02"), ("gcp", "2026-04-17"), ("gcp", "2026-05-05"), ("azure", "2026-04-08"),
                             ("azure", "2026-04-16"), ("lambda", "2026-04-02"), ("lambda", "2026-04-06")]],
    *[("skypilot", ["--provider", provider, "--date", "2026-04-01"], ONE, [f"skypilot-catalog/{provider}_vms_v8.csv"])
      for provider in ("aws", "runpod", "jarvislabs")],
    ("slurm_prices", ["--provider", "ours", "--date", "2026-04-01"], ONE, ["skypilot-catalog/slurm_pricing_v8.csv"]),
    ("tpu_prices", ["--date", "2024-06-11"], ONE, ["gpuhunt/tpu_pricing_2024-06-11.json"]),
    ("opencost", ["--provider", "ours", "--date", "2019-04-01", "--currency", "USD"], ONE, ["opencost/*.csv"]),
    ("gpu_price_feed", [], ONE, ["gpu-price-feed/*.jsonl"]),
    ("gpu_catalog", ["--date", "2026-01-01"], ONE, ["llm-d-planner/gpu_catalog.json"]),
    ("api_prices", ["--date", "2026-01-01"], ONE, ["llm-d-planner/model_pricing.csv"]),
    ("columns", ["--date", "2026-01-02"], SET, ["tests/import/files/model_pricing.yaml", "llm-d-planner/model_pricing.csv"]),
    ("focus", [], ONE, ["focus-1.0/focus_sample.csv", "focus-1.3/focus_sample_costandusage*.csv"]),
    ("focus", ["--provider", "example", "--currency", "USD"], ONE, ["focus-spec-1.2/commitment_discount_*/*.csv"]),
    ("focus", [], ONE, ["focus-spec-1.2/saas_examples/**/*.csv"]),
    ("focus_commitments", ["--provider", "aws", "--device", "H100"], ONE, ["focus-1.3/focus_sample_contractcommitment*.csv"]),
    ("opencost_allocation", [], ONE, ["opencost-allocation/*.json"]),
    ("epoch_hardware", [], ONE, ["epoch-hardware/Chip*.csv"]),
    ("epoch_prices", [], ONE, ["epoch-hardware/Hardware prices.csv"]),
    ("aiconfigurator", [], ONE, ["aiconfigurator-systems/*.yaml"]),
    ("calculon", ["--tdp-w", "400"], ONE, ["calculon-systems/a100_80g.json"]),
    ("calculon", ["--tdp-w", "700"], ONE, ["calculon-systems/h100_80g_nvl8.json"]),
    ("zeus_power", [], SET, ["zeus/trace/*.csv"]),
    ("zeus_power", [], SET, ["zeus/power_limit_sweep/*.csv"]),
    ("power_distribution", ["--id", "power.seren"], ONE, ["acme-trace/gpu_power_seren_cdf.csv"]),
    ("power_distribution", ["--id", "power.servers", "--devices", "8"], ONE, ["acme-trace/server_power_gpu_nodes_cdf.csv"]),
    ("utilization_distribution", ["--id", "utilization.philly"], ONE, ["acme-trace/util_gpu_philly_cdf.csv"]),
    ("mlperf_inference", [], ONE, ["mlperf-inference/*", "mlperf-inference-v4.1/summary*.json"]),
    ("accelerator_recipes", ["--id", "tpu-recipes"], ONE,
     ["tpu-recipes/training*", "tpu-recipes/ironwood_vllm_Qwen3-[3C]*.md", "tpu-recipes/ironwood_vllm_Qwen3.5*.md"]),
    ("accelerator_recipes", ["--id", "tpu-recipes", "--devices", "8", "--model", "llama-3.3-70b"], ONE,
     ["tpu-recipes/trillium_vllm*.md"]),
    ("accelerator_recipes", ["--id", "gpu-recipes"], ONE, ["gpu-recipes/training*"]),
    ("accelerator_recipes", ["--id", "maxtext"], ONE, ["maxtext/*.md"]),
    *[("mlperf_training", [], SET,
       [f"mlperf-training/{submitter}/results/{system}*/**/*", f"mlperf-training/{submitter}/systems/{system}*"])
      for submitter, system in [("AMD", "MI300X"), ("AMD", "MI355X"), ("Dell", "")]],
    *[("mlperf_training", ["--id", f"mlperf-training.{system}"], SET,
       [f"mlperf-training-google/*/cloud-tpu-{system}-*/**/*", f"mlperf-training-google/*/cloud-tpu-{system}-*.json"])
      for system in ("v5p-16", "v5p-1024", "v5p-3072", "v5p-4096", "trillium-512", "trillium-2048")],
    ("ml_energy", [], SET, ["ml-energy-leaderboard/**/*.json"]),
    ("inferencex", [], SET, ["inferencex/*.json"]),
    ("inferencex", ["--devices", "4"], SET, ["inferencex-tpuv7/*.json"]),
    *[("inference_perf", ["--device", "H100", "--devices", "1", "--model", "llama-3.1-8b", "--id", f"inference-perf.{name}"], SET,
       [f"inference-perf/{folder}/*"])
      for name, folder in [("plain", "vllm"), ("fp8", "vllm+quantization"), ("eagle", "vllm+eagle")]],
    ("vllm_bench", ["--device", "H200", "--devices", "8"], SET, ["inferencex-h200/*.json"]),
    ("genai_perf", ["--device", "L4", "--devices", "1", "--model", "gpt2"], SET, ["genai-perf/*.csv"]),
    ("aiperf", ["--device", "L4", "--devices", "1", "--model", "gpt2"], SET, ["aiperf/*record_1.json"]),
    ("measured_rates", [], ONE,
     ["measured-rates/serving.csv", "measured-rates/training.csv", "aiconfigurator-silicon/silicon_sample.csv"]),
    ("inferencex_costs", ["--date", "2026-08-15"], ONE, ["inferencex-tco/*.csv"]),
    *[("dawnbench", [], SET, [f"dawnbench/{benchmark}/{part}/*"])
      for benchmark in ("CIFAR10", "ImageNet", "SQuAD") for part in ("train", "inference")],
    ("training_costs", [], SET, ["epoch-training-cost/All*.csv", "epoch-training-cost/model_costs.csv"]),
    ("price_index", ["--date", "2024-01-01"], ONE, ["epoch-training-cost/PCU*.csv"]),
    ("instance_power", [], ONE, ["cloud-carbon-coefficients/aws-instances.csv"]),
    ("specpower", [], ONE, ["cloud-carbon-coefficients/SPECpower*.csv"]),
    *[("grid_carbon", ["--provider", provider, "--date", "2022-01-01"], ONE,
       [f"cloud-carbon-coefficients/grid-emissions-factors-{provider}.csv"]) for provider in ("aws", "gcp")],
    ("day_ahead", ["--id", "tariff.be", "--time-zone", "Europe/Brussels", "--currency", "EUR", "--unit", "kWh"], ONE,
     ["entsoe-day-ahead/DAM_prices.csv"]),
    ("hourly_carbon", ["--id", "carbon.se", "--time-zone", "Europe/Stockholm"], ONE, ["../cases/public-3/hourly-carbon.csv"]),
    ("hourly_prices", ["--id", "tariff.nrel"], ONE, ["nrel-ssc/LCGS_price_per_MWh.csv"]),
    ("openei", ["--date", "2019-01-01"], ONE, ["openei-urdb/ann_arbor.json"]),
    ("litellm_prices", ["--date", "2026-08-01"], ONE, ["litellm-prices/model_prices_2026-08-01.json"]),
    ("genai_prices", ["--date", "2026-08-01"], ONE, ["genai-prices/*.yml"]),
    ("llm_prices", ["--date", "2026-08-01"], ONE, ["llm-prices/*.json"]),
    ("openrouter", ["--date", "2026-08-01"], ONE, ["openrouter/*.json"]),
    ("llm_trace", ["--id", "trace.azure"], ONE, ["azure-llm-trace/*.csv"]),
    ("llm_trace", ["--id", "trace.mooncake", "--date", "2024-01-01"], ONE, ["mooncake/*.jsonl"]),
    ("request_log", ["--id", "trace.lora"], ONE, ["alibaba-genai-v2026/lora_request_trace.csv"]),
    ("request_rate", ["--id", "trace.qps"], ONE, ["alibaba-genai-v2026/qps.csv"]),
    ("gpu_duty_cycle", ["--id", "utilization.pods"], ONE, ["alibaba-genai-v2026/pod_gpu_duty_cycle_anon.csv"]),
    ("job_list", ["--id", "jobs.openb", "--date", "2023-01-01"], SET, ["alibaba-gpu-v2023/*.csv"]),
]
# What has no document in it by its nature: traces shorter than a day, rows without an accelerator or a price.
MAY_BE_WITHOUT_DOCUMENTS = {"slurm_prices", "focus", "llm_trace", "opencost", "opencost_allocation"}

# Formats of which there is no real file here.
DISPUTED = {("epoch_prices", ""): 1, ("genai_prices", "openai.yml"): 1}  # by file: offers of which it has two prices of a day
WITHOUT_FILES = {"measured", "model_config", "spot_traces"}


def run(*arguments):
    return subprocess.run([COSTCURVE, *map(str, arguments)], capture_output=True, text=True, check=False)


class PublishedFilesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.data = ROOT.parent / "shared" / "data"
        if not cls.data.is_dir():
            raise unittest.SkipTest("../shared/data is not here: the real files are not imported")
        cls.folder = tempfile.TemporaryDirectory()
        cls.database = pathlib.Path(cls.folder.name) / "store.db"
        done = run("import", "json", "--database", cls.database, *sorted((ROOT / "deploy/catalog").glob("*.json")))
        assert done.returncode == 0, done.stderr

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def calls(self):
        """(format, options, files) of every call."""
        verbs = {"json", "accept", "reject", "undo"}
        known = set(re.findall(r"^  (\w+)  ", run("import", "--help").stdout, flags=re.M)) - verbs - WITHOUT_FILES
        self.assertEqual(known - {row[0] for row in CALLS}, set(), "formats that no real file is imported with")
        for name, options, how, patterns in CALLS:
            files = [path for pattern in patterns
                     for path in sorted((ROOT if pattern.startswith("tests/") else self.data).glob(pattern)) if path.is_file()]
            self.assertTrue(files, f"no file is {patterns}")
            for group in [files] if how == SET else [[path] for path in files]:
                yield name, options, group

    def summary_of(self, name, options, files):
        done = run("import", name, "--database", self.database, "--json", *options, *files)
        summary = json.loads(done.stdout) if done.stdout else {}
        is_held = bool(summary.get("problem"))
        allowed = (0, 2) if name in MAY_BE_WITHOUT_DOCUMENTS and done.stdout else (0,)  # 2: not one row could be used
        self.assertIn(done.returncode, (2,) if is_held else allowed, f"{name} {files}: {done.stderr[-1500:]}")
        return summary

    def accept_held(self, summary):
        """Where two publishers differ by twice or more, the one that comes second is held."""
        if summary["held"]:
            done = run("import", "accept", "--database", self.database, str(summary["run"]))
            self.assertEqual(done.returncode, 0, done.stderr)
        return summary["held"]

    def test_each_file_is_recognised_or_told_to_be_alike_to_another(self):
        """What can't be told apart by its content is named; nothing is taken for another format."""
        sys.path.insert(0, str(ROOT / "tests/api"))
        from daemon import Daemon  # pylint: disable=import-outside-toplevel
        with tempfile.TemporaryDirectory() as folder, Daemon(COSTCURVE, pathlib.Path(folder)) as daemon:
            seen = set()
            for name, options, files in self.calls():
                if name in seen or name in MAY_BE_WITHOUT_DOCUMENTS or len(files) > 1 or files[0].stat().st_size > 1 << 20:
                    continue
                seen.add(name)
                query = "&".join(f"{option[2:].replace('-', '_')}={value.replace('+', '%2B')}"
                                 for option, value in zip(options[::2], options[1::2]) if option != "--source")
                with self.subTest(format=name, file=files[0].name):
                    target = f"/v1/imports?name={files[0].name.replace(' ', '_')}&{query}"
                    status, _, answer = daemon.ask("POST", target, files[0].read_bytes(),
                                                   {"Content-Type": "application/octet-stream"})
                    said = answer["recognized"]["format"] if status == 200 else answer["errors"][0]["message"]
                    self.assertIn(name, said)
            self.assertGreater(len(seen), 20)

    def test_all_files_import_and_change_nothing_the_second_time(self):
        for name, options, files in self.calls():
            with self.subTest(format=name, files=[path.name for path in files][:3]):
                summary = self.summary_of(name, options, files)
                documents = sum(summary["documents"].values()) + self.accept_held(summary)
                self.assertGreater(summary["rows"], 0)
                if name not in MAY_BE_WITHOUT_DOCUMENTS:
                    self.assertGreater(documents, 0, summary["rejected"])
                again = self.summary_of(name, options, files)
                disputed = DISPUTED.get((name, files[0].name), DISPUTED.get((name, ""), 0))
                self.assertEqual((again["documents"], again["held"]),
                                 ({"added": 0, "changed": 0, "unchanged": documents - disputed}, disputed))

    def test_a_newer_snapshot_and_then_an_older_one_give_the_same_curve(self):
        ids = {}
        for order in (["02", "06"], ["06", "02"]):
            database = pathlib.Path(self.folder.name) / f"order_{order[0]}.db"
            run("import", "json", "--database", database, *sorted((ROOT / "deploy/catalog").glob("*.json")))
            for day in order:
                date = f"2026-04-{day}"
                done = run("import", "skypilot", "--database", database, "--provider", "lambda", "--date", date,
                           self.data / f"skypilot-catalog/lambda_vms_{date}.csv")
                self.assertEqual(done.returncode, 0, done.stderr)
            offers = json.loads(run("export", "--database", database).stdout)["offers"]
            ids[order[0]] = {offer["id"]: offer["hourly_price"] for offer in offers}
        self.assertEqual(ids["02"], ids["06"])

    def test_the_answer_for_a_place_without_rates_is_an_error_with_a_name(self):
        done = run("import", "openei", "--database", self.database, "--date", "2019-01-01", self.data / "openei-urdb/invalid.json")
        self.assertEqual(done.returncode, 2)
        self.assertIn("issue", done.stderr)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    COSTCURVE = str(pathlib.Path(sys.argv.pop(1)).resolve())
    ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
    skips.main()
