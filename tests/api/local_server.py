"""A web server of a test, on a free port and a thread of its own. No tests here."""

import http.server
import threading


class LocalServer:
    """Serves with a handler of http.server; use with `with`. A client that has gone is no error."""

    def __init__(self, handler, address="127.0.0.1"):
        self.server = http.server.ThreadingHTTPServer((address, 0), handler)
        self.server.daemon_threads = True
        self.server.block_on_close = False
        self.port = self.server.server_address[1]
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.05,))
        self.thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()
        self.thread.join()
