"""Runs a fuzz target for a while on a corpus made from the small files of the tests.

usage: python3 tests/fuzz/run.py TARGET SECONDS FOLDER

Importers: every file of tests/import/files and the files of tests/fuzz/corpus become a seed for every format. Other targets: each
line of tests/fuzz/corpus/TARGET.txt is a seed, with escapes as in Python. Words of tests/fuzz/dictionaries/TARGET.dict are tried.
What the target finds is kept in FOLDER from run to run; an input that breaks it is written there too, and printed in base64. The
seed is fixed: a run can be repeated.
"""

import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE = ROOT / "tests/fuzz"
MAX_SEED_BYTES = 16384
MAX_SCENARIO_BYTES = 5000  # larger ones are slow, and have nothing that these have not
# For a format: its mark and blocks of 1 + 255 × 16 bytes. For texts: what to read it as, and blocks of 1 + 8 × 4 bytes.
WHOLE = 255
KINDS_OF_TEXT = 4
MAX_BYTES = {"documents": 6000, "cron": 200}  # of an input


def printed_numbers(target, option):
    """What the target prints as lines of a number and a name: {name: number}."""
    lines = subprocess.run([target, option], check=True, capture_output=True, text=True).stdout.splitlines()
    return {name: int(number) for number, name in map(str.split, lines)}


def files(*places):
    found = [path for place in places for path in sorted((ROOT / place).rglob("*")) if path.is_file() and path.suffix != ".txt"]
    assert found, "there are no seeds"
    return [(path.name, path.read_bytes()[:MAX_SEED_BYTES]) for path in found]


def lines_of(name):
    text = (HERE / "corpus" / f"{name}.txt").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line]


def unescaped(line):
    return line.encode("ascii", "backslashreplace").decode("unicode_escape").encode("latin-1")


def seeds_of_files(heads):
    return {f"{name}.{file}": head + content for name, head in heads.items()
            for file, content in files("tests/import/files", "tests/fuzz/corpus")}


def seeds_of_documents(target):
    kinds = {name: bytes([number]) for name, number in printed_numbers(target, "--kinds").items()}
    seeds = {}
    for number, line in enumerate(lines_of("documents")):
        kind, document = line.split(" ", 1)
        seeds[f"{kind}.{number}"] = kinds[kind] + document.encode()
    for path in sorted((ROOT / "examples").rglob("*.json")):
        if path.stat().st_size < MAX_SCENARIO_BYTES:
            seeds[f"{path.parent.name}.{path.name}"] = kinds["scenario"] + path.read_bytes()
    return seeds


def seeds_of(target, name):
    if name == "formats":
        marks = printed_numbers(target, "--formats")
        return seeds_of_files({name: mark.to_bytes(2, "big") + bytes([WHOLE]) for name, mark in marks.items()})
    if name == "texts":
        return seeds_of_files({str(kind): bytes([kind, 8]) for kind in range(KINDS_OF_TEXT)})
    if name == "prometheus":
        return {file: bytes([8]) + content for file, content in files("tests/fuzz/corpus") if file.endswith(".prom")}
    if name == "documents":
        return seeds_of_documents(target)
    # A time zone and a moment, 2026-10-25 at midnight: clocks change in Europe.
    head = {"cron": bytes([1]) + (1792879200).to_bytes(4, "big")}.get(name, b"")
    return {str(number): head + unescaped(line) for number, line in enumerate(lines_of(name))}


def main():
    target, seconds, folder = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]), pathlib.Path(sys.argv[3])
    name = target.name.removeprefix("fuzz_")
    seeds, found = folder / "seeds", folder / "found"
    shutil.rmtree(seeds, ignore_errors=True)
    for place in (seeds, found):
        place.mkdir(parents=True, exist_ok=True)
    for file, content in seeds_of(target, name).items():
        (seeds / file).write_bytes(content)
    command = [str(target), str(found), str(seeds), f"-max_total_time={seconds}", f"-max_len={MAX_BYTES.get(name, 20000)}",
               "-timeout=20", "-rss_limit_mb=1024", "-seed=20261121", f"-artifact_prefix={folder}/", "-print_final_stats=1",
               "-verbosity=0"]
    dictionary = HERE / "dictionaries" / f"{name}.dict"
    if dictionary.exists():
        command.append(f"-dict={dictionary}")
    sys.exit(subprocess.run(command, check=False).returncode)


main()
