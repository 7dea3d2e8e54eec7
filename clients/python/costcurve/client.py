"""Every operation of costcurve's HTTP interface as a method, and its documents and answers as types.

Made by generate.py from docs/openapi.json: do not edit.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Literal, Required, TypedDict, cast, overload

from .transport import Transport, lines, quoted


class CurveList(TypedDict, total=False):
    items: Required[list[StoredCurve | UnreadableDocument]]
    next: Required[str | None]  # the cursor of the next page; null at the end


class StoredCurve(TypedDict, total=False):
    id: Required[str]  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    kind: Required[Literal["price", "power", "pue", "tariff", "carbon", "utilization", "demand", "throughput", "latency",
        "scaling", "residual", "index", "ramp", "availability"]]
    axis: Required[Literal["utilization", "load", "hour_of_day", "hour_of_week", "hour_of_year", "date", "batch", "devices",
        "age_months", "months", "throughput_share", "busy_time"]]
    interpolation: Literal["linear", "step", "log"]  # between points: a line, the value at the left, or a line of logarithms
    outside: Literal["hold", "error"]  # beyond the ends: hold the last value, or refuse
    currency: str  # ISO 4217 code of y; default that of the document it stands in
    utilization_of: Literal["throughput_share", "busy_time"]  # which one y is; demand of inference is no curve over busy_time
    revision: Required[int]  # counts from 1; the ETag
    recorded_at: Required[str]  # when this revision was stored
    recorded_by: Required[str]  # the name of the API key; local without one
    unknown_fields: list[str]
    warnings: list[str]
    points: Required[list[list[float]]]  # [[x, y], …], x ascending; on the date axis x is a date


class UnreadableDocument(TypedDict, total=False):
    id: Required[str]
    revision: Required[int]
    recorded_at: Required[str]
    recorded_by: Required[str]
    problem: Required[Problem]


class Problem(TypedDict, total=False):
    type: Required[Literal["/problems/bad-request", "/problems/unauthorized", "/problems/forbidden", "/problems/cross_origin",
        "/problems/forbidden_host", "/problems/not-found", "/problems/method-not-allowed", "/problems/not-acceptable",
        "/problems/timeout", "/problems/conflict", "/problems/precondition-failed", "/problems/too-large",
        "/problems/uri-too-long", "/problems/unsupported-media-type", "/problems/expectation-failed", "/problems/invalid",
        "/problems/too-many-requests", "/problems/head-too-large", "/problems/internal", "/problems/not-supported",
        "/problems/saturated", "/problems/version-not-supported"]]
    title: Required[str]
    status: Required[Literal[400, 401, 403, 404, 405, 406, 408, 409, 412, 413, 414, 415, 417, 422, 429, 431, 500, 501, 503, 505]]
    detail: Required[str]
    instance: Required[str]
    errors: Required[list[Issue]]  # at most 1,000; detail has the count


class Issue(TypedDict, total=False):
    pointer: Required[str]  # JSON Pointer (RFC 6901) into the request
    code: Required[Literal["missing", "unknown_field", "wrong_type", "out_of_range", "unknown_value", "bad_format", "not_allowed",
        "not_ascending", "duplicate", "unknown_reference", "unreadable_document", "inconsistent", "missing_exchange_rate",
        "ineligible_framework", "ineligible_precision", "ineligible_memory", "ineligible_latency", "ineligible_device",
        "ineligible_rack_power", "ineligible_capability", "exceeds_memory", "replica_spans_hosts", "outside_curve", "too_large",
        "too_few", "infeasible", "site_conflict", "term_not_whole", "unserved_work", "no_capacity", "unused_purchase",
        "estimated_performance", "zero_rate", "rate_capped", "no_resale_curve", "book_above_market", "term_cut", "loan_in_npv",
        "interruptions_unknown", "availability_unknown", "outages", "held_for_bursts", "link_assumed", "stale_price",
        "price_before_history", "undated_price", "currency_unknown", "exchange_rate_held", "price_condition_unknown",
        "without_hosts", "power_axis_differs", "power_assumed", "power_factor_assumed", "carbon_unknown", "latency_unknown",
        "percentile_differs", "scaling_unknown", "precision_differs", "model_differs", "mix_unknown", "mix_differs",
        "above_ceiling", "cache_unknown", "compatibility_unknown", "slices_mixed", "place_unknown", "one_unit_per_request",
        "low_utilization", "places_pooled", "failures_unknown", "market_level"]]
    message: Required[str]


class Curve(TypedDict, total=False):
    id: str  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    kind: Required[Literal["price", "power", "pue", "tariff", "carbon", "utilization", "demand", "throughput", "latency",
        "scaling", "residual", "index", "ramp", "availability"]]
    axis: Required[Literal["utilization", "load", "hour_of_day", "hour_of_week", "hour_of_year", "date", "batch", "devices",
        "age_months", "months", "throughput_share", "busy_time"]]
    interpolation: Literal["linear", "step", "log"]  # between points: a line, the value at the left, or a line of logarithms
    outside: Literal["hold", "error"]  # beyond the ends: hold the last value, or refuse
    currency: str  # ISO 4217 code of y; default that of the document it stands in
    utilization_of: Literal["throughput_share", "busy_time"]  # which one y is; demand of inference is no curve over busy_time
    revision: float  # of the store's answers; read over where it is sent
    recorded_at: Any  # of the store's answers; read over where it is sent
    recorded_by: Any  # of the store's answers; read over where it is sent
    unknown_fields: Any  # of the store's answers; read over where it is sent
    warnings: Any  # of the store's answers; read over where it is sent
    points: Required[list[list[float]]]  # [[x, y], …], x ascending; on the date axis x is a date


class Revisions(TypedDict, total=False):
    items: Required[list[Revision]]
    next: Required[str | None]  # the cursor of the next page; null at the end


class Revision(TypedDict, total=False):
    revision: Required[int]
    recorded_at: Required[str]
    recorded_by: Required[str]
    deleted: Required[bool]


class DeviceList(TypedDict, total=False):
    items: Required[list[StoredDevice | UnreadableDocument]]
    next: Required[str | None]  # the cursor of the next page; null at the end


class StoredDevice(TypedDict, total=False):
    id: Required[str]  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    kind: Required[Literal["gpu", "tpu", "asic", "cpu"]]  # what it is
    vendor: str  # who makes it
    memory_gib: float  # GiB
    memory_bandwidth_gb_per_s: float  # GB/s
    idle_w: float  # W
    loaded_idle_w: float  # W
    tdp_w: Required[float]  # W
    power: str | CurvePower  # measured power, by share of the largest rate or of busy time; else a default shape of tdp_w
    peak_flops: dict[str, float]  # FLOP/s
    frameworks: list[str]  # frameworks it runs; empty is unknown
    precisions: list[str]  # number formats it computes in; empty is unknown
    capabilities: list[str]  # what workloads may require: dynamic_shapes, custom_kernels, sparsity, fp64; empty is unknown
    links: Interconnect  # what connects it to others
    slices: dict[str, Slice]  # parts that work by themselves (MIG), by name
    ownable: bool  # can be bought; default true, false for a tpu
    released: str  # date of release, YYYY-MM-DD
    revision: Required[int]  # counts from 1; the ETag
    recorded_at: Required[str]  # when this revision was stored
    recorded_by: Required[str]  # the name of the API key; local without one
    unknown_fields: list[str]
    warnings: list[str]


class CurvePower(TypedDict, total=False):
    id: str  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    kind: Required[Literal["power"]]  # what y is
    axis: Required[Literal["throughput_share", "busy_time", "utilization"]]  # what x is
    interpolation: Literal["linear", "step", "log"]  # between points: a line, the value at the left, or a line of logarithms
    outside: Literal["hold", "error"]  # beyond the ends: hold the last value, or refuse
    currency: str  # ISO 4217 code of y; default that of the document it stands in
    utilization_of: Literal["throughput_share", "busy_time"]  # which one y is; demand of inference is no curve over busy_time
    revision: float  # of the store's answers; read over where it is sent
    recorded_at: Any  # of the store's answers; read over where it is sent
    recorded_by: Any  # of the store's answers; read over where it is sent
    unknown_fields: Any  # of the store's answers; read over where it is sent
    warnings: Any  # of the store's answers; read over where it is sent
    points: Required[list[list[float]]]  # [[x, y], …], x ascending; on the date axis x is a date


class Interconnect(TypedDict, total=False):
    intra_gb_per_s: float  # GB/s
    inter_gb_per_s: float  # GB/s
    kind: Literal["nvlink", "infinity_fabric", "ici", "neuronlink", "pcie", "ethernet", "infiniband"]


class Slice(TypedDict, total=False):
    fraction: Required[float]  # fraction
    memory_gib: Required[float]  # GiB


class Device(TypedDict, total=False):
    id: str  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    kind: Required[Literal["gpu", "tpu", "asic", "cpu"]]  # what it is
    vendor: str  # who makes it
    memory_gib: float  # GiB
    memory_bandwidth_gb_per_s: float  # GB/s
    idle_w: float  # W
    loaded_idle_w: float  # W
    tdp_w: Required[float]  # W
    power: str | CurvePower  # measured power, by share of the largest rate or of busy time; else a default shape of tdp_w
    peak_flops: dict[str, float]  # FLOP/s
    frameworks: list[str]  # frameworks it runs; empty is unknown
    precisions: list[str]  # number formats it computes in; empty is unknown
    capabilities: list[str]  # what workloads may require: dynamic_shapes, custom_kernels, sparsity, fp64; empty is unknown
    links: Interconnect  # what connects it to others
    slices: dict[str, Slice]  # parts that work by themselves (MIG), by name
    ownable: bool  # can be bought; default true, false for a tpu
    released: str  # date of release, YYYY-MM-DD
    revision: float  # of the store's answers; read over where it is sent
    recorded_at: Any  # of the store's answers; read over where it is sent
    recorded_by: Any  # of the store's answers; read over where it is sent
    unknown_fields: Any  # of the store's answers; read over where it is sent
    warnings: Any  # of the store's answers; read over where it is sent


class OfferList(TypedDict, total=False):
    items: Required[list[StoredOffer | UnreadableDocument]]
    next: Required[str | None]  # the cursor of the next page; null at the end


class StoredOffer(TypedDict, total=False):
    id: Required[str]  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    provider: Required[str]  # who sells it
    region: str  # the provider's name of the region
    country: str  # two letters of ISO 3166, such as DE; by default that of the region, where the published lists of regions have it
    zone: str  # the provider's name of the availability zone, of a price of that zone alone
    sku: str  # the provider's name of the instance
    device: Required[str | Device]  # the accelerator in it
    devices: Required[int]  # devices/instance
    purchase: Required[Literal["on_demand", "spot", "reserved", "committed", "dedicated", "block"]]  # how it is bought
    hourly_price: Required[float | str | CurvePrice]  # currency/instance-hour
    price_growth_rate: float  # 1/year
    upfront: float  # currency/instance/term
    term_months: int  # months
    term_days: int  # days
    begins_at_utc_hour: float  # hours
    resale: TermResale  # what the rest of a term in months brings where the horizon ends within it; default nothing
    interruptions_per_hour: float  # 1/instance-hour
    replacement_s: float  # s
    availability_fraction: float  # fraction
    boot_s: float  # s
    idle_timeout_s: float  # s
    billing_step_s: float  # s
    minimum_seconds: float  # s
    egress_per_gb: float  # currency/GB
    egress_tiers: list[EgressTier]  # of a month's GB, by destination, in place of egress_per_gb; of one seller all pools together
    volume_tiers: list[VolumeTier]
    storage_per_gb_month: float  # currency/GB/month
    host_idle_w: float  # W/instance
    host_max_w: float  # W/instance
    site: str | Site  # energy and carbon profile of the region
    currency: str  # ISO 4217 code; default the scenario's
    revision: Required[int]  # counts from 1; the ETag
    recorded_at: Required[str]  # when this revision was stored
    recorded_by: Required[str]  # the name of the API key; local without one
    unknown_fields: list[str]
    warnings: list[str]


class CurvePrice(TypedDict, total=False):
    id: str  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    kind: Required[Literal["price"]]  # what y is
    axis: Required[Literal["date"]]  # what x is
    interpolation: Literal["linear", "step", "log"]  # between points: a line, the value at the left, or a line of logarithms
    outside: Literal["hold", "error"]  # beyond the ends: hold the last value, or refuse
    currency: str  # ISO 4217 code of y; default that of the document it stands in
    utilization_of: Literal["throughput_share", "busy_time"]  # which one y is; demand of inference is no curve over busy_time
    revision: float  # of the store's answers; read over where it is sent
    recorded_at: Any  # of the store's answers; read over where it is sent
    recorded_by: Any  # of the store's answers; read over where it is sent
    unknown_fields: Any  # of the store's answers; read over where it is sent
    warnings: Any  # of the store's answers; read over where it is sent
    points: Required[list[list[float]]]  # [[x, y], …], x ascending; on the date axis x is a date


class TermResale(TypedDict, total=False):
    price_fraction: Required[float]  # fraction
    fee_fraction: float  # fraction
    payments_owed_fraction: float  # fraction
    sales_limit: float  # currency


class EgressTier(TypedDict, total=False):
    destination: str  # as a workload's egress_destination names it; default the internet
    above_gb: float  # GB/month
    price_per_gb: Required[float]  # currency/GB


class VolumeTier(TypedDict, total=False):
    above: Required[float]  # device-hours/month, or units/month
    price_factor: Required[float]  # ratio


class Site(TypedDict, total=False):
    id: str  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    region: str  # a name of the place, to which work may be bound
    country: str  # two letters of ISO 3166, such as DE; by default that of the region, where the published lists of regions have it
    time_zone: str  # IANA name; tariffs, PUE and carbon are read in it
    energy_price: Required[float | str | CurveTariff]  # currency/kWh
    energy_price_growth_rate: float  # 1/year
    demand_charge_per_kw_month: float  # currency/kW/month
    pue: float | str | CurvePue  # ratio
    carbon_g_per_kwh: float | str | CurveCarbon  # g/kWh
    space_per_kw_month: float  # currency/kW/month
    space_per_rack_month: float  # currency/rack/month
    rack_units_per_rack: float  # U
    facility_price_per_w: float  # currency/W
    facility_life_months: int  # months
    rack_kw: float  # kW
    fte: float  # people
    fte_per_server: float  # people/server
    salary_per_year: float  # currency/person/year
    network_per_month: float  # currency/month
    storage_per_month: float  # currency/month
    energy_price_index: str | CurveIndex  # multiplies energy_price
    carbon_index: str | CurveIndex  # multiplies carbon_g_per_kwh
    demand_charges: list[DemandCharge]  # with hours, months and ratchets; in place of demand_charge_per_kw_month
    energy_tiers: list[EnergyTier]  # ascending
    minimum_bill: MinimumBill  # what a month's bill is at least
    power_factor: float  # fraction
    reactive: ReactiveCharge  # what is billed for reactive power
    riders: list[Rider]  # fixed charges, adjustments and taxes of the bill
    max_kw: float  # kW
    places: int  # places
    water_l_per_kwh: float  # l/kWh
    extra_costs: list[ExtraCost]  # borne in months in which a server is in service
    currency: str  # ISO 4217 code; default the scenario's
    revision: float  # of the store's answers; read over where it is sent
    recorded_at: Any  # of the store's answers; read over where it is sent
    recorded_by: Any  # of the store's answers; read over where it is sent
    unknown_fields: Any  # of the store's answers; read over where it is sent
    warnings: Any  # of the store's answers; read over where it is sent


class CurveTariff(TypedDict, total=False):
    id: str  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    kind: Required[Literal["tariff"]]  # what y is
    axis: Required[Literal["hour_of_week", "hour_of_day", "hour_of_year", "date"]]  # what x is
    interpolation: Literal["linear", "step", "log"]  # between points: a line, the value at the left, or a line of logarithms
    outside: Literal["hold", "error"]  # beyond the ends: hold the last value, or refuse
    currency: str  # ISO 4217 code of y; default that of the document it stands in
    utilization_of: Literal["throughput_share", "busy_time"]  # which one y is; demand of inference is no curve over busy_time
    revision: float  # of the store's answers; read over where it is sent
    recorded_at: Any  # of the store's answers; read over where it is sent
    recorded_by: Any  # of the store's answers; read over where it is sent
    unknown_fields: Any  # of the store's answers; read over where it is sent
    warnings: Any  # of the store's answers; read over where it is sent
    points: Required[list[list[float]]]  # [[x, y], …], x ascending; on the date axis x is a date


class CurvePue(TypedDict, total=False):
    id: str  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    kind: Required[Literal["pue"]]  # what y is
    axis: Required[Literal["load", "hour_of_week", "hour_of_day", "hour_of_year"]]  # what x is
    interpolation: Literal["linear", "step", "log"]  # between points: a line, the value at the left, or a line of logarithms
    outside: Literal["hold", "error"]  # beyond the ends: hold the last value, or refuse
    currency: str  # ISO 4217 code of y; default that of the document it stands in
    utilization_of: Literal["throughput_share", "busy_time"]  # which one y is; demand of inference is no curve over busy_time
    revision: float  # of the store's answers; read over where it is sent
    recorded_at: Any  # of the store's answers; read over where it is sent
    recorded_by: Any  # of the store's answers; read over where it is sent
    unknown_fields: Any  # of the store's answers; read over where it is sent
    warnings: Any  # of the store's answers; read over where it is sent
    points: Required[list[list[float]]]  # [[x, y], …], x ascending; on the date axis x is a date


class CurveCarbon(TypedDict, total=False):
    id: str  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    kind: Required[Literal["carbon"]]  # what y is
    axis: Required[Literal["hour_of_week", "hour_of_day", "hour_of_year", "date"]]  # what x is
    interpolation: Literal["linear", "step", "log"]  # between points: a line, the value at the left, or a line of logarithms
    outside: Literal["hold", "error"]  # beyond the ends: hold the last value, or refuse
    currency: str  # ISO 4217 code of y; default that of the document it stands in
    utilization_of: Literal["throughput_share", "busy_time"]  # which one y is; demand of inference is no curve over busy_time
    revision: float  # of the store's answers; read over where it is sent
    recorded_at: Any  # of the store's answers; read over where it is sent
    recorded_by: Any  # of the store's answers; read over where it is sent
    unknown_fields: Any  # of the store's answers; read over where it is sent
    warnings: Any  # of the store's answers; read over where it is sent
    points: Required[list[list[float]]]  # [[x, y], …], x ascending; on the date axis x is a date


class CurveIndex(TypedDict, total=False):
    id: str  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    kind: Required[Literal["index"]]  # what y is
    axis: Required[Literal["date", "age_months"]]  # what x is
    interpolation: Literal["linear", "step", "log"]  # between points: a line, the value at the left, or a line of logarithms
    outside: Literal["hold", "error"]  # beyond the ends: hold the last value, or refuse
    currency: str  # ISO 4217 code of y; default that of the document it stands in
    utilization_of: Literal["throughput_share", "busy_time"]  # which one y is; demand of inference is no curve over busy_time
    revision: float  # of the store's answers; read over where it is sent
    recorded_at: Any  # of the store's answers; read over where it is sent
    recorded_by: Any  # of the store's answers; read over where it is sent
    unknown_fields: Any  # of the store's answers; read over where it is sent
    warnings: Any  # of the store's answers; read over where it is sent
    points: Required[list[list[float]]]  # [[x, y], …], x ascending; on the date axis x is a date


class DemandCharge(TypedDict, total=False):
    name: str  # as the bill has it
    per_kw_month: Required[float]  # currency/kW/month
    per_kw_year: float  # currency/kW/year
    hours: str | CurveDemand  # step curve over hour_of_week, 0 or 1: hours that count; default all
    months: list[int]  # month
    ratchet_fraction: float  # fraction
    ratchet_months: int  # months
    ratchet_peak_months: list[int]  # month
    coincident: bool  # billed at the grid's peak: the expected kW, the mean over its hours, in place of the largest
    min_kw: float  # kW
    tiers: list[DemandTier]  # ascending; what each kW beyond adds to the price


class CurveDemand(TypedDict, total=False):
    id: str  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    kind: Required[Literal["demand"]]  # what y is
    axis: Required[Literal["hour_of_week", "hour_of_day", "hour_of_year", "date"]]  # what x is
    interpolation: Literal["linear", "step", "log"]  # between points: a line, the value at the left, or a line of logarithms
    outside: Literal["hold", "error"]  # beyond the ends: hold the last value, or refuse
    currency: str  # ISO 4217 code of y; default that of the document it stands in
    utilization_of: Literal["throughput_share", "busy_time"]  # which one y is; demand of inference is no curve over busy_time
    revision: float  # of the store's answers; read over where it is sent
    recorded_at: Any  # of the store's answers; read over where it is sent
    recorded_by: Any  # of the store's answers; read over where it is sent
    unknown_fields: Any  # of the store's answers; read over where it is sent
    warnings: Any  # of the store's answers; read over where it is sent
    points: Required[list[list[float]]]  # [[x, y], …], x ascending; on the date axis x is a date


class DemandTier(TypedDict, total=False):
    above_kw: Required[float]  # kW
    add_per_kw_month: Required[float]  # currency/kW/month


class EnergyTier(TypedDict, total=False):
    above_kwh_month: float  # kWh/month
    above_kwh_day: float  # kWh/day
    above_kwh_per_kw: float  # kWh/kW/month
    add_per_kwh: Required[float]  # currency/kWh
    months: list[int]  # month
    kw_of_charge: int


class MinimumBill(TypedDict, total=False):
    per_month: float  # currency/month
    per_kw_month: float  # currency/kW/month
    kw_of_charge: int


class ReactiveCharge(TypedDict, total=False):
    target_power_factor: float  # fraction
    per_kvar_month: float  # currency/kvar/month
    per_kvarh: float  # currency/kvarh
    adjusts_demand: bool


class Rider(TypedDict, total=False):
    name: Required[str]  # as the bill has it
    per_month: float  # currency/month
    per_kwh: float  # currency/kWh
    per_kw: float  # currency/kW/month
    fraction_of_bill: float  # fraction
    months: list[int]  # month
    from_month: int  # months
    to_month: int  # months


class ExtraCost(TypedDict, total=False):
    name: Required[str]  # what it is: support plan, insurance, property tax, a person
    category: Literal["other", "facility", "maintenance", "software", "staff", "network", "storage"]  # under which it is reported
    per_month: float  # currency/month
    per_unit_month: float  # currency/unit/month
    fraction_of_bill: float  # fraction
    per_year_of_price: float  # 1/year
    once: float  # currency
    from_month: int  # months
    months: int  # months
    growth_rate: float  # 1/year


class Offer(TypedDict, total=False):
    id: str  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    provider: Required[str]  # who sells it
    region: str  # the provider's name of the region
    country: str  # two letters of ISO 3166, such as DE; by default that of the region, where the published lists of regions have it
    zone: str  # the provider's name of the availability zone, of a price of that zone alone
    sku: str  # the provider's name of the instance
    device: Required[str | Device]  # the accelerator in it
    devices: Required[int]  # devices/instance
    purchase: Required[Literal["on_demand", "spot", "reserved", "committed", "dedicated", "block"]]  # how it is bought
    hourly_price: Required[float | str | CurvePrice]  # currency/instance-hour
    price_growth_rate: float  # 1/year
    upfront: float  # currency/instance/term
    term_months: int  # months
    term_days: int  # days
    begins_at_utc_hour: float  # hours
    resale: TermResale  # what the rest of a term in months brings where the horizon ends within it; default nothing
    interruptions_per_hour: float  # 1/instance-hour
    replacement_s: float  # s
    availability_fraction: float  # fraction
    boot_s: float  # s
    idle_timeout_s: float  # s
    billing_step_s: float  # s
    minimum_seconds: float  # s
    egress_per_gb: float  # currency/GB
    egress_tiers: list[EgressTier]  # of a month's GB, by destination, in place of egress_per_gb; of one seller all pools together
    volume_tiers: list[VolumeTier]
    storage_per_gb_month: float  # currency/GB/month
    host_idle_w: float  # W/instance
    host_max_w: float  # W/instance
    site: str | Site  # energy and carbon profile of the region
    currency: str  # ISO 4217 code; default the scenario's
    revision: float  # of the store's answers; read over where it is sent
    recorded_at: Any  # of the store's answers; read over where it is sent
    recorded_by: Any  # of the store's answers; read over where it is sent
    unknown_fields: Any  # of the store's answers; read over where it is sent
    warnings: Any  # of the store's answers; read over where it is sent


class ServerList(TypedDict, total=False):
    items: Required[list[StoredServer | UnreadableDocument]]
    next: Required[str | None]  # the cursor of the next page; null at the end


class StoredServer(TypedDict, total=False):
    id: Required[str]  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    device: Required[str | Device]  # the accelerator in it
    devices: Required[int]  # devices/server
    price: Required[float]  # currency/server
    price_date: str  # of the price, YYYY-MM-DD: whose list of which day it is
    network_price: float  # currency/server
    storage_price: float  # currency/server
    price_change_rate: float  # 1/year
    life_months: Required[int]  # months
    residual_fraction: float | str | CurveResidual  # fraction
    host_idle_w: float  # W
    host_max_w: float  # W
    rack_units: float  # U
    maintenance_rate: float  # 1/year
    software_per_device_year: float  # currency/device/year
    failures_per_hour: float  # 1/server-hour
    failure_shape: float  # ratio
    failure_factor: str | CurveIndex  # of failures_per_hour by age, in place of failure_shape: a published table
    repair_hours: float  # hours
    spares_fraction: float  # fraction
    embodied_kg: float  # kg CO2e/server
    currency: str  # ISO 4217 code; default the scenario's
    revision: Required[int]  # counts from 1; the ETag
    recorded_at: Required[str]  # when this revision was stored
    recorded_by: Required[str]  # the name of the API key; local without one
    unknown_fields: list[str]
    warnings: list[str]


class CurveResidual(TypedDict, total=False):
    id: str  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    kind: Required[Literal["residual"]]  # what y is
    axis: Required[Literal["age_months"]]  # what x is
    interpolation: Literal["linear", "step", "log"]  # between points: a line, the value at the left, or a line of logarithms
    outside: Literal["hold", "error"]  # beyond the ends: hold the last value, or refuse
    currency: str  # ISO 4217 code of y; default that of the document it stands in
    utilization_of: Literal["throughput_share", "busy_time"]  # which one y is; demand of inference is no curve over busy_time
    revision: float  # of the store's answers; read over where it is sent
    recorded_at: Any  # of the store's answers; read over where it is sent
    recorded_by: Any  # of the store's answers; read over where it is sent
    unknown_fields: Any  # of the store's answers; read over where it is sent
    warnings: Any  # of the store's answers; read over where it is sent
    points: Required[list[list[float]]]  # [[x, y], …], x ascending; on the date axis x is a date


class Server(TypedDict, total=False):
    id: str  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    device: Required[str | Device]  # the accelerator in it
    devices: Required[int]  # devices/server
    price: Required[float]  # currency/server
    price_date: str  # of the price, YYYY-MM-DD: whose list of which day it is
    network_price: float  # currency/server
    storage_price: float  # currency/server
    price_change_rate: float  # 1/year
    life_months: Required[int]  # months
    residual_fraction: float | str | CurveResidual  # fraction
    host_idle_w: float  # W
    host_max_w: float  # W
    rack_units: float  # U
    maintenance_rate: float  # 1/year
    software_per_device_year: float  # currency/device/year
    failures_per_hour: float  # 1/server-hour
    failure_shape: float  # ratio
    failure_factor: str | CurveIndex  # of failures_per_hour by age, in place of failure_shape: a published table
    repair_hours: float  # hours
    spares_fraction: float  # fraction
    embodied_kg: float  # kg CO2e/server
    currency: str  # ISO 4217 code; default the scenario's
    revision: float  # of the store's answers; read over where it is sent
    recorded_at: Any  # of the store's answers; read over where it is sent
    recorded_by: Any  # of the store's answers; read over where it is sent
    unknown_fields: Any  # of the store's answers; read over where it is sent
    warnings: Any  # of the store's answers; read over where it is sent


class SiteList(TypedDict, total=False):
    items: Required[list[StoredSite | UnreadableDocument]]
    next: Required[str | None]  # the cursor of the next page; null at the end


class StoredSite(TypedDict, total=False):
    id: Required[str]  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    region: str  # a name of the place, to which work may be bound
    country: str  # two letters of ISO 3166, such as DE; by default that of the region, where the published lists of regions have it
    time_zone: str  # IANA name; tariffs, PUE and carbon are read in it
    energy_price: Required[float | str | CurveTariff]  # currency/kWh
    energy_price_growth_rate: float  # 1/year
    demand_charge_per_kw_month: float  # currency/kW/month
    pue: float | str | CurvePue  # ratio
    carbon_g_per_kwh: float | str | CurveCarbon  # g/kWh
    space_per_kw_month: float  # currency/kW/month
    space_per_rack_month: float  # currency/rack/month
    rack_units_per_rack: float  # U
    facility_price_per_w: float  # currency/W
    facility_life_months: int  # months
    rack_kw: float  # kW
    fte: float  # people
    fte_per_server: float  # people/server
    salary_per_year: float  # currency/person/year
    network_per_month: float  # currency/month
    storage_per_month: float  # currency/month
    energy_price_index: str | CurveIndex  # multiplies energy_price
    carbon_index: str | CurveIndex  # multiplies carbon_g_per_kwh
    demand_charges: list[DemandCharge]  # with hours, months and ratchets; in place of demand_charge_per_kw_month
    energy_tiers: list[EnergyTier]  # ascending
    minimum_bill: MinimumBill  # what a month's bill is at least
    power_factor: float  # fraction
    reactive: ReactiveCharge  # what is billed for reactive power
    riders: list[Rider]  # fixed charges, adjustments and taxes of the bill
    max_kw: float  # kW
    places: int  # places
    water_l_per_kwh: float  # l/kWh
    extra_costs: list[ExtraCost]  # borne in months in which a server is in service
    currency: str  # ISO 4217 code; default the scenario's
    revision: Required[int]  # counts from 1; the ETag
    recorded_at: Required[str]  # when this revision was stored
    recorded_by: Required[str]  # the name of the API key; local without one
    unknown_fields: list[str]
    warnings: list[str]


class PerformanceList(TypedDict, total=False):
    items: Required[list[StoredPerformance | UnreadableDocument]]
    next: Required[str | None]  # the cursor of the next page; null at the end


class StoredPerformance(TypedDict, total=False):
    id: Required[str]  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    device: str | Device  # the accelerator it was measured on
    model: str  # the model it was measured with
    devices: float  # devices
    slice: str  # of the device's slices, in place of devices
    spans_hosts: bool  # whether a replica may take devices of several instances or servers; a training gang may
    units_per_s: float | str | CurveThroughput  # units/s
    mix: RequestMix  # the mean request that units_per_s was measured with; other requests have the rate that follows from it
    concurrency: float  # requests
    measurement: str  # the id of the measurement that has its points
    class_weights: StoredPerformanceClassWeights
    estimate: Estimate  # a roofline, where nothing was measured
    batch: int  # sequences
    scaling: float | str | CurveScaling  # fraction
    input_units_per_s: float  # units/s
    precision: str  # number format it was measured in
    framework: str  # framework it was measured with
    itl_s: float | str | CurveLatency  # s
    ttft_s: float | str | CurveLatency  # s
    latency_percentile: float  # percentile
    prompt_token_s: float  # s
    basis: Literal["measured", "interpolated", "extrapolated", "estimated", "assumed"]  # how well the figure is known
    revision: Required[int]  # counts from 1; the ETag
    recorded_at: Required[str]  # when this revision was stored
    recorded_by: Required[str]  # the name of the API key; local without one
    unknown_fields: list[str]
    warnings: list[str]


class CurveThroughput(TypedDict, total=False):
    id: str  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    kind: Required[Literal["throughput"]]  # what y is
    axis: Required[Literal["batch", "devices"]]  # what x is
    interpolation: Literal["linear", "step", "log"]  # between points: a line, the value at the left, or a line of logarithms
    outside: Literal["hold", "error"]  # beyond the ends: hold the last value, or refuse
    currency: str  # ISO 4217 code of y; default that of the document it stands in
    utilization_of: Literal["throughput_share", "busy_time"]  # which one y is; demand of inference is no curve over busy_time
    revision: float  # of the store's answers; read over where it is sent
    recorded_at: Any  # of the store's answers; read over where it is sent
    recorded_by: Any  # of the store's answers; read over where it is sent
    unknown_fields: Any  # of the store's answers; read over where it is sent
    warnings: Any  # of the store's answers; read over where it is sent
    points: Required[list[list[float]]]  # [[x, y], …], x ascending; on the date axis x is a date


class RequestMix(TypedDict, total=False):
    input: float  # tokens
    output: Required[float]  # tokens
    cached_input: float  # tokens


class StoredPerformanceClassWeights(TypedDict, total=False):
    input: float  # ratio
    cached_input: float  # ratio
    cache_write: float  # ratio
    output: float  # ratio
    reasoning: float  # ratio


class Estimate(TypedDict, total=False):
    method: Required[Literal["training_flops", "decode_roofline", "decode_step"]]  # the roofline that stands in for a measurement
    mfu: float  # fraction
    mbu: float  # fraction
    active_parameters: Required[float]  # parameters
    weight_bytes: float  # B
    kv_bytes_per_sequence: float  # B
    memory_use_fraction: float  # fraction
    layers: float  # layers
    alpha: float  # fraction
    beta: float  # fraction
    gamma_s: float  # s/layer


class CurveScaling(TypedDict, total=False):
    id: str  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    kind: Required[Literal["scaling"]]  # what y is
    axis: Required[Literal["devices"]]  # what x is
    interpolation: Literal["linear", "step", "log"]  # between points: a line, the value at the left, or a line of logarithms
    outside: Literal["hold", "error"]  # beyond the ends: hold the last value, or refuse
    currency: str  # ISO 4217 code of y; default that of the document it stands in
    utilization_of: Literal["throughput_share", "busy_time"]  # which one y is; demand of inference is no curve over busy_time
    revision: float  # of the store's answers; read over where it is sent
    recorded_at: Any  # of the store's answers; read over where it is sent
    recorded_by: Any  # of the store's answers; read over where it is sent
    unknown_fields: Any  # of the store's answers; read over where it is sent
    warnings: Any  # of the store's answers; read over where it is sent
    points: Required[list[list[float]]]  # [[x, y], …], x ascending; on the date axis x is a date


class CurveLatency(TypedDict, total=False):
    id: str  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    kind: Required[Literal["latency", "throughput"]]  # what y is
    axis: Required[Literal["batch"]]  # what x is
    interpolation: Literal["linear", "step", "log"]  # between points: a line, the value at the left, or a line of logarithms
    outside: Literal["hold", "error"]  # beyond the ends: hold the last value, or refuse
    currency: str  # ISO 4217 code of y; default that of the document it stands in
    utilization_of: Literal["throughput_share", "busy_time"]  # which one y is; demand of inference is no curve over busy_time
    revision: float  # of the store's answers; read over where it is sent
    recorded_at: Any  # of the store's answers; read over where it is sent
    recorded_by: Any  # of the store's answers; read over where it is sent
    unknown_fields: Any  # of the store's answers; read over where it is sent
    warnings: Any  # of the store's answers; read over where it is sent
    points: Required[list[list[float]]]  # [[x, y], …], x ascending; on the date axis x is a date


class Performance(TypedDict, total=False):
    id: str  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    device: str | Device  # the accelerator it was measured on
    model: str  # the model it was measured with
    devices: float  # devices
    slice: str  # of the device's slices, in place of devices
    spans_hosts: bool  # whether a replica may take devices of several instances or servers; a training gang may
    units_per_s: float | str | CurveThroughput  # units/s
    mix: RequestMix  # the mean request that units_per_s was measured with; other requests have the rate that follows from it
    concurrency: float  # requests
    measurement: str  # the id of the measurement that has its points
    class_weights: PerformanceClassWeights
    estimate: Estimate  # a roofline, where nothing was measured
    batch: int  # sequences
    scaling: float | str | CurveScaling  # fraction
    input_units_per_s: float  # units/s
    precision: str  # number format it was measured in
    framework: str  # framework it was measured with
    itl_s: float | str | CurveLatency  # s
    ttft_s: float | str | CurveLatency  # s
    latency_percentile: float  # percentile
    prompt_token_s: float  # s
    basis: Literal["measured", "interpolated", "extrapolated", "estimated", "assumed"]  # how well the figure is known
    revision: float  # of the store's answers; read over where it is sent
    recorded_at: Any  # of the store's answers; read over where it is sent
    recorded_by: Any  # of the store's answers; read over where it is sent
    unknown_fields: Any  # of the store's answers; read over where it is sent
    warnings: Any  # of the store's answers; read over where it is sent


class PerformanceClassWeights(TypedDict, total=False):
    input: float  # ratio
    cached_input: float  # ratio
    cache_write: float  # ratio
    output: float  # ratio
    reasoning: float  # ratio


class ScenarioList(TypedDict, total=False):
    items: Required[list[StoredScenario | UnreadableDocument]]
    next: Required[str | None]  # the cursor of the next page; null at the end


class StoredScenario(TypedDict, total=False):
    id: Required[str]  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    name: str  # what people call it
    start: Required[str]  # first month, YYYY-MM
    months: Required[int]  # months
    time_zone: str  # IANA name; months begin at its midnight
    currency: str  # ISO 4217 code of all results
    exchange_rates: dict[str, float]  # scenario currency/currency
    exchange_forwards: list[ExchangeForward]  # by month, of currencies without one of exchange_rates
    finance: Finance  # cost of capital, tax, carbon
    allocation: Allocation  # which workload bears what of a pool
    workloads: Required[list[Workload]]  # what is to be done
    pools: Required[list[Pool]]  # where it can be done
    extra_costs: list[ExtraCost]  # borne each month, by no pool
    spend_commitments: list[SpendCommitment]  # an amount an hour that on demand instances are billed to first
    support_plans: list[SupportPlan]  # fractions of the month's bill
    tags: dict[str, str]  # for people: what it belongs to
    revision: Required[int]  # counts from 1; the ETag
    recorded_at: Required[str]  # when this revision was stored
    recorded_by: Required[str]  # the name of the API key; local without one
    unknown_fields: list[str]
    warnings: list[str]


class ExchangeForward(TypedDict, total=False):
    currency: Required[str]  # one of it
    rates: Required[str | CurveIndex]


class Finance(TypedDict, total=False):
    discount_rate: float  # 1/year
    capital: Literal["straight_line", "annuity"]  # how hardware becomes a monthly cost
    at_end: Literal["exit", "continue"]
    decide_by: Literal["cost", "cash", "npv", "npv_after_tax", "energy_kwh", "carbon_kg"]
    tax_rate: float  # fraction
    tax_depreciation: Literal["straight_line", "macrs_5", "declining_balance", "macrs_3", "macrs_7", "table"]
    tax_depreciation_rate: float  # 1/year
    tax_depreciation_table: list[float]  # fraction
    bonus_depreciation_fraction: float  # fraction
    investment_credit_fraction: float  # fraction
    taxable_income_per_year: float  # scenario currency/year
    loss_offset_fraction: float  # fraction
    inflation_rate: float  # 1/year
    growth_rates: dict[str, float]  # 1/year
    carbon_price_per_tonne: float  # scenario currency/t
    engineer_week_cost: float  # scenario currency/week


class Allocation(TypedDict, total=False):
    basis: Literal["reserved", "used", "fixed"]
    idle: Literal["spread", "apart"]
    shares: dict[str, float]  # fraction


class Workload(TypedDict, total=False):
    id: Required[str]  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    kind: Required[Literal["inference", "training", "batch"]]
    unit: str  # what is counted: token, sample, image, request
    runs_on: Required[list[RunsOn]]  # pools in order of preference; later ones are overflow and fallback
    routing: Literal["in_order", "cheapest"]
    model: str  # the model that is run
    framework: str  # must be supported by the device
    precision: str  # must be supported by the device
    requires: list[str]  # capabilities that the device must have: dynamic_shapes, sparsity, fp64
    regions: list[str]
    memory_gib: float  # GiB
    egress_gb_per_unit: float  # GB/unit
    egress_destination: str  # where data go to, as an offer's egress_tiers name it: region, zone, peer; default the internet
    stored_gb: float  # GB
    unserved_cost_per_unit: float  # currency/unit
    max_unserved_fraction: float  # fraction
    checkpoint: Checkpoint  # what an interruption costs in time, and of batch work each start
    units_per_request: float | WorkloadUnitsPerRequest1  # units/request
    token_mix: list[TokenBucket] | WorkloadTokenMix1
    prefix: Prefix  # the beginning that requests share, which an api's cache may have
    output_cost_ratio: float  # ratio
    cost_weights: WorkloadCostWeights
    searches_per_request: float  # searches/request
    images_per_request: float  # images/request
    tool_calls_per_request: float  # calls/request
    demand: Demand  # requests by the hour
    peak_utilization: float  # fraction
    spare_replicas: int  # replicas
    availability: float  # fraction
    slo: Slo  # objectives of latency; entries that miss one are ineligible
    requests_per_month: float | str | CurveDemand  # requests/month
    units_per_epoch: float  # units/epoch
    epochs_per_month: float | str | CurveDemand  # epochs/month
    epochs: float  # epochs
    start_day: int  # day of the month
    within_days: float  # days
    fall_back_after_days: float  # days
    sequence: float  # tokens
    method: Literal["full", "lora"]  # full, all parameters, or lora, low-rank adapters: for the rate of entries that state none
    spare_hosts: int  # hosts
    deadline_hours: float  # h
    carry_over: bool  # whether the next month takes what a month does not finish
    tags: dict[str, str]  # by which results are summed (by_tag): team, product


class RunsOn(TypedDict, total=False):
    pool: Required[str]  # id of a pool of the scenario
    performance: str | Performance  # what a replica or gang does there; required but for an api pool
    service_tier: Literal["standard", "batch", "flex", "priority"]
    porting: Porting  # engineering to get there
    share: float  # fraction
    phase: Literal["prefill", "decode"]
    cache_bytes_per_token: float  # B/token
    link_gb_per_s: float  # GB/s


class Porting(TypedDict, total=False):
    engineer_weeks: float  # weeks


class Checkpoint(TypedDict, total=False):
    write_s: float  # s
    restart_s: float  # s
    interval_s: float  # s
    size_gb: float  # GB
    kept: int  # checkpoints


class WorkloadUnitsPerRequest1(TypedDict, total=False):
    input: float  # units/request
    cached_input: float  # units/request
    cache_write: float  # units/request
    output: float  # units/request
    reasoning: float  # units/request


class TokenBucket(TypedDict, total=False):
    input: float  # units/request
    cached_input: float  # units/request
    cache_write: float  # units/request
    output: float  # units/request
    reasoning: float  # units/request
    share: Required[float]  # fraction


class WorkloadTokenMix1(TypedDict, total=False):
    mean: Required[float | WorkloadTokenMix1Mean1]  # units of a request by class, the mean of all
    p95: Required[float | WorkloadTokenMix1P951]


class WorkloadTokenMix1Mean1(TypedDict, total=False):
    input: float  # units/request
    cached_input: float  # units/request
    cache_write: float  # units/request
    output: float  # units/request
    reasoning: float  # units/request


class WorkloadTokenMix1P951(TypedDict, total=False):
    input: float  # units/request
    cached_input: float  # units/request
    cache_write: float  # units/request
    output: float  # units/request
    reasoning: float  # units/request


class Prefix(TypedDict, total=False):
    tokens: Required[float]  # tokens
    requests_per_hour: float  # requests/h
    lifetime_s: float  # s


class WorkloadCostWeights(TypedDict, total=False):
    input: float  # ratio
    cached_input: float  # ratio
    cache_write: float  # ratio
    output: float  # ratio
    reasoning: float  # ratio


class Demand(TypedDict, total=False):
    mean_per_s: float  # requests/s
    utilization: float | str | CurveUtilization  # fraction
    reference_devices: float  # devices
    units_per_s_per_device: float  # units/s
    shape: float | str | CurveDemand  # multiplier
    burst: Burst  # inside each hour; none where unstated
    growth_per_month: float  # 1/month
    time_zone: str  # IANA name; shape and utilization are read in it


class CurveUtilization(TypedDict, total=False):
    id: str  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    kind: Required[Literal["utilization"]]  # what y is
    axis: Required[Literal["hour_of_week", "hour_of_day", "hour_of_year", "date"]]  # what x is
    interpolation: Literal["linear", "step", "log"]  # between points: a line, the value at the left, or a line of logarithms
    outside: Literal["hold", "error"]  # beyond the ends: hold the last value, or refuse
    currency: str  # ISO 4217 code of y; default that of the document it stands in
    utilization_of: Literal["throughput_share", "busy_time"]  # which one y is; demand of inference is no curve over busy_time
    revision: float  # of the store's answers; read over where it is sent
    recorded_at: Any  # of the store's answers; read over where it is sent
    recorded_by: Any  # of the store's answers; read over where it is sent
    unknown_fields: Any  # of the store's answers; read over where it is sent
    warnings: Any  # of the store's answers; read over where it is sent
    points: Required[list[list[float]]]  # [[x, y], …], x ascending; on the date axis x is a date


class Burst(TypedDict, total=False):
    factor: Required[float]  # multiplier
    seconds: Required[float]  # s
    per_day: Required[float]  # bursts/day


class Slo(TypedDict, total=False):
    ttft_s: float  # s
    itl_s: float  # s
    e2e_s: float  # s
    percentile: float  # percentile


class Pool(TypedDict, total=False):
    id: Required[str]  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    kind: Required[Literal["cloud", "owned", "api"]]  # rented, owned, or a hosted model
    offer: str | Offer  # what is rented
    min_instances: int  # instances
    max_instances: int  # instances
    from_month: int  # months
    months: int  # months
    from_day: int  # days
    days: int  # days
    discount_fraction: float  # fraction
    server: str | Server  # what is bought
    site: str | Site  # where it stands
    purchases: list[Purchase]  # servers by month, a vintage each
    refresh: bool  # buy again at the end of life, like for like
    loan: Loan  # what purchases are paid with that state none
    load_balancing: Literal["spread", "pack"]  # spread the load evenly, or pack it on few devices
    endpoint: str | Endpoint  # a hosted model, in place of its price and what follows
    provisioned_units: int  # units
    provisioned_term_months: int  # months
    price_per_million_units: float | str | CurvePrice | PoolPricePerMillionUnits3  # scenario currency/million units
    above: list[PriceAbove]  # prices of long prompts, ascending by input_tokens, of one scope
    cache: Cache  # how long prompts' prefixes are kept
    fees: Fees  # what is charged beside units
    service_tiers: ServiceTiers  # other prices of the same model
    provisioned: Provisioned  # units of throughput that may be bought
    volume_tiers: list[VolumeTier]
    unknown_conditions: list[str]  # what the price depends on and no field holds: figures are assumed, with price_condition_unknown
    batch_price_fraction: float  # fraction
    e2e_s: float  # s
    ttft_s: float  # s
    itl_s: float  # s
    latency_percentile: float  # percentile
    max_units_per_s: float  # units/s
    energy_wh_per_unit: float  # Wh/unit
    carbon_g_per_unit: float  # g/unit
    provider: str  # who hosts it
    model: str  # which model
    ramp_months: int  # months
    ramp: str | CurveRamp  # learning: fraction of the rate by months since it serves (cloud and owned)
    extra_costs: list[ExtraCost]  # borne in months in which it has something to serve with
    tags: dict[str, str]  # on its rows of the ledger


class Purchase(TypedDict, total=False):
    month: Required[int]  # months
    servers: Required[int]  # servers
    price: float  # currency of the server/server
    lease: Lease  # leased, not bought: in place of a price
    loan: Loan  # what it is paid with; default the pool's
    lead_months: int  # months
    paid_at_order_fraction: float  # fraction


class Lease(TypedDict, total=False):
    payment_per_server_month: Required[float]  # currency of the server/server/month
    term_months: Required[int]  # months
    in_advance: bool  # paid at the month's start; else at its end
    upfront_per_server: float  # currency of the server/server
    at_end: Literal["return", "renew", "buy"]
    buyout_per_server: float  # currency of the server/server


class Loan(TypedDict, total=False):
    fraction: Required[float]  # fraction
    rate: Required[float]  # 1/year
    term_months: Required[int]  # months
    kind: Literal["annuity", "linear", "bullet"]  # equal payments, equal principal, or principal at the end


class Endpoint(TypedDict, total=False):
    id: str  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    price_per_million_units: Required[float | str | CurvePrice | EndpointPricePerMillionUnits3]  # currency/million units
    above: list[PriceAbove]  # prices of long prompts, ascending by input_tokens, of one scope
    cache: Cache  # how long prompts' prefixes are kept
    fees: Fees  # what is charged beside units
    service_tiers: ServiceTiers  # other prices of the same model
    provisioned: Provisioned  # units of throughput that may be bought
    volume_tiers: list[VolumeTier]
    unknown_conditions: list[str]  # what the price depends on and no field holds: figures are assumed, with price_condition_unknown
    batch_price_fraction: float  # fraction
    e2e_s: float  # s
    ttft_s: float  # s
    itl_s: float  # s
    latency_percentile: float  # percentile
    max_units_per_s: float  # units/s
    energy_wh_per_unit: float  # Wh/unit
    carbon_g_per_unit: float  # g/unit
    provider: Required[str]  # who hosts it
    model: Required[str]  # which model
    region: str  # where it is served from, where the price depends on it
    currency: str  # ISO 4217 code; default the scenario's
    revision: float  # of the store's answers; read over where it is sent
    recorded_at: Any  # of the store's answers; read over where it is sent
    recorded_by: Any  # of the store's answers; read over where it is sent
    unknown_fields: Any  # of the store's answers; read over where it is sent
    warnings: Any  # of the store's answers; read over where it is sent


class EndpointPricePerMillionUnits3(TypedDict, total=False):
    input: float | str | CurvePrice  # currency/million units
    cached_input: float | str | CurvePrice  # currency/million units
    cache_write: float | str | CurvePrice  # currency/million units
    output: float | str | CurvePrice  # currency/million units
    reasoning: float | str | CurvePrice  # currency/million units


class PriceAbove(TypedDict, total=False):
    input_tokens: Required[float]  # tokens
    price_per_million_units: Required[float | str | CurvePrice | PriceAbovePricePerMillionUnits3]  # currency/million units
    scope: Literal["request", "beyond"]


class PriceAbovePricePerMillionUnits3(TypedDict, total=False):
    input: float | str | CurvePrice  # currency/million units
    cached_input: float | str | CurvePrice  # currency/million units
    cache_write: float | str | CurvePrice  # currency/million units
    output: float | str | CurvePrice  # currency/million units
    reasoning: float | str | CurvePrice  # currency/million units


class Cache(TypedDict, total=False):
    write_lifetimes: list[CacheLifetime]  # that requests may ask for; of a workload's prefix the cheapest is taken
    hit_fraction: float  # fraction
    min_tokens: float  # tokens


class CacheLifetime(TypedDict, total=False):
    seconds: Required[float]  # s
    price_factor: float  # ratio


class Fees(TypedDict, total=False):
    request: float | str | CurvePrice  # currency/request
    search: float | str | CurvePrice  # currency/search
    image: float | str | CurvePrice  # currency/image
    tool_call: float | str | CurvePrice  # currency/call


class ServiceTiers(TypedDict, total=False):
    batch: TierPrices  # in place of batch_price_fraction; of batch work where no tier is asked for
    flex: TierPrices  # slower, and may be refused when the host is full
    priority: TierPrices  # before others


class TierPrices(TypedDict, total=False):
    price_factor: float  # ratio
    price_per_million_units: float | str | CurvePrice | TierPricesPricePerMillionUnits3  # currency/million units
    above: list[PriceAbove]  # prices of long prompts in this tier, beside price_per_million_units
    deadline_hours: float  # h


class TierPricesPricePerMillionUnits3(TypedDict, total=False):
    input: float | str | CurvePrice  # currency/million units
    cached_input: float | str | CurvePrice  # currency/million units
    cache_write: float | str | CurvePrice  # currency/million units
    output: float | str | CurvePrice  # currency/million units
    reasoning: float | str | CurvePrice  # currency/million units


class Provisioned(TypedDict, total=False):
    price_per_unit_hour: float | str | CurvePrice  # currency/unit/h
    minimum_units: int  # units
    unit_step: int  # units
    tokens_per_minute: TokensPerMinute  # of a unit, by class; without it nobody knows what a unit serves, and none can be bought
    counts_cached_input: bool  # false: what the cache has takes nothing of a unit
    terms: list[ProvisionedTerm]  # prices of units that are committed for months


class TokensPerMinute(TypedDict, total=False):
    input: float  # tokens/unit/min
    cached_input: float  # tokens/unit/min
    cache_write: float  # tokens/unit/min
    output: float  # tokens/unit/min
    reasoning: float  # tokens/unit/min


class ProvisionedTerm(TypedDict, total=False):
    months: Required[int]  # months
    price_per_unit_hour: float  # currency/unit/h
    price_per_unit_month: float  # currency/unit/month


class PoolPricePerMillionUnits3(TypedDict, total=False):
    input: float | str | CurvePrice  # currency/million units
    cached_input: float | str | CurvePrice  # currency/million units
    cache_write: float | str | CurvePrice  # currency/million units
    output: float | str | CurvePrice  # currency/million units
    reasoning: float | str | CurvePrice  # currency/million units


class CurveRamp(TypedDict, total=False):
    id: str  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    kind: Required[Literal["ramp"]]  # what y is
    axis: Required[Literal["months"]]  # what x is
    interpolation: Literal["linear", "step", "log"]  # between points: a line, the value at the left, or a line of logarithms
    outside: Literal["hold", "error"]  # beyond the ends: hold the last value, or refuse
    currency: str  # ISO 4217 code of y; default that of the document it stands in
    utilization_of: Literal["throughput_share", "busy_time"]  # which one y is; demand of inference is no curve over busy_time
    revision: float  # of the store's answers; read over where it is sent
    recorded_at: Any  # of the store's answers; read over where it is sent
    recorded_by: Any  # of the store's answers; read over where it is sent
    unknown_fields: Any  # of the store's answers; read over where it is sent
    warnings: Any  # of the store's answers; read over where it is sent
    points: Required[list[list[float]]]  # [[x, y], …], x ascending; on the date axis x is a date


class SpendCommitment(TypedDict, total=False):
    name: Required[str]  # what it is: savings plan, committed use
    hourly_spend: Required[float]  # currency/h
    term_months: int  # months
    from_month: int  # months
    months: int  # months
    discounts: Required[list[SpendDiscount]]  # of the offers on demand that it pays for


class SpendDiscount(TypedDict, total=False):
    provider: str  # of the offers it is off; default any
    family: str  # of the offers: their sku, or its beginning up to '.', '-' or '_' (p5 of p5.48xlarge); default any
    device: str  # of the offers, an id; default any
    region: str  # of the offers; default any
    fraction: Required[float]  # fraction


class SupportPlan(TypedDict, total=False):
    name: Required[str]  # what it is: business support, enterprise support
    provider: str  # of the offers and hosted models whose bill it is read off; default all, and unused commitments to spend
    minimum_per_month: float  # currency/month
    brackets: list[SupportBracket]  # fractions of the month's compute, usage, commitment, egress and storage


class SupportBracket(TypedDict, total=False):
    above: float  # currency/month
    fraction: Required[float]  # fraction


class Scenario(TypedDict, total=False):
    id: str  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    name: str  # what people call it
    start: Required[str]  # first month, YYYY-MM
    months: Required[int]  # months
    time_zone: str  # IANA name; months begin at its midnight
    currency: str  # ISO 4217 code of all results
    exchange_rates: dict[str, float]  # scenario currency/currency
    exchange_forwards: list[ExchangeForward]  # by month, of currencies without one of exchange_rates
    finance: Finance  # cost of capital, tax, carbon
    allocation: Allocation  # which workload bears what of a pool
    workloads: Required[list[Workload]]  # what is to be done
    pools: Required[list[Pool]]  # where it can be done
    extra_costs: list[ExtraCost]  # borne each month, by no pool
    spend_commitments: list[SpendCommitment]  # an amount an hour that on demand instances are billed to first
    support_plans: list[SupportPlan]  # fractions of the month's bill
    tags: dict[str, str]  # for people: what it belongs to
    revision: float  # of the store's answers; read over where it is sent
    recorded_at: Any  # of the store's answers; read over where it is sent
    recorded_by: Any  # of the store's answers; read over where it is sent
    unknown_fields: Any  # of the store's answers; read over where it is sent
    warnings: Any  # of the store's answers; read over where it is sent


class ScheduleList(TypedDict, total=False):
    items: Required[list[StoredSchedule | UnreadableDocument]]
    next: Required[str | None]  # the cursor of the next page; null at the end


class StoredSchedule(TypedDict, total=False):
    id: Required[str]  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    cron: Required[str]  # minute hour day-of-month month day-of-week, or @daily and the like
    time_zone: str  # IANA name; cron is read in it
    scenarios: Literal["all", "changed"] | list[str]  # all, changed, or a list of ids
    drift: list[DriftWatch]  # pools whose measured days are watched at its ticks
    webhook: str  # id of the webhook that is notified when its runs end
    enabled: bool  # false: it does not run
    revision: Required[int]  # counts from 1; the ETag
    recorded_at: Required[str]  # when this revision was stored
    recorded_by: Required[str]  # the name of the API key; local without one
    unknown_fields: list[str]
    warnings: list[str]
    next_runs: Required[list[str]]  # the next five, in its time zone; none where it is not enabled


class DriftWatch(TypedDict, total=False):
    scenario: Required[str]  # the id of a stored one
    pool: Required[str]  # of the scenario
    telemetry: DriftTelemetry  # whose energy, tokens and batch
    bill: DriftBill  # lines whose price of a device-hour is watched
    threshold_fraction: float  # a change smaller than this is none; one within the days' own noise neither
    reference_days: int  # days


class DriftTelemetry(TypedDict, total=False):
    device: str  # of this device; one of device and sources is needed
    sources: list[str]  # names of sources


class DriftBill(TypedDict, total=False):
    provider: str  # lines of this provider
    region: str  # of this region
    sku: str  # of this SKU
    purchase: str  # on_demand, spot or committed
    device: str  # of this device


class Schedule(TypedDict, total=False):
    id: str  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    cron: Required[str]  # minute hour day-of-month month day-of-week, or @daily and the like
    time_zone: str  # IANA name; cron is read in it
    scenarios: Literal["all", "changed"] | list[str]  # all, changed, or a list of ids
    drift: list[DriftWatch]  # pools whose measured days are watched at its ticks
    webhook: str  # id of the webhook that is notified when its runs end
    enabled: bool  # false: it does not run
    revision: float  # of the store's answers; read over where it is sent
    recorded_at: Any  # of the store's answers; read over where it is sent
    recorded_by: Any  # of the store's answers; read over where it is sent
    unknown_fields: Any  # of the store's answers; read over where it is sent
    warnings: Any  # of the store's answers; read over where it is sent
    next_runs: Any  # of the store's answers; read over where it is sent


class WebhookList(TypedDict, total=False):
    items: Required[list[StoredWebhook | UnreadableDocument]]
    next: Required[str | None]  # the cursor of the next page; null at the end


class StoredWebhook(TypedDict, total=False):
    id: Required[str]  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    url: Required[str]  # http or https, without a name and password
    events: list[Literal["ping", "recalculation_done", "comparison_flipped", "comparison_changed", "comparison_infeasible",
        "budget_exceeded", "feed_landed", "feed_failed", "price_moved", "feed_held", "feed_undone", "drift_found"]]
    format: Literal["json", "slack", "teams"]
    enabled: bool  # false: nothing is delivered, and pending events wait
    revision: Required[int]  # counts from 1; the ETag
    recorded_at: Required[str]  # when this revision was stored
    recorded_by: Required[str]  # the name of the API key; local without one
    unknown_fields: list[str]
    warnings: list[str]


class Webhook(TypedDict, total=False):
    id: str  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    url: Required[str]  # http or https, without a name and password
    secret: str  # key of the signatures, 16 to 256 bytes; needed once, kept where it is left out, never given back
    events: list[Literal["ping", "recalculation_done", "comparison_flipped", "comparison_changed", "comparison_infeasible",
        "budget_exceeded", "feed_landed", "feed_failed", "price_moved", "feed_held", "feed_undone", "drift_found"]]
    format: Literal["json", "slack", "teams"]
    enabled: bool  # false: nothing is delivered, and pending events wait
    revision: float  # of the store's answers; read over where it is sent
    recorded_at: Any  # of the store's answers; read over where it is sent
    recorded_by: Any  # of the store's answers; read over where it is sent
    unknown_fields: Any  # of the store's answers; read over where it is sent
    warnings: Any  # of the store's answers; read over where it is sent


class ComparisonList(TypedDict, total=False):
    items: Required[list[StoredComparison | UnreadableDocument]]
    next: Required[str | None]  # the cursor of the next page; null at the end


class StoredComparison(TypedDict, total=False):
    id: Required[str]  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    name: str  # for people
    scenarios: Required[list[str]]  # ids of stored scenarios, each once
    objective: Literal["cost", "cash", "npv", "npv_after_tax", "energy_kwh", "carbon_kg"]
    threshold_fraction: float  # a change of the cheapest one's figure beyond this is an event; without it, flips only
    budget: float  # a scenario whose figure over the horizon goes above it is an event; in the scenario's currency, kWh or kg
    revision: Required[int]  # counts from 1; the ETag
    recorded_at: Required[str]  # when this revision was stored
    recorded_by: Required[str]  # the name of the API key; local without one
    unknown_fields: list[str]
    warnings: list[str]


class Comparison(TypedDict, total=False):
    id: str  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    name: str  # for people
    scenarios: Required[list[str]]  # ids of stored scenarios, each once
    objective: Literal["cost", "cash", "npv", "npv_after_tax", "energy_kwh", "carbon_kg"]
    threshold_fraction: float  # a change of the cheapest one's figure beyond this is an event; without it, flips only
    budget: float  # a scenario whose figure over the horizon goes above it is an event; in the scenario's currency, kWh or kg
    revision: float  # of the store's answers; read over where it is sent
    recorded_at: Any  # of the store's answers; read over where it is sent
    recorded_by: Any  # of the store's answers; read over where it is sent
    unknown_fields: Any  # of the store's answers; read over where it is sent
    warnings: Any  # of the store's answers; read over where it is sent


class ModelList(TypedDict, total=False):
    items: Required[list[StoredModel | UnreadableDocument]]
    next: Required[str | None]  # the cursor of the next page; null at the end


class StoredModel(TypedDict, total=False):
    id: Required[str]  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    name: str  # what people call it
    parameters: Required[float]  # parameters
    active_parameters: Required[float]  # parameters
    weight_bytes: Required[dict[str, float]]  # B
    kv_bytes_per_token: Required[float]  # B/token
    layers: Required[int]  # layers
    context_tokens: Required[float]  # tokens
    hidden: int  # values
    heads: int  # heads
    kv_heads: int  # heads
    vocabulary: int  # tokens
    embedding_parameters: float  # parameters
    experts: Experts  # of a mixture of experts
    expert_parameters: float  # parameters
    attention: Attention  # what it computes, and keeps beside kv_bytes_per_token
    published_precision: Literal["bf16", "fp16", "fp8", "int8", "fp4", "int4", "tf32", "fp32"]
    aliases: list[str]  # hub names and other spellings
    released: str  # date of release, YYYY-MM-DD
    licence: str  # under which its weights may be used
    revision: Required[int]  # counts from 1; the ETag
    recorded_at: Required[str]  # when this revision was stored
    recorded_by: Required[str]  # the name of the API key; local without one
    unknown_fields: list[str]
    warnings: list[str]


class Experts(TypedDict, total=False):
    count: Required[int]  # experts
    active: Required[int]  # experts
    shared: int  # experts


class Attention(TypedDict, total=False):
    kind: Literal["full", "latent", "linear"]
    decode_flop: Required[float]  # FLOP
    prompt_flop: Required[float]  # FLOP
    window_tokens: float  # tokens
    window_bytes_per_token: float  # B/token
    state_bytes: float  # B


class Model(TypedDict, total=False):
    id: str  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    name: str  # what people call it
    parameters: Required[float]  # parameters
    active_parameters: Required[float]  # parameters
    weight_bytes: Required[dict[str, float]]  # B
    kv_bytes_per_token: Required[float]  # B/token
    layers: Required[int]  # layers
    context_tokens: Required[float]  # tokens
    hidden: int  # values
    heads: int  # heads
    kv_heads: int  # heads
    vocabulary: int  # tokens
    embedding_parameters: float  # parameters
    experts: Experts  # of a mixture of experts
    expert_parameters: float  # parameters
    attention: Attention  # what it computes, and keeps beside kv_bytes_per_token
    published_precision: Literal["bf16", "fp16", "fp8", "int8", "fp4", "int4", "tf32", "fp32"]
    aliases: list[str]  # hub names and other spellings
    released: str  # date of release, YYYY-MM-DD
    licence: str  # under which its weights may be used
    revision: float  # of the store's answers; read over where it is sent
    recorded_at: Any  # of the store's answers; read over where it is sent
    recorded_by: Any  # of the store's answers; read over where it is sent
    unknown_fields: Any  # of the store's answers; read over where it is sent
    warnings: Any  # of the store's answers; read over where it is sent


class EndpointList(TypedDict, total=False):
    items: Required[list[StoredEndpoint | UnreadableDocument]]
    next: Required[str | None]  # the cursor of the next page; null at the end


class StoredEndpoint(TypedDict, total=False):
    id: Required[str]  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    price_per_million_units: Required[float | str | CurvePrice | StoredEndpointPricePerMillionUnits3]  # currency/million units
    above: list[PriceAbove]  # prices of long prompts, ascending by input_tokens, of one scope
    cache: Cache  # how long prompts' prefixes are kept
    fees: Fees  # what is charged beside units
    service_tiers: ServiceTiers  # other prices of the same model
    provisioned: Provisioned  # units of throughput that may be bought
    volume_tiers: list[VolumeTier]
    unknown_conditions: list[str]  # what the price depends on and no field holds: figures are assumed, with price_condition_unknown
    batch_price_fraction: float  # fraction
    e2e_s: float  # s
    ttft_s: float  # s
    itl_s: float  # s
    latency_percentile: float  # percentile
    max_units_per_s: float  # units/s
    energy_wh_per_unit: float  # Wh/unit
    carbon_g_per_unit: float  # g/unit
    provider: Required[str]  # who hosts it
    model: Required[str]  # which model
    region: str  # where it is served from, where the price depends on it
    currency: str  # ISO 4217 code; default the scenario's
    revision: Required[int]  # counts from 1; the ETag
    recorded_at: Required[str]  # when this revision was stored
    recorded_by: Required[str]  # the name of the API key; local without one
    unknown_fields: list[str]
    warnings: list[str]


class StoredEndpointPricePerMillionUnits3(TypedDict, total=False):
    input: float | str | CurvePrice  # currency/million units
    cached_input: float | str | CurvePrice  # currency/million units
    cache_write: float | str | CurvePrice  # currency/million units
    output: float | str | CurvePrice  # currency/million units
    reasoning: float | str | CurvePrice  # currency/million units


class AliasList(TypedDict, total=False):
    items: Required[list[StoredAlias | UnreadableDocument]]
    next: Required[str | None]  # the cursor of the next page; null at the end


class StoredAlias(TypedDict, total=False):
    id: Required[str]  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    names: Required[list[str]]  # as they stand in published files; case, punctuation and the vendor's words before them don't count
    device: Required[str]  # the id of a stored device
    devices: int  # devices
    revision: Required[int]  # counts from 1; the ETag
    recorded_at: Required[str]  # when this revision was stored
    recorded_by: Required[str]  # the name of the API key; local without one
    unknown_fields: list[str]
    warnings: list[str]


class Alias(TypedDict, total=False):
    id: str  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    names: Required[list[str]]  # as they stand in published files; case, punctuation and the vendor's words before them don't count
    device: Required[str]  # the id of a stored device
    devices: int  # devices
    revision: float  # of the store's answers; read over where it is sent
    recorded_at: Any  # of the store's answers; read over where it is sent
    recorded_by: Any  # of the store's answers; read over where it is sent
    unknown_fields: Any  # of the store's answers; read over where it is sent
    warnings: Any  # of the store's answers; read over where it is sent


class FeedList(TypedDict, total=False):
    items: Required[list[StoredFeed | UnreadableDocument]]
    next: Required[str | None]  # the cursor of the next page; null at the end


StoredFeed = TypedDict("StoredFeed", {
    "id": 'Required[str]',
    "source": 'str',
    "note": 'str',
    "format": 'str',
    "from": 'Required[FeedSource]',
    "provider": 'str',
    "date": 'str',
    "region": 'str',
    "currency": 'str',
    "device": 'str',
    "devices": 'str',
    "model": 'str',
    "unit": 'str',
    "tdp_w": 'str',
    "cron": 'str',
    "time_zone": 'str',
    "header": 'FeedHeader',
    "price_moved_fraction": 'float',
    "enabled": 'bool',
    "max_mib": 'float',
    "recalculate": 'bool',
    "revision": 'Required[int]',
    "recorded_at": 'Required[str]',
    "recorded_by": 'Required[str]',
    "unknown_fields": 'list[str]',
    "warnings": 'list[str]',
    "next_runs": 'Required[list[str]]',
}, total=False)


class FeedSource(TypedDict, total=False):
    url: str  # of a file, http or https, without a name and password
    directory: str  # below the one of serve --feed-directory, without ..; its newest file that the pattern names
    pattern: str  # of file names in the directory, with * and ?
    prometheus: str  # URL of a Prometheus server, without /api/v1
    queries: list[str]  # PromQL, asked for over the time since the run before
    step_s: int  # s


class FeedHeader(TypedDict, total=False):
    name: Required[str]  # such as Authorization; sent to the feed's host alone
    secret: str  # its value, 16 to 256 bytes; needed once, kept where it is left out, never given back


Feed = TypedDict("Feed", {
    "id": 'str',
    "source": 'str',
    "note": 'str',
    "format": 'str',
    "from": 'Required[FeedSource]',
    "provider": 'str',
    "date": 'str',
    "region": 'str',
    "currency": 'str',
    "device": 'str',
    "devices": 'str',
    "model": 'str',
    "unit": 'str',
    "tdp_w": 'str',
    "cron": 'str',
    "time_zone": 'str',
    "header": 'FeedHeader',
    "price_moved_fraction": 'float',
    "enabled": 'bool',
    "max_mib": 'float',
    "recalculate": 'bool',
    "revision": 'float',
    "recorded_at": 'Any',
    "recorded_by": 'Any',
    "unknown_fields": 'Any',
    "warnings": 'Any',
    "next_runs": 'Any',
}, total=False)


class DecisionList(TypedDict, total=False):
    items: Required[list[StoredDecision | UnreadableDocument]]
    next: Required[str | None]  # the cursor of the next page; null at the end


class StoredDecision(TypedDict, total=False):
    id: Required[str]  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    name: str  # for people
    question: str  # what is to be decided
    scenarios: Required[list[str]]  # ids of stored scenarios, each once
    baseline: str  # the one that others are compared to
    ranges: list[DecisionRange]  # how far assumptions may move; a pointer once
    budget: float  # in the scenarios' currency, over the horizon
    notes: str  # what was considered, and why
    colours: dict[str, int]  # {id of a scenario: number of its colour in charts}
    branches: list[DecisionBranch]  # named sets of changed assumptions
    revision: Required[int]  # counts from 1; the ETag
    recorded_at: Required[str]  # when this revision was stored
    recorded_by: Required[str]  # the name of the API key; local without one
    unknown_fields: list[str]
    warnings: list[str]


class DecisionRange(TypedDict, total=False):
    pointer: Required[str]  # to an input; * in it is any index or name
    low: Required[float]  # in the input's unit; where the pointer has *, a factor
    high: Required[float]  # above low
    label: str  # what people call it


class DecisionBranch(TypedDict, total=False):
    name: Required[str]  # for people; each once
    set: dict[str, float]  # {JSON Pointer: number}, as requests have it
    scale: dict[str, float]  # {JSON Pointer, where * is any index or name: factor}, as requests have it


class Decision(TypedDict, total=False):
    id: str  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    name: str  # for people
    question: str  # what is to be decided
    scenarios: Required[list[str]]  # ids of stored scenarios, each once
    baseline: str  # the one that others are compared to
    ranges: list[DecisionRange]  # how far assumptions may move; a pointer once
    budget: float  # in the scenarios' currency, over the horizon
    notes: str  # what was considered, and why
    colours: dict[str, int]  # {id of a scenario: number of its colour in charts}
    branches: list[DecisionBranch]  # named sets of changed assumptions
    revision: float  # of the store's answers; read over where it is sent
    recorded_at: Any  # of the store's answers; read over where it is sent
    recorded_by: Any  # of the store's answers; read over where it is sent
    unknown_fields: Any  # of the store's answers; read over where it is sent
    warnings: Any  # of the store's answers; read over where it is sent


class MeasurementList(TypedDict, total=False):
    items: Required[list[StoredMeasurement | UnreadableDocument]]
    next: Required[str | None]  # the cursor of the next page; null at the end


class StoredMeasurement(TypedDict, total=False):
    id: Required[str]  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    kind: Literal["serving", "static_batch", "disaggregated", "offline", "server", "interactive", "prefill", "training"]
    model: Required[str]  # the id of a stored model
    device: Required[str]  # the id of a stored device
    devices: int  # devices
    parallel: Parallel  # how they share the work; not known where unstated
    precision: Required[Literal["bf16", "fp16", "fp8", "int8", "fp4", "int4", "tf32", "fp32"]]  # of the weights
    kv_precision: Literal["bf16", "fp16", "fp8", "int8", "fp4", "int4", "tf32", "fp32"]
    framework: str  # what served or trained it
    version: str  # of the framework
    date: str  # of the measurement, YYYY-MM-DD
    publisher: str  # who measured or published it
    basis: Literal["measured", "interpolated", "extrapolated", "estimated", "assumed"]  # how well the figures are known
    own: bool  # of your own machines: preferred to what is published
    doubt: str  # why it should be in no fit and no rate
    method: Literal["full", "lora"]  # of kind training: all parameters, or low-rank adapters
    percentiles: MeasuredPercentiles  # of the latencies
    points: Required[MeasuredPoints]  # by column, a number a point in each that is stated
    revision: Required[int]  # counts from 1; the ETag
    recorded_at: Required[str]  # when this revision was stored
    recorded_by: Required[str]  # the name of the API key; local without one
    unknown_fields: list[str]
    warnings: list[str]


class Parallel(TypedDict, total=False):
    tp: int  # devices
    pp: int  # devices
    ep: int  # devices
    dp: int  # devices
    cp: int  # devices


class MeasuredPercentiles(TypedDict, total=False):
    ttft_s: float  # percentile
    itl_s: float  # percentile
    e2e_s: float  # percentile


class MeasuredPoints(TypedDict, total=False):
    input: list[float]  # tokens
    cached_input: list[float]  # tokens
    output: list[float]  # tokens
    concurrency: list[float]  # requests
    output_per_s: list[float]  # tokens/s
    ttft_s: list[float]  # s
    itl_s: list[float]  # s
    e2e_s: list[float]  # s
    watts: list[float]  # W
    sequence: list[float]  # tokens
    tokens_per_step: list[float]  # tokens
    tokens_per_s: list[float]  # tokens/s


class Measurement(TypedDict, total=False):
    id: str  # slug: [a-z0-9][a-z0-9._-]{0,127}
    source: str  # where the figures are from: URL, file and row, 'measured'
    note: str  # free text
    kind: Literal["serving", "static_batch", "disaggregated", "offline", "server", "interactive", "prefill", "training"]
    model: Required[str]  # the id of a stored model
    device: Required[str]  # the id of a stored device
    devices: int  # devices
    parallel: Parallel  # how they share the work; not known where unstated
    precision: Required[Literal["bf16", "fp16", "fp8", "int8", "fp4", "int4", "tf32", "fp32"]]  # of the weights
    kv_precision: Literal["bf16", "fp16", "fp8", "int8", "fp4", "int4", "tf32", "fp32"]
    framework: str  # what served or trained it
    version: str  # of the framework
    date: str  # of the measurement, YYYY-MM-DD
    publisher: str  # who measured or published it
    basis: Literal["measured", "interpolated", "extrapolated", "estimated", "assumed"]  # how well the figures are known
    own: bool  # of your own machines: preferred to what is published
    doubt: str  # why it should be in no fit and no rate
    method: Literal["full", "lora"]  # of kind training: all parameters, or low-rank adapters
    percentiles: MeasuredPercentiles  # of the latencies
    points: Required[MeasuredPoints]  # by column, a number a point in each that is stated
    revision: float  # of the store's answers; read over where it is sent
    recorded_at: Any  # of the store's answers; read over where it is sent
    recorded_by: Any  # of the store's answers; read over where it is sent
    unknown_fields: Any  # of the store's answers; read over where it is sent
    warnings: Any  # of the store's answers; read over where it is sent


class Result(TypedDict, total=False):
    name: str  # of the scenario, where it has one
    currency: Required[str]
    start: Required[str]
    months: Required[int]
    total: Required[Total]
    feasible: Required[bool]
    infeasible_because: Required[list[Infeasibility]]
    decide_by: Required[Literal["cost", "cash", "npv", "npv_after_tax", "energy_kwh", "carbon_kg"]]
    decisive: Required[float | None]  # the total's figure that decide_by names
    by_category: Required[Categories]
    by_pool: Required[dict[str, PoolResult]]
    by_site: Required[dict[str, SiteResult]]  # of owned pools' sites with an id
    by_workload: Required[dict[str, InferenceResult | TrainingResult | BatchResult]]
    by_tag: Required[dict[str, dict[str, TagResult]]]  # by key and value of the workloads' tags; (untagged) and (idle) are the rest
    by_month: Required[list[MonthResult]]
    unallocated_cost: Required[float]
    warnings: Required[list[Issue]]
    provenance: Required[Provenance]
    ledger: list[LedgerRow]  # on request


class Total(TypedDict, total=False):
    cost: Required[float]  # currency
    cash: Required[float]  # currency
    npv: Required[float]  # currency
    npv_after_tax: Required[float]  # currency
    equivalent_annual_cost: Required[float]  # currency/year
    npv_before_financing: Required[float | None]  # currency
    energy_kwh: Required[float | None]  # kWh
    carbon_kg: Required[float | None]  # kg
    water_l: Required[float | None]  # l
    energy_kwh_at_least: Required[float]  # kWh
    carbon_kg_at_least: Required[float]  # kg
    terminal: Required[TotalTerminal]  # what the horizon's end settles


class TotalTerminal(TypedDict, total=False):
    sale: Required[float]  # currency
    book: Required[float]  # currency
    obligations: Required[float]  # currency
    commitments_sold: Required[float]  # currency
    loan_balance: Required[float]  # currency
    tax_loss: Required[float]  # currency


class Infeasibility(TypedDict, total=False):
    workload: str
    site: str | None
    code: Required[Literal["unserved", "over_power", "availability", "deadline"]]
    value: Required[float]  # fraction of the demand, or kW
    limit: Required[float]


class Categories(TypedDict, total=False):
    compute: Required[Amounts]
    usage: Required[Amounts]
    commitment: Required[Amounts]
    hardware: Required[Amounts]
    facility: Required[Amounts]
    energy: Required[Amounts]
    demand_charge: Required[Amounts]
    maintenance: Required[Amounts]
    software: Required[Amounts]
    staff: Required[Amounts]
    network: Required[Amounts]
    storage: Required[Amounts]
    egress: Required[Amounts]
    engineering: Required[Amounts]
    carbon: Required[Amounts]
    unserved: Required[Amounts]
    disposal: Required[Amounts]
    lease: Required[Amounts]
    financing: Required[Amounts]
    other: Required[Amounts]


class Amounts(TypedDict, total=False):
    cost: Required[float]
    cash: Required[float]


class PoolResult(TypedDict, total=False):
    kind: Required[Literal["cloud", "owned", "api"]]
    cost: Required[float]  # currency
    cash: Required[float]  # currency
    energy_kwh: Required[float | None]  # kWh
    carbon_kg: Required[float | None]  # kg
    available_device_hours: Required[float]  # device-hours
    reserved_device_hours: Required[float]  # device-hours
    busy_device_hours: Required[float]  # device-hours
    utilization_fraction: Required[float | None]  # fraction
    cost_per_reserved_device_hour: Required[float | None]  # currency/device-hour
    idle_cost: Required[float]  # currency
    obligation: Required[float]  # currency
    lease_liability: Required[float]  # currency
    peak_kw: Required[float | None]  # kW
    racks: float | None  # racks
    unit_utilization: float | None  # fraction
    break_even_utilization: float | None  # fraction
    price_day: Required[str | None]
    price_source: Required[str | None]  # who states the price: the offer's, endpoint's or pool's source; null: not stated
    by_category: Required[SomeCategories]


class SomeCategories(TypedDict, total=False):
    compute: Amounts
    usage: Amounts
    commitment: Amounts
    hardware: Amounts
    facility: Amounts
    energy: Amounts
    demand_charge: Amounts
    maintenance: Amounts
    software: Amounts
    staff: Amounts
    network: Amounts
    storage: Amounts
    egress: Amounts
    engineering: Amounts
    carbon: Amounts
    unserved: Amounts
    disposal: Amounts
    lease: Amounts
    financing: Amounts
    other: Amounts


class SiteResult(TypedDict, total=False):
    cost: Required[float]  # currency
    energy_kwh: Required[float | None]  # kWh
    carbon_kg: Required[float | None]  # kg
    peak_kw: Required[float]  # kW
    water_l: Required[float | None]  # l
    bill_by_month: Required[list[float]]  # energy and demand charges of the pools there


class InferenceResult(TypedDict, total=False):
    kind: Required[str]
    unit: Required[str]
    cost: Required[float]  # currency
    cash: Required[float]  # currency
    npv: Required[float]  # currency
    units_demanded: Required[float]  # units
    units_served: Required[float]  # units
    units_unserved: Required[float]  # units
    units_lost_to_outages: Required[float]  # units
    energy_kwh: Required[float | None]  # kWh
    carbon_kg: Required[float | None]  # kg
    units_per_kwh: Required[float | None]  # units/kWh
    carbon_g_per_unit: Required[float | None]  # g/unit
    water_l_per_million_units: Required[float | None]  # l/million units
    cost_per_million_units: Required[float | None]  # currency/million units
    cost_per_million_input_units: float | None  # currency/million units
    cost_per_million_output_units: float | None  # currency/million units
    days: float | None  # days
    levelized_cost_per_million_units: Required[float | None]  # currency/million units
    cost_by_class: Required[dict[str, InferenceResultCostByClass] | None]
    evidence: Required[Literal["measured", "interpolated", "extrapolated", "estimated", "assumed", None]]
    requests_served: Required[float | None]  # requests
    cost_per_inference: Required[float | None]  # currency/request
    backlog: Required[None]  # units at the end of each month that the next one takes
    batch: Required[dict[str, int]]  # by pool, where one was stated or chosen


class InferenceResultCostByClass(TypedDict, total=False):
    cost: Required[float]  # currency
    units: Required[float]  # units
    cost_per_million: Required[float | None]  # currency/million units


class TrainingResult(TypedDict, total=False):
    kind: Required[str]
    unit: Required[str]
    cost: Required[float]  # currency
    cash: Required[float]  # currency
    npv: Required[float]  # currency
    units_demanded: Required[float]  # units
    units_served: Required[float]  # units
    units_unserved: Required[float]  # units
    units_lost_to_outages: Required[float]  # units
    energy_kwh: Required[float | None]  # kWh
    carbon_kg: Required[float | None]  # kg
    units_per_kwh: Required[float | None]  # units/kWh
    carbon_g_per_unit: Required[float | None]  # g/unit
    water_l_per_million_units: Required[float | None]  # l/million units
    cost_per_million_units: Required[float | None]  # currency/million units
    days: float | None  # days
    levelized_cost_per_million_units: Required[float | None]  # currency/million units
    cost_by_class: Required[None]
    evidence: Required[Literal["measured", "interpolated", "extrapolated", "estimated", "assumed", None]]
    epochs_done: Required[float | None]  # epochs
    cost_per_epoch: Required[float | None]  # currency/epoch
    backlog: Required[list[float]]  # units at the end of each month that the next one takes
    hours_per_epoch: Required[dict[str, float] | None]
    batch: Required[dict[str, int]]  # by pool, where one was stated or chosen


class BatchResult(TypedDict, total=False):
    kind: Required[str]
    unit: Required[str]
    cost: Required[float]  # currency
    cash: Required[float]  # currency
    npv: Required[float]  # currency
    units_demanded: Required[float]  # units
    units_served: Required[float]  # units
    units_unserved: Required[float]  # units
    units_lost_to_outages: Required[float]  # units
    energy_kwh: Required[float | None]  # kWh
    carbon_kg: Required[float | None]  # kg
    units_per_kwh: Required[float | None]  # units/kWh
    carbon_g_per_unit: Required[float | None]  # g/unit
    water_l_per_million_units: Required[float | None]  # l/million units
    cost_per_million_units: Required[float | None]  # currency/million units
    cost_per_million_input_units: float | None  # currency/million units
    cost_per_million_output_units: float | None  # currency/million units
    days: float | None  # days
    levelized_cost_per_million_units: Required[float | None]  # currency/million units
    cost_by_class: Required[dict[str, BatchResultCostByClass] | None]
    evidence: Required[Literal["measured", "interpolated", "extrapolated", "estimated", "assumed", None]]
    requests_served: Required[float | None]  # requests
    cost_per_inference: Required[float | None]  # currency/request
    backlog: Required[list[float]]  # units at the end of each month that the next one takes
    batch: Required[dict[str, int]]  # by pool, where one was stated or chosen


class BatchResultCostByClass(TypedDict, total=False):
    cost: Required[float]  # currency
    units: Required[float]  # units
    cost_per_million: Required[float | None]  # currency/million units


class TagResult(TypedDict, total=False):
    cost: Required[float]  # currency
    cash: Required[float]  # currency
    energy_kwh: Required[float | None]  # kWh
    carbon_kg: Required[float | None]  # kg


class MonthResult(TypedDict, total=False):
    month: Required[str]
    cost: Required[float]  # currency
    cash: Required[float]  # currency
    energy_kwh: Required[float | None]  # kWh
    carbon_kg: Required[float | None]  # kg
    by_category: Required[SomeCategories]
    by_pool: Required[dict[str, Amounts]]


class Provenance(TypedDict, total=False):
    model_version: Required[str]
    inputs_hash: Required[str]  # SHA-256 of the resolved scenario
    oldest_price: Required[str | None]  # the day of the oldest last price
    as_of: Required[str | None]
    documents: Required[list[DocumentUsed]]


class DocumentUsed(TypedDict, total=False):
    kind: Required[Literal["curve", "device", "offer", "server", "site", "performance", "scenario", "schedule", "webhook",
        "comparison", "model", "endpoint", "alias", "feed", "decision", "measurement"]]
    id: Required[str]
    revision: Required[int | None]  # null where it came inline
    source: Required[str | None]


class LedgerRow(TypedDict, total=False):
    month: Required[str]
    pool: Required[str | None]
    workload: Required[str | None]
    category: Required[Literal["compute", "usage", "commitment", "hardware", "facility", "energy", "demand_charge", "maintenance",
        "software", "staff", "network", "storage", "egress", "engineering", "carbon", "unserved", "disposal", "lease", "financing",
        "other"]]
    cost: Required[float]
    cash: Required[float]


class EvaluateRequest(TypedDict, total=False):
    scenario: Required[str | Scenario]  # a scenario, or the id of a stored one
    set: dict[str, Any]  # {JSON Pointer into the resolved scenario: value}: what if
    scale: dict[str, float]
    as_of: str | None  # the store as it was known then: a time of RFC 3339, or @ and a change's number; else now
    ledger: bool  # adds the rows of the ledger


class BatchRequest(TypedDict, total=False):
    scenarios: list[str | Scenario]  # scenarios or ids
    scenario: str | Scenario  # instead of scenarios: one, or its id, and sets
    sets: list[dict[str, Any]]  # one what-if a line, of scenario
    as_of: str | None  # the store as it was known then: a time of RFC 3339, or @ and a change's number; else now
    ledger: bool  # adds the rows of the ledger


class Compared(TypedDict, total=False):
    baseline: Required[int]
    currency: Required[str]
    decide_by: Required[Literal["cost", "cash", "npv", "npv_after_tax", "energy_kwh", "carbon_kg"]]
    cheapest: Required[int | None]
    scenarios: Required[list[ComparedScenarios]]
    waterfalls: Required[list[ComparedWaterfalls]]  # of the cost, from the baseline to each of the others
    by_unit: Required[ComparedByUnit | None]
    comparable: Required[bool]  # all do the same work; else nothing is the cheapest
    differences: Required[list[ComparedDifferences]]
    ignore_unserved: Required[bool]  # as the request states it


class ComparedScenarios(TypedDict, total=False):
    name: Required[str]
    result: Required[Result]
    difference: Required[ComparedScenariosDifference]  # to the baseline
    investment: Required[ComparedScenariosInvestment | None]  # against the baseline; null of the baseline, and where months differ


class ComparedScenariosDifference(TypedDict, total=False):
    total: Required[TotalDifference]
    by_category: Required[Categories]


class TotalDifference(TypedDict, total=False):
    cost: Required[float | None]
    cash: Required[float | None]
    npv: Required[float | None]
    npv_after_tax: Required[float | None]
    equivalent_annual_cost: Required[float | None]
    npv_before_financing: Required[float | None]
    energy_kwh: Required[float | None]
    carbon_kg: Required[float | None]
    water_l: Required[float | None]
    energy_kwh_at_least: Required[float | None]
    carbon_kg_at_least: Required[float | None]


class ComparedScenariosInvestment(TypedDict, total=False):
    reversed: Required[bool]  # the baseline is the investment: its first difference is an outlay
    irr: Required[list[float]]  # 1/year
    payback_month: Required[float | None]  # months
    discounted_payback_month: Required[float | None]  # months
    npv_difference: Required[float]  # currency


ComparedWaterfalls = TypedDict("ComparedWaterfalls", {
    "from": 'Required[int]',
    "to": 'Required[int]',
    "steps": 'Required[list[ComparedWaterfallsSteps]]',
    "by_category": 'Required[list[ComparedWaterfallsByCategory]]',
    "bridge": 'Required[ComparedWaterfallsBridge]',
}, total=False)


class ComparedWaterfallsSteps(TypedDict, total=False):
    cause: Required[str]
    amount: Required[float]


class ComparedWaterfallsByCategory(TypedDict, total=False):
    cause: Required[str]
    amount: Required[float]


class ComparedWaterfallsBridge(TypedDict, total=False):
    figure: Required[Literal["cost", "cash", "npv", "npv_after_tax", "energy_kwh", "carbon_kg"]]
    why: Required[str]  # the two largest steps in words, of `to` against the baseline
    steps: Required[list[ComparedWaterfallsBridgeSteps]]  # they add up to the difference of the figure


class ComparedWaterfallsBridgeSteps(TypedDict, total=False):
    driver: Required[str]  # of the device cost; a category; other categories; tax
    unit: Required[str]  # of a and b; currency is the answer's
    a: Required[float]  # of the baseline
    b: Required[float]
    amount: Required[float]  # currency


class ComparedByUnit(TypedDict, total=False):
    unit: Required[str]  # of all their work
    levelized_cost_per_million_units: Required[list[float | None]]  # currency/million units
    cheapest: Required[int | None]  # the number of the scenario with the least


class ComparedDifferences(TypedDict, total=False):
    scenario: Required[int]  # its number
    what: Required[str]
    a: Required[str]  # of the first or baseline
    b: Required[str]


class Job(TypedDict, total=False):
    id: Required[str]
    state: Required[Literal["queued", "running", "done", "failed", "cancelled"]]
    author: Required[str]  # who asked
    question: Required[str]  # the path that it was posted to
    as_of: Required[str]  # the change up to which the store counts, where the request names no other moment
    created_at: Required[str]
    started_at: Required[str | None]
    ended_at: Required[str | None]  # kept for a day after it
    progress: Required[JobProgress | None]  # while it runs
    result: Required[dict[str, Any] | None]  # of one job that is done: the question's answer, the same bytes as at once
    problem: Required[Problem | None]  # why it failed


class JobProgress(TypedDict, total=False):
    done: Required[int]  # samples, cells or plans of the stage at hand
    total: Required[int]


class CompareRequest(TypedDict, total=False):
    scenarios: Required[list[str | Scenario]]  # scenarios or ids, all in one currency
    baseline: int | str  # what the others are compared with: its number in the list, or its id; else the first
    ignore_unserved: bool  # whether what leaves work undone may be the cheapest too
    set: dict[str, Any]  # {JSON Pointer into the resolved scenario: value}: what if
    scale: dict[str, float]
    as_of: str | None  # the store as it was known then: a time of RFC 3339, or @ and a change's number; else now


class BreakEven(TypedDict, total=False):
    over: Required[str]
    unit: Required[str]  # of the crossings
    low: Required[float | None]  # of the input: the range that was searched, to high
    high: Required[float | None]
    currency: Required[str]
    feasible: Required[list[bool]]  # [a, b]: whether it can do its work; over an input, at any value of the range
    relation: Required[Literal["crosses", "a_always_cheaper", "b_always_cheaper", "equal", "none"]]  # of the cost
    stretches: Required[list[BreakEvenStretches]]
    cost: Required[BreakEvenCost]
    cash: Required[BreakEvenCash]
    comparable: Required[bool]  # all do the same work; else nothing is the cheapest
    differences: Required[list[BreakEvenDifferences]]
    ignore_unserved: Required[bool]  # as the request states it


BreakEvenStretches = TypedDict("BreakEvenStretches", {
    "from": 'Required[float]',
    "to": 'Required[float]',
    "because": 'Required[Literal["a_infeasible", "b_infeasible", "both_infeasible", "not_comparable", "invalid"]]',
}, total=False)


class BreakEvenCost(TypedDict, total=False):
    crossings: Required[list[float]]  # months from the start, or values of the input
    cheaper_after: Required[list[Literal["a", "b"]]]  # beyond each crossing
    jumps: Required[list[bool]]
    relation: Required[Literal["crosses", "a_always_cheaper", "b_always_cheaper", "equal", "none"]]
    difference: Required[list[float]]  # over the horizon: sum of a less that of b at each month's end, terminal values left out
    at_end: Required[BreakEvenCostAtEnd | None]  # once the horizon's end is settled; null over an input, or where the months differ


class BreakEvenCostAtEnd(TypedDict, total=False):
    difference: Required[float]  # a less b, terminal values included
    cheaper: Required[Literal["a", "b", None]]  # null where they are equal or the relation is none


class BreakEvenCash(TypedDict, total=False):
    crossings: Required[list[float]]  # months from the start, or values of the input
    cheaper_after: Required[list[Literal["a", "b"]]]  # beyond each crossing
    jumps: Required[list[bool]]
    relation: Required[Literal["crosses", "a_always_cheaper", "b_always_cheaper", "equal", "none"]]
    difference: Required[list[float]]  # over the horizon: sum of a less that of b at each month's end, terminal values left out
    at_end: Required[BreakEvenCashAtEnd | None]  # once the horizon's end is settled; null over an input, or where the months differ


class BreakEvenCashAtEnd(TypedDict, total=False):
    difference: Required[float]  # a less b, terminal values included
    cheaper: Required[Literal["a", "b", None]]  # null where they are equal or the relation is none


class BreakEvenDifferences(TypedDict, total=False):
    scenario: Required[int]  # its number
    what: Required[str]
    a: Required[str]  # of the first or baseline
    b: Required[str]


class BreakEvenRequest(TypedDict, total=False):
    a: Required[str | Scenario]  # a scenario, or the id of a stored one
    b: Required[str | Scenario]  # a scenario, or the id of a stored one
    over: str  # "horizon", the default, or give input
    input: str  # an input, in both scenarios or in one of them; with low and high
    low: float  # the least value of the input
    high: float  # the greatest value of the input
    ignore_unserved: bool  # whether what leaves work undone may be the cheapest too
    set: dict[str, Any]  # {JSON Pointer into the resolved scenario: value}: what if
    scale: dict[str, float]
    as_of: str | None  # the store as it was known then: a time of RFC 3339, or @ and a change's number; else now


class Solved(TypedDict, total=False):
    input: Required[str]
    value: Required[float]  # the lowest where there are several
    unit: Required[str]
    output: Required[float]
    output_unit: Required[str]
    exact: Required[bool]  # false where the output jumps over the target there
    solutions: Required[list[SolvedSolutions]]  # all that were found
    iterations: Required[int]
    notes: list[str]  # where outages or spares make the output rise and fall in the range; absent without


class SolvedSolutions(TypedDict, total=False):
    value: Required[float]
    output: Required[float]
    exact: Required[bool]  # false where the output jumps over the target there


class SolveRequest(TypedDict, total=False):
    scenario: Required[str | Scenario]  # a scenario, or the id of a stored one
    input: Required[str]  # an input of the scenario
    low: Required[float]  # the least value of the input
    high: Required[float]  # the greatest value of the input
    output: Required[str]  # a figure of the result
    target: Required[float]  # the wanted value of the output
    set: dict[str, Any]  # {JSON Pointer into the resolved scenario: value}: what if
    scale: dict[str, float]
    as_of: str | None  # the store as it was known then: a time of RFC 3339, or @ and a change's number; else now


class Sensitivity(TypedDict, total=False):
    output: Required[str]
    unit: Required[str]
    base: Required[float | None]
    cheapest: Required[int | None]  # at the base: 0 is scenario
    inputs: Required[list[SensitivityInputs]]  # the widest swing first
    without_effect: Required[int]  # numbers of the scenario that were left out, as the output stays the same
    first_without_effect: Required[list[str]]  # pointers to the first
    comparable: Required[bool]  # all do the same work; else nothing is the cheapest
    differences: Required[list[SensitivityDifferences]]
    ignore_unserved: Required[bool]  # as the request states it


class SensitivityInputs(TypedDict, total=False):
    pointer: Required[str]
    unit: Required[str]
    base: Required[float | None]  # null where the scenario states nothing
    low: Required[SensitivityInputsLow]
    high: Required[SensitivityInputsHigh]
    elasticity: Required[float | None]  # relative change of the output over that of the input
    flips_at: Required[SensitivityInputsFlipsAt | None]


class SensitivityInputsLow(TypedDict, total=False):
    input: Required[float]  # as it was set: whole inputs by whole steps
    change: Required[float | None]  # from base to it, as a fraction of base; null where that is 0 or null
    output: Required[float | None]


class SensitivityInputsHigh(TypedDict, total=False):
    input: Required[float]  # as it was set: whole inputs by whole steps
    change: Required[float | None]  # from base to it, as a fraction of base; null where that is 0 or null
    output: Required[float | None]


class SensitivityInputsFlipsAt(TypedDict, total=False):
    value: Required[float]
    cheapest: Required[int | None]  # 0 is scenario, 1 the first of against; null where none can do its work there
    infeasible: bool  # the cheapest of the base breaks a rule or can't do its work there; absent where it only costs more


class SensitivityDifferences(TypedDict, total=False):
    scenario: Required[int]  # its number
    what: Required[str]
    a: Required[str]  # of the first or baseline
    b: Required[str]


class SensitivityRequest(TypedDict, total=False):
    scenario: Required[str | Scenario]  # a scenario, or the id of a stored one
    against: list[str | Scenario]  # others that may become the cheapest
    inputs: list[SensitivityRequestInputs]  # where absent, every number of the scenario that has an effect
    change: float  # of every number, where there are no inputs; 0.2 where absent
    decisions: bool  # numbers of servers and instances and the horizon too, where there are no inputs
    output: str  # a figure of the result; default the scenario's decide_by
    ignore_unserved: bool  # whether what leaves work undone may be the cheapest too
    set: dict[str, Any]  # {JSON Pointer into the resolved scenario: value}: what if
    scale: dict[str, float]
    as_of: str | None  # the store as it was known then: a time of RFC 3339, or @ and a change's number; else now


class SensitivityRequestInputs(TypedDict, total=False):
    pointer: Required[str]  # an input of the scenario
    low: float  # with high; else change
    high: float  # with low; else change
    change: float  # of the value, up and down; else low and high


class Recalculation(TypedDict, total=False):
    id: Required[str]
    state: Required[Literal["queued", "running", "done", "cancelled"]]
    scenarios: Required[Literal["all", "changed", "some"]]
    schedule: Required[str | None]
    recorded_by: Required[str]
    as_of: Required[str | None]  # all of its scenarios see the store as it was known then
    created_at: Required[str]
    started_at: Required[str | None]
    ended_at: Required[str | None]
    total: Required[int]
    done: Required[int]  # it may be ahead of what is stored
    evaluated: Required[int]  # results that were kept
    unchanged: Required[int]  # whose inputs are those of the newest result
    failed: Required[int]
    eta_s: Required[float | None]  # seconds that are left
    waits_for: Required[str | None]  # why it stands still
    failures: list[RecalculationFailures]  # of one recalculation: the first 100


class RecalculationFailures(TypedDict, total=False):
    scenario: Required[str]
    errors: Required[list[Issue]]


class RecalculationRequest(TypedDict, total=False):
    scenarios: Literal["all", "changed"] | list[str]


class RecalculationList(TypedDict, total=False):
    items: Required[list[Recalculation]]
    next: Required[str | None]  # the cursor of the next page; null at the end


class ResultList(TypedDict, total=False):
    items: Required[list[KeptResult]]
    next: Required[str | None]  # the cursor of the next page; null at the end


class KeptResult(TypedDict, total=False):
    number: Required[int]
    recalculation: Required[str]
    recorded_at: Required[str]
    inputs_hash: Required[str]
    model_version: Required[str]
    currency: Required[str]
    total: Required[Headline]


class Headline(TypedDict, total=False):
    cost: Required[float]
    cash: Required[float]
    npv: Required[float]
    npv_after_tax: Required[float]
    energy_kwh: Required[float | None]  # null where not known
    carbon_kg: Required[float | None]  # null where not known


ResultDiff = TypedDict("ResultDiff", {
    "from": 'Required[int]',
    "to": 'Required[int]',
    "currency": 'Required[str]',
    "from_model_version": 'Required[str]',
    "to_model_version": 'Required[str]',
    "total": 'Required[TotalDifference]',
    "by_category": 'Required[dict[str, float]]',
    "by_pool": 'Required[dict[str, float]]',
    "by_workload": 'Required[dict[str, float]]',
    "by_document": 'Required[list[ResultDiffByDocument]]',
}, total=False)


class ResultDiffByDocument(TypedDict, total=False):
    documents: Required[list[ResultDiffByDocumentDocuments]]
    amount: Required[float]
    because: str  # version 1.0.0 → 2.1.0 of the model; absent where it is the documents alone


ResultDiffByDocumentDocuments = TypedDict("ResultDiffByDocumentDocuments", {
    "kind": (
        'Required[Literal["curve", "device", "offer", "server", "site", "performance", "scenario", "schedule", "webhook",'
        '"comparison", "model", "endpoint", "alias", "feed", "decision", "measurement"]]'
    ),
    "id": 'Required[str]',
    "from": 'Required[int | None]',
    "to": 'Required[int | None]',
}, total=False)


class StandingList(TypedDict, total=False):
    items: Required[list[Standing]]
    next: Required[str | None]  # the cursor of the next page; null at the end


class Standing(TypedDict, total=False):
    recalculation: Required[str]
    objective: Required[Literal["cost", "cash", "npv", "npv_after_tax", "energy_kwh", "carbon_kg"]]
    currency: Required[str | None]  # of the figures; null where they are no money
    cheapest: Required[str | None]  # the id of a scenario; null where there is a problem
    figure: Required[float | None]  # its objective
    problem: Required[str | None]  # why none can be said to be the cheapest
    scenarios: Required[list[StandingScenarios]]
    budget: float  # as the comparison stated it
    recorded_at: Required[str]
    event: Required[int | None]  # the event of it; null where there is none


class StandingScenarios(TypedDict, total=False):
    scenario: Required[str]
    result: Required[int | None]  # the number of its newest result; null where it has none
    figure: Required[float | None]  # null where it is not known
    feasible: Required[bool | None]  # null of results that did not say
    currency: str  # of the figure; absent where it is no money
    over_budget: bool  # whether the figure is above the budget; absent without a budget, or where the figure is not known
    drivers: StandingScenariosDrivers


class StandingScenariosDrivers(TypedDict, total=False):
    units: Required[float]  # served by devices; 0 where a hosted model serves some
    unit: Required[str]  # of all workloads; empty where they differ
    busy_device_hours: Required[float]  # device-hours
    available_device_hours: Required[float]  # device-hours
    device_cost: Required[float]  # currency
    other_costs: Required[dict[str, float]]  # by category; those that are not 0
    device_figure: float  # what devices have of the energy or carbon that decides; absent where money does
    other_figure: float  # what hosted models have of it


class Term(TypedDict, total=False):
    term: Required[str]
    formula: Required[str]
    value: Required[float]
    unit: Required[str]
    rule: Required[Literal["leaf", "sum", "product", "quotient"]]  # how the value comes of those of the terms
    inputs: Required[list[TermInputs]]
    terms: Required[list[Term]]


class TermInputs(TypedDict, total=False):
    name: Required[str]  # JSON Pointer into the resolved scenario
    value: Required[float | None]  # null of a curve, and where nothing is stated
    unit: Required[str]
    source: Required[str | None]
    revision: Required[int | None]  # of the stored document around it
    currency: str  # in which it is stated, of money that was converted; else absent
    exchange_rate: float  # by which that money was multiplied
    price_day: str | None  # of a price of what is rented or hosted: its day in force at the start; null: not known; else absent


class ExplainRequest(TypedDict, total=False):
    scenario: Required[str | Scenario]  # a scenario, or the id of a stored one
    figure: Required[str]  # a JSON Pointer to a number of the result, such as /total/cost
    depth: int  # levels below the figure, months opened; without it months stay closed
    set: dict[str, Any]  # {JSON Pointer into the resolved scenario: value}: what if
    scale: dict[str, float]
    as_of: str | None  # the store as it was known then: a time of RFC 3339, or @ and a change's number; else now


class Profile(TypedDict, total=False):
    month: Required[str]
    time_zone: Required[str]
    currency: Required[str]
    months: Required[list[str]]
    served: Required[list[ProfileServed]]
    hours: Required[list[float]]  # how many hours of the month each of the 168 of a week is
    workloads: Required[list[ProfileWorkloads]]
    pools: Required[list[ProfilePools]]


class ProfileServed(TypedDict, total=False):
    workload: Required[str]
    unit: Required[str]
    pool: Required[str]
    units: Required[list[float]]  # by month


class ProfileWorkloads(TypedDict, total=False):
    id: Required[str]
    unit: Required[str]
    demand_units_per_s: Required[list[float] | None]  # null of training, which has no hours of its own


class ProfilePools(TypedDict, total=False):
    id: Required[str]
    kind: Required[Literal["cloud", "owned", "api"]]
    busy_devices: Required[list[float] | None]  # null of an API pool
    available_devices: Required[list[float] | None]  # devices that are paid and may be busy; null of an API pool
    power_kw: Required[list[float] | None]  # of the facility; null where the pool has no site
    energy_price: Required[list[float] | None]  # currency/kWh, of an owned pool


class ProfileRequest(TypedDict, total=False):
    scenario: Required[str | Scenario]  # a scenario, or the id of a stored one
    month: str  # within the horizon; its first where none is given
    set: dict[str, Any]  # {JSON Pointer into the resolved scenario: value}: what if
    scale: dict[str, float]
    as_of: str | None  # the store as it was known then: a time of RFC 3339, or @ and a change's number; else now


class Simulation(TypedDict, total=False):
    samples: Required[int]
    seed: Required[int]
    sampling: Required[Literal["random", "sobol"]]
    failed: Required[int]  # samples whose values break rules together
    first_failure: Required[Issue | None]
    probability_none: Required[float | None]  # that none is the cheapest
    not_comparable: Required[int]  # samples in which not all do the same work; nothing is the cheapest there
    baseline: Required[int]
    scenarios: Required[list[SimulationScenarios]]
    break_even: SimulationBreakEven
    uncertainty: SimulationUncertainty
    comparable: Required[bool]  # all do the same work; else nothing is the cheapest
    differences: Required[list[SimulationDifferences]]
    ignore_unserved: Required[bool]  # as the request states it


class SimulationScenarios(TypedDict, total=False):
    name: Required[str]
    outputs: Required[dict[str, SimulationScenariosOutputs | None]]  # by pointer; null where no sample has the figure
    probability_feasible: Required[float | None]  # that it can do its work
    probability_cheapest: Required[float | None]
    probability_best: float  # as a ranking says it, of these plans alone; with uncertainty
    probability_below: list[SimulationScenariosProbabilityBelow]
    difference: Required[SimulationScenariosDifference | None]
    by_month: list[SimulationScenariosByMonth]


class SimulationScenariosOutputs(TypedDict, total=False):
    unit: Required[str]
    samples: Required[int]  # that have the figure
    mean: Required[float]
    standard_error: Required[float]  # of the mean
    p5: Required[float]
    p10: Required[float]
    p50: Required[float]
    p90: Required[float]
    p95: Required[float]
    cvar_95: Required[float]  # mean of the highest 5 %
    quantiles: Required[list[float]]  # of 0, 5, … 100 %: from the least to the greatest
    variance_by_input: Required[dict[str, float]]  # by pointer: the share of the variance that would go if it were known


class SimulationScenariosProbabilityBelow(TypedDict, total=False):
    output: Required[str]
    amount: Required[float]
    probability: Required[float]


class SimulationScenariosDifference(TypedDict, total=False):
    unit: Required[str]
    samples: Required[int]  # that have the figure
    mean: Required[float]
    standard_error: Required[float]  # of the mean
    p5: Required[float]
    p10: Required[float]
    p50: Required[float]
    p90: Required[float]
    p95: Required[float]
    cvar_95: Required[float]  # mean of the highest 5 %
    quantiles: Required[list[float]]  # of 0, 5, … 100 %: from the least to the greatest


class SimulationScenariosByMonth(TypedDict, total=False):
    month: Required[str]
    p5: Required[float]
    p50: Required[float]
    p95: Required[float]


class SimulationBreakEven(TypedDict, total=False):
    a: Required[int]
    b: Required[int]
    probability: Required[list[float]]  # by the end of the first month, the second, …


class SimulationUncertainty(TypedDict, total=False):
    samples: Required[int]
    seed: Required[int]
    in_running: Required[int]  # plans that are compared in every sample, listed ones included
    probability_others: Required[float]  # that one in the running is the best that is not listed
    probability_none: Required[float]  # that none in the running can do the work
    assumption: Required[str]
    factors: Required[list[SimulationUncertaintyFactors]]


class SimulationUncertaintyFactors(TypedDict, total=False):
    factor: Required[Literal["demand", "throughput", "estimated_rates", "cloud_prices", "spot_prices", "hosted_prices",
        "server_prices", "energy_prices"]]
    multiplies: Required[str]  # the same in all plans that have it
    kind: Required[Literal["uniform", "triangular", "normal", "lognormal", "discrete", "empirical"]]
    median: Required[float]
    sigma: Required[float]  # of the logarithm
    p5: Required[float]
    p95: Required[float]


class SimulationDifferences(TypedDict, total=False):
    scenario: Required[int]  # its number
    what: Required[str]
    a: Required[str]  # of the first or baseline
    b: Required[str]


class SimulateRequest(TypedDict, total=False):
    scenarios: Required[list[str | Scenario]]  # scenarios or ids, all in one currency
    inputs: Required[list[SimulateRequestInputs]]  # a list of objects {pointer, distribution}
    correlations: list[SimulateRequestCorrelations]  # Spearman's, of ranks
    samples: int  # 10000 where absent (of an optimizer 256); up to the setting --max-samples
    seed: int  # the same seed gives the same draws
    sampling: Literal["random", "sobol"]  # how the draws are made
    outputs: list[str]
    by_month: bool  # bands of the cumulative cash by month
    break_even: SimulateRequestBreakEven  # when a becomes cheaper than b by cumulative cash, in exact time
    budgets: list[SimulateRequestBudgets]  # how often an output stays within an amount
    baseline: int  # the scenario, from 0, that the others' difference is taken from
    ignore_unserved: bool  # whether what leaves work undone may be the cheapest too
    sized_anew: bool
    deadline_s: float  # s
    set: dict[str, Any]  # {JSON Pointer into the resolved scenario: value}: what if
    scale: dict[str, float]
    as_of: str | None  # the store as it was known then: a time of RFC 3339, or @ and a change's number; else now


class SimulateRequestInputs(TypedDict, total=False):
    pointer: Required[str]  # a number of the scenario, or a curve, whose factor it then is
    distribution: Required[Distribution | Distribution1 | Distribution2 | Distribution3 | Distribution4 | Distribution5]
    scenario: int  # only that one; else every scenario that has it


class Distribution(TypedDict, total=False):
    kind: Required[Any]
    low: Required[float]  # the least value
    high: Required[float]  # the greatest value
    relative: bool  # multiplies what the scenario states


class Distribution1(TypedDict, total=False):
    kind: Required[Any]
    low: Required[float]  # the least value
    mode: Required[float]  # the likeliest value
    high: Required[float]  # the greatest value
    relative: bool  # multiplies what the scenario states


class Distribution2(TypedDict, total=False):
    kind: Required[Any]
    mean: Required[float]  # the mean
    sd: Required[float]  # the standard deviation
    relative: bool  # multiplies what the scenario states


class Distribution3(TypedDict, total=False):
    kind: Required[Any]
    median: Required[float]  # the median
    sigma: Required[float]  # the standard deviation of the logarithm
    relative: bool  # multiplies what the scenario states


class Distribution4(TypedDict, total=False):
    kind: Required[Any]
    values: Required[list[float]]  # the values
    weights: Required[list[float]]  # how likely each is, to any sum
    relative: bool  # multiplies what the scenario states


class Distribution5(TypedDict, total=False):
    kind: Required[Any]
    samples: Required[list[float]]  # values that were seen; each is as likely
    relative: bool  # multiplies what the scenario states


class SimulateRequestCorrelations(TypedDict, total=False):
    a: Required[str]  # an input
    b: Required[str]  # another
    rho: Required[float]  # Spearman's correlation of their ranks


class SimulateRequestBreakEven(TypedDict, total=False):
    a: Required[int]  # the number of a scenario, from 0
    b: Required[int]  # the number of a scenario, from 0


class SimulateRequestBudgets(TypedDict, total=False):
    output: str  # one of outputs; default the first
    scenario: int  # its number, from 0; every one where absent
    amount: Required[float]  # at or below which the output is to stay


class Map(TypedDict, total=False):
    output: Required[str]
    unit: Required[str]
    x: Required[MapX]
    y: Required[MapY]
    scenarios: Required[list[str]]  # their names
    cheapest: Required[list[list[int | None]]]
    values: Required[list[list[list[float | None]]]]  # [scenario][row of y][column of x]
    feasible: Required[list[list[list[bool]]]]  # likewise: whether it can do its work there; what can't is never the cheapest
    same_work: Required[list[list[bool]]]
    boundary: Required[list[MapBoundary]]  # where two that can do their work cost the same, between neighbours of the grid
    failed: Required[int]  # evaluations whose values break rules
    first_failure: Required[Issue | None]
    notes: list[str]  # where outages or spares make an output rise and fall along an axis; absent without
    comparable: Required[bool]  # all do the same work; else nothing is the cheapest
    differences: Required[list[MapDifferences]]  # what the work of the others differs in from that of the first, or of the baseline
    ignore_unserved: Required[bool]  # as the request states it


class MapX(TypedDict, total=False):
    pointer: Required[str]
    unit: Required[str]
    values: Required[list[float]]


class MapY(TypedDict, total=False):
    pointer: Required[str]
    unit: Required[str]
    values: Required[list[float]]


class MapBoundary(TypedDict, total=False):
    x: Required[float]
    y: Required[float]
    between: Required[list[int]]


class MapDifferences(TypedDict, total=False):
    scenario: Required[int]  # its number
    what: Required[str]
    a: Required[str]  # of the first or baseline
    b: Required[str]


class MapRequest(TypedDict, total=False):
    scenarios: Required[list[str | Scenario]]  # scenarios or ids, all in one currency
    x: Required[MapRequestX]  # an object {pointer, values}
    y: Required[MapRequestY]  # an object {pointer, values}
    output: str  # a figure of the result; the least is the cheapest; default the first scenario's decide_by
    ignore_unserved: bool  # whether what leaves work undone may be the cheapest too
    deadline_s: float  # s
    set: dict[str, Any]  # {JSON Pointer into the resolved scenario: value}: what if
    scale: dict[str, float]
    as_of: str | None  # the store as it was known then: a time of RFC 3339, or @ and a change's number; else now


MapRequestX = TypedDict("MapRequestX", {
    "pointer": 'Required[str]',
    "values": 'list[float]',
    "from": 'float',
    "to": 'float',
    "steps": 'int',
    "spacing": 'Literal["linear", "log"]',
}, total=False)


MapRequestY = TypedDict("MapRequestY", {
    "pointer": 'Required[str]',
    "values": 'list[float]',
    "from": 'float',
    "to": 'float',
    "steps": 'int',
    "spacing": 'Literal["linear", "log"]',
}, total=False)


class Optimum(TypedDict, total=False):
    decisions: Required[dict[str, int]]  # {pointer: value}
    choices: dict[str, Any]  # {pointer: value}, of what is chosen among values
    objective: Required[float]
    minimize: Required[Literal["cost", "cash", "npv", "npv_after_tax", "energy_kwh", "carbon_kg"]]
    unit: Required[str]
    bound: Required[float | None]  # no plan comes to less; null where none is known
    gap_fraction: Required[float | None]  # (objective - bound) / |objective|
    proof: Required[Literal["exhaustive", "linear_bound", "none"]]
    hedge: OptimumHedge  # where inputs are uncertain: the objective over the samples
    limits: Required[list[OptimumLimits]]  # of the request, and how much the best plan takes of each
    runners_up: Required[list[OptimumRunnersUp]]  # the next best
    combinations: OptimumCombinations  # where something is chosen among values: what became of their combinations
    evaluations: Required[int]  # plans that were evaluated
    linear_programmes: Required[int]
    result: Required[Result]  # of the best plan, with what the scenario states


class OptimumHedge(TypedDict, total=False):
    samples: Required[int]  # that have the figure
    mean: Required[float]
    standard_error: Required[float]  # of the mean
    p5: Required[float]
    p10: Required[float]
    p50: Required[float]
    p90: Required[float]
    p95: Required[float]
    cvar_95: Required[float]  # mean of the highest 5 %
    quantiles: Required[list[float]]  # of 0, 5, … 100 %: from the least to the greatest
    plan_at_means: Required[dict[str, int] | None]  # the best were each input what it is on average
    value_of_hedging: Required[float | None]  # mean of that plan, less the best's; null where it breaks a limit
    value_of_foresight: Required[float | None]  # the mean, less that of plans made after the future is known


class OptimumLimits(TypedDict, total=False):
    name: Required[str]
    limit: Required[float]
    taken: Required[float]
    unit: Required[str]


class OptimumRunnersUp(TypedDict, total=False):
    decisions: Required[dict[str, int]]  # {pointer: value}
    choices: dict[str, Any]  # {pointer: value}, of what is chosen among values
    objective: Required[float]


class OptimumCombinations(TypedDict, total=False):
    stated: Required[int]  # of values: the sum of the four that follow
    examined: Required[int]  # searched for their best plan
    cut: Required[int]  # not searched: their bound is no less than the best plan
    infeasible: Required[int]  # no plan keeps the limits
    refused: Required[int]  # they break a rule
    reasons: Required[list[OptimumCombinationsReasons]]  # why those are refused


class OptimumCombinationsReasons(TypedDict, total=False):
    count: Required[int]  # combinations
    code: Required[Literal["missing", "unknown_field", "wrong_type", "out_of_range", "unknown_value", "bad_format", "not_allowed",
        "not_ascending", "duplicate", "unknown_reference", "unreadable_document", "inconsistent", "missing_exchange_rate",
        "ineligible_framework", "ineligible_precision", "ineligible_memory", "ineligible_latency", "ineligible_device",
        "ineligible_rack_power", "ineligible_capability", "exceeds_memory", "replica_spans_hosts", "outside_curve", "too_large",
        "too_few", "infeasible", "site_conflict", "term_not_whole", "unserved_work", "no_capacity", "unused_purchase",
        "estimated_performance", "zero_rate", "rate_capped", "no_resale_curve", "book_above_market", "term_cut", "loan_in_npv",
        "interruptions_unknown", "availability_unknown", "outages", "held_for_bursts", "link_assumed", "stale_price",
        "price_before_history", "undated_price", "currency_unknown", "exchange_rate_held", "price_condition_unknown",
        "without_hosts", "power_axis_differs", "power_assumed", "power_factor_assumed", "carbon_unknown", "latency_unknown",
        "percentile_differs", "scaling_unknown", "precision_differs", "model_differs", "mix_unknown", "mix_differs",
        "above_ceiling", "cache_unknown", "compatibility_unknown", "slices_mixed", "place_unknown", "one_unit_per_request",
        "low_utilization", "places_pooled", "failures_unknown", "market_level"]]
    pointer: Required[str]  # into the request, with the values in it
    message: Required[str]
    example: Required[dict[str, Any]]  # {pointer: value} of one of them


class OptimizeRequest(TypedDict, total=False):
    scenario: Required[str | Scenario]  # a scenario, or the id of a stored one
    decide: Required[list[OptimizeRequestDecide]]  # a list of {pointer, min, max} or {pointer, values}
    minimize: Literal["cost", "cash", "npv", "npv_after_tax", "energy_kwh", "carbon_kg"]
    subject_to: OptimizeRequestSubjectTo  # what a plan must keep
    uncertain: OptimizeRequestUncertain
    gap: float  # good enough: the objective this share above its bound
    evaluations: int  # plans evaluated at most, about; the setting --max-plans bounds it
    deadline_s: float  # s
    set: dict[str, Any]  # {JSON Pointer into the resolved scenario: value}: what if
    scale: dict[str, float]
    as_of: str | None  # the store as it was known then: a time of RFC 3339, or @ and a change's number; else now


class OptimizeRequestDecide(TypedDict, total=False):
    pointer: Required[str]
    min: int  # the least value
    max: int  # the greatest
    values: list[Any]  # instead of min and max: documents, ids of stored ones or plain values, one of which is chosen


class OptimizeRequestSubjectTo(TypedDict, total=False):
    max_unserved_fraction: float  # of each workload's demand; 0 where absent
    max_carbon_kg: float  # over the horizon, kg
    max_capital: float  # paid for servers, own-build facility and upfront, scenario currency
    max_rack_kw: float  # nameplate of all servers in service at once, kW


class OptimizeRequestUncertain(TypedDict, total=False):
    inputs: Required[list[OptimizeRequestUncertainInputs]]  # a list of objects {pointer, distribution}
    correlations: list[OptimizeRequestUncertainCorrelations]  # Spearman's, of ranks
    samples: int  # 10000 where absent (of an optimizer 256); up to the setting --max-samples
    seed: int  # the same seed gives the same draws
    sampling: Literal["random", "sobol"]  # how the draws are made


class OptimizeRequestUncertainInputs(TypedDict, total=False):
    pointer: Required[str]  # a number of the scenario, or a curve, whose factor it then is
    distribution: Required[Distribution | Distribution1 | Distribution2 | Distribution3 | Distribution4 | Distribution5]
    scenario: int  # only that one; else every scenario that has it


class OptimizeRequestUncertainCorrelations(TypedDict, total=False):
    a: Required[str]  # an input
    b: Required[str]  # another
    rho: Required[float]  # Spearman's correlation of their ranks


class Ranking(TypedDict, total=False):
    decide_by: Required[Literal["cost", "cash", "npv", "npv_after_tax", "energy_kwh", "carbon_kg"]]
    unit: Required[str]
    considered: Required[int]  # ways that the catalogue has, hybrids included: ranked, and the counts of excluded
    ranked: Required[int]  # plans in the ranking, of which the first are listed
    evaluated: Required[int]  # whole scenarios
    excluded: Required[list[RankingExcluded]]  # what was left out, by reason, most first
    other_checkpoints: Required[list[RankingOtherCheckpoints]]
    plans: Required[list[RankingPlans]]
    assumptions: Required[list[RankingAssumptions]]  # what neither the request nor the catalogue states, and plans take for granted
    apart: Required[list[RankingApart]]
    nearest: RankingNearest
    nearest_run: RankingNearestRun  # where no gang ends the run in time nine times in ten: the way that does most often
    mix: RankingMix
    uncertainty: RankingUncertainty  # what the probabilities of plans rest on; with samples, and where there are plans
    level: Required[str]
    would_decide: Required[list[RankingWouldDecide]]
    ignore_unserved: Required[bool]  # as the request states it


class RankingExcluded(TypedDict, total=False):
    reason: Required[str]
    count: Required[int]
    examples: Required[list[str]]
    note: str  # in words: what they were held to


class RankingOtherCheckpoints(TypedDict, total=False):
    workload: Required[str]
    model: Required[str]
    hosts: Required[int]  # endpoints


class RankingPlans(TypedDict, total=False):
    rank: Required[int]
    name: Required[str]
    decisive: Required[float]  # the figure by which plans are ranked
    evidence: Required[Literal["measured", "interpolated", "extrapolated", "estimated", "assumed", None]]
    oldest_price: Required[str | None]  # the day of the oldest last price that is read
    prices: Required[list[RankingPlansPrices]]  # by pool: of which day, and who states it
    why: Required[str]  # the two largest drivers against the first; of the first, against the next
    wins_at: Required[RankingPlansWinsAt | None]
    probability_best: float  # share of the samples in which it is the best of those in the running; ties share
    tied: bool  # level with the first: over the samples, 0 is within the p10 and the p90 of its difference to it
    row: Required[RankingPlansRow]
    without_hosts: bool  # by energy or carbon: that of the hosts of an offer is not known, and not in it
    power_assumed: bool  # its energy and carbon are of the default shape of watts: a device that serves has no power curve
    replicas: Required[list[RankingPlansReplicas]]  # by workload and pool; none of hosted models
    workloads: Required[list[RankingPlansWorkloads]]
    summary: Required[dict[str, float | None]]
    scenario: Required[Scenario]  # complete: it evaluates to the same elsewhere


class RankingPlansPrices(TypedDict, total=False):
    pool: Required[str]
    price_day: Required[str | None]
    price_source: Required[str | None]  # who states the price: the offer's, endpoint's or pool's source; null: not stated


class RankingPlansWinsAt(TypedDict, total=False):
    pointer: Required[str]  # into the plan's scenario
    value: Required[float]
    currency: Required[str]  # of the price, which may be another than the answer's; empty of a discount


class RankingPlansRow(TypedDict, total=False):
    utilization: Required[float | None]  # busy of paid device-hours; null of hosted models
    resale: Required[float | None]  # currency
    lost_fraction: Required[float]  # of the demand, to outages: the largest of its workloads
    cost_per_million_output: Required[float | None]  # currency/million tokens
    low: Required[float | None]  # p10 of the figure that decides, sized anew in each sample; null without samples
    high: Required[float | None]  # p90
    probability_feasible: Required[float | None]  # share of the samples in which its own size does the work; null without samples
    days: Required[float | None]  # days
    days_p90: Required[float | None]  # days
    probability_in_time: Required[float | None]  # that the run ends within within_days
    goodput: Required[float | None]  # share of the gang's throughput that interruptions leave
    fall_back_after_days: Required[float | None]  # days
    expected_cost: Required[float | None]  # currency
    cost_per_epoch: Required[float | None]  # currency/epoch
    cost_per_run: Required[float | None]  # currency
    warnings: Required[list[str]]  # codes of its scenario's warnings, each once


class RankingPlansReplicas(TypedDict, total=False):
    workload: Required[str]
    pool: Required[str]
    device: Required[str]
    devices: Required[float]  # devices
    spares: Required[int]  # replicas
    precision: Required[str]  # of the weights; empty where the rate does not say
    kv_bits: Required[int | None]  # bit
    ceiling: Required[float | None]  # fraction
    ceiling_of: Required[Literal["bandwidth", "peak", None]]  # the device's bandwidth or its peak
    mfu: Required[float | None]  # fraction
    concurrency: Required[int | None]  # requests
    ttft_s: Required[float | None]  # s
    itl_s: Required[float | None]  # s
    evidence: Required[Literal["measured", "interpolated", "extrapolated", "estimated", "assumed"]]  # of the rate
    at_peak: Required[RankingPlansReplicasAtPeak | None]


class RankingPlansReplicasAtPeak(TypedDict, total=False):
    replicas: Required[float]  # replicas
    utilization: Required[float]  # fraction
    percentile: Required[float]  # of the requests that keep the times
    ttft_s: Required[float | None]  # s
    itl_s: Required[float | None]  # s
    e2e_s: Required[float | None]  # s


class RankingPlansWorkloads(TypedDict, total=False):
    workload: Required[str]
    cost: Required[float]  # currency
    adds: Required[float | None]
    days: Required[float | None]  # days


class RankingAssumptions(TypedDict, total=False):
    what: Required[str]
    value: Required[str]
    unit: Required[str]
    why: Required[str]
    change: Required[str]  # how to state it


class RankingApart(TypedDict, total=False):
    workload: Required[str]
    name: Required[str]  # of the plan
    decisive: Required[float]  # in the unit of the ranking


class RankingNearest(TypedDict, total=False):
    workload: Required[str]
    device: Required[str]
    devices: Required[float]  # devices
    precision: Required[str]  # of the weights
    percentile: Required[float]  # of the requests that keep the times
    ttft_s: Required[float]  # s
    itl_s: Required[float]  # s
    e2e_s: Required[float]  # s
    times_over: Required[float]  # times the objective, the largest of them


class RankingNearestRun(TypedDict, total=False):
    name: Required[str]  # of the way
    device: Required[str]
    devices: Required[float]  # devices
    days: Required[float]  # days
    days_p90: Required[float]  # days
    probability_in_time: Required[float]


class RankingMix(TypedDict, total=False):
    outcome: Required[Literal["listed", "no_cheaper", "no_way"]]
    gap_fraction: Required[float | None]  # fraction
    on_one_device: Required[float | None]
    buckets: Required[list[RankingMixBuckets]]  # by workload and bucket of its token_mix


class RankingMixBuckets(TypedDict, total=False):
    workload: Required[str]  # id
    bucket: Required[int]  # its place in the workload's token_mix, from 0; 0 where that is absent
    share: Required[float]  # fraction
    ways: Required[int]
    reason: Required[str]  # where there is none: what keeps the nearest from it; else empty


class RankingUncertainty(TypedDict, total=False):
    samples: Required[int]
    seed: Required[int]
    in_running: Required[int]  # plans that are compared in every sample, listed ones included
    probability_others: Required[float]  # that one in the running is the best that is not listed
    probability_none: Required[float]  # that none in the running can do the work
    assumption: Required[str]
    factors: Required[list[RankingUncertaintyFactors]]


class RankingUncertaintyFactors(TypedDict, total=False):
    factor: Required[Literal["demand", "throughput", "estimated_rates", "cloud_prices", "spot_prices", "hosted_prices",
        "server_prices", "energy_prices"]]
    multiplies: Required[str]  # the same in all plans that have it
    kind: Required[Literal["uniform", "triangular", "normal", "lognormal", "discrete", "empirical"]]
    median: Required[float]
    sigma: Required[float]  # of the logarithm
    p5: Required[float]
    p95: Required[float]


class RankingWouldDecide(TypedDict, total=False):
    measurement: Required[str]  # of a model on a device
    value: Required[float]  # what choosing by its true rate saves in the mean of the samples, in the unit of the ranking


class RankRequest(TypedDict, total=False):
    workloads: Required[list[dict[str, Any]]]  # as a scenario's, each with its model, without runs_on
    start: Required[str]  # first month
    months: Required[int]  # the horizon
    currency: str  # as a scenario's
    exchange_rates: dict[str, float]  # as a scenario's
    time_zone: str  # as a scenario's
    finance: Finance  # as a scenario's
    discounts: dict[str, float]  # fraction
    limits: RankRequestLimits  # what of the catalogue is looked at
    include: list[Literal["cloud", "owned", "api", "hybrid", "market", "mix", "pair"]]  # ways that plans may take; all where absent
    top: int  # plans to list
    samples: int
    seed: int  # of the samples; the same seed gives the same draws
    ignore_unserved: bool  # whether what leaves work undone may be the cheapest too
    spares: int  # replicas
    availability: float  # fraction
    spot: Literal["never", "burst", "all"]
    shape: Literal["office", "consumer", "flat"]
    stored_copies: float  # of its model's weights that lie with the seller, of workloads without stored_gb; 0 where absent
    ported: list[Literal["gpu", "tpu", "asic", "cpu"]]  # kinds of devices that the work runs on already; gpu and cpu always
    deadline_s: float  # s
    as_of: str | None  # the store as it was known then: a time of RFC 3339, or @ and a change's number; else now


class RankRequestLimits(TypedDict, total=False):
    providers: list[str]  # of offers and endpoints; all where absent
    regions: list[str]
    purchases: list[Literal["on_demand", "spot", "reserved", "committed", "dedicated", "block"]]  # of offers
    kinds: list[Literal["gpu", "tpu", "asic", "cpu"]]  # of devices
    devices: list[str]  # ids
    sites: list[str]  # ids, to own at; those that state what room costs where absent
    evidence: Literal["measured", "interpolated", "extrapolated", "estimated", "assumed"]  # the least of a plan's rates
    precision: Literal["bf16", "fp16", "fp8", "int8", "fp4", "int4", "tf32", "fp32"]
    max_price_age_days: float  # days


Rates = TypedDict("Rates", {
    "model": 'Required[str]',
    "device": 'Required[str]',
    "devices": 'Required[int]',
    "precision": 'Required[str]',
    "input": 'float',
    "output": 'float',
    "cached_input": 'float',
    "percentile": 'float',
    "concurrency": 'float',
    "output_per_s": 'float',
    "requests_per_s": 'float',
    "ttft_s": 'float',
    "itl_s": 'float',
    "e2e_s": 'float',
    "evidence": 'Required[Literal["measured", "interpolated", "extrapolated", "estimated", "assumed"]]',
    "low": 'Required[float]',
    "high": 'Required[float]',
    "ceiling": 'Required[float]',
    "ceiling_of": 'Literal["bandwidth", "peak"]',
    "mfu": 'Required[float]',
    "bound": 'Literal["reading", "arithmetic", "prompts", "communication", "overhead"]',
    "running": 'float',
    "watts": 'float',
    "joules_per_output": 'float',
    "watts_evidence": 'Literal["measured", "interpolated", "extrapolated", "estimated", "assumed"]',
    "method": 'Literal["full", "lora"]',
    "sequence": 'float',
    "tokens_per_step": 'float',
    "tokens_per_s": 'float',
    "tokens_per_s_device": 'float',
    "step": 'RatesStep',
    "from": 'Required[list[RatesFrom]]',
    "loads": 'Required[list[RatesLoads]]',
}, total=False)


class RatesStep(TypedDict, total=False):
    total_s: Required[float]  # s
    reading_s: Required[float]  # s
    arithmetic_s: Required[float]  # s
    prompts_s: Required[float]  # s
    communication_s: Required[float]  # s
    overhead_s: Required[float]  # s


class RatesFrom(TypedDict, total=False):
    measurement: Required[str]  # the id of its document
    point: Required[int]  # its place there, from 0
    weight: Required[float]  # fraction


class RatesLoads(TypedDict, total=False):
    concurrency: Required[float]  # requests
    output_per_s: Required[float]  # tokens/s
    requests_per_s: Required[float]  # requests/s
    ttft_s: Required[float]  # s
    itl_s: Required[float]  # s
    e2e_s: Required[float]  # s
    evidence: Required[Literal["measured", "interpolated", "extrapolated", "estimated", "assumed"]]
    low: Required[float]  # tokens/s
    high: Required[float]  # tokens/s
    ceiling: Required[float]  # fraction
    ceiling_of: Literal["bandwidth", "peak"]  # which that is: memory bandwidth or peak
    mfu: Required[float]  # fraction
    bound: Literal["reading", "arithmetic", "prompts", "communication", "overhead"]  # what takes most of a step
    running: Required[float]  # requests
    watts: Required[float]  # W
    joules_per_output: Required[float]  # J/token
    watts_evidence: Literal["measured", "interpolated", "extrapolated", "estimated", "assumed"]


class RatesRequest(TypedDict, total=False):
    model: Required[str]  # a stored model's id, or its published name in any case
    device: Required[str]  # a stored device's id, or a spelling that imports know
    devices: int
    precision: str  # of the weights: bf16, fp16, fp8, int8, fp4 or int4; the one they were published in where absent
    kv_precision: str  # of the cache, by the same words; 16 bit beside 16-bit weights, else 8 bit, where absent
    parallel: Parallel
    framework: str  # the server's, such as vllm; not stated where absent
    input: float  # tokens
    output: float  # tokens
    cached_input: float  # tokens
    concurrency: float  # requests
    slo: RatesRequestSlo  # in place of concurrency: the rate is that at the most requests, up to 1024, that keep these
    percentile: float  # percentile
    concurrencies: list[float]  # requests
    sequence: float  # tokens
    method: Literal["full", "lora"]  # of training: all parameters, or low-rank adapters; full where absent
    tokens_per_step: float  # tokens
    as_of: str | None  # the store as it was known then: a time of RFC 3339, or @ and a change's number; else now


class RatesRequestSlo(TypedDict, total=False):
    ttft_s: float  # s
    itl_s: float  # s
    e2e_s: float  # s


class JobList(TypedDict, total=False):
    items: Required[list[Job]]
    next: Required[str | None]  # the cursor of the next page; null at the end


class Price(TypedDict, total=False):
    offer: Required[str]
    date: Required[str]
    hourly_price: Required[float]  # of the instance, in its currency; without growth
    hourly_price_per_device: Required[float]
    currency: Required[str]
    priced_on: Required[str | None]  # the day that the price in force is of; null of a price without a date, and before the first
    source: Required[str | None]  # of the offer


class RpcAnswer(TypedDict, total=False):
    jsonrpc: Required[str]
    id: Required[str | int]
    result: dict[str, Any]
    error: RpcAnswerError


class RpcAnswerError(TypedDict, total=False):
    code: Required[int]
    message: Required[str]
    data: dict[str, Any]


class RpcRequest(TypedDict, total=False):
    jsonrpc: Required[str]
    id: str | int  # a notification has none
    method: Required[str]  # initialize, ping, tools/list or tools/call
    params: dict[str, Any]


class TelemetrySummary(TypedDict, total=False):
    samples: Required[int]  # readings that are in the format
    accepted: Required[int]
    duplicates: Required[int]
    rejected: Required[Complaints]
    warnings: Required[Complaints]


class Complaints(TypedDict, total=False):
    count: Required[int]
    rows: Required[int]  # that they are about; the others are of the whole
    first: Required[list[ComplaintsFirst]]


class ComplaintsFirst(TypedDict, total=False):
    row: int
    reason: Required[str]


class TelemetryHours(TypedDict, total=False):
    items: Required[list[TelemetryHour]]
    next: Required[str | None]  # the cursor of the next page; null at the end


class TelemetryHour(TypedDict, total=False):
    source: Required[str]
    device: Required[str | None]
    metric: Required[str]
    hour: Required[str]
    count: Required[int]  # samples; 0 where only a counter's difference reaches across the hour
    mean: Required[float | None]
    sd: Required[float | None]
    minimum: Required[float | None]
    maximum: Required[float | None]
    sum: Required[float | None]
    increase: Required[float | None]  # of counters: what they gained in the hour


Calibration = TypedDict("Calibration", {
    "dry_run": 'Required[bool]',
    "from": 'Required[str]',
    "to": 'Required[str]',
    "curves": 'Required[list[CalibrationCurves]]',
}, total=False)


class CalibrationCurves(TypedDict, total=False):
    kind: Required[Literal["power", "utilization", "throughput"]]
    id: Required[str]
    what: Required[Literal["added", "changed", "unchanged"]]
    revision: Required[int | None]  # null in a dry run
    fit: Required[CalibrationCurvesFit]
    spread: Required[list[CalibrationCurvesSpread]]  # of utilization: how hours lie around the mean
    curve: Required[dict[str, Any]]  # the document, as it is stored


class CalibrationCurvesFit(TypedDict, total=False):
    samples_used: Required[int]
    dropped: Required[CalibrationCurvesFitDropped]
    r_squared: Required[float | None]
    residual_sd: Required[float]


class CalibrationCurvesFitDropped(TypedDict, total=False):
    unmatched: Required[int]
    out_of_range: Required[int]
    stuck: Required[int]
    outliers: Required[int]
    thin: Required[int]


class CalibrationCurvesSpread(TypedDict, total=False):
    x: Required[float]
    samples: Required[int]
    sd: Required[float]
    p10: Required[float]
    p90: Required[float]


CalibrationRequest = TypedDict("CalibrationRequest", {
    "device": 'str',
    "sources": 'list[str]',
    "from": 'Required[str]',
    "to": 'Required[str]',
    "curves": 'Required[list[Literal["power", "utilization", "throughput"]]]',
    "id_prefix": 'str',
    "time_zone": 'str',
    "tolerance_s": 'float',
    "full_units_per_s": 'float',
    "full_batch": 'float',
    "served_by": 'str',
    "dry_run": 'bool',
}, total=False)


Variance = TypedDict("Variance", {
    "pool": 'Required[str]',
    "from": 'Required[str]',
    "to": 'Required[str]',
    "currency": 'Required[str]',
    "predicted": 'Required[VariancePredicted]',
    "measured": 'Required[VarianceMeasured]',
    "difference": 'Required[VarianceDifference]',
    "cost_variance": 'Required[VarianceCostVariance]',
    "notes": 'Required[list[str]]',
}, total=False)


class VariancePredicted(TypedDict, total=False):
    cost: Required[float | None]  # in the scenario's currency
    device_hours: Required[float | None]  # device-hours
    units: Required[float | None]  # units
    energy_kwh: Required[float | None]  # kWh
    utilization_fraction: Required[float | None]
    price_per_device_hour: Required[float | None]
    hours_per_unit: Required[float | None]
    device_energy_kwh: Required[float | None]  # of devices alone: what their sensors measure


class VarianceMeasured(TypedDict, total=False):
    cost: Required[float | None]  # in the scenario's currency
    device_hours: Required[float | None]  # device-hours
    units: Required[float | None]  # units
    energy_kwh: Required[float | None]  # kWh
    utilization_fraction: Required[float | None]
    price_per_device_hour: Required[float | None]
    hours_per_unit: Required[float | None]
    device_energy_kwh: Required[float | None]  # of devices alone: what their sensors measure
    busy_time_fraction: Required[float | None]
    telemetry_device_hours: Required[float | None]  # in which any sample came
    basis: Required[dict[str, str]]  # of each figure: given, telemetry or bill


class VarianceDifference(TypedDict, total=False):
    cost: Required[float | None]  # in the scenario's currency
    device_hours: Required[float | None]  # device-hours
    units: Required[float | None]  # units
    energy_kwh: Required[float | None]  # kWh
    utilization_fraction: Required[float | None]
    device_energy_kwh: Required[float | None]


class VarianceCostVariance(TypedDict, total=False):
    total: Required[float | None]
    price: Required[float | None]
    volume: Required[float | None]
    efficiency: Required[float | None]


VarianceRequest = TypedDict("VarianceRequest", {
    "scenario": 'Required[str | Scenario]',
    "pool": 'Required[str]',
    "from": 'Required[str]',
    "to": 'Required[str]',
    "actual": 'Required[VarianceRequestActual]',
    "set": 'dict[str, Any]',
    "scale": 'dict[str, float]',
    "as_of": 'str | None',
}, total=False)


class VarianceRequestActual(TypedDict, total=False):
    telemetry: VarianceRequestActualTelemetry  # whose
    bill: VarianceRequestActualBill  # lines of imported bills that fit; all of the months for {}
    cost: float  # in the scenario's currency
    device_hours: float  # device-hours
    units: float  # units
    energy_kwh: float  # kWh
    utilization_fraction: float


class VarianceRequestActualTelemetry(TypedDict, total=False):
    device: str  # of this device; one of device and sources is needed
    sources: list[str]  # names of sources, each once


class VarianceRequestActualBill(TypedDict, total=False):
    provider: str
    region: str
    sku: str
    purchase: str
    device: str


Actuals = TypedDict("Actuals", {
    "from": 'Required[str]',
    "to": 'Required[str]',
    "currency": 'Required[str]',
    "first_day": 'Required[str | None]',
    "last_day": 'Required[str | None]',
    "total": 'Required[ActualsTotal]',
    "pools": 'Required[list[ActualsPools]]',
    "by_tag": 'Required[dict[str, dict[str, ActualsByTag]]]',
    "unmatched": 'Required[ActualsUnmatched]',
    "ambiguous": 'Required[ActualsAmbiguous]',
    "apart": 'Required[list[ActualsApart]]',
    "notes": 'Required[list[str]]',
}, total=False)


class ActualsTotal(TypedDict, total=False):
    planned: Required[ActualsTotalPlanned]
    planned_outside_pools: Required[float | None]  # of planned cost: what no pool bears, such as engineering
    billed: Required[ActualsTotalBilled]  # of all pools
    difference: Required[ActualsTotalDifference]  # the sum of those of pools that are known


class ActualsTotalPlanned(TypedDict, total=False):
    cost: Required[float | None]  # in currency
    device_hours: Required[float | None]
    tokens: Required[float | None]


class ActualsTotalBilled(TypedDict, total=False):
    cost: Required[float | None]  # in currency
    device_hours: Required[float | None]
    tokens: Required[float | None]
    hours: Required[float | None]  # of instances
    unused_cost: Required[float | None]  # of cost: what commitments left unused
    lines: Required[int]  # stored ones, a day each


class ActualsTotalDifference(TypedDict, total=False):
    cost: Required[float | None]  # in currency
    device_hours: Required[float | None]
    tokens: Required[float | None]


class ActualsPools(TypedDict, total=False):
    pool: Required[str]
    planned: Required[ActualsPoolsPlanned]
    billed: Required[ActualsPoolsBilled]
    difference: Required[ActualsPoolsDifference]  # billed less planned
    cost_variance: Required[ActualsPoolsCostVariance]
    matched_by: Required[dict[str, float]]  # cost by why lines are of the pool: request, tags_and_offer, tags, offer


class ActualsPoolsPlanned(TypedDict, total=False):
    cost: Required[float | None]  # in currency
    device_hours: Required[float | None]
    tokens: Required[float | None]


class ActualsPoolsBilled(TypedDict, total=False):
    cost: Required[float | None]  # in currency
    device_hours: Required[float | None]
    tokens: Required[float | None]
    hours: Required[float | None]  # of instances
    unused_cost: Required[float | None]  # of cost: what commitments left unused
    lines: Required[int]  # stored ones, a day each


class ActualsPoolsDifference(TypedDict, total=False):
    cost: Required[float | None]  # in currency
    device_hours: Required[float | None]
    tokens: Required[float | None]


class ActualsPoolsCostVariance(TypedDict, total=False):
    total: Required[float | None]
    price: Required[float | None]
    volume: Required[float | None]
    efficiency: Required[float | None]


class ActualsByTag(TypedDict, total=False):
    planned_cost: Required[float | None]
    billed_cost: Required[float | None]
    difference: Required[float | None]


class ActualsUnmatched(TypedDict, total=False):
    billed: Required[ActualsUnmatchedBilled]
    largest: Required[list[ActualsUnmatchedLargest]]  # by cost, 20 at most


class ActualsUnmatchedBilled(TypedDict, total=False):
    cost: Required[float | None]  # in currency
    device_hours: Required[float | None]
    tokens: Required[float | None]
    hours: Required[float | None]  # of instances
    unused_cost: Required[float | None]  # of cost: what commitments left unused
    lines: Required[int]  # stored ones, a day each


class ActualsUnmatchedLargest(TypedDict, total=False):
    provider: Required[str]
    account: Required[str]
    region: Required[str]
    sku: Required[str]
    purchase: Required[str]
    device: Required[str]
    category: Required[str]
    resource: Required[str]
    tags: Required[dict[str, str]]
    cost: Required[float]
    lines: Required[int]
    pools: list[str]  # that it fits equally well


class ActualsAmbiguous(TypedDict, total=False):
    billed: Required[ActualsAmbiguousBilled]
    largest: Required[list[ActualsAmbiguousLargest]]  # by cost, 20 at most


class ActualsAmbiguousBilled(TypedDict, total=False):
    cost: Required[float | None]  # in currency
    device_hours: Required[float | None]
    tokens: Required[float | None]
    hours: Required[float | None]  # of instances
    unused_cost: Required[float | None]  # of cost: what commitments left unused
    lines: Required[int]  # stored ones, a day each


class ActualsAmbiguousLargest(TypedDict, total=False):
    provider: Required[str]
    account: Required[str]
    region: Required[str]
    sku: Required[str]
    purchase: Required[str]
    device: Required[str]
    category: Required[str]
    resource: Required[str]
    tags: Required[dict[str, str]]
    cost: Required[float]
    lines: Required[int]
    pools: list[str]  # that it fits equally well


class ActualsApart(TypedDict, total=False):
    category: Required[str]
    billed_cost: Required[float]
    effective_cost: Required[float]
    lines: Required[int]


ActualsRequest = TypedDict("ActualsRequest", {
    "scenario": 'Required[str | Scenario]',
    "from": 'Required[str]',
    "to": 'Required[str]',
    "pools": 'list[ActualsRequestPools]',
    "bill": 'ActualsRequestBill',
    "categories": 'list[Literal["usage", "purchase", "tax", "credit", "adjustment", "allocation"]]',
    "tag_keys": 'list[str]',
    "set": 'dict[str, Any]',
    "scale": 'dict[str, float]',
    "as_of": 'str | None',
}, total=False)


class ActualsRequestPools(TypedDict, total=False):
    pool: Required[str]  # the id of a pool
    provider: str
    account: str  # BillingAccountId, with /SubAccountId or all of it
    region: str
    sku: str
    purchase: str  # on_demand, spot or committed
    device: str
    commitment: str  # CommitmentDiscountId
    resources: list[str]  # ResourceIds: a line must be of one of them
    tags: dict[str, str]  # a line must have all of them


class ActualsRequestBill(TypedDict, total=False):
    provider: str
    account: str  # BillingAccountId, with /SubAccountId or all of it
    region: str
    sku: str
    purchase: str  # on_demand, spot or committed
    device: str
    commitment: str  # CommitmentDiscountId
    resources: list[str]  # ResourceIds: a line must be of one of them
    tags: dict[str, str]  # a line must have all of them


class Forecast(TypedDict, total=False):
    month: Required[str]
    currency: Required[str]
    through: Required[str | None]
    interval: Required[float]
    known_days: Required[int]  # that the rest goes by
    days_to_come: Required[int]
    by_weekday: Required[bool]  # each day as those of its weekday; else as all
    total: Required[ForecastTotal]  # of all pools and of lines that are of none
    pools: Required[list[ForecastPools]]
    unmatched: Required[ForecastUnmatched]  # compared lines of no pool, or of several
    days: Required[list[ForecastDays]]  # of the month
    notes: Required[list[str]]  # why a figure is null, and what was left out


class ForecastTotal(TypedDict, total=False):
    planned: Required[float]  # of all pools
    so_far: Required[float | None]  # billed, of whole days
    remainder: Required[float | None]  # of days that are not known
    forecast: Required[float | None]  # of the month: so_far and remainder
    low: Required[float | None]
    high: Required[float | None]
    difference: Required[float | None]  # forecast less planned


class ForecastPools(TypedDict, total=False):
    pool: Required[str]
    basis: Required[Literal["bill", "plan"]]  # bill, or plan where no line is the pool's
    planned: Required[float]
    so_far: Required[float | None]  # billed, of whole days
    remainder: Required[float | None]  # of days that are not known
    forecast: Required[float | None]  # of the month: so_far and remainder
    low: Required[float | None]
    high: Required[float | None]


class ForecastUnmatched(TypedDict, total=False):
    so_far: Required[float | None]  # billed, of whole days
    remainder: Required[float | None]  # of days that are not known
    forecast: Required[float | None]  # of the month: so_far and remainder
    low: Required[float | None]
    high: Required[float | None]


class ForecastDays(TypedDict, total=False):
    day: Required[str]
    planned: Required[float]  # the month's, spread evenly
    billed: Required[float | None]
    forecast: Required[float | None]  # of a day that is not known


class ForecastRequest(TypedDict, total=False):
    scenario: Required[str | Scenario]  # a scenario, or the id of a stored one
    month: Required[str]  # whose bill, YYYY-MM
    through: str  # the last whole day of the bill; the one before its newest where absent
    history_days: int  # days
    interval: float  # the probability that the bill is from low to high
    pools: list[ForecastRequestPools]
    bill: ForecastRequestBill  # of all lines, only those that fit; every one where absent
    categories: list[Literal["usage", "purchase", "tax", "credit", "adjustment", "allocation"]]
    set: dict[str, Any]  # {JSON Pointer into the resolved scenario: value}: what if
    scale: dict[str, float]
    as_of: str | None  # the store as it was known then: a time of RFC 3339, or @ and a change's number; else now


class ForecastRequestPools(TypedDict, total=False):
    pool: Required[str]  # the id of a pool
    provider: str
    account: str  # BillingAccountId, with /SubAccountId or all of it
    region: str
    sku: str
    purchase: str  # on_demand, spot or committed
    device: str
    commitment: str  # CommitmentDiscountId
    resources: list[str]  # ResourceIds: a line must be of one of them
    tags: dict[str, str]  # a line must have all of them


class ForecastRequestBill(TypedDict, total=False):
    provider: str
    account: str  # BillingAccountId, with /SubAccountId or all of it
    region: str
    sku: str
    purchase: str  # on_demand, spot or committed
    device: str
    commitment: str  # CommitmentDiscountId
    resources: list[str]  # ResourceIds: a line must be of one of them
    tags: dict[str, str]  # a line must have all of them


class Drift(TypedDict, total=False):
    pool: Required[str]
    currency: Required[str]
    until: Required[str]
    threshold_fraction: Required[float]
    reference_days: Required[int]
    drifted: Required[bool]
    cause: Required[Literal["none", "price", "rate", "energy", "price_and_rate"]]
    measures: Required[list[DriftMeasures]]
    notes: Required[list[str]]  # why a figure is null


class DriftMeasures(TypedDict, total=False):
    measure: Required[Literal["tokens_per_joule", "output_tokens_per_s", "price_per_device_hour", "cost_per_million_tokens"]]
    measured: Required[float | None]  # of the last day
    expected: Required[float | None]  # at the same load, by the days before
    planned: Required[float | None]  # of the month, at the plan's load
    change_fraction: Required[float | None]  # of the last day against expected
    spread_fraction: Required[float | None]  # standard deviation of the days before
    off_plan_fraction: Required[float | None]  # measured against planned, whatever the load
    drifted: Required[bool]
    hours: Required[int]  # of the last day; of a price days
    reference_hours: Required[int]


class DriftRequest(TypedDict, total=False):
    scenario: Required[str | Scenario]  # a scenario, or the id of a stored one
    pool: Required[str]  # the id of a pool of the scenario
    telemetry: DriftRequestTelemetry  # whose energy, tokens and batch
    bill: DriftRequestBill  # lines whose price of a device-hour is watched
    until: str  # the end of the last day; else now
    threshold_fraction: float  # a change smaller than this is none; one within the days' own noise neither
    reference_days: int  # days
    set: dict[str, Any]  # {JSON Pointer into the resolved scenario: value}: what if
    scale: dict[str, float]
    as_of: str | None  # the store as it was known then: a time of RFC 3339, or @ and a change's number; else now


class DriftRequestTelemetry(TypedDict, total=False):
    device: str  # of this device; one of device and sources is needed
    sources: list[str]  # names of sources, each once


class DriftRequestBill(TypedDict, total=False):
    provider: str
    region: str
    sku: str
    purchase: str
    device: str


TenantCosts = TypedDict("TenantCosts", {
    "from": 'Required[str]',
    "to": 'Required[str]',
    "currency": 'Required[str]',
    "total": 'Required[TenantCostsTotal]',
    "tenants": 'Required[list[TenantCostsTenants]]',
    "notes": 'Required[list[str]]',
}, total=False)


class TenantCostsTotal(TypedDict, total=False):
    cost: Required[float | None]
    idle_cost: Required[float | None]  # of cost: device-hours that nobody used
    device_hours: Required[float | None]
    idle_device_hours: Required[float | None]
    input_tokens: Required[float]
    cached_input_tokens: Required[float]
    output_tokens: Required[float]
    cost_per_million_tokens: Required[float | None]  # idle included
    split: Required[Literal["compute_time", "output_weight"]]  # of the cost between prompts and answers


class TenantCostsTenants(TypedDict, total=False):
    key: Required[Literal["team", "user", "model"]]
    tenant: Required[str]  # (untagged) is used by nobody who is named, (idle) by nobody
    planned_cost: Required[float | None]  # of workloads with that tag, or model
    planned_tokens: Required[float | None]
    input_tokens: Required[float | None]
    output_tokens: Required[float | None]
    device_hours: Required[float | None]
    by_tokens: Required[TenantCostsTenantsByTokens]
    by_device_hours: Required[TenantCostsTenantsByDeviceHours]


class TenantCostsTenantsByTokens(TypedDict, total=False):
    cost: Required[float | None]
    cost_per_million_tokens: Required[float | None]  # input and output
    input_cost: Required[float | None]
    output_cost: Required[float | None]
    cost_per_million_input: Required[float | None]  # tokens that no cache had
    cost_per_million_output: Required[float | None]


class TenantCostsTenantsByDeviceHours(TypedDict, total=False):
    cost: Required[float | None]
    cost_per_million_tokens: Required[float | None]  # input and output


TenantCostsRequest = TypedDict("TenantCostsRequest", {
    "scenario": 'Required[str | Scenario]',
    "from": 'Required[str]',
    "to": 'Required[str]',
    "usage": 'list[TenantCostsRequestUsage]',
    "metrics": 'TenantCostsRequestMetrics',
    "cost": 'float',
    "device_hours": 'float',
    "output_weight": 'float',
    "bill": 'TenantCostsRequestBill',
    "set": 'dict[str, Any]',
    "scale": 'dict[str, float]',
    "as_of": 'str | None',
}, total=False)


class TenantCostsRequestUsage(TypedDict, total=False):
    team: str
    user: str
    model: str
    input_tokens: float  # tokens
    output_tokens: float  # tokens
    cached_input_tokens: float  # tokens
    device_hours: float  # device-hours
    prefill_s: float  # s
    decode_s: float  # s


class TenantCostsRequestMetrics(TypedDict, total=False):
    begin: str  # the scrape at the first moment; without one counters count from 0
    end: Required[str]  # that at the last
    labels: TenantCostsRequestMetricsLabels  # names of labels that name a tenant


class TenantCostsRequestMetricsLabels(TypedDict, total=False):
    team: str  # else team, team_alias or namespace
    user: str  # else user or end_user
    model: str  # else model_name or model


class TenantCostsRequestBill(TypedDict, total=False):
    provider: str
    account: str  # BillingAccountId, with /SubAccountId or all of it
    region: str
    sku: str
    purchase: str  # on_demand, spot or committed
    device: str
    commitment: str  # CommitmentDiscountId
    resources: list[str]  # ResourceIds: a line must be of one of them
    tags: dict[str, str]  # a line must have all of them


class Events(TypedDict, total=False):
    items: Required[list[Event]]
    next: Required[str | None]  # the cursor of the next page; null at the end


class Event(TypedDict, total=False):
    event: Required[int]
    recorded_at: Required[str]
    kind: Required[Literal["ping", "recalculation_done", "comparison_flipped", "comparison_changed", "comparison_infeasible",
        "budget_exceeded", "feed_landed", "feed_failed", "price_moved", "feed_held", "feed_undone", "drift_found"]]
    subject: Required[str]  # what it is about: its kind and id
    data: Required[dict[str, Any]]  # by kind


class Deliveries(TypedDict, total=False):
    items: Required[list[Delivery]]
    next: Required[str | None]  # the cursor of the next page; null at the end


class Delivery(TypedDict, total=False):
    id: Required[str]  # X-Costcurve-Delivery: the same each time it is tried
    event: Required[int]
    kind: Required[Literal["ping", "recalculation_done", "comparison_flipped", "comparison_changed", "comparison_infeasible",
        "budget_exceeded", "feed_landed", "feed_failed", "price_moved", "feed_held", "feed_undone", "drift_found"]]
    subject: Required[str]  # what it is about: its kind and id
    webhook: Required[str]
    state: Required[Literal["pending", "delivered", "dead"]]
    attempts: Required[int]
    next_try_at: Required[str | None]  # while it is pending
    last_try_at: Required[str | None]
    last_status: Required[int | None]  # of HTTP; null where there was no answer
    last_error: Required[str | None]


class EventBegun(TypedDict, total=False):
    event: Required[int]  # GET /v1/deliveries?event= says how it went


class FeedRuns(TypedDict, total=False):
    items: Required[list[FeedRun]]
    next: Required[str | None]  # the cursor of the next page; null at the end


class FeedRun(TypedDict, total=False):
    run: Required[int]
    state: Required[Literal["running", "landed", "unchanged", "failed", "held", "undone"]]
    started_at: Required[str]
    ended_at: Required[str | None]
    recorded_by: Required[str]
    dry_run: Required[bool]
    bytes: Required[int]  # of the file, inflated
    summary: Required[FeedSummary | None]  # what it brought, or would have; null where nothing was read
    problem: Required[str | None]  # why it failed or is held, or how it was undone
    held: Required[int]  # documents that wait to be accepted or rejected


class FeedSummary(TypedDict, total=False):
    rows: Required[int]
    skipped: Required[int]
    rejected: Required[int]  # complaints about rows that could not be used
    warnings: Required[int]
    documents: Required[FeedSummaryDocuments]
    bill_lines: Required[int]
    samples: Required[int]
    moved: Required[list[PriceMove]]  # prices that moved, by device and purchase
    held: Required[int]  # documents that were held back
    held_offers: Required[list[HeldOffer]]  # the first of those whose price is not plausible, at most 100
    held_documents: Required[list[HeldDocument]]  # of endpoints and curves the same
    kept: Required[list[str]]  # of a run that is undone: documents that changed since or are referred to, and stay; at most 100


class FeedSummaryDocuments(TypedDict, total=False):
    added: Required[int]
    changed: Required[int]
    unchanged: Required[int]


class PriceMove(TypedDict, total=False):
    device: Required[str]
    purchase: Required[Literal["on_demand", "spot", "reserved", "committed", "dedicated", "block"]]
    offers: Required[int]  # whose price moved
    seen: Required[int]  # that have a newer price
    median_fraction: Required[float]  # of those that moved: 0.08 is 8 % up


class HeldOffer(TypedDict, total=False):
    offer: Required[str]
    hourly_price: Required[float]  # of the instance, that the file has
    reason: Required[str]


class HeldDocument(TypedDict, total=False):
    kind: Required[Literal["curve", "device", "offer", "server", "site", "performance", "scenario", "schedule", "webhook",
        "comparison", "model", "endpoint", "alias", "feed", "decision", "measurement"]]
    id: Required[str]
    reason: Required[str]


class FeedRunBegun(TypedDict, total=False):
    run: Required[int]  # GET /v1/feeds/{id}/runs says how it went


class Audit(TypedDict, total=False):
    items: Required[list[Change]]
    next: Required[str | None]  # the cursor of the next page; null at the end


class Change(TypedDict, total=False):
    sequence: Required[int]
    recorded_at: Required[str]
    author: Required[str]  # a key's name; local without one, cli from the command line
    address: Required[str]  # the client's; "" from the command line
    request_id: Required[str]  # "" from the command line
    action: Required[str]
    subject: Required[str]  # a document, a key's name, or how many


class Fields(TypedDict, total=False):
    document: str
    request: str
    fields: Required[list[Field]]


class Field(TypedDict, total=False):
    name: Required[str]
    type: Required[str]
    unit: str
    min: float
    above: float
    max: float
    array: bool
    required: Required[bool]
    by_name: bool  # an object of them by their names
    only_for: str  # kinds that have it, with blanks between
    choices: list[str]
    curve: Literal["price", "power", "pue", "tariff", "carbon", "utilization", "demand", "throughput", "latency", "scaling",
        "residual", "index", "ramp", "availability"]
    default: Any
    help: Required[str]
    fields: list[Field]  # of a part without a table of its own


class CategoryStyles(TypedDict, total=False):
    name: Required[Literal["compute", "usage", "commitment", "hardware", "facility", "energy", "demand_charge", "maintenance",
        "software", "staff", "network", "storage", "egress", "engineering", "carbon", "unserved", "disposal", "lease", "financing",
        "other"]]
    label: Required[str]
    colour: Required[CategoryStylesColour]
    group: Required[Literal["tokens and rented GPUs", "servers", "facility", "energy and carbon",
        "people, network, porting, other"]]


class CategoryStylesColour(TypedDict, total=False):
    light: Required[str]
    dark: Required[str]


class Openapi(TypedDict, total=False):
    openapi: Required[str]
    info: Required[dict[str, Any]]
    paths: Required[dict[str, Any]]


class Health(TypedDict, total=False):
    status: Required[str]


class Readiness(TypedDict, total=False):
    status: Required[str]


class ImportSummary(TypedDict, total=False):
    recognized: RecognizedFormat  # what it was taken for, where no format was given
    format: Required[str]
    format_version: str  # of FOCUS, by the columns of the file: 1.0 to 1.4; left out of other formats
    dry_run: Required[bool]
    run: int  # by which it is looked up and undone; none of a dry run
    problem: Required[str | None]  # why the list as a whole is held, and nothing stored
    held: Required[int]  # documents that wait to be accepted or rejected
    held_offers: Required[list[HeldOffer]]  # the first of those whose price is not plausible, at most 100
    held_documents: Required[list[HeldDocument]]  # of endpoints and curves the same
    rows: Required[int]
    skipped: Required[int]
    documents: Required[ImportSummaryDocuments]
    bill_lines: Required[int]
    bill: Required[ImportSummaryBill]
    samples: Required[int]
    rejected: Required[Complaints]
    warnings: Required[Complaints]
    moved: Required[list[PriceMove]]  # prices that moved, by device and purchase
    changes: Required[list[ImportSummaryChanges]]


class RecognizedFormat(TypedDict, total=False):
    format: Required[str]
    provider: str
    date: str


class ImportSummaryDocuments(TypedDict, total=False):
    added: Required[int]
    changed: Required[int]
    unchanged: Required[int]


class ImportSummaryBill(TypedDict, total=False):
    added: Required[int]
    changed: Required[int]
    unchanged: Required[int]


class ImportSummaryChanges(TypedDict, total=False):
    kind: Required[Literal["curve", "device", "offer", "server", "site", "performance", "scenario", "schedule", "webhook",
        "comparison", "model", "endpoint", "alias", "feed", "decision", "measurement"]]
    id: Required[str]
    what: Required[Literal["added", "changed"]]
    fields: Required[list[ImportSummaryChangesFields]]


class ImportSummaryChangesFields(TypedDict, total=False):
    pointer: Required[str]
    date: str
    old: Required[Any]  # null where there was none
    new: Required[Any]


class ImportRuns(TypedDict, total=False):
    items: Required[list[ImportRun]]
    next: Required[str | None]  # the cursor of the next page; null at the end


class ImportRun(TypedDict, total=False):
    run: Required[int]
    state: Required[Literal["running", "landed", "unchanged", "failed", "held", "undone"]]
    recorded_at: Required[str]
    recorded_by: Required[str]
    format: Required[str]
    files: Required[str]  # their names, where they have any
    summary: Required[FeedSummary | None]  # what it brought
    problem: Required[str | None]  # why it failed or is held, or how it was undone
    held: Required[int]  # documents that wait to be accepted or rejected


class Client(Transport):
    """The operations by their names. What they raise: transport.Problem."""

    def get_curves(self, *, limit: int | None = None, after: str | None = None, q: str | None = None,
            as_of: str | None = None) -> CurveList:
        """A page of them, by id: GET /v1/curves."""
        return cast("CurveList", self.send_json("GET", "/v1/curves", query={"limit": limit, "after": after, "q": q,
            "as_of": as_of}))

    def each_curves(self, *, limit: int | None = None, q: str | None = None,
            as_of: str | None = None) -> Iterator[StoredCurve | UnreadableDocument]:
        """The items of all pages of get_curves, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_curves(limit=limit, q=q, as_of=as_of, after=cursor))

    def get_curves_csv(self, *, limit: int | None = None, after: str | None = None, q: str | None = None,
            as_of: str | None = None) -> str:
        """A page of them, by id: as CSV."""
        return self.send("GET", "/v1/curves", query={"limit": limit, "after": after, "q": q, "as_of": as_of},
            accept="text/csv").decode()

    def get_curves_id(self, id: str, *, as_of: str | None = None, if_none_match: str | None = None) -> StoredCurve:
        """One, now or as it was known: GET /v1/curves/{id}."""
        return cast("StoredCurve", self.send_json("GET", f"/v1/curves/{quoted(id)}", query={"as_of": as_of},
            headers={"If-None-Match": if_none_match}))

    def put_curves_id(self, id: str, body: Curve, *, if_match: str | None = None, if_none_match: str | None = None) -> StoredCurve:
        """Store it as its next revision: PUT /v1/curves/{id}."""
        return cast("StoredCurve", self.send_json("PUT", f"/v1/curves/{quoted(id)}", headers={"If-Match": if_match,
            "If-None-Match": if_none_match}, body=body))

    def delete_curves_id(self, id: str, *, if_match: str | None = None) -> None:
        """Delete it, where none refers to it; its history stays: DELETE /v1/curves/{id}."""
        self.send_json("DELETE", f"/v1/curves/{quoted(id)}", headers={"If-Match": if_match})

    def get_curves_id_revisions(self, id: str, *, limit: int | None = None, after: str | None = None,
            as_of: str | None = None) -> Revisions:
        """Its history, newest first: GET /v1/curves/{id}/revisions."""
        return cast("Revisions", self.send_json("GET", f"/v1/curves/{quoted(id)}/revisions", query={"limit": limit, "after": after,
            "as_of": as_of}))

    def each_curves_id_revisions(self, id: str, *, limit: int | None = None, as_of: str | None = None) -> Iterator[Revision]:
        """The items of all pages of get_curves_id_revisions, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_curves_id_revisions(id, limit=limit, as_of=as_of, after=cursor))

    def get_curves_id_revisions_csv(self, id: str, *, limit: int | None = None, after: str | None = None,
            as_of: str | None = None) -> str:
        """Its history, newest first: as CSV."""
        return self.send("GET", f"/v1/curves/{quoted(id)}/revisions", query={"limit": limit, "after": after, "as_of": as_of},
            accept="text/csv").decode()

    def get_devices(self, *, limit: int | None = None, after: str | None = None, q: str | None = None,
            as_of: str | None = None) -> DeviceList:
        """A page of them, by id: GET /v1/devices."""
        return cast("DeviceList", self.send_json("GET", "/v1/devices", query={"limit": limit, "after": after, "q": q,
            "as_of": as_of}))

    def each_devices(self, *, limit: int | None = None, q: str | None = None,
            as_of: str | None = None) -> Iterator[StoredDevice | UnreadableDocument]:
        """The items of all pages of get_devices, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_devices(limit=limit, q=q, as_of=as_of, after=cursor))

    def get_devices_csv(self, *, limit: int | None = None, after: str | None = None, q: str | None = None,
            as_of: str | None = None) -> str:
        """A page of them, by id: as CSV."""
        return self.send("GET", "/v1/devices", query={"limit": limit, "after": after, "q": q, "as_of": as_of},
            accept="text/csv").decode()

    def get_devices_id(self, id: str, *, as_of: str | None = None, if_none_match: str | None = None) -> StoredDevice:
        """One, now or as it was known: GET /v1/devices/{id}."""
        return cast("StoredDevice", self.send_json("GET", f"/v1/devices/{quoted(id)}", query={"as_of": as_of},
            headers={"If-None-Match": if_none_match}))

    def put_devices_id(self, id: str, body: Device, *, if_match: str | None = None,
            if_none_match: str | None = None) -> StoredDevice:
        """Store it as its next revision: PUT /v1/devices/{id}."""
        return cast("StoredDevice", self.send_json("PUT", f"/v1/devices/{quoted(id)}", headers={"If-Match": if_match,
            "If-None-Match": if_none_match}, body=body))

    def delete_devices_id(self, id: str, *, if_match: str | None = None) -> None:
        """Delete it, where none refers to it; its history stays: DELETE /v1/devices/{id}."""
        self.send_json("DELETE", f"/v1/devices/{quoted(id)}", headers={"If-Match": if_match})

    def get_devices_id_revisions(self, id: str, *, limit: int | None = None, after: str | None = None,
            as_of: str | None = None) -> Revisions:
        """Its history, newest first: GET /v1/devices/{id}/revisions."""
        return cast("Revisions", self.send_json("GET", f"/v1/devices/{quoted(id)}/revisions", query={"limit": limit,
            "after": after, "as_of": as_of}))

    def each_devices_id_revisions(self, id: str, *, limit: int | None = None, as_of: str | None = None) -> Iterator[Revision]:
        """The items of all pages of get_devices_id_revisions, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_devices_id_revisions(id, limit=limit, as_of=as_of, after=cursor))

    def get_devices_id_revisions_csv(self, id: str, *, limit: int | None = None, after: str | None = None,
            as_of: str | None = None) -> str:
        """Its history, newest first: as CSV."""
        return self.send("GET", f"/v1/devices/{quoted(id)}/revisions", query={"limit": limit, "after": after, "as_of": as_of},
            accept="text/csv").decode()

    def get_offers(self, *, limit: int | None = None, after: str | None = None, q: str | None = None, as_of: str | None = None,
            provider: str | None = None, region: str | None = None, device: str | None = None, purchase: str | None = None,
            max_hourly_price: float | None = None) -> OfferList:
        """A page of them, by id: GET /v1/offers."""
        return cast("OfferList", self.send_json("GET", "/v1/offers", query={"limit": limit, "after": after, "q": q, "as_of": as_of,
            "provider": provider, "region": region, "device": device, "purchase": purchase, "max_hourly_price": max_hourly_price}))

    def each_offers(self, *, limit: int | None = None, q: str | None = None, as_of: str | None = None, provider: str | None = None,
            region: str | None = None, device: str | None = None, purchase: str | None = None,
            max_hourly_price: float | None = None) -> Iterator[StoredOffer | UnreadableDocument]:
        """The items of all pages of get_offers, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_offers(limit=limit, q=q, as_of=as_of, provider=provider, region=region,
            device=device, purchase=purchase, max_hourly_price=max_hourly_price, after=cursor))

    def get_offers_csv(self, *, limit: int | None = None, after: str | None = None, q: str | None = None, as_of: str | None = None,
            provider: str | None = None, region: str | None = None, device: str | None = None, purchase: str | None = None,
            max_hourly_price: float | None = None) -> str:
        """A page of them, by id: as CSV."""
        return self.send("GET", "/v1/offers", query={"limit": limit, "after": after, "q": q, "as_of": as_of, "provider": provider,
            "region": region, "device": device, "purchase": purchase, "max_hourly_price": max_hourly_price},
            accept="text/csv").decode()

    def get_offers_id(self, id: str, *, as_of: str | None = None, if_none_match: str | None = None) -> StoredOffer:
        """One, now or as it was known: GET /v1/offers/{id}."""
        return cast("StoredOffer", self.send_json("GET", f"/v1/offers/{quoted(id)}", query={"as_of": as_of},
            headers={"If-None-Match": if_none_match}))

    def put_offers_id(self, id: str, body: Offer, *, if_match: str | None = None, if_none_match: str | None = None) -> StoredOffer:
        """Store it as its next revision: PUT /v1/offers/{id}."""
        return cast("StoredOffer", self.send_json("PUT", f"/v1/offers/{quoted(id)}", headers={"If-Match": if_match,
            "If-None-Match": if_none_match}, body=body))

    def delete_offers_id(self, id: str, *, if_match: str | None = None) -> None:
        """Delete it, where none refers to it; its history stays: DELETE /v1/offers/{id}."""
        self.send_json("DELETE", f"/v1/offers/{quoted(id)}", headers={"If-Match": if_match})

    def get_offers_id_revisions(self, id: str, *, limit: int | None = None, after: str | None = None,
            as_of: str | None = None) -> Revisions:
        """Its history, newest first: GET /v1/offers/{id}/revisions."""
        return cast("Revisions", self.send_json("GET", f"/v1/offers/{quoted(id)}/revisions", query={"limit": limit, "after": after,
            "as_of": as_of}))

    def each_offers_id_revisions(self, id: str, *, limit: int | None = None, as_of: str | None = None) -> Iterator[Revision]:
        """The items of all pages of get_offers_id_revisions, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_offers_id_revisions(id, limit=limit, as_of=as_of, after=cursor))

    def get_offers_id_revisions_csv(self, id: str, *, limit: int | None = None, after: str | None = None,
            as_of: str | None = None) -> str:
        """Its history, newest first: as CSV."""
        return self.send("GET", f"/v1/offers/{quoted(id)}/revisions", query={"limit": limit, "after": after, "as_of": as_of},
            accept="text/csv").decode()

    def get_servers(self, *, limit: int | None = None, after: str | None = None, q: str | None = None,
            as_of: str | None = None) -> ServerList:
        """A page of them, by id: GET /v1/servers."""
        return cast("ServerList", self.send_json("GET", "/v1/servers", query={"limit": limit, "after": after, "q": q,
            "as_of": as_of}))

    def each_servers(self, *, limit: int | None = None, q: str | None = None,
            as_of: str | None = None) -> Iterator[StoredServer | UnreadableDocument]:
        """The items of all pages of get_servers, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_servers(limit=limit, q=q, as_of=as_of, after=cursor))

    def get_servers_csv(self, *, limit: int | None = None, after: str | None = None, q: str | None = None,
            as_of: str | None = None) -> str:
        """A page of them, by id: as CSV."""
        return self.send("GET", "/v1/servers", query={"limit": limit, "after": after, "q": q, "as_of": as_of},
            accept="text/csv").decode()

    def get_servers_id(self, id: str, *, as_of: str | None = None, if_none_match: str | None = None) -> StoredServer:
        """One, now or as it was known: GET /v1/servers/{id}."""
        return cast("StoredServer", self.send_json("GET", f"/v1/servers/{quoted(id)}", query={"as_of": as_of},
            headers={"If-None-Match": if_none_match}))

    def put_servers_id(self, id: str, body: Server, *, if_match: str | None = None,
            if_none_match: str | None = None) -> StoredServer:
        """Store it as its next revision: PUT /v1/servers/{id}."""
        return cast("StoredServer", self.send_json("PUT", f"/v1/servers/{quoted(id)}", headers={"If-Match": if_match,
            "If-None-Match": if_none_match}, body=body))

    def delete_servers_id(self, id: str, *, if_match: str | None = None) -> None:
        """Delete it, where none refers to it; its history stays: DELETE /v1/servers/{id}."""
        self.send_json("DELETE", f"/v1/servers/{quoted(id)}", headers={"If-Match": if_match})

    def get_servers_id_revisions(self, id: str, *, limit: int | None = None, after: str | None = None,
            as_of: str | None = None) -> Revisions:
        """Its history, newest first: GET /v1/servers/{id}/revisions."""
        return cast("Revisions", self.send_json("GET", f"/v1/servers/{quoted(id)}/revisions", query={"limit": limit,
            "after": after, "as_of": as_of}))

    def each_servers_id_revisions(self, id: str, *, limit: int | None = None, as_of: str | None = None) -> Iterator[Revision]:
        """The items of all pages of get_servers_id_revisions, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_servers_id_revisions(id, limit=limit, as_of=as_of, after=cursor))

    def get_servers_id_revisions_csv(self, id: str, *, limit: int | None = None, after: str | None = None,
            as_of: str | None = None) -> str:
        """Its history, newest first: as CSV."""
        return self.send("GET", f"/v1/servers/{quoted(id)}/revisions", query={"limit": limit, "after": after, "as_of": as_of},
            accept="text/csv").decode()

    def get_sites(self, *, limit: int | None = None, after: str | None = None, q: str | None = None,
            as_of: str | None = None) -> SiteList:
        """A page of them, by id: GET /v1/sites."""
        return cast("SiteList", self.send_json("GET", "/v1/sites", query={"limit": limit, "after": after, "q": q, "as_of": as_of}))

    def each_sites(self, *, limit: int | None = None, q: str | None = None,
            as_of: str | None = None) -> Iterator[StoredSite | UnreadableDocument]:
        """The items of all pages of get_sites, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_sites(limit=limit, q=q, as_of=as_of, after=cursor))

    def get_sites_csv(self, *, limit: int | None = None, after: str | None = None, q: str | None = None,
            as_of: str | None = None) -> str:
        """A page of them, by id: as CSV."""
        return self.send("GET", "/v1/sites", query={"limit": limit, "after": after, "q": q, "as_of": as_of},
            accept="text/csv").decode()

    def get_sites_id(self, id: str, *, as_of: str | None = None, if_none_match: str | None = None) -> StoredSite:
        """One, now or as it was known: GET /v1/sites/{id}."""
        return cast("StoredSite", self.send_json("GET", f"/v1/sites/{quoted(id)}", query={"as_of": as_of},
            headers={"If-None-Match": if_none_match}))

    def put_sites_id(self, id: str, body: Site, *, if_match: str | None = None, if_none_match: str | None = None) -> StoredSite:
        """Store it as its next revision: PUT /v1/sites/{id}."""
        return cast("StoredSite", self.send_json("PUT", f"/v1/sites/{quoted(id)}", headers={"If-Match": if_match,
            "If-None-Match": if_none_match}, body=body))

    def delete_sites_id(self, id: str, *, if_match: str | None = None) -> None:
        """Delete it, where none refers to it; its history stays: DELETE /v1/sites/{id}."""
        self.send_json("DELETE", f"/v1/sites/{quoted(id)}", headers={"If-Match": if_match})

    def get_sites_id_revisions(self, id: str, *, limit: int | None = None, after: str | None = None,
            as_of: str | None = None) -> Revisions:
        """Its history, newest first: GET /v1/sites/{id}/revisions."""
        return cast("Revisions", self.send_json("GET", f"/v1/sites/{quoted(id)}/revisions", query={"limit": limit, "after": after,
            "as_of": as_of}))

    def each_sites_id_revisions(self, id: str, *, limit: int | None = None, as_of: str | None = None) -> Iterator[Revision]:
        """The items of all pages of get_sites_id_revisions, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_sites_id_revisions(id, limit=limit, as_of=as_of, after=cursor))

    def get_sites_id_revisions_csv(self, id: str, *, limit: int | None = None, after: str | None = None,
            as_of: str | None = None) -> str:
        """Its history, newest first: as CSV."""
        return self.send("GET", f"/v1/sites/{quoted(id)}/revisions", query={"limit": limit, "after": after, "as_of": as_of},
            accept="text/csv").decode()

    def get_performances(self, *, limit: int | None = None, after: str | None = None, q: str | None = None,
            as_of: str | None = None) -> PerformanceList:
        """A page of them, by id: GET /v1/performances."""
        return cast("PerformanceList", self.send_json("GET", "/v1/performances", query={"limit": limit, "after": after, "q": q,
            "as_of": as_of}))

    def each_performances(self, *, limit: int | None = None, q: str | None = None,
            as_of: str | None = None) -> Iterator[StoredPerformance | UnreadableDocument]:
        """The items of all pages of get_performances, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_performances(limit=limit, q=q, as_of=as_of, after=cursor))

    def get_performances_csv(self, *, limit: int | None = None, after: str | None = None, q: str | None = None,
            as_of: str | None = None) -> str:
        """A page of them, by id: as CSV."""
        return self.send("GET", "/v1/performances", query={"limit": limit, "after": after, "q": q, "as_of": as_of},
            accept="text/csv").decode()

    def get_performances_id(self, id: str, *, as_of: str | None = None, if_none_match: str | None = None) -> StoredPerformance:
        """One, now or as it was known: GET /v1/performances/{id}."""
        return cast("StoredPerformance", self.send_json("GET", f"/v1/performances/{quoted(id)}", query={"as_of": as_of},
            headers={"If-None-Match": if_none_match}))

    def put_performances_id(self, id: str, body: Performance, *, if_match: str | None = None,
            if_none_match: str | None = None) -> StoredPerformance:
        """Store it as its next revision: PUT /v1/performances/{id}."""
        return cast("StoredPerformance", self.send_json("PUT", f"/v1/performances/{quoted(id)}", headers={"If-Match": if_match,
            "If-None-Match": if_none_match}, body=body))

    def delete_performances_id(self, id: str, *, if_match: str | None = None) -> None:
        """Delete it, where none refers to it; its history stays: DELETE /v1/performances/{id}."""
        self.send_json("DELETE", f"/v1/performances/{quoted(id)}", headers={"If-Match": if_match})

    def get_performances_id_revisions(self, id: str, *, limit: int | None = None, after: str | None = None,
            as_of: str | None = None) -> Revisions:
        """Its history, newest first: GET /v1/performances/{id}/revisions."""
        return cast("Revisions", self.send_json("GET", f"/v1/performances/{quoted(id)}/revisions", query={"limit": limit,
            "after": after, "as_of": as_of}))

    def each_performances_id_revisions(self, id: str, *, limit: int | None = None, as_of: str | None = None) -> Iterator[Revision]:
        """The items of all pages of get_performances_id_revisions, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_performances_id_revisions(id, limit=limit, as_of=as_of, after=cursor))

    def get_performances_id_revisions_csv(self, id: str, *, limit: int | None = None, after: str | None = None,
            as_of: str | None = None) -> str:
        """Its history, newest first: as CSV."""
        return self.send("GET", f"/v1/performances/{quoted(id)}/revisions", query={"limit": limit, "after": after, "as_of": as_of},
            accept="text/csv").decode()

    def get_scenarios(self, *, limit: int | None = None, after: str | None = None, q: str | None = None,
            as_of: str | None = None) -> ScenarioList:
        """A page of them, by id: GET /v1/scenarios."""
        return cast("ScenarioList", self.send_json("GET", "/v1/scenarios", query={"limit": limit, "after": after, "q": q,
            "as_of": as_of}))

    def each_scenarios(self, *, limit: int | None = None, q: str | None = None,
            as_of: str | None = None) -> Iterator[StoredScenario | UnreadableDocument]:
        """The items of all pages of get_scenarios, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_scenarios(limit=limit, q=q, as_of=as_of, after=cursor))

    def get_scenarios_csv(self, *, limit: int | None = None, after: str | None = None, q: str | None = None,
            as_of: str | None = None) -> str:
        """A page of them, by id: as CSV."""
        return self.send("GET", "/v1/scenarios", query={"limit": limit, "after": after, "q": q, "as_of": as_of},
            accept="text/csv").decode()

    def get_scenarios_id(self, id: str, *, as_of: str | None = None, if_none_match: str | None = None) -> StoredScenario:
        """One, now or as it was known: GET /v1/scenarios/{id}."""
        return cast("StoredScenario", self.send_json("GET", f"/v1/scenarios/{quoted(id)}", query={"as_of": as_of},
            headers={"If-None-Match": if_none_match}))

    def put_scenarios_id(self, id: str, body: Scenario, *, if_match: str | None = None,
            if_none_match: str | None = None) -> StoredScenario:
        """Store it as its next revision: PUT /v1/scenarios/{id}."""
        return cast("StoredScenario", self.send_json("PUT", f"/v1/scenarios/{quoted(id)}", headers={"If-Match": if_match,
            "If-None-Match": if_none_match}, body=body))

    def delete_scenarios_id(self, id: str, *, if_match: str | None = None) -> None:
        """Delete it, where none refers to it; its history stays: DELETE /v1/scenarios/{id}."""
        self.send_json("DELETE", f"/v1/scenarios/{quoted(id)}", headers={"If-Match": if_match})

    def get_scenarios_id_revisions(self, id: str, *, limit: int | None = None, after: str | None = None,
            as_of: str | None = None) -> Revisions:
        """Its history, newest first: GET /v1/scenarios/{id}/revisions."""
        return cast("Revisions", self.send_json("GET", f"/v1/scenarios/{quoted(id)}/revisions", query={"limit": limit,
            "after": after, "as_of": as_of}))

    def each_scenarios_id_revisions(self, id: str, *, limit: int | None = None, as_of: str | None = None) -> Iterator[Revision]:
        """The items of all pages of get_scenarios_id_revisions, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_scenarios_id_revisions(id, limit=limit, as_of=as_of, after=cursor))

    def get_scenarios_id_revisions_csv(self, id: str, *, limit: int | None = None, after: str | None = None,
            as_of: str | None = None) -> str:
        """Its history, newest first: as CSV."""
        return self.send("GET", f"/v1/scenarios/{quoted(id)}/revisions", query={"limit": limit, "after": after, "as_of": as_of},
            accept="text/csv").decode()

    def get_schedules(self, *, limit: int | None = None, after: str | None = None, q: str | None = None,
            as_of: str | None = None) -> ScheduleList:
        """A page of them, by id: GET /v1/schedules."""
        return cast("ScheduleList", self.send_json("GET", "/v1/schedules", query={"limit": limit, "after": after, "q": q,
            "as_of": as_of}))

    def each_schedules(self, *, limit: int | None = None, q: str | None = None,
            as_of: str | None = None) -> Iterator[StoredSchedule | UnreadableDocument]:
        """The items of all pages of get_schedules, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_schedules(limit=limit, q=q, as_of=as_of, after=cursor))

    def get_schedules_csv(self, *, limit: int | None = None, after: str | None = None, q: str | None = None,
            as_of: str | None = None) -> str:
        """A page of them, by id: as CSV."""
        return self.send("GET", "/v1/schedules", query={"limit": limit, "after": after, "q": q, "as_of": as_of},
            accept="text/csv").decode()

    def get_schedules_id(self, id: str, *, as_of: str | None = None, if_none_match: str | None = None) -> StoredSchedule:
        """One, now or as it was known: GET /v1/schedules/{id}."""
        return cast("StoredSchedule", self.send_json("GET", f"/v1/schedules/{quoted(id)}", query={"as_of": as_of},
            headers={"If-None-Match": if_none_match}))

    def put_schedules_id(self, id: str, body: Schedule, *, if_match: str | None = None,
            if_none_match: str | None = None) -> StoredSchedule:
        """Store it as its next revision: PUT /v1/schedules/{id}."""
        return cast("StoredSchedule", self.send_json("PUT", f"/v1/schedules/{quoted(id)}", headers={"If-Match": if_match,
            "If-None-Match": if_none_match}, body=body))

    def delete_schedules_id(self, id: str, *, if_match: str | None = None) -> None:
        """Delete it, where none refers to it; its history stays: DELETE /v1/schedules/{id}."""
        self.send_json("DELETE", f"/v1/schedules/{quoted(id)}", headers={"If-Match": if_match})

    def get_schedules_id_revisions(self, id: str, *, limit: int | None = None, after: str | None = None,
            as_of: str | None = None) -> Revisions:
        """Its history, newest first: GET /v1/schedules/{id}/revisions."""
        return cast("Revisions", self.send_json("GET", f"/v1/schedules/{quoted(id)}/revisions", query={"limit": limit,
            "after": after, "as_of": as_of}))

    def each_schedules_id_revisions(self, id: str, *, limit: int | None = None, as_of: str | None = None) -> Iterator[Revision]:
        """The items of all pages of get_schedules_id_revisions, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_schedules_id_revisions(id, limit=limit, as_of=as_of, after=cursor))

    def get_schedules_id_revisions_csv(self, id: str, *, limit: int | None = None, after: str | None = None,
            as_of: str | None = None) -> str:
        """Its history, newest first: as CSV."""
        return self.send("GET", f"/v1/schedules/{quoted(id)}/revisions", query={"limit": limit, "after": after, "as_of": as_of},
            accept="text/csv").decode()

    def get_webhooks(self, *, limit: int | None = None, after: str | None = None, q: str | None = None,
            as_of: str | None = None) -> WebhookList:
        """A page of them, by id: GET /v1/webhooks."""
        return cast("WebhookList", self.send_json("GET", "/v1/webhooks", query={"limit": limit, "after": after, "q": q,
            "as_of": as_of}))

    def each_webhooks(self, *, limit: int | None = None, q: str | None = None,
            as_of: str | None = None) -> Iterator[StoredWebhook | UnreadableDocument]:
        """The items of all pages of get_webhooks, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_webhooks(limit=limit, q=q, as_of=as_of, after=cursor))

    def get_webhooks_csv(self, *, limit: int | None = None, after: str | None = None, q: str | None = None,
            as_of: str | None = None) -> str:
        """A page of them, by id: as CSV."""
        return self.send("GET", "/v1/webhooks", query={"limit": limit, "after": after, "q": q, "as_of": as_of},
            accept="text/csv").decode()

    def get_webhooks_id(self, id: str, *, as_of: str | None = None, if_none_match: str | None = None) -> StoredWebhook:
        """One, now or as it was known: GET /v1/webhooks/{id}."""
        return cast("StoredWebhook", self.send_json("GET", f"/v1/webhooks/{quoted(id)}", query={"as_of": as_of},
            headers={"If-None-Match": if_none_match}))

    def put_webhooks_id(self, id: str, body: Webhook, *, if_match: str | None = None,
            if_none_match: str | None = None) -> StoredWebhook:
        """Store it as its next revision: PUT /v1/webhooks/{id}."""
        return cast("StoredWebhook", self.send_json("PUT", f"/v1/webhooks/{quoted(id)}", headers={"If-Match": if_match,
            "If-None-Match": if_none_match}, body=body))

    def delete_webhooks_id(self, id: str, *, if_match: str | None = None) -> None:
        """Delete it, where none refers to it; its history stays: DELETE /v1/webhooks/{id}."""
        self.send_json("DELETE", f"/v1/webhooks/{quoted(id)}", headers={"If-Match": if_match})

    def get_webhooks_id_revisions(self, id: str, *, limit: int | None = None, after: str | None = None,
            as_of: str | None = None) -> Revisions:
        """Its history, newest first: GET /v1/webhooks/{id}/revisions."""
        return cast("Revisions", self.send_json("GET", f"/v1/webhooks/{quoted(id)}/revisions", query={"limit": limit,
            "after": after, "as_of": as_of}))

    def each_webhooks_id_revisions(self, id: str, *, limit: int | None = None, as_of: str | None = None) -> Iterator[Revision]:
        """The items of all pages of get_webhooks_id_revisions, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_webhooks_id_revisions(id, limit=limit, as_of=as_of, after=cursor))

    def get_webhooks_id_revisions_csv(self, id: str, *, limit: int | None = None, after: str | None = None,
            as_of: str | None = None) -> str:
        """Its history, newest first: as CSV."""
        return self.send("GET", f"/v1/webhooks/{quoted(id)}/revisions", query={"limit": limit, "after": after, "as_of": as_of},
            accept="text/csv").decode()

    def get_comparisons(self, *, limit: int | None = None, after: str | None = None, q: str | None = None,
            as_of: str | None = None) -> ComparisonList:
        """A page of them, by id: GET /v1/comparisons."""
        return cast("ComparisonList", self.send_json("GET", "/v1/comparisons", query={"limit": limit, "after": after, "q": q,
            "as_of": as_of}))

    def each_comparisons(self, *, limit: int | None = None, q: str | None = None,
            as_of: str | None = None) -> Iterator[StoredComparison | UnreadableDocument]:
        """The items of all pages of get_comparisons, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_comparisons(limit=limit, q=q, as_of=as_of, after=cursor))

    def get_comparisons_csv(self, *, limit: int | None = None, after: str | None = None, q: str | None = None,
            as_of: str | None = None) -> str:
        """A page of them, by id: as CSV."""
        return self.send("GET", "/v1/comparisons", query={"limit": limit, "after": after, "q": q, "as_of": as_of},
            accept="text/csv").decode()

    def get_comparisons_id(self, id: str, *, as_of: str | None = None, if_none_match: str | None = None) -> StoredComparison:
        """One, now or as it was known: GET /v1/comparisons/{id}."""
        return cast("StoredComparison", self.send_json("GET", f"/v1/comparisons/{quoted(id)}", query={"as_of": as_of},
            headers={"If-None-Match": if_none_match}))

    def put_comparisons_id(self, id: str, body: Comparison, *, if_match: str | None = None,
            if_none_match: str | None = None) -> StoredComparison:
        """Store it as its next revision: PUT /v1/comparisons/{id}."""
        return cast("StoredComparison", self.send_json("PUT", f"/v1/comparisons/{quoted(id)}", headers={"If-Match": if_match,
            "If-None-Match": if_none_match}, body=body))

    def delete_comparisons_id(self, id: str, *, if_match: str | None = None) -> None:
        """Delete it, where none refers to it; its history stays: DELETE /v1/comparisons/{id}."""
        self.send_json("DELETE", f"/v1/comparisons/{quoted(id)}", headers={"If-Match": if_match})

    def get_comparisons_id_revisions(self, id: str, *, limit: int | None = None, after: str | None = None,
            as_of: str | None = None) -> Revisions:
        """Its history, newest first: GET /v1/comparisons/{id}/revisions."""
        return cast("Revisions", self.send_json("GET", f"/v1/comparisons/{quoted(id)}/revisions", query={"limit": limit,
            "after": after, "as_of": as_of}))

    def each_comparisons_id_revisions(self, id: str, *, limit: int | None = None, as_of: str | None = None) -> Iterator[Revision]:
        """The items of all pages of get_comparisons_id_revisions, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_comparisons_id_revisions(id, limit=limit, as_of=as_of, after=cursor))

    def get_comparisons_id_revisions_csv(self, id: str, *, limit: int | None = None, after: str | None = None,
            as_of: str | None = None) -> str:
        """Its history, newest first: as CSV."""
        return self.send("GET", f"/v1/comparisons/{quoted(id)}/revisions", query={"limit": limit, "after": after, "as_of": as_of},
            accept="text/csv").decode()

    def get_models(self, *, limit: int | None = None, after: str | None = None, q: str | None = None,
            as_of: str | None = None) -> ModelList:
        """A page of them, by id: GET /v1/models."""
        return cast("ModelList", self.send_json("GET", "/v1/models", query={"limit": limit, "after": after, "q": q,
            "as_of": as_of}))

    def each_models(self, *, limit: int | None = None, q: str | None = None,
            as_of: str | None = None) -> Iterator[StoredModel | UnreadableDocument]:
        """The items of all pages of get_models, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_models(limit=limit, q=q, as_of=as_of, after=cursor))

    def get_models_csv(self, *, limit: int | None = None, after: str | None = None, q: str | None = None,
            as_of: str | None = None) -> str:
        """A page of them, by id: as CSV."""
        return self.send("GET", "/v1/models", query={"limit": limit, "after": after, "q": q, "as_of": as_of},
            accept="text/csv").decode()

    def get_models_id(self, id: str, *, as_of: str | None = None, if_none_match: str | None = None) -> StoredModel:
        """One, now or as it was known: GET /v1/models/{id}."""
        return cast("StoredModel", self.send_json("GET", f"/v1/models/{quoted(id)}", query={"as_of": as_of},
            headers={"If-None-Match": if_none_match}))

    def put_models_id(self, id: str, body: Model, *, if_match: str | None = None, if_none_match: str | None = None) -> StoredModel:
        """Store it as its next revision: PUT /v1/models/{id}."""
        return cast("StoredModel", self.send_json("PUT", f"/v1/models/{quoted(id)}", headers={"If-Match": if_match,
            "If-None-Match": if_none_match}, body=body))

    def delete_models_id(self, id: str, *, if_match: str | None = None) -> None:
        """Delete it, where none refers to it; its history stays: DELETE /v1/models/{id}."""
        self.send_json("DELETE", f"/v1/models/{quoted(id)}", headers={"If-Match": if_match})

    def get_models_id_revisions(self, id: str, *, limit: int | None = None, after: str | None = None,
            as_of: str | None = None) -> Revisions:
        """Its history, newest first: GET /v1/models/{id}/revisions."""
        return cast("Revisions", self.send_json("GET", f"/v1/models/{quoted(id)}/revisions", query={"limit": limit, "after": after,
            "as_of": as_of}))

    def each_models_id_revisions(self, id: str, *, limit: int | None = None, as_of: str | None = None) -> Iterator[Revision]:
        """The items of all pages of get_models_id_revisions, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_models_id_revisions(id, limit=limit, as_of=as_of, after=cursor))

    def get_models_id_revisions_csv(self, id: str, *, limit: int | None = None, after: str | None = None,
            as_of: str | None = None) -> str:
        """Its history, newest first: as CSV."""
        return self.send("GET", f"/v1/models/{quoted(id)}/revisions", query={"limit": limit, "after": after, "as_of": as_of},
            accept="text/csv").decode()

    def get_endpoints(self, *, limit: int | None = None, after: str | None = None, q: str | None = None,
            as_of: str | None = None) -> EndpointList:
        """A page of them, by id: GET /v1/endpoints."""
        return cast("EndpointList", self.send_json("GET", "/v1/endpoints", query={"limit": limit, "after": after, "q": q,
            "as_of": as_of}))

    def each_endpoints(self, *, limit: int | None = None, q: str | None = None,
            as_of: str | None = None) -> Iterator[StoredEndpoint | UnreadableDocument]:
        """The items of all pages of get_endpoints, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_endpoints(limit=limit, q=q, as_of=as_of, after=cursor))

    def get_endpoints_csv(self, *, limit: int | None = None, after: str | None = None, q: str | None = None,
            as_of: str | None = None) -> str:
        """A page of them, by id: as CSV."""
        return self.send("GET", "/v1/endpoints", query={"limit": limit, "after": after, "q": q, "as_of": as_of},
            accept="text/csv").decode()

    def get_endpoints_id(self, id: str, *, as_of: str | None = None, if_none_match: str | None = None) -> StoredEndpoint:
        """One, now or as it was known: GET /v1/endpoints/{id}."""
        return cast("StoredEndpoint", self.send_json("GET", f"/v1/endpoints/{quoted(id)}", query={"as_of": as_of},
            headers={"If-None-Match": if_none_match}))

    def put_endpoints_id(self, id: str, body: Endpoint, *, if_match: str | None = None,
            if_none_match: str | None = None) -> StoredEndpoint:
        """Store it as its next revision: PUT /v1/endpoints/{id}."""
        return cast("StoredEndpoint", self.send_json("PUT", f"/v1/endpoints/{quoted(id)}", headers={"If-Match": if_match,
            "If-None-Match": if_none_match}, body=body))

    def delete_endpoints_id(self, id: str, *, if_match: str | None = None) -> None:
        """Delete it, where none refers to it; its history stays: DELETE /v1/endpoints/{id}."""
        self.send_json("DELETE", f"/v1/endpoints/{quoted(id)}", headers={"If-Match": if_match})

    def get_endpoints_id_revisions(self, id: str, *, limit: int | None = None, after: str | None = None,
            as_of: str | None = None) -> Revisions:
        """Its history, newest first: GET /v1/endpoints/{id}/revisions."""
        return cast("Revisions", self.send_json("GET", f"/v1/endpoints/{quoted(id)}/revisions", query={"limit": limit,
            "after": after, "as_of": as_of}))

    def each_endpoints_id_revisions(self, id: str, *, limit: int | None = None, as_of: str | None = None) -> Iterator[Revision]:
        """The items of all pages of get_endpoints_id_revisions, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_endpoints_id_revisions(id, limit=limit, as_of=as_of, after=cursor))

    def get_endpoints_id_revisions_csv(self, id: str, *, limit: int | None = None, after: str | None = None,
            as_of: str | None = None) -> str:
        """Its history, newest first: as CSV."""
        return self.send("GET", f"/v1/endpoints/{quoted(id)}/revisions", query={"limit": limit, "after": after, "as_of": as_of},
            accept="text/csv").decode()

    def get_aliases(self, *, limit: int | None = None, after: str | None = None, q: str | None = None,
            as_of: str | None = None) -> AliasList:
        """A page of them, by id: GET /v1/aliases."""
        return cast("AliasList", self.send_json("GET", "/v1/aliases", query={"limit": limit, "after": after, "q": q,
            "as_of": as_of}))

    def each_aliases(self, *, limit: int | None = None, q: str | None = None,
            as_of: str | None = None) -> Iterator[StoredAlias | UnreadableDocument]:
        """The items of all pages of get_aliases, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_aliases(limit=limit, q=q, as_of=as_of, after=cursor))

    def get_aliases_csv(self, *, limit: int | None = None, after: str | None = None, q: str | None = None,
            as_of: str | None = None) -> str:
        """A page of them, by id: as CSV."""
        return self.send("GET", "/v1/aliases", query={"limit": limit, "after": after, "q": q, "as_of": as_of},
            accept="text/csv").decode()

    def get_aliases_id(self, id: str, *, as_of: str | None = None, if_none_match: str | None = None) -> StoredAlias:
        """One, now or as it was known: GET /v1/aliases/{id}."""
        return cast("StoredAlias", self.send_json("GET", f"/v1/aliases/{quoted(id)}", query={"as_of": as_of},
            headers={"If-None-Match": if_none_match}))

    def put_aliases_id(self, id: str, body: Alias, *, if_match: str | None = None, if_none_match: str | None = None) -> StoredAlias:
        """Store it as its next revision: PUT /v1/aliases/{id}."""
        return cast("StoredAlias", self.send_json("PUT", f"/v1/aliases/{quoted(id)}", headers={"If-Match": if_match,
            "If-None-Match": if_none_match}, body=body))

    def delete_aliases_id(self, id: str, *, if_match: str | None = None) -> None:
        """Delete it, where none refers to it; its history stays: DELETE /v1/aliases/{id}."""
        self.send_json("DELETE", f"/v1/aliases/{quoted(id)}", headers={"If-Match": if_match})

    def get_aliases_id_revisions(self, id: str, *, limit: int | None = None, after: str | None = None,
            as_of: str | None = None) -> Revisions:
        """Its history, newest first: GET /v1/aliases/{id}/revisions."""
        return cast("Revisions", self.send_json("GET", f"/v1/aliases/{quoted(id)}/revisions", query={"limit": limit,
            "after": after, "as_of": as_of}))

    def each_aliases_id_revisions(self, id: str, *, limit: int | None = None, as_of: str | None = None) -> Iterator[Revision]:
        """The items of all pages of get_aliases_id_revisions, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_aliases_id_revisions(id, limit=limit, as_of=as_of, after=cursor))

    def get_aliases_id_revisions_csv(self, id: str, *, limit: int | None = None, after: str | None = None,
            as_of: str | None = None) -> str:
        """Its history, newest first: as CSV."""
        return self.send("GET", f"/v1/aliases/{quoted(id)}/revisions", query={"limit": limit, "after": after, "as_of": as_of},
            accept="text/csv").decode()

    def get_feeds(self, *, limit: int | None = None, after: str | None = None, q: str | None = None,
            as_of: str | None = None) -> FeedList:
        """A page of them, by id: GET /v1/feeds."""
        return cast("FeedList", self.send_json("GET", "/v1/feeds", query={"limit": limit, "after": after, "q": q, "as_of": as_of}))

    def each_feeds(self, *, limit: int | None = None, q: str | None = None,
            as_of: str | None = None) -> Iterator[StoredFeed | UnreadableDocument]:
        """The items of all pages of get_feeds, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_feeds(limit=limit, q=q, as_of=as_of, after=cursor))

    def get_feeds_csv(self, *, limit: int | None = None, after: str | None = None, q: str | None = None,
            as_of: str | None = None) -> str:
        """A page of them, by id: as CSV."""
        return self.send("GET", "/v1/feeds", query={"limit": limit, "after": after, "q": q, "as_of": as_of},
            accept="text/csv").decode()

    def get_feeds_id(self, id: str, *, as_of: str | None = None, if_none_match: str | None = None) -> StoredFeed:
        """One, now or as it was known: GET /v1/feeds/{id}."""
        return cast("StoredFeed", self.send_json("GET", f"/v1/feeds/{quoted(id)}", query={"as_of": as_of},
            headers={"If-None-Match": if_none_match}))

    def put_feeds_id(self, id: str, body: Feed, *, if_match: str | None = None, if_none_match: str | None = None) -> StoredFeed:
        """Store it as its next revision: PUT /v1/feeds/{id}."""
        return cast("StoredFeed", self.send_json("PUT", f"/v1/feeds/{quoted(id)}", headers={"If-Match": if_match,
            "If-None-Match": if_none_match}, body=body))

    def delete_feeds_id(self, id: str, *, if_match: str | None = None) -> None:
        """Delete it, where none refers to it; its history stays: DELETE /v1/feeds/{id}."""
        self.send_json("DELETE", f"/v1/feeds/{quoted(id)}", headers={"If-Match": if_match})

    def get_feeds_id_revisions(self, id: str, *, limit: int | None = None, after: str | None = None,
            as_of: str | None = None) -> Revisions:
        """Its history, newest first: GET /v1/feeds/{id}/revisions."""
        return cast("Revisions", self.send_json("GET", f"/v1/feeds/{quoted(id)}/revisions", query={"limit": limit, "after": after,
            "as_of": as_of}))

    def each_feeds_id_revisions(self, id: str, *, limit: int | None = None, as_of: str | None = None) -> Iterator[Revision]:
        """The items of all pages of get_feeds_id_revisions, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_feeds_id_revisions(id, limit=limit, as_of=as_of, after=cursor))

    def get_feeds_id_revisions_csv(self, id: str, *, limit: int | None = None, after: str | None = None,
            as_of: str | None = None) -> str:
        """Its history, newest first: as CSV."""
        return self.send("GET", f"/v1/feeds/{quoted(id)}/revisions", query={"limit": limit, "after": after, "as_of": as_of},
            accept="text/csv").decode()

    def get_decisions(self, *, limit: int | None = None, after: str | None = None, q: str | None = None,
            as_of: str | None = None) -> DecisionList:
        """A page of them, by id: GET /v1/decisions."""
        return cast("DecisionList", self.send_json("GET", "/v1/decisions", query={"limit": limit, "after": after, "q": q,
            "as_of": as_of}))

    def each_decisions(self, *, limit: int | None = None, q: str | None = None,
            as_of: str | None = None) -> Iterator[StoredDecision | UnreadableDocument]:
        """The items of all pages of get_decisions, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_decisions(limit=limit, q=q, as_of=as_of, after=cursor))

    def get_decisions_csv(self, *, limit: int | None = None, after: str | None = None, q: str | None = None,
            as_of: str | None = None) -> str:
        """A page of them, by id: as CSV."""
        return self.send("GET", "/v1/decisions", query={"limit": limit, "after": after, "q": q, "as_of": as_of},
            accept="text/csv").decode()

    def get_decisions_id(self, id: str, *, as_of: str | None = None, if_none_match: str | None = None) -> StoredDecision:
        """One, now or as it was known: GET /v1/decisions/{id}."""
        return cast("StoredDecision", self.send_json("GET", f"/v1/decisions/{quoted(id)}", query={"as_of": as_of},
            headers={"If-None-Match": if_none_match}))

    def put_decisions_id(self, id: str, body: Decision, *, if_match: str | None = None,
            if_none_match: str | None = None) -> StoredDecision:
        """Store it as its next revision: PUT /v1/decisions/{id}."""
        return cast("StoredDecision", self.send_json("PUT", f"/v1/decisions/{quoted(id)}", headers={"If-Match": if_match,
            "If-None-Match": if_none_match}, body=body))

    def delete_decisions_id(self, id: str, *, if_match: str | None = None) -> None:
        """Delete it, where none refers to it; its history stays: DELETE /v1/decisions/{id}."""
        self.send_json("DELETE", f"/v1/decisions/{quoted(id)}", headers={"If-Match": if_match})

    def get_decisions_id_revisions(self, id: str, *, limit: int | None = None, after: str | None = None,
            as_of: str | None = None) -> Revisions:
        """Its history, newest first: GET /v1/decisions/{id}/revisions."""
        return cast("Revisions", self.send_json("GET", f"/v1/decisions/{quoted(id)}/revisions", query={"limit": limit,
            "after": after, "as_of": as_of}))

    def each_decisions_id_revisions(self, id: str, *, limit: int | None = None, as_of: str | None = None) -> Iterator[Revision]:
        """The items of all pages of get_decisions_id_revisions, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_decisions_id_revisions(id, limit=limit, as_of=as_of, after=cursor))

    def get_decisions_id_revisions_csv(self, id: str, *, limit: int | None = None, after: str | None = None,
            as_of: str | None = None) -> str:
        """Its history, newest first: as CSV."""
        return self.send("GET", f"/v1/decisions/{quoted(id)}/revisions", query={"limit": limit, "after": after, "as_of": as_of},
            accept="text/csv").decode()

    def get_measurements(self, *, limit: int | None = None, after: str | None = None, q: str | None = None,
            as_of: str | None = None, model: str | None = None, device: str | None = None, measurement_kind: str | None = None,
            precision: str | None = None, publisher: str | None = None, source: str | None = None, own: bool | None = None,
            from_: str | None = None, to: str | None = None) -> MeasurementList:
        """A page of them, by id: GET /v1/measurements."""
        return cast("MeasurementList", self.send_json("GET", "/v1/measurements", query={"limit": limit, "after": after, "q": q,
            "as_of": as_of, "model": model, "device": device, "measurement_kind": measurement_kind, "precision": precision,
            "publisher": publisher, "source": source, "own": own, "from": from_, "to": to}))

    def each_measurements(self, *, limit: int | None = None, q: str | None = None, as_of: str | None = None,
            model: str | None = None, device: str | None = None, measurement_kind: str | None = None, precision: str | None = None,
            publisher: str | None = None, source: str | None = None, own: bool | None = None, from_: str | None = None,
            to: str | None = None) -> Iterator[StoredMeasurement | UnreadableDocument]:
        """The items of all pages of get_measurements, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_measurements(limit=limit, q=q, as_of=as_of, model=model, device=device,
            measurement_kind=measurement_kind, precision=precision, publisher=publisher, source=source, own=own, from_=from_,
            to=to, after=cursor))

    def get_measurements_csv(self, *, limit: int | None = None, after: str | None = None, q: str | None = None,
            as_of: str | None = None, model: str | None = None, device: str | None = None, measurement_kind: str | None = None,
            precision: str | None = None, publisher: str | None = None, source: str | None = None, own: bool | None = None,
            from_: str | None = None, to: str | None = None) -> str:
        """A page of them, by id: as CSV."""
        return self.send("GET", "/v1/measurements", query={"limit": limit, "after": after, "q": q, "as_of": as_of, "model": model,
            "device": device, "measurement_kind": measurement_kind, "precision": precision, "publisher": publisher,
            "source": source, "own": own, "from": from_, "to": to}, accept="text/csv").decode()

    def get_measurements_id(self, id: str, *, as_of: str | None = None, if_none_match: str | None = None) -> StoredMeasurement:
        """One, now or as it was known: GET /v1/measurements/{id}."""
        return cast("StoredMeasurement", self.send_json("GET", f"/v1/measurements/{quoted(id)}", query={"as_of": as_of},
            headers={"If-None-Match": if_none_match}))

    def put_measurements_id(self, id: str, body: Measurement, *, if_match: str | None = None,
            if_none_match: str | None = None) -> StoredMeasurement:
        """Store it as its next revision: PUT /v1/measurements/{id}."""
        return cast("StoredMeasurement", self.send_json("PUT", f"/v1/measurements/{quoted(id)}", headers={"If-Match": if_match,
            "If-None-Match": if_none_match}, body=body))

    def delete_measurements_id(self, id: str, *, if_match: str | None = None) -> None:
        """Delete it, where none refers to it; its history stays: DELETE /v1/measurements/{id}."""
        self.send_json("DELETE", f"/v1/measurements/{quoted(id)}", headers={"If-Match": if_match})

    def get_measurements_id_revisions(self, id: str, *, limit: int | None = None, after: str | None = None,
            as_of: str | None = None) -> Revisions:
        """Its history, newest first: GET /v1/measurements/{id}/revisions."""
        return cast("Revisions", self.send_json("GET", f"/v1/measurements/{quoted(id)}/revisions", query={"limit": limit,
            "after": after, "as_of": as_of}))

    def each_measurements_id_revisions(self, id: str, *, limit: int | None = None, as_of: str | None = None) -> Iterator[Revision]:
        """The items of all pages of get_measurements_id_revisions, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_measurements_id_revisions(id, limit=limit, as_of=as_of, after=cursor))

    def get_measurements_id_revisions_csv(self, id: str, *, limit: int | None = None, after: str | None = None,
            as_of: str | None = None) -> str:
        """Its history, newest first: as CSV."""
        return self.send("GET", f"/v1/measurements/{quoted(id)}/revisions", query={"limit": limit, "after": after, "as_of": as_of},
            accept="text/csv").decode()

    def post_evaluate(self, body: EvaluateRequest, *, idempotency_key: str | None = None) -> Result:
        """What a scenario costs, with its ledger where asked: POST /v1/evaluate."""
        return cast("Result", self.send_json("POST", "/v1/evaluate", headers={"Idempotency-Key": idempotency_key}, body=body))

    def post_evaluate_csv(self, body: EvaluateRequest, *, idempotency_key: str | None = None, table: Literal["months", "ledger",
            "bills"] | None = None) -> str:
        """What a scenario costs, with its ledger where asked: as CSV."""
        return self.send("POST", "/v1/evaluate", query={"table": table}, headers={"Idempotency-Key": idempotency_key},
            body=json.dumps(body).encode(), accept="text/csv").decode()

    def post_evaluate_xlsx(self, body: EvaluateRequest, *, idempotency_key: str | None = None) -> bytes:
        """What a scenario costs, with its ledger where asked: as an Excel workbook."""
        return self.send("POST", "/v1/evaluate", headers={"Idempotency-Key": idempotency_key}, body=json.dumps(body).encode(),
            accept="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")

    def post_evaluate_batch(self, body: BatchRequest) -> list[Result | Problem]:
        """Many scenarios, or variants of one: a line each, in order: POST /v1/evaluate/batch."""
        return lines(self.send("POST", "/v1/evaluate/batch", body=json.dumps(body).encode(), accept="application/x-ndjson"))

    @overload
    def post_compare(self, body: CompareRequest, *, idempotency_key: str | None = None, prefer: None = None) -> Compared: ...

    @overload
    def post_compare(self, body: CompareRequest, *, idempotency_key: str | None = None, prefer: str) -> Compared | Job: ...

    def post_compare(self, body: CompareRequest, *, idempotency_key: str | None = None,
            prefer: str | None = None) -> Compared | Job:
        """Scenarios side by side, and why they differ: POST /v1/compare."""
        return cast("Compared | Job", self.send_json("POST", "/v1/compare", headers={"Idempotency-Key": idempotency_key,
            "Prefer": prefer}, body=body))

    def post_compare_csv(self, body: CompareRequest, *, idempotency_key: str | None = None, prefer: str | None = None,
            table: Literal["months", "ledger", "bills"] | None = None) -> str:
        """Scenarios side by side, and why they differ: as CSV."""
        return self.send("POST", "/v1/compare", query={"table": table}, headers={"Idempotency-Key": idempotency_key,
            "Prefer": prefer}, body=json.dumps(body).encode(), accept="text/csv").decode()

    def post_compare_xlsx(self, body: CompareRequest, *, idempotency_key: str | None = None, prefer: str | None = None) -> bytes:
        """Scenarios side by side, and why they differ: as an Excel workbook."""
        return self.send("POST", "/v1/compare", headers={"Idempotency-Key": idempotency_key, "Prefer": prefer},
            body=json.dumps(body).encode(), accept="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")

    @overload
    def post_break_even(self, body: BreakEvenRequest, *, idempotency_key: str | None = None, prefer: None = None) -> BreakEven: ...

    @overload
    def post_break_even(self, body: BreakEvenRequest, *, idempotency_key: str | None = None, prefer: str) -> BreakEven | Job: ...

    def post_break_even(self, body: BreakEvenRequest, *, idempotency_key: str | None = None,
            prefer: str | None = None) -> BreakEven | Job:
        """Where two scenarios cost the same: POST /v1/break-even."""
        return cast("BreakEven | Job", self.send_json("POST", "/v1/break-even", headers={"Idempotency-Key": idempotency_key,
            "Prefer": prefer}, body=body))

    def post_break_even_csv(self, body: BreakEvenRequest, *, idempotency_key: str | None = None, prefer: str | None = None) -> str:
        """Where two scenarios cost the same: as CSV."""
        return self.send("POST", "/v1/break-even", headers={"Idempotency-Key": idempotency_key, "Prefer": prefer},
            body=json.dumps(body).encode(), accept="text/csv").decode()

    @overload
    def post_solve(self, body: SolveRequest, *, idempotency_key: str | None = None, prefer: None = None) -> Solved: ...

    @overload
    def post_solve(self, body: SolveRequest, *, idempotency_key: str | None = None, prefer: str) -> Solved | Job: ...

    def post_solve(self, body: SolveRequest, *, idempotency_key: str | None = None, prefer: str | None = None) -> Solved | Job:
        """Which value of an input gives a wanted output: POST /v1/solve."""
        return cast("Solved | Job", self.send_json("POST", "/v1/solve", headers={"Idempotency-Key": idempotency_key,
            "Prefer": prefer}, body=body))

    @overload
    def post_sensitivity(self, body: SensitivityRequest, *, idempotency_key: str | None = None,
            prefer: None = None) -> Sensitivity: ...

    @overload
    def post_sensitivity(self, body: SensitivityRequest, *, idempotency_key: str | None = None,
            prefer: str) -> Sensitivity | Job: ...

    def post_sensitivity(self, body: SensitivityRequest, *, idempotency_key: str | None = None,
            prefer: str | None = None) -> Sensitivity | Job:
        """Which inputs matter, and which change the cheapest: POST /v1/sensitivity."""
        return cast("Sensitivity | Job", self.send_json("POST", "/v1/sensitivity", headers={"Idempotency-Key": idempotency_key,
            "Prefer": prefer}, body=body))

    def post_sensitivity_csv(self, body: SensitivityRequest, *, idempotency_key: str | None = None,
            prefer: str | None = None) -> str:
        """Which inputs matter, and which change the cheapest: as CSV."""
        return self.send("POST", "/v1/sensitivity", headers={"Idempotency-Key": idempotency_key, "Prefer": prefer},
            body=json.dumps(body).encode(), accept="text/csv").decode()

    def post_recalculations(self, body: RecalculationRequest, *, idempotency_key: str | None = None) -> Recalculation:
        """Evaluate stored scenarios again, and keep the results: POST /v1/recalculations."""
        return cast("Recalculation", self.send_json("POST", "/v1/recalculations", headers={"Idempotency-Key": idempotency_key},
            body=body))

    def get_recalculations(self, *, limit: int | None = None, before: int | None = None) -> RecalculationList:
        """Newest first: GET /v1/recalculations."""
        return cast("RecalculationList", self.send_json("GET", "/v1/recalculations", query={"limit": limit, "before": before}))

    def each_recalculations(self, *, limit: int | None = None) -> Iterator[Recalculation]:
        """The items of all pages of get_recalculations, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_recalculations(limit=limit, before=None if cursor is None else int(cursor)))

    def get_recalculations_csv(self, *, limit: int | None = None, before: int | None = None) -> str:
        """Newest first: as CSV."""
        return self.send("GET", "/v1/recalculations", query={"limit": limit, "before": before}, accept="text/csv").decode()

    def get_recalculations_run(self, run: str) -> Recalculation:
        """How far it is, and what failed: GET /v1/recalculations/{run}."""
        return cast("Recalculation", self.send_json("GET", f"/v1/recalculations/{quoted(run)}"))

    def delete_recalculations_run(self, run: str) -> Recalculation:
        """Cancel it; what is stored stays: DELETE /v1/recalculations/{run}."""
        return cast("Recalculation", self.send_json("DELETE", f"/v1/recalculations/{quoted(run)}"))

    def get_recalculations_run_events(self, run: str, *, last_event_id: str | None = None) -> str:
        """Its progress, until it ends: GET /v1/recalculations/{run}/events."""
        return self.send("GET", f"/v1/recalculations/{quoted(run)}/events", headers={"Last-Event-ID": last_event_id},
            accept="text/event-stream").decode()

    def get_scenarios_id_results(self, id: str, *, limit: int | None = None, before: int | None = None) -> ResultList:
        """Kept results of a scenario, newest first: GET /v1/scenarios/{id}/results."""
        return cast("ResultList", self.send_json("GET", f"/v1/scenarios/{quoted(id)}/results", query={"limit": limit,
            "before": before}))

    def each_scenarios_id_results(self, id: str, *, limit: int | None = None) -> Iterator[KeptResult]:
        """The items of all pages of get_scenarios_id_results, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_scenarios_id_results(id, limit=limit,
            before=None if cursor is None else int(cursor)))

    def get_scenarios_id_results_csv(self, id: str, *, limit: int | None = None, before: int | None = None) -> str:
        """Kept results of a scenario, newest first: as CSV."""
        return self.send("GET", f"/v1/scenarios/{quoted(id)}/results", query={"limit": limit, "before": before},
            accept="text/csv").decode()

    def get_scenarios_id_results_number(self, id: str, number: str) -> Result:
        """One, as it was computed: GET /v1/scenarios/{id}/results/{number}."""
        return cast("Result", self.send_json("GET", f"/v1/scenarios/{quoted(id)}/results/{quoted(number)}"))

    def get_scenarios_id_results_number_csv(self, id: str, number: str, *, table: Literal["months", "ledger",
            "bills"] | None = None) -> str:
        """One, as it was computed: as CSV."""
        return self.send("GET", f"/v1/scenarios/{quoted(id)}/results/{quoted(number)}", query={"table": table},
            accept="text/csv").decode()

    def get_scenarios_id_results_number_xlsx(self, id: str, number: str) -> bytes:
        """One, as it was computed: as an Excel workbook."""
        return self.send("GET", f"/v1/scenarios/{quoted(id)}/results/{quoted(number)}",
            accept="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")

    def get_scenarios_id_results_number_diff(self, id: str, number: str, *, against: int | None = None) -> ResultDiff:
        """What changed since an older one, and why: GET /v1/scenarios/{id}/results/{number}/diff."""
        return cast("ResultDiff", self.send_json("GET", f"/v1/scenarios/{quoted(id)}/results/{quoted(number)}/diff",
            query={"against": against}))

    def get_comparisons_id_standings(self, id: str, *, limit: int | None = None, after: str | None = None) -> StandingList:
        """Which of its scenarios was the cheapest after each recalculation, newest first: GET /v1/comparisons/{id}/standings."""
        return cast("StandingList", self.send_json("GET", f"/v1/comparisons/{quoted(id)}/standings", query={"limit": limit,
            "after": after}))

    def each_comparisons_id_standings(self, id: str, *, limit: int | None = None) -> Iterator[Standing]:
        """The items of all pages of get_comparisons_id_standings, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_comparisons_id_standings(id, limit=limit, after=cursor))

    def get_comparisons_id_standings_csv(self, id: str, *, limit: int | None = None, after: str | None = None) -> str:
        """Which of its scenarios was the cheapest after each recalculation, newest first: as CSV."""
        return self.send("GET", f"/v1/comparisons/{quoted(id)}/standings", query={"limit": limit, "after": after},
            accept="text/csv").decode()

    @overload
    def post_explain(self, body: ExplainRequest, *, idempotency_key: str | None = None, prefer: None = None) -> Term: ...

    @overload
    def post_explain(self, body: ExplainRequest, *, idempotency_key: str | None = None, prefer: str) -> Term | Job: ...

    def post_explain(self, body: ExplainRequest, *, idempotency_key: str | None = None, prefer: str | None = None) -> Term | Job:
        """Any figure of a result as a tree of terms: POST /v1/explain."""
        return cast("Term | Job", self.send_json("POST", "/v1/explain", headers={"Idempotency-Key": idempotency_key,
            "Prefer": prefer}, body=body))

    @overload
    def post_profile(self, body: ProfileRequest, *, idempotency_key: str | None = None, prefer: None = None) -> Profile: ...

    @overload
    def post_profile(self, body: ProfileRequest, *, idempotency_key: str | None = None, prefer: str) -> Profile | Job: ...

    def post_profile(self, body: ProfileRequest, *, idempotency_key: str | None = None, prefer: str | None = None) -> Profile | Job:
        """Who serves what by month, and a month's hours of the week: POST /v1/profile."""
        return cast("Profile | Job", self.send_json("POST", "/v1/profile", headers={"Idempotency-Key": idempotency_key,
            "Prefer": prefer}, body=body))

    @overload
    def post_simulate(self, body: SimulateRequest, *, idempotency_key: str | None = None, prefer: None = None) -> Simulation: ...

    @overload
    def post_simulate(self, body: SimulateRequest, *, idempotency_key: str | None = None, prefer: str) -> Simulation | Job: ...

    def post_simulate(self, body: SimulateRequest, *, idempotency_key: str | None = None,
            prefer: str | None = None) -> Simulation | Job:
        """What figures come to where inputs are uncertain: POST /v1/simulate."""
        return cast("Simulation | Job", self.send_json("POST", "/v1/simulate", headers={"Idempotency-Key": idempotency_key,
            "Prefer": prefer}, body=body))

    def post_simulate_csv(self, body: SimulateRequest, *, idempotency_key: str | None = None, prefer: str | None = None) -> str:
        """What figures come to where inputs are uncertain: as CSV."""
        return self.send("POST", "/v1/simulate", headers={"Idempotency-Key": idempotency_key, "Prefer": prefer},
            body=json.dumps(body).encode(), accept="text/csv").decode()

    @overload
    def post_map(self, body: MapRequest, *, idempotency_key: str | None = None, prefer: None = None) -> Map: ...

    @overload
    def post_map(self, body: MapRequest, *, idempotency_key: str | None = None, prefer: str) -> Map | Job: ...

    def post_map(self, body: MapRequest, *, idempotency_key: str | None = None, prefer: str | None = None) -> Map | Job:
        """The cheapest over a grid of two inputs: POST /v1/map."""
        return cast("Map | Job", self.send_json("POST", "/v1/map", headers={"Idempotency-Key": idempotency_key, "Prefer": prefer},
            body=body))

    def post_map_csv(self, body: MapRequest, *, idempotency_key: str | None = None, prefer: str | None = None) -> str:
        """The cheapest over a grid of two inputs: as CSV."""
        return self.send("POST", "/v1/map", headers={"Idempotency-Key": idempotency_key, "Prefer": prefer},
            body=json.dumps(body).encode(), accept="text/csv").decode()

    @overload
    def post_optimize(self, body: OptimizeRequest, *, idempotency_key: str | None = None, prefer: None = None) -> Optimum: ...

    @overload
    def post_optimize(self, body: OptimizeRequest, *, idempotency_key: str | None = None, prefer: str) -> Optimum | Job: ...

    def post_optimize(self, body: OptimizeRequest, *, idempotency_key: str | None = None,
            prefer: str | None = None) -> Optimum | Job:
        """The optimal plan: how many servers and instances, and when: POST /v1/optimize."""
        return cast("Optimum | Job", self.send_json("POST", "/v1/optimize", headers={"Idempotency-Key": idempotency_key,
            "Prefer": prefer}, body=body))

    @overload
    def post_rank(self, body: RankRequest, *, idempotency_key: str | None = None, prefer: None = None) -> Ranking: ...

    @overload
    def post_rank(self, body: RankRequest, *, idempotency_key: str | None = None, prefer: str) -> Ranking | Job: ...

    def post_rank(self, body: RankRequest, *, idempotency_key: str | None = None, prefer: str | None = None) -> Ranking | Job:
        """Plans for some work over the stored catalogue, the best first: POST /v1/rank."""
        return cast("Ranking | Job", self.send_json("POST", "/v1/rank", headers={"Idempotency-Key": idempotency_key,
            "Prefer": prefer}, body=body))

    def post_rank_csv(self, body: RankRequest, *, idempotency_key: str | None = None, prefer: str | None = None) -> str:
        """Plans for some work over the stored catalogue, the best first: as CSV."""
        return self.send("POST", "/v1/rank", headers={"Idempotency-Key": idempotency_key, "Prefer": prefer},
            body=json.dumps(body).encode(), accept="text/csv").decode()

    def post_rank_xlsx(self, body: RankRequest, *, idempotency_key: str | None = None, prefer: str | None = None) -> bytes:
        """Plans for some work over the stored catalogue, the best first: as an Excel workbook."""
        return self.send("POST", "/v1/rank", headers={"Idempotency-Key": idempotency_key, "Prefer": prefer},
            body=json.dumps(body).encode(), accept="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")

    def post_rates(self, body: RatesRequest, *, idempotency_key: str | None = None) -> Rates:
        """How fast a model runs on a device, and how sure that is: POST /v1/rates."""
        return cast("Rates", self.send_json("POST", "/v1/rates", headers={"Idempotency-Key": idempotency_key}, body=body))

    def post_rates_csv(self, body: RatesRequest, *, idempotency_key: str | None = None) -> str:
        """How fast a model runs on a device, and how sure that is: as CSV."""
        return self.send("POST", "/v1/rates", headers={"Idempotency-Key": idempotency_key}, body=json.dumps(body).encode(),
            accept="text/csv").decode()

    def get_jobs(self, *, limit: int | None = None, before: int | None = None) -> JobList:
        """The caller's jobs, for an admin everybody's, newest first: GET /v1/jobs."""
        return cast("JobList", self.send_json("GET", "/v1/jobs", query={"limit": limit, "before": before}))

    def each_jobs(self, *, limit: int | None = None) -> Iterator[Job]:
        """The items of all pages of get_jobs, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_jobs(limit=limit, before=None if cursor is None else int(cursor)))

    def get_jobs_csv(self, *, limit: int | None = None, before: int | None = None) -> str:
        """The caller's jobs, for an admin everybody's, newest first: as CSV."""
        return self.send("GET", "/v1/jobs", query={"limit": limit, "before": before}, accept="text/csv").decode()

    def get_jobs_job(self, job: str) -> Job:
        """How far it is, and its answer: GET /v1/jobs/{job}."""
        return cast("Job", self.send_json("GET", f"/v1/jobs/{quoted(job)}"))

    def delete_jobs_job(self, job: str) -> Job:
        """Cancel it: DELETE /v1/jobs/{job}."""
        return cast("Job", self.send_json("DELETE", f"/v1/jobs/{quoted(job)}"))

    def get_offers_id_price(self, id: str, *, as_of: str | None = None, date: str | None = None) -> Price:
        """What it costs an hour on a day: GET /v1/offers/{id}/price."""
        return cast("Price", self.send_json("GET", f"/v1/offers/{quoted(id)}/price", query={"as_of": as_of, "date": date}))

    def post_mcp(self, body: RpcRequest, *, mcp_protocol_version: str | None = None) -> RpcAnswer | None:
        """Tools for agents, by the Model Context Protocol: POST /mcp."""
        return cast("RpcAnswer | None", self.send_json("POST", "/mcp", headers={"MCP-Protocol-Version": mcp_protocol_version},
            body=body))

    def post_telemetry(self, body: bytes, *, time_zone: str | None = None, source: str | None = None, device: str | None = None,
            idempotency_key: str | None = None) -> TelemetrySummary:
        """Samples of sensors and counters: POST /v1/telemetry."""
        return cast("TelemetrySummary", json.loads(self.send("POST", "/v1/telemetry", query={"time_zone": time_zone,
            "source": source, "device": device}, headers={"Idempotency-Key": idempotency_key}, body=body,
            content_type="text/plain")))

    def get_telemetry(self, *, limit: int | None = None, after: str | None = None, source: str | None = None,
            device: str | None = None, metric: str | None = None, from_: str | None = None,
            to: str | None = None) -> TelemetryHours:
        """What samples come to by hour: GET /v1/telemetry."""
        return cast("TelemetryHours", self.send_json("GET", "/v1/telemetry", query={"limit": limit, "after": after,
            "source": source, "device": device, "metric": metric, "from": from_, "to": to}))

    def each_telemetry(self, *, limit: int | None = None, source: str | None = None, device: str | None = None,
            metric: str | None = None, from_: str | None = None, to: str | None = None) -> Iterator[TelemetryHour]:
        """The items of all pages of get_telemetry, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_telemetry(limit=limit, source=source, device=device, metric=metric, from_=from_,
            to=to, after=cursor))

    def get_telemetry_csv(self, *, limit: int | None = None, after: str | None = None, source: str | None = None,
            device: str | None = None, metric: str | None = None, from_: str | None = None, to: str | None = None) -> str:
        """What samples come to by hour: as CSV."""
        return self.send("GET", "/v1/telemetry", query={"limit": limit, "after": after, "source": source, "device": device,
            "metric": metric, "from": from_, "to": to}, accept="text/csv").decode()

    def post_calibrations(self, body: CalibrationRequest, *, idempotency_key: str | None = None) -> Calibration:
        """Curves fitted to telemetry, as new revisions: POST /v1/calibrations."""
        return cast("Calibration", self.send_json("POST", "/v1/calibrations", headers={"Idempotency-Key": idempotency_key},
            body=body))

    def post_variances(self, body: VarianceRequest, *, idempotency_key: str | None = None) -> Variance:
        """A pool as planned against measured and billed, and why: POST /v1/variances."""
        return cast("Variance", self.send_json("POST", "/v1/variances", headers={"Idempotency-Key": idempotency_key}, body=body))

    def post_actuals(self, body: ActualsRequest, *, idempotency_key: str | None = None) -> Actuals:
        """A scenario's pools and tags as planned against imported bills: POST /v1/actuals."""
        return cast("Actuals", self.send_json("POST", "/v1/actuals", headers={"Idempotency-Key": idempotency_key}, body=body))

    def post_forecast(self, body: ForecastRequest, *, idempotency_key: str | None = None) -> Forecast:
        """A month's bill: what is billed so far and the rest as what runs, with an interval: POST /v1/forecast."""
        return cast("Forecast", self.send_json("POST", "/v1/forecast", headers={"Idempotency-Key": idempotency_key}, body=body))

    def post_forecast_csv(self, body: ForecastRequest, *, idempotency_key: str | None = None) -> str:
        """A month's bill: what is billed so far and the rest as what runs, with an interval: as CSV."""
        return self.send("POST", "/v1/forecast", headers={"Idempotency-Key": idempotency_key}, body=json.dumps(body).encode(),
            accept="text/csv").decode()

    def get_forecast(self, *, scenario: str | None = None, month: str | None = None, through: str | None = None,
            interval: float | None = None, history_days: int | None = None, as_of: str | None = None) -> Forecast:
        """A month's bill: what is billed so far and the rest as what runs, with an interval: GET /v1/forecast."""
        return cast("Forecast", self.send_json("GET", "/v1/forecast", query={"scenario": scenario, "month": month,
            "through": through, "interval": interval, "history_days": history_days, "as_of": as_of}))

    def get_forecast_csv(self, *, scenario: str | None = None, month: str | None = None, through: str | None = None,
            interval: float | None = None, history_days: int | None = None, as_of: str | None = None) -> str:
        """A month's bill: what is billed so far and the rest as what runs, with an interval: as CSV."""
        return self.send("GET", "/v1/forecast", query={"scenario": scenario, "month": month, "through": through,
            "interval": interval, "history_days": history_days, "as_of": as_of}, accept="text/csv").decode()

    def post_drift(self, body: DriftRequest, *, idempotency_key: str | None = None) -> Drift:
        """A pool's last day against the days before and the plan, at the same load: POST /v1/drift."""
        return cast("Drift", self.send_json("POST", "/v1/drift", headers={"Idempotency-Key": idempotency_key}, body=body))

    def post_drift_csv(self, body: DriftRequest, *, idempotency_key: str | None = None) -> str:
        """A pool's last day against the days before and the plan, at the same load: as CSV."""
        return self.send("POST", "/v1/drift", headers={"Idempotency-Key": idempotency_key}, body=json.dumps(body).encode(),
            accept="text/csv").decode()

    def get_drift(self, *, scenario: str | None = None, pool: str | None = None, device: str | None = None,
            source: str | None = None, bill: bool | None = None, until: str | None = None, threshold_fraction: float | None = None,
            reference_days: int | None = None, as_of: str | None = None) -> Drift:
        """A pool's last day against the days before and the plan, at the same load: GET /v1/drift."""
        return cast("Drift", self.send_json("GET", "/v1/drift", query={"scenario": scenario, "pool": pool, "device": device,
            "source": source, "bill": bill, "until": until, "threshold_fraction": threshold_fraction,
            "reference_days": reference_days, "as_of": as_of}))

    def get_drift_csv(self, *, scenario: str | None = None, pool: str | None = None, device: str | None = None,
            source: str | None = None, bill: bool | None = None, until: str | None = None, threshold_fraction: float | None = None,
            reference_days: int | None = None, as_of: str | None = None) -> str:
        """A pool's last day against the days before and the plan, at the same load: as CSV."""
        return self.send("GET", "/v1/drift", query={"scenario": scenario, "pool": pool, "device": device, "source": source,
            "bill": bill, "until": until, "threshold_fraction": threshold_fraction, "reference_days": reference_days,
            "as_of": as_of}, accept="text/csv").decode()

    def post_tenant_costs(self, body: TenantCostsRequest, *, idempotency_key: str | None = None) -> TenantCosts:
        """Cost a million tokens by team, user and model, as planned and as metered: POST /v1/tenant-costs."""
        return cast("TenantCosts", self.send_json("POST", "/v1/tenant-costs", headers={"Idempotency-Key": idempotency_key},
            body=body))

    def post_tenant_costs_csv(self, body: TenantCostsRequest, *, idempotency_key: str | None = None) -> str:
        """Cost a million tokens by team, user and model, as planned and as metered: as CSV."""
        return self.send("POST", "/v1/tenant-costs", headers={"Idempotency-Key": idempotency_key}, body=json.dumps(body).encode(),
            accept="text/csv").decode()

    def get_tenant_costs(self, *, scenario: str | None = None, from_: str | None = None, to: str | None = None,
            as_of: str | None = None) -> TenantCosts:
        """Cost a million tokens by team, user and model, as planned and as metered: GET /v1/tenant-costs."""
        return cast("TenantCosts", self.send_json("GET", "/v1/tenant-costs", query={"scenario": scenario, "from": from_, "to": to,
            "as_of": as_of}))

    def get_tenant_costs_csv(self, *, scenario: str | None = None, from_: str | None = None, to: str | None = None,
            as_of: str | None = None) -> str:
        """Cost a million tokens by team, user and model, as planned and as metered: as CSV."""
        return self.send("GET", "/v1/tenant-costs", query={"scenario": scenario, "from": from_, "to": to, "as_of": as_of},
            accept="text/csv").decode()

    def get_events(self, *, limit: int | None = None, after: str | None = None, kind: str | None = None,
            subject: str | None = None) -> Events:
        """What happened, newest first: GET /v1/events."""
        return cast("Events", self.send_json("GET", "/v1/events", query={"limit": limit, "after": after, "kind": kind,
            "subject": subject}))

    def each_events(self, *, limit: int | None = None, kind: str | None = None, subject: str | None = None) -> Iterator[Event]:
        """The items of all pages of get_events, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_events(limit=limit, kind=kind, subject=subject, after=cursor))

    def get_events_csv(self, *, limit: int | None = None, after: str | None = None, kind: str | None = None,
            subject: str | None = None) -> str:
        """What happened, newest first: as CSV."""
        return self.send("GET", "/v1/events", query={"limit": limit, "after": after, "kind": kind, "subject": subject},
            accept="text/csv").decode()

    def get_deliveries(self, *, limit: int | None = None, after: str | None = None, state: str | None = None,
            webhook: str | None = None, event: int | None = None) -> Deliveries:
        """Deliveries of events to webhooks, with their state: GET /v1/deliveries."""
        return cast("Deliveries", self.send_json("GET", "/v1/deliveries", query={"limit": limit, "after": after, "state": state,
            "webhook": webhook, "event": event}))

    def each_deliveries(self, *, limit: int | None = None, state: str | None = None, webhook: str | None = None,
            event: int | None = None) -> Iterator[Delivery]:
        """The items of all pages of get_deliveries, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_deliveries(limit=limit, state=state, webhook=webhook, event=event, after=cursor))

    def get_deliveries_csv(self, *, limit: int | None = None, after: str | None = None, state: str | None = None,
            webhook: str | None = None, event: int | None = None) -> str:
        """Deliveries of events to webhooks, with their state: as CSV."""
        return self.send("GET", "/v1/deliveries", query={"limit": limit, "after": after, "state": state, "webhook": webhook,
            "event": event}, accept="text/csv").decode()

    def post_deliveries_id_retry(self, id: str, *, idempotency_key: str | None = None) -> EventBegun:
        """Send one again that is dead or pending: POST /v1/deliveries/{id}/retry."""
        return cast("EventBegun", self.send_json("POST", f"/v1/deliveries/{quoted(id)}/retry",
            headers={"Idempotency-Key": idempotency_key}))

    def post_webhooks_id_test(self, id: str, *, idempotency_key: str | None = None) -> EventBegun:
        """Send it a ping, whatever events it asks for: POST /v1/webhooks/{id}/test."""
        return cast("EventBegun", self.send_json("POST", f"/v1/webhooks/{quoted(id)}/test",
            headers={"Idempotency-Key": idempotency_key}))

    def get_feeds_id_runs(self, id: str, *, limit: int | None = None, after: str | None = None) -> FeedRuns:
        """What a feed fetched, and what came of it, newest first: GET /v1/feeds/{id}/runs."""
        return cast("FeedRuns", self.send_json("GET", f"/v1/feeds/{quoted(id)}/runs", query={"limit": limit, "after": after}))

    def each_feeds_id_runs(self, id: str, *, limit: int | None = None) -> Iterator[FeedRun]:
        """The items of all pages of get_feeds_id_runs, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_feeds_id_runs(id, limit=limit, after=cursor))

    def post_feeds_id_run(self, id: str, *, idempotency_key: str | None = None, dry_run: bool | None = None,
            even_if_odd: bool | None = None) -> FeedRunBegun:
        """Fetch it now: POST /v1/feeds/{id}/run."""
        return cast("FeedRunBegun", self.send_json("POST", f"/v1/feeds/{quoted(id)}/run", query={"dry_run": dry_run,
            "even_if_odd": even_if_odd}, headers={"Idempotency-Key": idempotency_key}))

    def post_feeds_id_runs_run_accept(self, id: str, run: str, *, idempotency_key: str | None = None) -> FeedRun:
        """Land what the run holds back: POST /v1/feeds/{id}/runs/{run}/accept."""
        return cast("FeedRun", self.send_json("POST", f"/v1/feeds/{quoted(id)}/runs/{quoted(run)}/accept",
            headers={"Idempotency-Key": idempotency_key}))

    def post_feeds_id_runs_run_reject(self, id: str, run: str, *, idempotency_key: str | None = None) -> FeedRun:
        """Drop what the run holds back: POST /v1/feeds/{id}/runs/{run}/reject."""
        return cast("FeedRun", self.send_json("POST", f"/v1/feeds/{quoted(id)}/runs/{quoted(run)}/reject",
            headers={"Idempotency-Key": idempotency_key}))

    def post_feeds_id_runs_run_undo(self, id: str, run: str, *, idempotency_key: str | None = None) -> FeedRun:
        """Take back what the run has landed: POST /v1/feeds/{id}/runs/{run}/undo."""
        return cast("FeedRun", self.send_json("POST", f"/v1/feeds/{quoted(id)}/runs/{quoted(run)}/undo",
            headers={"Idempotency-Key": idempotency_key}))

    def get_audit(self, *, limit: int | None = None, after: str | None = None) -> Audit:
        """Every write, newest first: GET /v1/audit."""
        return cast("Audit", self.send_json("GET", "/v1/audit", query={"limit": limit, "after": after}))

    def each_audit(self, *, limit: int | None = None) -> Iterator[Change]:
        """The items of all pages of get_audit, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_audit(limit=limit, after=cursor))

    def get_audit_csv(self, *, limit: int | None = None, after: str | None = None) -> str:
        """Every write, newest first: as CSV."""
        return self.send("GET", "/v1/audit", query={"limit": limit, "after": after}, accept="text/csv").decode()

    def get_fields(self) -> list[Fields]:
        """The field tables, for forms: GET /v1/fields."""
        return cast("list[Fields]", self.send_json("GET", "/v1/fields"))

    def get_categories(self) -> list[CategoryStyles]:
        """The categories of cost, with the labels and colours of charts: GET /v1/categories."""
        return cast("list[CategoryStyles]", self.send_json("GET", "/v1/categories"))

    def get_examples(self) -> list[str]:
        """Paths of the example scenarios: GET /v1/examples."""
        return cast("list[str]", self.send_json("GET", "/v1/examples"))

    def get_openapi_json(self) -> Openapi:
        """This description: GET /openapi.json."""
        return cast("Openapi", self.send_json("GET", "/openapi.json"))

    def get_healthz(self) -> Health:
        """Alive: GET /healthz."""
        return cast("Health", self.send_json("GET", "/healthz"))

    def get_readyz(self) -> Readiness:
        """Migrated and writable: GET /readyz."""
        return cast("Readiness", self.send_json("GET", "/readyz"))

    def get_metrics(self) -> str:
        """For Prometheus: GET /metrics."""
        return self.send("GET", "/metrics", accept="text/plain").decode()

    def post_imports(self, body: bytes, *, format: str | None = None, force: bool | None = None, dry_run: bool | None = None,
            keep_stored: bool | None = None, name: str | None = None, changes: int | None = None, source: str | None = None,
            date: str | None = None, provider: str | None = None, region: str | None = None, currency: str | None = None,
            device: str | None = None, devices: str | None = None, model: str | None = None, time_zone: str | None = None,
            unit: str | None = None, tdp_w: str | None = None, id: str | None = None,
            idempotency_key: str | None = None) -> ImportSummary:
        """A published file becomes documents: POST /v1/imports."""
        return cast("ImportSummary", json.loads(self.send("POST", "/v1/imports", query={"format": format, "force": force,
            "dry_run": dry_run, "keep_stored": keep_stored, "name": name, "changes": changes, "source": source, "date": date,
            "provider": provider, "region": region, "currency": currency, "device": device, "devices": devices, "model": model,
            "time_zone": time_zone, "unit": unit, "tdp_w": tdp_w, "id": id}, headers={"Idempotency-Key": idempotency_key},
            body=body, content_type="application/octet-stream")))

    def get_imports(self, *, limit: int | None = None, after: str | None = None) -> ImportRuns:
        """What was imported, and what came of it, newest first: GET /v1/imports."""
        return cast("ImportRuns", self.send_json("GET", "/v1/imports", query={"limit": limit, "after": after}))

    def each_imports(self, *, limit: int | None = None) -> Iterator[ImportRun]:
        """The items of all pages of get_imports, each page fetched when it is reached."""
        return self.pages(lambda cursor: self.get_imports(limit=limit, after=cursor))

    def get_imports_run(self, run: str) -> ImportRun:
        """One import: GET /v1/imports/{run}."""
        return cast("ImportRun", self.send_json("GET", f"/v1/imports/{quoted(run)}"))

    def post_imports_run_accept(self, run: str, *, idempotency_key: str | None = None) -> ImportRun:
        """Land what the import holds back: POST /v1/imports/{run}/accept."""
        return cast("ImportRun", self.send_json("POST", f"/v1/imports/{quoted(run)}/accept",
            headers={"Idempotency-Key": idempotency_key}))

    def post_imports_run_reject(self, run: str, *, idempotency_key: str | None = None) -> ImportRun:
        """Drop what the import holds back: POST /v1/imports/{run}/reject."""
        return cast("ImportRun", self.send_json("POST", f"/v1/imports/{quoted(run)}/reject",
            headers={"Idempotency-Key": idempotency_key}))

    def post_imports_run_undo(self, run: str, *, idempotency_key: str | None = None) -> ImportRun:
        """Take back what the import has landed: POST /v1/imports/{run}/undo."""
        return cast("ImportRun", self.send_json("POST", f"/v1/imports/{quoted(run)}/undo",
            headers={"Idempotency-Key": idempotency_key}))
