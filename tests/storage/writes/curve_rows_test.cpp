// Rows of points: the difference between curves, and curves put together again.
#include "server/storage/writes/curve_rows.hpp"

#include <gtest/gtest.h>

namespace costcurve::storage::test {
namespace {

const Series kPrices{"/price", {1, 2, 3}, {10, 20, 30}};

TEST(CurveRows, AreOnlyOfPointsThatDiffer) {
    const struct {
        const char* what;
        std::vector<Series> before, after;
        std::vector<CurveRows> rows;
    } rows[] = {
        {"nothing", {}, {}, {}},
        {"the same", {kPrices}, {kPrices}, {}},
        {"all new", {}, {kPrices}, {{"/price", {{1, 10}, {2, 20}, {3, 30}}}}},
        {"all gone", {kPrices}, {}, {{"/price", {{1, {}}, {2, {}}, {3, {}}}}}},
        {"one changed", {kPrices}, {{"/price", {1, 2, 3}, {10, 21, 30}}}, {{"/price", {{2, 21}}}}},
        {"one gone, one between", {kPrices}, {{"/price", {1, 2.5, 3}, {10, 25, 30}}}, {{"/price", {{2, {}}, {2.5, 25}}}}},
        {"one behind", {kPrices}, {{"/price", {1, 2, 3, 4}, {10, 20, 30, 40}}}, {{"/price", {{4, 40}}}}},
        {"another curve", {kPrices}, {{"/a", {1}, {5}}}, {{"/a", {{1, 5}}}, {"/price", {{1, {}}, {2, {}}, {3, {}}}}}},
        {"in another order", {{"/b", {1}, {1}}, {"/a", {1}, {2}}}, {{"/a", {1}, {2}}, {"/b", {1}, {1}}}, {}},
    };
    for (const auto& row : rows) {
        EXPECT_EQ(rows_between(row.before, row.after), row.rows) << row.what;
    }
    EXPECT_EQ(rows_of({kPrices}), rows_between({}, {kPrices}));
}

TEST(CurveFold, TakesTheNewestRowOfEachPoint) {
    CurveFold fold;
    fold.begin_curve("/b");
    fold.add(1, 10.0);
    fold.add(1, 11.0); // replaced
    fold.add(2, 20.0);
    fold.add(2, std::nullopt); // taken away
    fold.add(3, std::nullopt);
    fold.add(3, 30.0); // and back
    fold.begin_curve("/a");
    fold.add(3, 5.0);
    fold.begin_curve("/gone");
    fold.add(3, 5.0);
    fold.add(3, std::nullopt);
    EXPECT_EQ(fold.take(), (std::vector<Series>{{"/a", {3}, {5}}, {"/b", {1, 3}, {11, 30}}}));
}

TEST(CurveFold, UndoesADifference) {
    const Series after{"/price", {0, 2, 4}, {1, 20, 3}};
    CurveFold fold;
    fold.begin_curve("/price");
    const auto written = rows_between({kPrices}, {after}).front().rows;
    for (double x : {0.0, 1.0, 2.0, 3.0, 4.0}) { // by x, then by change
        if (x >= 1 && x <= 3) {
            fold.add(x, 10 * x);
        }
        for (const PointRow& row : written) {
            if (row.x == x) {
                fold.add(x, row.y);
            }
        }
    }
    EXPECT_EQ(fold.take(), std::vector<Series>{after});
}

TEST(LastPoint, IsTheFirstThatNoNewerRowTakesAway) {
    const struct {
        std::vector<PointRow> rows; // descending in x, the newest of an x first
        std::optional<double> y;
    } rows[] = {
        {{}, std::nullopt},
        {{{3, 30}, {3, 29}, {2, 20}}, 30},
        {{{3, {}}, {3, 30}, {2, 20}}, 20},
        {{{3, {}}, {3, 30}}, std::nullopt},
        {{{3, {}}, {2, {}}, {2, 20}, {1, 10}}, 10},
    };
    for (const auto& row : rows) {
        LastPoint last;
        for (const PointRow& point : row.rows) {
            if (!last.add(point.x, point.y)) {
                break;
            }
        }
        EXPECT_EQ(last.y(), row.y);
    }
}

} // namespace
} // namespace costcurve::storage::test
