#!/usr/bin/env python3
"""Makes costcurve/client.py from the description of the interface, docs/openapi.json: a type a schema, a method an operation.

usage: generate.py [--check]    --check writes nothing, and fails where the file differs
"""

import difflib
import functools
import json
import keyword
import operator
import pathlib
import re
import sys
import textwrap

HERE = pathlib.Path(__file__).resolve().parent
DESCRIPTION = HERE.parents[1] / "docs" / "openapi.json"
TARGET = HERE / "costcurve" / "client.py"
WIDEST = 132

HEAD = '''"""Every operation of costcurve's HTTP interface as a method, and its documents and answers as types.

Made by generate.py from docs/openapi.json: do not edit.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, Required, TypedDict, cast, overload

from .transport import Transport, lines, quoted
'''
SCALARS = {"string": "str", "number": "float", "integer": "int", "boolean": "bool", "null": "None"}


def class_name(words):
    return "".join(word.capitalize() for word in re.split(r"[^A-Za-z0-9]+", words) if word)


def argument_name(name):
    name = re.sub(r"[^a-z0-9]+", "_", name.lower())
    return name + "_" if keyword.iskeyword(name) else name


def union(types):
    return " | ".join(dict.fromkeys(types))


class Types:
    """Types of the schemas; `classes` are the definitions in the order in which they are needed."""

    def __init__(self, schemas):
        self.schemas = schemas
        self.classes = {}

    def of(self, schema, name):
        """The type of a schema; `name` is that of the class, where it needs one."""
        if "$ref" in schema:
            path = schema["$ref"].removeprefix("#/components/schemas/").split("/")
            return self.of(functools.reduce(operator.getitem, path, self.schemas), class_name("_".join(path)))
        if "oneOf" in schema:
            return union(self.of(choice, f"{name}{number or ''}") for number, choice in enumerate(schema["oneOf"]))
        if "enum" in schema:
            return f"Literal[{', '.join(str(word) if word is None else json.dumps(word) for word in schema['enum'])}]"
        kinds = schema.get("type", [])
        kinds = [kinds] if isinstance(kinds, str) else kinds
        return union(self.of_kind(kind, schema, name) for kind in kinds) or "Any"

    def of_kind(self, kind, schema, name):
        if kind == "array":
            return f"list[{self.of(schema['items'], name) if 'items' in schema else 'Any'}]"
        if kind != "object":
            return SCALARS[kind]
        if "properties" in schema:
            self.add_class(schema, name)
            return name
        more = schema.get("additionalProperties")
        return f"dict[str, {self.of(more, name) if isinstance(more, dict) else 'Any'}]"

    def of_items(self, page):
        """The type of the items of a page, by the reference to its schema."""
        reference = page["$ref"].rsplit("/", 1)[1]
        return self.of(self.schemas[reference]["properties"]["items"]["items"], class_name(reference) + "Items")

    def add_class(self, schema, name):
        if name in self.classes:
            return
        self.classes[name] = ""  # a schema may refer to itself
        required = set(schema.get("required", []))
        members = []
        for member, part in schema["properties"].items():
            kind = self.of(part, name + class_name(member))
            members.append((member, f"Required[{kind}]" if member in required else kind, part))
        if all(member.isidentifier() and not keyword.iskeyword(member) for member, _, _ in members):
            lines = [f"class {name}(TypedDict, total=False):"]
            lines += [line for member, kind, part in members for line in member_lines(member, kind, part)]
            self.classes[name] = "\n".join(lines if members else [*lines, "    pass"])
        else:  # a name that is a word of Python
            table = [line for member, kind, _ in members for line in text_lines(member, kind)]
            self.classes[name] = "\n".join([f'{name} = TypedDict("{name}", {{', *table, "}, total=False)"])


def folded(text, indent):
    """A line, broken after commas where it is too wide, though not within a text."""
    lines = [text]
    while len(lines[-1]) > WIDEST and (cuts := [found.start() for found in re.finditer(", ", lines[-1][:WIDEST])
                                                if found.start() > len(indent) and lines[-1][:found.start()].count('"') % 2 == 0]):
        lines[-1:] = [lines[-1][:cuts[-1] + 1], indent + lines[-1][cuts[-1] + 2:]]
    return lines


