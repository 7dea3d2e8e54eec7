// Pages of other origins: they must not write through a visitor's browser. Also host names, key tries, and what is decided at a
// head.
#include <string>

#include <gtest/gtest.h>

#include "server/api/access.hpp"
#include "server/api/gate.hpp"
#include "server/storage/sha256.hpp"
#include "tests/api/samples.hpp"
#include "tests/api/test_service.hpp"

namespace costcurve::tests {
namespace {

const std::string kSamples = "x 1\n";

http::Request head_of(const std::string& method, const std::string& path, Headers headers, bool has_body = true) {
    http::Request head;
    head.method = method;
    head.path = path;
    head.headers = std::move(headers);
    head.has_body = has_body;
    head.remote_address = "192.0.2.1";
    head.request_id = "0123456789abcdef";
    return head;
}

TEST(CrossOrigin, APageOfAnotherOriginCanNotWrite) {
    const struct {
        const char* name;
        Headers headers;
        bool refused;
    } rows[] = {
        {"a script without a browser", {}, false},
        {"our own page", {{"origin", "http://127.0.0.1:8080"}}, false},
        {"our own page, as browsers say", {{"sec-fetch-site", "same-origin"}, {"origin", "http://127.0.0.1:8080"}}, false},
        {"the address bar", {{"sec-fetch-site", "none"}}, false},
        {"another port of this machine", {{"origin", "http://127.0.0.1:18110"}}, true},
        {"another local name", {{"origin", "http://localhost:8080"}}, true},
        {"another site", {{"origin", "https://evil.example"}}, true},
        {"another scheme of the usual port", {{"origin", "https://127.0.0.1"}}, true},
        {"a sandboxed frame", {{"origin", "null"}}, true},
        {"a form without Origin", {{"sec-fetch-site", "cross-site"}}, true},
        {"a sister site", {{"sec-fetch-site", "same-site"}, {"origin", "http://localhost:18110"}}, true},
        {"a prefix of ours", {{"origin", "http://127.0.0.1:8080.evil.example"}}, true},
        {"a configured origin", {{"origin", "https://planner.example"}, {"sec-fetch-site", "cross-site"}}, false},
        {"an allowed host behind a proxy", {{"origin", "https://costs.example"}}, false},
        {"another port of an allowed host", {{"origin", "https://costs.example:8443"}}, true},
    };
    TestService service({.cors_origins = {"https://planner.example"}, .allowed_hosts = {"costs.example"}});
    for (const auto& row : rows) {
        Headers headers = row.headers;
        headers.push_back({"host", "127.0.0.1:8080"});
        headers.push_back({"content-type", "text/plain"}); // a browser sends it without a preflight
        const http::Response answer = service.ask("POST", "/v1/telemetry?source=a", kSamples, headers);
        EXPECT_EQ(answer.status == 403, row.refused) << row.name << ": " << answer.body;
        const http::Admission admission = api::admit_head(service.service, head_of("POST", "/v1/telemetry", headers));
        EXPECT_EQ(admission.answer.has_value(), row.refused) << row.name;
        if (row.refused) {
            EXPECT_NE(answer.body.find("/problems/cross_origin"), std::string::npos) << answer.body;
            EXPECT_NE(admission.answer->body.find("/problems/cross_origin"), std::string::npos) << admission.answer->body;
        }
        EXPECT_EQ(service.ask("GET", "/v1/devices", "", headers).status, 200) << row.name << " reads";
    }
}

TEST(CrossOrigin, HoldsForEveryMethodThatWrites) {
    TestService service;
    const Headers page{{"origin", "https://evil.example"}, {"host", "localhost"}};
    for (const char* method : {"PUT", "DELETE", "PATCH"}) {
        EXPECT_TRUE(api::admit_head(service.service, head_of(method, "/v1/devices/a", page)).answer) << method;
    }
    EXPECT_EQ(service.ask("PUT", "/v1/devices/a", R"({"kind": "gpu", "tdp_w": 700})", page).status, 403);
    EXPECT_EQ(service.ask("DELETE", "/v1/devices/a", "", page).status, 403);
}

TEST(HostNames, OnlyThoseOfThisMachineNeedNoKey) {
    TestService service({.allowed_hosts = {"Planner.example"}});
    const std::pair<const char*, int> rows[] = {
        {"LOCALHOST", 200},
        {"localhost.", 200},
        {"LocalHost.:80", 200},
        {"planner.EXAMPLE", 200},
        {"127.0.0.1", 200},
        {"127.9.9.9:1", 200},
        {"[::1]", 200},
        {"[::1].evil.example", 403},
        {"127...", 403},
        {"", 403},
        {":8080", 403},
        {"[::1", 403},
        {"localhost:80:80", 403},
        {"localhost:x", 403},
        {"127.0.0.1.evil.example", 403},
        {"localhost..", 403},
    };
    for (const auto& [host, status] : rows) {
        const http::Response answer = service.ask("GET", "/v1/devices", "", {{"host", host}});
        EXPECT_EQ(answer.status, status) << host;
        if (status == 403) {
            EXPECT_NE(answer.body.find("\"title\":\"The service does not do this by this host name\""), std::string::npos)
                << answer.body;
        }
    }
}

// A proxy lets in whoever reaches it by such a name.
TEST(HostNames, AnAllowedOneReadsWithoutAKeyAndWritesWithOne) {
    TestService service({.allowed_hosts = {"costs.example"}});
    const Headers by_name{{"host", "costs.example"}};
    std::size_t writes = 0;
    for (const api::Route& route : api::routes()) {
        if (!route.role) {
            continue;
        }
        std::string path(route.path);
        for (std::size_t at = 0; (at = path.find('{')) != std::string::npos;) {
            path.replace(at, path.find('}') - at + 1, "1");
        }
        const bool is_write = *route.role != storage::Role::viewer;
        Headers headers = by_name;
        headers.push_back({"content-type", std::string(route.body_type.substr(0, route.body_type.find(' ')))});
        const http::Response answer = service.ask(std::string(route.method), path, "", headers);
        EXPECT_EQ(answer.status == 403, is_write) << route.method << " " << path << ": " << answer.body;
        const http::Admission admission = api::admit_head(service.service, head_of(std::string(route.method), path, headers));
        EXPECT_EQ(admission.answer && admission.answer->status == 403, is_write) << route.method << " " << path;
        writes += is_write ? 1 : 0;
    }
    EXPECT_GT(writes, 30U);
    const http::Response refused = service.ask("PUT", "/v1/devices/a", R"({"kind": "gpu", "tdp_w": 700})", by_name);
    EXPECT_NE(refused.body.find("costcurve keys add"), std::string::npos) << refused.body;
    EXPECT_NE(refused.body.find("/problems/forbidden_host"), std::string::npos) << refused.body;
    const std::string secret = tests::add_key(service, "ed", storage::Role::editor);
    EXPECT_EQ(service
                  .ask("PUT", "/v1/devices/a", R"({"kind": "gpu", "tdp_w": 700})",
                       {{"host", "costs.example"}, {"authorization", "Bearer " + secret}})
                  .status,
              201);
    const http::Response tool = service.ask("POST", "/mcp", R"({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {
        "name": "put_document", "arguments": {"kind": "device", "id": "b", "document": {"kind": "gpu", "tdp_w": 700}}}})",
                                            by_name);
    EXPECT_NE(tool.body.find("isError"), std::string::npos) << tool.body;
    EXPECT_EQ(service.ask("GET", "/v1/devices/b").status, 404);
    EXPECT_EQ(service.ask("PUT", "/v1/devices/b", R"({"kind": "gpu", "tdp_w": 700})", {{"host", "localhost"}}).status, 201);
}

