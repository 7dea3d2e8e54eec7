"""What the fields of documents are called and hold: docs/api.md and version 2's additions, as tables for check_documents.py."""
from classes import CLASSES

ANNOTATIONS = {"id", "source", "note"}
# docs/api.md, section 1: required fields first.
FIELDS = {
    "curve": ({"kind", "axis", "points"}, {"interpolation", "outside"}),
    "device": ({"kind", "tdp_w"}, {"vendor", "memory_gib", "memory_bandwidth_gb_per_s", "idle_w", "power", "peak_flops",
                                   "frameworks", "precisions", "ownable", "released", "slices", "capabilities"}),
    "offer": ({"provider", "device", "devices", "purchase", "hourly_price"},
              {"region", "zone", "sku", "price_growth_rate", "upfront", "term_months", "interruptions_per_hour", "egress_per_gb",
               "host_idle_w", "host_max_w", "site", "currency"}),
    "server": ({"device", "devices", "price", "life_months"},
               {"network_price", "storage_price", "price_change_rate", "residual_fraction", "host_idle_w", "host_max_w",
                "rack_units", "maintenance_rate", "software_per_device_year", "failures_per_hour", "embodied_kg",
                "currency"}),
    "site": ({"energy_price"}, {"time_zone", "energy_price_growth_rate", "demand_charge_per_kw_month", "pue",
                                "carbon_g_per_kwh", "space_per_kw_month", "space_per_rack_month", "rack_units_per_rack",
                                "facility_price_per_w", "facility_life_months", "rack_kw", "fte", "fte_per_server",
                                "salary_per_year", "network_per_month", "storage_per_month", "currency",
                                "demand_charges", "energy_tiers", "energy_price_index", "carbon_index", "max_kw", "places",
                                "water_l_per_kwh", "extra_costs"}),
    "performance": (set(), {"device", "devices", "units_per_s", "estimate", "batch", "scaling", "input_units_per_s",
                            "precision", "framework", "latency_s", "ttft_s", "latency_percentile", "basis", "model",
                            "class_weights", "spans_hosts", "slice"}),
    "scenario": ({"start", "months", "workloads", "pools"},
                 {"name", "time_zone", "currency", "exchange_rates", "finance", "allocation", "extra_costs", "tags"}),
    "finance": (set(), {"discount_rate", "capital", "tax_rate", "tax_depreciation", "tax_depreciation_rate",
                        "carbon_price_per_tonne", "engineer_week_cost", "at_end", "decide_by", "inflation_rate", "growth_rates",
                        "tax_depreciation_table", "bonus_depreciation_fraction"}),
    "workload": ({"id", "kind", "runs_on"},
                 {"unit", "routing", "framework", "precision", "memory_gib", "egress_gb_per_unit",
                  "unserved_cost_per_unit", "checkpoint", "units_per_request", "output_cost_ratio", "demand",
                  "peak_utilization", "latency_objective_s", "ttft_objective_s", "latency_percentile", "units_per_epoch",
                  "epochs_per_month", "requests_per_month", "carry_over", "cost_weights", "max_unserved_fraction",
                  "model", "requires", "tags"}),
    "runs_on": ({"pool"}, {"performance", "porting"}),
    "demand": (set(), {"mean_per_s", "utilization", "reference_devices", "units_per_s_per_device", "shape",
                       "growth_per_month", "time_zone"}),
    "checkpoint": (set(), {"write_s", "restart_s", "interval_s"}),
    "porting": (set(), {"engineer_weeks"}),
    "estimate": ({"method", "active_parameters"}, {"mfu", "mbu", "weight_bytes", "kv_bytes_per_sequence", "layers", "alpha", "beta",
                                                   "gamma_s", "memory_use_fraction"}),
    "cloud": ({"id", "kind", "offer", "max_instances"}, {"min_instances", "ramp_months", "ramp", "from_month", "months",
                                                             "discount_fraction", "extra_costs", "tags"}),
    "endpoint": ({"id", "provider", "model", "price_per_million_units"},
                 {"batch_price_fraction", "max_units_per_s", "latency_s", "ttft_s", "latency_percentile", "energy_wh_per_unit",
                  "carbon_g_per_unit", "region", "currency"}),
    "api": ({"id", "kind"}, {"price_per_million_units", "endpoint", "max_units_per_s", "provider", "model",
                             "batch_price_fraction", "latency_s", "ttft_s", "latency_percentile", "energy_wh_per_unit",
                             "carbon_g_per_unit", "discount_fraction", "extra_costs", "tags"}),
    "owned": ({"id", "kind", "server", "site", "purchases"}, {"refresh", "ramp_months", "ramp", "load_balancing", "loan",
                                                                 "extra_costs", "tags"}),
    "purchase": ({"month", "servers"}, {"price", "lease", "loan"}),
    "slice": ({"fraction", "memory_gib"}, set()),
    "lease": ({"payment_per_server_month", "term_months"}, {"in_advance", "upfront_per_server", "at_end"}),
    "loan": ({"fraction", "rate", "term_months"}, {"kind"}),
    "extra_cost": ({"name"}, {"category", "per_month", "per_unit_month", "fraction_of_bill", "per_year_of_price", "once",
                              "from_month", "months", "growth_rate"}),
    "demand_charge": ({"per_kw_month"}, {"hours", "months", "ratchet_fraction", "ratchet_months", "ratchet_peak_months"}),
    "energy_tier": ({"above_kwh_month", "add_per_kwh"}, set()),
    "allocation": (set(), {"basis", "idle", "shares"}),
    "by_class": (set(), set(CLASSES)),
}
ANNOTATED = {"curve", "device", "endpoint", "offer", "server", "site", "performance", "scenario", "workload", "cloud", "api",
             "owned"}
