"""Holds the catalogue to what deploy/catalog/README.md says of it: which devices lack an offer, a server or a performance, and
which prices are old.

usage: coverage_test.py ROOT    (the repository's root)
"""
import json
import pathlib
import re
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else ".")
CATALOG = ROOT / "deploy" / "catalog"
MAX_EXCEPTIONS = 12
HISTORICAL_BEFORE = "2025"
EXCEPTION = re.compile(r"^\| `([a-z0-9.-]+)` \| (offer|performance|offer, performance) \| (.+) \|$", re.MULTILINE)
PART = re.compile(r"^\| `([a-z0-9.-]+)` \| `([a-z0-9.-]+)` \| 1/(\d+) \|$", re.MULTILINE)


def load(kind):
    return json.loads((CATALOG / f"{kind}.json").read_text(encoding="utf-8"))


class Coverage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.by_id = {device["id"]: device for device in load("devices")}
        cls.offers = load("offers")
        cls.obtainable = {offer["device"] for offer in cls.offers} | {server["device"] for server in load("servers")}
        cls.measured = {performance["device"] for performance in load("performances")}
        cls.readme = (CATALOG / "README.md").read_text(encoding="utf-8")
        cls.parts = {part: (whole, int(count)) for part, whole, count in PART.findall(cls.readme)}
        cls.devices = cls.by_id.keys() - cls.parts.keys()
        cls.exceptions = {device: set(lacks.split(", ")) for device, lacks, _ in EXCEPTION.findall(cls.readme)}

    def lacking(self, what):
        return {device for device, lacks in self.exceptions.items() if what in lacks}

    def test_devices_without_an_offer_or_server_are_those_of_the_list(self):
        self.assertEqual(self.devices - self.obtainable, self.lacking("offer"))

    def test_devices_without_a_performance_are_those_of_the_list(self):
        self.assertEqual(self.devices - self.measured, self.lacking("performance"))

    def test_a_part_of_a_card_has_its_fraction_of_the_cards_figures(self):
        self.assertGreater(len(self.parts), 0)
        for part, (whole, count) in self.parts.items():
            for name in ("memory_gib", "memory_bandwidth_gb_per_s", "idle_w", "tdp_w"):
                self.assertAlmostEqual(self.by_id[part][name] * count / self.by_id[whole][name], 1, 4, (part, name))
            peaks = self.by_id[whole]["peak_flops"]
            self.assertEqual(self.by_id[part]["peak_flops"].keys(), peaks.keys(), part)
            for name, peak in self.by_id[part]["peak_flops"].items():
                self.assertAlmostEqual(peak * count / peaks[name], 1, 4, (part, name))

    def test_the_list_is_short(self):
        self.assertTrue(0 < len(self.exceptions) <= MAX_EXCEPTIONS, self.exceptions)

    def test_old_prices_say_that_they_are(self):
        for offer in self.offers:
            price = offer["hourly_price"]
            if isinstance(price, dict):
                is_old = price["points"][-1][0] < HISTORICAL_BEFORE
                self.assertEqual(offer.get("note", "").startswith("Historical:"), is_old, offer["id"])

    def test_prices_of_several_days_follow_one_another(self):
        for offer in self.offers:
            price = offer["hourly_price"]
            if isinstance(price, dict):
                days = [day for day, _ in price["points"]]
                self.assertEqual(days, sorted(set(days)), offer["id"])

    def test_no_two_offers_have_one_identity(self):
        seen = {}
        for offer in self.offers:
            if offer["id"].startswith("dawnbench.") or "dawnbench-" in offer["id"]:
                continue
            identity = tuple(offer.get(name) for name in ("provider", "sku", "region", "zone", "purchase", "term_months"))
            other = seen.setdefault(identity + (bool(offer.get("upfront")),), offer["id"])
            self.assertEqual(other, offer["id"])


unittest.main()
