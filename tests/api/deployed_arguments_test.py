"""Arguments of inference servers: the model that they name, what stands in its place, and what they leave open.

usage: deployed_arguments_test.py COSTCURVE
"""

import os
import sys
import unittest

from command_line_case import CommandLineCase
from deployed_kinds_test import ON_P5, SECRET, KindsCase, deployment

# words of a server, its model
SERVERS = [
    (["python3", "-m", "sglang.launch_server", "--model-path", "Qwen/Qwen3-32B", "--tp-size=8"], "Qwen/Qwen3-32B"),
    (["trtllm-serve", "serve", "nvidia/Llama-3.1-8B-Instruct-FP8", "--tp_size", "8"], "nvidia/Llama-3.1-8B-Instruct-FP8"),
    (["trtllm-serve Qwen/Qwen3-32B --backend pytorch --tp_size 8"], "Qwen/Qwen3-32B"),
    (["text-generation-launcher", "--model-id", "Qwen/Qwen3-32B", "--num-shard", "8"], "Qwen/Qwen3-32B"),
    (["sh", "-c", "vllm serve \"Qwen/Qwen3-32B\" -tp 8"], "Qwen/Qwen3-32B"),
    (["--model", "/models/x", "--served-model-name", "Qwen/Qwen3-32B"], "Qwen/Qwen3-32B"),
    (["--model", "hf://Qwen/Qwen3-32B"], "Qwen/Qwen3-32B"),
    (["--served-model-name", "alias/x", "--model", "Qwen/Qwen3-32B"], "Qwen/Qwen3-32B"),
    (["llama-server", "-hf", "ggml-org/gemma-3-4b-it-GGUF:Q4_K_M", "-c", "8192"], "ggml-org/gemma-3-4b-it-GGUF"),
    (["--hf-repo=ggml-org/gemma-3-4b-it-GGUF"], "ggml-org/gemma-3-4b-it-GGUF"),
]
# words of a server that names no model, what stands there
NAMELESS = [
    (["--model", "/models/x", "--served-model-name", "llama"], "/models/x, a path"),
    (["--model", f"s3://user:{SECRET}@bucket/x"], "an address"),
    (["--model", "${MODEL}"], "a reference to a variable"),
    (["--model", "{{ .Values.model }}"], "a template that was not rendered"),
    (["/bin/sh", "-c", "llama-server -m /models/x.gguf -c 8192"], "/models/x.gguf, a path"),
    (["tritonserver", "--model-repository=/models"], "/models, a path"),
    (["python3", "-m", "sglang.launch_server", "--model-path", "./x"], "./x, a path"),
]
# further words of a server, what they leave open
OPEN = [
    (["--config", "/etc/vllm.yaml"], "its arguments are in a file, too"),
    (["--extra_llm_api_options", "x.yml"], "its arguments are in a file, too"),
    (["--speculative-config", '{"method": "eagle3"}'], "it decodes speculatively"),
    (["--speculative-algorithm", "EAGLE"], "it decodes speculatively"),
    (["--speculate", "3"], "it decodes speculatively"),
    (["--cpu-offload-gb", "16"], "a part of its weights is in the memory of its host"),
    (["--quantization", "bitsandbytes"], "its rates may be of another precision than --quantization bitsandbytes"),
    (["--quantization", "$Q"], "its rates may be of another precision than --quantization a reference"),
    *((words, "") for words in (["--quantization", "auto"], ["--cpu-offload-gb", "0"], ["--speculate", "0"],
                                ["--enable-expert-parallel"], ["--kv-transfer-config", "{}"], ["--gpu-memory-utilization", "0.9"],
                                ["--port", "8000"], ["--node-rank", "0"], ["--dist-init-addr", "x:5000"],
                                ["--mem-fraction-static", "0.8"])),
]


class ArgumentsTest(KindsCase):
    def test_servers_name_their_model(self):
        for words, model in SERVERS:
            with self.subTest(words=words):
                status, _, said = self.read([deployment(8, selector=ON_P5, args=words)])
                self.assertEqual(status, 0)
                self.assertIn(f"the model {model} is not among", said)
                self.assertEqual(said.count("Deployment/x"), 1, said)

    def test_servers_that_name_no_model_are_asked_about(self):
        for words, what in NAMELESS:
            with self.subTest(words=words):
                status, _, said = self.read([deployment(8, selector=ON_P5, args=words)])
                self.assertEqual((status, said.count("Deployment/x")), (0, 1), said)
                self.assertIn(f"its model is {what}: what it serves is not known", said)

    def test_arguments_that_matter_and_are_not_read_are_asked_about(self):
        for words, what in OPEN:
            with self.subTest(words=words):
                status, _, said = self.read([deployment(8, selector=ON_P5, args=["--model", "Qwen/Qwen3-32B", *words])])
                self.assertEqual((status, said.count("Deployment/x")), (0, 2 if what else 1), said)
                self.assertIn(what, said)


if __name__ == "__main__":
    CommandLineCase.costcurve = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
