"""Scores a transcript of an agent against questions.json: what it called, and what it answered.

usage: score.py TRANSCRIPT [QUESTIONS]

A transcript has a line of JSON a question: {"question": id, "calls": [{"name", "arguments"}], "answer": text}. Of the answer the
last line that begins with "Answer:" counts. A figure is right within its tolerance (0.005 of it where none is stated) and with its
unit; the line has no other number but dates, so that no guess among several counts. A question whose calls are missing is wrong,
whatever the answer: its figure is from elsewhere.
"""

import json
import pathlib
import re
import sys

QUESTIONS = pathlib.Path(__file__).with_name("questions.json")
TOLERANCE = 0.005
DATE = re.compile(r"\b\d{4}-\d{2}(?:-\d{2})?\b")
NUMBER = re.compile(r"(?<![\w.-])-?\d[\d,]*(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w]|\.\d)")
LARGE = {"thousand": 1e3, "million": 1e6}


def answer_line(text):
    """What stands behind the last "Answer:"; nothing where there is none."""
    found = re.findall(r"^[\s*_]*answer:[\s*_]*(.*)$", text, flags=re.M | re.I)
    return found[-1].strip() if found else ""


def figures(line):
    """The numbers of a line, without those of dates and names such as llama-3.1-70b."""
    found = []
    line = DATE.sub(" ", line)
    for match in NUMBER.finditer(line):
        scale = re.match(r"\s*(thousand|million)\b", line[match.end():], flags=re.I)
        found.append(float(match[0].replace(",", "")) * (LARGE[scale[1].lower()] if scale else 1))
    return found


def holds(expected, given):
    """Whether arguments have all that is expected of them."""
    if isinstance(expected, dict):
        return isinstance(given, dict) and all(name in given and holds(value, given[name]) for name, value in expected.items())
    return expected == given


def why_wrong(question, entry):
    """Why an entry of a transcript is wrong; nothing where it is right."""
    if entry is None:
        return "not answered"
    for wanted in question["calls"]:
        calls = [call for call in entry.get("calls", []) if call.get("name") in wanted["tools"]]
        if not any(holds(wanted["arguments"], call.get("arguments", {})) for call in calls):
            return f"no call of {' or '.join(wanted['tools'])} with {json.dumps(wanted['arguments'])}"
    line, answer = answer_line(entry.get("answer", "")), question["answer"]
    if not line:
        return "no line begins with Answer:"
    if "words" in answer and not any(word.lower() in line.lower() for word in answer["words"]):
        return f"{line!r} has none of {', '.join(answer['words'])}"
    if "unit" in answer and not any(unit.lower() in line.lower() for unit in answer["unit"]):
        return f"{line!r} is not in {answer['unit'][0]}"
    if "figure" not in answer:
        return f"{line!r} states a figure that is not known" if answer["words"][0] == "not known" and figures(line) else None
    found, tolerance = figures(line), answer.get("tolerance", TOLERANCE) * abs(answer["figure"])
    if len(found) != 1:
        return f"{line!r} has {len(found)} numbers; one is the answer"
    return None if abs(found[0] - answer["figure"]) <= tolerance else f"{found[0]:g} is not {answer['figure']:g}"


def score(questions, transcript):
    """{id: why it is wrong, or nothing} of every question, by the last entry of each."""
    entries = {entry["question"]: entry for entry in transcript}
    return {question["id"]: why_wrong(question, entries.get(question["id"])) for question in questions}


def read_transcript(path):
    """Its entries. Ends with the number of a line that is none."""
    entries = []
    for number, line in enumerate(pathlib.Path(path).read_text(encoding="utf-8").splitlines(), 1):
        if line.strip():
            try:
                entry = json.loads(line)
                entries.append(entry | {"question": entry["question"]})
            except (ValueError, KeyError, TypeError):
                sys.exit(f"{path}, line {number}: write {{\"question\": id, \"calls\": [...], \"answer\": text}}")
    return entries


def main(transcript, questions=QUESTIONS):
    result = score(json.loads(pathlib.Path(questions).read_text(encoding="utf-8")), read_transcript(transcript))
    for name, wrong in result.items():
        print(f"{'wrong' if wrong else 'right':5}  {name}{': ' + wrong if wrong else ''}")
    print(f"{sum(wrong is None for wrong in result.values())} of {len(result)}")


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(*sys.argv[1:])
