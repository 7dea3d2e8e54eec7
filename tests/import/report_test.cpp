// Complaints: how many rows they are about.
#include <gtest/gtest.h>

#include "server/import/report.hpp"

namespace costcurve::imports {
namespace {

TEST(Complaints, CountRowsApartFromComplaints) {
    Complaints complaints;
    complaints.add(2, "one cell");
    complaints.add(2, "another");
    complaints.add(0, "of the whole file");
    complaints.add(5, "one cell");
    EXPECT_EQ(complaints.count, 4U);
    EXPECT_EQ(complaints.rows, 2U);
}

} // namespace
} // namespace costcurve::imports
