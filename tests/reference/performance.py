"""Section 4 of docs/model.md: goodput, and what one replica or gang does: its batch, rate and evidence. No hours or money."""
from __future__ import annotations

import math

from classes import CLASSES, DEVICE_WEIGHTS, classes_of, units_for_work
from curves import Curve, ceil_forgiving, floor_forgiving, rate_at, rate_of
from estimates import MAX_BATCH, Estimate
from placement import size_of, spans_hosts
from queueing import requests_of, share_under_load

OBJECTIVES = ("itl_s", "ttft_s", "e2e_s")  # of an slo, and the figures that must keep them
ESTIMATE_CEILINGS = {"mfu": 0.75, "mbu": 0.95, "alpha": 0.95, "beta": 0.75}  # shares that no device passes
EVIDENCE = ["measured", "interpolated", "extrapolated", "estimated", "assumed"]  # strongest first


def weakest(bases: list[str]) -> str:
    return max(bases, key=EVIDENCE.index)


def daly_interval(checkpoint: float, mean_time: float) -> float:
    """Section 4: Daly's higher-order optimum of the time between checkpoints, all in hours."""
    if checkpoint >= 2 * mean_time:
        return mean_time
    half = checkpoint / (2 * mean_time)
    return math.sqrt(2 * checkpoint * mean_time) * (1 + math.sqrt(half) / 3 + half / 9) - checkpoint


def training_goodput(rate: float, write: float, restart: float, interval: float | None) -> float:
    """Section 4: the part of its throughput that a gang keeps; `rate` is Λ per hour, the rest in hours."""
    if rate == 0:
        return 1.0 if interval is None else interval / (interval + write)
    if interval is None:
        if write == 0:
            return math.exp(-rate * restart)
        interval = daly_interval(write, 1 / rate)
    return interval / (math.exp(rate * restart) * math.expm1(rate * (interval + write)) / rate)


def limits_of(workload: dict) -> dict[str, float]:
    """The objectives of latency that are stated."""
    return {name: workload["slo"][name] for name in OBJECTIVES if name in workload.get("slo", {})}


def at_once(workload: dict) -> float:
    """How many requests of batch work run at a time, at most: those of a day, where they have a deadline, else of a month."""
    if workload.get("kind") != "batch":
        return math.inf
    requests = workload["requests_per_month"]
    month = max(y for _, y in requests["points"]) if isinstance(requests, dict) else requests
    return max(1, math.floor(month * 12 / 365.25 if "deadline_hours" in workload else month))


def units_out(workload: dict) -> float | None:
    units = classes_of(workload)
    return units.get("output", 0) + units.get("reasoning", 0) if units is not None else None


