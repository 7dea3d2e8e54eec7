"""The table of operators: how sources are made wrong, one place at a time.

A pattern is looked for in a mask of the source (sources.py), so nothing in a comment, a message or an include matches. The
replacement is a template of re's, or a function of the match, and is filled with the source's own text. `unless` is looked for in
the lines that the match is in: what makes the same program, what a compiler refuses, or what no promise hangs on.
"""
import dataclasses
import re
import typing


@dataclasses.dataclass(frozen=True)
class Operator:
    name: str
    mask: str  # cpp, sql_in_cpp, sql or js
    pattern: re.Pattern
    replacement: str | typing.Callable
    weight: float = 1.0
    unless: re.Pattern | None = None
    files: re.Pattern | None = None  # all that the mask is for, where it is not stated


def swapped(*pairs):
    """A pattern for any of these words, and what stands for each."""
    table = dict(pairs) | {second: first for first, second in pairs}
    return table


def word_operator(name, mask, table, before="", after="", **other):
    """One word for another."""
    words = "|".join(re.escape(word) for word in sorted(table, key=len, reverse=True))
    return Operator(name, mask, re.compile(f"{before}({words}){after}"), lambda found: table[found.group()], **other)


def row(name, mask, pattern, replacement, unless=None, weight=1.0, files=None):
    compiled = re.compile(pattern, re.M)
    return Operator(name, mask, compiled, replacement, weight, re.compile(unless) if unless else None,
                    re.compile(files) if files else None)


# What is added there is a text or a place in a list.
NO_NUMBER = r'"|std::string|to_string|begin\(\)|end\(\)|ptrdiff_t|\.data\(\)|\.substr|pointer|text|name|path|reference'
# Where two orders or bounds give the same: floating-point sorts, a branch that only spares work.
SAME_ORDER = r"\bfor \(|\bwhile \(|return \w+(?:\.|->)(\w+) [<>]=? \w+(?:\.|->)\1;|\[&?\]\(|\[this\]|operator"
SPARES_WORK = r"spare|fast|quick|capacity|cached?\b|progress|log"
CONDITION = r"(?<=\bif \()(?!const |auto |!?\()([^;={}\n]*(?:[=!<>]=[^;={}\n]*)*)(?=\) \{\s*$)"
STATEMENT = r"(?<=[;{}]\n)( +)"
CALLS = (r"(?:\w+(?:\.|->|::|\[\w+\](?:\.|->)))*(?:push_back|emplace_back|insert|emplace|try_emplace|erase|erase_if|add|"
         r"add_\w+|reject|refuse|commit|notify_one|notify_all|unlock|pop_back|pop_front|save|save_\w+|run|end|check|check_\w+|"
         r"put|set|set_\w+|remove\w*|key|write\w*|append|sort|reset|cancel|release|merge\w*|close|start|stop|throw_\w+|"
         r"require\w*|charge\w*|apply\w*|fill\w*|scale)")
LIMIT = r"(?:\bk[A-Z]\w*|\bmax_\w+|\bmin_\w+|\w*(?:limit|size\(\)|count|bytes|months|hours|age|term|life|depth|capacity)\w*)"
FACTORS = {
    "1000": "1024", "1000.0": "1024.0", "1e3": "1e2", "1e6": "1e3", "1e9": "1e6", "1e12": "1e9", "1e-6": "1e-3", "1e-3": "1e-2",
    "8760": "8784", "8760.0": "8784.0", "24": "23", "24.0": "23.0", "12": "11", "12.0": "11.0", "3600": "60", "3600.0": "60.0",
    "60": "100", "60.0": "100.0", "100": "1000", "100.0": "1000.0", "7": "6", "168": "167", "168.0": "167.0", "365": "360",
    "1024": "1000", "3.6e6": "3.6e3", "2": "3", "2.0": "3.0",
}
STATUSES = {"200": "202", "201": "200", "202": "200", "204": "200", "304": "200", "400": "422", "401": "403", "403": "401",
            "404": "410", "405": "404", "408": "400", "409": "412", "412": "409", "413": "400", "415": "400", "422": "400",
            "429": "503", "431": "400", "503": "500", "507": "500"}
