"""The house keeps its floors: who includes whom, the size of files, how they open, and no paths of one machine.

usage: python3 tests/floors_test.py REPOSITORY [unittest options]
"""

import collections
import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path()

# The rooms and, for each, the rooms it may include (design/house.md): its own, those on floors below, and the neighbours
# that the table names. The API's answers are http's plain structs, so api sees them, the budget of memory and
# addresses as text, and nothing else of http.
MODEL = {"model", "model/bills", "model/categories", "model/dispatch", "model/documents", "model/documents/sites",
         "model/documents/terms", "model/hosted", "model/hours", "model/pairs", "model/performance", "model/queueing"}
QUESTIONS = {"model/questions", "model/questions/optimize", "model/questions/chance", "model/questions/explain",
             "model/questions/mix", "model/questions/rank"} | MODEL
# What the rooms of formats share.
READING = {"server/import", "server/import/text", "server/import/identity", "server/bill"} | MODEL
DOCUMENTS = {"server/documents", "server/documents/json", "server/storage"} | MODEL
FORMATS = ("prices", "hardware", "benchmarks", "energy", "demand", "telemetry")
IMPORT = {"server/import/" + room for room in ("text", "identity", "columns", *FORMATS)} | {"server/import"}
JOBS = {"server/jobs", "server/failure"} | DOCUMENTS | QUESTIONS
ANSWERS = {"server/answers", "server/failure"} | IMPORT | DOCUMENTS | QUESTIONS  # what the rooms of questions share
QUESTION_ROOMS = {f"server/answers/{room}" for room in ("optimize", "tables", "rates", "rank", "workbook")}
GATE = {"server/gate", "server/gate/deployed"} | ANSWERS
OUTGOING = {"server/outgoing"} | ANSWERS
RECALCULATION = {"server/recalculation"} | ANSWERS | JOBS
ACTUALS = {"server/actuals"} | ANSWERS
RUNS = {"server/actuals/runs"} | ACTUALS
INGEST = {"server/ingest", "server/ingest/plausible", "server/ingest/prices"} | ACTUALS | JOBS | OUTGOING
API = {"server/api", "server/api/handlers", "server/api/mcp", "server/api/openapi"} | RUNS | QUESTION_ROOMS | RECALCULATION | INGEST
STORAGE = {"server/storage", "server/storage/writes", "server/storage/sql", "server/bill"}
SQLITE = {f"server/storage/sqlite{room}" for room in ("", "/engine", "/telemetry")}
POSTGRES = {f"server/storage/postgres{room}" for room in ("", "/engine", "/telemetry", "/daemons")}
ROOMS = {
    "model/bills": MODEL,
    "model/documents": {"model/documents", "model/documents/sites", "model/documents/terms"},
    "model/documents/sites": {"model/documents"},
    "model/documents/terms": {"model/documents", "model/documents/terms"},
    "model": MODEL,
    "model/categories": MODEL,
    "model/dispatch": MODEL,
    "model/hosted": MODEL,
    "model/hours": MODEL,
    "model/pairs": MODEL,
    "model/queueing": MODEL,
    "model/performance": MODEL,
    "model/questions": QUESTIONS,
    "model/questions/optimize": QUESTIONS,
    "model/questions/chance": QUESTIONS,
    "model/questions/explain": QUESTIONS,
    "model/questions/mix": QUESTIONS,
    "model/questions/rank": QUESTIONS,
    "server/bill": set(),
    "server/storage": STORAGE,
    "server/storage/writes": STORAGE,
    "server/storage/sql": STORAGE,
    "server/storage/sqlite": STORAGE | SQLITE,
    "server/storage/sqlite/telemetry": STORAGE | {"server/storage/sqlite/telemetry", "server/storage/sqlite/engine"},
    "server/storage/sqlite/engine": STORAGE | {"server/storage/sqlite/engine"},
    "server/storage/postgres": STORAGE | POSTGRES,
    "server/storage/postgres/telemetry": STORAGE | {"server/storage/postgres/telemetry", "server/storage/postgres/engine"},
    "server/storage/postgres/daemons": STORAGE | {"server/storage/postgres/daemons", "server/storage/postgres/engine"},
    "server/storage/postgres/engine": STORAGE | {"server/storage/postgres/engine"},
    "server/documents/json": {"server/documents/json"} | MODEL,
    "server/documents": DOCUMENTS,
    "server/import": READING,
    "server/import/text": {"server/import", "server/import/text"} | MODEL,
    "server/import/identity": READING,
    **{f"server/import/{room}": READING | {f"server/import/{room}"} for room in FORMATS},
    "server/import/columns": READING | {"server/import/columns", "server/import/prices"},
    "server/failure": {"server/failure", "server/storage"},
    "server/jobs": JOBS,
    "server/http": {"server/http"},
    "server/answers": ANSWERS,
    **{room: ANSWERS | {room} for room in QUESTION_ROOMS},
    "server/answers/rank": ANSWERS | {"server/answers/rank", "server/answers/rates"},  # models go by their names
    "server/gate": GATE,
    "server/gate/deployed": GATE,
    "server/outgoing": OUTGOING,
    "server/recalculation": RECALCULATION,
    "server/actuals": ACTUALS,
    "server/actuals/runs": RUNS,
    "server/ingest/plausible": ANSWERS | {"server/ingest/plausible", "server/ingest/prices"},
    "server/ingest/prices": ANSWERS | {"server/ingest/plausible", "server/ingest/prices"},
    "server/ingest": INGEST,
    "server/api": API,
    "server/api/handlers": API,
    "server/api/mcp": API,
    "server/api/openapi": API,
    "server/commands": {"server/commands", "server/http"} | API,
    "server/commands/runs": {"server/commands", "server/commands/runs"} | API,
    "server/commands/agents": {"server/commands"} | API,
    "server/commands/gate": {"server/commands", "server/commands/gate"} | GATE | API,
    "server": {"server/commands", "server/api", "server/http"} | MODEL,  # main.cpp
}
ALSO = {
    **{room: {"model/documents/kinds.hpp", "model/documents/text.hpp"}
       for room in ("server/http", "server/storage", "server/storage/sqlite", "server/storage/postgres")},
    "server/import/benchmarks": {"server/import/demand/week_hours.hpp"},
    "server/import/energy": {"server/import/demand/week_hours.hpp"},
    **{room: {"server/http/message.hpp", "server/http/budget.hpp", "server/http/address.hpp"}
       for room in ("server/api", "server/api/handlers", "server/api/openapi")}}
