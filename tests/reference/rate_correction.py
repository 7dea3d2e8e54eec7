"""Rates corrected by measurements, a second time: from docs/model.md and docs/decisions/0051 and 0056, not from the C++.

usage: from rate_correction import corrected; corrected(question, tables)
       question has the keys of step_model.py, "at" (numbers of what is the same, and the year), "drawn_by" (a device's watts, as
       its document says them) and "measured": a list of the same with what was measured; tables has the step model's parameters
       and the intervals by evidence and kind of model.
"""
from __future__ import annotations

import math

from pools import Device
from step_model import step_rate

MEASURED, INTERPOLATED, EXTRAPOLATED, ESTIMATED, ASSUMED = range(5)
SCALES = {"input_tokens": 0.4, "output_tokens": 1.0, "concurrency": 1.0, "devices": 0.3}  # of the distance of logarithms
WATTS_SCALES = {**SCALES, "devices": 1.0}
LARGEST_LOAD = 128  # requests a device, of the rate that a power curve's shares are of
QUARTER, FOUR_TIMES = math.log(1.25), math.log(4)


def place(question):
    return {name: math.log(max(1.0, question[name]) if name == "input_tokens" else question[name]) for name in SCALES}


def nearness(question, measured, scales):
    """1 / (1 + d²)², times factors of whose it is and when."""
    here, there = place(question), place(measured)
    squared = sum(((here[name] - there[name]) / scale) ** 2 for name, scale in scales.items())
    found = (10 if measured["is_own"] else 1) / (1 + squared) ** 2
    a, b = question["at"], measured["at"]
    if a["year"] > 0 and b["year"] > 0:
        found *= 0.5 ** (abs(a["year"] - b["year"]) / 3)
    return found


def weight(question, measured):
    """A factor for each thing that differs besides."""
    found = nearness(question, measured, SCALES)
    a, b = question["at"], measured["at"]
    if a["device"] != b["device"]:
        found *= 0.25 if a["family"] == b["family"] else 0.0025
    found *= 1 if a["framework"] == b["framework"] else 0.1
    found *= 1 if question["precision"] == measured["precision"] else 0.05
    found *= 1 if question["is_plain"] == measured["is_plain"] else 0.27
    return found


def mean(residuals, most):
    """Mean of residuals (weight, residual, own, near, close), against a residual of 0 with weight 0.1. The nearness of the nearest
    own measurement is taken off the weights of all others. Own ones keep their weight in sum, shared by weight and closeness."""
    left = 1.0 - max((near for _, _, own, near, _ in residuals if own), default=0.0)
    owned = [(w, r, close) for w, r, own, _, close in residuals if own]
    all_own = sum(w for w, _, _ in owned)
    own_mean = sum(w * close * r for w, r, close in owned) / sum(w * close for w, _, close in owned) if owned else 0.0
    others = [(left * w, max(-most, min(most, r))) for w, r, own, _, _ in residuals if not own]
    return (all_own * own_mean + sum(w * r for w, r in others)) / (0.1 * left + all_own + sum(w for w, _ in others))


def closeness(question, measured, scales=None):
    """1 / (0.01 + d²); of another device or precision d² is 1 more."""
    here, there = place(question), place(measured)
    same = question["at"]["device"] == measured["at"]["device"] and question["precision"] == measured["precision"]
    squared = sum(((here[name] - there[name]) / scale) ** 2 for name, scale in (scales or SCALES).items())
    return 1 / (0.01 + (0 if same else 1) + squared)


def own_nearness(question, measured, scales=None):
    """Of an own measurement on the device and in the precision, of any framework and year."""
    here, there = place(question), place(measured)
    same = question["at"]["device"] == measured["at"]["device"] and question["precision"] == measured["precision"]
    squared = sum(((here[name] - there[name]) / scale) ** 2 for name, scale in (scales or SCALES).items())
    return 1 / (1 + squared) ** 2 if same else 0.0


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


def watts_by_power(question, device, parameters):
    """Section 7: each device at its share of the largest rate, by its curve or the default shape."""
    largest = step_rate({**question, "concurrency": LARGEST_LOAD * question["devices"]}, parameters)["output_per_s"]
    share = min(1.0, step_rate(question, parameters)["output_per_s"] / largest)
    return question["devices"] * device.serving(share)


def watts(question, parameters):
    """Those measured of the same architecture, device and precision within four times move them, software moves them not."""
    device = Device(question["drawn_by"])
    by_power = watts_by_power(question, device, parameters)
    alike = [one for one in question["measured"] if one["watts"] > 0 and one["precision"] == question["precision"] and
             all(one["at"][name] == question["at"][name] for name in ("architecture", "device"))]
    found = evidence(question, alike, alike)
    if found > EXTRAPOLATED:
        power = question["drawn_by"].get("power")
        return by_power, ESTIMATED if power and power["axis"] != "busy_time" else ASSUMED
    residuals = [(nearness(question, one, WATTS_SCALES), math.log(one["watts"] / watts_by_power(one, device, parameters)),
                  one["is_own"], own_nearness(question, one, WATTS_SCALES), closeness(question, one, WATTS_SCALES))
                 for one in alike]
    return by_power * math.exp(mean(residuals, 0.8)), found


def corrected(question, tables):
    predicted = step_rate(question, tables["parameters"])
    same = [one for one in question["measured"] if one["at"]["architecture"] == question["at"]["architecture"]]
    rates, firsts, betweens = [], [], []
    for one in same:
        there = step_rate(one, tables["parameters"])
        w, own, near = weight(question, one), one["is_own"], own_nearness(question, one)
        close = closeness(question, one)
        residual = math.log(one["output_per_s"] / there["output_per_s"])
        rates.append((w, residual, own, near, close))
        for name, list_of in (("ttft_s", firsts), ("itl_s", betweens)):
            if one[name] > 0 and there[name] > 0:
                list_of.append((w, math.log(one[name] / there[name]) + residual, own, near, close))
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
    drawn, drawn_by = watts(question, tables["parameters"])
    return {"output_per_s": rate, "ttft_s": first, "itl_s": between, "e2e_s": e2e, "low": rate * math.exp(low),
            "high": rate * min(math.exp(high), room / factor), "evidence": found, "watts": drawn, "watts_evidence": drawn_by}
