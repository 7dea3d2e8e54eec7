"""The shell steps of the example actions as they stand: taken out of their files and run by bash with the built binary on the PATH,
each input as the service would give it.

usage: gate_actions_test.py COSTCURVE ROOT
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import unittest
import xml.etree.ElementTree

import sarif_schema
from command_line_case import PATIENCE_S, CommandLineCase, changed, environment

ROOT = pathlib.Path()
RULES = {"rules": [{"figure": "cost_per_month", "max": 3000, "unit": "USD/month"}]}


def block(lines, number):
    """The text of a block scalar (`|`) whose key is on this line: what is indented further, without that."""
    depth = len(lines[number]) - len(lines[number].lstrip(" -"))
    body = []
    for line in lines[number + 1:]:
        if line.strip() and len(line) - len(line.lstrip()) < depth:
            break
        body.append(line)
    least = min(len(line) - len(line.lstrip()) for line in body if line.strip())
    return "\n".join(line[least:] for line in body) + "\n"


def blocks(path, key):
    lines = path.read_text(encoding="utf-8").splitlines()
    return [block(lines, number) for number, line in enumerate(lines) if re.fullmatch(rf"\s*{key}\s*\|", line)]


class ActionCase(CommandLineCase):
    def setUp(self):
        super().setUp()
        self.write("rules.json", RULES)
        self.write("prices.json", {"devices": []})
        self.write("cheap.json", changed(id="plain"))
        dear = changed(id="plain")
        dear["pools"][0]["offer"]["hourly_price"] *= 2
        self.write("dear.json", dear)
        binaries = self.directory / "bin"
        binaries.mkdir()
        (binaries / "costcurve").symlink_to(self.costcurve)
        self.path = f"{binaries}:{os.environ['PATH']}"

    def run_step(self, script, **variables):
        done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script], capture_output=True, text=True,
                              timeout=PATIENCE_S, cwd=self.directory, env={**environment(), "PATH": self.path, **variables})
        return done.returncode, done.stderr

    def text(self, name):
        return (self.directory / name).read_text(encoding="utf-8")


class GithubTest(ActionCase):
    FILE = "examples/github_action/action.yml"

    def step(self, files, against="", rules="rules.json"):
        script, = blocks(ROOT / self.FILE, "run:")
        return self.run_step(script, FILES=files, RULES=rules, PRICES="prices.json", AGAINST=against,
                             GITHUB_STEP_SUMMARY=str(self.directory / "summary.md"))

    def test_it_is_short_and_takes_every_input_by_the_environment(self):
        text = (ROOT / self.FILE).read_text(encoding="utf-8")
        self.assertLess(len(text.splitlines()), 30)
        script, = blocks(ROOT / self.FILE, "run:")
        self.assertNotIn("${{", script, "an expression in a script is a program of whoever writes the pull request")
        self.assertEqual(set(re.findall(r"inputs\.(\w+)", text)), {"files", "rules", "prices", "against"})

    def test_the_status_is_the_gates_and_the_comment_is_the_summary(self):
        for files, status, said in (("cheap.json", 0, "every rule is kept"), ("dear.json", 1, "a rule is broken"),
                                    ("cheap.json dear.json", 1, "a rule is broken"), ("nowhere.json", 2, "")):
            with self.subTest(files=files):
                (self.directory / "summary.md").unlink(missing_ok=True)
                got, err = self.step(files)
                self.assertEqual(got, status, err)
                self.assertIn(said, self.text("gate.md"))
                self.assertEqual(self.text("summary.md"), self.text("gate.md"))

    def test_reports_are_there_for_the_steps_that_follow(self):
        self.assertEqual(self.step("dear.json", "cheap.json")[0], 1)
        self.assertIn("+100.0 %", self.text("gate.md"))
        log = json.loads(self.text("gate.sarif"))
        self.assertEqual((sarif_schema.wrong_with(log), len(log["runs"][0]["results"])), ([], 1))
        self.assertEqual(xml.etree.ElementTree.fromstring(self.text("gate.xml")).find("testsuite").get("failures"), "1")

    def test_a_name_is_no_program(self):
        status, _ = self.step("$(touch${IFS}made) ;touch made2; *.json", "`touch made3`")
        self.assertEqual(status, 2)
        self.assertEqual(sorted(path.name for path in self.directory.glob("made*")), [])


class GitlabTest(ActionCase):
    FILE = "examples/gitlab_ci/costcurve.yml"

    def step(self, files, against=""):
        (self.directory / "gate.yaml").write_text(json.dumps(RULES), encoding="utf-8")
        script, = blocks(ROOT / self.FILE, "-")
        return self.run_step(script, COSTCURVE_FILES=files, COSTCURVE_AGAINST=against)

    def test_the_status_is_the_gates_and_the_reports_are_its_artifacts(self):
        for files, against, status in (("cheap.json", "", 0), ("dear.json", "cheap.json", 1), ("nowhere.json", "", 2)):
            with self.subTest(files=files):
                got, err = self.step(files, against)
                self.assertEqual(got, status, err)
        self.assertEqual(self.step("dear.json", "cheap.json")[0], 1)
        self.assertIn("+100.0 %", self.text("gate.md"))
        self.assertEqual(xml.etree.ElementTree.fromstring(self.text("gate.xml")).find("testsuite").get("failures"), "1")
        text = (ROOT / self.FILE).read_text(encoding="utf-8")
        self.assertIn("paths: [gate.md]", text)
        self.assertIn("reports: {junit: gate.xml}", text)


if __name__ == "__main__":
    CommandLineCase.costcurve = os.path.abspath(sys.argv.pop(1))
    ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main(verbosity=2)
