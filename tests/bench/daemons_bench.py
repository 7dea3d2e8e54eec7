#!/usr/bin/env python3
"""What several daemons on one PostgreSQL take: to hear of each other's changes, to share a recalculation, and to go on after the
server crashed. Prints a Markdown table. Kills under load, with what must hold after them, are tests/soak/daemons.py.

usage: daemons_bench.py COSTCURVE MODEL_BENCH [--scenarios 4000] [--rounds 3] [--only hearing|sharing|recovery]
One machine, which PostgreSQL and the bench share: each daemon of `sharing` has a core of its own, and so one thread for runs.
"""
import argparse
import contextlib
import http.server
import json
import os
import pathlib
import queue
import statistics
import subprocess
import sys
import tempfile
import threading
import time

TESTS = pathlib.Path(__file__).resolve().parents[1]
for folder in ("api", "support", "storage/postgres"):
    sys.path.insert(0, str(TESTS / folder))

import daemons_test  # noqa: E402
import postgres  # noqa: E402
from local_server import LocalServer  # noqa: E402
from recalculate_bench import Bench  # noqa: E402

SAMPLES = 300  # of hearing
TICKS = os.sysconf("SC_CLK_TCK")
PATIENCE_S = 120


def until(holds, pause_s=0.005):
    """What it gives at last, once it is true; seconds until then."""
    start = time.monotonic()
    while not (found := holds()):
        if time.monotonic() > start + PATIENCE_S:
            raise RuntimeError("it takes too long")
        time.sleep(pause_s)
    return found, time.monotonic() - start


class Lists(LocalServer):
    """Price lists that feeds fetch: /slow is answered at the end, any other path at once, and its moment noted."""

    def __init__(self):
        self.released = threading.Event()
        self.fetched = queue.Queue()
        lists = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                lists.fetched.put((self.path, time.monotonic()))
                if self.path == "/slow":
                    lists.released.wait()
                with contextlib.suppress(OSError):
                    self.send_error(404)

            def log_message(self, *_):
                pass

        super().__init__(Handler)

    def __exit__(self, *_):
        self.released.set()
        super().__exit__()

    def feed(self, path):
        return {"format": "skypilot", "provider": "lambda", "from": {"url": f"http://127.0.0.1:{self.port}{path}"}}


def hearing(cluster):
    """Seconds from the answer of a daemon, whose one thread for feeds is busy, to the fetch by the other."""
    url = cluster.url(cluster.make_database())
    option = "--allow-private-feeds"
    with Lists() as lists, daemons_test.Daemon(url, option) as left:
        def run(name):
            assert left.settled("POST", f"/v1/feeds/{name}/run")[0] == 202

        for name in ("slow", "quick"):
            assert left.settled("PUT", f"/v1/feeds/{name}", lists.feed(f"/{name}"))[0] == 201
        run("slow")
        assert lists.fetched.get(timeout=PATIENCE_S)[0] == "/slow"
        with daemons_test.Daemon(url, option) as right:
            waits = []
            for _ in range(SAMPLES):
                run("quick")
                answered = time.monotonic()
                waits.append(lists.fetched.get(timeout=PATIENCE_S)[1] - answered)
                until(lambda: right.ask("GET", "/v1/feeds/quick/runs?limit=1")[1]["items"][0]["state"] == "failed")
            lists.released.set()
    waits.sort()
    return [("change through one daemon to fetch by another: p50, p99, greatest of "
             f"{SAMPLES}", ", ".join(f"{1000 * waits[int(at * (SAMPLES - 1))]:.1f}" for at in (0.5, 0.99, 1)) + " ms",
             "50 ms at p99")]


