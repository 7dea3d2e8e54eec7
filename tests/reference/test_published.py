#!/usr/bin/env python3
"""The second evaluator against ../shared/cases/published-2.json, each case as a scenario; skips where the file is not there.

Where a source reckons by the year and nothing in the case is tied to months, a month stands for a year: lives, terms and
horizons in "months", a rate of 1.08^12 − 1 for 8 % a period. README.md lists the cases that no scenario can express.
"""
from __future__ import annotations

import json
import math
import unittest

from assets import MACRS, Asset
from ledger import Finance
from test_evaluate import line, run
from test_hand_cases import cases_folder, skips

QUIET = {"energy_price": 0, "carbon_g_per_kwh": 0}


def period(rate: float) -> float:
    """The yearly rate that is `rate` a month."""
    return (1 + rate) ** 12 - 1


def steps(axis: str, points: list) -> dict:
    return {"kind": "demand", "axis": axis, "interpolation": "step", "points": points}


def load(site: dict, kw: dict | float, months: int, start: str = "2027-01") -> dict:
    """60 servers that draw 10 kW for a request a second, and nothing else; `kw` is a curve of kW or a number."""
    device = {"kind": "gpu"} | line(0, 10000)
    pool = {"id": "own", "kind": "owned", "server": {"device": device, "devices": 1, "price": 0, "life_months": 60},
            "site": QUIET | site, "purchases": [{"month": 0, "servers": 60}]}
    shape = {**kw, "points": [[x, y / 10] for x, y in kw["points"]]} if isinstance(kw, dict) else kw / 10
    demand = {"mean_per_s": 1, "shape": shape} if isinstance(kw, dict) else {"mean_per_s": shape}
    work = {"id": "load", "kind": "inference", "demand": demand, "runs_on": [{"pool": "own", "performance": {"units_per_s": 1}}]}
    return run([work], [pool], months=months, start=start)


def asset(server: dict, purchase: dict | None = None, months: int = 1, finance: dict | None = None, **changes) -> dict:
    """One server that does nothing at a site that charges nothing."""
    server = {"device": {"kind": "gpu", "tdp_w": 1000}, "devices": 1, "price": 0, "life_months": 60} | server
    pool = {"id": "own", "kind": "owned", "server": server, "site": QUIET,
            "purchases": [{"month": 0, "servers": 1} | (purchase or {})]} | changes
    return run([], [pool], months=months, start="2027-01", finance=finance or {})


def requests(price: dict, units: dict) -> float:
    """What one request costs: one in all of January."""
    work = {"id": "w", "kind": "inference", "unit": "token", "units_per_request": units, "runs_on": [{"pool": "api"}],
            "demand": {"mean_per_s": 1 / (744 * 3600)}}
    return run([work], [{"id": "api", "kind": "api", "price_per_million_units": price}])["total"]["cost"]


