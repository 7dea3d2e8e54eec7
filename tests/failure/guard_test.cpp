// The policy for exceptions: what becomes of an item that throws, and of one that throws on and on.
#include "server/failure/guard.hpp"

#include <new>
#include <stdexcept>
#include <system_error>

#include <gtest/gtest.h>

namespace costcurve::failure {
namespace {

using LoggedLines = std::vector<std::string>;

struct FailureLog {
    LogFailure log() {
        return [this](std::string_view what, std::string_view id) { lines.push_back(std::string(id) + ": " + std::string(what)); };
    }
    LoggedLines lines;
};

TEST(Guarded, SaysWhatWasThrownWhateverItIs) {
    EXPECT_FALSE(guarded([] {}));
    EXPECT_EQ(guarded([] { throw std::runtime_error("broke"); })->what, "broke");
    EXPECT_FALSE(guarded([] { throw 1; })->what.empty()) << "not of the standard library";
    EXPECT_TRUE(guarded([] { throw std::bad_alloc(); })->is_memory);
    EXPECT_TRUE(
        guarded([] { throw std::system_error(std::make_error_code(std::errc::resource_unavailable_try_again)); })->is_memory)
        << "as where a thread can't be started";
    const auto store = guarded([] { throw storage::StoreError(storage::StoreError::Cause::full, "disk"); });
    EXPECT_EQ(store->store, storage::StoreError::Cause::full);
}

TEST(Guard, LogsAFailureOnceAndThatItEnded) {
    FailureLog logged;
    Guard guard(logged.log());
    for (int i = 0; i < 5; ++i) {
        EXPECT_TRUE(guard.run("a", [] { throw std::runtime_error("broke"); }));
        EXPECT_FALSE(guard.run("b", [] {}));
    }
    EXPECT_TRUE(guard.run("a", [] { throw std::runtime_error("broke otherwise"); }));
    EXPECT_FALSE(guard.run("a", [] {}));
    EXPECT_FALSE(guard.run("a", [] {}));
    EXPECT_EQ(logged.lines, (LoggedLines{"a: broke", "a: broke otherwise", "a: works again, after 6 failures"}));
}

TEST(Guard, LeavesWhatFailsAloneForLongerEachTimeUpToAMinute) {
    Guard guard(nullptr);
    EXPECT_EQ(guard.pause("a").count(), 0);
    std::vector<std::int64_t> pauses;
    for (int i = 0; i < 8; ++i) {
        static_cast<void>(guard.run("a", [] { throw 1; }));
        pauses.push_back(guard.pause("a").count());
    }
    EXPECT_EQ(pauses, (std::vector<std::int64_t>{1, 2, 4, 8, 16, 32, 60, 60}));
    EXPECT_EQ(guard.pause("b").count(), 0);
    static_cast<void>(guard.run("a", [] {}));
    EXPECT_EQ(guard.pause("a").count(), 0);
}

TEST(Guard, LivesWithALogThatThrows) {
    Guard guard([](std::string_view, std::string_view) { throw std::bad_alloc(); });
    EXPECT_TRUE(guard.run("a", [] { throw std::runtime_error("broke"); }));
    EXPECT_FALSE(guard.run("a", [] {}));
}

} // namespace
} // namespace costcurve::failure
