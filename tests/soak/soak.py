"""Everything at once: a daemon under mixed load that is killed, whose clock is set and whose disk fills up, beside clients that are
slow or hostile. Keeps its own record of what was acknowledged; exits with 1 where any of it is lost.

usage: python3 tests/soak/soak.py COSTCURVE [--minutes 30] [--seed N] [--pace 1] [--no-clock] [--keep DIRECTORY]
"""

import argparse
import faulthandler
import itertools
import os
import pathlib
import random
import re
import shutil
import signal
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "api"))

import checks  # noqa: E402
import clients  # noqa: E402
import strangers  # noqa: E402
from receiver import Receiver  # noqa: E402
from stats import Stats  # noqa: E402
from world import World  # noqa: E402

SCENARIOS = 8
SECRET = "correct horse battery staple"
SETTLE_S = 120
DAY_S = 86400
CLOCK_STEPS = (400 * DAY_S, -DAY_S, 3600, 30, -30)  # seconds; each is taken back
FAULTS = ("clock", "disk", "stop", "burst")  # and a kill after each


class FlakyReceiver(Receiver):
    """Fails every so often, and takes its time; well once `is_well`."""

    def __init__(self, secret, seed):
        self.chance = random.Random(seed)
        self.is_well = False
        super().__init__(secret)

    def take(self, path, headers, body):
        with self.changed:
            if not self.is_well and self.chance.random() < 0.15:
                self.statuses = [self.chance.choice((500, 503, 404, 301))]
        status = super().take(path, headers, body)
        if not self.is_well and self.chance.random() < 0.05:
            time.sleep(1)
        return status


def set_up(world, receiver):
    def put(path, document):
        status, _, answer = world.settled("set up", "PUT", path, document)
        assert status in (200, 201), answer

    put("/v1/offers/moving", clients.offer(clients.PRICES[0]))
    for i in range(SCENARIOS):
        put(f"/v1/scenarios/s{i}", {**clients.scenario("moving"), "name": f"scenario {i}"})
    put("/v1/scenarios/still", clients.scenario(clients.offer(clients.FIXED_PRICE)))
    put("/v1/devices/nvidia.a100-sxm4-40gb", {"kind": "gpu", "tdp_w": 400})  # of imported prices
    put("/v1/comparisons/rent", {"scenarios": ["still", "s0"]})
    put("/v1/webhooks/hook", {"url": receiver.url(), "secret": SECRET})
    put("/v1/schedules/often", {"cron": "* * * * *", "webhook": "hook", "scenarios": "all"})