class Published(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = cases_folder()
        if folder is None or not (path := folder / "published-2.json").is_file():
            raise unittest.SkipTest("../shared/cases is not here: the published cases are not tried")
        cls.cases = {case["id"]: case for case in json.loads(path.read_text(encoding="utf-8"))}

    def case(self, name: str) -> tuple[dict, dict]:
        return self.cases[name]["inputs"], self.cases[name]["published"]

    def near(self, ours, published, tolerance: float) -> None:
        if isinstance(published, (list, tuple)):
            self.assertEqual(len(ours), len(published))
            for a, b in zip(ours, published):
                self.near(a, b, tolerance)
        else:
            self.assertLessEqual(abs(ours - published), tolerance, (ours, published))

    # -- leases and loans

    def test_lease_ifrs16_advance_10y(self):
        """The liability is after the first payment; a month stands for a year."""
        given, published = self.case("lease-ifrs16-advance-10y")
        payment = given["payment_per_year"]
        lease = {"payment_per_server_month": payment, "term_months": given["payments"]}
        result = asset({}, {"lease": lease}, 10, {"discount_rate": period(given["discount_rate_annual"])})
        liability = result["by_pool"]["own"]["lease_liability"] - payment
        self.near(liability, published["liability_at_commencement"], 0.005)

    def test_lease_vs_buy_85000(self):
        given, published = self.case("lease-vs-buy-85000")
        finance = {"discount_rate": period(given["discount_after_tax"]), "tax_rate": given["tax_rate"]}
        lease = {"payment_per_server_month": given["lease_before_tax"], "term_months": 10}
        leased = asset({"life_months": 10}, {"lease": lease}, 10, finance)["total"]["npv_after_tax"]
        residual = given["salvage_before_tax"] / given["price"]
        server = {"price": given["price"], "life_months": 10, "residual_fraction": residual}
        bought = asset(server, months=10, finance=finance)["total"]["npv_after_tax"]
        self.near(bought - leased, published["npv"], 10)
        self.near(bought - leased, 10467.08, 0.005)  # exact factors

    def test_loan_annuity_5y(self):
        """Twelve times 6 % a year are 6 % a month."""
        given, published = self.case("loan-annuity-5y")
        loan = {"fraction": 1, "rate": given["rate"] * 12, "term_months": 5, "kind": "annuity"}
        months = asset({"price": given["principal"], "life_months": 5}, {"loan": loan}, 5)["by_month"]
        interest = [month["by_category"]["financing"]["cost"] for month in months]
        paid = [month["by_category"]["financing"]["cash"] for month in months]
        paid[0] += given["principal"]
        self.near(interest, published["interest"], 0.01)
        self.near(paid, [published["payment"]] * 5, 0.01)
        self.near([p - i for p, i in zip(paid, interest)], published["principal"], 0.01)

    # -- resale and tax

    def test_resale_after_four_years_of_macrs_5(self):
        for name, key in (("resale-loss-macrs5", "after_tax_cash"), ("resale-gain-6m", "after_tax_salvage")):
            given, published = self.case(name)
            price, tax = given["price"], given["tax_rate"]
            curve = {"kind": "residual", "axis": "age_months", "points": [[48, given["sale_price"] / price]]}
            finance = {"tax_rate": tax, "tax_depreciation": "macrs_5"}
            result = asset({"price": price, "residual_fraction": curve}, months=48, finance=finance)
            written_off = price * math.fsum(MACRS["macrs_5"][:4])
            after_tax = price - tax * written_off - result["total"]["npv_after_tax"]
            self.near(after_tax, published[key], 0.5)
            self.near(result["total"]["terminal"]["sale"], given["sale_price"], 1e-6)

    def test_resale_full_gain_npw(self):
        """A month stands for a year; income is a negative extra cost."""
        given, published = self.case("resale-full-gain-npw")
        finance = {"discount_rate": period(given["marr"]), "tax_rate": given["tax_rate"]}
        income = [{"name": "income", "per_month": -given["income_before_tax"]}]
        for resale, name in zip(given["resale"], ("npw_no_resale", "npw_with_resale")):
            server = {"price": given["price"], "life_months": 5, "residual_fraction": resale / given["price"]}
            total = asset(server, months=5, finance=finance, extra_costs=income)["total"]
            self.near(-total["npv_after_tax"], published[name], 1)

    def test_macrs_tables(self):
        _, published = self.case("tax-macrs-half-year-tables")
        for years in (3, 5, 7):
            self.near([100 * part for part in MACRS[f"macrs_{years}"]], published[f"{years}_year"], 1e-9)

    def test_macrs_5_savings_of_the_first_year(self):
        """Both levels of tax as the effective one; sold at the tax book value, so that the sale is not taxed."""
        given, published = self.case("tax-macrs5-savings-ssc")
        cost, debt = given["installed_cost"], 0.6
        rate = given["interest_year_1"] / (debt * cost)
        finance = {"tax_rate": published["effective_tax_rate_percent"] / 100, "tax_depreciation": "macrs_5"}
        curve = {"kind": "residual", "axis": "age_months", "points": [[12, 0.8]]}
        loan = {"fraction": debt, "rate": rate, "term_months": 60, "kind": "bullet"}
        opex = [{"name": "operation", "per_month": given["operating_expenses"][0] / 12}]
        total = asset({"price": cost, "residual_fraction": curve}, {"loan": loan}, 12, finance, extra_costs=opex)["total"]
        saved = published["cf_sta_and_fed_tax_savings"][0]
        self.near(total["npv"] - total["npv_after_tax"], saved, 1e-9 * saved)

    def test_macrs_5_depreciation_by_year(self):
        given, published = self.case("tax-macrs5-savings-ssc")
        bought = Asset(None, "hardware", (0, 84), given["installed_cost"], 84)
        monthly = list(bought.tax_depreciation(Finance({"tax_depreciation": "macrs_5"}), 84))
        years = [math.fsum(monthly[12 * y:12 * y + 12]) for y in range(7)]
        self.near(years, published["cf_fed_depreciation"], 1e-6)

    def test_escalation_monthly(self):
        given, published = self.case("escalation-monthly")
        def after(amount: float, rate: float, m: int) -> float:
            extra = [{"name": "cost", "per_month": amount, "growth_rate": rate}]
            return asset({}, months=m + 1, extra_costs=extra)["by_month"][m]["by_category"]["other"]["cost"]
        self.near(after(given["cost_now"], given["annual_escalation"], 2), published["after_2_months"], 0.005)
        self.near(after(given["cost_now"], given["annual_escalation"], 12), published["after_12_months"], 0.005)
        for years in (3, 4):
            self.near(after(given["also"]["pv"], given["also"]["rate"], 12 * years), published[f"fv_{years}_years"], 0.005)

    # -- commitments

    @staticmethod
    def committed(offer: dict, use: float, months: int = 1) -> dict:
        """Work of `use` instance-hours an hour, overflowing to an instance on demand at 1 an hour."""
        base = {"provider": "p", "device": {"kind": "gpu", "tdp_w": 1000}, "devices": 1}
        pools = [{"id": "c", "kind": "cloud", "offer": base | {"purchase": "committed"} | offer, "min_instances": 1,
                  "max_instances": 1},
                 {"id": "od", "kind": "cloud", "offer": base | {"purchase": "on_demand", "hourly_price": 1}, "max_instances": 9}]
        runs_on = [{"pool": pool["id"], "performance": {"units_per_s": 1}} for pool in pools]
        hours = {"kind": "demand", "axis": "date", "interpolation": "step", "points": [
            [f"2023-{m + 1:02d}-01", use * 24 * d] for m, d in enumerate((31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31))]}
        work = {"id": "w", "kind": "training", "runs_on": runs_on, "units_per_epoch": 3600, "epochs_per_month": hours}
        return run([work], pools, months=months, start="2023-01", allocation={"basis": "used", "idle": "apart"})

    def test_commit_use_it_or_lose_it(self):
        given, published = self.case("commit-use-it-or-lose-it")
        for i, use in enumerate(given["eligible_use_per_hour"]):
            pools = self.committed({"hourly_price": given["hourly_commitment"]}, use)["by_pool"]
            used = pools["c"]["cost"] - pools["c"]["idle_cost"]
            found = [value / 744 for value in (used, pools["c"]["idle_cost"], pools["od"]["cost"])]
            self.near(found, [published[key][i] for key in ("used", "unused", "overage")], 1e-9)

    def test_commit_upfront_options(self):
        _, published = self.case("commit-upfront-options")
        whole = {"hourly_price": 0, "upfront": published["all_upfront_csv"], "term_months": 12}
        half = whole | {"hourly_price": published["half_recurring_per_hour"], "upfront": published["half_upfront_one_time"]}
        for offer in (whole, half):
            total = self.committed(offer, 0, 12)["total"]
            self.near((total["cost"], total["cash"]), [published["all_upfront_csv"]] * 2, 1e-6)

    def test_commit_70_percent_used(self):
        given, published = self.case("commit-70-percent-used")
        result = self.committed({"hourly_price": given["annual_commitment"] / 8760}, given["utilization"], 12)
        self.near(result["by_pool"]["c"]["idle_cost"], published["unused"], 1e-6)

    # -- classes of tokens

    def test_tokens_agent_days(self):
        given, published = self.case("tokens-agent-days")
        listed = given["prices_per_million"]
        price = {"input": listed["input"], "cached_input": listed["cache_read"], "cache_write": listed["cache_write_5m"],
                 "output": listed["output"]}
        for day in given["days"]:
            units = {"input": day["input"], "cached_input": day["cache_read"], "cache_write": day["cache_write"],
                     "output": day["output"]}
            self.near(requests(price, units), published["cost"][day["date"]], 1e-9)

    def test_tokens_reasoning_call(self):
        """Classes are disjoint: cached input is taken out of input, reasoning out of output; reasoning has output's price."""
        given, _ = self.case("tokens-reasoning-call")
        units = {"input": given["prompt_tokens"] - given["cached_tokens"], "cached_input": given["cached_tokens"],
                 "output": given["completion_tokens"] - given["reasoning_tokens"], "reasoning": given["reasoning_tokens"]}
        self.near(requests(given["prices_per_million"], units), 0.1705875, 1e-12)  # the case's note

    def test_tokens_batch_half(self):
        given, published = self.case("tokens-batch-half")
        price = {side: given[side] for side in ("input", "output")}
        work = {"id": "w", "kind": "batch", "unit": "token", "units_per_request": {"input": 1, "output": 1},
                "requests_per_month": 1e6, "runs_on": [{"pool": "api"}]}
        pool = {"id": "api", "kind": "api", "price_per_million_units": price, "batch_price_fraction": given["batch_discount"]}
        by_class = run([work], [pool])["by_workload"]["w"]["cost_by_class"]
        for side in price:
            self.near(by_class[side]["cost_per_million"], published[f"batch_{side}"], 1e-12)

    # -- long training, fractions of a device

    def test_train_deepseek_54_days(self):
        """One gang from a month's first hour: 744 h, and the rest of 1300 in the second month."""
        given, published = self.case("train-deepseek-54-days")
        hours = given["gpu_hours"] / given["gpus"]
        offer = {"device": {"kind": "gpu", "tdp_w": 700}, "devices": 8, "purchase": "on_demand", "hourly_price": 8}
        pool = {"id": "rent", "kind": "cloud", "offer": offer, "max_instances": given["gpus"] // 8}
        work = {"id": "w", "kind": "training", "unit": "token", "units_per_epoch": given["tokens"],
                "epochs_per_month": steps("date", [["2027-01-01", 1], ["2027-02-01", 0]]),
                "runs_on": [{"pool": "rent", "performance": {"devices": given["gpus"],
                                                             "units_per_s": given["tokens"] / hours / 3600}}]}
        result = run([work], [pool], months=2, start="2027-01")
        months = [month["cost"] / given["gpus"] for month in result["by_month"]]
        self.near(months, [744, published["hours"] - 744], 0.01 * published["hours"])
        self.near(sum(months) / 24, published["days"], 0.01 * published["days"])
        trained = result["by_workload"]["w"]
        self.near(trained["backlog"][0], given["tokens"] - 744 * published["tokens_per_hour"], 0.01 * given["tokens"])
        self.near(trained["hours_per_epoch"]["rent"] / 24 / (given["tokens"] / 1e12), published["days_per_trillion"], 0.05)

    def test_mig_slices_take_of_a_device_what_is_charged(self):
        """1g a seventh, 3g a half, as two of them fit. 2g is charged 2/7 there; three fit here, so it holds a third."""
        given, published = self.case("mig-rgu-fractions")
        whole = given["whole"]["A100-40gb"]
        for name, part in (("A100-1g.5gb", "1g"), ("A100-3g.20gb", "3g")):
            slices = {part: {"fraction": given["slices"][name]["compute"], "memory_gib": 40 * given["slices"][name]["memory"]}}
            offer = {"device": {"kind": "gpu", "tdp_w": 400, "slices": slices}, "devices": 1, "purchase": "on_demand",
                     "hourly_price": whole}
            pool = {"id": "rent", "kind": "cloud", "offer": offer, "max_instances": 1}
            work = {"id": "w", "kind": "batch", "requests_per_month": 3600, "runs_on": [
                {"pool": "rent", "performance": {"slice": part, "units_per_s": 1}}]}
            result = run([work], [pool])
            self.near(result["total"]["cost"], published["rgu"][name], 0.05)
            held = result["by_pool"]["rent"]["reserved_device_hours"]
            self.near(held * 100, published["fractions_percent"][part], 0.5)

    # -- demand charges, tiers, energy

    def test_demand_ratchet_35(self):
        given, published = self.case("demand-ratchet-35")
        months = [[1, 2, 3, 10, 11, 12], [4, 5, 6, 7, 8, 9]]
        charges = [{"per_kw_month": price, "months": m, "ratchet_fraction": given["lookback"]}
                   for price, m in zip(given["price"].values(), months)]
        result = load({"demand_charges": charges}, steps("hour_of_year", [[0, 1], [7, 100], [8, 1]]), 12)
        self.near(result["total"]["cost"], published["year_one_demand_cost"], 1e-6)

    def test_demand_ratchets_of_chosen_months_and_of_a_window(self):
        """The sources' year follows upon itself: the second of two like years."""
        peaks = {1: 200, 4: 400, 6: 500, 12: 300}
        kw = steps("date", [[f"{2027 + m // 12}-{m % 12 + 1:02d}-01", peaks.get(m % 12 + 1, 100)] for m in range(24)])
        for name, how in (("demand-ratchet-chosen-months", {"ratchet_fraction": 0.75, "ratchet_peak_months": [1, 4, 12]}),
                          ("demand-ratchet-6-month-window", {"ratchet_fraction": 0.75, "ratchet_months": 6})):
            given, published = self.case(name)
            charges = [{"per_kw_month": rate, "months": [m]} | how for m, rate in enumerate(given["monthly_demand_rates"], 1)]
            billed = [month["cost"] for month in load({"demand_charges": charges}, kw, 24)["by_month"][12:]]
            expected = [kw * rate for kw, rate in zip(published["monthly_peaks"], given["monthly_demand_rates"])]
            self.near(billed, expected, 1e-6)
            self.near(math.fsum(billed), published["demand_cost"], 1e-6)

    def test_energy_two_tiers(self):
        given, published = self.case("energy-two-tiers")
        (above, first), (_, second) = given["tiers"]
        days = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
        kw = steps("date", [[f"2027-{m + 1:02d}-01", given["monthly_kwh"] / (24 * d)] for m, d in enumerate(days)])
        site = {"energy_price": first + given["adjustment"],
                "energy_tiers": [{"above_kwh_month": above, "add_per_kwh": second - first}]}
        self.near(load(site, kw, 12)["total"]["cost"], published["year_one_energy_cost"], 0.005)

    def test_demand_tou_windows(self):
        """The second tier of either window is never reached."""
        given, published = self.case("demand-tou-windows-ssc")
        days = [[24 * day + hour, on] for day in range(5) for hour, on in ((15, 1), (20, 0))]
        window = steps("hour_of_week", days)
        rest = {**window, "points": [[x, 1 - on] for x, on in days]}
        prices = given["window_prices"]
        charges = [{"per_kw_month": prices[key][0][1], "hours": hours} for key, hours in (("1", window), ("2", rest))]
        kw = steps("hour_of_day", [[hour, kw] for hour, kw in enumerate(given["day_kw"])])
        self.near(load({"demand_charges": charges}, kw, 1)["total"]["cost"], published["january"], 1e-6)

    def test_demand_blended_flat(self):
        given, published = self.case("demand-blended-flat")
        site = {"energy_price": given["energy"], "demand_charge_per_kw_month": given["demand_per_kw_month"]}
        by_category = load(site, given["annual_kwh"] / 8760, 12)["by_category"]
        self.near([by_category[name]["cost"] for name in ("energy", "demand_charge")],
                  [published["energy"], published["demand"]], 0.005)

    def test_tokens_per_watt(self):
        """Joules a token are 3.6e6 / units_per_kwh."""
        given, published = self.case("tokens-per-watt-inferencex")
        for name, kw in given["power_kw"].items():
            for of, joules in published[name].items():
                rate = given["tokens_per_s_per_gpu"][of]
                device = {"kind": "gpu"} | line(0, kw * 1000)
                pool = {"id": "own", "kind": "owned", "site": QUIET, "purchases": [{"month": 0, "servers": 1}],
                        "server": {"device": device, "devices": 1, "price": 0, "life_months": 12}}
                work = {"id": "w", "kind": "inference", "demand": {"mean_per_s": rate},
                        "runs_on": [{"pool": "own", "performance": {"units_per_s": rate}}]}
                per_kwh = run([work], [pool])["by_workload"]["w"]["units_per_kwh"]
                self.near(3.6e6 / per_kwh, joules, 5e-5)


if __name__ == "__main__":
    skips.main()
