#!/usr/bin/env python3
"""Small cases worked by hand for the paragraphs of version 2 (②) of docs/model.md, in the second evaluator.

Servers of 8 devices draw 6 kW (700 W a device, 400 W the host) at full load, 1 kW idle; January 2026 has 744 hours,
February 672, March 744. "1 % a month" is a discount rate of 1.01^12 − 1.
"""
from __future__ import annotations

import math
import unittest

from test_evaluate import ReferenceCase, cash_by_month, category, cloud, inference, line, owned, run, training

MONTHLY = 1.01 ** 12 - 1  # a year, which is 1 % a month
BARE = {"energy_price": 0, "pue": 1, "demand_charge_per_kw_month": 0}  # a site that charges nothing


def cost_by_month(result: dict, name: str) -> list:
    return [month["by_category"].get(name, {"cost": 0})["cost"] for month in result["by_month"]]


def hardware(server: dict, purchases=({"month": 0, "servers": 1},), **changes) -> dict:
    """A pool whose site charges nothing, and whose servers do nothing."""
    return owned(server=server, site=BARE | changes.pop("site", {}), purchases=list(purchases), **changes)


def tariff(*points, kind: str = "tariff", axis: str = "hour_of_day") -> dict:
    return {"kind": kind, "axis": axis, "interpolation": "step", "points": [list(p) for p in points]}


class FromWhenForHowLong(ReferenceCase):
    def test_a_pool_costs_and_serves_in_its_months_alone(self):
        pool = cloud({"hourly_price": 2}, min_instances=1, from_month=1, months=2, ramp_months=1)
        result = run([inference("rent", 10)], [pool], months=4)
        self.close(cost_by_month(result, "compute"), [0, 2 * 672, 2 * 744, 0])
        self.close(result["by_workload"]["serve"]["units_served"], 10 * 3600 * 744)  # February is its ramp

    def test_an_obligation_is_of_the_running_term_alone(self):
        """Term of 2 from month 0, horizon of 3: April is owed, at March's price, 10 % off."""
        offer = {"hourly_price": 10, "price_growth_rate": MONTHLY, "purchase": "committed", "term_months": 2, "upfront": 100}
        pool = cloud(offer, min_instances=1, months=6, discount_fraction=0.1)
        result = run([], [pool], months=3, finance={"discount_rate": MONTHLY})
        owed = 720 * 9 * 1.01 ** 2
        self.close(result["by_pool"]["rent"]["obligation"], owed)
        self.close(result["total"]["terminal"]["obligations"], owed / 1.01)
        self.close(cost_by_month(result, "commitment"), [45, 45, 45 + 45 + owed / 1.01])
        self.close(cash_by_month(result, "commitment"), [90, 0, 90 + owed / 1.01])
        result = run([], [pool], months=3, finance={"discount_rate": MONTHLY, "at_end": "continue"})
        self.close(result["by_pool"]["rent"]["obligation"], owed)
        self.close(result["total"]["terminal"]["obligations"], 0)
        self.close(cash_by_month(result, "commitment"), [90, 0, 90 - 45])

    def test_a_commitment_without_a_term_owes_nothing(self):
        result = run([], [cloud({"hourly_price": 1, "purchase": "committed"}, min_instances=1)])
        self.close((result["by_pool"]["rent"]["obligation"], result["total"]["cost"]), (0, 744))

    def test_a_term_signed_before_the_start_is_followed_by_others(self):
        """Terms of 3 from month −2: the first ends with month 0, its upfront is past; the next is cut after two months."""
        offer = {"hourly_price": 0, "purchase": "reserved", "term_months": 3, "upfront": 300}
        result = run([], [cloud(offer, min_instances=1, from_month=-2)], months=3)
        self.close(cost_by_month(result, "commitment"), [0, 100, 100 + 100])
        self.close(cash_by_month(result, "commitment"), [0, 300, 0])


