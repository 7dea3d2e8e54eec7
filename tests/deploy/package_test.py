"""The Debian package: what is in it, lintian without errors, a manual page that says what --help says, settings that are taken.

usage: package_test.py COSTCURVE REPOSITORY BUILD [unittest options]    (BUILD: the folder that costcurve was built in)
"""

import gzip
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else ".").resolve()
BUILD = pathlib.Path(sys.argv[3] if len(sys.argv) > 3 else ".").resolve()
sys.path.insert(0, str(ROOT / "tests/api"))

# pylint: disable=wrong-import-position
import built_package  # noqa: E402
from command_line_case import PATIENCE_S, CommandLineCase, environment, skips  # noqa: E402
from daemon import Daemon  # noqa: E402
from policy import Policy  # noqa: E402
from proxy import free_ports  # noqa: E402

FILES = ("usr/bin/costcurve", "usr/bin/costcurve-backup", "usr/libexec/costcurve/health", "etc/costcurve/costcurve.conf",
         "usr/lib/systemd/system/costcurve.service", "usr/lib/systemd/system/costcurve-backup.timer",
         "usr/lib/sysusers.d/costcurve.conf", "usr/lib/tmpfiles.d/costcurve.conf",
         "usr/share/costcurve/catalog/devices.json", "usr/share/costcurve/examples/serving_70b/owned.json",
         "usr/share/costcurve/clients/python/pyproject.toml",
         "usr/share/man/man1/costcurve.1.gz", "usr/share/man/man1/costcurve-backup.1.gz", "usr/share/doc/costcurve/copyright",
         "usr/share/doc/costcurve/notices.gz", "usr/share/doc/costcurve/operations.md", "usr/share/doc/costcurve/changelog.gz",
         "usr/share/doc/costcurve/changelog.Debian.gz", "usr/share/doc/costcurve/examples/nginx.conf",
         "usr/share/doc/costcurve/examples/grafana-dashboard.json", "usr/share/doc/costcurve/examples/grafana-plan.json")


def run(*command, **options):
    return subprocess.run(command, capture_output=True, text=True, timeout=600, check=False, **options)


def verbs(binary, *parents):
    """Every verb that --help names, with its parents, and what --help says of it."""
    said = run(binary, *parents, "--help").stdout
    if parents:
        yield parents, said
    _, _, listed = said.partition("\nSubcommands:\n")
    for verb in re.findall(r"^  ([a-z][a-z0-9_-]*)", listed, flags=re.M):
        yield from verbs(binary, *parents, verb)


