"""A feed's redirects where private addresses are not allowed: on a network of its own, whose loopback has a public address too.

usage: feed_redirects_test.py COSTCURVE ROOT [unittest options]    (skipped without root, or without Linux' network namespaces)
"""

import argparse
import contextlib
import ctypes
import os
import pathlib
import subprocess
import sys
import time
import unittest

from command_line_case import PATIENCE_S, CommandLineCase, skips
from daemon import Daemon
from feeds_test import Server, file, price_list, send

ROOT = pathlib.Path()
CLONE_NEWNET = 0x40000000
PUBLIC = "9.9.9.9"  # of nobody who is reached: there is no way out of the network


@contextlib.contextmanager
def own_network(address):
    """This thread, and what it starts, on a network with a loopback alone, which has the address beside 127.0.0.1."""
    libc = ctypes.CDLL(None, use_errno=True)
    with open("/proc/thread-self/ns/net", encoding="ascii") as before:
        if libc.unshare(CLONE_NEWNET) != 0:
            raise unittest.SkipTest(f"there is no network of its own: {os.strerror(ctypes.get_errno())}")
        try:
            subprocess.run(["ip", "link", "set", "lo", "up"], check=True)
            subprocess.run(["ip", "address", "add", f"{address}/32", "dev", "lo"], check=True)
            yield
        finally:
            if libc.setns(before.fileno(), CLONE_NEWNET) != 0:
                raise OSError(ctypes.get_errno(), "the network of before is lost")


@skips.without("ip")
class Redirects(CommandLineCase):
    def run_feed(self, daemon):
        """The run as it ended."""
        status, _, begun = daemon.ask("POST", "/v1/feeds/daily/run")
        self.assertEqual(status, 202, begun)
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            run = daemon.ask("GET", "/v1/feeds/daily/runs")[2]["items"][0]
            if run["state"] != "running":
                return run
            time.sleep(0.01)
        return self.fail("the run does not end")

    def test_one_to_a_private_address_is_not_followed(self):
        status, _, said = self.run_costcurve("import", "json", "--database", self.database,
                                             *(str(ROOT / f"deploy/catalog/{kind}.json") for kind in ("devices", "curves")))
        self.assertEqual(status, 0, said)
        with own_network(PUBLIC), Server(file(price_list(2.0)), PUBLIC) as server, Server(file(price_list(3.0))) as private, \
                Daemon(self.costcurve, self.directory) as daemon:
            status, _, answer = daemon.ask("PUT", "/v1/feeds/daily", {"format": "skypilot", "provider": "lambda",
                                                                      "from": {"url": server.url()}})
            self.assertEqual(status, 201, answer)
            self.assertEqual(self.run_feed(daemon)["state"], "landed")
            offers = daemon.ask("GET", "/v1/offers")[2]
            for target in (private.url(), f"http://localhost:{private.port}/", f"http://[::1]:{private.port}/", "http://10.0.0.1/"):
                with self.subTest(target):
                    server.answer = lambda handler, target=target: send(handler, b"", 302, Location=target)
                    run = self.run_feed(daemon)
                    self.assertEqual(run["state"], "failed", run)
                    self.assertIn("--allow-private-feeds", run["problem"])
            for scheme in ("file", "gopher", "ftp", "dict"):
                with self.subTest(scheme):
                    server.answer = lambda handler, scheme=scheme: send(handler, b"", 302, Location=f"{scheme}:///etc/passwd")
                    run = self.run_feed(daemon)
                    self.assertEqual(run["state"], "failed", run)
                    self.assertRegex(run["problem"], rf"it redirects to a URL that is not followed: .*{scheme}")
            self.assertEqual(private.requests, [], "it was not called")
            self.assertEqual(daemon.ask("GET", "/v1/offers")[2], offers, "nothing was stored")
            server.answer = lambda handler: send(handler, b"", 302, Location=server.url("/other.csv"))
            self.assertNotIn("--allow-private-feeds", self.run_feed(daemon)["problem"], "a public one may be followed")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("costcurve")
    parser.add_argument("root")
    arguments, rest = parser.parse_known_args()
    Redirects.costcurve = str(pathlib.Path(arguments.costcurve).resolve())
    ROOT = pathlib.Path(arguments.root).resolve()
    skips.main(argv=[sys.argv[0], *rest])
