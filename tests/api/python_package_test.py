"""The Python package of clients/python: a wheel built and installed without a network, its types, and what the pages show of it.

usage: python_package_test.py COSTCURVE ROOT [--renew] [unittest options]    (the built binary, the repository's root)

With --renew, what the shown programs print now is written into the pages; read the difference before you commit it.
"""

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import textwrap
import unittest
import zipfile

from command_line_case import PATIENCE_S, environment, skips
from daemon import Daemon

ROOT = pathlib.Path(__file__).resolve().parents[2]
COSTCURVE = ""
RENEW = False
BUILDS = """
import setuptools  # before pip, which imports what it replaces
import pip
if tuple(map(int, setuptools.__version__.split(".")[:2])) < (70, 1):
    import wheel
"""
# What mypy has to find: a misspelled member, a text for a number, a member of a job.
WRONG = """
from costcurve import Client
service = Client("http://127.0.0.1:8080")
print(service.post_evaluate({"scenari": "id"}))
service.post_rank({"workloads": [], "start": "2026-12", "months": "36"})
print(service.post_rank({"workloads": []}, prefer="respond-async")["plans"])
"""
SHOWN = re.compile(r"^```(python|sh)\n(?P<code>(?:(?!```).)*?)^```\n\n^```text\n(?P<printed>.*?)^```$", flags=re.M | re.S)


def run(*command, **options):
    done = subprocess.run(command, capture_output=True, text=True, timeout=10 * PATIENCE_S, check=False, **options)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


def builder():
    """A Python that can build wheels; None where there is none."""
    for python in (sys.executable, "/usr/bin/python3"):
        if shutil.which(python) and subprocess.run([python, "-c", BUILDS], capture_output=True, check=False).returncode == 0:
            return python
    return None


def without_network():
    """What begins a command that is to have no network interface; nothing where that can't be had."""
    cut_off = ["unshare", "--map-root-user", "--net"]
    works = shutil.which("unshare") and subprocess.run([*cut_off, "true"], capture_output=True, check=False).returncode == 0
    return cut_off if works else []


@unittest.skipUnless(builder(), skips.why("python3-pip, python3-setuptools or python3-wheel"))
class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(place.cleanup)
        cls.folder = pathlib.Path(place.name)
        pip = [*without_network(), builder(), "-m", "pip", "--no-cache-dir", "--disable-pip-version-check"]
        # A copy: setuptools builds where the sources are.
        shutil.copytree(ROOT / "clients/python", cls.folder / "sources",
                        ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__"))
        run(*pip, "wheel", "--no-index", "--no-build-isolation", "--no-deps", "-w", cls.folder, "./sources", cwd=cls.folder)
        [cls.wheel] = cls.folder.glob("*.whl")
        cls.python = cls.folder / "venv/bin/python"
        run(builder(), "-m", "venv", "--without-pip", cls.folder / "venv")
        run(*pip, "--python", cls.python, "install", "--no-index", "--no-deps", cls.wheel, cwd=cls.folder)
        store = cls.folder / "store.db"
        run(ROOT / "deploy/catalog/store", COSTCURVE, "--database", store, env=environment())
        daemon = Daemon(COSTCURVE, cls.folder)
        cls.addClassCleanup(daemon.close)
        cls.address = f"http://127.0.0.1:{daemon.port}"

    def test_the_wheel_has_the_sources_and_the_mark_of_its_types(self):
        with zipfile.ZipFile(self.wheel) as wheel:
            files = {name for name in wheel.namelist() if ".dist-info/" not in name}
            [metadata] = [wheel.read(name).decode() for name in wheel.namelist() if name.endswith("/METADATA")]
        self.assertEqual(files, {f"costcurve/{name}" for name in ("__init__.py", "client.py", "transport.py", "py.typed")})
        self.assertNotIn("Requires-Dist", metadata)
        number, unreleased = re.search(r"^## ([\d.]+)( \(unreleased\))?", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"),
                                       flags=re.M).groups()
        self.assertIn(f"\nVersion: {number}{'.dev0' if unreleased else ''}\n", metadata)

    def test_it_is_imported_from_where_it_was_installed(self):
        place = run(self.python, "-I", "-c", "import costcurve; print(costcurve.__file__)", cwd=self.folder).strip()
        self.assertTrue(pathlib.Path(place).is_relative_to(self.folder / "venv"), place)

    def program(self, kind, code):
        """The arguments of the installed Python for what a page shows: a program's text, or a command of clients/python."""
        code = code.replace("http://127.0.0.1:8080", self.address)
        if kind == "python":
            return ["-I", "-c", code]
        name, *more = shlex.split(code)
        return ["-I", ROOT / "clients/python" / name, *more]

    def test_pages_show_what_their_programs_print(self):
        for page in ("README.md", "clients/python/README.md"):
            text = (ROOT / page).read_text(encoding="utf-8")
            [shown] = SHOWN.finditer(text)
            printed = run(self.python, *self.program(shown[1], shown["code"]), cwd=self.folder)
            if RENEW:
                begin, end = shown.span("printed")
                (ROOT / page).write_text(text[:begin] + printed + text[end:], encoding="utf-8")
            else:
                self.assertEqual(printed, shown["printed"], page)

    @skips.without("mypy")
    def test_its_types_are_strict_and_find_mistakes(self):
        mypy = ["mypy", "--strict", "--cache-dir", self.folder / "cache"]
        run(*mypy, "costcurve", "h100.py", cwd=ROOT / "clients/python")
        readme = SHOWN.search((ROOT / "README.md").read_text(encoding="utf-8"))["code"]
        programs = {name: self.folder / f"{name}.py" for name in ("right", "wrong")}
        programs["right"].write_text(textwrap.dedent(readme), encoding="utf-8")
        programs["wrong"].write_text(WRONG, encoding="utf-8")
        installed = [*mypy, "--python-executable", self.python]
        run(*installed, programs["right"], cwd=self.folder)
        done = subprocess.run([*installed, programs["wrong"]], capture_output=True, text=True, check=False, cwd=self.folder)
        found = {int(line) for line in re.findall(r"wrong\.py:(\d+): error", done.stdout)}
        self.assertEqual(found, {4, 5, 6}, done.stdout)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    COSTCURVE = os.path.abspath(sys.argv.pop(1))
    ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
    RENEW = "--renew" in sys.argv
    sys.argv = [word for word in sys.argv if word != "--renew"]
    skips.main()