@skips.without(*built_package.NEEDED)
class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(place.cleanup)
        cls.folder = pathlib.Path(place.name)
        cls.package = built_package.of(BUILD)
        cls.root = cls.folder / "root"
        run("dpkg-deb", "-x", str(cls.package), str(cls.root))

    def field(self, name):
        return run("dpkg-deb", "-f", str(self.package), name).stdout.strip()

    def test_it_has_what_an_operator_looks_for(self):
        self.assertEqual([name for name in FILES if not (self.root / name).is_file()], [])

    def test_it_has_nothing_outside_of_usr_and_etc(self):
        self.assertEqual(sorted(path.name for path in self.root.iterdir()), ["etc", "usr"])

    def test_no_file_of_it_names_a_place_of_the_machine_that_built_it(self):
        places = {str(ROOT).encode(), str(BUILD).encode()}
        wrong = [str(path.relative_to(self.root)) for path in self.root.rglob("*") if path.is_file() and not path.is_symlink()
                 and any(place in path.read_bytes() for place in places)]
        self.assertEqual(wrong, [])

    def test_its_version_is_that_of_the_changelog(self):
        heading = re.search(r"^## ([\d.]+)( \(unreleased\))?", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.M)
        self.assertEqual(self.field("Version"), heading.group(1) + ("~unreleased" if heading.group(2) else "") + "-1")

    def test_it_needs_its_libraries_and_the_time_zones(self):
        needed = self.field("Depends")
        for name in ("libc6", "libsqlite3-0", "libcurl4", "tzdata", "ca-certificates"):
            self.assertIn(name, needed)

    def test_the_program_is_stripped(self):
        self.assertNotIn(".symtab", run("readelf", "-SW", str(self.root / "usr/bin/costcurve")).stdout)

    def test_settings_are_a_conffile(self):
        run("dpkg-deb", "-e", str(self.package), str(self.folder / "control"))
        self.assertEqual((self.folder / "control/conffiles").read_text(), "/etc/costcurve/costcurve.conf\n")

    @skips.without("lintian")
    def test_lintian_finds_no_errors(self):
        done = run("lintian", "--fail-on", "error", "--allow-root", "--tag-display-limit", "0", str(self.package))
        print(done.stdout, end="")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def manual(self, name="costcurve"):
        return gzip.decompress((self.root / f"usr/share/man/man1/{name}.1.gz").read_bytes()).decode()

    def test_the_manual_page_has_every_verb_and_option_that_help_has(self):
        binary = str(self.root / "usr/bin/costcurve")
        manual = self.manual().replace("\\-", "-")
        listed = list(verbs(binary))
        self.assertGreater(len(listed), 30)
        for verb, said in listed:
            self.assertIn(f".SS costcurve {' '.join(verb)}\n", manual)
            for option in re.findall(r"--[a-z-]+", said):
                self.assertIn(option, manual)

    @skips.without("groff")
    def test_the_manual_pages_are_set_without_a_warning(self):
        for name in ("costcurve", "costcurve-backup"):
            done = subprocess.run(["groff", "-Kutf8", "-man", "-Tutf8", "-wall", "-Z"], input=self.manual(name).encode(),
                                  capture_output=True, timeout=PATIENCE_S, check=True)
            self.assertEqual(done.stderr.decode(), "")

    def test_it_installs_below_any_prefix(self):
        done = run("cmake", "--install", str(BUILD), "--prefix", str(self.folder / "opt"), "--strip")
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in ("bin/costcurve", "lib/systemd/system/costcurve.service", "share/man/man1/costcurve.1.gz"):
            self.assertTrue((self.folder / "opt" / name).is_file(), name)


class Settings(CommandLineCase):
    def test_the_packaged_settings_are_taken(self):
        with Daemon(self.costcurve, self.directory, "--config", str(ROOT / "deploy/costcurve.conf"), log_level=None) as daemon:
            self.assertEqual(daemon.ask("GET", "/readyz")[0], 200)

    def listens_on(self, *arguments, **variables):
        """The port of a daemon that is started like that."""
        command = [self.costcurve, *arguments, "serve", "--database", self.database]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**environment(), **variables}) as process:
            found = re.search(r"http://127\.0\.0\.1:(\d+)\n", process.stdout.readline())
            process.terminate()
        return int(found[1])

    def test_the_file_that_the_units_variable_names_is_taken_and_gives_way_to_variables_and_flags(self):
        """The unit's settings were ignored: CLI11 looked at the variable after it had read the file."""
        in_file, in_variable = free_ports(2)
        file = self.write("costcurve.conf", f"[serve]\nport={in_file}\n")
        for arguments in ((), ("--config", file)):
            self.assertEqual(self.listens_on(*arguments, COSTCURVE_CONFIG=file), in_file)
            self.assertEqual(self.listens_on(*arguments, COSTCURVE_CONFIG=file, COSTCURVE_PORT=str(in_variable)), in_variable)

    def test_a_file_of_settings_that_is_not_there_is_refused(self):
        for arguments, variables in ((("--config", "none.conf"), {}), ((), {"COSTCURVE_CONFIG": "none.conf"})):
            status, _, err = self.run_costcurve(*arguments, "serve", "--database", self.database, env=variables)
            self.assertEqual(status, 2)
            self.assertIn("none.conf was not readable", err)

    def test_a_setting_with_two_lines_is_refused(self):
        """The second was ignored, which is where operators add theirs."""
        file = self.write("costcurve.conf", "[serve]\nport=0\nlog-level=off\nport=1\n")
        status, _, err = self.run_costcurve("--config", file, "serve", "--database", self.database)
        self.assertEqual((status, err.splitlines()[0]), (2, "the file of settings has two lines of serve.port; leave one"))

    def test_every_setting_that_is_commented_out_is_one_of_serve(self):
        text = (ROOT / "deploy/costcurve.conf").read_text(encoding="utf-8")
        said = run(self.costcurve, "serve", "--help").stdout
        for name in re.findall(r"^#?([a-z-]+)=", text, flags=re.M):
            self.assertIn(f"--{name} ", said + " ")

    def test_other_verbs_find_the_store_by_the_units_variables(self):
        store = self.directory / "of the unit.db"
        environment_of_unit = {"COSTCURVE_CONFIG": str(ROOT / "deploy/costcurve.conf"), "COSTCURVE_DATABASE": str(store)}
        status, _, err = self.run_costcurve("keys", "add", "someone", env=environment_of_unit)
        self.assertEqual(status, 0, err)
        self.assertTrue(store.exists())


