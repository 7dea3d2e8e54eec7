// Finds decisions by their pointers, and holds the tables of goals and limits.
#include "model/questions/optimize/plan.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "model/assets.hpp"
#include "model/documents/fields.hpp"
#include "model/documents/pointer.hpp"
#include "model/figures.hpp"
#include "model/hosted/provisioned.hpp"

namespace costcurve::model {

namespace {

constexpr std::string_view kWhatCanBeDecided = "decisions are /pools/{i}/purchases/{j}/servers, /pools/{i}/purchases/{j}/month, "
                                               "/pools/{i}/min_instances, /pools/{i}/max_instances and "
                                               "/pools/{i}/provisioned_units";

bool is_committed(const Pool& pool) {
    return pool.offer && pool.offer->purchase != Purchase::on_demand && pool.offer->purchase != Purchase::spot;
}

std::optional<Decision> decision_at(const ScenarioDocument& scenario, const std::vector<std::string>& names) {
    if (names.size() < 3 || names[0] != "pools") {
        return std::nullopt;
    }
    const auto p = index_of(names[1], scenario.pools.size());
    if (!p) {
        return std::nullopt;
    }
    const Pool& pool = scenario.pools[*p];
    if (pool.kind == PoolKind::cloud && names.size() == 3 && (names[2] == "min_instances" || names[2] == "max_instances")) {
        const Lever own = names[2] == "min_instances" ? Lever::min_instances : Lever::max_instances;
        return Decision{"", is_committed(pool) ? Lever::instances : own, *p, 0, 0, 0};
    }
    if (is_provisioned(pool) && names.size() == 3 && names[2] == "provisioned_units") {
        return Decision{"", Lever::provisioned_units, *p, 0, 0, 0};
    }
    const auto j = pool.kind == PoolKind::owned && names.size() == 5 && names[2] == "purchases"
                       ? index_of(names[3], pool.purchases.size())
                       : std::nullopt;
    if (!j || (names[4] != "servers" && names[4] != "month")) {
        return std::nullopt;
    }
    return Decision{"", names[4] == "servers" ? Lever::servers : Lever::month, *p, *j, 0, 0};
}

// Specification of the field that a lever sets, with its range.
FieldSpec spec_of(Lever lever) {
    FieldSpec spec;
    const auto read = [&spec](std::string_view name) {
        return [&spec, name](const auto& field) {
            if (field.name == name) {
                spec = field.spec;
            }
        };
    };
    if (lever == Lever::servers || lever == Lever::month) {
        for_each_field<ServerPurchase>(read(lever == Lever::servers ? "servers" : "month"));
    } else {
        for_each_field<Pool>(read(lever == Lever::min_instances       ? "min_instances"
                                  : lever == Lever::provisioned_units ? "provisioned_units"
                                                                      : "max_instances"));
    }
    return spec;
}

void check_range(const Decide& asked, const Decision& decision, const ScenarioDocument& scenario, const std::string& at,
                 Failure& issues) {
    FieldSpec spec = spec_of(decision.lever);
    if (decision.lever == Lever::month) {
        spec.max = scenario.months - 1;
    }
    for (const auto& [name, value] : {std::pair{"min", asked.min}, {"max", asked.max}}) {
        if (value < spec.min || value > spec.max) {
            issues.push_back({at + "/" + name, Code::out_of_range,
                              fmt::format("{} would be {} {}; it must be {}", asked.pointer, value, spec.unit, range_text(spec))});
        }
    }
    if (asked.min > asked.max) {
        issues.push_back({at + "/min", Code::inconsistent, fmt::format("min is {}, above max, {}", asked.min, asked.max)});
    }
}

// Largest unserved fraction of any workload. Work lost to outages counts only if `loses_too_much`.
double unserved_fraction(const Evaluation& evaluation) {
    double most = 0.0;
    for (const WorkloadSummary& workload : evaluation.summary.workloads) {
        const double undone = workload.units_unserved - (workload.loses_too_much ? 0.0 : workload.units_lost_to_outages);
        most = std::max(most, workload.units_demanded > 0 ? undone / workload.units_demanded : 0.0);
    }
    return most;
}

double carbon_kg(const Evaluation& evaluation) { return evaluation.summary.meters.carbon_kg.at_least; }

double capital(const Evaluation& evaluation) {
    const Compiled& compiled = evaluation.compiled;
    double sum = 0.0;
    for (std::size_t m = 0; m < compiled.months; ++m) {
        for (std::size_t p = 0; p < compiled.pools.size(); ++p) {
            sum += capital_paid(compiled, m, p);
        }
    }
    return sum;
}

double rack_kw(const Evaluation& evaluation) {
    double most = 0.0;
    for (std::size_t m = 0; m < evaluation.compiled.months; ++m) {
        double kw = 0.0;
        for (const CompiledPool& pool : evaluation.compiled.pools) {
            kw += pool.kind == PoolKind::owned ? pool.units_paid[m] * pool.power.nameplate_w / 1000 : 0.0;
        }
        most = std::max(most, kw);
    }
    return most;
}

} // namespace

std::string_view unit_of(Objective objective) {
    const auto* const figure = std::find_if(kTotalFigures.begin(), kTotalFigures.end(),
                                            [&](const Figure<Summary>& total) { return total.name == name_of(objective); });
    return figure->unit;
}

const std::array<LimitRow, 4>& limit_rows() {
    static constexpr std::array<LimitRow, 4> kRows = {{
        {"max_unserved_fraction", "unserved fraction of a workload's demand", "fraction", &Limits::max_unserved_fraction,
         unserved_fraction},
        {"max_carbon_kg", "carbon", "kg", &Limits::max_carbon_kg, carbon_kg},
        {"max_capital", "capital", "currency", &Limits::max_capital, capital},
        {"max_rack_kw", "nameplate power of servers in service", "kW", &Limits::max_rack_kw, rack_kw},
    }};
    return kRows;
}

Result<std::vector<Decision>> bind_decisions(const ScenarioDocument& scenario, const std::vector<Decide>& decide) {
    Failure issues;
    std::vector<Decision> decisions;
    decisions.reserve(decide.size());
    for (std::size_t i = 0; i < decide.size(); ++i) {
        const std::string at = decide[i].at.empty() ? fmt::format("/decide/{}", i) : decide[i].at;
        const auto names = split_pointer(decide[i].pointer);
        std::optional<Decision> found = names ? decision_at(scenario, *names) : std::nullopt;
        if (!found) {
            issues.push_back(
                {at + "/pointer", Code::unknown_reference,
                 fmt::format("'{}' is not a decision of this scenario; {}", decide[i].pointer.substr(0, 200), kWhatCanBeDecided)});
            continue;
        }
        const bool twice = std::any_of(decisions.begin(), decisions.end(), [&](const Decision& d) {
            return d.lever == found->lever && d.pool == found->pool && d.purchase == found->purchase;
        });
        if (twice) {
            issues.push_back({at + "/pointer", Code::duplicate,
                              "it is decided already (min_instances and max_instances of a committed pool are one number)"});
        }
        check_range(decide[i], *found, scenario, at, issues);
        found->pointer = decide[i].pointer;
        found->min = decide[i].min;
        found->max = decide[i].max;
        decisions.push_back(std::move(*found));
    }
    if (!issues.empty()) {
        return tl::unexpected(std::move(issues));
    }
    return decisions;
}

std::vector<std::string> pointers_of(const Decision& decision) {
    const std::string pool = fmt::format("/pools/{}", decision.pool);
    return decision.lever == Lever::instances ? std::vector{pool + "/min_instances", pool + "/max_instances"}
                                              : std::vector{decision.pointer};
}

PlannedVariant::PlannedVariant(const ScenarioDocument& scenario, const std::vector<Decision>& decisions) : variant_(scenario) {
    for (std::size_t d = 0; d < decisions.size(); ++d) {
        for (const std::string& pointer : pointers_of(decisions[d])) {
            places_.push_back({d, variant_.bind(pointer, pointer).value()});
        }
    }
}

std::optional<Issue> PlannedVariant::set(const Plan& plan) {
    for (const Place& place : places_) {
        if (auto issue = variant_.set(place.input, plan[place.decision], "")) {
            return issue;
        }
    }
    return std::nullopt;
}

Result<const Evaluation*> PlannedVariant::evaluate(const Plan& plan) {
    if (auto issue = set(plan)) {
        return tl::unexpected(Failure{std::move(*issue)});
    }
    return variant_.evaluate();
}

ScenarioDocument with_plan(const ScenarioDocument& scenario, const std::vector<Decision>& decisions, const Plan& plan) {
    PlannedVariant variant(scenario, decisions);
    const auto issue = variant.set(plan);
    return issue ? scenario : variant.variant().document();
}

double excess_of(const std::array<double, 4>& taken, const Limits& limits) {
    double excess = 0.0;
    for (std::size_t l = 0; l < limit_rows().size(); ++l) {
        if (const std::optional<double>& limit = limits.*limit_rows()[l].limit) {
            const double above = taken[l] - *limit;
            excess += above > kLimitTolerance * std::max(1.0, *limit) ? above / std::max(*limit, 1e-3) : 0.0;
        }
    }
    return excess;
}

Outcome outcome_of(const Evaluation& evaluation, Objective objective, const Limits& limits) {
    const Summary& summary = evaluation.summary;
    Outcome outcome;
    outcome.possible = true;
    outcome.objective = figure_of(summary, objective).value_or(HUGE_VAL);
    for (std::size_t l = 0; l < limit_rows().size(); ++l) {
        outcome.taken[l] = limit_rows()[l].taken(evaluation);
    }
    outcome.excess = excess_of(outcome.taken, limits);
    return outcome;
}

} // namespace costcurve::model
