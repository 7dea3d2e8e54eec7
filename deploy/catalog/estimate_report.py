"""What fit_estimates.py writes: the table of factors in C++, docs/estimates.md, and its plot. Standard library only."""
import collections
import csv
import math
import string

from estimate_fit import CURVE_POINTS, GOAL, HOLD, HOLD_PCIE, START, percentile, share_within
from estimate_points import CATALOG, MAX_BATCH_A_DEVICE, PCIE_DEVICES, predict

COLORS = {"NVIDIA": "#3f8f00", "AMD": "#d9382e", "Google": "#2f7de1", "Intel": "#b36b00"}


def reasons():
    """{(device, model): why its points are missed}; a group off by more than a factor of two needs one."""
    with open(CATALOG / "sources" / "estimate_misses.csv", encoding="utf-8", newline="") as file:
        return {(row["device"], row["model"]): row["why"] for row in csv.DictReader(file)}


def name_of(scope):
    return {"all": "all devices", "pcie": "PCIe", "start": "defaults"}.get(scope[0]) or scope[1]


def fitted_to(fit):
    groups = "models" if fit.scope[0] == "device" else "models x devices"
    return f"{name_of(fit.scope)}: {fit.points} points, {fit.groups} {groups}"


def published(fit):
    """alpha, beta, gamma, low and high as they are written."""
    alpha, beta, gamma = fit.factors
    return tuple(f"{value:.3g}" for value in (alpha, beta, gamma, percentile(fit.ratios, 0.05), percentile(fit.ratios, 0.95)))


def cpp_number(text):
    return text if "." in text or "e" in text else text + ".0"


def cpp_table(fits):
    rows = []
    for fit in fits:
        kind = {"device": "DecodeFit::device", "maker": "DecodeFit::vendor"}.get(fit.scope[0], f"DecodeFit::{fit.scope[0]}")
        key = fit.scope[1] if len(fit.scope) > 1 else ""
        numbers = ", ".join(cpp_number(text) for text in published(fit))
        rows.append(f'    {{{kind}, "{key}",\n     {{{numbers}, "{fitted_to(fit)}"}}}},')
    cards = "".join(f'    "{device}",\n' for device in sorted(PCIE_DEVICES))
    return f"""// The fits of decode_step to the catalogue's measured rates; deploy/catalog/fit_estimates.py writes this file.
#pragma once

#include "model/performance/decode_factors.hpp"

namespace costcurve::model {{

/// A fit, and which devices it is for: one device, a vendor's, replicas of several PCIe cards, or any.
struct DecodeFit {{
    enum Scope {{ device, vendor, pcie, all }};
    Scope scope;
    std::string_view of; ///< id of the device, or the vendor
    DecodeFactors factors;
}};

/// The particular before the general; the last is for all devices.
// clang-format off
inline constexpr DecodeFit kDecodeFits[] = {{
{chr(10).join(rows)}
}};
// clang-format on

/// Cards without a fast link to all others of their host.
inline constexpr std::string_view kPcieDevices[] = {{
{cards}}};

}} // namespace costcurve::model
"""


def shares(misses):
    """[name, points, groups, share within the goal, 5th, 50th, 95th percentile] of the points left out."""
    kinds = [("all", lambda point: True), ("GPUs", lambda point: point.kind == "gpu"), ("TPUs", lambda point: point.kind == "tpu")]
    kinds += [(vendor, lambda point, vendor=vendor: point.vendor == vendor)
              for vendor in sorted({miss.point.vendor for miss in misses})]
    kinds += [("dense models", lambda point: not point.mixture), ("mixtures of experts", lambda point: point.mixture)]
    rows = []
    for name, holds in kinds:
        of_kind = [miss for miss in misses if holds(miss.point)]
        if of_kind:
            ratios = sorted(miss.ratio for miss in of_kind)
            rows.append((name, len(ratios), len({miss.point.group for miss in of_kind}), share_within(ratios),
                         *(percentile(ratios, share) for share in (0.05, 0.5, 0.95))))
    return rows


def share_table(misses):
    lines = ["| points | number | models x devices | within 0.8 to 1.3 | 5th | median | 95th |",
             "| --- | --- | --- | --- | --- | --- | --- |"]
    lines += [f"| {name} | {points} | {groups} | {100 * share:.0f} % | {low:.2f} | {median:.2f} | {high:.2f} |"
              for name, points, groups, share, low, median, high in shares(misses)]
    return "\n".join(lines)


def fit_table(fits):
    lines = ["| fit | points | models x devices | α | β | γ, µs | 5th | median | 95th |",
             "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"]
    for fit in fits:
        alpha, beta, gamma, low, high = (float(text) for text in published(fit))
        lines.append(f"| `{name_of(fit.scope)}` | {fit.points} | {fit.groups} | {alpha:g} | {beta:g} | {gamma * 1e6:.4g} "
                     f"| {low:.2f} | {percentile(fit.ratios, 0.5):.2f} | {high:.2f} |")
    return "\n".join(lines)


def group_table(misses):
    """Every model on a device, the farthest first: nothing is dropped."""
    groups, why = collections.defaultdict(list), reasons()
    for miss in misses:
        groups[miss.point.group].append(miss)
    distance = {group: max(abs(math.log(miss.ratio)) for miss in of_group) for group, of_group in groups.items()}
    lines = ["| device | model | points | fit | predicted / measured | why |", "| --- | --- | --- | --- | --- | --- |"]
    for group in sorted(groups, key=lambda one: (-round(distance[one], 6), one)):
        ratios = sorted(miss.ratio for miss in groups[group])
        is_within = GOAL[0] <= ratios[0] and ratios[-1] <= GOAL[1]
        if group not in why and not 0.5 <= ratios[0] <= ratios[-1] <= 2:
            raise SystemExit(f"estimate_report.py: {group} is off by more than two; say why in estimate_misses.csv")
        span = f"{ratios[0]:.2f}" if len(ratios) == 1 else f"{ratios[0]:.2f} to {ratios[-1]:.2f}"
        scope, reason = name_of(groups[group][0].scope), "" if is_within else why.get(group, "")
        lines.append(f"| `{group[0]}` | `{group[1]}` | {len(ratios)} | {scope} | {span} | {reason} |")
    return "\n".join(lines)


