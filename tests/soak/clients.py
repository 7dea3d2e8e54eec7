"""Who loads the daemon: each a thread that makes one kind of request and keeps a record of what was acknowledged. An answer that
contradicts the record is a failure at once; what must hold at the end stands in checks.py."""

import dataclasses
import random
import threading
import time
import urllib.parse

import corpus
from world import Gone

PRICES = (1.0, 9.0)  # below and above the price of the scenario that stays: each change flips the comparison
HOURS = 744          # of the scenarios' month
FIXED_PRICE = 3.6
MAX_AHEAD_S = 90     # a revision may be dated so far ahead of the clock, after a small step back of it
MAX_TICK_GAP_S = 150 # between runs of a schedule of every minute while the daemon is up and its disk is not full


def scenario(offer):
    return {"name": "one hour at a time", "start": "2026-01", "months": 1,
            "workloads": [{"id": "work", "kind": "inference", "demand": {"mean_per_s": 1},
                           "runs_on": [{"pool": "pool", "performance": {"units_per_s": 1}}]}],
            "pools": [{"id": "pool", "kind": "cloud", "max_instances": 10, "offer": offer}]}


def offer(price):
    return {"provider": "p", "device": {"kind": "gpu", "tdp_w": 500}, "devices": 1, "purchase": "on_demand", "hourly_price": price}


class Client(threading.Thread):
    """Steps at its own pace until the world stops; waits while the daemon is down. `lock` is held by a step, or by a check of what
    is known."""

    pause_s = 0.05

    def __init__(self, world, seed):
        super().__init__(daemon=True, name=f"{type(self).__name__} {seed}")
        self.world = world
        self.stats = world.stats
        self.chance = random.Random(seed)
        self.error = None
        self.lock = threading.Lock()

    def run(self):
        try:
            while not self.world.stopping.is_set():
                if not self.world.serving.wait(0.2):
                    continue
                try:
                    with self.lock:
                        self.step()
                except Gone:
                    self.world.stopping.wait(0.05)
                self.world.stopping.wait(self.chance.uniform(0.5, 1.5) * self.pause_s)
        except Exception as error:  # a mistake of the bench itself: the run fails by it
            self.error = error

    def refused(self, status):
        """True where the daemon said that it can't now; waits a little."""
        if status in (429, 503):
            self.world.stopping.wait(0.2)
            return True
        return False


@dataclasses.dataclass
class Known:
    """What is known of a document. `watts` None: there is none now."""

    revision: int = 0
    watts: float | None = None
    unknown: float | None | str = "no"  # what a write whose answer was lost would have left; "no": there is none


