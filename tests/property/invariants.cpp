// The checks, each by evaluating a document and a changed copy of it.
#include "tests/property/invariants.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <type_traits>

#include <fmt/format.h>

#include "model/dispatch/dispatch.hpp"
#include "model/documents/walk.hpp"
#include "model/questions/variant.hpp"
#include "tests/support/scenarios.hpp"

namespace costcurve::tests {

using namespace costcurve::model;

namespace {

constexpr double kTolerance = 1e-9;

// Collects breaches; `scale` is the size of the terms, so that sums that cancel are judged by what they are made of.
class Checker {
public:
    explicit Checker(double scale) : scale_(scale) {}
    void equal(std::string_view what, double a, double b) {
        if (!(std::fabs(a - b) <= kTolerance * std::max({scale_, std::fabs(a), std::fabs(b)}))) {
            breaches.push_back(fmt::format("{}: {} is not {}", what, a, b));
        }
    }
    void at_most(std::string_view what, double a, double b) {
        if (!(a <= b + kTolerance * std::max({1.0, std::fabs(a), std::fabs(b)}))) {
            breaches.push_back(fmt::format("{}: {} is above {}", what, a, b));
        }
    }
    Breaches breaches;

private:
    double scale_;
};

double gross(const Ledger& ledger) {
    double sum = 0.0;
    for (std::size_t m = 0; m < ledger.months; ++m) {
        for (std::size_t p = 0; p <= ledger.pools; ++p) {
            for (std::size_t c = 0; c < kCategories; ++c) {
                sum += std::fabs(ledger.cost(m, p, c)) + std::fabs(ledger.cash(m, p, c));
            }
        }
    }
    return sum;
}

void double_rate(Rate& rate) {
    rate.number *= 2;
    if (rate.curve) {
        for (double& y : rate.curve->y) {
            y *= 2;
        }
    }
}

void double_extras(std::vector<ExtraCost>& extras) { // fractions of what is doubled stay
    for (ExtraCost& extra : extras) {
        for (double* amount : {&extra.per_month, &extra.per_unit_month, &extra.once}) {
            *amount *= 2;
        }
    }
}

void double_site(Site& site) {
    double_rate(site.energy_price);
    double_extras(site.extra_costs);
    for (DemandCharge& charge : site.demand_charges) {
        charge.per_kw_month *= 2;
        charge.per_kw_year *= 2;
        for (DemandTier& tier : charge.tiers) {
            tier.add_per_kw_month *= 2;
        }
    }
    for (EnergyTier& tier : site.energy_tiers) {
        tier.add_per_kwh *= 2;
    }
    for (Rider& rider : site.riders) { // fractions of what is doubled stay
        for (double* amount : {&rider.per_month, &rider.per_kwh, &rider.per_kw}) {
            *amount *= 2;
        }
    }
    if (site.minimum_bill) {
        site.minimum_bill->per_month *= 2;
        site.minimum_bill->per_kw_month *= 2;
    }
    if (site.reactive) {
        site.reactive->per_kvar_month *= 2;
        site.reactive->per_kvarh *= 2;
    }
    for (double* price : {&site.demand_charge_per_kw_month, &site.space_per_kw_month, &site.space_per_rack_month,
                          &site.facility_price_per_w, &site.salary_per_year, &site.network_per_month, &site.storage_per_month}) {
        *price *= 2;
    }
}

void double_price(std::optional<UnitPrice>& price) {
    if (!price) {
        return;
    }
    double_rate(price->total);
    for (std::optional<Rate>* rate :
         {&price->input, &price->cached_input, &price->cache_write, &price->output, &price->reasoning}) {
        if (*rate) {
            double_rate(**rate);
        }
    }
}

void double_provisioned(std::optional<Provisioned>& provisioned) {
    if (provisioned && provisioned->price_per_unit_hour) {
        double_rate(*provisioned->price_per_unit_hour);
    }
    for (std::size_t i = 0; provisioned && i < provisioned->terms.size(); ++i) {
        for (std::optional<double>* const price :
             {&provisioned->terms[i].price_per_unit_hour, &provisioned->terms[i].price_per_unit_month}) {
            *price = *price ? std::optional(2 * **price) : std::nullopt;
        }
    }
}

// Bills that are twice as high pass thresholds twice as high.
void double_support(ScenarioDocument& document) {
    for (SupportPlan& plan : document.support_plans) {
        plan.minimum_per_month *= 2;
        for (SupportBracket& bracket : plan.brackets) {
            bracket.above *= 2;
        }
    }
}

void double_volume_prices(Offer& offer) {
    for (EgressTier& tier : offer.egress_tiers) {
        tier.price_per_gb *= 2;
    }
    if (offer.storage_per_gb_month) {
        *offer.storage_per_gb_month *= 2;
    }
    if (offer.resale && offer.resale->sales_limit) {
        *offer.resale->sales_limit *= 2;
    }
}

std::optional<double> twice(std::optional<double> amount) { return amount ? std::optional(2 * *amount) : std::nullopt; }

ScenarioDocument with_doubled_prices(ScenarioDocument document) {
    document.finance.carbon_price_per_tonne *= 2;
    document.finance.engineer_week_cost *= 2;
    double_extras(document.extra_costs);
    document.finance.taxable_income_per_year = twice(document.finance.taxable_income_per_year);
    for (SpendCommitment& commitment : document.spend_commitments) {
        commitment.hourly_spend *= 2;
    }
    double_support(document);
    for (Workload& workload : document.workloads) {
        workload.unserved_cost_per_unit *= 2;
    }
    for (Pool& pool : document.pools) {
        double_extras(pool.extra_costs);
        if (pool.offer) {
            double_rate(pool.offer->hourly_price);
            pool.offer->upfront *= 2;
            pool.offer->egress_per_gb *= 2;
            double_volume_prices(*pool.offer);
            if (pool.offer->site) {
                double_site(*pool.offer->site);
            }
        }
        if (pool.server) {
            for (double* price : {&pool.server->price, &pool.server->network_price, &pool.server->storage_price,
                                  &pool.server->software_per_device_year}) {
                *price *= 2;
            }
        }
        if (pool.site) {
            double_site(*pool.site);
        }
        for (ServerPurchase& purchase : pool.purchases) {
            if (purchase.price) {
                *purchase.price *= 2;
            }
            if (purchase.lease) {
                purchase.lease->payment_per_server_month *= 2;
                purchase.lease->upfront_per_server *= 2;
                purchase.lease->buyout_per_server = twice(purchase.lease->buyout_per_server);
            }
        }
        HostedModel& model = pool.endpoint ? static_cast<HostedModel&>(*pool.endpoint) : pool;
        double_price(model.price_per_million_units);
        double_provisioned(model.provisioned);
        for (PriceAbove& above : model.above) {
            double_price(above.price_per_million_units);
        }
        for_each_field<HostedFees>([&](const auto& field) {
            if (model.fees && (*model.fees).*field.member) {
                double_rate(*((*model.fees).*field.member));
            }
        });
        for_each_field<ServiceTiers>([&](const auto& field) {
            if (model.service_tiers && (*model.service_tiers).*field.member) {
                TierPrices& tier = *((*model.service_tiers).*field.member);
                double_price(tier.price_per_million_units);
                for (PriceAbove& above : tier.above) {
                    double_price(above.price_per_million_units);
                }
            }
        });
    }
    return document;
}

} // namespace

Breaches parts_sum_to_the_total(const ScenarioDocument& document) {
    const Answer answer = evaluate_document(document);
    const Summary& summary = answer.summary;
    Checker check(gross(answer.ledger));
    Amounts months;
    Amounts pools;
    Amounts categories;
    double energy = 0.0;
    double carbon = 0.0;
    for (const MonthSummary& month : summary.months) {
        months.cost += month.total.cost;
        months.cash += month.total.cash;
        Amounts by_pool;
        for (const Amounts& pool : month.by_pool) {
            by_pool.cost += pool.cost;
        }
        check.equal("pools of a month", by_pool.cost, month.total.cost);
    }
    for (const PoolSummary& pool : summary.pools) {
        pools.cost += pool.total.cost;
        pools.cash += pool.total.cash;
        energy += pool.meters.energy_kwh.at_least;
        carbon += pool.meters.carbon_kg.at_least;
    }
    for (const Amounts& category : summary.by_category) {
        categories.cost += category.cost;
        categories.cash += category.cash;
    }
    double workloads = summary.unallocated_cost;
    for (const WorkloadSummary& workload : summary.workloads) {
        workloads += workload.cost;
    }
    check.equal("months, cost", months.cost, summary.total.cost);
    check.equal("months, cash", months.cash, summary.total.cash);
    check.equal("pools, cost", pools.cost, summary.total.cost);
    check.equal("pools, cash", pools.cash, summary.total.cash);
    check.equal("categories, cost", categories.cost, summary.total.cost);
    check.equal("categories, cash", categories.cash, summary.total.cash);
    check.equal("workloads and unallocated", workloads, summary.total.cost);
    Checker physical(std::fabs(summary.meters.energy_kwh.at_least) + std::fabs(summary.meters.carbon_kg.at_least));
    physical.equal("energy of pools", energy, summary.meters.energy_kwh.at_least);
    physical.equal("carbon of pools", carbon, summary.meters.carbon_kg.at_least);
    check.breaches.insert(check.breaches.end(), physical.breaches.begin(), physical.breaches.end());
    return check.breaches;
}

Breaches ledger_rows_sum_to_the_total(const ScenarioDocument& document) {
    const Answer answer = evaluate_document(document);
    Checker check(gross(answer.ledger));
    Amounts total;
    std::vector<double> by_workload(document.workloads.size());
    for (const LedgerRow& row : ledger_rows(answer.scenario.document(), answer.ledger)) {
        total.cost += row.cost;
        total.cash += row.cash;
        if (row.workload != LedgerRow::kNone) {
            by_workload[row.workload] += row.cost;
        }
    }
    check.equal("rows, cost", total.cost, answer.summary.total.cost);
    check.equal("rows, cash", total.cash, answer.summary.total.cash);
    for (std::size_t w = 0; w < by_workload.size(); ++w) {
        check.equal("rows of a workload", by_workload[w], answer.summary.workloads[w].cost);
    }
    return check.breaches;
}

std::vector<ScenarioDocument> allocated_otherwise(ScenarioDocument document) {
    const double share = 1.0 / static_cast<double>(document.workloads.size());
    Allocation fixed{AllocationBasis::fixed, std::nullopt, {}};
    for (std::size_t w = 0; w < document.workloads.size(); ++w) {
        document.workloads[w].tags = {{"team", w % 2 == 0 ? "even" : "odd"}, {w == 0 ? "first" : "later", "yes"}};
        fixed.shares[document.workloads[w].id] = share;
    }
    std::vector<ScenarioDocument> documents;
    for (const Allocation& rule :
         {Allocation{AllocationBasis::reserved, IdleRule::apart, {}}, Allocation{AllocationBasis::used, IdleRule::spread, {}},
          Allocation{AllocationBasis::used, IdleRule::apart, {}}, fixed}) {
        documents.push_back(document);
        documents.back().allocation = rule;
    }
    return documents;
}

Breaches every_allocation_sums_to_the_total(const ScenarioDocument& document) {
    Breaches breaches;
    for (const ScenarioDocument& other : allocated_otherwise(document)) {
        const Breaches rows = ledger_rows_sum_to_the_total(other);
        breaches.insert(breaches.end(), rows.begin(), rows.end());
        const Answer answer = evaluate_document(other);
        const Summary& summary = answer.summary;
        Checker check(gross(answer.ledger));
        Checker physical(summary.meters.energy_kwh.at_least);
        double cost = summary.unallocated_cost;
        for (const WorkloadSummary& workload : summary.workloads) {
            cost += workload.cost;
        }
        double idle = 0.0;
        for (const PoolSummary& pool : summary.pools) {
            idle += pool.idle_cost;
        }
        check.equal("workloads and unallocated", cost, summary.total.cost);
        check.equal("idle cost of pools and of none", idle, summary.unallocated_cost);
        for (const TagSummary& tag : summary.by_tag) {
            Borne sum;
            for (const Borne& borne : tag.borne) {
                sum.cost += borne.cost;
                sum.cash += borne.cash;
                sum.npv += borne.npv;
                add(sum.meters, borne.meters);
            }
            check.equal("cost of a tag", sum.cost, summary.total.cost);
            check.equal("cash of a tag", sum.cash, summary.total.cash);
            check.equal("npv of a tag", sum.npv, summary.npv);
            physical.equal("energy of a tag", sum.meters.energy_kwh.at_least, summary.meters.energy_kwh.at_least);
        }
        for (const Checker* checker : {&check, &physical}) {
            breaches.insert(breaches.end(), checker->breaches.begin(), checker->breaches.end());
        }
    }
    return breaches;
}

Breaches work_is_conserved(const ScenarioDocument& document) {
    const Answer answer = evaluate_document(document);
    Breaches breaches;
    for (const WorkloadSummary& workload : answer.summary.workloads) {
        Checker check(workload.units_demanded);
        check.equal("served + unserved", workload.units_served + workload.units_unserved, workload.units_demanded);
        check.at_most("nothing negative", -std::min(workload.units_served, workload.units_unserved), 0.0);
        breaches.insert(breaches.end(), check.breaches.begin(), check.breaches.end());
    }
    return breaches;
}

Breaches reserved_is_paid_and_there(const ScenarioDocument& document) {
    const auto scenario = make_scenario(document);
    const Compiled compiled = compile(*scenario);
    Workspace work(compiled);
    Checker check(0.0);
    evaluate(compiled, work); // sizes and fills the ledger; the hours are walked again below
    const Ledger ledger = work.ledger;
    work.ledger = compiled.fixed;
    for (std::size_t m = 0; m < compiled.months; ++m) {
        const MonthView month = view_month(compiled, m);
        dispatch_month(compiled, m, month, work);
        for (std::size_t p = 0; p < compiled.pools.size(); ++p) {
            const CompiledPool& pool = compiled.pools[p];
            const Workspace::PoolHours& hours = work.pools[p];
            if (pool.kind == PoolKind::api || !hours.touched) { // untouched: nothing is reserved
                continue;
            }
            const double there = pool.units_serving[m] * pool.devices_per_unit;
            for (std::size_t h = 0; h < month.distinct; ++h) {
                const double reserved = pool.defers ? hours.reserved[h] : there - hours.free[h];
                double paid = pool.units_paid[m] * pool.devices_per_unit;
                if (pool.follows_demand) {
                    paid = std::max(paid, (hours.inference[h] + (pool.defers ? hours.training[h] : 0.0)) * pool.devices_per_unit);
                }
                check.at_most("busy and reserved", hours.busy[h], reserved);
                check.at_most("reserved and paid", reserved, paid);
                check.at_most("reserved and there", reserved, there);
                check.at_most("paid and bound", paid, std::max(there, pool.units_paid[m] * pool.devices_per_unit));
            }
            check.at_most("busy hours of a month", ledger.busy_hours(m, p), ledger.available_hours(m, p));
        }
    }
    return check.breaches;
}

Breaches doubled_prices_double_costs(const ScenarioDocument& document) {
    const Answer once = evaluate_document(document);
    const Answer twice = evaluate_document(with_doubled_prices(document));
    Checker check(gross(once.ledger));
    for (std::size_t c = 0; c < kCategories; ++c) {
        const auto name = name_of(static_cast<Category>(c));
        check.equal(fmt::format("{}, cost", name), twice.summary.by_category[c].cost, 2 * once.summary.by_category[c].cost);
        check.equal(fmt::format("{}, cash", name), twice.summary.by_category[c].cash, 2 * once.summary.by_category[c].cash);
    }
    check.equal("npv", twice.summary.npv, 2 * once.summary.npv);
    check.equal("npv after tax", twice.summary.npv_after_tax, 2 * once.summary.npv_after_tax);
    Checker energy(once.summary.meters.energy_kwh.at_least);
    energy.equal("energy", twice.summary.meters.energy_kwh.at_least, once.summary.meters.energy_kwh.at_least);
    check.breaches.insert(check.breaches.end(), energy.breaches.begin(), energy.breaches.end());
    return check.breaches;
}

Breaches converted_curves_cost_the_same(const ScenarioDocument& document) {
    ScenarioDocument converted = document;
    for (Pool& pool : converted.pools) {
        std::string at;
        walk(pool, at, {}, [&]<class T>(T& part, const std::string& /*pointer*/, const FieldSpec& /*spec*/) {
            if constexpr (std::is_same_v<T, Curve>) {
                if (!part.currency.empty() && part.currency != document.currency) {
                    for (double& y : part.y) {
                        y *= document.exchange_rates.at(part.currency);
                    }
                    part.currency = document.currency;
                }
            }
        });
    }
    const Answer stated = evaluate_document(document);
    const Answer again = evaluate_document(converted);
    Checker check(gross(stated.ledger));
    check.equal("cost", again.summary.total.cost, stated.summary.total.cost);
    check.equal("cash", again.summary.total.cash, stated.summary.total.cash);
    check.equal("npv", again.summary.npv, stated.summary.npv);
    return check.breaches;
}

Breaches longer_routes_serve_no_less(const ScenarioDocument& document) {
    const Answer whole = evaluate_document(document);
    Breaches breaches;
    for (std::size_t w = 0; w < document.workloads.size(); ++w) {
        const Workload& workload = document.workloads[w];
        const bool is_slow_first = workload.is_run() && workload.routing == Routing::cheapest; // what is cheap may be slow
        if (workload.runs_on.size() < 2 || is_slow_first || workload.fall_back_after_days) {
            continue;
        }
        ScenarioDocument shorter = document;
        if (workload.runs_on.front().share || workload.runs_on.front().phase) { // a shorter list would be other work
            continue;
        }
        shorter.workloads[w].runs_on.pop_back();
        const Answer answer = evaluate_document(shorter);
        Checker check(0.0);
        check.at_most("served by a shorter route", answer.summary.workloads[w].units_served,
                      whole.summary.workloads[w].units_served);
        breaches.insert(breaches.end(), check.breaches.begin(), check.breaches.end());
    }
    return breaches;
}

Breaches cost_is_cash_over_the_horizon(const ScenarioDocument& document) {
    ScenarioDocument plain = document;
    plain.finance.discount_rate = 0;
    plain.finance.capital = Capital::straight_line;
    const Answer answer = evaluate_document(plain);
    Checker check(gross(answer.ledger));
    AmountsByCategory amounts = answer.summary.by_category;
    Amounts& disposal = amounts[static_cast<std::size_t>(Category::disposal)];
    amounts[static_cast<std::size_t>(Category::hardware)].cost += disposal.cost; // the sale's cash is in hardware
    disposal = {};
    for (std::size_t c = 0; c < kCategories; ++c) {
        check.equal(name_of(static_cast<Category>(c)), amounts[c].cost, amounts[c].cash);
    }
    check.equal("npv is cash", answer.summary.npv, answer.summary.total.cash);
    return check.breaches;
}

Breaches evaluation_allocates_nothing(const ScenarioDocument& document) {
    const Result<Scenario> scenario = make_scenario(document);
    const Compiled compiled = compile(*scenario);
    Workspace work(compiled);
    evaluate(compiled, work); // the ledger's first copy may
    const std::size_t before = allocations_so_far();
    evaluate(compiled, work);
    const std::size_t made = allocations_so_far() - before;
    return made == 0 ? Breaches() : Breaches{fmt::format("{} allocations", made)};
}

Breaches figures_are_finite(const ScenarioDocument& document) {
    const Answer answer = evaluate_document(document);
    const Summary& summary = answer.summary;
    std::vector<std::pair<std::string, double>> figures = {{"money", gross(answer.ledger)},
                                                           {"npv", summary.npv},
                                                           {"after tax", summary.npv_after_tax},
                                                           {"energy", summary.meters.energy_kwh.at_least},
                                                           {"carbon", summary.meters.carbon_kg.at_least}};
    for (const PoolSummary& pool : summary.pools) {
        figures.emplace_back("utilization", pool.utilization_fraction.value_or(0));
        figures.emplace_back("cost per device-hour", pool.cost_per_reserved_device_hour.value_or(0));
    }
    for (const WorkloadSummary& workload : summary.workloads) {
        figures.emplace_back("cost per quantity", workload.cost_per_quantity.value_or(0));
        figures.emplace_back("levelized", workload.levelized_cost_per_million_units.value_or(0));
    }
    Breaches breaches;
    for (const auto& [name, value] : figures) {
        if (!std::isfinite(value)) {
            breaches.push_back(fmt::format("{} is {}", name, value));
        }
    }
    return breaches;
}

Breaches evaluation_is_deterministic(const ScenarioDocument& document) {
    const Answer first = evaluate_document(document);
    Workspace reused(first.compiled);
    evaluate(first.compiled, reused);
    evaluate(first.compiled, reused); // scratch that was used before changes nothing
    const Summary again = summarize(first.scenario, first.compiled, reused.ledger);
    Breaches breaches;
    if (again.total.cost != first.summary.total.cost || again.npv_after_tax != first.summary.npv_after_tax ||
        again.meters.energy_kwh.at_least != first.summary.meters.energy_kwh.at_least) {
        breaches.push_back(fmt::format("{} and {}", again.total.cost, first.summary.total.cost));
    }
    return breaches;
}

Breaches folding_changes_no_bit(const ScenarioDocument& document) {
    const Answer folded = evaluate_document(document);
    Compiled compiled = compile(folded.scenario);
    compiled.hours.folds.clear();
    Workspace work(compiled);
    const Summary by_hour = summarize(folded.scenario, compiled, evaluate(compiled, work));
    Breaches breaches;
    const auto hold = [&](const char* what, std::span<const double> a, std::span<const double> b) {
        if (!std::ranges::equal(std::as_bytes(a), std::as_bytes(b))) {
            breaches.emplace_back(what);
        }
    };
    hold("cost", folded.ledger.cost.numbers(), work.ledger.cost.numbers());
    hold("cash", folded.ledger.cash.numbers(), work.ledger.cash.numbers());
    hold("served", folded.ledger.served.numbers(), work.ledger.served.numbers());
    hold("demanded", folded.ledger.demanded.numbers(), work.ledger.demanded.numbers());
    hold("reserved", folded.ledger.reserved_hours.numbers(), work.ledger.reserved_hours.numbers());
    hold("used", folded.ledger.used_hours.numbers(), work.ledger.used_hours.numbers());
    hold("busy", folded.ledger.busy_hours.numbers(), work.ledger.busy_hours.numbers());
    hold("available", folded.ledger.available_hours.numbers(), work.ledger.available_hours.numbers());
    hold("energy", folded.ledger.energy_kwh.numbers(), work.ledger.energy_kwh.numbers());
    hold("carbon", folded.ledger.carbon_kg.numbers(), work.ledger.carbon_kg.numbers());
    hold("water", folded.ledger.water_l.numbers(), work.ledger.water_l.numbers());
    hold("peaks", folded.ledger.peak_kw.numbers(), work.ledger.peak_kw.numbers());
    hold("peaks of sites", folded.ledger.site_peak_kw.numbers(), work.ledger.site_peak_kw.numbers());
    hold("charges", folded.ledger.charge_kw.numbers(), work.ledger.charge_kw.numbers());
    hold("npv", std::span(&folded.summary.npv, 1), std::span(&by_hour.npv, 1));
    return breaches;
}

Breaches variants_are_their_documents(const ScenarioDocument& document) {
    constexpr std::size_t kTried = 8;
    const std::vector<std::string> pointers = number_pointers(document);
    Breaches breaches;
    Variant variant(document);
    for (std::size_t i = 0; i < kTried; ++i) { // inputs from all over the document, one on top of the other
        const std::size_t input = variant.bind(pointers[(i * pointers.size() / kTried + 7 * i) % pointers.size()], "").value();
        if (variant.set(input, variant.input(input).base.value_or(1.0) * 0.9, "")) {
            continue;
        }
        const auto evaluated = variant.evaluate();
        if (!evaluated) {
            variant.reset(input);
            continue;
        }
        const Ledger& kept = (*evaluated)->workspace.ledger;
        const Answer fresh = evaluate_document(variant.document());
        const auto differs = [&](std::size_t m, std::size_t p) {
            bool different = kept.energy_kwh(m, p) != fresh.ledger.energy_kwh(m, p);
            for (std::size_t c = 0; c < kCategories; ++c) {
                different = different || kept.cost(m, p, c) != fresh.ledger.cost(m, p, c);
            }
            return different;
        };
        for (std::size_t m = 0; m < fresh.ledger.months; ++m) {
            for (std::size_t p = 0; p <= fresh.ledger.pools; ++p) {
                if (differs(m, p)) {
                    breaches.push_back(fmt::format("{}: month {}, pool {}", variant.input(input).pointer, m, p));
                }
            }
        }
        if ((*evaluated)->summary.npv_after_tax != fresh.summary.npv_after_tax) {
            breaches.push_back(fmt::format("{}: npv_after_tax", variant.input(input).pointer));
        }
    }
    return breaches;
}

Breaches no_tax_changes_nothing(const ScenarioDocument& document) {
    ScenarioDocument untaxed = document;
    untaxed.finance.tax_rate = 0;
    untaxed.finance.investment_credit_fraction = 0;
    untaxed.finance.taxable_income_per_year.reset();
    untaxed.finance.loss_offset_fraction = 1;
    const Answer answer = evaluate_document(untaxed);
    ScenarioDocument taxed = untaxed;
    taxed.finance.tax_rate = 1e-12;
    Checker check(gross(answer.ledger));
    check.equal("npv", answer.summary.npv_after_tax, answer.summary.npv);
    check.equal("npv at a tax of 1e-12", evaluate_document(taxed).summary.npv_after_tax, answer.summary.npv);
    return check.breaches;
}

} // namespace costcurve::tests
