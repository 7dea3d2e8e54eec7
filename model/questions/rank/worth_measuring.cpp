// Least squares with three terms, by normal equations on a standardised input.
#include "model/questions/rank/worth_measuring.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace costcurve::model {

namespace {

using Three = std::array<double, 3>;

// Solves a symmetric system by Gaussian elimination with pivoting. If it is singular, solves the first row alone.
Three solved(std::array<Three, 3> matrix, Three right) {
    constexpr double kSingular = 1e-12;
    const double mean = right[0];
    for (std::size_t column = 0; column < 3; ++column) {
        std::size_t pivot = column;
        for (std::size_t row = column + 1; row < 3; ++row) {
            pivot = std::abs(matrix[row][column]) > std::abs(matrix[pivot][column]) ? row : pivot;
        }
        if (std::abs(matrix[pivot][column]) < kSingular) {
            return {mean, 0.0, 0.0};
        }
        std::swap(matrix[column], matrix[pivot]);
        std::swap(right[column], right[pivot]);
        for (std::size_t row = column + 1; row < 3; ++row) {
            const double factor = matrix[row][column] / matrix[column][column];
            for (std::size_t k = column; k < 3; ++k) {
                matrix[row][k] -= factor * matrix[column][k];
            }
            right[row] -= factor * right[column];
        }
    }
    Three x{};
    for (std::size_t row = 3; row-- > 0;) {
        double rest = right[row];
        for (std::size_t k = row + 1; k < 3; ++k) {
            rest -= matrix[row][k] * x[k];
        }
        x[row] = rest / matrix[row][row];
    }
    return x;
}

// The numbers scaled to mean 0 and standard deviation 1; all 0 if they are equal.
std::vector<double> standardised(std::vector<double> numbers) {
    const auto n = static_cast<double>(numbers.size());
    double mean = 0.0;
    for (const double x : numbers) {
        mean += x / n;
    }
    double variance = 0.0;
    for (const double x : numbers) {
        variance += (x - mean) * (x - mean) / n;
    }
    for (double& x : numbers) {
        x = variance > 0.0 ? (x - mean) / std::sqrt(variance) : 0.0;
    }
    return numbers;
}

Three parabola(const std::vector<double>& x, const std::vector<double>& y) {
    std::array<Three, 3> matrix{};
    Three right{};
    for (std::size_t k = 0; k < x.size(); ++k) {
        const Three powers = {1.0, x[k], x[k] * x[k]};
        for (std::size_t i = 0; i < 3; ++i) {
            right[i] += powers[i] * y[k] / static_cast<double>(x.size());
            for (std::size_t j = 0; j < 3; ++j) {
                matrix[i][j] += powers[i] * powers[j] / static_cast<double>(x.size());
            }
        }
    }
    return solved(matrix, right);
}

} // namespace

double value_of_knowing(const std::vector<std::span<const double>>& figures, std::span<const double> input) {
    constexpr std::size_t kFewest = 10;
    std::vector<std::size_t> known;
    for (std::size_t k = 0; k < input.size(); ++k) {
        if (std::ranges::all_of(figures, [&](const auto& of_plan) { return std::isfinite(of_plan[k]); })) {
            known.push_back(k);
        }
    }
    if (known.size() < kFewest || figures.size() < 2) {
        return 0.0;
    }
    const auto chosen = [&](std::span<const double> numbers) {
        std::vector<double> some;
        some.reserve(known.size());
        for (const std::size_t k : known) {
            some.push_back(numbers[k]);
        }
        return some;
    };
    const std::vector<double> x = standardised(chosen(input));
    double least_mean = std::numeric_limits<double>::infinity();
    std::vector<double> least_known(known.size(), std::numeric_limits<double>::infinity());
    for (const std::span<const double> of_plan : figures) {
        const std::vector<double> y = chosen(of_plan);
        const Three at = parabola(x, y);
        double mean = 0.0;
        for (std::size_t k = 0; k < y.size(); ++k) {
            mean += y[k] / static_cast<double>(y.size());
            least_known[k] = std::min(least_known[k], at[0] + at[1] * x[k] + at[2] * x[k] * x[k]);
        }
        least_mean = std::min(least_mean, mean);
    }
    double mean_of_least = 0.0;
    for (const double least : least_known) {
        mean_of_least += least / static_cast<double>(least_known.size());
    }
    return std::max(0.0, least_mean - mean_of_least);
}

} // namespace costcurve::model
