"""Clients that send one request after another through nginx while daemons are killed and replaced, and keep what they were
answered. No tests here."""

import collections
import http.client
import itertools
import json
import threading
import time

PATIENCE_S = 60
ALWAYS = "always"  # a device that readers read
REPEATED = (409, 502, 503, 504)  # of a write that was cut off: its key is held until the lease of the killed daemon ends

# Times are those of time.monotonic(); the status is the error's name where there was no answer.
Failure = collections.namedtuple("Failure", "method status begun ended")


class Client(threading.Thread):
    """Sends one request after another through nginx, each on a connection of its own, as nginx closes kept ones where it is
    reloaded. `failures` are those that had no answer of the kind that is wanted."""

    def __init__(self, proxy, name):
        super().__init__(name=name, daemon=True)
        self.proxy = proxy
        self.done = {}  # what the answer was, by the request's name
        self.failures = []
        self.repeated = 0
        self.unanswered = 0  # writes that were done by a daemon that was killed before it had kept the answer
        self.error = None
        self.stopping = threading.Event()

    def run(self):
        try:
            for i in itertools.count(1):
                if self.stopping.is_set():
                    return
                self.step(f"{self.name}-{i}")
        except Exception as error:  # pylint: disable=broad-exception-caught
            self.error = error

    def send(self, method, target, body=None, **headers):
        """Status and decoded body; the status is the error's name where there is no answer."""
        connection, begun = None, time.monotonic()
        try:
            connection = self.proxy.connect()
            data = None if body is None else json.dumps(body)
            connection.request(method, target, data, {**({"Content-Type": "application/json"} if data else {}), **headers})
            answer = connection.getresponse()
            text = answer.read()
            status, answer = answer.status, json.loads(text) if "json" in (answer.headers["Content-Type"] or "") else None
        except (OSError, http.client.HTTPException) as error:
            status, answer = repr(error), None
        finally:
            if connection:
                connection.close()
        if not isinstance(status, int) or status >= 300:
            self.failures.append(Failure(method, status, begun, time.monotonic()))
        return status, answer

    def write(self, name, *request, **headers):
        """Until it is acknowledged."""
        end = time.monotonic() + PATIENCE_S
        while True:
            status, answer = self.send(*request, **headers)
            if isinstance(status, int) and status < 300:
                self.done[name] = answer
                return
            if status == 409 and "was done (change @" in answer["detail"]:
                self.unanswered += 1
                return
            if status not in REPEATED or time.monotonic() > end:
                raise AssertionError(f"{request}: {status} {answer}")
            self.repeated += 1
            self.stopping.wait(0.1)


class Reader(Client):
    target = f"/v1/devices/{ALWAYS}"

    def step(self, name):
        status, answer = self.send("GET", self.target)
        if status == 200:
            self.done[name] = answer
        else:
            self.stopping.wait(0.02)


class Putter(Client):
    """Stores documents, each under an id of its own."""

    def step(self, name):
        self.write(name, "PUT", f"/v1/devices/{name}", {"kind": "gpu", "tdp_w": 100, "note": name})


class Poster(Client):
    """Begins runs, each under a key of its own."""

    def step(self, name):
        self.write(name, *self.request(), **{"Idempotency-Key": name})

    @staticmethod
    def request():
        return "POST", "/v1/recalculations", {"scenarios": "changed"}


class Asker(Client):
    """Evaluates: a POST that nginx does not send to another daemon either."""

    def step(self, name):
        scenario = {"name": "s", "start": "2026-01", "months": 12, "pools": [
            {"id": "p", "kind": "cloud", "max_instances": 9, "offer": {"provider": "p", "device": {"kind": "gpu", "tdp_w": 500},
             "devices": 1, "purchase": "on_demand", "hourly_price": 3}}],
            "workloads": [{"id": "w", "kind": "inference", "demand": {"mean_per_s": 1},
                           "runs_on": [{"pool": "p", "performance": {"units_per_s": 1}}]}]}
        self.write(name, "POST", "/v1/evaluate", {"scenario": scenario})