class Writer(Client):
    """PUTs and DELETEs documents of its own under If-Match, so that it knows what each must be."""

    def __init__(self, world, seed, number):
        super().__init__(world, seed)
        self.known = {f"w{number}-{i}": Known() for i in range(8)}
        self.acknowledged = []  # (name, revision, recorded_at, watts)

    def step(self):
        name = self.chance.choice(list(self.known))
        known = self.known[name]
        if known.unknown != "no":
            self.settle(name)
        elif known.watts is not None and self.chance.random() < 0.1:
            self.write(name, None)
        elif self.chance.random() < 0.05:
            self.conflict(name)
        else:
            self.write(name, round(self.chance.uniform(1, 1000), 6))

    def adopt(self, name, refusal):
        """It is not at the revision that it should be: says which way, and goes on from what is there."""
        status, _, answer = self.world.settled("get", "GET", f"/v1/devices/{name}")
        known = self.known[name]
        revision = answer["revision"] if status == 200 else 0
        what = "refused writes stored" if revision > known.revision else "acknowledged writes lost"
        self.stats.fail(what, f"{name} is at {revision or status}; known {known}: {refusal}")
        self.known[name] = Known(revision, answer["tdp_w"] if status == 200 else None)

    def write(self, name, watts):
        known = self.known[name]
        condition = {"If-None-Match": "*"} if known.watts is None else {"If-Match": f'"{known.revision}"'}
        known.unknown = watts
        clock_s = self.world.clock_s
        if watts is None:
            status, _, answer = self.world.ask("delete", "DELETE", f"/v1/devices/{name}", None, condition)
        else:
            status, _, answer = self.world.ask("put", "PUT", f"/v1/devices/{name}", {"kind": "gpu", "tdp_w": watts}, condition)
        known.unknown = "no"
        if self.refused(status):
            return None
        if status == 412:
            return self.adopt(name, answer)
        if status not in (200, 201, 204):
            self.stats.fail("wrong answers", f"a write of {name}: {status} {answer}")
            return
        known.revision += 1
        known.watts = watts
        self.stats.count("acknowledged writes")
        if watts is not None:
            if answer["revision"] != known.revision:
                self.stats.fail("acknowledged writes lost", f"{name} is at {answer['revision']}, {known.revision} is due")
            self.acknowledged.append((name, known.revision, answer["recorded_at"], watts))
            ahead_s = corpus.unix_seconds(answer["recorded_at"]) - self.world.now()
            if clock_s == self.world.clock_s and ahead_s > MAX_AHEAD_S:
                self.stats.fail("revisions dated ahead", f"{name} is dated {ahead_s:.0f} s ahead of the daemon's clock")

    def conflict(self, name):
        status, _, answer = self.world.ask("put", "PUT", f"/v1/devices/{name}", {"kind": "gpu", "tdp_w": 5},
                                           {"If-Match": '"99999999"'})
        if status != 412 and not self.refused(status):
            self.stats.fail("wrong answers", f"a write at another revision: {status} {answer}")

    def settle(self, name):
        """Whether the write whose answer was lost was carried out; either is right, nothing else is."""
        known = self.known[name]
        status, _, answer = self.world.ask("get", "GET", f"/v1/devices/{name}")
        if self.refused(status):
            return
        found = (answer["revision"], answer["tdp_w"]) if status == 200 else None
        if found == (None if known.watts is None else (known.revision, known.watts)) and known.unknown != known.watts:
            pass
        elif found == (None if known.unknown is None else (known.revision + 1, known.unknown)):
            known.revision += 1
            known.watts = known.unknown
            self.stats.count("writes carried out whose answer was lost")
        else:
            self.stats.fail("acknowledged writes lost", f"{name}: found {found}, known {known}")
        known.unknown = "no"

    def check(self):
        """All that it knows, with the daemon up."""
        for name, known in self.known.items():
            if known.unknown != "no":
                self.settle(name)
                continue
            status, _, answer = self.world.settled("get", "GET", f"/v1/devices/{name}")
            found = answer["tdp_w"] if status == 200 else None
            if found != known.watts or (status == 200 and answer["revision"] != known.revision):
                self.stats.fail("acknowledged writes lost", f"{name}: {status} {answer}, known {known}")


class Reader(Client):
    pause_s = 0.03
    targets = ("/v1/devices?limit=50", "/v1/scenarios", "/v1/offers?limit=20&q=import", "/v1/events?limit=20", "/v1/recalculations",
               "/v1/comparisons/rent/standings?limit=10", "/v1/scenarios/s0/results?limit=5", "/v1/deliveries?limit=20", "/metrics",
               "/healthz", "/readyz", "/v1/audit?limit=50", "/v1/telemetry?limit=50", "/v1/fields", "/", "/openapi.json")

    def step(self):
        target = self.chance.choice(self.targets)
        coding = self.chance.choice(("gzip", "identity"))
        status, _, answer = self.world.ask("read", "GET", target, None, {"Accept-Encoding": coding})
        if status not in (200, 404) and not self.refused(status):
            self.stats.fail("wrong answers", f"GET {target}: {status} {answer}")


