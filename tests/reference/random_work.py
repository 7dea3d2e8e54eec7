"""Random valid scenarios with the work of version 2 (②) of section 4 and `ramp`: those of random_version_2.py, changed.

Used through `random_scenarios.py --version2 --work` and `compare.py --work`; off by default until the program does it all.
Classes of units and their weights, batch inference, carry-over, learning curves, fractions of devices and slices, replicas
that don't divide or span their hosts, decode estimates without a batch and `decode_step`, and objectives of latency.
"""
from __future__ import annotations

import copy
import math
import random
from typing import Any, Iterable, Iterator

import random_version_2
from classes import CLASSES, FEES, TIERS, classes_of, token_mix, units_of_request
from performance import Performance, limits_of, units_out
from random_scenarios import LATENCY_KIND, PRECISIONS
from random_commitments import with_provisioned, with_spend
from random_rented import with_rented
from random_pairs import with_pairs
from random_starts import with_batch_starts, with_quarters, with_starts

SLICES = {"1g": (1 / 7, 1 / 8), "2g": (2 / 7, 1 / 4), "3g": (3 / 7, 1 / 2), "half": (0.5, 0.5)}  # of devices and memory
FRACTIONS = [0.5, 0.25, 0.125, 1 / 3, 1 / 7, 3 / 7, 0.3, 0.9]
CAPABILITIES = ["dynamic_shapes", "custom_kernels", "sparsity", "fp64", "confidential"]
GIB = 2 ** 30
# What `--without` may leave out, to find what disagrees, or while the program lacks it.
FEATURES = ("batch", "bursts", "cache", "capabilities", "carry_over", "classes", "deadlines", "endpoints", "estimates",
            "fall_back", "fees", "hosts", "hour_bursts", "mix", "objectives", "pairs", "precisions", "provisioned", "quarters",
            "ramp", "rented", "shares", "sizes", "spare_hosts", "spend", "spread", "starts", "thresholds", "tiers")


