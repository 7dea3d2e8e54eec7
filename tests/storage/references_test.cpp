// Deletions, references and the audit: what may be deleted, what may be referred to, and by which author.
#include "tests/storage/sample_store.hpp"

namespace costcurve::storage::test {
namespace {

using Keys = std::vector<DocumentKey>;

Record pointing(Kind kind, const std::string& id, Keys references) { return {{kind, id}, id, "{}", {}, std::move(references), {}}; }

TEST(Tombstone, KeepsTheHistoryAndLetsADocumentComeBack) {
    SampleStore sample;
    const DocumentKey key{Kind::curve, "c"};
    saved(sample.store, curve("c", {1, 2}, {1, 2}));
    const RemoveOutcome removed = sample.store.remove({"bob", "req-2"}, key);
    EXPECT_EQ(std::get<Removed>(removed).revision, 2);
    EXPECT_FALSE(sample.store.snapshot()->load(key));
    const Saved back = saved(sample.store, curve("c", {1, 2}, {1, 2}));
    EXPECT_EQ(back.revision, 3);
    EXPECT_EQ(back.what, Saved::What::added);
    EXPECT_EQ(sample.store.snapshot()->load(key)->record.series.front().x.size(), 2U);
    const auto history = sample.store.snapshot()->history(key, 0, 10);
    ASSERT_EQ(history.size(), 3U);
    EXPECT_EQ(history[0].revision, 3);
    EXPECT_TRUE(history[1].deleted);
    EXPECT_EQ(history[1].recorded_by, "bob");
    EXPECT_EQ(history[1].record.title, "Curve c");
    EXPECT_TRUE(history[2].record.body.empty());
    EXPECT_TRUE(history[2].record.series.empty());
}

TEST(Tombstone, IsNotRemovedAgain) {
    SampleStore sample;
    EXPECT_TRUE(std::holds_alternative<NotFound>(sample.store.remove(kAlice, {Kind::device, "a"})));
    saved(sample.store, device("a"));
    EXPECT_TRUE(std::holds_alternative<Removed>(sample.store.remove(kAlice, {Kind::device, "a"})));
    EXPECT_TRUE(std::holds_alternative<NotFound>(sample.store.remove(kAlice, {Kind::device, "a"})));
}

TEST(Tombstone, IsMadeOnlyWhereTheConditionHolds) {
    SampleStore sample;
    saved(sample.store, device("a", "1"));
    saved(sample.store, device("a", "2"));
    const DocumentKey key{Kind::device, "a"};
    EXPECT_EQ(std::get<ConditionFailed>(sample.store.remove(kAlice, key, {Condition::Kind::revision, 1})).current, 2);
    EXPECT_EQ(std::get<ConditionFailed>(sample.store.remove(kAlice, key, {Condition::Kind::absent, 0})).current, 2);
    EXPECT_TRUE(sample.store.snapshot()->load(key));
    EXPECT_EQ(std::get<Removed>(sample.store.remove(kAlice, key, {Condition::Kind::revision, 2})).revision, 3);
}

TEST(History, IsReadInPages) {
    SampleStore sample;
    for (int i = 1; i <= 7; ++i) {
        saved(sample.store, device("a", std::to_string(i)));
    }
    const auto snapshot = sample.store.snapshot();
    std::vector<std::int64_t> seen;
    std::int64_t before = 0;
    for (auto page = snapshot->history({Kind::device, "a"}, before, 3); !page.empty();
         page = snapshot->history({Kind::device, "a"}, before, 3)) {
        for (const Revision& revision : page) {
            seen.push_back(revision.revision);
        }
        before = page.back().revision;
    }
    EXPECT_EQ(seen, (std::vector<std::int64_t>{7, 6, 5, 4, 3, 2, 1}));
    EXPECT_TRUE(snapshot->history({Kind::device, "none"}, 0, 3).empty());
}

TEST(References, MustBeToDocumentsThatAreThere) {
    SampleStore sample;
    saved(sample.store, device("d"));
    saved(sample.store, device("gone"));
    ASSERT_EQ(sample.store.remove(kAlice, {Kind::device, "gone"}).index(), 0U);
    const std::int64_t sequence = sample.store.sequence();
    const SaveOutcome outcome =
        sample.store.save(kAlice, pointing(Kind::server, "s", {{Kind::site, "x"}, {Kind::device, "d"}, {Kind::device, "gone"}}));
    ASSERT_TRUE(std::holds_alternative<MissingReferences>(outcome));
    EXPECT_EQ(std::get<MissingReferences>(outcome).missing, (Keys{{Kind::device, "gone"}, {Kind::site, "x"}}));
    EXPECT_EQ(sample.store.sequence(), sequence);
    EXPECT_FALSE(sample.store.snapshot()->load({Kind::server, "s"}));
}

// More than are written at a time, beside one that is missing.
TEST(References, ThatAreManyMustAllBeThere) {
    SampleStore sample;
    std::vector<Record> devices;
    Keys keys;
    for (int i = 0; i < 300; ++i) {
        devices.push_back(device("d" + std::to_string(1000 + i)));
        keys.push_back(devices.back().key);
    }
    ASSERT_EQ(sample.store.save_all(kAlice, devices).index(), 0U);
    Keys and_one = keys;
    and_one.push_back({Kind::device, "gone"});
    const SaveOutcome outcome = sample.store.save(kAlice, pointing(Kind::server, "s", and_one));
    ASSERT_TRUE(std::holds_alternative<MissingReferences>(outcome));
    EXPECT_EQ(std::get<MissingReferences>(outcome).missing, (Keys{{Kind::device, "gone"}}));
    saved(sample.store, pointing(Kind::server, "s", keys));
    EXPECT_EQ(sample.store.snapshot()->load({Kind::server, "s"})->record.references, keys);
}

TEST(References, MayBeMutualInOneTransaction) {
    SampleStore sample;
    const Record records[] = {pointing(Kind::server, "a", {{Kind::server, "b"}}),
                              pointing(Kind::server, "b", {{Kind::server, "a"}})};
    const auto outcome = sample.store.save_all(kAlice, records);
    ASSERT_EQ(outcome.index(), 0U);
    const auto& all = std::get<0>(outcome);
    ASSERT_EQ(all.size(), 2U);
    EXPECT_EQ(all[0].recorded_at, all[1].recorded_at); // one change
    EXPECT_EQ(sample.store.sequence(), 1);
    EXPECT_TRUE(std::holds_alternative<InUse>(sample.store.remove(kAlice, {Kind::server, "a"})));
}

TEST(References, MissingInOneRecordSaveNoneOfAll) {
    SampleStore sample;
    saved(sample.store, device("d"));
    const Record records[] = {device("e"), offer("a", "d"), offer("b", "nowhere"), offer("c", "neither")};
    const auto outcome = sample.store.save_all(kAlice, records);
    ASSERT_EQ(outcome.index(), 1U);
    EXPECT_EQ(std::get<1>(outcome).missing, (Keys{{Kind::device, "neither"}, {Kind::device, "nowhere"}}));
    EXPECT_FALSE(sample.store.snapshot()->load({Kind::device, "e"}));
    EXPECT_EQ(sample.store.counts().revisions, 1);
    EXPECT_EQ(saved(sample.store, offer("a", "d")).revision, 1); // and the store goes on
}

TEST(References, KeepADocumentFromBeingRemoved) {
    SampleStore sample;
    saved(sample.store, device("d"));
    saved(sample.store, offer("b", "d"));
    saved(sample.store, offer("a", "d"));
    const RemoveOutcome outcome = sample.store.remove(kAlice, {Kind::device, "d"});
    ASSERT_TRUE(std::holds_alternative<InUse>(outcome));
    EXPECT_EQ(std::get<InUse>(outcome).count, 2);
    EXPECT_EQ(std::get<InUse>(outcome).users, (Keys{{Kind::offer, "a"}, {Kind::offer, "b"}}));
    ASSERT_EQ(sample.store.remove(kAlice, {Kind::offer, "a"}).index(), 0U);
    ASSERT_EQ(sample.store.remove(kAlice, {Kind::offer, "b"}).index(), 0U);
    EXPECT_TRUE(std::holds_alternative<Removed>(sample.store.remove(kAlice, {Kind::device, "d"})));
}

TEST(References, NameAtMostAHundredUsersAndCountThemAll) {
    SampleStore sample;
    std::vector<Record> records = {device("d")};
    for (int i = 0; i < 130; ++i) {
        records.push_back(offer("o" + std::to_string(i), "d"));
    }
    ASSERT_EQ(sample.store.save_all(kAlice, records).index(), 0U);
    const auto outcome = sample.store.remove(kAlice, {Kind::device, "d"});
    EXPECT_EQ(std::get<InUse>(outcome).count, 130);
    EXPECT_EQ(std::get<InUse>(outcome).users.size(), 100U);
}

TEST(References, ToItselfDoNotKeepADocument) {
    SampleStore sample;
    saved(sample.store, pointing(Kind::server, "s", {{Kind::server, "s"}}));
    EXPECT_TRUE(std::holds_alternative<Removed>(sample.store.remove(kAlice, {Kind::server, "s"})));
}

TEST(References, ToItselfAreNoUsers) {
    SampleStore sample;
    saved(sample.store, pointing(Kind::server, "s", {{Kind::server, "s"}}));
    saved(sample.store, pointing(Kind::server, "t", {{Kind::server, "s"}}));
    const RemoveOutcome outcome = sample.store.remove(kAlice, {Kind::server, "s"});
    EXPECT_EQ(std::get<InUse>(outcome).count, 1);
    EXPECT_EQ(std::get<InUse>(outcome).users, (Keys{{Kind::server, "t"}}));
}

TEST(References, ComeBackWithTheirDocument) {
    SampleStore sample;
    saved(sample.store, device("d"));
    saved(sample.store, offer("a", "d"));
    ASSERT_EQ(sample.store.remove(kAlice, {Kind::offer, "a"}).index(), 0U);
    saved(sample.store, offer("a", "d"));
    EXPECT_EQ(sample.store.snapshot()->load({Kind::offer, "a"})->record.references, (Keys{{Kind::device, "d"}}));
    EXPECT_TRUE(std::holds_alternative<InUse>(sample.store.remove(kAlice, {Kind::device, "d"})));
}

TEST(Audit, HasEveryWriteThatChangedSomething) {
    SampleStore sample;
    saved(sample.store, device("a"));
    saved(sample.store, device("a")); // unchanged
    const Record two[] = {device("b"), device("c")};
    ASSERT_EQ(sample.store.save_all({"bob", "req-2"}, two).index(), 0U);
    ASSERT_EQ(sample.store.save_all({"bob", "req-3"}, two).index(), 0U); // unchanged
    ASSERT_EQ(sample.store.remove({"carol", "req-4"}, {Kind::device, "b"}).index(), 0U);
    ASSERT_TRUE(sample.store.add_key({"cli", ""}, {"dave", Role::editor, "", ""}, "hash"));
    ASSERT_FALSE(sample.store.add_key({"cli", ""}, {"dave", Role::editor, "", ""}, "other")); // refused
    ASSERT_TRUE(sample.store.revoke_key({"cli", ""}, "dave"));
    const auto audit = sample.store.snapshot()->audit(0, 100);
    std::vector<std::string> texts;
    for (const AuditEntry& entry : audit) {
        texts.push_back(std::to_string(entry.sequence) + " " + entry.author + " " + entry.request_id + " " + entry.action + " " +
                        entry.subject);
    }
    EXPECT_EQ(texts, (std::vector<std::string>{"5 cli  revoke_key dave", "4 cli  add_key dave", "3 carol req-4 remove device/b",
                                               "2 bob req-2 save_all 2 documents", "1 alice req-1 save device/a"}));
    EXPECT_EQ(audit.back().recorded_at, "2026-11-21T12:00:00.000000Z");
    EXPECT_EQ(sample.store.snapshot()->audit(3, 1).front().sequence, 2);
}

TEST(Audit, IsNeitherChangedNorDeletedInTheDatabase) {
    SampleStore sample;
    saved(sample.store, device("d"));
    saved(sample.store, offer("a", "d"));
    saved(sample.store, offer("a", "d", {"/hourly_price", {0}, {1.0}}));
    const auto side = sample.side();
    for (const char* table : {"change", "revision", "body", "point", "reference"}) {
        EXPECT_THROW(side->execute(std::string("DELETE FROM ") + table), StoreError) << table;
    }
    for (const char* update :
         {"UPDATE change SET author = 'x'", "UPDATE revision SET title = 'x'", "UPDATE body SET text = 'x'",
          "UPDATE point SET y = 1", "UPDATE revision SET until = since + 1", "UPDATE reference SET target = 2"}) {
        EXPECT_THROW(side->execute(update), StoreError) << update;
    }
}

} // namespace
} // namespace costcurve::storage::test
