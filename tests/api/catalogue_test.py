"""The catalogue and the examples as deploy/run stores them: newer prices change the shipped scenarios' figures, and stores that
hold the catalogue under earlier ids go on.

usage: catalogue_test.py COSTCURVE ROOT [unittest options]
"""

import gzip
import json
import os
import pathlib
import subprocess
import sys
import unittest

from command_line_case import PATIENCE_S, SERVER, CommandLineCase, environment
from daemon import Daemon

ROOT = pathlib.Path()
OLD, NEW = "market.8x-h100.reserved-36", "market.8x-h100.reserved-36-upfront"


def parts(value, name=""):
    """(name of the field, its value) of all fields, at any depth."""
    if isinstance(value, dict):
        for field, inner in value.items():
            yield field, inner
            yield from parts(inner, field)
    elif isinstance(value, list):
        for inner in value:
            yield from parts(inner, name)


class CatalogueTest(CommandLineCase):
    def store(self):
        done = subprocess.run([ROOT / "deploy/catalog/store", self.costcurve, "--database", self.database],
                              capture_output=True, text=True, timeout=PATIENCE_S, env=environment())
        self.assertEqual(done.returncode, 0, done.stderr)

    def verb(self, *arguments):
        status, out, said = self.run_costcurve(*arguments, "--database", self.database)
        self.assertEqual(status, 0, said)
        return out

    def by_old_id(self):
        scenario = json.loads((ROOT / "examples/serving_70b/cloud_reserved.json").read_text(encoding="utf-8"))
        scenario["pools"][0]["offer"] = OLD
        return {**scenario, "id": "by-old-id"}

    def cost(self, daemon, scenario):
        status, _, result = daemon.ask("POST", "/v1/evaluate", {"scenario": scenario})
        self.assertEqual(status, 200, result)
        return result["total"]["cost"]

    def test_decisions_are_between_examples_that_can_be_compared(self):
        self.store()
        exported = json.loads(self.verb("export"))
        names = {document["id"]: document for document in exported["decisions"]}
        self.assertEqual(names["serve-llama-70b"]["name"], "Serve Llama 3.1 70B, 2027 to 2029")
        self.assertEqual(len(names["serve-llama-70b"]["scenarios"]), 7)
        with Daemon(self.costcurve, self.directory) as daemon:
            for decision in exported["decisions"]:
                self.assertEqual(sorted(decision["colours"]), sorted(decision["scenarios"]), decision["id"])
                status, _, compared = daemon.ask("POST", "/v1/compare", {"scenarios": decision["scenarios"]})
                self.assertEqual(status, 200, compared)
                self.assertTrue(compared["comparable"], f"{decision['id']}: {compared['differences']}")

    def test_examples_are_stored_with_references_to_what_the_catalogue_has(self):
        self.store()
        exported = json.loads(self.verb("export"))
        shipped = {kind: {document["id"] for document in exported[kind + "s"]}
                   for kind in ("offer", "server", "site", "performance")}
        referred = 0
        for scenario in exported["scenarios"]:
            for name, value in parts(scenario):
                if name in shipped:
                    self.assertNotIn(value.get("id") if isinstance(value, dict) else None, shipped[name], scenario["id"])
                    referred += isinstance(value, str)
        self.assertGreater(referred, 80)
        self.assertIn("assumed.8x-next-generation", json.dumps(exported["scenarios"]))  # what the catalogue has not stays inline

    def test_a_newer_price_list_changes_the_shipped_scenarios(self):
        self.store()
        shipped = json.loads(self.run_costcurve("evaluate", "--format", "json",
                                                str(ROOT / "examples/serving_70b/cloud_on_demand.json"))[1])
        newer = (ROOT / "tests/catalog/lists/lambda_vms_2026-04-06.csv").read_text(encoding="utf-8").replace(",31.92,", ",19.152,")
        with Daemon(self.costcurve, self.directory) as daemon:
            before = {name: self.cost(daemon, f"serving-70b.{name}") for name in ("cloud-on-demand", "hybrid", "owned")}
            # The store has the model: requests of 350 tokens out have what follows from the rate of those of 352.
            self.assertAlmostEqual(before["cloud-on-demand"], shipped["total"]["cost"], delta=1e-3 * before["cloud-on-demand"])
            status, _, answer = daemon.ask("POST", "/v1/imports?format=skypilot&provider=lambda&date=2026-11-22", newer.encode(),
                                           {"Content-Type": "text/csv"})
            self.assertEqual((status, answer["documents"]["changed"]), (200, 2), answer)  # the offers of two SKUs, without a region
            after = {name: self.cost(daemon, f"serving-70b.{name}") for name in before}
        self.assertAlmostEqual(after["cloud-on-demand"], before["cloud-on-demand"] * 0.6, delta=1e-9 * before["cloud-on-demand"])
        self.assertLess(after["hybrid"], before["hybrid"])
        self.assertEqual(after["owned"], before["owned"])

    def test_a_scenario_that_names_old_ids_is_imported_and_evaluated(self):
        self.store()
        self.verb("import", "json", self.write("scenarios.json", [self.by_old_id()]))
        with Daemon(self.costcurve, self.directory) as daemon:
            self.assertEqual(self.cost(daemon, "by-old-id"), self.cost(daemon, "serving-70b.cloud-reserved"))
            self.assertEqual(daemon.ask("GET", f"/v1/offers/{OLD}")[2]["id"], NEW)
        self.assertIn(f'"offer": "{OLD}"', json.dumps(json.loads(self.verb("export"))["scenarios"]))
        self.assertIn("is whole", self.verb("check"))

    @unittest.skipIf(SERVER, "it is of a time of files alone")
    def test_a_store_with_the_ids_of_before_takes_the_catalogue_and_keeps_its_own(self):
        (self.directory / "store.db").write_bytes(gzip.decompress((ROOT / "tests/stores/store-2a0342f.db.gz").read_bytes()))
        before = json.loads(self.verb("export"))
        self.assertIn(OLD, {offer["id"] for offer in before["offers"]})
        self.verb("import", "json", *map(str, sorted((ROOT / "deploy/catalog").glob("*.json"))))
        by_old_id = self.by_old_id()
        with Daemon(self.costcurve, self.directory) as daemon:
            _, _, old = daemon.ask("GET", f"/v1/offers/{OLD}")
            self.assertEqual((old["id"], old["revision"]), (OLD, 1), "what is stored under an id is what it names")
            self.assertEqual(daemon.ask("GET", f"/v1/offers/{NEW}")[2]["id"], NEW)
            offer = {name: value for name, value in old.items() if name not in ("revision", "recorded_at", "recorded_by")}
            self.assertEqual(daemon.ask("PUT", f"/v1/offers/{OLD}", {**offer, "hourly_price": 2 * old["hourly_price"]})[0], 200)
            new = {**by_old_id, "pools": [{**by_old_id["pools"][0], "offer": NEW}]}
            self.assertGreater(self.cost(daemon, by_old_id), self.cost(daemon, new))
            for scenario in before["scenarios"]:
                self.cost(daemon, scenario["id"])
        self.assertIn("is whole", self.verb("check"))


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    CommandLineCase.costcurve = os.path.abspath(sys.argv.pop(1))
    ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
