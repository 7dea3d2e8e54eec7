#!/usr/bin/env python3
"""Checks the reference catalogue and the examples: ids, references, fields, curves, counts, and that what the examples
hold inline is what the catalogue says. Standard library only.

    python3 tests/reference/check_documents.py        (from the repository's root; exit 1 and the problems, if any)
"""
import json
import math
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

from classes import CLASSES, DEVICE_WEIGHTS, KIN, classes_of, token_mix  # noqa: E402
from document_fields import (  # noqa: E402
    ANNOTATED, ANNOTATIONS, AXES, CHOICES, CURVE_KINDS, FIELDS, INSIDE, KINDS, LISTS, METHODS, PERIODS, STORED)

ROOT = pathlib.Path(__file__).resolve().parents[2]
CATALOG = ROOT / "deploy" / "catalog"
EXAMPLES = ROOT / "examples"
SLUG = re.compile(r"[a-z0-9][a-z0-9._-]{0,127}")
DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
CURRENCY = re.compile(r"[A-Z]{3}")
LOCAL_PATH = re.compile(r"(?<![\w.:/])/(work|home|tmp|root|usr|var)/")

problems = []


def problem(where, text):
    problems.append(f"{where}: {text}")


def load(path):
    def pairs(items):
        names = [name for name, _ in items]
        for name in {n for n in names if names.count(n) > 1}:
            problem(path.name, f"the field {name} stands twice in one object")
        return dict(items)

    text = path.read_text(encoding="utf-8")
    if LOCAL_PATH.search(text):
        problem(path.name, "names a path of some machine: " + LOCAL_PATH.search(text).group())
    return json.loads(text, object_pairs_hook=pairs)


def check_numbers(value, where):
    if isinstance(value, float) and not math.isfinite(value):
        problem(where, "a number is not finite")
    elif isinstance(value, dict):
        for name, inner in value.items():
            check_numbers(inner, f"{where}/{name}")
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            check_numbers(inner, f"{where}/{i}")


def hosted(pool):
    """What an api pool states of its hosted model, or its endpoint does."""
    return {**pool.get("endpoint", {}), **pool}


def check_curve(curve, where):
    kind, axis = curve.get("kind"), curve.get("axis")
    if kind not in AXES:
        problem(where, f"no kind of curve is called {kind}")
    elif axis not in AXES[kind]:
        problem(where, f"a {kind} curve has no axis {axis}")
    points = curve.get("points", [])
    if not points or any(not isinstance(p, list) or len(p) != 2 for p in points):
        problem(where, "points must be pairs [x, y]")
        return
    xs = [p[0] for p in points]
    if axis == "date" and not all(isinstance(x, str) and DATE.fullmatch(x) for x in xs):
        problem(where, "x must be dates, YYYY-MM-DD")
    elif axis != "date" and any(isinstance(x, bool) or not isinstance(x, (int, float)) for x in xs):
        problem(where, "x must be numbers")
    elif any(not a < b for a, b in zip(xs, xs[1:])):
        problem(where, "x is not strictly ascending")
    elif axis in PERIODS and not (0 <= xs[0] and xs[-1] < PERIODS[axis]):
        problem(where, f"x must lie in [0, {PERIODS[axis]})")
    elif axis in ("utilization", "throughput_share", "busy_time", "load") and not (0 <= xs[0] and xs[-1] <= 1):
        problem(where, "x must lie in 0 to 1")
    elif axis in ("batch", "devices") and xs[0] < 1:
        problem(where, "x begins at 1")
    elif axis == "months" and xs[0] < 0:
        problem(where, "x begins at 0")
    if any(isinstance(p[1], bool) or not isinstance(p[1], (int, float)) for p in points):
        problem(where, "y must be numbers")
        return
    ys = [p[1] for p in points]
    if kind != "tariff" and min(ys) < 0:
        problem(where, "y is below 0")
    if kind == "pue" and min(ys) < 1:
        problem(where, "a PUE is below 1")
    if kind == "ramp" and not (0 < min(ys) and max(ys) <= 1):
        problem(where, "a ramp must lie in (0, 1]")
    if curve.get("interpolation") == "log" and (min(ys) <= 0 or axis in PERIODS or axis == "date"):
        problem(where, "log needs a plain axis and y above 0")


