"""Feeds against a web server that misbehaves, a directory, and a Prometheus; and the walk from three days of price lists to a
cheapest that flips and a webhook that is told.

usage: feeds_test.py COSTCURVE ROOT [unittest options]
"""

import argparse
import concurrent.futures
import email.utils
import gzip
import http.server
import json
import pathlib
import subprocess
import sys
import threading
import time
import urllib.parse

from command_line_case import SMALLEST, CommandLineCase, database_of, environment, skips
from daemon import Daemon
from local_server import LocalServer
from receiver import Receiver

ROOT = pathlib.Path()
PATIENCE_S = 60
SECRET = "correct horse battery staple"
HEADER = "InstanceType,AcceleratorName,AcceleratorCount,vCPUs,MemoryGiB,Price,Region,GpuInfo,SpotPrice\r\n"
DAYS = [1790000000 + 86400 * day for day in range(4)]  # September 2026


def price_list(h100, a100=1.5, rows=6, header=HEADER):
    """One machine of each in some regions, as SkyPilot's list of Lambda has them."""
    text = header
    for i in range(rows):
        text += f"gpu_1x_h100_sxm5,H100-SXM,1.0,26.0,225.0,{h100},region-{i},,\r\n"
        text += f"gpu_1x_a100_sxm4,A100,1.0,30.0,200.0,{a100},region-{i},,\r\n"
    return text.encode()


class Server(LocalServer):
    """Answers GET on a free port by `answer(handler)`; use with `with`."""

    def __init__(self, answer, address="127.0.0.1"):
        self.address = address
        self.requests = []  # of each: path, headers
        server = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                server.requests.append((self.path, dict(self.headers)))
                try:
                    server.answer(self)
                except OSError:
                    pass  # who called has gone
                self.close_connection = True

            def log_message(self, *_):
                pass

        self.answer = answer
        super().__init__(Handler, address)

    def url(self, path="/vms.csv"):
        return f"http://{self.address}:{self.port}{path}"


def send(handler, body, status=200, **headers):
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name.replace("_", "-"), value)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body)


def file(body, day=0, **headers):
    """Answers with a file of that day, 304 where the client has it."""
    modified = email.utils.formatdate(DAYS[day], usegmt=True)
    tag = f'"{hash(body)}"'

    def answer(handler):
        if handler.headers.get("If-None-Match") == tag:
            send(handler, b"", 304)
        else:
            send(handler, body, Last_Modified=modified, ETag=tag, **headers)
    return answer


class FeedCase(CommandLineCase):
    def setUp(self):
        super().setUp()
        self.files = self.directory / "files"
        self.files.mkdir()

    def daemon(self, *options, directory=None):
        directory = directory or self.directory
        status, _, said = self.run_costcurve("import", "json", "--database", database_of(directory),
                                             *(str(ROOT / f"deploy/catalog/{kind}.json") for kind in ("devices", "curves")))
        self.assertEqual(status, 0, said)
        return Daemon(self.costcurve, directory, "--allow-private-feeds", "--feed-directory", str(self.files),
                      "--allow-private-webhooks", "--webhook-retry-s", "0.01", *options)

    def put(self, daemon, path, document):
        status, _, answer = daemon.ask("PUT", path, document)
        self.assertIn(status, (200, 201), answer)
        return answer

    def feed(self, daemon, url, **members):
        return self.put(daemon, "/v1/feeds/daily", {"format": "skypilot", "provider": "lambda", "from": {"url": url}, **members})

    def until(self, holds, what):
        end, pause = time.monotonic() + PATIENCE_S, 0.005
        while time.monotonic() < end:
            if found := holds():
                return found
            time.sleep(pause)
            pause = min(2 * pause, 0.2)
        return self.fail(f"not within {PATIENCE_S} s: {what}")

    def run_feed(self, daemon, query=""):
        """The run as it ended."""
        status, _, begun = daemon.ask("POST", f"/v1/feeds/daily/run{query}")
        self.assertEqual(status, 202, begun)

        def ended():
            items = daemon.ask("GET", "/v1/feeds/daily/runs")[2]["items"]
            return items[0] if items[0]["run"] == begun["run"] and items[0]["state"] != "running" else None
        return self.until(ended, "the run ends")

    def prices(self, daemon, offer="lambda.gpu_1x_h100_sxm5.region-0.on-demand"):
        status, _, found = daemon.ask("GET", f"/v1/offers/{offer}")
        self.assertEqual(status, 200, found)
        return {day: price for day, price in found["hourly_price"]["points"]}

    def events(self, daemon, kind):
        return daemon.ask("GET", f"/v1/events?kind={kind}")[2]["items"]


