// Chunked request bodies: decoded however they arrive, over raw sockets and in memory; what is malformed is refused.
#include <gtest/gtest.h>

#include "server/http/chunked.hpp"
#include "tests/http/toy_server.hpp"

namespace costcurve::http::test {
namespace {

using State = ChunkedBody::State;

constexpr std::size_t kMaxBody = 1000;

struct Decoded {
    State state;
    std::string body;
    std::string rest;
};

// In steps of so many bytes.
Decoded decode(const std::string& bytes, std::size_t step) {
    ChunkedBody chunks;
    Decoded decoded{State::incomplete, "", ""};
    std::size_t at = 0;
    while (decoded.state == State::incomplete && at < bytes.size()) {
        decoded.rest += bytes.substr(at, step);
        at += step;
        decoded.state = chunks.read(decoded.rest, decoded.body, kMaxBody);
    }
    decoded.rest += bytes.substr(std::min(at, bytes.size()));
    return decoded;
}

TEST(Chunked, DecodesWhateverTheStepsItArrivesIn) {
    const struct {
        const char* name;
        std::string bytes;
        std::string body;
        std::string rest;
    } rows[] = {
        {"nothing", "0\r\n\r\n", "", ""},
        {"one", "5\r\nhello\r\n0\r\n\r\n", "hello", ""},
        {"two", "5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n", "hello world", ""},
        {"hexadecimal", "0A\r\n0123456789\r\n0\r\n\r\n", "0123456789", ""},
        {"line ends within", "4\r\n\r\n\r\n\r\n0\r\n\r\n", "\r\n\r\n", ""},
        {"zeros before the size", "0005\r\nhello\r\n000\r\n\r\n", "hello", ""},
        {"extension", "5;a=\"b\"\r\nhello\r\n0;last\r\n\r\n", "hello", ""},
        {"blank before an extension", "5 ;a\r\nhello\r\n0\r\n\r\n", "hello", ""},
        {"trailers", "5\r\nhello\r\n0\r\nX-Sum: 1\r\nHost: evil\r\n\r\n", "hello", ""},
        {"the next request behind it", "1\r\na\r\n0\r\n\r\nGET / HTTP/1.1\r\n", "a", "GET / HTTP/1.1\r\n"},
        {"as much as is allowed", "3e8\r\n" + std::string(1000, 'a') + "\r\n0\r\n\r\n", std::string(1000, 'a'), ""},
    };
    for (const auto& row : rows) {
        for (const std::size_t step : {std::size_t{1}, std::size_t{2}, std::size_t{7}, row.bytes.size()}) {
            const Decoded decoded = decode(row.bytes, step);
            EXPECT_EQ(decoded.state, State::complete) << row.name << " in steps of " << step;
            EXPECT_EQ(decoded.body, row.body) << row.name << " in steps of " << step;
            EXPECT_EQ(decoded.rest, row.rest) << row.name << " in steps of " << step;
        }
    }
}

TEST(Chunked, RefusesWhatIsMalformedOrTooLarge) {
    const struct {
        const char* name;
        std::string bytes;
        State state;
    } rows[] = {
        {"no size", "\r\nhello\r\n", State::malformed},
        {"no digits", "x\r\nhello\r\n", State::malformed},
        {"negative", "-5\r\nhello\r\n", State::malformed},
        {"plus", "+5\r\nhello\r\n", State::malformed},
        {"0x", "0x5\r\nhello\r\n", State::malformed},
        {"blank before", " 5\r\nhello\r\n", State::malformed},
        {"blank behind", "5 \r\nhello\r\n", State::malformed},
        {"bare line feed", "5\nhello\r\n", State::malformed},
        {"bare line feed behind data", "5\r\nhello\n0\r\n\r\n", State::malformed},
        {"longer than it says", "5\r\nhello world\r\n0\r\n\r\n", State::malformed},
        {"shorter than it says", "7\r\nhello\r\n0\r\n\r\n", State::malformed},
        {"extension of 2 KB", "5;" + std::string(2000, 'a') + "\r\nhello\r\n", State::malformed},
        {"extension without end", "5;" + std::string(2000, 'a'), State::malformed},
        {"control character in an extension", "5;\x01\r\nhello\r\n", State::malformed},
        {"trailers of 9 KB",
         [] {
             std::string bytes = "0\r\n";
             for (int i = 0; i < 10; ++i) {
                 bytes += "A: " + std::string(900, 'a') + "\r\n";
             }
             return bytes + "\r\n";
         }(),
         State::malformed},
        {"a chunk over the limit", "3e9\r\n", State::too_large},
        {"all over the limit", "3e8\r\n" + std::string(1000, 'a') + "\r\n1\r\n", State::too_large},
        {"2^64", "10000000000000000\r\n", State::too_large},
        {"2^64 - 1", "ffffffffffffffff\r\n", State::too_large},
    };
    for (const auto& row : rows) {
        for (const std::size_t step : {std::size_t{1}, row.bytes.size()}) {
            EXPECT_EQ(decode(row.bytes, step).state, row.state) << row.name << " in steps of " << step;
        }
    }
}

std::string chunked_head(const std::string& fields = "") {
    return "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n" + fields + "\r\n";
}

TEST(HttpServer, ReadsChunkedBodies) {
    const ToyServer server;
    RawClient client = server.client();
    EXPECT_EQ(client.ask(chunked_head() + "5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n").body, "hello world");
    client.send(chunked_head() + "1\r\na\r\n0\r\n\r\n" + chunked_head() + "1\r\nb\r\n0\r\n\r\n" + get("/next"));
    EXPECT_EQ(client.reply().body, "a");
    EXPECT_EQ(client.reply().body, "b");
    EXPECT_EQ(client.reply().body, "GET /next?");
}

TEST(HttpServer, ReadsALargeChunkedBody) {
    const ToyServer server;
    RawClient client = server.client();
    const std::string chunk(100'000, 'c');
    std::string sent = chunked_head("Expect: 100-continue\r\n");
    ASSERT_EQ(client.ask(sent).status, 100);
    std::string body;
    for (int i = 0; i < 50; ++i) {
        client.send("186A0\r\n" + chunk + "\r\n");
        body += chunk;
    }
    EXPECT_TRUE(client.ask("0\r\n\r\n").body == body);
}

TEST(HttpServer, RefusesChunkedBodiesThatAreMalformedOrTooLarge) {
    Settings settings;
    settings.max_body_bytes = 100;
    const ToyServer server(settings);
    RawClient malformed = server.client();
    EXPECT_EQ(malformed.ask(chunked_head() + "5\nhello").status, 400);
    EXPECT_TRUE(malformed.is_closed());
    RawClient large = server.client();
    EXPECT_EQ(large.ask(chunked_head() + "40\r\n" + std::string(64, 'a') + "\r\n40\r\n").status, 413) << "before it has arrived";
    EXPECT_TRUE(large.is_closed());
    EXPECT_EQ(server.client().ask(get("/next")).status, 200);
}

} // namespace
} // namespace costcurve::http::test
