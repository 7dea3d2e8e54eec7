#!/usr/bin/env python3
"""Random valid scenario documents for checking one evaluator against another; equal seeds, equal bytes.

usage: random_scenarios.py --count N --seed S [--version2 [--all-classes | --work [--without ramp …]]] [--eligible]
       NDJSON on stdout, one scenario a line

Without `--version2` nothing is drawn that version 1 of the model does not know (random_version_2.py); without `--work`
nothing that the work of version 2 needs (random_work.py), which the program does not do yet. Once it does, it refuses
some of version 1's replicas and estimates: `--eligible` changes these (eligible.py).

Steps of curves over a computed x (utilization, load) never lie where an evaluator lands by design (0.5, 0.8,
1), so that the last bit of a division does not decide a figure.
"""
from __future__ import annotations

import argparse
import json
import random
from datetime import date, timedelta
from typing import Any

ZONES = ["UTC", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata", "Asia/Kathmandu",
         "America/Sao_Paulo", "Pacific/Apia", "Pacific/Chatham", "America/St_Johns", "America/Havana",
         "Europe/Dublin", "Africa/Casablanca", "Antarctica/Troll", "Asia/Tokyo"]
# Leap and common Februaries, both shifts, past rules (Apia loses a day in 2011-12), the rules after 2037.
STARTS = ["2026-01", "2026-03", "2026-10", "2026-11", "2024-02", "2027-12", "2028-02", "2025-06", "2018-10",
          "2018-02", "2011-12", "2019-01", "2037-10", "2038-01", "2038-03", "2040-02", "2044-11", "2099-12"]
PERIODS = {"hour_of_day": 24, "hour_of_week": 168, "hour_of_year": 8760}
FRAMEWORKS = ["jax", "pytorch", "tensorflow"]
PRECISIONS = ["bf16", "fp8", "int8"]
BASES = ["measured", "measured", "measured", "estimated", "assumed"]
MONEY_UNITS = {"USD": 1.0, "EUR": 1.09, "INR": 0.0119, "JPY": 0.0068, "GBP": 1.27}  # in USD
SMOOTH_OR_STEP = ["linear", "step", "log"]
LATENCY_KIND = "throughput"  # the table of curve kinds has no other kind over batch
EPOCHS_KIND = "demand"  # nor one for epochs by date


