"""Lambda's price list as SkyPilot publishes it, with prices of our own, and a comparison that it decides: for tests of what lists
land, are held and are undone."""

import json

import feeds_test
from command_line_case import SMALLEST
from feeds_test import HEADER, FeedCase

LIST = [("gpu_8x_v100_n", "V100", 8, 6.32), ("gpu_8x_a100", "A100", 8, 15.92), ("gpu_1x_a100_sxm4", "A100", 1, 1.99),
        ("gpu_1x_a10", "A10", 1, 1.29), ("gpu_8x_a100_80gb_sxm4", "A100-80GB", 8, 22.32), ("gpu_1x_h100_sxm5", "H100-SXM", 1, 4.29),
        ("gpu_8x_b200_sxm6", "B200", 8, 53.52), ("gpu_1x_gh200", "GH200", 1, 2.29), ("gpu_8x_h100_sxm5", "H100-SXM", 8, 31.92)]
FIRST = "lambda.gpu_1x_a10.us-east-1.on-demand"
USUAL = {sku: price for sku, _, _, price in LIST}
LAST = "lambda.gpu_8x_h100_sxm5.us-east-1.on-demand"


def rows(price=lambda sku, usual: usual, skus=LIST):
    """SkyPilot's list of Lambda, with prices of our own."""
    return (HEADER + "".join(f"{sku},{gpu},{count},26.0,225.0,{price(sku, usual)},us-east-1,,\r\n"
                             for sku, gpu, count, usual in skus)).encode()


def one(sku, price):
    return rows(lambda it, usual: price if it == sku else usual)


def distortions(chance, usual):
    """A hundred lists: scaled as a whole, in part or each by itself, all at one price, or shuffled. `usual` has a price by name."""
    def factor():
        size = chance.choice((2, 10, 100, 1000, chance.uniform(2, 1000)))
        return size if chance.random() < 0.5 else 1 / size

    def scaled(some):
        by = factor()
        return {name: price * (by if name in some else 1) for name, price in usual.items()}
    ways = (lambda: scaled(usual), lambda: scaled(chance.sample(sorted(usual), chance.randint(1, len(usual)))),
            lambda: {name: price * factor() for name, price in usual.items()},
            lambda: dict.fromkeys(usual, chance.choice(list(usual.values()))),
            lambda: dict(zip(usual, chance.sample(list(usual.values()), len(usual)))))
    for _ in range(100):
        yield chance.choice(ways)()


def honest(chance, usual):
    """Lists one after the other: two cuts of all prices and back, then twenty of cuts or rises of 10 to 45 % of most."""
    prices = dict(usual)
    for cut in (0.45, 0, 0.3, 0):  # all by the same
        yield {name: price * (1 - cut) for name, price in usual.items()}
    for number in range(20):
        cut = {name: chance.uniform(0.10, 0.45) for name in prices if chance.random() < 0.7}
        sign = 1 if number % 2 else -1
        prices = {name: price * (1 + sign * cut.get(name, 0)) for name, price in prices.items()}
        yield prices


class PriceListCase(FeedCase):
    def review(self, daemon, run, verb, status=200):
        """Accepts, rejects or undoes a run of the feed, or of an import."""
        path = f"/v1/imports/{run['run']}" if "format" in run else f"/v1/feeds/daily/runs/{run['run']}"
        found, _, answer = daemon.ask("POST", f"{path}/{verb}")
        self.assertEqual(found, status, answer)
        return answer

    def points(self, daemon, offer=LAST, as_of=""):
        status, _, found = daemon.ask("GET", f"/v1/offers/{offer}{as_of}")
        self.assertEqual(status, 200, found)
        return [price for _, price in found["hourly_price"]["points"]]

    def compare(self, daemon):
        """Stores a plan at LAST's price and one of 20 USD, cheaper until LAST is halved; gives its standings, as a function."""
        moving = json.loads(json.dumps(SMALLEST))
        moving["pools"][0]["offer"] = LAST
        moving["start"] = "2027-01"
        still = json.loads(json.dumps(moving))
        still["pools"][0]["offer"] = {**SMALLEST["pools"][0]["offer"], "devices": 8, "hourly_price": 20}
        self.put(daemon, "/v1/scenarios/moving", moving)
        self.put(daemon, "/v1/scenarios/still", still)
        self.put(daemon, "/v1/comparisons/rent", {"scenarios": ["still", "moving"]})
        daemon.ask("POST", "/v1/recalculations", {})
        standings = lambda: daemon.ask("GET", "/v1/comparisons/rent/standings")[2]["items"]
        self.until(lambda: [row for row in standings() if row["cheapest"]], "a first standing")
        self.assertEqual(standings()[0]["cheapest"], "still")
        return standings

    def stored_feed(self):
        """From the command line: a catalogue, and the feed of a directory with the list in it."""
        (self.files / "a.csv").write_bytes(rows())
        feeds = self.write("feeds.json", [{"id": "daily", "format": "skypilot", "provider": "lambda",
                                           "from": {"directory": ".", "pattern": "*.csv"}}])
        self.store_catalogue(feeds)

    def store_catalogue(self, *files):
        catalogue = (str(feeds_test.ROOT / f"deploy/catalog/{kind}.json") for kind in ("devices", "curves"))
        status, _, said = self.run_costcurve("import", "json", "--database", self.database, *catalogue, *files)
        self.assertEqual(status, 0, said)
