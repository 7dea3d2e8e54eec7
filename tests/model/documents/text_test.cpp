#include "model/documents/text.hpp"

#include <cstdint>

#include <gtest/gtest.h>

namespace costcurve::model {
namespace {

TEST(Text, LowerFoldsTheCaseOfAscii) { EXPECT_EQ(lower("H100 ÄZ@["), "h100 Äz@["); }

TEST(Text, ANumberIsTheWholeText) {
    EXPECT_EQ(read_number<int>("42"), 42);
    EXPECT_EQ(read_number<double>("4.5e1"), 45.0);
    EXPECT_EQ(read_number<std::int64_t>("-7"), -7);
    for (const char* text : {"", " 1", "1 ", "+1", "1x", "0x1", "99999999999"}) {
        EXPECT_EQ(read_number<int>(text), std::nullopt) << text;
    }
    EXPECT_EQ(read_number<unsigned>("-1"), std::nullopt);
}

} // namespace
} // namespace costcurve::model
