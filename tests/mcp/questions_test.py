"""The twenty questions of tests/mcp/questions: their answers are what the service computes, and the scorer tells right from wrong.

usage: questions_test.py COSTCURVE ROOT [unittest options]    (the built binary, the repository's root)
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "api"), str(HERE / "questions")]

# pylint: disable=wrong-import-position
import score  # noqa: E402
from command_line_case import PATIENCE_S, environment, skips  # noqa: E402
from daemon import Daemon  # noqa: E402

ROOT = HERE.parents[1]
COSTCURVE = ""
QUESTIONS = json.loads(score.QUESTIONS.read_text(encoding="utf-8"))


def in_words(answer, figure=None):
    """A sentence that states an answer, with another figure where one is given."""
    stated = answer.get("figure") if figure is None else figure
    parts = [] if stated is None else [f"{stated:,.10g}"]
    return " ".join(["I looked it up.\n\n**Answer:**", *parts, *answer.get("unit", [])[:1], *answer.get("words", [])[:1]])


def called(question):
    """Calls that the question expects."""
    check = question["check"] or {"tool": question["calls"][0]["tools"][0], "arguments": question["calls"][0]["arguments"]}
    return [{"name": check["tool"], "arguments": check["arguments"]}]


def entry(question, answer):
    return {"question": question["id"], "calls": called(question), "answer": answer}


def right():
    return [entry(question, in_words(question["answer"])) for question in QUESTIONS]


def count(transcript):
    return sum(wrong is None for wrong in score.score(QUESTIONS, transcript).values())


class Scorer(unittest.TestCase):
    def test_there_are_twenty_each_with_its_basis(self):
        self.assertEqual(len({question["id"] for question in QUESTIONS}), 20)
        for question in QUESTIONS:
            self.assertTrue(question["basis"] and question["calls"] and question["answer"], question["id"])

    def test_a_right_transcript_scores_all(self):
        self.assertEqual({name: wrong for name, wrong in score.score(QUESTIONS, right()).items() if wrong}, {})

    def test_each_wrong_figure_is_found(self):
        with_figures = [question for question in QUESTIONS if "figure" in question["answer"]]
        self.assertGreater(len(with_figures), 12)
        for question in with_figures:
            for figure in (question["answer"]["figure"] * 1.02 + 1, question["answer"]["figure"] * -1 - 1):
                transcript = right() + [entry(question, in_words(question["answer"], figure))]
                self.assertEqual(count(transcript), 19, (question["id"], figure))

    def test_an_unknown_is_no_zero_and_no_guess(self):
        unknown = [question for question in QUESTIONS if question["answer"].get("words", [""])[0] == "not known"]
        self.assertEqual(len(unknown), 2)
        for question in unknown:
            for answer in ("Answer: 0 kWh", "Answer: about 1,100,000 kWh", "Answer: not known, about 1,100,000 kWh"):
                self.assertEqual(count(right() + [entry(question, answer)]), 19, answer)

    def test_what_was_not_called_for_is_wrong(self):
        for question in QUESTIONS:
            for calls in ([], [{"name": "describe", "arguments": {"kind": "offer"}}]):
                silent = {"question": question["id"], "calls": calls, "answer": in_words(question["answer"])}
                self.assertEqual(count(right() + [silent]), 19, question["id"])

    def test_answers_without_their_line_or_unit_or_of_many_numbers_are_wrong(self):
        price = next(question for question in QUESTIONS if question["id"] == "p5_price")
        for answer in ("55.04 USD", "Answer: 55.04", "Answer: 55.04 EUR", "Answer: between 50 and 55.04 USD", ""):
            self.assertEqual(count(right() + [entry(price, answer)]), 19, answer)
        for answer in ("Answer: $55.04 an hour", "Answer: 55.04 USD on 2026-11-01 (p5.48xlarge)", "answer: about 55 USD"):
            self.assertEqual(count(right() + [entry(price, answer)]), 20, answer)
        cost = next(question for question in QUESTIONS if question["id"] == "cloud_cost")
        self.assertEqual(count(right() + [entry(cost, "Answer: 1.868 million USD")]), 20)
        self.assertEqual(count([]), 0)

    def test_the_program_prints_what_was_wrong_and_the_score(self):
        with tempfile.TemporaryDirectory() as folder:
            transcript = pathlib.Path(folder) / "transcript.jsonl"
            transcript.write_text("".join(json.dumps(line) + "\n" for line in right()[1:]), encoding="utf-8")
            command = [sys.executable, HERE / "questions/score.py", transcript]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            transcript.write_text('\n{"answer": "700 W"}\n', encoding="utf-8")
            wrong = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual((wrong.returncode, "line 2: write" in wrong.stderr), (1, True))
        self.assertEqual(done.stdout.splitlines()[0], f"wrong  {QUESTIONS[0]['id']}: not answered")
        self.assertEqual(done.stdout.splitlines()[-1], "19 of 20")


class Answers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(place.cleanup)
        folder = pathlib.Path(place.name)
        subprocess.run([ROOT / "deploy/catalog/store", COSTCURVE, "--database", folder / "store.db"], env=environment(), check=True,
                       capture_output=True, timeout=10 * PATIENCE_S)
        cls.daemon = Daemon(COSTCURVE, folder)
        cls.addClassCleanup(cls.daemon.close)

    def called(self, tool, arguments):
        body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        _, _, answer = self.daemon.ask("POST", "/mcp", body)
        self.assertNotIn("isError", answer["result"], answer["result"]["content"][0]["text"][:500])
        return answer["result"]["structuredContent"]

    def test_answers_are_what_the_service_computes(self):
        for question in (question for question in QUESTIONS if question["check"]):
            with self.subTest(question=question["id"]):
                found = self.called(question["check"]["tool"], question["check"]["arguments"])
                for name in question["check"]["pointer"].split("/")[1:]:
                    found = found[int(name)] if isinstance(found, list) else found[name]
                answer = question["answer"]
                if "figure" in answer:
                    self.assertAlmostEqual(found, answer["figure"], delta=abs(answer["figure"]) * 1e-3)
                elif answer["words"][0] == "not known":
                    self.assertIsNone(found)
                else:
                    self.assertIn(answer["words"][0], found)

    def test_figures_by_hand_follow_from_the_others(self):
        figures = {question["id"]: question["answer"].get("figure") for question in QUESTIONS}
        self.assertAlmostEqual(figures["difference"], figures["owned_cost"] - figures["cloud_cost"], places=2)
        self.assertAlmostEqual(figures["fifth_less"], 0.8 * figures["cloud_cost"], places=2)
        self.assertAlmostEqual(figures["p5_price_per_device"], figures["p5_price"] / 8)
        self.assertAlmostEqual(figures["break_even_factor"], figures["owned_cost"] / figures["cloud_cost"], places=5)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    COSTCURVE = os.path.abspath(sys.argv.pop(1))
    ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
    skips.main()
