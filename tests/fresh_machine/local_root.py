"""A minimal Debian in a folder, of the packages that are installed on this machine: no network and no debootstrap. In it are those
that every Debian has, apt, and what named packages depend on, so that a dependency that a package forgets is missing there.

It is like a machine of machine.py: run in namespaces of its own, by `machine.enter` and `machine.start`.
"""
import os
import pathlib
import re
import shutil
import subprocess

DPKG = pathlib.Path("/var/lib/dpkg")
PROGRAMS = ("dpkg-deb", "apt-get", "unshare", "chroot", "tar", "ldconfig")
# What postinst scripts make, which are not run again: (from, to).
COPIED = (("usr/share/base-passwd/passwd.master", "etc/passwd"), ("usr/share/base-passwd/group.master", "etc/group"),
          ("usr/share/libc-bin/nsswitch.conf", "etc/nsswitch.conf"))
FOLDERS = ("dev/shm", "etc/apt/sources.list.d", "proc", "root", "run", "sys", "tmp", "usr/bin", "usr/lib", "usr/lib64", "usr/sbin",
           "var/lib/apt/lists/partial", "var/lib/dpkg/alternatives", "var/lib/dpkg/info", "var/lib/dpkg/triggers",
           "var/lib/dpkg/updates", "var/cache/apt/archives/partial", "var/log/apt", "var/tmp")
DEVICES = ("null", "zero", "full", "random", "urandom")


def obstacle(*also):
    """Why no root can be made here, as a sentence; None where one can. `also`: programs that the caller needs as well."""
    if os.geteuid() != 0:
        return "it takes root to make one"
    for program in (*PROGRAMS, *also):
        if not shutil.which(program):
            return f"there is no {program}"
    if not (DPKG / "status").exists():
        return "this is no Debian"
    if subprocess.run(["unshare", "--mount", "--pid", "--fork", "true"], capture_output=True, check=False).returncode != 0:
        return "namespaces of its own are refused to it"
    return None


def stanzas(text):
    """{field: value} of each paragraph of a control file."""
    return [dict(re.findall(r"(?m)^([\w-]+): ?(.*(?:\n[ \t].*)*)", paragraph)) for paragraph in text.strip().split("\n\n")]


def alternatives(field):
    """A dependency field as a list of lists of names: each list names packages of which one will do."""
    return [[re.match(r"[\w.+-]+", name.strip())[0] for name in one.split("|")] for one in (field or "").split(",") if one.strip()]


class Installed:
    """What is installed on this machine."""

    def __init__(self):
        rows = stanzas((DPKG / "status").read_text(encoding="utf-8"))
        self.rows = {}
        self.providers = {}
        for row in rows:
            if row["Status"].endswith(" installed"):
                self.rows.setdefault(row["Package"], row)
                for (name,) in alternatives(row.get("Provides")):
                    self.providers.setdefault(name, row["Package"])

    def package(self, name):
        """The installed package of that name, or one that provides it."""
        return name if name in self.rows else self.providers.get(name)

    def closure(self, wanted, without=()):
        """The packages of lists of alternatives and all that they depend on; none of `without`. Sorted."""
        found, waiting = set(), list(wanted)
        while waiting:
            names = waiting.pop()
            package = next(filter(None, (self.package(name) for name in names if self.package(name) not in without)), None)
            if package is None:
                if set(names) <= set(without):
                    continue
                raise LookupError(f"none of {', '.join(names)} is installed here")
            if package not in found:
                found.add(package)
                waiting += alternatives(self.rows[package].get("Pre-Depends")) + alternatives(self.rows[package].get("Depends"))
        return sorted(found)

    def base(self):
        """Of every Debian, as lists of alternatives."""
        return [["apt"]] + [[name] for name, row in self.rows.items()
                            if row.get("Essential") == "yes" or row.get("Priority") == "required"]

    def information(self, package):
        """dpkg's files about a package."""
        own = [DPKG / f"info/{package}.list", DPKG / f"info/{package}:{self.rows[package]['Architecture']}.list"]
        stem = next(path for path in own if path.exists()).name.removesuffix(".list")
        return [path for path in (DPKG / "info").glob(f"{stem}.*") if path.name.removeprefix(f"{stem}.").isalnum()]


def dependencies(package):
    """What a package file depends on, as lists of alternatives."""
    shown = subprocess.run(["dpkg-deb", "-f", str(package), "Depends"], check=True, capture_output=True, text=True)
    return alternatives(shown.stdout)


