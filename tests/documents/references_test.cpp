// Where references are looked up: each document is read and decoded once, and what is kept has a limit.
#include "server/documents/references.hpp"

#include <gtest/gtest.h>

#include "server/documents/records.hpp"

namespace costcurve::documents {
namespace {

class Sources : public testing::Test {
protected:
    const Found* find(const std::string& id) { return source.find({storage::Kind::device, id}); }

    int loaded = 0;
    std::size_t points = 1;
    Source source{Load([this](const storage::DocumentKey& key) -> std::optional<storage::Revision> {
        ++loaded;
        if (key.id == "none") {
            return std::nullopt;
        }
        storage::Revision revision;
        revision.record = {key,
                           "",
                           R"({"kind":"gpu","tdp_w":1,"note":"of )" + key.id + "\"}",
                           {{"/power", std::vector(points, 0.0), std::vector(points, 0.0)}},
                           {},
                           {}};
        revision.revision = 7;
        revision.recorded_at = "2026-11-21T12:00:00.000000Z";
        return revision;
    })};
};

TEST_F(Sources, ReadADocumentOnce) {
    const Found* const found = find("gpu");
    ASSERT_NE(found, nullptr);
    const auto& device = std::get<model::Device>(found->document);
    EXPECT_EQ(device.id, "gpu");
    EXPECT_EQ(device.note, "of gpu");
    EXPECT_EQ(device.stored.revision, 7);
    EXPECT_EQ(device.stored.recorded_at, "2026-11-21T12:00:00.000000Z");
    EXPECT_FALSE(device.stored.is_reference);
    EXPECT_EQ(found->points, 1U);
    EXPECT_EQ(find("gpu"), found);
    EXPECT_EQ(loaded, 1);
    EXPECT_EQ(std::get<model::Device>(find("tpu")->document).note, "of tpu");
    EXPECT_EQ(loaded, 2);
}

TEST_F(Sources, KnowWhatIsNotThere) { EXPECT_EQ(find("none"), nullptr); }

TEST_F(Sources, KeepNoMoreThanAMillionPoints) {
    points = 400'000;
    static_cast<void>(find("a"));
    static_cast<void>(find("b"));
    static_cast<void>(find("a"));
    EXPECT_EQ(loaded, 2);
    static_cast<void>(find("c")); // now a and b are forgotten
    static_cast<void>(find("c"));
    EXPECT_EQ(loaded, 3);
    static_cast<void>(find("a"));
    EXPECT_EQ(loaded, 4);
}

model::ScenarioDocument scenario_with(double price) {
    model::ScenarioDocument scenario;
    model::Pool pool;
    pool.offer.emplace();
    pool.offer->id = "offer";
    pool.offer->provider = "p";
    pool.offer->device.id = "gpu";
    pool.offer->device.tdp_w = 1.0;
    pool.offer->device.note = "of gpu";
    pool.offer->hourly_price.number = price;
    scenario.pools = {pool};
    return scenario;
}

TEST(References, TakeThePlaceOfWhatIsStoredWithTheSameContent) {
    model::Offer stored = *scenario_with(2.0).pools[0].offer;
    stored.device = {}; // where it is stored it refers to its device
    stored.device.id = "gpu";
    stored.device.stored.is_reference = true;
    std::vector<storage::Record> records = {encode_record(stored, "offer"),
                                            encode_record(scenario_with(2.0).pools[0].offer->device, "gpu")};
    Source source(Load([&](const storage::DocumentKey& key) -> std::optional<storage::Revision> {
        for (const storage::Record& record : records) {
            if (record.key == key) {
                storage::Revision revision;
                revision.record = record;
                return revision;
            }
        }
        return std::nullopt;
    }));
    model::ScenarioDocument same = scenario_with(2.0);
    put_references(same, source);
    EXPECT_TRUE(same.pools[0].offer->stored.is_reference);
    EXPECT_EQ(same.pools[0].offer->id, "offer");
    EXPECT_EQ(same.pools[0].offer->provider, "");

    model::ScenarioDocument edited = scenario_with(3.0);
    put_references(edited, source);
    EXPECT_FALSE(edited.pools[0].offer->stored.is_reference) << "it says something else";
    EXPECT_EQ(edited.pools[0].offer->hourly_price.number, 3.0);
    EXPECT_TRUE(edited.pools[0].offer->device.stored.is_reference);

    model::ScenarioDocument other = scenario_with(2.0);
    other.pools[0].offer->id = "another";
    put_references(other, source);
    EXPECT_FALSE(other.pools[0].offer->stored.is_reference) << "nothing is stored under its id";
}

} // namespace
} // namespace costcurve::documents
