"""Tests that need what is not installed: a sentence for each, and status 77, which ctest counts as skipped. No tests here."""

import os
import shutil
import sys
import unittest

SKIPPED = 77
# Where Debian has servers, which is in root's PATH alone.
os.environ["PATH"] = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"])


def why(name):
    return f"{name} is not installed (deploy/setup test)"


def end(reason):
    """Of a program that can do nothing."""
    print(f"skipped: {reason}")
    sys.exit(SKIPPED)


def without(*programs):
    """Decorates a class or a test: skipped where one of these is missing, which is named."""
    missing = [name for name in programs if shutil.which(name) is None]
    return unittest.skipIf(missing, why(", ".join(missing)))


class Result(unittest.TextTestResult):
    passed = 0

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed += 1


class Runner(unittest.TextTestRunner):
    resultclass = Result


def main(**options):
    """unittest.main, which says what it skipped, and ends with 77 where that was everything."""
    result = unittest.main(module="__main__", testRunner=Runner, exit=False, **options).result
    for reason in sorted({reason for _, reason in result.skipped}):
        print(f"skipped: {reason}", flush=True)
    if not result.wasSuccessful():
        sys.exit(1)
    sys.exit(SKIPPED if result.skipped and result.passed == 0 else 0)
