"""The grammar of faults: each operator changes what it is for, nothing in a comment or a message, and draws are reproducible.

usage: python3 tests/mutation/faults_test.py REPOSITORY [unittest options]
"""
import collections
import pathlib
import re
import sys
import tempfile
import unittest

import checks
import faults
import mutate
import operators
import programs
import sources

ROOT = pathlib.Path()
ROOMS = {language: faults.Room(name, language, ())
         for name, language in (("model", "cpp"), ("fields", "fields"), ("migrations", "sql"), ("page", "js"))}

# language, operator, a line, the line with the fault; None: there is none of this operator.
LINES = [
    ("cpp", "flipped sign", "x = a + b;", "x = a - b;"),
    ("cpp", "flipped sign", "x = a - b;", "x = a + b;"),
    ("cpp", "flipped sign", "sum += cost;", "sum -= cost;"),
    ("cpp", "flipped sign", 'x = "a" + b;', None),
    ("cpp", "flipped sign", "x = list.begin() + b;", None),
    ("cpp", "flipped sign", "f(-1);", None),
    ("cpp", "times for divided by", "x = a * b;", "x = a / b;"),
    ("cpp", "times for divided by", "const double* const x = y;", None),
    ("cpp", "divided by for times", "x = a / b;", "x = a * b;"),
    ("cpp", "moved limit", "if (found.size() > kMaxItems) {", "if (found.size() >= kMaxItems) {"),
    ("cpp", "moved limit", "x = power > 0.0;", None),
    ("cpp", "moved limit", "x = power > kMax ? kMax : power;", None),
    ("cpp", "moved limit", "for (std::size_t i = 0; i < x.size(); ++i) {", None),
    ("cpp", "flipped comparison", "x = a < b;", "x = a > b;"),
    ("cpp", "flipped comparison", "x = a == b;", "x = a != b;"),
    ("cpp", "flipped comparison", "std::vector<int> x;", None),
    ("cpp", "flipped comparison", "sort(x, [](auto& a, auto& b) { return a.price < b.price; });", None),
    ("cpp", "negated condition", "if (a) {\n}", "if (!(a)) {\n}"),
    ("cpp", "negated condition", "if (!found) {\n}", "if (found) {\n}"),
    ("cpp", "negated condition", "if (const auto found = find(x)) {\n}", None),
    ("cpp", "skipped check", "if (x == 0.0 && f(x)) {\n}", "if ((x == 0.0 && f(x)) && false) {\n}"),
    ("cpp", "skipped check", "} else if (x) {\n}", "} else if ((x) && false) {\n}"),
    ("cpp", "and for or", "if (a && b) {\n}", "if (a || b) {\n}"),
    ("cpp", "and for or", "if (a && b && c) {\n}", None),  # the compiler warns
    ("cpp", "and for or", "auto&& x = y;", None),
    ("cpp", "off by one", "x = n + 1;", "x = n;"),
    ("cpp", "off by one", "x.reserve(n + 1);", None),
    ("cpp", "off by one", "for (int i = 0; i < n; ++i) {", "for (int i = 1; i < n; ++i) {"),
    ("cpp", "skipped statement", "{\n    issues.push_back(x);\n}", "{\n    ;\n}"),
    ("cpp", "skipped statement", "{\n    transaction.commit();\n}", "{\n    ;\n}"),
    ("cpp", "skipped statement", "{\n    ready_.notify_one();\n}", "{\n    ;\n}"),
    ("cpp", "skipped statement", "{\n    price += 1;\n}", "{\n    ;\n}"),
    ("cpp", "skipped statement", "{\n    int price = 1;\n}", None),
    ("cpp", "skipped statement", "{\n    list.reserve(3);\n}", None),
    ("cpp", "skipped statement", "{\n    log(x);\n}", None),
    ("cpp", "skipped statement", "{\n    // issues.push_back(x);\n}", None),
    ("cpp", "min for max", "x = std::min(a, b);", "x = std::max(a, b);"),
    ("cpp", "dropped bound", "x = std::min(a, f(b));", "x = (a);"),
    ("cpp", "dropped bound", "x = std::max(0.0, b - a);", "x = (b - a);"),
    ("cpp", "dropped bound", "x = std::clamp(f(a), 0, 1);", "x = (f(a));"),
    ("cpp", "other answer", "return true;", "return false;"),
    ("cpp", "other flag", "{Category::staff, true},", "{Category::staff, false},"),
    ("cpp", "other end", "x = list.front();", "x = list.back();"),
    ("cpp", "other default", "x = rate.value_or(0.0);", "x = rate.value_or(1.0);"),
    ("cpp", "other start", "double sum = 0.0;", "double sum = 1.0;"),
    ("cpp", "other factor", "x = kwh / 1000;", "x = kwh / 1024;"),
    ("cpp", "other factor", "x = rate * 8760;", "x = rate * 8784;"),
    ("cpp", "other factor", "x = fmt::format(m, kwh / 1000);", None),
    ("cpp", "other factor", "static_assert(kHours == x * 24);", None),
    ("cpp", "dropped condition", 'f("SELECT a FROM b WHERE c = 1 AND deleted = 0");', 'f("SELECT a FROM b WHERE c = 1");'),
    ("cpp", "dropped condition", 'f("this AND deleted = 0 is a message");', None),
    ("cpp", "other order", 'f("SELECT a FROM b ORDER BY c DESC LIMIT 1");', 'f("SELECT a FROM b ORDER BY c LIMIT 1");'),
    ("cpp", "other state", 'f("UPDATE run_item SET state = 2");', 'f("UPDATE run_item SET state = 3");'),
    ("cpp", "other aggregate", 'f("SELECT max(number) FROM result");', 'f("SELECT min(number) FROM result");'),
    ("cpp", "moved limit of SQL", 'f("SELECT a FROM b WHERE c < $1");', 'f("SELECT a FROM b WHERE c <= $1");'),
    ("cpp", "off by one in SQL", 'f("UPDATE a SET b = b + 1");', 'f("UPDATE a SET b = b");'),
    ("cpp", "equal for unequal", 'f("SELECT a FROM b WHERE c <> $1");', 'f("SELECT a FROM b WHERE c = $1");'),
    ("fields", "dropped bound of a field", '{.min = 1, .max = kLargest}', '{.max = kLargest}'),
    ("fields", "dropped bound of a field", '{.unit = "W", .max = 20000}', '{.unit = "W", .max = kLargest}'),
    ("fields", "dropped bound of a field", "{.max = kLargest}", None),
    ("fields", "field not required", "{.max = kLargest, .required = true, .help = x}", "{.max = kLargest, .help = x}"),
    ("sql", "dropped trigger", "CREATE TRIGGER a BEFORE DELETE ON b BEGIN SELECT RAISE(ABORT, 'c'); END;\n", "\n"),
    ("sql", "other default of a column", "    a INTEGER NOT NULL DEFAULT 0,", "    a INTEGER NOT NULL DEFAULT 1,"),
    ("sql", "dropped key", "    id TEXT NOT NULL UNIQUE,", "    id TEXT NOT NULL,"),
    ("sql", "dropped key", "    id TEXT NOT NULL, -- UNIQUE, some day", None),
    ("sql", "equal for unequal", "WHEN OLD.until <> 9 BEGIN", "WHEN OLD.until = 9 BEGIN"),
    ("sql", "dropped condition", "    WHERE a = 1 AND b = 2", "    WHERE a = 1"),
    ("sql", "other order", "SELECT a FROM b ORDER BY c;", "SELECT a FROM b ORDER BY c DESC;"),
    ("js", "dropped await", "const x = await post(y);", "const x = post(y);"),
    ("js", "negated condition", "if (!list.length) return;", "if (list.length) return;"),
    ("js", "skipped check", "if (a === b) return;", "if ((a === b) && false) return;"),
    ("js", "flipped comparison", "x = a === b;", "x = a !== b;"),
    ("js", "flipped comparison", "x = `${a === b}, not a === b`;", "x = `${a !== b}, not a === b`;"),
    ("js", "flipped comparison", 'x = "a === b"; // a === b', None),
    ("js", "and for or", "x = a && b;", "x = a || b;"),
    ("js", "other branch", "x = a ? b : c;", "x = a ? c : b;"),
    ("js", "number without its currency", "x = money(a.cost, currency);", "x = String(a.cost);"),
    ("js", "number without its unit", "x = percent(share);", "x = String(share);"),
    ("js", "flipped sign", "x = a - b;", "x = a + b;"),
    ("js", "times for divided by", "x = a * b;", "x = a / b;"),
    ("js", "divided by for times", "x = a / b;", "x = a * b;"),
    ("js", "divided by for times", "x = a.replace(/ b / c/, d);", None),
    ("js", "off by one", "x = f(a + 1);", "x = f(a);"),
    ("js", "skipped statement", "{\n  list.push(a);\n}", "{\n  ;\n}"),
    ("js", "other member", "x = total.cost;", "x = total.cash;"),
]
# Those that only some files have: the file, and a line.
FILES = [
    ("server/api/routes.cpp", "role too low", "f, Role::editor, x", "f, Role::viewer, x"),
    ("server/jobs/scheduler.cpp", "role too low", "f, Role::editor, x", None),
    ("server/api/problem.cpp", "other status", "return {404, x};", "return {410, x};"),
    ("model/curve.cpp", "other status", "return {404, x};", None),
]