class Leases(ReferenceCase):
    LEASE = {"payment_per_server_month": 100, "term_months": 4}

    def lease(self, months: int, month: int = 0, finance: dict | None = None, refresh: bool = False, life: int = 6, **terms):
        server = {"price": 5000, "life_months": life}
        purchase = {"month": month, "servers": 2, "lease": self.LEASE | terms}
        return run([], [hardware(server, [purchase], refresh=refresh)], months=months, finance=finance or {})

    def test_an_arrears_payment_at_the_start_is_past(self):
        """From month −1: of four payments at months' ends three are left; of those in advance too."""
        self.close(cash_by_month(self.lease(5, month=-1, in_advance=False), "lease"), [200, 200, 200, 0, 0])
        self.close(cash_by_month(self.lease(5, month=-1), "lease"), [200, 200, 200, 0, 0])

    def test_renewed_to_the_end_of_life_without_an_obligation(self):
        result = self.lease(5, at_end="renew", upfront_per_server=40)
        self.close(cost_by_month(result, "lease"), [220, 220, 220, 220, 200])
        self.close(result["by_pool"]["own"]["obligation"], 0)

    def test_refresh_leases_again_when_the_servers_leave(self):
        result = self.lease(6, refresh=True, upfront_per_server=40)
        self.close(cash_by_month(result, "lease"), [280, 200, 200, 200, 280, 200 + 2 * 200])  # two payments owed
        self.close(cost_by_month(result, "lease"), [220] * 5 + [220 + 40 + 400])
        self.close(result["by_pool"]["own"]["available_device_hours"], (744 + 672 + 744 + 720 + 744 + 720) * 16)

    def test_obligations_in_advance_begin_at_the_end_itself(self):
        for in_advance, exponent in ((True, 0), (False, 1)):
            result = self.lease(3, finance={"discount_rate": MONTHLY}, in_advance=in_advance)
            self.close(result["total"]["terminal"]["obligations"], 200 / 1.01 ** exponent)
            liability = sum(200 / 1.01 ** (m + exponent) for m in range(3))
            self.close(result["by_pool"]["own"]["lease_liability"], liability)

    def test_maintenance_is_on_the_list_price_of_the_month_it_began(self):
        server = {"price": 900, "network_price": 100, "price_change_rate": MONTHLY, "life_months": 9, "maintenance_rate": 0.12}
        pool = hardware(server, [{"month": 1, "servers": 1, "lease": self.LEASE}])
        result = run([], [pool], months=3, finance={"at_end": "continue"})
        self.close(cost_by_month(result, "maintenance"), [0, 10 * 1.01, 10 * 1.01])
        self.assertNotIn("hardware", result["by_category"])

    def test_a_facility_of_leased_servers_is_sold_at_book_when_they_leave(self):
        site = BARE | {"facility_price_per_w": 1, "facility_life_months": 10}  # 12 000 for two servers
        pool = owned(server={"life_months": 6}, site=site, purchases=[{"month": 0, "servers": 2, "lease": self.LEASE}])
        result = run([], [pool], months=5)
        self.close(cash_by_month(result, "facility"), [12000, 0, 0, -7200, 0])


class Loans(ReferenceCase):
    def test_an_annuity_and_its_balance_at_the_end(self):
        """1000 at 1 % a month over 12: 88.8488 a month; after 2 the balance is 1000 · 1.01² − 88.8488 · 2.01."""
        loan = {"fraction": 0.5, "rate": 0.12, "term_months": 12, "kind": "annuity"}
        result = run([], [hardware({"price": 2000}, loan=loan)], months=2, finance={"discount_rate": MONTHLY})
        level = 1000 * 0.01 / (1 - 1.01 ** -12)
        balance = 1000 * 1.01 ** 2 - level * 2.01
        self.close(cash_by_month(result, "financing"), [-1000 + level, level + balance])
        self.close(cost_by_month(result, "financing"), [10, (1000 * 1.01 - level) * 0.01])
        self.close(result["total"]["terminal"]["loan_balance"], balance)
        # at the rate of the loan itself it is worth nothing
        self.close(result["total"]["npv"], result["total"]["npv_before_financing"])

    def test_a_purchases_loan_stands_before_the_pools_and_each_refresh_borrows(self):
        loan = {"fraction": 1, "rate": 0, "term_months": 2, "kind": "linear"}
        purchases = [{"month": 0, "servers": 1, "loan": loan | {"fraction": 0.5}}, {"month": 0, "servers": 1}]
        pool = hardware({"price": 100, "life_months": 2}, purchases, refresh=True, loan=loan)
        result = run([], [pool], months=3)
        self.close(cash_by_month(result, "financing"), [-150 + 75, 75, -150 + 75 + 75])
        self.close(result["total"]["terminal"]["loan_balance"], 75)

    def test_a_loan_paid_off_before_the_start_is_none(self):
        loan = {"fraction": 1, "rate": 0.1, "term_months": 2}
        result = run([], [hardware({"price": 100}, [{"month": -2, "servers": 1}], loan=loan)])
        self.assertNotIn("financing", result["by_category"])
        self.assertNotIn("npv_before_financing", result["total"])


class ExtraCosts(ReferenceCase):
    def test_of_a_cloud_pool(self):
        """Instance-hours paid / hours of the month; a fraction of the bill, which does not grow."""
        extras = [{"name": "plane", "per_month": 10, "category": "software", "growth_rate": MONTHLY},
                  {"name": "agent", "per_unit_month": 4, "category": "software", "growth_rate": MONTHLY},
                  {"name": "support", "fraction_of_bill": 0.1, "growth_rate": 9},
                  {"name": "set up", "once": 500, "from_month": 0}]
        pool = cloud({"hourly_price": 1}, min_instances=2, max_instances=2, from_month=1, extra_costs=extras)
        result = run([], [pool], months=3)
        self.close(cost_by_month(result, "software"), [0, 18 * 1.01, 18 * 1.01 ** 2])
        self.close(cost_by_month(result, "other"), [0, 134.4 + 500, 148.8])  # `once` in the first month that it exists
        self.close(cash_by_month(result, "other"), [0, 634.4, 148.8])

    def test_the_bill_has_commitments_but_no_settlement(self):
        offer = {"hourly_price": 0, "purchase": "reserved", "term_months": 10, "upfront": 1000}
        extras = [{"name": "support", "fraction_of_bill": 0.1}]
        result = run([], [cloud(offer, min_instances=1, extra_costs=extras)], months=2)
        self.close(cost_by_month(result, "other"), [10, 10])

    def test_of_servers_their_price_and_the_window(self):
        extras = [{"name": "insurance", "per_year_of_price": 0.12}, {"name": "agent", "per_unit_month": 3},
                  {"name": "grant", "per_month": -5, "from_month": 1, "months": 1}, {"name": "late", "once": 9, "months": 1}]
        purchases = [{"month": 1, "servers": 2}]
        result = run([], [hardware({"price": 100}, purchases, extra_costs=extras)], months=3)
        # 2 + 6 a month; the grant in February; `late` never, as its window is January, without a server
        self.close(cost_by_month(result, "other"), [0, 8 - 5, 8])

    def test_of_a_site_and_of_the_scenario(self):
        site = {"id": "here", "places": 3, "currency": "EUR",
                "extra_costs": [{"name": "rent", "per_month": 10}, {"name": "badge", "per_unit_month": 2},
                                {"name": "fence", "once": 4, "category": "facility"}]}
        pools = [hardware({}, [{"month": 0, "servers": n}], site=site, id=f"p{n}") for n in (1, 3)]
        scenario = [{"name": "tool", "per_month": 7, "category": "software"}]
        result = run([], pools, exchange_rates={"EUR": 2}, extra_costs=scenario)
        self.close(category(result, "other")[0], 2 * (3 * 10 + 4 * 2))  # places multiply per_month alone
        self.close(category(result, "facility"), (2 * 3 * 4, 24))
        self.close(result["by_pool"]["p3"]["cost"], (76 + 24) * 3 / 4)
        self.close((category(result, "software")[0], result["unallocated_cost"]), (7, 107))


