"""What a soak counts: requests with their times, and what went wrong. Thread-safe."""

import collections
import threading

# What must not happen, as the closing table names it.
LOSSES = ("acknowledged writes lost", "refused writes stored", "acknowledged runs lost", "events lost", "events doubled",
          "deliveries lost", "deliveries doubled under another id", "results doubled", "ticks doubled",
          "schedules that stand still", "revisions dated ahead", "samples lost", "wrong answers", "answers of 500", "crashes",
          "hangs", "files damaged")
SHOWN = 5  # of each kind


class Stats:
    def __init__(self):
        self.lock = threading.Lock()
        self.times = collections.defaultdict(list)     # by kind of request, of those that were answered as they should be
        self.statuses = collections.Counter()          # by status
        self.failures = collections.defaultdict(list)  # by LOSSES
        self.counts = collections.Counter()            # of what was done
        self.max_rss_mb = 0.0

    def add(self, kind, status, seconds):
        with self.lock:
            self.statuses[status] += 1
            if status < 400:
                self.times[kind].append(seconds)

    def count(self, what, number=1):
        with self.lock:
            self.counts[what] += number

    def fail(self, what, message):
        assert what in LOSSES, what
        with self.lock:
            self.failures[what].append(message)
            if len(self.failures[what]) <= SHOWN:
                print(f"! {what}: {message}", flush=True)

    def table(self):
        """The closing table as text."""
        lines = [f"{'requests':40} {sum(self.statuses.values()):>10}"]
        lines += [f"{f'  of status {status}':40} {number:>10}" for status, number in sorted(self.statuses.items())]
        lines += [f"{what:40} {number:>10}" for what, number in sorted(self.counts.items())]
        lines += [f"{'largest memory of the daemon':40} {self.max_rss_mb:>7.0f} MB", "",
                  f"{'milliseconds':40} {'requests':>10} {'p50':>8} {'p99':>8} {'max':>8}"]
        for kind, times in sorted(self.times.items()):
            times.sort()
            p50, p99 = (times[min(len(times) - 1, int(len(times) * part))] * 1000 for part in (0.5, 0.99))
            lines.append(f"{kind:40} {len(times):>10} {p50:>8.1f} {p99:>8.1f} {times[-1] * 1000:>8.0f}")
        lines += ["", *(f"{what:40} {len(self.failures[what]):>10}" for what in LOSSES)]
        return "\n".join(lines)

    @property
    def is_clean(self):
        return not any(self.failures.values())