def changed_lines(language, file, line):
    """{operator: [the line with a fault of it]}."""
    found = collections.defaultdict(list)
    for operator, fault in faults.faults_in(ROOMS[language], file, line):
        found[operator.name].append(fault.apply(line))
    return found


class Grammar(unittest.TestCase):
    def test_an_operator_changes_its_line_and_no_other(self):
        for language, name, line, wanted in LINES:
            with self.subTest(operator=name, line=line):
                self.assertEqual(changed_lines(language, "x", line)[name], [] if wanted is None else [wanted])

    def test_an_operator_of_some_files_leaves_the_others(self):
        for file, name, line, wanted in FILES:
            with self.subTest(operator=name, file=file):
                self.assertEqual(changed_lines("cpp", file, line)[name], [] if wanted is None else [wanted])

    def test_every_operator_has_a_line(self):
        names = {(language, operator.name) for language, rows in operators.OPERATORS.items() for operator in rows}
        here = {(language, name) for language, name, _, wanted in LINES if wanted}
        here |= {("cpp", name) for _, name, _, wanted in FILES if wanted}
        self.assertEqual(names, here)

    def test_a_mask_has_the_lines_of_its_source(self):
        for pattern, name in (("model/**/*.cpp", "cpp"), ("server/**/*.[ch]pp", "cpp"), ("server/**/*.[ch]pp", "sql_in_cpp"),
                              ("migrations/*.sql", "sql"), ("static/**/*.js", "js")):
            for path in ROOT.glob(pattern):
                source = path.read_text(encoding="utf-8")
                mask = sources.MASKS[name](source)
                self.assertEqual([len(line) for line in mask.split("\n")], [len(line) for line in source.split("\n")], path)


