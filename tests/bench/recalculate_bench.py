#!/usr/bin/env python3
"""How long recalculations take, by how many scenarios a change reaches; their memory; and evaluations beside one.

usage: recalculate_bench.py COSTCURVE MODEL_BENCH [--most N] [--csv FILE] [--svg FILE]
Scenarios are the 36 months of the other benches with hourly curves, each with a demand of its own, of stored offers, server, site
and curves. The verb is timed as cron would run it, from start to exit; the daemon answers wrk meanwhile. One run, one machine.
"""
import argparse
import contextlib
import copy
import http.client
import json
import math
import os
import pathlib
import statistics
import subprocess
import tempfile
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
AT_ONCE = 2000  # documents of an imported file


def documents(usual, groups):
    """What all scenarios share, and the scenarios: `groups` are sizes; those of a group have an offer of their own."""
    shared = {"curves": [], "devices": [], "servers": [], "sites": [], "offers": []}
    usual = copy.deepcopy(usual)

    def store(kind, name, document):
        shared[kind].append({**document, "id": name})
        return name

    for workload in usual["workloads"]:
        workload["demand"]["shape"] = store("curves", f"demand-{workload['id']}", workload["demand"]["shape"])
    owned, *cloud = usual["pools"]
    device = store("devices", "device", owned["server"]["device"])
    owned["server"] = store("servers", "server", {**owned["server"], "device": device})
    owned["site"] = store("sites", "site", owned["site"])
    for pool in cloud:
        pool["offer"] = store("offers", pool["id"], {**pool["offer"], "device": device})
    scenarios = []
    for size in groups:
        offer = store("offers", f"of-{size}", {**next(o for o in shared["offers"] if o["id"] == "on-demand")})
        for i in range(size):
            scenario = copy.deepcopy(usual)
            scenario["id"] = f"s-{size}-{i}"
            scenario["workloads"][0]["demand"]["mean_per_s"] = 5 + 10 * (len(scenarios) + 1) / sum(groups)
            scenario["pools"][-1]["offer"] = offer
            scenarios.append(scenario)
    return shared, scenarios


def peak_mb(pid):
    """The greatest resident memory of a process that runs; 0 once it has ended."""
    try:
        status = pathlib.Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    except OSError:
        return 0
    return next((int(line.split()[1]) / 1024 for line in status.splitlines() if line.startswith("VmHWM")), 0)


class PeakMemory(threading.Thread):
    """What `peak_mb` says at last of a process that this one has started. Its rusage won't do: from before its exec that counts
    the memory of its parent, this process, which holds all scenarios."""

    def __init__(self, pid):
        super().__init__()
        self.pid, self.mb, self.ended = pid, 0, threading.Event()
        self.start()

    def run(self):
        while not self.ended.wait(0.01):
            self.mb = max(self.mb, peak_mb(self.pid))

    def stop(self):
        self.ended.set()
        self.join()
        return self.mb


class Bench:
    def __init__(self, costcurve, usual, groups, place, database=None):
        self.costcurve, self.place = costcurve, pathlib.Path(place)
        self.database = database or str(self.place / "costcurve.db")
        shared, scenarios = documents(usual, groups)
        self.shared = {document["id"]: (kind, document) for kind, rows in shared.items() for document in rows}
        start = time.monotonic()
        self.put(shared)
        for first in range(0, len(scenarios), AT_ONCE):
            self.put({"scenarios": scenarios[first:first + AT_ONCE]})
        print(f"{len(scenarios)} scenarios stored in {time.monotonic() - start:.1f} s", flush=True)

    def put(self, content):
        path = self.place / "documents.json"
        path.write_text(json.dumps(content), encoding="utf-8")
        subprocess.run([self.costcurve, "import", "json", "--database", self.database, path], check=True, capture_output=True)

    def raise_price(self, name):
        """Of an offer, or of the energy of a site: another revision of what is stored."""
        kind, document = self.shared[name]
        field = "hourly_price" if kind == "offers" else "carbon_g_per_kwh"
        document[field] = round(document[field] * 1.01, 6)
        self.put({kind: [document]})

    def recalculate(self):
        """Seconds of the process, its CPU seconds, what it evaluated, and its greatest memory in MB."""
        start = time.monotonic()
        process = subprocess.Popen([self.costcurve, "recalculate", "--changed", "--json", "--database", self.database],
                                   stdout=subprocess.PIPE)
        memory = PeakMemory(process.pid)
        said = process.stdout.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.monotonic() - start
        peak = memory.stop()
        if process.returncode != 0:
            raise RuntimeError(said)
        return seconds, usage.ru_utime + usage.ru_stime, json.loads(said)["evaluated"], peak

    @contextlib.contextmanager
    def daemon(self):
        process = subprocess.Popen([self.costcurve, "serve", "--port", "0", "--log-level", "off", "--database", self.database],
                                   stdout=subprocess.PIPE, text=True)
        try:
            yield int(process.stdout.readline().rsplit(":", 1)[1]), process.pid
        finally:
            process.terminate()
            process.wait()


