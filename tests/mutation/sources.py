"""Which characters of a source are code, and which are comments, texts or what no fault goes into.

A mask has the length and the lines of its source: comments are blank, the insides of texts are underscores, and so are the
arguments of what only makes messages. Patterns are looked for in the mask, and found in the source at the same place.
"""
import re

CPP_TOKEN = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?\*/)|R"(?P<mark>\w*)\((?P<raw>.*?)\)(?P=mark)"|"(?P<text>(?:\\.|[^"\\\n])*)"|"""
    r"""(?<![0-9A-Fa-f])'(?P<letter>(?:\\.|[^'\\\n])+)'""", re.S)
# What makes messages, sizes memory or writes the log: nothing that the product promises hangs on it.
CPP_SPARED = re.compile(
    r"\b(?:fmt::format|fmt::runtime|spdlog::\w+|log|log_|log_failure|log_dead|note|warn|said|shown|shortened|reject|reserve|"
    r"static_assert|assert)\(")
CPP_DIRECTIVE = re.compile(r"^[ \t]*#[^\n]*", re.M)
SQL_WORDS = re.compile(r"\b(?:SELECT|INSERT INTO|UPDATE|DELETE FROM|WHERE|ORDER BY|JOIN|VALUES|ON CONFLICT)\b")
SQL_COMMENT = re.compile(r"--[^\n]*")
SQL_TEXT = re.compile(r"'(?P<text>[^'\n]*)'")
# Where a slash begins a regular expression: where no value ends before it.
BEFORE_REGULAR_EXPRESSION = re.compile(r"(?:^|[(,=:\[!&|?{};]|=>|\breturn)\s*$")
JS_REGULAR_EXPRESSION = re.compile(r"/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n\[])+/[a-z]*")


def blanked(text):
    return re.sub(r"[^\n]", " ", text)


def hidden(text):
    return re.sub(r"[^\n]", "_", text)


def closing(mask, opened, pair="()"):
    """The place of the bracket that closes the one at `opened`; -1 where none does."""
    depth = 0
    for place in range(opened, len(mask)):
        if mask[place] == pair[0]:
            depth += 1
        elif mask[place] == pair[1]:
            depth -= 1
            if depth == 0:
                return place
    return -1


def spared(mask, calls):
    """The mask without the arguments of these calls."""
    parts, at = [], 0
    for found in calls.finditer(mask):
        end = closing(mask, found.end() - 1)
        if found.start() < at or end < 0:
            continue
        parts += [mask[at:found.end()], hidden(mask[found.end():end])]
        at = end
    return "".join(parts) + mask[at:]


def cpp_mask(source):
    def replaced(found):
        whole = found.group()
        if found["comment"] is not None:
            return blanked(whole)
        inside = next(name for name in ("raw", "text", "letter") if found[name] is not None)
        start, end = found.start(inside) - found.start(), found.end(inside) - found.start()
        return whole[:start] + hidden(whole[start:end]) + whole[end:]

    mask = CPP_DIRECTIVE.sub(lambda found: blanked(found.group()), CPP_TOKEN.sub(replaced, source))
    return spared(mask, CPP_SPARED)


def sql_in_cpp_mask(source):
    """All but the insides of texts that are SQL is blank."""
    mask = list(blanked(source))
    for found in CPP_TOKEN.finditer(source):
        inside = next((name for name in ("raw", "text") if found[name] is not None), None)
        if inside and SQL_WORDS.search(found[inside]):
            mask[found.start(inside):found.end(inside)] = found[inside]
    return "".join(mask)


def sql_mask(source):
    mask = SQL_COMMENT.sub(lambda found: blanked(found.group()), source)
    return SQL_TEXT.sub(lambda found: f"'{hidden(found['text'])}'", mask)


def js_mask(source):
    """Texts are hidden; what a template puts in is code, with the templates inside it."""
    parts, place, braces = [], 0, []  # braces: how many are open in each template's expression

    def hide_template(begun):
        """From behind a backtick or a closing brace to the end of the template, or to its next expression."""
        end = begun
        while end < len(source) and source[end] != "`":
            if source.startswith("${", end):
                braces.append(0)
                parts.append(hidden(source[begun:end]) + "${")
                return end + 2
            end += 2 if source[end] == "\\" else 1
        parts.append(hidden(source[begun:end]) + "`")
        return end + 1

    while place < len(source):
        letter = source[place]
        if source.startswith("//", place):
            end = source.find("\n", place)
            end = len(source) if end < 0 else end
            parts.append(blanked(source[place:end]))
        elif source.startswith("/*", place):
            end = source.index("*/", place) + 2
            parts.append(blanked(source[place:end]))
        elif letter in "\"'":
            end = re.compile(rf"(?:\\.|[^\\{letter}])*").match(source, place + 1).end() + 1
            parts.append(letter + hidden(source[place + 1:end - 1]) + letter)
        elif letter == "`":
            parts.append(letter)
            end = hide_template(place + 1)
        elif letter == "}" and braces and braces[-1] == 0:
            braces.pop()
            parts.append(letter)
            end = hide_template(place + 1)
        elif letter == "/" and (found := JS_REGULAR_EXPRESSION.match(source, place)) and BEFORE_REGULAR_EXPRESSION.search(
                "".join(parts[-20:])):
            end = found.end()
            parts.append(hidden(found.group()))
        else:
            if braces:
                braces[-1] += {"{": 1, "}": -1}.get(letter, 0)
            end = place + 1
            parts.append(letter)
        place = end
    return "".join(parts)


MASKS = {"cpp": cpp_mask, "sql_in_cpp": sql_in_cpp_mask, "sql": sql_mask, "js": js_mask}
