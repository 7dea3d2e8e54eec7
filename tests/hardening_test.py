"""Holds a release binary to its hardening. usage: hardening_test.py COSTCURVE BUILD

BUILD is the build folder: what `cmake --install --strip` takes from it is looked at, too. Debian's crt1.o carries no note of CET,
without which the linker writes none into a program and the loader would not use one; the instructions are there, and are what is
looked for. The day the note comes, nothing here has to change.
"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "support"))

import skips  # noqa: E402 pylint: disable=wrong-import-position

BUILD = pathlib.Path(sys.argv.pop() if len(sys.argv) > 2 else "build/release")
BINARY = pathlib.Path(sys.argv.pop() if len(sys.argv) > 1 else BUILD / "costcurve")


def output_of(*command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True).stdout


@skips.without("readelf", "objdump", "cmake")
class Hardening(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.segments = output_of("readelf", "--program-headers", "--wide", BINARY)
        cls.dynamic = output_of("readelf", "--dynamic", "--wide", BINARY)
        cls.symbols = output_of("readelf", "--dyn-syms", "--wide", BINARY)

    def test_its_place_in_memory_is_random(self):
        self.assertIn("(Position-Independent Executable file)", output_of("readelf", "--file-header", BINARY))
        self.assertRegex(self.dynamic, r"\(FLAGS_1\).*\bPIE\b")

    def test_the_stack_is_not_executable_and_nothing_is_writable_and_executable(self):
        self.assertRegex(self.segments, r"GNU_STACK\s.*\sRW\s")
        self.assertNotRegex(self.segments, r"(?m)^\s+\w+\s+0x.*\sRWE\s")

    def test_all_relocations_are_done_at_start_and_read_only_afterwards(self):
        self.assertIn("GNU_RELRO", self.segments)
        self.assertRegex(self.dynamic, r"\(FLAGS(_1)?\).*\b(BIND_NOW|NOW)\b")

    def test_stacks_are_guarded(self):
        self.assertIn("__stack_chk_fail", self.symbols)

    def test_copies_of_known_size_are_checked(self):
        self.assertRegex(self.symbols, r"\b__(memcpy|memmove|memset)_chk\b")

    def test_the_standard_library_asserts_its_bounds(self):
        self.assertIn("__glibcxx_assert_fail", self.symbols)

    def test_indirect_calls_find_their_landing(self):
        code = output_of("objdump", "--disassemble=main", "--no-show-raw-insn", BINARY)
        first = re.search(r"<main>:\n\s+[0-9a-f]+:\s+(\S+)", code)
        self.assertIsNotNone(first, "there is no main to look at: is the binary stripped?")
        self.assertEqual(first.group(1), "endbr64")

    def test_what_is_installed_is_stripped_and_as_hard(self):
        if "costcurve" not in (BUILD / "cmake_install.cmake").read_text(encoding="utf-8").replace(str(BUILD.resolve()), ""):
            self.skipTest("there are no rules of installation")
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["cmake", "--install", BUILD, "--strip", "--prefix", folder], capture_output=True, check=True)
            installed = [path for path in pathlib.Path(folder).rglob("costcurve")
                         if path.is_file() and path.parent.name in ("bin", "sbin")]
            self.assertEqual(len(installed), 1, installed)
            self.assertNotRegex(output_of("readelf", "--sections", "--wide", installed[0]), r"\.symtab|\.debug_info")
            self.assertRegex(output_of("readelf", "--dynamic", "--wide", installed[0]), r"\(FLAGS_1\).*\bNOW\b.*\bPIE\b")


if __name__ == "__main__":
    skips.main()
