"""Programs with a fault in them, linked from the objects of a build that stays as it is.

Only the file with the fault is compiled, and stands before all others when a program is linked: of what is defined twice the linker
takes the first. A compiler that takes functions of one file into another, as -O3 does within a unity build, would leave copies of
the old ones: there the file's whole unit is compiled once more, with -O1, and stands second.
"""
import collections
import functools
import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import threading
import time

INCLUDE = re.compile(r'^#include "([^"]+)"', re.M)
# What is compiled again for a fault in a header: the rooms that act on what it says.
UNITS_OF_HEADERS = {"fields": ("costcurve_model", "costcurve_documents"), "sql": ("costcurve_sqlite",)}
COMPILE_SECONDS = 600


class DoesNotCompile(Exception):
    pass


class Build:
    """A build folder of the preset `run`, read only."""

    def __init__(self, root, folder, scratch, deadline=None):
        self.root, self.folder, self.scratch, self.deadline = root, folder, scratch, deadline
        rows = json.loads((folder / "compile_commands.json").read_text(encoding="utf-8"))
        self.commands = {self._object_of(row): shlex.split(row["command"]) for row in rows}
        self.object_of = {}  # of each source: the unit that it is compiled in
        for row in rows:
            unit = pathlib.Path(row["file"])
            for source in INCLUDE.findall(unit.read_text(encoding="utf-8")) if "/Unity/" in row["file"] else [row["file"]]:
                self.object_of[source] = self._object_of(row)
        self.inputs = self._read_inputs()
        self.programs = {str(folder / output): output for output, (rule, _) in self.inputs.items() if "EXECUTABLE" in rule}
        self.lock = threading.Lock()
        self.again = {}

    def _object_of(self, row):
        words = shlex.split(row["command"])
        return words[words.index("-o") + 1]

    def _read_inputs(self):
        text = re.sub(r"\$\n\s*", "", (self.folder / "build.ninja").read_text(encoding="utf-8"))
        inputs = {}
        for output, rule, rest in re.findall(r"^build ([^:|\n]+?)(?: \|[^:\n]*)?: (CXX_\w+) ([^\n]*)", text, re.M):
            inputs[output] = (rule, rest.split(" || ")[0].replace("|", " ").split())
        return inputs

    @functools.cached_property
    def objects(self):
        """{program: the objects that it is linked from, those of archives too}."""
        def of(output, seen):
            if output in seen or output not in self.inputs:
                return set()
            seen.add(output)
            rule, parts = self.inputs[output]
            return {output} if rule.startswith("CXX_COMPILER") else set().union(*(of(part, seen) for part in parts))

        return {program: of(output, set()) for program, output in self.programs.items()}

    @functools.cached_property
    def headers(self):
        """{object: the headers that it was compiled with, from the root}."""
        text = subprocess.run(["ninja", "-t", "deps"], cwd=self.folder, capture_output=True, text=True, check=True).stdout
        found = collections.defaultdict(set)
        for line in text.splitlines():
            if line.startswith("    "):
                path = os.path.normpath(self.folder / line.strip())
                found[output].add(os.path.relpath(path, self.root))
            elif line:
                output = line.split(":")[0]
        return found

    def _run(self, words):
        environment = os.environ | {"CCACHE_BASEDIR": str(self.root), "CCACHE_NOHASHDIR": "1"}
        left = COMPILE_SECONDS if self.deadline is None else max(1.0, min(COMPILE_SECONDS, self.deadline.at - time.monotonic()))
        with subprocess.Popen(words, cwd=self.folder, env=environment, stderr=subprocess.PIPE, text=True,
                              start_new_session=True) as run:
            try:
                _, errors = run.communicate(timeout=left)
            except subprocess.TimeoutExpired:
                os.killpg(run.pid, signal.SIGKILL)
                raise TimeoutError from None
        if run.returncode:
            raise DoesNotCompile(errors)

    def compile(self, unit, source, output, overlay=None):
        """A unit's command with another source, to an object of ours."""
        words = ["-O1" if word in ("-O2", "-O3") else word for word in self.commands[unit]]
        words[words.index("-c") + 1], words[words.index("-o") + 1] = str(source), str(output)
        if overlay:
            words[1:1] = [f"-I{overlay}", f"-fmacro-prefix-map={overlay}/="]
        output.parent.mkdir(parents=True, exist_ok=True)
        self._run(["ccache", *words] if CCACHE else words)
        return output

    def unit_without_inlining(self, unit):
        """A unit as it is, where its own object has functions of one file in another: []."""
        if not {"-O2", "-O3"} & set(self.commands[unit]) or "/Unity/" not in unit:
            return []
        with self.lock:
            if unit not in self.again:
                source = self.commands[unit][self.commands[unit].index("-c") + 1]
                self.again[unit] = self.compile(unit, source, self.scratch / "units" / unit)
        return [self.again[unit]]

    def link(self, program, objects, output):
        listing = ["ninja", "-t", "commands", "-s", self.programs[program]]
        command = subprocess.run(listing, cwd=self.folder, capture_output=True, text=True, check=True).stdout
        step = next(step for step in reversed(command.split("&&")) if f" -o {self.programs[program]} " in step)
        words = shlex.split(step)
        at = words.index("-o")
        words[at + 1] = str(output)
        output.parent.mkdir(parents=True, exist_ok=True)
        self._run([words[0], *LINKER, "-Wl,-z,muldefs", *map(str, objects), *words[1:]])


