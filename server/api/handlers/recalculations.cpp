// Runs are queued, watched and cancelled here (/v1/recalculations); the daemon's recalculator does them.
#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "model/documents/text.hpp"
#include "model/version.hpp"
#include "server/api/handlers/handlers.hpp"
#include "server/api/progress_stream.hpp"
#include "server/api/request.hpp"
#include "server/api/service.hpp"
#include "server/documents/json/json_text.hpp"
#include "server/documents/json/parsed_json.hpp"
#include "server/recalculation/recalculate.hpp"
#include "server/recalculation/recalculation.hpp"
#include "server/recalculation/recalculation_request.hpp"
#include "server/recalculation/standings.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::api {

namespace {

using model::Code;

constexpr std::size_t kShownFailures = 100;

storage::RunRequest run_request(const recalculation::RecalculationRequest& request) {
    storage::RunRequest run;
    run.model_version = model::kModelVersion;
    run.scope = static_cast<storage::Scope>(request.scenarios.coverage);
    run.scenarios = request.scenarios.ids;
    return run;
}

Refusal no_run(std::string_view id) { return {404, fmt::format("there is no recalculation {}", shortened(id, 40))}; }

// The run named in the path.
Attempt<storage::Run> run_of(const Service& service, const Call& call) {
    const std::string& id = call.arguments.front();
    const auto number = model::read_number<std::int64_t>(id);
    const auto run = number ? service.store.run(*number) : std::nullopt;
    if (!run) {
        return tl::unexpected(no_run(id));
    }
    return *run;
}

std::string run_text(const Service& service, const storage::Run& run, bool with_failures) {
    const recalculation::Recalculator* const recalculator = service.recalculator;
    const std::int64_t done = recalculator != nullptr ? recalculator->done_of(run) : run.done();
    const std::string obstacle = recalculator != nullptr && !storage::has_ended(run.state) ? recalculator->obstacle() : "";
    constexpr double kMicroseconds = 1e-6;
    const auto started = storage::parse_time(run.started_at);
    const auto now = std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
    const double elapsed_s = started ? std::max(0.0, now - static_cast<double>(*started) * kMicroseconds) : 0.0;
    if (!with_failures) {
        return recalculation::encode_run(run, done, obstacle, elapsed_s);
    }
    return recalculation::encode_run(run, done, obstacle, elapsed_s, service.store.run_failures(run.id, kShownFailures));
}

// Progress of a run from its current state to its end. A client that reconnects gets the current state, whatever its Last-Event-ID.
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
                               run_text(service_, *run, ended));
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
    const Attempt<ParsedJson> body = read_body(call.request);
    if (!body) {
        return tl::unexpected(body.error());
    }
    const auto request = answers::decode_request<recalculation::RecalculationRequest>(**body, service.questions);
    if (!request) {
        return refused(request.error());
    }
    const auto begun = service.store.begin_run(author_of(call), run_request(*request));
    if (const auto* const missing = std::get_if<std::vector<std::string>>(&begun)) {
        model::Failure issues;
        for (const std::string& id : *missing) {
            issues.push_back({"/scenarios", Code::unknown_reference, fmt::format("no scenario has the id {}", shortened(id, 130))});
        }
        return refused(std::move(issues));
    }
    if (service.recalculator != nullptr) {
        service.recalculator->wake();
    }
    const storage::Run run = service.store.run(std::get<std::int64_t>(begun)).value();
    http::Response response = json_answer(run_text(service, run, false), 202);
    response.headers.push_back({"Location", fmt::format("/v1/recalculations/{}", run.id)});
    return response;
}

Attempt<http::Response> list_recalculations(Service& service, const Call& call) {
    const std::size_t limit = page_limit(call);
    const auto before = static_cast<std::int64_t>(number_parameter(call, "before").value_or(0));
    std::vector<storage::Run> runs = service.store.runs(before, limit + 1);
    answers::Page<answers::RawJson> page;
    for (std::size_t i = 0; i < std::min(limit, runs.size()); ++i) {
        page.items.push_back({run_text(service, runs[i], false)});
    }
    if (runs.size() > limit) {
        page.next = std::to_string(runs[limit - 1].id);
    }
    return json_answer(answers::encode_answer(page));
}

Attempt<http::Response> get_recalculation(Service& service, const Call& call) {
    return run_of(service, call).map([&](const storage::Run& run) { return json_answer(run_text(service, run, true)); });
}

Attempt<http::Response> get_recalculation_events(Service& service, const Call& call) {
    return run_of(service, call).map([&](const storage::Run& run) {
        // shared_ptr only because std::function requires copyable captures.
        const auto events = std::make_shared<RunEvents>(service, run.id);
        http::Response response;
        response.content_type = kEventStream;
        response.stream = [events](std::string& out) { return events->next(out); };
        return response;
    });
}

Attempt<http::Response> delete_recalculation(Service& service, const Call& call) {
    const Attempt<storage::Run> run = run_of(service, call);
    if (!run) {
        return tl::unexpected(run.error());
    }
    if (!service.store.set_run_state(run->id, storage::RunState::cancelled, "", recalculation::record_end)) {
        const storage::Run ended = service.store.run(run->id).value_or(*run);
        return tl::unexpected(Refusal{409, fmt::format("the recalculation is {} already", name_of(ended.state))});
    }
    if (service.recalculator != nullptr) {
        service.recalculator->wake();
    }
    if (service.wake_dispatcher) {
        service.wake_dispatcher();
    }
    return json_answer(run_text(service, service.store.run(run->id).value(), true));
}

} // namespace costcurve::api