def cpu_s(pid):
    """Of a process, and of those that it has waited for."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / TICKS


def server_cpu_s(cluster):
    pid = cluster.process.pid
    children = pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    return cpu_s(pid) + sum(cpu_s(child) for child in children)


def on_core(core, start):
    """A daemon that is started while this process may use one core alone: so has the daemon one thread for runs."""
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        return start()
    finally:
        os.sched_setaffinity(0, cores)


def sharing(cluster, costcurve, usual, count, rounds):
    """All scenarios anew, by one daemon and by two, in turn."""
    url = cluster.url(cluster.make_database())
    measured = {1: [], 2: []}
    with tempfile.TemporaryDirectory() as place:
        bench = Bench(costcurve, usual, (count,), place, url)
        for turn in range(2 * rounds):
            daemons = turn % 2 + 1
            bench.raise_price("site")
            cores = sorted(os.sched_getaffinity(0))
            with contextlib.ExitStack() as stack:
                running = [stack.enter_context(on_core(cores[i % len(cores)], lambda: daemons_test.Daemon(url)))
                           for i in range(daemons)]
                before = sum(cpu_s(daemon.process.pid) for daemon in running), server_cpu_s(cluster)
                run = running[0].ask("POST", "/v1/recalculations", {"scenarios": "all"})[1]["id"]
                state, seconds = until(lambda: (got := running[0].ask("GET", f"/v1/recalculations/{run}")[1])["state"] == "done" and
                                       got, 0.02)
                after = sum(cpu_s(daemon.process.pid) for daemon in running), server_cpu_s(cluster)
            assert state["evaluated"] == count and state["failed"] == 0, state
            measured[daemons].append((seconds, after[0] - before[0], after[1] - before[1]))
    rows = []
    medians = {}
    for daemons, runs in measured.items():
        medians[daemons] = [statistics.median(column) for column in zip(*runs)]
        seconds, cpu, server = medians[daemons]
        rows.append((f"{count} scenarios by {daemons} daemon{'s' if daemons > 1 else ''} of one thread, median of {rounds}",
                     f"{seconds:.2f} s; CPU a scenario {1000 * cpu / count:.2f} ms, of the server {1000 * server / count:.2f} ms",
                     ""))
    rows.append(("two daemons against one: rate", f"{medians[1][0] / medians[2][0]:.2f}", "1.5, or the next"))
    for column, name in ((1, "CPU a scenario"), (2, "CPU a scenario, of the server")):
        rows.append((f"two daemons against one: {name}", f"{medians[2][column] / medians[1][column]:.2f}",
                     "1.15" if column == 1 else ""))
    return rows


def recovery(cluster, rounds):
    """Seconds from when a server that crashed accepts connections to a write that is acknowledged."""
    url = cluster.url(cluster.make_database())
    waits = []
    with daemons_test.Daemon(url) as daemon:
        for value in range(rounds):
            assert daemons_test.put_device(daemon, "a", value)[0] in (200, 201)
            cluster.stop("immediate")
            assert daemon.ask("PUT", "/v1/devices/b", {"kind": "gpu", "tdp_w": 1})[0] == 503
            cluster.start()
            waits.append(until(lambda: daemon.ask("GET", "/readyz")[0] == 200 and
                               daemons_test.put_device(daemon, "a", 100 + value)[0] == 200)[1])
    return [(f"crash of the server: from when it accepts connections to a write, greatest of {rounds}", f"{max(waits):.2f} s",
             "5 s")]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("costcurve")
    parser.add_argument("model_bench")
    parser.add_argument("--scenarios", type=int, default=4000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", choices=("hearing", "sharing", "recovery"))
    arguments = parser.parse_args()
    postgres.needed()
    costcurve = daemons_test.BINARY = os.path.abspath(arguments.costcurve)
    usual = json.loads(
        subprocess.run([arguments.model_bench, "--print", "usual"], capture_output=True, text=True, check=True).stdout)
    rows = []
    with postgres.Cluster() as cluster:
        for name, measure in (("hearing", lambda: hearing(cluster)),
                              ("sharing", lambda: sharing(cluster, costcurve, usual, arguments.scenarios, arguments.rounds)),
                              ("recovery", lambda: recovery(cluster, 2 * arguments.rounds))):
            if arguments.only in (None, name):
                rows += measure()
    print("| what | measured | goal |\n| --- | --- | --- |")
    for row in rows:
        print("| " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()
