// Judges feasibility workload by workload, then site by site.
#include "model/verdict.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "model/categories/term_resale.hpp"
#include "model/documents/units.hpp"

namespace costcurve::model {

namespace {

// Fraction of the demand; a smaller unserved part counts as rounding.
constexpr double kNegligible = 1e-9;
// Fraction of the demand. Larger losses to outages, if no availability is stated, bring a warning and exclude a cheapest option.
constexpr double kFewOutages = 0.001;

double share(double part, double whole) { return whole > 0 ? part / whole : 0.0; }

// Days of the horizon that a training run took, whether or not it ended.
double days_of_run(const Ledger& ledger, std::size_t w) {
    double days = 0.0;
    for (std::size_t m = 0; m < ledger.months; ++m) {
        days += ledger.run_days(m, w);
    }
    return days;
}

// Hours needed to finish a day's work, in the slowest month; at most the horizon's hours.
double hours_until_done(const ScenarioDocument& document, const Compiled& compiled, const Ledger& ledger, std::size_t w) {
    const CompiledWorkload& workload = compiled.workloads[w];
    const double deadline = *document.workloads[w].deadline_hours;
    double longest = 0.0;
    double horizon = 0.0;
    double carried = 0.0;
    for (std::size_t m = 0; m < ledger.months; ++m) {
        const double hours = compiled.hours.months[m].total;
        const double work = workload.work[m] + carried;
        double done = 0.0;
        for (std::size_t e = workload.first_entry; e < workload.end_entry; ++e) {
            done += ledger.served(m, e);
        }
        horizon += hours;
        const double undone = work - done;
        if (undone > kNegligible * work) {
            longest = std::max(longest, deadline < kHoursPerDay ? deadline * work / done : hours * undone / done);
        }
        carried = ledger.backlog(m, w);
    }
    return std::min(longest, horizon);
}

// Warns about pools whose servers are at several places: they are modelled as if at one place.
void warn_of_places(const ScenarioDocument& document, const Compiled& compiled, Summary& summary) {
    for (std::size_t p = 0; p < document.pools.size(); ++p) {
        const Pool& pool = document.pools[p];
        const auto serves = [&](const CompiledEntry& entry) {
            return entry.pool == p && !compiled.workloads[entry.workload].is_deferrable();
        };
        if (pool.kind == PoolKind::owned && pool.site->places > 1 && std::ranges::any_of(compiled.entries, serves)) {
            summary.warnings.push_back(
                {fmt::format("/pools/{}", p), Code::places_pooled,
                 fmt::format("the servers of the {} places of {} are reckoned as one pool, in which any serves the demand of all: "
                             "size one place by itself, with its part of the demand, and multiply",
                             pool.site->places, pool.site->id)});
        }
    }
}

/// Adds a warning for each entry of workload `w` that needs more devices at once than its pool has.
void warn_of_room(const ScenarioDocument& document, const Compiled& compiled, std::size_t w, Summary& summary) {
    const CompiledWorkload& target = compiled.workloads[w];
    for (std::size_t e = target.first_entry; e < target.end_entry; ++e) {
        const CompiledEntry& entry = compiled.entries[e];
        const CompiledPool& pool = compiled.pools[entry.pool];
        if (pool.kind == PoolKind::api) {
            continue;
        }
        const double most = *std::max_element(pool.units_serving.begin(), pool.units_serving.end()) * pool.devices_per_unit;
        const double needed = document.workloads[w].spare_hosts == 0 ? entry.devices : entry.held;
        if (most < needed) {
            summary.warnings.push_back({fmt::format("/workloads/{}/runs_on/{}", w, e - target.first_entry), Code::no_capacity,
                                        fmt::format("{} devices are needed at once; pool {} serves with {} at most", needed,
                                                    document.pools[entry.pool].id, most)});
        }
    }
}

} // namespace

void judge(const ScenarioDocument& document, const Compiled& compiled, const Ledger& ledger, Summary& summary) {
    for (std::size_t w = 0; w < document.workloads.size(); ++w) {
        const Workload& workload = document.workloads[w];
        WorkloadSummary& of_workload = summary.workloads[w];
        const double lost = share(of_workload.units_lost_to_outages, of_workload.units_demanded);
        const double undone = share(of_workload.units_unserved, of_workload.units_demanded) - lost;
        if (workload.unserved_cost_per_unit <= 0.0 && undone > workload.max_unserved_fraction + kNegligible) {
            summary.infeasible_because.push_back({InfeasibleCode::unserved, workload.id, undone, workload.max_unserved_fraction});
        }
        const double days = days_of_run(ledger, w);
        if (workload.is_run() && undone <= kNegligible) {
            of_workload.days = days;
        }
        if (workload.within_days && days > *workload.within_days * (1 + kNegligible)) {
            summary.infeasible_because.push_back({InfeasibleCode::deadline, workload.id, days, *workload.within_days});
        }
        if (workload.deadline_hours) {
            if (const double hours = hours_until_done(document, compiled, ledger, w); hours > *workload.deadline_hours) {
                summary.infeasible_because.push_back({InfeasibleCode::deadline, workload.id, hours, *workload.deadline_hours});
            }
        }
        const double most_lost = workload.availability ? 1 - *workload.availability + kNegligible : kFewOutages;
        of_workload.loses_too_much = lost > most_lost;
        if (workload.availability && of_workload.loses_too_much) {
            summary.infeasible_because.push_back({InfeasibleCode::availability, workload.id, lost, 1 - *workload.availability});
        }
    }
    for (std::size_t s = 0; s < compiled.sites.size(); ++s) {
        const double limit = compiled.sites[s].max_kw.value_or(HUGE_VAL);
        double peak_kw = 0.0;
        for (std::size_t m = 0; m < ledger.months; ++m) {
            peak_kw = std::max(peak_kw, ledger.site_peak_kw(m, s));
        }
        if (peak_kw > limit * (1 + kNegligible)) {
            summary.infeasible_because.push_back(
                {InfeasibleCode::over_power, document.pools[compiled.sites[s].pools.front()].site->id, peak_kw, limit});
        }
    }
}

void warn_of_cut_terms(const ScenarioDocument& document, const Compiled& compiled, Summary& summary) {
    for (std::size_t p = 0; p < document.pools.size(); ++p) {
        const TermSale sale = term_sale(document, compiled, p);
        const double owed = compiled.payments[p].obligation;
        if (owed > 0.0 || sale.income > 0.0) {
            const std::string sold =
                sale.sold == 0.0 ? ""
                                 : fmt::format("; {:.3g} % of the rest is taken to be sold or refunded for {:.6g} {}, which leaves "
                                               "{:.3g} % of that to be paid: nobody is bound to buy it",
                                               100 * sale.sold, sale.income, document.currency, 100 * sale.owed_fraction);
            summary.warnings.push_back({fmt::format("/pools/{}", p), Code::term_cut,
                                        fmt::format("the horizon ends within a term of pool {}: {:.6g} {} are still to be paid{}",
                                                    document.pools[p].id, owed, document.currency, sold)});
        }
    }
}

void warn(const Scenario& scenario, const Compiled& compiled, Summary& summary) {
    const ScenarioDocument& document = scenario.document();
    summary.warnings = scenario.warnings();
    warn_of_cut_terms(document, compiled, summary);
    for (std::size_t p = 0; document.finance.carbon_price_per_tonne > 0.0 && p < document.pools.size(); ++p) {
        if (!summary.pools[p].meters.carbon_kg.is_known) {
            summary.warnings.push_back(
                {fmt::format("/pools/{}", p), Code::carbon_unknown,
                 fmt::format("the carbon of pool {} is not known: carbon_price_per_tonne is charged on {:.6g} kg",
                             document.pools[p].id, summary.pools[p].meters.carbon_kg.at_least)});
        }
    }
    warn_of_places(document, compiled, summary);
    constexpr double kLowUtilization = 0.05;
    for (std::size_t p = 0; p < document.pools.size(); ++p) {
        const PoolSummary& pool = summary.pools[p];
        if (pool.busy_device_hours > 0.0 && pool.utilization_fraction.value_or(1.0) < kLowUtilization) {
            summary.warnings.push_back(
                {fmt::format("/pools/{}", p), Code::low_utilization,
                 fmt::format("pool {} is busy {:.2g} % of the device-hours that are paid: its cost a unit is that of idle devices",
                             document.pools[p].id, 100 * *pool.utilization_fraction)});
        }
    }
    for (std::size_t w = 0; w < document.workloads.size(); ++w) {
        const WorkloadSummary& workload = summary.workloads[w];
        warn_of_room(document, compiled, w, summary);
        const double without_room = workload.units_unserved - workload.units_lost_to_outages;
        if (without_room > kNegligible * workload.units_demanded) {
            summary.warnings.push_back(
                {fmt::format("/workloads/{}", w), Code::unserved_work,
                 fmt::format("{:.6g} of {:.6g} {}s ({:.3g} %) find no capacity", without_room, workload.units_demanded,
                             document.workloads[w].unit, 100 * without_room / workload.units_demanded)});
        }
        if (!document.workloads[w].availability && workload.loses_too_much) {
            summary.warnings.push_back(
                {fmt::format("/workloads/{}", w), Code::outages,
                 fmt::format("{:.3g} % of the {}s are lost to outages; state availability or add spare_replicas",
                             100 * workload.units_lost_to_outages / workload.units_demanded, document.workloads[w].unit)});
        }
    }
}

} // namespace costcurve::model