class Soak:
    def __init__(self, world, load, chance, pace):
        self.world = world
        self.load = load
        self.chance = chance
        self.pace = pace
        self.clock_steps = 0

    def sleep(self, low_s, high_s):
        time.sleep(self.chance.uniform(low_s, high_s) * self.pace)

    def run(self, minutes, faults):
        end = time.monotonic() + 60 * minutes
        while True:
            turn = list(faults)
            self.chance.shuffle(turn)
            for fault in itertools.chain.from_iterable((fault, "kill") for fault in turn):
                self.sleep(3, 7)
                if time.monotonic() > end:
                    return
                for client in self.load:
                    if client.error:
                        raise client.error
                self.world.stats.count(f"faults: {fault}")
                if self.world.process.poll() is not None: # counted as a crash there
                    self.kill()
                getattr(self, fault)()
                checks.current(self.load)

    def restart(self, *options):
        self.world.start(*options)
        status, _, answer = self.world.settled("read", "GET", "/readyz")
        if status != 200:
            self.world.stats.fail("hangs", f"a daemon that was started again is not ready: {answer}")

    def kill(self):
        self.world.end()
        self.restart()

    def stop(self):
        if self.world.end(signal.SIGTERM) != 0:
            self.world.stats.fail("crashes", f"SIGTERM ends it with {self.world.process.returncode}")
        self.restart()

    def clock(self):
        """A step and back; half of the times with a kill between."""
        step = self.chance.choice(CLOCK_STEPS)
        self.clock_steps += 2
        self.world.set_clock(step)
        self.sleep(2, 4)
        if self.chance.random() < 0.5:
            self.kill()
        self.world.set_clock(0)

    def disk(self):
        self.world.is_full = True
        if self.world.disk.is_limited:
            self.world.disk.fill()
            self.sleep(2, 4)
            if self.chance.random() < 0.3:
                self.world.end()
                self.world.disk.free()
                self.world.start()
            self.world.disk.free()
        else:
            self.world.end(signal.SIGTERM)
            most = max(1, -(-self.world.database.stat().st_size // 2**20))
            self.restart("--max-database-mb", str(most))
            self.sleep(2, 4)
            self.kill()
        status, _, answer = self.world.settled("read", "GET", "/readyz")
        if status != 200:
            self.world.stats.fail("hangs", f"with space on its disk again it is not ready: {answer}")
        self.world.is_full = False

    def burst(self):
        """Connections that say nothing, more than there are workers, while the others go on."""
        connections = [self.world.connect(5) for _ in range(100)]
        for connection in connections:
            connection.connect()
            connection.sock.sendall(b"POST /v1/evaluate HTTP/1.1\r\nHost: a\r\nContent-Length: 8000000\r\n")
        self.sleep(2, 4)
        for connection in connections:
            connection.close()

    def settle(self, receiver):
        """Ends the load; waits until what it began has ended."""
        receiver.is_well = True
        self.world.stopping.set()
        for client in self.load:
            client.join(120)
            if client.error:
                raise client.error
            if client.is_alive():
                raise AssertionError(f"{client.name} does not end")
        still = {"cron": "* * * * *", "enabled": False, "webhook": "hook"}
        status, _, _ = self.world.settled("put", "PUT", "/v1/schedules/often", still)
        assert status == 200
        end = time.monotonic() + SETTLE_S
        while time.monotonic() < end:
            runs = self.world.settled("read", "GET", "/v1/recalculations?limit=1000")[2]["items"]
            pending = self.world.settled("read", "GET", "/v1/deliveries?state=pending")[2]["items"]
            if not pending and all(run["state"] == "done" for run in runs):
                return
            time.sleep(0.2)
        print(f"! not over after {SETTLE_S} s: {[run for run in runs if run['state'] != 'done'][:3]} {pending[:3]}", flush=True)


def soak(arguments, directory):
    stats = Stats()
    chance = random.Random(arguments.seed)
    with FlakyReceiver(SECRET, chance.getrandbits(32)) as receiver:
        place = directory / "place"
        place.mkdir()
        world = World(os.path.abspath(arguments.costcurve), place, stats,
                      ["--allow-private-webhooks", "--webhook-retry-s", "0.05", "--log-format", "json"])
        print(f"seed {arguments.seed}, {arguments.minutes:g} minutes, "
              f"{'a disk of its own' if world.disk.is_limited else 'no disk of its own: --max-database-mb instead'}", flush=True)
        world.start()
        try:
            set_up(world, receiver)
            load = clients.all_of(world, chance.getrandbits(32)) + strangers.all_of(world, chance.getrandbits(32))
            bench = Soak(world, load, chance, arguments.pace)
            for client in load:
                client.start()
            bench.run(arguments.minutes, [fault for fault in FAULTS if fault != "clock" or not arguments.no_clock])
            bench.settle(receiver)
            checks.current(load)
            checks.samples(world, [client for client in load if isinstance(client, clients.Sensor)])
            checks.history(world, [client for client in load if isinstance(client, clients.Writer)], arguments.seed)
        finally:
            world.end(signal.SIGTERM)
        mover = next(client for client in load if isinstance(client, clients.Mover))
        checks.Store(world, mover, receiver).check(bench.clock_steps)
        if re.search(r"^\s+check\s", world.verb("--help").stdout, re.MULTILINE):
            checked = world.verb("check", "--database", str(world.database))
            stats.count("costcurve check")
            if checked.returncode != 0:
                stats.fail("files damaged", f"costcurve check: {checked.stdout}{checked.stderr}"[:1000])
        stats.count("megabytes of the file", world.database.stat().st_size // 2**20)
    return stats


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("costcurve")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--seed", type=int, default=random.SystemRandom().getrandbits(32))
    parser.add_argument("--pace", type=float, default=1, help="multiplies the pauses between faults")
    parser.add_argument("--no-clock", action="store_true", help="leaves its clock alone")
    parser.add_argument("--keep", help="where the store and the daemon's log are left; where not given, they are removed")
    arguments = parser.parse_args()
    if os.geteuid() == 0 and shutil.which("unshare") and "SOAK_OWN_MOUNTS" not in os.environ:
        # Mounts of its own, so that none outlives it.
        os.environ["SOAK_OWN_MOUNTS"] = "1"
        if os.system("unshare --mount true 2>/dev/null") == 0:
            os.execvp("unshare", ["unshare", "--mount", "--propagation", "private", sys.executable, *sys.argv])
        del os.environ["SOAK_OWN_MOUNTS"]
    faulthandler.enable()
    faulthandler.dump_traceback_later(60 * arguments.minutes + 3 * SETTLE_S, exit=True)  # a soak that hangs says where
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as place:
        directory = pathlib.Path(place)
        stats = soak(arguments, directory)
        if arguments.keep:
            shutil.copytree(directory, arguments.keep, dirs_exist_ok=True)
    print(stats.table())
    print("clean" if stats.is_clean else f"NOT clean; again: --seed {arguments.seed}")
    sys.exit(0 if stats.is_clean else 1)


if __name__ == "__main__":
    main()