class Scenario(random_version_2.Scenario):
    """Draws one scenario; that of version 2 of this seed and index is drawn first, and changed."""

    def __init__(self, seed: int, index: int, all_classes: bool = True, without: Iterable[str] = ()):
        super().__init__(seed, index, all_classes and "classes" not in without)
        self.without = set(without)
        if self.without - set(FEATURES):
            raise ValueError(f"--without {', '.join(sorted(self.without - set(FEATURES)))}; there is {', '.join(FEATURES)}")
        self.rng = random.Random(f"work:{seed}:{index}")
        document = self.document
        self.by_id = {pool["id"]: pool for pool in document["pools"]}
        for pool in document["pools"]:
            self.draw_pool(pool)
        for workload in document["workloads"]:
            self.draw_kind(workload)
            self.draw_request(workload)
            for entry in workload["runs_on"]:
                if "performance" in entry:
                    self.draw_performance(entry["performance"], workload, self.by_id[entry["pool"]])
            self.draw_objectives(workload)
            if self.draws("capabilities", 0.1):
                workload["requires"] = self.rng.sample(CAPABILITIES, 2)  # devices have all of them, or none that is known
        document["workloads"] = copy.deepcopy(document["workloads"])

    def draws(self, feature: str, probability: float = 1) -> bool:
        """Whether to draw it this time."""
        return self.flip(probability) and feature not in self.without

    # ---- pools

    def learning(self) -> dict:
        """Mostly rising, from any first month on; x is a number of months, so never `log`."""
        xs = sorted(self.rng.sample(range(8), self.rng.randint(1, 4)))
        ys = [self.num(0.1, 1) for _ in xs]
        return self.points("ramp", "months", xs, sorted(ys) if self.flip(0.8) else ys, ["linear", "step"])

    def draw_pool(self, pool: dict) -> None:
        if pool["kind"] == "api":
            if self.draws("batch", 0.6):
                pool["batch_price_fraction"] = self.rng.choice([0.5, 0.5, 1, self.num(0.1, 1)])
            if self.draws("classes", 0.4):
                self.draw_prices(pool)
            if self.draws("thresholds", 0.4):
                self.draw_thresholds(pool)
            if self.draws("fees", 0.3):
                names = self.rng.sample(list(FEES), self.rng.randint(1, len(FEES)))
                pool["fees"] = {name: self.monthly("price", 1e-5, 0.1) for name in names}
            if self.draws("tiers", 0.4):
                self.draw_tiers(pool)
            if self.draws("tiers", 0.05):
                pool["unknown_conditions"] = ["by the time of day"]
            if self.draws("cache", 0.6):
                self.draw_cache(pool)
            return
        if self.draws("ramp", 0.4):
            pool["ramp"] = self.learning()
        if pool["kind"] == "cloud" and self.draws("hosts", 0.5):  # hosts that many sizes don't divide
            pool["offer"]["devices"] = max(pool["offer"]["devices"], self.rng.choice([5, 6, 7, 8, 12]))
        device = self.holder(pool)["device"]  # shared by pools: drawn once
        if "slices" not in device and "memory_gib" in device and self.draws("sizes", 0.5):
            names = self.rng.sample(list(SLICES), self.rng.randint(1, 3))
            parts = {name: SLICES[name] for name in names}
            device["slices"] = {name: {"fraction": part, "memory_gib": device["memory_gib"] * memory}
                                for name, (part, memory) in parts.items()}
        if "capabilities" not in device and self.draws("capabilities", 0.3):
            device["capabilities"] = CAPABILITIES

    def draw_prices(self, pool: dict) -> None:
        """Prices by class, some left to their kin; also where requests have no classes; rarely none."""
        names = ["input", "output", *(c for c in CLASSES if c not in ("input", "output") and self.flip(0.5))]
        pool["price_per_million_units"] = {c: self.monthly("price", 0.01, 20) for c in CLASSES if c in names}
        if self.flip(0.1):
            pool["price_per_million_units"] = 0

    def draw_tiers(self, pool: dict) -> None:
        """A factor or prices, with thresholds of their own now and then; batch in place of the fraction."""
        pool["service_tiers"] = {}
        for tier in self.rng.sample(TIERS, self.rng.randint(1, len(TIERS))):
            prices: dict = {"price_factor": self.num(0.1, 3)}
            if self.flip():
                prices = {"price_per_million_units": 1}
                self.draw_prices(prices)
                if self.flip(0.4):
                    self.draw_thresholds(prices)
            self.optional(prices, 0.3, deadline_hours=self.num(1, 48))
            pool["service_tiers"][tier] = prices
        if "batch" in pool["service_tiers"]:
            pool.pop("batch_price_fraction", None)

    def draw_tier(self, entry: dict, workload: dict, pool: dict) -> None:
        """Any that has a price; under objectives none with a deadline, and none with a later one than the work's."""
        stated = pool.get("service_tiers", {})
        latest = 0 if "slo" in workload else workload.get("deadline_hours", math.inf)
        slow = [t for t in ("batch", "flex") if stated.get(t, {}).get("deadline_hours", 0) > latest]
        names = [t for t in stated if t not in slow] + ["standard"]
        if self.draws("tiers", 0.5):
            entry["service_tier"] = self.rng.choice(names)

    def draw_thresholds(self, pool: dict) -> None:
        """One to three of one scope, a number or some classes each, below and above the prompts that are drawn."""
        scope = self.rng.choice([{}, {"scope": "request"}, {"scope": "beyond"}])
        pool["above"] = []
        for tokens in sorted({self.log_num(1, 5000) for _ in range(self.rng.randint(1, 3))}):
            names = self.rng.sample(CLASSES, self.rng.randint(1, len(CLASSES)))
            by_class = {c: self.monthly("price", 0.01, 40) for c in CLASSES if c in names}
            price = by_class if self.flip(0.7) else self.monthly("price", 0.01, 40)
            pool["above"].append({"input_tokens": tokens, "price_per_million_units": price, **scope})

    def draw_cache(self, pool: dict) -> None:
        """Lifetimes with prices of their own or not, hits stated or not; shorter prefixes are not kept now and then."""
        pool["cache"] = {"write_lifetimes": [{"seconds": seconds} for seconds in (300, 3600, 86400) if self.flip(0.6)]}
        for lifetime in pool["cache"]["write_lifetimes"]:
            self.optional(lifetime, 0.5, price_factor=self.num(0.5, 3))
        self.optional(pool["cache"], 0.3, hit_fraction=self.num(0, 1))
        self.optional(pool["cache"], 0.2, min_tokens=self.num(1, 500))

    # ---- workloads

    def draw_kind(self, workload: dict) -> None:
        """Some inference becomes batch work, on API pools too; what is deferrable may not be carried over."""
        if workload["kind"] == "inference" and self.draws("batch", 0.4):
            self.make_batch(workload)
        elif workload["kind"] == "training" and self.draws("batch", 0.25):
            self.train_as_batch(workload)
        if workload["kind"] == "training" and self.draws("spare_hosts", 0.3):
            workload["spare_hosts"] = self.rng.choice([1, 1, 1, 2, 5])
        if workload["kind"] == "training" and self.draws("run", 0.3):
            self.make_run(workload)
        elif workload["kind"] != "inference":
            if self.draws("carry_over", 0.5):
                workload["carry_over"] = self.flip(0.4)
            if workload["kind"] == "batch" and self.draws("deadlines", 0.4):
                workload["deadline_hours"] = self.rng.choice([1, 5, 12, 24, 36, 100, 168, 400])
            name = "requests_per_month" if workload["kind"] == "batch" else "epochs_per_month"
            if not isinstance(workload[name], dict) and self.draws("bursts", 0.5):
                workload[name] = self.bursts(workload[name])

    def make_run(self, workload: dict) -> None:
        """What comes again each month becomes one run, at times with a deadline or a start within the month."""
        workload.pop("epochs_per_month")
        workload.pop("carry_over", None)
        workload["epochs"] = self.rng.choice([0.3, 1, 2.5, 8])
        if self.flip():
            workload["start_day"] = self.rng.randint(1, 28)
        if self.flip():
            workload["within_days"] = self.num(2, 30.0 * self.months)
        if len(workload["runs_on"]) > 1 and self.draws("fall_back", 0.5):
            workload.pop("routing", None)
            workload["fall_back_after_days"] = self.rng.choice([0, 1, 2.5, 10, self.num(0, 30.0 * self.months)])

    def bursts(self, level: float) -> dict:
        """Months of much work and of none, so that backlogs come and go."""
        factors = self.rng.choices([0, 0.02, 0.3, 1, 3], [5, 2, 3, 3, 2], k=min(self.months, 12))
        first = self.first_day.year * 12 + self.first_day.month - 1  # months since year 0
        points = [[f"{month // 12}-{month % 12 + 1:02d}-01", float(f"{level * factor:.5g}")]
                  for month, factor in enumerate(factors, first)]
        return {"kind": "demand", "axis": "date", "interpolation": "step", "points": points}

    def make_batch(self, workload: dict) -> None:
        demand = workload["demand"]
        requests = demand.get("mean_per_s", 0)
        if "utilization" in demand:
            requests = demand["reference_devices"] * demand["units_per_s_per_device"] / 2 / units_of_request(workload)
        self.become_batch(workload, requests * 730 * 3600)

    def train_as_batch(self, workload: dict) -> None:
        units = workload.pop("units_per_epoch")
        workload.pop("epochs_per_month")
        self.become_batch(workload, units)
        apis = [pool["id"] for pool in self.by_id.values() if pool["kind"] == "api"]
        if apis:
            place = self.rng.randint(0, len(workload["runs_on"]))
            workload["runs_on"].insert(place, {"pool": self.rng.choice(apis)})

    def become_batch(self, workload: dict, requests: float) -> None:
        for name in ("demand", "peak_utilization", "checkpoint", "slo", "spare_replicas", "availability"):
            workload.pop(name, None)
        level = requests * self.num(0.2, 2)
        workload |= {"kind": "batch", "requests_per_month": float(f"{level:.5g}")}
        if self.flip(0.4):
            workload["requests_per_month"] = self.dated("demand", 0, float(f"{2 * level:.5g}") or 1)

    def draw_request(self, workload: dict) -> None:
        """Any classes, whatever computes them, some of input or output among them; as much work as before."""
        before = units_of_request(workload)
        if workload["kind"] == "training" or not self.draws("classes"):
            return
        units = workload.get("units_per_request")
        if not isinstance(units, dict):
            if self.flip(0.7):
                return
            units = workload["units_per_request"] = {self.rng.choice(["input", "output"]): self.num(1, 500)}
        for c in CLASSES:
            if c not in units and self.flip(0.3):
                units[c] = 0 if self.flip(0.1) else self.num(1, 2000)
        self.draw_lengths(workload)
        self.optional(workload, 0.3, cost_weights=lambda: {c: self.num(0, 5) for c in units if self.flip(0.6)})
        self.optional(workload, 0.05, cost_weights=lambda: dict.fromkeys(units, 0))  # by units
        part = before / units_of_request(workload)
        for holder, name in ((workload.get("demand", {}), "mean_per_s"), (workload, "requests_per_month")):
            if isinstance(holder.get(name), dict):
                holder[name]["points"] = [[x, float(f"{y * part:.5g}")] for x, y in holder[name]["points"]]
            elif name in holder:
                holder[name] = float(f"{holder[name] * part:.5g}")

    def draw_lengths(self, workload: dict) -> None:
        """Some requests are of several lengths; some begin with a prefix that others have too."""
        units = workload["units_per_request"]
        if self.draws("mix", 0.4):
            weights = [self.num(0.05, 1) for _ in range(self.rng.randint(1, 4))]
            workload["token_mix"] = [{**{c: float(f"{units[c] * self.num(0.05, 4):.5g}") for c in units},
                                      "share": weight / sum(weights)} for weight in weights]
            if self.draws("spread", 0.3):
                mean = {c: units[c] or 1.0 for c in units}
                workload["token_mix"] = {"mean": mean, "p95": {
                    c: float(f"{mean[c] * self.num(1, 3.8):.5g}") for c in units if self.flip(0.8)}}
                workload["token_mix"]["p95"] = {c: max(q, mean[c]) for c, q in workload["token_mix"]["p95"].items()}
            workload["units_per_request"] = classes_of(workload)
            if self.flip(0.7):
                del workload["units_per_request"]
        shortest = min((bucket.get("input", 0) for bucket in token_mix(workload) or [units]), default=0)
        if shortest > 0 and self.draws("cache", 0.5):
            workload["prefix"] = {"tokens": float(f"{shortest * self.num(0.05, 0.99):.5g}")}
            self.optional(workload["prefix"], 0.8, requests_per_hour=self.log_num(0.01, 1000))
            self.optional(workload["prefix"], 0.2, lifetime_s=self.rng.choice([300, 3600]))

    # ---- performances

    def draw_performance(self, performance: dict, workload: dict, pool: dict) -> None:
        device, per_host = self.holder(pool)["device"], self.holder(pool)["devices"]
        self.draw_size(performance, workload, device, per_host)
        self.draw_estimate(performance, workload, device)
        if "estimate" not in performance and workload["kind"] != "inference":
            if performance.get("batch") and isinstance(performance["units_per_s"], dict) and self.flip(0.5):
                del performance["batch"]  # without an objective the curve's last point
        units = classes_of(workload)
        if units is not None and self.draws("classes", 0.4):
            self.draw_weights(performance, units)
        if units is not None and "estimate" not in performance and self.draws("classes", 0.5):
            self.draw_mix(performance, units)
        differs = 0.3 if "precision" in workload and "estimate" not in performance else 0.05
        if device.get("precisions", PRECISIONS) == PRECISIONS and self.draws("precisions", differs):
            performance["precision"] = self.rng.choice(PRECISIONS)
        if performance.get("device"):
            performance["device"] = device

    def draw_estimate(self, performance: dict, workload: dict, device: dict) -> None:
        """Of decoding, anew, so that it fits the memory; a batch workload has no estimate of training."""
        method = performance.get("estimate", {}).get("method")
        if method == "decode_roofline":
            self.redraw_decode(performance, device)
        elif workload["kind"] == "batch" and method or workload["kind"] != "training" and self.draws("estimates", 0.2):
            self.make_decode(performance, workload, device)

    def draw_size(self, performance: dict, workload: dict, device: dict, per_host: int) -> None:
        """Fractions, slices, sizes that don't divide the host; replicas that span hosts say so."""
        form = self.rng.choice(["as drawn", "as drawn", "fraction", "slice", "odd", "odd"])
        form = form if self.draws("sizes") else "as drawn"
        if form == "fraction":
            performance["devices"] = self.rng.choice([*FRACTIONS, self.num(0.05, 0.95)])
        elif form == "slice" and "slices" in device:
            performance.pop("devices", None)
            performance["slice"] = self.rng.choice(list(device["slices"]))
        elif form == "odd":
            performance["devices"] = self.rng.randint(1, 2 * per_host + 1 if self.flip(0.25) else per_host)
        devices = performance.get("devices", 1)
        if workload["kind"] == "inference" and devices > per_host:
            performance["spans_hosts"] = True
        else:
            self.optional(performance, 0.05, spans_hosts=self.flip())
        room = devices * device.get("memory_gib", 1e9)
        if "slice" in performance or workload.get("memory_gib", 0) > room:
            workload.pop("memory_gib", None)

    def draw_weights(self, performance: dict, units: dict) -> None:
        """Of some classes; what has units and is sure to be computed keeps the sum above 0."""
        performance["class_weights"] = {c: self.num(0.05, 3) for c in CLASSES if self.flip(0.4)}
        free = [c for c in performance["class_weights"] if c not in units]
        for c in free:
            self.optional(performance["class_weights"], 0.2, **{c: 0})

    def draw_mix(self, performance: dict, units: dict) -> None:
        """The workload's own request, or half as long a prompt."""
        cached = units.get("cached_input", 0)
        computed = (units.get("input", 0) + units.get("cache_write", 0)) * self.rng.choice([1, 0.5])
        performance["mix"] = {"input": computed + cached, "cached_input": cached,
                              "output": max(1, units.get("output", 0) + units.get("reasoning", 0))}

    def room(self, performance: dict, device: dict) -> float:
        """Bytes that an estimate may take for certain."""
        memory = device.get("memory_gib", 80) * performance.get("devices", 1)
        if "slice" in performance:
            memory = device["slices"][performance["slice"]]["memory_gib"]
        return performance["estimate"].get("memory_use_fraction", 0.9) * memory * GIB

    def redraw_decode(self, performance: dict, device: dict) -> None:
        """A decode estimate that fits its devices, with or without a batch; sometimes `decode_step`."""
        estimate = performance["estimate"]
        self.optional(estimate, 0.3, memory_use_fraction=self.num(0.5, 1))
        room = self.room(performance, device)
        weights = float(f"{room * self.num(0.02, 0.85):.5g}")
        sequences = self.rng.choice([1.5, 7.3, 40.7, 300.2, 2000.9])  # that fit beside the weights
        estimate["weight_bytes"] = weights
        estimate["kv_bytes_per_sequence"] = 0 if self.flip(0.05) else float(f"{(room - weights) / sequences:.4g}")
        estimate["active_parameters"] = float(f"{weights / self.num(0.5, 2):.5g}")
        performance["batch"] = self.rng.randint(1, int(sequences))
        if self.draws("estimates", 0.6):
            del performance["batch"]
        if self.draws("estimates", 0.5):
            estimate |= {"method": "decode_step", "layers": self.rng.choice([1, 16, 32, 80])}
            estimate.pop("mbu", None)
            estimate.pop("mfu", None)
            self.optional(estimate, 0.3, alpha=self.num(0.3, 1), beta=self.num(0.1, 0.9), gamma_s=self.num(0, 2e-4))

    def make_decode(self, performance: dict, workload: dict, device: dict) -> None:
        for name in ("units_per_s", "batch", "itl_s"):
            performance.pop(name, None)
        performance["estimate"] = {"method": "decode_roofline", "mfu": self.num(0.1, 0.6), "mbu": self.num(0.2, 0.8)}
        performance["precision"] = workload.get("precision", self.precision)
        self.redraw_decode(performance, device)

    # ---- objectives

    def latency(self, limit: float) -> Any:
        """A number, or a curve over the batch that keeps the limit at batch 1."""
        low = float(f"{limit * self.num(0.2, 0.95):.5g}")
        if self.flip(0.3):
            return low
        xs = [1, *sorted(self.rng.sample(range(2, 400), self.rng.randint(1, 3)))]
        curve = self.rising(LATENCY_KIND, "batch", xs, low, 8 * low, ["linear", "step", "log"])
        curve["points"][0][1] = low
        return curve

    def draw_objectives(self, workload: dict) -> None:
        """Held by itl_s and ttft_s, by estimates themselves, or by nothing that is known."""
        if workload["kind"] != "training":
            for count in FEES.values():
                if count and self.draws("fees", 0.2):
                    workload[count] = self.num(0, 3)
        if workload["kind"] != "inference":
            for entry in workload["runs_on"]:
                if "performance" not in entry:
                    self.draw_tier(entry, workload, self.by_id[entry["pool"]])
            return
        if self.draws("objectives", 0.3):
            workload.setdefault("slo", {"percentile": 0})["ttft_s"] = self.log_num(0.01, 5)
        if self.draws("objectives", 0.2):
            workload.setdefault("slo", {"percentile": 0})["e2e_s"] = self.log_num(1, 500)
        if "slo" in workload and self.draws("objectives", 0.3):
            workload["slo"]["percentile"] = self.rng.choice([50, 95, 99])
            if workload["slo"]["percentile"] == 95 and self.flip():
                del workload["slo"]["percentile"]  # the default
        limits = limits_of(workload)
        for entry in workload["runs_on"]:
            if "performance" not in entry:
                self.draw_api_latency(self.by_id[entry["pool"]])
                self.draw_tier(entry, workload, self.by_id[entry["pool"]])
                continue
            performance = entry["performance"]
            for figure, limit in limits.items():
                if figure != "e2e_s" and figure not in performance and self.draws("objectives", 0.6):
                    performance[figure] = self.latency(limit)
            if self.draws("objectives", 0.5):
                performance["latency_percentile"] = self.rng.choice([50, 95, 99])
            throughput = performance.get("units_per_s")
            if isinstance(throughput, dict) and throughput["axis"] == "batch" and "batch" not in performance:
                if self.draws("objectives", 0.2):  # the search ends where the curve does
                    throughput["outside"] = "error"
            self.keep_objectives(performance, workload, self.by_id[entry["pool"]], limits)
            self.draw_waiting(performance, workload, self.by_id[entry["pool"]])

    def draw_waiting(self, performance: dict, workload: dict, pool: dict) -> None:
        """How long prompts take, where there is a load that keeps the objectives then."""
        throughput = performance.get("units_per_s")
        over_batch = isinstance(throughput, dict) and throughput["axis"] == "batch"
        if not over_batch or "estimate" in performance or not self.draws("waiting", 0.6):
            return
        performance["prompt_token_s"] = self.log_num(1e-8, 1e-4)
        holder = self.holder(pool)
        try:
            Performance(performance, workload, holder["device"], holder["devices"])
        except ValueError:
            del performance["prompt_token_s"]

    def draw_api_latency(self, pool: dict) -> None:
        """Below every objective that is drawn."""
        for figure in ("e2e_s", "ttft_s", "itl_s"):
            if self.draws("objectives", 0.4):
                pool[figure] = self.num(0.0001, 0.005)  # their percentile is up to 1.9 times the mean

    def keep_objectives(self, performance: dict, workload: dict, pool: dict, limits: dict[str, float]) -> None:
        """An entry that is not eligible gets figures that keep the objectives at any batch."""
        holder = self.holder(pool)
        try:
            if Performance(performance, workload, holder["device"], holder["devices"]).is_eligible():
                return
        except ValueError:
            pass
        performance |= {figure: float(f"{limit * self.num(0.1, 0.95):.5g}") for figure, limit in limits.items()
                        if figure != "e2e_s"}
        if "e2e_s" in limits:  # half of it to the first, half after it
            first = min(limits["e2e_s"] / 2, limits.get("ttft_s", math.inf))
            between = min(limits["e2e_s"] / 2 / max(1, (units_out(workload) or 1) - 1), limits.get("itl_s", math.inf))
            performance |= {"ttft_s": float(f"{0.9 * first:.5g}"), "itl_s": float(f"{0.9 * between:.5g}")}