class Cheapest(ReferenceCase):
    def choice(self, rent: dict, other: dict, finance: dict | None = None, **changes) -> str:
        """Which of two pools serves 80 units/s, a whole instance or server."""
        work = inference("rent", 80, routing="cheapest", **changes)
        other_pool = other.pop("pool")
        entry = {"pool": other_pool["id"]} if other_pool["kind"] == "api" else {
            "pool": other_pool["id"], "performance": {"units_per_s": 10}}
        work["runs_on"].append(entry)
        result = run([work], [cloud(rent), other_pool], finance=finance or {})
        served = {p: pool["reserved_device_hours"] > 0 for p, pool in result["by_pool"].items() if p == "rent"}
        return "rent" if served["rent"] else other_pool["id"]

    def test_egress_counts(self):
        """Rent at 8 an hour: 1 a device-hour of 36 000 units; egress of 0.001 GB a unit at 0.01 is 0.36 more."""
        for price, chosen in ((1.35, "api"), (1.37, "rent")):
            api = {"id": "api", "kind": "api", "price_per_million_units": price / 0.036}
            rent = {"hourly_price": 8, "egress_per_gb": 0.01}
            self.assertEqual(self.choice(rent, {"pool": api}, egress_gb_per_unit=0.001), chosen)

    def test_known_carbon_counts(self):
        """600 W × PUE 2 × 500 g = 0.6 kg a device-hour, 0.06 at 100 a tonne, of a reserved instance too."""
        site = {"energy_price": 0, "pue": 2, "carbon_g_per_kwh": 500}
        offer = {"hourly_price": 8, "purchase": "reserved", "site": site}
        finance = {"carbon_price_per_tonne": 100}
        for price, chosen in ((0.055, "api"), (0.065, "rent")):
            api = {"id": "api", "kind": "api", "price_per_million_units": price / 0.036}
            self.assertEqual(self.choice(offer, {"pool": api}, finance), chosen)
            api = {"id": "api", "kind": "api", "price_per_million_units": 0, "carbon_g_per_unit": price / 0.1 * 1000 / 36000}
            self.assertEqual(self.choice(offer, {"pool": api}, finance), chosen)

    def test_carbon_of_an_owned_pool_counts(self):
        """(600 + 200/8) W × PUE 1.25 × 0.1 = 0.078125, and 0.4 kg a kWh at 100 a tonne 0.03125 more."""
        for price, chosen in ((0.109, "rent"), (0.11, "own")):
            pool = owned(site={"carbon_g_per_kwh": 400})
            self.assertEqual(self.choice({"hourly_price": 8 * price}, {"pool": pool}, {"carbon_price_per_tonne": 100}), chosen)

    def test_equal_costs_keep_the_order(self):
        for price, chosen in ((8 / 8 / 0.036 * (1 - 1e-10), "rent"), (8 / 8 / 0.036 * (1 - 1e-8), "api")):
            api = {"id": "api", "kind": "api", "price_per_million_units": price}
            self.assertEqual(self.choice({"hourly_price": 8}, {"pool": api}), chosen)


class Feasible(ReferenceCase):
    def test_unserved_work_and_power(self):
        work = inference("own", 100)  # 80 of 100 are served
        result = run([work], [owned(site={"id": "here", "max_kw": 7})])
        power = {"site": "here", "code": "over_power", "value": 7.5, "limit": 7}
        self.assertFalse(result["feasible"])
        self.assertEqual(result["infeasible_because"][1], power)
        self.close(result["infeasible_because"][0]["value"], 0.2)
        for changes in ({"max_unserved_fraction": 0.2 - 5e-10}, {"unserved_cost_per_unit": 1e-9}):
            self.assertTrue(run([work | changes], [owned(site={"max_kw": 7.5 * (1 - 5e-10)})])["feasible"], changes)
        for changes, max_kw in (({"max_unserved_fraction": 0.2 - 2e-9}, 8), ({"max_unserved_fraction": 1}, 7.5 * (1 - 2e-9))):
            self.assertFalse(run([work | changes], [owned(site={"max_kw": max_kw})])["feasible"], changes)

    def test_what_decides(self):
        for finance, name in (({}, "cost"), ({"discount_rate": 0.1}, "npv"), ({"tax_rate": 0.2}, "npv_after_tax"),
                              ({"tax_rate": 0.2, "decide_by": "energy_kwh"}, "energy_kwh")):
            result = run([], [cloud({"hourly_price": 1}, min_instances=1)], finance=finance)
            self.assertEqual((result["decide_by"], result["decisive"]), (name, result["total"][name]))


