// Types of the members, then the walk from reference to scenario.
#include "server/api/asked_scenario.hpp"

#include <nlohmann/json.hpp>

#include "server/api/json_text.hpp"
#include "server/api/problem.hpp"
#include "server/api/request.hpp"
#include "server/api/service.hpp"

namespace costcurve::api {

using model::Code;
using nlohmann::json;

AskedScenario read_asked_scenario(Members& members) {
    AskedScenario asked;
    members.require("scenario", "a scenario, or the id of a stored one");
    asked.scenario = members.find("scenario");
    if (asked.scenario != nullptr && !asked.scenario->is_object() && !asked.scenario->is_string()) {
        members.add("scenario", Code::wrong_type, "scenario must be a scenario, or the id of a stored one");
    }
    asked.set = members.find("set");
    if (asked.set != nullptr && !asked.set->is_object()) {
        members.add("set", Code::wrong_type, "set must be an object {JSON Pointer: value}");
    }
    const json* const moment = members.find("as_of");
    const bool is_now = moment == nullptr || moment->is_null();
    if (const auto as_of = is_now ? std::nullopt : members.text("as_of")) {
        auto read = read_as_of(*as_of, "/as_of");
        if (read) {
            asked.as_of = std::move(*read);
        } else {
            members.issues.insert(members.issues.end(), read.error().issues.begin(), read.error().issues.end());
        }
    }
    return asked;
}

Attempt<model::ScenarioDocument> resolve_asked(const Service& service, const AskedScenario& asked) {
    work::Source source(service.store, asked.as_of);
    auto scenario = resolve_scenario(*asked.scenario, "/scenario", source);
    if (scenario && asked.set != nullptr) {
        const json base = *parse_json(encode_scenario(*scenario));
        scenario = with_set(base, stored_texts(*scenario), *asked.set, "/scenario", "/set", source);
    }
    return std::move(scenario).map_error([](model::Failure issues) { return Refusal{kUnprocessable, "", std::move(issues)}; });
}

} // namespace costcurve::api
