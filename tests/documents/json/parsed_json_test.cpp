// Hostile and odd JSON against the parser: what is read, what is refused, and that nothing else happens.
#include <cmath>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "server/documents/json/parsed_json.hpp"

namespace {

using costcurve::parse_json;
using nlohmann::json;
using namespace std::string_literals;

std::string nested(int levels, const std::string& inside = "") {
    return std::string(static_cast<std::size_t>(levels), '[') + inside + std::string(static_cast<std::size_t>(levels), ']');
}

std::string nested_objects(int levels) {
    std::string text;
    for (int i = 0; i < levels; ++i) {
        text += R"({"a":)";
    }
    return text + "1" + std::string(static_cast<std::size_t>(levels), '}');
}

TEST(ParseJson, ReadsThirtyTwoLevelsAndRefusesTheThirtyThird) {
    ASSERT_EQ(costcurve::kMaxDepth, 32);
    for (const int levels : {1, 31, 32}) {
        EXPECT_TRUE(parse_json(nested(levels))) << levels;
        EXPECT_TRUE(parse_json(nested(levels, "1"))) << levels;
        EXPECT_TRUE(parse_json(nested_objects(levels))) << levels;
    }
    for (const int levels : {33, 34, 1000}) {
        const auto arrays = parse_json(nested(levels));
        ASSERT_FALSE(arrays) << levels;
        EXPECT_NE(arrays.error().message.find("32"), std::string::npos) << arrays.error().message;
        EXPECT_FALSE(parse_json(nested_objects(levels))) << levels;
    }
}

TEST(ParseJson, CountsLevelsNotContainers) {
    std::string wide = "[";
    for (int i = 0; i < 1000; ++i) {
        wide += (i == 0 ? "" : ",") + nested(31);
    }
    EXPECT_TRUE(parse_json(wide + "]"));
}

TEST(ParseJson, RefusesAMillionBracketsWithoutRecursion) {
    const std::size_t million = 1000000;
    std::string mixed;
    for (std::size_t i = 0; i < million / 2; ++i) {
        mixed += R"([{"a":)";
    }
    for (const std::string& text :
         {std::string(million, '['), std::string(million, '{'), std::string(million, ']'), nested(1000000), mixed}) {
        const auto parsed = parse_json(text);
        ASSERT_FALSE(parsed);
        EXPECT_FALSE(parsed.error().message.empty());
        EXPECT_LT(parsed.error().message.size(), 300U);
    }
}

TEST(ParseJson, RefusesAKeyThatStandsTwice) {
    for (const std::string text :
         {R"({"a":1,"a":1})", R"({"a":1,"b":2,"a":3})", R"([{"x":{"k":[],"k":{}}}])", R"({"":1,"":2})", R"({"a":1,"\u0061":2})"}) {
        const auto parsed = parse_json(text);
        ASSERT_FALSE(parsed) << text;
        EXPECT_NE(parsed.error().message.find("twice"), std::string::npos) << parsed.error().message;
    }
    EXPECT_TRUE(parse_json(R"([{"a":1},{"a":1}])")) << "two objects may share a key";
    EXPECT_TRUE(parse_json(R"({"a":{"a":{"a":1}}})"));
    EXPECT_TRUE(parse_json(R"({"a":1,"A":2})"));
}

TEST(ParseJson, NamesADoubledKeyOfAnyLengthInAShortMessage) {
    const std::string key(100000, 'k');
    const auto parsed = parse_json("{\"" + key + "\":1,\"" + key + "\":2}");
    ASSERT_FALSE(parsed);
    EXPECT_LT(parsed.error().message.size(), 300U);
}

TEST(ParseJson, RefusesNumbersBeyondADouble) {
    for (const std::string text : {"1e999", "-1e999", "[1,1e309]", R"({"a":1e400})",
                                   "1"
                                   "e99999999999999999999"}) {
        const auto parsed = parse_json(text);
        ASSERT_FALSE(parsed) << text;
        EXPECT_NE(parsed.error().message.find("number"), std::string::npos) << parsed.error().message;
    }
    const std::string digits(400, '9'); // 1e400 in digits
    EXPECT_FALSE(parse_json(digits));
}

TEST(ParseJson, ReadsNumbersAtTheEdges) {
    const struct {
        const char* text;
        double value;
    } rows[] = {
        {"0", 0.0},
        {"-0", 0.0},
        {"-0.0", -0.0},
        {"18446744073709551615", 18446744073709551615.0}, // 2^64 - 1
        {"18446744073709551617", 18446744073709551616.0}, // 2^64 + 1, to the nearest double
        {"-9223372036854775809", -9223372036854775808.0}, // -2^63 - 1
        {"1e308", 1e308},
        {"1.7976931348623157e308", 1.7976931348623157e308},
        {"1e-999", 0.0}, // below the smallest is 0, not an error
        {"5e-324", 5e-324},
        {"0.1", 0.1},
        {"1E+2", 100.0},
    };
    for (const auto& row : rows) {
        const auto parsed = parse_json(row.text);
        ASSERT_TRUE(parsed) << row.text;
        ASSERT_TRUE(parsed->is_number()) << row.text;
        EXPECT_EQ(parsed->get<double>(), row.value) << row.text;
    }
}

TEST(ParseJson, RefusesWhatIsNotJson) {
    const std::string texts[] = {
        "",           " ",           "\n\t",        "NaN",       "[NaN]",    "Infinity", "-Infinity", "nan",        "{\"a\":NaN}",
        "undefined",  "True",        "nul",         "tru",       "'a'",      "{a:1}",    "[1,]",      "{\"a\":1,}", "[,1]",
        "[1 2]",      "{\"a\" 1}",   "{\"a\"}",     "{1:2}",     "01",       "+1",       ".5",        "5.",         "1e",
        "0x10",       "1_000",       "--1",         "\"",        "\"a",      "[",        "{",         "]",          "}",
        "{]",         "[}",          "[1}",         "{\"a\":1]", "/* c */1", "1 // c",   "# c",       "\"a\nb\"",   "\"\t\"",
        "\"\\x41\"",  "\"\\u12\"",   "\"\\u12G4\"", "\"\\\"",    "1 2",      "{} {}",    "[] x",      "{}}",        "null,",
        "true false", "\"a\" \"b\"",
    };
    for (const std::string& text : texts) {
        const auto parsed = parse_json(text);
        ASSERT_FALSE(parsed) << "read: " << text;
        EXPECT_FALSE(parsed.error().message.empty()) << text;
    }
}

TEST(ParseJson, ReadsSpaceAroundADocumentAndEveryKindOfValue) {
    for (const std::string text : {" \r\n\t{} \n", "null", "true", "\"\"", "[]", "[null,true,false,1,\"a\",{},[]]", "-1.5e-3"}) {
        EXPECT_TRUE(parse_json(text)) << text;
    }
}

TEST(ParseJson, RefusesANulByteAnywhere) {
    const std::string texts[] = {"\0"s,       "\0{}"s, "{}\0"s,     "{}\0{}"s,     "{}\0garbage"s,
                                 "[1,\0 2]"s, "1\0"s,  "\"a\0b\""s, "{\"a\0\":1}"s};
    for (const std::string& text : texts) {
        EXPECT_FALSE(parse_json(text)) << "read: " << json(text).dump();
    }
    const auto escaped = parse_json(R"("a\u0000b")");
    ASSERT_TRUE(escaped) << "an escaped NUL is JSON";
    EXPECT_EQ(escaped->get<std::string>(), "a\0b"s);
}

TEST(ParseJson, RefusesInvalidUtf8) {
    const std::string bytes[] = {"\x80",
                                 "\xff",
                                 "\xfe",
                                 "\xc0\x80",
                                 "\xc1\xbf",
                                 "\xe0\x80\x80",
                                 "\xed\xa0\x80",
                                 "\xed\xbf\xbf",
                                 "\xf0\x80\x80\x80",
                                 "\xf4\x90\x80\x80",
                                 "\xf8\x88\x80\x80\x80",
                                 "\xc3",
                                 "\xe2\x82",
                                 "\xf0\x9f\x98",
                                 "\xc3\x28",
                                 "a\xe9z"};
    for (const std::string& wrong : bytes) {
        for (const std::string& text : {"\"" + wrong + "\"", "{\"" + wrong + "\":1}", "[\"" + wrong + "\"]", wrong, "{}" + wrong}) {
            const auto parsed = parse_json(text);
            ASSERT_FALSE(parsed) << json(text).dump(-1, ' ', true, json::error_handler_t::replace);
            EXPECT_TRUE(json(parsed.error().message).dump().size() > 0) << "the message itself must be UTF-8";
        }
    }
    EXPECT_TRUE(parse_json("\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80 \xef\xbf\xbf\xf4\x8f\xbf\xbf\""));
}

TEST(ParseJson, KeepsADoubledKeysMessageInUtf8WhenItIsCut) {
    std::string key = "k"; // 100 bytes fall inside a character of two bytes
    for (int i = 0; i < 100; ++i) {
        key += "\xc3\xa9";
    }
    const auto parsed = parse_json("{\"" + key + "\":1,\"" + key + "\":2}");
    ASSERT_FALSE(parsed);
    EXPECT_NO_THROW((void)json(parsed.error().message).dump()) << "the message is sent in a JSON body";
}

TEST(ParseJson, RefusesLoneSurrogates) {
    for (const std::string text : {R"("\ud800")", R"("\udc00")", R"("\ud800\ud800")", R"("\ud800x")", R"("\udc00\ud800")",
                                   R"({"\ud83d":1})", R"("\uD83D\n")"}) {
        EXPECT_FALSE(parse_json(text)) << text;
    }
    const auto pair = parse_json(R"("\ud83d\ude00")");
    ASSERT_TRUE(pair);
    EXPECT_EQ(pair->get<std::string>(), "\xf0\x9f\x98\x80");
}

// RFC 8259, section 8.1: a reader may ignore a byte order mark. Ignored whole, or refused; never read as something else.
TEST(ParseJson, IgnoresAWholeByteOrderMarkAndRefusesOthers) {
    const auto parsed = parse_json("\xef\xbb\xbf{\"a\":1}");
    if (parsed) {
        EXPECT_EQ(*parsed, json::parse(R"({"a":1})"));
    }
    for (const std::string& text : {"\xef\xbb{}"s, "\xef{}"s, "\xff\xfe{\0}\0"s, "\xfe\xff\0{\0}"s, "{}\xef\xbb\xbf"s,
                                    "[\xef\xbb\xbf]"s, "\xef\xbb\xbf"s, "\xef\xbb\xbf\xef\xbb\xbf{}"s}) {
        EXPECT_FALSE(parse_json(text));
    }
}

TEST(ParseJson, ReadsTenMegabytesOfText) {
    const std::string text(10 << 20, 'x');
    const auto parsed = parse_json("{\"note\":\"" + text + "\"}");
    ASSERT_TRUE(parsed);
    EXPECT_EQ(parsed->at("note").get_ref<const std::string&>().size(), text.size());
}

TEST(ParseJson, SaysWhereATextStopsBeingJson) {
    const auto parsed = parse_json("{\"a\": 1, \"b\": ?}");
    ASSERT_FALSE(parsed);
    EXPECT_NE(parsed.error().message.find("15"), std::string::npos) << parsed.error().message;
    for (const std::string word : {"nlohmann", "exception", "json.exception", "parse_error", "sax"}) {
        EXPECT_EQ(parsed.error().message.find(word), std::string::npos) << "internal: " << parsed.error().message;
    }
}

TEST(ParseJson, KeepsMembersThatFollowLongArrays) { // values land where they belong when containers grow
    std::string text = R"({"first":[)";
    for (int i = 0; i < 5000; ++i) {
        text += (i == 0 ? "" : ",") + fmt::format(R"({{"i":{},"inner":[{}]}})", i, i);
    }
    text += R"(],"last":{"x":[1,[2,{"y":3}]],"z":4}})";
    const auto parsed = parse_json(text);
    ASSERT_TRUE(parsed);
    EXPECT_EQ(*parsed, json::parse(text));
}

// Short texts are read by another parser than long ones: both give the same values.
TEST(ParseJson, ReadsAsNlohmannDoes) {
    const std::string texts[] = {
        R"({"":{},"a":[],"b":[[],{}],"c":[null,true,false,"","é€😀"]})",
        R"([0,-0,-0.0,1,-1,1.0,1e2,-1E-2,9223372036854775807,-9223372036854775808,9223372036854775808,18446744073709551615])",
        R"([5e-324,2.2250738585072011e-308,1.7976931348623157e308,0.1,123456789012345678901234567890,1e-999])",
        "\n\t [ 1 , { \"a\" : 2 } ]\r\n ",
        R"("text")",
        "\"\x7f\"",
        R"({"b":1,"a":{"d":2,"c":[3,{"f":4,"e":5}]}})",
        R"(["\"\\\/\b\f\n\r\t\u0000\u00e9\ud83d\ude00", "\u2028"])",
    };
    for (const std::string& text : texts) {
        const json expected = json::parse(text);
        const std::string after_many_bytes = R"([")" + std::string(300'000, ' ') + R"(",)" + text + "]";
        for (const std::string& longer : {text, after_many_bytes}) {
            const auto parsed = parse_json(longer);
            ASSERT_TRUE(parsed) << text;
            const json& value = longer == text ? *parsed : parsed->at(1);
            EXPECT_EQ(value.dump(), expected.dump());
            EXPECT_EQ(value, expected);
            EXPECT_EQ(json::to_cbor(value), json::to_cbor(expected)) << "kinds of numbers: " << text;
        }
    }
}

