"""Rates corrected by measurements, a second time: from docs/model.md and docs/decisions/0051 and 0056, not from the C++.

usage: from rate_correction import corrected; corrected(question, tables)
       question has the keys of step_model.py, "at" (numbers of what is the same, and the year) and "measured": a list of the same
       with what was measured; tables has the step model's parameters and the intervals by evidence and kind of model.
"""
from __future__ import annotations

import math

from step_model import step_rate

MEASURED, INTERPOLATED, EXTRAPOLATED, ESTIMATED, ASSUMED = range(5)
SCALES = {"input_tokens": 0.4, "output_tokens": 1.0, "concurrency": 1.0, "devices": 0.3}  # of the distance of logarithms
QUARTER, FOUR_TIMES = math.log(1.25), math.log(4)


def place(question):
    return {name: math.log(max(1.0, question[name]) if name == "input_tokens" else question[name]) for name in SCALES}


def weight(question, measured):
    """1 / (1 + d²)², times a factor for each thing that differs."""
    here, there = place(question), place(measured)
    squared = sum(((here[name] - there[name]) / scale) ** 2 for name, scale in SCALES.items())
    found = 1 / (1 + squared) ** 2
    a, b = question["at"], measured["at"]
    if a["device"] != b["device"]:
        found *= 0.25 if a["family"] == b["family"] else 0.0025
    found *= 1 if a["framework"] == b["framework"] else 0.1
    found *= 1 if question["precision"] == measured["precision"] else 0.05
    found *= 1 if question["is_plain"] == measured["is_plain"] else 0.27
    found *= 10 if measured["is_own"] else 1
    if a["year"] > 0 and b["year"] > 0:
        found *= 0.5 ** (abs(a["year"] - b["year"]) / 3)
    return found


def mean(residuals, most):
    """Of (weight, residual, own); none has the weight 0.1."""
    cut = [(w, r if own else max(-most, min(most, r))) for w, r, own in residuals]
    return sum(w * r for w, r in cut) / (0.1 + sum(w for w, _ in cut))


def evidence(question, same, all_measured):
    here = place(question)
    alike = [place(one) for one in same if one["at"]["device"] == question["at"]["device"] and not one["is_guessed"] and
             one["precision"] == question["precision"] and one["devices"] == question["devices"]]
    names = [name for name in SCALES if name != "devices"]
    apart = [max(abs(here[name] - there[name]) for name in names) for there in alike]
    if any(one <= QUARTER for one in apart):
        return MEASURED
    if alike and all(min(there[name] for there in alike) - QUARTER <= here[name] <= max(there[name] for there in alike) + QUARTER
                     for name in names):
        return INTERPOLATED
    if any(one <= FOUR_TIMES for one in apart):
        return EXTRAPOLATED
    return ESTIMATED if any(one["at"]["family"] == question["at"]["family"] for one in all_measured) else ASSUMED


def corrected(question, tables):
    predicted = step_rate(question, tables["parameters"])
    same = [one for one in question["measured"] if one["at"]["architecture"] == question["at"]["architecture"]]
    rates, firsts, betweens = [], [], []
    for one in same:
        there = step_rate(one, tables["parameters"])
        w, own = weight(question, one), one["is_own"]
        residual = math.log(one["output_per_s"] / there["output_per_s"])
        rates.append((w, residual, own))
        for name, list_of in (("ttft_s", firsts), ("itl_s", betweens)):
            if one[name] > 0 and there[name] > 0:
                list_of.append((w, math.log(one[name] / there[name]) + residual, own))
    room = min(0.95 / predicted["bandwidth_share"], 0.75 / predicted["peak_share"])
    factor = min(math.exp(mean(rates, 0.8)), room)
    step = predicted["running"] / predicted["output_per_s"]
    first = predicted["ttft_s"] / factor * math.exp(mean(firsts, 1.6))
    between = 0.0
    if predicted["itl_s"] > 0:
        between = max(predicted["itl_s"] / factor * math.exp(mean(betweens, 0.8)), step * predicted["bandwidth_share"] / 0.95)
    e2e = max(predicted["e2e_s"] / factor, first + between * (max(1.0, question["output_tokens"]) - 1))
    found = evidence(question, same, question["measured"])
    low, high = tables["intervals"][found][1 if question["experts"] > 0 else 0]
    rate = predicted["output_per_s"] * factor
    return {"output_per_s": rate, "ttft_s": first, "itl_s": between, "e2e_s": e2e, "low": rate * math.exp(low),
            "high": rate * min(math.exp(high), room / factor), "evidence": found}
