"""The package in a fresh Debian: installed, upgraded beside a running daemon, backed up, removed, installed again, purged.

usage: install_test.py REPOSITORY BUILD    (BUILD: the folder that costcurve was built in)
The machine is made by debootstrap where its archive can be reached, and of this machine's own packages elsewhere: of Debian's base
and what the package depends on. Exits with 77 where neither can be made here, and says why.
"""

import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
sys.path.insert(0, str(ROOT / "tests/fresh_machine"))

# pylint: disable=wrong-import-position
import built_package  # noqa: E402
import local_root  # noqa: E402
import machine  # noqa: E402

SKIPPED = 77


def documented():
    """The commands of docs/operations.md that are run as the daemon's user."""
    return re.findall(r"`(runuser -u costcurve -- [^`]+)`", (ROOT / "docs/operations.md").read_text(encoding="utf-8"))


def inside(kind, root, *packages):
    """As process 1 of the namespaces: makes the machine and goes through the life of the package."""
    root = pathlib.Path(root)
    port = "18473"
    if kind == "debootstrap":
        machine.build(root, print)
    else:
        machine.raise_loopback()
        port = ""  # the package's own
        print(f"{len(local_root.build(root, local_root.dependencies(packages[-1])))} packages of this machine, and no network")
        local_root.mount(root)
    (root / "packages").mkdir()
    for file in (*packages, ROOT / "tests/deploy/installed.sh"):
        shutil.copy(file, root / "packages")
    (root / "packages/commands").write_text("\n".join(documented()) + "\n", encoding="utf-8")
    names = [f"/packages/{pathlib.Path(package).name}" for package in packages]
    with machine.start(root, f"bash /packages/installed.sh {' '.join(names)} {port}", folder="/") as script:
        return script.wait()


def main():
    if len(sys.argv) > 2 and sys.argv[2] == "--inside":
        return inside(*sys.argv[3:])
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    obstacles = {"debootstrap": machine.obstacle(*built_package.NEEDED),
                 "local": local_root.obstacle(*built_package.NEEDED, "systemctl")}
    kind = next((kind for kind, obstacle in obstacles.items() if not obstacle), None)
    if kind is None:
        print(f"skipped: {obstacles['local']}")
        return SKIPPED
    with machine.folder() as made:
        newer = built_package.build(pathlib.Path(sys.argv[2]), made / "package")
        older = built_package.older_than(newer, made)
        return machine.enter(__file__, str(ROOT), "--inside", kind, str(made / "root"), str(older), str(newer),
                             network=kind == "debootstrap")


if __name__ == "__main__":
    sys.exit(main())
