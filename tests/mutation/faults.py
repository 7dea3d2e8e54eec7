"""Draws faults from the grammar, over all rooms: the same for the same seed and the same sources.

A room gets as many of the faults as it has of the lines that an operator fits, and at least one.
"""
import bisect
import collections
import dataclasses
import functools
import itertools
import pathlib
import random
import re

import operators
import sources


MAX_PICKED = 1000  # of a room: of those that do not compile, none is ever the last


@dataclasses.dataclass(frozen=True)
class Room:
    name: str
    language: str  # of operators.OPERATORS
    patterns: tuple[str, ...]  # of files, from the root
    weight: float = 1.0  # of its lines


ROOMS = [
    Room("model", "cpp", ("model/*.cpp", "model/bills/*.cpp", "model/categories/*.cpp", "model/dispatch/*.cpp",
                          "model/documents/*.cpp", "model/hosted/*.cpp")),
    Room("hours", "cpp", ("model/hours/*.cpp",)),
    Room("performance", "cpp", ("model/performance/*.cpp", "model/queueing/*.cpp", "model/pairs/*.cpp")),
    Room("questions", "cpp", ("model/questions/**/*.cpp",)),
    Room("fields", "fields", ("model/documents/fields*.hpp",), 0.1),  # each is compiled into many files
    Room("storage", "cpp", ("server/storage/*.cpp", "server/storage/writes/*.cpp")),
    Room("sql", "cpp", ("server/storage/sql/*.cpp",)),
    Room("sqlite", "cpp", ("server/storage/sqlite/**/*.cpp",)),
    Room("postgres", "cpp", ("server/storage/postgres/**/*.cpp",)),
    Room("migrations", "sql", ("migrations/*.sql",), 0.3),
    Room("documents", "cpp", ("server/documents/**/*.cpp",)),
    Room("import", "cpp", ("server/import/**/*.cpp",)),
    Room("jobs", "cpp", ("server/jobs/*.cpp", "server/failure/*.cpp")),
    Room("outgoing", "cpp", ("server/outgoing/*.cpp",)),
    Room("recalculation", "cpp", ("server/recalculation/*.cpp",)),
    Room("actuals", "cpp", ("server/actuals/**/*.cpp",)),
    Room("answers", "cpp", ("server/answers/**/*.cpp",)),
    Room("gate", "cpp", ("server/gate/**/*.cpp",)),
    Room("ingest", "cpp", ("server/ingest/**/*.cpp",)),
    Room("http", "cpp", ("server/http/*.cpp",)),
    Room("api", "cpp", ("server/api/**/*.cpp",)),
    Room("commands", "cpp", ("server/commands/**/*.cpp", "server/main.cpp", "server/memory.cpp")),
    Room("page", "js", ("static/**/*.js",), 0.5),  # half of what it says is how things look
]


@dataclasses.dataclass(frozen=True)
class Fault:
    room: str
    file: str
    operator: str
    place: int  # of the first character that differs
    line: int
    before: str
    after: str

    def apply(self, source):
        assert source.startswith(self.before, self.place), "the file has changed since the draw"
        return source[:self.place] + self.after + source[self.place + len(self.before):]

    def lines(self, source):
        """What its lines say without it and with it."""
        changed = self.apply(source)
        begin = source.rfind("\n", 0, self.place) + 1

        def lines_to(text, length):
            end = text.find("\n", self.place + length)
            return " ".join(text[begin:end if end >= 0 else len(text)].split())

        return lines_to(source, len(self.before)), lines_to(changed, len(self.after))


def lines_around(source, start, end):
    begin = source.rfind("\n", 0, start) + 1
    stop = source.find("\n", end)
    return source[begin:stop if stop >= 0 else len(source)]


def faults_in(room, file, source):
    """All faults of the room's operators in a file; of one line those of several operators."""
    found_all = []
    masks = {}
    starts = [0, *itertools.accumulate(len(line) for line in source.splitlines(keepends=True))]
    for operator in operators.OPERATORS[room.language]:
        if operator.files and not operator.files.search(file):
            continue
        mask = masks.get(operator.mask)
        if mask is None:
            mask = masks[operator.mask] = sources.MASKS[operator.mask](source)
        for found in operator.pattern.finditer(mask):
            start, end = found.span()
            around = lines_around(source, start, end)
            if operator.unless and operator.unless.search(around):
                continue
            before, after = source[start:end], replacement_of(operator, Texts(found, source))
            if after != before:
                line = bisect.bisect_right(starts, start + len(before) - len(before.lstrip()))
                found_all.append((operator, Fault(room.name, file, operator.name, start, line, before, after)))
    return found_all