def is_installed(*command):
    try:
        return subprocess.run(command, capture_output=True).returncode == 0
    except OSError:
        return False


CCACHE = is_installed("ccache", "--version")
LINKER = ["-fuse-ld=lld"] if is_installed("ld.lld", "--version") else []


def embedded_migration(build, fault, text):
    """The source that has the migrations, with this one changed."""
    generated = build.folder / "sqlite_migrations.cpp"

    def bytes_of(script):
        return "".join(f"0x{byte:02x}," for byte in script.encode())

    source = generated.read_text(encoding="utf-8")
    changed = source.replace(bytes_of((build.root / fault.file).read_text(encoding="utf-8")), bytes_of(text))
    assert changed != source, f"{fault.file} is not in {generated}"
    return generated, changed


def embedded_page(build, fault, overlaid):
    """The source that has the pages, with this file changed."""
    generated = build.folder / "assets.cpp"
    source = generated.read_text(encoding="utf-8")
    # What is embedded is the file without its comments: its entry in the table names it.
    name, size = re.search(rf'{{"/{re.escape(fault.file)}", {{(costcurve_\w+), (\d+)}}', source).groups()
    changed = re.sub(rf'^({name}: \.incbin) "[^"]*"', lambda found: f'{found[1]} "{overlaid}"', source, flags=re.M)
    changed = changed.replace(f"{{{name}, {size}}}", f"{{{name}, {overlaid.stat().st_size}}}")
    # The compiler's cache knows nothing of files that the assembler reads.
    return generated, f"// {fault.file}: {fault.place}: {fault.after!r}\n" + changed


class Faulty:
    """The objects of one fault, and programs that are linked with them when they are needed."""

    def __init__(self, build, fault, text, folder):
        self.build, self.fault, self.folder = build, fault, folder
        self.overlaid = folder / "overlay" / fault.file
        self.overlaid.parent.mkdir(parents=True, exist_ok=True)
        self.overlaid.write_text(text, encoding="utf-8")
        self.overlay = folder / "overlay"
        self.generated = None
        if fault.file.endswith(".hpp"):
            libraries = tuple(f"CMakeFiles/{library}.dir/" for library in UNITS_OF_HEADERS[fault.room])
            self.units = sorted(unit for unit, headers in build.headers.items()
                                if fault.file in headers and unit in build.commands and unit.startswith(libraries))
        else:
            source = build.root / fault.file
            if fault.file.endswith(".sql"):
                source, changed = embedded_migration(build, fault, text)
            elif fault.file.endswith(".js"):
                source, changed = embedded_page(build, fault, self.overlaid)
            if source != build.root / fault.file:
                self.generated = folder / "generated" / source.name
                self.generated.parent.mkdir(parents=True, exist_ok=True)
                self.generated.write_text(changed, encoding="utf-8")
            self.units = [build.object_of[str(source)]]
        self.linked = {}

    def _objects(self, unit):
        if self.fault.file.endswith(".hpp"):
            words = self.build.commands[unit]
            return [self._compiled(unit, words[words.index("-c") + 1])]
        return [self._compiled(unit, self.generated or self.overlaid), *self.build.unit_without_inlining(unit)]

    @functools.lru_cache(maxsize=None)
    def _compiled(self, unit, source):
        return self.build.compile(unit, source, self.folder / "objects" / f"{unit.replace('/', '_')}", self.overlay)

    def compile(self):
        """Raises DoesNotCompile."""
        if not self.fault.file.endswith(".hpp"):
            for unit in self.units:
                self._objects(unit)

    def can_reach(self, program):
        return bool(set(self.units) & self.build.objects[program])

    def program(self, path):
        """Where the program is that has the fault; a program that the fault is not in stays itself."""
        if not self.can_reach(path):
            return path
        if path not in self.linked:
            objects = [item for unit in self.units if unit in self.build.objects[path] for item in self._objects(unit)]
            output = self.folder / "programs" / self.build.programs[path]
            self.build.link(path, objects, output)
            self.linked[path] = str(output)
        return self.linked[path]