class Checker:
    """Walks documents. With a catalogue, ids must resolve in it; in an example (inline) nothing may be an id.
    `places`: replicas larger than their host must say so (spans_hosts), which examples of version 1 don't yet."""

    def __init__(self, catalogue, inline, places=False):
        self.catalogue = catalogue
        self.inline = inline
        self.places = places

    def check(self, kind, document, where):
        if not isinstance(document, dict):
            problem(where, f"must be a {kind}")
            return
        required, optional = FIELDS[kind]
        known = required | optional | (ANNOTATIONS if kind in ANNOTATED else set())
        for name in sorted(set(document) - known):
            problem(where, f"a {kind} has no field {name}")
        for name in sorted(required - set(document)):
            problem(where, f"{name} is required")
        if "id" in document and not (isinstance(document["id"], str) and SLUG.fullmatch(document["id"])):
            problem(where, f"id {document['id']!r} is no slug")
        if "currency" in document and not CURRENCY.fullmatch(document["currency"]):
            problem(where, "currency is no ISO 4217 code")
        for (of, name), allowed in CHOICES.items():
            if of == kind and name in document and document[name] not in allowed:
                problem(where, f"{name} is {document[name]!r}")
        if kind == "curve":
            check_curve(document, where)
        for name, inner in INSIDE.get(kind, {}).items():
            if name in document:
                self.check_inside(name, inner, document[name], f"{where}/{name}")
        for name, inner in LISTS.get(kind, {}).items():
            of = token_mix(document) if name == "token_mix" else document.get(name, [])
            for i, value in of.items() if isinstance(of, dict) else enumerate(of):
                self.check(inner, value, f"{where}/{name}/{i}")
        getattr(self, "check_" + kind, lambda *_: None)(document, where)

    def check_inside(self, name, kind, value, where):
        if isinstance(value, str) and kind in STORED:
            if self.inline:
                problem(where, f"{value!r} is an id; an example holds the document itself")
            elif value not in self.catalogue[kind]:
                problem(where, f"no {kind} has the id {value!r}")
            else:
                value = self.catalogue[kind][value]
        elif isinstance(value, dict):
            self.check(kind, value, where)
        elif kind != "curve" or isinstance(value, bool) or not isinstance(value, (int, float)):
            problem(where, f"must be a {kind}")
        if kind == "curve" and isinstance(value, dict) and value.get("kind") not in CURVE_KINDS[name]:
            problem(where, f"{name} can't read a {value.get('kind')} curve")

    def check_device(self, device, where):
        if device.get("idle_w", 0) > device.get("tdp_w", 0):
            problem(where, "idle_w is above tdp_w")
        if "released" in device and not DATE.fullmatch(device["released"]):
            problem(where, "released is no date")

    def check_offer(self, offer, where):
        committed = offer.get("purchase") in ("reserved", "committed", "dedicated", "block")
        if offer.get("upfront", 0) > 0 and not (committed and ("term_months" in offer or "term_days" in offer)):
            problem(where, "upfront needs a commitment with term_months")
        if "resale" in offer and not (offer.get("purchase") in ("reserved", "committed") and "term_months" in offer):
            problem(where, "resale is of a term in months")
        if "begins_at_utc_hour" in offer and "term_days" not in offer:
            problem(where, "begins_at_utc_hour is of days")

    def check_performance(self, performance, where):
        if ("units_per_s" in performance) == ("estimate" in performance):
            problem(where, "one of units_per_s and estimate")
        if "device" in performance and self.catalogue:
            name = performance["device"] if isinstance(performance["device"], str) else performance["device"].get("id")
            device = self.catalogue["device"].get(name, {})
            for one, many in (("framework", "frameworks"), ("precision", "precisions")):
                if one in performance and device.get(many) and performance[one] not in device[many]:
                    problem(where, f"{name} does not list {one} {performance[one]}")

        devices = performance.get("devices", 1)
        if not (0 < devices < 1 or devices >= 1 and devices == int(devices)):
            problem(where, f"devices is {devices}: a fraction of one device, or a whole number")
        if "slice" in performance and "devices" in performance:
            problem(where, "one of slice and devices")
        if set(performance.get("class_weights", {})) - set(CLASSES):
            problem(where, "class_weights names a class that there is not")

    def check_estimate(self, estimate, where):
        for name in sorted(METHODS.get(estimate.get("method"), set()) - set(estimate)):
            problem(where, f"{estimate['method']} needs {name}")

    def check_workload(self, workload, where):
        required, errors = KINDS.get(workload.get("kind"), (set(), set()))
        for name in sorted(required - set(workload)):
            problem(where, f"{name} is required")
        for name in sorted(errors & set(workload)):
            problem(where, f"{name} on a workload of kind {workload['kind']}")
        if workload.get("kind") == "training" and ("epochs" in workload) == ("epochs_per_month" in workload):
            problem(where, "a training workload has either epochs or epochs_per_month")
        falls_back = "fall_back_after_days" in workload
        if falls_back and ("epochs" not in workload or len(workload["runs_on"]) < 2 or workload.get("routing") == "cheapest"):
            problem(where, "a run of epochs falls back to the last of two entries or more, in order")
        for name in ("units_per_request", "cost_weights"):
            if isinstance(workload.get(name), dict):
                self.check("by_class", workload[name], f"{where}/{name}")
        if workload.get("token_mix") and abs(sum(bucket["share"] for bucket in token_mix(workload)) - 1) > 1e-6:
            problem(where, "shares of token_mix must add up to 1")

    def check_api(self, pool, where):
        price = hosted(pool).get("price_per_million_units")
        if ("endpoint" in pool) == ("price_per_million_units" in pool):
            problem(where, "an api pool has a price, or an endpoint")
            return
        by_class = isinstance(price, dict) and "points" not in price
        if by_class:
            self.check("by_class", price, f"{where}/price_per_million_units")
        for value in price.values() if by_class else [price]:
            self.check_inside("price_per_million_units", "curve", value, f"{where}/price_per_million_units")

    def check_slice(self, part, where):
        if not 0 < part.get("fraction", 0) <= 1:
            problem(where, "a fraction lies in (0, 1]")

    def check_purchase(self, purchase, where):
        if "lease" in purchase and ("price" in purchase or "loan" in purchase):
            problem(where, "a lease stands in place of a price and a loan")

    def check_allocation(self, allocation, where):
        if abs(sum(allocation.get("shares", {"": 1}).values()) - 1) > 1e-9:
            problem(where, "shares must add up to 1")

    def check_entry(self, workload, entry, pool, where):
        """A workload on a pool: prices for its classes, or a replica that its host and device can hold."""
        classes = classes_of(workload)
        if pool["kind"] == "api":
            price = hosted(pool)["price_per_million_units"]
            if workload["kind"] == "training":
                problem(where, "training on a hosted model")
            if isinstance(price, dict) and "points" not in price:
                wanted = {"input"} if classes is None else {KIN.get(c, c) for c in classes}
                for name in sorted(wanted - set(price)):
                    problem(where, f"the pool states no price of {name}")
            return
        performance = entry.get("performance")
        holder = pool["offer"] if pool["kind"] == "cloud" else pool["server"]
        if not isinstance(performance, dict) or not isinstance(holder, dict) or not isinstance(holder["device"], dict):
            return  # ids: what they name is checked in its place
        name, slices = performance.get("slice"), holder["device"].get("slices", {})
        if name is not None and name not in slices:
            problem(where, f"the device has no slice {name}")
        spans = performance.get("devices", 1) > holder["devices"] and name is None
        if self.places and spans and workload["kind"] == "inference" and not performance.get("spans_hosts"):
            problem(where, "a replica is larger than its host (spans_hosts)")
        weights = DEVICE_WEIGHTS | performance.get("class_weights", {})
        if classes and not any(weights[c] * units for c, units in classes.items()):
            problem(where, "a request takes nothing of the device")

    def check_scenario(self, scenario, where):
        for i, pool in enumerate(scenario.get("pools", [])):
            if pool.get("kind") not in ("cloud", "api", "owned"):
                problem(f"{where}/pools/{i}", f"kind is {pool.get('kind')}")
            else:
                self.check(pool["kind"], pool, f"{where}/pools/{i}")
        pools = {p.get("id"): p for p in scenario.get("pools", [])}
        for i, workload in enumerate(scenario.get("workloads", [])):
            self.check("workload", workload, f"{where}/workloads/{i}")
            shares = [entry.get("share") for entry in workload.get("runs_on", [])]
            if any(share is not None for share in shares) and (None in shares or abs(sum(shares) - 1) > 1e-9):
                problem(f"{where}/workloads/{i}", f"shares are {shares}")
            for j, entry in enumerate(workload.get("runs_on", [])):
                if entry.get("pool") not in pools:
                    problem(f"{where}/workloads/{i}", f"no pool is called {entry.get('pool')}")
                else:
                    self.check_entry(workload, entry, pools[entry["pool"]], f"{where}/workloads/{i}/runs_on/{j}")


