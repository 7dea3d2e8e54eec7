// Signatures, pauses, addresses and URLs of webhooks: values only, nothing is sent.
#include "server/outgoing/courier.hpp"

#include <array>

#include <arpa/inet.h>
#include <gtest/gtest.h>

#include "server/documents/public_address.hpp"
#include "server/documents/webhook_url.hpp"
#include "server/outgoing/backoff.hpp"
#include "server/outgoing/sign.hpp"

namespace costcurve::outgoing {
namespace {

// RFC 4231, test cases 1, 2, 3 and 6.
TEST(Signature, IsTheHmacOfThePublishedCases) {
    EXPECT_EQ(hmac_sha256(std::string(20, '\x0b'), "Hi There"), "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    EXPECT_EQ(hmac_sha256("Jefe", "what do ya want for nothing?"),
              "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    EXPECT_EQ(hmac_sha256(std::string(20, '\xaa'), std::string(50, '\xdd')),
              "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe");
    EXPECT_EQ(hmac_sha256(std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First"),
              "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

TEST(Signature, IsOfTheTimeAndTheBody) {
    EXPECT_EQ(signature_of("key", 1795262400, "{}"), "sha256=" + hmac_sha256("key", "1795262400.{}"));
}

TEST(Pauses, GrowToADayOverEightTries) {
    const std::array<double, 7> seconds = {30, 120, 600, 1800, 7200, 21600, 54000}; // 30 s to 15 h, as documented
    double total = 0.0;
    for (int tries = 1; tries <= 7; ++tries) {
        const double expected = seconds.at(static_cast<std::size_t>(tries) - 1);
        for (std::uint64_t seed = 0; seed < 1000; ++seed) {
            const double pause = pause_after(tries, seed).value();
            EXPECT_GE(pause, 0.9 * expected);
            EXPECT_LE(pause, 1.1 * expected);
        }
        total += expected;
    }
    EXPECT_NEAR(total / 3600, 24, 0.5);
    EXPECT_EQ(pause_after(8, 1), std::nullopt);
    EXPECT_EQ(pause_after(0, 1), std::nullopt);
}

TEST(Pauses, DifferBySeedAndAreTheSameForOne) {
    EXPECT_EQ(pause_after(3, 7), pause_after(3, 7));
    EXPECT_NE(pause_after(3, 7), pause_after(3, 8));
    EXPECT_DOUBLE_EQ(pause_after(3, 7, 0.3).value(), pause_after(3, 7).value() / 100);
}

std::string_view judged(const std::string& text) {
    std::array<unsigned char, 16> bytes{};
    const bool v6 = text.find(':') != std::string::npos;
    EXPECT_EQ(inet_pton(v6 ? AF_INET6 : AF_INET, text.c_str(), bytes.data()), 1) << text;
    return documents::not_public(std::span<const unsigned char>(bytes.data(), v6 ? 16 : 4));
}

TEST(Addresses, OfSpecialRangesAreNotPublic) {
    for (const char* text : {"0.0.0.0",
                             "0.1.2.3",
                             "10.0.0.1",
                             "10.255.255.255",
                             "100.64.0.1",
                             "100.127.255.255",
                             "127.0.0.1",
                             "127.9.9.9",
                             "168.63.129.16",
                             "169.254.169.254",
                             "172.16.0.1",
                             "172.31.255.255",
                             "192.0.0.192",
                             "192.0.2.1",
                             "192.168.1.1",
                             "198.18.0.1",
                             "198.19.255.255",
                             "198.51.100.7",
                             "203.0.113.7",
                             "224.0.0.1",
                             "239.255.255.255",
                             "240.0.0.1",
                             "255.255.255.255",
                             "::",
                             "::1",
                             "::7f00:1",
                             "::ffff:127.0.0.1",
                             "::ffff:10.0.0.1",
                             "::ffff:169.254.169.254",
                             "64:ff9b::10.0.0.1",
                             "64:ff9b::7f00:1",
                             "64:ff9b:1::1",
                             "100::1",
                             "2001::1",
                             "2001:db8::1",
                             "2002:7f00:1::",
                             "3fff::1",
                             "fc00::1",
                             "fd00:ec2::254",
                             "fe80::1",
                             "febf::1",
                             "fec0::1",
                             "ff02::1",
                             "4000::1"}) {
        EXPECT_NE(judged(text), "") << text;
    }
}

TEST(Addresses, BesideThemArePublic) {
    for (const char* text :
         {"1.1.1.1",        "9.255.255.255",   "11.0.0.0",        "100.63.255.255",  "100.128.0.0",     "126.255.255.255",
          "128.0.0.0",      "168.63.129.15",   "169.253.255.255", "172.15.255.255",  "172.32.0.0",      "192.167.255.255",
          "192.169.0.0",    "198.17.255.255",  "198.20.0.0",      "223.255.255.255", "2606:4700::1111", "2a00:1450:4001::200e",
          "::ffff:8.8.8.8", "64:ff9b::8.8.8.8"}) {
        EXPECT_EQ(judged(text), "") << text;
    }
}

TEST(Addresses, OfAnotherFamilyAreNotPublic) {
    EXPECT_NE(documents::not_public({}), "");
    EXPECT_NE(documents::not_public(std::array<unsigned char, 6>{}), "");
}

TEST(Urls, AreOfHttpWithAHostAndNothingSecret) {
    for (const char* url : {"http://example.org", "https://example.org:8443/hook?token=x", "HTTP://Example.org/",
                            "http://[2606:4700::1111]/", "http://1.1.1.1/"}) {
        EXPECT_EQ(documents::wrong_with_url(url), "") << url;
    }
    for (const char* url : {"",
                            "example.org",
                            "/hook",
                            "ftp://example.org",
                            "file:///etc/passwd",
                            "http://",
                            "http:///path",
                            "gopher://example.org",
                            "http://user@example.org",
                            "http://user:word@example.org",
                            "http://exa mple.org",
                            "http://example.org:99999",
                            "http://①②⑦.0.0.1/",
                            "http://1.2.3.4.5/",
                            "http://999.1.1.1/",
                            "http://a..b/",
                            "http://example.org:0/",
                            "HTTP:///path",
                            "javascript:alert(1)",
                            "http://example.org/\r\nX: y",
                            "HTTPS//example.org"}) {
        EXPECT_NE(documents::wrong_with_url(url), "") << url;
    }
    EXPECT_NE(documents::wrong_with_url("http://example.org/" + std::string(3000, 'x')), "");
    EXPECT_NE(documents::wrong_with_url(std::string("http://example.org/\0x", 21)), "");
    EXPECT_EQ(documents::wrong_with_url("http://user:word@example.org").find("word@"), std::string::npos);
}

TEST(Urls, OfThisMachineOrAPrivateNetAreKnownWithoutLookingThemUp) {
    for (const char* url : {"http://127.0.0.1/", "http://localhost:1/", "http://LOCALHOST./", "http://a.localhost/",
                            "http://0x7f.1/", "http://2130706433/", "http://10.0.0.1/", "http://[::1]/",
                            "http://[::ffff:10.0.0.1]/", "http://[fe80::1%25eth0]/", "http://169.254.169.254/latest"}) {
        EXPECT_NE(documents::private_host(url), "") << url;
    }
    for (const char* url :
         {"http://example.org/", "http://1.1.1.1/", "http://[2606:4700::1111]/", "http://localhost.example.org/"}) {
        EXPECT_EQ(documents::private_host(url), "") << url;
    }
}

TEST(Urls, AreHiddenButForTheirHost) {
    EXPECT_EQ(documents::hidden_url("https://hooks.example.org:8443/services/T0/x?token=y"), "https://hooks.example.org/(hidden)");
    EXPECT_EQ(documents::hidden_url("none"), "(hidden)");
}

} // namespace
} // namespace costcurve::outgoing
