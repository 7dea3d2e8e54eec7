// Points of curves as rows: the difference between two revisions' curves, and curves rebuilt from rows.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "server/storage/record.hpp"

namespace costcurve::storage {

/// A point as written by a revision; without y it removes the point at this x.
struct PointRow {
    double x = 0.0;
    std::optional<double> y;
    friend bool operator==(const PointRow&, const PointRow&) = default;
};
/// The rows that a revision wrote for one curve, ascending in x.
struct CurveRows {
    std::string pointer;
    std::vector<PointRow> rows;
    friend bool operator==(const CurveRows&, const CurveRows&) = default;
};

/// The rows that turn a document's curves into its next curves, by pointer. A removed point becomes a row without y; an unchanged
/// point has no row.
[[nodiscard]] std::vector<CurveRows> rows_between(const std::vector<Series>& before, const std::vector<Series>& after);
/// Rows of a document that had no curves before.
[[nodiscard]] std::vector<CurveRows> rows_of(const std::vector<Series>& series);

/// The same curves, by pointer.
[[nodiscard]] std::vector<const Series*> by_pointer(const std::vector<Series>& series);

/// Rebuilds curves from point rows, which arrive curve by curve, ascending in x, and by change for equal x.
class CurveFold {
public:
    void begin_curve(std::string pointer) {
        series_.push_back({std::move(pointer), {}, {}});
        last_x_.reset();
    }
    void add(double x, std::optional<double> y) {
        Series& series = series_.back();
        if (last_x_ == x && !series.x.empty() && series.x.back() == x) { // this row replaces the previous one
            series.x.pop_back();
            series.y.pop_back();
        }
        last_x_ = x;
        if (y) {
            series.x.push_back(x);
            series.y.push_back(*y);
        }
    }
    /// The curves that have points, by pointer.
    [[nodiscard]] std::vector<Series> take();

private:
    std::vector<Series> series_;
    std::optional<double> last_x_;
};

/// Finds the last point of a curve from rows descending in x, newest change first for equal x.
class LastPoint {
public:
    /// Adds a row. False once further rows don't matter.
    [[nodiscard]] bool add(double x, std::optional<double> y) {
        if (removed_ != x) {
            removed_ = x;
            y_ = y;
        }
        return !y_;
    }
    [[nodiscard]] std::optional<double> y() const { return y_; }

private:
    std::optional<double> removed_; // an x whose newest row removes the point
    std::optional<double> y_;
};

} // namespace costcurve::storage
