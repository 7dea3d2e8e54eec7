#!/usr/bin/env python3
"""Puts faults into the product, one at a time, and runs the tests of `deploy/test` until one fails: do they catch it?

usage: mutate.py ROOT [--count 50] [--seed N] [--only K …] [--list] [--within SECONDS] [--likeliest] [--unchanged] [--workers 2]
Needs build/run, configured with tests as deploy/test does; builds what is not built there, and leaves it as it is: a faulty program
is linked beside it. The goal is that 94 % are caught; fails below 50 %, and is skipped (77) where fewer than 10 were tried in time.
"""
import argparse
import collections
import concurrent.futures
import dataclasses
import fcntl
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import threading
import time

import checks
import faults
import programs

SEED = 20261126
GOAL = 0.94
LEAST = 0.5  # well below what has been shown (README.md): raised as tests come
FEWEST = 20  # tried, or else it says nothing: of 10 with three in four caught, one run in thirteen has half or fewer
SKIPPED = 77
ACCEPTED = pathlib.Path(__file__).with_name("accepted.txt")


@dataclasses.dataclass
class Outcome:
    number: int
    fault: faults.Fault
    caught_by: str | None = None
    seconds: float = 0.0
    not_compiled: int = 0
    accepted: str | None = None  # why


def read_accepted():
    """{(file, operator, its lines before): reason}."""
    rows = {}
    for line in ACCEPTED.read_text(encoding="utf-8").splitlines() if ACCEPTED.exists() else ():
        if line and not line.startswith("#"):
            file, operator, rest = line.split(" | ", 2)
            before, reason = rest.rsplit(" | ", 1)
            rows[file, operator, before] = reason
    return rows


def described(number, count, fault, source):
    before, after = fault.lines(source)
    return f"[{number}/{count}] {fault.room}: {fault.operator}: {fault.file}:{fault.line}\n    - {before}\n    + {after}"


class Run:
    def __init__(self, build, listed, deadline, unchanged, count):
        self.build, self.checks, self.deadline, self.unchanged, self.count = build, listed, deadline, unchanged, count
        self.accepted = read_accepted()
        self.lock = threading.Lock()
        self.done = []

    def folder(self):
        name = threading.current_thread().name.rsplit("_", 1)[-1]
        folder = self.build.scratch / f"worker_{name}"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        return folder

    def try_slot(self, number, slot):
        if self.deadline.has_passed():
            return
        not_compiled = 0
        for fault in slot:
            source = (self.build.root / fault.file).read_text(encoding="utf-8")
            reason = self.accepted.get((fault.file, fault.operator, fault.lines(source)[0]))
            if reason and not self.unchanged:
                self.report(Outcome(number, fault, None, 0.0, not_compiled, reason), source)
                return
            try:
                faulty = programs.Faulty(self.build, fault, source if self.unchanged else fault.apply(source), self.folder())
                faulty.compile()
                caught_by, seconds = self.checks.catch(fault, faulty, self.deadline)
            except programs.DoesNotCompile:
                not_compiled += 1
                continue
            except TimeoutError:
                return
            self.report(Outcome(number, fault, caught_by, seconds, not_compiled), source)
            return

    def report(self, outcome, source):
        fault = outcome.fault
        end = "SURVIVED"
        if outcome.accepted:
            end = f"accepted: {outcome.accepted}"
        elif outcome.caught_by:
            end = f"caught by {outcome.caught_by}"
        if outcome.not_compiled:
            end += f", after {outcome.not_compiled} that do not compile"
        with self.lock:
            self.done.append(outcome)
            print(f"{described(outcome.number, self.count, fault, source)}\n    {end} in {outcome.seconds:.0f} s", flush=True)


def say_all(done, wanted, root):
    """The survivors and the share; the status to end with."""
    caught = sum(outcome.caught_by is not None for outcome in done)
    by_test = collections.Counter(outcome.caught_by.split()[0].rstrip(",") for outcome in done if outcome.caught_by)
    print("\ncaught by: " + ", ".join(f"{name} {times}" for name, times in by_test.most_common()))
    for outcome in sorted(done, key=lambda outcome: outcome.number):
        if outcome.caught_by is None:
            fault = outcome.fault
            before, after = fault.lines((root / fault.file).read_text(encoding="utf-8"))
            print(f"survived: {outcome.number}: {fault.file}:{fault.line}: {fault.operator}: {before} -> {after}\n"
                  f"    {f'accepted: {outcome.accepted}' if outcome.accepted else 'no reason is known: a test is missing'}")
    if len(done) < wanted:
        print(f"not tried for lack of time: {wanted - len(done)}")
    print(f"{caught} of {len(done)} caught; the goal is {GOAL:.0%}")
    if len(done) < min(FEWEST, wanted):
        print(f"skipped: {len(done)} faults are too few to say anything")
        return SKIPPED
    return 0 if caught >= LEAST * len(done) else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--only", type=int, nargs="+", help="numbers of faults")
    parser.add_argument("--list", action="store_true", help="draw, and try none")
    parser.add_argument("--within", type=float, default=float("inf"), help="seconds")
    parser.add_argument("--unchanged", action="store_true", help="put in no fault: what is caught then is an error of this check")
    parser.add_argument("--likeliest", action="store_true", help="run the tests of the fault's room alone: a first look")
    parser.add_argument("--workers", type=int, default=min(2, os.cpu_count()))
    arguments = parser.parse_args()
    begun = time.monotonic()
    deadline = checks.Deadline(arguments.within)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # and ends what runs
    root = arguments.root.resolve()
    slots = [(number, slot) for number, slot in enumerate(faults.draw(root, arguments.count, arguments.seed), 1)
             if not arguments.only or number in arguments.only]
    print(f"seed {arguments.seed}: {len(slots)} faults", flush=True)
    if arguments.list:
        for number, slot in slots:
            fault = next(slot)
            print(described(number, arguments.count, fault, (root / fault.file).read_text(encoding="utf-8")))
        return 0
    folder = root / "build/run"
    subprocess.run(["cmake", "--build", str(folder)], check=True, stdout=subprocess.DEVNULL)
    scratch = folder / "mutation"
    lock = open(folder / "mutation.lock", "w", encoding="utf-8")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        sys.exit(f"mutate.py: another run works in {scratch}")
    shutil.rmtree(scratch, ignore_errors=True)
    build = programs.Build(root, folder, scratch, deadline)
    run = Run(build, checks.Checks(build, arguments.likeliest), deadline, arguments.unchanged, arguments.count)
    with concurrent.futures.ThreadPoolExecutor(arguments.workers, thread_name_prefix="worker") as workers:
        try:
            for tried in [workers.submit(run.try_slot, number, slot) for number, slot in slots]:
                tried.result()
        except BaseException:
            run.deadline.end()  # what runs is ended
            raise
    shutil.rmtree(scratch, ignore_errors=True)
    status = say_all(run.done, len(slots), root)
    print(f"{time.monotonic() - begun:.0f} s", flush=True)
    return status


if __name__ == "__main__":
    sys.exit(main())
