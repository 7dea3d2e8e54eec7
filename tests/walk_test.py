"""Follows calls through the daemon and holds docs/walk.md to them: each step names a function of its file, and a call gets there.

usage: walk_test.py COSTCURVE ROOT    Skipped (77) where valgrind isn't installed: callgrind lists the functions that were called.
"""
import contextlib
import http.client
import json
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.append(str(pathlib.Path(__file__).parent / "support"))
import skips  # noqa: E402

STEP = re.compile(r"^\| (\w+) \| `([\w./]+)` \| `(\w+)\(\)`: ", re.MULTILINE)


def functions_called(costcurve, folder, requests):
    """Names, without namespaces, of all that the daemon calls for these (method, path, body)."""
    out = folder / "calls"
    command = ["valgrind", "--quiet", "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={out}", costcurve, "serve",
               "--port", "0", "--database", str(folder / "store.db"), "--log-level", "info"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as daemon:
        try:
            lines = iter(daemon.stdout.readline, "")
            address = re.compile(r"listens on http://127\.0\.0\.1:(\d+)")
            port = next(int(found.group(1)) for line in lines if (found := address.search(line)))
            subprocess.run(["callgrind_control", "--instr=on", str(daemon.pid)], check=True, stdout=subprocess.DEVNULL)
            for method, path, body in requests:
                with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=120)) as connection:
                    connection.request(method, path, json.dumps(body), {"Content-Type": "application/json"})
                    answer = connection.getresponse()
                    text = answer.read().decode()
                    if answer.status not in (200, 201):
                        raise AssertionError(f"{method} {path}: {answer.status} {text}")
        finally:
            daemon.send_signal(signal.SIGTERM)
    calls = re.findall(r"^c?fn=.*", out.read_text(encoding="utf-8"), re.MULTILINE)
    return {name for call in calls for name in re.findall(r"(\w+)(?:\[abi:\w+\])?[<(]", call)}


def main():
    costcurve, root = sys.argv[1], pathlib.Path(sys.argv[2])
    if not shutil.which("valgrind"):
        skips.end(skips.why("valgrind"))
    page = (root / "docs/walk.md").read_text(encoding="utf-8")
    table = [line for line in page.splitlines() if line.startswith("| ")][1:]
    steps = STEP.findall(page)
    problems = [] if len(steps) == len(table) - 1 > 10 else ["each row needs: step | `file` | `function()`: what happens"]
    scenario = json.loads((root / "examples/serving_70b/cloud_reserved.json").read_text(encoding="utf-8"))
    change = {"/months": 12}
    with tempfile.TemporaryDirectory() as place:
        called = functions_called(costcurve, pathlib.Path(place), [
            ("PUT", "/v1/scenarios/stored", scenario | {"id": "stored"}),
            ("POST", "/v1/evaluate", {"scenario": "stored", "set": change}),
            ("POST", "/v1/evaluate/batch", {"scenarios": [scenario]}),
        ])
    for step, file, function in steps:
        if not (root / file).is_file():
            problems.append(f"{step}: there is no {file}")
            continue
        code = (root / file).read_text(encoding="utf-8")
        if not re.search(rf"^[^/\n]*[\w>&*] (?:\w+::)*{function}\(", code, re.MULTILINE):
            problems.append(f"{step}: {file} has no {function}()")
        if function not in called:
            problems.append(f"{step}: {function}() was not called")
    print("\n".join(problems) or f"{len(steps)} steps, each a function of its file that a call reaches")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