class Draws(unittest.TestCase):
    def test_the_same_seed_draws_the_same(self):
        def drawn(seed):
            return [next(slot) for slot in faults.draw(ROOT, 50, seed)]

        first = drawn(7)
        self.assertEqual(first, drawn(7))
        self.assertNotEqual(first, drawn(8))
        self.assertEqual(50, len(first))
        self.assertEqual({room.name for room in faults.ROOMS}, {fault.room for fault in first})
        self.assertEqual(50, len({(fault.file, fault.line) for fault in first}))

    def test_a_fault_changes_one_place_of_its_line(self):
        for slot in faults.draw(ROOT, 50, 9):
            fault = next(slot)
            source = (ROOT / fault.file).read_text(encoding="utf-8")
            before, after = fault.lines(source)
            self.assertNotEqual(before, after, fault)
            self.assertIn(re.sub(r"\s+", " ", source.split("\n")[fault.line - 1]).strip(), before, fault)

    def test_shares_are_in_proportion_and_at_least_one(self):
        self.assertEqual({"a": 7, "b": 2, "c": 1}, faults.shares({"a": 70, "b": 20, "c": 1, "d": 0}, 10))
        self.assertEqual(50, sum(faults.shares({str(i): i + 1 for i in range(20)}, 50).values()))
        with self.assertRaises(ValueError):
            faults.shares({"a": 1, "b": 1}, 1)

    def test_what_a_later_migration_takes_back_is_not_drawn(self):
        with tempfile.TemporaryDirectory() as place:
            folder = pathlib.Path(place) / "migrations"
            folder.mkdir()
            (folder / "0001_a.sql").write_text("CREATE TABLE a (\n    x INTEGER UNIQUE,\n);\n"
                                               "CREATE TABLE b (\n    y INTEGER UNIQUE,\n);\n")
            (folder / "0002_b.sql").write_text("DROP TABLE a;\n")
            room = faults.Room("migrations", "sql", ("migrations/*.sql",))
            self.assertEqual([("migrations/0001_a.sql", 5)], [row[:2] for row in faults.lines_of_room(room, pathlib.Path(place))])


