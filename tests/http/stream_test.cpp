// Streamed answers over raw sockets: their framing, their turn among others, and that they end with their client.
#include <gtest/gtest.h>

#include "tests/http/toy_server.hpp"

namespace costcurve::http::test {
namespace {

constexpr std::chrono::seconds kSoon{1};

std::string stream(std::size_t count, std::size_t bytes, const std::string& more = {}) {
    return "/stream?count=" + std::to_string(count) + "&bytes=" + std::to_string(bytes) + more;
}

// More than sockets take for a client that doesn't read.
const std::string kGigabyte = stream(1U << 20U, 1U << 10U);

std::string pieces(std::size_t count, std::size_t bytes) {
    std::string all;
    for (std::size_t left = count; left > 0; --left) {
        all.append(bytes, static_cast<char>('a' + left % 26));
    }
    return all;
}

TEST(HttpStream, SendsAllPiecesInOrder) {
    const struct {
        std::size_t count;
        std::size_t bytes;
    } rows[] = {{0, 0}, {1, 0}, {1, 1}, {10, 0}, {3, 7}, {100000, 10}, {10, 1U << 20U}};
    const ToyServer server;
    RawClient client = server.client();
    for (const auto& row : rows) {
        SCOPED_TRACE(row.count);
        const Reply reply = client.ask(get(stream(row.count, row.bytes), "Accept-Encoding: gzip\r\n"));
        EXPECT_EQ(reply.status, 200);
        EXPECT_EQ(reply.field("Transfer-Encoding"), "chunked");
        EXPECT_EQ(reply.field("Content-Type"), "application/x-ndjson");
        EXPECT_NE(reply.field("X-Request-Id"), "");
        EXPECT_FALSE(reply.has("Content-Length")) << reply.head;
        EXPECT_FALSE(reply.has("Content-Encoding")) << reply.head;
        EXPECT_TRUE(reply.body == pieces(row.count, row.bytes));
    }
    EXPECT_EQ(client.ask(get("/next")).body, "GET /next?");
}

TEST(HttpStream, ShowsWhatThereIsBeforeTheRestIsMade) {
    ToyServer server;
    RawClient client = server.client();
    client.send(get(stream(3, 100000, "&blocks")));
    EXPECT_EQ(client.reply(true).status, 200);
    EXPECT_EQ(client.chunk()->size(), 100000U); // a piece is as large as it was given
    server.gate.open();
    EXPECT_EQ(client.chunk()->size(), 100000U);
    EXPECT_EQ(client.chunk()->size(), 100000U);
    EXPECT_FALSE(client.chunk().has_value());
}

TEST(HttpStream, CollectsSmallPiecesIntoChunksOf64KiB) {
    const ToyServer server;
    RawClient client = server.client();
    ASSERT_EQ(client.send(get(stream(1U << 20U, 10))).reply(true).status, 200);
    while (const std::optional<std::string> chunk = client.chunk()) {
        EXPECT_LT(chunk->size(), 65536U + 10U);
    }
}

TEST(HttpStream, AnswersPipelinedRequestsInOrder) {
    const ToyServer server;
    RawClient client = server.client();
    client.send(get("/1") + get(stream(1000, 1000)) + get("/2") + get(stream(2, 3)) + get(stream(0, 0)) + get("/3"));
    EXPECT_EQ(client.reply().body, "GET /1?");
    EXPECT_TRUE(client.reply().body == pieces(1000, 1000));
    EXPECT_EQ(client.reply().body, "GET /2?");
    EXPECT_EQ(client.reply().body, "cccbbb");
    EXPECT_EQ(client.reply().body, "");
    EXPECT_EQ(client.reply().body, "GET /3?");
}

TEST(HttpStream, EndsWithTheConnectionForHttp10) {
    ToyServer server;
    RawClient client = server.client();
    const Reply reply = client.ask("GET " + stream(1000, 1000) + " HTTP/1.0\r\n\r\n");
    EXPECT_EQ(reply.status, 200);
    EXPECT_FALSE(reply.has("Transfer-Encoding")) << reply.head;
    EXPECT_FALSE(reply.has("Content-Length")) << reply.head;
    EXPECT_EQ(reply.field("Connection"), "close");
    EXPECT_TRUE(client.rest() == pieces(1000, 1000));
    server.log.wait_ended();
}

TEST(HttpStream, ClosesAfterItsEndWhereTheClientSaysSo) {
    const ToyServer server;
    RawClient client = server.client();
    const Reply reply = client.ask(get(stream(10, 100000), "Connection: close\r\n"));
    EXPECT_TRUE(reply.body == pieces(10, 100000));
    EXPECT_EQ(reply.field("Connection"), "close");
    EXPECT_TRUE(client.is_closed());
}

TEST(HttpStream, AnswersHeadWithoutCallingTheProducer) {
    ToyServer server;
    RawClient client = server.client();
    const Reply reply = client.send("HEAD " + stream(10, 10) + " HTTP/1.1\r\nHost: a\r\n\r\n").reply(true);
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.field("Transfer-Encoding"), "chunked");
    EXPECT_EQ(client.ask(get("/next")).body, "GET /next?");
    EXPECT_EQ(server.log.wait_ended(), 0U);
}

TEST(HttpStream, StopsWhereTheClientDoesNotRead) {
    Settings settings;
    settings.write_deadline = kSoon;
    ToyServer server(settings);
    RawClient client = server.slow_client();
    EXPECT_EQ(client.send(get(kGigabyte)).reply(true).status, 200);
    EXPECT_LT(server.log.wait_ended(), 64U << 20U); // what the sockets between them take, and a piece
    EXPECT_EQ(server.client().ask(get("/next")).status, 200);
}

TEST(HttpStream, StopsWhereTheClientCloses) {
    ToyServer server;
    {
        RawClient client = server.slow_client();
        EXPECT_EQ(client.send(get(kGigabyte)).reply(true).status, 200);
    }
    EXPECT_LT(server.log.wait_ended(), 1U << 30U);
    EXPECT_EQ(server.client().ask(get("/next")).status, 200);
}

TEST(HttpStream, StopsWhereTheClientClosesWhileNothingIsMade) {
    ToyServer server;
    {
        RawClient client = server.client();
        client.send(get(stream(~std::size_t{0}, 0))); // pieces without bytes: no send could fail
        EXPECT_EQ(client.reply(true).status, 200);
    }
    EXPECT_EQ(server.log.wait_ended(), 0U);
}

TEST(HttpStream, StopsWhereTheClientSaysThatItSendsNoMore) {
    ToyServer server;
    RawClient client = server.slow_client();
    EXPECT_EQ(client.send(get(kGigabyte)).reply(true).status, 200);
    client.finish();
    EXPECT_LT(server.log.wait_ended(), 1U << 30U);
    EXPECT_THROW(while (client.chunk()){}, std::runtime_error);
}

TEST(HttpStream, IsCutShortWhereItsProducerThrows) {
    ToyServer server;
    for (const std::size_t before : {0U, 3U, 5000U}) {
        SCOPED_TRACE(before);
        RawClient client = server.client();
        EXPECT_EQ(client.send(get(stream(before, 1000, "&fails"), "X-Request-Id: cut\r\n")).reply(true).status, 200);
        const std::string rest = client.rest();
        EXPECT_EQ(rest.find("secret"), std::string::npos);
        EXPECT_EQ(rest.find("\r\n0\r\n\r\n"), std::string::npos);
        const std::vector<std::string> told = server.told();
        ASSERT_EQ(told.size(), 1U);
        EXPECT_TRUE(told.front().starts_with("500 ")) << told.front();
    }
    server.log.wait_ended();
    EXPECT_EQ(server.client().ask(get("/next")).status, 200);
}

TEST(HttpStream, HoldsNoWorkerForSlowReaders) {
    ToyServer server;
    std::vector<RawClient> slow;
    for (int i = 0; i < 50; ++i) {
        slow.push_back(server.slow_client());
        slow.back().send(get(kGigabyte));
    }
    for (RawClient& client : slow) {
        EXPECT_EQ(client.reply(true).status, 200);
    }
    EXPECT_EQ(server.stats().streams, 50U);
    RawClient fast = server.client();
    for (int i = 0; i < 100; ++i) {
        ASSERT_EQ(fast.ask(get("/fast")).body, "GET /fast?");
    }
    for (RawClient& client : slow) { // they go on where they were
        EXPECT_GT(client.chunk()->size(), 0U);
    }
    slow.clear();
    server.log.wait_ended();
    EXPECT_EQ(server.stats().streams, 0U);
}

TEST(HttpStream, LeavesTurnsToRequestsAndDoesNotFillTheQueue) {
    Settings settings;
    settings.threads = 1;
    settings.max_queue = 1;
    ToyServer server(settings);
    std::vector<RawClient> busy;
    for (int i = 0; i < 20; ++i) {
        busy.push_back(server.client());
        ASSERT_EQ(busy.back().send(get(stream(~std::size_t{0}, 0))).reply(true).status, 200); // each wants a worker all the time
    }
    EXPECT_EQ(server.client().ask(get("/fast")).body, "GET /fast?");
    busy.clear();
    server.log.wait_ended();
}

TEST(HttpStream, GoesOnToItsEndWhenTheServerStops) {
    ToyServer server;
    RawClient client = server.slow_client();
    client.send(get(stream(10000, 1000)));
    EXPECT_EQ(client.reply(true).status, 200);
    RawClient idle = server.client();
    EXPECT_EQ(idle.ask(get("/")).status, 200);
    server.stop();
    EXPECT_TRUE(idle.is_closed());
    std::string body;
    while (const std::optional<std::string> chunk = client.chunk()) {
        body += *chunk;
    }
    EXPECT_TRUE(body == pieces(10000, 1000));
    EXPECT_TRUE(client.is_closed());
    EXPECT_TRUE(server.has_returned());
}

TEST(HttpStream, EndsAtTheDrainDeadline) {
    Settings settings;
    settings.drain_deadline = kSoon;
    ToyServer server(settings);
    RawClient not_reading = server.slow_client();
    RawClient waiting = server.client();
    EXPECT_EQ(not_reading.send(get(kGigabyte)).reply(true).status, 200);
    EXPECT_EQ(waiting.send(get(stream(~std::size_t{0}, 0))).reply(true).status, 200);
    server.stop();
    EXPECT_TRUE(server.has_returned());
    server.log.wait_ended();
}

} // namespace
} // namespace costcurve::http::test