def ask(port, method, path, body=None):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    connection.request(method, path, None if body is None else json.dumps(body), {"Content-Type": "application/json"})
    return json.loads(connection.getresponse().read())


def load(port, body_file, seconds, connections):
    command = ["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", str(HERE / "post.lua"),
               f"http://127.0.0.1:{port}/v1/evaluate"]
    out = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, "BODY_FILE": body_file})
    return json.loads(next(line for line in out.stdout.splitlines() if line.startswith("{")))


def await_end(port, run):
    while (state := ask(port, "GET", f"/v1/recalculations/{run}"))["state"] != "done":
        time.sleep(0.1)
    return state


def goals(costcurve, usual):
    """The goals at 10,000 scenarios, and evaluations beside a run."""
    with tempfile.TemporaryDirectory() as place:
        bench = Bench(costcurve, usual, (50, 9950), place)
        seconds, cpu, evaluated, memory = bench.recalculate()
        print(f"all of 10,000: {seconds:.2f} s, CPU {cpu:.2f} s, {evaluated} evaluated, {memory:.0f} MB", flush=True)
        for _ in range(3):
            bench.raise_price("of-50")
            seconds, cpu, evaluated, _ = bench.recalculate()
            print(f"one offer's price, {evaluated} of 10,000: {seconds:.3f} s, CPU {cpu:.3f} s", flush=True)
        for _ in range(3):
            seconds, cpu, evaluated, _ = bench.recalculate()
            print(f"nothing changed, {evaluated} of 10,000: {seconds:.3f} s, CPU {cpu:.3f} s", flush=True)
        body_file = str(bench.place / "body.json")
        pathlib.Path(body_file).write_text(json.dumps({"scenario": usual}), encoding="utf-8")
        with bench.daemon() as (port, _):
            for connections in (1, 4):
                load(port, body_file, 1, connections)
                alone = load(port, body_file, 5, connections)
                bench.raise_price("site")
                run = ask(port, "POST", "/v1/recalculations", {})["id"]
                time.sleep(0.5)
                beside = load(port, body_file, 5, connections)
                still = ask(port, "GET", f"/v1/recalculations/{run}")["state"]
                await_end(port, run)
                for name, got in (("alone", alone), (f"beside a run ({still} at its end)", beside)):
                    print(f"evaluate, {connections} connections, {name}: {got['requests'] / got['seconds']:.0f} requests/s, "
                          f"p50 {got['p50_ms']:.2f} ms, p99 {got['p99_ms']:.2f} ms, failed {got['failed']}", flush=True)


def points(costcurve, usual, most):
    """(scenarios changed, seconds, CPU seconds, MB) for 1, 10, … `most`, all stored and recalculated before."""
    sizes = [10 ** i for i in range(int(math.log10(most)))]
    with tempfile.TemporaryDirectory() as place:
        bench = Bench(costcurve, usual, (*sizes, most - sum(sizes)), place)
        bench.recalculate()
        measured = []
        for size in (*sizes, most):
            runs = []
            for _ in range(3 if size <= 1000 else 1):
                bench.raise_price(f"of-{size}" if size < most else "site")
                seconds, cpu, evaluated, memory = bench.recalculate()
                assert evaluated == size, (evaluated, size)
                runs.append((seconds, cpu, memory))
            walls, cpus, memories = zip(*runs)
            measured.append((size, statistics.median(walls), statistics.median(cpus), max(memories)))
            print("{} changed of {}: {:.3f} s, CPU {:.3f} s, at most {:.0f} MB".format(size, most, *measured[-1][1:]), flush=True)
        bench.raise_price("site")
        with bench.daemon() as (port, pid):
            await_end(port, ask(port, "POST", "/v1/recalculations", {})["id"])
            print(f"the daemon, {most} changed of {most}: at most {peak_mb(pid):.0f} MB", flush=True)
        return measured


