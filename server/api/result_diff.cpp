// What changed between two kept results: by category, pool and workload, and by the documents whose revisions differ.
#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "server/api/evaluate_scenario.hpp"
#include "server/api/handlers.hpp"
#include "server/api/json_text.hpp"
#include "server/api/request.hpp"
#include "server/api/results.hpp"
#include "server/api/service.hpp"

namespace costcurve::api {

namespace {

using nlohmann::json;
using Revisions = std::map<storage::DocumentKey, std::int64_t>;

// {name: cost} of a part of a result.
std::map<std::string, double> costs_of(const json& parts) {
    std::map<std::string, double> costs;
    for (const auto& [name, part] : parts.items()) {
        costs[name] = part.at("cost").get<double>();
    }
    return costs;
}

// The parts whose cost differs; one that is missing costs nothing.
void write_differences(JsonWriter& out, std::string_view name, const json& from, const json& to) {
    std::map<std::string, double> differences = costs_of(to);
    for (const auto& [part, cost] : costs_of(from)) {
        differences[part] -= cost;
    }
    out.key(name).begin_object();
    for (const auto& [part, difference] : differences) {
        if (difference != 0.0) {
            out.member(part, difference);
        }
    }
    out.end_object();
}

Revisions revisions_of(const json& result) {
    Revisions revisions;
    for (const json& document : result.at("provenance").at("documents")) {
        if (document.at("revision").is_number()) {
            const auto kind = std::find(storage::kind_names.begin(), storage::kind_names.end(), document.at("kind"));
            revisions[{static_cast<storage::Kind>(kind - storage::kind_names.begin()), document.at("id").get<std::string>()}] =
                document.at("revision").get<std::int64_t>();
        }
    }
    return revisions;
}

std::optional<double> cost_of(const std::string& scenario, const work::Load& load) {
    work::Source source(load);
    const auto evaluated = resolve_scenario(json(scenario), "", source).and_then([](model::ScenarioDocument resolved) {
        return evaluate_resolved(std::move(resolved));
    });
    return evaluated ? std::optional(evaluated->summary.total.cost) : std::nullopt;
}

// A revision by its number: the store as it was known when it was recorded.
std::optional<storage::Revision> load_revision(const storage::Store& store, const storage::DocumentKey& key, std::int64_t number) {
    const std::vector<storage::Revision> found = store.snapshot().history(key, number + 1, 1);
    return found.empty() ? std::nullopt : store.snapshot(found.front().recorded_at).load(key);
}

// A document that changed, and the difference that it makes after those before it.
struct Share {
    std::vector<storage::DocumentKey> documents; ///< several where the scenario can't be evaluated with fewer
    double amount = 0.0;
};

// The scenario's documents, as they were, replaced one by one by what they are in the newer result; parts before what holds them.
std::vector<Share> shares_of(const Service& service, const std::string& scenario, const json& from, const json& to) {
    const Revisions before = revisions_of(from);
    const Revisions after = revisions_of(to);
    Revisions now = before; // what the scenario in between is made of
    const work::Load load = [&](const storage::DocumentKey& key) -> std::optional<storage::Revision> {
        const auto found = now.find(key);
        const auto newer = after.find(key);
        if (found != now.end()) {
            return load_revision(service.store, key, found->second);
        }
        if (newer != after.end()) {
            return load_revision(service.store, key, newer->second);
        }
        return std::nullopt;
    };
    std::vector<Share> shares;
    Share open;
    double cost = from.at("total").at("cost").get<double>();
    const double last = to.at("total").at("cost").get<double>();
    for (const auto& [key, revision] : after) {
        const auto old = before.find(key);
        if (old != before.end() && old->second == revision) {
            continue;
        }
        now[key] = revision;
        open.documents.push_back(key);
        if (const auto next = now == after ? std::optional(last) : cost_of(scenario, load)) {
            open.amount = *next - cost;
            cost = *next;
            shares.push_back(std::exchange(open, {}));
        }
    }
    if (cost != last) { // documents that are no longer used, or another version of the model
        open.amount = last - cost;
        shares.push_back(std::move(open));
    }
    return shares;
}

void write_shares(JsonWriter& out, const std::vector<Share>& shares, const Revisions& before, const Revisions& after) {
    const auto revision_in = [](const Revisions& revisions, const storage::DocumentKey& key) {
        const auto found = revisions.find(key);
        return found == revisions.end() ? std::nullopt : std::optional(static_cast<double>(found->second));
    };
    out.key("by_document").begin_array();
    for (const Share& share : shares) {
        out.begin_object().key("documents").begin_array();
        for (const storage::DocumentKey& key : share.documents) {
            out.begin_object().member("kind", name_of(key.kind)).member("id", key.id);
            out.member("from", revision_in(before, key)).member("to", revision_in(after, key)).end_object();
        }
        out.end_array().member("amount", share.amount).end_object();
    }
    out.end_array();
}

} // namespace

Attempt<http::Response> get_result_diff(Service& service, const Call& call) {
    const std::string& scenario = call.arguments[0];
    const auto newer = find_result(service, scenario, call.arguments[1]);
    if (!newer) {
        return tl::unexpected(newer.error());
    }
    const auto wanted = number_parameter(call, "against");
    if (!wanted && newer->number == 1) {
        return tl::unexpected(Refusal{404, "the scenario's first result has none before it; give against=, the number of another"});
    }
    const std::int64_t against = wanted ? static_cast<std::int64_t>(*wanted) : newer->number - 1;
    const auto older = find_result(service, scenario, std::to_string(against));
    if (!older) {
        return tl::unexpected(older.error());
    }
    const json from = *parse_json(service.store.result_body(*older));
    const json to = *parse_json(service.store.result_body(*newer));
    if (from.at("currency") != to.at("currency")) {
        return tl::unexpected(
            Refusal{409, fmt::format("result {} is in {}, result {} in {}: their amounts can't be compared", older->number,
                                     older->headline.currency, newer->number, newer->headline.currency)});
    }
    JsonWriter out;
    out.begin_object().member("from", static_cast<double>(older->number)).member("to", static_cast<double>(newer->number));
    out.member("currency", newer->headline.currency).key("total").begin_object();
    for (const auto& [name, value] : to.at("total").items()) {
        out.member(name, value.get<double>() - from.at("total").at(name).get<double>());
    }
    out.end_object();
    for (const std::string_view part : {"by_category", "by_pool", "by_workload"}) {
        write_differences(out, part, from.at(part), to.at(part));
    }
    write_shares(out, shares_of(service, scenario, from, to), revisions_of(from), revisions_of(to));
    return json_answer(out.end_object().take());
}

} // namespace costcurve::api
