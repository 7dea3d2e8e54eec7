// Sizes the scratch arrays of an evaluation: as long as the longest month so far.
#include <algorithm>

#include "model/dispatch/dispatch.hpp"
#include "model/evaluate.hpp"

namespace costcurve::model {

Workspace::Workspace(const Compiled& compiled) : ledger(compiled.fixed) { fit(compiled); }

namespace {

void fit_pools(const Compiled& compiled, std::size_t n, std::vector<Workspace::PoolHours>& pools) {
    pools.resize(compiled.pools.size());
    for (Workspace::PoolHours& pool : pools) {
        for (std::vector<double>* const array : {&pool.free, &pool.busy, &pool.inference, &pool.reserved, &pool.training,
                                                 &pool.gangs, &pool.available, &pool.it_watts, &pool.kw}) {
            array->resize(n);
        }
        pool.standby.clear();
        pool.asked.clear();
        pool.started.clear();
        pool.running.resize(compiled.spend.empty() ? 0 : n);
    }
    for (const CompiledEntry& entry : compiled.entries) {
        if (compiled.workloads[entry.workload].has_outages && compiled.pools[entry.pool].follows_demand) {
            pools[entry.pool].standby.resize(n);
            pools[entry.pool].asked.resize(n);
        }
        if (entry.starts) {
            pools[entry.pool].started.resize(n);
        }
    }
}

} // namespace

void Workspace::fit(const Compiled& compiled) {
    const std::size_t n = std::max(compiled.hours.largest, ones.size());
    fit_pools(compiled, n, pools);
    for (std::vector<double>* const array : {&power.instances,
                                             &power.available,
                                             &power.utilization,
                                             &power.device_watts,
                                             &power.others,
                                             &power.serving,
                                             &power.it_watts,
                                             &unserved,
                                             &served,
                                             &held,
                                             &demand,
                                             &room,
                                             &read,
                                             &chance,
                                             &gangs,
                                             &run.units,
                                             &run.absent,
                                             &run.ran,
                                             &load,
                                             &pue,
                                             &site_watts,
                                             &site_kw,
                                             &scratch,
                                             &zeros}) {
        array->resize(n);
    }
    ones.resize(n, 1.0);
    std::size_t longest = 0;
    for (const CompiledWorkload& workload : compiled.workloads) {
        longest = std::max(longest, workload.end_entry - workload.first_entry);
    }
    const std::vector<double> hours(n, 0.0);
    marginal.assign(longest, hours);
    order.resize(longest);
    parts.resize(longest * compiled.hours.per_hour());
    routings.clear();
    if (routes_by_bill(compiled)) {
        const std::vector<std::vector<double>> by_pool(compiled.pools.size(), hours);
        const std::vector<std::vector<double>> by_entry(compiled.entries.size(), hours);
        const std::vector<std::vector<double>> by_workload(compiled.workloads.size(), hours);
        std::vector<std::vector<double>> by_standby;
        std::vector<std::vector<double>> by_started;
        for (const PoolHours& pool : pools) {
            by_standby.push_back(pool.standby);
            by_started.push_back(pool.started);
        }
        routings.assign(kRoutings,
                        {by_pool, by_pool, by_standby, by_standby, by_started, by_entry, by_entry, by_workload, hours, hours});
        planned_free.resize(compiled.pools.size());
    }
}

} // namespace costcurve::model