# Where a document stands inside another: field -> its kind.
INSIDE = {
    "device": {"power": "curve"},
    "offer": {"device": "device", "site": "site", "hourly_price": "curve"},
    "server": {"device": "device", "residual_fraction": "curve"},
    "site": {"energy_price": "curve", "pue": "curve", "carbon_g_per_kwh": "curve", "energy_price_index": "curve",
             "carbon_index": "curve"},
    "performance": {"device": "device", "units_per_s": "curve", "latency_s": "curve", "ttft_s": "curve", "scaling": "curve",
                    "estimate": "estimate"},
    "scenario": {"finance": "finance", "allocation": "allocation"},
    "workload": {"demand": "demand", "checkpoint": "checkpoint", "epochs_per_month": "curve", "requests_per_month": "curve"},
    "runs_on": {"performance": "performance", "porting": "porting"},
    "demand": {"shape": "curve", "utilization": "curve"},
    "cloud": {"offer": "offer", "ramp": "curve"},
    "api": {"endpoint": "endpoint"},
    "owned": {"server": "server", "site": "site", "ramp": "curve", "loan": "loan"},
    "purchase": {"lease": "lease", "loan": "loan"},
    "demand_charge": {"hours": "curve"},
}
# Lists and maps of documents.
LISTS = {
    "site": {"demand_charges": "demand_charge", "energy_tiers": "energy_tier", "extra_costs": "extra_cost"},
    "scenario": {"extra_costs": "extra_cost"}, "cloud": {"extra_costs": "extra_cost"}, "api": {"extra_costs": "extra_cost"},
    "owned": {"extra_costs": "extra_cost", "purchases": "purchase"}, "workload": {"runs_on": "runs_on"},
    "device": {"slices": "slice"},
}
STORED = ("curve", "device", "site", "offer", "server", "performance")
CURVE_KINDS = {"hourly_price": {"price"}, "power": {"power"}, "pue": {"pue"}, "energy_price": {"tariff"},
               "carbon_g_per_kwh": {"carbon"}, "utilization": {"utilization"}, "shape": {"demand"},
               "units_per_s": {"throughput"}, "latency_s": {"latency", "throughput"}, "scaling": {"scaling"},
               "residual_fraction": {"residual"}, "epochs_per_month": {"demand"}, "requests_per_month": {"demand"},
               "ttft_s": {"latency", "throughput"}, "ramp": {"ramp"}, "energy_price_index": {"index"}, "carbon_index": {"index"},
               "hours": {"demand"}, "price_per_million_units": {"price"}}
AXES = {"price": {"date"}, "power": {"utilization"}, "pue": {"load", "hour_of_week", "hour_of_day", "hour_of_year"},
        "tariff": {"hour_of_week", "hour_of_day", "hour_of_year", "date"}, "residual": {"age_months"},
        "throughput": {"batch", "devices"}, "latency": {"batch"}, "scaling": {"devices"}, "ramp": {"months"},
        "index": {"date"}}
AXES["carbon"] = AXES["utilization"] = AXES["demand"] = AXES["tariff"]
PERIODS = {"hour_of_day": 24, "hour_of_week": 168, "hour_of_year": 8760}
CHOICES = {
    ("device", "kind"): {"gpu", "tpu", "asic", "cpu"},
    ("offer", "purchase"): {"on_demand", "spot", "reserved", "committed", "dedicated"},
    ("performance", "basis"): {"measured", "interpolated", "extrapolated", "estimated", "assumed"},
    ("curve", "interpolation"): {"linear", "step", "log"},
    ("curve", "outside"): {"hold", "error"},
    ("estimate", "method"): {"training_flops", "decode_roofline", "decode_step"},
    ("workload", "kind"): {"inference", "training", "batch"},
    ("workload", "routing"): {"in_order", "cheapest"},
    ("lease", "at_end"): {"return", "renew"},
    ("loan", "kind"): {"annuity", "linear", "bullet"},
    ("finance", "at_end"): {"exit", "continue"},
    ("finance", "decide_by"): {"cost", "cash", "npv", "npv_after_tax", "energy_kwh", "carbon_kg"},
    ("finance", "tax_depreciation"): {"straight_line", "declining_balance", "macrs_3", "macrs_5", "macrs_7", "table"},
    ("allocation", "basis"): {"reserved", "used", "fixed"},
    ("allocation", "idle"): {"spread", "apart"},
    ("owned", "load_balancing"): {"spread", "pack"},
    ("extra_cost", "category"): {"facility", "maintenance", "software", "staff", "network", "storage", "other"},
}
# Of a workload: what each kind must state, and what is an error on it.
KINDS = {
    "inference": ({"demand"}, {"epochs_per_month", "units_per_epoch", "requests_per_month", "carry_over"}),
    "training": ({"epochs_per_month", "units_per_epoch"},
                 {"demand", "requests_per_month", "units_per_request", "latency_objective_s", "ttft_objective_s",
                  "latency_percentile"}),
    "batch": ({"requests_per_month"}, {"demand", "epochs_per_month", "units_per_epoch", "checkpoint", "latency_objective_s",
                                       "ttft_objective_s", "latency_percentile"}),
}
# Of an estimate: what each method must state.
METHODS = {
    "training_flops": {"mfu"},
    "decode_roofline": {"mfu", "mbu", "weight_bytes", "kv_bytes_per_sequence"},
    "decode_step": {"weight_bytes", "kv_bytes_per_sequence", "layers"},
}
