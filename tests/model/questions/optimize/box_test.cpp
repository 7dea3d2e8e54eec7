// Plans near another, listed by hand.
#include "model/questions/optimize/box.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace costcurve::model {
namespace {

std::vector<Plan> sorted(std::vector<Plan> plans) {
    std::sort(plans.begin(), plans.end());
    return plans;
}

TEST(Boxes, NeighboursAreStepsOfOneAndItsTriplesUpToHalfTheBox) {
    EXPECT_EQ(sorted(neighbours({0}, {{0}, {5}})), (std::vector<Plan>{{1}})) << "three is more than the half of five";
    EXPECT_EQ(sorted(neighbours({5}, {{0}, {6}})), (std::vector<Plan>{{2}, {4}, {6}}));
    EXPECT_EQ(sorted(neighbours({10}, {{0}, {20}})), (std::vector<Plan>{{1}, {7}, {9}, {11}, {13}, {19}}));
    EXPECT_EQ(neighbours({3}, {{3}, {3}}), std::vector<Plan>());
    EXPECT_EQ(sorted(neighbours({1, 1}, {{0, 0}, {2, 2}})), (std::vector<Plan>{{0, 1}, {0, 2}, {1, 0}, {1, 2}, {2, 0}, {2, 1}}))
        << "one up with another down";
}

TEST(Boxes, HoldTheirEndsAndRoundIntoThemselves) {
    EXPECT_EQ(plans_in({{0, 2}, {3, 2}}), 4.0);
    EXPECT_EQ(all_plans({{0, 2}, {1, 3}}).size(), 4U);
    EXPECT_EQ(plans_in({{0, 0, 0}, {1 << 30, 1 << 30, 1 << 30}}), 1e15);
    EXPECT_EQ(rounded({1.4, 1.6, 9.0, -3.0}, {{0, 0, 0, 0}, {5, 5, 5, 5}}, 0.5), (Plan{1, 2, 5, 0}));
    EXPECT_EQ(rounded({1.9}, {{0}, {5}}, 0.0), Plan{1});
}

} // namespace
} // namespace costcurve::model