// The values of an object stand by name, whatever the text's order; what is asked for of another type is empty.
TEST(JsonValue, FindsMembersByName) {
    const auto parsed = costcurve::parse(R"({"b":1,"":true,"a":[-2,"x",{"k":null}],"é":0.5})");
    ASSERT_TRUE(parsed);
    const costcurve::JsonValue& object = **parsed;
    std::string names;
    for (const costcurve::JsonMember& member : object.members()) {
        names += fmt::format("<{}>", member.name);
    }
    EXPECT_EQ(names, "<><a><b><é>");
    EXPECT_EQ(object.find("b")->whole(), 1U);
    EXPECT_TRUE(object.find("")->boolean());
    EXPECT_EQ(object.find("é")->number(), 0.5);
    EXPECT_EQ(object.find("c"), nullptr);
    EXPECT_EQ(object.find("aa"), nullptr);
    const costcurve::JsonValue& array = *object.find("a");
    ASSERT_EQ(array.size(), 3U);
    EXPECT_EQ(array[0].number(), -2);
    EXPECT_FALSE(array[0].is_whole());
    EXPECT_EQ(array[1].text(), "x");
    EXPECT_TRUE(array[2].contains("k"));
    EXPECT_TRUE(array[2].find("k")->is_null());

    EXPECT_TRUE(array.members().empty());
    EXPECT_EQ(array.find("k"), nullptr);
    EXPECT_TRUE(object.entries().empty());
    EXPECT_EQ(array[1].number(), 0);
    EXPECT_EQ(object.text(), "");
}

