// A unit serves the tokens of each class in its own part of a minute.
#include "model/hosted/provisioned.hpp"

#include <algorithm>

#include "model/performance/classes.hpp"

namespace costcurve::model {

namespace {

constexpr double kSecondsPerMinute = 60.0;

// Tokens of a class a minute; empty if neither the class nor its substitute (input or output) has a rate.
std::optional<double> rate_of_class(const TokensPerMinute& rates, UnitClass unit_class) {
    const std::optional<double>& own = rates[unit_class];
    return own ? own : rates[kin_of(unit_class)];
}

bool takes_nothing(const Provisioned& provisioned, UnitClass unit_class) {
    return unit_class == UnitClass::cached_input && !provisioned.counts_cached_input;
}

void check_units_bought(const Pool& pool, const Provisioned& provisioned, const std::string& pointer, Rules& rules) {
    const int units = *pool.provisioned_units;
    const bool is_whole = units >= provisioned.minimum_units && (units - provisioned.minimum_units) % provisioned.unit_step == 0;
    if (units != 0 && !is_whole) {
        rules.add(pointer + "/provisioned_units", Code::out_of_range,
                  fmt::format("provisioned_units is {}; it must be 0, or {} and {} more each", units, provisioned.minimum_units,
                              provisioned.unit_step));
    }
}

void check_term_bought(const Pool& pool, const Provisioned& provisioned, const std::string& pointer, Rules& rules) {
    std::string sold;
    for (const ProvisionedTerm& term : provisioned.terms) {
        sold += fmt::format("{}{}", sold.empty() ? "" : ", ", term.months);
    }
    if (pool.provisioned_term_months && provisioned_term(pool) == nullptr) {
        rules.add(pointer + "/provisioned_term_months", Code::unknown_value,
                  fmt::format("no units are sold for {} months; terms are of {} months", *pool.provisioned_term_months,
                              sold.empty() ? "no" : sold));
    }
    if (!pool.provisioned_term_months && !provisioned.price_per_unit_hour) {
        rules.add(
            pointer + "/provisioned_term_months", Code::missing,
            fmt::format("units have no price_per_unit_hour without a term; give one of {} months", sold.empty() ? "no" : sold));
    }
}

void check_one_workload(const ScenarioDocument& scenario, const Pool& pool, const std::string& pointer, Rules& rules) {
    std::vector<std::string_view> workloads;
    for (const Workload& workload : scenario.workloads) {
        if (std::ranges::find(workload.runs_on, pool.id, &RunsOn::pool) != workload.runs_on.end()) {
            workloads.push_back(workload.id);
        }
    }
    if (workloads.size() > 1) {
        rules.add(pointer + "/provisioned_units", Code::not_allowed,
                  fmt::format("units serve one workload, and {} and {} run on pool {}; give each a pool with its part of the units",
                              workloads[0], workloads[1], pool.id));
    }
}

} // namespace

const ProvisionedTerm* provisioned_term(const Pool& pool) {
    if (!pool.provisioned_term_months || !hosted(pool).provisioned) {
        return nullptr;
    }
    const std::vector<ProvisionedTerm>& terms = hosted(pool).provisioned->terms;
    const auto found = std::ranges::find(terms, *pool.provisioned_term_months, &ProvisionedTerm::months);
    return found == terms.end() ? nullptr : &*found;
}

double units_per_s_of_unit(const Provisioned& provisioned, const Workload& workload) {
    const UnitsPerRequest request = mean_request(workload);
    const ClassValues units = units_by_class(request);
    double minutes = 0.0; // minutes of one unit that a request takes
    for (std::size_t c = 0; c < kUnitClasses; ++c) {
        const auto unit_class = static_cast<UnitClass>(c);
        if (units[c] <= 0.0 || takes_nothing(provisioned, unit_class)) {
            continue;
        }
        const std::optional<double> rate =
            provisioned.tokens_per_minute ? rate_of_class(*provisioned.tokens_per_minute, unit_class) : std::nullopt;
        if (!rate) {
            return 0.0;
        }
        minutes += units[c] / *rate;
    }
    return minutes > 0.0 ? units_of_request(request) / (kSecondsPerMinute * minutes) : 0.0;
}

HostedModel without_token_prices(HostedModel model) {
    model.price_per_million_units = UnitPrice{};
    model.above.clear();
    model.cache.reset();
    model.service_tiers.reset();
    model.batch_price_fraction = 1.0;
    return model;
}

int provisioned_units(const Provisioned& provisioned, int steps) {
    return steps <= 0 ? 0 : provisioned.minimum_units + (steps - 1) * provisioned.unit_step;
}

int provisioned_steps(const Pool& pool) {
    const Provisioned& provisioned = *hosted(pool).provisioned;
    return *pool.provisioned_units <= 0 ? 0 : 1 + (*pool.provisioned_units - provisioned.minimum_units) / provisioned.unit_step;
}

void check_provisioned_terms(const HostedModel& model, const std::string& pointer, const ScenarioDocument* scenario, Rules& rules) {
    if (!model.provisioned) {
        return;
    }
    const std::string at = pointer + "/provisioned";
    if (model.provisioned->price_per_unit_hour) {
        check_dates(*model.provisioned->price_per_unit_hour, at + "/price_per_unit_hour", scenario, rules);
    }
    const std::vector<ProvisionedTerm>& terms = model.provisioned->terms;
    for (std::size_t i = 0; i < terms.size(); ++i) {
        const bool has_both = terms[i].price_per_unit_hour && terms[i].price_per_unit_month;
        if (terms[i].price_per_unit_hour.has_value() == terms[i].price_per_unit_month.has_value()) {
            rules.add(fmt::format("{}/terms/{}/price_per_unit_month", at, i), has_both ? Code::not_allowed : Code::missing,
                      "give price_per_unit_hour or price_per_unit_month, one of the two");
        }
        if (std::ranges::find(terms, terms[i].months, &ProvisionedTerm::months) - terms.begin() < static_cast<std::ptrdiff_t>(i)) {
            rules.add(fmt::format("{}/terms/{}/months", at, i), Code::duplicate,
                      fmt::format("another term is of {} months; give each once", terms[i].months));
        }
    }
}

void check_provisioned_pools(const ScenarioDocument& scenario, Rules& rules) {
    for (std::size_t p = 0; p < scenario.pools.size(); ++p) {
        const Pool& pool = scenario.pools[p];
        const std::string pointer = fmt::format("/pools/{}", p);
        if (pool.kind != PoolKind::api || (!pool.provisioned_units && !pool.provisioned_term_months)) {
            continue;
        }
        if (!pool.provisioned_units) {
            rules.add(pointer + "/provisioned_units", Code::missing, "provisioned_term_months goes with provisioned_units");
            continue;
        }
        const std::string at = pool.endpoint ? pointer + "/endpoint/provisioned" : pointer + "/provisioned";
        if (!hosted(pool).provisioned) {
            rules.add(at, Code::missing, "units are bought of what states provisioned; give it, or leave provisioned_units out");
            continue;
        }
        if (!hosted(pool).provisioned->tokens_per_minute) {
            rules.add(at + "/tokens_per_minute", Code::missing,
                      "what a unit serves is not known; give tokens_per_minute, or leave provisioned_units out");
        }
        check_units_bought(pool, *hosted(pool).provisioned, pointer, rules);
        check_term_bought(pool, *hosted(pool).provisioned, pointer, rules);
        check_one_workload(scenario, pool, pointer, rules);
    }
}

void check_provisioned_entry(const Workload& workload, const RunsOn& runs_on, const Pool& pool, const std::string& pointer,
                             Rules& rules) {
    if (!is_provisioned(pool) || !hosted(pool).provisioned->tokens_per_minute) {
        return;
    }
    if (runs_on.service_tier) {
        rules.add(pointer + "/service_tier", Code::not_allowed,
                  fmt::format("pool {} buys units, which have no tiers; leave service_tier out", pool.id));
    }
    if (!has_classes(workload)) {
        rules.add(pointer + "/pool", Code::missing,
                  fmt::format("units of pool {} serve tokens by class; give units_per_request by class", pool.id));
    } else if (units_per_s_of_unit(*hosted(pool).provisioned, workload) <= 0.0) {
        rules.add(pointer + "/pool", Code::missing,
                  fmt::format("it is not known what a unit of pool {} serves of these requests; give provisioned/tokens_per_minute "
                              "of each of their classes",
                              pool.id));
    }
}

} // namespace costcurve::model