class Pager(Client):
    """Follows pages to their end: ids ascend, none comes twice, whatever is written meanwhile. Sends damaged cursors too."""

    pause_s = 0.5
    targets = ("/v1/devices?limit=3", "/v1/offers?limit=7", "/v1/scenarios?limit=2")
    others = (*targets, "/v1/events?limit=2", "/v1/audit?limit=5", "/v1/telemetry?limit=3", "/v1/deliveries?limit=2",
              "/v1/devices/w0-1/revisions?limit=1", "/v1/comparisons/rent/standings?limit=1")

    def page(self, target, cursor, good):
        after = f"&after={urllib.parse.quote(cursor)}" if cursor else ""
        status, _, answer = self.world.ask("page", "GET", target + after)
        if not self.refused(status) and status not in good:
            self.stats.fail("wrong answers", f"GET {target}{after}: {status} {answer}")
        return answer if status == 200 else {"items": [], "next": None}

    def step(self):
        target, last, cursor = self.chance.choice(self.targets), "", ""
        for _ in range(20):
            page = self.page(target, cursor, (200,))
            ids = [item["id"] for item in page["items"]]
            if ids != sorted(set(ids)) or (ids and ids[0] <= last):
                self.stats.fail("wrong answers", f"{target} from {cursor!r}, which ends in {last!r}: {ids}")
            if page["next"] is None:
                break
            last, cursor = ids[-1], page["next"]
        target = self.chance.choice(self.others)
        damaged = list(self.page(target, "", (200, 404))["next"] or "1")
        for _ in range(self.chance.randint(1, 3)):
            damaged[self.chance.randrange(len(damaged))] = self.chance.choice("0123456789~@:-TZ.a \0\u00e9%&")
        self.page(target, "".join(damaged), (200, 400, 404, 422))


class Evaluator(Client):
    """Asks for costs that it knows."""

    def step(self):
        price = round(self.chance.uniform(0.1, 50), 3)
        if self.chance.random() < 0.2:
            return self.batch()
        headers = {"Idempotency-Key": f"k{self.chance.getrandbits(64)}"} if self.chance.random() < 0.2 else {}
        for _ in range(2 if headers else 1):
            status, _, answer = self.world.ask("evaluate", "POST", "/v1/evaluate", {"scenario": scenario(offer(price))}, headers)
            if self.refused(status):
                return None
            self.expect(status, answer, price)
        return None

    def batch(self):
        prices = [round(self.chance.uniform(0.1, 50), 3) for _ in range(40)]
        body = {"scenario": scenario(offer(1)), "sets": [{"/pools/0/offer/hourly_price": price} for price in prices]}
        status, _, answer = self.world.ask("batch", "POST", "/v1/evaluate/batch", body)
        if self.refused(status):
            return
        lines = answer.splitlines() if isinstance(answer, bytes) else []
        if status != 200 or len(lines) != len(prices):
            self.stats.fail("wrong answers", f"a batch of {len(prices)}: {status}, {len(lines)} lines")
            return
        for line, price in zip(lines, prices):
            self.expect(200, corpus.decoded(line), price)

    def expect(self, status, answer, price):
        if status != 200 or abs(answer["total"]["cost"] - HOURS * price) > 1e-6 * HOURS * price:
            self.stats.fail("wrong answers", f"an evaluation at {price}: {status} {str(answer)[:300]}")


class Mover(Client):
    """Moves the price that scenarios are of, and asks for recalculations: a comparison flips back and forth."""

    pause_s = 2.0

    def __init__(self, world, seed):
        super().__init__(world, seed)
        self.runs = []   # acknowledged, by id
        self.pings = []  # acknowledged, by event
        self.turn = 0

    def step(self):
        self.turn += 1
        status, _, answer = self.world.ask("put", "PUT", "/v1/offers/moving", offer(PRICES[self.turn % 2]))
        if self.refused(status):
            return
        if status != 200:
            self.stats.fail("wrong answers", f"a price: {status} {answer}")
        status, _, answer = self.world.ask("recalculate", "POST", "/v1/recalculations", {})
        if self.refused(status):
            return
        if status != 202:
            self.stats.fail("wrong answers", f"a recalculation: {status} {answer}")
        else:
            self.runs.append(answer["id"])
            self.stats.count("acknowledged recalculations")
        status, _, answer = self.world.ask("ping", "POST", "/v1/webhooks/hook/test")
        if status == 202:
            self.pings.append(answer["event"])


class Watch(Client):
    """Looks when the schedule of every minute runs, by the clock that is left alone."""

    pause_s = 1.0

    def __init__(self, world, seed):
        super().__init__(world, seed)
        self.newest = None
        self.last = time.monotonic()

    def step(self):
        status, _, answer = self.world.ask("read", "GET", "/v1/recalculations?limit=50")
        if status != 200 or self.world.is_full:
            self.last = time.monotonic()
            return
        runs = [run["id"] for run in answer["items"] if run["schedule"] == "often"]
        now = time.monotonic()
        if runs and runs[0] != self.newest:
            self.newest, self.last = runs[0], now
            self.stats.count("runs by the schedule")
        elif now - self.last > MAX_TICK_GAP_S:
            self.stats.fail("schedules that stand still", f"no run of a schedule of every minute for {now - self.last:.0f} s, "
                            f"the clock {self.world.clock_s:+d} s")
            self.last = now


