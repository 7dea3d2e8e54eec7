"""Draws random scenarios, prints the seed, and runs the properties of the model on them.

usage: random_invariants.py PROPERTY_TESTS --kind version_1|version_2 [--count 1000] [--seed 20261121] [options of googletest]
version_2 has leases, loans, terms, sites as one place, extra costs, classes of units, batch work and the rest of version 2.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

DRAW = pathlib.Path(__file__).resolve().parents[1] / "reference/random_scenarios.py"
KINDS = {"version_1": ["--eligible"], "version_2": ["--version2", "--work"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--kind", choices=KINDS, required=True)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=20261121)
    arguments, others = parser.parse_known_args()
    print(f"{arguments.count} random scenarios of {arguments.kind}, --seed {arguments.seed}", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, f"random_{arguments.seed}.ndjson")
        with open(path, "w", encoding="utf-8") as file:
            subprocess.run([sys.executable, str(DRAW), *KINDS[arguments.kind], "--count", str(arguments.count),
                            "--seed", str(arguments.seed)], stdout=file, check=True)
        return subprocess.run([arguments.program, str(path), *others], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
