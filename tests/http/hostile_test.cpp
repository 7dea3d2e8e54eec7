// The server over raw sockets: what slow, greedy and hostile clients get, and that others don't notice.
#include <gtest/gtest.h>

#include "tests/http/toy_server.hpp"

namespace costcurve::http::test {
namespace {

constexpr std::chrono::seconds kHostileSoon{1};

TEST(HttpServer, RefusesBadRequestsAndCloses) {
    const ToyServer server;
    const std::string line = "GET / HTTP/1.1\r\nHost: a\r\n";
    const struct {
        const char* name;
        std::string sent;
        int status;
    } rows[] = {
        {"line of 9 KB", get("/" + std::string(9000, 'a')), 414},
        {"path of 100,000", get("/" + std::string(100000, 'a')), 414},
        {"line of 1 MB without end", "GET /" + std::string(1U << 20U, 'a'), 414},
        {"head of 17 KB",
         get("/",
             "A: " + std::string(8000, 'a') + "\r\nB: " + std::string(8000, 'b') + "\r\nC: " + std::string(1400, 'c') + "\r\n"),
         431},
        {"query of 100,000", get("/?" + std::string(100000, 'a')), 414},
        {"flood of fields",
         [&] {
             std::string flood = line;
             for (int i = 0; i < 100000; ++i) {
                 flood += "A: b\r\n";
             }
             return flood;
         }(),
         431},
        {"field without end", line + "A: " + std::string(1U << 20U, 'a'), 431},
        {"65 fields",
         [] {
             std::string fields;
             for (int i = 0; i < 64; ++i) { // and Host
                 fields += "X-" + std::to_string(i) + ": 1\r\n";
             }
             return get("/", fields);
         }(),
         431},
        {"length and chunked", get("/", "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n") + "0\r\n\r\n", 400},
        {"transfer coding", get("/", "Transfer-Encoding: gzip, chunked\r\n") + "5\r\nhello\r\n0\r\n\r\n", 501},
        {"negative length", get("/", "Content-Length: -1\r\n"), 400},
        {"length past 2^64", get("/", "Content-Length: 99999999999999999999\r\n"), 400},
        {"two lengths", get("/", "Content-Length: 1\r\nContent-Length: 2\r\n") + "ab", 400},
        {"empty length", get("/", "Content-Length: \r\n"), 400},
        {"length of 2^64 - 1", get("/", "Content-Length: 18446744073709551615\r\n"), 413},
        {"gzip body", get("/", "Content-Encoding: gzip\r\n"), 415},
        {"other expectation", get("/", "Expect: miracle\r\n"), 417},
        {"NUL in path", get("/%00"), 400},
        {"line break in path", get("/%0d%0aSet-Cookie:a"), 400},
        {"bad escape", get("/%g1"), 400},
        {"control character in value", get("/", "A: \x01\r\n"), 400},
        {"bare line feeds", "GET / HTTP/1.1\nHost: a\n\n", 400},
        {"folded field", get("/", "A: b\r\n c\r\n"), 400},
        {"no host", "GET / HTTP/1.1\r\n\r\n", 400},
        {"two hosts", get("/", "Host: b\r\n"), 400},
        {"TLS greeting", std::string("\x16\x03\x01\x02\x00\x01\r\n\r\n", 10), 400},
    };
    for (const auto& row : rows) {
        SCOPED_TRACE(row.name);
        RawClient client = server.client();
        const Reply reply = client.ask(row.sent);
        EXPECT_EQ(reply.status, row.status);
        EXPECT_EQ(reply.field("Content-Type"), "application/problem+json");
        EXPECT_NE(reply.field("X-Request-Id"), "");
        EXPECT_FALSE(reply.has("Set-Cookie"));
        EXPECT_EQ(reply.field("Connection"), "close");
        EXPECT_TRUE(client.is_closed());
        EXPECT_EQ(server.client().ask(get("/next")).status, 200);
    }
}

TEST(HttpServer, RefusesADeclaredBodyOverTheLimitBeforeItArrives) {
    Settings settings;
    settings.max_body_bytes = 100;
    const ToyServer server(settings);
    const Reply reply =
        server.client().ask("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 101\r\nExpect: 100-continue\r\n\r\n");
    EXPECT_EQ(reply.status, 413);
    EXPECT_EQ(server.client().ask(post("/echo", std::string(100, 'a'))).status, 200);
    EXPECT_EQ(server.client().ask(post("/echo", std::string(200000, 'a'))).status, 413);
}

TEST(HttpServer, BelievesNoAddressThatAClientMakesUp) {
    const ToyServer server;
    const Reply reply = server.client().ask(get("/headers", "REMOTE_ADDR: 6.6.6.6\r\nX-Forwarded-For: 6.6.6.6\r\nX-A: b\r\n"));
    EXPECT_NE(reply.body.find("x-a=b\n"), std::string::npos) << reply.body;
    EXPECT_NE(reply.body.find("from 127.0.0.1\n"), std::string::npos) << reply.body;
}

TEST(HttpServer, SendsNoForgedLineWhereAValueHasEscapes) {
    const ToyServer server;
    const Reply reply = server.client().ask(get("/headers", "A: b%0d%0aSet-Cookie: c\r\n"));
    EXPECT_NE(reply.body.find("a=b%0d%0aSet-Cookie: c\n"), std::string::npos) << reply.body;
    EXPECT_FALSE(reply.has("Set-Cookie"));
}

TEST(HttpServer, ForgetsAClientThatLeavesWithinItsBody) {
    Settings settings;
    settings.max_memory_bytes = 100'000; // so that what it had booked is missed
    const ToyServer server(settings);
    RawClient client = server.client();
    client.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 40001\r\n\r\n" + std::string(40000, 'a')).finish();
    EXPECT_TRUE(client.is_closed());
    EXPECT_EQ(server.client().ask(post("/echo", std::string(40000, 'a'))).status, 200);
}

TEST(HttpServer, SurvivesClientsThatLeaveBeforeTheirAnswer) {
    ToyServer server;
    {
        RawClient client = server.client();
        client.send(get("/block") + get("/never_read"));
        server.gate.wait_entered(1);
    }
    server.gate.open();
    EXPECT_EQ(server.client().ask(get("/next")).status, 200);
}

TEST(HttpServer, AnswersFastClientsBesideIdleAndSlowOnes) {
    Settings settings;
    settings.min_bytes_per_s = 0; // they may be as slow as this machine is busy
    const ToyServer server(settings);
    const std::string head = get("/head");
    const std::string body(head.size(), 'b');
    const std::string large(512U << 10U, 'l'); // more than the sockets between them take for a slow reader
    const std::string post_head = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n";
    struct SlowOnes {
        std::vector<RawClient> idle, drip_heads, drip_bodies, do_not_read;
    } slow;
    for (int i = 0; i < 70; ++i) {
        slow.idle.push_back(server.client());
        slow.drip_heads.push_back(server.client());
        slow.drip_bodies.push_back(server.client());
        slow.drip_bodies.back().send(post_head);
        slow.do_not_read.push_back(server.slow_client());
        slow.do_not_read.back().send(post("/echo", large));
    }
    RawClient fast = server.client();
    for (std::size_t i = 0; i < head.size(); ++i) {
        for (std::size_t k = 0; k < slow.idle.size(); ++k) {
            slow.drip_heads[k].send(head.substr(i, 1));
            slow.drip_bodies[k].send(body.substr(i, 1));
        }
        ASSERT_EQ(fast.ask(get("/fast")).body, "GET /fast?");
    }
    for (std::size_t k = 0; k < slow.idle.size(); ++k) {
        EXPECT_EQ(slow.drip_heads[k].reply().body, "GET /head?");
        EXPECT_EQ(slow.drip_bodies[k].reply().body, body);
        EXPECT_TRUE(slow.do_not_read[k].reply().body == large);
    }
    EXPECT_EQ(slow.idle.front().ask(get("/awake")).body, "GET /awake?");
}

TEST(HttpServer, MakesRoomForNewConnectionsByClosingIdleOnes) {
    Settings settings;
    settings.max_connections = 4;
    const ToyServer server(settings);
    std::vector<RawClient> idle;
    for (int i = 0; i < 20; ++i) {
        idle.push_back(server.client());
        ASSERT_EQ(idle.back().ask(get("/")).status, 200);
    }
}

TEST(HttpServer, MakesRoomByClosingTheOldestOfManyRequestsThatDoNotArrive) {
    for (const std::string& unfinished : {std::string("GET / HTTP/1.1\r\nHost: x\r\nX: "),
                                          std::string("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\nbegin")}) {
        Settings settings;
        settings.max_connections = 8;
        const ToyServer server(settings);
        std::vector<RawClient> crowd;
        for (int i = 0; i < 40; ++i) {
            crowd.push_back(server.client());
            crowd.back().send(unfinished);
            if (i % 4 == 3) {
                ASSERT_EQ(server.client().ask(get("/")).status, 200) << i;
            }
        }
        EXPECT_TRUE(crowd.front().is_closed());
    }
}

TEST(HttpServer, RefusesWithRetryAfterWhenSaturatedAndRecovers) {
    Settings settings;
    settings.threads = 1;
    settings.max_queue = 1;
    ToyServer server(settings);
    RawClient running = server.client();
    running.send(get("/block"));
    server.gate.wait_entered(1);
    RawClient one = server.client();
    RawClient other = server.client();
    one.send(get("/queued"));
    other.send(get("/queued"));
    const bool first = RawClient::first_readable({&one, &other}) == 0; // whichever came second
    RawClient& refused = first ? one : other;
    RawClient& queued = first ? other : one;
    const Reply reply = refused.reply();
    EXPECT_EQ(reply.status, 503);
    EXPECT_NE(reply.field("Retry-After"), "");
    EXPECT_NE(reply.field("X-Request-Id"), "");
    EXPECT_TRUE(refused.is_closed());
    const ServerStats stats = server.stats();
    EXPECT_EQ(stats.busy_workers, 1U);
    EXPECT_EQ(stats.queued, 1U);
    EXPECT_EQ(stats.refused_saturated, 1U);
    server.gate.open();
    EXPECT_EQ(running.reply().body, "released");
    EXPECT_EQ(queued.reply().status, 200);
    EXPECT_EQ(server.client().ask(get("/after")).status, 200);
}

TEST(HttpServer, TellsAClientWhoseHeadTakesTooLong) {
    Settings settings;
    settings.head_deadline = kHostileSoon;
    const ToyServer server(settings);
    RawClient client = server.client();
    EXPECT_EQ(client.ask("GET / HTTP/1.1\r\nHost:").status, 408);
    EXPECT_TRUE(client.is_closed());
}

TEST(HttpServer, TellsAClientWhoseBodyTakesTooLong) {
    Settings settings;
    settings.head_deadline = kHostileSoon;
    settings.body_deadline = kHostileSoon;
    const ToyServer server(settings);
    RawClient client = server.client();
    const Reply reply = client.ask("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\nX-Request-Id: slow\r\n\r\nhalf");
    EXPECT_EQ(reply.status, 408);
    EXPECT_EQ(reply.field("X-Request-Id"), "slow");
    EXPECT_TRUE(client.is_closed());
}

TEST(HttpServer, ClosesConnectionsThatStayIdle) {
    Settings settings;
    settings.idle_deadline = kHostileSoon;
    const ToyServer server(settings);
    RawClient client = server.client();
    EXPECT_EQ(client.ask(get("/")).status, 200);
    EXPECT_TRUE(client.is_closed());
}

TEST(HttpServer, ReturnsAfterTheDrainDeadlineFromAClientThatDoesNotRead) {
    Settings settings;
    settings.drain_deadline = kHostileSoon;
    settings.max_body_bytes = 64U << 20U;
    ToyServer server(settings);
    RawClient client = server.client();
    client.send(post("/echo", std::string(32U << 20U, 'a'))); // more than the sockets between them take
    EXPECT_EQ(RawClient::first_readable({&client}), 0U);
    server.stop();
    EXPECT_TRUE(server.has_returned());
}

} // namespace
} // namespace costcurve::http::test
