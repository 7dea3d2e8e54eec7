#!/usr/bin/env python3
"""PUTs a second over HTTP, by 1, 8 and 32 writers, plain and with If-None-Match, in one run. Needs wrk.

usage: put_bench.py COSTCURVE [--rounds 5] [--seconds 2] [--postgres]
--postgres: on a server of its own, with its flushes, by its socket.
All on one machine, so wrk takes its share of it. Each PUT stores a new device; printed are the medians of the rounds, and the
ratios that are promised: 8 writers to one at least 3 (SQLite) or 5 (PostgreSQL), plain to conditional at least 0.9.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / folder) for folder in ("api", "support")]

import postgres  # noqa: E402
from daemon import Daemon  # noqa: E402

WRITERS = (1, 8, 32)


def puts_per_second(daemon, prefix, writers, seconds, condition):
    names = {"ID_PREFIX": prefix} | ({"IF_NONE_MATCH": condition} if condition else {})
    command = ["wrk", "-t", "1", "-c", str(writers), "-d", f"{seconds}s", "-s", str(HERE / "put.lua"),
               f"http://127.0.0.1:{daemon.port}/"]
    out = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ | names)
    result = json.loads(out.stdout.strip().splitlines()[-1])
    if result["failed"]:
        raise RuntimeError(f"{result['failed']} of {result['requests']} failed")
    return result["requests"] / result["seconds"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("costcurve")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=2)
    parser.add_argument("--postgres", action="store_true")
    options = parser.parse_args()
    if options.postgres:  # daemon.py reads the server's address when it is imported
        with postgres.Cluster() as cluster:
            command = [sys.executable, *(argument for argument in sys.argv if argument != "--postgres")]
            return subprocess.run(command, env=os.environ | {postgres.SERVER: cluster.url()}, check=False).returncode
    rates = {(writers, condition): [] for writers in WRITERS for condition in ("", "*")}
    with tempfile.TemporaryDirectory() as place, Daemon(os.path.abspath(options.costcurve), pathlib.Path(place)) as daemon:
        for number in range(options.rounds):
            for (writers, condition), found in rates.items():
                prefix = f"{number}-{writers}-{'new' if condition else 'plain'}"
                found.append(puts_per_second(daemon, prefix, writers, options.seconds, condition))
    medians = {key: statistics.median(found) for key, found in rates.items()}
    print("| writers | plain, PUT/s | If-None-Match: *, PUT/s | plain / conditional | plain / 1 writer |")
    print("| --- | --- | --- | --- | --- |")
    for writers in WRITERS:
        plain, conditional = medians[writers, ""], medians[writers, "*"]
        print(f"| {writers} | {plain:,.0f} | {conditional:,.0f} | {plain / conditional:.2f} | {plain / medians[1, '']:.2f} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
