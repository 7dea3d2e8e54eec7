// Long questions answered later: the same answer as at once, as of when they were queued, for their authors alone.
#include "server/api/handlers/jobs.hpp"

#include <gtest/gtest.h>

#include "server/api/handlers/queued_question.hpp"
#include "server/api/request.hpp"
#include "server/jobs/job_runner.hpp"
#include "tests/api/samples.hpp"
#include "tests/api/test_service.hpp"

namespace costcurve::tests {
namespace {

const Headers kLater{{"prefer", "respond-async"}};

json small_map() {
    return {{"scenarios", {json::parse(kSmallest)}},
            {"x", {{"pointer", "/pools/0/offer/hourly_price"}, {"values", {1.0, 2.0}}}},
            {"y", {{"pointer", "/workloads/0/demand/mean_per_s"}, {"values", {0.5, 1.5}}}}};
}

// Answers what is queued, as the daemon's thread does.
void do_jobs(TestService& service) {
    while (const auto job = service.store.begin_job()) {
        jobs::Watch watch;
        watch.is_unwanted = [] { return false; };
        const auto end = api::answer_job(service.service, *job, watch);
        ASSERT_TRUE(end);
        EXPECT_TRUE(service.store.end_job(job->id, end->state, end->answer));
    }
}

json get(TestService& service, const std::string& path) { return json::parse(service.ask("GET", path).body); }

TEST(JobRoutes, AnswerTheSameBytesAsAtOnce) {
    TestService service;
    const http::Response at_once = service.ask("POST", "/v1/map", small_map().dump());
    ASSERT_EQ(at_once.status, 200);
    const http::Response queued = service.ask("POST", "/v1/map", small_map().dump(), kLater);
    ASSERT_EQ(queued.status, 202) << queued.body;
    EXPECT_EQ(header_of(queued, "Preference-Applied"), "respond-async");
    const std::string place = header_of(queued, "Location");
    json job = json::parse(queued.body);
    EXPECT_EQ(place, "/v1/jobs/" + job["id"].get<std::string>());
    EXPECT_EQ(job["state"], "queued");
    EXPECT_EQ(job["question"], "/v1/map");
    EXPECT_EQ(job["result"], nullptr);
    do_jobs(service);
    const http::Response done = service.ask("GET", place);
    job = json::parse(done.body);
    EXPECT_EQ(job["state"], "done");
    EXPECT_EQ(job["problem"], nullptr);
    EXPECT_NE(done.body.find("\"result\":" + at_once.body), std::string::npos) << "byte for byte";
    const json list = get(service, "/v1/jobs");
    ASSERT_EQ(list["items"].size(), 1);
    EXPECT_EQ(list["items"][0]["id"], job["id"]);
    EXPECT_EQ(list["items"][0]["result"], nullptr) << "lists have no answers";
}

// A sensitivity of a hundred scenarios was a 503 where it was too long, and nothing else.
TEST(JobRoutes, AnswerShortQuestionsToo) {
    TestService service;
    const json scenario = json::parse(kSmallest);
    json cheaper = scenario;
    cheaper["name"] = "cheaper";
    cheaper["pools"][0]["offer"]["hourly_price"] = 1;
    const std::string price = "/pools/0/offer/hourly_price";
    const std::vector<std::pair<std::string, json>> questions{
        {"/v1/sensitivity", {{"scenario", scenario}}},
        {"/v1/compare", {{"scenarios", {scenario, cheaper}}}},
        {"/v1/break-even", {{"a", scenario}, {"b", cheaper}, {"input", price}, {"low", 1}, {"high", 9}}},
        {"/v1/solve",
         {{"scenario", scenario}, {"input", price}, {"low", 1}, {"high", 9}, {"output", "/total/cost"}, {"target", 1000}}},
        {"/v1/explain", {{"scenario", scenario}, {"figure", "/total/cost"}}},
    };
    for (const auto& [path, question] : questions) {
        const http::Response at_once = service.ask("POST", path, question.dump());
        ASSERT_EQ(at_once.status, 200) << path << at_once.body;
        const http::Response queued = service.ask("POST", path, question.dump(), kLater);
        ASSERT_EQ(queued.status, 202) << path << queued.body;
        EXPECT_EQ(json::parse(queued.body)["question"], path);
        do_jobs(service);
        const http::Response done = service.ask("GET", header_of(queued, "Location"));
        EXPECT_NE(done.body.find("\"result\":" + at_once.body), std::string::npos) << path << done.body;
    }
    EXPECT_EQ(service.ask("POST", "/v1/compare", R"({"scenarios":["nowhere"]})", kLater).status, 422) << "at once";
}

TEST(JobRoutes, CountWhatWasStoredWhenTheyWereQueued) {
    TestService service;
    const json scenario = json::parse(kSmallest);
    ASSERT_EQ(service.ask("PUT", "/v1/scenarios/s", scenario.dump()).status, 201);
    json question = small_map();
    question["scenarios"] = {"s"};
    const std::string at_once = service.ask("POST", "/v1/map", question.dump()).body;
    ASSERT_EQ(service.ask("POST", "/v1/map", question.dump(), kLater).status, 202);
    json longer = scenario;
    longer["months"] = scenario["months"].get<int>() + 12;
    ASSERT_EQ(service.ask("PUT", "/v1/scenarios/s", longer.dump()).status, 200);
    EXPECT_NE(service.ask("POST", "/v1/map", question.dump()).body, at_once);
    do_jobs(service);
    EXPECT_EQ(get(service, "/v1/jobs/1")["result"], json::parse(at_once));
    EXPECT_EQ(get(service, "/v1/jobs/1")["as_of"], "@1");
}

// What a program of before the names slo, itl_s and e2e_s had queued.
TEST(JobRoutes, OfTheVersionBeforeRunAsTheirNewForm) {
    TestService service;
    const auto queue = [&](const std::string& path, const json& body) {
        const auto id = service.store.queue_job({"cli", ""}, {path, body.dump()});
        do_jobs(service);
        return get(service, "/v1/jobs/" + std::to_string(*id));
    };
    const auto at_once = [&](const std::string& path, const json& body) {
        const http::Response response = service.ask("POST", path, body.dump());
        EXPECT_EQ(response.status, 200) << response.body;
        return json::parse(response.body);
    };
    const json scenario = json::parse(kSmallest);
    json old_scenario = scenario;
    old_scenario["workloads"][0].update({{"latency_objective_s", 2}, {"ttft_objective_s", 5}, {"latency_percentile", 99}});
    old_scenario["workloads"][0]["runs_on"][0]["performance"].update({{"latency_s", 0.1}, {"ttft_s", 1}});
    json new_scenario = scenario;
    new_scenario["workloads"][0]["slo"] = {{"itl_s", 2}, {"ttft_s", 5}, {"percentile", 99}};
    new_scenario["workloads"][0]["runs_on"][0]["performance"].update({{"itl_s", 0.1}, {"ttft_s", 1}});
    ASSERT_EQ(service.ask("PUT", "/v1/scenarios/stored", new_scenario.dump()).status, 201);

    json old_map = small_map();
    old_map["scenarios"] = {old_scenario, "stored"};
    old_map["y"] = {{"pointer", "/workloads/0/latency_objective_s"}, {"values", {0.01, 1.0}}};
    json new_map = old_map;
    new_map["scenarios"] = {new_scenario, "stored"};
    new_map["y"]["pointer"] = "/workloads/0/slo/itl_s";
    EXPECT_EQ(service.ask("POST", "/v1/map", old_map.dump(), kLater).status, 422) << "of today: refused before it is queued";
    json job = queue("/v1/map", old_map);
    EXPECT_EQ(job["state"], "done") << job["problem"];
    EXPECT_EQ(job["result"], at_once("/v1/map", new_map));

    job = queue("/v1/explain",
                {{"scenario", "stored"},
                 {"figure", "/total/cost"},
                 {"set", {{"/workloads/0/runs_on/0/performance/latency_s", 0.2}, {"/workloads/0/ttft_objective_s", 4}}}});
    EXPECT_EQ(job["state"], "done") << job["problem"];

    // On hosted models alone it is of a whole request.
    json hosted = json::parse(R"({"id": "hosted", "start": "2026-01", "months": 1,
        "workloads": [{"id": "w", "kind": "inference", "latency_objective_s": 2, "demand": {"mean_per_s": 1},
                       "runs_on": [{"pool": "a"}]}],
        "pools": [{"id": "a", "kind": "api", "price_per_million_units": 1, "latency_s": 1}]})");
    job = queue("/v1/sensitivity", {{"scenario", hosted}, {"scale", {{"/workloads/0/latency_objective_s", 0.9}}}});
    EXPECT_EQ(job["state"], "done") << job["problem"];
    const std::string placed =
        api::upgraded_question(json{{"scenario", hosted}, {"inputs", {"/workloads/*/latency_objective_s"}}}.dump(), {});
    hosted["pools"][0].erase("latency_s");
    hosted["pools"][0]["e2e_s"] = 1;
    hosted["workloads"][0].erase("latency_objective_s");
    hosted["workloads"][0]["slo"] = {{"e2e_s", 2}, {"percentile", 0}};
    EXPECT_EQ(placed, (json{{"scenario", hosted}, {"inputs", {"/workloads/*/slo/e2e_s"}}}.dump()));
}

TEST(JobRoutes, OfTheVersionBeforeThatAreNoQuestionStayAsTheyAre) {
    EXPECT_EQ(api::upgraded_question(R"({"workloads": [{"latency_objective_s": 2, "latency_percentile": 90}]})", {}),
              R"({"workloads":[{"slo":{"itl_s":2,"percentile":90}}]})")
        << "of a ranking";

    for (const std::string body : {"latency_s", "[\"latency_s\"]", R"({"latency_s":1,"scenarios":5})",
                                   R"({"scenario": {"workloads": 1, "pools": "latency_s"}})", R"({"workloads": ["latency_s"]})",
                                   R"({"scenario":{"pools":[],"workloads":[{"id":"latency_percentile","runs_on":[]}]}})"}) {
        EXPECT_EQ(api::upgraded_question(body, {}), body);
    }
}

TEST(JobRoutes, RefuseAtOnceWhatIsWrong) {
    TestService service;
    json question = small_map();
    question["scenarios"] = {"nowhere"};
    EXPECT_EQ(service.ask("POST", "/v1/map", question.dump(), kLater).status, 422);
    EXPECT_EQ(service.ask("POST", "/v1/map", "{", kLater).status, 400);
    EXPECT_TRUE(get(service, "/v1/jobs")["items"].empty());
}

TEST(JobRoutes, PreferencesAreReadAsTheirRfcHasThem) {
    const auto prefers = [](Headers headers) {
        http::Request request;
        request.headers = std::move(headers);
        return api::prefers_async(request);
    };
    EXPECT_TRUE(prefers({{"prefer", "respond-async, wait=10"}}));
    EXPECT_TRUE(prefers({{"prefer", "return=minimal"}, {"prefer", " Respond-Async ;x=y"}}));
    EXPECT_FALSE(prefers({{"prefer", "respond-asynchronously"}}));
    EXPECT_FALSE(prefers({{"x-prefer", "respond-async"}}));
    EXPECT_FALSE(prefers({}));
}

TEST(JobRoutes, FailWithTheirProblem) {
    TestService service;
    json question = small_map();
    question["deadline_s"] = 0.001;
    question["x"] = {{"pointer", "/pools/0/offer/hourly_price"}, {"from", 1}, {"to", 100}, {"steps", 400}};
    question["y"] = {{"pointer", "/workloads/0/demand/mean_per_s"}, {"from", 1}, {"to", 100}, {"steps", 400}};
    ASSERT_EQ(service.ask("POST", "/v1/map", question.dump(), kLater).status, 202);
    do_jobs(service);
    const json job = get(service, "/v1/jobs/1");
    EXPECT_EQ(job["state"], "failed");
    EXPECT_EQ(job["result"], nullptr);
    EXPECT_EQ(job["problem"]["status"], 422);
    EXPECT_EQ(job["problem"]["errors"][0]["pointer"], "/deadline_s");
}

TEST(JobRoutes, AreGivenUpWhereTheyEndTheDaemonEachTime) {
    TestService service;
    ASSERT_EQ(service.ask("POST", "/v1/map", small_map().dump(), kLater).status, 202);
    for (int i = 0; i < 3; ++i) {
        ASSERT_TRUE(service.store.begin_job()); // and killed
    }
    do_jobs(service);
    EXPECT_EQ(get(service, "/v1/jobs/1")["state"], "failed");
    EXPECT_EQ(get(service, "/v1/jobs/1")["problem"]["status"], 500);
}

TEST(JobRoutes, AreCancelledOnce) {
    TestService service;
    ASSERT_EQ(service.ask("POST", "/v1/map", small_map().dump(), kLater).status, 202);
    const http::Response cancelled = service.ask("DELETE", "/v1/jobs/1");
    EXPECT_EQ(cancelled.status, 200);
    EXPECT_EQ(json::parse(cancelled.body)["state"], "cancelled");
    EXPECT_EQ(service.ask("DELETE", "/v1/jobs/1").status, 409);
    EXPECT_FALSE(service.store.begin_job());
}

TEST(JobRoutes, ShowNobodyTheJobsOfOthers) {
    TestService service({.keys_required = true});
    const Headers alice = bearer(add_key(service, "alice", storage::Role::viewer));
    const Headers bob = bearer(add_key(service, "bob", storage::Role::viewer));
    Headers later = alice;
    later.push_back(kLater.front());
    ASSERT_EQ(service.ask("POST", "/v1/map", small_map().dump(), later).status, 202);
    EXPECT_EQ(service.ask("GET", "/v1/jobs/1", "", alice).status, 200);
    EXPECT_EQ(service.ask("GET", "/v1/jobs/1", "", bob).status, 404);
    EXPECT_EQ(service.ask("DELETE", "/v1/jobs/1", "", bob).status, 404);
    EXPECT_TRUE(json::parse(service.ask("GET", "/v1/jobs", "", bob).body)["items"].empty());
    EXPECT_EQ(service.ask("GET", "/v1/jobs/1").status, 401);
    EXPECT_EQ(service.ask("GET", "/v1/jobs/99999999999999999999", "", alice).status, 404);
}

TEST(JobRoutes, AnAdminSeesAndCancelsAll) {
    TestService service({.keys_required = true});
    Headers later = bearer(add_key(service, "alice", storage::Role::viewer));
    later.push_back(kLater.front());
    const Headers root = bearer(add_key(service, "root", storage::Role::admin));
    ASSERT_EQ(service.ask("POST", "/v1/map", small_map().dump(), later).status, 202);
    const json all = json::parse(service.ask("GET", "/v1/jobs", "", root).body);
    ASSERT_EQ(all["items"].size(), 1);
    EXPECT_EQ(all["items"][0]["author"], "alice");
    EXPECT_EQ(service.ask("DELETE", "/v1/jobs/1", "", root).status, 200);
    EXPECT_EQ(json::parse(service.ask("GET", "/v1/jobs/1", "", later).body)["state"], "cancelled");
}

TEST(JobRoutes, AreNotQueuedBeyondTheLimit) {
    TestService service;
    for (int i = 0; i < 32; ++i) {
        ASSERT_EQ(service.ask("POST", "/v1/map", small_map().dump(), kLater).status, 202);
    }
    const http::Response refused = service.ask("POST", "/v1/map", small_map().dump(), kLater);
    EXPECT_EQ(refused.status, 503);
    EXPECT_EQ(header_of(refused, "Retry-After"), "60");
    EXPECT_EQ(get(service, "/v1/jobs?limit=20")["items"].size(), 20);
    EXPECT_EQ(get(service, "/v1/jobs?limit=20&before=13")["items"].size(), 12);
}

} // namespace
} // namespace costcurve::tests
