// A thread's loop: turns while there is something to do, sleep until it is woken, a pause after what fails.
#include <gtest/gtest.h>

#include <semaphore>
#include <stdexcept>
#include <vector>

#include "server/jobs/loop.hpp"

namespace costcurve::jobs {
namespace {

TEST(Loop, GoesOnWhileThereIsSomethingAndWhenItIsWoken) {
    std::counting_semaphore<8> turned(0);
    std::atomic<int> left = 2;
    Loop loop("test", {});
    loop.start([&] {
        turned.release();
        return left > 0 && left-- > 0;
    });
    for (int turn = 0; turn < 3; ++turn) { // two that did something, one that did not
        turned.acquire();
    }
    while (turned.try_acquire_for(std::chrono::milliseconds(50))) { // it looks once more: it begins woken
    }
    left = 1;
    EXPECT_FALSE(turned.try_acquire_for(std::chrono::milliseconds(50))) << "it sleeps";
    loop.wake();
    EXPECT_TRUE(turned.try_acquire_for(std::chrono::seconds(5)));
}

TEST(Loop, TriesAgainWhatFailedAndTellsItsOwner) {
    std::vector<std::string> log;
    std::vector<std::string> rests;
    std::counting_semaphore<8> done(0);
    int turns = 0;
    Loop loop("test",
              [&](std::string_view what, std::string_view id) { log.push_back(std::string(id) + ": " + std::string(what)); });
    const auto turn = [&] {
        if (++turns == 1) {
            throw std::runtime_error("no disk");
        }
        return false;
    };
    loop.start(turn, [&](const std::optional<failure::Thrown>& thrown) {
        rests.push_back(thrown ? thrown->what : "");
        done.release();
    });
    done.acquire();
    ASSERT_TRUE(done.try_acquire_for(std::chrono::seconds(10))) << "after a second";
    loop.stop();
    ASSERT_GE(rests.size(), 2U);
    EXPECT_EQ(rests[0], "no disk");
    EXPECT_EQ(rests[1], "");
    ASSERT_EQ(log.size(), 2U);
    EXPECT_EQ(log[0], "test: no disk");
    EXPECT_EQ(log[1], "test: works again, after 1 failures");
}

TEST(Loop, EndsATurnThatPauses) {
    std::binary_semaphore pauses(0);
    std::atomic<bool> goes_on = true;
    Loop loop("test", {});
    loop.start([&] {
        pauses.release();
        goes_on = loop.pause(std::chrono::hours(1));
        return false;
    });
    pauses.acquire();
    loop.stop();
    EXPECT_FALSE(goes_on);
    EXPECT_TRUE(loop.is_stopping());
}

} // namespace
} // namespace costcurve::jobs
