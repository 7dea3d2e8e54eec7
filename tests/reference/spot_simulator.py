"""Runs of training on traces of spot instances, step by step: what a policy costs and how long it takes, from every start.

Independent of section 4 of docs/model.md, which tests/reference/test_spot.py holds against it: an instance is there or not, by the
trace; a run that is interrupted loses what it did since its last checkpoint and restarts. spot_traces.json has lengths of runs in
steps, absent first, of zones of skypilot-org/spot-traces (availability/1-node/aws-02-15-2023 at 221da1a, which states no licence).
"""
from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Policy:
    """Zones in the order in which they are tried. Where none is there: waits, or runs on demand at once; from `fall_back_h` on
    demand alone."""
    zones: list[str]
    fall_back_h: float = float("inf")
    on_demand_meanwhile: bool = False


@dataclass
class Work:
    hours: float
    write_h: float
    restart_h: float
    interval_h: float


@dataclass
class Outcome:
    spot_h: float = 0.0
    on_demand_h: float = 0.0
    end_h: float = 0.0


@dataclass
class Progress:
    """Of a run: what checkpoints hold, and what was done since the last."""
    work: Work
    kept_h: float = 0.0
    since_h: float = 0.0
    busy_h: float = 0.0  # of a restart or a write still to go
    started: bool = field(default=False)

    def begin(self) -> None:
        """On another instance."""
        self.busy_h = self.work.restart_h if self.started else 0.0
        self.started, self.since_h = True, 0.0

    def go_on(self, hours: float, writes: bool) -> float:
        """Runs for up to so many hours; gives those that it took, fewer where the work is done."""
        left = hours
        while left > 1e-12:
            if self.busy_h > 0:
                spent = min(left, self.busy_h)
                self.busy_h -= spent
                left -= spent
                continue
            to_end = self.work.hours - self.kept_h - self.since_h
            if to_end <= 1e-12:
                break
            to_write = self.work.interval_h - self.since_h if writes else float("inf")
            spent = min(left, to_end, to_write)
            self.since_h += spent
            left -= spent
            if spent == to_write and spent < to_end:
                self.kept_h, self.since_h, self.busy_h = self.kept_h + self.since_h, 0.0, self.work.write_h
        return hours - left

    @property
    def done(self) -> bool:
        return self.kept_h + self.since_h >= self.work.hours - 1e-12


def load() -> tuple[float, dict[str, list[bool]]]:
    """Hours of a step, and whether an instance is there at each, by zone."""
    stored = json.loads(Path(__file__).with_name("spot_traces.json").read_text(encoding="utf-8"))
    zones = {zone: [bool(i % 2) for i, run in enumerate(runs) for _ in range(run)] for zone, runs in stored["zones"].items()}
    return stored["step_s"] / 3600, zones


def figures(trace: list[bool], step_h: float) -> dict[str, float]:
    """What an offer would state of the trace."""
    lost = sum(a and not b for a, b in zip(trace, trace[1:]))
    return {"availability_fraction": sum(trace) / len(trace), "interruptions_per_hour": lost / (sum(trace) * step_h)}


def simulate(policy: Policy, work: Work, traces: dict[str, list[bool]], step_h: float, start: int) -> Outcome:
    """A run that begins at a step; behind the end of a trace it begins again."""
    progress, outcome, at, step = Progress(work), Outcome(), None, start
    length = len(traces[policy.zones[0]])
    while not progress.done:
        now = (step - start) * step_h
        if now >= policy.fall_back_h:
            there = "on demand"
        elif at in policy.zones and traces[at][step % length]:
            there = at  # stays where it is
        else:
            there = next((zone for zone in policy.zones if traces[zone][step % length]), None)
            there = there or ("on demand" if policy.on_demand_meanwhile else None)
        if there != at:
            if at == "on demand" or (at and traces[at][step % length]):  # nothing takes what was done: it is written before
                progress.kept_h += progress.since_h
            if there:
                progress.begin()
            else:
                progress.since_h = 0.0
        at = there
        if at:
            took = progress.go_on(step_h, writes=at != "on demand")
            outcome.end_h = now + took
            outcome.on_demand_h += took if at == "on demand" else 0.0
            outcome.spot_h += 0.0 if at == "on demand" else took
        step += 1
    return outcome


def mean_outcome(policy: Policy, work: Work, traces: dict[str, list[bool]], step_h: float, starts: int) -> Outcome:
    """Over starts that are spread evenly over the trace."""
    length = len(traces[policy.zones[0]])
    runs = [simulate(policy, work, traces, step_h, i * length // starts) for i in range(starts)]
    return Outcome(*(sum(getattr(run, name) for run in runs) / starts for name in ("spot_h", "on_demand_h", "end_h")))
