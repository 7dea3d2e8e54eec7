// Brackets the changes of sign, then finds the roots in the brackets.
#include "model/questions/roots.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include <boost/math/tools/toms748_solve.hpp>

#include "model/questions/same.hpp"

namespace costcurve::model {

namespace {

struct Point {
    double x;
    double f;
};

constexpr double kRelativeJump = 1e-6; // relative to the largest |f| seen: above the rounding error at a root
constexpr double kRounding = 1e-12;    // relative to the largest |f| seen: rounding error at a zero
constexpr std::uintmax_t kMaxIterations = 200;

bool opposite(double a, double b) { return (a < 0.0 && b > 0.0) || (a > 0.0 && b < 0.0); }

class RootSearch {
public:
    RootSearch(const PartialFunction& f, bool is_whole) : f_(f), is_whole_(is_whole) {}

    std::vector<std::optional<Point>> look_at(const std::vector<double>& all) {
        std::vector<std::optional<Point>> points;
        points.reserve(all.size());
        for (const double x : all) {
            const std::optional<double> f = value(x);
            points.push_back(f ? std::optional(Point{x, *f}) : std::nullopt);
            scale_ = std::max(scale_, std::fabs(f.value_or(0.0)));
        }
        for (std::optional<Point>& point : points) {
            if (point && std::fabs(point->f) <= kRounding * scale_) {
                point->f = 0.0;
            }
        }
        return points;
    }

    // The last x from `inside` towards `outside` at which f is zero. A negligible stretch counts as a single point.
    double zero_until(double inside, double outside) {
        constexpr double kNextToNothing = 1e-6;
        constexpr int kHalvings = 60;
        if (!is_whole_ && value(inside + kNextToNothing * (outside - inside)) != 0.0) {
            return inside;
        }
        for (int i = 0; i < kHalvings; ++i) {
            const double middle = is_whole_ ? std::floor((inside + outside) / 2) : inside + (outside - inside) / 2;
            if (middle == inside || middle == outside) {
                break;
            }
            (value(middle) == 0.0 ? inside : outside) = middle;
        }
        return inside;
    }

    // The root between two points of opposite sign; if f has no value on the way, the gap's second point.
    Root between(const Point& left, const Point& right) {
        const std::optional<Root> root = is_whole_ ? whole_root(left, right) : real_root(left, right);
        return root.value_or(gap(left.f, right));
    }

    static Root gap(double before, const Point& behind) { return {behind.x, behind.x, behind.f, before, behind.f, true, true}; }

    [[nodiscard]] int iterations() const { return iterations_; }

private:
    std::optional<double> unrounded(double x) {
        ++iterations_;
        const std::optional<Difference> f = f_(x);
        return f ? std::optional(f->a - f->b) : std::nullopt;
    }

    std::optional<double> value(double x) {
        ++iterations_;
        const std::optional<Difference> f = f_(x);
        if (!f) {
            return std::nullopt;
        }
        const double difference = f->a - f->b;
        return is_same(f->a, f->b) || std::fabs(difference) <= kRounding * scale_ ? 0.0 : difference;
    }

    // The first zero; otherwise the first whole number at which f has the right end's sign.
    std::optional<Root> whole_root(Point left, const Point& right) {
        Point end = right;
        while (end.x - left.x > 1.0) {
            const double middle = std::floor((left.x + end.x) / 2);
            const std::optional<double> f = value(middle);
            if (!f) {
                return std::nullopt;
            }
            (opposite(*f, left.f) || *f == 0.0 ? end : left) = {middle, *f};
        }
        const double last = end.f == 0.0 ? zero_until(end.x, right.x) : end.x;
        return Root{end.x, last, end.f, left.f, right.f, end.f != 0.0, false};
    }

    std::optional<Root> real_root(const Point& left, const Point& right) {
        bool has_gap = false;
        const auto value_at = [&](double x) {
            const std::optional<double> f = unrounded(x);
            has_gap = has_gap || !f;
            return f.value_or(0.0); // 0 ends the search
        };
        std::uintmax_t iterations = kMaxIterations;
        const auto [a, b] = boost::math::tools::toms748_solve(value_at, left.x, right.x, left.f, right.f,
                                                              boost::math::tools::eps_tolerance<double>(50), iterations);
        const double f_a = value_at(a);
        const double f_b = value_at(b);
        if (has_gap) {
            return std::nullopt;
        }
        const Point at = std::fabs(f_a) <= std::fabs(f_b) ? Point{a, f_a} : Point{b, f_b};
        const bool is_jump = std::fabs(at.f) > kRelativeJump * scale_;
        const double first = is_jump ? at.x : zero_until(at.x, left.x);
        const double last = is_jump ? at.x : zero_until(at.x, right.x);
        return Root{first, last, at.f, left.f, right.f, is_jump, false};
    }

    const PartialFunction& f_;
    bool is_whole_;
    double scale_ = 0.0; // the largest |f| of the points evaluated so far
    int iterations_ = 0;
};

} // namespace

std::vector<double> even_points(double low, double high, bool is_whole, int steps) {
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

Scan find_roots(const PartialFunction& f, double low, double high, bool is_whole, int steps) {
    return find_roots(f, even_points(low, high, is_whole, steps), is_whole);
}

Scan find_roots(const PartialFunction& f, const std::vector<double>& all, bool is_whole) {
    Scan scan;
    RootSearch search(f, is_whole);
    const std::vector<std::optional<Point>> points = search.look_at(all);
    const auto is_zero = [&](std::size_t i) { return i < points.size() && points[i] && points[i]->f == 0.0; };
    double before = 0.0;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!points[i]) {
            continue;
        }
        const Point& point = *points[i];
        scan.least = std::min(scan.least.value_or(point.f), point.f);
        scan.most = std::max(scan.most.value_or(point.f), point.f);
        if (is_zero(i)) {
            const double first = i > 0 ? search.zero_until(point.x, all[i - 1]) : point.x;
            while (is_zero(i + 1)) {
                ++i;
            }
            const bool has_next = i + 1 < points.size();
            const double last = has_next ? search.zero_until(all[i], all[i + 1]) : all[i];
            scan.roots.push_back({first, last, 0.0, before, has_next && points[i + 1] ? points[i + 1]->f : 0.0, false, false});
            continue;
        }
        if (opposite(before, point.f) && !is_zero(i - 1)) {
            scan.roots.push_back(points[i - 1] ? search.between(*points[i - 1], point) : RootSearch::gap(before, point));
        }
        before = point.f;
    }
    scan.iterations = search.iterations();
    return scan;
}

} // namespace costcurve::model
