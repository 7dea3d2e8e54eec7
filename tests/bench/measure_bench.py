"""How far off costcurve measure is on the real clock: against the tests' own server, whose times are 200 ms and more.

usage: measure_bench.py REPOSITORY [--budget 5m]
Prints each phase beside what the server's times come to, and the largest difference; 1 where it is above 2 %.
"""
import argparse
import asyncio
import json
import pathlib
import sys
import tempfile

RATES = {"ttft_s": 0.25, "ttft_per_token_s": 0.0005, "itl_s": 0.2, "itl_per_request_s": 0.01, "idle_w": 110.0,
         "watts_per_request": 60.0, "power": 0.6}
WORDS = ["--precision", "bf16", "--input", "200", "--output", "12", "--max-concurrency", "16"]
GOAL = 0.02


def expected(row):
    """Of a closed loop: every place is taken all the time, so that the times are those of its load."""
    load, tokens = row["load"], row["output"]
    ttft, itl = RATES["ttft_s"] + RATES["ttft_per_token_s"] * row["input"], RATES["itl_s"] + RATES["itl_per_request_s"] * load
    return {"ttft_s": ttft, "itl_s": itl, "output_per_s": load * tokens / (ttft + (tokens - 1) * itl),
            "watts": RATES["idle_w"] + RATES["watts_per_request"] * load ** RATES["power"]}


async def measure(root, budget, out):
    server = streaming_server.Server(RATES)
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    address = f"http://127.0.0.1:{listening.sockets[0].getsockname()[1]}"
    program = await asyncio.create_subprocess_exec(
        sys.executable, root / "deploy/measure/measure.py", "--endpoint", address + "/v1", "--metrics", address + "/metrics",
        "--budget", budget, "--out", out, *WORDS)
    return await program.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("--budget", default="5m")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        out = pathlib.Path(folder) / "measured.json"
        if asyncio.run(measure(options.root, options.budget, out)):
            return 1
        facts = json.loads(out.read_text())
    worst = abs(facts["loaded_idle_w"] / RATES["idle_w"] - 1)
    for row in facts["phases"]:
        if row["loop"] == "closed":
            off = {name: row[name] / value - 1 for name, value in expected(row).items()}
            worst = max(worst, *map(abs, off.values()))
            parts = ", ".join(f"{name} {100 * part:+.2f} %" for name, part in off.items())
            print(f"{row['mix']:>6} {row['load']:>3} at a time: {parts}")
    print(f"largest difference {100 * worst:.2f} %; goal {100 * GOAL:.0f} %")
    return int(worst > GOAL)


if __name__ == "__main__":
    sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "measure"))
    import streaming_server

    sys.exit(main())
