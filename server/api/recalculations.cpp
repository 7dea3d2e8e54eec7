// Runs are queued, watched and cancelled here (/v1/recalculations); the daemon's recalculator does them.
#include <charconv>
#include <chrono>
#include <thread>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "model/version.hpp"
#include "server/api/asked.hpp"
#include "server/api/handlers.hpp"
#include "server/api/json_text.hpp"
#include "server/api/recalculation.hpp"
#include "server/api/request.hpp"
#include "server/api/service.hpp"
#include "server/api/standings.hpp"
#include "server/storage/timestamp.hpp"
#include "server/work/recalculate.hpp"

namespace costcurve::api {

namespace {

using model::Code;
using nlohmann::json;

constexpr std::size_t kMostNamed = 10000;
constexpr std::size_t kShownFailures = 100;

storage::RunRequest read_request(Members& members) {
    storage::RunRequest request;
    request.model_version = model::kModelVersion;
    const json* const scenarios = members.find("scenarios");
    if (scenarios == nullptr || *scenarios == "changed") {
        return request;
    }
    if (*scenarios == "all") {
        request.scope = storage::Scope::all;
    } else if (scenarios->is_array()) {
        request.scope = storage::Scope::some;
        request.scenarios = members.texts("scenarios", kMostNamed);
    } else {
        members.add("scenarios", Code::unknown_value, "scenarios must be \"changed\", \"all\", or a list of ids");
    }
    return request;
}

Refusal no_run(std::string_view id) { return {404, fmt::format("there is no recalculation {}", shortened(id, 40))}; }

// The run that the path names.
Attempt<storage::Run> run_of(const Service& service, const Call& call) {
    const std::string& id = call.arguments.front();
    std::int64_t number = 0;
    const auto [end, error] = std::from_chars(id.data(), id.data() + id.size(), number);
    const auto run = error == std::errc() && end == id.data() + id.size() ? service.store.run(number) : std::nullopt;
    if (!run) {
        return tl::unexpected(no_run(id));
    }
    return *run;
}

std::string text_of(const Service& service, const storage::Run& run, bool with_failures) {
    const work::Recalculator* const recalculator = service.recalculator;
    const std::int64_t done = recalculator != nullptr ? recalculator->done_of(run) : run.done();
    const std::string obstacle = recalculator != nullptr && !storage::has_ended(run.state) ? recalculator->obstacle() : "";
    constexpr double kMicroseconds = 1e-6;
    const auto started = storage::parse_time(run.started_at);
    const auto now = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
    const double elapsed_s = started ? std::max(0.0, now - static_cast<double>(*started) * kMicroseconds) : 0.0;
    if (!with_failures) {
        return encode_run(run, done, obstacle, elapsed_s);
    }
    const std::vector<storage::RunFailure> failures = service.store.run_failures(run.id, kShownFailures);
    return encode_run(run, done, obstacle, elapsed_s, &failures);
}

// Progress of a run from where it is now, until it ends: who comes back after a break, whatever Last-Event-ID says, sees it all.
class RunEvents {
public:
    RunEvents(Service& service, std::int64_t run) : service_(service), run_(run) {}

    bool next(std::string& out) {
        constexpr std::chrono::milliseconds kTurn{15};
        constexpr std::chrono::milliseconds kEvery{250};
        const auto now = std::chrono::steady_clock::now();
        if (now < next_event_) {
            std::this_thread::sleep_for(kTurn);
            return true;
        }
        next_event_ = now + kEvery;
        const std::optional<storage::Run> run = service_.store.run(run_);
        const bool ended = !run || storage::has_ended(run->state);
        if (run) {
            out += fmt::format("id: {}\nevent: {}\ndata: {}\n\n", ++sent_, ended ? "result" : "progress",
                               text_of(service_, *run, ended));
        }
        return !ended;
    }

private:
    Service& service_;
    std::int64_t run_;
    std::int64_t sent_ = 0;
    std::chrono::steady_clock::time_point next_event_;
};

} // namespace

Attempt<http::Response> post_recalculations(Service& service, const Call& call) {
    const Attempt<json> body = read_body(call.request);
    if (!body) {
        return tl::unexpected(body.error());
    }
    Members members(*body, "", {"scenarios"});
    const storage::RunRequest request = read_request(members);
    if (!members.issues.empty()) {
        return refused(std::move(members.issues));
    }
    const auto begun = service.store.begin_run({call.author, call.request.request_id}, request);
    if (const auto* const missing = std::get_if<std::vector<std::string>>(&begun)) {
        model::Failure issues;
        issues.reserve(missing->size());
        for (const std::string& id : *missing) {
            issues.push_back({"/scenarios", Code::unknown_reference, fmt::format("no scenario has the id {}", shortened(id, 130))});
        }
        return refused(std::move(issues));
    }
    if (service.recalculator != nullptr) {
        service.recalculator->wake();
    }
    const storage::Run run = service.store.run(std::get<std::int64_t>(begun)).value();
    http::Response response = json_answer(text_of(service, run, false), 202);
    response.headers.push_back({"Location", fmt::format("/v1/recalculations/{}", run.id)});
    return response;
}

Attempt<http::Response> list_recalculations(Service& service, const Call& call) {
    constexpr double kUsualLimit = 100;
    const auto limit = static_cast<std::size_t>(number_parameter(call, "limit").value_or(kUsualLimit));
    const auto before = static_cast<std::int64_t>(number_parameter(call, "before").value_or(0));
    std::vector<storage::Run> runs = service.store.runs(before, limit + 1);
    const bool more = runs.size() > limit;
    runs.resize(std::min(limit, runs.size()));
    JsonWriter out;
    out.begin_object().key("items").begin_array();
    for (const storage::Run& run : runs) {
        out.raw(text_of(service, run, false));
    }
    out.end_array().member("next", more ? std::optional(std::to_string(runs.back().id)) : std::nullopt).end_object();
    return json_answer(out.take());
}

Attempt<http::Response> get_recalculation(Service& service, const Call& call) {
    return run_of(service, call).map([&](const storage::Run& run) { return json_answer(text_of(service, run, true)); });
}

Attempt<http::Response> get_recalculation_events(Service& service, const Call& call) {
    return run_of(service, call).map([&](const storage::Run& run) {
        // Shared, because a std::function must be able to be copied; it never is.
        const auto events = std::make_shared<RunEvents>(service, run.id);
        http::Response response;
        response.content_type = "text/event-stream";
        response.stream = [events](std::string& out) { return events->next(out); };
        return response;
    });
}

Attempt<http::Response> delete_recalculation(Service& service, const Call& call) {
    const Attempt<storage::Run> run = run_of(service, call);
    if (!run) {
        return tl::unexpected(run.error());
    }
    if (!service.store.set_run_state(run->id, storage::RunState::cancelled, "", record_end)) {
        const storage::Run ended = service.store.run(run->id).value_or(*run);
        return tl::unexpected(Refusal{409, fmt::format("the recalculation is {} already", name_of(ended.state))});
    }
    if (service.recalculator != nullptr) {
        service.recalculator->wake();
    }
    if (service.wake_dispatcher) {
        service.wake_dispatcher();
    }
    return json_answer(text_of(service, service.store.run(run->id).value(), true));
}

} // namespace costcurve::api
