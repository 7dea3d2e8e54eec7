// One client's requests that wait, beside those of another: who is next, who is refused, and who is not answered any more.
#include "server/http/turns.hpp"

#include <gtest/gtest.h>

#include "tests/http/toy_server.hpp"

namespace costcurve::http::test {
namespace {

// Whose share a request counts for stands in its field X-Client.
Admission by_field(const Request& head) {
    return {std::nullopt, 1000, std::string(header(head, "x-client")), header(head, "x-heavy") == "1"};
}
std::string of(const std::string& client, const std::string& target) { return get(target, "X-Client: " + client + "\r\n"); }

Settings one_worker() {
    Settings settings;
    settings.threads = 1;
    settings.heavy_threads = 1;
    return settings;
}

// Answered by the loop: what was sent before it has been read.
void pass_loop(const ToyServer& server) { ASSERT_EQ(server.client().ask("broken\r\n\r\n").status, 400); }

TEST(HttpTurns, GoRoundByClient) {
    Connection ann[4];
    Connection bob[2];
    Turns turns;
    for (Connection& one : ann) {
        one.client = "ann";
        EXPECT_TRUE(turns.add(one, 100));
    }
    EXPECT_EQ(turns.take(), &ann[0]);
    for (Connection& one : bob) {
        one.client = "bob";
        EXPECT_TRUE(turns.add(one, 100));
    }
    EXPECT_EQ(turns.take(), &bob[0]);
    EXPECT_EQ(turns.take(), &ann[1]);
    EXPECT_FALSE(turns.remove(ann[2], 2)) << "two are about to be taken";
    EXPECT_TRUE(turns.remove(ann[2], 1));
    EXPECT_FALSE(turns.remove(ann[2], 0));
    EXPECT_EQ(turns.take(), &bob[1]);
    EXPECT_EQ(turns.take(), &ann[3]);
    EXPECT_TRUE(turns.empty());
    EXPECT_EQ(turns.waited_s(), 0.0);
}

TEST(HttpTurns, AQuarterOfThePlacesIsForOthers) {
    Connection ann[4];
    Connection bob[2];
    Turns turns;
    for (int i = 0; i < 4; ++i) {
        EXPECT_EQ(turns.add(ann[i], 4), i < 3);
    }
    for (Connection& one : bob) {
        one.client = "bob";
    }
    EXPECT_TRUE(turns.add(bob[0], 4));
    EXPECT_FALSE(turns.add(bob[1], 4)) << "four wait";
}

TEST(HttpTurns, AClientWithManyRequestsDoesNotKeepAnotherWaiting) {
    ToyServer server(one_worker(), by_field);
    RawClient running = server.client();
    running.send(of("ann", "/block"));
    server.gate.wait_entered(1);
    auto next = std::make_unique<RawClient>(server.port());
    next->send(of("ann", "/until_gone"));
    pass_loop(server);
    RawClient endless = server.client();
    endless.send(of("ann", "/until_gone"));
    pass_loop(server);
    RawClient other = server.client();
    other.send(of("bob", "/"));
    pass_loop(server);
    server.gate.open();
    EXPECT_EQ(running.reply().body, "released");
    next.reset();
    EXPECT_EQ(other.reply().status, 200);
}

TEST(HttpTurns, AClientThatHasTooManyWaitingIsRefusedAndOthersAreNot) {
    Settings settings = one_worker();
    settings.max_queue = 4;
    ToyServer server(settings, by_field);
    RawClient running = server.client();
    running.send(of("ann", "/block"));
    server.gate.wait_entered(1);
    std::vector<RawClient> waiting;
    for (int i = 0; i < 3; ++i) {
        waiting.push_back(server.client());
        waiting.back().send(of("ann", "/"));
        pass_loop(server);
    }
    const Reply refused = server.client().ask(of("ann", "/"));
    EXPECT_EQ(refused.status, 503);
    EXPECT_EQ(refused.field("Retry-After"), "1");
    waiting.push_back(server.client());
    waiting.back().send(of("bob", "/"));
    server.gate.open();
    for (RawClient& client : waiting) {
        EXPECT_EQ(client.reply().status, 200);
    }
}

TEST(HttpTurns, WhoLeavesWhileTheRequestWaitsIsNotAnswered) {
    for (const std::string heavy : {"0", "1"}) {
        ToyServer server(one_worker(), by_field);
        const std::string field = "X-Heavy: " + heavy + "\r\n";
        RawClient running = server.client();
        running.send(get("/block", field));
        server.gate.wait_entered(1);
        RawClient stays = server.client();
        stays.send(get("/stays", field));
        RawClient says_so = server.client();
        says_so.send(get("/never", field));
        {
            RawClient leaves = server.client();
            leaves.send(get("/never", field));
            pass_loop(server);
            EXPECT_EQ(server.stats().queued, 3U);
        }
        pass_loop(server);
        EXPECT_EQ(server.stats().queued, 2U);
        EXPECT_EQ(says_so.finish().reply().status, 503);
        EXPECT_EQ(server.stats().queued, 1U);
        server.gate.open();
        EXPECT_EQ(stays.reply().body, "GET /stays?");
    }
}

TEST(HttpTurns, WhatWaitsWhenTheServerStopsIsRefusedWhileWhatRunsGoesOn) {
    ToyServer server(one_worker(), by_field);
    RawClient running = server.client();
    running.send(of("ann", "/block"));
    server.gate.wait_entered(1);
    RawClient waiting = server.client();
    waiting.send(of("bob", "/never"));
    pass_loop(server);
    server.stop();
    EXPECT_EQ(waiting.reply().status, 503);
    EXPECT_TRUE(waiting.is_closed());
    server.gate.open();
    EXPECT_EQ(running.reply().body, "released");
    EXPECT_TRUE(server.has_returned());
}

} // namespace
} // namespace costcurve::http::test
