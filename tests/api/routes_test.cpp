// Requests to answers through dispatch, without sockets; and the problem documents (RFC 9457).
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "model/documents/enum_names.hpp"
#include "model/ledger.hpp"
#include "server/api/openapi/openapi.hpp"
#include "server/api/problem.hpp"
#include "server/api/routes.hpp"
#include "tests/api/samples.hpp"
#include "tests/api/test_service.hpp"

namespace costcurve::tests {
namespace {

using Words = std::vector<std::string>;

TestService& service() {
    static TestService only;
    return only;
}

http::Response send(const std::string& method, const std::string& path, const std::string& body = "",
                    const std::string& type = "application/json") {
    return service().ask(method, path, body, method == "POST" ? Headers{{"content-type", type}} : Headers{});
}

http::Response get(const std::string& path) { return send("GET", path); }
http::Response ask(const json& body) { return send("POST", "/v1/evaluate", body.dump()); }
http::Response ask(const json& scenario, const json& set) { return ask(json{{"scenario", scenario}, {"set", set}}); }

// The errors of a problem as "code pointer", sorted; checks the problem's own form (RFC 9457, section 3).
Words expect_problem(const http::Response& response, int status) {
    EXPECT_EQ(response.status, status) << response.body;
    EXPECT_TRUE(response.content_type.starts_with("application/problem+json")) << response.content_type;
    const json body = json::parse(response.body, nullptr, false);
    Words found;
    if (body.is_discarded()) {
        ADD_FAILURE() << "the problem is not JSON: " << response.body;
        return found;
    }
    EXPECT_TRUE(body.at("type").is_string() && !body["type"].get<std::string>().empty());
    EXPECT_TRUE(body.at("title").is_string() && !body["title"].get<std::string>().empty());
    EXPECT_EQ(body.at("status"), status);
    EXPECT_TRUE(body.at("detail").is_string() && !body["detail"].get<std::string>().empty());
    EXPECT_NE(body.at("instance").get<std::string>().find("0123456789abcdef"), std::string::npos);
    for (const json& error : body.at("errors")) {
        EXPECT_TRUE(is_pointer(error.at("pointer").get<std::string>()));
        EXPECT_FALSE(error.at("message").get<std::string>().empty());
        found.push_back(error.at("code").get<std::string>() + " " + error["pointer"].get<std::string>());
    }
    std::sort(found.begin(), found.end());
    return found;
}

TEST(Problem, HasEveryMemberForEveryKind) {
    std::set<std::string_view> names;
    for (const api::ProblemKind& kind : api::problem_kinds()) {
        const http::Response response =
            api::problem(kind.status, "a sentence", "0123456789abcdef", {{"/a~1b", model::Code::out_of_range, "a \"b\""}});
        EXPECT_EQ(expect_problem(response, kind.status), Words{"out_of_range /a~1b"});
        names.insert(kind.name);
    }
    EXPECT_EQ(names.size(), api::problem_kinds().size()) << "a name stands for one kind";
    // api.md, section 2, Errors: those that the code of today can meet
    for (const int status : {400, 404, 405, 413, 414, 415, 422, 500, 503}) {
        EXPECT_TRUE(std::any_of(api::problem_kinds().begin(), api::problem_kinds().end(), [&](const auto& kind) {
            return kind.status == status;
        })) << status;
    }
}

TEST(Problem, TakesAnyTextInDetailAndRequestId) {
    const http::Response response = api::problem(400, "\"\\\n\x01 é", "0123456789abcdef\"<script>");
    EXPECT_TRUE(json::accept(response.body)) << response.body;
    EXPECT_EQ(json::parse(response.body)["errors"], json::array());
}

// What many clients send where there is nothing to send; 413 is of a body that is too large.
TEST(Dispatch, APostThatTakesNoBodyTakesAnEmptyObject) {
    TestService service;
    std::size_t posts = 0;
    for (const api::Route& route : api::routes()) {
        std::string path(route.path);
        for (std::size_t at = 0; (at = path.find('{')) != std::string::npos;) {
            path.replace(at, path.find('}') - at + 1, "1");
        }
        const std::string method(route.method);
        if (!route.body.empty()) {
            continue;
        }
        const bool is_post = route.method == "POST";
        posts += is_post ? 1 : 0;
        const http::Response without = service.ask(method, path);
        for (const char* body : {"{}", " {\r\n\t} "}) {
            const http::Response with = service.ask(method, path, body);
            EXPECT_EQ(with.status, is_post ? without.status : 400) << method << " " << path << ": " << with.body;
        }
        for (const char* body : {"{\"a\": 1}", "[]", "null", "x", "{}{}"}) {
            const http::Response with = service.ask(method, path, body);
            EXPECT_EQ(with.status, 400) << method << " " << path;
            EXPECT_NE(with.body.find("this takes no body"), std::string::npos) << with.body;
        }
    }
    EXPECT_GE(posts, 3U);
}

TEST(Dispatch, RefusesWhatIsNoUtf8AndDoesNotEchoIt) {
    TestService service;
    for (const char* target : {"/v1/devices/\xff", "/v1/devices?limit=\xc3", "/v1/devices?\xa0=1", "/\xed\xa0\x80"}) {
        const http::Response response = service.ask("GET", target);
        EXPECT_EQ(expect_problem(response, 400), Words{}) << target;
    }
    EXPECT_EQ(service.ask("GET", "/v1/devices?q=\xc3\xa9").status, 200);
}

// PostgreSQL knows no text with it, and SQLite none that is stored.
TEST(Dispatch, RefusesTheCharacterZeroInPathsAndParameters) {
    TestService service;
    const auto ask = [&](std::string target) { // ~ stands for it
        std::replace(target.begin(), target.end(), '~', '\0');
        return service.ask("GET", target);
    };
    for (const char* target : {"/v1/devices/a~b", "/v1/devices/~/history", "/~"}) {
        EXPECT_EQ(expect_problem(ask(target), 400), Words{}) << target;
    }
    for (const char* target : {"/v1/devices?q=~", "/v1/offers?provider=a~", "/v1/telemetry?source=~b", "/v1/telemetry?device=~"}) {
        const http::Response response = ask(target);
        EXPECT_EQ(response.status, 422) << target << response.body;
        EXPECT_NE(response.body.find("has the character U+0000 (%00); leave it out"), std::string::npos) << response.body;
    }
}

TEST(Dispatch, AnswersThePageAndItsFiles) {
    const std::pair<const char*, const char*> rows[] = {{"/", "text/html"},
                                                        {"/static/index.html", "text/html"},
                                                        {"/static/main.js", "text/javascript"},
                                                        {"/static/style.css", "text/css"},
                                                        {"/static/icon.svg", "image/svg+xml"}};
    for (const auto& [path, type] : rows) {
        const http::Response response = get(path);
        EXPECT_EQ(response.status, 200) << path;
        EXPECT_TRUE(response.content_type.starts_with(type)) << path << " is " << response.content_type;
        EXPECT_FALSE(response.body.empty()) << path;
    }
    EXPECT_EQ(get("/").body, get("/static/index.html").body);
}

TEST(Dispatch, AnswersHealthAndFields) {
    EXPECT_EQ(get("/healthz").status, 200);
    EXPECT_TRUE(json::accept(get("/healthz").body));
    const http::Response fields = get("/v1/fields");
    EXPECT_EQ(fields.status, 200);
    EXPECT_EQ(fields.content_type.substr(0, 16), "application/json");
    EXPECT_EQ(fields.body, api::encode_field_tables());
}

TEST(Categories, HaveALabelAndAColourOfTheirOwnInBothThemes) {
    const json categories = json::parse(get("/v1/categories").body);
    ASSERT_EQ(categories.size(), model::kCategories);
    std::set<std::string> labels;
    std::set<std::string> light;
    std::set<std::string> dark;
    for (std::size_t i = 0; i < categories.size(); ++i) {
        const json& category = categories[i];
        EXPECT_EQ(category["name"], model::enum_names<model::Category>[i]);
        EXPECT_FALSE(category["label"].get<std::string>().empty()) << category;
        labels.insert(category["label"]);
        light.insert(category["colour"]["light"]);
        dark.insert(category["colour"]["dark"]);
    }
    EXPECT_EQ(labels.size(), categories.size());
    EXPECT_EQ(light.size(), categories.size());
    EXPECT_EQ(dark.size(), categories.size());
}

TEST(Dispatch, ServesExamplesThatEvaluate) {
    const json paths = json::parse(get("/v1/examples").body);
    ASSERT_FALSE(paths.empty());
    for (const json& path : paths) {
        const http::Response example = get(path);
        ASSERT_EQ(example.status, 200) << path;
        const http::Response answer = ask(json{{"scenario", json::parse(example.body)}});
        EXPECT_EQ(answer.status, 200) << path << answer.body;
    }
}

TEST(Dispatch, Says404WhereNothingIs) {
    for (const char* path :
         {"/nothing", "/v1", "/v1/", "/v1/evaluate/", "/v1/evaluate/x", "/V1/evaluate", "//healthz", "/healthz/", "", "*",
          "/static/", "/static/../static/index.html", "/../etc/passwd", "/static/%2e%2e/x", "/model/units.hpp", "/examples/"}) {
        EXPECT_EQ(expect_problem(get(path), 404), Words{}) << path;
        expect_problem(send("POST", path, "{}"), 404);
    }
}

TEST(Dispatch, Says405WithTheMethodsThatArePossible) {
    const struct {
        const char* method;
        const char* path;
        const char* allow;
    } rows[] = {
        {"GET", "/v1/evaluate", "POST"},     {"HEAD", "/v1/evaluate", "POST"},          {"PUT", "/v1/evaluate", "POST"},
        {"OPTIONS", "/v1/evaluate", "POST"}, {"POST", "/healthz", "GET, HEAD"},         {"DELETE", "/v1/fields", "GET, HEAD"},
        {"POST", "/", "GET, HEAD"},          {"PATCH", "/static/main.js", "GET, HEAD"}, {"get", "/healthz", "GET, HEAD"},
    };
    for (const auto& row : rows) {
        const http::Response response = send(row.method, row.path, "{}");
        expect_problem(response, 405);
        EXPECT_EQ(header_of(response, "Allow"), row.allow) << row.method << " " << row.path;
    }
}

TEST(Dispatch, AnswersHeadLikeGet) {
    for (const char* path : {"/", "/healthz", "/v1/fields", "/static/main.js"}) {
        const http::Response head = send("HEAD", path);
        EXPECT_EQ(head.status, 200);
        EXPECT_EQ(head.content_type, get(path).content_type);
    }
    EXPECT_EQ(send("HEAD", "/nothing").status, 404);
}

TEST(Dispatch, CarriesSecurityHeadersOnEveryAnswer) {
    const http::Response answers[] = {get("/"),
                                      get("/healthz"),
                                      get("/nothing"),
                                      get("/v1/evaluate"),
                                      ask({{"scenario", smallest()}}),
                                      ask(json::object()),
                                      send("POST", "/v1/evaluate", "not json"),
                                      send("POST", "/v1/evaluate", "{}", "text/plain")};
    for (const http::Response& answer : answers) {
        EXPECT_NE(header_of(answer, "Content-Security-Policy").find("default-src 'none'"), std::string::npos) << answer.status;
        EXPECT_EQ(header_of(answer, "Content-Security-Policy").find("unsafe"), std::string::npos);
        EXPECT_EQ(header_of(answer, "X-Content-Type-Options"), "nosniff") << answer.status;
        EXPECT_FALSE(header_of(answer, "Referrer-Policy").empty()) << answer.status;
        EXPECT_FALSE(header_of(answer, "Cache-Control").empty()) << answer.status;
    }
}

TEST(Evaluate, Says415ForOtherThanJson) {
    for (const char* type :
         {"", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/jsonx",
          "application/jso", "application/problem+json", "json", "text/plain; application/json"}) {
        expect_problem(send("POST", "/v1/evaluate", "{}", type), 415);
    }
    expect_problem(service().ask("POST", "/v1/evaluate"), 415);
}

TEST(Evaluate, TakesJsonWithParametersInAnyCase) { // RFC 9110, section 8.3.1: type and subtype are case-insensitive
    const std::string body = json{{"scenario", smallest()}}.dump();
    for (const char* type : {"application/json", "application/json; charset=utf-8", "application/json;charset=UTF-8",
                             "application/json ; x=y", "Application/JSON", "APPLICATION/JSON; charset=utf-8"}) {
        EXPECT_EQ(send("POST", "/v1/evaluate", body, type).status, 200) << type;
    }
}

TEST(Evaluate, Says400ForWhatIsNotJson) {
    for (const std::string& body : {std::string(), std::string("{"), std::string("NaN"), std::string("{\"a\":1,\"a\":2}"),
                                    std::string(100000, '['), std::string("\"\xff\""), std::string("{}{}"), std::string("1e999")}) {
        expect_problem(send("POST", "/v1/evaluate", body), 400);
    }
}

TEST(Evaluate, Says422WithPointersIntoTheRequest) {
    EXPECT_EQ(expect_problem(ask(json::array()), 422), Words{"wrong_type "});
    EXPECT_EQ(expect_problem(ask(json::object()), 422), Words{"missing /scenario"});
    EXPECT_EQ(expect_problem(ask({{"scenario", "an.id"}}), 422), Words{"unknown_reference /scenario"});
    EXPECT_EQ(expect_problem(ask({{"scenario", 7}}), 422), Words{"wrong_type /scenario"});
    EXPECT_EQ(expect_problem(ask({{"scenario", nullptr}}), 422), Words{"wrong_type /scenario"});
    EXPECT_EQ(expect_problem(ask({{"scenario", smallest()}, {"ledger", "yes"}}), 422), Words{"wrong_type /ledger"});
    EXPECT_EQ(expect_problem(ask({{"scenario", smallest()}, {"sets", {{"a", 1}}}, {"x/y", 1}}), 422),
              (Words{"unknown_field /sets", "unknown_field /x~1y"}));
    EXPECT_EQ(expect_problem(ask({{"scenario", with(smallest(), "/months", 0)}}), 422), Words{"out_of_range /scenario/months"});
    EXPECT_EQ(expect_problem(ask({{"scenario", with(smallest(), "/workloads/0/runs_on/0/pool", "other")}}), 422),
              Words{"unknown_reference /scenario/workloads/0/runs_on/0/pool"})
        << "rules across fields point into the request too";
}

TEST(Evaluate, NamesEveryIssueOfARequestAtOnce) {
    json scenario = with(with(smallest(), "/months", 0), "/currency", "usd");
    scenario["pools"][0]["offer"]["device"]["tdp_w"] = 0;
    const http::Response response = ask({{"scenario", scenario}});
    EXPECT_EQ(expect_problem(response, 422), (Words{"bad_format /scenario/currency", "out_of_range /scenario/months",
                                                    "out_of_range /scenario/pools/0/offer/device/tdp_w"}));
    EXPECT_NE(response.body.find("allowed 1 to 20000 W"), std::string::npos) << "the allowed range";
}

TEST(Evaluate, AnswersTheResultOfTheScenario) {
    const http::Response response = ask({{"scenario", mixed()}});
    ASSERT_EQ(response.status, 200) << response.body;
    EXPECT_TRUE(response.content_type.starts_with("application/json"));
    const auto direct = evaluate_text(mixed().dump());
    ASSERT_TRUE(direct);
    EXPECT_EQ(response.body, answers::encode_result(*direct, false));
    EXPECT_EQ(ask({{"scenario", mixed()}, {"ledger", true}}).body, answers::encode_result(*direct, true));
    EXPECT_EQ(ask({{"scenario", mixed()}, {"ledger", false}}).body, response.body);
    EXPECT_EQ(ask({{"scenario", mixed()}, {"set", json::object()}, {"as_of", nullptr}}).body, response.body);
}

TEST(Evaluate, AnswersTheSameBytesTwice) {
    const http::Response first = ask({{"scenario", mixed()}, {"ledger", true}});
    const http::Response second = ask({{"scenario", mixed()}, {"ledger", true}});
    EXPECT_EQ(first.status, 200);
    EXPECT_EQ(first.body, second.body);
}

TEST(Evaluate, SetsWhatPointersName) {
    const auto cost = [](const http::Response& response) {
        EXPECT_EQ(response.status, 200) << response.body;
        return json::parse(response.body).at("total").at("cost").get<double>();
    };
    EXPECT_DOUBLE_EQ(cost(ask(smallest(), json::object())), 2678.4); // 744 h x 3.6
    EXPECT_DOUBLE_EQ(cost(ask(smallest(), {{"/pools/0/offer/hourly_price", 7.2}})), 5356.8);
    EXPECT_DOUBLE_EQ(cost(ask(smallest(), {{"/pools/0/offer/hourly_price", 7.2}, {"/workloads/0/demand/mean_per_s", 2}})), 10713.6);
    EXPECT_DOUBLE_EQ(cost(ask(smallest(), {{"/pools/0/min_instances", 2}})), 5356.8) << "a field that stood at its default";
    EXPECT_DOUBLE_EQ(cost(ask(with(smallest(), "/pools/0/offer/hourly_price", 99), {{"", smallest()}})), 2678.4)
        << "the whole document";
    EXPECT_EQ(ask(smallest(), {{"/months", 2}}).body, ask({{"scenario", with(smallest(), "/months", 2)}}).body);
}

// The pointer is into the resolved scenario, in which every default stands (api.md, POST /v1/evaluate).
TEST(Evaluate, SetsFieldsInsideAnObjectThatStoodAtItsDefault) {
    EXPECT_EQ(ask(smallest(), {{"/finance/discount_rate", 0.1}}).body,
              ask({{"scenario", with(smallest(), "/finance", {{"discount_rate", 0.1}})}}).body);
    EXPECT_EQ(ask(smallest(), {{"/workloads/0/checkpoint/write_s", 1}}).status, 200);
}

TEST(Evaluate, RefusesToSetWhereNothingStands) {
    for (const char* pointer : {"/workloads/1",
                                "/workloads/1/id",
                                "/workloads/-",
                                "/workloads/99999999999999999999999",
                                "/workloads/18446744073709551615",
                                "/workloads/4294967296/id",
                                "/workloads/-1",
                                "/workloads/00",
                                "/workloads/0x0",
                                "/workloads/ 0",
                                "/workloads/a",
                                "/start/0",
                                "/start/x",
                                "/months/0",
                                "/pools/0/offer/device/tdp_w/x/y",
                                "months",
                                "/~2",
                                "/a~",
                                "#/months",
                                " /months"}) {
        const http::Response response = ask(smallest(), {{pointer, 1}});
        EXPECT_EQ(expect_problem(response, 422), Words{"unknown_reference " + join_pointer("/set", pointer)}) << pointer;
    }
}

// Objects on the way may be made, since defaults stand there: then the field itself is what is unknown.
TEST(Evaluate, RefusesToSetAFieldThatNoDocumentHas) {
    for (const std::string pointer : {"/no/such/place", "/finance/no/such", "/workloads/0/checkpoint/no"}) {
        const Words found = expect_problem(ask(smallest(), {{pointer, 1}}), 422);
        ASSERT_EQ(found.size(), 1U) << pointer;
        EXPECT_TRUE(found.front().find(" /scenario/") != std::string::npos || found.front().find(" /set/") != std::string::npos)
            << found.front();
    }
}

TEST(Evaluate, ASetOfAFieldThatWasRenamedNamesTheNewOne) {
    const http::Response response = ask(smallest(), {{"/workloads/0/latency_objective_s", 1}});
    EXPECT_EQ(response.status, 422);
    EXPECT_NE(response.body.find("latency_objective_s is now slo.itl_s or slo.e2e_s"), std::string::npos) << response.body;
    EXPECT_EQ(ask(smallest(), {{"/workloads/0/slo/e2e_s", 1}}).status, 200);
}

TEST(Evaluate, NamesEveryWrongPointerOfASetAtOnce) {
    EXPECT_EQ(expect_problem(ask(smallest(), {{"/start/b", 1}, {"bad", 1}, {"/months", 2}, {"/workloads/7", 1}}), 422),
              (Words{"unknown_reference /set/bad", "unknown_reference /set/~1start~1b", "unknown_reference /set/~1workloads~17"}));
    EXPECT_EQ(expect_problem(ask(smallest(), json::array()), 422), Words{"wrong_type /set"});
    EXPECT_EQ(expect_problem(ask(smallest(), nullptr), 422), Words{"wrong_type /set"});
}

TEST(Evaluate, ChecksWhatWasSetLikeAnythingElse) {
    EXPECT_EQ(expect_problem(ask(smallest(), {{"/months", "two"}}), 422), Words{"wrong_type /scenario/months"});
    EXPECT_EQ(expect_problem(ask(smallest(), {{"/monhts", 2}}), 422), Words{"unknown_field /scenario/monhts"});
    EXPECT_EQ(expect_problem(ask(smallest(), {{"", 5}}), 422), Words{"wrong_type /scenario"});
    EXPECT_EQ(expect_problem(ask(smallest(), {{"/pools/0/offer/hourly_price", -1}}), 422),
              Words{"out_of_range /scenario/pools/0/offer/hourly_price"});
    json deep = 1;
    for (int i = 0; i < 29; ++i) {
        deep = json::array({deep});
    }
    EXPECT_EQ(expect_problem(ask(smallest(), {{"/pools/0/offer/device/frameworks", deep}}), 422).size(), 1U);
}

TEST(Routes, AreUniqueAndDescribed) {
    std::set<std::string> seen;
    for (const api::Route& route : api::routes()) {
        EXPECT_TRUE(seen.insert(fmt::format("{} {}", route.method, route.path)).second);
        EXPECT_FALSE(route.help.empty()) << route.path;
    }
    for (const char* route : {"GET /healthz", "GET /v1/fields", "POST /v1/evaluate"}) {
        EXPECT_TRUE(seen.contains(route)) << route;
    }
}

} // namespace
} // namespace costcurve::tests
