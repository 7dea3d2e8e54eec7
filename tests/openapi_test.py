"""The description that the daemon serves is the one that is checked in, as one line an operation and a schema.

usage: openapi_test.py COSTCURVE ROOT [--renew]    (the built binary, the repository's root)
       --renew writes what is served to docs/openapi.json
"""
import difflib
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import urllib.request


def served(binary):
    environment = {key: value for key, value in os.environ.items() if not key.startswith("COSTCURVE_")}
    with tempfile.TemporaryDirectory() as folder:
        command = [binary, "serve", "--port", "0", "--database", f"{folder}/openapi.db", "--log-level", "off"]
        daemon = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment)
        try:
            line = daemon.stdout.readline()
            address = re.search(r"http://127\.0\.0\.1:\d+", line)
            if not address:
                sys.exit(f"the first line is {line!r}; it must name the address")
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            with opener.open(address.group(0) + "/openapi.json", timeout=30) as answer:
                return json.load(answer)
        finally:
            daemon.terminate()
            daemon.wait(timeout=30)
            daemon.stdout.close()


def written(value, depth):
    """The JSON of a value; of an object that is less than `depth` deep with a line for each member."""
    if depth == 0 or not isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    members = ",\n".join(f"{json.dumps(name)}: {written(member, depth - 1)}" for name, member in value.items())
    return "{\n" + members + "\n}"


def main(binary, root, renew):
    checked_in = pathlib.Path(root) / "docs" / "openapi.json"
    now = written(served(binary), 3) + "\n"  # paths, a path, its operations; components, schemas, a schema
    before = checked_in.read_text(encoding="utf-8") if checked_in.is_file() else ""
    if renew:
        checked_in.write_text(now, encoding="utf-8")
        return 0
    if now == before:
        return 0
    lines = difflib.unified_diff(before.splitlines(), now.splitlines(), "docs/openapi.json", "/openapi.json", lineterm="")
    print("\n".join(list(lines)[:100]))
    print(f"docs/openapi.json is not what the daemon serves; renew it with\n  python3 tests/openapi_test.py {binary} . --renew")
    return 1


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[3:] not in ([], ["--renew"]):
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:] == ["--renew"]))
