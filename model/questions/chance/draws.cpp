// Philox and Sobol from their libraries; Cholesky's triangle, and Jacobi's rotations for the message where there is none.
#include "model/questions/chance/draws.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <Random123/philox.h>
#include <boost/random/sobol.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "model/questions/chance/distribution.hpp"

namespace costcurve::model {

namespace {

// 64 bits of the seed for a stream and a place in it.
std::uint64_t bits_at(std::uint64_t seed, std::uint32_t stream, std::uint64_t place) {
    const auto low = [](std::uint64_t word) { return static_cast<std::uint32_t>(word); };
    const auto high = [](std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32U); };
    const r123::Philox4x32::ctr_type words = r123::Philox4x32()({{low(place), high(place), stream, 0}}, {{low(seed), high(seed)}});
    return std::uint64_t{words[1]} << 32U | words[0];
}

// The middle of the 2^53 equal parts of (0, 1) that the bits name.
double share_of(std::uint64_t bits) { return (static_cast<double>(bits >> 11U) + 0.5) * 0x1p-53; }

// A symmetric matrix, by its side.
struct Matrix {
    std::size_t side;
    std::vector<double> cells;
    double& operator()(std::size_t r, std::size_t c) { return cells[r * side + c]; }
    double operator()(std::size_t r, std::size_t c) const { return cells[r * side + c]; }
};

Matrix identity(std::size_t side) {
    Matrix made{side, std::vector<double>(side * side, 0.0)};
    for (std::size_t i = 0; i < side; ++i) {
        made(i, i) = 1.0;
    }
    return made;
}

// Cholesky's lower triangle; none where the matrix is not positive semidefinite but for rounding. Where a row follows from those
// before it (two inputs with the correlation 1), its column is 0.
std::optional<Matrix> triangle_of(const Matrix& matrix) {
    constexpr double kRounding = 1e-10;
    constexpr double kColumn = 1e-5; // the root of that: no cell of a column is above the roots of its pivot and its row's
    Matrix lower{matrix.side, std::vector<double>(matrix.cells.size(), 0.0)};
    for (std::size_t r = 0; r < matrix.side; ++r) {
        for (std::size_t c = 0; c <= r; ++c) {
            double rest = matrix(r, c);
            for (std::size_t k = 0; k < c; ++k) {
                rest -= lower(r, k) * lower(c, k);
            }
            const bool follows = r == c ? rest <= kRounding : lower(c, c) == 0.0;
            if (follows && (r == c ? rest < -kRounding : std::fabs(rest) > kColumn)) {
                return std::nullopt;
            }
            lower(r, c) = follows ? 0.0 : r == c ? std::sqrt(rest) : rest / lower(c, c);
        }
    }
    return lower;
}

struct Eigen {
    double value;
    std::vector<double> vector;
};

// The least eigenvalue with its vector, by cyclic Jacobi rotations (Golub and Van Loan, Matrix Computations, section 8.5).
Eigen least_eigen(Matrix a) {
    constexpr int kSweeps = 50;
    Matrix vectors = identity(a.side);
    for (int sweep = 0; sweep < kSweeps; ++sweep) {
        for (std::size_t p = 0; p + 1 < a.side; ++p) {
            for (std::size_t q = p + 1; q < a.side; ++q) {
                if (std::fabs(a(p, q)) < 1e-15) {
                    continue;
                }
                const double theta = 0.5 * std::atan2(2 * a(p, q), a(q, q) - a(p, p));
                const double c = std::cos(theta);
                const double s = std::sin(theta);
                const auto rotate = [c, s](double& x, double& y) {
                    const double old = x;
                    x = c * old - s * y;
                    y = s * old + c * y;
                };
                for (std::size_t k = 0; k < a.side; ++k) {
                    rotate(a(k, p), a(k, q));
                }
                for (std::size_t k = 0; k < a.side; ++k) {
                    rotate(a(p, k), a(q, k));
                    rotate(vectors(k, p), vectors(k, q));
                }
            }
        }
    }
    std::size_t least = 0;
    for (std::size_t i = 1; i < a.side; ++i) {
        least = a(i, i) < a(least, least) ? i : least;
    }
    Eigen eigen{a(least, least), {}};
    eigen.vector.reserve(a.side);
    for (std::size_t k = 0; k < a.side; ++k) {
        eigen.vector.push_back(vectors(k, least));
    }
    return eigen;
}

// Between which inputs the matrix fails: those that the least eigenvector has weight on.
std::string impossible(const Matrix& matrix, std::span<const RankCorrelation> correlations, std::span<const std::string> names) {
    constexpr double kWeight = 1e-6;
    const Eigen eigen = least_eigen(matrix);
    std::vector<std::string> parts;
    for (const RankCorrelation& row : correlations) {
        if (std::fabs(eigen.vector[row.a]) > kWeight && std::fabs(eigen.vector[row.b]) > kWeight) {
            parts.push_back(fmt::format("{} with {}: {}", names[row.a], names[row.b], row.rho));
        }
    }
    return fmt::format(
        "these correlations can't hold together: {}; the least eigenvalue of their matrix is {:.4g}, and it must not "
        "be below 0; bring them nearer to 0",
        fmt::join(parts, ", "), eigen.value);
}

} // namespace

