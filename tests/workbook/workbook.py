"""An Excel workbook as the standard library reads it, and the arithmetic of its formulas, written from ECMA-376 and not from
costcurve: what a spreadsheet shows after an input was changed."""

import re
import xml.etree.ElementTree as xml
import zipfile

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
TOKEN = re.compile(r"""\s*(?:(?P<number>\d+\.?\d*(?:[eE][+-]?\d+)?)|(?P<text>"(?:[^"]|"")*")
                       |(?P<cell>(?:[A-Za-z][A-Za-z0-9]*!)?\$?[A-Z]{1,3}\$?\d+(?::\$?[A-Z]{1,3}\$?\d+)?(?![A-Za-z0-9_(]))
                       |(?P<name>[A-Za-z_][A-Za-z0-9_.]*)|(?P<sign><=|>=|<>|[-+*/^(),=<>]))""", re.VERBOSE)


class Broken(Exception):
    """What a spreadsheet would show as an error, or would not open."""


def column_number(letters):
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def place(address):
    letters, row = re.fullmatch(r"([A-Z]+)(\d+)", address.replace("$", "")).groups()
    return int(row), column_number(letters)


def plain_text(text):
    return re.sub(r"_x([0-9A-Fa-f]{4})_", lambda found: chr(int(found[1], 16)), text)


class Workbook:
    """Sheets by name; of a cell, by (row, column) from 1, its value, and its formula where it has one."""

    def __init__(self, file):
        self.values, self.formulas, self.names, self.order = {}, {}, {}, []
        with zipfile.ZipFile(file) as archive:
            self.parts = archive.namelist()
            book = xml.fromstring(archive.read("xl/workbook.xml"))
            targets = {part.get("Id"): part.get("Target")
                       for part in xml.fromstring(archive.read("xl/_rels/workbook.xml.rels"))}
            for sheet in book.iter(MAIN + "sheet"):
                self.order.append(sheet.get("name"))
                self.read(sheet.get("name"), archive.read("xl/" + targets[sheet.get(RELATION)]))
            for name in book.iter(MAIN + "definedName"):
                self.names[name.get("name").lower()] = name.text
        self.done = {}

    def read(self, sheet, text):
        values, formulas = self.values.setdefault(sheet, {}), self.formulas.setdefault(sheet, {})
        for cell in xml.fromstring(text).iter(MAIN + "c"):
            at = place(cell.get("r"))
            if cell.get("t") == "inlineStr":
                values[at] = plain_text("".join(part.text or "" for part in cell.iter(MAIN + "t")))
                continue
            value = cell.find(MAIN + "v")
            values[at] = float(value.text) if value is not None else None
            formula = cell.find(MAIN + "f")
            if formula is not None:
                formulas[at] = formula.text

    def rows(self, sheet):
        """The values of each row, by column from 0."""
        rows = {}
        for (row, column), value in self.values[sheet].items():
            rows.setdefault(row, {})[column - 1] = value
        return [rows[row] for row in sorted(rows)]

    def find(self, sheet, text):
        """The row, from 1, that has the text in its first column."""
        found = [row for (row, column), value in self.values[sheet].items() if column == 1 and value == text]
        if not found:
            raise Broken(f"no row {text} on {sheet}")
        return found[0]

    def named(self, name):
        sheet, _, address = self.names[name.lower()].partition("!")
        return sheet, place(address)

    def set(self, name, value):
        """Changes an input: all formulas are computed again."""
        sheet, at = self.named(name)
        if at in self.formulas[sheet]:
            raise Broken(f"{name} is a formula")
        self.values[sheet][at] = value
        self.done = {}

    def get(self, sheet, at):
        """A cell's value, computed from its formula."""
        if at not in self.formulas[sheet]:
            return self.values[sheet].get(at)
        if (sheet, at) not in self.done:
            self.done[sheet, at] = None  # a circle
            self.done[sheet, at] = Formula(self, sheet, self.formulas[sheet][at]).result()
        value = self.done[sheet, at]
        if value is None:
            raise Broken(f"{sheet} {at} refers to itself")
        return value


def divided(dividend, divisor):
    """Not a number stands for #DIV/0!, which the branch of an IF that isn't taken may be."""
    return dividend / divisor if divisor else float("nan")


def flat(arguments):
    for argument in arguments:
        yield from flat(argument) if isinstance(argument, list) else [argument]


