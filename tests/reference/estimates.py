"""Section 4 of docs/model.md: rates where nothing is measured (rooflines and `decode_step`), and the memory they need."""
from __future__ import annotations

ALPHA, BETA, GAMMA_S = 0.8, 0.30, 70e-6  # model.md's fit to published curves
PROMPT_MFU = 0.5  # a prompt is arithmetic at half the peak
MEMORY_USE_FRACTION = 0.9
MAX_BATCH = 1024  # of a batch that is not stated
GIB = 2 ** 30


class Estimate:
    """An estimate of a performance on a device; `devices` may be a fraction, and takes that part of peak and bandwidth."""

    def __init__(self, performance: dict, workload: dict, device: dict, devices: float, memory_gib: float | None):
        self.doc, self.method = performance["estimate"], performance["estimate"]["method"]
        self.decodes = self.method != "training_flops"
        # Reading: the pool's device, the performance's own precision.
        self.peak = device["peak_flops"][performance.get("precision", workload.get("precision"))] * devices
        self.parameters = self.doc["active_parameters"]
        self.memory_gib = memory_gib
        if self.decodes:
            self.bandwidth = device["memory_bandwidth_gb_per_s"] * 1e9 * devices
            self.weights, self.cache = self.doc["weight_bytes"], self.doc["kv_bytes_per_sequence"]

    def units_per_s(self, batch: float | None) -> float:
        """Of one replica or gang, before scaling, caps and ramp; a training estimate has no batch."""
        if self.method == "training_flops":
            return self.doc["mfu"] * self.peak / (6 * self.parameters)
        if self.method == "decode_step":
            return batch / self.step_s(batch)
        compute = self.doc["mfu"] * self.peak / (2 * self.parameters)
        bytes_read = self.weights + batch * self.cache
        return min(compute, batch * self.bandwidth * self.doc["mbu"] / bytes_read)

    def step_s(self, batch: float) -> float:
        """decode_step: weights and cache read, arithmetic, and what each layer costs by itself."""
        read = (self.weights + batch * self.cache) / (self.bandwidth * self.doc.get("alpha", ALPHA))
        arithmetic = 2 * batch * self.parameters / (self.peak * self.doc.get("beta", BETA))
        return read + arithmetic + self.doc.get("gamma_s", GAMMA_S) * self.doc["layers"]

    def itl_s(self, batch: float) -> float:
        """Where the performance states none: one step for every sequence."""
        return batch / self.units_per_s(batch)

    def fits(self, batch: float) -> bool:
        """The memory check of decode estimates; an unknown memory is not checked."""
        if self.memory_gib is None:
            return True
        room = self.doc.get("memory_use_fraction", MEMORY_USE_FRACTION) * self.memory_gib * GIB
        return self.weights + batch * self.cache <= room

    def class_weights(self, batch: float) -> dict[str, float]:
        """What decode_step says of classes that class_weights does not name; {} of the others."""
        if self.method != "decode_step":
            return {}
        prompt = self.units_per_s(batch) * 2 * self.parameters / (self.peak * PROMPT_MFU)
        return {"input": prompt, "cache_write": prompt, "output": 1.0, "reasoning": 1.0, "cached_input": 0.0}
