"""The tests of `deploy/test`, run one by one against the programs of a fault until one fails.

Likeliest first: the unit program of the fault's room, beginning with what tests its file, then the others by how long they take.
"""
import dataclasses
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import tempfile
import time

# Of each room: the tests that are likeliest to see a fault, in this order.
ROOM_TESTS = {
    "model": ["model_tests", "golden_tests", "property.invariants", "reference.agrees", "questions_tests"],
    "hours": ["model_tests", "golden_tests", "property.invariants"],
    "performance": ["model_tests", "golden_tests", "rates_tests", "questions_tests", "api_tests", "rate_line"],
    "questions": ["questions_tests", "api_tests", "golden_tests", "questions_line", "rank_line"],
    "fields": ["openapi", "documents_tests", "contract", "api_tests"],
    "storage": ["storage_tests", "jobs_tests", "api_tests"],
    "sql": ["storage_tests", "jobs_tests", "api_tests"],
    "sqlite": ["storage_tests", "jobs_tests", "stores"],
    "postgres": ["smoke.storage", "smoke.contract"],
    "migrations": ["storage_tests", "stores", "api_tests"],
    "documents": ["documents_tests", "api_tests", "import_tests"],
    "gate": ["gate_line", "gate_daemon", "gate_actions", "deployed_line", "deployed_published", "deployed_kinds"],
    "import": ["import_tests", "published_files", "api_tests"],
    "jobs": ["jobs_tests", "api_tests"],
    "outgoing": ["jobs_tests", "api_tests", "webhooks", "feeds"],
    "recalculation": ["jobs_tests", "api_tests", "nightly", "recalculation"],
    "actuals": ["jobs_tests", "api_tests"],
    "answers": ["api_tests", "documents_tests", "questions_line", "rank_line", "rate_line", "contract",
                "workbook_line", "workbook"],
    "ingest": ["documents_tests", "api_tests", "feeds", "feed_redirects"],
    "http": ["http_tests", "faults", "daemon"],
    "api": ["api_tests", "openapi", "contract", "mcp"],
    "commands": ["command_line", "daemon", "stores", "rank_line", "questions_line", "rate_line", "feeds", "faults"],
    "page": ["ui.functions", "ui"],
}
LOOKS_AT_SOURCES = {"floors", "packages", "hardening", "docs", "documents", "format", "tidy", "catalog_coverage", "catalog_models",
                    "catalog_estimates"}
SKIPPED = 77
HANGS_AFTER = 5  # times what a test usually takes, and then: of processor time, or without any
SPARE_SECONDS = 20
STILL_SECONDS = 20  # in which what waits for nothing would have worked, on a busy machine too
STILL_WORK = 0.1  # seconds of processor time
DEFAULT_SECONDS = 60  # of a test that has never run here
MAX_BYTES = 6 << 30  # of memory of a test and what it starts
LIMITS = ["setpriv", "--pdeathsig", "KILL", "prlimit", "--core=0", f"--fsize={MAX_BYTES}"]
BETWEEN_LOOKS = 0.05
SUITE = re.compile(r"^(?:TEST|TEST_F|TEST_P|TYPED_TEST)\((\w+),", re.M)
FAILED = re.compile(r"^\[  FAILED  \] ([\w./]+)", re.M)
RUNS = re.compile(r"^\[ RUN      \] ([\w./]+)", re.M)


@dataclasses.dataclass(frozen=True)
class Check:
    name: str
    command: tuple
    directory: str | None
    environment: tuple
    labels: tuple
    seconds: float  # that it usually takes
    hangs_after: float
    timeout: float

    def is_units(self, build):
        return self.command[0] in build.programs


def usual_seconds(folder):
    """What ctest has measured here: {test: seconds}."""
    found = {}
    path = folder / "Testing/Temporary/CTestCostData.txt"
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        if line.startswith("---"):
            break
        name, times, seconds = line.rsplit(" ", 2)
        if int(times) > 0:
            found[name] = float(seconds)
    return found