class Performance:
    """What one replica (inference) or gang (training, batch) does on a device; `per_host` devices stand in one host.
    It raises ValueError where no batch keeps the objectives and fits the memory: the entry is ineligible."""

    def __init__(self, doc: dict, workload: dict, device: dict, per_host: int):
        self.doc, self.workload = doc, workload
        self.devices, self.memory_gib = size_of(doc, device)
        self.spans = spans_hosts(self.devices, per_host)
        self.estimate = None
        if "estimate" in doc:
            self.estimate = Estimate(doc, workload, device, self.devices, self.memory_gib)
        self.measured, self.scaling = rate_of(doc.get("units_per_s")), rate_of(doc.get("scaling", 1))
        self.figures = {name: rate_of(doc[name]) for name in ("itl_s", "ttft_s") if name in doc}
        out = units_out(workload)
        self.has_later = out is None or out > 1
        self.limits = {name: limit for name, limit in limits_of(workload).items() if self.has_later or name != "itl_s"}
        self.bounds = dict(self.limits)  # and of batch work with a deadline no request takes longer
        if workload.get("kind") == "batch" and "deadline_hours" in workload:
            self.bounds["e2e_s"] = min(self.bounds.get("e2e_s", math.inf), workload["deadline_hours"] * 3600)
        # First tokens and whole requests go by how often requests come, where that is reckoned, not by how many are held.
        over_batch = isinstance(self.measured, Curve) and self.measured.axis == "batch"
        self.waits = ("prompt_token_s" in doc and workload.get("kind") == "inference" and over_batch
                      and workload.get("slo", {}).get("percentile", 95) != 0 and len(requests_of(workload)) == 1)
        self.read: list[tuple[Curve, float]] = []  # curves, and where they are read
        self.batch = self.choose_batch()
        self.units_per_s = self.rate()
        self.share = share_under_load(doc, workload, self.measured, self.figures.get("ttft_s"), self.batch)
        if self.share == 0:
            raise ValueError("ineligible: a request alone misses an objective")
        weights = DEVICE_WEIGHTS | (self.estimate.class_weights(self.batch) if self.estimate else {})
        # of all classes a second; Reading: the weights of decode_step take b/t, before scaling and the cap
        self.units_per_s *= units_for_work(classes_of(workload), doc.get("class_weights", {}), weights)

    # -- the batch

    @property
    def decodes(self) -> bool:
        return self.estimate is not None and self.estimate.decodes

    def figure(self, name: str, batch: float | None) -> float | None:
        """itl_s, ttft_s or e2e_s at a batch; None where it is not known. An answer of one token has nothing between tokens."""
        out = units_out(self.workload)
        if name == "e2e_s":
            first, between = self.figure("ttft_s", batch), self.figure("itl_s", batch) if self.has_later else 0
            return None if None in (first, between, out) else first + between * (out - 1)
        if name == "itl_s" and not self.has_later:
            return None
        if name in self.figures:
            return rate_at(self.figures[name], batch)
        return self.estimate.itl_s(batch) if name == "itl_s" and self.decodes else None

    def keeps(self, batch: float | None) -> bool:
        """Both objectives, as far as they can be told, and the memory of a decode estimate."""
        values = {name: self.figure(name, 1 if self.waits and name != "itl_s" else batch) for name in self.bounds}
        if any(value is not None and value > self.bounds[name] for name, value in values.items()):
            return False
        return not self.decodes or self.estimate.fits(batch)

    def over_batch(self) -> list[Curve]:
        """Curves over the batch in the order in which their ends bound it: throughput, itl_s, ttft_s."""
        rates = [self.measured, *(self.figures.get(name) for name in ("itl_s", "ttft_s"))]
        return [rate for rate in rates if isinstance(rate, Curve) and rate.axis == "batch"]

    def is_eligible(self) -> bool:
        """Whether a stated batch keeps the objectives and fits; a valid scenario has no entry that is not."""
        return self.keeps(self.batch)

    def choose_batch(self) -> float | None:
        """The stated batch, else the largest whole one that keeps the objectives; None where nothing goes by the batch."""
        curves, batch = self.over_batch(), self.doc.get("batch")
        known = [name for name in self.bounds if self.figure(name, 1) is not None]
        if batch is None and (self.decodes or curves and known):
            batch = self.largest_batch(curves)
        elif batch is None and isinstance(self.measured, Curve) and self.measured.axis == "batch":
            first = ceil_forgiving(self.measured.xs[0]) if self.measured.is_bounded else 1
            batch = max(first, min(self.measured.xs[-1], at_once(self.workload)))  # without an objective
        if "batch" not in self.doc:  # Reading: a latency curve is evidence where it chose the batch
            used = {name for objective in known for name in (("itl_s", "ttft_s") if objective == "e2e_s" else (objective,))}
            used -= set() if self.has_later else {"itl_s"}
            self.read += [(self.figures[name], batch) for name in sorted(used) if isinstance(self.figures.get(name), Curve)]
        return batch

    def largest_batch(self, curves: list[Curve]) -> int:
        """Up to the end of the first curve that goes by it; what is beyond is not known."""
        last = curves[0].xs[-1] if curves else MAX_BATCH
        last = min(MAX_BATCH, last) if self.decodes else last
        first = max([1, *(ceil_forgiving(curve.xs[0]) for curve in curves if curve.is_bounded)])
        for batch in range(max(first, floor_forgiving(min(last, at_once(self.workload)))), first - 1, -1):
            if self.keeps(batch):
                return batch
        raise ValueError("ineligible: no batch keeps the objectives and fits the memory")

    # -- the rate

    def rate(self) -> float:
        """units_per_s of the document, after scaling and the input cap, before ramp, classes and goodput."""
        if self.estimate:
            value = self.estimate.units_per_s(self.batch)
        else:
            over_batch = isinstance(self.measured, Curve) and self.measured.axis == "batch"
            value = self.at(self.measured, self.batch if over_batch else self.devices)
        value *= self.at(self.scaling, self.devices)  # Reading: scaling and the cap apply to an estimate too
        return min(value, self.doc.get("input_units_per_s", math.inf))

    def at(self, rate, x: float) -> float:
        if isinstance(rate, Curve):
            self.read.append((rate, x))
        return rate_at(rate, x)

    # -- the evidence

    def evidence(self) -> str:
        """The weakest of the stated basis, the curves read, and what is not known."""
        bases = [self.doc.get("basis", "measured"), *(curve.evidence_at(x) for curve, x in self.read)]
        bases += ["estimated"] * (self.estimate is not None) + ["assumed"] * self.assumes()
        return weakest(bases)

    def assumes(self) -> bool:
        """latency_unknown, percentile_differs, scaling_unknown, precision_differs, mix_unknown, mix_differs; above_ceiling of
        estimates (0.75 of the peak, 0.95 of the bandwidth).
        Reading: a devices curve beyond its last point is scaling_unknown in one host too; a replica that spans hosts counts
        as a gang that does."""
        unknown_latency = any(self.figure(name, 1) is None for name in self.limits)
        known_latency = any(self.figure(name, 1) is not None for name in self.limits)
        percentile = self.workload.get("slo", {}).get("percentile", 95)
        other_percentile = known_latency and percentile != 0 and self.doc.get("latency_percentile") != percentile
        unscaled = self.spans and self.estimate is not None and "scaling" not in self.doc
        beyond = any(curve.axis == "devices" and x > curve.xs[-1] for curve, x in self.read)
        stated = {of["precision"] for of in (self.doc, self.workload) if "precision" in of}
        above = any(self.doc.get("estimate", {}).get(name, 0) > share for name, share in ESTIMATE_CEILINGS.items())
        return (unknown_latency or other_percentile or unscaled or beyond or above or len(stated) == 2
                or self.is_of_no_such_request())

    def is_of_no_such_request(self) -> bool:
        """Measured with a request of tokens that is not within a quarter of the workload's, or with one that is not stated.
        Reading: cache writes are computed; a request has at least one token out. There is no store here by which the rate of
        another request could be told."""
        classes = classes_of(self.workload)
        if self.estimate or classes is None or self.workload.get("unit") != "token" or self.workload["kind"] == "training":
            return False
        of = {c: classes.get(c, 0) for c in CLASSES}
        request = (of["input"] + of["cache_write"] + of["cached_input"], max(1, of["output"] + of["reasoning"]), of["cached_input"])
        if "mix" not in self.doc:
            return request[0] > 0
        stated = tuple(self.doc["mix"].get(name, 0) for name in ("input", "output", "cached_input"))
        return any(max(pair) > 1.25 * min(pair) for pair in zip(request, stated))


def units_per_s_of(perf: dict, workload: dict, device: dict) -> tuple[float, str]:
    """units/s of one replica or gang, before goodput and ramp, and the evidence for it; no host bounds it."""
    performance = Performance(perf, workload, device, perf.get("devices", 1))
    return performance.units_per_s, performance.evidence()
