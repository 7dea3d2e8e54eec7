// Memory that requests hold: one budget for bodies, work, answers and streams, and a share of it for each client.
#include <gtest/gtest.h>

#include "tests/http/toy_server.hpp"

namespace costcurve::http::test {
namespace {

constexpr std::chrono::seconds kOneSecond{1};

// Each client names itself in its query: client=…
Admission by_name(const Request& head) {
    Admission admission;
    admission.max_body_bytes = 64U << 20U;
    for (const Header& parameter : head.parameters) {
        admission.client = parameter.name == "client" ? parameter.value : admission.client;
    }
    return admission;
}

Settings small_budget() {
    Settings settings;
    settings.max_memory_bytes = 1'000'000;
    settings.max_client_memory_bytes = 400'000;
    return settings;
}

// Waits until so much is booked.
void wait_booked(const ToyServer& server, std::size_t bytes) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::milliseconds(kHangMs);
    while (server.stats().memory_bytes != bytes) {
        if (std::chrono::steady_clock::now() > end) {
            throw std::runtime_error("hangs: booked " + std::to_string(server.stats().memory_bytes));
        }
        std::this_thread::yield();
    }
}

// A body of which all but the last byte has been sent.
void begin_body(RawClient& client, const std::string& name, std::size_t bytes) {
    client.send("POST /echo?client=" + name + " HTTP/1.1\r\nHost: a\r\nContent-Length: " + std::to_string(bytes + 1) + "\r\n\r\n" +
                std::string(bytes, 'a'));
}

TEST(Budget, CountsAllAndEachClient) {
    Budget budget(100'000, 60'000);
    Booking first;
    Booking second;
    Booking third;
    for (Booking* const booking : {&first, &second, &third}) {
        booking->open(budget);
    }
    EXPECT_TRUE(first.assign("a"));
    EXPECT_TRUE(second.assign("a"));
    EXPECT_TRUE(third.assign("b"));
    EXPECT_TRUE(first.resize(40'000));
    EXPECT_FALSE(second.resize(30'000)) << "over the share of a";
    EXPECT_TRUE(second.resize(20'000));
    EXPECT_FALSE(third.resize(50'000)) << "over what all may have";
    EXPECT_TRUE(third.resize(40'000));
    EXPECT_EQ(budget.used(), 100'000U);
    EXPECT_TRUE(second.resize(10'000)) << "it shrinks";
    second.close();
    EXPECT_EQ(budget.used(), 80'000U);
    Booking moved = std::move(first);
    moved.close();
    third.close();
    EXPECT_EQ(budget.used(), 0U);
    EXPECT_TRUE(third.resize(1'000'000)) << "of no budget";
}

TEST(Budget, GrantsLittleAlways) {
    Budget budget(10, 10);
    Booking booking;
    booking.open(budget);
    EXPECT_TRUE(booking.assign("a"));
    EXPECT_TRUE(booking.resize(Booking::kAlwaysGranted));
    EXPECT_FALSE(booking.resize(Booking::kAlwaysGranted + 1));
    EXPECT_EQ(booking.bytes(), Booking::kAlwaysGranted);
}

TEST(Budget, AWorkBookingJoinsTheShareOnlyWhereThereIsRoom) {
    Budget budget(100'000, 60'000);
    Booking held;
    held.open(budget);
    EXPECT_TRUE(held.assign("a"));
    EXPECT_TRUE(held.resize(50'000));
    Booking work;
    work.open(budget);
    EXPECT_TRUE(work.resize(40'000)) << "while it is nobody's";
    EXPECT_FALSE(work.assign("a"));
    EXPECT_TRUE(work.assign("b"));
}

TEST(HttpBudget, OneClientCanNotKeepTheOthersOut) {
    ToyServer server(small_budget(), by_name);
    std::vector<RawClient> greedy;
    for (int i = 0; i < 3; ++i) {
        greedy.push_back(server.client());
        begin_body(greedy.back(), "greedy", 130'000);
    }
    wait_booked(server, 390'000);
    const std::string body(100'000, 'b');
    const Reply refused = server.client().ask(post("/echo?client=greedy", body));
    EXPECT_EQ(refused.status, 503);
    EXPECT_NE(refused.field("Retry-After"), "");
    EXPECT_TRUE(server.client().ask(post("/echo?client=other", body)).body == body);
    EXPECT_EQ(server.client().ask(post("/echo?client=greedy", "small")).body, "small");
    for (RawClient& client : greedy) {
        EXPECT_EQ(client.ask("a").body.size(), 130'001U);
    }
    greedy.clear();
    wait_booked(server, 0);
}

TEST(HttpBudget, BodiesBeyondWhatAllMayHoldAreRefusedAndFreed) {
    ToyServer server(small_budget(), by_name);
    std::vector<RawClient> holders;
    for (const char* const name : {"a", "b", "c"}) {
        holders.push_back(server.client());
        begin_body(holders.back(), name, 300'000);
    }
    wait_booked(server, 900'000);
    const Reply refused = server.client().ask(post("/echo?client=d", std::string(200'000, 'd')));
    EXPECT_EQ(refused.status, 503);
    EXPECT_EQ(server.client().ask(get("/small?client=d")).status, 200);
    wait_booked(server, 900'000);
    holders.clear();
    wait_booked(server, 0);
    EXPECT_EQ(server.client().ask(post("/echo?client=d", std::string(200'000, 'd'))).status, 200);
}

TEST(HttpBudget, CountsWhatAHandlerMakesOfARequest) {
    ToyServer server(small_budget(), by_name);
    RawClient working = server.client();
    working.send(get("/books?client=a&bytes=900000&blocks"));
    server.gate.wait_entered(1);
    wait_booked(server, 900'000);
    EXPECT_EQ(server.client().ask(get("/books?client=b&bytes=200000")).status, 503);
    server.gate.open();
    EXPECT_EQ(working.reply().status, 200);
    EXPECT_EQ(server.client().ask(get("/books?client=b&bytes=200000")).status, 200);
}

TEST(HttpBudget, CountsAnswersThatTheirClientsDoNotTake) {
    Settings settings;
    settings.max_memory_bytes = 64U << 20U;
    settings.max_client_memory_bytes = 64U << 20U;
    const ToyServer server(settings, by_name);
    const std::size_t bytes = 20U << 20U; // more than the sockets between them take
    std::vector<RawClient> unread;
    for (int i = 0; i < 3; ++i) {
        unread.push_back(server.slow_client());
        unread.back().send(get("/large?client=a&bytes=" + std::to_string(bytes)));
        EXPECT_EQ(unread.back().reply(true).status, 200);
    }
    const Reply refused = server.client().ask(get("/large?client=a&bytes=" + std::to_string(bytes)));
    EXPECT_EQ(refused.status, 503);
    EXPECT_NE(refused.field("Retry-After"), "");
    unread.clear();
    wait_booked(server, 0);
    EXPECT_EQ(server.client().ask(get("/large?client=a&bytes=" + std::to_string(bytes))).body.size(), bytes);
}

std::string endless(const std::string& more = "") { return "/stream?client=a&count=1000000&bytes=1024" + more; }

TEST(HttpBudget, CountsWhatStreamsHold) {
    ToyServer server(small_budget(), by_name);
    std::vector<RawClient> streams;
    for (int i = 0; i < 2; ++i) {
        streams.push_back(server.slow_client());
        EXPECT_EQ(streams.back().send(get(endless("&books=100000"))).reply(true).status, 200);
    }
    EXPECT_EQ(server.client().ask(get(endless("&books=300000"))).status, 503);
    streams.clear();
    wait_booked(server, 0);
    server.log.wait_ended();
}

TEST(HttpBudget, StreamsWaitForMemoryAndThenGoOn) {
    Settings settings = small_budget();
    settings.max_memory_bytes = 200'000;
    settings.max_client_memory_bytes = 200'000;
    ToyServer server(settings, by_name);
    RawClient working = server.client();
    working.send(get("/books?client=b&bytes=190000&blocks"));
    server.gate.wait_entered(1);
    RawClient stream = server.client();
    EXPECT_EQ(stream.send(get("/stream?client=a&count=3&bytes=10")).reply(true).status, 200);
    server.gate.open();
    EXPECT_EQ(working.reply().status, 200);
    EXPECT_EQ(stream.chunk()->size(), 30U);
    EXPECT_FALSE(stream.chunk().has_value());
}

TEST(HttpBudget, AStreamWhoseClientTakesAlmostNothingIsClosed) {
    Settings settings;
    settings.drain_window = kOneSecond;
    settings.min_bytes_per_s = 1U << 30U; // nobody is so fast
    ToyServer server(settings, by_name);
    RawClient client = server.slow_client();
    EXPECT_EQ(client.send(get(endless())).reply(true).status, 200);
    EXPECT_LT(server.log.wait_ended(), 64U << 20U);
}

} // namespace
} // namespace costcurve::http::test
