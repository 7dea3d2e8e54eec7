// Numbers of random cases that a build can afford.
#pragma once

#include <cstddef>

namespace costcurve::tests {

/// `count` random problems or samples; a fifth of them under AddressSanitizer, which takes five to eight times as long for each.
[[nodiscard]] constexpr std::size_t affordable(std::size_t count) {
#ifdef __SANITIZE_ADDRESS__
    return count / 5;
#else
    return count;
#endif
}

} // namespace costcurve::tests
