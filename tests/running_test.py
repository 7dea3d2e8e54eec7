"""What deploy/test is made of: what a change touches, lanes that end in time, and the report behind ctest.

usage: running_test.py BUILD [unittest options]      BUILD is configured, with tests
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

import lanes
import report
import selection

BUILD = pathlib.Path()
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(sample NONE)
enable_testing()
function(row name labels)
  add_test(NAME ${name} COMMAND ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS "${labels}" TIMEOUT 60 SKIP_RETURN_CODE 77)
endfunction()
row(passes "unit" sh -c "echo '[       OK ] Room.IsLight (2500 ms)'")
row(lacks "unit" sh -c "echo 'skipped: a thing is not installed (deploy/setup test)' && exit 77")
row(partly "unit" sh -c "echo 'skipped: another thing is not there'")
row(fuzz.quick "full.fuzz" true)
row(fuzz.broken "full.fuzz" sh -c "echo what is wrong && exit 3")
row(postgres.lacks "full.postgres" sh -c "echo 'skipped: PostgreSQL is not installed' && exit 77")
row(soak.endless "full.soak" sleep 600)
"""


def sample(folder):
    pathlib.Path(folder, "CMakeLists.txt").write_text(PROJECT, encoding="utf-8")
    build = pathlib.Path(folder, "build")
    subprocess.run(["cmake", "-G", "Ninja", "-S", folder, "-B", str(build)], stdout=subprocess.DEVNULL, check=True)
    return build


def printed_by(main, *arguments):
    """(status, text) of a program's main()."""
    run = subprocess.run([sys.executable, main.__globals__["__file__"], *map(str, arguments)], capture_output=True, text=True)
    return run.returncode, run.stdout


class Selection(unittest.TestCase):
    def touched(self, *files):
        programs, patterns = selection.touched(BUILD, list(files))
        return {program.removeprefix("tests/") for program in programs}, patterns

    def test_a_room_touches_the_programs_that_link_it(self):
        programs, _ = self.touched("server/http/head.cpp")
        self.assertLessEqual({"costcurve", "http_tests", "api_tests"}, programs)
        self.assertFalse({"model_tests", "questions_tests", "storage_tests"} & programs)

    def test_a_header_touches_all_that_include_it(self):
        programs, _ = self.touched("model/documents/field.hpp")
        self.assertLessEqual({"costcurve", "model_tests", "questions_tests", "documents_tests"}, programs)

    def test_a_test_touches_its_own_program_alone(self):
        self.assertEqual(self.touched("tests/storage/clock_test.cpp")[0], {"storage_tests", "storage_postgres_tests"})

    def test_a_page_of_the_docs_touches_no_program(self):
        programs, patterns = self.touched("docs/model.md")
        self.assertEqual(programs, set())
        self.assertTrue(any(re.search(pattern, "docs") for pattern in patterns))
        self.assertFalse(any(re.search(pattern, "storage_tests") for pattern in patterns))

    def test_a_file_that_nothing_is_said_of_touches_everything(self):
        self.assertEqual(self.touched("CMakeLists.txt")[1], {selection.EVERYTHING})


class Running(unittest.TestCase):
    def test_lanes_name_what_they_could_not_do_in_time_and_fail_for_what_is_wrong_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            build = sample(folder)
            status, text = printed_by(lanes.main, build, "--within", 15)
            self.assertEqual(status, 1)
            self.assertIn("what is wrong", text)
            self.assertIn("not run for lack of time: 1: soak.endless", text)
            self.assertTrue(text.endswith("1 passed, 1 failed, 1 skipped\n"), text)
            status, text = printed_by(lanes.main, build, "--within", 1, "--lane", "soak")
            self.assertEqual(status, 0)
            self.assertTrue(text.endswith("0 passed, 0 failed, 0 skipped\n"), text)

    def test_the_report_has_the_slowest_parts_and_reasons_and_closes_with_ctests_lines(self):
        with tempfile.TemporaryDirectory() as folder:
            status, text = printed_by(report.main, sample(folder), "--label-exclude", "full")
            self.assertEqual(status, 0)
            self.assertRegex(text, r"the slowest:\n +2\.5 s  passes Room\.IsLight\n")
            self.assertIn("skipped: 2\n  a thing is not installed (deploy/setup test): lacks\n"
                          "  another thing is not there: a part of partly\n", text)
            self.assertGreater(text.index("100% tests passed, 0 tests failed out of 3"), text.index("the slowest"))


if __name__ == "__main__":
    BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
