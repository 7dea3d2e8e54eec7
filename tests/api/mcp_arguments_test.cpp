// Whatever a tool of MCP is given, the answer is JSON. Also what stands in a link, and which of the caller's headers count.
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "server/api/mcp/methods.hpp"
#include "server/api/mcp/tools.hpp"
#include "tests/api/samples.hpp"
#include "tests/api/test_service.hpp"

namespace costcurve::tests {
namespace {

class McpArguments : public testing::Test {
protected:
    McpArguments() {
        EXPECT_EQ(service.ask("PUT", "/v1/devices/d", R"({"kind": "gpu", "tdp_w": 700, "note": "a \"b\" \\ 1,2"})").status, 201);
        EXPECT_EQ(service.ask("PUT", "/v1/scenarios/s", std::string(kSmallest)).status, 201);
    }

    http::Response call(const std::string& tool, const std::string& arguments, const Headers& headers = {}) {
        return service.ask(
            "POST", "/mcp",
            fmt::format(R"({{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {{"name": "{}", "arguments": {}}}}})",
                        tool, arguments),
            headers);
    }
    // The result of a call; what is no JSON, or has both an answer and a problem, or neither, fails the test.
    json result(const std::string& tool, const std::string& arguments, Headers headers = {}) {
        headers.push_back({"content-type", "application/json"});
        const http::Response answer = call(tool, arguments, headers);
        const json read = json::parse(answer.body, nullptr, false);
        EXPECT_TRUE(read.is_object() && read.contains("result")) << tool << " " << arguments << ": " << answer.body.substr(0, 300);
        const json result = read.is_object() ? read.value("result", json::object()) : json::object();
        EXPECT_NE(result.contains("structuredContent"), result.value("isError", false)) << tool << " " << arguments;
        EXPECT_TRUE(result.value("structuredContent", json::object()).is_object()) << tool << " " << arguments;
        return result;
    }

    TestService service;
};

// Values of every type, and those that an answer could echo.
const std::vector<std::string> kOddValues{"null",
                                          "true",
                                          "0",
                                          "-1",
                                          "1.5",
                                          "1e308",
                                          "18446744073709551615",
                                          R"("")",
                                          R"("s")",
                                          R"("d")",
                                          R"("csv")",
                                          R"("device")",
                                          R"("scenario")",
                                          R"("../audit")",
                                          R"("a\"b\\c\n\u0000")",
                                          R"("\u20ac\ud83d\ude00")",
                                          "[]",
                                          R"(["s"])",
                                          "[[]]",
                                          "{}",
                                          R"({"a": {}})",
                                          R"({"id": "d"})"};

TEST_F(McpArguments, OddOnesAreAnsweredWithJson) {
    std::size_t calls = 0;
    for (const api::mcp::Tool& tool : api::mcp::tools()) {
        std::vector<std::string> names{"format", "table", "nowhere",  "\\\"",      "limit",  "kind", "id",   "document", "offer",
                                       "date",   "as_of", "scenario", "scenarios", "months", "run",  "feed", "after"};
        for (const std::string& name : names) {
            for (const std::string& value : kOddValues) {
                result(tool.name, fmt::format(R"({{"{}": {}}})", name, value));
                const bool is_kind = name == "kind";
                result(tool.name, fmt::format(R"({{"{}": {}, "{}": "device"}})", name, value, is_kind ? "id" : "kind"));
                result(
                    tool.name,
                    fmt::format(R"({{"kind": "scenario", "id": "s", "document": {{}}, "scenario": "s", "offer": "o", "{}": {}}})",
                                name == "nowhere" ? "unknown" : "x_" + name, value));
                calls += 3;
            }
        }
    }
    EXPECT_GT(calls, 10000U);
}

TEST_F(McpArguments, AskForNoTableInPlaceOfAnAnswer) {
    for (const char* more : {R"("format": "csv")", R"("table": "ledger")", R"("format": "json")"}) {
        for (const auto& [tool, arguments] :
             {std::pair("list_documents", R"("kind": "device")"), std::pair("get_document", R"("kind": "device", "id": "d")"),
              std::pair("price_at", R"("offer": "o")"), std::pair("evaluate", R"("scenario": "s")")}) {
            const json answer = result(tool, fmt::format("{{{}, {}}}", arguments, more));
            EXPECT_TRUE(answer.value("isError", false)) << tool << " " << more;
        }
    }
    const json named = result("list_documents", R"({"kind": "device", "format": "csv"})");
    const std::string text = named.at("content").at(0).at("text");
    EXPECT_TRUE(text.starts_with("list_documents takes no argument format; it takes ")) << text;
    EXPECT_NE(text.find("limit"), std::string::npos) << text;
}

TEST_F(McpArguments, OfTheSchemaAreTaken) {
    EXPECT_EQ(result("list_documents", R"({"kind": "device", "limit": 1})").at("structuredContent").at("items").size(), 1U);
    EXPECT_FALSE(result("get_document", R"({"kind": "device", "id": "d"})").contains("isError"));
    EXPECT_FALSE(result("evaluate", R"({"scenario": "s"})").contains("isError"));
    EXPECT_FALSE(
        result("put_document", R"({"kind": "device", "id": "e", "document": {"kind": "gpu", "tdp_w": 1}})").contains("isError"));
}

// Whatever prompts, resources and completions are given, the answer is JSON: a result, or an error that states what to do.
TEST_F(McpArguments, OddOnesOfPromptsAndResourcesAreAnsweredWithJson) {
    const auto answer = [&](const std::string& method, const std::string& parameters) {
        const std::string body = fmt::format(R"({{"jsonrpc": "2.0", "id": 1, "method": "{}", "params": {}}})", method, parameters);
        const json read = json::parse(service.ask("POST", "/mcp", body).body, nullptr, false);
        ASSERT_TRUE(read.is_object()) << method << " " << parameters;
        EXPECT_NE(read.contains("result"), read.contains("error")) << method << " " << parameters;
        if (read.contains("error")) {
            EXPECT_FALSE(read.at("error").at("message").get<std::string>().empty()) << method << " " << parameters;
        }
    };
    for (const std::string& value : kOddValues) {
        for (const char* member : {"uri", "cursor", "name", "arguments", "ref", "argument", "nothing"}) {
            for (const char* method : {"resources/list", "resources/read", "resources/templates/list", "prompts/list",
                                       "prompts/get", "completion/complete"}) {
                answer(method, fmt::format(R"({{"{}": {}}})", member, value));
            }
        }
        for (const char* argument : {"model", "requests_per_s", "months", "nothing"}) {
            answer("prompts/get", fmt::format(R"({{"name": "choose_hardware", "arguments": {{"{}": {}}}}})", argument, value));
        }
        answer("completion/complete",
               fmt::format(R"({{"ref": {{"type": "ref/prompt", "name": "why_this_plan"}}, "argument": {}}})", value));
        answer("completion/complete", fmt::format(R"({{"ref": {{"type": "ref/resource", "uri": "costcurve://devices/{{id}}"}},
                                                      "argument": {{"name": "id", "value": {}}}}})",
                                                  value));
    }
}

