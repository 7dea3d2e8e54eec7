// Saves that come while others are written: what is written together, and that nobody pays for another's fault.
#include "server/storage/writes/save_queue.hpp"

#include <semaphore>
#include <thread>

#include "tests/storage/sample_store.hpp"

namespace costcurve::storage::test {
namespace {

using Outcomes = std::vector<std::optional<SaveOutcome>>;

const Condition kAny;
const SaveOutcome kSaved = Saved{1, "", "", Saved::What::added};

// A queue over a store that is a test's: its first write waits until it may end.
struct SampleQueue {
    std::atomic<std::int64_t> waits = 0;
    std::vector<std::vector<std::string>> batches; // ids, by the one who writes
    std::binary_semaphore begun{0};
    std::binary_semaphore may_end{0};
    SaveQueue::SaveTogether answer = [](std::span<const WaitingSave> saves) { return Outcomes(saves.size(), kSaved); };
    SaveQueue queue;

    explicit SampleQueue(int timeout_ms = 60'000)
        : queue({timeout_ms, &waits}, [this](std::span<const WaitingSave> saves) {
              std::vector<std::string>& ids = batches.emplace_back();
              for (const WaitingSave& save : saves) {
                  ids.push_back(save.record.key.id);
              }
              if (batches.size() == 1) {
                  begun.release();
                  may_end.acquire();
              }
              return answer(saves);
          }) {}

    SaveOutcome save(const std::string& id) {
        const Record record = device(id);
        return queue.save({kAlice, record, kAny});
    }
    // Saves "first", and while it is written the others, which wait then in their order.
    template <class Save> void save_behind(const std::vector<std::string>& ids, const Save& save_each) {
        std::vector<std::thread> threads;
        threads.emplace_back([this] { EXPECT_EQ(std::get<Saved>(save("first")).revision, 1); });
        begun.acquire();
        for (const std::string& id : ids) {
            const std::int64_t before = waits;
            threads.emplace_back([&save_each, id] { save_each(id); });
            while (waits == before) {
                std::this_thread::yield();
            }
        }
        may_end.release();
        for (std::thread& thread : threads) {
            thread.join();
        }
    }
};

TEST(SaveQueue, WritesAllThatWaitTogetherButADocumentTwice) {
    SampleQueue sample;
    sample.save_behind({"a", "b", "a", "c"}, [&](const std::string& id) { EXPECT_EQ(sample.save(id).index(), 0U); });
    EXPECT_EQ(sample.batches, (std::vector<std::vector<std::string>>{{"first"}, {"a", "b", "c"}, {"a"}}));
}

TEST(SaveQueue, WritesSixtyFourAtMost) {
    SampleQueue sample;
    std::vector<std::string> ids;
    for (int i = 0; i < 70; ++i) {
        ids.push_back("d" + std::to_string(i));
    }
    sample.save_behind(ids, [&](const std::string& id) { EXPECT_EQ(sample.save(id).index(), 0U); });
    ASSERT_EQ(sample.batches.size(), 3U);
    EXPECT_EQ(sample.batches[1].size(), 64U);
    EXPECT_EQ(sample.batches[2].size(), 6U);
}

TEST(SaveQueue, TriesEachAloneWhereOneIsAtFault) {
    SampleQueue sample;
    sample.answer = [](std::span<const WaitingSave> saves) -> Outcomes {
        for (const WaitingSave& save : saves) {
            if (save.record.key.id == "bad") { // whatever cause that is taken for
                throw StoreError(StoreError::Cause::full, "bad is too long");
            }
        }
        return Outcomes(saves.size(), kSaved);
    };
    sample.save_behind({"a", "bad", "b"}, [&](const std::string& id) {
        if (id == "bad") {
            EXPECT_EQ(cause_of([&] { static_cast<void>(sample.save(id)); }), StoreError::Cause::full);
        } else {
            EXPECT_EQ(sample.save(id).index(), 0U);
        }
    });
    EXPECT_EQ(sample.batches, (std::vector<std::vector<std::string>>{{"first"}, {"a", "bad", "b"}, {"a"}, {"bad"}, {"b"}}));
}

TEST(SaveQueue, TriesTwoAloneWhereTheStoreFails) {
    SampleQueue sample;
    sample.answer = [](std::span<const WaitingSave> saves) -> Outcomes {
        if (saves.front().record.key.id != "first") {
            throw StoreError(StoreError::Cause::full, "the disk is full");
        }
        return Outcomes(saves.size(), kSaved);
    };
    sample.save_behind({"a", "b", "c", "d"}, [&](const std::string& id) {
        EXPECT_EQ(cause_of([&] { static_cast<void>(sample.save(id)); }), StoreError::Cause::full);
    });
    EXPECT_EQ(sample.batches, (std::vector<std::vector<std::string>>{{"first"}, {"a", "b", "c", "d"}, {"a"}, {"b"}}));
}

TEST(SaveQueue, TriesNoneAloneWhereTheStoreIsBusy) {
    SampleQueue sample;
    sample.answer = [](std::span<const WaitingSave> saves) -> Outcomes {
        if (saves.front().record.key.id != "first") {
            throw StoreError(StoreError::Cause::busy, "another process writes");
        }
        return Outcomes(saves.size(), kSaved);
    };
    sample.save_behind({"a", "b"}, [&](const std::string& id) {
        EXPECT_EQ(cause_of([&] { static_cast<void>(sample.save(id)); }), StoreError::Cause::busy);
    });
    EXPECT_EQ(sample.batches.size(), 2U);
}

TEST(SaveQueue, SavesAloneWhatRefersToAnother) {
    SampleQueue sample;
    sample.answer = [](std::span<const WaitingSave> saves) {
        Outcomes outcomes(saves.size(), kSaved);
        if (saves.size() > 1) {
            outcomes.front().reset();
        }
        return outcomes;
    };
    sample.save_behind({"a", "b"}, [&](const std::string& id) { EXPECT_EQ(sample.save(id).index(), 0U); });
    EXPECT_EQ(sample.batches, (std::vector<std::vector<std::string>>{{"first"}, {"a", "b"}, {"a"}}));
}

TEST(SaveQueue, IsBusyWhereItsTurnDoesNotCome) {
    SampleQueue sample(20);
    std::thread slow([&] { EXPECT_EQ(sample.save("first").index(), 0U); });
    sample.begun.acquire();
    EXPECT_EQ(cause_of([&] { static_cast<void>(sample.save("late")); }), StoreError::Cause::busy);
    sample.may_end.release();
    slow.join();
    EXPECT_EQ(sample.save("next").index(), 0U);
    EXPECT_EQ(sample.batches, (std::vector<std::vector<std::string>>{{"first"}, {"next"}})); // and never "late"
}

} // namespace
} // namespace costcurve::storage::test
