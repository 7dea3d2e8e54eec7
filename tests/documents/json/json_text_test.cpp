// The writer: escapes, the shortest number that reads back the same, commas at every nesting; JSON Pointers.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <limits>
#include <optional>
#include <random>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "server/documents/json/json_text.hpp"

namespace {

using costcurve::join_pointer;
using costcurve::JsonWriter;
using nlohmann::json;
using namespace std::string_literals;

std::string written(double number) {
    JsonWriter out;
    out.value(number);
    return out.take();
}

std::string written(const std::string& text) {
    JsonWriter out;
    out.value(text);
    return out.take();
}

TEST(JsonWriter, WritesEmptyAndNestedContainersWithTheirCommas) {
    JsonWriter out;
    out.begin_object();
    out.key("a").begin_array().end_array();
    out.key("b").begin_object().end_object();
    out.key("c")
        .begin_array()
        .value(1)
        .value(2)
        .begin_array()
        .value(true)
        .null()
        .end_array()
        .begin_object()
        .member("d", "x")
        .end_object();
    out.value(false).end_array();
    out.member("e", 1.5).member("f", "text").member("g", 7).member("h", true);
    out.key("i").null().key("j").raw("[0]").key("k").begin_array().begin_array().end_array().begin_array().end_array().end_array();
    out.end_object();
    EXPECT_EQ(
        out.text(),
        R"({"a":[],"b":{},"c":[1,2,[true,null],{"d":"x"},false],"e":1.5,"f":"text","g":7,"h":true,"i":null,"j":[0],"k":[[],[]]})");
    EXPECT_TRUE(json::accept(out.text()));
}

// An exception, which ends the request, and not the daemon.
TEST(JsonWriter, ThrowsAtANumberThatIsNotFinite) {
    JsonWriter out;
    EXPECT_THROW(out.value(std::numeric_limits<double>::infinity()), std::logic_error);
    EXPECT_THROW(out.value(std::numeric_limits<double>::quiet_NaN()), std::logic_error);
}

TEST(JsonWriter, WritesAMissingValueAsNull) {
    JsonWriter out;
    out.begin_object()
        .member("a", std::optional<double>())
        .member("b", std::optional<double>(2))
        .member("c", std::optional<std::string>());
    out.member("d", std::optional<std::string>(""))
        .member("e", std::optional<int>(0))
        .member("f", std::optional<bool>(false))
        .end_object();
    EXPECT_EQ(out.text(), R"({"a":null,"b":2,"c":null,"d":"","e":0,"f":false})");
}

// Bodies of megabytes are not copied once more at their end; short ones, which may be kept for long, keep no room.
TEST(JsonWriter, HandsItsTextOverWhereItFillsTheRoom) {
    JsonWriter out;
    out.value(std::string(1000000, 'a'));
    const char* const written = out.text().data();
    EXPECT_EQ(out.take().data(), written);

    JsonWriter small;
    small.value(1);
    EXPECT_LT(small.take().capacity(), 100U);
}

TEST(JsonWriter, EscapesEveryByteThatJsonAsksFor) {
    for (int byte = 0; byte < 0x80; ++byte) {
        const std::string text = "a" + std::string(1, static_cast<char>(byte)) + "b";
        const std::string out = written(text);
        EXPECT_EQ(json::parse(out).get<std::string>(), text) << byte;
        for (const char c : out) {
            EXPECT_GE(static_cast<unsigned char>(c), 0x20) << byte;
        }
    }
    EXPECT_EQ(written("\"\\/"s), R"("\"\\/")");
    EXPECT_EQ(written("\n"s), R"("\u000a")");
    EXPECT_EQ(written("\0"s), R"("\u0000")");
    EXPECT_EQ(written("é€😀"s), "\"é€😀\"");
    EXPECT_EQ(written(""s), "\"\"");
}

// Texts are looked through eight bytes at a time: none of their places or neighbours may hide a byte.
TEST(JsonWriter, EscapesAByteWhereverItStands) {
    constexpr std::size_t kLongest = 20;
    for (const char filler : {' ', '!', '#', '[', ']', 'a', '\x7f', '\xff'}) {
        for (std::size_t size = 1; size <= kLongest; ++size) {
            for (std::size_t place = 0; place < size; ++place) {
                for (int byte = 0; byte < 256; ++byte) {
                    std::string text(size, filler);
                    text[place] = static_cast<char>(byte);
                    char escaped[16] = {text[place], '\0'};
                    if (byte < 0x20) {
                        std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(byte));
                    } else if (byte == '"' || byte == '\\') {
                        std::snprintf(escaped, sizeof escaped, "\\%c", byte);
                    }
                    const std::string expected = "\"" + text.substr(0, place) + escaped + text.substr(place + 1) + "\"";
                    ASSERT_EQ(written(text), expected) << size << " " << place << " " << byte;
                }
            }
        }
    }
}

