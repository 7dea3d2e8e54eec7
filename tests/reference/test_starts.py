"""Instances that start for bursts: the wait for their boot against a simulator of the queue, and what they are paid for by hand."""
import pathlib
import random
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from starts import between_bursts  # noqa: E402


def longest_wait(base: float, started: float, per_s: float, boot_s: float, burst_s: float,
                 calm_per_s: float) -> tuple[float, float]:
    """Of work in the order in which it comes: the longest wait until some of it is begun, and when the last that waited is done.
    No formula of waiting: work is taken in small steps of time."""
    step, queue, wait, done = boot_s / 2000 if boot_s else 0.01, [], 0.0, 0.0
    now = 0.0
    while now < burst_s + 2 * boot_s:
        rate = per_s if now < burst_s else calm_per_s
        if rate > 0:
            queue.append([now, rate * step])
        room = (base + (started if boot_s <= now < boot_s + burst_s else 0.0)) * step
        while queue and room > 1e-12:
            begun, left = queue[0]
            taken = min(room, left)
            wait, room = max(wait, now - begun), room - taken
            queue[0][1] -= taken
            if queue[0][1] <= 1e-12:
                queue.pop(0)
        if queue and now >= burst_s + boot_s:
            done = now
        now += step
    return wait, done


class StartsTest(unittest.TestCase):
    def test_nobody_waits_longer_than_the_boot(self):
        rng = random.Random(7)
        for _ in range(40):
            base, excess = rng.choice([0.0, rng.uniform(0.1, 5)]), rng.uniform(0.1, 20)
            boot_s, burst_s = rng.uniform(5, 60), rng.uniform(30, 400)
            per_s = base + excess
            wait, late = longest_wait(base, excess * rng.uniform(1, 1.3), per_s, boot_s, burst_s, rng.uniform(0, base))
            bound = boot_s * (1 - base / per_s)
            self.assertLessEqual(wait, bound + boot_s / 500)
            self.assertGreaterEqual(wait, min(bound, burst_s) * 0.98 - boot_s / 500)
            self.assertLessEqual(late, burst_s + boot_s + boot_s / 500)  # they run on for as long as there is a queue

    def test_paid_time_by_hand(self):
        offer = {"purchase": "on_demand", "boot_s": 60, "idle_timeout_s": 300, "billing_step_s": 1}
        demand = {"burst": {"factor": 8, "seconds": 360, "per_day": 24}}
        for change, paid in (({}, 720), ({"billing_step_s": 600}, 1200), ({"minimum_seconds": 1800}, 1800),
                             ({"billing_step_s": 3600}, 3600), ({"idle_timeout_s": 7200}, 3600)):
            self.assertAlmostEqual(between_bursts(offer | change, demand), (paid - 360) / 3240)
        self.assertEqual(1, between_bursts(offer | {"purchase": "reserved"}, demand))
        del offer["idle_timeout_s"]
        self.assertEqual(1, between_bursts(offer, demand))


if __name__ == "__main__":
    unittest.main()
