// POST /v1/evaluate and its batch: what a request asks, and the answers one by one.
#include <chrono>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "server/api/evaluate_scenario.hpp"
#include "server/api/handlers.hpp"
#include "server/api/json_text.hpp"
#include "server/api/problem.hpp"
#include "server/api/request.hpp"
#include "server/api/service.hpp"

namespace costcurve::api {

namespace {

using model::Code;
using model::Failure;
using nlohmann::json;

Attempt<std::string> invalid(Failure issues) { return tl::unexpected(Refusal{kUnprocessable, "", std::move(issues)}); }

// The members a question may have, checked for their types. What is missing stays null, false or nothing.
struct Question {
    json scenario;
    json set;
    json scenarios;
    json sets;
    bool ledger = false;
    std::optional<std::string> as_of;
};

struct Member {
    std::string_view name;
    json Question::*place; ///< null for `ledger` and `as_of`, which are no JSON
    std::string_view type; ///< as messages say it
    bool (*is_good)(const json& value);
};

bool is_scenario(const json& value) { return value.is_object() || value.is_string(); }
bool is_object(const json& value) { return value.is_object(); }
constexpr std::size_t kMostItems = 100000;
bool is_list_of_scenarios(const json& value) {
    return value.is_array() && !value.empty() && value.size() <= kMostItems && std::all_of(value.begin(), value.end(), is_scenario);
}
bool is_list_of_objects(const json& value) {
    return value.is_array() && !value.empty() && value.size() <= kMostItems && std::all_of(value.begin(), value.end(), is_object);
}
bool is_flag(const json& value) { return value.is_boolean(); }
bool is_text_or_null(const json& value) { return value.is_string() || value.is_null(); }

constexpr auto kMembers = std::to_array<Member>({
    {"scenario", &Question::scenario, "a scenario, or the id of a stored one", is_scenario},
    {"set", &Question::set, "an object {JSON Pointer: value}", is_object},
    {"scenarios", &Question::scenarios, "a list of 1 to 100000 scenarios or ids", is_list_of_scenarios},
    {"sets", &Question::sets, "a list of 1 to 100000 objects {JSON Pointer: value}", is_list_of_objects},
    {"ledger", nullptr, "true or false", is_flag},
    {"as_of", nullptr, "a time of RFC 3339, or null", is_text_or_null},
});

// Takes the members that `allowed` names out of the body.
Attempt<Question> read_question(json body, std::span<const std::string_view> allowed) {
    Failure issues;
    Question question;
    if (!body.is_object()) {
        issues.push_back({"", Code::wrong_type, fmt::format("the body must be an object {{{}}}", fmt::join(allowed, ", "))});
        return tl::unexpected(Refusal{kUnprocessable, "", std::move(issues)});
    }
    for (auto& [name, value] : body.items()) {
        const bool known = std::find(allowed.begin(), allowed.end(), name) != allowed.end();
        const auto member =
            std::find_if(kMembers.begin(), kMembers.end(), [&, &key = name](const Member& m) { return m.name == key; });
        if (!known) {
            issues.push_back({join_pointer("", name), Code::unknown_field, fmt::format("allowed: {}", fmt::join(allowed, ", "))});
        } else if (!member->is_good(value)) {
            issues.push_back({join_pointer("", name), Code::wrong_type, fmt::format("{} must be {}", name, member->type)});
        } else if (member->place != nullptr) {
            question.*(member->place) = std::move(value);
        } else if (name == "ledger") {
            question.ledger = value.get<bool>();
        } else if (value.is_string()) {
            auto as_of = read_as_of(value.get_ref<const std::string&>(), "/as_of");
            if (as_of) {
                question.as_of = std::move(*as_of);
            } else {
                issues.insert(issues.end(), as_of.error().issues.begin(), as_of.error().issues.end());
            }
        }
    }
    if (!issues.empty()) {
        return tl::unexpected(Refusal{kUnprocessable, "", std::move(issues)});
    }
    return question;
}

// The result as text; evaluations are timed.
Attempt<std::string> evaluated_text(Service& service, model::ScenarioDocument scenario, const std::string& pointer, bool ledger) {
    const auto start = std::chrono::steady_clock::now();
    model::Result<Evaluated> evaluated = evaluate_resolved(std::move(scenario), pointer);
    service.metrics.evaluations.observe(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    if (!evaluated) {
        return invalid(std::move(evaluated.error()));
    }
    return encode_result(*evaluated, ledger);
}

// What the pointers of a set point into.
json base_of(const model::ScenarioDocument& resolved) { return *parse_json(encode_scenario(resolved)); }

Attempt<std::string> answer(Service& service, const Question& question) {
    work::Source source(service.store, question.as_of);
    model::Result<model::ScenarioDocument> scenario = resolve_scenario(question.scenario, "/scenario", source);
    if (scenario && !question.set.is_null()) {
        scenario = with_set(base_of(*scenario), stored_texts(*scenario), question.set, "/scenario", "/set", source);
    }
    if (!scenario) {
        return invalid(std::move(scenario.error()));
    }
    return evaluated_text(service, std::move(*scenario), "/scenario", question.ledger);
}

// Answers a batch one by one, when it is asked for the next. All its items see the store of one moment.
class Batch {
public:
    Batch(Service& service, Question question, std::string request_id)
        : service_(service), question_(std::move(question)), request_id_(std::move(request_id)) {
        if (!question_.as_of) {
            const std::string now = service.store.snapshot().as_of();
            question_.as_of = now.empty() ? std::nullopt : std::optional(now);
        }
    }

    // For {scenario, sets}: resolves the scenario, once.
    Attempt<std::string> prepare() {
        if (!question_.scenarios.is_null()) {
            return "";
        }
        work::Source source(service_.store, question_.as_of);
        model::Result<model::ScenarioDocument> scenario = resolve_scenario(question_.scenario, "/scenario", source);
        if (!scenario) {
            return invalid(std::move(scenario.error()));
        }
        base_ = base_of(*scenario);
        stored_ = stored_texts(*scenario);
        return "";
    }

    // Appends the next line; says whether there are more.
    bool next(std::string& out) {
        const json& items = base_.is_null() ? question_.scenarios : question_.sets;
        Attempt<std::string> line;
        try {
            line = evaluate_item(items[index_]);
        } catch (const storage::StoreError& error) { // an error is a line, and the rest go on
            line = tl::unexpected(refusal_of(service_, error, request_id_));
        }
        if (line) {
            out += *line;
        } else {
            const Refusal& refusal = line.error();
            out += problem(refusal, request_id_).body;
        }
        out += '\n';
        return ++index_ < items.size();
    }

private:
    Attempt<std::string> evaluate_item(const json& item) {
        work::Source source(service_.store, question_.as_of);
        const std::string at = fmt::format("/scenarios/{}", index_);
        const std::string set_at = fmt::format("/sets/{}", index_);
        model::Result<model::ScenarioDocument> scenario =
            base_.is_null() ? resolve_scenario(item, at, source) : with_set(base_, stored_, item, "/scenario", set_at, source);
        if (!scenario) {
            return invalid(std::move(scenario.error()));
        }
        return evaluated_text(service_, std::move(*scenario), base_.is_null() ? at : "/scenario", question_.ledger);
    }

    Service& service_;
    Question question_;
    std::string request_id_;
    json base_; ///< of {scenario, sets}
    StoredTexts stored_;
    std::size_t index_ = 0;
};

} // namespace

Attempt<http::Response> post_evaluate(Service& service, const Call& call) {
    static constexpr auto kAllowed = std::to_array<std::string_view>({"scenario", "set", "as_of", "ledger"});
    return read_body(call.request)
        .and_then([](json&& body) { return read_question(std::move(body), kAllowed); })
        .and_then([&](const Question& question) -> Attempt<std::string> {
            if (question.scenario.is_null()) {
                return invalid({{"/scenario", Code::missing, "scenario is required: a scenario, or the id of a stored one"}});
            }
            return answer(service, question);
        })
        .map([](std::string&& text) { return json_answer(std::move(text)); });
}

Attempt<http::Response> post_batch(Service& service, const Call& call) {
    static constexpr auto kAllowed = std::to_array<std::string_view>({"scenarios", "scenario", "sets", "as_of", "ledger"});
    Attempt<json> body = read_body(call.request);
    if (!body) {
        return tl::unexpected(std::move(body.error()));
    }
    Attempt<Question> question = read_question(std::move(*body), kAllowed);
    if (!question) {
        return tl::unexpected(std::move(question.error()));
    }
    const bool listed = !question->scenarios.is_null() && question->scenario.is_null() && question->sets.is_null();
    const bool varied = question->scenarios.is_null() && !question->scenario.is_null() && !question->sets.is_null();
    if (!listed && !varied) {
        return tl::unexpected(
            Refusal{kUnprocessable, "", {{"", Code::inconsistent, "give {scenarios: […]}, or {scenario, sets: […]}"}}});
    }
    // Shared, because a std::function must be able to be copied; it never is.
    const auto batch = std::make_shared<Batch>(service, std::move(*question), call.request.request_id);
    if (Attempt<std::string> ready = batch->prepare(); !ready) {
        return tl::unexpected(std::move(ready.error()));
    }
    http::Response response;
    response.content_type = "application/x-ndjson; charset=utf-8";
    response.stream = [batch](std::string& out) { return batch->next(out); };
    return response;
}

} // namespace costcurve::api