class Accepted(unittest.TestCase):
    def test_an_accepted_survivor_is_a_fault_of_the_grammar(self):
        rooms = {room.name: room for room in faults.ROOMS}
        known = set()
        accepted = mutate.read_accepted()
        for room in rooms.values():
            files = {str(path.relative_to(ROOT)) for pattern in room.patterns for path in ROOT.glob(pattern)}
            for file in files & {file for file, _, _ in accepted}:
                source = (ROOT / file).read_text(encoding="utf-8")
                known |= {(file, fault.operator, fault.lines(source)[0]) for _, fault in faults.faults_in(room, file, source)}
        self.assertEqual(set(), set(accepted) - known)
        self.assertTrue(all(reason.strip() for reason in accepted.values()))


class Rooms(unittest.TestCase):
    def test_each_has_tests_that_are_likeliest(self):
        self.assertEqual({room.name for room in faults.ROOMS}, set(checks.ROOM_TESTS))

    def test_every_source_is_of_one(self):
        of_rooms = {path for room in faults.ROOMS for pattern in room.patterns for path in ROOT.glob(pattern)}
        sources_of_cpp = {path for top in ("model", "server") for path in (ROOT / top).rglob("*.cpp")}
        self.assertEqual(set(), {str(path.relative_to(ROOT)) for path in sources_of_cpp - of_rooms})


class Embedded(unittest.TestCase):
    def test_a_page_stands_in_for_the_one_that_is_compiled_in(self):
        with tempfile.TemporaryDirectory() as place:
            root = pathlib.Path(place)
            (root / "static").mkdir()
            (root / "static/a.js").write_text("old")
            (root / "new.js").write_text("newer")
            (root / "assets.cpp").write_text(f'asm(R"(\ncostcurve_file1: .incbin "{root}/static/a.js" # 1\n)");\n{{"/static/a.js", '
                                             '{costcurve_file1, 3}, {}},\n')
            build = type("Build", (), {"folder": root, "root": root})
            fault = faults.Fault("page", "static/a.js", "x", 0, 1, "old", "newer")
            _, changed = programs.embedded_page(build, fault, root / "new.js")
            self.assertIn(f'.incbin "{root}/new.js"', changed)
            self.assertIn("{costcurve_file1, 5}", changed)


if __name__ == "__main__":
    ROOT = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
