"""Section 4 of docs/model.md, "Bursts": when within an hour a demand is above its mean, and by how much."""
from __future__ import annotations


def share_of(demand: dict) -> float:
    """The part of each hour in which the demand bursts; 0 where it does not."""
    burst = demand.get("burst")
    return burst["seconds"] * burst["per_day"] / 86400 if burst and burst["factor"] > 1 else 0.0


def phases_of(workloads: list[dict]) -> list[float]:
    """Parts of an hour in which no demand changes. All bursts begin together."""
    ends = sorted({share_of(w["demand"]) for w in workloads if w["kind"] == "inference"} - {0.0}) + [1.0]
    return [end - begin for begin, end in zip([0.0] + ends, ends)]


def factors_of(demand: dict, phases: list[float]) -> list[float]:
    """The demand over the hour's mean in each phase."""
    share = share_of(demand)
    if share == 0.0:
        return [1.0] * len(phases)
    factor = demand["burst"]["factor"]
    calm = max(0.0, (1 - share * factor) / (1 - share))
    middles = [sum(phases[:k]) + phase / 2 for k, phase in enumerate(phases)]
    return [factor if middle < share else calm for middle in middles]
