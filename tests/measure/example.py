"""Writes docs/measured.json, the file that docs/measure.md shows: the whole program against the tests' own server on their clock.

usage: python3 tests/measure/example.py REPOSITORY
"""
import json
import pathlib
import sys

from measure_test import Measured
from streaming_server import Server

RATES = {"ttft_s": 0.06, "ttft_per_token_s": 0.00006, "itl_s": 0.0115, "itl_per_request_s": 0.00026, "idle_w": 118.0,
         "watts_per_request": 95.0, "power": 0.36}

run = Measured(Server(RATES), ["--input", "500", "--output", "200", "--budget", "10m", "--max-concurrency", "256"])
print(run.said)
rounded = json.loads(json.dumps(run.facts), parse_float=lambda text: float(f"{float(text):.6g}"))
(pathlib.Path(sys.argv[1]) / "docs/measured.json").write_text(json.dumps(rounded, indent=1) + "\n", encoding="utf-8")