def all_checks(build):
    text = subprocess.run(["ctest", "--test-dir", str(build.folder), "--show-only=json-v1", "-LE", "^full"], capture_output=True,
                          text=True, check=True).stdout
    usual = usual_seconds(build.folder)
    checks = []
    for row in json.loads(text)["tests"]:
        properties = {item["name"]: item["value"] for item in row.get("properties", [])}
        if row["name"] in LOOKS_AT_SOURCES or not set(row.get("command", [])) & set(build.programs):
            continue
        seconds = usual.get(row["name"], DEFAULT_SECONDS)
        checks.append(Check(row["name"], tuple(row["command"]), properties.get("WORKING_DIRECTORY"),
                            tuple(properties.get("ENVIRONMENT", ())), tuple(properties.get("LABELS", ())), seconds,
                            HANGS_AFTER * seconds + SPARE_SECONDS, float(properties.get("TIMEOUT", 1500))))
    return checks


def checks_for(fault, faulty, checks, likeliest=False):
    """Those that a fault can make fail, the likeliest first, or these alone."""
    first = ROOM_TESTS[fault.room]
    # What the page does, a browser sees alone; and what PostgreSQL does, tests that start one.
    kinds = {"page": lambda check: "ui" in check.labels, "postgres": lambda check: check.name.startswith("smoke.")}
    sees = kinds.get(fault.room, lambda check: "ui" not in check.labels)
    order = {name: place for place, name in enumerate(first)}
    if likeliest and first:
        checks = [check for check in checks if check.name in order]
    programs = set(faulty.build.programs)
    wanted = [check for check in checks if sees(check) and any(map(faulty.can_reach, programs.intersection(check.command)))]
    return sorted(wanted, key=lambda check: (order.get(check.name, len(first)), check.seconds))


def suites_for(root, file):
    """The suites of the test files that are named as a file is, or include its header."""
    stem = pathlib.PurePath(file).stem
    header = re.sub(r"\.cpp$", ".hpp", file)
    suites = []
    for path in sorted((root / "tests").rglob("*_test.cpp")):
        text = path.read_text(encoding="utf-8")
        if path.name == f"{stem}_test.cpp" or f'#include "{header}"' in text:
            suites += SUITE.findall(text)
    return sorted(set(suites))


@dataclasses.dataclass(frozen=True)
class Process:
    number: int
    memory: int  # bytes
    work: float  # seconds of processor time, with that of its children that have ended


