"""The house keeps its floors: who includes whom, the size of files, how they open, and no paths of one machine.

usage: python3 tests/floors_test.py REPOSITORY [unittest options]
"""

import pathlib
import re
import subprocess
import sys
import unittest

ROOT = pathlib.Path()

# The rooms and, for each, the rooms it may include (design/house.md): its own, those on floors below, and the neighbours
# that the table names. The API's answers are http's plain structs, so api sees message.hpp and nothing else of http.
ROOMS = {
    "model": {"model"},
    "model/questions": {"model/questions", "model"},
    "server/storage": {"server/storage", "model/questions", "model"},
    "server/import": {"server/import", "model/questions", "model"},
    "server/work": {"server/work", "server/storage", "server/import", "model/questions", "model"},
    "server/http": {"server/http"},
    "server/api": {"server/api", "server/work", "server/import", "server/storage", "model/questions", "model"},
    "server/commands": {"server/commands", "server/http", "server/api", "server/work", "server/import", "server/storage",
                        "model/questions", "model"},
    "server": {"server/commands", "server/api", "server/http", "model"},  # main.cpp
}
ALSO = {"server/api": {"server/http/message.hpp"}}

# Heavy or telling headers, and the one room (or the rooms) that may include them.
OUTSIDE = {
    r"httplib\.h": {"server/http"},
    r"nlohmann/": {"server/api"},
    r"sqlite3\.h": {"server/storage"},
    r"spdlog/": {"server/commands", "server/http", "server/work", "server/storage", "server/import"},
    r"CLI/": {"server/commands"},
    r"csv\.h": {"server/import"},
    r"simdjson\.h": {"server/import", "server/api"},
    r"yaml-cpp/": {"server/import"},
    r"(coin/|Clp|Coin)": {"model/questions"},
    r"zlib\.h": {"server/http", "server/import", "server/storage"},
    r"openssl/": {"server/api", "server/storage", "server/work", "server/http"},
    r"(netinet/in|arpa/inet)\.h": {"server/http", "server/work"},  # addresses as values
    r"(sys/(socket|epoll|eventfd|poll)|netinet/tcp|netdb|poll)\.h": {"server/http"},
    r"curl/": {"server/work"},
}
FORWARD = {"nlohmann/json_fwd.hpp": "server/api"}  # what a public header may include of them

# The model knows no input or output, no clock, no threads, no logging, no randomness but a seed.
NEVER_IN_THE_MODEL = re.compile(
    r"^(iostream|fstream|istream|ostream|sstream|cstdio|stdio\.h|filesystem|thread|mutex|shared_mutex|atomic|future"
    r"|condition_variable|ctime|time\.h|unistd\.h|random|fcntl\.h|sys/.*|spdlog/.*|nlohmann/.*|sqlite3\.h|httplib\.h"
    r"|openssl/.*)$")
CLOCKS = re.compile(
    r"\b(system_clock|steady_clock|high_resolution_clock)::now|\btime\(nullptr\)|\bgetenv\(|\bprintf\(|\bfmt::print\(|\brand\(\)")

INCLUDE = re.compile(r'^\s*#\s*include\s*(["<])([^">]+)[">]', re.MULTILINE)
MOST_LINES = 400
MOST_LINES_OF_MAIN = 60
WIDEST = 132


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
            for quoted, name in includes(path):
                if quoted and room is not None and name not in ALSO.get(room, ()) and room_of(name) not in ROOMS[room]:
                    wrong.append(f"{path.relative_to(ROOT)} includes {name}")
        self.assert_none(wrong)

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
                    if re.match(pattern, name) and room_of(path) not in rooms:
                        wrong.append(f"{path.relative_to(ROOT)} includes {name}")
        self.assert_none(wrong)

    def test_heavy_headers_are_included_by_sources_only(self):
        heavy = re.compile(r"^(httplib\.h|nlohmann/.*|sqlite3\.h|spdlog/.*|curl/.*)$")
        wrong = []
        for path in sources("model", "server", endings=(".hpp",)):
            wrong += [f"{path.relative_to(ROOT)} includes {name}" for _, name in includes(path)
                      if heavy.match(name) and FORWARD.get(name) != room_of(path)]
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

    def test_no_room_is_called_util(self):
        names = re.compile(r"(^|_)(util|utils|common|helper|helpers|manager|misc)(_|\.|$)")
        self.assert_none([str(path.relative_to(ROOT)) for path in tracked()
                          if names.search(path.name) or names.search(path.parent.name)])


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
