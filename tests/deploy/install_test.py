"""The package in a fresh Debian: installed, upgraded beside a running daemon, backed up, removed, installed again, purged.

usage: install_test.py REPOSITORY BUILD    (BUILD: the folder that costcurve was built in)
Exits with 77 where no such machine can be made here, and says why.
"""

import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
sys.path.insert(0, str(ROOT / "tests/fresh_machine"))

import machine  # noqa: E402 pylint: disable=wrong-import-position

SKIPPED = 77
OLDER = "0.0.1-1"


def run(*command, **options):
    return subprocess.run([str(word) for word in command], check=True, **options)


def build(folder, build_folder):
    """The path of a package of what is built."""
    run("cpack", "-G", "DEB", "--config", build_folder / "CPackConfig.cmake", "-B", folder, stdout=subprocess.DEVNULL)
    return next(folder.glob("costcurve_*.deb"))


def older_than(package, folder):
    """The same package under a lower version, so that there is something to upgrade from."""
    run("dpkg-deb", "-R", package, folder / "older")
    control = folder / "older/DEBIAN/control"
    control.write_text(re.sub(r"^Version: .*$", f"Version: {OLDER}", control.read_text(), flags=re.M))
    path = folder / f"costcurve_{OLDER}.deb"
    run("dpkg-deb", "-Zgzip", "--root-owner-group", "-b", folder / "older", path, stdout=subprocess.DEVNULL)
    return path


def inside(root, *packages):
    """As process 1 of the namespaces: makes the machine and goes through the life of the package."""
    machine.build(root, print)
    (root / "packages").mkdir()
    for file in (*packages, ROOT / "tests/deploy/installed.sh"):
        shutil.copy(file, root / "packages")
    names = [f"/packages/{pathlib.Path(package).name}" for package in packages]
    with machine.start(root, f"bash /packages/installed.sh {' '.join(names)}", folder="/") as script:
        return script.wait()


def main():
    if len(sys.argv) > 2 and sys.argv[2] == "--inside":
        return inside(*map(pathlib.Path, sys.argv[3:]))
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    obstacle = machine.obstacle("cpack", "dpkg-shlibdeps")
    if obstacle:
        print(f"skipped: {obstacle}")
        return SKIPPED
    with machine.folder() as made:
        newer = build(made, pathlib.Path(sys.argv[2]))
        return machine.enter(__file__, str(ROOT), "--inside", str(made / "root"), str(older_than(newer, made)), str(newer))


if __name__ == "__main__":
    sys.exit(main())
