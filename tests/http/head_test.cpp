// read_head on tables of heads: what is refused with which status, and what is read of the others.
#include "server/http/head.hpp"

#include <gtest/gtest.h>

namespace costcurve::http {
namespace {

const std::string kLine = "GET / HTTP/1.1\r\nHost: a\r\n";

struct Refused {
    const char* name;
    std::string received;
    int status;
};

std::string fields(int count) {
    std::string result;
    for (int i = 0; i < count; ++i) {
        result += "X-" + std::to_string(i) + ": 1\r\n";
    }
    return result;
}

std::string with_target(const std::string& target) { return "GET " + target + " HTTP/1.1\r\nHost: a\r\n\r\n"; }
std::string with(const std::string& head_fields) { return kLine + head_fields + "\r\n"; }

const std::vector<Refused>& refused_rows() {
    static const std::vector<Refused> rows{
        // line and target: RFC 9112 section 3
        {"no target", "GET HTTP/1.1\r\n\r\n", 400},
        {"one word", "GET\r\n\r\n", 400},
        {"empty line first", "\r\n\r\n", 400},
        {"two spaces", "GET  / HTTP/1.1\r\n\r\n", 400},
        {"space in target", "GET /a b HTTP/1.1\r\n\r\n", 400},
        {"method no token", "G(T / HTTP/1.1\r\n\r\n", 400},
        {"absolute target without authority", with_target("http:///a"), 400},
        {"absolute target with a user", with_target("http://me@a/"), 400},
        {"absolute target of another scheme", with_target("ftp://a/"), 400},
        {"target without slash", with_target("a"), 400},
        {"target with a byte above 127", with_target("/\xC3\xA9"), 400},
        {"other protocol", "GET / FTP/1.1\r\n\r\n", 400},
        {"HTTP/2.0", "GET / HTTP/2.0\r\n\r\n", 505},
        {"HTTP/0.9", "GET / HTTP/0.9\r\n\r\n", 505},
        {"version with more digits", "GET / HTTP/1.10\r\n\r\n", 505},
        {"escape cut short", with_target("/%4"), 400},
        {"lone percent sign", with_target("/%"), 400},
        {"escape without digits", with_target("/%zz"), 400},
        {"escape of four digits", with_target("/%u0041"), 400},
        {"NUL in path", with_target("/%00"), 400},
        {"line break in path", with_target("/a%0d%0aX:%20b"), 400},
        {"delete in path", with_target("/%7F"), 400},
        {"NUL in query", with_target("/?a=%00"), 400},
        {"escape cut short in query", with_target("/?a=%4"), 400},
        {"escape without digits in query", with_target("/?%zz=1"), 400},
        {"fragment", with_target("/a#b"), 400},
        // fields: RFC 9112 section 5
        {"no host", "GET / HTTP/1.1\r\n\r\n", 400},
        {"two hosts", with("hOST: b\r\n"), 400},
        {"the same host twice", with("Host: a\r\n"), 400},
        {"two hosts in HTTP/1.0", "GET / HTTP/1.0\r\nHost: a\r\nHost: a\r\n\r\n", 400},
        {"no colon", with("Host\r\n"), 400},
        {"no name", with(": a\r\n"), 400},
        {"space before colon", with("Host : a\r\n"), 400},
        {"folded", with("A: b\r\n c\r\n"), 400},
        {"folded first", with(" A: b\r\n"), 400},
        {"NUL in value", with(std::string("A: b\0c\r\n", 8)), 400},
        {"escape character in value", with("A: \x1B[0m\r\n"), 400},
        {"delete in value", with("A: \x7F\r\n"), 400},
        {"carriage return in value", with("A: b\rc\r\n"), 400},
        {"bare line feeds", "GET / HTTP/1.1\nHost: a\n\n", 400},
        {"bare line feed in value", with("A: b\nC: d\r\n"), 400},
        {"bare line feeds at the end", kLine + "Host: a\n\n", 400},
        {"line feed first", "\n", 400},
        // sizes
        {"line of 9 KB", with_target("/" + std::string(9000, 'a')), 414},
        {"line of 9 KB without end", "GET /" + std::string(9000, 'a'), 414},
        {"path of 100,000", with_target("/" + std::string(100000, 'a')), 414},
        {"field line of 9 KB", with("A: " + std::string(9000, 'a') + "\r\n"), 431},
        {"head of 17 KB",
         with("A: " + std::string(8000, 'a') + "\r\nB: " + std::string(8000, 'b') + "\r\nC: " + std::string(1400, 'c') + "\r\n"),
         431},
        {"field without end", kLine + "A: " + std::string(16384, 'a'), 431},
        {"65 fields", with(fields(64)), 431},
        // bodies: RFC 9112 section 6
        {"length negative", with("Content-Length: -1\r\n"), 400},
        {"length with plus", with("Content-Length: +1\r\n"), 400},
        {"length hexadecimal", with("Content-Length: 0x10\r\n"), 400},
        {"length with letters", with("Content-Length: 1a\r\n"), 400},
        {"length a list", with("Content-Length: 1, 1\r\n"), 400},
        {"length past 2^64", with("Content-Length: 18446744073709551616\r\n"), 400},
        {"length empty", with("Content-Length:\r\n"), 400},
        {"length blank", with("Content-Length:  \r\n"), 400},
        {"two lengths", with("Content-Length: 1\r\nContent-Length: 2\r\n"), 400},
        {"same length twice", with("Content-Length: 1\r\ncontent-length: 1\r\n"), 400},
        {"other transfer encoding", with("Transfer-Encoding: identity\r\n"), 501},
        {"two transfer encodings", with("Transfer-Encoding: gzip, chunked\r\n"), 501},
        {"chunked twice", with("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n"), 501},
        {"chunked in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400},
        {"length, then chunked", with("Content-Length: 1\r\nTransfer-Encoding: chunked\r\n"), 400},
        {"chunked, then length", with("Transfer-Encoding: chunked\r\nContent-Length: 1\r\n"), 400},
        {"gzip body", with("Content-Encoding: gzip\r\n"), 415},
        {"two body encodings", with("Content-Encoding: identity, br\r\n"), 415},
        {"other expectation", with("Expect: 200-ok\r\n"), 417},
    };
    return rows;
}

TEST(Head, RefusesWhatIsMalformedOrTooLarge) {
    for (const Refused& row : refused_rows()) {
        const Head head = read_head(row.received);
        EXPECT_EQ(head.refused, row.status) << row.name;
        EXPECT_FALSE(head.detail.empty()) << row.name;
    }
}

TEST(Head, KeepsOfARefusedOneWhatItsAnswerNeeds) {
    const Head head = read_head("HEAD / HTTP/1.1\r\nHost: a\r\nX-Request-Id: a\r\nContent-Length: x\r\nX-Request-Id: b\r\n\r\n");
    EXPECT_EQ(head.refused, 400);
    EXPECT_EQ(head.method, "HEAD");
    EXPECT_FALSE(head.answer_has_body());
    EXPECT_EQ(head.client_id, "a");
    EXPECT_EQ(head.bytes, 0U);
}

TEST(Head, ExpectsNothingOfHttp10) {
    EXPECT_TRUE(read_head("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n").expects_continue);
    EXPECT_FALSE(read_head("POST / HTTP/1.0\r\nExpect: 100-continue\r\n\r\n").expects_continue);
}

TEST(Head, IsIncompleteUntilItsEmptyLine) {
    const std::string whole = "POST /a?b=%20 HTTP/1.1\r\nHost: a\r\nContent-Length: 7\r\n\r\n";
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const Head head = read_head(whole.substr(0, size));
        EXPECT_EQ(head.bytes, 0U) << size;
        EXPECT_EQ(head.refused, 0) << size << ": " << head.detail;
    }
    const Head head = read_head(whole + "1234567GET");
    EXPECT_EQ(head.refused, 0);
    EXPECT_EQ(head.bytes, whole.size());
    EXPECT_EQ(head.content_length, 7U);
    EXPECT_EQ(head.method, "POST");
    EXPECT_EQ(head.query, "b=%20");
    EXPECT_EQ(head.path, "/a");
    EXPECT_TRUE(head.has_body());
}

TEST(Head, LimitsAreReachedBeforeTheyRefuse) {
    const std::string longest = "/" + std::string(kMaxLineBytes - std::string("GET / HTTP/1.1").size(), 'a');
    EXPECT_EQ(read_head(with_target(longest)).refused, 0);
    EXPECT_EQ(read_head(with_target(longest + "a")).refused, 414);
    EXPECT_EQ(read_head(with(fields(63))).refused, 0);
    EXPECT_NE(read_head(with(fields(63))).bytes, 0U);
    const std::string two = kLine + "A: " + std::string(8100, 'a') + "\r\nB: " + std::string(8100, 'b') + "\r\nC: ";
    const std::string full = two + std::string(kMaxHeadBytes - two.size() - 4, 'c') + "\r\n\r\n";
    ASSERT_EQ(full.size(), kMaxHeadBytes);
    EXPECT_EQ(read_head(full).bytes, kMaxHeadBytes) << read_head(full).detail;
    EXPECT_EQ(read_head(two + "c" + full.substr(two.size())).refused, 431);
}

std::string fields_of(const Head& head) {
    std::string all;
    for (const Header& field : head.headers) {
        all += field.name + "=" + field.value + "\n";
    }
    return all;
}

TEST(Head, DecodesNoHeaderValue) {
    const Head head = read_head(with("Idempotency-Key: %41\r\nAuthorization:  Bearer cc%5fa \r\nX-A: b%0d%0aC: 5%\r\n"));
    EXPECT_EQ(head.refused, 0) << head.detail;
    EXPECT_EQ(fields_of(head), "host=a\nidempotency-key=%41\nauthorization=Bearer cc%5fa\nx-a=b%0d%0aC: 5%\n");
}

TEST(Head, ReadsExpectationAndCodings) {
    const Head head = read_head(with("Expect: 100-continue\r\nAccept-Encoding: br, gzip\r\nContent-Encoding: identity\r\n"));
    EXPECT_EQ(head.refused, 0) << head.detail;
    EXPECT_TRUE(head.expects_continue);
    EXPECT_TRUE(head.accepts_gzip);
    EXPECT_FALSE(head.has_body());
    const Head chunked = read_head(with("tRANSFER-eNCODING: cHUNKED\r\n"));
    EXPECT_EQ(chunked.refused, 0) << chunked.detail;
    EXPECT_TRUE(chunked.is_chunked);
    EXPECT_TRUE(chunked.has_body());
}

TEST(Head, TakesTheHostOutOfAnAbsoluteTarget) {
    const struct {
        const char* target;
        const char* path;
        const char* query;
        const char* host;
    } rows[] = {
        {"http://b:81/x%20y?q=1", "/x y", "q=1", "b:81"}, {"HTTPS://b", "/", "", "b"},           {"http://b?q", "/", "q", "b"},
        {"http://[::1]:80/x", "/x", "", "[::1]:80"},      {"/http://b/", "/http://b/", "", "a"},
    };
    for (const auto& row : rows) {
        const Head head = read_head(with_target(row.target));
        EXPECT_EQ(head.refused, 0) << row.target << ": " << head.detail;
        EXPECT_EQ(head.path, row.path) << row.target;
        EXPECT_EQ(head.query, row.query) << row.target;
        EXPECT_EQ(fields_of(head), std::string("host=") + row.host + "\n") << row.target;
    }
}

TEST(Head, KeepsAliveAsVersionAndConnectionSay) {
    EXPECT_TRUE(read_head(kLine + "\r\n").keep_alive);
    EXPECT_TRUE(read_head(with("Connection: keep-alive\r\n")).keep_alive);
    EXPECT_FALSE(read_head(with("Connection: close\r\n")).keep_alive);
    EXPECT_FALSE(read_head(with("connection: x, CLOSE\r\n")).keep_alive);
    EXPECT_FALSE(read_head("GET / HTTP/1.0\r\n\r\n").keep_alive);
}

TEST(Head, WeighsAcceptEncoding) {
    const struct {
        const char* value;
        bool accepts;
    } rows[] = {
        {"gzip", true},
        {"GZIP", true},
        {"deflate, gzip;q=0.5", true},
        {"*", true},
        {"*;q=0, gzip", true},
        {"gzip;q=0.001", true},
        {"x-gzip", true},
        {"", false},
        {"br", false},
        {"gzip;q=0", false},
        {"gzip; q=0.000", false},
        {"gzip ;Q=0", false},
        {"*, gzip;q=0", false},
        {"identity", false},
        {"*;q=0", false},
        {"notgzip", false},
    };
    for (const auto& row : rows) {
        EXPECT_EQ(read_head(with("Accept-Encoding: " + std::string(row.value) + "\r\n")).accepts_gzip, row.accepts) << row.value;
    }
}

TEST(Head, TakesARequestIdOfPlainCharactersOnly) {
    const auto id = [](const std::string& value) { return read_head(with("X-Request-Id: " + value + "\r\n")).client_id; };
    EXPECT_EQ(id("ab-C_1.2"), "ab-C_1.2");
    EXPECT_EQ(id(std::string(64, 'a')), std::string(64, 'a'));
    EXPECT_EQ(id(std::string(65, 'a')), "");
    EXPECT_EQ(id("a b"), "");
    EXPECT_EQ(id("a%41"), "");
    EXPECT_EQ(id("<script>"), "");
    EXPECT_EQ(id(""), "");
}

TEST(Head, TakesAnyMethodThatIsAToken) {
    for (const char* const method : {"BREW", "PRI", "OPTIONS", "get", "M-SEARCH"}) {
        const Head head = read_head(std::string(method) + " /a HTTP/1.1\r\nHost: a\r\n\r\n");
        EXPECT_EQ(head.method, method);
        EXPECT_EQ(head.refused, 0);
    }
}

TEST(Head, NeedsNoHostOfHttp10) {
    EXPECT_EQ(read_head("GET / HTTP/1.0\r\n\r\n").refused, 0);
    EXPECT_EQ(read_head("GET / HTTP/1.1\r\nHost:\r\n\r\n").refused, 0); // empty where there is no authority (RFC 9112 section 3.2)
}

TEST(Head, ReadsParametersInTheirOrder) {
    const struct {
        const char* query;
        std::vector<std::pair<std::string, std::string>> parameters;
    } rows[] = {
        {"", {}},
        {"a=1", {{"a", "1"}}},
        {"b=2&a=1&b=3", {{"b", "2"}, {"a", "1"}, {"b", "3"}}},
        {"A=1&a=2", {{"A", "1"}, {"a", "2"}}},
        {"a", {{"a", ""}}},
        {"a=", {{"a", ""}}},
        {"=1", {{"", "1"}}},
        {"&&a=1&", {{"a", "1"}}},
        {"a=b=c", {{"a", "b=c"}}},
        {"a=?/:@", {{"a", "?/:@"}}},
        {"a+b=c+d", {{"a b", "c d"}}},
        {"a%20b=%2B%26%3d%25", {{"a b", "+&=%"}}},
        {"a%3db=1", {{"a=b", "1"}}},
        {"a=%E2%82%ac", {{"a", "\xE2\x82\xAC"}}},
        {"a=%2541", {{"a", "%41"}}},
    };
    for (const auto& row : rows) {
        std::vector<std::pair<std::string, std::string>> found;
        for (const Header& parameter : read_parameters(row.query)) {
            found.emplace_back(parameter.name, parameter.value);
        }
        EXPECT_EQ(found, row.parameters) << row.query;
    }
}

} // namespace
} // namespace costcurve::http