# What an API pool and an endpoint state alike.
HOSTED = ("price_per_million_units", "above", "cache", "fees", "service_tiers", "unknown_conditions",
          "batch_price_fraction", "max_units_per_s", "e2e_s", "ttft_s", "itl_s", "latency_percentile",
          "energy_wh_per_unit", "carbon_g_per_unit", "provider", "model", "provisioned")


def with_endpoints(document: dict, rng: random.Random) -> dict:
    """Some API pools name an endpoint, in another currency now and then, in place of their own figures."""
    for pool in document["pools"]:
        if pool["kind"] == "api" and rng.random() < 0.4:
            endpoint = {name: pool.pop(name) for name in HOSTED if name in pool}
            endpoint = {"id": f"endpoint-{pool['id']}", "provider": "example", "model": "large", **endpoint}
            if document.get("exchange_rates") and rng.random() < 0.5:
                endpoint["currency"] = rng.choice(sorted(document["exchange_rates"]))
            pool["endpoint"] = endpoint
    return document


def money_curves(value: Any) -> Iterator[dict]:
    """Those inside of a document, which may state a currency."""
    if isinstance(value, dict) and value.get("kind") in ("price", "tariff") and "points" in value:
        yield value
    elif isinstance(value, (dict, list)):
        for part in value.values() if isinstance(value, dict) else value:
            yield from money_curves(part)