# One file of a room sees more than its room: the store's seam has one place that knows the engines behind it.
ONE_PLACE = {"server/storage/open_store.cpp": {"server/storage/sqlite", "server/storage/sqlite/engine", "server/storage/postgres",
                                               "server/storage/postgres/engine"}}

# Heavy or telling headers, and the one room (or the rooms) that may include them.
OUTSIDE = {
    r"httplib\.h": {"server/http"},
    r"nlohmann/": {"server/documents", "server/answers", "server/answers/rank", "server/actuals", "server/actuals/runs",
                   "server/ingest", "server/outgoing", "server/recalculation", "server/api"},
    r"sqlite3\.h": {"server/storage/sqlite/engine"},
    r"libpq-fe\.h": {"server/storage/postgres/engine"},
    r"spdlog/": {"server/commands", "server/http", "server/jobs", "server/outgoing", "server/storage", "server/import"},
    r"CLI/": {"server/commands"},
    r"csv\.h": {"server/import"},
    r"xlsxwriter\.h": {"server/answers/workbook"},
    r"simdjson\.h": {"server/import", "server/documents"},
    r"yaml-cpp/": {"server/import"},
    r"(coin/|Clp|Cbc|Coin)": {"model/questions"},
    r"zlib\.h": {"server/http", "server/import"},
    r"libdeflate\.h": {"server/storage"},
    r"openssl/": {"server/api", "server/storage", "server/outgoing", "server/http"},
    r"(netinet/in|arpa/inet)\.h": {"server/http", "server/jobs", "server/outgoing", "server/documents"},  # addresses as values
    r"(sys/(socket|epoll|eventfd|poll)|netinet/tcp|netdb)\.h": {"server/http"},
    # Of the log, which never waits for its reader without end, and of what waits for other daemons' notices.
    r"poll\.h": {"server/http", "server/commands", "server/storage/postgres/daemons"},
    r"curl/": {"server/outgoing", "server/documents"},
}
# What a public header may include of them.
FORWARD = {"curl/curl.h": {"server/outgoing"},
           "nlohmann/json_fwd.hpp": {"server/documents", "server/documents/json", "server/answers", "server/actuals",
                                     "server/answers/optimize", "server/api", "server/api/openapi", "server/ingest"}}

# The model knows no input or output, no clock, no threads, no logging, no randomness but a seed.
NEVER_IN_THE_MODEL = re.compile(
    r"^(iostream|fstream|istream|ostream|sstream|cstdio|stdio\.h|filesystem|thread|mutex|shared_mutex|atomic|future"
    r"|condition_variable|ctime|time\.h|unistd\.h|random|fcntl\.h|sys/.*|spdlog/.*|nlohmann/.*|sqlite3\.h|httplib\.h"
    r"|openssl/.*)$")
CLOCKS = re.compile(
    r"\b(system_clock|steady_clock|high_resolution_clock)::now|\btime\(nullptr\)|\bgetenv\(|\bprintf\(|\bfmt::print\(|\brand\(\)")