def resolve(kind, document, catalogue):
    """The document with the ids in it replaced by the documents that they name."""
    result = dict(document)
    for name, inner in INSIDE.get(kind, {}).items():
        value = result.get(name)
        if isinstance(value, str) and inner in STORED:
            value = catalogue[inner].get(value)
        if isinstance(value, dict) and inner in STORED:
            result[name] = resolve(inner, value, catalogue)
    return result


def difference(a, b, where=""):
    """Where a copy differs from the catalogue's document; "" of the whole. Copies leave out what no figure of a scenario reads."""
    if isinstance(a, dict) and isinstance(b, dict):
        for name in sorted((set(a) | set(b)) - ({"links"} - set(a))):
            if name not in a or name not in b:
                return f"{where}/{name} is in one of the two only"
            found = difference(a[name], b[name], f"{where}/{name}")
            if found:
                return found
        return None
    return None if a == b else (where or "/")


def compare_inline(kind, document, where, catalogue):
    """Every inline document that carries the id of a stored one must be that one; others say that they are assumed or estimated."""
    if not isinstance(document, dict):
        return
    if kind in STORED and document.get("id") in catalogue.get(kind, {}):
        found = difference(document, resolve(kind, catalogue[kind][document["id"]], catalogue))
        if found:
            problem(where, f"differs from the catalogue's {kind} {document['id']} at {found}")
    elif kind in ("device", "offer", "server", "site", "performance"):
        is_ours = document.get("basis") == "estimated" or str(document.get("id")).startswith("assumed.")
        if not is_ours or not (document.get("source") or document.get("note")):
            problem(where, f"the {kind} {document.get('id')} is neither in the catalogue nor said to be estimated or assumed")
    for name, inner in INSIDE.get(kind, {}).items():
        compare_inline(inner, document.get(name), f"{where}/{name}", catalogue)
    if kind == "scenario":
        for i, workload in enumerate(document.get("workloads", [])):
            compare_inline("workload", workload, f"{where}/workloads/{i}", catalogue)
        for i, pool in enumerate(document.get("pools", [])):
            compare_inline(pool.get("kind"), pool, f"{where}/pools/{i}", catalogue)
    if kind == "workload":
        for i, entry in enumerate(document.get("runs_on", [])):
            compare_inline("runs_on", entry, f"{where}/runs_on/{i}", catalogue)