class Texts:
    """A match in the mask, with the texts of the source."""

    def __init__(self, found, source):
        self.found, self.source = found, source

    def group(self, number=0):
        start, end = self.found.span(number)
        return None if start < 0 else self.source[start:end]

    __getitem__ = group


def replacement_of(operator, texts):
    if callable(operator.replacement):
        return operator.replacement(texts)
    return re.sub(r"\\(\d)", lambda number: texts.group(int(number[1])) or "", operator.replacement)


def dead_sql(root):
    """Places in migrations that later ones take back: {file: [pattern of a line]}."""
    created = collections.defaultdict(list)
    dead = collections.defaultdict(set)
    for path in sorted(root.glob("migrations/*.sql")):
        file = str(path.relative_to(root))
        text = sources.sql_mask(path.read_text(encoding="utf-8"))
        for verb, name in re.findall(r"^\s*(CREATE|DROP) (?:UNIQUE )?(?:TABLE|TRIGGER|VIEW|INDEX) (\w+)", text, re.M):
            for earlier in created[name]:
                if earlier != file or verb == "DROP":
                    dead[earlier].add(name)
            if verb == "CREATE":
                created[name].append(file)
    return dead


def statement_name(source, place):
    """What the statement of SQL around a place creates."""
    names = list(re.finditer(r"^\s*CREATE (?:UNIQUE )?\w+ (\w+)", source[:source.find("\n", place)], re.M))
    return names[-1][1] if names else ""


@functools.lru_cache(maxsize=None)
def lines_of_room(room, root):
    """[(file, line, [(operator, fault)])] in the order of files and lines."""
    lines = collections.defaultdict(list)
    dead = dead_sql(root) if room.language == "sql" else {}
    for path in sorted({path for pattern in room.patterns for path in root.glob(pattern)}):
        file = str(path.relative_to(root))
        source = path.read_text(encoding="utf-8")
        for operator, fault in faults_in(room, file, source):
            if statement_name(source, fault.place) not in dead.get(file, ()):
                lines[file, fault.line].append((operator, fault))
    return [(file, line, found) for (file, line), found in sorted(lines.items())]


def shares(sizes, count):
    """How many of the count each gets: in proportion to its size, by largest remainder, and at least one."""
    given = {name: 1 for name, size in sizes.items() if size > 0}
    left = count - len(given)
    if left < 0:
        raise ValueError(f"{count} faults are fewer than {len(given)} rooms")
    total = sum(sizes.values())
    wanted = {name: max(count * sizes[name] / total - 1, 0) for name in given}
    scale = left / max(sum(wanted.values()), 1e-9)
    exact = {name: wanted[name] * scale for name in given}
    for name in given:
        given[name] += int(exact[name])
    rest = sorted(given, key=lambda name: (int(exact[name]) - exact[name], name))
    for name in rest[:count - sum(given.values())]:
        given[name] += 1
    return given


def drawn_from(lines, chance):
    """The faults of a room one after the other, each of another line: an operator by its weight, then one of its places."""
    places = collections.defaultdict(list)
    weights = {}
    for file, line, found in lines:
        for operator, fault in found:
            weights[operator.name] = max(operator.weight, weights.get(operator.name, 0))
            places[operator.name].append(fault)
    picked, taken = [], set()
    for found in places.values():
        chance.shuffle(found)
    while places and len(picked) < MAX_PICKED:
        name = chance.choices(list(places), [weights[name] for name in places])[0]
        fault = places[name].pop()
        if not places[name]:
            del places[name]
        if (fault.file, fault.line) not in taken:
            taken.add((fault.file, fault.line))
            picked.append(fault)
    return picked


def draw(root, count, seed):
    """One generator for each of the faults, in the order in which they are tried: what it gives first is the fault; what comes next
    is for one that does not compile."""
    root = pathlib.Path(root)
    lines_of = {room.name: lines_of_room(room, root) for room in ROOMS}
    given = shares({room.name: room.weight * len(lines_of[room.name]) for room in ROOMS}, count)
    slots = []
    for name, quota in given.items():
        picked = drawn_from(lines_of[name], random.Random(f"{seed} {name}"))
        slots += [iter(picked[slot::quota]) for slot in range(quota)]
    random.Random(f"{seed} order").shuffle(slots)
    return slots
