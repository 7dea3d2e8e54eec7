"""A minimal Debian 12 in a folder: made by debootstrap, with the host's package sources and certificates and nothing else.

It runs in namespaces of its own, which `enter` makes: no mount is seen outside, and every process in it ends with its parent.
"""
import contextlib
import ctypes
import fcntl
import os
import pathlib
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile

RELEASE = "bookworm"
CACHE = pathlib.Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "costcurve")
PREFIX = "costcurve-fresh-"
# Settings of apt that say how to reach the sources.
APT_SETTINGS = ("Acquire::http", "Acquire::https", "Acquire::Check-", "Acquire::Retries", "Acquire::ForceIPv")
APT_FILES = ("sources.list", "sources.list.d", "trusted.gpg", "trusted.gpg.d", "keyrings")
BUNDLE = "/etc/ssl/certs/ca-certificates.crt"
LOCAL_CERTIFICATES = "/usr/local/share/ca-certificates"
PR_SET_PDEATHSIG = 1


def output_of(*command):
    """What a program prints; "" where it fails or is not there."""
    try:
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return ""


def mirror():
    """Where the host's apt gets Debian 12's main section from; None where no source has it."""
    rows = output_of("apt-get", "indextargets", "--format", "$(REPO_URI) $(CODENAME) $(COMPONENT)", "Created-By: Packages")
    found = [row.split()[0] for row in rows.splitlines() if row.split()[1:] == [RELEASE, "main"]]
    return found[0] if found else None


def obstacle(*also):
    """Why no machine can be made here, as a sentence; None where one can. `also`: programs that the caller needs as well."""
    if os.geteuid() != 0:
        return "it takes root to make one"
    for program in ("debootstrap", "unshare", "chroot", "git", *also):
        if not shutil.which(program):
            return f"there is no {program}"
    if subprocess.run(["unshare", "--mount", "--pid", "--fork", "true"], capture_output=True, check=False).returncode != 0:
        return "namespaces of its own are refused to it"
    source = mirror()
    if not source:
        return f"apt has no source of Debian 12 ({RELEASE} main)"
    with tempfile.TemporaryDirectory() as place:
        page = f"{source.rstrip('/')}/dists/{RELEASE}/InRelease"
        asked = ["/usr/lib/apt/apt-helper", "download-file", page, f"{place}/InRelease"]
        if subprocess.run(asked, capture_output=True, check=False).returncode != 0:
            return "apt's source of Debian 12 does not answer"
    return None


def end_with_parent():
    """In a child between fork and exec: it is killed when its parent dies, however that dies."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def remove(folder):
    """Deletes a machine. Mounts are in a namespace that is gone; --one-file-system is for the day when that is not so."""
    subprocess.run(["rm", "-rf", "--one-file-system", str(folder)], check=True)


@contextlib.contextmanager
def folder():
    """A folder for a machine, deleted at the end. Those that a killed run left behind are deleted first."""
    place = pathlib.Path(os.environ.get("TMPDIR") or "/var/tmp")
    for old in place.glob(f"{PREFIX}*"):
        with open(old / "lock", "a", encoding="utf-8") as lock, contextlib.suppress(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            remove(old)
    made = pathlib.Path(tempfile.mkdtemp(prefix=PREFIX, dir=place))
    with open(made / "lock", "w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            yield made
        finally:
            remove(made)


def enter(script, *arguments, network=True):
    """Runs a Python script as process 1 of namespaces of its own; gives its exit status. Without `network` it is alone, and its
    loopback is down until `raise_loopback`."""
    alone = [] if network else ["--net"]
    command = ["unshare", "--mount", "--propagation", "private", "--pid", *alone, "--fork", "--kill-child", sys.executable,
               script, *arguments]
    with subprocess.Popen(command, preexec_fn=end_with_parent) as child:
        def stop(*_):
            child.kill()
            raise SystemExit(130)
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            signal.signal(number, stop)
        return child.wait()


def raise_loopback():
    """Of a network namespace of its own."""
    request = struct.pack("16sh14x", b"lo", 1)  # ifreq with IFF_UP
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        fcntl.ioctl(any_socket, 0x8914, request)  # SIOCSIFFLAGS


def base(report):
    """The cached archive of a minimal Debian 12; made where it is missing."""
    archive = CACHE / f"{RELEASE}-minbase.tar"
    if not archive.exists():
        report(f"making {archive} with debootstrap, once")
        CACHE.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=PREFIX + "base-", dir=CACHE) as made:
            subprocess.run(["debootstrap", "--variant=minbase", RELEASE, f"{made}/root", mirror()],
                           stdout=subprocess.DEVNULL, check=True)
            subprocess.run(["tar", "--one-file-system", "--numeric-owner", "-C", f"{made}/root", "-cf", f"{made}/root.tar", "."],
                           check=True)
            os.replace(f"{made}/root.tar", archive)
    return archive


def build(root, report):
    """Lays out the machine in `root`: the base, how to reach the sources, certificates, and the few mounts that programs need."""
    root.mkdir()
    subprocess.run(["tar", "--numeric-owner", "-C", root, "-xf", base(report)], check=True)
    (root / "etc/apt/sources.list").unlink(missing_ok=True)
    for name in APT_FILES:
        source = pathlib.Path("/etc/apt", name)
        if source.is_dir():
            shutil.copytree(source, root / "etc/apt" / name, dirs_exist_ok=True)
        elif source.exists():
            shutil.copy(source, root / "etc/apt" / name)
    lines = [line for line in output_of("apt-config", "dump").splitlines() if line.startswith(APT_SETTINGS) and '""' not in line]
    (root / "etc/apt/apt.conf.d/90host").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for name in ("/etc/resolv.conf", "/etc/hosts"):
        shutil.copy(name, root / name[1:])
    if os.path.isdir(LOCAL_CERTIFICATES):
        shutil.copytree(LOCAL_CERTIFICATES, root / LOCAL_CERTIFICATES[1:], dirs_exist_ok=True)
    if os.path.exists(BUNDLE):
        (root / BUNDLE[1:]).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(BUNDLE, root / BUNDLE[1:])
    for kind, place in (("proc", "proc"), ("tmpfs", "dev/shm"), ("devpts", "dev/pts")):
        (root / place).mkdir(exist_ok=True)
        subprocess.run(["mount", "-t", kind, kind, root / place], check=True)


def environment():
    """What a program in the machine sees: a bare environment, and the host's ways to its npm registry and through its proxy."""
    given = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8",
             "NODE_EXTRA_CA_CERTS": BUNDLE}
    for name, value in os.environ.items():
        if name.lower() in ("http_proxy", "https_proxy", "no_proxy", "npm_config_registry"):
            given[name] = value
    registry = output_of("npm", "config", "get", "registry").strip()
    if registry.startswith("http"):
        given.setdefault("npm_config_registry", registry)
    return given


def start(root, command, folder="/costcurve", **options):
    """Starts a shell command in a folder of the machine: the clone of the repository, unless another is named."""
    return subprocess.Popen(["chroot", str(root), "/bin/bash", "-c", f"cd {folder} && {command}"], env=environment(), text=True,
                            stdin=subprocess.DEVNULL, preexec_fn=end_with_parent, **options)