class OnePlace(ReferenceCase):
    def two(self, site: dict, servers: tuple = (1, 3), work: list | None = None, **changes) -> dict:
        """Pools `a` and `b` at one site."""
        pools = [owned(site=BARE | {"id": "here"} | site, purchases=[{"month": 0, "servers": n}], id=name)
                 for name, n in zip("ab", servers)]
        return run(work or [], pools, **changes)

    def test_what_a_place_bears_once_is_shared_by_nameplate(self):
        site = {"fte": 2, "salary_per_year": 1200, "fte_per_server": 1, "network_per_month": 40, "storage_per_month": 80}
        result = self.two(site | {"places": 10})
        self.close(category(result, "staff")[0], 10 * 200 + 4 * 100)
        self.close(result["by_pool"]["a"]["by_category"]["staff"]["cost"], 500 + 100)
        self.close((category(result, "network")[0], category(result, "storage")[0]), (400, 800))
        alone = self.two({"network_per_month": 40, "id": "x"}, servers=(0, 3))
        self.close([alone["by_pool"][p]["cost"] for p in "ab"], [0, 40])
        self.close(self.two({"network_per_month": 40}, servers=(0, 0))["total"]["cost"], 0)

    def test_racks_of_the_same_server_are_rounded_together(self):
        result = self.two({"space_per_rack_month": 80, "rack_kw": 30})  # five in a rack: one for four servers
        self.close([result["by_pool"][p]["cost"] for p in "ab"], [20, 60])
        self.close([result["by_pool"][p]["racks"] for p in "ab"], [0.25, 0.75])

    def test_peaks_coincide_and_pue_is_read_at_the_sites_load(self):
        """a works by day and b by night: one server idle and one full in every hour, 1 + 6 of 12 kW."""
        day = {"kind": "demand", "axis": "hour_of_day", "interpolation": "step", "points": [[0, 0], [8, 1], [20, 0]]}
        night = day | {"points": [[0, 1], [8, 0], [20, 1]]}
        work = [inference(name, 80, id=f"by-{name}", demand={"mean_per_s": 80, "shape": shape})
                for name, shape in (("a", day), ("b", night))]
        pue = {"kind": "pue", "axis": "load", "points": [[0, 1], [1, 2]]}
        result = self.two({"demand_charge_per_kw_month": 10, "pue": pue}, (1, 1), work)
        kw = 7 * (1 + 7 / 12)
        self.close(result["by_site"]["here"]["peak_kw"], kw)
        self.close(category(result, "demand_charge")[0], 10 * kw)
        # shared at the peak's first hour, midnight, when b works
        self.close(result["by_pool"]["b"]["by_category"]["demand_charge"]["cost"], 10 * kw * 6 / 7)
        self.close(result["by_pool"]["a"]["peak_kw"], 6 * (1 + 7 / 12))

    def test_a_demand_charge_is_shared_at_the_hour_of_the_peak(self):
        """b works half by night, a fully by day: 1 + 3.5 kW before the peak of 6 + 1."""
        shape = {"kind": "demand", "axis": "hour_of_day", "interpolation": "step", "points": [[0, 0], [8, 1], [20, 0]]}
        night = shape | {"points": [[0, 0.5], [8, 0], [20, 0.5]]}
        work = [inference(name, 80, id=f"by-{name}", demand={"mean_per_s": 80, "shape": s})
                for name, s in (("a", shape), ("b", night))]
        result = self.two({"demand_charge_per_kw_month": 10}, (1, 1), work)
        self.close([result["by_pool"][p]["cost"] for p in "ab"], [60, 10])

    def test_sites_without_an_id_stand_alone(self):
        pools = [owned(site=BARE | {"network_per_month": 10}, id=name) for name in "ab"]
        self.close(run([], pools)["total"]["cost"], 20)


