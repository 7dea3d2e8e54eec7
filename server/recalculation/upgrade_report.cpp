// Stored results of another model version beside the same revisions evaluated by this one.
#include "server/recalculation/upgrade_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/compile.hpp"
#include "model/questions/ranking.hpp"
#include "model/version.hpp"
#include "server/answers/encode_result.hpp"
#include "server/documents/json/parsed_json.hpp"
#include "server/recalculation/as_it_was.hpp"
#include "server/recalculation/rebase.hpp"
#include "server/recalculation/recalculation.hpp"

namespace costcurve::recalculation {

namespace {

using nlohmann::json;

std::vector<std::string> scenarios_of(const storage::Store& store) {
    storage::ListQuery query;
    query.kind = storage::Kind::scenario;
    std::vector<std::string> ids;
    const auto snapshot = store.snapshot();
    for (bool more = true; more;) {
        const storage::Page page = snapshot->list(query);
        for (const storage::Revision& revision : page.items) {
            ids.push_back(revision.record.key.id);
        }
        query.after = ids.empty() ? "" : ids.back();
        more = page.more;
    }
    return ids;
}

// The newest result that another version made.
std::optional<storage::StoredResult> result_of_another(const storage::Store& store, const std::string& scenario) {
    constexpr std::size_t kPage = 20;
    for (std::int64_t before = 0;;) {
        const auto results = store.results(scenario, before, kPage);
        if (!results || results->empty()) {
            return std::nullopt;
        }
        for (const storage::StoredResult& result : *results) {
            if (result.model_version != model::kModelVersion) {
                return result;
            }
        }
        before = results->back().number;
    }
}

answers::ByName<double> moved_categories(const json& from, const json& to) {
    std::map<std::string, double> moved;
    for (const auto& [name, amounts] : to.at("by_category").items()) {
        moved[name] += amounts.at("cost").get<double>();
    }
    for (const auto& [name, amounts] : from.at("by_category").items()) {
        moved[name] -= amounts.at("cost").get<double>();
    }
    constexpr double kSame = 1e-9; // of the cost
    const double least = kSame * std::abs(to.at("total").at("cost").get<double>());
    answers::ByName<double> found;
    std::copy_if(moved.begin(), moved.end(), std::back_inserter(found),
                 [&](const auto& category) { return std::abs(category.second) > least; });
    std::stable_sort(found.begin(), found.end(),
                     [](const auto& a, const auto& b) { return std::abs(a.second) > std::abs(b.second); });
    return found;
}

// The part of a workload's demand that a figure is; one that the result doesn't have is 0.
double part_of_demand(const json& workload, const char* figure) {
    const double demanded = workload.value("units_demanded", 0.0);
    const json value = workload.value(figure, json());
    return value.is_number() && demanded > 0.0 ? value.get<double>() / demanded : 0.0;
}

// What workloads leave undone, and lose to outages, where it is not what it was.
void add_work(const json& from, const json& to, std::vector<std::string>& reasons) {
    constexpr double kShown = 1e-4; // of the demand
    for (const auto& [id, workload] : to.at("by_workload").items()) {
        const json before = from.at("by_workload").value(id, json::object());
        const double lost = part_of_demand(workload, "units_lost_to_outages") - part_of_demand(before, "units_lost_to_outages");
        if (std::abs(lost) > kShown) {
            reasons.push_back(fmt::format("outages: {} loses {:.3g} % of its demand to hosts that fail or are not to be had", id,
                                          100 * part_of_demand(workload, "units_lost_to_outages")));
        }
        const double undone = part_of_demand(workload, "units_unserved") - part_of_demand(before, "units_unserved");
        if (std::abs(undone) > kShown && std::abs(undone - lost) > kShown) {
            reasons.push_back(fmt::format("work: {} leaves {:.3g} % undone, and left {:.3g} %", id,
                                          100 * part_of_demand(workload, "units_unserved"),
                                          100 * part_of_demand(before, "units_unserved")));
        }
    }
}

std::map<std::string, std::string> warnings_of(const json& result) {
    std::map<std::string, std::string> warnings; // by code, the first of each
    for (const json& warning : result.value("warnings", json::array())) {
        warnings.emplace(warning.value("code", ""), warning.value("message", ""));
    }
    return warnings;
}

// Rules that have something to say by this version alone.
void add_rules(const json& from, const json& to, std::vector<std::string>& reasons) {
    const auto before = warnings_of(from);
    for (const auto& [code, message] : warnings_of(to)) {
        if (!before.contains(code)) {
            reasons.push_back(fmt::format("{}: {}", code, message));
        }
    }
    for (const json& problem : to.value("infeasible_because", json::array())) {
        const json were = from.value("infeasible_because", json::array());
        const auto has_code = [&](const json& it) { return it.value("code", "") == problem.value("code", ""); };
        if (std::none_of(were.begin(), were.end(), has_code)) {
            reasons.push_back(fmt::format("it can't do its work: {}", problem.value("code", "")));
        }
    }
}

// Whether a version of the model, three numbers, came before another.
bool is_before(const std::string& version, std::array<int, 3> other) {
    std::array<int, 3> numbers = {};
    std::istringstream text(version);
    char point = '.';
    text >> numbers[0] >> point >> numbers[1] >> point >> numbers[2];
    return numbers < other;
}

// Replicas of part of a host that may be down go with it since 2.7.0, and what is then left is asked of the next pool while it is.
void add_shared_hosts(const model::Scenario& scenario, std::vector<std::string>& reasons) {
    const model::ScenarioDocument& document = scenario.document();
    const model::Compiled compiled = model::compile(scenario);
    for (std::size_t w = 0; w < compiled.workloads.size(); ++w) {
        const model::CompiledWorkload& workload = compiled.workloads[w];
        if (!workload.is_deferrable() && workload.has_outages && workload.end_entry - workload.first_entry > 1) {
            reasons.push_back(fmt::format("outages: what they leave of {} is asked of the next pool while they last, since 2.7.0",
                                          document.workloads[w].id));
        }
    }
    for (const model::CompiledEntry& entry : compiled.entries) {
        if (entry.replicas_up.fail() && entry.replicas_up.per_host() > 1.0) {
            reasons.push_back(fmt::format("outages: a host of {} takes all of up to {} replicas of {} with it, since 2.7.0",
                                          document.pools[entry.pool].id, entry.replicas_up.per_host(),
                                          document.workloads[entry.workload].id));
        }
    }
}

// Batch work on instances that are rented for it: starts are paid since 2.8.0, and what is gone while another comes is not.
void add_batch_starts(const model::Scenario& scenario, std::vector<std::string>& reasons) {
    const model::Compiled compiled = model::compile(scenario);
    for (const model::CompiledEntry& entry : compiled.entries) {
        const model::Workload& workload = scenario.document().workloads[entry.workload];
        const model::Pool& pool = scenario.document().pools[entry.pool];
        if (workload.kind != model::WorkloadKind::batch || !compiled.pools[entry.pool].follows_demand) {
            continue;
        }
        if (compiled.workloads[entry.workload].start_hours > 0.0) {
            reasons.push_back(fmt::format("starts: {} pays for whole instances of {} and for its restart_s each time, since 2.8.0",
                                          workload.id, pool.id));
        }
        if (pool.offer->interruptions_per_hour.value_or(0.0) > 0.0 && pool.offer->replacement_s.value_or(0.0) > 0.0) {
            reasons.push_back(
                fmt::format("interruptions: {} does not pay for instances of {} that are gone, since 2.8.0", workload.id, pool.id));
        }
    }
}

// Inference that is routed to the cheapest of several, which is by the bill since 2.6.0.
void add_routing(const model::ScenarioDocument& scenario, std::vector<std::string>& reasons) {
    for (const model::Workload& workload : scenario.workloads) {
        if (workload.kind == model::WorkloadKind::inference && workload.routing == model::Routing::cheapest &&
            workload.runs_on.size() > 1) {
            reasons.push_back(fmt::format("routing: {} goes where the hour's bill is least, since 2.6.0", workload.id));
        }
    }
}

// Parts that an older program didn't report are no reason for a difference.
std::vector<std::string> reasons_for(const json& from, const json& to, const model::Scenario& evaluated,
                                     const UpgradedScenario& compared) {
    const model::ScenarioDocument& scenario = evaluated.document();
    std::vector<std::string> reasons;
    add_work(from, to, reasons);
    if (is_before(compared.from_model_version, {2, 8, 0})) {
        add_batch_starts(evaluated, reasons);
    }
    if (is_before(compared.from_model_version, {2, 7, 0})) {
        add_shared_hosts(evaluated, reasons);
    }
    if (is_before(compared.from_model_version, {2, 6, 0})) {
        add_routing(scenario, reasons);
    }
    add_rules(from, to, reasons);
    for (const auto& [category, amount] : compared.by_category) {
        reasons.push_back(fmt::format("{}: {:+.6g} {}", category, amount, scenario.currency));
    }
    return reasons;
}

// The scenario by both versions; nothing where it can't be evaluated as it was.
std::optional<UpgradedScenario> compare(const storage::Store& store, const std::string& scenario,
                                        const storage::StoredResult& result) {
    const std::string kept = store.result_body(result);
    const json from = *parse_json(kept);
    const auto evaluated =
        evaluate_as_it_was(scenario, revisions_of(kept),
                           [&](const storage::DocumentKey& key, std::int64_t number) { return load_revision(store, key, number); });
    if (!evaluated) {
        return std::nullopt;
    }
    const json to = *parse_json(answers::encode_result(*evaluated, false));
    const storage::Headline now = headline_of(*evaluated);
    const auto objective = model::value_of<model::Objective>(now.decide_by).value_or(model::Objective::cost);
    UpgradedScenario compared{.scenario = scenario,
                              .result = result.number,
                              .from_model_version = result.model_version,
                              .figure = std::string(model::name_of(objective)),
                              .currency = now.currency,
                              .before = figure_of(result.headline, objective),
                              .now = figure_of(now, objective),
                              .change_fraction = std::nullopt,
                              .feasible_before = result.headline.feasible,
                              .feasible = now.feasible.value_or(false),
                              .by_category = moved_categories(from, to),
                              .reasons = {}};
    if (compared.before.value_or(0.0) != 0.0 && compared.now) {
        compared.change_fraction = (*compared.now - *compared.before) / std::abs(*compared.before);
    }
    compared.reasons = reasons_for(from, to, evaluated->scenario, compared);
    return compared;
}

// By more than that part of it, or known by one of the versions alone.
bool has_moved(const UpgradedScenario& compared, double threshold) {
    const bool is_far = compared.before && compared.now
                            ? std::abs(*compared.now - *compared.before) > threshold * std::abs(*compared.before)
                            : compared.before.has_value() != compared.now.has_value();
    return is_far || compared.feasible_before.value_or(compared.feasible) != compared.feasible;
}

} // namespace

UpgradeReport upgrade_report(const storage::Store& store, double threshold) {
    UpgradeReport report;
    report.model_version = model::kModelVersion;
    for (const std::string& scenario : scenarios_of(store)) {
        const std::optional<storage::StoredResult> result = result_of_another(store, scenario);
        if (!result) {
            continue;
        }
        std::optional<UpgradedScenario> compared = compare(store, scenario, *result);
        if (!compared) {
            report.not_evaluated.push_back({scenario, result->number, result->model_version});
            continue;
        }
        ++report.compared;
        if (has_moved(*compared, threshold)) {
            report.moved.push_back(std::move(*compared));
        }
    }
    const auto size = [](const UpgradedScenario& moved) { return std::abs(moved.change_fraction.value_or(HUGE_VAL)); };
    std::stable_sort(report.moved.begin(), report.moved.end(),
                     [&](const UpgradedScenario& a, const UpgradedScenario& b) { return size(a) > size(b); });
    return report;
}

} // namespace costcurve::recalculation