# Modules of static/: `import … from "./x.js"`, `export … from`, `import "./x.js"`, `import("./x.js")`.
MODULE = re.compile(r'(?:\bfrom|\bimport\(?)\s*"(\.{1,2}/[^"]+)"')
INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.MULTILINE)
MOST_LINES = 400
MOST_LINES_OF_MAIN = 60
WIDEST = 132
MOST_FILES_OF_A_ROOM = 40


def sources(*places, endings=(".cpp", ".hpp")):
    found = []
    for place in places:
        found += [path for path in sorted((ROOT / place).rglob("*")) if path.suffix in endings]
    return found


def room_of(path):
    """The room of a file, by its place; None where there is no such room."""
    place = str(pathlib.PurePath(path).parent)
    place = place.removeprefix(str(ROOT)).removeprefix("/")
    return place if place in ROOMS else None


def includes(path):
    return [(kind == '"', name) for kind, name in INCLUDE.findall(path.read_text(encoding="utf-8"))]


def imported_modules():
    """{module: the modules of static/ that it imports}."""
    return {path.resolve(): [(path.parent / name).resolve() for name in MODULE.findall(path.read_text(encoding="utf-8"))]
            for path in sources("static", endings=(".js",))}


def cycle_in(graph):
    """The nodes of one cycle, the first also at the end; empty where there is none."""
    finished = set()

    def visit(node, path):
        if node in path:
            return path[path.index(node):] + [node]
        if node in finished:
            return []
        for following in graph.get(node, []):
            found = visit(following, path + [node])
            if found:
                return found
        finished.add(node)
        return []

    for node in graph:
        found = visit(node, [])
        if found:
            return found
    return []


def tracked():
    """Files that git tracks or would: not those it ignores."""
    command = ["git", "-C", ROOT, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, capture_output=True, check=True)
    return [ROOT / name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()]


class FloorsTest(unittest.TestCase):
    def assert_none(self, wrong):
        self.assertEqual(wrong, [], "\n" + "\n".join(wrong))

    def test_there_are_sources(self):
        self.assertGreater(len(sources("model")), 10)
        self.assertGreater(len(sources("server")), 10)

    def test_every_source_stands_in_a_room(self):
        self.assert_none([f"{path}: no room of this name" for path in sources("model", "server") if room_of(path) is None])

    def test_no_room_includes_one_it_may_not_see(self):
        wrong = []
        for path in sources("model", "server"):
            room = room_of(path)
            seen = ROOMS.get(room, set()) | ONE_PLACE.get(str(path.relative_to(ROOT)), set())
            for quoted, name in includes(path):
                if quoted and room is not None and name not in ALSO.get(room, ()) and room_of(name) not in seen:
                    wrong.append(f"{path.relative_to(ROOT)} includes {name}")
        self.assert_none(wrong)

    def test_headers_include_one_another_one_way(self):
        above = {str(path.relative_to(ROOT)): {name for quoted, name in includes(path) if quoted}
                 for path in sources("model", "server", endings=(".hpp",))}
        while leaves := [name for name, names in above.items() if not names & above.keys()]:
            for name in leaves:
                del above[name]
        self.assert_none(sorted(above))  # each is part of a circle, or includes one

    def test_includes_in_quotes_are_paths_from_the_root(self):
        wrong = []
        for path in sources("model", "server", "tests"):
            for quoted, name in includes(path):
                if quoted and not (ROOT / name).is_file():
                    wrong.append(f"{path.relative_to(ROOT)} includes {name}")
        self.assert_none(wrong)

    def test_outside_libraries_stay_in_their_room(self):
        wrong = []
        for path in sources("model", "server"):
            for _, name in includes(path):
                for pattern, rooms in OUTSIDE.items():
                    if re.match(pattern, name) and not any(f"{room_of(path)}/".startswith(f"{room}/") for room in rooms):
                        wrong.append(f"{path.relative_to(ROOT)} includes {name}")
        self.assert_none(wrong)

    def test_heavy_headers_are_included_by_sources_only(self):
        heavy = re.compile(r"^(httplib\.h|nlohmann/.*|sqlite3\.h|spdlog/.*|curl/.*)$")
        wrong = []
        for path in sources("model", "server", endings=(".hpp",)):
            wrong += [f"{path.relative_to(ROOT)} includes {name}" for _, name in includes(path)
                      if heavy.match(name) and room_of(path) not in FORWARD.get(name, ())]
        self.assert_none(wrong)

    def test_the_model_knows_no_world(self):
        wrong = []
        for path in sources("model"):
            wrong += [f"{path.relative_to(ROOT)} includes {name}" for _, name in includes(path) if NEVER_IN_THE_MODEL.match(name)]
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if CLOCKS.search(line.split("//")[0]):
                    wrong.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()}")
        self.assert_none(wrong)

    def test_tests_of_the_model_include_nothing_of_the_server(self):
        wrong = []
        for path in sources("tests/model", "tests/support"):
            wrong += [f"{path.relative_to(ROOT)} includes {name}" for _, name in includes(path) if name.startswith("server/")]
        self.assert_none(wrong)

    def test_modules_of_the_dashboard_import_what_exists(self):
        graph = imported_modules()
        self.assertGreater(sum(len(names) for names in graph.values()), 100)
        self.assert_none([f"{path.relative_to(ROOT)} imports {name}" for path, names in graph.items()
                          for name in names if name not in graph])

    def test_modules_of_the_dashboard_import_each_other_in_no_circle(self):
        self.assertEqual(cycle_in({"a": ["b"], "b": ["c", "d"], "c": ["a"], "d": []}), ["a", "b", "c", "a"])
        self.assert_none([str(path.relative_to(ROOT)) for path in cycle_in(imported_modules())])


