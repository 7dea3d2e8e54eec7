"""Stored curves of money from before schema 19 take the one currency of all that use them, once; the past reads as it did.

usage: curve_currencies_test.py COSTCURVE ROOT [unittest options]
"""

import contextlib
import gzip
import os
import pathlib
import sqlite3
import sys
import unittest

from command_line_case import SERVER, CommandLineCase, changed, postgres, rows_of
from daemon import Daemon

ROOT = pathlib.Path()
HOURS = 744  # of January


def tariff(value, **members):
    return {"kind": "tariff", "axis": "hour_of_day", "interpolation": "step", "points": [[0, value]], **members}


def price(value, **members):
    return {"kind": "price", "axis": "date", "interpolation": "step", "points": [["2026-01-01", value]], **members}


def renting(hourly_price, **members):
    scenario = changed(**members)
    scenario["pools"][0]["offer"] |= {"hourly_price": hourly_price}
    return scenario


class CurveCurrencies(CommandLineCase):
    def daemon(self):
        return Daemon(self.costcurve, self.directory)

    def put(self, daemon, kind, name, document):
        status, _, answer = daemon.ask("PUT", f"/v1/{kind}/{name}", document)
        self.assertIn(status, (200, 201), answer)
        return answer

    def evaluated(self, daemon, scenario, status=200, **members):
        answered, _, answer = daemon.ask("POST", "/v1/evaluate", {"scenario": scenario, **members})
        self.assertEqual(answered, status, answer)
        return answer

    def make_due(self):
        """As if a program of before schema 19 had written what is stored."""
        change = "INSERT INTO upgrade_due (name) VALUES ('curve_currencies')"
        if SERVER:
            postgres.sql(self.database, change)
            return
        with contextlib.closing(sqlite3.connect(self.database)) as side, side:
            side.execute(change)

    def currency_of(self, daemon, curve, as_of=None):
        status, _, answer = daemon.ask("GET", f"/v1/curves/{curve}" + (f"?as_of={as_of}" if as_of else ""))
        self.assertEqual(status, 200, answer)
        return answer.get("currency"), answer["revision"]

    def test_a_curve_takes_the_one_currency_of_all_that_use_it(self):
        with self.daemon() as daemon:
            for name in ("euro", "both", "unused", "by-scenario", "nested"):
                self.put(daemon, "curves", name, tariff(0.1))
            self.put(daemon, "curves", "stated", tariff(0.1, currency="GBP"))
            self.put(daemon, "curves", "pounds", price(2))
            self.put(daemon, "curves", "grid", {**tariff(400), "kind": "carbon"})
            site = {"currency": "EUR", "carbon_g_per_kwh": "grid"}
            self.put(daemon, "sites", "a", {**site, "energy_price": "euro"})
            self.put(daemon, "sites", "b", {**site, "energy_price": "euro"})
            self.put(daemon, "sites", "c", {**site, "energy_price": "both"})
            self.put(daemon, "sites", "d", {**site, "energy_price": "both", "currency": "USD"})
            self.put(daemon, "sites", "e", {**site, "energy_price": "stated"})
            self.put(daemon, "sites", "nested", {"energy_price": "nested"})
            offer = {**changed()["pools"][0]["offer"], "site": "nested", "currency": "USD"}
            offer["device"] = self.put(daemon, "devices", "d", offer["device"])["id"]
            self.put(daemon, "offers", "o", offer)
            in_pounds = renting("pounds", currency="GBP")
            in_pounds["pools"][0]["offer"]["site"] = {"energy_price": "by-scenario"}
            self.put(daemon, "scenarios", "pounds", in_pounds)
            in_yen = changed(currency="JPY", exchange_rates={"USD": 150})
            in_yen["pools"][0]["offer"] = "o"
            self.put(daemon, "scenarios", "yen", in_yen)
            before = self.evaluated(daemon, "pounds")
            self.assertIn("currency_unknown", [warning["code"] for warning in before["warnings"]])
        last = rows_of(self.database, "SELECT max(sequence) FROM change")[0][0]
        self.make_due()
        expected = {"euro": "EUR", "both": None, "unused": None, "stated": "GBP", "pounds": "GBP", "by-scenario": "GBP",
                    "nested": "JPY", "grid": None}
        with self.daemon() as daemon:
            for curve, currency in expected.items():
                is_new = currency and curve != "stated"
                self.assertEqual(self.currency_of(daemon, curve), (currency, 2 if is_new else 1), curve)
                self.assertEqual(self.currency_of(daemon, curve, f"@{last}"), (currency if not is_new else None, 1), curve)
            after = self.evaluated(daemon, "pounds")
            self.assertEqual(after["total"]["cost"], before["total"]["cost"])
            self.assertNotIn("currency_unknown", [warning["code"] for warning in after["warnings"]])
            again = self.evaluated(daemon, "pounds", as_of=f"@{last}")
            self.assertEqual(again, before, "what was known then is answered as it was")
            audit = daemon.ask("GET", "/v1/audit?limit=1")[2]["items"][0]
            self.assertEqual((audit["author"], audit["action"], audit["subject"]), ("upgrade", "upgrade", "currencies of 4 curves"))
            self.put(daemon, "curves", "later", tariff(0.1))
            self.put(daemon, "sites", "later", {"currency": "EUR", "energy_price": "later"})
        with self.daemon() as daemon:
            self.assertEqual(self.currency_of(daemon, "later"), (None, 1), "it is done once")
        status, out, said = self.run_costcurve("check", "--database", self.database)
        self.assertEqual(status, 0, said)
        self.assertIn("is whole", out)

    def test_stores_of_earlier_programs_are_upgraded(self):
        old = self.directory / "old.db"
        old.write_bytes(gzip.decompress((ROOT / "tests/stores/store-3913899.db.gz").read_bytes()))
        self.assertEqual(self.run_costcurve("copy", "--from", str(old), "--to", self.database)[0], 0)
        last = rows_of(self.database, "SELECT max(sequence) FROM change")[0][0]
        named = "tariff.be-day-ahead-2022.hour-of-week"
        scenario = {
            **changed(currency="USD", exchange_rates={"EUR": 1.1}),
            "pools": [{"id": "pool", "kind": "owned", "purchases": [{"month": 0, "servers": 1}], "site": "site.be-day-ahead",
                       "server": {"device": {"kind": "gpu", "tdp_w": 500}, "devices": 1, "price": 1, "life_months": 12}}]}
        with self.daemon() as daemon:
            self.assertEqual(self.currency_of(daemon, named), ("EUR", 2))
            self.assertEqual(self.currency_of(daemon, named, f"@{last}"), (None, 1))
            now, then = self.evaluated(daemon, scenario), self.evaluated(daemon, scenario, as_of=f"@{last}")
            self.assertEqual(now["total"]["cost"], then["total"]["cost"])
            self.assertEqual([warning["code"] for warning in then["warnings"] if warning not in now["warnings"]],
                             ["currency_unknown"])

    def test_a_curve_in_pounds_is_never_billed_as_dollars(self):
        with self.daemon() as daemon:
            self.put(daemon, "curves", "pounds", price(2, currency="GBP"))
            refused = self.evaluated(daemon, renting("pounds"), 422)
            self.assertEqual([(issue["pointer"], issue["code"]) for issue in refused["errors"]],
                             [("/scenario/pools/0/offer/hourly_price/currency", "missing_exchange_rate")])
            scenario = renting("pounds", exchange_rates={"GBP": 1.27})
            self.assertAlmostEqual(self.evaluated(daemon, scenario)["total"]["cost"], HOURS * 2 * 1.27, places=9)
            status, _, tree = daemon.ask("POST", "/v1/explain", {"scenario": scenario, "figure": "/total/cost"})
            self.assertEqual(status, 200, tree)
            found = []

            def visit(term):
                found.extend(item for item in term["inputs"] if item["name"] == "/pools/0/offer/hourly_price")
                for part in term["terms"]:
                    visit(part)
            visit(tree)
            self.assertEqual({(item["currency"], item["exchange_rate"], item["unit"]) for item in found},
                             {("GBP", 1.27, "USD/instance-hour")})
            status, _, wrong = daemon.ask("PUT", "/v1/curves/grid", {**tariff(400, currency="GBP"), "kind": "carbon"})
            self.assertEqual((status, wrong["errors"][0]["pointer"], wrong["errors"][0]["code"]), (422, "/currency", "not_allowed"))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    CommandLineCase.costcurve = os.path.abspath(sys.argv.pop(1))
    ROOT = pathlib.Path(sys.argv.pop(1))
    unittest.main()
