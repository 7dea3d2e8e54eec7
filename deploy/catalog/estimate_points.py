"""Reads the measured decode rates that fit_estimates.py fits: a point each, with what decode_step needs to predict it.

A step of batch b takes t = (W + b K) / (n B alpha) + 2 b N / (n F beta) + gamma x layers seconds (docs/estimates.md). Prompts
take arithmetic at half the peak: an output token brings I/O prompt tokens of 2 N / (n F 0.5) seconds each.
sources/measured_prompts.csv says of each measured performance of a model:
  ids             the performances, `*` for any text; each is in one row
  input, output   mean tokens of a request; `cached` of the input were found in a prefix cache and are not computed
  counted         what the rate counts: output, or all (input and output)
  batch           where the performance states none, or another one; empty without a statement: the largest that fits
  step_limit_s    the longest time between two output tokens that the measurement allowed; it bounds a batch that is not stated
  precision, weight_bytes    of the measured checkpoint, where they are not the performance's and the model's
  left_out        why the rate is not one of decode_step
Standard library only.
"""
import csv
import dataclasses
import fnmatch
import json
import pathlib

from models import BYTES_A_PARAMETER

CATALOG = pathlib.Path(__file__).resolve().parent
PROMPT_PEAK_FRACTION = 0.5  # model.md, section 4
MEMORY_USE_FRACTION = 0.9  # of the devices' memory, as estimates have it
MAX_BATCH_A_DEVICE = 1024  # of a batch that is not stated
MOSTLY_PROMPTS = 7.9  # computed input tokens an output token, from which on a rate is of prompts more than of decoding
# Cards without a fast link to all others of a host: replicas of several cards go over PCIe (bridges join two to four cards).
PCIE_DEVICES = {
    "nvidia.a10", "nvidia.a100-pcie-80gb", "nvidia.a10g", "nvidia.a40", "nvidia.gtx-1080-ti", "nvidia.h100-nvl-94gb",
    "nvidia.h100-pcie-80gb", "nvidia.h200-nvl-141gb", "nvidia.k80", "nvidia.l4", "nvidia.l40", "nvidia.l40s",
    "nvidia.p100-pcie-16gb", "nvidia.p4", "nvidia.rtx-4000-ada", "nvidia.rtx-4090", "nvidia.rtx-a6000",
    "nvidia.rtx-pro-6000-bse", "nvidia.t4", "nvidia.v100-pcie-16gb", "nvidia.v100-pcie-32gb",
}


@dataclasses.dataclass(frozen=True)
class Point:
    """One measured rate, and the seconds that a step takes of its devices at alpha = beta = 1."""

    id: str
    device: str
    vendor: str
    model: str
    config: tuple  # model, devices and precision: a curve is of one
    kind: str  # gpu, tpu, asic
    pcie: bool  # the model takes several cards that are joined by PCIe
    mixture: bool  # a mixture of experts
    batch: float | None  # None: the largest of `max_batch` that keeps `step_limit_s`
    max_batch: float
    step_limit_s: float | None
    weights_s: float  # W / (n B)
    cache_s: float  # K / (n B), a sequence
    work_s: float  # 2 N / (n F), a token
    prompt_s: float  # prompts of an output token
    layers: float
    counted: float  # units counted an output token: 1, or (I + O) / O
    measured: float  # units/s

    @property
    def group(self):
        return self.device, self.model

    @property
    def is_mostly_prompts(self):
        return self.prompt_s * PROMPT_PEAK_FRACTION >= MOSTLY_PROMPTS * self.work_s


def load(kind):
    return json.loads((CATALOG / f"{kind}.json").read_text(encoding="utf-8"))