def processes_of(group, folder):
    """Those of a group, and of programs in a folder."""
    found = []
    for entry in os.scandir("/proc"):
        if not entry.name.isdigit():
            continue
        try:
            with open(f"/proc/{entry.name}/stat", encoding="utf-8", errors="replace") as file:
                fields = file.read().rsplit(")", 1)[1].split()
            if int(fields[2]) == group or os.readlink(f"/proc/{entry.name}/exe").startswith(f"{folder}/"):
                found.append(Process(int(entry.name), int(fields[21]) * os.sysconf("SC_PAGE_SIZE"),
                                     sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")))
        except (OSError, IndexError):
            continue
    return found


def end_all(group, folder):
    for process in processes_of(group, folder):
        try:
            os.kill(process.number, signal.SIGKILL)
        except ProcessLookupError:
            pass


class Deadline:
    """When the run ends, which may be set to now."""

    def __init__(self, seconds):
        self.at = time.monotonic() + seconds

    def has_passed(self):
        return time.monotonic() > self.at

    def end(self):
        self.at = 0


class Watch:
    """Whether a test hangs or takes all memory. Wall clock alone does not say so on a machine that others work on too."""

    def __init__(self, check):
        self.check, self.begun = check, time.monotonic()
        self.next_look = self.begun + 1
        self.work, self.worked_at = 0.0, self.begun

    def is_over(self, group, folder):
        now = time.monotonic()
        if now - self.begun > self.check.timeout:
            return True
        if now < self.next_look:
            return False
        self.next_look = now + 1
        processes = processes_of(group, folder)
        work = sum(process.work for process in processes)
        if abs(work - self.work) > STILL_WORK:
            self.work, self.worked_at = work, now
        is_late = now - self.begun > self.check.hangs_after
        hangs = work > self.check.hangs_after or (is_late and now - self.worked_at > STILL_SECONDS)
        return hangs or sum(process.memory for process in processes) > MAX_BYTES


def run(words, check, folder, deadline):
    """(status, output, seconds): status is None of a test that is ended since it hangs or takes all memory. Raises TimeoutError at
    the deadline."""
    begun = time.monotonic()
    place = tempfile.mkdtemp(prefix="mutation-")
    os.chmod(place, 0o755)  # tests that give up their privileges go on there
    environment = os.environ | dict(item.split("=", 1) for item in check.environment) | {"TMPDIR": place}
    log = folder / "output"
    with open(log, "wb") as output:
        process = subprocess.Popen([*LIMITS, *words], cwd=check.directory or folder, env=environment, stdin=subprocess.DEVNULL,
                                   stdout=output, stderr=output, start_new_session=True)
    watch = Watch(check)
    try:
        while (status := process.poll()) is None and not watch.is_over(process.pid, folder):
            if deadline.has_passed():
                raise TimeoutError
            time.sleep(BETWEEN_LOOKS)
    finally:
        end_all(process.pid, folder)
        process.wait()
        shutil.rmtree(place, ignore_errors=True)
    return status, log.read_bytes()[-100_000:].decode(errors="replace"), time.monotonic() - begun


def commands_of(check, faulty, suites):
    """How a test runs: its words, and of a unit program the filters of two runs, with the suites of the fault's file first."""
    words = [faulty.program(word) if word in faulty.build.programs else word for word in check.command]
    if not check.is_units(faulty.build):
        return words, [None]
    names = ":".join(f"{suite}.*:*/{suite}.*" for suite in suites)
    return [*words, "--gtest_fail_fast"], [(names, ""), ("*", names)] if names else [("*", "")]


def with_filter(words, wanted, left_out):
    if wanted is None:
        return words
    return [*words, f"--gtest_filter={wanted[0]}-{':'.join(filter(None, [wanted[1], *left_out]))}"]


class Checks:
    """The tests, and which of them pass without a fault."""

    def __init__(self, build, likeliest):
        self.all, self.likeliest = all_checks(build), likeliest
        self.passes = {}

    def passes_without(self, check, part, faulty, deadline):
        """Whether the test, or this part of a unit program, passes with the programs as they are: a catch that it makes is one."""
        if (check.name, part) not in self.passes:
            words = [*check.command, f"--gtest_filter={part}"] if part else check.command
            self.passes[check.name, part] = run(words, check, faulty.folder, deadline)[0] == 0
            if not self.passes[check.name, part]:
                print(f"fails without a fault, and is left out: {check.name} {part}", flush=True)
        return self.passes[check.name, part]

    def catch(self, fault, faulty, deadline):
        """What failed, or None, and after how many seconds of tests."""
        suites = suites_for(faulty.build.root, fault.file)
        seconds = 0.0
        for check in checks_for(fault, faulty, self.all, self.likeliest):
            words, filters = commands_of(check, faulty, suites)
            for wanted in filters:
                while True:
                    left_out = sorted(part for (name, part), passes in self.passes.items() if name == check.name and not passes)
                    if "" in left_out:
                        break  # the whole test fails without a fault
                    status, output, took = run(with_filter(words, wanted, left_out), check, faulty.folder, deadline)
                    seconds += took
                    if status in (0, SKIPPED):
                        break
                    # Of a unit program that crashed or hangs: the part that was running.
                    part = (FAILED.findall(output)[:1] or RUNS.findall(output)[-1:] or [""])[0]
                    if self.passes_without(check, part, faulty, deadline):
                        return f"{check.name} {part}".strip() + (", which hangs" if status is None else ""), seconds
        return None, seconds