// As `costcurve mcp` has it unless it is started as an editor.
TEST(McpLines, WithoutAKeyHaveTheRoleOfTheService) {
    TestService reader({.without_key = storage::Role::viewer});
    const std::string device = R"({"kind": "gpu", "tdp_w": 700})";
    const http::Response refused = reader.ask("PUT", "/v1/devices/d", device);
    EXPECT_EQ(refused.status, 403);
    EXPECT_NE(refused.body.find("this needs the role editor"), std::string::npos) << refused.body;
    EXPECT_EQ(reader.ask("GET", "/v1/devices").status, 200);
    TestService editor({.without_key = storage::Role::editor});
    EXPECT_EQ(editor.ask("PUT", "/v1/devices/d", device).status, 201);
    EXPECT_EQ(editor.ask("GET", "/v1/audit").status, 403);
    EXPECT_EQ(api::mcp::answer_line(editor.service, R"({"jsonrpc": "2.0", "method": "notifications/initialized"})"), "");
    EXPECT_EQ(api::mcp::answer_line(editor.service, R"({"jsonrpc": "2.0", "id": 7, "method": "ping"})"),
              R"({"jsonrpc":"2.0","id":7,"result":{}})");
    EXPECT_TRUE(api::mcp::answer_line(editor.service, "{").find("-32700") != std::string::npos);
}

// A 304 has no body.
TEST_F(McpArguments, AreNotAnsweredByConditionsOfTheCallersHeaders) {
    for (const Headers& headers :
         {Headers{{"if-none-match", "\"1\""}}, Headers{{"if-match", "\"9\""}}, Headers{{"accept", "text/event-stream"}},
          Headers{{"prefer", "respond-async"}}, Headers{{"idempotency-key", "k"}}}) {
        EXPECT_FALSE(result("get_document", R"({"kind": "device", "id": "d"})", headers).contains("isError"))
            << headers.front().name;
    }
}

TEST_F(McpArguments, LinkToNamesOfThisServiceAlone) {
    TestService other({.keys_required = true, .allowed_hosts = {"costs.example"}});
    const std::string secret = add_key(other, "ed", storage::Role::editor);
    ASSERT_EQ(other.ask("PUT", "/v1/scenarios/s", std::string(kSmallest), bearer(secret)).status, 201);
    const std::string body =
        R"({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "evaluate", "arguments": {"scenario": "s"}}})";
    const auto link = [&](const std::string& host) {
        const json answer =
            json::parse(other.ask("POST", "/mcp", body, {{"authorization", "Bearer " + secret}, {"host", host}}).body);
        const json& content = answer.at("result").at("content");
        return content.size() > 1 ? content.at(1).at("uri").get<std::string>() : "";
    };
    EXPECT_EQ(link("costs.example"), "http://costs.example/?view=result&scenario=s");
    EXPECT_EQ(link("127.0.0.1:8080"), "http://127.0.0.1:8080/?view=result&scenario=s");
    EXPECT_EQ(link("evil.example"), "");
}

} // namespace
} // namespace costcurve::tests
