// Threads that read while others write, and a process that is killed while it writes.
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

#include <map>
#include <random>
#include <thread>

#include "tests/storage/sample_store.hpp"

namespace costcurve::storage::test {
namespace {

TEST(Threads, ReadWholeChangesWhileOthersWrite) {
    SampleStore sample;
    constexpr int changes = 100;
    constexpr int writers = 2;
    std::atomic<int> running = writers;
    const auto write = [&](int writer) {
        for (int i = 0; i < changes; ++i) {
            const std::string body = std::to_string(writer) + "." + std::to_string(i);
            const Record both[] = {device("left", body), device("right", body), curve("c", {1}, {static_cast<double>(i)})};
            EXPECT_EQ(sample.store.save_all({"writer", body}, both).index(), 0U);
        }
        --running;
    };
    const auto read = [&] {
        std::int64_t last = 0;
        while (running > 0) {
            const auto snapshot = sample.store.snapshot();
            const auto left = snapshot->load({Kind::device, "left"});
            const auto right = snapshot->load({Kind::device, "right"});
            ASSERT_EQ(left.has_value(), right.has_value());
            if (!left) {
                continue;
            }
            EXPECT_EQ(left->record.body, right->record.body);
            EXPECT_EQ(left->recorded_at, snapshot->as_of());
            EXPECT_GE(left->revision, last); // time goes forward
            last = left->revision;
            EXPECT_EQ(snapshot->list(every(Kind::device)).items.size(), 2U);
            EXPECT_TRUE(snapshot->value_at({Kind::curve, "c"}, "", 1));
            EXPECT_GE(sample.store.sequence(), left->revision);
            EXPECT_FALSE(sample.store.find_key("none"));
        }
    };
    std::vector<std::thread> threads;
    for (int i = 0; i < writers; ++i) {
        threads.emplace_back(write, i);
    }
    for (int i = 0; i < 3; ++i) {
        threads.emplace_back(read);
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(sample.store.snapshot()->load({Kind::device, "left"})->revision, changes * writers);
}

// As if each had been alone: a revision and a change of its own author, whatever was written with it.
TEST(Threads, SaveAtOnceWithAChangeEach) {
    SampleStore sample;
    saved(sample.store, device("d"));
    constexpr int kWriters = 12;
    constexpr int kSaves = 15;
    std::vector<std::thread> threads;
    for (int writer = 0; writer < kWriters; ++writer) {
        threads.emplace_back([&, writer] {
            const std::string name = "writer-" + std::to_string(writer);
            for (int i = 0; i < kSaves; ++i) {
                const Author author{name, std::to_string(i)};
                const std::string own = "own-" + std::to_string(writer);
                const auto price = static_cast<double>(i + 1);
                const auto outcome = sample.store.save(author, offer(own, "d", {"/hourly_price", {0, price}, {price, 2.0}}));
                ASSERT_TRUE(std::holds_alternative<Saved>(outcome));
                EXPECT_EQ(std::get<Saved>(outcome).revision, i + 1);
                EXPECT_EQ(std::get<Saved>(outcome).recorded_by, name);
                EXPECT_EQ(sample.store.save(author, device("shared", name + "/" + std::to_string(i))).index(), 0U);
                // refused, and nothing of them is written
                EXPECT_TRUE(std::holds_alternative<ConditionFailed>(
                    sample.store.save(author, device(own + "-new"), {Condition::Kind::revision, 7})));
                EXPECT_TRUE(std::holds_alternative<MissingReferences>(sample.store.save(author, offer(own + "-x", "nothing"))));
                // its device is saved by others at the same time
                EXPECT_EQ(sample.store.save(author, device("new-" + std::to_string(i), "{}")).index(), 0U);
                EXPECT_EQ(sample.store.save(author, offer(own + "-of-new", "new-" + std::to_string(i))).index(), 0U);
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    const auto snapshot = sample.store.snapshot();
    EXPECT_EQ(snapshot->load({Kind::device, "shared"})->revision, kWriters * kSaves);
    std::map<std::string, int> changes;
    std::int64_t before = sample.store.sequence() + 1;
    for (const AuditEntry& entry : snapshot->audit(0, 10'000)) {
        EXPECT_EQ(entry.sequence, before - 1); // none is left out
        before = entry.sequence;
        changes[entry.author] += 1;
    }
    EXPECT_EQ(before, 1);
    int of_new = 0; // whoever was first
    for (int writer = 0; writer < kWriters; ++writer) {
        const std::string own = "own-" + std::to_string(writer);
        const auto history = snapshot->history({Kind::offer, own}, 0, 100);
        ASSERT_EQ(history.size(), static_cast<std::size_t>(kSaves));
        EXPECT_EQ(snapshot->load({Kind::offer, own})->record.series[0].y[0], kSaves);
        EXPECT_EQ(snapshot->load({Kind::offer, own + "-of-new"})->record.references.size(), 1U);
        of_new += changes["writer-" + std::to_string(writer)] - 3 * kSaves;
    }
    EXPECT_EQ(of_new, kSaves);
    EXPECT_FALSE(snapshot->load({Kind::device, "own-0-new"}) || snapshot->load({Kind::offer, "own-0-x"}));
    EXPECT_EQ(check_store(sample.settings.path).problems, std::vector<std::string>());
}

// Holds writes up until it goes, though not what is read before them.
class HeldWrites {
public:
    explicit HeldWrites(SampleStore& sample) : side_(sample.side()) {
        side_->execute(is_file_ ? "BEGIN IMMEDIATE" : "BEGIN; LOCK TABLE body IN SHARE MODE");
    }
    /// Until a write of the store, its first one, waits.
    void wait_for_one(const Store& store) {
        while (is_file_ ? store.busy_count() == 0 : side_->number("SELECT count(*) FROM pg_locks WHERE NOT granted") == 0) {
            std::this_thread::yield();
        }
    }
    void end() { side_->execute("COMMIT"); }

private:
    bool is_file_ = tests::engine_of_tests() == tests::Engine::sqlite;
    std::unique_ptr<Side> side_;
};

TEST(Threads, WhatIsSavedTogetherIsOneChainAndJudgedByItself) {
    SampleStore sample;
    sample.settings.busy_timeout_ms = 60'000;
    const auto opened = open_store(sample.settings);
    Store& store = *opened;
    Record webhook{{Kind::webhook, "hook"}, "", "{}", {}, {}, std::nullopt};
    webhook.webhook = WebhookFacts{"https://example.org", "sixteen bytes it is", {}, true};
    saved(store, webhook);
    saved(store, device("gone"));
    ASSERT_TRUE(std::holds_alternative<Removed>(store.remove(kAlice, {Kind::device, "gone"})));
    webhook.webhook->secret = "another one of sixteen"; // with the same content: no revision, and a change all the same
    const std::vector<std::pair<Record, Condition>> together = {
        {webhook, {}},
        {device("new"), {}},
        {offer("of-new", "new"), {}},
        {device("gone"), {}},
        {offer("of-gone", "gone"), {}},
        {device("refused"), {Condition::Kind::revision, 3}},
        {offer("of-refused", "refused"), {}},
        {offer("of-none", "none"), {}},
    };
    HeldWrites held(sample);
    std::vector<SaveOutcome> outcomes(together.size() + 1);
    std::vector<std::thread> threads;
    threads.emplace_back([&] { outcomes.back() = store.save(kAlice, device("first")); });
    held.wait_for_one(store);
    const std::int64_t before = store.busy_count();
    for (std::size_t i = 0; i < together.size(); ++i) { // behind it, in their order
        threads.emplace_back([&, i] { outcomes[i] = store.save(kAlice, together[i].first, together[i].second); });
        while (store.busy_count() - before <= static_cast<std::int64_t>(i)) {
            std::this_thread::yield();
        }
    }
    held.end();
    for (std::thread& thread : threads) {
        thread.join();
    }
    for (std::size_t i = 0; i < together.size(); ++i) {
        const DocumentKey& key = together[i].first.key;
        const std::size_t wanted = key.id == "refused" ? 1 : key.id == "of-refused" || key.id == "of-none" ? 2 : 0;
        EXPECT_EQ(outcomes[i].index(), wanted) << key.id;
    }
    EXPECT_EQ(store.snapshot()->load({Kind::offer, "of-gone"})->record.references[0].id, "gone");
    EXPECT_EQ(store.sequence(), 3 + 1 + 5); // before them, the first, and those that were not refused
    EXPECT_EQ(check_store(sample.settings.path).problems, std::vector<std::string>());
}

TEST(Threads, WaitForAFreeReader) {
    SampleStore sample;
    sample.settings.readers = 1;
    sample.settings.busy_timeout_ms = 60'000;
    const auto opened = open_store(sample.settings);
    Store& store = *opened;
    saved(store, device("a"));
    std::thread late;
    while_read(store, [&] {
        late = std::thread([&] { EXPECT_TRUE(store.snapshot()->load({Kind::device, "a"})); });
        while (store.busy_count() == 0) { // until it waits
            std::this_thread::yield();
        }
    });
    late.join();
}

TEST(Threads, ReadThoughOthersKeepSnapshots) {
    SampleStore sample;
    sample.settings.readers = 1;
    sample.settings.busy_timeout_ms = 20;
    const auto opened = open_store(sample.settings);
    Store& store = *opened;
    saved(store, device("a", "1"));
    const std::unique_ptr<Snapshot> held = store.snapshot();
    ListQuery query;
    query.kind = Kind::device;
    ASSERT_EQ(held->list(query).items.size(), 1U);
    saved(store, device("a", "2"));
    saved(store, device("b"));
    const std::unique_ptr<Snapshot> later = store.snapshot();
    EXPECT_EQ(later->list(query).items.size(), 2U);
    EXPECT_EQ(later->load({Kind::device, "a"})->revision, 2);
    EXPECT_EQ(held->list(query).items.size(), 1U) << "it sees what it saw";
    EXPECT_EQ(held->load({Kind::device, "a"})->revision, 1);
    EXPECT_EQ(store.busy_count(), 0);
}

TEST(Threads, ReadLittleThoughOthersReadMuch) {
    SampleStore sample;
    sample.settings.readers = 2;
    sample.settings.busy_timeout_ms = 20;
    const auto opened = open_store(sample.settings);
    Store& store = *opened;
    saved(store, device("a"));
    ListQuery many;
    many.kind = Kind::device;
    many.limit = 1000;
    while_read(store, [&] {
        const auto snapshot = store.snapshot();
        EXPECT_EQ(cause_of([&] { static_cast<void>(snapshot->list(many)); }), StoreError::Cause::busy);
        many.limit = 10;
        EXPECT_EQ(snapshot->list(many).items.size(), 1U);
    });
}

// Reported by a child process: document `number` has got `revision`.
struct Acknowledged {
    int number;
    std::int64_t revision;
};
constexpr int kDocuments = 7;

[[noreturn]] void write_until_killed(const StoreSettings& settings, int pipe_end) {
    const auto opened = open_store(settings);
    Store& store = *opened;
    for (int i = 0; i < 1000; ++i) {
        const int number = i % kDocuments;
        const std::string body(static_cast<std::size_t>(100 + i % 5000), static_cast<char>('a' + i % 26));
        Record record = device("d" + std::to_string(number), body + std::to_string(getpid()) + "/" + std::to_string(i));
        record.series = {{"/p", {1, static_cast<double>(2 + i)}, {1, 2}}};
        const auto outcome = store.save({"child", std::to_string(i)}, record);
        const Acknowledged told{number, std::get<Saved>(outcome).revision};
        if (write(pipe_end, &told, sizeof told) != sizeof told) {
            _exit(1);
        }
    }
    _exit(0);
}

// Reads some acknowledgements, kills the child at a moment of its next writes, and reads those that it still sent.
void kill_a_writer(const StoreSettings& settings, std::mt19937& random, std::int64_t (&known)[kDocuments]) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        close(ends[0]);
        write_until_killed(settings, ends[1]);
    }
    close(ends[1]);
    const std::uint_fast32_t reads = random() % 60;
    Acknowledged told{};
    std::uint_fast32_t count = 0;
    const auto next = [&] { return read(ends[0], &told, sizeof told) == sizeof told; };
    for (; count < reads && next(); ++count) {
        known[told.number] = told.revision;
    }
    for (std::uint_fast32_t spin = random() % 400'000; spin > 0; --spin) {
        std::atomic_signal_fence(std::memory_order_seq_cst); // takes a moment
    }
    kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFSIGNALED(status)) << "the child came to its end: " << status;
    while (next()) {
        known[told.number] = told.revision;
    }
    close(ends[0]);
}

TEST(Kill, LosesNoAcknowledgedWrite) {
    const StorePlace place;
    StoreSettings settings;
    settings.path = place.path();
    const unsigned seed = 20261121;
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    std::int64_t known[kDocuments] = {};
    for (int kills = 0; kills < 25; ++kills) {
        kill_a_writer(settings, random, known);
        const auto opened = open_store(settings);
        const Store& store = *opened;
        EXPECT_EQ(check_store(settings.path).problems.size(), 0U) << kills;
        const auto snapshot = store.snapshot();
        std::int64_t revisions = 0;
        for (int i = 0; i < kDocuments; ++i) {
            const DocumentKey key{Kind::device, "d" + std::to_string(i)};
            const auto history = snapshot->history(key, 0, 100'000);
            EXPECT_GE(static_cast<std::int64_t>(history.size()), known[i]) << kills << ", " << i;
            revisions += static_cast<std::int64_t>(history.size());
            if (!history.empty()) {
                EXPECT_EQ(history.front().revision, static_cast<std::int64_t>(history.size())); // none is missing between
                EXPECT_EQ(snapshot->load(key)->record.series.front().x.size(), 2U);
                known[i] = history.front().revision;
            }
        }
        EXPECT_EQ(revisions, store.sequence()); // whole writes only
    }
}

} // namespace
} // namespace costcurve::storage::test
