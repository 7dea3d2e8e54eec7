"""The container file: its first stage configures from what is copied, and names nothing that is missing; its second stage is built
from the package of this build, and the image serves from a root file system that is read-only, as its own user, without privileges.

usage: container_test.py REPOSITORY BUILD    (BUILD: the folder that costcurve was built in)
By podman on a Debian of debootstrap's making where both are there; else its steps are carried out one by one in a root of this
machine's own packages, with two packages that stand in for those of the archive. Exits with 77 where neither can be, and says why.
The image runs by chroot: sandboxes seldom let podman start one. The compiling of the first stage is not tried.
"""

import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
sys.path.insert(0, str(ROOT / "tests/fresh_machine"))

# pylint: disable=wrong-import-position
import built_package  # noqa: E402
import containerfile  # noqa: E402
import local_root  # noqa: E402
import machine  # noqa: E402

SKIPPED = 77
PATIENCE_S = 60
USER = "10001:10001"
STORE = "var/lib/costcurve"
SHARED_PORT = "18474"  # where the network is that of the machine
# What docs/operations.md says that it is run with.
FLAGS = ("--read-only", "--cap-drop all", "--security-opt no-new-privileges")
STAND_INS = ("systemd-sysusers", "systemd-tmpfiles")


def run(*command, **options):
    return subprocess.run([str(word) for word in command], check=True, **options)


def said(*command):
    return run(*command, stdout=subprocess.PIPE, text=True).stdout.strip()


def file_stages():
    return containerfile.stages((ROOT / "deploy/Containerfile").read_text(encoding="utf-8"))


def documented():
    """The arguments behind the image's name in the commands of docs/operations.md: [first key, daemon]."""
    text = (ROOT / "docs/operations.md").read_text(encoding="utf-8").replace("\\\n", " ")
    commands = re.findall(r"^    (podman run .*)$", text, flags=re.M)
    assert len(commands) == 2, commands
    for flag in FLAGS:
        assert flag in commands[1], flag
    arguments = [re.fullmatch(r".* -v costcurve:/var/lib/costcurve costcurve ?(.*)", re.sub(r"\s+", " ", command))[1].split()
                 for command in commands]
    assert arguments[0][:2] == ["keys", "add"] and not arguments[1], arguments
    return arguments


def check_first_stage(folder):
    """It configures from a copy without git, node_modules and builds, and all that `deb` is built from is there."""
    (_, first), *_ = [step for step in file_stages()[0] if step[0] == "RUN"]
    steps = [shlex.split(step) for step in first.split(" && ")]
    for step in steps:
        assert not step[0].startswith("deploy/") or os.access(ROOT / step[0], os.X_OK), step
    context, build = folder / "context", folder / "build"
    containerfile.copy_context(ROOT, context)
    assert not (context / ".git").exists() and not (context / "build").exists()
    (context / "node_modules").symlink_to(ROOT / "node_modules")  # as `deploy/packages run` fetches them
    configure, make = [[word.replace("/build", str(build)) for word in step] for step in steps if step[0] == "cmake"]
    run(*configure, cwd=context, stdout=subprocess.DEVNULL)
    run(*make, "--", "-n", cwd=context, stdout=subprocess.DEVNULL)
    print("the first stage configures, and nothing that it compiles is missing")


def podman_base(folder):
    """The name of an image of a minimal Debian 12, which reaches its packages as this machine does."""
    machine.build(folder / "base", print)
    archive = folder / "base.tar"
    run("tar", "--one-file-system", "--numeric-owner", "--exclude=./proc/*", "--exclude=./dev/*", "-C", folder / "base",
        "-cf", archive, ".")
    return said("podman", "import", "-q", archive)


def check_settings(config):
    assert config["User"] == USER, config["User"]
    assert f"/{STORE}" in config["Volumes"], config["Volumes"]
    assert config["Healthcheck"]["Test"] == ["CMD", "/usr/libexec/costcurve/health"], config.get("Healthcheck")
    port = dict(variable.split("=", 1) for variable in config["Env"])["COSTCURVE_PORT"]
    assert list(config["ExposedPorts"]) == [f"{port}/tcp"], config["ExposedPorts"]


def check_files(image):
    """What the image has and has not, whoever built it."""
    passwd = dict((line.split(":")[0], line.split(":")) for line in (image / "etc/passwd").read_text(encoding="utf-8").splitlines())
    assert ":".join(passwd["costcurve"][2:4]) == USER, passwd["costcurve"]
    store = (image / STORE).stat()
    assert (f"{store.st_uid}:{store.st_gid}", store.st_mode & 0o777) == (USER, 0o700), store
    for gone in ("package", "etc/costcurve"):
        assert not (image / gone).exists(), gone
    assert list((image / "var/lib/apt/lists").iterdir()) == [], "lists of packages stay in the image"
    assert json.loads((image / "usr/share/costcurve/sbom.cdx.json").read_text(encoding="utf-8"))["components"]


