"""Rules, scrape and dashboard: promtool finds them sound, and every metric they name is one that the daemon has.

usage: monitoring_test.py COSTCURVE REPOSITORY [unittest options]
"""

import datetime
import http.server
import json
import pathlib
import re
import shutil
import subprocess
import sys
import time
import urllib.parse
import urllib.request

ROOT = pathlib.Path(sys.argv[2] if len(sys.argv) > 2 else ".").resolve()
sys.path.insert(0, str(ROOT / "tests/api"))

# pylint: disable=wrong-import-position
from command_line_case import PATIENCE_S, SMALLEST, CommandLineCase, environment, skips  # noqa: E402
from daemon import Daemon  # noqa: E402
from local_server import LocalServer  # noqa: E402

RULES = "prometheus-rules.yaml"
NAME = re.compile(r"\b(?:costcurve|process)_[a-z0-9_]+\b")


def without_comments(text):
    return re.sub(r"^\s*#.*$", "", text, flags=re.M)


def names_in_rules():
    """Of the expressions; of what follows them in braces nothing is a metric."""
    text = without_comments((ROOT / "deploy" / RULES).read_text(encoding="utf-8"))
    expressions = re.findall(r"^ +expr: (?:\|\n((?: {10}.*\n)+)|(.*)\n)", text, flags=re.M)
    return {name for block, line in expressions for name in NAME.findall(block or line)}


DASHBOARDS = ("grafana-dashboard.json", "grafana-plan.json")


def panels(*names):
    return [panel for name in names or DASHBOARDS
            for panel in json.loads((ROOT / "deploy" / name).read_text(encoding="utf-8"))["panels"]]


def expressions(*names):
    """Of every panel, with Grafana's variables filled in: (panel and target, expression)."""
    filled = {"$__rate_interval": "5m", "$instance": ".*", "$scenario": ".*"}
    for panel in panels(*names):
        for target in panel["targets"]:
            expression = target["expr"]
            for variable, value in filled.items():
                expression = expression.replace(variable, value)
            yield f"panel:{panel['title'].replace(' ', '_')}:{target['refId']}", expression


def plan_of_this_month():
    """A served model, on a rented device at a site, of last month and this one."""
    scenario = json.loads(json.dumps(SMALLEST))
    today = datetime.datetime.now(datetime.timezone.utc).date()
    scenario.update(start=f"{today.replace(day=1) - datetime.timedelta(days=1):%Y-%m}", months=3)
    scenario["workloads"][0].update(unit="token", demand={"mean_per_s": 500})
    scenario["workloads"][0]["runs_on"][0]["performance"]["units_per_s"] = 1000
    scenario["pools"][0]["offer"].update(sku="big", site={"pue": 1.2, "energy_price": 0.1})
    scenario["pools"][0]["offer"]["device"]["idle_w"] = 100
    return scenario


def bill_of_this_month(daemon):
    """A line of each of the last thirty days: the status of the import, and the one that it has to be."""
    today = datetime.datetime.now(datetime.timezone.utc).date()
    text = "ChargePeriodStart,ProviderName,SkuId,ServiceName,BilledCost,EffectiveCost,BillingCurrency,ChargeCategory\n"
    for day in range(30):
        date = today - datetime.timedelta(days=day)
        text += f"{date}T00:00:00Z,p,big,EC2,{80 + day % 7},{80 + day % 7},USD,Usage\n"
    return daemon.ask("POST", "/v1/imports?format=focus", text.encode())[0], 200


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
        rules = [{"record": re.sub(r"[^A-Za-z0-9_:]", "_", name), "expr": expression} for name, expression in expressions()]
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
                self.assertEqual(daemon.ask("PUT", "/v1/scenarios/plan", plan_of_this_month())[0], 201)
                self.assertEqual(*bill_of_this_month(daemon))
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
        wanted = {name for _, expression in expressions() for name in NAME.findall(expression)}
        self.assertGreater(len(wanted), 15)
        self.assertEqual(wanted - set(NAME.findall(self.present())), set())

    def test_the_dashboard_shows_every_metric_but_those_named_here(self):
        shown = {name for _, expression in expressions() for name in NAME.findall(expression)}
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


METERS = """# TYPE vllm:prompt_tokens_total counter
vllm:prompt_tokens_total{{engine="0",model_name="m"}} {tokens}
vllm:generation_tokens_total{{engine="0",model_name="m"}} {tokens}
DCGM_FI_DEV_POWER_USAGE{{Hostname="h",UUID="GPU-1",gpu="0",modelName="NVIDIA H100 80GB HBM3"}} 400
"""


@skips.without("prometheus")
class PlanDashboard(CommandLineCase):
    def scrape(self, ports, port):
        targets = ", ".join(f"'127.0.0.1:{each}'" for each in ports)
        settings = self.write("prometheus.yml", "global: {scrape_interval: 1s}\nscrape_configs:\n- job_name: all\n"
                                                f"  static_configs:\n  - targets: [{targets}]\n")
        return subprocess.Popen(["prometheus", f"--config.file={settings}", f"--storage.tsdb.path={self.directory}/tsdb",
                                 f"--web.listen-address=127.0.0.1:{port}"],
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment())

    def test_every_panel_has_a_series_of_a_real_prometheus(self):
        begin = time.monotonic()

        class Meters(http.server.BaseHTTPRequestHandler):
            def do_GET(self):  # pylint: disable=invalid-name
                text = METERS.format(tokens=int(1e6 * (1 + time.monotonic() - begin))).encode()
                self.send_response(200)
                self.send_header("Content-Type", "text/plain; version=0.0.4")
                self.end_headers()
                self.wfile.write(text)

            def log_message(self, *_):  # pylint: disable=arguments-differ
                """Nothing."""

        with LocalServer(Meters) as free:
            port = free.port
        with LocalServer(Meters) as exporter, Daemon(self.costcurve, self.directory) as daemon:
            self.assertEqual(daemon.ask("PUT", "/v1/scenarios/plan", plan_of_this_month())[0], 201)
            self.assertEqual(*bill_of_this_month(daemon))
            prometheus = self.scrape((exporter.port, daemon.port), port)
            try:
                left = dict(expressions("grafana-plan.json"))
                self.assertGreater(len(left), 15)
                until = time.monotonic() + PATIENCE_S
                while left and time.monotonic() < until:
                    left = {name: expression for name, expression in left.items() if not self.has_series(port, expression)}
                    time.sleep(0.5)
                self.assertEqual({}, left, "panels without a series")
            finally:
                prometheus.terminate()
                prometheus.wait()

    @staticmethod
    def has_series(port, expression):
        query = urllib.parse.urlencode({"query": expression})
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/api/v1/query?{query}", timeout=5) as answer:
                found = json.load(answer)["data"]["result"]
        except OSError:  # it has just been started
            return False
        return bool(found) and all(value["value"][1] != "NaN" for value in found)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    CommandLineCase.costcurve = str(pathlib.Path(sys.argv[1]).resolve())
    skips.main(argv=sys.argv[:1] + sys.argv[3:])