def with_currencies(document: dict, rng: random.Random) -> dict:
    """Some curves of money are in a currency of their own, whatever that of the document around them."""
    codes = [document.get("currency", "USD"), *sorted(document.get("exchange_rates", {}))]
    for curve in money_curves(document["pools"]):
        if rng.random() < 0.3:
            curve["currency"] = rng.choice(codes)
    return document


def with_forwards(document: dict, rng: random.Random) -> dict:
    """Some currencies have a rate by date in place of one; curves that state a currency keep to documents without these."""
    for code in sorted(document.get("exchange_rates", {})):
        mixed = any("currency" in curve for pool in document["pools"] for curve in money_curves(pool))
        if mixed or rng.random() < 0.6:
            continue
        rate, year = document["exchange_rates"].pop(code), int(document["start"][:4])
        day = lambda: f"{year + rng.randint(0, 3)}-{rng.randint(1, 12):02}-{rng.randint(1, 28):02}"
        days = sorted({day() for _ in range(rng.randint(1, 6))})
        curve = {"kind": "index", "axis": "date", "interpolation": rng.choice(["linear", "step"]),
                 "points": [[day, float(f"{rate * rng.uniform(0.7, 1.4):.6g}")] for day in days]}
        document.setdefault("exchange_forwards", []).append({"currency": code, "rates": curve})
    return document


