"""Holds docs/estimates.md and its picture to the audit of the catalogue's measured rates; `--renew` writes them.

usage: estimates_test.py ROOT COSTCURVE [--renew]    (the repository's root, the built binary)

Figures may differ by half a point from those that stand there: another compiler's last digits move a fit.
"""
import json
import pathlib
import re
import subprocess
import sys
import unittest

RENEW = "--renew" in sys.argv
ROOT, COSTCURVE = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(2))
SOURCES = ROOT / "deploy" / "catalog" / "sources"
PAGE, PICTURE = ROOT / "docs" / "estimates.md", ROOT / "docs" / "estimates.svg"
BEGIN, END = "<!-- made by tests/catalog/estimates_test.py --renew -->", "<!-- end -->"
WORST, WORST_END = "<!-- the twenty worst, by the same -->", "<!-- end of the worst -->"
SLACK = 0.5  # points

CLASSES = {"all": "all", "dense": "dense", "mixture": "mixtures of experts", "prompts": "prompts, 8 times as long as answers"}
LOADS = {"concurrency below 8": "below 8", "concurrency from 8": "8 to 31", "concurrency from 32": "32 to 127",
         "concurrency from 128": "128 to 511", "concurrency from 512": "from 512"}
TRAINING = {"training": "all", "training dense": "dense", "training mixture": "mixtures of experts", "training bf16": "bf16",
            "training fp8": "fp8", "training fp4": "fp4"}
GROUPS = {"model_on_device": "a model on a device", "model": "a model", "device": "a device", "source": "a publisher",
          "row": "one row"}
GOALS = {"model_on_device": 0.8, "source": 0.6, "row": 0.88}  # of the share within 0.8 to 1.3
HEAD = ["rates", "within 0.8 to 1.3", "median error", "bias", "in p10 to p90", "p90 / p10"]


def audited(file):
    asked = [COSTCURVE, "rate", "--audit", SOURCES / file, "--leave-out", "all", "--format", "json"]
    answer = json.loads(subprocess.run(asked, check=True, capture_output=True, text=True).stdout)
    return ({one["leave_out"]: {row["name"]: row for row in one["classes"]} for one in answer},
            next(one["worst"] for one in answer if one["leave_out"] == "model_on_device"))


def worst_rows(worst):
    return [[row["model"], f"{row['devices']:g}x {row['device']}", row["precision"], f"{row['input']:.0f}", f"{row['output']:.0f}",
             f"{row['concurrency']:.0f}", f"{row['measured']:.0f}", f"{row['predicted']:.0f}", row["source"], row["reason"]]
            for row in worst]


def worst_table(worst):
    return table(["model", "replica", "precision", "in", "out", "requests", "measured, tokens/s", "predicted", "publisher",
                  "likeliest reason"], worst_rows(worst))


def percent(share):
    return f"{100 * share:.1f} %".replace("-", "−")


def cells(row):
    return [f"{row['count']:,}", percent(row["within"]), percent(row["median_error"]), percent(row["bias"]),
            percent(row["coverage"]), f"{row['width']:.2f}"]


def table(head, rows):
    return "\n".join(f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows])


def tables(audits, training):
    by_class = [[GROUPS[group] if name == "all" else "", shown, *cells(audits[group][name])]
                for group in GROUPS for name, shown in CLASSES.items()]
    by_load = [[shown, *cells(audits["model_on_device"][name])] for name, shown in LOADS.items()]
    by_run = [[GROUPS[group] if shown == "all" else "", shown, *cells(training[group][name])]
              for group in GROUPS for name, shown in TRAINING.items()]
    return "\n\n".join([table(["left out whole", "class", *HEAD], by_class),
                        "By concurrency, a model on a device left out:", table(["requests at once", *HEAD], by_load),
                        "Training, the catalogue's runs:", table(["left out whole", "class", "runs", *HEAD[1:]], by_run)])


