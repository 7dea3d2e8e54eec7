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

ROOT = pathlib.Path(__file__).resolve().parents[2]
CATALOG = ROOT / "deploy" / "catalog"
EXAMPLES = ROOT / "examples"
SLUG = re.compile(r"[a-z0-9][a-z0-9._-]{0,127}")
DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
CURRENCY = re.compile(r"[A-Z]{3}")
LOCAL_PATH = re.compile(r"(?<![\w.:/])/(work|home|tmp|root|usr|var)/")

ANNOTATIONS = {"id", "source", "note"}
# docs/api.md, section 1: required fields first.
FIELDS = {
    "curve": ({"kind", "axis", "points"}, {"interpolation", "outside"}),
    "device": ({"kind", "tdp_w"}, {"vendor", "memory_gib", "memory_bandwidth_gb_per_s", "idle_w", "power", "peak_flops",
                                   "frameworks", "precisions", "ownable", "released"}),
    "offer": ({"provider", "device", "devices", "purchase", "hourly_price"},
              {"region", "sku", "price_growth_rate", "upfront", "term_months", "interruptions_per_hour", "egress_per_gb",
               "site", "currency"}),
    "server": ({"device", "devices", "price", "life_months"},
               {"network_price", "storage_price", "price_change_rate", "residual_fraction", "host_idle_w", "host_max_w",
                "rack_units", "maintenance_rate", "software_per_device_year", "failures_per_hour", "embodied_kg",
                "currency"}),
    "site": ({"energy_price"}, {"time_zone", "energy_price_growth_rate", "demand_charge_per_kw_month", "pue",
                                "carbon_g_per_kwh", "space_per_kw_month", "space_per_rack_month", "rack_units_per_rack",
                                "facility_price_per_w", "facility_life_months", "rack_kw", "fte", "fte_per_server",
                                "salary_per_year", "network_per_month", "storage_per_month", "currency"}),
    "performance": (set(), {"device", "devices", "units_per_s", "estimate", "batch", "scaling", "input_units_per_s",
                            "precision", "framework", "latency_s", "basis"}),
    "scenario": ({"start", "months", "workloads", "pools"},
                 {"name", "time_zone", "currency", "exchange_rates", "finance"}),
    "finance": (set(), {"discount_rate", "capital", "tax_rate", "tax_depreciation", "tax_depreciation_rate",
                        "carbon_price_per_tonne", "engineer_week_cost"}),
    "workload": ({"id", "kind", "runs_on"},
                 {"unit", "routing", "framework", "precision", "memory_gib", "egress_gb_per_unit",
                  "unserved_cost_per_unit", "checkpoint", "units_per_request", "output_cost_ratio", "demand",
                  "peak_utilization", "latency_objective_s", "units_per_epoch", "epochs_per_month"}),
    "runs_on": ({"pool"}, {"performance", "porting"}),
    "demand": (set(), {"mean_per_s", "utilization", "reference_devices", "units_per_s_per_device", "shape",
                       "growth_per_month", "time_zone"}),
    "checkpoint": (set(), {"write_s", "restart_s", "interval_s"}),
    "porting": (set(), {"engineer_weeks"}),
    "estimate": ({"method", "mfu", "active_parameters"}, {"mbu", "weight_bytes", "kv_bytes_per_sequence"}),
    "cloud": ({"id", "kind", "offer", "max_instances"}, {"min_instances", "ramp_months"}),
    "api": ({"id", "kind", "price_per_million_units"}, {"max_units_per_s", "provider", "model"}),
    "owned": ({"id", "kind", "server", "site", "purchases"}, {"refresh", "ramp_months", "load_balancing"}),
    "purchase": ({"month", "servers"}, {"price"}),
    "unit_price": ({"input", "output"}, set()),
}
ANNOTATED = {"curve", "device", "offer", "server", "site", "performance", "scenario", "workload", "cloud", "api", "owned"}
# Where a document stands inside another: field -> its kind.
INSIDE = {
    "device": {"power": "curve"},
    "offer": {"device": "device", "site": "site", "hourly_price": "curve"},
    "server": {"device": "device", "residual_fraction": "curve"},
    "site": {"energy_price": "curve", "pue": "curve", "carbon_g_per_kwh": "curve"},
    "performance": {"device": "device", "units_per_s": "curve", "latency_s": "curve", "scaling": "curve",
                    "estimate": "estimate"},
    "scenario": {"finance": "finance"},
    "workload": {"demand": "demand", "checkpoint": "checkpoint", "epochs_per_month": "curve"},
    "runs_on": {"performance": "performance", "porting": "porting"},
    "demand": {"shape": "curve", "utilization": "curve"},
    "cloud": {"offer": "offer"},
    "api": {},
    "owned": {"server": "server", "site": "site"},
}
STORED = ("curve", "device", "site", "offer", "server", "performance")
CURVE_KINDS = {"hourly_price": {"price"}, "power": {"power"}, "pue": {"pue"}, "energy_price": {"tariff"},
               "carbon_g_per_kwh": {"carbon"}, "utilization": {"utilization"}, "shape": {"demand"},
               "units_per_s": {"throughput"}, "latency_s": {"latency", "throughput"}, "scaling": {"scaling"},
               "residual_fraction": {"residual"}, "epochs_per_month": {"demand"}}
