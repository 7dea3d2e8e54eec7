// Arithmetic of telemetry: windows, the order of samples, and readings of counters spread over hours.
#include <tuple>

#include <gtest/gtest.h>

#include "server/storage/telemetry.hpp"
#include "server/storage/timestamp.hpp"

namespace costcurve::storage::test {
namespace {

constexpr std::int64_t kHourMs = kMillisecondsPerHour;

TEST(TelemetryWindow, BeginsAtAWholeHourAndEndsAnHourAhead) {
    const std::int64_t now_ms = 1000 * kHourMs + 5;
    const TelemetryWindow window = window_at(now_ms * 1000 + 999, 7);
    EXPECT_EQ(window.oldest_ms, (1000 - 7 * 24) * kHourMs);
    EXPECT_EQ(window.newest_ms, now_ms + kHourMs);
    EXPECT_EQ(window.now_ms, now_ms);
}

TEST(Samples, AreTakenInTheOrderOfTheirTablesWhereTheWindowHasThem) {
    const SampleBatch batch{{{"a", "", "power_w"}, {"a", "", "output_tokens"}},
                            {{0, 60'000, 1}, {1, 60'000, 2}, {0, 59'999, 3}, {0, 60'000, 4}, {0, 1'000, 5}, {0, 99'000, 6}}};
    const TelemetryWindow window{1'001, 98'999, 0};
    EXPECT_EQ(outside_of(window, batch), (std::vector<std::size_t>{4, 5}));
    std::vector<std::size_t> order;
    for (const PlacedSample& sample : place_samples(batch, {7, 8}, false, window)) {
        EXPECT_EQ(sample.series, 7);
        EXPECT_EQ(sample.minute * 60'000 + sample.millisecond, batch.samples[sample.index].time_ms);
        order.push_back(sample.index);
    }
    EXPECT_EQ(order, (std::vector<std::size_t>{2, 0, 3}));
    EXPECT_EQ(place_samples(batch, {7, 8}, true, window).front().index, 1U);
}

TEST(HourSums, HaveTheLeastAndTheLargestValue) {
    HourSums sums;
    for (const double value : {-2.0, -5.0, -3.0}) {
        sums.add(value);
    }
    EXPECT_EQ(std::tuple(sums.count, sums.sum, sums.squares, sums.minimum, sums.maximum), std::tuple(3, -10.0, 38.0, -5.0, -2.0));
}

// By the hour from 0 on.
std::vector<double> increases(const SumsByHour& hours) {
    std::vector<double> found;
    for (const auto& [place, sums] : hours) {
        EXPECT_EQ(place.second, 9);
        found.resize(static_cast<std::size_t>(place.first) + 1);
        found.back() = sums.increase;
    }
    return found;
}

TEST(Counters, SpreadTheirIncreaseEvenlyOverTheHoursBetween) {
    SumsByHour hours;
    add_reading(hours, 9, {2 * kHourMs + kHourMs / 2, 120}, Reading{kHourMs / 2, 20}, std::nullopt);
    EXPECT_EQ(increases(hours), (std::vector<double>{25, 50, 25}));
}

TEST(Counters, CountTheSameWhicheverReadingComesLate) {
    const Reading first{kHourMs / 2, 20};
    const Reading second{kHourMs, 60};
    const Reading third{2 * kHourMs, 100};
    SumsByHour in_order;
    add_reading(in_order, 9, second, first, std::nullopt);
    add_reading(in_order, 9, third, second, std::nullopt);
    SumsByHour late;
    add_reading(late, 9, third, first, std::nullopt);
    add_reading(late, 9, second, first, third);
    EXPECT_EQ(increases(in_order), (std::vector<double>{40, 40}));
    ASSERT_EQ(increases(late).size(), 2U);
    EXPECT_NEAR(increases(late)[0], 40, 1e-9);
    EXPECT_NEAR(increases(late)[1], 40, 1e-9);
}

TEST(Samples, OfAnySmallBatchMakeRoomByABoundedNumber) {
    EXPECT_EQ(max_deleted_samples(0), 20'000U);
    EXPECT_EQ(max_deleted_samples(100'000), 400'000U);
}

TEST(NotedSources, AreNewOnceAnHour) {
    NotedSources noted;
    const Author alice{"alice", "", "10.0.0.1"};
    const Author elsewhere{"alice", "", "10.0.0.2"};
    EXPECT_TRUE(noted.is_first_of_hour(alice, 0)) << "the first of all, in hour 0 too";
    EXPECT_FALSE(noted.is_first_of_hour(alice, kMicrosecondsPerHour - 1));
    EXPECT_TRUE(noted.is_first_of_hour(elsewhere, 0));
    EXPECT_TRUE(noted.is_first_of_hour(alice, kMicrosecondsPerHour));
    EXPECT_TRUE(noted.is_first_of_hour(alice, 0)) << "a clock that was set back";
}

} // namespace
} // namespace costcurve::storage::test