def percent(ratios):
    return f"{100 * share_within(ratios):.0f}"


def span_of(misses, model):
    """The least and the greatest predicted / measured of a model, in words."""
    ratios = [miss.ratio for miss in misses if miss.point.model == model]
    return f"{min(ratios):.1f} to {max(ratios):.1f}"


def markdown(fits, misses, prompt_misses, left_out):
    everything = misses + prompt_misses
    pcie = next(fit for fit in fits if fit.scope == ("pcie",))
    tpus = [miss.point for miss in misses if miss.point.kind == "tpu"]
    figures = {
        "share": percent([miss.ratio for miss in misses]),
        "share_of_defaults": percent([predict(miss.point, START) / miss.point.measured for miss in misses]),
        "share_of_every": percent([miss.ratio for miss in everything]),
        "every_point": len(everything),
        "alpha": f"{START[0]:g}", "beta": f"{START[1]:g}", "gamma": f"{START[2] * 1e6:g}",
        "tpu_points": len(tpus), "tpu_groups": len({point.group for point in tpus}),
        "pcie_points": pcie.points, "pcie_groups": pcie.groups,
        "curve_points": CURVE_POINTS, "max_batch": MAX_BATCH_A_DEVICE, "hold": f"{HOLD:g}", "hold_of_pcie": f"{HOLD_PCIE:g}",
        "deepseek": span_of(misses, "deepseek-r1"), "mixtral": span_of(misses, "mixtral-8x7b"),
        "fits": fit_table(fits), "shares": share_table(misses), "shares_of_prompts": share_table(prompt_misses),
        "left_out": "\n".join(f"| `{name}` | {reason} |" for name, reason in left_out), "groups": group_table(everything),
    }
    return string.Template((CATALOG / "estimates.md.in").read_text(encoding="utf-8")).substitute(figures)


def plot(misses, prompt_misses):
    """Predicted against measured, both logarithmic: filled circles are fitted (left out), hollow ones are rates of prompts."""
    left, top, size = 84, 20, 440
    rates = [rate for miss in misses + prompt_misses for rate in (miss.point.measured, miss.point.measured * miss.ratio)]
    low, high = math.floor(2 * math.log10(min(rates))) / 2, math.ceil(2 * math.log10(max(rates))) / 2
    scale = size / (high - low)

    def x(rate):
        return left + (math.log10(rate) - low) * scale

    def y(rate):
        return top + size - (math.log10(rate) - low) * scale

    def line(ratio, style):
        start, end = 10**low * max(1, 1 / ratio), 10**high * min(1, 1 / ratio)
        return f'<path d="M{x(start):.1f} {y(start * ratio):.1f}L{x(end):.1f} {y(end * ratio):.1f}" stroke="#555" {style}/>'

    parts = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 670 510" font-family="sans-serif" font-size="13">',
             "<title>Rates of decoding, predicted with the model on the device left out of the fit, against measured</title>",
             '<rect width="670" height="510" fill="#fff"/>']
    for power in range(math.ceil(low), math.floor(high) + 1):
        at = (power - low) * scale
        parts.append(f'<path d="M{left + at:.1f} {top}V{top + size}M{left} {top + size - at:.1f}H{left + size}" stroke="#ddd"/>')
        parts.append(f'<text x="{left + at:.1f}" y="{top + size + 18}" text-anchor="middle">{10**power:,}</text>')
        parts.append(f'<text x="{left - 6}" y="{top + size - at + 4:.1f}" text-anchor="end">{10**power:,}</text>')
    parts += [line(1, 'stroke-width="1.5"'), line(GOAL[0], 'stroke-dasharray="5 4"'), line(GOAL[1], 'stroke-dasharray="5 4"')]
    for misses_of, is_filled in ((prompt_misses, False), (misses, True)):
        for miss in misses_of:
            color = COLORS[miss.point.vendor]
            style = f'fill="{color}" fill-opacity=".6"' if is_filled else f'fill="none" stroke="{color}"'
            rate = miss.point.measured
            parts.append(f'<circle cx="{x(rate):.1f}" cy="{y(rate * miss.ratio):.1f}" r="3.5" {style}/>')
    for index, (vendor, color) in enumerate(COLORS.items()):
        y_of = 36 + 22 * index
        parts.append(f'<circle cx="543" cy="{y_of}" r="5" fill="{color}"/><text x="554" y="{y_of + 4}">{vendor}</text>')
    parts += ['<circle cx="543" cy="134" r="4" fill="none" stroke="#555"/><text x="554" y="138">mostly prompts</text>',
              '<path d="M534 156H550" stroke="#555" stroke-dasharray="5 4"/><text x="554" y="160">0.8 and 1.3</text>',
              f'<text x="{left + size / 2:g}" y="{top + size + 38}" text-anchor="middle">measured, units/s</text>',
              f'<text transform="translate(14 {top + size / 2:g}) rotate(-90)" text-anchor="middle">predicted, units/s</text>',
              "</svg>"]
    return "\n".join(parts) + "\n"
