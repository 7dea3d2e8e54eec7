"""Holds package.json and package-lock.json to what Debian's npm 9 and today's npm both read. usage: packages_test.py ROOT"""
import json
import pathlib
import sys
import unittest

ROOT = pathlib.Path(sys.argv.pop() if len(sys.argv) > 1 else ".")
# rapidoc's bundle contains what it depends on: the lock file names nothing below these, or 116 packages more would be installed.
BUNDLES = ("rapidoc", "echarts", "@fontsource-variable/inter")
# Debian 12's Node.js.
NODE_MAJOR = 18


class Packages(unittest.TestCase):
    def setUp(self):
        self.package = json.loads((ROOT / "package.json").read_text(encoding="utf-8"))
        self.lock = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))
        self.locked = {path: entry for path, entry in self.lock["packages"].items() if path}

    def test_npm_9_reads_it_invalid_comparator_of_an_alias_in_overrides(self):
        self.assertNotIn("overrides", self.package)
        for text in (json.dumps(self.package), json.dumps(self.lock)):
            self.assertNotIn('"npm:', text)
        for path, entry in self.locked.items():
            self.assertNotIn("name", entry, f"{path} is an alias")

    def test_the_lock_file_names_versions_and_hashes_and_no_address(self):
        for path, entry in self.locked.items():
            self.assertNotIn("resolved", entry, path)
            self.assertTrue(entry["integrity"].startswith("sha512-"), path)

    def test_the_lock_file_of_the_conformance_suite_is_like_it(self):
        folder = ROOT / "tests/mcp/conformance"
        wanted = json.loads((folder / "package.json").read_text(encoding="utf-8"))["dependencies"]
        lock = json.loads((folder / "package-lock.json").read_text(encoding="utf-8"))
        self.assertEqual(wanted, lock["packages"][""]["dependencies"])
        for path, entry in lock["packages"].items():
            self.assertNotIn("resolved", entry, path)
            self.assertTrue(not path or entry["integrity"].startswith("sha512-"), path)

    def test_bundles_bring_no_dependencies(self):
        for name in BUNDLES:
            self.assertNotIn("dependencies", self.locked[f"node_modules/{name}"], 
                             f"{name}: see docs/decisions/0017-packages-that-npm-9-reads.md")
        served = {path for path, entry in self.locked.items() if not entry.get("dev")}
        self.assertEqual(served, {f"node_modules/{name}" for name in BUNDLES})

    def test_every_package_runs_with_debians_node(self):
        for path, entry in self.locked.items():
            wanted = entry.get("engines", {}).get("node", "")
            self.assertTrue(all(int(word.lstrip(">= ").split(".")[0]) <= NODE_MAJOR for word in wanted.split("||") if word.strip()),
                            f"{path} wants Node.js {wanted}")


if __name__ == "__main__":
    unittest.main()
