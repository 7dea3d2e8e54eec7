"""The package under a systemd that runs, as process 1 of namespaces of its own: installed, it starts in the sandbox of its unit; it
is reloaded, killed, given wrong settings, backed up, restored, upgraded on the store of 2.0, removed and purged.

usage: boot_test.py REPOSITORY BUILD    (BUILD: the folder that costcurve was built in)
Exits with 77 where nothing can be booted here, and says why.
"""

import gzip
import pathlib
import re
import shutil
import sys

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
sys.path.insert(0, str(ROOT / "tests/fresh_machine"))

# pylint: disable=wrong-import-position
import booted  # noqa: E402
import built_package  # noqa: E402
import local_root  # noqa: E402
import machine  # noqa: E402

SKIPPED = 77
PATIENCE_S = 600
STORE = "tests/stores/store-5837f5b.db.gz"  # of 2.0.0


def documented():
    """The commands of docs/operations.md that an operator gives a machine with systemd."""
    page = (ROOT / "docs/operations.md").read_text(encoding="utf-8")
    return re.findall(r"`((?:runuser -u costcurve --|systemctl (?:start|stop|reload|enable --now)) [^`]+)`", page)


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    obstacle = booted.obstacle(*built_package.NEEDED)
    if obstacle:
        print(f"skipped: {obstacle}")
        return SKIPPED
    with machine.folder() as made:
        newer = built_package.build(pathlib.Path(sys.argv[2]), made / "package")
        older = built_package.older_than(newer, made)
        root = made / "root"
        local_root.build(root, [*local_root.dependencies(newer), ["systemd"]])
        packages = root / "packages"
        packages.mkdir()
        for file in (newer, older, ROOT / "tests/deploy/booted.sh", ROOT / "examples/serving_70b/cloud_on_demand.json"):
            shutil.copy(file, packages)
        (packages / "store.db").write_bytes(gzip.decompress((ROOT / STORE).read_bytes()))
        (packages / "commands").write_text("\n".join(documented()) + "\n", encoding="utf-8")
        status, printed = booted.boot(root, f"/packages/booted.sh /packages/{older.name} /packages/{newer.name}", PATIENCE_S)
        print(printed)
        if status is None:
            print("WRONG: systemd ended before the script")
        return 0 if status == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
