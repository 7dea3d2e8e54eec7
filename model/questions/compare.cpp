// The waterfall from one scenario to another, one row per cause.
#include "model/questions/compare.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace costcurve::model {

namespace {

template <class Document> Document* find_id(std::vector<Document>& documents, const std::string& id) {
    const auto found = std::find_if(documents.begin(), documents.end(), [&](const Document& d) { return d.id == id; });
    return found == documents.end() ? nullptr : &*found;
}

// Calls take(own, other) for the documents that both have.
template <class Document, class Take>
void for_each_pair(std::vector<Document>& own, const std::vector<Document>& others, const Take& take) {
    for (const Document& other : others) {
        if (Document* const same = find_id(own, other.id); same != nullptr && same->kind == other.kind) {
            take(*same, other);
        }
    }
}

// Calls take(own, other) for the entries that route the same workload to the same pool.
template <class Take> void for_each_route(ScenarioDocument& scenario, const ScenarioDocument& to, const Take& take) {
    for_each_pair(scenario.workloads, to.workloads, [&](Workload& own, const Workload& other) {
        for (RunsOn& entry : own.runs_on) {
            for (const RunsOn& match : other.runs_on) {
                if (match.pool == entry.pool) {
                    take(entry, match);
                }
            }
        }
    });
}

// The list `others`, with each document that `own` has too (same id and kind) replaced by the own one.
template <class Document> std::vector<Document> merged(std::vector<Document> own, const std::vector<Document>& others) {
    std::vector<Document> all;
    all.reserve(others.size());
    for (const Document& other : others) {
        Document* const same = find_id(own, other.id);
        all.push_back(same != nullptr && same->kind == other.kind ? std::move(*same) : other);
    }
    return all;
}

void take_horizon(ScenarioDocument& s, const ScenarioDocument& to) {
    s.start = to.start;
    s.months = to.months;
    s.time_zone = to.time_zone;
    const auto has_forward = [&](const std::string& currency) {
        return std::ranges::find(s.exchange_forwards, currency, &ExchangeForward::currency) != s.exchange_forwards.end();
    };
    for (const ExchangeForward& forward : to.exchange_forwards) {
        if (!s.exchange_rates.contains(forward.currency) && !has_forward(forward.currency)) {
            s.exchange_forwards.push_back(forward);
        }
    }
    for (const auto& [currency, rate] : to.exchange_rates) {
        if (!has_forward(currency)) {
            s.exchange_rates.try_emplace(currency, rate);
        }
    }
}

void take_finance(ScenarioDocument& s, const ScenarioDocument& to) { s.finance = to.finance; }

void take_demand(ScenarioDocument& s, const ScenarioDocument& to) {
    for_each_pair(s.workloads, to.workloads, [](Workload& own, const Workload& other) {
        own.demand = other.demand;
        own.units_per_request = other.units_per_request;
        own.token_mix = other.token_mix;
        own.prefix = other.prefix;
        own.units_per_epoch = other.units_per_epoch;
        own.epochs_per_month = other.epochs_per_month;
        own.epochs = other.epochs;
        own.start_day = other.start_day;
    });
}

void take_pools(ScenarioDocument& s, const ScenarioDocument& to) {
    s.pools = merged(std::move(s.pools), to.pools);
    s.workloads = merged(std::move(s.workloads), to.workloads);
    for_each_pair(s.workloads, to.workloads, [](Workload& own, const Workload& other) {
        std::vector<RunsOn> entries = other.runs_on;
        for (RunsOn& entry : entries) {
            for (RunsOn& before : own.runs_on) {
                if (before.pool == entry.pool) {
                    const std::optional<double> share = entry.share;
                    entry = before;
                    entry.share = share;
                }
            }
        }
        own.runs_on = std::move(entries);
        own.routing = other.routing;
        own.fall_back_after_days = other.fall_back_after_days;
    });
}

void take_capacity(ScenarioDocument& s, const ScenarioDocument& to) {
    for_each_pair(s.pools, to.pools, [](Pool& own, const Pool& other) {
        own.purchases = other.purchases;
        own.refresh = other.refresh;
        own.min_instances = other.min_instances;
        own.max_instances = other.max_instances;
        own.ramp_months = other.ramp_months;
        own.from_month = other.from_month;
        own.months = other.months;
        own.load_balancing = other.load_balancing;
        if (hosted(own).provisioned && hosted(other).provisioned) {
            own.provisioned_units = other.provisioned_units;
            own.provisioned_term_months = other.provisioned_term_months;
        }
        if (!own.endpoint && !other.endpoint) {
            own.max_units_per_s = other.max_units_per_s;
        }
    });
}

void take_performance(ScenarioDocument& s, const ScenarioDocument& to) {
    for_each_route(s, to, [](RunsOn& own, const RunsOn& other) { own.performance = other.performance; });
    for_each_pair(s.workloads, to.workloads, [](Workload& own, const Workload& other) {
        own.checkpoint = other.checkpoint;
        own.peak_utilization = other.peak_utilization;
        own.slo = other.slo;
    });
}

void take_porting(ScenarioDocument& s, const ScenarioDocument& to) {
    for_each_route(s, to, [](RunsOn& own, const RunsOn& other) { own.porting = other.porting; });
}

// Takes over every field of an offer or server except its device and site.
void take_prices(ScenarioDocument& s, const ScenarioDocument& to) {
    for_each_pair(s.pools, to.pools, [](Pool& own, const Pool& other) {
        own.price_per_million_units = other.price_per_million_units;
        own.above = other.above;
        own.cache = other.cache;
        own.fees = other.fees;
        own.service_tiers = other.service_tiers;
        own.unknown_conditions = other.unknown_conditions;
        own.endpoint = other.endpoint;
        own.discount_fraction = other.discount_fraction;
        own.extra_costs = other.extra_costs;
        own.loan = other.loan;
        if (own.offer && other.offer) {
            Offer offer = *other.offer;
            offer.device = own.offer->device;
            offer.site = own.offer->site;
            own.offer = std::move(offer);
        }
        if (own.server && other.server) {
            Server server = *other.server;
            server.device = own.server->device;
            server.host_idle_w = own.server->host_idle_w;
            server.host_max_w = own.server->host_max_w;
            own.server = std::move(server);
        }
    });
}

void take_power(ScenarioDocument& s, const ScenarioDocument& to) {
    for_each_pair(s.pools, to.pools, [](Pool& own, const Pool& other) {
        if (own.offer && other.offer) {
            own.offer->device = other.offer->device;
        }
        if (own.server && other.server) {
            own.server = other.server;
        }
    });
}

void take_sites(ScenarioDocument& s, const ScenarioDocument& to) {
    for_each_pair(s.pools, to.pools, [](Pool& own, const Pool& other) {
        own.site = other.site;
        if (own.offer && other.offer) {
            own.offer->site = other.offer->site;
        }
    });
}

void take_all(ScenarioDocument& s, const ScenarioDocument& to) { s = to; }

struct Cause {
    std::string_view name;
    void (*take)(ScenarioDocument& scenario, const ScenarioDocument& to);
};
constexpr auto kCauses = std::to_array<Cause>({
    {"horizon", take_horizon},
    {"finance", take_finance},
    {"demand", take_demand},
    {"pools and routing", take_pools},
    {"capacity", take_capacity},
    {"performance", take_performance},
    {"porting", take_porting},
    {"prices", take_prices},
    {"devices and power", take_power},
    {"sites and energy", take_sites},
    {"other", take_all},
});

} // namespace

