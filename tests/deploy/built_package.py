"""The Debian package of a folder that costcurve was built in. No tests here."""

import atexit
import functools
import pathlib
import re
import shutil
import subprocess
import tempfile

NEEDED = ("cpack", "dpkg-deb", "dpkg-shlibdeps")
OLDER = "0.0.1-1"


def build(build_folder, folder):
    """Its path in a folder, which is made. gzip: nothing here is about how it is compressed, and xz takes 10 s."""
    done = subprocess.run(["cpack", "-G", "DEB", "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip", "--config",
                           str(build_folder / "CPackConfig.cmake"), "-B", str(folder)], capture_output=True, text=True, check=False)
    packages = list(folder.glob("costcurve_*.deb"))
    if done.returncode != 0 or len(packages) != 1:
        raise AssertionError(done.stdout + done.stderr)
    shutil.rmtree(folder / "_CPack_Packages")
    return packages[0]


@functools.cache
def of(build_folder):
    """The same, once in a process, in a folder that goes with it."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="costcurve-package-"))
    atexit.register(shutil.rmtree, folder)
    return build(build_folder, folder / "package")


def older_than(package, folder):
    """The same package under a lower version, so that there is something to upgrade from."""
    subprocess.run(["dpkg-deb", "-R", package, folder / "older"], check=True)
    control = folder / "older/DEBIAN/control"
    control.write_text(re.sub(r"^Version: .*$", f"Version: {OLDER}", control.read_text(), flags=re.M))
    path = folder / f"costcurve_{OLDER}.deb"
    subprocess.run(["dpkg-deb", "-Zgzip", "--root-owner-group", "-b", folder / "older", path], check=True,
                   stdout=subprocess.DEVNULL)
    return path
