"""What must hold of a store after all that was done to it: nothing acknowledged is lost, nothing happened twice. The daemon is up
for the first, down for the others."""

import collections
import itertools
import random
import sqlite3

CHECKED_REVISIONS = 2000


def current(clients):
    """What each client knows of its documents, read back."""
    for client in clients:
        if hasattr(client, "check"):
            with client.lock:
                client.check()


def audit(world):
    """{(kind/id): [sequence of each revision, oldest first]} from the audit, all pages."""
    found = collections.defaultdict(list)
    after = ""
    while True:
        status, _, page = world.settled("read", "GET", f"/v1/audit?limit=1000{after}")
        assert status == 200, page
        for item in page["items"]:
            found[item["subject"]].append(item["sequence"])
        if page["next"] is None:
            return {subject: sequences[::-1] for subject, sequences in found.items()}
        after = f"&after={page['next']}"


def history(world, writers, seed):
    """Every acknowledged revision is in its document's history with its time, and some of them are read as they were."""
    stats = world.stats
    sequences = audit(world)
    by_sequence = world.settled("read", "GET", "/v1/devices/none?as_of=@1")[0] == 404
    for writer in writers:
        for name in writer.known:
            history_of(world, name, [entry for entry in writer.acknowledged if entry[0] == name], sequences)
    acknowledged = [entry for writer in writers for entry in writer.acknowledged]
    if not by_sequence:
        return
    for name, revision, _, watts in random.Random(seed).sample(acknowledged, min(len(acknowledged), CHECKED_REVISIONS)):
        sequence = sequences.get(f"device/{name}", [])[revision - 1:revision]
        status, _, answer = world.settled("get", "GET", f"/v1/devices/{name}?as_of=@{sequence[0]}") if sequence else (None,) * 3
        if status != 200 or (answer["revision"], answer["tdp_w"]) != (revision, watts):
            stats.fail("acknowledged writes lost", f"{name} as of its revision {revision}: {status} {answer}; acknowledged {watts}")
        stats.count("past revisions read back")


def history_of(world, name, acknowledged, sequences):
    found = {}
    after = ""
    while True:
        status, _, page = world.settled("read", "GET", f"/v1/devices/{name}/revisions?limit=1000{after}")
        if status == 404:
            break
        found.update({item["revision"]: item for item in page["items"]})
        if page["next"] is None:
            break
        after = f"&after={page['next']}"
    for _, revision, recorded_at, _ in acknowledged:
        if revision not in found or found[revision]["recorded_at"] != recorded_at or found[revision]["deleted"]:
            world.stats.fail("acknowledged writes lost", f"{name}: revision {revision} of {recorded_at} is {found.get(revision)}")
    audited = sequences.get(f"device/{name}", [])
    if len(audited) != len(found):
        world.stats.fail("acknowledged writes lost", f"{name}: {len(found)} revisions, the audit has {audited}")


def samples(world, sensors):
    for sensor in sensors:
        count, after = 0, ""
        while True:
            status, _, page = world.settled("read", "GET", f"/v1/telemetry?source={sensor.source}%2FGPU-1&limit=1000{after}")
            assert status == 200, page
            count += sum(item["count"] for item in page["items"])
            if page["next"] is None:
                break
            after = f"&after={page['next']}"
        if not sensor.taken <= count <= sensor.taken + sensor.perhaps:
            world.stats.fail("samples lost", f"{count} are there, {sensor.taken} were acknowledged, {sensor.perhaps} perhaps")


