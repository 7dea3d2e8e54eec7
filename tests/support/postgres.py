#!/usr/bin/env python3
"""A PostgreSQL server of a test's own: initdb in a new folder, a socket there, no port unless wanted, gone with the test.

usage: tests/support/postgres.py [--shared] COMMAND ARGUMENT…
runs a command with COSTCURVE_TEST_POSTGRES, the URL of such a server, which makes tests keep their stores in it rather than in
SQLite files: in databases of their own. Its status is the command's; 77, with a sentence, where PostgreSQL is not installed.
--shared: one server for all commands of the process that runs this (of ctest, of a shell). The first starts it, and it ends with
that process. A command that is run by one that has a server takes that one's.
"""
import ctypes
import fcntl
import glob
import itertools
import os
import pwd
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
import urllib.parse

SKIPPED = 77
SERVER = "COSTCURVE_TEST_POSTGRES"
ROLE = "costcurve"
NAMES = itertools.count(1)
# A database for each test takes a third of the time. What is written outlives the processes, though not the machine.
WITHOUT_FLUSHES = ("fsync = off", "full_page_writes = off")


def binaries():
    """The folder of the newest server that is installed; None without one."""
    folders = glob.glob("/usr/lib/postgresql/*/bin/initdb") + [path for path in [shutil.which("initdb")] if path]
    folders.sort(key=lambda path: int((re.search(r"/(\d+)/bin/", path) or [0, "0"])[1]))
    return os.path.dirname(folders[-1]) if folders else None


def needed():
    """Ends the test with a message where PostgreSQL is not installed."""
    if binaries() is None:
        print("skipped: PostgreSQL is not installed (deploy/setup test)")
        sys.exit(SKIPPED)


def account():
    """PostgreSQL refuses to run as root: the account in root's place, or None for the test's own."""
    if os.getuid() != 0:
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise RuntimeError("no account to run PostgreSQL with")


def sql(url, text):
    """Runs it, and gives what the server answers as lines of values with | between."""
    answer = subprocess.run([os.path.join(binaries(), "psql"), "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", url, "-c",
                             text],
                            capture_output=True, text=True, check=False)
    if answer.returncode != 0:
        raise RuntimeError(f"{text[:200]}: {answer.stderr.strip()}")
    return answer.stdout.strip()


def make_database(url):
    """A new, empty one of the server; its name."""
    name = f"test_{os.getpid()}_{next(NAMES)}"
    sql(url, f"CREATE DATABASE {name}")
    return name


