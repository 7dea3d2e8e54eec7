// Jobs (/v1/jobs). A caller sees only their own jobs, an admin all.
#include "server/api/handlers/jobs.hpp"

#include <fmt/format.h>

#include "model/documents/text.hpp"
#include "server/api/access.hpp"
#include "server/api/handlers/handlers.hpp"
#include "server/api/handlers/questions.hpp"
#include "server/api/problem.hpp"
#include "server/api/request.hpp"
#include "server/api/service.hpp"
#include "server/documents/json/json_text.hpp"
#include "server/recalculation/job.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::api {

namespace {

recalculation::JobAnswer answer_of_job(const Service& service, storage::Job job) {
    std::optional<jobs::JobProgress> progress;
    if (service.job_runner != nullptr && job.state == storage::JobState::running) {
        progress = service.job_runner->progress_of(job.id);
    }
    return recalculation::JobAnswer(std::move(job), progress);
}

bool sees_all(const Service& service, const Call& call) { return has_role(service, call.request, storage::Role::admin); }

// The job named in the path, if the caller may see it.
Attempt<storage::Job> job_of(const Service& service, const Call& call) {
    const std::string& id = call.arguments.front();
    const auto number = model::read_number<std::int64_t>(id);
    std::optional<storage::Job> job = number ? service.store.job(*number) : std::nullopt;
    if (!job || (job->author != author_of(call).name && !sees_all(service, call))) {
        return tl::unexpected(Refusal{404, fmt::format("you have no job {}; they are kept for a day", shortened(id, 40))});
    }
    return std::move(*job);
}

http::Response job_response(const Service& service, storage::Job job, int status = 200) {
    return json_answer(answers::encode_answer(answer_of_job(service, std::move(job))), status);
}

} // namespace

Attempt<http::Response> queue_question(Service& service, const Call& call) {
    const auto id = service.store.queue_job(author_of(call), {std::string(call.route.path), call.request.body});
    if (!id) {
        constexpr int kRetryAfterS = 60;
        return tl::unexpected(
            Refusal{503, "as many jobs wait, or as much is kept of them, as may be; try again, or ask for less", {}, kRetryAfterS});
    }
    if (service.job_runner != nullptr) {
        service.job_runner->wake();
    }
    http::Response response = job_response(service, service.store.job(*id).value(), 202);
    response.headers.push_back({"Location", fmt::format("/v1/jobs/{}", *id)});
    response.headers.push_back({"Preference-Applied", "respond-async"});
    return response;
}

std::optional<jobs::JobEnd> answer_job(const Service& service, const storage::Job& job, const jobs::Watch& watch) {
    const std::string id = fmt::format("job/{}", job.id);
    if (job.starts > storage::kMaxStarts) {
        const Refusal given_up{500, fmt::format("the service ended {} times while it answered this; ask for less", job.starts - 1)};
        return jobs::JobEnd{storage::JobState::failed, problem(given_up, id).body};
    }
    Attempt<std::string> answer;
    const auto thrown = failure::guarded([&] {
        answer =
            prepare_question(service, job.question, job.request, storage::format_sequence(job.sequence))
                .and_then([&](const LongQuestion& question) { return answer_watched(question, service.questions.threads, watch); });
    });
    if (thrown && thrown->store && !thrown->is_unreadable()) { // the job waits for the store
        throw storage::StoreError(*thrown->store, thrown->what);
    }
    if (watch.is_unwanted()) {
        return std::nullopt;
    }
    if (thrown) {
        answer = tl::unexpected(refusal_of(service, *thrown, id));
    }
    return answer ? jobs::JobEnd{storage::JobState::done, std::move(*answer)}
                  : jobs::JobEnd{storage::JobState::failed, problem(answer.error(), id).body};
}

Attempt<http::Response> list_jobs(Service& service, const Call& call) {
    const std::size_t limit = page_limit(call);
    const auto before = static_cast<std::int64_t>(number_parameter(call, "before").value_or(0));
    std::vector<storage::Job> jobs = service.store.jobs(sees_all(service, call) ? "" : author_of(call).name, before, limit + 1);
    answers::Page<recalculation::JobAnswer> page;
    if (jobs.size() > limit) {
        jobs.pop_back();
        page.next = std::to_string(jobs.back().id);
    }
    for (storage::Job& job : jobs) {
        page.items.push_back(answer_of_job(service, std::move(job)));
    }
    return json_answer(answers::encode_answer(page));
}

Attempt<http::Response> get_job(Service& service, const Call& call) {
    return job_of(service, call).map([&](storage::Job&& job) { return job_response(service, std::move(job)); });
}

Attempt<http::Response> delete_job(Service& service, const Call& call) {
    const Attempt<storage::Job> job = job_of(service, call);
    if (!job) {
        return tl::unexpected(job.error());
    }
    if (!service.store.end_job(job->id, storage::JobState::cancelled)) {
        const storage::Job ended = service.store.job(job->id).value_or(*job);
        return tl::unexpected(Refusal{409, fmt::format("the job is {} already", name_of(ended.state))});
    }
    if (service.job_runner != nullptr) {
        service.job_runner->cancel(job->id);
    }
    return job_response(service, service.store.job(job->id).value_or(*job));
}

} // namespace costcurve::api
