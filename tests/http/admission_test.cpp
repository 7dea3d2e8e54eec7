// What is decided at the end of a head: before a byte of the body is booked, and without a worker.
#include <gtest/gtest.h>

#include "tests/http/toy_server.hpp"

namespace costcurve::http::test {
namespace {

constexpr std::size_t kMaxEcho = 300'000;

// Answers /alive itself, refuses /refused and takes bodies on /echo only.
Admission decide(const Request& head) {
    Admission admission;
    admission.client = head.remote_address;
    if (head.path == "/alive" || head.path == "/refused") {
        admission.answer = Response{};
        admission.answer->status = head.path == "/alive" ? 200 : 401;
        admission.answer->content_type = "text/plain";
        admission.answer->body = head.path.substr(1);
    }
    if (head.path == "/fails") {
        throw std::runtime_error("secret");
    }
    admission.max_body_bytes = head.path == "/echo" ? kMaxEcho : 0;
    return admission;
}

std::string post_head(const std::string& path, std::size_t bytes, const std::string& fields = "") {
    return "POST " + path + " HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(bytes) + "\r\n" + fields + "\r\n";
}

TEST(HttpAdmission, RefusesAtTheHeadAndDoesNotSayContinue) {
    const ToyServer server({}, decide);
    const struct {
        const char* name;
        std::string sent;
        int status;
    } rows[] = {
        {"refused", post_head("/refused", 1000, "Expect: 100-continue\r\n"), 401},
        {"a body where none is taken", post_head("/healthz", 67108864, "Expect: 100-continue\r\n"), 400},
        {"a chunked body where none is taken", get("/x", "Transfer-Encoding: chunked\r\nExpect: 100-continue\r\n"), 400},
        {"over the route's own limit", post_head("/echo", kMaxEcho + 1, "Expect: 100-continue\r\n"), 413},
        {"admission itself fails", post_head("/fails", 10), 500},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.name);
        RawClient client = server.client();
        const Reply reply = client.ask(row.sent);
        EXPECT_EQ(reply.status, row.status);
        EXPECT_EQ(reply.field("Connection"), "close");
        EXPECT_EQ(reply.body.find("secret"), std::string::npos);
        EXPECT_TRUE(client.is_closed());
    }
    EXPECT_EQ(server.client().ask(post("/echo", std::string(kMaxEcho, 'a'))).status, 200);
}

TEST(HttpAdmission, TellsAClientThatSendsItsWholeBodyAllTheSame) {
    const ToyServer server({}, decide);
    RawClient client = server.client();
    EXPECT_TRUE(client.send_all(post("/refused", std::string(20U << 20U, 'a')))); // a reset would break it off
    const Reply reply = client.reply();
    EXPECT_EQ(reply.status, 401);
    EXPECT_EQ(reply.body, "refused");
}

TEST(HttpAdmission, AnswersWithoutAWorkerAndKeepsTheConnection) {
    Settings settings;
    settings.threads = 1;
    ToyServer server(settings, decide);
    RawClient busy = server.client();
    busy.send(get("/block"));
    server.gate.wait_entered(1); // the only worker
    RawClient client = server.client();
    for (int i = 0; i < 3; ++i) {
        EXPECT_EQ(client.ask(get("/alive")).body, "alive");
    }
    client.send(get("/alive") + get("/alive"));
    EXPECT_EQ(client.reply().body, "alive");
    EXPECT_EQ(client.reply().body, "alive");
    EXPECT_EQ(client.send("HEAD /alive HTTP/1.1\r\nHost: a\r\n\r\n").reply(true).status, 200);
    server.gate.open();
    EXPECT_EQ(client.ask(get("/other")).body, "GET /other?");
}

TEST(HttpAdmission, AnIdleSocketThatAnnouncesABodyBooksNothing) {
    Settings settings;
    settings.max_memory_bytes = 1'000'000;
    settings.max_client_memory_bytes = 1'000'000;
    const ToyServer server(settings, decide);
    std::vector<RawClient> idle;
    for (int i = 0; i < 40; ++i) { // announces twelve times what there is
        idle.push_back(server.client());
        ASSERT_EQ(idle.back().ask(post_head("/echo", kMaxEcho, "Expect: 100-continue\r\n")).status, 100);
    }
    EXPECT_EQ(server.stats().memory_bytes, 0U);
    const std::string body(kMaxEcho, 'b');
    EXPECT_TRUE(server.client().ask(post("/echo", body)).body == body);
}

TEST(HttpAdmission, ABodyThatDribblesInIsTimedOut) {
    Settings settings;
    settings.rate_grace = std::chrono::seconds(0);
    const ToyServer server(settings, decide);
    RawClient client = server.client();
    EXPECT_EQ(client.ask(post_head("/echo", kMaxEcho) + "some").status, 408);
    EXPECT_TRUE(client.is_closed());
    RawClient chunked = server.client();
    EXPECT_EQ(chunked.ask("POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello").status, 408);
}

TEST(HttpAdmission, LargeRequestsAndStreamsLeaveWorkersToSmallOnes) {
    Settings settings;
    settings.threads = 1;
    settings.heavy_threads = 1;
    ToyServer server(settings, [](const Request& head) {
        return Admission{std::nullopt, kMaxEcho, head.remote_address, head.path == "/block"};
    });
    std::vector<RawClient> heavy;
    for (int i = 0; i < 5; ++i) {
        heavy.push_back(server.client());
        heavy.back().send(get("/block"));
    }
    server.gate.wait_entered(1);
    EXPECT_EQ(server.client().ask(get("/small")).body, "GET /small?");
    server.gate.open();
    for (RawClient& client : heavy) {
        EXPECT_EQ(client.reply().body, "released");
    }
}

} // namespace
} // namespace costcurve::http::test