class DemandChargesAndTiers(ReferenceCase):
    DAY = {"kind": "demand", "axis": "hour_of_week", "interpolation": "step", "points": [[0, 0], [9, 1], [17, 0]]}

    def test_windows_and_seasons(self):
        """Mondays 9 to 17 the server is idle (1 kW), else full (6 kW); a charge of February and March alone."""
        shape = {"kind": "demand", "axis": "hour_of_week", "interpolation": "step", "points": [[0, 1], [9, 0], [17, 1]]}
        charges = [{"per_kw_month": 10, "hours": self.DAY}, {"per_kw_month": 1, "months": [2, 3]}]
        pool = owned(site=BARE | {"demand_charges": charges, "demand_charge_per_kw_month": 0})
        del pool["site"]["demand_charge_per_kw_month"]
        result = run([inference("own", 80, demand={"mean_per_s": 80, "shape": shape})], [pool], months=2)
        self.close(cost_by_month(result, "demand_charge"), [10, 10 + 6])

    def test_ratchets_look_back_so_many_months(self):
        """Idle but in January: 6 kW, then 1 kW; half of January's for two months. Growth is of the billed month."""
        shape = {"kind": "demand", "axis": "date", "interpolation": "step", "points": [["2026-01-01", 1], ["2026-02-01", 0]]}
        charge = {"per_kw_month": 10, "ratchet_fraction": 0.5, "ratchet_months": 2}
        pool = owned(site=BARE | {"demand_charges": [charge]})
        del pool["site"]["demand_charge_per_kw_month"]
        work = [inference("own", 80, demand={"mean_per_s": 80, "shape": shape})]
        result = run(work, [pool], months=4, finance={"growth_rates": {"demand_charge": MONTHLY}})
        self.close(cost_by_month(result, "demand_charge"), [60, 30 * 1.01, 30 * 1.01 ** 2, 10 * 1.01 ** 3])
        charge["ratchet_peak_months"] = [2, 3, 12]  # January's peak does not count
        result = run(work, [pool], months=2)
        self.close(cost_by_month(result, "demand_charge"), [60, 10])

    def test_a_month_without_power_shares_by_nameplate(self):
        silent = {"device": {"kind": "gpu"} | line(0, 700), "host_idle_w": 0}
        shape = {"kind": "demand", "axis": "date", "interpolation": "step", "points": [["2026-01-01", 1], ["2026-02-01", 0]]}
        charge = {"per_kw_month": 10, "ratchet_fraction": 1}
        site = BARE | {"id": "here", "demand_charges": [charge]}
        pools = [owned(server=silent, site=site, purchases=[{"month": 0, "servers": n}], id=name)
                 for name, n in (("a", 1), ("b", 3))]
        for pool in pools:
            del pool["site"]["demand_charge_per_kw_month"]
        work = [inference("a", 80, demand={"mean_per_s": 80, "shape": shape})]
        result = run(work, pools, months=2)
        self.close([result["by_month"][1]["by_pool"][p]["cost"] for p in "ab"], [15, 45])

    def test_tiers_are_shared_by_energy_and_no_index_moves_them(self):
        """a draws 6 kW and b idles at 1: 5208 kWh, of which 4208 above 1000 and 208 above 5000."""
        index = {"kind": "index", "axis": "date", "points": [["2026-01-01", 3]]}
        tiers = [{"above_kwh_month": 1000, "add_per_kwh": 0.1}, {"above_kwh_month": 5000, "add_per_kwh": -0.2}]
        site = BARE | {"id": "here", "energy_price": 0.01, "energy_price_index": index, "energy_tiers": tiers,
                       "carbon_g_per_kwh": 10, "carbon_index": index}
        pools = [owned(site=site, id=name) for name in "ab"]
        result = run([inference("a", 80)], pools)
        self.close(category(result, "energy")[0], 5208 * 0.03 + 420.8 - 41.6)
        self.close(result["by_pool"]["b"]["cost"], (5208 * 0.03 + 379.2) / 7)
        self.close(result["total"]["carbon_kg"], 5208 * 0.03)


class KnownOrNot(ReferenceCase):
    def test_a_null_is_in_every_sum_that_has_it(self):
        pools = [cloud({"hourly_price": 1}, min_instances=1), owned(site={"carbon_g_per_kwh": 100})]
        work = [inference("rent", 10), inference("own", 10, id="other")]
        result = run(work, pools, finance={"carbon_price_per_tonne": 1000})
        total, other = result["total"], result["by_workload"]["other"]
        self.assertEqual([total[k] for k in ("energy_kwh", "carbon_kg", "water_l")], [None] * 3)
        self.assertIsNone(result["by_workload"]["serve"]["energy_kwh"])
        self.close(total["energy_kwh_at_least"], other["energy_kwh"])
        self.close(category(result, "carbon")[0], total["carbon_kg_at_least"])
        self.close(other["units_per_kwh"], 10 * 3600 * 744 / other["energy_kwh"])
        self.close(other["carbon_g_per_unit"], other["carbon_kg"] * 1000 / (10 * 3600 * 744))

    def test_carbon_that_a_site_does_not_state_is_not_known_but_embodied_is(self):
        pool = owned(server={"embodied_kg": 120})
        total = run([], [pool])["total"]
        self.assertIsNone(total["carbon_kg"])
        self.close((total["carbon_kg_at_least"], total["energy_kwh"]), (10, total["energy_kwh_at_least"]))
        self.assertIsNone(total["water_l"])
        self.close(run([], [owned(site={"water_l_per_kwh": 2})])["total"]["water_l"], 744 * 1 * 2)  # idle: 1 kW of IT

    def test_a_spot_offer_without_a_rate_of_interruptions_is_assumed(self):
        for offer, evidence in (({"purchase": "spot"}, "assumed"), ({"purchase": "spot", "interruptions_per_hour": 0}, "measured"),
                                ({}, "measured")):
            result = run([inference("rent", 10)], [cloud(offer)])
            self.assertEqual(result["by_workload"]["serve"]["evidence"], evidence)
        self.assertEqual(run([inference("own", 10)], [owned()])["by_workload"]["serve"]["evidence"], "measured")

    def test_what_did_not_run_is_zero(self):
        result = run([inference("rent", 0)], [cloud({"hourly_price": 1}), {
            "id": "api", "kind": "api", "price_per_million_units": 1}])
        self.assertEqual([result["total"][k] for k in ("energy_kwh", "carbon_kg", "water_l")], [0, 0, 0])
        self.assertIsNone(result["by_workload"]["serve"]["units_per_kwh"])

    def test_apis_may_state_theirs(self):
        api = {"id": "api", "kind": "api", "price_per_million_units": 1, "energy_wh_per_unit": 0.5, "carbon_g_per_unit": 0.25}
        result = run([inference("api", 1) | {"runs_on": [{"pool": "api"}]}], [api], finance={"carbon_price_per_tonne": 1e6})
        units = 3600 * 744
        self.close((result["total"]["energy_kwh"], result["total"]["carbon_kg"]), (units / 2000, units / 4000))
        self.close(category(result, "carbon")[0], units / 4)

    def test_hosts_of_an_offer_and_water_of_its_it_energy(self):
        """8 devices at half load draw 3.2 kW, their host 300 W; PUE 2 is not in the water."""
        site = {"energy_price": 9, "pue": 2, "water_l_per_kwh": 3}
        offer = {"site": site, "host_idle_w": 200, "host_max_w": 400}
        result = run([inference("rent", 40)], [cloud(offer)])
        self.close((result["total"]["energy_kwh"], result["total"]["water_l"]), (744 * 7, 744 * 3.5 * 3))
        self.assertIsNone(result["total"]["carbon_kg"])