def check_serving(image, config, folder, port=None):
    place = folder / "image"
    place.mkdir()
    run("mount", "--rbind", image, place)
    run("mount", "-o", "remount,bind,ro", place)
    store = folder / "store"
    store.mkdir()
    shutil.chown(store, 10001, 10001)
    run("mount", "--bind", store, place / STORE)
    run("mount", "-t", "proc", "proc", place / "proc")
    variables = config["Env"] + ([f"COSTCURVE_PORT={port}"] if port else [])
    uid, gid = USER.split(":")
    enter = ["chroot", str(place), "/usr/bin/setpriv", "--reuid", uid, "--regid", gid, "--clear-groups", "--bounding-set", "-all",
             "--no-new-privs", "/usr/bin/env", "-i", "-C", config["WorkingDir"], "PATH=/usr/bin", *variables]
    refused = subprocess.run([*enter, "touch", "/etc/x"], capture_output=True, text=True, check=False).stderr
    assert "Read-only file system" in refused, refused
    first_key, daemon_arguments = documented()
    serve = [*enter, *config["Entrypoint"], *(daemon_arguments or config["Cmd"])]
    keyless = subprocess.run(serve, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
    assert keyless.returncode == 2 and "keys add" in keyless.stderr + keyless.stdout, keyless  # it serves others
    assert said(*enter, *config["Entrypoint"], *first_key).startswith("cc_")
    health = [*enter, *config["Healthcheck"]["Test"][1:]]
    assert subprocess.run(health, capture_output=True, check=False).returncode != 0, "healthy without a daemon"
    with subprocess.Popen(serve) as daemon:
        begun = time.monotonic()
        while subprocess.run(health, capture_output=True, check=False).returncode != 0:
            assert daemon.poll() is None, f"the daemon ended with {daemon.returncode}"
            assert time.monotonic() - begun < PATIENCE_S, "the daemon is not healthy"
            time.sleep(0.1)
        daemon.send_signal(getattr(signal, config["StopSignal"]))
        assert daemon.wait(PATIENCE_S) == 0, daemon.returncode
    assert (store / "costcurve.db").is_file()


def by_podman(folder, package):
    base = podman_base(folder)
    image = None
    try:
        image = said("podman", "build", "-q", "--isolation", "chroot", "--network", "host", "--format", "docker",
                     "--build-arg", f"BASE={base}", "--build-context", f"package={package.parent.parent}",
                     "-f", ROOT / "deploy/Containerfile", ROOT)
        described = json.loads(said("podman", "image", "inspect", image))[0]
        config = {**described["Config"], "Healthcheck": described["Healthcheck"]}
        check_settings(config)
        place = pathlib.Path(said("podman", "image", "mount", image))
        check_files(place)
        check_serving(place, config, folder, SHARED_PORT)
    finally:
        for made in filter(None, (image, base)):
            subprocess.run(["podman", "rmi", "-f", made], stdout=subprocess.DEVNULL, check=False)


def stand_in(program, repository):
    """A package of the archive's name with this machine's program."""
    name = f"systemd-standalone-{program.removeprefix('systemd-')}"
    contents = repository / name
    (contents / "usr/bin").mkdir(parents=True)
    (contents / "DEBIAN").mkdir()
    shutil.copy(shutil.which(program), contents / "usr/bin")
    (contents / "DEBIAN/control").write_text(
        f"Package: {name}\nVersion: 1\nArchitecture: {said('dpkg', '--print-architecture')}\nMaintainer: tests <a@example.org>\n"
        f"Provides: {program}\nConflicts: systemd\nDepends: libsystemd-shared\nDescription: stand-in\n", encoding="utf-8")
    run("dpkg-deb", "-Znone", "--root-owner-group", "-b", contents, f"{contents}.deb", stdout=subprocess.DEVNULL)
    shutil.rmtree(contents)


def by_steps(folder, package):
    root = folder / "base"
    wanted = [names for names in local_root.dependencies(package) if "systemd" not in names]
    local_root.build(root, [*wanted, ["libsystemd-shared"]], without=("systemd",))
    local_root.mount(root)
    repository = root / "repository"
    repository.mkdir()
    for program in STAND_INS:
        stand_in(program, repository)
    index = said("dpkg-scanpackages", "-m", repository).replace(f"{repository}/", "./")
    (repository / "Packages").write_text(index, encoding="utf-8")
    (root / "etc/apt/sources.list").write_text("deb [trusted=yes] file:/repository ./\n", encoding="utf-8")
    stage = file_stages()[-1]
    containerfile.carry_out(stage, root, {"package": package.parent.parent})
    config = containerfile.settings(stage)
    check_settings(config)
    check_files(root)
    check_serving(root, config, folder)


def inside(way, folder, package):
    if way == "steps":
        machine.raise_loopback()
    (by_podman if way == "podman" else by_steps)(pathlib.Path(folder), pathlib.Path(package))
    print("the image serves as its own user, from a root file system that is read-only")
    return 0


def way_to_build():
    """("podman" or "steps", None), or (None, why there is no way)."""
    needed = (*built_package.NEEDED, "dpkg-scanpackages", "setpriv")
    why = machine.obstacle("podman", *needed)
    if not why and subprocess.run(["podman", "info"], capture_output=True, check=False).returncode == 0:
        return "podman", None
    print(f"not by podman: {why or 'podman info fails'}")
    why = local_root.obstacle(*needed, *STAND_INS)
    return (None, why) if why else ("steps", None)


def main():
    if len(sys.argv) > 2 and sys.argv[2] == "--inside":
        return inside(*sys.argv[3:])
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    way, obstacle = way_to_build()
    if obstacle:
        print(f"skipped: {obstacle}")
        return SKIPPED
    with machine.folder() as made:
        check_first_stage(made)
        package = built_package.build(pathlib.Path(sys.argv[2]), made / "stage/package")
        return machine.enter(__file__, str(ROOT), "--inside", way, str(made), str(package), network=way == "podman")


if __name__ == "__main__":
    sys.exit(main())
