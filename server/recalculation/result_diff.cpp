// Differences between two stored results: inputs are replaced one by one, and the scenario evaluated after each.
#include "server/recalculation/result_diff.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/figures.hpp"
#include "model/version.hpp"
#include "server/answers/evaluate.hpp"
#include "server/documents/json/parsed_json.hpp"
#include "server/recalculation/as_it_was.hpp"

namespace costcurve::recalculation {

namespace {

using nlohmann::json;

// {name: cost} of a part of a result.
std::map<std::string, double> costs_of(const json& parts) {
    std::map<std::string, double> costs;
    for (const auto& [name, part] : parts.items()) {
        costs[name] = part.at("cost").get<double>();
    }
    return costs;
}

// The parts whose cost differs; one that is missing costs nothing.
answers::ByName<double> differences(const char* parts, const json& from, const json& to) {
    std::map<std::string, double> by_part = costs_of(to.at(parts));
    for (const auto& [part, cost] : costs_of(from.at(parts))) {
        by_part[part] -= cost;
    }
    answers::ByName<double> differing;
    for (const auto& [part, difference] : by_part) {
        if (difference != 0.0) {
            differing.emplace_back(part, difference);
        }
    }
    return differing;
}

std::optional<double> cost_of(const std::string& scenario, const documents::Load& load) {
    documents::Source source(load);
    const auto evaluated = answers::resolve_stored(scenario, "", source).and_then([](model::ScenarioDocument resolved) {
        return answers::evaluate_resolved(std::move(resolved));
    });
    return evaluated ? std::optional(evaluated->summary.total.cost) : std::nullopt;
}

// The model's version, then the scenario's documents, as they were, replaced one by one by what they are in the newer result; parts
// before what holds them. Only this program's version of the model can be asked for what is in between.
std::vector<DifferenceShare> shares_of(const storage::Store& store, const std::string& scenario, const json& from, const json& to,
                                       std::string version, bool is_of_this_program) {
    const Revisions before = revisions_of(from.dump());
    const Revisions after = revisions_of(to.dump());
    Revisions now = before; // of the documents of the intermediate scenario
    const documents::Load load = [&](const storage::DocumentKey& key) -> std::optional<storage::Revision> {
        const auto found = now.find(key);
        const auto newer = after.find(key);
        if (found != now.end()) {
            return load_revision(store, key, found->second);
        }
        if (newer != after.end()) {
            return load_revision(store, key, newer->second);
        }
        return std::nullopt;
    };
    std::vector<DifferenceShare> shares; // several documents in one where the scenario can't be evaluated with fewer
    DifferenceShare open;
    double cost = from.at("total").at("cost").get<double>();
    const double last = to.at("total").at("cost").get<double>();
    open.because = std::move(version);
    if (!open.because.empty() && is_of_this_program) {
        if (const auto next = now == after ? std::optional(last) : cost_of(scenario, load)) {
            open.amount = *next - cost;
            cost = *next;
            shares.push_back(std::exchange(open, {}));
        }
    }
    for (const auto& [key, revision] : after) {
        const auto old = before.find(key);
        if (old != before.end() && old->second == revision) {
            continue;
        }
        now[key] = revision;
        open.documents.push_back({key.kind, key.id, old == before.end() ? std::nullopt : std::optional(old->second), revision});
        const auto next = now == after ? std::optional(last) : is_of_this_program ? cost_of(scenario, load) : std::nullopt;
        if (next) {
            open.amount = *next - cost;
            cost = *next;
            shares.push_back(std::exchange(open, {}));
        }
    }
    if (cost != last || !open.documents.empty() || !open.because.empty()) { // documents that are no longer used, too
        open.amount = last - cost;
        shares.push_back(std::move(open));
    }
    return shares;
}

} // namespace

std::string version_change(std::string_view from, std::string_view to) {
    return from == to || from.empty() || to.empty() ? "" : fmt::format("version {} → {} of the model", from, to);
}

ResultDifference difference_of(const storage::Store& store, const std::string& scenario, const storage::StoredResult& older,
                               const storage::StoredResult& newer) {
    const json from = *parse_json(store.result_body(older));
    const json to = *parse_json(store.result_body(newer));
    ResultDifference answer{.from = older.number,
                            .to = newer.number,
                            .currency = newer.headline.currency,
                            .from_model_version = older.model_version,
                            .to_model_version = newer.model_version,
                            .total = {},
                            .by_category = differences("by_category", from, to),
                            .by_pool = differences("by_pool", from, to),
                            .by_workload = differences("by_workload", from, to),
                            .by_document =
                                shares_of(store, scenario, from, to, version_change(older.model_version, newer.model_version),
                                          newer.model_version == model::kModelVersion)};
    const json& before = from.at("total");
    const json& after = to.at("total");
    for (const model::Figure<model::Summary>& figure : model::kTotalFigures) { // a result of an older program may lack one
        const std::string name(figure.name);
        const bool in_both = after.value(name, json()).is_number() && before.value(name, json()).is_number();
        answer.total.emplace_back(name, in_both ? std::optional(after.at(name).get<double>() - before.at(name).get<double>())
                                                : std::nullopt);
    }
    return answer;
}

} // namespace costcurve::recalculation
