// A plan's months by pool, from the ledger.
#include "server/actuals/planned.hpp"

#include <algorithm>
#include <set>

#include "model/allocation.hpp"

namespace costcurve::actuals {

namespace {

double cost_of(const model::Ledger& ledger, MonthRange months, std::size_t pool) {
    double cost = 0.0;
    for (std::size_t m = months.first; m <= months.second; ++m) {
        for (std::size_t c = 0; c < model::kCategories; ++c) {
            cost += ledger.cost(m, pool, c);
        }
    }
    return cost;
}

bool counts_tokens(const model::Workload& workload) { return workload.unit == "token" || workload.unit == "tokens"; }

// Entries of the ledger are those of runs_on, workload by workload.
std::optional<double> tokens_of(const answers::Evaluated& evaluated, MonthRange months, const std::string& pool) {
    double tokens = 0.0;
    bool has_tokens = false;
    std::size_t entry = 0;
    for (const model::Workload& workload : evaluated.scenario.document().workloads) {
        for (const model::RunsOn& runs_on : workload.runs_on) {
            const double served = runs_on.pool == pool ? sum_over(evaluated.ledger.served, months, entry) : 0.0;
            ++entry;
            if (runs_on.pool != pool) {
                continue;
            }
            if (!counts_tokens(workload) && served > 0.0) {
                return std::nullopt;
            }
            has_tokens = has_tokens || counts_tokens(workload);
            tokens += served;
        }
    }
    return has_tokens ? std::optional(tokens) : std::nullopt;
}

const std::string& value_of(const model::Tags& tags, const model::ScenarioDocument& scenario, const std::string& key) {
    static const std::string untagged(model::kUntagged);
    for (const model::Tags* const some : {&tags, &scenario.tags}) {
        if (const auto found = some->find(key); found != some->end()) {
            return found->second;
        }
    }
    return untagged;
}

// Cost of the months borne by each workload; the last entry is cost borne by none.
std::vector<double> borne_by_workload(const answers::Evaluated& evaluated, MonthRange months) {
    const model::Ledger& ledger = evaluated.ledger;
    const model::Shares shares(evaluated.scenario.document(), ledger);
    const std::vector<model::MonthlyShare> by_month = model::borne_by_month(ledger, nullptr);
    std::vector<double> borne(ledger.workloads + 1);
    for (std::size_t m = months.first; m <= months.second; ++m) {
        for (std::size_t p = 0; p <= ledger.pools; ++p) {
            for (std::size_t w = 0; w <= ledger.workloads; ++w) {
                borne[w] += by_month[m * (ledger.pools + 1) + p].cost * shares.month(m, p, w);
                for (std::size_t d = 0; w < ledger.workloads && d < model::kDirect.size(); ++d) {
                    borne[w] += ledger.direct(m, p, w, d);
                }
            }
        }
    }
    for (const model::HorizonRow& row : ledger.over_horizon) {
        for (std::size_t w = 0; row.month >= months.first && row.month <= months.second && w <= ledger.workloads; ++w) {
            borne[w] += row.cost * shares.horizon(row.pool, w);
        }
    }
    return borne;
}

} // namespace

std::vector<PlannedPool> planned_by_pool(const answers::Evaluated& evaluated, MonthRange months) {
    const model::ScenarioDocument& scenario = evaluated.scenario.document();
    std::vector<PlannedPool> planned(scenario.pools.size() + 1);
    for (std::size_t p = 0; p < planned.size(); ++p) {
        planned[p].cost = cost_of(evaluated.ledger, months, p);
        if (p < scenario.pools.size()) {
            planned[p].tokens = tokens_of(evaluated, months, scenario.pools[p].id);
            if (scenario.pools[p].kind != model::PoolKind::api) {
                planned[p].device_hours = sum_over(evaluated.ledger.available_hours, months, p);
            }
        }
    }
    return planned;
}

std::vector<std::string> tag_keys(const model::ScenarioDocument& scenario) {
    std::set<std::string> keys;
    const auto add = [&](const model::Tags& tags) {
        for (const auto& [key, value] : tags) {
            keys.insert(key);
        }
    };
    add(scenario.tags);
    for (const model::Workload& workload : scenario.workloads) {
        add(workload.tags);
    }
    for (const model::Pool& pool : scenario.pools) {
        add(pool.tags);
    }
    return {keys.begin(), keys.end()};
}

std::map<std::string, double> planned_by_tag(const answers::Evaluated& evaluated, MonthRange months, const std::string& key) {
    const model::ScenarioDocument& scenario = evaluated.scenario.document();
    std::map<std::string, double> by_value;
    const auto& workloads = scenario.workloads;
    if (std::any_of(workloads.begin(), workloads.end(), [&](const auto& workload) { return workload.tags.contains(key); })) {
        const std::vector<double> borne = borne_by_workload(evaluated, months);
        for (std::size_t w = 0; w < workloads.size(); ++w) {
            by_value[value_of(workloads[w].tags, scenario, key)] += borne[w];
        }
        if (borne.back() != 0.0) {
            by_value[std::string(model::kIdle)] += borne.back();
        }
        return by_value;
    }
    for (std::size_t p = 0; p <= scenario.pools.size(); ++p) {
        const double cost = cost_of(evaluated.ledger, months, p);
        if (p < scenario.pools.size() || cost != 0.0) {
            by_value[value_of(p < scenario.pools.size() ? scenario.pools[p].tags : model::Tags{}, scenario, key)] += cost;
        }
    }
    return by_value;
}

std::map<std::string, std::optional<double>> planned_tokens_by_tag(const answers::Evaluated& evaluated, MonthRange months,
                                                                   const std::string& key) {
    const model::ScenarioDocument& scenario = evaluated.scenario.document();
    std::map<std::string, std::optional<double>> by_value;
    std::size_t entry = 0;
    for (const model::Workload& workload : scenario.workloads) {
        std::optional<double>& tokens = by_value.try_emplace(value_of(workload.tags, scenario, key), 0.0).first->second;
        for (std::size_t i = 0; i < workload.runs_on.size(); ++i) {
            const double served = sum_over(evaluated.ledger.served, months, entry++);
            tokens = tokens && counts_tokens(workload) ? std::optional(*tokens + served) : std::nullopt;
        }
    }
    return by_value;
}

} // namespace costcurve::actuals