def text_lines(member, kind):
    """A member whose type is a text, in pieces where it is too wide."""
    pieces = textwrap.wrap(kind, WIDEST - 20, break_long_words=False)
    if len(pieces) == 1:
        return [f"    {json.dumps(member)}: {kind!r},"]
    return [f"    {json.dumps(member)}: (", *(f"        {piece!r}" for piece in pieces), "    ),"]


def member_lines(member, kind, part):
    line = f"    {member}: {kind}"
    about = part.get("x-unit", "") or part.get("description", "")
    return folded(line, "        ") if not about or len(line) + len(about) + 4 > WIDEST else [f"{line}  # {about}"]


WORKBOOK = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


class Operation:
    def __init__(self, method, path, row, types):
        self.method, self.path, self.row = method.upper(), path, row
        self.name = row["operationId"]
        success = {status: answer for status, answer in row["responses"].items() if status < "300"}
        content = next((answer["content"] for answer in success.values() if "content" in answer), {})
        self.answer_type = next(iter(content), None)
        self.has_csv = "text/csv" in content
        self.has_workbook = WORKBOOK in content
        self.answers = union(types.of(next(iter(answer["content"].values()))["schema"], class_name(self.name))
                             if "content" in answer else "None" for answer in success.values())
        # With `prefer` a question may also be answered by its job (202).
        self.at_once = types.of(next(iter(success["200"]["content"].values()))["schema"], class_name(self.name)) \
            if {"200", "202"} <= set(success) and "content" in success["202"] else None
        self.body_type = self.body = None
        if "requestBody" in row:
            self.body_type, body = next(iter(row["requestBody"]["content"].items()))
            self.body = types.of(body["schema"], class_name(self.name)) if self.body_type == "application/json" else "bytes"
        self.parameters = [p for p in row.get("parameters", []) if not (self.has_csv and p["name"] in ("format", "table"))]
        self.query = [p for p in self.parameters if p["in"] == "query"]
        self.cursor = next((p["name"] for p in self.query if p["name"] in ("after", "before")), None)
        self.item = types.of_items(content["application/json"]["schema"]) if self.cursor else None
        self.tables = next((p["schema"]["pattern"].strip("^()$").split("|") for p in row.get("parameters", [])
                            if self.has_csv and p["name"] == "table"), [])

    def signature(self, name, answer, *, cursor=True, more=(), prefer="", ends=":"):
        takes = ["self"] + [f"{argument_name(p['name'])}: str" for p in self.parameters if p["in"] == "path"]
        takes += [f"body: {self.body}"] if self.body else []
        kinds = {p["name"]: f"{SCALARS[p['schema']['type']]} | None = None" for p in self.parameters
                 if p["in"] != "path" and (cursor or p["name"] != self.cursor)} | ({"Prefer": prefer} if prefer else {})
        named = [f"{argument_name(name)}: {kind}" for name, kind in kinds.items()]
        named += more
        takes += ["*", *named] if named else []
        return folded(f"    def {name}({', '.join(takes)}) -> {answer}{ends}", "            ")

    def overloads(self):
        """Without `prefer` the answer is there at once."""
        if not self.at_once:
            return []
        return ["    @overload", *self.signature(self.name, self.at_once, prefer="None = None", ends=": ..."), "",
                "    @overload", *self.signature(self.name, self.answers, prefer="str", ends=": ..."), ""]

    def call(self, sender, more=(), query=()):
        path = re.sub(r"\{(\w+)\}", r"{quoted(\1)}", self.path)
        given = [f'"{self.method}"', f'{"f" if "{" in path else ""}"{path}"']
        pairs = [f'"{p["name"]}": {argument_name(p["name"])}' for p in self.query] + list(query)
        given += [f"query={{{', '.join(pairs)}}}"] if pairs else []
        headers = [f'"{p["name"]}": {argument_name(p["name"])}' for p in self.parameters if p["in"] == "header"]
        given += [f"headers={{{', '.join(headers)}}}"] if headers else []
        given += more
        return f"self.{sender}({', '.join(given)})"

    def body_arguments(self):
        return [] if not self.body else ["body=body"] if self.body != "bytes" else ["body=body", f'content_type="{self.body_type}"']

    def lines(self):
        about = self.row["summary"]
        doc = f'        """{about[0].upper()}{about[1:]}: {self.method} {self.path}."""'
        body = self.body_arguments()
        if self.answer_type in (None, "application/json"):
            answers = self.answers
            sent = f"json.loads({self.call('send', body)})" if self.body == "bytes" else self.call("send_json", body)
            call = f"        {sent}" if answers == "None" else f"        return cast({json.dumps(answers)}, {sent})"
        elif self.answer_type == "application/x-ndjson":
            sent = ["body=json.dumps(body).encode()", f'accept="{self.answer_type}"']
            call, answers = f"        return lines({self.call('send', sent)})", f"list[{self.answers}]"
        else:
            call, answers = f"        return {self.call('send', [*body, f'accept={json.dumps(self.answer_type)}'])}.decode()", "str"
        out = [*self.overloads(), *self.signature(self.name, answers), doc, *folded(call, "            "), ""]
        if self.cursor:
            out += self.iterator()
        if self.has_csv:
            out += self.csv(about)
        if self.has_workbook:
            out += self.workbook(about)
        return out

    def iterator(self):
        passed = [argument_name(p["name"]) for p in self.parameters if p["in"] == "path"]
        passed += [f"{argument_name(p['name'])}={argument_name(p['name'])}" for p in self.parameters
                   if p["in"] != "path" and p["name"] != self.cursor]
        cursor = f"{self.cursor}={'cursor' if self.type_of(self.cursor) == 'str' else 'None if cursor is None else int(cursor)'}"
        call = f"        return self.pages(lambda cursor: self.{self.name}({', '.join([*passed, cursor])}))"
        name = "each_" + self.name.removeprefix("get_")
        return [*self.signature(name, f"Iterator[{self.item}]", cursor=False),
                f'        """The items of all pages of {self.name}, each page fetched when it is reached."""',
                *folded(call, "            "), ""]

    def type_of(self, name):
        return SCALARS[next(p["schema"]["type"] for p in self.query if p["name"] == name)]

    def csv(self, about):
        more = [f"table: Literal[{', '.join(map(json.dumps, self.tables))}] | None = None"] if self.tables else []
        query = ['"table": table'] if self.tables else []
        sent = (["body=json.dumps(body).encode()"] if self.body else []) + ['accept="text/csv"']
        call = f"        return {self.call('send', sent, query)}.decode()"
        return [*self.signature(self.name + "_csv", "str", more=more), f'        """{about[0].upper()}{about[1:]}: as CSV."""',
                *folded(call, "            "), ""]

    def workbook(self, about):
        sent = (["body=json.dumps(body).encode()"] if self.body else []) + [f'accept="{WORKBOOK}"']
        return [*self.signature(self.name + "_xlsx", "bytes"), f'        """{about[0].upper()}{about[1:]}: as an Excel workbook."""',
                *folded(f"        return {self.call('send', sent)}", "            "), ""]


def generated(description):
    types = Types(description["components"]["schemas"])
    paths = description["paths"].items()
    operations = [Operation(method, path, row, types) for path, item in paths for method, row in item.items()]
    out = [HEAD.replace("from collections", "import json\nfrom collections"), ""]
    for text in types.classes.values():
        out += [text, "", ""]
    out += ["class Client(Transport):", '    """The operations by their names. What they raise: transport.Problem."""', ""]
    for operation in operations:
        out += operation.lines()
    return "\n".join(out).rstrip() + "\n"


def main(check):
    text = generated(json.loads(DESCRIPTION.read_text(encoding="utf-8")))
    if not check:
        TARGET.write_text(text, encoding="utf-8")
        return 0
    before = TARGET.read_text(encoding="utf-8") if TARGET.is_file() else ""
    changes = list(difflib.unified_diff(before.splitlines(), text.splitlines(), "client.py", "as generated", lineterm=""))
    if changes:
        print("\n".join(changes[:100]))
        print("clients/python/costcurve/client.py is not what generate.py makes; run it")
    return 1 if changes else 0


if __name__ == "__main__":
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1:] == ["--check"]))
