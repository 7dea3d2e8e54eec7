"""Brings the examples' inline copies of catalogue documents up to date, after deploy/catalog/rebuild changed them.

usage: sync_examples.py    (fields stay in the order that the example has; check_documents.py holds the result).
Standard library only.
"""
import json

import check_documents as checks


def text_of(value, indent=0):
    """JSON with two spaces; lists of plain values stay on their line."""
    inner = " " * (indent + 2)
    if isinstance(value, dict) and value:
        fields = (f"{inner}{json.dumps(name)}: {text_of(field, indent + 2)}" for name, field in value.items())
        return "{\n" + ",\n".join(fields) + "\n" + " " * indent + "}"
    if isinstance(value, list) and any(isinstance(entry, dict) for entry in value):
        return "[\n" + ",\n".join(inner + text_of(entry, indent + 2) for entry in value) + "\n" + " " * indent + "]"
    return json.dumps(value, ensure_ascii=False)


def merged(old, new):
    """`new`, its fields in the order of `old`; those that are only in `new` come after the field they follow there."""
    if not (isinstance(old, dict) and isinstance(new, dict)):
        return old if old == new else new
    result = {name: merged(old[name], new[name]) for name in old if name in new}
    order = list(new)
    for position, name in enumerate(order):
        if name not in result:
            before = [other for other in order[:position] if other in result]
            fields = list(result.items())
            fields.insert(list(result).index(before[-1]) + 1 if before else 0, (name, new[name]))
            result = dict(fields)
    return result


def updated(kind, document, catalogue):
    if not isinstance(document, dict):
        return document
    if kind in checks.STORED and document.get("id") in catalogue.get(kind, {}):
        return merged(document, checks.resolve(kind, catalogue[kind][document["id"]], catalogue))
    for name, inner in checks.INSIDE.get(kind, {}).items():
        if name in document:
            document[name] = updated(inner, document[name], catalogue)
    for workload in document.get("workloads", []) if kind == "scenario" else []:
        updated("workload", workload, catalogue)
    for pool in document.get("pools", []) if kind == "scenario" else []:
        updated(pool.get("kind"), pool, catalogue)
    for entry in document.get("runs_on", []) if kind == "workload" else []:
        updated("runs_on", entry, catalogue)
    return document


def main():
    catalogue = checks.load_catalogue()
    for path in sorted((checks.ROOT / "examples").glob("*/*.json")):
        old = path.read_text(encoding="utf-8")
        new = text_of(updated("scenario", json.loads(old), catalogue)) + "\n"
        if new != old:
            path.write_text(new, encoding="utf-8")
            print(path.relative_to(checks.ROOT))


if __name__ == "__main__":
    main()