def copy_files(root, names):
    """Copies files and folders under their names; what is documentation or another language is left out, but for copyrights."""
    kept = [name for name in dict.fromkeys(names)
            if not re.match(r"/usr/share/(man|info|locale|lintian)/|/usr/share/doc/[^/]+/(?!copyright$)", name)]
    tar = ["tar", "-C", "/", "--no-recursion", "--ignore-failed-read", "--null", "-T", "-", "-cf", "-"]
    with subprocess.Popen(tar, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as packing, \
            subprocess.Popen(["tar", "-C", str(root), "-xpf", "-"], stdin=packing.stdout) as unpacking:
        packing.stdin.write(b"\0".join(f".{name}".encode() for name in kept if os.path.lexists(name)))
        packing.stdin.close()
        if packing.wait() != 0 or unpacking.wait() != 0:
            raise OSError("the files of the packages were not copied")


def link_alternatives(root):
    """Makes the links of update-alternatives whose targets are here."""
    for record in (DPKG / "alternatives").iterdir():
        chosen = pathlib.Path("/etc/alternatives", record.name)
        target = os.readlink(chosen) if chosen.is_symlink() else ""
        link = record.read_text(encoding="utf-8").splitlines()[1]
        if not target or not (root / target[1:]).exists():
            continue
        shutil.copy(record, root / "var/lib/dpkg/alternatives")
        (root / "etc/alternatives").mkdir(exist_ok=True)
        (root / "etc/alternatives" / record.name).symlink_to(target)
        place = root / link[1:]
        place.parent.mkdir(parents=True, exist_ok=True)
        if not place.is_symlink():
            place.symlink_to(chosen)


def build(root, wanted, without=()):
    """Lays out a root in a new folder, with these (lists of alternative packages) and what they depend on. Gives its packages."""
    installed = Installed()
    packages = installed.closure(installed.base() + list(wanted), without)
    root.mkdir()
    for name in FOLDERS:
        (root / name).mkdir(parents=True, exist_ok=True)
    files, information = [name for name in ("/bin", "/sbin", "/lib", "/lib64") if os.path.islink(name)], []
    for package in packages:
        about = installed.information(package)
        information += about
        files += next(path for path in about if path.suffix == ".list").read_text(encoding="utf-8").split("\n")[1:-1]
    copy_files(root, files)
    for path in information:
        shutil.copy(path, root / "var/lib/dpkg/info")
    shutil.copy(DPKG / "info/format", root / "var/lib/dpkg/info")
    text = (DPKG / "status").read_text(encoding="utf-8")
    kept = [each for each in text.strip().split("\n\n")
            if re.match(r"Package: (.*)", each)[1] in packages and " installed\n" in each]
    (root / "var/lib/dpkg/status").write_text("\n\n".join(kept) + "\n", encoding="utf-8")
    for name in ("available", "diversions", "statoverride", "triggers/File", "triggers/Unincorp"):
        (root / "var/lib/dpkg" / name).touch()
    for source, target in COPIED:
        shutil.copy(root / source, root / target)
    (root / "etc/shadow").write_text("".join(f"{line.split(':')[0]}:*:19000:0:99999:7:::\n" for line in
                                             (root / "etc/passwd").read_text(encoding="utf-8").splitlines()), encoding="utf-8")
    (root / "etc/shadow").chmod(0o640)
    (root / "etc/gshadow").touch(0o640)
    (root / "etc/hosts").write_text("127.0.0.1 localhost\n", encoding="utf-8")
    link_alternatives(root)
    for name in ("tmp", "var/tmp", "dev/shm"):
        (root / name).chmod(0o1777)
    variables = {"PATH": "/usr/sbin:/usr/bin", "DEBIAN_FRONTEND": "noninteractive"}
    for command in (["ldconfig"], ["pam-auth-update", "--package", "--force"]):
        subprocess.run(["chroot", root, *command], check=True, env=variables)
    return packages


def mount(root):
    """What programs need of the kernel; inside of `machine.enter`."""
    subprocess.run(["mount", "-t", "proc", "proc", root / "proc"], check=True)
    for name in DEVICES:
        (root / "dev" / name).touch()
        subprocess.run(["mount", "--bind", f"/dev/{name}", root / "dev" / name], check=True)
    (root / "dev/fd").symlink_to("/proc/self/fd")
