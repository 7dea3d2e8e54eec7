// When a watched comparison has something to tell: which figure is the least, and what is a change.
#include "model/documents/automation.hpp"

#include <gtest/gtest.h>

namespace costcurve::model {
namespace {

TEST(Standing, AChangeIsAFractionOfWhatWas) {
    EXPECT_FALSE(is_beyond(100, 105, 0.05)) << "at the threshold, not beyond it";
    EXPECT_TRUE(is_beyond(100, 105.01, 0.05));
    EXPECT_TRUE(is_beyond(100, 94.99, 0.05)) << "down as well as up";
    EXPECT_TRUE(is_beyond(-100, -94.99, 0.05));
    EXPECT_FALSE(is_beyond(100, 100, 0)) << "nothing changed";
    EXPECT_TRUE(is_beyond(100, 100 + 1e-9, 0));
    EXPECT_TRUE(is_beyond(0, 1e-9, 100)) << "from nothing, anything is beyond any fraction";
}

} // namespace
} // namespace costcurve::model
