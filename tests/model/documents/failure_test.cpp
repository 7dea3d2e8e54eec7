// How many issues a failure keeps, and how it says how many there were.
#include "model/documents/failure.hpp"

#include <gtest/gtest.h>

namespace costcurve::model {
namespace {

Failure failure_with(std::size_t count) {
    Failure failure;
    for (std::size_t i = 0; i < count; ++i) {
        failure.push_back({std::to_string(i), Code::missing, ""});
    }
    return failure;
}

TEST(Failure, KeepsAThousandIssuesAndCountsTheRest) {
    const Failure failure = failure_with(800000);
    EXPECT_EQ(failure.size(), 800000U);
    EXPECT_EQ(std::distance(failure.begin(), failure.end()), 1000);
    EXPECT_EQ(failure.front().pointer, "0");
}

TEST(Failure, CountsWhatAnotherOnlyCounts) {
    Failure failure = failure_with(10);
    failure.add_all(failure_with(5000));
    failure.add_all(failure_with(2));
    EXPECT_EQ(failure.size(), 5012U);
    EXPECT_EQ(std::distance(failure.begin(), failure.end()), 1000);
}

TEST(Failure, SaysHowManyIssuesThereAre) {
    struct Row {
        std::size_t count;
        std::string_view text;
    };
    for (const Row& row :
         {Row{0, "0 issues"}, Row{1, "1 issue"}, Row{999, "999 issues"}, Row{1000, "1,000 issues"},
          Row{1001, "1,001 issues; the first 1,000 are listed"}, Row{1234567, "1,234,567 issues; the first 1,000 are listed"}}) {
        EXPECT_EQ(count_text(failure_with(row.count)), row.text);
    }
}

} // namespace
} // namespace costcurve::model
