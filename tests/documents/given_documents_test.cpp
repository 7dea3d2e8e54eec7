// Documents of files as a snapshot: they are found, listed by kind in pages, and read at a day; each stands once.
#include "server/documents/given_documents.hpp"

#include <gtest/gtest.h>

#include "server/documents/document_files.hpp"
#include "server/documents/references.hpp"

namespace costcurve::documents {
namespace {

constexpr std::string_view kFile = R"({
    "devices": [{"id": "a", "kind": "gpu", "tdp_w": 1}, {"id": "b", "kind": "gpu", "tdp_w": 2},
                {"id": "c", "kind": "gpu", "tdp_w": 3}],
    "curves": [{"id": "p", "kind": "price", "axis": "date", "interpolation": "step",
                "points": [["1970-01-11", 4], ["1970-01-21", 8]]}]
})";

std::unique_ptr<storage::Snapshot> given() {
    DocumentImport documents;
    EXPECT_TRUE(documents.read(kFile, "prices").empty());
    return *std::move(documents).snapshot();
}

TEST(GivenDocuments, AreFoundAsOfAStore) {
    Source source(given());
    EXPECT_FALSE(source.is_nowhere());
    const Found* const found = source.find({storage::Kind::device, "b"});
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(std::get<model::Device>(found->document).id, "b");
    EXPECT_EQ(std::get<model::Device>(found->document).stored.revision, 1);
    EXPECT_EQ(source.find({storage::Kind::curve, "b"}), nullptr);
    EXPECT_EQ(source.find({storage::Kind::device, "d"}), nullptr);
}

TEST(GivenDocuments, AreListedByKindInPages) {
    const auto snapshot = given();
    storage::ListQuery query;
    query.kind = storage::Kind::device;
    query.limit = 2;
    const storage::Page first = snapshot->list(query);
    ASSERT_EQ(first.items.size(), 2U);
    EXPECT_TRUE(first.more);
    EXPECT_EQ(first.items[1].record.key.id, "b");
    query.after = "b";
    const storage::Page second = snapshot->list(query);
    ASSERT_EQ(second.items.size(), 1U);
    EXPECT_FALSE(second.more);
    EXPECT_EQ(second.items[0].record.key.id, "c");
    std::size_t visited = 0;
    snapshot->for_each([&](const storage::Revision& /*revision*/) { ++visited; });
    EXPECT_EQ(visited, 4U);
}

TEST(GivenDocuments, AreReadAtADay) {
    const auto snapshot = given();
    const storage::DocumentKey key{storage::Kind::curve, "p"};
    EXPECT_EQ(snapshot->value_at(key, "", 9), std::nullopt);
    EXPECT_EQ(snapshot->value_at(key, "", 10), 4);
    EXPECT_EQ(snapshot->value_at(key, "", 19.5), 4);
    EXPECT_EQ(snapshot->value_at(key, "", 100), 8);
    EXPECT_EQ(snapshot->value_at(key, "/other", 100), std::nullopt);
    EXPECT_EQ(snapshot->value_at({storage::Kind::curve, "q"}, "", 100), std::nullopt);
}

TEST(GivenDocuments, StandOnce) {
    DocumentImport documents;
    EXPECT_TRUE(documents.read(kFile, "prices").empty());
    EXPECT_TRUE(documents.read(kFile, "prices again").empty());
    const auto snapshot = std::move(documents).snapshot();
    ASSERT_FALSE(snapshot);
    EXPECT_NE(snapshot.error().front().message.find("curve p stands twice"), std::string::npos) << snapshot.error().front().message;
}

} // namespace
} // namespace costcurve::documents
