// Keys, roles, rates, hosts and origins.
#include <string>

#include <gtest/gtest.h>

#include "server/answers/encode_result.hpp"
#include "server/api/access.hpp"
#include "server/api/gate.hpp"
#include "server/storage/sha256.hpp"
#include "tests/api/samples.hpp"
#include "tests/api/test_service.hpp"

namespace costcurve::tests {
namespace {

class Access : public testing::Test {
protected:
    static const std::string& device() {
        static const std::string text = R"({"kind": "gpu", "tdp_w": 700})";
        return text;
    }
};

TEST_F(Access, NeedsNoKeyUnlessKeysAreRequired) {
    TestService open;
    EXPECT_EQ(open.ask("PUT", "/v1/devices/a", device()).status, 201);
    TestService closed({.keys_required = true});
    const http::Response refused = closed.ask("GET", "/v1/devices");
    EXPECT_EQ(refused.status, 401);
    EXPECT_EQ(header_of(refused, "WWW-Authenticate"), "Bearer");
    for (const char* path : {"/", "/healthz", "/readyz", "/openapi.json", "/v1/fields", "/v1/examples"}) {
        EXPECT_EQ(closed.ask("GET", path).status, 200) << path;
    }
    EXPECT_EQ(closed.ask("GET", "/metrics").status, 401);
}

TEST_F(Access, GivesEachRoleWhatItMayDo) {
    TestService service({.keys_required = true});
    const std::string viewer = add_key(service, "ana", storage::Role::viewer);
    const std::string editor = add_key(service, "ed", storage::Role::editor);
    const std::string admin = add_key(service, "root", storage::Role::admin);
    const std::string question = json{{"scenario", smallest()}}.dump();
    EXPECT_EQ(service.ask("GET", "/v1/devices", "", bearer(viewer)).status, 200);
    EXPECT_EQ(service.ask("POST", "/v1/evaluate", question, bearer(viewer)).status, 200);
    EXPECT_EQ(service.ask("PUT", "/v1/devices/a", device(), bearer(viewer)).status, 403);
    EXPECT_EQ(service.ask("PUT", "/v1/devices/a", device(), bearer(editor)).status, 201);
    EXPECT_EQ(service.ask("DELETE", "/v1/devices/a", "", bearer(viewer)).status, 403);
    EXPECT_EQ(service.ask("DELETE", "/v1/devices/a", "", bearer(admin)).status, 204);
    const json history = json::parse(service.ask("GET", "/v1/devices/a/revisions", "", bearer(viewer)).body);
    EXPECT_EQ(history["items"][0].at("recorded_by"), "root");
    EXPECT_EQ(history["items"][1].at("recorded_by"), "ed");
}

TEST_F(Access, GivesTheAuditToAdminsPageByPage) {
    TestService service({.keys_required = true});
    const std::string editor = add_key(service, "ed", storage::Role::editor);
    const std::string admin = add_key(service, "root", storage::Role::admin);
    EXPECT_EQ(service.ask("PUT", "/v1/devices/a", device(), bearer(editor)).status, 201);
    EXPECT_EQ(service.ask("GET", "/v1/audit", "", bearer(editor)).status, 403);
    const json first = json::parse(service.ask("GET", "/v1/audit?limit=2", "", bearer(admin)).body);
    ASSERT_EQ(first.at("items").size(), 2U);
    EXPECT_EQ(first["items"][0].at("subject"), "device/a");
    EXPECT_EQ(first["items"][0].at("author"), "ed");
    EXPECT_EQ(first["items"][0].at("action"), "save");
    EXPECT_EQ(first["items"][0].at("request_id"), "0123456789abcdef");
    const std::string next = first.at("next");
    const json second = json::parse(service.ask("GET", "/v1/audit?limit=2&after=" + next, "", bearer(admin)).body);
    ASSERT_EQ(second.at("items").size(), 1U);
    EXPECT_EQ(second["items"][0].at("sequence"), 1);
    EXPECT_TRUE(second.at("next").is_null());
    for (const char* after : {"x", "0", "-1", "1x"}) {
        EXPECT_EQ(service.ask("GET", std::string("/v1/audit?after=") + after, "", bearer(admin)).status, 422) << after;
    }
}

TEST_F(Access, RefusesKeysThatAreUnknownRevokedOrMalformed) {
    TestService service;
    const std::string secret = add_key(service, "ana", storage::Role::viewer);
    EXPECT_EQ(service.ask("GET", "/v1/devices", "", bearer(secret)).status, 200);
    for (const char* scheme : {"bearer ", "BEARER "}) {
        EXPECT_EQ(service.ask("GET", "/v1/devices", "", {{"authorization", scheme + secret}}).status, 200) << scheme;
    }
    EXPECT_TRUE(service.store.revoke_key({"cli", ""}, "ana"));
    for (const std::string& sent : {"Bearer " + secret, std::string("Bearer "), std::string("Bearer x"), std::string("Basic YTpi"),
                                    secret, std::string("bearer")}) {
        EXPECT_EQ(service.ask("GET", "/v1/devices", "", {{"authorization", sent}}).status, 401)
            << "a key that is sent is checked, also where none is needed: " << sent;
    }
}

TEST_F(Access, SecretsAreLongAndNeverTheSame) {
    const std::string one = api::make_secret();
    EXPECT_EQ(one.size(), 46U);
    EXPECT_TRUE(one.starts_with("cc_"));
    EXPECT_EQ(one.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"), std::string::npos);
    EXPECT_NE(one, api::make_secret());
}

TEST_F(Access, LimitsTheRateOfAKey) {
    api::RateLimiter limiter(10);
    for (int i = 0; i < 20; ++i) {
        EXPECT_EQ(limiter.take("a", 100.0), 0.0) << "two seconds' worth at once, " << i;
    }
    EXPECT_NEAR(limiter.take("a", 100.0), 0.1, 1e-12);
    EXPECT_EQ(limiter.take("b", 100.0), 0.0) << "another key has its own";
    EXPECT_EQ(limiter.take("a", 100.11), 0.0) << "a tenth of a second gives one";
    EXPECT_GT(limiter.take("a", 100.11), 0.0);
    api::RateLimiter none(0);
    EXPECT_EQ(none.take("a", 0.0), 0.0);
}

TEST_F(Access, Says429WithRetryAfterWhereTheRateIsUsedUp) {
    TestService service({.requests_per_s = 1e-6});
    EXPECT_EQ(service.ask("GET", "/v1/devices").status, 200);
    const http::Response refused = service.ask("GET", "/v1/devices");
    EXPECT_EQ(refused.status, 429);
    EXPECT_GE(std::stoi(header_of(refused, "Retry-After")), 1);
    EXPECT_EQ(service.ask("GET", "/healthz").status, 200) << "what needs no key has no limit";
}

TEST_F(Access, AnswersWithoutKeysToLocalNamesOnly) {
    TestService service({.allowed_hosts = {"planner.example"}});
    const std::pair<const char*, int> rows[] = {
        {"localhost:8080", 200},
        {"127.0.0.1:8080", 200},
        {"[::1]:8080", 200},
        {"127.0.0.1", 200},
        {"planner.example:80", 200},
        {"attacker.example:8080", 403},
        {"localhost.attacker.example", 403},
        {"127.attacker.example", 403},
    };
    for (const auto& [host, status] : rows) {
        EXPECT_EQ(service.ask("GET", "/v1/devices", "", {{"host", host}}).status, status) << host;
    }
    const std::string secret = add_key(service, "ana", storage::Role::viewer);
    EXPECT_EQ(service.ask("GET", "/v1/devices", "", {{"host", "other.example"}, {"authorization", "Bearer " + secret}}).status,
              200);
}

// "ends all of its secrets at once": streams that have begun too.
TEST_F(Access, ARevokedKeyEndsItsStreams) {
    TestService service({.keys_required = true});
    const std::string batch = json{{"scenarios", std::vector<json>(4, json::parse(kSmallest))}}.dump();
    Headers events = bearer(add_key(service, "bob", storage::Role::editor));
    ASSERT_EQ(service.ask("PUT", "/v1/scenarios/s", std::string(kSmallest), events).status, 201);
    ASSERT_EQ(service.ask("POST", "/v1/recalculations", R"({"scenarios": "all"})", events).status, 202);
    events.push_back({"accept", "text/event-stream"});
    const std::string ana = add_key(service, "ana", storage::Role::viewer);
    struct Row {
        const char* name;
        http::Response response;
    };
    const Row rows[] = {
        {"a batch", service.ask("POST", "/v1/evaluate/batch", batch, events)},
        {"a question", service.ask("POST", "/v1/simulate", R"({"scenarios": ["s"], "samples": 100, "inputs": [
            {"pointer": "/workloads/0/demand/mean_per_s", "distribution": {"kind": "uniform", "low": 0.5, "high": 1}}]})",
                                   events)},
        {"an import", service.ask("POST", "/v1/imports", "x", events)},
        {"a run", service.ask("GET", "/v1/recalculations/1/events", "", events)},
    };
    const http::Response of_ana = service.ask("POST", "/v1/evaluate/batch", batch, bearer(ana));
    std::string out;
    for (const Row& row : rows) {
        ASSERT_TRUE(row.response.stream) << row.name << ": " << row.response.body;
    }
    EXPECT_TRUE(rows[0].response.stream(out));
    ASSERT_TRUE(service.store.revoke_key({"cli", ""}, "bob"));
    service.service.gate->renew(service.service); // each second in the daemon
    for (const Row& row : rows) {
        std::string last;
        EXPECT_FALSE(row.response.stream(last)) << row.name;
        EXPECT_NE(last.find("this key was revoked or has expired"), std::string::npos) << row.name << ": " << last;
        EXPECT_EQ(last.starts_with("event: problem\ndata: {"), row.response.content_type == "text/event-stream") << last;
    }
    EXPECT_TRUE(of_ana.stream(out)) << "another's goes on";
    while (of_ana.stream(out)) {}
    EXPECT_EQ(out.find("problems"), std::string::npos) << out;
}