class Backup(CommandLineCase):
    def setUp(self):
        super().setUp()
        self.folder = self.directory / "backups"
        self.folder.mkdir()
        (self.directory / "bin").mkdir()
        (self.directory / "bin/costcurve").symlink_to(self.costcurve)

    def backup(self, **variables):
        path = f"{self.directory / 'bin'}:{environment()['PATH']}"
        return run(str(ROOT / "deploy/costcurve-backup"), str(self.folder),
                   env={**environment(), "PATH": path, "COSTCURVE_DATABASE": str(self.directory / "store.db"), **variables})

    def names(self):
        return sorted(path.name for path in self.folder.iterdir())

    def test_a_verified_copy_is_kept_with_the_newest_before_it(self):
        for day in range(1, 6):
            (self.folder / f"costcurve-2020010{day}T000000Z.db").write_text("old")
        (self.folder / "mine.db").write_text("not ours to delete")
        with Daemon(self.costcurve, self.directory) as daemon:
            done = self.backup(COSTCURVE_KEEP_BACKUPS="3")
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertEqual(daemon.ask("GET", "/readyz")[0], 200)
        names = self.names()
        self.assertEqual(names[:2] + names[3:], ["costcurve-20200104T000000Z.db", "costcurve-20200105T000000Z.db", "mine.db"])
        made = self.folder / names[2]
        self.assertEqual(made.stat().st_mode & 0o777, 0o600)
        status, _, err = self.run_costcurve("restore", str(made), "--database", "restored.db")
        self.assertEqual(status, 0, err)

    def test_where_there_is_no_store_nothing_is_made_and_nothing_deleted(self):
        (self.folder / "costcurve-20200101T000000Z.db").write_text("old")
        done = self.backup(COSTCURVE_KEEP_BACKUPS="1")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("there is no database", done.stderr)
        self.assertEqual(self.names(), ["costcurve-20200101T000000Z.db"])

    def test_a_copy_that_is_damaged_deletes_nothing(self):
        (self.folder / "costcurve-20200101T000000Z.db").write_text("old")
        # A costcurve whose copies lack their middle.
        self.write("bin/real", "")
        (self.directory / "bin/real").unlink()
        (self.directory / "bin/costcurve").rename(self.directory / "bin/real")
        script = self.directory / "bin/costcurve"
        script.write_text("#!/bin/sh\nreal \"$@\" || exit\n"
                          "[ \"$1\" != backup ] || dd if=/dev/zero of=\"$2\" bs=4096 seek=3 count=4 conv=notrunc 2>/dev/null\n")
        script.chmod(0o755)
        with Daemon(self.costcurve, self.directory):
            done = self.backup(COSTCURVE_KEEP_BACKUPS="1")
        self.assertNotEqual(done.returncode, 0, done.stdout)
        self.assertEqual(self.names(), ["costcurve-20200101T000000Z.db"])

    def test_a_number_to_keep_that_is_none_is_refused(self):
        for wrong in ("0", "-1", "many", "7 "):
            done = self.backup(COSTCURVE_KEEP_BACKUPS=wrong)
            self.assertEqual((done.returncode, self.names()), (2, []), done.stderr)


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    Policy.build = BUILD
    CommandLineCase.costcurve = str(pathlib.Path(sys.argv[1]).resolve())
    skips.main(argv=sys.argv[:1] + sys.argv[4:])
