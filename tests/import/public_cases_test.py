"""Small inputs that were read wrongly once, ../shared/cases/public-3, with the values that are right. Those that a unit test reads
are not repeated here. Skips where the files are not there; each promise has a unit test with a text of its own.

usage: python3 tests/import/public_cases_test.py COSTCURVE REPOSITORY [unittest options]
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "support"), str(ROOT / "api")]

import skips  # noqa: E402 pylint: disable=wrong-import-position
from daemon import Daemon  # noqa: E402 pylint: disable=wrong-import-position

COSTCURVE = ""
REPOSITORY = pathlib.Path()


class PublicCasesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cases = REPOSITORY.parent / "shared/cases/public-3"
        if not cls.cases.is_dir():
            raise unittest.SkipTest("../shared/cases/public-3 is not here: strangers' files are not imported")

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def catalogue(self):
        self.run_costcurve("import", "json", *sorted((REPOSITORY / "deploy/catalog").glob("*.json")))

    def run_costcurve(self, *arguments, status=0):
        done = subprocess.run([COSTCURVE, *map(str, arguments), "--database", self.folder / "store.db"], capture_output=True,
                              text=True, check=False)
        self.assertEqual(done.returncode, status, done.stderr)
        return done.stdout

    def imported(self, name, *arguments, folder=None, status=0):
        file = (folder or self.cases) / arguments[-1]
        return json.loads(self.run_costcurve("import", name, "--json", *arguments[:-1], file, status=status))

    def telemetry(self, *names):
        """What each file's samples come to by hour, in stores of their own: {metric: (device, mean)}."""
        read = []
        for name in names:
            with tempfile.TemporaryDirectory() as folder, Daemon(COSTCURVE, pathlib.Path(folder)) as daemon:
                status, _, answer = daemon.ask("POST", "/v1/telemetry", (self.cases / name).read_bytes(),
                                               {"Content-Type": "text/plain"})
                self.assertEqual((status, answer["rejected"]["count"]), (200, 0), answer)
                _, _, page = daemon.ask("GET", "/v1/telemetry")
                read.append({item["metric"]: (item["device"], item["mean"]) for item in page["items"]})
        return read

    def test_metrics_of_amds_exporter_with_a_prefix_are_those_without_it(self):
        metrics, = self.telemetry("amd-prefix.prom")
        self.assertEqual(metrics["power_w"], ("amd.mi300x", 512))
        self.assertEqual(metrics["utilization"], ("amd.mi300x", 0.97))

    def test_the_order_of_lines_of_a_scrape_decides_nothing(self):
        first, second = self.telemetry("dcgm-order-a.prom", "dcgm-order-b.prom")
        self.assertEqual(first, second)
        self.assertEqual({name: mean for name, (_, mean) in first.items()}, {"utilization": 0.8, "engine_utilization": 0.35})

    def test_floors_of_an_auction_are_no_prices_and_win_nothing(self):
        self.catalogue()
        summary = self.imported("skypilot", "--provider", "mithril", "--date", "2026-10-20", "bid-floors.csv", status=2)
        self.assertGreater(summary["held"], 0, "the list as a whole")
        self.assertTrue(any("floor" in row["reason"] for row in summary["warnings"]["first"]), summary["warnings"])
        offers = json.loads(self.run_costcurve("export"))["offers"]
        prices = [offer["hourly_price"]["points"][-1][1] for offer in offers if offer["provider"] == "mithril"]
        self.assertTrue(all(price > 1 for price in prices), f"0.01 and 0.08 USD an hour are no prices of A100 and B200: {prices}")
        ranking = json.loads(self.run_costcurve("rank", "llama-3.1-70b", "--rps", "5", "--input", "500", "--output", "300",
                                                "--months", "12", "--start", "2026-12", "--format", "json"))
        self.assertGreater(ranking["plans"][0]["decisive"], 7008, "ten times what plan 1 cost by the floors")

    def test_a_bill_does_not_advise_to_delete_a_price_of_a_list(self):
        self.catalogue()
        summary = self.imported("focus", "focus-advice.csv")
        said = " ".join(row["reason"] for row in summary["warnings"]["first"])
        self.assertNotIn("delete", said)
        hours = (self.cases / "focus-advice.csv").read_text(encoding="utf-8").replace(",Hours,", ",GPU Hours,")
        (self.folder / "gpu-hours.csv").write_text(hours, encoding="utf-8")
        summary = self.imported("focus", "gpu-hours.csv", folder=self.folder)
        said = " ".join(row["reason"] for row in summary["warnings"]["first"])
        self.assertIn('in "GPU Hours" or another unit than hours of an instance: no price paid is made of them', said)

    def test_a_year_in_utc_is_a_tariff_though_the_zone_cuts_an_hour_off(self):
        subprocess.run([sys.executable, self.cases / "utc-year.py"], cwd=self.folder, check=True)
        summary = self.imported("day_ahead", "--id", "dk2", "--time-zone", "Europe/Copenhagen", "utc-year.csv", folder=self.folder)
        self.assertTrue(any("2025-01-01 00:00" in row["reason"] for row in summary["warnings"]["first"]), summary["warnings"])
        curve, = (one for one in json.loads(self.run_costcurve("export"))["curves"] if one["axis"] == "hour_of_year")
        self.assertTrue(all(abs(price - 0.0515) < 1e-9 for _, price in curve["points"]), "four quarters at 50 to 53 EUR/MWh")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    COSTCURVE = str(pathlib.Path(sys.argv.pop(1)).resolve())
    REPOSITORY = pathlib.Path(sys.argv.pop(1)).resolve()
    skips.main()