TEST_F(Access, LetsOnlyConfiguredOriginsIn) {
    const Headers preflight{{"origin", "https://planner.example"}, {"access-control-request-method", "PUT"}};
    TestService closed;
    EXPECT_EQ(closed.ask("OPTIONS", "/v1/devices/a", "", preflight).status, 405);
    EXPECT_EQ(header_of(closed.ask("GET", "/healthz", "", preflight), "Access-Control-Allow-Origin"), "");
    TestService open({.cors_origins = {"https://planner.example"}});
    const http::Response asked = open.ask("OPTIONS", "/v1/devices/a", "", preflight);
    EXPECT_EQ(asked.status, 204);
    EXPECT_EQ(header_of(asked, "Access-Control-Allow-Origin"), "https://planner.example");
    EXPECT_NE(header_of(asked, "Access-Control-Allow-Methods").find("PUT"), std::string::npos);
    EXPECT_EQ(header_of(open.ask("GET", "/healthz", "", {{"origin", "https://planner.example"}}), "Access-Control-Allow-Origin"),
              "https://planner.example");
    EXPECT_EQ(header_of(open.ask("GET", "/healthz", "", {{"origin", "https://other.example"}}), "Access-Control-Allow-Origin"), "");
}

TEST_F(Access, CountsRequestsCostsAndDocumentsForPrometheus) {
    TestService service;
    service.ask("PUT", "/v1/scenarios/small", smallest().dump());
    service.ask("GET", "/v1/devices/none");
    service.ask("GET", "/nothing");
    const http::Response metrics = service.ask("GET", "/metrics");
    EXPECT_TRUE(metrics.content_type.starts_with("text/plain; version=0.0.4"));
    for (const char* line :
         {"costcurve_requests_total{route=\"PUT /v1/scenarios/{id}\",status=\"201\"} 1\n",
          "costcurve_requests_total{route=\"GET /v1/devices/{id}\",status=\"404\"} 1\n",
          "costcurve_requests_total{route=\"other\",status=\"404\"} 1\n",
          "costcurve_request_seconds_count{route=\"GET /v1/devices/{id}\"} 1\n", "costcurve_documents{kind=\"scenario\"} 1\n",
          "costcurve_scenarios_failing 0\n", "costcurve_scenario_cost{scenario=\"small\",currency=\"USD\"} "}) {
        EXPECT_NE(metrics.body.find(line), std::string::npos) << line << "\n" << metrics.body;
    }
}

} // namespace
} // namespace costcurve::tests