class TheEnd(ReferenceCase):
    def test_a_purchases_own_price_changes_at_its_refresh(self):
        """Bought at month 1 for 200, again at 3; the list's 1e6 is nobody's price. Maintenance follows."""
        server = {"price": 1e6, "price_change_rate": MONTHLY, "life_months": 2, "maintenance_rate": 0.12}
        result = run([], [hardware(server, [{"month": 1, "servers": 1, "price": 200}], refresh=True)], months=4)
        self.close(cash_by_month(result, "hardware"), [0, 200, 0, 200 * 1.01 ** 2 / 2])
        self.close(cost_by_month(result, "maintenance"), [0, 2, 2, 2 * 1.01 ** 2])

    def test_market_book_and_disposal(self):
        """1000 over 10 months to 10 %: book 730 after 3; market 40 %. A number is sold at book."""
        curve = {"kind": "residual", "axis": "age_months", "points": [[0, 1], [3, 0.4], [10, 0.1]]}
        for residual, at_end, sale in ((curve, "exit", 400), (curve, "continue", 730), (0.1, "exit", 730)):
            pool = hardware({"price": 1000, "life_months": 10, "residual_fraction": residual})
            result = run([], [pool], months=3, finance={"at_end": at_end})
            self.close(cash_by_month(result, "hardware"), [1000, 0, -sale])
            self.close(cost_by_month(result, "hardware"), [90, 90, 90])
            self.close(category(result, "disposal"), (730 - sale, 0))
            self.close([result["total"]["terminal"][k] for k in ("sale", "book")], [sale, 730])

    def test_age_is_the_generations(self):
        """Bought at −2 with a life of 4 and refreshed at 2: at month 5 the second is 3 months old."""
        curve = {"kind": "residual", "axis": "age_months", "interpolation": "step", "points": [[0, 0.9], [3, 0.5], [4, 0.2]]}
        pool = hardware({"price": 100, "life_months": 4, "residual_fraction": curve}, [{"month": -2, "servers": 1}], refresh=True)
        result = run([], [pool], months=5)
        self.close(cash_by_month(result, "hardware"), [60, -20, 100, 0, -50])  # enters at book, not at market
        self.close(result["total"]["terminal"]["sale"], 50)

    def test_what_retires_exactly_at_the_end_is_in_neither(self):
        site = BARE | {"facility_price_per_w": 1, "facility_life_months": 10}
        pool = owned(server={"price": 100, "life_months": 2, "residual_fraction": 0.2}, site=site)
        result = run([], [pool], months=2)
        self.assertEqual(result["total"]["terminal"], {"sale": 0, "book": 0, "obligations": 0, "commitments_sold": 0,
                                                       "loan_balance": 0, "tax_loss": 0})
        self.close(cash_by_month(result, "hardware"), [100, -20])
        self.close(cash_by_month(result, "facility"), [6000, -4800])

    def test_prices_that_grow(self):
        """Inflation of 1 % a month; rent at 2; capital, carbon and unserved do not grow."""
        site = {"energy_price": 0, "pue": 1, "demand_charge_per_kw_month": 0, "space_per_kw_month": 10, "network_per_month": 7,
                "fte": 1, "salary_per_year": 12, "carbon_g_per_kwh": 0}
        server = {"price": 600, "life_months": 6, "maintenance_rate": 0.12, "software_per_device_year": 12}
        rates = {"facility": 1.02 ** 12 - 1, "egress": MONTHLY}
        finance = {"inflation_rate": MONTHLY, "growth_rates": rates, "at_end": "continue"}
        rent = cloud({"hourly_price": 0, "egress_per_gb": 1})
        api = {"id": "api", "kind": "api", "price_per_million_units": 1}
        work = [inference("rent", 1, egress_gb_per_unit=1e-6), inference("api", 1, id="x") | {"runs_on": [{"pool": "api"}]}]
        grown = {"growth_rates": {"usage": MONTHLY}}
        self.close(cost_by_month(run(work, [rent, api], months=2, finance=grown), "usage")[1], 3600 * 672 / 1e6 * 1.01)
        result = run(work, [owned(server=server, site=site), rent, api], months=2, finance=finance)
        february = {name: amounts["cost"] for name, amounts in result["by_month"][1]["by_category"].items()}
        usage = 3600 * 672 / 1e6
        expected = {"facility": 60 * 1.02, "network": 7 * 1.01, "staff": 1.01, "maintenance": 6 * 1.01, "software": 8 * 1.01,
                    "hardware": 100, "usage": usage, "egress": usage * 1.01}
        self.assertEqual(set(february), set(expected))
        for name, amount in expected.items():
            self.close(february[name], amount)


