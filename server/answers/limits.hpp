// What one request may ask of the machine; settings of the service.
#pragma once

#include <cstddef>

namespace costcurve::answers {

/// Settings of the service (docs/operations.md says what happens if they are raised).
struct QuestionLimits {
    std::size_t max_concurrent = 3;  ///< long questions, the last of a client that has no other; more are asked to try again
    std::size_t samples = 1'000'000; ///< of a simulation, or of demand
    std::size_t cells = 250'000;     ///< of a map
    std::size_t plans = 100'000;     ///< that an optimizer evaluates
    double seconds = 600;            ///< that one may take
    std::size_t threads = 0;         ///< of one question; 0 is one a core
};

/// The most scenarios that one request compares.
inline constexpr std::size_t kMaxScenarios = 100;

} // namespace costcurve::answers
