"""Puts deploy/catalog/*.json together from what `costcurve export` wrote, a file a kind, sorted by id.

usage: assemble.py EXPORT SOURCES DIRECTORY
Documents of SOURCES/ours stand as they are there. To the others SOURCES/additions.json adds what their publishers do not say, or say
wrongly: it lists {"kind", "ids", "set", "prepend", "append", "remove"}. `set` is merged into the documents of these ids (`*` stands for
any text; null removes a field), texts of `prepend` and `append` come before and after those that are there, and `remove` says why the
documents are left out. Standard library only.
"""
import csv
import fnmatch
import json
import math
import pathlib
import sys

KEPT_BY_THE_STORE = ("revision", "recorded_at", "recorded_by")
# Fields that say what a document without them says; docs/api.md, section 1.
DEFAULTS = {"offers": {"price_growth_rate": 0, "upfront": 0, "interruptions_per_hour": 0, "egress_per_gb": 0},
            "devices": {"idle_w": 0, "ownable": True, "frameworks": [], "precisions": []},
            "measurements": {"kind": "serving", "basis": "measured", "own": False, "percentiles": {}},
            "curves": {"outside": "hold"}, "endpoints": {"batch_price_fraction": 1, "unknown_conditions": []}}
NO_DAY = "1970-01-01"  # stands for a day that the publisher does not state


def merge(document, patch):
    for name, value in patch.items():
        if value is None:
            document.pop(name, None)
        elif isinstance(value, dict) and isinstance(document.get(name), dict):
            merge(document[name], value)
        else:
            document[name] = value


def add(documents, additions):
    for addition in additions:
        patterns = addition["ids"] if isinstance(addition["ids"], list) else [addition["ids"]]
        for pattern in patterns:
            found = [one for one in documents[addition["kind"]] if fnmatch.fnmatchcase(one["id"], pattern)]
            if not found:
                sys.exit(f"additions.json: no document of {addition['kind']} is called {pattern}")
            if "remove" in addition:
                documents[addition["kind"]] = [one for one in documents[addition["kind"]] if one not in found]
            for document in found:
                merge(document, addition.get("set", {}))
                for name, text in addition.get("prepend", {}).items():
                    document[name] = (text + document.get(name, "")).strip()
                for name, text in addition.get("append", {}).items():
                    document[name] = (document.get(name, "") + text).strip()


LINK_KINDS = {"nvidia": "nvlink", "amd": "infinity_fabric", "google": "ici", "intel": "ethernet"}  # where it is not PCIe


def add_links(devices, path):
    """Of links.csv: what the step model reads of a device besides its datasheet."""
    with open(path, encoding="utf-8", newline="") as file:
        links = {row["device"]: row for row in csv.DictReader(file)}
    for device in devices:
        if row := links.pop(device["id"], None):
            kind = "pcie" if row["pcie"] == "yes" else LINK_KINDS[device["id"].split(".")[0]]
            device["links"] = {"intra_gb_per_s": float(row["gb_per_s_one_way"]), "kind": kind}
    if links:
        sys.exit(f"links.csv: no device is called {', '.join(links)}")


def add_mixes(performances, path):
    """Of measured_prompts.csv: the request that a rate of a language model was measured with, and its load where neither a batch nor
    a curve over it says it. Where all tokens are counted, cached ones are too."""
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for performance in performances:
        for row in rows if performance.get("model") and "units_per_s" in performance else ():
            if fnmatch.fnmatchcase(performance["id"], row["ids"]):
                performance["mix"] = {name: number_of(row[column]) for name, column in
                                      (("input", "input"), ("output", "output"), ("cached_input", "cached")) if row[column]}
                if row["cached"] and row["counted"] == "all":
                    performance.setdefault("class_weights", {})["cached_input"] = 1
                if row["batch"] and "batch" not in performance and not isinstance(performance["units_per_s"], (str, dict)):
                    performance["concurrency"] = number_of(row["batch"])


def output_rates(performance, curves):
    """Tokens out a second, a number a point, as measurements count them: units of its mix that are counted are in units_per_s."""
    rate, mix, weights = performance["units_per_s"], performance["mix"], performance.get("class_weights", {})
    rate = curves[rate] if isinstance(rate, str) else rate
    cached = mix.get("cached_input", 0)
    counted = mix["output"] + weights.get("input", 1) * (mix.get("input", 0) - cached) + weights.get("cached_input", 0) * cached
    return [y * mix["output"] / counted for y in ([y for _, y in rate["points"]] if isinstance(rate, dict) else [rate])]


