// Points of curves as rows: those that lead from a document's curves to its next ones, and curves put together from rows.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/storage/record.hpp"

namespace costcurve::storage {

/// A point as a revision wrote it: without y it takes the point of this x away.
struct PointRow {
    double x = 0.0;
    std::optional<double> y;
    friend bool operator==(const PointRow&, const PointRow&) = default;
};
/// The rows that a revision wrote of one curve, ascending in x.
struct CurveRows {
    std::string pointer;
    std::vector<PointRow> rows;
    friend bool operator==(const CurveRows&, const CurveRows&) = default;
};

/// The rows that lead from a document's curves to others, by pointer: a point that is gone becomes a row without y, one that stayed
/// the same none at all.
[[nodiscard]] std::vector<CurveRows> rows_between(const std::vector<Series>& before, const std::vector<Series>& after);
/// Rows of a document that had no curves before.
[[nodiscard]] std::vector<CurveRows> rows_of(const std::vector<Series>& series);

/// The same curves, by pointer.
[[nodiscard]] std::vector<const Series*> by_pointer(const std::vector<Series>& series);

/// Curves from rows of points: a curve after the other, ascending in x, rows of the same x in the order of their changes.
class CurveFold {
public:
    void begin_curve(std::string pointer) {
        series_.push_back({std::move(pointer), {}, {}});
        last_x_.reset();
    }
    void add(double x, std::optional<double> y) {
        Series& series = series_.back();
        if (last_x_ == x && !series.x.empty() && series.x.back() == x) { // this row replaces the one before
            series.x.pop_back();
            series.y.pop_back();
        }
        last_x_ = x;
        if (y) {
            series.x.push_back(x);
            series.y.push_back(*y);
        }
    }
    /// Those that have points, by pointer.
    [[nodiscard]] std::vector<Series> take();

private:
    std::vector<Series> series_;
    std::optional<double> last_x_;
};

/// The last point of a curve from rows of points that descend in x, rows of the same x from the newest change on.
class LastPoint {
public:
    /// False once the rows that follow don't matter.
    [[nodiscard]] bool add(double x, std::optional<double> y) {
        if (removed_ != x) {
            removed_ = x;
            y_ = y;
        }
        return !y_;
    }
    [[nodiscard]] std::optional<double> y() const { return y_; }

private:
    std::optional<double> removed_; // an x whose newest row takes the point away
    std::optional<double> y_;
};

} // namespace costcurve::storage