class Cluster:
    """Started at once. `port`: listens on 127.0.0.1 too, which most tests have no need of. `primary`: a standby of that
    one. `options`: more of the program that makes it."""

    def __init__(self, port=None, settings=(), primary=None, options=()):
        self.bin = binaries()
        self.owner = account()
        self.port = port
        self.folder = tempfile.mkdtemp(prefix="costcurve_pg_")
        self.data = os.path.join(self.folder, "data")
        self.log = os.path.join(self.folder, "log")
        self.process = None
        if self.owner:
            os.chown(self.folder, self.owner.pw_uid, self.owner.pw_gid)
        try:
            if primary:
                made = self.run("pg_basebackup", "-D", self.data, "-d", primary.url(), "-R", "-c", "fast", *options)
            else:
                made = self.run("initdb", "-D", self.data, "-U", ROLE, "-A", "trust", "-E", "UTF8", "--no-locale",
                                "--no-instructions", *options)
            if made.returncode != 0:
                raise RuntimeError(f"no cluster: {made.stdout}{made.stderr}")
            with open(os.path.join(self.data, "postgresql.conf"), "a", encoding="utf-8") as file:
                file.write(f"unix_socket_directories = '{self.folder}'\nlogging_collector = off\nmax_connections = 100\n")
                file.write("listen_addresses = '127.0.0.1'\n" if port else "listen_addresses = ''\n")
                file.write(f"port = {port or 5432}\n")
                file.writelines(f"{line}\n" for line in settings)
            self.start()
        except BaseException:
            self.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def run(self, program, *arguments, **options):
        return subprocess.run([os.path.join(self.bin, program), *arguments], capture_output=True, text=True, cwd="/",
                              preexec_fn=self.as_owner, check=False, **options)

    def as_owner(self):
        if self.owner:
            os.setgroups([])
            os.setgid(self.owner.pw_gid)
            os.setuid(self.owner.pw_uid)
            os.environ["HOME"] = self.folder

    def as_server(self):
        self.as_owner()
        os.setpgid(0, 0)  # a Ctrl-C is the test's, which then stops the server
        ctypes.CDLL(None).prctl(1, signal.SIGQUIT)  # PR_SET_PDEATHSIG: the server goes with the test, however that ends

    def start(self, wait=True):
        with open(self.log, "a", encoding="utf-8") as log:
            self.process = subprocess.Popen([os.path.join(self.bin, "postgres"), "-D", self.data], stdout=log, stderr=log, cwd="/",
                                            preexec_fn=self.as_server)
        if wait:
            self.wait()

    def wait(self, seconds=60):
        """Until it answers."""
        end = time.monotonic() + seconds
        while self.run("pg_isready", "-q", "-h", self.folder, "-p", str(self.port or 5432)).returncode != 0:
            if time.monotonic() > end or self.process.poll() is not None:
                with open(self.log, encoding="utf-8") as log:
                    raise RuntimeError(f"PostgreSQL did not start: {log.read()[-2000:]}")
            time.sleep(0.02)

    def stop(self, mode="fast"):
        """`immediate` is a crash: what was not flushed is gone, and the next start recovers."""
        if self.process and self.process.poll() is None:
            self.process.send_signal({"smart": signal.SIGTERM, "fast": signal.SIGINT, "immediate": signal.SIGQUIT}[mode])
            self.process.wait(60)
        self.process = None

    def close(self):
        self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    def url(self, database="postgres", user=ROLE, password=None, host=None, port=None, **parameters):
        """By the socket, or by TCP where `host` is given."""
        login = user + (":" + urllib.parse.quote(password, safe="") if password else "")
        if host is None:
            parameters = {"host": self.folder, "port": str(self.port or 5432), **parameters}
        where = f"{host}:{port or self.port}" if host else ""
        query = "&".join(f"{name}={urllib.parse.quote(value, safe='/')}" for name, value in parameters.items())
        return f"postgres://{login}@{where}/{database}" + (f"?{query}" if query else "")

    def sql(self, text, database="postgres", user=ROLE):
        return sql(self.url(database, user), text)

    def make_database(self):
        """A new, empty one; its name."""
        return make_database(self.url())


def started_at(process):
    """In ticks since the machine began: with its number it names a process for good."""
    with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as file:
        return file.read().rpartition(")")[2].split()[19]


def shared_url():
    """Of the server that the commands of the process above share; starts it where none is there yet."""
    parent = os.getppid()
    place = os.path.join(tempfile.gettempdir(), f"costcurve_pg_of_{os.getuid()}_{parent}_{started_at(parent)}")
    with open(place, "a+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)  # the others wait until it answers
        file.seek(0)
        if url := file.read():
            return url
        read, write = os.pipe()
        if os.fork() == 0:
            os.close(read)
            file.close()  # and the lock with it, once the other end is closed too
            keep_until_ended(parent, write, place)
        os.close(write)
        with open(read, encoding="utf-8") as started:
            url = started.read()
        if not url:
            os.unlink(place)
            raise RuntimeError("no server: what is printed above says why")
        file.write(url)
        return url


def keep_until_ended(parent, write, place):
    """Starts a server, writes its URL, and stops it when the process has ended. Never returns."""
    try:
        os.setsid()
        ended = os.pidfd_open(parent)
        cluster = Cluster(settings=WITHOUT_FLUSHES)
        silence = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(silence, stream)  # nobody waits for the end of what this could print
        os.write(write, cluster.url().encode())
        os.close(write)
        select.select([ended], [], [])
        cluster.close()
        os.unlink(place)
    except BaseException:  # a child of a fork, which must not go on as its parent's program
        traceback.print_exc()
    finally:
        os._exit(1)


def main():
    arguments = sys.argv[1:]
    is_shared = arguments[:1] == ["--shared"]
    command = arguments[is_shared:]
    if not command:
        print(__doc__)
        return 2
    needed()
    if SERVER in os.environ:
        return subprocess.run(command, check=False).returncode
    if is_shared:
        return subprocess.run(command, env={**os.environ, SERVER: shared_url()}, check=False).returncode
    with Cluster(settings=WITHOUT_FLUSHES) as cluster:
        return subprocess.run(command, env={**os.environ, SERVER: cluster.url()}, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
