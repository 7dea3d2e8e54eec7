"""A receiver of webhooks for tests: verifies signatures, and fails, redirects or hangs on command. No tests here."""

import hashlib
import hmac
import http.server
import json
import threading

from local_server import LocalServer


class Receiver(LocalServer):
    """Answers POST on a free port of 127.0.0.1; use with `with`. `statuses` are given one after another, then 204 for ever."""

    def __init__(self, secret, statuses=(), hangs=False):
        self.secret = secret
        self.statuses = list(statuses)
        self.released = threading.Event()
        if not hangs:
            self.released.set()
        self.calls = []  # of each: path, headers, body, whether the signature holds
        self.changed = threading.Condition()
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                status = receiver.take(self.path, self.headers, body)
                receiver.released.wait()
                try:
                    self.send_response(status)
                    if status in (301, 302, 307, 308):
                        self.send_header("Location", f"http://127.0.0.1:{receiver.port}/landed")
                    self.send_header("Content-Length", "0")
                    self.end_headers()
                except OSError:
                    pass  # who called has gone

            do_GET = do_POST

            def log_message(self, *_):
                pass

        super().__init__(Handler)

    def url(self, host="127.0.0.1"):
        return f"http://{host}:{self.port}/hook"

    def take(self, path, headers, body):
        with self.changed:
            status = self.statuses.pop(0) if self.statuses else 204
            self.calls.append({"path": path, "headers": dict(headers), "body": json.loads(body), "status": status,
                               "signed": self.is_signed(headers, body)})
            self.changed.notify_all()
            return status

    def is_signed(self, headers, body):
        """As docs/schedules.md tells receivers to check it."""
        signed = headers["X-Costcurve-Timestamp"].encode() + b"." + body
        expected = "sha256=" + hmac.new(self.secret.encode(), signed, hashlib.sha256).hexdigest()
        return hmac.compare_digest(expected, headers["X-Costcurve-Signature"])

    def wait(self, holds, patience_s):
        """Until `holds(calls)`; False where it never does."""
        with self.changed:
            return self.changed.wait_for(lambda: holds(self.calls), patience_s)

    def __exit__(self, *_):
        self.released.set()
        super().__exit__()
