"""The model of MFU of training runs, a second time: from the formulas of docs/model.md, not from the C++.

usage: from training_model import training_rate; training_rate(run, coefficients)
"""
from __future__ import annotations

import math

FAMILIES = {"ampere": ["nvidia.a100", "nvidia.a10", "nvidia.a40"], "hopper": ["nvidia.h100", "nvidia.h200", "nvidia.gh200"],
            "blackwell": ["nvidia.b200", "nvidia.b300"], "grace_blackwell": ["nvidia.gb"], "cdna3": ["amd.mi300", "amd.mi325"],
            "cdna4": ["amd.mi35"], "tpu": ["google.tpu"], "gaudi": ["intel.gaudi"]}
SOFTWARE = {"megatron": ["megatron", "nemo"], "maxtext": ["maxtext"], "llm_foundry": ["llm-foundry"], "torchtitan": ["torchtitan"]}
FIRST_YEAR, LAST_YEAR, USUAL_YEAR, USUAL_STEP = 2023.0, 2026.7, 2026.5, 16384.0


def terms(run):
    """What each coefficient is multiplied by."""
    x = math.log10(run["active_parameters"] / 1e10)
    step = run["tokens_per_step"] / run["devices"] if run["tokens_per_step"] else USUAL_STEP
    year = min(max(run["year"] or USUAL_YEAR, FIRST_YEAR), LAST_YEAR)
    found = {"level": 1.0, "size": x, "small_size": -min(0.0, x) ** 2, "devices": math.log2(run["devices"] / 8) / 5,
             "small_steps": min(0.0, math.log(step / USUAL_STEP)), "sequence": math.log10(run["sequence"] / 4096),
             "year": year - 2025, run["precision"]: 1.0}
    if run["is_mixture"]:
        found["mixture"] = 1.0
        found["expert_size"] = math.log10(run["expert_parameters"] / 4e7) if run["expert_parameters"] else 0.0
        found["mixture_devices"] = math.log2(run["devices"] / 64) / 5
    for family, beginnings in FAMILIES.items():
        if any(run["device"].startswith(beginning) for beginning in beginnings):
            found[family] = 1.0
    if run["publisher"].startswith("mlperf"):
        found["mlperf"] = 1.0
    else:
        for software, words in SOFTWARE.items():
            if any(word in run["framework"] for word in words):
                found[software] = 1.0
    return found


def training_rate(run, coefficients):
    mfu = min(0.75, math.exp(sum(coefficients[name] * value for name, value in terms(run).items())))
    flop = 4 if run["is_lora"] else 6
    token_s = flop * run["active_parameters"] / run["peak_flops"]
    width = run["attention_flop"] / 4 if run["attention_flop"] else run["layers"] * run["hidden"]  # as of layers of that width
    token_s += flop * width * run["sequence"] / run["peak_flops_16"]
    return {"mfu": mfu, "tokens_per_s": run["devices"] * mfu / token_s}
