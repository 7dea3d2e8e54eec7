"""The daemon under test and the world it lives in: it is started, killed, its clock set and its disk filled. No checks here."""

import contextlib
import gzip
import http.client
import json
import os
import pathlib
import re
import signal
import struct
import subprocess
import threading
import time

PATIENCE_S = 60
SHIM = pathlib.Path(__file__).with_name("clock.c")
DISK_MB = 1024


class Gone(Exception):
    """The connection broke: whether the request was carried out is unknown."""


class Disk:
    """A place of limited size where this process may mount one, which then ends with it; else the directory as it is."""

    def __init__(self, directory):
        self.directory = directory
        self.ballast = directory / "ballast"
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m", "soak", str(directory)], capture_output=True,
                                 check=False) if os.environ.get("SOAK_OWN_MOUNTS") else None
        self.is_limited = mounted is not None and mounted.returncode == 0

    def fill(self):
        with contextlib.suppress(OSError), open(self.ballast, "wb", buffering=0) as file:
            while True:
                file.write(bytes(1 << 20))
        with contextlib.suppress(OSError), open(self.ballast, "ab", buffering=0) as file:
            while True:
                file.write(bytes(512))

    def free(self):
        self.ballast.unlink(missing_ok=True)


class World:
    """`port` changes with each start; `epoch` counts them. One thread starts and kills; any thread asks."""

    def __init__(self, costcurve, directory, stats, options):
        self.costcurve = costcurve
        self.directory = directory
        self.stats = stats
        self.options = options
        self.disk = Disk(directory)
        self.database = directory / "store.db"
        self.log = open(directory.parent / "daemon.log", "ab")
        self.serving = threading.Event()
        self.stopping = threading.Event()
        self.port = 0
        self.epoch = 0
        self.process = None
        self.clock_file = directory.parent / "clock"
        self.clock_s = 0
        self.is_full = False  # its disk
        self.clock_file.write_bytes(struct.pack("=q", 0))
        self.shim = directory.parent / "clock.so"
        subprocess.run(["cc", "-O1", "-shared", "-fPIC", "-o", str(self.shim), str(SHIM)], check=True)
        self.threads = threading.local()

    # ---- the daemon ----

    def environment(self):
        kept = {name: value for name, value in os.environ.items() if not name.startswith("COSTCURVE_")}
        return {**kept, "LD_PRELOAD": str(self.shim), "SOAK_CLOCK": str(self.clock_file)}

    def start(self, *more):
        command = [self.costcurve, "serve", "--port", "0", "--database", str(self.database), "--log-level", "warn",
                   *self.options, *more]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.log, text=True, env=self.environment(),
                                        cwd=self.directory)
        first = self.process.stdout.readline()
        found = re.search(r"listens on http://127\.0\.0\.1:(\d+)$", first.rstrip("\n"))
        if not found:
            raise AssertionError(f"the daemon does not start: {first!r}; see {self.log.name}")
        threading.Thread(target=self.drain, args=(self.process.stdout,), daemon=True).start()
        self.port = int(found.group(1))
        self.epoch += 1
        self.serving.set()

    def drain(self, stream):
        for line in stream:
            self.log.write(line.encode())
        stream.close()

    def end(self, how=signal.SIGKILL):
        """Its exit status; it must still run."""
        self.serving.clear()
        if self.process.poll() is not None:
            self.stats.fail("crashes", f"the daemon ended by itself: {self.process.returncode}")
        self.note_memory()
        self.process.send_signal(how)
        try:
            return self.process.wait(timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            self.stats.fail("hangs", f"the daemon does not end within {PATIENCE_S} s of signal {how}")
            self.process.kill()
            return self.process.wait()

    def verb(self, *arguments):
        return subprocess.run([self.costcurve, *arguments], capture_output=True, text=True, env=self.environment(), check=False,
                              timeout=600, cwd=self.directory)

    def note_memory(self):
        with contextlib.suppress(OSError):
            text = pathlib.Path(f"/proc/{self.process.pid}/status").read_text(encoding="ascii")
            found = re.search(r"VmHWM:\s+(\d+) kB", text)
            if found:
                self.stats.max_rss_mb = max(self.stats.max_rss_mb, int(found.group(1)) / 1024)

    # ---- its clock ----

    def set_clock(self, offset_s):
        self.clock_s = offset_s
        with open(self.clock_file, "r+b", buffering=0) as file:
            file.write(struct.pack("=q", offset_s))

    def now(self):
        """What the daemon's clock shows, in Unix seconds."""
        return time.time() + self.clock_s

    # ---- requests ----

    def connect(self, timeout_s=PATIENCE_S):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout_s)

    def ask(self, kind, method, target, body=None, headers=None):
        """Status, headers and decoded body of a request on this thread's connection; Gone where it broke."""
        fields = dict(headers or {})
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
            fields.setdefault("Content-Type", "application/json")
        if getattr(self.threads, "epoch", None) != self.epoch:
            self.threads.connection = self.connect()
            self.threads.epoch = self.epoch
        connection = self.threads.connection
        began = time.monotonic()
        try:
            connection.request(method, target, body, fields)
            answer = connection.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException) as error:
            self.threads.epoch = None
            connection.close()
            if isinstance(error, TimeoutError):
                self.stats.fail("hangs", f"{method} {target} has no answer within {PATIENCE_S} s")
            raise Gone(str(error)) from error
        self.stats.add(kind, answer.status, time.monotonic() - began)
        if answer.headers["Content-Encoding"] == "gzip":
            text = gzip.decompress(text)
        if answer.status >= 500 and answer.status != 503:
            self.stats.fail("answers of 500", f"{method} {target}: {answer.status} {text[:500]!r}")
        is_json = "json" in (answer.headers["Content-Type"] or "") and "ndjson" not in answer.headers["Content-Type"]
        return answer.status, answer.headers, json.loads(text) if is_json and text else text

    def settled(self, kind, method, target, body=None, headers=None):
        """The same, until there is an answer that is not 429 or 503: for requests that may be made twice."""
        end = time.monotonic() + 2 * PATIENCE_S
        while True:
            self.serving.wait(PATIENCE_S)
            try:
                answer = self.ask(kind, method, target, body, headers)
                if answer[0] not in (429, 503) or time.monotonic() > end:
                    return answer
            except Gone:
                if time.monotonic() > end:
                    raise
            time.sleep(0.1)
