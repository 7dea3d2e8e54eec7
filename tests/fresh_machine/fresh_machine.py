"""Runs the README's commands on a fresh Debian 12: deploy/run twice, then the browser's main paths. Prints what each took.

usage: fresh_machine.py ROOT [--no-browser] [--tests] [--always]
--tests runs all of deploy/test there, twice, in place of the browser's part: cold, and with the compiler cache warm.
Exits with 77 where no such machine can be made here. A commit that has passed is not tried again, unless --always.
"""
import argparse
import json
import pathlib
import re
import resource
import subprocess
import sys
import time
import urllib.request

import machine

SKIPPED = 77
# Seconds on two idle cores that are promised; printed beside what was measured, and never an assertion.
PROMISED = {"clone to serving": 180, "second start": 3, "deploy/test": 900, "deploy/test with a warm cache": 360}
LISTENS = re.compile(r"costcurve listens on (http://\S+)")
TOOK = re.compile(r"^took: (.*)$")
COMPARED = ["serving-70b.cloud-on-demand", "serving-70b.owned"]


REPORTED = []


def report(text):
    REPORTED.append(text)
    print(f"fresh machine: {text}", flush=True)


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def ask(url, path, body=None):
    headers = {"Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    with urllib.request.build_opener(urllib.request.ProxyHandler({})).open(
            urllib.request.Request(url + path, data=data, headers=headers), timeout=60) as answer:
        return answer.read()


def check_answers(url):
    """The page, what it loads, and a comparison of stored scenarios."""
    if b"<title>costcurve</title>" not in ask(url, "/"):
        raise AssertionError("/ is not the dashboard")
    ask(url, "/static/packages/echarts.js")
    ask(url, "/static/packages/rapidoc/dist/rapidoc-min.js")
    stored = [item["id"] for item in json.loads(ask(url, "/v1/scenarios?limit=1000"))["items"]]
    missing = set(COMPARED) - set(stored)
    if missing:
        raise AssertionError(f"not stored: {missing}; stored are {stored}")
    compared = json.loads(ask(url, "/v1/compare", {"scenarios": COMPARED}))
    if len(compared["scenarios"]) != len(COMPARED):
        raise AssertionError(f"a comparison of two has {len(compared['scenarios'])} results")


def serve(root, title):
    """deploy/run until it answers, then SIGTERM. Gives the seconds."""
    begun = time.monotonic()
    lines = []
    run = machine.start(root, "exec deploy/run --port 0", stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    try:
        url = None
        for line in run.stdout:
            lines.append(line)
            if took := TOOK.match(line):
                report(f"{title}: {took.group(1)}")
            if found := LISTENS.search(line):
                url = found.group(1)
                break
        if not url:
            print("".join(lines[-60:]))
            raise AssertionError(f"deploy/run ended with {run.wait()} before it served")
        check_answers(url)
        seconds = time.monotonic() - begun
        run.terminate()
        run.stdout.read()
        if run.wait() != 0:
            raise AssertionError(f"the daemon ended with {run.returncode} after SIGTERM")
    finally:
        run.kill()
    return seconds


def run_quietly(root, command, title):
    begun = time.monotonic()
    with machine.start(root, command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        text = process.stdout.read()
        status = process.wait()
    if status != 0:
        print(text[-8000:])
        raise AssertionError(f"{title} ended with {status}")
    report(f"{title}: {time.monotonic() - begun:.0f} s; {text.strip().splitlines()[-1] if text.strip() else 'quiet'}")


def run_tests(root, title, after=""):
    """All of deploy/test. Gives whether it passed; prints its phases."""
    begun, used = time.monotonic(), processor_seconds()
    with machine.start(root, f"{after} deploy/test", stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        for line in process.stdout:
            print(line, end="", flush=True)
        status = process.wait()
    report(f"{title}: {time.monotonic() - begun:.0f} s (promised on two idle cores: {PROMISED[title]} s); "
           f"{processor_seconds() - used:.0f} s of processor time; status {status}")
    return status == 0


def inside(root, source, browser, tests):
    """As process 1 of the namespaces: makes the machine and goes through the README."""
    begun = time.monotonic()
    machine.build(root, report)
    report(f"Debian 12, minimal, laid out in {time.monotonic() - begun:.0f} s")
    begun, used = time.monotonic(), processor_seconds()
    subprocess.run(["git", "clone", "-q", "--no-local", str(source), str(root / "costcurve")], check=True)
    cloned = time.monotonic() - begun
    seconds = cloned + serve(root, "first start")
    used = processor_seconds() - used
    report(f"clone to serving: {seconds:.0f} s (promised on two idle cores: {PROMISED['clone to serving']} s); "
           f"{used:.0f} s of processor time, which are {used / 2:.0f} s of two cores")
    second = serve(root, "second start")
    report(f"second start: {second:.1f} s (promised: {PROMISED['second start']} s)")
    if tests:
        passed = run_tests(root, "deploy/test")
        return 0 if run_tests(root, "deploy/test with a warm cache", "rm -rf build &&") and passed else 1
    if browser:
        run_quietly(root, "deploy/setup test", "deploy/setup test")
        run_quietly(root, "deploy/packages test", "deploy/packages test")
        run_quietly(root, "node --version && node tests/ui/ui.mjs build/run/costcurve . --main", "browser suite")
    (root.parent / "report.txt").write_text("\n".join(REPORTED) + "\n", encoding="utf-8")
    return 0


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("source", type=pathlib.Path)
    arguments.add_argument("--no-browser", action="store_true")
    arguments.add_argument("--tests", action="store_true")
    arguments.add_argument("--always", action="store_true")
    arguments.add_argument("--inside", type=pathlib.Path)
    given = arguments.parse_args()
    source = given.source.resolve()
    if given.inside:
        return inside(given.inside, source, not given.no_browser, given.tests)
    obstacle = machine.obstacle()
    if obstacle:
        report(f"skipped: {obstacle}")
        return SKIPPED
    tree = machine.output_of("git", "-C", str(source), "rev-parse", "HEAD^{tree}").strip()
    passed = machine.CACHE / "fresh_machine_passed.txt"
    record = passed.read_text(encoding="utf-8") if passed.exists() else ""
    if record.startswith(tree) and not (given.always or given.tests):
        report("this commit has passed before, and is not tried again without --always. Then it was:")
        print(record)
        return 0
    if machine.output_of("git", "-C", str(source), "status", "--porcelain").strip():
        report("what is not committed is not in the clone, and not tried")
    with machine.folder() as made:
        options = ["--no-browser"] * given.no_browser + ["--tests"] * given.tests
        status = machine.enter(__file__, str(source), "--inside", str(made / "root"), *options)
        if status == 0 and not given.no_browser and not given.tests:
            passed.write_text(f"{tree}\n{(made / 'report.txt').read_text(encoding='utf-8')}", encoding="utf-8")
    return status


if __name__ == "__main__":
    sys.exit(main())
