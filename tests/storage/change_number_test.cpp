// The number and the time of the next change, whatever the clock does.
#include "server/storage/change_number.hpp"

#include <gtest/gtest.h>

namespace costcurve::storage::test {
namespace {

constexpr ChangeNumber kLast{7, 2, 5'000'000};

TEST(ChangeNumber, AscendsWhateverTheClockSays) {
    const struct {
        const char* clock;
        ChangeNumber last;
        std::int64_t now;
        ChangeNumber next;
    } rows[] = {
        {"the first of all", {}, 42, {1, 0, 42}},
        {"goes on", kLast, 5'000'001, {8, 2, 5'000'001}},
        {"stands still", kLast, 5'000'000, {8, 2, 5'000'001}},
        {"jitters", kLast, 5'000'000 - kClockJitter, {8, 2, 5'000'001}},
        {"was set back", kLast, 5'000'000 - kClockJitter - 1, {8, 3, 5'000'000 - kClockJitter - 1}},
    };
    for (const auto& row : rows) {
        EXPECT_EQ(next_change(row.last, row.now), row.next) << row.clock;
    }
}

} // namespace
} // namespace costcurve::storage::test
