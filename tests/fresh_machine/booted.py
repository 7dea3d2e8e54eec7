"""A root of local_root.py that is booted: systemd runs in it as process 1, in namespaces and a control group of its own, runs one
script as a unit and ends. It sets no time, loads no module and changes no setting of the kernel.
"""
import contextlib
import os
import pathlib
import re
import shutil
import subprocess
import sys
import time

import local_root
import machine

SYSTEMD = "/usr/lib/systemd/systemd"
UNIT = """[Unit]
After=basic.target
Wants=basic.target
[Service]
Type=oneshot
ExecStart=/bin/bash -c '/bin/bash {command} >/booted/log 2>&1; echo $? >/booted/status'
ExecStopPost=/bin/systemctl --no-block poweroff
TimeoutStartSec={seconds}
"""
# What a booted system has no use for here, and would share with this machine.
DROPPED = "-sys_time,-sys_module,-sys_rawio,-syslog,-mac_admin,-wake_alarm"


def groups():
    """Where control groups of version 2 are mounted; None where they are not."""
    found = re.search(r"^\S+ (\S+) cgroup2 rw", pathlib.Path("/proc/mounts").read_text(encoding="ascii"), flags=re.M)
    return pathlib.Path(found[1]) if found else None


def obstacle(*also):
    """Why nothing can be booted here, as a sentence; None where it can."""
    why = local_root.obstacle("setpriv", "pivot_root", *also)
    if why:
        return why
    if not os.path.exists(SYSTEMD):
        return "systemd is not installed"
    if not groups():
        return "control groups of version 2 are not mounted"
    alone = ["unshare", "--mount", "--pid", "--net", "--uts", "--ipc", "--cgroup", "--fork", "true"]
    if subprocess.run(alone, capture_output=True, check=False).returncode != 0:
        return "namespaces of its own are refused to it"
    try:
        with own_group():
            pass
    except OSError as error:
        return f"no control group can be made: {error}"
    return None


def remove_group(group):
    """What is below it goes first; where a process is in one, it stays."""
    for inner in [*sorted((path for path in group.rglob("*") if path.is_dir()), reverse=True), group]:
        with contextlib.suppress(OSError):
            inner.rmdir()


@contextlib.contextmanager
def own_group():
    """A new control group; what is in it is killed at the end. Those that a killed run left behind are removed first."""
    for old in groups().glob("costcurve-booted-*"):
        remove_group(old)
    group = groups() / f"costcurve-booted-{os.getpid()}"
    group.mkdir()
    try:
        yield group
    finally:
        with contextlib.suppress(OSError):
            (group / "cgroup.kill").write_text("1", encoding="ascii")
        end = time.monotonic() + 10
        while group.exists() and time.monotonic() < end:
            remove_group(group)
            time.sleep(0.02)


def boot(root, command, seconds):
    """Runs a script of the root, with its arguments; gives its status and what it printed. No status: it came to no end."""
    place = root / "booted"
    place.mkdir()
    (root / "etc/systemd/system/booted.service").write_text(UNIT.format(command=command, seconds=seconds), encoding="utf-8")
    (root / "etc/machine-id").touch()
    with own_group() as group:
        alone = ["unshare", "--mount", "--propagation", "private", "--pid", "--net", "--uts", "--ipc", "--cgroup", "--fork",
                 "--kill-child", sys.executable, __file__, str(root)]
        with subprocess.Popen(["sh", "-c", f'echo $$ >{group}/cgroup.procs && exec "$@"', "sh", *alone], stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              preexec_fn=machine.end_with_parent) as child:
            try:
                child.wait(seconds + 30)
            except subprocess.TimeoutExpired:
                child.kill()
    printed = (place / "log").read_text(encoding="utf-8", errors="replace") if (place / "log").exists() else ""
    status = (place / "status").read_text(encoding="ascii").strip() if (place / "status").exists() else ""
    return int(status) if status else None, printed


def become_systemd(root):
    """As process 1 of the namespaces: the root becomes the root, and this process systemd."""
    def run(*words):
        subprocess.run([str(word) for word in words], check=True)
    machine.raise_loopback()
    run("mount", "--bind", root, root)
    local_root.mount(root)
    for name in filter(lambda name: (root / name).exists(), ("proc/sys", "proc/sysrq-trigger")):
        run("mount", "--bind", root / name, root / name)
        run("mount", "-o", "remount,bind,ro", root / name)
    for kind, name, options in (("sysfs", "sys", "ro"), ("cgroup2", "sys/fs/cgroup", "rw"), ("tmpfs", "run", "rw"),
                                ("tmpfs", "dev/shm", "rw")):
        run("mount", "-t", kind, "-o", options, kind, root / name)
    (root / "old").mkdir()
    os.chdir(root)
    run("pivot_root", ".", "old")
    os.chroot(".")
    os.chdir("/")
    run("/usr/bin/umount", "-l", "/old")
    os.execve(shutil.which("setpriv", path="/usr/bin"), ["setpriv", "--bounding-set", DROPPED, SYSTEMD, "--unit=booted.service"],
              {"container": "costcurve-test", "PATH": "/usr/sbin:/usr/bin"})


if __name__ == "__main__":
    become_systemd(pathlib.Path(sys.argv[1]))
