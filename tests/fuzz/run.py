"""Runs a fuzz target for a while on a corpus made from the small files of the tests.

usage: python3 tests/fuzz/run.py TARGET SECONDS FOLDER

Every file of tests/import/files and tests/fuzz/corpus becomes a seed for every format. What the target finds is kept in
FOLDER from run to run; an input that breaks it is written there too, and printed in base64. The
seed is fixed: a run can be repeated.
"""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LARGEST_SEED = 16384
# For a format: its mark and blocks of 1 + 255 × 16 bytes. For texts: what to read it as, and blocks of 1 + 8 × 4 bytes.
WHOLE = 255
KINDS_OF_TEXT = 4


def heads(target):
    """What stands before a seed: chooses what it is read as."""
    if "formats" not in target.name:
        return {str(kind): bytes([kind, 8]) for kind in range(KINDS_OF_TEXT)}
    lines = subprocess.run([target, "--formats"], check=True, capture_output=True, text=True).stdout.splitlines()
    return {name: int(mark).to_bytes(2, "big") + bytes([WHOLE]) for mark, name in map(str.split, lines)}


def main():
    target, seconds, folder = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]), pathlib.Path(sys.argv[3])
    seeds, found = folder / "seeds", folder / "found"
    for place in (seeds, found):
        place.mkdir(parents=True, exist_ok=True)
    files = [path for place in ("tests/import/files", "tests/fuzz/corpus") for path in sorted((ROOT / place).rglob("*"))
             if path.is_file()]
    assert files, "there are no seeds"
    for name, head in heads(target).items():
        for path in files:
            (seeds / f"{name}.{path.name}").write_bytes(head + path.read_bytes()[:LARGEST_SEED])
    command = [str(target), str(found), str(seeds), f"-max_total_time={seconds}", "-max_len=20000", "-timeout=20",
               "-rss_limit_mb=1024", "-seed=20261121", f"-artifact_prefix={folder}/", "-print_final_stats=1", "-verbosity=0"]
    sys.exit(subprocess.run(command, check=False).returncode)


main()
