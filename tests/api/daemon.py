"""The real daemon on a port of its own, and requests to it. No tests here."""

import http.client
import json
import re
import signal
import subprocess

from command_line_case import PATIENCE_S, database_of, environment


class Daemon:
    """`costcurve serve` with these options; use with `with`."""

    def __init__(self, costcurve, directory, *options, log_level="off", address=r"http://127\.0\.0\.1:(\d+)"):
        command = [costcurve, "serve", "--port", "0", "--database", database_of(directory), *options]
        command += ["--log-level", log_level] if log_level else []
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment(), cwd=directory)
        self.logged = []  # before it listened
        while not (found := re.fullmatch(f"costcurve listens on {address}\n", line := self.process.stdout.readline())):
            self.logged.append(line)
            if not line:
                self.close()
                raise AssertionError(f"it ended without its address, and said {self.logged}")
        self.port = int(found.group(1))

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=PATIENCE_S)

    def ask(self, method, target, body=None, headers=None):
        """Status, headers and decoded JSON (None where there is no body) of one request on a connection of its own."""
        connection = self.connect()
        try:
            return ask(connection, method, target, body, headers)
        finally:
            connection.close()

    def metric(self, name):
        connection = self.connect()
        connection.request("GET", "/metrics")
        text = connection.getresponse().read().decode()
        connection.close()
        return float(next(line for line in text.splitlines() if line.startswith(f"{name} ")).split()[1])

    def kill(self):
        self.process.send_signal(signal.SIGKILL)

    def close(self):
        if self.process.poll() is None:
            self.process.terminate()
        status = self.process.wait(timeout=PATIENCE_S)
        self.process.stdout.close()
        return status

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def ask(connection, method, target, body=None, headers=None):
    fields = dict(headers or {})
    data = None
    if body is not None:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        fields.setdefault("Content-Type", "application/json")
    connection.request(method, target, data, fields)
    answer = connection.getresponse()
    text = answer.read()
    return answer.status, answer.headers, json.loads(text) if text else None
