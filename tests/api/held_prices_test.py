"""Price lists that are wrong against a feed's guards: what is not plausible is held back, flips nothing, and lands or is dropped as
a person says; and lists of honest cuts, which land.

usage: held_prices_test.py COSTCURVE ROOT [unittest options]
"""

import argparse
import email.utils
import math
import pathlib
import random
import sys

import feeds_test
from command_line_case import skips
from feeds_test import DAYS, Server, file, send
from price_list_case import LAST, LIST, USUAL, PriceListCase, distortions, honest, one, rows

SEED = 1


class HeldPrices(PriceListCase):
    def landed(self, daemon, server, **members):
        self.feed(daemon, server.url(), **members)
        run = self.run_feed(daemon)
        self.assertEqual((run["state"], run["held"]), ("landed", 0), run)

    def price(self, daemon, offer=LAST):
        return list(self.prices(daemon, offer).values())[-1]

    def test_a_list_that_is_wrong_as_a_whole_is_held_and_the_honest_one_after_it_lands(self):
        ways = {
            "moved by about the same factor, 0.5": lambda _, usual: usual / 2,
            "moved by about the same factor, 0.501": lambda _, usual: math.ceil(usual * 50.1) / 100,  # rounded up to cents
            "moved by about the same factor, 2": lambda _, usual: usual * 2,
            "come to the same price, 700": lambda _, usual: 700.0,
            "come to the same price, 0.0001": lambda _, usual: 0.0001,
            "moved by about the same factor, 100": lambda _, usual: usual * 100,
            "come to the same price, 3": lambda _, usual: 3.0,
        }
        with Server(file(rows())) as server, self.daemon() as daemon:
            self.landed(daemon, server)
            offers = daemon.ask("GET", "/v1/offers")[2]
            held = []
            for words, price in ways.items():
                with self.subTest(words):
                    server.answer = file(rows(price), 1)
                    run = self.run_feed(daemon)
                    self.assertEqual((run["state"], run["held"]), ("held", len(LIST)), run)
                    self.assertIn(words, run["problem"])
                    self.assertEqual(daemon.ask("GET", "/v1/offers")[2], offers, "nothing was stored")
                    held.append(run["run"])
            events = self.events(daemon, "feed_held")
            self.assertEqual([event["data"]["run"] for event in events], held[::-1])
            self.run_feed(daemon)
            self.assertEqual(len(self.events(daemon, "feed_held")), len(ways), "the same file again is no news")
            server.answer = lambda handler: send(handler, rows())
            self.assertEqual(self.run_feed(daemon)["state"], "unchanged", "the file that landed last")
            server.answer = file(rows(lambda _, usual: round(usual * 0.9, 2)), 2)
            self.assertEqual(self.run_feed(daemon)["state"], "landed")
            runs = daemon.ask("GET", "/v1/feeds/daily/runs")[2]["items"]
            self.assertEqual([run["run"] for run in runs if run["held"]], [], "a newer file supersedes what was held")
            self.assertEqual(self.price(daemon), 28.73)

    def test_single_offers_are_held_and_the_rest_lands(self):
        with Server(file(rows())) as server, self.daemon() as daemon:
            self.landed(daemon, server)
            for day, price in enumerate((9999, 0.01, 80, 15.9), 1):
                with self.subTest(price):
                    server.answer = file(one("gpu_8x_h100_sxm5", price).replace(b"1.29", f"1.{day}".encode()), day % 4)
                    run = self.run_feed(daemon, "?even_if_odd=true")
                    self.assertEqual((run["state"], run["held"]), ("landed", 1), run)
                    (offer,) = run["summary"]["held_offers"]
                    self.assertEqual((offer["offer"], offer["hourly_price"]), (LAST, price))
                    self.assertIn("times its last price, 31.92", offer["reason"])
                    self.assertEqual(self.price(daemon), 31.92)
            self.assertEqual(len(self.events(daemon, "feed_held")), 4)

    def test_a_last_number_that_is_cut_in_an_answer_without_length_is_held(self):
        def price_last(body):
            return b"".join(b",".join((*cells[:5], *cells[6:], cells[5])) + b"\r\n"
                            for cells in (line.split(b",") for line in body.split(b"\r\n")[:-1]))

        def cut(handler, body):
            handler.send_response(200)
            handler.end_headers()
            handler.wfile.write(body)
        for body in (rows(), price_last(rows())):
            with self.subTest(body[:60]), Server(file(body)) as server, self.daemon() as daemon:
                self.landed(daemon, server)
                server.answer = lambda handler, body=body: cut(handler, body.rsplit(b"1.92", 1)[0])
                run = self.run_feed(daemon)
                self.assertEqual((run["state"], run["held"]), ("landed", 1), run)
                self.assertEqual(self.price(daemon), 31.92)
                self.assertEqual(len(daemon.ask("GET", "/v1/offers")[2]["items"]), len(LIST))

    def test_a_price_far_from_other_sellers_is_held_where_nothing_else_bears_it_out(self):
        with Server(file(rows())) as server, self.daemon() as daemon:
            other = {"region": "us", "device": "nvidia.h100-sxm5-80gb", "devices": 8, "purchase": "on_demand", "currency": "USD"}
            self.put(daemon, "/v1/offers/one", {**other, "provider": "one", "hourly_price": 23})
            self.put(daemon, "/v1/offers/spot", {**other, "provider": "two", "hourly_price": 2, "purchase": "spot"})
            server.answer = file(one("gpu_8x_h100_sxm5", 2.3))
            self.feed(daemon, server.url())
            run = self.run_feed(daemon, "?dry_run=true")
            self.assertEqual((run["state"], run["summary"]["held"]), ("unchanged", 1), run)
            self.assertIn("0.1 times that of the only other seller, 2.875", run["summary"]["held_offers"][0]["reason"])
            self.put(daemon, "/v1/offers/two", {**other, "provider": "two", "hourly_price": 25})
            run = self.run_feed(daemon)
            self.assertEqual((run["state"], run["held"]), ("landed", 1), run)
            self.assertIn("0.0958 times the median of 2 other sellers, 3", run["summary"]["held_offers"][0]["reason"])

    def test_a_price_of_a_day_to_come_is_held(self):
        with Server(file(rows())) as server, self.daemon() as daemon:
            self.feed(daemon, server.url("/vms_2099-01-01.csv"))
            run = self.run_feed(daemon)
            self.assertEqual((run["state"], run["held"]), ("held", len(LIST)), run)
            self.assertIn("2099-01-01, a day to come", run["problem"])

    def test_nothing_flips_on_held_prices_until_they_are_accepted(self):
        with Server(file(rows())) as server, self.daemon() as daemon:
            self.landed(daemon, server)
            standings = self.compare(daemon)
            server.answer = file(rows(lambda _, usual: usual / 2), 1)
            run = self.run_feed(daemon)
            self.assertEqual(run["state"], "held", run)
            daemon.ask("POST", "/v1/recalculations", {})
            self.until(lambda: len(standings()) > 1, "a second standing")
            self.assertEqual(standings()[0]["cheapest"], "still")
            accepted = self.review(daemon, run, "accept")
            self.assertEqual((accepted["state"], accepted["held"], accepted["problem"]), ("landed", 0, None))
            self.assertEqual(accepted["summary"]["documents"]["changed"], len(LIST))
            self.assertEqual(self.price(daemon), 15.96)
            self.until(lambda: self.events(daemon, "comparison_flipped"), "it flips")
            self.assertIn("holds nothing back", self.review(daemon, run, "accept", 409)["detail"])
            self.assertEqual(len(self.events(daemon, "feed_landed")), 2)
            self.assertEqual(self.run_feed(daemon)["state"], "unchanged")

    def test_what_a_landed_run_holds_is_accepted_or_rejected(self):
        with Server(file(rows())) as server, self.daemon() as daemon:
            self.landed(daemon, server)
            server.answer = file(one("gpu_8x_h100_sxm5", 80), 1)
            run = self.run_feed(daemon)
            rejected = self.review(daemon, run, "reject")
            self.assertEqual((rejected["state"], rejected["held"]), ("landed", 0))
            self.assertEqual(self.price(daemon), 31.92)
            server.answer = file(one("gpu_8x_h100_sxm5", 81), 2)
            accepted = self.review(daemon, self.run_feed(daemon), "accept")
            self.assertEqual((accepted["state"], accepted["held"]), ("landed", 0))
            self.assertEqual(self.price(daemon), 81)
            server.answer = file(rows(), 3)
            self.assertEqual(self.run_feed(daemon)["held"], 0, "it returns to what it was")
            self.assertEqual(self.price(daemon), 31.92)
            audit = [entry["action"] for entry in daemon.ask("GET", "/v1/audit")[2]["items"]]
            self.assertIn("reject_feed", audit)

    def test_a_file_that_was_rejected_does_not_come_again(self):
        with Server(file(rows())) as server, self.daemon() as daemon:
            self.landed(daemon, server)
            server.answer = file(rows(lambda _, usual: usual / 2), 1)
            run = self.run_feed(daemon)
            rejected = self.review(daemon, run, "reject")
            self.assertEqual((rejected["state"], rejected["held"]), ("failed", 0))
            self.assertIn("rejected by local", rejected["problem"])
            again = self.run_feed(daemon)
            self.assertEqual(again["state"], "failed")
            self.assertIn(f"the file of run {run['run']}, which was rejected", again["problem"])

    def test_reviews_of_what_is_not_there(self):
        with Server(file(rows())) as server, self.daemon() as daemon:
            self.landed(daemon, server)
            for verb in ("accept", "reject"):
                self.assertEqual(daemon.ask("POST", f"/v1/feeds/daily/runs/2/{verb}")[0], 409)
                self.assertEqual(daemon.ask("POST", f"/v1/feeds/daily/runs/99/{verb}")[0], 404)
                self.assertEqual(daemon.ask("POST", f"/v1/feeds/other/runs/2/{verb}")[0], 404)

    def test_twenty_honest_lists_of_real_cuts_land_as_a_whole(self):
        with Server(file(rows())) as server, self.daemon() as daemon:
            self.landed(daemon, server)
            for number, prices in enumerate(honest(random.Random(SEED), USUAL)):
                modified = email.utils.formatdate(DAYS[0] + 86400 * (number // 2), usegmt=True)
                server.answer = lambda handler, modified=modified, prices=prices: send(
                    handler, rows(lambda sku, _: f"{prices[sku]:.9f}"), Last_Modified=modified)
                run = self.run_feed(daemon)
                self.assertEqual((run["state"], run["held"]), ("landed", 0), (SEED, number, run))

    def test_no_wrong_price_of_a_hundred_distorted_lists_lands(self):
        with Server(file(rows())) as server, self.daemon() as daemon:
            self.landed(daemon, server)
            for number, prices in enumerate(distortions(random.Random(SEED), USUAL)):
                wrong = {sku for sku in USUAL if not 0.5 < prices[sku] / USUAL[sku] < 2}
                server.answer = lambda handler, prices=prices: send(handler, rows(lambda sku, _: f"{prices[sku]:.9f}"))
                run = self.run_feed(daemon, "?dry_run=true")
                held = {offer["offer"].split(".")[1] for offer in run["summary"]["held_offers"]}
                is_whole = run["summary"]["held"] == len(LIST)
                self.assertTrue(is_whole or (wrong <= held and run["summary"]["held"] == len(held)), (SEED, number, prices, run))

    def test_from_the_command_line(self):
        self.stored_feed()
        database = ("--database", self.database)
        run = ("feed", "run", *database, "--feed-directory", str(self.files), "daily")
        self.assertEqual(self.run_costcurve(*run)[0], 0)
        (self.files / "a.csv").write_bytes(rows(lambda _, usual: usual / 2))
        status, _, said = self.run_costcurve(*run)
        self.assertEqual(status, 2)
        self.assertIn("costcurve feed accept 3 lands it", said)
        status, out, said = self.run_costcurve("feed", "accept", *database, "3")
        self.assertEqual((status, out), (0, "feed daily, run 3: landed\n"), said)
        self.assertEqual(self.run_costcurve("feed", "reject", *database, "3")[0], 2)
        self.assertEqual(self.run_costcurve("feed", "accept", *database, "9")[0], 2)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("costcurve")
    parser.add_argument("root")
    arguments, rest = parser.parse_known_args()
    HeldPrices.costcurve = str(pathlib.Path(arguments.costcurve).resolve())
    feeds_test.ROOT = pathlib.Path(arguments.root).resolve()
    skips.main(argv=[sys.argv[0], *rest])