class Tax(ReferenceCase):
    def after_tax(self, months: int, finance: dict, server: dict | None = None, **changes) -> float:
        pool = hardware({"price": 1200} | (server or {}), **changes)
        return run([], [pool], months=months, finance={"tax_rate": 0.5} | finance)["total"]["npv_after_tax"]

    def credits(self, flows: list) -> float:
        """Discounted at 1 % a month: (months, amount)."""
        return math.fsum(amount / 1.01 ** m for m, amount in flows)

    def test_macrs_3_and_tables_after_a_year(self):
        """13 months of a server that lives 24; d = 1 % a month; the sale at book 550 against the tax book."""
        finance, server = {"discount_rate": MONTHLY}, {"life_months": 24}
        for method, first, second in (("macrs_3", 0.3333, 0.4445), ("table", 0.7, 0.3)):
            flows = [(0, 1200), (13, -550)]
            flows += [(m, -0.5 * 100 * first) for m in range(1, 13)] + [(13, -0.5 * 100 * second)]
            flows += [(13, -0.5 * (1200 - 1200 * first - 100 * second - 550))]
            method = {"tax_depreciation": method, "tax_depreciation_table": [0.7, 0.3]}
            self.close(self.after_tax(13, finance | method, server), self.credits(flows))

    def test_bonus_depreciation_of_what_is_bought_in_the_horizon(self):
        """60 % at the first month's end, with a twelfth of 20 % of the rest; what is owned already has none."""
        finance = {"discount_rate": MONTHLY, "tax_depreciation": "macrs_5", "bonus_depreciation_fraction": 0.6}
        flows = [(0, 1200), (1, -0.5 * (720 + 8)), (2, -0.5 * 8), (2, -1000), (2, -0.5 * (480 - 16 - 1000))]
        self.close(self.after_tax(2, finance), self.credits(flows))
        a_month = 0.5 * 1100 / 60
        flows = [(0, 1100), (1, -a_month), (2, -a_month), (2, -900), (2, -0.5 * (1100 * 58 / 60 - 900))]
        self.close(self.after_tax(2, finance, purchases=[{"month": -1, "servers": 1}]), self.credits(flows))

    def test_a_facility_is_written_off_straight_under_every_rule(self):
        finance = {"discount_rate": MONTHLY, "tax_depreciation": "macrs_3", "bonus_depreciation_fraction": 1}
        site = {"facility_price_per_w": 1, "facility_life_months": 10}
        flows = [(0, 6000), (1, -300), (2, -300), (2, -4800)]
        self.close(self.after_tax(2, finance, {"price": 0}, site=site), self.credits(flows))

    def test_a_market_sale_is_taxed(self):
        """Sold at 300 against a tax book of 1100: 400 are credited."""
        curve = {"kind": "residual", "axis": "age_months", "points": [[0, 0.25]]}
        flows = [(0, 1200), (1, -0.5 * 100), (1, -300), (1, -0.5 * 800)]
        finance, server = {"discount_rate": MONTHLY}, {"residual_fraction": curve, "life_months": 12}
        self.close(self.after_tax(1, finance, server), self.credits(flows))

    def test_equivalent_annual_cost_without_discounting(self):
        total = run([], [cloud({"hourly_price": 1}, min_instances=1)], months=2)["total"]
        self.close(total["equivalent_annual_cost"], 1416 * 6)