class Feeds(FeedCase):
    def test_a_list_of_more_documents_than_there_is_memory_for_fails(self):
        with Server(file(price_list(3.9, rows=45_000))) as server, self.daemon() as daemon:
            self.feed(daemon, server.url())
            run = self.run_feed(daemon, "?dry_run=true")
            self.assertEqual(run["state"], "failed", run)
            self.assertRegex(run["problem"], r"its first \d+ documents and lines take \d+ MiB to store, more than")

    def test_a_fetch_is_booked_in_the_memory_of_the_service(self):
        body = price_list(3.9) + b" " * (8 << 20)
        half, rest = threading.Event(), threading.Event()

        def slow(handler):
            handler.send_response(200)
            handler.send_header("Content-Length", str(len(body)))
            handler.end_headers()
            handler.wfile.write(body[:-1])
            half.set()
            rest.wait(PATIENCE_S)
            handler.wfile.write(body[-1:])
        with Server(slow) as server, self.daemon() as daemon:
            self.feed(daemon, server.url())
            booked = lambda: daemon.metric("costcurve_memory_bytes")
            self.assertLess(booked(), 1 << 20)
            self.assertEqual(daemon.ask("POST", "/v1/feeds/daily/run")[0], 202)
            self.assertTrue(half.wait(PATIENCE_S))
            try:
                self.until(lambda: booked() > 8 << 20, "it is booked as it comes")
            finally:
                rest.set()
            self.until(lambda: daemon.ask("GET", "/v1/feeds/daily/runs")[2]["items"][0]["state"] != "running", "it ends")
            self.until(lambda: booked() < 1 << 20, "it is given back")

    def test_each_way_to_misbehave_has_a_name_and_stores_nothing(self):
        good = price_list(2.0)
        huge, bomb = good * 2000, gzip.compress(b"a" * (1 << 24))
        with Server(file(good)) as server, self.daemon() as daemon:
            self.feed(daemon, server.url(), max_mib=0.5)
            self.assertEqual(self.run_feed(daemon)["state"], "landed")
            before = daemon.ask("GET", "/v1/offers")[2]

            def moved_to(url):
                return lambda handler: send(handler, b"", 302, Location=url)

            wrong_header = HEADER.replace("SpotPrice", "Spot Price (USD)")
            ways = {
                "larger than 0.5 MiB": lambda handler: send(handler, huge),
                "0.5 MiB": lambda handler: send(handler, bomb, Content_Encoding="gzip"),
                "inflated": lambda handler: send(handler, b"no gzip", Content_Encoding="gzip"),
                "is empty": file(b"", 1),
                "page of HTML": file(b"<!DOCTYPE html><html>Sign in</html>", 1),
                "header of the table is another": file(price_list(2.1, header=wrong_header), 1),
                "of them or more are gone": file(price_list(2.1, rows=3), 1),
                "it answered 404": lambda handler: send(handler, b"gone", 404),
                "redirect": moved_to(server.url("/again")),
                "not one row": file((HEADER + "x,Quantum9,1,1,1,2.0,r,,\r\n" * 12).encode(), 1),
                "header has no column": file(b"a,b,c\n1,2,3\n", 1),
            }
            for words, answer in ways.items():
                with self.subTest(words):
                    server.answer = answer
                    run = self.run_feed(daemon, "?even_if_odd=true" if words.startswith(("not one", "header has no")) else "")
                    self.assertEqual(run["state"], "failed", run)
                    if words not in ("redirect", "header has no column"):
                        self.assertIn(words, run["problem"])
            self.assertEqual(daemon.ask("GET", "/v1/offers")[2], before, "nothing was stored")
            told = self.events(daemon, "feed_failed")
            self.assertGreaterEqual(len(told), len(ways) - 1)
            count = len(told)
            self.run_feed(daemon, "?even_if_odd=true")
            self.assertEqual(len(self.events(daemon, "feed_failed")), count, "the same failure again is no news")

    def test_what_may_pass_is_tried_again_and_has_a_name_and_stores_nothing(self):
        """Each on a daemon of its own, as they take ten seconds each."""
        good = price_list(2.0)

        def endless(handler):
            handler.send_response(200)
            handler.send_header("Transfer-Encoding", "chunked")
            handler.end_headers()
            while True:
                handler.wfile.write(b"1\r\nx\r\n")
                time.sleep(0.02)

        def cut(handler):
            handler.send_response(200)
            handler.send_header("Content-Length", str(len(good) + 1000))
            handler.end_headers()
            handler.wfile.write(good)

        ways = {
            "took longer than 1 s": endless,
            "transfer closed": cut,
            "it answered 503": lambda handler: send(handler, b"later", 503),
        }

        def try_way(number, words, answer):
            directory = self.directory / f"way-{number}"
            directory.mkdir()
            with Server(file(good)) as server, self.daemon("--feed-timeout-s", "1", directory=directory) as daemon:
                self.feed(daemon, server.url(), max_mib=0.5)
                self.assertEqual(self.run_feed(daemon)["state"], "landed")
                before = daemon.ask("GET", "/v1/offers")[2]
                server.answer, first = answer, len(server.requests)
                run = self.run_feed(daemon)
                self.assertEqual((run["state"], len(server.requests) - first), ("failed", 3), run)
                self.assertIn(words, run["problem"])
                self.assertEqual(daemon.ask("GET", "/v1/offers")[2], before, "nothing was stored")
                self.assertEqual(len(self.events(daemon, "feed_failed")), 1)

        with concurrent.futures.ThreadPoolExecutor(len(ways)) as pool:
            for tried in [pool.submit(try_way, number, *way) for number, way in enumerate(ways.items())]:
                tried.result()

    def test_a_file_of_yesterday_an_unchanged_and_a_smaller_one(self):
        monday, tuesday = price_list(2.0), price_list(2.2)
        with Server(file(monday)) as server, self.daemon() as daemon:
            self.feed(daemon, server.url())
            self.assertEqual(self.run_feed(daemon)["state"], "landed")
            self.assertEqual(self.run_feed(daemon)["state"], "unchanged")
            self.assertIn("If-None-Match", server.requests[-1][1])
            self.assertIn("If-Modified-Since", server.requests[-1][1])
            server.answer = lambda handler: send(handler, monday)  # without a condition, the same bytes
            self.assertEqual(self.run_feed(daemon)["state"], "unchanged")
            server.answer = file(tuesday, 1)
            self.assertEqual(self.run_feed(daemon)["state"], "landed")
            server.answer = file(monday)
            self.assertIn("older than", self.run_feed(daemon)["problem"])
            self.assertEqual(list(self.prices(daemon).values()), [2.0, 2.2])
            server.answer = file(price_list(3.0, rows=2), 2)
            self.assertIn("--even-if-odd", self.run_feed(daemon)["problem"])
            dry = self.run_feed(daemon, "?even_if_odd=true&dry_run=true")
            self.assertEqual((dry["state"], dry["dry_run"], dry["summary"]["documents"]["changed"]), ("unchanged", True, 4))
            self.assertEqual(list(self.prices(daemon).values()), [2.0, 2.2])
            self.assertEqual(self.run_feed(daemon, "?even_if_odd=true")["state"], "landed")
            self.assertEqual(list(self.prices(daemon).values()), [2.0, 2.2, 3.0])

    def test_prices_that_return_to_what_they_were_land(self):
        with Server(file(price_list(2.0))) as server, self.daemon() as daemon:
            self.feed(daemon, server.url())
            for day, price in ((0, 2.0), (1, 2.4), (2, 2.0)):
                server.answer = file(price_list(price), day)
                self.assertEqual(self.run_feed(daemon)["state"], "landed")
            self.assertEqual(list(self.prices(daemon).values()), [2.0, 2.4, 2.0])

    def test_a_last_modified_of_a_day_to_come_puts_no_price_into_the_future(self):
        with Server(file(price_list(2.0))) as server, self.daemon() as daemon:
            self.feed(daemon, server.url())
            today = lambda: time.strftime("%Y-%m-%d", time.gmtime())
            for price, stated in ((2.0, time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime(time.time() + 300 * 86400))),
                                  (2.1, "Fri, 31 Dec 9999 23:59:59 GMT")):
                server.answer = lambda handler, body=price_list(price), stated=stated: send(handler, body, Last_Modified=stated)
                before = today()
                self.assertEqual(self.run_feed(daemon)["state"], "landed")
                self.assertTrue(before <= max(self.prices(daemon)) <= today(), self.prices(daemon))
            server.answer = lambda handler: send(handler, price_list(2.2), Last_Modified=email.utils.formatdate(usegmt=True))
            self.assertEqual(self.run_feed(daemon)["state"], "landed", "the next honest file")
            self.assertEqual(list(self.prices(daemon).values())[-1], 2.2)

    def test_a_file_of_which_little_can_be_used_is_no_landing(self):
        refused = (HEADER + "gpu_1x_h100_sxm5,H100-SXM,1.0,26.0,225.0,1e300,region-{},,\r\n" * 9).format(*range(9)).encode()
        mostly = (HEADER + "x,Quantum9,1,1,1,2.0,region-{},,\r\n" * 7).format(*range(7)).encode()
        mostly += price_list(2.2, rows=2, header="")
        with Server(file(price_list(2.0))) as server, self.daemon() as daemon:
            self.feed(daemon, server.url())
            self.assertEqual(self.run_feed(daemon)["state"], "landed")
            for words, body in (("not one row could be used", refused), ("most of its 11 rows could not be used", mostly)):
                server.answer = file(body, 1)
                run = self.run_feed(daemon)
                self.assertEqual(run["state"], "failed", run)
                self.assertIn(words, run["problem"])
            self.assertEqual(list(self.prices(daemon).values()), [2.0])
            server.answer = file(price_list(2.3), 2)
            self.assertEqual(self.run_feed(daemon)["state"], "landed", "they are compared with what landed")

    def test_a_list_of_devices_that_are_not_stored_is_no_landing(self):
        with Server(file(price_list(2.0))) as server, Daemon(self.costcurve, self.directory, "--allow-private-feeds") as daemon:
            self.feed(daemon, server.url())
            for query in ("?dry_run=true", ""):
                run = self.run_feed(daemon, query)
                self.assertEqual(run["state"], "failed", run)
                self.assertIn("not one row could be used: 6 documents left out", run["problem"])

    def test_a_slow_publisher_holds_up_nobody(self):
        hold = threading.Event()
        with Server(lambda handler: (hold.wait(PATIENCE_S), file(price_list(2.0))(handler))) as slow, \
                Server(file(price_list(2.0))) as server, self.daemon() as daemon:
            self.put(daemon, "/v1/feeds/slow", {"format": "skypilot", "provider": "slow", "from": {"url": slow.url()}})
            self.feed(daemon, server.url())
            daemon.ask("POST", "/v1/feeds/slow/run")
            self.until(lambda: slow.requests, "it is fetched")
            self.assertEqual(self.run_feed(daemon)["state"], "landed")
            runs = lambda: daemon.ask("GET", "/v1/feeds/slow/runs")[2]["items"]
            self.assertEqual([run["state"] for run in runs()], ["running"])
            hold.set()
            self.until(lambda: runs()[0]["state"] == "landed", "it lands too")
            self.assertEqual((len(slow.requests), len(runs())), (1, 1), "once")

    def test_a_slow_publisher_of_many_feeds_holds_up_nobody_else(self):
        hold = threading.Event()
        names = [f"slow-{i}" for i in range(20)]
        with Server(lambda handler: (hold.wait(PATIENCE_S), file(price_list(2.0))(handler))) as slow, \
                Server(file(price_list(2.0))) as server, self.daemon() as daemon:
            for name in names:
                self.put(daemon, f"/v1/feeds/{name}", {"format": "skypilot", "provider": name, "from": {"url": slow.url()}})
                self.assertEqual(daemon.ask("POST", f"/v1/feeds/{name}/run")[0], 202)
            self.until(lambda: len(slow.requests) == 3, "three are fetched")
            self.feed(daemon, server.url())
            self.assertEqual(self.run_feed(daemon)["state"], "landed")
            self.assertEqual(len(slow.requests), 3, "no more of one publisher at once")
            hold.set()
            states = lambda: {daemon.ask("GET", f"/v1/feeds/{name}/runs")[2]["items"][0]["state"] for name in names}
            self.until(lambda: states() == {"landed"}, "all land")
            self.assertEqual(len(slow.requests), len(names), "each once")

    def test_a_publisher_that_sends_next_to_nothing_is_given_up(self):
        def trickle(handler):
            handler.send_response(200)
            handler.send_header("Content-Length", "1000000")
            handler.end_headers()
            while True:
                handler.wfile.write(b"x")
                time.sleep(0.05)
        with Server(trickle) as server, self.daemon("--feed-timeout-s", "20") as daemon:
            self.feed(daemon, server.url())
            self.assertEqual(self.run_feed(daemon)["problem"], "it sent less than 1000 bytes a second for 2 s")
            self.assertEqual(len(server.requests), 1)

    def test_the_operator_bounds_a_file_whatever_its_feed_allows(self):
        with Server(file(price_list(2.0) * 500)) as server, self.daemon("--feed-max-mib", "0.25") as daemon:
            self.feed(daemon, server.url(), max_mib=1024)
            self.assertIn("larger than 0.25 MiB: the feed's max_mib, or serve --feed-max-mib", self.run_feed(daemon)["problem"])

    def test_what_comes_compressed_or_as_gzip_is_read(self):
        with Server(file(gzip.compress(price_list(2.0)), Content_Encoding="gzip")) as server, self.daemon() as daemon:
            self.feed(daemon, server.url())
            self.assertEqual(self.run_feed(daemon)["state"], "landed")
            server.answer = file(gzip.compress(price_list(2.5)), 1)  # a .csv.gz
            self.assertEqual(self.run_feed(daemon)["state"], "landed")
            self.assertEqual(list(self.prices(daemon).values()), [2.0, 2.5])

    def test_private_addresses_are_refused_where_they_are_not_allowed(self):
        with Server(file(price_list(2.0))) as server:
            with self.daemon() as daemon:
                self.feed(daemon, server.url())
            with Daemon(self.costcurve, self.directory) as daemon:
                status, _, answer = daemon.ask("PUT", "/v1/feeds/other", {"format": "skypilot", "provider": "lambda",
                                                                          "from": {"url": server.url()}})
                self.assertEqual(status, 422)
                self.assertIn("--allow-private-feeds", answer["errors"][0]["message"])
                self.assertIn("--allow-private-feeds", self.run_feed(daemon)["problem"])
                self.put(daemon, "/v1/feeds/daily", {"format": "skypilot", "provider": "lambda",
                                                     "from": {"directory": "x", "pattern": "*"}})
                self.assertIn("--feed-directory", self.run_feed(daemon)["problem"])
            self.assertEqual(server.requests, [], "it was not called")

    def test_the_secret_is_sent_to_its_host_alone_and_given_to_nobody(self):
        with Server(file(price_list(2.0))) as other, self.daemon() as daemon, \
                Server(lambda handler: send(handler, b"", 302, Location=other.url())) as server:
            header = {"name": "Authorization", "secret": SECRET}
            status, _, answer = daemon.ask("PUT", "/v1/feeds/daily", {
                "format": "skypilot", "provider": "lambda", "from": {"url": server.url()}, "header": {"name": "Authorization"}})
            self.assertEqual((status, answer["errors"][0]["pointer"]), (422, "/header/secret"))
            answer = self.feed(daemon, server.url(), header=header)
            self.assertEqual(answer["header"], {"name": "Authorization"})
            self.assertIn("redirects are not followed", self.run_feed(daemon)["problem"])
            self.assertEqual(server.requests[0][1]["Authorization"], SECRET)
            self.assertEqual(other.requests, [])
            self.feed(daemon, server.url(), header={"name": "Authorization"}, note="the secret stays")
            status, _, answer = daemon.ask("PUT", "/v1/feeds/daily", {
                "format": "skypilot", "provider": "lambda", "from": {"url": other.url()}, "header": {"name": "Authorization"}})
            self.assertEqual((status, answer["errors"][0]["pointer"]), (422, "/header/secret"), "a new URL needs it again")
            self.feed(daemon, other.url(), header=header)
            self.assertEqual(self.run_feed(daemon)["state"], "landed")
            self.assertEqual(other.requests[0][1]["Authorization"], SECRET)
            _, exported, _ = self.run_costcurve("export", "--database", self.database)
            self.assertNotIn(SECRET, exported)

    def test_documents_that_make_no_sense_are_refused(self):
        good = {"format": "skypilot", "provider": "lambda", "from": {"url": "https://example.org/x.csv"}}
        cases = {
            "/from": {"from": {}},
            "/from/url": {"from": {"url": "ftp://example.org/x"}},
            "/from/directory": {"from": {"directory": "../etc", "pattern": "*"}},
            "/from/pattern": {"from": {"directory": "x"}},
            "/from/queries": {"format": "", "from": {"prometheus": "https://example.org"}},
            "/format": {"format": "no_such"},
            "/provider": {"provider": ""},
            "/cron": {"cron": "often"},
            "/time_zone": {"time_zone": "Mars/Base"},
            "/header/name": {"header": {"name": "Host", "secret": SECRET}},
            "/header/secret": {"header": {"name": "X", "secret": SECRET + "\r\nX: y"}},
        }
        with self.daemon() as daemon:
            for pointer, change in cases.items():
                with self.subTest(pointer):
                    status, _, answer = daemon.ask("PUT", "/v1/feeds/daily", {**good, **change})
                    self.assertEqual(status, 422)
                    self.assertIn(pointer, [error["pointer"] for error in answer["errors"]])
            self.assertEqual(daemon.ask("POST", "/v1/feeds/daily/run")[0], 404)
            self.assertEqual(daemon.ask("GET", "/v1/feeds/daily/runs")[0], 404)

    def test_a_directory_gives_its_newest_file_and_no_link_leads_out(self):
        (self.directory / "secret.csv").write_bytes(price_list(9.0))
        lists = self.files / "lists"
        lists.mkdir()
        (lists / "a.csv").write_bytes(price_list(2.0))
        (lists / "link.csv").symlink_to(self.directory / "secret.csv")
        (self.files / "out").symlink_to(self.directory)
        with self.daemon() as daemon:
            self.put(daemon, "/v1/feeds/daily", {"format": "skypilot", "provider": "lambda",
                                                 "from": {"directory": "lists", "pattern": "*.csv"}})
            self.assertEqual(self.run_feed(daemon)["state"], "landed")
            self.assertEqual(list(self.prices(daemon).values()), [2.0])
            self.assertEqual(self.run_feed(daemon)["state"], "unchanged")
            self.put(daemon, "/v1/feeds/daily", {"format": "skypilot", "provider": "lambda",
                                                 "from": {"directory": "out", "pattern": "secret.csv"}})
            self.assertIn("no directory out", self.run_feed(daemon)["problem"])
            self.put(daemon, "/v1/feeds/daily", {"format": "skypilot", "provider": "lambda",
                                                 "from": {"directory": "lists", "pattern": "b*"}})
            self.assertIn("no file of lists fits b*", self.run_feed(daemon)["problem"])

    def test_from_the_command_line(self):
        (self.files / "a.csv").write_bytes(price_list(2.0))
        feeds = self.write("feeds.json", [{"id": "daily", "format": "skypilot", "provider": "lambda",
                                           "from": {"directory": ".", "pattern": "a.csv"}}])
        database = ("--database", self.database)
        catalogue = (str(ROOT / f"deploy/catalog/{kind}.json") for kind in ("devices", "curves"))
        status, _, said = self.run_costcurve("import", "json", *database, *catalogue, feeds)
        self.assertEqual(status, 0, said)
        status, out, said = self.run_costcurve("feed", "run", *database, "--feed-directory", str(self.files), "daily")
        self.assertEqual(status, 0, said)
        self.assertIn("feed daily: landed", out)
        status, _, said = self.run_costcurve("feed", "run", *database, "daily")
        self.assertEqual(status, 2)
        self.assertIn("--feed-directory", said)
        self.assertEqual(self.run_costcurve("feed", "run", *database, "other")[0], 2)

    def test_what_was_accept_names_even_if_odd(self):
        with Server(file(price_list(2.0))) as server, self.daemon() as daemon:
            self.feed(daemon, server.url())
            status, _, answer = daemon.ask("POST", "/v1/feeds/daily/run?accept=true")
            self.assertEqual((status, answer["errors"][0]["message"]), (422, "accept is now even_if_odd"))
        status, _, said = self.run_costcurve("feed", "run", "--database", self.database, "--accept", "daily")
        self.assertEqual(status, 2)
        self.assertIn("--even-if-odd", said)

    def test_three_days_of_lists_flip_the_cheapest_and_the_webhook_is_told(self):
        offer = "lambda.gpu_1x_h100_sxm5.region-0.on-demand"
        with Receiver(SECRET) as receiver, Server(file(price_list(2.0))) as server, self.daemon() as daemon:
            self.feed(daemon, server.url())
            self.run_feed(daemon)
            moving = json.loads(json.dumps(SMALLEST))
            moving["pools"][0]["offer"] = offer
            moving["start"] = "2027-01"
            still = json.loads(json.dumps(moving))
            still["pools"][0]["offer"] = {**SMALLEST["pools"][0]["offer"], "hourly_price": 2.3}
            self.put(daemon, "/v1/scenarios/moving", moving)
            self.put(daemon, "/v1/scenarios/still", still)
            self.put(daemon, "/v1/comparisons/rent", {"scenarios": ["still", "moving"]})
            self.put(daemon, "/v1/webhooks/hook", {"url": receiver.url(), "secret": SECRET})
            self.put(daemon, "/v1/webhooks/chat", {"url": receiver.url() + "/chat", "secret": SECRET, "format": "slack",
                                                   "events": ["comparison_flipped"]})
            daemon.ask("POST", "/v1/recalculations", {})
            self.until(lambda: daemon.ask("GET", "/v1/comparisons/rent/standings")[2]["items"], "a first standing")
            for day, price in ((1, 2.1), (2, 2.6)):
                server.answer = file(price_list(price), day)
                self.assertEqual(self.run_feed(daemon)["state"], "landed")
            chats = lambda: [call["body"]["text"] for call in receiver.calls if "text" in call["body"]]
            events = lambda: {call["body"]["kind"]: call["body"]["data"] for call in receiver.calls if "kind" in call["body"]}
            self.until(lambda: "comparison_flipped" in events() and chats(), "the webhook was called for the flip")
            self.assertTrue(all(call["signed"] for call in receiver.calls))
            told = events()
            self.assertTrue(chats()[0].endswith("Why: the price of a device-hour of moving rose from 2 to 2.6 USD."), chats())
            self.assertEqual(told["comparison_flipped"]["before"]["cheapest"], "moving")
            self.assertEqual(told["comparison_flipped"]["now"]["cheapest"], "still")
            because, = told["comparison_flipped"]["because"]
            self.assertEqual(because["scenario"], "moving", "the other's figure is as it was")
            self.assertEqual(because["why"], "the price of a device-hour of moving rose from 2 to 2.6 USD")
            self.assertAlmostEqual(because["now"] / because["before"], 2.6 / 2.0)
            moved = told["price_moved"]["moved"]
            self.assertEqual([(move["device"], move["purchase"], move["offers"]) for move in moved],
                             [("nvidia.h100-sxm5-80gb", "on_demand", 6)])
            self.assertAlmostEqual(moved[0]["median_fraction"], 2.6 / 2.1 - 1)
            self.assertEqual(told["feed_landed"]["summary"]["documents"]["changed"], 12)
            self.assertEqual(list(self.prices(daemon).values()), [2.0, 2.1, 2.6])
            history = daemon.ask("GET", f"/v1/offers/{offer}/revisions")[2]["items"]
            self.assertEqual([revision["revision"] for revision in history], [3, 2, 1])
            known = [daemon.ask("GET", f"/v1/offers/{offer}?as_of={revision['recorded_at']}")[2] for revision in history]
            self.assertEqual([[price for _, price in then["hourly_price"]["points"]] for then in known],
                             [[2.0, 2.1, 2.6], [2.0, 2.1], [2.0]])

    def test_a_run_that_was_killed_is_done_by_the_next_start(self):
        hold = threading.Event()

        def slow(handler):
            hold.wait(PATIENCE_S)
            file(price_list(2.0))(handler)

        with Server(slow) as server:
            daemon = self.daemon()
            try:
                self.feed(daemon, server.url())
                daemon.ask("POST", "/v1/feeds/daily/run")
                self.until(lambda: server.requests, "it is fetched")
                self.assertEqual(daemon.ask("POST", "/v1/feeds/daily/run")[0], 409)
                daemon.kill()
                daemon.close()
                hold.set()
                daemon = Daemon(self.costcurve, self.directory, "--allow-private-feeds")
                self.until(lambda: daemon.ask("GET", "/v1/feeds/daily/runs")[2]["items"][0]["state"] == "landed", "it lands")
                self.assertEqual(len(daemon.ask("GET", "/v1/feeds/daily/runs")[2]["items"]), 1)
            finally:
                daemon.close()

    def test_a_stand_in_for_prometheus_gives_telemetry_since_the_run_before(self):
        now = int(time.time())
        answer = json.dumps({"status": "success", "data": {"resultType": "matrix", "result": [
            {"metric": {"__name__": "DCGM_FI_DEV_POWER_USAGE", "UUID": "GPU-1", "Hostname": "h1",
                        "modelName": "NVIDIA H100 80GB HBM3"},
             "values": [[now - 120, "400"], [now - 60, "500"]]}]}}).encode()
        with Server(lambda handler: send(handler, answer)) as server, self.daemon() as daemon:
            self.put(daemon, "/v1/feeds/daily", {"from": {"prometheus": server.url("/"), "queries": ["DCGM_FI_DEV_POWER_USAGE"]}})
            self.assertEqual(self.run_feed(daemon)["summary"]["samples"], 2)
            query = urllib.parse.parse_qs(urllib.parse.urlparse(server.requests[0][0]).query)
            self.assertEqual(query["query"], ["DCGM_FI_DEV_POWER_USAGE"])
            self.assertAlmostEqual(int(query["end"][0]) - int(query["start"][0]), 3600, delta=1)
            self.run_feed(daemon)
            again = urllib.parse.parse_qs(urllib.parse.urlparse(server.requests[1][0]).query)
            self.assertEqual(again["start"], query["end"], "from where the run before ended")