def name_measurements(documents):
    """Rates that stand in measured_rates.csv too name the measurement that has them: of the same publisher, model and devices, with
    most points within 0.4 %, the nearest of several."""
    curves = {curve["id"]: curve for curve in documents["curves"]}
    publisher = lambda document: document["id"].replace(".", "-")[:5]
    for performance in documents["performances"]:
        if "mix" not in performance or "measurement" in performance:
            continue
        rates, near = output_rates(performance, curves), []
        for measurement in documents["measurements"]:
            points = measurement["points"].get("output_per_s")
            if points and publisher(measurement) == publisher(performance) and all(
                    measurement[name] == performance[name] for name in ("model", "device", "devices")):
                distances = [min(abs(math.log(rate / point)) for point in points) for rate in rates]
                if sum(distance < 0.004 for distance in distances) > len(rates) / 2:
                    near.append((sum(distances), measurement["id"]))
        if near:
            performance["measurement"] = min(near)[1]


def number_of(text):
    return int(text) if text.isdigit() else float(text)


def is_number(value):
    """A price or factor that holds on all days: the store has it as a curve, since imports give every figure a day."""
    return isinstance(value, dict) and [point[0] for point in value.get("points", ())] == [NO_DAY]


def number(curve):
    return float(f"{curve['points'][0][1]:.12g}")


def put_numbers(documents):
    """In the places of curves that are numbers, and of their ids."""
    numbers = {curve["id"]: number(curve) for curve in documents["curves"] if is_number(curve)}
    documents["curves"] = [curve for curve in documents["curves"] if curve["id"] not in numbers]
    for document in (one for list_of_kind in documents.values() for one in list_of_kind):
        for name, value in document.items():
            if is_number(value):
                document[name] = number(value)
            elif isinstance(value, str) and name not in ("id", "source", "note"):
                document[name] = numbers.get(value, value)


def tidy(kind, document):
    for name in KEPT_BY_THE_STORE:
        document.pop(name, None)
    for price in (document.get("hourly_price"), *document.get("price_per_million_units", {}).values()):
        if isinstance(price, dict):
            price.pop("outside", None)
    for name, value in DEFAULTS.get(kind, {}).items():
        if document.get(name) == value:
            del document[name]


def text_of(value, indent):
    """JSON with two spaces; lists, and objects of numbers, stay on their line."""
    if not isinstance(value, dict):
        return json.dumps(value, ensure_ascii=False)
    if indent > 2 and not any(isinstance(one, dict) for one in value.values()):
        return json.dumps(value, ensure_ascii=False)
    inner = " " * (indent + 2)
    fields = (f"{inner}{json.dumps(name)}: {text_of(one, indent + 2)}" for name, one in value.items())
    return "{\n" + ",\n".join(fields) + "\n" + " " * indent + "}"


def main():
    export, sources, directory = map(pathlib.Path, sys.argv[1:])
    documents = json.loads(export.read_text(encoding="utf-8"))
    ours = {file.stem: json.loads(file.read_text(encoding="utf-8")) for file in (sources / "ours").glob("*.json")}
    published = {}
    for kind, list_of_kind in documents.items():
        written = {document["id"] for document in ours.get(kind, ())}
        published[kind] = [document for document in list_of_kind if document["id"] not in written]
    for kind, list_of_kind in published.items():
        for document in list_of_kind:
            tidy(kind, document)
    add(published, json.loads((sources / "additions.json").read_text(encoding="utf-8")))
    documents = {kind: list_of_kind + ours.get(kind, []) for kind, list_of_kind in published.items()}
    put_numbers(documents)
    add_links(documents["devices"], sources / "links.csv")
    add_mixes(documents["performances"], sources / "measured_prompts.csv")
    name_measurements(documents)
    for kind, list_of_kind in documents.items():
        list_of_kind.sort(key=lambda document: document["id"])
        text = ",\n".join("  " + text_of(document, 2) for document in list_of_kind)
        (directory / f"{kind}.json").write_text(f"[\n{text}\n]\n", encoding="utf-8")


if __name__ == "__main__":
    main()
