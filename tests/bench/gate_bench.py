#!/usr/bin/env python3
"""A pull request's files to the comment: start to exit of `costcurve gate … --format markdown`. Standard library only.

usage: gate_bench.py COSTCURVE REPOSITORY [RUNS]
The files are the published manifests and plans of tests/api/published_deployments.py in one deployment, compared with themselves
without the last, with prices of the whole shipped catalogue; then one scenario with a simulation. Goal: 2 s each.
"""
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

GOAL_S = 2.0


def measured(command: list[str], runs: int) -> list[float]:
    times = []
    for _ in range(runs):
        begin = time.perf_counter()
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        times.append(time.perf_counter() - begin)
        assert "### Cost gate: " in done.stdout, done.stderr
    return sorted(times)


def main() -> None:
    costcurve, repository = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    runs = int(sys.argv[3]) if len(sys.argv) > 3 else 15
    sys.path.insert(0, str(repository / "tests/api"))
    from published_deployments import MANIFESTS, PLANS  # noqa: PLC0415

    prices = ["--prices", *sorted(str(path) for path in (repository / "deploy/catalog").glob("*.json"))]
    with tempfile.TemporaryDirectory() as place:
        files = []
        for i, (_, documents, *_) in enumerate(MANIFESTS + PLANS):
            for j, document in enumerate(documents):
                files.append(pathlib.Path(place, f"{i}.{j}.json"))
                files[-1].write_text(json.dumps(document), encoding="utf-8")
        names = [str(path) for path in files]
        rules = pathlib.Path(place, "rules.json")
        rules.write_text(json.dumps({"rules": [{"figure": "cost_per_month", "max": 1e6, "unit": "USD/month"}]}), encoding="utf-8")
        offer = ["--offer", "LeaderWorkerSet/vllm=aws.p5.48xlarge.us-east-1.on-demand"]
        example = repository / "examples/serving_70b"
        for name, words in (
                (f"{len(names)} manifests and plans", [*names, "--rules", str(rules), "--against", *names[:-1], *offer]),
                ("a scenario, 500 samples", [str(example / "cloud_on_demand.json"), "--rules", str(repository / "docs/gate.yaml"),
                                               "--against", str(example / "cloud_reserved.json")])):
            times = measured([costcurve, "gate", *words, *prices, "--today", "2026-11-29", "--format", "markdown"], runs)
            print(f"{name}: least {times[0]:.2f} s, median {statistics.median(times):.2f} s, most {times[-1]:.2f} s, "
                  f"goal {GOAL_S:g} s{'' if times[0] <= GOAL_S else ': missed'}")


if __name__ == "__main__":
    main()
