"""Holds measurements.json and the links of devices to what the catalogue promises.

usage: measurements_test.py ROOT    (the repository's root)
"""
import csv
import json
import pathlib
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 and not sys.argv[1].startswith("-") else ".")
CATALOG = ROOT / "deploy" / "catalog"


def catalogue(kind):
    return {document["id"]: document for document in json.loads((CATALOG / f"{kind}.json").read_text(encoding="utf-8"))}


class Measurements(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.measurements = catalogue("measurements")
        with open(CATALOG / "sources/measured_rates.csv", encoding="utf-8", newline="") as file:
            cls.rows = list(csv.DictReader(file))

    def test_there_are_thousands_of_points(self):
        points = sum(len(one["points"].get("output", [])) for one in self.measurements.values())
        self.assertGreaterEqual(points, 4000)
        self.assertGreater(points, 0.95 * len(self.rows), "rows that say the same are one, and no others are left out")

    def test_training_runs_are_all_of_their_source(self):
        with open(CATALOG / "sources/measured_training.csv", encoding="utf-8", newline="") as file:
            rows = len(list(csv.DictReader(file)))
        runs = [one["points"] for one in self.measurements.values() if one.get("kind") == "training"]
        self.assertEqual(sum(len(points["tokens_per_s"]) for points in runs), rows)
        self.assertTrue(all(len(points["sequence"]) == len(points["tokens_per_s"]) for points in runs))

    def test_models_and_devices_are_in_the_catalogue(self):
        models, devices = catalogue("models"), catalogue("devices")
        for name, one in self.measurements.items():
            self.assertIn(one["model"], models, name)
            self.assertIn(one["device"], devices, name)
            self.assertIn("attention", models[one["model"]], f"{name}: the shape of its model is known")
            self.assertIn("links", devices[one["device"]], f"{name}: the links of its device are known")

    def test_doubts_are_kept(self):
        doubtful = sum(bool(row["doubt"]) for row in self.rows)
        kept = sum(len(one["points"]["output"]) for one in self.measurements.values() if "doubt" in one)
        self.assertGreater(doubtful, 200)
        self.assertGreater(kept, 0.9 * doubtful)

    def test_links_are_those_of_the_table(self):
        devices = catalogue("devices")
        with open(CATALOG / "sources/links.csv", encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file):
                links = devices[row["device"]]["links"]
                self.assertEqual(float(row["gb_per_s_one_way"]), links["intra_gb_per_s"], row["device"])
                self.assertEqual(row["pcie"] == "yes", links["kind"] == "pcie", row["device"])


unittest.main()
