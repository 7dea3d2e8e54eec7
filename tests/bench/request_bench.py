#!/usr/bin/env python3
"""What a request costs over the model, and how the second evaluator compares. Standard library only.

usage: request_bench.py COSTCURVE MODEL_BENCH
Starts `costcurve serve`, posts one scenario (its size is printed) over one kept-alive connection, and prints medians. Then
evaluates the same scenario with the Python evaluator and prints how many times longer it takes. One run, one machine.
"""
import http.client
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "reference"))
from evaluate import evaluate  # noqa: E402


def bench_us(model_bench: str, name: str) -> float:
    """The benchmark's median time in microseconds, of 9 repetitions."""
    command = [model_bench, f"--benchmark_filter=^{name}$", "--benchmark_format=json", "--benchmark_repetitions=9",
               "--benchmark_min_time=0.1", "--benchmark_report_aggregates_only=true"]
    out = subprocess.run(command, capture_output=True, text=True, check=True)
    runs = json.loads(out.stdout)["benchmarks"]
    return next(run["real_time"] for run in runs if run["aggregate_name"] == "median")


def request_us(costcurve: str, scenario: str, count: int = 2000) -> tuple[float, float]:
    """Median and 99th percentile of POST /v1/evaluate, client included; and the time from start to ready, printed."""
    started = time.perf_counter()
    place = tempfile.TemporaryDirectory()  # where the daemon makes its database
    server = subprocess.Popen([costcurve, "serve", "--port", "0", "--log-level", "off", "--database", place.name + "/costcurve.db"],
                              stdout=subprocess.PIPE, text=True)
    port = int(server.stdout.readline().rsplit(":", 1)[1])
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("GET", "/healthz")
    connection.getresponse().read()
    print(f"start to first answer: {1e3 * (time.perf_counter() - started):.1f} ms")
    body = '{"scenario": ' + scenario + "}"
    times = []
    for _ in range(count):
        begin = time.perf_counter()
        connection.request("POST", "/v1/evaluate", body, {"Content-Type": "application/json"})
        answer = connection.getresponse()
        text = answer.read()
        times.append(1e6 * (time.perf_counter() - begin))
        assert answer.status == 200, text[:300]
    server.terminate()
    server.wait()
    place.cleanup()
    print(f"request {len(body)} bytes, answer {len(text)} bytes")
    return statistics.median(times), statistics.quantiles(times, n=100)[98]


def main() -> None:
    costcurve, model_bench = sys.argv[1:3]
    scenario = subprocess.run([model_bench, "--print", "usual"], capture_output=True, text=True, check=True).stdout
    assert 9_500 < len(scenario) < 10_500, f"not a 10 KB scenario: {len(scenario)} bytes"
    median, p99 = request_us(costcurve, scenario)
    model = bench_us(model_bench, "usual/compile\\+evaluate")
    print(f"model alone {model:.0f} us; POST /v1/evaluate median {median:.0f} us, p99 {p99:.0f} us: "
          f"{median - model:.0f} us over the model at the median (goal: below 500)")
    weekly = subprocess.run([model_bench, "--print", "week"], capture_output=True, text=True, check=True).stdout
    week = bench_us(model_bench, "week/compile\\+evaluate")
    begin = time.perf_counter()
    evaluate(json.loads(weekly))
    python = 1e6 * (time.perf_counter() - begin)
    print(f"week: model {week:.0f} us, Python evaluator {python / 1e6:.2f} s: {python / week:.0f} times")


if __name__ == "__main__":
    main()