// Another form of the same number is the same: 1.0 is written 1, -0 is written 0.
TEST(JsonValue, DumpsTextThatReadsTheSame) {
    for (const std::string text : {R"({"":{},"a":[],"b":[[],{}],"c":[null,true,false,"","é\u0001\"\\/"]})",
                                   "[0,1,-1,0.5,1e300,5e-324,9223372036854775807,-9223372036854775808,18446744073709551615]",
                                   R"("text")", "-0.25", "null"}) {
        const std::string dumped = (*costcurve::parse(text))->dump();
        EXPECT_EQ(json::parse(dumped), json::parse(text)) << dumped;
        EXPECT_EQ((*costcurve::parse(dumped))->dump(), dumped);
    }
    EXPECT_EQ((*costcurve::parse("[1.0, -0.0, 18446744073709551615]"))->dump(), "[1,0,18446744073709551615]");
}

TEST(ParsedJson, OfATreeIsThatTree) {
    const json trees[] = {
        json::object(), json::array(), nullptr, "", -1, json::parse(R"({"b":[1,-1,1.5,"x",true,null,{}],"a":{"c":[]}})")};
    for (const json& tree : trees) {
        costcurve::ParsedJson parsed(tree);
        const costcurve::ParsedJson moved = std::move(parsed);
        EXPECT_EQ(json::to_cbor(moved->tree()), json::to_cbor(tree)) << tree;
    }
}

} // namespace
