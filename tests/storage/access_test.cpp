// API keys by their hash, and answers that are given again for a day.
#include "tests/storage/sample_store.hpp"

namespace costcurve::storage::test {
namespace {

const Author kCli{"cli", ""};

TEST(Keys, AreFoundByTheirHashUntilTheyAreRevoked) {
    SampleStore sample;
    const std::string hash("\x00\xff'\x01", 4); // any bytes
    EXPECT_TRUE(sample.store.add_key(kCli, {"ci", Role::editor, "", ""}, hash));
    const auto found = sample.store.find_key(hash);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->name, "ci");
    EXPECT_EQ(found->role, Role::editor);
    EXPECT_EQ(found->created_at, "2026-11-21T12:00:00.000000Z");
    EXPECT_EQ(found->revoked_at, "");
    EXPECT_FALSE(sample.store.find_key(hash.substr(0, 3)));
    EXPECT_FALSE(sample.store.find_key(""));
    sample.time += kHour;
    EXPECT_TRUE(sample.store.revoke_key(kCli, "ci"));
    EXPECT_FALSE(sample.store.find_key(hash));
    EXPECT_FALSE(sample.store.revoke_key(kCli, "ci"));
    EXPECT_FALSE(sample.store.revoke_key(kCli, "nobody"));
    const auto keys = sample.store.keys();
    ASSERT_EQ(keys.size(), 1U);
    EXPECT_EQ(keys[0].revoked_at, "2026-11-21T13:00:00.000000Z");
}

TEST(Keys, HaveNamesOfTheirOwnForEver) {
    SampleStore sample;
    EXPECT_TRUE(sample.store.add_key(kCli, {"b", Role::viewer, "", ""}, "1"));
    EXPECT_TRUE(sample.store.add_key(kCli, {"a", Role::admin, "", ""}, "2"));
    EXPECT_FALSE(sample.store.add_key(kCli, {"b", Role::admin, "", ""}, "3"));
    ASSERT_TRUE(sample.store.revoke_key(kCli, "b"));
    EXPECT_FALSE(sample.store.add_key(kCli, {"b", Role::admin, "", ""}, "3"));
    EXPECT_FALSE(sample.store.find_key("3"));
    const auto keys = sample.store.keys();
    ASSERT_EQ(keys.size(), 2U);
    EXPECT_EQ(keys[0].name, "a");
    EXPECT_EQ(keys[0].role, Role::admin);
}

TEST(Keys, Expire) {
    SampleStore sample;
    ASSERT_TRUE(sample.store.add_key(kCli, {"a", Role::viewer, "", ""}, "1", 2));
    EXPECT_EQ(sample.store.keys()[0].expires_at, "2026-11-23T12:00:00.000000Z");
    sample.time += 48 * kHour - 1;
    EXPECT_TRUE(sample.store.find_key("1"));
    EXPECT_FALSE(sample.store.has_expired("1"));
    sample.time += 1;
    EXPECT_FALSE(sample.store.find_key("1"));
    EXPECT_TRUE(sample.store.has_expired("1"));
    EXPECT_FALSE(sample.store.has_expired("unknown"));
    ASSERT_TRUE(sample.store.revoke_key(kCli, "a"));
    EXPECT_FALSE(sample.store.has_expired("1")) << "revoked is revoked";
}

TEST(Keys, AreRotatedWithAnOverlap) {
    SampleStore sample;
    ASSERT_TRUE(sample.store.add_key(kCli, {"a", Role::editor, "", ""}, "1", 30));
    sample.time += kHour;
    const auto key = sample.store.rotate_key(kCli, "a", "2", {12, {}});
    ASSERT_TRUE(key);
    EXPECT_EQ(key->role, Role::editor);
    EXPECT_EQ(key->expires_at, "2026-12-21T13:00:00.000000Z") << "as many days as the one before";
    EXPECT_EQ(key->old_until, "2026-11-22T01:00:00.000000Z");
    sample.time += 12 * kHour - 1;
    EXPECT_EQ(sample.store.find_key("1")->name, "a");
    EXPECT_EQ(sample.store.find_key("2")->name, "a");
    sample.time += 1;
    EXPECT_FALSE(sample.store.find_key("1"));
    EXPECT_TRUE(sample.store.has_expired("1"));
    EXPECT_TRUE(sample.store.find_key("2"));
    EXPECT_EQ(sample.store.keys()[0].old_until, "");
    EXPECT_EQ(sample.store.rotate_key(kCli, "a", "3", {0, 1})->expires_at, "2026-11-23T01:00:00.000000Z");
    EXPECT_FALSE(sample.store.find_key("2"));
    EXPECT_EQ(sample.store.snapshot()->audit(0, 1).front().action, "rotate_key");
    ASSERT_TRUE(sample.store.revoke_key(kCli, "a"));
    EXPECT_FALSE(sample.store.find_key("3")) << "all of its secrets";
    EXPECT_FALSE(sample.store.rotate_key(kCli, "a", "4", {}));
    EXPECT_FALSE(sample.store.rotate_key(kCli, "nobody", "4", {}));
}

TEST(Keys, AreFoundThoughLongReadsHoldEveryReader) {
    SampleStore sample;
    StoreSettings settings = sample.settings;
    settings.readers = 1;
    settings.busy_timeout_ms = 20;
    const auto opened = open_store(settings);
    Store& store = *opened;
    ASSERT_TRUE(store.add_key(kCli, {"a", Role::admin, "", ""}, "1"));
    while_read(store, [&] {
        const std::int64_t before = store.busy_count();
        EXPECT_TRUE(store.find_key("1"));
        EXPECT_EQ(store.sequence(), 2); // the key, and the bill that is read
        EXPECT_EQ(store.busy_count(), before);
        EXPECT_EQ(cause_of([&] { static_cast<void>(store.snapshot()); }),
                  StoreError::Cause::busy); // it waits, and not for ever
        EXPECT_EQ(store.busy_count(), before + 1);
    });
}

TEST(Answers, AreGivenAgainForADay) {
    SampleStore sample;
    const StoredAnswer answer{std::string("\0hash", 5), 201, "application/json", std::string("{\"a\":\0}", 7), "/v1/x"};
    EXPECT_FALSE(sample.store.kept_answer("alice", "k"));
    sample.store.keep_answer(kAlice, "k", answer);
    const auto kept = sample.store.kept_answer("alice", "k");
    ASSERT_TRUE(kept);
    EXPECT_EQ(kept->request_hash, answer.request_hash);
    EXPECT_EQ(kept->status, 201);
    EXPECT_EQ(kept->location, "/v1/x");
    EXPECT_EQ(kept->content_type, "application/json");
    EXPECT_EQ(kept->body, answer.body);
    EXPECT_FALSE(sample.store.kept_answer("bob", "k"));
    EXPECT_FALSE(sample.store.kept_answer("alice", "K"));
    sample.time += 24 * kHour;
    EXPECT_TRUE(sample.store.kept_answer("alice", "k"));
    sample.time += 1;
    EXPECT_FALSE(sample.store.kept_answer("alice", "k"));
}

TEST(Answers, OfWhatWasDoneAndNeverAnsweredSayThatItWasDone) {
    SampleStore sample;
    Author once = kAlice;
    once.idempotency_key = "k";
    const Record record{{Kind::device, "d"}, "", "{}", {}, {}, std::nullopt};
    ASSERT_TRUE(sample.store.claim_answer("alice", "k", "hash").is_held);
    EXPECT_TRUE(std::holds_alternative<ConditionFailed>(sample.store.save(once, record, {Condition::Kind::present})));
    sample.store.release_answer("alice", "k");
    ASSERT_TRUE(sample.store.claim_answer("alice", "k", "hash").is_held) << "nothing was done";
    ASSERT_TRUE(std::holds_alternative<Saved>(sample.store.save(once, record)));
    sample.store.release_answer("alice", "k"); // as where the service ends here
    const AnswerClaim claim = sample.store.claim_answer("alice", "k", "hash");
    EXPECT_FALSE(claim.is_held);
    ASSERT_TRUE(claim.kept);
    EXPECT_EQ(claim.kept->status, kClaimed);
    EXPECT_EQ(claim.kept->body, "change @1");

    once.idempotency_key = "job";
    ASSERT_TRUE(sample.store.claim_answer("alice", "job", "hash").is_held);
    ASSERT_TRUE(sample.store.queue_job(once, {"/v1/simulate", "{}"}));
    sample.store.release_answer("alice", "job");
    EXPECT_EQ(sample.store.kept_answer("alice", "job")->body, "job 1");

    once.idempotency_key = "kept";
    ASSERT_TRUE(sample.store.claim_answer("alice", "kept", "hash").is_held);
    sample.store.record_action(once, "a", "x");
    sample.store.keep_answer(once, "kept", {"hash", 201, "application/json", "{}", ""});
    EXPECT_EQ(sample.store.claim_answer("alice", "kept", "hash").kept->status, 201);

    sample.time += 25 * kHour;
    EXPECT_TRUE(sample.store.claim_answer("alice", "k", "hash").is_held) << "a day is over";
    sample.store.record_action({"alice", "", "", "k"}, "a", "x");
    sample.store.release_answer("alice", "k");
    EXPECT_EQ(sample.store.kept_answer("alice", "k")->body, "change @3");
}

TEST(Answers, HaveARoomOfEachAuthorAndOfAll) {
    SampleStore sample;
    const std::string body(1U << 20U, 'x');
    const auto keep = [&](const std::string& author, int count) {
        for (int i = 0; i < count; ++i) {
            sample.store.keep_answer({author, "r"}, std::to_string(i), {"h", 200, "t", body, ""});
        }
    };
    const auto room_of = [&](const std::string& author) {
        const AnswerClaim claim = sample.store.claim_answer(author, "k", "h");
        EXPECT_TRUE(claim.is_held);
        sample.store.release_answer(author, "k");
        return claim.room;
    };
    EXPECT_EQ(room_of("alice"), kMaxAnswerBytesOfAuthor);
    keep("alice", 15);
    EXPECT_EQ(room_of("alice"), 1 << 20);
    EXPECT_EQ(room_of("bob"), kMaxAnswerBytesOfAuthor);
    keep("carol", 45);
    EXPECT_EQ(room_of("bob"), 4 << 20) << "of all";
    EXPECT_LT(room_of("carol"), 0);
    sample.time += 25 * kHour;
    EXPECT_EQ(room_of("carol"), kMaxAnswerBytesOfAuthor);
}

TEST(Answers, StayTheFirstOnesAndGoWithTime) {
    SampleStore sample;
    sample.store.keep_answer(kAlice, "k", {"h", 200, "t", "first", ""});
    sample.store.keep_answer(kAlice, "k", {"h", 500, "t", "second", ""});
    EXPECT_EQ(sample.store.kept_answer("alice", "k")->body, "first");
    sample.time += 25 * kHour;
    sample.store.keep_answer(kAlice, "k", {"h", 200, "t", "next day", ""});
    EXPECT_EQ(sample.store.kept_answer("alice", "k")->body, "next day");
    sample.time += 25 * kHour;
    sample.store.keep_answer(kAlice, "other", {"h", 200, "t", "", ""});
    const auto side = sample.side();
    EXPECT_EQ(count(*side, "answer"), 1);
    EXPECT_EQ(sample.store.sequence(), 0); // no change of what is stored
}

} // namespace
} // namespace costcurve::storage::test