def with_bursts(document: dict, rng: random.Random) -> dict:
    """A quarter of the scenarios with inference burst within the hour, all that is asked in the bursts now and then."""
    if rng.random() < 0.25:
        for workload in document["workloads"]:
            if workload["kind"] == "inference" and rng.random() < 0.8:
                seconds, per_day = rng.choice([20, 60, 300, 900]), rng.choice([8, 24, 48])
                share = seconds * per_day / 86400
                factor = 1 / share if rng.random() < 0.1 else 1 + (min(1 / share, 30) - 1) * rng.random() ** 2
                workload["demand"]["burst"] = {"factor": float(f"{factor:.5g}"), "seconds": seconds, "per_day": per_day}
                if workload["demand"]["burst"]["factor"] * share > 1:
                    workload["demand"]["burst"]["factor"] = 1 / share
    return document


def with_shares(document: dict, rng: random.Random) -> dict:
    """A third of the workloads with several entries state their shares: any, all or nothing, some of rounded sums."""
    for workload in document["workloads"]:
        entries = workload["runs_on"]
        if len(entries) > 1 and "epochs" not in workload and rng.random() < 0.33:
            workload.pop("routing", None)
            parts = [rng.choice([0, 0.1, 1, 3 * rng.random()]) for _ in entries] if rng.random() < 0.8 else [1] * len(entries)
            parts[rng.randrange(len(parts))] += 0.2
            for entry, part in zip(entries, parts):
                entry["share"] = part / sum(parts)
    return document