def prompt_rows():
    with open(CATALOG / "sources" / "measured_prompts.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def row_of(rows, performance_id):
    found = [row for row in rows if fnmatch.fnmatchcase(performance_id, row["ids"])]
    if len(found) != 1:
        raise SystemExit(f"measured_prompts.csv: {len(found)} rows are about {performance_id}; one must be")
    return found[0]


def peak_flops(device, precision):
    """Weights of int4 are computed with at 16 bit; fp16 and bf16 have one peak. None: the catalogue does not know it."""
    name = {"int4": "bf16", "fp16": "bf16"}.get(precision, precision)
    return device.get("peak_flops", {}).get(name)


def weight_bytes(model, precision):
    name = {"fp16": "bf16"}.get(precision, precision)
    return model["weight_bytes"].get(name) or model["parameters"] * BYTES_A_PARAMETER[name]


def rates(performance, curves):
    """[batch or None, units/s] of a performance."""
    rate = performance["units_per_s"]
    if isinstance(rate, str):
        rate = curves[rate]
    return rate["points"] if isinstance(rate, dict) else [[performance.get("batch"), rate]]


def make_points(performance, row, device, model, curves):
    devices, precision = performance["devices"], row["precision"] or performance["precision"]
    mean_input, mean_output = float(row["input"]), float(row["output"])
    bandwidth = devices * device["memory_bandwidth_gb_per_s"] * 1e9
    peak = devices * peak_flops(device, precision)
    weights = float(row["weight_bytes"]) if row["weight_bytes"] else weight_bytes(model, precision)
    computed_input = mean_input - float(row["cached"] or 0)
    cache = model["kv_bytes_per_token"] * (mean_input + mean_output / 2)
    one_device = MEMORY_USE_FRACTION * device["memory_gib"] * 2**30
    room = devices * one_device - weights
    token_s = 2 * model["active_parameters"] / peak
    for batch, measured in rates(performance, curves):
        yield Point(
            id=performance["id"], device=device["id"], vendor=device["vendor"], kind=device["kind"], model=model["id"],
            config=(model["id"], devices, precision),
            pcie=device["id"] in PCIE_DEVICES and weights > one_device,
            mixture=model["active_parameters"] < model["parameters"],
            batch=float(row["batch"]) if row["batch"] else batch,
            max_batch=max(1.0, min(MAX_BATCH_A_DEVICE * devices, room // cache)),
            step_limit_s=float(row["step_limit_s"]) if row["step_limit_s"] else None,
            weights_s=weights / bandwidth, cache_s=cache / bandwidth, work_s=token_s,
            prompt_s=computed_input / mean_output * token_s / PROMPT_PEAK_FRACTION, layers=model["layers"],
            counted=1.0 if row["counted"] == "output" else (mean_input + mean_output) / mean_output, measured=measured)


def load_points():
    """Points of the measured rates of models, and (id, reason) of those left out."""
    devices, models, curves = ({one["id"]: one for one in load(kind)} for kind in ("devices", "models", "curves"))
    rows, points, left_out = prompt_rows(), [], []
    used = set()
    for performance in load("performances"):
        if performance.get("basis") != "measured" or "model" not in performance:
            continue
        row = row_of(rows, performance["id"])
        used.add(row["ids"])
        if row["left_out"]:
            left_out.append((performance["id"], row["left_out"]))
            continue
        points += make_points(performance, row, devices[performance["device"]], models[performance["model"]], curves)
    unused = [row["ids"] for row in rows if row["ids"] not in used]
    if unused:
        raise SystemExit(f"measured_prompts.csv: rows without a measured performance of a model: {', '.join(unused)}")
    return points, left_out


def predict(point, factors):
    """Units/s of a point by decode_step with factors (alpha, beta, gamma in s)."""
    alpha, beta, gamma = factors
    fixed = point.weights_s / alpha + point.layers * gamma
    each = point.cache_s / alpha + point.work_s / beta + point.prompt_s
    batch = point.batch
    if batch is None:
        batch = point.max_batch
        if point.step_limit_s is not None:
            batch = max(1.0, min(batch, (point.step_limit_s - fixed) / each))
    return point.counted * batch / (fixed + batch * each)