class WhoBears(ReferenceCase):
    def rule(self, allocation: dict, months: int = 1, **changes) -> dict:
        """Two devices reserved by `serve` (15 of 20 units/s), one by `other` (5 of 10); an instance of 8 at 8 an hour."""
        work = [inference("rent", 15), inference("rent", 5, id="other")]
        return run(work, [cloud({"hourly_price": 8}, **changes)], months=months, allocation=allocation)

    def test_bases_and_idle(self):
        whole = 8 * 744
        for allocation, serve, other, idle in (
                ({}, 2 / 3, 1 / 3, 0), ({"basis": "used"}, 3 / 4, 1 / 4, 0),
                ({"idle": "apart"}, 2 / 8, 1 / 8, 5 / 8), ({"basis": "used", "idle": "apart"}, 1.5 / 8, 0.5 / 8, 6 / 8),
                ({"basis": "fixed", "shares": {"other": 1.0}}, 0, 1, 0)):
            result = self.rule(allocation)
            for view in ("cost", "cash"):
                self.close([w[view] for w in result["by_workload"].values()], [serve * whole, other * whole])
            self.close((result["by_pool"]["rent"]["idle_cost"], result["unallocated_cost"]), (idle * whole, idle * whole))

    def test_nothing_of_an_api_is_idle_while_it_serves(self):
        """By units served, whatever the basis; a month without work is idle."""
        api = {"id": "api", "kind": "api", "price_per_million_units": 0, "extra_costs": [{"name": "plan", "per_month": 40}]}
        shape = {"kind": "demand", "axis": "date", "interpolation": "step", "points": [["2026-01-01", 1], ["2026-02-01", 0]]}
        work = [inference("api", n, id=f"w{n}", demand={"mean_per_s": n, "shape": shape}) | {"runs_on": [{"pool": "api"}]}
                for n in (1, 3)]
        result = run(work, [api], months=2, allocation={"basis": "used", "idle": "apart"})
        self.close([w["cost"] for w in result["by_workload"].values()], [10, 30])
        self.close(result["by_pool"]["api"]["idle_cost"], 40)

    def test_fixed_shares_hold_without_use(self):
        result = run([inference("rent", 0)], [cloud({"hourly_price": 1}, min_instances=1)],
                     allocation={"basis": "fixed", "shares": {"serve": 1}})
        self.close((result["by_workload"]["serve"]["cost"], result["unallocated_cost"]), (744, 0))

    def test_upfronts_are_borne_over_the_horizon_and_hours_by_month(self):
        """`early` uses January (744 h), `late` February (672 h); the upfront's cash by the horizon, its cost by month."""
        shape = {"kind": "demand", "axis": "date", "interpolation": "step", "points": [["2026-01-01", 1], ["2026-02-01", 0]]}
        late = shape | {"points": [["2026-01-01", 0], ["2026-02-01", 1]]}
        work = [inference("rent", 10, id=name, demand={"mean_per_s": 10, "shape": s})
                for name, s in (("early", shape), ("late", late))]
        offer = {"hourly_price": 1, "purchase": "reserved", "term_months": 4, "upfront": 1416 * 4}
        result = run(work, [cloud(offer, min_instances=1)], months=2, finance={"at_end": "continue"})
        borne = result["by_workload"]
        self.close([borne[w]["cost"] for w in ("early", "late")], [744 + 1416, 672 + 1416])
        self.close([borne[w]["cash"] for w in ("early", "late")], [744 + 2 * 744, 672 + 2 * 672])
        # under `exit` the unspent half and what is owed for March and April are shared as the upfront is
        result = run(work, [cloud(offer, min_instances=1)], months=2)
        owed = 744 + 720
        borne = result["by_workload"]
        self.close(borne["early"]["cost"], 744 + 1416 + (2 * 1416 + owed) * 744 / 1416)
        self.close(borne["early"]["cash"], 744 + (4 * 1416 + owed) * 744 / 1416)

    def test_tags_add_up(self):
        work = [inference("rent", 10, tags={"team": "a"}), inference("rent", 10, id="other")]
        result = run(work, [cloud({"hourly_price": 8})], allocation={"idle": "apart"})
        team = {value: part["cost"] for value, part in result["by_tag"]["team"].items()}
        self.assertEqual(set(team), {"a", "(untagged)", "(idle)"})
        self.close([team[v] for v in ("a", "(untagged)", "(idle)")], [744, 744, 6 * 744])

    def test_cost_by_class_keeps_hosted_prices(self):
        """Kin: cached input has its own price, reasoning that of output; a date curve and a discount on both."""
        price = {"input": {"kind": "price", "axis": "date", "points": [["2026-01-01", 2]]}, "output": 8, "cached_input": 1}
        api = {"id": "api", "kind": "api", "price_per_million_units": price, "discount_fraction": 0.5}
        request = {"input": 3, "cached_input": 4, "cache_write": 5, "output": 1, "reasoning": 2}
        work = inference("api", 1, units_per_request=request) | {"runs_on": [{"pool": "api"}]}
        by_class = run([work], [api])["by_workload"]["serve"]["cost_by_class"]
        for name, expected in (("input", 1), ("cached_input", 0.5), ("cache_write", 1), ("output", 4), ("reasoning", 4)):
            self.close(by_class[name]["cost_per_million"], expected)
        work["units_per_request"] = 10  # a number: the map's input price
        result = run([work], [api])
        self.assertIsNone(result["by_workload"]["serve"]["cost_by_class"])
        self.close(result["by_workload"]["serve"]["cost_per_million_units"], 1)

    def test_other_costs_are_split_by_weights(self):
        request = {"input": 3, "output": 1}
        for changes, input_part in (({}, 3 / 7), ({"output_cost_ratio": 3}, 1 / 2), ({"cost_weights": {"output": 0}}, 1),
                                    ({"cost_weights": {"input": 0, "output": 0}}, 3 / 4)):
            work = inference("rent", 1, units_per_request=request, **changes)
            workload = run([work], [cloud({"hourly_price": 1})])["by_workload"]["serve"]
            self.close(workload["cost_by_class"]["input"]["cost"], input_part * workload["cost"])

    def test_porting_needs_capacity(self):
        """Servers that leave within their ramp never serve; an API's bound of 0 neither."""
        entry = {"performance": {"units_per_s": 10}, "porting": {"engineer_weeks": 1}}
        purchases = ([{"month": 0, "servers": 0}], [{"month": 0, "servers": 1}])
        for bought, cost in zip(purchases, (0, 50)):
            work = inference("own", 0) | {"runs_on": [{"pool": "own"} | entry]}
            result = run([work], [hardware({}, bought)], finance={"engineer_week_cost": 50})
            self.close(category(result, "engineering"), (cost, cost))

    def test_training_uses_what_it_reserves(self):
        result = run([training("rent", 372, 4)], [cloud({"hourly_price": 8})], allocation={"basis": "used", "idle": "apart"})
        self.close(result["by_workload"]["train"]["cost"], 372 / 2 * 8)
        self.close(result["by_pool"]["rent"]["idle_cost"], 0)


if __name__ == "__main__":
    unittest.main()
