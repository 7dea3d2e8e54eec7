#!/usr/bin/env python3
"""How long /healthz takes beside batches of 8 MB and a recalculation, and how much memory the daemon takes. Needs no wrk.

usage: probe_bench.py COSTCURVE [--seconds N] [--batches N] [--slow | --unread]
One daemon. Each of the batches (40) is 8 MB of heavy scenarios; its client reads all of the answer, or with --slow 2 KiB in 5 s,
or with --unread nothing, and comes again after a 503. One probe at a time, on a connection of its own, in a process of its own.
"""
import argparse
import http.client
import json
import multiprocessing
import os
import selectors
import socket
import subprocess
import tempfile
import time


def heavy_scenario(pools, workloads, months):
    """Demand that grows, of many workloads among many pools."""
    return {
        "start": "2026-01", "months": months, "currency": "USD",
        "pools": [{"id": f"p{i}", "kind": "api", "price_per_million_units": 10 + i, "max_units_per_s": 5 + i}
                  for i in range(pools)],
        "workloads": [{"id": f"w{i}", "kind": "inference", "unit": "inference",
                       "demand": {"mean_per_s": 10 + i, "growth_per_month": 0.01},
                       "runs_on": [{"pool": f"p{k}"} for k in range(pools)]} for i in range(workloads)],
    }


def make_batch(size):
    scenario = heavy_scenario(16, 16, 240)
    one = json.dumps(scenario)
    return ('{"scenarios": [' + ",".join([one] * max(1, size // len(one))) + "]}").encode()


def probe(port, seconds, results):
    """Latencies of /healthz in ms, one after another with 1 ms between them."""
    found = []
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        start = time.perf_counter()
        connection.request("GET", "/healthz")
        answer = connection.getresponse()
        answer.read()
        found.append((time.perf_counter() - start) * 1000)
        assert answer.status == 200, answer.status
        time.sleep(0.001)
    results.put(found)


class Client:
    """One client of a batch: it sends, reads as its pace says, and begins again at the end."""

    def __init__(self, port, request, pace):
        self.port, self.request, self.pace = port, request, pace
        self.served = self.refused = 0
        self.connect()

    def connect(self):
        self.socket = socket.create_connection(("127.0.0.1", self.port))
        self.socket.setblocking(False)
        self.sent, self.begun, self.not_before = 0, False, 0.0

    def step(self, selector):
        now = time.monotonic()
        if self.sent < len(self.request):
            try:
                self.sent += self.socket.send(self.request[self.sent:self.sent + 65536])
            except BlockingIOError:
                return
            except OSError:
                self.sent = len(self.request)
            if self.sent == len(self.request):
                selector.modify(self.socket, selectors.EVENT_READ, self)
            return
        if now < self.not_before or (self.begun and self.pace == "unread"):
            return
        try:
            piece = self.socket.recv(2048 if self.pace == "slow" else 262144)
        except OSError:
            piece = b""
        if piece and not self.begun:
            self.begun = True
            self.served += piece.startswith(b"HTTP/1.1 200")
            self.refused += piece.startswith(b"HTTP/1.1 503")
        if self.pace == "slow":
            self.not_before = now + 5
        if not piece or piece.endswith(b"0\r\n\r\n"):
            selector.unregister(self.socket)
            self.socket.close()
            self.connect()
            selector.register(self.socket, selectors.EVENT_WRITE, self)


def load(port, size, count, pace, seconds, results):
    head = "POST /v1/evaluate/batch HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: "
    body = make_batch(size)
    request = memoryview((head + f"{len(body)}\r\n\r\n").encode() + body)
    selector = selectors.DefaultSelector()
    clients = [Client(port, request, pace) for _ in range(count)]
    for client in clients:
        selector.register(client.socket, selectors.EVENT_WRITE, client)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        ready = selector.select(0.1)
        for key, _ in ready:
            key.data.step(selector)
        if pace != "read":
            time.sleep(0.02)
    results.put((sum(client.served for client in clients), sum(client.refused for client in clients)))


def peak_mib(pid):
    with open(f"/proc/{pid}/status", encoding="utf-8") as file:
        return int(next(line for line in file if line.startswith("VmHWM")).split()[1]) / 1024


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("costcurve")
    parser.add_argument("--seconds", type=int, default=30)
    parser.add_argument("--batches", type=int, default=40)
    parser.add_argument("--slow", dest="pace", action="store_const", const="slow", default="read")
    parser.add_argument("--unread", dest="pace", action="store_const", const="unread")
    options = parser.parse_args()
    place = tempfile.TemporaryDirectory()
    server = subprocess.Popen([options.costcurve, "serve", "--port", "0", "--log-level", "off", "--database",
                               os.path.join(place.name, "costcurve.db")], stdout=subprocess.PIPE, text=True)
    try:
        port = int(server.stdout.readline().rsplit(":", 1)[1])
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)

        def ask(method, path, body):
            connection.request(method, path, json.dumps(body), {"Content-Type": "application/json"})
            answer = connection.getresponse()
            text = answer.read().decode()
            assert answer.status < 300, text[:1000]

        for i in range(50):
            ask("PUT", f"/v1/scenarios/heavy-{i}", heavy_scenario(16, 16, 240))
        results = multiprocessing.Queue()
        parts = [multiprocessing.Process(target=load,
                                         args=(port, 8 << 20, options.batches, options.pace, options.seconds + 3, results)),
                 multiprocessing.Process(target=probe, args=(port, options.seconds, results))]
        parts[0].start()
        time.sleep(2)
        ask("POST", "/v1/recalculations", {})
        parts[1].start()
        got = [results.get(), results.get()]
        for part in parts:
            part.join()
        latencies = sorted(next(one for one in got if isinstance(one, list)))
        served, refused = next(one for one in got if isinstance(one, tuple))

        def quantile(share):
            return latencies[min(len(latencies) - 1, int(share * len(latencies)))]

        print(f"{options.batches} batches of 8 MB, {options.pace}: /healthz {len(latencies)} answers, p50 {quantile(0.5):.2f} ms, "
              f"p99 {quantile(0.99):.2f} ms, p99.9 {quantile(0.999):.2f} ms, most {latencies[-1]:.2f} ms; batches begun {served}, "
              f"refused with 503 {refused}; peak {peak_mib(server.pid):.0f} MiB")
    finally:
        server.terminate()
        server.wait()
        place.cleanup()


if __name__ == "__main__":
    main()