class HabitsTest(unittest.TestCase):
    def assert_none(self, wrong):
        self.assertEqual(wrong, [], "\n" + "\n".join(wrong))

    def test_files_open_with_a_sentence(self):
        """The first lines are a comment that begins with a capital and comes to a full stop."""
        wrong = []
        for path in sources("model", "server"):
            comment = []
            for line in path.read_text(encoding="utf-8").splitlines():
                if not line.startswith("//"):
                    break
                comment.append(line.removeprefix("//").strip())
            text = " ".join(comment)
            if not re.match(r"[A-Z`].*[a-z)`\d\]][.:]", text) or len(text) < 20:
                wrong.append(f"{path.relative_to(ROOT)} opens with {text!r}")
        self.assert_none(wrong)

    def test_headers_are_included_once(self):
        self.assert_none([str(path.relative_to(ROOT)) for path in sources("model", "server", "tests", endings=(".hpp",))
                          if "#pragma once" not in path.read_text(encoding="utf-8")])

    def test_files_can_be_read_in_one_sitting(self):
        wrong = []
        for path in sources("model", "server", "static", endings=(".cpp", ".hpp", ".js", ".css", ".html")):
            lines = path.read_text(encoding="utf-8").count("\n")
            if lines > MOST_LINES:
                wrong.append(f"{path.relative_to(ROOT)} has {lines} lines; allowed up to {MOST_LINES}")
        self.assert_none(wrong)

    def test_rooms_are_small(self):
        rooms = collections.Counter(room_of(path) for path in sources("model", "server"))
        self.assert_none([f"{room} has {files} files; allowed up to {MOST_FILES_OF_A_ROOM}"
                          for room, files in rooms.items() if files > MOST_FILES_OF_A_ROOM])

    def test_main_is_short(self):
        self.assertLess((ROOT / "server/main.cpp").read_text(encoding="utf-8").count("\n"), MOST_LINES_OF_MAIN)

    def test_lines_fit(self):
        wrong = []
        for path in sources("model", "server", "tests", endings=(".cpp", ".hpp", ".py")):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if len(line) > WIDEST:
                    wrong.append(f"{path.relative_to(ROOT)}:{number} has {len(line)} characters")
        self.assert_none(wrong)

    def test_no_file_names_a_place_on_one_machine(self):
        machine = re.compile(rb"(?<![\w.:/-])/(work|home|root|Users)/\w")
        wrong = []
        for path in tracked():
            for number, line in enumerate(path.read_bytes().splitlines(), 1):
                if machine.search(line) and path.resolve() != pathlib.Path(__file__).resolve():
                    wrong.append(f"{path.relative_to(ROOT)}:{number}: {line.strip()[:120].decode(errors='replace')}")
        self.assert_none(wrong)

    def test_there_is_one_notion_of_the_cheapest(self):
        """What is called the cheapest comes of cheapest_of(), or is handed on."""
        called = re.compile(r"\bcheapest\w*(?:\[[^\]]*\])*\s*=(?!=)\s*(.*)")
        handed_on = re.compile(r"cheapest_of\(|[.>]cheapest\b|ids\[\*cheapest\]|rows?\.text\(|Routing::cheapest|^(0|false);")
        wrong = []
        for path in tracked():
            name = str(path.relative_to(ROOT))
            if name.startswith(("model/", "server/", "static/")) and path.suffix in (".cpp", ".hpp", ".js"):
                for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                    found = called.search(line)
                    if found and not handed_on.search(found[1]):
                        wrong.append(f"{name}:{number}: {line.strip()}")
        self.assert_none(wrong)

    def test_no_room_is_called_util(self):
        names = re.compile(r"(^|_)(util|utils|common|helper|helpers|manager|misc)(_|\.|$)")
        self.assert_none([str(path.relative_to(ROOT)) for path in tracked()
                          if names.search(path.name) or names.search(path.parent.name)])


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
