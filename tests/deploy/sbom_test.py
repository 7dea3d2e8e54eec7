"""The bill of materials has what ldd, dpkg and package-lock.json name, with version and licence, and is the same each time.

usage: sbom_test.py COSTCURVE REPOSITORY BUILD [unittest options]    (BUILD: the folder that costcurve was built in)
"""

import base64
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

import skips  # noqa: E402 pylint: disable=wrong-import-position

ROOT = BUILD = PROGRAM = pathlib.Path()
VERSION = "1.2.3"

# Of what is linked directly, as each project states its licence itself (its LICENSE or COPYING), by a part of the package's name.
STATED = {"coinor-libcbc": "EPL-1.0", "coinor-libclp": "EPL-1.0", "libcctz": "Apache-2.0", "libcpp-httplib": "MIT",
          "libcurl": "curl", "libdeflate": "MIT", "libfmt": "MIT", "libmimalloc": "MIT", "libpq": "PostgreSQL",
          "libsimdjson": "Apache-2.0", "libspdlog": "MIT", "libsqlite3": "public domain", "libssl": "Apache-2.0",
          "libyaml-cpp": "MIT", "zlib1g": "Zlib", "libcsv": "LGPL-2.1-or-later", "libc6": "LGPL-2.1-or-later",
          "libstdc++": "GPL-3.0-or-later WITH GCC-exception-3.1"}
# What is compiled in as headers alone (decisions 0001 and later).
HEADERS = ("libboost", "libcli11", "libexpected", "librandom123", "nlohmann-json3")


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300, check=False, **options)


def made(*arguments, **options):
    return run(ROOT / "deploy/sbom", *(arguments or (PROGRAM, BUILD, VERSION)), **options)


def properties(component, name):
    return [row["value"] for row in component.get("properties", []) if row["name"] == f"costcurve:{name}"]


def licence(component):
    (row,) = component["licenses"]
    return row.get("expression") or row["license"].get("id") or row["license"]["name"]