class Scenario:
    """Draws one scenario."""

    LENGTHS = [75, 20, 5]  # how often 1 to 3, 4 to 8 and 24 to 60 months are drawn

    def __init__(self, seed: int, index: int):
        self.rng = random.Random(f"{seed}:{index}")
        rng = self.rng
        self.months = rng.choices([rng.randint(1, 3), rng.randint(4, 8), rng.randint(24, 60)], self.LENGTHS)[0]
        self.light = self.months > 8
        self.start = rng.choice(STARTS)
        year, month = int(self.start[:4]), int(self.start[5:])
        self.first_day = date(year, month, 1)
        self.framework, self.precision = rng.choice(FRAMEWORKS), rng.choice(PRECISIONS)
        self.currency = rng.choice(["USD", "USD", *MONEY_UNITS])
        self.foreign = [code for code in MONEY_UNITS if code != self.currency]
        self.devices = [self.device(i) for i in range(1 if self.light else rng.randint(1, 3))]
        if all(d["kind"] == "tpu" for d in self.devices) and rng.random() < 0.7:
            self.devices[0]["kind"] = "gpu"
            self.devices[0].pop("ownable", None)
        self.document = self.scenario(index)

    # ---- numbers

    def flip(self, probability: float = 0.5) -> bool:
        return self.rng.random() < probability

    def num(self, low: float, high: float) -> float:
        """A number of at most five significant digits."""
        return float(f"{self.rng.uniform(low, high):.5g}")

    def log_num(self, low: float, high: float) -> float:
        return float(f"{low * (high / low) ** self.rng.random():.5g}")

    def optional(self, document: dict, probability: float, **fields: Any) -> None:
        """Sets each field with this probability; a function is called for the value."""
        for name, value in fields.items():
            if self.flip(probability):
                document[name] = value() if callable(value) else value

    # ---- curves

    def ascending(self, low: float, high: float, count: int) -> list[float]:
        return sorted({round(self.rng.uniform(low, high), 3) + 0.00037 for _ in range(count)})

    def points(self, kind: str, axis: str, xs: list, ys: list, interpolations: list[str]) -> dict:
        curve = {"kind": kind, "axis": axis, "points": [[x, y] for x, y in zip(xs, ys)]}
        interpolation = self.rng.choice(interpolations)
        if interpolation != "linear" or self.flip(0.3):
            curve["interpolation"] = interpolation
        self.optional(curve, 0.1, source="drawn at random", note="a note")
        return curve

    def periodic(self, kind: str, low: float, high: float) -> dict:
        axis = self.rng.choices(list(PERIODS), [5, 5, 2])[0]
        period = PERIODS[axis]
        count = self.rng.choice([1, 2, 3, 4, 6, 9])
        xs: list = sorted(self.rng.sample(range(period), count))
        if self.flip(0.3):
            xs = [x + self.rng.choice([0, 0.5]) for x in xs]
        levels = [self.num(low, high) for _ in range(3)]  # few levels: hours of equal price
        ys = [self.rng.choice(levels) if self.flip(0.7) else self.num(low, high) for _ in xs]
        return self.points(kind, axis, xs, ys, ["linear", "step", "step"])

    def dated(self, kind: str, low: float, high: float) -> dict:
        span = self.months * 31 + 200
        days = sorted(self.rng.sample(range(-100, span), self.rng.randint(1, 5)))
        xs = [(self.first_day + timedelta(days=d)).isoformat() for d in days]
        if self.flip(0.3):
            xs[0] = self.first_day.isoformat()
        xs = sorted(set(xs))
        curve = self.points(kind, "date", xs, [self.num(low, high) for _ in xs], ["linear", "step"])
        self.optional(curve, 0.2, outside="hold")
        return curve

    def hourly(self, kind: str, low: float, high: float, flat: float = 0.3) -> Any:
        """A number, a periodic or a date curve."""
        if self.flip(flat):
            return self.num(low, high)
        return self.dated(kind, low, high) if self.flip(0.2) else self.periodic(kind, low, high)

    def monthly(self, kind: str, low: float, high: float) -> Any:
        return self.dated(kind, low, high) if self.flip(0.35) else self.num(low, high)

    def rising(self, kind: str, axis: str, xs: list, low: float, high: float, interpolations: list) -> dict:
        ys = sorted(self.num(low, high) for _ in xs)
        return self.points(kind, axis, xs, ys, interpolations)

    # ---- documents

    def device(self, i: int) -> dict:
        idle, tdp = self.num(20, 120), self.num(150, 1200)
        device = {"kind": self.rng.choices(["gpu", "tpu", "asic", "cpu"], [5, 3, 1, 1])[0], "tdp_w": tdp,
                  "peak_flops": {p: self.log_num(5e13, 2e15) for p in PRECISIONS},
                  "memory_bandwidth_gb_per_s": self.num(400, 8000)}
        self.optional(device, 0.8, idle_w=idle, memory_gib=self.rng.choice([16, 24, 32, 80, 141, 192]))
        self.optional(device, 0.5, frameworks=FRAMEWORKS, precisions=PRECISIONS)
        self.optional(device, 0.3, loaded_idle_w=self.num(50, 300))
        self.optional(device, 0.2, vendor="example", id=f"device-{i}", released="2024-03-01", source="random")
        if device["kind"] != "tpu":
            self.optional(device, 0.2, ownable=True)
        if self.flip(0.6):
            xs = self.ascending(0.02, 0.97, self.rng.randint(1, 4))
            if self.flip(0.7):
                xs = [0, *xs, 1]
            log = ["log", "linear"] if xs[0] > 0 else ["linear", "step"]
            device["power"] = self.rising("power", self.rng.choice(["throughput_share", "busy_time", "utilization"]), xs, idle, tdp,
                                          [*log, "linear"])
            if device["power"].get("interpolation") == "step":
                device["power"]["points"] = [p for p in device["power"]["points"] if p[0] != 1]
            elif xs[-1] == 1 and xs[0] == 0:
                self.optional(device["power"], 0.3, outside="error")
        return device

    def with_currency(self, document: dict) -> dict:
        if self.flip(0.25):
            document["currency"] = self.rng.choice(self.foreign)
        elif self.flip(0.3) or self.currency != "USD":
            document["currency"] = self.currency
        return document

    def offer(self) -> dict:
        purchase = self.rng.choice(["on_demand", "on_demand", "spot", "reserved", "committed", "dedicated"])
        devices = self.rng.choice([1, 2, 4, 8, 16])
        offer = {"provider": "example", "device": self.rng.choice(self.devices), "devices": devices,
                 "purchase": purchase, "hourly_price": self.monthly("price", 0.5 * devices, 6 * devices)}
        self.optional(offer, 0.2, region="somewhere-1", sku="x1.large", price_growth_rate=self.num(-0.3, 0.2))
        self.optional(offer, 0.6, egress_per_gb=self.num(0.01, 0.15))
        if self.flip(0.7 if purchase == "spot" else 0.2):
            offer["interruptions_per_hour"] = 1.7 if self.flip(0.3) else self.log_num(1e-5, 0.2)
            self.optional(offer, 0.5, replacement_s=self.num(0, 7200))
        if self.flip(0.5 if purchase == "spot" else 0.05):
            offer["availability_fraction"] = self.num(0.5, 1)
        if purchase in ("reserved", "committed"):
            offer["term_months"] = self.rng.choice([1, 2, 3, 5, 7, 12, 36])
            self.optional(offer, 0.6, upfront=self.num(100, 40000))
        elif purchase == "dedicated" and self.flip(0.4):
            offer |= {"term_months": 1, "upfront": self.num(100, 2000)}
        if self.flip(0.4):
            offer["site"] = self.site(1e9, racks=False)
        return self.with_currency(offer)

    def server(self) -> dict:
        devices = self.rng.choice([1, 2, 4, 8])
        ownable = [d for d in self.devices if d["kind"] != "tpu"]
        server = {"device": self.rng.choice(ownable), "devices": devices, "price": self.num(5000, 400000),
                  "life_months": self.rng.choice([1, 2, 3, 5, 12, 36, 48, 60, self.rng.randint(1, 84)]),
                  "rack_units": self.rng.choice([1, 2, 4, 5, 8, 10])}
        self.optional(server, 0.4, network_price=self.num(500, 30000), storage_price=self.num(500, 30000),
                      price_change_rate=self.num(-0.3, 0.2), maintenance_rate=self.num(0.01, 0.1),
                      software_per_device_year=self.num(100, 5000),
                      failures_per_hour=self.log_num(1e-6, 1e-2), repair_hours=self.num(0, 72), embodied_kg=self.num(500, 5000))
        self.optional(server, 0.8, host_max_w=self.num(400, 1500))
        if "host_max_w" in server:
            server["host_idle_w"] = self.num(50, server["host_max_w"])
        if self.flip(0.3):
            server["residual_fraction"] = self.num(0, 0.5)
        elif self.flip(0.4):
            xs = sorted(self.rng.sample(range(1, 90), self.rng.randint(1, 4)))
            ys = sorted((self.num(0.01, 0.9) for _ in xs), reverse=True)
            server["residual_fraction"] = self.points("residual", "age_months", xs, ys, SMOOTH_OR_STEP)
        return self.with_currency(server)

    def site(self, nameplate_w: float, racks: bool = True) -> dict:
        """A site whose racks carry one server of this nameplate."""
        low = self.rng.choice([-0.05, 0.03, 0.03])
        site = {"energy_price": self.hourly("tariff", low, 0.4, 0.15)}
        self.optional(site, 0.8, time_zone=self.rng.choice(ZONES))
        self.optional(site, 0.6, carbon_g_per_kwh=lambda: self.hourly("carbon", 10, 800))
        self.optional(site, 0.3, energy_price_growth_rate=self.num(-0.05, 0.1), fte=self.num(0.1, 3),
                      fte_per_server=self.num(0.001, 0.05), network_per_month=self.num(100, 5000),
                      storage_per_month=self.num(100, 5000))
        self.optional(site, 0.5, salary_per_year=self.num(30000, 150000),
                      demand_charge_per_kw_month=self.num(1, 25))
        if self.flip(0.4):
            site["pue"] = self.num(1, 2)
        elif self.flip(0.5):
            site["pue"] = self.periodic("pue", 1.02, 1.7)
        elif self.flip(0.8):
            xs = self.ascending(0.05, 0.95, self.rng.randint(1, 4))
            ys = sorted((self.num(1.02, 2) for _ in xs), reverse=True)
            site["pue"] = self.points("pue", "load", xs, ys, SMOOTH_OR_STEP)
        if racks:
            self.optional(site, 0.5, rack_kw=float(f"{nameplate_w / 1000 * self.num(1.01, 5):.5g}"))
            self.optional(site, 0.2, rack_units_per_rack=self.rng.choice([10, 24, 47]))
            if self.flip(0.5):
                self.optional(site, 0.7, space_per_kw_month=self.num(50, 250),
                              space_per_rack_month=self.num(200, 2500))
            elif self.flip(0.7):
                site["facility_price_per_w"] = self.num(2, 15)
                site["facility_life_months"] = self.rng.choice([1, 3, 7, 24, 120, 240])
        return self.with_currency(site)

    # ---- pools

    def cloud_pool(self, i: int) -> dict:
        offer = self.offer()
        most = self.rng.choice([1, 2, 3, 8, 20, 60])
        pool = {"id": f"cloud-{i}", "kind": "cloud", "offer": offer, "max_instances": most}
        if offer["purchase"] not in ("on_demand", "spot"):
            pool["min_instances"] = most
        else:
            self.optional(pool, 0.4, min_instances=self.rng.randint(0, most))
        self.optional(pool, 0.2, ramp_months=self.rng.randint(0, 5))
        return pool

    def owned_pool(self, i: int, server: dict, site: dict) -> dict:
        purchases, life = [], server["life_months"]
        for _ in range(self.rng.choice([1, 1, 2, 3])):
            month = self.rng.choice([0, 0, 0, self.rng.randint(0, self.months - 1),
                                     self.rng.randint(-life, 0), self.rng.randint(-2 * life, 0)])
            purchase = {"month": month, "servers": self.rng.choice([1, 2, 3, 7, 20])}
            self.optional(purchase, 0.25, price=self.num(3000, 300000))
            purchases.append(purchase)
        pool = {"id": f"owned-{i}", "kind": "owned", "server": server, "site": site, "purchases": purchases}
        self.optional(pool, 0.4, refresh=self.flip(0.8), load_balancing=self.rng.choice(["spread", "pack"]))
        self.optional(pool, 0.25, ramp_months=self.rng.randint(0, max(1, min(4, life - 1))))
        return pool

    def api_pool(self, i: int, split: bool) -> dict:
        pool: dict = {"id": f"api-{i}", "kind": "api"}
        if split:
            sides = {side: self.monthly("price", 0.05, 20) for side in ("input", "output")}
            pool["price_per_million_units"] = sides
        else:
            pool["price_per_million_units"] = self.monthly("price", 0.05, 20)
        self.optional(pool, 0.5, max_units_per_s=self.log_num(1, 1e5))
        self.optional(pool, 0.3, provider="example", model="large")
        return pool

    def pools(self, split: bool) -> list[dict]:
        rng = self.rng
        count = rng.choice([1, 2]) if self.light else rng.choice([1, 2, 2, 3, 4])
        can_own = any(d["kind"] != "tpu" for d in self.devices)
        kinds = [rng.choices(["cloud", "owned", "api"], [4, 4 if can_own else 0, 2])[0] for _ in range(count)]
        servers = {i: self.server() for i, kind in enumerate(kinds) if kind == "owned"}
        plates = [s.get("host_max_w", 0) + s["devices"] * s["device"]["tdp_w"] for s in servers.values()]
        sites = [self.site(max(plates, default=1)) for _ in range(2)]
        if all("rack_kw" in site or "space_per_rack_month" not in site for site in sites) and self.flip():
            for server in servers.values():
                server.pop("rack_units")
        pools = []
        for i, kind in enumerate(kinds):
            if kind == "owned":
                pools.append(self.owned_pool(i, servers[i], rng.choice(sites)))  # two pools may name one site
            elif kind == "cloud":
                pools.append(self.cloud_pool(i))
            else:
                pools.append(self.api_pool(i, split and self.flip()))
        return pools

    # ---- workloads

    @staticmethod
    def holder(pool: dict) -> dict:
        return pool["offer"] if pool["kind"] == "cloud" else pool["server"]

    def pool_devices(self, pool: dict) -> int:
        """A rough size, to size the demand by."""
        if pool["kind"] == "cloud":
            return pool["max_instances"] * pool["offer"]["devices"]
        return sum(p["servers"] for p in pool["purchases"]) * pool["server"]["devices"]

    def performance(self, pool: dict, training: bool, speed: float, objective: float | None) -> tuple:
        """A performance, and roughly its units/s per device."""
        device, per = self.holder(pool)["device"], self.holder(pool)["devices"]
        sizes = [1, 1, 2, 4, 8, per, 2 * per] if training else [1, 1, 2, 4, per]
        devices = self.rng.choice([n for n in sizes if n <= self.pool_devices(pool) or self.flip(0.1)] or [1])
        performance: dict = {"devices": devices} if devices > 1 or self.flip() else {}
        per_device = speed * self.num(0.3, 3)
        total = float(f"{per_device * devices:.5g}")
        form = self.rng.choices(["number", "batch", "devices", "estimate"], [4, 4, 2, 2])[0]
        if form == "number":
            performance["units_per_s"] = total
            self.optional(performance, 0.2, batch=self.rng.choice([1, 8, 64]))
        elif form == "batch":
            xs = sorted(self.rng.sample([1, 2, 4, 8, 16, 32, 48, 64, 100, 128, 256], self.rng.randint(2, 5)))
            curve = self.rising("throughput", "batch", xs, 0.3 * total, 1.5 * total, SMOOTH_OR_STEP)
            performance["units_per_s"] = curve
            if objective is None or self.flip(0.3):
                performance["batch"] = self.rng.choice([xs[0], xs[-1], self.rng.randint(1, 300)])
                if objective is not None:
                    self.optional(performance, 0.5, itl_s=float(f"{objective * self.num(0.1, 0.95):.5g}"))
            else:
                fastest = float(f"{objective * self.num(0.2, 0.95):.5g}")
                marks = [1, *sorted(self.rng.sample(range(2, 300), self.rng.randint(1, 3)))]
                slow = self.rising(LATENCY_KIND, "batch", marks, fastest, 6 * fastest, SMOOTH_OR_STEP)
                slow["points"][0][1] = fastest
                performance["itl_s"] = fastest if self.flip(0.15) else slow
        elif form == "devices":
            xs = sorted(self.rng.sample([1, 2, 3, 4, 8, 16, 64], self.rng.randint(1, 4)))
            performance["units_per_s"] = self.rising("throughput", "devices", xs, 0.5 * total, 1.2 * total,
                                                     SMOOTH_OR_STEP)
        else:
            total, per_device = self.estimate(performance, device, devices, training, speed)
        if self.flip(0.25):
            xs = sorted(self.rng.sample([1, 2, 4, 8, 16, 32], self.rng.randint(2, 4)))
            ys = sorted((self.num(0.5, 1) for _ in xs), reverse=True)
            curve = self.points("scaling", "devices", xs, ys, SMOOTH_OR_STEP)
            performance["scaling"] = self.num(0.6, 1) if self.flip(0.2) else curve
        self.optional(performance, 0.15, input_units_per_s=float(f"{total * self.num(0.5, 1.5):.5g}"))
        self.optional(performance, 0.2, framework=self.framework, device=device)
        if "precision" in performance or self.flip(0.2):
            performance["precision"] = self.precision
        self.optional(performance, 0.5, basis=self.rng.choice(BASES))
        return performance, per_device

    def estimate(self, performance: dict, device: dict, devices: int, training: bool, speed: float) -> tuple:
        """A roofline estimate whose parameters give about `speed` a device."""
        performance["precision"] = self.precision
        peak, mfu = device["peak_flops"][self.precision], self.num(0.1, 0.9)
        parameters = float(f"{mfu * peak / (6 * speed) * self.num(0.5, 2):.5g}")
        if training:
            estimate = {"method": "training_flops", "mfu": mfu, "active_parameters": parameters}
        else:
            performance["batch"] = self.rng.choice([1, 8, 64, 200])
            bandwidth = device["memory_bandwidth_gb_per_s"] * 1e9
            weights = float(f"{bandwidth / speed * self.num(1, 50):.5g}")
            estimate = {
                "method": "decode_roofline", "mfu": mfu, "mbu": self.num(0.2, 1.0), "weight_bytes": weights,
                "active_parameters": parameters,
                "kv_bytes_per_sequence": float(f"{weights * self.num(0.001, 0.1):.5g}")}
        performance["estimate"] = estimate
        return speed * devices, speed

    def runs_on(self, pools: list, training: bool, split: bool, speed: float, objective: Any) -> tuple:
        """Entries on some pools in some order, and roughly what they can do in units/s."""
        usable = []
        for pool in pools:
            price = pool.get("price_per_million_units")
            needs_split = isinstance(price, dict) and "input" in price
            if pool["kind"] != "api" or not training and (split or not needs_split):
                usable.append(pool)
        chosen = self.rng.sample(usable, self.rng.randint(1, len(usable))) if usable else []
        entries, capacity = [], 0.0
        for pool in chosen:
            entry: dict = {"pool": pool["id"]}
            if pool["kind"] != "api":
                entry["performance"], per_device = self.performance(pool, training, speed, objective)
                capacity += per_device * self.pool_devices(pool)
            if self.flip(0.25):
                entry["porting"] = {"engineer_weeks": self.num(0, 20)}
            entries.append(entry)
        return entries, capacity or speed * 10

    def workload(self, i: int, pools: list[dict], training: bool, split: bool) -> dict | None:
        speed = self.log_num(0.5, 20000)
        objective = self.log_num(0.01, 5) if not training and self.flip(0.4) else None
        entries, capacity = self.runs_on(pools, training, split, speed, objective)
        if not entries:
            return None
        kind = "training" if training else "inference"
        workload: dict = {"id": f"work-{i}", "kind": kind, "runs_on": entries}
        self.optional(workload, 0.3, unit=self.rng.choice(["token", "image", "sample"]),
                      framework=self.framework, precision=self.precision,
                      routing=self.rng.choice(["in_order", "cheapest", "cheapest"]),
                      egress_gb_per_unit=self.log_num(1e-6, 1e-3),
                      unserved_cost_per_unit=self.log_num(1e-7, 1e-3))
        if len(entries) > 1 and self.flip(0.4):
            workload["routing"] = "cheapest"
        self.fit_memory(workload, pools)
        if self.flip(0.7 if training else 0.3):
            hard = any(p.get("offer", {}).get("interruptions_per_hour", 0) > 1 for p in pools)
            slow = self.flip(0.8 if hard else 0.1)  # writes longer than the time between interruptions
            check: dict = {}
            self.optional(check, 0.7, write_s=5400 if slow else self.num(0, 900), restart_s=self.num(0, 2400))
            self.optional(check, 0.3, interval_s=self.num(600, 20000))
            workload["checkpoint"] = check
        if not training:
            self.optional(workload, 0.25, spare_replicas=self.rng.choice([1, 1, 2, 70]), availability=self.num(0.5, 1))
        level = self.rng.choice([0.02, 0.15, 0.4, 0.8, 1.6]) * self.num(0.7, 1.3) * capacity
        if self.crowd > 1 and self.flip(0.8):
            level /= 2 * self.crowd  # leave something to the others
        if training:
            self.train(workload, level)
        else:
            self.infer(workload, level, split, objective)
        return workload

    def fit_memory(self, workload: dict, pools: list[dict]) -> None:
        """memory_gib that fits on every entry."""
        by_id = {pool["id"]: pool for pool in pools}
        placed = [(self.holder(by_id[e["pool"]])["device"], e["performance"].get("devices", 1))
                  for e in workload["runs_on"] if "performance" in e]
        room = [device.get("memory_gib", 1e9) * devices for device, devices in placed]
        if room and min(room) < 1e8 and self.flip():
            workload["memory_gib"] = float(f"{min(room) * self.num(0.2, 0.99):.5g}")

    def train(self, workload: dict, level: float) -> None:
        epochs = self.rng.choices([0, 0.5, 1, 3, 10], [1, 5, 5, 5, 5])[0] if self.flip(0.7) else None
        workload["epochs_per_month"] = self.dated(EPOCHS_KIND, 0, 4) if epochs is None else epochs
        workload["units_per_epoch"] = float(f"{level * 730 * 3600 / (epochs or 2):.5g}")

    def infer(self, workload: dict, level: float, split: bool, objective: float | None) -> None:
        per_request: Any = 1
        if split:
            per_request = {"input": self.num(1, 3000), "output": self.num(1, 1000)}
            self.optional(workload, 0.4, output_cost_ratio=self.num(1, 8))
        elif self.flip(0.3):
            per_request = self.num(1, 500)
        if split or per_request != 1:
            workload["units_per_request"] = per_request
        units = sum(per_request.values()) if split else per_request
        demand: dict = {}
        if self.flip(0.3):
            devices = self.rng.randint(1, 64)
            demand = {"utilization": self.hourly("utilization", 0, 1), "reference_devices": devices,
                      "units_per_s_per_device": float(f"{2 * level / devices:.5g}")}
            if devices % 2 and isinstance(demand["utilization"], dict):
                demand["utilization"]["utilization_of"] = "throughput_share"
        else:
            demand["mean_per_s"] = 0 if self.flip(0.04) else float(f"{level / units:.5g}")
            self.optional(demand, 0.8, shape=lambda: self.hourly("demand", 0, 2, 0.1))
        self.optional(demand, 0.3, growth_per_month=self.num(-0.1, 0.15))
        self.optional(demand, 0.7, time_zone=self.rng.choice(ZONES))
        workload["demand"] = demand
        self.optional(workload, 0.4, peak_utilization=self.num(0.3, 1))
        if objective is not None:
            workload["slo"] = {"itl_s": objective, "percentile": 0}

    # ---- the whole

    def finance(self) -> dict:
        finance: dict = {}
        self.optional(finance, 0.6, discount_rate=self.num(0.01, 0.2),
                      engineer_week_cost=self.num(1000, 8000))
        self.optional(finance, 0.5, capital=self.rng.choice(["annuity", "annuity", "straight_line"]),
                      carbon_price_per_tonne=self.num(5, 200), tax_rate=self.num(0, 0.45))
        method = self.rng.choice(["straight_line", "macrs_5", "declining_balance", None])
        if method:
            finance["tax_depreciation"] = method
        if method == "declining_balance":
            finance["tax_depreciation_rate"] = self.num(0.1, 0.5)
        return finance

    def scenario(self, index: int) -> dict:
        rng = self.rng
        count = 1 if self.light else rng.choice([1, 1, 2, 3])
        self.crowd = count
        kinds = [(rng.random() < 0.4, rng.random() < 0.4) for _ in range(count)]
        pools = self.pools(any(split for _, split in kinds))
        workloads = [self.workload(i, pools, training, split and not training)
                     for i, (training, split) in enumerate(kinds)]
        workloads = [w for w in workloads if w] or [w for w in [self.workload(0, pools, False, True)] if w]
        scenario: dict = {"name": f"random {index}", "start": self.start, "months": self.months,
                          "workloads": workloads, "pools": pools}
        self.optional(scenario, 0.75, time_zone=rng.choice(ZONES))
        if self.currency != "USD" or self.flip(0.2):
            scenario["currency"] = self.currency
        base = MONEY_UNITS[self.currency]
        scenario["exchange_rates"] = {code: float(f"{MONEY_UNITS[code] / base:.5g}") for code in self.foreign}
        self.optional(scenario, 0.85, finance=self.finance)
        return scenario


def scenarios(count: int, seed: int):
    for index in range(count):
        yield Scenario(seed, index).document


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--version2", action="store_true", help="with the fields of version 2 of the model")
    parser.add_argument("--all-classes", action="store_true", help="with cached input, cache writes, reasoning and cost weights")
    parser.add_argument("--work", action="store_true", help="with the work of version 2: batch, classes, ramp, fractions …")
    parser.add_argument("--without", nargs="*", default=[], help="of --work: features to leave out (FEATURES of random_work.py)")
    parser.add_argument("--eligible", action="store_true", help="without --work: nothing that version 2's eligibility refuses")
    arguments = parser.parse_args()
    documents = scenarios(arguments.count, arguments.seed)
    if arguments.version2:
        from random_version_2 import version_2  # it draws upon this file
        documents = version_2(arguments.count, arguments.seed, arguments.all_classes)
    if arguments.work:
        import random_work  # it draws upon random_version_2.py
        documents = random_work.scenarios(arguments.count, arguments.seed, arguments.without)
    if arguments.eligible:
        from eligible import make_eligible
        documents = map(make_eligible, documents)
    for document in documents:
        print(json.dumps(document))


if __name__ == "__main__":
    main()
