"""Runs the tests with a label full.LANE, the most valuable lane first, on all processors.

usage: lanes.py BUILD [--within SECONDS] [--lane NAME …]
A test that still runs after that time is ended and counted as not run, by its name, and so are those that were not begun: never a
failure for lack of time. What a test prints is in BUILD/lanes, and on the terminal where it fails.
"""
import argparse
import contextlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import time

# By what they find in a minute that the tests before them don't.
LANES = ["sanitizers", "postgres", "random", "kills", "browser", "fuzz", "install", "soak", "machine", "mutation", "tidy", "bench"]
SKIPPED = 77
SHOWN_BYTES = 20000  # of what a failed test printed


class Test:
    """A test of ctest's list, run in a process group of its own."""

    def __init__(self, described, folder):
        properties = {row["name"]: row["value"] for row in described.get("properties", [])}
        labels = properties.get("LABELS", [])
        self.name = described["name"]
        self.command = described.get("command")
        self.lane = next((label.removeprefix("full.") for label in labels if label.startswith("full.")), None)
        self.processors = sys.maxsize if properties.get("RUN_SERIAL") else int(properties.get("PROCESSORS", 1))
        self.timeout = float(properties.get("TIMEOUT", 1500))
        self.directory = properties.get("WORKING_DIRECTORY")
        self.log = folder / f"{self.name}.log"
        self.process = self.begun = self.seconds = None

    def start(self):
        self.begun = time.monotonic()
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(self.command, cwd=self.directory, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                            start_new_session=True)

    def so_far(self):
        return time.monotonic() - self.begun

    def end(self):
        """What it started ends with it: asked first, so that it can tidy up, and killed after ten seconds."""
        for what, patience_s in ((signal.SIGTERM, 10), (signal.SIGKILL, None)):
            with contextlib.suppress(ProcessLookupError, subprocess.TimeoutExpired):
                os.killpg(self.process.pid, what)
                self.process.wait(patience_s)


def listed(build, folder):
    """The tests of the lanes, in their order."""
    text = subprocess.run(["ctest", "--test-dir", str(build), "--show-only=json-v1", "-L", "^full"], capture_output=True, text=True,
                          check=True).stdout
    tests = [Test(row, folder) for row in json.loads(text)["tests"]]
    unknown = sorted({test.lane for test in tests} - set(LANES), key=str)
    if unknown:
        sys.exit(f"lanes.py: lanes of tests that are not in LANES: {unknown}")
    return sorted(tests, key=lambda test: LANES.index(test.lane))


def outcome_of(test, number, count):
    """passed, failed or skipped, of a test that has ended; says so."""
    status, test.seconds = test.process.returncode, test.so_far()
    test.end()  # and what it left behind
    outcome = {0: "passed", SKIPPED: "skipped"}.get(status, "failed")
    print(f"[{number}/{count}] {outcome:7} {test.lane}: {test.name} ({test.seconds:.0f} s)", flush=True)
    text = test.log.read_text(encoding="utf-8", errors="replace")
    if outcome == "failed":
        print(f"{text[-SHOWN_BYTES:]}\n{test.name} ended with {status}", flush=True)
    elif outcome == "skipped":
        print(f"    {next((line for line in text.splitlines() if 'skipped' in line), text[-200:])}", flush=True)
    return outcome


def run_all(tests, processors, end):
    """{outcome: [test]}; not run are those without one."""
    waiting, running, done = list(tests), [], {"passed": [], "failed": [], "skipped": []}
    try:
        while (waiting or running) and time.monotonic() < end:
            free = processors - sum(min(test.processors, processors) for test in running)
            if waiting and min(waiting[0].processors, processors) <= free:
                running.append(waiting.pop(0))
                running[-1].start()
                continue
            for test in [test for test in running if test.process.poll() is None and test.so_far() > test.timeout]:
                print(f"{test.name} is ended after {test.timeout:.0f} s", flush=True)
                test.end()
            for test in [test for test in running if test.process.poll() is not None]:
                running.remove(test)
                number = 1 + sum(map(len, done.values()))
                done[outcome_of(test, number, len(tests))].append(test)
            time.sleep(0.1)
    finally:
        for test in running:
            test.end()
    return done


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--within", type=float, default=float("inf"), help="seconds")
    parser.add_argument("--lane", choices=LANES, nargs="+", default=LANES)
    arguments = parser.parse_args()
    for ending in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(ending, lambda number, frame: sys.exit(f"lanes.py: ended by signal {number}"))
    end = time.monotonic() + arguments.within
    folder = arguments.build.resolve() / "lanes"
    folder.mkdir(parents=True, exist_ok=True)
    tests = [test for test in listed(arguments.build, folder) if test.lane in arguments.lane]
    done = run_all(tests, os.cpu_count(), end)
    print("\nlane           tests   seconds of its tests")
    for lane in arguments.lane:
        of_lane = [test for tests_of in done.values() for test in tests_of if test.lane == lane]
        if of_lane:
            print(f"{lane:14} {len(of_lane):5} {sum(test.seconds for test in of_lane):9.0f}")
    finished = {test for tests_of in done.values() for test in tests_of}
    not_run = [test.name for test in tests if test not in finished]
    print(f"\nnot run for lack of time: {len(not_run)}{': ' if not_run else ''}{', '.join(not_run)}")
    print(f"failed: {', '.join(test.name for test in done['failed']) or 'none'}")
    print(f"{len(done['passed'])} passed, {len(done['failed'])} failed, {len(done['skipped'])} skipped")
    return 1 if done["failed"] else 0


if __name__ == "__main__":
    sys.exit(main())
