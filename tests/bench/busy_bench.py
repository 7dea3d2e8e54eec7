#!/usr/bin/env python3
"""How long POST /v1/evaluate takes while two simulations run, and without them. Needs wrk.

usage: busy_bench.py COSTCURVE SIMULATE_BENCH [SECONDS]
One daemon, four connections, the 10 KB scenario of the benches. One run, one machine.
"""
import http.client
import json
import os
import subprocess
import sys
import tempfile
import threading
import time


def request(port, path, body, timeout):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=timeout)
    connection.request("POST", path, body, {"Content-Type": "application/json"})
    answer = connection.getresponse()
    return answer.status, answer.read()


def load(port, body_file, seconds):
    """What wrk measures over some seconds."""
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), "post.lua")
    command = ["wrk", "-t1", "-c4", f"-d{seconds}s", "--latency", "-s", script, f"http://127.0.0.1:{port}/v1/evaluate"]
    out = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, "BODY_FILE": body_file})
    return json.loads(next(line for line in out.stdout.splitlines() if line.startswith("{")))


def main():
    costcurve, bench = sys.argv[1:3]
    seconds = int(sys.argv[3]) if len(sys.argv) > 3 else 10
    scenario = subprocess.run([bench, "--print", "usual"], capture_output=True, text=True, check=True).stdout
    place = tempfile.TemporaryDirectory()
    body_file = os.path.join(place.name, "body.json")
    with open(body_file, "w", encoding="utf-8") as file:
        file.write('{"scenario": ' + scenario + "}")
    simulation = json.dumps({"scenarios": [json.loads(scenario)], "samples": 1_000_000, "deadline_s": seconds + 5, "inputs": [
        {"pointer": "/pools/0/server/price", "distribution": {"kind": "uniform", "low": 0.8, "high": 1.2, "relative": True}}]})
    server = subprocess.Popen([costcurve, "serve", "--port", "0", "--log-level", "off", "--database", place.name + "/costcurve.db"],
                              stdout=subprocess.PIPE, text=True)
    try:
        port = int(server.stdout.readline().rsplit(":", 1)[1])
        load(port, body_file, 1)
        for count in (0, 1, 2):
            threads = [threading.Thread(target=request, args=(port, "/v1/simulate", simulation, seconds + 60))
                       for _ in range(count)]
            for thread in threads:
                thread.start()
            time.sleep(0.5)
            got = load(port, body_file, seconds)
            print(f"{count} simulations beside it: {got['requests'] / got['seconds']:.0f} requests/s, p50 {got['p50_ms']:.2f} ms, "
                  f"p99 {got['p99_ms']:.2f} ms, failed {got['failed']}")
            for thread in threads:
                thread.join()
    finally:
        server.terminate()
        server.wait()
        place.cleanup()


if __name__ == "__main__":
    main()