class Store:
    """The file itself, while nobody writes."""

    def __init__(self, world, mover, receiver):
        self.stats = world.stats
        self.mover = mover
        self.receiver = receiver
        self.database = sqlite3.connect(f"file:{world.database}?mode=ro", uri=True)

    def rows(self, sql):
        return self.database.execute(sql).fetchall()

    def check(self, clock_steps):
        self.integrity()
        self.runs(clock_steps)
        self.comparison()
        self.deliveries()
        self.database.close()

    def integrity(self):
        found = self.rows("PRAGMA integrity_check")
        if found != [("ok",)]:
            self.stats.fail("files damaged", f"{found}"[:500])
        if dangling := self.rows("PRAGMA foreign_key_check"):
            self.stats.fail("files damaged", f"references to nothing: {dangling}"[:500])

    def runs(self, clock_steps):
        runs = {str(run): state for run, state in self.rows("SELECT run, state FROM run")}
        for run in self.mover.runs:
            if run not in runs:
                self.stats.fail("acknowledged runs lost", f"recalculation {run}")
        if waiting := [run for run, state in runs.items() if state != "done"]:
            self.stats.fail("acknowledged runs lost", f"never done: {waiting}"[:300])
        told = collections.Counter(row[0] for row in self.rows("SELECT subject FROM event WHERE kind = 'recalculation_done'"))
        for run in runs:
            number = told.pop(f"recalculation/{run}", 0)
            if number != 1:
                self.stats.fail("events lost" if number == 0 else "events doubled", f"recalculation {run} ended {number} times")
        if told:
            self.stats.fail("events doubled", f"of runs that are not there: {told}")
        for row in self.rows("SELECT scenario, run, count(*) FROM result GROUP BY 1, 2 HAVING count(*) > 1"):
            self.stats.fail("results doubled", f"(scenario, run, number) {row}")
        self.stats.count("results", self.rows("SELECT count(*) FROM result")[0][0])
        minutes = [row[0] // 60_000_000 for row in self.rows("SELECT created_at FROM run WHERE schedule = 'often'")]
        if len(minutes) - len(set(minutes)) > clock_steps: # a minute that a clock shows twice may be two ticks
            self.stats.fail("ticks doubled", f"{len(minutes)} runs in {len(set(minutes))} minutes")

    def comparison(self):
        standings = self.rows("SELECT cheapest, event FROM standing ORDER BY standing")
        flipped = [False] + [now[0] != before[0] for before, now in itertools.pairwise(standings)]
        for (cheapest, event), is_flip in zip(standings, flipped):
            if is_flip != (event is not None):
                self.stats.fail("events lost" if is_flip else "events doubled", f"a comparison, cheapest {cheapest}: {event}")
        events = [row[0] for row in self.rows("SELECT event FROM event WHERE kind = 'comparison_flipped' ORDER BY event")]
        if sorted(event for _, event in standings if event is not None) != events:
            self.stats.fail("events doubled", "comparison_flipped and standings do not match")
        self.stats.count("comparison flips", sum(flipped))

    def deliveries(self):
        deliveries = self.rows("SELECT event, id, state FROM delivery ORDER BY event")
        events = {row[0] for row in self.rows("SELECT event FROM event")}
        for ping in self.mover.pings:
            if ping not in events:
                self.stats.fail("events lost", f"ping {ping}")
        if missing := events - {event for event, _, _ in deliveries}:
            self.stats.fail("deliveries lost", f"no delivery of the events {sorted(missing)[:20]}")
        received = collections.defaultdict(set)
        for call in self.receiver.calls:
            if not call["signed"]:
                self.stats.fail("wrong answers", f"a delivery is not signed: {call['body']}")
            received[call["body"]["event"]].add(call["headers"]["X-Costcurve-Delivery"])
        for event, delivery, state in deliveries:
            if state == "delivered" and delivery not in received[event]:
                self.stats.fail("deliveries lost", f"event {event}: noted as delivered, never received")
            elif state != "delivered":
                self.stats.fail("deliveries lost", f"event {event} is {state}")
        for event, ids in received.items():
            if len(ids) > 1:
                self.stats.fail("deliveries doubled under another id", f"event {event}: {ids}")
        self.stats.count("events", len(events))
        self.stats.count("deliveries received", len(self.receiver.calls))
        self.stats.count("deliveries received again, same id", len(self.receiver.calls) - len(received))
