"""systemd's own tools look at the units: they are well formed, and leave their process next to nothing.

usage: units_test.py REPOSITORY [unittest options]
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

import skips  # noqa: E402 pylint: disable=wrong-import-position

ROOT = pathlib.Path()
MAX_EXPOSURE = 2.0  # of 10, by systemd-analyze security

# What a unit must say whatever the tool's weights are: (setting, value).
WANTED = (("User", "costcurve"), ("UMask", "0077"), ("NoNewPrivileges", "yes"), ("ProtectSystem", "strict"),
          ("CapabilityBoundingSet", ""), ("SystemCallArchitectures", "native"), ("StateDirectory", "costcurve"))


def units(ending):
    return sorted((ROOT / "deploy/systemd").glob(f"costcurve*.{ending}"))


def settings(path):
    pairs = [line.split("=", 1) for line in path.read_text(encoding="utf-8").splitlines() if re.match(r"[A-Z]\w*=", line)]
    return [(name, value) for name, value in pairs]


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, **options)


class Units(unittest.TestCase):
    def test_there_is_a_unit_for_each_task(self):
        self.assertEqual([path.name for path in units("service")],
                         ["costcurve-backup.service", "costcurve-recalculate.service", "costcurve.service"])

    def test_each_unit_runs_as_its_own_user_and_bounds_its_memory(self):
        for path in units("service"):
            with self.subTest(unit=path.name):
                present = settings(path)
                for pair in WANTED:
                    self.assertIn(pair, present)
                self.assertTrue({"MemoryMax", "TasksMax", "SystemCallFilter", "RestrictAddressFamilies"} <= dict(present).keys())

    def test_each_timer_has_its_service_and_makes_up_for_missed_nights(self):
        self.assertTrue(units("timer"))
        for path in units("timer"):
            with self.subTest(unit=path.name):
                self.assertTrue(path.with_suffix(".service").is_file())
                self.assertIn(("Persistent", "true"), settings(path))

    @skips.without("systemd-analyze")
    def test_no_unit_is_exposed(self):
        """It was 8.5 of 10."""
        for path in units("service"):
            with self.subTest(unit=path.name):
                done = run("systemd-analyze", "security", "--offline=true", "--no-pager", str(path))
                found = re.search(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)
                self.assertTrue(found, done.stdout[-300:] + done.stderr)
                print(f"{path.name}: {found.group(1)}")
                self.assertLessEqual(float(found.group(1)), MAX_EXPOSURE)

    @skips.without("systemd-analyze")
    def test_systemd_finds_nothing_wrong_with_them(self):
        with tempfile.TemporaryDirectory() as folder:
            # The programs are not installed here; a folder of units of its own is all that is looked at.
            for path in units("service") + units("timer"):
                text = re.sub(r"^ExecStart=costcurve\S*", "ExecStart=/bin/true", path.read_text(encoding="utf-8"), flags=re.M)
                text = re.sub(r"^Documentation=.*\n", "", text, flags=re.M)  # the manual pages are not installed either
                (pathlib.Path(folder) / path.name).write_text(text, encoding="utf-8")
            for path in units("service") + units("timer"):
                with self.subTest(unit=path.name):
                    done = run("systemd-analyze", "verify", "--recursive-errors=no", str(pathlib.Path(folder) / path.name))
                    said = [line for line in (done.stdout + done.stderr).splitlines() if "costcurve" in line]
                    self.assertEqual((done.returncode, said), (0, []))

    @skips.without("systemd-sysusers", "systemd-tmpfiles")
    @unittest.skipUnless(os.geteuid() == 0, "a user can be made by root only")
    def test_user_and_folders_are_made_below_a_root_of_their_own(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "etc").mkdir()
            for name in ("sysusers", "tmpfiles"):
                (root / f"usr/lib/{name}.d").mkdir(parents=True)
                shutil.copy(ROOT / f"deploy/systemd/{name}.conf", root / f"usr/lib/{name}.d/costcurve.conf")
            made = run("systemd-sysusers", f"--root={folder}", "costcurve.conf")
            self.assertEqual(made.returncode, 0, made.stderr)
            self.assertRegex((root / "etc/passwd").read_text(), r"(?m)^costcurve:.*:/var/lib/costcurve:/usr/sbin/nologin$")
            done = run("systemd-tmpfiles", f"--root={folder}", "--create", "costcurve.conf")
            self.assertEqual(done.returncode, 0, done.stderr)
            for path in ("var/lib/costcurve", "var/backups/costcurve"):
                self.assertEqual((root / path).stat().st_mode & 0o777, 0o700)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
    skips.main()
