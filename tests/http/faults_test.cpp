// The server over raw sockets: what happens when memory of handlers, descriptors, patience or time runs out.
#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/resource.h>

#include "tests/http/toy_server.hpp"

namespace costcurve::http::test {
namespace {

// Leaves room for so many descriptors, and closes the rest at its end.
class FewDescriptors {
public:
    explicit FewDescriptors(int more) {
        getrlimit(RLIMIT_NOFILE, &before_);
        const int next = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0); // the lowest that is free
        close(next);
        const rlimit few{static_cast<rlim_t>(next + more), before_.rlim_max};
        setrlimit(RLIMIT_NOFILE, &few);
    }
    FewDescriptors(const FewDescriptors&) = delete;
    FewDescriptors& operator=(const FewDescriptors&) = delete;
    ~FewDescriptors() { setrlimit(RLIMIT_NOFILE, &before_); }

private:
    rlimit before_{};
};

TEST(HttpServer, ClosesAnIdleConnectionWhereDescriptorsRunOut) {
    const ToyServer server;
    RawClient idle = server.client();
    ASSERT_EQ(idle.ask(get("/")).status, 200);
    const FewDescriptors only_the_clients(1);
    RawClient late = server.client();
    EXPECT_EQ(late.ask(get("/late")).body, "GET /late?");
    EXPECT_TRUE(idle.is_closed());
}

TEST(HttpServer, AcceptsAgainOnceDescriptorsAreFree) {
    ToyServer server;
    RawClient running = server.client();
    running.send(get("/block"));
    server.gate.wait_entered(1);
    const FewDescriptors only_the_clients(1);
    RawClient late = server.client(); // in the backlog: nobody is idle
    late.send(get("/late"));
    server.gate.open();
    EXPECT_EQ(running.reply().body, "released");
    EXPECT_EQ(late.reply().body, "GET /late?");
    EXPECT_TRUE(running.is_closed());
}

TEST(HttpServer, TellsAClientThatSendsItsWholeBodyBeforeItReads) {
    const ToyServer server;
    RawClient client = server.client();
    EXPECT_TRUE(client.send_all(post("/echo", std::string(20U << 20U, 'a')))); // a reset would break it off
    EXPECT_EQ(client.reply().status, 413);
    EXPECT_TRUE(client.is_closed());
}

TEST(HttpServer, AnswersAHeadThatIsRefusedWithoutBody) {
    const ToyServer server;
    RawClient client = server.client();
    EXPECT_EQ(client.send("HEAD /%00 HTTP/1.1\r\nHost: a\r\n\r\n").reply(true).status, 400);
    client.send("HEAD /%00 HTTP/1.1\r\nHost: a\r\n\r\n");
    EXPECT_TRUE(client.is_closed());
}

TEST(HttpServer, RefusesUnderTheIdOfTheClient) {
    const ToyServer server;
    const Reply reply = server.client().ask(get("/", "X-Request-Id: mine\r\nContent-Encoding: gzip\r\n"));
    EXPECT_EQ(reply.status, 415);
    EXPECT_EQ(reply.field("X-Request-Id"), "mine");
}

TEST(HttpServer, AnswersWithoutBodyWhereTheErrorBodyFails) {
    ToyServer server;
    server.error_body_fails = true;
    RawClient client = server.client();
    for (const char* const target : {"/throw", "/%00"}) {
        const Reply reply = server.client().ask(get(target, "X-Request-Id: mine\r\nContent-Length: 0\r\n"));
        EXPECT_GE(reply.status, 400);
        EXPECT_TRUE(reply.has("X-Request-Id"));
        EXPECT_EQ((reply.head + reply.body).find("secret"), std::string::npos);
    }
    EXPECT_EQ(client.ask(get("/after")).status, 200);
    const Reply refused = client.ask(get("/", "Content-Length: x\r\n"));
    EXPECT_EQ(refused.status, 400);
    EXPECT_EQ(refused.body, "");
    EXPECT_EQ(server.client().ask(get("/after")).status, 200);
}

TEST(HttpServer, AnAllocationThatFailsCostsItsRequestAlone) {
    const ToyServer server;
    RawClient client = server.client();
    const Reply reply = client.ask(get("/no_memory"));
    EXPECT_EQ(reply.status, 503);
    EXPECT_EQ(reply.field("Retry-After"), "1");
    EXPECT_EQ(client.ask(get("/after")).body, "GET /after?");
}

TEST(HttpServer, SendsNeitherLengthNorTypeWhereThereIsNothing) {
    const ToyServer server;
    RawClient client = server.client();
    for (const char* const target : {"/nothing", "/not_modified"}) {
        const Reply reply = client.ask(get(target));
        EXPECT_EQ(reply.status, std::string_view(target) == "/nothing" ? 204 : 304);
        EXPECT_FALSE(reply.has("Content-Length")) << reply.head;
        EXPECT_FALSE(reply.has("Content-Type")) << reply.head;
        EXPECT_TRUE(reply.has("X-Request-Id")) << reply.head;
    }
    EXPECT_EQ(client.ask(get("/next")).body, "GET /next?");
}

TEST(HttpServer, CompressesWhatIsLikeJsonAndNothingTwice) {
    const ToyServer server;
    RawClient client = server.client();
    EXPECT_EQ(client.ask(get("/ndjson", "Accept-Encoding: gzip\r\n")).field("Content-Encoding"), "gzip");
    EXPECT_EQ(client.ask(get("/packed_already", "Accept-Encoding: gzip\r\n")).body, kBigText);
}

TEST(HttpServer, SendsWhatIsPackedBesideToThoseWhoTakeIt) {
    const ToyServer server;
    RawClient client = server.client();
    const Reply packed = client.ask(get("/packed_beside", "Accept-Encoding: gzip\r\n"));
    EXPECT_EQ(packed.body, "packed");
    EXPECT_EQ(packed.field("Content-Encoding"), "gzip");
    const Reply plain = client.ask(get("/packed_beside"));
    EXPECT_EQ(plain.body, kBigText);
    EXPECT_FALSE(plain.has("Content-Encoding"));
}

TEST(HttpServer, DoesNotContinueHttp10) {
    const ToyServer server;
    RawClient client = server.client();
    const std::string head = "POST /echo HTTP/1.0\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n";
    client.send(head);
    EXPECT_EQ(server.client().ask("broken\r\n\r\n").status, 400); // answered by the loop, so it has read what came before
    const Reply reply = client.ask("ok");
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.body, "ok");
}

TEST(HttpServer, RefusesWhoWaitsForAWorkerAtTheDrainDeadline) {
    Settings settings;
    settings.threads = 1;
    settings.drain_deadline = std::chrono::seconds(0);
    ToyServer server(settings);
    RawClient running = server.client();
    running.send(get("/block"));
    server.gate.wait_entered(1);
    RawClient waiting = server.client();
    waiting.send(get("/never"));
    RawClient probe = server.client();
    EXPECT_EQ(probe.ask("broken\r\n\r\n").status, 400); // answered by the loop, so what came before it is in the queue
    server.stop();
    EXPECT_EQ(waiting.reply().status, 503); // while the handler still runs
    EXPECT_TRUE(waiting.is_closed());
    server.gate.open();
    EXPECT_EQ(running.reply().body, "released");
    EXPECT_TRUE(server.has_returned());
}

} // namespace
} // namespace costcurve::http::test