Result<std::vector<double>> correlate(std::span<const RankCorrelation> correlations, std::span<const std::string> names,
                                      const std::string& at) {
    if (correlations.empty()) {
        return std::vector<double>();
    }
    Matrix matrix = identity(names.size());
    for (const RankCorrelation& row : correlations) {
        matrix(row.a, row.b) = matrix(row.b, row.a) = 2 * std::sin(std::numbers::pi * row.rho / 6);
    }
    std::optional<Matrix> triangle = triangle_of(matrix);
    if (!triangle) {
        return tl::unexpected(Failure{{at, Code::inconsistent, impossible(matrix, correlations, names)}});
    }
    return std::move(triangle->cells);
}

Draws::Draws(Sampling sampling, std::uint64_t seed, std::size_t inputs, std::vector<double> triangle)
    : sampling_(sampling), seed_(seed), inputs_(inputs), triangle_(std::move(triangle)) {}

void Draws::fill(std::size_t first, std::size_t count, std::span<double> out) const {
    if (sampling_ == Sampling::random) {
        for (std::uint32_t input = 0; input < inputs_; ++input) {
            for (std::size_t i = 0; i < count; ++i) {
                out[input * count + i] = share_of(bits_at(seed_, input, first + i));
            }
        }
    } else {
        boost::random::sobol points(inputs_);
        points.seed(std::max<std::size_t>(first, 1) - 1); // its point 0 is the sequence's point 1: 0 itself is left out
        std::vector<std::uint64_t> shifts(inputs_);
        for (std::uint32_t input = 0; input < inputs_; ++input) {
            shifts[input] = bits_at(seed_, input, ~std::uint64_t{0});
        }
        for (std::size_t i = 0; i < count; ++i) {
            for (std::size_t input = 0; input < inputs_; ++input) {
                out[input * count + i] = share_of((first + i == 0 ? 0 : points()) ^ shifts[input]);
            }
        }
    }
    correlate_rows(count, out);
}

void Draws::correlate_rows(std::size_t count, std::span<double> out) const {
    const auto is_alone = [&](std::size_t r) {
        return std::all_of(&triangle_[r * inputs_], &triangle_[r * inputs_ + r], [](double cell) { return cell == 0.0; });
    };
    if (triangle_.empty()) {
        return;
    }
    std::vector<double> normal(out.size());
    std::transform(out.begin(), out.end(), normal.begin(), normal_quantile);
    for (std::size_t r = 0; r < inputs_; ++r) {
        for (std::size_t i = 0; i < count && !is_alone(r); ++i) {
            double sum = 0.0;
            for (std::size_t c = 0; c <= r; ++c) {
                sum += triangle_[r * inputs_ + c] * normal[c * count + i];
            }
            constexpr double kEnd = 0x1p-54; // shares are never 0 or 1
            out[r * count + i] = std::clamp(normal_share_below(sum), kEnd, 1 - 0x1p-53);
        }
    }
}

} // namespace costcurve::model
