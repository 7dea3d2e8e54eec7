"""Section 4 of docs/model.md, "Placement" and "Fractions of a device": what a replica or gang holds. No rates, no hours."""
from __future__ import annotations

import math

from curves import FORGIVEN, ceil_forgiving, floor_forgiving


def size_of(performance: dict, device: dict) -> tuple[float, float | None]:
    """Devices of a replica or gang, and their memory in GiB (None where the device's is not known); a slice sets both."""
    if "slice" in performance:
        part = device["slices"][performance["slice"]]
        return part["fraction"], part["memory_gib"]
    devices = performance.get("devices", 1)
    return devices, devices * device["memory_gib"] if "memory_gib" in device else None


def spans_hosts(devices: float, per_host: int) -> bool:
    return devices > per_host + FORGIVEN


def devices_held(devices: float, per_host: int) -> float:
    """o(g): with what it leaves useless of its device or host."""
    if spans_hosts(devices, per_host):
        return devices
    if devices < 1:
        return 1 / floor_forgiving(1 / devices)
    return per_host / floor_forgiving(per_host / devices)


def with_spare_hosts(devices: float, per_host: int, spares: int) -> float:
    """o(g) of a gang beside which whole hosts stand by."""
    return (math.ceil(devices / per_host) + spares) * per_host if spares else devices_held(devices, per_host)


def instances_of_gang(devices: float, per_host: int) -> float:
    """I: instances that a gang occupies, below 1 where several fit into one."""
    if spans_hosts(devices, per_host):
        return ceil_forgiving(devices / per_host)
    return 1 / floor_forgiving(per_host / devices_held(devices, per_host))


def replicas_of_host(devices: float, per_host: int) -> int:
    """Replicas that go together when a host does; a replica on several hosts goes alone."""
    return 1 if spans_hosts(devices, per_host) else floor_forgiving(per_host / devices_held(devices, per_host))