def check_counts(catalogue):
    offers = catalogue["offer"].values()
    has = lambda test: sum(1 for offer in offers if test(offer))
    counts = [
        ("devices", len(catalogue["device"]), 25),
        ("offers", len(offers), 60),
        ("providers", len({o.get("provider") for o in offers}), 5),
        ("on-demand offers", has(lambda o: o["purchase"] == "on_demand"), 1),
        ("spot offers", has(lambda o: o["purchase"] == "spot"), 1),
        ("offers of 12 months", has(lambda o: o.get("term_months") == 12), 1),
        ("offers of 36 months", has(lambda o: o.get("term_months") == 36), 1),
        ("offers with a price by date", has(lambda o: isinstance(o["hourly_price"], (dict, str))), 3),
        ("devices with a power curve", sum(1 for d in catalogue["device"].values() if "power" in d), 1),
        ("servers", len(catalogue["server"]), 5),
        ("sites", len(catalogue["site"]), 4),
        ("performances", len(catalogue["performance"]), 20),
    ]
    for name, number, least in counts:
        if number < least:
            problem("catalogue", f"{number} {name}; at least {least}")
    return counts


def load_catalogue():
    catalogue = {}
    for kind in STORED:
        path = CATALOG / f"{kind}s.json"
        catalogue[kind] = {}
        if not path.exists():
            problem(path.name, "is missing")
            continue
        for i, document in enumerate(load(path)):
            where = f"{path.name}/{i} {document.get('id')}"
            if document.get("id") in catalogue[kind]:
                problem(where, "another document has this id")
            if not str(document.get("source", "")).strip():
                problem(where, "has no source")
            if "id" not in document:
                problem(where, "has no id")
            catalogue[kind][document.get("id")] = document
    return catalogue


def main():
    catalogue = load_catalogue()
    stored = Checker(catalogue, inline=False)
    for kind in STORED:
        for name, document in catalogue[kind].items():
            check_numbers(document, f"{kind} {name}")
            stored.check(kind, document, f"{kind} {name}")
    counts = check_counts(catalogue)
    examples = sorted(EXAMPLES.glob("*/*.json"))
    names = {}
    for path in examples:
        where = str(path.relative_to(ROOT))
        scenario = load(path)
        check_numbers(scenario, where)
        Checker(catalogue, inline=True).check("scenario", scenario, where)
        compare_inline("scenario", scenario, where, catalogue)
        if not scenario.get("name"):
            problem(where, "has no name")
        if names.setdefault((path.parent, scenario.get("name")), path) != path:
            problem(where, "has the name of another alternative")
    for directory in sorted({path.parent for path in examples}):
        if not (directory / "README.md").exists():
            problem(str(directory.relative_to(ROOT)), "has no README.md")
    for text in problems:
        print(text)
    print(", ".join(f"{number} {name}" for name, number, _ in counts) + f", {len(examples)} example scenarios: " +
          (f"{len(problems)} problems" if problems else "no problems"))
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
