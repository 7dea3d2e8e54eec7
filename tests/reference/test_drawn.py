"""Every price of a scenario is drawn by the random scenarios: one that is not would be compared with nothing."""
import json
import pathlib
import re
import unittest

HERE = pathlib.Path(__file__).resolve().parent
DOCUMENTS = ("server", "site", "offer", "finance", "workload", "pool")


class DrawnTest(unittest.TestCase):
    def test_prices_are_drawn(self):
        schemas = json.loads((HERE.parent.parent / "docs/openapi.json").read_text(encoding="utf-8"))["components"]["schemas"]
        drawn = set(re.findall(r"\w+", "".join(file.read_text(encoding="utf-8") for file in HERE.glob("random_*.py"))))
        prices = {name for document in DOCUMENTS for name, field in schemas[document]["properties"].items()
                  if field.get("x-unit", "").startswith("currency")}
        self.assertGreater(len(prices), 10)
        self.assertEqual(set(), prices - drawn)


if __name__ == "__main__":
    unittest.main()
