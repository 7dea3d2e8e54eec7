"""Section 6 of docs/model.md, "Pairs": prompts on one pool, answers on another, and the cache of each prompt sent between."""
from __future__ import annotations

import math

from classes import classes_of, token_mix
from outages import NOTHING

PROMPT = ("input", "cached_input", "cache_write")
ASSUMED_GB_PER_S = 12.5


def is_pair(doc: dict) -> bool:
    return "phase" in doc["runs_on"][0]


def prompt_of(doc: dict) -> float:
    return sum(classes_of(doc).get(c, 0) for c in PROMPT)


def in_one_place(pools: list) -> bool:
    """A seller's region, or a site."""
    if all(pool.kind == "cloud" for pool in pools):
        sellers = [(pool.holder.get("provider"), pool.holder.get("region", "")) for pool in pools]
        return sellers[0] == sellers[1] and sellers[0][1] != ""
    ids = [pool.doc["site"].get("id") if pool.kind == "owned" else None for pool in pools]
    return ids[0] is not None and ids[0] == ids[1]


def transfer(doc: dict, pools: list) -> tuple[float, float, bool]:
    """GB of a request's cache, the seconds that it takes, and whether a seller charges for it."""
    sender, together = doc["runs_on"][0], in_one_place(pools)
    gb = sender["cache_bytes_per_token"] * prompt_of(doc) / 1e9
    links = [pool.device.doc.get("links", {}).get("inter_gb_per_s", 0) * max(1, entry["performance"].get("devices", 1))
             for pool, entry in zip(pools, doc["runs_on"])]
    speed = sender.get("link_gb_per_s", min(links) or ASSUMED_GB_PER_S)
    return gb, gb / speed, not together


def halved(units: dict, place: int) -> dict:
    if place == 0:
        return {c: v for c, v in units.items() if c in PROMPT} | {"output": 1}
    answers = {c: v for c, v in units.items() if c not in PROMPT}
    return answers | {"cached_input": sum(units.get(c, 0) for c in PROMPT)}


def half_of(doc: dict, place: int, pools: list) -> dict:
    """What the entry is asked for, as a workload."""
    slo, half = doc.get("slo", {}), dict(doc)
    keep = {"percentile": slo["percentile"]} if "percentile" in slo else {}
    if place == 0:
        left = {"ttft_s": slo["ttft_s"] - transfer(doc, pools)[1]} if "ttft_s" in slo else {}
    else:
        left = {"itl_s": slo["itl_s"]} if "itl_s" in slo else {}
        left |= {"e2e_s": slo["e2e_s"] - slo["ttft_s"]} if "e2e_s" in slo else {}
    half["slo"] = keep | left
    if doc.get("token_mix"):
        half["token_mix"] = [halved({c: v for c, v in bucket.items() if c != "share"}, place) | {"share": bucket["share"]}
                             for bucket in token_mix(doc)]
    if isinstance(doc.get("units_per_request"), dict):
        half["units_per_request"] = halved(doc["units_per_request"], place)
    return half


def units_of(doc: dict) -> float:
    return math.fsum(classes_of(doc).values())


def infer_pair(workload, cal, m: int, serve_hour) -> None:
    """Prompts first; answers are asked for as if all that have room were read, and count for the part of them that is."""
    reader, writer = workload.entries
    demand, phases = workload.hourly_demand(cal, m), len(cal.phases)
    for first in range(0, len(demand), phases):
        moments = range(first, first + phases)
        most = max(demand[h] for h in moments)
        read = {h: serve_hour(reader, cal, m, h, demand[h], most, 1.0) for h in moments}
        room = {h: read[h][1] for h in moments}
        for h in moments:
            served, found, _ = serve_hour(writer, cal, m, h, room[h], max(room.values()), 1.0)
            part = read[h][0] / room[h] if room[h] > 0 else 1.0
            unread, seconds = served * (1 - part), 3600 * cal.lasts(h)
            busy = unread / writer.rate_in(m) * writer.devices
            writer.units[m] -= unread * seconds
            writer.pool.busy[h] -= busy / writer.pool.there
            writer.pool.hours_busy[workload.id] -= busy * cal.lasts(h)
            left = demand[h] - served * part
            left = left if left > NOTHING * demand[h] else 0.0
            workload.demanded[m] += demand[h] * seconds
            workload.unserved[m] += left * seconds
            workload.no_room[m] += min(left, max(0.0, demand[h] - found)) * seconds
