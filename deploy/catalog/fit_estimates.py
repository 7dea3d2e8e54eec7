#!/usr/bin/env python3
"""Fits the factors of the decode_step estimate to the catalogue's measured rates, and writes what they are and how well they do.

usage: fit_estimates.py [--check]
It reads performances.json, devices.json, models.json and curves.json of the catalogue and
sources/measured_prompts.csv, and writes model/performance/decode_factors_table.hpp, docs/estimates.md and docs/estimates.svg.
--check writes nothing and fails where these are not what the catalogue makes. Standard library only.
"""
import pathlib
import sys

import estimate_fit
import estimate_points
import estimate_report

ROOT = pathlib.Path(__file__).resolve().parents[2]


def compute():
    """Fits, misses of the fitted points, misses of rates of prompts, and what is left out."""
    points, left_out = estimate_points.load_points()
    fits = estimate_fit.Fits([point for point in points if not point.is_mostly_prompts])
    misses = [fits.miss(point) for point in points]
    return (fits.all(), [miss for miss in misses if not miss.point.is_mostly_prompts],
            [miss for miss in misses if miss.point.is_mostly_prompts], left_out)


def texts(fits, misses, prompt_misses, left_out):
    return {
        "model/performance/decode_factors_table.hpp": estimate_report.cpp_table(fits),
        "docs/estimates.md": estimate_report.markdown(fits, misses, prompt_misses, left_out),
        "docs/estimates.svg": estimate_report.plot(misses, prompt_misses),
    }


def main():
    made = texts(*compute())
    if "--check" not in sys.argv[1:]:
        for name, text in made.items():
            (ROOT / name).write_text(text, encoding="utf-8")
        return
    differs = [name for name, text in made.items()
               if not (ROOT / name).exists() or (ROOT / name).read_text(encoding="utf-8") != text]
    if differs:
        sys.exit(f"fit_estimates.py: not what the catalogue makes: {', '.join(differs)}; run deploy/catalog/fit_estimates.py")


if __name__ == "__main__":
    main()
