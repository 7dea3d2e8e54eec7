// Linear equations of a symmetric positive matrix: the normal equations of fits.
#pragma once

#include <cstddef>
#include <vector>

namespace costcurve::model {

/// Solves A x = b of a symmetric positive matrix of n rows in place, by Cholesky: x is in b. False where it is not positive.
[[nodiscard]] bool solve_symmetric(std::vector<double>& a, std::vector<double>& b, std::size_t n);

} // namespace costcurve::model