@skips.without("dpkg-query", "jq", "ninja", "readelf", "ldd")
class Sbom(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        done = made()
        if done.returncode != 0:
            raise AssertionError(done.stderr)
        cls.text = done.stdout
        cls.document = json.loads(done.stdout)
        cls.components = {component["name"]: component for component in cls.document["components"]}

    def nested(self):
        """All components, and those inside of them."""
        return [inner for component in self.components.values() for inner in (component, *component.get("components", []))]

    def test_every_library_that_is_loaded_stands_in_it_under_the_version_that_dpkg_has(self):
        loaded = [(pathlib.Path(words[0]).name, words[2] if words[1:2] == ["=>"] else words[0])
                  for words in map(str.split, run("ldd", PROGRAM).stdout.splitlines()) if "/" in "".join(words[:3])]
        self.assertGreater(len(loaded), 40)
        for name, path in loaded:
            with self.subTest(name):
                (component,) = [each for each in self.components.values() if pathlib.Path(path).name in properties(each, "file")]
                self.assertEqual(component["version"], run("dpkg-query", "-W", "-f", "${Version}", component["name"]).stdout)
                listed = run("dpkg-query", "-L", component["name"]).stdout.splitlines()
                self.assertTrue({os.path.realpath(path), os.path.realpath(path).removeprefix("/usr")} & set(listed), path)

    def test_every_package_of_the_lock_file_stands_in_it_but_those_of_the_tests(self):
        locked = json.loads((ROOT / "package-lock.json").read_text(encoding="utf-8"))["packages"]
        pages = {folder.removeprefix("node_modules/"): row for folder, row in locked.items() if folder and not row.get("dev")}
        self.assertEqual(set(pages), {name for name, each in self.components.items() if each["purl"].startswith("pkg:npm/")})
        for name, row in pages.items():
            component = self.components[name]
            digest = base64.b64decode(row["integrity"].removeprefix("sha512-")).hex()
            self.assertEqual((component["version"], licence(component), component["hashes"]),
                             (row["version"], row["license"], [{"alg": "SHA-512", "content": digest}]))

    def test_what_a_bundle_contains_is_what_its_manifest_depends_on(self):
        for name in ("echarts", "rapidoc"):
            manifest = json.loads((ROOT / "node_modules" / name / "package.json").read_text(encoding="utf-8"))
            contained = {inner["name"]: inner.get("version") or properties(inner, "version_range")[0]
                         for inner in self.components[name]["components"]}
            self.assertEqual(contained, manifest["dependencies"])

    def test_everything_has_a_version_and_a_licence(self):
        for component in self.nested():
            with self.subTest(component["name"]):
                self.assertTrue(component.get("version") or properties(component, "version_range"))
                self.assertTrue(component["licenses"], "give it one in deploy/licences.json")
                self.assertRegex(licence(component), r"^(public domain|[A-Za-z0-9.+-]+( (OR|WITH) [A-Za-z0-9.+-]+)*)$")

    def test_licences_of_linked_libraries_are_those_that_their_projects_state(self):
        for part, wanted in STATED.items():
            (component,) = [each for name, each in self.components.items()
                            if name.startswith(part) and "direct" in properties(each, "linkage")]
            self.assertEqual(licence(component), wanted, component["name"])

    def test_headers_that_no_library_comes_with_are_in_it(self):
        for part in HEADERS:
            (component,) = [each for name, each in self.components.items() if name.startswith(part)]
            self.assertEqual(properties(component, "linkage"), ["compiled_in"])

    def test_it_has_the_form_of_cyclone_dx(self):
        """The keys of the specification's JSON schema 1.5 that are used here; the document was held to the whole schema once."""
        self.assertEqual({name: self.document[name] for name in ("bomFormat", "specVersion", "version")},
                         {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1})
        self.assertEqual(set(self.document), {"bomFormat", "specVersion", "version", "metadata", "components", "dependencies"})
        self.assertEqual(self.document["metadata"]["component"]["version"], VERSION)
        references = [component["bom-ref"] for component in self.nested()]
        self.assertEqual(len(references), len(set(references)))
        for component in self.components.values():
            self.assertLessEqual(set(component), {"type", "bom-ref", "purl", "name", "version", "scope", "licenses", "properties",
                                                  "hashes", "components"})
            self.assertRegex(component["purl"], r"^pkg:(deb/[a-z]+/[a-z0-9.%B-]+@[A-Za-z0-9.~%-]+\?arch=\w+&distro=[a-z]+-[\d.]+"
                                                r"|npm/(%40[a-z0-9-]+/)?[a-z0-9-]+@[\d.]+)$")
        (itself,) = self.document["dependencies"]
        self.assertLessEqual(set(itself["dependsOn"]), set(references))
        self.assertGreater(len(itself["dependsOn"]), len(STATED))

    def test_it_is_the_same_each_time_and_names_no_place(self):
        with tempfile.TemporaryDirectory() as elsewhere:
            again = made(cwd=elsewhere, env={**os.environ, "TZ": "Asia/Tokyo", "LC_ALL": "C.UTF-8"})
        self.assertEqual(again.stdout, self.text, again.stderr)
        for place in (ROOT, BUILD, pathlib.Path.home()):
            self.assertNotIn(f"{place}/", self.text)

    def test_the_commands_of_the_docs_work(self):
        page = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
        (program, build, version), = re.findall(r"`deploy/sbom (\S+) (\S+) (\S+)`", page)
        self.assertEqual((pathlib.Path(program), version), (pathlib.Path(build, "costcurve"), "VERSION"))
        (query,) = re.findall(r"`jq -r '(.+)' /usr/share/costcurve/sbom\.cdx\.json`", page)
        listed = run("jq", "-r", query, input=self.text).stdout.splitlines()
        self.assertEqual(listed, [f"{component['name']} {component['version']}" for component in self.document["components"]])

    @skips.without("gcc")
    def test_a_library_of_no_package_is_refused_by_name(self):
        with tempfile.TemporaryDirectory() as folder:
            place = pathlib.Path(folder)
            (place / "a.c").write_text("int a(void) { return 0; }\n", encoding="utf-8")
            (place / "b.c").write_text("int a(void); int main(void) { return a(); }\n", encoding="utf-8")
            self.assertEqual(run("gcc", "-shared", "-fPIC", "a.c", "-o", "libunpackaged.so", cwd=folder).returncode, 0)
            linked = run("gcc", "b.c", "-L.", "-lunpackaged", f"-Wl,-rpath,{folder}", "-o", "program", cwd=folder)
            self.assertEqual(linked.returncode, 0, linked.stderr)
            done = made(place / "program", BUILD, VERSION)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"libraries that are of no Debian package: \S+libunpackaged\.so")

    def test_a_folder_that_nothing_was_built_in_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            done = made(PROGRAM, folder, VERSION)
        self.assertEqual(done.returncode, 1)
        self.assertIn("build costcurve there first", done.stderr)


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    PROGRAM, ROOT, BUILD = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(3))
    skips.main()
