"""Published files of rates with all rates a hundred times, ten times, a tenth and a hundredth: what lands of them is warned of, and
most is held. Skips where those files are not there.

usage: python3 tests/import/distorted_rates_test.py COSTCURVE REPOSITORY [unittest options]
"""

import csv
import io
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import published_files_test as published
import skips  # published_files_test adds its place

FACTORS = (100, 10, 0.1, 0.01)
RATES = re.compile(r"throughput|tokens_per_sec|tok_s|tput_per|per_gpu_tps|samples_per|per_s$|Result$|images_per|videos_per",
                   re.IGNORECASE)
LATENCIES = re.compile(r"ttft|tpot|itl_ms|latency", re.IGNORECASE)  # of so much faster work
# Formats whose rates stand in columns or members of those names, and the share of new or moved documents that is held at least, by
# factors of a hundred and of ten; of the rest a warning says that it could be compared with nothing, or it is within what its
# devices can do.
LEAST_HELD = {"ml_energy": (0.4, 0.3), "measured_rates": (0.7, 0.6), "mlperf_inference": (0.5, 0.03), "inferencex": (0.3, 0.15)}


def factor_of(name, factor):
    return factor if RATES.search(name) else 1 / factor if LATENCIES.search(name) else 1


def scaled(value, factor, name=""):
    if isinstance(value, dict):
        return {key: scaled(it, factor, key) for key, it in value.items()}
    if isinstance(value, list):
        return [scaled(it, factor, name) for it in value]
    return value * factor_of(name, factor) if isinstance(value, (int, float)) and not isinstance(value, bool) else value


def distorted(path, factor):
    """The text of a file; as it is where it is no table and no JSON."""
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix == ".json":
        return json.dumps(scaled(json.loads(text), factor))
    if path.suffix != ".csv":
        return text
    lines = list(csv.reader(io.StringIO(text)))
    columns = {at: factor_of(name, factor) for at, name in enumerate(lines[0]) if factor_of(name, factor) != 1}
    for line in lines[1:]:
        for at, by in columns.items():
            if at < len(line) and re.fullmatch(r"[0-9.eE+-]+", line[at]):
                line[at] = repr(float(line[at]) * by)
    out = io.StringIO()
    csv.writer(out).writerows(lines)
    return out.getvalue()


class DistortedRates(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        published.PublishedFilesTest.setUpClass()
        cls.data, cls.folder = published.PublishedFilesTest.data, published.PublishedFilesTest.folder
        cls.store = published.PublishedFilesTest.database

    @classmethod
    def tearDownClass(cls):
        published.PublishedFilesTest.tearDownClass()

    def imported(self, name, options, files, factor):
        with tempfile.TemporaryDirectory() as folder:
            database = pathlib.Path(folder) / "store.db"
            shutil.copy(self.store, database)
            paths = []
            for path in files:
                copy = pathlib.Path(folder) / path.relative_to(self.data)
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_text(distorted(path, factor), encoding="utf-8")
                paths.append(copy)
            done = subprocess.run([published.COSTCURVE, "import", name, "--database", database, "--dry-run", "--json", *options,
                                   *paths], capture_output=True, text=True, check=False)
            self.assertTrue(done.stdout, done.stderr)
            return json.loads(done.stdout)

    def test_most_of_what_is_off_is_held(self):
        calls = [row for row in published.CALLS if row[0] in LEAST_HELD]
        for name, options, how, patterns in calls:
            files = [path for pattern in patterns for path in sorted(self.data.glob(pattern)) if path.is_file()]
            for group in [files] if how == published.SET else [[path] for path in files]:
                for factor in FACTORS:
                    if all(distorted(path, factor) == path.read_text(encoding="utf-8", errors="replace") for path in group):
                        continue
                    with self.subTest(format=name, file=group[0].name, factor=factor):
                        self.judge(name, self.imported(name, options, group, factor), factor)

    def judge(self, name, summary, factor):
        documents = summary["documents"]
        landed = documents["added"] + documents["changed"]
        least = LEAST_HELD[name][0 if factor in (100, 0.01) else 1]
        self.assertGreaterEqual(summary["held"], least * (summary["held"] + landed), summary["warnings"]["first"][-3:])
        print(f"{name}, times {factor:g}: {summary['held']} held, {landed} land")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    published.COSTCURVE = str(pathlib.Path(sys.argv.pop(1)).resolve())
    published.ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
    skips.main()
