#!/usr/bin/env python3
"""Requests a second of POST /v1/evaluate, against a bare httplib server that parses and dumps the same body. Needs wrk.

usage: throughput_bench.py COSTCURVE BARE_HTTPLIB SCENARIO.json... [--rounds N] [--seconds N] [--connections N]
Both serve in turn, round by round, to 32 kept-alive connections; printed are the medians of all rounds. The peer is tried
with 8 threads and with one a connection; the better one counts. All on one machine, so wrk takes its share of it. Where
others work on it too, more threads get more of it: the CPU time a request then says more than the rate.
"""
import argparse
import contextlib
import json
import os
import pathlib
import statistics
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent


def cpu_seconds(pid: int) -> float:
    """What the process has taken so far, all threads, user and system."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def serving(*command: str):
    """The address that the command prints first and its process, while it runs."""
    with tempfile.TemporaryDirectory() as place:  # where the daemon makes its database
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=place)
        try:
            yield "http://" + server.stdout.readline().strip().rpartition("http://")[2], server.pid
        finally:
            server.kill()
            server.wait()
            server.stdout.close()


def load(url: str, pid: int, body: pathlib.Path, connections: int, seconds: int) -> dict:
    before = cpu_seconds(pid)
    command = ["wrk", "-t", "1", "-c", str(connections), "-d", f"{seconds}s", "-s", str(HERE / "post.lua"), url]
    out = subprocess.run(command, capture_output=True, text=True, check=True, env=os.environ | {"BODY_FILE": str(body)})
    result = json.loads(out.stdout.strip().splitlines()[-1])
    result["per_second"] = result["requests"] / result["seconds"]
    result["cpu_us"] = 1e6 * (cpu_seconds(pid) - before) / max(result["requests"], 1)
    return result


def measure(peers: dict, body: pathlib.Path, options) -> dict:
    """The median of each figure over the rounds, by peer."""
    rounds = {name: [] for name in peers}
    for _ in range(options.rounds):
        for name, (command, path) in peers.items():
            with serving(*command) as (address, pid):
                rounds[name].append(load(address + path, pid, body, options.connections, options.seconds))
    return {name: {key: statistics.median(one[key] for one in results) for key in results[0]} for name, results in rounds.items()}


def report(scenario: str, size: int, results: dict) -> None:
    ours = results["costcurve"]
    bare_name, bare = max(((n, r) for n, r in results.items() if n != "costcurve"), key=lambda item: item[1]["per_second"])
    print(f"{scenario}: request {size} bytes, answer {ours['bytes'] / max(ours['requests'], 1):.0f} bytes")
    for name, result in results.items():
        print(f"  {name:12} {result['per_second']:8.0f}/s  p50 {result['p50_ms']:7.2f} ms  p99 {result['p99_ms']:7.2f} ms"
              f"  CPU {result['cpu_us']:6.0f} us  failed {result['failed']:.0f}")
    print(f"  ratio to {bare_name}: {ours['per_second'] / bare['per_second']:.2f} (goal 0.60), "
          f"by CPU time {bare['cpu_us'] / ours['cpu_us']:.2f}; p99 {ours['p99_ms']:.2f} ms (goal 10)")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("costcurve")
    parser.add_argument("bare_httplib")
    parser.add_argument("scenarios", nargs="+")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--connections", type=int, default=32)
    options = parser.parse_args()
    peers = {"costcurve": ((os.path.abspath(options.costcurve), "serve", "--port", "0", "--log-level", "off"), "/v1/evaluate")}
    for threads in sorted({8, options.connections}):
        peers[f"bare {threads}"] = ((os.path.abspath(options.bare_httplib), str(threads)), "/echo")
    for scenario in options.scenarios:
        text = '{"scenario": ' + pathlib.Path(scenario).read_text(encoding="utf-8") + "}"
        with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="utf-8") as body:
            body.write(text)
            body.flush()
            report(scenario, len(text.encode()), measure(peers, pathlib.Path(body.name), options))


if __name__ == "__main__":
    main()
