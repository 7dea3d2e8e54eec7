"""Rules, scrape and dashboard: promtool finds them sound, and every metric they name is one that the daemon has.

usage: monitoring_test.py COSTCURVE REPOSITORY [unittest options]
"""

import datetime
import json
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else ".").resolve()
sys.path.insert(0, str(ROOT / "tests/api"))

# pylint: disable=wrong-import-position
from command_line_case import SMALLEST, CommandLineCase, skips  # noqa: E402
from daemon import Daemon  # noqa: E402

RULES = "prometheus-rules.yaml"
NAME = re.compile(r"\b(?:costcurve|process)_[a-z0-9_]+\b")


def without_comments(text):
    return re.sub(r"^\s*#.*$", "", text, flags=re.M)


def names_in_rules():
    """Of the expressions; of what follows them in braces nothing is a metric."""
    text = without_comments((ROOT / "deploy" / RULES).read_text(encoding="utf-8"))
    expressions = re.findall(r"^ +expr: (?:\|\n((?: {10}.*\n)+)|(.*)\n)", text, flags=re.M)
    return {name for block, line in expressions for name in NAME.findall(block or line)}


def panels():
    return json.loads((ROOT / "deploy/grafana-dashboard.json").read_text(encoding="utf-8"))["panels"]


@skips.without("promtool")
class Promtool(CommandLineCase):
    def setUp(self):
        super().setUp()
        for name in ("deploy/" + RULES, "deploy/prometheus.yaml", "tests/deploy/prometheus_rules_test.yaml"):
            shutil.copy(ROOT / name, self.directory)

    def promtool(self, *arguments):
        done = subprocess.run(["promtool", *arguments], cwd=self.directory, capture_output=True, text=True, timeout=300,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_the_rules_are_sound(self):
        self.promtool("check", "rules", RULES)

    def test_the_scrape_configuration_is_sound(self):
        self.promtool("check", "config", "prometheus.yaml")

    def test_each_alert_fires_on_a_bad_day_and_none_on_a_good_one(self):
        self.promtool("test", "rules", "prometheus_rules_test.yaml")
        alerts = re.findall(r"- alert: (\w+)", (ROOT / "deploy" / RULES).read_text(encoding="utf-8"))
        tested = (ROOT / "tests/deploy/prometheus_rules_test.yaml").read_text(encoding="utf-8")
        self.assertEqual([alert for alert in alerts if alert not in tested], [], "alerts without a test")

    def test_every_expression_of_the_dashboard_parses(self):
        """As recording rules, with Grafana's variables filled in."""
        rules = []
        for panel in panels():
            for target in panel["targets"]:
                expression = target["expr"].replace("$__rate_interval", "5m").replace("$instance", ".*")
                rules.append({"record": f"panel:{panel['id']}:{target['refId']}", "expr": expression})
        path = self.write("panels.yaml", {"groups": [{"name": "panels", "rules": rules}]})  # JSON is YAML
        self.promtool("check", "rules", path)


class Metrics(CommandLineCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.scraped = cls.ended_at = None

    def present(self):
        """What a daemon says that has stored, evaluated and recalculated a scenario."""
        if Metrics.scraped is None:
            with Daemon(self.costcurve, self.directory) as daemon:
                self.assertEqual(daemon.ask("PUT", "/v1/scenarios/one", SMALLEST)[0], 201)
                self.assertEqual(daemon.ask("POST", "/v1/evaluate", {"scenario": "one"})[0], 200)
                status, _, run = daemon.ask("POST", "/v1/recalculations", {"scenarios": "all"})
                self.assertEqual(status, 202, run)
                connection = daemon.connect()
                connection.request("GET", f"/v1/recalculations/{run['id']}/events")  # until it has ended
                connection.getresponse().read()
                Metrics.ended_at = daemon.ask("GET", f"/v1/recalculations/{run['id']}")[2]["ended_at"]
                connection.request("GET", "/metrics")
                Metrics.scraped = connection.getresponse().read().decode()
                connection.close()
        return Metrics.scraped

    def value(self, series):
        return next(float(line.split()[-1]) for line in self.present().splitlines() if line.startswith(series + " "))

    def test_every_metric_of_the_rules_is_one_of_the_daemon(self):
        wanted = names_in_rules()
        self.assertGreater(len(wanted), 8)
        self.assertEqual(wanted - set(NAME.findall(self.present())), set())

    def test_every_metric_of_the_dashboard_is_one_of_the_daemon(self):
        wanted = {name for panel in panels() for target in panel["targets"] for name in NAME.findall(target["expr"])}
        self.assertGreater(len(wanted), 15)
        self.assertEqual(wanted - set(NAME.findall(self.present())), set())

    def test_the_dashboard_shows_every_metric_but_those_named_here(self):
        shown = {name for panel in panels() for target in panel["targets"] for name in NAME.findall(target["expr"])}
        families = set(re.findall(r"^# TYPE (\w+) ", self.present(), flags=re.M))
        rest = {"costcurve_scenarios_left_out", "costcurve_last_recalculation_timestamp_seconds"}
        self.assertEqual({name for name in families if not any(each.startswith(name) for each in shown)} - rest, set())

    def test_gauges_of_operation_tell_what_is(self):
        self.assertEqual(self.value("costcurve_ready"), 1)
        self.assertEqual(self.value("costcurve_open_recalculations"), 0)
        self.assertEqual(self.value("costcurve_last_recalculation_failed"), 0)
        self.assertEqual(self.value('costcurve_recent_deliveries{state="dead"}'), 0)
        self.assertGreater(self.value("costcurve_last_recalculation_timestamp_seconds"),
                           self.value("process_start_time_seconds"))
        self.assertAlmostEqual(self.value("costcurve_last_recalculation_timestamp_seconds"),
                               datetime.datetime.fromisoformat(Metrics.ended_at).timestamp(), delta=0.01)
        self.assertGreater(self.value("process_resident_memory_bytes"), 1e6)
        self.assertGreater(self.value("process_open_fds"), 5)

    @skips.without("promtool")
    def test_promtool_finds_the_text_of_metrics_sound(self):
        done = subprocess.run(["promtool", "check", "metrics"], input=self.present(), capture_output=True, text=True, timeout=60,
                              check=False)
        errors = [line for line in done.stderr.splitlines() if "rror" in line]
        self.assertEqual(errors, [])


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    CommandLineCase.costcurve = str(pathlib.Path(sys.argv[1]).resolve())
    skips.main(argv=sys.argv[:1] + sys.argv[3:])