// Webhooks' URLs are for those who may write.
TEST(HostNames, AnAllowedOneWithoutAKeyReadsAsAViewerDoes) {
    TestService service({.allowed_hosts = {"costs.example"}});
    ASSERT_EQ(
        service.ask("PUT", "/v1/webhooks/w", R"({"url": "https://hooks.example/secret-path", "secret": "sixteen bytes it is"})")
            .status,
        201);
    EXPECT_NE(service.ask("GET", "/v1/webhooks/w").body.find("secret-path"), std::string::npos);
    EXPECT_EQ(service.ask("GET", "/v1/webhooks/w", "", {{"host", "costs.example"}}).body.find("secret-path"), std::string::npos);
}

class KeyTries : public testing::Test {
protected:
    std::string add_key(const std::string& name, storage::Role role) {
        const std::string secret = api::make_secret();
        EXPECT_TRUE(service.store.add_key({"cli", ""}, {name, role, "", ""}, storage::sha256(secret)));
        return secret;
    }
    int ask(const std::string& secret) {
        return service.ask("GET", "/v1/devices", "", {{"authorization", "Bearer " + secret}}).status;
    }
    TestService service{{.keys_required = true}};
};

TEST_F(KeyTries, WrongOnesAreLimitedByAddress) {
    const std::string good = add_key("ana", storage::Role::viewer);
    EXPECT_EQ(ask(good), 200);
    for (std::size_t i = 0; i < api::FailedTries::kMaxTries; ++i) {
        EXPECT_EQ(ask("cc_wrong" + std::to_string(i)), 401);
    }
    const http::Response refused = service.ask("GET", "/v1/devices", "", {{"authorization", "Bearer cc_wrong"}});
    EXPECT_EQ(refused.status, 429);
    EXPECT_GE(std::stoi(header_of(refused, "Retry-After")), 1);
    EXPECT_EQ(ask(good), 200) << "a good key goes on";
}

TEST_F(KeyTries, OfOthersBehindTheSameProxyKeepNoGoodKeyOut) {
    const std::string good = add_key("ana", storage::Role::editor);
    http::Request head = head_of("POST", "/v1/imports", {{"authorization", "Bearer " + good}});
    for (std::size_t i = 0; i < api::FailedTries::kMaxTries; ++i) {
        service.service.gate->failed.add(head.remote_address, true, api::steady_seconds());
    }
    EXPECT_EQ(api::admit_head(service.service, head).answer->status, 429) << "it is not known yet";
    service.service.gate->renew(service.service);
    EXPECT_EQ(api::admit_head(service.service, head).client, "key ana");
    head.method = "GET";
    head.has_body = false;
    EXPECT_EQ(api::admit_head(service.service, head).client, "key ana") << "it has its turns with its other requests";
}

TEST_F(KeyTries, AreRecordedOnceAMinuteForEachAddress) {
    api::FailedTries tries;
    for (int i = 0; i < 2000; ++i) {
        tries.add("192.0.2.1", true, 1000.0);
    }
    tries.add("192.0.2.2", false, 1000.0);
    const auto first = tries.take_unrecorded(1000.0);
    ASSERT_EQ(first.size(), 2U);
    EXPECT_EQ(first[0].address, "192.0.2.1");
    EXPECT_EQ(first[0].count, 2000U);
    tries.add("192.0.2.1", true, 1001.0);
    EXPECT_TRUE(tries.take_unrecorded(1030.0).empty());
    ASSERT_EQ(tries.take_unrecorded(1061.0).size(), 1U);
    EXPECT_GT(tries.wait_s("192.0.2.1", 1030.0), 0.0);
    EXPECT_EQ(tries.wait_s("192.0.2.2", 1030.0), 0.0) << "a role that is too low is no wrong key";
    EXPECT_EQ(tries.wait_s("192.0.2.1", 1061.0), 0.0);
}

TEST_F(KeyTries, AreRememberedOfABoundedNumberOfAddresses) {
    api::FailedTries tries;
    for (std::size_t i = 0; i < api::FailedTries::kMaxAddresses + 10; ++i) {
        tries.add("address " + std::to_string(i), true, 1000.0 + static_cast<double>(i) / 1e6);
    }
    std::size_t count = 0;
    while (const std::size_t more = tries.take_unrecorded(2000.0).size()) {
        count += more;
    }
    EXPECT_EQ(count, api::FailedTries::kMaxAddresses);
}

TEST_F(KeyTries, AKeyThatIsRevokedIsForgottenByAdmission) {
    const std::string secret = add_key("ed", storage::Role::editor);
    const Headers bearer{{"authorization", "Bearer " + secret}, {"content-type", "application/json"}};
    const http::Request head = head_of("PUT", "/v1/devices/a", bearer);
    EXPECT_EQ(api::admit_head(service.service, head).client, "unknown keys");
    EXPECT_EQ(ask(secret), 200);
    EXPECT_EQ(api::admit_head(service.service, head).client, "key ed");
    EXPECT_TRUE(service.store.revoke_key({"cli", ""}, "ed"));
    EXPECT_EQ(ask(secret), 401) << "at once, whatever admission remembers";
    EXPECT_EQ(api::admit_head(service.service, head).client, "unknown keys");
    const std::string other = add_key("vi", storage::Role::viewer);
    EXPECT_EQ(ask(other), 200);
    EXPECT_TRUE(service.store.revoke_key({"cli", ""}, "vi"));
    service.service.gate->renew(service.service);
    EXPECT_FALSE(service.service.gate->key(storage::sha256(other)));
}

TEST_F(KeyTries, AdmissionRefusesByRouteMethodKeyRoleAndType) {
    const std::string viewer = add_key("vi", storage::Role::viewer);
    EXPECT_EQ(ask(viewer), 200);
    const Headers bearer{{"authorization", "Bearer " + viewer}, {"content-type", "application/json"}};
    const struct {
        const char* name;
        const char* method;
        const char* path;
        Headers headers;
        int status;
    } rows[] = {
        {"no key", "POST", "/v1/imports", {}, 401},
        {"a role too low", "POST", "/v1/imports", bearer, 403},
        {"no such path", "POST", "/v1/nothing", bearer, 404},
        {"another method", "POST", "/healthz", {}, 405},
        {"a page", "POST", "/", {}, 405},
        {"no JSON", "POST", "/v1/evaluate", {bearer[0], {"content-type", "text/plain"}}, 415},
        {"no type", "POST", "/v1/evaluate", {bearer[0]}, 415},
    };
    for (const auto& row : rows) {
        const http::Admission admission = api::admit_head(service.service, head_of(row.method, row.path, row.headers));
        ASSERT_TRUE(admission.answer) << row.name;
        EXPECT_EQ(admission.answer->status, row.status) << row.name << ": " << admission.answer->body;
        EXPECT_TRUE(admission.answer->content_type.starts_with("application/problem+json")) << row.name;
    }
    EXPECT_EQ(api::admit_head(service.service, head_of("POST", "/v1/evaluate", bearer)).max_body_bytes, 8U << 20U);
    EXPECT_EQ(api::admit_head(service.service, head_of("GET", "/v1/devices", bearer)).max_body_bytes, 0U);
    TestService open;
    EXPECT_EQ(api::admit_head(open.service, head_of("POST", "/v1/imports", {})).max_body_bytes, 64U << 20U);
}

TEST(Probes, AreAnsweredAtTheHeadFromAStateThatIsRenewed) {
    TestService service;
    const auto ask = [&](const char* path) { return api::admit_head(service.service, head_of("GET", path, {}, false)).answer; };
    EXPECT_EQ(ask("/healthz")->status, 200);
    EXPECT_EQ(ask("/readyz")->status, 503) << "nobody has looked yet";
    service.service.gate->renew(service.service);
    EXPECT_EQ(ask("/readyz")->status, 200);
    EXPECT_EQ(ask("/readyz")->body, R"({"status":"ready"})");
    EXPECT_FALSE(ask("/v1/devices")) << "the workers' matter";
}

TEST(RateLimits, ABatchCountsItsItems) {
    TestService service({.requests_per_s = 100});
    json sets = json::array();
    for (int i = 0; i < 1000; ++i) {
        sets.push_back({{"/pools/0/units", 1}});
    }
    const std::string batch = json{{"scenario", smallest()}, {"sets", sets}}.dump();
    EXPECT_EQ(service.ask("POST", "/v1/evaluate/batch", batch).status, 200);
    const http::Response next = service.ask("POST", "/v1/evaluate/batch", batch);
    EXPECT_EQ(next.status, 429);
    EXPECT_GE(std::stoi(header_of(next, "Retry-After")), 8) << "1,000 items at 100 a second, 200 at once";
}

TEST(Accept, IsA406WhereItCanNotBeMet) {
    TestService service;
    const std::pair<const char*, int> rows[] = {
        {"*/*", 200},
        {"application/json", 200},
        {"Application/*;q=0.1", 200},
        {"text/html, application/xhtml+xml, */*;q=0.8", 200},
        {"text/csv", 200},
        {"text/plain", 406},
        {"application/json;q=0", 406},
        {"application/json; q=0.0, text/csv", 200},
        {"application/json; q=0.0, */*", 200},
        {"application/json; q=0.0, text/csv;q=0", 406},
        {"application/jsonx", 406},
    };
    for (const auto& [accept, status] : rows) {
        const http::Response answer = service.ask("GET", "/v1/devices", "", {{"accept", accept}});
        EXPECT_EQ(answer.status, status) << accept;
        EXPECT_EQ(answer.status == 406, answer.body.find("/problems/not-acceptable") != std::string::npos) << accept;
    }
    EXPECT_EQ(service.ask("DELETE", "/v1/devices/none", "", {{"accept", "text/csv"}}).status, 404) << "it has no answer";
}

} // namespace
} // namespace costcurve::tests
