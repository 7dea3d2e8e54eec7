"""Published manifests and plans come to the right offers and counts, with the models that they serve; what is not known or not read
is listed with its count. Each row of published_deployments.py and published_later.py names its source.

usage: deployed_published_test.py COSTCURVE
"""

import copy
import json
import os
import random
import sys
import unittest

from command_line_case import CommandLineCase, offer_of
from published_deployments import MANIFESTS, PLANS
from published_later import KNOWN_WRONG, LATER_MANIFESTS, LATER_OFFERS, LATER_PLANS

DAY = ["--today", "2026-11-29"]


def offer(name, sku, device, devices, region="", purchase="on_demand"):
    return {"id": name, "provider": name.split(".")[0], "sku": sku, "device": device, "devices": devices, "region": region,
            "purchase": purchase, "hourly_price": 10, "currency": "USD"}


H100, H200 = "nvidia.h100-sxm5-80gb", "nvidia.h200-sxm-141gb"
OFFERS = [
    offer("aws.p5.48xlarge.us-east-1.on-demand", "p5.48xlarge", H100, 8, "us-east-1"),
    offer("azure.standard-nc4as-t4-v3.eastus.on-demand", "Standard_NC4as_T4_v3", "nvidia.t4", 1, "eastus"),
    offer("coreweave.4x-gb200.all.on-demand", "4x gb200", "nvidia.gb200", 4),
    offer("coreweave.8x-h200.all.on-demand", "8x h200-sxm-141gb", H200, 8),
    offer("gcp.g2-standard-4.us-central1.on-demand", "g2-standard-4", "nvidia.l4", 1, "us-central1"),
    offer("gcp.tpu-v5e-chip.us-central1.on-demand", "tpu-v5e-chip", "google.tpu-v5e", 1, "us-central1"),
    offer("gcp.tpu-v6e-8.us-central1.on-demand", "tpu-v6e-8", "google.tpu-v6e", 8, "us-central1"),
    offer("gcp.tpu-v2-8.us-central1.spot", "tpu-v2-8", "google.tpu-v2", 4, "us-central1", "spot"),
    offer("lambda.gpu-1x-a10.all.on-demand", "gpu_1x_a10", "nvidia.a10", 1),
    *(offer(*row) for row in LATER_OFFERS),
]
PRICES = {"offers": OFFERS,
          "devices": [{"id": name, "kind": "gpu", "tdp_w": 500} for name in sorted({row["device"] for row in OFFERS})]}


EVERY = MANIFESTS + PLANS + LATER_MANIFESTS + LATER_PLANS
SEED, COUNT = 44, 150
ODD = [None, "", "{{ x }}", "8", -1, 0, 1.5, 1e300, True, [], {}, [[]], [{}], {"a": {}}, "x" * 3000, "\u0007"]


def places_in(value):
    """Each holder and key of a document."""
    for key, member in list(value.items() if isinstance(value, dict) else enumerate(value)):
        yield value, key
        if isinstance(member, (dict, list)):
            yield from places_in(member)


class PublishedTest(CommandLineCase):
    def holds(self, rows):
        prices = self.write("prices.json", PRICES)
        for source, documents, offers, pools, asked, not_read in rows:
            with self.subTest(source=source):
                if source[0] in KNOWN_WRONG:
                    self.skipTest(KNOWN_WRONG[source[0]])
                files = [self.write(f"{i}.json", document) for i, document in enumerate(documents)]
                options = [word for name, stated in offers.items() for word in ("--offer", f"{name}={stated}")]
                status, out, said = self.run_costcurve("read", *files, *DAY, "--prices", prices, *options)
                self.assertEqual(status, 0 if pools else 2, said)
                scenario = json.loads(out) if out else {"pools": []}
                self.assertEqual({offer_of(pool): (pool["min_instances"], pool["max_instances"]) for pool in scenario["pools"]},
                                 pools)
                self.assertEqual(said.partition("not read\n")[0].count("    "), len(asked), said)
                for text in asked:
                    self.assertIn(text, said)
                for what, count in not_read:
                    self.assertIn(f"{count} × {what}: ", said)
                self.assertEqual("not read\n" in said, bool(not_read), said)
                self.assertNotIn("hf_not_a_real_token", out + said)

    def test_manifests_come_to_offers_and_counts(self):
        self.holds(MANIFESTS + LATER_MANIFESTS)

    def test_plans_come_to_offers_and_counts(self):
        self.holds(PLANS + LATER_PLANS)

    def test_at_least_twenty_are_held_each_by_a_source_of_its_own(self):
        sources = [row[0] for row in EVERY]
        self.assertGreaterEqual(len(set(sources)), 20)
        self.assertEqual(len(sources), len(set(sources)))
        for repository, path, commit in sources:
            self.assertRegex(repository, r"^[\w.-]+/[\w.-]+$")
            self.assertRegex(commit, r"^[0-9a-f]{40}$")
            self.assertTrue(path)

    def test_distorted_documents_end_by_a_status(self):
        """One value of one document is replaced: it is read or refused, and no accelerator comes from nowhere."""
        chance = random.Random(SEED)
        prices = self.write("prices.json", PRICES)
        for number in range(COUNT):
            documents = copy.deepcopy(chance.choice(EVERY)[1])
            places = [(holder, key) for document in documents for holder, key in places_in(document)]
            holder, key = chance.choice(places)
            value = holder[key] = chance.choice(ODD)
            files = [self.write(f"{i}.json", document) for i, document in enumerate(documents)]
            with self.subTest(seed=SEED, number=number, key=key, value=value):
                status, out, said = self.run_costcurve("read", *files, *DAY, "--prices", prices)
                self.assertIn(status, (0, 2))
                self.assertTrue(said or out or value in (None, [], {}), "nothing is dropped")
                self.assertNotIn("costcurve: ", said)

    def test_what_has_no_price_is_asked_for_with_all_its_accelerators(self):
        """The same without --offer: nothing of a cost that is not known passes."""
        prices, rules = self.write("prices.json", PRICES), self.write("rules.json", {"rules": [{"figure": "read_whole"}]})
        for source, documents, offers, *_ in MANIFESTS + LATER_MANIFESTS:
            if offers:
                with self.subTest(source=source):
                    files = [self.write(f"{i}.json", document) for i, document in enumerate(documents)]
                    status, out, _ = self.run_costcurve("gate", *files, "--rules", rules, "--format", "json", *DAY,
                                                        "--prices", prices)
                    self.assertEqual((status, json.loads(out)["outcome"]), (2, "unknown"))


if __name__ == "__main__":
    CommandLineCase.costcurve = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=2)
