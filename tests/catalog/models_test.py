"""Holds sources/ours/models.json to its table, to published figures and to what can be true of a model.

usage: models_test.py ROOT    (the repository's root)
"""
import csv
import datetime
import json
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else ".")
CATALOG = ROOT / "deploy" / "catalog"
SIXTEEN_BIT = 2  # bytes

# Published bytes of key-value cache a token at 16 bit.
PUBLISHED_KV_BYTES = {
    # Zhao et al., "Insights into DeepSeek-V3", ISCA 2025 (arXiv:2505.09343), table 1: 70.272, 327.680 and 516.096 KB.
    "deepseek-v3": 70272, "qwen2.5-72b": 327680, "llama-3.1-405b": 516096,
    # By hand: 80 layers x 2 x 8 heads x 128 x 2 B; 32 x 2 x 32 x 128 x 2 B.
    "llama-3.1-70b": 327680, "llama-2-7b": 524288,
    # By hand, hybrids: 12 of 48 layers x 2 x 2 x 256 x 2 B; 18 of 36 x 2 x 8 x 64 x 2 B.
    "qwen3-next-80b-a3b": 24576, "gpt-oss-120b": 36864,
}


class Models(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        models = json.loads((CATALOG / "sources/ours/models.json").read_text(encoding="utf-8"))
        cls.models = {model["id"]: model for model in models}
        with open(CATALOG / "sources/model_configs.csv", encoding="utf-8", newline="") as file:
            cls.rows = {row["id"]: row for row in csv.DictReader(file)}

    def test_file_is_what_the_table_makes(self):
        subprocess.run([sys.executable, CATALOG / "models.py", "--check"], check=True)
        self.assertEqual(set(self.models), set(self.rows))
        self.assertGreaterEqual(len(self.models), 60)

    def test_shapes_of_documents_are_those_that_the_step_model_is_fitted_to(self):
        with open(CATALOG / "sources/architectures.csv", encoding="utf-8", newline="") as file:
            rows = {row.pop("model"): {name: float(value) for name, value in row.items()} for row in csv.DictReader(file)}
        self.assertGreaterEqual(len(rows), 33)
        for name, row in rows.items():
            model = self.models[name]
            attention, experts = model["attention"], model.get("experts", {})
            with self.subTest(model=name):
                self.assertEqual(row["layers"], model["layers"])
                self.assertEqual(row["hidden"], model["hidden"])
                self.assertEqual(row["kv_heads"], model["kv_heads"])
                self.assertEqual(row["kv_values_per_token"] * SIXTEEN_BIT, model["kv_bytes_per_token"])
                self.assertEqual(row["kv_values_in_window"] * SIXTEEN_BIT, attention.get("window_bytes_per_token", 0))
                self.assertEqual(row["window_tokens"], attention.get("window_tokens", 0))
                self.assertEqual(row["state_values"] * SIXTEEN_BIT, attention.get("state_bytes", 0))
                self.assertEqual(row["attention_flop_decode"], attention["decode_flop"])
                self.assertEqual(row["attention_flop_prompt"], attention["prompt_flop"])
                self.assertEqual(row["latent_or_linear_attention"] == 1, attention.get("kind", "full") != "full")
                self.assertEqual(row["experts"], experts.get("count", 0))
                self.assertEqual(row["experts_per_token"], experts.get("active", 0))
                self.assertEqual(row["expert_parameters"], model.get("expert_parameters", 0))
                self.assertEqual(row["embedding_parameters"], model["embedding_parameters"])
                # Documents count all, with what sees; the rows are rounded, and of the text part.
                self.assertLess(abs(model["parameters"] / row["parameters"] - 1), 0.04)
                self.assertLess(abs(model["active_parameters"] / row["active_parameters"] - 1), 0.04)

    def test_experts_and_the_rest_add_up_to_what_a_token_passes(self):
        for name, model in self.models.items():
            if "experts" in model:
                share = model["experts"]["active"] / model["experts"]["count"]
                active = model["parameters"] - model["expert_parameters"] * (1 - share)
                # Makers leave the embedding out of their counts, or round them to a billion.
                self.assertLess(abs(active / model["active_parameters"] - 1), 0.17, name)

    def test_most_models_state_their_whole_shape(self):
        self.assertGreaterEqual(sum("attention" in model for model in self.models.values()), 85)
        for name, model in self.models.items():
            for field in ("hidden", "vocabulary", "embedding_parameters", "kv_heads"):
                self.assertIn(field, model, name)
            self.assertTrue(all("/" in alias for alias in model["aliases"]), name)

    def test_cache_bytes_are_the_published_ones(self):
        for name, published in PUBLISHED_KV_BYTES.items():
            self.assertEqual(self.models[name]["kv_bytes_per_token"], published, name)

    def test_cache_bytes_follow_from_layers_and_heads(self):
        for name, row in self.rows.items():
            latent = row["kv_lora_rank"] != ""
            values = (int(row["kv_lora_rank"]) + int(row["qk_rope_head_dim"]) if latent
                      else 2 * int(row["kv_heads"]) * int(row["head_dim"]))
            self.assertEqual(latent, row["kv_heads"] == "", name)
            self.assertLessEqual(int(row["attention_layers"]), int(row["layers"]), name)
            self.assertEqual(self.models[name]["kv_bytes_per_token"], int(row["attention_layers"]) * values * SIXTEEN_BIT, name)

    def test_fewer_attention_layers_than_layers_are_explained(self):
        for name, row in self.rows.items():
            if row["attention_layers"] != row["layers"]:
                self.assertRegex(row["note"], "attention", name)

    def test_weights_lie_between_the_narrowest_and_the_widest_reading(self):
        lowest = {"bf16": 2, "fp8": 1, "int4": 0.5, "fp4": 0.5}
        for name, model in self.models.items():
            for precision, size in model["weight_bytes"].items():
                self.assertGreaterEqual(size, lowest[precision] * model["parameters"], (name, precision))
                self.assertLessEqual(size, 2 * model["parameters"], (name, precision))
            self.assertEqual(model["weight_bytes"]["bf16"], 2 * model["parameters"], name)

    def test_counts_and_dates_can_be(self):
        for name, model in self.models.items():
            self.assertRegex(name, r"^[a-z0-9][a-z0-9.-]*$")
            self.assertFalse(re.search(r"-instruct|-chat|-it$", name), name)
            self.assertTrue(0 < model["active_parameters"] <= model["parameters"] < 2e12, name)
            self.assertTrue(1024 <= model["context_tokens"] <= 2 ** 24, name)
            self.assertLessEqual(datetime.date(2021, 1, 1), datetime.date.fromisoformat(model["released"]), name)
            self.assertTrue(model["licence"] and model["source"], name)

    def test_performances_name_models_that_exist_and_serve(self):
        performances = json.loads((CATALOG / "sources/ours/performances.json").read_text(encoding="utf-8"))
        additions = json.loads((CATALOG / "sources/additions.json").read_text(encoding="utf-8"))
        named = [(one["id"], one["model"]) for one in performances if "model" in one]
        named += [(str(one["ids"]), one["set"]["model"]) for one in additions if "model" in one.get("set", {})]
        self.assertGreater(len(named), 20)
        for where, model in named:
            self.assertIn(model, self.models, where)
            self.assertNotRegex(where, r"\btrain|training", where)


unittest.main()
