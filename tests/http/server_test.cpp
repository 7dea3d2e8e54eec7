// The server over raw sockets: what well-behaved clients get.
#include <system_error>

#include <gtest/gtest.h>
#include <zlib.h>

#include "tests/http/toy_server.hpp"

namespace costcurve::http::test {
namespace {

std::string unpacked(const std::string& packed) {
    z_stream stream{};
    constexpr int kGzip = 15 + 16;
    if (inflateInit2(&stream, kGzip) != Z_OK) {
        throw std::runtime_error("zlib");
    }
    std::string in = packed;
    std::string out(1U << 20U, '\0');
    stream.next_in = reinterpret_cast<Bytef*>(in.data());
    stream.avail_in = static_cast<uInt>(in.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    const int result = inflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    inflateEnd(&stream);
    return result == Z_STREAM_END ? out : "not gzip";
}

TEST(HttpServer, KeepsConnectionsAlive) {
    ToyServer server;
    RawClient client = server.client();
    for (int i = 0; i < 5; ++i) {
        const std::string body = "body " + std::to_string(i);
        const Reply reply = client.ask(post("/echo", body));
        EXPECT_EQ(reply.status, 200);
        EXPECT_EQ(reply.body, body);
        EXPECT_NE(reply.field("Connection"), "close");
    }
}

TEST(HttpServer, GivesTheHandlerMethodDecodedPathAndRawQuery) {
    ToyServer server;
    RawClient client = server.client();
    EXPECT_EQ(client.ask(get("/a%20b%2541/?c=%20d&e")).body, "GET /a b%41/?c=%20d&e");
    EXPECT_EQ(client.ask(get("/a?b?c")).body, "GET /a?b?c");
    EXPECT_EQ(client.ask(get("/parameters?b=%20%2b&A=+&b")).body, "[b= +][A= ][b=]");
    EXPECT_EQ(client.ask("BREW /pot HTTP/1.1\r\nHost: a\r\n\r\n").body, "BREW /pot?");
    EXPECT_EQ(client.ask("DELETE /a HTTP/1.1\r\nHost: a\r\n\r\n").body, "DELETE /a?");
    EXPECT_EQ(client.ask("PATCH /a HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n").body, "PATCH /a?");
}

TEST(HttpServer, AnswersPipelinedRequestsInOrder) {
    ToyServer server;
    RawClient client = server.client();
    constexpr int kRequests = 400; // more bytes than a head may have
    std::string all;
    for (int i = 0; i < kRequests; ++i) {
        all += i % 2 == 0 ? get("/" + std::to_string(i)) : post("/echo", std::to_string(i));
    }
    client.send(all);
    for (int i = 0; i < kRequests; ++i) {
        const std::string number = std::to_string(i);
        ASSERT_EQ(client.reply().body, i % 2 == 0 ? "GET /" + number + "?" : number);
    }
}

TEST(HttpServer, AnswersARequestThatArrivesByteByByte) {
    ToyServer server;
    RawClient client = server.client();
    for (const char byte : post("/echo", "slow")) {
        client.send(std::string(1, byte));
    }
    EXPECT_EQ(client.reply().body, "slow");
}

TEST(HttpServer, CarriesBodiesLargerThanASocketTakesAtOnce) {
    ToyServer server;
    RawClient client = server.client();
    std::string body(7U << 20U, 'x');
    for (std::size_t i = 0; i < body.size(); i += 1009) {
        body[i] = static_cast<char>(i % 251);
    }
    const Reply reply = client.ask(post("/echo", body));
    EXPECT_EQ(reply.status, 200);
    EXPECT_TRUE(reply.body == body);
    EXPECT_EQ(client.ask(get("/again")).body, "GET /again?");
}

TEST(HttpServer, AnswersHeadWithoutBody) {
    ToyServer server;
    RawClient client = server.client();
    const Reply reply = client.send("HEAD /big HTTP/1.1\r\nHost: a\r\n\r\n").reply(true);
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.field("Content-Length"), std::to_string(kBigText.size()));
    EXPECT_EQ(client.ask(get("/next")).body, "GET /next?");
}

TEST(HttpServer, ClosesAfterHttp10) {
    ToyServer server;
    RawClient client = server.client();
    EXPECT_EQ(client.ask("GET /old HTTP/1.0\r\n\r\n").body, "GET /old?");
    EXPECT_TRUE(client.is_closed());
}

TEST(HttpServer, ClosesWhereTheClientSaysSo) {
    ToyServer server;
    RawClient client = server.client();
    const Reply reply = client.ask(get("/last", "Connection: close\r\n") + get("/too_late"));
    EXPECT_EQ(reply.body, "GET /last?");
    EXPECT_EQ(reply.field("Connection"), "close");
    EXPECT_TRUE(client.is_closed());
}

TEST(HttpServer, AnswersAClientThatHasFinishedSending) {
    ToyServer server;
    RawClient client = server.client();
    client.send(get("/1") + get("/2")).finish();
    EXPECT_EQ(client.reply().body, "GET /1?");
    EXPECT_EQ(client.reply().body, "GET /2?");
    EXPECT_TRUE(client.is_closed());
}

TEST(HttpServer, SendsALargeAnswerToAClientThatHasFinishedSending) {
    ToyServer server;
    RawClient client = server.slow_client();
    const std::string body(4U << 20U, 'x');
    client.send(post("/echo", body)).finish();
    EXPECT_TRUE(client.reply().body == body);
    EXPECT_TRUE(client.is_closed());
}

TEST(HttpServer, CountsItsConnections) {
    ToyServer server;
    RawClient client = server.client();
    EXPECT_EQ(client.ask(get("/")).status, 200);
    {
        RawClient other = server.client();
        EXPECT_EQ(other.ask(get("/")).status, 200);
        EXPECT_EQ(server.stats().connections, 2U);
    }
    for (int asked = 0; asked < 1000 && server.stats().connections != 1U; ++asked) { // until the loop has seen the other close
        EXPECT_EQ(client.ask(get("/")).status, 200);
    }
    EXPECT_EQ(server.stats().connections, 1U);
    EXPECT_EQ(server.stats().queued, 0U);
    EXPECT_EQ(server.stats().refused_saturated, 0U);
}

TEST(HttpServer, SendsStatusAndFieldsOfTheHandlerButNoForgedLine) {
    ToyServer server;
    const Reply reply = server.client().ask(get("/created"));
    EXPECT_EQ(reply.status, 201);
    EXPECT_EQ(reply.field("Location"), "/v1/offers/7");
    EXPECT_FALSE(reply.has("Set-Cookie"));
}

TEST(HttpServer, CompressesLargeTextsForWhoAcceptsIt) {
    ToyServer server;
    RawClient client = server.client();
    const Reply packed = client.ask(get("/big", "Accept-Encoding: br, gzip\r\n"));
    EXPECT_EQ(packed.field("Content-Encoding"), "gzip");
    EXPECT_EQ(packed.field("Vary"), "Accept-Encoding");
    EXPECT_LT(packed.body.size(), kBigText.size());
    EXPECT_EQ(unpacked(packed.body), kBigText);

    const struct {
        const char* name;
        std::string request;
    } plain_rows[] = {
        {"not offered", get("/big")},
        {"weight 0", get("/big", "Accept-Encoding: gzip;q=0\r\n")},
        {"brotli only", get("/big", "Accept-Encoding: br\r\n")},
        {"no text", get("/bytes", "Accept-Encoding: gzip\r\n")},
    };
    for (const auto& row : plain_rows) {
        const Reply plain = client.ask(row.request);
        EXPECT_FALSE(plain.has("Content-Encoding")) << row.name;
        EXPECT_EQ(plain.body, kBigText) << row.name;
    }
    const Reply small = client.ask(get("/small", "Accept-Encoding: gzip\r\n"));
    EXPECT_FALSE(small.has("Content-Encoding"));
    EXPECT_EQ(small.body, "GET /small?");
}

TEST(HttpServer, IgnoresRange) {
    ToyServer server;
    const Reply reply = server.client().ask(get("/big", "Range: bytes=0-10,5-20\r\n"));
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.body, kBigText);
}

TEST(HttpServer, ContinuesWhereExpected) {
    ToyServer server;
    RawClient client = server.client();
    EXPECT_EQ(client.ask("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n").status, 100);
    const Reply reply = client.ask("body");
    EXPECT_EQ(reply.status, 200);
    EXPECT_EQ(reply.body, "body");
    EXPECT_EQ(client.ask("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n").status, 100);
    EXPECT_EQ(client.ask("ok").body, "ok");
}

TEST(HttpServer, EchoesAGoodRequestIdAndMakesOneOtherwise) {
    ToyServer server;
    RawClient client = server.client();
    EXPECT_EQ(client.ask(get("/", "X-Request-Id: my.id-7\r\n")).field("X-Request-Id"), "my.id-7");
    const std::string first = client.ask(get("/")).field("X-Request-Id");
    const std::string second = client.ask(get("/", "X-Request-Id: no good\r\n")).field("X-Request-Id");
    for (const std::string& made : {first, second}) {
        EXPECT_EQ(made.size(), 16U);
        EXPECT_EQ(made.find_first_not_of("0123456789abcdef"), std::string::npos) << made;
    }
    EXPECT_NE(first, second);
}

TEST(HttpServer, TellsNothingOfAnException) {
    ToyServer server;
    RawClient client = server.client();
    for (const char* const path : {"/throw", "/throw_int"}) {
        const Reply reply = client.ask(get(path, "X-Request-Id: seen\r\n"));
        EXPECT_EQ(reply.status, 500);
        EXPECT_EQ(reply.field("X-Request-Id"), "seen");
        EXPECT_FALSE(reply.has("EXCEPTION_WHAT"));
        EXPECT_EQ((reply.head + reply.body).find("secret"), std::string::npos);
        EXPECT_EQ(reply.body.find("[seen]"), std::string::npos) << "the log's id is ours alone: " << reply.body;
    }
    EXPECT_EQ(client.ask(get("/after")).status, 200);
}

TEST(HttpServer, SaysThatAPortIsInUse) {
    const ToyServer server;
    Settings settings;
    settings.port = server.port();
    const Handler handler = [](const Request&) { return Response{}; };
    const ErrorBody error_body = [](int, std::string_view, std::string_view) { return Response{}; };
    EXPECT_THROW(Server(settings, handler, error_body), std::system_error);
    settings.port = 0;
    settings.host = "no.such.name.invalid";
    EXPECT_THROW(Server(settings, handler, error_body), std::system_error);
}

TEST(HttpServer, ListensOnIpv6) {
    Settings settings;
    settings.host = "::1";
    try {
        const ToyServer server(settings);
        EXPECT_NE(server.port(), 0);
    } catch (const std::system_error&) { GTEST_SKIP() << "no IPv6 here"; }
}

TEST(HttpServer, StopFinishesWhatRunsAndClosesWhatIsIdle) {
    ToyServer server;
    RawClient idle = server.client();
    EXPECT_EQ(idle.ask(get("/")).status, 200);
    RawClient partial = server.client();
    EXPECT_EQ(partial.ask(get("/")).status, 200);
    partial.send("GET /never");
    RawClient running = server.client();
    running.send(get("/block"));
    server.gate.wait_entered(1);
    server.stop();
    EXPECT_TRUE(idle.is_closed());
    EXPECT_EQ(partial.reply().status, 408); // the rest would have had to come within a second
    EXPECT_TRUE(partial.is_closed());
    server.gate.open();
    EXPECT_EQ(running.reply().body, "released");
    EXPECT_TRUE(running.is_closed());
    EXPECT_TRUE(server.has_returned());
}

TEST(HttpServer, StopAnswersWhatIsOnItsWay) {
    ToyServer server;
    RawClient running = server.client(); // as long as it runs, the loop is not done
    running.send(get("/block"));
    server.gate.wait_entered(1);
    RawClient arrived = server.client();
    arrived.send(get("/"));
    RawClient connected = server.client();
    server.stop();
    connected.send(get("/"));
    EXPECT_EQ(arrived.reply().status, 200);
    EXPECT_TRUE(arrived.is_closed());
    EXPECT_EQ(connected.reply().status, 200);
    EXPECT_TRUE(connected.is_closed());
    server.gate.open();
    EXPECT_EQ(running.reply().body, "released");
    EXPECT_TRUE(server.has_returned());
}

bool is_told(ToyServer& server) {
    return server.left.get_future().wait_for(std::chrono::milliseconds(kHangMs)) == std::future_status::ready;
}

TEST(HttpServer, AHandlerKnowsThatItsClientHasLeft) {
    ToyServer server;
    server.client().send(get("/until_gone"));
    EXPECT_TRUE(is_told(server));
}

TEST(HttpServer, AHandlerIsToldAtTheDrainDeadline) {
    Settings settings;
    settings.drain_deadline = std::chrono::seconds(0);
    ToyServer server(settings);
    RawClient client = server.client();
    client.send(get("/until_gone"));
    while (server.stats().busy_workers == 0) {
        std::this_thread::yield();
    }
    server.stop();
    EXPECT_TRUE(is_told(server));
    EXPECT_TRUE(server.has_returned());
}

TEST(HttpServer, RefusesConnectionsOnceItStops) {
    ToyServer server;
    RawClient idle = server.client();
    EXPECT_EQ(idle.ask(get("/")).status, 200);
    RawClient running = server.client();
    running.send(get("/block"));
    server.gate.wait_entered(1);
    server.stop();
    EXPECT_TRUE(idle.is_closed());
    EXPECT_THROW(server.client(), std::runtime_error);
}

TEST(HttpServer, StopBeforeRunReturnsAtOnce) {
    Settings settings;
    settings.port = 0;
    Server server(
        settings, [](const Request&) { return Response{}; }, [](int, std::string_view, std::string_view) { return Response{}; });
    server.stop();
    const std::future<void> returned = std::async(std::launch::async, [&] { server.run(); });
    EXPECT_EQ(returned.wait_for(std::chrono::milliseconds(kHangMs)), std::future_status::ready);
}

} // namespace
} // namespace costcurve::http::test
