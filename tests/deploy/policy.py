"""The Debian package under rules of Debian's policy that lintian would look at, which is not everywhere. Run by package_test.py."""

import gzip
import hashlib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

# pylint: disable=wrong-import-position
import built_package  # noqa: E402
import skips  # noqa: E402

# What the copyright file names of headers that are compiled in, by a part of the package that they come from.
HEADERS = {"libboost": "boost/*", "libcli11": "CLI/*", "libexpected": "tl/*", "librandom123": "Random123/*",
           "nlohmann-json3": "nlohmann/*"}
NOT_OURS_TO_NAME = {"linux-libc-dev"}  # the kernel's interface: its headers are constants and layouts


def run(*command, **options):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=600, check=False, **options)


@skips.without(*built_package.NEEDED)
class Policy(unittest.TestCase):
    build = None  # the folder that costcurve was built in

    @classmethod
    def setUpClass(cls):
        place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(place.cleanup)
        folder = pathlib.Path(place.name)
        cls.package = built_package.of(cls.build)
        cls.root, cls.control = folder / "root", folder / "control"
        for option, target in (("-x", cls.root), ("-e", cls.control)):
            run("dpkg-deb", option, cls.package, target)
        cls.files = sorted(path for path in cls.root.rglob("*") if path.is_file() and not path.is_symlink())
        cls.sbom = json.loads((cls.root / "usr/share/costcurve/sbom.cdx.json").read_text(encoding="utf-8"))["components"]

    def field(self, name):
        return run("dpkg-deb", "-f", self.package, name).stdout.strip()

    def test_everything_is_roots_and_only_programs_are_executable(self):
        listed = [line.split(None, 5) for line in run("dpkg-deb", "-c", self.package).stdout.splitlines()]
        self.assertGreater(len(listed), 100)
        for mode, owner, _size, _day, _time, name in listed:
            with self.subTest(name):
                is_program = re.search(r"/usr/(bin|libexec)/|\.(sh|py)$", name)
                self.assertEqual(owner, "root/root")
                self.assertIn(mode, ("drwxr-xr-x",) if name.endswith("/") else ("-rwxr-xr-x", "-rw-r--r--") if is_program
                              else ("-rw-r--r--",))
                self.assertTrue(mode[0] != "-" or not re.search(r"/usr/(bin|libexec)/", name) or mode == "-rwxr-xr-x")

    def test_every_file_but_the_settings_has_its_sum(self):
        sums = dict(reversed(line.split("  ", 1)) for line in (self.control / "md5sums").read_text(encoding="utf-8").splitlines())
        conffiles = (self.control / "conffiles").read_text(encoding="utf-8").split()
        names = {str(path.relative_to(self.root)): path for path in self.files}
        self.assertLessEqual({name.lstrip("/") for name in conffiles}, set(names))
        self.assertLessEqual(set(names) - {name.lstrip("/") for name in conffiles}, set(sums))
        for name, digest in sums.items():
            self.assertEqual(hashlib.md5(names[name].read_bytes()).hexdigest(), digest, name)

    def test_settings_are_the_only_files_in_etc(self):
        conffiles = (self.control / "conffiles").read_text(encoding="utf-8").split()
        found = [f"/{path.relative_to(self.root)}" for path in self.files if (self.root / "etc") in path.parents]
        self.assertEqual(found, conffiles)

    def test_scripts_of_the_package_end_at_what_fails_and_parse(self):
        for name in ("postinst", "prerm", "postrm"):
            text = (self.control / name).read_text(encoding="utf-8")
            self.assertTrue(text.startswith("#!/bin/sh\n"), name)
            self.assertIn("\nset -e\n", text)
            self.assertEqual(run("sh", "-n", self.control / name).returncode, 0, name)
            self.assertEqual((self.control / name).stat().st_mode & 0o777, 0o755)
            self.assertNotRegex(text, r"\[\[|\bsource\b|\bfunction\b", "only what any sh knows")

    def test_it_depends_on_the_package_of_every_library_that_it_is_linked_to(self):
        alternatives = {re.match(r"[\w.+-]+", name.strip())[0] for name in re.split(r"[,|]", self.field("Depends"))}
        for component in self.sbom:
            if {"name": "costcurve:linkage", "value": "direct"} in component["properties"]:
                provided = run("dpkg-query", "-W", "-f", "${Provides}", component["name"]).stdout
                names = {component["name"], *re.findall(r"[\w.+-]+(?= \(|,|$)", provided)}
                self.assertTrue(names & alternatives, f"{component['name']} is no dependency")

    def test_its_fields_are_complete(self):
        for name in ("Package", "Version", "Architecture", "Maintainer", "Section", "Priority", "Installed-Size", "Description"):
            self.assertTrue(self.field(name), name)
        self.assertEqual(self.field("Architecture"), run("dpkg", "--print-architecture").stdout.strip())
        self.assertRegex(self.field("Version"), r"^\d[\w.+~]*-\d+$")
        summary, *text = self.field("Description").splitlines()
        self.assertLessEqual(len(summary), 80)
        self.assertNotRegex(summary, r"^(A|An|The) |\.$")
        self.assertEqual([line for line in text if len(line) > 81], [])
        used = sum(path.stat().st_size for path in self.files) / 1024
        self.assertAlmostEqual(int(self.field("Installed-Size")), used, delta=0.05 * used)

    def test_what_is_compressed_is_so_without_a_time_and_as_well_as_it_goes(self):
        for path in self.files:
            if path.suffix == ".gz":
                head = path.read_bytes()[:10]
                self.assertEqual((head[4:8], head[8]), (b"\0\0\0\0", 2), path.name)  # gzip -9n: RFC 1952, MTIME and XFL

    def test_debians_changelog_has_this_version(self):
        text = gzip.decompress((self.root / "usr/share/doc/costcurve/changelog.Debian.gz").read_bytes()).decode()
        self.assertTrue(text.startswith(f"costcurve ({self.field('Version')}) "), text)
        if shutil.which("dpkg-parsechangelog"):
            with tempfile.NamedTemporaryFile("w", suffix="changelog") as file:
                file.write(text)
                file.flush()
                said = run("dpkg-parsechangelog", "-l", file.name, "-S", "Version")
            self.assertEqual((said.stdout.strip(), said.stderr), (self.field("Version"), ""))

    def test_copyright_names_whatever_is_compiled_in_and_has_each_licence(self):
        text = (self.root / "usr/share/doc/costcurve/copyright").read_text(encoding="utf-8")
        self.assertTrue(text.startswith("Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"))
        named = {name for line in re.findall(r"^Files: (.*)$", text, flags=re.M) for name in line.split()}
        for component in self.sbom:
            if {"name": "costcurve:linkage", "value": "compiled_in"} not in component["properties"]:
                continue
            if component["name"] in NOT_OURS_TO_NAME:
                continue
            pattern = next((files for part, files in HEADERS.items() if component["name"].startswith(part)),
                           f"node_modules/{component['name']}/*")
            self.assertIn(pattern, named)
        texts = set(re.findall(r"^License: (\S+)\n ", text, flags=re.M))
        for words in re.findall(r"^License: (.+)\n(?! )", text, flags=re.M):
            self.assertLessEqual(set(words.split(" and ")), texts)

    def test_notices_have_the_licence_of_each_package_of_the_pages(self):
        text = gzip.decompress((self.root / "usr/share/doc/costcurve/notices.gz").read_bytes()).decode()
        for component in self.sbom:
            if component["purl"].startswith("pkg:npm/"):
                self.assertIn(f"==== node_modules/{component['name']}/LICENSE", text)