def svg(measured):
    """CPU seconds by scenarios changed, both logarithmic: a line of slope one is what grows in proportion."""
    measured = [(count, cpu) for count, _, cpu, _ in measured]
    width, height, left, bottom = 640, 400, 70, 50
    low_x, high_x = 0, math.ceil(math.log10(measured[-1][0]))
    low_y = math.floor(math.log10(min(seconds for _, seconds in measured)))
    high_y = math.ceil(math.log10(max(seconds for _, seconds in measured)))

    def x(count):
        return left + (math.log10(count) - low_x) / (high_x - low_x) * (width - left - 30)

    def y(seconds):
        return height - bottom - (math.log10(seconds) - low_y) / (high_y - low_y) * (height - bottom - 30)

    def text(at_x, at_y, words, anchor="middle"):
        return f'<text x="{at_x:.0f}" y="{at_y:.0f}" text-anchor="{anchor}">{words}</text>'

    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="13">',
             "<title>CPU seconds of a recalculation by how many scenarios changed</title>",
             f'<rect width="{width}" height="{height}" fill="#fff"/>']
    for power in range(low_x, high_x + 1):
        at = x(10 ** power)
        lines += [f'<path d="M{at:.0f} 30V{height - bottom}" stroke="#ddd"/>', text(at, height - bottom + 20, f"{10 ** power:,}")]
    for power in range(low_y, high_y + 1):
        at = y(10 ** power)
        lines += [f'<path d="M{left} {at:.0f}H{width - 30}" stroke="#ddd"/>', text(left - 8, at + 4, f"{10.0 ** power:g} s", "end")]
    count, seconds = measured[-1]
    least = max(1, count * 10 ** low_y / seconds)
    lines.append(f'<path d="M{x(least):.0f} {y(least * seconds / count):.0f}L{x(count):.0f} {y(seconds):.0f}" stroke="#999" '
                 'stroke-dasharray="5 4"/>')
    for count, seconds in measured:
        lines += [f'<circle cx="{x(count):.1f}" cy="{y(seconds):.1f}" r="5" fill="#06c"/>',
                  text(x(count), y(seconds) - 12, f"{seconds:.2f}" if seconds < 10 else f"{seconds:.0f}")]
    caption = f"CPU seconds by scenarios changed, of {measured[-1][0]:,} stored (dashed: in proportion)"
    lines += [text((left + width) / 2, height - 10, caption), "</svg>"]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("costcurve")
    parser.add_argument("model_bench")
    parser.add_argument("--most", type=int, default=100_000, help="a power of ten; 0 measures no points")
    parser.add_argument("--csv", type=pathlib.Path)
    parser.add_argument("--svg", type=pathlib.Path)
    arguments = parser.parse_args()
    costcurve = os.path.abspath(arguments.costcurve)
    printed = subprocess.run([arguments.model_bench, "--print", "usual"], capture_output=True, text=True, check=True).stdout
    usual = json.loads(printed)
    goals(costcurve, usual)
    if arguments.most == 0:
        return
    measured = points(costcurve, usual, arguments.most)
    if arguments.csv:
        rows = [f"{count},{seconds:.4f},{cpu:.4f},{memory:.1f}" for count, seconds, cpu, memory in measured]
        arguments.csv.write_text("\n".join(["changed,seconds,cpu_seconds,peak_mb", *rows]) + "\n", encoding="utf-8")
    if arguments.svg:
        arguments.svg.write_text(svg(measured), encoding="utf-8")


if __name__ == "__main__":
    main()