def scenario(seed: int, index: int, without: Iterable[str] = ()) -> dict:
    document = Scenario(seed, index, without=without).document
    if "provisioned" not in without:
        document = with_provisioned(document, random.Random(f"provisioned {seed} {index}"))
    if "endpoints" not in without:
        document = with_endpoints(document, random.Random(f"endpoints {seed} {index}"))
    if "hour_bursts" not in without:
        document = with_bursts(document, random.Random(f"bursts {seed} {index}"))
    if "starts" not in without:
        document = with_starts(document, random.Random(f"starts {seed} {index}"))
        document = with_batch_starts(document, random.Random(f"batch starts {seed} {index}"))
    if "quarters" not in without:
        document = with_quarters(document, random.Random(f"quarters {seed} {index}"))
    if "shares" not in without:
        document = with_shares(document, random.Random(f"shares {seed} {index}"))
    if "pairs" not in without:
        document = with_pairs(document, random.Random(f"pairs {seed} {index}"))
    if "spend" not in without:
        document = with_spend(document, random.Random(f"spend {seed} {index}"))
    if "rented" not in without:
        document = with_rented(document, random.Random(f"rented {seed} {index}"))
    if "currencies" not in without:
        document = with_currencies(document, random.Random(f"currencies {seed} {index}"))
    if "forwards" not in without:
        document = with_forwards(document, random.Random(f"forwards {seed} {index}"))
    return document


def scenarios(count: int, seed: int, without: Iterable[str] = ()) -> Iterator[dict]:
    for index in range(count):
        yield scenario(seed, index, without)