def picture(audits):
    """A bar of the share within 0.8 to 1.3 for each row of the table, a tick at its goal and a ring at what p10 to p90 holds."""
    left, right, step, top = 300, 700, 22, 44
    rows = [(GROUPS[group], shown, audits[group][name], GOALS.get(group)) for group in GROUPS for name, shown in CLASSES.items()]
    bottom = top + step * len(rows)

    def at(share):
        return round(left + (right - left) * share, 1)

    def text(x, y, content, anchor="end"):
        return f'<text x="{x}" y="{y}" text-anchor="{anchor}">{content}</text>'

    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 740 {bottom + 50}" font-family="sans-serif" font-size="13">',
             "<title>Share of left-out rates that are predicted within 0.8 to 1.3, by what was left out</title>",
             f'<rect width="740" height="{bottom + 50}" fill="#fff"/>',
             text(20, 22, "share within 0.8 to 1.3 (bar), its goal (line), share in p10 to p90 (ring)", "start")]
    for share in (0, 0.2, 0.4, 0.6, 0.8, 1):
        lines += [f'<path d="M{at(share)} {top - 6}V{bottom}" stroke="#ddd"/>',
                  text(at(share), bottom + 18, f"{100 * share:.0f} %", "middle")]
    for place, (group, shown, row, goal) in enumerate(rows):
        y = top + step * place
        is_first = shown == "all"
        lines += [text(140, y + 12, group)] if is_first else []
        lines += [text(left - 8, y + 12, shown.split(",")[0]),
                  f'<path d="M{left} {y + 8}H{at(row["within"])}" stroke="{"#06c" if is_first else "#7ab"}" stroke-width="12"/>',
                  f'<circle cx="{at(row["coverage"])}" cy="{y + 8}" r="4" fill="#fff" stroke="#333"/>']
        lines += [f'<path d="M{at(goal)} {y}V{y + 16}" stroke="#c30" stroke-width="2"/>'] if goal and is_first else []
    return "\n".join([*lines, "</svg>", ""])


def figures(text):
    return [float(figure.replace(",", "").replace("−", "-")) for figure in re.findall(r"[−-]?\d[\d,]*(?:\.\d+)?", text)]


class Estimates(unittest.TestCase):
    def test_page_and_picture_are_of_the_catalogue(self):
        audits, worst = audited("measured_rates.csv")
        training, _ = audited("measured_training.csv")
        page = PAGE.read_text(encoding="utf-8")
        before, rest = page.split(BEGIN)
        shown, after = rest.split(END)
        between, rest = after.split(WORST)
        shown_worst, after = rest.split(WORST_END)
        if RENEW:
            PAGE.write_text(f"{before}{BEGIN}\n\n{tables(audits, training)}\n\n{END}{between}{WORST}\n\n{worst_table(worst)}\n\n"
                            f"{WORST_END}{after}", encoding="utf-8")
            PICTURE.write_text(picture(audits), encoding="utf-8")
            return
        same = [row for row in worst_rows(worst) if f"| {' | '.join(row[:6])} |" in shown_worst and row[-1] in shown_worst]
        self.assertGreaterEqual(len(same), 15, "renew it: estimates_test.py ROOT COSTCURVE --renew")
        for name, was, now in (("docs/estimates.md", shown, tables(audits, training)),
                               ("docs/estimates.svg", PICTURE.read_text(encoding="utf-8"), picture(audits))):
            with self.subTest(name):
                self.assertEqual(len(figures(was)), len(figures(now)), "renew it: estimates_test.py ROOT COSTCURVE --renew")
                slack = SLACK if name.endswith(".md") else 4 * SLACK  # 4 px a point
                for old, new in zip(figures(was), figures(now)):
                    self.assertAlmostEqual(old, new, delta=slack, msg="renew it: estimates_test.py ROOT COSTCURVE --renew")


if __name__ == "__main__":
    sys.argv = [argument for argument in sys.argv if argument != "--renew"]
    unittest.main()
