// Canonical texts without defaults, and bodies of earlier encodings.
#include "server/documents/records.hpp"

#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "server/documents/encode.hpp"
#include "server/documents/json/parsed_json.hpp"
#include "tests/api/samples.hpp"

namespace costcurve::documents {
namespace {

AnyDocument read(storage::Kind kind, std::string_view text) {
    Decoded<AnyDocument> decoded = decode_document(kind, *parse_json(text));
    EXPECT_TRUE(decoded.issues.empty()) << text;
    return std::move(decoded.document);
}

// The record as version 1 wrote it: with every default.
storage::Record record_of_version_1(const storage::Record& record) {
    storage::Record old = record;
    storage::Revision revision;
    revision.record = record;
    revision.record.series.clear();
    for (storage::Series series : record.series) {
        revision.record.series.push_back({series.pointer, {0.0}, {1.0}});
    }
    nlohmann::json body = nlohmann::json::parse(encode_document(decode_revision(revision)));
    for (const storage::Series& series : record.series) {
        body[nlohmann::json::json_pointer(series.pointer)]["points"] = nlohmann::json::array();
    }
    old.body = body.dump();
    old.encoding = 1;
    return old;
}

constexpr std::string_view kOffer = R"({"id":"o","provider":"p","device":"nvidia.t4","devices":1,"purchase":"on_demand",
    "hourly_price":{"kind":"price","axis":"date","points":[["2026-01-01",2],["2026-02-01",3]]},"upfront":0,"currency":"USD"})";

TEST(CanonicalText, LeavesOutDefaultsButNoRequiredField) {
    EXPECT_EQ(encode_canonical(read(storage::Kind::device, R"({"kind":"gpu","tdp_w":70,"idle_w":0,"frameworks":[]})")),
              R"({"kind":"gpu","tdp_w":70})");
    EXPECT_EQ(encode_canonical(read(storage::Kind::server, R"({"device":"d","devices":1,"price":0,"life_months":48})")),
              R"({"device":"d","devices":1,"price":0,"life_months":48})");
    EXPECT_EQ(encode_canonical(read(storage::Kind::site, R"({"energy_price":0,"pue":1,"time_zone":"UTC","carbon_g_per_kwh":0})")),
              R"({"energy_price":0,"carbon_g_per_kwh":0})")
        << "0 that is written is known";
    EXPECT_EQ(encode_canonical(
                  read(storage::Kind::curve,
                       R"({"kind":"price","axis":"date","interpolation":"linear","outside":"hold","points":[["2026-01-01",2]]})")),
              R"({"kind":"price","axis":"date","points":[["2026-01-01",2]]})");
}

TEST(CanonicalText, KeepsWhatOtherFieldsMeanNothingWithout) {
    EXPECT_EQ(encode_canonical(read(storage::Kind::performance, R"({"devices":1,"units_per_s":5,"basis":"measured"})")),
              R"({"devices":1,"units_per_s":5})");
}

TEST(CanonicalText, KeepsAnEmptyTextWhereTheDefaultIsNone) {
    EXPECT_EQ(encode_canonical(read(storage::Kind::site, R"({"energy_price":0,"time_zone":""})")),
              R"({"time_zone":"","energy_price":0})");
}

TEST(CanonicalText, ReadsBackAsTheDocument) {
    for (const nlohmann::json& document : {tests::smallest(), tests::mixed()}) {
        const auto scenario = tests::complete_scenario(document);
        ASSERT_TRUE(scenario);
        const std::string canonical = encode_canonical(*scenario);
        EXPECT_LT(canonical.size(), encode_scenario(*scenario).size());
        const auto again = tests::complete_scenario(nlohmann::json::parse(canonical));
        ASSERT_TRUE(again);
        EXPECT_EQ(encode_scenario(*again), encode_scenario(*scenario));
        EXPECT_EQ(encode_canonical(*again), canonical);
    }
}

TEST(Records, AreOfTheNewestEncodingWithoutDefaults) {
    const storage::Record record = encode_record(read(storage::Kind::offer, kOffer), "o");
    EXPECT_EQ(record.encoding, kEncoding);
    EXPECT_EQ(record.body, R"({"id":"o","provider":"p","device":"nvidia.t4","devices":1,"purchase":"on_demand",)"
                           R"("hourly_price":{"kind":"price","axis":"date","points":[]},"currency":"USD"})");
}

TEST(Records, KeepABodyOfAnEarlierEncodingThatSaysTheSame) {
    const storage::Record record = encode_record(read(storage::Kind::offer, kOffer), "o");
    const storage::Record old = record_of_version_1(record);
    ASSERT_NE(old.body, record.body);
    EXPECT_TRUE(record.equals_older_body(old, record));
}

TEST(Records, TakeTheirOwnBodyWhereTheStoredOneSaysSomethingElse) {
    const storage::Record record = encode_record(read(storage::Kind::offer, kOffer), "o");
    storage::Record other = record_of_version_1(record);
    nlohmann::json body = nlohmann::json::parse(other.body);
    body["upfront"] = 5;
    other.body = body.dump();
    EXPECT_FALSE(record.equals_older_body(other, record));
    body["upfront"] = 0;
    body["of_another_version"] = 1;
    other.body = body.dump();
    EXPECT_FALSE(record.equals_older_body(other, record)) << "a field that is not known would be kept";
    other.body = "{";
    EXPECT_FALSE(record.equals_older_body(other, record)) << "what can't be read";
}

} // namespace
} // namespace costcurve::documents
