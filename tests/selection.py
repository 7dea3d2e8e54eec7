"""What a change can touch: the targets to build and the tests to run, by target and room.

usage: selection.py BUILD REVISION      BUILD is configured, with tests
Prints a line of programs to build, and one of the tests' names as a regular expression; an empty one where there are none.

A file of C++ touches the objects that include it, and the programs that link those; a test runs where a program of its command is
touched, or a file of it. Other files touch what the table FILES says; a file that nothing is said of touches everything.
"""
import collections
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
INCLUDE = re.compile(r'^\s*#include "([^"]+)"', re.M)
EVERYTHING = "."
NOTHING = "(?!)"
# What tests a file touches that is not compiled, by its path: the first row that fits. The names of tests as a regular expression.
FILES = [
    (r"docs/openapi\.json", r"openapi|contract|python_|docs|floors"),
    (r"docs/|[^/]*\.md$|.*/README\.md$", r"docs|floors|published_files|rank_line|questions_line|catalog|deploy\."),
    (r"static/", r"ui|docs|floors|openapi|api_tests"),
    (r"clients/", r"python_|docs|floors"),
    (r"examples/", r"docs|documents|catalog|reference|golden|api_tests|ui|contract|published|_line"),
    (r"deploy/catalog/", r"catalog|docs|documents|ui|_line|published|golden|_tests|feed|nightly|mcp|contract"),
    (r"deploy/(systemd|debian|kubernetes)/|deploy/[^/]*\.(yaml|json|conf|in|example)$", r"deploy\.|docs"),
    (r"deploy/(health|costcurve-backup|Containerfile|sbom(\.jq)?|licences\.json)$|\.dockerignore$", r"deploy\.|docs"),
    (r"migrations/", r"storage_tests|api_tests|stores|postgres|daemon|contract"),
    (r"deploy/(setup|packages|run|test)$", r"packages|docs"),
    (r"tests/(reference|property)/", r"reference|property|documents"),
    (r"tests/ui/", r"ui"),
    (r"tests/contract/", r"contract|ui|mcp"),
    (r"tests/(mcp|catalog|deploy|soak|fuzz|fresh_machine|mutation|bench|stores)/", r"mcp|catalog|deploy\.|stores"),
    (r"tests/import/", r"import_tests|published_files|public_cases"),
    (r"tests/golden/", r"golden_tests|reference"),
    (r"tests/style/", r"format|tidy"),
    (r"\.clang-format$", r"format"),
    (r"\.clang-tidy$", r"tidy"),
    (r"LICENSE|\.gitignore$|\.ci/", NOTHING),
    (r"tests/(lanes|report|selection|running_test)\.py$", r"running"),
]
CPP = (".cpp", ".hpp")
LOOKS_AT_SOURCES = r"floors|format|tidy|docs"  # what is run for each file of C++


def output_of(*command):
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


def changed_files(revision):
    """Since their common ancestor: committed, not committed, and not in git yet."""
    base = output_of("git", "merge-base", revision, "HEAD").strip()
    return sorted(set(output_of("git", "diff", "--name-only", base).split("\n") +
                      output_of("git", "ls-files", "--others", "--exclude-standard").split("\n")) - {""})


def includers():
    """{file of C++: the .cpp files that include it, directly or not, and itself}."""
    direct = collections.defaultdict(set)
    for name in output_of("git", "ls-files", "--cached", "--others", "--exclude-standard").split("\n"):
        path = ROOT / name
        if not name.endswith(CPP):
            continue
        for included in INCLUDE.findall(path.read_text(encoding="utf-8")) if path.exists() else ():
            direct[included].add(name)

    def reached(name):
        found, waiting = {name}, [name]
        while waiting:
            for other in direct[waiting.pop()] - found:
                found.add(other)
                waiting.append(other)
        return {file for file in found if file.endswith(".cpp")}

    return reached


def linked(build):
    """{program: the .cpp files that are linked into it}, by what ninja builds it from."""
    inputs = {}
    for line in re.sub(r"\$\n\s*", "", (build / "build.ninja").read_text(encoding="utf-8")).split("\n"):
        if found := re.match(r"build ([^:|]+?)(?: \|[^:]*)?: (CXX_\w+) (.*)", line):
            output, rule, sources = found.groups()
            inputs[output] = (rule, re.sub(r" ?\|\|? ?", " ", sources.split("||")[0]).split())

    def sources_of(output, seen):
        if output in seen or output not in inputs:
            return set()
        seen.add(output)
        rule, parts = inputs[output]
        if rule.startswith("CXX_COMPILER"):
            together = parts[:1]
            if "/Unity/" in parts[0]:
                together = re.findall(r'#include "([^"]+)"', pathlib.Path(parts[0]).read_text(encoding="utf-8"))
            return {str(pathlib.Path(name).relative_to(ROOT)) for name in together if name.startswith(str(ROOT))}
        return set().union(*(sources_of(part, seen) for part in parts))

    return {output: sources_of(output, set()) for output, (rule, _) in inputs.items() if rule.startswith("CXX_EXECUTABLE")}


def touched(build, files):
    """(programs, names of tests as regular expressions) that the files touch."""
    reached, programs = includers(), linked(build)
    objects = set().union(*(reached(name) for name in files if name.endswith(CPP)))
    # Migrations and pages are compiled in; none of the project's .cpp files has them.
    embedded = {"migrations/": "server/storage/", "static/": "server/api/"}
    rooms = tuple(room for place, room in embedded.items() if any(name.startswith(place) for name in files))
    found = {program for program, sources in programs.items()
             if sources & objects or (rooms and any(source.startswith(rooms) for source in sources))}
    patterns = {LOOKS_AT_SOURCES} if objects else set()
    for name in files:
        if not name.endswith(CPP):
            patterns.add(next((tests for place, tests in FILES if re.match(place, name)), EVERYTHING))
    return found, patterns


def main():
    build, files = pathlib.Path(sys.argv[1]).resolve(), changed_files(sys.argv[2])
    programs, patterns = touched(build, files)
    tests = json.loads(output_of("ctest", "--test-dir", str(build), "--show-only=json-v1", "-LE", "full"))["tests"]
    for test in tests:
        # Of a program that is not built yet ctest knows no command: it is called as its test.
        test.setdefault("command", [str(build / "tests" / test["name"])])
    paths = {str(build / program) for program in programs}
    # A change of static/ is compiled into the program, and the tests of the program's other promises need not run for it.
    compiled = any(name.endswith(CPP) or name.startswith("migrations/") for name in files)
    chosen = []
    for test in tests:
        words = test["command"]
        named = any(word.startswith(str(ROOT)) and str(pathlib.Path(word).relative_to(ROOT)) in files
                    for word in words if not word.startswith(str(build)))
        if named or (compiled and paths & set(words)) or any(re.search(pattern, test["name"]) for pattern in patterns):
            chosen.append(test)
    needed = {word for test in chosen for word in test["command"] if word.startswith(str(build))}
    print(*sorted(program for program in linked(build) if str(build / program) in needed))
    print(f"^({'|'.join(re.escape(test['name']) for test in chosen)})$" if chosen else "")


if __name__ == "__main__":
    main()
