"""Time of `costcurve rank`, without and with samples, over the shipped catalogue and over 30,000 offers more, and as a ratio to
reading the same documents alone (`export`), the least of five runs each, in one run. usage: rank_bench.py COSTCURVE ROOT
"""
import json
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

RUNS = 5
WORKLOAD = {"id": "chat", "kind": "inference", "unit": "token", "model": "llama-3.1-70b", "peak_utilization": 0.8,
            "units_per_request": {"input": 500, "output": 300},
            "demand": {"mean_per_s": 40, "growth_per_month": 0.03, "shape": "demand.office-hours"}}
REQUEST = {"start": "2026-12", "months": 36, "finance": {"discount_rate": 0.08}, "workloads": [WORKLOAD]}


def offers(root, count):
    """On demand and spot, of devices that the catalogue has, 40 providers, 97 regions."""
    draw = random.Random(1)
    devices = json.loads((root / "deploy/catalog/devices.json").read_text(encoding="utf-8"))
    ids = [device["id"] for device in devices if device["kind"] in ("gpu", "tpu") and "bf16" in device.get("peak_flops", {})]
    for i in range(count):
        spot = {"purchase": "spot", "interruptions_per_hour": 0.02} if draw.random() < 0.5 else {"purchase": "on_demand"}
        yield {"id": f"p{i % 40}.{i}", "provider": f"p{i % 40}", "region": f"r{i % 97}", "sku": f"s{i}", "device": draw.choice(ids),
               "devices": draw.choice([1, 2, 4, 8]), "hourly_price": round(draw.uniform(1, 90), 3), "currency": "USD", **spot}


def least_s(command, **options):
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        done = subprocess.run(command, capture_output=True, text=True, check=True, **options)
        times.append(time.perf_counter() - start)
    return min(times), done.stdout


def main():
    costcurve, root = sys.argv[1], pathlib.Path(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        place = pathlib.Path(folder)
        (place / "request.json").write_text(json.dumps(REQUEST), encoding="utf-8")
        (place / "more.json").write_text(json.dumps({"offers": list(offers(root, 30000))}), encoding="utf-8")
        catalogue = sorted(str(path) for path in (root / "deploy/catalog").glob("*.json"))
        for name, files in (("shipped", catalogue), ("30,000 more", [*catalogue, str(place / "more.json")])):
            database = str(place / f"{len(files)}.db")
            subprocess.run([costcurve, "import", "json", *files, "--database", database], check=True, capture_output=True)
            reading, _ = least_s([costcurve, "export", "--database", database])
            ranking, text = least_s([costcurve, "rank", str(place / "request.json"), "--database", database])
            counts = re.search(r"(\d+) ways considered, (\d+) whole scenarios evaluated", text)
            print(f"{name:12} {counts[1]:>6} ways, {counts[2]:>5} evaluated: {ranking:.3f} s, {ranking / reading:.2f} of reading")
            sampled, text = least_s([costcurve, "rank", str(place / "request.json"), "--samples", "200", "--database", database])
            counts = re.search(r"of (\d+) plans in the running(?s:.*) (\d+) whole scenarios evaluated", text)
            print(f"{'':12} 200 samples of {counts[1]} plans, {counts[2]} evaluated: {sampled:.3f} s")


main()