TEST(JsonWriter, EscapesKeysLikeText) {
    JsonWriter out;
    out.begin_object().member("a\"b\n", 1).member("", 2).end_object();
    const json read = json::parse(out.text());
    EXPECT_EQ(read.at("a\"b\n"), 1);
    EXPECT_EQ(read.at(""), 2);
}

TEST(JsonWriter, WritesNumbersInTheirShortestForm) {
    const struct {
        double number;
        const char* text;
    } rows[] = {
        {0, "0"},
        {1, "1"},
        {-1, "-1"},
        {0.1, "0.1"},
        {0.1 + 0.2, "0.30000000000000004"},
        {1.0 / 3, "0.3333333333333333"},
        {744, "744"},
        {123456789, "123456789"},
        {999999999999999, "999999999999999"},
        {1e15, "1e+15"},
        {2.5e20, "2.5e+20"},
        {5e-324, "5e-324"},
        {1.7976931348623157e308, "1.7976931348623157e+308"},
        {1e-7, "1e-07"},
        {-2.5, "-2.5"},
    };
    for (const auto& row : rows) {
        EXPECT_EQ(written(row.number), row.text);
    }
}

TEST(JsonWriter, WritesNumbersThatReadBackBitForBit) {
    const unsigned seed = 20261121;
    std::mt19937_64 random(seed);
    for (int i = 0; i < 200000; ++i) {
        const std::uint64_t bits = random();
        double number = 0;
        std::memcpy(&number, &bits, sizeof number);
        if (i % 4 == 1) {
            number = static_cast<double>(static_cast<std::int64_t>(bits) >> (i % 63));
        }
        if (i % 4 == 2) {
            number = static_cast<double>(bits >> 40) / 1000;
        }
        if (!std::isfinite(number)) {
            continue;
        }
        const std::string text = written(number);
        const double back = std::strtod(text.c_str(), nullptr);
        ASSERT_EQ(back, number) << text << " seed " << seed << " number " << i;
        ASSERT_EQ(json::parse(text).get<double>(), number) << text;
        ASSERT_LE(text.size(), 24U) << text;
    }
}

TEST(JsonWriter, NeverWritesANegativeZeroThatReadersTakeForText) {
    const std::string text = written(-0.0);
    EXPECT_TRUE(text == "0" || text == "-0" || text == "-0.0") << text;
}

TEST(JsonWriter, WritesIntegersAtTheirLimits) {
    JsonWriter out;
    out.begin_array().value(std::numeric_limits<int>::min()).value(std::numeric_limits<int>::max()).end_array();
    EXPECT_EQ(out.text(), "[-2147483648,2147483647]");
}

TEST(JoinPointer, EscapesTildeAndSlash) {
    EXPECT_EQ(join_pointer("", "a"), "/a");
    EXPECT_EQ(join_pointer("/a", "b"), "/a/b");
    EXPECT_EQ(join_pointer("/a", ""), "/a/");
    EXPECT_EQ(join_pointer("", "a/b"), "/a~1b");
    EXPECT_EQ(join_pointer("", "m~n"), "/m~0n");
    EXPECT_EQ(join_pointer("", "~1"), "/~01");
    EXPECT_EQ(join_pointer("/x", "~/~/"), "/x/~0~1~0~1");
    EXPECT_EQ(json::json_pointer(join_pointer("/x", "~1/é")).back(), "~1/é");
}

} // namespace