std::vector<Step> steps_by_category(const Summary& from, const Summary& to) {
    std::vector<Step> steps;
    for (std::size_t c = 0; c < kCategories; ++c) {
        const double amount = to.by_category[c].cost - from.by_category[c].cost;
        if (amount != 0.0) {
            steps.push_back({std::string(name_of(static_cast<Category>(c))), amount});
        }
    }
    return steps;
}

std::vector<Step> steps_by_cause(const ScenarioDocument& from, double from_cost, const ScenarioDocument& to, double to_cost,
                                 const CostOf& cost_of) {
    constexpr double kRounding = 1e-12;
    std::vector<Step> steps;
    ScenarioDocument scenario = from;
    std::string joined; // causes whose cost can't be evaluated yet
    double cost = from_cost;
    for (const Cause& cause : kCauses) {
        const bool is_last = &cause == &kCauses.back();
        cause.take(scenario, to);
        joined += (joined.empty() ? "" : " + ") + std::string(cause.name);
        const std::optional<double> next = is_last ? std::optional(to_cost) : cost_of(scenario);
        if (next) {
            if (std::abs(*next - cost) > kRounding * std::max(std::abs(*next), std::abs(cost))) {
                steps.push_back({std::exchange(joined, ""), *next - cost});
                cost = *next;
            }
            joined.clear();
        }
    }
    return steps;
}

} // namespace costcurve::model
