// Reading curves (model.md, section 3): the three rules, ends, wrap of periodic axes, and evidence.
#include "model/documents/curve.hpp"

#include "tests/model/close.hpp"

namespace costcurve::model {
namespace {

using tests::is_close;

Curve made(Axis axis, Interpolation rule, std::vector<double> x, std::vector<double> y) {
    Curve curve;
    curve.axis = axis;
    curve.interpolation = rule;
    curve.x = std::move(x);
    curve.y = std::move(y);
    return curve;
}

struct Reading {
    double x;
    double expected;
    double tolerance = 1e-14;
};

void expect_readings(const Curve& curve, const std::vector<Reading>& rows) {
    for (const Reading& row : rows) {
        EXPECT_TRUE(is_close(read(curve, row.x), row.expected, row.tolerance)) << "at x = " << row.x;
    }
}

TEST(Curve, StepHoldsTheValueOfTheLastPointAtOrLeft) {
    expect_readings(made(Axis::batch, Interpolation::step, {1, 4, 16}, {10, 30, 50}),
                    {{1, 10}, {3.999, 10}, {4, 30}, {15, 30}, {16, 50}});
}

TEST(Curve, LinearGoesStraightBetweenPoints) {
    // Between (2, 10) and (6, 30): 10 + 20 * (x - 2) / 4.
    expect_readings(made(Axis::batch, Interpolation::linear, {2, 6, 10}, {10, 30, 10}),
                    {{2, 10}, {3, 15}, {4, 20}, {6, 30}, {9, 15}, {10, 10}});
}

TEST(Curve, LogIsLinearInBothLogarithms) {
    struct Row {
        const char* law;
        std::vector<double> x, y;
        double at, expected;
    };
    const std::vector<Row> rows = {
        {"y = 10 x", {1, 100}, {10, 1000}, 10, 100},
        {"y = sqrt x", {1, 100}, {1, 10}, 25, 5},
        {"y = 16 / x", {2, 8}, {8, 2}, 4, 4},
        {"y = 7", {1, 1000}, {7, 7}, 31, 7},
        {"y = x^2, huge", {1, 1e6}, {1, 1e12}, 1e5, 1e10},
    };
    for (const Row& row : rows) {
        EXPECT_TRUE(is_close(read(made(Axis::batch, Interpolation::log, row.x, row.y), row.at), row.expected, 1e-12)) << row.law;
    }
}

TEST(Curve, EndValuesHoldBeyondTheEnds) {
    for (const Interpolation rule : {Interpolation::linear, Interpolation::step, Interpolation::log}) {
        expect_readings(made(Axis::devices, rule, {2, 4, 8}, {1, 0.9, 0.7}), {{1, 1}, {2, 1}, {8, 0.7}, {1e6, 0.7}});
    }
}

TEST(Curve, OnePointIsAConstant) {
    for (const Axis axis : {Axis::batch, Axis::hour_of_day, Axis::hour_of_week, Axis::hour_of_year, Axis::date}) {
        expect_readings(made(axis, Interpolation::linear, {3}, {42}), {{0, 42}, {3, 42}, {23, 42}, {8759, 42}});
    }
}

TEST(Curve, ValuesMayBeNegative) {
    // -0.02 + (0.08 - -0.02) * 6 / 12 = 0.03
    expect_readings(made(Axis::hour_of_day, Interpolation::linear, {0, 12}, {-0.02, 0.08}), {{0, -0.02}, {6, 0.03}});
}

TEST(Curve, PeriodicStepHasTheLastPointsValueBeforeItsFirst) {
    expect_readings(made(Axis::hour_of_day, Interpolation::step, {8, 20}, {2, 1}),
                    {{0, 1}, {7, 1}, {8, 2}, {19, 2}, {20, 1}, {23, 1}});
}

TEST(Curve, PeriodicLinearRunsFromTheLastPointToTheFirstOfTheNextPeriod) {
    // From (18, 12) to (6 + 24, 0): 12 - (x - 18); hour 0 is 24, hour 3 is 27.
    expect_readings(made(Axis::hour_of_day, Interpolation::linear, {6, 18}, {0, 12}),
                    {{6, 0}, {12, 6}, {18, 12}, {21, 9}, {0, 6}, {3, 3}});
    // From (160, 0) to (0 + 168, 8).
    expect_readings(made(Axis::hour_of_week, Interpolation::linear, {0, 160}, {8, 0}), {{164, 4}, {167, 7}, {80, 4}});
}

TEST(Curve, PeriodicAxisWrapsBothWays) {
    const Curve day = made(Axis::hour_of_day, Interpolation::linear, {6, 18}, {0, 12});
    for (int hour = 0; hour < 24; ++hour) {
        EXPECT_EQ(read(day, hour + 24), read(day, hour));
        EXPECT_EQ(read(day, hour - 240), read(day, hour));
    }
}

TEST(Curve, SamplesAPeriodAtItsWholeHours) {
    struct Row {
        Axis axis;
        std::size_t size;
    };
    for (const Row& row : {Row{Axis::hour_of_day, 24}, Row{Axis::hour_of_week, 168}, Row{Axis::hour_of_year, 8760}}) {
        const Curve curve = made(row.axis, Interpolation::linear, {0, 12}, {0, 12});
        const std::vector<double> values = sample_period(curve);
        ASSERT_EQ(values.size(), row.size);
        EXPECT_EQ(period_of(row.axis), static_cast<int>(row.size));
        EXPECT_EQ(values[5], 5.0);
        EXPECT_EQ(values.back(), read(curve, static_cast<double>(row.size) - 1));
    }
    for (const Axis axis : {Axis::utilization, Axis::load, Axis::date, Axis::batch, Axis::devices, Axis::age_months}) {
        EXPECT_EQ(period_of(axis), 0);
    }
}

TEST(Curve, AnHourWithPointsInsideIsItsMean) {
    const Curve quarters = made(Axis::hour_of_day, Interpolation::step, {0, 8, 8.25, 8.5, 8.75, 9}, {1, 2, 4, 6, 8, 1});
    EXPECT_EQ(point_inside_hour(quarters), std::optional<std::size_t>(2));
    const std::vector<double> values = sample_period(quarters);
    EXPECT_DOUBLE_EQ(values[7], 1);
    EXPECT_DOUBLE_EQ(values[8], 5);
    EXPECT_DOUBLE_EQ(values[9], 1);
    // From half past six to half past ten at night, as some tariffs have it.
    const std::vector<double> day = sample_period(made(Axis::hour_of_day, Interpolation::step, {6.5, 22.5}, {3, 1}));
    EXPECT_DOUBLE_EQ(day[6], 2);
    EXPECT_DOUBLE_EQ(day[7], 3);
    EXPECT_DOUBLE_EQ(day[22], 2);
    EXPECT_DOUBLE_EQ(day[23], 1);
    // Up from 0 at 12:00 to 4 at 12:30, and down to 0 at 13:00; and over midnight from 0 at 23:30 to 1 at 0:00.
    const std::vector<double> line =
        sample_period(made(Axis::hour_of_day, Interpolation::linear, {0, 1, 12, 12.5, 13, 23.5}, {1, 0, 0, 4, 0, 0}));
    EXPECT_DOUBLE_EQ(line[12], 2);
    EXPECT_DOUBLE_EQ(line[13], 0);
    EXPECT_DOUBLE_EQ(line[23], 0.25);
    EXPECT_FALSE(point_inside_hour(made(Axis::batch, Interpolation::linear, {1, 1.5}, {1, 2})));
}

TEST(Curve, SplittingASegmentAtItsOwnValueChangesNothing) {
    struct Row {
        Axis axis;
        Interpolation rule;
        double split;
    };
    const std::vector<Row> rows = {
        {Axis::batch, Interpolation::linear, 5},     {Axis::batch, Interpolation::step, 5},
        {Axis::batch, Interpolation::log, 5},        {Axis::hour_of_day, Interpolation::linear, 5},
        {Axis::hour_of_day, Interpolation::step, 5},
    };
    for (const Row& row : rows) {
        const Curve whole = made(row.axis, row.rule, {2, 12, 20}, {10, 40, 5});
        const Curve split = made(row.axis, row.rule, {2, row.split, 12, 20}, {10, read(whole, row.split), 40, 5});
        for (double x = 0.5; x < 24; x += 0.5) {
            EXPECT_TRUE(is_close(read(split, x), read(whole, x), 1e-13)) << x;
        }
    }
}

TEST(Curve, SplittingThePartThatWrapsChangesNothing) {
    const Curve whole = made(Axis::hour_of_day, Interpolation::linear, {6, 18}, {0, 12});
    const Curve split = made(Axis::hour_of_day, Interpolation::linear, {2, 6, 18, 22}, {4, 0, 12, 8});
    for (int hour = 0; hour < 24; ++hour) {
        EXPECT_NEAR(read(split, hour), read(whole, hour), 1e-12);
    }
}

TEST(Curve, ScalingItsValuesScalesItsReadings) {
    for (const Interpolation rule : {Interpolation::linear, Interpolation::step, Interpolation::log}) {
        const Curve one = made(Axis::batch, rule, {1, 8, 64}, {3, 20, 90});
        const Curve twice = made(Axis::batch, rule, {1, 8, 64}, {6, 40, 180});
        for (double x = 1; x < 80; x *= 1.3) {
            EXPECT_TRUE(is_close(read(twice, x), 2 * read(one, x), 1e-13));
        }
    }
}

TEST(Curve, AscendingPointsReadAscending) {
    for (const Interpolation rule : {Interpolation::linear, Interpolation::step, Interpolation::log}) {
        const Curve curve = made(Axis::batch, rule, {1, 8, 64, 512}, {3, 20, 90, 91});
        double last = 0;
        for (double x = 0.5; x < 1000; x *= 1.1) {
            const double value = read(curve, x);
            EXPECT_GE(value, last * (1 - 1e-14));
            last = value;
        }
    }
}

TEST(Curve, IsOutsideBeyondItsEndsOnly) {
    const Curve batch = made(Axis::batch, Interpolation::linear, {2, 8}, {1, 2});
    EXPECT_TRUE(is_outside(batch, 1.999));
    EXPECT_FALSE(is_outside(batch, 2));
    EXPECT_FALSE(is_outside(batch, 8));
    EXPECT_TRUE(is_outside(batch, 8.001));
    const Curve day = made(Axis::hour_of_day, Interpolation::linear, {6, 18}, {0, 12});
    EXPECT_FALSE(is_outside(day, 0));
    EXPECT_FALSE(is_outside(day, 23));
}

TEST(Curve, EvidenceIsThatOfThePlaceRead) {
    struct Row {
        Axis axis;
        double x;
        Evidence expected;
    };
    const std::vector<Row> rows = {
        {Axis::batch, 2, Evidence::measured},           {Axis::batch, 3, Evidence::interpolated},
        {Axis::batch, 1, Evidence::extrapolated},       {Axis::batch, 9, Evidence::extrapolated},
        {Axis::devices, 8, Evidence::measured},         {Axis::devices, 7, Evidence::interpolated},
        {Axis::age_months, 48, Evidence::extrapolated}, {Axis::hour_of_day, 1, Evidence::measured},
        {Axis::hour_of_week, 5, Evidence::measured},    {Axis::date, 20000, Evidence::measured},
        {Axis::utilization, 0.5, Evidence::measured},   {Axis::throughput_share, 0.5, Evidence::measured},
        {Axis::busy_time, 0.5, Evidence::measured},
    };
    for (const Row& row : rows) {
        const Curve curve = made(row.axis, Interpolation::linear, {2, 8}, {1, 2});
        EXPECT_EQ(evidence_at(curve, row.x), row.expected) << name_of(row.axis) << " at " << row.x;
    }
}

TEST(Curve, EveryKindHasItsRowAndAxes) {
    struct Row {
        CurveKind kind;
        std::vector<Axis> axes;
        double y_min;
    };
    const std::vector<Axis> hours = {Axis::hour_of_week, Axis::hour_of_day, Axis::hour_of_year};
    std::vector<Axis> timed = hours;
    timed.push_back(Axis::date);
    std::vector<Axis> pue = hours;
    pue.insert(pue.begin(), Axis::load);
    const std::vector<Row> rows = {
        // model.md, section 3
        {CurveKind::price, {Axis::date}, 0},
        {CurveKind::power, {Axis::throughput_share, Axis::busy_time, Axis::utilization}, 0},
        {CurveKind::pue, pue, 1},
        {CurveKind::tariff, timed, -1e6},
        {CurveKind::carbon, timed, 0},
        {CurveKind::utilization, timed, 0},
        {CurveKind::demand, timed, 0},
        {CurveKind::throughput, {Axis::batch, Axis::devices}, 0},
        {CurveKind::latency, {Axis::batch}, 0},
        {CurveKind::scaling, {Axis::devices}, 0},
        {CurveKind::residual, {Axis::age_months}, 0},
        {CurveKind::index, {Axis::date, Axis::age_months}, 0},
        {CurveKind::ramp, {Axis::months}, 0},
        {CurveKind::availability, timed, 0},
    };
    ASSERT_EQ(curve_kinds().size(), rows.size());
    for (const Row& row : rows) {
        const CurveKindRow& found = curve_kind_row(row.kind);
        EXPECT_EQ(found.kind, row.kind);
        EXPECT_EQ(std::vector<Axis>(found.axes.begin(), found.axes.end()), row.axes) << name_of(row.kind);
        EXPECT_EQ(found.y_min, row.y_min) << name_of(row.kind);
        EXPECT_GT(found.y_max, found.y_min);
    }
    for (const CurveKind kind : {CurveKind::utilization, CurveKind::scaling, CurveKind::residual, CurveKind::availability}) {
        EXPECT_EQ(curve_kind_row(kind).y_max, 1.0) << "a fraction";
    }
}

TEST(Curve, AxesHaveRanges) {
    for (const Axis axis : {Axis::utilization, Axis::throughput_share, Axis::busy_time}) {
        EXPECT_EQ(range_of(axis).high, 1.0);
    }
    EXPECT_EQ(range_of(Axis::batch).low, 1.0);
    EXPECT_EQ(range_of(Axis::devices).low, 1.0);
    for (const Axis axis : {Axis::hour_of_day, Axis::hour_of_week, Axis::hour_of_year}) {
        EXPECT_EQ(range_of(axis).low, 0.0);
        EXPECT_LT(range_of(axis).high, period_of(axis));
        EXPECT_GE(range_of(axis).high, period_of(axis) - 1);
    }
}

TEST(Curve, EnumerationsHaveAWordForEveryValue) {
    EXPECT_EQ(name_of(Axis::age_months), "age_months");
    EXPECT_EQ(name_of(CurveKind::residual), "residual");
    EXPECT_EQ(value_of<Interpolation>("log"), Interpolation::log);
    EXPECT_EQ(value_of<Interpolation>("cubic"), std::nullopt);
    EXPECT_EQ(value_of<Evidence>("assumed"), Evidence::assumed);
}

} // namespace
} // namespace costcurve::model
