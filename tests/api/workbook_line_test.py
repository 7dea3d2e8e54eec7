"""Excel workbooks over HTTP: what asks for one, what has none, and that each is what the command line writes.

usage: workbook_line_test.py COSTCURVE ROOT
What is in them is tested by tests/workbook/workbook_test.py.
"""

import io
import json
import os
import pathlib
import sys
import unittest

from command_line_case import CommandLineCase, changed
from daemon import Daemon
from rank_line_test import CATALOGUE, REQUEST

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "workbook"))
from workbook import Workbook  # noqa: E402

TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
ROOT = pathlib.Path()


class WorkbookLine(CommandLineCase):
    def send(self, daemon, method, target, body=None, accept=None):
        """Status, headers by lower-case name and bytes."""
        connection = daemon.connect()
        headers = {"Content-Type": "application/json"} if body is not None else {}
        headers |= {"Accept": accept} if accept else {}
        connection.request(method, target, None if body is None else json.dumps(body), headers)
        answer = connection.getresponse()
        got = (answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
        connection.close()
        return got

    def opened(self, got):
        status, headers, content = got
        self.assertEqual((status, headers["content-type"]), (200, TYPE), content[:500])
        self.assertIn("costcurve.xlsx", headers["content-disposition"])
        return Workbook(io.BytesIO(content))

    def error(self, got, status):
        self.assertEqual(got[0], status, got[2][:300])
        return json.loads(got[2])

    def test_evaluate_answers_with_the_command_lines_bytes(self):
        path = ROOT / "examples/serving_70b/cloud_on_demand.json"
        scenario = json.loads(path.read_text(encoding="utf-8"))
        written = self.directory / "out.xlsx"
        status, _, err = self.run_costcurve("evaluate", str(path), "--format", "xlsx", "--output", str(written))
        self.assertEqual(status, 0, err)
        with Daemon(self.costcurve, self.directory) as daemon:
            by_format = self.send(daemon, "POST", "/v1/evaluate?format=xlsx", {"scenario": scenario})
            by_accept = self.send(daemon, "POST", "/v1/evaluate", {"scenario": scenario}, f"{TYPE}, application/json;q=0.5")
            self.assertEqual(by_format[2], written.read_bytes())
            self.assertEqual(by_accept[2], by_format[2])
            self.assertIn("Result", self.opened(by_format).order)
            json_first = self.send(daemon, "POST", "/v1/evaluate", {"scenario": scenario}, f"application/json, {TYPE};q=0.5")
            self.assertEqual(json_first[1]["content-type"].split(";")[0], "application/json")

    def test_a_comparison_is_the_command_lines_beside_its_baseline(self):
        paths = [ROOT / f"examples/serving_70b/{name}.json" for name in ("owned", "cloud_on_demand")]
        scenarios = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
        written = self.directory / "out.xlsx"
        status, _, err = self.run_costcurve("evaluate", *map(str, paths), "--format", "xlsx", "--output", str(written))
        self.assertEqual(status, 0, err)
        with Daemon(self.costcurve, self.directory) as daemon:
            got = self.send(daemon, "POST", "/v1/compare?format=xlsx", {"scenarios": scenarios, "baseline": 0})
            self.assertEqual(got[2], written.read_bytes())
            other = self.opened(self.send(daemon, "POST", "/v1/compare?format=xlsx", {"scenarios": scenarios, "baseline": 1}))
            compared = daemon.ask("POST", "/v1/compare", {"scenarios": scenarios, "baseline": 1})[2]
        row = other.find("Comparison", "npv")
        wanted = compared["scenarios"][0]["difference"]["total"]["npv"]
        self.assertAlmostEqual(other.get("Comparison", (row, 5)), wanted, delta=1e-9 * abs(wanted) + 1e-6)

    def test_what_has_no_workbook_says_what_there_is(self):
        with Daemon(self.costcurve, self.directory) as daemon:
            refused = self.error(self.send(daemon, "GET", "/v1/offers?format=xlsx"), 422)
            self.assertIn("give csv or json", refused["errors"][0]["message"])
            refused = self.error(self.send(daemon, "POST", "/v1/evaluate?format=xls", {"scenario": changed()}), 422)
            self.assertIn("give csv, xlsx or json", refused["errors"][0]["message"])
            refused = self.error(self.send(daemon, "POST", "/v1/evaluate?format=xlsx&table=ledger", {"scenario": changed()}), 422)
            self.assertEqual(refused["errors"][0]["pointer"], "/table")
            self.error(self.send(daemon, "POST", "/v1/evaluate?format=csv&table=workbook", {"scenario": changed()}), 422)
            self.error(self.send(daemon, "GET", "/v1/offers", accept=TYPE), 406)
            broken = self.error(self.send(daemon, "POST", "/v1/evaluate?format=xlsx", {"scenario": changed(months=0)}), 422)
            self.assertEqual(broken["errors"][0]["pointer"], "/scenario/months")

    def test_a_kept_result_has_a_workbook_with_a_tag(self):
        with Daemon(self.costcurve, self.directory) as daemon:
            self.assertEqual(daemon.ask("PUT", "/v1/scenarios/one", changed())[0], 201)
            daemon.ask("POST", "/v1/recalculations", {})
            latest = "/v1/scenarios/one/results/latest?format=xlsx"
            self.wait_until(lambda: self.send(daemon, "GET", latest)[0] == 200)
            first, again = (self.send(daemon, "GET", latest) for _ in range(2))
            self.assertEqual(first[2], again[2])
            self.assertEqual((first[1]["etag"], again[1]["etag"]), ('"1-xlsx"', '"1-xlsx"'))
            book = self.opened(first)
            result = daemon.ask("GET", "/v1/scenarios/one/results/latest")[2]
            self.assertEqual(book.get("Result", (book.find("Result", "cost"), 2)), result["total"]["cost"])

    def test_a_ranking_has_its_plans_and_the_first_ones_costs(self):
        with Daemon(self.costcurve, self.directory) as daemon:
            for kind in ("devices", "performances", "offers", "endpoints"):
                for document in CATALOGUE[kind]:
                    self.assertEqual(daemon.ask("PUT", f"/v1/{kind}/{document['id']}", document)[0], 201)
            request = REQUEST | {"exchange_rates": {"EUR": 1.1}}
            ranking = daemon.ask("POST", "/v1/rank", request)[2]
            book = self.opened(self.send(daemon, "POST", "/v1/rank?format=xlsx", request))
        self.assertEqual(book.order[:5], ["Ranking", "Rates", "Assumptions", "Left out", "Result"])
        replicas = [(plan["rank"], replica["device"]) for plan in ranking["plans"] for replica in plan["replicas"]]
        self.assertEqual([(row[0], row[4]) for row in book.rows("Rates")[1:]], replicas)
        rows = book.rows("Ranking")[1:]
        for row, plan in zip(rows, ranking["plans"], strict=False):
            self.assertEqual((row[0], row[1]), (plan["rank"], plan["name"]))
            self.assertAlmostEqual(row[2], plan["decisive"], delta=1e-9 * abs(plan["decisive"]))
        total = book.get("Result", (book.find("Result", "cost"), 2))
        self.assertAlmostEqual(total, ranking["plans"][0]["summary"]["cost"], delta=1e-9 * total)
        self.assertEqual(len(book.rows("Assumptions")) - 1, len(ranking["assumptions"]))
        self.assertEqual(len(book.rows("Left out")) - 1, len(ranking["excluded"]))

    def wait_until(self, done):
        for _ in range(2000):
            if done():
                return
        self.fail("it never was")


if __name__ == "__main__":
    CommandLineCase.costcurve, ROOT = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
