"""The container file: its second stage is built by podman from the package of this build, and the image serves from a root file
system that is read-only, as its own user. The first stage, which compiles that package again, is not tried.

usage: container_test.py REPOSITORY BUILD    (BUILD: the folder that costcurve was built in)
Exits with 77 where no image can be made here, and says why. The image runs by chroot: sandboxes seldom let podman start one.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
sys.path.insert(0, str(ROOT / "tests/fresh_machine"))

import machine  # noqa: E402 pylint: disable=wrong-import-position

SKIPPED = 77
PATIENCE_S = 60
USER = "10001:10001"
STORE = "var/lib/costcurve"


def run(*command, **options):
    return subprocess.run([str(word) for word in command], check=True, **options)


def said(*command):
    return run(*command, stdout=subprocess.PIPE, text=True).stdout.strip()


def base_image(folder):
    """The name of an image of a minimal Debian 12, which reaches its packages as this machine does."""
    machine.build(folder / "base", print)
    archive = folder / "base.tar"
    run("tar", "--one-file-system", "--numeric-owner", "--exclude=./proc/*", "--exclude=./dev/*", "-C", folder / "base",
        "-cf", archive, ".")
    return said("podman", "import", "-q", archive)


def check_settings(image):
    settings = json.loads(said("podman", "image", "inspect", image))[0]
    config = settings["Config"]
    assert config["User"] == USER, config["User"]
    assert f"/{STORE}" in config["Volumes"], config["Volumes"]
    assert settings["Healthcheck"]["Test"] == ["CMD", "/usr/libexec/costcurve/health"], settings.get("Healthcheck")
    return config


def check_serving(image, config, folder):
    place = folder / "image"
    place.mkdir()
    run("mount", "--bind", said("podman", "image", "mount", image), place)
    run("mount", "-o", "remount,bind,ro", place)
    store = folder / "store"
    store.mkdir()
    shutil.chown(store, 10001, 10001)
    run("mount", "--bind", store, place / STORE)
    run("mount", "-t", "proc", "proc", place / "proc")
    port = 18474
    variables = [*config["Env"], f"COSTCURVE_PORT={port}"]
    enter = ["chroot", f"--userspec={USER}", str(place), "/usr/bin/env", "-i", *variables]
    refused = subprocess.run([*enter, "touch", "/etc/x"], capture_output=True, text=True, check=False).stderr
    assert "Read-only file system" in refused, refused
    assert said(*enter, "costcurve", "keys", "add", "operator", "--role", "admin").startswith("cc_")  # it serves others
    with subprocess.Popen([*enter, *config["Entrypoint"], *config["Cmd"]]) as daemon:
        begun = time.monotonic()
        health = [*enter, "/usr/libexec/costcurve/health", str(port)]
        while subprocess.run(health, capture_output=True, check=False).returncode != 0:
            assert daemon.poll() is None, f"the daemon ended with {daemon.returncode}"
            assert time.monotonic() - begun < PATIENCE_S, "the daemon is not healthy"
            time.sleep(0.1)
        daemon.terminate()
        assert daemon.wait(PATIENCE_S) == 0, daemon.returncode
    assert (store / "costcurve.db").is_file()


def inside(folder, package):
    base = base_image(folder)
    image = None
    try:
        image = said("podman", "build", "-q", "--isolation", "chroot", "--network", "host", "--format", "docker",
                     "--build-arg", f"BASE={base}", "--build-context", f"package={package.parent.parent}",
                     "-f", ROOT / "deploy/Containerfile", ROOT)
        check_serving(image, check_settings(image), folder)
    finally:
        for made in filter(None, (image, base)):
            subprocess.run(["podman", "rmi", "-f", made], stdout=subprocess.DEVNULL, check=False)
    print("the image serves as its own user, from a root file system that is read-only")
    return 0


def main():
    if len(sys.argv) > 2 and sys.argv[2] == "--inside":
        return inside(*map(pathlib.Path, sys.argv[3:]))
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    obstacle = machine.obstacle("podman", "cpack", "dpkg-shlibdeps")
    if not obstacle and subprocess.run(["podman", "info"], capture_output=True, check=False).returncode != 0:
        obstacle = "podman does not work here; podman info says why"
    if obstacle:
        print(f"skipped: {obstacle}")
        return SKIPPED
    with machine.folder() as made:
        packages = made / "stage/package"
        run("cpack", "-G", "DEB", "--config", pathlib.Path(sys.argv[2]) / "CPackConfig.cmake", "-B", packages,
            stdout=subprocess.DEVNULL)
        shutil.rmtree(packages / "_CPack_Packages")
        return machine.enter(__file__, str(ROOT), "--inside", str(made), str(next(packages.glob("*.deb"))))


if __name__ == "__main__":
    sys.exit(main())
