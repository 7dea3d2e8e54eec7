// Pages put together: one more than the limit says that there is more, and so do too many bytes.
#include "server/storage/list_query.hpp"

#include <gtest/gtest.h>

namespace costcurve::storage::test {
namespace {

TEST(Pages, AreCutAtTheirLimit) {
    std::vector<int> rows = {1, 2, 3};
    EXPECT_FALSE(cut_to(rows, 3));
    EXPECT_EQ(rows.size(), 3U);
    EXPECT_TRUE(cut_to(rows, 2));
    EXPECT_EQ(rows, (std::vector<int>{1, 2}));
}

TEST(Pages, EndBeforeTheyGrowTooLargeButHaveOneRevision) {
    const auto revision = [](std::size_t body, std::size_t points) {
        Revision filled;
        filled.record.body = std::string(body, 'x');
        filled.record.series = {{"", std::vector<double>(points), std::vector<double>(points)}};
        return filled;
    };
    PageFill page(100, false);
    EXPECT_TRUE(page.add(revision(200, 0))) << "the first comes always";
    EXPECT_FALSE(page.add(revision(1, 0)));
    const Page full = page.take();
    EXPECT_EQ(full.items.size(), 1U);
    EXPECT_TRUE(full.more);

    PageFill points(100, false); // a point is 16 bytes
    EXPECT_TRUE(points.add(revision(4, 3)));
    EXPECT_TRUE(points.add(revision(0, 3)));
    EXPECT_FALSE(points.add(revision(1, 0)));

    PageFill last(100, true);
    EXPECT_TRUE(last.add(revision(1, 0)));
    EXPECT_TRUE(last.take().more);
}

} // namespace
} // namespace costcurve::storage::test
