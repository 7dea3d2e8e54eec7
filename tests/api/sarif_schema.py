"""What the published schema of SARIF 2.1.0 demands of the objects that the gate writes, and a checker of it. No tests here.

Source: OASIS, sarif-schema-2.1.0.json of errata 01 (oasis-tcs/sarif-spec, sarif-2.1/schema, commit
e0583813964ec43cea53b6b531b402866095ed1f): names, types, what is required, one of several, and words. No object may have others.
"""

TEXT, WHOLE = str, int
BAG = dict  # a bag of properties: anything
# By object: its members, those that are required, and those of which one is.
OBJECTS = {
    "log": ({"$schema": TEXT, "version": ("2.1.0",), "runs": ["run"], "properties": BAG}, ["version", "runs"], []),
    "run": ({"tool": "tool", "results": ["result"], "automationDetails": "automation", "invocations": list, "artifacts": list,
             "columnKind": ("utf16CodeUnits", "unicodeCodePoints"), "properties": BAG}, ["tool"], []),
    "tool": ({"driver": "component", "extensions": ["component"], "properties": BAG}, ["driver"], []),
    "component": ({"name": TEXT, "version": TEXT, "semanticVersion": TEXT, "informationUri": TEXT, "fullName": TEXT,
                   "organization": TEXT, "rules": ["rule"], "properties": BAG}, ["name"], []),
    "rule": ({"id": TEXT, "name": TEXT, "shortDescription": "words", "fullDescription": "words", "help": "words", "helpUri": TEXT,
              "properties": BAG}, ["id"], []),
    "words": ({"text": TEXT, "markdown": TEXT, "properties": BAG}, ["text"], []),
    "automation": ({"id": TEXT, "guid": TEXT, "correlationGuid": TEXT, "description": "message", "properties": BAG}, [], []),
    "result": ({"ruleId": TEXT, "ruleIndex": WHOLE, "kind": ("notApplicable", "pass", "fail", "review", "open", "informational"),
                "level": ("none", "note", "warning", "error"), "message": "message", "locations": ["location"],
                "partialFingerprints": {"": TEXT}, "fingerprints": {"": TEXT}, "guid": TEXT, "rank": float, "properties": BAG},
               ["message"], []),
    "message": ({"text": TEXT, "markdown": TEXT, "id": TEXT, "arguments": list, "properties": BAG}, [], ["text", "id"]),
    "location": ({"id": WHOLE, "physicalLocation": "place", "logicalLocations": list, "message": "message", "properties": BAG},
                 [], []),
    "place": ({"artifactLocation": "artifact", "address": dict, "region": "region", "contextRegion": "region", "properties": BAG},
              [], ["address", "artifactLocation"]),
    "artifact": ({"uri": TEXT, "uriBaseId": TEXT, "index": WHOLE, "description": "message", "properties": BAG}, [], []),
    "region": ({"startLine": WHOLE, "startColumn": WHOLE, "endLine": WHOLE, "endColumn": WHOLE, "charOffset": WHOLE,
                "byteOffset": WHOLE, "charLength": WHOLE, "byteLength": WHOLE, "properties": BAG}, [],
               ["startLine", "charOffset", "byteOffset"]),
}
LEAST = {"startLine": 1, "startColumn": 1, "endLine": 1, "endColumn": 1, "ruleIndex": -1, "index": -1, "id": -1}


def wrong_with(value, of="log", at=""):
    """Sentences, each with the place; none where the value keeps the schema."""
    if isinstance(of, str):
        return wrong_with_object(value, of, at)
    if isinstance(of, list):
        return ([f"{at} is no list"] if not isinstance(value, list) else
                [wrong for i, entry in enumerate(value) for wrong in wrong_with(entry, of[0], f"{at}/{i}")])
    if isinstance(of, tuple):
        return [] if value in of else [f"{at} is {value!r}, none of {of}"]
    if isinstance(of, dict):
        return [wrong for name, entry in value.items() for wrong in wrong_with(entry, of[""], f"{at}/{name}")]
    is_kind = isinstance(value, (int, float) if of is float else of) and not isinstance(value, bool)
    name = at.rsplit("/", 1)[-1]
    return ([f"{at} is {value!r}, no {of.__name__}"] if not is_kind else
            [f"{at} is {value}, below {LEAST[name]}"] if of is WHOLE and value < LEAST.get(name, 0) else [])


def wrong_with_object(value, of, at):
    if not isinstance(value, dict):
        return [f"{at} is no object"]
    members, required, one_of = OBJECTS[of]
    wrong = [f"{at} has no {name}" for name in required if name not in value]
    wrong += [f"{at} has none of {one_of}"] if one_of and not set(one_of) & set(value) else []
    for name, member in value.items():
        wrong += wrong_with(member, members[name], f"{at}/{name}") if name in members else [f"{at} may have no {name}"]
    return wrong