JS_CONDITION = r"(?<=\bif \()([^;={}\n]*(?:[=!<>]==?[^;={}\n]*)*)"
SIZES = r"reserve|resize|\bint \w|kLook|kMaxKeys|Rows|Together|Batch|Between"
ARGUMENT = r"(?:[^(),\n]|\([^()\n]*\))+"
NUMBER = re.compile(r"(?:std::size_t)?\{?[\d.]+\}?|k[A-Z]\w*")
API = r"^server/(?:api|http)/"


def negation(found):
    condition = found.group()
    return condition[1:] if re.fullmatch(r"!\w+(?:(?:\.|->)\w+|\(\))*", condition) else f"!({condition})"


CPP = [
    row("flipped sign", "cpp", r"(?<=[\w)\]]) \+ (?=[\w(])(?!1\b)", " - ", NO_NUMBER, 2),
    row("flipped sign", "cpp", r"(?<=[\w)\]]) - (?=[\w(])(?!1\b)", " + ", NO_NUMBER, 2),
    row("flipped sign", "cpp", r"(?<=\w) \+= (?=[\w(])", " -= ", NO_NUMBER, 2),
    row("times for divided by", "cpp", r"(?<=[\w)\]]) \* (?=[\w(])", " / ", NO_NUMBER, 2),
    row("divided by for times", "cpp", r"(?<=[\w)\]]) / (?=[\w(])", " * ", NO_NUMBER, 2),
    # Both sides of a limit are whole numbers, mostly: of fractions one bound is as good as the other.
    row("moved limit", "cpp", rf"(?<=[\w)\]]) (?:(<)|(>)|(<=)|(>=)) (?={LIMIT}[;) ])",
        lambda found: {"<": " <= ", ">": " >= ", "<=": " < ", ">=": " > "}[found.group().strip()], SAME_ORDER + r"|0\.0|\?", 0.7),
    word_operator("flipped comparison", "cpp", swapped((" < ", " > "), (" <= ", " >= ")), r"(?<=[\w)\]])", r"(?=[\w(.\-])",
                  unless=re.compile(SAME_ORDER + r"|operator")),
    word_operator("flipped comparison", "cpp", swapped((" == ", " != ")), r"(?<=[\w)\]])", r"(?=[\w('\".\-])",
                  unless=re.compile(r"\bfor \(|operator|npos")),
    row("negated condition", "cpp", CONDITION, negation, SPARES_WORK + "|constexpr", 2),
    row("skipped check", "cpp", CONDITION, r"(\1) && false", SPARES_WORK + "|constexpr|empty", 2),
    word_operator("and for or", "cpp", swapped((" && ", " || ")), unless=re.compile(r"(?:&&|\|\|).*(?:&&|\|\|)|operator")),
    row("off by one", "cpp", r"(?<=[\w)\]]) [+-] 1(?=[;,) \]])", "", r"reserve|resize|sizeof|capacity" + '|"', 1.5),
    row("off by one", "cpp", r"(?<=\w) = 0(?=; \w+ < )", " = 1", None, 0.7),
    row("skipped statement", "cpp", rf"{STATEMENT}({CALLS}\([^;{{}}\n]*\));$", r"\1;", r"\b\w*log\w*\(|counter|stats|metrics", 4),
    row("skipped statement", "cpp", rf"{STATEMENT}((?:\w+(?:\.|->|\[\w+\]))*\w+(?:\[[^\]\n]+\])? [+|]?= [^;{{}}\n]*);$", r"\1;",
        r"last_|began|begun|shown|reason|note|message|fmt::format", 1.5),
    row("role too low", "cpp", r"\bRole::(admin|editor)\b",
        lambda found: "Role::editor" if found[1] == "admin" else "Role::viewer", None, 4, r"^server/api/(?:routes|access)"),
    Operator("other status", "cpp", re.compile(rf"(?<=[{{( ])(?:{'|'.join(STATUSES)})(?=[,}};) ])"),
             lambda found: STATUSES[found.group()], 2, None, re.compile(API)),
    Operator("other factor", "cpp", re.compile(rf"(?<= [*/] )(?:{'|'.join(map(re.escape, FACTORS))})(?=[;,) ])"),
             lambda found: FACTORS[found.group()], 2, re.compile(r"reserve|resize")),
    Operator("other factor", "cpp", re.compile(rf"(?<= = )(?:{'|'.join(map(re.escape, FACTORS))})(?=;)"),
             lambda found: FACTORS[found.group()], 2, re.compile(SIZES)),
    word_operator("min for max", "cpp", swapped(("std::min(", "std::max("), ("std::min<", "std::max<"),
                                                ("min_element(", "max_element(")), weight=2),
    row("dropped bound", "cpp", rf"std::(?:min|max)(?:<[\w:]+>)?\(({ARGUMENT}), ({ARGUMENT})\)",
        lambda found: f"({found[2] if NUMBER.fullmatch(found[1]) else found[1]})", r"reserve|resize|Bytes", 2),
    row("dropped bound", "cpp", rf"std::clamp(?:<[\w:]+>)?\(({ARGUMENT}), {ARGUMENT}, {ARGUMENT}\)", r"(\1)", "Bytes", 4),
    word_operator("other answer", "cpp", swapped(("true", "false")), r"(?<=\breturn )", r"(?=;)"),
    word_operator("other flag", "cpp", swapped(("true", "false")), r"(?<=, )", r"(?=[,}])",
                  unless=re.compile(r"memory_order|exchange")),
    # A question of one scenario has it in a list.
    word_operator("other end", "cpp", swapped((".front()", ".back()"), ("lower_bound(", "upper_bound("), ("any_of(", "all_of("),
                                              ("std::floor(", "std::ceil("), (".starts_with(", ".ends_with(")),
                  unless=re.compile(r"scenarios\.(?:front|back)")),
    Operator("other default", "cpp", re.compile(r"(?<=\.value_or\()(?:0|1)(\.0)?(?=\))"),
             lambda found: ("1" if found.group()[0] == "0" else "0") + (found[1] or "")),
    row("other start", "cpp", r"(?<=double )(\w+) = 0\.0;", r"\1 = 1.0;", None, 1.0),
]
# What a field allows. Few are drawn: a header is compiled into many files.
FIELDS = [
    row("dropped bound of a field", "cpp", r"(?<=[{ ])\.min = [^,}\n]+, (?=\.)", "", r"\.min = -"),
    row("dropped bound of a field", "cpp", r"(?<= )\.max = [^,}\n]+", ".max = kLargest", r"kLargest"),
    row("dropped bound of a field", "cpp", r" \.above_min = true,", ""),
    row("field not required", "cpp", r" \.required = true,", ""),
]
SQL_IN_CPP = [
    row("dropped condition", "sql_in_cpp", r" AND (?:\w+\.)?\w+ (?:=|<>|<|>) (?:(?:\w+\.)?\w+|'\w+')(?=[\s)]|$)", "",
        r"kind = |BETWEEN| OR "),
    row("dropped condition", "sql_in_cpp", r" AND (?:\w+\.)?\w+ IS (?:NOT )?NULL", ""),
    row("other order", "sql_in_cpp", r"(?<=\w) DESC\b", ""),
    row("other order", "sql_in_cpp", r"(?<=ORDER BY )((?:\w+\.)?\w+)(?= LIMIT|\s*$|\)|,)", r"\1 DESC"),
    row("moved limit of SQL", "sql_in_cpp", r"(?<=\w) (<=|>=|<|>) (?=[$?\w(])",
        lambda found: {"<": " <= ", ">": " >= ", "<=": " < ", ">=": " > "}[found[1]], r"<<|>>|->"),
    word_operator("other aggregate", "sql_in_cpp", swapped(("max(", "min(")), r"\b", r"(?=[\w.]+\))"),
    row("other state", "sql_in_cpp", r"(?<=\bstate = )(\d)\b", lambda found: str((int(found[1]) + 1) % 4)),
    row("other state", "sql_in_cpp", r"(?<=\bdeleted = )([01])\b", lambda found: str(1 - int(found[1]))),
    row("off by one in SQL", "sql_in_cpp", r" [+-] 1\b", ""),
    row("equal for unequal", "sql_in_cpp", r"(?<=\w) <> (?=[$?\w'])", " = "),
]
SQL = [
    row("dropped trigger", "sql", r"^CREATE TRIGGER \w+ BEFORE [^\n]*BEGIN SELECT RAISE[^\n]*END;$", ""),
    row("other default of a column", "sql", r"(?<=DEFAULT )0\b", "1"),
    row("dropped key", "sql", r" UNIQUE(?=,|$)", ""),
    row("equal for unequal", "sql", r"(?<=\w) <> (?=\S)", " = ", r"CREATE INDEX|WHERE [^\n]*;$"),
    row("dropped condition", "sql", r" AND (?:\w+\.)?\w+ (?:=|<>|<|>) (?:\w+\.)?\w+", "", "INDEX|CHECK"),
    row("other order", "sql", r"(?<=ORDER BY )((?:\w+\.)?\w+)(?=[;)\s])", r"\1 DESC"),
]
JS = [
    row("dropped await", "js", r"\bawait (?=[\w(])", "", r"signal|frame"),
    row("negated condition", "js", rf"{JS_CONDITION}(?=\) (?:return|\{{|throw|continue))", negation, None, 2),
    row("skipped check", "js", rf"{JS_CONDITION}(?=\) (?:return|throw|continue))", r"(\1) && false",
        r"aborted|signal|cache", 1.5),
    word_operator("flipped comparison", "js", swapped((" === ", " !== ")), unless=re.compile("typeof|event|key")),
    word_operator("flipped comparison", "js", swapped((" < ", " > "), (" <= ", " >= ")),
                  unless=re.compile(r"\bfor \(|width|height|=>")),
    word_operator("and for or", "js", swapped((" && ", " || "))),
    row("other branch", "js", r"(?<=\? )([\w.]+(?:\([^()\n]*\))?) : ([\w.]+(?:\([^()\n]*\))?)(?=[;,)\n])", r"\2 : \1",
        r"class|width|colou?r"),
    row("number without its currency", "js", rf"\b([mM]oney|shortMoney|fixedMoney)\(({ARGUMENT}), [^()\n]*\)", r"String(\2)",
        r"function|import", 2),
    row("number without its unit", "js", r"\bpercent\(((?:[^(),\n]|\([^()\n]*\))+)\)", r"String(\1)", r"function|import", 2),
    row("flipped sign", "js", r"(?<=[\w)\]]) - (?=[\w(])(?!1\b)", " + ", "width|height|left|right|top|px"),
    row("times for divided by", "js", r"(?<=[\w)\]]) \* (?=[\w(])", " / ", "width|height|left|right|top|px|opacity"),
    row("divided by for times", "js", r"(?<=[\w)\]]) / (?=[\w(])", " * ", "width|height|left|right|top|px|opacity"),
    row("off by one", "js", r"(?<=[\w)\]]) [+-] 1(?=[;,)\]])", "", "width|height|index"),
    row("skipped statement", "js", rf"{STATEMENT}((?:\w+\.)+(?:set|delete|push|append|add)\([^;{{}}\n]*\));$", r"\1;",
        "classList|signal"),
    row("other member", "js", r"(?<=[\w)\]])\.(cost|cash|npv|npv_after_tax|low|high|min|max)\b(?!\()",
        lambda found: {"cost": ".cash", "cash": ".cost", "npv": ".cost", "npv_after_tax": ".npv", "low": ".high", "high": ".low",
                       "min": ".max", "max": ".min"}[found[1]], r"Math", 2),
]
OPERATORS = {"cpp": CPP + SQL_IN_CPP, "fields": FIELDS, "sql": SQL, "js": JS}
