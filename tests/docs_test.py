"""Holds the docs to the code: fields, routes, codes, statuses, categories, settings, functions, links, and what examples print.

usage: docs_test.py ROOT COSTCURVE [--renew]    (the repository's root, the built binary)

With --renew, what commands print now is written into the pages that show it; read the difference before you commit it.
"""
import functools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.request

ROOT = pathlib.Path()
BINARY = ""
RENEW = False


def text_of(path):
    return (ROOT / path).read_text(encoding="utf-8")


def code_of(path):
    """A source file without its comments."""
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", text_of(path), flags=re.S)


def table(path, opening):
    """The source text from `opening` to the end of that statement. Fails where it is not found."""
    code = code_of(path)
    start = code.find(opening)
    if start < 0:
        raise AssertionError(f"{path} has no {opening}; has the table moved? then change this test")
    return code[start:code.index(";", start)]


def strings(code):
    return re.findall(r'"([^"]*)"', code)


def ticked(markdown):
    """Everything between backticks, one by one, outside of code blocks."""
    return set(re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", markdown, flags=re.S)))


def section(markdown, title):
    """The text under a heading, up to the next heading of any level."""
    found = re.search(rf"^#+ {re.escape(title)}\n(.*?)(?=^#|\Z)", markdown, flags=re.S | re.M)
    return found.group(1) if found else None


def first_cells(markdown):
    """The backticked words in the first cells of table rows."""
    rows = re.findall(r"^\|([^|]*)\|", markdown or "", flags=re.M)
    return {word for row in rows for word in re.findall(r"`([^`]+)`", row)}


def names(markdown):
    """Identifiers that stand within backticks, also those inside `{a, b: [c]}`."""
    return {word for tick in ticked(markdown) for word in re.findall(r"[a-z][a-z0-9_]*", tick)}


def environment(**more):
    """This one's, without settings of costcurve."""
    return {key: value for key, value in os.environ.items() if not key.startswith("COSTCURVE_")} | more


@functools.cache
def daemon():
    """Address and database of one daemon for all tests; its store has the catalogue and the examples, as deploy/run stores them."""
    folder = tempfile.TemporaryDirectory()
    unittest.addModuleCleanup(folder.cleanup)
    database = folder.name + "/store.db"
    fill = [ROOT / "deploy/catalog/store", BINARY, "--database", database]
    subprocess.run(fill, env=environment(), check=True, capture_output=True)
    process = subprocess.Popen([BINARY, "serve", "--port", "0", "--log-level", "off", "--database", database],
                               stdout=subprocess.PIPE, text=True, env=environment())

    def stop():
        process.terminate()
        process.wait(timeout=30)
        process.stdout.close()

    unittest.addModuleCleanup(stop)
    line = process.stdout.readline()
    address = re.fullmatch(r"costcurve listens on (http://127\.0\.0\.1:\d+)\n", line)
    if not address:
        raise AssertionError(f"the first line is {line!r}; it must name the address")
    return address.group(1), database


@functools.cache
def served(path):
    """What the daemon answers to GET."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(daemon()[0] + path, timeout=30) as answer:
        return json.load(answer)


def served_fields():
    """The field tables of documents; those of requests are described with their routes."""
    return [table for table in served("/v1/fields") if "document" in table]


def shown(markdown):
    """Commands and what they print, of the blocks of a page that are indented by four: [(command, output)]. A command begins with
    "$ "; it goes on after a line that ends in | or \\, and up to the END of `<<'END'`."""
    found = []
    outside = re.sub(r"^```.*?^```$", "", markdown, flags=re.M | re.S)
    for block in re.findall(r"(?:^    [^\n]*\n(?:\n(?=    ))*)+", outside, flags=re.M):
        lines = iter(re.sub(r"^    ", "", block, flags=re.M).splitlines())
        for line in lines:
            if not line.startswith("$ "):
                if found:
                    found[-1][1].append(line)
                continue
            command = [line[2:]]
            while command[-1].endswith(("|", "\\")):
                command.append(next(lines))
            if command[-1].endswith("<<'END'"):
                while command[-1] != "END":
                    command.append(next(lines))
            found.append(("\n".join(command), []))
    return [(command, "\n".join(output).rstrip()) for command, output in found]


class ApiPage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.page = text_of("docs/api.md")

    def none_missing(self, wanted, present, what):
        wanted = list(wanted)
        self.assertTrue(wanted, f"found no {what} in the code: this test reads it wrongly")
        self.assertEqual([], sorted(set(wanted) - set(present)), f"docs/api.md does not name these {what}")

    def test_names_every_field_of_every_document_in_its_own_table(self):
        documents = served_fields()
        self.assertGreater(len(documents), 5)
        for document in documents:
            name = document["document"]
            with self.subTest(document=name):
                part = section(self.page, name)
                self.assertIsNotNone(part, f"docs/api.md has no heading {name}")
                self.none_missing((field["name"] for field in document["fields"]), first_cells(part), f"fields of {name}")

    def test_states_unit_and_help_of_every_field(self):
        for document in served_fields():
            rows = {cells[1].strip().strip("`"): cells
                    for cells in (line.split("|") for line in (section(self.page, document["document"]) or "").splitlines())
                    if len(cells) > 6}
            for field in document["fields"]:
                with self.subTest(document=document["document"], field=field["name"]):
                    cells = rows.get(field["name"])
                    self.assertIsNotNone(cells, "no row of docs/api.md is about it")
                    self.assertEqual(field.get("unit", ""), cells[3].strip())
                    self.assertEqual(field["required"], "required" in cells[5])
                    self.assertIn(field["help"], cells[6])

    def test_names_every_kind_and_axis_of_curves(self):
        part = section(self.page, "curve") or ""
        for enum in ("CurveKind", "Axis", "Interpolation", "Outside"):
            words = strings(table("model/documents/curve.hpp", f"enum_names<{enum}>"))
            self.none_missing(words, ticked(part), f"words of {enum}")

    def test_names_every_route(self):
        names = "|".join(re.findall(r"ROW\((\w+), \w+\)", code_of("model/documents/kinds.hpp")))
        kinds = rf"^/v1/({names})e?s(?=$|/\{{id\}}$|/\{{id\}}/revisions$)"
        paths = served("/openapi.json")["paths"]
        rows = {f"{method.upper()} {re.sub(kinds, '/v1/{documents}', path)}" for path in paths for method in paths[path]}
        self.none_missing(rows, first_cells(section(self.page, "Routes")), "routes")

    def test_names_every_error_code(self):
        codes = strings(table("model/documents/failure.cpp", "kCodeNames"))
        self.none_missing(codes, first_cells(section(self.page, "Errors")), "error codes")

    def test_names_every_status_with_its_type(self):
        kinds = re.findall(r'\{(\d{3}), "([^"]+)"', table("server/api/problem.cpp", "kProblemKinds ="))
        rows = re.findall(r"^\| (\d{3}) \| `/problems/([^`]+)` \|", self.page, flags=re.M)
        self.none_missing(kinds, rows, "HTTP statuses")

    def test_names_every_member_of_the_result(self):
        schemas = served("/openapi.json")["components"]["schemas"]
        parts = ("result", "provenance", "document_used", "infeasibility", "ledger_row", "month_result", "pool_result",
                 "inference_result", "training_result", "site_result", "tag_result", "total")
        members = {member for part in parts for member in schemas[part]["properties"]}
        self.none_missing(members, names(section(self.page, "The result")), "members of the result")

    def test_shows_what_explain_prints(self):
        shown = re.findall(r"^```\n\$ costcurve (explain [^\n]*)\n(.*?)^```", self.page, flags=re.S | re.M)
        self.assertTrue(shown, "docs/api.md shows no run of costcurve explain")
        for arguments, output in shown:
            run = subprocess.run([BINARY, *arguments.split()], cwd=ROOT, capture_output=True, text=True, check=True)
            self.assertEqual(run.stdout, output)

    def test_names_every_option_and_setting(self):
        code = "".join(code_of(path) for path in sorted((ROOT / "server/commands").rglob("*.[ch]pp")))
        options = re.findall(r'"(--[a-z-]+)"', code) + re.findall(r'"(COSTCURVE_[A-Z_]+)"', code)
        words = {word for tick in ticked(section(self.page, "Command line")) for word in tick.split()}
        self.none_missing(options, words, "options and environment variables")


class ImportsPage(unittest.TestCase):
    def test_names_every_format_and_option_with_its_help(self):
        page = text_of("docs/imports.md")
        parameters = {row["name"]: row for row in served("/openapi.json")["paths"]["/v1/imports"]["post"]["parameters"]}
        formats = parameters["format"]["schema"]["pattern"].strip("^()$").split("|")
        self.assertGreater(len(formats), 20)
        rows = first_cells(section(page, "Formats"))
        self.assertEqual([], sorted(set(formats) ^ set(rows) - {"format"}), "formats that docs/imports.md lacks or makes up")
        for name, row in parameters.items():
            if row["in"] == "query" and name not in ("format", "dry_run", "keep_stored", "force", "name", "changes"):
                self.assertIn(f"| `{name}` | {row['description']} |", page)


class ModelPage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.page = text_of("docs/model.md")

    def test_names_only_functions_that_stand_in_the_files_they_link_to(self):
        links = re.findall(r"\[`(\w+)\(\)`\]\(\.\./(model/[\w./]+)\)", self.page)
        self.assertGreater(len(links), 40)
        for function, path in sorted(set(links)):
            with self.subTest(function=function):
                self.assertTrue((ROOT / path).is_file(), f"{path} does not exist")
                # A definition: a type before the name, and no keyword that comes before a call.
                before = re.findall(rf"([\w>&*]+)\s+(?:\w+::)*{function}\(", code_of(path))
                self.assertTrue(set(before) - {"return", "else", "throw", "case"}, f"{path} does not define {function}")

    def test_links_every_function_it_names(self):
        loose = re.findall(r"(?<!\[)`(\w+)\(\)`", self.page)
        self.assertEqual([], loose, "functions without a link to their file")

    def test_names_only_files_that_exist(self):
        files = {word for word in ticked(self.page) if word.startswith(("model/", "tests/", "server/", "docs/"))}
        self.assertTrue(files)
        self.assertEqual([], sorted(name for name in files if not (ROOT / name).exists()))

    def test_names_every_category(self):
        words = set(strings(table("model/categories/category.hpp", "enum_names<Category>")))
        self.assertEqual([], sorted(words - first_cells(section(self.page, "Money"))), "not in the table of docs/model.md")


MAP = {"scenarios": ["serving-70b.cloud-on-demand", "serving-70b.owned"],
       "x": {"pointer": "/workloads/*/demand/mean_per_s", "low": 0.5, "high": 2, "steps": 3},
       "y": {"pointer": "/pools/*/offer/hourly_price", "low": 0.5, "high": 2, "steps": 3}}
SILICON = pathlib.Path(__file__).resolve().parents[2] / "shared/data/aiconfigurator-silicon/silicon_sample.csv"


def blocks_of(markdown):
    """Of each block of commands: (commands, what stands between it and the next block, that block's language, its text). Language
    and text are "" where the next block is of commands again, or a heading comes first."""
    blocks = list(re.finditer(r"^```(\w*)\n(.*?)^```$", markdown, flags=re.M | re.S))
    found = []
    for block, after in zip(blocks, [*blocks[1:], None]):
        if block[1] == "sh":
            says = markdown[block.end():after.start()] if after else ""
            is_shown = after and after[1] in ("text", "json") and "\n#" not in says
            found.append((block[2], says, after[1], after[2]) if is_shown else (block[2], says, "", ""))
    return found


def part_of(says, shown_text, printed):
    """The lines of what was printed that a page shows: all, or as many as it shows of its end or beginning where that is marked."""
    lines, count = printed.strip("\n").splitlines(), len(shown_text.strip("\n").splitlines())
    return lines[-count:] if "ends with" in says else lines[:count] if "begins with" in says else lines


def is_said(says, shown_text, printed):
    shown_lines, lines = ([line.rstrip() for line in text] for text in (shown_text.strip("\n").splitlines(),
                                                                        part_of(says, shown_text, printed)))
    return shown_lines == lines


class Examples(unittest.TestCase):
    """What pages say that commands print is what they print."""

    def agree(self, page, folder, only="", **settings):
        (folder / "costcurve").symlink_to(BINARY)
        for room in ("examples", "docs"):
            (folder / room).symlink_to(ROOT / room)
        settings |= {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}  # the order of *.json
        commands = [(command, output) for command, output in shown(text_of(page)) if command.startswith(only)]
        self.assertTrue(commands, f"{page} shows no command")
        for command, output in commands:
            with self.subTest(page=page, command=command):
                run = subprocess.run(["bash", "-c", command], cwd=folder, env=environment(**settings), text=True,
                                     stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60)
                was, now = ([line.rstrip() for line in text.rstrip().splitlines()] for text in (output, run.stdout))
                if RENEW and was != now:
                    asked, before, after = ("\n".join(f"    {line}".rstrip() for line in lines)
                                            for lines in (f"$ {command}".splitlines(), was, now))
                    head, answer = text_of(page).split(asked + "\n", 1)  # what it prints stands behind it
                    renewed = answer.replace(before, after, 1) if was else after + "\n" + answer
                    (ROOT / page).write_text(f"{head}{asked}\n{renewed}", encoding="utf-8")
                    continue
                self.assertEqual(was, now)

    def test_print_what_their_pages_show(self):
        pages = [page for page in sorted((ROOT / "examples").glob("*/README.md")) if "    $ costcurve" in text_of(page)]
        self.assertGreater(len(pages), 5)
        for page in pages:
            with tempfile.TemporaryDirectory() as folder:
                self.agree(page.relative_to(ROOT), pathlib.Path(folder))

    def test_the_readme_prints_what_it_shows(self):
        self.assertTrue(text_of("README.md").startswith("# costcurve\n"))
        with tempfile.TemporaryDirectory() as folder:
            self.agree("README.md", pathlib.Path(folder), "costcurve ", COSTCURVE_DATABASE=daemon()[1])

    def blocks_agree(self, path):
        address, database = daemon()
        page = text_of(path)
        settings = {"COSTCURVE_DATABASE": database, "LC_ALL": "C.UTF-8", "no_proxy": "127.0.0.1"}
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "costcurve").symlink_to(BINARY)
            for room in ("examples", "docs", "tests"):
                (folder / room).symlink_to(ROOT / room)
            (folder / "map.json").write_text(json.dumps(MAP))  # that the page's daemon is asked for
            settings["PATH"] = f"{folder}{os.pathsep}{os.environ['PATH']}"
            for command, says, kind, output in blocks_of(page):
                with self.subTest(command=command):
                    if "silicon_sample.csv" in command:
                        if not SILICON.exists():
                            continue  # the audits of tests/rates say that they are skipped
                        (folder / "silicon_sample.csv").symlink_to(SILICON)
                    run = subprocess.run(["bash", "-c", command.replace("http://127.0.0.1:8080", address)], cwd=folder, text=True,
                                         env=environment(**settings), stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
                    self.assertEqual((run.returncode, kind == ""), (0, output == ""), run.stderr)
                    if kind == "json":
                        numbers = re.findall(r"-?\d+\.\d{6,}", output)
                        self.assertEqual([], [number for number in numbers if number not in run.stdout], command)
                    elif kind == "text" and not is_said(says, output, run.stdout):
                        self.assertTrue(RENEW, f"{command} prints\n{run.stdout}")
                        now = "".join(f"{line.rstrip()}\n" for line in part_of(says, output, run.stdout))
                        (ROOT / path).write_text(text_of(path).replace(output, now, 1), encoding="utf-8")

    @unittest.skipUnless(shutil.which("jq") and shutil.which("curl"), "jq or curl is missing")
    def test_the_questions_print_what_they_show(self):
        self.blocks_agree("docs/questions.md")

    @unittest.skipUnless(shutil.which("jq") and shutil.which("curl"), "jq or curl is missing")
    def test_the_agents_are_answered_as_their_page_shows(self):
        self.blocks_agree("docs/agents.md")

    def test_imports_print_what_they_show(self):
        with tempfile.TemporaryDirectory() as folder:
            self.agree("docs/imports.md", pathlib.Path(folder), COSTCURVE_DATABASE=daemon()[1])

    @unittest.skipUnless(shutil.which("jq"), "jq is missing")
    def test_measuring_prints_what_it_shows(self):
        with tempfile.TemporaryDirectory() as folder:
            self.agree("docs/measure.md", pathlib.Path(folder), COSTCURVE_DATABASE=daemon()[1])

    def test_the_gate_prints_what_it_shows(self):
        with tempfile.TemporaryDirectory() as folder:
            self.agree("docs/gate.md", pathlib.Path(folder), COSTCURVE_DATABASE=daemon()[1])

    @unittest.skipUnless(shutil.which("jq") and shutil.which("curl"), "jq or curl is missing")
    def test_the_tour_prints_what_it_shows(self):
        address, database = daemon()
        with tempfile.TemporaryDirectory() as folder:
            self.agree("docs/tour.md", pathlib.Path(folder), COSTCURVE_DATABASE=database, U=address,
                       J="Content-Type: application/json", no_proxy="127.0.0.1")


class Repository(unittest.TestCase):
    def test_the_readme_is_short_and_names_the_two_commands(self):
        readme = text_of("README.md")
        self.assertLessEqual(len(readme.splitlines()), 150)
        for command in ("deploy/run", "deploy/test"):
            self.assertRegex(readme, rf"(?m)^    {command} ")
            self.assertTrue((ROOT / command).is_file())

    def test_the_readme_counts_the_catalogue(self):
        counts = re.findall(r"(\d+) (devices|offers|servers|sites|performances)\b", text_of("README.md"))
        self.assertEqual(5, len(counts))
        for count, kind in counts:
            self.assertEqual(int(count), len(json.loads(text_of(f"deploy/catalog/{kind}.json"))), kind)

    def test_the_contributors_page_is_a_screen_and_names_only_what_exists(self):
        page = text_of("CONTRIBUTING.md")
        self.assertLessEqual(len(page.splitlines()), 50)
        files = {word for word in re.findall(r"(?<!/)\b(?:model|server|tests|static|docs|migrations|deploy)/[\w./]*\w", page)}
        self.assertGreater(len(files), 10)
        self.assertEqual([], sorted(name for name in files if not (ROOT / name).exists()))
        presets = {preset["name"] for kind in ("configurePresets", "buildPresets", "testPresets")
                   for preset in json.loads(text_of("CMakePresets.json"))[kind]}
        named = set(re.findall(r"--preset (\w+)", page))
        self.assertTrue(named)
        self.assertEqual(set(), named - presets)

    def test_the_decision_on_dependencies_has_what_is_linked_and_included(self):
        page = text_of("docs/decisions/0049-what-older-decisions-no-longer-say.md")
        listed = {word for row in re.findall(r"^\|[^|]*\|([^|]*)\|", page, flags=re.M) for word in re.findall(r"`([^`]+)`", row)}
        self.assertGreater(len(listed), 15)
        needed = re.findall(r"NEEDED\s+(lib[\w+-]+)\.so", subprocess.run(["objdump", "-p", BINARY], capture_output=True, text=True,
                                                                            check=True).stdout)
        own = {"libc", "libm", "libgcc_s", "libstdc++", "libasan", "libubsan", "libtsan"}  # of the compiler
        included = "".join(text_of(path) for room in ("model", "server") for path in (ROOT / room).rglob("*.[ch]pp"))
        headers = {name for name in listed if not name.startswith("lib")}
        self.assertEqual(sorted(set(needed) - own), sorted(listed - headers))
        self.assertEqual([], sorted(name for name in headers if f"#include <{name}" not in included), "not included")

    def test_the_walk_names_only_files_that_exist(self):
        files = re.findall(r"`((?:model|server)/[\w./]+)`", text_of("docs/walk.md"))
        self.assertTrue(files)
        self.assertEqual([], sorted({name for name in files if not (ROOT / name).is_file()}))

    def test_the_developers_guide_names_only_what_exists(self):
        guide = text_of("docs/developing.md")
        files = {word for word in re.findall(r"`((?:model|server|tests|static|docs|migrations|deploy)/[\w./]*)`", guide)}
        self.assertTrue(files)
        self.assertEqual([], sorted(name for name in files if not (ROOT / name).exists()))
        presets = json.loads(text_of("CMakePresets.json"))["configurePresets"]
        named = first_cells(section(guide, "Build"))
        self.assertEqual(sorted(preset["name"] for preset in presets if not preset.get("hidden")), sorted(named))

    def test_every_relative_link_leads_somewhere(self):
        skipped = {"build", "node_modules", ".git", "third_party"}
        pages = []
        for folder, folders, files in os.walk(ROOT):
            folders[:] = [name for name in folders if name not in skipped and not name.startswith("build")]
            pages += [pathlib.Path(folder) / name for name in files if name.endswith(".md")]
        self.assertTrue(pages)
        broken = []
        for page in pages:
            markdown = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.S)
            for target in re.findall(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(<?([^)\s>]+)", markdown):
                if re.match(r"[a-z][a-z0-9+.-]*:|//", target):
                    continue
                path, _, anchor = target.partition("#")
                goal = (page.parent / path) if path else page
                if not goal.exists():
                    broken.append(f"{page.relative_to(ROOT)}: {target}")
                elif anchor and goal.suffix == ".md" and anchor not in anchors_of(goal):
                    broken.append(f"{page.relative_to(ROOT)}: {target} (no such heading)")
        self.assertEqual([], broken)


def anchors_of(page):
    """The anchors of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), flags=re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    ROOT = pathlib.Path(sys.argv[1]).resolve()
    BINARY = str(pathlib.Path(sys.argv[2]).resolve())
    RENEW = "--renew" in sys.argv
    unittest.main(argv=sys.argv[:1] + [argument for argument in sys.argv[3:] if argument != "--renew"])
