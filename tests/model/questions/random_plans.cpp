// Draws figures from a linear congruential generator, so that every machine draws the same.
#include "tests/model/questions/random_plans.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "tests/support/scenarios.hpp"

namespace costcurve::tests {

using namespace costcurve::model;

namespace {

class Dice {
public:
    explicit Dice(std::uint64_t seed) : state_(seed * 2862933555777941757ULL + 3037000493ULL) {}
    double between(double low, double high) {
        state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL; // D. E. Knuth, MMIX
        return low + (high - low) * static_cast<double>(state_ >> 11U) * 0x1p-53;
    }
    int whole(int low, int high) { return static_cast<int>(std::floor(between(low, high + 1))); }
    bool chance(double probability) { return between(0, 1) < probability; }

private:
    std::uint64_t state_;
};

Rate hours_of_day(Dice& dice, CurveKind kind, double low, double high) {
    std::vector<double> x(24);
    std::vector<double> y(24);
    const bool steps = dice.chance(0.5);
    for (int h = 0; h < 24; ++h) {
        x[static_cast<std::size_t>(h)] = h;
        y[static_cast<std::size_t>(h)] = steps ? (h >= 8 && h < 18 ? high : low) : dice.between(low, high);
    }
    return curve(kind, Axis::hour_of_day, std::move(x), std::move(y), Interpolation::step);
}

Device random_device(Dice& dice) {
    Device device;
    device.id = "device";
    device.idle_w = dice.between(0, 200);
    device.tdp_w = dice.between(300, 900);
    if (device.idle_w > 140) {
        device.loaded_idle_w = device.tdp_w / 3;
    }
    if (dice.chance(0.6)) {
        const Axis axis = device.idle_w < 60 ? Axis::busy_time : Axis::throughput_share;
        device.power = curve(CurveKind::power, axis, {0, dice.between(0.1, 0.4), dice.between(0.5, 0.9), 1},
                             {dice.between(50, 150), dice.between(50, 600), dice.between(100, 700), dice.between(300, 800)},
                             dice.chance(0.2) ? Interpolation::step : Interpolation::linear)
                           .curve;
    }
    return device;
}

Site random_site(Dice& dice) {
    Site site;
    site.energy_price = dice.chance(0.6) ? hours_of_day(dice, CurveKind::tariff, dice.chance(0.2) ? -0.1 : 0.05, 0.4)
                                         : flat(dice.between(0.05, 0.3));
    site.energy_price_growth_rate = dice.between(-0.1, 0.2);
    site.demand_charge_per_kw_month = dice.chance(0.4) ? dice.between(0, 20) : 0.0;
    site.pue = dice.chance(0.3)   ? hours_of_day(dice, CurveKind::pue, 1.1, 1.6)
               : dice.chance(0.3) ? curve(CurveKind::pue, Axis::load, {0, 0.5, 1}, {1.9, 1.3, 1.4})
                                  : flat(dice.between(1, 1.8));
    site.carbon_g_per_kwh = dice.chance(0.5) ? hours_of_day(dice, CurveKind::carbon, 100, 600) : flat(dice.between(0, 600));
    site.space_per_kw_month = dice.chance(0.5) ? dice.between(0, 200) : 0.0;
    site.fte = dice.between(0, 0.05);
    site.fte_per_server = dice.between(0, 0.01);
    site.salary_per_year = 1e5;
    if (dice.chance(0.3)) {
        site.rack_kw = dice.between(15, 40);
        site.space_per_rack_month = dice.between(0, 500);
    }
    if (dice.chance(0.3)) {
        site.facility_price_per_w = dice.between(0, 10);
        site.facility_life_months = dice.whole(2, 120);
    }
    return site;
}

void make_owned(Dice& dice, Pool& pool) {
    pool.kind = PoolKind::owned;
    Server& server = pool.server.emplace();
    server.device = random_device(dice);
    server.devices = dice.whole(1, 8);
    server.price = dice.between(500, 30000);
    server.network_price = dice.between(0, 500);
    server.price_change_rate = dice.between(-0.4, 0.1);
    server.life_months = dice.whole(2, 48);
    server.residual_fraction = flat(dice.between(0, 0.3));
    server.host_idle_w = dice.between(0, 300);
    server.host_max_w = server.host_idle_w + dice.between(0, 500);
    server.maintenance_rate = dice.between(0, 0.1);
    server.software_per_device_year = dice.between(0, 500);
    server.embodied_kg = dice.between(0, 2000);
    pool.site = random_site(dice);
    pool.refresh = dice.chance(0.5);
    pool.ramp_months = dice.chance(0.3) ? 1 : 0;
    pool.load_balancing = dice.chance(0.3) ? LoadBalancing::pack : LoadBalancing::spread;
    for (int purchases = dice.whole(1, 2); purchases > 0; --purchases) {
        ServerPurchase& purchase = pool.purchases.emplace_back();
        purchase.month = dice.whole(-3, 1);
        purchase.servers = dice.whole(0, 2);
        if (dice.chance(0.3)) {
            purchase.price = dice.between(500, 30000);
        }
    }
}

void make_cloud(Dice& dice, Pool& pool) {
    Offer& offer = pool.offer.emplace();
    offer.device = random_device(dice);
    offer.devices = dice.whole(1, 8);
    offer.hourly_price = flat(dice.between(0.5, 20));
    offer.price_growth_rate = dice.between(-0.3, 0.1);
    offer.egress_per_gb = dice.chance(0.3) ? dice.between(0, 0.1) : 0.0;
    offer.interruptions_per_hour = dice.chance(0.3) ? 0.02 : 0.0;
    const int kind = dice.whole(0, 2);
    offer.purchase = kind == 0 ? Purchase::on_demand : kind == 1 ? Purchase::spot : Purchase::reserved;
    pool.min_instances = dice.whole(0, 2);
    pool.max_instances = pool.min_instances + (kind == 2 ? 0 : dice.whole(0, 4));
    if (kind == 2 && dice.chance(0.5)) {
        offer.upfront = dice.between(0, 2000);
        offer.term_months = dice.whole(1, 12);
    }
    if (dice.chance(0.4)) {
        offer.site = random_site(dice);
    }
    pool.ramp_months = dice.chance(0.2) ? 1 : 0;
}

void make_api(Dice& dice, Pool& pool) {
    pool.kind = PoolKind::api;
    pool.price_per_million_units = tests::one_price(flat(dice.between(50, 3000)));
    if (dice.chance(0.5)) {
        pool.max_units_per_s = dice.between(0.5, 10);
    }
}

Workload random_workload(Dice& dice, const std::vector<Pool>& pools, int index) {
    Workload work;
    work.id = "work-" + std::to_string(index);
    work.kind = dice.chance(0.3) ? WorkloadKind::training : WorkloadKind::inference;
    work.routing = dice.chance(0.4) ? Routing::cheapest : Routing::in_order;
    work.egress_gb_per_unit = dice.chance(0.3) ? dice.between(0, 0.001) : 0.0;
    work.unserved_cost_per_unit = dice.chance(0.4) ? dice.between(0, 0.01) : 0.0;
    work.checkpoint.restart_s = dice.between(0, 900);
    const int devices = dice.whole(1, 3);
    for (const Pool& pool : pools) {
        if (pool.kind == PoolKind::api ? work.kind == WorkloadKind::training : dice.chance(0.15)) {
            continue;
        }
        RunsOn& runs_on = work.runs_on.emplace_back();
        runs_on.pool = pool.id;
        if (pool.kind != PoolKind::api) {
            runs_on.performance.emplace();
            runs_on.performance->devices = dice.chance(0.7) ? devices : dice.whole(1, 9);
            runs_on.performance->units_per_s = flat(dice.between(0.5, 3));
        }
    }
    if (work.kind == WorkloadKind::training) {
        work.units_per_epoch = dice.between(1e4, 3e6);
        work.epochs_per_month = flat(dice.between(0.5, 3));
    } else {
        work.demand.mean_per_s = dice.between(0.2, 5);
        work.demand.growth_per_month = dice.between(-0.1, 0.3);
        work.peak_utilization = dice.between(0.6, 1);
        if (dice.chance(0.7)) {
            work.demand.shape = hours_of_day(dice, CurveKind::demand, 0.2, 1.8);
        }
    }
    return work;
}

// What a utility bills beside energy and demand; the same at pools of one site.
Site with_bill(Dice& dice, Site site) {
    site.riders = {{.name = "rider",
                    .per_month = dice.between(0, 200),
                    .per_kwh = dice.between(-0.03, 0.05),
                    .per_kw = dice.chance(0.5) ? dice.between(0, 5) : 0.0,
                    .fraction_of_bill = dice.between(-0.3, 0.3)}};
    if (dice.chance(0.5)) {
        const double price = site.demand_charge_per_kw_month + dice.between(0, 10);
        site.demand_charges = {{.per_kw_month = price, .tiers = {{dice.between(0, 5), dice.between(-price, 5)}}},
                               {.per_kw_month = dice.between(0, 5), .coincident = true}};
        site.demand_charges[0].min_kw = dice.chance(0.3) ? dice.between(0, 20) : 0.0;
        site.demand_charge_per_kw_month = 0.0;
    }
    if (dice.chance(0.4)) {
        site.reactive = ReactiveCharge{dice.between(0.8, 1), dice.between(0, 2), dice.between(0, 0.01), dice.chance(0.5)};
    }
    if (dice.chance(0.4)) {
        site.minimum_bill = MinimumBill{dice.between(0, 500), dice.between(0, 20), std::nullopt};
    }
    return site;
}

void add_bills(Dice& dice, ScenarioDocument& scenario) {
    std::map<std::string, Site> billed;
    for (Pool& pool : scenario.pools) {
        for (ServerPurchase& purchase : pool.purchases) {
            purchase.lead_months = dice.chance(0.3) ? dice.whole(0, 6) : 0;
            purchase.paid_at_order_fraction = !purchase.lease && dice.chance(0.3) ? dice.between(0, 1) : 0.0;
        }
        if (pool.server) {
            pool.server->spares_fraction = dice.chance(0.3) ? dice.between(0, 0.2) : 0.0;
        }
        if (pool.site) {
            const auto known = billed.find(pool.site->id);
            *pool.site = !pool.site->id.empty() && known != billed.end() ? known->second : with_bill(dice, *pool.site);
            billed[pool.site->id] = *pool.site;
        }
    }
}

// Contracts, sites with several pools, and costs that come with capacity.
void add_contracts(Dice& dice, ScenarioDocument& scenario) {
    scenario.finance.at_end = dice.chance(0.5) ? AtEnd::exit : AtEnd::continuing;
    scenario.finance.inflation_rate = dice.chance(0.3) ? dice.between(-0.05, 0.2) : 0.0;
    scenario.finance.engineer_week_cost = dice.chance(0.3) ? 500 : 0;
    std::optional<Site> shared;
    for (Pool& pool : scenario.pools) {
        if (dice.chance(0.3)) {
            pool.extra_costs = {{.name = "more", .per_month = dice.between(-50, 200), .once = dice.between(-100, 300)}};
            if (pool.kind != PoolKind::api) {
                pool.extra_costs[0].per_unit_month = dice.between(-20, 50);
            }
            if (pool.kind != PoolKind::owned) {
                pool.extra_costs[0].fraction_of_bill = dice.between(-0.2, 0.2);
            }
        }
        if (pool.kind == PoolKind::cloud) {
            pool.discount_fraction = dice.chance(0.2) ? 0.1 : 0.0;
            pool.from_month = dice.chance(0.2) ? 1 : 0;
            continue;
        }
        if (pool.kind != PoolKind::owned) {
            continue;
        }
        pool.server->residual_fraction =
            dice.chance(0.5) ? curve(CurveKind::residual, Axis::age_months, {0, 48}, {0.7, 0.05}) : pool.server->residual_fraction;
        for (ServerPurchase& purchase : pool.purchases) {
            const int term = dice.whole(1, pool.server->life_months);
            if (dice.chance(0.25)) {
                purchase.price = std::nullopt;
                purchase.lease = Lease{dice.between(100, 900),
                                       term,
                                       dice.chance(0.5),
                                       dice.between(0, 200),
                                       dice.chance(0.5) ? LeaseEnd::leave : LeaseEnd::renew,
                                       std::nullopt};
            } else if (dice.chance(0.25)) {
                purchase.loan = Loan{dice.between(0, 1), dice.between(0, 0.2), term, static_cast<LoanKind>(dice.whole(0, 2))};
            }
        }
        Site& site = *pool.site;
        site.places = dice.chance(0.2) ? 2 : 1;
        if (dice.chance(0.3)) {
            site.energy_tiers = {{dice.between(0, 500), dice.between(-0.05, 0.2)}};
            site.extra_costs = {{.name = "cage", .per_month = dice.between(-30, 100), .per_unit_month = dice.between(0, 20)}};
        }
        if (shared && dice.chance(0.6) && !shared->rack_kw) {
            site = *shared;
        }
        site.id = "here";
        if (!shared) {
            shared = site;
        } else if (site.energy_price.number != shared->energy_price.number || site.fte != shared->fte) {
            site.id = "there-" + pool.id;
        }
    }
    for (Workload& work : scenario.workloads) {
        for (RunsOn& runs_on : work.runs_on) {
            runs_on.porting.engineer_weeks = dice.chance(0.3) ? dice.between(0, 3) : 0.0;
        }
    }
}

// Hosts that fail and are replaced, instances that are not always to be had, and spares.
void add_outages(Dice& dice, ScenarioDocument& scenario) {
    for (Pool& pool : scenario.pools) {
        if (pool.offer) {
            pool.offer->interruptions_per_hour = dice.chance(0.7) ? dice.between(0, 0.2) : 0.0;
            pool.offer->replacement_s = dice.between(0, 7200);
            if (dice.chance(0.5)) {
                pool.offer->availability_fraction = dice.between(0.5, 1);
            }
        }
        if (pool.server) {
            pool.server->failures_per_hour = dice.chance(0.7) ? dice.between(0, 0.02) : 0.0;
            pool.server->repair_hours = dice.between(0, 24);
        }
    }
    for (Workload& work : scenario.workloads) {
        if (work.kind == WorkloadKind::inference) {
            work.spare_replicas = dice.chance(0.5) ? dice.whole(1, 3) : 0;
            if (dice.chance(0.7)) {
                work.availability = dice.between(0, 0.9);
            }
        }
    }
}

void add_bursts(Dice& dice, ScenarioDocument& scenario) {
    for (Workload& work : scenario.workloads) {
        if (work.kind == WorkloadKind::inference && dice.chance(0.8)) {
            work.demand.burst = Burst{dice.between(1, 8), dice.chance(0.5) ? 360.0 : 120.0, 24};
        }
    }
}

// Instances that start for bursts, and requests that may wait for them.
void add_starts(Dice& dice, ScenarioDocument& scenario) {
    for (Pool& pool : scenario.pools) {
        if (pool.offer && (pool.offer->purchase == Purchase::on_demand || pool.offer->purchase == Purchase::spot)) {
            pool.offer->boot_s = dice.chance(0.3) ? 0.0 : 120.0;
            pool.offer->idle_timeout_s = dice.chance(0.3) ? 0.0 : 300.0;
            pool.offer->billing_step_s = dice.chance(0.8) ? 1.0 : 600.0;
        }
    }
    for (Workload& work : scenario.workloads) {
        if (work.kind != WorkloadKind::inference) {
            continue;
        }
        work.slo.ttft_s = 600;
        work.slo.percentile = 0;
        for (RunsOn& entry : work.runs_on) {
            if (entry.performance) {
                entry.performance->ttft_s = flat(1);
            }
        }
    }
}

std::vector<Decide> levers_of(Dice& dice, const ScenarioDocument& scenario) {
    std::vector<Decide> levers;
    for (std::size_t p = 0; p < scenario.pools.size(); ++p) {
        const Pool& pool = scenario.pools[p];
        const std::string at = "/pools/" + std::to_string(p);
        for (std::size_t j = 0; j < pool.purchases.size(); ++j) {
            const std::string purchase = at + "/purchases/" + std::to_string(j);
            levers.push_back({purchase + "/servers", 0, dice.whole(1, 4)});
            if (dice.chance(0.4)) {
                levers.push_back({purchase + "/month", dice.whole(-1, 0), std::min(scenario.months - 1, dice.whole(1, 3))});
            }
        }
        if (pool.kind == PoolKind::cloud) {
            levers.push_back({at + "/max_instances", dice.whole(0, 1), dice.whole(2, 6)});
            if (dice.chance(0.3) && pool.offer->purchase != Purchase::reserved) {
                levers.push_back({at + "/min_instances", 0, 2});
            }
        }
    }
    while (levers.size() > 3) {
        levers.erase(levers.begin() + dice.whole(0, static_cast<int>(levers.size()) - 1));
    }
    return levers;
}

// Where carbon is minimised or limited, that of every pool is stated.
void know_carbon(Dice& dice, ScenarioDocument& scenario) {
    for (Pool& pool : scenario.pools) {
        if (pool.kind == PoolKind::api) {
            pool.carbon_g_per_unit = dice.between(0, 0.01);
        } else if (pool.kind == PoolKind::cloud && !pool.offer->site) {
            pool.offer->site = random_site(dice);
        }
    }
}

} // namespace

RandomProblem random_problem(std::uint64_t seed) {
    Dice dice(seed);
    RandomProblem problem;
    ScenarioDocument& scenario = problem.scenario;
    scenario.start = {2026, 2};
    scenario.months = dice.whole(1, 4);
    scenario.finance.discount_rate = dice.chance(0.5) ? 0.1 : 0.0;
    scenario.finance.capital = dice.chance(0.3) ? Capital::annuity : Capital::straight_line;
    scenario.finance.carbon_price_per_tonne = dice.chance(0.3) ? 100 : 0;
    for (int pools = dice.whole(2, 3), p = 0; p < pools; ++p) {
        Pool& pool = scenario.pools.emplace_back();
        pool.id = "pool-" + std::to_string(p);
        const double kind = dice.between(0, 1);
        kind < 0.4 ? make_owned(dice, pool) : kind < 0.88 ? make_cloud(dice, pool) : make_api(dice, pool);
    }
    for (int works = dice.whole(1, 3), w = 0; w < works; ++w) {
        scenario.workloads.push_back(random_workload(dice, scenario.pools, w));
    }
    Dice more(seed + 0x5eedU);
    if (more.chance(0.6)) { // the others are as they were
        add_contracts(more, scenario);
    }
    Dice outages(seed + 0x0a7aU);
    if (outages.chance(0.6)) {
        add_outages(outages, scenario);
    }
    Dice bursts(seed + 0xb00057U);
    if (bursts.chance(0.3)) {
        add_bursts(bursts, scenario);
        if (bursts.chance(0.5)) {
            add_starts(bursts, scenario);
        }
    }
    Dice bills(seed + 0xb111U);
    if (bills.chance(0.4)) {
        add_bills(bills, scenario);
    }
    problem.question.decide = levers_of(dice, scenario);
    const int goal = dice.whole(0, 4);
    problem.question.minimize = goal < 2 ? Objective::cost : goal < 4 ? Objective::npv : Objective::carbon_kg;
    if (more.chance(0.3)) {
        problem.question.minimize = more.chance(0.5) ? Objective::cash : Objective::npv_after_tax;
        scenario.finance.tax_rate = more.chance(0.7) ? 0.3 : 0.0;
        scenario.finance.investment_credit_fraction =
            scenario.finance.tax_rate > 0.0 && bills.chance(0.3) ? bills.between(0, 0.4) : 0.0;
    }
    Limits& limits = problem.question.subject_to;
    limits.max_unserved_fraction = dice.chance(0.3) ? std::optional(0.0) : std::optional(dice.between(0, 0.6));
    if (dice.chance(0.2)) {
        limits.max_unserved_fraction = std::nullopt;
    }
    if (dice.chance(0.3)) {
        limits.max_capital = dice.between(0, 60000);
    }
    if (dice.chance(0.2)) {
        limits.max_carbon_kg = dice.between(500, 5000);
    }
    if (dice.chance(0.2)) {
        limits.max_rack_kw = dice.between(0, 20);
    }
    if (problem.question.minimize == Objective::carbon_kg || limits.max_carbon_kg) {
        know_carbon(more, scenario);
    }
    return problem;
}

ScenarioDocument with_plan(ScenarioDocument scenario, const std::vector<Decide>& decide, const Plan& plan) {
    for (std::size_t d = 0; d < decide.size(); ++d) {
        const std::string& pointer = decide[d].pointer;
        Pool& pool = scenario.pools[static_cast<std::size_t>(pointer[7] - '0')];
        const bool both = pool.offer && pool.offer->purchase == Purchase::reserved;
        if (pointer.ends_with("/servers")) {
            pool.purchases[static_cast<std::size_t>(pointer[19] - '0')].servers = plan[d];
        } else if (pointer.ends_with("/month")) {
            pool.purchases[static_cast<std::size_t>(pointer[19] - '0')].month = plan[d];
        }
        if (pointer.ends_with("/min_instances") || both) {
            pool.min_instances = plan[d];
        }
        if (pointer.ends_with("/max_instances") || both) {
            pool.max_instances = plan[d];
        }
    }
    return scenario;
}

std::map<Plan, double> brute_force(const RandomProblem& problem) {
    const std::vector<Decide>& decide = problem.question.decide;
    std::map<Plan, double> objectives;
    Plan plan;
    const auto visit = [&](const auto& self) -> void {
        if (plan.size() < decide.size()) {
            const Decide& next = decide[plan.size()];
            for (int value = next.min; value <= next.max; ++value) {
                plan.push_back(value);
                self(self);
                plan.pop_back();
            }
            return;
        }
        ScenarioDocument document = with_plan(problem.scenario, decide, plan);
        if (!issues_of(document).empty()) {
            return;
        }
        Answer answer = evaluate_document(std::move(document));
        const Limits& limits = problem.question.subject_to;
        const Summary& summary = answer.summary;
        bool keeps = summary.meters.carbon_kg.at_least <= limits.max_carbon_kg.value_or(HUGE_VAL);
        for (const WorkloadSummary& work : summary.workloads) {
            const double forgiven = work.loses_too_much ? 0.0 : work.units_lost_to_outages;
            keeps = keeps &&
                    work.units_unserved - forgiven <= (limits.max_unserved_fraction.value_or(1.0) + 1e-9) * work.units_demanded;
        }
        double capital = 0.0;
        for (std::size_t m = 0; m < answer.compiled.months; ++m) {
            double kw = 0.0;
            for (std::size_t p = 0; p < answer.compiled.pools.size(); ++p) {
                capital += capital_paid(answer.compiled, m, p);
                const CompiledPool& pool = answer.compiled.pools[p];
                kw += pool.kind == PoolKind::owned ? pool.units_paid[m] * pool.power.nameplate_w / 1000 : 0.0;
            }
            keeps = keeps && kw <= limits.max_rack_kw.value_or(HUGE_VAL);
        }
        if (keeps && capital <= limits.max_capital.value_or(HUGE_VAL)) {
            objectives[plan] = figure_of(summary, problem.question.minimize).value();
        }
    };
    visit(visit);
    return objectives;
}

} // namespace costcurve::tests
