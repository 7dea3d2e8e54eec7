// One snapshot answers for all scenarios of a question.
#include "server/api/asked.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "server/api/evaluate_scenario.hpp"
#include "server/api/json_text.hpp"
#include "server/api/problem.hpp"
#include "server/api/request.hpp"
#include "server/api/service.hpp"

namespace costcurve::api {

using model::Code;
using nlohmann::json;

namespace {

bool is_scenario(const json& value) { return value.is_object() || value.is_string(); }

} // namespace

void ask_one(Members& members, std::string_view name, Asked& asked) {
    members.require(name, "a scenario, or the id of a stored one");
    const json* const value = members.find(name);
    if (value == nullptr) {
        return;
    }
    if (is_scenario(*value)) {
        asked.scenarios.push_back({value, members.at(name)});
    } else {
        members.add(name, Code::wrong_type, fmt::format("{} must be a scenario, or the id of a stored one", name));
    }
}

void ask_several(Members& members, std::string_view name, std::size_t least, Asked& asked) {
    if (least > 0) {
        members.require(name, "a list of scenarios or ids");
    }
    const json* const value = members.find(name);
    if (value == nullptr) {
        return;
    }
    if (!value->is_array() || value->size() < least || value->size() > kMostCompared) {
        members.add(name, value->is_array() ? Code::out_of_range : Code::wrong_type,
                    fmt::format("{} must be a list of {} to {} scenarios or ids", name, least, kMostCompared));
        return;
    }
    for (std::size_t i = 0; i < value->size(); ++i) {
        const std::string at = fmt::format("{}/{}", members.at(name), i);
        if (is_scenario((*value)[i])) {
            asked.scenarios.push_back({&(*value)[i], at});
        } else {
            members.issues.push_back({at, Code::wrong_type, "it must be a scenario, or the id of a stored one"});
        }
    }
}

void ask_moment(Members& members, Asked& asked) {
    if (const json* const set = members.find("set")) {
        asked.set = set;
        if (!set->is_object()) {
            members.add("set", Code::wrong_type, "set must be an object {JSON Pointer: value}");
        }
    }
    const json* const moment = members.find("as_of");
    const auto as_of = moment == nullptr || moment->is_null() ? std::nullopt : members.text("as_of");
    if (as_of) {
        auto read = read_as_of(*as_of, members.at("as_of"));
        if (read) {
            asked.as_of = std::move(*read);
        } else {
            members.issues.insert(members.issues.end(), read.error().issues.begin(), read.error().issues.end());
        }
    }
}

model::Result<std::vector<model::Placed>> resolve_all(const Asked& asked, work::Source& source, bool one_currency) {
    std::vector<model::Placed> all;
    all.reserve(asked.scenarios.size());
    model::Failure issues;
    for (const Asked::Scenario& scenario : asked.scenarios) {
        model::Result<model::ScenarioDocument> resolved = resolve_scenario(*scenario.json, scenario.at, source);
        if (resolved && asked.set != nullptr) {
            const json base = *parse_json(encode_scenario(*resolved));
            resolved = with_set(base, stored_texts(*resolved), *asked.set, scenario.at, "/set", source);
        }
        if (resolved) {
            all.push_back({std::move(*resolved), scenario.at});
        } else {
            issues.insert(issues.end(), resolved.error().begin(), resolved.error().end());
        }
    }
    if (issues.empty() && one_currency) {
        issues = model::check_currencies(all);
    }
    if (!issues.empty()) {
        return tl::unexpected(std::move(issues));
    }
    return all;
}

Attempt<std::vector<model::Placed>> resolve_asked(const Service& service, const Asked& asked, bool one_currency) {
    work::Source source(service.store, asked.as_of);
    return resolve_all(asked, source, one_currency).map_error([](model::Failure issues) {
        return refused(std::move(issues)).value();
    });
}

tl::unexpected<Refusal> refused(model::Failure issues) { return tl::unexpected(Refusal{kUnprocessable, "", std::move(issues)}); }

} // namespace costcurve::api
