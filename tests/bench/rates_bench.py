#!/usr/bin/env python3
"""What rates cost: one of them, an import of measured points, the store of a first start, a ranking. Standard library only.

usage: rates_bench.py COSTCURVE ROOT
Prints CPU seconds of the daemon or command, which other work on the machine stretches little, and wall seconds; the least of RUNS.
"""
import csv
import io
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(sys.argv[2]).resolve()
sys.path.insert(0, str(ROOT / "tests" / "api"))
from daemon import Daemon  # noqa: E402

RUNS = 5
LOADS = 1000
POINTS = 5000
CHAT = {"id": "chat", "kind": "inference", "unit": "token", "model": "llama-3.1-70b", "peak_utilization": 0.8,
        "units_per_request": {"input": 500, "output": 300}, "demand": {"mean_per_s": 40}}


def cpu_s(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def least(work, pid):
    """CPU and wall seconds of the run with the least CPU."""
    times = []
    for _ in range(RUNS):
        before, start = cpu_s(pid), time.perf_counter()
        work()
        times.append((cpu_s(pid) - before, time.perf_counter() - start))
    return min(times)


def store(costcurve, folder, name, left_out=()):
    """CPU and wall seconds of storing the catalogue, and the bytes of the store."""
    files = [str(path) for path in sorted((ROOT / "deploy/catalog").glob("*.json")) if path.name not in left_out]
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run([costcurve, "import", "json", *files, "--database", str(folder / name)], check=True, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.perf_counter() - start,
            (folder / name).stat().st_size)


def points():
    """The catalogue's measured rates, each with another rate until there are enough."""
    with open(ROOT / "deploy/catalog/sources/measured_rates.csv", encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file) if row["kind"] == "serving" and not row["doubt"]]
    out = io.StringIO()
    writer = csv.DictWriter(out, rows[0].keys(), lineterminator="\n")
    writer.writeheader()
    for i in range(POINTS):
        row = rows[i % len(rows)]
        writer.writerow({**row, "out_tok_s": float(row["out_tok_s"]) * 0.9 ** (1 + i // len(rows)), "source": "bench"})
    return out.getvalue().encode()


def answered(answer, status=200):
    assert answer[0] == status, answer
    return answer[2]


def main():
    costcurve = os.path.abspath(sys.argv[1])
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        cpu, wall, size = store(costcurve, folder, "store.db")
        print(f"store of a first start: {cpu:.2f} s CPU, {wall:.2f} s, {size / 1e6:.1f} MB (goals 3 s)")
        _, _, without = store(costcurve, folder, "without.db", ("measurements.json",))
        print(f"measurements in it: {(size - without) / 1e6:.1f} MB (goal 20)")
        with Daemon(costcurve, folder) as daemon:
            pid = daemon.process.pid

            def rates(count):
                body = {"model": "llama-3.1-70b", "device": "nvidia.h100-sxm5-80gb", "devices": 4, "input": 1000, "output": 300,
                        "concurrencies": [1 + i / 4 for i in range(count)]}
                return lambda: [answered(daemon.ask("POST", "/v1/rates", body)) for _ in range(10)]

            few, many = least(rates(1), pid)[0], least(rates(LOADS), pid)[0]
            print(f"a rate: {1e6 * (many - few) / 10 / (LOADS - 1):.1f} us CPU, its line of the answer with it (goal 50)")
            rank = {"start": "2026-12", "months": 36, "workloads": [CHAT]}
            answer = answered(daemon.ask("POST", "/v1/rank", rank))
            cpu, wall = least(lambda: answered(daemon.ask("POST", "/v1/rank", rank)), pid)
            print(f"rank, {answer['considered']} ways, {answer['evaluated']} evaluated: {cpu:.2f} s CPU, {wall:.2f} s (goal 0.5)")
            data = points()
            before, start = cpu_s(pid), time.perf_counter()
            summary = answered(daemon.ask("POST", "/v1/imports?format=measured_rates&source=bench", data,
                                          {"Content-Type": "application/octet-stream"}))
            cpu, wall = cpu_s(pid) - before, time.perf_counter() - start
            print(f"import of {POINTS} points, {len(data) / 1e6:.1f} MB: {cpu:.2f} s CPU, {wall:.2f} s (goal 2)")
            print(json.dumps(summary["documents"]))


main()
