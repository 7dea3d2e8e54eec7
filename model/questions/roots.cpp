// Brackets, then roots.
#include "model/questions/roots.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <boost/math/tools/toms748_solve.hpp>

namespace costcurve::model {

namespace {

struct Point {
    double x;
    double f;
};

constexpr double kRelativeJump = 1e-6; // of the largest |f| seen: more than rounding leaves at a root
constexpr std::uintmax_t kMostIterations = 200;

bool opposite(const Point& a, const Point& b) { return (a.f < 0.0 && b.f > 0.0) || (a.f > 0.0 && b.f < 0.0); }

std::vector<double> points_between(double low, double high, bool is_whole, int steps) {
    std::vector<double> all;
    all.reserve(static_cast<std::size_t>(steps) + 1);
    for (int i = 0; i <= steps; ++i) {
        const double x = i == steps ? high : low + (high - low) * i / steps;
        const double point = is_whole ? std::round(x) : x;
        if (all.empty() || point > all.back()) {
            all.push_back(point);
        }
    }
    return all;
}

// The first whole number of the right end's sign; empty where f has no value on the way.
std::optional<Root> whole_root(const PartialFunction& f, Point left, Point right) {
    while (right.x - left.x > 1.0) {
        const double middle = std::floor((left.x + right.x) / 2);
        const std::optional<double> value = f(middle);
        if (!value) {
            return std::nullopt;
        }
        (opposite({middle, *value}, left) || *value == 0.0 ? right : left) = {middle, *value};
    }
    return Root{right.x, right.f, right.f != 0.0};
}

std::optional<Root> real_root(const PartialFunction& f, const Point& left, const Point& right, double scale) {
    bool has_gap = false;
    const auto value_at = [&](double x) {
        const std::optional<double> value = f(x);
        has_gap = has_gap || !value;
        return value.value_or(0.0); // ends the search
    };
    std::uintmax_t iterations = kMostIterations;
    const auto [a, b] = boost::math::tools::toms748_solve(value_at, left.x, right.x, left.f, right.f,
                                                          boost::math::tools::eps_tolerance<double>(50), iterations);
    const double f_a = value_at(a);
    const double f_b = value_at(b);
    if (has_gap) {
        return std::nullopt;
    }
    const Root root = std::fabs(f_a) <= std::fabs(f_b) ? Root{a, f_a, false} : Root{b, f_b, false};
    return Root{root.x, root.f, std::fabs(root.f) > kRelativeJump * scale};
}

} // namespace

Scan find_roots(const PartialFunction& f, double low, double high, bool is_whole, int steps) {
    Scan scan;
    const PartialFunction counted = [&](double x) {
        ++scan.iterations;
        return f(x);
    };
    double scale = 0.0;
    std::vector<std::optional<Point>> points;
    for (const double x : points_between(low, high, is_whole, steps)) {
        const std::optional<double> value = counted(x);
        points.push_back(value ? std::optional(Point{x, *value}) : std::nullopt);
        if (value) {
            scan.least = std::min(scan.least.value_or(*value), *value);
            scan.most = std::max(scan.most.value_or(*value), *value);
            scale = std::max(scale, std::fabs(*value));
        }
    }
    const auto end_value = [](const std::optional<Point>& p) { return p ? std::optional(p->f) : std::nullopt; };
    scan.low = end_value(points.front());
    scan.high = end_value(points.back());
    scan.is_zero = scan.least == 0.0 && scan.most == 0.0;
    for (std::size_t i = 0; i < points.size() && !scan.is_zero; ++i) {
        const bool first_zero = points[i] && points[i]->f == 0.0 && (i == 0 || !points[i - 1] || points[i - 1]->f != 0.0);
        if (first_zero) {
            scan.roots.push_back({points[i]->x, 0.0, false});
        } else if (i > 0 && points[i] && points[i - 1] && opposite(*points[i - 1], *points[i])) {
            const auto root =
                is_whole ? whole_root(counted, *points[i - 1], *points[i]) : real_root(counted, *points[i - 1], *points[i], scale);
            if (root) {
                scan.roots.push_back(*root);
            }
        }
    }
    return scan;
}

} // namespace costcurve::model