@skips.without("prometheus")
class RealPrometheus(FeedCase):
    def test_a_real_prometheus_gives_telemetry(self):
        labels = 'Hostname="h1",modelName="NVIDIA H100 80GB HBM3"'
        lines = "".join(f'DCGM_FI_DEV_POWER_USAGE{{UUID="GPU-{i}",{labels}}} {400 + i}\n' for i in range(2)).encode()
        with Server(lambda handler: send(handler, lines, Content_Type="text/plain; version=0.0.4")) as exporter:
            settings = self.write("prometheus.yml", f"global: {{scrape_interval: 1s}}\nscrape_configs:\n- job_name: dcgm\n"
                                                    f"  static_configs:\n  - targets: ['127.0.0.1:{exporter.port}']\n")
            with Server(lambda handler: send(handler, b"")) as free:
                port = free.port
            prometheus = subprocess.Popen(
                ["prometheus", f"--config.file={settings}", f"--storage.tsdb.path={self.directory}/tsdb",
                 f"--web.listen-address=127.0.0.1:{port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment())
            try:
                with self.daemon() as daemon:
                    self.put(daemon, "/v1/feeds/daily", {"from": {
                        "prometheus": f"http://127.0.0.1:{port}", "queries": ["DCGM_FI_DEV_POWER_USAGE"], "step_s": 1}})

                    def samples():
                        run = self.run_feed(daemon)
                        return run["summary"]["samples"] if run["state"] == "landed" else 0
                    self.until(samples, "samples")
                    hours = daemon.ask("GET", "/v1/telemetry?metric=power_w")[2]["items"]
                    self.assertEqual({(hour["source"], hour["device"]) for hour in hours},
                                     {("h1/GPU-0", "nvidia.h100-sxm5-80gb"), ("h1/GPU-1", "nvidia.h100-sxm5-80gb")})
                    self.put(daemon, "/v1/feeds/daily", {"from": {
                        "prometheus": f"http://127.0.0.1:{port}", "queries": ["rate(DCGM_FI_DEV_POWER_USAGE["]}})
                    self.assertIn("400", self.run_feed(daemon)["problem"])
            finally:
                prometheus.terminate()
                prometheus.wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("costcurve")
    parser.add_argument("root")
    arguments, rest = parser.parse_known_args()
    FeedCase.costcurve = str(pathlib.Path(arguments.costcurve).resolve())
    ROOT = pathlib.Path(arguments.root).resolve()
    skips.main(argv=[sys.argv[0], *rest])