AXES = {"price": {"date"}, "power": {"utilization"}, "pue": {"load", "hour_of_week", "hour_of_day", "hour_of_year"},
        "tariff": {"hour_of_week", "hour_of_day", "hour_of_year", "date"}, "residual": {"age_months"},
        "throughput": {"batch", "devices"}, "latency": {"batch"}, "scaling": {"devices"}}
AXES["carbon"] = AXES["utilization"] = AXES["demand"] = AXES["tariff"]
PERIODS = {"hour_of_day": 24, "hour_of_week": 168, "hour_of_year": 8760}
CHOICES = {
    ("device", "kind"): {"gpu", "tpu", "asic", "cpu"},
    ("offer", "purchase"): {"on_demand", "spot", "reserved", "committed", "dedicated"},
    ("performance", "basis"): {"measured", "interpolated", "extrapolated", "estimated", "assumed"},
    ("curve", "interpolation"): {"linear", "step", "log"},
    ("curve", "outside"): {"hold", "error"},
    ("estimate", "method"): {"training_flops", "decode_roofline"},
    ("workload", "kind"): {"inference", "training"},
    ("workload", "routing"): {"in_order", "cheapest"},
}

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
    elif axis in ("utilization", "load") and not (0 <= xs[0] and xs[-1] <= 1):
        problem(where, "x must lie in 0 to 1")
    elif axis in ("batch", "devices") and xs[0] < 1:
        problem(where, "x begins at 1")
    if any(isinstance(p[1], bool) or not isinstance(p[1], (int, float)) for p in points):
        problem(where, "y must be numbers")
        return
    ys = [p[1] for p in points]
    if kind != "tariff" and min(ys) < 0:
        problem(where, "y is below 0")
    if kind == "pue" and min(ys) < 1:
        problem(where, "a PUE is below 1")
    if curve.get("interpolation") == "log" and (min(ys) <= 0 or axis in PERIODS or axis == "date"):
        problem(where, "log needs a plain axis and y above 0")


class Checker:
    """Walks documents. With a catalogue, ids must resolve in it; in an example (inline) nothing may be an id."""

    def __init__(self, catalogue, inline):
        self.catalogue = catalogue
        self.inline = inline

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
        committed = offer.get("purchase") in ("reserved", "committed", "dedicated")
        if offer.get("upfront", 0) > 0 and not (committed and "term_months" in offer):
            problem(where, "upfront needs a commitment with term_months")

    def check_performance(self, performance, where):
        if ("units_per_s" in performance) == ("estimate" in performance):
            problem(where, "one of units_per_s and estimate")
        if "device" in performance and self.catalogue:
            name = performance["device"] if isinstance(performance["device"], str) else performance["device"].get("id")
            device = self.catalogue["device"].get(name, {})
            for one, many in (("framework", "frameworks"), ("precision", "precisions")):
                if one in performance and device.get(many) and performance[one] not in device[many]:
                    problem(where, f"{name} does not list {one} {performance[one]}")

    def check_workload(self, workload, where):
        for i, entry in enumerate(workload.get("runs_on", [])):
            self.check("runs_on", entry, f"{where}/runs_on/{i}")

    def check_api(self, pool, where):
        price = pool.get("price_per_million_units")
        if isinstance(price, dict) and "points" not in price:
            self.check("unit_price", price, f"{where}/price_per_million_units")

    def check_owned(self, pool, where):
        for i, purchase in enumerate(pool.get("purchases", [])):
            self.check("purchase", purchase, f"{where}/purchases/{i}")

    def check_scenario(self, scenario, where):
        pools = [p.get("id") for p in scenario.get("pools", [])]
        for i, workload in enumerate(scenario.get("workloads", [])):
            self.check("workload", workload, f"{where}/workloads/{i}")
            for entry in workload.get("runs_on", []):
                if entry.get("pool") not in pools:
                    problem(f"{where}/workloads/{i}", f"no pool is called {entry.get('pool')}")
        for i, pool in enumerate(scenario.get("pools", [])):
            if pool.get("kind") not in ("cloud", "api", "owned"):
                problem(f"{where}/pools/{i}", f"kind is {pool.get('kind')}")
            else:
                self.check(pool["kind"], pool, f"{where}/pools/{i}")


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
    if isinstance(a, dict) and isinstance(b, dict):
        for name in sorted(set(a) | set(b)):
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
