"""Holds the catalogue's offers to the ids that importers make, and measures how many of them a newer list of their provider
changes: of cuts of published lists in tests/catalog/lists, and of the whole lists in ../shared/data, where they are there.

usage: identity_test.py COSTCURVE ROOT [unittest options]    (ROOT is the repository's root)
"""
import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

import skips  # noqa: E402 pylint: disable=wrong-import-position

COSTCURVE = ""
ROOT = pathlib.Path()
NEWER = "2026-11-22"  # the day that the lists are said to be of: after all prices in the catalogue
MIN_REACHED = 0.95  # of the offers that a list sells

# Ids that are not made of what identifies the offer, and why.
ENTRIES = "dawnbench."  # made by the importer of that competition: of an entry's machine, not of a list
EARLIER = {"gcp.cloud-tpu-v2-8.us-central1.dawnbench-2018-03"}  # a price of before the cut, beside that of after it

LISTS = [("skypilot", "gcp", "gcp_vms_2026-05-05.csv"), ("skypilot", "azure", "azure_vms_2026-04-16.csv"),
         ("skypilot", "lambda", "lambda_vms_2026-04-06.csv"), ("skypilot", "aws", "aws_vms_v8.csv")]
WHOLE_LISTS = [(format, provider, f"skypilot-catalog/{file}") for format, provider, file in LISTS] + [
    ("skypilot", "runpod", "skypilot-catalog/runpod_vms_v8.csv"),
    ("skypilot", "jarvislabs", "skypilot-catalog/jarvislabs_vms_v8.csv"),
    ("tpu_prices", "gcp", "gpuhunt/tpu_pricing_2024-06-11.json")]
TPU_PURCHASES = {"On Demand (USD)": "on-demand", "1-year Commitment (USD)": "committed-12",
                 "3-year Commitment (USD)": "committed-36", "Spot (USD)": "spot"}


def slug(text):
    return re.sub(r"[^a-z0-9._]+", "-", text.lower()).strip("-._")


def purchase_word(offer):
    word = offer["purchase"].replace("_", "-") + (f"-{offer['term_months']}" if "term_months" in offer else "")
    return word + ("-upfront" if offer.get("upfront") else "")


def sold_by_skypilot(path):
    """{(SKU, purchase, place as ids have it): least price}, of each row's zone and region, and "" for all; the price is None where
    a host and its accelerator stand in rows of their own."""
    sold = {}
    with open(path, encoding="utf-8-sig", newline="") as file:
        for row in csv.DictReader(file):
            name = row["AcceleratorName"].lower()
            sku = name if name.startswith("tpu") else row["InstanceType"]
            for column, purchase in (("Price", "on-demand"), ("SpotPrice", "spot")):
                text = row.get(column)
                if sku and text and (float(text) > 0 or not name):
                    for place in {slug(row["Region"]), slug(row.get("AvailabilityZone") or ""), ""}:
                        key = (sku, purchase, place)
                        sold[key] = min(float(text), sold.get(key, float(text))) if name else None
    return sold


def sold_by_tpu_prices(path):
    generations = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    return {(slug(generation) + "-chip", TPU_PURCHASES[name], region): price for generation, regions in generations.items()
            for region, prices in regions.items() for name, price in prices.items() if name in TPU_PURCHASES and price}


def place_in(offer):
    """The zone or region in an offer's id; None where the id is not made as importers make it."""
    before, behind = f"{slug(offer['provider'])}.{slug(offer.get('sku', ''))}.", f".{purchase_word(offer)}"
    if offer["id"].startswith(before) and offer["id"].endswith(behind):
        return offer["id"][len(before) - 1:-len(behind)].lstrip(".")
    return None


class Identity(unittest.TestCase):
    def setUp(self):
        self.offers = json.loads((ROOT / "deploy/catalog/offers.json").read_text(encoding="utf-8"))

    def test_ids_are_made_of_what_identifies_the_offer(self):
        for offer in self.offers:
            if offer["id"].startswith(ENTRIES) or offer["id"] in EARLIER:
                continue
            place = place_in(offer)
            self.assertIsNotNone(place, offer["id"])
            is_zone = offer["purchase"] == "spot" and re.fullmatch(r"[a-z0-9]+-az[0-9]", place)  # as Amazon calls them
            self.assertTrue(place == slug(offer.get("region", "")) or is_zone, offer["id"])

    def test_renamed_ids_are_gone_and_their_new_ones_are_here(self):
        text = (ROOT / "server/documents/renamed.cpp").read_text(encoding="utf-8")
        renamed = re.findall(r'\{Kind::offer, "([^"]+)",\s*"([^"]+)"\}', text)
        self.assertEqual(len(renamed), text.count("{Kind::"))
        ids = {offer["id"] for offer in self.offers}
        self.assertEqual([old for old, _ in renamed], sorted({old for old, _ in renamed}))
        self.assertEqual({old for old, _ in renamed} & ids, set())
        self.assertEqual({new for _, new in renamed} - ids, set())


class NewerLists(unittest.TestCase):
    def measure(self, folder, lists):
        """Prints, for each list, how many of the offers that it sells get its price, and which do not."""
        for format, provider, file in lists:
            with self.subTest(file), tempfile.TemporaryDirectory() as place:
                database = pathlib.Path(place, "store.db")
                self.run_costcurve("import", "json", *sorted(map(str, (ROOT / "deploy/catalog").glob("*.json"))), database=database)
                shipped = json.loads((ROOT / "deploy/catalog/offers.json").read_text(encoding="utf-8"))
                options = ["--provider", provider] if format == "skypilot" else []
                answer = self.run_costcurve("import", format, *options, "--date", NEWER, "--force", "--json", str(folder / file),
                                            database=database)
                stored = {offer["id"]: offer for offer in json.loads(self.run_costcurve("export", database=database))["offers"]}
                sold = (sold_by_skypilot if format == "skypilot" else sold_by_tpu_prices)(folder / file)
                prices = {offer["id"]: sold[key] for offer in shipped if offer["provider"] == provider
                          and (key := (offer.get("sku"), purchase_word(offer), place_in(offer))) in sold}
                points = {id: price["points"][-1] if isinstance(price := stored[id]["hourly_price"], dict) else ["", price]
                          for id in prices}
                missed = sorted(id for id in prices if points[id][0] != NEWER)
                print(f"{pathlib.Path(file).name}: {len(prices) - len(missed)} of {len(prices)} shipped offers get their new price"
                      + "".join(f"\n  not {id}" for id in missed), file=sys.stderr)
                self.assertGreater(len(prices), 0)
                self.assertLessEqual(len(missed), (1 - MIN_REACHED) * len(prices), json.loads(answer)["rejected"]["first"][:3])
                for id in prices.keys() - missed:
                    if prices[id] is not None:
                        self.assertEqual(points[id][1], prices[id], id)

    def run_costcurve(self, *arguments, database):
        done = subprocess.run([COSTCURVE, *arguments, "--database", str(database)], capture_output=True, text=True, timeout=120)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_of_cut_lists_change_the_shipped_offers(self):
        self.measure(ROOT / "tests/catalog/lists", LISTS)

    def test_of_whole_lists_change_the_shipped_offers(self):
        shared = ROOT.parent / "shared/data"
        if not (shared / "skypilot-catalog").is_dir():
            self.skipTest("../shared/data is not here: the whole lists are not tried")
        self.measure(shared, WHOLE_LISTS)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    COSTCURVE, ROOT = str(pathlib.Path(sys.argv.pop(1)).resolve()), pathlib.Path(sys.argv.pop(1)).resolve()
    skips.main()
