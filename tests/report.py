"""Runs ctest, lists the ten slowest tests and what was skipped and why, and closes with ctest's own lines.

usage: report.py BUILD [options of ctest]
A program of many tests is one test of ctest: its parts are read from what it prints. The status is ctest's.
"""
import collections
import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree

SLOWEST = 10
PART = re.compile(r"^\[\s+OK \] (\S+) \((\d+) ms\)$", re.M)
PART_SKIPPED = re.compile(r"(?:^\S+:\d+: Skipped\n(.*)\n(?:.*\n)??)?^\[  SKIPPED \] (\S+) \(\d+ ms\)$", re.M)
SKIPPED = re.compile(r"^(?:.* )?skipped: (.*)$", re.M)  # a sentence of a program
CLOSING = re.compile(r"^\d+% tests passed, \d+ tests failed out of \d+|^No tests were found")


def report_of(path):
    """[(seconds, test)] and {reason: [test]} of a report in JUnit's form."""
    slow, skipped = [], collections.defaultdict(list)
    for case in xml.etree.ElementTree.parse(path).getroot().iter("testcase"):
        name, printed = case.get("name"), case.findtext("system-out") or ""
        parts = [(int(milliseconds) / 1000, f"{name} {part}") for part, milliseconds in PART.findall(printed)]
        slow += parts or [(float(case.get("time") or 0), name)]
        if case.find("skipped") is not None:
            skipped[(SKIPPED.findall(printed) or ["it says no reason"])[0]].append(name)
            continue
        for reason in SKIPPED.findall(printed):
            skipped[reason].append(f"a part of {name}")
        for reason, part in PART_SKIPPED.findall(printed):
            skipped[reason or "it says no reason"].append(f"{name} {part}")
    return sorted(slow, reverse=True), skipped


def print_report(path):
    slow, skipped = report_of(path)
    print("\nthe slowest:")
    for seconds, name in slow[:SLOWEST]:
        print(f"  {seconds:7.1f} s  {name}")
    count = sum(map(len, skipped.values()))
    print(f"skipped: {count}")
    for reason, tests in sorted(skipped.items()):
        print(f"  {reason}: {', '.join(tests[:3])}{f' and {len(tests) - 3} more' if len(tests) > 3 else ''}")
    print(flush=True)


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    path = build / "Testing/report.xml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    command = ["ctest", "--test-dir", str(build), "--output-on-failure", "--output-junit", str(path),
               "--test-output-size-passed", "10000000", "--test-output-size-failed", "10000000", *sys.argv[2:]]
    closing = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace") as run:
        for line in run.stdout:
            if closing or CLOSING.match(line):
                closing.append(line)
            else:
                print(line, end="", flush=True)
    if path.exists():
        print_report(path)
    print("".join(closing), end="")
    return run.returncode


if __name__ == "__main__":
    sys.exit(main())