class Importer(Client):
    """A price list that changes; each import is acknowledged as a whole or not there at all."""

    pause_s = 1.0
    rows = 20

    def __init__(self, world, seed):
        super().__init__(world, seed)
        self.turn = 0
        self.is_stored = False
        self.prices = set()  # that may be stored: the last that was acknowledged, and those since whose answers were lost

    def price_of(self, turn):
        return 1 + turn / 1000

    def step(self):
        self.turn += 1
        price = self.price_of(self.turn)
        self.prices.add(price)
        lines = ["InstanceType,vCPUs,MemoryGiB,AcceleratorName,AcceleratorCount,GpuInfo,Price,SpotPrice,Region,AvailabilityZone"]
        lines += [f"gpu.{row},8,64,A100,1,,{price},,here,here-1" for row in range(self.rows)]
        status, _, answer = self.world.ask("import", "POST", "/v1/imports?format=skypilot&provider=import&date=2026-04-02",
                                           "\n".join(lines).encode(), {"Content-Type": "text/csv"})
        if self.refused(status):
            self.prices.discard(price)
            return
        if status != 200 or answer["rejected"]["count"]:
            self.stats.fail("wrong answers", f"an import: {status} {answer}")
            return
        self.prices = {price}
        self.is_stored = True
        self.stats.count("acknowledged imports")

    def check(self):
        if not self.is_stored:
            return
        status, _, answer = self.world.settled("get", "GET", "/v1/offers?provider=import&limit=100")
        prices = {corpus.last_price(item["hourly_price"]) for item in answer["items"]} if status == 200 else set()
        if len(prices) != 1 or len(answer["items"]) != self.rows or not prices <= self.prices:
            self.stats.fail("acknowledged writes lost", f"imported prices are {prices}, not one of {self.prices}; "
                            f"{len(answer['items'])} offers")


class Sensor(Client):
    """Samples, each batch until it is acknowledged: what was taken is known but for batches that came too late."""

    pause_s = 0.5
    batch = 50

    def __init__(self, world, seed, number):
        super().__init__(world, seed)
        self.source = f"host-{number}"
        self.next_ms = int(time.time() * 1000) - 3_600_000
        self.waiting = None
        self.taken = 0
        self.perhaps = 0

    def step(self):
        resent = self.waiting is not None
        if not resent:
            self.waiting = "".join(
                f'DCGM_FI_DEV_POWER_USAGE{{gpu="0",UUID="GPU-1",modelName="NVIDIA A100-SXM4-80GB",Hostname="{self.source}"}} '
                f"{self.chance.randint(50, 400)} {self.next_ms + i}\n" for i in range(self.batch))
            self.next_ms += self.batch
        status, _, answer = self.world.ask("telemetry", "POST", "/v1/telemetry", self.waiting.encode(),
                                           {"Content-Type": "text/plain"})
        if self.refused(status):
            return
        self.waiting = None
        if status not in (200, 422):
            self.stats.fail("wrong answers", f"samples: {status} {answer}")
            return
        taken = answer["accepted"] + answer["duplicates"] if status == 200 else 0
        self.taken += taken
        if resent:  # those that are too old by now may have been taken the first time
            self.perhaps += self.batch - taken
        self.stats.count("acknowledged samples", taken)


def all_of(world, seed):
    """Those that keep to the rules: 2 writers, 3 readers, 2 evaluators, one each of the others."""
    numbers = random.Random(seed)
    seeds = iter([numbers.getrandbits(32) for _ in range(20)])
    clients = [Writer(world, next(seeds), number) for number in range(2)] + [Reader(world, next(seeds)) for _ in range(3)]
    clients += [Evaluator(world, next(seeds)) for _ in range(2)] + [Sensor(world, next(seeds), 0)]
    return clients + [kind(world, next(seeds)) for kind in (Mover, Watch, Importer, Pager)]