def numbers(arguments):
    return [value for value in flat(arguments) if isinstance(value, float)]


def npv(rate, *cash):
    return sum(value / (1 + rate) ** (i + 1) for i, value in enumerate(numbers(cash)))


def sumproduct(*ranges):
    total = 0.0
    for row in zip(*map(lambda argument: list(flat([argument])), ranges), strict=True):
        product = 1.0
        for value in row:
            product *= value if isinstance(value, float) else 0.0
        total += product
    return total


def sumif(cells, wanted, summed):
    return sum(value for cell, value in zip(flat([cells]), flat([summed]), strict=True)
               if cell == wanted and isinstance(value, float))


FUNCTIONS = {"SUM": lambda *arguments: sum(numbers(arguments)), "MIN": lambda *arguments: min(numbers(arguments)),
             "MAX": lambda *arguments: max(numbers(arguments)), "NPV": npv, "SUMPRODUCT": sumproduct, "SUMIF": sumif,
             "IF": lambda condition, yes, no=0.0: yes if condition else no}
COMPARED = {"=": lambda a, b: a == b, "<>": lambda a, b: a != b, "<": lambda a, b: a < b, ">": lambda a, b: a > b,
            "<=": lambda a, b: a <= b, ">=": lambda a, b: a >= b}


class Formula:
    """One formula, computed as it is read: a spreadsheet's signs bind before its powers, and its powers from the left."""

    def __init__(self, book, sheet, text):
        self.book, self.sheet, self.text, self.tokens = book, sheet, text, []
        end = 0
        while end < len(text):
            token = TOKEN.match(text, end)
            if not token:
                raise Broken(f"{text}: what is at {end}?")
            self.tokens.append((token.lastgroup, token[token.lastgroup]))
            end = token.end()
        self.at = 0

    def result(self):
        value = self.compared()
        if self.at != len(self.tokens):
            raise Broken(f"{self.text}: {self.tokens[self.at]} is too much")
        return float(value) if isinstance(value, (bool, int)) else value

    def take(self, *signs):
        if self.at < len(self.tokens) and self.tokens[self.at] in [("sign", sign) for sign in signs]:
            self.at += 1
            return self.tokens[self.at - 1][1]
        return None

    def compared(self):
        left = self.sum()
        sign = self.take(*COMPARED)
        return COMPARED[sign](left, self.sum()) if sign else left

    def number(self, value):
        if value is None:
            return 0.0  # an empty cell
        if not isinstance(value, float):
            raise Broken(f"{self.text}: {value!r} is no number")
        return value

    def sum(self):
        value = self.product()
        while sign := self.take("+", "-"):
            other = self.number(self.product())
            value = self.number(value) + other if sign == "+" else self.number(value) - other
        return value

    def product(self):
        value = self.power()
        while sign := self.take("*", "/"):
            other = self.number(self.power())
            value = self.number(value) * other if sign == "*" else divided(self.number(value), other)
        return value

    def power(self):
        value = self.signed()
        while self.take("^"):
            value = self.number(value) ** self.number(self.signed())
        return value

    def signed(self):
        if self.take("-"):
            return -self.number(self.signed())
        return self.signed() if self.take("+") else self.operand()

    def operand(self):
        if self.take("("):
            value = self.compared()
            if not self.take(")"):
                raise Broken(f"{self.text}: ) is missing")
            return value
        kind, text = self.tokens[self.at] if self.at < len(self.tokens) else ("", "")
        self.at += 1
        if kind == "number":
            return float(text)
        if kind == "text":
            return text[1:-1].replace('""', '"')
        if kind == "cell":
            return self.cells(text)
        if kind == "name" and self.take("("):
            return self.call(text)
        if kind == "name" and text.lower() in self.book.names:
            return self.book.get(*self.book.named(text))
        raise Broken(f"{self.text}: what is {text!r}?")

    def call(self, name):
        arguments = []
        while not self.take(")"):
            arguments.append(self.compared())
            self.take(",")
        return FUNCTIONS[name](*arguments)

    def cells(self, text):
        sheet, _, address = text.rpartition("!")
        sheet = sheet or self.sheet
        first, _, last = address.partition(":")
        if not last:
            return self.book.get(sheet, place(first))
        (row, column), (end_row, end_column) = place(first), place(last)
        return [self.book.get(sheet, (r, c)) for r in range(row, end_row + 1) for c in range(column, end_column + 1)]
